// One direction of a link of link_router.
// SPDX-License-Identifier: Apache-2.0
interface link_if;
  logic valid;
  logic [52:0] flit;
  logic [1:0] on;
  modport sends(output valid, output flit, input on);
  modport takes(input valid, input flit, output on);
endinterface
