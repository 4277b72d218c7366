/* Program barrier: groups of nodes meet repeatedly at barriers in the network.
 * SPDX-License-Identifier: Apache-2.0
 *
 * barrier_common.h describes rounds, background traffic and congestion.
 */
#include "barrier_common.h"
#include "programs.h"

#include <inttypes.h>

struct part {
  struct hd_ep_barrier *barrier;
  int group;
};

static void check_status(struct hd_ep *ep, enum hd_ep_barrier_status status, int group,
                         uint64_t round)
{
  if (status > HD_EP_BARRIER_PENDING)
    hd_ep_abort(ep, "barrier group %d, round %" PRIu64 ": %s", group, round,
                hd_ep_barrier_text(status));
}

static void *join(struct hd_ep *ep, const struct hd_barrier_algorithm *algorithm,
                  const struct hd_barrier_task *m, const int *members, int group)
{
  (void)algorithm;
  struct hd_ep_barrier_options options = {
      .center_rule = m->center_rule,
      .center = m->center,
      .timeout_cycles = hd_program_integer(ep, "timeout", 1000000, 1, HD_INTEGER_MAX)};
  struct part *part = hd_ep_alloc(ep, sizeof *part);
  part->group = group;
  enum hd_ep_barrier_status status =
      hd_ep_barrier_create(ep, members, m->members, &options, &part->barrier);
  if (status == HD_EP_BARRIER_UNSUPPORTED)
    hd_ep_reject(ep, NULL, "needs switches that take barrier messages (key switch.barrier)");
  if (status)
    hd_ep_abort(ep, "barrier group %d: %s", group, hd_ep_barrier_text(status));
  return part;
}

static void arrive(struct hd_ep *ep, void *part, uint64_t round)
{
  const struct part *p = part;
  check_status(ep, hd_ep_barrier_arrive(ep, p->barrier), p->group, round);
}

static void wait(struct hd_ep *ep, void *part, struct hd_background_traffic *t, uint64_t round)
{
  const struct part *p = part;
  enum hd_ep_barrier_status status;
  while ((status = hd_ep_barrier_wait_until(ep, p->barrier, t->next)) == HD_EP_BARRIER_PENDING)
    hd_background_inject_due(ep, t);
  check_status(ep, status, p->group, round);
}

static void leave(struct hd_ep *ep, void *part)
{
  const struct part *p = part;
  hd_ep_barrier_destroy(ep, p->barrier);
}

static struct hd_ep_link link_of(struct hd_ep *ep, const void *part, int member)
{
  const struct part *p = part;
  return hd_ep_barrier_link(ep, p->barrier, member);
}

static void run(struct hd_ep *ep)
{
  static const struct hd_barrier_algorithm algorithm = {
      .join = join, .arrive = arrive, .wait = wait, .leave = leave, .link = link_of};
  hd_barrier_program_run(ep, &algorithm);
}

static const char *const parameters[] = {
    HD_BARRIER_PARAMETERS,
    "groups: number of groups, each with its own members (1)",
    "timeout: cycles without a release after which a member gives up (1000000)",
    NULL,
};

const struct hd_program hd_program_barrier = {
    .name = "barrier",
    .about = "groups of nodes meet repeatedly at barriers in the network, with data traffic; "
             "parameters " HD_BARRIER_PARAMETER_NAMES ", groups, timeout",
    .main = run,
    .parameters = parameters,
};
