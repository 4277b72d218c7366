/* Collects grants and state for the explanation of a divergence, by replaying the switch.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the cycle of the decision that became visible in the divergent cycle. A grant in cycle
 * s is visible in s+2+D, a pop in s+1 (§2.2), quiescent_o and errors one cycle after their
 * cause. */
static uint64_t decision_cycle(const struct hd_explanation *e)
{
  const struct hd_divergence *d = &e->divergence;
  bool output = d->difference == HD_DIFF_FLIT ||
                (d->difference == HD_DIFF_UNKNOWN && !strncmp(d->unknown.name, "out_", 4));
  uint64_t back = output ? 2 + hd_switch_grant_stages(&e->sw) : 1;
  return e->divergence.cycle > back ? e->divergence.cycle - back : 0;
}

/* The last cycle whose grants are shown. A pop shows as a credit before the popped flit reaches
 * its output, and readers want to see that flit. */
static uint64_t last_cycle(const struct hd_explanation *e)
{
  bool credit = e->divergence.difference == HD_DIFF_CREDIT;
  return e->divergence.cycle + (credit ? 1 + hd_switch_grant_stages(&e->sw) : 0);
}

static struct hd_explain_grant *grant_room(struct hd_explanation *e)
{
  if (e->n_grants == HD_EXPLAIN_GRANTS)
    memmove(e->grants, e->grants + 1, --e->n_grants * sizeof *e->grants);
  return &e->grants[e->n_grants++];
}

static bool same_flit(const struct hd_flit_event *a, const struct hd_flit_event *b)
{
  return a->port == b->port && a->vc == b->vc && a->kind == b->kind && a->data == b->data;
}

static bool is_recent(const struct hd_explanation *e, uint64_t cycle)
{
  return cycle + HD_EXPLAIN_CYCLES > e->divergence.cycle;
}

/* Shows older flits only at the output that differs, since they moved its pointers and credits. */
static bool is_shown(const struct hd_explanation *e, uint64_t cycle,
                     const struct hd_flit_event *flit)
{
  return is_recent(e, cycle) ||
         (e->divergence.difference == HD_DIFF_FLIT && flit->port == e->divergence.port);
}

static void drop_old_grants(struct hd_explanation *e)
{
  uint32_t old = 0;
  while (old < e->n_grants && !is_recent(e, e->grants[old].cycle))
    old++;
  if (old <= HD_EXPLAIN_OLDER)
    return;
  uint32_t drop = old - HD_EXPLAIN_OLDER;
  e->n_grants -= drop;
  memmove(e->grants, e->grants + drop, e->n_grants * sizeof *e->grants);
}

int hd_explain_look(void *context, const struct hd_replay_cycle *c)
{
  struct hd_explanation *e = context;
  e->has_dut |= c->has_dut;
  if (c->cycle == e->state_cycle && c->model) {
    e->state = *c->model;
    e->has_replay = true;
    /* The credit belongs to the flit that was at its channel's front then. */
    if (e->divergence.difference == HD_DIFF_CREDIT)
      e->divergence.packet = c->front;
  }
  if (c->cycle > last_cycle(e))
    return HD_OK;
  if (c->config && c->cycle < e->divergence.cycle) {
    if (e->n_writes == HD_EXPLAIN_WRITES)
      memmove(e->writes, e->writes + 1, --e->n_writes * sizeof *e->writes);
    e->writes[e->n_writes++] =
        (struct hd_explain_write){c->cycle, c->config->addr, c->config->data};
  }
  if (c->cycle + HD_EXPLAIN_BACK < e->divergence.cycle)
    return HD_OK;
  uint32_t first = e->n_grants;
  for (uint32_t i = 0; i < c->n_model_flits; i++) {
    if (!is_shown(e, c->cycle, &c->model_flits[i]))
      continue;
    bool full = e->n_grants == HD_EXPLAIN_GRANTS;
    *grant_room(e) =
        (struct hd_explain_grant){.cycle = c->cycle, .flit = c->model_flits[i], .by_model = true};
    first -= full && first;
  }
  for (uint32_t i = 0; i < c->n_dut_flits; i++) {
    bool found = false;
    if (!is_shown(e, c->cycle, &c->dut_flits[i]))
      continue;
    for (uint32_t j = first; j < e->n_grants && !found; j++)
      if (same_flit(&e->grants[j].flit, &c->dut_flits[i]))
        found = e->grants[j].by_dut = true;
    if (found)
      continue;
    bool full = e->n_grants == HD_EXPLAIN_GRANTS;
    *grant_room(e) =
        (struct hd_explain_grant){.cycle = c->cycle, .flit = c->dut_flits[i], .by_dut = true};
    first -= full && first;
  }
  return HD_OK;
}

void hd_explain_begin(struct hd_explanation *e)
{
  e->state_cycle = decision_cycle(e);
}

void hd_explain_end(struct hd_explanation *e, int status, const struct hd_error *err)
{
  drop_old_grants(e);
  if (status)
    snprintf(e->replay_missing, sizeof e->replay_missing, "%.150s",
             err->text[0] ? err->text : hd_status_text(status));
}

void hd_explain_replay(struct hd_explanation *explanation, struct hd_lockstep *lockstep)
{
  struct hd_error err = {0};
  hd_explain_begin(explanation);
  uint32_t after = (uint32_t)(last_cycle(explanation) - explanation->divergence.cycle);
  int status = hd_lockstep_replay(lockstep, HD_EXPLAIN_WRITES_BACK, after, NULL, hd_explain_look,
                                  explanation, &err);
  hd_explain_end(explanation, status, &err);
}

void hd_explanation_fini(struct hd_explanation *explanation)
{
  free(explanation->hops);
  free(explanation->replay_command);
  *explanation = (struct hd_explanation){0};
}
