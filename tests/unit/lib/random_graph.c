/* Random connected fabrics for tests.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "random_graph.h"

void random_graph(struct hd_topology *t, struct dice *dice, uint32_t n_switches, uint32_t extra,
                  uint32_t n_nodes, uint32_t ports, bool one_each)
{
  size_t room = 32 * (size_t)(n_switches + extra + n_nodes) + 1, used = 0;
  CLEANUP(free_at) char *text = malloc(room);
  CLEANUP(free_at) uint32_t *taken = calloc(n_switches, sizeof *taken);
  uint32_t most = one_each ? ports - 1 : ports - 2; /* leaves room for nodes */
  assert_non_null(text);
  assert_non_null(taken);
  for (uint32_t i = 1; i < n_switches + extra; i++) {
    bool tree = i < n_switches;
    uint32_t a = tree ? i : roll(dice, n_switches), b;
    do
      b = roll(dice, tree ? i : n_switches);
    while (tree && taken[b] >= most);
    if (a == b || taken[a] >= most || taken[b] >= most)
      continue;
    taken[a]++;
    taken[b]++;
    used += (size_t)snprintf(text + used, room - used, "s%u,s%u\n", a, b);
  }
  for (uint32_t i = 0; i < n_nodes; i++) {
    uint32_t sw = i;
    while (!one_each && taken[sw = roll(dice, n_switches)] >= ports)
      ;
    taken[sw]++;
    used += (size_t)snprintf(text + used, room - used, "n%u,s%u\n", i, sw);
  }
  int status = hd_topology_graph(t, text, used, "random", &why);
  if (status)
    print_error("%s\n%s", why.text, text);
  assert_int_equal(status, 0);
}

void assert_no_circle(const bool *waits, uint32_t n)
{
  bool *gone = calloc(n, 1);
  uint32_t left = n;
  assert_non_null(gone);
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t x = 0; x < n; x++) {
      bool free_now = !gone[x];
      for (uint32_t y = 0; y < n && free_now; y++)
        free_now = gone[y] || !waits[(size_t)x * n + y];
      if (free_now) {
        gone[x] = moved = true;
        left--;
      }
    }
  }
  free(gone);
  assert_int_equal(left, 0);
}
