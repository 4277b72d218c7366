/* Describes a cell of a netlist by names of the RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gates of a synthesised expression have no names. So a gate is described by the expression around
 * it, up to the next nets that have names in the RTL, on both sides.
 */
#include "mutant_logic.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
  DEEPEST = 5,      /* levels of gates in an expression, at most */
  FARTHEST = 64,    /* gates between a cell and a reader with a name, at most */
  MOST_NAMES = 24,  /* names in an expression, at most */
  MOST_READERS = 6, /* readers that are named, at most */
};

/* Readers of each net. Memories are numbered after all cells: their number is above that of the
 * last flip-flop. */
struct hd_logic {
  const struct hd_netlist *netlist;
  uint32_t *first, *readers; /* [n_nets + 1]; net n has readers[first[n] … first[n + 1] - 1] */
  uint32_t *driver;          /* [n_nets]: look-up table that drives it, + 1; 0: none does */
  uint32_t *named_in;        /* [cells]: question in which it was named last */
  uint32_t question;
};

/* ── readers of nets ───────────────────────────────────────────────────────── */

static void read_by(struct hd_logic *l, bool fill, const hd_net *nets, size_t n, uint32_t reader)
{
  for (size_t i = 0; i < n; i++) {
    if (fill)
      l->readers[l->first[nets[i]]] = reader;
    l->first[nets[i]]++;
  }
}

/* Counts the readers of each net in first[]; or, with `fill`, writes them to readers[], and moves
 * first[] of each net to the begin of the next one. */
static void list_readers(struct hd_logic *l, bool fill)
{
  const struct hd_netlist *n = l->netlist;
  for (uint32_t i = 0; i < n->n_luts; i++)
    read_by(l, fill, n->luts[i].a, n->luts[i].inputs, i);
  for (uint32_t i = 0; i < n->n_registers; i++)
    read_by(l, fill, &n->registers[i].d, 1, n->n_luts + i);
  for (uint32_t i = 0; i < n->n_memories; i++) {
    const struct hd_memory *m = &n->memories[i];
    const uint32_t reader = n->n_luts + n->n_registers + i;
    for (uint32_t k = 0; k < m->n_reads; k++) {
      read_by(l, fill, m->reads[k].address, m->address_bits, reader);
      read_by(l, fill, &m->reads[k].enable, 1, reader);
      read_by(l, fill, &m->reads[k].reset, 1, reader);
    }
    for (uint32_t k = 0; k < m->n_writes; k++) {
      read_by(l, fill, m->writes[k].address, m->address_bits, reader);
      read_by(l, fill, m->writes[k].data, m->width, reader);
      read_by(l, fill, m->writes[k].enable, m->width, reader);
    }
  }
}

struct hd_logic *hd_logic_create(const struct hd_netlist *netlist)
{
  struct hd_logic *l = hd_xcalloc(1, sizeof *l);
  const size_t cells = (size_t)netlist->n_luts + netlist->n_registers + netlist->n_memories;
  uint32_t all = 0;
  l->netlist = netlist;
  l->first = hd_xcalloc((size_t)netlist->n_nets + 1, sizeof *l->first);
  l->driver = hd_xcalloc((size_t)netlist->n_nets + 1, sizeof *l->driver);
  l->named_in = hd_xcalloc(cells + 1, sizeof *l->named_in);
  for (uint32_t i = 0; i < netlist->n_luts; i++)
    l->driver[netlist->luts[i].y] = i + 1;
  list_readers(l, false);
  for (uint32_t net = 0; net <= netlist->n_nets; net++) {
    const uint32_t n = l->first[net];
    l->first[net] = all;
    all += n;
  }
  l->readers = hd_xcalloc((size_t)all + 1, sizeof *l->readers);
  list_readers(l, true);
  memmove(l->first + 1, l->first, netlist->n_nets * sizeof *l->first);
  l->first[0] = 0;
  return l;
}

void hd_logic_destroy(struct hd_logic *l)
{
  if (!l)
    return;
  free(l->first);
  free(l->readers);
  free(l->driver);
  free(l->named_in);
  free(l);
}

/* ── expression ────────────────────────────────────────────────────────────── */

static void add_net(const struct hd_logic *l, hd_net net, unsigned depth, unsigned *names,
                    struct hd_text *text);

/* Returns the table after its constant inputs were set. */
static uint8_t table_of(const struct hd_lut *lut)
{
  uint8_t table = 0;
  for (unsigned row = 0; row < 8; row++) {
    unsigned at = row;
    for (unsigned i = 0; i < 3; i++)
      if (lut->a[i] <= HD_NET_ONE)
        at = (at & ~(1u << i)) | lut->a[i] << i;
    table |= (uint8_t)((lut->table >> at & 1) << row);
  }
  return table;
}

/* Tests whether input i changes the output of a table. */
static bool changes_output(uint8_t table, unsigned i)
{
  for (unsigned row = 0; row < 8; row++)
    if ((table >> row & 1) != (table >> (row ^ 1u << i) & 1))
      return true;
  return false;
}

/* Returns the table of inputs i and k alone: bit a + 2·b is its value for i = a and k = b. */
static unsigned table_of_two(uint8_t table, unsigned i, unsigned k)
{
  unsigned two = 0;
  for (unsigned at = 0; at < 4; at++)
    two |= (unsigned)(table >> ((at & 1) << i | (at >> 1) << k) & 1) << at;
  return two;
}

/* Returns the table of a multiplexer: input a if input s is 0, input b if it is 1. */
static uint8_t table_of_choice(unsigned s, unsigned a, unsigned b)
{
  uint8_t table = 0;
  for (unsigned row = 0; row < 8; row++)
    table |= (uint8_t)((row >> ((row >> s & 1) ? b : a) & 1) << row);
  return table;
}

static void add_table(const struct hd_logic *l, const struct hd_lut *lut, unsigned depth,
                      unsigned *names, struct hd_text *text)
{
  /* By the table of two inputs: text before the first input, between both, after the second. */
  static const char *const shapes[16][3] = {
      [0x8] = {"(", " & ", ")"},  [0x2] = {"(", " & !", ")"}, [0x4] = {"(!", " & ", ")"},
      [0x1] = {"!(", " | ", ")"}, [0xe] = {"(", " | ", ")"},  [0xb] = {"(", " | !", ")"},
      [0xd] = {"(!", " | ", ")"}, [0x7] = {"!(", " & ", ")"}, [0x6] = {"(", " ^ ", ")"},
      [0x9] = {"(", " == ", ")"},
  };
  const uint8_t table = table_of(lut);
  unsigned inputs[3], n = 0;
  for (unsigned i = 0; i < 3; i++)
    if (changes_output(table, i))
      inputs[n++] = i;
  if (n == 0)
    hd_text_add(text, "%d", table & 1);
  else if (n == 1) {
    hd_text_add(text, "%s", table & 1 ? "!" : "");
    add_net(l, lut->a[inputs[0]], depth, names, text);
  } else if (n == 2) {
    const char *const *shape = shapes[table_of_two(table, inputs[0], inputs[1])];
    hd_text_add(text, "%s", shape[0]);
    add_net(l, lut->a[inputs[0]], depth, names, text);
    hd_text_add(text, "%s", shape[1]);
    add_net(l, lut->a[inputs[1]], depth, names, text);
    hd_text_add(text, "%s", shape[2]);
  } else {
    for (unsigned s = 0; s < 3; s++)
      for (unsigned a = 0; a < 3; a++)
        if (a != s && table == table_of_choice(s, a, 3 - s - a)) {
          hd_text_add(text, "(");
          add_net(l, lut->a[s], depth, names, text);
          hd_text_add(text, " ? ");
          add_net(l, lut->a[3 - s - a], depth, names, text);
          hd_text_add(text, " : ");
          add_net(l, lut->a[a], depth, names, text);
          hd_text_add(text, ")");
          return;
        }
    hd_text_add(text, "8'h%02x[{", table);
    for (unsigned i = 3; i--;) {
      add_net(l, lut->a[i], depth, names, text);
      hd_text_add(text, "%s", i ? ", " : "}]");
    }
  }
}

static void add_net(const struct hd_logic *l, hd_net net, unsigned depth, unsigned *names,
                    struct hd_text *text)
{
  const char *name = l->netlist->names[net];
  if (net <= HD_NET_ONE)
    hd_text_add(text, "%u", net);
  else if (*names == MOST_NAMES)
    hd_text_add(text, "…");
  else if (name || !l->driver[net]) {
    ++*names;
    hd_text_add(text, "%s", name ? name : "a memory"); /* flip-flops and ports have names */
  } else if (depth == DEEPEST)
    hd_text_add(text, "…");
  else
    add_table(l, &l->netlist->luts[l->driver[net] - 1], depth + 1, names, text);
}

void hd_logic_expression(const struct hd_logic *l, uint32_t cell, struct hd_text *text)
{
  unsigned names = 0;
  if (cell < l->netlist->n_luts)
    add_table(l, &l->netlist->luts[cell], 0, &names, text);
  else
    add_net(l, l->netlist->registers[cell - l->netlist->n_luts].d, 0, &names, text);
}

/* ── readers of a cell ─────────────────────────────────────────────────────── */

static void add_reader(const char *name, unsigned *n, struct hd_text *text)
{
  if (*n < MOST_READERS)
    hd_text_add(text, "%s%s", *n ? "; " : "", name);
  else if (*n == MOST_READERS)
    hd_text_add(text, "; …");
  ++*n;
}

static void add_readers(struct hd_logic *l, hd_net net, unsigned depth, unsigned *n,
                        struct hd_text *text)
{
  const struct hd_netlist *of = l->netlist;
  for (uint32_t i = l->first[net]; i < l->first[net + 1] && *n <= MOST_READERS; i++) {
    const uint32_t reader = l->readers[i];
    if (l->named_in[reader] == l->question)
      continue;
    l->named_in[reader] = l->question;
    if (reader >= of->n_luts + of->n_registers) {
      add_reader("a memory", n, text);
      continue;
    }
    const hd_net to =
        reader < of->n_luts ? of->luts[reader].y : of->registers[reader - of->n_luts].q;
    if (of->names[to])
      add_reader(of->names[to], n, text);
    else if (reader < of->n_luts && depth < FARTHEST)
      add_readers(l, to, depth + 1, n, text);
    else if (reader < of->n_luts)
      add_reader("…", n, text);
    else
      add_reader("a flip-flop", n, text);
  }
}

void hd_logic_readers(struct hd_logic *l, uint32_t cell, struct hd_text *text)
{
  const struct hd_netlist *of = l->netlist;
  unsigned n = 0;
  l->question++;
  add_readers(l, cell < of->n_luts ? of->luts[cell].y : of->registers[cell - of->n_luts].q, 0, &n,
              text);
}
