/* Finds the driver of each net, and an order in which lane code computes cells.
 * SPDX-License-Identifier: Apache-2.0
 *
 * For lanes_write.c, which writes the code. The nodes of the order are look-up tables, asynchronous
 * reads of memories, and packs of tables (lanes_pack.h). In the code, t is the array of
 * temporaries, and next the next state.
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
  uint32_t index; /* of the input, word of state, look-up table or asynchronous read */
  uint32_t slot;  /* word of t in which later functions find it; NONE */
  uint32_t copy;  /* index of its first copy; NONE */
};

/* A vector that must be gathered, because its words are not next to each other. */
struct gathered {
  hd_net nets[HD_PACK_MOST]; /* by position; 0: no word */
  bool same;                 /* all words are the same net */
  uint32_t function, uses;   /* last function that gathers it; number of reads still to come */
};

/* A word to which a net is copied: t[index] if `temporary`, otherwise next[index]. `next` is the
 * net's next copy. */
struct copy {
  bool temporary;
  uint32_t index, next;
};

/* A port of a memory. address, data, enable and reset are indices of the first word in t; data of a
 * clocked read are in the state. */
struct port {
  const struct hd_memory *memory;
  const struct hd_read_port *read;   /* NULL: a write port */
  const struct hd_write_port *write; /* NULL: a read port */
  uint32_t number;                   /* number of the memory */
  uint32_t address, data, enable, reset;
  uint32_t write_index; /* index among the write ports of its memory */
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
  struct port *ports; /* asynchronous reads, then clocked reads, then writes */
  uint32_t n_ports, n_asynchronous, n_reads;
  struct hd_packs packs;
  uint32_t *slots;  /* [packs of tables], first word of t in which other functions find it; NONE */
  uint32_t *stores; /* [packs of registers], pack of tables that drives it; NONE */
  struct gathered *gathered; /* [3 × packs of tables] */
  uint32_t n_gathered;
  bool shown;      /* the order is that of the outputs' cells, without packs */
  uint32_t *order; /* [n_order], nodes: look-up tables, then asynchronous reads, then packs */
  uint32_t n_order;
  uint8_t *state;     /* [nodes]: 0 new, 1 begun, 2 done */
  uint32_t *function; /* [nodes]: function that computes the node */
  uint32_t *uses;     /* [nodes]: number of reads still to come */
  uint32_t n_registers, n_state, n_temporaries, n_functions;
  bool with_faults;
};

/** Finds packs of `pack` words, then an order of all nodes, and plans functions and copies.
 *  HD_E_INPUT: a combinational loop. The caller frees the members of w. */
int hd_lanes_arrange(struct writer *w, uint32_t pack);
/** Orders the cells on which registers and memories depend; with `shown` those on which outputs
 *  depend, which are not packed. HD_E_INPUT: a combinational loop. */
int hd_lanes_make_order(struct writer *w, bool shown);
/** Finds the pack of tables that drives these nets, each at its position. Positions at which `used`
 *  is HD_PACK_NONE do not matter. NONE: there is no such pack. */
uint32_t hd_lanes_pack_of_nets(const struct writer *w, const hd_net *nets, const uint32_t *used);
/** Finds the pack of registers that drives these nets, as hd_lanes_pack_of_nets does. Returns its
 *  first word in the state. NONE: there is no such pack. */
uint32_t hd_lanes_registers_of_nets(const struct writer *w, const hd_net *nets,
                                    const uint32_t *used);
/** Finds or adds the vector of these nets in w->gathered, without positions at which `used` is
 *  HD_PACK_NONE. Returns its index. */
uint32_t hd_lanes_gathered_of(struct writer *w, const hd_net *nets, const uint32_t *used);

/* Returns the index of a register's word in the state. Packs come first, then single registers in
 * their order. */
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

/* Returns the node of a look-up table: its pack, or the table itself. */
static inline uint32_t node_of_lut(const struct writer *w, uint32_t lut)
{
  const uint32_t pack = w->packs.of_lut[lut].pack;
  return w->shown || pack == HD_PACK_NONE ? lut : w->n->n_luts + w->n_asynchronous + pack;
}

/* Returns the node that drives a net. NONE: no node does, it is an input, a register or a
 * constant. */
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
