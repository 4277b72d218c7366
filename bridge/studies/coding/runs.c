/* Plans carried out by program coding, on RTL in lockstep.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_study.h"

#include "../../host/memory.h"
#include "../../run/run.h"
#include "../../scenario/scenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = 256, DEFAULT_XOR = 1, GROUPS_K = 16, DEFAULT_CUT = 16 };

struct coding_run_config coding_run_of(struct coding_config plan, bool sequential)
{
  const bool coded = plan.scheme == HD_CODING_CODED;
  return (struct coding_run_config){.plan = plan,
                                    .flits = 1,
                                    .sequential = sequential && plan.scheme != HD_CODING_FLAT,
                                    .restores = coded && plan.k * plan.k > PLACES,
                                    .xor_cycles = coded ? DEFAULT_XOR : 0,
                                    .cut_flits = DEFAULT_CUT,
                                    .combined_flits =
                                        plan.scheme == HD_CODING_COMBINED ? DEFAULT_CUT : 0};
}

static struct coding_config of_scheme(uint32_t k, enum hd_coding_scheme scheme)
{
  return scheme == HD_CODING_FLAT
             ? coding_flat(k, HD_CODING_ALL_AT_ONCE)
             : coding_grouped(k, scheme, HD_CODING_ALL_AT_ONCE, coding_paper_members(k));
}

struct coding_run_config coding_torus_run(uint32_t k, bool torus, enum hd_coding_scheme scheme)
{
  struct coding_config plan = of_scheme(k, scheme);
  plan.torus = torus;
  return coding_run_of(plan, false);
}

struct coding_run_config coding_sources_run(uint32_t sources, enum coding_sources placed,
                                            enum hd_coding_scheme scheme)
{
  struct coding_config plan = of_scheme(GROUPS_K, scheme);
  if (sources < GROUPS_K * GROUPS_K) {
    plan.sources = sources;
    plan.placed = placed;
  }
  return coding_run_of(plan, false);
}

/* Both forms decode in software, so that they can be compared: for two levels, a coder would
 * need more places than it has where one level already needs all of them. */
struct coding_run_config coding_recursive_run(struct coding_config plan, bool sequential)
{
  struct coding_run_config run = coding_run_of(plan, sequential);
  run.restores = true;
  return run;
}

struct coding_run_config coding_xor_run(uint32_t cycles, bool sequential)
{
  struct coding_run_config run = coding_run_of(
      coding_grouped(GROUPS_K, HD_CODING_CODED, HD_CODING_TREE, coding_paper_members(GROUPS_K)),
      sequential);
  run.xor_cycles = cycles;
  run.restores = true;
  return run;
}

/* ── runs to carry out ─────────────────────────────────────────────────────── */

const struct coding_run *coding_find_run(const struct coding_results *r,
                                         const struct coding_run_config *config)
{
  for (size_t i = 0; i < r->n_runs; i++)
    if (!memcmp(&r->runs[i].config, config, sizeof *config))
      return &r->runs[i];
  return NULL;
}

static void want(struct coding_results *r, struct coding_run_config config)
{
  if (coding_find_run(r, &config))
    return;
  HD_XROOM(r->runs, r->runs_capacity, r->n_runs, 1);
  r->runs[r->n_runs++] = (struct coding_run){.config = config};
}

static void want_orders(struct coding_results *r, struct coding_config plan)
{
  want(r, coding_run_of(plan, true));
  want(r, coding_run_of(plan, false));
}

/* Figs. 10 and 12, and the rivals beside them. In the largest network, all-at-once multicast
 * takes longest, so the rival that no statement needs is left out there. */
static void want_sizes(struct coding_results *r, uint32_t smallest, uint32_t largest)
{
  for (uint32_t k = smallest; k <= largest; k *= 2)
    for (uint32_t i = 0; i < 2; i++) {
      const enum hd_coding_multicast by = i ? HD_CODING_ALL_AT_ONCE : HD_CODING_TREE;
      const uint32_t members = coding_paper_members(k);
      want_orders(r, coding_flat(k, by));
      want_orders(r, coding_grouped(k, HD_CODING_CODED, by, members));
      if (!i || k <= GROUPS_K)
        want_orders(r, coding_grouped(k, HD_CODING_PLAIN, by, members));
      if (!i)
        want_orders(r, coding_flat(k, HD_CODING_NEIGHBOUR));
    }
}

static void want_variants(struct coding_results *r)
{
  static const uint32_t lengths[] = {2, 4, 8, 16}, xors[] = {0, 5, 10, 20, 35};
  const struct coding_config coded =
      coding_grouped(GROUPS_K, HD_CODING_CODED, HD_CODING_TREE, coding_paper_members(GROUPS_K));
  for (uint32_t members = 2; members <= GROUPS_K * GROUPS_K / 2; members *= 2) /* Fig. 11 */
    want_orders(r, coding_grouped(GROUPS_K, HD_CODING_CODED, HD_CODING_TREE, members));
  for (uint32_t i = 0; i < sizeof lengths / sizeof *lengths; i++) /* Fig. 13 */
    for (uint32_t what = 0; what < 4; what++) {
      struct coding_run_config run =
          coding_run_of(what < 2    ? coded
                        : what == 2 ? coding_flat(GROUPS_K, HD_CODING_TREE)
                                    : coding_flat(GROUPS_K, HD_CODING_NEIGHBOUR),
                        what == 1);
      run.flits = lengths[i];
      want(r, run);
    }
  for (uint32_t i = 0; i < sizeof xors / sizeof *xors; i++) /* Fig. 14 */
    for (uint32_t what = 0; what < 4; what++) {
      const bool software = what & 1, sequential = what & 2, end = xors[i] == 0 || xors[i] == 35;
      struct coding_run_config run = coding_run_of(coded, sequential);
      run.software = software;
      run.xor_cycles = xors[i];
      if (end || (software && sequential))
        want(r, run);
    }
  for (uint32_t i = 0; i < 4; i++)
    want(r, coding_xor_run(i & 1 ? 35 : 0, i & 2));
  /* Section 6.5: a message is one packet, or each datum is a packet. */
  for (uint32_t what = 0; what < 4; what++) {
    struct coding_run_config run =
        coding_run_of(coding_grouped(GROUPS_K, HD_CODING_COMBINED, HD_CODING_TREE,
                                     coding_paper_members(GROUPS_K)),
                      what & 1);
    run.combined_flits = what < 2 ? DEFAULT_CUT : 1;
    want(r, run);
  }
  for (uint32_t what = 1; what < 4; what++) { /* Section 3: a channel for each step */
    struct coding_run_config run = coding_run_of(coded, false);
    run.own_channels = what & 1;
    run.cut_flits = what < 2 ? DEFAULT_CUT : 1;
    want(r, run);
  }
}

/* Figs. 9, 18 and 19: torus, sources, recursive form. */
static void want_forms(struct coding_results *r)
{
  const uint32_t largest = r->quick ? 8 : CODING_LARGEST_RUN;
  for (uint32_t k = CODING_SMALLEST; k <= largest; k *= 2) {
    want(r, coding_torus_run(k, true, HD_CODING_FLAT));
    want(r, coding_torus_run(k, true, HD_CODING_CODED));
  }
  for (uint32_t sources = 2; !r->quick && sources < GROUPS_K * GROUPS_K; sources *= 2)
    for (uint32_t placed = CODING_SPREAD; placed <= CODING_TOGETHER; placed++) {
      want(r, coding_sources_run(sources, (enum coding_sources)placed, HD_CODING_FLAT));
      want(r, coding_sources_run(sources, (enum coding_sources)placed, HD_CODING_CODED));
    }
  for (uint32_t k = CODING_SMALLEST; k <= largest; k *= 2) {
    struct coding_config twice;
    double hops;
    uint32_t members;
    if (!coding_best_recursive(r, k, &hops, &twice) ||
        !coding_best(r, k, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE, false, &hops, &members))
      continue;
    const struct coding_config once =
        coding_grouped(k, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE, members);
    for (uint32_t sequential = 0; sequential < 2; sequential++) {
      want(r, coding_recursive_run(once, sequential));
      want(r, coding_recursive_run(twice, sequential));
    }
  }
}

/* ── one run ───────────────────────────────────────────────────────────────── */

struct carrier {
  struct coding_results *results;
  const struct hd_study_arguments *how;
};

/* The paper's machine, as far as this switch can be like it: virtual cut-through, four channels.
 * All runs have the same RTL, except those with other latencies or other buffer space, so it is
 * built once without and once with barriers. Where a node needs more than PLACES places to
 * decode, the program decodes. */
static void scenario_at(void *context, size_t index, struct hd_text *text)
{
  const struct carrier *c = context;
  const struct coding_run_config *run = &c->results->runs[index].config;
  const struct coding_config *plan = &run->plan;
  const bool coded = plan->scheme == HD_CODING_CODED;
  char name[200];
  coding_name(plan, name, sizeof name);
  hd_text_add(text,
              "# Made by make reproduce-coding: %s.\nname: coding\n"
              "fabric: {topology: %s, dims: [%" PRIu32 ", %" PRIu32 "]}\n"
              "switch: {vcs: 4, data_bits: 64, depth_flits: 16, cut_flits: %" PRIu32 ", nodes: %d, "
              "code_places: %d, code_cycles: %" PRIu32 "%s}\n",
              name, plan->torus ? "torus" : "mesh", plan->k, plan->k, run->cut_flits,
              c->results->quick ? 64 : 1024, c->results->quick ? 64 : PLACES,
              coded && !run->software ? run->xor_cycles : DEFAULT_XOR,
              run->sequential ? ", barrier: any" : "");
  if (run->own_channels)
    hd_text_add(text, "routing: {virtual_networks: %d}\n", HD_CODING_STEPS);
  hd_text_add(text,
              "software: {program: coding, startup_cycles: 0, parameters: {scheme: %s, multicast: "
              "%s, flits: %" PRIu32,
              hd_coding_scheme_name(plan->scheme), hd_coding_multicast_name(plan->multicast),
              run->flits);
  if (plan->group[0])
    hd_text_add(text, ", group: %" PRIu32 "x%" PRIu32 ", order: %s", plan->group[0], plan->group[1],
                run->sequential ? "sequential" : "overlapping");
  if (coded && run->software)
    hd_text_add(text, ", encode: software, xor: %" PRIu32, run->xor_cycles);
  if (run->restores)
    hd_text_add(text, ", decode: software");
  if (plan->torus)
    hd_text_add(text, ", torus: 1");
  if (plan->inner[0])
    hd_text_add(text, ", inner: %" PRIu32 "x%" PRIu32, plan->inner[0], plan->inner[1]);
  if (plan->sources)
    hd_text_add(text, ", sources: %" PRIu32 ", placed: %s", plan->sources,
                plan->placed == CODING_SPREAD ? "spread" : "together");
  if (run->own_channels)
    hd_text_add(text, ", channels: own");
  if (run->combined_flits)
    hd_text_add(text, ", combined_flits: %" PRIu32, run->combined_flits);
  hd_text_add(text, "}}\nrun: {cycles: 10000000, dut: verilator}\ntrace: {packets: false}\n");
}

/* Estimates the time of a run: flits times the hops of a packet, roughly. */
static double work(void *context, size_t index)
{
  const struct carrier *c = context;
  const struct coding_run_config *run = &c->results->runs[index].config;
  const double nodes = (double)run->plan.k * run->plan.k;
  const double sources = run->plan.sources ? run->plan.sources : nodes;
  return 2e4 + nodes * sources * run->flits *
                   (run->plan.multicast == HD_CODING_ALL_AT_ONCE ? run->plan.k / 8 + 2 : 3);
}

static double largest_of(const struct hd_run_report *report, const char *name)
{
  for (uint32_t i = 0; i < report->n_statistics; i++)
    if (!strcmp(report->statistics[i].name, name))
      return (double)report->statistics[i].maximum;
  return 0;
}

static void run_task(void *context, size_t index, struct hd_task_outcome *outcome)
{
  const struct carrier *c = context;
  struct hd_text text = {0};
  struct hd_run_report report;
  scenario_at(context, index, &text);
  if (hd_study_scenario("coding.yaml", &text, c->how->study.rtl_dir, NULL, &report, outcome)) {
    hd_study_put(outcome, "cycles", "cycles", largest_of(&report, "done"));
    /* Flits that cross links between switches, those of coders' packets included. */
    hd_study_put(outcome, "flit-hops", "flits",
                 (double)(report.flits.data - report.counters.flits_received));
    hd_study_put(outcome, "packets", "packets",
                 (double)(report.counters.packets_received + report.counters.packets_made));
  }
  hd_run_report_fini(&report);
}

static int ended(void *context, size_t index, const struct hd_task_outcome *outcome,
                 struct hd_error *err)
{
  const struct carrier *c = context;
  struct coding_run *run = &c->results->runs[index];
  (void)err;
  run->done = true;
  run->cycles = (uint64_t)hd_study_value(outcome, "cycles");
  run->flit_hops = (uint64_t)hd_study_value(outcome, "flit-hops");
  run->packets = (uint64_t)hd_study_value(outcome, "packets");
  return HD_OK;
}

int coding_carry_out(struct coding_results *r, const struct hd_study_arguments *how,
                     struct hd_error *err)
{
  struct carrier c = {r, how};
  const uint32_t first = r->quick ? 8 : GROUPS_K; /* the longest runs come last */
  want_sizes(r, CODING_SMALLEST, first);
  want_forms(r);
  if (!r->quick) {
    want_variants(r);
    want_sizes(r, 2 * GROUPS_K, CODING_LARGEST_RUN);
  }
  const struct hd_study_tasks tasks = {.kind = "plans-carried-out",
                                       .n = r->n_runs,
                                       .context = &c,
                                       .describe = scenario_at,
                                       .work = work,
                                       .run_task = run_task,
                                       .ended = ended,
                                       .scenarios = true};
  for (size_t i = 0; i < tasks.n; i++)
    hd_study_key(&tasks, i, r->runs[i].key);
  return hd_study_run(&how->study, &tasks, err);
}

bool coding_cycles(const struct coding_results *r, const struct coding_run_config *config,
                   double *cycles)
{
  const struct coding_run *run = coding_find_run(r, config);
  if (!run || !run->done)
    return false;
  *cycles = (double)run->cycles;
  return true;
}
