/* Netlist of a switch: look-up tables, flip-flops and memories, read from Yosys' JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_NETLIST_H
#define HD_LANES_NETLIST_H

#include "../../../cmodel/switch/params.h"

#include <stdbool.h>
#include <stddef.h>

/** Number of a net of one bit. The first two numbers are the constants. A net without a driver, or
 *  with the value x, is HD_NET_ZERO. */
typedef uint32_t hd_net;
enum { HD_NET_ZERO = 0, HD_NET_ONE = 1 };

/** Class of a cell: cells of a group do the same in different instances of a module, such as the
 *  units of ports. group 0: no other cell is like this one. Members of a group have different
 *  numbers, below 1000. */
struct hd_instance_class {
  uint32_t group, member;
};

/** y is bit a[0] + 2·a[1] + 4·a[2] of `table`; unused inputs are HD_NET_ZERO. */
struct hd_lut {
  hd_net a[3], y;
  uint8_t table, inputs;          /* content; number of inputs, which come first in `a` */
  struct hd_instance_class alike; /* cells of the group have the same table */
  char *where;                    /* Yosys' src attribute; NULL: none */
};

/** Returns the table that gives the same function after inputs i and i + 1 are exchanged. */
static inline uint8_t hd_table_swapped(uint8_t table, unsigned i)
{
  uint8_t swapped = 0;
  for (unsigned at = 0; at < 8; at++) {
    const unsigned low = at >> i & 1, high = at >> (i + 1) & 1;
    const unsigned other = (at & ~(3u << i)) | low << (i + 1) | high << i;
    swapped |= (uint8_t)((table >> at & 1) << other);
  }
  return swapped;
}

/** q becomes d at the rising edge. */
struct hd_flip_flop {
  hd_net d, q;
  char init; /* '0', '1', 'x' */
  struct hd_instance_class alike;
  char *where; /* attribute src; NULL: none */
};

/** A read port. A clocked one shows the row in the next cycle, as it was before the writes of this
 *  cycle; only writes of `forwarded` ports are already seen. While `enable` is 0 its data do not
 *  change. */
struct hd_read_port {
  bool clocked, reset_needs_enable;
  hd_net enable, reset;     /* of a clocked port; a reset sets the data to reset_value */
  hd_net *address, *data;   /* [address_bits], [width] */
  char *reset_value, *init; /* [width] of '0', '1', 'x', lowest bit first */
  bool *forwarded;          /* [n_writes] */
};
struct hd_write_port {
  hd_net *address, *data, *enable; /* [address_bits], [width], [width]: each bit has its own */
};

/** A memory. If several ports write to a row at once, the last one wins. */
struct hd_memory {
  uint32_t width, rows, first_row, address_bits, n_reads, n_writes;
  char *init; /* [rows·width], lowest bit of the first row first; NULL: all x */
  struct hd_read_port *reads;
  struct hd_write_port *writes;
};

/** A netlist. */
struct hd_netlist {
  struct hd_lut *luts;
  struct hd_flip_flop *registers;
  struct hd_memory *memories;
  hd_net *inputs, *outputs; /* net of each pin, in the order of lanes_pins.h; HD_NET_ZERO: no pin */
  char **names; /* [n_nets], name in the RTL, as "unit.counter[3]"; NULL: the net is Yosys' own */
  uint32_t n_luts, n_registers, n_memories, n_inputs, n_outputs, n_nets, n_groups;
};

/** Reads a netlist of hd_switch with `params` from its JSON text. `rtl_dir` is for messages.
 *  HD_E_INPUT: the netlist has something that lanes do not support, such as a second clock, or
 *  other ports than specification §2.11. HD_E_TOOL: the text has no netlist. The caller calls
 *  hd_netlist_fini, also after an error. */
int hd_netlist_read(struct hd_netlist *netlist, const struct hd_switch_params *params,
                    const char *json, size_t length, const char *rtl_dir, struct hd_error *err);
void hd_netlist_fini(struct hd_netlist *netlist);

#endif
