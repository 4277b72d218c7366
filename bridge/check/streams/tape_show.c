/* Shows a tape: waves of model and DUT around the difference, cycle by cycle, and the first wrong state.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tape_player.h"
#include "tape_way.h"

#include "../../../cmodel/switch/switch.h"

enum { SHOWN_BEFORE = HD_WAVES_BACK_CYCLES, SHOWN_AFTER = 16, WATCHED_BEFORE = 96 };

/* A replay of the cycles around a difference. */
struct show {
  const struct hd_tape *tape;
  const struct hd_dut_ops *ops;
  uint64_t from, to; /* the first and the last shown cycle since the last reset */
  size_t begin, end; /* the first item after that reset; the next reset, or the end */
  struct tape_player *p;
  int (*look)(void *context, const struct hd_replay_cycle *cycle);
  void *look_context;
  const char *dut_path;
  bool tracing;
  struct tape_way *way; /* NULL: the caller does not want it */
};

/* Plays a cycle on both sides and shows it to the viewers. */
static int show_cycle(struct show *s, bool shown, struct hd_error *err)
{
  struct tape_player *p = s->p;
  struct hd_switch_view view;
  struct tape_outputs before[2] = {p->out[TAPE_MODEL], p->out[TAPE_DUT]};
  const struct tape_inputs in = p->in;
  uint64_t cycle = p->cycle;
  int status = HD_OK;
  if (!cycle)
    before[TAPE_MODEL].n_flits = before[TAPE_MODEL].n_credits = before[TAPE_DUT].n_flits =
        before[TAPE_DUT].n_credits = 0;
  if (!s->tape->original)
    hd_switch_look(hd_dut_model_switch(p->sides[TAPE_MODEL].dut, 0), &view);
  if (shown && cycle == s->from && s->dut_path && s->ops->capabilities & HD_DUT_WAVES) {
    status = s->ops->extension->trace_open(p->sides[TAPE_DUT].dut, 0, s->dut_path, err);
    s->tracing = !status;
  }
  p->in.cycles = 1;
  if (!status)
    status = hd_tape_run_window(p, err);
  if (status || !shown || (cycle < s->from && !s->way))
    return status;
  for (unsigned k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < before[k].n_flits; i++)
      before[k].flits[i].cycle = 0;
    for (uint32_t i = 0; i < before[k].n_credits; i++)
      before[k].credits[i].cycle = 0;
  }
  const struct hd_replay_cycle seen = {.cycle = cycle,
                                       .model = s->tape->original ? NULL : &view,
                                       .front = HD_PACKET_NONE,
                                       .has_dut = true,
                                       .model_quiescent = p->out[TAPE_MODEL].quiescent,
                                       .dut_quiescent = p->out[TAPE_DUT].quiescent,
                                       .flits_in = in.flits,
                                       .credits_in = in.credits,
                                       .config = in.n_configs ? in.configs : NULL,
                                       .model_flits = before[TAPE_MODEL].flits,
                                       .model_credits = before[TAPE_MODEL].credits,
                                       .dut_flits = before[TAPE_DUT].flits,
                                       .dut_credits = before[TAPE_DUT].credits,
                                       .n_flits_in = in.n_flits,
                                       .n_credits_in = in.n_credits,
                                       .n_model_flits = before[TAPE_MODEL].n_flits,
                                       .n_model_credits = before[TAPE_MODEL].n_credits,
                                       .n_dut_flits = before[TAPE_DUT].n_flits,
                                       .n_dut_credits = before[TAPE_DUT].n_credits};
  if (s->way)
    hd_tape_way_look(s->way, &seen);
  return cycle < s->from ? HD_OK : s->look(s->look_context, &seen);
}

static int show_items(struct show *s, struct hd_error *err)
{
  struct tape_player *p = s->p;
  int status = HD_OK;
  for (size_t i = 0; !status && i < s->end; i++) {
    const struct tape_item *item = &s->tape->items[i];
    p->in.every_cycle = item->every_cycle;
    if (item->kind == TAPE_FLIT || item->kind == TAPE_CREDIT || item->kind == TAPE_CONFIG)
      status = hd_tape_add_event(&p->in, item, err);
    else if (item->kind != TAPE_RUN)
      status = hd_tape_do_item(p, item, err);
    if (s->way && item->kind == TAPE_RESTORE)
      hd_tape_way_forget(s->way);
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
  int status = hd_tape_player_create(&s->p, s->tape, s->ops, err);
  if (!status)
    status = show_items(s, err);
  if (s->tracing) {
    int closed = s->ops->extension->trace_close(s->p->sides[TAPE_DUT].dut, status ? NULL : err);
    status = status ? status : closed;
  }
  hd_tape_player_destroy(s->p);
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

/* Plays the tape to find its difference, and sets the cycles around it that are shown. */
static int find_stretch(struct show *s, struct tape_outcome *outcome, struct hd_error *err)
{
  int status = hd_tape_try(s->tape, s->ops, 0, outcome, err);
  if (!status && !outcome->result.difference)
    status = hd_fail(err, HD_E_NOTHING, "the stream shows no difference");
  if (status)
    return status;
  const uint64_t cycle = outcome->result.cycle;
  s->from = cycle > SHOWN_BEFORE ? cycle - SHOWN_BEFORE : 0;
  s->to = cycle + SHOWN_AFTER;
  for (size_t i = 0; i < outcome->items; i++)
    if (s->tape->items[i].kind == TAPE_RESET)
      s->begin = i + 1;
  s->end = outcome->items;
  while (s->end < s->tape->n && s->tape->items[s->end].kind != TAPE_RESET)
    s->end++;
  return HD_OK;
}

static void watch_around(struct hd_waves_watcher *watcher, uint64_t cycle)
{
  if (!watcher)
    return;
  watcher->first = cycle > WATCHED_BEFORE ? cycle - WATCHED_BEFORE : 0;
  watcher->last = cycle + SHOWN_AFTER;
}

int hd_tape_show(const struct hd_tape *tape, const struct hd_tape_dut *dut, const char *title,
                 const char *dir, struct hd_waves_watcher *watcher, struct hd_explanation *e,
                 struct hd_error *err)
{
  struct tape_outcome outcome;
  struct hd_tape played = *tape; /* borrows the items */
  struct show s = {.tape = &played, .ops = dut->ops};
  played.options = dut->options;
  int status = find_stretch(&s, &outcome, err);
  if (status)
    return status;
  divergence_of(&outcome.result, &e->divergence);
  e->divergence.reference = tape->original ? HD_REFERENCE_ORIGINAL : HD_REFERENCE_MODEL;
  e->sw = tape->params;
  e->of_stream = true;
  const struct hd_waves_replay replay = {&s, show_run};
  hd_explain_begin(e);
  s.way = tape->original ? NULL : hd_tape_way_create(e);
  status = show_run(&s, NULL, hd_explain_look, e, err);
  hd_tape_way_destroy(s.way);
  s.way = NULL;
  hd_explain_end(e, status, err);
  watch_around(watcher, e->divergence.cycle);
  if (!tape->original)
    hd_waves_find_inside_replay(&replay, &tape->params, dir, &e->inside);
  return hd_waves_write_replay(&replay, &e->divergence, &tape->params, title, dir, watcher, err);
}

static int look_at_nothing(void *context, const struct hd_replay_cycle *cycle)
{
  (void)context;
  (void)cycle;
  return HD_OK;
}

int hd_tape_trace(const struct hd_tape *tape, const struct hd_tape_dut duts[2],
                  const char *const paths[2], uint64_t *first, struct hd_error *err)
{
  struct tape_outcome outcome;
  struct hd_tape played = *tape; /* borrows the items */
  struct show s = {.tape = &played, .ops = duts[0].ops};
  played.options = duts[0].options;
  int status = find_stretch(&s, &outcome, err);
  s.to = outcome.result.cycle;
  *first = s.from;
  for (unsigned k = 0; !status && k < 2; k++) {
    s.ops = duts[k].ops;
    played.options = duts[k].options;
    status = s.ops->capabilities & HD_DUT_WAVES
                 ? show_run(&s, paths[k], look_at_nothing, NULL, err)
                 : hd_fail(err, HD_E_UNSUPPORTED, "the DUT shows its ports alone");
  }
  return status;
}
