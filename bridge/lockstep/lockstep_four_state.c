/* Reports X and Z of a four-state DUT as divergences of their own (specification §6.6).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lockstep_internal.h"

#include <string.h>

static struct hd_divergence unknown_at(uint64_t cycle, uint32_t sw, const struct hd_dut_unknown *u)
{
  return (struct hd_divergence){.difference = u->after_reset ? HD_DIFF_NOT_RESET : HD_DIFF_UNKNOWN,
                                .cycle = cycle,
                                .sw = sw,
                                .port = u->port,
                                .vc = u->vc,
                                .packet = HD_PACKET_NONE,
                                .expected = {.kind = 0xff},
                                .got = {.kind = 0xff},
                                .unknown = *u};
}

static bool is_four_state(const struct hd_lockstep *ls)
{
  return ls->params.dut->capabilities & HD_DUT_FOUR_STATE;
}

/* Keeps the X or Z that the job reports. */
static int judge_window(struct hd_lockstep *ls, const struct hd_dut_job *job,
                        const struct hd_dut_expected *shown, struct hd_divergence *first)
{
  (void)ls;
  (void)shown;
  if (!job->unknown->seen)
    return HD_OK;
  struct hd_divergence d = unknown_at(job->start + job->unknown->cycle, job->sw, job->unknown);
  hd_divergence_keep(first, &d);
  return HD_OK;
}

const struct comparator hd_compare_unknown = {.is_needed = is_four_state, .window = judge_window};

void hd_unknown_register(const struct hd_dut_read *read, uint64_t cycle, struct hd_divergence *d)
{
  struct hd_dut_unknown u = {.seen = 'x', .port = 0xff, .vc = 0xff, .name = "cfg_rdata_o"};
  if (!read->unknown)
    return;
  *d = unknown_at(cycle, read->sw, &u);
  d->address = read->addr;
}

/* ── test whether a difference goes away if each X and Z is 0 ───────────────── */

struct verdict {
  uint64_t cycle; /* cycle of the divergence */
  bool compared, differs;
};

static int compare_cycle(void *context, const struct hd_replay_cycle *c)
{
  struct verdict *v = context;
  if (c->cycle > v->cycle)
    return HD_OK;
  v->compared |= c->cycle == v->cycle;
  v->differs |= c->n_model_flits != c->n_dut_flits || c->n_model_credits != c->n_dut_credits ||
                c->model_quiescent != c->dut_quiescent ||
                (c->n_dut_flits &&
                 memcmp(c->model_flits, c->dut_flits, c->n_dut_flits * sizeof *c->dut_flits)) ||
                (c->n_dut_credits && memcmp(c->model_credits, c->dut_credits,
                                            c->n_dut_credits * sizeof *c->dut_credits));
  return HD_OK;
}

void hd_four_state_judge(struct hd_lockstep *ls)
{
  const uint32_t needed = HD_DUT_FOUR_STATE | HD_DUT_SNAPSHOT;
  struct hd_divergence *d = &ls->result->divergence;
  struct verdict v = {.cycle = d->cycle};
  if ((ls->params.dut->capabilities & needed) != needed ||
      !ls->params.dut->extension->make_two_state || ls->params.compare != HD_COMPARE_EXACT ||
      (d->difference != HD_DIFF_FLIT && d->difference != HD_DIFF_CREDIT &&
       d->difference != HD_DIFF_QUIESCENT))
    return;
  /* If a divergence cannot be replayed, four_state_only stays false. */
  if (!hd_replay_two_state(ls, d, compare_cycle, &v, NULL))
    d->four_state_only = v.compared && !v.differs;
}
