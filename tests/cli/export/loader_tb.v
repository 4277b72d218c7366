// hd_export_loader writes each row of a ROM once, and those for all ports once a port.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module loader_tb;
  parameter PORTS = 5, ROWS = 7;
  localparam ROW_W = $clog2(ROWS);
  reg clk = 0, rst = 1;
  always #5 clk = !clk;
  wire [ROW_W-1:0] row;
  reg [ROW_W-1:0] row_q;
  always @(posedge clk) row_q <= row;
  // row r is for all ports where r is odd
  wire all = row_q[0];
  wire write, done;
  wire [19:0] addr;
  hd_export_loader #(.PORTS(PORTS), .ROWS(ROWS)) dut (
      .clk(clk), .rst(rst), .row_o(row), .all_i(all), .addr_i({4'd1, 4'd9, 9'd0, {3{1'b0}} | row_q}), .write_o(write),
      .addr_o(addr), .done_o(done)
  );
  integer r = 0, p = 0, writes = 0, bad = 0, cycle = 0;
  always @(posedge clk) begin
    cycle = cycle + 1;
    if (write === 1'b1) begin
      if (row_q !== r || addr !== {4'd1, (r % 2) ? p[3:0] : 4'd9, r[11:0]}) begin
        bad = bad + 1;
        $display("write %0d of row %0d: row %0d addr %h", writes, r, row_q, addr);
      end
      writes = writes + 1;
      if (r % 2 && p + 1 < PORTS) p = p + 1;
      else begin r = r + 1; p = 0; end
    end
    if (done === 1'b1 && write !== 1'b0) bad = bad + 1;
    rst <= cycle < 3 || (cycle > 200 && cycle < 204);
    if (cycle == 200 || cycle == 400) begin
      if (r != ROWS || done !== 1'b1) bad = bad + 1;
      r = 0;
    end
    if (cycle == 400) begin
      if (bad == 0) $display("ok loader: %0d writes of %0d rows, after two resets", writes, ROWS);
      else $display("FAIL %0d differences", bad);
      $finish;
    end
  end
endmodule
