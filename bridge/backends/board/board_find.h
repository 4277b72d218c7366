/* Finds the board behind a device, and the baud rate of its line.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_FIND_H
#define HD_BOARD_FIND_H

#include "board_link.h"

enum { HD_BOARD_BAUDS = 16 }; /* baud rates to try, at most */

/** Lists the baud rates of the builds in fpga/builds.txt, each once, then HD_BOARD_BAUD (§9.1), if
 *  it is not among them. Returns their number. If the file cannot be read, there is HD_BOARD_BAUD
 *  alone. */
size_t hd_board_bauds(unsigned bauds[HD_BOARD_BAUDS]);

/** Sends hello at each of the n rates, twice each, until a board answers. Waits patience_ms for an
 *  answer (0: 150), beside the time that the bytes take. *baud is the last rate that was tried: the
 *  board's, if this succeeds. HD_E_IO: the device cannot be opened, or nothing answers. HD_E_INPUT:
 *  the answer is not that of a board of this version, or no serial line has the rate. */
int hd_board_find(const char *device, const unsigned *bauds, size_t n, int patience_ms,
                  unsigned *baud, struct hd_board_about *about, struct hd_error *err);

#endif
