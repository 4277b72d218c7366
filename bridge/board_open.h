/* Which board a run uses: one behind a device, or a virtual one of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_OPEN_H
#define HD_BOARD_OPEN_H

#include "../cmodel/switch.h"
#include "board_link.h"

#include <sys/types.h>

/** An open board. Zeroed but for link.line.fd = -1 is closed. */
struct hd_board_open {
  struct hd_board_link link;
  struct hd_board_about about;
  bool events;   /* option: windows are answered by events, never by signatures */
  pid_t virtual; /* its process; 0: none */
};

/** Opens what `options` (behind --dut board:) say: DEVICE or virtual, then any of ",baud=N",
 *  ",events", ",any-build", ",wait=SECONDS", ",patience=MS", ",rtl=DIR". virtual: the board's core for `count` switches of `params`, made from the RTL
 *  and started for this run. HD_E_INPUT, HD_E_IO, HD_E_TOOL. */
int hd_board_open(struct hd_board_open *open, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err);
void hd_board_close(struct hd_board_open *open);

#endif
