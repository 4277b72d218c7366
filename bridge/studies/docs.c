/* Writes what the documentation keeps of a study: its tables as CSV, and its pictures.
 * SPDX-License-Identifier: Apache-2.0
 *
 * `make site` makes a table of a CSV file where a page links to it. Pictures get the licence line
 * that every file of the tree has, and lose their empty groups.
 */
#include "report.h"
#include "study.h"

#include "../host/file.h"
#include "../host/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char licence[] = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n";

/* Adds an SVG without its empty groups, of which gnuplot writes many. */
static void add_lean(const char *svg, struct hd_text *text)
{
  static const char closed[] = "</g>\n";
  for (const char *next; *svg; svg = next) {
    const char *line = strchr(svg, '\n'), *tag = strchr(svg, '>');
    next = line ? line + 1 : svg + strlen(svg);
    if (!strncmp(svg, "<g ", 3) && line && tag == line - 1 &&
        !strncmp(next, closed, strlen(closed)))
      next += strlen(closed);
    else
      hd_text_add(text, "%.*s", (int)(next - svg), svg);
  }
}

/* Copies a figure and adds the licence after its first line, which says what the file is. */
static int put_picture(const char *out, const char *dir, const char *name, struct hd_error *err)
{
  char from[STUDY_PATH];
  char *svg = NULL;
  size_t length;
  snprintf(from, sizeof from, "%s/%s", out, name);
  int status = hd_file_read(from, &svg, &length, err);
  if (status)
    return status;
  struct hd_text text = {0};
  const char *line = strchr(svg, '\n');
  int first = line ? (int)(line + 1 - svg) : 0;
  hd_text_add(&text, "%.*s%s", first, svg, licence);
  add_lean(svg + first, &text);
  free(svg);
  return hd_text_write(dir, name, &text, err);
}

static int put_pictures(const char *out, const char *dir, struct hd_error *err)
{
  DIR *there = opendir(dir);
  int status = 0;
  if (!there)
    return hd_fail(err, HD_E_IO, "%s: %s", dir, strerror(errno));
  for (struct dirent *e; !status && (e = readdir(there)) != NULL;) {
    const char *end = strrchr(e->d_name, '.');
    if (end && !strcmp(end, ".svg"))
      status = put_picture(out, dir, e->d_name, err);
  }
  closedir(there);
  return status;
}

static int put_statements(const struct hd_study_judged *study, const char *dir,
                          struct hd_error *err)
{
  struct hd_text all = {0}, checks = {0};
  hd_study_statements_csv(study->statements, &all, &checks);
  int status = hd_text_write(dir, "statements.csv", &all, err);
  int other = hd_text_write(dir, "checks.csv", &checks, status ? NULL : err);
  return status ? status : other;
}

/* ── tables of Markdown as CSV ─────────────────────────────────────────────── */

/* A section's tables that have the same head become one file. Its first column then has the text
 * that stands above each table. */
enum { MOST_HEADS = 8, MOST_LINE = 1024 };
struct file {
  char head[MOST_LINE];
  bool captions;
  struct hd_text csv;
};
struct section {
  struct file files[MOST_HEADS];
  size_t n;
  char above[MOST_LINE];
};

/* Adds the cells of a row `| a | b |` as CSV fields. */
static void add_cells(const char *row, struct hd_text *csv)
{
  for (const char *at = row + 1, *bar; (bar = strchr(at, '|')) != NULL; at = bar + 1) {
    char cell[MOST_LINE];
    size_t n = 0;
    for (; bar && bar > at && bar[-1] == '\\'; bar = strchr(bar + 1, '|'))
      ; /* an escaped bar is part of the cell */
    if (!bar)
      return;
    for (const char *c = at + strspn(at, " "); c < bar; c++)
      if (*c != '\\' || c[1] != '|')
        cell[n++] = *c;
    while (n && cell[n - 1] == ' ')
      n--;
    cell[n] = '\0';
    hd_text_add(csv, "%s", at == row + 1 ? "" : ",");
    hd_text_add_csv(csv, cell);
  }
  hd_text_add(csv, "\n");
}

static struct file *file_of(struct section *section, const char *head)
{
  size_t i = 0;
  while (i < section->n && strcmp(section->files[i].head, head) != 0)
    i++;
  if (i == MOST_HEADS)
    return NULL;
  struct file *file = &section->files[i];
  if (i < section->n)
    return file;
  section->n++;
  snprintf(file->head, sizeof file->head, "%s", head);
  file->captions = section->above[0] != '\0';
  if (file->captions)
    hd_text_add(&file->csv, "\"table\",");
  add_cells(head, &file->csv);
  return file;
}

static int read_section(const char *name, const char *text, struct section *section,
                        struct hd_error *err)
{
  struct file *table = NULL;
  bool said = false; /* text between the last table and the next one has begun */
  char line[MOST_LINE];
  for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
    size_t length = strcspn(at, "\n");
    if (length >= sizeof line)
      return hd_fail(err, HD_E_INPUT, "%s: a line of more than %d characters", name, MOST_LINE - 1);
    snprintf(line, sizeof line, "%.*s", (int)length, at);
    if (*line != '|') {
      table = NULL;
      size_t has = said ? strlen(section->above) : 0;
      if (*line)
        snprintf(section->above + has, sizeof section->above - has, "%s%s", has ? " " : "", line);
      said = said || *line;
    } else if (!table) {
      size_t has = strlen(section->above);
      if (has && section->above[has - 1] == ':')
        section->above[has - 1] = '\0';
      said = false;
      if (!(table = file_of(section, line)))
        return hd_fail(err, HD_E_INPUT, "%s: tables with more than %d heads", name, MOST_HEADS);
    } else if (strncmp(line, "|---", 4) != 0) {
      if (table->captions) {
        hd_text_add_csv(&table->csv, section->above);
        hd_text_add(&table->csv, ",");
      }
      add_cells(line, &table->csv);
    }
  }
  return 0;
}

/* Writes the tables of a section as SECTION.csv, SECTION-2.csv, … */
static int put_section(const struct hd_study_part *part, const void *results, const char *dir,
                       struct hd_error *err)
{
  struct section *section = hd_xcalloc(1, sizeof *section);
  struct hd_text text = {0};
  part->add(results, &text);
  int status = read_section(part->section, hd_text_chars(&text), section, err);
  for (size_t i = 0; i < section->n; i++) {
    char name[64], number[24] = "";
    if (i)
      snprintf(number, sizeof number, "-%zu", i + 1);
    snprintf(name, sizeof name, "%s%s.csv", part->section, number);
    if (!status)
      status = hd_text_write(dir, name, &section->files[i].csv, err);
    else
      hd_text_fini(&section->files[i].csv);
  }
  hd_text_fini(&text);
  free(section);
  return status;
}

int hd_study_report_docs(const struct hd_study_judged *study, struct hd_error *err)
{
  const struct hd_study_report *report = study->program->report;
  const char *dir = study->how->docs;
  int status = put_statements(study, dir, err);
  for (size_t i = 0; !status && i < report->n_parts; i++)
    status = put_section(&report->parts[i], study->program->results, dir, err);
  return status ? status : put_pictures(study->how->out, dir, err);
}
