/* The page of a sweep: curves, saturation, failures, points.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "campaign_data.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 32, MOST_ROWS = 1000, MOST_GROUPS = 32 };

/* The keys in which points differ. */
struct keys {
  const char *names[MOST_COLUMNS]; /* [n]: axes with several values, and the searched key */
  size_t n, x;          /* x: index of the key on the x axis; no curves if it is not below n */
  const char *searched; /* the searched key; NULL: none */
};

static bool all_numbers(const json_t *values)
{
  size_t i;
  const json_t *value;
  json_array_foreach(values, i, value)
  {
    if (!json_is_number(value))
      return false;
  }
  return true;
}

/* Collects the keys. The x axis has the searched key, or otherwise the axis with the most
 * numbers. */
static void find_keys(const json_t *json, struct keys *k)
{
  size_t i, most = 1;
  const json_t *axis;
  *k = (struct keys){.x = MOST_COLUMNS};
  json_array_foreach(json_object_get(json, "axes"), i, axis)
  {
    const json_t *values = json_object_get(axis, "values");
    const char *name = hd_json_text(axis, "key");
    size_t n = json_array_size(values);
    if (!name || n < 2 || k->n == MOST_COLUMNS - 1)
      continue;
    if (n > most && all_numbers(values)) {
      most = n;
      k->x = k->n;
    }
    k->names[k->n++] = name;
  }
  k->searched = hd_json_text(json, "searched");
  if (k->searched) {
    k->x = k->n;
    k->names[k->n++] = k->searched;
  }
}

/* Returns a result's mean, or half the width of its confidence interval. */
static double result_of(const json_t *point, const char *key, const char *member)
{
  return hd_json_real(json_object_get(json_object_get(point, "results"), key), member);
}

static bool is_saturated(const json_t *point)
{
  const char *verdict = hd_json_text(point, "verdict");
  return verdict && !strcmp(verdict, "saturated");
}

/* Adds the verdict on the load of a point, and its reason. */
static void verdict_words(const json_t *point, struct hd_text *words)
{
  const char *verdict = hd_json_text(point, "verdict"), *why = hd_json_text(point, "why");
  hd_text_add(words, "%s",
              verdict && strcmp(verdict, "open") ? verdict
              : why && *why                      ? "undecided"
                                                 : "");
  if (why && *why)
    hd_text_add(words, ": %s", why);
}

/* ── curves ────────────────────────────────────────────────────────────────── */

struct series {
  struct hd_text name;
  struct hd_page_point *points;
  size_t n;
};

/* Adds a curve's name: its values on all axes but x, with the last parts of their keys. */
static void series_name(const struct keys *k, const json_t *json, const json_t *point,
                        struct hd_text *name)
{
  for (size_t i = 0; i < k->n; i++) {
    const char *dot = strrchr(k->names[i], '.');
    if (i == k->x)
      continue;
    hd_text_add(name, "%s%s ", name->length ? ", " : "", dot ? dot + 1 : k->names[i]);
    hd_json_words(json_object_get(point, k->names[i]), name);
  }
  if (!name->length)
    hd_text_add(name, "%s", hd_json_text(json, "name") ? hd_json_text(json, "name") : "sweep");
}

static int by_x(const void *a, const void *b)
{
  const struct hd_page_point *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

/* Finds or makes the curve of a name; NULL: there are too many. */
static struct series *series_of(struct series *all, size_t *n, struct hd_text *name, size_t room)
{
  for (size_t i = 0; i < *n; i++)
    if (!strcmp(hd_text_chars(&all[i].name), hd_text_chars(name)))
      return &all[i];
  if (*n == HD_PAGE_CURVES)
    return NULL;
  struct series *s = &all[(*n)++];
  *s = (struct series){.name = *name, .points = hd_xcalloc(room, sizeof *s->points)};
  *name = (struct hd_text){0};
  return s;
}

/* Collects the points of all curves. Returns the number of points that no curve shows, because a
 * reader can distinguish only HD_PAGE_CURVES curves. */
static size_t collect_curves(const struct keys *k, const json_t *json, const char *key,
                             struct series *all, size_t *n)
{
  const json_t *points = json_object_get(json, "points"), *point;
  size_t i, beyond = 0;
  json_array_foreach(points, i, point)
  {
    struct hd_text name = {0};
    series_name(k, json, point, &name);
    struct series *s = series_of(all, n, &name, json_array_size(points));
    if (s)
      s->points[s->n++] = (struct hd_page_point){.x = hd_json_real(point, k->names[k->x]),
                                                 .y = result_of(point, key, "mean"),
                                                 .error = result_of(point, key, "ci95"),
                                                 .marked = is_saturated(point)};
    else
      beyond++;
    hd_text_fini(&name);
  }
  for (size_t c = 0; c < *n; c++)
    if (all[c].n)
      qsort(all[c].points, all[c].n, sizeof *all[c].points, by_x);
  return beyond;
}

static size_t draw(struct hd_text *t, const struct keys *k, const json_t *json, const char *id,
                   const char *key, const char *title, const char *y_label)
{
  struct series all[HD_PAGE_CURVES] = {0};
  struct hd_page_curve curves[HD_PAGE_CURVES];
  struct hd_text about = {0};
  size_t n = 0, saturated = 0, points = 0;
  size_t beyond = collect_curves(k, json, key, all, &n);
  for (size_t i = 0; i < n; i++) {
    curves[i] = (struct hd_page_curve){hd_text_chars(&all[i].name), all[i].points, all[i].n};
    points += all[i].n;
    for (size_t p = 0; p < all[i].n; p++)
      saturated += all[i].points[p].marked;
  }
  hd_text_add(&about,
              "%s over %s, %zu curves with %zu points, of which %zu are saturated. The table of "
              "points has the numbers.",
              title, k->names[k->x], n, points, saturated);
  hd_text_add_xml_in(t, "<h3>", title, "</h3>\n");
  const struct hd_page_plot plot = {.id = id,
                                    .title = title,
                                    .about = hd_text_chars(&about),
                                    .x_label = k->names[k->x],
                                    .y_label = y_label,
                                    .mark = "saturated",
                                    .cut = !strncmp(key, "latency.", strlen("latency."))};
  if (!hd_page_curves(t, &plot, curves, n))
    hd_page_paragraph(t, "note", "No run has this result.");
  hd_text_fini(&about);
  for (size_t i = 0; i < n; i++) {
    hd_text_fini(&all[i].name);
    free(all[i].points);
  }
  return beyond;
}

static void curves_section(struct hd_page *page, const struct keys *k, const json_t *json)
{
  struct hd_text *t = &page->body;
  hd_page_section(page, "curves", "Curves");
  if (k->x >= k->n) {
    hd_page_paragraph(t, "note", "Nothing is drawn: no axis has two numbers.");
  } else {
    hd_text_add(
        t, "<p>Bars are 95\u00a0%% confidence intervals of the mean over the seeds. Point at a "
           "point for its numbers, which <a href=\"#points\">a table</a> has, too.</p>\n");
    size_t beyond = draw(t, k, json, "latency-curves", "latency.mean", "Mean latency", "cycles");
    draw(t, k, json, "throughput-curves", "throughput", "Accepted load", "flits/node/cycle");
    draw(t, k, json, "p99-curves", "latency.p99", "99th percentile of the latency", "cycles");
    if (beyond)
      hd_text_add(t,
                  "<p class=\"note\">The drawing has the first %d curves; %zu points belong to "
                  "other curves, "
                  "which points.csv has.</p>\n",
                  HD_PAGE_CURVES, beyond);
  }
  hd_page_section_end(page);
}

/* ── tables ────────────────────────────────────────────────────────────────── */

static void key_cells(struct hd_text *t, const struct keys *k, size_t n, const json_t *row)
{
  for (size_t i = 0; i < n; i++) {
    struct hd_text words = {0};
    hd_json_words(json_object_get(row, k->names[i]), &words);
    if (i)
      hd_page_cell_text(t, hd_text_chars(&words));
    else
      hd_page_cell_name(t, hd_text_chars(&words));
    hd_text_fini(&words);
  }
  if (!n)
    hd_page_cell_name(t, "all alike");
}

static size_t key_columns(const struct keys *k, size_t n, struct hd_page_column *columns)
{
  columns[0] = (struct hd_page_column){.name = "point"};
  for (size_t i = 0; i < n; i++)
    columns[i] = (struct hd_page_column){.name = k->names[i]};
  return n ? n : 1;
}

static void real_cell(struct hd_text *t, double value, const char *none)
{
  const struct hd_value v = {.type = isfinite(value) ? HD_VALUE_REAL : HD_VALUE_NONE,
                             .real = value};
  hd_page_cell_value(t, &v, none);
}

static void points_section(struct hd_page *page, const struct keys *k, const json_t *json)
{
  static const struct hd_page_column measures[] = {
      {.name = "offered", .unit = "flits/node/cycle", .number = true},
      {.name = "accepted", .unit = "flits/node/cycle", .number = true},
      {.name = "\u00b1 95 %", .number = true},
      {.name = "mean latency", .unit = "cycles", .number = true},
      {.name = "\u00b1 95 %", .number = true},
      {.name = "99th percentile", .unit = "cycles", .number = true},
      {.name = "seeds", .number = true},
      {.name = "saturated", .unit = "seeds", .number = true},
      {.name = "failed", .unit = "seeds", .number = true},
      {.name = "load"}};
  static const char *const results[][2] = {{"offered", "mean"},      {"throughput", "mean"},
                                           {"throughput", "ci95"},   {"latency.mean", "mean"},
                                           {"latency.mean", "ci95"}, {"latency.p99", "mean"}};
  enum {
    MEASURES = sizeof measures / sizeof *measures,
    RESULTS = sizeof results / sizeof *results
  };
  struct hd_page_column columns[MOST_COLUMNS + MEASURES];
  struct hd_text *t = &page->body, caption = {0};
  const json_t *points = json_object_get(json, "points"), *point;
  size_t i, n = key_columns(k, k->n, columns), all = json_array_size(points);
  memcpy(columns + n, measures, sizeof measures);
  hd_page_section(page, "points", "Points");
  if (all > MOST_ROWS)
    hd_text_add(&caption, "The first %d points of %zu; points.csv has all of them", MOST_ROWS, all);
  else
    hd_text_add(&caption, "Every point, with means over its seeds");
  hd_page_table(t, "point-table", hd_text_chars(&caption), columns, n + MEASURES, true);
  json_array_foreach(points, i, point)
  {
    if (i == MOST_ROWS)
      break;
    hd_page_row(t);
    key_cells(t, k, k->n, point);
    for (size_t m = 0; m < RESULTS; m++)
      real_cell(t, result_of(point, results[m][0], results[m][1]), NULL);
    hd_page_cell_count(t, hd_json_count(point, "seeds"));
    hd_page_cell_count(t, hd_json_count(point, "saturated"));
    hd_page_cell_count(t, hd_json_count(point, "failed"));
    struct hd_text words = {0};
    verdict_words(point, &words);
    hd_page_cell_text(t, hd_text_chars(&words));
    hd_text_fini(&words);
    hd_page_row_end(t);
  }
  hd_page_table_end(t);
  hd_text_fini(&caption);
  hd_page_section_end(page);
}

static void saturation_section(struct hd_page *page, const struct keys *k, const json_t *json)
{
  struct hd_page_column columns[MOST_COLUMNS + 3];
  struct hd_text *t = &page->body;
  const json_t *rows = json_object_get(json, "saturation"), *row;
  size_t i, n = key_columns(k, k->n - 1, columns);
  columns[n] = (struct hd_page_column){.name = "accepts up to", .number = true};
  columns[n + 1] = (struct hd_page_column){.name = "saturates from", .number = true};
  columns[n + 2] = (struct hd_page_column){.name = "neither"};
  hd_page_section(page, "saturation", "Saturation");
  hd_text_add_xml_in(t, "<p>Searched along <code>", k->searched, "</code>.</p>\n");
  hd_page_table(t, "saturation-table",
                "The largest accepted value, and the smallest that saturates", columns, n + 3,
                true);
  json_array_foreach(rows, i, row)
  {
    hd_page_row(t);
    key_cells(t, k, k->n - 1, row);
    const char *why = hd_json_text(row, "why");
    const bool told = !why || !*why;
    real_cell(t, hd_json_real(row, "accepts"), told ? "below the searched range" : "none is known");
    real_cell(t, hd_json_real(row, "saturates"),
              told ? "above the searched range" : "none is known");
    hd_page_cell_text(t, why ? why : "");
    hd_page_row_end(t);
  }
  hd_page_table_end(t);
  hd_page_section_end(page);
}

static void axes_section(struct hd_page *page, const json_t *json)
{
  static const struct hd_page_column columns[] = {
      {.name = "key"}, {.name = "values", .number = true}, {.name = ""}};
  struct hd_text *t = &page->body;
  size_t i, v;
  const json_t *axis, *value;
  hd_page_section(page, "axes", "Parameters");
  hd_page_table(t, "axis-table", "Settings of the sweep, without seeds", columns, 3, false);
  json_array_foreach(json_object_get(json, "axes"), i, axis)
  {
    struct hd_text words = {0};
    const json_t *values = json_object_get(axis, "values");
    json_array_foreach(values, v, value)
    {
      hd_text_add(&words, v ? ", " : "");
      hd_json_words(value, &words);
    }
    hd_page_row(t);
    hd_page_cell_name(t, hd_json_text(axis, "key") ? hd_json_text(axis, "key") : "");
    hd_page_cell_count(t, json_array_size(values));
    hd_page_cell_text(t, hd_text_chars(&words));
    hd_page_row_end(t);
    hd_text_fini(&words);
  }
  hd_page_table_end(t);
  hd_page_section_end(page);
}

/* ── failures by signature ─────────────────────────────────────────────────── */

struct failures {
  struct hd_campaign_group groups[MOST_GROUPS];
  size_t places[MOST_GROUPS]; /* of the examples, among all runs */
  unsigned n;
  uint64_t failed, beyond;
};

static void find_failures(const json_t *json, struct failures *f)
{
  size_t place;
  const json_t *run;
  *f = (struct failures){0};
  json_array_foreach(json_object_get(json, "runs"), place, run)
  {
    const char *signature = hd_json_text(run, "signature");
    unsigned i = 0;
    if (!signature)
      continue;
    f->failed++;
    while (i < f->n && strcmp(f->groups[i].signature, signature))
      i++;
    if (i == MOST_GROUPS) {
      f->beyond++;
      continue;
    }
    if (i == f->n) {
      f->n++;
      f->places[i] = place;
      f->groups[i] = (struct hd_campaign_group){.signature = signature,
                                                .example = hd_json_text(run, "message"),
                                                .command = hd_json_text(run, "command")};
    }
    f->groups[i].n++;
  }
}

/* Adds the failures. Each command writes its run into the sweep's directory, where the link
 * expects it. */
static void failures_section(struct hd_page *page, const struct hd_campaign_data *d,
                             const struct failures *f)
{
  struct hd_text *t = &page->body;
  hd_page_section(page, "failures", "Failures");
  for (unsigned i = 0; i < f->n; i++) {
    struct hd_campaign_group group = f->groups[i];
    struct hd_text command = {0}, run = {0}, out = {0};
    hd_text_add(&run, "failed-%zu", f->places[i]);
    hd_text_add(&out, "%s/%s", d->directory, hd_text_chars(&run));
    hd_text_add(&command, "%s --out ", group.command ? group.command : "heddle run");
    hd_text_add_word(&command, hd_text_chars(&out));
    group.command = hd_text_chars(&command);
    group.run = hd_text_chars(&run);
    hd_campaign_group(t, d, &group, i + 1);
    hd_text_fini(&command);
    hd_text_fini(&run);
    hd_text_fini(&out);
  }
  if (f->beyond)
    hd_text_add(t, "<p class=\"note\">%" PRIu64 " more, of other kinds; runs.csv has them.</p>\n",
                f->beyond);
  hd_page_section_end(page);
}

/* ── the page ──────────────────────────────────────────────────────────────── */

/* Adds the backends that the sweep chose for its runs, and the reasons. */
static void add_backends(struct hd_text *t, const json_t *json)
{
  size_t i;
  const json_t *row, *rows = json_object_get(json, "backends");
  json_array_foreach(rows, i, row)
  {
    const char *why = hd_json_text(row, "why"), *sw = hd_json_text(row, "switch");
    hd_text_add(t, "<p class=\"note\">");
    if (json_array_size(rows) > 1 && sw) {
      hd_text_add_xml(t, sw);
      hd_text_add(t, ": ");
    }
    hd_campaign_number(t, (uint64_t)json_integer_value(json_object_get(row, "verilator")), "run");
    hd_text_add(t, " on Verilator, ");
    hd_campaign_number(t, (uint64_t)json_integer_value(json_object_get(row, "lanes")), "run");
    hd_text_add_xml_in(t, " in lanes: ", why ? why : "", ".</p>\n");
  }
}

/* Counts runs with a DUT and runs of the model alone. A run that failed before it opened a DUT
 * is neither. */
static void count_duts(const json_t *runs, size_t *compared, size_t *alone)
{
  size_t i;
  const json_t *run;
  *compared = *alone = 0;
  json_array_foreach(runs, i, run)
  {
    const char *dut = hd_json_text(run, "dut");
    *alone += dut && !strcmp(dut, "none");
    *compared += dut && strcmp(dut, "none") != 0;
  }
}

/* Ends the sentence "4 runs at 2 points" with what the DUT was compared with. */
static void add_comparison(struct hd_text *t, const char *reference, size_t runs, size_t compared,
                           size_t alone, bool failed)
{
  if (alone && alone == runs) {
    hd_text_add(t, ". The model ran alone. Nothing was compared.");
    return;
  }
  hd_text_add(t, ".");
  if (!failed && compared && compared == runs)
    hd_text_add(t, " DUT and %s agree in all of them.", reference);
  else if (!failed && compared) {
    hd_text_add(t, " DUT and %s agree in ", reference);
    hd_page_count(t, compared);
    hd_text_add(t, " of them.");
  }
  if (alone) {
    hd_text_add(t, " In ");
    hd_page_count(t, alone);
    hd_text_add(t, " the model ran alone.");
  }
}

static void head(struct hd_text *t, const struct hd_campaign_data *d, const struct failures *f,
                 struct hd_text *verdict)
{
  const json_t *points = json_object_get(d->json, "points"), *point;
  const char *name = hd_json_text(d->json, "name");
  size_t i, runs = json_array_size(json_object_get(d->json, "runs")), saturated = 0, compared,
            alone;
  uint64_t events = 0;
  count_duts(json_object_get(d->json, "runs"), &compared, &alone);
  json_array_foreach(points, i, point)
  {
    saturated += is_saturated(point);
  }
  json_array_foreach(json_object_get(d->json, "runs"), i, point)
  {
    events += hd_json_count(point, "events_compared");
  }
  if (f->failed)
    hd_campaign_number(verdict, f->failed, "failed run");
  else
    hd_text_add(verdict, "%s",
                !runs                ? "nothing ran"
                : !d->about.complete ? "not finished"
                : alone == runs      ? "carried out"
                                     : "passed");
  hd_text_add(t, "<p class=\"verdict %s\" id=\"verdict\">",
              f->failed                     ? "bad"
              : !runs || !d->about.complete ? "warn"
              : alone == runs               ? "plain"
                                            : "good");
  hd_text_add_xml(t, hd_text_chars(verdict));
  hd_text_add_xml_in(t, "</p>\n<h1>", name ? name : "", "</h1>\n<p class=\"lead\">");
  hd_campaign_number(t, runs, "run");
  hd_text_add(t, " at ");
  hd_campaign_number(t, json_array_size(points), "point");
  add_comparison(t, hd_json_text(d->json, "against") ? "original" : "model", runs, compared, alone,
                 f->failed != 0);
  hd_text_add(t, d->about.complete ? "</p>\n" : " The sweep has not come to its end.</p>\n");
  add_backends(t, d->json);
  hd_text_add(t, "<dl class=\"tiles\">\n");
  hd_campaign_tile(t, "runs", runs, NULL);
  hd_campaign_tile(t, "points", json_array_size(points), NULL);
  hd_campaign_tile(t, "saturated points", saturated, NULL);
  if (f->failed)
    hd_campaign_tile(t, "failed runs", f->failed, NULL);
  if (compared)
    hd_campaign_tile(t, "events compared", events, NULL);
  struct hd_text seconds = {0};
  hd_page_real(&seconds, d->seconds);
  hd_page_tile(t, "workers' time", hd_text_chars(&seconds), "s");
  hd_text_fini(&seconds);
  hd_text_add(t, "</dl>\n");
}

void hd_sweep_page(struct hd_page *page, const struct hd_campaign_data *d, struct hd_text *title)
{
  struct keys keys;
  struct failures failures;
  struct hd_text verdict = {0};
  const char *name = hd_json_text(d->json, "name");
  find_keys(d->json, &keys);
  find_failures(d->json, &failures);
  head(&page->head, d, &failures, &verdict);
  hd_text_add(title, "%s, sweep: %s", name ? name : "", hd_text_chars(&verdict));
  hd_text_fini(&verdict);
  if (failures.n)
    failures_section(page, d, &failures);
  curves_section(page, &keys, d->json);
  if (keys.searched)
    saturation_section(page, &keys, d->json);
  points_section(page, &keys, d->json);
  axes_section(page, d->json);
  hd_campaign_coverage_section(page, d);
}
