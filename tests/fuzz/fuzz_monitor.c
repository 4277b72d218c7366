/* Fuzzes the monitor of a router: whatever its size and pins are, it answers with a sentence.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../bridge/watch/monitor_pins.h"
#include "fuzz.h"

struct bytes {
  const uint8_t *at;
  size_t left;
};

static unsigned next_byte(struct bytes *b)
{
  if (!b->left)
    return 0;
  b->left--;
  return *b->at++;
}

/* Mostly below `high`, which is legal; sometimes any number. */
static int next_value(struct bytes *b, unsigned low, unsigned high)
{
  const unsigned byte = next_byte(b);
  if (byte == 255)
    return (int)((unsigned)next_byte(b) << 24 | next_byte(b));
  return (int)(low + byte % (high - low + 1));
}

static void check_message_and_rule(void *pins)
{
  require(strlen(hd_pins_says(pins)) > 10);
  require(strlen(hd_pins_rule(pins)) <= 3);
}

static void cycle(void *pins, struct bytes *b, int ports)
{
  uint32_t data[32] = {0}, back[2][4] = {{0}};
  for (unsigned n = next_byte(b) % 8; n; n--) {
    const unsigned flags = next_byte(b);
    data[0] = next_byte(b) % 4;
    data[31] = next_byte(b) % 2;
    hd_pins_flit(pins, flags & 1,
                 next_value(b, 0, ports > 0 && ports < 17 ? (unsigned)ports - 1 : 3),
                 next_value(b, 0, 1), flags >> 1 & 1, flags >> 2 & 1, next_value(b, 0, 3), data);
  }
  const unsigned ready = next_byte(b);
  for (int i = 0; i < 8; i++)
    back[i / 4][i % 4] = ready & 1 ? UINT32_MAX : next_byte(b) * UINT32_C(0x01010101);
  const int status = hd_pins_cycle(pins, back[0], back[1]);
  require(status >= -1 && status <= 1);
  require(status != 1 || hd_pins_rule(pins)[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char *const links[] = {"ready", "credits", "onoff", "", "rdy"};
  static const char *const orders[] = {"",      "usual", "channels", "flows",
                                       "pairs", "none",  "networks"};
  struct bytes b = {data, size};
  const unsigned kind = next_byte(&b);
  const int ports = next_value(&b, 2, 5), vcs = next_value(&b, 1, 8), bits = next_value(&b, 1, 130);
  const int nodes = next_value(&b, 0, 4),
            depth = kind % 5 == 1 ? next_value(&b, 1, 5) : next_value(&b, 0, 0);
  const char *order = orders[next_byte(&b) % 7];
  const unsigned flags = next_byte(&b);
  void *pins = hd_pins_open(ports, vcs, bits, nodes, links[kind % 5], depth, next_value(&b, 0, 2),
                            order, next_value(&b, 0, 3), next_value(&b, 0, 3), next_value(&b, 0, 7),
                            flags & 1, flags >> 1 & 1, flags >> 2 & 1, NULL);
  require(pins != NULL);
  check_message_and_rule(pins);
  for (unsigned n = next_byte(&b) % 8; n; n--) {
    const int port = next_value(&b, 0, 4);
    hd_pins_route(pins, port == 4 ? -1 : port, next_value(&b, 0, 3), next_value(&b, 0, 31),
                  next_value(&b, 0, 3));
  }
  while (b.left) {
    const unsigned what = next_byte(&b);
    if (what == 253)
      hd_pins_unknown(pins, next_byte(&b) & 1, next_byte(&b) & 1, next_value(&b, 0, 3));
    else if (what == 254)
      hd_pins_reset(pins);
    else
      cycle(pins, &b, ports);
  }
  hd_pins_end(pins);
  check_message_and_rule(pins);
  hd_pins_close(pins);
  return 0;
}
