/* A switch as look-up tables, flip-flops and memories, read from Yosys' JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_NETLIST_H
#define HD_LANES_NETLIST_H

#include "../../../cmodel/switch/params.h"

#include <stdbool.h>
#include <stddef.h>

/** A net of one bit. The first two are constants; what is undriven or x is 0. */
typedef uint32_t hd_net;
enum { HD_NET_ZERO = 0, HD_NET_ONE = 1 };

/** Cells that do the same in different instances of a module, such as the units of ports; 0: there are none like
 *  this one. Members of a group are different, and below 1000. */
struct hd_instance_class {
  uint32_t group, member;
};

/** y is bit a[0] + 2·a[1] + 4·a[2] of `table`; unused inputs are HD_NET_ZERO. */
struct hd_lut {
  hd_net a[3], y;
  uint8_t table, inputs;          /* the first so many of a are used */
  struct hd_instance_class alike; /* these have the same table */
  char *where;                    /* Yosys' src attribute; NULL: none */
};

/** The table of the same function with inputs i and i + 1 exchanged. */
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
  char *where; /* as of a table */
};

/** A read port. Clocked ones show in the next cycle what was there before the writes of this one, those of
 *  `forwarded` aside; while `enable` is 0 they show what they showed before. */
struct hd_read_port {
  bool clocked, reset_needs_enable;
  hd_net enable, reset;     /* of clocked ones; a reset gives reset_value */
  hd_net *address, *data;   /* [address_bits], [width] */
  char *reset_value, *init; /* [width] of '0', '1', 'x', lowest bit first */
  bool *forwarded;          /* [write_ports] */
};
struct hd_write_port {
  hd_net *address, *data, *enable; /* [address_bits], [width], [width]: each bit has its own */
};

/** Later write ports win. */
struct hd_memory {
  uint32_t width, rows, first_row, address_bits, n_reads, n_writes;
  char *init; /* [rows·width], lowest bit of the first row first; NULL: x all over */
  struct hd_read_port *reads;
  struct hd_write_port *writes;
};

/** A netlist. Pins give the net that an output pin shows or an input pin drives; HD_NET_ZERO: no such pin. */
struct hd_netlist {
  struct hd_lut *luts;
  struct hd_flip_flop *registers;
  struct hd_memory *memories;
  hd_net *inputs, *outputs; /* in the order of lanes_pins.h */
  char **names; /* [n_nets] as the RTL has them, "unit.counter[3]"; NULL: Yosys' own net */
  uint32_t n_luts, n_registers, n_memories, n_inputs, n_outputs, n_nets, n_groups;
};

/** Reads the JSON text of a netlist of hd_switch of `params`; `rtl_dir` is for messages. HD_E_INPUT: what lanes
 *  cannot do, such as a second clock, named; or ports that are not those of specification §2.11. HD_E_TOOL:
 *  no netlist. hd_netlist_fini frees it in any case. */
int hd_netlist_read(struct hd_netlist *netlist, const struct hd_switch_params *params,
                    const char *json, size_t length, const char *rtl_dir, struct hd_error *err);
void hd_netlist_fini(struct hd_netlist *netlist);

#endif
