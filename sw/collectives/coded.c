/* Network coding as messages in steps: a plan of sw/coding, for an allgather.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A plan says what a member sends when it has got an item. Each message is put in the first step in
 * which its sender and its receiver are free, after the step in which the sender gets the item. So
 * a member sends and receives at most one message in a step, as in the α–β model.
 */
#include "plan.h"

#include "../coding/coding.h"

#include <stdlib.h>
#include <string.h>

enum { TRIED_NODES = 256 }; /* in boxes of at most so many nodes, all shapes of groups are tried */

/* The steps in which a member is busy, one bit each. */
struct busy {
  uint64_t *words;
  uint32_t n;
};

struct maker {
  const struct hd_coded_box *box;
  const struct hd_memory *memory;
  const struct hd_coding *coding;
  uint32_t nodes, n_pairs;
  uint32_t *first_pair; /* [groups + 1] */
  /** [nodes][nodes + pairs] the first step in which a node has an item; 0 for its own */
  uint32_t *arrival_step;
  struct busy *sends, *receives; /* [nodes] */
  struct hd_step_message *messages;
  uint32_t n, capacity;
  bool failed; /* no memory */
};

static void *allocate(struct maker *m, size_t bytes)
{
  void *memory = m->memory->alloc(m->memory->context, bytes);
  m->failed = m->failed || !memory;
  return memory;
}

/* Makes room for at least `n` elements of `size` bytes, and copies the old ones. NULL: no
 * memory. */
static void *grow(struct maker *m, const void *old, uint32_t old_n, uint32_t n, size_t size)
{
  void *larger = allocate(m, n * size);
  if (larger && old_n)
    memcpy(larger, old, old_n * size);
  return larger;
}

static uint64_t word_of(const struct busy *b, uint32_t word)
{
  return word < b->n ? b->words[word] : 0;
}

static void mark_busy(struct maker *m, struct busy *b, uint32_t step)
{
  const uint32_t word = step / 64;
  if (word >= b->n) {
    uint64_t *larger = grow(m, b->words, b->n, 2 * (word + 1), sizeof *larger);
    if (!larger)
      return;
    b->words = larger;
    b->n = 2 * (word + 1);
  }
  b->words[word] |= UINT64_C(1) << step % 64;
}

static uint32_t first_free(const struct busy *sends, const struct busy *receives, uint32_t from)
{
  for (uint32_t word = from / 64;; word++) {
    uint64_t is_free = ~(word_of(sends, word) | word_of(receives, word));
    if (word == from / 64)
      is_free &= UINT64_MAX << from % 64;
    if (is_free)
      return word * 64 + (uint32_t)__builtin_ctzll(is_free);
  }
}

/* ── the messages ──────────────────────────────────────────────────────────── */

/* Returns the number of an item: data by their nodes, then pairs. */
static uint32_t number_of(const struct maker *m, const struct hd_coding_item *item)
{
  return item->what == HD_CODING_PAIR ? m->nodes + m->first_pair[item->group] + item->index
                                      : item->index;
}

static uint32_t *item_step(const struct maker *m, uint32_t node, uint32_t item)
{
  return &m->arrival_step[(size_t)node * (m->nodes + m->n_pairs) + item];
}

static uint32_t first_step(const struct maker *m, const struct hd_coding_send *send)
{
  if (send->item.what != HD_CODING_PAIR || send->after.step != HD_CODING_STEPS)
    return *item_step(m, send->from, number_of(m, &send->item));
  uint32_t n;
  const uint32_t *sources = hd_coding_sources(m->coding, 0, send->item.group, &n);
  const uint32_t a = *item_step(m, send->from, sources[send->item.index]);
  const uint32_t b = *item_step(m, send->from, sources[send->item.index + 1]);
  return a > b ? a : b;
}

static void add_message(void *context, const struct hd_coding_send *send)
{
  struct maker *m = context;
  if (m->failed)
    return;
  if (m->n == m->capacity) {
    const uint32_t capacity = m->capacity ? 2 * m->capacity : 64;
    struct hd_step_message *larger = grow(m, m->messages, m->n, capacity, sizeof *larger);
    if (!larger)
      return;
    m->messages = larger;
    m->capacity = capacity;
  }
  const uint32_t item = number_of(m, &send->item);
  const uint32_t step =
      first_free(&m->sends[send->from], &m->receives[send->to], first_step(m, send));
  mark_busy(m, &m->sends[send->from], step);
  mark_busy(m, &m->receives[send->to], step);
  *item_step(m, send->to, item) = step + 1;
  m->messages[m->n++] =
      (struct hd_step_message){step, m->box->member[send->from], m->box->member[send->to],
                               item < m->nodes ? m->box->member[item] : item};
}

/* Sorts the messages by step. Messages of a step keep their order. */
static void sort_messages(struct maker *m)
{
  uint32_t steps = 0;
  for (uint32_t i = 0; i < m->n; i++)
    steps = steps > m->messages[i].step ? steps : m->messages[i].step + 1;
  uint32_t *first = allocate(m, ((size_t)steps + 1) * sizeof *first);
  struct hd_step_message *sorted = allocate(m, ((size_t)m->n + 1) * sizeof *sorted);
  if (m->failed)
    return;
  for (uint32_t i = 0; i < m->n; i++)
    first[m->messages[i].step + 1]++;
  for (uint32_t i = 1; i <= steps; i++)
    first[i] += first[i - 1];
  for (uint32_t i = 0; i < m->n; i++)
    sorted[first[m->messages[i].step]++] = m->messages[i];
  m->messages = sorted;
}

/* ── pairs, and restored data ────────────────────────────────────────────── */

static void find_pairs(struct maker *m, struct hd_coded *coded)
{
  struct hd_coded_pair *pairs = allocate(m, (m->n_pairs + 1) * sizeof *pairs);
  for (uint32_t g = 0; !m->failed && g < hd_coding_groups(m->coding, 0); g++) {
    uint32_t n;
    const uint32_t *sources = hd_coding_sources(m->coding, 0, g, &n);
    const uint32_t maker = hd_coding_intermediate(m->coding, 0, g);
    for (uint32_t q = 0; q + 1 < n; q++)
      pairs[m->first_pair[g] + q] = (struct hd_coded_pair){
          m->box->member[maker], {m->box->member[sources[q]], m->box->member[sources[q + 1]]}};
  }
  coded->n_pairs = m->n_pairs;
  coded->pairs = pairs;
}

/* Restores the data of a group, upwards and then downwards from the one that came uncoded. */
static uint32_t restore_group(const struct maker *m, uint32_t node, uint32_t group,
                              struct hd_restored *restored)
{
  uint32_t n, done = 0;
  const uint32_t *sources = hd_coding_sources(m->coding, 0, group, &n);
  const uint32_t native = hd_coding_native(m->coding, 0, group, node);
  for (uint32_t i = native + 1; i < n; i++)
    restored[done++] = (struct hd_restored){
        m->first_pair[group] + i - 1, m->box->member[sources[i - 1]], m->box->member[sources[i]]};
  for (uint32_t i = native; i--;)
    restored[done++] = (struct hd_restored){
        m->first_pair[group] + i, m->box->member[sources[i + 1]], m->box->member[sources[i]]};
  return done;
}

static void find_restored(struct maker *m, struct hd_coded *coded)
{
  uint32_t *first = allocate(m, ((size_t)m->nodes + 1) * sizeof *first), n = 0;
  uint32_t *node = allocate(m, m->nodes * sizeof *node); /* of a member */
  struct hd_restored *restored =
      allocate(m, (size_t)m->nodes * (m->n_pairs + 1) * sizeof *restored);
  if (m->failed)
    return;
  for (uint32_t i = 0; i < m->nodes; i++)
    node[m->box->member[i]] = i;
  for (uint32_t member = 0; member < m->nodes; member++) {
    const uint32_t own = hd_coding_group(m->coding, 0, node[member]);
    first[member] = n;
    for (uint32_t g = 0; g < hd_coding_groups(m->coding, 0); g++)
      if (g != own)
        n += restore_group(m, node[member], g, restored + n);
  }
  first[m->nodes] = n;
  coded->first = first;
  coded->restored = restored;
}

/* ── the plan ──────────────────────────────────────────────────────────────── */

static void number_pairs(struct maker *m)
{
  const uint32_t groups = hd_coding_groups(m->coding, 0);
  m->first_pair = allocate(m, ((size_t)groups + 1) * sizeof *m->first_pair);
  for (uint32_t g = 0; !m->failed && g < groups; g++) {
    uint32_t n;
    hd_coding_sources(m->coding, 0, g, &n);
    m->first_pair[g] = m->n_pairs;
    m->n_pairs += n ? n - 1 : 0;
  }
}

/* Makes the messages of a plan. */
static int make_messages(struct maker *m, const struct hd_coding_request *request,
                         struct hd_error *err)
{
  struct hd_coding *coding;
  int status = hd_coding_create(&coding, request, err);
  if (status)
    return status;
  m->coding = coding;
  number_pairs(m);
  m->arrival_step =
      allocate(m, (size_t)m->nodes * (m->nodes + m->n_pairs) * sizeof *m->arrival_step);
  m->sends = allocate(m, m->nodes * sizeof *m->sends);
  m->receives = allocate(m, m->nodes * sizeof *m->receives);
  if (!m->failed)
    hd_coding_walk(coding, add_message, m);
  if (!m->failed)
    sort_messages(m);
  return m->failed ? hd_fail(err, HD_E_NOMEM, "no memory for a coded plan") : HD_OK;
}

/* ── choice of a plan ────────────────────────────────────────────────────── */

/* A block of memory of a plan that is only tried. */
struct block {
  struct block *next;
  _Alignas(max_align_t) unsigned char bytes[];
};

static void *allocate_block(void *context, size_t bytes)
{
  struct block **all = context, *block = calloc(1, sizeof *block + bytes);
  if (!block)
    return NULL;
  block->next = *all;
  *all = block;
  return block->bytes;
}

static void free_blocks(struct block *all)
{
  for (struct block *next; all; all = next) {
    next = all->next;
    free(all);
  }
}

/* Returns the number of steps of the plan; 0: there is none. */
static uint32_t count_steps(const struct hd_coded_box *box, struct hd_coding_request request,
                            uint32_t nodes)
{
  struct block *blocks = NULL;
  const struct hd_memory memory = {allocate_block, &blocks};
  struct maker m = {.box = box, .memory = &memory, .nodes = nodes};
  struct hd_error ignored;
  request.alloc = allocate_block;
  request.alloc_context = &blocks;
  uint32_t steps = make_messages(&m, &request, &ignored) || !m.n ? 0 : m.messages[m.n - 1].step + 1;
  free_blocks(blocks);
  return steps;
}

/* Sets the next sides of groups that divide the box's sides; dimension 0 changes fastest. Returns
 * false if there are no more. */
static bool next_shape(struct hd_coding_request *r)
{
  for (uint32_t d = 0; d < r->n_dims; d++) {
    for (uint32_t side = r->group[0][d] + 1; side <= r->dims[d]; side++)
      if (r->dims[d] % side == 0) {
        r->group[0][d] = side;
        return true;
      }
    r->group[0][d] = 1;
  }
  return false;
}

/* Makes two groups, which halve the longest side. */
static void make_two_halves(struct hd_coding_request *r)
{
  uint32_t longest = 0;
  r->n_levels = 1;
  for (uint32_t d = 0; d < r->n_dims; d++) {
    r->group[0][d] = r->dims[d];
    longest = r->dims[d] > r->dims[longest] ? d : longest;
  }
  r->group[0][longest] = (r->dims[longest] + 1) / 2;
}

/* Chooses the groups, of at least two nodes and at most half of all, and the multicast with which
 * the plan has the fewest steps. If no such groups divide the box, its halves are the groups. In a
 * large box, only the shape with the fewest hops is tried. */
static void choose_groups(struct hd_coding_request *r, const struct hd_coded_box *box,
                          uint32_t nodes)
{
  struct hd_coding_request tried = *r;
  struct hd_error ignored;
  uint32_t fewest = UINT32_MAX;
  const bool large = nodes > TRIED_NODES && !hd_coding_best_group(&tried, 0, &ignored);
  make_two_halves(r);
  tried.n_levels = 1;
  for (uint32_t d = 0; !large && d < r->n_dims; d++)
    tried.group[0][d] = 1;
  do {
    uint32_t members = 1;
    for (uint32_t d = 0; d < r->n_dims; d++)
      members *= tried.group[0][d];
    for (unsigned i = 0; members > 1 && members <= nodes / 2 && i < 2; i++) {
      tried.multicast = i ? HD_CODING_NEIGHBOUR : HD_CODING_TREE;
      const uint32_t steps = count_steps(box, tried, nodes);
      if (!steps || steps >= fewest)
        continue;
      fewest = steps;
      *r = tried;
    }
  } while (!large && next_shape(&tried));
}

int hd_coded_plan_make(struct hd_steps *steps, const struct hd_coded_box *box,
                       const struct hd_memory *memory, struct hd_error *err)
{
  struct maker m = {.box = box, .memory = memory, .nodes = 1};
  struct hd_coding_request request = {.n_dims = box->n_dims,
                                      .torus = box->torus,
                                      .scheme = HD_CODING_CODED,
                                      .multicast = HD_CODING_TREE};
  for (uint32_t d = 0; d < box->n_dims; d++)
    m.nodes *= request.dims[d] = box->dims[d];
  choose_groups(&request, box, m.nodes);
  request.alloc = memory->alloc;
  request.alloc_context = memory->context;
  struct hd_coded *coded = allocate(&m, sizeof *coded);
  int status = make_messages(&m, &request, err);
  if (!status) {
    find_pairs(&m, coded);
    find_restored(&m, coded);
    steps->coded = coded;
  }
  if (!status && (m.failed || !hd_steps_fill(steps, m.messages, m.n, m.nodes, memory)))
    status = hd_fail(err, HD_E_NOMEM, "no memory for a coded plan");
  return status;
}
