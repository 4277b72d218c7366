/* Checks that a CSV file is a schedule, against the network and the messages that it must send.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedule_check.h"

#include "../../bridge/host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 1000000 };

struct row {
  uint32_t line, step, message, source, destination;
  const char *links; /* text up to the end of the line */
};

struct reader {
  const struct hd_schedule_rules *rules;
  const char *name;
  char *text; /* a copy, in which lines end with NUL */
  struct row *rows;
  size_t n_rows;
  uint32_t *taken; /* [links] line whose transfer took the link in step `taken_step`; 0: none */
  uint32_t taken_step;
  uint32_t *distance; /* [switches] number of links to the node `distance_to` */
  uint32_t distance_to;
  struct hd_error *err;
};

static size_t n_links(const struct hd_topology *t)
{
  return (size_t)t->n_switches * t->ports + t->n_nodes;
}

/* ── reading ───────────────────────────────────────────────────────────────── */

static int read_row(struct reader *r, char *line, uint32_t number)
{
  struct row row = {.line = number};
  int end = 0;
  if (sscanf(line, "%9" SCNu32 ",%9" SCNu32 ",%9" SCNu32 ",%9" SCNu32 ",%n", &row.step,
             &row.message, &row.source, &row.destination, &end) != 4 ||
      !end || strpbrk(line, "+-") || !row.step || row.step > MOST_STEPS)
    return hd_fail(r->err, HD_E_INPUT,
                   "%.300s:%" PRIu32
                   ": '%.60s' is no transfer; a line is step,message,source,destination,links",
                   r->name, number, line);
  row.links = line + end;
  r->rows[r->n_rows++] = row;
  return HD_OK;
}

static int read_rows(struct reader *r, size_t length)
{
  static const char header[] = "step,message,source,destination,links";
  uint32_t number = 0;
  size_t lines = 1;
  for (size_t i = 0; i < length; i++)
    lines += r->text[i] == '\n';
  r->rows = hd_xcalloc(lines, sizeof *r->rows);
  for (char *line = r->text, *next; line; line = next) {
    next = strchr(line, '\n');
    if (next)
      *next++ = '\0';
    line[strcspn(line, "\r")] = '\0';
    number++;
    if (!*line || *line == '#' || !strcmp(line, header))
      continue;
    int status = read_row(r, line, number);
    if (status)
      return status;
  }
  return HD_OK;
}

static int compare_steps(const void *left, const void *right)
{
  const struct row *a = left, *b = right;
  if (a->step != b->step)
    return a->step < b->step ? -1 : 1;
  return (a->line > b->line) - (a->line < b->line);
}

/* ── links ─────────────────────────────────────────────────────────────────── */

/* Finds the number of a link by its name. Returns false if there is none. */
static bool link_of(const struct hd_topology *t, const char *name, size_t length, size_t *link)
{
  char text[32], kind = 0, rest;
  uint32_t index = 0, port = 0;
  if (length >= sizeof text)
    return false;
  memcpy(text, name, length);
  text[length] = '\0';
  int n = sscanf(text, "%c%9" SCNu32 ":%9" SCNu32 "%c", &kind, &index, &port, &rest);
  if (kind == 'n' && n == 2 && index < t->n_nodes) {
    *link = (size_t)t->n_switches * t->ports + index;
    return true;
  }
  *link = (size_t)index * t->ports + port;
  return kind == 's' && n == 3 && index < t->n_switches && port < t->ports;
}

static bool is_exclusive(const struct hd_schedule_rules *rules, size_t link)
{
  const struct hd_topology *t = rules->topology;
  bool of_node = link >= (size_t)t->n_switches * t->ports || t->peers[link].kind == HD_PEER_NODE;
  return !(rules->all_port && of_node);
}

/* Computes the distance of each switch to a node in links, by relaxation until nothing changes. */
static void find_distances(struct reader *r, uint32_t node)
{
  const struct hd_topology *t = r->rules->topology;
  bool changed = true;
  for (uint32_t s = 0; s < t->n_switches; s++)
    r->distance[s] = UINT32_MAX;
  while (changed) {
    changed = false;
    for (uint32_t s = 0; s < t->n_switches; s++)
      for (uint32_t port = 0; port < t->ports; port++) {
        size_t link = (size_t)s * t->ports + port;
        const struct hd_peer *peer = &t->peers[link];
        uint32_t far = UINT32_MAX;
        if (r->rules->failed && r->rules->failed[link])
          continue;
        if (peer->kind == HD_PEER_NODE && peer->index == node)
          far = 0;
        else if (peer->kind == HD_PEER_SWITCH)
          far = r->distance[peer->index];
        if (far != UINT32_MAX && far + 1 < r->distance[s]) {
          r->distance[s] = far + 1;
          changed = true;
        }
      }
  }
  r->distance_to = node;
}

static int fail_row(const struct reader *r, const struct row *row, const char *what)
{
  return hd_fail(r->err, HD_E_INPUT,
                 "%.300s:%" PRIu32 ": step %" PRIu32 ", n%" PRIu32 " to n%" PRIu32 ": %s", r->name,
                 row->line, row->step, row->source, row->destination, what);
}

static int occupy_link(struct reader *r, const struct row *row, size_t link)
{
  char what[160];
  const struct hd_topology *t = r->rules->topology;
  if (r->rules->failed && r->rules->failed[link])
    return fail_row(r, row, "a link of its way has failed");
  if (!is_exclusive(r->rules, link))
    return HD_OK;
  if (!r->taken[link]) {
    r->taken[link] = row->line;
    return HD_OK;
  }
  if (link >= (size_t)t->n_switches * t->ports)
    snprintf(what, sizeof what,
             "the link out of n%zu carries the transfer of line %" PRIu32 ", too",
             link - (size_t)t->n_switches * t->ports, r->taken[link]);
  else
    snprintf(what, sizeof what,
             "the link of s%zu port %zu carries the transfer of line %" PRIu32 ", too",
             link / t->ports, link % t->ports, r->taken[link]);
  return fail_row(r, row, what);
}

/* Follows the links of a row, and checks them. */
static int follow_row(struct reader *r, const struct row *row)
{
  const struct hd_topology *t = r->rules->topology;
  const char *at = row->links;
  struct hd_peer here = {.kind = HD_PEER_NONE};
  uint32_t count = 0;
  while (*at) {
    size_t length = strcspn(at, " "), link;
    struct hd_peer next;
    if (!link_of(t, at, length, &link))
      return fail_row(r, row, "a name in its way is no link; links are as n3 and s0:1");
    if (link >= (size_t)t->n_switches * t->ports) {
      if (count || link - (size_t)t->n_switches * t->ports != row->source)
        return fail_row(r, row, "its way does not begin at its source");
      next = t->node_peers[row->source];
    } else {
      if (here.kind != HD_PEER_SWITCH || here.index != link / t->ports)
        return fail_row(r, row, "a link of its way does not begin where the one before ends");
      next = t->peers[link];
      if (r->rules->tables) {
        uint16_t entry = hd_routing_entry(r->rules->tables, &here, row->source, row->destination);
        if (!(entry >> 12 & 1) ||
            hd_routing_port(r->rules->tables, entry, row->destination) != link % t->ports)
          return fail_row(r, row, "its way is not that of the routing tables");
      }
    }
    int status = occupy_link(r, row, link);
    if (status)
      return status;
    here = next;
    count++;
    at += length;
    at += *at == ' ';
  }
  if (here.kind != HD_PEER_NODE || here.index != row->destination)
    return fail_row(r, row, "its way does not end at its destination");
  if (r->rules->tables)
    return HD_OK;
  if (r->distance_to != row->destination)
    find_distances(r, row->destination);
  if (count != r->distance[t->node_peers[row->source].index] + 1)
    return fail_row(r, row, "there is a way with fewer links");
  return HD_OK;
}

/* ── messages that nodes have ────────────────────────────────────────────── */

struct holding {
  struct hd_schedule_need need;
  uint32_t step; /* step in which it came; 0: it did not */
};

static int compare_needs(const void *left, const void *right)
{
  const struct hd_schedule_need *a = &((const struct holding *)left)->need;
  const struct hd_schedule_need *b = &((const struct holding *)right)->need;
  if (a->message != b->message)
    return a->message < b->message ? -1 : 1;
  return (a->destination > b->destination) - (a->destination < b->destination);
}

static struct holding *holding_of(struct holding *all, size_t n, uint32_t message, uint32_t node)
{
  struct holding key = {.need = {message, 0, node}};
  return bsearch(&key, all, n, sizeof *all, compare_needs);
}

static int deliver(struct reader *r, const struct row *row, struct holding *all, size_t n)
{
  struct holding *to = holding_of(all, n, row->message, row->destination);
  struct holding *from = holding_of(all, n, row->message, row->source);
  if (!to)
    return fail_row(r, row, "the message is not for that node");
  if (to->step)
    return fail_row(r, row, "the node has that message already");
  if (to->need.source != row->source && (!from || !from->step || from->step >= row->step))
    return fail_row(r, row, "the sender does not have that message yet");
  to->step = row->step;
  return HD_OK;
}

static int check_rows(struct reader *r, struct holding *all, size_t n)
{
  const struct hd_topology *t = r->rules->topology;
  int status = HD_OK;
  for (size_t i = 0; !status && i < r->n_rows; i++) {
    const struct row *row = &r->rows[i];
    if (row->step != r->taken_step)
      memset(r->taken, 0, n_links(t) * sizeof *r->taken);
    r->taken_step = row->step;
    if (row->source >= t->n_nodes || row->destination >= t->n_nodes)
      return fail_row(r, row, "there is no such node");
    status = follow_row(r, row);
    if (!status)
      status = deliver(r, row, all, n);
  }
  for (size_t i = 0; !status && i < n; i++)
    if (!all[i].step)
      status = hd_fail(r->err, HD_E_INPUT,
                       "%.300s: n%" PRIu32 " never gets message %" PRIu32 " of n%" PRIu32, r->name,
                       all[i].need.destination, all[i].need.message, all[i].need.source);
  return status;
}

int hd_schedule_check(const struct hd_schedule_rules *rules, const struct hd_schedule_need *needs,
                      size_t n_needs, const char *text, size_t length, const char *name,
                      struct hd_schedule_found *found, struct hd_error *err)
{
  const struct hd_topology *t = rules->topology;
  struct reader r = {.rules = rules,
                     .name = name,
                     .text = hd_xmalloc(length + 1),
                     .taken = hd_xcalloc(n_links(t), sizeof *r.taken),
                     .distance = hd_xcalloc(t->n_switches, sizeof *r.distance),
                     .distance_to = UINT32_MAX,
                     .err = err};
  struct holding *all = hd_xcalloc(n_needs + 1, sizeof *all);
  int status = HD_OK;
  *found = (struct hd_schedule_found){0};
  if (memchr(text, '\0', length))
    status = hd_fail(err, HD_E_INPUT, "%.300s is no schedule: it is not text", name);
  if (!status) {
    memcpy(r.text, text, length);
    r.text[length] = '\0';
    for (size_t i = 0; i < n_needs; i++)
      all[i].need = needs[i];
    qsort(all, n_needs, sizeof *all, compare_needs);
    status = read_rows(&r, length);
  }
  if (!status) {
    qsort(r.rows, r.n_rows, sizeof *r.rows, compare_steps);
    status = check_rows(&r, all, n_needs);
  }
  if (!status && r.n_rows) {
    found->steps = r.rows[r.n_rows - 1].step;
    found->transfers = r.n_rows;
  }
  free(all);
  free(r.text);
  free(r.rows);
  free(r.taken);
  free(r.distance);
  return status;
}
