/* Program bit-complement: every bit of the rank is inverted.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common.h"
#include "programs.h"

static void run(struct hd_ep *ep)
{
  int size = hd_ep_size(ep);
  if (size < 2 || (size & (size - 1)))
    hd_ep_reject(ep, NULL, "%d nodes; the complement of a rank needs a power of two, at least 2",
                 size);
  hd_program_open_loop_to(ep, size - 1 - hd_ep_rank(ep));
}

static const char *const parameters[] = {HD_OPEN_LOOP_PARAMETERS, NULL};

const struct hd_program hd_program_bit_complement = {
    .name = "bit-complement",
    .about = "open-loop packets to the node whose rank is this one's with all bits inverted; "
             "parameters load, flits, cycles",
    .main = run,
    .parameters = parameters,
};
