/* The board's RTL with bytes for its line: pins in, pins out.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LINK_RTL_H
#define HD_LINK_RTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HD_LINK_NONE = 0, HD_LINK_BYTE = 0x100, HD_LINK_LOST = 0x200 };

/** A board as it was configured, memories 0. One at a time. */
void hd_link_begin(void);
void hd_link_end(void);

/** One clock in which `event` comes from the line: NONE, BYTE + the byte, LOST, or both. `ready`: the line takes
 *  a byte after it. Returns the byte that it took from the board, -1: none. */
int hd_link_clock(unsigned event, bool ready);

/** Returns true if the link carries out a request, or answers one. */
bool hd_link_busy(void);

#ifdef __cplusplus
}
#endif

#endif
