/* Virtual board of a bitstream: decompiles the file that will be flashed, and Verilates the result.
 * SPDX-License-Identifier: Apache-2.0
 *
 * fpga/build.sh writes a comment into the bitstream with the number of clock cycles that one bit of
 * its line takes. icepack and iceunpack keep this comment.
 */
#include "board_line.h"
#include "board_verilate.h"
#include "manifest.h"
#include "board_virtual.h"
#include "../backends.h"
#include "../rtl/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "heddle name="
#define CLOCKS "clocks_per_bit="
#define BAUD "baud="

/* Finds the number that follows `name` in the comment of fpga/build.sh. 0: there is none. */
static unsigned comment_number(const struct hd_dut_source *bits, const char *name, unsigned low,
                               unsigned high)
{
  const char *end = bits->bytes + bits->length;
  for (const char *at = bits->bytes; (at = memchr(at, *MARK, (size_t)(end - at))); at++) {
    const char *value = strncmp(at, MARK, strlen(MARK)) ? NULL : strstr(at, name);
    unsigned long n = value ? strtoul(value + strlen(name), NULL, 10) : 0;
    if (n >= low && n <= high)
      return (unsigned)n;
  }
  return 0;
}

static unsigned clocks_per_bit(const struct hd_dut_source *bits)
{
  return comment_number(bits, CLOCKS, 4, 65535);
}

/* Sets *baud to the rate that the bitstream was built for, if its comment says one. */
static int choose_baud(const struct hd_dut_source *bits, const char *bitstream, unsigned *baud,
                       struct hd_error *err)
{
  unsigned own = comment_number(bits, BAUD, 1, 4000000);
  if (own && *baud && *baud != own)
    return hd_fail(err, HD_E_INPUT,
                   "baud %u: the line of %.200s was built for %u baud; leave baud out, or build a "
                   "bitstream for it (fpga/builds.txt)",
                   *baud, bitstream, own);
  *baud = own ? own : *baud ? *baud : HD_BOARD_BAUD;
  return 0;
}

struct board {
  struct hd_build base;
  const char *bitstream;
};

static int make(void *context, bool *again, struct hd_error *err)
{
  struct board *b = context;
  static const char *const netlist[] = {"hd_board.v"};
  const char *const decompile[] = {
      "sh",         HD_BOARD_DECOMPILER(HD_OWN_COPY) b->base.sources.list[0].name,
      "pins.pcf",   "hd_board",
      "hd_board.v", NULL};
  const struct hd_verilated_board board = {.arguments = netlist,
                                           .n = 1,
                                           .clocks_per_bit =
                                               clocks_per_bit(&b->base.sources.list[0]),
                                           .gates = true,
                                           .source = b->bitstream,
                                           .cache_dir = b->base.cache_dir,
                                           .sources = &b->base.sources};
  hd_building_say(b->base.options, "building a virtual board from the bitstream");
  const int status =
      hd_build_run(&b->base.entry, b->base.options, "dash", decompile, b->bitstream, err);
  return status ? status : hd_board_verilate(&board, &b->base.entry, b->base.options, again, err);
}

/* Reads the bitstream and its .pcf, and adds them, Heddle's own files and the tools to the cache
 * key. */
static int collect(struct hd_dut_sources *sources, const char *root, const char *bitstream,
                   struct hd_error *err)
{
  static const char *const decompiler[] = {HD_BOARD_DECOMPILER(HD_OWN)};
  static const char *const ask_yosys[] = {"yosys", "-V", NULL}; /* Yosys' models of the cells */
  char name[32], pcf[PATH_MAX];
  const char *ending = strrchr(bitstream, '.');
  if (!ending || (strcmp(ending, ".asc") && strcmp(ending, ".bin")))
    return hd_fail(err, HD_E_INPUT,
                   "bitstream:%.200s: a bitstream's name ends in .asc or .bin; "
                   "`make fpga` builds build/fpga/NAME.asc",
                   bitstream);
  snprintf(name, sizeof name, "bitstream%s", ending);
  if ((size_t)snprintf(pcf, sizeof pcf, "%.*s.pcf", (int)(ending - bitstream), bitstream) >=
      sizeof pcf)
    return hd_fail(err, HD_E_INPUT, "path too long: %.200s", bitstream);
  int status = hd_sources_add(sources, bitstream, name, err);
  if (!status)
    status = hd_sources_add(sources, pcf, "pins.pcf", err);
  if (!status && !clocks_per_bit(&sources->list[0]))
    status =
        hd_fail(err, HD_E_INPUT,
                "%.200s does not say the baud rate of its line: it was not built by `make fpga`",
                bitstream);
  if (!status)
    status = hd_sources_add_own(sources, root, decompiler, 1, err);
  if (!status)
    status = hd_key_add(sources, "form", "bitstream", err);
  if (!status)
    status = hd_key_add_tool(sources, "yosys", ask_yosys, "yosys", err);
  return status ? status : hd_board_verilate_key(sources, root, true, err);
}

int hd_board_bitstream_build(const char *bitstream, const struct hd_backend_options *options,
                             unsigned *baud, char *path, size_t size, struct hd_error *err)
{
  struct board b = {.bitstream = bitstream};
  struct hd_dut_sources *sources = &b.base.sources;
  int status = hd_build_begin(&b.base, options, err);
  if (!status)
    status = collect(sources, b.base.root, bitstream, err);
  if (!status)
    status = choose_baud(&sources->list[0], bitstream, baud, err);
  if (!status)
    status = hd_build_find(&b.base, HD_VIRTUAL_BOARD_PRODUCT, make, &b, path, size, err);
  hd_build_end(&b.base);
  return status;
}
