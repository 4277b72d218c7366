/* heddle's side of a simulator in processes of its own (remote.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REMOTE_HOST_H
#define HD_REMOTE_HOST_H

#include "remote.h"

#include <pthread.h>
#include <sys/types.h>

struct hd_remote {
  struct hd_remote_head *head;
  size_t bytes;
  const char *tool;        /* name of the simulator in messages */
  int memory, log;         /* descriptors: the shared memory; the simulator's output */
  pthread_mutex_t keeping; /* held to copy output to the run's log */
  size_t kept;             /* bytes of the output that are in the run's log */
  pid_t pid;               /* first process of the simulator; 0: none */
  double patience;         /* seconds without a clock until it counts as hung */
};

/** Starts a program, with shared memory for `slots` switches. After an error nothing is left of it.
 *  HD_E_TOOL: the program is missing or has ended. HD_E_INPUT: the simulator refuses the design.
 *  HD_E_NOMEM. */
int hd_remote_start(struct hd_remote *remote, const struct hd_remote_program *program,
                    const struct hd_switch_params *params, uint32_t slots, bool two_state,
                    struct hd_error *err);

/** Ends all processes and frees the memory. May be called for a zeroed struct. */
void hd_remote_stop(struct hd_remote *remote);

/** Copies new output of the simulator to the run's log, if the run has one. */
void hd_remote_keep_printed(struct hd_remote *remote);

/** Makes the simulator fork a process for a slot, with the state at power-up. */
int hd_remote_fork(struct hd_remote *remote, uint32_t slot, struct hd_error *err);

/** hd_remote_post sends a command to a slot's process, hd_remote_wait waits for the answer,
 *  hd_remote_ask does both. They return the answer's status, or HD_E_TOOL when the process has
 *  ended or hangs. Threads may use different slots at the same time. */
void hd_remote_post(struct hd_remote *remote, uint32_t slot, enum hd_remote_command command);
int hd_remote_wait(struct hd_remote *remote, uint32_t slot, struct hd_error *err);
int hd_remote_ask(struct hd_remote *remote, uint32_t slot, enum hd_remote_command command,
                  struct hd_error *err);

/** Lets a slot's process close its files and end, and waits for its end. HD_E_TOOL: it ended in
 *  another way. */
int hd_remote_end(struct hd_remote *remote, uint32_t slot, struct hd_error *err);

#endif
