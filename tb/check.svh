// Clock, reset, comparison and verdict of every bench.
// SPDX-License-Identifier: Apache-2.0
//
// `compared` is printed, so that an empty run shows. step() goes to just after the next clock
// edge: what is set then is at the pins for one whole cycle, what is read then is that cycle's
// output.
// check() compares 128 bits; what is wider is compared in parts, or by === where it is called.
logic clk = 0, rst = 1;
always #5 clk = ~clk;
int compared = 0, failed = 0, cycle = 0;
int seed = 1;

task automatic step;
  @(posedge clk);
  #1 cycle++;
endtask

task automatic check(input string what, input logic [127:0] got, input logic [127:0] want);
  compared++;
  if (got !== want) begin
    failed++;
    if (failed <= 10) $display("FAIL %m cycle %0d %s: got %0h, want %0h", cycle, what, got, want);
  end
endtask

function automatic int random_below(input int n);
  return $unsigned($random(seed)) % n;
endfunction

task automatic finish_bench(input string name);
  if (failed == 0 && compared > 0)
    $display("ok tb %s: PASS, compared %0d, seed %0d", name, compared, start_seed);
  else $display("not ok tb %s: FAIL, %0d of %0d differ, replay with +seed=%0d", name, failed, compared, start_seed);
  $finish;
endtask

int start_seed;
initial begin
  if (!$value$plusargs("seed=%d", seed)) seed = 1;
  start_seed = seed;
end
