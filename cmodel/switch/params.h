/* Parameters of a switch: one list of them, their limits and checks (specification §2.1, §7.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_PARAMS_H
#define HD_SWITCH_PARAMS_H

#include "../error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  HD_MAX_PORTS = 16,
  HD_MAX_VCS = 8,
  HD_MAX_DEPTH = 64,
  HD_MAX_NODES = 2048,
  HD_MAX_GROUPS = 32,
  HD_MAX_BARRIER_SWITCHES = 2048,
};

/** BARRIER, specification §7.1: how barrier messages get onto a link. */
enum hd_barrier {
  HD_BARRIER_NONE,
  HD_BARRIER_ANY,      /* Fig. 7: cuts any virtual channel */
  HD_BARRIER_FIXED,    /* Fig. 9: cuts channel 0 */
  HD_BARRIER_MOVING,   /* Fig. 10: cuts where flits move */
  HD_BARRIER_QUEUED,   /* waits for a free channel */
  HD_BARRIER_RESERVED, /* has channel VCS - 1 for itself */
};

/** Parameters of a switch, specification §2.1; every field is needed. */
struct hd_switch_params {
  uint32_t ports;
  uint32_t vcs;
  uint32_t data_bits;
  uint32_t depth_flits;
  uint32_t nodes;
  uint32_t route_cycles;
  uint32_t arb_cycles;
  uint32_t buffer_cycles;
  uint32_t cut_flits;
  uint32_t source_table;
  uint32_t barrier;  /* enum hd_barrier; §7.1 */
  uint32_t groups;   /* status table entries; not looked at without barrier */
  uint32_t switches; /* barrier routing table entries; likewise */
};

/** 0, or HD_E_INPUT with the parameter, its value and its legal range in err. */
int hd_switch_params_check(const struct hd_switch_params *params, struct hd_error *err);

/** max(1, ceil(log2(n))): NODE_W, VC_W; and PORT_W for n >= 2 (specification §1.1, §1.3). */
uint32_t hd_log2_ceil(uint32_t n);

/** D of specification §2.1, cycles. */
static inline uint32_t hd_switch_grant_stages(const struct hd_switch_params *p)
{
  return p->arb_cycles - 1 + p->buffer_cycles;
}

/** M of §7.1: flits of a barrier message. */
static inline uint32_t hd_barrier_flits(const struct hd_switch_params *p)
{
  return p->data_bits == 16 ? 2 : 1;
}

/** Barrier messages pass beside the buffers (§7.1) and take no slot of a virtual channel. */
static inline bool hd_barrier_beside(const struct hd_switch_params *p)
{
  return p->barrier == HD_BARRIER_ANY || p->barrier == HD_BARRIER_FIXED;
}

#endif
