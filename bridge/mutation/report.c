/* Reports on mutants: for people, as JSON and as CSV.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mutation_internal.h"

#include "../host/file.h"
#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORST_LINES = 12 };

/* ── counting ──────────────────────────────────────────────────────────────── */

void hd_mutation_count_one(struct hd_mutation_count *c, const struct hd_mutation *m,
                           const struct hd_mutation_tried *t)
{
  c->foreign = m->foreign;
  c->by_rules += t->ruled.end == HD_MUTATION_RULE;
  c->by_others += t->ruled.end > HD_MUTATION_RULE;
  c->mutants++;
  c->found += t->found.found;
  c->equivalent += !t->found.found && t->proof;
  c->survived += !t->found.found && !t->proof && t->survived == m->records_wanted;
}

struct hd_mutation_count hd_mutation_count_all(const struct hd_mutation *m)
{
  struct hd_mutation_count count = {0};
  for (uint32_t i = 0; i < m->n; i++)
    hd_mutation_count_one(&count, m, &m->tried[i]);
  return count;
}

static double score_of(const struct hd_mutation_count *c)
{
  const uint64_t possible = c->mutants - c->equivalent;
  return possible ? 100.0 * (double)c->found / (double)possible : -1;
}

static const char *state_of(const struct hd_mutation *m, const struct hd_mutation_tried *t)
{
  return t->found.found                     ? "found"
         : t->proof                         ? "equivalent"
         : t->survived == m->records_wanted ? "survived"
                                            : "not played to the end";
}

const struct hd_mutant *hd_mutation_mutant_of(const struct hd_mutation *m,
                                              const struct hd_mutation_tried *t)
{
  return &hd_mutant_pool_mutants(m->pool)->list[t->mutant];
}

const struct hd_mutant_cell *hd_mutation_cell_of(const struct hd_mutation *m,
                                                 const struct hd_mutation_tried *t)
{
  return &hd_mutant_pool_mutants(m->pool)->cells[hd_mutation_mutant_of(m, t)->cell];
}

/* ── counts by line and by file ────────────────────────────────────────────── */

struct line {
  const char *file; /* NULL: not known */
  uint32_t line;    /* 0: all of the file */
  struct hd_mutation_count count;
};
struct lines {
  struct line *list;
  uint32_t n;
};

static int by_place(const void *a, const void *b)
{
  const struct line *x = a, *y = b;
  if (!x->file || !y->file)
    return (x->file == NULL) - (y->file == NULL);
  const int files = strcmp(x->file, y->file);
  return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

static int by_survivors(const void *a, const void *b)
{
  const struct line *x = a, *y = b;
  if (x->count.survived != y->count.survived)
    return x->count.survived > y->count.survived ? -1 : 1;
  return by_place(a, b);
}

static void add_counts(struct hd_mutation_count *to, const struct hd_mutation_count *c)
{
  to->mutants += c->mutants;
  to->found += c->found;
  to->equivalent += c->equivalent;
  to->survived += c->survived;
}

/* Returns the counts by line, or by file. The caller frees the list. */
static struct lines lines_of(const struct hd_mutation *m, bool by_file)
{
  struct lines lines = {.list = hd_xcalloc(m->n + 1, sizeof *lines.list)};
  for (uint32_t i = 0; i < m->n; i++) {
    const struct hd_mutant_cell *cell = hd_mutation_cell_of(m, &m->tried[i]);
    lines.list[i] = (struct line){.file = cell->file, .line = by_file ? 0 : cell->line};
    hd_mutation_count_one(&lines.list[i].count, m, &m->tried[i]);
  }
  if (!m->n)
    return lines;
  qsort(lines.list, m->n, sizeof *lines.list, by_place);
  lines.n = 1;
  for (uint32_t i = 1; i < m->n; i++)
    if (by_place(&lines.list[lines.n - 1], &lines.list[i]))
      lines.list[lines.n++] = lines.list[i];
    else
      add_counts(&lines.list[lines.n - 1].count, &lines.list[i].count);
  return lines;
}

/* ── text for people ───────────────────────────────────────────────────────── */

static int by_cycle(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void add_cycles(const struct hd_mutation *m, struct hd_text *text)
{
  uint64_t *cycles = hd_xmalloc((m->n + 1) * sizeof *cycles), n = 0;
  for (uint32_t i = 0; i < m->n; i++)
    if (m->tried[i].found.found)
      cycles[n++] = m->tried[i].found.cycle;
  if (!n) {
    free(cycles);
    return;
  }
  qsort(cycles, n, sizeof *cycles, by_cycle);
  hd_text_add(text,
              "  found in cycle      half by %" PRIu64 ", nine in ten by %" PRIu64
              ", 99 %% by %" PRIu64 ", the last in %" PRIu64 "\n",
              cycles[(n - 1) / 2], cycles[(n - 1) * 9 / 10], cycles[(n - 1) * 99 / 100],
              cycles[n - 1]);
  free(cycles);
}

static void add_wires(const struct hd_mutation *m, struct hd_text *text)
{
  uint64_t wires[HD_WIRES] = {0};
  const char *before = "  found first at      ";
  for (uint32_t i = 0; i < m->n; i++)
    if (m->tried[i].found.found)
      wires[m->tried[i].found.wire]++;
  for (unsigned w = 0; w < HD_WIRES; w++)
    if (wires[w]) {
      hd_text_add(text, "%s%s %" PRIu64, before, hd_mutant_wire_name((enum hd_mutant_wire)w),
                  wires[w]);
      before = ", ";
    }
  if (*before == ',')
    hd_text_add(text, "\n");
}

static void add_row(const char *name, const struct hd_mutation_count *c, struct hd_text *text)
{
  const double score = score_of(c);
  hd_text_add(text, "  %-28s %8" PRIu64 " %8" PRIu64 " %10" PRIu64 " %8" PRIu64, name, c->mutants,
              c->found, c->equivalent, c->survived);
  if (score < 0)
    hd_text_add(text, "      -\n");
  else
    hd_text_add(text, " %6.1f\n", score);
}

static void add_kinds(const struct hd_mutation *m, struct hd_text *text)
{
  struct hd_mutation_count kinds[HD_MUTANT_KINDS] = {{0}};
  for (uint32_t i = 0; i < m->n; i++)
    hd_mutation_count_one(&kinds[hd_mutation_mutant_of(m, &m->tried[i])->kind], m, &m->tried[i]);
  for (unsigned k = 0; k < HD_MUTANT_KINDS; k++)
    if (kinds[k].mutants)
      add_row(hd_mutant_kind_name((enum hd_mutant_kind)k), &kinds[k], text);
}

static void name_line(const struct line *line, char *name, size_t size)
{
  if (!line->file)
    snprintf(name, size, "line not known");
  else if (line->line)
    snprintf(name, size, "%s:%u", line->file, line->line);
  else
    snprintf(name, size, "%s", line->file);
}

static void add_lines(const struct hd_mutation *m, bool by_file, struct hd_text *text)
{
  struct lines lines = lines_of(m, by_file);
  char name[300];
  if (!by_file)
    qsort(lines.list, lines.n, sizeof *lines.list, by_survivors);
  for (uint32_t i = 0; i < lines.n && (by_file || i < WORST_LINES); i++) {
    if (!by_file && !lines.list[i].count.survived)
      break;
    name_line(&lines.list[i], name, sizeof name);
    add_row(name, &lines.list[i].count, text);
  }
  free(lines.list);
}

/* Counts of one source. */
struct source_count {
  uint32_t wanted, played;
  /* Mutants that it found first; with .each also those it found at all, and those it alone found. */
  uint64_t cycles, first, found, alone;
};

static struct source_count source_count(const struct hd_mutation *m, uint32_t source)
{
  struct source_count c = {0};
  for (uint32_t i = 0; i < m->records_wanted; i++)
    if (m->records[i].source == source) {
      c.wanted++;
      c.played += m->records[i].cycles > 0;
      c.cycles += m->records[i].cycles;
      c.first += m->records[i].found;
    }
  for (uint32_t i = 0; i < m->n; i++) {
    const bool found = hd_mutation_by(m, i, source);
    uint32_t others = 0;
    for (uint32_t k = 0; k < m->n_sources && found && !others; k++)
      others += k != source && hd_mutation_by(m, i, k);
    c.found += found;
    c.alone += found && !others;
  }
  return c;
}

enum { MOST_SOURCES = 40 }; /* lines of the table; mutation.json has all sources */

static void add_sources(const struct hd_mutation *m, struct hd_text *text)
{
  struct source_count more = {0};
  hd_text_add(text, "\n  %-60s %9s %9s %8s", "played", "records", "cycles", "first");
  hd_text_add(text, m->each ? " %8s %8s\n" : "\n", "found", "alone");
  for (uint32_t i = 0; i < m->n_sources; i++) {
    const struct source_count c = source_count(m, i);
    if (i >= MOST_SOURCES && !m->sources[i].is_stream) {
      more.wanted += c.wanted;
      more.played += c.played;
      more.cycles += c.cycles;
      more.first += c.first;
      continue;
    }
    hd_text_add(text, "  %s%-*s %4u/%-4u %9" PRIu64 " %8" PRIu64,
                m->sources[i].is_stream ? "streams: " : "", m->sources[i].is_stream ? 51 : 60,
                hd_mutation_source_name(&m->sources[i]), c.played, c.wanted, c.cycles, c.first);
    if (m->each)
      hd_text_add(text, " %8" PRIu64 " %8" PRIu64, c.found, c.alone);
    hd_text_add(text, "\n");
  }
  if (more.wanted)
    hd_text_add(text, "  %-60s %4u/%-4u %9" PRIu64 " %8" PRIu64 "\n",
                "other scenarios and runs: mutation.json", more.played, more.wanted, more.cycles,
                more.first);
}

static void add_switches(const struct hd_mutation *m, struct hd_text *text)
{
  const char *before = "  found by switch     ";
  uint32_t more = 0;
  uint64_t found = 0;
  for (uint32_t i = 0; i < m->n_records; i++)
    if (i < 8) {
      hd_text_add(text, "%s%u: %" PRIu64, before, m->records[i].sw, m->records[i].found);
      before = ", ";
    } else {
      more++;
      found += m->records[i].found;
    }
  if (more)
    hd_text_add(text, ", %u others: %" PRIu64, more, found);
  hd_text_add(text, "\n");
}

static void count_proofs(const struct hd_mutation *m, uint64_t proofs[HD_PROOFS])
{
  memset(proofs, 0, HD_PROOFS * sizeof *proofs);
  for (uint32_t i = 0; i < m->n; i++)
    proofs[m->tried[i].proof]++;
}

static void add_proofs(const struct hd_mutation *m, struct hd_text *text)
{
  uint64_t proofs[HD_PROOFS];
  if (!m->wanted_to_prove)
    return;
  count_proofs(m, proofs);
  hd_text_add(text, "  proofs              %u of %u tried, with %" PRIu64 " invariants; proved",
              m->tried_to_prove, m->wanted_to_prove, m->invariants);
  for (unsigned k = HD_PROOF_STEP; k < HD_PROOFS; k++)
    hd_text_add(text, "%s %" PRIu64 " %s", k > HD_PROOF_STEP ? "," : "", proofs[k],
                hd_proof_text((enum hd_proof)k));
  hd_text_add(text, "\n");
}

/* Adds the beginning of the first line: the names of the sources. */
static void add_title(const struct hd_mutation *m, struct hd_text *text)
{
  uint32_t scenarios = 0;
  while (scenarios < m->n_sources && !m->sources[scenarios].is_stream)
    scenarios++;
  hd_text_add(text, "%s", m->sources[0].scenario.name);
  if (scenarios > 1)
    hd_text_add(text, " and %u more", scenarios - 1);
  if (scenarios < m->n_sources)
    hd_text_add(text, " and streams");
}

void hd_mutation_text(const struct hd_mutation *m, struct hd_text *text)
{
  const struct hd_mutants *all = hd_mutant_pool_mutants(m->pool);
  const struct hd_mutation_count c = hd_mutation_count_all(m);
  const double score = score_of(&c);
  const uint64_t rest = c.mutants - c.found - c.equivalent - c.survived;
  static const char head[] = "mutants    found equivalent survived  score\n";
  add_title(m, text);
  if (m->foreign)
    hd_mutation_rules_title(m, text);
  else if (score < 0)
    hd_text_add(text, ": no mutation score: no mutant can be found\n");
  else if (rest || m->interrupted) /* missing proofs would raise the score, too */
    hd_text_add(text,
                ": mutation score at least %.1f %%: %" PRIu64 " of %" PRIu64
                " mutants found so far\n",
                score, c.found, c.mutants - c.equivalent);
  else
    hd_text_add(text, ": mutation score %.1f %%: %" PRIu64 " of %" PRIu64 " mutants found\n", score,
                c.found, c.mutants - c.equivalent);
  hd_text_add(
      text,
      "  switch              %u gates, %u flip-flops; the line is known of %.1f %% of them, of "
      "%.1f %% it is that of a neighbour\n",
      all->n_tables, all->n_cells - all->n_tables,
      all->n_cells ? 100.0 * all->n_lines_known / all->n_cells : 0,
      all->n_cells ? 100.0 * all->n_lines_lent / all->n_cells : 0);
  hd_text_add(text, "  mutants             %u, and %" PRIu64 " that are the same as one of them",
              all->n, all->collapsed);
  if (m->possible < all->n)
    hd_text_add(text, "; %u of them in %s", m->possible,
                m->files ? m->files : "the router's own files");
  if (m->drawn)
    hd_text_add(text, "; %u drawn with seed %" PRIu64, m->n, m->seed);
  hd_text_add(text, "\n");
  if (m->n_sources == 1)
    hd_text_add(
        text,
        "  played              %u of %u switches of the fabric, %" PRIu64 " cycles each at most\n",
        m->n_records, m->sources[0].topology.n_switches, m->n_records ? m->records[0].cycles : 0);
  if (rest)
    hd_text_add(text, "  not played          %" PRIu64 " were not played to the end\n", rest);
  if (m->n_sources == 1)
    add_switches(m, text);
  add_cycles(m, text);
  add_wires(m, text);
  add_proofs(m, text);
  if (m->n_sources > 1)
    add_sources(m, text);
  if (m->foreign) {
    hd_mutation_rules_text(m, text);
    return;
  }
  hd_text_add(text, "\n  %-29s %s", "what is wrong", head);
  add_kinds(m, text);
  hd_text_add(text, "\n  %-29s %s", "in file", head);
  add_lines(m, true, text);
  if (c.survived) {
    hd_text_add(text, "\n  %-29s %s", "lines with most survivors", head);
    add_lines(m, false, text);
  }
}

/* ── files ─────────────────────────────────────────────────────────────────── */

#define MUTANT_COLUMNS(X)                                                                \
  X("mutant", COUNT, NULL, t->mutant, true)                                              \
  X("cell", COUNT, NULL, mutant->cell, true)                                             \
  X("rows", COUNT, NULL, mutant->rows, true)                                             \
  X("file", TEXT, NULL, cell->file ? cell->file : "", true)                              \
  X("line", COUNT, NULL, cell->line, cell->file)                                         \
  X("gate", WORD, NULL, cell->gate, true)                                                \
  X("net", TEXT, NULL, cell->net ? cell->net : "", true)                                 \
  X("fault", TEXT, NULL, hd_mutant_kind_name((enum hd_mutant_kind)mutant->kind), true)   \
  X("inputs", WORD, NULL, inputs, true)                                                  \
  X("verdict", WORD, NULL, state_of(m, t), true)                                         \
  X("proof", TEXT, NULL, hd_proof_text(t->proof), true)                                  \
  X("scenario", TEXT, NULL, hd_mutation_source_name(&m->sources[record->source]), found) \
  X("switch", COUNT, NULL, record->sw, found)                                            \
  X("cycle", COUNT, NULL, t->found.cycle, found)                                         \
  X("port", COUNT, NULL, t->found.port, found && t->found.port != 0xffff)                \
  X("wire", WORD, NULL, hd_mutant_wire_name((enum hd_mutant_wire)t->found.wire), found)  \
  X("computes", TEXT, NULL, hd_text_chars(&computes), true)                              \
  X("goes_to", TEXT, NULL, hd_text_chars(&goes_to), true)                                \
  X("end", WORD, NULL, hd_mutation_end_name((enum hd_mutation_end)t->ruled.end), judged) \
  X("rule", WORD, NULL, hd_port_rule_number((enum hd_port_rule)t->ruled.rule),           \
    t->ruled.rule != HD_PORT_NONE)                                                       \
  X("end_scenario", TEXT, NULL, hd_mutation_source_name(&m->sources[t->ruled.source]),   \
    t->ruled.end > HD_MUTATION_PASSED)                                                   \
  X("end_switch", COUNT, NULL, t->ruled.sw, at_switch)                                   \
  X("end_cycle", COUNT, NULL, t->ruled.cycle, at_switch)

#define COUNT_COLUMNS(X)                              \
  X("mutants", COUNT, NULL, c->mutants, true)         \
  X("found", COUNT, NULL, c->found, true)             \
  X("equivalent", COUNT, NULL, c->equivalent, true)   \
  X("survived", COUNT, NULL, c->survived, true)       \
  X("by_rules", COUNT, NULL, c->by_rules, c->foreign) \
  X("by_others", COUNT, NULL, c->by_others, c->foreign)

#define LINE_COLUMNS(X)                                     \
  X("file", TEXT, NULL, line->file ? line->file : "", true) \
  X("line", COUNT, NULL, line->line, line->file)            \
  COUNT_COLUMNS(X)

static const struct hd_column mutant_columns[] = {MUTANT_COLUMNS(HD_PLAIN_COLUMN)},
                              count_columns[] = {COUNT_COLUMNS(HD_PLAIN_COLUMN)},
                              line_columns[] = {LINE_COLUMNS(HD_PLAIN_COLUMN)};

static void add_mutant(const struct hd_mutation *m, const struct hd_mutation_tried *t,
                       struct hd_text *text)
{
  const struct hd_mutant *mutant = hd_mutation_mutant_of(m, t);
  const struct hd_mutant_cell *cell = hd_mutation_cell_of(m, t);
  const bool found = t->found.found, judged = t->ruled.end != HD_MUTATION_UNPLAYED;
  const bool at_switch = t->ruled.end == HD_MUTATION_RULE || t->ruled.end == HD_MUTATION_DELIVERY;
  const struct hd_mutation_record *record = found ? &m->records[t->record] : NULL;
  struct hd_text computes = {0}, goes_to = {0};
  char inputs[3] = "";
  if (mutant->kind == HD_MUTANT_EXCHANGED ||
      (mutant->kind >= HD_MUTANT_INPUT_0 && mutant->kind <= HD_MUTANT_INPUT_INVERTED))
    inputs[0] = (char)('A' + mutant->inputs[0]);
  if (mutant->kind == HD_MUTANT_EXCHANGED)
    inputs[1] = (char)('A' + mutant->inputs[1]);
  hd_mutant_pool_explain(m->pool, mutant->cell, &computes, &goes_to);
  hd_csv_row(HD_COLUMNS(mutant_columns), HD_PLAIN_ROW(MUTANT_COLUMNS), text);
  hd_text_fini(&computes);
  hd_text_fini(&goes_to);
}

static int write_mutants(const struct hd_mutation *m, const char *directory, struct hd_error *err)
{
  struct hd_text text = {0};
  hd_csv_names(HD_COLUMNS(mutant_columns), &text);
  for (uint32_t i = 0; i < m->n; i++)
    add_mutant(m, &m->tried[i], &text);
  return hd_text_write(directory, "mutants.csv", &text, err);
}

static int write_lines(const struct hd_mutation *m, const char *directory, struct hd_error *err)
{
  struct lines lines = lines_of(m, false);
  struct hd_text text = {0};
  hd_csv_names(HD_COLUMNS(line_columns), &text);
  for (uint32_t i = 0; i < lines.n; i++) {
    const struct line *line = &lines.list[i];
    const struct hd_mutation_count *c = &line->count;
    hd_csv_row(HD_COLUMNS(line_columns), HD_PLAIN_ROW(LINE_COLUMNS), &text);
  }
  free(lines.list);
  return hd_text_write(directory, "lines.csv", &text, err);
}

/* Appends counts and score to `into`, and returns it. */
static json_t *json_count(json_t *into, const struct hd_mutation_count *c)
{
  const double score = score_of(c);
  hd_json_put(HD_COLUMNS(count_columns), HD_PLAIN_ROW(COUNT_COLUMNS), into);
  json_object_set_new(into, "score_percent", score < 0 ? json_null() : json_real(score));
  return into;
}

static json_t *json_sources(const struct hd_mutation *m)
{
  json_t *sources = json_array();
  for (uint32_t i = 0; i < m->n_sources; i++) {
    const struct hd_mutation_source *source = &m->sources[i];
    const struct source_count c = source_count(m, i);
    json_t *row = json_pack("{s:o,s:o,s:i,s:i,s:I,s:I}", "scenario",
                            hd_json_string(source->is_stream ? NULL : source->scenario.path),
                            "name", hd_json_string(hd_mutation_source_name(source)), "wanted",
                            (int)c.wanted, "played", (int)c.played, "cycles", (json_int_t)c.cycles,
                            "found_first", (json_int_t)c.first);
    if (m->each) {
      json_object_set_new(row, "found", json_integer((json_int_t)c.found));
      json_object_set_new(row, "found_alone", json_integer((json_int_t)c.alone));
    }
    json_array_append_new(sources, row);
  }
  return sources;
}

static json_t *json_switches(const struct hd_mutation *m)
{
  json_t *switches = json_array();
  for (const struct hd_mutation_record *r = m->records; r < m->records + m->n_records; r++)
    json_array_append_new(switches,
                          json_pack("{s:i,s:i,s:I,s:I,s:I}", "scenario", (int)r->source, "switch",
                                    (int)r->sw, "inputs", (json_int_t)r->inputs, "cycles",
                                    (json_int_t)r->cycles, "found", (json_int_t)r->found));
  return switches;
}

static json_t *json_faults(const struct hd_mutation *m)
{
  struct hd_mutation_count kinds[HD_MUTANT_KINDS] = {{0}};
  json_t *faults = json_array();
  for (uint32_t i = 0; i < m->n; i++)
    hd_mutation_count_one(&kinds[hd_mutation_mutant_of(m, &m->tried[i])->kind], m, &m->tried[i]);
  for (unsigned k = 0; k < HD_MUTANT_KINDS; k++)
    if (kinds[k].mutants)
      json_array_append_new(
          faults,
          json_count(json_pack("{s:s}", "fault", hd_mutant_kind_name((enum hd_mutant_kind)k)),
                     &kinds[k]));
  return faults;
}

static json_t *json_files(const struct hd_mutation *m)
{
  struct lines files = lines_of(m, true);
  json_t *rows = json_array();
  for (uint32_t i = 0; i < files.n; i++)
    json_array_append_new(rows,
                          json_count(json_pack("{s:o}", "file", hd_json_string(files.list[i].file)),
                                     &files.list[i].count));
  free(files.list);
  return rows;
}

static int write_json(const struct hd_mutation *m, const char *directory, struct hd_error *err)
{
  const struct hd_mutants *all = hd_mutant_pool_mutants(m->pool);
  const struct hd_mutation_count c = hd_mutation_count_all(m);
  uint64_t proofs[HD_PROOFS];
  char seed[24];
  snprintf(seed, sizeof seed, "%" PRIu64, m->seed);
  count_proofs(m, proofs);
  json_t
      *json = json_count(json_pack("{s:b}", "complete", !m->interrupted), &c),
      *rest = json_pack(
          "{s:i,s:i,s:i,s:i,s:i,s:i,s:I,s:b,s:s,s:f,s:o,s:{s:i,s:i,s:I,s:I,s:I,s:I},s:o,s:o,s:o}",
          "gates", (int)all->n_tables, "flip_flops", (int)(all->n_cells - all->n_tables),
          "lines_known", (int)all->n_lines_known, "lines_lent", (int)all->n_lines_lent,
          "all_mutants", (int)all->n, "drawn_from", (int)m->possible, "same_as_others",
          (json_int_t)all->collapsed, "drawn", m->drawn, "seed", seed, "seconds", m->seconds,
          "scenarios", json_sources(m), "proofs", "wanted", (int)m->wanted_to_prove, "tried",
          (int)m->tried_to_prove, "invariants", (json_int_t)m->invariants, "by_structure",
          (json_int_t)proofs[HD_PROOF_STRUCTURE], "in_a_step", (json_int_t)proofs[HD_PROOF_STEP],
          "unseen", (json_int_t)proofs[HD_PROOF_UNSEEN], "switches", json_switches(m), "faults",
          json_faults(m), "files", json_files(m));
  if (json_object_update(json, rest)) {
    json_decref(json);
    json = NULL;
  }
  json_decref(rest);
  if (json && m->foreign)
    json_object_set_new(json, "rules", hd_mutation_rules_json(m));
  return hd_json_write(directory, "mutation.json", json, JSON_REAL_PRECISION(6), err);
}

/* Writes mutation.json last, so that all files are complete if it exists. */
int hd_mutation_write(const struct hd_mutation *m, const char *directory, struct hd_error *err)
{
  int status = write_mutants(m, directory, err);
  if (!status)
    status = write_lines(m, directory, err);
  if (!status && m->foreign)
    status = hd_mutation_rules_write(m, directory, err);
  return status ? status : write_json(m, directory, err);
}
