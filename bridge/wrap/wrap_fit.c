/* Finds mismatches between a wrapper and its router, by running the tools that will read them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_verilog.h"

#include "../backends/rtl/dut_sources.h"
#include "../host/file.h"
#include "../host/memory.h"
#include "../host/tool_run.h"
#include "../watch/port_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINES = 12 };

/* The value of run.routes for a router that routes by itself: what it promises, or "any". NULL: it
 * routes by tables, or is a network whose links are not shown. */
static const char *routes_of(const struct hd_wrap *w)
{
  if ((w->network && !w->links[0]) || !w->tables || strcmp(w->tables, "none"))
    return NULL;
  return !w->promise || !strcmp(w->promise, "none") ? "any"
         : !strcmp(w->promise, "dimension-order")   ? "dimension-order"
                                                    : "minimal";
}

void hd_wrap_notes(const struct hd_wrap *w, struct hd_text *text)
{
  static const char *const flows[] = {
#define FLOW_NAME(name, text, about) text,
      HD_WRAP_FLOW_LIST(FLOW_NAME)
#undef FLOW_NAME
  };
  hd_text_add(text, "  router     %s, flow control %s\n", w->top, flows[w->flow]);
  if (strcmp(w->channels, "VCS"))
    hd_text_add(text, "  scenario   switch.vcs: %s", w->channels);
  else
    hd_text_add(text, "  scenario   any switch.vcs");
  if (w->network) {
    struct hd_text fabric = {0};
    hd_wrap_add_fabric(w, &fabric);
    hd_text_add(text, ", fabric: %s, routing: {algorithm: minimal}", hd_text_chars(&fabric));
    hd_text_fini(&fabric);
  } else if (w->count)
    hd_text_add(text, ", a fabric of at most %" PRIu32 " ports", w->count);
  hd_text_add(text, "%s, run.mode: closed, run.compare: packets%s\n",
              w->single ? ", software that sends packets of one flit" : "",
              w->network ? "" : " or order");
  if (w->longest && w->shortest)
    hd_text_add(text, "  packets    of %" PRIu32 " to %" PRIu32 " flits\n", w->shortest,
                w->longest);
  else if (w->longest || w->shortest)
    hd_text_add(text, "  packets    of at %s %" PRIu32 " flits\n", w->longest ? "most" : "least",
                w->longest + w->shortest);
  if (hd_wrap_is_buffered(w) && hd_wrap_is_several(w))
    hd_text_add(text, "  order      run.order: none, if the router gives packets another channel "
                      "than they came on\n");
  if (w->flow == HD_WRAP_NATIVE)
    hd_text_add(text, "  adds       nothing: wires alone\n");
  else
    hd_text_add(text,
                "  adds       %d cycles%s%s; reset lasts %" PRIu32 " cycles longer, then %" PRIu32
                " cycles rest\n",
                hd_wrap_is_buffered(w) ? 3 : 2, w->network ? "" : " a hop",
                hd_wrap_has_field(w, HD_WRAP_IN, HD_WRAP_FIELD_LENGTH)
                    ? ", and the time until a packet is whole"
                    : "",
                w->reset_cycles, w->settle_cycles);
  if (w->has_position)
    hd_text_add(text,
                "  position   learned from the routing tables, as the node at port %" PRIu32 "\n",
                w->node_port);
  if (w->copies)
    hd_text_add(text, "  copies     a router for each node in every switch, as its position is a "
                      "parameter: for small "
                      "fabrics\n");
  if (routes_of(w))
    hd_text_add(text,
                w->network ? "  routing    of the routers inside, judged by run.routes: %s\n"
                           : "  routing    the router's own, so rule P7 needs run.routes: %s\n",
                routes_of(w));
}

int hd_wrap_inside(const struct hd_wrap *w, struct hd_topology *topology, struct hd_error *err)
{
  return hd_inside_build(topology, &w->inside, w->network, w->path, err);
}

void hd_wrap_add_fabric(const struct hd_wrap *w, struct hd_text *text)
{
  char *file = w->inside.is == HD_INSIDE_FILE ? hd_file_beside(w->path, w->network) : NULL;
  char *absolute = file ? realpath(file, NULL) : NULL;
  hd_text_add(text, "{topology: flattened-butterfly, k: %" PRIu32 ", n: 1, inside: \"%s\"}",
              w->count,
              absolute ? absolute
              : file   ? file
                       : w->network);
  free(absolute);
  free(file);
}

static const char *promised_order(const struct hd_wrap *w)
{
  unsigned i = 0;
  while (hd_port_order_name(i) && strcmp(hd_port_order_name(i), w->order_promise))
    i++;
  return hd_port_order_name(i); /* this name is static, so it outlives the description */
}

/* Bits of a field or pin at the router's inputs; 0: as many as the scenario needs. */
static uint32_t own_bits(const struct hd_wrap *w, unsigned field)
{
  const char *bits = hd_wrap_field_bits(w, HD_WRAP_IN, field);
  char *end = NULL;
  const unsigned long n = bits ? strtoul(bits, &end, 10) : 0;
  return !bits || end == bits || *end || n > 512 ? 0 : (uint32_t)n;
}

static uint32_t names_of(uint32_t bits, uint32_t each)
{
  return !bits ? 0 : bits < 16 ? each << bits : HD_MAX_COMPUTED_NODES;
}

/* The number of nodes that the destination fields can name. */
static uint32_t most_nodes(const struct hd_wrap *w)
{
  const uint32_t columns = w->columns ? (uint32_t)strtoul(w->columns, NULL, 10) : 0;
  const uint32_t by_dest = names_of(own_bits(w, HD_WRAP_FIELD_DEST), 1);
  const uint32_t by_row = columns ? names_of(own_bits(w, HD_WRAP_FIELD_ROW), columns) : 0;
  return by_dest && (!by_row || by_dest < by_row) ? by_dest : by_row;
}

/* The most bits of Heddle's data that fit; widths are powers of two. */
static uint32_t most_data_bits(const struct hd_wrap *w)
{
  const uint32_t bits = own_bits(w, HD_WRAP_FIELD_DATA);
  return !bits ? 0 : bits < 32 ? 16 : bits < 64 ? 32 : 64;
}

/* Buffered adapters keep flits of each channel in a queue. So channels can overtake each other
 * there, and without a promise the order is "none". */
struct hd_wrap_takes hd_wrap_takes(const struct hd_wrap *w)
{
  return (struct hd_wrap_takes){
      .ports = w->count,
      .vcs = (uint32_t)strtoul(w->channels, NULL, 10),
      .columns = w->columns ? (uint32_t)strtoul(w->columns, NULL, 10) : 0,
      .data_bits = most_data_bits(w),
      .nodes = w->network ? w->count : most_nodes(w),
      .slots = w->flow == HD_WRAP_CREDIT ? w->slots_out : 0,
      .single = w->single,
      .longest = w->longest,
      .shortest = w->shortest,
      .routes = routes_of(w),
      .order = w->order_promise                                  ? promised_order(w)
               : hd_wrap_is_buffered(w) && hd_wrap_is_several(w) ? "none"
                                                                 : NULL,
      .network = w->network != NULL,
  };
}

/* ── tools ─────────────────────────────────────────────────────────────────── */

struct tool {
  const char *name, *package, *argv[20];
  const char *const *complaints; /* a line with one of these words is shown; ends with NULL */
};

static const char *const k_of_verilator[] = {"%Error", "port connection", "PINMISSING",
                                             "PINNOTFOUND", NULL};
static const char *const k_of_icarus[] = {"error", "sorry", NULL};
static const char *const k_of_yosys[] = {"ERROR", NULL};

static const struct tool k_tools[] = {
    {"verilator",
     "verilator",
     {"verilator_bin", "--lint-only", "--no-timing", "-Wno-fatal", "-Wno-lint", "-Wno-style",
      "-Wwarn-PINMISSING", "-Wwarn-WIDTH", "--top-module", "hd_switch", "-y", ".", "hd_switch.v",
      NULL},
     k_of_verilator},
    {"icarus",
     "iverilog",
     {"iverilog", "-g2012", "-tnull", "-s", "hd_switch", "-y", ".", "hd_switch.v", NULL},
     k_of_icarus},
    {"yosys", "yosys", {"yosys", "-q", NULL}, k_of_yosys},
};

static bool has_any(const char *line, const char *const *words)
{
  for (; *words; words++)
    if (strstr(line, *words))
      return true;
  return false;
}

/* Appends warnings about the wrapper, each once: Icarus repeats them for each instance. Warnings about the router concern
 * its author. */
static unsigned add_complaints(const struct tool *tool, char *log, struct hd_text *text)
{
  unsigned n = 0;
  char *save = NULL;
  for (char *line = strtok_r(log, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
    if (has_any(line, tool->complaints) && !strstr(line, " ... ") &&
        (!strstr(line, "%Warning") || strstr(line, "hd_switch.v")) &&
        !strstr(hd_text_chars(text), line) && n++ < MOST_LINES)
      hd_text_add(text, "             %.300s\n", line);
  return n;
}

/* Makes paths of includes relative to the wrapper, as a run has them: "-I.", "-I./include/0". */
static void seen_from_wrapper(struct hd_dut_sources *sources)
{
  static const char before[] = "-Irtl";
  for (size_t i = 0; i < sources->n_include; i++) {
    char below[sizeof *sources->include];
    strcpy(below, sources->include[i] + sizeof before - 1);
    snprintf(sources->include[i], sizeof *sources->include, "-I.%.290s", below);
  }
}

/* Writes a script for Yosys, which takes its options there. */
static void add_script(const struct hd_dut_sources *sources, struct hd_text *script)
{
  hd_text_add(script, "read_verilog -sv -defer");
  for (size_t i = 0; i < sources->n_include; i++)
    hd_text_add(script, " %s", sources->include[i]);
  hd_text_add(script, " hd_switch.v; hierarchy -top hd_switch -libdir .");
}

static int ask(const struct tool *tool, const char *directory, const struct hd_dut_sources *sources,
               const char *log, struct hd_text *text, bool *readable, struct hd_error *err)
{
  const char *argv[sizeof tool->argv / sizeof *tool->argv + HD_MAX_DIRECTORIES + 2];
  const struct hd_tool run = {
      .argv = argv, .package = tool->package, .directory = directory, .log_path = log};
  struct hd_text script = {0};
  size_t n_argv = 0;
  while (tool->argv[n_argv]) {
    argv[n_argv] = tool->argv[n_argv];
    n_argv++;
  }
  if (tool->complaints == k_of_yosys) {
    add_script(sources, &script);
    argv[n_argv++] = "-p";
    argv[n_argv++] = hd_text_chars(&script);
  } else {
    for (size_t i = 0; i < sources->n_include; i++)
      argv[n_argv++] = sources->include[i];
  }
  argv[n_argv] = NULL;
  struct hd_text lines = {0};
  char *said = NULL;
  size_t length = 0;
  int exit_code = 0;
  if (!hd_tool_installed(tool->argv[0])) {
    hd_text_add(text, "  %-10s not asked: it is not installed (package %s)\n", tool->name,
                tool->package);
    hd_text_fini(&script);
    return HD_OK;
  }
  int status = hd_tool_run(&run, &exit_code, err);
  if (!status)
    status = hd_file_read(log, &said, &length, err);
  if (!status) {
    const unsigned n = add_complaints(tool, said, &lines);
    hd_text_add(text, "  %-10s %s%s\n%s", tool->name, exit_code ? "refuses it" : "reads it",
                n && !exit_code ? ", but:" : "", hd_text_chars(&lines));
    if (exit_code && tool == k_tools && *hd_tool_verilator_hint(log))
      hd_text_add(text, "            %s\n", hd_tool_verilator_hint(log) + 1);
    *readable |= exit_code == 0;
  }
  hd_text_fini(&lines);
  hd_text_fini(&script);
  free(said);
  return status;
}

int hd_wrap_fit(const char *directory, struct hd_text *text, bool *readable, struct hd_error *err)
{
  char temporary[PATH_MAX];
  char *vhdl = hd_xasprintf("%s/hd_switch.vhd", directory);
  const bool is_vhdl = !access(vhdl, F_OK);
  free(vhdl);
  if (is_vhdl) { /* no other tool reads VHDL */
    hd_text_add(text, "  ghdl       not asked: a run builds it, by --dut ghdl\n");
    *readable = true;
    return HD_OK;
  }
  struct hd_dut_sources sources = {0};
  int status = hd_directory_temporary("heddle-wrap", temporary, sizeof temporary, err);
  if (status)
    return status;
  status = hd_sources_add_rtl(&sources, directory, err);
  seen_from_wrapper(&sources);
  for (size_t i = 0; !status && i < sizeof k_tools / sizeof *k_tools; i++) {
    char *log = hd_xasprintf("%s/%s.log", temporary, k_tools[i].name);
    status = ask(&k_tools[i], directory, &sources, log, text, readable, err);
    free(log);
  }
  hd_sources_fini(&sources);
  hd_tree_remove(temporary, NULL);
  return status;
}
