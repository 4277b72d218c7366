/* Processes of the program's own: a task each, some at a time.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The caller decides what a task is and how many run; only its own processes are waited for.
 */
#ifndef HD_PROCESSES_H
#define HD_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { HD_PROCESSES_MOST = 64 };

/** Zeroed is empty. */
struct hd_processes {
  uint32_t n;
  struct {
    pid_t pid;
    int fd; /* readable when it has ended */
    uint64_t task;
  } running[HD_PROCESSES_MOST];
};

/** Forks: 0 in the child, which leaves by exit() or _exit(); -1 with errno where no process could be
 *  made, or HD_PROCESSES_MOST are running. What is buffered for files is written before. */
pid_t hd_processes_start(struct hd_processes *pool, uint64_t task);

/** Waits until a process has ended, at most so many milliseconds (-1: any time): its task, and how it
 *  ended as waitpid() tells. False: none has, as the time is over, a signal came or none runs. */
bool hd_processes_wait(struct hd_processes *pool, int milliseconds, uint64_t *task, int *how);

/** Children that the process had before it adopted: a shell starts them and becomes the command by exec, as in
 *  `bash -c 'server & exec heddle …'`. Zeroed is empty. */
struct hd_spared {
  pid_t *pids;
  size_t n, capacity;
};

/** From now on this process is the parent of processes whose parent, below it, has ended. Fills `spared`. */
void hd_processes_adopt(struct hd_spared *spared);

/** Ends all children of this process, which has one thread, and theirs, but for those in `spared`, which it empties.
 *  Returns how many ran. */
unsigned hd_processes_end_adopted(struct hd_spared *spared);

#endif
