/* A fabric at speed behind a line: its requests, and a virtual one (specification §9.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_SPEED_H
#define HD_BOARD_SPEED_H

#include "board_link.h"

#include "../backend.h"

enum {
  HD_SPEED_MOST = 120,         /* signatures in an answer */
  HD_SPEED_CLOCKS_PER_BIT = 4, /* of a virtual board's line */
};

/** The description that a fabric at speed gives of itself. */
struct hd_speed_about {
  uint32_t switches, ports, lanes, clock_khz, memory;
  uint64_t build;
};

/** Signatures that the board has taken. */
struct hd_speed_taken {
  bool running, overrun;
  uint32_t complete; /* how many there are so far, modulo 2^32 */
  uint32_t n;        /* in this answer */
  uint32_t signatures[HD_SPEED_MOST];
};

/** Begins a new epoch, as hd_board_hello does. HD_E_INPUT: something else is at the device. */
int hd_speed_hello(struct hd_board_link *link, struct hd_speed_about *about, struct hd_error *err);

/** Starts the fabric from reset, with so many windows of 2^k cycles from cycle `first` on. HD_E_IO, HD_E_INPUT. */
int hd_speed_start(struct hd_board_link *link, uint64_t first, uint32_t k, uint32_t windows,
                   struct hd_error *err);

/** Takes signatures from number `from` on, as many as are there. Those before are given up. */
int hd_speed_take(struct hd_board_link *link, uint32_t from, struct hd_speed_taken *taken,
                  struct hd_error *err);

/** Path of the program that is the board of an exported fabric, `name` in `directory`; built when it is not in the
 *  cache. HD_E_TOOL, HD_E_IO, HD_E_INTERRUPTED. */
int hd_speed_virtual_build(const char *directory, const char *name,
                           const struct hd_backend_options *options, char *path, size_t size,
                           struct hd_error *err);

#endif
