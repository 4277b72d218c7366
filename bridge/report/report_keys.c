/* Writes the keys of scenarios, with their topologies and routings, as text, Markdown and JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report_keys.h"
#include "../graphs/graphs.h"
#include "../render/render.h"
#include "../scenario/scenario_keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Tests whether the key describes items of a list or mapping. Readers see these with the list
 * itself. */
static bool is_item(const struct hd_key *key)
{
  return key->path[strlen(key->path) - 1] == ']';
}

static const struct hd_key *item_of(const struct hd_key *list)
{
  size_t n, length = strlen(list->path);
  const struct hd_key *keys = hd_scenario_keys(&n);
  for (size_t i = 0; i < n; i++)
    if (!strncmp(keys[i].path, list->path, length) && !strcmp(keys[i].path + length, "[]"))
      return &keys[i];
  return list;
}

/* Tests whether the key is the selected one, or is in the selected section. */
static bool is_in(const struct hd_key *key, const char *selected)
{
  size_t n = selected ? strlen(selected) : 0;
  return !is_item(key) && (!n || (!strncmp(key->path, selected, n) &&
                                  (!key->path[n] || key->path[n] == '.' || key->path[n] == '[')));
}

bool hd_keys_selected(const char *selected)
{
  size_t n;
  const struct hd_key *keys = hd_scenario_keys(&n);
  for (size_t i = 0; i < n; i++)
    if (!is_item(&keys[i]) && !strcmp(keys[i].path, selected))
      return true;
  return false;
}

/* Adds the legal values, as "1 … 8", "mesh, tree", "a list of 1 … 7 numbers, as [8, 8]; each 1 …
 * 2048". */
static void write_legal(const struct hd_key *key, struct hd_text *text)
{
  char legal[256];
  if (key->type == HD_KEY_NUMBER)
    hd_text_add(text, "%" PRIu64 " … %" PRIu64, key->low, key->high);
  else
    hd_text_add(text, "%s", hd_key_legal(key, legal, sizeof legal));
  if (key->type == HD_KEY_LIST)
    hd_text_add(text, "; each %" PRIu64 " … %" PRIu64, item_of(key)->low, item_of(key)->high);
}

/* Adds the keys of a topology, as "switches, degree (3), graph_seed (1)": defaults in
 * parentheses. */
static void write_shape(const struct hd_topology_descriptor *d, struct hd_text *text)
{
  size_t n;
  bool needed, any = false;
  const struct hd_key *keys = hd_scenario_keys(&n);
  for (size_t i = 0; i < n; i++) {
    const char *name = hd_shape_key(&keys[i]);
    if (!name || !hd_topology_takes(d, name, &needed))
      continue;
    hd_text_add(text, "%s%s", any ? ", " : "", name);
    if (!needed)
      hd_text_add(text, " (%" PRIu64 ")", keys[i].fallback);
    any = true;
  }
}

/* Adds the routings of a topology, its default first. */
static void write_routings(unsigned topology, struct hd_text *text)
{
  hd_text_add(text, "%s", hd_routings[hd_routing_default(topology)]->name);
  for (unsigned r = 0; r < HD_ROUTINGS; r++)
    if (hd_routing_fits(r, topology) && r != hd_routing_default(topology))
      hd_text_add(text, ", %s", hd_routings[r]->name);
}

/* ── text ──────────────────────────────────────────────────────────────────── */

static void text_topologies(struct hd_text *text)
{
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++) {
    const struct hd_topology_descriptor *d = hd_topologies[k];
    hd_text_add(text, "      %-16s %s (§%s)\n                       keys: ", d->name, d->help,
                d->section);
    write_shape(d, text);
    hd_text_add(text, "; routings: ");
    write_routings(k, text);
    hd_text_add(text, "\n");
  }
}

static void text_routings(struct hd_text *text)
{
  for (unsigned r = 0; r < HD_ROUTINGS; r++)
    hd_text_add(text, "      %-16s %s; for %s (§%s)\n", hd_routings[r]->name, hd_routings[r]->help,
                hd_topology_family_name(hd_routings[r]->family), hd_routings[r]->section);
}

static void text_graph_files(struct hd_text *text)
{
  for (size_t i = 0; hd_graph_formats[i]; i++)
    hd_text_add(text, "      %-16s %s\n", hd_graph_formats[i]->name, hd_graph_formats[i]->help);
}

void hd_keys_text(const char *selected, struct hd_text *text)
{
  size_t n;
  const struct hd_key *keys = hd_scenario_keys(&n);
  for (const struct hd_key *key = keys; key < keys + n; key++) {
    char fallback[256];
    if (!is_in(key, selected))
      continue;
    if (key->type == HD_KEY_SECTION) {
      hd_text_add(text, "%s: %s\n", key->path, key->help);
      continue;
    }
    bool inside = strpbrk(key->path, ".[") != NULL;
    hd_text_add(text, "%s%-*s ", inside ? "  " : "", inside ? 28 : 30, key->path);
    write_legal(key, text);
    hd_text_add(text, "%s%s", key->unit ? " " : "", key->unit ? key->unit : "");
    hd_key_default(key, fallback, sizeof fallback);
    if (*fallback)
      hd_text_add(text, "; %s%s",
                  strncmp(fallback, "needed", 6) && !key->required ? "default " : "", fallback);
    hd_text_add(text, "\n      %s", key->help);
    if (key->section)
      hd_text_add(text, " (§%s)", key->section);
    hd_text_add(text, "\n");
    if (key->choice == hd_topology_kind_name)
      text_topologies(text);
    else if (key->choice == hd_routing_kind_name)
      text_routings(text);
    else if (!strcmp(key->path, "fabric.file"))
      text_graph_files(text);
  }
}

/* ── Markdown ──────────────────────────────────────────────────────────────── */

#define BEGIN "<!-- keys: %.*s -->\n"
#define END "<!-- end of keys -->\n"

/* Returns the length of the first part of a path, which names its table. A key without a section
 * is in the table "top": 0. */
static size_t table_of(const struct hd_key *key)
{
  size_t n = strcspn(key->path, ".[");
  return key->path[n] || key->type == HD_KEY_ROWS ? n : 0;
}

static void markdown_table(const struct hd_key *keys, size_t n, const char *table, size_t length,
                           struct hd_text *text)
{
  hd_text_add(
      text, BEGIN "| key | unit | legal | default | meaning | spec |\n|---|---|---|---|---|---|\n",
      length ? (int)length : 3, length ? table : "top");
  for (const struct hd_key *key = keys; key < keys + n; key++) {
    char fallback[256];
    if (key->type == HD_KEY_SECTION || is_item(key) || table_of(key) != length ||
        strncmp(key->path, table, length) != 0)
      continue;
    hd_text_add(text, "| `%s` | %s | ", key->path, key->unit ? key->unit : "–");
    write_legal(key, text);
    hd_key_default(key, fallback, sizeof fallback);
    hd_text_add(text, " | %s | %s | %s%s |\n", *fallback ? fallback : "–", key->help,
                key->section ? "§" : "", key->section ? key->section : "");
  }
  hd_text_add(text, END);
}

void hd_keys_markdown(struct hd_text *text)
{
  size_t n;
  const struct hd_key *keys = hd_scenario_keys(&n);
  markdown_table(keys, n, "", 0, text);
  for (const struct hd_key *key = keys; key < keys + n; key++)
    if ((key->type == HD_KEY_SECTION && !is_item(key)) || key->type == HD_KEY_ROWS)
      markdown_table(keys, n, key->path, strlen(key->path), text);
  hd_text_add(text,
              BEGIN "| topology | keys | routings | meaning | spec |\n|---|---|---|---|---|\n", 10,
              "topologies");
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++) {
    hd_text_add(text, "| %s | ", hd_topologies[k]->name);
    write_shape(hd_topologies[k], text);
    hd_text_add(text, " | ");
    write_routings(k, text);
    hd_text_add(text, " | %s | §%s |\n", hd_topologies[k]->help, hd_topologies[k]->section);
  }
  hd_text_add(text, END BEGIN "| routing | for | meaning | spec |\n|---|---|---|---|\n", 8,
              "routings");
  for (unsigned r = 0; r < HD_ROUTINGS; r++)
    hd_text_add(text, "| %s | %s | %s | §%s |\n", hd_routings[r]->name,
                hd_topology_family_name(hd_routings[r]->family), hd_routings[r]->help,
                hd_routings[r]->section);
  hd_text_add(text, END BEGIN "| format | graph files |\n|---|---|\n", 11, "graph-files");
  for (size_t i = 0; hd_graph_formats[i]; i++)
    hd_text_add(text, "| %s | %s |\n", hd_graph_formats[i]->name, hd_graph_formats[i]->help);
  hd_text_add(text, END);
}

/* ── JSON ──────────────────────────────────────────────────────────────────── */

static const char *const type_names[] = {[HD_KEY_SECTION] = "section",
                                         [HD_KEY_NUMBER] = "number",
                                         [HD_KEY_POWER] = "power of two",
                                         [HD_KEY_FLAG] = "flag",
                                         [HD_KEY_CHOICE] = "choice",
                                         [HD_KEY_TEXT] = "text",
                                         [HD_KEY_LIST] = "list",
                                         [HD_KEY_ROWS] = "list of mappings",
                                         [HD_KEY_PARAMETERS] = "parameters"};

static json_t *json_names(const char *const *names)
{
  json_t *array = json_array();
  for (int i = 0; i < 4 && names[i]; i++)
    json_array_append_new(array, json_string(names[i]));
  return array;
}

/* Returns a whole number. JSON integers of this library are signed, so larger values are texts. */
static json_t *json_whole(uint64_t value)
{
  char digits[24];
  snprintf(digits, sizeof digits, "%" PRIu64, value);
  return value <= INT64_MAX ? json_integer((json_int_t)value) : json_string(digits);
}

static json_t *json_key(const struct hd_key *key)
{
  struct hd_text legal = {0};
  char fallback[256];
  write_legal(key, &legal);
  hd_key_default(key, fallback, sizeof fallback);
  json_t *json = json_pack("{s:s,s:s,s:b,s:s,s:s,s:s?,s:s?,s:s}", "key", key->path, "type",
                           type_names[key->type], "required", (int)key->required, "legal",
                           hd_text_chars(&legal), "default", fallback, "unit", key->unit, "section",
                           key->section, "help", key->help);
  if (key->type == HD_KEY_NUMBER || key->type == HD_KEY_POWER) {
    json_object_set_new(json, "least", json_whole(key->low));
    json_object_set_new(json, "most", json_whole(key->high));
  }
  if (key->choice) {
    json_t *choices = json_array();
    for (unsigned i = 0; key->choice(i); i++)
      json_array_append_new(choices, json_string(key->choice(i)));
    json_object_set_new(json, "choices", choices);
  }
  hd_text_fini(&legal);
  return json;
}

static json_t *json_topologies(void)
{
  json_t *array = json_array();
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++) {
    const struct hd_topology_descriptor *d = hd_topologies[k];
    json_t *routings = json_array();
    json_array_append_new(routings, json_string(hd_routings[hd_routing_default(k)]->name));
    for (unsigned r = 0; r < HD_ROUTINGS; r++)
      if (hd_routing_fits(r, k) && r != hd_routing_default(k))
        json_array_append_new(routings, json_string(hd_routings[r]->name));
    json_array_append_new(array, json_pack("{s:s,s:s,s:s,s:s,s:o,s:o,s:o}", "name", d->name, "help",
                                           d->help, "section", d->section, "example", d->example,
                                           "needs", json_names(d->needs), "takes",
                                           json_names(d->takes), "routings", routings));
  }
  return array;
}

static json_t *json_routings(void)
{
  json_t *array = json_array();
  for (unsigned r = 0; r < HD_ROUTINGS; r++)
    json_array_append_new(array,
                          json_pack("{s:s,s:s,s:s,s:s}", "name", hd_routings[r]->name, "help",
                                    hd_routings[r]->help, "section", hd_routings[r]->section, "for",
                                    hd_topology_family_name(hd_routings[r]->family)));
  return array;
}

static json_t *json_graph_files(void)
{
  json_t *array = json_array();
  for (size_t i = 0; hd_graph_formats[i]; i++)
    json_array_append_new(array, json_pack("{s:s,s:s}", "name", hd_graph_formats[i]->name, "help",
                                           hd_graph_formats[i]->help));
  return array;
}

int hd_keys_json(const char *selected, struct hd_text *text, struct hd_error *err)
{
  size_t n;
  const struct hd_key *keys = hd_scenario_keys(&n);
  json_t *array = json_array();
  for (size_t i = 0; i < n; i++)
    if (is_in(&keys[i], selected) && keys[i].type != HD_KEY_SECTION)
      json_array_append_new(array, json_key(&keys[i]));
  json_t *json = json_pack("{s:o,s:o,s:o,s:o}", "keys", array, "topologies", json_topologies(),
                           "routings", json_routings(), "graph_files", json_graph_files());
  return hd_json_add(json, 0, text, err);
}
