/* Reports on a router without a model: mutants that differ from it, and those that rules at ports
 * find.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mutation_internal.h"

#include "../host/file.h"
#include "../host/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ── counts by file and by kind of fault ───────────────────────────────────── */

struct group {
  const char *file; /* NULL: not known */
  uint8_t kind;     /* HD_MUTANT_KINDS: all of the file */
  struct hd_mutation_count count;
};

static uint64_t missed_count(const struct hd_mutation_count *c)
{
  return c->found - c->by_rules - c->by_others;
}

static int by_missed(const void *a, const void *b)
{
  const struct group *x = a, *y = b;
  const uint64_t m = missed_count(&x->count), n = missed_count(&y->count);
  if (m != n)
    return m > n ? -1 : 1;
  if (!x->file || !y->file)
    return (x->file == NULL) - (y->file == NULL);
  const int files = strcmp(x->file, y->file);
  return files ? files : x->kind - y->kind;
}

static bool same_file(const char *a, const char *b)
{
  return a && b ? !strcmp(a, b) : a == b;
}

/* Returns the counts by file, or by file and kind of fault. Groups of which most mutants are missed
 * come first. The caller frees the list. */
static struct group *groups_of(const struct hd_mutation *m, bool by_kind, uint32_t *n)
{
  struct group *groups = NULL;
  size_t capacity = 0;
  *n = 0;
  for (uint32_t i = 0; i < m->n; i++) {
    const struct hd_mutation_tried *t = &m->tried[i];
    const char *file = hd_mutation_cell_of(m, t)->file;
    const uint8_t kind = by_kind ? hd_mutation_mutant_of(m, t)->kind : HD_MUTANT_KINDS;
    uint32_t at = 0;
    while (at < *n && !(groups[at].kind == kind && same_file(groups[at].file, file)))
      at++;
    if (at == *n) {
      HD_XROOM(groups, capacity, *n, 1);
      groups[(*n)++] = (struct group){.file = file, .kind = kind};
    }
    hd_mutation_count_one(&groups[at].count, m, t);
  }
  if (*n)
    qsort(groups, *n, sizeof *groups, by_missed);
  return groups;
}

/* ── text for people ───────────────────────────────────────────────────────── */

/* Returns the share of `found` among the mutants that can be found. < 0: none can. */
static double percent(uint64_t found, const struct hd_mutation_count *c)
{
  const uint64_t possible = c->mutants - c->equivalent;
  return possible ? 100.0 * (double)found / (double)possible : -1;
}

void hd_mutation_rules_title(const struct hd_mutation *m, struct hd_text *text)
{
  const struct hd_mutation_count c = hd_mutation_count_all(m);
  const char *least = m->interrupted ? "at least " : "";
  if (c.mutants == c.equivalent) {
    hd_text_add(text, ": no score: no mutant can be found\n");
    return;
  }
  hd_text_add(text,
              ": rules at ports find %s%.1f %% of %" PRIu64
              " mutants, with deliveries %s%.1f %%; golden RTL finds %s%.1f %%\n",
              least, percent(c.by_rules, &c), c.mutants - c.equivalent, least,
              percent(c.by_rules + c.by_others, &c), least, percent(c.found, &c));
  if (m->judged < m->to_judge)
    hd_text_add(text,
                "  interrupted         the rules judged %" PRIu32 " of %" PRIu32
                " mutants, drawn from all that differ\n",
                m->judged, m->to_judge);
}

static void add_score(double score, struct hd_text *text)
{
  if (score < 0)
    hd_text_add(text, "      -");
  else
    hd_text_add(text, " %6.1f", score);
}

static void add_row(const char *name, const struct hd_mutation_count *c, struct hd_text *text)
{
  hd_text_add(text, "  %-28s %7" PRIu64 " %10" PRIu64 " %7" PRIu64, name, c->mutants, c->equivalent,
              c->found);
  add_score(percent(c->found, c), text);
  hd_text_add(text, " %7" PRIu64, c->by_rules);
  add_score(percent(c->by_rules, c), text);
  hd_text_add(text, " %9" PRIu64, c->by_others);
  add_score(percent(c->by_rules + c->by_others, c), text);
  hd_text_add(text, "\n");
}

static void add_head(const char *what, struct hd_text *text)
{
  hd_text_add(text, "\n  %-28s %7s %10s %7s %6s %7s %6s %9s %6s\n", what, "mutants", "equivalent",
              "golden", "score", "rules", "score", "delivery", "both");
}

static void add_kinds(const struct hd_mutation *m, struct hd_text *text)
{
  struct hd_mutation_count kinds[HD_MUTANT_KINDS] = {{0}};
  for (uint32_t i = 0; i < m->n; i++)
    hd_mutation_count_one(&kinds[hd_mutation_mutant_of(m, &m->tried[i])->kind], m, &m->tried[i]);
  add_head("what is wrong", text);
  for (unsigned k = 0; k < HD_MUTANT_KINDS; k++)
    if (kinds[k].mutants)
      add_row(hd_mutant_kind_name((enum hd_mutant_kind)k), &kinds[k], text);
}

static void add_files(const struct hd_mutation *m, struct hd_text *text)
{
  uint32_t n;
  struct group *files = groups_of(m, false, &n);
  add_head("in file", text);
  for (uint32_t i = 0; i < n; i++)
    add_row(files[i].file ? files[i].file : "line not known", &files[i].count, text);
  free(files);
}

/* Adds the table of mutants that differ from the original at a port, but break no rule and lose no
 * packet. */
static void add_missed(const struct hd_mutation *m, struct hd_text *text)
{
  enum { MOST = 12 };
  uint32_t n;
  struct group *groups = groups_of(m, true, &n);
  if (n && missed_count(&groups[0].count) && !m->interrupted)
    hd_text_add(text, "\n  %-28s %-36s %7s\n", "missed by rules and delivery", "what is wrong",
                "mutants");
  for (uint32_t i = 0; i < n && i < MOST && missed_count(&groups[i].count) && !m->interrupted; i++)
    hd_text_add(
        text, "  %-28s %-36s %7" PRIu64 "\n", groups[i].file ? groups[i].file : "line not known",
        hd_mutant_kind_name((enum hd_mutant_kind)groups[i].kind), missed_count(&groups[i].count));
  free(groups);
}

struct ends {
  uint64_t of[HD_MUTATION_ENDS], rules[HD_PORT_RULES];
};

static struct ends ends_of(const struct hd_mutation *m)
{
  struct ends ends = {{0}, {0}};
  for (uint32_t i = 0; i < m->n; i++) {
    ends.of[m->tried[i].ruled.end]++;
    ends.rules[m->tried[i].ruled.rule]++;
  }
  return ends;
}

static void add_ends(const struct hd_mutation *m, struct hd_text *text)
{
  const struct ends ends = ends_of(m);
  hd_text_add(text, "\n  %-60s %7s\n", "first to find it", "mutants");
  for (unsigned r = 1; r < HD_PORT_RULES; r++)
    if (ends.rules[r])
      hd_text_add(text, "  %-4s %-55s %7" PRIu64 "\n", hd_port_rule_number((enum hd_port_rule)r),
                  hd_port_rule_sentence((enum hd_port_rule)r), ends.rules[r]);
  for (unsigned e = HD_MUTATION_RULE + 1; e < HD_MUTATION_ENDS; e++)
    if (ends.of[e])
      hd_text_add(text, "  %-60s %7" PRIu64 "\n", hd_mutation_end_text((enum hd_mutation_end)e),
                  ends.of[e]);
}

void hd_mutation_rules_text(const struct hd_mutation *m, struct hd_text *text)
{
  add_kinds(m, text);
  add_files(m, text);
  add_ends(m, text);
  add_missed(m, text);
}

/* ── files ─────────────────────────────────────────────────────────────────── */

#define GROUP_COLUMNS(X)                                                          \
  X("file", TEXT, NULL, g->file ? g->file : "", true)                             \
  X("fault", TEXT, NULL, hd_mutant_kind_name((enum hd_mutant_kind)g->kind), true) \
  X("mutants", COUNT, NULL, g->count.mutants, true)                               \
  X("equivalent", COUNT, NULL, g->count.equivalent, true)                         \
  X("golden", COUNT, NULL, g->count.found, true)                                  \
  X("rules", COUNT, NULL, g->count.by_rules, true)                                \
  X("delivery", COUNT, NULL, g->count.by_others, true)                            \
  X("missed", COUNT, NULL, missed_count(&g->count), m->judged == m->to_judge)

static const struct hd_column group_columns[] = {GROUP_COLUMNS(HD_PLAIN_COLUMN)};

int hd_mutation_rules_write(const struct hd_mutation *m, const char *directory,
                            struct hd_error *err)
{
  uint32_t n;
  struct group *groups = groups_of(m, true, &n);
  struct hd_text text = {0};
  hd_csv_names(HD_COLUMNS(group_columns), &text);
  for (uint32_t i = 0; i < n; i++) {
    const struct group *g = &groups[i];
    hd_csv_row(HD_COLUMNS(group_columns), HD_PLAIN_ROW(GROUP_COLUMNS), &text);
  }
  free(groups);
  return hd_text_write(directory, "rules.csv", &text, err);
}

json_t *hd_mutation_rules_json(const struct hd_mutation *m)
{
  const struct hd_mutation_count c = hd_mutation_count_all(m);
  const struct ends ends = ends_of(m);
  json_t *rules = json_object(),
         *json = json_pack("{s:i,s:i}", "to_judge", (int)m->to_judge, "judged", (int)m->judged);
  for (unsigned r = 1; r < HD_PORT_RULES; r++)
    if (ends.rules[r])
      json_object_set_new(rules, hd_port_rule_number((enum hd_port_rule)r),
                          json_integer((json_int_t)ends.rules[r]));
  for (unsigned e = HD_MUTATION_PASSED; e < HD_MUTATION_ENDS; e++)
    json_object_set_new(json, hd_mutation_end_name((enum hd_mutation_end)e),
                        json_integer((json_int_t)ends.of[e]));
  json_object_set_new(json, "first_broken", rules);
  if (c.mutants > c.equivalent) {
    json_object_set_new(json, "score_rules_percent", json_real(percent(c.by_rules, &c)));
    json_object_set_new(json, "score_both_percent",
                        json_real(percent(c.by_rules + c.by_others, &c)));
    json_object_set_new(json, "score_golden_percent", json_real(percent(c.found, &c)));
  }
  return json;
}
