/* Builds a virtual board: Verilog with a serial line, Verilated, and
 * fpga/virtual/virtual_board.cpp.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_verilate.h"

#include "manifest.h"
#include "../rtl/verilated_make.h"
#include "../../host/text.h"
#include "../rtl/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const k_shim[] = {HD_BOARD_SHIM(HD_OWN) HD_BOARD_SHIM_INCLUDED(HD_OWN)};
/* Paths relative to obj/. */
static const char *const k_shim_above[] = {HD_BOARD_SHIM(HD_OWN_COPY_ABOVE)};
static const char k_shim_words[] = HD_BOARD_SHIM(HD_OWN_WORD_ABOVE);
static const char k_headers[] = "#include \"verilated.h\"\n";
static const char *const k_verilator[] = {"verilator_bin",
                                          "--cc",
                                          "--exe",
                                          "--prefix",
                                          "Vhd_board",
                                          "--Mdir",
                                          "obj",
                                          "-o",
                                          HD_VIRTUAL_BOARD_PRODUCT,
                                          "-O3",
                                          "-fno-const-bit-op-tree", /* verilator_steps.c */
                                          "--x-initial",
                                          "unique",
                                          "--noassert",
                                          "--no-timing",
                                          "-Wno-lint",
                                          "-Wno-style",
                                          "-Wno-fatal",
                                          "-LDFLAGS",
                                          "-lutil"};
/* Switches off an optimisation with which Verilator 5.006 miscompiles some netlists. */
static const char k_gates[] = "-fno-dfg";
/* Why -O1: with -O2 the compiler takes nearly twice as long, and a run of board-2x2 takes four
 * fifths of its time. -fno-inline, which makes each switch a module of its own, builds 16 switches
 * in half the time, and they run 1.7 times as long. */
#define OPTIMISED HD_VERILATED_FAST("-O1"), HD_VERILATED_SLOW("-O0"), "OPT_GLOBAL=-Og"
static const char *const k_rtl_make[] = {OPTIMISED, HD_VERILATED_TWO_FILES, NULL};
static const char *const k_gates_make[] = {OPTIMISED, HD_VERILATED_MANY_FILES, NULL};
enum {
  N_VERILATOR = sizeof k_verilator / sizeof *k_verilator,
  N_SHIM = sizeof k_shim_above / sizeof *k_shim_above
};

static int add_flags(struct hd_dut_sources *sources, const char *const *flags, struct hd_error *err)
{
  int status = 0;
  for (; !status && *flags; flags++)
    status = hd_key_add(sources, "flag", *flags, err);
  return status;
}

int hd_board_verilate_key(struct hd_dut_sources *sources, const char *root, bool gates,
                          struct hd_error *err)
{
  static const char *const ask_verilator[] = {"verilator_bin", "--version", NULL};
  static const char *const ask_compiler[] = {"g++", "--version", NULL};
  int status = hd_sources_add_own(sources, root, k_shim, sizeof k_shim / sizeof *k_shim, err);
  if (!status)
    status = hd_key_add_sources(sources, err);
  for (size_t i = 0; i < N_VERILATOR && !status; i++)
    status = hd_key_add(sources, "flag", k_verilator[i], err);
  if (!status && gates)
    status = hd_key_add(sources, "flag", k_gates, err);
  if (!status)
    status = add_flags(sources, gates ? k_gates_make : k_rtl_make, err);
  if (!status)
    status = hd_key_add(sources, "flag", hd_verilated_rules, err);
  if (!status)
    status = hd_key_add_tool(sources, "compiler", ask_compiler, "g++", err);
  return status ? status : hd_key_add_tool(sources, "verilator", ask_verilator, "verilator", err);
}

/* Runs Verilator, which writes C++ to obj/ of entry->temporary. */
static int verilate(const struct hd_verilated_board *board, const struct hd_cache_entry *entry,
                    const struct hd_backend_options *options, struct hd_error *err)
{
  char clocks[40];
  const char **argv = calloc(N_VERILATOR + board->n + 6 + N_SHIM, sizeof *argv);
  if (!argv)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the virtual board");
  size_t n = N_VERILATOR;
  memcpy(argv, k_verilator, sizeof k_verilator);
  if (board->gates)
    argv[n++] = k_gates;
  argv[n++] = "--top-module";
  argv[n++] = board->top ? board->top : "hd_board";
  snprintf(clocks, sizeof clocks, "-DHD_CLOCKS_PER_BIT=%u", board->clocks_per_bit);
  argv[n++] = "-CFLAGS";
  argv[n++] = clocks;
  memcpy(argv + n, board->arguments, board->n * sizeof *argv);
  n += board->n;
  memcpy(argv + n, k_shim_above, sizeof k_shim_above);
  int status = hd_build_run(entry, options, "verilator", argv, board->source, err);
  free(argv);
  return status;
}

/* Copies the lines with the tools' versions from the board's key. */
static void tell_tools(const char *key, struct hd_text *tools)
{
  for (const char *line = key; *line; line += strcspn(line, "\n") + 1)
    if (!strncmp(line, "compiler ", 9) || !strncmp(line, "verilator ", 10))
      hd_text_add(tools, "%.*s\n", (int)strcspn(line, "\n"), line);
}

int hd_board_verilate(const struct hd_verilated_board *board, const struct hd_cache_entry *entry,
                      const struct hd_backend_options *options, bool *again, struct hd_error *err)
{
  struct hd_text tools = {0};
  *again = false;
  int status = verilate(board, entry, options, err);
  if (!status && board->outside)
    status = hd_outside_check(board->outside, entry->temporary, "obj/Vhd_board__verFiles.dat",
                              HD_OUTSIDE_VERILATOR, again, err);
  if (status || *again)
    return status;
  tell_tools(board->sources->key, &tools);
  const struct hd_verilated verilated = {.options = options,
                                         .entry = entry,
                                         .cache_dir = board->cache_dir,
                                         .tools = hd_text_chars(&tools),
                                         .rtl_dir = board->source,
                                         .prefix = "Vhd_board",
                                         .shim = k_shim_words,
                                         .headers = k_headers,
                                         .sources = board->sources,
                                         .flags = board->gates ? k_gates_make : k_rtl_make,
                                         .libraries = "",
                                         .product = HD_VIRTUAL_BOARD_PRODUCT};
  status = hd_verilated_make(&verilated, err);
  hd_text_fini(&tools);
  return status;
}
