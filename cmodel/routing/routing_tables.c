/* Routing by the tables that a graph file carries (§5.27).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

#include <inttypes.h>
#include <stdlib.h>

struct entries {
  struct hd_tables *tables;
  const struct hd_topology *t;
  unsigned mask; /* mask of all channels */
  uint32_t *lines
      [2]; /* [switch][input port][node] for HD_PACKETS_TO, for the others: the line that gives the
            * entry; 0: none */
  struct hd_error *err;
};

/* Returns the channels of a line; 0: the line names channels that packets cannot take. */
static unsigned channels_of(const struct entries *e, unsigned channels)
{
  if (!channels)
    return e->mask;
  return channels >> e->tables->packet_vcs ? 0 : channels;
}

static int fail_no_channel(const struct entries *e, uint32_t line)
{
  return hd_fail(e->err, HD_E_INPUT,
                 "%s:%" PRIu32 ": a channel that packets do not have; legal: 0 … %" PRIu32,
                 e->t->routes.name, line, e->tables->packet_vcs - 1);
}

static int put_entry(const struct entries *e, const struct hd_topology_route *r, uint32_t port,
                     uint16_t entry)
{
  const bool to = r->packets == HD_PACKETS_TO;
  const size_t row = ((size_t)r->sw * e->t->ports + port) * e->t->n_nodes;
  for (size_t i = row + r->first_node; i <= row + r->last_node; i++) {
    uint32_t *line = &e->lines[!to][i];
    if (*line)
      return hd_fail(e->err, HD_E_INPUT,
                     "%s:%" PRIu32 ": packets %s n%zu have an entry at input port %" PRIu32
                     " of s%u by line %" PRIu32 " already",
                     e->t->routes.name, r->line,
                     to                              ? "to"
                     : r->packets == HD_PACKETS_FROM ? "from"
                                                     : "that go by",
                     i - row, port, r->sw, *line);
    *line = r->line;
    (to ? e->tables->destination : e->tables->source)[i] = entry;
    if (r->set)
      e->tables->sets[i] = r->set;
  }
  return 0;
}

static int fill_entries(const struct entries *e)
{
  const struct hd_topology_routes *routes = &e->t->routes;
  const unsigned chosen = channels_of(e, routes->chosen);
  int status = 0;
  if (!chosen)
    return fail_no_channel(e, routes->chosen_line);
  e->tables->adapt = (uint8_t)chosen;
  for (size_t i = 0; i < routes->n && !status; i++) {
    const struct hd_topology_route *r = &routes->entries[i];
    const bool all = r->in_port == HD_ANY_PORT;
    const uint32_t first = all ? 0 : r->in_port, end = all ? e->t->ports : r->in_port + 1u;
    const unsigned channels = channels_of(e, r->channels);
    if (!channels)
      return fail_no_channel(e, r->line);
    for (uint32_t port = first; port < end && !status; port++)
      status = put_entry(e, r, port, hd_table_entry(r->out_port, channels));
  }
  return status;
}

static int fill(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                unsigned mask, struct hd_error *err)
{
  (void)always_top;
  const size_t n = (size_t)t->n_switches * t->ports * t->n_nodes;
  struct entries e = {.tables = tables, .t = t, .mask = mask, .err = err};
  int status = HD_E_NOMEM;
  if (!t->routes.n)
    return hd_fail(
        err, HD_E_INPUT,
        "it has links alone, but no routing tables; these are lines such as to,s0,n3,1,*");
  e.lines[0] = calloc(n, sizeof **e.lines);
  e.lines[1] = calloc(tables->source ? n : 1, sizeof **e.lines);
  if (e.lines[0] && e.lines[1])
    status = fill_entries(&e);
  else
    hd_fail(err, status, "out of memory for routing");
  free(e.lines[0]);
  free(e.lines[1]);
  return status;
}

const struct hd_routing_descriptor hd_routing_kind_tables = {
    .name = "tables",
    .help = "by the tables in the graph file; the default of a file that has some",
    .section = "5.27",
    .family = HD_FAMILY_FROM_TEXT,
    .fill = fill,
};
