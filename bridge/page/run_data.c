/* Reads the data for the page of a run.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run_data.h"

#include "../host/memory.h"
#include "../scenario/scenario_inside.h"

#include <stdlib.h>
#include <string.h>

/* Limits for data of a database, which may come from anyone. */
enum { MOST_VCS = 8, MOST_DIMS = 7 };

uint64_t hd_run_data_number(const char *text)
{
  return text ? strtoull(text, NULL, 0) : 0;
}

const char *hd_run_data_cell(const struct hd_run_data *d, unsigned table, size_t row,
                             const char *column)
{
  const struct hd_rundb_table *t = &d->tables[table];
  size_t at = hd_rundb_column(t, column);
  return row < t->rows && at < t->columns ? hd_rundb_cell(t, row, at) : NULL;
}

const char *hd_run_data_run(const struct hd_run_data *d, const char *column)
{
  return hd_run_data_cell(d, HD_RUNDB_RUN, 0, column);
}

/* Returns the value of a key in a table (key, value). */
static const char *value_of(const struct hd_rundb_table *t, const char *key)
{
  for (size_t row = 0; row < t->rows; row++) {
    const char *found = hd_rundb_cell(t, row, 0);
    if (found && !strcmp(found, key))
      return hd_rundb_cell(t, row, 1);
  }
  return NULL;
}

static const char *parameter_of(const struct hd_run_data *d, const char *key)
{
  return value_of(&d->tables[HD_RUNDB_PARAMETERS], key);
}

/* ── lists: rows in order of list, row, key ────────────────────────────────── */

static int item_order(const struct hd_rundb_table *t, size_t at, const char *list, uint64_t row,
                      const char *key)
{
  int order = strcmp(hd_rundb_cell(t, at, 0), list);
  uint64_t found = hd_run_data_number(hd_rundb_cell(t, at, 1));
  if (!order)
    order = (found > row) - (found < row);
  return order ? order : strcmp(hd_rundb_cell(t, at, 2), key);
}

/* Returns the index of the first row that is not before the item. */
static size_t item_place(const struct hd_rundb_table *t, const char *list, uint64_t row,
                         const char *key)
{
  size_t low = 0, high = t->rows;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (item_order(t, middle, list, row, key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const char *hd_run_data_item(const struct hd_run_data *d, const char *list, uint64_t row,
                             const char *key)
{
  const struct hd_rundb_table *t = &d->tables[HD_RUNDB_LISTS];
  size_t at = item_place(t, list, row, key);
  return at < t->rows && !item_order(t, at, list, row, key) ? hd_rundb_cell(t, at, 3) : NULL;
}

const char *hd_run_data_reference(const struct hd_run_data *d)
{
  return hd_reference_name(hd_run_data_item(d, "against", 0, "directory") ? HD_REFERENCE_ORIGINAL
                                                                          : HD_REFERENCE_MODEL);
}

uint64_t hd_run_data_rows(const struct hd_run_data *d, const char *list)
{
  const struct hd_rundb_table *t = &d->tables[HD_RUNDB_LISTS];
  size_t end = item_place(t, list, UINT64_MAX, "");
  if (!end || strcmp(hd_rundb_cell(t, end - 1, 0), list) != 0)
    return 0;
  uint64_t rows = hd_run_data_number(hd_rundb_cell(t, end - 1, 1)) + 1;
  return rows < t->rows ? rows : t->rows; /* each row of a list has at least one value */
}

struct hd_value hd_run_data_value(const struct hd_run_data *d, const struct hd_result_table *table,
                                  size_t column, uint64_t row)
{
  const struct hd_column *c = &table->columns[column];
  const char *list = table->key ? table->key : table->file;
  const char *text = table == &hd_result_tables[HD_RESULTS_RUN]
                         ? value_of(&d->tables[HD_RUNDB_RESULTS], c->key)
                         : hd_run_data_item(d, list, row, c->key);
  struct hd_value v = {.type = text ? c->type : HD_VALUE_NONE};
  switch (v.type) {
  case HD_VALUE_NONE:
    break;
  case HD_VALUE_COUNT:
  case HD_VALUE_NUMBER:
  case HD_VALUE_HEX:
    v.number = hd_run_data_number(text);
    break;
  case HD_VALUE_REAL:
    v.real = strtod(text, NULL);
    break;
  case HD_VALUE_FLAG:
    v.flag = *text == '1';
    break;
  case HD_VALUE_WORD:
  case HD_VALUE_TEXT:
    v.text = text;
    break;
  }
  return v;
}

/* ── links ─────────────────────────────────────────────────────────────────── */

static struct hd_run_link *link_of(struct hd_run_data *d, uint64_t sw, uint64_t port)
{
  size_t low = 0, high = d->n_links;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct hd_run_link *l = &d->links[middle];
    if (l->sw < sw || (l->sw == sw && l->port < port))
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < d->n_links && d->links[low].sw == sw && d->links[low].port == port;
  return found ? &d->links[low] : NULL;
}

static void read_links(struct hd_run_data *d)
{
  const struct hd_rundb_table *t = &d->tables[HD_RUNDB_LINKS];
  if (!t->rows)
    return;
  d->links = hd_xcalloc(t->rows, sizeof *d->links);
  for (size_t row = 0; row < t->rows; row++) {
    const char *kind = hd_rundb_cell(t, row, 2), *flits = hd_rundb_cell(t, row, 5);
    bool to_node = kind && !strcmp(kind, "node");
    uint64_t sw = hd_run_data_number(hd_rundb_cell(t, row, 0));
    uint64_t peer = hd_run_data_number(hd_rundb_cell(t, row, 3));
    if (sw >= d->n_switches || peer >= (to_node ? d->n_nodes : d->n_switches))
      continue;
    d->links[d->n_links++] = (struct hd_run_link){
        .sw = (uint32_t)sw,
        .port = (uint32_t)hd_run_data_number(hd_rundb_cell(t, row, 1)),
        .peer = (uint32_t)peer,
        .peer_port = (uint32_t)hd_run_data_number(hd_rundb_cell(t, row, 4)),
        .to_node = to_node,
        .known = flits != NULL,
        .flits = hd_run_data_number(flits),
    };
  }
}

static void read_channels(struct hd_run_data *d)
{
  const struct hd_rundb_table *t = &d->tables[HD_RUNDB_LINK_VCS];
  if (!t->rows || !d->n_links || !d->n_vcs)
    return;
  d->vcs = hd_xcalloc(d->n_links * d->n_vcs, sizeof *d->vcs);
  for (size_t row = 0; row < t->rows; row++) {
    struct hd_run_link *l = link_of(d, hd_run_data_number(hd_rundb_cell(t, row, 0)),
                                    hd_run_data_number(hd_rundb_cell(t, row, 1)));
    uint64_t vc = hd_run_data_number(hd_rundb_cell(t, row, 2));
    if (!l || vc >= d->n_vcs)
      continue;
    uint64_t *vcs = d->vcs + (size_t)(l - d->links) * d->n_vcs;
    vcs[vc] = hd_run_data_number(hd_rundb_cell(t, row, 3));
    l->vcs = vcs;
  }
}

/* Finds the link that ends at a switch's port. Usually it begins where `out` leads. NULL: a
 * node's link ends there. */
static struct hd_run_link *link_into(struct hd_run_data *d, const struct hd_run_link *out,
                                     uint64_t sw, uint64_t port)
{
  struct hd_run_link *l = out ? link_of(d, out->peer, out->peer_port) : NULL;
  if (l && !l->to_node && l->peer == sw && l->peer_port == port)
    return l;
  for (size_t i = 0; i < d->n_links; i++)
    if (!d->links[i].to_node && d->links[i].peer == sw && d->links[i].peer_port == port)
      return &d->links[i];
  return NULL;
}

/* Adds the blocked flit-cycles of inputs to links. A link to a node has both directions in one
 * row; other links have a row for each direction. */
static void read_blocked(struct hd_run_data *d)
{
  const struct hd_rundb_table *t = &d->tables[HD_RUNDB_INPUTS];
  d->blocked_known = t->columns && value_of(&d->tables[HD_RUNDB_RESULTS], "blocked_flit_cycles");
  if (!d->blocked_known || !d->n_links || !d->n_vcs)
    return;
  d->blocked_vcs = hd_xcalloc(d->n_links * d->n_vcs, sizeof *d->blocked_vcs);
  for (size_t row = 0; row < t->rows; row++) {
    uint64_t vc = hd_run_data_number(hd_rundb_cell(t, row, 2));
    uint64_t n = hd_run_data_number(hd_rundb_cell(t, row, 3));
    struct hd_run_link *l = link_of(d, hd_run_data_number(hd_rundb_cell(t, row, 0)),
                                    hd_run_data_number(hd_rundb_cell(t, row, 1)));
    if (!l || !l->to_node)
      l = link_into(d, l, hd_run_data_number(hd_rundb_cell(t, row, 0)),
                    hd_run_data_number(hd_rundb_cell(t, row, 1)));
    if (!l || vc >= d->n_vcs)
      continue;
    uint64_t *vcs = d->blocked_vcs + (size_t)(l - d->links) * d->n_vcs;
    vcs[vc] = n;
    l->blocked_vcs = vcs;
    l->blocked += n;
  }
}

/* Marks both directions of each link that a fault has struck. A struck switch has all its links
 * marked. */
static void read_faults(struct hd_run_data *d)
{
  uint64_t n = hd_run_data_rows(d, "faults");
  for (uint64_t i = 0; i < n; i++) {
    const char *port = hd_run_data_item(d, "faults", i, "port");
    uint64_t sw = hd_run_data_number(hd_run_data_item(d, "faults", i, "switch"));
    if (!hd_run_data_number(hd_run_data_item(d, "faults", i, "struck")))
      continue;
    for (size_t k = 0; k < d->n_links; k++) {
      struct hd_run_link *l = &d->links[k];
      bool out = l->sw == sw && (!port || l->port == hd_run_data_number(port));
      bool in = !l->to_node && l->peer == sw && (!port || l->peer_port == hd_run_data_number(port));
      l->dead |= out || in;
    }
  }
}

/* ── latencies ─────────────────────────────────────────────────────────────── */

static int latency_order(const void *a, const void *b)
{
  const struct hd_run_latencies *x = a, *y = b;
  return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

/* Reads latencies from the list, or from the packets if an older Heddle made the run. */
static int read_latencies(struct hd_run_data *d, struct hd_error *err)
{
  static const char list[] = "latency.csv";
  uint64_t n = hd_run_data_rows(d, list);
  bool listed = d->tables[HD_RUNDB_LISTS].rows != 0;
  struct hd_rundb_table *packets = &d->tables[HD_RUNDB_LATENCIES];
  int status = listed ? HD_OK : hd_rundb_table_read(packets, HD_RUNDB_LATENCIES, d->path, err);
  if (status)
    return status;
  n = listed ? n : packets->rows;
  d->latencies = hd_xcalloc(n, sizeof *d->latencies);
  for (uint64_t i = 0; i < n; i++)
    d->latencies[i] = (struct hd_run_latencies){
        hd_run_data_number(listed ? hd_run_data_item(d, list, i, "latency_cycles")
                                  : hd_rundb_cell(packets, i, 0)),
        hd_run_data_number(listed ? hd_run_data_item(d, list, i, "packets")
                                  : hd_rundb_cell(packets, i, 1))};
  if (n)
    qsort(d->latencies, n, sizeof *d->latencies, latency_order);
  d->n_latencies = n;
  return HD_OK;
}

/* ── reading a run ─────────────────────────────────────────────────────────── */

static uint32_t number_up_to(const char *text, uint32_t most)
{
  uint64_t n = hd_run_data_number(text);
  return n <= most ? (uint32_t)n : 0;
}

/* Builds the topology, which says where switches are drawn. The fabric's links come from the
 * database. */
static void build_fabric(struct hd_run_data *d, unsigned kind)
{
  struct hd_topology_shape shape = {0};
  struct hd_error ignored;
  struct {
    const char *key;
    uint32_t *value;
  } const numbers[] = {{"fabric.k", &shape.k},         {"fabric.n", &shape.n},
                       {"fabric.m", &shape.m},         {"fabric.r", &shape.r},
                       {"fabric.p", &shape.p},         {"fabric.a", &shape.a},
                       {"fabric.h", &shape.h},         {"fabric.pods", &shape.pods},
                       {"fabric.nodes", &shape.nodes}, {"fabric.edge_nodes", &shape.edge_nodes}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i].value = number_up_to(parameter_of(d, numbers[i].key), HD_MAX_COMPUTED_NODES);
  for (uint32_t i = 0; i < MOST_DIMS; i++) {
    char key[32];
    snprintf(key, sizeof key, "fabric.dims.%u", i);
    const char *text = parameter_of(d, key);
    if (!text)
      break;
    shape.dims[shape.n_dims++] = number_up_to(text, HD_MAX_COMPUTED_NODES);
  }
  if (d->topology->place)
    hd_topology_build(&d->fabric, kind, &shape, NULL, &ignored);
}

static void read_inside(struct hd_run_data *d)
{
  const char *text = parameter_of(d, "fabric.inside");
  struct hd_inside inside;
  struct hd_error ignored;
  if (!text || !hd_inside_parse(&inside, text) || inside.is != HD_INSIDE_GRID)
    return;
  struct hd_topology_shape shape = {.n_dims = inside.n_dims};
  memcpy(shape.dims, inside.dims, sizeof inside.dims);
  hd_topology_build(&d->inner, inside.kind, &shape, NULL, &ignored);
}

static void read_shape(struct hd_run_data *d)
{
  const char *name = parameter_of(d, "fabric.topology");
  for (unsigned k = 0; name && hd_topologies[k]; k++)
    if (!strcmp(hd_topologies[k]->name, name)) {
      d->topology = hd_topologies[k];
      build_fabric(d, k);
    }
  read_inside(d);
  d->n_switches = number_up_to(hd_run_data_run(d, "switches"), HD_MAX_SWITCHES);
  d->n_nodes = number_up_to(hd_run_data_run(d, "nodes"), HD_MAX_SWITCHES);
  d->n_vcs = number_up_to(parameter_of(d, "switch.vcs"), MOST_VCS);
  const char *dut = hd_run_data_run(d, "dut");
  d->cycles = hd_run_data_number(
      hd_run_data_run(d, dut && strcmp(dut, "none") ? "cycles_compared" : "cycles"));
  d->model_cycles = hd_run_data_number(hd_run_data_run(d, "cycles"));
  const char *cycle = hd_run_data_cell(d, HD_RUNDB_DIVERGENCES, 0, "cycle");
  d->diverged = cycle != NULL;
  d->cycle = hd_run_data_number(cycle);
  d->sw = (uint32_t)hd_run_data_number(hd_run_data_cell(d, HD_RUNDB_DIVERGENCES, 0, "switch"));
  d->port = (uint32_t)hd_run_data_number(hd_run_data_cell(d, HD_RUNDB_DIVERGENCES, 0, "port"));
}

int hd_run_data_read(struct hd_run_data *d, const char *run, struct hd_error *err)
{
  *d = (struct hd_run_data){0};
  struct hd_rundb_info info;
  int status = hd_rundb_read(&info, run, err); /* refuses what is not a run */
  d->path = info.path;
  info.path = NULL;
  hd_rundb_info_fini(&info);
  if (status)
    return status;
  const char *slash = strrchr(d->path, '/');
  d->directory = slash ? hd_xstrndup(d->path, (size_t)(slash - d->path)) : hd_xstrdup(".");
  for (unsigned t = 0; !status && t < HD_RUNDB_TABLES; t++)
    if (t != HD_RUNDB_LATENCIES)
      status = hd_rundb_table_read(&d->tables[t], t, d->path, err);
  if (status)
    return status;
  read_shape(d);
  read_links(d);
  read_channels(d);
  read_blocked(d);
  read_faults(d);
  return read_latencies(d, err);
}

void hd_run_data_fini(struct hd_run_data *d)
{
  for (unsigned t = 0; t < HD_RUNDB_TABLES; t++)
    hd_rundb_table_fini(&d->tables[t]);
  hd_topology_fini(&d->fabric);
  hd_topology_fini(&d->inner);
  free(d->path);
  free(d->directory);
  free(d->links);
  free(d->vcs);
  free(d->blocked_vcs);
  free(d->latencies);
  *d = (struct hd_run_data){0};
}
