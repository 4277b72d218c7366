/* The simulator's side of the shared memory (remote.h): commands, answers, forks.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REMOTE_SERVER_H
#define HD_REMOTE_SERVER_H

#include "remote.h"

#include <sys/types.h>

struct hd_remote_server {
  struct hd_remote_head *head;
  struct hd_remote_slot *slot; /* slot of this process; NULL in the first one */
  uint32_t number;             /* number of the slot */
  int memory;                  /* descriptor of the shared memory */
  pid_t *children;             /* [slots], children of this process; NULL: none yet */
};

/** Maps the memory that heddle shares, and makes this process end with heddle. Returns NULL, or the
 *  reason of the failure. */
const char *hd_remote_server_attach(struct hd_remote_server *server);

/** Reports to heddle that the design is loaded (status 0) with the size of a switch's state, or
 *  that it is not (an error; the caller has written the reason to head->mailbox.text). Then forks a
 *  process for each command HD_REMOTE_FORK. Returns in each switch's process, with slot and number
 *  set. Never returns in the first process. */
void hd_remote_server_fork(struct hd_remote_server *server, int status, size_t state_bytes);

/** Forks a process for slot `number`, with the state of this process. Returns in both; *child is
 *  true in the new one, whose slot and number are set. HD_E_NOMEM; HD_E_TOOL, with the reason in
 *  head->mailbox. */
int hd_remote_server_copy(struct hd_remote_server *server, uint32_t number, bool *child);

/** Makes the kernel kill this process when its parent ends. `parent` is the parent's number before
 *  the fork: if it has ended already, this process ends now. */
void hd_remote_server_follow(pid_t parent);

/** Wait for the next command to this switch, and answer it. Before an answer with an error, the
 *  caller writes the reason to slot->mailbox.text. */
enum hd_remote_command hd_remote_server_next(struct hd_remote_server *server);
void hd_remote_server_answer(struct hd_remote_server *server, int status);

#endif
