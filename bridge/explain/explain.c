/* Gathers what is known of a divergence: grants and state, by replaying the switch.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {"body", "tail", "head", "single"};

/* The header of a head or single, specification §1.3. */
static void explain_header(struct hd_text *text, uint64_t data,
                           const struct hd_switch_params *params)
{
  uint32_t node_bits = hd_log2_ceil(params->nodes);
  uint64_t nodes = (UINT64_C(1) << node_bits) - 1;
  unsigned destination = (unsigned)(data >> 2 & nodes);
  switch (data & 3) {
  case 0:
    hd_text_add(text, " to node %u (mode 0, destination)", destination);
    break;
  case 1:
    hd_text_add(text, " from node %u to node %u (mode 1, source up)",
                (unsigned)(data >> (2 + node_bits) & nodes), destination);
    break;
  case 2:
    hd_text_add(text, " by output port %u here (mode 2, source-routed)",
                (unsigned)(data >> 2 & ((1u << hd_log2_ceil(params->ports)) - 1)));
    break;
  default:
    hd_text_add(text, " of reserved mode 3, unroutable");
  }
}

/* Flits of chapter 7 (§7.2, §8.1), where the switch has them. */
static void explain_barrier(struct hd_text *text, const struct hd_flit_event *flit,
                            const struct hd_switch_params *params)
{
  static const char *const types[] = {"reduce", "distribute", "initial reduce", "fail"};
  bool two = hd_barrier_flits(params) == 2;
  uint32_t m = (uint32_t)flit->data;
  if (flit->kind == HD_KIND_NULL) {
    hd_text_add(text, "null flit");
    return;
  }
  if (flit->kind == HD_KIND_PADDING) {
    hd_text_add(text, "padding %s", m & 1 ? "end" : "request");
    return;
  }
  if (two && flit->kind == HD_KIND_BARRIER_LAST) {
    hd_text_add(text, m >> 15 & 1 ? "local message's second flit" : "message's second flit, bsr %u",
                m >> 4 & 0x7ff);
    return;
  }
  bool local = !two && m >> 31;
  hd_text_add(text, "%smessage %s, group %u", local ? "local " : "", types[m & 3], m >> 4 & 31);
  if ((m & 3) == HD_INITIAL_REDUCE)
    hd_text_add(text, ", tag %u", m >> 2 & 3);
  if (!two && !local)
    hd_text_add(text, ", to %u, bsr %u", m >> 9 & 0x7ff, m >> 20 & 0x7ff);
}

void hd_explain_flit(struct hd_text *text, const struct hd_flit_event *flit,
                     const struct hd_switch_params *params)
{
  if ((flit->kind & HD_KIND_RESERVED) && params->barrier)
    explain_barrier(text, flit, params);
  else if (flit->kind & HD_KIND_RESERVED)
    hd_text_add(text, "reserved kind %u", flit->kind);
  else
    hd_text_add(text, "%s", kind_names[flit->kind & 3]);
  if ((flit->kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD)
    explain_header(text, flit->data, params);
  hd_text_add(text, ", vc %u, data 0x%0*llx", flit->vc, (int)params->data_bits / 4,
              (unsigned long long)flit->data);
}

struct hd_channel_name hd_explain_channel(unsigned vc)
{
  struct hd_channel_name name;
  if (vc == HD_BARRIER_CREDIT)
    snprintf(name.text, sizeof name.text, "barrier credit");
  else if (vc == 0xff) /* of the port, or not known */
    snprintf(name.text, sizeof name.text, "vc -");
  else
    snprintf(name.text, sizeof name.text, "vc %u", vc & 0xff);
  return name;
}

/* The cycle whose decision became visible in the divergent one: grant s is visible in
 * s+2+D, a pop in s+1 (§2.2), quiescent_o and errors a cycle after their cause. */
static uint64_t decision_cycle(const struct hd_explanation *e)
{
  const struct hd_divergence *d = &e->divergence;
  bool output = d->difference == HD_DIFF_FLIT ||
                (d->difference == HD_DIFF_UNKNOWN && !strncmp(d->unknown.name, "out_", 4));
  uint64_t back = output ? 2 + hd_switch_grant_stages(&e->sw) : 1;
  return e->divergence.cycle > back ? e->divergence.cycle - back : 0;
}

/* Until when grants are looked for. A pop shows as a credit before the flit that was popped is
 * at its output; that flit is what people want to see. */
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

/* Older flits only of the output that differs: they moved its pointers and credits. */
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

static int look(void *context, const struct hd_replay_cycle *c)
{
  struct hd_explanation *e = context;
  e->has_dut |= c->has_dut;
  if (c->cycle == e->state_cycle && c->model) {
    e->state = *c->model;
    e->has_replay = true;
    /* The credit is for the flit that was at its channel's front then. */
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

void hd_explain_replay(struct hd_explanation *explanation, struct hd_lockstep *lockstep)
{
  struct hd_error err = {0};
  explanation->state_cycle = decision_cycle(explanation);
  uint32_t behind = (uint32_t)(last_cycle(explanation) - explanation->divergence.cycle);
  int status =
      hd_lockstep_replay(lockstep, HD_EXPLAIN_BEHIND, behind, NULL, look, explanation, &err);
  drop_old_grants(explanation);
  if (status)
    snprintf(explanation->replay_missing, sizeof explanation->replay_missing, "%.150s",
             err.text[0] ? err.text : hd_status_text(status));
}

void hd_explanation_fini(struct hd_explanation *explanation)
{
  free(explanation->hops);
  free(explanation->replay_command);
  *explanation = (struct hd_explanation){0};
}
