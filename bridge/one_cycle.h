/* A window of one cycle for one switch, with room for all events that can go in and come out.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ONE_CYCLE_H
#define HD_ONE_CYCLE_H

#include "dut.h"

struct one_cycle {
  struct hd_flit_event flits_in[HD_MAX_PORTS],
      flits_out[2 * HD_MAX_PORTS]; /* post_reset_events.h */
  struct hd_credit_event credits_in[HD_MAX_PORTS], credits_out[2 * HD_MAX_PORTS];
  struct hd_config_event config;
  uint32_t toggles[2];
  /* Uses the arrays above. Has no inputs until the caller sets the n_…_in. */
  struct hd_dut_job job;
};

static inline void one_cycle_begin(struct one_cycle *c, uint64_t start)
{
  c->job = (struct hd_dut_job){.cycles = 1,
                               .start = start,
                               .flits_in = c->flits_in,
                               .credits_in = c->credits_in,
                               .configs_in = &c->config,
                               .flits_out = c->flits_out,
                               .credits_out = c->credits_out,
                               .toggles = c->toggles,
                               .cap_flits_out = 2 * HD_MAX_PORTS,
                               .cap_credits_out = 2 * HD_MAX_PORTS,
                               .cap_toggles = 2};
}

#endif
