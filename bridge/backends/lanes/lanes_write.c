/* Lane code: a netlist as straight-line C over machine words.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cell is a statement. They stand in an order in which every cell is behind those that it reads, cut into
 * functions of some thousand statements, because a compiler takes more than twice as long for twice as much.
 * What a function gives to a later one goes through an array (t). Memories are read and written by functions
 * of lanes_word.h: one read without a clock stands between two functions, all else comes after the last one.
 *
 * Words of 64 lanes leave most of a processor's vector empty. So tables that are alike in the units of ports are a
 * pack: a statement for all of them, over a vector with a word of each. Registers that are alike stand side by side
 * in the state. Where the words of an operand are not side by side, they are put there before.
 */
#include "lanes_write.h"

#include "../../../cmodel/grow.h"
#include "lanes_pack.h"
#include "lanes_pins.h"
#include "lanes_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATEMENTS = 2000, NONE = UINT32_MAX };

/* Who drives a net. */
enum origin { CONSTANT, INPUT, STATE, LUT, READ };
struct driver {
  enum origin origin;
  uint32_t index; /* of the input, word of state, look-up table, read without a clock */
  uint32_t slot;  /* in t, where later functions find it; NONE */
  uint32_t copy;  /* first of its copies; NONE */
};

/* A vector whose words are not side by side in the netlist, in the function that is being written. */
struct gathered {
  hd_net nets[HD_PACK_MOST];
};

/* A word that a net is copied to: next[index], or t[index]. */
struct copy {
  bool temporary;
  uint32_t index, next;
};

/* Where a port of a memory finds its nets: t from there on. */
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
  uint32_t *
      slots; /* [packs] in t, where other functions find them, or single words of them are read; NONE */
  uint32_t *
      stores; /* [registers] words of packs of registers that become one of tables: its number; NONE */
  struct gathered *gathered; /* [3 × packs] */
  uint32_t n_gathered;
  bool shown; /* the order is of what outputs need; it has no packs */
  uint32_t
      *order; /* nodes: look-up tables, behind those reads without a clock, behind those packs */
  uint32_t n_order;
  uint8_t *state;     /* of a node: 0 new, 1 begun, 2 done */
  uint32_t *function; /* of a node: in which it is */
  uint32_t n_registers, n_state, n_temporaries, n_functions;
  bool failed; /* out of memory */
};

#define say(w, ...) hd_text_add((w)->code, __VA_ARGS__)

/* ── who drives what ───────────────────────────────────────────────────────── */

static void copy_to(struct writer *w, hd_net net, bool temporary, uint32_t index)
{
  if (!HD_ROOM(w->copies, w->cap_copies, w->n_copies, 1)) {
    w->failed = true;
    return;
  }
  w->copies[w->n_copies] =
      (struct copy){.temporary = temporary, .index = index, .next = w->drivers[net].copy};
  w->drivers[net].copy = (uint32_t)w->n_copies++;
}

static void drive(struct writer *w, hd_net net, enum origin origin, uint32_t index)
{
  if (net == HD_NET_ZERO || net == HD_NET_ONE)
    return;
  w->drivers[net].origin = origin;
  w->drivers[net].index = index;
}

/* Copies `n` nets into new words of t. */
static uint32_t place(struct writer *w, const hd_net *nets, uint32_t n)
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
  p->address = place(w, read->address, m->address_bits);
  if (read->clocked) {
    p->enable = place(w, &read->enable, 1);
    p->reset = read->reset == HD_NET_ZERO ? (uint32_t)NONE : place(w, &read->reset, 1);
    p->data = w->n_registers;
    w->n_registers += m->width;
  } else {
    p->data = w->n_temporaries;
    w->n_temporaries += m->width;
  }
  for (uint32_t i = 0; i < m->width; i++)
    if (read->clocked)
      drive(w, read->data[i], STATE, p->data + i);
    else {
      drive(w, read->data[i], READ, w->n_ports);
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
  p->address = place(w, write->address, m->address_bits);
  p->data = place(w, write->data, m->width);
  p->enable = place(w, write->enable, m->width);
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

/* Where a register is in the state: packs come first, then those by themselves, in their order. */
static uint32_t word_of(const struct writer *w, uint32_t index)
{
  const struct hd_pack_place *place = &w->packs.of_register[index];
  if (place->pack != HD_PACK_NONE)
    return place->pack * w->packs.width + place->position;
  return w->packs.n_registers * w->packs.width + place->position;
}

static int find_drivers(struct writer *w)
{
  const struct hd_netlist *n = w->n;
  uint32_t ports = 1, loose = 0;
  for (uint32_t i = 0; i < n->n_registers; i++)
    if (w->packs.of_register[i].pack == HD_PACK_NONE)
      w->packs.of_register[i].position = loose++;
  for (uint32_t m = 0; m < n->n_memories; m++)
    ports += n->memories[m].n_reads + n->memories[m].n_writes;
  w->drivers = malloc(n->n_nets * sizeof *w->drivers);
  w->ports = malloc(ports * sizeof *w->ports);
  if (!w->drivers || !w->ports)
    return hd_fail(w->err, HD_E_NOMEM, "out of memory for lane code");
  for (uint32_t i = 0; i < n->n_nets; i++)
    w->drivers[i] = (struct driver){.origin = CONSTANT, .slot = NONE, .copy = NONE};
  for (uint32_t i = 0; i < n->n_inputs; i++)
    drive(w, n->inputs[i], INPUT, i);
  for (uint32_t i = 0; i < n->n_registers; i++)
    drive(w, n->registers[i].q, STATE, word_of(w, i));
  for (uint32_t i = 0; i < n->n_luts; i++)
    drive(w, n->luts[i].y, LUT, i);
  w->n_registers = w->packs.n_registers * w->packs.width + loose;
  add_ports(w);
  return 0;
}

/* ── the order ─────────────────────────────────────────────────────────────── */

/* Inputs of a node. */
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

static bool is_pack(const struct writer *w, uint32_t node)
{
  return node != NONE && node >= w->n->n_luts + w->n_asynchronous;
}

/* The node in which a look-up table is. */
static uint32_t node_of_lut(const struct writer *w, uint32_t lut)
{
  const uint32_t pack = w->packs.of_lut[lut].pack;
  return w->shown || pack == HD_PACK_NONE ? lut : w->n->n_luts + w->n_asynchronous + pack;
}

/* The node that drives a net; NONE: it is there from the beginning. */
static uint32_t node_of(const struct writer *w, hd_net net)
{
  const struct driver *d = &w->drivers[net];
  return d->origin == LUT    ? node_of_lut(w, d->index)
         : d->origin == READ ? w->n->n_luts + d->index
                             : (uint32_t)NONE;
}

struct visit {
  uint32_t node, next; /* input to look at */
};

/* Of the nodes from `node` on, which need each other, a pack is dissolved; false: there is none. */
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

enum { AGAIN = 1 }; /* a pack was dissolved: the order is to be made anew */

/* Puts everything that `net` needs into the order. */
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
          "bit lanes have not; choose --dut verilator",
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

/* Orders what registers and memories need, or, `shown`, what outputs need. AGAIN. */
static int make_order(struct writer *w, bool shown)
{
  const struct hd_netlist *n = w->n;
  const uint32_t nodes = n_nodes(w);
  struct visit *stack = malloc(nodes * sizeof *stack);
  int status = stack ? 0 : hd_fail(w->err, HD_E_NOMEM, "out of memory for lane code");
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

static bool is_read(const struct writer *w, uint32_t node)
{
  return node >= w->n->n_luts && !is_pack(w, node);
}

/* The pack of tables whose words these nets are, in the positions that `used` has; NONE: there is none. */
static uint32_t pack_of_nets(const struct writer *w, const hd_net *nets, const uint32_t *used)
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

/* The same of registers: their first word in the state. */
static uint32_t registers_of_nets(const struct writer *w, const hd_net *nets, const uint32_t *used)
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

/* A register gets what its net has; one of a pack of registers, with the others if their nets are a pack. */
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
    w->stores[p] = pack_of_nets(w, nets, pack->index);
    for (uint32_t k = 0; w->stores[p] == NONE && k < width; k++)
      if (pack->index[k] != HD_PACK_NONE)
        copy_to(w, nets[k], false, p * width + k);
  }
  for (uint32_t i = 0; i < n->n_registers; i++)
    if (w->packs.of_register[i].pack == HD_PACK_NONE)
      copy_to(w, n->registers[i].d, false, word_of(w, i));
}

/* A word of t that other functions find it in, or of a pack as many. */
static void give_slot(struct writer *w, hd_net net)
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

/* Cuts the order into functions; gives what crosses a cut words of t. A read without a clock is a function of
 * its own. */
static void cut(struct writer *w)
{
  uint32_t in_function = 0;
  w->n_functions = 0;
  for (uint32_t i = 0; i < w->n_order; i++) {
    const uint32_t node = w->order[i];
    const bool read = is_read(w, node);
    if (in_function == STATEMENTS || (read && in_function)) {
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
        give_slot(w, inputs[k]);
    }
  }
}

/* ── the code ──────────────────────────────────────────────────────────────── */

struct operand {
  char text[24];
};

/* A net as it is written in a function (NONE: in hd_show). */
static struct operand operand(const struct writer *w, hd_net net, uint32_t function)
{
  const struct driver *d = &w->drivers[net];
  struct operand o;
  const uint32_t node = d->origin == LUT ? node_of_lut(w, d->index) : 0;
  const bool here = function == NONE || (d->origin == LUT && w->function[node] == function);
  switch (d->origin) {
  case CONSTANT:
    snprintf(o.text, sizeof o.text, "%c", net == HD_NET_ONE ? 'O' : 'Z');
    break;
  case INPUT:
    snprintf(o.text, sizeof o.text, "i[%u]", d->index);
    break;
  case STATE:
    snprintf(o.text, sizeof o.text, "q[%u]", d->index);
    break;
  case LUT:
    if (here && is_pack(w, node))
      snprintf(o.text, sizeof o.text, "p%u[%u]", w->packs.of_lut[d->index].pack,
               w->packs.of_lut[d->index].position);
    else
      snprintf(o.text, sizeof o.text, here ? "v%u" : "t[%u]", here ? d->index : d->slot);
    break;
  case READ:
    snprintf(o.text, sizeof o.text, "t[%u]", d->slot);
    break;
  }
  return o;
}

static void write_lut(struct writer *w, uint32_t index, uint32_t function)
{
  const struct hd_lut *lut = &w->n->luts[index];
  const struct operand a = operand(w, lut->a[0], function), b = operand(w, lut->a[1], function),
                       c = operand(w, lut->a[2], function);
  say(w, "  const W v%u = L%02x(%s, %s, %s);\n", index, lut->table, a.text, b.text, c.text);
}

static void write_copies(struct writer *w, hd_net net, uint32_t function)
{
  const struct operand o = operand(w, net, function);
  for (uint32_t c = w->drivers[net].copy; c != NONE; c = w->copies[c].next)
    say(w, "  %c[%u] = %s;\n", w->copies[c].temporary ? 't' : 'd', w->copies[c].index, o.text);
}

/* Puts words side by side, once in a function; all the same word, if it is one. */
static struct operand gather(struct writer *w, const hd_net *nets, const uint32_t *used,
                             uint32_t function)
{
  const uint32_t width = w->packs.width;
  struct gathered g = {.nets = {0}};
  struct operand o;
  uint32_t i = 0;
  bool same = true;
  hd_net one = HD_NET_ZERO;
  for (uint32_t k = 0; k < width; k++)
    if (used[k] != HD_PACK_NONE)
      one = g.nets[k] = nets[k];
  for (uint32_t k = 0; k < width; k++) {
    same &= used[k] == HD_PACK_NONE || nets[k] == one;
    if (used[k] == HD_PACK_NONE)
      g.nets[k] = HD_NET_ZERO;
  }
  for (uint32_t k = 0; same && k < width; k++)
    g.nets[k] = one;
  while (i < w->n_gathered && memcmp(&w->gathered[i], &g, sizeof g) != 0)
    i++;
  snprintf(o.text, sizeof o.text, "g%u", i);
  if (i < w->n_gathered)
    return o;
  w->gathered[w->n_gathered++] = g;
  say(w, "  const V g%u = ", i);
  if (same)
    say(w, "(V){0} + %s;\n", operand(w, one, function).text);
  else {
    say(w, "{");
    for (uint32_t k = 0; k < width; k++)
      say(w, "%s, ", operand(w, g.nets[k], function).text);
    say(w, "};\n");
  }
  return o;
}

/* An input of a pack. */
static struct operand vector(struct writer *w, const hd_net *nets, const uint32_t *used,
                             uint32_t function)
{
  const uint32_t pack = pack_of_nets(w, nets, used), word = registers_of_nets(w, nets, used);
  struct operand o;
  if (pack == NONE && word == NONE)
    return gather(w, nets, used, function);
  if (pack == NONE)
    snprintf(o.text, sizeof o.text, "AT(q, %u)", word);
  else if (w->function[w->n->n_luts + w->n_asynchronous + pack] == function)
    snprintf(o.text, sizeof o.text, "p%u", pack);
  else
    snprintf(o.text, sizeof o.text, "AT(t, %u)", w->slots[pack]);
  return o;
}

static void write_pack(struct writer *w, uint32_t number, uint32_t function)
{
  const struct hd_pack *pack = &w->packs.luts[number];
  const uint32_t width = w->packs.width;
  struct operand in[3];
  uint32_t first = 0;
  while (pack->index[first] == HD_PACK_NONE)
    first++;
  for (unsigned k = 0; k < 3; k++)
    in[k] = vector(w, pack->inputs + k * width, pack->index, function);
  say(w, "  const V p%u = K(%02x, %s, %s, %s);\n", number, w->n->luts[pack->index[first]].table,
      in[0].text, in[1].text, in[2].text);
  if (w->slots[number] != NONE)
    say(w, "  TO(t, %u) = p%u;\n", w->slots[number], number);
  for (uint32_t r = 0; r < w->packs.n_registers; r++)
    if (w->stores[r] == number)
      say(w, "  TO(d, %u) = p%u;\n", r * width, number);
  for (uint32_t k = 0; k < width; k++)
    if (pack->index[k] != HD_PACK_NONE)
      write_copies(w, w->n->luts[pack->index[k]].y, function);
}

static void begin_function(struct writer *w, uint32_t number)
{
  w->n_gathered = 0;
  say(w,
      "}\n\nstatic void step_%u(const W *restrict q, W *restrict d, const W *restrict i, W "
      "*restrict "
      "t)\n{\n  (void)q, (void)d, (void)i, (void)t;\n",
      number);
}

/* The functions of a step. The first one copies what is there from the beginning. */
static void write_functions(struct writer *w)
{
  say(w, "static void begin(const W *restrict q, W *restrict d, const W *restrict i, W *restrict "
         "t)\n{\n  (void)q, (void)d, (void)i, (void)t;\n");
  for (hd_net net = 0; net < w->n->n_nets; net++)
    if (w->drivers[net].origin < LUT)
      write_copies(w, net, 0);
  uint32_t function = NONE;
  for (uint32_t i = 0; i < w->n_order; i++) {
    const uint32_t node = w->order[i];
    if (is_read(w, node))
      continue;
    if (w->function[node] != function)
      begin_function(w, function = w->function[node]);
    if (is_pack(w, node)) {
      write_pack(w, node - w->n->n_luts - w->n_asynchronous, function);
      continue;
    }
    write_lut(w, node, function);
    write_copies(w, w->n->luts[node].y, function);
  }
  say(w, "}\n\n");
}

static void write_asynchronous(struct writer *w, const struct port *p)
{
  say(w, "  hd_lane_read(&m[%u], &shapes[%u], t + %u, %u, O, t + %u);\n", p->number, p->number,
      p->address, p->memory->address_bits, p->data);
  /* What it gives may be next to nothing else: a register, or a port of a memory. */
  for (uint32_t k = 0; k < p->memory->width; k++) {
    const hd_net net = p->read->data[k];
    if (net != HD_NET_ZERO && net != HD_NET_ONE)
      write_copies(w, net, NONE);
  }
}

static void write_clocked(struct writer *w, const struct port *p)
{
  const struct hd_memory *m = p->memory;
  say(w, "  memcpy(d + %u, q + %u, %u * sizeof *d);\n", p->data, p->data, m->width);
  say(w, "  hd_lane_read(&m[%u], &shapes[%u], t + %u, %u, t[%u], d + %u);\n", p->number, p->number,
      p->address, m->address_bits, p->enable, p->data);
  for (uint32_t i = w->n_reads; i < w->n_ports; i++)
    if (w->ports[i].memory == m && p->read->forwarded[w->ports[i].write_index])
      say(w, "  hd_lane_forward(t + %u, t + %u, %u, t[%u], t + %u, t + %u, %u, d + %u);\n",
          p->address, w->ports[i].address, m->address_bits, p->enable, w->ports[i].data,
          w->ports[i].enable, m->width, p->data);
  for (uint32_t i = 0; p->reset != NONE && i < m->width; i++) {
    const char *enable = p->read->reset_needs_enable ? "& t[" : "";
    say(w, "  d[%u] %s t[%u] %s", p->data + i, p->read->reset_value[i] == '1' ? "|=" : "&= ~(O &",
        p->reset, enable);
    if (*enable)
      say(w, "%u]", p->enable);
    say(w, "%s;\n", p->read->reset_value[i] == '1' ? "" : ")");
  }
}

static void write_step(struct writer *w)
{
  say(w,
      "static void step(const W *q, W *d, const W *i, W *t, const struct hd_lane_memory *m, const "
      "W *writes)\n{\n  (void)m, (void)writes;\n  begin(q, d, i, t);\n");
  uint32_t function = NONE;
  for (uint32_t i = 0; i < w->n_order; i++) {
    const uint32_t node = w->order[i];
    if (w->function[node] == function)
      continue;
    function = w->function[node];
    if (!is_read(w, node))
      say(w, "  step_%u(q, d, i, t);\n", function);
    else
      write_asynchronous(w, &w->ports[node - w->n->n_luts]);
  }
  for (uint32_t i = w->n_asynchronous; i < w->n_reads; i++)
    write_clocked(w, &w->ports[i]);
  for (uint32_t i = w->n_reads; i < w->n_ports; i++) {
    const struct port *p = &w->ports[i];
    say(w, "  hd_lane_write(&m[%u], &shapes[%u], t + %u, %u, t + %u, t + %u, *writes);\n",
        p->number, p->number, p->address, p->memory->address_bits, p->data, p->enable);
  }
  say(w, "}\n\n");
}

/* Outputs that are no registers, and where each output is. */
static int write_outputs(struct writer *w, uint32_t *outputs)
{
  const struct hd_netlist *n = w->n;
  int status = make_order(w, true);
  if (status)
    return status;
  w->n_state = w->n_registers;
  say(w, "static void show(W *q, const W *i)\n{\n  (void)q, (void)i;\n");
  for (uint32_t k = 0; k < w->n_order; k++) {
    if (w->order[k] >= n->n_luts)
      return hd_fail(
          w->err, HD_E_INPUT,
          "%.300s: an output of hd_switch follows from a memory without a register between, "
          "which bit lanes have not; choose --dut verilator",
          w->rtl_dir);
    write_lut(w, w->order[k], NONE);
  }
  for (uint32_t k = 0; k < n->n_outputs; k++) {
    const struct driver *d = &w->drivers[n->outputs[k]];
    if (d->origin == READ)
      return hd_fail(
          w->err, HD_E_INPUT,
          "%.300s: an output of hd_switch is a memory's, which bit lanes have not; choose "
          "--dut verilator",
          w->rtl_dir);
    outputs[k] = d->origin == STATE ? d->index : w->n_state++;
    if (d->origin != STATE)
      say(w, "  q[%u] = %s;\n", outputs[k], operand(w, n->outputs[k], NONE).text);
  }
  say(w, "}\n\n");
  return 0;
}

static void write_differ(struct writer *w, uint32_t ports, const uint32_t *outputs)
{
  const struct hd_lane_pins *pins = w->pins;
  say(w, "static void differ(const W *q, const W *x, W *lanes)\n{\n  W all = Z;\n");
  for (uint32_t p = 0; p < ports; p++) {
    const uint32_t from = p * pins->flit;
    say(w, "  {\n    W flit = Z;\n");
    for (uint32_t k = HD_LANE_KIND; k < pins->flit; k++)
      say(w, "    flit |= q[%u] ^ x[%u];\n", outputs[from + k], from + k);
    say(w, "    all |= (q[%u] ^ x[%u]) | (flit & x[%u]);\n  }\n", outputs[from], from, from);
  }
  for (uint32_t k = pins->credit; k < pins->both; k++)
    say(w, "  all |= q[%u] ^ x[%u];\n", outputs[k], k);
  say(w, "  *lanes = all | (q[%u] ^ x[%u]);\n}\n\n", outputs[pins->quiescent], pins->quiescent);
}

/* ── what is no function ───────────────────────────────────────────────────── */

static uint32_t row_bytes(uint32_t width)
{
  return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : (width + 63) / 64 * 8;
}

static void write_init(struct writer *w, uint32_t number)
{
  const struct hd_memory *m = &w->n->memories[number];
  const uint32_t bytes = row_bytes(m->width);
  say(w, "static const unsigned char init_%u[] = {", number);
  for (uint32_t row = 0; row < m->rows; row++)
    for (uint32_t b = 0; b < bytes; b++) {
      unsigned value = 0;
      for (uint32_t i = 8 * b; i < 8 * b + 8 && i < m->width; i++)
        value |= (unsigned)(m->init[(size_t)row * m->width + i] == '1') << (i - 8 * b);
      say(w, "%u,", value);
    }
  say(w, "};\n");
}

static void write_shapes(struct writer *w)
{
  const struct hd_netlist *n = w->n;
  for (uint32_t i = 0; i < n->n_memories; i++)
    if (n->memories[i].init && strchr(n->memories[i].init, '1'))
      write_init(w, i);
  say(w, "static const struct hd_lane_shape shapes[] = {\n");
  for (uint32_t i = 0; i < n->n_memories; i++) {
    const struct hd_memory *m = &n->memories[i];
    char init[24] = "NULL";
    if (m->init && strchr(m->init, '1'))
      snprintf(init, sizeof init, "init_%u", i);
    say(w, "  {%u, %u, %u, %u, %d, %s},\n", m->rows, m->first_row, m->width, row_bytes(m->width),
        m->init != NULL, init);
  }
  say(w, "  {0}};\n\n");
}

static void write_table(struct writer *w, const uint32_t *outputs)
{
  const struct hd_netlist *n = w->n;
  uint32_t words = w->packs.n_registers * w->packs.width;
  for (uint32_t i = 0; i < n->n_registers; i++)
    words += w->packs.of_register[i].pack == HD_PACK_NONE;
  char *init = malloc(words + 1);
  if (!init) {
    w->failed = true;
    return;
  }
  memset(init, '0', words);
  init[words] = '\0';
  say(w, "static const uint32_t outputs[] = {");
  for (uint32_t i = 0; i < n->n_outputs; i++)
    say(w, "%u,", outputs[i]);
  say(w, "};\n\nconst struct hd_lane_code hd_lane_code = {\n  %u, %u, %u, %u,\n  \"",
      w->n_registers, w->n_state, w->n_temporaries ? w->n_temporaries : 1, n->n_memories);
  for (uint32_t i = 0; i < n->n_registers; i++)
    init[word_of(w, i)] = n->registers[i].init;
  say(w, "%s", init);
  for (uint32_t i = w->n_asynchronous; i < w->n_reads; i++)
    say(w, "%s", w->ports[i].read->init);
  say(w, "\",\n  outputs, shapes, step, %s, differ};\n",
      w->n_state > w->n_registers ? "show" : "NULL");
  free(init);
}

/* Operations on packs. An instruction takes the number of the table. */
static void write_vectors(struct writer *w)
{
  say(w,
      "typedef uint64_t V __attribute__((vector_size(%u), may_alias));\n"
      "#define AT(array, word) (*(const V *)((array) + (word)))\n"
      "#define TO(array, word) (*(V *)((array) + (word)))\n"
      "#ifdef __AVX512VL__\n"
      "#include <immintrin.h>\n"
      "#define K(n, a, b, c) \\\n"
      "  ((V)_mm%u_ternarylogic_epi64((__m%ui)(c), (__m%ui)(b), (__m%ui)(a), 0x##n))\n"
      "#else\n"
      "#define K(n, a, b, c) L##n(a, b, c)\n"
      "#endif\n\n",
      8 * w->packs.width, 64 * w->packs.width, 64 * w->packs.width, 64 * w->packs.width,
      64 * w->packs.width);
}

/* What there is, in an order, and in functions. */
static int arrange(struct writer *w, uint32_t pack)
{
  int status = AGAIN;
  if (!hd_packs_find(&w->packs, w->n, pack))
    return hd_fail(w->err, HD_E_NOMEM, "out of memory for lane code");
  status = find_drivers(w);
  const uint32_t nodes = n_nodes(w), packs = w->packs.n_luts + w->packs.n_registers + 1;
  w->order = malloc(nodes * sizeof *w->order);
  w->function = calloc(nodes, sizeof *w->function);
  w->state = malloc(nodes);
  w->slots = malloc(packs * sizeof *w->slots);
  w->stores = malloc(packs * sizeof *w->stores);
  w->gathered = malloc(3 * packs * sizeof *w->gathered);
  if (!status &&
      (!w->order || !w->function || !w->state || !w->slots || !w->stores || !w->gathered))
    status = hd_fail(w->err, HD_E_NOMEM, "out of memory for lane code");
  if (status)
    return status;
  for (uint32_t i = 0; i < packs; i++)
    w->slots[i] = NONE;
  do
    status = make_order(w, false);
  while (status == AGAIN);
  if (!status) {
    copy_registers(w);
    cut(w);
  }
  return status;
}

static int write_all(struct writer *w, uint32_t ports, uint32_t pack)
{
  uint32_t *outputs = malloc(w->n->n_outputs * sizeof *outputs);
  int status =
      outputs ? arrange(w, pack) : hd_fail(w->err, HD_E_NOMEM, "out of memory for lane code");
  if (!status) {
    say(w,
        "/* Made by Heddle (bridge/backends/lanes/lanes_write.c). */\n#include \"lanes_word.h\"\n\n"
        "typedef hd_word W;\n#define Z ((W){0})\n#define O (~Z)\n");
    hd_lanes_tables(w->code);
    if (pack > 1)
      write_vectors(w);
    write_shapes(w);
    write_functions(w);
    write_step(w);
    status = write_outputs(w, outputs);
  }
  if (!status) {
    write_differ(w, ports, outputs);
    write_table(w, outputs);
  }
  free(outputs);
  return status;
}

int hd_lanes_write(const struct hd_netlist *netlist, const struct hd_switch_params *params,
                   const char *rtl_dir, uint32_t pack, struct hd_text *code, struct hd_error *err)
{
  const struct hd_lane_pins pins = hd_lane_pins(params->ports, params->vcs, params->data_bits,
                                                params->barrier != 0, hd_switch_counts(params));
  struct writer w = {.n = netlist, .pins = &pins, .rtl_dir = rtl_dir, .code = code, .err = err};
  int status = write_all(&w, params->ports, pack);
  if (!status && (w.failed || code->failed))
    status = hd_fail(err, HD_E_NOMEM, "out of memory for lane code");
  hd_packs_fini(&w.packs);
  free(w.drivers);
  free(w.copies);
  free(w.ports);
  free(w.order);
  free(w.state);
  free(w.function);
  free(w.slots);
  free(w.stores);
  free(w.gathered);
  return status;
}
