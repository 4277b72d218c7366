/* The report's table, and its files.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"

#include "../backends/backend.h"
#include "report_barriers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t hd_report_cycles(const struct hd_run_report *r)
{
  return r->compared ? r->result.cycles_compared : r->result.cycles;
}

uint64_t hd_report_measured_until(const struct hd_run_report *r)
{
  uint64_t cycles = hd_report_cycles(r);
  return r->open_loop && r->offered_until < cycles ? r->offered_until : cycles;
}

double hd_report_throughput(const struct hd_run_report *r)
{
  uint64_t until = hd_report_measured_until(r);
  uint64_t flits = r->open_loop ? r->offered_flits : r->measured_flits;
  if (until <= r->warmup_cycles || !r->n_nodes)
    return 0.0;
  return (double)flits / ((double)(until - r->warmup_cycles) * r->n_nodes);
}

void hd_report_add_dut(const struct hd_run_report *r, struct hd_text *command)
{
  if (!hd_backend_is_shared_object(r->dut))
    return;
  hd_text_add(command, " --dut ");
  hd_text_add_word(command, r->dut);
}

const char *hd_report_quiescence(const struct hd_run_report *r)
{
  static const char *const names[] = {NULL, "proved", "sampled"};
  return names[r->quiescence];
}

double hd_report_evaluated(const struct hd_run_report *r)
{
  if (!r->result.switch_cycles || r->result.cycles > r->result.cycles_compared)
    return -1.0;
  return 100.0 * (double)r->result.evaluated_cycles / (double)r->result.switch_cycles;
}

static void row(struct hd_text *text, const char *name)
{
  hd_text_add(text, "  %-20s", name);
}

/* RFC 4180: text in quotes, quotes doubled. */
static void quoted(struct hd_text *text, const char *chars)
{
  hd_text_add(text, "\"");
  for (const char *c = chars; *c; c++)
    hd_text_add(text, *c == '"' ? "\"\"" : "%c", *c);
  hd_text_add(text, "\",");
}

static void table_latency(struct hd_text *text, const char *label, const struct hd_latency *l,
                          uint64_t p99)
{
  row(text, label);
  if (l->n)
    hd_text_add(text, "minimum %llu, mean %.2f, 99th %llu, maximum %llu\n",
                (unsigned long long)l->minimum, hd_latency_mean(l), (unsigned long long)p99,
                (unsigned long long)l->maximum);
  else
    hd_text_add(text, "no packet measured\n");
}

static void table_packets(const struct hd_run_report *r, struct hd_text *text)
{
  row(text, "packets");
  hd_text_add(text, "%llu sent, %llu received, %llu undelivered",
              (unsigned long long)r->counters.packets_sent,
              (unsigned long long)r->counters.packets_received, (unsigned long long)r->undelivered);
  if (r->not_intact)
    hd_text_add(text, ", %llu NOT INTACT", (unsigned long long)r->not_intact);
  if (r->undelivered)
    hd_text_add(text, " (under way %s)", r->explained ? "at the divergence" : "at the end");
  hd_text_add(text, "\n");
  if (r->messages_sent || !r->open_loop) {
    row(text, "messages");
    hd_text_add(text, "%llu sent, %llu received; software %s\n",
                (unsigned long long)r->messages_sent, (unsigned long long)r->messages_received,
                r->software_finished ? "has finished" : "has not finished");
  }
  table_latency(text, "latency (cycles)", &r->latency, r->latency_p99);
  if (r->has_model_latency)
    table_latency(text, "  of the model", &r->model_latency, r->model_latency_p99);
  row(text, "throughput");
  hd_text_add(text, "%.4f flits/node/cycle received", hd_report_throughput(r));
  if (hd_report_measured_until(r) > r->warmup_cycles)
    hd_text_add(text, " in cycles %llu to %llu", (unsigned long long)r->warmup_cycles,
                (unsigned long long)hd_report_measured_until(r) - 1);
  hd_text_add(text, "\n");
  for (uint32_t i = 0; i < r->n_statistics; i++) {
    const struct hd_run_statistic *s = &r->statistics[i];
    row(text, s->name);
    hd_text_add(text, "%zu: minimum %llu, mean %.2f, median %llu, 99th %llu, maximum %llu\n", s->n,
                (unsigned long long)s->minimum, s->mean, (unsigned long long)s->median,
                (unsigned long long)s->p99, (unsigned long long)s->maximum);
  }
  hd_report_barrier_rows(r, text, row);
}

static void table_agreed(const struct hd_run_report *r, struct hd_text *text)
{
  hd_text_add(text, "%llu in %s: %s", (unsigned long long)r->result.cycles_compared,
              hd_count(r->n_switches, "switch").text,
              hd_count(r->result.switch_cycles, "switch-cycle").text);
  if (hd_report_evaluated(r) >= 0)
    hd_text_add(text, ", %.1f %% evaluated", hd_report_evaluated(r));
  if (hd_report_quiescence(r))
    hd_text_add(text, " (quiescent: %s)", hd_report_quiescence(r));
  hd_text_add(text, "; %s\n", hd_count(r->result.events_compared, "event").text);
}

static void table_counters(const struct hd_run_report *r, struct hd_text *text)
{
  for (uint32_t i = 0; i < r->n_dut_counters; i++) {
    if (i % 4 == 0)
      row(text, i ? "" : "DUT counted");
    hd_text_add(text, "%s %llu%s", r->dut_counters[i].name,
                (unsigned long long)r->dut_counters[i].value,
                i + 1 == r->n_dut_counters ? "\n"
                : i % 4 == 3               ? ",\n"
                                           : ", ");
  }
}

static void table_compared(const struct hd_run_report *r, struct hd_text *text)
{
  row(text, "cycles");
  hd_text_add(text, "%llu of at most %llu",
              (unsigned long long)(r->result.cycles - r->result.drain_cycles),
              (unsigned long long)r->cycles_limit);
  if (r->result.drain_cycles)
    hd_text_add(text, ", and %llu to drain", (unsigned long long)r->result.drain_cycles);
  if (r->seconds > 0)
    hd_text_add(text, " in %.2f s, %.3g switch-cycles/s", r->seconds,
                (double)r->result.cycles * r->n_switches / r->seconds);
  hd_text_add(text, "\n");
  row(text, "cycles compared");
  if (r->compared)
    table_agreed(r, text);
  else
    hd_text_add(text, "none: the model ran alone\n");
  row(text, "digest");
  hd_text_add(text, "0x%016llx\n", (unsigned long long)r->result.digest);
}

static void table_files(const struct hd_run_report *r, struct hd_text *text)
{
  if (!r->directory)
    return;
  row(text, "run database");
  hd_text_add(text, "%s/run.db\n", r->directory);
  if (r->has_reports) {
    row(text, "reports");
    hd_text_add(text, "%s/report.json, report.csv, latency.csv, results.xml%s%s%s\n", r->directory,
                r->n_statistics ? ", statistics.csv" : "", r->n_barriers ? ", barriers.csv" : "",
                r->has_packets_csv ? ", packets.csv" : "");
  }
  if (r->has_waves) {
    row(text, "waves");
    hd_text_add(text, "%s/waves.fst, opened by: heddle wave ", r->directory);
    hd_text_add_word(text, r->directory);
    hd_text_add(text, "\n");
  } else if (r->compared) {
    row(text, "waves");
    hd_text_add(text, "none; of any switch and cycles: heddle wave ");
    hd_text_add_word(text, r->directory);
    hd_text_add(text, " --switch 0 --from 0 --to 199");
    hd_report_add_dut(r, text);
    hd_text_add(text, "\n");
  }
}

static void indented(struct hd_text *text, const char *lines)
{
  while (*lines) {
    size_t n = strcspn(lines, "\n");
    hd_text_add(text, "  %.*s\n", (int)n, lines);
    lines += n + (lines[n] == '\n');
  }
}

void hd_report_table(const struct hd_run_report *r, struct hd_text *text)
{
  if (!r->has_result)
    return;
  hd_text_add(text, "%s: %s\n", r->name, hd_run_status_name(r->status));
  row(text, "scenario");
  hd_text_add(text, "%s, seed %llu\n", r->scenario_path, (unsigned long long)r->seed);
  row(text, "fabric");
  hd_text_add(text, "%s\n", r->fabric);
  row(text, "DUT");
  hd_text_add(text, "%s%s%s; %s, ", r->dut, r->dut_about ? ": " : "",
              r->dut_about ? r->dut_about : "", hd_mode_name(r->mode));
  if (r->mode == HD_MODE_DECOUPLED)
    hd_text_add(text, "window %u, ", r->window_cycles);
  hd_text_add(text, "threads %u\n", r->threads);
  table_packets(r, text);
  hd_report_faults(r, text);
  row(text, "blocked flit-cycles");
  if (r->blocked_known)
    hd_text_add(text, "%llu%s\n", (unsigned long long)r->counters.blocked_flit_cycles,
                r->result.cycles > hd_report_cycles(r) ? " (the model was ahead, see cycles)" : "");
  else
    hd_text_add(text, "not known: the DUT has a timing of its own\n");
  table_compared(r, text);
  table_counters(r, text);
  table_files(r, text);
  indented(text, hd_text_chars(&r->notes));
}

/* packets, minimum, mean, 99th, maximum */
static void csv_latency(struct hd_text *text, const struct hd_latency *l, uint64_t p99)
{
  hd_text_add(text, "%llu,", (unsigned long long)l->n);
  if (l->n)
    hd_text_add(text, "%llu,%.6f,%llu,%llu", (unsigned long long)l->minimum, hd_latency_mean(l),
                (unsigned long long)p99, (unsigned long long)l->maximum);
  else
    hd_text_add(text, ",,,");
}

void hd_report_csv(const struct hd_run_report *r, struct hd_text *text)
{
  hd_text_add(
      text,
      "name,seed,dut,mode,window_cycles,threads,nodes,switches,status,cycles,cycles_compared,"
      "switch_cycles,evaluated_cycles,events_compared,digest,packets_sent,packets_received,"
      "undelivered,latency_packets,latency_minimum,latency_mean,latency_p99,latency_maximum,"
      "blocked_flit_cycles,throughput,seconds,%s,model_latency_packets,model_latency_minimum,"
      "model_latency_mean,model_latency_p99,model_latency_maximum\n",
      hd_report_barrier_columns);
  quoted(text, r->name);
  hd_text_add(text, "%llu,", (unsigned long long)r->seed);
  quoted(text, r->dut);
  hd_text_add(
      text, "%s,%u,%u,%u,%u,%s,%llu,%llu,%llu,%llu,%llu,0x%016llx,%llu,%llu,%llu,",
      hd_mode_name(r->mode), r->window_cycles, r->threads, r->n_nodes, r->n_switches,
      hd_run_status_name(r->status), (unsigned long long)r->result.cycles,
      (unsigned long long)r->result.cycles_compared, (unsigned long long)r->result.switch_cycles,
      (unsigned long long)r->result.evaluated_cycles, (unsigned long long)r->result.events_compared,
      (unsigned long long)r->result.digest, (unsigned long long)r->counters.packets_sent,
      (unsigned long long)r->counters.packets_received, (unsigned long long)r->undelivered);
  csv_latency(text, &r->latency, r->latency_p99);
  hd_text_add(text, ",");
  if (r->blocked_known)
    hd_text_add(text, "%llu", (unsigned long long)r->counters.blocked_flit_cycles);
  hd_text_add(text, ",%.6f,%.6f,", hd_report_throughput(r), r->seconds);
  hd_report_barrier_values(r, text);
  hd_text_add(text, ",");
  if (r->has_model_latency)
    csv_latency(text, &r->model_latency, r->model_latency_p99);
  else
    hd_text_add(text, ",,,,");
  hd_text_add(text, "\n");
}

void hd_report_latencies(const struct hd_run_report *r, struct hd_text *text)
{
  hd_text_add(text, "latency_cycles,packets\n");
  for (uint64_t c = 0; r->latency.counts && c < HD_LATENCY_NEAR; c++)
    if (r->latency.counts[c])
      hd_text_add(text, "%llu,%llu\n", (unsigned long long)c,
                  (unsigned long long)r->latency.counts[c]);
  for (size_t i = 0; i < r->latency.n_far; i++)
    hd_text_add(text, "%llu,%llu\n", (unsigned long long)r->latency.far[i].cycles,
                (unsigned long long)r->latency.far[i].packets);
}

void hd_report_statistics(const struct hd_run_report *r, struct hd_text *text)
{
  hd_text_add(text, "name,cycle,value\n");
  for (uint32_t i = 0; i < r->n_statistics; i++)
    for (size_t j = 0; j < r->statistics[i].n; j++) {
      quoted(text, r->statistics[i].name);
      hd_text_add(text, "%llu,%llu\n", (unsigned long long)r->statistics[i].values[j].cycle,
                  (unsigned long long)r->statistics[i].values[j].value);
    }
}

void hd_report_barriers(const struct hd_run_report *r, struct hd_text *text)
{
  hd_text_add(text, "group,released,cycles\n");
  for (uint32_t i = 0; i < r->n_barriers; i++)
    for (size_t j = 0; j < r->barriers[i].later.n; j++)
      hd_text_add(text, "%u,%llu,%llu\n", r->barriers[i].group,
                  (unsigned long long)r->barriers[i].later.values[j].cycle,
                  (unsigned long long)r->barriers[i].later.values[j].value);
}

static int write_file(const char *directory, const char *name, const char *chars, size_t length,
                      struct hd_error *err)
{
  struct hd_text path = {0};
  hd_text_add(&path, "%s/%s", directory, name);
  if (path.failed)
    return hd_fail(err, HD_E_NOMEM, "%s: out of memory", name);
  FILE *file = fopen(path.chars, "w");
  bool failed = !file || fwrite(chars, 1, length, file) != length;
  int error = errno;
  if (file && fclose(file) && !failed) {
    failed = true;
    error = errno;
  }
  int status =
      failed ? hd_fail(err, HD_E_IO, "%s: %s; free some space or choose another directory by --out",
                       path.chars, strerror(error))
             : HD_OK;
  hd_text_fini(&path);
  return status;
}

static int write_text(const struct hd_run_report *report, const char *directory, const char *name,
                      void (*make)(const struct hd_run_report *, struct hd_text *),
                      struct hd_error *err)
{
  struct hd_text text = {0};
  make(report, &text);
  int status = text.failed ? hd_fail(err, HD_E_NOMEM, "%s: out of memory", name)
                           : write_file(directory, name, hd_text_chars(&text), text.length, err);
  hd_text_fini(&text);
  return status;
}

int hd_report_write(const struct hd_run_report *report, const char *directory, struct hd_error *err)
{
  json_t *json = hd_report_json(report);
  char *chars = json ? json_dumps(json, JSON_INDENT(2) | JSON_PRESERVE_ORDER) : NULL;
  json_decref(json);
  int status =
      chars ? write_file(directory, "report.json", chars, strlen(chars), err)
            : hd_fail(err, HD_E_NOMEM, "report.json: out of memory, or text that is no UTF-8");
  free(chars);
  if (!status)
    status = write_text(report, directory, "report.csv", hd_report_csv, err);
  if (!status)
    status = write_text(report, directory, "latency.csv", hd_report_latencies, err);
  if (!status && report->n_statistics)
    status = write_text(report, directory, "statistics.csv", hd_report_statistics, err);
  if (!status && report->n_barriers)
    status = write_text(report, directory, "barriers.csv", hd_report_barriers, err);
  if (!status)
    status = write_text(report, directory, "results.xml", hd_report_junit, err);
  return status;
}
