/* Plays a tape on model and DUT: compared window by window, or cycle by cycle for waves.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream_judge.h"
#include "stream_tape.h"

#include "../../../bridge/waves/waves.h"
#include "../../../cmodel/switch/switch.h"

#include <inttypes.h>

enum {
  MODEL,
  DUT,
  WINDOW = 64, /* cycles */
  SHOWN_BEFORE = HD_WAVES_BACK_CYCLES,
  SHOWN_AFTER = 16
};

/* What goes into a window; cycles count from its first. */
struct inputs {
  struct hd_flit_event flits[(WINDOW + 1) * HD_MAX_PORTS];
  struct hd_credit_event credits[(WINDOW + 1) * HD_MAX_PORTS];
  struct hd_config_event configs[WINDOW + 1];
  uint32_t n_flits, n_credits, n_configs, cycles;
  bool every_cycle;
};

/* What comes out of it. */
struct outputs {
  struct hd_flit_event flits[WINDOW * HD_MAX_PORTS];
  struct hd_credit_event credits[WINDOW * HD_MAX_PORTS];
  uint32_t toggles[WINDOW], n_flits, n_credits, n_toggles;
  bool quiescent;
  struct hd_dut_assertion assertion;
};

struct player {
  const struct hd_tape *tape;
  struct stream_side sides[2];
  struct hd_dut_buffer saved[2];
  struct inputs in;
  struct outputs out[2];
  uint64_t cycle;  /* since the last reset */
  uint64_t cycles; /* of all windows so far */
  struct tape_outcome *outcome;
};

static int player_create(struct player **out, const struct hd_tape *tape,
                         const struct hd_dut_ops *ops, struct hd_error *err)
{
  struct player *p = calloc(1, sizeof *p);
  *out = p;
  if (!p)
    return hd_fail(err, HD_E_NOMEM, "out of memory for a stream");
  p->tape = tape;
  p->sides[MODEL].ops = hd_dut_model_backend();
  p->sides[DUT].ops = ops;
  int status =
      p->sides[MODEL].ops->create(&p->sides[MODEL].dut, &tape->params, 1, "every-cycle", err);
  return status ? status : ops->create(&p->sides[DUT].dut, &tape->params, 1, "", err);
}

static void player_destroy(struct player *p)
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

/* Adds an event to the next cycle. False: more than pins can carry. */
static bool give(struct inputs *in, const struct tape_item *i)
{
  switch (i->kind) {
  case TAPE_FLIT:
    if (in->n_flits == sizeof in->flits / sizeof *in->flits)
      return false;
    in->flits[in->n_flits++] = (struct hd_flit_event){
        .cycle = in->cycles, .port = i->port, .vc = i->vc, .kind = i->is, .data = i->data};
    return true;
  case TAPE_CREDIT:
    if (in->n_credits == sizeof in->credits / sizeof *in->credits)
      return false;
    in->credits[in->n_credits++] =
        (struct hd_credit_event){.cycle = in->cycles,
                                 .port = i->port,
                                 .vcs = (uint8_t)i->data,
                                 .barrier = (uint16_t)(i->data >> HD_BARRIER_CREDIT)};
    return true;
  default:
    if (in->n_configs == sizeof in->configs / sizeof *in->configs)
      return false;
    in->configs[in->n_configs++] = (struct hd_config_event){
        .cycle = in->cycles, .addr = i->address, .data = (uint16_t)i->data};
    return true;
  }
}

/* How many events are of the window, and not of the cycle after it, which begins the next one. */
static struct hd_dut_job job_of(const struct player *p, struct outputs *out)
{
  const struct inputs *in = &p->in;
  struct hd_dut_job job = {.cycles = in->cycles,
                           .start = p->cycle,
                           .every_cycle = in->every_cycle,
                           .flits_in = in->flits,
                           .credits_in = in->credits,
                           .configs_in = in->configs,
                           .flits_out = out->flits,
                           .credits_out = out->credits,
                           .toggles = out->toggles,
                           .cap_flits_out = WINDOW * HD_MAX_PORTS,
                           .cap_credits_out = WINDOW * HD_MAX_PORTS,
                           .cap_toggles = WINDOW};
  while (job.n_flits_in < in->n_flits && in->flits[job.n_flits_in].cycle < in->cycles)
    job.n_flits_in++;
  while (job.n_credits_in < in->n_credits && in->credits[job.n_credits_in].cycle < in->cycles)
    job.n_credits_in++;
  while (job.n_configs_in < in->n_configs && in->configs[job.n_configs_in].cycle < in->cycles)
    job.n_configs_in++;
  return job;
}

/* Takes the window's events away; those that are left are of cycle 0 of the next. */
static void next_inputs(struct inputs *in, const struct hd_dut_job *job)
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

/* Both sides play what there is. The model comes first: it refuses what no pins can carry. */
static int run_window(struct player *p, struct hd_error *err)
{
  struct hd_dut_job job = {.cycles = 0};
  for (unsigned k = 0; k < 2; k++) {
    struct outputs *out = &p->out[k];
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

/* ── compared ──────────────────────────────────────────────────────────────── */

static void to_cycles_since_reset(struct outputs *out, uint32_t from)
{
  for (uint32_t i = 0; i < out->n_flits; i++)
    out->flits[i].cycle += from;
  for (uint32_t i = 0; i < out->n_credits; i++)
    out->credits[i].cycle += from;
  for (uint32_t i = 0; i < out->n_toggles; i++)
    out->toggles[i] += from;
  out->assertion.cycle += from;
}

static int compare_window(struct player *p, struct hd_error *err)
{
  uint32_t from = (uint32_t)p->cycle, n = p->in.cycles;
  struct hd_stream_result *result = &p->outcome->result;
  if (!n)
    return HD_OK;
  int status = run_window(p, err);
  if (status)
    return status;
  to_cycles_since_reset(&p->out[MODEL], from);
  to_cycles_since_reset(&p->out[DUT], from);
  struct outputs *m = &p->out[MODEL], *d = &p->out[DUT];
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
  stream_judge(result, &want, &got, from, from + n);
  result->cycles += n;
  p->outcome->cycles = p->cycles;
  if (result->difference) { /* cycles that the difference needs */
    uint32_t needed = result->cycle - from + (result->difference == HD_STREAM_ASSERTION);
    p->outcome->cycles -= n - (needed ? needed : 1);
  }
  return HD_OK;
}

static int compare_read(struct player *p, uint32_t address, struct hd_error *err)
{
  uint16_t words[2] = {0, 0};
  int status = HD_OK;
  for (unsigned k = 0; !status && k < 2; k++)
    status = p->sides[k].ops->config_read(p->sides[k].dut, 0, address, &words[k], err);
  p->outcome->result.compared++;
  if (!status && words[MODEL] != words[DUT])
    stream_judge_register(&p->outcome->result, (uint32_t)p->cycle, address, words[MODEL],
                          words[DUT]);
  return status;
}

static int add_errors(struct player *p, struct hd_error *err)
{
  uint16_t errors = 0;
  int status =
      p->sides[MODEL].ops->config_read(p->sides[MODEL].dut, 0, HD_CFG_ERRORS, &errors, err);
  if (p->outcome)
    p->outcome->errors |= errors;
  return status;
}

/* What takes no cycle. */
static int do_item(struct player *p, const struct tape_item *item, struct hd_error *err)
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
        return hd_fail(err, HD_E_INPUT, "a stream that restores a state that is not saved");
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

static int compare_item(struct player *p, const struct tape_item *item, struct hd_error *err)
{
  int status = HD_OK;
  if (item->kind == TAPE_FLIT || item->kind == TAPE_CREDIT || item->kind == TAPE_CONFIG)
    return give(&p->in, item) ? HD_OK
                              : hd_fail(err, HD_E_INPUT, "more events than a cycle can have");
  if (item->kind != TAPE_RUN || item->every_cycle != p->in.every_cycle)
    status = compare_window(p, err);
  if (status || p->outcome->result.difference)
    return status;
  if (item->kind == TAPE_READ)
    return compare_read(p, item->address, err);
  if (item->kind != TAPE_RUN)
    return do_item(p, item, err);
  p->in.every_cycle = item->every_cycle;
  for (uint32_t left = item->cycles; left && !status && !p->outcome->result.difference;) {
    uint32_t n = left < WINDOW - p->in.cycles ? left : WINDOW - p->in.cycles;
    p->in.cycles += n;
    left -= n;
    if (p->in.cycles == WINDOW)
      status = compare_window(p, err);
  }
  return status;
}

int tape_try(const struct hd_tape *tape, const struct hd_dut_ops *ops, struct tape_outcome *outcome,
             struct hd_error *err)
{
  struct player *p;
  *outcome = (struct tape_outcome){.result = {.port = 0xff, .vc = 0xff}};
  int status = player_create(&p, tape, ops, err);
  if (p)
    p->outcome = outcome;
  while (!status && outcome->items < tape->n && !outcome->result.difference)
    status = compare_item(p, &tape->items[outcome->items++], err);
  if (!status && !outcome->result.difference)
    status = compare_window(p, err);
  if (!status)
    status = add_errors(p, err);
  player_destroy(p);
  return status;
}

int hd_tape_play(const struct hd_tape *tape, const struct hd_dut_ops *ops,
                 struct hd_stream_result *result, struct hd_error *err)
{
  struct tape_outcome outcome;
  int status = tape_try(tape, ops, &outcome, err);
  *result = outcome.result;
  if (status)
    return status;
  if (result->difference)
    return hd_fail(err, HD_E_DIVERGENCE, "a stream's cycle %" PRIu32 ": %s", result->cycle,
                   result->text);
  return result->compared ? HD_OK : hd_fail(err, HD_E_NOTHING, "the stream compared nothing");
}

/* ── shown ─────────────────────────────────────────────────────────────────── */

/* A replay from the last reset on. */
struct show {
  const struct hd_tape *tape;
  const struct hd_dut_ops *ops;
  uint64_t from, to; /* cycles since then */
  size_t begin;      /* the first item after it */
  struct player *p;
  int (*look)(void *context, const struct hd_replay_cycle *cycle);
  void *look_context;
  const char *dut_path;
  bool tracing;
};

/* A cycle of both sides. */
static int show_cycle(struct show *s, bool shown, struct hd_error *err)
{
  struct player *p = s->p;
  struct hd_switch_view view;
  struct outputs before[2] = {p->out[MODEL], p->out[DUT]};
  const struct inputs in = p->in;
  uint64_t cycle = p->cycle;
  int status = HD_OK;
  if (!cycle)
    before[MODEL].n_flits = before[MODEL].n_credits = before[DUT].n_flits = before[DUT].n_credits =
        0;
  hd_switch_look(hd_dut_model_switch(p->sides[MODEL].dut, 0), &view);
  if (shown && cycle == s->from && s->dut_path && s->ops->capabilities & HD_DUT_WAVES) {
    status = s->ops->trace_open(p->sides[DUT].dut, 0, s->dut_path, err);
    s->tracing = !status;
  }
  p->in.cycles = 1;
  if (!status)
    status = run_window(p, err);
  if (status || !shown || cycle < s->from)
    return status;
  for (unsigned k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < before[k].n_flits; i++)
      before[k].flits[i].cycle = 0;
    for (uint32_t i = 0; i < before[k].n_credits; i++)
      before[k].credits[i].cycle = 0;
  }
  const struct hd_replay_cycle seen = {.cycle = cycle,
                                       .model = &view,
                                       .front = HD_PACKET_NONE,
                                       .has_dut = true,
                                       .model_quiescent = p->out[MODEL].quiescent,
                                       .dut_quiescent = p->out[DUT].quiescent,
                                       .flits_in = in.flits,
                                       .credits_in = in.credits,
                                       .config = in.n_configs ? in.configs : NULL,
                                       .model_flits = before[MODEL].flits,
                                       .model_credits = before[MODEL].credits,
                                       .dut_flits = before[DUT].flits,
                                       .dut_credits = before[DUT].credits,
                                       .n_flits_in = in.n_flits,
                                       .n_credits_in = in.n_credits,
                                       .n_model_flits = before[MODEL].n_flits,
                                       .n_model_credits = before[MODEL].n_credits,
                                       .n_dut_flits = before[DUT].n_flits,
                                       .n_dut_credits = before[DUT].n_credits};
  return s->look(s->look_context, &seen);
}

static int show_items(struct show *s, struct hd_error *err)
{
  struct player *p = s->p;
  int status = HD_OK;
  for (size_t i = 0; !status && i < s->tape->n; i++) {
    const struct tape_item *item = &s->tape->items[i];
    p->in.every_cycle = item->every_cycle;
    if (item->kind == TAPE_FLIT || item->kind == TAPE_CREDIT || item->kind == TAPE_CONFIG)
      status = give(&p->in, item) ? HD_OK
                                  : hd_fail(err, HD_E_INPUT, "more events than a cycle can have");
    else if (item->kind != TAPE_RUN)
      status = do_item(p, item, err);
    for (uint32_t c = 0; !status && c < item->cycles && (i < s->begin || p->cycle <= s->to); c++)
      status = show_cycle(s, i >= s->begin, err);
  }
  while (!status && p->cycle <= s->to)
    status = show_cycle(s, true, err);
  return status;
}

static int show_run(void *context, const char *dut_path,
                    int (*look)(void *look_context, const struct hd_replay_cycle *cycle),
                    void *look_context, struct hd_error *err)
{
  struct show *s = context;
  s->look = look;
  s->look_context = look_context;
  s->dut_path = dut_path;
  s->tracing = false;
  int status = player_create(&s->p, s->tape, s->ops, err);
  if (!status)
    status = show_items(s, err);
  if (s->tracing) {
    int closed = s->ops->trace_close(s->p->sides[DUT].dut, status ? NULL : err);
    status = status ? status : closed;
  }
  player_destroy(s->p);
  return status;
}

static void divergence_of(const struct hd_stream_result *r, struct hd_divergence *d)
{
  static const enum hd_difference kinds[] = {
      [HD_STREAM_AGREED] = HD_DIFF_NONE,       [HD_STREAM_FLIT] = HD_DIFF_FLIT,
      [HD_STREAM_CREDIT] = HD_DIFF_CREDIT,     [HD_STREAM_QUIESCENT] = HD_DIFF_QUIESCENT,
      [HD_STREAM_REGISTER] = HD_DIFF_REGISTER, [HD_STREAM_ASSERTION] = HD_DIFF_ASSERTION};
  bool flit = r->difference == HD_STREAM_FLIT, credit = r->difference == HD_STREAM_CREDIT;
  *d = (struct hd_divergence){.difference = kinds[r->difference],
                              .cycle = r->cycle,
                              .port = r->port,
                              .vc = credit && r->vc == 0xff ? HD_BARRIER_CREDIT : r->vc,
                              .has_expected = r->expected.some,
                              .has_got = r->got.some,
                              .expected = {.kind = 0xff},
                              .got = {.kind = 0xff},
                              .expected_credit = r->expected.credit,
                              .got_credit = r->got.credit,
                              .expected_quiescent = r->expected.quiescent,
                              .got_quiescent = r->got.quiescent,
                              .expected_errors = r->expected.word,
                              .got_errors = r->got.word,
                              .address = r->address,
                              .packet = HD_PACKET_NONE};
  if (flit && r->expected.some)
    d->expected = r->expected.flit;
  if (flit && r->got.some)
    d->got = r->got.flit;
  memcpy(d->assertion, r->assertion, sizeof d->assertion);
}

int hd_tape_show(const struct hd_tape *tape, const struct hd_dut_ops *ops, const char *title,
                 const char *dir, struct hd_explanation *e, struct hd_error *err)
{
  struct tape_outcome outcome;
  int status = tape_try(tape, ops, &outcome, err);
  if (!status && !outcome.result.difference)
    status = hd_fail(err, HD_E_NOTHING, "the stream shows no difference");
  if (status)
    return status;
  divergence_of(&outcome.result, &e->divergence);
  e->sw = tape->params;
  uint64_t cycle = e->divergence.cycle;
  struct show s = {.tape = tape,
                   .ops = ops,
                   .from = cycle > SHOWN_BEFORE ? cycle - SHOWN_BEFORE : 0,
                   .to = cycle + SHOWN_AFTER};
  for (size_t i = 0; i < outcome.items; i++)
    if (tape->items[i].kind == TAPE_RESET)
      s.begin = i + 1;
  const struct hd_waves_replay replay = {&s, show_run};
  hd_waves_find_inside_replay(&replay, &tape->params, dir, &e->inside);
  return hd_waves_write_replay(&replay, &e->divergence, &tape->params, title, dir, NULL, err);
}
