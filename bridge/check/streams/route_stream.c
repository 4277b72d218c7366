/* Draws writes to the registers of computed routes in streams around one switch.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "route_stream.h"

#include "stream_random.h"

/* Draws the mask of a digit that selects one of at most `ports` ports. */
static uint16_t random_mask(uint64_t *rnd, uint32_t ports)
{
  uint32_t bits = 0;
  while (2u << bits <= ports)
    bits++;
  return (uint16_t)((1u << below(rnd, bits + 1)) - 1);
}

/* Draws the first bit of a digit; at times it is beyond the node's number, where all bits are 0. */
static uint16_t random_first(const struct hd_switch_params *p, uint64_t *rnd)
{
  return (uint16_t)below(rnd, chance(rnd, 200) ? 16 : hd_log2_ceil(p->nodes));
}

/* Draws the register DIGITS with masks for which all ports exist (§12.5). */
static uint16_t random_digits(const struct hd_switch_params *p, uint64_t *rnd)
{
  const uint16_t down = random_first(p, rnd), down_mask = random_mask(rnd, p->ports);
  const uint16_t up = random_first(p, rnd), up_mask = random_mask(rnd, p->ports / 2);
  return (uint16_t)(down | down_mask << 4 | up << 8 | up_mask << 12);
}

static uint16_t random_value(const struct hd_switch_params *p, uint64_t *rnd, bool any,
                             uint32_t address)
{
  const uint16_t value = (uint16_t)next_random(rnd);
  switch (address) {
  case HD_CFG_DIGITS:
    return any && chance(rnd, 300) ? value : random_digits(p, rnd);
  case HD_CFG_BELOW: /* often with few bits set, so that some nodes of a small fabric are below */
    return chance(rnd, 600) ? value & (uint16_t)next_random(rnd) & (uint16_t)next_random(rnd)
                            : value;
  default:
    return value;
  }
}

void hd_route_stream_config(const struct hd_switch_params *p, uint64_t *rnd, bool any,
                            struct hd_config_event *e)
{
  e->addr = HD_CFG_OWN + below(rnd, ROUTE_REGISTERS);
  e->data = random_value(p, rnd, any, e->addr);
  if (any && chance(rnd, 100)) /* another address than these registers have */
    e->addr ^= 1u << (8 + below(rnd, 12));
}

void hd_route_stream_tables(const struct hd_switch_params *p, uint64_t *rnd, bool any,
                            struct hd_config_event *tables, uint32_t *n)
{
  for (uint32_t i = 0; i < ROUTE_REGISTERS; i++) {
    const uint32_t address = HD_CFG_OWN + i;
    tables[(*n)++] =
        (struct hd_config_event){.addr = address, .data = random_value(p, rnd, any, address)};
  }
}
