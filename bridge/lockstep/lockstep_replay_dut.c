/* The DUT's side of a replay: what one switch shows, with the inputs that the history keeps.
 * SPDX-License-Identifier: Apache-2.0
 *
 * In windows as long as can be, for a backend behind a cable is asked over it for each.
 */
#include "lockstep_state.h"

#include <stdlib.h>

/* The inputs of a window, their cycles counted from its first. */
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

/* Adds those of an epoch that fall into cycles [from, to). */
static void add_inputs(struct inputs *in, const struct epoch *e, uint32_t sw, uint64_t from,
                       uint64_t to)
{
  const struct switch_history *h = &e->switches[sw];
  /* modulo 2^32: an epoch that begins before the window is behind it by a negative number */
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

int hd_replay_answer_init(struct replay_answer *a, uint64_t start, uint64_t end, uint32_t ports)
{
  size_t cycles = (size_t)(end - start) + 1;
  *a = (struct replay_answer){.start = start, .cap = (uint32_t)(cycles * ports + ports)};
  a->flits = malloc(a->cap * sizeof *a->flits);
  a->credits = malloc(a->cap * sizeof *a->credits);
  a->toggles = malloc(a->cap * sizeof *a->toggles);
  return a->flits && a->credits && a->toggles ? HD_OK : HD_E_NOMEM;
}

void hd_replay_answer_fini(struct replay_answer *a)
{
  free(a->flits);
  free(a->credits);
  free(a->toggles);
}

int hd_replay_dut(struct hd_lockstep *ls, uint32_t sw, const struct epoch *const epochs[2],
                  uint64_t from, uint64_t to, struct replay_answer *a, struct hd_error *err)
{
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
    hd_contract_rest(ls);
    status = hd_contract_run(ls, 0, &job, &asked, 1, err);
    hd_contract_wake(ls);
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

void hd_replay_shown(struct replay_answer *a, uint64_t cycle, struct replay_shown *shown)
{
  uint32_t now = (uint32_t)(cycle - a->start);
  shown->n_flits = shown->n_credits = 0;
  for (; a->next_flit < a->n_flits && a->flits[a->next_flit].cycle <= now; a->next_flit++)
    if (a->flits[a->next_flit].cycle == now && shown->n_flits < HD_MAX_PORTS) {
      shown->flits[shown->n_flits] = a->flits[a->next_flit];
      shown->flits[shown->n_flits++].cycle = 0;
    }
  for (; a->next_credit < a->n_credits && a->credits[a->next_credit].cycle <= now; a->next_credit++)
    if (a->credits[a->next_credit].cycle == now && shown->n_credits < HD_MAX_PORTS) {
      shown->credits[shown->n_credits] = a->credits[a->next_credit];
      shown->credits[shown->n_credits++].cycle = 0;
    }
  for (; a->next_toggle < a->n_toggles && a->toggles[a->next_toggle] <= now; a->next_toggle++)
    a->quiescent = !a->quiescent;
  shown->quiescent = a->quiescent;
}
