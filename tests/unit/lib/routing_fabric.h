/* A routed fabric, for the tests of routing.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_ROUTING_FABRIC_H
#define HD_TEST_ROUTING_FABRIC_H

#include "../../../cmodel/routing/routing.h"

#include "test.h"

enum { MOST_HOPS = 4096 };

struct fabric {
  struct hd_topology t;
  struct hd_tables tables;
};

void route(struct fabric *f, enum hd_routing_kind kind, bool always_top, uint32_t vcs);

uint32_t hops(const struct fabric *f, uint32_t s, uint32_t d);

void ring(struct hd_topology *t, uint32_t n);

void fabric_fini(struct fabric *f);

#endif
