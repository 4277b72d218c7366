/* The switch model: chooses among several output ports, by free credits or by the neighbours' counts of packets
 * (specification §10).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adaptive_state.h"

#include <string.h>

size_t hd_adaptive_size(const struct hd_switch_params *p)
{
  return hd_switch_has_sets(p)
             ? sizeof(struct adaptive_state) + (size_t)p->ports * p->nodes * sizeof(uint16_t)
             : 0;
}

void hd_adaptive_reset(struct hd_switch *sw)
{
  struct adaptive_state *a = adaptive_of(sw);
  memset(a, 0, offsetof(struct adaptive_state, sets));
  a->cycle = UINT64_MAX;
  for (unsigned port = 0; port < sw->ports; port++)
    a->generator[port] = (uint16_t)(1 + port);
}

/* Returns sum(o) at the start of the cycle: credits taken and given in this cycle do not count yet. */
static unsigned free_credits(const struct hd_switch *sw, bool changed, unsigned port,
                             unsigned channels)
{
  const struct adaptive_state *a = adaptive_of(sw);
  unsigned sum = 0;
  for (unsigned left = channels; left; left &= left - 1) {
    unsigned vc = (unsigned)__builtin_ctz(left);
    sum += switch_credit(sw, port, vc);
    if (changed)
      sum += (a->taken[port] >> vc & 1u) - (a->given[port] >> vc & 1u);
  }
  return sum;
}

/* Returns free(o), given the sum of credits. */
static unsigned capped_credits(const struct adaptive_state *a, unsigned sum)
{
  return a->cap && sum > a->cap ? a->cap : sum;
}

/* Returns count[o] at the start of the cycle. */
static unsigned neighbours_count(const struct hd_switch *sw, bool changed, unsigned port)
{
  const struct adaptive_state *a = adaptive_of(sw);
  return changed && (a->told >> port & 1) ? a->before[port] : a->count[port];
}

static void cover_choice(const struct hd_switch *sw, unsigned set, unsigned legal, unsigned best,
                         unsigned taken)
{
  if (!sw->coverage)
    return;
  uint64_t *count = sw->coverage->count;
  if (set != legal)
    count[HD_POINT_SET_BEYOND]++;
  if (!legal)
    count[HD_POINT_SET_EMPTY]++;
  else if (!adaptive_channels(sw))
    count[HD_POINT_SET_NO_CHANNEL]++;
  else if (!(legal & (legal - 1)))
    count[HD_POINT_SET_ONE]++;
  else
    count[HD_POINT_BEST_ONE + switch_others(best)]++;
  if (taken)
    count[HD_POINT_FREE_TAKEN]++;
}

/* Counts choices in which ports are equal only because of the cap. */
static void cover_cap(const struct hd_switch *sw, bool changed, unsigned best)
{
  unsigned channels = adaptive_channels(sw), least = HD_MAX_VCS * HD_MAX_DEPTH, most = 0;
  for (unsigned left = best; left; left &= left - 1) {
    unsigned sum = free_credits(sw, changed, (unsigned)__builtin_ctz(left), channels);
    least = sum < least ? sum : least;
    most = sum > most ? sum : most;
  }
  if (most > least)
    switch_cover(sw, HD_POINT_CAP_EQUALS);
}

/* Notes the coverage of a choice by counts (§10.8). */
static void cover_count(const struct hd_switch *sw, bool changed, unsigned legal, unsigned best)
{
  const struct adaptive_state *a = adaptive_of(sw);
  unsigned channels = adaptive_channels(sw), fewest = HD_MAX_VCS * HD_MAX_DEPTH, most = 0;
  if (changed && a->told)
    switch_cover(sw, HD_POINT_COUNT_LATE);
  for (unsigned left = legal; left; left &= left - 1) {
    unsigned output = (unsigned)__builtin_ctz(left);
    unsigned free = free_credits(sw, changed, output, channels);
    if (best >> output & 1)
      fewest = free < fewest ? free : fewest;
    else
      most = free > most ? free : most;
  }
  if (most > fewest)
    switch_cover(sw, HD_POINT_COUNT_NO_CREDIT);
}

void hd_adaptive_arrive(struct hd_switch *sw, uint64_t cycle, unsigned port,
                        const struct slot *slot)
{
  struct adaptive_state *a = adaptive_of(sw);
  uint64_t destination = slot->data >> 2 & ((UINT64_C(1) << sw->node_bits) - 1);
  if ((slot->kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) != HD_KIND_HEAD || (slot->data & 3) ||
      destination >= sw->params.nodes)
    return;
  unsigned set = a->sets[port * sw->params.nodes + destination], channels = adaptive_channels(sw);
  unsigned legal = set & ((1u << sw->ports) - 1), best = 0, most = 0, taken = 0;
  bool changed = a->cycle == cycle;
  for (unsigned left = channels ? legal : 0; left; left &= left - 1) {
    unsigned output = (unsigned)__builtin_ctz(left);
    unsigned free = sw->adaptive == HD_ADAPTIVE_COUNT
                        ? HD_COUNT_MOST - neighbours_count(sw, changed, output)
                        : capped_credits(a, free_credits(sw, changed, output, channels));
    if (changed && sw->adaptive != HD_ADAPTIVE_COUNT)
      taken |= a->taken[output] & channels;
    if (free > most)
      best = 0;
    if (free >= most) {
      best |= 1u << output;
      most = free;
    }
  }
  cover_choice(sw, set, legal, best, taken);
  if (sw->adaptive == HD_ADAPTIVE_COUNT && sw->coverage && best)
    cover_count(sw, changed, legal, best);
  if (sw->adaptive != HD_ADAPTIVE_COUNT && sw->coverage && best)
    cover_cap(sw, changed, best);
  if (!best)
    return;
  a->best[port] = (uint16_t)best;
  a->head[port] = (uint32_t)((const char *)slot - (const char *)sw);
  a->drawing_ports |= (uint16_t)(1u << port);
}

void hd_adaptive_give(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs)
{
  adaptive_begin(sw, cycle);
  for (unsigned left = vcs; left; left &= left - 1) {
    unsigned vc = (unsigned)__builtin_ctz(left);
    if (switch_credit(sw, port, vc) < sw->depth)
      adaptive_of(sw)->given[port] |= (uint8_t)(1u << vc);
  }
}

void hd_adaptive_tell(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned count)
{
  struct adaptive_state *a = adaptive_of(sw);
  adaptive_begin(sw, cycle);
  switch_cover(sw, count == a->count[port] ? HD_POINT_COUNT_SAME : HD_POINT_COUNT_COMES);
  if (a->drawing_ports)
    switch_cover(sw, HD_POINT_COUNT_LATE);
  if (!(a->told >> port & 1))
    a->before[port] = a->count[port];
  a->told |= (uint16_t)(1u << port);
  a->count[port] = (uint8_t)count;
}

static unsigned told_credits(const struct adaptive_state *a)
{
  return a->packets < HD_COUNT_MOST ? a->packets : HD_COUNT_MOST;
}

unsigned hd_adaptive_show(struct hd_switch *sw, uint64_t cycle)
{
  struct adaptive_state *a = adaptive_of(sw);
  unsigned count = told_credits(a);
  sw->active -= a->owes;
  a->owes = 0;
  if (a->packets > HD_COUNT_MOST)
    switch_cover(sw, HD_POINT_COUNT_MORE);
  if (count == a->shown)
    return 0;
  switch_cover(sw, count > a->shown ? HD_POINT_COUNT_RISES : HD_POINT_COUNT_FALLS);
  a->shown = (uint8_t)count;
  switch_quiet_not_before(sw, cycle + 3);
  return HD_COUNT_SHOWN | count;
}

void hd_adaptive_owe(struct hd_switch *sw)
{
  struct adaptive_state *a = adaptive_of(sw);
  a->owes = told_credits(a) != a->shown;
  sw->active += a->owes;
}

/* Returns the generator after the eight steps of §10.3. */
static uint16_t next_generator(uint16_t generator)
{
  for (unsigned step = 0; step < 8; step++)
    generator = (uint16_t)(generator >> 1 ^ (generator & 1 ? 0xB400 : 0));
  return generator;
}

void hd_adaptive_draw(struct hd_switch *sw)
{
  struct adaptive_state *a = adaptive_of(sw);
  for (unsigned ports = a->drawing_ports; ports; ports &= ports - 1) {
    unsigned port = (unsigned)__builtin_ctz(ports), best = a->best[port];
    unsigned n = 0;
    struct slot *head = (struct slot *)(void *)((char *)sw + a->head[port]);
    for (unsigned left = best; left; left &= left - 1)
      n++;
    for (unsigned number = (a->generator[port] & 0xffu) * n >> 8; number; number--)
      best &= best - 1;
    if (n > 1 && !(best & (best - 1)))
      switch_cover(sw, HD_POINT_DRAWN_LAST);
    head->is_chosen = 1;
    head->chosen = (unsigned)__builtin_ctz(best) & 15u;
    a->generator[port] = next_generator(a->generator[port]);
  }
  a->drawn_ports = a->drawing_ports;
  a->drawing_ports = 0;
}

void hd_adaptive_write_generator(struct hd_switch *sw, unsigned port, uint16_t value)
{
  struct adaptive_state *a = adaptive_of(sw);
  switch_cover(sw, value ? HD_POINT_WRITE_GENERATOR : HD_POINT_WRITE_GENERATOR_0);
  if (a->drawing_ports >> port & 1)
    switch_cover(sw, HD_POINT_GENERATOR_DRAW);
  if (a->drawn_ports >> port & 1)
    switch_cover(sw, HD_POINT_GENERATOR_STEP);
  a->generator[port] = value ? value : 1;
}
