/* Runs a test's own program on a fake network, which must end well or with an error.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WORLD_FIXTURE_H
#define HD_WORLD_FIXTURE_H

#include "../../../sw/runtime/envelope.h"
#include "fake_network.h"
#include "seed.h"

#include "test.h"

extern uint64_t compared; /* comparisons by the software of a test; a test without any fails */

void fill(unsigned char *bytes, size_t n, int source, int destination, uint64_t number);

/** Inside of a program: cmocka's asserts must not leave its stack, so failures end the run. */
void verify(struct hd_ep *ep, const unsigned char *bytes, size_t n, int source, uint64_t number);

#define EXPECT(ep, condition)                               \
  do {                                                      \
    if (!(condition))                                       \
      hd_ep_abort(ep, "line %d: %s", __LINE__, #condition); \
    compared++;                                             \
  } while (0)

struct hd_program program_of(void (*run)(struct hd_ep *ep));

void create(struct fake_network *net, const struct hd_world_params *p);

/** Runs `run` on `nodes` nodes over a network of random delays; all must end well. */
uint64_t run_well(void (*run)(struct hd_ep *ep), struct hd_world_params p,
                  struct fake_network *net);

/** `run` must end the run with status `expected`, and `expected_message` must be in the message. */
void run_badly(void (*run)(struct hd_ep *ep), uint32_t nodes, int expected,
               const char *expected_message);

#endif
