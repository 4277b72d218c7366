/* Writes the results of a run as JUnit XML.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"

static bool some_fault_struck(const struct hd_run_report *r)
{
  bool some = false;
  for (uint32_t i = 0; i < r->n_faults; i++)
    some |= r->faults[i].struck;
  return some;
}

/* Why a case was not judged, or NULL. A run that failed before its end was judged up to there: it has met
 * no deadlock, but it might have, and its budgets are not known. */
static const char *not_judged(const struct hd_run_report *r, int of)
{
  const bool whole = r->status == HD_OK || r->status == HD_E_BUDGET;
  if (!r->has_result)
    return "the run was cut off";
  if (whole || r->status == of)
    return NULL;
  if (r->status == HD_E_NOTHING)
    return of == HD_E_BUDGET ? "nothing was compared" : NULL;
  return "the run failed before it could be judged";
}

static const char *not_judged_faults(const struct hd_run_report *r)
{
  if (r->has_result && !r->n_faults)
    return "the scenario has no faults";
  if (r->has_result && !some_fault_struck(r))
    return "the run ended before the first fault";
  if (r->status == HD_OK && r->n_unreachable)
    return "members are cut off, and software went on without them";
  return not_judged(r, HD_E_FAULT);
}

struct junit_writer {
  struct hd_text *text;
  const struct hd_run_report *report;
};

static void write_suite(void *context, const struct hd_value *values)
{
  static const char cut_off[] = "the run was cut off";
  const struct junit_writer *w = context;
  const struct hd_run_report *r = w->report;
  const bool ended = r->has_result;
  const struct hd_result_table *t = &hd_result_tables[HD_RESULTS_RUN];
  struct hd_text classname = {0}, detail = {0}, output = {0}, agree = {0};
  hd_text_add(&agree, "%s and %s agree", r->of_rtl ? "RTL" : "DUT", hd_run_reference(r));
  const char *alone = ended ? "the model ran alone" : cut_off;
  const char *nothing = "nothing was compared";
  const struct {
    const char *name;
    int status;          /* the run's status that fails this case */
    const char *why_not; /* why the case is skipped, or NULL */
  } all[] = {
      {hd_text_chars(&agree), HD_E_DIVERGENCE,
       !r->compared ? alone
       : r->nothing ? nothing
                    : NULL},
      {"something was compared", HD_E_NOTHING,
       !r->compared                              ? alone
       : r->nothing && r->status != HD_E_NOTHING ? "the run failed before anything was compared"
                                                 : NULL},
      {"no deadlock or livelock", HD_E_DEADLOCK, not_judged(r, HD_E_DEADLOCK)},
      {"budgets and delivery", HD_E_BUDGET, not_judged(r, HD_E_BUDGET)},
      {"faults cut nobody off", HD_E_FAULT, not_judged_faults(r)},
  };
  enum { N = sizeof all / sizeof *all };
  struct hd_junit_case cases[N + 1];
  bool failure = false;
  if (r->explained)
    hd_explain_divergence(&r->explanation, &detail);
  hd_text_add(&detail, "%s", hd_text_chars(&r->wait));
  for (size_t i = 0; i < N; i++) {
    const bool fails = !all[i].why_not && r->status == all[i].status;
    failure |= fails;
    cases[i] = (struct hd_junit_case){.name = all[i].name,
                                      .seconds = all[i].why_not ? 0 : r->seconds,
                                      .skipped = all[i].why_not,
                                      .kind = fails ? hd_run_status_name(r->status) : NULL,
                                      .message = hd_text_chars(&r->message),
                                      .detail = hd_text_chars(&detail)};
  }
  cases[N] = (struct hd_junit_case){.name = "the run came to its end",
                                    .seconds = r->seconds,
                                    .kind = hd_run_verdict(r),
                                    .message = hd_text_chars(&r->message),
                                    .error = true};
  hd_text_add(&classname, "heddle.%s", r->name);
  hd_report_table(r, &output);
  hd_junit_add(&(struct hd_junit){.name = r->name,
                                  .classname = hd_text_chars(&classname),
                                  .seconds = r->seconds,
                                  .columns = t->columns,
                                  .values = values,
                                  .n_columns = t->n,
                                  .cases = cases,
                                  .n = r->status && !failure ? N + 1 : N,
                                  .output = hd_text_chars(&output)},
               w->text);
  hd_text_fini(&classname);
  hd_text_fini(&detail);
  hd_text_fini(&output);
  hd_text_fini(&agree);
}

void hd_report_junit(const struct hd_run_report *r, struct hd_text *text)
{
  struct junit_writer w = {text, r};
  hd_result_tables[HD_RESULTS_RUN].each(r, write_suite, &w);
}
