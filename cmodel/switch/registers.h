/* What is visible at a switch's ports beside data: registers, tables, errors, barrier messages.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_REGISTERS_H
#define HD_SWITCH_REGISTERS_H

#include "params.h"

/** Configuration addresses, specification §3.2, §3.3. */
#define HD_CFG_DESTINATION(port, node) \
  (UINT32_C(0x10000) | (uint32_t)(port) << 12 | (uint32_t)(node))
#define HD_CFG_SOURCE(port, node) (UINT32_C(0x20000) | (uint32_t)(port) << 12 | (uint32_t)(node))
#define HD_CFG_ERRORS UINT32_C(8)

#define HD_CFG_BARRIER_WAY(sw) (UINT32_C(0x30000) | (uint32_t)(sw))
enum {
  HD_CFG_BARRIER = 6,
  HD_CFG_SWITCHES = 7,
  HD_CFG_IDLE = 9,
  HD_CFG_SELF = 10,
  HD_CFG_LIVE = 11,
  HD_CFG_CENTER = 12,
  HD_CFG_COUNT = 13,
  HD_CFG_LOCAL = 14,
  HD_CFG_OPEN = 15,
  HD_CFG_CLOSE = 16,
};

/** A table entry that routes to `port` on the virtual channels of `vc_mask`. */
static inline uint16_t hd_table_entry(unsigned port, unsigned vc_mask)
{
  return (uint16_t)(port | vc_mask << 4 | 1u << 12);
}

/** Bits of the error register, specification §2.8. */
enum {
  HD_ERR_OVERFLOW = 1,
  HD_ERR_UNROUTABLE = 2,
  HD_ERR_ORPHAN = 4,
  HD_ERR_NESTED = 8,
  HD_ERR_RESERVED = 16,
  HD_ERR_CREDIT = 32,
  HD_ERR_CHANNEL = 64,
  HD_ERR_TABLE = 128, /* from here on: §8.7 */
  HD_ERR_GROUP = 256,
  HD_ERR_DUPLICATE = 512,
  HD_ERR_PROTOCOL = 1024,
  HD_ERR_UNREACHABLE = 2048,
};

/** A barrier message, specification §8.1. */
enum hd_barrier_type { HD_REDUCE, HD_DISTRIBUTE, HD_INITIAL_REDUCE, HD_FAIL };
static inline uint32_t hd_barrier_message(enum hd_barrier_type type, unsigned tag, unsigned group,
                                          unsigned destination, unsigned bsr)
{
  return (uint32_t)type | tag << 2 | group << 4 | destination << 9 | bsr << 20;
}
static inline uint32_t hd_barrier_local(enum hd_barrier_type type, unsigned group)
{
  return (uint32_t)type | group << 4 | UINT32_C(1) << 31;
}

/** It builds a tree (§8.3), which needs those of one link in order. */
static inline bool hd_barrier_is_initial(uint32_t message)
{
  return !(message >> 31) && (message & 3) == HD_INITIAL_REDUCE;
}

/** Messages that the barrier queue of an input port holds (§7.3). */
enum { HD_BARRIER_QUEUE = 2 };

#endif
