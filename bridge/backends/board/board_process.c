/* Starts and stops the process of a virtual board.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Reads the path of the device, which the process prints. */
static int read_path(int fd, char *device, size_t size, struct hd_error *err)
{
  size_t n = 0;
  while (n + 1 < size) {
    ssize_t got = read(fd, device + n, 1);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return hd_fail(err, HD_E_TOOL, "the virtual board ended before it named its line");
    if (device[n] == '\n') {
      device[n] = '\0';
      return 0;
    }
    n++;
  }
  return hd_fail(err, HD_E_TOOL, "the virtual board's line has too long a name");
}

/* Starts a virtual board. Its standard input is a pipe whose other end only this process holds, so
 * that the board ends with this process. */
int hd_board_process_start(struct hd_board_process *process, const char *path, unsigned baud,
                           char *device, size_t size, struct hd_error *err)
{
  int in[2], out[2];
  char speed[16];
  char *argv[] = {(char *)(uintptr_t)path, speed, NULL};
  snprintf(speed, sizeof speed, "%u", baud);
  posix_spawn_file_actions_t actions;
  *process = (struct hd_board_process){0};
  if (pipe2(in, O_CLOEXEC))
    return hd_fail(err, HD_E_IO, "no pipe to the virtual board: %s", strerror(errno));
  if (pipe2(out, O_CLOEXEC)) {
    close(in[0]);
    close(in[1]);
    return hd_fail(err, HD_E_IO, "no pipe to the virtual board: %s", strerror(errno));
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  /* A process group of its own: Ctrl-C ends heddle, which then stops the board. No blocked signals:
   * SIGTERM must end the board even if this thread blocks it. */
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  int failed = posix_spawn(&process->pid, path, &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  int status = failed ? hd_fail(err, HD_E_TOOL, "cannot start %s: %s", path, strerror(failed))
                      : read_path(out[0], device, size, err);
  close(out[0]);
  process->in = in[1];
  if (failed)
    process->pid = 0;
  if (status) {
    if (failed)
      close(in[1]);
    hd_board_process_stop(process);
  }
  return status;
}

void hd_board_process_stop(struct hd_board_process *process)
{
  if (process->pid <= 0)
    return;
  close(process->in);
  kill(process->pid, SIGTERM);
  while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  process->pid = 0;
}
