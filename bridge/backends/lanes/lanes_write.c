/* Writes lane code: a netlist as straight-line C over machine words.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cell is a statement, and comes after the cells that it reads. The statements are cut into
 * functions of some thousand, because the compiler's time grows faster than a function's length. A
 * function passes values to later functions in an array (t). Functions of lanes_word.h read and
 * write memories. An asynchronous read is called between two functions, all other accesses after
 * the last one.
 *
 * A word of 64 lanes leaves most of a processor's vector empty. So tables that are alike in the
 * units of ports form a pack: one statement computes all of them, over a vector with one word for
 * each. Registers that are alike are next to each other in the state. If the words of an operand
 * are not next to each other, they are gathered first.
 *
 * Nearly all steps are quiet: the configuration port has no input, and there is no reset. The
 * functions are compiled a second time for quiet steps, with 0 at those pins (C), which removes a
 * tenth of the code. This matters because the code of a step fills the processor's instruction
 * cache.
 */
#include "lanes_write.h"

#include "../../host/memory.h"
#include "lanes_order.h"
#include "lanes_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define say(w, ...) hd_text_add((w)->code, __VA_ARGS__)

/* ── functions of the code ─────────────────────────────────────────────────── */

struct operand {
  char text[24];
  /** A local variable that is read for the last time, another one, a constant, an array element. */
  enum { DYING, ALIVE, GIVEN, LOADED } kind;
};

/* Returns a net as an operand in a function. NONE: in the function `show`. */
static struct operand operand(const struct writer *w, hd_net net, uint32_t function)
{
  const struct driver *d = &w->drivers[net];
  struct operand o = {.kind = d->origin == CONSTANT ? GIVEN : LOADED};
  const uint32_t node = d->origin == LUT ? node_of_lut(w, d->index) : 0;
  const bool here = function == NONE || (d->origin == LUT && w->function[node] == function);
  switch (d->origin) {
  case CONSTANT:
    snprintf(o.text, sizeof o.text, "%c", net == HD_NET_ONE ? 'O' : 'Z');
    break;
  case INPUT:
    snprintf(o.text, sizeof o.text,
             function != NONE && d->index >= w->pins->both && !w->with_faults ? "C(i[%u])"
                                                                              : "i[%u]",
             d->index);
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
    o.kind = here ? ALIVE : LOADED;
    break;
  case READ:
    snprintf(o.text, sizeof o.text, "t[%u]", d->slot);
    break;
  }
  return o;
}

/* Counts a read of a local variable. After its last read the variable is DYING. */
static void read_local(struct writer *w, struct operand *o, uint32_t node)
{
  o->kind = --w->uses[node] ? ALIVE : DYING;
}

/* Writes a table of three operands. The instruction overwrites its first operand, which is the
 * third one here, and can load its last operand from memory. So operands are sorted, and a DYING
 * one comes last: otherwise nearly every table would need a copy. */
static void write_table_of(struct writer *w, const char *call, uint8_t table, struct operand in[3])
{
  for (unsigned pass = 0; pass < 3; pass++) {
    const unsigned i = pass & 1;
    if (in[i].kind >= in[i + 1].kind)
      continue;
    const struct operand o = in[i];
    in[i] = in[i + 1];
    in[i + 1] = o;
    table = hd_table_swapped(table, i);
  }
  say(w, call, table, in[0].text, in[1].text, in[2].text);
}

/* Writes the statement of a table. `wrong`: also the faults of its mutants in their lanes
 * (lanes_mutated.h). */
static void write_lut(struct writer *w, uint32_t index, uint32_t function, bool wrong)
{
  const struct hd_lut *lut = &w->n->luts[index];
  struct operand in[3], a[3];
  for (unsigned k = 0; k < 3; k++) {
    const uint32_t node = node_of(w, lut->a[k]);
    in[k] = operand(w, lut->a[k], function);
    if (!wrong && function != NONE && node != NONE && node < w->n->n_luts &&
        w->function[node] == function)
      read_local(w, &in[k], node);
    a[k] = in[k];
  }
  say(w, "  %sW v%u = ", wrong ? "" : "const ", index);
  write_table_of(w, "L%02x(%s, %s, %s);\n", lut->table, in);
  if (wrong)
    say(w, "  if (x->cells[%u])\n    v%u ^= hd_lane_wrong(x->rows + %u, %u, %s, %s, %s);\n", index,
        index, 8 * index, lut->inputs, a[0].text, a[1].text, a[2].text);
}

static void write_copies(struct writer *w, hd_net net, uint32_t function)
{
  const struct operand o = operand(w, net, function);
  for (uint32_t c = w->drivers[net].copy; c != NONE; c = w->copies[c].next)
    say(w, "  %c[%u] = %s;\n", w->copies[c].temporary ? 't' : 'd', w->copies[c].index, o.text);
}

/* Returns the vector of these nets. Writes its declaration at its first use in a function. */
static struct operand gather(struct writer *w, const hd_net *nets, const uint32_t *used,
                             uint32_t function)
{
  const uint32_t width = w->packs.width, i = hd_lanes_gathered_of(w, nets, used);
  struct gathered *g = &w->gathered[i];
  struct operand o = {.kind = --g->uses ? ALIVE : DYING};
  snprintf(o.text, sizeof o.text, "g%u", i);
  if (g->function == function)
    return o;
  g->function = function;
  say(w, "  const V g%u = ", i);
  if (g->same)
    say(w, "(V){0} + %s;\n", operand(w, g->nets[0], function).text);
  else {
    say(w, "{");
    for (uint32_t k = 0; k < width; k++)
      say(w, "%s, ", operand(w, g->nets[k], function).text);
    say(w, "};\n");
  }
  return o;
}

/* The state is addressed from the middle of each REACH words, so that an offset takes one byte
 * instead of four. */
enum { REACH = 2048 };
static int offset_of(uint32_t word)
{
  return (int)(word % REACH) - REACH / 2;
}

static void write_addresses(struct writer *w)
{
  for (uint32_t i = 0; i * REACH < w->packs.n_registers * w->packs.width; i++)
    say(w,
        "  const W *q%u = q + %u;\n  W *d%u = d + %u;\n"
        "  __asm__(\"\" : \"+r\"(q%u), \"+r\"(d%u));\n",
        i, i * REACH + REACH / 2, i, i * REACH + REACH / 2, i, i);
}

/* Returns an input of a pack as an operand. */
static struct operand pack_input(struct writer *w, const hd_net *nets, const uint32_t *used,
                                 uint32_t function)
{
  const uint32_t pack = hd_lanes_pack_of_nets(w, nets, used),
                 word = hd_lanes_registers_of_nets(w, nets, used);
  struct operand o = {.kind = LOADED};
  if (pack == NONE && word == NONE)
    return gather(w, nets, used, function);
  if (pack == NONE)
    snprintf(o.text, sizeof o.text, "AT(q%u, %d)", word / REACH, offset_of(word));
  else if (w->function[w->n->n_luts + w->n_asynchronous + pack] == function) {
    snprintf(o.text, sizeof o.text, "p%u", pack);
    read_local(w, &o, w->n->n_luts + w->n_asynchronous + pack);
  } else
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
    in[k] = pack_input(w, pack->inputs + k * width, pack->index, function);
  say(w, "  const V p%u = ", number);
  write_table_of(w, "K(%02x, %s, %s, %s);\n", w->n->luts[pack->index[first]].table, in);
  if (w->slots[number] != NONE)
    say(w, "  TO(t, %u) = p%u;\n", w->slots[number], number);
  for (uint32_t r = 0; r < w->packs.n_registers; r++)
    if (w->stores[r] == number)
      say(w, "  TO(d%u, %d) = p%u;\n", r * width / REACH, offset_of(r * width), number);
  for (uint32_t k = 0; k < width; k++)
    if (pack->index[k] != HD_PACK_NONE)
      write_copies(w, w->n->luts[pack->index[k]].y, function);
}

#define ARGUMENTS "const W *restrict q, W *restrict d, const W *restrict i, W *restrict t"

static void begin_function(struct writer *w, const char *name, uint32_t number, bool wrong)
{
  say(w, "static %svoid %s_%u(" ARGUMENTS "%s)\n{\n  (void)q, (void)d, (void)i, (void)t;\n",
      w->with_faults ? "" : "inline __attribute__((always_inline)) ", name, number,
      wrong            ? ", const struct hd_lane_wrongs *x"
      : w->with_faults ? ""
                       : ", const bool quiet");
}

/* Ends a function, and writes the two functions that are called: for quiet steps and for all
 * others. */
static void end_function(struct writer *w, const char *name, uint32_t number)
{
  say(w, "}\n\n");
  for (unsigned quiet = 0; quiet < 2 && !w->with_faults; quiet++)
    say(w,
        "static __attribute__((noinline)) void %s_%s_%u(" ARGUMENTS
        ")\n{\n  %s_%u(q, d, i, t, %s);\n}\n\n",
        quiet ? "quiet" : "other", name, number, name, number, quiet ? "true" : "false");
}

static void call_function(struct writer *w, const char *name, uint32_t number)
{
  if (w->with_faults)
    say(w, "  %s_%u(q, d, i, t);\n", name, number);
  else
    say(w, "  (quiet ? quiet_%s_%u : other_%s_%u)(q, d, i, t);\n", name, number, name, number);
}

/* Writes a function of cells, from index `i` of the order on. Returns the index after its last
 * cell. */
static uint32_t write_function(struct writer *w, uint32_t i, bool wrong)
{
  const uint32_t function = w->function[w->order[i]];
  begin_function(w, wrong ? "wrong" : "step", function, wrong);
  write_addresses(w);
  for (; i < w->n_order && w->function[w->order[i]] == function; i++) {
    const uint32_t node = w->order[i];
    if (is_pack(w, node)) {
      write_pack(w, node - w->n->n_luts - w->n_asynchronous, function);
      continue;
    }
    write_lut(w, node, function, wrong);
    write_copies(w, w->n->luts[node].y, function);
  }
  if (wrong)
    say(w, "}\n\n");
  else
    end_function(w, "step", function);
  return i;
}

/* Writes the functions of a step. The first one copies constants, inputs and registers to where
 * they are needed. */
static void write_functions(struct writer *w)
{
  if (!w->with_faults)
    say(w, "#define C(word) (quiet ? Z : (word))\n");
  begin_function(w, "begin", 0, false);
  for (hd_net net = 0; net < w->n->n_nets; net++)
    if (w->drivers[net].origin < LUT)
      write_copies(w, net, 0);
  end_function(w, "begin", 0);
  for (uint32_t i = 0; i < w->n_order;) {
    if (is_read(w, w->order[i])) {
      i++;
      continue;
    }
    if (w->with_faults)
      write_function(w, i, true);
    i = write_function(w, i, false);
  }
}

static void write_asynchronous(struct writer *w, const struct port *p)
{
  say(w, "  hd_lane_read(&m[%u], &shapes[%u], t + %u, %u, O, t + %u);\n", p->number, p->number,
      p->address, p->memory->address_bits, p->data);
  /* A register or a memory's port may use the read data directly, so they are copied here. */
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

/* Returns the output of a table: 0, 1, or NOT_KNOWN if it depends on inputs that are not known. */
enum { NOT_KNOWN = 2 };
static uint8_t table_gives(const struct hd_lut *lut, const uint8_t *values)
{
  bool gives[2] = {false, false};
  for (unsigned row = 0; row < 8; row++) {
    bool may_be = true;
    for (unsigned k = 0; k < 3; k++)
      may_be &= values[lut->a[k]] == NOT_KNOWN || values[lut->a[k]] == (row >> k & 1);
    gives[lut->table >> row & 1] |= may_be;
  }
  return gives[0] && gives[1] ? NOT_KNOWN : gives[1];
}

/* Computes the values of all nets in a quiet step, as far as they are known. The caller frees
 * them. */
static uint8_t *quiet_values(const struct writer *w)
{
  const struct hd_netlist *n = w->n;
  uint8_t *values = hd_xmalloc(n->n_nets);
  for (hd_net net = 0; net < n->n_nets; net++) {
    const struct driver *d = &w->drivers[net];
    const bool zero = d->origin == CONSTANT || (d->origin == INPUT && d->index >= w->pins->both);
    values[net] = net == HD_NET_ONE ? 1 : zero ? 0 : NOT_KNOWN;
  }
  for (uint32_t i = 0; i < w->n_order; i++) {
    const uint32_t node = w->order[i], pack = node - n->n_luts - w->n_asynchronous;
    if (node < n->n_luts)
      values[n->luts[node].y] = table_gives(&n->luts[node], values);
    for (uint32_t k = 0; is_pack(w, node) && k < w->packs.width; k++) {
      const uint32_t lut = w->packs.luts[pack].index[k];
      if (lut != HD_PACK_NONE)
        values[n->luts[lut].y] = table_gives(&n->luts[lut], values);
    }
  }
  return values;
}

/* Writes the calls that write memories. A port whose enables are all 0 in quiet steps is skipped in
 * them. */
static void write_writes(struct writer *w)
{
  uint8_t *values = quiet_values(w);
  for (uint32_t i = w->n_reads; i < w->n_ports; i++) {
    const struct port *p = &w->ports[i];
    bool loud = !w->with_faults;
    for (uint32_t k = 0; k < p->memory->width; k++)
      loud &= values[p->write->enable[k]] == 0;
    say(w, "%s  hd_lane_write(&m[%u], &shapes[%u], t + %u, %u, t + %u, t + %u, *writes);\n",
        loud ? "  if (!quiet)\n  " : "", p->number, p->number, p->address, p->memory->address_bits,
        p->data, p->enable);
  }
  free(values);
}

static void write_step(struct writer *w)
{
  const struct hd_lane_pins *pins = w->pins;
  say(w,
      "static void step%s(const W *q, W *d, const W *i, W *t, const struct hd_lane_memory *m, "
      "const "
      "W *writes%s)\n{\n  (void)m, (void)writes;\n",
      w->with_faults ? "_with_faults" : "",
      w->with_faults ? ", const struct hd_lane_wrongs *x" : "");
  if (!w->with_faults)
    say(w, "  const W loud = i[%u] | i[%u] | i[%u];\n  const bool quiet = !hd_word_some(&loud);\n",
        pins->write, pins->read, pins->rst);
  call_function(w, "begin", 0);
  uint32_t function = NONE;
  for (uint32_t i = 0; i < w->n_order; i++) {
    const uint32_t node = w->order[i];
    if (w->function[node] == function)
      continue;
    function = w->function[node];
    if (!is_read(w, node) && w->with_faults)
      say(w, "  if (x->functions[%u])\n    wrong_%u(q, d, i, t, x);\n  else\n  ", function,
          function);
    if (!is_read(w, node))
      call_function(w, "step", function);
    else
      write_asynchronous(w, &w->ports[node - w->n->n_luts]);
  }
  for (uint32_t i = w->n_asynchronous; i < w->n_reads; i++)
    write_clocked(w, &w->ports[i]);
  write_writes(w);
  say(w, "}\n\n");
}

/* Writes the function that computes the outputs that are not registers. Sets outputs[pin] to the
 * index of its word in the state. */
static int write_outputs(struct writer *w, uint32_t *outputs)
{
  const struct hd_netlist *n = w->n;
  int status = hd_lanes_make_order(w, true);
  if (status)
    return status;
  w->n_state = w->n_registers;
  say(w, "static void show%s(W *q, const W *i%s)\n{\n  (void)q, (void)i;\n",
      w->with_faults ? "_with_faults" : "",
      w->with_faults ? ", const struct hd_lane_wrongs *x" : "");
  for (uint32_t k = 0; k < w->n_order; k++) {
    if (w->order[k] >= n->n_luts)
      return hd_fail(
          w->err, HD_E_INPUT,
          "%.300s: an output of hd_switch follows from a memory without a register between, "
          "which bit lanes do not support; choose --dut verilator",
          w->rtl_dir);
    write_lut(w, w->order[k], NONE, w->with_faults);
  }
  for (uint32_t k = 0; k < n->n_outputs; k++) {
    const struct driver *d = &w->drivers[n->outputs[k]];
    if (d->origin == READ)
      return hd_fail(
          w->err, HD_E_INPUT,
          "%.300s: an output of hd_switch is a memory's, which bit lanes do not support; choose "
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

/* ── tables of the code ────────────────────────────────────────────────────── */

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
  char *init = hd_xmalloc(words + 1);
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

/* Writes macros for packs. AVX-512 has an instruction that takes the number of a table. */
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

/* Writes step and show without faults, the function of each table, and hd_lane_fault_code. */
static void write_fault_code(struct writer *w)
{
  say(w,
      "static const unsigned char right[%u];\n"
      "static const struct hd_lane_wrongs none = {NULL, right, right};\n"
      "static void step(const W *q, W *d, const W *i, W *t, const struct hd_lane_memory *m, const "
      "W *writes)\n{\n  step_with_faults(q, d, i, t, m, writes, &none);\n}\n\n"
      "static void show(W *q, const W *i)\n{\n  show_with_faults(q, i, &none);\n}\n\n"
      "static const uint32_t functions[] = {",
      w->n->n_luts + w->n_functions + 1);
  for (uint32_t i = 0; i < w->n->n_luts; i++)
    say(w, "%u,", w->function[i]);
  say(w,
      "0};\n\nconst struct hd_lane_fault_code hd_lane_fault_code = {%u, %u, functions, "
      "step_with_faults, "
      "%s};\n\n",
      w->n->n_luts, w->n_functions, w->n_state > w->n_registers ? "show_with_faults" : "NULL");
}

static int write_all(struct writer *w, uint32_t ports, uint32_t pack)
{
  uint32_t *outputs = hd_xmalloc(w->n->n_outputs * sizeof *outputs);
  int status = hd_lanes_arrange(w, pack);
  if (!status) {
    say(w,
        "/* Made by Heddle (bridge/backends/lanes/lanes_write.c). */\n#include \"%s.h\"\n\n"
        "typedef hd_word W;\n#define Z ((W){0})\n#define O (~Z)\n",
        w->with_faults ? "lanes_mutated" : "lanes_word");
    hd_lanes_tables(w->code);
    if (pack > 1)
      write_vectors(w);
    write_shapes(w);
    write_functions(w);
    write_step(w);
    status = write_outputs(w, outputs);
  }
  if (!status && w->with_faults)
    write_fault_code(w);
  if (!status) {
    write_differ(w, ports, outputs);
    write_table(w, outputs);
  }
  free(outputs);
  return status;
}

int hd_lanes_write(const struct hd_netlist *netlist, const struct hd_switch_params *params,
                   uint32_t pack, bool with_faults, const char *rtl_dir, struct hd_text *code,
                   struct hd_error *err)
{
  const struct hd_lane_pins pins = hd_lane_pins(params->ports, params->vcs, params->data_bits,
                                                params->barrier != 0, hd_switch_counts(params));
  struct writer w = {.n = netlist,
                     .pins = &pins,
                     .rtl_dir = rtl_dir,
                     .code = code,
                     .err = err,
                     .with_faults = with_faults};
  const int status = write_all(&w, params->ports, pack);
  hd_packs_fini(&w.packs);
  free(w.drivers);
  free(w.copies);
  free(w.ports);
  free(w.order);
  free(w.state);
  free(w.function);
  free(w.uses);
  free(w.slots);
  free(w.stores);
  free(w.gathered);
  return status;
}
