/* The page of a run: verdict and numbers at its top, then its sections.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run_page.h"

#include "run_data.h"

#include <string.h>

static struct hd_value result(const struct hd_run_data *d, const char *key)
{
  const struct hd_result_table *run = &hd_result_tables[HD_RESULTS_RUN];
  return hd_run_data_value(d, run, hd_result_find(run, key, strlen(key)), 0);
}

static const char *verdict_kind(const char *status)
{
  static const char *const doubtful[] = {"running", "budget missed", "nothing compared",
                                         "interrupted"};
  for (size_t i = 0; i < sizeof doubtful / sizeof *doubtful; i++)
    if (!strcmp(status, doubtful[i]))
      return "warn";
  if (!strcmp(status, "carried out"))
    return "plain";
  return strcmp(status, "passed") ? "bad" : "good";
}

static void headline(struct hd_text *t, const struct hd_run_data *d, const char *status)
{
  const char *message = hd_run_data_run(d, "message");
  struct hd_value compared = result(d, "compared"), events = result(d, "events_compared");
  struct hd_value left_out = result(d, "not_looked_at");
  if (message && *message) {
    hd_page_paragraph(t, "lead", message);
  } else if (!strcmp(status, "running")) {
    hd_page_paragraph(t, "lead", "The run has not come to its end, or was killed.");
  } else if (compared.type == HD_VALUE_FLAG && !compared.flag) {
    hd_page_paragraph(t, "lead", "The model ran alone. Nothing was compared.");
  } else if (hd_value_is(&left_out)) {
    struct hd_text words = {0};
    hd_text_add(&words,
                "The DUT delivers what the model delivers, and keeps the rules at ports "
                "(specification 6.7). Not looked at: %s.",
                left_out.text);
    hd_page_paragraph(t, "lead", hd_text_chars(&words));
    hd_text_fini(&words);
  } else {
    hd_text_add(t, "<p class=\"lead\">DUT and %s agree in ", hd_run_data_reference(d));
    hd_page_count(t, d->cycles);
    hd_text_add(t, " cycles of ");
    hd_page_count(t, d->n_switches);
    hd_text_add(t, d->n_switches == 1 ? " switch" : " switches");
    if (hd_value_is(&events)) {
      hd_text_add(t, ": ");
      hd_page_count(t, events.number);
      hd_text_add(t, " events at their ports are the same");
    }
    hd_text_add(t, ".</p>\n");
  }
}

/* Says if the load was saturated or not in equilibrium. Then the latency is no property of the
 * fabric. */
static void load_line(struct hd_text *t, const struct hd_run_data *d)
{
  struct hd_value state = result(d, "load_state"), why = result(d, "load_why");
  struct hd_text words = {0};
  if (!hd_value_is(&state) || !hd_value_is(&why))
    return;
  if (!strcmp(state.text, "saturated"))
    hd_text_add(&words, "Saturated: %s.", why.text);
  else if (!strcmp(state.text, "drifts"))
    hd_text_add(&words, "Not in equilibrium: %s.", why.text);
  else if (!strcmp(state.text, "warm-up"))
    hd_text_add(&words, "Measured too early: %s.", why.text);
  if (words.length)
    hd_page_paragraph(t, "lead", words.chars);
  hd_text_fini(&words);
}

static void tile(struct hd_text *t, const struct hd_run_data *d, const char *what, const char *key,
                 const char *unit)
{
  struct hd_value value = result(d, key);
  struct hd_text words = {0};
  if (value.type == HD_VALUE_COUNT)
    hd_page_count(&words, value.number);
  else if (value.type == HD_VALUE_REAL)
    hd_page_real(&words, value.real);
  if (words.length)
    hd_page_tile(t, what, words.chars, unit);
  hd_text_fini(&words);
}

static void head(struct hd_page *page, const struct hd_run_data *d)
{
  struct hd_text *t = &page->head;
  const char *status = hd_run_data_run(d, "status"), *name = hd_run_data_run(d, "name");
  struct hd_value compared = result(d, "compared");
  status = status ? status : "running";
  hd_text_add(t, "<p class=\"verdict %s\" id=\"verdict\">", verdict_kind(status));
  hd_text_add_xml(t, status);
  hd_text_add_xml_in(t, "</p>\n<h1>", name ? name : "", "</h1>\n");
  headline(t, d, status);
  load_line(t, d);
  hd_text_add(t, "<dl class=\"tiles\">\n");
  bool alone = compared.type == HD_VALUE_FLAG && !compared.flag;
  tile(t, d, alone ? "cycles" : "cycles compared", alone ? "cycles" : "cycles_compared", NULL);
  tile(t, d, "packets received", "packets_received", NULL);
  tile(t, d, "not delivered", "undelivered", NULL);
  tile(t, d, "mean latency", "latency.mean", "cycles");
  tile(t, d, "99th percentile", "latency.p99", "cycles");
  tile(t, d, "throughput", "throughput", "flits/node/cycle");
  if (result(d, "later_barriers").number)
    tile(t, d, "later barriers", "later_barriers", NULL);
  tile(t, d, "longest barrier", "barrier_maximum", "cycles");
  tile(t, d, "wall time", "seconds", "s");
  hd_text_add(t, "</dl>\n");
}

/* Adds lines that the run reports: which packets wait for each other in a deadlock, and notes. */
static void lines_section(struct hd_page *page, const struct hd_run_data *d, const char *key,
                          const char *title)
{
  struct hd_value lines = result(d, key);
  if (!hd_value_is(&lines) || !*lines.text)
    return;
  hd_page_section(page, key, title);
  hd_page_lines(&page->body, NULL, lines.text);
  hd_page_section_end(page);
}

static void compose(struct hd_page *page, const struct hd_run_data *d)
{
  head(page, d);
  hd_run_divergence_section(page, d);
  lines_section(page, d, "wait", "Packets that wait for each other");
  lines_section(page, d, "notes", "Notes");
  hd_run_fabric_section(page, d);
  hd_run_latency_section(page, d);
  hd_run_links_section(page, d);
  hd_run_lists_section(page, d);
  hd_run_results_section(page, d);
  hd_run_provenance_section(page, d);
}

int hd_run_page_write(const char *run, const char *path, struct hd_error *err)
{
  struct hd_run_data data;
  struct hd_page page = {0};
  int status = hd_run_data_read(&data, run, err);
  if (!status) {
    compose(&page, &data);
    struct hd_text title = {0};
    const char *name = hd_run_data_run(&data, "name"), *verdict = hd_run_data_run(&data, "status");
    hd_text_add(&title, "%s: %s", name ? name : "run", verdict ? verdict : "running");
    status = hd_page_write(&page, title.chars, path, err);
    hd_text_fini(&title);
  }
  hd_page_fini(&page);
  hd_run_data_fini(&data);
  return status;
}
