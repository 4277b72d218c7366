/* Plants each fault of the list in a copy of the RTL, builds it, and tries its rig on it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "suite.h"

#include "plant.h"

#include <stdlib.h>
#include <string.h>

struct work {
  const struct suite *suite;
  const struct fault_list *list;
  struct outcome *outcomes; /* named before */
};

static void try_rtl(const struct suite *suite, const char *rtl, const struct rig *rig,
                    struct outcome *o)
{
  struct hd_backend_options options = {.rtl_dir = rtl, .cache_dir = suite->cache, .quick = true};
  struct hd_backend backend;
  struct hd_error err = {""};
  int status = hd_backend_open(&backend, suite->dut, &rig->sw, &options, &err);
  if (!status) {
    status = rig_try(rig, backend.ops, backend.options, suite->seed, &o->finding, &err);
    hd_backend_close(&backend);
  }
  outcome_judge(o, status, &err);
}

static bool wants_fault(void *context, size_t index)
{
  const struct work *w = context;
  return suite_wants(w->suite, w->outcomes[index].name);
}

static void describe_fault(void *context, size_t index, struct hd_text *text)
{
  const struct work *w = context;
  const struct fault *f = &w->list->faults[index];
  hd_text_add(text, "%s %s %s\n- %s\n+ %s", f->name, f->rig, f->file, f->old_text, f->new_text);
}

static int take(void *context, size_t index, const struct hd_task_outcome *from,
                struct hd_error *err)
{
  const struct work *w = context;
  (void)err;
  outcome_take(&w->outcomes[index], from);
  return 0;
}

static void try_fault(void *context, size_t index, struct hd_task_outcome *to)
{
  const struct work *w = context;
  const struct fault *fault = &w->list->faults[index];
  struct outcome *o = &w->outcomes[index];
  const struct rig *rig = rig_find(fault->rig);
  char copy[1024];
  struct hd_error err = {""};
  int status = 0;
  snprintf(copy, sizeof copy, "%s/rtl/%s", w->suite->directory, fault->name);
  if (!rig)
    status = hd_fail(&err, HD_E_INPUT, "%s:%u: no rig is called %s", fault->list, fault->line,
                     fault->rig);
  if (!status)
    status = fault_plant(fault, "rtl", copy, &err);
  if (status)
    outcome_judge(o, status, &err);
  else
    try_rtl(w->suite, copy, rig, o);
  outcome_put(o, to);
}

/* Without a fault no rig may find anything, or the score would mean nothing. */
static void try_sound(void *context, size_t index, struct hd_task_outcome *to)
{
  const struct work *w = context;
  struct outcome *o = &w->outcomes[index];
  try_rtl(w->suite, "rtl", rig_at((unsigned)index), o);
  if (o->verdict == VERDICT_SURVIVED) {
    o->verdict = VERDICT_FOUND; /* what it was to show */
  } else if (o->verdict != VERDICT_FAILED) {
    snprintf(o->text, sizeof o->text,
             "the RTL without a fault differs from the model (%s stimulus, cycle %llu, switch %u)",
             o->finding.stimulus, (unsigned long long)o->finding.decoupled.cycle,
             o->finding.decoupled.sw);
    o->verdict = VERDICT_FAILED;
    o->status = HD_E_DIVERGENCE;
  }
  outcome_put(o, to);
}

static void describe_rig(void *context, size_t index, struct hd_text *text)
{
  (void)context;
  hd_text_add(text, "%s", rig_at((unsigned)index)->name);
}

int run_sound(const struct suite *suite, unsigned *passed, unsigned *failed, struct hd_error *err)
{
  size_t n = 0;
  while (rig_at((unsigned)n))
    n++;
  struct outcome *outcomes = calloc(n, sizeof *outcomes);
  if (!outcomes)
    return hd_fail(err, HD_E_NOMEM, "no memory for outcomes");
  struct work work = {suite, NULL, outcomes};
  const struct study_tasks tasks = {.kind = "rigs",
                                    .n = n,
                                    .context = &work,
                                    .describe = describe_rig,
                                    .run_task = try_sound,
                                    .ended = take};
  for (size_t i = 0; i < n; i++)
    snprintf(outcomes[i].name, sizeof outcomes[i].name, "rig %s", rig_at((unsigned)i)->name);
  int status = suite_each(suite, &tasks, err);
  if (!status)
    puts("Without a fault: no rig may find a difference.");
  for (size_t i = 0; !status && i < n; i++) {
    bool good = outcomes[i].verdict == VERDICT_FOUND;
    printf("%s %-13s %10llu compared, %.1f s  %s%s%s\n", good ? "ok    " : "NOT OK",
           outcomes[i].name, (unsigned long long)outcomes[i].finding.compared, outcomes[i].seconds,
           rig_at((unsigned)i)->about, good ? "" : ": ", outcomes[i].text);
    *passed += good;
    *failed += !good;
  }
  free(outcomes);
  return status;
}

/* Those of the suite's part come first; how many. */
static size_t take_part(const struct suite *suite, struct fault_list *list)
{
  size_t n = 0;
  for (size_t i = suite->part; i < list->n; i += suite->parts) {
    struct fault swap = list->faults[n];
    list->faults[n++] = list->faults[i];
    list->faults[i] = swap;
  }
  return n;
}

int run_faults(const struct suite *suite, struct score *score, struct hd_error *err)
{
  struct fault_list list = {0};
  int status = 0;
  for (unsigned i = 0; !status && i < sizeof suite->lists / sizeof *suite->lists; i++)
    if (suite->lists[i])
      status = fault_list_read(&list, suite->lists[i], err);
  size_t n = status ? 0 : take_part(suite, &list);
  struct outcome *outcomes = status ? NULL : calloc(n + !n, sizeof *outcomes);
  struct work work = {suite, &list, outcomes};
  const struct study_tasks tasks = {.kind = "faults",
                                    .n = n,
                                    .context = &work,
                                    .wanted = wants_fault,
                                    .describe = describe_fault,
                                    .run_task = try_fault,
                                    .ended = take};
  if (!status && !outcomes)
    status = hd_fail(err, HD_E_NOMEM, "no memory for outcomes");
  for (size_t i = 0; !status && i < n; i++) {
    snprintf(outcomes[i].name, sizeof outcomes[i].name, "%s", list.faults[i].name);
    snprintf(outcomes[i].rig, sizeof outcomes[i].rig, "%s", list.faults[i].rig);
    snprintf(outcomes[i].what, sizeof outcomes[i].what, "%s", list.faults[i].what);
  }
  if (!status)
    status = suite_each(suite, &tasks, err);
  if (!status) {
    printf("\n%-29s %-8s %-10s %-14s %-9s %6s %6s  %s\n", "fault", "rig", "verdict", "by", "at a",
           "cycle", "switch", "what is wrong");
    for (size_t i = 0; i < n; i++)
      if (suite_wants(suite, outcomes[i].name))
        outcome_print(&outcomes[i], stdout);
    *score = outcomes_score(outcomes, n, "faults", stdout);
    status = outcomes_write(outcomes, n, suite->directory, "faults", suite->seed, err);
  }
  free(outcomes);
  fault_list_fini(&list);
  return status;
}
