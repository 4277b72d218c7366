/* Endpoint software as a shared object: a token goes around a ring of all nodes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/endpoint.md builds and runs it. It uses only the endpoint API.
 */
#include "../../sw/endpoint.h"

static void run(struct hd_ep *ep)
{
  const int rank = hd_ep_rank(ep), size = hd_ep_size(ep);
  const uint64_t rounds = (uint64_t)hd_ep_number(ep, "rounds", 1);
  uint32_t hops = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    const uint64_t start = hd_ep_time(ep);
    if (rank != 0 || round != 0)
      hd_ep_receive(ep, (rank + size - 1) % size, 0, &hops, sizeof hops, NULL);
    if (hops != round * (uint64_t)size + (uint64_t)rank)
      hd_ep_abort(ep, "the token made %u hops to node %d in round %u", hops, rank, (unsigned)round);
    hops++;
    hd_ep_send(ep, (rank + 1) % size, 0, &hops, sizeof hops);
    if (rank == 0 && round > 0)
      hd_ep_statistic(ep, "cycles a round", hd_ep_time(ep) - start);
  }
  if (rank == 0)
    hd_ep_receive(ep, size - 1, 0, &hops, sizeof hops, NULL);
}

static const char *const parameters[] = {"rounds: how often the token goes around (1)", NULL};
static const struct hd_program token_ring = {.name = "token-ring",
                                             .about = "a token goes around all nodes",
                                             .main = run,
                                             .parameters = parameters};

HD_ENDPOINT_PROGRAM(token_ring)
