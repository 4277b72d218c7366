/* The virtual board of a fabric at speed: what heddle export --signatures wrote, Verilated.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_speed.h"

#include "board_verilate.h"
#include "../../host/file.h"
#include "../../host/install_root.h"
#include "../../host/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    snprintf(path, sizeof path, "%s/%s", directory, line);
    if (*line != '/')
      status = hd_sources_add(sources, path, line, err);
  }
  free(list);
  return status;
}

/* The board's own C++ is among the sources, too. */
static bool is_verilog(const char *name)
{
  const size_t n = strlen(name);
  return n > 2 && !strcmp(name + n - 2, ".v");
}

/* *again: the build is begun again, since a file has changed meanwhile. */
static int build(struct hd_dut_sources *sources, const char *name, const char *from,
                 const char *cache_dir, const struct hd_cache_entry *entry,
                 const struct hd_backend_options *options, bool *again, struct hd_error *err)
{
  const char **argv = calloc(sources->n + 1, sizeof *argv);
  char bits[40];
  size_t n = 0;
  if (!argv)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the virtual board");
  snprintf(bits, sizeof bits, "-GCLOCKS_PER_BIT=%d", HD_SPEED_CLOCKS_PER_BIT);
  argv[n++] = bits;
  for (size_t i = 0; i < sources->n; i++)
    if (is_verilog(sources->list[i].name))
      argv[n++] = sources->list[i].name;
  const struct hd_verilated_board board = {.arguments = argv,
                                           .n = n,
                                           .top = name,
                                           .clocks_per_bit = HD_SPEED_CLOCKS_PER_BIT,
                                           .from = from,
                                           .cache_dir = cache_dir,
                                           .sources = sources};
  int status = hd_sources_write(sources, entry->temporary, err);
  if (!status)
    status = hd_board_verilate(&board, entry, options, again, err);
  free(argv);
  return status;
}

static int find(struct hd_dut_sources *sources, const char *name, const char *from,
                const char *cache_dir, struct hd_cache_entry *entry,
                const struct hd_backend_options *options, struct hd_error *err)
{
  bool again = false;
  int status = hd_cache_open(entry, cache_dir, sources->key, HD_VIRTUAL_BOARD_PRODUCT,
                             options->stop, options->context, err);
  if (status || entry->hit)
    return status;
  if (options->say)
    options->say(options->context, "building the virtual board of the fabric");
  status = build(sources, name, from, cache_dir, entry, options, &again, err);
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
    status = find(&sources, name, directory, cache_dir, &entry, options, err);
  if (!status &&
      (size_t)snprintf(path, size, "%s/%s", entry.directory, HD_VIRTUAL_BOARD_PRODUCT) >= size)
    status = hd_fail(err, HD_E_IO, "path too long: %.200s", entry.directory);
  hd_sources_fini(&sources);
  return status;
}
