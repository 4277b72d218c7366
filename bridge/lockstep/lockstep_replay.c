/* Replay of one switch, DUT and reference side by side, from one of the two snapshots that the history keeps.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The inputs come from the history, so only this switch runs again.
 */
#include "lockstep_internal.h"

#include <stdlib.h>
#include <string.h>

/* Output events of one of the DUT's switches in the cycles of a replay. Cycles of events count
 * from `start`. */
struct answer {
  struct hd_lockstep *of; /* the run that owns the DUT */
  uint64_t start;
  struct hd_flit_event *flits;
  struct hd_credit_event *credits;
  uint32_t *toggles;
  uint32_t n_flits, n_credits, n_toggles, cap;
  uint32_t next_flit, next_credit, next_toggle;
  bool begun, quiescent; /* quiescent: quiescent_o in the shown cycle */
};
/* Outputs of one cycle, in the form of a window of one cycle. */
struct dut_cycle {
  struct hd_flit_event flits[HD_MAX_ENDPOINTS];
  struct hd_credit_event credits[HD_MAX_ENDPOINTS];
  uint32_t n_flits, n_credits;
  bool quiescent;
};

/* Flits of the model wait here from their grant until the output shows them. */
struct shown {
  struct hd_flit_event flits[8 * HD_MAX_ENDPOINTS];
  uint32_t n;
};

/* A switch's inputs in the shown cycle, in the form of a window of one cycle. */
struct got {
  uint32_t next_flit[2], next_credit[2], next_config[2]; /* in the epochs of inputs[] */
  struct hd_flit_event flits[HD_MAX_ENDPOINTS];
  uint32_t tags[HD_MAX_ENDPOINTS]; /* the tag of each of `flits` */
  struct hd_credit_event credits[HD_MAX_ENDPOINTS];
  struct hd_config_event config; /* valid if has_config */
  bool has_config;
  uint32_t n_flits, n_credits;
};

struct replay {
  struct hd_lockstep *ls;
  const struct epoch *epoch;     /* the epoch in which the replay starts */
  const struct epoch *inputs[2]; /* the epochs that hold the inputs, in order of time */
  uint32_t sw;
  struct hd_switch *model;
  struct shown waiting;
  struct hd_switch_view view;
  struct hd_flit_event model_flits[HD_MAX_ENDPOINTS];
  struct hd_credit_event model_credits[HD_MAX_ENDPOINTS];
  uint32_t n_model_flits, n_model_credits;
  struct got model_in, dut_in;
  struct answer dut, original;
};

/* Moves the waiting flits that the model's outputs show in `cycle` to the shown ones. */
static void show_model_flits(struct replay *r, uint64_t cycle)
{
  uint32_t now = (uint32_t)(cycle - r->epoch->start), keep = 0;
  r->n_model_flits = 0;
  for (uint32_t i = 0; i < r->waiting.n; i++) {
    const struct hd_flit_event *f = &r->waiting.flits[i];
    if (f->cycle == now && r->n_model_flits < HD_MAX_ENDPOINTS) {
      r->model_flits[r->n_model_flits] = *f;
      r->model_flits[r->n_model_flits++].cycle = 0;
    }
    if (f->cycle > now)
      r->waiting.flits[keep++] = *f;
  }
  r->waiting.n = keep;
}

/* Collects the inputs of `cycle`, of the model's switch or of the DUT's. */
static void gather_inputs(const struct replay *r, bool model, uint64_t cycle, struct got *in)
{
  in->n_flits = in->n_credits = 0;
  in->has_config = false;
  for (unsigned i = 0; i < 2; i++) {
    const struct epoch *e = r->inputs[i];
    if (!e || cycle < e->start || cycle >= e->end)
      continue;
    const struct switch_history *h = model ? &e->models[r->sw] : &e->switches[r->sw];
    uint32_t now = (uint32_t)(cycle - e->start), *f = &in->next_flit[i], *c = &in->next_credit[i];
    for (; *f < h->n_flits && h->flits[*f].cycle == now && in->n_flits < HD_MAX_ENDPOINTS; ++*f) {
      in->tags[in->n_flits] = h->tags[*f];
      in->flits[in->n_flits] = h->flits[*f];
      in->flits[in->n_flits++].cycle = 0;
    }
    for (; *c < h->n_credits && h->credits[*c].cycle == now && in->n_credits < HD_MAX_ENDPOINTS;
         ++*c) {
      in->credits[in->n_credits] = h->credits[*c];
      in->credits[in->n_credits++].cycle = 0;
    }
    uint32_t *w = &in->next_config[i];
    if (*w < h->n_configs && h->configs[*w].cycle == now) {
      in->config = h->configs[(*w)++];
      in->config.cycle = 0;
      in->has_config = true;
    }
  }
}

static void step_model(struct replay *r, uint64_t cycle)
{
  const struct got *in = &r->model_in;
  uint32_t tags[HD_MAX_ENDPOINTS];
  struct hd_switch_output out = {
      .flits = r->waiting.flits + r->waiting.n, .tags = tags, .credits = r->model_credits};
  if (in->has_config)
    hd_switch_config_ahead(r->model, cycle);
  hd_switch_advance(r->model, cycle, r->epoch->start, &out);
  r->waiting.n += out.n_flits;
  r->n_model_credits = out.n_credits;
  for (uint32_t i = 0; i < out.n_credits; i++)
    r->model_credits[i].cycle = 0;
  for (uint32_t i = 0; i < in->n_flits; i++)
    hd_switch_put_flit(r->model, cycle, in->flits[i].port, in->flits[i].vc, in->flits[i].kind,
                       in->flits[i].data, in->tags[i]);
  for (uint32_t i = 0; i < in->n_credits; i++)
    hd_switch_put_credit(r->model, cycle, in->credits[i].port, hd_credit_set(&in->credits[i]));
  if (in->has_config)
    hd_switch_config_write(r->model, cycle, in->config.addr, in->config.data);
}

/* ── the DUT's side ────────────────────────────────────────────────────────── */

/* Plays one switch with the inputs that the history keeps. Windows are as long as possible,
 * since a board needs a round trip over its cable for each window. */

/* The inputs of a window. Cycles count from the window's start. */
struct inputs {
  struct hd_flit_event *flits;
  struct hd_credit_event *credits;
  struct hd_config_event *configs;
  uint32_t n_flits, n_credits, n_configs;
};

static void inputs_fini(struct inputs *in)
{
  free(in->flits);
  free(in->credits);
  free(in->configs);
}

/* Adds the inputs of an epoch that fall into cycles [from, to). */
static void add_inputs(struct inputs *in, const struct epoch *e, uint32_t sw, uint64_t from,
                       uint64_t to)
{
  const struct switch_history *h = &e->switches[sw];
  /* modulo 2^32: an epoch that begins before the window has a negative offset */
  uint32_t offset = (uint32_t)(e->start - from);
  for (uint32_t i = 0; i < h->n_flits; i++)
    if (e->start + h->flits[i].cycle >= from && e->start + h->flits[i].cycle < to) {
      in->flits[in->n_flits] = h->flits[i];
      in->flits[in->n_flits++].cycle += offset;
    }
  for (uint32_t i = 0; i < h->n_credits; i++)
    if (e->start + h->credits[i].cycle >= from && e->start + h->credits[i].cycle < to) {
      in->credits[in->n_credits] = h->credits[i];
      in->credits[in->n_credits++].cycle += offset;
    }
  for (uint32_t i = 0; i < h->n_configs; i++)
    if (e->start + h->configs[i].cycle >= from && e->start + h->configs[i].cycle < to) {
      in->configs[in->n_configs] = h->configs[i];
      in->configs[in->n_configs++].cycle += offset;
    }
}

static bool find_inputs(struct inputs *in, const struct epoch *const epochs[2], uint32_t sw,
                        uint64_t from, uint64_t to)
{
  size_t flits = 1, credits = 1, configs = 1;
  for (int i = 0; i < 2; i++)
    if (epochs[i]) {
      flits += epochs[i]->switches[sw].n_flits;
      credits += epochs[i]->switches[sw].n_credits;
      configs += epochs[i]->switches[sw].n_configs;
    }
  in->flits = malloc(flits * sizeof *in->flits);
  in->credits = malloc(credits * sizeof *in->credits);
  in->configs = malloc(configs * sizeof *in->configs);
  if (!in->flits || !in->credits || !in->configs)
    return false;
  for (int i = 0; i < 2; i++)
    if (epochs[i])
      add_inputs(in, epochs[i], sw, from, to);
  return true;
}

/* Allocates room for cycles `start` to `end`. HD_E_NOMEM; free it in that case, too. */
static int answer_init(struct answer *a, struct hd_lockstep *of, uint64_t start, uint64_t end)
{
  size_t cycles = (size_t)(end - start) + 1, ports = of->fabric_params.sw.ports;
  *a = (struct answer){.of = of, .start = start, .cap = (uint32_t)(cycles * ports + ports)};
  a->flits = malloc(a->cap * sizeof *a->flits);
  a->credits = malloc(a->cap * sizeof *a->credits);
  a->toggles = malloc(a->cap * sizeof *a->toggles);
  return a->flits && a->credits && a->toggles ? HD_OK : HD_E_NOMEM;
}

static void answer_fini(struct answer *a)
{
  free(a->flits);
  free(a->credits);
  free(a->toggles);
}

/* Runs cycles [from, to) with the inputs of epochs[] (NULL: none). Adds the outputs to the
 * answer. */
static int add_answer(struct answer *a, uint32_t sw, const struct epoch *const epochs[2],
                      uint64_t from, uint64_t to, struct hd_error *err)
{
  struct hd_lockstep *ls = a->of;
  struct inputs in = {0};
  struct hd_dut_job asked;
  int status = HD_OK;
  if (from >= to)
    return HD_OK;
  if (!find_inputs(&in, epochs, sw, from, to))
    status = hd_fail(err, HD_E_NOMEM, "no memory for a replay");
  struct hd_dut_job job = {.sw = sw,
                           .cycles = (uint32_t)(to - from),
                           .start = from,
                           .flits_in = in.flits,
                           .credits_in = in.credits,
                           .configs_in = in.configs,
                           .n_flits_in = in.n_flits,
                           .n_credits_in = in.n_credits,
                           .n_configs_in = in.n_configs,
                           .flits_out = a->flits + a->n_flits,
                           .credits_out = a->credits + a->n_credits,
                           .toggles = a->toggles + a->n_toggles,
                           .cap_flits_out = a->cap - a->n_flits,
                           .cap_credits_out = a->cap - a->n_credits,
                           .cap_toggles = a->cap - a->n_toggles};
  if (!status) {
    hd_contract_unlock(ls);
    status = hd_contract_run(ls, 0, &job, &asked, 1, err);
    hd_contract_lock(ls);
  }
  inputs_fini(&in);
  if (status)
    return status;
  if (!a->begun)
    a->quiescent = job.quiescent;
  a->begun = true;
  uint32_t offset = (uint32_t)(from - a->start);
  for (uint32_t i = 0; i < job.n_flits_out; i++)
    job.flits_out[i].cycle += offset;
  for (uint32_t i = 0; i < job.n_credits_out; i++)
    job.credits_out[i].cycle += offset;
  for (uint32_t i = 0; i < job.n_toggles; i++)
    job.toggles[i] += offset;
  a->n_flits += job.n_flits_out;
  a->n_credits += job.n_credits_out;
  a->n_toggles += job.n_toggles;
  return HD_OK;
}

/* Returns the outputs of `cycle`; cycles must not go back. */
static void show_dut(struct answer *a, uint64_t cycle, struct dut_cycle *shown)
{
  uint32_t now = (uint32_t)(cycle - a->start);
  shown->n_flits = shown->n_credits = 0;
  for (; a->next_flit < a->n_flits && a->flits[a->next_flit].cycle <= now; a->next_flit++)
    if (a->flits[a->next_flit].cycle == now && shown->n_flits < HD_MAX_ENDPOINTS) {
      shown->flits[shown->n_flits] = a->flits[a->next_flit];
      shown->flits[shown->n_flits++].cycle = 0;
    }
  for (; a->next_credit < a->n_credits && a->credits[a->next_credit].cycle <= now; a->next_credit++)
    if (a->credits[a->next_credit].cycle == now && shown->n_credits < HD_MAX_ENDPOINTS) {
      shown->credits[shown->n_credits] = a->credits[a->next_credit];
      shown->credits[shown->n_credits++].cycle = 0;
    }
  for (; a->next_toggle < a->n_toggles && a->toggles[a->next_toggle] <= now; a->next_toggle++)
    a->quiescent = !a->quiescent;
  shown->quiescent = a->quiescent;
}

/* Runs one side of the whole replay, the DUT's or the original's, with waves from `first` on. */
static int run_side(const struct replay *r, struct answer *a, uint64_t first, uint64_t end,
                    const char *path, struct hd_error *err)
{
  const struct hd_dut_ops *ops = a->of->params.dut;
  bool tracing = path && (ops->capabilities & HD_DUT_WAVES);
  if (first > end)
    first = end;
  int status = add_answer(a, r->sw, r->inputs, r->epoch->start, first, err);
  if (!status && tracing)
    status = hd_contract_trace_open(a->of, r->sw, path, err);
  if (status)
    return status;
  status = add_answer(a, r->sw, r->inputs, first, end, err);
  int closed = tracing ? ops->extension->trace_close(a->of->dut, status ? NULL : err) : 0;
  return status ? status : closed;
}

static int replay_original(struct replay *r, uint64_t first, uint64_t end, const char *path,
                           struct hd_error *err)
{
  struct hd_lockstep *side = &r->ls->original->side;
  if (!(side->params.dut->capabilities & HD_DUT_SNAPSHOT))
    return hd_fail(err, HD_E_UNSUPPORTED,
                   "the original cannot be replayed: its backend %s takes no snapshots",
                   side->params.dut->name);
  int status = hd_contract_restore(side, r->sw, &r->epoch->original[r->sw], err);
  if (!status && answer_init(&r->original, side, r->epoch->start, end))
    status = hd_fail(err, HD_E_NOMEM, "no memory for a replay");
  return status ? status : run_side(r, &r->original, first, end, path, err);
}

/* Puts the model's side of a cycle into *c. Call it before step_model. */
static void look_at_model(struct replay *r, const struct hd_divergence *d,
                          struct hd_replay_cycle *c)
{
  show_model_flits(r, c->cycle);
  hd_switch_look(r->model, &r->view);
  c->model = &r->view;
  c->model_quiescent = hd_switch_quiescent(r->model, c->cycle);
  if (d->difference == HD_DIFF_CREDIT && d->vc < HD_BARRIER_CREDIT)
    c->front = hd_switch_front_packet(r->model, d->port, d->vc);
  /* Credits become visible one cycle after their decision, in model and DUT. So these are from
   * the cycle before. */
  c->model_flits = r->model_flits;
  c->model_credits = r->model_credits;
  c->n_model_flits = r->n_model_flits;
  c->n_model_credits = r->n_model_credits;
  gather_inputs(r, true, c->cycle, &r->model_in);
}

static void look_at_original(struct replay *r, struct dut_cycle *shown, struct hd_replay_cycle *c)
{
  show_dut(&r->original, c->cycle, shown);
  c->model_quiescent = shown->quiescent;
  c->model_flits = shown->flits;
  c->model_credits = shown->credits;
  c->n_model_flits = shown->n_flits;
  c->n_model_credits = shown->n_credits;
}

static void stand_for_model(struct hd_replay_cycle *c)
{
  c->model_quiescent = c->dut_quiescent;
  c->model_flits = c->dut_flits;
  c->model_credits = c->dut_credits;
  c->n_model_flits = c->n_dut_flits;
  c->n_model_credits = c->n_dut_credits;
}

static int replay_cycles(struct replay *r, const struct hd_divergence *d, uint64_t first,
                         uint64_t end, bool dut,
                         int (*look)(void *context, const struct hd_replay_cycle *cycle),
                         void *context)
{
  bool has_level = r->ls->params.dut->capabilities & HD_DUT_QUIESCENT;
  int status = HD_OK;
  for (uint64_t cycle = r->epoch->start; cycle < end && !status; cycle++) {
    struct dut_cycle shown = {.n_flits = 0}, original;
    struct hd_replay_cycle c = {.cycle = cycle,
                                .front = HD_PACKET_NONE,
                                .has_dut = dut,
                                .alone = !r->model && !r->ls->original};
    if (r->model)
      look_at_model(r, d, &c);
    else if (r->ls->original)
      look_at_original(r, &original, &c);
    gather_inputs(r, false, cycle, &r->dut_in);
    if (cycle >= first && look) {
      if (dut)
        show_dut(&r->dut, cycle, &shown);
      c.dut_quiescent = dut && has_level ? shown.quiescent : c.model_quiescent;
      c.flits_in = r->dut_in.flits;
      c.credits_in = r->dut_in.credits;
      c.config = r->dut_in.has_config ? &r->dut_in.config : NULL;
      c.n_flits_in = r->dut_in.n_flits;
      c.n_credits_in = r->dut_in.n_credits;
      c.dut_flits = shown.flits;
      c.dut_credits = shown.credits;
      c.n_dut_flits = shown.n_flits;
      c.n_dut_credits = shown.n_credits;
      if (c.alone)
        stand_for_model(&c);
      status = look(context, &c);
    }
    if (r->model)
      step_model(r, cycle);
  }
  return status;
}

static int replay(struct hd_lockstep *ls, const struct hd_divergence *d, uint64_t before,
                  uint64_t after, const struct hd_replay_waves *waves, bool two_state,
                  int (*look)(void *context, const struct hd_replay_cycle *cycle), void *context,
                  struct hd_error *err)
{
  const struct epoch *epoch = &ls->epochs[1];
  const uint32_t sw = d->inside ? 0 : d->sw; /* the DUT's number of the switch */
  uint64_t blind = hd_replay_blind(ls);
  if (ls->epochs[0].valid && d->cycle < epoch->start + blind + before)
    epoch = &ls->epochs[0];
  if (!epoch->start)
    blind = 0; /* nothing was granted before the run */
  uint64_t first = epoch->start + blind, end = ls->epochs[1].end + 1;
  /* Without waves the replay goes on without inputs. So flits granted by the last cycle still
   * reach the outputs. */
  if (!waves)
    end += 1 + hd_switch_grant_stages(&ls->fabric_params.sw);
  if (d->cycle > before && d->cycle - before > first)
    first = d->cycle - before;
  if (end > d->cycle + after + 1)
    end = d->cycle + after + 1;
  if (first >= end)
    return hd_fail(err, HD_E_INPUT,
                   "cycle %llu and those around it are not kept any more; the oldest is %llu",
                   (unsigned long long)d->cycle, (unsigned long long)(epoch->start + blind));
  struct replay *r = calloc(1, sizeof *r);
  unsigned char *block = ls->block_size ? aligned_alloc(64, ls->block_size) : NULL;
  if (!r || (!block && ls->block_size)) {
    free(r);
    free(block);
    return hd_fail(err, HD_E_NOMEM, "no memory for a replay");
  }
  if (block)
    memcpy(block, epoch->blocks + ls->block_size * sw, ls->block_size);
  *r = (struct replay){.ls = ls,
                       .epoch = epoch,
                       .inputs = {epoch, epoch == &ls->epochs[1] ? NULL : &ls->epochs[1]},
                       .sw = sw,
                       .model = (struct hd_switch *)(void *)block};
  bool dut = ls->params.dut->capabilities & HD_DUT_SNAPSHOT;
  int status = HD_OK;
  if (!dut && ls->params.is_network)
    status = hd_fail(err, HD_E_UNSUPPORTED, "the network cannot be replayed, and has no model");
  if (dut)
    status = hd_contract_restore(ls, sw, &epoch->switches[sw].dut, err);
  if (!status && two_state)
    status = hd_contract_make_two_state(ls, sw, err);
  if (!status && dut)
    status = answer_init(&r->dut, ls, epoch->start, end);
  if (!status && dut)
    status = run_side(r, &r->dut, first, end, waves ? waves->dut : NULL, err);
  /* If a board is gone by now, the model is still shown. A backend that writes waves is no board:
   * its error may be one of the wave file, and is returned. */
  if (dut && status == HD_E_IO && hd_lockstep_has_model(ls) &&
      !(ls->params.dut->capabilities & HD_DUT_WAVES)) {
    dut = false;
    status = HD_OK;
  }
  if (!status && ls->original)
    status = replay_original(r, first, end, waves ? waves->original : NULL, err);
  if (!status)
    status = replay_cycles(r, d, first, end, dut, look, context);
  answer_fini(&r->dut);
  answer_fini(&r->original);
  free(block);
  free(r);
  return status;
}

int hd_lockstep_replay(struct hd_lockstep *ls, uint32_t before, uint32_t after,
                       const struct hd_replay_waves *waves,
                       int (*look)(void *context, const struct hd_replay_cycle *cycle),
                       void *context, struct hd_error *err)
{
  const struct hd_divergence *d = &ls->result->divergence;
  if (!ls->dut || !ls->epochs[1].valid || d->difference == HD_DIFF_NONE)
    return hd_fail(err, HD_E_UNSUPPORTED, "nothing to replay");
  return replay(ls, d, before, after, waves, false, look, context, err);
}

int hd_replay_two_state(struct hd_lockstep *ls, const struct hd_divergence *d,
                        int (*look)(void *context, const struct hd_replay_cycle *cycle),
                        void *context, struct hd_error *err)
{
  return replay(ls, d, d->cycle, 0, NULL, true, look, context, err);
}

uint64_t hd_lockstep_last(const struct hd_lockstep *ls)
{
  return ls->epochs[1].end;
}

int hd_lockstep_replay_from(struct hd_lockstep *ls, uint32_t sw, uint64_t from, uint64_t to,
                            const struct hd_replay_waves *waves,
                            int (*look)(void *context, const struct hd_replay_cycle *cycle),
                            void *context, struct hd_error *err)
{
  struct hd_divergence at = {.difference = HD_DIFF_NONE, .sw = sw};
  if (!ls->dut || !ls->epochs[1].valid)
    return hd_fail(err, HD_E_UNSUPPORTED, "nothing to replay");
  if (sw >= ls->n_switches)
    return hd_fail(err, HD_E_INPUT, "switch %u; switches are 0 to %u", sw, ls->n_switches - 1);
  at.cycle = to < ls->epochs[1].end ? to : ls->epochs[1].end;
  if (from > at.cycle)
    return hd_fail(err, HD_E_INPUT, "cycle %llu; the run ended after cycle %llu",
                   (unsigned long long)from, (unsigned long long)ls->epochs[1].end);
  return replay(ls, &at, at.cycle - from, 0, waves, false, look, context, err);
}
