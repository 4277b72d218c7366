// hd_export_loader writes each row of a ROM once, and those for all ports once a port.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module loader_tb;
  parameter PORTS = 5, ROWS = 7, EVEN = 0;
  localparam ROW_W = $clog2(ROWS), T = 60 + ROWS * (PORTS + 1);
  reg clk = 0, rst = 1;
  integer r = 0, p = 0;  // row and port of the next write
  always #5 clk = !clk;
  wire [ROW_W-1:0] row;
  reg [ROW_W-1:0] row_q;
  always @(posedge clk) row_q <= row;
  // Row r is for all ports where r is odd, with EVEN where it is even. Its address has any bits.
  wire all = row_q[0] ^ (EVEN != 0);
  function [19:0] rom(input integer row);
    rom = (row + 1) * 20'h5a3c7;
  endfunction
  wire [19:0] wanted = rom(r);
  wire write, done;
  wire [19:0] addr;
  hd_export_loader #(.PORTS(PORTS), .ROWS(ROWS)) dut (
      .clk(clk), .rst(rst), .row_o(row), .all_i(all), .addr_i(rom(row_q)), .write_o(write),
      .addr_o(addr), .done_o(done)
  );
  integer writes = 0, bad = 0, cycle = 0;
  reg reads = 1;  // a row is read in this cycle
  always @(posedge clk) begin
    cycle = cycle + 1;
    if (rst) begin
      r = 0;
      p = 0;
      reads = 1;
    end else if (r == ROWS) begin
      if (done !== 1'b1 || write !== 1'b0) bad = bad + 1;
    end else begin
      if (done !== 1'b0 || write !== !reads) bad = bad + 1;
      if (!reads) begin
        if (row_q !== r || addr !== {wanted[19:16], ((r + EVEN) % 2) ? p[3:0] : wanted[15:12], wanted[11:0]}) begin
          bad = bad + 1;
          $display("write %0d of row %0d: row %0d addr %h", writes, r, row_q, addr);
        end
        writes = writes + 1;
        if ((r + EVEN) % 2 && p + 1 < PORTS) p = p + 1;
        else begin
          r = r + 1;
          p = 0;
          reads = 1;
        end
      end else reads = 0;
    end
    // two resets in the midst, and one after the last write
    rst <= cycle < 3 || (cycle > 20 && cycle < 24) || cycle == 33 || (cycle > T && cycle < T + 4);
    if ((cycle == T || cycle == 2 * T) && r != ROWS) bad = bad + 1;
    if (cycle == 2 * T) begin
      if (bad == 0) $display("ok loader: %0d writes of %0d rows, after four resets", writes, ROWS);
      else $display("FAIL %0d differences", bad);
      $finish;
    end
  end
endmodule
