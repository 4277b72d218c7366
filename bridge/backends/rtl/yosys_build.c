/* Synthesizes the RTL of a switch with Yosys, and keeps the result in the cache of built backends.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "yosys_build.h"

#include "build.h"

#include "../backends.h"
#include "../../host/file.h"
#include "../../host/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES "hd_switch.files" /* list of the files that Yosys has read */
#define TWO_DRIVERS "multiple conflicting drivers for"

/* ── scripts ───────────────────────────────────────────────────────────────── */

/* Gets the name of RTL directory i in scripts. Yosys allows no white space in an option, so a
 * directory with white space in its name is named by a link. */
static void name_directory(const struct hd_dut_sources *sources, size_t i, char name[300])
{
  const char *directory = sources->include[i] + strlen("-I");
  if (strpbrk(directory, " \t;\"#"))
    snprintf(name, 300, "directory-%zu", i);
  else
    snprintf(name, 300, "%s", directory);
}

/* Makes these links, or removes them. */
static int link_directories(const struct hd_yosys *y, bool make, struct hd_error *err)
{
  for (size_t i = 0; i < y->base.sources.n_include; i++) {
    const char *directory = y->base.sources.include[i] + strlen("-I");
    char name[300], link[PATH_MAX + 304];
    name_directory(&y->base.sources, i, name);
    if (!strcmp(name, directory))
      continue;
    snprintf(link, sizeof link, "%s/%s", y->base.entry.temporary, name);
    if (make ? symlink(directory, link) : unlink(link))
      return hd_fail(err, HD_E_IO, "cannot %s %s: %s", make ? "link" : "remove", link,
                     strerror(errno));
  }
  return 0;
}

/* Adds two scripts to the sources: read.ys, which reads the sources so far, and synth.ys, which
 * calls it. Modules are elaborated only with the parameters with which they are used (-defer).
 * Files in sub-directories are read only if their module is used. */
static int add_scripts(struct hd_yosys *y, struct hd_error *err)
{
  struct hd_dut_sources *sources = &y->base.sources;
  char parameters[HD_SWITCH_PARAMS][32], directory[300];
  size_t n = hd_switch_parameters(y->params, parameters);
  struct hd_text read = {0}, synthesis = {0};
  /* Yosys reads .v as SystemVerilog here, because Verilator does. */
  hd_text_add(&read, "verilog_defaults -add -sv");
  for (size_t i = 0; i < sources->n_include; i++) {
    name_directory(sources, i, directory);
    hd_text_add(&read, " -I%s", directory);
  }
  hd_text_add(&read, " -I" HD_OUTSIDE "\n");
  for (size_t i = 0; i < sources->n; i++) {
    const char *name = sources->list[i].name;
    if (!strncmp(name, "rtl/", 4) && hd_sources_have_modules(name) &&
        !strchr(name + strlen("rtl/"), '/'))
      hd_text_add(&read, "read_verilog -defer \"%s\"\n", name);
  }
  hd_text_add(&read, "hierarchy -top hd_switch");
  for (size_t i = 0; i < n; i++) {
    char *equals = strchr(parameters[i], '=');
    hd_text_add(&read, " -chparam %.*s %s", (int)(equals - parameters[i]), parameters[i],
                equals + 1);
  }
  for (size_t i = 0; i < sources->n_include; i++) {
    name_directory(sources, i, directory);
    hd_text_add(&read, " -libdir %s", directory);
  }
  hd_text_add(&read, "\n");
  /* Checks the drivers of signals in a copy of the modules as they were written: in the netlist one
   * of two drivers may be gone, such as a register that keeps the other's value. Signals that
   * nothing reads do not matter (opt_clean), as processes may share a loop variable. Loops are
   * found later, in the netlist, bit by bit. */
  hd_text_add(&synthesis,
              "script read.ys\n"
              "proc\n"
              "logger -werror \"" TWO_DRIVERS "\"\n"
              "design -push-copy\n"
              "opt_clean\n"
              "check\n"
              "design -pop\n"
              "%s",
              y->synthesis);
  int status = hd_sources_add_text(sources, "read.ys", read.chars, read.length, err);
  if (status) {
    hd_text_fini(&synthesis);
    return status;
  }
  return hd_sources_add_text(sources, "synth.ys", synthesis.chars, synthesis.length, err);
}

/* ── Yosys ─────────────────────────────────────────────────────────────────── */

/* Checks that the product is complete: on a full disk Yosys ends with exit code 0, too. */
static int check_product(const struct hd_yosys *y, struct hd_error *err)
{
  const size_t n = strlen(y->product_end);
  char path[PATH_MAX + 80], *bytes = NULL;
  size_t length = 0;
  snprintf(path, sizeof path, "%s/%s", y->base.entry.temporary, y->product);
  int status = hd_file_read(path, &bytes, &length, err);
  if (!status && (length < n || memcmp(bytes + length - n, y->product_end, n)))
    status = hd_fail(err, HD_E_TOOL,
                     "the output of Yosys for %.200s is cut off; is the disk full, or the size of "
                     "files limited? log: %.300s",
                     y->base.rtl_dir, y->base.entry.log);
  free(bytes);
  return status;
}

/* Constructs that simulators take and Yosys refuses: its message, and advice for the user. */
static const struct {
  const char *says, *right;
} k_refusals[] = {
    {"outside initial block is unsupported",
     "a netlist has no system tasks at a clock edge; put what is for simulation alone between "
     "`ifndef SYNTHESIS and "
     "`endif"},
    {TWO_DRIVERS, "give each signal one driver"},
    {"is driving constant bits", "give each signal one driver"},
    {"found logic loop in", "put a register into the loop"},
    {"for \\$readmem", "name the file of a memory by its absolute path"},
};

/* Looks for one of these messages in the file `said`. If it is there, the error quotes Yosys'
 * lines, which say where, and gives the advice. */
static int find_message(const struct hd_yosys *y, const char *said, int failure,
                        struct hd_error *err)
{
  char *text = NULL;
  size_t length = 0;
  int status = failure;
  if (hd_file_read(said, &text, &length, NULL))
    return failure;
  for (size_t i = 0; i < sizeof k_refusals / sizeof *k_refusals && status == failure; i++) {
    const char *line = strstr(text, k_refusals[i].says);
    if (!line)
      continue;
    while (line > text && line[-1] != '\n')
      line--;
    size_t n = strcspn(line, "\n");
    while (line[n] == '\n' && line[n + 1] == ' ') /* further lines of the same message */
      n += 1 + strcspn(line + n + 1, "\n");
    status = hd_fail(err, HD_E_INPUT,
                     "Yosys makes no netlist of the RTL in %.120s:\n%.*s\n%s, or choose --dut "
                     "verilator; log: %.180s",
                     y->base.rtl_dir, n < 400 ? (int)n : 400, line, k_refusals[i].right,
                     y->base.entry.log);
  }
  free(text);
  return status;
}

static int find_reason(const struct hd_yosys *y, int failure, struct hd_error *err)
{
  char checked[PATH_MAX + sizeof HD_YOSYS_CHECKED + 1];
  snprintf(checked, sizeof checked, "%s/" HD_YOSYS_CHECKED, y->base.entry.temporary);
  const int status = find_message(y, checked, failure, err);
  return status == failure ? find_message(y, y->base.entry.log, failure, err) : status;
}

/* Tests whether abc ended by an assertion of its own. A few netlists cause this, but not every time
 * (Yosys' issue 1675), so the caller tries again. */
static bool abc_died(const struct hd_yosys *y)
{
  char *text = NULL;
  size_t length = 0;
  bool died = !hd_file_read(y->base.entry.log, &text, &length, NULL) &&
              strstr(text, "ABC: execution of command") && strstr(text, "return code 134");
  free(text);
  return died;
}

static int run_yosys(const struct hd_yosys *y, const char *const *argv, struct hd_error *err)
{
  int status = hd_build_run(&y->base.entry, y->options, "yosys", argv, y->base.rtl_dir, err);
  if (status == HD_E_TOOL && abc_died(y))
    status = hd_build_run(&y->base.entry, y->options, "yosys", argv, y->base.rtl_dir, err);
  return status == HD_E_TOOL ? find_reason(y, status, err) : status;
}

/* Makes the links that a script needs, and runs it. */
static int run_script(struct hd_yosys *y, const char *const *argv, struct hd_error *err)
{
  int status = hd_outside_link(&y->base.outside, y->base.entry.temporary, err);
  if (!status)
    status = link_directories(y, true, err);
  if (!status)
    status = run_yosys(y, argv, err);
  if (!status)
    status = link_directories(y, false, err);
  return status;
}

/* Tests whether the RTL may read other files. If so, read.ys runs alone first, to list them: the
 * synthesis takes longer, and would list Yosys' own files, too. */
static bool reads_more(const struct hd_dut_sources *sources)
{
  bool more = false;
  for (size_t i = 0; i < sources->n; i++)
    more |=
        !strncmp(sources->list[i].name, "rtl/", 4) &&
        (strstr(sources->list[i].bytes, "`include") || strstr(sources->list[i].bytes, "$readmem"));
  return more;
}

static int make(void *context, bool *again, struct hd_error *err)
{
  static const char *const read[] = {"yosys", "-q", "-E", FILES, "-s", "read.ys", NULL};
  static const char *const synthesise[] = {"yosys", "-q", "-s", "synth.ys", NULL};
  struct hd_yosys *y = context;
  hd_building_say(y->options, y->what);
  const bool more = reads_more(&y->base.sources);
  int status = more ? run_script(y, read, err) : HD_OK;
  if (!status && more)
    status = hd_outside_check(&y->base.outside, y->base.entry.temporary, FILES, HD_OUTSIDE_YOSYS,
                              again, err);
  if (!status && !*again)
    status = run_script(y, synthesise, err);
  if (!status && !*again)
    status = check_product(y, err);
  if (!status && !*again && more) /* included files may have changed during the synthesis */
    status = hd_outside_check(&y->base.outside, y->base.entry.temporary, FILES, HD_OUTSIDE_YOSYS,
                              again, err);
  hd_outside_unlink(y->base.entry.temporary);
  return status;
}

int hd_yosys_build(struct hd_yosys *y, struct hd_error *err)
{
  static const char *const ask_yosys[] = {"yosys", "-V", NULL};
  char path[2 * PATH_MAX];
  struct hd_dut_sources *sources = &y->base.sources;
  int status = hd_build_begin(&y->base, y->options, err);
  if (!status)
    status = hd_sources_add_rtl(sources, y->base.rtl_dir, err);
  if (!status)
    status = add_scripts(y, err);
  if (!status)
    status = hd_key_add(sources, "gates", y->what, err);
  if (!status)
    status = hd_key_add_tool(sources, "yosys", ask_yosys, "yosys", err);
  if (!status)
    status = hd_key_add_sources(sources, err);
  if (!status)
    status = hd_build_find(&y->base, y->product, make, y, path, sizeof path, err);
  if (!status)
    hd_build_list_rtl(&y->base);
  return status;
}

void hd_yosys_fini(struct hd_yosys *y)
{
  hd_build_end(&y->base);
}
