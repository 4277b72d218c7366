/* Rules P6 and P7 (specification §6.7): heads leave that came in, by ways that the tables allow.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A head is known by what it looks like when it leaves. Several that look alike may be inside, from ports whose
 * tables differ. Nobody can tell which of them leaves first, so each may take the way of any.
 */
#include "watch_internal.h"

#include "../../cmodel/grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DESTINATION, SOURCE, SET };
enum {
  MOST_HEADS = 4096
}; /* a switch that keeps more has lost them; then it is not looked at any more */

bool hd_routes_init(const struct hd_port_watch *watch, struct routes *r)
{
  const struct hd_switch_params *p = &watch->params;
  const bool has[] = {true, p->source_table != 0, p->adaptive != 0};
  for (int i = 0; i < 3; i++) {
    if (has[i])
      r->entries[i] = calloc((size_t)p->ports * p->nodes, sizeof *r->entries[i]);
    if (has[i] && !r->entries[i])
      return false;
  }
  return true;
}

void hd_routes_fini(struct routes *r)
{
  for (int i = 0; i < 3; i++)
    free(r->entries[i]);
  free(r->heads);
}

/* ── tables ────────────────────────────────────────────────────────────────── */

void hd_routes_write(const struct hd_port_watch *watch, struct routes *r,
                     const struct hd_config_event *write)
{
  const uint32_t select = write->addr >> 16, port = write->addr >> 12 & 15;
  const uint32_t index = write->addr & 0xfff;
  static const int tables[] = {[1] = 1 + DESTINATION, [2] = 1 + SOURCE, [4] = 1 + SET};
  const int table = select < 5 ? tables[select] - 1 : -1;
  if (write->addr == HD_CFG_ADAPT)
    r->adapt = (uint8_t)(write->data & ((1u << watch->params.vcs) - 1));
  if (table >= 0 && r->entries[table] && port < watch->params.ports && index < watch->params.nodes)
    r->entries[table][port * watch->params.nodes + index] = write->data;
}

void hd_routes_forget(struct routes *r)
{
  for (size_t i = 0; i < r->n_heads; i++)
    r->unknown += r->heads[i].inside;
  r->n_heads = 0;
}

static uint32_t field(uint64_t data, uint32_t at, uint32_t bits)
{
  return at < 64 ? (uint32_t)(data >> at & ((UINT64_C(1) << bits) - 1)) : 0;
}

static uint16_t entry_of(const struct hd_port_watch *watch, const struct routes *r, int table,
                         uint32_t port, uint32_t index)
{
  if (!r->entries[table] || index >= watch->params.nodes)
    return 0;
  return r->entries[table][port * watch->params.nodes + index];
}

static bool is_valid(uint16_t entry)
{
  return entry >> 12 & 1;
}

/* Where a head that comes in by `port` may go (§2.7, §10.4); its looks when it leaves (§1.3) in heads->data. */
static void route(const struct hd_port_watch *watch, const struct routes *r, uint32_t port,
                  struct heads *h)
{
  const uint32_t mode = h->data & 3, from = 2 + watch->node_bits;
  const uint32_t destination = field(h->data, 2, watch->node_bits);
  const uint32_t other = field(h->data, from, watch->node_bits);
  uint16_t entry = entry_of(watch, r, DESTINATION, port, destination);
  if (mode == 2) {
    const uint32_t by = field(h->data, 2, watch->port_bits);
    entry = hd_table_entry(by, 0xff);
    h->data = (h->data >> 2 >> watch->port_bits) << 2 | 2;
  } else if (mode == 3 && (!r->entries[SOURCE] || other >= watch->params.nodes)) {
    entry = 0;
  } else if (mode == 3 && is_valid(entry_of(watch, r, SOURCE, port, other))) {
    entry = entry_of(watch, r, SOURCE, port, other);
  } else if (mode == 3) {
    h->data &= ~UINT64_C(3);
  } else if (mode == 1 && !is_valid(entry) && destination < watch->params.nodes) {
    entry = entry_of(watch, r, SOURCE, port, other);
  }
  if (is_valid(entry) && (entry & 15u) < watch->params.ports)
    h->channels[entry & 15] |= (uint8_t)(entry >> 4 & watch->packet_channels);
  const uint32_t set = mode == 0 ? entry_of(watch, r, SET, port, destination) : 0;
  for (uint32_t o = 0; o < watch->params.ports; o++)
    if (set >> o & 1)
      h->channels[o] |= (uint8_t)(r->adapt & watch->packet_channels);
}

/* ── heads ─────────────────────────────────────────────────────────────────── */

static struct heads *find(const struct routes *r, uint64_t data, uint8_t kind)
{
  for (size_t i = 0; i < r->n_heads; i++)
    if (r->heads[i].data == data && r->heads[i].kind == kind)
      return &r->heads[i];
  return NULL;
}

int hd_routes_head_in(const struct hd_port_watch *watch, struct routes *r,
                      const struct hd_flit_event *flit)
{
  struct heads came = {.data = flit->data, .kind = flit->kind, .inside = 1};
  unsigned some = 0;
  route(watch, r, flit->port, &came);
  for (uint32_t o = 0; o < watch->params.ports; o++)
    some |= came.channels[o];
  if (!some) /* it has no way and will not leave (§2.8) */
    return HD_OK;
  struct heads *h = find(r, came.data, came.kind);
  if (h) {
    h->inside++;
    for (uint32_t o = 0; o < watch->params.ports; o++)
      h->channels[o] |= came.channels[o];
    return HD_OK;
  }
  if (r->n_heads == MOST_HEADS) {
    hd_routes_forget(r);
    r->unknown = UINT64_MAX;
  }
  if (!HD_ROOM(r->heads, r->cap_heads, r->n_heads, 1))
    return HD_E_NOMEM;
  r->heads[r->n_heads++] = came;
  return HD_OK;
}

static int say(char *what, size_t size, int at, const char *format, uint32_t number)
{
  const int n = at < (int)size ? snprintf(what + at, size - (size_t)at, format, number) : 0;
  return at + n;
}

/* "head to node 14" */
static int say_head(const struct hd_port_watch *watch, const struct hd_flit_event *flit, char *what,
                    size_t size)
{
  const char *kind = flit->kind == HD_KIND_SINGLE ? "single" : "head";
  if ((flit->data & 3) == 2)
    return snprintf(what, size, "source-routed %s", kind);
  return snprintf(what, size, "%s to node %" PRIu32, kind, field(flit->data, 2, watch->node_bits));
}

static void say_route(const struct hd_port_watch *watch, const struct heads *h,
                      const struct hd_flit_event *flit, char *what, size_t size)
{
  int at = say_head(watch, flit, what, size);
  const char *before = ", the table says port ";
  at = say(what, size, at, " left by port %" PRIu32, flit->port);
  if (h->channels[flit->port]) {
    at = say(what, size, at, " on channel %" PRIu32 ", where the table says", flit->vc);
    before = " channel ";
    for (uint32_t v = 0; v < watch->params.vcs; v++)
      if (h->channels[flit->port] >> v & 1) {
        at = say(what, size, at, before, 0);
        at = say(what, size, at, "%" PRIu32, v);
        before = ", ";
      }
    return;
  }
  if ((flit->data & 3) == 2)
    before = ", its path says port ";
  for (uint32_t o = 0; o < watch->params.ports; o++)
    if (h->channels[o]) {
      at = say(what, size, at, before, 0);
      at = say(what, size, at, "%" PRIu32, o);
      before = " or ";
    }
}

enum hd_port_rule hd_routes_head_out(const struct hd_port_watch *watch, struct routes *r,
                                     const struct hd_flit_event *flit, char *what, size_t size)
{
  struct heads *h = find(r, flit->data, flit->kind);
  const bool coder = watch->params.code_places && flit->port == 0; /* it makes packets, §11.6 */
  if (h && h->channels[flit->port] >> flit->vc & 1) {
    if (!--h->inside)
      *h = r->heads[--r->n_heads];
    return HD_PORT_NONE;
  }
  if (coder)
    return HD_PORT_NONE;
  if (r->unknown) {
    r->unknown -= r->unknown != UINT64_MAX;
    return HD_PORT_NONE;
  }
  if (h) {
    say_route(watch, h, flit, what, size);
    return HD_PORT_ROUTE;
  }
  const int at = say_head(watch, flit, what, size);
  say(what, size, at,
      " left by port %" PRIu32 ", but none that looks so came in, or the tables have no way for it",
      flit->port);
  return HD_PORT_ORIGIN;
}
