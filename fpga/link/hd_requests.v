// Carries out requests: looks at them, moves words, starts the player, writes the answer (§9.2, §9.3).
// SPDX-License-Identifier: Apache-2.0
//
// Requests and answers lie in memories of bytes. An answer stays in its memory until the next request is carried
// out, so that it can be sent again; refusals have a place of their own behind it.
`default_nettype none

module hd_requests #(
    parameter        SWITCHES_ON_BOARD = 1,
    parameter        PORTS             = 3,
    parameter        DATA_W            = 16,
    parameter        IN_WORDS          = 1024,  // a power of two, at most 32,768
    parameter        OUT_WORDS         = 1024,  // likewise
    parameter        CLOCK_KHZ         = 12000,
    parameter [63:0] BUILD             = 64'd0
) (
    input  wire        clk,
    input  wire        rst,
    // frames
    input  wire        got_i,
    input  wire        bad_i,
    input  wire        lost_i,
    input  wire [ 8:0] length_i,  // without CRC
    output wire        busy_o,
    output wire        send_o,
    output wire [ 8:0] send_base_o,
    output wire [ 8:0] send_length_o,
    input  wire        sending_i,
    // request: the byte at the address is there in the next cycle
    output wire [ 8:0] request_addr_o,
    input  wire [ 7:0] request_byte_i,
    // answer
    output wire        answer_write_o,
    output wire [ 8:0] answer_addr_o,
    output wire [ 7:0] answer_byte_o,
    // stimulus memory
    output wire        in_write_o,
    output wire [$clog2(IN_WORDS)-1:0] in_addr_o,
    output wire [15:0] in_word_o,
    // answer memory of words: the word at the address is there in the next cycle
    output wire [$clog2(OUT_WORDS)-1:0] out_addr_o,
    input  wire [15:0] out_word_i,
    // player
    output reg         play_o,
    output reg         reset_o,
    output wire        record_o,
    output reg  [ 4:0] switch_o,  // 16: all
    input  wire        playing_i,
    input  wire [ 2:0] flags_i,
    input  wire [$clog2(OUT_WORDS):0] words_i,
    input  wire [31:0] cycles_i,
    input  wire [32*(PORTS*(DATA_W/16)+1)-1:0] signatures_i
);

  localparam LANES = DATA_W / 16;
  localparam SIGNATURES = PORTS * LANES + 1;
  localparam IN_W = $clog2(IN_WORDS), OUT_W = $clog2(OUT_WORDS);
  localparam [31:0] IN_N = IN_WORDS, OUT_N = OUT_WORDS, BOARD_N = SWITCHES_ON_BOARD, LANE_N = LANES,
      KHZ = CLOCK_KHZ, SIGNATURE_BYTES = 4 * SIGNATURES;
  localparam J_W = $clog2(4 * SIGNATURES);

  // requests, §9.3
  localparam [7:0] HELLO = 0, ECHO = 1, RESET = 2, LOAD = 3, RUN = 4, FETCH = 5, COUNTERS = 6;
  // refusals, §9.2
  localparam [7:0] UNKNOWN_OP = 1, LENGTH = 2, EPOCH = 3, NO_SWITCH = 4, BEYOND = 5, ORDER = 6;
  localparam [8:0] HEADER = 4, RUN_HEADER = HEADER + 8, REFUSAL = 504;
  localparam LONGEST = 504;  // bytes of an answer without CRC

  localparam [3:0] IDLE = 0, HEAD = 1, DECIDE = 2, LOW = 3, HIGH = 4, STORE = 5, START = 6, WAIT = 7,
      READ = 8, WRITE = 9, REFUSE = 10, SEND = 11, SENDING = 12;

  reg [3:0] state_q;
  reg [8:0] length_q, at_q;  // of the request; place in request or answer
  reg [8:0] total_q, last_total_q;  // bytes of the answer
  reg [8:0] base_q;
  reg [7:0] seq_q, op_q, last_seq_q, last_op_q, low_q, code_q;
  reg [15:0] asked_q, epoch_q;  // epoch of the request, of the board
  reg [7:0] arg0_q, arg1_q, arg2_q;  // first bytes of the payload
  reg last_q;  // there is a last request
  reg [15:0] word_q;  // place in a memory of words
  reg again_q, done_q, ran_q;  // for the counters

  assign busy_o = state_q != IDLE;
  assign record_o = arg1_q[0];
  assign send_o = state_q == SEND;
  assign send_base_o = base_q;
  assign send_length_o = total_q;

  // ── what is asked ────────────────────────────────────────────────────────────
  wire [8:0] payload = length_q - HEADER;
  wire again = last_q && (seq_q == last_seq_q) && (op_q == last_op_q) && (op_q != HELLO);
  wire [15:0] first = {arg1_q, arg0_q};
  wire [16:0] load_end = {1'b0, first} + {9'd0, payload[8:1]} - 17'd1;
  wire [16:0] fetch_end = {1'b0, first} + {9'd0, arg2_q};
  wire [16:0] run_words = {9'd0, payload[8:1] - 8'd1};
  wire no_switch = (arg0_q >= BOARD_N[7:0]) && !((op_q == RESET) && (arg0_q == 8'd255));
  // more than a memory's size, a power of two: without a subtraction
  wire load_beyond = (|load_end[16:IN_W+1]) || (load_end[IN_W] && (|load_end[IN_W-1:0]));
  wire fetch_beyond = (|fetch_end[16:OUT_W+1]) || (fetch_end[OUT_W] && (|fetch_end[OUT_W-1:0]));
  wire run_beyond = (|run_words[16:IN_W+1]) || (run_words[IN_W] && (|run_words[IN_W-1:0]));
  reg [7:0] code;
  always @* begin
    code = 8'd0;
    case (op_q)
      HELLO, COUNTERS: if (payload != 9'd0) code = LENGTH;
      ECHO: ;
      RESET: code = (payload != 9'd1) ? LENGTH : no_switch ? NO_SWITCH : 8'd0;
      LOAD:
      code = ((payload < 9'd2) || payload[0]) ? LENGTH : load_beyond ? BEYOND : 8'd0;
      RUN:
      code = ((payload < 9'd2) || payload[0]) ? LENGTH : no_switch ? NO_SWITCH :
          run_beyond ? BEYOND : 8'd0;
      FETCH:
      code = (payload != 9'd3) ? LENGTH : ((arg2_q > 8'd250) || fetch_beyond) ? BEYOND : 8'd0;
      default: code = UNKNOWN_OP;
    endcase
    if ((op_q != HELLO) && last_q && (seq_q != last_seq_q + 8'd1)) code = ORDER;
    if ((op_q != HELLO) && (op_q != ECHO) && (asked_q != epoch_q)) code = EPOCH;
  end

  // ── the answer, byte by byte ─────────────────────────────────────────────────
  wire [4:0] i = at_q[4:0] - HEADER[4:0];  // in a payload of 24 bytes
  wire [J_W-1:0] j = at_q[J_W-1:0] - RUN_HEADER[J_W-1:0];  // behind a run's first eight bytes
  wire [191:0] hello = {
    BUILD, 16'd0, LANE_N[7:0], OUT_N[15:0], IN_N[15:0], KHZ, BOARD_N[7:0], 8'h01, 24'h4c4448
  };
  wire [15:0] count;
  wire counted;
  wire [15:0] words = {{(15 - OUT_W) {1'b0}}, words_i};
  wire [63:0] ran = {cycles_i, words, 8'd0, 5'd0, flags_i};
  wire [95:0] header = {ran, epoch_q, op_q | 8'h80, seq_q};
  wire [8:0] before_words = (op_q == RUN) ? RUN_HEADER + SIGNATURE_BYTES[8:0] : HEADER;
  wire signature = (op_q == RUN) && (at_q >= RUN_HEADER) && (at_q < before_words);
  wire of_word = (op_q == FETCH) || (op_q == RUN);
  wire [7:0] half = (before_words[0] ^ at_q[0]) ? out_word_i[15:8] : out_word_i[7:0];
  reg [7:0] said;
  always @* begin
    if ((at_q < HEADER) || ((op_q == RUN) && (at_q < RUN_HEADER))) said = header[8*at_q[3:0]+:8];
    else if (op_q == HELLO) said = hello[8*i+:8];
    else if (op_q == COUNTERS) said = at_q[0] ? count[15:8] : count[7:0];
    else if (signature) said = signatures_i[8*j+:8];
    else said = of_word ? half : request_byte_i;
  end

  hd_counters counters (
      .clk     (clk),
      .rst     (rst),
      .good_i  (got_i),
      .bad_i   (bad_i),
      .done_i  (done_q),
      .again_i (again_q),
      .lost_i  (lost_i),
      .ran_i   (ran_q),
      .cycles_i(cycles_i),
      .idle_o  (counted),
      .hold_i  ((op_q == COUNTERS) && ((state_q == READ) || (state_q == WRITE))),
      .addr_i  (i[4:1]),
      .word_o  (count)
  );

  // how much there is to say
  localparam [31:0] ROOM = (LONGEST - {23'd0, RUN_HEADER} - SIGNATURE_BYTES) / 2;  // words
  wire [7:0] told = (words < ROOM[15:0]) ? words[7:0] : ROOM[7:0];
  reg [8:0] total;
  always @*
    case (op_q)
      HELLO, COUNTERS: total = HEADER + 9'd24;
      ECHO: total = length_q;
      RUN: total = RUN_HEADER + SIGNATURE_BYTES[8:0] + {told, 1'b0};
      FETCH: total = HEADER + {arg2_q, 1'b0};
      default: total = HEADER;
    endcase

  wire refusing = state_q == REFUSE;
  wire [39:0] refusal = {code_q, epoch_q, 8'hff, seq_q};
  assign answer_write_o = (state_q == WRITE) || refusing;
  assign answer_addr_o  = refusing ? REFUSAL + at_q : at_q;
  assign answer_byte_o  = refusing ? refusal[8*at_q[2:0]+:8] : said;
  assign request_addr_o = (state_q == HIGH) ? at_q + 9'd1 : at_q;
  assign in_write_o = state_q == STORE;
  assign in_addr_o = word_q[IN_W-1:0];
  assign in_word_o = {request_byte_i, low_q};
  assign out_addr_o = word_q[OUT_W-1:0];

  // ── which switch ─────────────────────────────────────────────────────────────
  // This register chooses a clock. So it changes only while that clock is low: when no window is played, and in the
  // second cycle of a reset; the first cycle of a reset ends the window. (So a reset lasts at least two cycles.)
  reg rst_q;
  always @(posedge clk) begin
    rst_q <= rst;
    if (rst_q) switch_o <= 5'd16;
    else if (state_q == DECIDE) switch_o <= (arg0_q == 8'd255) ? 5'd16 : {1'b0, arg0_q[3:0]};
  end

  // ── steps ────────────────────────────────────────────────────────────────────
  wire last_byte = at_q == total_q - 9'd1;
  wire loads = (op_q == LOAD) || (op_q == RUN);

  always @(posedge clk)
    if (rst) begin
      state_q <= IDLE;
      epoch_q <= 16'd0;
      last_q <= 1'b0;
      play_o <= 1'b0;
      reset_o <= 1'b0;
      {again_q, done_q, ran_q} <= 3'b000;
    end else begin
      play_o <= 1'b0;
      reset_o <= 1'b0;
      {again_q, done_q, ran_q} <= 3'b000;
      case (state_q)
        IDLE: begin
          length_q <= length_i;
          at_q <= 9'd0;
          if (got_i) state_q <= HEAD;
        end
        HEAD: begin  // the byte at_q - 1 is there
          at_q <= at_q + 9'd1;
          case (at_q)
            9'd1: seq_q <= request_byte_i;
            9'd2: op_q <= request_byte_i;
            9'd3: asked_q[7:0] <= request_byte_i;
            9'd4: asked_q[15:8] <= request_byte_i;
            9'd5: arg0_q <= request_byte_i;
            9'd6: arg1_q <= request_byte_i;
            9'd7: begin
              arg2_q <= request_byte_i;
              state_q  <= DECIDE;
            end
            default: ;
          endcase
        end
        DECIDE: begin
          code_q <= code;
          at_q   <= 9'd0;
          base_q <= 9'd0;
          word_q <= (op_q == RUN) ? 16'd0 : first;
          if (again && (asked_q == epoch_q || op_q == ECHO)) begin
            again_q <= 1'b1;
            total_q <= last_total_q;
            state_q <= SEND;
          end else if (code != 8'd0) state_q <= REFUSE;
          else begin
            done_q <= 1'b1;
            last_q <= 1'b1;
            last_seq_q <= seq_q;
            last_op_q <= op_q;
            if (op_q == HELLO) epoch_q <= asked_q;
            state_q <= loads ? LOW : START;
            if (loads) at_q <= HEADER + 9'd2;
          end
        end

        // words of the request into the stimulus memory: two bytes each
        LOW: state_q <= (at_q >= length_q) ? START : HIGH;
        HIGH: begin
          low_q   <= request_byte_i;
          state_q <= STORE;
        end
        STORE: begin
          at_q <= at_q + 9'd2;
          word_q <= word_q + 16'd1;
          state_q <= LOW;
        end

        START: begin
          at_q <= 9'd0;
          play_o <= op_q == RUN;
          reset_o <= op_q == RESET;
          state_q <= WAIT;
        end
        WAIT:
        if (!play_o && !reset_o && !playing_i && ((op_q != COUNTERS) || counted)) begin
          word_q  <= (op_q == FETCH) ? first : 16'd0;
          total_q <= total;
          last_total_q <= total;
          ran_q <= op_q == RUN;
          state_q <= READ;
        end
        READ: state_q <= WRITE;  // the memories read
        WRITE: begin
          at_q <= at_q + 9'd1;
          if (of_word && (at_q >= before_words) && (before_words[0] ^ at_q[0])) word_q <= word_q + 16'd1;
          state_q <= last_byte ? SEND : READ;
        end

        REFUSE: begin
          base_q  <= REFUSAL;
          total_q <= 9'd5;
          at_q    <= at_q + 9'd1;
          if (at_q == 9'd4) state_q <= SEND;
        end
        SEND: state_q <= SENDING;
        default: if (!sending_i) state_q <= IDLE;
      endcase
    end

endmodule

`default_nettype wire
