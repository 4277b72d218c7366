// Values of barrier messages that join (§8.14): each operator, at the ends of 32 bits and anywhere, and with others.
// SPDX-License-Identifier: Apache-2.0
//
// What is not looked at is unknown (X). The bench computes in 64 bits.
module tb_barrier_value;
  parameter ROUNDS = 20000;
`include "check.svh"
  logic [1:0] op, with_op, op_now, want_op;
  logic [31:0] value, with_value, value_now;
  logic first, differ, want_differ;
  longint unsigned a, b, want;
  int seen[0:8];
  hd_barrier_value dut (
    .op_i(op), .value_i(value), .first_i(first), .with_op_i(with_op), .with_value_i(with_value),
    .op_o(op_now), .value_o(value_now), .differ_o(differ));

  function automatic logic [31:0] some_value;
    case (random_below(6))
      0: return 0;
      1: return 32'hffffffff;
      2: return 32'h80000000 - random_below(2);
      3: return a + random_below(3) - 1;
      default: return $random(seed);
    endcase
  endfunction
  task automatic came(input int i);
    seen[i] = seen[i] + 1;
  endtask

  initial begin
    foreach (seen[i]) seen[i] = 0;
    a = 0;
    for (int n = 0; n < ROUNDS; n++) begin
      op = $random(seed);
      with_op = random_below(3) ? op : $random(seed);
      first = random_below(4) == 0;
      value = op == 0 ? 0 : some_value();
      with_value = some_value();
      a = value;
      b = with_value;
      want_differ = !first && op != with_op;
      want_op = want_differ ? 0 : with_op;
      case ({first, want_op})
        3'b001: want = (a + b) % 64'h100000000;
        3'b010: want = a < b ? a : b;
        3'b011: want = a > b ? a : b;
        3'b101, 3'b110, 3'b111: want = b;
        default: want = 0;
      endcase
      if (first) {op, value} = 'x;
      if (with_op == 0) with_value = 'x;
      #1;
      check("operators differ", differ, want_differ);
      check("operator", op_now, want_op);
      check($sformatf("value of operator %0d, first %0d", want_op, first), value_now, want);
      came(want_differ ? 8 : {first, want_op});
    end
    for (int i = 0; i < 9; i++) check($sformatf("case %0d came often: %0d", i, seen[i]), seen[i] > 100, 1);
    finish_bench("barrier_value");
  end
endmodule
