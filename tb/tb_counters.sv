// The counters of the board: each event is added once, and words that are read fit together (§9.3).
// SPDX-License-Identifier: Apache-2.0
module tb_counters;
  parameter STEPS = 20000;
`include "check.svh"
  logic [5:0] event_now = 0;  // good, bad, done, again, lost, ran: the lowest is good
  logic [31:0] cycles = 0, total[0:5];
  logic hold = 0, idle;
  logic [3:0] addr = 0;
  logic [15:0] word;
  int wait_for[0:5], lost_since_idle = 0, reads = 0, together = 0;
  hd_counters dut (.clk(clk), .rst(rst), .good_i(event_now[0]), .bad_i(event_now[1]), .done_i(event_now[2]),
    .again_i(event_now[3]), .lost_i(event_now[4]), .ran_i(event_now[5]), .cycles_i(cycles), .idle_o(idle), .hold_i(hold),
    .addr_i(addr), .word_o(word));

  // Events of one kind come far apart, but for lost bytes: three may come before one is added. Cycles stay until idle.
  task automatic events;
    if (idle) lost_since_idle = 0;
    for (int i = 0; i < 6; i++) begin
      if (wait_for[i] > 0) wait_for[i] = wait_for[i] - 1;
      event_now[i] = wait_for[i] == 0 && (i == 4 ? lost_since_idle < 3 : i != 5 || idle) && random_below(8) == 0;
      if (event_now[i]) begin
        wait_for[i] = i == 4 ? 8 : 90;
        lost_since_idle += i == 4;
        if (i == 5) cycles = random_below(3) ? $random(seed) : random_below(100);
        total[i] = total[i] + (i == 5 ? cycles : 1);
      end
    end
    together += (event_now & (event_now - 1)) != 0;
  endtask

  // Half of the time bytes are lost while all words are read: they are added afterwards.
  task automatic read_all;
    logic [31:0] was[0:5];
    int n = 0;
    foreach (was[i]) was[i] = total[i];
    hold = 1;
    repeat (24) begin
      event_now = 0;
      event_now[4] = random_below(16) == 0 && n < 3;
      n += event_now[4];
      total[4] = total[4] + event_now[4];
      addr = random_below(12);
      step();
      check($sformatf("word %0d", addr), word, addr[0] ? was[addr/2][31:16] : was[addr/2][15:0]);
      reads++;
    end
    event_now = 0;
    hold = 0;
  endtask

  initial begin
    foreach (total[i]) total[i] = 0;
    foreach (wait_for[i]) wait_for[i] = 0;
    repeat (3) step();
    rst = 0;
    for (int n = 0; n < STEPS; n++) begin
      step();
      if (idle && random_below(20) == 0) read_all();
      else events();
      if (random_below(2000) == 0) begin
        rst = 1;
        event_now = 0;
        foreach (total[i]) total[i] = 0;
        lost_since_idle = 0;
        step();
        rst = 0;
      end
    end
    check("words were read", reads > STEPS / 100, 1);
    check("events came together", together > STEPS / 1000, 1);
    finish_bench("counters");
  end
endmodule
