/* Without memory the program ends with a sentence and exit code 10, and no user's code is blamed.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/host/memory.h"
#include "../../../bridge/host/user_code.h"
#include "../lib/test.h"

#include <sys/wait.h>

/* Starts a process that asks for more memory than an object can have. Gives its output, and its status in *how. */
static void ask_for_too_much(struct hd_user_code *code, char *printed, size_t size, int *how)
{
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (!pid) {
    uint64_t *items = NULL;
    size_t capacity = 0;
    dup2(ends[1], STDERR_FILENO);
    if (code)
      hd_user_code_catch(code);
    HD_XROOM(items, capacity, 0, SIZE_MAX / 2);
    _exit(0);
  }
  close(ends[1]);
  const ssize_t n = read(ends[0], printed, size - 1);
  printed[n > 0 ? n : 0] = '\0';
  close(ends[0]);
  assert_int_equal(waitpid(pid, how, 0), pid);
}

TEST(a_program_without_memory_prints_an_error_and_ends)
{
  char printed[256];
  int how;
  ask_for_too_much(NULL, printed, sizeof printed, &how);
  assert_true(WIFEXITED(how));
  assert_int_equal(WEXITSTATUS(how), HD_MEMORY_EXIT);
  assert_non_null(strstr(printed, "heddle: out of memory: "));
}

TEST(running_out_of_memory_is_not_blamed_on_user_code)
{
  char printed[256];
  int how;
  struct hd_user_code *code = hd_user_code_create();
  assert_non_null(code);
  ask_for_too_much(code, printed, sizeof printed, &how);
  assert_true(code->is_over);
  assert_int_equal(code->code, HD_MEMORY_EXIT);
  assert_int_equal(code->end, HD_USER_RUNS_ON);
  assert_true(code->was_said);
  char said[sizeof code->failure +
            16]; /* what the run database and the reports say is what was printed */
  snprintf(said, sizeof said, "heddle: %s\n", code->failure);
  assert_string_equal(said, printed);
  hd_user_code_destroy(code);
}

TEST(allocated_memory_has_the_requested_contents)
{
  char *text = hd_xasprintf("%d of %s", 3, "four"), *copy = hd_xstrndup(text, 4);
  assert_string_equal(text, "3 of four");
  assert_string_equal(copy, "3 of");
  uint8_t *zeros = hd_xcalloc(100, 1);
  for (size_t i = 0; i < 100; i++)
    assert_int_equal(zeros[i], 0);
  free(hd_xrealloc(zeros, 1000));
  free(hd_xmalloc(0));
  free(text);
  free(copy);
}
