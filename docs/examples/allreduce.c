/* Endpoint software that uses collectives, as a shared object: the sum of all ranks, at every node.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../sw/collectives/collectives.h"

static void run(struct hd_ep *ep)
{
  const int size = hd_ep_size(ep);
  const uint32_t mine = (uint32_t)hd_ep_rank(ep), right = (uint32_t)(size * (size - 1) / 2);
  uint32_t sum;
  int *ranks = hd_ep_alloc(ep, (size_t)size * sizeof *ranks);
  for (int i = 0; i < size; i++)
    ranks[i] = i;
  struct hd_comm *all = hd_comm_create(hd_collectives_create(ep), ranks, size, 0);
  hd_comm_allreduce(all, &mine, &sum, sizeof sum, &hd_operator_sum_u32);
  if (sum != right)
    hd_ep_abort(ep, "the sum is %u; %u is right", sum, right);
}

static const struct hd_program allreduce = {
    .name = "allreduce", .about = "the sum of all ranks, at every node", .main = run};

HD_ENDPOINT_PROGRAM(allreduce)
