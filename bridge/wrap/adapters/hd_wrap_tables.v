// Keeps the routing tables of a router that forgets them in its reset, and writes them again after each reset.
// SPDX-License-Identifier: Apache-2.0
//
// Heddle writes the tables and then resets the switches for the last time. Its own switch keeps its
// tables (section 2.9). Later writes pass through. A write while entries are still being written
// starts all over. Then entries that were removed are written, too, since the router may have them
// already.
`default_nettype none

module hd_wrap_tables #(
    parameter PORTS = 5,
    parameter NODES = 16
) (
    input  wire        clk,
    input  wire        rst,
    // Heddle's configuration port (section 3.2)
    input  wire        write_i,
    input  wire [19:0] addr_i,
    input  wire [15:0] data_i,
    // the router's configuration port
    input  wire        go_i,     // the router's reset and the idle cycles after it are over
    output reg         write_o,
    output reg  [19:0] addr_o,
    output reg  [15:0] data_o,
    output reg         done_o    // all entries are written
);

  localparam PLACE_W = $clog2(PORTS * NODES);
  reg [12:0] entries_q[0:PORTS*NODES-1];
  integer e;
  initial for (e = 0; e < PORTS * NODES; e = e + 1) entries_q[e] = 13'd0;

  wire is_entry = (addr_i[19:16] == 4'd1) && ({28'd0, addr_i[15:12]} < PORTS) && ({20'd0, addr_i[11:0]} < NODES);
  wire [31:0] written = {28'd0, addr_i[15:12]} * NODES + {20'd0, addr_i[11:0]};
  wire unused = &{1'b0, written[31:PLACE_W]};
  reg [PLACE_W-1:0] place_q;  // the next entry; its port and node are counted along
  reg [3:0] port_q;
  reg [11:0] node_q;
  reg again_q;  // writes all entries, including invalid ones
  wire [12:0] entry = entries_q[place_q];
  wire last_node = {20'd0, node_q} == NODES - 1;

  always @(posedge clk) begin
    if (!rst && write_i && is_entry) entries_q[written[PLACE_W-1:0]] <= data_i[12:0];
    write_o <= !rst && go_i && (done_o ? write_i : entry[12] || again_q);
    addr_o  <= done_o ? addr_i : {4'd1, port_q, node_q};
    data_o  <= done_o ? data_i : {3'd0, entry};
    if (rst || (write_i && is_entry && !done_o)) begin
      place_q <= {PLACE_W{1'b0}};
      port_q  <= 4'd0;
      node_q  <= 12'd0;
      done_o  <= 1'b0;
      again_q <= !rst;
    end else if (go_i && !done_o) begin
      place_q <= place_q + 1'b1;
      port_q  <= last_node ? port_q + 4'd1 : port_q;
      node_q  <= last_node ? 12'd0 : node_q + 12'd1;
      done_o  <= last_node && ({28'd0, port_q} == PORTS - 1);
    end
  end

endmodule

`default_nettype wire
