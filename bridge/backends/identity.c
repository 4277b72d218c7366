/* Identity of the backends that are built here: hashes of RTL, Heddle's files and tools.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The identity says, before a build, whether earlier results still hold. Which files outside of the
 * RTL directory a tool reads is known only after a build (rtl/dut_outside.h). So every text in
 * quotes in the RTL that is the name of a file counts as a file that is read: by `include,
 * $readmemh, or a macro.
 */
#include "backends.h"

#include "../host/file.h"
#include "../host/install_root.h"
#include "../host/text.h"
#include "../host/tool_run.h"
#include "rtl/dut_sources.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── files that the RTL names ──────────────────────────────────────────────── */

struct named {
  const char *rtl_dir;
  struct hd_text seen; /* paths that were added, each between two line ends */
  struct hd_dut_sources *sources;
};

static int add_named(struct named *n, const char *bytes, const char *beside, struct hd_error *err);

static int add_file(struct named *n, const char *path, const char *name, struct hd_error *err)
{
  char key[PATH_MAX + 64], real[PATH_MAX], line[PATH_MAX + 3], *bytes = NULL;
  size_t length = 0;
  if (!realpath(path, real) || hd_file_read(real, &bytes, &length, NULL))
    return HD_OK; /* not the name of a file */
  snprintf(line, sizeof line, "\n%s\n", real);
  int status = HD_OK;
  if (!strstr(hd_text_chars(&n->seen), line)) {
    hd_text_add(&n->seen, "%s", line);
    snprintf(key, sizeof key, "%016" PRIx64 " %zu %s", hd_hash_bytes(bytes, length, 0), length,
             name);
    status = hd_key_add(n->sources, "named", key, err);
    if (!status)
      status = add_named(n, bytes, real, err);
  }
  free(bytes);
  return status;
}

/* Adds the files whose names are in quotes in `bytes`, relative to the RTL directory and, if
 * `beside` is not NULL, to that file. */
static int add_named(struct named *n, const char *bytes, const char *beside, struct hd_error *err)
{
  char name[NAME_MAX + PATH_MAX / 2], path[2 * PATH_MAX];
  int status = HD_OK;
  for (const char *p = strchr(bytes, '"'); p && !status; p = strchr(p + 1, '"')) {
    size_t length = strcspn(p + 1, "\"\n");
    if (!length || p[1 + length] != '"' || length >= sizeof name)
      continue;
    snprintf(name, sizeof name, "%.*s", (int)length, p + 1);
    snprintf(path, sizeof path, "%s/%s", n->rtl_dir, name);
    status = add_file(n, *name == '/' ? name : path, name, err);
    char *there = beside ? hd_file_beside(beside, name) : NULL;
    if (there && !status)
      status = add_file(n, there, name, err);
    free(there);
  }
  return status;
}

static bool file_exists(const char *directory, const char *name)
{
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return !access(path, F_OK);
}

static int add_rtl(struct hd_dut_sources *s, const char *rtl_dir, struct hd_error *err)
{
  struct named n = {.rtl_dir = rtl_dir, .sources = s};
  const bool vhdl = file_exists(rtl_dir, "hd_switch.vhd");
  int status = HD_OK;
  if (!vhdl || file_exists(rtl_dir, "hd_switch.v"))
    status = hd_sources_add_rtl(s, rtl_dir, err);
  if (!status && vhdl)
    status = hd_sources_add_vhdl(s, rtl_dir, err);
  if (!status)
    status = hd_key_add_sources(s, err);
  for (size_t i = 0; !status && i < s->n; i++)
    status = add_named(&n, s->list[i].bytes, NULL, err);
  hd_text_fini(&n.seen);
  return status;
}

/* ── files of Heddle, and tools ────────────────────────────────────────────── */

static int add_own(struct hd_dut_sources *s, const char *root, struct hd_error *err)
{
  int status = HD_OK;
  for (const struct hd_backend_kind *const *k = hd_backend_kinds; *k && !status; k++) {
    size_t n = 0;
    while ((*k)->own && (*k)->own[n])
      n++;
    status = hd_sources_add_own(s, root, (*k)->own, n, err);
  }
  return status ? status : hd_key_add_sources(s, err);
}

/* Adds the versions of the tools. A missing tool counts as a version. A tool that does not answer
 * is an error: without its version, earlier results would not be found. */
static int add_tools(struct hd_dut_sources *s, struct hd_error *err)
{
  static const char *const tools[][3] = {{"verilator_bin", "--version"}, {"g++", "--version"},
                                         {"gcc", "--version"},           {"iverilog", "-V"},
                                         {"ghdl", "--version"},          {"yosys", "-V"}};
  int status = HD_OK;
  for (size_t i = 0; !status && i < sizeof tools / sizeof *tools; i++)
    status = hd_tool_installed(tools[i][0]) ? hd_key_add_tool(s, "tool", tools[i], tools[i][0], err)
                                            : hd_key_add(s, "without", tools[i][0], err);
  return status;
}

int hd_backend_identity(struct hd_text *identity, const char *rtl_dir, struct hd_error *err)
{
  struct hd_dut_sources rtl = {0}, own = {0};
  char root[PATH_MAX], installed[PATH_MAX + 8];
  int status = hd_install_root(root, sizeof root, err);
  if (status)
    return status;
  snprintf(installed, sizeof installed, "%s/rtl", root);
  status = add_rtl(&rtl, rtl_dir ? rtl_dir : installed, err);
  if (!status)
    status = add_own(&own, root, err);
  if (!status)
    status = add_tools(&own, err);
  if (!status)
    hd_text_add(identity, "RTL %016" PRIx64 ", tools %016" PRIx64,
                hd_hash_bytes(rtl.key, rtl.key_length, 1),
                hd_hash_bytes(own.key, own.key_length, 1));
  hd_sources_fini(&rtl);
  hd_sources_fini(&own);
  return status;
}
