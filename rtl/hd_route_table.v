// Routing table memory of one input port (§2.7, §3.2).
// SPDX-License-Identifier: Apache-2.0
//
// One synchronous read port, one write port: it maps to block RAM. A read in the
// cycle of a write sees the old contents (§2.2, §3.1). Every entry is 0 at power-up
// and reset leaves them alone (§2.9). Rows at and above NODES cannot be written and
// so always read 0, which is an invalid entry.
`default_nettype none

module hd_route_table #(
    parameter WIDTH = 6,  // bits of a stored entry
    parameter NODES = 64  // 2-2048
) (
    input  wire                     clk,
    // read: the entry is there in the next cycle and stays until the next read
    input  wire                     read_i,
    input  wire [$clog2(NODES)-1:0] read_index_i,
    output wire [        WIDTH-1:0] entry_o,
    // write
    input  wire                     write_i,
    input  wire [$clog2(NODES)-1:0] write_index_i,
    input  wire [        WIDTH-1:0] entry_i
);

  localparam NODE_W = $clog2(NODES);
  localparam ROWS = 1 << NODE_W;

  reg [WIDTH-1:0] mem[0:ROWS-1];
  reg [WIDTH-1:0] entry_q;
  assign entry_o = entry_q;

  integer i;
  initial for (i = 0; i < ROWS; i = i + 1) mem[i] = {WIDTH{1'b0}};

  always @(posedge clk) begin
    if (read_i) entry_q <= mem[read_index_i];
    if (write_i) mem[write_index_i] <= entry_i;
  end

endmodule

`default_nettype wire
