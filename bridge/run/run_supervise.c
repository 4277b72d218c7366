/* Watches a run from a second thread: reports calls of users' code that do not return, and ends the run without them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * While a call of the DUT waits, this thread passes the DUT's messages on, such as that a cable
 * was unplugged. No thread can end a call of a backend or of software in another thread. So if
 * the user has asked for a stop, and the call does not return, this thread writes the results so
 * far and calls `abandon`, which ends the process. It does the same if users' code has ended the
 * process: the thread in which that happened waits meanwhile (bridge/host/user_code.c).
 */
#include "run_internal.h"

#include "../host/clock.h"
#include "../host/memory.h"
#include "../host/user_code.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double report_seconds = 2.0; /* progress lines name a call that has lasted this long */
static const double patience_seconds = 4.0; /* after a stop, a call is given up if it lasts this
                                               long */

struct seen {
  uint64_t number;
  double since;
};

struct hd_run_supervisor {
  pthread_mutex_t turn;
  struct hd_run *run;
  struct hd_user_code *code;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool quit, results; /* results: the run has results that can be written */
  struct seen software, backend[HD_USER_THREADS];
  double stop_asked, reported; /* times; 0: not yet */
};

/* Returns the seconds since this thread first saw the call under way; < 0: no call is. */
static double call_seconds(const struct hd_user_call *call, struct seen *seen, double now)
{
  uint64_t number = atomic_load_explicit(&call->number, memory_order_acquire);
  if (number != seen->number)
    *seen = (struct seen){number, now};
  return number & 1 ? now - seen->since : -1;
}

/* Returns the call that has lasted longest, and its duration; NULL: no call is active. */
static const struct hd_user_call *longest_call(struct hd_run_supervisor *s, double now,
                                               double *seconds)
{
  const struct hd_user_call *longest = NULL;
  *seconds = call_seconds(&s->code->software, &s->software, now);
  if (*seconds >= 0)
    longest = &s->code->software;
  else
    *seconds = 0;
  for (unsigned i = 0; i < HD_USER_THREADS; i++) {
    const double of_this = call_seconds(&s->code->backend[i], &s->backend[i], now);
    if (of_this < *seconds)
      continue;
    longest = &s->code->backend[i];
    *seconds = of_this;
  }
  return longest;
}

static void name_call(const struct hd_run_supervisor *s, const struct hd_user_call *call,
                      struct hd_text *text)
{
  if (call == &s->code->software)
    hd_text_add(text, "software of node %" PRIu32 " in cycle %" PRIu64, atomic_load(&call->place),
                atomic_load(&call->start));
  else {
    hd_text_add(text, "DUT in ");
    hd_user_call_add(call, text);
  }
}

static void report_call(struct hd_run_supervisor *s, const struct hd_user_call *call,
                        double seconds)
{
  struct hd_run *run = s->run;
  struct hd_text text = {0};
  name_call(s, call, &text);
  struct hd_run_progress p = {.seconds_left = -1.0,
                              .phase = "running",
                              .call = hd_text_chars(&text),
                              .call_seconds = seconds};
  run->options->progress(run->options->context, &p);
  hd_text_fini(&text);
}

/* Ends the run with a report. Called when no other thread uses the run any more. */
static void end_run(struct hd_run_supervisor *s, int status, struct hd_error *err)
{
  struct hd_run *run = s->run;
  struct hd_error ended = *err;
  s->code->is_being_given_up = true;
  hd_run_restore_process(run);
  run->report->status = status;
  if (s->results) {
    hd_lockstep_abandon(run->lockstep);
    run->report->seconds = hd_seconds_now() - run->progress.started;
    run->report->has_result = true;
    if (status == HD_E_INTERRUPTED)
      hd_text_add(&run->report->notes, "%s\n", err->text);
    run->report->status = hd_run_end(run, status, &ended);
    hd_rundb_close(run->db);
    hd_run_forget_directory(run);
  }
  run->options->abandon(run->options->context, run->report, err);
}

static void give_up(struct hd_run_supervisor *s, const struct hd_user_call *call, double seconds)
{
  struct hd_error err = {""};
  struct hd_text text = {0};
  if (call == &s->code->software) {
    hd_user_code_blame(s->code, &text);
    hd_text_add(&text, " has not come back");
  } else {
    hd_text_add(&text, "backend %s has not come back from ", s->run->backend.ops->name);
    hd_user_call_add(call, &text);
  }
  hd_fail(&err, HD_E_INTERRUPTED, "interrupted; %s for %.0f s and is given up",
          hd_text_chars(&text), seconds);
  hd_text_fini(&text);
  end_run(s, HD_E_INTERRUPTED, &err);
}

/* Ends the run after users' code has ended the process. The thread in which that happened waits. */
static void end_by_users_code(struct hd_run_supervisor *s)
{
  struct hd_error err = {""};
  struct hd_text text = {0};
  int status = hd_user_code_blame(s->code, &text);
  hd_user_code_add_end(s->code, &text);
  hd_fail(&err, status, "%s", hd_text_chars(&text));
  hd_text_fini(&text);
  end_run(s, status, &err);
}

/* Returns true if the run's own thread does not use the run any more. While a call of the DUT is
 * under way, that thread has released the turn. While a call of software is,
 * software_is_given_up keeps the thread from going on when the call returns. */
static bool is_still(struct hd_run_supervisor *s, const struct hd_user_call *call)
{
  if (call != &s->code->software)
    return !pthread_mutex_trylock(&s->turn);
  s->code->software_is_given_up = true;
  if (hd_user_call_is_under_way(call))
    return true;
  s->code->software_is_given_up = false;
  return false;
}

/* Asks the DUT to end its call. Does nothing before lockstep has begun. */
static void interrupt_dut(struct hd_run_supervisor *s)
{
  if (pthread_mutex_trylock(&s->turn))
    return;
  if (s->results)
    hd_lockstep_interrupt(s->run->lockstep);
  pthread_mutex_unlock(&s->turn);
}

/* Passes on the messages of the DUT. */
static void pass_news(struct hd_run_supervisor *s)
{
  if (pthread_mutex_trylock(&s->turn))
    return;
  hd_run_pass_news(s->run);
  pthread_mutex_unlock(&s->turn);
}

void hd_run_pass_news(struct hd_run *run)
{
  char line[400];
  while (run->lockstep && run->options->say && hd_lockstep_news(run->lockstep, line, sizeof line))
    run->options->say(run->options->context, line);
}

static void check_end(struct hd_run_supervisor *s)
{
  const struct hd_user_code *code = s->code;
  double seconds;
  const struct hd_user_call *call = longest_call(s, hd_seconds_now(), &seconds);
  if (hd_user_call_is_under_way(&code->software) && (code->on_main_thread || code->misuse[0]))
    call = &code->software;
  if (call && is_still(s, call))
    end_by_users_code(s);
  s->code->is_supervised = false; /* lets the thread that waits end the process */
}

static void check_calls(struct hd_run_supervisor *s)
{
  const struct hd_run_options *o = s->run->options;
  double seconds, now = hd_seconds_now();
  if (o->abandon && s->code->is_supervised && s->code->end)
    check_end(s);
  const struct hd_user_call *call = longest_call(s, now, &seconds);
  if (!s->stop_asked && o->stop && o->stop(o->context))
    s->stop_asked = now;
  if (!call)
    return;
  if (call != &s->code->software)
    pass_news(s);
  if (s->stop_asked && call != &s->code->software)
    interrupt_dut(s);
  if (o->progress && seconds >= report_seconds && now - s->reported >= 1) {
    s->reported = now;
    report_call(s, call, seconds);
  }
  if (!o->abandon || !s->stop_asked || now - s->stop_asked < patience_seconds ||
      seconds < patience_seconds || !is_still(s, call))
    return;
  /* The call may have ended, and another one begun, before is_still() took effect. */
  double still;
  if (longest_call(s, now, &still) == call && still == seconds)
    give_up(s, call, seconds);
  if (call == &s->code->software)
    s->code->software_is_given_up = false;
  else
    pthread_mutex_unlock(&s->turn);
}

static void *supervise(void *argument)
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
      check_calls(s);
  }
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

int hd_run_supervise(struct hd_run *run, struct hd_error *err)
{
  if (!run->options->abandon && !run->options->progress)
    return HD_OK;
  struct hd_run_supervisor *s = aligned_alloc(_Alignof(struct hd_run_supervisor), sizeof *s);
  if (!s)
    hd_memory_end();
  *s = (struct hd_run_supervisor){.run = run, .code = run->user_code};
  pthread_mutex_init(&s->turn, NULL);
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->wake, NULL);
  pthread_mutex_lock(&s->turn);
  /* The new thread blocks all signals, so that the other threads get them. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&s->thread, NULL, supervise, s);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed) {
    free(s);
    return hd_fail(err, HD_E_NOMEM, "run: cannot start a thread");
  }
  run->supervisor = s;
  s->code->is_supervised = run->options->abandon != NULL;
  return HD_OK;
}

pthread_mutex_t *hd_run_turn(struct hd_run_supervisor *s)
{
  return s ? &s->turn : NULL;
}

void hd_run_supervise_results(struct hd_run_supervisor *s, bool are_there)
{
  if (s)
    s->results = are_there; /* the caller has the turn, and so has every reader */
}

void hd_run_supervise_stop(struct hd_run_supervisor *s)
{
  if (!s)
    return;
  s->code->is_supervised = false;
  pthread_mutex_lock(&s->lock);
  s->quit = true;
  pthread_cond_signal(&s->wake);
  pthread_mutex_unlock(&s->lock);
  pthread_join(s->thread, NULL);
  pthread_mutex_unlock(&s->turn);
  free(s);
}
