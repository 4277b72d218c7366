/* Makes a tape small: leaves out items that its difference does not need.
 * SPDX-License-Identifier: Apache-2.0
 *
 * First it tries the shortest end of the tape, because short tapes play fast, and most differences need little of the
 * items before. Then it makes values smaller, because a counter that runs to a large value takes many cycles. Then it
 * leaves out groups of items, such as the flits of a packet, a credit, or a write: all groups at once, then half of them,
 * a quarter, … one (delta debugging). The model computes the expected outputs again for each trial.
 */
#include "tape_search.h"

#include "../../host/memory.h"
#include "../../campaign/campaign.h"

enum {
  FEW = 512 /* with at most so many items, each value is tried */
};
static const uint32_t kept = UINT32_MAX; /* the item is in no group, and stays */

bool hd_tape_search_over(const struct tape_search *s)
{
  return hd_campaign_now() > s->until;
}

/* Ends a tape where its difference shows. */
static void cut(struct hd_tape *t, const struct tape_outcome *outcome)
{
  uint64_t cycles = 0;
  if (outcome->items < t->n)
    t->n = outcome->items;
  for (size_t i = 0; i < t->n; i++) {
    struct tape_item *item = &t->items[i];
    if (cycles + item->cycles > outcome->cycles)
      item->cycles = (uint32_t)(outcome->cycles - cycles);
    cycles += item->cycles;
    if (cycles == outcome->cycles && outcome->result.difference != HD_STREAM_REGISTER &&
        item->kind == TAPE_RUN)
      t->n = i + 1;
  }
}

/* Returns the wrong bits of a register that was read. */
static unsigned wrong_bits(const struct tape_outcome *o)
{
  return o->result.expected.word ^ o->result.got.word;
}

bool hd_tape_same_difference(const struct tape_outcome *a, const struct tape_outcome *b)
{
  return a->result.difference == b->result.difference && a->result.address == b->result.address &&
         (a->result.difference != HD_STREAM_REGISTER || wrong_bits(a) & wrong_bits(b)) &&
         (a->errors || !b->errors);
}

bool hd_tape_search_try(struct tape_search *s, struct hd_tape *smaller)
{
  struct tape_outcome outcome;
  bool helps = !hd_tape_try(smaller, s->ops, s->until, &outcome, NULL) &&
               hd_tape_same_difference(&s->last, &outcome);
  if (helps) {
    struct tape_item *items = s->tape->items;
    cut(smaller, &outcome);
    *s->tape = *smaller;
    s->last = outcome;
    smaller->items = items;
  }
  free(smaller->items);
  return helps;
}

/* Tries the tape without the groups [from, to). */
static bool try_without(struct tape_search *s, uint32_t from, uint32_t to)
{
  struct hd_tape smaller = {.params = s->tape->params};
  for (size_t i = 0; i < s->tape->n; i++)
    if (s->group[i] < from || s->group[i] >= to)
      hd_tape_add(&smaller, &s->tape->items[i]);
  return hd_tape_search_try(s, &smaller);
}

/* Gives each item the number of its group, and returns the number of groups. */
typedef uint32_t group_fn(struct tape_search *s);

static uint32_t group_kinds(struct tape_search *s, unsigned kinds)
{
  uint32_t n = 0;
  for (size_t i = 0; i < s->tape->n; i++)
    s->group[i] = kinds >> s->tape->items[i].kind & 1 ? n++ : kept;
  return n;
}

static uint32_t group_steps(struct tape_search *s)
{
  return group_kinds(s, 1u << TAPE_RESET | 1u << TAPE_READ | 1u << TAPE_SAVE | 1u << TAPE_RESTORE);
}

static uint32_t group_credits(struct tape_search *s)
{
  return group_kinds(s, 1u << TAPE_CREDIT);
}

static uint32_t group_configs(struct tape_search *s)
{
  return group_kinds(s, 1u << TAPE_CONFIG);
}

static uint32_t group_writes(struct tape_search *s)
{
  return group_kinds(s, 1u << TAPE_WRITE);
}

static uint32_t group_flits(struct tape_search *s)
{
  return group_kinds(s, 1u << TAPE_FLIT);
}

static uint32_t group_cycles(struct tape_search *s)
{
  return group_kinds(s, 1u << TAPE_RUN);
}

/* Makes a group of each packet's flits: those of one input channel are numbered one after the other. */
static uint32_t group_packets(struct tape_search *s)
{
  uint32_t n = 0;
  group_kinds(s, 0);
  for (unsigned port = 0; port < s->tape->params.ports; port++)
    for (unsigned vc = 0; vc < HD_MAX_VCS; vc++) {
      bool any = false;
      for (size_t i = 0; i < s->tape->n; i++) {
        const struct tape_item *item = &s->tape->items[i];
        if (item->kind != TAPE_FLIT || item->port != port || item->vc != vc)
          continue;
        n += any && item->is != HD_KIND_BODY && item->is != HD_KIND_TAIL;
        any = true;
        s->group[i] = n;
      }
      n += any;
    }
  return n;
}

/* Makes a group of all flits and credits of each port. */
static uint32_t group_inputs(struct tape_search *s)
{
  uint32_t n = 0;
  group_kinds(s, 0);
  for (unsigned port = 0; port < s->tape->params.ports; port++) {
    bool any = false;
    for (size_t i = 0; i < s->tape->n; i++) {
      const struct tape_item *item = &s->tape->items[i];
      if ((item->kind != TAPE_FLIT && item->kind != TAPE_CREDIT) || item->port != port)
        continue;
      any = true;
      s->group[i] = n;
    }
    n += any;
  }
  return n;
}

static bool leave_out(struct tape_search *s, group_fn *group)
{
  bool helped = false;
  uint32_t n = group(s);
  for (uint32_t chunk = n; chunk; chunk /= 2)
    for (uint32_t from = 0; from < n && !hd_tape_search_over(s);) {
      if (try_without(s, from, from + chunk)) {
        helped = true;
        n = group(s);
      } else {
        from += chunk;
      }
    }
  return helped;
}

int hd_tape_shrink(struct hd_tape *tape, const struct hd_dut_ops *ops, double seconds,
                   struct hd_error *err)
{
  static group_fn *const groups[] = {group_steps,   group_inputs, group_credits, group_packets,
                                     group_configs, group_writes, group_flits,   group_cycles};
  struct tape_search s = {.tape = tape, .ops = ops, .until = hd_campaign_now() + seconds};
  int status = hd_tape_try(tape, ops, 0, &s.last, err);
  if (status)
    return status;
  if (!s.last.result.difference)
    return hd_fail(err, HD_E_NOTHING, "played by itself the stream shows no difference");
  s.group = hd_xmalloc((tape->n + 1) * sizeof *s.group);
  cut(tape, &s.last);
  /* Writes of rows take time in each trial. Where they are most of the tape, they are left out first. */
  const bool rows_first = hd_tape_count_rows(tape) > tape->n / 2;
  if (rows_first)
    hd_tape_keep_rows(&s);
  hd_tape_keep_end(&s);
  if (!rows_first)
    hd_tape_keep_rows(&s);
  if (tape->n > FEW)
    leave_out(&s, group_writes);
  for (bool helped = true; helped && !hd_tape_search_over(&s);) {
    helped = tape->n <= FEW && hd_tape_smaller_values(&s);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
      helped |= leave_out(&s, groups[i]);
    helped |= hd_tape_fewer_cycles(&s);
  }
  free(s.group);
  return HD_OK;
}
