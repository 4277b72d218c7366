/* Finds all mutants of a netlist.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A mutant is a gate with a wrong table. Faults that give a gate the same table are one mutant. If
 * a net has one reader, a fault at the reader's input is the same mutant as that fault at the
 * driver's output, and counts for the driver.
 */
#include "mutants_internal.h"

#include "../host/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLIP_FLOP_TABLE = 0xa /* rows d + 2·q: it takes d */ };

const char *hd_mutant_kind_name(enum hd_mutant_kind kind)
{
#define HD_MUTANT_TEXT(NAME, text) text,
  static const char *const texts[] = {HD_MUTANT_LIST(HD_MUTANT_TEXT)};
  return texts[kind];
}

const char *hd_mutant_wire_name(enum hd_mutant_wire wire)
{
  static const char *const names[HD_WIRES] = {"valid",   "kind",  "vc",        "data",    "credit",
                                              "barrier", "count", "quiescent", "register"};
  return names[wire];
}

const char *hd_proof_text(enum hd_proof proof)
{
#define HD_PROOF_TEXT(NAME, text) text,
  static const char *const texts[] = {HD_PROOF_LIST(HD_PROOF_TEXT)};
  return texts[proof];
}

struct finder {
  const struct hd_netlist *n;
  struct hd_mutants *mutants;
  size_t cap;
  uint32_t *sinks;  /* [n_nets]: number of pins that read it; 2: two or more */
  uint32_t *feeds;  /* [n_nets]: a cell that reads it, + 1; 0: none */
  uint32_t *fed_by; /* [n_nets]: the cell that drives it, + 1; 0: none */
  uint8_t *by_gate; /* [n_nets]: 1: a gate drives it */
};

/* ── lines of cells ────────────────────────────────────────────────────────── */

/* Sets the file and line of a cell from its src attribute, such as
 * "rtl/hd_output_port.v:162.7-165.64|/usr/…/techmap.v:…". The parts have any order. Files of Yosys
 * begin with a slash, and line 0 means that the line is not known. */
static void place_of(struct hd_mutant_cell *cell, const char *where)
{
  const char *best = NULL;
  for (const char *part = where; part; part = strchr(part, '|') ? strchr(part, '|') + 1 : NULL)
    if (part[0] != '/' && strchr(part, ':') && atoi(strchr(part, ':') + 1))
      best = part;
  if (!best)
    return;
  if (!strncmp(best, "rtl/", 4))
    best += 4;
  const size_t length = strcspn(best, ":");
  cell->file = hd_xstrndup(best, length);
  cell->line = (uint32_t)strtoul(best + length + 1, NULL, 10);
}

/* ── wrong tables ──────────────────────────────────────────────────────────── */

/* Returns the rows of a table that can occur: an input may be constant, or the same net as another
 * one. */
static uint8_t rows_of(const struct hd_lut *lut)
{
  uint8_t rows = 0;
  for (unsigned row = 0; row < 8; row++) {
    bool comes = true;
    for (unsigned i = 0; i < 3; i++) {
      const unsigned bit = row >> i & 1;
      comes &= lut->a[i] > HD_NET_ONE || bit == lut->a[i];
      for (unsigned k = 0; k < i; k++)
        comes &= lut->a[k] != lut->a[i] || bit == (row >> k & 1);
    }
    rows |= (uint8_t)(comes << row);
  }
  return rows;
}

/* Returns the number of inputs that are neither constant nor the same net as another one. */
static unsigned true_inputs(const struct hd_lut *lut)
{
  const unsigned rows = (unsigned)__builtin_popcount(rows_of(lut));
  return rows == 8 ? 3 : rows == 4 ? 2 : rows == 2;
}

static const char *gate_name(const struct hd_lut *lut)
{
  const unsigned rows = rows_of(lut);
  unsigned table = 0, n = 0;
  /* Packs the rows that can occur into a table without gaps. */
  for (unsigned row = 0; row < 8; row++)
    if (rows >> row & 1)
      table |= (unsigned)(lut->table >> row & 1) << n++;
  if (n == 8)
    return "multiplexer";
  if (n == 2)
    return table == 1 ? "not" : "wire";
  return table == 8                   ? "and"
         : table == 14                ? "or"
         : table == 6                 ? "xor"
         : table == 9                 ? "xnor"
         : table == 7                 ? "nand"
         : table == 1                 ? "nor"
         : table == 2 || table == 4   ? "and-not"
         : table == 11 || table == 13 ? "or-not"
                                      : "gate";
}

/* Returns the table of a gate whose inputs are first masked by `and_` and inverted by `xor_`, and
 * whose inputs i and k are exchanged. */
static uint8_t changed_table(uint8_t table, unsigned and_, unsigned xor_, unsigned i, unsigned k)
{
  uint8_t result = 0;
  for (unsigned row = 0; row < 8; row++) {
    unsigned at = (row & and_) ^ xor_;
    if (i != k)
      at = (at & ~(1u << i) & ~(1u << k)) | (at >> i & 1) << k | (at >> k & 1) << i;
    result |= (uint8_t)((table >> at & 1) << row);
  }
  return result;
}

/* Adds a mutant of a cell, unless the cell has one with the same rows. */
static void add(struct finder *f, uint32_t cell, uint32_t first, uint8_t rows, unsigned kind,
                unsigned i, unsigned k)
{
  struct hd_mutants *m = f->mutants;
  size_t n = m->n;
  if (!rows)
    return;
  for (uint32_t old = first; old < n; old++)
    if (m->list[old].rows == rows) {
      m->collapsed++;
      return;
    }
  HD_XROOM(m->list, f->cap, n, 1);
  m->list[m->n++] = (struct hd_mutant){
      .cell = cell, .kind = (uint8_t)kind, .rows = rows, .inputs = {(uint8_t)i, (uint8_t)k}};
}

static void find_in_table(struct finder *f, uint32_t cell)
{
  const struct hd_lut *lut = &f->n->luts[cell];
  const uint8_t all = rows_of(lut), table = lut->table;
  const uint32_t first = f->mutants->n;
  unsigned inputs = 0; /* inputs that are not constant */
  for (unsigned i = 0; i < 3; i++)
    inputs |= (unsigned)(lut->a[i] > HD_NET_ONE) << i;
#define ADD(kind, other, i, k) \
  add(f, cell, first, (uint8_t)((table ^ (other)) & all), HD_MUTANT_##kind, i, k)
  if (!f->sinks[lut->y])
    return;
  ADD(STUCK_0, 0u, 0, 0);
  ADD(STUCK_1, 0xffu, 0, 0);
  ADD(INVERTED, ~(unsigned)table, 0, 0);
  for (unsigned i = 0; i < 3; i++) {
    if (lut->a[i] <= HD_NET_ONE)
      continue;
    /* Only this gate reads its driver, so an error at this input is an error of the driver. */
    if (f->sinks[lut->a[i]] == 1 && f->by_gate[lut->a[i]]) {
      f->mutants->collapsed += 3;
      continue;
    }
    ADD(INPUT_0, changed_table(lut->table, ~(1u << i), 0, 0, 0), i, i);
    ADD(INPUT_1, changed_table(lut->table, ~(1u << i), 1u << i, 0, 0), i, i);
    ADD(INPUT_INVERTED, changed_table(lut->table, 7, 1u << i, 0, 0), i, i);
  }
  for (unsigned i = 0; i < 3; i++)
    for (unsigned k = i + 1; k < 3 && true_inputs(lut) == 3; k++)
      ADD(EXCHANGED, changed_table(lut->table, 7, 0, i, k), i, k);
  if (true_inputs(lut) == 2)
    ADD(DUAL, ~(unsigned)changed_table(lut->table, 7, inputs, 0, 0), 0, 0);
#undef ADD
}

static void find_in_register(struct finder *f, uint32_t index)
{
  const struct hd_flip_flop *r = &f->n->registers[index];
  const uint32_t first = f->mutants->n, cell = f->n->n_luts + index;
  if (!f->sinks[r->q])
    return;
  if (f->sinks[r->d] == 1 && f->by_gate[r->d])
    f->mutants->collapsed += 3;
  else {
    add(f, cell, first, FLIP_FLOP_TABLE ^ 0, HD_MUTANT_STUCK_0, 0, 0);
    add(f, cell, first, FLIP_FLOP_TABLE ^ 0xf, HD_MUTANT_STUCK_1, 0, 0);
    add(f, cell, first, 0xf, HD_MUTANT_INVERTED, 0, 0);
  }
  add(f, cell, first, FLIP_FLOP_TABLE ^ 0xc, HD_MUTANT_HELD, 0, 0);
}

/* ── readers and drivers ───────────────────────────────────────────────────── */

static void read_by(struct finder *f, const hd_net *nets, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    f->sinks[nets[i]] += f->sinks[nets[i]] < 2;
}

static void feeds(struct finder *f, const hd_net *nets, uint32_t n, uint32_t cell)
{
  for (uint32_t i = 0; i < n; i++)
    f->feeds[nets[i]] = cell + 1;
}

static void count_sinks(struct finder *f)
{
  const struct hd_netlist *n = f->n;
  for (uint32_t i = 0; i < n->n_luts; i++) {
    read_by(f, n->luts[i].a, n->luts[i].inputs);
    feeds(f, n->luts[i].a, n->luts[i].inputs, i);
    f->fed_by[n->luts[i].y] = i + 1;
    f->by_gate[n->luts[i].y] = 1;
  }
  for (uint32_t i = 0; i < n->n_registers; i++) {
    read_by(f, &n->registers[i].d, 1);
    feeds(f, &n->registers[i].d, 1, n->n_luts + i);
    f->fed_by[n->registers[i].q] = n->n_luts + i + 1;
  }
  for (uint32_t m = 0; m < n->n_memories; m++) {
    const struct hd_memory *memory = &n->memories[m];
    for (uint32_t i = 0; i < memory->n_reads; i++) {
      read_by(f, memory->reads[i].address, memory->address_bits);
      read_by(f, &memory->reads[i].enable, 1);
      read_by(f, &memory->reads[i].reset, 1);
    }
    for (uint32_t i = 0; i < memory->n_writes; i++) {
      read_by(f, memory->writes[i].address, memory->address_bits);
      read_by(f, memory->writes[i].data, memory->width);
      read_by(f, memory->writes[i].enable, memory->width);
    }
  }
  read_by(f, n->outputs, n->n_outputs);
  f->sinks[HD_NET_ZERO] = f->sinks[HD_NET_ONE] = 2;
}

static void add_cell(struct finder *f, const char *where, const char *gate, hd_net net)
{
  struct hd_mutants *m = f->mutants;
  struct hd_mutant_cell *cell = &m->cells[m->n_cells++];
  const char *name = f->n->names[net];
  cell->gate = gate;
  place_of(cell, where);
  m->n_lines_known += cell->file != NULL;
  cell->net = name ? hd_xstrdup(name) : NULL;
}

/* Gives a cell the line of another cell, whose number + 1 is given. True: the cell has a line now.
 */
static bool lend_line(struct finder *f, struct hd_mutant_cell *cell, uint32_t from)
{
  if (cell->file || !from || !f->mutants->cells[from - 1].file)
    return false;
  cell->file = hd_xstrdup(f->mutants->cells[from - 1].file);
  cell->line = f->mutants->cells[from - 1].line;
  f->mutants->n_lines_lent++;
  return true;
}

/* Gives lines to gates that Yosys has made, such as the multiplexer of a flip-flop with an enable.
 * Such a gate gets the line of a cell that it feeds. If no such cell has a line, because the gate
 * feeds a memory, it gets the line of a cell that feeds it. */
static void lend_lines(struct finder *f)
{
  const struct hd_netlist *n = f->n;
  struct hd_mutant_cell *cells = f->mutants->cells;
  for (unsigned backwards = 0; backwards < 2; backwards++)
    for (bool lent = true; lent;) {
      lent = false;
      for (uint32_t i = 0; i < n->n_luts; i++) {
        lent |= lend_line(f, &cells[i], f->feeds[n->luts[i].y]);
        for (unsigned k = 0; backwards && k < n->luts[i].inputs; k++)
          lent |= lend_line(f, &cells[i], f->fed_by[n->luts[i].a[k]]);
      }
      for (uint32_t i = 0; i < n->n_registers; i++) {
        lent |= lend_line(f, &cells[n->n_luts + i], f->feeds[n->registers[i].q]);
        lent |= backwards && lend_line(f, &cells[n->n_luts + i], f->fed_by[n->registers[i].d]);
      }
    }
}

void hd_mutants_find(struct hd_mutants *mutants, const struct hd_netlist *n)
{
  struct finder f = {.n = n, .mutants = mutants};
  *mutants = (struct hd_mutants){.n_tables = n->n_luts};
  mutants->cells = hd_xcalloc((size_t)n->n_luts + n->n_registers + 1, sizeof *mutants->cells);
  f.sinks = hd_xcalloc((size_t)n->n_nets + 2, sizeof *f.sinks);
  f.feeds = hd_xcalloc((size_t)n->n_nets + 2, sizeof *f.feeds);
  f.fed_by = hd_xcalloc((size_t)n->n_nets + 2, sizeof *f.fed_by);
  f.by_gate = hd_xcalloc((size_t)n->n_nets + 2, 1);
  count_sinks(&f);
  for (uint32_t i = 0; i < n->n_luts; i++) {
    add_cell(&f, n->luts[i].where, gate_name(&n->luts[i]), n->luts[i].y);
    find_in_table(&f, i);
  }
  for (uint32_t i = 0; i < n->n_registers; i++) {
    add_cell(&f, n->registers[i].where, "flip-flop", n->registers[i].q);
    find_in_register(&f, i);
  }
  lend_lines(&f);
  free(f.sinks);
  free(f.feeds);
  free(f.fed_by);
  free(f.by_gate);
}

void hd_mutants_fini(struct hd_mutants *m)
{
  for (uint32_t i = 0; i < m->n_cells; i++) {
    free((char *)(uintptr_t)m->cells[i].file);
    free((char *)(uintptr_t)m->cells[i].net);
  }
  free(m->cells);
  free(m->list);
  *m = (struct hd_mutants){0};
}
