/* The identity of RTL in a campaign's file changes with every file that a build reads.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/campaign/campaign_internal.h"
#include "../../../bridge/host/file.h"
#include "../../../bridge/host/install_root.h"
#include "../lib/test.h"

#include <limits.h>
#include <sys/stat.h>

static void directory(char path[64])
{
  strcpy(path, "/tmp/hd_campaign.XXXXXX");
  assert_non_null(mkdtemp(path));
}

static void write_file(const char *directory, const char *name, const char *bytes)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  must(hd_file_write(path, bytes, strlen(bytes), &why));
}

static void make_directory(const char *directory, const char *name)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  assert_int_equal(mkdir(path, 0777), 0);
}

/* Writes the identity of the RTL in `rtl` to `before`. Returns true if it differs from the old text there. */
static bool identity_changed(const char *rtl, char before[256])
{
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  must(hd_campaign_identity(&text, rtl, &why));
  bool another = strcmp(before, hd_text_chars(&text)) != 0;
  snprintf(before, 256, "%s", hd_text_chars(&text));
  return another;
}

/* Files in folders of any depth and with any ending, included files outside of the directory, and versions of the
 * tools. */
TEST(every_file_that_a_build_reads_changes_the_identity)
{
  char path[64], rtl[96], before[256] = "", tools[160];
  struct hd_text text = {0};
  directory(path);
  snprintf(rtl, sizeof rtl, "%s/[rtl] ?", path);
  make_directory(path, "[rtl] ?");
  make_directory(rtl, "a");
  make_directory(rtl, "a/b");
  assert_int_equal(hd_campaign_identity(&text, rtl, &why), HD_E_INPUT); /* no switch */
  hd_text_fini(&text);
  text = (struct hd_text){0};
  write_file(rtl, "hd_switch.v", "`include \"../beside.vh\"\nmodule hd_switch; endmodule\n");
  assert_true(identity_changed(rtl, before));
  assert_false(identity_changed(rtl, before));
  static const char *const names[] = {"x.sv",      "a/x.v",        "a/x.svh",     "a/b/x.v",
                                      "a/b/y.svh", "../beside.vh", "hd_switch.v", "../last.txt"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    write_file(rtl, names[i], "`define LAST \"../last.txt\"\n");
    assert_true(identity_changed(rtl, before));
    write_file(rtl, names[i], "`define LAST \"../last.txt\" // \"\n");
    assert_true(identity_changed(rtl, before));
    assert_false(identity_changed(rtl, before));
  }
  write_file(rtl, "README", "is not read");
  assert_false(identity_changed(rtl, before));
  make_directory(path, "bin");
  write_file(path, "bin/verilator_bin", "#!/bin/sh\necho Verilator 99.9\n");
  snprintf(tools, sizeof tools, "%s/bin/verilator_bin", path);
  assert_int_equal(chmod(tools, 0755), 0);
  const char *had = getenv("PATH");
  CLEANUP(free_at) char *kept = strdup(had ? had : "");
  hd_text_add(&text, "%s/bin:%s", path, kept);
  setenv("PATH", hd_text_chars(&text), 1);
  assert_true(identity_changed(rtl, before));
  write_file(path, "bin/verilator_bin", "#!/bin/sh\nkill -ABRT $$\n");
  CLEANUP(hd_text_fini) struct hd_text none = {0};
  must_fail(hd_campaign_identity(&none, rtl, &why), HD_E_TOOL, "verilator_bin died by signal 6");
  setenv("PATH", kept, 1);
  assert_true(identity_changed(rtl, before));
  hd_text_fini(&text);
  hd_tree_remove(path, NULL);
}

/* Files of Heddle that are compiled at run time, and are not in the executable. */
TEST(files_of_heddle_compiled_with_the_rtl_change_the_identity)
{
  static const char shim[] = "bridge/backends/verilator/verilator.cpp";
  char path[64], root[PATH_MAX], before[256] = "", command[3 * PATH_MAX];
  directory(path);
  must(hd_install_root(root, sizeof root, &why));
  snprintf(command, sizeof command,
           "cd '%s' && cp -r --parents bridge cmodel fpga rtl tb '%s' && cd '%s' && chmod -R u+w .",
           root, path, path);
  assert_int_equal(system(command), 0);
  setenv("HD_ROOT", path, 1);
  assert_true(identity_changed(NULL, before));
  assert_false(identity_changed(NULL, before));
  write_file(path, shim, "// another shim");
  assert_true(identity_changed(NULL, before));
  unsetenv("HD_ROOT");
  hd_tree_remove(path, NULL);
}
