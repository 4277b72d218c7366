/* Routes that are computed from registers (specification §12).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The lowest bit in which two numbers differ lies in the lowest field in which they differ. So the first bits of fields
 * at and below that bit give the dimension.
 */
#include "switch_computed.h"

#include "switch_input.h"

/* Returns the channels of one of two classes (§5.24). */
static unsigned class_channels(const struct hd_switch *sw, bool upper)
{
  const unsigned all = sw->data_vc_bits, n = (unsigned)__builtin_popcount(all);
  const unsigned lower = (1u << n / 2) - 1;
  if (n < 2)
    return all;
  return upper ? all & ~lower : lower;
}

/* §12.3 */
static uint16_t by_coordinates(const struct hd_switch *sw, unsigned destination)
{
  const unsigned own = sw->computed.own, differ = destination ^ own;
  if (!differ)
    return hd_table_entry(0, sw->data_vc_bits);
  const unsigned below = (2u << __builtin_ctz(differ)) - 1;
  const unsigned begins = sw->params.fields & below, after = sw->params.fields & ~below;
  const unsigned dimension = (unsigned)__builtin_popcount(begins) - 1;
  const unsigned first = 31 - (unsigned)__builtin_clz(begins);
  const unsigned end = after ? (unsigned)__builtin_ctz(after) : sw->node_bits;
  const unsigned field = (1u << end) - (1u << first);
  const bool higher = (destination & field) > (own & field);
  const bool beyond = (destination & field) > (sw->computed.far & field);
  bool up = higher;
  if (sw->params.route == HD_ROUTE_BY_TORUS)
    up = (sw->computed.far & field) >= (own & field) ? higher && !beyond : higher || !beyond;
  const unsigned port = 2 * dimension + (up ? 1 : 2);
  if (port >= sw->ports)
    return 0;
  return hd_table_entry(port, sw->params.route == HD_ROUTE_BY_TORUS
                                  ? class_channels(sw, up == higher)
                                  : sw->data_vc_bits);
}

/* §12.5 */
static unsigned by_digits(const struct hd_switch *sw, unsigned destination, unsigned up_by)
{
  const unsigned digits = sw->computed.digits, up = digits >> 12;
  if (!((destination ^ sw->computed.own) & sw->computed.below))
    return destination >> (digits & 15) & (digits >> 4 & 15);
  return (up + 1) | (up_by >> (digits >> 8 & 15) & up);
}

uint16_t hd_switch_compute_route(const struct hd_switch *sw, uint64_t header)
{
  const unsigned mode = header & 3, node_mask = (1u << sw->node_bits) - 1;
  const unsigned destination = (unsigned)(header >> 2) & node_mask;
  unsigned port = 0;
  if (mode == 3 || (mode == 1 && !sw->params.source_table))
    return 0;
  if (destination >= sw->nodes) {
    switch_cover(sw, HD_POINT_NODE_BEYOND);
    return 0;
  }
  switch (sw->params.route) {
  case HD_ROUTE_BY_HYPERCUBE:
    port = (unsigned)__builtin_ffs((int)(destination ^ sw->computed.own));
    break;
  case HD_ROUTE_BY_DIGITS:
    port = by_digits(sw, destination,
                     mode ? (unsigned)(header >> (2 + sw->node_bits)) & node_mask : destination);
    break;
  default:
    return by_coordinates(sw, destination);
  }
  return port < sw->ports ? hd_table_entry(port, sw->data_vc_bits) : 0;
}

bool hd_switch_computed_write(struct hd_switch *sw, unsigned index, uint16_t data)
{
  const uint16_t number = (uint16_t)(data & ((1u << sw->node_bits) - 1));
  const uint32_t route = sw->params.route;
  if (index == HD_CFG_OWN && route)
    sw->computed.own = number;
  else if (index == HD_CFG_FAR && route == HD_ROUTE_BY_TORUS)
    sw->computed.far = number;
  else if (index == HD_CFG_BELOW && route == HD_ROUTE_BY_DIGITS)
    sw->computed.below = number;
  else if (index == HD_CFG_DIGITS && route == HD_ROUTE_BY_DIGITS)
    sw->computed.digits = data;
  else
    return false;
  return true;
}
