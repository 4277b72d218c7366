/* Parameters of a switch: one list of them, their limits and checks (specification §2.1, §7.1, §10.1, §11.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_PARAMS_H
#define HD_SWITCH_PARAMS_H

#include "../error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" { /* headers of C++ shims include this one */
#endif

enum {
  HD_MAX_PORTS = 16,
  HD_MAX_ENDPOINTS = 255, /* ports of a whole network as DUT (§6.8), which has no model */
  HD_MAX_VCS = 8,
  HD_MAX_DEPTH = 64,
  HD_MAX_NODES = 2048,           /* where switches have routing tables */
  HD_MAX_COMPUTED_NODES = 65536, /* where switches compute routes */
  HD_MAX_GROUPS = 32,
  HD_MAX_BARRIER_SWITCHES = 2048,
  HD_MAX_CODE_PLACES = 256,
  HD_MAX_CODE_CYCLES = 63,
  HD_MAX_TREES = 32,
};

/** BARRIER, specification §7.1: how barrier messages get onto a link. X(NAME, name, about) */
#define HD_BARRIER_LIST(X)                                \
  X(NONE, none, "no barrier messages")                    \
  X(ANY, any, "Fig. 7: preempts any virtual channel")     \
  X(FIXED, fixed, "Fig. 9: preempts channel 0")           \
  X(MOVING, moving, "Fig. 10: preempts where flits move") \
  X(QUEUED, queued, "waits for a free channel")           \
  X(RESERVED, reserved, "has channel VCS - 1 for itself")

enum hd_barrier {
#define HD_BARRIER_ENUM(NAME, name, about) HD_BARRIER_##NAME,
  HD_BARRIER_LIST(HD_BARRIER_ENUM)
#undef HD_BARRIER_ENUM
};
#define HD_BARRIER_ONE(...) +1
enum { HD_BARRIER_KINDS = HD_BARRIER_LIST(HD_BARRIER_ONE) };
#undef HD_BARRIER_ONE

/** Returns the name of a kind in scenarios and reports, such as "moving"; static storage; NULL beyond the last. */
const char *hd_barrier_name(uint32_t barrier);

/** ADAPTIVE, specification §10.1: the measure of how congested an output port is. X(NAME, name, about) */
#define HD_CONGESTION_LIST(X)                       \
  X(CREDITS, credits, "free credits at the output") \
  X(COUNT, count, "the packets inside its neighbour, as that tells over the link")
/* With ADAPTIVE = 3 there are no port sets: packets decide whether to go by a node (§10.9). */

enum hd_adaptive {
  HD_ADAPTIVE_NONE,
#define HD_ADAPTIVE_ENUM(NAME, name, about) HD_ADAPTIVE_##NAME,
  HD_CONGESTION_LIST(HD_ADAPTIVE_ENUM)
#undef HD_ADAPTIVE_ENUM
      HD_ADAPTIVE_UGAL
};

/** Returns the name in scenarios, "count" for HD_ADAPTIVE_COUNT - HD_ADAPTIVE_CREDITS; static storage; NULL beyond the
 *  last. */
const char *hd_congestion_name(uint32_t congestion);

/** ROUTE, specification §12.1: how a switch routes packets. X(NAME, name) */
#define HD_ROUTE_BY_LIST(X) \
  X(TABLE, table)           \
  X(MESH, mesh)             \
  X(TORUS, torus)           \
  X(HYPERCUBE, hypercube)   \
  X(DIGITS, digits)

enum hd_route {
#define HD_ROUTE_BY_ENUM(NAME, name) HD_ROUTE_BY_##NAME,
  HD_ROUTE_BY_LIST(HD_ROUTE_BY_ENUM)
#undef HD_ROUTE_BY_ENUM
      HD_ROUTE_KINDS
};

/** The parameters of a switch, specification §2.1, §7.1, §10.1, §11.1 and §12.1, in the order in which all lists have
 *  them. X(name, VERILOG, low, high, fallback, kind, part, REGISTER, shift, unit, section, about):
 *  - name in struct hd_switch_params, and under `switch:` in a scenario; VERILOG in rtl/hd_switch.v;
 *  - low … high are legal, `fallback` is the value in a scenario that does not set it;
 *  - kind, how it is given: NUMBER; POWER: a power of two; CHOICE: a name of HD_BARRIER_LIST; LEAST: the
 *    fabric's need by default, and a scenario may ask for more; ROUTING: the routing sets it, no scenario
 *    does;
 *  - part: BARRIER: only a switch with barrier messages has it, CODER: one with an XOR coder,
 *    COMPUTED: one that computes routes, CAST: one with multicast;
 *  - REGISTER (registers.h) shows it from bit `shift` on. */
#define HD_SWITCH_PARAM_LIST(X)                                                                    \
  X(ports, PORTS, 2, HD_MAX_PORTS, 0, LEAST, PLAIN, SHAPE, 0, "ports", "2.1",                      \
    "ports of a switch; may be more than the fabric needs")                                        \
  X(vcs, VCS, 1, HD_MAX_VCS, 2, NUMBER, PLAIN, SHAPE, 5, "channels", "2.1",                        \
    "virtual channels of a port")                                                                  \
  X(data_bits, DATA_W, 16, 64, 16, POWER, PLAIN, WIDTH, 0, "bits", "1.3",                          \
    "width of a flit; a header must fit: 2 bits and the node number, twice where s-mod-k routes")  \
  X(depth_flits, DEPTH, 1, HD_MAX_DEPTH, 4, NUMBER, PLAIN, SHAPE, 9, "flits", "2.1",               \
    "buffer of each input virtual channel")                                                        \
  X(nodes, NODES, 2, HD_MAX_COMPUTED_NODES, 0, LEAST, PLAIN, NODES, 0, "nodes", "2.1",             \
    "entries of a routing table; may be more than the fabric has")                                 \
  X(route_cycles, ROUTE_CYCLES, 0, 2, 1, NUMBER, PLAIN, TIMING, 0, "cycles", "2.1",                \
    "routing; 0 needs computed routes")                                                            \
  X(arb_cycles, ARB_CYCLES, 1, 2, 1, NUMBER, PLAIN, TIMING, 2, "cycles", "2.1", "allocation")      \
  X(buffer_cycles, BUFFER_CYCLES, 0, 1, 0, NUMBER, PLAIN, TIMING, 4, "cycles", "2.1",              \
    "reading the input buffer")                                                                    \
  X(cut_flits, CUT_FLITS, 0, HD_MAX_DEPTH, 0, NUMBER, PLAIN, TIMING, 6, "flits", "2.1",            \
    "0: wormhole; otherwise virtual cut-through for packets of at most so many flits; at most "    \
    "depth_flits")                                                                                 \
  X(source_table, SOURCE_TABLE, 0, 1, 0, ROUTING, PLAIN, TIMING, 5, "", "2.1",                     \
    "1: the switch has source tables")                                                             \
  X(adaptive, ADAPTIVE, 0, 3, 0, ROUTING, PLAIN, TIMING, 13, "", "10.1",                           \
    "1: the switch has port sets and chooses by free credits; 2: by its neighbours' counts; 3: "   \
    "packets decide at their first switch whether to go by a node")                                \
  X(barrier, BARRIER, 0, HD_BARRIER_KINDS - 1, 0, CHOICE, BARRIER, BARRIER, 0, "", "7.1",          \
    "how barrier messages get onto a link: preempting any channel, channel 0 alone, or one whose " \
    "flits move; waiting for a free channel; on a channel of their own")                           \
  X(groups, GROUPS, 1, HD_MAX_GROUPS, 8, NUMBER, BARRIER, BARRIER, 3, "groups", "7.1",             \
    "entries of the status table of barrier groups; needs switch.barrier")                         \
  X(switches, SWITCHES, 2, HD_MAX_BARRIER_SWITCHES, 0, LEAST, BARRIER, SWITCHES, 0, "switches",    \
    "7.1",                                                                                         \
    "entries of a barrier routing table; may be more than the fabric has; needs switch.barrier")   \
  X(values, VALUES, 0, 1, 0, NUMBER, BARRIER, BARRIER, 9, "", "7.1",                               \
    "1: barriers can reduce a value of 32 bits; needs switch.barrier, and data_bits 64")           \
  X(code_places, CODE_PLACES, 0, HD_MAX_CODE_PLACES, 0, NUMBER, CODER, CODER, 0, "packets",        \
    "11.1", "packets that the XOR coder beside the node can keep; 0: there is none")               \
  X(code_cycles, CODE_CYCLES, 0, HD_MAX_CODE_CYCLES, 0, NUMBER, CODER, CODER, 9, "cycles", "11.1", \
    "wait of the XOR coder before it uses a packet; needs switch.code_places")                     \
  X(route, ROUTE, 0, HD_ROUTE_KINDS - 1, 0, ROUTING, COMPUTED, WIDTH, 7, "", "12.1",               \
    "0: the switch has routing tables; otherwise it computes routes")                              \
  X(fields, FIELDS, 1, 65535, 1, ROUTING, COMPUTED, FIELDS, 0, "", "12.1",                         \
    "where the coordinates of a node's number begin")                                              \
  X(trees, TREES, 0, HD_MAX_TREES, 0, NUMBER, CAST, WIDTH, 10, "trees", "13.1",                    \
    "multicast groups that switches can have; then one virtual channel is for multicast; 0: "      \
    "there is no multicast")

/** All fields must be set. Ignored: fields of the barrier part without barrier, code_cycles without code_places, fields
 *  with routing tables. */
struct hd_switch_params {
#define HD_SWITCH_PARAM_MEMBER(name, ...) uint32_t name;
  HD_SWITCH_PARAM_LIST(HD_SWITCH_PARAM_MEMBER)
#undef HD_SWITCH_PARAM_MEMBER
};

enum hd_param_kind {
  HD_PARAM_NUMBER,
  HD_PARAM_POWER,
  HD_PARAM_CHOICE,
  HD_PARAM_LEAST,
  HD_PARAM_ROUTING
};
/** Parts of a switch. A parameter, register or state names the part that a switch must have for it: all switches;
 *  barrier messages; port sets (§10.2); counts of packets for neighbours (§10.8); decisions between two ways (§10.9);
 *  an XOR coder (§11.1); computed routes (§12); multicast (§13). */
enum hd_part {
  HD_PART_PLAIN,
  HD_PART_BARRIER,
  HD_PART_ADAPTIVE,
  HD_PART_COUNT,
  HD_PART_UGAL,
  HD_PART_CODER,
  HD_PART_COMPUTED,
  HD_PART_CAST,
  HD_PARTS
};

/** A line of HD_SWITCH_PARAM_LIST. */
struct hd_switch_param {
  const char *name, *verilog;
  uint32_t low, high, fallback;
  enum hd_param_kind kind;
  enum hd_part part;
  uint8_t reg, shift; /* the register's address; `bits` from `shift` on */
  uint8_t bits;       /* bits that `high` needs */
  const char *unit, *section, *about;
};
enum { HD_SWITCH_PARAMS = sizeof(struct hd_switch_params) / sizeof(uint32_t) };
extern const struct hd_switch_param hd_switch_param_list[HD_SWITCH_PARAMS];

/** Returns the value of hd_switch_param_list[i]. */
static inline uint32_t hd_switch_param_get(const struct hd_switch_params *params, size_t i)
{
  return ((const uint32_t *)params)[i];
}
static inline void hd_switch_param_set(struct hd_switch_params *params, size_t i, uint32_t value)
{
  ((uint32_t *)params)[i] = value;
}

/** Returns true if a switch of `params` chooses by its neighbours' counts and shows its own (§10.8). */
static inline bool hd_switch_counts(const struct hd_switch_params *params)
{
  return params->adaptive == HD_ADAPTIVE_COUNT;
}

/** Returns true if a switch of `params` has port sets (§10.2). */
static inline bool hd_switch_has_sets(const struct hd_switch_params *params)
{
  return params->adaptive == HD_ADAPTIVE_CREDITS || params->adaptive == HD_ADAPTIVE_COUNT;
}

/** Returns true if a switch of `params` has that part. */
static inline bool hd_switch_has(const struct hd_switch_params *params, enum hd_part part)
{
  switch (part) {
  case HD_PART_BARRIER:
    return params->barrier != 0;
  case HD_PART_ADAPTIVE:
    return hd_switch_has_sets(params);
  case HD_PART_COUNT:
    return hd_switch_counts(params);
  case HD_PART_UGAL:
    return params->adaptive == HD_ADAPTIVE_UGAL;
  case HD_PART_CODER:
    return params->code_places != 0;
  case HD_PART_COMPUTED:
    return params->route != HD_ROUTE_BY_TABLE;
  case HD_PART_CAST:
    return params->trees != 0;
  default:
    return true;
  }
}

/** Returns true if a switch of `params` has hd_switch_param_list[i]. */
bool hd_switch_param_used(const struct hd_switch_params *params, size_t i);

/** Returns 0, or HD_E_INPUT with the parameter, its value and its legal range in err. */
int hd_switch_params_check(const struct hd_switch_params *params, struct hd_error *err);
/** Checks parameters of a DUT, which may be a whole network (§6.8) with 2 … HD_MAX_ENDPOINTS ports. */
int hd_dut_params_check(const struct hd_switch_params *params, struct hd_error *err);

/** Returns max(1, ceil(log2(n))): NODE_W, VC_W; PORT_W for n >= 2 (specification §1.1, §1.3). */
uint32_t hd_log2_ceil(uint32_t n);

/** Returns D of specification §2.1, cycles. */
static inline uint32_t hd_switch_grant_stages(const struct hd_switch_params *p)
{
  return p->buffer_cycles;
}

/** Returns how many channels unicast packets never take (§7.7, §13.5): the last ones of a port. */
static inline uint32_t hd_switch_reserved_vcs(const struct hd_switch_params *p)
{
  return (p->barrier == HD_BARRIER_RESERVED ? 1u : 0u) + (p->trees ? 1u : 0u);
}

/** Returns the channel of multicast flits in a fabric (§13.5). */
static inline uint32_t hd_switch_cast_vc(const struct hd_switch_params *p)
{
  return p->vcs - (p->barrier == HD_BARRIER_RESERVED ? 2 : 1);
}

/** Returns HEADER_W of §11.1: the number of low bits of a head that routing needs. */
static inline uint32_t hd_header_bits(const struct hd_switch_params *p)
{
  return 2 + hd_log2_ceil(p->nodes) * (1 + p->source_table);
}

/** Returns PLACE_W of §11.1. */
static inline uint32_t hd_place_bits(const struct hd_switch_params *p)
{
  return hd_log2_ceil(p->code_places);
}

/** Returns the bits of a header's code field (§11.2), its highest ones; 0 without an XOR coder. */
static inline uint32_t hd_code_bits(const struct hd_switch_params *p)
{
  return p->code_places ? 6 + hd_place_bits(p) : 0;
}

/** Returns M of §7.1: the flits of a barrier message. */
static inline uint32_t hd_barrier_flits(const struct hd_switch_params *p)
{
  return p->data_bits == 16 ? 2 : 1;
}

/** Returns the fewest slots of a virtual channel. A barrier message that passes through the buffers (§7.1) needs room
 *  for itself, its request and its end. */
static inline uint32_t hd_switch_least_depth(const struct hd_switch_params *p)
{
  return p->barrier == HD_BARRIER_MOVING  ? hd_barrier_flits(p) + 2
         : p->barrier > HD_BARRIER_MOVING ? hd_barrier_flits(p)
                                          : 0;
}

/** Returns true if barrier messages pass beside the buffers (§7.1). Then they take no slot of a virtual channel. */
static inline bool hd_barrier_beside(const struct hd_switch_params *p)
{
  return p->barrier == HD_BARRIER_ANY || p->barrier == HD_BARRIER_FIXED;
}

#ifdef __cplusplus
}
#endif

#endif
