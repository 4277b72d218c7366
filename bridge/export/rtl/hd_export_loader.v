// Writes the routing tables of an exported fabric into its switches after each reset (§3).
// SPDX-License-Identifier: Apache-2.0
//
// The rows come from a ROM that heddle export writes. A row is an address, and data for each
// switch. It is one write into all switches or, with `all_i`, one write for each of their input
// ports. Reading a row takes a cycle, and so does each write.
`default_nettype none

module hd_export_loader #(
    parameter PORTS = 5,  // 2-16
    parameter ROWS  = 2,  // at least 2
    parameter ROW_W = $clog2(ROWS)  // derived, not to be set
) (
    input  wire             clk,
    input  wire             rst,
    // ROM: answers in the cycle after row_o
    output wire [ROW_W-1:0] row_o,
    input  wire             all_i,
    input  wire [     19:0] addr_i,
    // configuration ports of all switches
    output wire             write_o,
    output wire [     19:0] addr_o,
    // all rows are written
    output wire             done_o
);

  localparam [31:0] LAST_ROW = ROWS - 1;
  localparam [31:0] LAST_PORT = PORTS - 1;

  reg [ROW_W-1:0] row_q;
  reg there_q;  // the row was read
  reg done_q;
  reg [3:0] port_q;
  assign row_o = row_q;
  assign write_o = there_q;
  assign addr_o = {addr_i[19:16], all_i ? port_q : addr_i[15:12], addr_i[11:0]};
  assign done_o = done_q;

  always @(posedge clk)
    if (rst) begin
      row_q   <= {ROW_W{1'b0}};
      there_q <= 1'b0;
      done_q  <= 1'b0;
      port_q  <= 4'd0;
    end else if (!there_q) there_q <= !done_q;
    else if (all_i && (port_q != LAST_PORT[3:0])) port_q <= port_q + 4'd1;
    else begin
      row_q   <= row_q + 1'b1;
      there_q <= 1'b0;
      done_q  <= row_q == LAST_ROW[ROW_W-1:0];
      port_q  <= 4'd0;
    end

endmodule

`default_nettype wire
