// A clock onto a clock net: the one place where a vendor's clock buffer is named.
// SPDX-License-Identifier: Apache-2.0
//
// iCE40 and ECP5 put a net that clocks registers onto a global one by themselves. Gowin does not: without a buffer a
// clock reaches registers at different times, and some take what their neighbours are only about to have. fpga/build.sh
// defines HD_BUFG for families whose buffer is called BUFG, with pins I and O. For another buffer, a board's folder has a
// module of this name, which is taken instead of this one.
`default_nettype none

module hd_clock_buffer (
    input  wire clk_i,
    output wire clk_o
);

`ifdef HD_BUFG
  BUFG u_buffer (
      .I(clk_i),
      .O(clk_o)
  );
`else
  assign clk_o = clk_i;
`endif

endmodule

`default_nettype wire
