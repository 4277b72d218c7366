/* Runs tasks in child processes, and ends processes that children left behind.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The caller decides what a task is and how many run at a time. Only processes of the pool are
 * waited for.
 */
#ifndef HD_PROCESSES_H
#define HD_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { HD_PROCESSES_MOST = 64 };

/** A pool of processes that run tasks. Zeroed means none. */
struct hd_processes {
  uint32_t n;
  struct {
    pid_t pid;
    int fd; /* readable when the process has ended */
    uint64_t task;
  } running[HD_PROCESSES_MOST];
};

/** Forks a process for `task`. Returns 0 in the child, which must leave by exit() or _exit().
 *  Returns -1 with errno if no process could be created or HD_PROCESSES_MOST are running.
 *  Buffered output is written before the fork. */
pid_t hd_processes_start(struct hd_processes *pool, uint64_t task);

/** Waits at most `milliseconds` (-1: without limit) for a process to end. Writes its task, and
 * its status as from waitpid(). False: no process has ended, because the time is over, a signal
 * came, or none runs. */
bool hd_processes_wait(struct hd_processes *pool, int milliseconds, uint64_t *task, int *how);

/** Children that the process had before hd_processes_adopt. A shell may start children and then
 *  become the command by exec, as in `bash -c 'server & exec heddle …'`. Zeroed means none. */
struct hd_spared {
  pid_t *pids;
  size_t n, capacity;
};

/** Makes this process the parent of all its descendants whose own parent has ended. Fills
 *  `spared`. */
void hd_processes_adopt(struct hd_spared *spared);

/** Ends all children of this process and their children, except for those in `spared`, which it
 * empties. This process must have one thread. Returns the number of processes that ran. */
unsigned hd_processes_end_adopted(struct hd_spared *spared);

#endif
