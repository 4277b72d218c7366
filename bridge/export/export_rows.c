/* Makes the ROM of an exported fabric: all writes that fill its switches' tables.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model gets the same writes. A row is an address with data for each switch, so all switches
 * are written at the same time. If all input ports of each switch get the same data, one row serves
 * them all. The ROM holds only the bits that differ between rows. In a mesh these are the node's
 * number and the output ports.
 */
#include "export_internal.h"

#include "../../cmodel/fabric/fabric.h"
#include "../host/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One write to one switch. */
struct write {
  uint32_t addr, sw;
  uint16_t data;
};

struct writes {
  struct write *items;
  size_t n, capacity;
};

static void add_write(struct writes *w, uint32_t sw, const struct hd_config_event *event)
{
  HD_XROOM(w->items, w->capacity, w->n, 1);
  w->items[w->n++] = (struct write){.addr = event->addr, .sw = sw, .data = event->data};
}

static void add_switch(const struct hd_export *x, uint32_t sw, struct writes *w)
{
  struct hd_table_writes walk = {.tables = &x->tables, .sw = sw};
  struct hd_config_event event;
  while (hd_table_writes_next(&walk, &event))
    add_write(w, sw, &event);
  walk.next = 0;
  while (hd_adapt_writes_next(&walk, &event))
    add_write(w, sw, &event);
}

static void add_barrier(const struct hd_export *x, const struct hd_barrier_ways *ways, uint32_t sw,
                        struct writes *w)
{
  const uint32_t idle = x->scenario.barrier.idle_cycles;
  for (uint32_t to = 0; to < ways->n_switches; to++)
    add_write(w, sw,
              &(struct hd_config_event){.addr = HD_CFG_BARRIER_WAY(to),
                                        .data = hd_barrier_way(ways, sw, to)});
  add_write(w, sw, &(struct hd_config_event){.addr = HD_CFG_SELF, .data = (uint16_t)sw});
  if (idle)
    add_write(w, sw, &(struct hd_config_event){.addr = HD_CFG_IDLE, .data = (uint16_t)idle});
}

/* Sort key of an address: select and index, then port. So the writes for all ports are adjacent. */
static uint32_t place_of(uint32_t addr)
{
  return (addr & 0xf0000) << 8 | (addr & 0xfff) << 4 | (addr >> 12 & 15);
}

static int by_place(const void *a, const void *b)
{
  const struct write *x = a, *y = b;
  const uint32_t left = place_of(x->addr), right = place_of(y->addr);
  return (left > right) - (left < right);
}

/* Adds a row of zeros: invalid entries, as at power-up. */
static uint16_t *add_row(struct hd_export *x, uint32_t addr)
{
  HD_XROOM(x->rows, x->rows_capacity, x->n_rows, 1);
  struct export_row *row = &x->rows[x->n_rows++];
  *row = (struct export_row){.addr = addr,
                             .data = hd_xcalloc(x->topology.n_switches, sizeof *row->data)};
  return row->data;
}

/* True if the rows from `first` on are the same write, once for each input port. */
static bool is_for_all(const struct hd_export *x, size_t first)
{
  const uint32_t ports = x->scenario.sw.ports;
  const struct export_row *row = &x->rows[first];
  const size_t bytes = x->topology.n_switches * sizeof *row->data;
  if (first + ports > x->n_rows)
    return false;
  for (uint32_t p = 0; p < ports; p++)
    if (row[p].addr != (row->addr & 0xf0fff) + (p << 12) || memcmp(row[p].data, row->data, bytes))
      return false;
  return true;
}

static void merge_equal_rows(struct hd_export *x)
{
  size_t to = 0;
  for (size_t i = 0; i < x->n_rows;) {
    const bool all = is_for_all(x, i);
    const size_t n = all ? x->scenario.sw.ports : 1;
    for (size_t k = 1; k < n; k++)
      free(x->rows[i + k].data);
    x->rows[to] = x->rows[i];
    x->rows[to++].all = all;
    i += n;
  }
  x->n_rows = to;
}

int hd_export_rows(struct hd_export *x, struct hd_error *err)
{
  struct writes w = {0};
  struct hd_barrier_ways ways = {0};
  if (x->scenario.sw.barrier) {
    const int status = hd_barrier_ways_build(&ways, &x->topology, NULL, err);
    if (status)
      return status;
  }
  for (uint32_t sw = 0; sw < x->topology.n_switches; sw++) {
    add_switch(x, sw, &w);
    if (ways.masks)
      add_barrier(x, &ways, sw, &w);
  }
  hd_barrier_ways_fini(&ways);
  qsort(w.items, w.n, sizeof *w.items, by_place);
  uint16_t *data = NULL;
  for (size_t i = 0; i < w.n; i++) {
    if (!i || w.items[i].addr != w.items[i - 1].addr)
      data = add_row(x, w.items[i].addr);
    data[w.items[i].sw] = w.items[i].data;
  }
  free(w.items);
  merge_equal_rows(x);
  while (x->n_rows < 2) /* the loader's ROM has at least two rows */
    add_row(x, HD_CFG_SOURCE(0, 0));
  return HD_OK;
}

void hd_export_rows_fini(struct hd_export *x)
{
  for (size_t i = 0; i < x->n_rows; i++)
    free(x->rows[i].data);
  free(x->rows);
}

/* ── the module ────────────────────────────────────────────────────────────── */

/* A row's bits: data of each switch, then address, then `all`. */
enum { DATA_BITS = 16, ADDR_BITS = 20 };

static size_t bits_of_row(const struct hd_export *x)
{
  return (size_t)x->topology.n_switches * DATA_BITS + ADDR_BITS + 1;
}

static bool bit_of(const struct hd_export *x, const struct export_row *row, size_t bit)
{
  const size_t data = (size_t)x->topology.n_switches * DATA_BITS;
  if (bit < data)
    return row->data[bit / DATA_BITS] >> bit % DATA_BITS & 1;
  return bit < data + ADDR_BITS ? row->addr >> (bit - data) & 1 : row->all;
}

/* Finds the bits that differ between rows, the lowest first; at least one. Returns their number. */
static size_t find_varying(const struct hd_export *x, size_t *bits)
{
  size_t n = 0;
  for (size_t bit = 0; bit < bits_of_row(x); bit++) {
    bool varies = false;
    for (size_t r = 1; r < x->n_rows && !varies; r++)
      varies = bit_of(x, &x->rows[r], bit) != bit_of(x, &x->rows[0], bit);
    if (varies)
      bits[n++] = bit;
  }
  if (!n)
    bits[n++] = 0;
  return n;
}

static void add_word(const struct hd_export *x, const struct export_row *row, const size_t *bits,
                     size_t n, struct hd_text *t)
{
  hd_text_add(t, "%zu'h", n);
  for (size_t digit = (n + 3) / 4; digit--;) {
    unsigned value = 0;
    for (size_t i = digit * 4; i < n && i < digit * 4 + 4; i++)
      value |= (unsigned)bit_of(x, row, bits[i]) << (i - digit * 4);
    hd_text_add(t, "%x", value);
  }
}

static void add_outputs(const struct hd_export *x, const size_t *bits, size_t n, struct hd_text *t)
{
  hd_text_add(t, "  assign {all_o, addr_o, data_o} = {\n      ");
  for (size_t bit = bits_of_row(x); bit--;) {
    const bool varies = n && bits[n - 1] == bit;
    if (varies)
      hd_text_add(t, "word_q[%zu]", --n);
    else
      hd_text_add(t, "1'b%u", (unsigned)bit_of(x, &x->rows[0], bit));
    hd_text_add(t, bit % DATA_BITS ? ", " : bit ? ",\n      " : "\n  };\n");
  }
}

void hd_export_tables(const struct hd_export *x, struct hd_text *t)
{
  const unsigned row_bits = hd_log2_ceil((uint32_t)x->n_rows);
  size_t *bits = hd_xcalloc(bits_of_row(x), sizeof *bits);
  const size_t n = find_varying(x, bits);
  hd_export_head(x, "What its switches' tables hold", t);
  hd_text_add(t,
              "//\n"
              "// Row by row for hd_export_loader. Bits that are the same in all rows are not "
              "stored. A row\n"
              "// comes a cycle after its number, so that FPGA tools can make block RAM of it.\n"
              "`default_nettype none\n\n"
              "module %s_tables (\n"
              "    input  wire clk,\n"
              "    input  wire [%u:0] row_i,\n"
              "    output wire all_o,  // for all input ports\n"
              "    output wire [19:0] addr_o,\n"
              "    output wire [%" PRIu32 ":0] data_o  // of switch s at s * 16\n"
              ");\n\n"
              "  reg [%zu:0] word_q;\n"
              "  always @(posedge clk)\n"
              "    case (row_i)\n",
              x->name, row_bits - 1, x->topology.n_switches * DATA_BITS - 1, n - 1);
  for (size_t i = 0; i < x->n_rows; i++) {
    hd_text_add(t, "      %u'd%zu: word_q <= ", row_bits, i);
    add_word(x, &x->rows[i], bits, n, t);
    hd_text_add(t, ";\n");
  }
  hd_text_add(t, "      default: word_q <= %zu'd0;\n    endcase\n", n);
  add_outputs(x, bits, n, t);
  hd_text_add(t, "\nendmodule\n\n`default_nettype wire\n");
  free(bits);
}
