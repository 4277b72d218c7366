/* Tables of a switch, and where they let a head go (specification §2.7, §3.2, §10.2; rule P7 of §6.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "watch_internal.h"

#include "../../cmodel/switch/registers.h"

#include <inttypes.h>
#include <stdio.h>

enum { DESTINATION, SOURCE, SET };
enum { VALID = 1 << 12, ALL_CHANNELS = 0xff0 };

bool hd_watch_write(const struct hd_port_watch *w, struct watched *s, uint32_t addr, uint16_t data)
{
  const uint32_t select = addr >> 16, port = addr >> 12 & 15, index = addr & 0xfff;
  static const int tables[] = {[1] = 1 + DESTINATION, [2] = 1 + SOURCE, [4] = 1 + SET};
  const int table = select < 5 ? tables[select] - 1 : -1;
  if (addr == HD_CFG_ADAPT) {
    s->adapt = (uint8_t)(data & ((1u << w->params.sw.vcs) - 1));
    return true;
  }
  if (table < 0 || !s->entries[table] || port >= w->params.sw.ports || index >= w->params.sw.nodes)
    return false;
  s->entries[table][port * w->params.sw.nodes + index] = data;
  return true;
}

static uint32_t field(uint64_t data, uint32_t at, uint32_t bits)
{
  return at < 64 ? (uint32_t)(data >> at & ((UINT64_C(1) << bits) - 1)) : 0;
}

static uint16_t entry_of(const struct hd_port_watch *w, const struct watched *s, int table,
                         uint32_t port, uint32_t index)
{
  if (!s->entries[table] || index >= w->params.sw.nodes)
    return 0;
  return s->entries[table][port * w->params.sw.nodes + index];
}

static unsigned channels_of(const struct hd_port_watch *w, uint16_t entry)
{
  return entry & VALID && (entry & 15u) < w->params.sw.ports ? entry >> 4 & w->packet_channels : 0;
}

bool hd_watch_route(const struct hd_port_watch *w, const struct watched *s, uint32_t port,
                    uint64_t data, struct packet *p)
{
  const uint32_t mode = data & 3, destination = field(data, 2, w->node_bits);
  const uint32_t other = field(data, 2 + w->node_bits, w->node_bits);
  uint16_t entry = mode == 2 ? 0 : entry_of(w, s, DESTINATION, port, destination);
  p->looks = data;
  p->set = 0;
  if (mode == 2) {
    entry = (uint16_t)(VALID | ALL_CHANNELS | field(data, 2, w->port_bits));
    p->looks = (data >> 2 >> w->port_bits) << 2 | 2;
  } else if (mode == 3 && (!s->entries[SOURCE] || other >= w->params.sw.nodes)) {
    entry = 0;
  } else if (mode == 3 && entry_of(w, s, SOURCE, port, other) & VALID) {
    entry = entry_of(w, s, SOURCE, port, other);
  } else if (mode == 3) {
    p->looks &= ~UINT64_C(3);
  } else if (mode == 1 && !(entry & VALID) && destination < w->params.sw.nodes) {
    entry = entry_of(w, s, SOURCE, port, other);
  }
  p->entry = channels_of(w, entry) ? entry : 0;
  if (mode == 0 && s->adapt & w->packet_channels)
    p->set = (uint16_t)(entry_of(w, s, SET, port, destination) & ((1u << w->params.sw.ports) - 1));
  return p->entry || p->set;
}

unsigned hd_watch_ways(const struct hd_port_watch *w, const struct watched *s,
                       const struct packet *p, uint32_t port)
{
  unsigned ways = p->flags & ANY_WAY ? w->packet_channels : 0;
  if (p->entry && (p->entry & 15u) == port)
    ways |= channels_of(w, p->entry);
  if (p->set >> port & 1)
    ways |= s->adapt & w->packet_channels;
  return ways;
}

static int say(char *what, size_t size, int at, const char *format, uint32_t number)
{
  const int n = at < (int)size ? snprintf(what + at, size - (size_t)at, format, number) : 0;
  return at + n;
}

void hd_watch_say_ways(const struct hd_port_watch *w, const struct watched *s,
                       const struct packet *p, const struct hd_flit_event *flit, char *what,
                       size_t size)
{
  const unsigned channels = hd_watch_ways(w, s, p, flit->port);
  const char *before = (p->looks & 3) == 2 ? ", its path says port " : ", the table says port ";
  int at = say(what, size, 0, " left by port %" PRIu32, flit->port);
  if (channels) {
    at = say(what, size, at, " on channel %" PRIu32 ", where the table says", flit->vc);
    before = " channel ";
    for (uint32_t v = 0; v < w->params.sw.vcs; v++)
      if (channels >> v & 1) {
        at = say(what, size, at, before, 0);
        at = say(what, size, at, "%" PRIu32, v);
        before = ", ";
      }
    return;
  }
  for (uint32_t o = 0; o < w->params.sw.ports; o++)
    if (hd_watch_ways(w, s, p, o)) {
      at = say(what, size, at, before, 0);
      at = say(what, size, at, "%" PRIu32, o);
      before = " or ";
    }
}
