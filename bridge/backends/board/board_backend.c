/* Descriptors of the backends board and bitstream, and how they open.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../backends.h"
#include "../../host/text.h"
#include "../rtl/dut_sources.h"
#include "board_open.h"
#include "manifest.h"

#include <string.h>

/* Appends the cache directory to the options: hd_dut_ops.create gets them and nothing else. */
static int add_cache(struct hd_backend *backend, const char *cache_dir, struct hd_error *err)
{
  struct hd_text text = {0};
  if (strchr(cache_dir, ','))
    return hd_fail(err, HD_E_INPUT, "--cache %.200s: for boards, its name must have no comma",
                   cache_dir);
  hd_text_add(&text, "%s,cache=%s", backend->options, cache_dir);
  backend->options = backend->own_options = text.chars;
  return 0;
}

/* Opens the board backend `ops`, whose options get the prefix `before`, and builds its virtual
 * boards. */
static int open_boards(struct hd_backend *backend, const struct hd_dut_ops *ops, const char *before,
                       const struct hd_switch_params *params,
                       const struct hd_backend_options *options, struct hd_error *err)
{
  struct hd_text all = {0};
  if (options->rtl_dir)
    return hd_fail(
        err, HD_E_INPUT,
        "--rtl %s: a real board is built already; leave --rtl out, or give a virtual board: "
        "--dut board:virtual,rtl=%s",
        options->rtl_dir, options->rtl_dir);
  backend->ops = ops;
  hd_text_add(&all, "%s%s", before, backend->options);
  int status = hd_board_prepare(params, options->switches, all.chars, options, err);
  if (!status && options->cache_dir)
    status = add_cache(backend, options->cache_dir, err);
  hd_text_fini(&all);
  return status;
}

static int open_board(struct hd_backend *backend, const struct hd_switch_params *params,
                      const struct hd_backend_options *options, struct hd_error *err)
{
  static const char word[] = "virtual";
  bool is_virtual = !strncmp(backend->options, word, sizeof word - 1) &&
                    strchr(":,", backend->options[sizeof word - 1]); /* or the text's end */
  return open_boards(backend, is_virtual ? hd_dut_virtual_board_backend() : hd_dut_board_backend(),
                     "", params, options, err);
}

static int open_bitstream(struct hd_backend *backend, const struct hd_switch_params *params,
                          const struct hd_backend_options *options, struct hd_error *err)
{
  return open_boards(backend, hd_dut_bitstream_backend(), "virtual:", params, options, err);
}

static const char *const k_own[] = {HD_BOARD_LINK(HD_OWN) HD_BOARD_SHIM(
    HD_OWN) HD_BOARD_SHIM_INCLUDED(HD_OWN) HD_BOARD_DECOMPILER(HD_OWN) NULL};

const struct hd_backend_kind hd_backend_kind_board = {
    .name = "board",
    .argument = "DEVICE",
    .help = "switches in FPGAs behind serial lines (DEVICE+DEVICE…), or virtual boards that are "
            "built from the RTL (virtual)",
    .examples = "board:virtual",
    .options = hd_board_options,
    .own = k_own,
    .open = open_board,
};

const struct hd_backend_kind hd_backend_kind_bitstream = {
    .name = "bitstream",
    .argument = "FILE",
    .help = "the bitstream of an iCE40 (FILE.asc, FILE.bin), decompiled, in Verilator",
    .examples = "bitstream:build/fpga/hx8k-line.asc",
    .options = hd_board_options,
    .open = open_bitstream,
};
