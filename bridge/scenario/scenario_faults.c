/* Reads the list `faults` of a scenario, and checks it against the fabric.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_faults.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns a key of a row; NULL: the row does not have it. */
static const struct hd_outline_entry *
key_of_row(const struct hd_outline *outline, const struct hd_outline_entry *row, const char *key)
{
  char path[64];
  snprintf(path, sizeof path, "%s.%s", row->path, key);
  return hd_outline_find(outline, path);
}

static bool read_number(const char **text, uint32_t most, uint32_t *number)
{
  size_t digits = strspn(*text, "0123456789");
  if (!digits || digits > 5 || (digits > 1 && **text == '0'))
    return false;
  *number = (uint32_t)strtoul(*text, NULL, 10);
  *text += digits;
  return *number <= most;
}

/* Reads a link, such as "s3:1": switch 3, port 1. */
static bool read_link(const char *text, struct hd_scenario_fault *fault)
{
  if (*text++ != 's' || !read_number(&text, HD_MAX_SWITCHES - 1, &fault->sw) || *text++ != ':')
    return false;
  return read_number(&text, HD_MAX_PORTS - 1, &fault->port) && !*text;
}

static int read_row(const struct hd_outline *outline, const struct hd_outline_entry *row,
                    bool barrier, struct hd_scenario_fault *fault, const char *name,
                    struct hd_error *err)
{
  const struct hd_outline_entry *cycle = key_of_row(outline, row, "cycle");
  const struct hd_outline_entry *after = key_of_row(outline, row, "after_barrier");
  const struct hd_outline_entry *link = key_of_row(outline, row, "link");
  const struct hd_outline_entry *whole = key_of_row(outline, row, "switch");
  if (!cycle == !after)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": %s: needs one of the keys cycle, after_barrier", name,
                   row->line, row->path);
  if (!link == !whole)
    return hd_fail(err, HD_E_INPUT, "%s:%" PRIu32 ": %s: needs one of the keys link, switch", name,
                   row->line, row->path);
  if (after && !barrier)
    return hd_fail(err, HD_E_INPUT, "%s:%" PRIu32 ": %s: needs the key switch.barrier", name,
                   after->line, after->path);
  *fault = (struct hd_scenario_fault){.after_barrier = after != NULL,
                                      .whole_switch = whole != NULL,
                                      .when = strtoull((cycle ? cycle : after)->value, NULL, 10),
                                      .line = (link ? link : whole)->line};
  if (whole)
    fault->sw = (uint32_t)strtoul(whole->value, NULL, 10);
  else if (!read_link(link->value, fault))
    return hd_fail(err, HD_E_INPUT, "%s:%" PRIu32 ": %s: %s; legal: switch and port, as s3:1", name,
                   link->line, link->path, hd_quote(link->value).text);
  return HD_OK;
}

int hd_scenario_faults_read(struct hd_scenario *scenario, const struct hd_outline *outline,
                            const char *name, struct hd_error *err)
{
  const struct hd_outline_entry *list = hd_outline_find(outline, "faults");
  if (!list)
    return HD_OK;
  if (scenario->run.compare != HD_COMPARE_EXACT)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32
                   ": faults: model and DUT may have different flits on a link when it "
                   "fails; legal with run.compare: exact alone",
                   name, list->line);
  if (scenario->run.routes != HD_ROUTES_TABLE)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32
                   ": faults: run.routes: %s is about the links that there are at the start; legal "
                   "with run.routes: table alone",
                   name, list->line, hd_port_routes_name(scenario->run.routes));
  scenario->faults = hd_xcalloc(list->children, sizeof *scenario->faults);
  for (uint32_t i = 0; i < outline->n; i++) {
    const struct hd_outline_entry *row = &outline->entries[i];
    if (row->parent != (uint32_t)(list - outline->entries))
      continue;
    int status = read_row(outline, row, scenario->sw.barrier != HD_BARRIER_NONE,
                          &scenario->faults[scenario->n_faults], name, err);
    if (status)
      return status;
    scenario->n_faults++;
  }
  return HD_OK;
}

int hd_scenario_faults_check(const struct hd_scenario *s, const struct hd_topology *t,
                             struct hd_error *err)
{
  if (s->n_faults && hd_topology_one_way(t))
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": faults: the fabric has links that go one way; faults are of "
                   "links in both directions; legal: no faults",
                   s->path, s->faults[0].line);
  if (s->n_faults && s->sw.trees)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": faults: not with switch.trees; trees of multicast do not go "
                   "around them",
                   s->path, s->faults[0].line);
  if (s->n_faults && hd_switch_has_sets(&s->sw))
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32
                   ": faults: packets would choose a failed link, which takes everything "
                   "(§5.9); legal with routing.algorithm: %s: no faults",
                   s->path, s->faults[0].line, hd_routing_kind_name(s->routing.algorithm));
  if (s->n_faults && hd_routing_needs(s->routing.algorithm, t).header_mode == 3)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32
                   ": faults: each packet goes by a node drawn at random, so packets of all "
                   "sources and destinations would be lost again and again (§5.26); legal with "
                   "routing.algorithm: %s: no faults",
                   s->path, s->faults[0].line, hd_routing_kind_name(s->routing.algorithm));
  for (uint32_t i = 0; i < s->n_faults; i++) {
    const struct hd_scenario_fault *f = &s->faults[i];
    if (f->sw >= t->n_switches)
      return hd_fail(err, HD_E_INPUT,
                     "%s:%" PRIu32 ": faults[%" PRIu32 "].%s: there is no switch %" PRIu32
                     "; legal: 0 … %" PRIu32,
                     s->path, f->line, i, f->whole_switch ? "switch" : "link", f->sw,
                     t->n_switches - 1);
    if (f->whole_switch)
      continue;
    uint32_t linked = 0;
    for (uint32_t p = 0; p < t->ports; p++)
      linked |= (uint32_t)(t->peers[f->sw * t->ports + p].kind != HD_PEER_NONE) << p;
    if (f->port < t->ports && (linked >> f->port & 1))
      continue;
    char legal[64] = "";
    for (uint32_t p = 0, used = 0; p < t->ports && used < sizeof legal; p++)
      if (linked >> p & 1)
        used += (uint32_t)snprintf(legal + used, sizeof legal - used, "%s%" PRIu32,
                                   used ? ", " : "", p);
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": faults[%" PRIu32 "].link: switch %" PRIu32
                   " has no link at port %" PRIu32 "; legal: %s",
                   s->path, f->line, i, f->sw, f->port, legal);
  }
  return HD_OK;
}
