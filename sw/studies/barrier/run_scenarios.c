/* Runs in processes of their own, each kept under a hash of all that it depends on.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A task's number is a hash of its text, so that figures, seeds and quick runs share what was carried out.
 * Runs depend on Heddle and the RTL, too: others have a directory of their own below DIRECTORY.
 */
#include "reproduce.h"

#include "../../../bridge/host/file.h"
#include "../../../bridge/host/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_BUDGET = 4, EXIT_DEADLOCK = 5, EXIT_SOFTWARE = 8 };

struct carrier {
  struct rep_book *book;
  const struct rep_execution *how;
  uint64_t built_from;         /* hash of command and RTL */
  struct hd_processes running; /* tasks: cell and seed */
  uint32_t wanted, found, ended;
  double work, work_ended; /* as work_of has it, without what was found */
  bool killed, terminal;
  struct timespec begin, shown;
};

/* How long a run takes, roughly, in any unit: for the time left. RTL has to be built. */
static double work_of(const struct rep_config *c)
{
  double network = (double)c->switches * c->switches;
  return network * (c->load_permille ? 10 : 1) * (c->rtl ? 50 : 1);
}

static double seconds_since(const struct timespec *t)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - t->tv_sec) + 1e-9 * (double)(now.tv_nsec - t->tv_nsec);
}

/* ── what a run depends on ─────────────────────────────────────────────────── */

static int hash_file(const char *path, uint64_t *hash, struct hd_error *err)
{
  char *bytes;
  size_t length;
  int status = hd_file_read(path, &bytes, &length, err);
  if (status)
    return status;
  *hash = hd_hash_bytes(bytes, length, *hash);
  free(bytes);
  return 0;
}

static int hash_tools(struct carrier *pool, struct hd_error *err)
{
  char pattern[REP_PATH];
  glob_t found;
  int status = hash_file(pool->how->heddle, &pool->built_from, err);
  snprintf(pattern, sizeof pattern, "%s/*.v", pool->how->rtl_dir);
  if (status)
    return status;
  if (glob(pattern, 0, NULL, &found))
    return hd_fail(err, HD_E_IO, "%s: there is none", pattern);
  for (size_t i = 0; !status && i < found.gl_pathc; i++)
    status = hash_file(found.gl_pathv[i], &pool->built_from, err);
  globfree(&found);
  return status;
}

static void path_of(const struct carrier *pool, const char *key, const char *rest,
                    char out[REP_PATH])
{
  snprintf(out, REP_PATH, "%s/%s%s", pool->how->directory, key, rest);
}

/* ── what came out ─────────────────────────────────────────────────────────── */

static int read_statistics(const char *path, struct rep_outcome *o, struct hd_error *err)
{
  char *text, *rest = NULL;
  size_t length;
  uint32_t first = 0, later = 0;
  double later_sum = 0;
  int status = hd_file_read(path, &text, &length, err);
  if (status)
    return status;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    double value;
    if (sscanf(line, "\"first barriers\",%*u,%lf", &value) == 1) {
      o->first = value;
      first++;
    } else if (sscanf(line, "\"later barriers\",%*u,%lf", &value) == 1) {
      later_sum += value;
      later++;
      o->most = value > o->most ? value : o->most;
    }
  }
  free(text);
  if (first != 1 || !later)
    return hd_fail(err, HD_E_TOOL, "%s: %" PRIu32 " first and %" PRIu32 " later barriers", path,
                   first, later);
  o->later = later_sum / later;
  return 0;
}

/* What a run that has a code left behind. *there is false where none was carried out. */
static int read_outcome(const struct carrier *pool, struct rep_outcome *o, bool *there,
                        struct hd_error *err)
{
  char path[REP_PATH], *text;
  size_t length;
  path_of(pool, o->key, "/code", path);
  *there = !access(path, R_OK);
  if (!*there)
    return 0;
  int status = hd_file_read(path, &text, &length, err);
  if (status)
    return status;
  o->code = atoi(text);
  free(text);
  o->finished = o->code == 0;
  path_of(pool, o->key, "/statistics.csv", path);
  if (o->finished)
    status = read_statistics(path, o, err);
  o->done = !status;
  return status;
}

/* Barriers that do not end are a result; everything else that goes wrong is none. */
static bool is_result(int code)
{
  return code == 0 || code == EXIT_BUDGET || code == EXIT_DEADLOCK || code == EXIT_SOFTWARE;
}

static int end_job(struct carrier *pool, uint64_t task, int wait_status, struct hd_error *err)
{
  struct rep_cell *cell = &pool->book->cells[task / pool->book->seeds];
  struct rep_outcome *o = &cell->outcomes[task % pool->book->seeds];
  char path[REP_PATH], code[16];
  bool there;
  if (*pool->how->stop)
    return 0;
  int exit_code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
  if (!is_result(exit_code))
    return hd_fail(err, HD_E_TOOL, "%s run %s/%s.yaml ended with exit code %d; see %s/%s.log",
                   pool->how->heddle, pool->how->directory, o->key, exit_code, pool->how->directory,
                   o->key);
  path_of(pool, o->key, "/run.db", path); /* large, and nobody's question here */
  unlink(path);
  path_of(pool, o->key, "/code", path);
  snprintf(code, sizeof code, "%d\n", exit_code);
  int status = hd_file_write(path, code, strlen(code), err);
  if (!status)
    status = read_outcome(pool, o, &there, err);
  pool->ended++;
  pool->work_ended += work_of(&cell->config);
  return status;
}

/* ── carrying out ──────────────────────────────────────────────────────────── */

/* In the child. */
_Noreturn static void run_heddle(const char *heddle, const char *yaml, const char *out,
                                 const char *log)
{
  int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd >= 0 && dup2(fd, 1) == 1 && dup2(fd, 2) == 2)
    execl(heddle, heddle, "run", yaml, "--out", out, (char *)NULL);
  _exit(127);
}

static int start_job(struct carrier *pool, uint32_t cell, uint32_t seed, struct hd_error *err)
{
  const struct rep_outcome *o = &pool->book->cells[cell].outcomes[seed];
  char yaml[REP_PATH], out[REP_PATH], log[REP_PATH];
  struct hd_text text = {0};
  path_of(pool, o->key, ".yaml", yaml);
  path_of(pool, o->key, "", out);
  path_of(pool, o->key, ".log", log);
  rep_scenario(&pool->book->cells[cell].config, seed + 1, &text);
  int status = hd_file_write(yaml, hd_text_chars(&text), text.length, err);
  hd_text_fini(&text);
  if (!status)
    status = hd_tree_remove(out, err);
  if (status)
    return status;
  pid_t pid = hd_processes_start(&pool->running, (uint64_t)cell * pool->book->seeds + seed);
  if (pid == 0)
    run_heddle(pool->how->heddle, yaml, out, log);
  return pid < 0 ? hd_fail(err, HD_E_IO, "fork: %s", strerror(errno)) : 0;
}

static void show(struct carrier *pool, bool last)
{
  if (!last && seconds_since(&pool->shown) < (pool->terminal ? 0.5 : 10))
    return;
  clock_gettime(CLOCK_MONOTONIC, &pool->shown);
  double seconds = seconds_since(&pool->begin);
  fprintf(stderr, "%sreproduce: %" PRIu32 " of %" PRIu32 " runs", pool->terminal ? "\r" : "",
          pool->found + pool->ended, pool->wanted);
  if (pool->found)
    fprintf(stderr, " (%" PRIu32 " from before)", pool->found);
  fprintf(stderr, ", %.0f s, %.1f runs/s", seconds, pool->ended / (seconds + 1e-9));
  if (pool->work_ended > 0 && pool->work_ended < pool->work)
    fprintf(stderr, ", about %.0f s left", seconds * (pool->work / pool->work_ended - 1));
  fputs(pool->terminal && !last ? "   " : "\n", stderr);
}

/* Waits up to a second, so that a long run's time is seen to pass, too. */
static int wait_for_one(struct carrier *pool, struct hd_error *err)
{
  uint64_t task;
  int wait_status;
  if (*pool->how->stop && !pool->killed) {
    pool->killed = true;
    hd_processes_signal(&pool->running, SIGINT);
  }
  return hd_processes_wait(&pool->running, 1000, &task, &wait_status)
             ? end_job(pool, task, wait_status, err)
             : 0;
}

/* Looks up which runs were carried out before. */
static int look_up(struct carrier *pool, struct hd_error *err)
{
  int status = 0;
  for (uint32_t i = 0; !status && i < pool->book->n; i++)
    for (uint32_t s = 0; !status && s < pool->book->seeds; s++) {
      struct rep_outcome *o = &pool->book->cells[i].outcomes[s];
      struct hd_text text = {0};
      bool there;
      rep_scenario(&pool->book->cells[i].config, s + 1, &text);
      snprintf(o->key, sizeof o->key, "%016" PRIx64,
               hd_hash_bytes(hd_text_chars(&text), text.length, pool->built_from));
      hd_text_fini(&text);
      status = read_outcome(pool, o, &there, err);
      pool->wanted++;
      pool->found += o->done;
      pool->work += o->done ? 0 : work_of(&pool->book->cells[i].config);
    }
  return status;
}

int rep_run_scenarios(struct rep_book *book, const struct rep_execution *how, struct hd_error *err)
{
  struct carrier pool = {.book = book, .how = how, .terminal = isatty(2)};
  uint32_t jobs = how->jobs < HD_PROCESSES_MOST ? how->jobs : HD_PROCESSES_MOST, cell = 0, seed = 0;
  int status = hash_tools(&pool, err);
  if (!status)
    status = look_up(&pool, err);
  clock_gettime(CLOCK_MONOTONIC, &pool.begin);
  pool.shown = pool.begin;
  while (pool.running.n || (!status && !*how->stop && cell < book->n)) {
    if (status || *how->stop || cell == book->n || pool.running.n == jobs) {
      struct hd_error later = {""}; /* the first one counts */
      int ended = wait_for_one(&pool, status ? &later : err);
      status = status ? status : ended;
      show(&pool, false);
      continue;
    }
    if (!book->cells[cell].outcomes[seed].done)
      status = start_job(&pool, cell, seed, err);
    if (++cell == book->n && seed + 1 < book->seeds) { /* every point first, then more seeds */
      cell = 0;
      seed++;
    }
  }
  show(&pool, true);
  return !status && *how->stop ? hd_fail(err, HD_E_INTERRUPTED, "interrupted") : status;
}
