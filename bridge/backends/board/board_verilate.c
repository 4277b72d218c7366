/* What makes a virtual board: Verilog with a line, Verilated, and fpga/virtual/virtual_board.cpp.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_verilate.h"

#include "manifest.h"
#include "../../host/tool_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const k_shim[] = {HD_BOARD_SHIM(HD_OWN) HD_BOARD_SHIM_INCLUDED(HD_OWN)};
/* As seen from obj/. */
static const char *const k_shim_above[] = {HD_BOARD_SHIM(HD_OWN_COPY_ABOVE)};
static const char *const k_verilator[] = {"verilator_bin",
                                          "--cc",
                                          "--exe",
                                          "--build",
                                          "--build-jobs",
                                          "2",
                                          "--prefix",
                                          "Vhd_board",
                                          "--top-module",
                                          "hd_board",
                                          "--Mdir",
                                          "obj",
                                          "-o",
                                          "../" HD_VIRTUAL_BOARD_PRODUCT,
                                          "-O3",
                                          "-fno-const-bit-op-tree", /* verilator_steps.c */
                                          "--x-initial",
                                          "unique",
                                          "--noassert",
                                          "-Wno-lint",
                                          "-Wno-style",
                                          "-Wno-fatal",
                                          "-LDFLAGS",
                                          "-lutil",
                                          "-MAKEFLAGS",
                                          HD_MAKE_ANYWHERE,
                                          "-MAKEFLAGS"};
/* RTL is one file: ten would each read the same headers, which took half of the time. With -O2 the compiler takes
 * nearly twice as long, and a run of board-2x2 four fifths of its time. */
static const char k_rtl_make[] = "VM_PARALLEL_BUILDS=0 OPT_FAST=-O1 OPT_GLOBAL=-Og";
static const char k_gates_make[] = "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-Og";
static const char k_gates_no_dfg[] = "-fno-dfg"; /* which 5.006 gets wrong for netlists at times */
enum {
  N_VERILATOR = sizeof k_verilator / sizeof *k_verilator,
  N_SHIM = sizeof k_shim_above / sizeof *k_shim_above
};

int hd_board_verilate_key(struct hd_dut_sources *sources, const char *root, struct hd_error *err)
{
  static const char *const ask_verilator[] = {"verilator_bin", "--version", NULL};
  int status = hd_sources_add_own(sources, root, k_shim, sizeof k_shim / sizeof *k_shim, err);
  if (!status)
    status = hd_key_add_sources(sources, err);
  for (size_t i = 0; i < N_VERILATOR && !status; i++)
    status = hd_key_add(sources, "flag", k_verilator[i], err);
  if (!status)
    status = hd_key_add(sources, "flag", k_rtl_make, err);
  if (!status)
    status = hd_key_add(sources, "flag", k_gates_make, err);
  if (!status)
    status = hd_key_add(sources, "flag", k_gates_no_dfg, err);
  return status ? status : hd_key_add_tool(sources, "verilator", ask_verilator, "verilator", err);
}

int hd_board_verilate(const struct hd_verilated_board *board, const struct hd_cache_entry *entry,
                      const struct hd_backend_options *options, struct hd_error *err)
{
  char include[64];
  const char **argv = calloc(N_VERILATOR + board->n + 6 + N_SHIM, sizeof *argv);
  if (!argv)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the virtual board");
  size_t n = N_VERILATOR;
  memcpy(argv, k_verilator, sizeof k_verilator);
  argv[n++] = board->gates ? k_gates_make : k_rtl_make;
  if (board->gates)
    argv[n++] = k_gates_no_dfg;
  snprintf(include, sizeof include, "-DHD_CLOCKS_PER_BIT=%u", board->clocks_per_bit);
  argv[n++] = "-CFLAGS";
  argv[n++] = include;
  memcpy(argv + n, board->arguments, board->n * sizeof *argv);
  n += board->n;
  memcpy(argv + n, k_shim_above, sizeof k_shim_above);
  const struct hd_tool tool = {.argv = argv,
                               .package = "verilator",
                               .directory = entry->temporary,
                               .log_path = entry->log,
                               .stop = options->stop,
                               .context = options->context};
  int status = hd_tool_must(&tool, board->from, err);
  free(argv);
  return status;
}
