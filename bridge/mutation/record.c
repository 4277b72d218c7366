/* Records the inputs and outputs of one switch of a scenario, or of a stream's switch.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The DUT of the run, or of the stream, passes all calls on to the model, or to the router without
 * a mutant. It writes the calls for one switch and the answers to a tape: resets, configuration,
 * windows, reads of registers.
 */
#include "mutation_internal.h"

#include "../host/memory.h"
#include "../run/software.h"
#include "../../cmodel/port_event.h"

#include <stdlib.h>
#include <string.h>

/* Passed as the options of the DUT: begins with an empty text, which the contract demands. */
struct recorder {
  char options[8]; /* "" */
  struct hd_mutation_right right;
  uint32_t sw;
  struct hd_mutant_tape *tape;
  uint64_t *inputs;
  const struct hd_mutation_options *asked; /* calls its `stop`; NULL: the run calls it itself */
};

struct hd_dut {
  struct recorder *recorder;
  struct hd_dut *right;
};

static void destroy(struct hd_dut *dut)
{
  if (!dut)
    return;
  dut->recorder->right.dut->destroy(dut->right);
  free(dut);
}

static int create(struct hd_dut **out, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  struct hd_dut *dut = *out = hd_xcalloc(1, sizeof *dut);
  dut->recorder = (struct recorder *)(uintptr_t)options;
  int status = dut->recorder->right.dut->create(&dut->right, params, count,
                                                dut->recorder->right.options, err);
  if (status) {
    free(dut);
    *out = NULL;
  }
  return status;
}

static int reset(struct hd_dut *dut, struct hd_error *err)
{
  struct recorder *r = dut->recorder;
  int status = r->right.dut->reset(dut->right, err);
  if (!status && r->tape)
    hd_mutant_tape_reset(r->tape);
  return status;
}

static int config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  struct recorder *r = dut->recorder;
  int status = r->right.dut->config_write(dut->right, sw, addr, data, err);
  if (!status && r->tape && sw == r->sw)
    hd_mutant_tape_write(r->tape, addr, data);
  return status;
}

static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  struct recorder *r = dut->recorder;
  int status = r->right.dut->config_read(dut->right, sw, addr, data, err);
  if (!status && r->tape && sw == r->sw)
    hd_mutant_tape_read(r->tape, addr, *data);
  return status;
}

static int run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  struct recorder *r = dut->recorder;
  const struct hd_mutation_options *o = r->asked;
  if (o && o->stop && o->stop(o->context))
    return hd_fail(err, HD_E_INTERRUPTED, "interrupted");
  int status = r->right.dut->run(dut->right, jobs, n, err);
  for (size_t i = 0; i < n && !status; i++) {
    if (r->inputs)
      r->inputs[jobs[i].sw] += jobs[i].n_flits_in + jobs[i].n_credits_in;
    if (r->tape && jobs[i].sw == r->sw)
      status = hd_mutant_tape_job(r->tape, &jobs[i], err);
  }
  return status;
}

static const struct hd_dut_ops k_ops = {
    .abi = HD_DUT_ABI,
    .name = "recorder",
    .about = "the switch without a mutant, recorded",
    .capabilities = HD_DUT_QUIESCENT | HD_DUT_BATCH,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .config_write = config_write,
    .config_read = config_read,
    .run = run,
};

/* ── run ───────────────────────────────────────────────────────────────────── */

struct play {
  struct hd_software *software;
  const struct hd_mutation_options *options;
};

static int cycle_begin(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  const struct play *p = context;
  return hd_software_begin(p->software, fabric, cycle, err);
}

static int cycle_end(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err)
{
  const struct play *p = context;
  return hd_software_end(p->software, fabric, cycle, err);
}

static uint64_t next_cycle(void *context)
{
  return hd_software_next(((const struct play *)context)->software);
}

static bool finished(void *context)
{
  return hd_world_finished(hd_software_world(((const struct play *)context)->software));
}

static bool stop(void *context, uint64_t cycle)
{
  const struct hd_mutation_options *o = ((const struct play *)context)->options;
  (void)cycle;
  return o->stop && o->stop(o->context);
}

int hd_mutation_play_scenario(struct hd_mutation_source *source,
                              const struct hd_mutation_options *options,
                              const struct hd_dut_ops *dut, const char *dut_options,
                              struct hd_lockstep_result *result, struct hd_error *err)
{
  const struct hd_scenario *s = &source->scenario;
  const struct hd_fabric_params fabric = hd_scenario_fabric(s);
  struct play play = {.options = options};
  struct hd_lockstep *lockstep = NULL;
  struct hd_lockstep_params params;
  struct hd_software_params software;
  hd_lockstep_of_scenario(&params, s, &fabric, &source->topology, &source->tables,
                          HD_QUIESCENCE_UNUSED);
  params.dut = dut;
  params.dut_options = dut_options;
  params.mode = options->foreign ? HD_MODE_CLOSED : HD_MODE_DECOUPLED;
  params.compare = options->foreign ? HD_COMPARE_PACKETS : HD_COMPARE_EXACT;
  params.threads = 1;
  params.hooks = (struct hd_lockstep_hooks){.context = &play,
                                            .cycle_begin = cycle_begin,
                                            .cycle_end = cycle_end,
                                            .next_cycle = next_cycle,
                                            .finished = finished,
                                            .stop = stop};
  int status = hd_scenario_reload_program(&source->scenario, err);
  hd_software_of_scenario(&software, s, &source->topology, &source->tables);
  if (!status)
    status = hd_software_create(&play.software, &software, err);
  if (!status)
    status = hd_lockstep_create(&lockstep, &params, err);
  if (!status)
    status = hd_lockstep_run(lockstep, source->cycles, result, err);
  hd_lockstep_destroy(lockstep);
  hd_software_destroy(play.software);
  return status;
}

static int run_scenario(struct hd_mutation_source *source,
                        const struct hd_mutation_options *options, struct recorder *recorder,
                        struct hd_error *err)
{
  struct hd_lockstep_result result;
  struct hd_error why = {""};
  const int status =
      hd_mutation_play_scenario(source, options, &k_ops, recorder->options, &result, &why);
  if (!options->foreign || (status != HD_E_DIVERGENCE && status != HD_E_DEADLOCK))
    return status ? hd_fail(err, status, "%s", why.text) : HD_OK;
  return hd_fail(
      err, status,
      "%.300s: without any mutant the router fails, so mutants cannot be distinguished from it: "
      "%.500s; heddle run shows it",
      hd_mutation_source_name(source), why.text);
}

int hd_mutation_count_inputs(struct hd_mutation_source *source,
                             const struct hd_mutation_options *options,
                             const struct hd_mutation_right *right, uint64_t *inputs,
                             struct hd_error *err)
{
  struct recorder recorder = {.right = *right, .inputs = inputs};
  return run_scenario(source, options, &recorder, err);
}

static int play_stream(const struct hd_mutation_source *source,
                       const struct hd_mutation_options *options,
                       const struct hd_switch_params *params, uint32_t number,
                       struct recorder *recorder, struct hd_error *err)
{
  struct hd_stream_case c;
  struct hd_stream_result result;
  hd_stream_case_of(params, source->style, &c);
  c.seed = hd_mix64(hd_mix64(options->seed) + number * HD_STREAM_STYLES + source->style);
  recorder->asked = options;
  /* Seeds of successive streams are odd and even, so both patterns of power-up are used. */
  hd_mutant_tape_noise(recorder->tape, number + source->style);
  /* A new DUT is in the state after a reset, so the tape begins with one. */
  hd_mutant_tape_reset(recorder->tape);
  return hd_stream_play(&c, &k_ops, recorder->options, &result, err);
}

int hd_mutation_record_inputs(struct hd_mutation_source *source,
                              const struct hd_mutation_options *options,
                              const struct hd_mutation_right *right,
                              const struct hd_mutation_record *record, struct hd_mutant_tape *tape,
                              struct hd_error *err)
{
  struct recorder recorder = {
      .right = *right, .sw = source->is_stream ? 0 : record->sw, .tape = tape};
  return source->is_stream
             ? play_stream(source, options, hd_mutant_tape_params(tape), record->sw, &recorder, err)
             : run_scenario(source, options, &recorder, err);
}

/* ── scenario ──────────────────────────────────────────────────────────────── */

int hd_mutation_scenario(struct hd_mutation_source *m, const char *path, const char *text,
                         const struct hd_mutation_options *o, struct hd_error *err)
{
  struct hd_scenario *s = &m->scenario;
  int status = hd_scenario_read_set(s, text, path, o->settings, o->n_settings, err);
  if (!status)
    status = hd_scenario_load_program(s, o->program, err);
  if (!status && s->run.compare != HD_COMPARE_EXACT && !o->foreign)
    return hd_fail(err, HD_E_INPUT,
                   "%s: run.compare is %s: RTL of another timing differs from the model without "
                   "a mutant, too; mutate needs run.compare: exact, or --foreign for a router "
                   "without a model",
                   path, hd_compare_name(s->run.compare));
  if (!status)
    status = hd_scenario_build(s, &m->topology, &m->tables, err);
  if (!status)
    status = hd_scenario_check(s, m->topology.n_nodes, err);
  m->cycles = o->cycles ? o->cycles : s->run.cycles;
  if (!status && o->has_switch && o->sw >= m->topology.n_switches)
    return hd_fail(err, HD_E_INPUT, "--switch %u: the fabric of %s has switches 0 to %u", o->sw,
                   path, m->topology.n_switches - 1);
  return status;
}
