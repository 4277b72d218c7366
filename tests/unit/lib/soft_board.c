/* A board in software (soft_core.h) behind a pseudo-terminal, for tests of the host.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soft_board.h"

static uint32_t soft_random(struct soft_board *b, uint32_t n)
{
  b->rnd += UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(hd_mix64(b->rnd) >> 33) % n;
}

static void soft_plug(struct soft_board *b)
{
  char name[64];
  struct termios t;
  if (openpty(&b->master, &b->slave, name, NULL, NULL))
    abort();
  tcgetattr(b->slave, &t);
  cfmakeraw(&t);
  tcsetattr(b->slave, TCSANOW, &t);
  fcntl(b->master, F_SETFL, O_NONBLOCK);
  unlink(b->path);
  if (symlink(name, b->path))
    abort();
}

static void soft_unplug(struct soft_board *b)
{
  unlink(b->path);
  close(b->slave);
  close(b->master);
  b->unplugged++;
}

static bool soft_off_speed(const struct soft_board *b)
{
  struct termios t;
  return b->speed && !tcgetattr(b->slave, &t) && cfgetospeed(&t) != b->speed;
}

static void soft_send(struct soft_board *b, const uint8_t *content, size_t n)
{
  uint8_t wire[HD_FRAME_WIRE];
  size_t length = hd_frame_put(wire, content, n);
  for (size_t i = 0; i < length; i++) {
    uint8_t byte = (uint8_t)(wire[i] ^ (b->garbled ? 0x55 : 0));
    if (soft_random(b, 1000000) < b->flipped)
      byte ^= (uint8_t)(1 << soft_random(b, 8));
    int copies = soft_random(b, 1000000) < b->dropped   ? 0
                 : soft_random(b, 1000000) < b->doubled ? 2
                                                        : 1;
    while (copies--)
      while (write(b->master, &byte, 1) != 1 && !b->stop)
        usleep(100);
  }
}

/* Sends answers and refusals that have the right number but answer another host's request. */
static void soft_send_stale(struct soft_board *b, const uint8_t *answer, size_t length)
{
  uint8_t content[SOFT_CONTENT];
  memcpy(content, answer, length);
  content[2] ^= 0x55;
  for (size_t i = 4; i < length; i++)
    content[i] ^= 0xff;
  soft_send(b, content, length);
  const uint8_t refusals[][5] = {{answer[0], 0xff, answer[2], answer[3], 3},
                                 {answer[0], 0xff, content[2], content[3], 6},
                                 {answer[0], 0xff, content[2], content[3], 2}};
  for (size_t i = 0; i < 3; i++)
    soft_send(b, refusals[i], sizeof *refusals);
}

static void soft_request(struct soft_board *b, const uint8_t *c, size_t n)
{
  uint8_t answer[SOFT_CONTENT];
  bool fresh;
  size_t length = soft_core_request(&b->core, c, n, answer, &fresh);
  unsigned done = fresh ? ++b->carried_out : 0;
  if (fresh && b->unplug_every && done % b->unplug_every == 0) {
    soft_unplug(b); /* with the answer on its way */
    if (b->unplug_for_good) {
      b->master = b->slave = -1;
      return;
    }
    usleep(20000);
    soft_plug(b);
    return;
  }
  if (b->stale)
    soft_send_stale(b, answer, length);
  answer[2] ^= b->wrong_epoch;
  soft_send(b, answer, length);
  if (fresh && b->forget_at && done == b->forget_at) {
    soft_core_begin(&b->core);
    b->forget_at *= 3;
    b->forgot++;
  }
}

void *soft_play(void *context)
{
  struct soft_board *b = context;
  struct hd_frame_reader reader = {.length = 0};
  while (!b->stop) {
    struct pollfd p = {.fd = b->master, .events = POLLIN};
    uint8_t byte;
    if (poll(&p, 1, 20) <= 0 || read(b->master, &byte, 1) != 1)
      continue;
    if (soft_random(b, 1000000) < b->dropped)
      continue;
    if (soft_off_speed(b))
      byte ^= 0x55;
    if (soft_random(b, 1000000) < b->flipped)
      byte ^= (uint8_t)(1 << soft_random(b, 8));
    size_t n;
    for (int k = soft_random(b, 1000000) < b->doubled ? 2 : 1; k; k--)
      if (hd_frame_take(&reader, byte, &n)) {
        uint8_t content[HD_FRAME_CONTENT];
        memcpy(content, reader.content, n);
        soft_request(b, content, n);
      }
  }
  return NULL;
}

void soft_begin(struct soft_board *b)
{
  static atomic_uint number;
  snprintf(b->path, sizeof b->path, "/tmp/hd-soft-board-%d-%u", (int)getpid(), number++);
  b->core = (struct soft_core){.params = b->params,
                               .switches = b->switches,
                               .build = b->build,
                               .lie_switch = b->lie_switch,
                               .lie_cycle = b->lie_cycle,
                               .lie_once = b->lie_once,
                               .wrong = b->wrong,
                               .wrong_register = b->wrong_register,
                               .wrong_value = b->wrong_value,
                               .missigns = b->missigns,
                               .missigns_above = b->missigns_above,
                               .misrecords = b->misrecords};
  soft_core_begin(&b->core);
  soft_plug(b);
  b->stop = false;
  if (pthread_create(&b->thread, NULL, soft_play, b))
    abort();
}

void soft_end(struct soft_board *b)
{
  b->stop = true;
  pthread_join(b->thread, NULL);
  close(b->master);
  close(b->slave);
  unlink(b->path);
  soft_core_end(&b->core);
}
