// Configuration port: every register of §3.3, §8.6 and §11.1 is read, and nothing anywhere else (§3.1); those of §10.2, §10.9, §12.6 and §13.3 are written.
// SPDX-License-Identifier: Apache-2.0
module tb_config;
  parameter PORTS = 5, VCS = 2, DATA_W = 16, DEPTH = 4, NODES = 64, ROUTE_CYCLES = 1, ARB_CYCLES = 1;
  parameter BUFFER_CYCLES = 0, CUT_FLITS = 0, SOURCE_TABLE = 0, ADAPTIVE = 0, BARRIER = 0, GROUPS = 4, SWITCHES = 64, VALUES = 0;
  parameter CODE_PLACES = 0, CODE_CYCLES = 0, ROUTE = 0, FIELDS = 1, TREES = 0;
  localparam ERROR_W = CODE_PLACES != 0 ? 16 : BARRIER == 0 ? 7 : 12;
`include "check.svh"
  logic read = 0, write = 0;
  logic [19:0] addr = 0;
  logic [15:0] rdata, idle = 0, kept = 0, wdata = 0, digits;
  logic [$clog2(NODES)-1:0] own, far, below;
  logic [2:0] cast;
  logic [VCS-1:0] adapt;
  logic [3:0] cap;
  logic [PORTS-1:0] first;
  logic [9:0] bias;
  logic [15:0] adapt_word = 0, first_word = 0, bias_word = 0;  // what ADAPT, FIRST and BIAS read
  logic [15:0] words[20:24];  // OWN, FAR, BELOW, DIGITS, CAST as they were written
  logic [ERROR_W-1:0] errors = 0;
  logic [10:0] self = 0;
  logic [PORTS-1:0] live = 0;
  hd_config #(.PORTS(PORTS), .VCS(VCS), .DATA_W(DATA_W), .DEPTH(DEPTH), .NODES(NODES), .ROUTE_CYCLES(ROUTE_CYCLES),
    .ARB_CYCLES(ARB_CYCLES), .BUFFER_CYCLES(BUFFER_CYCLES), .CUT_FLITS(CUT_FLITS), .SOURCE_TABLE(SOURCE_TABLE),
    .ADAPTIVE(ADAPTIVE), .BARRIER(BARRIER), .GROUPS(GROUPS), .SWITCHES(SWITCHES), .VALUES(VALUES), .CODE_PLACES(CODE_PLACES),
    .CODE_CYCLES(CODE_CYCLES), .ROUTE(ROUTE), .FIELDS(FIELDS), .TREES(TREES), .ERROR_W(ERROR_W)) dut (
    .clk(clk), .rst(rst), .write_i(write), .read_i(read), .addr_i(addr), .wdata_i(wdata), .rdata_o(rdata), .errors_i(errors), .idle_i(idle),
    .self_i(self), .live_i(live), .own_o(own), .far_o(far), .below_o(below), .digits_o(digits), .cast_o(cast),
    .adapt_o(adapt), .cap_o(cap), .first_o(first), .bias_o(bias));

  // what the tables say is at an address, in the state of this cycle
  function automatic logic [15:0] contents(input logic [19:0] a);
    case (a)
      0: return 16'h4844;
      1: return 16'h0001;
      2: return PORTS | VCS << 5 | DEPTH << 9;
      3: return ROUTE_CYCLES | ARB_CYCLES << 2 | BUFFER_CYCLES << 4 | SOURCE_TABLE << 5 | CUT_FLITS << 6 | ADAPTIVE << 13;
      4: return DATA_W | ROUTE << 7 | TREES << 10;
      5: return 16'(NODES);
      8: return errors;
      17: return adapt_word;
      25: return first_word;
      26: return bias_word;
      19: return ROUTE == 0 ? 0 : FIELDS;
      18: return CODE_PLACES == 0 ? 0 : CODE_PLACES | CODE_CYCLES << 9;
    endcase
    if (BARRIER != 0)
      case (a)
        6: return BARRIER | GROUPS << 3 | VALUES << 9;
        7: return SWITCHES;
        9: return idle;
        10: return self;
        11: return live;
      endcase
    return 0;
  endfunction

  initial begin
    foreach (words[i]) words[i] = 0;
    step();
    check("after reset", rdata, 0);
    rst = 0;
    for (int n = 0; n < 8000; n++) begin
      rst = random_below(200) == 0;
      read = random_below(3) != 0;
      // mostly registers; else the same index with another port or select, or any address
      write = (ROUTE != 0 || TREES != 0 || ADAPTIVE != 0) && random_below(2);
      wdata = $random(seed);
      addr = random_below(28);
      if (random_below(4) == 0) addr[5+random_below(15)] = 1;
      if (random_below(8) == 0) addr = $random(seed);
      {errors, idle, self, live} = {$random(seed), $random(seed), $random(seed)};
      if (write && !rst && addr >= 20 && addr <= 24) words[addr] = wdata;
      if (rst) kept = 0;
      else if (read) kept = contents(addr);
      if (rst) {adapt_word, first_word, bias_word} = 0;
      else if (write && addr == 25 && ADAPTIVE == 3) first_word = wdata & ((1 << PORTS) - 1);
      else if (write && addr == 26 && ADAPTIVE == 3) bias_word = wdata & 16'h03ff;
      else if (write && addr == 17 && (ADAPTIVE == 1 || ADAPTIVE == 2)) adapt_word = wdata & (16'h0f00 | ((1 << VCS) - 1));
      step();
      check($sformatf("address %0h", addr), rdata, kept);
      check("OWN", own, ROUTE == 0 ? 0 : words[20][$clog2(NODES)-1:0]);
      check("FAR", far, ROUTE != 2 ? 0 : words[21][$clog2(NODES)-1:0]);
      check("BELOW", below, ROUTE != 4 ? 0 : words[22][$clog2(NODES)-1:0]);
      check("DIGITS", digits, ROUTE != 4 ? 0 : words[23]);
      check("channels of ADAPT", adapt, adapt_word[VCS-1:0] & ~(BARRIER == 5 ? 1 << (VCS - 1) : 0));
      check("FIRST", first, first_word);
      check("BIAS", bias, bias_word);
      check("cap of ADAPT", cap, adapt_word[11:8]);
      check("CAST", cast, TREES == 0 ? 0 : words[24][2:0]);
    end
    finish_bench($sformatf("config PORTS=%0d ADAPTIVE=%0d BARRIER=%0d CODE_PLACES=%0d", PORTS, ADAPTIVE, BARRIER, CODE_PLACES));
  end
endmodule
