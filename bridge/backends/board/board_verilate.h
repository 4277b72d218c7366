/* Builds a virtual board: Verilog with a serial line, Verilated, and
 * fpga/virtual/virtual_board.cpp.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_VERILATE_H
#define HD_BOARD_VERILATE_H

#include "../backend.h"
#include "../rtl/dut_cache.h"
#include "../rtl/dut_outside.h"
#include "../rtl/dut_sources.h"

#define HD_VIRTUAL_BOARD_PRODUCT "virtual_board"

struct hd_verilated_board {
  const char *const *arguments; /* [n], for Verilator: parameters, then sources */
  size_t n;
  const char *top; /* module; NULL: hd_board */
  unsigned clocks_per_bit;
  bool gates;                           /* a netlist, with megabytes of statements */
  const char *source;                   /* directory of the RTL, or the bitstream; for messages */
  const char *cache_dir;                /* also keeps Verilator's runtime library */
  const struct hd_dut_sources *sources; /* hd_board_verilate_key was called for them */
  struct hd_outside *outside;           /* files that the RTL includes; NULL: it includes none */
};

/** Adds Heddle's own files to the sources, and these files, flags and tools to the key. Every
 *  virtual board of RTL, or of gates, is built with them. HD_E_IO, HD_E_NOMEM, HD_E_TOOL. */
int hd_board_verilate_key(struct hd_dut_sources *sources, const char *root, bool gates,
                          struct hd_error *err);

/** Builds HD_VIRTUAL_BOARD_PRODUCT in entry->temporary, to which the caller has written the
 *  sources. *again is that of hd_outside_check. HD_E_TOOL, HD_E_INTERRUPTED, HD_E_INPUT. */
int hd_board_verilate(const struct hd_verilated_board *board, const struct hd_cache_entry *entry,
                      const struct hd_backend_options *options, bool *again, struct hd_error *err);

#endif
