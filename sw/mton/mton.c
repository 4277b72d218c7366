/* Makes the tables of M-to-N schedules.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton.h"

#include "../../bridge/host/memory.h"

#include <inttypes.h>

static const char *const names[] = {
#define NAME(KIND, name, help) name,
    HD_MTON_LIST(NAME)
#undef NAME
};

/* Number of pairs of entries that the search for one length may test. */
enum { SEARCH_BUDGET = 50000 };

const char *hd_mton_kind_name(unsigned kind)
{
  return kind < HD_MTON_KINDS ? names[kind] : NULL;
}

/* A transaction that is being made: the items that some sources have to send. */
struct table {
  const struct hd_mton *mton;
  uint32_t first, sources; /* first source (a node), and number of sources */
  uint32_t n;
  struct hd_mton_entry *items; /* [n] sorted by part, then by address of the destination */
  uint32_t *places;            /* [n] places of the items in the table */
  uint64_t budget;
};

static uint32_t units(const struct hd_mton *m, uint32_t source, uint32_t destination)
{
  return m->units ? m->units[(size_t)source * m->destinations + destination] : 1;
}

/* Returns the largest number of units that a source has for a destination. */
static uint32_t most_units(const struct hd_mton *m, uint32_t destination)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < m->sources; i++)
    if (units(m, i, destination) > most)
      most = units(m, i, destination);
  return most;
}

static uint32_t most_parts(const struct hd_mton *m)
{
  uint32_t most = 0;
  for (uint32_t j = 0; j < m->destinations; j++)
    if (most_units(m, j) > most)
      most = most_units(m, j);
  return most;
}

uint32_t hd_mton_least_slots(const struct hd_mton *m)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < m->sources; i++) {
    uint32_t sum = 0;
    for (uint32_t j = 0; j < m->destinations; j++)
      sum += units(m, i, j);
    most = sum > most ? sum : most;
  }
  for (uint32_t j = 0; j < m->destinations; j++) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < m->sources; i++)
      sum += units(m, i, j);
    most = sum > most ? sum : most;
  }
  return most;
}

/* ── places without contention ─────────────────────────────────────────────── */

/* Returns kⁿ⁻¹. If the table's length is a multiple of it, messages to different blocks of so many
 * nodes can only meet if their places differ by a multiple of it. */
static uint32_t block_of(const struct hd_mton_tree *tree)
{
  uint32_t block = 1;
  for (uint32_t l = 1; l < tree->n; l++)
    block *= tree->k;
  return block;
}

/* Returns true if two items contend. */
static bool meet(struct table *t, uint32_t i, uint32_t j, uint32_t length)
{
  t->budget -= t->budget > 0;
  return t->places[j] == t->places[i] ||
         hd_mton_clash(&t->mton->tree, t->first, t->sources, length, t->places[i],
                       t->items[i].destination, t->places[j], t->items[j].destination);
}

static bool in_order(struct table *t, uint32_t length)
{
  for (uint32_t i = 0; i < t->n; i++) {
    t->places[i] = i;
    for (uint32_t j = 0; j < i; j++)
      if (meet(t, i, j, length))
        return false;
  }
  return true;
}

/* Gives the items places by address, each part in a stretch of its own. The table has `parts`
 * stretches. */
static void by_address(struct table *t, uint32_t stretch)
{
  uint32_t block = block_of(&t->mton->tree), low = t->mton->first_destination / block * block;
  for (uint32_t i = 0; i < t->n; i++)
    t->places[i] = (t->items[i].part - t->items[0].part) * stretch + t->items[i].destination - low;
}

/* ── search for a shorter table ────────────────────────────────────────────── */

/* The order in which items get places: first the destinations that are in the table most often,
 * each with all its parts. */
struct search {
  uint32_t *item, *tried; /* [n] */
};

static void sort_items(const struct table *t, struct search *s)
{
  uint32_t n = 0;
  for (uint32_t parts = t->items[t->n - 1].part + 1; parts; parts--)
    for (uint32_t i = 0; i < t->n && n < t->n; i++) {
      uint32_t same = 0;
      for (uint32_t j = 0; j < t->n; j++)
        same += t->items[j].destination == t->items[i].destination;
      if (same != parts || t->items[i].part != t->items[0].part)
        continue;
      for (uint32_t j = i; j < t->n; j++)
        if (t->items[j].destination == t->items[i].destination)
          s->item[n++] = j;
    }
}

/* Returns the next place to try for an item, the best ones first: after the part before it, as soon
 * as its destination may come again; for a first part, where its address suggests. */
static uint32_t candidate(const struct table *t, const struct search *s, uint32_t at,
                          uint32_t length)
{
  uint32_t block = block_of(&t->mton->tree), columns = (length + block - 1) / block;
  uint32_t number = s->tried[at], i = s->item[at];
  if (t->items[i].part != t->items[0].part)
    return (t->places[s->item[at - 1]] + t->sources + number) % length;
  return ((t->items[i].destination + number / columns) % block + number % columns * block) % length;
}

/* Searches depth first: puts each item at the first place that fits, and goes back to the item
 * before if none does. */
static bool search(struct table *t, uint32_t length, struct search *s)
{
  uint32_t block = block_of(&t->mton->tree);
  uint32_t candidates = (length + block - 1) / block * block, at = 0;
  t->budget = SEARCH_BUDGET;
  s->tried[0] = 0;
  while (at < t->n) {
    bool found = false;
    for (; !found && s->tried[at] < candidates && t->budget; s->tried[at]++) {
      t->places[s->item[at]] = candidate(t, s, at, length);
      found = true;
      for (uint32_t j = 0; found && j < at; j++)
        found = !meet(t, s->item[at], s->item[j], length);
    }
    if (!t->budget || (!found && !at))
      return false;
    if (!found)
      at--;
    else if (++at < t->n)
      s->tried[at] = 0;
  }
  return true;
}

/* Gives the items places in a table without contention, and returns its length. `shorter` is memory
 * for a search, or NULL: no search. */
static uint32_t fill_table(struct table *t, struct search *shorter)
{
  const struct hd_mton_tree *tree = &t->mton->tree;
  uint32_t block = block_of(tree), parts = t->items[t->n - 1].part - t->items[0].part + 1;
  uint32_t low = t->mton->first_destination / block * block;
  uint32_t stretch = t->mton->first_destination + t->mton->destinations - low;
  stretch = stretch > t->sources ? stretch : t->sources;
  stretch = (stretch + block - 1) / block * block;
  /* A destination is in the table once for each part, and never twice at a distance less than the
   * number of sources. */
  const uint32_t longest = parts * stretch, apart = parts * t->sources;
  for (uint32_t length = t->n > apart ? t->n : apart; length <= longest; length++)
    if (in_order(t, length) || (shorter && search(t, length, shorter)))
      return length;
  by_address(t, stretch);
  return longest;
}

/* ── transactions ──────────────────────────────────────────────────────────── */

static void add(struct hd_mton_schedule *s, const struct table *t, uint32_t length)
{
  HD_XROOM(s->transactions, s->cap_transactions, s->n_transactions, 1);
  HD_XROOM(s->entries, s->cap_entries, s->n_entries, length);
  s->transactions[s->n_transactions++] =
      (struct hd_mton_transaction){.first_slot = s->slots,
                                   .slots = length,
                                   .first_source = t->first - t->mton->first,
                                   .sources = t->sources,
                                   .entry = s->n_entries};
  for (uint32_t i = 0; i < length; i++)
    s->entries[s->n_entries + i] = (struct hd_mton_entry){.destination = HD_MTON_IDLE};
  for (uint32_t i = 0; i < t->n; i++)
    s->entries[s->n_entries + t->places[i]] = t->items[i];
  s->slots += length;
  s->n_entries += length;
}

/* Adds a transaction with the table's items, if there are any. */
static void transact(struct hd_mton_schedule *s, struct table *t)
{
  const enum hd_mton_kind kind = t->mton->kind;
  uint32_t length = t->n;
  if (!t->n)
    return;
  if (kind == HD_MTON_PADDED)
    length = fill_table(t, NULL);
  else if (kind == HD_MTON_MERGED) {
    struct search shorter = {hd_xcalloc(t->n, sizeof(uint32_t)),
                             hd_xcalloc(t->n, sizeof(uint32_t))};
    sort_items(t, &shorter);
    length = fill_table(t, &shorter);
    free(shorter.item);
    free(shorter.tried);
  } else
    for (uint32_t i = 0; i < t->n; i++)
      t->places[i] = i;
  add(s, t, length);
}

/* Collects the items of the parts first_part … end_part − 1, for all destinations that have so
 * many. */
static void collect(struct table *t, uint32_t first_part, uint32_t end_part)
{
  t->n = 0;
  for (uint32_t part = first_part; part < end_part; part++)
    for (uint32_t j = 0; j < t->mton->destinations; j++)
      if (most_units(t->mton, j) > part)
        t->items[t->n++] = (struct hd_mton_entry){t->mton->first_destination + j, part};
}

static void transactions(struct hd_mton_schedule *s, struct table *t, uint32_t parts)
{
  const struct hd_mton *m = t->mton;
  t->first = m->first;
  t->sources = m->sources;
  if (m->kind == HD_MTON_MERGED) {
    collect(t, 0, parts);
    transact(s, t);
    return;
  }
  const uint32_t together = m->kind == HD_MTON_VIRTUAL ? parts : 1;
  for (uint32_t part = 0; part < parts; part += together) {
    collect(t, part, part + together);
    uint32_t group = m->kind == HD_MTON_UNSCHEDULED ? m->sources : t->n;
    for (uint32_t i = 0; i < m->sources; i += group) {
      t->first = m->first + i;
      t->sources = m->sources - i < group ? m->sources - i : group;
      transact(s, t);
    }
  }
}

static int check(const struct hd_mton *m, struct hd_error *err)
{
  const uint32_t most = HD_MTON_MAX_NODES;
  if (!m->sources || m->sources > most || m->first > most)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu32 " sources from node %" PRIu32 "; legal: 1 … %" PRIu32, m->sources,
                   m->first, most);
  if (!m->destinations || m->destinations > most || m->first_destination > most)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu32 " destinations from node %" PRIu32 "; legal: 1 … %" PRIu32,
                   m->destinations, m->first_destination, most);
  if (m->tree.n > 11 || (m->tree.n && (m->tree.k < 2 || m->tree.k > most)))
    return hd_fail(err, HD_E_INPUT, "a %" PRIu32 "-ary %" PRIu32 "-tree; legal: k ≥ 2, n ≤ 11",
                   m->tree.k, m->tree.n);
  return HD_OK;
}

int hd_mton_schedule(struct hd_mton_schedule *schedule, const struct hd_mton *m,
                     struct hd_error *err)
{
  *schedule = (struct hd_mton_schedule){.unscheduled = m->kind == HD_MTON_UNSCHEDULED};
  int status = check(m, err);
  if (status)
    return status;
  size_t items = 0;
  for (uint32_t j = 0; j < m->destinations; j++)
    items += most_units(m, j);
  if (m->kind == HD_MTON_MERGED && items > HD_MTON_MAX_MERGED)
    return hd_fail(
        err, HD_E_INPUT,
        "a merged table of %zu messages a source; legal: up to %d, others are for padded", items,
        HD_MTON_MAX_MERGED);
  struct table t = {.mton = m,
                    .items = hd_xcalloc(items + 1, sizeof *t.items),
                    .places = hd_xcalloc(items + 1, sizeof *t.places)};
  transactions(schedule, &t, most_parts(m));
  free(t.items);
  free(t.places);
  return HD_OK;
}

void hd_mton_schedule_fini(struct hd_mton_schedule *schedule)
{
  free(schedule->transactions);
  free(schedule->entries);
  *schedule = (struct hd_mton_schedule){0};
}

bool hd_mton_at(const struct hd_mton *m, const struct hd_mton_schedule *schedule,
                const struct hd_mton_transaction *transaction, uint32_t source, uint32_t slot,
                struct hd_mton_entry *entry)
{
  if (source < transaction->first_source ||
      source - transaction->first_source >= transaction->sources || slot >= transaction->slots)
    return false;
  uint32_t at = schedule->unscheduled ? 0 : source - transaction->first_source;
  *entry = schedule->entries[transaction->entry + (at + slot) % transaction->slots];
  return entry->destination != HD_MTON_IDLE &&
         units(m, source, entry->destination - m->first_destination) > entry->part;
}

struct hd_mton_message *hd_mton_messages(const struct hd_mton *m,
                                         const struct hd_mton_schedule *schedule, size_t *n)
{
  struct hd_mton_message *messages =
      hd_xcalloc((size_t)schedule->slots * m->sources + 1, sizeof *messages);
  *n = 0;
  for (size_t i = 0; i < schedule->n_transactions; i++) {
    const struct hd_mton_transaction *t = &schedule->transactions[i];
    for (uint32_t slot = 0; slot < t->slots; slot++)
      for (uint32_t source = t->first_source; source < t->first_source + t->sources; source++) {
        struct hd_mton_entry entry;
        if (hd_mton_at(m, schedule, t, source, slot, &entry))
          messages[(*n)++] =
              (struct hd_mton_message){t->first_slot + slot, m->first + source, entry.destination};
      }
  }
  return messages;
}
