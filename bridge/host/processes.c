/* Runs tasks in child processes, and ends processes that children left behind.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "processes.h"

#include "memory.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int reap(pid_t pid)
{
  int how = 0;
  while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
    ;
  return how;
}

pid_t hd_processes_start(struct hd_processes *pool, uint64_t task)
{
  if (pool->n == HD_PROCESSES_MOST) {
    errno = EAGAIN;
    return -1;
  }
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0)
    return -1;
  if (!pid) {
    for (uint32_t i = 0; i < pool->n; i++)
      close(pool->running[i].fd);
    pool->n = 0;
    return 0;
  }
  int fd = pidfd_open(pid, 0);
  if (fd < 0) {
    int e = errno;
    kill(pid, SIGKILL);
    reap(pid);
    errno = e;
    return -1;
  }
  pool->running[pool->n].pid = pid;
  pool->running[pool->n].fd = fd;
  pool->running[pool->n++].task = task;
  return pid;
}

bool hd_processes_wait(struct hd_processes *pool, int milliseconds, uint64_t *task, int *how)
{
  struct pollfd fds[HD_PROCESSES_MOST];
  for (uint32_t i = 0; i < pool->n; i++)
    fds[i] = (struct pollfd){.fd = pool->running[i].fd, .events = POLLIN};
  if (!pool->n || poll(fds, pool->n, milliseconds) <= 0)
    return false;
  uint32_t i = 0;
  while (!fds[i].revents)
    i++;
  *task = pool->running[i].task;
  *how = reap(pool->running[i].pid);
  close(pool->running[i].fd);
  pool->running[i] = pool->running[--pool->n];
  return true;
}

static bool is_spared(const struct hd_spared *spared, pid_t pid)
{
  for (size_t i = 0; i < spared->n; i++)
    if (spared->pids[i] == pid)
      return true;
  return false;
}

/* Opens the kernel's list of children of the first thread. NULL: the kernel has none. */
static FILE *open_children(void)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  return fopen(path, "re");
}

void hd_processes_adopt(struct hd_spared *spared)
{
  FILE *children = open_children();
  int pid;
  while (children && fscanf(children, "%d", &pid) == 1) {
    HD_XROOM(spared->pids, spared->capacity, spared->n, 1);
    spared->pids[spared->n++] = pid;
  }
  if (children)
    fclose(children);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Kills all children that run now, except for the spared ones. Returns their number. */
static unsigned kill_children(const struct hd_spared *spared)
{
  FILE *children = open_children();
  unsigned n = 0;
  int pid;
  while (children && fscanf(children, "%d", &pid) == 1)
    if (!is_spared(spared, pid))
      n += !kill(pid, SIGKILL);
  if (children)
    fclose(children);
  return n;
}

/* Reaps the children that have ended, and adds those that SIGKILL ended to *killed. False: no
 * children are left. */
static bool reap_ended(const struct hd_spared *spared, unsigned *killed)
{
  int how = 0;
  pid_t ended;
  while ((ended = waitpid(-1, &how, WNOHANG)) > 0)
    *killed += !is_spared(spared, ended) && WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL;
  return ended == 0;
}

unsigned hd_processes_end_adopted(struct hd_spared *spared)
{
  enum { STEPS = 200 }; /* a process that waits for a disk may end late */
  const struct timespec step = {.tv_nsec = 5000000};
  unsigned n = 0, before = 0;
  /* Children that have ended before are the command's own tools; they do not count as processes
   * left running. */
  bool some = reap_ended(spared, &before);
  for (unsigned i = 0; some && i < STEPS; i++) {
    const unsigned left = kill_children(spared);
    some = reap_ended(spared, &n) && left; /* spared children keep running */
    if (some)
      nanosleep(&step, NULL);
  }
  free(spared->pids);
  *spared = (struct hd_spared){0};
  return n;
}
