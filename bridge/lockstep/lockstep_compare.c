/* Comparison of a window's outputs, event by event (specification §6.2, exact).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lockstep_internal.h"

#include <string.h>

const char *hd_difference_name(enum hd_difference difference)
{
#define NAME(NUMBER, name, sentence) name,
  static const char *const names[] = {HD_DIFFERENCE_LIST(NAME)};
#undef NAME
  return names[difference];
}

const char *hd_difference_sentence(enum hd_difference difference)
{
#define SENTENCE(NUMBER, name, sentence) sentence,
  static const char *const sentences[] = {HD_DIFFERENCE_LIST(SENTENCE)};
#undef SENTENCE
  return sentences[difference];
}

const char *hd_divergence_name(const struct hd_divergence *d)
{
  if (d->four_state_only && d->difference == HD_DIFF_FLIT)
    return "four-state flit";
  if (d->four_state_only && d->difference == HD_DIFF_CREDIT)
    return "four-state credit";
  if (d->four_state_only && d->difference == HD_DIFF_QUIESCENT)
    return "four-state quiescent";
  return d->difference == HD_DIFF_RULE ? hd_port_rule_name(d->broken.rule)
                                       : hd_difference_name(d->difference);
}

/* The first cycle that matters. For a rule that is broken by waiting, this is when the wait
 * began. */
static uint64_t begins(const struct hd_divergence *d)
{
  return d->difference == HD_DIFF_RULE ? d->broken.since : d->cycle;
}

bool hd_divergence_before(const struct hd_divergence *a, const struct hd_divergence *b)
{
  if (a->difference == HD_DIFF_NONE || b->difference == HD_DIFF_NONE)
    return a->difference != HD_DIFF_NONE;
  if (a->cycle != b->cycle)
    return a->cycle < b->cycle;
  if (begins(a) != begins(b))
    return begins(a) < begins(b);
  return a->sw < b->sw;
}

void hd_divergence_keep(struct hd_divergence *first, const struct hd_divergence *d)
{
  if (hd_divergence_before(d, first))
    *first = *d;
}

static const struct hd_flit_event no_flit = {.kind = 0xff};

/* A list of events of one kind. All kinds have these fields. */
struct list {
  const void *events;
  uint32_t n;
  size_t size;
  uint32_t (*cycle)(const void *event);
  uint8_t (*port)(const void *event);
};

static uint32_t flit_cycle(const void *event)
{
  return ((const struct hd_flit_event *)event)->cycle;
}

static uint8_t flit_port(const void *event)
{
  return ((const struct hd_flit_event *)event)->port;
}

static uint32_t credit_cycle(const void *event)
{
  return ((const struct hd_credit_event *)event)->cycle;
}

static uint8_t credit_port(const void *event)
{
  return ((const struct hd_credit_event *)event)->port;
}

/* Finds the first place in which two lists differ. *expected and *got are the events there, or
 * NULL if the other list's event is earlier. False: the lists are equal. */
static bool first_difference(const struct list *e, const struct list *g, const void **expected,
                             const void **got, uint32_t *index)
{
  if (e->n == g->n && (e->n == 0 || memcmp(e->events, g->events, e->n * e->size) == 0))
    return false;
  uint32_t i = 0;
  const char *a = e->events, *b = g->events;
  while (i < e->n && i < g->n && memcmp(a, b, e->size) == 0) {
    a += e->size;
    b += e->size;
    i++;
  }
  *index = i;
  *expected = i < e->n ? a : NULL;
  *got = i < g->n ? b : NULL;
  if (!*expected || !*got)
    return true;
  uint32_t ca = e->cycle(a), cb = e->cycle(b);
  int order = ca != cb ? (ca < cb ? -1 : 1) : (int)e->port(a) - (int)e->port(b);
  if (order < 0)
    *got = NULL;
  if (order > 0)
    *expected = NULL;
  return true;
}

static void compare_flits(const struct hd_dut_job *job, const struct hd_switch_record *r,
                          struct hd_divergence *first)
{
  const struct list e = {r->flits_out, r->n_flits_out, sizeof *r->flits_out, flit_cycle, flit_port};
  const struct list g = {job->flits_out, job->n_flits_out, e.size, flit_cycle, flit_port};
  const void *expected, *got;
  uint32_t index;
  if (!first_difference(&e, &g, &expected, &got, &index))
    return;
  const struct hd_flit_event *where = expected ? expected : got;
  struct hd_divergence d = {.difference = HD_DIFF_FLIT,
                            .cycle = job->start + where->cycle,
                            .sw = job->sw,
                            .port = where->port,
                            .vc = where->vc,
                            .has_expected = expected,
                            .has_got = got,
                            .packet = expected ? r->tags_out[index] : HD_PACKET_NONE,
                            .expected = no_flit,
                            .got = no_flit};
  if (expected)
    d.expected = *(const struct hd_flit_event *)expected;
  if (got)
    d.got = *(const struct hd_flit_event *)got;
  hd_divergence_keep(first, &d);
}

static void compare_credits(const struct hd_dut_job *job, const struct hd_switch_record *r,
                            struct hd_divergence *first)
{
  const struct list e = {r->credits_out, r->n_credits_out, sizeof *r->credits_out, credit_cycle,
                         credit_port};
  const struct list g = {job->credits_out, job->n_credits_out, e.size, credit_cycle, credit_port};
  const void *expected, *got;
  uint32_t index;
  if (!first_difference(&e, &g, &expected, &got, &index))
    return;
  const struct hd_credit_event *where = expected ? expected : got;
  struct hd_divergence d = {.difference = HD_DIFF_CREDIT,
                            .cycle = job->start + where->cycle,
                            .sw = job->sw,
                            .port = where->port,
                            .has_expected = expected,
                            .has_got = got,
                            .packet = HD_PACKET_NONE,
                            .expected = no_flit,
                            .got = no_flit};
  if (expected)
    d.expected_credit = *(const struct hd_credit_event *)expected;
  if (got)
    d.got_credit = *(const struct hd_credit_event *)got;
  unsigned differ = (unsigned)hd_credit_set(&d.expected_credit) ^ hd_credit_set(&d.got_credit);
  d.vc = differ ? (uint8_t)__builtin_ctz(differ) : 0;
  if (d.vc > HD_COUNT_WIRES)
    d.vc = HD_COUNT_WIRES;
  hd_divergence_keep(first, &d);
}

/* Compares quiescent_o at the window's start, then its changes. */
static void compare_quiescence(const struct hd_dut_job *job, const struct hd_switch_record *r,
                               struct hd_divergence *first)
{
  if (job->quiescent != r->quiescent_at_start) {
    struct hd_divergence d = {.difference = HD_DIFF_QUIESCENT,
                              .sw = job->sw,
                              .cycle = job->start,
                              .port = 0xff,
                              .vc = 0xff,
                              .packet = HD_PACKET_NONE,
                              .expected = no_flit,
                              .got = no_flit,
                              .expected_quiescent = r->quiescent_at_start,
                              .got_quiescent = job->quiescent};
    hd_divergence_keep(first, &d);
    return;
  }
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
                            .port = 0xff,
                            .vc = 0xff,
                            .packet = HD_PACKET_NONE,
                            .expected = no_flit,
                            .got = no_flit,
                            .expected_quiescent = e < g ? !before : before,
                            .got_quiescent = e < g ? before : !before};
  hd_divergence_keep(first, &d);
}

void hd_compare_job(const struct hd_dut_job *job, const struct hd_switch_record *expected,
                    bool quiescence, struct hd_divergence *first)
{
  compare_flits(job, expected, first);
  compare_credits(job, expected, first);
  if (quiescence)
    compare_quiescence(job, expected, first);
}

static bool compares_quiescence(const struct hd_lockstep *ls)
{
  const uint32_t both = ls->params.dut->capabilities &
                        (ls->original ? ls->params.original->capabilities : HD_DUT_QUIESCENT);
  return both & HD_DUT_QUIESCENT;
}

static int compare_window(struct hd_lockstep *ls, const struct hd_dut_job *job,
                          const struct hd_dut_expected *shown, struct hd_divergence *first)
{
  (void)shown;
  if (!job->agrees)
    hd_compare_job(job, &ls->under_test->record.switches[job->sw], compares_quiescence(ls), first);
  return HD_OK;
}

const struct comparator hd_compare_exactly = {.window = compare_window};
