/* The original: RTL that runs in closed loop and replaces the model.
 * SPDX-License-Identifier: Apache-2.0
 *
 * In each cycle one thread runs all of its switches in one call. Their outputs go onto the links
 * and into the record that the DUT is compared with. All cycles are evaluated, since a wrong
 * quiescent_o must not spoil the record.
 */
#include "lockstep_internal.h"

#include "../../cmodel/grow.h"

#include <stdio.h>
#include <stdlib.h>

static int make_room(struct original *o, struct hd_error *err)
{
  struct hd_lockstep *side = &o->side;
  const size_t inputs = (size_t)side->n_switches * side->fabric_params.sw.ports;
  o->flits = malloc(inputs * sizeof *o->flits);
  o->credits = malloc(inputs * sizeof *o->credits);
  o->configs = malloc(side->n_switches * sizeof *o->configs);
  o->tags = hd_tags_create(side->params.topology, &side->fabric_params.sw);
  return o->flits && o->credits && o->configs && o->tags
             ? hd_lockstep_workers_start(side, true, err)
             : hd_fail(err, HD_E_NOMEM, "no memory for the original's inputs");
}

int hd_original_create(struct hd_lockstep *ls, struct hd_error *err)
{
  struct original *o = ls->original = calloc(1, sizeof *o);
  if (!o)
    return hd_fail(err, HD_E_NOMEM, "no memory for the original");
  struct hd_lockstep *side = &o->side;
  side->is_original = true;
  side->params = ls->params;
  side->params.dut = ls->params.original;
  side->params.dut_options = ls->params.original_options;
  side->params.threads = side->params.window_cycles = 1;
  side->fabric_params = ls->fabric_params;
  side->n_switches = ls->n_switches;
  side->reference = ls->reference;
  int status = hd_lockstep_share_dut(&side, 1, 1, err);
  return status ? status : make_room(o, err);
}

void hd_original_destroy(struct hd_lockstep *ls)
{
  struct original *o = ls->original;
  if (!o)
    return;
  hd_lockstep_workers_stop(&o->side);
  hd_lockstep_release_dut(&o->side);
  free(o->flits);
  free(o->credits);
  free(o->configs);
  hd_tags_destroy(o->tags);
  free(o);
}

/* Fills in the switch's job. The inputs of the current cycle are the last ones of the record. */
static void ask(struct original *o, uint32_t sw, const struct hd_switch_record *r, uint32_t now)
{
  const struct hd_lockstep *side = &o->side;
  const uint32_t ports = side->fabric_params.sw.ports;
  struct worker *w = side->workers;
  struct hd_flit_event *flits = o->flits + (size_t)sw * ports;
  struct hd_credit_event *credits = o->credits + (size_t)sw * ports;
  uint32_t n_flits = 0, n_credits = 0, n_configs = 0;
  for (uint32_t i = r->n_flits_in; i && r->flits_in[i - 1].cycle == now && n_flits < ports; i--)
    n_flits++;
  for (uint32_t i = 0; i < n_flits; i++) {
    flits[i] = r->flits_in[r->n_flits_in - n_flits + i];
    flits[i].cycle = 0;
  }
  for (uint32_t i = r->n_credits_in; i && r->credits_in[i - 1].cycle == now && n_credits < ports;
       i--)
    n_credits++;
  for (uint32_t i = 0; i < n_credits; i++) {
    credits[i] = r->credits_in[r->n_credits_in - n_credits + i];
    credits[i].cycle = 0;
  }
  if (r->n_configs_in && r->configs_in[r->n_configs_in - 1].cycle == now) {
    o->configs[sw] = r->configs_in[r->n_configs_in - 1];
    o->configs[sw].cycle = 0;
    n_configs = 1;
  }
  w->jobs[sw] = (struct hd_dut_job){.sw = sw,
                                    .cycles = 1,
                                    .start = hd_fabric_cycle(side->reference),
                                    .flits_in = flits,
                                    .credits_in = credits,
                                    .configs_in = &o->configs[sw],
                                    .n_flits_in = n_flits,
                                    .n_credits_in = n_credits,
                                    .n_configs_in = n_configs,
                                    .flits_out = w->flits + (size_t)sw * 2 * ports,
                                    .credits_out = w->credits + (size_t)sw * 2 * ports,
                                    .toggles = w->toggles + (size_t)sw * 2,
                                    .cap_flits_out = 2 * ports,
                                    .cap_credits_out = 2 * ports,
                                    .cap_toggles = 2,
                                    .every_cycle = true};
}

/* Adds a switch's outputs to the record, in the current cycle `now`. */
static bool record_outputs(struct tags *known, struct hd_switch_record *r,
                           const struct hd_dut_job *job, uint32_t now)
{
  size_t tags = r->cap_flits_out;
  if (!HD_ROOM(r->tags_out, tags, r->n_flits_out, job->n_flits_out) ||
      !HD_ROOM(r->flits_out, r->cap_flits_out, r->n_flits_out, job->n_flits_out) ||
      !HD_ROOM(r->credits_out, r->cap_credits_out, r->n_credits_out, job->n_credits_out) ||
      !HD_ROOM(r->toggles, r->cap_toggles, r->n_toggles, job->n_toggles))
    return false;
  bool room = true;
  for (uint32_t i = r->n_flits_in - job->n_flits_in; i < r->n_flits_in; i++)
    room &= hd_tags_in(known, job->sw, &r->flits_in[i], &r->tags_in[i]);
  for (uint32_t i = 0; i < job->n_credits_out; i++) {
    hd_tags_credit(known, job->sw, &job->credits_out[i]);
    r->credits_out[r->n_credits_out] = job->credits_out[i];
    r->credits_out[r->n_credits_out++].cycle += now;
  }
  for (uint32_t i = 0; i < job->n_flits_out; i++) {
    room &= hd_tags_out(known, job->sw, &job->flits_out[i], &r->tags_out[r->n_flits_out]);
    r->flits_out[r->n_flits_out] = job->flits_out[i];
    r->flits_out[r->n_flits_out++].cycle += now;
  }
  for (uint32_t i = 0; i < job->n_toggles; i++)
    r->toggles[r->n_toggles++] = job->toggles[i] + now;
  if (!now)
    r->quiescent_at_start = job->quiescent;
  return room;
}

/* Fails if an assertion of the original failed. Such an original cannot serve as reference. */
static int check_assertion(const struct hd_dut_job *job, struct hd_error *err)
{
  if (!job->assertion.failed)
    return HD_OK;
  return hd_fail(err, HD_E_TOOL, "an assertion of the original failed in cycle %llu: switch %u, %s",
                 (unsigned long long)job->start + job->assertion.cycle, job->sw,
                 job->assertion.where);
}

static int record_cycle(struct hd_lockstep *ls, struct hd_record *record, uint32_t now,
                        struct hd_error *err)
{
  struct original *o = ls->original;
  int status = HD_OK;
  o->is_quiescent = true;
  for (uint32_t sw = 0; sw < ls->n_switches && !status; sw++) {
    const struct hd_dut_job *job = &o->side.workers->jobs[sw];
    status = check_assertion(job, err);
    if (!status && !record_outputs(o->tags, &record->switches[sw], job, now))
      status = hd_fail(err, HD_E_NOMEM, "no memory to record the original");
    hd_fabric_put_outputs(ls->reference, sw, job->flits_out, job->n_flits_out, job->credits_out,
                          job->n_credits_out);
    o->is_quiescent &= job->quiescent ^ (job->n_toggles & 1);
  }
  return status;
}

/* Fails if a node received a packet that nobody sent, before software sees it. Rules at ports,
 * if checked, name the switch. */
static int check_deliveries(const struct hd_fabric *fabric, struct hd_error *err)
{
  uint32_t n;
  const struct hd_delivery *d = hd_fabric_deliveries(fabric, &n);
  for (uint32_t i = 0; i < n; i++)
    if (!d[i].intact)
      return hd_fail(err, HD_E_INVARIANT,
                     "the original is wrong: in cycle %llu node %u received a packet that nobody "
                     "sent so",
                     (unsigned long long)hd_fabric_cycle(fabric) - 1, d[i].node);
  return HD_OK;
}

int hd_original_step(struct hd_lockstep *ls, struct hd_record *record, struct hd_error *err)
{
  struct original *o = ls->original;
  struct worker *w = o->side.workers;
  const uint32_t now = (uint32_t)(hd_fabric_cycle(ls->reference) - record->start);
  int status = hd_fabric_step_inputs(ls->reference, err);
  if (status)
    return status;
  for (uint32_t sw = 0; sw < ls->n_switches; sw++)
    ask(o, sw, &record->switches[sw], now);
  hd_contract_unlock(&o->side);
  status = hd_contract_run(&o->side, 0, w->jobs, w->asked, ls->n_switches, err);
  hd_contract_lock(&o->side);
  if (status == HD_E_TOOL) {
    const struct hd_error why = *err;
    hd_fail(err, status, "the original failed in cycle %llu: %.900s",
            (unsigned long long)record->start + now, why.text);
  }
  if (!status)
    status = record_cycle(ls, record, now, err);
  hd_fabric_step_done(ls->reference);
  if (!status)
    status = check_deliveries(ls->reference, err);
  if (status == HD_E_TOOL || status == HD_E_INVARIANT) {
    snprintf(ls->result->original_fault, sizeof ls->result->original_fault, "%.199s", err->text);
    ls->result->original_cycles = record->start + now;
  }
  return status;
}

bool hd_original_is_at_rest(const struct hd_lockstep *ls)
{
  const bool says_so = ls->params.original->capabilities & HD_DUT_QUIESCENT;
  struct hd_fabric_counters c;
  hd_fabric_counters(ls->reference, &c);
  const bool received = hd_fabric_oldest_packet(ls->reference) == HD_PACKET_NONE;
  if (received && says_so && ls->original->is_quiescent)
    return true;
  return hd_fabric_cycle(ls->reference) > c.last_progress + (received && !c.barriers_sent
                                                                 ? hd_lockstep_held_cycles(ls)
                                                                 : hd_lockstep_settle_cycles(ls));
}

int hd_original_save(struct hd_lockstep *ls, struct hd_dut_buffer *buffers, struct hd_error *err)
{
  int status = HD_OK;
  for (uint32_t sw = 0; sw < ls->n_switches && !status; sw++) {
    buffers[sw].length = 0;
    if (ls->params.original->capabilities & HD_DUT_SNAPSHOT)
      status = hd_contract_save(&ls->original->side, sw, &buffers[sw], err);
  }
  return status;
}
