/* The simulator's side of the shared memory (remote.h): commands, answers, forks.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote_server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void hd_remote_server_follow(pid_t parent)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
}

const char *hd_remote_server_attach(struct hd_remote_server *s)
{
  const char *fd = getenv(HD_REMOTE_FD), *parent = getenv(HD_REMOTE_PARENT);
  if (!fd || !parent)
    return "this is started by heddle, not by hand";
  hd_remote_server_follow((pid_t)atol(parent));
  s->memory = atoi(fd);
  s->head = mmap(NULL, hd_remote_head_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, s->memory, 0);
  if (s->head == MAP_FAILED || s->head->version != HD_REMOTE_VERSION)
    return "no memory to share with heddle";
  return NULL;
}

static void wait_for(sem_t *semaphore)
{
  while (sem_wait(semaphore) && errno == EINTR)
    continue;
}

enum hd_remote_command hd_remote_server_next(struct hd_remote_server *s)
{
  wait_for(&s->slot->mailbox.ask);
  s->slot->mailbox.text[0] = '\0';
  return s->slot->mailbox.command;
}

void hd_remote_server_answer(struct hd_remote_server *s, int status)
{
  s->slot->mailbox.status = status;
  fflush(stdout); /* the RTL's output, as this process may be killed before it can end by itself */
  sem_post(&s->slot->mailbox.answer);
}

/* ── first process ──────────────────────────────────────────────────────────── */

static int map_slots(struct hd_remote_server *s)
{
  size_t bytes = hd_remote_head_bytes() + (size_t)s->head->slots * hd_remote_layout(s->head).bytes;
  void *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->memory, 0);
  if (all == MAP_FAILED)
    return HD_E_NOMEM;
  munmap(s->head, hd_remote_head_bytes());
  s->head = all;
  return 0;
}

static struct hd_remote_server *self; /* for the signal handler */

/* Handler of SIGCHLD. Writes to the slot of a process that has ended how it ended, and wakes the
 * thread that waits for its answer. */
static void reap_children(int signal_number)
{
  int how, error = errno;
  pid_t pid;
  (void)signal_number;
  while ((pid = waitpid(-1, &how, WNOHANG)) > 0)
    for (uint32_t i = 0; self->children && i < self->head->slots; i++)
      if (self->children[i] == pid) {
        struct hd_remote_slot *slot = hd_remote_slot(self->head, i);
        self->children[i] = 0;
        atomic_store(&slot->gone, how + 1);
        sem_post(&slot->mailbox.answer);
      }
  errno = error;
}

/* Handler of SIGTERM in the first process. Ends all processes of the group by SIGUSR2, as some are
 * not its own children, waits for all, then ends. */
static void end_all(int signal_number)
{
  (void)signal_number;
  signal(SIGUSR2, SIG_IGN);
  kill(0, SIGUSR2);
  while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
    continue;
  _exit(0);
}

int hd_remote_server_copy(struct hd_remote_server *s, uint32_t number, bool *child)
{
  sigset_t chld, old;
  pid_t parent = getpid();
  self = s;
  signal(SIGCHLD, reap_children);
  if (!s->children && !(s->children = calloc(s->head->slots, sizeof *s->children)))
    return HD_E_NOMEM;
  sigemptyset(&chld);
  sigaddset(&chld, SIGCHLD);
  sigprocmask(SIG_BLOCK, &chld, &old);
  fflush(NULL);
  pid_t pid = fork();
  *child = pid == 0;
  if (pid == 0) {
    signal(SIGCHLD, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    free(s->children);
    s->children = NULL;
    hd_remote_server_follow(parent);
    s->number = number;
    s->slot = hd_remote_slot(s->head, number);
  } else if (pid > 0) {
    s->children[number] = pid;
  }
  sigprocmask(SIG_SETMASK, &old, NULL);
  if (pid < 0) {
    snprintf(s->head->mailbox.text, sizeof s->head->mailbox.text, "cannot fork the simulator: %s",
             strerror(errno));
    return HD_E_TOOL;
  }
  return 0;
}

void hd_remote_server_fork(struct hd_remote_server *s, int status, size_t state_bytes)
{
  s->head->mailbox.status = status;
  s->head->state_bytes = state_bytes;
  signal(SIGINT, SIG_IGN); /* the simulator's own handler would stop the simulation */
  signal(SIGUSR2, SIG_DFL);
  signal(SIGTERM, end_all);
  prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans become children of this process */
  atomic_store(&s->head->ready, 1);
  for (bool child = false; !child;) {
    sem_post(&s->head->mailbox.answer);
    wait_for(&s->head->mailbox.ask);
    status = HD_E_INTERNAL;
    if (s->head->mailbox.command == HD_REMOTE_MAP)
      status = map_slots(s);
    else if (s->head->mailbox.command == HD_REMOTE_FORK)
      status = hd_remote_server_copy(s, s->head->mailbox.argument, &child);
    if (!child)
      s->head->mailbox.status = status;
  }
}
