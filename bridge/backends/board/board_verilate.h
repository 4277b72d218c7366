/* Builds a virtual board: Verilog with a serial line, Verilated, and fpga/virtual/virtual_board.cpp.
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
  const char *const *arguments; /* [n], of Verilator: parameters, then sources */
  size_t n;
  const char *top; /* module; NULL: hd_board */
  unsigned clocks_per_bit;
  bool gates;                           /* a netlist: megabytes of statements */
  const char *from;                     /* for messages: what was Verilated */
  const char *cache_dir;                /* where Verilator's runtime library is kept, too */
  const struct hd_dut_sources *sources; /* with hd_board_verilate_key */
  struct hd_outside *outside;           /* files that the RTL includes; NULL: it can include none */
};

/** Adds to sources and key what every virtual board of RTL, or of gates, is made with. HD_E_IO, HD_E_NOMEM,
 *  HD_E_TOOL. */
int hd_board_verilate_key(struct hd_dut_sources *sources, const char *root, bool gates,
                          struct hd_error *err);

/** Builds HD_VIRTUAL_BOARD_PRODUCT in entry->temporary, where the sources are. *again: as hd_outside_check says.
 *  HD_E_TOOL, HD_E_INTERRUPTED, HD_E_INPUT. */
int hd_board_verilate(const struct hd_verilated_board *board, const struct hd_cache_entry *entry,
                      const struct hd_backend_options *options, bool *again, struct hd_error *err);

#endif
