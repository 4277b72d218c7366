// A router with virtual channels and on/off flow control, routed by tables.
// SPDX-License-Identifier: Apache-2.0
//
// A flit is {data, last, first}: 01 head, 00 body, 10 tail, 11 a packet of one flit. A packet stays on its
// channel from end to end, so channels are classes of messages. A head's data has the destination. Each
// input port has a table of its own, which is written through table_*. The receiver of a link switches
// each channel on and off; what is under way still has room.
module onoff_router #(
    parameter int PORTS    = 5,
    parameter int VCS      = 2,
    parameter int DATA_W   = 16,
    parameter int SLOTS    = 8,               // of each input channel, at least 3
    parameter int NODES    = 16,
    parameter int DEST_LSB = 0,               // where the destination is in a head's data
    parameter int FLIT_W   = DATA_W + 2,
    parameter int PORT_W   = $clog2(PORTS),
    parameter int VC_W     = (VCS > 1) ? $clog2(VCS) : 1,
    parameter int NODE_W   = $clog2(NODES)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic [       PORTS-1:0] rx_valid_i,
    input  logic [  PORTS*VC_W-1:0] rx_vc_i,
    input  logic [PORTS*FLIT_W-1:0] rx_flit_i,
    output logic [   PORTS*VCS-1:0] rx_on_o,

    output logic [       PORTS-1:0] tx_valid_o,
    output logic [  PORTS*VC_W-1:0] tx_vc_o,
    output logic [PORTS*FLIT_W-1:0] tx_flit_o,
    input  logic [   PORTS*VCS-1:0] tx_on_i,

    input logic [ PORTS-1:0] table_write_i,  // by input port
    input logic [NODE_W-1:0] table_node_i,
    input logic [PORT_W-1:0] table_port_i
);

  logic [PORTS*VCS-1:0] held;
  logic [PORTS*PORTS-1:0] asked, granted;  // [output*PORTS + input]
  logic [PORTS*VC_W-1:0] vc;
  logic [PORTS*FLIT_W-1:0] flit;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    logic [PORTS-1:0] ask, grant;

    for (genvar o = 0; o < PORTS; o++) begin : gen_pair
      assign asked[o*PORTS+p] = ask[o];
      assign grant[o] = granted[o*PORTS+p];
    end

    onoff_input #(
        .PORTS   (PORTS),
        .VCS     (VCS),
        .DATA_W  (DATA_W),
        .SLOTS   (SLOTS),
        .NODES   (NODES),
        .DEST_LSB(DEST_LSB)
    ) u_input (
        .clk_i,
        .rst_i,
        .rx_valid_i   (rx_valid_i[p]),
        .rx_vc_i      (rx_vc_i[p*VC_W+:VC_W]),
        .rx_flit_i    (rx_flit_i[p*FLIT_W+:FLIT_W]),
        .rx_on_o      (rx_on_o[p*VCS+:VCS]),
        .table_write_i(table_write_i[p]),
        .table_node_i,
        .table_port_i,
        .tx_on_i,
        .tx_held_i    (held),
        .ask_o        (ask),
        .vc_o         (vc[p*VC_W+:VC_W]),
        .flit_o       (flit[p*FLIT_W+:FLIT_W]),
        .grant_i      (grant != '0)
    );

    onoff_output #(
        .PORTS (PORTS),
        .VCS   (VCS),
        .FLIT_W(FLIT_W)
    ) u_output (
        .clk_i,
        .rst_i,
        .ask_i     (asked[p*PORTS+:PORTS]),
        .vc_i      (vc),
        .flit_i    (flit),
        .grant_o   (granted[p*PORTS+:PORTS]),
        .held_o    (held[p*VCS+:VCS]),
        .tx_valid_o(tx_valid_o[p]),
        .tx_vc_o   (tx_vc_o[p*VC_W+:VC_W]),
        .tx_flit_o (tx_flit_o[p*FLIT_W+:FLIT_W])
    );
  end

endmodule
