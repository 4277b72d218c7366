/* The fabric of switches and links as a module of Verilog, with flits and credits at the pins of its nodes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Vectors hold port p of switch s at s * PORTS + p, and node n at n, the first one in the lowest
 * bits (§2.11). Each direction of a link is an instance. Its name says which ports it joins. `back`
 * runs against the flits: it carries credits, the barrier credit, and the count of §10.8.
 */
#include "export_internal.h"

#include "speed_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void hd_export_head(const struct hd_export *x, const char *what, struct hd_text *t)
{
  hd_text_add(t,
              "// %s: %s; made by `heddle export`.\n"
              "// SPDX-License-Identifier: Apache-2.0\n",
              x->name, what);
}

/* Adds the lines `localparam` that describe the fabric and its switches: PORTS, …, SWITCH_COUNT, LINK. */
static void add_parameters(const struct hd_export *x, struct hd_text *t)
{
  char parameters[HD_SWITCH_PARAMS][32];
  const size_t n = hd_switch_parameters(&x->scenario.sw, parameters);
  hd_text_add(t, "  // of switches (Heddle's specification, 2.1)\n");
  for (size_t i = 0; i < n; i++)
    hd_text_add(t, "  localparam %s;\n", parameters[i]);
  hd_text_add(t,
              "  localparam VC_W = %" PRIu32 ";\n"
              "  // of the fabric\n"
              "  localparam SWITCH_COUNT = %" PRIu32 ", LINK = %" PRIu32 ";\n",
              x->vc_bits, x->topology.n_switches, x->scenario.fabric.link_cycles);
}

static void add_pins(const struct hd_export *x, struct hd_text *t)
{
  const struct hd_switch_params *sw = &x->scenario.sw;
  const uint32_t n = x->topology.n_nodes;
  static const char line[] = "    %s wire [%u:0] %s,\n";
  hd_text_add(t,
              "module %s (\n"
              "    input  wire clk,\n"
              "    input  wire rst,\n"
              "    // tables are loaded: nodes may send\n"
              "    output wire ready_o,\n"
              "    // from nodes: flits; credits back to them\n",
              x->fabric_name);
  hd_text_add(t, line, "input ", n - 1, "in_valid_i");
  hd_text_add(t, line, "input ", n * 3 - 1, "in_kind_i");
  hd_text_add(t, line, "input ", n * x->vc_bits - 1, "in_vc_i");
  hd_text_add(t, line, "input ", n * sw->data_bits - 1, "in_data_i");
  hd_text_add(t, line, "output", n * sw->vcs - 1, "in_credit_o");
  hd_text_add(t, "    // to nodes: flits; credits back from them\n");
  hd_text_add(t, line, "output", n - 1, "out_valid_o");
  hd_text_add(t, line, "output", n * 3 - 1, "out_kind_o");
  hd_text_add(t, line, "output", n * x->vc_bits - 1, "out_vc_o");
  hd_text_add(t, line, "output", n * sw->data_bits - 1, "out_data_o");
  hd_text_add(t, line, "input ", n * sw->vcs - 1, "out_credit_i");
  if (x->options->signatures) {
    hd_text_add(t, "    // signatures of all switches (9.6)\n"
                   "    input  wire clear_i,\n"
                   "    input  wire step_i,\n");
    hd_text_add(t, line, "output",
                32 * hd_speed_signatures(&x->scenario, x->topology.n_switches) - 1, "signatures_o");
  }
  if (sw->barrier) {
    hd_text_add(t, "    // barrier credits; barrier group 0 is open: nodes may arrive\n");
    hd_text_add(t, line, "output", n - 1, "in_barrier_o");
    hd_text_add(t, line, "input ", n - 1, "out_barrier_i");
    hd_text_add(t, "    output wire open_o,\n");
  }
  hd_text_add(t, "    // configuration port of a switch (3), once ready_o is 1\n");
  hd_text_add(t, line, "input ", x->switch_bits - 1, "cfg_switch_i");
  hd_text_add(t, "    input  wire cfg_write_i,\n"
                 "    input  wire cfg_read_i,\n"
                 "    input  wire [19:0] cfg_addr_i,\n"
                 "    input  wire [15:0] cfg_wdata_i,\n"
                 "    output wire [15:0] cfg_rdata_o\n"
                 ");\n\n");
}

void hd_export_node_wires(struct hd_text *t)
{
  hd_text_add(t, "  wire [NODE_COUNT-1:0] in_valid, out_valid;\n"
                 "  wire [NODE_COUNT*3-1:0] in_kind, out_kind;\n"
                 "  wire [NODE_COUNT*VC_W-1:0] in_vc, out_vc;\n"
                 "  wire [NODE_COUNT*DATA_W-1:0] in_data, out_data;\n"
                 "  wire [NODE_COUNT*VCS-1:0] in_credit, out_credit;\n");
}

void hd_export_node_pins(struct hd_text *t)
{
  static const char *const pins[] = {"in_valid", "in_kind", "in_vc",    "in_data", "out_valid",
                                     "out_kind", "out_vc",  "out_data", NULL};
  for (size_t i = 0; pins[i]; i++)
    hd_text_add(t, "      .%s_%c(%s),\n", pins[i], pins[i][0], pins[i]);
  hd_text_add(t, "      .in_credit_o(in_credit),\n"
                 "      .out_credit_i(out_credit),\n");
}

void hd_export_idle_config(const struct hd_export *x, struct hd_text *t)
{
  hd_text_add(t,
              "      .cfg_switch_i(%" PRIu32 "'d0),\n"
              "      .cfg_write_i(1'b0),\n"
              "      .cfg_read_i(1'b0),\n"
              "      .cfg_addr_i(20'd0),\n"
              "      .cfg_wdata_i(16'd0),\n"
              "      .cfg_rdata_o(rdata)",
              x->switch_bits);
}

static bool has_nodes(const struct hd_topology *topology, uint32_t sw)
{
  for (uint32_t p = 0; p < topology->ports; p++)
    if (topology->peers[sw * topology->ports + p].kind == HD_PEER_NODE)
      return true;
  return false;
}

/* Opens the group of all nodes, whose center is node 0's switch (9.8). */
static void add_group(const struct hd_export *x, struct hd_text *t)
{
  const struct hd_topology *topology = &x->topology;
  const uint32_t n = topology->n_switches * topology->ports, center = topology->node_peers[0].index;
  uint32_t members = 0;
  for (uint32_t sw = 0; sw < topology->n_switches; sw++)
    members += has_nodes(topology, sw) && sw != center;
  hd_text_add(t,
              "\n  // ── barrier group 0, of all nodes ──\n"
              "  wire [SWITCH_COUNT-1:0] open_write;\n"
              "  wire [SWITCH_COUNT*20-1:0] open_addr;\n"
              "  wire [SWITCH_COUNT*16-1:0] open_data;\n"
              "  hd_export_open #(\n"
              "      .SWITCHES(SWITCH_COUNT),\n"
              "      .PORTS(PORTS),\n"
              "      .CENTER(%" PRIu32 "),\n"
              "      .COUNT(%" PRIu32 "),\n"
              "      .LOCAL(%" PRIu32 "'b",
              center, members, n);
  for (uint32_t i = n; i--;)
    hd_text_add(t, "%d", topology->peers[i].kind == HD_PEER_NODE);
  hd_text_add(t, ")\n"
                 "  ) u_open (\n"
                 "      .clk(clk),\n"
                 "      .rst(!ready_o),\n"
                 "      .write_o(open_write),\n"
                 "      .addr_o(open_addr),\n"
                 "      .data_o(open_data),\n"
                 "      .done_o(open_o)\n"
                 "  );\n");
}

static void add_loader(const struct hd_export *x, struct hd_text *t)
{
  const uint32_t row_bits = hd_log2_ceil((uint32_t)x->n_rows);
  hd_text_add(t,
              "\n  // ── tables, loaded after each reset ──\n"
              "  wire [%u:0] row;\n"
              "  wire all, load_write;\n"
              "  wire [19:0] row_addr, load_addr;\n"
              "  wire [SWITCH_COUNT*16-1:0] load_data, rdata;\n"
              "  %s_tables u_tables (\n"
              "      .clk(clk),\n"
              "      .row_i(row),\n"
              "      .all_o(all),\n"
              "      .addr_o(row_addr),\n"
              "      .data_o(load_data)\n"
              "  );\n",
              row_bits - 1, x->name);
  hd_text_add(t,
              "  hd_export_loader #(\n"
              "      .PORTS(PORTS),\n"
              "      .ROWS(%zu)\n"
              "  ) u_loader (\n"
              "      .clk(clk),\n"
              "      .rst(rst),\n"
              "      .row_o(row),\n"
              "      .all_i(all),\n"
              "      .addr_i(row_addr),\n"
              "      .write_o(load_write),\n"
              "      .addr_o(load_addr),\n"
              "      .done_o(ready_o)\n"
              "  );\n",
              x->n_rows);
  hd_text_add(t,
              "  wire cfg_write = ready_o && cfg_write_i;\n"
              "  wire cfg_read = ready_o && cfg_read_i;\n"
              "  wire [19:0] cfg_addr = ready_o ? cfg_addr_i : load_addr;\n"
              "  reg [%u:0] read_q;  // the switch that was read last\n"
              "  always @(posedge clk) if (cfg_read) read_q <= cfg_switch_i;\n"
              "  assign cfg_rdata_o = rdata[read_q*16+:16];\n",
              x->switch_bits - 1);
}

static void add_signature(struct hd_text *t)
{
  hd_text_add(t, "      localparam SIGNED = 32 * (PORTS * (DATA_W / 16) + 1);\n"
                 "      hd_signature #(\n"
                 "          .PORTS(PORTS),\n"
                 "          .VCS(VCS),\n"
                 "          .DATA_W(DATA_W),\n"
                 "          .VC_W(VC_W)\n"
                 "      ) u_signature (\n"
                 "          .clk(clk),\n"
                 "          .clear_i(clear_i),\n"
                 "          .step_i(step_i),\n"
                 "          .valid_i(out_valid[s*PORTS+:PORTS]),\n"
                 "          .kind_i(out_kind),\n"
                 "          .vc_i(out_vc),\n"
                 "          .data_i(out_data),\n"
                 "          .credit_i(in_credit),\n"
                 "          .barrier_credit_i(barrier_credits[s*PORTS+:PORTS]),\n"
                 "          .count_i(in_count),\n"
                 "          .quiescent_i(quiescent[s]),\n"
                 "          .all_o(signatures_o[s*SIGNED+:SIGNED])\n"
                 "      );\n");
}

static void add_switches(const struct hd_export *x, struct hd_text *t)
{
  char parameters[HD_SWITCH_PARAMS][32];
  const size_t n = hd_switch_parameters(&x->scenario.sw, parameters);
  const bool opens = x->scenario.sw.barrier != 0, streams = hd_export_streams(x);
  hd_text_add(t,
              "\n  // ── switches ──\n"
              "  localparam ALL = SWITCH_COUNT * PORTS;\n"
              "  localparam FLIT_W = 3 + VC_W + DATA_W, BACK_W = VCS + 8;\n"
              "  wire [ALL-1:0] in_valid, out_valid, barrier_credits;\n"
              "  wire [ALL*FLIT_W-1:0] in_flit, out_flit;\n"
              "  wire [ALL*BACK_W-1:0] in_back, out_back;\n"
              "  wire [SWITCH_COUNT-1:0] quiescent;\n"
              "%s"
              "  genvar s, p;\n"
              "  generate\n"
              "    for (s = 0; s < SWITCH_COUNT; s = s + 1) begin : sw\n",
              streams ? "  wire [ALL-1:0] out_beat;  // a flit of a stream leaves: for monitors\n"
                      : "");
  hd_text_add(t,
              "      localparam [31:0] NUMBER = s;\n"
              "      wire here = cfg_switch_i == NUMBER[%u:0];\n",
              x->switch_bits - 1);
  hd_text_add(t,
              "      wire [PORTS*3-1:0] in_kind, out_kind;\n"
              "      wire [PORTS*VC_W-1:0] in_vc, out_vc;\n"
              "      wire [PORTS*DATA_W-1:0] in_data, out_data;\n"
              "      wire [PORTS*VCS-1:0] in_credit, out_credit;\n"
              "      wire [PORTS-1:0] out_barrier;\n"
              "      wire [PORTS*7-1:0] in_count, out_count;\n"
              "      for (p = 0; p < PORTS; p = p + 1) begin : port\n"
              "        localparam I = s * PORTS + p;\n"
              "        assign {in_kind[p*3+:3], in_vc[p*VC_W+:VC_W], in_data[p*DATA_W+:DATA_W]} =\n"
              "            in_flit[I*FLIT_W+:FLIT_W];\n"
              "        assign out_flit[I*FLIT_W+:FLIT_W] =\n"
              "            {out_kind[p*3+:3], out_vc[p*VC_W+:VC_W], out_data[p*DATA_W+:DATA_W]};\n"
              "        assign in_back[I*BACK_W+:BACK_W] =\n"
              "            {in_count[p*7+:7], barrier_credits[I], in_credit[p*VCS+:VCS]};\n"
              "        assign {out_count[p*7+:7], out_barrier[p], out_credit[p*VCS+:VCS]} =\n"
              "            out_back[I*BACK_W+:BACK_W];\n"
              "%s"
              "      end\n"
              "      ",
              streams ? "        assign out_beat[I] = out_valid[I] && (out_kind[p*3+:3] != 3'd2);\n"
                      : "");
  hd_text_add(t, "%s_switch #(\n", x->name);
  for (size_t i = 0; i < n; i++) {
    const int name = (int)strcspn(parameters[i], "=");
    hd_text_add(t, "          .%.*s(%.*s)%s\n", name, parameters[i], name, parameters[i],
                i + 1 < n ? "," : "");
  }
  hd_text_add(t,
              "      ) u_switch (\n"
              "          .clk(clk),\n"
              "          .rst(rst),\n"
              "          .in_valid_i(in_valid[s*PORTS+:PORTS]),\n"
              "          .in_kind_i(in_kind),\n"
              "          .in_vc_i(in_vc),\n"
              "          .in_data_i(in_data),\n"
              "          .in_credit_o(in_credit),\n"
              "          .in_barrier_credit_o(barrier_credits[s*PORTS+:PORTS]),\n"
              "          .in_count_o(in_count),\n"
              "          .out_valid_o(out_valid[s*PORTS+:PORTS]),\n"
              "          .out_kind_o(out_kind),\n"
              "          .out_vc_o(out_vc),\n"
              "          .out_data_o(out_data),\n"
              "          .out_credit_i(out_credit),\n"
              "          .out_barrier_credit_i(out_barrier),\n"
              "          .out_count_i(out_count),\n"
              "          .cfg_write_i(%s),\n"
              "          .cfg_read_i(cfg_read && here),\n"
              "          .cfg_addr_i(%s),\n"
              "          .cfg_wdata_i(%s),\n"
              "          .cfg_rdata_o(rdata[s*16+:16]),\n"
              "          .quiescent_o(quiescent[s])\n"
              "      );\n",
              opens ? "load_write || (cfg_write && here) || open_write[s]"
                    : "load_write || (cfg_write && here)",
              opens ? "open_write[s] ? open_addr[s*20+:20] : cfg_addr" : "cfg_addr",
              opens ? "open_write[s] ? open_data[s*16+:16] :\n"
                      "              ready_o ? cfg_wdata_i : load_data[s*16+:16]"
                    : "ready_o ? cfg_wdata_i : load_data[s*16+:16]");
  if (x->options->signatures)
    add_signature(t);
  hd_text_add(
      t,
      "    end\n"
      "  endgenerate\n"
      "  wire unused = &{1'b0, %sout_valid, out_flit, in_back, barrier_credits, quiescent};\n",
      streams ? "out_beat, " : "");
}

/* ── links ─────────────────────────────────────────────────────────────────── */

/* One end of a link: its latency and the names of its pins. */
struct end {
  uint32_t link; /* latency in cycles; 0: LINK */
  char name[24], valid[40], flit[120], back[80];
};

static struct end switch_end(const struct hd_export *x, uint32_t i, const char *side)
{
  const uint32_t ports = x->scenario.sw.ports;
  struct end e = {.link = x->topology.link_cycles ? x->topology.link_cycles[i] : 0};
  snprintf(e.name, sizeof e.name, "s%" PRIu32 "p%" PRIu32, i / ports, i % ports);
  snprintf(e.valid, sizeof e.valid, "%s_valid[%" PRIu32 "]", side, i);
  snprintf(e.flit, sizeof e.flit, "%s_flit[%" PRIu32 "*FLIT_W+:FLIT_W]", side, i);
  snprintf(e.back, sizeof e.back, "%s_back[%" PRIu32 "*BACK_W+:BACK_W]", side, i);
  return e;
}

static void add_link(const struct end *from, const struct end *to, const char *credit,
                     struct hd_text *t)
{
  char own[12] = "LINK";
  if (from->link)
    snprintf(own, sizeof own, "%" PRIu32, from->link);
  hd_text_add(t,
              "  hd_link #(\n"
              "      .LINK(%s),\n"
              "      .FLIT_W(FLIT_W),\n"
              "      .VCS(%s)\n"
              "  ) %s_to_%s (\n"
              "      .clk(clk),\n"
              "      .rst(rst),\n"
              "      .valid_i(%s),\n"
              "      .flit_i(%s),\n"
              "      .credit_o(%s),\n"
              "      .valid_o(%s),\n"
              "      .flit_o(%s),\n"
              "      .credit_i(%s)\n"
              "  );\n",
              own, credit, from->name, to->name, from->valid, from->flit, from->back, to->valid,
              to->flit, to->back);
}

/* Adds a node's link. Nodes have no count (§10.8). They have a barrier credit if the fabric has
 * barrier credits. */
static void add_node_link(const struct hd_export *x, uint32_t node, uint32_t i, bool in,
                          struct hd_text *t)
{
  const bool barrier = x->scenario.sw.barrier != 0;
  const char *back = barrier ? "VCS+1" : "VCS";
  struct end n = {0}, s = switch_end(x, i, in ? "in" : "out");
  const char *side = in ? "in" : "out", *way = in ? "i" : "o";
  snprintf(n.name, sizeof n.name, "n%" PRIu32, node);
  snprintf(n.valid, sizeof n.valid, "%s_valid_%s[%" PRIu32 "]", side, way, node);
  snprintf(n.flit, sizeof n.flit,
           "{%s_kind_%s[%" PRIu32 "*3+:3], %s_vc_%s[%" PRIu32 "*VC_W+:VC_W], %s_data_%s[%" PRIu32
           "*DATA_W+:DATA_W]}",
           side, way, node, side, way, node, side, way, node);
  char credit[40];
  snprintf(credit, sizeof credit, "%s_credit_%c[%" PRIu32 "*VCS+:VCS]", side, in ? 'o' : 'i', node);
  if (barrier)
    snprintf(n.back, sizeof n.back, "{%s_barrier_%c[%" PRIu32 "], %s}", side, in ? 'o' : 'i', node,
             credit);
  else
    snprintf(n.back, sizeof n.back, "%s", credit);
  snprintf(s.back, sizeof s.back, "%s_back[%" PRIu32 "*BACK_W+:%s]", side, i, back);
  add_link(in ? &n : &s, in ? &s : &n, back, t);
  if (!in)
    hd_text_add(t, "  assign out_back[%" PRIu32 "*BACK_W+%s+:BACK_W-%s] = %d'd0;\n", i, back,
                barrier ? "VCS-1" : "VCS", barrier ? 7 : 8);
}

static void add_links(const struct hd_export *x, struct hd_text *t)
{
  const struct hd_topology *topology = &x->topology;
  const uint32_t n = topology->n_switches * topology->ports;
  hd_text_add(t, "\n  // ── links, each named by its ends: switch and port, or node ──\n");
  for (uint32_t i = 0; i < n; i++) { /* the receiver of port i */
    const struct hd_peer *to = &topology->peers[i];
    const struct end from = switch_end(x, i, "out");
    if (to->kind == HD_PEER_SWITCH) {
      const struct end far = switch_end(x, to->index * topology->ports + to->port, "in");
      add_link(&from, &far, "BACK_W", t);
    } else if (to->kind == HD_PEER_NODE)
      add_node_link(x, to->index, i, false, t);
    else
      hd_text_add(t, "  assign %s = {BACK_W{1'b0}};\n", from.back);
  }
  for (uint32_t i = 0; i < n; i++) {
    const struct hd_peer *from = &topology->senders[i];
    const struct end to = switch_end(x, i, "in");
    if (from->kind == HD_PEER_NODE)
      add_node_link(x, from->index, i, true, t);
    else if (from->kind == HD_PEER_NONE)
      hd_text_add(t, "  assign %s = 1'b0;\n  assign %s = {FLIT_W{1'b0}};\n", to.valid, to.flit);
  }
}

void hd_export_fabric(const struct hd_export *x, struct hd_text *t)
{
  hd_export_head(x, "switches and links, with flits and credits at the nodes (1)", t);
  hd_text_add(
      t, "//\n"
         "// Vectors hold node n, or port p of switch s at s * PORTS + p, in this order from the\n"
         "// lowest bits. Numbers in brackets are chapters of Heddle's specification.\n"
         "`default_nettype none\n\n");
  add_pins(x, t);
  add_parameters(x, t);
  add_loader(x, t);
  if (x->scenario.sw.barrier)
    add_group(x, t);
  add_switches(x, t);
  add_links(x, t);
  hd_text_add(t, "\nendmodule\n\n`default_nettype wire\n");
}
