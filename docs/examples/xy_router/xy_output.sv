// An output of the XY mesh router: round robin among inputs, one packet at a time.
// SPDX-License-Identifier: Apache-2.0
//
// A packet holds the output from the cycle in which its head is offered until its tail has left, so
// what is offered stays while the neighbour is not ready. The input after the last one comes first.
module xy_output
  import xy_pkg::*;
(
    input logic clk_i,
    input logic rst_ni,

    input  logic  [NumPorts-1:0] head_i,   // a head for this output is at the front of the input
    input  logic  [NumPorts-1:0] valid_i,  // any flit is at its front
    input  flit_t [NumPorts-1:0] flit_i,
    output logic  [NumPorts-1:0] pop_o,

    output logic  valid_o,
    input  logic  ready_i,
    output flit_t flit_o
);

  logic locked_q;
  logic [2:0] owner_q, pick, candidate, input_now;
  logic sent;

  // From the owner downwards, so that the input after the owner is looked at last and wins.
  always_comb begin
    pick = owner_q;
    candidate = owner_q;
    for (int unsigned k = 0; k < NumPorts; k++) begin
      if (head_i[candidate]) pick = candidate;
      candidate = (candidate == '0) ? 3'(NumPorts - 1) : candidate - 1'b1;
    end
  end

  assign input_now = locked_q ? owner_q : pick;
  assign valid_o = locked_q ? valid_i[owner_q] : head_i != '0;
  assign flit_o = flit_i[input_now];
  assign sent = valid_o && ready_i;

  always_comb begin
    pop_o = '0;
    pop_o[input_now] = sent;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      locked_q <= 1'b0;
      owner_q  <= '0;
    end else if (valid_o) begin
      locked_q <= !(sent && flit_o.tail);
      owner_q  <= input_now;
    end
  end

endmodule
