/* Program uniform: every packet to a random other node.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common.h"
#include "programs.h"

static int pick(struct hd_ep *ep, const void *context)
{
  (void)context;
  return hd_program_other_node(ep);
}

static void run(struct hd_ep *ep)
{
  hd_program_need_two_nodes(ep);
  hd_program_open_loop(ep, pick, NULL);
}

static const char *const parameters[] = {HD_OPEN_LOOP_PARAMETERS, NULL};

const struct hd_program hd_program_uniform = {
    .name = "uniform",
    .about = "open-loop packets, each to a random other node; parameters load, flits, cycles",
    .main = run,
    .parameters = parameters,
};
