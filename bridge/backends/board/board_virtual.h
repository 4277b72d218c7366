/* Virtual boards: the content of an FPGA, from RTL or a bitstream, Verilated, with a
 * pseudo-terminal as line.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_VIRTUAL_H
#define HD_BOARD_VIRTUAL_H

#include "../backend.h"

/** Computes the build hash of options->rtl_dir and fpga/link. A board that was built from the same
 *  sources gives the same hash in its answer to hello (specification §9.3). HD_E_IO, HD_E_NOMEM. */
int hd_board_build_hash(const struct hd_backend_options *options, uint64_t *hash,
                        struct hd_error *err);

/** Builds a virtual board with `count` switches, unless the cache has it. `path` gets the path of
 *  its program. HD_E_TOOL, HD_E_IO, HD_E_INTERRUPTED. */
int hd_board_virtual_build(const struct hd_switch_params *params, uint32_t count,
                           const struct hd_backend_options *options, char *path, size_t size,
                           struct hd_error *err);

/** Builds a virtual board of an iCE40 bitstream, unless the cache has it. `bitstream` ends in .asc
 *  or .bin, fpga/build.sh has built it, and a .pcf of the same name has its pins. fpga/decompile.sh
 *  turns it into Verilog. *baud is the rate that the user wants, or 0, and becomes the rate of the
 *  line. `path` gets the path of the program. HD_E_INPUT: no such bitstream, or its line has
 *  another rate. */
int hd_board_bitstream_build(const char *bitstream, const struct hd_backend_options *options,
                             unsigned *baud, char *path, size_t size, struct hd_error *err);

#endif
