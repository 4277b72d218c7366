/* Plants each fault of the list in a copy of the RTL, builds it, and tries its rig on it. Those of a rig share a
 * copy where they can be chosen in it (together.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "suite.h"

#include "../../bridge/host/file.h"
#include "../../bridge/host/memory.h"
#include "together.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_TOGETHER = 4, MOST_RIGS = 64 };

struct work {
  const struct suite *suite;
  const struct fault_list *list;
  struct outcome *outcomes; /* named before */
  unsigned *numbers;        /* of each fault among those planted together; 0: by itself */
  /* Rigs some of whose faults are planted together, and a hash of these. */
  struct shared {
    const struct rig *rig;
    uint64_t faults;
  } shared[MOST_RIGS];
  size_t n_shared;
};

static void try_rtl(const struct suite *suite, const char *rtl, const char *plusarg,
                    const struct rig *rig, struct outcome *o)
{
  struct hd_backend_options options = {.rtl_dir = rtl, .cache_dir = suite->cache, .quick = true};
  struct hd_backend backend;
  struct hd_error err = {""};
  int status = hd_backend_open(&backend, suite->dut, &rig->sw, &options, &err);
  if (!status) {
    status = rig_try(rig, backend.ops, plusarg ? plusarg : backend.options, suite->seed,
                     &o->finding, &err);
    hd_backend_close(&backend);
  }
  outcome_judge(o, status, &err);
}

static bool wants_fault(void *context, size_t index)
{
  const struct work *w = context;
  return suite_wants(w->suite, w->outcomes[index].name);
}

static void describe(const struct fault *f, struct hd_text *text)
{
  hd_text_add(text, "%s %s %s\n- %s\n+ %s", f->name, f->rig, f->file, f->old_text, f->new_text);
}

static void describe_fault(void *context, size_t index, struct hd_text *text)
{
  const struct work *w = context;
  describe(&w->list->faults[index], text);
}

static int take(void *context, size_t index, const struct hd_task_outcome *from,
                struct hd_error *err)
{
  const struct work *w = context;
  (void)err;
  outcome_take(&w->outcomes[index], from);
  return 0;
}

static void shared_directory(const struct suite *suite, const struct rig *rig, char *path,
                             size_t size)
{
  snprintf(path, size, "%s/rtl/together-%s", suite->directory, rig->name);
}

static void try_fault(void *context, size_t index, struct hd_task_outcome *to)
{
  const struct work *w = context;
  const struct fault *fault = &w->list->faults[index];
  struct outcome *o = &w->outcomes[index];
  const struct rig *rig = rig_find(fault->rig);
  char copy[1024], plusarg[32];
  struct hd_error err = {""};
  int status = 0;
  if (w->numbers[index]) {
    shared_directory(w->suite, rig, copy, sizeof copy);
    snprintf(plusarg, sizeof plusarg, "+fault=%u", w->numbers[index]);
    try_rtl(w->suite, copy, plusarg, rig, o);
    outcome_put(o, to);
    return;
  }
  snprintf(copy, sizeof copy, "%s/rtl/%s", w->suite->directory, fault->name);
  if (!rig)
    status = hd_fail(&err, HD_E_INPUT, "%s:%u: no rig is called %s", fault->list, fault->line,
                     fault->rig);
  if (!status)
    status = fault_plant(fault, "rtl", copy, &err);
  if (status)
    outcome_judge(o, status, &err);
  else
    try_rtl(w->suite, copy, NULL, rig, o);
  outcome_put(o, to);
}

/* Moves the faults of the suite's part to the front; returns their number. */
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

/* ── faults that share a copy ──────────────────────────────────────────────── */

/* Plants those of a rig in one copy, where there are enough of them. */
static int share(struct work *w, size_t n, const struct rig *rig, struct hd_error *err)
{
  char copy[1024];
  size_t used = 0, *indices = hd_xcalloc(n + 1, sizeof *indices);
  const struct fault **faults = hd_xcalloc(n + 1, sizeof *faults);
  unsigned *numbers = hd_xcalloc(n + 1, sizeof *numbers);
  int status = 0;
  for (size_t i = 0; i < n; i++)
    if (wants_fault(w, i) && !strcmp(w->list->faults[i].rig, rig->name)) {
      indices[used] = i;
      faults[used++] = &w->list->faults[i];
    }
  if (used >= LEAST_TOGETHER) {
    struct hd_text text = {0};
    shared_directory(w->suite, rig, copy, sizeof copy);
    status = faults_plant_together(faults, used, "rtl", copy, numbers, err);
    for (size_t i = 0; i < used; i++) {
      w->numbers[indices[i]] = numbers[i];
      if (numbers[i])
        describe(faults[i], &text);
    }
    if (!status && text.length)
      w->shared[w->n_shared++] = (struct shared){rig, hd_hash_bytes(text.chars, text.length, 1)};
    hd_text_fini(&text);
  }
  free(numbers);
  free(faults);
  free(indices);
  return status;
}

static int share_all(struct work *w, size_t n, struct hd_error *err)
{
  int status = 0;
  for (unsigned i = 0; !status && rig_at(i) && i < MOST_RIGS; i++)
    status = share(w, n, rig_at(i), err);
  return status;
}

/* ── rigs without a fault ──────────────────────────────────────────────────── */

/* NULL: none of its faults are planted together. */
static const struct shared *shared_of(const struct work *w, const struct rig *rig)
{
  for (size_t i = 0; i < w->n_shared; i++)
    if (w->shared[i].rig == rig)
      return &w->shared[i];
  return NULL;
}

/* Without a fault no rig may find anything, or the score would mean nothing. Where faults share a copy, that is
 * the RTL of which none is chosen: what is sound there is sound without them. */
static void try_sound(void *context, size_t index, struct hd_task_outcome *to)
{
  const struct work *w = context;
  const struct rig *rig = rig_at((unsigned)index);
  bool shared = shared_of(w, rig) != NULL;
  char copy[1024];
  struct outcome o = {0};
  shared_directory(w->suite, rig, copy, sizeof copy);
  try_rtl(w->suite, shared ? copy : "rtl", shared ? "+fault=0" : NULL, rig, &o);
  if (o.verdict == VERDICT_SURVIVED) {
    o.verdict = VERDICT_FOUND; /* what it was to show */
  } else if (o.verdict != VERDICT_FAILED) {
    snprintf(
        o.text, sizeof o.text,
        "the RTL without a fault differs from the model (%s stimulus, cycle %llu, switch %u)%s",
        o.finding.stimulus, (unsigned long long)o.finding.decoupled.cycle, o.finding.decoupled.sw,
        shared ? "; its faults are planted together, of which none is chosen: try --alone" : "");
    o.verdict = VERDICT_FAILED;
    o.status = HD_E_DIVERGENCE;
  }
  outcome_put(&o, to);
}

/* Returns true if one of the faults that --only names uses the rig. */
static bool wants_rig(void *context, size_t index)
{
  const struct work *w = context;
  return !w->suite->only || shared_of(w, rig_at((unsigned)index));
}

static void describe_rig(void *context, size_t index, struct hd_text *text)
{
  const struct work *w = context;
  const struct rig *rig = rig_at((unsigned)index);
  const struct shared *s = shared_of(w, rig);
  hd_text_add(text, "%s", rig->name);
  if (s)
    hd_text_add(text, ", none of faults %016" PRIx64, s->faults);
}

static int run_sound(const struct work *w, unsigned *passed, unsigned *failed, struct hd_error *err)
{
  struct work sound = *w;
  size_t n = 0;
  bool any = false;
  for (; rig_at((unsigned)n); n++)
    any = any || wants_rig(&sound, n);
  if (!any)
    return 0;
  sound.outcomes = hd_xcalloc(n, sizeof *sound.outcomes);
  const struct hd_study_tasks tasks = {.kind = "rigs",
                                       .n = n,
                                       .context = &sound,
                                       .wanted = wants_rig,
                                       .describe = describe_rig,
                                       .run_task = try_sound,
                                       .ended = take};
  int status = suite_each(w->suite, &tasks, err);
  if (!status)
    puts("Without a fault: no rig may find a difference.");
  for (size_t i = 0; !status && i < n; i++) {
    const struct outcome *o = &sound.outcomes[i];
    bool good = o->verdict == VERDICT_FOUND;
    if (!wants_rig(&sound, i))
      continue;
    printf("%s rig %-17s %10llu compared, %.1f s  %s%s%s\n", good ? "ok    " : "NOT OK",
           rig_at((unsigned)i)->name, (unsigned long long)o->finding.compared, o->seconds,
           rig_at((unsigned)i)->about, good ? "" : ": ", o->text);
    *passed += good;
    *failed += !good;
  }
  free(sound.outcomes);
  return status;
}

int run_faults(const struct suite *suite, struct score *score, unsigned *passed, unsigned *failed,
               struct hd_error *err)
{
  struct fault_list list = {0};
  int status = 0;
  for (unsigned i = 0; !status && i < sizeof suite->lists / sizeof *suite->lists; i++)
    if (suite->lists[i])
      status = fault_list_read(&list, suite->lists[i], err);
  size_t n = status ? 0 : take_part(suite, &list);
  struct outcome *outcomes = hd_xcalloc(n, sizeof *outcomes);
  struct work work = {.suite = suite,
                      .list = &list,
                      .outcomes = outcomes,
                      .numbers = hd_xcalloc(n, sizeof *work.numbers)};
  const struct hd_study_tasks tasks = {.kind = "faults",
                                       .n = n,
                                       .context = &work,
                                       .wanted = wants_fault,
                                       .describe = describe_fault,
                                       .run_task = try_fault,
                                       .ended = take};
  for (size_t i = 0; !status && i < n; i++) {
    snprintf(outcomes[i].name, sizeof outcomes[i].name, "%s", list.faults[i].name);
    snprintf(outcomes[i].rig, sizeof outcomes[i].rig, "%s", list.faults[i].rig);
    snprintf(outcomes[i].what, sizeof outcomes[i].what, "%s", list.faults[i].what);
  }
  if (!status && !suite->alone && !strcmp(suite->dut, "verilator")) /* others have no plusargs */
    status = share_all(&work, n, err);
  if (!status)
    status = run_sound(&work, passed, failed, err);
  if (!status)
    status = suite_each(suite, &tasks, err);
  if (!status) {
    printf("\n%-29s %-8s %-10s %-14s %-9s %6s %6s  %s\n", "fault", "rig", "verdict", "by", "at a",
           "cycle", "switch", "what is wrong");
    for (size_t i = 0; i < n; i++)
      if (suite_wants(suite, outcomes[i].name))
        outcome_print(&outcomes[i], stdout);
    *score = outcomes_score(outcomes, n, stdout);
    status = outcomes_write(outcomes, n, suite->directory, suite->seed, err);
  }
  free(work.numbers);
  free(outcomes);
  fault_list_fini(&list);
  return status;
}
