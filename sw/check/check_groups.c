/* Failures of a check, alike ones together: a bug shows in many runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Failures with one signature have one example. Random examples are made small and say which state inside
 * was wrong first. Groups in which that is the same state are one kind of difference, whatever the port
 * and the event in which it showed.
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

/* Takes a run as the example of a group. Random ones can be made small. */
static void show(struct hd_check *c, struct check_group *g, const struct check_run *run,
                 uint64_t number, const struct hd_task_outcome *outcome)
{
  free(g->sentence);
  free(g->file);
  g->sentence = copy(outcome->message ? outcome->message : "");
  g->file = copy(text_of(outcome, "file"));
  g->run = number;
  g->kind = run->kind;
  g->shrunk = !is_random(g->kind) || !(c->params->shrink_seconds > 0);
  c->no_memory |= !g->sentence;
}

/* The first group like group `i`: itself, or one before it. */
static uint32_t leader(const struct hd_check *c, uint32_t i)
{
  const struct check_group *g = &c->groups[i];
  for (uint32_t k = 0; k < i; k++) {
    const struct check_group *other = &c->groups[k];
    if (g->kind == CHECK_STREAM ? other->kind == CHECK_STREAM
                                : g->inside && other->inside && !strcmp(g->inside, other->inside))
      return k;
  }
  return i;
}

static void join(struct hd_check *c)
{
  uint32_t n = 0, scenario = 0;
  for (uint32_t i = 0; i < c->n_groups; i++) {
    c->groups[i].leader = leader(c, i);
    if (c->groups[i].leader == i && c->groups[i].kind != CHECK_STREAM) {
      scenario = i;
      n++;
    }
  }
  /* Streams show no state inside. Where there is but one kind besides, they are taken for it. */
  for (uint32_t i = 0; n == 1 && i < c->n_groups; i++)
    if (c->groups[i].kind == CHECK_STREAM)
      c->groups[i].leader = scenario;
}

void check_group_add(struct hd_check *c, const struct check_run *run, uint64_t number,
                     const struct hd_task_outcome *outcome)
{
  const char *signature = outcome->signature ? outcome->signature : "unknown";
  for (uint32_t i = 0; i < c->n_groups; i++)
    if (!strcmp(c->groups[i].signature, signature)) {
      c->groups[i].n++;
      if (is_random(run->kind) && !is_random(c->groups[i].kind))
        show(c, &c->groups[i], run, number, outcome);
      join(c);
      return;
    }
  if (c->n_groups == CHECK_GROUPS) {
    c->ungrouped++;
    return;
  }
  struct check_group *g = &c->groups[c->n_groups];
  *g = (struct check_group){.signature = copy(signature), .n = 1};
  show(c, g, run, number, outcome);
  c->n_groups++;
  c->no_memory |= !g->signature;
  join(c);
}

void check_group_shrunk(struct hd_check *c, uint64_t number, const struct hd_task_outcome *outcome)
{
  for (uint32_t i = 0; i < c->n_groups; i++) {
    struct check_group *g = &c->groups[i];
    if (g->run != number || g->shrunk)
      continue;
    g->shrunk = true;
    g->shrinking = false;
    if (!text_of(outcome, "file"))
      return;
    free(g->file);
    g->file = copy(text_of(outcome, "file"));
    g->small = copy(text_of(outcome, "small"));
    g->inside = copy(text_of(outcome, "inside"));
    g->waves = copy(text_of(outcome, "waves"));
    join(c);
    return;
  }
}

uint32_t check_groups_kinds(const struct hd_check *c)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->n_groups; i++)
    n += c->groups[i].leader == i;
  return n;
}

void check_groups_free(struct hd_check *c)
{
  for (uint32_t i = 0; i < c->n_groups; i++) {
    struct check_group *g = &c->groups[i];
    char *const owned[] = {g->signature, g->sentence, g->file, g->inside, g->small, g->waves};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
      free(owned[k]);
  }
}
