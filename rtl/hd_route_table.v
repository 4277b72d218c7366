// Routing table of one input port: memory and its addresses on the configuration bus (§2.7, §3.2, §10.2).
// SPDX-License-Identifier: Apache-2.0
//
// One synchronous read port, one write port: it maps to block RAM. A read in the cycle of a write sees
// the old contents (§2.2, §3.1). Every entry is 0 at power-up and reset leaves them alone (§2.9). An
// entry is stored as {valid, port, mask}. Where its port or mask is not legal, the stored mask is empty,
// which makes the packet unroutable. With SETS an entry is a set of ports, and a bit above them is not
// stored. There are NODES rows. An index at or above NODES reads as 0: an invalid entry, or an empty
// set.
`default_nettype none

module hd_route_table #(
    parameter       PORTS  = 5,    // 2-16
    parameter       VCS    = 2,    // 1-8
    parameter       NODES  = 64,   // 2-2048
    parameter [3:0] SELECT = 4'd1, // cfg_addr_i[19:16] of this table
    parameter [3:0] PORT   = 4'd0, // cfg_addr_i[15:12] of this table
    parameter       SETS   = 0,    // 1: entries are port sets
    parameter       ENTRY_W = (SETS != 0) ? PORTS : 1 + $clog2(PORTS) + VCS  // derived, not to be set
) (
    input  wire                     clk,
    input  wire                     rst,
    // read: the entry is valid from the next cycle until the next read
    input  wire                     read_i,
    input  wire [$clog2(NODES)-1:0] index_i,
    output wire [      ENTRY_W-1:0] entry_o,
    output wire                     in_range_o,  // 1: the index was below NODES
    // configuration bus
    input  wire                     cfg_write_i,
    input  wire [             19:0] cfg_addr_i,
    input  wire [             15:0] cfg_wdata_i
`ifdef FORMAL
    ,
    output wire [$clog2(NODES)-1:0] f_node_o,   // any one index (the solver chooses it)
    output wire                     f_fresh_o   // 1: the last read was at that index
`endif
);

  localparam NODE_W = $clog2(NODES);

  reg [ENTRY_W-1:0] mem[0:NODES-1];
  reg [ENTRY_W-1:0] entry_q;
  generate
    if (NODES == (1 << NODE_W)) begin : all
      assign in_range_o = 1'b1;
    end else begin : some
      reg in_range_q;
      always @(posedge clk) if (read_i) in_range_q <= {{(32 - NODE_W) {1'b0}}, index_i} < NODES;
      assign in_range_o = in_range_q;
    end
  endgenerate
  assign entry_o = entry_q & {ENTRY_W{in_range_o}};

  // §2.9: devices load 0 into memories at configuration.
  integer i;
  initial for (i = 0; i < NODES; i = i + 1) mem[i] = {ENTRY_W{1'b0}};

  wire [ENTRY_W-1:0] entry;
  generate
    if (SETS != 0) begin : set
      assign entry = cfg_wdata_i[PORTS-1:0];
    end else begin : route
      localparam PORT_W = $clog2(PORTS);
      wire legal = cfg_wdata_i[12] && ({28'd0, cfg_wdata_i[3:0]} < PORTS);
      assign entry = {cfg_wdata_i[12], cfg_wdata_i[PORT_W-1:0], cfg_wdata_i[4+:VCS] & {VCS{legal}}};
    end
  endgenerate
  wire unused_wdata = &{1'b0, cfg_wdata_i};

  always @(posedge clk) begin
    if (read_i) entry_q <= mem[index_i];
    if (cfg_write_i)
      if (!rst && (cfg_addr_i[19:12] == {SELECT, PORT}) && ({20'd0, cfg_addr_i[11:0]} < NODES))
        mem[cfg_addr_i[NODE_W-1:0]] <= entry;
  end

`ifdef FORMAL
  // For any index: a read shows the word that was last written for it before the read (0 if none was, and for indices
  // at and above NODES). It is routable exactly where §2.7 says so of the word as written. A port set is the bits of
  // the word below PORTS.
  (* anyconst *) reg [NODE_W-1:0] f_node;
  reg [15:0] f_word = 16'd0;  // the word as written
  reg [15:0] f_read = 16'd0;  // the same at the last read
  reg f_fresh = 1'b0;  // 1: the last read was at f_node
  assign f_node_o = f_node;
  assign f_fresh_o = f_fresh;
  wire f_hit = (cfg_addr_i == {SELECT, PORT, {(12 - NODE_W) {1'b0}}, f_node}) && (f_node < NODES);
  always @(posedge clk) begin
    if (cfg_write_i && !rst && f_hit) f_word <= cfg_wdata_i;
    if (read_i) begin
      f_fresh <= index_i == f_node;
      f_read  <= f_word;
    end
  end
  always @* if (f_fresh) assert (in_range_o == (f_node < NODES));
  generate
    if (SETS != 0) begin : f_set
      always @* begin
        if (f_node < NODES) assert (mem[f_node] == f_word[PORTS-1:0]);
        else assert (f_word == 16'd0 && f_read == 16'd0);
        if (f_fresh) assert (entry_o == f_read[PORTS-1:0]);
      end
    end else begin : f_route
      localparam PORT_W = $clog2(PORTS);
      wire f_legal = f_read[12] && (f_read[3:0] < PORTS) && (f_read[4+:VCS] != {VCS{1'b0}});
      always @* begin
        if (f_node < NODES) begin
          assert (mem[f_node][ENTRY_W-1] == f_word[12]);
          assert (mem[f_node][VCS+:PORT_W] == f_word[PORT_W-1:0]);
          assert (mem[f_node][VCS-1:0] == ((f_word[12] && (f_word[3:0] < PORTS)) ? f_word[4+:VCS] : 0));
        end else assert (f_word == 16'd0 && f_read == 16'd0);
        if (f_fresh) begin
          assert (entry_o[ENTRY_W-1] == f_read[12]);
          assert ((entry_o[VCS-1:0] != {VCS{1'b0}}) == f_legal);
          if (f_legal) assert (entry_o == {1'b1, f_read[PORT_W-1:0], f_read[4+:VCS]});
        end
      end
    end
  endgenerate
`endif

endmodule

`default_nettype wire
