/* Carries out a run from its scenario to its last cycle; run_end.c does what follows.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "directory.h"
#include "run_internal.h"
#include "../host/clock.h"
#include "../host/file.h"
#include "../host/memory.h"
#include "../host/repository.h"
#include "../host/user_code.h"
#include "../scenario/scenario_inside.h"
#include "../scenario/scenario_keys.h"

#include <assert.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Prepares a comparison with an original: it is exact and in decoupled mode, even if the
 * scenario sets something else for the comparison with the model. */
static int set_against(struct hd_scenario *s, const struct hd_run_options *o, struct hd_error *err)
{
  if (!strcmp(s->run.dut, "none"))
    return hd_fail(err, HD_E_INPUT,
                   "--against %s: with --dut none there is nothing to compare with it; choose a "
                   "--dut, or leave --against out",
                   o->against);
  if (o->has_mode && o->mode == HD_MODE_CLOSED)
    return hd_fail(err, HD_E_INPUT,
                   "--against %s: the original runs in closed loop, and the DUT replays what the "
                   "original's switches got; leave --mode closed out",
                   o->against);
  if (s->n_faults)
    return hd_fail(err, HD_E_INPUT,
                   "--against %s: the scenario has faults, and what is lost to a fault is known of "
                   "the model alone",
                   o->against);
  if (s->budgets.has_blocked)
    return hd_fail(err, HD_E_INPUT,
                   "budgets.blocked_flit_cycles: cannot be measured with --against, only with the "
                   "model");
  s->run.mode = HD_MODE_DECOUPLED;
  s->run.compare = HD_COMPARE_EXACT;
  return HD_OK;
}

int hd_run_cycles_check(const struct hd_scenario *s, uint64_t cycles, struct hd_error *err)
{
  if (!cycles || cycles > s->run.warmup_cycles)
    return HD_OK;
  return hd_fail(err, HD_E_INPUT,
                 "--cycles %" PRIu64 ": the run would end within its warm-up; legal: more than "
                 "%" PRIu64 " (run.warmup_cycles), or a shorter warm-up, "
                 "as --set run.warmup_cycles=0",
                 cycles, s->run.warmup_cycles);
}

static int read_scenario(struct hd_run *run, struct hd_error *err)
{
  const struct hd_run_options *o = run->options;
  struct hd_scenario *s = &run->scenario;
  int status =
      hd_scenario_read_set(s, o->scenario_text, o->scenario_path, o->settings, o->n_settings, err);
  s->software.user_code = run->user_code;
  if (!status && s->software.object && o->scenario_text && !o->own_text && !o->program)
    status = hd_fail(err, HD_E_INPUT,
                     "the software of this run is a shared object, whose code would be run here; "
                     "if you trust it, say so: --program %.500s",
                     s->software.object);
  if (!status)
    status = hd_scenario_load_program(s, o->program, err);
  if (status)
    return status;
  if (o->dut)
    hd_scenario_set_dut(s, o->dut);
  if (o->has_seed)
    s->seed = o->seed;
  s->seed += o->seed_add;
  if (o->has_mode)
    s->run.mode = o->mode;
  if (o->threads)
    s->run.threads = o->threads;
  if (o->window_cycles)
    s->run.window_cycles = o->window_cycles;
  s->run.has_window |= o->window_cycles != 0;
  if (o->cycles)
    s->run.cycles = o->cycles;
  /* The part of a recorded run that is played again may end within the warm-up. */
  if (!o->scenario_text || o->own_text) {
    status = hd_run_cycles_check(s, o->cycles, err);
    if (status)
      return status;
  }
  if (o->window || o->results_only) {
    /* Without a database, packets and hops cannot be written. */
    s->trace.packets = s->trace.hops = false;
  }
  if (o->against)
    return set_against(s, o, err);
  if (s->run.mode == HD_MODE_DECOUPLED && s->run.compare != HD_COMPARE_EXACT)
    return hd_fail(err, HD_E_INPUT, "run.compare: %s needs closed loop; say --mode closed",
                   hd_compare_name(s->run.compare));
  if (s->budgets.has_blocked && s->run.compare != HD_COMPARE_EXACT)
    return hd_fail(
        err, HD_E_INPUT,
        "budgets.blocked_flit_cycles: cannot be measured with run.compare: %s, only with exact",
        hd_compare_name(s->run.compare));
  return HD_OK;
}

/* Returns a line that names the fabric; to be freed. */
static char *describe_fabric(const struct hd_run *run)
{
  const struct hd_scenario *s = &run->scenario;
  struct hd_text text = {0};
  char shape[PATH_MAX + 64];
  hd_topologies[s->fabric.topology]->describe(&s->fabric.shape, shape, sizeof shape);
  if (s->fabric.inside) {
    hd_text_add(&text, "a whole network as DUT, inside: %s; %s, %s x %s of %u bits",
                s->fabric.inside, hd_count(run->topology.n_nodes, "endpoint").text,
                hd_count(s->sw.vcs, "VC").text, hd_count(s->sw.depth_flits, "flit").text,
                s->sw.data_bits);
    return text.chars;
  }
  hd_text_add(&text, "%s, %s, %s, %s, %s x %s of %u bits, %s%s", shape,
              hd_count(run->topology.n_nodes, "node").text,
              hd_count(run->topology.n_switches, "switch").text, hd_count(s->sw.ports, "port").text,
              hd_count(s->sw.vcs, "VC").text, hd_count(s->sw.depth_flits, "flit").text,
              s->sw.data_bits, hd_routing_kind_name(s->routing.algorithm),
              s->routing.always_top ? ", always to the top" : "");
  return text.chars;
}

static void copy_text(char **to, const char *from)
{
  free(*to);
  *to = from ? hd_xstrdup(from) : NULL;
}

/* Keeps a parameter for the report. */
static void keep_parameter(void *context, const char *key, const struct hd_value *value)
{
  struct hd_run_report *r = context;
  r->parameters = hd_xrealloc(r->parameters, (r->n_parameters + 1) * sizeof *r->parameters);
  struct hd_run_parameter *p = &r->parameters[r->n_parameters++];
  *p = (struct hd_run_parameter){.key = hd_xstrdup(key), .value = *value};
  if (value->type == HD_VALUE_TEXT)
    p->value.text = p->text = hd_xstrdup(value->text);
}

/* Tests whether the reported events and their timing are those of the reference. */
static bool has_timing_of_reference(const struct hd_scenario *s)
{
  return s->run.compare == HD_COMPARE_EXACT || !strcmp(s->run.dut, "none");
}

/* Names the events that a comparison by order or packets leaves out: its verdict does not depend on
 * every event at every port (§6.2, §6.7). */
static void say_not_looked_at(const struct hd_scenario *s, bool inside, struct hd_run_report *r)
{
  if (has_timing_of_reference(s))
    return;
  const char *ports = s->run.compare != HD_COMPARE_PACKETS ? ""
                      : !s->run.rules ? ", the order at ports, bodies before they arrive, ways"
                      : s->run.routes == HD_ROUTES_ANY ? ", the order at ports, ways"
                                                       : ", the order at ports";
  snprintf(r->not_looked_at, sizeof r->not_looked_at, "timing, registers, quiescent_o%s%s%s%s",
           ports,
           !s->fabric.inside ? ""
           : inside          ? ", credits, registers and channels inside of the network"
                             : ", what happens inside of the network",
           s->sw.barrier ? ", barrier credits and padding" : "",
           s->sw.code_places ? ", what coders send before it arrives" : "");
}

static void fill_report(struct hd_run *run)
{
  struct hd_run_report *r = run->report;
  const struct hd_scenario *s = &run->scenario;
  r->mode = s->run.mode;
  r->window_cycles = s->run.window_cycles;
  r->threads = s->run.threads;
  r->cycles_limit = s->run.cycles;
  r->warmup_cycles = s->run.warmup_cycles;
  r->measured_end = s->run.measure_cycles ? s->run.warmup_cycles + s->run.measure_cycles : 0;
  r->blocked_known = has_timing_of_reference(s) && !run->options->against;
  if (s->trace.hops && !has_timing_of_reference(s))
    hd_text_add(
        &r->notes,
        "trace.hops: run.db has no hops: with run.compare: %s the packets of the DUT have no "
        "numbers at its ports\n",
        hd_compare_name(s->run.compare));
  r->has_latency_budget = s->budgets.has_latency;
  r->has_blocked_budget = s->budgets.has_blocked;
  r->has_barrier_budget = s->budgets.has_barrier;
  r->barrier_budget = s->budgets.barrier_cycles;
  r->latency_budget = s->budgets.latency_cycles;
  r->blocked_budget = s->budgets.blocked_flit_cycles;
  for (unsigned i = 0; i < HD_ENERGY_EVENTS; i++) {
    r->has_energy |= s->energy.has[i];
    r->energy.femtojoules[i] = s->energy.femtojoules[i];
  }
  r->n_switches = run->topology.n_switches;
  r->n_nodes = run->topology.n_nodes;
  hd_scenario_parameters(s, keep_parameter, r);
  copy_text(&r->name, s->name);
  copy_text(&r->scenario_path, s->path);
  copy_text(&r->dut, s->run.dut);
  r->fabric = describe_fabric(run);
  r->is_network = run->scenario.fabric.inside != NULL;
}

/* Finds the absolute path of the RTL directory that an option names. */
static int find_rtl(const char *option, const char *rtl, char directory[PATH_MAX],
                    struct hd_error *err)
{
  return realpath(rtl, directory)
             ? HD_OK
             : hd_fail(err, HD_E_INPUT, "%s %s: there is no such directory", option, rtl);
}

/* Opens the backend of the original. */
static int open_original(struct hd_run *run, struct hd_error *err)
{
  const struct hd_run_options *o = run->options;
  struct hd_run_report *r = run->report;
  struct hd_error own = {""};
  if (!o->against)
    return HD_OK;
  const struct hd_backend_options options = {.rtl_dir = run->against,
                                             .cache_dir = o->cache_dir,
                                             .quick = o->quick,
                                             .unoptimised = o->unoptimised,
                                             .say = o->say,
                                             .stop = o->stop,
                                             .building = o->building,
                                             .context = o->context};
  /* The original's waves have all signals if the DUT's have. */
  const char *dut = run->scenario.run.dut;
  const char *name = !strncmp(dut, "ghdl", 4)     ? dut /* GHDL reads VHDL, too */
                     : strstr(dut, "all-signals") ? "verilator:all-signals"
                                                  : "verilator";
  const int status = hd_backend_open(&run->original, name, &run->scenario.sw, &options, &own);
  if (status)
    return hd_fail(err, status, "--against %s: %s", o->against, own.text);
  r->against = strdup(run->against);
  if (!r->against)
    return hd_fail(err, HD_E_NOMEM, "run: out of memory");
  if (hd_repository_version(run->against, "hd_switch.v", r->against_version,
                            sizeof r->against_version))
    return HD_OK;
  r->against_version[0] = '\0';
  return HD_OK;
}

/* Opens the backend of a DUT of `switches` switches: NAME, NAME:options, or none. */
static int open_backend(struct hd_run *run, uint32_t switches, struct hd_error *err)
{
  const struct hd_run_options *o = run->options;
  const char *dut = run->scenario.run.dut;
  bool none = !strcmp(dut, "none");
  if (o->rtl_dir && none) {
    char names[256];
    hd_backend_names(names, sizeof names, true, "or");
    return hd_fail(
        err, HD_E_INPUT,
        "--rtl %s: with --dut none the model runs alone; choose --dut %s, or leave --rtl "
        "out",
        o->rtl_dir, names);
  }
  if (o->coverage && none)
    return hd_fail(err, HD_E_INPUT,
                   "--coverage: with --dut none there is no RTL to count lines of; choose --dut "
                   "verilator, or leave --coverage out");
  if (none)
    return HD_OK;
  int status = o->rtl_dir ? find_rtl("--rtl", o->rtl_dir, run->rtl_dir, err) : HD_OK;
  if (status)
    return status;
  struct hd_backend_options options = {
      .rtl_dir = run->rtl_dir[0] ? run->rtl_dir : NULL,
      .cache_dir = o->cache_dir,
      .switches = switches,
      .quick = o->quick,
      .unoptimised = o->unoptimised,
      .coverage = o->coverage,
      .rtl_files = &run->report->rtl_files,
      .say = o->say,
      .stop = o->stop,
      .building = o->building,
      .context = o->context,
  };
  struct hd_user_code *code = run->user_code;
  snprintf(code->dut, sizeof code->dut, "%s", dut);
  const double began = hd_seconds_now();
  hd_user_call_enter(&code->backend[0], "open", 0, 0, 0);
  status = hd_backend_open(&run->backend, dut, &run->scenario.sw, &options, err);
  hd_user_call_leave(&code->backend[0]);
  run->report->open_seconds = hd_seconds_now() - began;
  run->report->quiescence = run->backend.quiescence;
  const struct hd_text *files = &run->report->rtl_files;
  run->report->rtl_hash = hd_hash_bytes(hd_text_chars(files), files->length, 0);
  if (!status && options.rtl_dir &&
      !hd_repository_version(options.rtl_dir, "hd_switch.v", run->report->rtl_version,
                             sizeof run->report->rtl_version))
    run->report->rtl_version[0] = '\0';
  if (!status)
    copy_text(&run->report->dut_about, run->backend.ops->about);
  return status;
}

/* Adds the directory of --out for this seed to `out`; adds nothing without --out. */
static void given_out(const struct hd_run *run, struct hd_text *out)
{
  const struct hd_run_options *o = run->options;
  if (o->out_dir)
    hd_text_add(out, "%s", o->out_dir);
  if (o->out_dir && o->out_by_seed)
    hd_text_add(out, "/seed-%llu", (unsigned long long)run->scenario.seed);
}

static bool keeps_database(const struct hd_run *run)
{
  return !run->options->window && !run->options->results_only;
}

/* Notes the directory for the watching process, which closes the database if this one dies. */
static void note_directory(struct hd_run *run)
{
  struct hd_user_code *code = run->user_code;
  unsigned i = 0;
  code->no_page = run->options->no_page;
  while (i < HD_USER_RUNS && code->directories[i][0])
    i++;
  if (i < HD_USER_RUNS && realpath(run->report->directory, code->directories[i]))
    run->directory = i;
  if (i >= code->n_directories && i < HD_USER_RUNS)
    code->n_directories = i + 1;
}

/* Names the file that gets the output of the RTL. Backends read the name from the environment. */
static void open_rtl_log(const struct hd_run *run)
{
  char whole[PATH_MAX];
  struct hd_text path = {0};
  if (!realpath(run->report->directory, whole))
    return;
  hd_text_add(&path, "%s/" HD_RUN_RTL_LOG, whole);
  if (setenv("HEDDLE_RTL_LOG", path.chars, 1))
    hd_memory_end();
  hd_text_fini(&path);
}

void hd_run_forget_directory(struct hd_run *run)
{
  if (run->directory < HD_USER_RUNS)
    run->user_code->directories[run->directory][0] = '\0';
  run->directory = HD_USER_RUNS;
}

/* Notes where the results are if --out names a symbolic link: reports then have the real path. */
static void note_link(struct hd_run *run)
{
  char target[PATH_MAX];
  struct stat about;
  const char *directory = run->report->directory;
  if (!lstat(directory, &about) && S_ISLNK(about.st_mode) && realpath(directory, target))
    hd_text_add(&run->report->notes, "%s is a link: the results are in %s\n", directory, target);
}

static int open_database(struct hd_run *run, struct hd_error *err)
{
  const struct hd_run_options *o = run->options;
  struct hd_text out = {0};
  given_out(run, &out);
  int status = hd_run_directory(o->out_dir ? hd_text_chars(&out) : NULL, run->scenario.name,
                                &run->report->directory, err);
  hd_text_fini(&out);
  if (status)
    return status;
  note_link(run);
  struct hd_rundb_start start = {
      .scenario = &run->scenario,
      .topology = &run->topology,
      .dut_about = run->report->dut_about,
      .rtl_dir = run->rtl_dir[0] ? run->rtl_dir : NULL,
      .against = run->report->against,
      .replay_of = o->replay_of,
      .rtl_files = hd_text_chars(&run->report->rtl_files),
      .rtl_version = run->report->rtl_version[0] ? run->report->rtl_version : NULL,
  };
  struct hd_text path = {0};
  hd_text_add(&path, "%s/run.db", run->report->directory);
  status = hd_rundb_create(&run->db, path.chars, &start, err);
  hd_text_fini(&path);
  if (status)
    return status;
  note_directory(run);
  open_rtl_log(run);
  return HD_OK;
}

static int open_software(struct hd_run *run, struct hd_error *err)
{
  struct hd_software_params params;
  hd_software_of_scenario(&params, &run->scenario, &run->topology, &run->tables);
  params.watch = run->watch;
  hd_run_software_hooks(run, &params);
  return hd_software_create(&run->software, &params, err);
}

static void fill_lockstep(struct hd_run *run, struct hd_fabric_params *fabric,
                          struct hd_lockstep_params *params)
{
  const struct hd_run_options *o = run->options;
  const struct hd_scenario *s = &run->scenario;
  *fabric = hd_scenario_fabric(s);
  hd_lockstep_of_scenario(params, s, fabric, &run->topology, &run->tables, run->backend.quiescence);
  params->inside = &run->inside;
  params->dut = run->backend.ops;
  params->dut_options = run->backend.options;
  params->original = run->original.ops;
  params->original_options = run->original.options;
  params->coverage = !o->window;
  params->user_code = run->user_code;
  params->turn = hd_run_turn(run->supervisor);
  params->until = o->window ? o->window->to + 1 : 0;
  params->history_cycles = o->window ? (uint32_t)(o->window->to - o->window->from) : 0;
  hd_run_hooks(run, &params->hooks);
}

/* Measures latencies by distance if the topology inside a network that is the DUT is known. An
 * error here is impossible, since the scenario was built. */
static void measure_inside(struct hd_run *run)
{
  struct hd_error err;
  if (run->scenario.fabric.inside &&
      !hd_scenario_inside(&run->scenario, run->topology.n_nodes, &run->inside, &err) &&
      run->inside.n_nodes)
    hd_deliveries_by_links(run->deliveries, hd_inside_distances(&run->inside), run->inside.n_nodes);
}

static void open_parts(struct hd_run *run)
{
  const struct hd_scenario *s = &run->scenario;
  run->hops =
      hd_hops_create(&run->topology, s->sw.vcs, s->run.window_cycles, has_timing_of_reference(s),
                     s->trace.hops && has_timing_of_reference(s), run->report);
  run->deliveries = hd_deliveries_create(run->report, run->hops);
  measure_inside(run);
  run->watch = hd_barrier_watch_create(s, &run->topology);
  if (s->run.compare == HD_COMPARE_EXACT) /* in other comparisons the DUT has events of its own */
    run->check = hd_tree_check_create(&run->topology, &s->sw);
}

/* Tests whether any table entry of the switch names the port. */
static bool is_port_used(const struct hd_tables *t, uint32_t sw, uint32_t port)
{
  const size_t row = (size_t)t->ports * t->n_nodes;
  for (size_t i = sw * row; i < (sw + 1) * row; i++)
    if ((t->destination[i] >> 12 & 1 && (t->destination[i] & 15) == port) ||
        (t->source && t->source[i] >> 12 & 1 && (t->source[i] & 15) == port))
      return true;
  return false;
}

static bool has_twin(const struct hd_topology *t, uint32_t sw, uint32_t port)
{
  const struct hd_peer *ports = &t->peers[(size_t)sw * t->ports];
  for (uint32_t p = 0; p < t->ports; p++)
    if (p != port && ports[p].kind == HD_PEER_SWITCH && ports[p].index == ports[port].index)
      return true;
  return false;
}

/* Notes parallel links that no table uses: the user may count on them. */
static void note_unused_links(struct hd_run *run)
{
  const struct hd_topology *t = &run->topology;
  uint32_t unused = 0, parallel = 0, sw = 0, port = 0;
  for (uint32_t s = 0; s < t->n_switches && t->kind == HD_TOPO_GRAPH; s++)
    for (uint32_t p = 0; p < t->ports; p++) {
      if (t->peers[(size_t)s * t->ports + p].kind != HD_PEER_SWITCH || !has_twin(t, s, p))
        continue;
      parallel++;
      if (is_port_used(&run->tables, s, p))
        continue;
      sw = unused ? sw : s;
      port = unused ? port : p;
      unused++;
    }
  if (unused)
    hd_text_add(
        &run->report->notes,
        "%u of %u output ports with parallel links between two switches carry nothing, as "
        "port %u of switch %u: %s gives each destination one of them, by its number; tables "
        "in the file of the graph can use the others\n",
        unused, parallel, port, sw, hd_routing_kind_name(run->scenario.routing.algorithm));
}

/* Does everything that a run needs before its DUT is opened. */
static int prepare(struct hd_run *run, struct hd_error *err)
{
  int status = read_scenario(run, err);
  run->report->seed = run->scenario.seed;
  if (!status)
    status = hd_scenario_build(&run->scenario, &run->topology, &run->tables, err);
  if (!status)
    status = hd_scenario_check(&run->scenario, run->topology.n_nodes, err);
  if (!status && run->options->out_dir && keeps_database(run)) { /* before a DUT is built */
    struct hd_text out = {0};
    given_out(run, &out);
    status = hd_run_directory_is_free(hd_text_chars(&out), err);
    hd_text_fini(&out);
  }
  if (!status && run->options->against)
    status = find_rtl("--against", run->options->against, run->against, err);
  if (status)
    return status;
  fill_report(run);
  note_unused_links(run);
  open_parts(run);
  return HD_OK;
}

/* ── runs side by side ─────────────────────────────────────────────────────── */

/* One of the runs of a batch. */
struct run_slot {
  struct hd_run *run;
  struct hd_batch_run *turn; /* of the caller: options, report, status and error */
};

static bool has_no_error(const struct run_slot *slot)
{
  return !slot->turn->status;
}

static bool same_text(const char *a, const char *b)
{
  return a == b || (a && b && !strcmp(a, b));
}

/* Tests whether the switches of both runs can be in one DUT. */
static bool can_share_dut(const struct hd_run *a, const struct hd_run *b)
{
  const struct hd_scenario *s = &a->scenario, *t = &b->scenario;
  const struct hd_run_options *o = a->options, *p = b->options;
  return !memcmp(&s->sw, &t->sw, sizeof s->sw) && same_text(s->run.dut, t->run.dut) &&
         s->run.mode == HD_MODE_DECOUPLED && t->run.mode == HD_MODE_DECOUPLED &&
         s->run.window_cycles == t->run.window_cycles && s->run.threads == t->run.threads &&
         same_text(o->rtl_dir, p->rtl_dir) && same_text(o->against, p->against) &&
         same_text(o->cache_dir, p->cache_dir) && o->quick == p->quick &&
         o->unoptimised == p->unoptimised && !o->coverage && !p->coverage && !o->window &&
         !p->window;
}

/* Returns how many runs, from the first on, can go side by side on one DUT. */
static uint32_t count_together(const struct run_slot slots[], uint32_t n)
{
  uint32_t n_fit = 1;
  if (!has_no_error(&slots[0]))
    return 1;
  const struct hd_run *first = slots[0].run;
  uint64_t room = hd_backend_max_switches(first->scenario.run.dut),
           switches = first->topology.n_switches;
  for (; n_fit < n && has_no_error(&slots[n_fit]) && can_share_dut(first, slots[n_fit].run);
       n_fit++) {
    switches += slots[n_fit].run->topology.n_switches;
    if (switches > room)
      break;
  }
  return n_fit;
}

static void open_locksteps(struct run_slot slots[], uint32_t n, struct hd_error *err)
{
  struct hd_fabric_params fabrics[HD_RUN_TOGETHER];
  struct hd_lockstep_params params[HD_RUN_TOGETHER];
  struct hd_lockstep *locksteps[HD_RUN_TOGETHER];
  struct run_slot *ready[HD_RUN_TOGETHER];
  uint32_t n_ready = 0;
  for (uint32_t i = 0; i < n; i++)
    if (has_no_error(&slots[i])) {
      ready[n_ready] = &slots[i];
      fill_lockstep(slots[i].run, &fabrics[n_ready], &params[n_ready]);
      n_ready++;
    }
  const int status = n_ready ? hd_lockstep_create_together(locksteps, params, n_ready, err) : HD_OK;
  for (uint32_t i = 0; i < n_ready; i++) {
    ready[i]->run->lockstep = locksteps[i];
    ready[i]->turn->status = status;
    if (status)
      ready[i]->turn->err = *err;
  }
}

static void begin_run(struct run_slot *slot, uint32_t n)
{
  struct hd_run *run = slot->run;
  run->report->compared = run->backend.ops != NULL;
  run->report->of_rtl = hd_backend_builds_rtl(run->scenario.run.dut);
  say_not_looked_at(&run->scenario, run->lockstep && hd_lockstep_watches_inside(run->lockstep),
                    run->report);
  if (n > 1)
    hd_text_add(&run->report->notes,
                "ran side by side with %s on one DUT; seconds and speed are of this one among "
                "them\n",
                hd_count(n - 1, "other run").text);
  hd_progress_start(&run->progress);
  hd_run_supervise_results(run->supervisor, run->db != NULL);
}

/* Called before results are written, since users' code may have changed settings that the whole
 * process shares. */
void hd_run_restore_process(const struct hd_run *run)
{
  hd_user_code_restore_streams(run->user_code);
  if (run->working_directory < 0 || fchdir(run->working_directory))
    return; /* a directory that was deleted */
  setlocale(LC_ALL, "C");
  fesetenv(FE_DFL_ENV);
}

static void end_run(struct run_slot *slot, const struct hd_lockstep_turn *turn)
{
  struct hd_run *run = slot->run;
  hd_run_restore_process(run);
  struct hd_error *err = &slot->turn->err;
  hd_run_supervise_results(run->supervisor, false);
  run->report->seconds = hd_seconds_now() - run->progress.started;
  run->report->has_result = true;
  *err = turn->err;
  slot->turn->status = run->options->window ? hd_run_window_end(run, turn->status, err)
                                            : hd_run_end(run, turn->status, err);
}

/* Carries out the runs that have not failed, from the creation of their DUT to their end. */
static void carry_out(struct run_slot slots[], uint32_t n)
{
  struct hd_lockstep_turn turns[HD_RUN_TOGETHER];
  struct run_slot *ready[HD_RUN_TOGETHER];
  struct hd_error err = {""};
  uint32_t switches = 0, n_ready = 0;
  for (uint32_t i = 0; i < n; i++)
    switches += slots[i].run->topology.n_switches;
  for (uint32_t i = 0; i < n; i++) {
    struct hd_batch_run *turn = slots[i].turn;
    if (!turn->status)
      turn->status = open_backend(slots[i].run, switches, &turn->err);
    if (!turn->status)
      turn->status = open_original(slots[i].run, &turn->err);
    if (!turn->status)
      turn->status = open_software(slots[i].run, &turn->err);
    if (!turn->status && n == 1) /* giving up one run would end the others, too */
      turn->status = hd_run_supervise(slots[i].run, &turn->err);
  }
  open_locksteps(slots, n, &err);
  for (uint32_t i = 0; i < n; i++) {
    struct hd_run *run = slots[i].run;
    struct hd_batch_run *turn = slots[i].turn;
    /* Opens the database last, so that a run that could not start leaves none. */
    if (!turn->status && keeps_database(run))
      turn->status = open_database(run, &turn->err);
    if (turn->status)
      continue;
    turns[n_ready] = (struct hd_lockstep_turn){.lockstep = run->lockstep,
                                               .cycles = run->scenario.run.cycles,
                                               .result = &run->report->result};
    ready[n_ready++] = &slots[i];
  }
  for (uint32_t i = 0; i < n_ready; i++)
    begin_run(ready[i], n_ready);
  if (n_ready)
    hd_lockstep_run_together(turns, n_ready);
  for (uint32_t i = 0; i < n_ready; i++)
    end_run(ready[i], &turns[i]);
}

static void report_error(struct run_slot *slot)
{
  struct hd_run_report *report = slot->run->report;
  struct hd_batch_run *turn = slot->turn;
  report->status = turn->status;
  if (turn->status && !report->message.length)
    hd_text_add(&report->message, "%s",
                turn->err.text[0] ? turn->err.text : hd_status_text(turn->status));
  if (turn->status)
    hd_fail(&turn->err, turn->status, "%s", hd_text_chars(&report->message));
}

static void close_working_directory(struct hd_run *run)
{
  if (run->working_directory >= 0)
    close(run->working_directory);
}

static void destroy_run(struct hd_run *run)
{
  /* A broken database is closed by the process that watches this one. */
  if (!run->db || !hd_rundb_write_failed(run->db))
    hd_run_forget_directory(run);
  hd_rundb_close(run->db);
  hd_run_pass_news(run);
  struct hd_lockstep *lockstep = run->lockstep;
  run->lockstep = NULL; /* hd_run_pass_news must not use it any more */
  if (lockstep)
    hd_lockstep_destroy(lockstep);
  unsetenv("HEDDLE_RTL_LOG");
  hd_run_supervise_stop(run->supervisor);
  hd_software_destroy(run->software);
  hd_barrier_watch_destroy(run->watch);
  hd_tree_check_destroy(run->check);
  if (run->backend.ops)
    hd_backend_close(&run->backend);
  if (run->original.ops)
    hd_backend_close(&run->original);
  hd_tables_fini(&run->tables);
  hd_topology_fini(&run->topology);
  hd_topology_fini(&run->inside);
  hd_scenario_fini(&run->scenario);
  hd_deliveries_destroy(run->deliveries);
  hd_hops_destroy(run->hops);
  hd_statistics_fini(&run->statistics);
  close_working_directory(run);
  hd_user_code_destroy(run->own_user_code);
  free(run);
}

static struct hd_run *create_run(const struct hd_batch_run *turn)
{
  struct hd_run *run = hd_xcalloc(1, sizeof *run);
  run->options = turn->options;
  run->report = turn->report;
  run->directory = HD_USER_RUNS;
  run->working_directory = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  run->user_code = hd_user_code_of_process();
  if (!run->user_code)
    run->user_code = run->own_user_code = hd_user_code_create();
  return run;
}

void hd_run_batch(struct hd_batch_run turns[], uint32_t n)
{
  struct run_slot slots[HD_RUN_TOGETHER];
  assert(n && n <= HD_RUN_TOGETHER);
  for (uint32_t i = 0; i < n; i++) {
    *turns[i].report = (struct hd_run_report){0};
    turns[i].err = (struct hd_error){""};
    slots[i] = (struct run_slot){create_run(&turns[i]), &turns[i]};
    turns[i].status = prepare(slots[i].run, &turns[i].err);
  }
  for (uint32_t from = 0, n_ready; from < n; from += n_ready) {
    const struct hd_run_options *o = slots[from].run->options;
    n_ready = count_together(slots + from, n - from);
    for (uint32_t i = from; from && o->stop && o->stop(o->context) && i < from + n_ready; i++)
      slots[i].turn->status =
          hd_fail(&slots[i].turn->err, HD_E_INTERRUPTED, "interrupted before it began");
    carry_out(slots + from, n_ready);
    for (uint32_t i = from; i < from + n_ready; i++)
      report_error(&slots[i]);
    for (uint32_t i = from; i < from + n_ready; i++)
      destroy_run(slots[i].run);
  }
}

int hd_run(const struct hd_run_options *options, struct hd_run_report *report, struct hd_error *err)
{
  struct hd_batch_run turn = {.options = options, .report = report};
  hd_run_batch(&turn, 1);
  if (turn.status && err)
    *err = turn.err;
  return turn.status;
}
