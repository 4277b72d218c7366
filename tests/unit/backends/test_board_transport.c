/* A board's line over TCP, and through a program; the latency timer of an FTDI chip.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The board is soft_board.h's, whose terminal is behind the other transport.
 */
#include "../../../bridge/backends/board/board_check.h"
#include "../../../bridge/backends/board/board_transport.h"
#include "../lib/soft_board.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>

static const struct hd_switch_params usual = SWITCH_SET(5, 2, 16, 4, 16, 1, 1, 0, 0, 0, 0, 1, 3, 6);

/* Checks the line by an exchange of hello, and by echoes of bytes of all values. */
static void assert_check_passes(const char *device)
{
  CLEANUP(hd_board_check_fini)
  struct hd_board_check check = {.device = device,
                                 .baud = 3000000,
                                 .seed = 1,
                                 .echoes = 8,
                                 .link = {.line.fd = -1, .patience_ms = 60000}};
  if (hd_board_check_link(&check, &why) || hd_board_check_echo(&check, &why))
    fail_msg("%s: %s", device, why.text);
  assert_non_null(strstr(check.found, "8 frames of 500 bytes there and back"));
}

TEST(a_board_is_reached_through_a_program)
{
  CLEANUP(soft_end) struct soft_board b = {.params = usual, .switches = 2, .rnd = 1};
  char device[400];
  soft_begin(&b);
  snprintf(device, sizeof device, "pipe:stty -F %s raw -echo; cat %s & exec cat > %s", b.path,
           b.path, b.path);
  assert_check_passes(device);
}

/* ── TCP ──────────────────────────────────────────────────────────────────── */

struct bridge {
  const char *path; /* of the terminal */
  int listener;
};

static bool copy_bytes(int from, int to)
{
  char bytes[4096];
  const ssize_t n = read(from, bytes, sizeof bytes);
  for (ssize_t at = 0; at < n;) {
    const ssize_t written = write(to, bytes + at, (size_t)(n - at));
    if (written < 0)
      return false;
    at += written;
  }
  return n > 0;
}

/* Copies bytes between one connection and the terminal, until the connection ends. */
static void *bridge_run(void *context)
{
  const struct bridge *bridge = context;
  const int socket = accept(bridge->listener, NULL, NULL);
  const int terminal = open(bridge->path, O_RDWR | O_NOCTTY);
  struct termios t;
  tcgetattr(terminal, &t);
  cfmakeraw(&t);
  tcsetattr(terminal, TCSANOW, &t);
  for (bool on = true; on;) {
    struct pollfd p[2] = {{socket, POLLIN, 0}, {terminal, POLLIN, 0}};
    if (poll(p, 2, -1) < 0)
      break;
    if (p[0].revents)
      on = copy_bytes(socket, terminal);
    if (on && p[1].revents)
      on = copy_bytes(terminal, socket);
  }
  close(terminal);
  close(socket);
  return NULL;
}

TEST(a_board_is_reached_over_tcp)
{
  CLEANUP(soft_end) struct soft_board b = {.params = usual, .switches = 2, .rnd = 1};
  struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof any;
  pthread_t thread;
  char device[40];
  soft_begin(&b);
  struct bridge bridge = {.path = b.path, .listener = socket(AF_INET, SOCK_STREAM, 0)};
  assert_int_equal(bind(bridge.listener, (struct sockaddr *)&any, sizeof any), 0);
  assert_int_equal(listen(bridge.listener, 1), 0);
  assert_int_equal(getsockname(bridge.listener, (struct sockaddr *)&any, &length), 0);
  assert_int_equal(pthread_create(&thread, NULL, bridge_run, &bridge), 0);
  snprintf(device, sizeof device, "tcp:127.0.0.1:%u", ntohs(any.sin_port));
  assert_check_passes(device);
  pthread_join(thread, NULL);
  close(bridge.listener);
}

TEST(a_line_that_cannot_be_opened_is_named)
{
  static const struct {
    const char *device, *expected_message;
    int status;
  } cases[] = {{"tcp:localhost", "must be tcp:HOST:PORT", HD_E_INPUT},
               {"tcp::4000", "must be tcp:HOST:PORT", HD_E_INPUT},
               {"tcp:127.0.0.1:1", "cannot connect to tcp:127.0.0.1:1: ", HD_E_IO},
               {"pipe:", "needs a command", HD_E_INPUT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_board_line line = {.fd = -1};
    struct hd_error err = {.text = ""};
    assert_int_equal(hd_board_line_open(&line, cases[i].device, 115200, &err), cases[i].status);
    if (!strstr(err.text, cases[i].expected_message))
      fail_msg("%s: %s", cases[i].device, err.text);
  }
}

/* ── FTDI's latency timer ─────────────────────────────────────────────────── */

TEST(the_latency_timer_of_an_ftdi_chip_is_set)
{
  char root[] = "/tmp/hd-latency-XXXXXX", path[200], device[100], text[8] = "";
  assert_non_null(mkdtemp(root));
  snprintf(device, sizeof device, "%s/ttyUSB7", root);
  close(open(device, O_CREAT | O_WRONLY, 0600));
  assert_int_equal(hd_board_latency(root, device), 0);
  snprintf(path, sizeof path, "mkdir -p %s/bus/usb-serial/devices/ttyUSB7", root);
  assert_int_equal(system(path), 0);
  snprintf(path, sizeof path, "%s/bus/usb-serial/devices/ttyUSB7/latency_timer", root);
  FILE *file = fopen(path, "w");
  fputs("16\n", file);
  fclose(file);
  assert_int_equal(hd_board_latency(root, device), 1);
  file = fopen(path, "r");
  assert_non_null(fgets(text, sizeof text, file));
  fclose(file);
  assert_string_equal(text, "1\n");
  assert_int_equal(hd_board_latency(root, "/dev/hd-not-there"), 0);
  snprintf(path, sizeof path, "rm -r %s", root);
  assert_int_equal(system(path), 0);
}
