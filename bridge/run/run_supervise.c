/* Watches a run from a thread of its own: a DUT that does not come back is said, and given up.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a DUT has to say while it waits, of a cable that was pulled for one, is passed on at once.
 * Nobody can end a call of a backend from outside. So a run that was told to stop, and whose DUT stays
 * in one call, writes what was compared so far and leaves the rest to who ends the process.
 */
#include "run_internal.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double told_seconds = 2.0;     /* in a call, before progress tells of it */
static const double patience_seconds = 5.0; /* in a call, after the run was told to stop */

struct seen {
  uint64_t number;
  double since;
};

struct hd_run_supervisor {
  struct hd_lockstep_calls calls;
  struct hd_run *run;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool quit, results; /* results: there are some to be written */
  struct seen seen[HD_LOCKSTEP_THREADS];
  double stop_asked, told; /* 0: not yet */
};

/* The call that is longest under way, and for how long; NULL: there is none. */
static const struct hd_lockstep_call *longest_call(struct hd_run_supervisor *s, double now,
                                                   double *seconds)
{
  const struct hd_lockstep_call *longest = NULL;
  *seconds = 0;
  for (unsigned i = 0; i < HD_LOCKSTEP_THREADS; i++) {
    struct seen *seen = &s->seen[i];
    uint64_t number = atomic_load_explicit(&s->calls.of[i].number, memory_order_acquire);
    if (number != seen->number)
      *seen = (struct seen){number, now};
    if (!(number & 1) || now - seen->since < *seconds)
      continue;
    longest = &s->calls.of[i];
    *seconds = now - seen->since;
  }
  return longest;
}

static void name_window(const struct hd_lockstep_call *call, char *text, size_t size)
{
  uint32_t cycles = atomic_load(&call->cycles);
  text[0] = '\0';
  if (cycles)
    snprintf(text, size, " of switch %u, window of %" PRIu32 " cycles from cycle %" PRIu64,
             atomic_load(&call->sw), cycles, atomic_load(&call->start));
}

static void tell(struct hd_run_supervisor *s, const struct hd_lockstep_call *call, double seconds)
{
  struct hd_run *run = s->run;
  struct hd_run_progress p = {.seconds_left = -1.0,
                              .phase = "running",
                              .call = atomic_load(&call->what),
                              .call_seconds = seconds};
  name_window(call, p.window, sizeof p.window);
  run->options->progress(run->options->context, &p);
}

/* With the turn: nobody else is at the run. */
static void abandon(struct hd_run_supervisor *s, const struct hd_lockstep_call *call,
                    double seconds)
{
  struct hd_run *run = s->run;
  struct hd_error err = {""}, ended = {""};
  char window[80];
  name_window(call, window, sizeof window);
  hd_fail(&err, HD_E_INTERRUPTED,
          "interrupted; backend %s has not come back from %s%s for %.0f s and is given up",
          run->backend.ops->name, atomic_load(&call->what), window, seconds);
  if (s->results) {
    hd_lockstep_abandon(run->lockstep);
    run->report->seconds = hd_now() - run->progress.started;
    run->report->has_result = true;
    hd_text_add(&run->report->notes, "%s\n", err.text);
    run->report->status = hd_run_end(run, HD_E_INTERRUPTED, &ended);
    hd_rundb_close(run->db);
  }
  run->options->abandon(run->options->context, run->report, &err);
}

/* The call under way is of a DUT that is there: it was made before the run. */
static void interrupt(struct hd_run_supervisor *s)
{
  if (pthread_mutex_trylock(&s->calls.turn))
    return;
  if (s->results)
    hd_lockstep_interrupt(s->run->lockstep);
  pthread_mutex_unlock(&s->calls.turn);
}

/* What the DUT has to say. */
static void pass_on(struct hd_run_supervisor *s)
{
  if (pthread_mutex_trylock(&s->calls.turn))
    return;
  hd_run_news(s->run);
  pthread_mutex_unlock(&s->calls.turn);
}

void hd_run_news(struct hd_run *run)
{
  char line[400];
  while (run->lockstep && run->options->say && hd_lockstep_news(run->lockstep, line, sizeof line))
    run->options->say(run->options->context, line);
}

static void look(struct hd_run_supervisor *s)
{
  const struct hd_run_options *o = s->run->options;
  double seconds, now = hd_now();
  const struct hd_lockstep_call *call = longest_call(s, now, &seconds);
  if (!s->stop_asked && o->stop && o->stop(o->context))
    s->stop_asked = now;
  if (!call)
    return;
  pass_on(s);
  if (s->stop_asked)
    interrupt(s);
  if (o->progress && seconds >= told_seconds && now - s->told >= 1) {
    s->told = now;
    tell(s, call, seconds);
  }
  if (!o->abandon || !s->stop_asked || now - s->stop_asked < patience_seconds ||
      seconds < patience_seconds || pthread_mutex_trylock(&s->calls.turn))
    return;
  /* Without the turn a call may have ended and another begun. */
  double still;
  if (longest_call(s, now, &still) == call && still == seconds)
    abandon(s, call, seconds);
  pthread_mutex_unlock(&s->calls.turn);
}

static void *watch(void *argument)
{
  struct hd_run_supervisor *s = argument;
  pthread_mutex_lock(&s->lock);
  while (!s->quit) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 250000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&s->wake, &s->lock, &until);
    if (!s->quit)
      look(s);
  }
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

int hd_run_supervise(struct hd_run *run, struct hd_error *err)
{
  if (!run->backend.ops || (!run->options->abandon && !run->options->progress))
    return HD_OK;
  struct hd_run_supervisor *s = aligned_alloc(_Alignof(struct hd_run_supervisor), sizeof *s);
  if (!s)
    return hd_fail(err, HD_E_NOMEM, "run: out of memory");
  *s = (struct hd_run_supervisor){.run = run};
  pthread_mutex_init(&s->calls.turn, NULL);
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->wake, NULL);
  pthread_mutex_lock(&s->calls.turn);
  /* Signals are for the threads that were there. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&s->thread, NULL, watch, s);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed) {
    free(s);
    return hd_fail(err, HD_E_NOMEM, "run: cannot start a thread");
  }
  run->supervisor = s;
  return HD_OK;
}

struct hd_lockstep_calls *hd_run_calls(struct hd_run_supervisor *s)
{
  return s ? &s->calls : NULL;
}

void hd_run_supervise_results(struct hd_run_supervisor *s, bool are_there)
{
  if (s)
    s->results = are_there; /* with the turn, as it is read */
}

void hd_run_supervise_stop(struct hd_run_supervisor *s)
{
  if (!s)
    return;
  pthread_mutex_lock(&s->lock);
  s->quit = true;
  pthread_cond_signal(&s->wake);
  pthread_mutex_unlock(&s->lock);
  pthread_join(s->thread, NULL);
  pthread_mutex_unlock(&s->calls.turn);
  free(s);
}
