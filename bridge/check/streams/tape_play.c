/* Plays a tape on model and DUT, and compares them window by window. An original may take the model's place. Then only
 * flits and credits are compared, because its registers and its quiescent_o may differ.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream_judge.h"
#include "../../host/clock.h"
#include "../../host/memory.h"
#include "tape_player.h"

#include "../../campaign/campaign.h"

#include <inttypes.h>

int hd_tape_player_create(struct tape_player **out, const struct hd_tape *tape,
                          const struct hd_dut_ops *ops, struct hd_error *err)
{
  static const struct hd_tape_dut every_cycle = {.options = "every-cycle"};
  const struct hd_tape_dut *model = tape->original ? tape->original : &every_cycle;
  struct tape_player *p = hd_xcalloc(1, sizeof *p);
  *out = p;
  p->tape = tape;
  p->sides[TAPE_MODEL].ops = tape->original ? model->ops : hd_dut_model_backend();
  p->sides[TAPE_DUT].ops = ops;
  int status = p->sides[TAPE_MODEL].ops->create(&p->sides[TAPE_MODEL].dut, &tape->params, 1,
                                                model->options ? model->options : "", err);
  return status ? status
                : ops->create(&p->sides[TAPE_DUT].dut, &tape->params, 1,
                              tape->options ? tape->options : "", err);
}

void hd_tape_player_destroy(struct tape_player *p)
{
  if (!p)
    return;
  for (unsigned k = 0; k < 2; k++) {
    if (p->sides[k].dut)
      p->sides[k].ops->destroy(p->sides[k].dut);
    free(p->saved[k].bytes);
  }
  free(p);
}

int hd_tape_add_event(struct tape_inputs *in, const struct tape_item *i, struct hd_error *err)
{
  static const char too_many[] = "the stream has more events in a cycle than pins can carry";
  switch (i->kind) {
  case TAPE_FLIT:
    if (in->n_flits == sizeof in->flits / sizeof *in->flits)
      return hd_fail(err, HD_E_INPUT, "%s", too_many);
    in->flits[in->n_flits++] = (struct hd_flit_event){
        .cycle = in->cycles, .port = i->port, .vc = i->vc, .kind = i->is, .data = i->data};
    return HD_OK;
  case TAPE_CREDIT:
    if (in->n_credits == sizeof in->credits / sizeof *in->credits)
      return hd_fail(err, HD_E_INPUT, "%s", too_many);
    in->credits[in->n_credits++] = hd_credit_of_set(in->cycles, i->port, (uint16_t)i->data);
    return HD_OK;
  default:
    if (in->n_configs == sizeof in->configs / sizeof *in->configs)
      return hd_fail(err, HD_E_INPUT, "%s", too_many);
    in->configs[in->n_configs++] = (struct hd_config_event){
        .cycle = in->cycles, .addr = i->address, .data = (uint16_t)i->data};
    return HD_OK;
  }
}

/* Returns the job of a window. Events of the cycle after it are not counted, because they belong to the next window. */
static struct hd_dut_job job_of(const struct tape_player *p, struct tape_outputs *out)
{
  const struct tape_inputs *in = &p->in;
  struct hd_dut_job job = {.cycles = in->cycles,
                           .start = p->cycle,
                           .every_cycle = in->every_cycle,
                           .flits_in = in->flits,
                           .credits_in = in->credits,
                           .configs_in = in->configs,
                           .flits_out = out->flits,
                           .credits_out = out->credits,
                           .toggles = out->toggles,
                           .cap_flits_out = (TAPE_WINDOW + 1) * HD_MAX_PORTS,
                           .cap_credits_out = (TAPE_WINDOW + 1) * HD_MAX_PORTS,
                           .cap_toggles = TAPE_WINDOW};
  while (job.n_flits_in < in->n_flits && in->flits[job.n_flits_in].cycle < in->cycles)
    job.n_flits_in++;
  while (job.n_credits_in < in->n_credits && in->credits[job.n_credits_in].cycle < in->cycles)
    job.n_credits_in++;
  while (job.n_configs_in < in->n_configs && in->configs[job.n_configs_in].cycle < in->cycles)
    job.n_configs_in++;
  return job;
}

/* Removes the window's events. Those that are left belong to cycle 0 of the next window. */
static void next_inputs(struct tape_inputs *in, const struct hd_dut_job *job)
{
  in->n_flits -= job->n_flits_in;
  in->n_credits -= job->n_credits_in;
  in->n_configs -= job->n_configs_in;
  memmove(in->flits, in->flits + job->n_flits_in, in->n_flits * sizeof *in->flits);
  memmove(in->credits, in->credits + job->n_credits_in, in->n_credits * sizeof *in->credits);
  memmove(in->configs, in->configs + job->n_configs_in, in->n_configs * sizeof *in->configs);
  for (uint32_t i = 0; i < in->n_flits; i++)
    in->flits[i].cycle = 0;
  for (uint32_t i = 0; i < in->n_credits; i++)
    in->credits[i].cycle = 0;
  for (uint32_t i = 0; i < in->n_configs; i++)
    in->configs[i].cycle = 0;
  in->cycles = 0;
}

/* Plays the window on both sides, first on the model, which refuses inputs that pins cannot carry. */
int hd_tape_run_window(struct tape_player *p, struct hd_error *err)
{
  struct hd_dut_job job = {.cycles = 0};
  for (unsigned k = 0; k < 2; k++) {
    struct tape_outputs *out = &p->out[k];
    job = job_of(p, out);
    int status = p->sides[k].ops->run(p->sides[k].dut, &job, 1, err);
    if (!status && job.lost)
      status = hd_fail(err, HD_E_INTERNAL, "%u events lost", job.lost);
    if (status)
      return status;
    out->n_flits = job.n_flits_out;
    out->n_credits = job.n_credits_out;
    out->n_toggles = job.n_toggles;
    out->quiescent = job.quiescent;
    out->assertion = job.assertion;
  }
  p->cycle += job.cycles;
  p->cycles += job.cycles;
  next_inputs(&p->in, &job);
  return HD_OK;
}

/* ── comparison ────────────────────────────────────────────────────────────── */

static void to_cycles_since_reset(struct tape_outputs *out, uint32_t from)
{
  for (uint32_t i = 0; i < out->n_flits; i++)
    out->flits[i].cycle += from;
  for (uint32_t i = 0; i < out->n_credits; i++)
    out->credits[i].cycle += from;
  for (uint32_t i = 0; i < out->n_toggles; i++)
    out->toggles[i] += from;
  out->assertion.cycle += from;
}

static int compare_window(struct tape_player *p, struct hd_error *err)
{
  uint32_t from = (uint32_t)p->cycle, n = p->in.cycles;
  struct hd_stream_result *result = &p->outcome->result;
  if (!n)
    return HD_OK;
  int status = hd_tape_run_window(p, err);
  if (status)
    return status;
  to_cycles_since_reset(&p->out[TAPE_MODEL], from);
  to_cycles_since_reset(&p->out[TAPE_DUT], from);
  struct tape_outputs *m = &p->out[TAPE_MODEL], *d = &p->out[TAPE_DUT];
  if (p->tape->original) {
    m->n_toggles = d->n_toggles = 0;
    m->quiescent = d->quiescent;
  }
  const struct stream want = {.params = p->tape->params,
                              .flits_out = m->flits,
                              .credits_out = m->credits,
                              .toggles = m->toggles,
                              .n_flits_out = m->n_flits,
                              .n_credits_out = m->n_credits,
                              .n_toggles = m->n_toggles,
                              .quiescent = m->quiescent};
  const struct answer got = {.flits = d->flits,
                             .credits = d->credits,
                             .toggles = d->toggles,
                             .n_flits = d->n_flits,
                             .n_credits = d->n_credits,
                             .n_toggles = d->n_toggles,
                             .quiescent = d->quiescent,
                             .assertion = d->assertion};
  hd_stream_judge(result, &want, &got, from, from + n);
  result->cycles += n;
  p->outcome->cycles = p->cycles;
  if (result->difference) { /* count only the cycles that the difference needs */
    uint32_t needed = result->cycle - from + (result->difference == HD_STREAM_ASSERTION);
    p->outcome->cycles -= n - (needed ? needed : 1);
  }
  return HD_OK;
}

static int compare_read(struct tape_player *p, uint32_t address, struct hd_error *err)
{
  uint16_t words[2] = {0, 0};
  int status = HD_OK;
  for (unsigned k = 0; !status && k < 2; k++)
    status = p->sides[k].ops->config_read(p->sides[k].dut, 0, address, &words[k], err);
  p->outcome->result.compared++;
  if (!status && words[TAPE_MODEL] != words[TAPE_DUT])
    hd_stream_judge_register(&p->outcome->result, (uint32_t)p->cycle, address, words[TAPE_MODEL],
                             words[TAPE_DUT]);
  return status;
}

static int add_errors(struct tape_player *p, struct hd_error *err)
{
  uint16_t errors = 0;
  if (p->tape->original)
    return HD_OK;
  int status = p->sides[TAPE_MODEL].ops->config_read(p->sides[TAPE_MODEL].dut, 0, HD_CFG_ERRORS,
                                                     &errors, err);
  if (p->outcome)
    p->outcome->errors |= errors;
  return status;
}

int hd_tape_do_item(struct tape_player *p, const struct tape_item *item, struct hd_error *err)
{
  int status = item->kind == TAPE_RESET ? add_errors(p, err) : HD_OK;
  for (unsigned k = 0; !status && k < 2; k++) {
    const struct stream_side *side = &p->sides[k];
    struct hd_dut_buffer *saved = &p->saved[k];
    switch (item->kind) {
    case TAPE_RESET:
      p->cycle = 0;
      status = side->ops->reset(side->dut, err);
      break;
    case TAPE_WRITE:
      status = side->ops->config_write(side->dut, 0, item->address, (uint16_t)item->data, err);
      break;
    case TAPE_SAVE:
    case TAPE_RESTORE:
      if (!(side->ops->capabilities & HD_DUT_SNAPSHOT) ||
          (item->kind == TAPE_RESTORE && !saved->length))
        return hd_fail(err, HD_E_INPUT, "the stream restores a state that it has not saved");
      if (item->kind == TAPE_SAVE)
        saved->length = 0;
      status = item->kind == TAPE_SAVE ? side->ops->snapshot_save(side->dut, 0, saved, err)
                                       : side->ops->snapshot_restore(side->dut, 0, saved, err);
      break;
    default:
      break;
    }
  }
  return status;
}

static int compare_item(struct tape_player *p, const struct tape_item *item, struct hd_error *err)
{
  int status = HD_OK;
  if (item->kind == TAPE_FLIT || item->kind == TAPE_CREDIT || item->kind == TAPE_CONFIG)
    return hd_tape_add_event(&p->in, item, err);
  if (item->kind != TAPE_RUN || item->every_cycle != p->in.every_cycle)
    status = compare_window(p, err);
  if (status || p->outcome->result.difference)
    return status;
  if (item->kind == TAPE_READ)
    return compare_read(p, item->address, err);
  if (item->kind != TAPE_RUN)
    return hd_tape_do_item(p, item, err);
  p->in.every_cycle = item->every_cycle;
  for (uint32_t left = item->cycles; left && !status && !p->outcome->result.difference;) {
    uint32_t n = left < TAPE_WINDOW - p->in.cycles ? left : TAPE_WINDOW - p->in.cycles;
    p->in.cycles += n;
    left -= n;
    if (p->in.cycles == TAPE_WINDOW)
      status = compare_window(p, err);
  }
  return status;
}

int hd_tape_try(const struct hd_tape *tape, const struct hd_dut_ops *ops, double until,
                struct tape_outcome *outcome, struct hd_error *err)
{
  struct tape_player *p;
  *outcome = (struct tape_outcome){.result = {.port = 0xff, .vc = 0xff}};
  int status = hd_tape_player_create(&p, tape, ops, err);
  if (p)
    p->outcome = outcome;
  while (!status && outcome->items < tape->n && !outcome->result.difference)
    status = until > 0 && hd_seconds_now() > until
                 ? hd_fail(err, HD_E_INTERRUPTED, "the time is up")
                 : compare_item(p, &tape->items[outcome->items++], err);
  if (!status && !outcome->result.difference)
    status = compare_window(p, err);
  if (!status)
    status = add_errors(p, err);
  hd_tape_player_destroy(p);
  return status;
}

int hd_tape_play(const struct hd_tape *tape, const struct hd_dut_ops *ops,
                 struct hd_stream_result *result, struct hd_error *err)
{
  struct tape_outcome outcome;
  int status = hd_tape_try(tape, ops, 0, &outcome, err);
  *result = outcome.result;
  if (status)
    return status;
  if (result->difference)
    return hd_fail(err, HD_E_DIVERGENCE, "a stream's cycle %" PRIu32 ": %s", result->cycle,
                   result->text);
  return result->compared ? HD_OK : hd_fail(err, HD_E_NOTHING, "the stream compared nothing");
}
