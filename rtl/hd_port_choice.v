// Chooses an output port for one input port; has the generator that draws among equal ports (§10.3, §10.4).
// SPDX-License-Identifier: Apache-2.0
//
// The port set of a head is read in the cycle after its arrival, and the port is chosen in the same cycle. `best` is T
// of §10.4. The drawn number depends on the generator and on the size of T. It is prepared for every size before the
// set is known. So only a count and a comparison lie between the set and the port.
//
// Invariant: the generator is never 0.
`default_nettype none

module hd_port_choice #(
    parameter       PORTS = 5,    // 2-16
    parameter [3:0] PORT  = 4'd0  // this input port
) (
    input  wire                     clk,
    input  wire                     rst,
    // 1: a head or single of mode 0 chooses a port; its port set
    input  wire                     choose_i,
    input  wire [        PORTS-1:0] set_i,
    // [o*PORTS + q]: port o is less congested than port q (§10.4); 1: ADAPT has a channel
    input  wire [  PORTS*PORTS-1:0] freer_i,
    input  wire                     adapt_some_i,
    // 1: a port was chosen; its number
    output wire                     chosen_o,
    output reg  [$clog2(PORTS)-1:0] port_o,
    // configuration bus
    input  wire                     cfg_write_i,
    input  wire [             19:0] cfg_addr_i,
    input  wire [             15:0] cfg_wdata_i,
    // §10.6
    output wire [             15:0] generator_o
);

  localparam PORT_W = $clog2(PORTS);
  localparam [3:0] SELECT = 4'd5;
  localparam [15:0] SEED = {12'd0, PORT} + 16'd1;
  localparam [PORTS-1:0] NOBODY = {PORTS{1'b0}};

  // generator (§10.3)
  reg [15:0] generator_q;
  assign generator_o = generator_q;
  function [15:0] stepped(input [15:0] from);
    integer k;
    begin
      stepped = from;
      for (k = 0; k < 8; k = k + 1) stepped = {1'b0, stepped[15:1]} ^ (16'hB400 & {16{stepped[0]}});
    end
  endfunction
  wire write = cfg_write_i && (cfg_addr_i == {SELECT, PORT, 12'd0});
  always @(posedge clk)
    if (rst) generator_q <= SEED;
    else if (write) generator_q <= (cfg_wdata_i == 16'd0) ? 16'd1 : cfg_wdata_i;
    else if (chosen_o) generator_q <= stepped(generator_q);

  assign chosen_o = choose_i && adapt_some_i && (set_i != NOBODY);

  // The ports of T, and how many of them are below each port, as a one-hot number: so a port adds a choice of two.
  wire [PORTS-1:0] best;
  wire [PORTS:0] total;
  genvar o, q, n, k;
  generate
    for (o = 0; o < PORTS; o = o + 1) begin : port
      wire [PORTS-1:0] freer;
      for (q = 0; q < PORTS; q = q + 1) begin : from
        assign freer[q] = set_i[q] && freer_i[q*PORTS+o];
      end
      assign best[o] = set_i[o] && (freer == NOBODY);
      wire [PORTS:0] below;
      if (o == 0) begin : lowest
        assign below = {NOBODY, 1'b1};
      end else begin : higher
        assign below = best[o-1] ? port[o-1].below << 1 : port[o-1].below;
      end
    end
  endgenerate
  assign total = best[PORTS-1] ? port[PORTS-1].below << 1 : port[PORTS-1].below;

  // the number to draw for every possible size of T; the one for the size of this T
  wire [PORTS*PORTS-1:0] drawn;
  generate
    for (n = 1; n <= PORTS; n = n + 1) begin : draw
      localparam [31:0] SIZE = n;
      wire [12:0] product = {5'd0, generator_q[7:0]} * {8'd0, SIZE[4:0]};
      for (k = 0; k < PORTS; k = k + 1) begin : number
        assign drawn[(n-1)*PORTS+k] = product[12:8] == k[4:0];
      end
      wire unused_product = &{1'b0, product[7:0]};
    end
  endgenerate
  reg [PORTS-1:0] number;
  integer s;
  always @* begin
    number = NOBODY;
    for (s = 1; s <= PORTS; s = s + 1) number = number | ({PORTS{total[s]}} & drawn[(s-1)*PORTS+:PORTS]);
  end
  wire [PORTS-1:0] picked;
  generate
    for (o = 0; o < PORTS; o = o + 1) begin : pick
      assign picked[o] = best[o] && ((port[o].below[PORTS-1:0] & number) != NOBODY);
    end
  endgenerate
  wire unused_count = &{1'b0, total[0], port[PORTS-1].below[PORTS]};
  integer i;
  always @* begin
    port_o = {PORT_W{1'b0}};
    for (i = 1; i < PORTS; i = i + 1) port_o = port_o | ({PORT_W{picked[i]}} & i[PORT_W-1:0]);
  end

`ifdef FORMAL
  // 1 a port is chosen exactly when there is a head, a set and a channel
  // 2 it is in the set, no other in the set is less congested, and its rank is the
  //   one that §10.4 computes
  // 3 the generator is 1 + PORT after reset, never 0, takes what is written, and
  //   otherwise makes its steps exactly when a port is chosen
  reg f_started = 1'b0;
  reg [15:0] f_generator_q = SEED;
  reg [PORTS-1:0] f_best;
  reg [4:0] f_size, f_rank;
  reg [12:0] f_drawn;
  reg [15:0] f_next;
  integer f_k, f_m;
  always @* begin
    f_best  = NOBODY;
    f_size  = 5'd0;
    f_rank  = 5'd0;
    for (f_k = 0; f_k < PORTS; f_k = f_k + 1) begin
      f_best[f_k] = set_i[f_k];
      for (f_m = 0; f_m < PORTS; f_m = f_m + 1)
        if (set_i[f_m] && freer_i[f_m*PORTS+f_k]) f_best[f_k] = 1'b0;
      if (f_best[f_k]) f_size = f_size + 5'd1;
      if (f_best[f_k] && (f_k < port_o)) f_rank = f_rank + 5'd1;
    end
    f_drawn = generator_q[7:0] * f_size;
    f_next  = generator_q;
    for (f_k = 0; f_k < 8; f_k = f_k + 1) f_next = f_next[0] ? (f_next >> 1) ^ 16'hB400 : f_next >> 1;
  end
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_generator_q <= rst ? 16'd1 + PORT :
        (cfg_write_i && (cfg_addr_i == {4'd5, PORT, 12'd0})) ? ((cfg_wdata_i == 0) ? 16'd1 : cfg_wdata_i) :
        (choose_i && adapt_some_i && (set_i != NOBODY)) ? f_next : generator_q;
  end
`ifdef FORMAL_hd_port_choice
  (* anyseq *) wire [PORTS*4-1:0] f_free;  // the measure that is compared: any number for every port
  integer f_o, f_q;
  always @*
    for (f_o = 0; f_o < PORTS; f_o = f_o + 1)
      for (f_q = 0; f_q < PORTS; f_q = f_q + 1)
        assume (freer_i[f_o*PORTS+f_q] == (f_free[f_o*4+:4] > f_free[f_q*4+:4]));
`endif
  always @* begin
    if (!f_started) assume (rst);
    if (f_started) begin
      assert (generator_q != 16'd0);
      assert (generator_q == f_generator_q);
      assert (chosen_o == (choose_i && adapt_some_i && (set_i != NOBODY)));
`ifdef FORMAL_hd_port_choice
      if (chosen_o) begin
        assert ((port_o < PORTS) && set_i[port_o] && f_best[port_o]);
        assert (f_rank == f_drawn[12:8]);
      end
`endif
    end
  end
`endif

endmodule

`default_nettype wire
