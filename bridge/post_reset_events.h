/* Events outside of any window: after reset and during configuration, when all outputs of a switch must be idle (specification §2.9, §3.1).
 * SPDX-License-Identifier: Apache-2.0
 *
 * For backends, in C and C++; all functions are static. Only the first cycle with an event since
 * the last window is kept. Its events become events of cycle 0 of the next window. A model has no
 * events in cycle 0, so they show as a difference.
 */
#ifndef HD_JOB_EARLY_H
#define HD_JOB_EARLY_H

#include "dut.h"

/** All zero: no events. */
struct hd_post_reset_events {
  uint32_t n_flits, n_credits;
  struct hd_flit_event flits[HD_MAX_ENDPOINTS];
  struct hd_credit_event credits[HD_MAX_ENDPOINTS];
};

static inline bool hd_post_reset_events_some(const struct hd_post_reset_events *early)
{
  return early->n_flits || early->n_credits;
}

/** Returns an empty window whose output lists are those of *early. A backend writes into it what
 *  the pins show, as cycle 0. */
static inline struct hd_dut_job hd_post_reset_events_window(struct hd_post_reset_events *early)
{
  struct hd_dut_job job = {0};
  job.flits_out = early->flits;
  job.credits_out = early->credits;
  job.cap_flits_out = job.cap_credits_out = HD_MAX_ENDPOINTS;
  return job;
}

/** Keeps the events of *window, which the backend has filled in. */
static inline void hd_post_reset_events_keep(struct hd_post_reset_events *early,
                                             const struct hd_dut_job *window)
{
  early->n_flits = window->n_flits_out;
  early->n_credits = window->n_credits_out;
}

/** Puts the kept events at the start of the job's outputs, and forgets them. */
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
