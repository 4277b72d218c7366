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

static void add_number(struct hd_rundb_table *t, uint64_t number)
{
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, number);
  hd_rundb_table_add(t, text);
}

static void add_names(struct hd_rundb_table *t, const char *const *names, size_t columns)
{
  t->columns = columns;
  for (size_t i = 0; i < columns; i++)
    hd_rundb_table_add(t, names[i]);
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

static void build_signals(struct hd_stream_page *page, struct hd_rundb_table *t)
{
  static const char *const names[] = {"signal", "cycle", "model", "dut", "differs"};
  add_names(t, names, sizeof names / sizeof *names);
  if (page->n)
    qsort(page->signals, page->n, sizeof *page->signals, by_name);
  for (size_t i = 0; i < page->n; i++) {
    const struct signal *s = &page->signals[i];
    hd_rundb_table_add(t, s->name);
    add_number(t, s->cycle);
    hd_rundb_table_add(t, s->model);
    hd_rundb_table_add(t, s->dut);
    add_number(t, s->differs);
  }
}

static void add_item(struct hd_rundb_table *t, const char *key, const char *value)
{
  hd_rundb_table_add(t, "divergence");
  add_number(t, 0);
  hd_rundb_table_add(t, key);
  hd_rundb_table_add(t, value);
}

/* Writes the lists in the order of their keys. */
static void build_lists(const struct hd_stream_page_text *text, struct hd_rundb_table *t)
{
  static const char *const names[] = {"list", "row", "key", "value"};
  char cycle[24];
  add_names(t, names, sizeof names / sizeof *names);
  snprintf(cycle, sizeof cycle, "%" PRIu64, text->first_state_cycle);
  if (text->first_state) {
    add_item(t, "first_state", text->first_state);
    add_item(t, "first_state_cycle", cycle);
  }
  if (text->explanation)
    add_item(t, "text", text->explanation);
}

/* ── the page ──────────────────────────────────────────────────────────────── */

static void head(struct hd_text *t, const struct hd_stream_page_text *text)
{
  hd_text_add_xml_in(t, "<p class=\"verdict bad\" id=\"verdict\">different</p>\n<h1>", text->title,
                     "</h1>\n");
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
  lines_section(page, "cause", "Wrong first, compared with the original RTL on the same inputs",
                "causes", text->causes ? text->causes : text->no_cause);
  hd_run_divergence_section(page, data);
  lines_section(page, "commands", "Commands", "command", text->commands);
  lines_section(page, "stream", "The stream", NULL, text->stream);
}

int hd_stream_page_write(struct hd_stream_page *page, const struct hd_stream_page_text *text,
                         const char *path, struct hd_error *err)
{
  struct hd_run_data data = {.diverged = true, .cycle = text->cycle, .port = text->port};
  struct hd_page html = {0};
  build_signals(page, &data.tables[HD_RUNDB_SIGNALS]);
  build_lists(text, &data.tables[HD_RUNDB_LISTS]);
  compose(&html, &data, text);
  const int status = hd_page_write(&html, text->title, path, err);
  for (unsigned i = 0; i < HD_RUNDB_TABLES; i++)
    hd_rundb_table_fini(&data.tables[i]);
  hd_page_fini(&html);
  return status;
}
