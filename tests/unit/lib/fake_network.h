/* A network for tests of endpoint software: delays and reorders packets at random.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each packet takes 1 … max_delay cycles, drawn for itself, so packets overtake one
 * another like packets on different virtual channels. With max_delay = 0 every packet takes
 * exactly fixed_delay.
 */
#ifndef HD_FAKE_NETWORK_H
#define HD_FAKE_NETWORK_H

#include "../../../sw/programs/programs.h"
#include "../../../sw/runtime/random.h"
#include "../../../sw/runtime/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_packet {
  uint64_t due, order;
  uint32_t source, destination, flits;
  bool bare;
  uint64_t header;   /* of a bare one */
  uint64_t *payload; /* NULL: synthetic, or a bare one of 1 flit */
};

struct fake_network {
  struct hd_random random;
  uint64_t now, max_delay, fixed_delay, n_sent, n_delivered, flits_sent, digest;
  uint64_t sent_in[8];      /* by virtual network */
  struct fake_packet *heap; /* by due, then order */
  size_t n, capacity;
  uint64_t flip,
      flip_word; /* bits that change in the head of each bare packet, and in its last flit */
  int refuse;    /* status that send returns, when not 0 */
  struct hd_world *world;
};

/** Parameters of a world on this network; the caller changes what it wants. */
struct hd_world_params fake_params(struct fake_network *net, uint32_t nodes,
                                   const struct hd_program *program);

/** Runs from cycle `now` until all software has finished and the network is empty, or until
 *  `limit`. Returns the first status that is not 0; *ended is the last cycle. */
int fake_run(struct fake_network *net, uint64_t limit, uint64_t *ended, struct hd_error *err);

void fake_fini(struct fake_network *net);

int fake_send(void *context, const struct hd_world_packet *sent);

#endif
