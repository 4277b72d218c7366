// A bench for xy_router: random packets into all ports, neighbours that are not always ready.
// SPDX-License-Identifier: Apache-2.0
//
// It checks nothing by itself; xy_router_monitor.sv binds Heddle's monitor to the router (docs/monitors.md).
module xy_router_bench;
  import xy_pkg::*;

  localparam int Cycles = 20000;
  localparam int Drain = 500;

  logic clk = 0, rst_n = 0, sends = 1;
  coord_t here;
  logic [NumPorts-1:0] valid_i, ready_o, valid_o, ready_i;
  flit_t [NumPorts-1:0] flit_i, flit_o;
  int left[NumPorts];  // flits of the packet that is being sent
  int count[NumPorts];

  assign here = '{x: 3'd2, y: 3'd1};
  always #5 clk = ~clk;

  xy_router u_router (
      .clk_i (clk),
      .rst_ni(rst_n),
      .here_i(here),
      .valid_i,
      .ready_o,
      .flit_i,
      .valid_o,
      .ready_i,
      .flit_o
  );

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    always @(posedge clk)
      if (!rst_n) begin
        valid_i[p] <= 0;
        left[p]  <= 0;
        count[p] <= 0;
      end else if (!valid_i[p] || ready_o[p]) begin
        valid_i[p] <= 0;
        if (left[p] != 0 || (sends && $urandom_range(3) == 0)) begin
          valid_i[p] <= 1;
          flit_i[p].head <= left[p] == 0;
          flit_i[p].dst <= 6'($urandom);
          flit_i[p].data <= {3'(p), 13'(count[p])};  // no two flits are alike
          count[p] <= count[p] + 1;
          if (left[p] == 0) begin
            automatic int length = $urandom_range(4, 1);
            flit_i[p].tail <= length == 1;
            left[p] <= length - 1;
          end else begin
            flit_i[p].tail <= left[p] == 1;
            left[p] <= left[p] - 1;
          end
        end
      end
  end

  always @(posedge clk) ready_i <= sends ? NumPorts'($urandom) : '1;

  initial begin
    repeat (4) @(negedge clk);
    rst_n = 1;
    repeat (Cycles) @(negedge clk);
    sends = 0;
    repeat (Drain) @(negedge clk);
    $finish;
  end

endmodule
