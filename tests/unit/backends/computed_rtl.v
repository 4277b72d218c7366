// Plays computed routes: reads registers and headers from a file, compares with the port and channels that are due.
// SPDX-License-Identifier: Apache-2.0
//
// Lines: `r OWN FAR BELOW DIGITS` sets the registers of §12.6, `p HEADER PORT MASK` is a packet; all in hexadecimal.
// The mask 0 says unroutable. Prints `routes N, wrong M`.
module computed_rtl;
  parameter PORTS = 5, VCS = 2, NODES = 16, ROUTE = 1, FIELDS = 1, SOURCE_TABLE = 0, BARRIER = 0;
  localparam DATA_W = 64;
  reg [DATA_W-1:0] header;
  reg [15:0] own = 0, far = 0, below = 0, digits = 0, want_port, want_mask;
  reg [7:0] kind;
  wire [$clog2(PORTS)-1:0] port;
  wire [VCS-1:0] mask;
  hd_route_compute #(
      .PORTS(PORTS),
      .VCS(VCS),
      .DATA_W(DATA_W),
      .NODES(NODES),
      .ROUTE(ROUTE),
      .FIELDS(FIELDS),
      .SOURCE_TABLE(SOURCE_TABLE),
      .BARRIER(BARRIER)
  ) dut (
      .data_i(header),
      .own_i(own[$clog2(NODES)-1:0]),
      .far_i(far[$clog2(NODES)-1:0]),
      .below_i(below[$clog2(NODES)-1:0]),
      .digits_i(digits),
      .port_o(port),
      .mask_o(mask)
  );
  reg [8*512-1:0] path;
  integer file, got, routes, wrong;
  initial begin
    routes = 0;
    wrong = 0;
    if (!$value$plusargs("routes=%s", path)) $finish;
    file = $fopen(path, "r");
    while ($fscanf(file, " %c", kind) == 1)
      if (kind == "r") got = $fscanf(file, "%h %h %h %h", own, far, below, digits);
      else begin
        got = $fscanf(file, "%h %h %h", header, want_port, want_mask);
        #1 routes = routes + 1;
        if ((mask !== want_mask[VCS-1:0]) || ((want_mask != 0) && (port !== want_port[$clog2(PORTS)-1:0]))) begin
          wrong = wrong + 1;
          if (wrong <= 5)
            $display("own %h far %h below %h digits %h header %h: port %0d mask %b, due port %0d mask %b", own, far, below,
                     digits, header, port, mask, want_port, want_mask[VCS-1:0]);
        end
      end
    $display("routes %0d, wrong %0d", routes, wrong);
    $finish;
  end
endmodule
