/* Records what a scenario gives to one of its switches, or a stream to its switch.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The run, or the stream, has the model as its DUT. Before it stands a DUT that passes everything on, and writes down what one
 * switch is given and answers: resets, configuration, windows, reads of registers.
 */
#include "mutation_internal.h"

#include "../host/memory.h"
#include "../lockstep/lockstep.h"
#include "../run/software.h"
#include "../../cmodel/port_event.h"

#include <stdlib.h>
#include <string.h>

/* The options of the DUT: a text for the contract, the recorder for us. */
struct recorder {
  char options[8]; /* "" */
  uint32_t sw;
  struct hd_mutant_tape *tape;
  uint64_t *inputs;
  const struct hd_mutation_options
      *asked; /* whether to stop; of streams, which do not ask themselves */
};

struct hd_dut {
  struct recorder *recorder;
  struct hd_dut *model;
};

static void destroy(struct hd_dut *dut)
{
  if (!dut)
    return;
  hd_dut_model_backend()->destroy(dut->model);
  free(dut);
}

static int create(struct hd_dut **out, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  struct hd_dut *dut = *out = hd_xcalloc(1, sizeof *dut);
  dut->recorder = (struct recorder *)(uintptr_t)options;
  int status = hd_dut_model_backend()->create(&dut->model, params, count, "", err);
  if (status) {
    free(dut);
    *out = NULL;
  }
  return status;
}

static int reset(struct hd_dut *dut, struct hd_error *err)
{
  struct recorder *r = dut->recorder;
  int status = hd_dut_model_backend()->reset(dut->model, err);
  if (!status && r->tape)
    hd_mutant_tape_reset(r->tape);
  return status;
}

static int config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  struct recorder *r = dut->recorder;
  int status = hd_dut_model_backend()->config_write(dut->model, sw, addr, data, err);
  if (!status && r->tape && sw == r->sw)
    hd_mutant_tape_write(r->tape, addr, data);
  return status;
}

static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  struct recorder *r = dut->recorder;
  int status = hd_dut_model_backend()->config_read(dut->model, sw, addr, data, err);
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
  int status = hd_dut_model_backend()->run(dut->model, jobs, n, err);
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
    .about = "the model, recorded",
    .capabilities = HD_DUT_QUIESCENT,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .config_write = config_write,
    .config_read = config_read,
    .run = run,
};

/* ── the run ───────────────────────────────────────────────────────────────── */

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

static int run_scenario(struct hd_mutation_source *source,
                        const struct hd_mutation_options *options, struct recorder *recorder,
                        struct hd_error *err)
{
  const struct hd_scenario *s = &source->scenario;
  const struct hd_fabric_params fabric = hd_scenario_fabric(s);
  struct play play = {.options = options};
  struct hd_lockstep *lockstep = NULL;
  struct hd_lockstep_result result;
  struct hd_lockstep_params params;
  struct hd_software_params software;
  hd_lockstep_of_scenario(&params, s, &fabric, &source->topology, &source->tables,
                          HD_QUIESCENCE_UNUSED);
  params.dut = &k_ops;
  params.dut_options = recorder->options;
  params.mode = HD_MODE_DECOUPLED;
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
    status = hd_lockstep_run(lockstep, source->cycles, &result, err);
  hd_lockstep_destroy(lockstep);
  hd_software_destroy(play.software);
  return status;
}

int hd_mutation_count_inputs(struct hd_mutation_source *source,
                             const struct hd_mutation_options *options, uint64_t *inputs,
                             struct hd_error *err)
{
  struct recorder recorder = {.inputs = inputs};
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
  hd_mutant_tape_noise(recorder->tape,
                       number + source->style); /* one after the other: both power-ups */
  /* A DUT that was created is as after a reset. */
  hd_mutant_tape_reset(recorder->tape);
  return hd_stream_play(&c, &k_ops, recorder->options, &result, err);
}

int hd_mutation_record_inputs(struct hd_mutation_source *source,
                              const struct hd_mutation_options *options,
                              const struct hd_mutation_record *record, struct hd_mutant_tape *tape,
                              struct hd_error *err)
{
  struct recorder recorder = {.sw = source->is_stream ? 0 : record->sw, .tape = tape};
  return source->is_stream
             ? play_stream(source, options, hd_mutant_tape_params(tape), record->sw, &recorder, err)
             : run_scenario(source, options, &recorder, err);
}

/* ── the scenario ──────────────────────────────────────────────────────────── */

int hd_mutation_scenario(struct hd_mutation_source *m, const char *path, const char *text,
                         const struct hd_mutation_options *o, struct hd_error *err)
{
  struct hd_scenario *s = &m->scenario;
  int status = hd_scenario_read_set(s, text, path, o->settings, o->n_settings, err);
  if (!status)
    status = hd_scenario_load_program(s, o->program, err);
  if (!status && s->run.compare != HD_COMPARE_EXACT)
    return hd_fail(err, HD_E_INPUT,
                   "%s: run.compare is %s: RTL of another timing differs from the model without "
                   "a mutant, too; mutate needs run.compare: exact",
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
