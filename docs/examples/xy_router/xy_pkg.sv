// Flits, coordinates and ports of the XY mesh router.
// SPDX-License-Identifier: Apache-2.0
package xy_pkg;

  parameter int unsigned DataWidth = 16;
  parameter int unsigned CoordWidth = 3;
  parameter int unsigned NumPorts = 5;

  typedef struct packed {
    logic [CoordWidth-1:0] x;
    logic [CoordWidth-1:0] y;
  } coord_t;

  typedef struct packed {
    logic head;  // first flit of a packet; a packet of one flit has both bits
    logic tail;
    coord_t dst;  // read in heads alone
    logic [DataWidth-1:0] data;
  } flit_t;

  typedef enum logic [2:0] {
    Local = 3'd0,
    East  = 3'd1,  // x + 1
    West  = 3'd2,  // x - 1
    North = 3'd3,  // y + 1
    South = 3'd4   // y - 1
  } port_e;

  // X first, then Y: the turns from Y to X that a circle of waiting packets needs never happen.
  function automatic port_e route_xy(coord_t dst, coord_t here);
    if (dst.x > here.x) return East;
    if (dst.x < here.x) return West;
    if (dst.y > here.y) return North;
    if (dst.y < here.y) return South;
    return Local;
  endfunction

endpackage
