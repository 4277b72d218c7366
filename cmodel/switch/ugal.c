/* The switch model: packets decide between the way by a node and the way straight to their destination (specification
 * §10.9).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ugal_state.h"

#include <string.h>

size_t hd_ugal_size(const struct hd_switch_params *p)
{
  return p->adaptive == HD_ADAPTIVE_UGAL ? sizeof(struct ugal_state) : 0;
}

void hd_ugal_reset(struct hd_switch *sw)
{
  memset(ugal_of(sw), 0, sizeof(struct ugal_state));
  ugal_of(sw)->cycle = UINT64_MAX;
}

static bool is_routable(const struct hd_switch *sw, uint16_t entry)
{
  return entry >> 12 & 1 && (entry & 15u) < sw->ports && (entry >> 4 & sw->data_vc_bits);
}

/* Returns q(o). */
static unsigned queue_length(const struct hd_switch *sw, unsigned port)
{
  unsigned sum = 0;
  for (unsigned vc = 0; vc < sw->vcs; vc++)
    sum += sw->depth - (unsigned)(ugal_of(sw)->credits[port] >> 8 * vc & 0xff);
  return sum;
}

/* Returns the coverage point of a head that decides. */
static enum hd_spec_point decision_point(unsigned straight, unsigned most)
{
  return straight > most    ? HD_POINT_GOES_BY_NODE
         : straight == most ? HD_POINT_GOES_STRAIGHT_TIE
                            : HD_POINT_GOES_STRAIGHT;
}

bool hd_ugal_goes_by_node(const struct hd_switch *sw, unsigned port, uint16_t by_node,
                          uint16_t straight)
{
  const struct ugal_state *u = ugal_of(sw);
  if (!is_routable(sw, by_node) || !is_routable(sw, straight)) {
    switch_cover(sw, HD_POINT_ONE_WAY_ALONE);
    return true;
  }
  if (!(u->first >> port & 1)) {
    switch_cover(sw, HD_POINT_DECIDED_BEFORE);
    return true;
  }
  const unsigned waits = queue_length(sw, straight & 15u);
  const unsigned most = 2 * queue_length(sw, by_node & 15u) + u->bias;
  switch_cover(sw, decision_point(waits, most));
  if ((straight & 15) == (by_node & 15))
    switch_cover(sw, HD_POINT_BOTH_BY_ONE_PORT);
  return waits > most;
}

bool hd_ugal_write(struct hd_switch *sw, unsigned index, uint16_t data)
{
  struct ugal_state *u = ugal_of(sw);
  if (index == HD_CFG_FIRST)
    u->first = (uint16_t)(data & ((1u << sw->ports) - 1));
  else if (index == HD_CFG_BIAS)
    u->bias = data & HD_BIAS_MOST;
  else
    return false;
  return true;
}
