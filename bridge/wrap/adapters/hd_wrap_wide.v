// Takes Heddle's data out of a router's wider data, which was filled with copies of it.
// SPDX-License-Identifier: Apache-2.0
//
// If a copy differs, the flit is damaged. Then the output is damaged, too: its highest bit is
// inverted, or the bit below if only the highest bit differs.
`default_nettype none

module hd_wrap_wide #(
    parameter WIDE = 64,    // DATA_W or more
    parameter DATA_W = 32
) (
    input  wire [  WIDE-1:0] wide_i,
    output wire [DATA_W-1:0] data_o
);

  localparam [DATA_W-1:0] HIGHEST = {1'b1, {DATA_W - 1{1'b0}}};
  reg [DATA_W-1:0] differ;
  integer k;
  always @* begin
    differ = {DATA_W{1'b0}};
    for (k = DATA_W; k < WIDE; k = k + 1)
      differ[k%DATA_W] = differ[k%DATA_W] | (wide_i[k] ^ wide_i[k%DATA_W]);
  end
  assign data_o = wide_i[DATA_W-1:0] ^
      ((differ == {DATA_W{1'b0}}) ? differ : (differ == HIGHEST) ? HIGHEST >> 1 : HIGHEST);

endmodule

`default_nettype wire
