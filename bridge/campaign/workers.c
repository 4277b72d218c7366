/* Workers, which carry tasks out: processes on this machine, and MPI ranks with one task each.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process has a file in memory for its outcomes, a line for each, and one for its output. If it
 * dies, the end of its output goes into the failure's message. If it had several tasks, each of
 * them is then repeated in a process of its own. Ranks report twice a second that they are alive. A
 * rank that has been silent for long counts as dead, and its task is given to another worker. If it
 * answers later, that does no harm: both outcomes are the same.
 */
#include "../host/clock.h"
#include "../host/memory.h"
#include "../host/processes.h"
#include "../host/user_code.h"
#include "campaign_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  PRINTED = 1500,           /* bytes of a dead process's output that go into its message */
  MOST_OUTCOMES = 64 << 20, /* bytes of a task's outcome, at most */
  MOST_KILLS = 3,
  WAIT_MS = 250, /* between two calls of `stop` */
  POLL_MS = 2    /* between two looks at messages of ranks */
};
static const double alive_seconds = 0.5;

/* Messages between ranks: one of these letters, then JSON. */
enum {
  MESSAGE_TASK = 'T',
  MESSAGE_OUTCOME = 'O',
  MESSAGE_ALIVE = 'A',
  MESSAGE_QUIT = 'Q',
};

/* ── processes on this machine ─────────────────────────────────────────────── */

struct process {
  struct hd_task_copy *tasks; /* [n] */
  uint32_t n, next;           /* next: the first task whose outcome has not been returned */
  int outcomes, printed;      /* file descriptors of files in memory */
  struct hd_user_code *user_code;
  char *answer; /* the text of `outcomes`, once the process has ended */
  char *at;     /* next line of `answer`; NULL: there is no complete one */
  pid_t pid;
  int wait_status; /* of waitpid */
  double started, seconds;
  uint32_t kills; /* processes killed from outside that had these tasks */
  bool busy, hung, ended;
};

struct pool {
  const struct hd_plan *plan;
  double patience_seconds;
  struct hd_processes running;
  struct process processes[HD_PROCESSES_MOST];
  uint32_t n, busy;
};

/* Runs in the child. setpgid gives it a process group of its own, so it gets no signals from the
 * terminal; the parent ends it. */
_Noreturn static void run_and_report(const struct hd_plan *plan, const struct process *p)
{
  struct hd_task_outcome outcomes[HD_TASKS_BATCH] = {{0}};
  struct hd_task tasks[HD_TASKS_BATCH];
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(p->printed, 1);
  dup2(p->printed, 2);
  hd_user_code_catch(p->user_code);
  for (uint32_t i = 0; i < p->n; i++)
    tasks[i] = p->tasks[i].task;
  if (p->n > 1)
    plan->run_tasks(plan->context, tasks, p->n, outcomes);
  else
    plan->run_task(plan->context, &tasks[0], &outcomes[0]);
  for (uint32_t i = 0; i < p->n; i++) {
    char *text = hd_outcome_json(&outcomes[i]);
    if (dprintf(p->outcomes, "%s\n", text) < 0)
      _exit(1);
    free(text);
  }
  fflush(NULL);
  _exit(0);
}

static void process_free(struct pool *pool, struct process *p)
{
  for (uint32_t i = p->next; i < p->n; i++)
    hd_task_copy_fini(&p->tasks[i]);
  free(p->tasks);
  free(p->answer);
  close(p->outcomes);
  close(p->printed);
  hd_user_code_destroy(p->user_code);
  p->busy = false;
  pool->busy--;
}

/* Starts a process for the tasks of `p`. */
static bool launch(struct pool *pool, struct process *p)
{
  p->started = hd_seconds_now();
  p->outcomes = memfd_create("outcomes", MFD_CLOEXEC);
  p->printed = memfd_create("printed", 0);
  p->user_code = hd_user_code_create();
  if (p->outcomes < 0 || p->printed < 0)
    return false;
  p->pid = hd_processes_start(&pool->running, (uint64_t)(p - pool->processes));
  if (p->pid == 0)
    run_and_report(pool->plan, p);
  if (p->pid > 0)
    setpgid(p->pid, p->pid);
  return p->pid > 0;
}

static int pool_start(struct pool *pool, const struct hd_task *tasks, uint32_t n,
                      struct hd_error *err)
{
  uint32_t i = 0;
  while (pool->processes[i].busy)
    i++;
  struct process *p = &pool->processes[i];
  *p = (struct process){.busy = true, .outcomes = -1, .printed = -1};
  pool->busy++;
  p->tasks = hd_xcalloc(n, sizeof *p->tasks);
  for (; p->n < n; p->n++)
    hd_task_copy(&p->tasks[p->n], &tasks[p->n]);
  if (launch(pool, p))
    return HD_OK;
  int e = errno;
  process_free(pool, p);
  return hd_fail(err, HD_E_IO, "a worker cannot be started: %s", strerror(e));
}

/* Returns the content of a file in memory, at most its last `most` bytes; NULL: it is empty. The
 * caller frees it. */
static char *read_back(int fd, size_t most, size_t *length)
{
  struct stat info;
  *length = 0;
  if (fstat(fd, &info) || info.st_size <= 0)
    return NULL;
  size_t size = (size_t)info.st_size, from = size > most ? size - most : 0;
  char *text = hd_xmalloc(size - from + 1);
  const ssize_t n = pread(fd, text, size - from, (off_t)from);
  if (n < 0)
    return free(text), NULL;
  text[n] = '\0';
  *length = (size_t)n;
  return text;
}

static void name_signature(const struct process *p, int how, char *text, size_t size)
{
  if (p->hung)
    snprintf(text, size, HD_TASK_HUNG);
  else if (WIFSIGNALED(how))
    snprintf(text, size, "ended by signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
  else
    snprintf(text, size, "ended with exit code %d", WEXITSTATUS(how));
}

/* Makes an outcome of the way in which the process died. */
static void make_death_outcome(const struct process *p, int how, struct hd_task_outcome *outcome)
{
  struct hd_text message = {0};
  char signature[64];
  size_t length;
  int status = HD_E_INTERNAL;
  char *printed = read_back(p->printed, PRINTED, &length);
  name_signature(p, how, signature, sizeof signature);
  if (p->user_code->is_over) { /* hd_memory_end ended it: the machine is the cause */
    status = HD_E_NOMEM;
    hd_text_add(&message, "the process that carried it out");
  } else if (hd_user_code_is_running(p->user_code) || p->user_code->end)
    status = hd_user_code_blame(p->user_code, &message);
  else
    hd_text_add(&message, "the process that carried it out");
  if (p->hung)
    hd_text_add(&message, ": %s within %.0f s", signature, hd_seconds_now() - p->started);
  else if (status == HD_E_INTERNAL || status == HD_E_NOMEM)
    hd_text_add(&message, ": %s", signature);
  else
    hd_user_code_add_wait_status(p->user_code, how, &message);
  if (printed)
    hd_text_add(&message, "; it printed: %s", printed);
  hd_task_outcome_fail(outcome, status, hd_text_chars(&message), signature);
  hd_text_fini(&message);
  free(printed);
}

/* Returns the next outcome of the process, with its task. */
static enum hd_worker_event next_outcome(struct pool *pool, struct process *p,
                                         struct hd_task_copy *copy, struct hd_task_outcome *outcome)
{
  char *line = p->at, *end = line ? strchr(line, '\n') : NULL;
  const bool alone = p->n == 1;
  const bool whole = end && hd_outcome_of_json(outcome, line, (size_t)(end - line));
  p->at = end ? end + 1 : NULL;
  *copy = p->tasks[p->next++];
  if (!whole && alone) {
    *outcome = (struct hd_task_outcome){0};
    make_death_outcome(p, p->wait_status, outcome);
  }
  if (whole || alone)
    outcome->seconds = p->seconds / p->n;
  if (p->next == p->n)
    process_free(pool, p);
  return whole || alone ? HD_WORKER_ENDED : HD_WORKER_AGAIN;
}

static void kill_process(const struct process *p)
{
  kill(-p->pid, SIGKILL); /* kills the processes that it started, too */
  kill(p->pid, SIGKILL);
}

static void pool_look_for_hung(struct pool *pool)
{
  for (uint32_t i = 0; pool->patience_seconds > 0 && i < pool->n; i++) {
    struct process *p = &pool->processes[i];
    if (p->busy && !p->hung && !p->ended &&
        hd_seconds_now() > p->started + p->n * pool->patience_seconds) {
      p->hung = true;
      kill_process(p);
    }
  }
}

/* Starts the tasks again, a few times, if their process was killed from outside, for example
 * because memory was short. Such a signal says nothing about the tasks. */
static bool start_again(struct pool *pool, struct process *p, int how)
{
  if (!WIFSIGNALED(how) || WTERMSIG(how) != SIGKILL || p->hung || p->kills == MOST_KILLS)
    return false;
  close(p->outcomes);
  close(p->printed);
  hd_user_code_destroy(p->user_code);
  p->kills++;
  return launch(pool, p); /* if this fails, the end of the killed process is the outcome */
}

static enum hd_worker_event pool_wait(struct pool *pool, int milliseconds,
                                      struct hd_task_copy *copy, struct hd_task_outcome *outcome)
{
  uint64_t slot;
  int how;
  size_t length;
  for (uint32_t i = 0; i < pool->n; i++)
    if (pool->processes[i].busy && pool->processes[i].ended)
      return next_outcome(pool, &pool->processes[i], copy, outcome);
  pool_look_for_hung(pool);
  if (!hd_processes_wait(&pool->running, milliseconds, &slot, &how))
    return HD_WORKER_NOTHING;
  struct process *p = &pool->processes[slot];
  if (start_again(pool, p, how))
    return HD_WORKER_NOTHING;
  p->ended = true;
  p->wait_status = how;
  p->seconds = hd_seconds_now() - p->started;
  p->answer = read_back(p->outcomes, (size_t)p->n * MOST_OUTCOMES, &length);
  p->at = WIFEXITED(how) && !WEXITSTATUS(how) ? p->answer : NULL;
  return next_outcome(pool, p, copy, outcome);
}

static void pool_kill(struct pool *pool)
{
  uint64_t slot;
  int how;
  for (uint32_t i = 0; i < pool->n; i++)
    if (pool->processes[i].busy && pool->processes[i].ended)
      process_free(pool, &pool->processes[i]);
    else if (pool->processes[i].busy)
      kill_process(&pool->processes[i]);
  while (pool->busy)
    if (hd_processes_wait(&pool->running, -1, &slot, &how))
      process_free(pool, &pool->processes[slot]);
}

static uint32_t cores(void)
{
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > HD_PROCESSES_MOST ? HD_PROCESSES_MOST : (uint32_t)n;
}

uint32_t hd_campaign_workers(const struct hd_campaign *c)
{
  const uint32_t n = c->workers ? c->workers : c->ranks ? 1 : cores();
  return n < HD_PROCESSES_MOST ? n : HD_PROCESSES_MOST;
}

static void pool_init(struct pool *pool, const struct hd_campaign *c)
{
  *pool = (struct pool){
      .plan = &c->plan, .patience_seconds = c->patience_seconds, .n = hd_campaign_workers(c)};
}

int hd_task_run(const struct hd_plan *plan, const struct hd_task *task, double patience_seconds,
                bool (*stop)(void *context), void *context, struct hd_task_outcome *outcome,
                struct hd_error *err)
{
  struct pool pool = {.plan = plan, .patience_seconds = patience_seconds, .n = 1};
  struct hd_task_copy copy = {.kind = NULL};
  bool ended = false;
  int status = pool_start(&pool, task, 1, err);
  while (!status && !ended)
    if (stop && stop(context))
      status = hd_fail(err, HD_E_INTERRUPTED, "interrupted");
    else
      ended = pool_wait(&pool, WAIT_MS, &copy, outcome) == HD_WORKER_ENDED;
  hd_task_copy_fini(&copy);
  pool_kill(&pool);
  return status;
}

/* ── ranks ─────────────────────────────────────────────────────────────────── */

static int message_send(struct hd_ranks *ranks, int to, char letter, const char *json)
{
  size_t length = json ? strlen(json) : 0;
  char *bytes = hd_xmalloc(length + 2);
  bytes[0] = letter;
  memcpy(bytes + 1, json ? json : "", length + 1);
  return hd_ranks_send(ranks, to, bytes, length + 1);
}

/* Rank 0's knowledge of another rank. */
struct rank {
  struct hd_task_copy task;
  double last_heard;
  bool busy, silent;
};

struct hd_workers {
  struct pool pool;
  struct hd_ranks *ranks;
  struct rank *rank; /* [ranks->number]; the first one is not used */
  double alive_sent; /* time of the last message that rank 0 is alive */
  double silence_seconds;
  const char *identity;
};

struct hd_workers *hd_workers_create(const struct hd_campaign *c)
{
  struct hd_workers *w = hd_xcalloc(1, sizeof *w);
  if (c->ranks)
    w->rank = hd_xcalloc((size_t)hd_ranks_number(c->ranks), sizeof *w->rank);
  pool_init(&w->pool, c);
  w->ranks = c->ranks;
  w->identity = c->identity;
  w->silence_seconds = hd_ranks_silence_seconds();
  for (int i = 1; w->ranks && i < hd_ranks_number(w->ranks); i++) {
    w->rank[i].last_heard = hd_seconds_now();
    w->rank[i].silent = true; /* until its first message */
  }
  return w;
}

void hd_workers_destroy(struct hd_workers *w)
{
  if (!w)
    return;
  pool_kill(&w->pool);
  if (w->ranks) /* the ranks wait while rank 0 writes its files */
    hd_ranks_stay_alive(w->ranks, NULL);
  for (int i = 1; w->ranks && i < hd_ranks_number(w->ranks); i++) {
    message_send(w->ranks, i, MESSAGE_QUIT, NULL);
    if (w->rank[i].task.kind)
      hd_task_copy_fini(&w->rank[i].task);
  }
  free(w->rank);
  free(w);
}

uint32_t hd_workers_number(const struct hd_workers *w)
{
  uint32_t n = w->pool.n;
  for (int i = 1; w->ranks && i < hd_ranks_number(w->ranks); i++)
    n += !w->rank[i].silent;
  return n;
}

uint32_t hd_workers_lost(const struct hd_workers *w)
{
  uint32_t n = 0;
  for (int i = 1; w->ranks && i < hd_ranks_number(w->ranks); i++)
    n += w->rank[i].silent && hd_seconds_now() > w->rank[i].last_heard + w->silence_seconds;
  return n;
}

uint64_t hd_workers_running(const struct hd_workers *w)
{
  uint64_t n = 0;
  for (uint32_t i = 0; i < w->pool.n; i++)
    if (w->pool.processes[i].busy)
      n += w->pool.processes[i].n - w->pool.processes[i].next;
  for (int i = 1; w->ranks && i < hd_ranks_number(w->ranks); i++)
    n += w->rank[i].busy;
  return n;
}

static int free_rank(const struct hd_workers *w)
{
  for (int i = 1; w->ranks && i < hd_ranks_number(w->ranks); i++)
    if (!w->rank[i].busy && !w->rank[i].silent)
      return i;
  return 0;
}

bool hd_workers_free(const struct hd_workers *w)
{
  return w->pool.busy < w->pool.n || free_rank(w);
}

uint32_t hd_workers_share(const struct hd_workers *w, uint64_t left)
{
  const struct hd_plan *plan = w->pool.plan;
  const uint32_t most = plan->run_tasks && !w->ranks ? plan->batch_size(plan->context) : 1;
  const uint32_t idle = w->pool.n - w->pool.busy;
  uint64_t share = left && idle ? (left + idle - 1) / idle : most;
  return share < most ? (uint32_t)share : most > 1 ? most : 1;
}

static int rank_start(struct hd_workers *w, int to, const struct hd_task *task,
                      struct hd_error *err)
{
  struct rank *rank = &w->rank[to];
  char *json = hd_task_json(task);
  int status = HD_OK;
  hd_task_copy(&rank->task, task);
  if (message_send(w->ranks, to, MESSAGE_TASK, json)) {
    status = hd_fail(err, HD_E_IO, "MPI: rank %d cannot be sent anything", to);
    hd_task_copy_fini(&rank->task);
  } else
    rank->busy = true;
  free(json);
  return status;
}

int hd_workers_start(struct hd_workers *w, const struct hd_task *tasks, uint32_t n,
                     struct hd_error *err)
{
  return w->pool.busy < w->pool.n ? pool_start(&w->pool, tasks, n, err)
                                  : rank_start(w, free_rank(w), tasks, err);
}

/* Evaluates a rank's message. An outcome is ignored if another rank has got the task in the
 * meantime. */
static enum hd_worker_event handle_rank_message(struct hd_workers *w, int from, const char *bytes,
                                                size_t length, struct hd_task_copy *copy,
                                                struct hd_task_outcome *outcome)
{
  struct rank *rank = &w->rank[from];
  rank->last_heard = hd_seconds_now();
  rank->silent = false;
  if (!length || bytes[0] != MESSAGE_OUTCOME || !rank->busy)
    return HD_WORKER_NOTHING;
  char *end = NULL;
  unsigned long long order = strtoull(bytes + 1, &end, 10);
  if (!end || *end != ' ' || order != rank->task.task.order)
    return HD_WORKER_NOTHING;
  *copy = rank->task;
  rank->task = (struct hd_task_copy){0};
  rank->busy = false;
  if (hd_outcome_of_json(outcome, end + 1, length - (size_t)(end + 1 - bytes)))
    return HD_WORKER_ENDED;
  return HD_WORKER_AGAIN;
}

/* Finds a rank that has been silent for too long and has a task; gives the task in *copy. */
static bool take_task_of_silent_rank(struct hd_workers *w, struct hd_task_copy *copy)
{
  for (int i = 1; i < hd_ranks_number(w->ranks); i++) {
    struct rank *rank = &w->rank[i];
    if (hd_seconds_now() <= rank->last_heard + w->silence_seconds)
      continue;
    rank->silent = true;
    hd_ranks_lose(w->ranks);
    if (!rank->busy)
      continue;
    rank->busy = false;
    *copy = rank->task;
    rank->task = (struct hd_task_copy){0};
    return true;
  }
  return false;
}

static enum hd_worker_event poll_ranks(struct hd_workers *w, struct hd_task_copy *copy,
                                       struct hd_task_outcome *outcome)
{
  char *bytes;
  size_t length;
  int from;
  bool is_due = hd_seconds_now() > w->alive_sent + alive_seconds;
  if (is_due)
    w->alive_sent = hd_seconds_now();
  for (int i = 1; is_due && i < hd_ranks_number(w->ranks); i++)
    if (!w->rank[i].silent)
      message_send(w->ranks, i, MESSAGE_ALIVE, NULL);
  while (hd_ranks_receive(w->ranks, &from, &bytes, &length) == 1) {
    enum hd_worker_event event = handle_rank_message(w, from, bytes, length, copy, outcome);
    free(bytes);
    if (event)
      return event;
  }
  return take_task_of_silent_rank(w, copy) ? HD_WORKER_AGAIN : HD_WORKER_NOTHING;
}

static void pause_ms(int milliseconds)
{
  nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000L}, NULL);
}

enum hd_worker_event hd_workers_wait(struct hd_workers *w, int milliseconds,
                                     struct hd_task_copy *copy, struct hd_task_outcome *outcome)
{
  if (!w->ranks)
    return pool_wait(&w->pool, milliseconds, copy, outcome);
  for (double until = hd_seconds_now() + milliseconds / 1e3; hd_seconds_now() < until;) {
    enum hd_worker_event event = poll_ranks(w, copy, outcome);
    if (event)
      return event;
    if (!w->pool.busy)
      pause_ms(POLL_MS);
    else
      event = pool_wait(&w->pool, POLL_MS, copy, outcome);
    if (event)
      return event;
  }
  return HD_WORKER_NOTHING;
}

/* ── in other ranks ────────────────────────────────────────────────────────── */

static int send_outcome(struct hd_ranks *ranks, const struct hd_task_copy *copy,
                        const struct hd_task_outcome *outcome)
{
  char *json = hd_outcome_json(outcome);
  struct hd_text text = {0};
  hd_text_add(&text, "%llu %s", (unsigned long long)copy->task.order, json);
  const int failed = message_send(ranks, 0, MESSAGE_OUTCOME, text.chars);
  hd_text_fini(&text);
  free(json);
  return failed;
}

/* Follows a message of rank 0. Returns 1 to go on, 0 to end, or a status. */
static int follow_rank_0(struct hd_ranks *ranks, struct pool *pool, double *last_heard,
                         struct hd_error *err)
{
  char *bytes;
  size_t length;
  int from, got = hd_ranks_receive(ranks, &from, &bytes, &length), status = 1;
  if (got < 0)
    return hd_fail(err, HD_E_IO, "MPI: no message of rank 0 can be received any more");
  if (!got && hd_seconds_now() > *last_heard + hd_ranks_silence_seconds()) {
    hd_ranks_lose(ranks);
    return hd_fail(err, HD_E_IO, "MPI: rank 0 does not answer any more");
  }
  if (!got)
    return 1;
  *last_heard = hd_seconds_now();
  struct hd_task_copy copy;
  if ((length && bytes[0] == MESSAGE_QUIT) || hd_ranks_over(ranks))
    status = 0;
  else if (length && bytes[0] == MESSAGE_TASK && hd_task_of_json(&copy, bytes + 1, length - 1)) {
    int started = pool_start(pool, &copy.task, 1, err);
    hd_task_copy_fini(&copy);
    status = started ? started : 1;
  }
  free(bytes);
  return status;
}

int hd_ranks_serve(struct hd_ranks *ranks, const struct hd_campaign *c, struct hd_error *err)
{
  struct pool pool;
  double alive_sent = 0, last_heard = hd_seconds_now();
  int going = 1;
  pool_init(&pool, c);
  pool.n = HD_PROCESSES_MOST; /* a task that was handed out twice may still run here */
  while (going == 1) {
    struct hd_task_copy copy;
    struct hd_task_outcome outcome;
    if (hd_seconds_now() > alive_sent + alive_seconds) {
      alive_sent = hd_seconds_now();
      if (message_send(ranks, 0, MESSAGE_ALIVE, NULL))
        going = hd_fail(err, HD_E_IO, "MPI: rank 0 cannot be reached any more");
    }
    if (going == 1)
      going = follow_rank_0(ranks, &pool, &last_heard, err);
    if (!pool.busy)
      pause_ms(POLL_MS);
    else if (pool_wait(&pool, POLL_MS, &copy, &outcome) == HD_WORKER_ENDED) {
      if (send_outcome(ranks, &copy, &outcome))
        going = hd_fail(err, HD_E_IO, "MPI: rank 0 cannot be reached any more");
      hd_task_copy_fini(&copy);
      hd_task_outcome_fini(&outcome);
    }
  }
  pool_kill(&pool);
  return going;
}
