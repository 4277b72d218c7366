/* Opens the boards of a run: real ones behind devices, or virtual ones that it builds and starts.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_OPEN_H
#define HD_BOARD_OPEN_H

#include "../../../cmodel/switch/params.h"
#include "../backends.h"
#include "board_link.h"
#include "board_process.h"

/** An open board. It is closed if all members are zero and link.line.fd is -1. */
struct hd_board_open {
  struct hd_board_link link;
  struct hd_board_about about;
  struct hd_board_process process; /* of a virtual board */
};

/** The boards of a run. Zeroed: none. */
struct hd_board_set {
  struct hd_board_open *boards; /* [n]: each holds the fabric's next about.switches switches */
  uint32_t n;
  bool events; /* option: compare all windows by events, none by signatures */
};

/** Options that may follow the device; the last one's name is NULL. */
extern const struct hd_backend_option hd_board_options[];

/** Checks `options` of hd_board_set_open and builds the virtual boards that they name, but opens
 *  none. A build takes minutes. Here `build` can report its progress and stop it, which
 *  hd_board_set_open cannot. count 0: the number of switches is not known yet, so only the board of
 *  a bitstream is built. HD_E_INPUT, HD_E_IO, HD_E_TOOL, HD_E_NOMEM, HD_E_INTERRUPTED. */
int hd_board_prepare(const struct hd_switch_params *params, uint32_t count, const char *options,
                     const struct hd_backend_options *build, struct hd_error *err);

/** Opens boards for `count` switches of `params`. `options` is the text after --dut board:. It
 *  begins with devices joined by +; or "virtual", for virtual boards of the core in fpga/, built
 *  from the RTL; or "virtual:FILE", for virtual boards of a bitstream. Options of hd_board_options
 *  may follow. The caller closes the set, also after an error. HD_E_INPUT, HD_E_IO, HD_E_TOOL,
 *  HD_E_NOMEM. */
int hd_board_set_open(struct hd_board_set *set, const struct hd_switch_params *params,
                      uint32_t count, const char *options, struct hd_error *err);
void hd_board_set_close(struct hd_board_set *set);

#endif
