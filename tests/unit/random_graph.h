/* Random connected fabrics for tests, and the seed they come from.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=N replays a run.
 */
#ifndef HD_TEST_RANDOM_GRAPH_H
#define HD_TEST_RANDOM_GRAPH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../cmodel/port_event.h"
#include "../../cmodel/topology/topology.h"

#include "seed.h"

#include <stdbool.h>

#include <stdio.h>
#include <stdlib.h>

/** Any way of making numbers; only its tests have it. */
struct dice {
  uint64_t state;
};

static inline uint32_t roll(struct dice *dice, uint32_t n)
{
  dice->state += UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(hd_mix64(dice->state) % n);
}

static inline struct dice dice_begin(const char *test, const char *binary)
{
  struct dice dice = {first_seed()};
  printf("%s: seed %llu; replay: HD_SEED=%llu build/opt/unit/%s\n", test,
         (unsigned long long)dice.state, (unsigned long long)dice.state, binary);
  return dice;
}

/** A random tree of switches with at most `extra` links more, and `n_nodes` nodes anywhere; at
 *  most `ports` ports a switch, 4 or more (`one_each`: 3). `one_each`: node i is on switch i. */
static inline void random_graph(struct hd_topology *t, struct dice *dice, uint32_t n_switches,
                                uint32_t extra, uint32_t n_nodes, uint32_t ports, bool one_each)
{
  size_t room = 32 * (size_t)(n_switches + extra + n_nodes) + 1, used = 0;
  char *text = malloc(room);
  uint32_t *taken = calloc(n_switches, sizeof *taken);
  uint32_t most = one_each ? ports - 1 : ports - 2; /* leaves room for nodes */
  struct hd_error err = {""};
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
  int status = hd_topology_graph(t, text, used, "random", &err);
  if (status)
    print_error("%s\n%s", err.text, text);
  assert_int_equal(status, 0);
  free(text);
  free(taken);
}

/** Nobody waits for himself over others: waits[n * n], x for y at [x * n + y]. Who waits for nobody is
 *  taken away until nothing is left. */
static inline void assert_no_circle(const bool *waits, uint32_t n)
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

#endif
