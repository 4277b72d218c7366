/* A walk over the input events of a window, cycle by cycle.
 * SPDX-License-Identifier: Apache-2.0
 *
 * For backends, in C and C++; all functions are static.
 */
#ifndef HD_JOB_CURSOR_H
#define HD_JOB_CURSOR_H

#include "dut.h"

/** The number of events of each kind that were read. All zero at the start of a window. */
struct hd_cursor {
  uint32_t flit, credit, config;
};

/** The cycle of the next event, or `to` if no event comes before `to`. */
static inline uint32_t hd_cursor_next(const struct hd_cursor *at, const struct hd_dut_job *job,
                                      uint32_t to)
{
  if (at->flit < job->n_flits_in && job->flits_in[at->flit].cycle < to)
    to = job->flits_in[at->flit].cycle;
  if (at->credit < job->n_credits_in && job->credits_in[at->credit].cycle < to)
    to = job->credits_in[at->credit].cycle;
  if (at->config < job->n_configs_in && job->configs_in[at->config].cycle < to)
    to = job->configs_in[at->config].cycle;
  return to;
}

/** Returns the next event of `cycle` and moves on. NULL: the cycle has no more events. */
static inline const struct hd_flit_event *
hd_cursor_flit(struct hd_cursor *at, const struct hd_dut_job *job, uint32_t cycle)
{
  if (at->flit == job->n_flits_in || job->flits_in[at->flit].cycle != cycle)
    return NULL;
  return &job->flits_in[at->flit++];
}
static inline const struct hd_credit_event *
hd_cursor_credit(struct hd_cursor *at, const struct hd_dut_job *job, uint32_t cycle)
{
  if (at->credit == job->n_credits_in || job->credits_in[at->credit].cycle != cycle)
    return NULL;
  return &job->credits_in[at->credit++];
}
static inline const struct hd_config_event *
hd_cursor_config(struct hd_cursor *at, const struct hd_dut_job *job, uint32_t cycle)
{
  if (at->config == job->n_configs_in || job->configs_in[at->config].cycle != cycle)
    return NULL;
  return &job->configs_in[at->config++];
}

/** Were all events read? If not, some are out of order or later than the window. */
static inline bool hd_cursor_done(const struct hd_cursor *at, const struct hd_dut_job *job)
{
  return at->flit == job->n_flits_in && at->credit == job->n_credits_in &&
         at->config == job->n_configs_in;
}

#endif
