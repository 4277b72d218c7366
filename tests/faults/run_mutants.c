/* Tries mutants that Yosys makes: all in one netlist, chosen by a plusarg.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "suite.h"

#include "../../bridge/host/file.h"
#include "../../bridge/host/tool_run.h"
#include "prove.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Mutants of one netlist: of the plain switch, of the barrier hardware that preempts any channel, of
 * the XOR coder, and of what routes and chooses, by free credits and by counts. */
#define OF(file) "hd_mutants/a:src=*" file ".v* "
#define CELLS_OF_ROUTING OF("hd_route_table") OF("hd_route_unit") "%u " OF("hd_port_choice") "%u "
struct group {
  const char *rig, *cells; /* Yosys' selection of cells to mutate; NULL: all */
  const char *about;       /* those cells */
  const char *name;        /* of the mutants, a number behind it */
  unsigned part;           /* one in so many of what --mutants says */
};
static const struct group groups[] = {
    {"small", NULL, "", "mutant", 1},
    {"any-3", "hd_mutants/c:*u_unit* hd_mutants/c:*u_barrier*", ", of the barrier hardware",
     "any-3", 3},
    {"coder-5", "hd_mutants/c:*u_coder*", ", of the XOR coder", "coder-5", 1},
    {"adaptive-3", CELLS_OF_ROUTING OF("hd_free_credits") "%u hd_mutants/t:* %i",
     ", of routing and choice by free credits", "adaptive-3", 2},
    {"counts-3",
     CELLS_OF_ROUTING OF("hd_neighbour_counts") "%u " OF("hd_packet_count") "%u hd_mutants/t:* %i",
     ", of routing and choice by counts", "counts-3", 2},
};
enum { N_GROUPS = sizeof groups / sizeof *groups };

struct work {
  const struct suite *suite;
  const struct group *group;
  const struct rig *rig;
  char directory[600]; /* of its files */
  unsigned n;          /* mutants */
  uint64_t netlist;    /* a hash of it */
  struct hd_backend backend;
  struct outcome *outcomes; /* [n] */
};

/* ── the netlist ────────────────────────────────────────────────────────────── */

static void read_rtl(FILE *out)
{
  struct dirent **found = NULL;
  int n = scandir("rtl", &found, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    const char *dot = strrchr(found[i]->d_name, '.');
    if (dot && !strcmp(dot, ".v"))
      fprintf(out, "read_verilog rtl/%s\n", found[i]->d_name);
    free(found[i]);
  }
  free(found);
}

static int yosys(const struct work *w, const char *name, struct hd_error *err)
{
  char script[700], log[700];
  int exit_code = 0;
  snprintf(script, sizeof script, "%s/%s.ys", w->directory, name);
  snprintf(log, sizeof log, "%s/%s.log", w->directory, name);
  remove(log);
  const char *const argv[] = {"yosys", "-q", "-s", script, NULL};
  struct hd_tool tool = {.argv = argv, .package = "yosys", .log_path = log};
  int status = hd_tool_run(&tool, &exit_code, err);
  if (!status && exit_code)
    status = hd_fail(err, HD_E_TOOL, "yosys failed: see %s", log);
  return status;
}

static FILE *create(const struct work *w, const char *name, struct hd_error *err)
{
  char path[700];
  snprintf(path, sizeof path, "%s/%s", w->directory, name);
  FILE *out = fopen(path, "w");
  if (!out)
    hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno));
  return out;
}

/* The netlist without mutants, and more of them than are needed. Words are kept, memories are not:
 * so a mutant sits in a place that has a name in the RTL. The coder's memories are kept, as most
 * mutants would be in their rows otherwise. Variable part selects are taken apart, as what they give
 * beyond their vector is undefined and so no behaviour that can be found. */
static int make_plain(const struct work *w, struct hd_error *err)
{
  const struct hd_switch_params *p = &w->rig->sw;
  FILE *out = create(w, "plain.ys", err);
  if (!out)
    return HD_E_IO;
  read_rtl(out);
  fputs("chparam", out);
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++)
    if (hd_switch_param_used(p, i))
      fprintf(out, " -set %s %u", hd_switch_param_list[i].verilog, hd_switch_param_get(p, i));
  fputs(" hd_switch\n", out);
  fprintf(out,
          "hierarchy -top hd_switch\nproc\nflatten\n"
          "setattr -set keep 1 w:*_q w:*.u_unit.idle_o w:*.u_unit.self_o w:*.u_unit.live_o "
          "w:*.freer_o w:*.adapt_some_o\n"
          "opt -full\n"
          "memory -nordff -nomap\nmemory_map c:* c:*.u_memory.* %%d\ntechmap t:$shiftx\nsetundef "
          "-zero\nopt -full\n"
          "opt_clean -purge\n"
          "rename hd_switch hd_mutants\nwrite_ilang %s/plain.il\n"
          "mutate -list %u -seed %llu -ctrl mutsel 12 1 -o %s/all.ys %s\n",
          w->directory, w->n * 3 / 2 + 8, (unsigned long long)w->suite->seed, w->directory,
          w->group->cells ? w->group->cells : "");
  if (fclose(out))
    return hd_fail(err, HD_E_IO, "cannot write the script for Yosys: %s", strerror(errno));
  return yosys(w, "plain", err);
}

/* Pins of a memory that have one meaning alone where a read needs no clock. */
static bool is_fixed_pin(const char *line)
{
  return strstr(line, " -port RD_EN ") || strstr(line, " -port RD_SRST ") ||
         strstr(line, " -port RD_ARST ");
}

/* Mutants at the output of a table's row are left out: the row would lose its power-up value, in
 * all mutants. The same bits are also mutated where they are read. Those of a clock, too: there
 * is one in proofs, where they would be equivalent, and a gate in it is a race in simulation. */
static int pick_mutants(const struct work *w, struct hd_error *err)
{
  static const char before[] = "mutate -ctrl mutsel 12 ";
  char path[700], *line = NULL;
  size_t room = 0;
  unsigned n = 0;
  snprintf(path, sizeof path, "%s/all.ys", w->directory);
  FILE *in = fopen(path, "r");
  FILE *out = create(w, "list.ys", err);
  while (in && out && n < w->n && getline(&line, &room, in) > 0) {
    const char *mode = strstr(line, " -mode ");
    if (strncmp(line, before, sizeof before - 1) != 0 || !mode || strstr(line, "CLK ") ||
        is_fixed_pin(line) ||
        (strstr(line, " -port Q ") && strstr(line, ".mem[") &&
         (strstr(line, ".u_route.") || strstr(line, ".u_unit."))))
      continue;
    fprintf(out, "%s%u%s", before, ++n, mode);
  }
  free(line);
  if (in)
    fclose(in);
  if (out && fclose(out))
    n = 0;
  return n == w->n ? 0 : hd_fail(err, HD_E_TOOL, "%s has %u mutants, not %u", path, n, w->n);
}

/* The RTL's hd_switch with the netlist as its body, so that whoever sets the RTL's parameters and
 * uses its ports can have the mutants instead. The netlist is made for one set of parameters. Where
 * there is no access, anything may be at the configuration port, and the shim leaves there what was
 * last, which a mutant may write again unseen; here it is another table's row, often a legal one. It
 * depends on other pins alone, so that it is the same in both modes. */
static int write_wrapper(const char *path, struct hd_error *err)
{
  static const char top[] = "rtl/hd_switch.v",
                    body[] =
                        "\n"
                        "  reg [31:0] mutant;\n"
                        "  initial if (!$value$plusargs(\"mutant=%d\", mutant)) mutant = 0;\n\n"
                        "  integer mixed;\n"
                        "  reg [15:0] any;\n"
                        "  always @* begin\n"
                        "    any = 16'h5a5a;\n"
                        "    for (mixed = 0; mixed < PORTS; mixed = mixed + 1)\n"
                        "      any = any ^ in_data_i[mixed*DATA_W+:16];\n"
                        "  end\n\n"
                        "  hd_mutants u_mutants (\n"
                        "      .mutsel(mutant[11:0]),\n"
                        "      .cfg_addr_i((cfg_write_i || cfg_read_i) ? cfg_addr_i :\n"
                        "          {1'd0, CODE_PLACES != 0 && any[9], any[1:0], 2'd0, "
                        "any[3:2], 7'd0, any[8:4]}),\n"
                        "      .cfg_wdata_i(cfg_write_i ? cfg_wdata_i : any[15] ?\n"
                        "          {4'd1, any[11:4], 2'd0, any[14:13]} : {any[7:0], any[15:8]}),\n"
                        "      .*\n"
                        "  );\n\n"
                        "endmodule\n\n`default_nettype wire\n";
  char *bytes = NULL, *whole = NULL;
  size_t length = 0;
  int status = hd_file_read(top, &bytes, &length, err);
  const char *end = status ? NULL : strstr(bytes, "\n);\n");
  if (!status && !end)
    status = hd_fail(err, HD_E_INPUT, "%s: no line ends the module's ports", top);
  size_t head = end ? (size_t)(end - bytes) + 4 : 0;
  if (!status && !(whole = malloc(head + sizeof body)))
    status = hd_fail(err, HD_E_NOMEM, "no memory for %s", path);
  if (!status) {
    memcpy(whole, bytes, head);
    memcpy(whole + head, body, sizeof body);
    status = hd_file_write(path, whole, head + sizeof body - 1, err);
  }
  free(whole);
  free(bytes);
  return status;
}

static int make_netlist(const struct work *w, struct hd_error *err)
{
  char path[700];
  int status = hd_tree_remove(w->directory, err); /* logs of other runs, too */
  mkdir(w->directory, 0777);
  snprintf(path, sizeof path, "%s/rtl", w->directory);
  mkdir(path, 0777);
  if (!status)
    status = make_plain(w, err);
  if (!status)
    status = pick_mutants(w, err);
  FILE *out = status ? NULL : create(w, "make.ys", err);
  if (!out)
    return status ? status : HD_E_IO;
  fprintf(out,
          "read_ilang %s/plain.il\nscript %s/list.ys\nwrite_ilang %s/mutants.il\n"
          "write_verilog -noattr %s/rtl/hd_mutants.v\n",
          w->directory, w->directory, w->directory, w->directory);
  if (fclose(out))
    return hd_fail(err, HD_E_IO, "cannot write the script for Yosys: %s", strerror(errno));
  status = yosys(w, "make", err);
  snprintf(path, sizeof path, "%s/rtl/hd_switch.v", w->directory);
  return status ? status : write_wrapper(path, err);
}

/* The value behind `option` in a line of Yosys' list; "" when it is not there. */
static void option(const char *line, const char *option, char *value, size_t size)
{
  const char *at = strstr(line, option);
  size_t n = 0;
  if (at) {
    at += strlen(option);
    n = strcspn(at, " \n");
  }
  snprintf(value, size, "%.*s", (int)n, at ? at : "");
}

/* Says of each mutant what Yosys says of it. */
static int describe_mutants(const struct work *w, struct hd_error *err)
{
  char path[700], *line = NULL;
  size_t room = 0, n = 0;
  snprintf(path, sizeof path, "%s/list.ys", w->directory);
  FILE *in = fopen(path, "r");
  if (!in)
    return hd_fail(err, HD_E_IO, "cannot read %s: %s", path, strerror(errno));
  while (n < w->n && getline(&line, &room, in) > 0) {
    char mode[16], wire[96], bit[16], port[8];
    struct outcome *o = &w->outcomes[n++];
    option(line, "-mode ", mode, sizeof mode);
    option(line, "-wire ", wire, sizeof wire);
    option(line, "-wirebit ", bit, sizeof bit);
    option(line, "-port ", port, sizeof port);
    if (*wire)
      snprintf(o->what, sizeof o->what, "%s at %s[%s], pin %s", mode, wire, bit, port);
    else
      snprintf(o->what, sizeof o->what, "%s at pin %s of a cell without a name", mode, port);
  }
  free(line);
  fclose(in);
  return n == w->n ? 0 : hd_fail(err, HD_E_TOOL, "yosys made %zu mutants, not %u", n, w->n);
}

/* ── the run ────────────────────────────────────────────────────────────────── */

static bool wants_mutant(void *context, size_t index)
{
  const struct work *w = context;
  return suite_wants(w->suite, w->outcomes[index].name);
}

static void describe_mutant(void *context, size_t index, struct hd_text *text)
{
  const struct work *w = context;
  hd_text_add(text, "%zu of netlist %016" PRIx64 ", rig %s%s", index + 1, w->netlist, w->rig->name,
              w->suite->blind ? ", blind" : "");
}

static void try_mutant(void *context, size_t index, struct hd_task_outcome *to)
{
  const struct work *w = context;
  struct outcome *o = &w->outcomes[index];
  char options[32];
  struct hd_error err = {""};
  snprintf(options, sizeof options, "+mutant=%zu", index + 1);
  if (w->suite->blind)
    o->verdict = VERDICT_SURVIVED;
  else
    outcome_judge(o, rig_try(w->rig, w->backend.ops, options, w->suite->seed, &o->finding, &err),
                  &err);
  outcome_put(o, to);
}

static int take_mutant(void *context, size_t index, const struct hd_task_outcome *from,
                       struct hd_error *err)
{
  const struct work *w = context;
  (void)err;
  outcome_take(&w->outcomes[index], from);
  return 0;
}

static int hash_netlist(struct work *w, struct hd_error *err)
{
  char path[700], *bytes = NULL;
  size_t length = 0;
  snprintf(path, sizeof path, "%s/mutants.il", w->directory);
  int status = hd_file_read(path, &bytes, &length, err);
  w->netlist = status ? 0 : hd_hash_bytes(bytes, length, 1);
  free(bytes);
  return status;
}

/* Names them; false: none of them is asked for. */
static bool name_mutants(const struct work *w)
{
  bool wanted = false;
  for (unsigned i = 0; i < w->n; i++) {
    struct outcome *o = &w->outcomes[i];
    snprintf(o->name, sizeof o->name, "%s-%u", w->group->name, i + 1);
    snprintf(o->rig, sizeof o->rig, "%s", w->group->rig);
    wanted |= suite_wants(w->suite, o->name);
  }
  return wanted;
}

static int run_group(struct work *w, struct hd_error *err)
{
  char rtl[700];
  struct hd_backend_options options = {
      .rtl_dir = rtl, .cache_dir = w->suite->cache, .quick = true, .no_dfg = true};
  struct outcome none = {0};
  snprintf(rtl, sizeof rtl, "%s/rtl", w->directory);
  int status = make_netlist(w, err);
  if (!status)
    status = hash_netlist(w, err);
  if (!status)
    status = describe_mutants(w, err);
  if (!status)
    status = hd_backend_open(&w->backend, "verilator", &w->rig->sw, &options, err);
  if (!status)
    status = rig_try(w->rig, w->backend.ops, "+mutant=0", w->suite->seed, &none.finding, err);
  if (!status && none.finding.stimulus)
    status = hd_fail(err, HD_E_TOOL, "the netlist without a mutant differs from the model (%s)",
                     none.finding.stimulus);
  if (status)
    return status;
  printf(
      "\nMutants by Yosys' mutate -list %u -seed %llu%s, rig %s; without one, the netlist agrees "
      "with the model (%llu compared).\n",
      w->n, (unsigned long long)w->suite->seed, w->group->about, w->rig->name,
      (unsigned long long)none.finding.compared);
  const struct study_tasks tasks = {.kind = "mutants",
                                    .n = w->n,
                                    .context = w,
                                    .wanted = wants_mutant,
                                    .describe = describe_mutant,
                                    .run_task = try_mutant,
                                    .ended = take_mutant};
  status = suite_each(w->suite, &tasks, err);
  if (!status)
    status = prove_survivors(w->suite, w->directory, w->netlist, w->rig, w->outcomes, w->n, err);
  if (status == HD_E_INTERRUPTED)
    return status;
  for (size_t i = 0; i < w->n; i++)
    if (suite_wants(w->suite, w->outcomes[i].name) &&
        (w->suite->only || w->outcomes[i].verdict != VERDICT_FOUND))
      outcome_print(&w->outcomes[i], stdout);
  return status;
}

int run_mutants(const struct suite *suite, struct score *score, struct hd_error *err)
{
  unsigned n = 0;
  int status = 0;
  for (unsigned i = 0; i < N_GROUPS; i++)
    n += suite->mutants / groups[i].part;
  struct outcome *outcomes = calloc(n, sizeof *outcomes);
  if (!outcomes)
    return hd_fail(err, HD_E_NOMEM, "no memory for outcomes");
  n = 0;
  for (unsigned i = 0; !status && i < N_GROUPS; i++) {
    struct work w = {.suite = suite,
                     .group = &groups[i],
                     .rig = rig_find(groups[i].rig),
                     .n = suite->mutants / groups[i].part,
                     .outcomes = outcomes + n};
    snprintf(w.directory, sizeof w.directory, "%s/mutants/%s", suite->directory, w.rig->name);
    n += w.n;
    if (name_mutants(&w))
      status = run_group(&w, err);
    if (w.backend.ops)
      hd_backend_close(&w.backend);
  }
  if (!status) {
    *score = outcomes_score(outcomes, n, "mutants", stdout);
    status = outcomes_write(outcomes, n, suite->directory, "mutants", suite->seed, err);
  }
  free(outcomes);
  return status;
}
