/* The results of a run are described in one table. Every writer shows all of them, and the page lists them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/report/report.h"
#include "../lib/test.h"

/* Scripts read these by place or by name. New ones go to the end. */
static const char first_columns[] =
    "name,seed,dut,mode,window_cycles,threads,nodes,switches,status,cycles,cycles_compared,"
    "switch_cycles,evaluated_cycles,events_compared,digest,packets_sent,packets_received,"
    "undelivered,latency_packets,latency_minimum,latency_mean,latency_p99,latency_maximum,"
    "blocked_flit_cycles,throughput,seconds,barriers,barrier_maximum,barrier_theorem_2,"
    "barrier_bound,barrier_flits,padding_flits,null_flits,model_latency_packets,"
    "model_latency_minimum,model_latency_mean,model_latency_p99,model_latency_maximum";

static const char *const json_keys[] = {"name",
                                        "status",
                                        "message",
                                        "scenario",
                                        "fabric",
                                        "seed",
                                        "dut",
                                        "dut_about",
                                        "dut_counters",
                                        "mode",
                                        "window_cycles",
                                        "threads",
                                        "nodes",
                                        "switches",
                                        "cycles",
                                        "drain_cycles",
                                        "cycles_limit",
                                        "warmup_cycles",
                                        "compared",
                                        "cycles_compared",
                                        "switch_cycles",
                                        "evaluated_cycles",
                                        "quiescent",
                                        "events_compared",
                                        "digest",
                                        "packets_sent",
                                        "packets_received",
                                        "undelivered",
                                        "not_intact",
                                        "packets_lost",
                                        "barriers_lost",
                                        "switches_dropping",
                                        "faults",
                                        "cut_off",
                                        "messages_sent",
                                        "messages_received",
                                        "messages_not_taken",
                                        "receives_open",
                                        "software_finished",
                                        "latency",
                                        "model_latency",
                                        "statistics",
                                        "barriers",
                                        "flits",
                                        "throughput",
                                        "measured_until",
                                        "blocked_flit_cycles",
                                        "blocked_most",
                                        "budgets",
                                        "coverage",
                                        "seconds",
                                        "notes",
                                        "divergence",
                                        "wait"};

static void begin_report(struct hd_run_report *r)
{
  *r = (struct hd_run_report){
      .name = "a \"b\"", .scenario_path = "x,y.yaml", .dut = "model", .has_result = true};
}

TEST(every_result_has_a_unique_name_and_a_help_text)
{
  size_t n = 0;
  for (int k = 0; k < HD_RESULT_TABLES; k++) {
    const struct hd_result_table *t = &hd_result_tables[k];
    assert_non_null(t->help);
    for (size_t i = 0; i < t->n; i++, n++) {
      assert_non_null(t->columns[i].help);
      assert_true(strlen(t->columns[i].help) > 2);
      /* A list's column stands somewhere; the run's own results are all in the run database. */
      assert_true(k == HD_RESULTS_RUN || t->columns[i].where);
      /* Lists stand beside the run's results in report.json. */
      for (int j = 1; k == HD_RESULTS_RUN && j < HD_RESULT_TABLES; j++)
        assert_true(!hd_result_tables[j].key ||
                    strcmp(hd_result_tables[j].key, t->columns[i].key) != 0);
      assert_int_equal(hd_result_find(t, t->columns[i].key, strlen(t->columns[i].key)), i);
    }
  }
  printf("%zu results and columns\n", n);
  assert_true(n > 80);
}

TEST(columns_of_csv_keep_their_places)
{
  struct hd_run_report r;
  struct hd_text text = {0};
  begin_report(&r);
  hd_report_csv(&r, &hd_result_tables[HD_RESULTS_RUN], &text);
  assert_memory_equal(text.chars, first_columns, strlen(first_columns));
  assert_non_null(strchr("\n,", text.chars[strlen(first_columns)]));
  const char *values = strchr(text.chars, '\n') + 1;
  static const char begin[] = "\"a \"\"b\"\"\",0,\"model\",decoupled,0,0,0,0,carried out,0,0,0,0,0,"
                              "0x0000000000000000,0,0,0,0,,,,,,,0.000000,0,,,,0,0,0,,,,,";
  assert_memory_equal(values, begin, strlen(begin));
  hd_text_fini(&text);
  hd_report_csv(&r, &hd_result_tables[HD_RESULTS_BARRIERS_CSV], &text);
  assert_string_equal(text.chars, "group,released,cycles\n");
  hd_text_fini(&text);
}

/* A value's object is null where no packet was measured; lists are there when they are empty. */
TEST(report_json_has_every_key_with_and_without_values)
{
  struct hd_run_report r;
  begin_report(&r);
  json_t *json = hd_report_json(&r);
  const size_t n = sizeof json_keys / sizeof *json_keys;
  for (size_t i = 0; i < n; i++)
    if (!json_object_get(json, json_keys[i]))
      fail_msg("report.json lacks %s", json_keys[i]);
  assert_true(json_is_null(json_object_get(json, "latency")));
  assert_true(json_is_null(json_object_get(json, "model_latency")));
  assert_true(json_is_null(json_object_get(json, "blocked_flit_cycles")));
  assert_true(json_is_null(json_object_get(json, "message")));
  assert_true(json_is_array(json_object_get(json, "barriers")));
  assert_true(json_is_object(json_object_get(json, "budgets")));
  assert_string_equal(json_string_value(json_object_get(json, "seed")), "0");
  json_decref(json);
  hd_latency_add(&r.latency, 40);
  hd_latency_add(&r.latency, 43);
  hd_latency_end(&r.latency);
  r.has_barrier_budget = true;
  r.barrier_budget = 7;
  struct hd_run_barrier group = {.group = 3, .no_bound = "why", .formula_cycles = -1};
  r.barriers = &group;
  r.n_barriers = 1;
  json = hd_report_json(&r);
  json_t *latency = json_object_get(json, "latency");
  assert_int_equal(json_object_size(latency), 8);
  assert_true(json_real_value(json_object_get(latency, "mean")) == 41.5);
  assert_int_equal(json_integer_value(json_object_get(latency, "median")), 40);
  assert_int_equal(json_integer_value(json_object_get(latency, "p95")), 43);
  assert_int_equal(
      json_integer_value(json_object_get(json_object_get(json, "budgets"), "barrier_cycles")), 7);
  json_t *one = json_array_get(json_object_get(json, "barriers"), 0);
  assert_int_equal(json_integer_value(json_object_get(one, "group")), 3);
  assert_int_equal(json_object_size(one), hd_result_tables[HD_RESULTS_BARRIERS].n - 6);
  assert_true(json_is_null(json_object_get(one, "later")));
  assert_true(json_is_null(json_object_get(one, "formula_cycles")));
  json_decref(json);
  hd_latency_fini(&r.latency);
}

/* A run that was cut off has no results. No writer may show 0 or a passed case. */
TEST(results_that_were_not_measured_are_not_reported_as_numbers)
{
  static const char *const measured[] = {"cycles", "packets_sent", "digest", "seconds", "compared"};
  struct hd_run_report r;
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  begin_report(&r);
  r.has_result = false;
  r.status = HD_E_SOFTWARE;
  json_t *json = hd_report_json(&r);
  for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
    assert_true(json_is_null(json_object_get(json, measured[i])));
  assert_string_equal(json_string_value(json_object_get(json, "status")), "error");
  assert_string_equal(json_string_value(json_object_get(json, "dut")), "model");
  json_decref(json);
  hd_report_junit(&r, &text);
  assert_non_null(strstr(text.chars, "errors=\"1\" skipped=\"5\""));
}

/* Only the first cycle of the run is measured. A measured 0 must be shown. */
TEST(the_table_shows_measured_numbers_even_if_they_are_zero)
{
  struct hd_run_report r;
  struct hd_text text = {0};
  begin_report(&r);
  r.has_result = r.software_waits = true;
  r.result.cycles = 1;
  r.n_nodes = 4;
  r.measured_flits = 2;
  hd_report_table(&r, &text);
  assert_non_null(strstr(text.chars, "0.5000 flits/node/cycle received in cycles 0 to 0\n"));
  assert_non_null(strstr(text.chars, "latency (cycles)    no packet measured\n"));
  assert_non_null(
      strstr(text.chars, "messages            0 sent, 0 received; software has not fin"));
  hd_text_fini(&text);
  r.messages_sent = r.messages_received = 3;
  r.messages_not_taken = r.receives_open = 1;
  hd_report_table(&r, &text);
  assert_non_null(strstr(text.chars, "messages            3 sent, 3 received, 1 TAKEN BY NO "
                                     "RECEIVE, 1 receive NEVER COMPLETED; software has not fin"));
  hd_text_fini(&text);
  r.warmup_cycles = 1;
  hd_report_table(&r, &text);
  assert_non_null(strstr(text.chars, "throughput          not measured: "));
  hd_text_fini(&text);
}

/* Packets that coders made count neither as sent nor as received. They are shown separately, if there are any. */
TEST(packets_made_by_coders_are_counted_separately)
{
  struct hd_run_report r;
  struct hd_text text = {0};
  begin_report(&r);
  r.has_result = true;
  r.counters.packets_sent = r.counters.packets_received = 5;
  hd_report_table(&r, &text);
  assert_non_null(strstr(text.chars, "5 sent, 5 received, 0 undelivered\n"));
  hd_text_fini(&text);
  r.counters.packets_made = 3;
  hd_report_table(&r, &text);
  assert_non_null(strstr(text.chars, "5 sent, 5 received, 0 undelivered; 3 made by coders\n"));
  hd_text_fini(&text);
  json_t *json = hd_report_json(&r);
  assert_int_equal(json_integer_value(json_object_get(json, "packets_made")), 3);
  json_decref(json);
  hd_report_csv(&r, &hd_result_tables[HD_RESULTS_RUN], &text);
  assert_non_null(strstr(text.chars, ",packets_made,"));
  /* After it follow five columns of the load, which are empty here, and those of measured packets. */
  assert_non_null(strstr(text.chars, ",3,,,,,,"));
  hd_text_fini(&text);
}
