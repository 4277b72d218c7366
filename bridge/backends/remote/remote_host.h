/* A backend's side of a simulator in processes of its own (remote.h).
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
  const char *tool;        /* its name in messages */
  int memory, log;         /* log: what the simulator prints */
  pthread_mutex_t keeping; /* held by who copies from it: */
  size_t kept;             /* bytes that are in the run's log */
  pid_t pid;               /* of its first process; 0: none */
  double patience;         /* seconds without a clock until it counts as hung */
};

/** Starts a program with memory for `slots` switches. On failure all is undone. HD_E_TOOL when it is
 *  missing or ends, HD_E_NOMEM, HD_E_INPUT (what the simulator says of the design). */
int hd_remote_start(struct hd_remote *remote, const struct hd_remote_program *program,
                    const struct hd_switch_params *params, uint32_t slots, bool two_state,
                    struct hd_error *err);

/** Ends all processes and frees the memory; a zeroed one, too. */
void hd_remote_stop(struct hd_remote *remote);

/** Copies what the simulator has printed to the run's log, as soon as there is one. */
void hd_remote_keep_printed(struct hd_remote *remote);

/** A process for a slot, with the state of power-up. */
int hd_remote_fork(struct hd_remote *remote, uint32_t slot, struct hd_error *err);

/** A command to a slot's process; hd_remote_wait waits for the answer. The status is the answer's,
 *  or HD_E_TOOL when the process has ended or hangs. Different slots may be asked by different
 *  threads. */
void hd_remote_post(struct hd_remote *remote, uint32_t slot, enum hd_remote_command command);
int hd_remote_wait(struct hd_remote *remote, uint32_t slot, struct hd_error *err);
int hd_remote_ask(struct hd_remote *remote, uint32_t slot, enum hd_remote_command command,
                  struct hd_error *err);

/** Lets a slot's process end by itself and waits for that. HD_E_TOOL where it does not do so in
 *  order. */
int hd_remote_end(struct hd_remote *remote, uint32_t slot, struct hd_error *err);

#endif
