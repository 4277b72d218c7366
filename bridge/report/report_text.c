/* Writes the report's table for people, from patterns with the keys of results in them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * In a pattern, {key} is a result's value, {key:2} a real with two decimals, {key:g} a real with
 * three significant digits, {key#noun} a count with its noun. [key:…] is shown if the result has
 * a value other than 0 or false, [!key:…] if it does not.
 */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_SHOWN = 4 }; /* most groups in the table; the files have all */

struct row_writer {
  struct hd_text *text;
  const struct hd_run_report *report;
  const struct hd_result_table *table;
  const struct hd_value *values; /* values of the current row */
  uint32_t rows;                 /* rows so far */
};

/* ── sentences ─────────────────────────────────────────────────────────────── */

/* Adds a fault, and whether it struck. */
static void add_fault(const struct hd_fault_state *f, struct hd_text *text)
{
  if (f->fault.whole_switch)
    hd_text_add(text, "switch %" PRIu32, f->fault.sw);
  else if (f->peer.kind == HD_PEER_NODE)
    hd_text_add(text, "link s%" PRIu32 ":%" PRIu32 "-n%u", f->fault.sw, f->fault.port,
                f->peer.index);
  else
    hd_text_add(text, "link s%" PRIu32 ":%" PRIu32 "-s%u:%u", f->fault.sw, f->fault.port,
                f->peer.index, f->peer.port);
  if (f->struck)
    hd_text_add(text, " failed in cycle %" PRIu64, f->cycle);
  else
    hd_text_add(text, " did not fail: the run ended before %s %" PRIu64,
                f->fault.after_barrier ? "barrier" : "cycle", f->fault.when);
}

void hd_report_unreachable(const struct hd_unreachable *c, struct hd_text *text)
{
  hd_text_add(text, "node %" PRIu32 " (switch %" PRIu32 ") is cut off from group %" PRIu32, c->node,
              c->sw, c->group);
  if (c->node == c->center)
    hd_text_add(text, ", whose center it is: %s", c->why);
  else
    hd_text_add(text, "'s center, node %" PRIu32 " (switch %" PRIu32 "): %s", c->center,
                c->center_sw, c->why);
}

void hd_report_lost(const struct hd_run_report *r, struct hd_text *text)
{
  hd_text_add(text, "%s", hd_count(r->packets_lost, "packet").text);
  hd_text_add(text, ", %s", hd_count(r->barriers_lost, "barrier message").text);
  if (r->n_droppers)
    hd_text_add(text, ", and those that %s dropped for want of a way or a place",
                hd_count(r->n_droppers, "switch").text);
}

/* ── lines ─────────────────────────────────────────────────────────────────── */

static const struct hd_value *value_of(const struct row_writer *w, const char *key, size_t length)
{
  return &w->values[hd_result_find(w->table, key, length)];
}

static bool is_said(const struct hd_value *v)
{
  if (v->type == HD_VALUE_COUNT)
    return v->number != 0;
  return v->type == HD_VALUE_FLAG ? v->flag : hd_value_is(v);
}

/* Writes the value of `field`, the name between the braces. */
static void write_field(struct row_writer *w, const char *field, size_t length)
{
  size_t n = strcspn(field, ":#}");
  const struct hd_value *v = value_of(w, field, n);
  char noun[32] = "";
  if (n < length)
    snprintf(noun, sizeof noun, "%.*s", (int)(length - n - 1), field + n + 1);
  if (field[n] == '#')
    hd_text_add(w->text, "%s", hd_count(v->number, noun).text);
  else if (field[n] == ':' && *noun == 'g')
    hd_text_add(w->text, "%.3g", v->real);
  else if (field[n] == ':')
    hd_text_add(w->text, "%.*f", atoi(noun), v->real);
  else
    hd_value_add(v, w->text);
}

/* Writes a pattern up to its end or to the bracket that closes the part. Returns that place. */
static const char *write_part(struct row_writer *w, const char *at, bool shown)
{
  while (*at && *at != ']')
    if (*at == '[') {
      bool not = at[1] == '!';
      const char *key = at + 1 + not ;
      size_t n = strcspn(key, ":");
      at = write_part(w, key + n + 1, shown && is_said(value_of(w, key, n)) != not ) + 1;
    } else if (*at == '{') {
      size_t n = strcspn(++at, "}");
      if (shown)
        write_field(w, at, n);
      at += n + 1;
    } else {
      size_t n = strcspn(at, "[]{");
      if (shown)
        hd_text_add(w->text, "%.*s", (int)n, at);
      at += n;
    }
  return at;
}

static void add_label(struct hd_text *text, const char *name)
{
  hd_text_add(text, "  %-19s ", name);
}

static void add_line(struct row_writer *w, const char *name, const char *form)
{
  add_label(w->text, name);
  write_part(w, form, true);
  hd_text_add(w->text, "\n");
}

static void each_row(struct row_writer *w, int table, hd_row_fn *row)
{
  struct row_writer list = {
      .text = w->text, .report = w->report, .table = &hd_result_tables[table]};
  list.table->each(w->report, row, &list);
}

/* ── lists ─────────────────────────────────────────────────────────────────── */

static void statistic_row(void *context, const struct hd_value *values)
{
  struct row_writer *w = context;
  w->values = values;
  add_line(w, value_of(w, "name", 4)->text,
           "{n}: minimum {minimum}, mean {mean:2}, median {median}, 99th {p99}, maximum {maximum}");
}

static void group_row(void *context, const struct hd_value *values)
{
  struct row_writer *w = context;
  char name[32];
  w->values = values;
  if (w->rows++ >= GROUPS_SHOWN)
    return;
  snprintf(name, sizeof name, "barriers, group %" PRIu64, value_of(w, "group", 5)->number);
  add_line(w, name,
           "{members#member}, center switch {center_switch}"
           "[bsr_nodes:, {bsr_nodes#BSR node}, {distance_hops#hop} to the farthest]");
  if (hd_value_is(value_of(w, "first", 5)))
    add_line(
        w, "",
        "first {first} cycles[later.n:; {later.n} later: minimum {later.minimum}, mean "
        "{later.mean:2}, median {later.median}, 99th {later.p99}, 99.9th {later.p999}, maximum "
        "{later.maximum}]");
  if (hd_value_is(value_of(w, "bsr_nodes", 9)))
    add_line(w, "",
             "Theorem 2: 2 x {hop_cycles} x {distance_hops} = {theorem_2_cycles:0} cycles; "
             "[formula_cycles:formula {formula_cycles:1} (p {busy:3}); ]"
             "[bound_cycles:bound {bound_cycles} cycles: [!above_bound:kept]]"
             "[!bound_cycles:no bound: {no_bound}]"
             "[above_bound:PASSED BY {above_bound} OF {later.n}]");
}

static void fault_lines(const struct hd_run_report *r, struct hd_text *text)
{
  for (uint32_t i = 0; i < r->n_faults; i++) {
    add_label(text, i ? "" : "faults");
    add_fault(&r->faults[i], text);
    hd_text_add(text, "\n");
  }
  if (r->n_faults) {
    add_label(text, "lost to faults");
    hd_report_lost(r, text);
    hd_text_add(text, "\n");
  }
  for (uint32_t i = 0; i < r->n_unreachable; i++) {
    add_label(text, i ? "" : "cut off");
    hd_report_unreachable(&r->unreachable[i], text);
    hd_text_add(text, "\n");
  }
}

static void counter_row(void *context, const struct hd_value *values)
{
  struct row_writer *w = context;
  if (w->rows % 4 == 0)
    add_label(w->text, w->rows ? "" : "DUT counted");
  w->rows++;
  hd_text_add(w->text, "%s %" PRIu64 "%s", values[0].text, values[1].number,
              w->rows == w->report->n_dut_counters ? "\n"
              : w->rows % 4 == 0                   ? ",\n"
                                                   : ", ");
}

/* ── the run ───────────────────────────────────────────────────────────────── */

/* Adds the verdict on the load. A fabric that carries its load gets no line unless that was the
 * purpose of the run. */
static void load_line(struct row_writer *w)
{
  const struct hd_run_report *r = w->report;
  static const char *const lines[] = {
      [HD_LOAD_STEADY] = "no: {load_why}[latency_ci95:, mean ± {latency_ci95:2} (95 %)]",
      [HD_LOAD_WARM_UP] = "no, but {load_why}",
      [HD_LOAD_DRIFTS] = "undecided: {load_why}",
      [HD_LOAD_SHORT] = "undecided: {load_why}",
      [HD_LOAD_SATURATED] = "YES: {load_why}"};
  if (r->verdict.state == HD_LOAD_SATURATED || (r->verdict.state && r->measured_end))
    add_line(w, "saturated", lines[r->verdict.state]);
}

static void class_row(void *context, const struct hd_value *values)
{
  struct row_writer *w = context;
  char name[32];
  w->values = values;
  snprintf(name, sizeof name, "  class %" PRIu64, value_of(w, "class", 5)->number);
  if (hd_value_is(value_of(w, "throughput", 10)))
    add_line(w, name,
             "[latency.packets:mean {latency.mean:2}, median {latency.median}, 99th {latency.p99}]"
             "[!latency.packets:no packet measured]; {throughput:4} flits/node/cycle received");
}

static void distance_row(void *context, const struct hd_value *values)
{
  struct row_writer *w = context;
  char name[40];
  snprintf(name, sizeof name, "  over %" PRIu64 " %s", values[0].number,
           values[0].number == 1 ? "link" : "links");
  add_label(w->text, name);
  hd_text_add(w->text, "minimum %" PRIu64 ", mean %.2f, maximum %" PRIu64 ", %" PRIu64 " packets\n",
              values[2].number, values[3].real, values[4].number, values[1].number);
}

static void packet_lines(struct row_writer *w)
{
  const struct hd_run_report *r = w->report;
#define PACKETS(when)                                                                \
  "{packets_sent} sent, {packets_received} received, {undelivered} undelivered"      \
  "[not_intact:, {not_intact} NOT INTACT][undelivered: (under way at the " when ")]" \
  "[packets_made:; {packets_made} made by coders]"
  add_line(w, "packets", r->explained ? PACKETS("divergence") : PACKETS("end"));
  if (r->messages_sent || r->software_waits)
    add_line(w, "messages",
             "{messages_sent} sent, {messages_received} received"
             "[messages_not_taken:, {messages_not_taken} TAKEN BY NO RECEIVE]"
             "[receives_open:, {receives_open#receive} NEVER COMPLETED]; software "
             "[software_finished:has finished][!software_finished:has not finished]");
#define LATENCY(key)                                                              \
  "[" key ".packets:minimum {" key ".minimum}, mean {" key ".mean:2}, 99th {" key \
  ".p99}, maximum "                                                               \
  "{" key ".maximum}][!" key ".packets:no packet measured]"
  add_line(w, "latency (cycles)", LATENCY("latency"));
  if (r->has_model_latency)
    add_line(w, r->is_network ? "  of one switch" : "  of the model", LATENCY("model_latency"));
  if (r->latency.n)
    add_line(
        w, "  percentiles",
        "median {latency.median}, 95th {latency.p95}, 99.9th {latency.p999}; in the network mean "
        "{network_latency.mean:2}, 99th {network_latency.p99}[hops:; {hops:2} hops]");
  each_row(w, HD_RESULTS_DISTANCES, distance_row);
  each_row(w, HD_RESULTS_CLASSES, class_row);
  add_line(
      w, "throughput",
      hd_value_is(value_of(w, "measured_last", 13))
          ? "{throughput:4} flits/node/cycle received in cycles {warmup_cycles} to {measured_last}"
          : "not measured: no packet was created after the warm-up (run.warmup_cycles), or the run "
            "ended before");
  if (r->has_energy)
    add_line(w, "energy",
             "{energy:1} pJ[energy_a_flit:, {energy_a_flit:3} pJ for each flit received]");
  load_line(w);
}

static void barrier_lines(struct row_writer *w)
{
  const struct hd_run_report *r = w->report;
  each_row(w, HD_RESULTS_BARRIERS, group_row);
  if (r->n_barriers > GROUPS_SHOWN) {
    add_label(w->text, "");
    hd_text_add(w->text, "and %s more in report.json\n",
                hd_count(r->n_barriers - GROUPS_SHOWN, "group").text);
  }
  if (r->n_barriers)
    add_line(w, "flits of switches",
             "{flits.data} data, {flits.barrier} barrier, {flits.padding} padding control, "
             "{flits.null} null");
  if (r->n_barriers && r->rules_hold)
    add_line(w, "rules T1 to T9",
             "(specification 8.13) [ruled_messages:hold for {ruled_messages#message} at ports, "
             "{ruled_rounds#round}][!ruled_messages:judged nothing: no message crossed a port]");
}

static void cycle_lines(struct row_writer *w)
{
  const struct hd_run_report *r = w->report;
  bool ahead = r->compared && r->result.cycles > r->result.cycles_compared;
  add_line(w, "blocked flit-cycles",
           r->against          ? "not known: the model was not used"
           : !r->blocked_known ? "not known: the DUT has a timing of its own"
           : ahead             ? "{blocked_flit_cycles} (the model was ahead, see cycles)"
                               : "{blocked_flit_cycles}[blocked_most:, at most {blocked_most}]");
  add_line(w, "cycles",
           "{active_cycles} of at most {cycles_limit}[drain_cycles:, and {drain_cycles} to drain]"
           "[speed: in {seconds:2} s, {speed:g} switch-cycles/s]");
  add_line(w, "cycles compared",
           r->compared
               ? "{cycles_compared} in {switches#switch}: {switch_cycles#switch-cycle}"
                 "[evaluated:, {evaluated:1} % evaluated][quiescent: (quiescent: {quiescent}]"
                 "[sampled_cycles: in {sampled_cycles} switch-cycles][quiescent:)]"
                 "; {events_compared#event}"
               : "none: the model ran alone");
  if (r->result.ports.of[HD_PORT_LINK])
    add_line(w, "rules P1 to P16",
             r->result.divergence.broken.rule
                 ? "(specification 6.7) one is broken"
                 : "(specification 6.7) hold for {port_flits#flit}, {port_credits#credit}, "
                   "{port_heads#head} at the DUT's ports[port_known:, P17 for {port_known#event}]"
                   "[outputs_wanted:; outputs in use or waited for: idle in {outputs_idle} of "
                   "{outputs_wanted#sample}]");
  add_line(w, "digest", "{digest}");
  each_row(w, HD_RESULTS_DUT_COUNTERS, counter_row);
}

/* Adds the part of the specification that a passed run has not exercised, because its verdict
 * does not cover that. */
static void coverage_lines(const struct hd_run_report *r, struct hd_text *text)
{
  struct hd_text summary = {0};
  hd_coverage_summary(&r->coverage, &summary);
  if (!r->status && summary.length && !r->against) {
    add_label(text, "not exercised");
    hd_text_add(text, "%s\n", summary.chars);
  }
  if (!r->status && summary.length && r->directory && !r->against) {
    add_label(text, "");
    hd_text_add_option(text, "heddle coverage ", r->directory);
    hd_text_add(text, " lists them\n");
  }
  hd_text_fini(&summary);
}

/* Adds how much of the RTL was executed, if that was counted. */
static void rtl_coverage_lines(struct row_writer *w)
{
  const struct hd_run_report *r = w->report;
  if (!r->has_rtl_coverage)
    return;
  add_line(w, "executed of the RTL",
           "{rtl_coverage.lines_executed} of {rtl_coverage.lines#line}, "
           "{rtl_coverage.branches_taken} of {rtl_coverage.branches#side} of branches; "
           "{rtl_coverage.bits_changed} of {rtl_coverage.bits#bit} changed");
  if (!r->directory)
    return;
  add_label(w->text, "");
  hd_text_add_option(w->text, "heddle coverage ", r->directory);
  hd_text_add(w->text, " shows it line by line\n");
}

/* Adds the results that have a line of their own. */
static void own_lines(struct row_writer *w)
{
  for (size_t i = 0; i < w->table->n; i++) {
    const struct hd_column *result = &w->table->columns[i];
    if (!result->row || !hd_value_is(&w->values[i]))
      continue;
    add_label(w->text, result->row);
    hd_value_add(&w->values[i], w->text);
    hd_text_add(w->text, "%s%s\n", result->unit ? " " : "", result->unit ? result->unit : "");
  }
}

static void file_lines(const struct hd_run_report *r, struct hd_text *text)
{
  if (!r->directory)
    return;
  add_label(text, "run database");
  hd_text_add(text, "%s/run.db\n", r->directory);
  if (r->has_page) {
    add_label(text, "page");
    hd_text_add(text, "%s/report.html\n", r->directory);
  }
  if (r->has_reports) {
    add_label(text, "reports");
    hd_text_add(text, "%s/report.json, report.csv, latency.csv, results.xml%s%s%s%s%s\n",
                r->directory, r->n_statistics ? ", statistics.csv" : "",
                r->n_barriers ? ", barriers.csv" : "", r->n_classes ? ", classes.csv" : "",
                r->has_energy ? ", energy.csv" : "",
                r->has_packets_csv ? ", packets.csv, pairs.csv" : "");
  }
  if (r->has_waves) {
    add_label(text, "waves");
    hd_text_add(text, "%s/waves.fst, opened by: heddle wave ", r->directory);
    hd_text_add_word(text, r->directory);
    hd_text_add(text, "\n");
  } else if (r->compared) {
    add_label(text, "waves");
    hd_text_add_option(text, "none; for any switch and cycles: heddle wave ", r->directory);
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

static void run_row(void *context, const struct hd_value *values)
{
  struct row_writer *w = context;
  const struct hd_run_report *r = w->report;
  w->values = values;
  write_part(w,
             r->status ? "{name}: {status}\n"
                       : "{name}: {status}[not_looked_at:; not looked at: {not_looked_at}]"
                         "[against:; as the original in every cycle, event for event; the model "
                         "was not used]\n",
             true);
  add_line(w, "scenario", "{scenario}, seed {seed}");
  add_line(w, "fabric", "{fabric}");
  add_line(w, "DUT",
           r->mode == HD_MODE_DECOUPLED
               ? "{dut}[dut_about:: {dut_about}]; {mode}, window {window_cycles}, threads {threads}"
               : "{dut}[dut_about:: {dut_about}]; {mode}, threads {threads}");
  if (r->against)
    add_line(w, "original", "{against}[against_version: ({against_version})]; closed");
  packet_lines(w);
  each_row(w, HD_RESULTS_STATISTICS, statistic_row);
  barrier_lines(w);
  fault_lines(r, w->text);
  cycle_lines(w);
  own_lines(w);
  coverage_lines(r, w->text);
  rtl_coverage_lines(w);
  file_lines(r, w->text);
  indented(w->text, hd_text_chars(&r->notes));
}

void hd_report_table(const struct hd_run_report *r, struct hd_text *text)
{
  struct row_writer w = {.text = text, .report = r, .table = &hd_result_tables[HD_RESULTS_RUN]};
  if (r->has_result)
    w.table->each(r, run_row, &w);
}
