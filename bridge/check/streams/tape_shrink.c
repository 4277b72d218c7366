/* Makes a tape small: leaves out items that its difference does not need.
 * SPDX-License-Identifier: Apache-2.0
 *
 * First it tries the shortest end of the tape, because short tapes play fast, and most differences need little of the
 * items before. Then it makes values smaller, because a counter that runs to a large value takes many cycles. Then it
 * leaves out groups of items, such as the flits of a packet, a credit, or a write: all groups at once, then half of them,
 * a quarter, … one (delta debugging). The model computes the expected outputs again for each trial.
 */
#include "tape_search.h"

#include "../../host/clock.h"
#include "../../host/memory.h"
#include "../../campaign/campaign.h"

enum {
  FEW = 512,            /* with at most so many items, each value is tried */
  NO_GROUP = UINT32_MAX /* the item is in no group, and stays */
};

bool hd_tape_search_over(const struct tape_search *s)
{
  return hd_seconds_now() > s->until;
}

/* Ends a tape where its difference shows. */
static void end_at_difference(struct hd_tape *t, const struct tape_outcome *outcome)
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
    end_at_difference(smaller, &outcome);
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

/* Groups of items: each item of some kinds alone; the flits of each packet; all flits and credits of each port. */
struct grouping {
  unsigned kinds; /* a bit for each enum tape_kind */
  enum { EACH, BY_PACKET, BY_PORT } by;
};

/* Gives each item the number of its group, and returns the number of groups. The packets of one input channel are numbered
 * one after the other. */
static uint32_t group_items(struct tape_search *s, const struct grouping *g)
{
  const bool packets = g->by == BY_PACKET;
  uint32_t n = 0;
  for (size_t i = 0; i < s->tape->n; i++)
    s->group[i] = g->by == EACH && g->kinds >> s->tape->items[i].kind & 1 ? n++ : NO_GROUP;
  for (unsigned port = 0; g->by != EACH && port < s->tape->params.ports; port++)
    for (unsigned vc = 0; vc < (packets ? HD_MAX_VCS : 1); vc++) {
      bool any = false;
      for (size_t i = 0; i < s->tape->n; i++) {
        const struct tape_item *item = &s->tape->items[i];
        if (!(g->kinds >> item->kind & 1) || item->port != port || (packets && item->vc != vc))
          continue;
        n += packets && any && item->is != HD_KIND_BODY && item->is != HD_KIND_TAIL;
        any = true;
        s->group[i] = n;
      }
      n += any;
    }
  return n;
}

static bool leave_out(struct tape_search *s, const struct grouping *g)
{
  bool helped = false;
  uint32_t n = group_items(s, g);
  for (uint32_t chunk = n; chunk; chunk /= 2)
    for (uint32_t from = 0; from < n && !hd_tape_search_over(s);) {
      if (try_without(s, from, from + chunk)) {
        helped = true;
        n = group_items(s, g);
      } else {
        from += chunk;
      }
    }
  return helped;
}

int hd_tape_shrink(struct hd_tape *tape, const struct hd_dut_ops *ops, double seconds,
                   struct hd_error *err)
{
  enum { STEPS = 1 << TAPE_RESET | 1 << TAPE_READ | 1 << TAPE_SAVE | 1 << TAPE_RESTORE };
  static const struct grouping writes = {1 << TAPE_WRITE, EACH},
                               groups[] = {{STEPS, EACH},
                                           {1 << TAPE_FLIT | 1 << TAPE_CREDIT, BY_PORT},
                                           {1 << TAPE_CREDIT, EACH},
                                           {1 << TAPE_FLIT, BY_PACKET},
                                           {1 << TAPE_CONFIG, EACH},
                                           {1 << TAPE_WRITE, EACH},
                                           {1 << TAPE_FLIT, EACH},
                                           {1 << TAPE_RUN, EACH}};
  struct tape_search s = {.tape = tape, .ops = ops, .until = hd_seconds_now() + seconds};
  int status = hd_tape_try(tape, ops, 0, &s.last, err);
  if (status)
    return status;
  if (!s.last.result.difference)
    return hd_fail(err, HD_E_NOTHING, "played by itself the stream shows no difference");
  s.group = hd_xmalloc((tape->n + 1) * sizeof *s.group);
  end_at_difference(tape, &s.last);
  /* Writes of rows take time in each trial. Where they are most of the tape, they are left out first. */
  const bool rows_first = hd_tape_count_rows(tape) > tape->n / 2;
  if (rows_first)
    hd_tape_keep_rows(&s);
  hd_tape_keep_end(&s);
  if (!rows_first)
    hd_tape_keep_rows(&s);
  if (tape->n > FEW)
    leave_out(&s, &writes);
  for (bool helped = true; helped && !hd_tape_search_over(&s);) {
    helped = tape->n <= FEW && hd_tape_smaller_values(&s);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
      helped |= leave_out(&s, &groups[i]);
    helped |= hd_tape_fewer_cycles(&s);
  }
  free(s.group);
  return HD_OK;
}
