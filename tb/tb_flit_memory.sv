// Memory of an input port's flits against an array: any channel is written and any is read (§2.3).
// SPDX-License-Identifier: Apache-2.0
module tb_flit_memory;
  parameter VCS = 3, ROW_W = 2;
  localparam WIDTH = 16, ROWS = 1 << ROW_W;
`include "check.svh"
  logic [VCS-1:0] write = 0, channel = 1;
  logic [VCS*ROW_W-1:0] write_rows = 0, read_rows = 0;
  logic [WIDTH-1:0] in = 0, out, want;
  logic read = 0;
  hd_flit_memory #(.VCS(VCS), .ROW_W(ROW_W), .WIDTH(WIDTH)) dut (
    .clk(clk), .write_i(write), .write_rows_i(write_rows), .data_i(in), .read_i(read), .channel_i(channel),
    .read_rows_i(read_rows), .data_o(out));
  logic [WIDTH-1:0] rows[VCS][ROWS];
  int w, r;
  initial begin
    for (int n = 0; n < VCS * ROWS + 5000; n++) begin
      // every row is written once before any is read
      for (int v = 0; v < VCS; v++) begin
        write_rows[v*ROW_W+:ROW_W] = random_below(ROWS);
        read_rows[v*ROW_W+:ROW_W]  = random_below(ROWS);
      end
      w = n < VCS * ROWS ? n / ROWS : random_below(VCS);
      if (n < VCS * ROWS) write_rows[w*ROW_W+:ROW_W] = n % ROWS;
      write = (n < VCS * ROWS || random_below(2)) ? 1 << w : 0;
      in = $random(seed);
      r = random_below(VCS);
      channel = 1 << r;
      read = n == VCS * ROWS || (n > VCS * ROWS && random_below(2));
      if (read && write[r] && read_rows[r*ROW_W+:ROW_W] == write_rows[r*ROW_W+:ROW_W]) write = 0;
      if (read) want = rows[r][read_rows[r*ROW_W+:ROW_W]];
      if (write != 0) rows[w][write_rows[w*ROW_W+:ROW_W]] = in;
      step();
      if (n >= VCS * ROWS) check("data", out, want);
    end
    finish_bench($sformatf("flit_memory VCS=%0d ROW_W=%0d", VCS, ROW_W));
  end
endmodule
