/* The virtual board: the FPGA's core, Verilated, with its line on a pseudo-terminal.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_VIRTUAL_H
#define HD_BOARD_VIRTUAL_H

#include "backend.h"

#include <sys/types.h>

/** Hash of the sources that a board's switches and link are made of: what hello tells of a board built
 *  from the same (specification §9.3). HD_E_IO, HD_E_NOMEM. */
int hd_board_build_hash(const struct hd_backend_options *options, uint64_t *hash,
                        struct hd_error *err);

/** Path of the program that is a board with `count` switches, built when it is not in the cache.
 *  HD_E_TOOL, HD_E_IO, HD_E_INTERRUPTED. */
int hd_board_virtual_build(const struct hd_switch_params *params, uint32_t count,
                           const struct hd_backend_options *options, char *path, size_t size,
                           struct hd_error *err);

/** Starts it; device[size] gets the pseudo-terminal that is its line. It ends with this process. */
int hd_board_virtual_start(const char *path, pid_t *pid, char *device, size_t size,
                           struct hd_error *err);
void hd_board_virtual_stop(pid_t pid);

#endif
