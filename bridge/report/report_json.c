/* report.json.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"
#include "report_barriers.h"

#include <stdio.h>

static json_t *number(uint64_t value)
{
  return json_integer((json_int_t)value);
}

/* A path may be any bytes; JSON is UTF-8. */
static json_t *string(const char *text)
{
  if (!text)
    return json_null();
  json_t *json = json_string(text);
  return json ? json : json_string("(not UTF-8)");
}

static json_t *json_latency(const struct hd_latency *l, uint64_t p99)
{
  if (!l->n)
    return json_null();
  return json_pack("{s:o,s:o,s:f,s:o,s:o}", "packets", number(l->n), "minimum", number(l->minimum),
                   "mean", hd_latency_mean(l), "p99", number(p99), "maximum", number(l->maximum));
}

static json_t *json_statistics(const struct hd_run_report *r)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < r->n_statistics; i++) {
    const struct hd_run_statistic *s = &r->statistics[i];
    json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:f,s:o,s:o,s:o}", "name", string(s->name),
                                          "n", number(s->n), "minimum", number(s->minimum), "mean",
                                          s->mean, "median", number(s->median), "p99",
                                          number(s->p99), "maximum", number(s->maximum)));
  }
  return list;
}

static json_t *json_dut_counters(const struct hd_run_report *r)
{
  json_t *counters = json_object();
  for (uint32_t i = 0; i < r->n_dut_counters; i++)
    json_object_set_new(counters, r->dut_counters[i].name, number(r->dut_counters[i].value));
  return counters;
}

static json_t *json_budgets(const struct hd_run_report *r)
{
  json_t *budgets = json_object();
  if (r->has_latency_budget)
    json_object_set_new(budgets, "latency_cycles", number(r->latency_budget));
  if (r->has_barrier_budget)
    json_object_set_new(budgets, "barrier_cycles", number(r->barrier_budget));
  if (r->has_blocked_budget)
    json_object_set_new(budgets, "blocked_flit_cycles", number(r->blocked_budget));
  return budgets;
}

json_t *hd_report_json(const struct hd_run_report *r)
{
  char digest[24], seed[24];
  snprintf(digest, sizeof digest, "0x%016llx", (unsigned long long)r->result.digest);
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)r->seed);
  json_t *json = json_object();
  if (!json)
    return NULL;
  const struct {
    const char *key;
    json_t *value;
  } members[] = {
      {"name", string(r->name)},
      {"status", string(hd_run_status_name(r->status))},
      {"message", string(r->message.chars)},
      {"scenario", string(r->scenario_path)},
      {"fabric", string(r->fabric)},
      {"seed", string(seed)}, /* 64 bits: a string, as JSON readers keep 53 */
      {"dut", string(r->dut)},
      {"dut_about", string(r->dut_about)},
      {"dut_counters", json_dut_counters(r)},
      {"mode", string(hd_mode_name(r->mode))},
      {"window_cycles", number(r->window_cycles)},
      {"threads", number(r->threads)},
      {"nodes", number(r->n_nodes)},
      {"switches", number(r->n_switches)},
      {"cycles", number(r->result.cycles)},
      {"drain_cycles", number(r->result.drain_cycles)},
      {"cycles_limit", number(r->cycles_limit)},
      {"warmup_cycles", number(r->warmup_cycles)},
      {"compared", json_boolean(r->compared)},
      {"cycles_compared", number(r->result.cycles_compared)},
      {"switch_cycles", number(r->result.switch_cycles)},
      {"evaluated_cycles", number(r->result.evaluated_cycles)},
      {"quiescent", string(hd_report_quiescence(r))},
      {"events_compared", number(r->result.events_compared)},
      {"digest", string(digest)},
      {"packets_sent", number(r->counters.packets_sent)},
      {"packets_received", number(r->counters.packets_received)},
      {"undelivered", number(r->undelivered)},
      {"not_intact", number(r->not_intact)},
      {"packets_lost", number(r->packets_lost)},
      {"barriers_lost", number(r->barriers_lost)},
      {"switches_dropping", number(r->n_droppers)},
      {"faults", hd_report_faults_json(r)},
      {"cut_off", hd_report_unreachable_json(r)},
      {"messages_sent", number(r->messages_sent)},
      {"messages_received", number(r->messages_received)},
      {"software_finished", json_boolean(r->software_finished)},
      {"latency", json_latency(&r->latency, r->latency_p99)},
      {"model_latency", json_latency(&r->model_latency, r->model_latency_p99)},
      {"statistics", json_statistics(r)},
      {"barriers", hd_report_barriers_json(r)},
      {"flits", hd_report_flits_json(r)},
      {"throughput", json_real(hd_report_throughput(r))},
      {"measured_until", number(hd_report_measured_until(r))},
      {"blocked_flit_cycles",
       r->blocked_known ? number(r->counters.blocked_flit_cycles) : json_null()},
      {"budgets", json_budgets(r)},
      {"seconds", json_real(r->seconds)},
      {"notes", string(r->notes.chars)},
      {"divergence", r->explained ? hd_explain_json(&r->explanation) : json_null()},
      {"wait", string(r->wait.chars)},
  };
  int failed = 0;
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    failed |= json_object_set_new(json, members[i].key, members[i].value);
  if (failed) {
    json_decref(json);
    return NULL;
  }
  return json;
}
