/* Graphs from CSV text, one link or table entry a line (§5.5, §5.27). Takes any bytes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two passes: the first makes links of lines, the second gives them ports. Ports that any line names are reserved
 * first, so that a port that is given out never collides with a later line.
 */
#include "../grow.h"
#include "topology_build.h"
#include "topology_routes.h"
#include "topology_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORT_UNNAMED = 0xff };

/* One end of a link as written in the file. */
struct end {
  bool is_node;
  uint8_t port;
  uint16_t index;
};

struct link {
  struct end end[2];
  uint32_t line;
  uint32_t cycles; /* LINK of this link; 0: the fabric's LINK */
  bool one_way;    /* goes from end[0] to end[1] */
};

struct parser {
  const char *name;
  uint32_t line;
  struct hd_error *err;
  struct link *links;
  size_t n_links, cap_links;
  uint32_t n_switches, n_nodes; /* highest number seen in a link, plus 1 */
  struct hd_topology_routes routes;
};

static int parse_end(struct parser *ps, const char *at, const char *end, struct end *out)
{
  uint32_t index, port;
  struct hd_token p = hd_token_trim(at, end);
  struct hd_token_text q = hd_token_quote(p.at, p.end);
  at = p.at;
  end = p.end;
  if (at == end || (*at != 's' && *at != 'n'))
    return hd_fail(ps->err, HD_E_INPUT,
                   "%s:%" PRIu32 ": \"%s\" is no end of a link; write s<switch>, n<node> or "
                   "s<switch>:<port>",
                   ps->name, ps->line, q.text);
  out->is_node = *at == 'n';
  out->port = PORT_UNNAMED;
  uint32_t most = out->is_node ? HD_MAX_NODES - 1 : HD_MAX_SWITCHES - 1;
  at = hd_token_number(at + 1, end, most, &index);
  if (!at)
    return hd_fail(ps->err, HD_E_INPUT,
                   "%s:%" PRIu32 ": \"%s\": a number must follow the letter; legal: 0 … %" PRIu32,
                   ps->name, ps->line, q.text, most);
  if (index > most)
    return hd_fail(ps->err, HD_E_INPUT, "%s:%" PRIu32 ": \"%s\": %s numbers are 0 … %" PRIu32,
                   ps->name, ps->line, q.text, out->is_node ? "node" : "switch", most);
  out->index = (uint16_t)index;
  if (at < end && *at == ':') {
    if (out->is_node)
      return hd_fail(ps->err, HD_E_INPUT,
                     "%s:%" PRIu32
                     ": \"%s\": a node has one link and no port numbers; write n%" PRIu32,
                     ps->name, ps->line, q.text, index);
    at = hd_token_number(at + 1, end, HD_MAX_PORTS - 1, &port);
    if (!at || port >= HD_MAX_PORTS)
      return hd_fail(ps->err, HD_E_INPUT, "%s:%" PRIu32 ": \"%s\": ports of a switch are 0 … %d",
                     ps->name, ps->line, q.text, HD_MAX_PORTS - 1);
    out->port = (uint8_t)port;
  }
  if (at != end)
    return hd_fail(ps->err, HD_E_INPUT,
                   "%s:%" PRIu32 ": \"%s\": \"%s\" is too much; write s<switch>, n<node> or "
                   "s<switch>:<port>",
                   ps->name, ps->line, q.text, hd_token_quote(at, end).text);
  uint32_t *count = out->is_node ? &ps->n_nodes : &ps->n_switches;
  if (index >= *count)
    *count = index + 1;
  return 0;
}

/* Returns the last comma; NULL: there is none. */
static const char *last_field(const char *at, const char *end)
{
  while (end > at)
    if (*--end == ',')
      return end;
  return NULL;
}

/* Reads a further field of a link: its LINK, or that it goes one way. */
static bool parse_field(struct link *link, const char *at, const char *end)
{
  const struct hd_token token = hd_token_trim(at, end);
  uint32_t cycles;
  if (!link->one_way && hd_token_is(token, "one-way"))
    return link->one_way = true;
  const char *rest = hd_token_number(token.at, token.end, HD_LINK_CYCLES_MAX, &cycles);
  if (link->cycles || !rest || rest != token.end || !cycles || cycles > HD_LINK_CYCLES_MAX)
    return false;
  link->cycles = cycles;
  return true;
}

static int parse_line(struct parser *ps, const char *at, const char *end)
{
  struct hd_token whole = hd_token_trim(at, end);
  bool is_route;
  at = whole.at;
  end = whole.end;
  if (at == end || *at == '#')
    return 0;
  int status = hd_topology_routes_line(&ps->routes, ps->name, ps->line, whole, &is_route, ps->err);
  if (status || is_route)
    return status;
  const char *comma = memchr(at, ',', (size_t)(end - at));
  if (!comma)
    return hd_fail(ps->err, HD_E_INPUT,
                   "%s:%" PRIu32 ": \"%s\" is no link; write two ends with a comma between, as "
                   "s0,s1 or n0,s0:2",
                   ps->name, ps->line, hd_token_quote(at, end).text);
  if (!HD_ROOM(ps->links, ps->cap_links, ps->n_links, 1))
    return hd_fail(ps->err, HD_E_NOMEM, "%s: out of memory", ps->name);
  struct link *link = &ps->links[ps->n_links];
  link->line = ps->line;
  link->one_way = false;
  link->cycles = 0;
  for (const char *last; (last = last_field(comma + 1, end)) && parse_field(link, last + 1, end);)
    end = last;
  status = parse_end(ps, at, comma, &link->end[0]);
  if (status == 0)
    status = parse_end(ps, comma + 1, end, &link->end[1]);
  if (status)
    return status;
  if (link->end[0].is_node && link->end[1].is_node)
    return hd_fail(ps->err, HD_E_INPUT,
                   "%s:%" PRIu32 ": a node's link leads to a switch, not to node n%u", ps->name,
                   ps->line, link->end[1].index);
  if (link->cycles && (link->end[0].is_node || link->end[1].is_node))
    return hd_fail(ps->err, HD_E_INPUT,
                   "%s:%" PRIu32
                   ": the link of a node has no latency of its own; leave the number out",
                   ps->name, ps->line);
  if (!link->end[0].is_node && !link->end[1].is_node && link->end[0].index == link->end[1].index)
    return hd_fail(ps->err, HD_E_INPUT, "%s:%" PRIu32 ": s%u is linked to itself", ps->name,
                   ps->line, link->end[0].index);
  ps->n_links++;
  return 0;
}

static int parse_text(struct parser *ps, const char *text, size_t length)
{
  const char *at = text, *end = text + length;
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    at += 3; /* a byte order mark, as spreadsheets write it */
  while (at < end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *line_end = newline ? newline : end;
    ps->line++;
    int status = parse_line(ps, at, line_end);
    if (status)
      return status;
    at = newline ? newline + 1 : end;
  }
  if (ps->n_links == 0)
    return hd_fail(ps->err, HD_E_INPUT, "%s: no link in it; write one a line, as n0,s0 or s0,s1",
                   ps->name);
  return 0;
}

/* Returns the halves of a switch port that a link uses: bit 2·port for sending, the next bit for receiving. */
static uint32_t port_halves(const struct link *link, int e, uint32_t port)
{
  uint32_t needed = !link->one_way ? 3 : e == 0 ? 1 : 2;
  return needed << (2 * port);
}

/* Gives all ends a port number, named ports first. taken[switch]: halves that links use. */
static int give_ports(struct parser *ps, uint32_t *taken, uint32_t *ports)
{
  *ports = 0;
  for (int unnamed = 0; unnamed < 2; unnamed++)
    for (size_t i = 0; i < ps->n_links; i++)
      for (int e = 0; e < 2; e++) {
        struct link *link = &ps->links[i];
        struct end *end = &link->end[e];
        if (end->is_node || (end->port == PORT_UNNAMED) != unnamed)
          continue;
        uint32_t port = end->port;
        if (unnamed)
          for (port = 0; port < HD_MAX_PORTS && (taken[end->index] & port_halves(link, e, port));
               port++)
            ;
        if (port == HD_MAX_PORTS)
          return hd_fail(ps->err, HD_E_INPUT,
                         "%s:%" PRIu32 ": s%u has more than %d links; a switch has at most %d "
                         "ports",
                         ps->name, link->line, end->index, HD_MAX_PORTS, HD_MAX_PORTS);
        if (taken[end->index] & port_halves(link, e, port))
          return hd_fail(ps->err, HD_E_INPUT,
                         "%s:%" PRIu32 ": port %" PRIu32 " of s%u is named twice; every link "
                         "needs a port of its own",
                         ps->name, link->line, port, end->index);
        taken[end->index] |= port_halves(link, e, port);
        end->port = (uint8_t)port;
        if (port >= *ports)
          *ports = port + 1;
      }
  return 0;
}

static int add_link(const struct parser *ps, struct hd_topology *t, const struct link *link)
{
  const struct end *a = &link->end[0], *b = &link->end[1];
  const struct end *node = a->is_node ? a : b, *sw = a->is_node ? b : a;
  if (!node->is_node && !link->one_way) {
    hd_topology_link(t, a->index, a->port, b->index, b->port);
    return 0;
  }
  bool in = node->is_node && (!link->one_way || node == a);
  bool out = node->is_node && (!link->one_way || node == b);
  if ((in && t->node_peers[node->index].kind != HD_PEER_NONE) ||
      (out && t->node_exits[node->index].kind != HD_PEER_NONE))
    return hd_fail(ps->err, HD_E_INPUT,
                   "%s:%" PRIu32 ": node n%u has a second link; every node has exactly one, to a "
                   "switch, or one way in and one way out",
                   ps->name, link->line, node->index);
  if (!link->one_way)
    hd_topology_attach(t, node->index, sw->index, sw->port);
  else if (node->is_node)
    hd_topology_send(t, in ? hd_node_end(node->index) : hd_switch_end(sw->index, sw->port),
                     in ? hd_switch_end(sw->index, sw->port) : hd_node_end(node->index));
  else
    hd_topology_send(t, hd_switch_end(a->index, a->port), hd_switch_end(b->index, b->port));
  return 0;
}

static int add_cycles(struct hd_topology *t, const struct link *link, struct hd_error *err)
{
  int status = 0;
  for (int e = 0; link->cycles && !status && e < (link->one_way ? 1 : 2); e++)
    status = hd_topology_delay(t, link->end[e].index, link->end[e].port, link->cycles, err);
  return status;
}

static int build(struct parser *ps, struct hd_topology *t, uint32_t ports)
{
  struct hd_error inner = {""};
  int status = hd_topology_alloc(t, HD_TOPO_GRAPH, ps->n_switches, ps->n_nodes, ports, &inner);
  if (status)
    return hd_fail(ps->err, status, "%s: %s", ps->name, inner.text);
  bool one_way = false;
  for (size_t i = 0; i < ps->n_links; i++)
    one_way |= ps->links[i].one_way;
  if (one_way && (status = hd_topology_part(t, ps->err)) != 0)
    return status;
  for (size_t i = 0; i < ps->n_links && !status; i++)
    status = add_link(ps, t, &ps->links[i]);
  for (size_t i = 0; i < ps->n_links && !status; i++)
    status = add_cycles(t, &ps->links[i], ps->err);
  if (status)
    return status;
  status = hd_topology_check(t, &inner);
  if (status)
    return hd_fail(ps->err, status, "%s: %s", ps->name, inner.text);
  t->routes = ps->routes;
  ps->routes = (struct hd_topology_routes){0};
  if (t->routes.n) {
    size_t bytes = strlen(ps->name) + 1;
    t->routes.name = malloc(bytes);
    if (!t->routes.name)
      return hd_fail(ps->err, HD_E_NOMEM, "%s: out of memory", ps->name);
    memcpy(t->routes.name, ps->name, bytes);
  }
  return hd_topology_routes_check(t, ps->name, ps->err);
}

int hd_topology_graph(struct hd_topology *t, const char *text, size_t length, const char *name,
                      struct hd_error *err)
{
  struct parser ps = {.name = name, .err = err};
  uint32_t *taken = NULL;
  uint32_t ports = 0;
  memset(t, 0, sizeof *t);
  int status = parse_text(&ps, text, length);
  if (status == 0) {
    taken = calloc((size_t)ps.n_switches + 1, sizeof *taken);
    status = taken ? give_ports(&ps, taken, &ports)
                   : hd_fail(err, HD_E_NOMEM, "%s: out of memory", name);
  }
  if (status == 0)
    status = build(&ps, t, ports);
  if (status)
    hd_topology_fini(t);
  free(taken);
  free(ps.links);
  free(ps.routes.entries);
  return status;
}

static int build_shape(struct hd_topology *t, const struct hd_topology_shape *shape,
                       const struct hd_topology_text *text, struct hd_error *err)
{
  (void)shape;
  return hd_topology_graph(t, text->chars, text->length, text->name, err);
}

static void describe(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "graph %s", shape->file);
}

const struct hd_topology_descriptor hd_topology_kind_graph = {
    .name = "graph",
    .help = "any connected graph, from a CSV file of links; links may go one way",
    .section = "5.5",
    .example = "file: net.csv",
    .needs = {"file"},
    .blamed = "file",
    .from_text = true,
    .build = build_shape,
    .describe = describe,
};
