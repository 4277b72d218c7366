/* Reads a switch as look-up tables, flip-flops and memories from Yosys' JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lanes_netlist.h"

#include "../rtl/switch_ports.h"
#include "../../host/memory.h"
#include "lanes_instances.h"
#include "lanes_pins.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  struct hd_netlist *netlist;
  const char *rtl_dir;
  hd_net clock;
  char *init; /* [n_nets] of '0', '1', 'x' */
  struct hd_error *err;
};

static int unsupported(const struct reader *r, const char *cell, const char *what)
{
  return hd_fail(r->err, HD_E_INPUT,
                 "%.300s: %.200s: %s, which bit lanes do not support; choose --dut verilator",
                 r->rtl_dir, cell, what);
}

/* Reads a bit of a connection: the number of a net, from 2 on, or "0", "1", "x", "z". x and z
 * become 0. */
static hd_net net_of(const json_t *bit)
{
  if (json_is_integer(bit))
    return (hd_net)json_integer_value(bit);
  const char *text = json_string_value(bit);
  return text && text[0] == '1' ? HD_NET_ONE : HD_NET_ZERO;
}

static const json_t *connection(const json_t *cell, const char *port)
{
  return json_object_get(json_object_get(cell, "connections"), port);
}

/* Returns bit `i` of a connection; 0 if the cell has no such port. */
static hd_net connected(const json_t *cell, const char *port, size_t i)
{
  return net_of(json_array_get(connection(cell, port), i));
}

/* Returns a parameter's bits as text, highest first; "" if there is none. */
static const char *parameter(const json_t *cell, const char *name)
{
  const char *text = json_string_value(json_object_get(json_object_get(cell, "parameters"), name));
  return text ? text : "";
}

/* Returns bit i of such a text. Bits above the text are x if its highest bit is x, otherwise 0. */
static char bit_of(const char *text, size_t length, size_t i)
{
  if (i < length)
    return text[length - 1 - i];
  return length && text[0] == 'x' ? 'x' : '0';
}

/* Returns the source line of a cell, or NULL. The caller frees it. */
static char *where_of(const json_t *cell)
{
  const char *src = json_string_value(json_object_get(json_object_get(cell, "attributes"), "src"));
  return src ? hd_xstrdup(src) : NULL;
}

static uint32_t number_parameter(const json_t *cell, const char *name)
{
  const char *text = parameter(cell, name);
  uint32_t value = 0;
  for (; *text; text++)
    value = value << 1 | (*text == '1');
  return value;
}

/* ── cells ─────────────────────────────────────────────────────────────────── */

static int read_lut(struct reader *r, const char *name, const json_t *cell)
{
  const char *table = parameter(cell, "LUT");
  size_t length = strlen(table), inputs = json_array_size(connection(cell, "A"));
  struct hd_lut lut = {.y = connected(cell, "Y", 0), .inputs = (uint8_t)inputs};
  if (inputs > 3)
    return unsupported(r, name, "a table of more than three inputs");
  for (size_t i = 0; i < inputs; i++)
    lut.a[i] = connected(cell, "A", i);
  for (unsigned at = 0; at < 8; at++) /* repeats a smaller table */
    if (bit_of(table, length, at & ((1u << inputs) - 1)) == '1')
      lut.table |= (uint8_t)(1u << at);
  lut.where = where_of(cell);
  r->netlist->luts[r->netlist->n_luts++] = lut;
  return HD_OK;
}

static int read_register(struct reader *r, const char *name, const json_t *cell)
{
  struct hd_flip_flop reg = {.d = connected(cell, "D", 0), .q = connected(cell, "Q", 0)};
  if (connected(cell, "C", 0) != r->clock)
    return unsupported(r, name, "a flip-flop with another clock than clk");
  reg.init = r->init[reg.q];
  reg.where = where_of(cell);
  r->netlist->registers[r->netlist->n_registers++] = reg;
  return HD_OK;
}

/* Returns `n` nets of a connection from `from` on. The caller frees them. */
static hd_net *nets_of(const json_t *cell, const char *port, size_t from, size_t n)
{
  hd_net *nets = hd_xcalloc(n + 1, sizeof *nets);
  for (size_t i = 0; i < n; i++)
    nets[i] = connected(cell, port, from + i);
  return nets;
}

/* Returns `n` bits of a parameter from `from` on as text, lowest first. The caller frees it. */
static char *bits_of(const json_t *cell, const char *name, size_t from, size_t n)
{
  const char *text = parameter(cell, name);
  size_t length = strlen(text);
  char *bits = hd_xcalloc(n + 1, 1);
  for (size_t i = 0; i < n; i++)
    bits[i] = bit_of(text, length, from + i);
  return bits;
}

static bool flag_parameter(const json_t *cell, const char *name, size_t i)
{
  const char *text = parameter(cell, name);
  return bit_of(text, strlen(text), i) == '1';
}

static int read_read_port(struct reader *r, const char *name, const json_t *cell,
                          const struct hd_memory *m, size_t i)
{
  struct hd_read_port *p = &m->reads[i];
  p->clocked = flag_parameter(cell, "RD_CLK_ENABLE", i);
  p->reset_needs_enable = flag_parameter(cell, "RD_CE_OVER_SRST", i);
  p->enable = connected(cell, "RD_EN", i);
  p->reset = connected(cell, "RD_SRST", i);
  p->address = nets_of(cell, "RD_ADDR", i * m->address_bits, m->address_bits);
  p->data = nets_of(cell, "RD_DATA", i * m->width, m->width);
  p->reset_value = bits_of(cell, "RD_SRST_VALUE", i * m->width, m->width);
  p->init = bits_of(cell, "RD_INIT_VALUE", i * m->width, m->width);
  p->forwarded = hd_xcalloc(m->n_writes + 1, sizeof *p->forwarded);
  for (size_t w = 0; w < m->n_writes; w++)
    p->forwarded[w] = flag_parameter(cell, "RD_TRANSPARENCY_MASK", i * m->n_writes + w);
  if (p->clocked &&
      (connected(cell, "RD_CLK", i) != r->clock || !flag_parameter(cell, "RD_CLK_POLARITY", i)))
    return unsupported(r, name, "a memory with another clock than the rising clk");
  if (connected(cell, "RD_ARST", i) != HD_NET_ZERO)
    return unsupported(r, name, "a memory whose output has a reset without clock");
  return 0;
}

static int read_write_port(struct reader *r, const char *name, const json_t *cell,
                           const struct hd_memory *m, size_t i)
{
  struct hd_write_port *p = &m->writes[i];
  p->address = nets_of(cell, "WR_ADDR", i * m->address_bits, m->address_bits);
  p->data = nets_of(cell, "WR_DATA", i * m->width, m->width);
  p->enable = nets_of(cell, "WR_EN", i * m->width, m->width);
  if (!flag_parameter(cell, "WR_CLK_ENABLE", i) || connected(cell, "WR_CLK", i) != r->clock ||
      !flag_parameter(cell, "WR_CLK_POLARITY", i))
    return unsupported(r, name, "a memory that is not written at the rising edge of clk");
  return 0;
}

static int read_memory(struct reader *r, const char *name, const json_t *cell)
{
  struct hd_memory *m = &r->netlist->memories[r->netlist->n_memories++];
  m->width = number_parameter(cell, "WIDTH");
  m->rows = number_parameter(cell, "SIZE");
  m->first_row = number_parameter(cell, "OFFSET");
  m->address_bits = number_parameter(cell, "ABITS");
  m->reads = hd_xcalloc(number_parameter(cell, "RD_PORTS") + 1, sizeof *m->reads);
  m->writes = hd_xcalloc(number_parameter(cell, "WR_PORTS") + 1, sizeof *m->writes);
  m->n_reads = number_parameter(cell, "RD_PORTS");
  m->n_writes = number_parameter(cell, "WR_PORTS");
  if (m->address_bits > 31)
    return unsupported(r, name, "a memory with more than 2^31 rows");
  if (strspn(parameter(cell, "INIT"), "x") != strlen(parameter(cell, "INIT")))
    m->init = bits_of(cell, "INIT", 0, (size_t)m->rows * m->width);
  int status = 0;
  for (size_t i = 0; !status && i < m->n_reads; i++)
    status = read_read_port(r, name, cell, m, i);
  for (size_t i = 0; !status && i < m->n_writes; i++)
    status = read_write_port(r, name, cell, m, i);
  return status;
}

/* Checks that a cell uses clk as its clock alone: clk has no lane word, so it has no value. */
static int check_clock(const struct reader *r, const char *name, const json_t *cell)
{
  const char *port;
  json_t *bits;
  json_object_foreach(json_object_get(cell, "connections"), port, bits)
  {
    const bool clocks = !strcmp(port, "C") || !strcmp(port, "RD_CLK") || !strcmp(port, "WR_CLK");
    for (size_t i = 0; !clocks && i < json_array_size(bits); i++)
      if (net_of(json_array_get(bits, i)) == r->clock)
        return unsupported(r, name, "clk as a value, not as a clock");
  }
  return 0;
}

static int read_cells(struct reader *r, const json_t *cells)
{
  struct hd_netlist *n = r->netlist;
  size_t count = json_object_size(cells);
  const char *name;
  json_t *cell;
  int status = 0;
  n->luts = hd_xcalloc(count + 1, sizeof *n->luts);
  n->registers = hd_xcalloc(count + 1, sizeof *n->registers);
  n->memories = hd_xcalloc(count + 1, sizeof *n->memories);
  json_object_foreach((json_t *)cells, name, cell)
  {
    const char *type = json_string_value(json_object_get(cell, "type"));
    char what[160];
    if (!status)
      status = check_clock(r, name, cell);
    if (!status && type && !strcmp(type, "$lut"))
      status = read_lut(r, name, cell);
    else if (!status && type && !strcmp(type, "$_DFF_P_"))
      status = read_register(r, name, cell);
    else if (!status && type && !strcmp(type, "$mem_v2"))
      status = read_memory(r, name, cell);
    else if (!status && type && !strcmp(type, "$_FF_")) /* async2sync turns a latch into this */
      status = unsupported(r, name, "a latch");
    else if (!status) {
      snprintf(what, sizeof what, "a cell %.100s", type ? type : "without type");
      status = unsupported(r, name, what);
    }
  }
  return status;
}

/* ── nets and pins ─────────────────────────────────────────────────────────── */

static hd_net highest_net(const json_t *value, hd_net highest)
{
  const char *key;
  json_t *member;
  size_t i;
  if (json_is_integer(value) && json_integer_value(value) > (json_int_t)highest)
    return (hd_net)json_integer_value(value);
  if (json_is_array(value)) {
    json_array_foreach((json_t *)value, i, member) highest = highest_net(member, highest);
  } else if (json_is_object(value)) {
    json_object_foreach((json_t *)value, key, member) highest = highest_net(member, highest);
  }
  return highest;
}

static void read_init(struct reader *r, const json_t *netnames)
{
  const char *name;
  json_t *net;
  r->init = hd_xmalloc(r->netlist->n_nets + 1);
  memset(r->init, 'x', r->netlist->n_nets + 1);
  json_object_foreach((json_t *)netnames, name, net)
  {
    const char *init =
        json_string_value(json_object_get(json_object_get(net, "attributes"), "init"));
    const json_t *bits = json_object_get(net, "bits");
    for (size_t i = 0; init && i < json_array_size(bits); i++)
      if (bit_of(init, strlen(init), i) != 'x')
        r->init[net_of(json_array_get(bits, i))] = bit_of(init, strlen(init), i);
  }
}

/* Reads the RTL's names of nets. Of several names of a net, keeps the shortest, which is that of
 * the outermost module. */
static void read_names(struct reader *r, const json_t *netnames)
{
  const char *name;
  json_t *net;
  r->netlist->names = hd_xcalloc(r->netlist->n_nets + 1, sizeof *r->netlist->names);
  json_object_foreach((json_t *)netnames, name, net)
  {
    const json_t *bits = json_object_get(net, "bits");
    const size_t n = json_array_size(bits), bytes = strlen(name) + 16;
    const json_int_t offset = json_integer_value(json_object_get(net, "offset"));
    for (size_t i = 0; !json_integer_value(json_object_get(net, "hide_name")) && i < n; i++) {
      char **to = &r->netlist->names[net_of(json_array_get(bits, i))];
      char *text = hd_xmalloc(bytes);
      if (n > 1)
        snprintf(text, bytes, "%s[%d]", name, (int)(offset + (json_int_t)i));
      else
        memcpy(text, name, strlen(name) + 1);
      char *longer = !*to || strlen(text) < strlen(*to) ? *to : text;
      if (longer != text)
        *to = text;
      free(longer);
    }
  }
}

/* Returns the index of bit `i` of a port among the pins of lanes_pins.h; UINT32_MAX: it is not
 * among them. */
static uint32_t place_of(const struct hd_lane_pins *pins, const struct hd_switch_params *p,
                         const char *name, uint32_t i)
{
  const uint32_t vc_bits = pins->data - HD_LANE_VC;
  const bool in = strncmp(name, "in_", 3) == 0;
  const char *what = in ? name + 3 : strncmp(name, "out_", 4) == 0 ? name + 4 : name;
  const size_t n = strcspn(what, "_"); /* "valid_i" */
  const bool is_flit = !strncmp(what, "valid_", 6) || !strncmp(what, "kind_", 5) ||
                       !strncmp(what, "vc_", 3) || !strncmp(what, "data_", 5);
  if (is_flit) {
    const uint32_t bits = !strncmp(what, "valid_", 6)  ? 1
                          : !strncmp(what, "kind_", 5) ? 3
                          : !strncmp(what, "vc_", 3)   ? vc_bits
                                                       : p->data_bits;
    const uint32_t from = !strncmp(what, "valid_", 6)  ? HD_LANE_VALID
                          : !strncmp(what, "kind_", 5) ? HD_LANE_KIND
                          : !strncmp(what, "vc_", 3)   ? HD_LANE_VC
                                                       : pins->data;
    return i / bits * pins->flit + from + i % bits;
  }
  if (n == 6 && !strncmp(what, "credit", n))
    return pins->credit + i;
  if (n == 7 && !strncmp(what, "barrier", n))
    return pins->barrier + i;
  if (n == 5 && !strncmp(what, "count", n))
    return pins->count + i;
  if (!strcmp(name, "cfg_write_i"))
    return pins->write;
  if (!strcmp(name, "cfg_read_i"))
    return pins->read;
  if (!strcmp(name, "cfg_addr_i"))
    return pins->addr + i;
  if (!strcmp(name, "cfg_wdata_i"))
    return pins->wdata + i;
  if (!strcmp(name, "cfg_rdata_o"))
    return pins->rdata + i;
  if (!strcmp(name, "quiescent_o"))
    return pins->quiescent;
  return !strcmp(name, "rst") ? pins->rst : UINT32_MAX;
}

static int read_ports(struct reader *r, const struct hd_switch_params *p, const json_t *ports)
{
  struct hd_netlist *n = r->netlist;
  struct hd_switch_port list[HD_SWITCH_PORTS];
  const struct hd_lane_pins pins =
      hd_lane_pins(p->ports, p->vcs, p->data_bits, p->barrier != 0, hd_switch_counts(p));
  struct hd_ports_seen seen;
  const char *name;
  json_t *port;
  int status = 0;
  hd_switch_ports(p, list);
  hd_ports_begin(&seen, p, r->rtl_dir);
  json_object_foreach((json_t *)ports, name, port)
  {
    const char *direction = json_string_value(json_object_get(port, "direction"));
    if (!status && direction)
      status = hd_ports_check(&seen, name, direction[0] == 'i' && direction[2] == 'p',
                              direction[0] == 'i' && direction[2] == 'o',
                              (uint32_t)json_array_size(json_object_get(port, "bits")), r->err);
  }
  if (!status)
    status = hd_ports_end(&seen, r->err);
  if (status)
    return status;
  n->n_inputs = pins.inputs;
  n->n_outputs = pins.outputs;
  n->inputs = hd_xcalloc(n->n_inputs, sizeof *n->inputs);
  n->outputs = hd_xcalloc(n->n_outputs, sizeof *n->outputs);
  r->clock = net_of(json_array_get(json_object_get(json_object_get(ports, "clk"), "bits"), 0));
  for (unsigned k = 0; k < HD_SWITCH_PORTS; k++) {
    const json_t *bits = json_object_get(json_object_get(ports, list[k].name), "bits");
    const bool there = !list[k].optional; /* optional ports are tied off */
    for (uint32_t i = 0; there && i < list[k].bits; i++) {
      const uint32_t at = place_of(&pins, p, list[k].name, i);
      const hd_net net = net_of(json_array_get(bits, i));
      if (!list[k].in && net == r->clock)
        return unsupported(r, list[k].name, "clk as a value, not as a clock");
      if (at != UINT32_MAX)
        (list[k].in ? n->inputs : n->outputs)[at] = net;
    }
  }
  return 0;
}

int hd_netlist_read(struct hd_netlist *netlist, const struct hd_switch_params *params,
                    const char *json, size_t length, const char *rtl_dir, struct hd_error *err)
{
  struct reader r = {.netlist = netlist, .rtl_dir = rtl_dir, .err = err};
  json_error_t wrong;
  *netlist = (struct hd_netlist){0};
  json_t *root = json_loadb(json, length, 0, &wrong);
  const json_t *module = json_object_get(json_object_get(root, "modules"), "hd_switch");
  int status = module ? 0
                      : hd_fail(err, HD_E_TOOL, "yosys wrote no netlist of hd_switch in %.200s: %s",
                                rtl_dir, root ? "no module hd_switch" : wrong.text);
  if (!status) {
    netlist->n_nets = highest_net(json_object_get(module, "netnames"), HD_NET_ONE);
    netlist->n_nets = highest_net(json_object_get(module, "ports"), netlist->n_nets);
    const char *name;
    json_t *cell;
    json_object_foreach(json_object_get(module, "cells"), name, cell) netlist->n_nets =
        highest_net(json_object_get(cell, "connections"), netlist->n_nets);
    netlist->n_nets++;
    read_init(&r, json_object_get(module, "netnames"));
    read_names(&r, json_object_get(module, "netnames"));
  }
  if (!status)
    status = read_ports(&r, params, json_object_get(module, "ports"));
  if (!status)
    status = read_cells(&r, json_object_get(module, "cells"));
  if (!status)
    hd_lanes_find_alike(netlist, module);
  free(r.init);
  json_decref(root);
  return status;
}

static void memory_fini(struct hd_memory *m)
{
  for (uint32_t i = 0; i < m->n_reads; i++) {
    free(m->reads[i].address);
    free(m->reads[i].data);
    free(m->reads[i].reset_value);
    free(m->reads[i].init);
    free(m->reads[i].forwarded);
  }
  for (uint32_t i = 0; i < m->n_writes; i++) {
    free(m->writes[i].address);
    free(m->writes[i].data);
    free(m->writes[i].enable);
  }
  free(m->reads);
  free(m->writes);
  free(m->init);
}

void hd_netlist_fini(struct hd_netlist *n)
{
  for (uint32_t i = 0; i < n->n_memories; i++)
    memory_fini(&n->memories[i]);
  for (uint32_t i = 0; i < n->n_luts; i++)
    free(n->luts[i].where);
  for (uint32_t i = 0; i < n->n_registers; i++)
    free(n->registers[i].where);
  for (uint32_t i = 0; n->names && i < n->n_nets; i++)
    free(n->names[i]);
  free(n->names);
  free(n->memories);
  free(n->luts);
  free(n->registers);
  free(n->inputs);
  free(n->outputs);
  *n = (struct hd_netlist){0};
}
