/* Scenarios and builds in processes of their own: a crash or a hang is a result like others.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The parent has one thread and opens all backends, so a fork is cheap and safe.
 */
#include "soak.h"

#include "../../bridge/host/processes.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double patience_seconds = 120; /* a scenario takes less than a second */

double soak_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *soak_outcome_name(enum soak_outcome outcome)
{
  static const char *const names[SOAK_OUTCOMES] = {"agreed",
                                                   "refused by the deadlock rule",
                                                   "RTL and model differ",
                                                   "runs differ",
                                                   "packets damaged or lost",
                                                   "stuck",
                                                   "not carried out",
                                                   "crashed",
                                                   "hung",
                                                   "stopped"};
  return names[outcome];
}

/* ── backends ──────────────────────────────────────────────────────────────── */

struct opened {
  struct hd_switch_params params;
  struct hd_backend backend;
  struct opened *next;
};
static struct opened *all_opened;

const struct hd_dut_ops *soak_backend(const struct soak_common *common,
                                      const struct hd_switch_params *params, struct hd_error *err)
{
  for (struct opened *o = all_opened; o; o = o->next)
    if (!memcmp(&o->params, params, sizeof *params))
      return o->backend.ops;
  struct opened *o = calloc(1, sizeof *o);
  struct hd_backend_options options = {
      .rtl_dir = common->rtl_dir, .cache_dir = common->cache_dir, .quick = true};
  if (!o || hd_backend_open(&o->backend, "verilator", params, &options, err)) {
    free(o);
    return NULL;
  }
  o->params = *params;
  o->next = all_opened;
  all_opened = o;
  return o->backend.ops;
}

void soak_backends_close(void)
{
  while (all_opened) {
    struct opened *o = all_opened;
    all_opened = o->next;
    hd_backend_close(&o->backend);
    free(o);
  }
}

static void show_build(uint32_t ready, uint32_t n_sets, double since)
{
  fprintf(stderr, "soak: switches built: %" PRIu32 "/%" PRIu32 ", %.0f s\n", ready, n_sets,
          soak_now() - since);
}

int soak_build(const struct soak_common *common, const struct hd_switch_params *sets,
               uint32_t n_sets, uint32_t workers, struct hd_error *err)
{
  struct hd_processes builds = {0};
  uint32_t started = 0, ready = 0;
  double since = soak_now();
  int status = 0;
  while (builds.n || (!status && started < n_sets)) {
    if (!status && started < n_sets && builds.n < workers) {
      pid_t pid = hd_processes_start(&builds, started);
      if (pid == 0) {
        struct hd_error own = {""};
        bool built = soak_backend(common, &sets[started], &own);
        soak_backends_close();
        if (!built)
          fprintf(stderr, "soak: %s\n", own.text);
        _exit(!built);
      }
      if (pid < 0)
        status = hd_fail(err, HD_E_IO, "fork: %s", strerror(errno));
      started += pid > 0;
      continue;
    }
    uint64_t set;
    int code;
    bool ended = hd_processes_wait(&builds, -1, &set, &code);
    if (soak_stopped())
      status = hd_fail(err, HD_E_INTERRUPTED, "interrupted");
    if (!ended)
      continue;
    ready++;
    if (!status && (!WIFEXITED(code) || WEXITSTATUS(code)))
      status = hd_fail(err, HD_E_TOOL, "the RTL of a parameter set could not be built");
    if (!status && (ready % 4 == 0 || ready == n_sets))
      show_build(ready, n_sets, since);
  }
  for (uint32_t i = 0; !status && i < n_sets; i++)
    if (!soak_backend(common, &sets[i], err))
      status = HD_E_TOOL;
  return status;
}

/* ── scenarios ─────────────────────────────────────────────────────────────── */

static void job_name(const struct soak_case *c, char name[64])
{
  snprintf(name, 64, "soak-%" PRIu32, c->index);
}

/* In the child. Leaves by exit(), so that a leak checker sees the end. */
static void run_here(const struct soak_job *job, const struct soak_common *common,
                     const struct hd_dut_ops *ops, int out)
{
  struct soak_result result;
  struct hd_error err = {""};
  char name[64], yaml[SOAK_PATH];
  signal(SIGINT, SIG_IGN);
  job_name(&job->c, name);
  if (soak_write(&job->c, common->directory, name, yaml, &err)) {
    result = (struct soak_result){.outcome = SOAK_BROKEN, .status = HD_E_IO};
    snprintf(result.message, sizeof result.message, "%.*s", 700, err.text);
  } else {
    soak_run_scenario(yaml, ops, job->every_variant, common, &result);
  }
  bool written = write(out, &result, sizeof result) == (ssize_t)sizeof result;
  soak_unlink(common->directory, name);
  exit(!written);
}

int soak_job_start(struct soak_job *job, const struct soak_common *common, struct hd_error *err)
{
  int ends[2];
  const struct hd_dut_ops *ops = soak_backend(common, &job->c.sw, err);
  if (!ops)
    return HD_E_TOOL;
  if (pipe(ends))
    return hd_fail(err, HD_E_IO, "pipe: %s", strerror(errno));
  fflush(NULL);
  job->started = soak_now();
  job->pid = fork();
  if (job->pid == 0) {
    close(ends[0]);
    run_here(job, common, ops, ends[1]);
  }
  close(ends[1]);
  if (job->pid < 0) {
    close(ends[0]);
    job->pid = 0;
    return hd_fail(err, HD_E_IO, "fork: %s", strerror(errno));
  }
  job->pipe = ends[0];
  return 0;
}

static void job_end(struct soak_job *job, struct soak_result *result)
{
  int code = 0;
  bool complete = read(job->pipe, result, sizeof *result) == (ssize_t)sizeof *result;
  close(job->pipe);
  while (waitpid(job->pid, &code, 0) < 0 && errno == EINTR)
    ;
  job->pid = 0;
  if (complete && WIFEXITED(code) && WEXITSTATUS(code) == 0)
    return;
  *result = (struct soak_result){.outcome = SOAK_CRASHED, .status = HD_E_INTERNAL};
  snprintf(result->message, sizeof result->message, "the process ended with %s %d",
           WIFSIGNALED(code) ? "signal" : "code",
           WIFSIGNALED(code) ? WTERMSIG(code) : WEXITSTATUS(code));
}

int soak_job_wait(struct soak_job *jobs, uint32_t n, int milliseconds, struct soak_result *result)
{
  struct pollfd fds[64];
  uint32_t which[64];
  nfds_t used = 0;
  for (uint32_t i = 0; i < n; i++)
    if (jobs[i].pid) {
      which[used] = i;
      fds[used++] = (struct pollfd){.fd = jobs[i].pipe, .events = POLLIN};
    }
  if (poll(fds, used, milliseconds) < 0)
    return -1;
  for (nfds_t i = 0; i < used; i++)
    if (fds[i].revents) {
      job_end(&jobs[which[i]], result);
      return (int)which[i];
    }
  for (uint32_t i = 0; i < n; i++)
    if (jobs[i].pid && soak_now() > jobs[i].started + patience_seconds) {
      kill(jobs[i].pid, SIGKILL);
      job_end(&jobs[i], result);
      result->outcome = SOAK_HUNG;
      snprintf(result->message, sizeof result->message, "no end within %.0f s", patience_seconds);
      return (int)i;
    }
  return -1;
}

void soak_jobs_kill(struct soak_job *jobs, uint32_t n)
{
  struct soak_result result;
  for (uint32_t i = 0; i < n; i++)
    if (jobs[i].pid) {
      kill(jobs[i].pid, SIGKILL);
      job_end(&jobs[i], &result);
    }
}
