/* Faults of a run, and whom they cut off, in its reports.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"

#include <inttypes.h>

void hd_report_fault(const struct hd_fault_state *f, struct hd_text *text)
{
  if (f->fault.whole_switch)
    hd_text_add(text, "switch %" PRIu32, f->fault.sw);
  else if (f->peer.kind == HD_PEER_NODE)
    hd_text_add(text, "link s%" PRIu32 ":%" PRIu32 "-n%u", f->fault.sw, f->fault.port,
                f->peer.index);
  else
    hd_text_add(text, "link s%" PRIu32 ":%" PRIu32 "-s%u:%u", f->fault.sw, f->fault.port,
                f->peer.index, f->peer.port);
  if (f->struck)
    hd_text_add(text, " failed in cycle %" PRIu64, f->cycle);
  else
    hd_text_add(text, " did not fail: the run ended before %s %" PRIu64,
                f->fault.after_barrier ? "barrier" : "cycle", f->fault.when);
}

void hd_report_unreachable(const struct hd_unreachable *c, struct hd_text *text)
{
  hd_text_add(text, "node %" PRIu32 " (switch %" PRIu32 ") is cut off from group %" PRIu32, c->node,
              c->sw, c->group);
  if (c->node == c->center)
    hd_text_add(text, ", whose center it is: %s", c->why);
  else
    hd_text_add(text, "'s center, node %" PRIu32 " (switch %" PRIu32 "): %s", c->center,
                c->center_sw, c->why);
}

void hd_report_lost(const struct hd_run_report *r, struct hd_text *text)
{
  hd_text_add(text, "%s", hd_count(r->packets_lost, "packet").text);
  hd_text_add(text, ", %s", hd_count(r->barriers_lost, "barrier message").text);
  if (r->n_droppers)
    hd_text_add(text, ", and those that %s dropped for want of a way",
                hd_count(r->n_droppers, "switch").text);
}

void hd_report_faults(const struct hd_run_report *r, struct hd_text *text)
{
  for (uint32_t i = 0; i < r->n_faults; i++) {
    hd_text_add(text, "  %-20s", i ? "" : "faults");
    hd_report_fault(&r->faults[i], text);
    hd_text_add(text, "\n");
  }
  if (r->n_faults) {
    hd_text_add(text, "  %-20s", "lost to faults");
    hd_report_lost(r, text);
    hd_text_add(text, "\n");
  }
  for (uint32_t i = 0; i < r->n_unreachable; i++) {
    hd_text_add(text, "  %-20s", i ? "" : "cut off");
    hd_report_unreachable(&r->unreachable[i], text);
    hd_text_add(text, "\n");
  }
}

static json_t *number(uint64_t value)
{
  return json_integer((json_int_t)value);
}

json_t *hd_report_faults_json(const struct hd_run_report *r)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < r->n_faults; i++) {
    const struct hd_fault_state *f = &r->faults[i];
    json_t *port = f->fault.whole_switch ? json_null() : number(f->fault.port);
    json_t *cycle = f->struck ? number(f->cycle) : json_null();
    json_array_append_new(list, json_pack("{s:o,s:o,s:b,s:o}", "switch", number(f->fault.sw),
                                          "port", port, "struck", f->struck, "cycle", cycle));
  }
  return list;
}

json_t *hd_report_unreachable_json(const struct hd_run_report *r)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < r->n_unreachable; i++) {
    const struct hd_unreachable *c = &r->unreachable[i];
    json_array_append_new(list,
                          json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:s}", "node", number(c->node),
                                    "switch", number(c->sw), "group", number(c->group), "center",
                                    number(c->center), "center_switch", number(c->center_sw),
                                    "cycle", number(c->cycle), "why", c->why));
  }
  return list;
}
