/* Virtual board of the RTL: Verilates the FPGA's core. Its line is a pseudo-terminal.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_virtual.h"

#include "board_verilate.h"
#include "manifest.h"
#include "../backends.h"
#include "../rtl/dut_outside.h"
#include "../../host/file.h"
#include "../../host/install_root.h"

#include <stdio.h>
#include <string.h>

#define PRODUCT HD_VIRTUAL_BOARD_PRODUCT

static const char *const k_link[] = {HD_BOARD_LINK(HD_OWN)};
enum { CLOCKS_PER_BIT = 4, MEMORY_WORDS = 4096 };

struct sources {
  struct hd_dut_sources sources;
  struct hd_outside outside;
  char root[PATH_MAX];
  const char *rtl_dir;
  char default_rtl[PATH_MAX + 8], cache_dir[PATH_MAX];
  size_t n_parameters;
  char parameters[HD_SWITCH_PARAMS][32];
};

/* Reads the sources of a board's switches and link, and begins the cache key with them. */
static int collect(struct sources *s, const struct hd_backend_options *options,
                   struct hd_error *err)
{
  memset(s, 0, sizeof *s);
  int status = hd_install_root(s->root, sizeof s->root, err);
  if (status)
    return status;
  snprintf(s->default_rtl, sizeof s->default_rtl, "%s/rtl", s->root);
  s->rtl_dir = options->rtl_dir ? options->rtl_dir : s->default_rtl;
  status = hd_sources_add_rtl(&s->sources, s->rtl_dir, err);
  if (!status)
    status = hd_sources_add_own(&s->sources, s->root, k_link, sizeof k_link / sizeof *k_link, err);
  return status ? status : hd_key_add_sources(&s->sources, err);
}

static uint64_t hash_of(const struct sources *s)
{
  return hd_hash_bytes(s->sources.key, strlen(s->sources.key), 9);
}

int hd_board_build_hash(const struct hd_backend_options *options, uint64_t *hash,
                        struct hd_error *err)
{
  struct sources s;
  int status = collect(&s, options, err);
  *hash = status ? 0 : hash_of(&s);
  hd_sources_fini(&s.sources);
  return status;
}

static int build(struct sources *s, uint64_t hash, uint32_t count,
                 const struct hd_cache_entry *entry, const struct hd_backend_options *options,
                 bool *again, struct hd_error *err)
{
  const char *argv[HD_SWITCH_PARAMS + HD_MAX_DIRECTORIES + 11];
  char set[HD_SWITCH_PARAMS][40], own[5][48];
  size_t n = 0;
  for (size_t i = 0; i < s->n_parameters; i++) {
    snprintf(set[i], sizeof set[i], "-G%s", s->parameters[i]);
    argv[n++] = set[i];
  }
  snprintf(own[0], sizeof own[0], "-GSWITCHES_ON_BOARD=%u", count);
  snprintf(own[1], sizeof own[1], "-GCLOCKS_PER_BIT=%d", CLOCKS_PER_BIT);
  snprintf(own[2], sizeof own[2], "-GIN_WORDS=%d", MEMORY_WORDS);
  snprintf(own[3], sizeof own[3], "-GOUT_WORDS=%d", MEMORY_WORDS);
  snprintf(own[4], sizeof own[4], "-GBUILD=64'h%016llx", (unsigned long long)hash);
  for (size_t i = 0; i < 5; i++)
    argv[n++] = own[i];
  for (size_t i = 0; i < s->sources.n_include; i++)
    argv[n++] = s->sources.include[i]; /* modules are also searched there */
  argv[n++] = "-y";
  argv[n++] = "src/fpga/link";
  argv[n++] = "-I" HD_OUTSIDE;
  argv[n++] = "src/fpga/link/hd_board.v";
  const struct hd_verilated_board board = {.arguments = argv,
                                           .n = n,
                                           .clocks_per_bit = CLOCKS_PER_BIT,
                                           .source = s->rtl_dir,
                                           .cache_dir = s->cache_dir,
                                           .sources = &s->sources,
                                           .outside = &s->outside};
  int status = hd_sources_write(&s->sources, entry->temporary, err);
  if (!status)
    status = hd_outside_link(&s->outside, entry->temporary, err);
  return status ? status : hd_board_verilate(&board, entry, options, again, err);
}

/* Finds the board in the cache or builds it. *again: the RTL includes files that are not in the
 * key, so the caller repeats the call (dut_outside.h). */
static int find_entry(struct sources *s, uint64_t hash, uint32_t count, const char *line,
                      struct hd_cache_entry *entry, const struct hd_backend_options *options,
                      bool *again, struct hd_error *err)
{
  *again = false;
  int status = hd_outside_add(&s->outside, &s->sources, s->cache_dir, s->rtl_dir, err);
  if (!status)
    status = hd_cache_open(entry, s->cache_dir, s->sources.key, PRODUCT, options->stop,
                           options->context, err);
  if (status || entry->hit)
    return status;
  hd_building_say(options, line);
  status = build(s, hash, count, entry, options, again, err);
  if (!status && !*again)
    return hd_cache_publish(entry, err);
  return hd_cache_abandon(entry, status, err);
}

int hd_board_virtual_build(const struct hd_switch_params *params, uint32_t count,
                           const struct hd_backend_options *options, char *path, size_t size,
                           struct hd_error *err)
{
  struct sources s;
  struct hd_cache_entry entry;
  char text[32], line[256];
  if (count > 16)
    return hd_fail(err, HD_E_INPUT,
                   "the fabric has %u switches, a board holds at most 16 (specification chapter 9)",
                   count);
  int status = collect(&s, options, err);
  uint64_t hash = status ? 0 : hash_of(&s);
  if (!status)
    status = hd_install_cache(options->cache_dir, s.cache_dir, sizeof s.cache_dir, err);
  s.n_parameters = hd_switch_parameters(params, s.parameters);
  for (size_t i = 0; i < s.n_parameters && !status; i++)
    status = hd_key_add(&s.sources, "parameter", s.parameters[i], err);
  snprintf(text, sizeof text, "%u", count);
  if (!status)
    status = hd_key_add(&s.sources, "switches", text, err);
  if (!status)
    status = hd_board_verilate_key(&s.sources, s.root, false, err);
  snprintf(line, sizeof line, "building the virtual board: %u switches of %u ports", count,
           params->ports);
  for (bool again = true; !status && again;)
    status = find_entry(&s, hash, count, line, &entry, options, &again, err);
  if (!status && (size_t)snprintf(path, size, "%s/" PRODUCT, entry.directory) >= size)
    status = hd_fail(err, HD_E_IO, "path too long: %.200s", entry.directory);
  hd_outside_fini(&s.outside);
  hd_sources_fini(&s.sources);
  return status;
}
