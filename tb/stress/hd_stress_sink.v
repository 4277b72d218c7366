// Random neighbour that takes flits from one output port of a switch and gives credits back.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_stress_sink #(
    parameter VCS      = 2,
    parameter VC_W     = 1,
    parameter ADAPTIVE = 0,
    parameter BARRIER  = 0,
    parameter STREAM   = 100
) (
    input  wire            clk,
    input  wire            rst,               // reset of the bench, with seed_i
    input  wire            switch_rst_i,      // reset of the switch: no credits are owed after it
    input  wire [    63:0] seed_i,
    // traffic
    input  wire [     7:0] pace_i,            // probability that a credit is returned, in 256ths; 255: always
    input  wire            keep_i,            // no credits are returned for one channel
    input  wire            illegal_i,         // credits that are not owed are sent, too
    // link
    input  wire            valid_i,
    input  wire [     2:0] kind_i,
    input  wire [VC_W-1:0] vc_i,
    output reg  [ VCS-1:0] credit_o,
    output reg             barrier_credit_o,
    output reg  [     6:0] count_o
);

  localparam BESIDE = (BARRIER == 1) || (BARRIER == 2);
  localparam [2:0] LAST = 3'd5, NULL = 3'd7;

  wire [63:0] chance;
  hd_xorshift #(
      .STREAM(STREAM)
  ) u_chance (
      .clk(clk),
      .rst(rst),
      .seed_i(seed_i),
      .word_o(chance)
  );
  wire takes_slot = valid_i && (!BESIDE || !kind_i[2] || (kind_i == NULL));
  // The channel without credits is drawn when keep_i begins.
  reg [2:0] kept_q;
  reg kept_before_q;
  always @(posedge clk) begin
    kept_before_q <= keep_i;
    if (keep_i && !kept_before_q) kept_q <= chance[34:32];
  end
  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : channel
      localparam [31:0] NUMBER = v;
      localparam SHIFT = 5 * v;
      reg [7:0] owed_q;
      wire [7:0] luck = chance[SHIFT+:8] ^ {chance[63:61], 5'd0};
      wire comes = takes_slot && (vc_i == NUMBER[VC_W-1:0]);
      wire kept = keep_i && (kept_q == NUMBER[2:0]);
      wire gives = (owed_q != 8'd0) && !kept && ((pace_i == 8'd255) || (luck < pace_i));
      wire stray = illegal_i && (luck == 8'd77);
      always @(posedge clk)
        if (rst || switch_rst_i) begin
          owed_q <= 8'd0;
          credit_o[v] <= 1'b0;
        end else begin
          if (comes && !gives && (owed_q != 8'd255)) owed_q <= owed_q + 8'd1;
          if (!comes && gives) owed_q <= owed_q - 8'd1;
          credit_o[v] <= gives || stray;
        end
    end
    if (BARRIER != 0) begin : barrier
      reg [3:0] owed_q;
      wire comes = valid_i && (kind_i == LAST);
      wire gives = (owed_q != 4'd0) && ((pace_i == 8'd255) || (chance[47:40] < pace_i));
      always @(posedge clk)
        if (rst || switch_rst_i) begin
          owed_q <= 4'd0;
          barrier_credit_o <= 1'b0;
        end else begin
          if (comes && !gives && (owed_q != 4'd15)) owed_q <= owed_q + 4'd1;
          if (!comes && gives) owed_q <= owed_q - 4'd1;
          barrier_credit_o <= gives || (illegal_i && (chance[47:40] == 8'd77));
        end
    end else begin : no_barrier
      always @(posedge clk) barrier_credit_o <= 1'b0;
      wire unused_last = &{1'b0, LAST};
    end
    if (ADAPTIVE == 2) begin : counts
      // Counts are drawn from few values, so that neighbours often show equal ones (§10.8).
      wire shows = chance[50:48] == 3'd0;
      always @(posedge clk)
        if (rst || switch_rst_i) count_o <= 7'd0;
        else count_o <= shows ? {1'b1, chance[56:53] & {4{chance[51]}}, chance[58:57]} : 7'd0;
    end else begin : no_counts
      always @(posedge clk) count_o <= 7'd0;
    end
  endgenerate
  wire unused_bits = &{1'b0, chance, kind_i, kept_q, NULL};

endmodule

`default_nettype wire
