/* Routing tables in a graph file (§5.27): reads the lines and checks that they fit the graph. Takes any bytes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * cmodel/routing makes tables of them and checks that packets arrive.
 */
#include "topology_routes.h"

#include "../grow.h"
#include "../switch/params.h"

#include <inttypes.h>

enum { FIELDS = 6 };

struct reading {
  const char *name;
  uint32_t line;
  struct hd_error *err;
};

static const char *const words[] = {
    [HD_PACKETS_TO] = "to", [HD_PACKETS_FROM] = "from", [HD_PACKETS_BY] = "by"};

static int no_field(const struct reading *r, struct hd_token p, const char *legal)
{
  return hd_fail(r->err, HD_E_INPUT, "%s:%" PRIu32 ": \"%s\"; legal: %s", r->name, r->line,
                 hd_token_quote(p.at, p.end).text, legal);
}

/* Reads a letter and a number. NULL: there is no such pair. */
static const char *letter_number(struct hd_token p, char letter, uint32_t most, uint32_t *value)
{
  if (p.at == p.end || *p.at != letter)
    return NULL;
  const char *at = hd_token_number(p.at + 1, p.end, most, value);
  return *value > most ? NULL : at;
}

/* Reads a switch, or a switch and its input port: s0, s0:2. */
static int read_switch(const struct reading *r, struct hd_token p, struct hd_topology_route *route)
{
  uint32_t sw = 0, port = HD_ANY_PORT;
  const char *at = letter_number(p, 's', HD_MAX_SWITCHES - 1, &sw);
  if (at && at < p.end && *at == ':') {
    at = hd_token_number(at + 1, p.end, HD_MAX_PORTS - 1, &port);
    at = port >= HD_MAX_PORTS ? NULL : at;
  }
  route->sw = (uint16_t)sw;
  route->in_port = (uint8_t)port;
  return at == p.end ? 0 : no_field(r, p, "a switch, or one of its input ports, as s0 or s0:2");
}

/* Reads one node, or a range of nodes: n3, n3-7. */
static int read_nodes(const struct reading *r, struct hd_token p, struct hd_topology_route *route)
{
  uint32_t first = 0, last;
  const char *at = letter_number(p, 'n', HD_MAX_NODES - 1, &first);
  last = first;
  if (at && at < p.end && *at == '-') {
    at = hd_token_number(at + 1, p.end, HD_MAX_NODES - 1, &last);
    at = last >= HD_MAX_NODES || last < first ? NULL : at;
  }
  route->first_node = (uint16_t)first;
  route->last_node = (uint16_t)last;
  return at == p.end ? 0 : no_field(r, p, "a node or several, as n3 or n3-7");
}

/* Reads numbers 0 … 15 and ranges of them, with blanks between: "0 2-3"; at least one. */
static bool read_list(struct hd_token p, uint32_t most, uint32_t *set)
{
  *set = 0;
  for (const char *at = p.at; at && at < p.end;) {
    uint32_t first, last;
    if (!(at = hd_token_number(at, p.end, most, &first)))
      return false;
    last = first;
    if (at < p.end && *at == '-' && !(at = hd_token_number(at + 1, p.end, most, &last)))
      return false;
    if (first > most || last > most || last < first)
      return false;
    *set |= (2u << last) - (1u << first);
    if (at < p.end && *at != ' ' && *at != '\t')
      return false;
    while (at < p.end && (*at == ' ' || *at == '\t'))
      at++;
  }
  return *set;
}

static int read_channels(const struct reading *r, struct hd_token p, uint8_t *channels)
{
  uint32_t set = 0;
  bool fine = hd_token_is(p, "*") || read_list(p, HD_MAX_VCS - 1, &set);
  *channels = (uint8_t)set;
  return fine ? 0 : no_field(r, p, "virtual channels, as 0 or 0 2-3, or * for all");
}

static int read_port(const struct reading *r, struct hd_token p, struct hd_topology_route *route)
{
  uint32_t port;
  const char *at = hd_token_number(p.at, p.end, HD_MAX_PORTS - 1, &port);
  route->out_port = (uint8_t)port;
  return at == p.end && port < HD_MAX_PORTS ? 0 : no_field(r, p, "an output port, 0 … 15");
}

static int read_set(const struct reading *r, struct hd_token p, struct hd_topology_route *route)
{
  uint32_t set;
  if (route->packets != HD_PACKETS_TO)
    return hd_fail(r->err, HD_E_INPUT,
                   "%s:%" PRIu32 ": \"%s\" has ports that can be chosen; only packets by their "
                   "destination choose, with \"to\"",
                   r->name, r->line, words[route->packets]);
  if (!read_list(p, HD_MAX_PORTS - 1, &set))
    return no_field(r, p, "ports that can be chosen, as 1 or 1 3-4");
  route->set = (uint16_t)set;
  return 0;
}

static int read_route(const struct reading *r, const struct hd_token *fields, uint32_t n,
                      struct hd_topology_route *route)
{
  if (n < 5 || n > FIELDS)
    return hd_fail(r->err, HD_E_INPUT,
                   "%s:%" PRIu32 ": \"%s\" is followed by %" PRIu32
                   " values; legal: switch, nodes, "
                   "output port, channels, and ports that can be chosen, as to,s0:2,n4-7,1,0,1 3",
                   r->name, r->line, words[route->packets], n - 1);
  int status = read_switch(r, fields[1], route);
  if (!status)
    status = read_nodes(r, fields[2], route);
  if (!status)
    status = read_port(r, fields[3], route);
  if (!status)
    status = read_channels(r, fields[4], &route->channels);
  if (!status && n == FIELDS)
    status = read_set(r, fields[5], route);
  return status;
}

static int read_chosen(const struct reading *r, const struct hd_token *fields, uint32_t n,
                       struct hd_topology_routes *routes)
{
  if (n != 2)
    return hd_fail(r->err, HD_E_INPUT,
                   "%s:%" PRIu32 ": \"chosen\" is followed by %" PRIu32
                   " values; legal: the channels of ports that packets choose, as chosen,1-3",
                   r->name, r->line, n - 1);
  if (routes->chosen_line)
    return hd_fail(r->err, HD_E_INPUT,
                   "%s:%" PRIu32 ": the channels of chosen ports were given in line %" PRIu32,
                   r->name, r->line, routes->chosen_line);
  routes->chosen_line = r->line;
  return read_channels(r, fields[1], &routes->chosen);
}

int hd_topology_routes_line(struct hd_topology_routes *routes, const char *name, uint32_t line,
                            struct hd_token text, bool *is_route, struct hd_error *err)
{
  const struct reading r = {name, line, err};
  struct hd_token fields[FIELDS];
  uint32_t n = 0;
  for (const char *at = text.at;; n++) {
    const char *comma = memchr(at, ',', (size_t)(text.end - at));
    if (n < FIELDS)
      fields[n] = hd_token_trim(at, comma ? comma : text.end);
    if (!comma)
      break;
    at = comma + 1;
  }
  n++;
  *is_route = true;
  if (hd_token_is(fields[0], "chosen"))
    return read_chosen(&r, fields, n, routes);
  for (uint8_t packets = HD_PACKETS_TO; packets <= HD_PACKETS_BY; packets++)
    if (hd_token_is(fields[0], words[packets])) {
      if (!HD_ROOM(routes->entries, routes->capacity, routes->n, 1))
        return hd_fail(err, HD_E_NOMEM, "%s: out of memory", name);
      struct hd_topology_route *route = &routes->entries[routes->n++];
      *route = (struct hd_topology_route){.line = line, .packets = packets};
      return read_route(&r, fields, n, route);
    }
  *is_route = false;
  return 0;
}

/* ── check against the graph ─────────────────────────────────────────────── */

static int check_route(const struct hd_topology *t, const struct hd_topology_route *route,
                       const char *name, struct hd_error *err)
{
  const struct hd_peer none = {0};
  if (route->sw >= t->n_switches)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": no link leads to switch s%u; legal: s0 … s%" PRIu32, name,
                   route->line, route->sw, t->n_switches - 1);
  if (route->last_node >= t->n_nodes)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": no link leads to node n%u; legal: n0 … n%" PRIu32, name,
                   route->line, route->last_node, t->n_nodes - 1);
  const struct hd_peer *to = t->peers + (size_t)route->sw * t->ports;
  const struct hd_peer *from = t->senders + (size_t)route->sw * t->ports;
  if (route->in_port != HD_ANY_PORT &&
      (route->in_port < t->ports ? from[route->in_port] : none).kind == HD_PEER_NONE)
    return hd_fail(err, HD_E_INPUT, "%s:%" PRIu32 ": no link leads to input port %u of s%u", name,
                   route->line, route->in_port, route->sw);
  for (unsigned set = route->set | 1u << route->out_port; set; set &= set - 1) {
    unsigned port = (unsigned)__builtin_ctz(set);
    if ((port < t->ports ? to[port] : none).kind == HD_PEER_NONE)
      return hd_fail(err, HD_E_INPUT, "%s:%" PRIu32 ": no link leads away from port %u of s%u",
                     name, route->line, port, route->sw);
  }
  return 0;
}

/* The tables of all switches must route packets in one and the same way. */
static int check_kinds(const struct hd_topology_routes *routes, const char *name,
                       struct hd_error *err)
{
  uint32_t first[HD_PACKETS_BY + 1] = {0}, sets = 0;
  for (size_t i = 0; i < routes->n; i++) {
    const struct hd_topology_route *route = &routes->entries[i];
    if (!first[route->packets])
      first[route->packets] = route->line;
    if (route->set && !sets)
      sets = route->line;
  }
  uint32_t from = first[HD_PACKETS_FROM], by = first[HD_PACKETS_BY];
  if (from && by)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": \"by\", but line %" PRIu32
                   " has \"from\"; packets have a node to go by or their source in the header, not "
                   "both",
                   name, by, from);
  if (from && sets)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": \"from\", but line %" PRIu32
                   " has ports that can be chosen; packets with their source in the header do not "
                   "choose",
                   name, from, sets);
  if (sets && !routes->chosen_line)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": ports that can be chosen, but no line says on which channels, "
                   "as chosen,1-3",
                   name, sets);
  if (routes->chosen_line && !sets)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": channels of chosen ports, but no line has ports that can be "
                   "chosen",
                   name, routes->chosen_line);
  return 0;
}

int hd_topology_routes_check(const struct hd_topology *t, const char *name, struct hd_error *err)
{
  int status = 0;
  for (size_t i = 0; i < t->routes.n && !status; i++)
    status = check_route(t, &t->routes.entries[i], name, err);
  return status ? status : check_kinds(&t->routes, name, err);
}
