/* Program shuffle: M-to-N personalized communication by destination shuffling.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The destinations stand in a table in order of rank. Source i sends its first message to
 * entry i and then goes on entry by entry, around at the table's end, until each
 * destination has had one (paper M-to-N, Section V, Fig. 5; its Table 1 forgets to go around and
 * names nodes that do not exist). All sources start at once and hand over message after
 * message, so they stay in step as long as the network blocks none of them. Whether it blocks
 * one depends on mapping and routing (docs/endpoint.md, "Shuffle without blocking").
 *
 * A destination takes its messages in whatever order they come and checks each byte.
 */
#include "common.h"
#include "programs.h"

enum { BYTES_MAX = 1 << 20, TAGS = 4096 };

static void send_all(struct hd_ep *ep, int source, int destinations, int first_destination,
                     uint64_t rounds, unsigned char *bytes, size_t n)
{
  int rank = hd_ep_rank(ep);
  for (uint64_t round = 0; round < rounds; round++)
    for (int slot = 0; slot < destinations; slot++) {
      int destination = first_destination + (source + slot) % destinations;
      hd_program_fill(bytes, n, rank, destination, round);
      hd_ep_send(ep, destination, (int)(round % TAGS), bytes, n);
    }
}

static void receive_all(struct hd_ep *ep, int sources, int first, uint64_t rounds,
                        unsigned char *bytes, size_t n)
{
  uint64_t *seen = hd_ep_alloc(ep, (size_t)sources * sizeof *seen);
  for (uint64_t i = 0; i < rounds * (uint64_t)sources; i++) {
    struct hd_ep_status status;
    hd_ep_receive(ep, HD_EP_ANY, HD_EP_ANY, bytes, n, &status);
    int source = status.source - first;
    if (source < 0 || source >= sources)
      hd_ep_abort(ep, "a message from node %d, which is no source", status.source);
    uint64_t round = seen[source]++;
    if (round >= rounds || status.tag != (int)(round % TAGS))
      hd_ep_abort(ep, "message %llu from node %d has tag %d", (unsigned long long)round,
                  status.source, status.tag);
    if (status.bytes != n)
      hd_ep_abort(ep, "%zu of %zu bytes of a message from node %d", status.bytes, n, status.source);
    hd_program_verify(ep, bytes, n, status.source, hd_ep_rank(ep), round);
  }
}

static void run(struct hd_ep *ep)
{
  uint64_t size = (uint64_t)hd_ep_size(ep);
  int sources = (int)hd_program_integer(ep, "sources", 6, 1, size);
  int destinations = (int)hd_program_integer(ep, "destinations", 10, 1, size);
  int first = (int)hd_program_integer(ep, "first", 0, 0, size - (uint64_t)sources);
  int first_destination = (int)hd_program_integer(
      ep, "first_destination", (uint64_t)(first + sources), 0, size - (uint64_t)destinations);
  size_t n = hd_program_integer(ep, "bytes", 256, 0, BYTES_MAX);
  uint64_t rounds = hd_program_integer(ep, "rounds", 1, 1, UINT32_MAX);
  int rank = hd_ep_rank(ep);
  bool sends = rank >= first && rank < first + sources;
  bool receives = rank >= first_destination && rank < first_destination + destinations;
  if (!sends && !receives)
    return;
  unsigned char *bytes = hd_ep_alloc(ep, n);
  if (sends)
    send_all(ep, rank - first, destinations, first_destination, rounds, bytes, n);
  if (receives)
    receive_all(ep, sources, first, rounds, bytes, n);
}

static const char *const parameters[] = {
    "sources: number M of sending nodes (6)",
    "destinations: number N of receiving nodes (10)",
    "first: lowest source (0)",
    "first_destination: lowest destination (the node after the last source)",
    "bytes: length of each message (256)",
    "rounds: how often each source sends to each destination (1)",
    NULL,
};

const struct hd_program hd_program_shuffle = {
    .name = "shuffle",
    .about = "M-to-N personalized communication by destination shuffling; parameters sources, "
             "destinations, first, first_destination, bytes, rounds",
    .main = run,
    .parameters = parameters,
};
