/* A rig for switches with an XOR coder (specification §11): open places, heads with code fields, packets.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_CODER_RIG_H
#define HD_TEST_CODER_RIG_H

#include "barrier_rig.h"

/* The switch of the examples of §11.10: R = 1, D = 0, header of 6 bits, code [31:30], place [29:27], length
 * [26:23], data [22:6]. A flit that comes in t is granted in t + 2 and visible in t + 4. */
static inline struct hd_switch_params example_params(void)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_NONE);
  p.nodes = 16;
  p.depth_flits = 64;
  p.code_places = 8;
  return p;
}

static inline void write_entries(struct rig *r)
{
  for (unsigned port = 0; port < r->params.ports; port++)
    for (unsigned node = 0; node < r->params.nodes; node++)
      configure(r, HD_CFG_DESTINATION(port, node), hd_table_entry(node == 2, 0xff));
}

/* Packets for all nodes but 2 leave by output 0. Places first to first + members - 1 are a chain. */
static inline void open_chain(struct rig *r, unsigned first, unsigned members)
{
  for (unsigned k = 0; k < members; k++)
    configure(r, HD_CFG_PLACE(first + k), HD_PLACE_OPEN | (k + 1 == members ? HD_PLACE_LAST : 0));
}

static inline void open_coder(struct rig *r, const struct hd_switch_params *p)
{
  rig_open(r, p);
  write_entries(r);
}

static inline void open_example(struct rig *r)
{
  struct hd_switch_params p = example_params();
  open_coder(r, &p);
  open_chain(r, 0, 3);
}

static inline uint64_t head_of(const struct hd_switch_params *p, unsigned code, unsigned place,
                               unsigned length, uint64_t below)
{
  uint32_t w = hd_place_bits(p);
  return (uint64_t)code << (p->data_bits - 2) | (uint64_t)place << (p->data_bits - 2 - w) |
         (uint64_t)length << (p->data_bits - 6 - w) | below;
}

enum { NATIVE = 1, CODED = 2, FOR_1 = 1 << 2 };

static inline uint64_t head(unsigned code, unsigned place, unsigned length)
{
  struct hd_switch_params p = example_params();
  return head_of(&p, code, place, length, FOR_1);
}

/* A packet at input 0, flit after flit; the data of flit f > 0 is `data` + f. */
static inline void put_packet(struct rig *r, unsigned port, uint64_t header, unsigned flits,
                              uint64_t data)
{
  put_flit(r, port, 0, flits > 1 ? HD_KIND_HEAD : HD_KIND_SINGLE, header);
  for (unsigned f = 1; f < flits; f++)
    put_flit(r, port, 0, f + 1 < flits ? HD_KIND_BODY : HD_KIND_TAIL, data + f);
}

/* Flits that output 0 showed. */
static inline unsigned flits_shown(const struct rig *r)
{
  unsigned n = 0;
  for (uint32_t i = 0; i < r->n_flits; i++)
    n += !r->flits[i].port;
  return n;
}

static inline void run_to_rest(struct rig *r)
{
  run_to(r, r->cycle + 40);
}

#endif
