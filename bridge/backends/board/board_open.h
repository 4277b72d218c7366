/* Which boards a run uses: behind devices, or virtual ones of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_OPEN_H
#define HD_BOARD_OPEN_H

#include "../../../cmodel/switch/params.h"
#include "../backends.h"
#include "board_link.h"
#include "board_process.h"

/** An open board. Zeroed but for link.line.fd = -1 is closed. */
struct hd_board_open {
  struct hd_board_link link;
  struct hd_board_about about;
  struct hd_board_process process; /* of a virtual one */
};

/** The boards of a run; zeroed is none. */
struct hd_board_set {
  struct hd_board_open *boards; /* [n]: each holds the fabric's next about.switches switches */
  uint32_t n;
  bool events; /* option: windows are answered by events, never by signatures */
};

/** Options that may follow the device; the last one's name is NULL. */
extern const struct hd_backend_option hd_board_options[];

/** Checks `options`, as hd_board_set_open has them, and builds the virtual boards that they name, which
 *  takes minutes, where somebody hears of it and can end it; count 0: not known yet, then only those
 *  of a bitstream. Opens nothing. HD_E_INPUT, HD_E_IO, HD_E_TOOL, HD_E_NOMEM, HD_E_INTERRUPTED. */
int hd_board_prepare(const struct hd_switch_params *params, uint32_t count, const char *options,
                     const struct hd_backend_options *build, struct hd_error *err);

/** Opens what `options` (behind --dut board:) say for `count` switches of `params`: devices with + between
 *  them, or "virtual": as many as it takes of the board's core, made from the RTL, or "virtual:FILE",
 *  of what a bitstream holds. Then any of
 *  hd_board_options. The caller closes the set, whatever this returns. HD_E_INPUT, HD_E_IO, HD_E_TOOL,
 *  HD_E_NOMEM. */
int hd_board_set_open(struct hd_board_set *set, const struct hd_switch_params *params,
                      uint32_t count, const char *options, struct hd_error *err);
void hd_board_set_close(struct hd_board_set *set);

#endif
