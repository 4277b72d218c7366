/* Processes of mpirun: the number of this one, and messages between them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ranks.h"

#include "../host/clock.h"
#include "../host/memory.h"
#include "ranks_mpi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  MOST_RANKS = 4096,
  LOOKS = 20,            /* looks for a message before the first pause */
  LEAST_PAUSE_US = 50,   /* length of the first pauses */
  MOST_PAUSE_US = 1000,  /* length of a pause, at most */
  ALIVE_NS = 500000000,  /* time between two empty messages */
  LISTEN_MS = 100,       /* wait for a message of rank 0 at the end, at most */
  MOST_SILENCE = 1 << 30 /* seconds; any clock can count them */
};
static const char k_over = '.'; /* last message of rank 0: all ranks may end MPI */

struct hd_ranks {
  const struct hd_ranks_ops *ops;
  void *plugin;
  int self, number;
  bool lost;            /* a rank was lost */
  bool over;            /* rank 0 has sent k_over */
  pthread_mutex_t lock; /* held to call MPI, and for the members below */
  pthread_cond_t wake;
  pthread_t alive;
  bool alive_started, stop_alive;
};

/* Returns the number of processes that mpirun has started, as text. NULL: mpirun has not started
 * this process. */
static const char *processes(void)
{
  const char *size = getenv("OMPI_COMM_WORLD_SIZE");
  return size ? size : getenv("PMI_SIZE");
}

bool hd_ranks_are_several(void)
{
  const char *size = processes();
  return size && atoi(size) > 1;
}

int hd_ranks_open(struct hd_ranks **out, const char *plugin, struct hd_error *err)
{
  const char *size = processes();
  *out = NULL;
  if (!hd_ranks_are_several())
    return HD_OK;
  struct hd_ranks *ranks = hd_xcalloc(1, sizeof *ranks);
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
  else if (ranks->number != atoi(size)) { /* each process would do all the work */
    status = hd_fail(err, HD_E_TOOL,
                     "this is one of %s processes of mpirun, but its MPI has %d: %s was built for "
                     "another MPI; take the mpirun of that one, or build Heddle with the other",
                     size, ranks->number, plugin);
    ranks->ops->close(0, 0);
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

/* Pauses for a small part of the time since the wait began. */
static void pause_after(double waited)
{
  double seconds = waited / 16;
  seconds = seconds < LEAST_PAUSE_US * 1e-6 ? LEAST_PAUSE_US * 1e-6 : seconds;
  seconds = seconds > MOST_PAUSE_US * 1e-6 ? MOST_PAUSE_US * 1e-6 : seconds;
  nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

/* Receives like hd_ranks_receive, but waits at most `milliseconds` for a message. */
static int wait_for_message(struct hd_ranks *ranks, int milliseconds, int *from, char **bytes,
                            size_t *length)
{
  const double since = hd_seconds_now();
  for (int looks = 0;; looks++) {
    int got = hd_ranks_receive(ranks, from, bytes, length);
    double waited = hd_seconds_now() - since;
    if (got || waited > milliseconds / 1e3)
      return got;
    if (looks >= LOOKS)
      pause_after(waited);
  }
}

/* Starts a thread that gets no signals: they are for the threads that exist already. */
static bool start_thread(pthread_t *thread, void *(*run)(void *), void *context)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = !pthread_create(thread, NULL, run, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

static void *send_alive(void *argument)
{
  struct hd_ranks *ranks = argument;
  const int first = ranks->self ? 0 : 1, end = ranks->self ? 1 : ranks->number;
  pthread_mutex_lock(&ranks->lock);
  while (!ranks->stop_alive) {
    for (int i = first; i < end; i++)
      ranks->ops->send(i, hd_xmalloc(1), 0);
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
  if (ranks->alive_started)
    return HD_OK;
  ranks->alive_started = start_thread(&ranks->alive, send_alive, ranks);
  return ranks->alive_started ? HD_OK : hd_fail(err, HD_E_TOOL, "MPI: cannot start a thread");
}

/* ── end ───────────────────────────────────────────────────────────────────── */

static void stop_alive_thread(struct hd_ranks *ranks)
{
  if (!ranks->alive_started)
    return;
  pthread_mutex_lock(&ranks->lock);
  ranks->stop_alive = true;
  pthread_cond_signal(&ranks->wake);
  pthread_mutex_unlock(&ranks->lock);
  pthread_join(ranks->alive, NULL);
}

static void send_over(struct hd_ranks *ranks)
{
  for (int i = 1; i < ranks->number; i++) {
    char *over = hd_xmalloc(1);
    *over = k_over;
    hd_ranks_send(ranks, i, over, 1);
  }
}

/* Waits for the last message of rank 0. Ranks must end MPI together, and rank 0 may still write
 * reports. To a rank that has failed, rank 0 sends nothing any more, so such a rank waits without a
 * limit. */
static void wait_for_rank_0(struct hd_ranks *ranks, bool failed)
{
  double heard = hd_seconds_now();
  while (!ranks->over && !ranks->lost) {
    char *bytes;
    size_t length;
    int from, got = wait_for_message(ranks, LISTEN_MS, &from, &bytes, &length);
    if (got > 0) {
      heard = hd_seconds_now();
      free(bytes);
    } else
      ranks->lost = got < 0 || (!failed && hd_seconds_now() > heard + hd_ranks_silence_seconds());
  }
}

/* Ends this process after a time. Without it, the end of MPI would wait for ever for a rank that
 * has died after its last message: MPI does not report this (Open MPI 4.1 with
 * --enable-recovery). */
static void *exit_after_silence(void *code)
{
  nanosleep(&(struct timespec){.tv_sec = (time_t)hd_ranks_silence_seconds() + 1}, NULL);
  _exit(*(const int *)code);
}

void hd_ranks_close(struct hd_ranks *ranks, int code)
{
  if (!ranks)
    return;
  stop_alive_thread(ranks);
  if (ranks->self)
    wait_for_rank_0(ranks, code != 0);
  else if (!ranks->lost)
    send_over(ranks);
  pthread_t waits;
  fflush(NULL); /* neither exit_after_silence nor the end of the whole job flushes */
  bool watched = start_thread(&waits, exit_after_silence, &code);
  ranks->ops->close(ranks->lost, code);
  if (watched) {
    pthread_cancel(waits); /* it is in nanosleep, which can be cancelled */
    pthread_join(waits, NULL);
  }
  pthread_cond_destroy(&ranks->wake);
  pthread_mutex_destroy(&ranks->lock);
  free(ranks);
}
