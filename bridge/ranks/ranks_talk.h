/* What rank 0 and the others say to each other: orders, and the replies that are due.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Replies of a rank come in the order of what it was asked. Of several ranks they come in any order, and wait as
 * letters until somebody asks for them.
 */
#ifndef HD_RANKS_TALK_H
#define HD_RANKS_TALK_H

#include "ranks_internal.h"

#include <stdatomic.h>

/* A message that came before somebody asked for it. */
struct letter {
  struct letter *next;
  struct ranks_head head;
  char *bytes;    /* all of it */
  const char *at; /* behind the head */
};

/* Rank 0's view of a rank. */
struct peer {
  struct letter *letters; /* the oldest first */
  double heard;
  uint32_t owed; /* replies */
};

/* One thread at a time, but for `interrupted`. */
struct talk {
  struct hd_ranks *ranks;
  struct peer *peers; /* [number]; the first one has no letters */
  int number;
  struct hd_ranks_share *shares; /* [number]; replies say how busy a rank was */
  _Atomic bool interrupted;      /* ranks that answer not soon are given up */
  double interrupted_at;         /* seen by who waits; 0: not yet */
  bool gone;                     /* somebody is: whatever is asked fails */
};

/** HD_E_NOMEM; hd_talk_fini after failures, too. */
int hd_talk_init(struct talk *talk, struct hd_ranks *ranks, struct hd_ranks_share *shares,
                 struct hd_error *err);
void hd_talk_fini(struct talk *talk);

/** Sends an order that gets a reply. HD_E_TOOL, HD_E_NOMEM. */
int hd_talk_ask(struct talk *talk, int rank, struct ranks_head head, const void *bytes,
                size_t length, struct hd_error *err);
/** The next reply of a rank, which is the caller's; its status and error are the call's. HD_E_TOOL: the rank is
 *  gone; HD_E_INTERRUPTED. */
int hd_talk_await(struct talk *talk, int rank, struct letter **reply, struct hd_error *err);
/** Without what the reply says. */
int hd_talk_await_none(struct talk *talk, int rank, struct hd_error *err);
/** The replies of all ranks that owe one. The error is that of the first, or `status`. */
int hd_talk_await_all(struct talk *talk, int status, struct hd_error *err);
/** Takes what is there, or comes within so many milliseconds; 0: only what is there. A failure is for good: somebody
 *  is gone. */
int hd_talk_look(struct talk *talk, int milliseconds, struct hd_error *err);
/** The error of whatever is asked when somebody is gone. */
int hd_talk_is_gone(struct hd_error *err);
/** NULL is fine. */
void hd_letter_free(struct letter *letter);

#endif
