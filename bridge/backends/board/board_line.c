/* Line to a board: a terminal, real or pseudo (specification §9.1), or another transport.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_line.h"

#include "board_speeds.h"
#include "board_transport.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

static int speed_of(unsigned baud, speed_t *speed, struct hd_error *err)
{
  static const struct {
    unsigned baud;
    speed_t speed;
  } known[] = {
#define SPEED(baud) {baud, B##baud},
      HD_BOARD_SPEEDS(SPEED)
#undef SPEED
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].baud == baud) {
      *speed = known[i].speed;
      return 0;
    }
  return hd_fail(err, HD_E_INPUT,
                 "no serial line has %u baud; usual are 115200, 1000000 and 3000000", baud);
}

int hd_board_line_check(unsigned baud, struct hd_error *err)
{
  speed_t speed;
  return speed_of(baud, &speed, err);
}

static int make_raw(int fd, const char *device, speed_t speed, struct hd_error *err)
{
  struct termios t;
  if (tcgetattr(fd, &t))
    return hd_fail(err, HD_E_IO, "%s is no serial device (%s)", device, strerror(errno));
  cfmakeraw(&t);
  t.c_cflag |= CLOCAL | CREAD;
  t.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
  t.c_cc[VMIN] = 0;
  t.c_cc[VTIME] = 0;
  if (cfsetispeed(&t, speed) || cfsetospeed(&t, speed) || tcsetattr(fd, TCSANOW, &t))
    return hd_fail(err, HD_E_IO, "%s cannot be set up as a serial line: %s", device,
                   strerror(errno));
  tcflush(fd, TCIOFLUSH);
  return 0;
}

int hd_board_line_open(struct hd_board_line *line, const char *device, unsigned baud,
                       struct hd_error *err)
{
  const struct hd_board_transport *transport = hd_board_transport_of(device);
  speed_t speed = B115200;
  *line = (struct hd_board_line){.fd = -1};
  if (transport)
    return transport->open(line, device + strlen(transport->prefix), err);
  int status = speed_of(baud, &speed, err);
  if (status)
    return status;
  int fd = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return hd_fail(err, HD_E_IO, "cannot open %s: %s%s", device, strerror(errno),
                   errno == EACCES ? " (its group is usually dialout)"
                                   : "; `heddle board list` shows the serial devices there are");
  if (flock(fd, LOCK_EX | LOCK_NB))
    status = hd_fail(err, HD_E_IO, "%s is in use by another heddle", device);
  if (!status)
    status = make_raw(fd, device, speed, err);
  if (status) {
    close(fd);
    return status;
  }
  line->fd = fd;
  const unsigned ms = hd_board_latency("/sys", device);
  line->latency_ms = ms > 1 ? ms : 0;
  return 0;
}

void hd_board_line_close(struct hd_board_line *line)
{
  if (line->fd >= 0)
    close(line->fd);
  line->fd = -1;
  hd_board_transport_end(line);
}

/* Waits until the line can be read (POLLIN) or written (POLLOUT). *ready is false if the time is
 * over. HD_E_IO when the device is gone. */
static int wait_for(struct hd_board_line *line, short what, int milliseconds, bool *ready,
                    struct hd_error *err)
{
  struct pollfd p = {.fd = line->fd, .events = what};
  *ready = false;
  if (line->fd < 0)
    return hd_fail(err, HD_E_IO, "the line is closed");
  int n = poll(&p, 1, milliseconds);
  if (n < 0 && errno != EINTR)
    return hd_fail(err, HD_E_IO, "the line failed: %s", strerror(errno));
  if (n > 0 && (p.revents & (POLLERR | POLLHUP | POLLNVAL)) && !(p.revents & what))
    return hd_fail(err, HD_E_IO, "the other end is gone");
  *ready = n > 0 && (p.revents & what);
  return 0;
}

/* Writes to a terminal or a socket. write() to a socket whose other end is closed would end this
 * process by SIGPIPE. */
static ssize_t write_some(int fd, const char *bytes, size_t n)
{
  const ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);
  return sent < 0 && errno == ENOTSOCK ? write(fd, bytes, n) : sent;
}

int hd_board_line_write(struct hd_board_line *line, const void *bytes, size_t n, int milliseconds,
                        struct hd_error *err)
{
  const char *at = bytes;
  while (n) {
    bool ready;
    int status = wait_for(line, POLLOUT, milliseconds, &ready, err);
    if (status)
      return status;
    if (!ready)
      return hd_fail(err, HD_E_IO, "the line has accepted no bytes for %.1f s",
                     milliseconds / 1000.0);
    ssize_t written = write_some(line->fd, at, n);
    if (written < 0 && errno != EAGAIN && errno != EINTR)
      return hd_fail(err, HD_E_IO, "the line failed: %s", strerror(errno));
    if (written > 0) {
      at += written;
      n -= (size_t)written;
    }
  }
  return 0;
}

int hd_board_line_read(struct hd_board_line *line, void *bytes, size_t size, int milliseconds,
                       size_t *n, struct hd_error *err)
{
  bool ready;
  *n = 0;
  int status = wait_for(line, POLLIN, milliseconds, &ready, err);
  if (status || !ready)
    return status;
  ssize_t got = read(line->fd, bytes, size);
  if (got < 0 && errno != EAGAIN && errno != EINTR)
    return hd_fail(err, HD_E_IO, "the line failed: %s", strerror(errno));
  if (got == 0)
    return hd_fail(err, HD_E_IO, "the other end is gone");
  *n = got > 0 ? (size_t)got : 0;
  return 0;
}
