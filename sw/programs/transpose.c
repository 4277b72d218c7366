/* Program transpose: column and row change places.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common.h"
#include "programs.h"

static void run(struct hd_ep *ep)
{
  struct hd_grid grid = hd_program_grid(ep);
  if (grid.columns != grid.rows)
    hd_ep_reject(ep, "columns", "%d; a transposition needs as many columns as rows", grid.columns);
  hd_program_open_loop_to(ep, grid.row + grid.columns * grid.column);
}

static const char *const parameters[] = {HD_OPEN_LOOP_PARAMETERS, HD_GRID_PARAMETER, NULL};

const struct hd_program hd_program_transpose = {
    .name = "transpose",
    .about = "open-loop packets from (column, row) to (row, column), the diagonal is silent; "
             "parameters load, flits, cycles, columns",
    .main = run,
    .parameters = parameters,
};
