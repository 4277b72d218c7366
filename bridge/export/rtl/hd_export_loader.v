// Writes the routing tables of an exported fabric into its switches after each reset (§3).
// SPDX-License-Identifier: Apache-2.0
//
// The rows are in a ROM beside it, which heddle export makes. A row is one write, or the same write for all input ports
// of a switch: `all_i`. After a row with `last_i` comes the next switch. A row takes a cycle to be read, and one for
// each write.
`default_nettype none

module hd_export_loader #(
    parameter PORTS    = 5,  // 2-16
    parameter ROWS     = 2,  // at least 2
    parameter SWITCH_W = 1,  // bits of a switch's number
    parameter ROW_W    = $clog2(ROWS)  // derived, not to be set
) (
    input  wire                clk,
    input  wire                rst,
    // ROM: what it says of a row is there in the next cycle
    output wire [   ROW_W-1:0] row_o,
    input  wire                last_i,
    input  wire                all_i,
    input  wire [        19:0] addr_i,
    input  wire [        15:0] data_i,
    // configuration ports of all switches
    output reg                 write_o,
    output reg  [SWITCH_W-1:0] switch_o,
    output reg  [        19:0] addr_o,
    output reg  [        15:0] data_o,
    // 1: all rows are written
    output reg                 done_o
);

  localparam [31:0] LAST_ROW = ROWS - 1;
  localparam [31:0] LAST_PORT = PORTS - 1;

  reg [ROW_W-1:0] row_q;
  reg there_q;  // the row is read
  reg ended_q;
  reg [3:0] port_q;
  reg [SWITCH_W-1:0] switch_q;
  wire more = all_i && (port_q != LAST_PORT[3:0]);
  assign row_o = row_q;

  always @(posedge clk)
    if (rst) begin
      row_q    <= {ROW_W{1'b0}};
      there_q  <= 1'b0;
      ended_q  <= 1'b0;
      port_q   <= 4'd0;
      switch_q <= {SWITCH_W{1'b0}};
    end else if (!there_q) there_q <= !ended_q;
    else if (more) port_q <= port_q + 4'd1;
    else begin
      there_q <= 1'b0;
      port_q  <= 4'd0;
      row_q   <= row_q + 1'b1;
      ended_q <= row_q == LAST_ROW[ROW_W-1:0];
      if (last_i) switch_q <= switch_q + 1'b1;
    end

  always @(posedge clk) begin
    write_o  <= there_q && !rst;
    done_o   <= ended_q && !rst;
    switch_o <= switch_q;
    addr_o   <= {addr_i[19:16], all_i ? port_q : addr_i[15:12], addr_i[11:0]};
    data_o   <= data_i;
  end

endmodule

`default_nettype wire
