/* Program permutation: every node to the one that a random permutation names.
 * SPDX-License-Identifier: Apache-2.0
 *
 * All permutations are equally likely (Durstenfeld, "Algorithm 235: Random permutation", 1964), so on average
 * one node has itself as its destination and is silent.
 */
#include "common.h"
#include "programs.h"

/* SplitMix64: all nodes draw the same. */
static uint64_t draw(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static int destination_of(struct hd_ep *ep, uint64_t number)
{
  int size = hd_ep_size(ep);
  int *to = hd_ep_alloc(ep, (size_t)size * sizeof *to);
  for (int i = 0; i < size; i++)
    to[i] = i;
  for (int i = size - 1; i > 0; i--) {
    int other = (int)(((draw(&number) >> 32) * ((uint64_t)i + 1)) >> 32), moved = to[i];
    to[i] = to[other];
    to[other] = moved;
  }
  return to[hd_ep_rank(ep)];
}

static void run(struct hd_ep *ep)
{
  hd_program_need_two_nodes(ep);
  uint64_t number = hd_program_integer(ep, "permutation", 1, 0, HD_INTEGER_MAX);
  hd_program_open_loop_to(ep, destination_of(ep, number));
}

static const char *const parameters[] = {
    HD_OPEN_LOOP_PARAMETERS,
    "permutation: number of the random permutation; the run's seed does not change it (1)", NULL};

const struct hd_program hd_program_permutation = {
    .name = "permutation",
    .about = "open-loop packets, each node to the one that a random permutation names; parameters "
             "load, flits, cycles, permutation",
    .main = run,
    .parameters = parameters,
};
