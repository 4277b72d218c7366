/* The page of a stream: those sections of a run's page that are about one switch.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream_page.h"

#include "../host/memory.h"
#include "run_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── tables in memory ──────────────────────────────────────────────────────── */

/* The cells of a table, row by row. The names of the columns come first. */
struct builder {
  struct hd_text chars;
  size_t *cells, n, capacity;
};

static void add_cell(struct builder *b, const char *text)
{
  HD_XROOM(b->cells, b->capacity, b->n, 1);
  b->cells[b->n++] = text ? b->chars.length : SIZE_MAX;
  if (text)
    hd_text_add(&b->chars, "%s%c", text, '\0');
}

static void add_number(struct builder *b, uint64_t number)
{
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, number);
  add_cell(b, text);
}

static void add_names(struct builder *b, const char *const *names)
{
  for (; *names; names++)
    add_cell(b, *names);
}

/* Moves the built cells into the table. */
static void builder_to_table(struct builder *b, size_t columns, struct hd_rundb_table *table)
{
  *table = (struct hd_rundb_table){
      .chars = b->chars.chars, .cells = b->cells, .rows = b->n / columns - 1, .columns = columns};
  *b = (struct builder){0};
}

static void builder_fini(struct builder *b)
{
  hd_text_fini(&b->chars);
  free(b->cells);
}

/* ── signals ───────────────────────────────────────────────────────────────── */

struct signal {
  char *name, *model, *dut; /* owned */
  uint64_t cycle;
  bool differs;
};

struct hd_stream_page {
  struct signal *signals; /* [n] */
  size_t n, capacity;
};

struct hd_stream_page *hd_stream_page_create(void)
{
  return hd_xcalloc(1, sizeof(struct hd_stream_page));
}

void hd_stream_page_destroy(struct hd_stream_page *page)
{
  for (size_t i = 0; page && i < page->n; i++) {
    free(page->signals[i].name);
    free(page->signals[i].model);
    free(page->signals[i].dut);
  }
  if (page)
    free(page->signals);
  free(page);
}

void hd_stream_page_signal(struct hd_stream_page *page, const struct hd_rundb_signal *s)
{
  HD_XROOM(page->signals, page->capacity, page->n, 1);
  struct signal *kept = &page->signals[page->n++];
  *kept = (struct signal){hd_xstrdup(s->signal), hd_xstrdup(s->model),
                          s->dut ? hd_xstrdup(s->dut) : NULL, s->cycle, s->differs};
}

static int by_name(const void *a, const void *b)
{
  const struct signal *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order ? order : x->cycle < y->cycle ? -1 : x->cycle > y->cycle;
}

static void build_signals(struct hd_stream_page *page, struct builder *b)
{
  static const char *const names[] = {"signal", "cycle", "model", "dut", "differs", NULL};
  add_names(b, names);
  if (page->n)
    qsort(page->signals, page->n, sizeof *page->signals, by_name);
  for (size_t i = 0; i < page->n; i++) {
    const struct signal *s = &page->signals[i];
    add_cell(b, s->name);
    add_number(b, s->cycle);
    add_cell(b, s->model);
    add_cell(b, s->dut);
    add_number(b, s->differs);
  }
}

static void add_item(struct builder *b, const char *key, const char *value)
{
  add_cell(b, "divergence");
  add_number(b, 0);
  add_cell(b, key);
  add_cell(b, value);
}

/* Writes the lists in the order of their keys. */
static void build_lists(const struct hd_stream_page_text *text, struct builder *b)
{
  static const char *const names[] = {"list", "row", "key", "value", NULL};
  char cycle[24];
  add_names(b, names);
  snprintf(cycle, sizeof cycle, "%" PRIu64, text->first_state_cycle);
  if (text->first_state) {
    add_item(b, "first_state", text->first_state);
    add_item(b, "first_state_cycle", cycle);
  }
  if (text->explanation)
    add_item(b, "text", text->explanation);
}

/* ── the page ──────────────────────────────────────────────────────────────── */

static void head(struct hd_text *t, const struct hd_stream_page_text *text)
{
  hd_text_add(t, "<p class=\"verdict bad\" id=\"verdict\">different</p>\n<h1>");
  hd_text_add_xml(t, text->title);
  hd_text_add(t, "</h1>\n");
  if (text->cause)
    hd_page_paragraph(t, "lead", text->cause);
  if (text->sentence)
    hd_page_paragraph(t, text->cause ? NULL : "lead", text->sentence);
}

static void lines_section(struct hd_page *page, const char *id, const char *title, const char *kind,
                          const char *lines)
{
  if (!lines || !*lines)
    return;
  hd_page_section(page, id, title);
  hd_page_lines(&page->body, kind, lines);
  hd_page_section_end(page);
}

static void compose(struct hd_page *page, const struct hd_run_data *data,
                    const struct hd_stream_page_text *text)
{
  head(&page->head, text);
  lines_section(page, "cause", "Wrong first, beside the original RTL with the same inputs",
                "causes", text->causes ? text->causes : text->no_cause);
  hd_run_divergence_section(page, data);
  lines_section(page, "commands", "Commands", "command", text->commands);
  lines_section(page, "stream", "The stream", NULL, text->stream);
}

int hd_stream_page_write(struct hd_stream_page *page, const struct hd_stream_page_text *text,
                         const char *path, struct hd_error *err)
{
  struct hd_run_data data = {.diverged = true, .cycle = text->cycle, .port = text->port};
  struct builder signals = {0}, lists = {0};
  struct hd_page html = {0};
  build_signals(page, &signals);
  build_lists(text, &lists);
  builder_to_table(&signals, 5, &data.tables[HD_RUNDB_SIGNALS]);
  builder_to_table(&lists, 4, &data.tables[HD_RUNDB_LISTS]);
  compose(&html, &data, text);
  const int status = hd_page_write(&html, text->title, path, err);
  for (unsigned i = 0; i < HD_RUNDB_TABLES; i++)
    hd_rundb_table_fini(&data.tables[i]);
  builder_fini(&signals);
  builder_fini(&lists);
  hd_page_fini(&html);
  return status;
}
