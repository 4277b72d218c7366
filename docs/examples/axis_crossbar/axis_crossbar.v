// A crossbar of AXI streams: every input reaches every output, packet by packet.
// SPDX-License-Identifier: Apache-2.0
//
// tdest names a destination and stays the same for all beats of a packet, which ends with tlast. A table,
// written through route_*, says by which output it leaves. tid and tdest are handed on as they came. Inputs
// and outputs are registered both ways. Each output takes packets from the inputs in turn.
`default_nettype none

module axis_crossbar #(
    parameter PORTS  = 4,
    parameter DATA_W = 16,
    parameter ID_W   = 4,
    parameter DEST_W = 4,
    parameter PORT_W = (PORTS > 1) ? $clog2(PORTS) : 1
) (
    input wire clk,
    input wire rst,

    input wire              route_write,
    input wire [DEST_W-1:0] route_dest,
    input wire [PORT_W-1:0] route_output,

    input  wire [       PORTS-1:0] s_axis_tvalid,
    output wire [       PORTS-1:0] s_axis_tready,
    input  wire [PORTS*DATA_W-1:0] s_axis_tdata,
    input  wire [       PORTS-1:0] s_axis_tlast,
    input  wire [  PORTS*ID_W-1:0] s_axis_tid,
    input  wire [PORTS*DEST_W-1:0] s_axis_tdest,

    output wire [       PORTS-1:0] m_axis_tvalid,
    input  wire [       PORTS-1:0] m_axis_tready,
    output wire [PORTS*DATA_W-1:0] m_axis_tdata,
    output wire [       PORTS-1:0] m_axis_tlast,
    output wire [  PORTS*ID_W-1:0] m_axis_tid,
    output wire [PORTS*DEST_W-1:0] m_axis_tdest
);

  localparam BEAT_W = DATA_W + 1 + ID_W + DEST_W;  // {tdata, tlast, tid, tdest}

  reg [PORT_W-1:0] route_reg[0:2**DEST_W-1];
  always @(posedge clk) if (route_write) route_reg[route_dest] <= route_output;

  wire [PORTS-1:0] in_valid, in_ready, in_last;
  wire [PORTS*BEAT_W-1:0] in_beat;
  wire [PORTS*PORT_W-1:0] in_output;  // by which it leaves
  wire [PORTS*PORTS-1:0] taken;  // [output*PORTS + input]: the output takes this input's beat

  genvar i, o;
  generate
    for (i = 0; i < PORTS; i = i + 1) begin : s
      wire [PORTS-1:0] by_output;

      axis_register #(
          .WIDTH(BEAT_W)
      ) u_register (
          .clk     (clk),
          .rst     (rst),
          .s_tvalid(s_axis_tvalid[i]),
          .s_tready(s_axis_tready[i]),
          .s_beat  ({s_axis_tdata[i*DATA_W+:DATA_W], s_axis_tlast[i], s_axis_tid[i*ID_W+:ID_W], s_axis_tdest[i*DEST_W+:DEST_W]}),
          .m_tvalid(in_valid[i]),
          .m_tready(in_ready[i]),
          .m_beat  (in_beat[i*BEAT_W+:BEAT_W])
      );

      assign in_output[i*PORT_W+:PORT_W] = route_reg[in_beat[i*BEAT_W+:DEST_W]];
      assign in_last[i] = in_beat[i*BEAT_W+ID_W+DEST_W];
      for (o = 0; o < PORTS; o = o + 1) begin : output_port
        assign by_output[o] = taken[o*PORTS+i];
      end
      assign in_ready[i] = by_output != 0;
    end

    for (o = 0; o < PORTS; o = o + 1) begin : m
      wire [PORTS-1:0] request, chosen;
      wire valid = chosen != 0;
      wire ready;
      reg [BEAT_W-1:0] beat;
      integer k;

      for (i = 0; i < PORTS; i = i + 1) begin : input_port
        assign request[i] = in_valid[i] && (in_output[i*PORT_W+:PORT_W] == o);
      end

      axis_arbiter #(
          .PORTS(PORTS)
      ) u_arbiter (
          .clk    (clk),
          .rst    (rst),
          .request(request),
          .beat   (valid && ready),
          .last   ((chosen & in_last) != 0),
          .chosen (chosen)
      );

      always @* begin
        beat = {BEAT_W{1'b0}};
        for (k = 0; k < PORTS; k = k + 1) if (chosen[k]) beat = beat | in_beat[k*BEAT_W+:BEAT_W];
      end
      assign taken[o*PORTS+:PORTS] = ready ? chosen : {PORTS{1'b0}};

      axis_register #(
          .WIDTH(BEAT_W)
      ) u_register (
          .clk     (clk),
          .rst     (rst),
          .s_tvalid(valid),
          .s_tready(ready),
          .s_beat  (beat),
          .m_tvalid(m_axis_tvalid[o]),
          .m_tready(m_axis_tready[o]),
          .m_beat  ({m_axis_tdata[o*DATA_W+:DATA_W], m_axis_tlast[o], m_axis_tid[o*ID_W+:ID_W], m_axis_tdest[o*DEST_W+:DEST_W]})
      );
    end
  endgenerate

endmodule

`default_nettype wire
