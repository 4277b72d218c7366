/* Fuzzes graph files: any bytes give a consistent fabric that routes, or an error with a line.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Small graphs go on through routing, where the deadlock check is held against a naive one.
 */
#include "../../cmodel/routing/routing.h"
#include "../unit/lib/routing_naive.h"
#include "fuzz.h"

static void check_routing(const struct hd_topology *t, enum hd_routing_kind kind)
{
  struct hd_tables tables;
  struct hd_error err = {""};
  int status = hd_routing_build(&tables, t, kind, false, 2, 0, &err);
  if (kind == HD_ROUTE_UP_DOWN && hd_topology_one_way(t)) {
    require(status == HD_E_INPUT);
    return;
  }
  require(status == 0);
  status = hd_routing_check(&tables, t, 2, false, &err);
  int naive = naive_check(&tables, t, 2);
  require(naive != NAIVE_NO_WAY || hd_topology_one_way(t));
  require((status == 0) == (naive == NAIVE_FINE));
  require(kind != HD_ROUTE_UP_DOWN || status == 0);
  hd_tables_fini(&tables);
}

/* Tables of the file: an error says why, or the rule decides as the naive one does. */
static void check_tables(const struct hd_topology *t)
{
  struct hd_tables tables;
  struct hd_error err = {""};
  uint32_t stuck;
  int status = hd_routing_build(&tables, t, HD_ROUTE_TABLES, false, 2, 0, &err);
  require(status == 0 || (status == HD_E_INPUT && strlen(err.text) > 12));
  if (status)
    return;
  require(t->routes.n > 0);
  for (int cut_through = 0; cut_through < 2; cut_through++) {
    status = hd_routing_check(&tables, t, 2, cut_through, &err);
    int naive = tables.sets || tables.header_mode == 3
                    ? naive_choice(&tables, t, 2, cut_through, &stuck)
                    : naive_check(&tables, t, 2);
    require(naive >= 0 && (status == 0) == (naive == NAIVE_FINE));
  }
  for (uint32_t s = 0; s < t->n_nodes; s++)
    for (uint32_t d = 0; d < t->n_nodes; d++) {
      uint16_t path[64];
      int n = hd_routing_path_by(&tables, t, s, d, (s + d) % t->n_nodes, path, 64, &err);
      require(status || tables.header_mode == 3 || n > 0);
    }
  hd_tables_fini(&tables);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hd_topology t;
  struct hd_error err = {""};
  char *text = exact_copy(data, size);
  int status = hd_topology_graph(&t, text, size, "f.csv", &err);
  free(text);
  if (status) {
    require(status == HD_E_INPUT && t.peers == NULL && t.node_peers == NULL);
    require(memchr(err.text, 0, sizeof err.text) != NULL);
    require(strncmp(err.text, "f.csv:", 6) == 0 && strlen(err.text) > 12);
    return 0;
  }
  require(t.ports >= 2 && t.ports <= HD_MAX_PORTS && t.n_nodes >= 2);
  require(t.n_nodes <= HD_MAX_NODES && t.n_switches <= HD_MAX_SWITCHES);
  require(hd_topology_check(&t, &err) == 0);
  if (t.n_switches * t.ports <= 40 && t.n_nodes <= 12) {
    check_routing(&t, HD_ROUTE_UP_DOWN);
    check_routing(&t, HD_ROUTE_SHORTEST);
    check_tables(&t);
  }
  hd_topology_fini(&t);
  return 0;
}
