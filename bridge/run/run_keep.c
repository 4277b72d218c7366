/* Writes a run's end into the run database: results, lists, and the explanation of a divergence.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../host/memory.h"
#include "../report/report.h"
#include "run_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* Signals are kept for these cycles before and after a divergence. */
enum { SIGNALS_BEFORE = 64, SIGNALS_AFTER = 12 };

/* ── lists ─────────────────────────────────────────────────────────────────── */

struct list_writer {
  struct hd_rundb *db;
  const struct hd_result_table *table;
  const char *name;
  uint64_t row;
  int status;
  struct hd_error *err;
};

static void list_row(void *context, const struct hd_value *values)
{
  struct list_writer *w = context;
  for (size_t i = 0; !w->status && i < w->table->n; i++)
    w->status = hd_rundb_list(w->db, w->name, w->row, w->table->columns[i].key, &values[i], w->err);
  w->row++;
}

/* Writes the lists of report.json, and latencies. Values that software recorded have a table of their own. */
static int keep_lists(struct hd_run *run, struct hd_error *err)
{
  int status = HD_OK;
  for (int k = 0; !status && k < HD_RESULT_TABLES; k++) {
    const struct hd_result_table *t = &hd_result_tables[k];
    struct list_writer w = {.db = run->db, .table = t, .name = t->key, .err = err};
    if (k == HD_RESULTS_LATENCY_CSV)
      w.name = t->file;
    if (!w.name || !*w.name)
      continue;
    t->each(run->report, list_row, &w);
    status = w.status;
  }
  return status;
}

/* ── a divergence ──────────────────────────────────────────────────────────── */

static int keep_signal(void *context, const struct hd_waves_value *v)
{
  struct hd_run_watch *watch = context;
  const struct hd_rundb_signal signal = {v->signal, v->cycle, v->model, v->dut, v->differs};
  return hd_rundb_write_failed(watch->run->db)
             ? HD_OK
             : hd_rundb_signal(watch->run->db, &signal, watch->err);
}

void hd_run_watcher(struct hd_run_watch *watch, const struct hd_divergence *d,
                    struct hd_waves_watcher *watcher)
{
  *watcher = (struct hd_waves_watcher){
      .context = watch,
      .value = keep_signal,
      .first = d->cycle > SIGNALS_BEFORE ? d->cycle - SIGNALS_BEFORE : 0,
      .last = d->cycle + SIGNALS_AFTER,
  };
}

struct keeper {
  struct hd_rundb *db;
  int status;
  struct hd_error *err;
};

static void keep_value(struct keeper *k, const char *list, uint64_t row, const char *key,
                       struct hd_value value)
{
  if (!k->status)
    k->status = hd_rundb_list(k->db, list, row, key, &value, k->err);
}

static struct hd_value count_value(uint64_t number)
{
  return (struct hd_value){.type = HD_VALUE_COUNT, .number = number};
}

static struct hd_value text_value(const char *text)
{
  return (struct hd_value){.type = HD_VALUE_TEXT, .text = text};
}

static void keep_way(struct keeper *k, const struct hd_explanation *e)
{
  for (uint32_t i = 0; i < e->n_path; i++)
    keep_value(k, "divergence.planned", i, "switch", count_value(e->path[i]));
  for (uint32_t i = 0; i < e->n_hops; i++) {
    keep_value(k, "divergence.way", i, "switch", count_value(e->hops[i].sw));
    keep_value(k, "divergence.way", i, "out_port", count_value(e->hops[i].out_port));
    keep_value(k, "divergence.way", i, "vc", count_value(e->hops[i].vc));
    keep_value(k, "divergence.way", i, "cycle", count_value(e->hops[i].cycle));
  }
}

int hd_run_keep_divergence(struct hd_run *run, const struct hd_waves_watcher *watcher,
                           struct hd_error *err)
{
  const struct hd_explanation *e = &run->report->explanation;
  struct keeper k = {.db = run->db, .err = err};
  struct hd_text text = {0};
  hd_explain_divergence(e, &text);
  keep_value(&k, "divergence", 0, "text", text_value(hd_text_chars(&text)));
  hd_text_fini(&text);
  if (run->report->rule_waves.length)
    keep_value(&k, "divergence", 0, "rule_waves", text_value(run->report->rule_waves.chars));
  if (watcher->first_state[0]) {
    keep_value(&k, "divergence", 0, "first_state", text_value(watcher->first_state));
    keep_value(&k, "divergence", 0, "first_state_cycle", count_value(watcher->first_state_cycle));
  }
  if (e->has_packet) {
    keep_value(&k, "divergence", 0, "source", count_value(e->packet.source));
    keep_value(&k, "divergence", 0, "destination", count_value(e->packet.destination));
    keep_value(&k, "divergence", 0, "flits", count_value(e->packet.flits));
    keep_value(&k, "divergence", 0, "created", count_value(e->created));
    keep_way(&k, e);
  }
  return k.status;
}

/* ── results ───────────────────────────────────────────────────────────────── */

struct database_writer {
  struct hd_run *run;
  int status;
  struct hd_error *err;
};

static void database_row(void *context, const struct hd_value *values)
{
  struct database_writer *w = context;
  const struct hd_result_table *t = &hd_result_tables[HD_RESULTS_RUN];
  struct hd_rundb_result *results = hd_xcalloc(t->n, sizeof *results);
  for (size_t i = 0; i < t->n; i++)
    results[i] = (struct hd_rundb_result){.key = t->columns[i].key,
                                          .unit = t->columns[i].unit,
                                          .in_run = t->columns[i].where & HD_IN_RUN,
                                          .value = values[i]};
  const struct hd_rundb_end end = {.results = results,
                                   .n_results = t->n,
                                   .link_flits = hd_hops_links(w->run->hops),
                                   .blocked = hd_lockstep_blocked(w->run->lockstep),
                                   .vcs = w->run->scenario.sw.vcs,
                                   .coverage = &w->run->report->coverage};
  w->status = hd_rundb_finish(w->run->db, &w->run->topology, &end, w->err);
  free(results);
}

int hd_run_keep_results(struct hd_run *run, struct hd_error *err)
{
  struct database_writer writer = {.run = run, .err = err};
  int status = keep_lists(run, err);
  if (status)
    return status;
  hd_result_tables[HD_RESULTS_RUN].each(run->report, database_row, &writer);
  return writer.status;
}
