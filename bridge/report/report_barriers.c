/* Barriers in a run's report: what was measured beside Theorem 2, the paper's formulas and the bound.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report_barriers.h"

enum { GROUPS_SHOWN = 4 }; /* in the table; the files have all */

static void bound_row(const struct hd_run_barrier *b, struct hd_text *text)
{
  if (b->bound_cycles)
    hd_text_add(text, "bound %llu cycles: %s", (unsigned long long)b->bound_cycles,
                b->above_bound ? "" : "kept");
  else
    hd_text_add(text, "no bound: %s", b->no_bound);
  if (b->above_bound)
    hd_text_add(text, "PASSED BY %llu OF %zu", (unsigned long long)b->above_bound, b->later.n);
  hd_text_add(text, "\n");
}

static void group_rows(const struct hd_run_barrier *b, struct hd_text *text,
                       void (*row)(struct hd_text *, const char *))
{
  char name[32];
  snprintf(name, sizeof name, "barriers, group %u", b->group);
  row(text, name);
  hd_text_add(text, "%s, center switch %u", hd_count(b->members, "member").text, b->center);
  if (b->bsr_nodes)
    hd_text_add(text, ", %s, %s to the farthest", hd_count(b->bsr_nodes, "BSR node").text,
                hd_count(b->distance_hops, "hop").text);
  hd_text_add(text, "\n");
  if (b->has_first) {
    row(text, "");
    hd_text_add(text, "first %llu cycles", (unsigned long long)b->first_cycles);
    if (b->later.n)
      hd_text_add(
          text,
          "; %zu later: minimum %llu, mean %.2f, median %llu, 99th %llu, 99.9th %llu, maximum %llu",
          b->later.n, (unsigned long long)b->later.minimum, b->later.mean,
          (unsigned long long)b->later.median, (unsigned long long)b->later.p99,
          (unsigned long long)b->later.p999, (unsigned long long)b->later.maximum);
    hd_text_add(text, "\n");
  }
  if (!b->bsr_nodes)
    return;
  row(text, "");
  hd_text_add(text, "Theorem 2: 2 x %u x %u = %.0f cycles; ", b->hop_cycles, b->distance_hops,
              b->theorem_2_cycles);
  if (b->formula_cycles >= 0)
    hd_text_add(text, "formula %.1f (p %.3f); ", b->formula_cycles, b->busy);
  bound_row(b, text);
}

void hd_report_barrier_rows(const struct hd_run_report *r, struct hd_text *text,
                            void (*row)(struct hd_text *, const char *))
{
  for (uint32_t i = 0; i < r->n_barriers && i < GROUPS_SHOWN; i++)
    group_rows(&r->barriers[i], text, row);
  if (r->n_barriers > GROUPS_SHOWN) {
    row(text, "");
    hd_text_add(text, "and %s more in report.json\n",
                hd_count(r->n_barriers - GROUPS_SHOWN, "group").text);
  }
  if (r->n_barriers) {
    row(text, "flits of switches");
    hd_text_add(text, "%llu data, %llu barrier, %llu padding control, %llu null\n",
                (unsigned long long)r->flits.data, (unsigned long long)r->flits.barrier,
                (unsigned long long)r->flits.padding, (unsigned long long)r->flits.null);
  }
}

/* ── JSON ─────────────────────────────────────────────────────────────────── */

static json_t *number(uint64_t value)
{
  return json_integer((json_int_t)value);
}

static json_t *later_json(const struct hd_run_statistic *s)
{
  if (!s->n)
    return json_null();
  return json_pack("{s:o,s:o,s:f,s:o,s:o,s:o,s:o}", "n", number(s->n), "minimum",
                   number(s->minimum), "mean", s->mean, "median", number(s->median), "p99",
                   number(s->p99), "p999", number(s->p999), "maximum", number(s->maximum));
}

static json_t *group_json(const struct hd_run_barrier *b)
{
  bool tree = b->bsr_nodes;
  json_t *json = json_pack("{s:o,s:o,s:o,s:o,s:o}", "group", number(b->group), "members",
                           number(b->members), "center_switch", number(b->center), "first",
                           b->has_first ? number(b->first_cycles) : json_null(), "later",
                           later_json(&b->later));
  const struct {
    const char *key;
    json_t *value;
  } members[] = {
      {"bsr_nodes", tree ? number(b->bsr_nodes) : json_null()},
      {"distance_hops", tree ? number(b->distance_hops) : json_null()},
      {"hop_cycles", tree ? number(b->hop_cycles) : json_null()},
      {"cut_cycles", tree ? number(b->cut_cycles) : json_null()},
      {"theorem_2_cycles", tree ? json_real(b->theorem_2_cycles) : json_null()},
      {"busy", b->has_busy ? json_real(b->busy) : json_null()},
      {"blocked", b->has_busy ? json_real(b->blocked) : json_null()},
      {"formula_cycles", b->formula_cycles >= 0 ? json_real(b->formula_cycles) : json_null()},
      {"bound_cycles", b->bound_cycles ? number(b->bound_cycles) : json_null()},
      {"no_bound", b->no_bound ? json_string(b->no_bound) : json_null()},
      {"above_bound", b->bound_cycles ? number(b->above_bound) : json_null()},
  };
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    json_object_set_new(json, members[i].key, members[i].value);
  return json;
}

json_t *hd_report_barriers_json(const struct hd_run_report *r)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < r->n_barriers; i++)
    json_array_append_new(list, group_json(&r->barriers[i]));
  return list;
}

json_t *hd_report_flits_json(const struct hd_run_report *r)
{
  return json_pack("{s:o,s:o,s:o,s:o}", "data", number(r->flits.data), "barrier",
                   number(r->flits.barrier), "padding", number(r->flits.padding), "null",
                   number(r->flits.null));
}

/* ── CSV ──────────────────────────────────────────────────────────────────── */

const char hd_report_barrier_columns[] =
    "barriers,barrier_maximum,barrier_theorem_2,barrier_bound,barrier_flits,padding_flits,"
    "null_flits";

void hd_report_barrier_values(const struct hd_run_report *r, struct hd_text *text)
{
  size_t n = 0;
  uint64_t maximum = 0;
  for (uint32_t i = 0; i < r->n_barriers; i++) {
    const struct hd_run_statistic *later = &r->barriers[i].later;
    n += later->n;
    maximum = later->maximum > maximum ? later->maximum : maximum;
  }
  hd_text_add(text, "%zu,", n);
  if (n)
    hd_text_add(text, "%llu", (unsigned long long)maximum);
  hd_text_add(text, ",");
  /* Several groups have a bound each, if any. */
  const struct hd_run_barrier *one = r->n_barriers == 1 ? &r->barriers[0] : NULL;
  if (one && one->bsr_nodes)
    hd_text_add(text, "%.0f", one->theorem_2_cycles);
  hd_text_add(text, ",");
  if (one && one->bound_cycles)
    hd_text_add(text, "%llu", (unsigned long long)one->bound_cycles);
  hd_text_add(text, ",%llu,%llu,%llu", (unsigned long long)r->flits.barrier,
              (unsigned long long)r->flits.padding, (unsigned long long)r->flits.null);
}
