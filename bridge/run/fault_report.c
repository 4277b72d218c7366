/* Reports the effects of faults on a run, and whether they caused its failure (specification §5.11).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fault_report.h"

#include "../host/memory.h"
#include "../report/report.h"

#include <stdlib.h>

enum { NAMED = 3 }; /* most members that a message names; the report lists all */

static void count_losses(const struct hd_manager *manager, const struct hd_fabric *fabric,
                         uint64_t limit, struct hd_run_report *r)
{
  size_t n;
  const struct hd_lost_packet *lost = hd_manager_lost(manager, &n);
  for (size_t i = 0; i < n; i++)
    r->packets_lost += lost[i].cycle <= limit;
  r->barriers_lost = r->counters.barriers_lost;
  r->n_droppers = hd_manager_droppers(manager, fabric);
  r->n_renewals = hd_manager_renewals(manager, &r->n_no_room);
}

void hd_fault_report(const struct hd_manager *manager, const struct hd_fabric *fabric,
                     uint64_t limit, struct hd_run_report *r)
{
  uint32_t n_faults, n_unreachable;
  const struct hd_fault_state *faults = hd_manager_faults(manager, &n_faults);
  const struct hd_unreachable *unreachable = hd_manager_unreachable(manager, &n_unreachable);
  if (!n_faults)
    return;
  r->faults = hd_xmalloc(n_faults * sizeof *r->faults);
  r->unreachable = hd_xmalloc(((size_t)n_unreachable + 1) * sizeof *r->unreachable);
  r->n_faults = n_faults;
  for (uint32_t i = 0; i < n_faults; i++) {
    r->faults[i] = faults[i];
    r->faults[i].struck &= faults[i].cycle <= limit;
  }
  for (uint32_t i = 0; i < n_unreachable && unreachable[i].cycle <= limit; i++)
    r->unreachable[r->n_unreachable++] = unreachable[i];
  count_losses(manager, fabric, limit, r);
}

static void add_unreachable(const struct hd_run_report *r, struct hd_text *text)
{
  for (uint32_t i = 0; i < r->n_unreachable && i < NAMED; i++) {
    hd_report_unreachable(&r->unreachable[i], text);
    hd_text_add(text, "; ");
  }
  if (r->n_unreachable > NAMED)
    hd_text_add(text, "%s more; ", hd_count(r->n_unreachable - NAMED, "member").text);
}

int hd_fault_attribute_failure(struct hd_run_report *r, bool idle, int status)
{
  bool stuck = status == HD_E_SOFTWARE || (status == HD_E_DEADLOCK && idle) ||
               (status == HD_E_BUDGET && r->software_waits && !r->software_finished);
  if (!stuck ||
      !(r->n_unreachable || r->packets_lost || r->barriers_lost || r->n_droppers || r->n_no_room))
    return status;
  struct hd_text text = {0};
  add_unreachable(r, &text);
  if (r->n_no_room)
    hd_text_add(&text, "%s had to be created anew after a fault, and a status table has no room; ",
                hd_count(r->n_no_room, "barrier group").text);
  if (!r->n_unreachable) {
    hd_text_add(&text, "faults have lost ");
    hd_report_lost(r, &text);
    hd_text_add(&text, "; ");
  }
  hd_text_add(&text, "%s", hd_text_chars(&r->message));
  hd_text_fini(&r->message);
  r->message = text;
  return HD_E_FAULT;
}
