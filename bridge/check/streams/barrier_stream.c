/* Draws barrier traffic around one switch: the messages, padding and register writes of chapters 7 and 8.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "barrier_stream.h"

#include "stream_random.h"

#include <string.h>

/* Styles with `narrow` use two groups that differ in one bit, and this switch between two others. So a tree is built and
 * used again and again, and reports come twice, too early, or from other switches. Numbers are small, or taken from
 * `names`; then a number at times differs in one bit from that of a real neighbour. */
static uint32_t narrow_group(uint64_t *rnd, uint32_t names)
{
  uint32_t group = names ? names & 31 : 5, bit = names ? (names >> 5) % 5 : 4;
  return chance(rnd, 800) ? group : group ^ 1u << bit;
}

static uint32_t narrow_self(uint32_t names)
{
  return names ? names >> 8 & 0x7ff : 1;
}

static uint32_t narrow_alias(uint64_t *rnd, uint32_t names)
{
  if (!names || !chance(rnd, 300))
    return 0;
  return 1u << (chance(rnd, 700) ? names >> 20 : below(rnd, 11)) % 11;
}

/* Draws a report between two other switches that passes this one, often of a group for which a small table has no entry
 * left. */
static uint32_t passing_message(uint64_t *rnd, uint32_t names)
{
  const uint32_t group = narrow_group(rnd, names), third = chance(rnd, 500);
  const uint32_t at = 2 * below(rnd, 2), from = at ^ 1u << below(rnd, 11), tag = below(rnd, 3);
  return hd_barrier_message(HD_INITIAL_REDUCE, tag, group ^ third << below(rnd, 5), at, from);
}

static uint32_t narrow_message(uint64_t *rnd, const struct stream_style *style)
{
  uint32_t names = style->names;
  if (names && chance(rnd, 100))
    return passing_message(rnd, names);
  uint32_t group = narrow_group(rnd, names), from = 2 * below(rnd, 2);
  from ^= narrow_alias(rnd, names);
  uint32_t at = chance(rnd, 850) ? narrow_self(names) : from, kind = below(rnd, 16);
  if (chance(rnd, style->fails))
    return hd_barrier_message(HD_FAIL, 0, group, at, from);
  return kind < 5    ? hd_barrier_local(HD_REDUCE, group)
         : kind < 8  ? hd_barrier_message(HD_INITIAL_REDUCE, below(rnd, 3), group, at, from)
         : kind < 12 ? hd_barrier_message(HD_REDUCE, 0, group, at, from)
                     : hd_barrier_message(HD_DISTRIBUTE, 0, group, at, from);
}

/* Draws a value near an end of the range, or any value. */
static uint32_t any_value(uint64_t *rnd)
{
  static const uint32_t ends[] = {0, 1, UINT32_MAX, INT32_MAX, UINT32_C(1) << 31};
  const uint32_t kind = below(rnd, 8);
  if (kind < sizeof ends / sizeof *ends)
    return ends[kind] ^ (chance(rnd, 300) ? 1u << below(rnd, 32) : 0);
  return (uint32_t)(next_random(rnd) >> 20);
}

/* Draws an operator. Half of the messages have none, because otherwise no tree would be built. Messages of one group
 * mostly have the same operator. */
static unsigned any_operator(uint64_t *rnd, uint32_t message)
{
  if (chance(rnd, 500))
    return HD_BARRIER_NO_VALUE;
  return HD_BARRIER_SUM + (chance(rnd, 700) ? message >> 4 & 31 : below(rnd, 3)) % 3;
}

uint64_t hd_barrier_stream_value(const struct hd_switch_params *p, uint64_t *rnd, uint32_t message,
                                 unsigned operator_)
{
  if (!p->values)
    return message;
  if (hd_barrier_is_initial(message))
    return hd_barrier_valued(message, 0, chance(rnd, 100) ? any_value(rnd) : 0);
  if (chance(rnd, 30))
    operator_ = below(rnd, 4);
  return hd_barrier_valued(message, operator_, operator_ || chance(rnd, 30) ? any_value(rnd) : 0);
}

/* Takes one of the due messages; or returns one that differs from it in a bit, and the due message stays due. */
static uint64_t due_message(const struct hd_switch_params *p, struct barrier_neighbour *b,
                            uint64_t *rnd)
{
  const uint32_t at = below(rnd, b->n_due);
  const uint64_t message = b->due[at].message;
  if (chance(rnd, 100))
    return message ^ UINT64_C(1) << below(rnd, p->values ? 64 : 32);
  b->due[at] = b->due[--b->n_due];
  return message;
}

/* Returns the number of switches for which the routing table has ways. */
static uint32_t known_switches(const struct hd_switch_params *p)
{
  return p->switches < BARRIER_WORLD ? p->switches : BARRIER_WORLD;
}

static uint32_t random_message(const struct hd_switch_params *p, uint64_t *rnd,
                               const struct stream_style *style)
{
  if (style->countdown) /* the sender is no child of this switch, but one further away */
    return hd_barrier_message(HD_INITIAL_REDUCE, 2, 0, 1, below(rnd, BARRIER_WORLD));
  if (style->ends && chance(rnd, 300)) { /* a message that leaves by any port */
    const uint32_t group = narrow_group(rnd, 0);
    return hd_barrier_message(HD_REDUCE, 0, group, below(rnd, known_switches(p)), 0);
  }
  if (style->narrow)
    return narrow_message(rnd, style);
  uint32_t group = style->crowd ? below(rnd, 32) : below(rnd, p->groups + 2) & 31;
  uint32_t at = below(rnd, 2) ? 1 : below(rnd, BARRIER_WORLD), from = below(rnd, BARRIER_WORLD);
  if (chance(rnd, 250))
    return hd_barrier_local(chance(rnd, 30) ? HD_FAIL : HD_REDUCE, group);
  if (chance(rnd, 20))
    at = below(rnd, HD_MAX_BARRIER_SWITCHES);
  switch (below(rnd, 8)) {
  case 0:
    return hd_barrier_message(HD_DISTRIBUTE, 0, group, at, from);
  case 1:
    return hd_barrier_message(chance(rnd, 100) ? HD_FAIL : HD_DISTRIBUTE, 0, group, at, from);
  case 2:
  case 3:
  case 4:
    return hd_barrier_message(HD_REDUCE, 0, group, at, from);
  default:
    return hd_barrier_message(HD_INITIAL_REDUCE, chance(rnd, 20) ? 3 : below(rnd, 3), group, at,
                              from);
  }
}

/* Gives the next flit, of kind 4 or 5, of the message under way. */
static void put_message_flit(const struct hd_switch_params *p, struct barrier_neighbour *b,
                             struct hd_flit_event *e)
{
  bool two = p->data_bits == 16;
  e->vc = b->vc;
  if (two && !b->half) {
    e->kind = HD_KIND_BARRIER;
    e->data = b->message & 0xffff;
  } else {
    e->kind = HD_KIND_BARRIER_LAST;
    e->data = two ? b->message >> 16 : b->message;
  }
  b->half = two && !b->half;
}

bool hd_barrier_stream_send(const struct hd_switch_params *p, struct barrier_neighbour *b,
                            int *credits, const uint32_t *left, uint64_t *rnd,
                            const struct stream_style *style, struct hd_flit_event *e)
{
  bool beside = hd_barrier_beside(p);
  int flits = (int)hd_barrier_flits(p);
  if (b->half) {
    put_message_flit(p, b, e);
    return true;
  }
  uint32_t v = below(rnd, p->vcs);
  if (!chance(rnd, style->trees ? 450 : style->load / 2))
    return false;
  if (chance(rnd, 300)) { /* padding: a request, or its end */
    if (p->barrier == HD_BARRIER_FIXED)
      v = 0;
    if (p->barrier >= HD_BARRIER_QUEUED || (!beside && credits[v] <= 0))
      return false;
    if (style->narrow && !b->preempted &&
        !chance(rnd, 200)) /* seldom, so that the switch is quiescent at times */
      return false;
    if (style->narrow && b->preempted && !(b->preempted >> v & 1))
      return false;
    e->vc = (uint8_t)v;
    e->kind = HD_KIND_PADDING;
    e->data = b->preempted >> v & 1;
    b->preempted ^= 1u << v;
    credits[v] -= !beside;
    return true;
  }
  if (chance(rnd, 100) && left[v] && credits[v] > 0 && !(b->preempted >> v & 1)) {
    e->vc = (uint8_t)v;
    e->kind = HD_KIND_NULL;
    e->data = 0;
    credits[v]--;
    return true;
  }
  if (p->barrier == HD_BARRIER_RESERVED && !style->illegal)
    v = p->vcs - 1;
  if (b->credits <= 0 || (!beside && credits[v] < flits))
    return false;
  if (p->barrier == HD_BARRIER_QUEUED && left[v])
    return false;
  if (style->trees && !b->n_due)
    return false;
  b->vc = (uint8_t)v;
  if (style->trees) {
    b->message = due_message(p, b, rnd);
  } else {
    const uint32_t message = random_message(p, rnd, style);
    b->message =
        hd_barrier_stream_value(p, rnd, message, p->values ? any_operator(rnd, message) : 0);
  }
  b->credits--;
  if (!beside)
    credits[v] -= flits;
  put_message_flit(p, b, e);
  return true;
}

/* Draws a number below n, and flips one of its `bits` low bits. */
static uint16_t one_bit_off(uint64_t *rnd, uint32_t n, uint32_t bits)
{
  const uint32_t number = below(rnd, n);
  return (uint16_t)(number ^ 1u << below(rnd, bits));
}

/* Draws a write of a number of any width to a register of chapter 8. */
static void wide_config(uint64_t *rnd, uint32_t names, struct hd_config_event *e)
{
  uint32_t center = chance(rnd, 600) ? 1 : 2 * below(rnd, 2), alias = narrow_alias(rnd, names);
  switch (below(rnd, 3)) {
  case 0:
    *e = (struct hd_config_event){
        .addr = HD_CFG_CENTER,
        .data = (uint16_t)((center == 1 ? narrow_self(names) : center) ^ alias)};
    break;
  case 1:
    *e = (struct hd_config_event){.addr = HD_CFG_COUNT, .data = one_bit_off(rnd, 3, 12)};
    break;
  default:
    *e = (struct hd_config_event){.addr = HD_CFG_IDLE, .data = one_bit_off(rnd, 40, 16)};
  }
}

void hd_barrier_stream_config(const struct hd_switch_params *p, uint64_t *rnd,
                              const struct stream_style *style, struct hd_config_event *e)
{
  uint32_t names = style->names, more;
  if (style->crowd && chance(rnd, 900)) {
    e->addr = chance(rnd, 950) ? HD_CFG_OPEN : HD_CFG_CLOSE;
    e->data = (uint16_t)below(rnd, 32);
    return;
  }
  uint32_t group = style->narrow ? narrow_group(rnd, names) : below(rnd, p->groups + 2) & 31;
  if (names && chance(rnd, 400)) {
    wide_config(rnd, names, e);
    return;
  }
  switch (below(rnd, 10)) {
  case 0:
    *e = (struct hd_config_event){.addr = HD_CFG_CENTER, .data = (uint16_t)below(rnd, 3)};
    break;
  case 1:
    *e = (struct hd_config_event){.addr = HD_CFG_COUNT, .data = (uint16_t)below(rnd, 4)};
    break;
  case 2:
    e->addr = HD_CFG_LOCAL;
    e->data = (uint16_t)(1u << below(rnd, p->ports));
    more = chance(rnd, 400);
    e->data |= (uint16_t)(more << below(rnd, p->ports));
    break;
  case 3:
    *e = (struct hd_config_event){.addr = HD_CFG_CLOSE, .data = (uint16_t)group};
    break;
  case 4:
    *e = (struct hd_config_event){.addr = HD_CFG_IDLE, .data = (uint16_t)below(rnd, 40)};
    break;
  case 5:
    *e = (struct hd_config_event){.addr = HD_CFG_LIVE, .data = (uint16_t)next_random(rnd)};
    break;
  case 6:
    e->addr = HD_CFG_BARRIER_WAY(below(rnd, p->switches));
    e->data = (uint16_t)next_random(rnd);
    break;
  default:
    *e = (struct hd_config_event){.addr = HD_CFG_OPEN, .data = (uint16_t)group};
  }
}

void hd_barrier_stream_tables(const struct hd_switch_params *p, uint64_t *rnd, uint32_t names,
                              struct hd_config_event *tables, uint32_t *n)
{
  for (uint32_t sw = 0; sw < known_switches(p); sw++)
    tables[(*n)++] = (struct hd_config_event){
        .addr = HD_CFG_BARRIER_WAY(sw),
        .data = (uint16_t)(chance(rnd, 30) ? 0 : 1 + below(rnd, (1u << p->ports) - 1))};
  const uint16_t self = (uint16_t)narrow_self(names), idle = (uint16_t)below(rnd, 30),
                 center = below(rnd, 2) ? self : 0, count = (uint16_t)below(rnd, 3),
                 local = (uint16_t)(1u << below(rnd, p->ports));
  const struct hd_config_event registers[BARRIER_REGISTERS] = {
      {.addr = HD_CFG_SELF, .data = self},
      {.addr = HD_CFG_IDLE, .data = idle},
      {.addr = HD_CFG_CENTER, .data = center},
      {.addr = HD_CFG_COUNT, .data = count},
      {.addr = HD_CFG_LOCAL, .data = local}};
  memcpy(tables + *n, registers, sizeof registers);
  *n += BARRIER_REGISTERS;
}
