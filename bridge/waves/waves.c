/* Makes the waves of a divergence: records the replayed cycles, builds the flit vectors.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "waves_internal.h"

#include "../host/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int hd_waves_create(struct hd_waves **waves, const struct hd_switch_params *params,
                    struct hd_error *err)
{
  struct hd_waves *w = NULL;
  int status = hd_dut_params_check(params, err);

  *waves = NULL;
  if (status != HD_OK)
    return status;
  w = hd_xcalloc(1, sizeof *w);
  w->params = *params;
  w->vc_bits = params->vcs > 2 ? hd_log2_ceil(params->vcs) : 1;
  *waves = w;
  return HD_OK;
}

void hd_waves_destroy(struct hd_waves *waves)
{
  if (waves == NULL)
    return;
  free(waves->cycles);
  free(waves->flits);
  free(waves->credits);
  free(waves->states);
  free(waves);
}

static void keep_flits(struct hd_waves *w, struct hd_waves_part *part,
                       const struct hd_flit_event *events, uint32_t n)
{
  HD_XROOM(w->flits, w->cap_flits, w->n_flits, n);
  *part = (struct hd_waves_part){(uint32_t)w->n_flits, n};
  if (n > 0)
    memcpy(w->flits + w->n_flits, events, n * sizeof *events);
  w->n_flits += n;
}

static void keep_credits(struct hd_waves *w, struct hd_waves_part *part,
                         const struct hd_credit_event *events, uint32_t n)
{
  HD_XROOM(w->credits, w->cap_credits, w->n_credits, n);
  *part = (struct hd_waves_part){(uint32_t)w->n_credits, n};
  if (n > 0)
    memcpy(w->credits + w->n_credits, events, n * sizeof *events);
  w->n_credits += n;
}

int hd_waves_look(void *waves, const struct hd_replay_cycle *cycle)
{
  struct hd_waves *w = waves;
  struct hd_waves_cycle *c = NULL;

  if (w->n_cycles > 0 && cycle->cycle != w->cycles[w->n_cycles - 1].cycle + 1)
    return HD_E_INTERNAL;
  HD_XROOM(w->cycles, w->cap_cycles, w->n_cycles, 1);
  c = &w->cycles[w->n_cycles];
  memset(c, 0, sizeof *c);
  c->cycle = cycle->cycle;
  w->reference = cycle->model != NULL ? HD_REFERENCE_MODEL : HD_REFERENCE_ORIGINAL;
  if (cycle->model != NULL)
    c->model = *cycle->model;
  w->has_dut = cycle->has_dut;
  w->alone = cycle->alone;
  c->model_quiescent = cycle->model_quiescent;
  c->dut_quiescent = cycle->dut_quiescent;
  keep_flits(w, &c->flits_in, cycle->flits_in, cycle->n_flits_in);
  keep_flits(w, &c->model_flits, cycle->model_flits, cycle->n_model_flits);
  keep_flits(w, &c->dut_flits, cycle->dut_flits, cycle->n_dut_flits);
  keep_credits(w, &c->credits_in, cycle->credits_in, cycle->n_credits_in);
  keep_credits(w, &c->model_credits, cycle->model_credits, cycle->n_model_credits);
  keep_credits(w, &c->dut_credits, cycle->dut_credits, cycle->n_dut_credits);
  w->n_cycles++;
  return HD_OK;
}

const struct hd_flit_event *hd_waves_flit(const struct hd_waves *waves, struct hd_waves_part part,
                                          unsigned port)
{
  for (uint32_t i = 0; i < part.n; i++)
    if (waves->flits[part.first + i].port == port)
      return &waves->flits[part.first + i];
  return NULL;
}

uint32_t hd_waves_credits(const struct hd_waves *waves, struct hd_waves_part part, unsigned port)
{
  uint32_t vcs = 0;
  for (uint32_t i = 0; i < part.n; i++)
    if (waves->credits[part.first + i].port == port)
      vcs |= hd_credit_set(&waves->credits[part.first + i]);
  return vcs;
}

bool hd_waves_flits_differ(const struct hd_flit_event *a, const struct hd_flit_event *b)
{
  if (a == NULL || b == NULL)
    return a != b;
  return a->kind != b->kind || a->vc != b->vc || a->data != b->data;
}

uint32_t hd_waves_flit_bits(const struct hd_waves *waves)
{
  return 1 + 1 + 3 + waves->vc_bits + waves->params.data_bits;
}

bool hd_waves_flit_text(const struct hd_waves *waves, const struct hd_flit_event *flit, bool mark,
                        char text[HD_FST_MAX_BITS])
{
  char *end = text;

  if (flit == NULL && !mark) {
    memset(text, 'z', HD_FST_MAX_BITS);
    return false;
  }
  end = hd_fst_bits(end, mark, 1);
  end = hd_fst_bits(end, flit != NULL, 1);
  end = hd_fst_bits(end, flit != NULL ? flit->kind : 0, 3);
  end = hd_fst_bits(end, flit != NULL ? flit->vc : 0, waves->vc_bits);
  hd_fst_bits(end, flit != NULL ? flit->data : 0, waves->params.data_bits);
  return true;
}

int hd_waves_save(struct hd_waves *waves, const struct hd_divergence *divergence, const char *title,
                  const char *dir, const char *dut_waves, struct hd_error *err)
{
  char path[4096];
  int status = HD_OK;

  if (waves->n_cycles == 0)
    return hd_fail(err, HD_E_INTERNAL, "waves: no cycle was replayed");
  if ((size_t)snprintf(path, sizeof path, "%s/waves.fst", dir) >= sizeof path)
    return hd_fail(err, HD_E_INPUT, "the folder's name is too long: %s", dir);
  waves->divergence_cycle = divergence->cycle;
  if (waves->watcher != NULL)
    waves->watcher->begins = waves->cycles[0].cycle;
  status = hd_waves_merge(waves, path, waves->has_dut ? dut_waves : NULL, err);
  return status != HD_OK ? status : hd_gtkw_write(waves, divergence, title, dir, err);
}

/* ── replaying a switch, and its files ─────────────────────────────────────── */

enum { ORIGINAL_PATH = 4200 };

static const char *original_path(char path[ORIGINAL_PATH], const char *dir)
{
  snprintf(path, ORIGINAL_PATH, "%s/original.fst", dir);
  return path;
}

/* A replay, and the watcher that gets its values. */
struct place {
  const struct hd_waves_replay *replay;
  struct hd_waves_watcher *watcher;
  const struct hd_divergence *divergence;
  const char *title;
  struct hd_explain_inside *inside; /* receives the result if no files are written */
};

/* The replayed cycles of a lockstep: those around a divergence, or a window. */
struct stretch {
  struct hd_lockstep *lockstep;
  const char *dir; /* directory for an original's waves */
  uint32_t sw;
  bool window;
  uint64_t before, after; /* for a window: its first and last cycle */
};

static int replay_stretch(void *context, const char *dut_path,
                          int (*look)(void *look_context, const struct hd_replay_cycle *cycle),
                          void *look_context, struct hd_error *err)
{
  const struct stretch *s = context;
  char original[ORIGINAL_PATH];
  const struct hd_replay_waves waves = {dut_path, original_path(original, s->dir)};
  if (s->window)
    return hd_lockstep_replay_from(s->lockstep, s->sw, s->before, s->after, &waves, look,
                                   look_context, err);
  return hd_lockstep_replay(s->lockstep, (uint32_t)s->before, (uint32_t)s->after, &waves, look,
                            look_context, err);
}

/* Replays, then calls `take` with the recorded waves and the path of the DUT's waves, or NULL. */
static int take_replay(const struct place *place, const struct hd_switch_params *params,
                       const char *dir,
                       int (*take)(const struct place *place, struct hd_waves *waves,
                                   const char *dir, const char *dut_waves, struct hd_error *err),
                       struct hd_error *err)
{
  struct hd_waves *waves = NULL;
  char dut_path[4096], original[ORIGINAL_PATH];
  int status = HD_OK;

  if ((size_t)snprintf(dut_path, sizeof dut_path, "%s/dut.fst", dir) >= sizeof dut_path)
    return hd_fail(err, HD_E_INPUT, "the folder's name is too long: %s", dir);
  status = hd_waves_create(&waves, params, err);
  if (status != HD_OK)
    return status;
  waves->watcher = place->watcher;
  unlink(dut_path); /* a file of an earlier run would look like this run's */
  unlink(original_path(original, dir));
  status = place->replay->run(place->replay->context, dut_path, hd_waves_look, waves, err);
  waves->original_waves = access(original, R_OK) == 0 ? original : NULL;
  if (status == HD_OK)
    status = take(place, waves, dir, access(dut_path, R_OK) == 0 ? dut_path : NULL, err);
  unlink(dut_path); /* waves.fst contains all of it */
  unlink(original);
  hd_waves_destroy(waves);
  return status;
}

static int save_waves(const struct place *place, struct hd_waves *waves, const char *dir,
                      const char *dut_waves, struct hd_error *err)
{
  return hd_waves_save(waves, place->divergence, place->title, dir, dut_waves, err);
}

int hd_waves_write_replay(const struct hd_waves_replay *replay,
                          const struct hd_divergence *divergence,
                          const struct hd_switch_params *params, const char *title, const char *dir,
                          struct hd_waves_watcher *watcher, struct hd_error *err)
{
  const struct place place = {
      .replay = replay, .watcher = watcher, .divergence = divergence, .title = title};
  return take_replay(&place, params, dir, save_waves, err);
}

int hd_waves_write(struct hd_lockstep *lockstep, const struct hd_divergence *divergence,
                   const struct hd_switch_params *params, const char *title, const char *dir,
                   uint32_t before, uint32_t after, struct hd_waves_watcher *watcher,
                   struct hd_error *err)
{
  struct stretch stretch = {.lockstep = lockstep, .dir = dir, .before = before, .after = after};
  const struct hd_waves_replay replay = {&stretch, replay_stretch};
  return hd_waves_write_replay(&replay, divergence, params, title, dir, watcher, err);
}

int hd_waves_write_window(struct hd_lockstep *lockstep, uint32_t sw, uint64_t from, uint64_t to,
                          uint64_t mark, const struct hd_switch_params *params, const char *title,
                          const char *dir, struct hd_error *err)
{
  const struct hd_divergence none = {
      .difference = HD_DIFF_NONE, .cycle = mark, .sw = sw, .packet = HD_PACKET_NONE};
  struct stretch stretch = {
      .lockstep = lockstep, .dir = dir, .sw = sw, .window = true, .before = from, .after = to};
  const struct hd_waves_replay replay = {&stretch, replay_stretch};
  return hd_waves_write_replay(&replay, &none, params, title, dir, NULL, err);
}

/* ── the first state that differed ─────────────────────────────────────────── */

static int find_inside(const struct place *place, struct hd_waves *waves, const char *dir,
                       const char *dut_waves, struct hd_error *err)
{
  struct hd_explain_inside *in = place->inside;
  int status = HD_OK;

  (void)dir;
  if (waves->n_cycles == 0 || !waves->has_dut)
    return hd_fail(err, HD_E_UNSUPPORTED, "the DUT cannot be replayed");
  if (dut_waves == NULL)
    return hd_fail(err, HD_E_UNSUPPORTED, "the DUT shows its ports alone");
  status = hd_waves_merge(waves, NULL, dut_waves, err);
  if (status != HD_OK)
    return status;
  *in = waves->inside;
  if (in->observed == 0)
    return hd_fail(err, HD_E_UNSUPPORTED, "the DUT's waves have no state of §6.5 by its name");
  if (!in->known)
    snprintf(in->why, sizeof in->why,
             "the %u of %zu states that the DUT shows equal the model's in cycles %llu to %llu",
             in->observed, waves->n_states, (unsigned long long)waves->cycles[0].cycle,
             (unsigned long long)waves->cycles[waves->n_cycles - 1].cycle);
  return HD_OK;
}

void hd_waves_find_inside_replay(const struct hd_waves_replay *replay,
                                 const struct hd_switch_params *params, const char *dir,
                                 struct hd_explain_inside *inside)
{
  struct hd_error err = {0};
  const struct place place = {.replay = replay, .inside = inside};
  const int status = take_replay(&place, params, dir, find_inside, &err);

  if (status != HD_OK)
    snprintf(inside->why, sizeof inside->why, "%.150s",
             err.text[0] != '\0' ? err.text : hd_status_text(status));
}

void hd_waves_find_inside(struct hd_lockstep *lockstep, const struct hd_switch_params *params,
                          const char *dir, struct hd_explain_inside *inside)
{
  struct stretch stretch = {.lockstep = lockstep, .dir = dir, .before = HD_WAVES_BACK_CYCLES};
  const struct hd_waves_replay replay = {&stretch, replay_stretch};
  hd_waves_find_inside_replay(&replay, params, dir, inside);
}
