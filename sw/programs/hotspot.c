/* Program hotspot: uniform traffic of which a part goes to one node.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common.h"
#include "programs.h"

struct hotspot {
  double fraction;
  int node;
};

static int pick(struct hd_ep *ep, const void *context)
{
  const struct hotspot *hotspot = context;
  bool hot = hd_ep_random_unit(ep) < hotspot->fraction;
  return hot && hd_ep_rank(ep) != hotspot->node ? hotspot->node : hd_program_other_node(ep);
}

static void run(struct hd_ep *ep)
{
  hd_program_need_two_nodes(ep);
  struct hotspot hotspot = {
      .fraction = hd_program_number(ep, "fraction", 0.1, 0, 1),
      .node = (int)hd_program_integer(ep, "node", 0, 0, (uint64_t)hd_ep_size(ep) - 1),
  };
  hd_program_open_loop(ep, pick, &hotspot);
}

static const char *const parameters[] = {
    HD_OPEN_LOOP_PARAMETERS,
    "fraction: part of the packets that go to the hot node, 0 to 1; the rest is uniform (0.1)",
    "node: the hot node, which itself sends uniformly (0)",
    NULL,
};

const struct hd_program hd_program_hotspot = {
    .name = "hotspot",
    .about = "uniform traffic of which a part goes to one node; parameters load, flits, cycles, "
             "fraction, node",
    .main = run,
    .parameters = parameters,
};
