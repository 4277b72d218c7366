// The link to a fabric that runs at full clock (§9.7), with bytes at its port: a serial line's, or those of another way.
// SPDX-License-Identifier: Apache-2.0
//
// Knows nothing of the fabric but the signatures of its switches, and nothing of any board.
`default_nettype none

module hd_speed #(
    parameter        SWITCHES   = 4,      // of the fabric
    parameter        PORTS      = 5,      // of a switch
    parameter        DATA_W     = 16,     // 16, 32, 64
    parameter        SIGNATURES = 24,     // of all switches: SWITCHES * (PORTS * DATA_W / 16 + 1)
    parameter        WORDS      = 4096,   // signatures that are kept, a power of two, at least four times as many
    parameter        CLOCK_KHZ  = 12000,
    parameter [63:0] BUILD      = 64'd0
) (
    input  wire                     clk,
    input  wire                     rst,
    // bytes in: taken at once; lost_i: one was lost on its way
    input  wire                     rx_valid_i,
    input  wire [              7:0] rx_byte_i,
    input  wire                     rx_lost_i,
    // bytes out: one is taken in a cycle with both
    output wire                     tx_valid_o,
    input  wire                     tx_ready_i,
    output wire [              7:0] tx_byte_o,
    // fabric
    output wire                     fabric_rst_o,
    input  wire                     ready_i,
    output wire                     clear_o,
    output wire                     step_o,
    input  wire [32*SIGNATURES-1:0] signatures_i,
    // a request is carried out, or windows are taken
    output wire                     busy_o
);

  localparam ADDR_W = $clog2(WORDS);

  wire got, bad, busy, send, sending, write_request, write_answer;
  wire [8:0] length, send_base, send_length, write_request_addr, write_answer_addr, read_answer_addr;
  wire [3:0] read_request_addr;
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
  wire unused = &{1'b0, bad};

  // The request's first bytes are all that is looked at.
  (* no_rw_check *) reg [7:0] request[0:15];
  (* no_rw_check *) reg [7:0] answer[0:511];
  reg [7:0] request_byte, answer_byte;
  always @(posedge clk) begin
    if (write_request && (write_request_addr < 9'd16)) request[write_request_addr[3:0]] <= write_request_byte;
    request_byte <= request[read_request_addr];
  end
  always @(posedge clk) begin
    if (write_answer) answer[write_answer_addr] <= write_answer_byte;
    answer_byte <= answer[read_answer_addr];
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

  wire start, running, overrun;
  wire [47:0] first;
  wire [5:0] k;
  wire [31:0] windows, complete, given, word;
  wire [ADDR_W-1:0] addr;
  hd_speed_requests #(
      .SWITCHES (SWITCHES),
      .PORTS    (PORTS),
      .DATA_W   (DATA_W),
      .WORDS    (WORDS),
      .CLOCK_KHZ(CLOCK_KHZ),
      .BUILD    (BUILD)
  ) requests (
      .clk           (clk),
      .rst           (rst),
      .got_i         (got),
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
      .start_o       (start),
      .first_o       (first),
      .k_o           (k),
      .windows_o     (windows),
      .running_i     (running),
      .overrun_i     (overrun),
      .complete_i    (complete),
      .given_o       (given),
      .addr_o        (addr),
      .word_i        (word)
  );
  hd_windows #(
      .SIGNATURES(SIGNATURES),
      .WORDS     (WORDS)
  ) u_windows (
      .clk         (clk),
      .rst         (rst),
      .start_i     (start),
      .first_i     (first),
      .k_i         (k),
      .windows_i   (windows),
      .running_o   (running),
      .fabric_rst_o(fabric_rst_o),
      .ready_i     (ready_i),
      .clear_o     (clear_o),
      .step_o      (step_o),
      .signatures_i(signatures_i),
      .given_i     (given),
      .complete_o  (complete),
      .overrun_o   (overrun),
      .addr_i      (addr),
      .word_o      (word)
  );
  assign busy_o = busy || running;

endmodule

`default_nettype wire
