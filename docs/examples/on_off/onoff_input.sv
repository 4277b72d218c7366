// An input port: a buffer for each virtual channel, the on/off signal, the routing table.
// SPDX-License-Identifier: Apache-2.0
//
// A channel is on while its buffer has room for the flits that can still be on their way when the sender
// sees it off: one that was sent already, and one that is sent in this cycle. In each cycle one channel,
// in turn, asks its output.
module onoff_input #(
    parameter int PORTS    = 5,
    parameter int VCS      = 2,
    parameter int DATA_W   = 16,
    parameter int SLOTS    = 8,
    parameter int NODES    = 16,
    parameter int DEST_LSB = 0,
    parameter int FLIT_W   = DATA_W + 2,
    parameter int PORT_W   = $clog2(PORTS),
    parameter int VC_W     = (VCS > 1) ? $clog2(VCS) : 1,
    parameter int NODE_W   = $clog2(NODES)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic              rx_valid_i,
    input  logic [  VC_W-1:0] rx_vc_i,
    input  logic [FLIT_W-1:0] rx_flit_i,
    output logic [   VCS-1:0] rx_on_o,

    input logic              table_write_i,
    input logic [NODE_W-1:0] table_node_i,
    input logic [PORT_W-1:0] table_port_i,

    input  logic [PORTS*VCS-1:0] tx_on_i,    // the neighbour takes flits on the channel
    input  logic [PORTS*VCS-1:0] tx_held_i,  // a packet holds it
    output logic [    PORTS-1:0] ask_o,      // one-hot by output, or 0
    output logic [     VC_W-1:0] vc_o,       // of what asks
    output logic [   FLIT_W-1:0] flit_o,
    input  logic                 grant_i
);

  localparam int ON_UP_TO = SLOTS - 2;
  localparam int COUNT_W = $clog2(SLOTS + 1);

  logic [PORT_W-1:0] table_q[0:NODES-1];
  logic [FLIT_W-1:0] front[0:VCS-1];
  logic [NODE_W-1:0] dest[0:VCS-1];
  logic [PORT_W-1:0] way[0:VCS-1], way_q[0:VCS-1];
  logic [VCS-1:0] holds_q, can_go, pick;

  always_ff @(posedge clk_i) if (table_write_i) table_q[table_node_i] <= table_port_i;

  for (genvar v = 0; v < VCS; v++) begin : gen_vc
    logic [COUNT_W-1:0] count;
    logic sent;

    onoff_fifo #(
        .WIDTH(FLIT_W),
        .SLOTS(SLOTS)
    ) u_fifo (
        .clk_i,
        .rst_i,
        .push_i (rx_valid_i && (rx_vc_i == VC_W'(v))),
        .flit_i (rx_flit_i),
        .pop_i  (sent),
        .flit_o (front[v]),
        .count_o(count)
    );

    assign rx_on_o[v] = count <= COUNT_W'(ON_UP_TO);
    assign dest[v] = front[v][2+DEST_LSB+:NODE_W];
    assign way[v] = holds_q[v] ? way_q[v] : table_q[dest[v]];
    assign can_go[v] = (count != '0) && tx_on_i[way[v]*VCS+v] && (holds_q[v] || !tx_held_i[way[v]*VCS+v]);
    assign sent = grant_i && pick[v];

    // A packet holds the channel of its output from its first flit to its last (bit 1).
    always_ff @(posedge clk_i)
      if (rst_i) holds_q[v] <= 1'b0;
      else if (sent) begin
        holds_q[v] <= !front[v][1];
        way_q[v] <= way[v];
      end
  end

  onoff_arbiter #(
      .N(VCS)
  ) u_turn (
      .clk_i,
      .rst_i,
      .request_i(can_go),
      .advance_i(grant_i),
      .grant_o  (pick)
  );

  always_comb begin
    ask_o  = '0;
    vc_o   = '0;
    flit_o = '0;
    for (int v = 0; v < VCS; v++)
      if (pick[v]) begin
        ask_o[way[v]] = 1'b1;
        vc_o = VC_W'(v);
        flit_o = front[v];
      end
  end

endmodule
