/* What Yosys makes of the RTL of a switch, kept in the cache of built backends.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "yosys_build.h"

#include "../../host/file.h"
#include "../../host/install_root.h"
#include "../../host/text.h"
#include "../../host/tool_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES "hd_switch.files" /* what Yosys has read */

/* read.ys, made of the sources there are so far, and synth.ys, which begins with it; sources like the
 * others. Modules in sub-directories are read only where they are needed. */
static int add_scripts(struct hd_yosys *y, struct hd_error *err)
{
  struct hd_dut_sources *sources = &y->sources;
  char parameters[HD_SWITCH_PARAMS][32];
  size_t n = hd_switch_parameters(y->params, parameters);
  struct hd_text read = {0}, synthesis = {0};
  hd_text_add(&read, "verilog_defaults -add");
  for (size_t i = 0; i < sources->n_include; i++)
    hd_text_add(&read, " %s", sources->include[i]);
  hd_text_add(&read, " -I" HD_OUTSIDE "\n");
  for (size_t i = 0; i < sources->n; i++) {
    const char *name = sources->list[i].name;
    if (!strncmp(name, "rtl/", 4) && !strstr(name, ".vh") && !strstr(name, ".svh") &&
        !strchr(name + strlen("rtl/"), '/'))
      hd_text_add(&read, "read_verilog \"%s\"\n", name);
  }
  hd_text_add(&read, "chparam");
  for (size_t i = 0; i < n; i++) {
    char *equals = strchr(parameters[i], '=');
    hd_text_add(&read, " -set %.*s %s", (int)(equals - parameters[i]), parameters[i], equals + 1);
  }
  hd_text_add(&read, " hd_switch\nhierarchy -top hd_switch");
  for (size_t i = 0; i < sources->n_include; i++)
    hd_text_add(&read, " -libdir %s", sources->include[i] + 2);
  hd_text_add(&read, "\n");
  hd_text_add(&synthesis, "script read.ys\n%s", y->synthesis);
  int status =
      hd_sources_take(sources, "read.ys", read.failed ? NULL : read.chars, read.length, err);
  if (status) {
    hd_text_fini(&synthesis);
    return status;
  }
  return hd_sources_take(sources, "synth.ys", synthesis.failed ? NULL : synthesis.chars,
                         synthesis.length, err);
}

/* Yosys ends with 0 on a full disk, too: does what it has written come to an end? */
static int check_product(const struct hd_yosys *y, struct hd_error *err)
{
  const size_t n = strlen(y->product_end);
  char path[PATH_MAX + 80], *bytes = NULL;
  size_t length = 0;
  snprintf(path, sizeof path, "%s/%s", y->entry.temporary, y->product);
  int status = hd_file_read(path, &bytes, &length, err);
  if (!status && (length < n || memcmp(bytes + length - n, y->product_end, n)))
    status =
        hd_fail(err, HD_E_TOOL,
                "what yosys has written of %.200s is cut off; is the disk full, or the size of "
                "files limited? log: %.300s",
                y->rtl_dir, y->entry.log);
  free(bytes);
  return status;
}

static int run_yosys(const struct hd_yosys *y, const char *const *argv, struct hd_error *err)
{
  const struct hd_tool tool = {.argv = argv,
                               .package = "yosys",
                               .directory = y->entry.temporary,
                               .log_path = y->entry.log,
                               .stop = y->options->stop,
                               .context = y->options->context};
  return hd_tool_must(&tool, y->rtl_dir, err);
}

static int build_entry(struct hd_yosys *y, bool *again, struct hd_error *err)
{
  static const char *const read[] = {"yosys", "-q", "-E", FILES, "-s", "read.ys", NULL};
  static const char *const synthesise[] = {"yosys", "-q", "-s", "synth.ys", NULL};
  if (y->options->say)
    y->options->say(y->options->context, y->what);
  int status = hd_sources_write(&y->sources, y->entry.temporary, err);
  if (!status)
    status = hd_outside_link(&y->outside, y->entry.temporary, err);
  if (!status)
    status = run_yosys(y, read, err);
  if (!status)
    status = hd_outside_check(&y->outside, y->entry.temporary, FILES, HD_OUTSIDE_YOSYS, again, err);
  if (!status && !*again)
    status = hd_outside_link(&y->outside, y->entry.temporary, err);
  if (!status && !*again)
    status = run_yosys(y, synthesise, err);
  if (!status && !*again)
    status = check_product(y, err);
  if (!status && !*again)
    status = hd_outside_check(&y->outside, y->entry.temporary, FILES, HD_OUTSIDE_YOSYS, again, err);
  if (status || *again)
    return hd_cache_abandon(&y->entry, status, err);
  return hd_cache_publish(&y->entry, err);
}

static int find_entry(struct hd_yosys *y, const char *cache_dir, bool *again, struct hd_error *err)
{
  *again = false;
  int status = hd_outside_add(&y->outside, &y->sources, cache_dir, y->rtl_dir, err);
  if (!status)
    status = hd_cache_open(&y->entry, cache_dir, y->sources.key, y->product, y->options->stop,
                           y->options->context, err);
  return status || y->entry.hit ? status : build_entry(y, again, err);
}

int hd_yosys_build(struct hd_yosys *y, struct hd_error *err)
{
  static const char *const ask_yosys[] = {"yosys", "-V", NULL};
  char root[PATH_MAX], cache[PATH_MAX];
  int status = hd_install_root(root, sizeof root, err);
  if (!status)
    status = hd_install_cache(y->options->cache_dir, cache, sizeof cache, err);
  if (status)
    return status;
  if (y->options->rtl_dir)
    snprintf(y->rtl_dir, sizeof y->rtl_dir, "%s", y->options->rtl_dir);
  else
    snprintf(y->rtl_dir, sizeof y->rtl_dir, "%s/rtl", root);
  status = hd_sources_add_rtl(&y->sources, y->rtl_dir, err);
  if (!status)
    status = add_scripts(y, err);
  if (!status)
    status = hd_key_add(&y->sources, "gates", y->what, err);
  if (!status)
    status = hd_key_add_tool(&y->sources, "yosys", ask_yosys, "yosys", err);
  if (!status)
    status = hd_key_add_sources(&y->sources, err);
  for (bool again = true; !status && again;)
    status = find_entry(y, cache, &again, err);
  return status ? status : hd_outside_tell(&y->outside, &y->sources, y->options->rtl_files, err);
}

void hd_yosys_fini(struct hd_yosys *y)
{
  hd_outside_fini(&y->outside);
  hd_sources_fini(&y->sources);
}
