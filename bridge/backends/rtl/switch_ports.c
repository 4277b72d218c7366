/* Ports of hd_switch (specification §2.11, §8.9, §10.8), and checks that the user's RTL has them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Without these checks a port of another width would be connected, and an unknown input left open:
 * simulators print no more than a warning.
 */
#include "switch_ports.h"

#include "../../../cmodel/port_event.h"

#include <stdio.h>
#include <string.h>

void hd_switch_ports(const struct hd_switch_params *p, struct hd_switch_port ports[HD_SWITCH_PORTS])
{
  const uint32_t vc_bits = hd_log2_ceil(p->vcs);
  const struct hd_switch_port list[HD_SWITCH_PORTS] = {
      {true, "clk", 1, false},
      {true, "rst", 1, false},
      {true, "in_valid_i", p->ports, false},
      {true, "in_kind_i", p->ports * 3, false},
      {true, "in_vc_i", p->ports * vc_bits, false},
      {true, "in_data_i", p->ports * p->data_bits, false},
      {false, "in_credit_o", p->ports * p->vcs, false},
      {false, "out_valid_o", p->ports, false},
      {false, "out_kind_o", p->ports * 3, false},
      {false, "out_vc_o", p->ports * vc_bits, false},
      {false, "out_data_o", p->ports * p->data_bits, false},
      {true, "out_credit_i", p->ports * p->vcs, false},
      {true, "cfg_write_i", 1, false},
      {true, "cfg_read_i", 1, false},
      {true, "cfg_addr_i", 20, false},
      {true, "cfg_wdata_i", 16, false},
      {false, "cfg_rdata_o", 16, false},
      {false, "quiescent_o", 1, false},
      {false, "in_barrier_credit_o", p->ports, !p->barrier},
      {true, "out_barrier_credit_i", p->ports, !p->barrier},
      {false, "in_count_o", p->ports * HD_COUNT_BITS, !hd_switch_counts(p)},
      {true, "out_count_i", p->ports * HD_COUNT_BITS, !hd_switch_counts(p)},
  };
  memcpy(ports, list, sizeof list);
}

static const struct hd_switch_port *find_port(const struct hd_switch_port *ports, const char *name)
{
  for (unsigned i = 0; i < HD_SWITCH_PORTS; i++)
    if (!strcmp(ports[i].name, name))
      return &ports[i];
  return NULL;
}

static int wrong_width(const struct hd_switch_port *port, uint32_t bits, const char *rtl_dir,
                       struct hd_error *err)
{
  return hd_fail(err, HD_E_INPUT,
                 "%.300s: %s %s of hd_switch has %s; with this scenario's parameters it must have "
                 "%u (specification 2.11)",
                 rtl_dir, port->in ? "input" : "output", port->name, hd_count(bits, "bit").text,
                 port->bits);
}

static int undriven(const char *name, const char *rtl_dir, struct hd_error *err)
{
  return hd_fail(err, HD_E_INPUT,
                 "%.300s: hd_switch has an input %.100s that specification 2.11 does not know, so "
                 "nothing would drive it; tie it off inside",
                 rtl_dir, name);
}

/* Reads a port from a line "VL_IN8(&name,high,low);" of Verilator: VL_, then IN, OUT or INOUT, then
 * 8, 16, 64, W or nothing. */
static bool parse_port(const char *line, char name[128], bool *in, bool *inout, uint32_t *bits)
{
  char kind[16];
  unsigned high, low;
  if (sscanf(line, " VL_%15[A-Z0-9](&%127[^,],%u,%u", kind, name, &high, &low) < 4)
    return false;
  *inout = !strncmp(kind, "INOUT", 5);
  *in = !strncmp(kind, "IN", 2);
  /* An array of vectors gets width 0, which no port has. */
  *bits = strstr(line, ")[") ? 0 : high - low + 1;
  return *in || !strncmp(kind, "OUT", 3);
}

void hd_ports_begin(struct hd_ports_seen *seen, const struct hd_switch_params *params,
                    const char *rtl_dir)
{
  *seen = (struct hd_ports_seen){.rtl_dir = rtl_dir};
  hd_switch_ports(params, seen->ports);
}

int hd_ports_check(struct hd_ports_seen *seen, const char *name, bool in, bool inout, uint32_t bits,
                   struct hd_error *err)
{
  const struct hd_switch_port *port = find_port(seen->ports, name);
  if (!port)
    return in ? undriven(name, seen->rtl_dir, err) : HD_OK;
  if (in != port->in || inout)
    return hd_fail(err, HD_E_INPUT, "%.300s: %s of hd_switch must be an %s (specification 2.11)",
                   seen->rtl_dir, name, port->in ? "input" : "output");
  if (bits != port->bits)
    return wrong_width(port, bits, seen->rtl_dir, err);
  seen->there[port - seen->ports] = true;
  return HD_OK;
}

int hd_ports_end(const struct hd_ports_seen *seen, struct hd_error *err)
{
  for (unsigned i = 0; i < HD_SWITCH_PORTS; i++)
    if (!seen->there[i] && !seen->ports[i].optional)
      return hd_fail(err, HD_E_INPUT, "%.300s: hd_switch has no %s %s (specification 2.11)",
                     seen->rtl_dir, seen->ports[i].in ? "input" : "output", seen->ports[i].name);
  return HD_OK;
}

int hd_switch_ports_verilated(const struct hd_switch_params *params, const char *header,
                              const char *rtl_dir, struct hd_error *err)
{
  struct hd_ports_seen seen;
  int status = HD_OK;
  hd_ports_begin(&seen, params, rtl_dir);
  for (const char *line = header; *line && !status;) {
    size_t n = strcspn(line, "\n");
    char text[256], name[128];
    bool in, inout;
    uint32_t bits;
    snprintf(text, sizeof text, "%.*s", (int)(n < 255 ? n : 255), line);
    line += n + (line[n] == '\n');
    if (parse_port(text, name, &in, &inout, &bits))
      status = hd_ports_check(&seen, name, in, inout, bits, err);
  }
  return status ? status : hd_ports_end(&seen, err);
}

int hd_switch_ports_warned(const struct hd_switch_params *params, const char *log,
                           const char *wrapper, const char *rtl_dir, struct hd_error *err)
{
  struct hd_switch_port ports[HD_SWITCH_PORTS];
  hd_switch_ports(params, ports);
  for (const char *line = log; *line;) {
    size_t n = strcspn(line, "\n");
    char text[512], name[128];
    unsigned bits;
    snprintf(text, sizeof text, "%.*s", (int)(n < 511 ? n : 511), line);
    line += n + (line[n] == '\n');
    const char *what = strstr(text, ": warning: ");
    if (strncmp(text, wrapper, strlen(wrapper)) || !what)
      continue;
    const char *dangling = strstr(what, " dangling input port ");
    if (dangling && sscanf(dangling, " dangling input port %*u (%127[^)])", name) == 1 &&
        !find_port(ports, name))
      return undriven(name, rtl_dir, err);
    if (sscanf(what, ": warning: Port %*u (%127[^)]) of hd_switch expects %u bit", name, &bits) ==
            2 &&
        find_port(ports, name))
      return wrong_width(find_port(ports, name), bits, rtl_dir, err);
  }
  return HD_OK;
}
