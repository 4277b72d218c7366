/* Tapes: the operations on a DUT, as values of pins.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A read of a register is outside of windows and takes no cycle, so it has no clock edge. A mutant
 * whose read changes something would not be found by it. So each read is repeated, with an edge, in
 * the next cycle of a window without a configuration write. There it must change nothing (§3.1)
 * except quiescent_o after it (§2.10).
 */
#include "mutant_tape.h"

#include "../host/memory.h"
#include "../job_cursor.h"

#include <stdlib.h>

struct hd_mutant_tape *hd_mutant_tape_create(const struct hd_switch_params *p)
{
  struct hd_mutant_tape *tape = hd_xcalloc(1, sizeof *tape);
  tape->params = *p;
  tape->layout = hd_lane_pins(p->ports, p->vcs, p->data_bits, p->barrier != 0, hd_switch_counts(p));
  return tape;
}

void hd_mutant_tape_destroy(struct hd_mutant_tape *tape)
{
  if (!tape)
    return;
  free(tape->steps);
  free(tape->pins);
  free(tape->reads);
  free(tape);
}

void hd_mutant_tape_noise(struct hd_mutant_tape *tape, uint64_t seed)
{
  tape->noisy = true;
  tape->noise = seed;
  tape->inverted = seed & 1;
}

uint64_t hd_mutant_tape_cycles(const struct hd_mutant_tape *tape)
{
  return tape->cycles;
}

uint64_t hd_mutant_tape_steps(const struct hd_mutant_tape *tape)
{
  return tape->n_steps;
}

uint64_t hd_mutant_tape_lead(const struct hd_mutant_tape *tape)
{
  return tape->lead;
}

const struct hd_switch_params *hd_mutant_tape_params(const struct hd_mutant_tape *tape)
{
  return &tape->params;
}

/* ── steps and pins ────────────────────────────────────────────────────────── */

/* Appends a step. The caller adds its pins. */
static struct hd_lane_step *add_step(struct hd_mutant_tape *tape, unsigned flags)
{
  HD_XROOM(tape->steps, tape->cap_steps, tape->n_steps, 1);
  struct hd_lane_step *step = &tape->steps[tape->n_steps];
  *step = (struct hd_lane_step){
      .cycle = tape->n_steps ? step[-1].cycle : 0, .pins = tape->n_pins, .flags = (uint8_t)flags};
  tape->n_steps++;
  tape->edges += flags != HD_STEP_READ;
  return step;
}

/* Adds the pins from `first` on whose bit is set to the last step. Inputs must be added before
 * outputs. */
static void add_pins(struct hd_mutant_tape *tape, bool output, uint32_t first, uint64_t bits)
{
  struct hd_lane_step *step = &tape->steps[tape->n_steps - 1];
  for (; bits; bits &= bits - 1) {
    HD_XROOM(tape->pins, tape->cap_pins, tape->n_pins, 1);
    tape->pins[tape->n_pins++] = (uint16_t)(first + (uint32_t)__builtin_ctzll(bits));
    step->n_inputs = (uint16_t)(step->n_inputs + !output);
    step->n_outputs = (uint16_t)(step->n_outputs + output);
  }
}

static void add_flit(struct hd_mutant_tape *tape, bool output, const struct hd_flit_event *e)
{
  const struct hd_lane_pins *at = &tape->layout;
  const uint32_t first = e->port * at->flit;
  add_pins(tape, output, first,
           1 | (uint64_t)e->kind << HD_LANE_KIND | (uint64_t)e->vc << HD_LANE_VC);
  add_pins(tape, output, first + at->data, e->data);
}

static void add_credit(struct hd_mutant_tape *tape, bool output, const struct hd_credit_event *e)
{
  const struct hd_lane_pins *at = &tape->layout;
  add_pins(tape, output, at->credit + e->port * tape->params.vcs, e->vcs);
  if (e->barrier)
    add_pins(tape, output, at->barrier + e->port, 1);
  if (e->count)
    add_pins(tape, output, at->count + e->port * HD_COUNT_BITS, e->count);
}

static void add_write(struct hd_mutant_tape *tape, uint32_t addr, uint16_t data)
{
  add_pins(tape, false, tape->layout.write, 1);
  add_pins(tape, false, tape->layout.addr, addr & 0xfffff);
  add_pins(tape, false, tape->layout.wdata, data);
}

/* Inputs that have a meaning in the last step. */
struct active {
  uint32_t flits, counts; /* ports */
  bool writes, reads;
};
static struct active active_inputs(const struct hd_mutant_tape *tape)
{
  const struct hd_lane_pins *at = &tape->layout;
  const struct hd_lane_step *step = &tape->steps[tape->n_steps - 1];
  struct active active = {0};
  for (uint32_t i = 0; i < step->n_inputs; i++) {
    const uint32_t pin = tape->pins[step->pins + i];
    if (pin < at->credit && pin % at->flit == HD_LANE_VALID)
      active.flits |= 1u << pin / at->flit;
    if (pin >= at->count && pin < at->both)
      active.counts |= 1u << (pin - at->count) / HD_COUNT_BITS;
    active.writes |= pin == at->write;
    active.reads |= pin == at->read;
  }
  return active;
}

/* Adds random values at inputs that have no meaning in the last step. Called before the step's
 * outputs are added. */
static void add_noise(struct hd_mutant_tape *tape)
{
  const struct hd_lane_pins *at = &tape->layout;
  const struct active active = active_inputs(tape);
  const bool counts = hd_switch_counts(&tape->params);
  const uint64_t data =
      tape->params.data_bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << tape->params.data_bits) - 1;
  uint64_t noise = hd_mix64(tape->noise + tape->n_steps);
  if (!tape->noisy)
    return;
  for (uint32_t port = 0; port < tape->params.ports; port++) {
    const uint64_t control = (noise = hd_mix64(noise));
    if (!(active.flits >> port & 1)) {
      add_pins(tape, false, port * at->flit + HD_LANE_KIND,
               control & ((1u << (at->data - HD_LANE_KIND)) - 1));
      add_pins(tape, false, port * at->flit + at->data, (noise = hd_mix64(noise)) & data);
    }
    if (counts && !(active.counts >> port & 1))
      add_pins(tape, false, at->count + port * HD_COUNT_BITS, control >> 32 & HD_COUNT_MOST);
  }
  if (!active.writes && !active.reads) {
    add_pins(tape, false, at->addr, noise & 0xfffff);
    add_pins(tape, false, at->wdata, noise >> 32 & 0xffff);
  }
}

void hd_mutant_tape_foreign(struct hd_mutant_tape *tape)
{
  tape->foreign = true;
}

void hd_mutant_tape_reset(struct hd_mutant_tape *tape)
{
  const struct hd_lane_pins *at = &tape->layout;
  /* After a reset all outputs except quiescent_o are 0 (§2.9); so is rdata_o until the first
   * read. */
  struct hd_lane_step *step =
      add_step(tape, tape->foreign ? 0 : HD_STEP_COMPARE | (tape->noisy ? HD_STEP_TAKEN : 0));
  step->cycle = tape->cycles;
  /* Reset wins over all inputs (§2.9), so there are some. With noise every second reset has none,
   * because a credit may set a register that the mutant's reset forgets. */
  const bool some = !tape->noisy || (hd_mix64(tape->noise + tape->n_steps) & 1);
  uint64_t noise = hd_mix64(tape->noise - tape->n_steps);
  for (uint32_t port = 0; some && port < tape->params.ports; port++) {
    add_pins(tape, false, port * at->flit + HD_LANE_VALID, 1);
    if (tape->noisy) { /* random kind and channel */
      noise = hd_mix64(noise);
      add_pins(tape, false, port * at->flit + HD_LANE_KIND, noise & 7);
      add_pins(tape, false, port * at->flit + HD_LANE_VC, (noise >> 8) % tape->params.vcs);
    }
  }
  for (uint32_t pin = at->credit; some && pin < at->both; pin++)
    add_pins(tape, false, pin, 1);
  tape->configured = false;
  tape->kept = tape->noisy;
  tape->before = tape->cycles;
  add_pins(tape, false, at->rst, 1);
  add_pins(tape, true, at->quiescent, 1);
}

void hd_mutant_tape_write(struct hd_mutant_tape *tape, uint32_t addr, uint16_t data)
{
  tape->configured = true;
  add_step(tape, 0);
  add_write(tape, addr, data);
  add_noise(tape);
}

void hd_mutant_tape_read(struct hd_mutant_tape *tape, uint32_t addr, uint16_t value)
{
  const struct hd_lane_pins *at = &tape->layout;
  add_step(tape, HD_STEP_READ);
  add_pins(tape, false, at->read, 1);
  add_pins(tape, false, at->addr, addr & 0xfffff);
  add_pins(tape, true, at->rdata, value);
  HD_XROOM(tape->reads, tape->cap_reads, tape->n_reads, 1);
  tape->reads[tape->n_reads++] = (struct hd_lane_read){addr, value, tape->edges};
}

/* ── windows ───────────────────────────────────────────────────────────────── */

/* Adds the idle cycle before a window, if one is needed, and expects quiescent_o before the
 * window's first cycle. */
static void begin_job(struct hd_mutant_tape *tape, const struct hd_dut_job *job)
{
  if (tape->configured) {
    add_step(tape, 0);
    add_noise(tape);
  }
  tape->configured = false;
  struct hd_lane_step *last = tape->n_steps ? &tape->steps[tape->n_steps - 1] : NULL;
  if (!last || last->flags & ~HD_STEP_TAKEN || tape->foreign)
    return;
  last->flags |= HD_STEP_QUIESCENT;
  last->cycle = tape->before + job->start;
  add_pins(tape, true, tape->layout.quiescent, job->quiescent);
}

/* Adds the oldest read that was not repeated yet to the last step. cfg_wdata_i means nothing then,
 * so it is random. */
static void read_again(struct hd_mutant_tape *tape)
{
  const struct hd_lane_pins *at = &tape->layout;
  const uint32_t addr = tape->reads[tape->next_read].addr;
  add_pins(tape, false, at->read, 1);
  add_pins(tape, false, at->addr, addr & 0xfffff);
  add_pins(tape, false, at->wdata, hd_mix64(tape->next_read) & 0xffff);
}

/* Expects the value of a repeated read after the last step, if there was no edge since it was read
 * first; in later steps expects that rdata_o keeps its value. */
static void expect_read(struct hd_mutant_tape *tape, bool again)
{
  struct hd_lane_step *step = &tape->steps[tape->n_steps - 1];
  if (!again) {
    step->flags |= tape->kept ? HD_STEP_KEPT : 0;
    return;
  }
  const struct hd_lane_read *read = &tape->reads[tape->next_read++];
  tape->kept = read->edges == tape->edges - 1;
  step->flags |= tape->kept ? HD_STEP_TAKEN : 0;
  if (tape->kept)
    add_pins(tape, true, tape->layout.rdata, read->value);
}

/* Tests whether the cycle has a configuration write. */
static bool has_write(const struct hd_dut_job *job, const struct hd_cursor *at, uint32_t cycle)
{
  return at->config < job->n_configs_in && job->configs_in[at->config].cycle == cycle;
}

static void add_inputs(struct hd_mutant_tape *tape, const struct hd_dut_job *job,
                       struct hd_cursor *at, uint32_t cycle)
{
  const struct hd_flit_event *flit;
  const struct hd_credit_event *credit;
  const struct hd_config_event *config;
  while ((flit = hd_cursor_flit(at, job, cycle)))
    add_flit(tape, false, flit);
  while ((credit = hd_cursor_credit(at, job, cycle)))
    add_credit(tape, false, credit);
  while ((config = hd_cursor_config(at, job, cycle)))
    add_write(tape, config->addr, config->data);
}

int hd_mutant_tape_job(struct hd_mutant_tape *tape, const struct hd_dut_job *job,
                       struct hd_error *err)
{
  struct hd_cursor at = {0};
  if (!tape->cycles)
    tape->lead = tape->n_steps;
  uint32_t flit = 0, credit = 0, toggle = 0;
  bool quiescent = job->quiescent;
  begin_job(tape, job);
  for (uint32_t cycle = 0; cycle < job->cycles; cycle++) {
    struct hd_lane_step *step = add_step(tape, HD_STEP_COMPARE);
    step->cycle = tape->before + job->start + cycle + 1;
    const bool again = tape->next_read < tape->n_reads && !has_write(job, &at, cycle);
    add_inputs(tape, job, &at, cycle);
    if (again)
      read_again(tape);
    add_noise(tape);
    expect_read(tape, again);
    for (; flit < job->n_flits_out && job->flits_out[flit].cycle == cycle + 1; flit++)
      add_flit(tape, true, &job->flits_out[flit]);
    for (; credit < job->n_credits_out && job->credits_out[credit].cycle == cycle + 1; credit++)
      add_credit(tape, true, &job->credits_out[credit]);
    for (; toggle < job->n_toggles && job->toggles[toggle] == cycle + 1; toggle++)
      quiescent = !quiescent;
    if (quiescent && !again)
      add_pins(tape, true, tape->layout.quiescent, 1);
  }
  tape->cycles += job->cycles;
  if (!hd_cursor_done(&at, job) || flit < job->n_flits_out || credit < job->n_credits_out)
    return hd_fail(err, HD_E_INPUT, "switch %u: events out of order or behind the window", job->sw);
  return 0;
}
