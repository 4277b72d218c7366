/* Exports a fabric: checks what can be exported, chooses names, writes files.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "export_internal.h"

#include "../host/file.h"
#include "../../sw/programs/programs.h"
#include "../host/install_root.h"
#include "../host/memory.h"
#include "../wrap/wrap.h"
#include "manifest.h"
#include "speed_model.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_LINK = 16 }; /* largest LINK of rtl/hd_link.v */

/* ── what can be exported ──────────────────────────────────────────────────── */

static int refuse(const struct hd_export *x, const char *key, const char *why, struct hd_error *err)
{
  return hd_fail(err, HD_E_INPUT, "%s:%" PRIu32 ": %s: %s", x->options->scenario,
                 hd_scenario_line(&x->scenario, key), key, why);
}

/* A fabric at speed has its own traffic sources. The scenario must use the same traffic, so that
 * the model has it, too. */
static int check_speed(const struct hd_export *x, struct hd_error *err)
{
  const struct hd_scenario *s = &x->scenario;
  if (x->options->raw)
    return hd_fail(err, HD_E_INPUT, "--raw and --signatures exclude each other; say one of them");
  if (s->software.program != &hd_program_chip_traffic)
    return refuse(x, "software.program",
                  "a fabric with signatures has its own sources on chip; say chip-traffic, which "
                  "sends as they do",
                  err);
  if (!hd_export_speed_load(x))
    return refuse(
        x, "software.program",
        "load_256 is 0; without packets signatures say nothing of the fabric; legal here: "
        "1 … 256",
        err);
  if (s->software.startup_cycles)
    return refuse(x, "software.startup_cycles", "sources on chip need none; say 0", err);
  if (x->tables.header_mode)
    return refuse(x, "routing.algorithm",
                  "sources on chip make headers of mode 0 (specification 1.3); this routing needs "
                  "others, so say one that goes by the destination alone",
                  err);
  if (s->sw.barrier > HD_BARRIER_FIXED)
    return refuse(
        x, "switch.barrier",
        "nodes on chip send messages that pass beside the buffers; say any, fixed or none", err);
  if (s->sw.values)
    return refuse(x, "switch.values", "nodes on chip reduce no values; say 0", err);
  if (s->sw.cut_flits && s->sw.cut_flits < 5)
    return refuse(x, "switch.cut_flits",
                  "sources on chip send packets of up to 5 flits; say 0, or at least 5", err);
  return HD_OK;
}

static int check(const struct hd_export *x, struct hd_error *err)
{
  const struct hd_scenario *s = &x->scenario;
  if (s->sw.barrier && !x->options->signatures)
    return refuse(x, "switch.barrier",
                  "cannot be exported: management opens barrier groups while a fabric runs, and "
                  "exported RTL has no management; leave it out, or say --signatures: a fabric at "
                  "speed opens a group of all nodes",
                  err);
  if (s->sw.code_places)
    return refuse(x, "switch.code_places",
                  "cannot be exported: management opens chains of the coder while a fabric runs, "
                  "and exported RTL has no management; leave it out",
                  err);
  if (s->sw.trees)
    return refuse(x, "switch.trees",
                  "cannot be exported: management opens multicast groups while a fabric runs, and "
                  "exported RTL has no management; leave it out",
                  err);
  if (s->n_faults)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": faults: cannot be exported: they are events of a run, not "
                   "RTL; leave them out",
                   x->options->scenario, s->faults[0].line);
  const uint32_t longest = hd_topology_longest_link(&x->topology, s->fabric.link_cycles);
  if (longest > MOST_LINK)
    return hd_fail(err, HD_E_INPUT,
                   "%s: a link of %" PRIu32 " cycles; rtl/hd_link.v, of which links are made, has "
                   "at most %d",
                   x->options->scenario, longest, MOST_LINK);
  if (x->options->signatures) {
    const int status = check_speed(x, err);
    if (status)
      return status;
  }
  if (x->options->raw)
    return HD_OK;
  if (x->tables.draws && x->tables.draws != hd_routing_draw_any)
    return refuse(
        x, "routing.algorithm",
        "exported senders draw any node to go by; take valiant, or say --raw for flits and "
        "credits at the nodes, with headers of your own",
        err);
  if (s->routing.virtual_networks > 1)
    return refuse(x, "routing.virtual_networks",
                  "streams have one virtual network; say --raw for flits and credits at the nodes, "
                  "or leave it out",
                  err);
  if (s->sw.cut_flits == 1)
    return refuse(x, "switch.cut_flits",
                  "a packet of a stream has two flits or more, a header and its beats; say 0, or "
                  "at least 2, or --raw for flits and credits at the nodes",
                  err);
  return HD_OK;
}

/* ── names ─────────────────────────────────────────────────────────────────── */

static int choose_name(struct hd_export *x, struct hd_error *err)
{
  const char *given = x->options->name;
  x->name = given ? hd_xstrdup(given) : hd_xasprintf("noc_%s", x->scenario.name);
  for (char *c = x->name; !given && *c; c++)
    if (!isalnum((unsigned char)*c))
      *c = '_';
  if (!hd_wrap_is_name(x->name) || !strncmp(x->name, "hd_", 3))
    return hd_fail(err, HD_E_INPUT,
                   "name %.200s: must be a Verilog identifier and no keyword, have fewer than 90 "
                   "characters, and not begin with hd_; give another name with --name",
                   x->name);
  x->fabric_name = hd_xasprintf("%s%s", x->name, x->options->raw ? "" : "_fabric");
  return HD_OK;
}

static void measure(struct hd_export *x)
{
  const struct hd_switch_params *sw = &x->scenario.sw;
  const uint32_t bits = hd_log2_ceil(sw->nodes), mode = x->tables.header_mode;
  const uint32_t at = 2 + (mode == 3 ? 2 : 1) * bits; /* §1.3 */
  x->node_bits = bits;
  x->vc_bits = sw->vcs > 1 ? hd_log2_ceil(sw->vcs) : 1;
  x->switch_bits = x->topology.n_switches > 1 ? hd_log2_ceil(x->topology.n_switches) : 1;
  x->source_at = at + bits <= sw->data_bits ? at : 0;
}

/* ── files ─────────────────────────────────────────────────────────────────── */

static const char *const k_rtl[] = {HD_EXPORT_LOADER(HD_OWN) NULL};
static const char *const k_endpoints[] = {HD_EXPORT_ENDPOINTS(HD_OWN) NULL};
static const char *const k_traffic[] = {HD_EXPORT_TRAFFIC(HD_OWN) NULL};
static const char *const k_speed[] = {HD_EXPORT_SPEED(HD_OWN) NULL};
static const char *const k_replay[] = {HD_EXPORT_BENCH(HD_OWN) NULL};

static int add_own(struct hd_dut_sources *sources, const char *root, const char *to,
                   const char *const *list, struct hd_error *err)
{
  int status = HD_OK;
  for (size_t i = 0; !status && list[i]; i++) {
    char *path = hd_xasprintf("%s/%s", root, list[i]);
    char *name = hd_xasprintf("%s%s", to, strrchr(list[i], '/'));
    status = hd_sources_add(sources, path, name, err);
    free(path);
    free(name);
  }
  return status;
}

static int write_text(struct hd_export *x, const char *ending,
                      void (*make)(const struct hd_export *, struct hd_text *),
                      struct hd_error *err)
{
  struct hd_text text = {0};
  char *name = hd_xasprintf("%s%s", *ending == '/' ? "" : x->name, ending + (*ending == '/'));
  make(x, &text);
  x->build = hd_hash_bytes(hd_text_chars(&text), text.length, x->build);
  int status = hd_text_write(x->options->directory, name, &text, err);
  free(name);
  return status;
}

static int write_list(const struct hd_export *x, const char *ending,
                      void (*make)(const struct hd_export *, const struct hd_dut_sources *,
                                   struct hd_text *),
                      const struct hd_dut_sources *rtl, struct hd_error *err)
{
  struct hd_text text = {0};
  char *name = hd_xasprintf("%s%s", x->name, ending);
  make(x, rtl, &text);
  int status = hd_text_write(x->options->directory, name, &text, err);
  free(name);
  return status;
}

/* Heddle takes any module hd_switch for the DUT. An exported network can itself be a DUT, so its
 * switches get another name. */
static int rename_switch(const struct hd_export *x, struct hd_dut_sources *rtl,
                         struct hd_error *err)
{
  static const char module[] = "\nmodule hd_switch #(";
  size_t i = 0;
  while (i < rtl->n && strcmp(rtl->list[i].name, "rtl/hd_switch.v") != 0)
    i++;
  struct hd_dut_source *source = &rtl->list[i];
  const char *at = i < rtl->n ? strstr(source->bytes, module) : NULL;
  if (!at)
    return hd_fail(err, HD_E_INPUT, "rtl/hd_switch.v has no line `module hd_switch #(`");
  char *renamed = hd_xasprintf("%.*s\nmodule %s_switch #(%s", (int)(at - source->bytes),
                               source->bytes, x->name, at + sizeof module - 1);
  free(source->bytes);
  source->bytes = renamed;
  source->length = strlen(renamed);
  snprintf(source->name, sizeof source->name, "rtl/%s_switch.v", x->name);
  return HD_OK;
}

static int write_rtl(struct hd_export *x, struct hd_error *err)
{
  char root[PATH_MAX];
  struct hd_dut_sources rtl = {0}, traffic = {0}, bench = {0};
  int status = hd_install_root(root, sizeof root, err);
  char *switch_rtl = hd_xasprintf("%s/rtl", status ? "" : root);
  if (!status)
    status = hd_sources_add_rtl(&rtl, x->options->rtl_dir ? x->options->rtl_dir : switch_rtl, err);
  if (!status)
    status = rename_switch(x, &rtl, err);
  if (!status)
    status = add_own(&rtl, root, "rtl", k_rtl, err);
  if (!status && hd_export_streams(x))
    status = add_own(&rtl, root, "rtl", k_endpoints, err);
  if (!status && x->options->signatures)
    status = add_own(&rtl, root, "rtl", k_speed, err);
  for (size_t i = 0; i < rtl.n; i++)
    x->build = hd_hash_bytes(rtl.list[i].bytes, rtl.list[i].length, x->build);
  if (!status && hd_export_streams(x))
    status = add_own(&traffic, root, "rtl", k_traffic, err);
  if (!status && x->n_events)
    status = add_own(&bench, root, "bench", k_replay, err);
  if (!status)
    status = hd_sources_write(&rtl, x->options->directory, err);
  if (!status)
    status = hd_sources_write(&traffic, x->options->directory, err);
  if (!status)
    status = hd_sources_write(&bench, x->options->directory, err);
  if (!status)
    status = write_list(x, ".f", hd_export_list, &rtl, err);
  if (!status)
    status = write_list(x, ".core", hd_export_core, &rtl, err);
  if (!status && hd_export_streams(x))
    status = write_list(x, "_traffic.f", hd_export_traffic_list, &rtl, err);
  free(switch_rtl);
  hd_sources_fini(&bench);
  hd_sources_fini(&traffic);
  hd_sources_fini(&rtl);
  return status;
}

/* "/NAME" is a whole file name; other entries are endings after the module's name. */
static int write_texts(struct hd_export *x, struct hd_error *err)
{
  const bool raw = x->options->raw, replays = x->n_events != 0, streams = hd_export_streams(x);
  const bool speed = x->options->signatures;
  const bool described = streams && x->topology.n_nodes <= HD_MAX_ENDPOINTS;
  const struct {
    const char *ending;
    void (*make)(const struct hd_export *, struct hd_text *);
    bool wanted;
  } texts[] = {
      {"_tables.v", hd_export_tables, true},
      {raw ? ".v" : "_fabric.v", hd_export_fabric, true},
      {".v", hd_export_top, streams},
      {"_core.v", hd_export_speed_core, speed},
      /* written last: it contains the hash of the files before it */
      {".v", hd_export_speed_top, speed},
      {"_signatures.hex", hd_export_speed_hex, speed},
      {"_tb.v", hd_export_speed_bench, speed},
      {"_traffic.v", hd_export_traffic, streams},
      {"_tb.v", hd_export_bench, streams},
      {"_replay.hex", hd_export_events, replays},
      {"_replay_tb.v", hd_export_replay_bench, replays},
      {".sdc", hd_export_constraints, true},
      {".yaml", hd_export_description, described},
      {"_links.csv", hd_export_links, described && !hd_export_is_grid(x)},
      {"/README.md", hd_export_readme, true},
  };
  int status = HD_OK;
  for (size_t i = 0; !status && i < sizeof texts / sizeof *texts; i++) {
    if (texts[i].make == hd_export_speed_top)
      x->top_build = x->build;
    if (texts[i].wanted)
      status = write_text(x, texts[i].ending, texts[i].make, err);
  }
  return status;
}

static int prepare_directory(const struct hd_export *x, struct hd_error *err)
{
  const char *directory = x->options->directory;
  char *mark = hd_xasprintf("%s_tables.v", x->name);
  int status = hd_directory_belongs(directory, mark, err);
  free(mark);
  if (!status && mkdir(directory, 0777) && errno != EEXIST)
    status = hd_fail(err, HD_E_IO, "cannot make directory %.500s: %s", directory, strerror(errno));
  return status;
}

static void add_summary(const struct hd_export *x, struct hd_text *t)
{
  hd_text_add(t,
              "%s/%s.v: %" PRIu32 " nodes, %" PRIu32
              " switches, %s at the nodes; %zu rows load the "
              "routing tables\n",
              x->options->directory, x->name, x->topology.n_nodes, x->topology.n_switches,
              x->options->raw          ? "flits and credits"
              : x->options->signatures ? "traffic on chip"
                                       : "AXI4-Stream",
              x->n_rows);
  if (hd_export_streams(x) && !x->source_at)
    hd_text_add(t, "there is no tid: a header of %" PRIu32 " bits has no room for the sender\n",
                x->scenario.sw.data_bits);
  if (x->n_events)
    hd_text_add(t,
                "%s/%s_replay_tb.v: the model's first %" PRIu32 " cycles, %" PRIu32
                " flits that reach nodes\n",
                x->options->directory, x->name, x->event_cycles, x->flits_out);
}

static int make(struct hd_export *x, struct hd_text *text, struct hd_error *err)
{
  const struct hd_export_options *o = x->options;
  struct hd_scenario *s = &x->scenario;
  int status = o->signatures
                   ? hd_speed_scenario_read(s, o->scenario, o->settings, o->n_settings, err)
                   : hd_scenario_read_set(s, NULL, o->scenario, o->settings, o->n_settings, err);
  if (!status)
    status = hd_scenario_build(s, &x->topology, &x->tables, err);
  if (!status)
    status = check(x, err);
  if (!status)
    status = choose_name(x, err);
  if (status)
    return status;
  measure(x);
  status = hd_export_rows(x, err);
  if (!status && o->replay_cycles) {
    status = hd_scenario_load_program(s, NULL, err);
    if (!status)
      status = hd_scenario_check(s, x->topology.n_nodes, err);
    if (!status)
      status = o->signatures ? hd_export_sign(x, err) : hd_export_run(x, err);
  }
  if (!status)
    status = prepare_directory(x, err);
  if (!status)
    status = write_rtl(x, err);
  if (!status)
    status = write_texts(x, err);
  if (!status)
    add_summary(x, text);
  return status;
}

int hd_export_speed(const struct hd_export_options *options, struct hd_export_about *about,
                    struct hd_text *text, struct hd_error *err)
{
  struct hd_export x = {.options = options};
  int status = make(&x, text, err);
  if (!status) {
    snprintf(about->name, sizeof about->name, "%s", x.name);
    about->build = x.top_build;
  }
  free(x.signatures);
  free(x.events);
  hd_export_rows_fini(&x);
  free(x.fabric_name);
  free(x.name);
  hd_tables_fini(&x.tables);
  hd_topology_fini(&x.topology);
  hd_scenario_fini(&x.scenario);
  return status;
}

int hd_export(const struct hd_export_options *options, struct hd_text *text, struct hd_error *err)
{
  struct hd_export_about about;
  return hd_export_speed(options, &about, text, err);
}
