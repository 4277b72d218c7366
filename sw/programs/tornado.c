/* Program tornado: nearly half way around each dimension.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Dally and Towles, Principles and Practices of Interconnection Networks, Table 3.1:
 * digit d of the destination is that of the source plus ⌈k/2⌉ − 1, modulo k.
 */
#include "common.h"
#include "programs.h"

static int shifted(int digit, int k)
{
  return (digit + (k + 1) / 2 - 1) % k;
}

static void run(struct hd_ep *ep)
{
  struct hd_grid grid = hd_program_grid(ep);
  if (grid.columns < 3 && grid.rows < 3)
    hd_ep_reject(ep, "columns",
                 "%d; a tornado needs at least 3 columns or rows, or every node sends to itself",
                 grid.columns);
  hd_program_open_loop_to(ep, shifted(grid.column, grid.columns) +
                                  grid.columns * shifted(grid.row, grid.rows));
}

static const char *const parameters[] = {HD_OPEN_LOOP_PARAMETERS, HD_GRID_PARAMETER, NULL};

const struct hd_program hd_program_tornado = {
    .name = "tornado",
    .about =
        "open-loop packets, nearly half way around each dimension of the grid; parameters load, "
        "flits, cycles, columns",
    .main = run,
    .parameters = parameters,
};
