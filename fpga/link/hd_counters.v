// Six 32-bit counters in a block RAM, two words each (§9.3): far smaller than as registers.
// SPDX-License-Identifier: Apache-2.0
//
// An event is noted when it comes and added some cycles later. While `hold_i` nothing is added, so that
// the words that are read fit together; events of one kind come at least 8 cycles apart, of `lost_i` at most
// three while held.
`default_nettype none

module hd_counters (
    input  wire        clk,
    input  wire        rst,
    // events, one cycle each
    input  wire        good_i,
    input  wire        bad_i,
    input  wire        done_i,
    input  wire        again_i,
    input  wire        lost_i,
    input  wire        ran_i,     // cycles_i stays until idle_o
    input  wire [31:0] cycles_i,
    output wire        idle_o,    // all is added
    // while held: the word at the address is there in the next cycle; 0 to 11, lower half first
    input  wire        hold_i,
    input  wire [ 3:0] addr_i,
    output reg  [15:0] word_o
);

  localparam [2:0] GOOD = 0, BAD = 1, DONE = 2, AGAIN = 3, LOST = 4, RAN = 5;
  localparam [1:0] CLEAR = 0, IDLE = 1, READ = 2, WRITE = 3;
  localparam [3:0] LAST = 4'd11;

  (* no_rw_check *) reg [15:0] count[0:15];
  reg [1:0] state_q;
  reg [3:0] at_q;  // word
  reg [5:0] due_q;
  reg [1:0] lost_q, adding_q;  // how many are due, are being added
  reg carry_q;

  reg [2:0] next;  // counter that is due
  always @* begin
    next = RAN;
    if (due_q[LOST]) next = LOST;
    if (due_q[AGAIN]) next = AGAIN;
    if (due_q[DONE]) next = DONE;
    if (due_q[BAD]) next = BAD;
    if (due_q[GOOD]) next = GOOD;
  end
  assign idle_o = (state_q == IDLE) && (due_q == 6'd0);

  // what is added: to the lower half all of it, to the upper one what it leaves
  reg [15:0] more;
  always @*
    if (at_q[3:1] == RAN) more = at_q[0] ? cycles_i[31:16] : cycles_i[15:0];
    else if (at_q[0]) more = 16'd0;
    else more = (at_q[3:1] == LOST) ? {14'd0, adding_q} : 16'd1;
  wire [16:0] sum = {1'b0, word_o} + {1'b0, more} + {16'd0, at_q[0] && carry_q};

  wire write = (state_q == WRITE) || (state_q == CLEAR);
  wire [15:0] written = (state_q == WRITE) ? sum[15:0] : 16'd0;
  always @(posedge clk) begin
    if (write) count[at_q] <= written;
    word_o <= count[hold_i ? addr_i : at_q];
  end

  wire take = (state_q == IDLE) && (due_q != 6'd0) && !hold_i;
  wire [5:0] taken = take ? 6'd1 << next : 6'd0;
  always @(posedge clk)
    if (rst) begin
      state_q <= CLEAR;
      at_q <= 4'd0;
      due_q <= 6'd0;
      lost_q <= 2'd0;
    end else begin
      case (state_q)
        CLEAR: begin
          at_q <= at_q + 4'd1;
          if (at_q == LAST) state_q <= IDLE;
        end
        IDLE:
        if (take) begin
          at_q <= {next, 1'b0};
          adding_q <= lost_q;
          state_q <= READ;
        end
        READ: state_q <= WRITE;
        default: begin
          carry_q <= sum[16];
          at_q[0] <= 1'b1;
          state_q <= at_q[0] ? IDLE : READ;
        end
      endcase
      due_q <= (due_q & ~taken) | {ran_i, lost_i, again_i, done_i, bad_i, good_i};
      if (taken[LOST]) lost_q <= {1'b0, lost_i};
      else if (lost_i) lost_q <= lost_q + 2'd1;
    end

endmodule

`default_nettype wire
