/* Groups the failures of a check, because one bug shows in many runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Failures with the same signature form a group. A group has one example, which is made small and explained step by step.
 * Groups in which the same signal or the same state was wrong first are one kind of difference, whatever port and event
 * showed it. A group for which neither is known counts with the first kind. The result does not depend on the order in
 * which runs end.
 */
#include "check_internal.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ── steps on an example, and their findings ───────────────────────────────── */

static void free_findings(struct check_group *g)
{
#define FORGET(key) free(g->found.key), g->found.key = NULL;
  CHECK_FOUND_LIST(FORGET)
#undef FORGET
}

static void replace(char **text, const struct hd_task_outcome *outcome, const char *key)
{
  const char *found = hd_task_outcome_text(outcome, key);
  if (!found)
    return;
  free(*text);
  *text = hd_xstrdup(found);
}

/* Takes the findings of a step. A key that the step does not have keeps its value. */
static void merge_findings(struct check_group *g, const struct hd_task_outcome *outcome)
{
#define TAKE(key) replace(&g->found.key, outcome, #key);
  CHECK_FOUND_LIST(TAKE)
#undef TAKE
}

static enum check_step first_step(const struct hd_check *c, enum check_kind kind, int status)
{
  if (kind == CHECK_LINT || kind == CHECK_FORMAL || status == HD_E_BUDGET)
    return CHECK_STEP_DONE;
  const bool shrinks = hd_check_is_stream(kind) || c->params->shrink_seconds > 0;
  return shrinks && !c->tape ? CHECK_STEP_SMALL_SOON : CHECK_STEP_EXPLAIN;
}

static enum check_step step_after(const struct hd_check *c, const struct check_group *g)
{
  switch (g->step) {
  case CHECK_STEP_SMALL_SOON:
    return g->found.file ? CHECK_STEP_EXPLAIN : CHECK_STEP_DONE;
  case CHECK_STEP_EXPLAIN:
    return c->params->shrink_seconds > 0 && g->unfinished ? CHECK_STEP_SMALL : CHECK_STEP_DONE;
  case CHECK_STEP_SMALL:
    return g->unfinished ? CHECK_STEP_EXPLAIN_SMALL : CHECK_STEP_DONE;
  default:
    return CHECK_STEP_DONE;
  }
}

static const char *step_name(enum check_step step)
{
  static const char *const names[] = {"shrink soon", "explain", "shrink", "explain small", "none"};
  return names[step];
}

/* Is the group to be shrunk further? Only the first group of each kind is, because the search takes long. */
static bool shrinks_further(const struct hd_check *c, uint32_t i)
{
  return c->groups[i].step == CHECK_STEP_SMALL && c->groups[i].leader == i;
}

double hd_check_shrink_seconds(const struct hd_check *c, enum check_step step)
{
  enum { SOON = 3, RESERVE = 8 };
  const double most = c->params->shrink_seconds;
  uint32_t others = 0;
  if (step == CHECK_STEP_SMALL_SOON)
    return most < SOON ? most : SOON;
  for (uint32_t i = 0; i < c->n_groups; i++)
    others += c->groups[i].step < CHECK_STEP_SMALL || shrinks_further(c, i);
  const double left = (hd_check_left(c) - RESERVE) / (others ? others : 1);
  return left < 0 ? 0 : most < left ? most : left;
}

/* Explanations come before the long searches for smaller examples. */
bool hd_check_group_task(struct hd_check *c, struct hd_task *task)
{
  struct check_group *best = NULL;
  for (uint32_t i = 0; i < c->n_groups; i++) {
    struct check_group *g = &c->groups[i];
    if (g->busy || g->step == CHECK_STEP_DONE ||
        (g->step == CHECK_STEP_SMALL && !shrinks_further(c, i)))
      continue;
    if (g->step == CHECK_STEP_SMALL && hd_check_shrink_seconds(c, g->step) < 1) {
      g->step = CHECK_STEP_DONE;
      continue;
    }
    if (!best || (best->step == CHECK_STEP_SMALL && g->step != CHECK_STEP_SMALL))
      best = g;
  }
  if (!best)
    return false;
  best->busy = true;
  snprintf(c->text, sizeof c->text, "%" PRIu64, best->run);
  *task = (struct hd_task){hd_check_step_order(best->step) | best->run, step_name(best->step),
                           c->text, 1};
  return true;
}

bool hd_check_groups_unfinished(const struct hd_check *c)
{
  for (uint32_t i = 0; i < c->n_groups; i++)
    if (c->groups[i].step < CHECK_STEP_SMALL || c->groups[i].step == CHECK_STEP_EXPLAIN_SMALL)
      return true;
  return false;
}

/* Takes a run as the example of a group. */
static void set_example(struct hd_check *c, struct check_group *g, const struct check_run *run,
                        uint64_t number, const struct hd_task_outcome *outcome)
{
  free_findings(g);
  free(g->sentence);
  g->sentence = hd_xstrdup(outcome->message ? outcome->message : "");
  replace(&g->found.file, outcome, "file");
  g->run = number;
  g->kind = run->kind;
  g->step = first_step(c, run->kind, outcome->status);
  g->busy = g->unfinished = false; /* they were about the previous example, if there was one */
}

/* ── kinds of difference ───────────────────────────────────────────────────── */

static bool is_analysed(const struct check_group *g)
{
  return g->found.suspects || g->found.inside;
}

/* Do two lists of words, separated by blanks, have a word in common? */
static bool share_word(const char *a, const char *b)
{
  for (size_t n; *a; a += n) {
    a += strspn(a, " ");
    n = strcspn(a, " ");
    for (const char *p = b; n && *p; p += strcspn(p, " "), p += strspn(p, " "))
      if (strcspn(p, " ") == n && !memcmp(p, a, n))
        return true;
  }
  return false;
}

static bool are_alike(const struct check_group *a, const struct check_group *b)
{
  if (a->found.suspects && b->found.suspects)
    return share_word(a->found.suspects, b->found.suspects);
  return a->found.inside && b->found.inside && !strcmp(a->found.inside, b->found.inside);
}

/* Rates how much an example shows: a cause most, then a wrong state; a scenario more than a stream. */
static unsigned example_rank(const struct check_group *g)
{
  return (g->found.suspects ? 4u : 0) + (g->found.inside ? 2u : 0) + !hd_check_is_stream(g->kind);
}

/* Gives kind `number` to group `i`, to all groups like it, to all groups like those, and so on. */
static void mark_kind(const struct hd_check *c, uint32_t i, uint32_t number, uint32_t *kind)
{
  kind[i] = number;
  for (uint32_t k = 0; k < c->n_groups; k++)
    if (kind[k] == UINT32_MAX && are_alike(&c->groups[i], &c->groups[k]))
      mark_kind(c, k, number, kind);
}

static void join_kinds(struct hd_check *c)
{
  uint32_t kind[CHECK_GROUPS], n = 0;
  memset(kind, 0xff, sizeof kind);
  for (uint32_t i = 0; i < c->n_groups; i++)
    if (kind[i] == UINT32_MAX && is_analysed(&c->groups[i]))
      mark_kind(c, i, n++, kind);
  for (uint32_t i = 0; i < c->n_groups; i++)
    kind[i] = kind[i] == UINT32_MAX ? 0 : kind[i]; /* not analysed: it counts with the first kind */
  for (uint32_t i = 0; i < c->n_groups; i++) {
    uint32_t leader = i;
    for (uint32_t k = 0; k < c->n_groups; k++)
      if (kind[k] == kind[i] &&
          (example_rank(&c->groups[k]) > example_rank(&c->groups[leader]) ||
           (example_rank(&c->groups[k]) == example_rank(&c->groups[leader]) && k < leader)))
        leader = k;
    c->groups[i].leader = leader;
  }
}

static int by_example(const void *a, const void *b)
{
  const struct check_group *x = a, *y = b;
  return x->run < y->run ? -1 : x->run > y->run;
}

/* Is the run a better example than the present one? Random scenarios are better, then lower numbers. So the example does
 * not depend on the order in which runs end. */
static bool shows_better(const struct check_group *g, const struct check_run *run, uint64_t number)
{
  bool is = hd_check_is_random(g->kind), would = hd_check_is_random(run->kind);
  return is == would ? number < g->run : would;
}

void hd_check_group_add(struct hd_check *c, const struct check_run *run, uint64_t number,
                        const struct hd_task_outcome *outcome)
{
  const char *signature = outcome->signature ? outcome->signature : "unknown";
  uint32_t i = 0;
  while (i < c->n_groups && strcmp(c->groups[i].signature, signature) != 0)
    i++;
  if (i == CHECK_GROUPS) {
    c->ungrouped++;
    return;
  }
  struct check_group *g = &c->groups[i];
  if (i == c->n_groups) {
    *g = (struct check_group){.signature = hd_xstrdup(signature)};
    c->n_groups++;
  }
  if (!g->n++ || shows_better(g, run, number))
    set_example(c, g, run, number, outcome);
  qsort(c->groups, c->n_groups, sizeof *c->groups, by_example);
  join_kinds(c);
}

void hd_check_group_step(struct hd_check *c, uint64_t number, enum check_step step,
                         const struct hd_task_outcome *outcome)
{
  for (uint32_t i = 0; i < c->n_groups; i++) {
    struct check_group *g = &c->groups[i];
    const struct hd_value *unfinished = hd_task_outcome_find(outcome, "unfinished");
    if (g->run != number || g->step != step || g->step == CHECK_STEP_DONE)
      continue;
    g->busy = false;
    merge_findings(g, outcome);
    if (unfinished || step == CHECK_STEP_SMALL)
      g->unfinished = unfinished && unfinished->number;
    g->step = step_after(c, g);
    join_kinds(c);
    return;
  }
}

uint32_t hd_check_groups_kinds(const struct hd_check *c)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->n_groups; i++)
    n += c->groups[i].leader == i;
  return n;
}

void hd_check_groups_free(struct hd_check *c)
{
  for (uint32_t i = 0; i < c->n_groups; i++) {
    struct check_group *g = &c->groups[i];
    free_findings(g);
    free(g->signature);
    free(g->sentence);
  }
}
