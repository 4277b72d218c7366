/* Processes (bridge/host/processes.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/host/processes.h"
#include "../lib/test.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

TEST(every_task_ends_once_and_gives_its_exit_status)
{
  struct hd_processes pool = {0};
  unsigned seen = 0;
  uint64_t task;
  int how;
  for (unsigned i = 0; i < 8; i++)
    if (!hd_processes_start(&pool, i)) {
      if (i == 5)
        raise(SIGKILL);
      _exit((int)i);
    }
  while (hd_processes_wait(&pool, -1, &task, &how)) {
    assert_false(seen >> task & 1);
    seen |= 1u << task;
    assert_int_equal(WIFSIGNALED(how), task == 5);
    assert_int_equal(task == 5 ? WTERMSIG(how) : WEXITSTATUS(how), task == 5 ? SIGKILL : (int)task);
  }
  assert_int_equal(seen, 0xff);
  assert_int_equal(pool.n, 0);
}

TEST(processes_of_others_are_not_waited_for)
{
  struct hd_processes pool = {0};
  uint64_t task;
  int how, ended = 0;
  pid_t stranger = fork();
  if (!stranger)
    _exit(7);
  for (unsigned i = 0; i < 3; i++)
    if (!hd_processes_start(&pool, i))
      for (;;)
        pause();
  assert_false(hd_processes_wait(&pool, 0, &task, &how));
  for (uint32_t i = 0; i < pool.n; i++)
    kill(pool.running[i].pid, SIGTERM);
  while (hd_processes_wait(&pool, -1, &task, &how)) {
    assert_true(WIFSIGNALED(how));
    ended++;
  }
  assert_int_equal(ended, 3);
  assert_int_equal(waitpid(stranger, &how, 0), stranger);
  assert_int_equal(WEXITSTATUS(how), 7);
}

TEST(starting_more_processes_than_the_limit_fails)
{
  struct hd_processes pool = {.n = HD_PROCESSES_MOST};
  assert_int_equal(hd_processes_start(&pool, 0), -1);
  assert_int_equal(errno, EAGAIN);
}

/* Runs in a separate process, because adopting orphans is a property of a process. */
TEST(orphaned_processes_are_killed)
{
  enum { COPIES = 3 };
  int how;
  pid_t watcher = fork();
  if (!watcher) {
    struct hd_spared spared = {0};
    hd_processes_adopt(&spared);
    pid_t parent = fork();
    if (!parent) {
      for (int i = 0; i < COPIES; i++)
        if (!fork())
          for (;;)
            pause();
      _exit(0);
    }
    waitpid(parent, NULL, 0);
    const unsigned n = hd_processes_end_adopted(&spared);
    _exit(waitpid(-1, NULL, 0) < 0 && errno == ECHILD ? (int)n : 100);
  }
  assert_int_equal(waitpid(watcher, &how, 0), watcher);
  assert_true(WIFEXITED(how));
  assert_int_equal(WEXITSTATUS(how), COPIES);
}

/* As when a shell starts a process and is then replaced by the command. */
TEST(processes_started_before_are_not_killed)
{
  int how;
  pid_t watcher = fork();
  if (!watcher) {
    const pid_t before = fork();
    if (!before)
      for (;;)
        pause();
    struct hd_spared spared = {0};
    hd_processes_adopt(&spared);
    if (!fork())
      for (;;)
        pause();
    const unsigned n = hd_processes_end_adopted(&spared);
    const bool goes_on = !waitpid(-1, NULL, WNOHANG) && !kill(before, SIGTERM) &&
                         waitpid(before, &how, 0) == before && WIFSIGNALED(how) &&
                         WTERMSIG(how) == SIGTERM;
    _exit(goes_on ? (int)n : 100);
  }
  assert_int_equal(waitpid(watcher, &how, 0), watcher);
  assert_true(WIFEXITED(how));
  assert_int_equal(WEXITSTATUS(how), 1);
}

/* The command waits for a process of a tool after it has ended the tool. */
TEST(processes_that_have_ended_do_not_count_as_orphans)
{
  int how;
  pid_t watcher = fork();
  if (!watcher) {
    struct hd_spared spared = {0};
    hd_processes_adopt(&spared);
    const pid_t parent = fork();
    if (!parent) {
      if (!fork())
        raise(SIGKILL);
      _exit(0);
    }
    siginfo_t ended;
    waitpid(parent, NULL, 0);
    waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT); /* it has ended, and is not reaped */
    _exit((int)hd_processes_end_adopted(&spared));
  }
  assert_int_equal(waitpid(watcher, &how, 0), watcher);
  assert_true(WIFEXITED(how));
  assert_int_equal(WEXITSTATUS(how), 0);
}
