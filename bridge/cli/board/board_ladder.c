/* heddle board check: the bring-up ladder.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The lower rungs test the board itself (bridge/backends/board/board_check.h). Each rung above
 * them runs a scenario on a fabric that fits the board: its switches in a line, with nodes on
 * all other ports.
 */
#include "board_ladder.h"

#include "../../backends/board/board_check.h"
#include "../../host/clock.h"
#include "../../host/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct climb {
  const struct hd_ladder *ladder;
  struct hd_board_check check;
  char directory[256]; /* directory of the scenarios' graphs and runs */
  bool keep;           /* do not remove it, since a run failed */
  bool runs;           /* the rung is a run, not a test of the board itself */
  uint32_t switches;   /* switches of the rung's fabric */
};

/* Prints a message about the cable above the line that shows the rung. */
static void print_news(void *context, const char *line)
{
  (void)context;
  fputs(isatty(STDERR_FILENO) ? "\r\033[K" : "", stderr);
  hd_cli_print_escaped(stderr, line);
  fputc('\n', stderr);
}

/* ── scenarios ──────────────────────────────────────────────────────────────── */

/* Writes a graph file with switches in a line, and nodes on all other ports, as many as the
 * routing tables have entries for. */
static int write_graph(const struct climb *c, const char *path, struct hd_error *err)
{
  const struct hd_switch_params *p = &c->check.params;
  FILE *out;
  uint32_t node = 0;
  int status = hd_file_create(path, &out, err);
  if (status)
    return status;
  for (uint32_t sw = 0; sw < c->switches; sw++) {
    uint32_t links = sw > 0;
    links += sw + 1 < c->switches;
    if (sw + 1 < c->switches)
      fprintf(out, "s%u,s%u\n", sw, sw + 1);
    for (uint32_t k = links; k < p->ports && node < p->nodes; k++)
      fprintf(out, "n%u,s%u\n", node++, sw);
  }
  bool failed = ferror(out);
  if (fclose(out) || failed)
    return hd_fail(err, HD_E_IO, "cannot write %s", path);
  return 0;
}

/* Returns the length, or an eighth of it with --quick. */
static uint32_t scale_length(const struct climb *c, uint32_t length)
{
  return c->ladder->quick ? length / 8 : length;
}

/* Runs a scenario. `software` is a format for the section software, without its closing brace;
 * its argument is `length`. */
static int run_scenario(struct climb *c, const char *name, const char *software, uint32_t length,
                        uint32_t cycles, uint64_t seed, struct hd_error *err)
{
  const struct hd_switch_params *p = &c->check.params;
  c->runs = true;
  char file[32], graph[512], text[2048], path[512], out[512], dut[400];
  char patience[32] = "", keys[512] = "";
  size_t used = 0;
  snprintf(file, sizeof file, "line-of-%u.csv", c->switches);
  snprintf(graph, sizeof graph, "%s/%s", c->directory, file);
  snprintf(path, sizeof path, "%s/%s.yaml", c->directory, name);
  snprintf(out, sizeof out, "%s/%s", c->directory, name);
  int status = write_graph(c, graph, err);
  if (status)
    return status;
  for (size_t i = 0; i < HD_SWITCH_PARAMS && used < sizeof keys; i++) {
    const struct hd_switch_param *d = &hd_switch_param_list[i];
    uint32_t value = hd_switch_param_get(p, i);
    if (!hd_switch_param_used(p, i) || d->kind == HD_PARAM_ROUTING || d->reg == HD_CFG_SWITCHES)
      continue; /* the line needs fewer switches than the board's tables allow */
    used += (size_t)(d->kind == HD_PARAM_CHOICE
                         ? snprintf(keys + used, sizeof keys - used, "  %s: %s\n", d->name,
                                    hd_barrier_name(value))
                         : snprintf(keys + used, sizeof keys - used, "  %s: %u\n", d->name, value));
  }
  snprintf(text, sizeof text,
           "name: board-check\nfabric: {topology: graph, file: \"%s\"}\n"
           "switch:\n%ssoftware: {%s%u}}\nrun: {cycles: %u, window_cycles: 1024}\n",
           file, keys, software, length, cycles);
  if (c->ladder->patience_ms)
    snprintf(patience, sizeof patience, ",patience=%d", c->ladder->patience_ms);
  snprintf(dut, sizeof dut, "board:%s,baud=%u,any-build%s", c->ladder->device, c->ladder->baud,
           patience);
  struct hd_cli_run run = {.options = {.scenario_path = path,
                                       .scenario_text = text,
                                       .dut = dut,
                                       .out_dir = out,
                                       .has_seed = true,
                                       .seed = seed,
                                       .say = print_news},
                           .quiet = true};
  struct hd_run_report report;
  int code = hd_cli_run(&run, &report);
  if (code != HD_EXIT_OK)
    status = hd_fail(err, report.status ? report.status : HD_E_INTERNAL, "%.400s%s%.200s",
                     hd_text_chars(&report.message), report.directory ? "; see " : "",
                     report.directory ? report.directory : "");
  else
    snprintf(c->check.found, sizeof c->check.found,
             "%llu switch-cycles and %llu events as the model has them, %llu packets",
             (unsigned long long)report.result.switch_cycles,
             (unsigned long long)report.result.events_compared,
             (unsigned long long)report.counters.packets_received);
  c->keep |= status && report.directory;
  hd_run_report_fini(&report);
  if (!status)
    status = hd_tree_remove(out, err); /* since the next random scenario uses the same directory */
  return status;
}

/* ── rungs ──────────────────────────────────────────────────────────────────── */

static int rung_link(struct climb *c, struct hd_error *err)
{
  return hd_board_check_link(&c->check, err);
}
static int rung_echo(struct climb *c, struct hd_error *err)
{
  return hd_board_check_echo(&c->check, err);
}
static int rung_registers(struct climb *c, struct hd_error *err)
{
  return hd_board_check_registers(&c->check, err);
}
static int rung_memory(struct climb *c, struct hd_error *err)
{
  return hd_board_check_memory(&c->check, err);
}
static int rung_signatures(struct climb *c, struct hd_error *err)
{
  int status = hd_board_check_signatures(&c->check, err);
  /* Closes the line, which the runs of further rungs open. */
  hd_board_check_fini(&c->check);
  if (!status && c->check.params.source_table)
    status = hd_fail(err, HD_E_INPUT,
                     "the switches have source tables: their rungs need a tree; climb on by heddle "
                     "run SCENARIO --dut board:%s",
                     c->ladder->device);
  return status;
}
static int rung_flit(struct climb *c, struct hd_error *err)
{
  return run_scenario(c, "one-flit",
                      "program: uniform, parameters: {flits: 1, load: 0.005, cycles: ", 300, 400, 1,
                      err);
}
static int rung_packet(struct climb *c, struct hd_error *err)
{
  return run_scenario(c, "one-packet",
                      "program: uniform, parameters: {flits: 8, load: 0.03, cycles: ", 500, 800, 1,
                      err);
}
static int rung_back_pressure(struct climb *c, struct hd_error *err)
{
  return run_scenario(c, "back-pressure",
                      "program: hotspot, parameters: {flits: 6, load: 0.9, fraction: 1, cycles: ",
                      scale_length(c, 1600), scale_length(c, 2000), 1, err);
}
static int rung_switch(struct climb *c, struct hd_error *err)
{
  return run_scenario(c, "one-switch",
                      "program: uniform, parameters: {flits: 5, load: 0.4, cycles: ",
                      scale_length(c, 8000), scale_length(c, 8000), 1, err);
}
static int rung_barrier(struct climb *c, struct hd_error *err)
{
  if (!c->check.params.barrier)
    return hd_fail(err, HD_E_UNSUPPORTED, "these switches take no barrier messages");
  return run_scenario(c, "barrier",
                      "program: barrier, parameters: {compute: 50, load: 0.3, rounds: ",
                      scale_length(c, 60), 20000, 1, err);
}
static int rung_fabric(struct climb *c, struct hd_error *err)
{
  if (c->check.about.switches < 2)
    return hd_fail(err, HD_E_UNSUPPORTED, "the board holds one switch");
  c->switches = c->check.about.switches;
  return run_scenario(c, "fabric", "program: uniform, parameters: {flits: 5, load: 0.2, cycles: ",
                      scale_length(c, 8000), scale_length(c, 8000), 1, err);
}
static int rung_soak(struct climb *c, struct hd_error *err)
{
  int status = 0;
  uint32_t i = 0;
  c->switches = c->check.about.switches;
  for (; i < c->ladder->soak && !status; i++) {
    bool barrier = i % 2 && c->check.params.barrier;
    status =
        run_scenario(c, "soak",
                     barrier ? "program: barrier, parameters: {load: 0.2, center: middle, rounds: "
                             : "program: uniform, parameters: {flits: 4, load: 0.25, cycles: ",
                     scale_length(c, barrier ? 40 : 5000), barrier ? 20000 : scale_length(c, 5000),
                     c->ladder->seed + i, err);
  }
  if (!status)
    snprintf(c->check.found, sizeof c->check.found, "%u scenarios from seed %llu agree", i,
             (unsigned long long)c->ladder->seed);
  return status;
}

static const struct {
  const char *name;
  int (*climb)(struct climb *c, struct hd_error *err);
  const char *hint;
} rungs[] = {
    {"link", rung_link,
     "the board is not plugged in or has no power, or its device has another name"},
    {"loopback", rung_echo,
     "a baud rate that is off by some per cent (which oscillator?), a long cable, or a USB adapter "
     "that loses bytes"},
    {"registers", rung_registers,
     "the switches' clock or reset does not reach them: look at the clock's global buffer"},
    {"memory", rung_memory, "block RAM that was not inferred as such, or timing missed"},
    {"signatures", rung_signatures,
     "the core's signatures or output records: timing missed there, or a switch that does other "
     "things at full clock"},
    {"one flit", rung_flit, "routing tables not written, or pins of the core in another order"},
    {"one packet", rung_packet, "state of a virtual channel: reset or timing"},
    {"back-pressure", rung_back_pressure, "credits: out_credit_i or in_credit_o"},
    {"one switch", rung_switch, "timing: look at the margin, lower the clock"},
    {"preemption, barriers", rung_barrier, "barrier credits, or timing of the barrier unit"},
    {"fabric", rung_fabric,
     "one of the switches differs from the first: its clock, or timing there"},
    {"soak", rung_soak,
     "marginal timing or supply, or warmth: what holds for seconds fails after minutes"},
};
enum { N_RUNGS = sizeof rungs / sizeof *rungs };

/* Tests whether the error is one that the rung looks for. Other errors can break any rung, such
 * as a missing or silent line, a board built from other sources, or a full disk; their messages
 * say what to do. */
static bool is_found(const struct climb *c, size_t rung, int status)
{
  enum hd_board_trouble trouble = c->check.link.trouble;
  if (rungs[rung].climb == rung_link)
    return hd_board_is_serial(c->ladder->device) && access(c->ladder->device, F_OK);
  if (rungs[rung].climb == rung_echo)
    return status == HD_E_IO && trouble != HD_BOARD_GONE;
  if (!c->runs)
    return status == HD_E_IO && trouble == HD_BOARD_WELL;
  return status == HD_E_DIVERGENCE || status == HD_E_BUDGET || status == HD_E_DEADLOCK ||
         status == HD_E_FAULT || status == HD_E_NOTHING;
}

static bool stop(void *context)
{
  (void)context;
  return hd_cli_stopped();
}

int hd_ladder_climb(const struct hd_ladder *ladder)
{
  struct climb c = {.ladder = ladder,
                    .check = {.device = ladder->device,
                              .baud = ladder->baud,
                              .seed = ladder->seed,
                              .echoes = ladder->quick ? 3 : 20,
                              .link = {.line = {.fd = -1},
                                       .patience_ms = ladder->patience_ms,
                                       .stop = stop,
                                       .report = print_news}},
                    .switches = 1};
  struct hd_error err = {.text = ""};
  hd_cli_catch_signals();
  int status = hd_directory_temporary("heddle-board", c.directory, sizeof c.directory, &err);
  if (status)
    return hd_cli_fail(status, &err);
  for (size_t i = 0; i < N_RUNGS && !status; i++) {
    double began = hd_seconds_now();
    c.check.found[0] = '\0';
    if (isatty(STDERR_FILENO))
      fprintf(stderr, "%2zu of %d: %s …\r", i + 1, N_RUNGS, rungs[i].name);
    status = rungs[i].climb(&c, &err);
    double seconds = hd_seconds_now() - began;
    bool skipped = status == HD_E_UNSUPPORTED;
    printf("%-4s  %-20s  %6.2f s  %s\n",
           skipped  ? "SKIP"
           : status ? "FAIL"
                    : "ok",
           rungs[i].name, seconds, status ? err.text : c.check.found);
    if (status && !skipped && is_found(&c, i, status))
      printf("      usually: %s\n", rungs[i].hint);
    fflush(stdout);
    if (skipped)
      status = 0;
  }
  hd_board_check_fini(&c.check);
  int removed = c.keep ? 0 : hd_tree_remove(c.directory, status ? NULL : &err);
  return status || !removed ? hd_cli_exit(status) : hd_cli_fail(removed, &err);
}
