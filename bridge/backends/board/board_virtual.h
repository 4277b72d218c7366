/* Virtual boards: what an FPGA holds, from RTL or from a bitstream, Verilated, with its line on a pseudo-terminal.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_VIRTUAL_H
#define HD_BOARD_VIRTUAL_H

#include "../backend.h"

/** Hash of the sources that a board's switches and link are made of: what hello tells of a board built
 *  from the same (specification §9.3). HD_E_IO, HD_E_NOMEM. */
int hd_board_build_hash(const struct hd_backend_options *options, uint64_t *hash,
                        struct hd_error *err);

/** Path of the program that is a board with `count` switches, built when it is not in the cache.
 *  HD_E_TOOL, HD_E_IO, HD_E_INTERRUPTED. */
int hd_board_virtual_build(const struct hd_switch_params *params, uint32_t count,
                           const struct hd_backend_options *options, char *path, size_t size,
                           struct hd_error *err);

/** Builds a virtual board of a bitstream, `bitstream` ending in .asc or .bin, as built by fpga/build.sh for the iCE40, with its
 *  pins in a .pcf of the same name: decompiled by fpga/decompile.sh, then Verilated. *baud: what is asked
 *  for, 0: nothing; becomes that of its line. HD_E_INPUT: no such bitstream, or its line has another rate. */
int hd_board_bitstream_build(const char *bitstream, const struct hd_backend_options *options,
                             unsigned *baud, char *path, size_t size, struct hd_error *err);

#endif
