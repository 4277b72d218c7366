/* Processes of the program's own: a task each, some at a time.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "processes.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
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
