/* Writes the instance of a router in its wrapper: connects its pins with parts of the wrapper's vectors.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_verilog.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hd_wrap_add_base(const struct hd_wrap *w, const struct hd_wrap_pattern *pattern, uint32_t p,
                      uint32_t v, struct hd_text *t)
{
  for (const char *c = pattern->base; *c; c++)
    if (!strncmp(c, "{port}", 6)) {
      if (w->names.n)
        hd_text_add(t, "%s", w->names.items[p].value);
      else
        hd_text_add(t, "%" PRIu32, w->first + w->order[p]);
      c += 5;
    } else if (!strncmp(c, "{vc}", 4)) {
      hd_text_add(t, "%" PRIu32, v);
      c += 3;
    } else {
      hd_text_add(t, "%c", *c);
    }
}

void hd_wrap_name_vector(const struct hd_wrap *w, unsigned side, unsigned pin, char vector[64])
{
  snprintf(vector, 64, "%s_%s%s", hd_wrap_vector(side), hd_wrap_pin_name(pin),
           w->pin[side][pin].inverted ? "_pins" : "");
}

/* Appends the bits of port `p`, or of its channel `v`, in the vector. `width` is the width of
 * one part. */
static void add_part(const char *vector, const char *width, bool by_vc, uint32_t p, uint32_t v,
                     struct hd_text *t)
{
  if (by_vc && !strcmp(width, "1"))
    hd_text_add(t, "%s[%" PRIu32 "*CHANNELS+%" PRIu32 "]", vector, p, v);
  else if (by_vc)
    hd_text_add(t, "%s[(%" PRIu32 "*CHANNELS+%" PRIu32 ")*(%s)+:%s]", vector, p, v, width, width);
  else if (!strcmp(width, "1"))
    hd_text_add(t, "%s[%" PRIu32 "]", vector, p);
  else
    hd_text_add(t, "%s[%" PRIu32 "*(%s)+:%s]", vector, p, width, width);
}

/* The Heddle port at an index of the router's vectors. */
static uint32_t port_at(const struct hd_wrap *w, uint32_t place)
{
  uint32_t p = 0;
  while (w->order[p] != place)
    p++;
  return p;
}

/* Appends a vector over ports that the wrapper does not have: with another order of ports, or of
 * one channel. */
static void add_rearranged(const struct hd_wrap *w, const char *vector, const char *width,
                           bool by_vc, uint32_t v, struct hd_text *t)
{
  hd_text_add(t, "{");
  for (uint32_t place = w->count; place--;) {
    add_part(vector, width, by_vc, port_at(w, place), v, t);
    hd_text_add(t, "%s", place ? ", " : "");
  }
  hd_text_add(t, "}");
}

static bool is_array(const struct hd_wrap *w, const struct hd_wrap_pattern *pattern)
{
  return w->unpacked && pattern->text && strstr(pattern->text, "[{port}]");
}

static bool is_driven(unsigned side, unsigned pin) /* Tests whether the router drives the pin. */
{
  return hd_wrap_goes_back(pin) == (side == HD_WRAP_IN);
}

/* Tests whether pin `pin` of side `side` is the first one of its interface. */
static bool is_first_of_interface(const struct hd_wrap *w, unsigned side, unsigned pin)
{
  const char *base = w->pin[side][pin].base;
  for (unsigned s = 0; s <= side; s++)
    for (unsigned i = 0; i < (s == side ? pin : (unsigned)HD_WRAP_PINS); i++)
      if (hd_wrap_uses(w, s, i) && *w->pin[s][i].member && !strcmp(w->pin[s][i].base, base))
        return false;
  return true;
}

/* Adds the interfaces of a pattern, one for each port, and connects its member. */
static void add_members(const struct hd_wrap *w, unsigned side, unsigned pin, struct hd_text *t)
{
  const struct hd_wrap_pattern *pattern = &w->pin[side][pin];
  char vector[64];
  hd_wrap_name_vector(w, side, pin, vector);
  for (uint32_t p = 0; p < w->count; p++) {
    struct hd_text base = {0}, part = {0};
    hd_wrap_add_base(w, pattern, p, 0, &base);
    add_part(vector, hd_wrap_width(w, side, pin), false, p, 0, &part);
    const char *name = hd_text_chars(&base), *bits = hd_text_chars(&part);
    if (is_first_of_interface(w, side, pin))
      hd_text_add(t, "  %s %s ();\n", w->interface, name);
    if (is_driven(side, pin))
      hd_text_add(t, "  assign %s = %s%s;\n", bits, name, pattern->member);
    else
      hd_text_add(t, "  assign %s%s = %s;\n", name, pattern->member, bits);
    hd_text_fini(&base);
    hd_text_fini(&part);
  }
}

static void add_interfaces(const struct hd_wrap *w, struct hd_text *t)
{
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++)
      if (hd_wrap_uses(w, side, pin) && *w->pin[side][pin].member)
        add_members(w, side, pin, t);
}

/* Connects the pins of a pattern with the wrapper's vector of all ports. */
static void connect(const struct hd_wrap *w, const struct hd_wrap_pattern *pattern,
                    const char *vector, struct hd_text *t)
{
  const uint32_t ports = pattern->by_port ? w->count : 1;
  const uint32_t channels = pattern->by_vc ? (uint32_t)strtoul(w->channels, NULL, 10) : 1;
  const char *width = pattern->by_vc ? pattern->one : pattern->width;
  for (uint32_t p = 0; p < ports; p++)
    for (uint32_t v = 0; v < channels; v++) {
      hd_text_add(t, ",\n      .");
      hd_wrap_add_base(w, pattern, p, v, t);
      hd_text_add(t, "(");
      if (*pattern->member)
        hd_wrap_add_base(w, pattern, p, v, t);
      else if (pattern->by_port)
        add_part(vector, width, pattern->by_vc, p, v, t);
      else if (is_array(w, pattern))
        hd_text_add(t, "%s_array", vector);
      else if (pattern->by_vc || w->is_ordered)
        add_rearranged(w, vector, width, pattern->by_vc, v, t);
      else
        hd_text_add(t, "%s", vector);
      hd_text_add(t, ")");
    }
}

static void add_connection(const struct hd_wrap *w, unsigned side, unsigned pin, struct hd_text *t)
{
  char vector[64];
  hd_wrap_name_vector(w, side, pin, vector);
  connect(w, &w->pin[side][pin], vector, t);
}

/* Connects port `port` of a SystemVerilog array with its place in the vector. */
static void add_array_port(const char *vector, const char *width, bool driven, const char *port,
                           const char *place, struct hd_text *t)
{
  if (driven)
    hd_text_add(t, "  assign %s[%s*(%s)+:%s] = %s_array[%s];\n", vector, port, width, width, vector,
                place);
  else
    hd_text_add(t, "  assign %s_array[%s] = %s[%s*(%s)+:%s];\n", vector, place, vector, port, width,
                width);
}

static void add_array(const struct hd_wrap *w, const char *vector, const char *width, bool driven,
                      struct hd_text *t)
{
  struct hd_text type = {0}; /* a single bit is declared without a range */
  hd_text_add(&type, strcmp(width, "1") ? "  wire [%s-1:0]" : "  wire", width);
  hd_text_add(t, "%s %s_array[0:N-1];\n", hd_text_chars(&type), vector);
  hd_text_fini(&type);
  for (uint32_t p = 0; w->is_ordered && p < w->count; p++) {
    char port[16], place[16];
    snprintf(port, sizeof port, "%" PRIu32, p);
    snprintf(place, sizeof place, "%" PRIu32, w->order[p]);
    add_array_port(vector, width, driven, port, place, t);
  }
  if (w->is_ordered)
    return;
  hd_text_add(t, "  for (genvar a = 0; a < N; a = a + 1) begin : %s_of_port\n", vector);
  add_array_port(vector, width, driven, "a", "a", t);
  hd_text_add(t, "  end\n");
}

/* Adds unpacked arrays of SystemVerilog: those that the router reads from vectors, and vectors
 * from those that it drives. */
static void add_arrays(const struct hd_wrap *w, struct hd_text *t)
{
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++) {
      char vector[64];
      hd_wrap_name_vector(w, side, pin, vector);
      if (is_array(w, &w->pin[side][pin]))
        add_array(w, vector, hd_wrap_width(w, side, pin), is_driven(side, pin), t);
    }
  for (uint32_t i = 0; i < w->bundle_texts.n; i++) {
    char vector[64];
    snprintf(vector, sizeof vector, "bundle_%" PRIu32, i);
    if (is_array(w, &w->bundles[i].pattern))
      add_array(w, vector, w->bundles[i].pattern.width, w->bundles[i].driven, t);
  }
}

static void add_width_check(const struct hd_wrap *w, const struct hd_wrap_pattern *pattern,
                            struct hd_text *t)
{
  struct hd_text name = {0};
  hd_wrap_add_base(w, pattern, 0, 0, &name);
  const char *chars = hd_text_chars(&name);
  const char *width = pattern->by_vc ? pattern->one : pattern->width;
  const bool one = !strcmp(width, "1");
  char bits[100];
  snprintf(bits, sizeof bits, pattern->by_port ? "%s" : one ? "N" : "N*(%s)", width);
  hd_text_add(t,
              "    if ($bits(u_router.%s) != %s)\n"
              "      $fatal(1, \"pin %s of %s has %%0d bits, its description asks for %%0d\",\n"
              "             $bits(u_router.%s), %s);\n",
              chars, bits, chars, w->top, chars, bits);
  hd_text_fini(&name);
}

/* Adds checks of widths, for Verilator. Simulators cut or extend a pin of another width, and a run
 * does not show their warning. */
static void add_width_checks(const struct hd_wrap *w, struct hd_text *t)
{
  hd_text_add(t, "\n`ifdef VERILATOR\n  initial begin\n");
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++)
      if (hd_wrap_uses(w, side, pin) && !*w->pin[side][pin].member && !w->pin[side][pin].bundled)
        add_width_check(w, &w->pin[side][pin], t);
  for (uint32_t i = 0; i < w->bundle_texts.n; i++)
    add_width_check(w, &w->bundles[i].pattern, t);
  hd_text_add(t, "  end\n`endif\n");
}

/* Adds pins whose level is inverted at the router. */
static void add_inverted(const struct hd_wrap *w, struct hd_text *t)
{
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++) {
      if (!hd_wrap_uses(w, side, pin) || !w->pin[side][pin].inverted)
        continue;
      char vector[64], pins[64];
      snprintf(vector, sizeof vector, "%s_%s", hd_wrap_vector(side), hd_wrap_pin_name(pin));
      hd_wrap_name_vector(w, side, pin, pins);
      hd_text_add(t, "  wire [N*(%s)-1:0] %s;\n", hd_wrap_width(w, side, pin), pins);
      if (is_driven(side, pin))
        hd_text_add(t, "  assign %s = ~%s;\n", vector, pins);
      else
        hd_text_add(t, "  assign %s = ~%s;\n", pins, vector);
    }
}

static void add_instance(const struct hd_wrap *w, const char *reset, struct hd_text *t)
{
  add_inverted(w, t);
  add_interfaces(w, t);
  hd_wrap_add_bundles(w, t);
  add_arrays(w, t);
  hd_text_add(t, "  %s", w->top);
  for (uint32_t i = 0; i < w->parameters.n; i++)
    hd_text_add(t, "%s.%s(%s)", i ? ",\n      " : " #(\n      ", w->parameters.items[i].name,
                w->parameters.items[i].value);
  hd_text_add(t, "%s u_router (\n      .%s(clk),\n      .%s(%s%s)", w->parameters.n ? "\n  )" : "",
              w->clock, w->reset_pin, w->reset_low ? "!" : "", reset);
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++)
      if (hd_wrap_uses(w, side, pin) && !w->pin[side][pin].bundled &&
          (!*w->pin[side][pin].member || is_first_of_interface(w, side, pin)))
        add_connection(w, side, pin, t);
  for (uint32_t i = 0; i < w->bundle_texts.n; i++) {
    char vector[64];
    snprintf(vector, sizeof vector, "bundle_%" PRIu32, i);
    connect(w, &w->bundles[i].pattern, vector, t);
  }
  for (uint32_t i = 0; i < w->pins.n; i++)
    hd_text_add(t, ",\n      .%s(%s)", w->pins.items[i].name, w->pins.items[i].value);
  if (w->idle)
    hd_text_add(t, ",\n      .%s(router_idle)", w->idle);
  hd_text_add(t, "\n  );\n");
  add_width_checks(w, t);
}

/* Adds a signal `name` of `width` bits that each copy drives. The switch uses the signal of its
 * own node's copy. */
static void add_copied(const char *name, const char *width, bool inside, struct hd_text *t)
{
  if (inside)
    hd_text_add(t, "  wire [%s-1:0] %s;\n  assign all_%s[c*(%s)+:%s] = %s;\n", width, name, name,
                width, width, name);
  else
    hd_text_add(t, "  wire [NODES*(%s)-1:0] all_%s;\n  assign %s = all_%s[node_q*(%s)+:%s];\n",
                width, name, name, name, width, width);
}

static void add_all_copied(const struct hd_wrap *w, bool inside, struct hd_text *t)
{
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++)
      if (hd_wrap_uses(w, side, pin) && is_driven(side, pin)) {
        char name[64], width[80];
        snprintf(name, sizeof name, "%s_%s", hd_wrap_vector(side), hd_wrap_pin_name(pin));
        snprintf(width, sizeof width, "N*(%s)", hd_wrap_width(w, side, pin));
        add_copied(name, width, inside, t);
      }
  if (w->idle)
    add_copied("router_idle", "1", inside, t);
}

/* All switches of a fabric share one build. So if a router's position is a parameter, each
 * switch has a copy for each node. All copies but that of the switch's own node stay in reset. */
static void add_copies(const struct hd_wrap *w, const char *reset, struct hd_text *t)
{
  char own[64];
  snprintf(own, sizeof own, "(%s || (node_q != c))", reset);
  hd_text_add(t, "  // A router for each node, as its position is a parameter: all but that of "
                 "this switch stay in\n"
                 "  // reset.\n");
  add_all_copied(w, false, t);
  hd_text_add(t, "  genvar c;\n  generate for (c = 0; c < NODES; c = c + 1) begin : copy\n"
                 "  localparam [15:0] hd_node = c;\n");
  if (w->columns)
    hd_text_add(
        t, "  localparam [15:0] hd_x = c %% COLUMNS;\n  localparam [15:0] hd_y = c / COLUMNS;\n");
  add_all_copied(w, true, t);
  add_instance(w, own, t);
  hd_text_add(t, "  end endgenerate\n");
}

void hd_wrap_router(const struct hd_wrap *w, struct hd_text *t)
{
  const char *reset = w->flow == HD_WRAP_NATIVE ? "rst" : "reset";
  hd_text_add(t, "\n");
  if (w->copies)
    add_copies(w, reset, t);
  else
    add_instance(w, reset, t);
}
