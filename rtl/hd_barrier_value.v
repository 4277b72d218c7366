// Combines the value of a barrier message with the values that have arrived in the round (§8.14).
// SPDX-License-Identifier: Apache-2.0
//
// Combinational. Operator 0 has no value: its result is 0, whatever bits the message has. If two operators differ, the
// result is that of operator 0.
`default_nettype none

module hd_barrier_value (
    // operator and value so far; 1: no value has arrived yet
    input  wire [ 1:0] op_i,
    input  wire [31:0] value_i,
    input  wire        first_i,
    // operator and value of the message
    input  wire [ 1:0] with_op_i,
    input  wire [31:0] with_value_i,
    // combined operator and value; 1: the operators differ
    output wire [ 1:0] op_o,
    output reg  [31:0] value_o,
    output wire        differ_o
);

  localparam [1:0] SUM = 2'd1, MINIMUM = 2'd2, MAXIMUM = 2'd3;

  wire less = with_value_i < value_i;
  assign differ_o = !first_i && (with_op_i != op_i);
  assign op_o = differ_o ? 2'd0 : with_op_i;
  always @* begin
    value_o = 32'd0;
    if (first_i) begin
      if (with_op_i != 2'd0) value_o = with_value_i;
    end else if (!differ_o)
      case (op_i)
        SUM: value_o = value_i + with_value_i;
        MINIMUM: value_o = less ? with_value_i : value_i;
        MAXIMUM: value_o = less ? value_i : with_value_i;
        default: ;
      endcase
  end

`ifdef FORMAL
  // 1 §8.14: the result has the operator that both name, otherwise operator 0
  // 2 operator 0 has the value 0; the first value is taken as it is; a minimum or maximum is one of the two values and
  //   none of them is beyond it; a sum less one value is the other
  always @* begin
    assert (differ_o == (!first_i && (op_i != with_op_i)));
    assert (op_o == ((first_i || (op_i == with_op_i)) ? with_op_i : 2'd0));
    if (op_o == 2'd0) assert (value_o == 32'd0);
    else if (first_i) assert (value_o == with_value_i);
    else if (op_o == SUM) assert (value_o - with_value_i == value_i);
    else begin
      assert ((value_o == value_i) || (value_o == with_value_i));
      if (op_o == MINIMUM) assert ((value_o <= value_i) && (value_o <= with_value_i));
      if (op_o == MAXIMUM) assert ((value_o >= value_i) && (value_o >= with_value_i));
    end
  end
`endif

endmodule

`default_nettype wire
