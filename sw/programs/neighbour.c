/* Program neighbour: one on in each dimension.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Dally and Towles, Principles and Practices of Interconnection Networks, Table 3.1:
 * digit d of the destination is that of the source plus 1, modulo k.
 */
#include "common.h"
#include "programs.h"

static void run(struct hd_ep *ep)
{
  hd_program_need_two_nodes(ep);
  struct hd_grid grid = hd_program_grid(ep);
  hd_program_open_loop_to(ep, (grid.column + 1) % grid.columns +
                                  grid.columns * ((grid.row + 1) % grid.rows));
}

static const char *const parameters[] = {HD_OPEN_LOOP_PARAMETERS, HD_GRID_PARAMETER, NULL};

const struct hd_program hd_program_neighbour = {
    .name = "neighbour",
    .about =
        "open-loop packets, one on in each dimension of the grid, around at the end; parameters "
        "load, flits, cycles, columns",
    .main = run,
    .parameters = parameters,
};
