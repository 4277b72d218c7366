/* Makes a tape small: leaves out all that its difference does not need.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is left out comes in groups of items: a packet's flits, a credit, a write. Half of them at once,
 * then a quarter, … one: delta debugging. Each time the model says anew what must come out.
 */
#include "stream_tape.h"

#include "../../../bridge/campaign/campaign.h"

enum { KEPT = UINT32_MAX };

struct search {
  struct hd_tape *tape;
  const struct hd_dut_ops *ops;
  struct tape_outcome last;
  double until;
  uint32_t *group; /* [n]: of each item; KEPT: of none */
};

static bool over(const struct search *s)
{
  return s->tape->failed || hd_campaign_now() > s->until;
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

static bool same_difference(const struct tape_outcome *a, const struct tape_outcome *b)
{
  return a->result.difference == b->result.difference && a->result.address == b->result.address &&
         (a->errors || !b->errors);
}

/* Takes a tape in place of the one there is, if it still differs; `smaller` is taken over in any case. */
static bool try_tape(struct search *s, struct hd_tape *smaller)
{
  struct tape_outcome outcome;
  bool helps = !smaller->failed && !hd_tape_try(smaller, s->ops, &outcome, NULL) &&
               same_difference(&s->last, &outcome);
  s->tape->failed |= smaller->failed;
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

/* Without the groups [from, to). */
static bool try_without(struct search *s, uint32_t from, uint32_t to)
{
  struct hd_tape smaller = {.params = s->tape->params};
  for (size_t i = 0; i < s->tape->n; i++)
    if (s->group[i] < from || s->group[i] >= to)
      hd_tape_add(&smaller, &s->tape->items[i]);
  return try_tape(s, &smaller);
}

/* Numbers the groups; how many there are. */
typedef uint32_t group_fn(struct search *s);

static uint32_t group_kinds(struct search *s, unsigned kinds)
{
  uint32_t n = 0;
  for (size_t i = 0; i < s->tape->n; i++)
    s->group[i] = kinds >> s->tape->items[i].kind & 1 ? n++ : KEPT;
  return n;
}

static uint32_t group_steps(struct search *s)
{
  return group_kinds(s, 1u << TAPE_RESET | 1u << TAPE_READ | 1u << TAPE_SAVE | 1u << TAPE_RESTORE);
}

static uint32_t group_credits(struct search *s)
{
  return group_kinds(s, 1u << TAPE_CREDIT);
}

static uint32_t group_configs(struct search *s)
{
  return group_kinds(s, 1u << TAPE_CONFIG);
}

static uint32_t group_writes(struct search *s)
{
  return group_kinds(s, 1u << TAPE_WRITE);
}

static uint32_t group_flits(struct search *s)
{
  return group_kinds(s, 1u << TAPE_FLIT);
}

static uint32_t group_cycles(struct search *s)
{
  return group_kinds(s, 1u << TAPE_RUN);
}

/* Those of one input and channel one after the other. */
static uint32_t group_packets(struct search *s)
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

static bool leave_out(struct search *s, group_fn *group)
{
  bool helped = false;
  uint32_t n = group(s);
  for (uint32_t chunk = n; chunk; chunk /= 2)
    for (uint32_t from = 0; from < n && !over(s);) {
      if (try_without(s, from, from + chunk)) {
        helped = true;
        n = group(s);
      } else {
        from += chunk;
      }
    }
  return helped;
}

/* All before the last reset but configuration, which outlives it. */
static void leave_early_parts_out(struct search *s)
{
  size_t begin = 0;
  for (size_t i = 0; i < s->tape->n; i++)
    if (s->tape->items[i].kind == TAPE_RESET)
      begin = i + 1;
  for (size_t i = 0; i < s->tape->n; i++)
    s->group[i] = i < begin && s->tape->items[i].kind != TAPE_WRITE ? 0 : KEPT;
  if (begin)
    try_without(s, 0, 1);
}

static bool shorten(struct search *s)
{
  bool helped = false;
  for (size_t i = 0; i < s->tape->n && !over(s); i++)
    for (unsigned how = 0; how < 3 && i < s->tape->n && !over(s);) {
      uint32_t cycles = s->tape->items[i].cycles;
      const uint32_t to[] = {1, cycles / 2, cycles - 1};
      if (cycles < 2)
        break;
      struct hd_tape shorter = {.params = s->tape->params};
      for (size_t k = 0; k < s->tape->n; k++) {
        struct tape_item item = s->tape->items[k];
        if (k == i)
          item.cycles = to[how];
        hd_tape_add(&shorter, &item);
      }
      if (try_tape(s, &shorter))
        helped = true;
      else
        how++;
    }
  return helped;
}

int hd_tape_shrink(struct hd_tape *tape, const struct hd_dut_ops *ops, double seconds,
                   struct hd_error *err)
{
  static group_fn *const groups[] = {group_steps,  group_credits, group_packets, group_configs,
                                     group_writes, group_flits,   group_cycles};
  struct search s = {.tape = tape, .ops = ops, .until = hd_campaign_now() + seconds};
  int status = hd_tape_try(tape, ops, &s.last, err);
  if (status)
    return status;
  if (!s.last.result.difference)
    return hd_fail(err, HD_E_NOTHING, "played by itself the stream shows no difference");
  s.group = malloc((tape->n + 1) * sizeof *s.group);
  if (!s.group)
    return hd_fail(err, HD_E_NOMEM, "out of memory for a stream");
  cut(tape, &s.last);
  leave_early_parts_out(&s);
  for (bool helped = true; helped && !over(&s);) {
    helped = false;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
      helped |= leave_out(&s, groups[i]);
    helped |= shorten(&s);
  }
  free(s.group);
  return tape->failed ? hd_fail(err, HD_E_NOMEM, "out of memory for a stream") : HD_OK;
}
