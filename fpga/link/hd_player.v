// Plays a stimulus on one switch, clock by clock, and answers with records or signatures (§9.4-9.6).
// SPDX-License-Identifier: Apache-2.0
//
// The switch's clock is a register (hd_switch_clock): it rises after `high` and falls in the cycle after, when the pins
// also become idle and the outputs are looked at. So pins never change where the switch's clock
// rises, and outputs have had a whole board clock to come.
`default_nettype none

module hd_player #(
    parameter PORTS      = 3,     // 2-16
    parameter VCS        = 2,     // 1-8
    parameter DATA_W     = 16,    // 16, 32, 64
    parameter VC_W       = 1,
    parameter IN_WORDS   = 1024,  // of the stimulus memory, a power of two
    parameter OUT_WORDS  = 1024   // of the answer memory, a power of two
) (
    input  wire                         clk,
    input  wire                         rst,
    // while not busy
    input  wire                         start_i,
    input  wire                         reset_i,        // instead: one cycle of reset
    input  wire                         record_i,       // mode 1
    output wire                         busy_o,
    // stimulus memory: the word at addr_o is there in the next cycle
    output wire [ $clog2(IN_WORDS)-1:0] in_addr_o,
    input  wire [                 15:0] in_word_i,
    // answer memory
    output wire                         out_write_o,
    output wire [$clog2(OUT_WORDS)-1:0] out_addr_o,
    output reg  [                 15:0] out_word_o,
    // the answer; stays until the next start
    output reg  [                  2:0] flags_o,        // §9.5
    output reg  [  $clog2(OUT_WORDS):0] words_o,
    output reg  [                 31:0] cycles_o,
    output wire [32*(PORTS*(DATA_W/16)+1)-1:0] signatures_o,
    // the switch
    output wire                         switch_next_o,  // of its clock, in the next cycle
    output reg                          switch_rst_o,
    output reg  [            PORTS-1:0] in_valid_o,
    output reg  [          PORTS*3-1:0] in_kind_o,
    output reg  [       PORTS*VC_W-1:0] in_vc_o,
    output reg  [     PORTS*DATA_W-1:0] in_data_o,
    output reg  [        PORTS*VCS-1:0] out_credit_o,
    output reg  [            PORTS-1:0] out_barrier_credit_o,
    output reg  [          PORTS*7-1:0] out_count_o,
    output reg                          cfg_write_o,
    output reg                          cfg_read_o,
    output reg  [                 19:0] cfg_addr_o,
    output reg  [                 15:0] cfg_wdata_o,
    input  wire [            PORTS-1:0] out_valid_i,
    input  wire [          PORTS*3-1:0] out_kind_i,
    input  wire [       PORTS*VC_W-1:0] out_vc_i,
    input  wire [     PORTS*DATA_W-1:0] out_data_i,
    input  wire [        PORTS*VCS-1:0] in_credit_i,
    input  wire [            PORTS-1:0] in_barrier_credit_i,
    input  wire [          PORTS*7-1:0] in_count_i,
    input  wire [                 15:0] cfg_rdata_i,
    input  wire                         quiescent_i
);

  localparam LANES = DATA_W / 16;
  localparam IN_W = $clog2(IN_WORDS);
  localparam OUT_W = $clog2(OUT_WORDS);
  localparam [31:0] PORT_N = PORTS, LAST = PORTS - 1, LANES_LAST = LANES - 1, LANES_N = LANES;
  localparam [3:0] LAST_PORT = LAST[3:0];
  localparam [1:0] LAST_LANE = LANES_LAST[1:0];
  localparam [2:0] LANE_N = LANES_N[2:0];

  // Records, §9.4 and §9.5
  localparam [3:0] STEP = 1, FLIT = 2, CREDIT = 3, WRITE = 4, READ = 5, QUIESCENT = 6, VALUE = 7;

  localparam [3:0] IDLE = 0, FETCH = 1, RECORD = 2, WORD = 3, HIGH = 4, LOW = 5, TELL = 6, TELL_VALUE = 7,
      TELL_FLIT = 8, TELL_DATA = 9, TELL_CREDIT = 10, TELL_SET = 11, TELL_QUIET = 12, RESET = 13;

  reg [3:0] state_q;
  reg [IN_W:0] next_q;  // the next word of the stimulus
  reg [3:0] record_q, arg_q;
  reg [9:4] more_q;  // of a flit: vc and kind
  reg [2:0] words_q;  // of the record, that follow
  reg [1:0] lane_q;  // of data
  reg [3:0] port_q;  // that is told
  reg [12:0] left_q;  // cycles of the step
  reg [11:0] since_q;  // cycles since the last record; 4,096 is 0
  reg record_mode_q, was_quiet_q, read_q;

  reg clk_q;  // the switch's clock
  assign busy_o = state_q != IDLE;
  assign switch_next_o = (state_q == HIGH) || ((state_q == RESET) && !clk_q);
  assign in_addr_o = next_q[IN_W-1:0];

  // ── what becomes visible ─────────────────────────────────────────────────────
  wire look = state_q == LOW;
  wire shows = (|out_valid_i) || (|in_credit_i) || (|in_barrier_credit_i) || (|in_count_i) ||
               cfg_read_o || (quiescent_i != was_quiet_q) || (since_q == 12'd0);

  hd_signature #(
      .PORTS (PORTS),
      .VCS   (VCS),
      .DATA_W(DATA_W),
      .VC_W  (VC_W)
  ) signature (
      .clk             (clk),
      .clear_i         (start_i),
      .step_i          (look),
      .valid_i         (out_valid_i),
      .kind_i          (out_kind_i),
      .vc_i            (out_vc_i),
      .data_i          (out_data_i),
      .credit_i        (in_credit_i),
      .barrier_credit_i(in_barrier_credit_i),
      .count_i         (in_count_i),
      .quiescent_i     (quiescent_i),
      .all_o           (signatures_o)
  );

  // what port_q shows
  reg valid, barrier_credit;
  reg [2:0] vc;
  reg [2:0] flit_kind;
  reg [7:0] credit;
  reg [6:0] count;
  reg [DATA_W-1:0] data;
  integer i;
  always @* begin
    {valid, barrier_credit, vc, flit_kind, credit} = 16'd0;
    count = 7'd0;
    data = {DATA_W{1'b0}};
    for (i = 0; i < PORTS; i = i + 1)
      if (port_q == i[3:0]) begin
        valid = out_valid_i[i];
        barrier_credit = in_barrier_credit_i[i];
        vc[VC_W-1:0] = out_vc_i[i*VC_W+:VC_W];
        flit_kind = out_kind_i[3*i+:3];
        credit[VCS-1:0] = in_credit_i[i*VCS+:VCS];
        count = in_count_i[7*i+:7];
        data = out_data_i[i*DATA_W+:DATA_W];
      end
  end
  wire credits = (credit != 8'd0) || barrier_credit || (count != 7'd0);
  wire last_port = port_q == LAST_PORT;
  wire [63:0] wide = {{(64 - DATA_W) {1'b0}}, data};
  wire unused_wide = &{1'b0, wide};

  // ── answer memory ────────────────────────────────────────────────────────────
  reg put;
  wire room = !words_o[OUT_W];
  assign out_write_o = put && room;
  assign out_addr_o  = words_o[OUT_W-1:0];
  always @* begin
    put = 1'b1;
    case (state_q)
      TELL: out_word_o = {STEP, since_q};
      TELL_VALUE: out_word_o = read_q ? {VALUE, 12'd0} : cfg_rdata_i;
      TELL_FLIT: begin
        put = valid;
        out_word_o = {FLIT, 2'd0, vc, flit_kind, port_q};
      end
      TELL_DATA: out_word_o = wide[16*lane_q+:16];
      TELL_CREDIT: begin
        put = credits;
        out_word_o = {CREDIT, 8'd0, port_q};
      end
      TELL_SET: out_word_o = {count, barrier_credit, credit};
      TELL_QUIET: begin
        put = quiescent_i != was_quiet_q;
        out_word_o = {QUIESCENT, 11'd0, quiescent_i};
      end
      default: begin
        put = 1'b0;
        out_word_o = 16'd0;
      end
    endcase
  end

  // ── pins ─────────────────────────────────────────────────────────────────────
  wire word = state_q == WORD;
  integer k;
  always @(posedge clk)
    if (look || (state_q == IDLE) || rst) begin
      in_valid_o <= {PORTS{1'b0}};
      out_credit_o <= {PORTS * VCS{1'b0}};
      out_barrier_credit_o <= {PORTS{1'b0}};
      out_count_o <= {PORTS * 7{1'b0}};
      cfg_write_o <= 1'b0;
      cfg_read_o <= 1'b0;
    end else if (word) begin
      for (k = 0; k < PORTS; k = k + 1)
        if (arg_q == k[3:0]) begin
          if (record_q == FLIT) begin
            in_valid_o[k] <= 1'b1;
            in_kind_o[3*k+:3] <= more_q[6:4];
            in_vc_o[k*VC_W+:VC_W] <= more_q[7+:VC_W];
            in_data_o[k*DATA_W+16*lane_q+:16] <= in_word_i;
          end
          if (record_q == CREDIT) begin
            out_credit_o[k*VCS+:VCS] <= in_word_i[VCS-1:0];
            out_barrier_credit_o[k] <= in_word_i[8];
            out_count_o[7*k+:7] <= in_word_i[15:9];
          end
        end
      if ((record_q == WRITE) || (record_q == READ)) begin
        if (lane_q[0]) cfg_wdata_o <= in_word_i;
        else cfg_addr_o <= {arg_q, in_word_i};
        cfg_write_o <= cfg_write_o || (record_q == WRITE);
        cfg_read_o  <= cfg_read_o || (record_q == READ);
      end
    end

  wire unused_more = &{1'b0, more_q};

  always @(posedge clk) clk_q <= !rst && switch_next_o;

  // ── steps ────────────────────────────────────────────────────────────────────
  wire [3:0] kind = in_word_i[15:12];
  wire beyond = next_q[IN_W];
  wire names_port = (kind == FLIT) || (kind == CREDIT);
  wire unknown = (kind > READ) || (names_port && ({1'b0, in_word_i[3:0]} >= PORT_N[4:0]));
  wire [3:0] after_port = last_port ? TELL_QUIET : TELL_FLIT;

  always @(posedge clk)
    if (rst) begin
      state_q <= RESET;
      switch_rst_o <= 1'b1;
      flags_o <= 3'd0;
      words_o <= {(OUT_W + 1) {1'b0}};
      cycles_o <= 32'd0;
      next_q <= {(IN_W + 1) {1'b0}};
    end else begin
      if (put) begin
        if (room) words_o <= words_o + 1'b1;
        else flags_o[2] <= 1'b1;
      end
      case (state_q)
        IDLE: begin
          switch_rst_o <= reset_i;
          next_q  <= {(IN_W + 1) {1'b0}};
          words_q <= 3'd0;
          since_q <= 12'd0;
          if (reset_i) state_q <= RESET;
          if (start_i) begin
            state_q <= FETCH;
            flags_o <= {2'b00, quiescent_i};
            words_o <= {(OUT_W + 1) {1'b0}};
            cycles_o <= 32'd0;
            record_mode_q <= record_i;
            was_quiet_q <= quiescent_i;
          end
        end
        RESET: begin  // the switch's reset has been there for a cycle
          if (clk_q) state_q <= IDLE;
        end

        FETCH: begin  // the memory reads the word next_q
          next_q <= next_q + 1'b1;
          state_q <= beyond ? IDLE : (words_q != 3'd0) ? WORD : RECORD;
          if (beyond) flags_o[1] <= 1'b1;
        end
        RECORD: begin
          record_q <= kind;
          arg_q <= in_word_i[3:0];
          more_q <= in_word_i[9:4];
          lane_q <= 2'd0;
          left_q <= {in_word_i[11:0] == 12'd0, in_word_i[11:0]};
          words_q <= (kind == FLIT) ? LANE_N : (kind == WRITE) ? 3'd2 : (kind == STEP) ? 3'd0 : 3'd1;
          state_q <= (unknown || (kind == 4'd0)) ? IDLE : (kind == STEP) ? HIGH : FETCH;
          if (unknown) flags_o[1] <= 1'b1;
        end
        WORD: begin
          lane_q  <= lane_q + 2'd1;
          words_q <= words_q - 3'd1;
          state_q <= FETCH;
        end

        HIGH: begin
          left_q <= left_q - 13'd1;
          cycles_o <= cycles_o + 32'd1;
          since_q <= since_q + 12'd1;
          state_q <= LOW;
        end
        LOW: begin
          read_q <= cfg_read_o;
          port_q <= 4'd0;
          state_q <= (record_mode_q && shows) ? TELL : (left_q != 13'd0) ? HIGH : FETCH;
        end

        // The switch's clock stands still: what it shows stays.
        TELL: begin
          since_q <= 12'd0;
          state_q <= read_q ? TELL_VALUE : TELL_FLIT;
        end
        TELL_VALUE: begin
          read_q <= 1'b0;
          if (!read_q) state_q <= TELL_FLIT;
        end
        TELL_FLIT: begin
          lane_q  <= 2'd0;
          state_q <= valid ? TELL_DATA : TELL_CREDIT;
        end
        TELL_DATA: begin
          lane_q <= lane_q + 2'd1;
          if (lane_q == LAST_LANE) state_q <= TELL_CREDIT;
        end
        TELL_CREDIT: begin
          state_q <= credits ? TELL_SET : after_port;
          if (!credits) port_q <= port_q + 4'd1;
        end
        TELL_SET: begin
          state_q <= after_port;
          port_q  <= port_q + 4'd1;
        end
        default: begin  // TELL_QUIET
          was_quiet_q <= quiescent_i;
          state_q <= (left_q != 13'd0) ? HIGH : FETCH;
        end
      endcase
    end

endmodule

`default_nettype wire
