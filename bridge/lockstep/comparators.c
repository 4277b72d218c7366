/* The list of comparisons of a run, in the order in which they judge (specification §6.2).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lockstep_internal.h"

#include <stdio.h>

/* Text from RTL or a backend goes to terminals and into JSON, so all but printable ASCII is
 * replaced. */
static void make_printable(char *text)
{
  for (; *text; text++)
    if (*text < ' ' || *text > '~')
      *text = '?';
}

static int judge_assertion(struct hd_lockstep *ls, const struct hd_dut_job *job,
                           const struct hd_dut_expected *shown, struct hd_divergence *first)
{
  (void)ls;
  (void)shown;
  if (!job->assertion.failed)
    return HD_OK;
  struct hd_divergence d = {.difference = HD_DIFF_ASSERTION,
                            .cycle = job->start + job->assertion.cycle,
                            .sw = job->sw,
                            .port = 0xff,
                            .vc = 0xff,
                            .packet = HD_PACKET_NONE,
                            .expected = {.kind = 0xff},
                            .got = {.kind = 0xff}};
  snprintf(d.assertion, sizeof d.assertion, "%s", job->assertion.where);
  make_printable(d.assertion);
  hd_divergence_keep(first, &d);
  return HD_OK;
}

static const struct comparator assertions = {.window = judge_assertion};

/* The order of the list decides which of two differences in one cycle and switch is reported:
 * the first one. So an assertion comes before its effects, and an X before what follows from it.
 * If the DUT has its own timing, rules at ports name the cause; in exact comparison they are
 * reported in addition to the difference. */
static const struct comparator *const lists[][HD_COMPARATORS] = {
    [HD_COMPARE_EXACT] = {&assertions, &hd_compare_unknown, &hd_compare_exactly, &hd_compare_rules},
    [HD_COMPARE_ORDER] = {&assertions, &hd_compare_unknown, &hd_compare_rules, &hd_compare_order,
                          &hd_compare_messages, &hd_compare_coder_packets, &hd_compare_arrivals,
                          &hd_compare_losses},
    [HD_COMPARE_PACKETS] = {&assertions, &hd_compare_unknown, &hd_compare_inside, &hd_compare_rules,
                            &hd_compare_messages, &hd_compare_coder_packets, &hd_compare_arrivals,
                            &hd_compare_losses},
};

int hd_comparators_start(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct comparator *const *list = lists[ls->params.compare];
  int status = HD_OK;
  for (unsigned i = 0; i < HD_COMPARATORS && list[i] && !status; i++) {
    if (list[i]->is_needed && !list[i]->is_needed(ls))
      continue;
    ls->comparators[ls->n_comparators++] = list[i];
    if (list[i]->create)
      status = list[i]->create(ls, err);
  }
  return status;
}

void hd_comparators_stop(struct hd_lockstep *ls)
{
  for (unsigned i = 0; i < ls->n_comparators; i++)
    if (ls->comparators[i]->destroy)
      ls->comparators[i]->destroy(ls);
}

int hd_comparators_window(struct hd_lockstep *ls, const struct hd_dut_job *job,
                          const struct hd_dut_expected *shown, struct hd_divergence *first)
{
  int status = HD_OK;
  for (unsigned i = 0; i < ls->n_comparators && !status; i++)
    if (ls->comparators[i]->window)
      status = ls->comparators[i]->window(ls, job, shown, first);
  return status;
}

int hd_comparators_cycle(struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *first)
{
  int status = HD_OK;
  for (unsigned i = 0; i < ls->n_comparators && !status; i++)
    if (ls->comparators[i]->cycle)
      status = ls->comparators[i]->cycle(ls, cycle, first);
  return status;
}

bool hd_comparators_rest(const struct hd_lockstep *ls, enum rest_place place, unsigned sides,
                         uint64_t since, struct hd_divergence *first)
{
  struct hd_divergence found = {.difference = HD_DIFF_NONE};
  for (unsigned i = 0; i < ls->n_comparators; i++)
    if (ls->comparators[i]->rest && ls->comparators[i]->rest_place <= place)
      ls->comparators[i]->rest(ls, sides, since, &found);
  if (first)
    hd_divergence_keep(first, &found);
  return found.difference != HD_DIFF_NONE;
}
