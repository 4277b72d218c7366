/* Finds the driver of each net, and an order in which lane code computes cells.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lanes_order.h"

#include "../../host/memory.h"

#include <stdlib.h>
#include <string.h>

/* Statements of a function, at most. Code for mutants has few, because a fault in one cell makes
 * its whole function slow. */
enum { STATEMENTS = 2000, FAULT_STATEMENTS = 60 };

/* ── drivers of nets ───────────────────────────────────────────────────────── */

static void copy_to(struct writer *w, hd_net net, bool temporary, uint32_t index)
{
  HD_XROOM(w->copies, w->cap_copies, w->n_copies, 1);
  w->copies[w->n_copies] =
      (struct copy){.temporary = temporary, .index = index, .next = w->drivers[net].copy};
  w->drivers[net].copy = (uint32_t)w->n_copies++;
}

static void set_driver(struct writer *w, hd_net net, enum origin origin, uint32_t index)
{
  if (net == HD_NET_ZERO || net == HD_NET_ONE)
    return;
  w->drivers[net].origin = origin;
  w->drivers[net].index = index;
}

/* Plans copies of `n` nets to new words of t, the temporaries. Returns the index of the first
 * word. */
static uint32_t copy_nets(struct writer *w, const hd_net *nets, uint32_t n)
{
  const uint32_t first = w->n_temporaries;
  for (uint32_t i = 0; i < n; i++)
    copy_to(w, nets[i], true, w->n_temporaries++);
  return first;
}

static void add_read(struct writer *w, uint32_t number, const struct hd_read_port *read)
{
  const struct hd_memory *m = &w->n->memories[number];
  struct port *p = &w->ports[w->n_ports];
  *p = (struct port){.memory = m, .read = read, .number = number};
  p->address = copy_nets(w, read->address, m->address_bits);
  if (read->clocked) {
    p->enable = copy_nets(w, &read->enable, 1);
    p->reset = read->reset == HD_NET_ZERO ? (uint32_t)NONE : copy_nets(w, &read->reset, 1);
    p->data = w->n_registers;
    w->n_registers += m->width;
  } else {
    p->data = w->n_temporaries;
    w->n_temporaries += m->width;
  }
  for (uint32_t i = 0; i < m->width; i++)
    if (read->clocked)
      set_driver(w, read->data[i], STATE, p->data + i);
    else {
      set_driver(w, read->data[i], READ, w->n_ports);
      w->drivers[read->data[i]].slot = p->data + i;
    }
  w->n_ports++;
}

static void add_write(struct writer *w, uint32_t number, uint32_t index)
{
  const struct hd_memory *m = &w->n->memories[number];
  const struct hd_write_port *write = &m->writes[index];
  struct port *p = &w->ports[w->n_ports++];
  *p = (struct port){.memory = m, .write = write, .number = number, .write_index = index};
  p->address = copy_nets(w, write->address, m->address_bits);
  p->data = copy_nets(w, write->data, m->width);
  p->enable = copy_nets(w, write->enable, m->width);
}

static void add_ports(struct writer *w)
{
  const struct hd_netlist *n = w->n;
  for (unsigned clocked = 0; clocked < 2; clocked++) {
    for (uint32_t m = 0; m < n->n_memories; m++)
      for (uint32_t i = 0; i < n->memories[m].n_reads; i++)
        if (n->memories[m].reads[i].clocked == clocked)
          add_read(w, m, &n->memories[m].reads[i]);
    if (!clocked)
      w->n_asynchronous = w->n_ports;
  }
  w->n_reads = w->n_ports;
  for (uint32_t m = 0; m < n->n_memories; m++)
    for (uint32_t i = 0; i < n->memories[m].n_writes; i++)
      add_write(w, m, i);
}

static void find_drivers(struct writer *w)
{
  const struct hd_netlist *n = w->n;
  uint32_t ports = 1, loose = 0;
  for (uint32_t i = 0; i < n->n_registers; i++)
    if (w->packs.of_register[i].pack == HD_PACK_NONE)
      w->packs.of_register[i].position = loose++;
  for (uint32_t m = 0; m < n->n_memories; m++)
    ports += n->memories[m].n_reads + n->memories[m].n_writes;
  w->drivers = hd_xmalloc(n->n_nets * sizeof *w->drivers);
  w->ports = hd_xmalloc(ports * sizeof *w->ports);
  for (uint32_t i = 0; i < n->n_nets; i++)
    w->drivers[i] = (struct driver){.origin = CONSTANT, .slot = NONE, .copy = NONE};
  for (uint32_t i = 0; i < n->n_inputs; i++)
    set_driver(w, n->inputs[i], INPUT, i);
  for (uint32_t i = 0; i < n->n_registers; i++)
    set_driver(w, n->registers[i].q, STATE, word_of(w, i));
  for (uint32_t i = 0; i < n->n_luts; i++)
    set_driver(w, n->luts[i].y, LUT, i);
  w->n_registers = w->packs.n_registers * w->packs.width + loose;
  add_ports(w);
}

/* ── order ─────────────────────────────────────────────────────────────────── */

/* Returns the *n inputs of a node. A pack has the first inputs of all its positions, then the
 * second, then the third. */
static const hd_net *inputs_of(const struct writer *w, uint32_t node, uint32_t *n)
{
  if (node < w->n->n_luts) {
    *n = 3;
    return w->n->luts[node].a;
  }
  node -= w->n->n_luts;
  if (node >= w->n_asynchronous) {
    *n = 3 * w->packs.width;
    return w->packs.luts[node - w->n_asynchronous].inputs;
  }
  const struct port *p = &w->ports[node];
  *n = p->memory->address_bits;
  return p->read->address;
}

struct visit {
  uint32_t node, next; /* node, and its next input to follow */
};

/* Dissolves a pack of a loop, which is the nodes on the stack from `node` on. False: there is no
 * pack in it. */
static bool dissolve(struct writer *w, const struct visit *stack, size_t depth, uint32_t node)
{
  while (depth-- > 0) {
    if (is_pack(w, stack[depth].node)) {
      hd_packs_dissolve(&w->packs, stack[depth].node - w->n->n_luts - w->n_asynchronous);
      return true;
    }
    if (stack[depth].node == node)
      break;
  }
  return false;
}

enum { AGAIN = 1 }; /* a pack was dissolved, so the order must be computed again */

/* Appends all nodes on which `net` depends to the order, depth first. AGAIN; HD_E_INPUT: a loop. */
static int order_from(struct writer *w, struct visit *stack, hd_net net)
{
  size_t depth = 0;
  uint32_t node = node_of(w, net);
  if (node != NONE && !w->state[node]) {
    w->state[node] = 1;
    stack[depth++] = (struct visit){.node = node};
  }
  while (depth) {
    struct visit *top = &stack[depth - 1];
    uint32_t n;
    const hd_net *inputs = inputs_of(w, top->node, &n);
    if (top->next == n) {
      w->state[top->node] = 2;
      w->order[w->n_order++] = top->node;
      depth--;
      continue;
    }
    node = node_of(w, inputs[top->next++]);
    if (node == NONE || w->state[node] == 2)
      continue;
    if (w->state[node] && dissolve(w, stack, depth, node))
      return AGAIN;
    if (w->state[node])
      return hd_fail(
          w->err, HD_E_INPUT,
          "%.300s: a signal of the RTL depends on itself without a register between, which "
          "bit lanes do not support; choose --dut verilator",
          w->rtl_dir);
    w->state[node] = 1;
    stack[depth++] = (struct visit){.node = node};
  }
  return 0;
}

static int order_nets(struct writer *w, struct visit *stack, const hd_net *nets, uint32_t n)
{
  int status = 0;
  for (uint32_t i = 0; i < n && !status; i++)
    status = order_from(w, stack, nets[i]);
  return status;
}

static uint32_t n_nodes(const struct writer *w)
{
  return w->n->n_luts + w->n_asynchronous + w->packs.n_luts + 1;
}

/* AGAIN: a pack was dissolved. */
int hd_lanes_make_order(struct writer *w, bool shown)
{
  const struct hd_netlist *n = w->n;
  const uint32_t nodes = n_nodes(w);
  struct visit *stack = hd_xmalloc(nodes * sizeof *stack);
  int status = HD_OK;
  memset(w->state, 0, nodes);
  w->n_order = 0;
  w->shown = shown;
  if (shown && !status)
    status = order_nets(w, stack, n->outputs, n->n_outputs);
  for (uint32_t i = 0; !shown && i < n->n_registers && !status; i++)
    status = order_from(w, stack, n->registers[i].d);
  for (uint32_t i = 0; !shown && i < w->n_ports && !status; i++) {
    const struct port *p = &w->ports[i];
    status = order_nets(w, stack, p->read ? p->read->address : p->write->address,
                        p->memory->address_bits);
    if (!status && p->read && p->read->clocked)
      status = order_nets(w, stack, &p->read->enable, 1);
    if (!status && p->read && p->read->clocked)
      status = order_nets(w, stack, &p->read->reset, 1);
    if (!status && p->write)
      status = order_nets(w, stack, p->write->data, p->memory->width);
    if (!status && p->write)
      status = order_nets(w, stack, p->write->enable, p->memory->width);
  }
  free(stack);
  return status;
}

/* ── packs, functions and uses ─────────────────────────────────────────────── */

uint32_t hd_lanes_pack_of_nets(const struct writer *w, const hd_net *nets, const uint32_t *used)
{
  uint32_t pack = NONE;
  for (uint32_t k = 0; k < w->packs.width; k++) {
    const struct driver *d = &w->drivers[nets[k]];
    if (used[k] == HD_PACK_NONE)
      continue;
    if (d->origin != LUT || w->packs.of_lut[d->index].pack == HD_PACK_NONE ||
        w->packs.of_lut[d->index].position != k ||
        (pack != NONE && pack != w->packs.of_lut[d->index].pack))
      return NONE;
    pack = w->packs.of_lut[d->index].pack;
  }
  return pack;
}

uint32_t hd_lanes_registers_of_nets(const struct writer *w, const hd_net *nets,
                                    const uint32_t *used)
{
  const uint32_t width = w->packs.width;
  uint32_t word = NONE;
  for (uint32_t k = 0; k < width; k++) {
    const struct driver *d = &w->drivers[nets[k]];
    if (used[k] == HD_PACK_NONE)
      continue;
    if (d->origin != STATE || d->index >= w->packs.n_registers * width || d->index % width != k ||
        (word != NONE && word != d->index - k))
      return NONE;
    word = d->index - k;
  }
  return word;
}

/* Returns the node of the pack whose words are these inputs of pack `node`. NONE: there is no such
 * pack. */
static uint32_t pack_read(const struct writer *w, uint32_t node, const hd_net *nets)
{
  const uint32_t first = w->n->n_luts + w->n_asynchronous;
  const uint32_t pack = hd_lanes_pack_of_nets(w, nets, w->packs.luts[node - first].index);
  return pack == NONE ? (uint32_t)NONE : first + pack;
}

/* Plans how registers get their next values: a pack of registers from a pack of tables, if one
 * drives all of it; every other register by a copy of its net. */
static void copy_registers(struct writer *w)
{
  const struct hd_netlist *n = w->n;
  const uint32_t width = w->packs.width;
  for (uint32_t p = 0; p < w->packs.n_registers; p++) {
    const struct hd_pack *pack = &w->packs.registers[p];
    hd_net nets[HD_PACK_MOST] = {0};
    for (uint32_t k = 0; k < width; k++)
      if (pack->index[k] != HD_PACK_NONE)
        nets[k] = n->registers[pack->index[k]].d;
    w->stores[p] = hd_lanes_pack_of_nets(w, nets, pack->index);
    for (uint32_t k = 0; w->stores[p] == NONE && k < width; k++)
      if (pack->index[k] != HD_PACK_NONE)
        copy_to(w, nets[k], false, p * width + k);
  }
  for (uint32_t i = 0; i < n->n_registers; i++)
    if (w->packs.of_register[i].pack == HD_PACK_NONE)
      copy_to(w, n->registers[i].d, false, word_of(w, i));
}

/* Gives the output of a table a word of t, in which other functions find it. A pack gets a word for
 * each position. */
static void assign_slot(struct writer *w, hd_net net)
{
  struct driver *d = &w->drivers[net];
  const uint32_t pack = w->packs.of_lut[d->index].pack, width = w->packs.width;
  if (d->slot != NONE)
    return;
  if (pack == HD_PACK_NONE) {
    d->slot = w->n_temporaries++;
    copy_to(w, net, true, d->slot);
    return;
  }
  w->slots[pack] = (w->n_temporaries + width - 1) / width * width;
  w->n_temporaries = w->slots[pack] + width;
  for (uint32_t k = 0; k < width; k++)
    if (w->packs.luts[pack].index[k] != HD_PACK_NONE)
      w->drivers[w->n->luts[w->packs.luts[pack].index[k]].y].slot = w->slots[pack] + k;
}

/* Cuts the order into functions. Gives each net that is used in another function a word of t. An
 * asynchronous read is a function of its own. */
static void split_functions(struct writer *w)
{
  const uint32_t most = w->with_faults ? FAULT_STATEMENTS : STATEMENTS;
  uint32_t in_function = 0;
  w->n_functions = 0;
  for (uint32_t i = 0; i < w->n_order; i++) {
    const uint32_t node = w->order[i];
    const bool read = is_read(w, node);
    if (in_function == most || (read && in_function)) {
      w->n_functions++;
      in_function = 0;
    }
    w->function[node] = w->n_functions;
    in_function++;
    if (read) {
      w->n_functions++;
      in_function = 0;
    }
  }
  w->n_functions += in_function != 0;
  for (uint32_t i = 0; i < w->n_order; i++) {
    const uint32_t node = w->order[i];
    uint32_t n;
    const hd_net *inputs = inputs_of(w, node, &n);
    for (uint32_t k = 0; !is_read(w, node) && k < n; k++) {
      const struct driver *d = &w->drivers[inputs[k]];
      if (d->origin == LUT && w->function[node_of_lut(w, d->index)] != w->function[node])
        assign_slot(w, inputs[k]);
    }
  }
}

uint32_t hd_lanes_gathered_of(struct writer *w, const hd_net *nets, const uint32_t *used)
{
  struct gathered g = {.same = true, .function = NONE};
  hd_net one = HD_NET_ZERO;
  uint32_t i = 0;
  for (uint32_t k = 0; k < w->packs.width; k++)
    if (used[k] != HD_PACK_NONE)
      one = g.nets[k] = nets[k];
  for (uint32_t k = 0; k < w->packs.width; k++)
    g.same &= used[k] == HD_PACK_NONE || nets[k] == one;
  for (uint32_t k = 0; g.same && k < w->packs.width; k++)
    g.nets[k] = one;
  while (i < w->n_gathered && memcmp(w->gathered[i].nets, g.nets, sizeof g.nets) != 0)
    i++;
  if (i == w->n_gathered)
    w->gathered[w->n_gathered++] = g;
  return i;
}

/* Counts how often each node is read as a whole. A pack counts as one reader, and so does each
 * table on its own. */
static void count_uses(struct writer *w)
{
  const uint32_t width = w->packs.width;
  memset(w->uses, 0, n_nodes(w) * sizeof *w->uses);
  for (uint32_t i = 0; i < w->n_order; i++) {
    const uint32_t node = w->order[i];
    uint32_t n;
    const hd_net *inputs = inputs_of(w, node, &n);
    for (uint32_t k = 0; !is_read(w, node) && k < n; k += is_pack(w, node) ? width : 1) {
      const uint32_t from =
          is_pack(w, node) ? pack_read(w, node, inputs + k) : node_of(w, inputs[k]);
      const uint32_t *used =
          is_pack(w, node) ? w->packs.luts[node - w->n->n_luts - w->n_asynchronous].index : NULL;
      if (from != NONE && is_pack(w, from) == is_pack(w, node))
        w->uses[from]++;
      else if (used && hd_lanes_registers_of_nets(w, inputs + k, used) == NONE)
        w->gathered[hd_lanes_gathered_of(w, inputs + k, used)].uses++;
    }
  }
}

int hd_lanes_arrange(struct writer *w, uint32_t pack)
{
  int status;
  hd_packs_find(&w->packs, w->n, pack);
  find_drivers(w);
  const uint32_t nodes = n_nodes(w), packs = w->packs.n_luts + w->packs.n_registers + 1;
  w->order = hd_xmalloc(nodes * sizeof *w->order);
  w->function = hd_xcalloc(nodes, sizeof *w->function);
  w->uses = hd_xmalloc(nodes * sizeof *w->uses);
  w->state = hd_xmalloc(nodes);
  w->slots = hd_xmalloc(packs * sizeof *w->slots);
  w->stores = hd_xmalloc(packs * sizeof *w->stores);
  w->gathered = hd_xmalloc(3 * packs * sizeof *w->gathered);
  for (uint32_t i = 0; i < packs; i++)
    w->slots[i] = NONE;
  do
    status = hd_lanes_make_order(w, false);
  while (status == AGAIN);
  if (!status) {
    copy_registers(w);
    split_functions(w);
    count_uses(w);
  }
  return status;
}
