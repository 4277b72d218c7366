// Round robin among the five inputs of a router, for one output and packet by packet.
// SPDX-License-Identifier: Apache-2.0
//
// An input keeps the output from the cycle in which its packet is offered until the last flit has been taken, so what is
// offered stays while the next router is not ready.
module mesh_arbiter (
    input logic clk,
    input logic rst_n,

    input  logic [4:0] request,  // a flit for this output waits at the input
    input  logic       taken,    // the flit of the chosen input goes
    input  logic       last,     // it is the last one of its packet
    output logic [4:0] grant     // one bit, or none
);

  logic [4:0] owner;  // the input whose packet is under way; 0: none
  logic [4:0] after;  // inputs that come after the one that was served last
  logic [4:0] first;  // those of them that ask, or all that ask

  assign first = ((request & after) != 0) ? request & after : request;
  assign grant = (owner != 0) ? owner & request : first & (~first + 1);

  always_ff @(posedge clk)
    if (!rst_n) begin
      owner <= 0;
      after <= 0;
    end else if (grant != 0) begin
      owner <= (taken && last) ? 0 : grant;
      if (owner == 0) after <= ~(grant | (grant - 1));
    end

endmodule
