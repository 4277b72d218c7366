// Computes output port and channels of a packet from its header and the registers of the switch (§12.2-12.5).
// SPDX-License-Identifier: Apache-2.0
//
// Combinational. The header is that of a head or single. An empty mask means that the packet is unroutable. Parameters
// say where the fields of a node number begin, so a mesh costs one comparison for each dimension. A register says where
// the digits of a tree begin, because that differs between stages.
`default_nettype none

module hd_route_compute #(
    parameter PORTS        = 5,   // 2-16
    parameter VCS          = 2,   // 1-8
    parameter DATA_W       = 16,  // 16, 32, 64
    parameter NODES        = 64,  // nodes, 2-65536
    parameter ROUTE        = 1,   // 1-4: mesh, torus, hypercube, digits
    parameter FIELDS       = 1,   // ROUTE 1, 2: bits of a node number at which a coordinate begins
    parameter SOURCE_TABLE = 0,   // 0-1: with 1, packets of mode 1 choose their way up by the source
    parameter BARRIER      = 0    // 0-5: with 5, packets never use channel VCS - 1
) (
    input  wire [       DATA_W-1:0] data_i,
    // registers of §12.6
    input  wire [$clog2(NODES)-1:0] own_i,
    input  wire [$clog2(NODES)-1:0] far_i,
    input  wire [$clog2(NODES)-1:0] below_i,
    input  wire [             15:0] digits_i,
    // route
    output wire [$clog2(PORTS)-1:0] port_o,
    output wire [          VCS-1:0] mask_o
);

  localparam PORT_W = $clog2(PORTS);
  localparam NODE_W = $clog2(NODES);
  localparam ROUTE_TORUS = 2, ROUTE_HYPERCUBE = 3, ROUTE_DIGITS = 4;  // §12.1
  localparam BARRIER_RESERVED = 5;  // §7.1
  localparam [31:0] PACKET_VCS = VCS - ((BARRIER == BARRIER_RESERVED) ? 1 : 0);
  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [VCS-1:0] ALL = ~((BARRIER == BARRIER_RESERVED) ? NONE | (1 << (VCS - 1)) : NONE);
  // channels of class 0 (§5.24): the lower half, or none if there is one channel only
  localparam [VCS-1:0] CLASS_0 = ALL & ~(ALL << (PACKET_VCS / 2));

  // number of fields that begin below bit n; first bit of field d, NODE_W if there is no field d
  function integer fields_below(input [31:0] begins, input integer n);
    integer i;
    begin
      fields_below = 0;
      for (i = 0; i < n; i = i + 1) if (begins[i]) fields_below = fields_below + 1;
    end
  endfunction
  function integer first_bit(input [31:0] begins, input integer d);
    integer i;
    begin
      first_bit = NODE_W;
      for (i = NODE_W - 1; i >= 0; i = i - 1) if (begins[i] && (fields_below(begins, i) == d)) first_bit = i;
    end
  endfunction

  wire [1:0] mode = data_i[1:0];
  wire [NODE_W-1:0] destination = data_i[2+:NODE_W];
  wire in_range;
  generate
    if (NODES == (1 << NODE_W)) begin : all
      assign in_range = 1'b1;
    end else begin : some
      assign in_range = {{(32 - NODE_W) {1'b0}}, destination} < NODES;
    end
  endgenerate

  wire [4:0] port;  // with digits, this may be no existing port
  wire [VCS-1:0] mask;
  wire known;  // 1: routes of this mode are computed
  genvar d;
  generate
    if (ROUTE == ROUTE_DIGITS) begin : digits
      wire [15:0] to = {{(16 - NODE_W) {1'b0}}, destination};
      wire [15:0] up_by;  // node whose digit selects the port up
      if (SOURCE_TABLE != 0) begin : source
        assign up_by = mode[0] ? {{(16 - NODE_W) {1'b0}}, data_i[2+NODE_W+:NODE_W]} : to;
        assign known = !mode[1];
      end else begin : no_source
        assign up_by = to;
        assign known = mode == 2'd0;
      end
      wire below = ((destination ^ own_i) & below_i) == {NODE_W{1'b0}};
      wire [3:0] down_first = digits_i[3:0], down_mask = digits_i[7:4];
      wire [3:0] up_first = digits_i[11:8], up_mask = digits_i[15:12];
      wire [15:0] down = to >> down_first, up = up_by >> up_first;
      wire [4:0] first_up = {1'b0, up_mask} + 5'd1;
      assign port = below ? {1'b0, down[3:0] & down_mask} : first_up | {1'b0, up[3:0] & up_mask};
      assign mask = ALL;
      wire unused_digits = &{1'b0, far_i, down[15:4], up[15:4]};
    end else begin : coordinates
      // The lowest dimension that differs decides: one that does not differ passes on what the higher ones decide.
      localparam [31:0] BEGINS = (ROUTE == ROUTE_HYPERCUBE) ? (1 << NODE_W) - 1 : FIELDS;
      localparam DIMENSIONS = fields_below(BEGINS, NODE_W);
      assign known = mode == 2'd0;
      for (d = 0; d < DIMENSIONS; d = d + 1) begin : dimension
        localparam FIRST = first_bit(BEGINS, d);
        localparam WIDTH = first_bit(BEGINS, d + 1) - FIRST;
        localparam [31:0] UP = (ROUTE == ROUTE_HYPERCUBE) ? 1 + d : 1 + 2 * d;
        localparam [31:0] DOWN = (ROUTE == ROUTE_HYPERCUBE) ? 1 + d : 2 + 2 * d;
        wire [WIDTH-1:0] to = destination[FIRST+:WIDTH];
        wire [WIDTH-1:0] at = own_i[FIRST+:WIDTH];
        wire higher = to > at;
        wire up;
        wire [VCS-1:0] channels;
        if (ROUTE == ROUTE_TORUS) begin : ring
          wire [WIDTH-1:0] farthest = far_i[FIRST+:WIDTH];
          wire beyond = to > farthest;
          assign up = (farthest >= at) ? higher && !beyond : higher || !beyond;
          assign channels = ((PACKET_VCS < 2) || (up == higher)) ? ALL & ~CLASS_0 : CLASS_0;
        end else begin : row
          assign up = higher;
          assign channels = ALL;
        end
        wire [4:0] way, way_above;
        wire [VCS-1:0] mask_above;
        wire [VCS-1:0] mask_here;
        if (d == DIMENSIONS - 1) begin : last
          assign way_above = 5'd0;
          assign mask_above = ALL;
        end else begin : inner
          assign way_above = dimension[d+1].way;
          assign mask_above = dimension[d+1].mask_here;
        end
        assign way = (to == at) ? way_above : up ? UP[4:0] : DOWN[4:0];
        assign mask_here = (to == at) ? mask_above : channels;
      end
      assign port = dimension[0].way;
      assign mask = dimension[0].mask_here;
      wire unused_coordinates = &{1'b0, below_i, digits_i, far_i};
    end
  endgenerate

  // mode 2 goes by the header (§2.7)
  wire [PORT_W-1:0] header_port = data_i[2+:PORT_W];
  wire by_header = mode == 2'd2;
  wire is_port = by_header ? {{(32 - PORT_W) {1'b0}}, header_port} < PORTS : known && in_range && ({27'd0, port} < PORTS);
  assign port_o = by_header ? header_port : port[PORT_W-1:0];
  assign mask_o = (by_header ? ALL : mask) & {VCS{is_port}};
  wire unused_data = &{1'b0, data_i, port};

`ifdef FORMAL
  // The route is that of §12.2-12.5, computed here as the text says: a number is cut into fields from the lowest on.
  wire [15:0] f_to = destination, f_own = own_i, f_far = far_i, f_below = below_i;
  wire [15:0] f_source = data_i >> (2 + NODE_W);
  reg [15:0] f_y, f_x, f_f, f_bits, f_port;
  reg f_decided, f_up;
  reg [VCS-1:0] f_mask, f_all, f_class_0;
  integer f_b, f_d;
  always @* begin
    f_port = 16'd0;
    f_all = NONE;
    f_class_0 = NONE;
    for (f_b = 0; f_b < PACKET_VCS; f_b = f_b + 1) f_all[f_b] = 1'b1;
    for (f_b = 0; f_b < PACKET_VCS / 2; f_b = f_b + 1) f_class_0[f_b] = 1'b1;
    f_mask = f_all;
    f_decided = 1'b0;
    f_up = 1'b0;
    f_d = -1;
    f_y = 16'd0;
    f_x = 16'd0;
    f_f = 16'd0;
    f_bits = 16'd0;
    if (ROUTE == ROUTE_DIGITS) begin
      if (((f_to ^ f_own) & f_below) == 16'd0) f_port = (f_to >> digits_i[3:0]) & digits_i[7:4];
      else begin
        f_bits = ((mode == 2'd1) ? f_source & ((17'd1 << NODE_W) - 17'd1) : f_to) >> digits_i[11:8];
        f_port = (digits_i[15:12] + 16'd1) | (f_bits & digits_i[15:12]);
      end
    end else if (ROUTE == ROUTE_HYPERCUBE) begin
      for (f_b = NODE_W - 1; f_b >= 0; f_b = f_b - 1) if (f_to[f_b] != f_own[f_b]) f_port = f_b + 1;
    end else
      for (f_b = 0; f_b < NODE_W; f_b = f_b + 1) begin
        // the field that begins here: all bits up to the next bit that is 1 in FIELDS
        if ((FIELDS >> f_b) & 1) begin
          f_d = f_d + 1;
          f_bits = 16'd0;
          f_bits[f_b] = 1'b1;
        end else f_bits[f_b] = 1'b1;
        if (!f_decided && ((f_b == NODE_W - 1) || ((FIELDS >> (f_b + 1)) & 1))) begin
          f_y = f_to & f_bits;
          f_x = f_own & f_bits;
          f_f = f_far & f_bits;
          if (f_y != f_x) begin
            f_decided = 1'b1;
            if (ROUTE != ROUTE_TORUS) f_up = f_y > f_x;
            else if (f_f >= f_x) f_up = (f_y > f_x) && !(f_y > f_f);
            else f_up = (f_y > f_x) || !(f_y > f_f);
            f_port = f_up ? 1 + 2 * f_d : 2 + 2 * f_d;
            if ((ROUTE == ROUTE_TORUS) && (PACKET_VCS >= 2))
              f_mask = (f_up == (f_y > f_x)) ? f_all & ~f_class_0 : f_class_0;
          end
        end
      end
    if ((f_to >= NODES) || (f_port >= PORTS)) f_mask = NONE;
    if (mode == 2'd2) begin
      f_port = header_port;
      f_mask = (f_port < PORTS) ? f_all : NONE;
    end else if ((mode == 2'd3) || ((mode == 2'd1) && (SOURCE_TABLE == 0))) f_mask = NONE;
  end
  always @* begin
    assert (mask_o == f_mask);
    if (f_mask != NONE) assert (port_o == f_port);
  end
`endif

endmodule

`default_nettype wire
