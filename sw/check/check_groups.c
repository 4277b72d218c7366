/* Failures of a check, alike ones together: a bug shows in many runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Failures with one signature have one example. Random examples and streams are made small and say which
 * state inside was wrong first. Groups in which that is the same state are one kind of difference, whatever
 * the port and the event in which it showed. None of it depends on the order in which runs end.
 */
#include "check_internal.h"

#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
  return text ? strdup(text) : NULL;
}

static const char *text_of(const struct hd_task_outcome *outcome, const char *key)
{
  const struct hd_value *value = hd_task_outcome_find(outcome, key);
  return value && (value->type == HD_VALUE_TEXT || value->type == HD_VALUE_WORD) ? value->text
                                                                                 : NULL;
}

static bool is_random(enum check_kind kind)
{
  return kind == CHECK_RANDOM || kind == CHECK_EVERY_CYCLE;
}

static bool can_shrink(enum check_kind kind)
{
  return is_random(kind) || kind == CHECK_STREAM;
}

static void forget_small(struct check_group *g)
{
  char **const owned[] = {&g->file, &g->inside, &g->first_wrong, &g->small, &g->waves};
  for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
    free(*owned[k]);
    *owned[k] = NULL;
  }
}

/* Takes a run as the example of a group. Random ones and streams can be made small. */
static void show(struct hd_check *c, struct check_group *g, const struct check_run *run,
                 uint64_t number, const struct hd_task_outcome *outcome)
{
  forget_small(g);
  free(g->sentence);
  g->sentence = copy(outcome->message ? outcome->message : "");
  g->file = copy(text_of(outcome, "file"));
  g->run = number;
  g->kind = run->kind;
  g->shrunk = !can_shrink(g->kind) || !(c->params->shrink_seconds > 0);
  g->shrinking = false; /* of another example, if any */
  c->no_memory |= !g->sentence;
}

/* Are two groups one kind of difference? Streams of which no state is known are. */
static bool alike(const struct check_group *a, const struct check_group *b)
{
  if (a->inside || b->inside)
    return a->inside && b->inside && !strcmp(a->inside, b->inside);
  return a->kind == CHECK_STREAM && b->kind == CHECK_STREAM;
}

/* The first group like group `i`: a scenario, if there is one, because its run has a report. */
static uint32_t leader(const struct hd_check *c, uint32_t i)
{
  for (int streams = 0; streams < 2; streams++)
    for (uint32_t k = 0; k < c->n_groups; k++)
      if ((k == i || alike(&c->groups[k], &c->groups[i])) &&
          (streams || c->groups[k].kind != CHECK_STREAM))
        return k;
  return i;
}

static bool is_unknown_stream(const struct check_group *g)
{
  return g->kind == CHECK_STREAM && !g->inside;
}

static void join(struct hd_check *c)
{
  uint32_t n = 0, known = 0;
  for (uint32_t i = 0; i < c->n_groups; i++) {
    c->groups[i].leader = leader(c, i);
    if (c->groups[i].leader == i && !is_unknown_stream(&c->groups[i])) {
      known = i;
      n++;
    }
  }
  /* Where there is but one kind besides, streams without a state are taken for it. */
  for (uint32_t i = 0; n == 1 && i < c->n_groups; i++)
    if (is_unknown_stream(&c->groups[i]))
      c->groups[i].leader = known;
}

static int by_example(const void *a, const void *b)
{
  const struct check_group *x = a, *y = b;
  return x->run < y->run ? -1 : x->run > y->run;
}

/* What a group shows does not depend on who came first: a random scenario, then the lowest number. */
static bool shows_better(const struct check_group *g, const struct check_run *run, uint64_t number)
{
  bool is = is_random(g->kind), would = is_random(run->kind);
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
    char *named = copy(signature);
    if (!named) {
      c->no_memory = true;
      return;
    }
    *g = (struct check_group){.signature = named};
    c->n_groups++;
  }
  if (!g->n++ || shows_better(g, run, number))
    show(c, g, run, number, outcome);
  qsort(c->groups, c->n_groups, sizeof *c->groups, by_example);
  join(c);
}

void hd_check_group_shrunk(struct hd_check *c, uint64_t number,
                           const struct hd_task_outcome *outcome)
{
  for (uint32_t i = 0; i < c->n_groups; i++) {
    struct check_group *g = &c->groups[i];
    if (g->run != number || g->shrunk)
      continue;
    g->shrunk = true;
    g->shrinking = false;
    if (!text_of(outcome, "file"))
      return;
    forget_small(g);
    g->file = copy(text_of(outcome, "file"));
    g->small = copy(text_of(outcome, "small"));
    g->inside = copy(text_of(outcome, "inside"));
    g->first_wrong = copy(text_of(outcome, "first_wrong"));
    g->waves = copy(text_of(outcome, "waves"));
    join(c);
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
    forget_small(g);
    free(g->signature);
    free(g->sentence);
  }
}
