// Data of the flits that wait in one input port: a row for each slot of its virtual channels (§2.3, §2.2).
// SPDX-License-Identifier: Apache-2.0
//
// One write port, one synchronous read port: it maps to block RAM. The read register is the one in which a granted flit
// goes to the crossbar, so reading costs no cycle. A row is 0 to ROWS - 1 of channel v of VCS; hd_vc_buffer keeps its
// order. Rows are X until they are written. An ASIC replaces this module by a memory macro.
//
// Precondition: a row is not read in the cycle of its write.
`default_nettype none

module hd_flit_memory #(
    parameter VCS   = 2,  // 1-8
    parameter ROW_W = 2,  // bits of a row number in its channel, 1-6
    parameter WIDTH = 16  // bits of a row
) (
    input  wire                 clk,
    // channel of the flit to write (one bit, or none); the next free row of each channel
    input  wire [      VCS-1:0] write_i,
    input  wire [VCS*ROW_W-1:0] write_rows_i,
    input  wire [    WIDTH-1:0] data_i,
    // channel to read (one bit); the row of each channel; the data, valid from the next cycle until the next read
    input  wire                 read_i,
    input  wire [      VCS-1:0] channel_i,
    input  wire [VCS*ROW_W-1:0] read_rows_i,
    output wire [    WIDTH-1:0] data_o
);

  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1;
  localparam AT_W = VC_W + ROW_W;

  // address: channel number in the high bits, row number in the low ones
  function [AT_W-1:0] at(input [VCS-1:0] channel, input [VCS*ROW_W-1:0] rows);
    integer k;
    begin
      at = {AT_W{1'b0}};
      for (k = 0; k < VCS; k = k + 1) at = at | ({k[VC_W-1:0], rows[k*ROW_W+:ROW_W]} & {AT_W{channel[k]}});
    end
  endfunction

  reg [WIDTH-1:0] mem[0:(1<<AT_W)-1];
  reg [WIDTH-1:0] data_q;
  always @(posedge clk) begin
    if (write_i != {VCS{1'b0}}) mem[at(write_i, write_rows_i)] <= data_i;
    if (read_i) data_q <= mem[at(channel_i, read_rows_i)];
  end
  assign data_o = data_q;

`ifdef FORMAL
  // For any row of any channel: a read shows the word that was last written into it before the read.
  (* anyconst *) wire [VC_W-1:0] f_channel;
  (* anyconst *) wire [ROW_W-1:0] f_row;
  reg f_started = 1'b0;
  wire f_writes = f_started && write_i[f_channel] && (write_rows_i[f_channel*ROW_W+:ROW_W] == f_row);
  wire f_reads = channel_i[f_channel] && (read_rows_i[f_channel*ROW_W+:ROW_W] == f_row);
  reg f_written_q = 1'b0, f_read_q = 1'b0;
  reg [WIDTH-1:0] f_word_q, f_shown_q;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (f_writes) {f_written_q, f_word_q} <= {1'b1, data_i};
    if (read_i) {f_read_q, f_shown_q} <= {f_written_q && f_reads, f_word_q};
  end
  always @* begin
    assume ({1'b0, f_channel} < VCS);
`ifdef FORMAL_hd_flit_memory
    assume ((write_i & (write_i - 1'b1)) == {VCS{1'b0}} && (channel_i & (channel_i - 1'b1)) == {VCS{1'b0}});
`else
    if (f_started) assert ((write_i & (write_i - 1'b1)) == {VCS{1'b0}});
`endif
    if (f_written_q) assert (mem[{f_channel, f_row}] == f_word_q);
    if (f_read_q) assert (data_o == f_shown_q);
  end
`endif

endmodule

`default_nettype wire
