/* Results of runs of any router: how often each rule was tested, the router's speed, the parameters that it refuses.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"

#include "../host/memory.h"
#include "../run/run.h"

#include <stdlib.h>
#include <string.h>

/* ── results of one run, in its process ────────────────────────────────────── */

static void put_real(struct hd_task_outcome *outcome, const char *key, const char *unit, double x)
{
  hd_task_outcome_add(outcome, key, unit, &(struct hd_value){.type = HD_VALUE_REAL, .real = x});
}

/* Puts how often each rule at ports was tested. */
static void put_ports(struct hd_task_outcome *outcome, const struct hd_port_counts *ports)
{
  for (int rule = HD_PORT_NONE + 1; rule < HD_PORT_RULES; rule++)
    hd_check_put_count(outcome, hd_port_rule_number((enum hd_port_rule)rule), ports->of[rule]);
  hd_check_put_count(outcome, "filled", ports->filled);
}

static bool is_first_switch(const struct hd_check *c, uint32_t set)
{
  uint32_t first = 0;
  while (first < set && c->built[first] == CHECK_REFUSED)
    first++;
  return first == set;
}

/* Compares a figure of the first switch with the user's budget, which is an upper limit where `most`, else a lower. */
static void compare_with_budget(struct hd_task_outcome *outcome, const char *key, const char *what,
                                double is, double budget, bool most)
{
  char message[200], signature[80];
  if (budget <= 0)
    return;
  hd_check_put_count(outcome, key, 1);
  if (most ? is <= budget : is >= budget)
    return;
  snprintf(message, sizeof message, "%s is %.4g, the budget is %s %.4g", what, is,
           most ? "at most" : "at least", budget);
  snprintf(signature, sizeof signature, "budget: %s", what);
  hd_task_outcome_fail(outcome, HD_E_BUDGET, message, signature);
}

static void put_speed(const struct hd_check *c, const struct check_run *run,
                      const struct hd_run_report *report, struct hd_task_outcome *outcome)
{
  const bool quiet = run->index % 2 == 0, first = is_first_switch(c, run->set);
  const double latency = hd_latency_mean(&report->latency), accepted = hd_run_throughput(report);
  if (quiet && !report->latency.n)
    return;
  put_real(outcome, quiet ? "latency_cycles" : "accepted", quiet ? "cycles" : "flits/node/cycle",
           quiet ? latency : accepted);
  if (first && quiet)
    compare_with_budget(outcome, "latency_held", "latency without load (cycles)", latency,
                        c->params->budget.latency_cycles, true);
  if (first && !quiet)
    compare_with_budget(outcome, "accepted_held", "accepted load (flits/node/cycle)", accepted,
                        c->params->budget.accepted, false);
}

void hd_check_put_router(const struct hd_check *c, const struct check_run *run, const char *path,
                         const struct hd_run_report *report, struct hd_task_outcome *outcome)
{
  const struct hd_divergence *d = &report->result.divergence;
  put_ports(outcome, &report->result.ports);
  /* A difference from the original is reported before a broken rule of the same cycle. So where a rule is reported, both
   * break it. */
  hd_check_put_count(outcome, "alike",
                     hd_check_against(c, run->kind) && outcome->status == HD_E_DIVERGENCE &&
                         d->difference == HD_DIFF_RULE);
  if (outcome->failed || run->kind != CHECK_SPEED)
    return;
  put_speed(c, run, report, outcome);
  if (outcome->failed)
    hd_check_put_text(outcome, "file", path);
}

/* ── results of all runs, in the check's process ───────────────────────────── */

bool hd_check_is_of_original(const char *message)
{
  return !strncmp(message, "--against ", 10);
}

/* A router takes some parameters and not others, and only some simulators read its language. The verdict names each
 * parameter set and kind of run that was refused. */
void hd_check_note_refusal(struct hd_check *c, const struct check_run *run, uint32_t set,
                           const struct hd_task_outcome *outcome)
{
  const char *why = outcome->message ? outcome->message : "";
  struct check_refusal refusal = {
      .what = "", .why = hd_xstrdup(why), .by_original = hd_check_is_of_original(why)};
  const bool of_kind = run && run->kind == CHECK_UNKNOWN;
  refusal.by_icarus = of_kind && !refusal.by_original;
  if (of_kind)
    snprintf(refusal.what, sizeof refusal.what, "%s", hd_check_kinds[run->kind].about);
  else
    hd_check_set_text(&c->sets[set], refusal.what, sizeof refusal.what);
  const bool known = of_kind ? c->refuses[run->kind] : c->built[set] == CHECK_REFUSED;
  if (of_kind)
    c->refuses[run->kind] = true;
  else
    c->built[set] = CHECK_REFUSED;
  if (known || c->n_refusals == CHECK_REFUSALS)
    free(refusal.why);
  else
    c->refusals[c->n_refusals++] = refusal;
}

bool hd_check_are_refused(const struct hd_check *c, uint32_t n)
{
  for (uint32_t set = 0; set < n; set++)
    if (c->built[set] != CHECK_REFUSED)
      return false;
  return true;
}

static void merge_speed(struct hd_check *c, const struct check_run *run,
                        const struct hd_task_outcome *outcome)
{
  struct check_speed *speed = &c->speed[run->set];
  const struct hd_value *latency = hd_task_outcome_find(outcome, "latency_cycles"),
                        *accepted = hd_task_outcome_find(outcome, "accepted");
  if (latency)
    speed->latency_cycles = latency->real;
  if (accepted)
    speed->accepted = accepted->real;
  c->held.latency |= hd_task_outcome_find(outcome, "latency_held") != NULL;
  c->held.accepted |= hd_task_outcome_find(outcome, "accepted_held") != NULL;
}

const char *hd_check_unmet(const struct hd_check *c)
{
  if (!c->params->foreign)
    return NULL;
  if (c->aim.has_scenario && c->built[c->aim.set] == CHECK_REFUSED)
    return "the router refuses the switch of --scenario, which did not run";
  if (c->params->budget.latency_cycles > 0 && !c->held.latency)
    return "no run of the first switch measured the latency of --budget";
  if (c->params->budget.accepted > 0 && !c->held.accepted)
    return "no run of the first switch measured the accepted load of --budget";
  return NULL;
}

/* Adds how often a run tested each rule; in a failed run, up to the failure. */
static void merge_ports(struct hd_check *c, const struct hd_task_outcome *outcome)
{
  for (int rule = HD_PORT_NONE + 1; rule < HD_PORT_RULES; rule++)
    c->ports.of[rule] +=
        hd_task_outcome_count(outcome, hd_port_rule_number((enum hd_port_rule)rule));
  c->ports.filled += hd_task_outcome_count(outcome, "filled");
}

void hd_check_merge_router(struct hd_check *c, const struct check_run *run,
                           const struct hd_task_outcome *outcome)
{
  merge_ports(c, outcome);
  if (run->kind == CHECK_SPEED)
    merge_speed(c, run, outcome);
}
