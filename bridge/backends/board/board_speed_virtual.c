/* Virtual board of a fabric at speed: Verilates the RTL that heddle export --signatures wrote.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_speed.h"

#include "board_verilate.h"
#include "../backends.h"
#include "../../host/file.h"
#include "../../host/install_root.h"
#include "../../host/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the file's directory to those in which Verilator looks for modules and include files. */
static int add_directory(struct hd_dut_sources *sources, const char *file, struct hd_error *err)
{
  char option[sizeof *sources->include];
  const char *end = strrchr(file, '/');
  if (!end)
    return HD_OK; /* the working directory, which Verilator searches anyway */
  snprintf(option, sizeof option, "-I%.*s", (int)(end - file), file);
  for (size_t i = 0; i < sources->n_include; i++)
    if (!strcmp(sources->include[i], option))
      return HD_OK;
  if (sources->n_include == HD_MAX_DIRECTORIES)
    return hd_fail(err, HD_E_INPUT, "%.200s: more than %d directories with RTL", file,
                   HD_MAX_DIRECTORIES);
  memcpy(sources->include[sources->n_include++], option, sizeof option);
  return HD_OK;
}

/* Reads the files that NAME.f lists. */
static int collect(struct hd_dut_sources *sources, const char *directory, const char *name,
                   struct hd_error *err)
{
  char path[PATH_MAX], *list, *save = NULL;
  size_t n;
  snprintf(path, sizeof path, "%s/%s.f", directory, name);
  int status = hd_file_read(path, &list, &n, err);
  if (status)
    return status;
  for (char *line = strtok_r(list, "\n", &save); line && !status;
       line = strtok_r(NULL, "\n", &save)) {
    if (*line == '/')
      continue; /* a comment */
    snprintf(path, sizeof path, "%s/%s", directory, line);
    status = hd_sources_add(sources, path, line, err);
    if (!status)
      status = add_directory(sources, line, err);
  }
  free(list);
  return status;
}

static int build(struct hd_dut_sources *sources, const char *name, const char *source,
                 const char *cache_dir, const struct hd_cache_entry *entry,
                 const struct hd_backend_options *options, struct hd_error *err)
{
  const char *argv[HD_MAX_DIRECTORIES + 2];
  char bits[40], top[NAME_MAX + 1];
  size_t n = 0;
  snprintf(bits, sizeof bits, "-GCLOCKS_PER_BIT=%d", HD_SPEED_CLOCKS_PER_BIT);
  snprintf(top, sizeof top, "%.200s.v", name);
  argv[n++] = bits;
  for (size_t i = 0; i < sources->n_include; i++)
    argv[n++] = sources->include[i];
  argv[n++] = top;
  const struct hd_verilated_board board = {.arguments = argv,
                                           .n = n,
                                           .top = name,
                                           .clocks_per_bit = HD_SPEED_CLOCKS_PER_BIT,
                                           .source = source,
                                           .cache_dir = cache_dir,
                                           .sources = sources};
  bool again; /* stays false: an exported fabric includes only its own files */
  int status = hd_sources_write(sources, entry->temporary, err);
  return status ? status : hd_board_verilate(&board, entry, options, &again, err);
}

static int find_entry(struct hd_dut_sources *sources, const char *name, const char *source,
                      const char *cache_dir, struct hd_cache_entry *entry,
                      const struct hd_backend_options *options, struct hd_error *err)
{
  int status = hd_cache_open(entry, cache_dir, sources->key, HD_VIRTUAL_BOARD_PRODUCT,
                             options->stop, options->context, err);
  if (status || entry->hit)
    return status;
  hd_building_say(options, "building the virtual board of the fabric");
  status = build(sources, name, source, cache_dir, entry, options, err);
  return status ? hd_cache_abandon(entry, status, err) : hd_cache_publish(entry, err);
}

int hd_speed_virtual_build(const char *directory, const char *name,
                           const struct hd_backend_options *options, char *path, size_t size,
                           struct hd_error *err)
{
  struct hd_dut_sources sources = {0};
  struct hd_cache_entry entry;
  char root[PATH_MAX], cache_dir[PATH_MAX];
  int status = hd_install_root(root, sizeof root, err);
  if (!status)
    status = hd_install_cache(options->cache_dir, cache_dir, sizeof cache_dir, err);
  if (!status)
    status = collect(&sources, directory, name, err);
  if (!status)
    status = hd_board_verilate_key(&sources, root, false, err);
  if (!status)
    status = hd_key_add(&sources, "top", name, err);
  if (!status)
    status = find_entry(&sources, name, directory, cache_dir, &entry, options, err);
  if (!status &&
      (size_t)snprintf(path, size, "%s/%s", entry.directory, HD_VIRTUAL_BOARD_PRODUCT) >= size)
    status = hd_fail(err, HD_E_IO, "path too long: %.200s", entry.directory);
  hd_sources_fini(&sources);
  return status;
}
