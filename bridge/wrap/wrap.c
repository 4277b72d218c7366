/* Turns a description into a directory with a module hd_switch, at a given place or in the cache.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_files.h"
#include "wrap_verilog.h"

#include "../backends/rtl/dut_cache.h"
#include "../host/file.h"
#include "../host/install_root.h"
#include "../host/memory.h"
#include "manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All files that are written: the wrapper's text, the router's files, adapters. */
struct parts {
  const char *product;
  struct hd_wrap_files files;
  struct hd_text text;
  char *adapters[HD_WRAP_ITEMS];
  size_t lengths[HD_WRAP_ITEMS];
};

static const char *const k_adapters[] = {HD_WRAP_ADAPTERS(HD_WRAP_PATH) NULL};

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *hd_wrap_product(const struct hd_wrap *wrap)
{
  return wrap->vhdl ? "hd_switch.vhd" : "hd_switch.v";
}

/* Tests whether the wrapper needs this adapter file. Verilog has a file for each; in VHDL there
 * is one file, and its package is always needed. */
static bool needs_adapter(const struct hd_wrap *wrap, const char *adapter)
{
  const bool vhdl = !strcmp(strrchr(adapter, '.'), ".vhd");
  return wrap->vhdl == vhdl && (vhdl || wrap->flow != HD_WRAP_NATIVE || hd_wrap_is_wide(wrap));
}

static void fini_parts(struct parts *parts)
{
  hd_wrap_files_fini(&parts->files);
  hd_text_fini(&parts->text);
  for (size_t i = 0; k_adapters[i]; i++)
    free(parts->adapters[i]);
}

static int read_parts(struct parts *parts, const struct hd_wrap *wrap, struct hd_error *err)
{
  char root[PATH_MAX];
  int status = hd_wrap_files_read(&parts->files, wrap, err);
  parts->product = hd_wrap_product(wrap);
  if (wrap->vhdl)
    hd_wrap_entity(wrap, &parts->text);
  else
    hd_wrap_verilog(wrap, &parts->files, &parts->text);
  if (!status)
    status = hd_install_root(root, sizeof root, err);
  for (size_t i = 0; !status && k_adapters[i]; i++) {
    if (!needs_adapter(wrap, k_adapters[i]))
      continue;
    char *path = hd_xasprintf("%s/%s", root, k_adapters[i]);
    status = hd_file_read(path, &parts->adapters[i], &parts->lengths[i], err);
    free(path);
  }
  return status;
}

/* ── writing ───────────────────────────────────────────────────────────────── */

static int make_parents(char *path, struct hd_error *err)
{
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    const bool bad = mkdir(path, 0777) && errno != EEXIST;
    if (bad)
      return hd_fail(err, HD_E_IO, "cannot make directory %.500s: %s", path, strerror(errno));
    *slash = '/';
  }
  return HD_OK;
}

static int write_file(const char *directory, const char *name, const char *bytes, size_t length,
                      struct hd_error *err)
{
  char *path = hd_xasprintf("%s/%s", directory, name);
  int status = make_parents(path, err);
  if (!status)
    status = hd_file_write(path, bytes, length, err);
  free(path);
  return status;
}

static int write_parts(const struct parts *parts, const char *directory, struct hd_error *err)
{
  int status =
      write_file(directory, parts->product, hd_text_chars(&parts->text), parts->text.length, err);
  for (size_t i = 0; !status && i < parts->files.n; i++) {
    const struct hd_wrap_file *file = &parts->files.items[i];
    if (!file->defines)
      status = write_file(directory, file->name, file->bytes, file->length, err);
  }
  for (size_t i = 0; !status && k_adapters[i]; i++)
    if (parts->adapters[i])
      status = write_file(directory, base_name(k_adapters[i]), parts->adapters[i],
                          parts->lengths[i], err);
  return status;
}

/* Removes numbered directories of an earlier description, since simulators would read the
 * sources there. Other names are kept: a wrapper written by hand may have its own include
 * directory. */
static int remove_numbered(const char *directory, const char *name, struct hd_error *err)
{
  int status = HD_OK;
  bool more = true;
  for (uint32_t i = 0; !status && more; i++) {
    char *path = hd_xasprintf("%s/%s/%" PRIu32, directory, name, i);
    more = !access(path, F_OK);
    if (more)
      status = hd_tree_remove(path, err);
    free(path);
  }
  return status;
}

int hd_wrap_write(const struct hd_wrap *wrap, const char *directory, struct hd_error *err)
{
  struct parts parts = {.text = {0}};
  int status = hd_directory_belongs(directory, hd_wrap_product(wrap), err);
  if (!status)
    status = read_parts(&parts, wrap, err);
  if (!status)
    status = remove_numbered(directory, HD_WRAP_FILES, err);
  if (!status)
    status = remove_numbered(directory, "include", err);
  if (!status)
    status = write_parts(&parts, directory, err);
  fini_parts(&parts);
  return status;
}

/* ── the cache ─────────────────────────────────────────────────────────────── */

static void add_key(const char *name, const char *bytes, size_t length, struct hd_text *key)
{
  hd_text_add(key, "%016" PRIx64 " %zu %s\n", hd_hash_bytes(bytes, length, 0), length, name);
}

static void make_key(const struct parts *parts, struct hd_text *key)
{
  hd_text_add(key, "wrapped router\n");
  add_key(parts->product, hd_text_chars(&parts->text), parts->text.length, key);
  for (size_t i = 0; i < parts->files.n; i++)
    if (!parts->files.items[i].defines)
      add_key(parts->files.items[i].name, parts->files.items[i].bytes, parts->files.items[i].length,
              key);
  for (size_t i = 0; k_adapters[i]; i++)
    if (parts->adapters[i])
      add_key(k_adapters[i], parts->adapters[i], parts->lengths[i], key);
}

static int write_entry(const struct parts *parts, struct hd_cache_entry *entry,
                       struct hd_error *err)
{
  int status = write_parts(parts, entry->temporary, err);
  return status ? hd_cache_abandon(entry, status, err) : hd_cache_publish(entry, err);
}

static int find_entry(const struct hd_wrap *wrap, const char *cache_dir, char directory[PATH_MAX],
                      struct hd_error *err)
{
  struct parts parts = {.text = {0}};
  struct hd_text key = {0};
  struct hd_cache_entry entry;
  int status = read_parts(&parts, wrap, err);
  make_key(&parts, &key);
  if (!status)
    status = hd_cache_open(&entry, cache_dir, hd_text_chars(&key), parts.product, NULL, NULL, err);
  if (!status && !entry.hit)
    status = write_entry(&parts, &entry, err);
  if (!status)
    snprintf(directory, PATH_MAX, "%s", entry.directory);
  hd_text_fini(&key);
  fini_parts(&parts);
  return status;
}

bool hd_wrap_is_description(const char *argument)
{
  const char *dot = strrchr(argument, '.');
  struct stat st;
  return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml")) &&
         (stat(argument, &st) || !S_ISDIR(st.st_mode));
}

int hd_wrap_resolve(const char **rtl, const char *cache_dir, char directory[PATH_MAX],
                    struct hd_error *err)
{
  struct hd_wrap *wrap = NULL;
  char cache[PATH_MAX];
  if (!*rtl || !hd_wrap_is_description(*rtl))
    return HD_OK;
  int status = hd_wrap_read(&wrap, *rtl, err);
  if (!status)
    status = hd_install_cache(cache_dir, cache, sizeof cache, err);
  if (!status)
    status = find_entry(wrap, cache, directory, err);
  if (!status)
    *rtl = directory;
  hd_wrap_destroy(wrap);
  return status;
}
