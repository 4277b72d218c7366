/* Program pingpong: two nodes send a message to and fro; a small example of the API.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common.h"
#include "programs.h"

#include <inttypes.h>

enum { PING = 1, PONG = 2, BYTES_MAX = 1 << 20 };

static void receive_and_check(struct hd_ep *ep, int from, int tag, unsigned char *bytes, size_t n,
                              uint64_t round)
{
  struct hd_ep_status status;
  hd_ep_receive(ep, from, tag, bytes, n, &status);
  if (status.bytes != n)
    hd_ep_abort(ep, "%zu of %zu bytes of a message from node %d", status.bytes, n, from);
  hd_program_verify(ep, bytes, n, from, hd_ep_rank(ep), round);
}

static void run(struct hd_ep *ep)
{
  hd_program_need_two_nodes(ep);
  uint64_t last = (uint64_t)hd_ep_size(ep) - 1;
  int first = (int)hd_program_integer(ep, "first", 0, 0, last);
  int second = (int)hd_program_integer(ep, "second", last, 0, last);
  size_t n = hd_program_integer(ep, "bytes", 8, 0, BYTES_MAX);
  uint64_t rounds = hd_program_integer(ep, "rounds", 100, 1, HD_INTEGER_MAX);
  uint64_t most = hd_program_integer(ep, "round_trip_cycles", 0, 0, HD_INTEGER_MAX);
  if (first == second)
    hd_ep_reject(ep, "second", "%d; it must differ from first", second);

  int rank = hd_ep_rank(ep);
  if (rank != first && rank != second)
    return;
  unsigned char *bytes = hd_ep_alloc(ep, n);
  for (uint64_t round = 0; round < rounds; round++) {
    if (rank == first) {
      uint64_t start = hd_ep_time(ep);
      hd_program_fill(bytes, n, first, second, round);
      hd_ep_send(ep, second, PING, bytes, n);
      receive_and_check(ep, second, PONG, bytes, n, round);
      uint64_t took = hd_ep_time(ep) - start;
      if (most && took > most)
        hd_ep_abort(ep, "round trip %" PRIu64 " took %" PRIu64 " cycles; allowed: %" PRIu64, round,
                    took, most);
    } else {
      receive_and_check(ep, first, PING, bytes, n, round);
      hd_program_fill(bytes, n, second, first, round);
      hd_ep_send(ep, first, PONG, bytes, n);
    }
  }
}

static const char *const parameters[] = {
    "first: the node that begins (0)",
    "second: the node that answers (the last one)",
    "bytes: length of each message (8)",
    "rounds: how often the message goes to and fro (100)",
    "round_trip_cycles: the run fails if a round trip takes more cycles; 0: no limit (0)",
    NULL,
};

const struct hd_program hd_program_pingpong = {
    .name = "pingpong",
    .about = "two nodes send a message to and fro; parameters first, second, bytes, rounds, "
             "round_trip_cycles",
    .main = run,
    .parameters = parameters,
};
