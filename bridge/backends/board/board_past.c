/* What a board's switch was played since reset: kept, saved, restored.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_past.h"

#include <stdlib.h>
#include <string.h>

/* A snapshot: this, words, signatures, pieces. */
struct head {
  char magic[8];
  uint64_t n_words, n_signatures, n_pieces;
};
static const char k_magic[8] = "hd_past1";

void hd_board_past_fini(struct hd_board_past *past)
{
  free(past->words);
  free(past->signatures);
  free(past->pieces);
  *past = (struct hd_board_past){0};
}

static int no_memory(struct hd_error *err)
{
  return hd_fail(err, HD_E_NOMEM, "out of memory for what the board was played");
}

static bool grow(void **list, size_t *room, size_t n, size_t size)
{
  if (n <= *room)
    return true;
  size_t more = *room ? 2 * *room : 64;
  while (more < n)
    more *= 2;
  void *bigger = realloc(*list, more * size);
  if (!bigger)
    return false;
  *list = bigger;
  *room = more;
  return true;
}

static bool make_room(struct hd_board_past *past, size_t words, size_t signatures, size_t pieces)
{
  void *w = past->words, *s = past->signatures, *p = past->pieces;
  bool ok = grow(&w, &past->room_words, words, sizeof *past->words);
  past->words = w;
  ok = ok && grow(&s, &past->room_signatures, signatures, sizeof *past->signatures);
  past->signatures = s;
  ok = ok && grow(&p, &past->room_pieces, pieces, sizeof *past->pieces);
  past->pieces = p;
  return ok;
}

int hd_board_past_keep(struct hd_board_past *past, const uint16_t *words, size_t n,
                       const uint32_t *signatures, uint32_t n_signatures, struct hd_error *err)
{
  if (!make_room(past, past->n_words + n, past->n_signatures + n_signatures, past->n_pieces + 1))
    return no_memory(err);
  if (n) {
    memcpy(past->words + past->n_words, words, n * sizeof *words);
    memcpy(past->signatures + past->n_signatures, signatures, n_signatures * sizeof *signatures);
  }
  past->pieces[past->n_pieces++] = (struct hd_board_piece){past->n_words, n, past->n_signatures};
  past->n_words += n;
  past->n_signatures += n_signatures;
  return 0;
}

static unsigned char *put(unsigned char *at, const void *from, size_t bytes)
{
  if (bytes)
    memcpy(at, from, bytes);
  return at + bytes;
}

static const unsigned char *get(const unsigned char *at, void *to, size_t bytes)
{
  if (bytes)
    memcpy(to, at, bytes);
  return at + bytes;
}

int hd_board_past_save(const struct hd_board_past *past, struct hd_dut_buffer *buffer,
                       struct hd_error *err)
{
  struct head head = {
      .n_words = past->n_words, .n_signatures = past->n_signatures, .n_pieces = past->n_pieces};
  memcpy(head.magic, k_magic, sizeof head.magic);
  size_t words = past->n_words * sizeof *past->words;
  size_t signatures = past->n_signatures * sizeof *past->signatures;
  size_t pieces = past->n_pieces * sizeof *past->pieces;
  void *bytes = buffer->bytes;
  bool ok = grow(&bytes, &buffer->capacity,
                 buffer->length + sizeof head + words + signatures + pieces, 1);
  buffer->bytes = bytes;
  if (!ok)
    return no_memory(err);
  unsigned char *at = put(buffer->bytes + buffer->length, &head, sizeof head);
  at = put(at, past->words, words);
  at = put(at, past->signatures, signatures);
  at = put(at, past->pieces, pieces);
  buffer->length = (size_t)(at - buffer->bytes);
  return 0;
}

int hd_board_past_restore(struct hd_board_past *past, const struct hd_dut_buffer *buffer,
                          struct hd_error *err)
{
  struct head head = {.n_words = 0};
  size_t rest = buffer->length < sizeof head ? 0 : buffer->length - sizeof head;
  if (rest || buffer->length == sizeof head)
    memcpy(&head, buffer->bytes, sizeof head);
  if (memcmp(head.magic, k_magic, sizeof head.magic) || head.n_words > rest ||
      head.n_signatures > rest || head.n_pieces > rest ||
      head.n_words * sizeof *past->words + head.n_signatures * sizeof *past->signatures +
              head.n_pieces * sizeof *past->pieces !=
          rest)
    return hd_fail(err, HD_E_INPUT, "this is no snapshot of a board's switch");
  if (!make_room(past, head.n_words, head.n_signatures, head.n_pieces))
    return no_memory(err);
  past->n_words = head.n_words;
  past->n_signatures = head.n_signatures;
  past->n_pieces = head.n_pieces;
  const unsigned char *at = buffer->bytes + sizeof head;
  at = get(at, past->words, past->n_words * sizeof *past->words);
  at = get(at, past->signatures, past->n_signatures * sizeof *past->signatures);
  get(at, past->pieces, past->n_pieces * sizeof *past->pieces);
  past->n_writes = 0;
  past->configured = false;
  past->elsewhere = true;
  past->rewritten = true; /* what was written since is in the switch's tables, not in this past */
  return 0;
}
