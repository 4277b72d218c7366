/* Tools get their arguments unchanged. A tool that is stopped ends with all processes that it has started.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/host/file.h"
#include "../../../bridge/host/tool_run.h"
#include "../lib/test.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

TEST(arguments_reach_a_tool_unchanged)
{
  static const char *const argv[] = {"echo", "$HOME `id` ; 'a' \"b\" * \\", NULL};
  char line[100];
  assert_int_equal(hd_tool_first_line(argv, "coreutils", line, sizeof line, NULL), 0);
  assert_string_equal(line, argv[1]);
}

TEST(the_answer_of_a_tool_excludes_its_warnings)
{
  static const char *const argv[] = {"sh", "-c", "echo warning >&2; echo answer", NULL};
  char line[100];
  assert_int_equal(hd_tool_first_line(argv, "dash", line, sizeof line, NULL), 0);
  assert_string_equal(line, "warning");
  assert_int_equal(hd_tool_answer(argv, "dash", line, sizeof line, NULL), 0);
  assert_string_equal(line, "answer");
}

/* The log's first error must be shown, and not what follows it: a list of files, or further errors. */
TEST(a_failed_tool_shows_its_first_error)
{
  static const char script[] =
      "echo '%Warning-WIDTH: a.v:1:2: 8 bits of 9'; echo '%Error: b.v:3:4: another'; "
      "for i in 1 2 3 4 5 6 7 8 9; do "
      "echo \"        rtl/files/$i/long_name_$i.sv:1:1: ... note: In file included from "
      "top.v\"; done; "
      "echo '%Error: c.v:5:6: no module: missing'; echo '        ... Looked in:'; "
      "for i in 1 2 3 4 5 6 7 8 9; do "
      "echo \"   a_long_name_of_a_directory_in_which_no_such_module_is_$i\"; done; "
      "echo '%Error: Exiting due to 2 error(s)'; exit 1";
  static const char *const argv[] = {"sh", "-c", script, NULL};
  char log[64];
  write_temporary(log, "");
  const struct hd_tool tool = {.argv = argv, .package = "dash", .log_path = log};
  must_fail(hd_tool_must(&tool, "my-rtl", &why), HD_E_TOOL,
            "exit code 1 on the RTL in my-rtl:\n%Error: b.v:3:4: another\n"
            "%Error: c.v:5:6: no module: missing\nlog: ");
  unlink(log);
}

/* A log without errors has its last lines shown. */
TEST(without_an_error_the_last_lines_are_shown)
{
  char log[64], end[640], text[2000] = "";
  for (unsigned i = 0; i < 100; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "line %u\n", i);
  write_temporary(log, text);
  hd_tool_log_end(log, end, sizeof end);
  assert_non_null(strstr(end, "\nline 98\nline 99"));
  assert_null(strstr(end, "line 1\n"));
  unlink(log);
}

static bool stop_at_once(void *context)
{
  (void)context;
  return true;
}

TEST(a_running_tool_can_be_stopped)
{
  static const char *const argv[] = {"sleep", "1000", NULL};
  struct hd_tool tool = {.argv = argv, .package = "coreutils", .stop = stop_at_once};
  int code = 0;
  assert_int_equal(hd_tool_run(&tool, &code, NULL), HD_E_INTERRUPTED);
}

/* True when a file is there. */
static bool stop_when_file_exists(void *context)
{
  return access(context, F_OK) == 0;
}

/* One tool starts another one, as make does. The second tool also ignores SIGTERM. This process adopts their
 * children, so the test does not depend on what process 1 does with orphans. */
TEST(processes_that_a_tool_started_end_with_it)
{
  assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  static const char *const scripts[] = {"sleep 1000 & echo $! >number; mv number started; wait",
                                        "trap '' TERM; sleep 1000 & echo $! >number; "
                                        "mv number started; while :; do wait; done"};
  char directory[] = "/tmp/hd_tool_XXXXXX", started[64];
  assert_non_null(mkdtemp(directory));
  snprintf(started, sizeof started, "%s/started", directory);
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
    const char *const argv[] = {"sh", "-c", scripts[i], NULL};
    const struct hd_tool tool = {.argv = argv,
                                 .package = "dash",
                                 .directory = directory,
                                 .stop = stop_when_file_exists,
                                 .context = started};
    CLEANUP(free_at) char *bytes = NULL;
    size_t length = 0;
    int code = 0;
    assert_int_equal(hd_tool_run(&tool, &code, NULL), HD_E_INTERRUPTED);
    assert_int_equal(hd_file_read(started, &bytes, &length, NULL), 0);
    unlink(started);
    pid_t pid = (pid_t)atol(bytes);
    assert_true(pid > 1);
    int how = 0;
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFSIGNALED(how));
  }
  rmdir(directory);
}

/* make reads its options from several variables, the compiler its include paths. */
TEST(make_and_compiler_variables_do_not_reach_tools)
{
  static const char *const names[] = {"MAKEFLAGS", "GNUMAKEFLAGS", "CPATH", "CPLUS_INCLUDE_PATH"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *const argv[] = {"printenv", names[i], NULL};
    struct hd_tool tool = {.argv = argv, .package = "coreutils"};
    int code = 0;
    setenv(names[i], "-k", 1);
    assert_int_equal(hd_tool_run(&tool, &code, NULL), 0);
    unsetenv(names[i]);
    if (code != 1)
      fail_msg("%s reaches tools", names[i]);
  }
}
