/* Program broadcast: one node sends a message to all others, along a binomial tree.
 * SPDX-License-Identifier: Apache-2.0
 *
 * It is the example of docs/endpoint.md.
 */
#include "common.h"
#include "programs.h"

enum { BYTES_MAX = 1 << 20, TAGS = 4096 };

/* Sends the root's message to all nodes. Every node calls it with the same arguments. In the
 * binomial tree, the parent of a rank, counted from the root, is that rank without its lowest bit
 * that is 1. */
static void broadcast(struct hd_ep *ep, int root, int tag, void *bytes, size_t n)
{
  int size = hd_ep_size(ep), rank = (hd_ep_rank(ep) - root + size) % size, bit = 1;
  while (bit < size && !(rank & bit))
    bit *= 2;
  if (rank)
    hd_ep_receive(ep, (rank - bit + root) % size, tag, bytes, n, NULL);
  for (bit /= 2; bit; bit /= 2) /* the child with the largest subtree first */
    if (rank + bit < size)
      hd_ep_send(ep, (rank + bit + root) % size, tag, bytes, n);
}

static void run(struct hd_ep *ep)
{
  int root = (int)hd_program_integer(ep, "root", 0, 0, (uint64_t)hd_ep_size(ep) - 1);
  size_t n = hd_program_integer(ep, "bytes", 256, 0, BYTES_MAX);
  uint64_t rounds = hd_program_integer(ep, "rounds", 1, 1, HD_INTEGER_MAX);
  unsigned char *bytes = hd_ep_alloc(ep, n);
  for (uint64_t round = 0; round < rounds; round++) {
    if (hd_ep_rank(ep) == root)
      hd_program_fill(bytes, n, root, root, round);
    broadcast(ep, root, (int)(round % TAGS), bytes, n);
    hd_program_verify(ep, bytes, n, root, root, round);
  }
}

static const char *const parameters[] = {
    "root: the node that has the message (0)",
    "bytes: length of the message (256)",
    "rounds: number of broadcasts, one after the other (1)",
    NULL,
};

const struct hd_program hd_program_broadcast = {
    .name = "broadcast",
    .about = "one to all along a binomial tree; parameters root, bytes, rounds",
    .main = run,
    .parameters = parameters,
};
