/* Judges mutants of a router by the rules at ports, without a model or an original.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A fabric whose switches are all the same mutant runs in closed loop, as in heddle run and heddle
 * check. A mutant that answered like the original on the records of all switches would do the same
 * here, because the records have all inputs of each switch. So it is not run. The order is drawn,
 * so that after an interruption a random part was judged, not the mutants of one file.
 */
#include "mutation_internal.h"

#include "../host/memory.h"
#include "../../sw/runtime/random.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_THREADS = 64 };

const char *hd_mutation_end_name(enum hd_mutation_end end)
{
#define NAME(NAME, name, text) name,
  static const char *const names[] = {HD_MUTATION_END_LIST(NAME)};
#undef NAME
  return names[end];
}

const char *hd_mutation_end_text(enum hd_mutation_end end)
{
#define TEXT(NAME, name, text) text,
  static const char *const texts[] = {HD_MUTATION_END_LIST(TEXT)};
#undef TEXT
  return texts[end];
}

struct judge {
  struct hd_mutation *m;
  const struct hd_mutation_options *options;
  uint32_t *order; /* [m->to_judge], indices in m->tried */
  _Atomic uint32_t next;
  _Atomic bool stopped;
  pthread_mutex_t lock; /* guards the members below, and the progress */
  int status;
  struct hd_error err;
  uint32_t found;
  double started;
};

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ── one mutant ────────────────────────────────────────────────────────────── */

static struct hd_mutation_ruled end_of(int status, const struct hd_lockstep_result *result)
{
  const struct hd_divergence *d = &result->divergence;
  const bool circle = status == HD_E_DEADLOCK && result->circle[0];
  const bool ruled = circle || d->difference == HD_DIFF_RULE;
  struct hd_mutation_ruled end = {.end = HD_MUTATION_REFUSED, .sw = d->sw, .cycle = d->cycle};
  if (!status)
    end.end = HD_MUTATION_PASSED;
  else if (ruled) {
    end.end = HD_MUTATION_RULE;
    end.rule = d->broken.rule;
    end.sw = d->broken.sw;
    end.cycle = d->broken.cycle;
  } else if (status == HD_E_DIVERGENCE)
    end.end = HD_MUTATION_DELIVERY;
  else if (status == HD_E_DEADLOCK)
    end.end = HD_MUTATION_STANDS;
  return end;
}

/* Runs a mutant on one scenario after another, until one finds it. Returns only errors that have
 * nothing to do with the mutant. */
static int judge_one(struct judge *j, struct hd_mutant_pool_bench *bench, uint32_t place,
                     struct hd_error *err)
{
  struct hd_mutation *m = j->m;
  struct hd_mutation_ruled ruled = {.end = HD_MUTATION_PASSED};
  for (uint32_t i = 0; i < m->n_sources && ruled.end == HD_MUTATION_PASSED; i++) {
    struct hd_lockstep_result *result = hd_xcalloc(1, sizeof *result);
    const char *options;
    const struct hd_dut_ops *fabric =
        hd_mutant_pool_fabric(bench, m->tried[place].mutant, &options);
    const int status =
        hd_mutation_play_scenario(&m->sources[i], j->options, fabric, options, result, err);
    ruled = end_of(status, result);
    ruled.source = i;
    free(result);
    if (status == HD_E_INTERRUPTED || status == HD_E_NOMEM || status == HD_E_IO)
      return status;
  }
  m->tried[place].ruled = ruled;
  return HD_OK;
}

/* ── all mutants ───────────────────────────────────────────────────────────── */

static void report_progress(const struct judge *j)
{
  const struct hd_mutation_options *o = j->options;
  const struct hd_mutation *m = j->m;
  char phase[80];
  if (!o->progress)
    return;
  snprintf(phase, sizeof phase, "rules at ports, %u of %u tried", m->judged, m->to_judge);
  const double left = m->judged ? (now() - j->started) / m->judged * (m->to_judge - m->judged) : -1;
  o->progress(o->context, &(struct hd_mutation_progress){.phase = phase,
                                                         .ruled = true,
                                                         .found = j->found,
                                                         .mutants = m->to_judge,
                                                         .seconds_left = left});
}

struct judging {
  struct judge *judge;
  struct hd_mutant_pool_bench *bench;
};

static void *judge_some(void *context)
{
  const struct judging *at = context;
  struct judge *j = at->judge;
  while (!atomic_load(&j->stopped)) {
    struct hd_error err = {""};
    const uint32_t i = atomic_fetch_add(&j->next, 1);
    if (i >= j->m->to_judge)
      return NULL;
    const int status = judge_one(j, at->bench, j->order[i], &err);
    pthread_mutex_lock(&j->lock);
    if (status) {
      atomic_store(&j->stopped, true);
      j->status = status;
      j->err = err;
    } else {
      j->m->judged++;
      j->found += j->m->tried[j->order[i]].ruled.end != HD_MUTATION_PASSED;
      report_progress(j);
    }
    pthread_mutex_unlock(&j->lock);
  }
  return NULL;
}

/* Lists the mutants that differ from the original in a random order. All that survived have
 * passed. */
static void order_all(struct judge *j)
{
  struct hd_mutation *m = j->m;
  struct hd_random random;
  hd_random_seed(&random, m->seed, 1);
  for (uint32_t i = 0; i < m->n; i++)
    if (m->tried[i].found.found)
      j->order[m->to_judge++] = i;
    else if (m->tried[i].survived == m->records_wanted)
      m->tried[i].ruled.end = HD_MUTATION_PASSED;
  for (uint32_t i = m->to_judge; i > 1; i--) {
    const uint32_t other = (uint32_t)(hd_random_next(&random) % i);
    const uint32_t place = j->order[i - 1];
    j->order[i - 1] = j->order[other];
    j->order[other] = place;
  }
}

/* Returns the number of threads: one if the program is a user's, since threads must not share its
 * variables. */
static uint32_t threads_for(const struct hd_mutation *m, uint32_t threads)
{
  for (uint32_t i = 0; i < m->n_sources; i++)
    if (m->sources[i].scenario.software.object)
      return 1;
  return threads;
}

int hd_mutation_judge_by_rules(struct hd_mutation *m, const struct hd_mutation_options *o,
                               struct hd_mutant_pool_bench *const *benches, struct hd_error *err)
{
  struct judge j = {.m = m, .options = o, .started = now()};
  const uint32_t threads = threads_for(m, o->threads);
  struct judging judging[MOST_THREADS];
  pthread_t started[MOST_THREADS];
  uint32_t n = 1;
  j.order = hd_xmalloc((m->n + 1) * sizeof *j.order);
  order_all(&j);
  pthread_mutex_init(&j.lock, NULL);
  for (uint32_t i = 0; i < threads; i++)
    judging[i] = (struct judging){&j, benches[i]};
  while (n < threads && !pthread_create(&started[n], NULL, judge_some, &judging[n]))
    n++;
  judge_some(&judging[0]);
  while (--n)
    pthread_join(started[n], NULL);
  pthread_mutex_destroy(&j.lock);
  free(j.order);
  return j.status ? hd_fail(err, j.status, "%s", j.err.text) : HD_OK;
}
