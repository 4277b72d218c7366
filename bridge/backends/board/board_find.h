/* Which board is behind a device, and how fast its line is.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_FIND_H
#define HD_BOARD_FIND_H

#include "board_link.h"

enum { HD_BOARD_BAUDS = 16 }; /* at most */

/** The baud rates of the builds in fpga/builds.txt, each once, then HD_BOARD_BAUD (§9.1); returns how
 *  many. HD_BOARD_BAUD alone where that list cannot be read. */
size_t hd_board_bauds(unsigned bauds[HD_BOARD_BAUDS]);

/** Says hello at each of the rates, twice, until a board answers, for which it waits patience_ms (0: 150); *baud is the one at which it did. HD_E_IO: the
 *  device cannot be opened, or nothing answers; HD_E_INPUT: what answers is no board of this version,
 *  or there is no such rate. */
int hd_board_find(const char *device, const unsigned *bauds, size_t n, int patience_ms,
                  unsigned *baud, struct hd_board_about *about, struct hd_error *err);

#endif
