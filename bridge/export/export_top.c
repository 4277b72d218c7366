/* Writes the top with AXI4-Stream at each node: the fabric, and for each node a packetiser and a depacketiser (§4).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "export_internal.h"

#include <inttypes.h>

static void add_pins(const struct hd_export *x, struct hd_text *t)
{
  const uint32_t data = x->scenario.sw.data_bits - 1, node = x->node_bits - 1;
  hd_text_add(t,
              "module %s (\n"
              "    input  wire clk,\n"
              "    input  wire rst,\n"
              "    // routing tables are loaded; before, no stream is taken\n"
              "    output wire ready_o,\n"
              "    // configuration port of a switch (3), once ready_o is 1\n"
              "    input  wire [%u:0] cfg_switch_i,\n"
              "    input  wire cfg_write_i,\n"
              "    input  wire cfg_read_i,\n"
              "    input  wire [19:0] cfg_addr_i,\n"
              "    input  wire [15:0] cfg_wdata_i,\n"
              "    output wire [15:0] cfg_rdata_o",
              x->name, x->switch_bits - 1);
  for (uint32_t n = 0; n < x->topology.n_nodes; n++) {
    hd_text_add(t,
                ",\n    // node %" PRIu32 ": what it sends, to node tdest\n"
                "    input  wire s%" PRIu32 "_axis_tvalid,\n"
                "    output wire s%" PRIu32 "_axis_tready,\n"
                "    input  wire [%u:0] s%" PRIu32 "_axis_tdata,\n"
                "    input  wire s%" PRIu32 "_axis_tlast,\n"
                "    input  wire [%u:0] s%" PRIu32 "_axis_tdest,\n",
                n, n, n, data, n, n, node, n);
    hd_text_add(t,
                "    // what it receives%s\n"
                "    output wire m%" PRIu32 "_axis_tvalid,\n"
                "    input  wire m%" PRIu32 "_axis_tready,\n"
                "    output wire [%u:0] m%" PRIu32 "_axis_tdata,\n"
                "    output wire m%" PRIu32 "_axis_tlast",
                x->source_at ? ", from node tid" : "", n, n, data, n, n);
    if (x->source_at)
      hd_text_add(t, ",\n    output wire [%u:0] m%" PRIu32 "_axis_tid", node, n);
  }
  hd_text_add(t, "\n);\n\n");
}

/* Writes a vector that joins the pins of all nodes: "wire [15:0] NAME = {s15_axis_PIN, …,
 * s0_axis_PIN};" */
static void gather(const struct hd_export *x, const char *name, const char *side, const char *pin,
                   uint32_t bits, struct hd_text *t)
{
  const uint32_t n = x->topology.n_nodes;
  hd_text_add(t, "  wire [%u:0] %s = {\n      ", n * bits - 1, name);
  for (uint32_t i = n; i--;)
    hd_text_add(t, "%s%" PRIu32 "_axis_%s%s", side, i, pin, i ? ", " : "\n  };\n");
}

static void spread(const struct hd_export *x, const char *name, const char *side, const char *pin,
                   uint32_t bits, struct hd_text *t)
{
  const uint32_t n = x->topology.n_nodes;
  hd_text_add(t, "  wire [%u:0] %s;\n  assign {\n      ", n * bits - 1, name);
  for (uint32_t i = n; i--;)
    hd_text_add(t, "%s%" PRIu32 "_axis_%s%s", side, i, pin, i ? ", " : "\n  }");
  hd_text_add(t, " = %s;\n", name);
}

static void add_vectors(const struct hd_export *x, struct hd_text *t)
{
  const uint32_t data = x->scenario.sw.data_bits;
  hd_text_add(t, "\n  // pins of streams, that of node n at n\n");
  gather(x, "s_tvalid", "s", "tvalid", 1, t);
  spread(x, "s_tready", "s", "tready", 1, t);
  gather(x, "s_tdata", "s", "tdata", data, t);
  gather(x, "s_tlast", "s", "tlast", 1, t);
  gather(x, "s_tdest", "s", "tdest", x->node_bits, t);
  spread(x, "m_tvalid", "m", "tvalid", 1, t);
  gather(x, "m_tready", "m", "tready", 1, t);
  spread(x, "m_tdata", "m", "tdata", data, t);
  spread(x, "m_tlast", "m", "tlast", 1, t);
  if (x->source_at)
    spread(x, "m_tid", "m", "tid", x->node_bits, t);
  else
    hd_text_add(t, "  wire [NODE_COUNT*NODE_W-1:0] m_tid;  // headers have no room for it\n"
                   "  wire unused = &{1'b0, m_tid};\n");
}

static void add_fabric(const struct hd_export *x, struct hd_text *t)
{
  hd_text_add(t, "\n  // flits and credits at the nodes\n");
  hd_export_node_wires(t);
  hd_text_add(t,
              "  %s u_fabric (\n"
              "      .clk(clk),\n"
              "      .rst(rst),\n"
              "      .ready_o(ready_o),\n",
              x->fabric_name);
  hd_export_node_pins(t);
  hd_text_add(t, "      .cfg_switch_i(cfg_switch_i),\n"
                 "      .cfg_write_i(cfg_write_i),\n"
                 "      .cfg_read_i(cfg_read_i),\n"
                 "      .cfg_addr_i(cfg_addr_i),\n"
                 "      .cfg_wdata_i(cfg_wdata_i),\n"
                 "      .cfg_rdata_o(cfg_rdata_o)\n"
                 "  );\n");
}

static void add_endpoints(const struct hd_export *x, struct hd_text *t)
{
  hd_text_add(t,
              "\n  genvar n;\n"
              "  generate\n"
              "    for (n = 0; n < NODE_COUNT; n = n + 1) begin : node\n"
              "      hd_export_packetiser #(\n"
              "          .VCS(VCS),\n"
              "          .DATA_W(DATA_W),\n"
              "          .DEPTH(DEPTH),\n"
              "          .CUT_FLITS(CUT_FLITS),\n"
              "          .NODE_W(NODE_W),\n"
              "          .MODE(%u),\n"
              "          .NODES(NODE_COUNT),\n"
              "          .NODE(n),\n"
              "          .SOURCE(%u)\n"
              "      ) u_packetiser (\n",
              x->tables.header_mode, x->source_at != 0);
  hd_text_add(t, "          .clk(clk),\n"
                 "          .rst(rst),\n"
                 "          .go_i(ready_o),\n"
                 "          .s_tvalid_i(s_tvalid[n]),\n"
                 "          .s_tready_o(s_tready[n]),\n"
                 "          .s_tdata_i(s_tdata[n*DATA_W+:DATA_W]),\n"
                 "          .s_tlast_i(s_tlast[n]),\n"
                 "          .s_tdest_i(s_tdest[n*NODE_W+:NODE_W]),\n"
                 "          .valid_o(in_valid[n]),\n"
                 "          .kind_o(in_kind[n*3+:3]),\n"
                 "          .vc_o(in_vc[n*VC_W+:VC_W]),\n"
                 "          .data_o(in_data[n*DATA_W+:DATA_W]),\n"
                 "          .credit_i(in_credit[n*VCS+:VCS])\n"
                 "      );\n");
  hd_text_add(t,
              "      hd_export_depacketiser #(\n"
              "          .VCS(VCS),\n"
              "          .DATA_W(DATA_W),\n"
              "          .DEPTH(DEPTH),\n"
              "          .NODE_W(NODE_W),\n"
              "          .SOURCE_AT(%" PRIu32 ")\n"
              "      ) u_depacketiser (\n",
              x->source_at);
  hd_text_add(t, "          .clk(clk),\n"
                 "          .rst(rst),\n"
                 "          .valid_i(out_valid[n]),\n"
                 "          .kind_i(out_kind[n*3+:3]),\n"
                 "          .vc_i(out_vc[n*VC_W+:VC_W]),\n"
                 "          .data_i(out_data[n*DATA_W+:DATA_W]),\n"
                 "          .credit_o(out_credit[n*VCS+:VCS]),\n"
                 "          .m_tvalid_o(m_tvalid[n]),\n"
                 "          .m_tready_i(m_tready[n]),\n"
                 "          .m_tdata_o(m_tdata[n*DATA_W+:DATA_W]),\n"
                 "          .m_tlast_o(m_tlast[n]),\n"
                 "          .m_tid_o(m_tid[n*NODE_W+:NODE_W])\n"
                 "      );\n"
                 "    end\n"
                 "  endgenerate\n\n"
                 "endmodule\n\n"
                 "`default_nettype wire\n");
}

void hd_export_top(const struct hd_export *x, struct hd_text *t)
{
  hd_export_head(x, "a network on chip with AXI4-Stream at each node", t);
  hd_text_add(t, "`default_nettype none\n\n");
  add_pins(x, t);
  hd_text_add(t,
              "  localparam NODE_COUNT = %" PRIu32 ", NODE_W = %" PRIu32 ";\n"
              "  localparam VCS = %" PRIu32 ", VC_W = %" PRIu32 ", DATA_W = %" PRIu32
              ", DEPTH = %" PRIu32 ", CUT_FLITS = %" PRIu32 ";\n",
              x->topology.n_nodes, x->node_bits, x->scenario.sw.vcs, x->vc_bits,
              x->scenario.sw.data_bits, x->scenario.sw.depth_flits, x->scenario.sw.cut_flits);
  add_vectors(x, t);
  add_fabric(x, t);
  add_endpoints(x, t);
}
