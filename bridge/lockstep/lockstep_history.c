/* Keeps snapshots and all inputs since then, so that any switch can be replayed without running the scenario again.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each epoch begins with a snapshot. Two epochs are kept, the current one and the one before, so
 * the cycles of a whole epoch can always be replayed. An epoch has at least EPOCH_CYCLES, or
 * LEAST_CYCLES with very many switches. If little happens, it lasts longer, since a snapshot costs
 * as much as many cycles of a quiet switch.
 */
#include "lockstep_internal.h"

#include "../../cmodel/grow.h"

#include <stdlib.h>
#include <string.h>

enum {
  EPOCH_CYCLES = 512,
  /* above this number epochs are shorter, to save memory for inputs, but have at least … */
  MANY_SWITCHES = 1024,
  LEAST_CYCLES = 128,
  EPOCH_INPUTS = 256, /* mean inputs of a switch in an epoch; with fewer the epoch goes on … */
  LONGEST_EPOCH = 4,  /* … up to this many times its cycles */
};

int hd_history_init(struct hd_lockstep *ls)
{
  size_t blocks = ls->block_size * ls->n_switches;
  for (unsigned i = 0; i < 2; i++) {
    struct epoch *e = &ls->epochs[i];
    if (ls->original) {
      e->original = calloc(ls->n_switches, sizeof *e->original);
      ls->windows[i].original = calloc(ls->n_switches, sizeof *e->original);
    } else if (hd_lockstep_has_model(ls)) {
      e->blocks = aligned_alloc(64, blocks);
      ls->windows[i].blocks = aligned_alloc(64, blocks);
    }
    e->switches = calloc(ls->n_switches, sizeof *e->switches);
    e->models =
        ls->params.mode == HD_MODE_CLOSED ? calloc(ls->n_switches, sizeof *e->models) : e->switches;
    const bool room = ls->original ? e->original && ls->windows[i].original
                                   : !blocks || (e->blocks && ls->windows[i].blocks);
    if (!room || !e->switches || !e->models)
      return HD_E_NOMEM;
  }
  return HD_OK;
}

static void free_inputs(struct switch_history *switches, uint32_t n)
{
  for (uint32_t sw = 0; switches && sw < n; sw++) {
    free(switches[sw].flits);
    free(switches[sw].tags);
    free(switches[sw].credits);
    free(switches[sw].configs);
    free(switches[sw].dut.bytes);
  }
  free(switches);
}

static void free_buffers(struct hd_dut_buffer *buffers, uint32_t n)
{
  for (uint32_t sw = 0; buffers && sw < n; sw++)
    free(buffers[sw].bytes);
  free(buffers);
}

void hd_history_fini(struct hd_lockstep *ls)
{
  for (unsigned i = 0; i < 2; i++) {
    struct epoch *e = &ls->epochs[i];
    if (e->models != e->switches)
      free_inputs(e->models, ls->n_switches);
    free_inputs(e->switches, ls->n_switches);
    free(e->blocks);
    free(ls->windows[i].blocks);
    free_buffers(e->original, ls->n_switches);
    free_buffers(ls->windows[i].original, ls->n_switches);
  }
}

/* The older of two epochs is always complete. It alone must hold the requested cycles, and the
 * first cycles of a replay, which cannot be shown. */
static uint64_t epoch_cycles(const struct hd_lockstep *ls)
{
  const uint64_t cycles = (uint64_t)ls->params.history_cycles + hd_replay_blind(ls) + 1;
  uint64_t usual = EPOCH_CYCLES;
  while (usual > LEAST_CYCLES && ls->n_switches * usual > (uint64_t)MANY_SWITCHES * EPOCH_CYCLES)
    usual /= 2;
  return cycles > usual ? cycles : usual;
}

void hd_history_decide(struct hd_lockstep *ls)
{
  uint64_t enough = epoch_cycles(ls), since = hd_fabric_cycle(ls->reference) - ls->next_epoch_from;
  bool full = ls->epoch_inputs >= (uint64_t)EPOCH_INPUTS * ls->n_switches;
  ls->round.epoch =
      !ls->epochs[1].valid || (since >= enough && (full || since >= LONGEST_EPOCH * enough));
}

int hd_history_begin(struct hd_lockstep *ls, struct window *w, struct hd_error *err)
{
  w->epoch = ls->round.epoch;
  if (!w->epoch)
    return HD_OK;
  ls->next_epoch_from = hd_fabric_cycle(ls->reference);
  if (ls->original)
    return hd_original_save(ls, w->original, err);
  for (uint32_t sw = 0; sw < ls->n_switches && ls->block_size; sw++) {
    struct hd_switch *copy = (struct hd_switch *)(void *)(w->blocks + ls->block_size * sw);
    memcpy(copy, hd_fabric_switch(ls->reference, sw), ls->block_size);
    hd_switch_cover(copy, NULL, NULL, 0); /* a replay does not count coverage again */
  }
  return HD_OK;
}

void hd_history_turn(struct hd_lockstep *ls, struct window *w)
{
  struct epoch old = ls->epochs[0];
  ls->epochs[0] = ls->epochs[1];
  ls->epochs[1] = old;
  struct epoch *e = &ls->epochs[1];
  unsigned char *blocks = e->blocks;
  struct hd_dut_buffer *original = e->original;
  e->blocks = w->blocks;
  w->blocks = blocks;
  e->original = w->original;
  w->original = original;
  e->valid = true;
  e->start = e->end = w->record.start;
  ls->epoch_inputs = 0;
  for (uint32_t sw = 0; sw < ls->n_switches; sw++) {
    struct switch_history *h = &e->switches[sw], *m = &e->models[sw];
    h->n_flits = h->n_credits = h->n_configs = 0;
    m->n_flits = m->n_credits = m->n_configs = 0;
    h->dut.length = 0;
  }
}

/* Adds a switch's inputs of a window that begins `offset` cycles after the epoch. */
static bool add_inputs(struct switch_history *h, const struct hd_switch_record *r, uint32_t offset)
{
  size_t tags = h->cap_flits;
  if (!HD_ROOM(h->tags, tags, h->n_flits, r->n_flits_in) ||
      !HD_ROOM(h->flits, h->cap_flits, h->n_flits, r->n_flits_in) ||
      !HD_ROOM(h->credits, h->cap_credits, h->n_credits, r->n_credits_in) ||
      !HD_ROOM(h->configs, h->cap_configs, h->n_configs, r->n_configs_in))
    return false;
  if (r->n_flits_in) {
    struct hd_flit_event *to = h->flits + h->n_flits;
    for (uint32_t i = 0; i < r->n_flits_in; i++) {
      to[i] = r->flits_in[i];
      to[i].cycle += offset;
    }
    memcpy(h->tags + h->n_flits, r->tags_in, r->n_flits_in * sizeof *h->tags);
    h->n_flits += r->n_flits_in;
  }
  if (r->n_credits_in) {
    struct hd_credit_event *to = h->credits + h->n_credits;
    memcpy(to, r->credits_in, r->n_credits_in * sizeof *to);
    for (uint32_t i = 0; i < r->n_credits_in; i++)
      to[i].cycle += offset;
    h->n_credits += r->n_credits_in;
  }
  for (uint32_t i = 0; i < r->n_configs_in; i++) {
    h->configs[h->n_configs] = r->configs_in[i];
    h->configs[h->n_configs++].cycle += offset;
  }
  return true;
}

int hd_history_add(struct hd_lockstep *ls, const struct hd_record *record,
                   const struct hd_record *model, struct hd_error *err)
{
  struct epoch *e = &ls->epochs[1];
  uint32_t offset = (uint32_t)(record->start - e->start);
  for (uint32_t sw = 0; sw < ls->n_switches; sw++) {
    const struct hd_switch_record *r = &record->switches[sw];
    ls->epoch_inputs += r->n_flits_in + r->n_credits_in + r->n_configs_in;
    if (!add_inputs(&e->switches[sw], r, offset) ||
        (e->models != e->switches && !add_inputs(&e->models[sw], &model->switches[sw], offset)))
      return hd_fail(err, HD_E_NOMEM, "no memory for the inputs of switch %u", sw);
  }
  e->end = record->start + record->cycles;
  return HD_OK;
}
