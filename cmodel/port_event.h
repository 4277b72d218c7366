/* Port events: what crosses a switch's ports, cycle by cycle (specification §6.1).
 * SPDX-License-Identifier: Apache-2.0
 *
 * All parts of the project exchange these events: the model records them, backends replay them and answer with them,
 * comparison, digest, traces and waves use them.
 */
#ifndef HD_PORT_EVENT_H
#define HD_PORT_EVENT_H

#include <stdint.h>

/** Bits of a flit's kind, specification §1.2. */
enum {
  HD_KIND_BODY = 0,
  HD_KIND_TAIL = 1,
  HD_KIND_HEAD = 2,
  HD_KIND_SINGLE = 3,
  HD_KIND_RESERVED = 4, /* the bit of kinds that no packet has */
  /* §7.2 */
  HD_KIND_BARRIER = 4,      /* first flit of a message of two */
  HD_KIND_BARRIER_LAST = 5, /* last flit of a message, or its only one */
  HD_KIND_PADDING = 6,      /* padding request or padding end */
  HD_KIND_NULL = 7,
};

/** A flit at a port. `cycle` counts from the first cycle of its window: 0 … n−1 at inputs, 1 … n at outputs, 0 for an
 *  output shown before the switch's first window. Bits of data above DATA_W are 0. */
struct hd_flit_event {
  uint64_t data;
  uint32_t cycle;
  uint8_t port;
  uint8_t vc;
  uint8_t kind;
  uint8_t zero; /* always 0, so that equal events are equal bytes */
};
_Static_assert(sizeof(struct hd_flit_event) == 16, "flit events are compared as bytes");

/** Credits at a port: at inputs, freed slots downstream of output `port`; at outputs, freed slots of input `port`. If
 *  switches show their counts (§10.8), also a count. */
struct hd_credit_event {
  uint32_t cycle;
  uint8_t port;
  uint8_t vcs;     /* bit v: one slot of virtual channel v */
  uint8_t barrier; /* 1: a barrier credit, too (§8.9) */
  uint8_t count;   /* the seven wires of a count (§10.8): 0, or HD_COUNT_SHOWN | the count */
};
/** Bit of the barrier credit in a credit set (§8.9), and the lowest bit of a count's wires (§10.8). */
enum { HD_BARRIER_CREDIT = 8, HD_COUNT_WIRES = 9 };
/** Wires of a count (§10.8): one wire says that a count is shown, the others carry it. */
enum { HD_COUNT_BITS = 7, HD_COUNT_SHOWN = 64, HD_COUNT_MOST = 63 };
_Static_assert(sizeof(struct hd_credit_event) == 8, "credit events are compared as bytes");

/** Packs all that a credit event gives into one set: credits, the barrier credit (§8.9) and the wires of a count. */
static inline uint16_t hd_credit_set(const struct hd_credit_event *e)
{
  return (uint16_t)(e->vcs | (unsigned)e->barrier << HD_BARRIER_CREDIT |
                    (unsigned)e->count << HD_COUNT_WIRES);
}

/** Makes the event that hd_credit_set packed. */
static inline struct hd_credit_event hd_credit_of_set(uint32_t cycle, uint8_t port, uint16_t set)
{
  struct hd_credit_event e;
  e.cycle = cycle;
  e.port = port;
  e.vcs = (uint8_t)set;
  e.barrier = (uint8_t)(set >> HD_BARRIER_CREDIT & 1u);
  e.count = (uint8_t)(set >> HD_COUNT_WIRES);
  return e;
}

/** A write to the configuration port, specification §3. */
struct hd_config_event {
  uint32_t cycle;
  uint32_t addr;
  uint16_t data;
  uint16_t zero;
};
_Static_assert(sizeof(struct hd_config_event) == 12, "configuration events have one layout");

/** splitmix64's finaliser, specification §6.4. */
static inline uint64_t hd_mix64(uint64_t z)
{
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/** Returns what an output flit event adds to the digest; `start` is the window's first cycle. */
static inline uint64_t hd_flit_digest(const struct hd_flit_event *e, uint64_t start)
{
  return hd_mix64(hd_mix64(((start + e->cycle) << 24) | ((uint64_t)e->port << 16) |
                           ((uint64_t)e->vc << 8) | e->kind) +
                  e->data);
}

/** Returns what an output credit event adds to the digest. */
static inline uint64_t hd_credit_digest(const struct hd_credit_event *e, uint64_t start)
{
  return hd_mix64(hd_mix64(((start + e->cycle) << 24) | ((uint64_t)e->port << 16) |
                           UINT64_C(0x8000) |
                           ((unsigned)e->barrier << HD_BARRIER_CREDIT | e->vcs)) +
                  e->count);
}

/** Returns what a switch adds to the run's digest, given the sum over its events. */
static inline uint64_t hd_switch_digest(uint64_t sum, uint32_t sw)
{
  return hd_mix64(sum + ((uint64_t)sw + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

#endif
