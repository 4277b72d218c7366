/* DUT contract for the model: switches without any RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * With this backend everything that heddle does with a DUT can be tested and timed without a
 * simulator. Each switch counts its own cycles: a configuration write outside of windows takes a
 * cycle of the switch, but none of the run.
 */
#include "../../../cmodel/grow.h"
#include "../../../cmodel/switch/switch.h"
#include "../backends.h"
#include "../../job_cursor.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STAGES = 4 }; /* cycles from a grant until its flit is visible, at most: 2 + D */

/* State of a switch that is not in the model. `pending` are flits that become visible after the end
 * of the window; their cycles count from the start of the next window. The model's own memory
 * follows this struct. */
struct slot {
  uint64_t now; /* this switch's own count of cycles */
  uint32_t n_pending;
  bool quiescent;  /* quiescent_o after the last evaluated cycle */
  bool configured; /* the next window needs an idle cycle before it */
  struct hd_flit_event pending[MAX_STAGES * HD_MAX_PORTS];
};

struct hd_dut {
  struct hd_switch_params params;
  uint32_t count;
  bool every_cycle;
  size_t switch_offset, slot_bytes;
  unsigned char *arena; /* [count] slots, each followed by its switch */
};

static struct slot *slot_of(const struct hd_dut *dut, uint32_t sw)
{
  return (struct slot *)(void *)(dut->arena + sw * dut->slot_bytes);
}

static struct hd_switch *switch_of(const struct hd_dut *dut, uint32_t sw)
{
  return (struct hd_switch *)(void *)(dut->arena + sw * dut->slot_bytes + dut->switch_offset);
}

struct hd_switch *hd_dut_model_switch(struct hd_dut *dut, uint32_t sw)
{
  return switch_of(dut, sw);
}

static size_t align64(size_t bytes)
{
  return (bytes + 63) & ~(size_t)63;
}

static void destroy(struct hd_dut *dut)
{
  if (!dut)
    return;
  free(dut->arena);
  free(dut);
}

static int create(struct hd_dut **out, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  *out = NULL;
  int status = hd_switch_params_check(params, err);
  if (status)
    return status;
  bool every_cycle = options && !strcmp(options, "every-cycle");
  if (options && *options && !every_cycle)
    return hd_fail(err, HD_E_INPUT,
                   "the model backend has no option '%s'; it has: every-cycle (evaluate quiescent "
                   "switches, too)",
                   options);
  struct hd_dut *dut = calloc(1, sizeof *dut);
  if (!dut)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the model backend");
  dut->params = *params;
  dut->count = count;
  dut->every_cycle = every_cycle;
  dut->switch_offset = align64(sizeof(struct slot));
  dut->slot_bytes = dut->switch_offset + align64(hd_switch_size(params));
  dut->arena = aligned_alloc(64, dut->slot_bytes * (count ? count : 1));
  if (!dut->arena) {
    destroy(dut);
    return hd_fail(err, HD_E_NOMEM, "out of memory for %u model switches", count);
  }
  memset(dut->arena, 0, dut->slot_bytes * (count ? count : 1));
  for (uint32_t i = 0; i < count; i++) {
    hd_switch_init(switch_of(dut, i), params);
    slot_of(dut, i)->quiescent = true;
  }
  *out = dut;
  return 0;
}

static int reset(struct hd_dut *dut, struct hd_error *err)
{
  (void)err;
  for (uint32_t i = 0; i < dut->count; i++) {
    hd_switch_reset(switch_of(dut, i));
    *slot_of(dut, i) = (struct slot){.quiescent = true};
  }
  return 0;
}

static int config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  struct slot *slot = slot_of(dut, sw);
  struct hd_switch *model = switch_of(dut, sw);
  struct hd_switch_output out = {0};
  if (!slot->quiescent)
    return hd_fail(err, HD_E_INPUT,
                   "switch %u is busy: give it configuration writes as events of a window", sw);
  hd_switch_advance(model, slot->now, 0, &out); /* a quiescent switch has no outputs */
  hd_switch_config_write(model, slot->now++, addr, data);
  slot->configured = true;
  return 0;
}

static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  (void)err;
  *data = hd_switch_config_read(switch_of(dut, sw), addr);
  return 0;
}

/* ── windows ────────────────────────────────────────────────────────────────── */

/* Gives the model its inputs of `cycle`. Returns false when the pins are not legal. */
static bool apply_inputs(const struct hd_dut *dut, struct hd_switch *model, uint64_t now,
                         const struct hd_dut_job *job, struct hd_cursor *at, uint32_t cycle)
{
  const struct hd_switch_params *p = &dut->params;
  uint32_t valid = 0;
  bool legal = true, written = false;
  for (const struct hd_flit_event *e; (e = hd_cursor_flit(at, job, cycle));) {
    if (e->port >= p->ports || e->vc >> hd_log2_ceil(p->vcs) || e->kind >> 3 ||
        (valid >> e->port & 1)) {
      legal = false;
      continue;
    }
    valid |= 1u << e->port;
    hd_switch_put_flit(model, now, e->port, e->vc, e->kind, e->data, 0);
  }
  for (const struct hd_credit_event *e; (e = hd_cursor_credit(at, job, cycle));) {
    if (e->port >= p->ports || e->vcs >> p->vcs || e->barrier > 1 ||
        !hd_count_is_legal(p, e->count))
      legal = false;
    else
      hd_switch_put_credit(model, now, e->port, hd_credit_set(e));
  }
  for (const struct hd_config_event *e; (e = hd_cursor_config(at, job, cycle));) {
    if (written || e->addr >> 20)
      legal = false;
    else
      hd_switch_config_write(model, now, e->addr, e->data);
    written = true;
  }
  return legal;
}

static void add_flit_event(struct hd_dut_job *job, const struct hd_flit_event *flit)
{
  if (job->n_flits_out < job->cap_flits_out)
    job->flits_out[job->n_flits_out++] = *flit;
  else
    job->lost++;
}

/* Advances the model by a cycle. Outputs that are visible in the window go to the job, later ones
 * to `pending`. */
static void advance(struct slot *slot, struct hd_switch *model, uint64_t window_start,
                    struct hd_dut_job *job)
{
  struct hd_flit_event flits[HD_MAX_PORTS];
  struct hd_credit_event credits[HD_MAX_PORTS];
  uint32_t tags[HD_MAX_PORTS];
  struct hd_switch_output out = {.flits = flits, .tags = tags, .credits = credits};
  hd_switch_advance(model, slot->now, window_start, &out);
  for (uint32_t i = 0; i < out.n_flits; i++)
    if (flits[i].cycle <= job->cycles)
      add_flit_event(job, &flits[i]);
    else
      slot->pending[slot->n_pending++] = flits[i];
  for (uint32_t i = 0; i < out.n_credits; i++)
    if (job->n_credits_out < job->cap_credits_out)
      job->credits_out[job->n_credits_out++] = credits[i];
    else
      job->lost++;
}

static void add_toggle(struct slot *slot, const struct hd_switch *model, struct hd_dut_job *job,
                       uint32_t cycle)
{
  bool quiescent = hd_switch_quiescent(model, slot->now);
  if (quiescent == slot->quiescent)
    return;
  slot->quiescent = quiescent;
  if (job->n_toggles < job->cap_toggles)
    job->toggles[job->n_toggles++] = cycle;
  else
    job->lost++;
}

static int run_window(struct hd_dut *dut, struct hd_dut_job *job, struct hd_error *err)
{
  struct slot *slot = slot_of(dut, job->sw);
  struct hd_switch *model = switch_of(dut, job->sw);
  struct hd_cursor at = {0};
  uint32_t kept = 0;
  bool legal = true;
  job->n_flits_out = job->n_credits_out = job->n_toggles = job->lost = job->evaluated_cycles = 0;
  for (uint32_t i = 0; i < slot->n_pending; i++)
    if (slot->pending[i].cycle <= job->cycles)
      add_flit_event(job, &slot->pending[i]);
    else
      slot->pending[kept++] = slot->pending[i];
  slot->n_pending = kept;
  slot->now += slot->configured;
  slot->configured = false;
  job->quiescent = slot->quiescent;
  uint64_t window_start = slot->now;
  for (uint32_t cycle = 0; cycle < job->cycles; cycle++) {
    if (slot->quiescent && !dut->every_cycle && !job->every_cycle) {
      uint32_t next = hd_cursor_next(&at, job, job->cycles);
      slot->now += next - cycle;
      cycle = next;
      if (cycle >= job->cycles)
        break;
    }
    if (at.config < job->n_configs_in && job->configs_in[at.config].cycle == cycle)
      hd_switch_config_ahead(model, slot->now);
    advance(slot, model, window_start, job);
    legal &= apply_inputs(dut, model, slot->now, job, &at, cycle);
    job->evaluated_cycles++;
    slot->now++;
    add_toggle(slot, model, job, cycle + 1);
  }
  for (uint32_t i = 0; i < slot->n_pending; i++)
    slot->pending[i].cycle -= job->cycles;
  if (!legal)
    return hd_fail(err, HD_E_INPUT, "switch %u: an input event that no pins can carry", job->sw);
  if (!hd_cursor_done(&at, job))
    return hd_fail(err, HD_E_INPUT, "switch %u: input events out of order or behind the window",
                   job->sw);
  return 0;
}

static int run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n_jobs, struct hd_error *err)
{
  for (size_t i = 0; i < n_jobs; i++) {
    int status = run_window(dut, &jobs[i], err);
    if (status)
      return status;
  }
  return 0;
}

/* ── snapshots ──────────────────────────────────────────────────────────────── */

static int snapshot_save(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                         struct hd_error *err)
{
  if (!HD_ROOM(buffer->bytes, buffer->capacity, buffer->length, dut->slot_bytes))
    return hd_fail(err, HD_E_NOMEM, "out of memory for a snapshot of switch %u", sw);
  memcpy(buffer->bytes + buffer->length, slot_of(dut, sw), dut->slot_bytes);
  buffer->length += dut->slot_bytes;
  return 0;
}

static int snapshot_restore(struct hd_dut *dut, uint32_t sw, const struct hd_dut_buffer *buffer,
                            struct hd_error *err)
{
  if (buffer->length != dut->slot_bytes)
    return hd_fail(err, HD_E_INPUT, "switch %u: this is no snapshot of this backend", sw);
  memcpy(slot_of(dut, sw), buffer->bytes, dut->slot_bytes);
  return 0;
}

const struct hd_dut_ops *hd_dut_model_backend(void)
{
  static const struct hd_dut_ops ops = {
      .abi = HD_DUT_ABI,
      .name = "model",
      .about = "C model of the switch",
      .capabilities = HD_DUT_QUIESCENT | HD_DUT_SNAPSHOT,
      .create = create,
      .destroy = destroy,
      .reset = reset,
      .config_write = config_write,
      .config_read = config_read,
      .run = run,
      .snapshot_save = snapshot_save,
      .snapshot_restore = snapshot_restore,
  };
  return &ops;
}

static int open_model(struct hd_backend *backend, const struct hd_switch_params *params,
                      const struct hd_backend_options *options, struct hd_error *err)
{
  (void)params, (void)options, (void)err;
  backend->ops = hd_dut_model_backend();
  return 0;
}

const struct hd_backend_kind hd_backend_kind_model = {
    .name = "model",
    .help = "the C model in place of the RTL: tests Heddle itself",
    .examples = "model",
    .open = open_model,
};
