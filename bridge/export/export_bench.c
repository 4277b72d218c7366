/* A test bench for the streams of an exported network: sources, sinks, and a sum of what came.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "export_internal.h"

#include <inttypes.h>

enum { PACKETS = 40, MOST_CYCLES = 1000000 };

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
              ", BEATS = %" PRIu32 ", PACKETS = %d;\n",
              x->topology.n_nodes, x->node_bits, x->scenario.sw.data_bits,
              cut && cut < 5 ? cut - 1 : 4, PACKETS);
  hd_text_add(t, "  reg clk = 1'b0;\n"
                 "  reg rst = 1'b1;\n"
                 "  always #5 clk = !clk;\n"
                 "  wire ready;\n"
                 "  wire [15:0] rdata;\n"
                 "  wire [NODE_COUNT-1:0] s_tvalid, s_tready, s_tlast, m_tvalid, m_tready, "
                 "m_tlast, done, wrong;\n"
                 "  wire [NODE_COUNT*DATA_W-1:0] s_tdata, m_tdata;\n"
                 "  wire [NODE_COUNT*NODE_W-1:0] s_tdest;\n"
                 "  wire [NODE_COUNT*32-1:0] sent, sent_sum, came, came_sum;\n");
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
                 "          .PACKETS(PACKETS),\n"
                 "          .PAUSES(1)\n"
                 "      ) u_source (\n"
                 "          .clk(clk),\n"
                 "          .rst(rst),\n"
                 "          .go_i(ready),\n"
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
              "          .PAUSES(1)\n"
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

static void add_verdict(struct hd_text *t)
{
  hd_text_add(t,
              "\n  integer cycle, i;\n"
              "  reg [31:0] all_sent, all_came, sum;\n"
              "  initial cycle = 0;\n"
              "  always @(posedge clk) begin\n"
              "    cycle = cycle + 1;\n"
              "    if (cycle == 4) rst <= 1'b0;\n"
              "    all_sent = 0;\n"
              "    all_came = 0;\n"
              "    sum = 0;\n"
              "    for (i = 0; i < NODE_COUNT; i = i + 1) begin\n"
              "      all_sent = all_sent + sent[i*32+:32];\n"
              "      all_came = all_came + came[i*32+:32];\n"
              "      sum = sum + sent_sum[i*32+:32] - came_sum[i*32+:32];\n"
              "      if (cycle > 4 && wrong[i] !== 1'b0) begin\n"
              "        $display(\"FAIL cycle %%0d: node %%0d got a packet that nobody sent to "
              "it\", cycle, i);\n"
              "        $stop;\n"
              "      end\n"
              "    end\n"
              "    if (cycle > 4 && all_came > all_sent + NODE_COUNT) begin\n"
              "      $display(\"FAIL cycle %%0d: more packets came than were sent\", cycle);\n"
              "      $stop;\n"
              "    end\n"
              "    if (&done && all_came == all_sent && m_tvalid == {NODE_COUNT{1'b0}}) begin\n"
              "      if (sum == 0) begin\n"
              "        $display(\"PASS %%0d packets between %%0d nodes in %%0d cycles\", all_came, "
              "NODE_COUNT, cycle);\n"
              "        $finish;\n"
              "      end else begin\n"
              "        $display(\"FAIL a packet was lost, and another one came twice\");\n"
              "        $stop;\n"
              "      end\n"
              "    end else if (cycle == %d) begin\n"
              "      $display(\"FAIL %%0d packets sent, %%0d came, after %%0d cycles\", all_sent, "
              "all_came, cycle);\n"
              "      $stop;\n"
              "    end\n"
              "  end\n\n"
              "endmodule\n\n"
              "`default_nettype wire\n",
              MOST_CYCLES);
}

void hd_export_bench(const struct hd_export *x, struct hd_text *t)
{
  hd_export_head(x, "random packets between all nodes, each word of them checked", t);
  hd_text_add(t,
              "`default_nettype none\n\n"
              "module %s_tb;\n\n",
              x->name);
  add_wires(x, t);
  hd_text_add(t,
              "  %s u_network (\n"
              "      .clk(clk),\n"
              "      .rst(rst),\n"
              "      .ready_o(ready),\n"
              "      .cfg_switch_i(%u'd0),\n"
              "      .cfg_write_i(1'b0),\n"
              "      .cfg_read_i(1'b0),\n"
              "      .cfg_addr_i(20'd0),\n"
              "      .cfg_wdata_i(16'd0),\n"
              "      .cfg_rdata_o(rdata)",
              x->name, x->switch_bits);
  add_pins(x, t);
  hd_text_add(t, "\n  );\n");
  add_traffic(x, t);
  add_verdict(t);
}
