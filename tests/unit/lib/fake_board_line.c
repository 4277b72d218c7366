/* A bad line between a host and a board: bytes are lost, flipped, doubled, delayed, and the device vanishes.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fake_board_line.h"

static bool board_line_chance(struct board_line *l, uint32_t per_million)
{
  l->rnd += UINT64_C(0x9e3779b97f4a7c15);
  bool hit = (hd_mix64(l->rnd) >> 33) % 1000000 < per_million;
  l->damaged += hit;
  return hit;
}

static void board_line_raw(int fd)
{
  struct termios t;
  tcgetattr(fd, &t);
  cfmakeraw(&t);
  tcsetattr(fd, TCSANOW, &t);
}

static void board_line_put(struct board_line *l, int to, uint8_t byte)
{
  int copies = board_line_chance(l, l->dropped) ? 0 : board_line_chance(l, l->doubled) ? 2 : 1;
  if (board_line_chance(l, l->flipped))
    byte ^= (uint8_t)(1 << (l->rnd >> 20 & 7));
  if (board_line_chance(l, l->delayed))
    usleep(20000 +
           (useconds_t)(l->rnd >> 30 & 0x1ffff)); /* 20 to 150 ms: often more than patience */
  while (copies-- && !l->stop)
    while (write(to, &byte, 1) != 1 && !l->stop)
      usleep(100);
}

static void *board_line_play(void *context)
{
  struct board_line *l = context;
  while (!l->stop) {
    struct pollfd p[2] = {{.fd = l->master, .events = POLLIN}, {.fd = l->board, .events = POLLIN}};
    if (poll(p, 2, 20) <= 0)
      continue;
    for (int i = 0; i < 2; i++) {
      uint8_t bytes[64];
      ssize_t n = p[i].revents & POLLIN ? read(p[i].fd, bytes, sizeof bytes) : 0;
      for (ssize_t k = 0; k < n; k++) {
        l->bytes++;
        if (l->gone_after && l->bytes >= l->gone_after) {
          unlink(l->path);
          close(l->slave);
          close(l->master);
          l->slave = l->master = -1;
          return NULL;
        }
        board_line_put(l, i ? l->master : l->board, bytes[k]);
      }
    }
  }
  return NULL;
}

void board_line_begin(struct board_line *l, const char *board)
{
  static atomic_uint number;
  char name[64];
  l->rnd = l->seed;
  snprintf(l->path, sizeof l->path, "/tmp/hd-board-line-%d-%u", (int)getpid(), number++);
  l->board = open(board, O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (l->board < 0 || openpty(&l->master, &l->slave, name, NULL, NULL) || symlink(name, l->path))
    abort();
  board_line_raw(l->board);
  board_line_raw(l->slave);
  fcntl(l->master, F_SETFL, O_NONBLOCK);
  if (pthread_create(&l->thread, NULL, board_line_play, l))
    abort();
}

void board_line_end(struct board_line *l)
{
  l->stop = true;
  pthread_join(l->thread, NULL);
  if (l->master >= 0) {
    close(l->master);
    close(l->slave);
  }
  unlink(l->path);
  close(l->board);
}
