/* Registers of a switch in vvp: snapshots, and X and Z in them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Between two cycles no event is pending in the simulator, so the state is the values of all
 * variables. Local variables of functions and tasks are not part of it.
 */
#include "icarus.h"

#include "../../../cmodel/grow.h"
#include "../../../cmodel/switch/states.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t words_of(uint32_t bits)
{
  return (bits + 31) / 32;
}

static size_t bytes_of(const struct icarus_register *r)
{
  return words_of(r->bits) * sizeof(vecval);
}

static int add_register(struct icarus_state *s, vpiHandle handle, bool plain)
{
  if (!HD_ROOM(s->registers, s->capacity, s->n, 1))
    return HD_E_NOMEM;
  struct icarus_register *r = &s->registers[s->n++];
  *r = (struct icarus_register){handle, (uint32_t)vpi_get(vpiSize, handle), plain};
  s->bytes += bytes_of(r);
  return 0;
}

static int add_all(struct icarus_state *s, vpiHandle scope, PLI_INT32 type)
{
  vpiHandle list = vpi_iterate(type, scope), item;
  int status = 0;
  while (list && (item = vpi_scan(list))) {
    vpiHandle words = type == vpiMemory ? vpi_iterate(vpiMemoryWord, item) : NULL, word;
    if (type != vpiMemory)
      status = status ? status : add_register(s, item, type == vpiReg);
    while (words && (word = vpi_scan(words)))
      status = status ? status : add_register(s, word, false);
  }
  return status;
}

static int add_scope(struct icarus_state *s, vpiHandle scope)
{
  static const PLI_INT32 types[] = {vpiReg, vpiIntegerVar, vpiTimeVar, vpiMemory};
  int status = 0;
  for (size_t i = 0; !status && i < sizeof types / sizeof *types; i++)
    status = add_all(s, scope, types[i]);
  vpiHandle list = vpi_iterate(vpiInternalScope, scope), inner;
  while (list && (inner = vpi_scan(list))) {
    PLI_INT32 type = vpi_get(vpiType, inner);
    if (!status && type != vpiFunction && type != vpiTask)
      status = add_scope(s, inner);
  }
  return status;
}

/* ── names of §6.5 and §8.10 ────────────────────────────────────────────────── */

static void add_name(struct icarus_state *s, const struct hd_state *state, unsigned port,
                     unsigned vc)
{
  struct icarus_name *n = &s->names[s->n_names++];
  char path[80];
  hd_state_name(n->name, state, port, vc);
  snprintf(path, sizeof path, "%s.%s", HD_ICARUS_SWITCH, n->name);
  n->handle = vpi_handle_by_name(path, NULL);
}

static bool of_channel(const struct hd_state *state)
{
  return state->place == HD_PLACE_IN_VC || state->place == HD_PLACE_OUT_VC;
}

/* Adds the states of one part of a port: first those of each channel, then those of the port. */
static void add_port(struct icarus_state *s, const struct hd_switch_params *p, unsigned port,
                     enum hd_part part)
{
  for (unsigned v = 0; v <= p->vcs; v++)
    for (size_t i = 0; i < HD_STATES; i++) {
      const struct hd_state *state = &hd_state_list[i];
      bool port_s = state->place == HD_PLACE_IN || state->place == HD_PLACE_OUT;
      if (state->part == part && state->when == HD_STATE_RESET &&
          (v < p->vcs ? of_channel(state) : port_s))
        add_name(s, state, port, v);
    }
}

static void add_place(struct icarus_state *s, const struct hd_switch_params *p,
                      enum hd_state_place place)
{
  for (size_t i = 0; i < HD_STATES; i++)
    if (hd_state_list[i].place == place && hd_state_count(&hd_state_list[i], p).ports)
      add_name(s, &hd_state_list[i], 0, 0);
}

/* Finds the named states in RTL. A flat netlist may have nets of these names, too, but without a
 * driver or with another encoding. If the second name is not found, the design counts as a netlist,
 * and no name is checked. */
static int find_names(struct icarus_state *s, const struct hd_switch_params *p)
{
  s->names = calloc((size_t)HD_STATES * p->ports * p->vcs, sizeof *s->names);
  if (!s->names)
    return HD_E_NOMEM;
  add_place(s, p, HD_PLACE_SWITCH);
  for (uint32_t port = 0; port < p->ports; port++) {
    for (enum hd_part part = HD_PART_PLAIN; part < HD_PARTS; part++)
      if (hd_switch_has(p, part))
        add_port(s, p, port, part);
  }
  add_place(s, p, HD_PLACE_UNIT);
  add_place(s, p, HD_PLACE_CODER);
  if (!s->names[1].handle)
    s->n_names = 0;
  return 0;
}

int icarus_state_find(struct icarus_state *s, const struct hd_switch_params *p)
{
  vpiHandle top = vpi_handle_by_name(HD_ICARUS_SWITCH, NULL);
  int status = top ? add_scope(s, top) : HD_E_INTERNAL;
  return status ? status : find_names(s, p);
}

/* ── snapshots ──────────────────────────────────────────────────────────────── */

static const vecval *value_of(vpiHandle handle)
{
  s_vpi_value value = {.format = vpiVectorVal};
  vpi_get_value(handle, &value);
  return value.value.vector;
}

static void put_vector(vpiHandle handle, vecval *vector)
{
  s_vpi_value value = {.format = vpiVectorVal, .value.vector = vector};
  vpi_put_value(handle, &value, NULL, vpiNoDelay);
}

void icarus_state_save(const struct icarus_state *s, unsigned char *bytes)
{
  for (size_t i = 0; i < s->n; i++) {
    const struct icarus_register *r = &s->registers[i];
    memcpy(bytes, value_of(r->handle), bytes_of(r));
    bytes += bytes_of(r);
  }
}

void icarus_state_restore(const struct icarus_state *s, const unsigned char *bytes)
{
  for (size_t i = 0; i < s->n; i++) {
    const struct icarus_register *r = &s->registers[i];
    if (memcmp(bytes, value_of(r->handle), bytes_of(r)))
      put_vector(r->handle, (vecval *)(void *)(uintptr_t)bytes); /* is only read */
    bytes += bytes_of(r);
  }
}

/* ── X and Z ────────────────────────────────────────────────────────────────── */

/* Returns the mask of the bits that word `w` has in a value of `bits` bits. */
static uint32_t mask_of(uint32_t bits, uint32_t w)
{
  return bits >= 32 * (w + 1) ? UINT32_MAX : (UINT32_C(1) << (bits - 32 * w)) - 1;
}

/* Returns 'x' or 'z' if the value has such a bit, otherwise 0. */
static char unknown_in(const vecval *v, uint32_t bits)
{
  for (uint32_t w = 0; w < words_of(bits); w++) {
    uint32_t unknown = (uint32_t)v[w].bval & mask_of(bits, w);
    if (unknown)
      return (uint32_t)v[w].aval & unknown & (~unknown + 1) ? 'x' : 'z';
  }
  return 0;
}

void icarus_state_make_known(const struct icarus_state *s, uint64_t seed)
{
  for (size_t i = 0; i < s->n; i++) {
    const struct icarus_register *r = &s->registers[i];
    const vecval *now = value_of(r->handle);
    if (!unknown_in(now, r->bits))
      continue;
    uint32_t words = words_of(r->bits);
    vecval *known = malloc(words * sizeof *known);
    for (uint32_t w = 0; known && w < words; w++) {
      uint32_t unknown = (uint32_t)now[w].bval;
      uint32_t random = seed ? (uint32_t)hd_mix64(seed + (i << 8) + w) : 0;
      known[w].aval = (PLI_INT32)(((uint32_t)now[w].aval & ~unknown) | (random & unknown));
      known[w].bval = 0;
    }
    if (known)
      put_vector(r->handle, known);
    free(known);
  }
}

/* Sets the X and Z bits of a net to 0. Driven bits change again when their driver does. */
static void hold_net(struct icarus_state *s, vpiHandle handle)
{
  uint32_t bits = (uint32_t)vpi_get(vpiSize, handle), words = words_of(bits);
  const vecval *now = value_of(handle);
  if (!unknown_in(now, bits))
    return;
  if (!HD_ROOM(s->nets, s->cap_nets, s->n_nets, 1))
    return;
  vecval *values = malloc(2 * words * sizeof *values);
  if (!values)
    return;
  for (uint32_t w = 0; w < words; w++) {
    values[w] = now[w];
    values[words + w].aval = (PLI_INT32)((uint32_t)now[w].aval & ~(uint32_t)now[w].bval);
    values[words + w].bval = 0;
  }
  s->nets[s->n_nets++] = (struct icarus_net){handle, values};
  put_vector(handle, values + words);
}

static void hold_in(struct icarus_state *s, vpiHandle scope)
{
  vpiHandle list = vpi_iterate(vpiNet, scope), item;
  while (list && (item = vpi_scan(list)))
    hold_net(s, item);
  list = vpi_iterate(vpiInternalScope, scope);
  while (list && (item = vpi_scan(list))) {
    PLI_INT32 type = vpi_get(vpiType, item);
    if (type != vpiFunction && type != vpiTask)
      hold_in(s, item);
  }
}

void icarus_state_hold_nets(struct icarus_state *s)
{
  hold_in(s, vpi_handle_by_name(HD_ICARUS_SWITCH, NULL));
}

void icarus_state_release_nets(struct icarus_state *s)
{
  while (s->n_nets) {
    struct icarus_net *net = &s->nets[--s->n_nets];
    put_vector(net->handle, net->before);
    free(net->before);
  }
}

void icarus_state_check_names(const struct icarus_state *s, struct hd_dut_unknown *unknown)
{
  unsigned port = 0, vc = 0;
  for (size_t i = 0; !unknown->seen && i < s->n_names; i++) {
    const struct icarus_name *n = &s->names[i];
    char seen =
        n->handle ? unknown_in(value_of(n->handle), (uint32_t)vpi_get(vpiSize, n->handle)) : 0;
    if (!seen)
      continue;
    int parts = sscanf(n->name, "%*[^[][%u].vc[%u]", &port, &vc);
    *unknown = (struct hd_dut_unknown){.seen = seen,
                                       .after_reset = true,
                                       .port = parts > 0 ? (uint8_t)port : 0xff,
                                       .vc = parts > 1 ? (uint8_t)vc : 0xff};
    snprintf(unknown->name, sizeof unknown->name, "%s", n->name);
    char scope[40];
    snprintf(scope, sizeof scope, "%.*s", (int)strcspn(n->name, "."), n->name);
    icarus_state_name_unknown(s, strchr(scope, '[') ? scope : "", unknown);
  }
}

void icarus_state_name_unknown(const struct icarus_state *s, const char *scope,
                               struct hd_dut_unknown *unknown)
{
  const size_t prefix = strlen(HD_ICARUS_SWITCH) + 1, size = sizeof unknown->registers;
  char *text = unknown->registers;
  size_t used = 0, left_out = 0;
  text[0] = '\0';
  for (uint32_t bits = 1; bits <= 64; bits++)
    for (size_t i = 0; i < s->n; i++) {
      const struct icarus_register *r = &s->registers[i];
      if (r->bits != bits || !r->plain || !unknown_in(value_of(r->handle), bits))
        continue;
      const char *name = vpi_get_str(vpiFullName, r->handle) + prefix;
      if (strncmp(name, scope, strlen(scope)) != 0)
        continue;
      if (used + strlen(name) + 16 >= size)
        left_out++;
      else
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
    }
  if (left_out)
    snprintf(text + used, size - used, "%s and %zu more", used ? "" : "some", left_out);
}
