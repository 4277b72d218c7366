/* Makes a tape smaller: keeps only its end, leaves out rows of tables, takes smaller numbers and fewer cycles.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tape_search.h"

#include "../../host/memory.h"

/* ── the shortest end ──────────────────────────────────────────────────────── */

static bool is_write(const struct tape_item *item)
{
  return item->kind == TAPE_WRITE || item->kind == TAPE_CONFIG;
}

static int by_address(const void *a, const void *b)
{
  const struct tape_item *const *x = a, *const *y = b;
  if ((*x)->address != (*y)->address)
    return (*x)->address < (*y)->address ? -1 : 1;
  return *x < *y ? -1 : *x > *y;
}

/* Adds the last write to each address before item `begin`. */
static void add_configuration(const struct hd_tape *tape, size_t begin, struct hd_tape *to)
{
  size_t n = 0;
  const struct tape_item **writes = hd_xmalloc((begin + 1) * sizeof(const struct tape_item *));
  for (size_t i = 0; i < begin; i++)
    if (is_write(&tape->items[i]))
      writes[n++] = &tape->items[i];
  if (n)
    qsort(writes, n, sizeof *writes, by_address);
  for (size_t i = 0; i < n; i++)
    if (i + 1 == n || writes[i + 1]->address != writes[i]->address)
      hd_tape_add(to, &(struct tape_item){.kind = TAPE_WRITE,
                                          .address = writes[i]->address,
                                          .data = writes[i]->data});
  free(writes);
}

/* Tries the tape from item `begin` on: with or without a reset first, with or without the configuration before it. */
static bool try_end(struct tape_search *s, size_t begin, bool reset, bool configured)
{
  struct hd_tape end = {.params = s->tape->params};
  if (configured)
    add_configuration(s->tape, begin, &end);
  if (reset)
    hd_tape_add(&end, &(struct tape_item){.kind = TAPE_RESET});
  for (size_t i = begin; i < s->tape->n; i++)
    hd_tape_add(&end, &s->tape->items[i]);
  return hd_tape_search_try(s, &end);
}

static size_t last_reset(const struct hd_tape *tape)
{
  size_t i = tape->n;
  while (i && tape->items[i - 1].kind != TAPE_RESET)
    i--;
  return i ? i - 1 : 0;
}

/* Tries the last two items, four, eight, … Together these trials take as long as playing the tape a few times. */
void hd_tape_keep_end(struct tape_search *s)
{
  const size_t n = s->tape->n, reset = last_reset(s->tape);
  for (size_t length = 2; length < n && !hd_tape_search_over(s); length *= 2) {
    const size_t begin = n - length;
    if (reset && begin <= reset && reset < begin + length / 2 &&
        (try_end(s, reset, false, false) || try_end(s, reset, false, true)))
      return;
    for (unsigned way = 0; way < 4; way++)
      if (try_end(s, begin, way & 1, way & 2))
        return;
  }
}

/* ── rows of tables ────────────────────────────────────────────────────────── */

enum { ROWS = 1 << 16 }; /* most rows of a table: port and node, as in an address */

/* Marks the rows that heads may look up: that of their destination, and that of the field after it (§1.2). */
static void mark_rows(const struct hd_tape *tape, bool named[ROWS])
{
  const unsigned bits = hd_log2_ceil(tape->params.nodes), mask = (1u << bits) - 1;
  for (size_t i = 0; i < tape->n; i++) {
    const struct tape_item *item = &tape->items[i];
    if (item->kind != TAPE_FLIT || (item->is != HD_KIND_HEAD && item->is != HD_KIND_SINGLE))
      continue;
    named[(unsigned)item->port << 12 | (item->data >> 2 & mask)] = true;
    named[(unsigned)item->port << 12 | (item->data >> (2 + bits) & mask)] = true;
  }
}

/* Is it a write to a row of a routing table or port set (§3.2)? */
static bool is_row(const struct tape_item *item)
{
  const unsigned select = item->address >> 16;
  return item->kind == TAPE_WRITE && (select == 1 || select == 2 || select == 4);
}

size_t hd_tape_count_rows(const struct hd_tape *tape)
{
  size_t n = 0;
  for (size_t i = 0; i < tape->n; i++)
    n += is_row(&tape->items[i]);
  return n;
}

void hd_tape_keep_rows(struct tape_search *s)
{
  struct hd_tape smaller = {.params = s->tape->params};
  bool *named = hd_xcalloc(ROWS, sizeof *named);
  mark_rows(s->tape, named);
  for (size_t i = 0; i < s->tape->n; i++) {
    const struct tape_item *item = &s->tape->items[i];
    if (!is_row(item) || named[item->address & (ROWS - 1)])
      hd_tape_add(&smaller, item);
  }
  free(named);
  hd_tape_search_try(s, &smaller);
}

/* ── smaller numbers, fewer cycles ─────────────────────────────────────────── */

/* Tries the tape with another item at `at`. */
static bool try_item(struct tape_search *s, size_t at, const struct tape_item *item)
{
  struct hd_tape other = {.params = s->tape->params};
  for (size_t i = 0; i < s->tape->n; i++)
    hd_tape_add(&other, i == at ? item : &s->tape->items[i]);
  return hd_tape_search_try(s, &other);
}

static bool has_value(const struct tape_item *item)
{
  return is_write(item) || item->kind == TAPE_FLIT;
}

/* Large steps come first. A trial with a number that is too small shows no difference, and plays the whole tape. */
bool hd_tape_smaller_values(struct tape_search *s)
{
  bool helped = false;
  for (size_t i = 0; i < s->tape->n && !hd_tape_search_over(s); i++) {
    if (!has_value(&s->tape->items[i]))
      continue;
    for (unsigned how = 0; how < 4 && i < s->tape->n && !hd_tape_search_over(s);) {
      struct tape_item item = s->tape->items[i];
      const uint64_t data = item.data, to[] = {0, 1, data & 0xff, data / 2};
      item.data = to[how];
      if (item.data < data && try_item(s, i, &item))
        helped = true;
      else
        how++;
    }
  }
  return helped;
}

bool hd_tape_fewer_cycles(struct tape_search *s)
{
  bool helped = false;
  for (size_t i = 0; i < s->tape->n && !hd_tape_search_over(s); i++)
    for (unsigned how = 0; how < 3 && i < s->tape->n && !hd_tape_search_over(s);) {
      struct tape_item item = s->tape->items[i];
      const uint32_t cycles = item.cycles, to[] = {1, cycles / 2, cycles - 1};
      if (cycles < 2)
        break;
      item.cycles = to[how];
      if (try_item(s, i, &item))
        helped = true;
      else
        how++;
    }
  return helped;
}
