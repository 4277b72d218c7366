/* What rank 0 and the others say to each other: orders, and the replies that are due.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ranks_talk.h"

#include <stdlib.h>
#include <string.h>

enum { WAIT_MS = 250 };                     /* between two looks at who is silent */
static const double patience_seconds = 0.5; /* with ranks, after hd_dut_ops.interrupt */

int hd_talk_init(struct talk *talk, struct hd_ranks *ranks, struct hd_ranks_share *shares,
                 struct hd_error *err)
{
  talk->ranks = ranks;
  talk->number = hd_ranks_number(ranks);
  talk->shares = shares;
  talk->peers = calloc((size_t)talk->number, sizeof *talk->peers);
  return talk->peers ? HD_OK : hd_fail(err, HD_E_NOMEM, "MPI: out of memory");
}

void hd_talk_fini(struct talk *talk)
{
  for (int r = 0; talk->peers && r < talk->number; r++)
    for (struct letter *l = talk->peers[r].letters, *next; l; l = next) {
      next = l->next;
      hd_letter_free(l);
    }
  free(talk->peers);
}

void hd_letter_free(struct letter *letter)
{
  if (letter)
    free(letter->bytes);
  free(letter);
}

/* Takes a message that has come, whoever it is from. */
static int keep(struct talk *talk, int from, char *bytes, size_t length, struct hd_error *err)
{
  struct peer *o = &talk->peers[from];
  struct letter **last = &o->letters;
  o->heard = hd_ranks_now();
  if (length < sizeof(struct ranks_head)) { /* it is alive */
    free(bytes);
    return HD_OK;
  }
  while (*last)
    last = &(*last)->next;
  *last = calloc(1, sizeof **last);
  if (!*last) {
    free(bytes);
    return hd_fail(err, HD_E_NOMEM, "MPI: no memory for an answer");
  }
  (*last)->bytes = bytes;
  (*last)->at = bytes + sizeof(struct ranks_head);
  memcpy(&(*last)->head, bytes, sizeof(struct ranks_head));
  return HD_OK;
}

/* Nobody comes back to a rank that is gone. */
static int give_up(struct talk *talk, int status)
{
  talk->gone = true;
  hd_ranks_lose(talk->ranks);
  return status;
}

int hd_talk_look(struct talk *talk, int milliseconds, struct hd_error *err)
{
  char *bytes;
  size_t length;
  int from, got, status = HD_OK;
  do {
    got = milliseconds ? hd_ranks_wait(talk->ranks, milliseconds, &from, &bytes, &length)
                       : hd_ranks_receive(talk->ranks, &from, &bytes, &length);
    milliseconds = 0;
    if (got > 0)
      status = keep(talk, from, bytes, length, err);
  } while (got > 0 && !status);
  if (got < 0)
    status = hd_fail(err, HD_E_TOOL, "MPI: nothing can be received any more");
  return status ? give_up(talk, status) : HD_OK; /* what is lost does not come again */
}

int hd_talk_is_gone(struct hd_error *err)
{
  return hd_fail(err, HD_E_TOOL, "MPI: a rank is gone");
}

static int is_interrupted(struct talk *talk, int rank, struct hd_error *err)
{
  if (!atomic_load(&talk->interrupted))
    return HD_OK;
  if (!talk->interrupted_at)
    talk->interrupted_at = hd_ranks_now();
  if (hd_ranks_now() < talk->interrupted_at + patience_seconds)
    return HD_OK;
  return give_up(talk,
                 hd_fail(err, HD_E_INTERRUPTED, "interrupted while rank %d was at work", rank));
}

int hd_talk_await(struct talk *talk, int rank, struct letter **reply, struct hd_error *err)
{
  struct peer *o = &talk->peers[rank];
  double since = hd_ranks_now();
  int status = HD_OK;
  *reply = NULL;
  if (talk->gone)
    return hd_talk_is_gone(err);
  while (!o->letters && !status) {
    status = hd_talk_look(talk, WAIT_MS, err);
    if (o->letters || status)
      break;
    if (o->heard > since)
      since = o->heard;
    status = is_interrupted(talk, rank, err);
    if (!status && hd_ranks_now() > since + hd_ranks_silence_seconds())
      status = give_up(talk, hd_fail(err, HD_E_TOOL,
                                     "MPI: rank %d has said nothing for %.0f s; its process is "
                                     "taken for dead",
                                     rank, hd_ranks_now() - since));
  }
  if (status)
    return status;
  struct letter *letter = o->letters;
  o->letters = letter->next;
  o->owed--;
  talk->shares[rank].busy_seconds = letter->head.busy_seconds;
  if (letter->head.status) {
    status = hd_fail(err, letter->head.status, "%s", letter->at);
    hd_letter_free(letter);
  } else
    *reply = letter;
  return status;
}

int hd_talk_await_none(struct talk *talk, int rank, struct hd_error *err)
{
  struct letter *reply;
  int status = hd_talk_await(talk, rank, &reply, err);
  hd_letter_free(reply);
  return status;
}

int hd_talk_ask(struct talk *talk, int rank, struct ranks_head head, const void *bytes,
                size_t length, struct hd_error *err)
{
  int status = talk->gone ? hd_talk_is_gone(err)
                          : hd_ranks_tell(talk->ranks, rank, head, bytes, length, err);
  talk->peers[rank].owed += !status;
  return status;
}

int hd_talk_await_all(struct talk *talk, int status, struct hd_error *err)
{
  for (int r = 1; r < talk->number; r++) {
    struct hd_error later = {""};
    int one = talk->peers[r].owed && !talk->gone
                  ? hd_talk_await_none(talk, r, status ? &later : err)
                  : HD_OK;
    status = status ? status : one;
  }
  return status;
}
