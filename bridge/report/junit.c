/* A run as JUnit XML: what CI systems read.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Element order and attributes follow the common schema (properties, cases, system-out,
 * system-err), against which tests/cli/junit.xsd holds it.
 */
#include "report.h"

#include <time.h>

struct junit_case {
  const char *name;
  int status; /* the run's status that fails this case */
  bool applies;
  const char *why_not; /* skipped when it does not apply */
};

static void junit_properties(void *context, const struct hd_value *values)
{
  struct hd_text *text = context;
  const struct hd_result_table *t = &hd_result_tables[HD_RESULTS_RUN];
  hd_text_add(text, "    <properties>\n");
  for (size_t i = 0; i < t->n; i++) {
    if (!(t->columns[i].where & HD_IN_PROPERTIES))
      continue;
    struct hd_text value = {0};
    hd_value_add(&values[i], &value);
    hd_text_add(text, "      <property name=\"%s\" value=\"", t->columns[i].key);
    hd_text_add_xml(text, hd_text_chars(&value));
    hd_text_add(text, "\"/>\n");
    hd_text_fini(&value);
  }
  hd_text_add(text, "    </properties>\n");
}

static void junit_case(const struct hd_run_report *r, struct hd_text *text,
                       const struct junit_case *c)
{
  hd_text_add(text, "    <testcase classname=\"heddle.");
  hd_text_add_xml(text, r->name);
  hd_text_add(text, "\" name=\"%s\" time=\"%.3f\"", c->name, c->applies ? r->seconds : 0.0);
  if (!c->applies) {
    hd_text_add(text, ">\n      <skipped message=\"%s\"/>\n    </testcase>\n", c->why_not);
    return;
  }
  if (r->status != c->status) {
    hd_text_add(text, "/>\n");
    return;
  }
  hd_text_add(text, ">\n      <failure type=\"%s\" message=\"", hd_run_status_name(r->status));
  hd_text_add_xml(text, hd_text_chars(&r->message));
  hd_text_add(text, "\">");
  struct hd_text detail = {0};
  if (r->explained)
    hd_explain_divergence(&r->explanation, &detail);
  hd_text_add_xml(text, hd_text_chars(&detail));
  hd_text_add_xml(text, hd_text_chars(&r->wait));
  hd_text_fini(&detail);
  hd_text_add(text, "</failure>\n    </testcase>\n");
}

static bool some_fault_struck(const struct hd_run_report *r)
{
  bool some = false;
  for (uint32_t i = 0; i < r->n_faults; i++)
    some |= r->faults[i].struck;
  return some;
}

void hd_report_junit(const struct hd_run_report *r, struct hd_text *text)
{
  static const char cut_off[] = "the run was cut off";
  const bool ended = r->has_result;
  const struct junit_case cases[] = {
      {r->of_rtl ? "RTL and model agree" : "DUT and model agree", HD_E_DIVERGENCE,
       r->compared && !r->nothing,
       !ended        ? cut_off
       : r->compared ? "nothing was compared"
                     : "the model ran alone"},
      {"something was compared", HD_E_NOTHING, r->compared,
       ended ? "the model ran alone" : cut_off},
      {"no deadlock or livelock", HD_E_DEADLOCK, ended, cut_off},
      {"budgets and delivery", HD_E_BUDGET, ended, cut_off},
      {"faults cut nobody off", HD_E_FAULT, some_fault_struck(r),
       !ended        ? cut_off
       : r->n_faults ? "the run ended before the first fault"
                     : "the scenario has no faults"},
  };
  const size_t n = sizeof cases / sizeof *cases;
  bool failure = false;
  size_t skipped = 0;
  for (size_t i = 0; i < n; i++) {
    failure |= cases[i].applies && r->status == cases[i].status;
    skipped += !cases[i].applies;
  }
  bool error = r->status && !failure;
  char now[32];
  time_t t = time(NULL);
  struct tm tm;
  gmtime_r(&t, &tm);
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S", &tm);
  hd_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite "
                    "id=\"0\" package=\"heddle\" name=\"");
  hd_text_add_xml(text, r->name);
  hd_text_add(
      text,
      "\" timestamp=\"%s\" hostname=\"localhost\" tests=\"%zu\" failures=\"%d\" errors=\"%d\""
      " skipped=\"%zu\" time=\"%.3f\">\n",
      now, n + error, failure, error, skipped, r->seconds);
  hd_result_tables[HD_RESULTS_RUN].each(r, junit_properties, text);
  for (size_t i = 0; i < n; i++)
    junit_case(r, text, &cases[i]);
  if (error) {
    hd_text_add(text, "    <testcase classname=\"heddle.");
    hd_text_add_xml(text, r->name);
    hd_text_add(
        text,
        "\" name=\"the run came to its end\" time=\"%.3f\">\n      <error type=\"%s\" message=\"",
        r->seconds, hd_run_verdict(r));
    hd_text_add_xml(text, hd_text_chars(&r->message));
    hd_text_add(text, "\"/>\n    </testcase>\n");
  }
  struct hd_text table = {0};
  hd_report_table(r, &table);
  hd_text_add(text, "    <system-out>");
  hd_text_add_xml(text, hd_text_chars(&table));
  hd_text_add(text, "</system-out>\n    <system-err/>\n  </testsuite>\n</testsuites>\n");
  hd_text_fini(&table);
}
