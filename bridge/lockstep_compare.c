/* Comparison of a window's outputs, event by event (specification §6.2, exact).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lockstep_state.h"

#include <string.h>

bool hd_divergence_before(const struct hd_divergence *a, const struct hd_divergence *b)
{
  if (a->difference == HD_DIFF_NONE || b->difference == HD_DIFF_NONE)
    return a->difference != HD_DIFF_NONE;
  if (a->cycle != b->cycle)
    return a->cycle < b->cycle;
  return a->sw < b->sw;
}

static void keep_first(struct hd_divergence *first, const struct hd_divergence *d)
{
  if (hd_divergence_before(d, first))
    *first = *d;
}

static const struct hd_flit_event no_flit = {.kind = 0xff};

/* -1, 0, 1 as the event of a comes before, with or after the event of b at the ports. */
static int order_of(uint32_t cycle_a, uint8_t port_a, uint32_t cycle_b, uint8_t port_b)
{
  if (cycle_a != cycle_b)
    return cycle_a < cycle_b ? -1 : 1;
  return port_a == port_b ? 0 : port_a < port_b ? -1 : 1;
}

static void compare_flits(const struct hd_dut_job *job, const struct hd_switch_record *r,
                          struct hd_divergence *first)
{
  const struct hd_flit_event *e = r->flits_out, *g = job->flits_out;
  uint32_t ne = r->n_flits_out, ng = job->n_flits_out, i = 0;
  if (ne == ng && (ne == 0 || memcmp(e, g, ne * sizeof *e) == 0))
    return;
  while (i < ne && i < ng && memcmp(&e[i], &g[i], sizeof *e) == 0)
    i++;
  int order = i == ne ? 1 : i == ng ? -1 : order_of(e[i].cycle, e[i].port, g[i].cycle, g[i].port);
  struct hd_divergence d = {.difference = HD_DIFF_FLIT,
                            .sw = job->sw,
                            .has_expected = order <= 0,
                            .has_got = order >= 0,
                            .packet = HD_PACKET_NONE,
                            .expected = no_flit,
                            .got = no_flit};
  if (d.has_got)
    d.got = g[i];
  if (d.has_expected) {
    d.expected = e[i];
    d.packet = r->tags_out[i];
  }
  const struct hd_flit_event *where = d.has_expected ? &d.expected : &d.got;
  d.cycle = job->start + where->cycle;
  d.port = where->port;
  d.vc = where->vc;
  keep_first(first, &d);
}

static void compare_credits(const struct hd_dut_job *job, const struct hd_switch_record *r,
                            struct hd_divergence *first)
{
  const struct hd_credit_event *e = r->credits_out, *g = job->credits_out;
  uint32_t ne = r->n_credits_out, ng = job->n_credits_out, i = 0;
  if (ne == ng && (ne == 0 || memcmp(e, g, ne * sizeof *e) == 0))
    return;
  while (i < ne && i < ng && memcmp(&e[i], &g[i], sizeof *e) == 0)
    i++;
  int order = i == ne ? 1 : i == ng ? -1 : order_of(e[i].cycle, e[i].port, g[i].cycle, g[i].port);
  struct hd_divergence d = {.difference = HD_DIFF_CREDIT,
                            .sw = job->sw,
                            .has_expected = order <= 0,
                            .has_got = order >= 0,
                            .packet = HD_PACKET_NONE,
                            .expected = no_flit,
                            .got = no_flit};
  if (d.has_got)
    d.got_credit = g[i];
  if (d.has_expected)
    d.expected_credit = e[i];
  const struct hd_credit_event *where = d.has_expected ? &d.expected_credit : &d.got_credit;
  unsigned differ = d.has_expected && d.has_got
                        ? (unsigned)(d.expected_credit.vcs ^ d.got_credit.vcs)
                        : where->vcs;
  d.cycle = job->start + where->cycle;
  d.port = where->port;
  d.vc = differ ? (uint8_t)__builtin_ctz(differ) : 0;
  keep_first(first, &d);
}

static void compare_toggles(const struct hd_dut_job *job, const struct hd_switch_record *r,
                            struct hd_divergence *first)
{
  uint32_t ne = r->n_toggles, ng = job->n_toggles, i = 0;
  while (i < ne && i < ng && r->toggles[i] == job->toggles[i])
    i++;
  if (i == ne && i == ng)
    return;
  uint32_t e = i < ne ? r->toggles[i] : UINT32_MAX, g = i < ng ? job->toggles[i] : UINT32_MAX;
  bool before = r->quiescent_at_start ^ (i & 1);
  struct hd_divergence d = {.difference = HD_DIFF_QUIESCENT,
                            .sw = job->sw,
                            .cycle = job->start + (e < g ? e : g),
                            .packet = HD_PACKET_NONE,
                            .expected = no_flit,
                            .got = no_flit,
                            .expected_quiescent = e < g ? !before : before,
                            .got_quiescent = e < g ? before : !before};
  keep_first(first, &d);
}

void hd_compare_job(const struct hd_dut_job *job, const struct hd_switch_record *expected,
                    bool quiescence, struct hd_divergence *first)
{
  compare_flits(job, expected, first);
  compare_credits(job, expected, first);
  if (quiescence)
    compare_toggles(job, expected, first);
}

uint64_t hd_events_digest(const struct hd_flit_event *flits, uint32_t n_flits,
                          const struct hd_credit_event *credits, uint32_t n_credits, uint64_t start)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n_flits; i++)
    sum += hd_flit_digest(&flits[i], start);
  for (uint32_t i = 0; i < n_credits; i++)
    sum += hd_credit_digest(&credits[i], start);
  return sum;
}
