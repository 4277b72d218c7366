/* A divergence: both sides, the packet's way, and the signals around it as a timeline.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run_data.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLES_BEFORE = 16, CYCLES_AFTER = 8, BEFORE_STATE = 2, MOST_CYCLES = 96 };

/* ── both sides of the difference ──────────────────────────────────────────── */

/* Adds the line of the explanation that begins with the name of a side. */
static void side(struct hd_text *t, const char *text, const char *name, const char *kind)
{
  char begin[16];
  snprintf(begin, sizeof begin, "\n  %-7s ", name);
  const char *at = strstr(text, begin);
  if (!at)
    return;
  at += strlen(begin);
  char *line = hd_xstrndup(at, strcspn(at, "\n"));
  hd_text_add(t, "<div class=\"%s\"><dt>%s</dt><dd>", kind, name);
  hd_text_add_xml(t, line);
  hd_text_add(t, "</dd></div>\n");
  free(line);
}

static void packet(struct hd_text *t, const struct hd_run_data *d)
{
  static const struct hd_page_column columns[] = {{.name = "switch", .number = true},
                                                  {.name = "left by port", .number = true},
                                                  {.name = "virtual channel", .number = true},
                                                  {.name = "in cycle", .number = true}};
  static const char *const keys[] = {"switch", "out_port", "vc", "cycle"};
  static const char list[] = "divergence.way";
  const char *number = hd_run_data_cell(d, HD_RUNDB_DIVERGENCES, 0, "packet");
  const char *source = hd_run_data_item(d, "divergence", 0, "source");
  if (!number || !source)
    return;
  hd_text_add(t,
              "<h3>The packet</h3>\n<p>Packet %" PRIu64 " goes from node %" PRIu64
              " to node %" PRIu64 " in %" PRIu64 " flits. It was handed over in cycle %" PRIu64 ".",
              hd_run_data_number(number), hd_run_data_number(source),
              hd_run_data_number(hd_run_data_item(d, "divergence", 0, "destination")),
              hd_run_data_number(hd_run_data_item(d, "divergence", 0, "flits")),
              hd_run_data_number(hd_run_data_item(d, "divergence", 0, "created")));
  uint64_t planned = hd_run_data_rows(d, "divergence.planned");
  if (planned)
    hd_text_add(t, " By the tables its way is");
  for (uint64_t i = 0; i < planned; i++) {
    uint64_t sw = hd_run_data_number(hd_run_data_item(d, "divergence.planned", i, "switch"));
    hd_text_add(t, sw == d->sw ? " <strong>s%" PRIu64 "</strong>" : " s%" PRIu64, sw);
  }
  hd_text_add(t, "%s</p>\n", planned ? "." : "");
  uint64_t rows = hd_run_data_rows(d, list);
  if (!rows)
    return;
  hd_page_table(t, "way", "The packet's way so far, as far as it is known", columns, 4, false);
  for (uint64_t i = 0; i < rows; i++) {
    hd_page_row(t);
    for (int k = 0; k < 4; k++)
      hd_page_cell_count(t, hd_run_data_number(hd_run_data_item(d, list, i, keys[k])));
    hd_page_row_end(t);
  }
  hd_page_table_end(t);
}

/* ── the timeline ──────────────────────────────────────────────────────────── */

/* Columns of the table of signals. Its rows are in order of signal, then cycle. */
enum { SIGNAL, CYCLE, MODEL, DUT, DIFFERS };

struct signal {
  size_t first, n; /* rows of the table */
  bool event;      /* a flit or credit, which is present only in its own cycle */
  bool active;     /* an event or a change is between `from` and `to` */
  unsigned group;  /* 0: differs; 1: belongs to the divergent port; 2: other */
  uint64_t differed;
};

struct timeline {
  const struct hd_rundb_table *rows;
  const char *reference; /* "model" or "original" */
  struct signal *signals;
  size_t n;
  uint64_t from, to, at;
};

static uint64_t number_at(const struct timeline *l, size_t row, size_t column)
{
  return hd_run_data_number(hd_rundb_cell(l->rows, row, column));
}

static const char *name_of(const struct timeline *l, const struct signal *s)
{
  const char *name = hd_rundb_cell(l->rows, s->first, SIGNAL);
  return name ? name : "";
}

static bool of_port(const char *name, uint32_t port)
{
  char begins[3][24];
  snprintf(begins[0], sizeof begins[0], "port %" PRIu32 " ", port);
  snprintf(begins[1], sizeof begins[1], "in[%" PRIu32 "]", port);
  snprintf(begins[2], sizeof begins[2], "out[%" PRIu32 "]", port);
  for (int i = 0; i < 3; i++)
    if (!strncmp(name, begins[i], strlen(begins[i])))
      return true;
  return false;
}

static void classify_signal(struct timeline *l, struct signal *s, uint32_t port)
{
  s->event = !strncmp(name_of(l, s), "port ", 5);
  s->group = of_port(name_of(l, s), port) ? 1 : 2;
  s->differed = UINT64_MAX;
  for (size_t i = s->first; i < s->first + s->n; i++) {
    uint64_t cycle = number_at(l, i, CYCLE);
    if (cycle > l->to || cycle < l->from)
      continue;
    /* A state's first row is its initial value, not a change. */
    s->active |= s->event || i > s->first;
    if (number_at(l, i, DIFFERS) && cycle < s->differed) {
      s->differed = cycle;
      s->group = 0;
      s->active = true;
    }
  }
}

static int signal_order(const void *a, const void *b)
{
  const struct signal *x = a, *y = b;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  if (x->differed != y->differed)
    return x->differed < y->differed ? -1 : 1;
  if (x->event != y->event)
    return x->event ? -1 : 1;
  return (x->first > y->first) - (x->first < y->first);
}

static void find_signals(struct timeline *l, const struct hd_run_data *d)
{
  uint64_t state = hd_run_data_number(hd_run_data_item(d, "divergence", 0, "first_state_cycle"));
  bool has_state = hd_run_data_item(d, "divergence", 0, "first_state") != NULL;
  uint64_t before = CYCLES_BEFORE, kept_from = UINT64_MAX, kept_to = 0;
  if (has_state && state < l->at && l->at - state + BEFORE_STATE > before)
    before = l->at - state + BEFORE_STATE;
  before = before < MOST_CYCLES ? before : MOST_CYCLES;
  l->signals = hd_xcalloc(l->rows->rows, sizeof *l->signals);
  for (size_t i = 0; i < l->rows->rows; i++) {
    const char *name = hd_rundb_cell(l->rows, i, SIGNAL);
    uint64_t cycle = number_at(l, i, CYCLE);
    kept_from = cycle < kept_from ? cycle : kept_from;
    kept_to = cycle > kept_to ? cycle : kept_to;
    if (!l->n || strcmp(name_of(l, &l->signals[l->n - 1]), name ? name : "") != 0)
      l->signals[l->n++] = (struct signal){.first = i};
    l->signals[l->n - 1].n++;
  }
  l->from = l->at > before ? l->at - before : 0;
  l->from = kept_from > l->from && kept_from < l->at ? kept_from : l->from;
  l->to = l->at + CYCLES_AFTER < kept_to ? l->at + CYCLES_AFTER : kept_to;
  l->to = l->to > l->at ? l->to : l->at;
  for (size_t i = 0; i < l->n; i++)
    classify_signal(l, &l->signals[i], d->port);
  qsort(l->signals, l->n, sizeof *l->signals, signal_order);
}

static void add_value(struct hd_text *t, const char *value)
{
  hd_text_add_xml(t, value && *value ? value : "\u2013");
}

/* Adds a cell. `row` is the signal's last row up to this cycle; SIZE_MAX: none yet. */
static void add_cell(struct hd_text *t, const struct timeline *l, const struct signal *s,
                     size_t row, uint64_t cycle)
{
  bool now = row != SIZE_MAX && number_at(l, row, CYCLE) == cycle;
  const char *at = cycle == l->at ? " at" : "";
  if (row == SIZE_MAX || (s->event && !now)) {
    hd_text_add(t, "<td%s></td>", *at ? " class=\"at\"" : "");
    return;
  }
  const char *model = hd_rundb_cell(l->rows, row, MODEL), *dut = hd_rundb_cell(l->rows, row, DUT);
  if (now && number_at(l, row, DIFFERS)) {
    hd_text_add(t, "<td class=\"d%s\"><span class=\"m\"><span class=\"v\">%s </span>", at,
                l->reference);
    add_value(t, model);
    hd_text_add(t, "</span> <span class=\"r\"><span class=\"v\">DUT </span>");
    add_value(t, dut);
    hd_text_add(t, "</span></td>");
    return;
  }
  hd_text_add(t, "<td class=\"%s%s\">", now ? "c" : "s", at);
  add_value(t, model);
  hd_text_add(t, "</td>");
}

static void signal_row(struct hd_text *t, const struct timeline *l, const struct signal *s)
{
  size_t next = s->first, row = SIZE_MAX;
  hd_text_add(t, "<tr data-g=\"%u\"><th scope=\"row\">", s->group);
  hd_text_add_xml(t, name_of(l, s));
  if (!s->event && !hd_rundb_cell(l->rows, s->first, DUT))
    hd_text_add(t, " <small>%s</small>", l->reference);
  hd_text_add(t, "</th>");
  for (uint64_t cycle = l->from; cycle <= l->to; cycle++) {
    while (next < s->first + s->n && number_at(l, next, CYCLE) <= cycle)
      row = next++;
    add_cell(t, l, s, row, cycle);
  }
  hd_text_add(t, "</tr>\n");
}

static void timeline(struct hd_text *t, const struct hd_run_data *d)
{
  struct timeline l = {
      .rows = &d->tables[HD_RUNDB_SIGNALS], .reference = hd_run_data_reference(d), .at = d->cycle};
  size_t quiet = 0;
  hd_text_add(t, "<h3 id=\"timeline-h\">Both sides, cycle by cycle</h3>\n");
  if (!l.rows->rows) {
    hd_page_paragraph(t, "note",
                      "The run database has no signals of this divergence: the scenario has "
                      "trace.waves: false, the backend cannot replay, or the run is of an older "
                      "Heddle. heddle replay repeats it.");
    return;
  }
  find_signals(&l, d);
  hd_text_add(
      t,
      "<p>Ports and states of switch %" PRIu32
      " at the start of each cycle. Where the two sides differ, the "
      "<span class=\"m\">%s</span> stands above the <span class=\"r\">DUT</span>. "
      "Values that change are dark, and unchanged values are pale. The difference became visible "
      "in the marked cycle %" PRIu64 ".</p>\n",
      d->sw, l.reference, d->cycle);
  hd_text_add(t,
              "<div class=\"scroll timeline\" tabindex=\"0\" role=\"region\" "
              "aria-labelledby=\"timeline-h\" data-port=\"%" PRIu32
              "\">\n<table id=\"timeline\">\n<caption>Signals of switch %" PRIu32
              ", cycles %" PRIu64 " to %" PRIu64
              "</caption>\n<thead><tr><th scope=\"col\">signal</th>",
              d->port, d->sw, l.from, l.to);
  for (uint64_t cycle = l.from; cycle <= l.to; cycle++)
    hd_text_add(t, "<th scope=\"col\"%s>%" PRIu64 "</th>", cycle == l.at ? " class=\"at\"" : "",
                cycle);
  hd_text_add(t, "</tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < l.n; i++)
    if (l.signals[i].active)
      signal_row(t, &l, &l.signals[i]);
    else
      quiet++;
  hd_text_add(t,
              "</tbody>\n</table>\n</div>\n<p class=\"note\">Not shown: %zu signals that do not "
              "change in these cycles. waves.fst has all of them.</p>\n",
              quiet);
  free(l.signals);
}

void hd_run_divergence_section(struct hd_page *page, const struct hd_run_data *d)
{
  struct hd_text *t = &page->body;
  const char *text = hd_run_data_item(d, "divergence", 0, "text");
  const char *state = hd_run_data_item(d, "divergence", 0, "first_state");
  const char *waves = hd_run_data_item(d, "divergence", 0, "rule_waves");
  if (!d->diverged)
    return;
  const char *reference = hd_run_data_reference(d);
  hd_page_section(page, "divergence",
                  *reference == 'o' ? "Where DUT and original differ"
                                    : "Where DUT and model differ");
  if (text) {
    char *headline = hd_xstrndup(text, strcspn(text, "\n"));
    hd_page_paragraph(t, "lead", headline);
    free(headline);
    hd_text_add(t, "<dl class=\"sides\">\n");
    side(t, text, reference, "m");
    side(t, text, "DUT", "r");
    hd_text_add(t, "</dl>\n");
  } else {
    hd_text_add(t,
                "<p class=\"lead\">The first difference is in cycle %" PRIu64 ", switch %" PRIu32
                ".</p>\n",
                d->cycle, d->sw);
  }
  if (state) {
    uint64_t cycle = hd_run_data_number(hd_run_data_item(d, "divergence", 0, "first_state_cycle"));
    hd_text_add(t, "<p class=\"first\">The first state that differed is <code>");
    hd_text_add_xml(t, state);
    hd_text_add(t, "</code>, in cycle %" PRIu64, cycle);
    if (cycle < d->cycle)
      hd_text_add(t, ", %" PRIu64 " %s before a port showed it", d->cycle - cycle,
                  d->cycle - cycle == 1 ? "cycle" : "cycles");
    hd_text_add(t, ". Look there for the cause.</p>\n");
  }
  if (waves) {
    hd_text_add(t, "<p>This shows the switch from before the rule was broken:</p>\n");
    hd_page_lines(t, "command", waves);
  }
  packet(t, d);
  timeline(t, d);
  if (text) {
    hd_text_add(t, "<details><summary>The explanation as text</summary>\n");
    hd_page_lines(t, NULL, text);
    hd_text_add(t, "</details>\n");
  }
  hd_page_section_end(page);
}
