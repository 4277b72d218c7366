/* The simulator's side of a backend in processes of its own (remote.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REMOTE_SERVER_H
#define HD_REMOTE_SERVER_H

#include "remote.h"

#include <sys/types.h>

struct hd_remote_server {
  struct hd_remote_head *head;
  struct hd_remote_slot *slot; /* of this process; NULL in the first one */
  uint32_t number;             /* of the slot */
  int memory;
  pid_t *children; /* [slots], of this process; NULL: none */
};

/** Finds the memory that heddle shares, and makes this process end with heddle. Returns NULL, or
 *  the reason of the failure. */
const char *hd_remote_server_attach(struct hd_remote_server *server);

/** Says that the design is loaded (status 0, and how large a switch's state is) or not (a status; why is
 *  in head->door.text already), and then forks what is asked for. Returns in each switch's process,
 *  with slot and number set; in the first process never. */
void hd_remote_server_fork(struct hd_remote_server *server, int status, size_t state_bytes);

/** A process for a slot with the state of this one: HD_OK in both; *child: it is that one, with slot and number set.
 *  HD_E_NOMEM, HD_E_TOOL (text in head->door). */
int hd_remote_server_copy(struct hd_remote_server *server, uint32_t number, bool *child);

/** Kills this process when its parent, which had this number, has ended. For a child that plays no
 *  switch. */
void hd_remote_server_follow(pid_t parent);

/** The next command to this switch, and its answer; slot->door.text says why. */
enum hd_remote_command hd_remote_server_next(struct hd_remote_server *server);
void hd_remote_server_answer(struct hd_remote_server *server, int status);

#endif
