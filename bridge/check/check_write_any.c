/* Writes the results of a check of any router: how often rules were tested, speed of switches, and refusals.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"
#include "check_write_any.h"

#include <inttypes.h>
#include <string.h>

void hd_check_any_pass(const struct hd_check *c, struct hd_text *text)
{
  hd_text_add(text,
              "no rule broken in %s: %" PRIu64 " flits, %" PRIu64 " credits and %" PRIu64
              " heads at ports, and all packets arrived; timing is not judged",
              hd_count(hd_check_compared(c), "run").text, c->ports.of[HD_PORT_LINK],
              c->ports.of[HD_PORT_SURPLUS], c->ports.of[HD_PORT_ROUTE]);
}

bool hd_check_only_budget(const struct hd_check *c)
{
  return c->missed && c->missed == c->failed;
}

static void fail_budget(const struct hd_check *c, struct hd_text *text)
{
  hd_text_add(text, "no rule broken, but the budget is missed");
  for (uint32_t i = 0; i < c->n_groups; i++)
    hd_text_add(text, "%s %s", i ? ";" : ":", c->groups[i].sentence);
}

void hd_check_any_fail(const struct hd_check *c, struct hd_text *text)
{
  if (hd_check_only_budget(c)) {
    fail_budget(c, text);
    return;
  }
  hd_text_add(text, "NOT a router that keeps the rules: %" PRIu64 " of %s failed", c->failed,
              hd_count(hd_check_compared(c), "run").text);
}

void hd_check_any_missing(const struct hd_check *c, const struct check_lines *lines)
{
  for (uint32_t i = 0; i < c->n_refusals; i++) {
    const struct check_refusal *r = &c->refusals[i];
    hd_check_line(lines, "%s: %s it: %.200s", r->what,
                  r->by_icarus     ? "Icarus does not simulate"
                  : r->by_original ? "the original refuses"
                                   : "the router refuses",
                  r->why);
  }
  for (int rule = HD_PORT_NONE + 1; rule < HD_PORT_RULES; rule++)
    if (!c->ports.of[rule])
      hd_check_line(lines, "rule %s: no event tested it",
                    hd_port_rule_number((enum hd_port_rule)rule));
  if (!c->ports.filled && !c->params->takes.network)
    hd_check_line(lines, "lost credits: no packet waited for the last slot of a channel");
}

void hd_check_any_notes(const struct hd_check *c, const struct check_lines *lines)
{
  char set[120];
  for (int rule = HD_PORT_NONE + 1; rule < HD_PORT_RULES; rule++)
    if (c->ports.of[rule])
      hd_check_line(lines, "rule %s, %s: tested by %" PRIu64 " events",
                    hd_port_rule_number((enum hd_port_rule)rule),
                    hd_port_rule_name((enum hd_port_rule)rule), c->ports.of[rule]);
  if (c->ports.filled)
    hd_check_line(lines,
                  "lost credits: tested %" PRIu64
                  " times by a packet that waits while all slots are used",
                  c->ports.filled);
  for (uint32_t i = 0; i < c->n_random_sets; i++) {
    const struct check_speed *s = &c->speed[i];
    char latency[64] = "", accepted[64] = "";
    hd_check_set_text(&c->sets[i], set, sizeof set);
    if (s->latency_cycles > 0)
      snprintf(latency, sizeof latency, " mean latency without load %.1f cycles%s",
               s->latency_cycles, s->accepted > 0 ? "," : "");
    if (s->accepted > 0)
      snprintf(accepted, sizeof accepted, " accepts %.3f flits/node/cycle", s->accepted);
    if (*latency || *accepted)
      hd_check_line(lines, "%s:%s%s", set, latency, accepted);
  }
}

json_t *hd_check_any_json(const struct hd_check *c)
{
  json_t *rules = json_object(), *speeds = json_array(), *refused = json_array();
  char set[120];
  for (int rule = HD_PORT_NONE + 1; rule < HD_PORT_RULES; rule++)
    json_object_set_new(rules, hd_port_rule_number((enum hd_port_rule)rule),
                        json_integer((json_int_t)c->ports.of[rule]));
  for (uint32_t i = 0; i < c->n_random_sets; i++) {
    hd_check_set_text(&c->sets[i], set, sizeof set);
    if (c->built[i] == CHECK_BUILT)
      json_array_append_new(speeds, json_pack("{s:s, s:f, s:f}", "switch", set, "latency_cycles",
                                              c->speed[i].latency_cycles, "accepted",
                                              c->speed[i].accepted));
  }
  for (uint32_t i = 0; i < c->n_refusals; i++)
    json_array_append_new(refused, json_pack("{s:s, s:s, s:o}", "what", c->refusals[i].what, "by",
                                             c->refusals[i].by_icarus     ? "Icarus"
                                             : c->refusals[i].by_original ? "original"
                                                                          : "router",
                                             "why", hd_json_string(c->refusals[i].why)));
  return json_pack("{s:o, s:I, s:o, s:o}", "rules", rules, "filled", (json_int_t)c->ports.filled,
                   "switches", speeds, "refused", refused);
}
