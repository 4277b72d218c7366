/* Proofs that a mutant that nothing found cannot be found.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The netlist stands beside itself, once without a mutant and once with one of the survivors, which
 * one is left open, at the same inputs.
 * Yosys proves by induction that what a port shows (§1.1: while valid) and what a read of the
 * configuration port shows stays equal for ever, together with what is true of all reachable states
 * (mutants/invariants.v). A reset comes with no configuration access, as the DUT contract has it.
 */
#include "prove.h"

#include "../../bridge/tool_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Registers of the flat netlist that make one vector; a loop of 1 has no index in the name. */
struct registers {
  const char *vector, *format;
  uint32_t loops[3], bits;
  bool equal;     /* always equal in both; otherwise hd_alike says when */
  bool reachable; /* hd_reachable looks at it */
  bool zero;      /* at power-up */
};

enum { MAX_REGISTERS = 40 };

static unsigned list_registers(const struct hd_switch_params *p, struct registers list[])
{
  const uint32_t P = p->ports, V = p->vcs, W = p->data_bits, D = p->depth_flits;
  const uint32_t stages = hd_switch_grant_stages(p) + 1, rows = 1u << hd_log2_ceil(p->nodes);
  const uint32_t port_w = hd_log2_ceil(P), fill_w = hd_log2_ceil(D + 1), ptr_w = hd_log2_ceil(D);
  const uint32_t entry_w = 1 + port_w + V, slot_w = V + port_w + 3 + W;
#define ROUTE "in[%u].u_port.u_route."
#define VC "in[%u].u_port.vc[%u].u_vc."
#define OUT "out[%u].u_port."
  const struct registers all[] = {
      {"errors", "in[%u].u_port.errors_q", {P}, 7, true, true, false},
      {"in_from", "in[%u].u_port.u_arbiter.from_q", {P}, V, true, true, false},
      {"stage_valid", "in[%u].u_port.stage[%u].valid_q", {P, stages}, 1, false, true, false},
      {"stage_kind", "in[%u].u_port.stage[%u].kind_q", {P, stages}, 3, false, true, false},
      {"stage_data", "in[%u].u_port.stage[%u].data_q", {P, stages}, W, false, false, false},
      {"take", ROUTE "take_q", {P}, V, true, true, false},
      {"kind", ROUTE "kind_q", {P}, 3, false, true, false},
      {"data", ROUTE "data_q", {P}, W, false, true, false},
      {"by_destination", ROUTE "u_destination.entry_q", {P}, entry_w, false, true, false},
      {"by_source", ROUTE "source.u_source.entry_q", {P}, entry_w, false, true, false},
      {"push", ROUTE "two.push_q", {P}, V, true, true, false},
      {"kind2", ROUTE "two.kind2_q", {P}, 3, false, true, false},
      {"data2", ROUTE "two.data2_q", {P}, W, false, false, false},
      {"port2", ROUTE "two.port2_q", {P}, port_w, false, true, false},
      {"mask2", ROUTE "two.mask2_q", {P}, V, false, true, false},
      {"destinations", ROUTE "u_destination.mem[%u]", {P, rows}, entry_w, true, true, true},
      {"sources", ROUTE "source.u_source.mem[%u]", {P, rows}, entry_w, false, true, true},
      {"state", VC "state_q", {P, V}, 2, true, true, false},
      {"oport", VC "oport_q", {P, V}, port_w, false, true, false},
      {"ovc", VC "ovc_q", {P, V}, V, false, true, false},
      {"fill", VC "u_buffer.fill_q", {P, V}, fill_w, true, true, false},
      {"head", VC "u_buffer.head_q", {P, V}, ptr_w, true, true, false},
      {"tail", VC "u_buffer.tail_q", {P, V}, ptr_w, true, true, false},
      {"slots", VC "u_buffer.mem[%u]", {P, V, D}, slot_w, false, true, false},
      {"error", OUT "error_q", {P}, 1, true, false, false},
      {"owned", OUT "owned_q", {P}, V, true, true, false},
      {"select", OUT "stage[%u].select_q", {P, stages}, P, true, true, false},
      {"select_vc", OUT "stage[%u].vc_q", {P, stages}, V, false, true, false},
      {"out_from", OUT "u_arbiter.from_q", {P}, P, true, true, false},
      {"vc_from", OUT "u_vc_arbiter.from_q", {P}, V, true, true, false},
      {"count", OUT "vc[%u].count_q", {P, V}, fill_w, true, true, false},
  };
#undef ROUTE
#undef VC
#undef OUT
  _Static_assert(sizeof all / sizeof *all <= MAX_REGISTERS, "room for all registers");
  memcpy(list, all, sizeof all);
  return sizeof all / sizeof *all;
}

static uint32_t times(const struct registers *r)
{
  uint32_t n = r->loops[0];
  n *= r->loops[1] ? r->loops[1] : 1;
  return n * (r->loops[2] ? r->loops[2] : 1);
}

/* Name of register `index` as Verilog needs it: an escaped identifier and a blank. */
static void put_name(FILE *out, const char *side, const struct registers *r, uint32_t index)
{
  uint32_t third = r->loops[2] ? r->loops[2] : 1, second = r->loops[1] ? r->loops[1] : 1;
  char name[160];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(name, sizeof name, r->format, index / third / second, index / third % second,
           index % third);
#pragma GCC diagnostic pop
  fprintf(out, "\\u_%s.%s ", side, name);
}

static void put_vectors(FILE *out, const char *side, char prefix, const struct registers *list,
                        unsigned n)
{
  for (unsigned i = 0; i < n; i++) {
    const struct registers *r = &list[i];
    for (uint32_t k = 0; k < times(r); k++) {
      fprintf(out, "  (* hierconn%s *) wire [%u:0] ", r->zero ? ", init = 0" : "", r->bits - 1);
      put_name(out, side, r, k);
      fputs(";\n", out);
    }
    fprintf(out, "  wire [%u:0] %c_%s = {", times(r) * r->bits - 1, prefix, r->vector);
    for (uint32_t k = times(r); k--;) {
      put_name(out, side, r, k);
      fputs(k ? "," : "};\n", out);
    }
  }
}

static void put_switch(FILE *out, const char *side, char prefix, const char *mutant)
{
  fprintf(out,
          "  wire [P-1:0] %c_valid; wire [P*3-1:0] %c_okind; wire [P*VC_W-1:0] %c_ovcn;\n"
          "  wire [P*W-1:0] %c_odata; wire [P*V-1:0] %c_credit; wire [15:0] %c_rdata;\n"
          "  wire %c_quiescent;\n",
          prefix, prefix, prefix, prefix, prefix, prefix, prefix);
  fprintf(out,
          "  hd_mutants u_%s (.mutsel(%s), .clk(clk), .rst(rst), .in_valid_i(in_valid),\n"
          "      .in_kind_i(in_kind), .in_vc_i(in_vc), .in_data_i(in_data),\n"
          "      .out_credit_i(out_credit), .cfg_write_i(cfg_write && !rst),\n"
          "      .cfg_read_i(cfg_read && !rst), .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata),\n"
          "      .out_valid_o(%c_valid), .out_kind_o(%c_okind), .out_vc_o(%c_ovcn),\n"
          "      .out_data_o(%c_odata), .in_credit_o(%c_credit), .cfg_rdata_o(%c_rdata),\n"
          "      .quiescent_o(%c_quiescent));\n",
          side, mutant, prefix, prefix, prefix, prefix, prefix, prefix, prefix);
}

static void put_reachable(FILE *out, char prefix, const struct registers *list, unsigned n)
{
  fprintf(out, "  wire %c_ok; wire [P*V*D-1:0] %c_occupied; wire [P*S-1:0] %c_awaited;\n", prefix,
          prefix, prefix);
  fprintf(out,
          "  hd_reachable %c_reachable (.ok(%c_ok), .occupied(%c_occupied), "
          ".awaited(%c_awaited)",
          prefix, prefix, prefix, prefix);
  for (unsigned i = 0; i < n; i++)
    if (list[i].reachable)
      fprintf(out, ",\n      .%s(%c_%s)", list[i].vector, prefix, list[i].vector);
  fputs(");\n", out);
}

static int write_miter(const char *path, const struct hd_switch_params *p, const bool *tried,
                       size_t n, struct hd_error *err)
{
  struct registers list[MAX_REGISTERS];
  unsigned n_list = list_registers(p, list);
  FILE *out = fopen(path, "w");
  if (!out)
    return hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno));
  fprintf(out,
          "module miter #(parameter P = %u, V = %u, W = %u, D = %u, S = %u, VC_W = %u) (\n"
          "    input clk, rst, input [P-1:0] in_valid, input [P*3-1:0] in_kind,\n"
          "    input [P*VC_W-1:0] in_vc, input [P*W-1:0] in_data, input [P*V-1:0] out_credit,\n"
          "    input cfg_write, cfg_read, input [19:0] cfg_addr, input [15:0] cfg_wdata,\n"
          "    output fine);\n",
          p->ports, p->vcs, p->data_bits, p->depth_flits, hd_switch_grant_stages(p) + 1,
          hd_log2_ceil(p->vcs));
  /* Any number, the same for ever: the script must not optimise registers away. */
  fputs("  reg [11:0] mutant;\n  always @(posedge clk) mutant <= mutant;\n"
        "  wire tried = mutant == 12'd0",
        out);
  for (size_t i = 0; i < n; i++)
    if (tried[i])
      fprintf(out, " || mutant == 12'd%zu", i + 1);
  fputs(";\n", out);
  put_switch(out, "gold", 'g', "12'd0");
  put_switch(out, "gate", 'h', "mutant");
  put_vectors(out, "gold", 'g', list, n_list);
  put_vectors(out, "gate", 'h', list, n_list);
  put_reachable(out, 'g', list, n_list);
  put_reachable(out, 'h', list, n_list);
  fputs("  wire same = 1'b1", out);
  for (unsigned i = 0; i < n_list; i++)
    if (list[i].equal)
      fprintf(out, "\n      && g_%s == h_%s", list[i].vector, list[i].vector);
  fputs(";\n  wire alike;\n  hd_alike u_alike (.same(same), .take(g_take), .push(g_push), "
        ".state(g_state),\n      .occupied(g_occupied), .awaited(g_awaited), .select(g_select)",
        out);
  for (unsigned i = 0; i < n_list; i++)
    if (!list[i].equal && strcmp(list[i].vector, "stage_valid") != 0)
      fprintf(out, ",\n      .g_%s(g_%s), .h_%s(h_%s)", list[i].vector, list[i].vector,
              list[i].vector, list[i].vector);
  fputs(", .ok(alike));\n"
        "  reg read_q;\n  always @(posedge clk) read_q <= cfg_read && !rst;\n"
        "  reg shown;\n  integer i;\n  always @* begin\n"
        "    shown = g_valid == h_valid && g_credit == h_credit && g_quiescent == h_quiescent &&\n"
        "        (!read_q || g_rdata == h_rdata);\n"
        "    for (i = 0; i < P; i = i + 1)\n"
        "      if (g_valid[i])\n"
        "        shown = shown && g_okind[i*3+:3] == h_okind[i*3+:3] &&\n"
        "            g_ovcn[i*VC_W+:VC_W] == h_ovcn[i*VC_W+:VC_W] &&\n"
        "            g_odata[i*W+:W] == h_odata[i*W+:W];\n"
        "  end\n"
        "  assign fine = !tried || (shown && alike && g_ok && h_ok);\nendmodule\n",
        out);
  return fclose(out) ? hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno)) : 0;
}

static int write_script(const char *path, const char *netlist, const char *miter,
                        struct hd_error *err)
{
  FILE *out = fopen(path, "w");
  if (!out)
    return hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno));
  fprintf(out,
          "read_ilang %s\nread_verilog tests/faults/mutants/invariants.v %s\n"
          "hierarchy -top "
          "miter\nproc\nflatten\nopt_expr\nopt_merge\nwreduce\nopt_expr\nopt_merge\nopt_clean\n"
          "sat -verify -tempinduct -seq 1 -maxsteps 1 -set-at 1 rst 1 -prove fine 1 -show mutant "
          "miter\n",
          netlist, miter);
  return fclose(out) ? hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno)) : 0;
}

/* The mutant of the counterexample that a failed proof ends with; 0: none, or the RTL itself. */
static unsigned counterexample(const char *log)
{
  FILE *in = fopen(log, "r");
  char *line = NULL;
  size_t room = 0;
  unsigned mutant = 0, value;
  while (in && getline(&line, &room, in) > 0)
    if (sscanf(line, " init \\mutant %u", &value) == 1)
      mutant = value;
  free(line);
  if (in)
    fclose(in);
  return mutant;
}

/* One proof for all mutants that are to be tried. Where there is none, *mutant is that of the
 * counterexample, 0 for the RTL itself. */
static int prove(const struct suite *suite, const struct rig *rig, const bool *tried, size_t n,
                 const char *name, bool *proved, unsigned *mutant, struct hd_error *err)
{
  char miter[700], script[700], log[700], netlist[700];
  int exit_code = 0;
  snprintf(miter, sizeof miter, "%s/mutants/%s.v", suite->directory, name);
  snprintf(script, sizeof script, "%s/mutants/%s.ys", suite->directory, name);
  snprintf(log, sizeof log, "%s/mutants/%s.log", suite->directory, name);
  snprintf(netlist, sizeof netlist, "%s/mutants/mutants.il", suite->directory);
  remove(log);
  const char *const argv[] = {"yosys", "-s", script, NULL};
  struct hd_tool yosys = {.argv = argv, .package = "yosys", .log_path = log};
  int status = write_miter(miter, &rig->sw, tried, n, err);
  if (!status)
    status = write_script(script, netlist, miter, err);
  if (!status)
    status = hd_tool_run(&yosys, &exit_code, err);
  *proved = !exit_code;
  *mutant = exit_code ? counterexample(log) : 0;
  return status;
}

/* A proof that cannot fail proves nothing: a mutant that was found must not be proved. */
static int check_proof(const struct suite *suite, const struct rig *rig,
                       const struct outcome *outcomes, bool *tried, size_t n, struct hd_error *err)
{
  size_t found = 0;
  bool proved = false;
  unsigned mutant = 0;
  while (found < n && outcomes[found].verdict != VERDICT_FOUND)
    found++;
  if (found == n)
    return 0;
  memset(tried, 0, n * sizeof *tried);
  tried[found] = true;
  int status = prove(suite, rig, tried, n, "proof-must-fail", &proved, &mutant, err);
  if (!status && (proved || mutant != found + 1))
    status = hd_fail(err, HD_E_TOOL,
                     "%s was found, but the proof did not fail with it (but with %u): see "
                     "%s/mutants/proof-must-fail.log",
                     outcomes[found].name, mutant, suite->directory);
  return status;
}

/* Proves all survivors at once; one that a counterexample names is left out and it is tried
 * again. */
static int prove_rounds(const struct suite *suite, const struct rig *rig, struct outcome *outcomes,
                        bool *tried, size_t n, struct hd_error *err)
{
  char name[32];
  for (size_t i = 0; i < n; i++)
    tried[i] = outcomes[i].verdict == VERDICT_SURVIVED;
  for (unsigned round = 1;; round++) {
    bool proved = false;
    unsigned mutant = 0;
    snprintf(name, sizeof name, "proof-%u", round);
    int status = prove(suite, rig, tried, n, name, &proved, &mutant, err);
    if (status)
      return status;
    if (proved)
      break;
    if (!mutant || mutant > n)
      return hd_fail(err, HD_E_TOOL,
                     "the RTL is not proved equal to itself, so tests/faults/mutants/invariants.v "
                     "or tests/faults/prove.c no longer fit it: see %s/mutants/%s.log",
                     suite->directory, name);
    tried[mutant - 1] = false;
    snprintf(outcomes[mutant - 1].text, sizeof outcomes->text, "no proof, %s.log", name);
  }
  for (size_t i = 0; i < n; i++)
    if (tried[i]) {
      outcomes[i].verdict = VERDICT_EQUIVALENT;
      snprintf(outcomes[i].text, sizeof outcomes->text, "by induction, %s.log", name);
    }
  return 0;
}

int prove_survivors(const struct suite *suite, const struct rig *rig, struct outcome *outcomes,
                    size_t n, struct hd_error *err)
{
  bool *tried = calloc(n, sizeof *tried);
  if (!tried)
    return hd_fail(err, HD_E_NOMEM, "no memory for proofs");
  int status = check_proof(suite, rig, outcomes, tried, n, err);
  if (!status)
    status = prove_rounds(suite, rig, outcomes, tried, n, err);
  free(tried);
  return status;
}
