// The stress bench (tb/stress) around two switches: equal ones agree, and every change of an output is found in its cycle.
// SPDX-License-Identifier: Apache-2.0
//
// Neighbours keep the rules, and one seed gives one traffic. With FOREIGN the switches are taken for a router of any kind:
// tables are written from here.
module tb_stress;
  parameter PORTS = 2, VCS = 2, DATA_W = 16, DEPTH = 4, NODES = 16, SOURCE_TABLE = 0, ADAPTIVE = 0, BARRIER = 0, CODE_PLACES = 0, FOREIGN = 0;
  parameter CYCLES = 600;
  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1;
`include "check.svh"
  logic bench_rst = 1, mixed = 0, writes = 0, resets = 0, illegal = 0;
  logic [63:0] bench_seed = 0;
  wire bench_sw_rst, bench_cfg_write, cfg_read;
  wire [PORTS-1:0] in_valid, out_barrier_credit;
  wire [PORTS*3-1:0] in_kind;
  wire [PORTS*VC_W-1:0] in_vc;
  wire [PORTS*DATA_W-1:0] in_data;
  wire [PORTS*VCS-1:0] out_credit;
  wire [PORTS*7-1:0] out_count;
  wire [19:0] bench_cfg_addr;
  wire [15:0] bench_cfg_wdata;
  // before the bench: destinations of each port, and tables
  logic lists = 0, tables = 0;
  logic [3:0] port_to = 0, number_to = 0;
  logic [11:0] node_to = 0;
  wire sw_rst = !tables && bench_sw_rst;
  wire cfg_write = tables || bench_cfg_write;
  wire [19:0] cfg_addr = tables ? {4'd1, port_to, node_to} : bench_cfg_addr;
  wire [15:0] cfg_wdata = tables ? {4'd1, 8'd255, 4'(node_to % PORTS)} : bench_cfg_wdata;
  wire [47:0] cycles, flits, at;
  wire differs;
  wire [2:0] what;
  wire [3:0] port;
  wire [DATA_W+6:0] original, changed;

  // two switches; what the second shows may be changed: a bit of all its outputs in one row
  localparam OUT_W = PORTS * (VCS + 1 + 7 + 1 + 3 + VC_W + DATA_W) + 16 + 1;
  wire [PORTS*VCS-1:0] credit[0:1];
  wire [PORTS-1:0] barrier_credit[0:1], valid[0:1];
  wire [PORTS*7-1:0] count[0:1];
  wire [PORTS*3-1:0] kind[0:1];
  wire [PORTS*VC_W-1:0] vc[0:1];
  wire [PORTS*DATA_W-1:0] data[0:1];
  wire [15:0] rdata[0:1];
  wire [1:0] quiescent;
  logic [OUT_W-1:0] flip = 0;
  wire [OUT_W-1:0] shown = flip ^
      {credit[1], barrier_credit[1], count[1], valid[1], kind[1], vc[1], data[1], rdata[1], quiescent[1]};
  genvar i;
  generate
    for (i = 0; i < 2; i++) begin : sw
      hd_switch #(.PORTS(PORTS), .VCS(VCS), .DATA_W(DATA_W), .DEPTH(DEPTH), .NODES(NODES), .SOURCE_TABLE(SOURCE_TABLE),
        .ADAPTIVE(ADAPTIVE), .BARRIER(BARRIER), .CODE_PLACES(CODE_PLACES)) dut (
        .clk(clk), .rst(sw_rst), .in_valid_i(in_valid), .in_kind_i(in_kind), .in_vc_i(in_vc), .in_data_i(in_data),
        .in_credit_o(credit[i]), .in_barrier_credit_o(barrier_credit[i]), .in_count_o(count[i]), .out_valid_o(valid[i]),
        .out_kind_o(kind[i]), .out_vc_o(vc[i]), .out_data_o(data[i]), .out_credit_i(out_credit),
        .out_barrier_credit_i(out_barrier_credit), .out_count_i(out_count), .cfg_write_i(cfg_write),
        .cfg_read_i(cfg_read), .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(rdata[i]),
        .quiescent_o(quiescent[i]));
    end
  endgenerate
  localparam RDATA_AT = 1, DATA_AT = RDATA_AT + 16, VC_AT = DATA_AT + PORTS * DATA_W, KIND_AT = VC_AT + PORTS * VC_W;
  localparam VALID_AT = KIND_AT + PORTS * 3, COUNT_AT = VALID_AT + PORTS, BARRIER_AT = COUNT_AT + PORTS * 7;
  localparam CREDIT_AT = BARRIER_AT + PORTS;
  hd_stress #(.PORTS(PORTS), .VCS(VCS), .DATA_W(DATA_W), .DEPTH(DEPTH), .NODES(NODES), .SOURCE_TABLE(SOURCE_TABLE),
    .ADAPTIVE(ADAPTIVE), .BARRIER(BARRIER), .CODE_PLACES(CODE_PLACES), .FOREIGN(FOREIGN)) bench (
    .clk(clk), .rst(bench_rst), .seed_i(bench_seed), .mixed_i(mixed), .writes_i(writes), .resets_i(resets),
    .illegal_i(illegal), .single_i(1'b0), .dest_write_i(lists), .dest_port_i(port_to), .dest_number_i(number_to),
    .dest_node_i({1'b1, node_to}), .rst_o(bench_sw_rst), .in_valid_o(in_valid), .in_kind_o(in_kind), .in_vc_o(in_vc),
    .in_data_o(in_data), .out_credit_o(out_credit), .out_barrier_credit_o(out_barrier_credit),
    .out_count_o(out_count), .cfg_write_o(bench_cfg_write), .cfg_read_o(cfg_read), .cfg_addr_o(bench_cfg_addr),
    .cfg_wdata_o(bench_cfg_wdata), .a_in_credit_i(credit[0]), .a_in_barrier_credit_i(barrier_credit[0]),
    .a_in_count_i(count[0]), .a_out_valid_i(valid[0]), .a_out_kind_i(kind[0]), .a_out_vc_i(vc[0]),
    .a_out_data_i(data[0]), .a_cfg_rdata_i(rdata[0]), .a_quiescent_i(quiescent[0]),
    .b_in_credit_i(shown[CREDIT_AT+:PORTS*VCS]), .b_in_barrier_credit_i(shown[BARRIER_AT+:PORTS]),
    .b_in_count_i(shown[COUNT_AT+:PORTS*7]), .b_out_valid_i(shown[VALID_AT+:PORTS]),
    .b_out_kind_i(shown[KIND_AT+:PORTS*3]), .b_out_vc_i(shown[VC_AT+:PORTS*VC_W]),
    .b_out_data_i(shown[DATA_AT+:PORTS*DATA_W]), .b_cfg_rdata_i(shown[RDATA_AT+:16]), .b_quiescent_i(shown[0]),
    .cycles_o(cycles), .flits_o(flits), .differs_o(differs), .cycle_o(at), .what_o(what), .port_o(port),
    .original_o(original), .changed_o(changed));

  // all that leaves the bench, as one number; broken rules, as the switch records them (§2.8): bits 0, 2 … 6
  logic [63:0] digest;
  int broken, all_flits = 0;
  always @(posedge clk) begin
    digest <= {digest[62:0], digest[63]} ^ {in_data, in_valid, in_kind} ^ {out_credit, cfg_addr, cfg_wdata, cfg_write};
    if ((sw[0].dut.errors & 16'h7d) != 0 && !sw_rst) broken++;
  end
  // Each port sends to all nodes, but not to those that leave by it.
  task automatic set_up;
    bench_rst = 1;
    for (int p = 0; p < PORTS; p++) begin
      port_to = p[3:0];
      for (int i = 0; i < NODES; i++) begin
        node_to = i[11:0];
        tables = 1;
        step();
        tables = 0;
      end
      for (int i = 0; i < 16; i++) begin
        number_to = i[3:0];
        node_to = 12'(i % NODES);
        if (node_to % PORTS == p) node_to = 12'((node_to + 1) % NODES);
        lists = 1;
        step();
        lists = 0;
      end
    end
  endtask
  task automatic begin_with(input int profile, input int n);
    {illegal, resets, writes, mixed} = profile;
    bench_seed = {$random(seed), n[31:0]};
    bench_rst = 1;
    step();
    digest = 0;
    broken = 0;
    bench_rst = 0;
  endtask
  task automatic run(input int profile, input int n);
    begin_with(profile, n);
    repeat (CYCLES) step();
    check("differs", differs, 0);
    check("cycles", cycles, CYCLES - 1);
    all_flits += flits;
    if (profile < 8) check("rules are kept", broken, 0);
  endtask
  // One output of the second switch is another in one cycle.
  task automatic find(input string name, input int bit_at, input int want_what, input int want_port);
    int waited = 100 + random_below(200);
    begin_with(1, 7);
    repeat (waited) step();
    while (FOREIGN != 0 && want_what == 1 && !valid[1][want_port]) begin
      step();
      waited++;
    end
    flip[bit_at] = 1;
    step();
    flip = 0;
    repeat (5) step();
    check({name, " is found"}, differs, 1);
    check({name, ": cycle"}, at, waited - 1);
    check({name, ": what"}, what, want_what);
    check({name, ": port"}, port, want_port);
    check({name, ": shown"}, original !== changed, 1);
  endtask

  logic [63:0] first;
  initial begin
    step();
    if (FOREIGN != 0) set_up();
    for (int profile = 0; profile < 16; profile += (profile % 4 == 0) ? 3 : 1)
      if (FOREIGN == 0 || (profile & 'b1010) == 0) run(profile, profile);
    check("many flits", all_flits > 1000, 1);
    for (int p = 0; p < PORTS; p += PORTS - 1) begin
      find("valid", VALID_AT + p, 1, p);
      find("kind", KIND_AT + 3 * p + 2, 1, p);
      find("vc", VC_AT + VC_W * p, 1, p);
      find("data", DATA_AT + DATA_W * p + DATA_W - 1, 1, p);
      find("credit", CREDIT_AT + VCS * p + VCS - 1, 2, p);
      find("barrier credit", BARRIER_AT + p, 2, p);
      find("count", COUNT_AT + 7 * p + 6, 3, p);
    end
    if (FOREIGN == 0) begin
      find("read data", RDATA_AT + 15, 4, 0);
      find("quiescent_o", 0, 5, 0);
    end else begin  // nothing is compared but flits that are valid, and credits
      begin_with(1, 7);
      flip[0] = 1;
      flip[RDATA_AT] = 1;
      repeat (100) step();
      flip = 0;
      check("read data and quiescent_o are not compared", differs, 0);
    end
    // Two runs of one seed are one run; another seed is another one.
    bench_rst = 1;
    {illegal, resets, writes, mixed} = (FOREIGN == 0) ? 7 : 5;
    for (int n = 0; n < 3; n++) begin
      bench_seed = (n < 2) ? 64'd12345 : 64'd12347;
      bench_rst = 1;
      step();
      bench_rst = 0;
      step();  // the switches are reset
      digest = 0;
      repeat (400) step();
      if (n == 0) first = digest;
      else check("seed", digest === first, n == 1);
    end
    finish_bench($sformatf("stress PORTS=%0d VCS=%0d DATA_W=%0d ADAPTIVE=%0d BARRIER=%0d CODE_PLACES=%0d FOREIGN=%0d", PORTS, VCS,
      DATA_W, ADAPTIVE, BARRIER, CODE_PLACES, FOREIGN));
  end
endmodule
