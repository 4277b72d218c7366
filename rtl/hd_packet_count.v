// Counts the packets inside the switch, and shows the count to the neighbours (§10.8).
// SPDX-License-Identifier: Apache-2.0
//
// Input ports report accepted heads and popped flits a cycle later. So the sum begins at registers and not at grants,
// which come late. `packets_q` has the sum of the cycle before.
//
// Precondition: the count stays between 0 and PORTS * VCS * (DEPTH + 1). hd_switch proves that the sum equals the
// packets in its buffers and channels.
`default_nettype none

module hd_packet_count #(
    parameter PORTS = 5,  // 2-16
    parameter VCS   = 2,  // 1-8
    parameter DEPTH = 4   // 1-64
) (
    input  wire                   clk,
    input  wire                   rst,
    // in the last cycle: ports that accepted a head or single; channels that lost a flit that counts, and channels that
    // lost a packet that was open or sinking
    input  wire [      PORTS-1:0] accepted_i,
    input  wire [2*PORTS*VCS-1:0] left_i,
    // packets inside at the start of this cycle (N)
    output wire [           13:0] packets_o,
    // bit 6: 1: a count is shown; bits 5-0: the count
    output reg  [            6:0] shown_o
);

  localparam MOST = PORTS * VCS * (DEPTH + 1);
  localparam WIDTH = $clog2(MOST + 1);
  localparam LEFT_W = $clog2(2 * PORTS * VCS + 1);

  reg [WIDTH-1:0] packets_q;
  reg [WIDTH-1:0] packets;
  reg [LEFT_W-1:0] left;
  integer i;
  always @* begin
    left = {LEFT_W{1'b0}};
    for (i = 0; i < 2 * PORTS * VCS; i = i + 1) left = left + {{(LEFT_W - 1) {1'b0}}, left_i[i]};
    packets = packets_q;
    for (i = 0; i < PORTS; i = i + 1) packets = packets + {{(WIDTH - 1) {1'b0}}, accepted_i[i]};
    packets = packets - {{(WIDTH - LEFT_W) {1'b0}}, left};
  end
  assign packets_o = {{(14 - WIDTH) {1'b0}}, packets};

  // 63 stands for 63 or more
  wire [5:0] count = (packets_o[13:6] != 8'd0) ? 6'd63 : packets_o[5:0];
  reg [5:0] count_q;
  always @(posedge clk)
    if (rst) begin
      packets_q <= {WIDTH{1'b0}};
      count_q  <= 6'd0;
      shown_o  <= 7'd0;
    end else begin
      packets_q <= packets;
      count_q  <= count;
      shown_o  <= (count != count_q) ? {1'b1, count} : 7'd0;
    end

`ifdef FORMAL
  // 1 in each cycle the count is the packets accepted less the packets that left, and it never wraps
  // 2 a count is shown exactly in the cycle after min(63, N) has changed, and equals it
  reg f_started = 1'b0;
  reg [15:0] f_packets_q = 16'd0;  // N of the last cycle
  reg [5:0] f_last_q = 6'd0, f_before_q = 6'd0;  // N' of the last cycle, and of the one before it
  reg [15:0] f_packets;
  integer f_i;
  always @* begin
    f_packets = f_packets_q;
    for (f_i = 0; f_i < PORTS; f_i = f_i + 1) if (accepted_i[f_i]) f_packets = f_packets + 16'd1;
    for (f_i = 0; f_i < 2 * PORTS * VCS; f_i = f_i + 1) if (left_i[f_i]) f_packets = f_packets - 16'd1;
  end
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_packets_q <= rst ? 16'd0 : f_packets;
    f_last_q <= rst ? 6'd0 : (f_packets > 16'd63) ? 6'd63 : f_packets[5:0];
    f_before_q <= rst ? 6'd0 : f_last_q;
  end
  always @* begin
    if (!f_started) assume (rst);
`ifdef FORMAL_hd_packet_count
    assume (f_packets <= MOST);
`else
    if (f_started) assert (f_packets <= MOST);
`endif
    if (f_started) begin
      assert (count_q == ((packets_q > 63) ? 6'd63 : packets_q));
      assert (packets_q == f_packets_q[WIDTH-1:0]);
      assert (packets_o == f_packets);
      assert (count_q == f_last_q);
      assert (f_packets_q <= MOST && f_last_q == ((f_packets_q > 16'd63) ? 6'd63 : f_packets_q[5:0]));
      assert (shown_o == ((f_last_q != f_before_q) ? {1'b1, f_last_q} : 7'd0));
    end
  end
`endif

endmodule

`default_nettype wire
