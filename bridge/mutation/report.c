/* Reports on mutants: for people, as JSON and as CSV.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mutation.h"

#include "../host/file.h"
#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORST_LINES = 12 };

/* ── counting ──────────────────────────────────────────────────────────────── */

static void count_one(struct hd_mutation_count *c, const struct hd_mutation *m,
                      const struct hd_mutation_tried *t)
{
  c->mutants++;
  c->found += t->found.found;
  c->equivalent += !t->found.found && t->proof;
  c->survived += !t->found.found && !t->proof && t->survived == m->records_wanted;
}

struct hd_mutation_count hd_mutation_count(const struct hd_mutation *m)
{
  struct hd_mutation_count count = {0};
  for (uint32_t i = 0; i < m->n; i++)
    count_one(&count, m, &m->tried[i]);
  return count;
}

double hd_mutation_score(const struct hd_mutation_count *c)
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

static const struct hd_mutant *mutant_of(const struct hd_mutation *m,
                                         const struct hd_mutation_tried *t)
{
  return &hd_mutant_pool_mutants(m->mutable)->list[t->mutant];
}

static const struct hd_mutant_cell *cell_of(const struct hd_mutation *m,
                                            const struct hd_mutation_tried *t)
{
  return &hd_mutant_pool_mutants(m->mutable)->cells[mutant_of(m, t)->cell];
}

/* ── by line, by file ──────────────────────────────────────────────────────── */

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

/* Counts by line, or by file. .list is to be freed. */
static struct lines lines_of(const struct hd_mutation *m, bool by_file)
{
  struct lines lines = {.list = hd_xcalloc(m->n + 1, sizeof *lines.list)};
  for (uint32_t i = 0; i < m->n; i++) {
    const struct hd_mutant_cell *cell = cell_of(m, &m->tried[i]);
    lines.list[i] = (struct line){.file = cell->file, .line = by_file ? 0 : cell->line};
    count_one(&lines.list[i].count, m, &m->tried[i]);
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

/* ── for people ────────────────────────────────────────────────────────────── */

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
  const double score = hd_mutation_score(c);
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
    count_one(&kinds[mutant_of(m, &m->tried[i])->kind], m, &m->tried[i]);
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
  uint64_t cycles, first, found, alone; /* found by it first; with .each: at all, and by it alone */
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

enum { MOST_SOURCES = 40 }; /* lines for people; mutation.json has all */

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

/* Adds the title of a score: its switch and its sources. */
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
  const struct hd_mutants *all = hd_mutant_pool_mutants(m->mutable);
  const struct hd_mutation_count c = hd_mutation_count(m);
  const double score = hd_mutation_score(&c);
  const uint64_t rest = c.mutants - c.found - c.equivalent - c.survived;
  static const char head[] = "mutants    found equivalent survived  score\n";
  add_title(m, text);
  if (score < 0)
    hd_text_add(text, ": no mutation score: no mutant can be found\n");
  else if (rest || m->interrupted) /* proofs that are missing would raise it, too */
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

static int write_text(const char *directory, const char *name, struct hd_text *text,
                      struct hd_error *err)
{
  struct hd_text path = {0};
  hd_text_add(&path, "%s/%s", directory, name);
  const int status = hd_file_write(path.chars, hd_text_chars(text), text->length, err);
  hd_text_fini(&path);
  hd_text_fini(text);
  return status;
}

static void add_logic(const struct hd_mutation *m, uint32_t cell, struct hd_text *text)
{
  struct hd_text computes = {0}, goes_to = {0};
  hd_mutant_pool_explain(m->mutable, cell, &computes, &goes_to);
  hd_text_add(text, ",");
  hd_text_add_csv(text, hd_text_chars(&computes));
  hd_text_add(text, ",");
  hd_text_add_csv(text, hd_text_chars(&goes_to));
  hd_text_fini(&computes);
  hd_text_fini(&goes_to);
}

static void add_mutant(const struct hd_mutation *m, const struct hd_mutation_tried *t,
                       struct hd_text *text)
{
  const struct hd_mutant *mutant = mutant_of(m, t);
  const struct hd_mutant_cell *cell = cell_of(m, t);
  hd_text_add(text, "%u,%u,%u,", t->mutant, mutant->cell, mutant->rows);
  hd_text_add_csv(text, cell->file ? cell->file : "");
  if (cell->file)
    hd_text_add(text, ",%u,", cell->line);
  else
    hd_text_add(text, ",,");
  hd_text_add(text, "%s,", cell->gate);
  hd_text_add_csv(text, cell->net ? cell->net : "");
  hd_text_add(text, ",");
  hd_text_add_csv(text, hd_mutant_kind_name((enum hd_mutant_kind)mutant->kind));
  hd_text_add(text, ",");
  if (mutant->kind == HD_MUTANT_EXCHANGED)
    hd_text_add(text, "%c%c", 'A' + mutant->inputs[0], 'A' + mutant->inputs[1]);
  else if (mutant->kind >= HD_MUTANT_INPUT_0 && mutant->kind <= HD_MUTANT_INPUT_INVERTED)
    hd_text_add(text, "%c", 'A' + mutant->inputs[0]);
  hd_text_add(text, ",%s,", state_of(m, t));
  hd_text_add_csv(text, hd_proof_text(t->proof));
  hd_text_add(text, ",");
  if (!t->found.found)
    hd_text_add(text, ",,,,");
  else {
    const struct hd_mutation_record *record = &m->records[t->record];
    hd_text_add_csv(text, hd_mutation_source_name(&m->sources[record->source]));
    hd_text_add(text, ",%u,%" PRIu64 ",", record->sw, t->found.cycle);
    if (t->found.port != 0xffff)
      hd_text_add(text, "%u", t->found.port);
    hd_text_add(text, ",%s", hd_mutant_wire_name((enum hd_mutant_wire)t->found.wire));
  }
  add_logic(m, mutant->cell, text);
  hd_text_add(text, "\n");
}

static int write_mutants(const struct hd_mutation *m, const char *directory, struct hd_error *err)
{
  struct hd_text text = {0};
  hd_text_add(&text, "mutant,cell,rows,file,line,gate,net,fault,inputs,verdict,proof,scenario,"
                     "switch,cycle,port,wire,computes,goes_to\n");
  for (uint32_t i = 0; i < m->n; i++)
    add_mutant(m, &m->tried[i], &text);
  return write_text(directory, "mutants.csv", &text, err);
}

static int write_lines(const struct hd_mutation *m, const char *directory, struct hd_error *err)
{
  struct lines lines = lines_of(m, false);
  struct hd_text text = {0};
  hd_text_add(&text, "file,line,mutants,found,equivalent,survived\n");
  for (uint32_t i = 0; i < lines.n; i++) {
    const struct line *line = &lines.list[i];
    hd_text_add_csv(&text, line->file ? line->file : "");
    if (line->file)
      hd_text_add(&text, ",%u", line->line);
    else
      hd_text_add(&text, ",");
    hd_text_add(&text, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", line->count.mutants,
                line->count.found, line->count.equivalent, line->count.survived);
  }
  free(lines.list);
  return write_text(directory, "lines.csv", &text, err);
}

static void json_count(const struct hd_mutation_count *c, struct hd_text *text)
{
  const double score = hd_mutation_score(c);
  hd_text_add(text,
              "\"mutants\": %" PRIu64 ", \"found\": %" PRIu64 ", \"equivalent\": %" PRIu64
              ", \"survived\": %" PRIu64 ", ",
              c->mutants, c->found, c->equivalent, c->survived);
  if (score < 0)
    hd_text_add(text, "\"score_percent\": null");
  else
    hd_text_add(text, "\"score_percent\": %.6g", score);
}

static void json_string(const char *key, const char *value, struct hd_text *text)
{
  hd_text_add(text, "\"%s\": ", key);
  if (value)
    hd_text_add_json(text, value, strlen(value));
  else
    hd_text_add(text, "null");
}

static void json_source(const struct hd_mutation *m, uint32_t i, struct hd_text *text)
{
  const struct hd_mutation_source *source = &m->sources[i];
  const struct source_count c = source_count(m, i);
  hd_text_add(text, "%s\n    {", i ? "," : "");
  json_string("scenario", source->is_stream ? NULL : source->scenario.path, text);
  hd_text_add(text, ", ");
  json_string("name", hd_mutation_source_name(source), text);
  hd_text_add(
      text, ", \"wanted\": %u, \"played\": %u, \"cycles\": %" PRIu64 ", \"found_first\": %" PRIu64,
      c.wanted, c.played, c.cycles, c.first);
  if (m->each)
    hd_text_add(text, ", \"found\": %" PRIu64 ", \"found_alone\": %" PRIu64, c.found, c.alone);
  hd_text_add(text, "}");
}

static int write_json(const struct hd_mutation *m, const char *directory, struct hd_error *err)
{
  const struct hd_mutants *all = hd_mutant_pool_mutants(m->mutable);
  const struct hd_mutation_count c = hd_mutation_count(m);
  struct hd_mutation_count kinds[HD_MUTANT_KINDS] = {{0}};
  uint64_t proofs[HD_PROOFS];
  struct lines files = lines_of(m, true);
  struct hd_text text = {0};
  hd_text_add(&text, "{\n  \"complete\": %s, ", m->interrupted ? "false" : "true");
  json_count(&c, &text);
  hd_text_add(&text,
              ",\n  \"gates\": %u, \"flip_flops\": %u, \"lines_known\": %u, \"lines_lent\": %u, "
              "\"all_mutants\": %u, "
              "\"same_as_others\": %" PRIu64 ", \"drawn\": %s, \"seed\": \"%" PRIu64 "\",\n"
              "  \"seconds\": %.6g,\n  \"scenarios\": [",
              all->n_tables, all->n_cells - all->n_tables, all->n_lines_known, all->n_lines_lent,
              all->n, all->collapsed, m->drawn ? "true" : "false", m->seed, m->seconds);
  for (uint32_t i = 0; i < m->n_sources; i++)
    json_source(m, i, &text);
  count_proofs(m, proofs);
  hd_text_add(&text,
              "],\n  \"proofs\": {\"wanted\": %u, \"tried\": %u, \"invariants\": %" PRIu64
              ", \"by_structure\": %" PRIu64 ", \"in_a_step\": %" PRIu64 ", \"unseen\": %" PRIu64
              "}",
              m->wanted_to_prove, m->tried_to_prove, m->invariants, proofs[HD_PROOF_STRUCTURE],
              proofs[HD_PROOF_STEP], proofs[HD_PROOF_UNSEEN]);
  hd_text_add(&text, ",\n  \"switches\": [");
  for (uint32_t i = 0; i < m->n_records; i++)
    hd_text_add(&text,
                "%s\n    {\"scenario\": %u, \"switch\": %u, \"inputs\": %" PRIu64
                ", \"cycles\": %" PRIu64 ", \"found\": %" PRIu64 "}",
                i ? "," : "", m->records[i].source, m->records[i].sw, m->records[i].inputs,
                m->records[i].cycles, m->records[i].found);
  hd_text_add(&text, "],\n  \"faults\": [");
  const char *before = "";
  for (uint32_t i = 0; i < m->n; i++)
    count_one(&kinds[mutant_of(m, &m->tried[i])->kind], m, &m->tried[i]);
  for (unsigned k = 0; k < HD_MUTANT_KINDS; k++)
    if (kinds[k].mutants) {
      hd_text_add(&text, "%s\n    {", before);
      json_string("fault", hd_mutant_kind_name((enum hd_mutant_kind)k), &text);
      hd_text_add(&text, ", ");
      json_count(&kinds[k], &text);
      hd_text_add(&text, "}");
      before = ",";
    }
  hd_text_add(&text, "],\n  \"files\": [");
  for (uint32_t i = 0; i < files.n; i++) {
    hd_text_add(&text, "%s\n    {", i ? "," : "");
    json_string("file", files.list[i].file, &text);
    hd_text_add(&text, ", ");
    json_count(&files.list[i].count, &text);
    hd_text_add(&text, "}");
  }
  hd_text_add(&text, "]\n}\n");
  free(files.list);
  return write_text(directory, "mutation.json", &text, err);
}

/* mutation.json last: where it is, the others are, too. */
int hd_mutation_write(const struct hd_mutation *m, const char *directory, struct hd_error *err)
{
  int status = write_mutants(m, directory, err);
  if (!status)
    status = write_lines(m, directory, err);
  return status ? status : write_json(m, directory, err);
}
