/* heddle board flash: writes a bitstream to a board, with the programmer for that board.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_FLASH_H
#define HD_BOARD_FLASH_H

#include "../../../cmodel/error.h"

#include <stdbool.h>

/** Prints the programmer's command and, without `dry_run`, carries it out: writes the bitstream
 *  at `path` to the board at `where` (a name that the programmer knows; NULL: the only board).
 *  HD_E_INPUT: the bitstream is for no known board; HD_E_IO: no such file; HD_E_TOOL: the
 *  programmer failed, or is missing; the message names its package. */
int hd_board_flash(const char *path, const char *where, bool dry_run, struct hd_error *err);

#endif
