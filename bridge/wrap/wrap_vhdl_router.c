/* Writes the instance of a VHDL router in its wrapper: connects its pins with parts of the wrapper's vectors.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_verilog.h"
#include "wrap_vhdl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hd_wrap_vhdl_slice(const struct hd_wrap *w, unsigned side, unsigned pin, const char *port,
                        bool scalar, struct hd_text *t)
{
  const char *width = hd_wrap_width(w, side, pin);
  hd_text_add(t, "%s_%s", hd_wrap_vector(side), hd_wrap_pin_name(pin));
  if (scalar && !strcmp(width, "1"))
    hd_text_add(t, "(%s)", port);
  else
    hd_text_add(t, "((%s + 1) * (%s) - 1 downto %s * (%s))", port, width, port, width);
}

/* Connects a pin of all ports: as a whole vector, by element if the router has an array or
 * another order, or pin by pin. */
static void add_connection(const struct hd_wrap *w, unsigned side, unsigned pin, struct hd_text *t)
{
  const struct hd_wrap_pattern *pattern = &w->pin[side][pin];
  const bool each = pattern->by_port || pattern->by_vc || w->is_ordered ||
                    (w->unpacked && strstr(pattern->text, "[{port}]"));
  const uint32_t ports = each ? w->count : 1;
  const uint32_t channels = pattern->by_vc ? (uint32_t)strtoul(w->channels, NULL, 10) : 1;
  for (uint32_t v = 0; v < channels; v++)
    for (uint32_t p = 0; p < ports; p++) {
      char port[16];
      snprintf(port, sizeof port, "%" PRIu32, p);
      hd_text_add(t, ",\n      ");
      hd_wrap_add_base(w, pattern, p, v, t);
      if (each && !pattern->by_port)
        hd_text_add(t, "(%" PRIu32 ")", w->order[p]);
      hd_text_add(t, " => ");
      if (pattern->by_vc)
        hd_text_add(t, "%s_%s(%" PRIu32 " * CHANNELS + %" PRIu32 ")", hd_wrap_vector(side),
                    hd_wrap_pin_name(pin), p, v);
      else if (each)
        hd_wrap_vhdl_slice(w, side, pin, port, true, t);
      else
        hd_text_add(t, "%s_%s", hd_wrap_vector(side), hd_wrap_pin_name(pin));
    }
}

void hd_wrap_vhdl_router(const struct hd_wrap *w, struct hd_text *t)
{
  hd_text_add(t, "\n  router : entity work.%s\n", w->top);
  for (uint32_t i = 0; i < w->parameters.n; i++) {
    hd_text_add(t, "%s%s => ", i ? ", " : "    generic map (", w->parameters.items[i].name);
    hd_wrap_vhdl_expression(w->parameters.items[i].value, false, t);
  }
  hd_text_add(t, "%s    port map (\n      %s => clk,\n      %s => router_reset",
              w->parameters.n ? ")\n" : "", w->clock, w->reset_pin);
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++)
      if (hd_wrap_uses(w, side, pin))
        add_connection(w, side, pin, t);
  for (uint32_t i = 0; i < w->pins.n; i++) {
    hd_text_add(t, ",\n      %s => %s", w->pins.items[i].name,
                *w->pins.items[i].value ? "" : "open");
    hd_wrap_vhdl_expression(w->pins.items[i].value, true, t);
  }
  if (w->idle)
    hd_text_add(t, ",\n      %s => router_idle", w->idle);
  hd_text_add(t, "\n    );\n");
}
