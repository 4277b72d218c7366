/* Virtual board of a fabric at speed: Verilates the RTL that heddle export --signatures wrote.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_speed.h"

#include "board_verilate.h"
#include "../rtl/build.h"
#include "../backends.h"
#include "../../host/file.h"
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

struct board {
  struct hd_build base;
  const char *name, *directory; /* of the fabric */
};

static int make(void *context, bool *again, struct hd_error *err)
{
  struct board *b = context;
  const char *argv[HD_MAX_DIRECTORIES + 2];
  char bits[40], top[NAME_MAX + 1];
  size_t n = 0;
  snprintf(bits, sizeof bits, "-GCLOCKS_PER_BIT=%d", HD_SPEED_CLOCKS_PER_BIT);
  snprintf(top, sizeof top, "%.200s.v", b->name);
  argv[n++] = bits;
  for (size_t i = 0; i < b->base.sources.n_include; i++)
    argv[n++] = b->base.sources.include[i];
  argv[n++] = top;
  const struct hd_verilated_board board = {.arguments = argv,
                                           .n = n,
                                           .top = b->name,
                                           .clocks_per_bit = HD_SPEED_CLOCKS_PER_BIT,
                                           .source = b->directory,
                                           .cache_dir = b->base.cache_dir,
                                           .sources = &b->base.sources};
  hd_building_say(b->base.options, "building the virtual board of the fabric");
  return hd_board_verilate(&board, &b->base.entry, b->base.options, again, err);
}

int hd_speed_virtual_build(const char *directory, const char *name,
                           const struct hd_backend_options *options, char *path, size_t size,
                           struct hd_error *err)
{
  struct board b = {.name = name, .directory = directory};
  int status = hd_build_begin(&b.base, options, err);
  if (!status)
    status = collect(&b.base.sources, directory, name, err);
  if (!status)
    status = hd_board_verilate_key(&b.base.sources, b.base.root, false, err);
  if (!status)
    status = hd_key_add(&b.base.sources, "top", name, err);
  if (!status)
    status = hd_build_find(&b.base, HD_VIRTUAL_BOARD_PRODUCT, make, &b, path, size, err);
  hd_build_end(&b.base);
  return status;
}
