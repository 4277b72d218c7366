/* The lockstep's threads.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lockstep_internal.h"

#include <stdlib.h>

struct member {
  struct pool *pool;
  uint32_t worker;
};

static void run_pool_tasks(struct pool *pool, uint32_t worker)
{
  uint32_t task;
  while ((task = atomic_fetch_add(&pool->next, 1)) < pool->n_tasks)
    pool->task(pool->context, task, worker);
}

static void *member_main(void *argument)
{
  struct member member = *(struct member *)argument;
  struct pool *pool = member.pool;
  uint64_t seen = 0;
  free(argument);
  pthread_mutex_lock(&pool->lock);
  for (;;) {
    while (!pool->quit && pool->generation == seen)
      pthread_cond_wait(&pool->start, &pool->lock);
    if (pool->quit)
      break;
    seen = pool->generation;
    pthread_mutex_unlock(&pool->lock);
    run_pool_tasks(pool, member.worker);
    pthread_mutex_lock(&pool->lock);
    if (--pool->running == 0)
      pthread_cond_signal(&pool->done);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

int hd_pool_start(struct pool *pool, uint32_t threads, struct hd_error *err)
{
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->start, NULL);
  pthread_cond_init(&pool->done, NULL);
  pool->threads = calloc(threads, sizeof *pool->threads);
  if (!pool->threads)
    return hd_fail(err, HD_E_NOMEM, "no memory for %u threads", threads);
  for (uint32_t i = 0; i + 1 < threads; i++) {
    struct member *member = malloc(sizeof *member);
    if (member)
      *member = (struct member){pool, i + 1};
    if (!member || pthread_create(&pool->threads[i], NULL, member_main, member)) {
      free(member);
      return hd_fail(err, HD_E_NOMEM, "cannot start thread %u of %u", i + 2, threads);
    }
    pool->n_threads++;
  }
  return HD_OK;
}

void hd_pool_begin(struct pool *pool, uint32_t n_tasks,
                   void (*task)(void *context, uint32_t task, uint32_t worker), void *context)
{
  pthread_mutex_lock(&pool->lock);
  pool->task = task;
  pool->context = context;
  pool->n_tasks = n_tasks;
  atomic_store(&pool->next, 0);
  pool->running = pool->n_threads;
  pool->generation++;
  pthread_cond_broadcast(&pool->start);
  pthread_mutex_unlock(&pool->lock);
}

void hd_pool_finish(struct pool *pool)
{
  run_pool_tasks(pool, 0);
  pthread_mutex_lock(&pool->lock);
  while (pool->running)
    pthread_cond_wait(&pool->done, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

void hd_pool_stop(struct pool *pool)
{
  if (!pool->threads)
    return;
  pthread_mutex_lock(&pool->lock);
  pool->quit = true;
  pthread_cond_broadcast(&pool->start);
  pthread_mutex_unlock(&pool->lock);
  for (uint32_t i = 0; i < pool->n_threads; i++)
    pthread_join(pool->threads[i], NULL);
  free(pool->threads);
  pool->threads = NULL;
  pthread_mutex_destroy(&pool->lock);
  pthread_cond_destroy(&pool->start);
  pthread_cond_destroy(&pool->done);
}
