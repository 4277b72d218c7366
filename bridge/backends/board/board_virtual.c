/* Virtual board of the RTL: Verilates the FPGA's core. Its line is a pseudo-terminal.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_virtual.h"

#include "board_verilate.h"
#include "manifest.h"
#include "../backends.h"
#include "../rtl/build.h"
#include "../../host/file.h"

#include <stdio.h>
#include <string.h>

static const char *const k_link[] = {HD_BOARD_LINK(HD_OWN)};
enum { CLOCKS_PER_BIT = 4, MEMORY_WORDS = 4096 };

struct board {
  struct hd_build base;
  uint32_t count; /* switches */
  uint64_t hash;
  size_t n_parameters;
  char parameters[HD_SWITCH_PARAMS][32];
  char line[256]; /* says what is built */
};

/* Reads the sources of a board's switches and link, and begins the cache key with them. */
static int collect(struct board *b, const struct hd_backend_options *options, struct hd_error *err)
{
  memset(b, 0, sizeof *b);
  int status = hd_build_begin(&b->base, options, err);
  if (!status)
    status = hd_sources_add_rtl(&b->base.sources, b->base.rtl_dir, err);
  if (!status)
    status = hd_sources_add_own(&b->base.sources, b->base.root, k_link,
                                sizeof k_link / sizeof *k_link, err);
  return status ? status : hd_key_add_sources(&b->base.sources, err);
}

static uint64_t hash_of(const struct board *b)
{
  return hd_hash_bytes(b->base.sources.key, strlen(b->base.sources.key), 9);
}

int hd_board_build_hash(const struct hd_backend_options *options, uint64_t *hash,
                        struct hd_error *err)
{
  struct board b;
  int status = collect(&b, options, err);
  *hash = status ? 0 : hash_of(&b);
  hd_build_end(&b.base);
  return status;
}

static int make(void *context, bool *again, struct hd_error *err)
{
  struct board *b = context;
  const char *argv[HD_SWITCH_PARAMS + HD_MAX_DIRECTORIES + 11];
  char set[HD_SWITCH_PARAMS][40], own[5][48];
  size_t n = 0;
  for (size_t i = 0; i < b->n_parameters; i++) {
    snprintf(set[i], sizeof set[i], "-G%s", b->parameters[i]);
    argv[n++] = set[i];
  }
  snprintf(own[0], sizeof own[0], "-GSWITCHES_ON_BOARD=%u", b->count);
  snprintf(own[1], sizeof own[1], "-GCLOCKS_PER_BIT=%d", CLOCKS_PER_BIT);
  snprintf(own[2], sizeof own[2], "-GIN_WORDS=%d", MEMORY_WORDS);
  snprintf(own[3], sizeof own[3], "-GOUT_WORDS=%d", MEMORY_WORDS);
  snprintf(own[4], sizeof own[4], "-GBUILD=64'h%016llx", (unsigned long long)b->hash);
  for (size_t i = 0; i < 5; i++)
    argv[n++] = own[i];
  for (size_t i = 0; i < b->base.sources.n_include; i++)
    argv[n++] = b->base.sources.include[i]; /* modules are also searched there */
  argv[n++] = "-y";
  argv[n++] = "src/fpga/link";
  argv[n++] = "-I" HD_OUTSIDE;
  argv[n++] = "src/fpga/link/hd_board.v";
  const struct hd_verilated_board board = {.arguments = argv,
                                           .n = n,
                                           .clocks_per_bit = CLOCKS_PER_BIT,
                                           .source = b->base.rtl_dir,
                                           .cache_dir = b->base.cache_dir,
                                           .sources = &b->base.sources,
                                           .outside = &b->base.outside};
  hd_building_say(b->base.options, b->line);
  const int status = hd_outside_link(&b->base.outside, b->base.entry.temporary, err);
  return status ? status : hd_board_verilate(&board, &b->base.entry, b->base.options, again, err);
}

int hd_board_virtual_build(const struct hd_switch_params *params, uint32_t count,
                           const struct hd_backend_options *options, char *path, size_t size,
                           struct hd_error *err)
{
  struct board b;
  char text[32];
  if (count > 16)
    return hd_fail(err, HD_E_INPUT,
                   "the fabric has %u switches, a board holds at most 16 (specification chapter 9)",
                   count);
  int status = collect(&b, options, err);
  b.hash = status ? 0 : hash_of(&b);
  b.count = count;
  b.n_parameters = hd_switch_parameters(params, b.parameters);
  for (size_t i = 0; i < b.n_parameters && !status; i++)
    status = hd_key_add(&b.base.sources, "parameter", b.parameters[i], err);
  snprintf(text, sizeof text, "%u", count);
  if (!status)
    status = hd_key_add(&b.base.sources, "switches", text, err);
  if (!status)
    status = hd_board_verilate_key(&b.base.sources, b.base.root, false, err);
  snprintf(b.line, sizeof b.line, "building the virtual board: %u switches of %u ports", count,
           params->ports);
  if (!status)
    status = hd_build_find(&b.base, HD_VIRTUAL_BOARD_PRODUCT, make, &b, path, size, err);
  hd_build_end(&b.base);
  return status;
}
