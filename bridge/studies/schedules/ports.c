/* Network and schedule for nodes with an interface for each link of their switch (all-port rows).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The network is the row's, with L nodes in place of each node, where L is the number of links that
 * a switch can have. Rank L·n + i is the interface of node n for link i. Program schedule treats
 * these ranks as interfaces of one node. A message leaves by the interface of the first link of its
 * way, and arrives by that of the last one.
 */
#include "schedules_study.h"

#include "../../host/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool schedules_has_ports(const struct schedules_row *row)
{
  return row->found && row->all_port && !row->one_way && row->nodes == row->switches;
}

/* Returns the index of the link at `port` of a node's switch. The node's own port does not
 * count. */
static uint32_t link_of(const struct hd_topology *t, uint32_t node, uint32_t port)
{
  return port - (port > t->node_exits[node].port);
}

/* Returns the switch's port to an interface. The first interface has the node's port; the others
 * have new ports after those of the switch. */
static uint32_t port_of(const struct hd_topology *t, uint32_t node, uint32_t link)
{
  return link ? t->ports + link - 1 : t->node_exits[node].port;
}

static void add_graph(const struct hd_topology *t, struct hd_text *text)
{
  const uint32_t links = t->ports - 1;
  hd_text_add(text, "# %" PRIu32 " nodes with %" PRIu32 " interfaces each.\n", t->n_nodes, links);
  for (uint32_t node = 0; node < t->n_nodes; node++)
    for (uint32_t i = 0; i < links; i++)
      hd_text_add(text, "n%" PRIu32 ",s%" PRIu32 ":%" PRIu32 "\n", links * node + i,
                  t->node_exits[node].index, port_of(t, node, i));
  for (uint32_t link = 0; link < t->n_switches * t->ports; link++) {
    const struct hd_peer *to = &t->peers[link];
    if (to->kind == HD_PEER_SWITCH && link < to->index * t->ports + to->port)
      hd_text_add(text, "s%" PRIu32 ":%" PRIu32 ",s%" PRIu32 ":%" PRIu32 "\n", link / t->ports,
                  link % t->ports, to->index, (uint32_t)to->port);
  }
}

/* Adds one transfer. Its way is the node's link to its switch, links between switches, and the
 * link to the destination. */
static void add_transfer(const struct hd_schedule *s, const struct hd_topology *t,
                         const struct hd_transfer *m, struct hd_text *text)
{
  const uint32_t *way = &s->links[m->first_link], last = m->n_links - 1, links = t->ports - 1;
  const uint32_t in = link_of(t, m->to, t->peers[way[last - 1]].port);
  const uint32_t from = links * m->from + link_of(t, m->from, way[1] % t->ports);
  hd_text_add(text, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",n%" PRIu32, m->step + 1,
              m->message, from, links * m->to + in, from);
  for (uint32_t i = 1; i < last; i++)
    hd_text_add(text, " s%" PRIu32 ":%" PRIu32, way[i] / t->ports, way[i] % t->ports);
  hd_text_add(text, " s%" PRIu32 ":%" PRIu32 "\n", way[last] / t->ports, port_of(t, m->to, in));
}

static int write_text(const char *path, const char *what, struct hd_text *text,
                      struct hd_error *err)
{
  char name[STUDY_PATH + 16];
  snprintf(name, sizeof name, "%.*s-%s.csv", (int)(strlen(path) - strlen(".csv")), path, what);
  int status = hd_file_write(name, hd_text_chars(text), text->length, err);
  hd_text_fini(text);
  return status;
}

int schedules_write_ports(const char *path, const struct hd_schedule *schedule,
                          const struct hd_topology *t, struct hd_error *err)
{
  struct hd_text graph = {0}, rows = {0};
  add_graph(t, &graph);
  hd_text_add(&rows, "step,message,source,destination,links\n");
  for (size_t i = 0; i < schedule->n; i++)
    add_transfer(schedule, t, &schedule->transfers[i], &rows);
  int status = write_text(path, "graph", &graph, err);
  int written = write_text(path, "ports", &rows, status ? NULL : err);
  return status ? status : written;
}
