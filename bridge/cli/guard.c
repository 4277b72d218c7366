/* Runs a command with users' code in a child process, and watches it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Endpoint software and backends may crash, loop, end or stop the process that they run in. The
 * parent process passes signals on, ends a child that does not end, says who is to blame, and
 * closes the run database.
 */
#include "cli.h"
#include "guard.h"

#include "../host/clock.h"
#include "../host/memory.h"
#include "../host/processes.h"
#include "../host/user_code.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* After a signal, a call of users' code may last this long. A supervisor that writes results may
 * take longer. */
static const double patience_seconds = 4.8, writing_seconds = 30;
/* Users' code has stopped a process that stays stopped for longer. Ctrl-Z stops the parent
 * process, too. */
static const double stopped_seconds = 1;

static struct hd_user_code *code_of_command;

struct watch {
  struct hd_user_code *code;
  pid_t pid;
  struct hd_spared spared;
  sigset_t signals;
  int last_signal; /* the signal that was passed on; 0: none */
  double heard,    /* seconds: time of the first signal; 0: none yet */
      asked,       /* time of the signal, or of the last end of a call after it */
      ended;       /* time at which users' code ended the process; 0: not yet */
  double stopped;  /* time since which the process is stopped; 0: it runs */
  int stopped_status;
  uint64_t calls; /* count of calls at the last look */
  int spare_output, spare_error;
  bool is_hurried; /* true after a second signal: leaves out the page, which takes long */
};

/* Tests for a debugger, which follows the process that it has started. */
static bool is_traced(void)
{
  char line[128];
  int tracer = 0;
  FILE *status = fopen("/proc/self/status", "re");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "TracerPid: %d", &tracer) == 1)
      break;
  if (status)
    fclose(status);
  return tracer;
}

/* Returns a number that grows with each begin and end of a call. */
static uint64_t count_calls(const struct hd_user_code *code)
{
  uint64_t n = code->software.number;
  for (unsigned i = 0; i < HD_USER_THREADS; i++)
    n += code->backend[i].number;
  return n;
}

static bool has_reports(const char *directory)
{
  struct hd_text path = {0};
  hd_text_add(&path, "%s/results.xml", directory);
  const bool has = !access(hd_text_chars(&path), F_OK);
  hd_text_fini(&path);
  return has;
}

/* Closes the databases that the process left open, and writes the reports that are missing. */
static void close_runs(const struct watch *w, int status, const char *message)
{
  const struct hd_user_code *code = w->code;
  for (uint32_t i = 0; i < code->n_directories && i < HD_USER_RUNS; i++) {
    const char *directory = code->directories[i];
    struct hd_error err = {""};
    if (!*directory)
      continue;
    if (code->is_over && has_reports(directory))
      hd_rundb_close_orphaned(directory, hd_run_status_name(status), message, NULL);
    else if (hd_run_close_for_dead(directory, status, message, !code->no_page && !w->is_hurried,
                                   &err) &&
             !code->is_over)
      hd_cli_fail(HD_E_IO, &err);
  }
}

/* Reports that users' code has ended the process, or has not returned and is given up. `how`:
 * status of waitpid. */
static int blame(const struct watch *w, int how, bool is_given_up)
{
  struct hd_text text = {0};
  struct hd_error err = {""};
  int status = hd_user_code_blame(w->code, &text);
  if (is_given_up && !w->code->end && !w->stopped_status) {
    hd_text_add(&text, " has not come back for %.0f s and is given up",
                hd_seconds_now() - w->asked);
    status = HD_E_INTERRUPTED;
  } else
    hd_user_code_add_wait_status(w->code, w->stopped_status ? w->stopped_status : how, &text);
  hd_fail(&err, status, "%s%s", status == HD_E_INTERRUPTED ? "interrupted; " : "",
          hd_text_chars(&text));
  hd_text_fini(&text);
  int exit_code = hd_cli_fail(status, &err);
  close_runs(w, status, err.text);
  return exit_code;
}

/* Ends this process by the signal that ended the command. */
static int end_by(const struct watch *w, int number, const char *message)
{
  close_runs(w, HD_E_INTERRUPTED, message);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  signal(number, SIG_DFL);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
  return 128 + number;
}

/* Ends after a second signal: the user does not want to wait. */
static int end_at_once(struct watch *w, int number)
{
  struct hd_error err = {""};
  struct hd_text text = {0};
  if (hd_user_code_is_running(w->code)) {
    hd_text_add(&text, "; ");
    hd_user_code_blame(w->code, &text);
    hd_text_add(&text, " had not come back");
  }
  hd_fail(&err, HD_E_INTERRUPTED, "interrupted; a second signal (%s) ended it at once%s",
          strsignal(number), hd_text_chars(&text));
  hd_text_fini(&text);
  hd_cli_fail(HD_E_INTERRUPTED, &err);
  w->is_hurried = true;
  return end_by(w, number, err.text);
}

static int report_end(const struct watch *w, int how)
{
  const struct hd_user_code *code = w->code;
  if (code->is_over) {
    const int status = code->code == HD_MEMORY_EXIT ? HD_E_NOMEM : HD_E_IO;
    if (code->failure[0] && !code->was_said) {
      struct hd_error err = {""};
      hd_fail(&err, status, "%s", code->failure);
      hd_cli_fail(status, &err);
    }
    close_runs(w, status,
               code->failure[0] ? code->failure
                                : "the run database could not be written to its end");
    return hd_cli_close_output(code->code);
  }
  const bool is_users =
      hd_user_code_is_running(code) || code->end || code->program[0] || code->dut[0];
  if (WIFEXITED(how) && !is_users)
    return WEXITSTATUS(how);
  /* With `heddle run | head`, SIGPIPE ends Heddle without a message, but not if users' code
   * runs. */
  const bool is_heddles_pipe = WTERMSIG(how) == SIGPIPE && !hd_user_code_is_running(code);
  if (WIFSIGNALED(how) && !code->end && (WTERMSIG(how) == w->last_signal || is_heddles_pipe))
    return end_by(w, WTERMSIG(how), "interrupted");
  return blame(w, how, false);
}

/* ── watching ──────────────────────────────────────────────────────────────── */

/* Prints output that the process wrote after users' code had closed or replaced its standard
 * streams. */
static void print_spare(int spare, FILE *stream)
{
  char bytes[4096];
  off_t at = 0;
  for (ssize_t n; spare >= 0 && (n = pread(spare, bytes, sizeof bytes, at)) > 0; at += n)
    fwrite(bytes, 1, (size_t)n, stream);
  fflush(stream);
}

/* Called when the process has ended. Ends processes that it has left running. */
static void follow_end(struct watch *w)
{
  print_spare(w->spare_output, stdout);
  print_spare(w->spare_error, stderr);
  const unsigned n = w->code->keeps_processes ? 0 : hd_processes_end_adopted(&w->spared);
  if (n)
    fprintf(stderr, "heddle: ended %s that the command had left behind\n",
            hd_count(n, "process").text);
}

static void end_process(struct watch *w)
{
  kill(w->pid, SIGKILL);
  waitpid(w->pid, NULL, 0);
  follow_end(w);
}

static void hear_signal(struct watch *w, int number)
{
  if (w->last_signal && hd_seconds_now() - w->heard < 1e-3 * HD_CLI_SAME_SIGNAL_MS)
    return;
  if (w->last_signal) {
    end_process(w);
    exit(end_at_once(w, number));
  }
  w->last_signal = number;
  w->heard = w->asked = hd_seconds_now();
  w->calls = count_calls(w->code);
  w->code->is_stopped = true;
  kill(w->pid, number);
}

/* Tests whether users' code has used up its time. */
static bool is_stuck(struct watch *w)
{
  const struct hd_user_code *code = w->code;
  if (code->is_over)
    return false;
  if (code->end && !w->ended)
    w->ended = hd_seconds_now();
  if (w->ended)
    return hd_seconds_now() >
           w->ended + (code->is_being_given_up ? writing_seconds : patience_seconds);
  if (w->stopped)
    return hd_seconds_now() > w->stopped + stopped_seconds && hd_user_code_is_running(code);
  if (!w->asked)
    return false;
  const uint64_t calls = count_calls(code);
  const bool same = calls == w->calls && hd_user_code_is_running(code);
  w->calls = calls;
  if (!same)
    w->asked = hd_seconds_now();
  return hd_seconds_now() >
         w->asked + (code->is_being_given_up ? writing_seconds : patience_seconds);
}

static int watch(struct watch *w)
{
  const struct timespec step = {.tv_nsec = 250000000};
  for (;;) {
    int how, number = sigtimedwait(&w->signals, NULL, &step);
    if (number > 0 && number != SIGCHLD)
      hear_signal(w, number);
    pid_t ended = waitpid(w->pid, &how, WNOHANG | WUNTRACED | WCONTINUED);
    if (ended < 0 && errno != EINTR)
      return HD_EXIT_INTERNAL;
    if (ended > 0 && WIFSTOPPED(how)) {
      w->stopped = hd_seconds_now();
      w->stopped_status = how;
    } else if (ended > 0 && WIFCONTINUED(how)) {
      w->stopped = 0;
      w->stopped_status = 0;
    } else if (ended > 0) {
      follow_end(w);
      return report_end(w, how);
    }
    if (!is_stuck(w))
      continue;
    end_process(w);
    return blame(w, 0, true);
  }
}

static void choose_signals(sigset_t *signals)
{
  struct sigaction hangup;
  sigemptyset(signals);
  sigaddset(signals, SIGINT);
  sigaddset(signals, SIGTERM);
  sigaddset(signals, SIGCHLD);
  if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN) /* as with nohup */
    sigaddset(signals, SIGHUP);
}

int hd_cli_forbid_exit(int (*command)(int argc, char **argv), int argc, char **argv)
{
  struct watch w = {0};
  sigset_t before;
  pid_t parent = getpid();
  if (is_traced())
    return hd_cli_close_output(command(argc, argv));
  w.code = hd_user_code_create();
  hd_user_code_keep_streams(w.code);
  w.spare_output = w.code->spare_output; /* a copy, since the child may overwrite the record */
  w.spare_error = w.code->spare_error;
  hd_processes_adopt(&w.spared);
  choose_signals(&w.signals);
  sigprocmask(SIG_BLOCK, &w.signals, &before);
  w.pid = fork();
  if (w.pid > 0)
    return watch(&w);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (!w.pid) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(HD_EXIT_INTERRUPTED);
    hd_user_code_catch(w.code);
    code_of_command = w.code;
  }
  return hd_cli_end(hd_cli_close_output(command(argc, argv)));
}

bool hd_cli_is_told_to_stop(void)
{
  return code_of_command && code_of_command->is_stopped;
}

bool hd_cli_is_guarded(void)
{
  return code_of_command;
}

int hd_cli_end(int code)
{
  if (code_of_command) {
    code_of_command->code = code;
    code_of_command->is_over = true;
  }
  return code;
}

void hd_cli_restore_streams(void)
{
  if (code_of_command)
    hd_user_code_restore_streams(code_of_command);
}

void hd_cli_note_failure(const char *text, bool was_said)
{
  if (!code_of_command)
    return;
  snprintf(code_of_command->failure, sizeof code_of_command->failure, "%s", text);
  code_of_command->was_said = was_said;
}

void hd_cli_become_tool(void)
{
  if (!code_of_command)
    return;
  code_of_command->keeps_processes = true;
  code_of_command->program[0] = code_of_command->dut[0] = '\0';
}
