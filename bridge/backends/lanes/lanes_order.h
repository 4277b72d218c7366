/* Order in which lane code computes cells, and the driver of each net.
 * SPDX-License-Identifier: Apache-2.0
 *
 * For lanes_write.c, which makes text of it. Nodes are what has a place in the order: look-up tables, reads of
 * memories without a clock, and packs of tables (lanes_pack.h).
 */
#ifndef HD_LANES_ORDER_H
#define HD_LANES_ORDER_H

#include "../../host/text.h"
#include "lanes_pack.h"
#include "lanes_pins.h"

enum { NONE = UINT32_MAX };

/* Driver of a net. */
enum origin { CONSTANT, INPUT, STATE, LUT, READ };
struct driver {
  enum origin origin;
  uint32_t index; /* of the input, word of state, look-up table, read without a clock */
  uint32_t slot;  /* in t, where later functions find it; NONE */
  uint32_t copy;  /* first of its copies; NONE */
};

/* A vector whose words are not side by side before. */
struct gathered {
  hd_net nets[HD_PACK_MOST]; /* where there is no word, 0; if all are one, that net */
  bool same;
  uint32_t function,
      uses; /* the last function that gathers it; the number of reads still to come */
};

/* A word that a net is copied to: next[index], or t[index]. */
struct copy {
  bool temporary;
  uint32_t index, next;
};

/* A port of a memory. Each number is the first index of its nets in t. */
struct port {
  const struct hd_memory *memory;
  const struct hd_read_port *read; /* or: */
  const struct hd_write_port *write;
  uint32_t number; /* of the memory */
  uint32_t address, data, enable, reset;
  uint32_t write_index; /* among those of its memory */
};

struct writer {
  const struct hd_netlist *n;
  const struct hd_lane_pins *pins;
  const char *rtl_dir;
  struct hd_text *code;
  struct hd_error *err;
  struct driver *drivers; /* [n_nets] */
  struct copy *copies;
  size_t n_copies, cap_copies;
  struct port *ports; /* reads without a clock first, then clocked ones, then writes */
  uint32_t n_ports, n_asynchronous, n_reads;
  struct hd_packs packs;
  uint32_t *slots;  /* [packs] of tables: words of t in which other functions find them; NONE */
  uint32_t *stores; /* [packs] of registers: the pack of tables that they become; NONE */
  struct gathered *gathered; /* [3 × packs of tables] */
  uint32_t n_gathered;
  bool shown;      /* the order is of what outputs need; it has no packs */
  uint32_t *order; /* of nodes: look-up tables, reads without a clock, packs, by number */
  uint32_t n_order;
  uint8_t *state;     /* of a node: 0 new, 1 begun, 2 done */
  uint32_t *function; /* of a node: in which it is */
  uint32_t *uses;     /* of a node: how often it is read from here on */
  uint32_t n_registers, n_state, n_temporaries, n_functions;
  bool mutable;
};

/** Finds packs of `pack` words, the order, functions, and what is copied. HD_E_INPUT: a combinational loop.
 *  The caller frees what is in w. */
int hd_lanes_arrange(struct writer *w, uint32_t pack);
/** Orders what registers and memories need, or, `shown`, what outputs need, without packs. As above. */
int hd_lanes_make_order(struct writer *w, bool shown);
/** The pack of tables whose words these nets are, in the positions that `used` has; NONE: there is none. */
uint32_t hd_lanes_pack_of_nets(const struct writer *w, const hd_net *nets, const uint32_t *used);
/** Gives registers their first word in the state. */
uint32_t hd_lanes_registers_of_nets(const struct writer *w, const hd_net *nets,
                                    const uint32_t *used);
/** The number in w->gathered of the vector of these nets in the positions that `used` has. */
uint32_t hd_lanes_gathered_of(struct writer *w, const hd_net *nets, const uint32_t *used);

/* The word of a register in the state: packs come first, then single registers in their order. */
static inline uint32_t word_of(const struct writer *w, uint32_t index)
{
  const struct hd_pack_place *place = &w->packs.of_register[index];
  if (place->pack != HD_PACK_NONE)
    return place->pack * w->packs.width + place->position;
  return w->packs.n_registers * w->packs.width + place->position;
}

static inline bool is_pack(const struct writer *w, uint32_t node)
{
  return node != NONE && node >= w->n->n_luts + w->n_asynchronous;
}

/* The node in which a look-up table is. */
static inline uint32_t node_of_lut(const struct writer *w, uint32_t lut)
{
  const uint32_t pack = w->packs.of_lut[lut].pack;
  return w->shown || pack == HD_PACK_NONE ? lut : w->n->n_luts + w->n_asynchronous + pack;
}

/* The node that drives a net; NONE: it is there from the beginning. */
static inline uint32_t node_of(const struct writer *w, hd_net net)
{
  const struct driver *d = &w->drivers[net];
  return d->origin == LUT    ? node_of_lut(w, d->index)
         : d->origin == READ ? w->n->n_luts + d->index
                             : (uint32_t)NONE;
}

static inline bool is_read(const struct writer *w, uint32_t node)
{
  return node >= w->n->n_luts && !is_pack(w, node);
}

#endif
