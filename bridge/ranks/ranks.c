/* The processes of mpirun: who we are among them, and messages from one to another.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ranks_internal.h"
#include "ranks_mpi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  MOST_RANKS = 4096,
  LOOKS = 20,          /* for a message, before it is waited for with pauses … */
  LEAST_PAUSE_US = 50, /* … of so long */
  MOST_PAUSE_US = 1000,
  ALIVE_NS = 500000000,  /* between two signs of life */
  LISTEN_MS = 100,       /* for rank 0, at the end */
  MOST_SILENCE = 1 << 30 /* seconds, which any clock can count */
};
static const char k_over = '.'; /* the last message of rank 0: all may end MPI */

struct hd_ranks {
  const struct hd_ranks_ops *ops;
  void *plugin;
  int self, number;
  bool lost;            /* somebody was */
  bool over;            /* rank 0 has said so */
  pthread_mutex_t lock; /* of MPI, and of: */
  pthread_cond_t wake;
  pthread_t alive;
  bool stays, quit;
  struct hd_ranks_share *shares; /* [number] */
  double seconds;
};

int hd_ranks_open(struct hd_ranks **out, const char *plugin, struct hd_error *err)
{
  const char *size = getenv("OMPI_COMM_WORLD_SIZE");
  size = size ? size : getenv("PMI_SIZE");
  *out = NULL;
  if (!size || atoi(size) < 2)
    return HD_OK;
  struct hd_ranks *ranks = calloc(1, sizeof *ranks);
  if (!ranks)
    return hd_fail(err, HD_E_NOMEM, "MPI: out of memory");
  pthread_mutex_init(&ranks->lock, NULL);
  pthread_cond_init(&ranks->wake, NULL);
  ranks->plugin = dlopen(plugin, RTLD_NOW | RTLD_GLOBAL);
  ranks->ops = ranks->plugin ? dlsym(ranks->plugin, HD_RANKS_SYMBOL) : NULL;
  int status = HD_OK;
  if (!ranks->ops)
    status = hd_fail(err, HD_E_TOOL,
                     "this is one of %s processes of mpirun, but %s cannot be loaded (%s); install "
                     "libopenmpi-dev and build Heddle again, or run without mpirun",
                     size, plugin, dlerror());
  else if (ranks->ops->open(&ranks->self, &ranks->number) || ranks->number > MOST_RANKS)
    status = hd_fail(err, HD_E_TOOL, "MPI cannot be started in %s processes", size);
  else if (ranks->number != atoi(size)) { /* each would do the whole */
    status = hd_fail(err, HD_E_TOOL,
                     "this is one of %s processes of mpirun, but its MPI has %d: %s was built for "
                     "another MPI; take the mpirun of that one, or build Heddle with the other",
                     size, ranks->number, plugin);
    ranks->ops->close(0, 0);
  }
  if (!status) {
    ranks->shares = calloc((size_t)ranks->number, sizeof *ranks->shares);
    status = ranks->shares ? HD_OK : hd_fail(err, HD_E_NOMEM, "MPI: out of memory");
  }
  if (status) {
    free(ranks);
    return status;
  }
  *out = ranks;
  return HD_OK;
}

int hd_ranks_self(const struct hd_ranks *ranks)
{
  return ranks->self;
}

int hd_ranks_number(const struct hd_ranks *ranks)
{
  return ranks->number;
}

int hd_ranks_send(struct hd_ranks *ranks, int to, void *bytes, size_t length)
{
  pthread_mutex_lock(&ranks->lock);
  int failed = ranks->ops->send(to, bytes, length);
  pthread_mutex_unlock(&ranks->lock);
  return failed;
}

int hd_ranks_receive(struct hd_ranks *ranks, int *from, char **bytes, size_t *length)
{
  pthread_mutex_lock(&ranks->lock);
  int got = ranks->ops->receive(from, bytes, length);
  pthread_mutex_unlock(&ranks->lock);
  ranks->over |= got > 0 && *length == 1 && **bytes == k_over;
  return got;
}

bool hd_ranks_over(const struct hd_ranks *ranks)
{
  return ranks->over;
}

double hd_ranks_silence_seconds(void)
{
  const char *text = getenv("HEDDLE_SILENCE_SECONDS");
  const double seconds = text ? atof(text) : 0;
  return seconds > 0 && seconds < MOST_SILENCE ? seconds
         : seconds >= MOST_SILENCE             ? MOST_SILENCE
                                               : 60;
}

void hd_ranks_lose(struct hd_ranks *ranks)
{
  ranks->lost = true;
}

/* ── for the switches of one run ───────────────────────────────────────────── */

int hd_ranks_create(const struct hd_dut_ops *ops, struct hd_dut **dut,
                    const struct hd_switch_params *params, uint32_t count, const char *options,
                    struct hd_error *err)
{
  int status = ops->create(dut, params, count, options, err);
  if (status)
    *dut = NULL; /* whatever it left there */
  return status || *dut
             ? status
             : hd_fail(err, HD_E_TOOL,
                       "backend %s breaks its contract (bridge/dut.h): create returned 0 "
                       "and no DUT",
                       ops->name);
}

double hd_ranks_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool hd_ranks_spare_core(const struct hd_ranks *ranks)
{
  const char *local = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  cpu_set_t cores;
  local = local ? local : getenv("MPI_LOCALNRANKS");
  return !sched_getaffinity(0, sizeof cores, &cores) &&
         CPU_COUNT(&cores) > (local ? atoi(local) : ranks->number);
}

int hd_ranks_tell(struct hd_ranks *ranks, int to, struct ranks_head head, const void *bytes,
                  size_t length, struct hd_error *err)
{
  char *message = malloc(sizeof head + length);
  if (!message)
    return hd_fail(err, HD_E_NOMEM, "MPI: no memory for a message of %zu bytes", length);
  head.length = length;
  memcpy(message, &head, sizeof head);
  if (length)
    memcpy(message + sizeof head, bytes, length);
  if (hd_ranks_send(ranks, to, message, sizeof head + length))
    return hd_fail(err, HD_E_TOOL, "MPI: rank %d cannot be sent anything", to);
  return HD_OK;
}

/* A pause is a small part of what was waited before it. */
static void pause_after(double waited)
{
  double seconds = waited / 16;
  seconds = seconds < LEAST_PAUSE_US * 1e-6 ? LEAST_PAUSE_US * 1e-6 : seconds;
  seconds = seconds > MOST_PAUSE_US * 1e-6 ? MOST_PAUSE_US * 1e-6 : seconds;
  nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

int hd_ranks_wait(struct hd_ranks *ranks, int milliseconds, int *from, char **bytes, size_t *length)
{
  const double since = hd_ranks_now();
  for (int looks = 0;; looks++) {
    int got = hd_ranks_receive(ranks, from, bytes, length);
    double waited = hd_ranks_now() - since;
    if (got || waited > milliseconds / 1e3)
      return got;
    if (looks >= LOOKS)
      pause_after(waited);
  }
}

/* A thread of ours; signals are for those that were there. */
static bool start(pthread_t *thread, void *(*run)(void *), void *context)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = !pthread_create(thread, NULL, run, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

static void *say_alive(void *argument)
{
  struct hd_ranks *ranks = argument;
  const int first = ranks->self ? 0 : 1, end = ranks->self ? 1 : ranks->number;
  pthread_mutex_lock(&ranks->lock);
  while (!ranks->quit) {
    for (int i = first; i < end; i++) {
      void *nothing = malloc(1);
      if (nothing)
        ranks->ops->send(i, nothing, 0);
    }
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ALIVE_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&ranks->wake, &ranks->lock, &until);
  }
  pthread_mutex_unlock(&ranks->lock);
  return NULL;
}

int hd_ranks_stay_alive(struct hd_ranks *ranks, struct hd_error *err)
{
  if (ranks->stays)
    return HD_OK;
  ranks->stays = start(&ranks->alive, say_alive, ranks);
  return ranks->stays ? HD_OK : hd_fail(err, HD_E_NOMEM, "MPI: cannot start a thread");
}

struct hd_ranks_share *hd_ranks_share_slots(struct hd_ranks *ranks, double **seconds)
{
  *seconds = &ranks->seconds;
  return ranks->shares;
}

const struct hd_ranks_share *hd_ranks_shares(struct hd_ranks *ranks, double *seconds)
{
  *seconds = ranks->seconds;
  return ranks->shares;
}

/* ── the end ───────────────────────────────────────────────────────────────── */

static void say_alive_no_more(struct hd_ranks *ranks)
{
  if (!ranks->stays)
    return;
  pthread_mutex_lock(&ranks->lock);
  ranks->quit = true;
  pthread_cond_signal(&ranks->wake);
  pthread_mutex_unlock(&ranks->lock);
  pthread_join(ranks->alive, NULL);
}

static void tell_others(struct hd_ranks *ranks)
{
  for (int i = 1; i < ranks->number; i++) {
    char *over = malloc(1);
    if (!over)
      continue;
    *over = k_over;
    hd_ranks_send(ranks, i, over, 1);
  }
}

/* Ranks reach the end of MPI together, and rank 0 may have pages to write before. To a rank that has failed it says
 * nothing more, once it has noticed, and may go on without it for long. */
static void wait_for_rank_0(struct hd_ranks *ranks, bool failed)
{
  double heard = hd_ranks_now();
  while (!ranks->over && !ranks->lost) {
    char *bytes;
    size_t length;
    int from, got = hd_ranks_wait(ranks, LISTEN_MS, &from, &bytes, &length);
    if (got > 0) {
      heard = hd_ranks_now();
      free(bytes);
    } else
      ranks->lost = got < 0 || (!failed && hd_ranks_now() > heard + hd_ranks_silence_seconds());
  }
}

/* A rank that dies between its last message and the end of MPI is waited for without end: MPI does not say that it is
 * gone (Open MPI 4.1 with --enable-recovery). */
static void *give_up(void *code)
{
  nanosleep(&(struct timespec){.tv_sec = (time_t)hd_ranks_silence_seconds() + 1}, NULL);
  _exit(*(const int *)code);
}

void hd_ranks_close(struct hd_ranks *ranks, int code)
{
  if (!ranks)
    return;
  say_alive_no_more(ranks);
  if (ranks->self)
    wait_for_rank_0(ranks, code != 0);
  else if (!ranks->lost)
    tell_others(ranks);
  pthread_t waits;
  fflush(NULL); /* neither give_up nor the end of a whole job does */
  bool watched = start(&waits, give_up, &code);
  ranks->ops->close(ranks->lost, code);
  if (watched) {
    pthread_cancel(waits); /* nanosleep is where it is */
    pthread_join(waits, NULL);
  }
  pthread_cond_destroy(&ranks->wake);
  pthread_mutex_destroy(&ranks->lock);
  free(ranks->shares);
  free(ranks);
}
