/* Requests to a board that holds a fabric at speed, and its virtual board (specification §9.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_SPEED_H
#define HD_BOARD_SPEED_H

#include "board_link.h"

#include "../backend.h"

enum {
  HD_SPEED_MOST = 120,         /* signatures in an answer, at most */
  HD_SPEED_CLOCKS_PER_BIT = 4, /* board clock cycles for a bit on a virtual board's line */
};

/** Answer of a fabric at speed to hello (§9.7). */
struct hd_speed_about {
  uint32_t switches, ports, lanes, clock_khz;
  uint64_t build;
};

/** Answer to a request for signatures. running: windows are still to be taken. overrun: the memory
 *  was full, so windows are missing. */
struct hd_speed_taken {
  bool running, overrun;
  uint32_t complete; /* number of signatures taken so far, modulo 2^32 */
  uint32_t n;        /* number of signatures in this answer */
  uint32_t signatures[HD_SPEED_MOST];
};

/** Begins a new epoch, as hd_board_hello does. HD_E_INPUT: no fabric at speed answers at the
 *  device. */
int hd_speed_hello(struct hd_board_link *link, struct hd_speed_about *about, struct hd_error *err);

/** Resets and starts the fabric. It takes signatures of `windows` windows of 2^k cycles from cycle
 *  `first` on. HD_E_IO, HD_E_INPUT. */
int hd_speed_start(struct hd_board_link *link, uint64_t first, uint32_t k, uint32_t windows,
                   struct hd_error *err);

/** Gets the signatures from number `from` on that the board has, at most HD_SPEED_MOST. The board
 *  drops those before `from`. */
int hd_speed_take(struct hd_board_link *link, uint32_t from, struct hd_speed_taken *taken,
                  struct hd_error *err);

/** Builds the virtual board of the exported fabric `name` in `directory`, unless the cache has it.
 *  `path` gets the path of its program. HD_E_TOOL, HD_E_IO, HD_E_INTERRUPTED. */
int hd_speed_virtual_build(const char *directory, const char *name,
                           const struct hd_backend_options *options, char *path, size_t size,
                           struct hd_error *err);

#endif
