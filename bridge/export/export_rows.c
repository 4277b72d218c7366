/* The ROM of an exported fabric: all writes that give its switches their tables.
 * SPDX-License-Identifier: Apache-2.0
 *
 * They are those that the model gets. Where all input ports of a switch get the same, one row stands for them. The ROM
 * holds the bits alone that are not the same in all rows: of a mesh a switch number's port and mask, and little else.
 */
#include "export_internal.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LAST_BIT = 37, ALL_BIT = 36, ADDR_BIT = 16, ROW_BITS = 38 };

static void add_row(struct hd_export *x, uint32_t addr, uint16_t data)
{
  HD_XROOM(x->rows, x->rows_capacity, x->n_rows, 1);
  x->rows[x->n_rows++] = (struct export_row){.addr = addr, .data = data};
}

static uint32_t port_of(const struct export_row *row)
{
  return row->addr >> 12 & 15;
}

static int by_place(const void *a, const void *b)
{
  const struct export_row *x = a, *y = b;
  const uint32_t left = (x->addr & 0xf0fff) << 4 | port_of(x),
                 right = (y->addr & 0xf0fff) << 4 | port_of(y);
  return (left > right) - (left < right);
}

/* Joins rows of one switch, from `first` on, that write the same for each input port. */
static void join(struct hd_export *x, size_t first)
{
  const uint32_t ports = x->scenario.sw.ports;
  size_t to = first;
  qsort(x->rows + first, x->n_rows - first, sizeof *x->rows, by_place);
  for (size_t i = first; i < x->n_rows;) {
    struct export_row row = x->rows[i];
    size_t n = 0;
    while (i + n < x->n_rows && n < ports && x->rows[i + n].data == row.data &&
           x->rows[i + n].addr == (row.addr & 0xf0fff) + ((uint32_t)n << 12))
      n++;
    row.all = n == ports;
    i += row.all ? n : 1;
    x->rows[to++] = row;
  }
  x->n_rows = to;
}

static void add_switch(struct hd_export *x, uint32_t sw)
{
  struct hd_table_writes walk = {.tables = &x->tables, .sw = sw};
  struct hd_config_event write;
  const size_t first = x->n_rows;
  while (hd_table_writes_next(&walk, &write))
    add_row(x, write.addr, write.data);
  join(x, first);
  walk.next = 0;
  while (hd_adapt_writes_next(&walk, &write))
    add_row(x, write.addr, write.data);
}

void hd_export_rows(struct hd_export *x)
{
  for (uint32_t sw = 0; sw < x->topology.n_switches; sw++) {
    const size_t first = x->n_rows;
    add_switch(x, sw);
    /* Every switch has a row, and the ROM two of them: an entry that is not valid, as it is at power-up. */
    while (x->n_rows == first || x->n_rows < 2)
      add_row(x, HD_CFG_DESTINATION(0, 0), 0);
    x->rows[x->n_rows - 1].last = true;
  }
}

/* ── the module ────────────────────────────────────────────────────────────── */

static uint64_t bits_of(const struct export_row *row)
{
  return (uint64_t)row->last << LAST_BIT | (uint64_t)row->all << ALL_BIT |
         (uint64_t)row->addr << ADDR_BIT | row->data;
}

/* The bits of `word` at the ones of `mask`, side by side. */
static uint64_t squeeze(uint64_t word, uint64_t mask)
{
  uint64_t out = 0;
  for (unsigned from = 0, to = 0; from < ROW_BITS; from++)
    if (mask >> from & 1)
      out |= (word >> from & 1) << to++;
  return out;
}

static void add_outputs(uint64_t mask, uint64_t constant, struct hd_text *t)
{
  unsigned place = 0;
  for (unsigned i = 0; i < ROW_BITS; i++)
    place += mask >> i & 1;
  hd_text_add(t, "  assign {last_o, all_o, addr_o, data_o} = {");
  for (unsigned i = ROW_BITS; i--;) {
    if (mask >> i & 1)
      hd_text_add(t, "word_q[%u]", --place);
    else
      hd_text_add(t, "1'b%u", (unsigned)(constant >> i & 1));
    hd_text_add(t, i ? ", " : "};\n");
  }
}

void hd_export_tables(const struct hd_export *x, struct hd_text *t)
{
  const unsigned row_bits = hd_log2_ceil((uint32_t)x->n_rows);
  uint64_t mask = 0;
  for (size_t i = 1; i < x->n_rows; i++)
    mask |= bits_of(&x->rows[0]) ^ bits_of(&x->rows[i]);
  mask |= !mask;
  const unsigned width = (unsigned)__builtin_popcountll(mask);
  hd_export_head(x, "What its switches' tables hold", t);
  hd_text_add(t,
              "//\n"
              "// Row by row for hd_export_loader. Bits that are the same in all rows are not "
              "stored. A row\n"
              "// comes a cycle after its number, so that FPGA tools make block RAM of it.\n"
              "`default_nettype none\n\n"
              "module %s_tables (\n"
              "    input  wire        clk,\n"
              "    input  wire [%u:0] row_i,\n"
              "    output wire        last_o,  // of its switch\n"
              "    output wire        all_o,   // for all input ports\n"
              "    output wire [19:0] addr_o,\n"
              "    output wire [15:0] data_o\n"
              ");\n\n"
              "  reg [%u:0] word_q;\n"
              "  always @(posedge clk)\n"
              "    case (row_i)\n",
              x->name, row_bits - 1, width - 1);
  for (size_t i = 0; i < x->n_rows; i++)
    hd_text_add(t, "      %u'd%zu: word_q <= %u'h%" PRIx64 ";\n", row_bits, i, width,
                squeeze(bits_of(&x->rows[i]), mask));
  hd_text_add(t, "      default: word_q <= %u'd0;\n    endcase\n", width);
  add_outputs(mask, bits_of(&x->rows[0]), t);
  hd_text_add(t, "\nendmodule\n\n`default_nettype wire\n");
}
