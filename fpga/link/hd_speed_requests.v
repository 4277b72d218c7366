// Carries out requests to a fabric at speed: starts it, hands out its signatures (§9.2, §9.7).
// SPDX-License-Identifier: Apache-2.0
//
// As in hd_requests an answer stays in its memory until the next request is carried out, so that it can be sent again,
// and refusals have a place of their own behind it.
`default_nettype none

module hd_speed_requests #(
    parameter        SWITCHES  = 4,
    parameter        PORTS     = 5,
    parameter        DATA_W    = 16,
    parameter        WORDS     = 1024,  // of the memory for signatures, a power of two
    parameter        CLOCK_KHZ = 12000,
    parameter [63:0] BUILD     = 64'd0
) (
    input  wire        clk,
    input  wire        rst,
    // frames
    input  wire        got_i,
    input  wire [ 8:0] length_i,  // without CRC
    output wire        busy_o,
    output wire        send_o,
    output wire [ 8:0] send_base_o,
    output wire [ 8:0] send_length_o,
    input  wire        sending_i,
    // request: the byte at the address is there in the next cycle
    output wire [ 3:0] request_addr_o,
    input  wire [ 7:0] request_byte_i,
    // answer
    output wire        answer_write_o,
    output wire [ 8:0] answer_addr_o,
    output wire [ 7:0] answer_byte_o,
    // windows (hd_windows)
    output reg         start_o,
    output wire [47:0] first_o,
    output wire [ 5:0] k_o,
    output wire [31:0] windows_o,
    input  wire        running_i,
    input  wire        overrun_i,
    input  wire [31:0] complete_i,
    output reg  [31:0] given_o,
    output wire [$clog2(WORDS)-1:0] addr_o,
    input  wire [31:0] word_i
);

  localparam [7:0] HELLO = 8'd0, START = 8'd8, SIGNATURES = 8'd9;
  localparam [7:0] UNKNOWN_OP = 8'd1, LENGTH = 8'd2, EPOCH = 8'd3, BEYOND = 8'd5, ORDER = 8'd6;
  localparam [8:0] HEADER = 9'd4, REFUSAL = 9'd504;
  localparam [8:0] BEFORE = 9'd12;  // header, flags, number of signatures
  localparam [31:0] MOST = 120;  // signatures in an answer
  localparam ADDR_W = $clog2(WORDS);
  localparam [2:0] IDLE = 0, HEAD = 1, DECIDE = 2, REFUSE = 3, READ = 4, WRITE = 5, SEND = 6, SENDING = 7;
  localparam [31:0] SWITCH_N = SWITCHES, PORT_N = PORTS, LANE_N = DATA_W / 16, KHZ = CLOCK_KHZ, WORD_N = WORDS;

  reg [2:0] state_q;
  reg [8:0] at_q, length_q, total_q, base_q, last_total_q;
  reg [15:0] epoch_q, asked_q;
  reg [7:0] seq_q, op_q, last_seq_q, last_op_q, code_q;
  reg last_q;  // a request has been carried out
  reg [87:0] arg_q;  // payload, the first byte lowest
  reg [1:0] flags_q;
  reg [31:0] complete_q;
  reg [ADDR_W-1:0] word_q;

  assign busy_o = state_q != IDLE;
  assign send_o = state_q == SEND;
  assign send_base_o = base_q;
  assign send_length_o = total_q;
  assign first_o = arg_q[47:0];
  assign k_o = arg_q[53:48];
  assign windows_o = arg_q[87:56];
  assign addr_o = word_q;

  // ── is it right? ─────────────────────────────────────────────────────────────
  wire [8:0] payload = length_q - HEADER;
  wire [31:0] first = arg_q[31:0];
  wire [31:0] there = complete_i - first;
  wire beyond = first - given_o > complete_i - given_o;
  wire again = last_q && (seq_q == last_seq_q) && (op_q == last_op_q) && (op_q != HELLO) && (asked_q == epoch_q);
  reg [7:0] code;
  always @* begin
    case (op_q)
      HELLO: code = (payload != 9'd0) ? LENGTH : 8'd0;
      START: code = (payload != 9'd11) ? LENGTH : (arg_q[55:48] > 8'd47) ? BEYOND : 8'd0;
      SIGNATURES: code = (payload != 9'd4) ? LENGTH : beyond ? BEYOND : 8'd0;
      default: code = UNKNOWN_OP;
    endcase
    if ((op_q != HELLO) && last_q && (seq_q != last_seq_q + 8'd1)) code = ORDER;
    if ((op_q != HELLO) && (asked_q != epoch_q)) code = EPOCH;
  end
  wire [6:0] told = (there > MOST) ? MOST[6:0] : there[6:0];
  wire [8:0] total = (op_q == HELLO) ? HEADER + 9'd24 : (op_q == START) ? HEADER : BEFORE + {told, 2'b00};

  // ── the answer, byte by byte ─────────────────────────────────────────────────
  wire [191:0] hello = {
    BUILD, WORD_N, KHZ, LANE_N[7:0], PORT_N[7:0], SWITCH_N[15:0], 8'h01, 24'h534448
  };
  wire [95:0] header = {complete_q, 24'd0, 6'd0, flags_q, epoch_q, op_q | 8'h80, seq_q};
  wire [39:0] refusal = {code_q, epoch_q, 8'hff, seq_q};
  wire [4:0] i = at_q[4:0] - HEADER[4:0];
  reg [7:0] said;
  always @* begin
    if (at_q < HEADER) said = header[8*at_q[3:0]+:8];
    else if (op_q == HELLO) said = hello[8*i+:8];
    else if (at_q < BEFORE) said = header[8*at_q[3:0]+:8];
    else said = word_i[8*at_q[1:0]+:8];
  end
  wire refusing = state_q == REFUSE;
  assign answer_write_o = (state_q == WRITE) || refusing;
  assign answer_addr_o  = refusing ? REFUSAL + at_q : at_q;
  assign answer_byte_o  = refusing ? refusal[8*at_q[2:0]+:8] : said;
  assign request_addr_o = at_q[3:0];

  // ── steps ────────────────────────────────────────────────────────────────────
  always @(posedge clk)
    if (rst) begin
      state_q <= IDLE;
      epoch_q <= 16'd0;
      last_q  <= 1'b0;
      start_o <= 1'b0;
      given_o <= 32'd0;
    end else begin
      start_o <= 1'b0;
      if (start_o) given_o <= 32'd0;
      case (state_q)
        IDLE: begin
          length_q <= length_i;
          at_q <= 9'd0;
          if (got_i) state_q <= HEAD;
        end
        HEAD: begin  // the byte at_q - 1 is there
          at_q <= at_q + 9'd1;
          case (at_q)
            9'd0: ;
            9'd1: seq_q <= request_byte_i;
            9'd2: op_q <= request_byte_i;
            9'd3: asked_q[7:0] <= request_byte_i;
            9'd4: asked_q[15:8] <= request_byte_i;
            default: arg_q <= {request_byte_i, arg_q[87:8]};
          endcase
          if (at_q == 9'd15) state_q <= DECIDE;
        end
        DECIDE: begin
          code_q  <= code;
          at_q    <= 9'd0;
          base_q  <= 9'd0;
          total_q <= total;
          word_q  <= first[ADDR_W-1:0];
          flags_q <= {overrun_i, running_i};
          complete_q <= complete_i;
          if (again) begin
            total_q <= last_total_q;
            state_q <= SEND;
          end else if (code != 8'd0) state_q <= REFUSE;
          else begin
            last_q <= 1'b1;
            last_seq_q <= seq_q;
            last_op_q <= op_q;
            last_total_q <= total;
            if (op_q == HELLO) epoch_q <= asked_q;
            if (op_q == START) start_o <= 1'b1;
            if (op_q == SIGNATURES) given_o <= first;
            state_q <= READ;
          end
        end
        READ: state_q <= WRITE;  // the memory reads
        WRITE: begin
          at_q <= at_q + 9'd1;
          if ((at_q >= BEFORE) && (at_q[1:0] == 2'd3)) word_q <= word_q + 1'b1;
          state_q <= (at_q == total_q - 9'd1) ? SEND : READ;
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
