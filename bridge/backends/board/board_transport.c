/* Transports of a board's bytes other than a serial line, and the latency timer of serial lines.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_transport.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ── tcp:HOST:PORT ──────────────────────────────────────────────────────────── */

enum { CONNECT_SECONDS = 5 };

static int connect_to(const struct addrinfo *a)
{
  const struct timeval limit = {.tv_sec = CONNECT_SECONDS};
  const int one = 1;
  const int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
  if (fd < 0)
    return -1;
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(fd, a->ai_addr, a->ai_addrlen) || fcntl(fd, F_SETFL, O_NONBLOCK)) {
    const int why = errno;
    close(fd);
    errno = why;
    return -1;
  }
  return fd;
}

static int open_tcp(struct hd_board_line *line, const char *rest, struct hd_error *err)
{
  static const struct addrinfo stream = {.ai_socktype = SOCK_STREAM};
  const char *colon = strrchr(rest, ':');
  struct addrinfo *list = NULL;
  char host[256];
  if (!colon || colon == rest || !colon[1] || (size_t)(colon - rest) >= sizeof host)
    return hd_fail(err, HD_E_INPUT, "tcp:%.200s: must be tcp:HOST:PORT, as tcp:localhost:4000",
                   rest);
  memcpy(host, rest, (size_t)(colon - rest));
  host[colon - rest] = '\0';
  const int failed = getaddrinfo(host, colon + 1, &stream, &list);
  if (failed)
    return hd_fail(err, HD_E_IO, "tcp:%.200s: %s; must be tcp:HOST:PORT, as tcp:localhost:4000",
                   rest, gai_strerror(failed));
  for (const struct addrinfo *a = list; a && line->fd < 0; a = a->ai_next)
    line->fd = connect_to(a);
  const int why = errno;
  freeaddrinfo(list);
  if (line->fd < 0)
    return hd_fail(
        err, HD_E_IO,
        "cannot connect to tcp:%.200s: %s; is the program or bridge that has the board running "
        "there?",
        rest, strerror(why));
  return 0;
}

/* ── pipe:COMMAND ───────────────────────────────────────────────────────────── */

static int spawn_command(struct hd_board_line *line, const char *command, int end)
{
  char shell[] = "sh", option[] = "-c";
  char *argv[] = {shell, option, (char *)(uintptr_t)command, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  sigemptyset(&none);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  const int failed = posix_spawn(&line->pid, "/bin/sh", &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

static int open_pipe(struct hd_board_line *line, const char *rest, struct hd_error *err)
{
  int ends[2];
  if (!*rest)
    return hd_fail(err, HD_E_INPUT, "pipe: needs a command, as pipe:ssh lab socat - /dev/ttyUSB1");
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    return hd_fail(err, HD_E_IO, "cannot make a pipe to %.200s: %s", rest, strerror(errno));
  const int failed = spawn_command(line, rest, ends[1]);
  close(ends[1]);
  if (failed) {
    line->pid = 0;
    close(ends[0]);
    return hd_fail(err, HD_E_TOOL, "cannot start %.200s: %s", rest, strerror(failed));
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  line->fd = ends[0];
  return 0;
}

void hd_board_transport_end(struct hd_board_line *line)
{
  if (line->pid <= 0)
    return;
  kill(-line->pid, SIGTERM);
  while (waitpid(line->pid, NULL, 0) < 0 && errno == EINTR)
    continue;
  line->pid = 0;
}

bool hd_board_transport_ended(const struct hd_board_line *line, const char *device,
                              struct hd_error *err)
{
  enum { MOMENT_MS = 200, STEP_MS = 10 };
  siginfo_t info = {.si_pid = 0};
  for (int ms = 0; line->pid > 0 && ms < MOMENT_MS && !info.si_pid; ms += STEP_MS) {
    if (waitid(P_PID, (id_t)line->pid, &info, WEXITED | WNOHANG | WNOWAIT))
      return false;
    if (!info.si_pid)
      usleep(STEP_MS * 1000);
  }
  if (!info.si_pid)
    return false;
  hd_fail(err, HD_E_IO,
          "%.200s: the command ended (%s %d) before a board answered; try it in a shell: its input "
          "and output must be the line to the board",
          device, info.si_code == CLD_EXITED ? "exit code" : "signal", info.si_status);
  return true;
}

/* ── list of transports ─────────────────────────────────────────────────────── */

const struct hd_board_transport *hd_board_transport_of(const char *device)
{
  static const struct hd_board_transport all[] = {
      {"tcp:", "HOST:PORT", open_tcp},
      {"pipe:", "COMMAND, whose input and output are the line", open_pipe},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strncmp(device, all[i].prefix, strlen(all[i].prefix)))
      return &all[i];
  return NULL;
}

/* ── FTDI's latency timer ───────────────────────────────────────────────────── */

static unsigned read_timer(const char *path)
{
  unsigned ms = 0;
  FILE *file = fopen(path, "re");
  if (file && fscanf(file, "%u", &ms) != 1)
    ms = 0;
  if (file)
    fclose(file);
  return ms;
}

unsigned hd_board_latency(const char *sys, const char *device)
{
  char real[PATH_MAX], path[2 * PATH_MAX];
  const char *name = realpath(device, real) ? strrchr(real, '/') : NULL;
  if (!name)
    return 0;
  snprintf(path, sizeof path, "%s/bus/usb-serial/devices%s/latency_timer", sys, name);
  const unsigned before = read_timer(path);
  FILE *file = before > 1 ? fopen(path, "r+e") : NULL;
  if (!file)
    return before;
  fputs("1\n", file);
  fclose(file);
  return read_timer(path);
}
