// Switches behind a link, with bytes at its port: a serial line's (hd_board), or those of another way (§9).
// SPDX-License-Identifier: Apache-2.0
//
// Knows nothing of any board or line: a clock, a reset, bytes in and out.
`default_nettype none

module hd_board_core #(
    parameter        CLOCK_KHZ         = 12000,
    parameter        SWITCHES_ON_BOARD = 1,     // 1-16
    parameter        IN_WORDS          = 1024,  // stimulus memory, a power of two, 16-32768
    parameter        OUT_WORDS         = 1024,  // answer memory, a power of two, 16-32768
    parameter [63:0] BUILD             = 64'd0,
    // of the switches, §2.1, §7.1 and §10.1
    parameter        PORTS             = 3,
    parameter        VCS               = 2,
    parameter        DATA_W            = 16,
    parameter        DEPTH             = 4,
    parameter        NODES             = 4,
    parameter        ROUTE_CYCLES      = 1,
    parameter        ARB_CYCLES        = 1,
    parameter        BUFFER_CYCLES     = 0,
    parameter        CUT_FLITS         = 0,
    parameter        SOURCE_TABLE      = 0,
    parameter        ADAPTIVE          = 0,
    parameter        BARRIER           = 0,
    parameter        GROUPS            = 1,
    parameter        SWITCHES          = 2,
    parameter        VALUES            = 0,
    parameter        CODE_PLACES       = 0,
    parameter        CODE_CYCLES       = 0,
    parameter        ROUTE             = 0,
    parameter        FIELDS            = 1,
    parameter        TREES             = 0
) (
    input  wire       clk,
    input  wire       rst,
    // bytes in: taken at once; rx_lost_i: one was lost on its way
    input  wire       rx_valid_i,
    input  wire [7:0] rx_byte_i,
    input  wire       rx_lost_i,
    // bytes out: one is taken in a cycle with both
    output wire       tx_valid_o,
    input  wire       tx_ready_i,
    output wire [7:0] tx_byte_o,
    output wire       busy_o
);

  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1;
  localparam S = SWITCHES_ON_BOARD;
  localparam IN_W = $clog2(IN_WORDS), OUT_W = $clog2(OUT_WORDS);
  localparam SIGNATURE_BITS = 32 * (PORTS * (DATA_W / 16) + 1);

  // Illegal parameters end elaboration, as in hd_switch, which looks at its own.
  generate
    if (SWITCHES_ON_BOARD < 1 || SWITCHES_ON_BOARD > 16) begin : illegal_switches_on_board
      hd_board_SWITCHES_ON_BOARD_must_be_1_to_16 illegal ();
    end
    if (IN_WORDS < 16 || IN_WORDS > 32768 || (IN_WORDS & (IN_WORDS - 1)) != 0) begin : illegal_in_words
      hd_board_IN_WORDS_must_be_a_power_of_two_from_16_to_32768 illegal ();
    end
    if (OUT_WORDS < 16 || OUT_WORDS > 32768 || (OUT_WORDS & (OUT_WORDS - 1)) != 0) begin : illegal_out_words
      hd_board_OUT_WORDS_must_be_a_power_of_two_from_16_to_32768 illegal ();
    end
  endgenerate

  // ── frames ───────────────────────────────────────────────────────────────────
  wire got, bad, busy, send, sending, write_request, write_answer, write_in, write_out;
  wire [8:0] length, send_base, send_length;
  wire [8:0] write_request_addr, read_request_addr, write_answer_addr, read_answer_addr;
  wire [7:0] write_request_byte, write_answer_byte;
  hd_frame_rx frame_rx (
      .clk     (clk),
      .rst     (rst),
      .busy_i  (busy),
      .valid_i (rx_valid_i),
      .byte_i  (rx_byte_i),
      .lost_i  (rx_lost_i),
      .write_o (write_request),
      .addr_o  (write_request_addr),
      .data_o  (write_request_byte),
      .got_o   (got),
      .bad_o   (bad),
      .length_o(length)
  );
  assign busy_o = busy;

  // ── memories ─────────────────────────────────────────────────────────────────
  // A reader stays behind the writer. Nobody uses the value of a read in the cycle of a write to the same word, so
  // synthesis need not return the old word there.
  (* no_rw_check *) reg [7:0] request[0:511];
  (* no_rw_check *) reg [7:0] answer[0:511];
  (* no_rw_check *) reg [15:0] in[0:IN_WORDS-1];
  (* no_rw_check *) reg [15:0] out[0:OUT_WORDS-1];
  reg [7:0] request_byte, answer_byte;
  reg [15:0] in_word, out_word;
  wire [IN_W-1:0] write_in_addr, read_in_addr;
  wire [OUT_W-1:0] write_out_addr, read_out_addr;
  wire [15:0] write_in_word, write_out_word;
  always @(posedge clk) begin
    if (write_request) request[write_request_addr] <= write_request_byte;
    request_byte <= request[read_request_addr];
  end
  always @(posedge clk) begin
    if (write_answer) answer[write_answer_addr] <= write_answer_byte;
    answer_byte <= answer[read_answer_addr];
  end
  always @(posedge clk) begin
    if (write_in) in[write_in_addr] <= write_in_word;
    in_word <= in[read_in_addr];
  end
  always @(posedge clk) begin
    if (write_out) out[write_out_addr] <= write_out_word;
    out_word <= out[read_out_addr];
  end

  hd_frame_tx frame_tx (
      .clk     (clk),
      .rst     (rst),
      .start_i (send),
      .base_i  (send_base),
      .length_i(send_length),
      .busy_o  (sending),
      .addr_o  (read_answer_addr),
      .data_i  (answer_byte),
      .valid_o (tx_valid_o),
      .ready_i (tx_ready_i),
      .byte_o  (tx_byte_o)
  );

  // ── requests ─────────────────────────────────────────────────────────────────
  wire play, reset, record, playing;
  wire [4:0] which;
  wire [2:0] flags;
  wire [OUT_W:0] words;
  wire [31:0] cycles;
  wire [SIGNATURE_BITS-1:0] signatures;
  hd_requests #(
      .SWITCHES_ON_BOARD(SWITCHES_ON_BOARD),
      .PORTS            (PORTS),
      .DATA_W           (DATA_W),
      .IN_WORDS         (IN_WORDS),
      .OUT_WORDS        (OUT_WORDS),
      .CLOCK_KHZ        (CLOCK_KHZ),
      .BUILD            (BUILD)
  ) requests (
      .clk           (clk),
      .rst           (rst),
      .got_i         (got),
      .bad_i         (bad),
      .lost_i        (rx_lost_i),
      .length_i      (length),
      .busy_o        (busy),
      .send_o        (send),
      .send_base_o   (send_base),
      .send_length_o (send_length),
      .sending_i     (sending),
      .request_addr_o(read_request_addr),
      .request_byte_i(request_byte),
      .answer_write_o(write_answer),
      .answer_addr_o (write_answer_addr),
      .answer_byte_o (write_answer_byte),
      .in_write_o    (write_in),
      .in_addr_o     (write_in_addr),
      .in_word_o     (write_in_word),
      .out_addr_o    (read_out_addr),
      .out_word_i    (out_word),
      .play_o        (play),
      .reset_o       (reset),
      .record_o      (record),
      .switch_o      (which),
      .playing_i     (playing),
      .flags_i       (flags),
      .words_i       (words),
      .cycles_i      (cycles),
      .signatures_i  (signatures)
  );

  // ── the switches, one of them or all clocked ─────────────────────────────────
  wire switch_next, switch_rst;
  wire [PORTS-1:0] in_valid, out_barrier_credit;
  wire [PORTS*7-1:0] out_count;
  wire [PORTS*3-1:0] in_kind;
  wire [PORTS*VC_W-1:0] in_vc;
  wire [PORTS*DATA_W-1:0] in_data;
  wire [PORTS*VCS-1:0] out_credit;
  wire cfg_write, cfg_read;
  wire [19:0] cfg_addr;
  wire [15:0] cfg_wdata;

  localparam SHOWN = PORTS * (1 + 3 + VC_W + DATA_W + VCS + 1 + 7) + 17;
  wire [S*SHOWN-1:0] shown;  // by all switches
  reg [SHOWN-1:0] seen;  // of the one that is asked
  integer n;
  always @* begin
    seen = shown[0+:SHOWN];
    for (n = 1; n < S; n = n + 1) if (which == n[4:0]) seen = shown[n*SHOWN+:SHOWN];
  end
  wire [PORTS-1:0] out_valid, in_barrier_credit;
  wire [PORTS*3-1:0] out_kind;
  wire [PORTS*VC_W-1:0] out_vc;
  wire [PORTS*DATA_W-1:0] out_data;
  wire [PORTS*VCS-1:0] in_credit;
  wire [PORTS*7-1:0] in_count;
  wire [15:0] cfg_rdata;
  wire quiescent;
  assign {
    out_valid, out_kind, out_vc, out_data, in_credit, in_barrier_credit, in_count, cfg_rdata, quiescent
  } = seen;

  hd_player #(
      .PORTS    (PORTS),
      .VCS      (VCS),
      .DATA_W   (DATA_W),
      .VC_W     (VC_W),
      .IN_WORDS (IN_WORDS),
      .OUT_WORDS(OUT_WORDS)
  ) player (
      .clk                 (clk),
      .rst                 (rst),
      .start_i             (play),
      .reset_i             (reset),
      .record_i            (record),
      .busy_o              (playing),
      .in_addr_o           (read_in_addr),
      .in_word_i           (in_word),
      .out_write_o         (write_out),
      .out_addr_o          (write_out_addr),
      .out_word_o          (write_out_word),
      .flags_o             (flags),
      .words_o             (words),
      .cycles_o            (cycles),
      .signatures_o        (signatures),
      .switch_next_o       (switch_next),
      .switch_rst_o        (switch_rst),
      .in_valid_o          (in_valid),
      .in_kind_o           (in_kind),
      .in_vc_o             (in_vc),
      .in_data_o           (in_data),
      .out_credit_o        (out_credit),
      .out_barrier_credit_o(out_barrier_credit),
      .out_count_o         (out_count),
      .cfg_write_o         (cfg_write),
      .cfg_read_o          (cfg_read),
      .cfg_addr_o          (cfg_addr),
      .cfg_wdata_o         (cfg_wdata),
      .out_valid_i         (out_valid),
      .out_kind_i          (out_kind),
      .out_vc_i            (out_vc),
      .out_data_i          (out_data),
      .in_credit_i         (in_credit),
      .in_barrier_credit_i (in_barrier_credit),
      .in_count_i          (in_count),
      .cfg_rdata_i         (cfg_rdata),
      .quiescent_i         (quiescent)
  );

  genvar s;
  generate
    for (s = 0; s < S; s = s + 1) begin : board
      localparam [4:0] NUMBER = s;
      wire s_clk;  // `which` changes only while it is 0
      hd_switch_clock u_clock (
          .clk     (clk),
          .rst     (rst),
          .next_i  (switch_next),
          .chosen_i((S == 1) || which[4] || (which == NUMBER)),
          .clk_o   (s_clk)
      );
      wire [PORTS-1:0] valid, barrier_credit;
      wire [PORTS*3-1:0] kind;
      wire [PORTS*VC_W-1:0] vc;
      wire [PORTS*DATA_W-1:0] data;
      wire [PORTS*VCS-1:0] credit;
      wire [PORTS*7-1:0] count;
      wire [15:0] rdata;
      wire quiet;
      hd_switch #(
          .PORTS        (PORTS),
          .VCS          (VCS),
          .DATA_W       (DATA_W),
          .DEPTH        (DEPTH),
          .NODES        (NODES),
          .ROUTE_CYCLES (ROUTE_CYCLES),
          .ARB_CYCLES   (ARB_CYCLES),
          .BUFFER_CYCLES(BUFFER_CYCLES),
          .CUT_FLITS    (CUT_FLITS),
          .SOURCE_TABLE (SOURCE_TABLE),
          .ADAPTIVE     (ADAPTIVE),
          .BARRIER      (BARRIER),
          .GROUPS       (GROUPS),
          .SWITCHES     (SWITCHES),
          .VALUES       (VALUES),
          .CODE_PLACES  (CODE_PLACES),
          .CODE_CYCLES  (CODE_CYCLES),
          .ROUTE        (ROUTE),
          .FIELDS       (FIELDS),
          .TREES        (TREES)
      ) dut (
          .clk                 (s_clk),
          .rst                 (switch_rst),
          .in_valid_i          (in_valid),
          .in_kind_i           (in_kind),
          .in_vc_i             (in_vc),
          .in_data_i           (in_data),
          .in_credit_o         (credit),
          .in_barrier_credit_o (barrier_credit),
          .in_count_o          (count),
          .out_valid_o         (valid),
          .out_kind_o          (kind),
          .out_vc_o            (vc),
          .out_data_o          (data),
          .out_credit_i        (out_credit),
          .out_barrier_credit_i(out_barrier_credit),
          .out_count_i         (out_count),
          .cfg_write_i         (cfg_write),
          .cfg_read_i          (cfg_read),
          .cfg_addr_i          (cfg_addr),
          .cfg_wdata_i         (cfg_wdata),
          .cfg_rdata_o         (rdata),
          .quiescent_o         (quiet)
      );
      assign shown[s*SHOWN+:SHOWN] = {valid, kind, vc, data, credit, barrier_credit, count, rdata, quiet};
    end
  endgenerate

endmodule

`default_nettype wire
