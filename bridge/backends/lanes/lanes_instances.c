/* Finds equal cells in equal instances of a module, by the names that synthesis leaves.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Modules are synthesised one by one, then flattened. So a cell's name begins with its instance, as
 * in "in[3].u_port.$abc$…", and the instances "in[0].u_port." to "in[4].u_port." have equal cells,
 * in any order. A cell is identified by its table and by its inputs within the instance: named
 * nets, or other cells of it. Registers are alike if the tables that drive them are alike.
 * Registers without such a table are identified by a name of their net, which may have names in
 * several instances.
 */
#include "lanes_instances.h"

#include "../../host/file.h"
#include "../../host/memory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A name of a net, and the net's bit in it. */
struct name {
  const char *text;
  uint32_t bit;
};

/* A table or register of an instance. */
struct known {
  uint64_t key; /* equal for the cells of all instances that are alike */
  uint32_t member, index;
  uint8_t table;
};

struct search {
  struct hd_netlist *n;
  uint32_t *first;    /* [n_nets + 1], index of the net's first name */
  struct name *names; /* sorted by net */
  char **paths;       /* [n_luts], path of the instance; ends with a dot or is "" */
  uint32_t *driver;   /* [n_nets], look-up table that drives it; UINT32_MAX: none */
  uint64_t *keys;     /* [n_luts] */
  uint8_t *state;     /* [n_luts], of lut_key: 0 new, 1 begun, 2 done */
};

static uint64_t mix(uint64_t a, uint64_t b)
{
  const uint64_t both[] = {a, b};
  return hd_hash_bytes(both, sizeof both, 1);
}

/* ── names ─────────────────────────────────────────────────────────────────── */

static bool is_named(const char *name)
{
  return name[0] != '$' && !strchr(name, '$');
}

static void read_names(struct search *s, const json_t *netnames)
{
  const char *name;
  json_t *net;
  const uint32_t n_nets = s->n->n_nets;
  s->first = hd_xcalloc(n_nets + 2, sizeof *s->first);
  for (unsigned filling = 0; filling < 2; filling++) {
    json_object_foreach((json_t *)netnames, name, net)
    {
      const json_t *bits = json_object_get(net, "bits");
      for (size_t i = 0; is_named(name) && i < json_array_size(bits); i++) {
        const json_t *bit = json_array_get(bits, i);
        const json_int_t number = json_integer_value(bit);
        if (!json_is_integer(bit) || number >= n_nets)
          continue;
        if (filling)
          s->names[s->first[number + 1]++] = (struct name){.text = name, .bit = (uint32_t)i};
        else
          s->first[number + 2]++;
      }
    }
    for (uint32_t i = 0; !filling && i <= n_nets; i++)
      s->first[i + 1] += s->first[i];
    if (!filling)
      s->names = hd_xmalloc((s->first[n_nets + 1] + 1) * sizeof *s->names);
  }
}

/* Returns the instance's path in a cell's name, before the name that the tool gave it. Names of
 * nets begin with the same path. The caller frees it. */
static char *path_of(const char *cell)
{
  if (!strncmp(cell, "$flatten", strlen("$flatten")))
    cell += strlen("$flatten");
  const char *end = strchr(cell, '$');
  char *path = hd_xmalloc(strlen(cell) + 1), *to = path;
  for (const char *c = cell; end && c < end; c++)
    if (*c != '\\')
      *to++ = *c;
  *to = '\0';
  return path;
}

/* Finds the first index in a name, such as "[3]": *member is the index, *rest a hash of the text
 * around it. False: there is none. */
static bool instance_of(const char *name, uint32_t *member, uint64_t *rest)
{
  const char *open = name;
  for (;; open++) {
    open = strchr(open, '[');
    if (!open)
      return false;
    const size_t digits = strspn(open + 1, "0123456789");
    if (digits && digits < 4 && open[1 + digits] == ']') {
      *member = (uint32_t)strtoul(open + 1, NULL, 10);
      *rest = mix(hd_hash_bytes(name, (size_t)(open - name), 2),
                  hd_hash_bytes(open + digits + 1, strlen(open + digits + 1), 3));
      return true;
    }
  }
}

/* Returns a key of a net from its name in an instance. Of several names, prefers one without a dot,
 * then the first in the alphabet. */
static uint64_t net_key(const struct search *s, hd_net net, const char *path)
{
  const size_t length = strlen(path);
  const char *best = NULL;
  uint32_t bit = 0;
  bool plain = false;
  if (net == HD_NET_ZERO || net == HD_NET_ONE)
    return net;
  for (uint32_t i = s->first[net]; i < s->first[net + 1]; i++) {
    const char *text = s->names[i].text;
    if (strncmp(text, path, length) != 0)
      continue;
    text += length;
    const bool no_dot = !strchr(text, '.');
    const int order = best ? strcmp(text, best) : -1;
    if (!best || no_dot > plain ||
        (no_dot == plain && (order < 0 || (!order && s->names[i].bit < bit)))) {
      best = text;
      bit = s->names[i].bit;
      plain = no_dot;
    }
  }
  return best ? mix(hd_hash_bytes(best, strlen(best), 4), bit) : 5;
}

/* ── look-up tables ────────────────────────────────────────────────────────── */

/* Sorts the inputs by their keys and changes the table to match. Unused inputs stay last. */
static void sort_inputs(struct hd_lut *lut, uint64_t keys[3])
{
  for (unsigned pass = 0; pass < 3; pass++) {
    const unsigned i = pass & 1;
    const bool last = lut->a[i + 1] == HD_NET_ZERO;
    if (last || (lut->a[i] != HD_NET_ZERO && keys[i] <= keys[i + 1]))
      continue;
    const uint64_t key = keys[i];
    const hd_net net = lut->a[i];
    lut->table = hd_table_swapped(lut->table, i);
    lut->a[i] = lut->a[i + 1];
    lut->a[i + 1] = net;
    keys[i] = keys[i + 1];
    keys[i + 1] = key;
  }
}

/* Computes a table's key from its content and its inputs. An input from a table of the same
 * instance counts by that table's key, any other by its name. */
static uint64_t lut_key(struct search *s, uint32_t index)
{
  struct hd_lut *lut = &s->n->luts[index];
  uint64_t keys[3];
  if (s->state[index])
    return s->state[index] == 2 ? s->keys[index] : 6; /* a loop, which lanes_order.c reports */
  s->state[index] = 1;
  for (unsigned k = 0; k < 3; k++) {
    const uint32_t from = s->driver[lut->a[k]];
    const bool here = from != UINT32_MAX && !strcmp(s->paths[from], s->paths[index]);
    keys[k] = here ? lut_key(s, from) : net_key(s, lut->a[k], s->paths[index]);
  }
  sort_inputs(lut, keys);
  s->keys[index] = mix(mix(keys[0], keys[1]), mix(keys[2], lut->table));
  s->state[index] = 2;
  return s->keys[index];
}

/* ── groups ────────────────────────────────────────────────────────────────── */

static int by_key(const void *left, const void *right)
{
  const struct known *a = left, *b = right;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  if (a->table != b->table)
    return a->table < b->table ? -1 : 1;
  return (a->member > b->member) - (a->member < b->member);
}

/* Makes a group of all cells with equal keys and tables, if they are in different instances. */
static void make_groups(struct hd_netlist *n, struct known *known, uint32_t count, bool luts)
{
  qsort(known, count, sizeof *known, by_key);
  for (uint32_t from = 0, to = 0; from < count; from = to) {
    bool clear = true;
    for (to = from + 1;
         to < count && known[to].key == known[from].key && known[to].table == known[from].table;
         to++)
      clear &= known[to].member != known[to - 1].member;
    if (to - from < 2 || !clear)
      continue;
    for (uint32_t i = from; i < to; i++) {
      const struct hd_instance_class alike = {.group = n->n_groups + 1, .member = known[i].member};
      if (luts)
        n->luts[known[i].index].alike = alike;
      else
        n->registers[known[i].index].alike = alike;
    }
    n->n_groups++;
  }
}

static void group_luts(struct search *s)
{
  struct hd_netlist *n = s->n;
  struct known *known = hd_xmalloc((n->n_luts + 1) * sizeof *known);
  uint32_t count = 0;
  for (uint32_t i = 0; i < n->n_luts; i++) {
    struct known k = {.index = i};
    uint64_t rest;
    if (!instance_of(s->paths[i], &k.member, &rest))
      continue;
    k.key = mix(rest, lut_key(s, i));
    k.table = n->luts[i].table;
    known[count++] = k;
  }
  make_groups(n, known, count, true);
  free(known);
}

static void group_registers(struct search *s)
{
  struct hd_netlist *n = s->n;
  struct known *known = hd_xmalloc((n->n_registers + 1) * sizeof *known);
  uint32_t count = 0;
  for (uint32_t i = 0; i < n->n_registers; i++) {
    const hd_net q = n->registers[i].q;
    const uint32_t from = s->driver[n->registers[i].d];
    struct known k = {.index = i}, best = {.key = UINT64_MAX};
    if (from != UINT32_MAX && n->luts[from].alike.group) {
      known[count++] = (struct known){.key = mix(7, n->luts[from].alike.group),
                                      .member = n->luts[from].alike.member,
                                      .index = i};
      continue;
    }
    for (uint32_t at = s->first[q]; at < s->first[q + 1]; at++)
      if (instance_of(s->names[at].text, &k.member, &k.key)) {
        k.key = mix(k.key, s->names[at].bit);
        if (k.key < best.key)
          best = k;
      }
    if (best.key != UINT64_MAX)
      known[count++] = best;
  }
  make_groups(n, known, count, false);
  free(known);
}

static void read_paths(struct search *s, const json_t *cells)
{
  const char *name;
  json_t *cell;
  uint32_t i = 0;
  json_object_foreach((json_t *)cells, name, cell)
  {
    const char *type = json_string_value(json_object_get(cell, "type"));
    if (!type || strcmp(type, "$lut") != 0 || i == s->n->n_luts)
      continue;
    s->paths[i] = path_of(name);
    s->driver[s->n->luts[i].y] = i;
    i++;
  }
}

void hd_lanes_find_alike(struct hd_netlist *netlist, const struct json_t *module)
{
  struct search s = {.n = netlist};
  s.paths = hd_xcalloc(netlist->n_luts + 1, sizeof *s.paths);
  s.driver = hd_xmalloc(netlist->n_nets * sizeof *s.driver);
  s.keys = hd_xmalloc((netlist->n_luts + 1) * sizeof *s.keys);
  s.state = hd_xcalloc(netlist->n_luts + 1, 1);
  for (uint32_t i = 0; i < netlist->n_nets; i++)
    s.driver[i] = UINT32_MAX;
  read_paths(&s, json_object_get(module, "cells"));
  read_names(&s, json_object_get(module, "netnames"));
  group_luts(&s);
  group_registers(&s);
  for (uint32_t i = 0; i < netlist->n_luts; i++)
    free(s.paths[i]);
  free(s.paths);
  free(s.driver);
  free(s.keys);
  free(s.state);
  free(s.first);
  free(s.names);
}
