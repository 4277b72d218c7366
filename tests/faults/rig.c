/* The rigs, and the order in which their stimuli are tried.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rig.h"

#include <stdio.h>
#include <string.h>

static int mesh_4x4(struct hd_topology *t, struct hd_error *err)
{
  static const uint32_t dims[] = {4, 4};
  return hd_topology_mesh(t, dims, 2, err);
}

static int mesh_3x3(struct hd_topology *t, struct hd_error *err)
{
  static const uint32_t dims[] = {3, 3};
  return hd_topology_mesh(t, dims, 2, err);
}

static int mesh_20(struct hd_topology *t, struct hd_error *err)
{
  static const uint32_t dims[] = {20};
  return hd_topology_mesh(t, dims, 1, err);
}

static int mesh_16(struct hd_topology *t, struct hd_error *err)
{
  static const uint32_t dims[] = {16};
  return hd_topology_mesh(t, dims, 1, err);
}

static int mesh_6(struct hd_topology *t, struct hd_error *err)
{
  static const uint32_t dims[] = {6};
  return hd_topology_mesh(t, dims, 1, err);
}

static int mesh_5(struct hd_topology *t, struct hd_error *err)
{
  static const uint32_t dims[] = {5};
  return hd_topology_mesh(t, dims, 1, err);
}

static int mesh_4(struct hd_topology *t, struct hd_error *err)
{
  static const uint32_t dims[] = {4};
  return hd_topology_mesh(t, dims, 1, err);
}

static int tree_2_3(struct hd_topology *t, struct hd_error *err)
{
  return hd_topology_tree(t, 2, 3, err);
}

/* Two switches with a link at port 11 and eleven nodes each. */
static int two_stars(struct hd_topology *t, struct hd_error *err)
{
  char text[512] = "s0:11,s1:11\n";
  size_t used = strlen(text);
  for (unsigned node = 0; node < 22; node++)
    used += (size_t)snprintf(text + used, sizeof text - used, "s%u,n%u\n", node / 11, node);
  return hd_topology_graph(t, text, used, "two stars", err);
}

/* Six switches, two without nodes, in a ring with a chord: branches meet where no member is. */
static int ring(struct hd_topology *t, struct hd_error *err)
{
  static const char text[] = "s0,s1\ns1,s2\ns2,s3\ns3,s4\ns4,s5\ns5,s0\ns1,s4\n"
                             "n0,s0\nn1,s2\nn2,s3\nn3,s5\nn4,s5\n";
  return hd_topology_graph(t, text, sizeof text - 1, "ring", err);
}

static const struct rig rigs[] = {
    {.name = "mesh",
     .about = "4x4 mesh, the plain one-cycle switch",
     .sw = {.ports = 5,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 4,
            .nodes = 16,
            .route_cycles = 1,
            .arb_cycles = 1},
     .link_cycles = 1,
     .topology = mesh_4x4,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 6},
    {.name = "tree",
     .about =
         "2-ary 3-tree, S-mod-k to the top: source tables, slowest timing, 3 channels of 3 slots",
     .sw = {.ports = 4,
            .vcs = 3,
            .data_bits = 32,
            .depth_flits = 3,
            .nodes = 8,
            .route_cycles = 2,
            .arb_cycles = 2,
            .buffer_cycles = 1,
            .source_table = 1},
     .link_cycles = 2,
     .topology = tree_2_3,
     .routing = HD_ROUTE_S_MOD_K,
     .longest_flits = 5},
    {.name = "line",
     .about = "line of 6, virtual cut-through, 1 channel: odd numbers of ports, slots and nodes",
     .sw = {.ports = 3,
            .vcs = 1,
            .data_bits = 16,
            .depth_flits = 5,
            .nodes = 6,
            .route_cycles = 1,
            .arb_cycles = 2,
            .cut_flits = 3},
     .link_cycles = 1,
     .topology = mesh_6,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 3},
    {.name = "stars",
     .about = "two stars of 11 nodes: 12 ports, 64-bit data, 2 slots",
     .sw = {.ports = 12,
            .vcs = 2,
            .data_bits = 64,
            .depth_flits = 2,
            .nodes = 22,
            .route_cycles = 1,
            .arb_cycles = 1,
            .buffer_cycles = 1},
     .link_cycles = 1,
     .topology = two_stars,
     .routing = HD_ROUTE_UP_DOWN,
     .longest_flits = 4},
    {.name = "small",
     .about = "line of 5 with source tables and cut-through: as much of the switch in as few gates "
              "as there can be",
     .sw = {.ports = 3,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 3,
            .nodes = 5,
            .route_cycles = 2,
            .arb_cycles = 2,
            .buffer_cycles = 1,
            .cut_flits = 2,
            .source_table = 1},
     .link_cycles = 1,
     .topology = mesh_5,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 2},
    {.name = "any",
     .about = "3x3 mesh whose barrier messages preempt any channel, 3 groups",
     .sw = {.ports = 5,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 4,
            .nodes = 9,
            .route_cycles = 1,
            .arb_cycles = 1,
            .barrier = HD_BARRIER_ANY,
            .groups = 3,
            .switches = 9},
     .link_cycles = 1,
     .topology = mesh_3x3,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 6,
     .barrier_idle_cycles = 5},
    {.name = "fixed",
     .about = "2-ary 3-tree whose barrier messages preempt channel 0 of 3, slowest timing, 32 bits",
     .sw = {.ports = 4,
            .vcs = 3,
            .data_bits = 32,
            .depth_flits = 3,
            .nodes = 8,
            .route_cycles = 2,
            .arb_cycles = 2,
            .buffer_cycles = 1,
            .source_table = 1,
            .barrier = HD_BARRIER_FIXED,
            .groups = 2,
            .switches = 12},
     .link_cycles = 2,
     .topology = tree_2_3,
     .routing = HD_ROUTE_S_MOD_K,
     .longest_flits = 5,
     .barrier_idle_cycles = 9},
    {.name = "moving",
     .about = "ring with a chord whose barrier messages preempt where flits move; 4 groups, tables "
              "with room for a switch more",
     .sw = {.ports = 5,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 5,
            .nodes = 5,
            .route_cycles = 1,
            .arb_cycles = 2,
            .barrier = HD_BARRIER_MOVING,
            .groups = 4,
            .switches = 7},
     .link_cycles = 1,
     .topology = ring,
     .routing = HD_ROUTE_UP_DOWN,
     .longest_flits = 6,
     .barrier_idle_cycles = 4},
    {.name = "queued",
     .about = "line of 6 whose barrier messages wait for a free channel; cut-through, 64 bits",
     .sw = {.ports = 3,
            .vcs = 2,
            .data_bits = 64,
            .depth_flits = 3,
            .nodes = 6,
            .route_cycles = 2,
            .arb_cycles = 1,
            .buffer_cycles = 1,
            .cut_flits = 2,
            .barrier = HD_BARRIER_QUEUED,
            .groups = 1,
            .switches = 6},
     .link_cycles = 1,
     .topology = mesh_6,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 2},
    {.name = "reserved",
     .about = "line of 5 with a channel of 3 for barrier messages alone",
     .sw = {.ports = 4,
            .vcs = 3,
            .data_bits = 16,
            .depth_flits = 2,
            .nodes = 5,
            .route_cycles = 1,
            .arb_cycles = 1,
            .barrier = HD_BARRIER_RESERVED,
            .groups = 2,
            .switches = 5},
     .link_cycles = 1,
     .topology = mesh_5,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 4},
    {.name = "any-3",
     .about = "line of 4, any channel is preempted, 2 groups: as few gates as there can be",
     .sw = {.ports = 3,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 2,
            .nodes = 4,
            .route_cycles = 1,
            .arb_cycles = 1,
            .barrier = HD_BARRIER_ANY,
            .groups = 2,
            .switches = 4},
     .link_cycles = 1,
     .topology = mesh_4,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 5,
     .barrier_idle_cycles = 4},
    {.name = "moving-3",
     .about = "the same where channels are preempted whose flits move",
     .sw = {.ports = 3,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 4,
            .nodes = 4,
            .route_cycles = 1,
            .arb_cycles = 1,
            .barrier = HD_BARRIER_MOVING,
            .groups = 2,
            .switches = 4},
     .link_cycles = 1,
     .topology = mesh_4,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 5,
     .barrier_idle_cycles = 4},
    {.name = "adaptive",
     .about = "3x3 mesh whose switches choose among ports by free credits",
     .sw = {.ports = 5,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 4,
            .nodes = 9,
            .route_cycles = 1,
            .arb_cycles = 1,
            .adaptive = 1},
     .link_cycles = 1,
     .topology = mesh_3x3,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 6},
    {.name = "adaptive-slow",
     .about = "2-ary 3-tree whose switches choose, with source tables and the slowest timing",
     .sw = {.ports = 4,
            .vcs = 3,
            .data_bits = 32,
            .depth_flits = 3,
            .nodes = 8,
            .route_cycles = 2,
            .arb_cycles = 2,
            .buffer_cycles = 1,
            .source_table = 1,
            .adaptive = 1},
     .link_cycles = 2,
     .topology = tree_2_3,
     .routing = HD_ROUTE_S_MOD_K,
     .longest_flits = 5},
    {.name = "adaptive-reserved",
     .about = "line of 5 whose switches choose, with a channel of 3 for barrier messages alone",
     .sw = {.ports = 4,
            .vcs = 3,
            .data_bits = 16,
            .depth_flits = 2,
            .nodes = 5,
            .route_cycles = 1,
            .arb_cycles = 1,
            .adaptive = 1,
            .barrier = HD_BARRIER_RESERVED,
            .groups = 2,
            .switches = 5},
     .link_cycles = 1,
     .topology = mesh_5,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 4},
    {.name = "counts",
     .about = "3x3 mesh whose switches choose by their neighbours' counts of packets",
     .sw = {.ports = 5,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 4,
            .nodes = 9,
            .route_cycles = 1,
            .arb_cycles = 1,
            .adaptive = HD_ADAPTIVE_COUNT},
     .link_cycles = 1,
     .topology = mesh_3x3,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 6},
    {.name = "counts-deep",
     .about =
         "2-ary 3-tree whose switches choose by counts, and hold more packets than a count can say",
     .sw = {.ports = 4,
            .vcs = 3,
            .data_bits = 16,
            .depth_flits = 16,
            .nodes = 8,
            .route_cycles = 1,
            .arb_cycles = 1,
            .adaptive = HD_ADAPTIVE_COUNT},
     .link_cycles = 2,
     .topology = tree_2_3,
     .routing = HD_ROUTE_D_MOD_K,
     .longest_flits = 5},
    {.name = "counts-moving",
     .about =
         "line of 4 whose switches choose by counts, where channels are preempted whose flits move",
     .sw = {.ports = 3,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 4,
            .nodes = 4,
            .route_cycles = 1,
            .arb_cycles = 1,
            .adaptive = HD_ADAPTIVE_COUNT,
            .barrier = HD_BARRIER_MOVING,
            .groups = 2,
            .switches = 4},
     .link_cycles = 1,
     .topology = mesh_4,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 5,
     .barrier_idle_cycles = 4},
    {.name = "counts-3",
     .about = "rig small whose switches choose by counts",
     .sw = {.ports = 3,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 3,
            .nodes = 5,
            .route_cycles = 2,
            .arb_cycles = 2,
            .buffer_cycles = 1,
            .cut_flits = 2,
            .source_table = 1,
            .adaptive = HD_ADAPTIVE_COUNT},
     .link_cycles = 1,
     .topology = mesh_5,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 2},
    {.name = "coder",
     .about = "line of 16 with an XOR coder of 8 places at each node, one port without a link",
     .sw = {.ports = 4,
            .vcs = 2,
            .data_bits = 32,
            .depth_flits = 4,
            .nodes = 16,
            .route_cycles = 1,
            .arb_cycles = 1,
            .code_places = 8},
     .link_cycles = 1,
     .topology = mesh_16,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 6},
    {.name = "coder-slow",
     .about =
         "line of 20 with coders of 5 places that wait, source tables, slow timing, 3 channels",
     .sw = {.ports = 3,
            .vcs = 3,
            .data_bits = 64,
            .depth_flits = 3,
            .nodes = 20,
            .route_cycles = 1,
            .arb_cycles = 2,
            .buffer_cycles = 1,
            .source_table = 1,
            .code_places = 5,
            .code_cycles = 3},
     .link_cycles = 1,
     .topology = mesh_20,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 5},
    {.name = "coder-5",
     .about = "line of 5 with coders of 5 places that wait: as few gates as there can be",
     .sw = {.ports = 3,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 2,
            .nodes = 5,
            .route_cycles = 1,
            .arb_cycles = 2,
            .buffer_cycles = 1,
            .code_places = 5,
            .code_cycles = 2},
     .link_cycles = 1,
     .topology = mesh_5,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 3},
    {.name = "coder-reserved",
     .about = "line of 5 with coders of 4 places, and a channel of 2 for barrier messages alone",
     .sw = {.ports = 3,
            .vcs = 2,
            .data_bits = 32,
            .depth_flits = 4,
            .nodes = 5,
            .route_cycles = 1,
            .arb_cycles = 1,
            .barrier = HD_BARRIER_RESERVED,
            .groups = 2,
            .switches = 5,
            .code_places = 4},
     .link_cycles = 1,
     .topology = mesh_5,
     .routing = HD_ROUTE_DIMENSION_ORDER,
     .longest_flits = 4},
    {.name = "far",
     .about = "one switch of a fabric with 1,100 nodes and switches, whose numbers have 11 bits",
     .sw = {.ports = 3,
            .vcs = 2,
            .data_bits = 16,
            .depth_flits = 2,
            .nodes = 1100,
            .route_cycles = 1,
            .arb_cycles = 1,
            .barrier = HD_BARRIER_ANY,
            .groups = 2,
            .switches = 1100}},
};
enum { N_RIGS = sizeof rigs / sizeof *rigs };

const struct rig *rig_at(unsigned index)
{
  return index < N_RIGS ? &rigs[index] : NULL;
}

const struct rig *rig_find(const char *name)
{
  for (unsigned i = 0; i < N_RIGS; i++)
    if (!strcmp(rigs[i].name, name))
      return &rigs[i];
  return NULL;
}

/* Some are for hardware that only some rigs have. */
static bool fits(const struct rig *rig, enum stream_kind kind)
{
  return kind == STREAM_NARROW || kind == STREAM_WIDE ? rig->sw.barrier != 0
         : kind == STREAM_CODER                       ? rig->sw.code_places != 0
                                                      : true;
}

int rig_try(const struct rig *rig, const struct hd_dut_ops *dut, const char *options, uint64_t seed,
            struct finding *finding, struct hd_error *err)
{
  static const char *const names[] = {"fabric",       "stream", "illegal stream", "narrow stream",
                                      "wide stream",  "errors", "clears",         "edges",
                                      "coder stream", "sinks",  "registers"};
  static const enum stream_kind kinds[] = {STREAM_LEGAL, STREAM_ILLEGAL, STREAM_NARROW,
                                           STREAM_WIDE,  STREAM_ERRORS,  STREAM_CLEARS,
                                           STREAM_EDGES, STREAM_CODER,   STREAM_SINKS};
  enum { STREAMS = sizeof kinds / sizeof *kinds };
  uint64_t compared = 0;
  int status = 0;
  for (unsigned i = 0; !status && i < sizeof names / sizeof *names; i++) {
    *finding = (struct finding){0};
    if (i == 0)
      status = rig->topology ? fabric_try(rig, dut, options, seed, finding, err) : 0;
    else if (i > STREAMS)
      status = registers_try(rig, dut, options, finding, err);
    else if (fits(rig, kinds[i - 1]))
      status = stream_try(rig, dut, options, seed, kinds[i - 1], finding, err);
    compared += finding->compared;
    if (finding->decoupled.difference || finding->closed.difference) {
      finding->stimulus = names[i];
      break;
    }
  }
  finding->compared = compared;
  return status;
}
