/* heddle board flash: a bitstream onto a board, by the programmer made for it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_FLASH_H
#define HD_BOARD_FLASH_H

#include "../../../cmodel/error.h"

#include <stdbool.h>

/** Writes the bitstream at `path` to the board at `where` (as its programmer calls it; NULL: the only
 *  one), and prints the command; that alone with `dry_run`. HD_E_INPUT: no bitstream of a known
 *  board; HD_E_IO: not there; HD_E_TOOL: the programmer is missing, with its package, or failed. */
int hd_board_flash(const char *path, const char *where, bool dry_run, struct hd_error *err);

#endif
