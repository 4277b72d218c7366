/* The monitor for languages that pass only numbers: collects the pins of a cycle until the cycle ends.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "monitor_pins.h"

#include "monitor.h"

#include "../../cmodel/error.h"
#include "../../cmodel/switch/params.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = HD_MONITOR_MAX_BITS / 32 };

struct pins {
  struct hd_monitor *monitor; /* NULL: its parameters were refused */
  uint32_t n_ports, vcs, words;
  struct hd_monitor_port ports[HD_MAX_PORTS];
  uint32_t data[HD_MAX_PORTS][2][WORDS];
  struct hd_error err; /* "": no mistake */
};

static int find_links(const char *name, enum hd_monitor_links *links, struct hd_error *err)
{
#define LINKS_NAME(NAME, name, says) name,
  static const char *const names[] = {HD_MONITOR_LINKS_LIST(LINKS_NAME)};
#undef LINKS_NAME
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) {
      *links = (enum hd_monitor_links)i;
      return HD_OK;
    }
  return hd_fail(err, HD_E_INPUT, "links are \"%s\"; they must be ready, credits or onoff", name);
}

void *hd_pins_open(int ports, int vcs, int data_bits, int nodes, const char *links, int depth_flits,
                   int off_cycles, const char *order, int held_cycles, int starved_heads,
                   int unlinked, int no_first, int may_withdraw, int four_state,
                   const uint32_t *kept)
{
  struct hd_monitor_params params = {.ports = (uint32_t)ports,
                                     .vcs = (uint32_t)vcs,
                                     .data_bits = (uint32_t)data_bits,
                                     .nodes = (uint32_t)nodes,
                                     .depth_flits = (uint32_t)depth_flits,
                                     .off_cycles = (uint32_t)off_cycles,
                                     .order = order && order[0] ? order : NULL,
                                     .held_cycles = (uint32_t)held_cycles,
                                     .starved_heads = (uint32_t)starved_heads,
                                     .unlinked = (uint32_t)unlinked,
                                     .no_first = no_first != 0,
                                     .may_withdraw = may_withdraw != 0,
                                     .four_state = four_state != 0,
                                     .kept = kept};
  struct pins *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  if (links && links[0] && find_links(links, &params.links, &p->err))
    return p;
  if (hd_monitor_create(&p->monitor, &params, &p->err))
    return p;
  p->n_ports = params.ports;
  p->vcs = params.vcs;
  p->words = (params.data_bits + 31) / 32;
  return p;
}

void hd_pins_close(void *pins)
{
  struct pins *p = pins;
  if (p)
    hd_monitor_destroy(p->monitor);
  free(p);
}

int hd_pins_refused(void *pins)
{
  const struct pins *p = pins;
  return !p || p->err.text[0];
}

int hd_pins_route(void *pins, int in_port, int node, int ports, int channels)
{
  struct pins *p = pins;
  if (hd_pins_refused(p))
    return 1;
  return hd_monitor_route(p->monitor, in_port, (uint32_t)node, (uint32_t)ports, (uint32_t)channels,
                          &p->err) != HD_OK;
}

void hd_pins_flit(void *pins, int out, int port, int vc, int first, int last, int node,
                  const uint32_t *data)
{
  struct pins *p = pins;
  if (hd_pins_refused(p))
    return;
  if (port < 0 || port >= (int)p->n_ports) {
    hd_fail(&p->err, HD_E_INPUT, "a flit is shown at port %d; ports are 0 to %d", port,
            (int)p->n_ports - 1);
    return;
  }
  struct hd_monitor_side *side = out ? &p->ports[port].out : &p->ports[port].in;
  uint32_t *copy = p->data[port][out != 0];
  memcpy(copy, data, p->words * sizeof *copy);
  *side = (struct hd_monitor_side){.valid = true,
                                   .first = first != 0,
                                   .last = last != 0,
                                   .vc = (uint8_t)(vc < 0 || vc > UINT8_MAX ? UINT8_MAX : vc),
                                   .node = (uint32_t)node,
                                   .data = copy};
}

void hd_pins_unknown(void *pins, int out, int back, int port)
{
  struct pins *p = pins;
  if (!hd_pins_refused(p))
    hd_monitor_unknown(p->monitor, out != 0, back != 0, (uint32_t)port);
}

/* The bits of `port`. */
static uint8_t back_of(const struct pins *p, const uint32_t *back, uint32_t port)
{
  unsigned set = 0;
  for (uint32_t vc = 0; vc < p->vcs; vc++) {
    const uint32_t at = port * p->vcs + vc;
    set |= (back[at / 32] >> at % 32 & 1) << vc;
  }
  return (uint8_t)set;
}

int hd_pins_cycle(void *pins, const uint32_t *in_back, const uint32_t *out_back)
{
  struct pins *p = pins;
  if (hd_pins_refused(p))
    return -1;
  for (uint32_t i = 0; i < p->n_ports; i++) {
    p->ports[i].in.back = back_of(p, in_back, i);
    p->ports[i].out.back = back_of(p, out_back, i);
  }
  const int status = hd_monitor_cycle(p->monitor, p->ports);
  memset(p->ports, 0, sizeof p->ports);
  if (status < 0)
    hd_fail(&p->err, status, "no memory to monitor a router");
  return status < 0 ? -1 : status;
}

void hd_pins_reset(void *pins)
{
  struct pins *p = pins;
  if (hd_pins_refused(p))
    return;
  hd_monitor_reset(p->monitor);
  memset(p->ports, 0, sizeof p->ports);
}

int hd_pins_end(void *pins)
{
  struct pins *p = pins;
  return hd_pins_refused(p) ? -1 : hd_monitor_end(p->monitor);
}

const char *hd_pins_rule(void *pins)
{
  struct pins *p = pins;
  return hd_pins_refused(p) ? "" : hd_monitor_rule(p->monitor);
}

const char *hd_pins_says(void *pins)
{
  struct pins *p = pins;
  if (!p)
    return "no memory to monitor a router";
  return p->err.text[0] ? p->err.text : hd_monitor_says(p->monitor);
}
