// Types of axis_router.
// SPDX-License-Identifier: Apache-2.0
package axis_pkg;
  typedef struct packed {
    logic head;
    logic tail;
    logic [2:0] channel;
    logic [3:0] x;
    logic [3:0] y;
  } top_t;
endpackage
