/* Frees the report of a run, names its status, and computes values from it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "outcome.h"

#include <stdlib.h>

void hd_run_report_fini(struct hd_run_report *report)
{
  hd_text_fini(&report->message);
  hd_text_fini(&report->notes);
  hd_text_fini(&report->wait);
  hd_text_fini(&report->rule_waves);
  hd_text_fini(&report->rtl_files);
  for (size_t i = 0; i < report->n_parameters; i++) {
    free(report->parameters[i].key);
    free(report->parameters[i].text);
  }
  free(report->parameters);
  free(report->directory);
  free(report->name);
  free(report->scenario_path);
  free(report->dut);
  free(report->dut_about);
  free(report->against);
  free(report->fabric);
  free(report->distances);
  hd_latency_fini(&report->latency);
  hd_latency_fini(&report->model_latency);
  hd_latency_fini(&report->network_latency);
  for (uint32_t i = 0; i < report->n_classes; i++) {
    hd_latency_fini(&report->classes[i].latency);
    hd_latency_fini(&report->classes[i].network_latency);
  }
  hd_load_fini(&report->load);
  for (uint32_t i = 0; i < report->n_statistics; i++) {
    free(report->statistics[i].name);
    free(report->statistics[i].values);
  }
  free(report->statistics);
  for (uint32_t i = 0; i < report->n_barriers; i++) {
    free(report->barriers[i].later.name);
    free(report->barriers[i].later.values);
  }
  free(report->barriers);
  free(report->faults);
  free(report->unreachable);
  hd_explanation_fini(&report->explanation);
  *report = (struct hd_run_report){0};
}

bool hd_run_has_load(const struct hd_run_report *r)
{
  return r->open_loop && r->offered_until > r->offered_from + 1;
}

uint64_t hd_run_measured_until(const struct hd_run_report *r)
{
  uint64_t cycles = r->compared ? r->result.cycles_compared : r->result.cycles;
  cycles -= r->result.rest_cycles < cycles ? r->result.rest_cycles : cycles;
  bool ends_with_load =
      hd_run_has_load(r) || (r->open_loop && r->offered_until <= r->warmup_cycles);
  uint64_t until = ends_with_load && r->offered_until < cycles ? r->offered_until : cycles;
  return r->measured_end && r->measured_end < until ? r->measured_end : until;
}

bool hd_run_has_phase(const struct hd_run_report *r)
{
  return hd_run_measured_until(r) > r->warmup_cycles;
}

const char *hd_run_status_name(int status)
{
  static const char *const names[] = {[-HD_OK] = "passed",
                                      [-HD_E_DIVERGENCE] = "divergence",
                                      [-HD_E_BUDGET] = "budget missed",
                                      [-HD_E_DEADLOCK] = "deadlock",
                                      [-HD_E_FAULT] = "cut off",
                                      [-HD_E_NOTHING] = "nothing compared",
                                      [-HD_E_INVARIANT] = "rule broken",
                                      [-HD_E_INTERRUPTED] = "interrupted"};
  const size_t i = (size_t)-status;
  return i < sizeof names / sizeof *names && names[i] ? names[i] : "error";
}

double hd_run_throughput(const struct hd_run_report *r)
{
  uint64_t until = hd_run_measured_until(r);
  uint64_t flits = hd_run_has_load(r) ? r->offered_flits : r->measured_flits;
  if (until <= r->warmup_cycles || !r->n_nodes)
    return 0.0;
  return (double)flits / ((double)(until - r->warmup_cycles) * r->n_nodes);
}

const char *hd_run_reference(const struct hd_run_report *r)
{
  return hd_reference_name(r->against ? HD_REFERENCE_ORIGINAL : HD_REFERENCE_MODEL);
}

const char *hd_run_verdict(const struct hd_run_report *report)
{
  bool alone = report->status == HD_OK && report->has_result && !report->compared;
  return alone ? "carried out" : hd_run_status_name(report->status);
}

void hd_run_signature(const struct hd_run_report *report, struct hd_text *text)
{
  const struct hd_explanation *e = &report->explanation;
  const char *port = e->peer.kind == HD_PEER_NODE     ? "a node's port"
                     : e->peer.kind == HD_PEER_SWITCH ? "a link's port"
                                                      : "the switch";
  if (report->explained)
    hd_text_add(text, "%s: %s", port, hd_divergence_name(&e->divergence));
  else
    hd_text_add(text, "%s", hd_run_status_name(report->status));
}
