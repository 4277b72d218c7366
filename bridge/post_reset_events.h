/* Events outside of any window: after reset and during configuration, when all outputs of a switch must be idle
 * (specification §2.9, §3.1).
 * SPDX-License-Identifier: Apache-2.0
 *
 * For backends, in C and C++; all functions are static. Of the cycles since the last window the first in which
 * anything was there counts. It is given as events of cycle 0 of the next window, of which a model has none.
 */
#ifndef HD_JOB_EARLY_H
#define HD_JOB_EARLY_H

#include "dut.h"

/** Zeroed is nothing. */
struct hd_post_reset_events {
  uint32_t n_flits, n_credits;
  struct hd_flit_event flits[HD_MAX_ENDPOINTS];
  struct hd_credit_event credits[HD_MAX_ENDPOINTS];
};

static inline bool hd_post_reset_events_some(const struct hd_post_reset_events *early)
{
  return early->n_flits || early->n_credits;
}

/** A window without anything in it, into whose lists a backend writes what is at the pins, as of cycle 0. */
static inline struct hd_dut_job hd_post_reset_events_window(struct hd_post_reset_events *early)
{
  struct hd_dut_job job = {0};
  job.flits_out = early->flits;
  job.credits_out = early->credits;
  job.cap_flits_out = job.cap_credits_out = HD_MAX_ENDPOINTS;
  return job;
}

/** Keeps that. */
static inline void hd_post_reset_events_keep(struct hd_post_reset_events *early,
                                             const struct hd_dut_job *window)
{
  early->n_flits = window->n_flits_out;
  early->n_credits = window->n_credits_out;
}

/** Gives it, once, as the first events of a window. */
static inline void hd_post_reset_events_give(struct hd_post_reset_events *early,
                                             struct hd_dut_job *job)
{
  for (uint32_t i = 0; i < early->n_flits; i++)
    if (job->n_flits_out < job->cap_flits_out)
      job->flits_out[job->n_flits_out++] = early->flits[i];
    else
      job->lost++;
  for (uint32_t i = 0; i < early->n_credits; i++)
    if (job->n_credits_out < job->cap_credits_out)
      job->credits_out[job->n_credits_out++] = early->credits[i];
    else
      job->lost++;
  early->n_flits = early->n_credits = 0;
}

#endif
