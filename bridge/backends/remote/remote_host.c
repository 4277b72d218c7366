/* heddle's side of a simulator in processes of its own (remote.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote_host.h"

#include "../rtl/rtl_log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ── output and end of the simulator ────────────────────────────────────────── */

/* Bytes of a simulator's output that memory keeps, at most. */
enum { MOST_PRINTED = 64 << 20 };

/* Ends the simulator. By SIGTERM the first process ends all others before itself; it can do so
 * after its first answer. */
static void end_all(const struct hd_remote *r)
{
  kill(r->pid, r->head && atomic_load(&r->head->ready) ? SIGTERM : SIGKILL);
}

static off_t log_bytes(const struct hd_remote *r)
{
  return lseek(r->log, 0, SEEK_END);
}

/* Gets the last lines that the simulator has printed, after a colon. "": it has printed nothing. */
static void log_end(const struct hd_remote *r, char *text, size_t size)
{
  off_t length = log_bytes(r);
  off_t from = length > 400 ? length - 400 : 0;
  snprintf(text, size, ":\n");
  ssize_t n = pread(r->log, text + 2, size - 3, from);
  while (n > 0 && (text[n + 1] == '\n' || text[n + 1] == ' '))
    n--;
  text[n > 0 ? n + 2 : 0] = '\0';
}

void hd_remote_keep_printed(struct hd_remote *r)
{
  char bytes[4096];
  ssize_t n;
  const char *path = getenv(HD_RTL_LOG);
  if (r->log < 0)
    return;
  pthread_mutex_lock(&r->keeping);
  FILE *file = path && log_bytes(r) > (off_t)r->kept ? fopen(path, "ae") : NULL;
  while (file && r->kept < HD_RTL_LOG_BYTES &&
         (n = pread(r->log, bytes, sizeof bytes, (off_t)r->kept)) > 0) {
    hd_rtl_log_write(file, bytes, (size_t)n);
    r->kept += (size_t)n;
  }
  if (file)
    fclose(file);
  /* A log is copied up to HD_RTL_LOG_BYTES, and only if the run has one: a check has none. */
  const bool is_over = !path || r->kept >= HD_RTL_LOG_BYTES;
  if (is_over && log_bytes(r) > MOST_PRINTED / 2 && ftruncate(r->log, 0))
    end_all(r); /* the output would fill the memory */
  pthread_mutex_unlock(&r->keeping);
}

static int fail_ended(const struct hd_remote *r, const char *which, int how, struct hd_error *err)
{
  char text[420];
  log_end(r, text, sizeof text);
  if (WIFSIGNALED(how))
    return hd_fail(err, HD_E_TOOL, "%s (%s) died by signal %d (%s)%s", r->tool, which,
                   WTERMSIG(how), strsignal(WTERMSIG(how)), text);
  return hd_fail(err, HD_E_TOOL,
                 "%s (%s) ended by itself (exit code %d): did the RTL call $finish, $stop or "
                 "std.env.finish?%s",
                 r->tool, which, WEXITSTATUS(how), text);
}

/* Tests whether the first process has ended, and all others with it. */
static bool is_dead(const struct hd_remote *r, int *how)
{
  siginfo_t info = {.si_pid = 0};
  if (waitid(P_PID, (id_t)r->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid != r->pid)
    return false;
  *how = info.si_code == CLD_EXITED ? info.si_status << 8 : info.si_status;
  return true;
}

/* ── commands ───────────────────────────────────────────────────────────────── */

/* Waits for the answer of a slot, or of the first process (slot NULL). */
static int wait_mailbox(struct hd_remote *r, struct hd_remote_mailbox *mailbox,
                        struct hd_remote_slot *slot, const char *which, struct hd_error *err)
{
  double since = now();
  uint64_t clocks = 0;
  for (;;) {
    struct timespec until;
    int how;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 200000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int none = sem_timedwait(&mailbox->answer, &until);
    if (slot && atomic_load(&slot->gone))
      return fail_ended(r, which, atomic_load(&slot->gone) - 1, err);
    if (!none)
      break;
    if (is_dead(r, &how))
      return fail_ended(r, which, how, err);
    if (log_bytes(r) > MOST_PRINTED) {
      end_all(r);
      return hd_fail(err, HD_E_TOOL,
                     "%s (%s) has printed %d MB in one command: does the RTL call $display in "
                     "a loop without end?",
                     r->tool, which, MOST_PRINTED >> 20);
    }
    uint64_t done = slot ? atomic_load_explicit(&slot->clocks, memory_order_relaxed) : 0;
    if (done != clocks) {
      clocks = done;
      since = now();
    }
    if (now() - since > r->patience) {
      end_all(r);
      return hd_fail(err, HD_E_TOOL,
                     "%s (%s) has not finished a cycle for %.0f s: is there a "
                     "combinational loop?",
                     r->tool, which, r->patience);
    }
  }
  if (mailbox->status)
    return hd_fail(err, mailbox->status, "%s",
                   mailbox->text[0] ? mailbox->text : "the simulator could not do that");
  return 0;
}

static int ask_first_process(struct hd_remote *r, enum hd_remote_command command, uint32_t argument,
                             struct hd_error *err)
{
  struct hd_remote_mailbox *mailbox = &r->head->mailbox;
  mailbox->command = command;
  mailbox->argument = argument;
  mailbox->text[0] = '\0';
  sem_post(&mailbox->ask);
  return wait_mailbox(r, mailbox, NULL, "starting", err);
}

void hd_remote_post(struct hd_remote *r, uint32_t slot, enum hd_remote_command command)
{
  struct hd_remote_slot *s = hd_remote_slot(r->head, slot);
  s->mailbox.command = command;
  sem_post(&s->mailbox.ask);
}

int hd_remote_wait(struct hd_remote *r, uint32_t slot, struct hd_error *err)
{
  struct hd_remote_slot *s = hd_remote_slot(r->head, slot);
  char which[32];
  snprintf(which, sizeof which, "switch %u", slot);
  return wait_mailbox(r, &s->mailbox, s, which, err);
}

int hd_remote_ask(struct hd_remote *r, uint32_t slot, enum hd_remote_command command,
                  struct hd_error *err)
{
  hd_remote_post(r, slot, command);
  return hd_remote_wait(r, slot, err);
}

int hd_remote_end(struct hd_remote *r, uint32_t slot, struct hd_error *err)
{
  struct hd_remote_slot *s = hd_remote_slot(r->head, slot);
  int status = hd_remote_ask(r, slot, HD_REMOTE_END, err);
  int gone = atomic_load(&s->gone);
  return gone == 1 ? 0
         : status  ? status
                   : hd_fail(err, HD_E_INTERNAL, "process %u of the simulator did not end", slot);
}

int hd_remote_fork(struct hd_remote *r, uint32_t slot, struct hd_error *err)
{
  struct hd_remote_slot *s = hd_remote_slot(r->head, slot);
  memset(s, 0, sizeof *s);
  if (sem_init(&s->mailbox.ask, 1, 0) || sem_init(&s->mailbox.answer, 1, 0))
    return hd_fail(err, HD_E_TOOL, "no semaphores: %s", strerror(errno));
  return ask_first_process(r, HD_REMOTE_FORK, slot, err);
}

/* ── start and stop ─────────────────────────────────────────────────────────── */

static int map_shared_memory(struct hd_remote *r, size_t bytes, struct hd_error *err)
{
  if (ftruncate(r->memory, (off_t)bytes))
    return hd_fail(err, HD_E_NOMEM, "no shared memory of %zu bytes: %s", bytes, strerror(errno));
  void *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, r->memory, 0);
  if (all == MAP_FAILED)
    return hd_fail(err, HD_E_NOMEM, "no shared memory of %zu bytes: %s", bytes, strerror(errno));
  if (r->head)
    munmap(r->head, r->bytes);
  r->head = all;
  r->bytes = bytes;
  return 0;
}

/* Returns a copy of environ with two more variables. Copies pointers, not texts. */
static char **copy_environment(char *fd, char *parent)
{
  size_t n = 0;
  while (environ[n])
    n++;
  char **copy = calloc(n + 3, sizeof *copy);
  if (!copy)
    return NULL;
  memcpy(copy, environ, n * sizeof *copy);
  copy[n] = fd;
  copy[n + 1] = parent;
  return copy;
}

/* Starts the simulator in a process group of its own, so that Ctrl-C at the terminal reaches only
 * the process that asked for the run. */
static int spawn(struct hd_remote *r, const struct hd_remote_program *program, struct hd_error *err)
{
  const char *const file = program->argv[0];
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  char fd[64], parent[64];
  snprintf(fd, sizeof fd, HD_REMOTE_FD "=%d", r->memory);
  snprintf(parent, sizeof parent, HD_REMOTE_PARENT "=%ld", (long)getpid());
  char **variables = copy_environment(fd, parent);
  if (!variables)
    return hd_fail(err, HD_E_NOMEM, "out of memory before running %s", file);
  sigemptyset(&none);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, r->log, 1);
  posix_spawn_file_actions_adddup2(&actions, r->log, 2);
  posix_spawn_file_actions_adddup2(&actions, r->memory, r->memory); /* keeps it open */
  if (program->directory)
    posix_spawn_file_actions_addchdir_np(&actions, program->directory);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setsigmask(&attributes, &none);
  int e = posix_spawnp(&r->pid, file, &actions, &attributes, (char *const *)(void *)program->argv,
                       variables); /* argv is not written to */
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  free(variables);
  if (!e)
    return 0;
  r->pid = 0;
  if (e == ENOENT)
    return hd_fail(err, HD_E_TOOL,
                   "%s is not installed or not in PATH; on Debian: apt-get install %s", file,
                   program->package);
  return hd_fail(err, HD_E_TOOL, "cannot run %s: %s", file, strerror(e));
}

static int start_process(struct hd_remote *r, const struct hd_remote_program *program,
                         const struct hd_switch_params *params, uint32_t slots, bool two_state,
                         struct hd_error *err)
{
  r->memory = memfd_create("heddle", MFD_CLOEXEC);
  r->log = memfd_create("heddle-log", MFD_CLOEXEC);
  if (r->memory < 0 || r->log < 0 || fcntl(r->log, F_SETFL, O_APPEND))
    return hd_fail(err, HD_E_NOMEM, "no shared memory: %s", strerror(errno));
  int status = map_shared_memory(r, hd_remote_head_bytes(), err);
  if (status)
    return status;
  r->head->version = HD_REMOTE_VERSION;
  r->head->slots = slots;
  r->head->params = *params;
  r->head->two_state = two_state;
  if (sem_init(&r->head->mailbox.ask, 1, 0) || sem_init(&r->head->mailbox.answer, 1, 0))
    return hd_fail(err, HD_E_TOOL, "no semaphores: %s", strerror(errno));
  status = spawn(r, program, err);
  if (!status)
    status = wait_mailbox(r, &r->head->mailbox, NULL, "starting", err);
  if (!status)
    status = map_shared_memory(
        r, hd_remote_head_bytes() + (size_t)slots * hd_remote_layout(r->head).bytes, err);
  return status ? status : ask_first_process(r, HD_REMOTE_MAP, 0, err);
}

int hd_remote_start(struct hd_remote *r, const struct hd_remote_program *program,
                    const struct hd_switch_params *params, uint32_t slots, bool two_state,
                    struct hd_error *err)
{
  *r = (struct hd_remote){.tool = program->tool, .memory = -1, .log = -1, .patience = 60};
  pthread_mutex_init(&r->keeping, NULL);
  int status = start_process(r, program, params, slots, two_state, err);
  if (status)
    hd_remote_stop(r);
  return status;
}

void hd_remote_stop(struct hd_remote *r)
{
  if (r->pid > 0) {
    end_all(r);
    while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
      continue;
  }
  if (r->head)
    munmap(r->head, r->bytes);
  if (r->memory > 0)
    close(r->memory);
  if (r->log > 0)
    close(r->log);
  *r = (struct hd_remote){.memory = -1, .log = -1};
}
