// Signatures of a fabric's switches, taken at the end of each window while it runs at full clock (§9.7).
// SPDX-License-Identifier: Apache-2.0
//
// The signatures run on from the first cycle to the last: taking them does not clear them, so no cycle is left out. At
// the end of a window all of them are copied at once, and then written into memory one by one, beside the next window.
// Where the window is too short for that, or the memory is full, nothing more is taken: `overrun_o`.
`default_nettype none

module hd_windows #(
    parameter SIGNATURES = 24,   // of all switches, at least 2
    parameter WORDS      = 1024  // memory, a power of two, at least four times as many
) (
    input  wire                     clk,
    input  wire                     rst,
    // one cycle: the fabric is reset and begins anew
    input  wire                     start_i,
    input  wire [             47:0] first_i,       // the fabric's cycle in which signatures begin
    input  wire [              5:0] k_i,           // 2^k cycles a window, k at most 47
    input  wire [             31:0] windows_i,
    output wire                     running_o,     // windows are not all taken
    // fabric: its cycle 0 is the first one with ready_i
    output wire                     fabric_rst_o,
    input  wire                     ready_i,
    output wire                     clear_o,
    output wire                     step_o,
    input  wire [32*SIGNATURES-1:0] signatures_i,
    // signatures in memory are complete_o, less those before given_i, which nobody asks for again
    input  wire [             31:0] given_i,
    output wire [             31:0] complete_o,
    output wire                     overrun_o,
    input  wire [$clog2(WORDS)-1:0] addr_i,        // the word is there in the next cycle
    output wire [             31:0] word_o
);

  localparam ADDR_W = $clog2(WORDS), LEFT_W = $clog2(SIGNATURES + 1);
  localparam [31:0] ALL = SIGNATURES;
  localparam [31:0] FULL = WORDS - 2 * SIGNATURES;  // a window may still be on its way into the memory

  generate
    if (SIGNATURES < 2 || WORDS < 4 * SIGNATURES || (WORDS & (WORDS - 1)) != 0) begin : illegal_words
      hd_windows_WORDS_must_be_a_power_of_two_and_hold_four_windows illegal ();
    end
  endgenerate

  // ── the fabric's time ────────────────────────────────────────────────────────
  // Pins show in cycle c + 1 what cycle c made visible (§6.1), so run_q is a cycle late.
  reg [2:0] reset_q;
  reg run_q;
  reg [47:0] wait_q, at_q, mask_q;
  reg [31:0] windows_q;
  wire waiting = wait_q != 48'd0;
  wire last = at_q == 48'd0;
  assign fabric_rst_o = reset_q != 3'd0;
  assign step_o  = run_q && !waiting && (windows_q != 32'd0);
  assign clear_o = !run_q || waiting;

  reg sample_q;  // the signatures are those of a window's end
  reg overrun_q, full_q;
  reg [LEFT_W-1:0] left_q;  // to be written
  wire write = left_q != {LEFT_W{1'b0}};
  wire late = left_q > {{(LEFT_W - 1) {1'b0}}, 1'b1};
  wire overrun = sample_q && (late || full_q);
  assign overrun_o = overrun_q;
  assign running_o = (windows_q != 32'd0) || sample_q || write;

  always @(posedge clk)
    if (rst) begin
      reset_q   <= 3'd7;
      run_q     <= 1'b0;
      windows_q <= 32'd0;
      sample_q  <= 1'b0;
      overrun_q <= 1'b0;
    end else if (start_i) begin
      reset_q   <= 3'd7;
      run_q     <= 1'b0;
      windows_q <= windows_i;
      sample_q  <= 1'b0;
      overrun_q <= 1'b0;
    end else begin
      if (fabric_rst_o) reset_q <= reset_q - 3'd1;
      run_q <= ready_i && !fabric_rst_o;
      sample_q <= step_o && last;
      if (overrun) overrun_q <= 1'b1;
      if (overrun) windows_q <= 32'd0;
      else if (step_o && last) windows_q <= windows_q - 32'd1;
    end
  always @(posedge clk)
    if (start_i) begin
      wait_q <= first_i;
      mask_q <= ~({48{1'b1}} << k_i);
      at_q   <= ~({48{1'b1}} << k_i);
    end else begin
      if (run_q && waiting) wait_q <= wait_q - 48'd1;
      if (step_o) at_q <= last ? mask_q : at_q - 48'd1;
    end

  // ── into memory ──────────────────────────────────────────────────────────────
  reg [32*SIGNATURES-1:0] copy_q;
  reg [31:0] complete_q;
  assign complete_o = complete_q;
  always @(posedge clk) begin
    full_q <= complete_q - given_i > FULL;
    if (sample_q && !late) copy_q <= signatures_i;  // a late one leaves the rest of the one before
    else copy_q <= copy_q >> 32;
    if (rst || start_i) begin
      left_q <= {LEFT_W{1'b0}};
      complete_q <= 32'd0;
    end else begin
      if (sample_q && !overrun) left_q <= ALL[LEFT_W-1:0];
      else if (write) left_q <= left_q - 1'b1;
      if (write) complete_q <= complete_q + 32'd1;
    end
  end

  // Nobody reads a word in the cycle in which it is written: complete_q covers it only afterwards.
  (* no_rw_check *) reg [31:0] memory[0:WORDS-1];
  reg [31:0] word_q;
  assign word_o = word_q;
  always @(posedge clk) begin
    if (write) memory[complete_q[ADDR_W-1:0]] <= copy_q[31:0];
    word_q <= memory[addr_i];
  end

endmodule

`default_nettype wire
