/* Writes traffic for an exported network: a module with sources and sinks around it, for a chip or a bench, and the bench.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "export_internal.h"

#include <inttypes.h>

enum { PACKETS = 40, MOST_SCANS = 2000 };

static void add_pins(const struct hd_export *x, struct hd_text *t)
{
  static const char *const s_pins[] = {"tvalid", "tready", "tdata", "tlast", "tdest"};
  static const char *const m_pins[] = {"tvalid", "tready", "tdata", "tlast", "tid"};
  for (uint32_t n = 0; n < x->topology.n_nodes; n++)
    for (unsigned side = 0; side < 2; side++)
      for (unsigned i = 0; i < 5; i++) {
        const char letter = side ? 'm' : 's', *pin = side ? m_pins[i] : s_pins[i];
        if (i == 4 && side && !x->source_at)
          continue;
        hd_text_add(t, ",\n      .%c%" PRIu32 "_axis_%s(%c_%s[%" PRIu32, letter, n, pin, letter,
                    pin, n);
        hd_text_add(t, i == 2 ? "*DATA_W+:DATA_W])" : i == 4 ? "*NODE_W+:NODE_W])" : "])");
      }
}

static void add_wires(const struct hd_export *x, struct hd_text *t)
{
  const uint32_t cut = x->scenario.sw.cut_flits;
  hd_text_add(t,
              "  localparam NODE_COUNT = %" PRIu32 ", NODE_W = %" PRIu32 ", DATA_W = %" PRIu32
              ", BEATS = %" PRIu32 ";\n",
              x->topology.n_nodes, x->node_bits, x->scenario.sw.data_bits,
              cut && cut < 5 ? cut - 1 : 4);
  hd_text_add(t, "  wire [15:0] rdata;\n"
                 "  wire [NODE_COUNT-1:0] s_tvalid, s_tready, s_tlast, m_tvalid, m_tready, "
                 "m_tlast, done, wrong;\n"
                 "  wire [NODE_COUNT*DATA_W-1:0] s_tdata, m_tdata;\n"
                 "  wire [NODE_COUNT*NODE_W-1:0] s_tdest;\n"
                 "  wire [NODE_COUNT*32-1:0] sent, sent_sum, came, came_sum;\n"
                 "  wire unused = &{1'b0, rdata};\n");
  hd_text_add(t, x->source_at ? "  wire [NODE_COUNT*NODE_W-1:0] m_tid;\n\n" : "\n");
}

static void add_traffic(const struct hd_export *x, struct hd_text *t)
{
  hd_text_add(t, "\n  genvar n;\n"
                 "  generate\n"
                 "    for (n = 0; n < NODE_COUNT; n = n + 1) begin : node\n"
                 "      hd_export_source #(\n"
                 "          .DATA_W(DATA_W),\n"
                 "          .NODE_W(NODE_W),\n"
                 "          .NODES(NODE_COUNT),\n"
                 "          .NODE(n),\n"
                 "          .BEATS(BEATS),\n"
                 "          .LOAD(LOAD),\n"
                 "          .PACKETS(PACKETS),\n"
                 "          .PAUSES(PAUSES)\n"
                 "      ) u_source (\n"
                 "          .clk(clk),\n"
                 "          .rst(rst),\n"
                 "          .go_i(ready_o && go_i),\n"
                 "          .tvalid_o(s_tvalid[n]),\n"
                 "          .tready_i(s_tready[n]),\n"
                 "          .tdata_o(s_tdata[n*DATA_W+:DATA_W]),\n"
                 "          .tlast_o(s_tlast[n]),\n"
                 "          .tdest_o(s_tdest[n*NODE_W+:NODE_W]),\n"
                 "          .count_o(sent[n*32+:32]),\n"
                 "          .sum_o(sent_sum[n*32+:32]),\n"
                 "          .done_o(done[n])\n"
                 "      );\n");
  hd_text_add(t,
              "      hd_export_sink #(\n"
              "          .DATA_W(DATA_W),\n"
              "          .NODE_W(NODE_W),\n"
              "          .NODE(n),\n"
              "          .BEATS(BEATS),\n"
              "          .HAS_ID(%u),\n"
              "          .PAUSES(PAUSES)\n"
              "      ) u_sink (\n"
              "          .clk(clk),\n"
              "          .rst(rst),\n"
              "          .tvalid_i(m_tvalid[n]),\n"
              "          .tready_o(m_tready[n]),\n"
              "          .tdata_i(m_tdata[n*DATA_W+:DATA_W]),\n"
              "          .tlast_i(m_tlast[n]),\n"
              "          .tid_i(%s),\n"
              "          .count_o(came[n*32+:32]),\n"
              "          .sum_o(came_sum[n*32+:32]),\n"
              "          .wrong_o(wrong[n])\n"
              "      );\n"
              "    end\n"
              "  endgenerate\n",
              x->source_at != 0, x->source_at ? "m_tid[n*NODE_W+:NODE_W]" : "{NODE_W{1'b0}}");
}

static void add_counters(struct hd_text *t)
{
  hd_text_add(t, "\n  always @(posedge clk) begin\n"
                 "    done_o     <= &done;\n"
                 "    wrong_o    <= |wrong;\n"
                 "    sent_o     <= sent[node_i*32+:32];\n"
                 "    sent_sum_o <= sent_sum[node_i*32+:32];\n"
                 "    came_o     <= came[node_i*32+:32];\n"
                 "    came_sum_o <= came_sum[node_i*32+:32];\n"
                 "  end\n\n"
                 "endmodule\n\n"
                 "`default_nettype wire\n");
}

void hd_export_traffic(const struct hd_export *x, struct hd_text *t)
{
  hd_export_head(x, "the network with sources and sinks of random packets, for a chip or a bench",
                 t);
  hd_text_add(t,
              "`default_nettype none\n\n"
              "module %s_traffic #(\n"
              "    parameter LOAD    = 64,  // a packet begins in LOAD of 256 cycles in which none "
              "is sent\n"
              "    parameter PACKETS = 0,   // of each source; 0: without end\n"
              "    parameter PAUSES  = 0    // 1: streams pause within packets, at both ends\n"
              ") (\n"
              "    input  wire clk,\n"
              "    input  wire rst,\n"
              "    input  wire go_i,  // packets may begin\n"
              "    output wire ready_o,\n"
              "    output reg  done_o,  // all sources have sent PACKETS\n"
              "    output reg  wrong_o,  // a word came that is not right\n"
              "    // of node node_i, a cycle later: packets, and the sum of their seeds\n"
              "    input  wire [%u:0] node_i,\n"
              "    output reg  [31:0] sent_o,\n"
              "    output reg  [31:0] sent_sum_o,\n"
              "    output reg  [31:0] came_o,\n"
              "    output reg  [31:0] came_sum_o\n"
              ");\n\n",
              x->name, x->node_bits - 1);
  add_wires(x, t);
  hd_text_add(t,
              "  %s u_network (\n"
              "      .clk(clk),\n"
              "      .rst(rst),\n"
              "      .ready_o(ready_o),\n",
              x->name);
  hd_export_idle_config(x, t);
  add_pins(x, t);
  hd_text_add(t, "\n  );\n");
  add_traffic(x, t);
  add_counters(t);
}

/* ── the bench ─────────────────────────────────────────────────────────────── */

/* Reads the counters node by node, again and again, until all packets have arrived. */
static void add_scans(struct hd_text *t)
{
  hd_text_add(
      t,
      "  reg done_before;  // all were sent before the scan began\n"
      "  reg [31:0] sent, came, sum;\n"
      "  integer cycle = 0, scans = 0, at = 0;\n"
      "  always @(posedge clk) begin\n"
      "    cycle = cycle + 1;\n"
      "    if (cycle == 4) rst <= 1'b0;\n"
      "    if (cycle > 8 && wrong !== 1'b0) begin\n"
      "      $display(\"FAIL cycle %%0d: a node got a word that nobody sent to it\", cycle);\n"
      "      $stop;\n"
      "    end\n"
      "    // what node_i chose in the cycle before is there: node `at` - 1\n"
      "    if (at == 0) begin\n"
      "      done_before = done;\n"
      "      sent = 0;\n"
      "      came = 0;\n"
      "      sum = 0;\n"
      "    end else begin\n"
      "      sent = sent + node_sent;\n"
      "      came = came + node_came;\n"
      "      sum = sum + node_sent_sum - node_came_sum;\n"
      "    end\n"
      "    if (at == NODE_COUNT) begin\n"
      "      at = 0;\n"
      "      scans = scans + 1;\n"
      "      if (done_before && sent == came && sum == 0) begin\n"
      "        $display(\"PASS %%0d packets between %%0d nodes in %%0d cycles\", came, NODE_COUNT, "
      "cycle);\n"
      "        $finish;\n"
      "      end else if (scans == %d) begin\n"
      "        $display(\"FAIL %%0d packets sent, %%0d came, sums differ by %%h, after %%0d "
      "cycles\", sent, came, sum, cycle);\n"
      "        $stop;\n"
      "      end\n"
      "    end else at = at + 1;\n"
      "    node <= at[NODE_W-1:0];\n"
      "  end\n\n",
      MOST_SCANS);
}

void hd_export_bench(const struct hd_export *x, struct hd_text *t)
{
  hd_export_head(x, "random packets between all nodes, each word of them checked", t);
  hd_text_add(t,
              "`default_nettype none\n\n"
              "module %s_tb;\n\n"
              "  localparam NODE_COUNT = %" PRIu32 ", NODE_W = %" PRIu32 ";\n"
              "  reg clk = 1'b0;\n"
              "  reg rst = 1'b1;\n"
              "  always #5 clk = !clk;\n"
              "  wire ready, done, wrong;\n"
              "  reg [NODE_W-1:0] node = 0;\n"
              "  wire [31:0] node_sent, node_sent_sum, node_came, node_came_sum;\n"
              "  %s_traffic #(\n"
              "      .PACKETS(%d),\n"
              "      .PAUSES(1)\n"
              "  ) u_traffic (\n"
              "      .clk(clk),\n"
              "      .rst(rst),\n"
              "      .go_i(1'b1),\n"
              "      .ready_o(ready),\n"
              "      .done_o(done),\n"
              "      .wrong_o(wrong),\n"
              "      .node_i(node),\n"
              "      .sent_o(node_sent),\n"
              "      .sent_sum_o(node_sent_sum),\n"
              "      .came_o(node_came),\n"
              "      .came_sum_o(node_came_sum)\n"
              "  );\n\n",
              x->name, x->topology.n_nodes, x->node_bits, x->name, PACKETS);
  add_scans(t);
  hd_text_add(t, "endmodule\n\n`default_nettype wire\n");
}
