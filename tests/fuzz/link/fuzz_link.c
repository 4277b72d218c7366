/* Fuzzes what comes to a board: any bytes are answered by the RTL as by a board written from chapter 9.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An input is a list of actions: requests, most of them sound, on a line that damages some; raw bytes; lost
 * bytes; bytes while the board is busy. Each answer must be the other board's, byte for byte, and in
 * time; at the end both switches of both boards must still show the same.
 */
#include "../../unit/lib/soft_core.h"
#include "../../unit/lib/switch_set.h"
#include "link_rtl.h"
#include "../fuzz.h"

#include <stdio.h>

enum {
  FLAG = 0x7e,
  ESCAPE = 0x7d,
  WIRE = 2 + 2 * (SOFT_CONTENT + 4),
  BYTE_CLOCKS = 10,    /* of a byte; its CRC takes 8. Real lines take 40 at least */
  RUN_CYCLES = 600,    /* of one run at most: longer ones are not tried, as they say nothing new */
  TOTAL_CYCLES = 3000, /* of all runs of an input */
};

static const struct hd_switch_params k_params =
    SWITCH_SET(3, 2, 16, 2, 4, 1, 1, 0, 0, 0, 0, 0, 0, 0);

struct bytes {
  uint8_t at[WIRE];
  size_t n;
};

struct link {
  const uint8_t *data;
  size_t left;
  struct soft_core board;
  /* the frame that is coming in, §9.1 */
  uint8_t content[SOFT_CONTENT + 4];
  uint32_t length;
  bool escape, wrong, some, ignored;
  bool abandoned; /* a run would take too long */
  unsigned stall; /* the line takes a byte in one of so many clocks */
  uint32_t cycles;
  struct bytes busy; /* to be sent while the board is busy with the next request */
};

static void fail(const char *what, const struct bytes *wanted, const struct bytes *got)
{
  const struct bytes *const sides[] = {wanted, got};
  fprintf(stderr, "%s\n", what);
  for (int i = 0; i < 2; i++) {
    fprintf(stderr, "%s", i ? "RTL:   " : "wanted:");
    for (size_t k = 0; k < sides[i]->n; k++)
      fprintf(stderr, " %02x", sides[i]->at[k]);
    fprintf(stderr, "\n");
  }
  abort();
}

static unsigned next_byte(struct link *l)
{
  if (!l->left)
    return 0;
  l->left--;
  return *l->data++;
}

/* ── frames, §9.1 ───────────────────────────────────────────────────────────── */

static uint32_t crc_of(const uint8_t *bytes, size_t n)
{
  uint32_t crc = UINT32_MAX;
  for (size_t i = 0; i < n; i++) {
    crc ^= bytes[i];
    for (int k = 0; k < 8; k++)
      crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
  }
  return ~crc;
}

static void put_escaped(struct bytes *wire, uint8_t byte)
{
  bool special = byte == FLAG || byte == ESCAPE;
  if (special)
    wire->at[wire->n++] = ESCAPE;
  wire->at[wire->n++] = special ? byte ^ 0x20 : byte;
}

static void frame(struct bytes *wire, const uint8_t *content, size_t n)
{
  uint32_t crc = crc_of(content, n);
  wire->n = 0;
  wire->at[wire->n++] = FLAG;
  for (size_t i = 0; i < n; i++)
    put_escaped(wire, content[i]);
  for (unsigned i = 0; i < 4; i++)
    put_escaped(wire, (uint8_t)(crc >> 8 * i));
  wire->at[wire->n++] = FLAG;
}

/* ── the two boards ─────────────────────────────────────────────────────────── */

static void clock_one(struct link *l, unsigned event, struct bytes *got)
{
  l->stall = l->stall * 5 + 1;
  bool ready = l->stall >> 8 & 3;
  int byte = hd_link_clock(event, ready);
  if (byte >= 0 && got->n == WIRE)
    fail("the answer does not end", got, got);
  if (byte >= 0)
    got->at[got->n++] = (uint8_t)byte;
}

/* An event from the line, and the clocks until the next one. */
static void send_event(struct link *l, unsigned event, struct bytes *got)
{
  clock_one(l, event, got);
  for (int i = 1; i < BYTE_CLOCKS; i++)
    clock_one(l, HD_LINK_NONE, got);
}

/* Waits for the answer, with bytes from the line meanwhile, which the board must ignore. */
static void await_answer(struct link *l, struct bytes *got, uint32_t cycles)
{
  uint32_t clocks = 0, most = 20000 + 64 * cycles;
  for (size_t i = 0; hd_link_busy(); clocks++) {
    bool byte = i < l->busy.n && clocks % BYTE_CLOCKS == 0;
    clock_one(l, byte ? HD_LINK_BYTE | l->busy.at[i++] : HD_LINK_NONE, got);
    if (clocks > most)
      fail("the board hangs", got, got);
  }
  l->busy.n = 0;
}

/* Cycles of the run that content[n] asks for when it is carried out; 0: it is no run. */
static uint32_t run_cycles(const struct soft_core *b, const uint8_t *content, size_t n)
{
  struct soft_core after;
  uint32_t cycles = 0;
  if (content[1] != 4 || n < 6)
    return 0;
  after.params = b->params;
  after.switches = b->switches;
  memcpy(after.stimulus, b->stimulus, sizeof after.stimulus);
  if (soft_load(&after, true, content + 4, n - 4) == 5)
    return 0;
  for (uint32_t i = 0; i < SOFT_WORDS && after.stimulus[i] >> 12;) {
    int more = soft_words(&after, after.stimulus[i]);
    if (more < 0)
      break;
    if (after.stimulus[i] >> 12 == 1)
      cycles += after.stimulus[i] & 0xfff ? after.stimulus[i] & 0xfffu : 4096;
    i += 1 + (uint32_t)more;
  }
  return cycles;
}

/* A frame has ended: what must be answered goes to `wanted`. Returns cycles of its run. */
static uint32_t take_frame(struct link *l, struct bytes *wanted)
{
  uint8_t answer[SOFT_CONTENT];
  uint32_t n = l->length, crc = 0, cycles = 0;
  bool fresh, good = !l->wrong && !l->escape && n >= 8 && n <= sizeof l->content;
  for (uint32_t i = 0; good && i < 4; i++)
    crc |= (uint32_t)l->content[n - 4 + i] << 8 * i;
  good = good && crc == crc_of(l->content, n - 4);
  if (!l->some || l->ignored)
    return 0;
  if (!good) {
    l->board.counters.bad++;
    return 0;
  }
  cycles = run_cycles(&l->board, l->content, n - 4);
  l->cycles += cycles;
  if (cycles > RUN_CYCLES || l->cycles > TOTAL_CYCLES) {
    l->abandoned = true;
    return 0;
  }
  l->board.counters.good++;
  frame(wanted, answer, soft_core_request(&l->board, l->content, n - 4, answer, &fresh));
  return cycles;
}

/* A byte from the line to both boards, and the answers of both compared. */
static void send_byte(struct link *l, uint8_t byte)
{
  struct bytes wanted = {.n = 0}, got = {.n = 0};
  uint32_t cycles = 0;
  if (byte == FLAG) {
    cycles = take_frame(l, &wanted);
    if (l->abandoned)
      return;
    l->length = 0;
    l->escape = l->wrong = l->some = false;
    l->ignored = wanted.n != 0; /* the frame that this flag begins, too, §9.2 */
  } else {
    l->some = true;
    l->wrong |= l->escape && byte != 0x5e && byte != 0x5d;
    if (byte != ESCAPE) {
      if (l->length < sizeof l->content)
        l->content[l->length] = l->escape ? byte ^ 0x20 : byte;
      l->length += l->length <= sizeof l->content;
    }
    l->escape = byte == ESCAPE;
  }
  send_event(l, HD_LINK_BYTE | byte, &got);
  if (wanted.n)
    await_answer(l, &got, cycles);
  if (wanted.n != got.n || memcmp(wanted.at, got.at, got.n))
    fail("another answer", &wanted, &got);
}

static void lose_byte(struct link *l)
{
  struct bytes got = {.n = 0}, wanted = {.n = 0};
  l->board.counters.lost++;
  l->some = l->wrong = true;
  send_event(l, HD_LINK_LOST, &got);
  if (got.n)
    fail("an answer to a lost byte", &wanted, &got);
}

/* ── requests ───────────────────────────────────────────────────────────────── */

/* Words of a stimulus that is mostly sound. */
static size_t make_stimulus(struct link *l, uint8_t *payload, size_t at)
{
  uint32_t n = next_byte(l) % 40;
  for (uint32_t i = 0; i < n && at + 12 < SOFT_CONTENT - 4; i++) {
    unsigned a = next_byte(l), b = next_byte(l);
    uint16_t words[4] = {(uint16_t)(1 << 12 | (1 + b % 6))};
    size_t m = 1;
    switch (a % 8) {
    case 0:
    case 1: /* a flit; its data is a header to one of the nodes */
      words[0] = (uint16_t)(2 << 12 | b % 3 | (b >> 2 & 7) << 4 | (b >> 5 & 1) << 7);
      words[m++] = (uint16_t)((a >> 3 & 3) << 2 | next_byte(l) << 8);
      break;
    case 2:
      words[0] = (uint16_t)(3 << 12 | b % 3);
      words[m++] = (uint16_t)(b >> 2);
      break;
    case 3: /* a table's entry */
      words[0] = 4 << 12 | 1;
      words[m++] = (uint16_t)(b % 3 << 12 | (b >> 2 & 3));
      words[m++] = (uint16_t)(1 << 12 | (a >> 3 & 3) << 4 | (a >> 5) % 3);
      break;
    case 4:
      words[0] = 5 << 12;
      words[m++] = b % 10;
      break;
    case 5: /* anything */
      words[0] = (uint16_t)(a << 8 | b);
      break;
    default:
      break;
    }
    for (size_t k = 0; k < m; k++) {
      payload[at++] = (uint8_t)words[k];
      payload[at++] = (uint8_t)(words[k] >> 8);
    }
  }
  return at;
}

static size_t make_request(struct link *l, uint8_t *c)
{
  const struct soft_core *b = &l->board;
  unsigned how = next_byte(l), op = how % 8;
  size_t n = 4;
  c[0] = (uint8_t)((how >> 3 & 7) == 7 ? next_byte(l) : b->last_seq + !((how >> 3 & 7) == 6));
  c[1] = (uint8_t)(op == 7 ? next_byte(l) : op);
  c[2] = (uint8_t)b->epoch;
  c[3] = (uint8_t)(b->epoch >> 8);
  if (c[1] == 0) { /* a new epoch */
    c[2] = (uint8_t)next_byte(l);
    c[3] = (uint8_t)next_byte(l);
  } else if ((how >> 6) == 3) { /* another one, by a bit */
    unsigned bit = next_byte(l) % 16;
    c[2 + bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  if (c[1] == 2)
    c[n++] = (uint8_t)next_byte(l);
  if (c[1] == 3 || c[1] == 4) {
    c[n++] = (uint8_t)next_byte(l);
    c[n++] = (uint8_t)(next_byte(l) % (c[1] == 3 ? 3 : 256));
    n = make_stimulus(l, c, n);
    c[n++] = 0;
    c[n++] = 0;
  }
  if (c[1] == 5) {
    c[n++] = (uint8_t)next_byte(l);
    c[n++] = (uint8_t)(next_byte(l) % 3);
    c[n++] = (uint8_t)next_byte(l);
  }
  if (c[1] == 1 || (how >> 6) == 2)
    for (unsigned k = next_byte(l) % 64; k; k--)
      c[n++] = (uint8_t)next_byte(l);
  return n;
}

/* The frame of a request, on a line that may damage it. */
static void send_request(struct link *l, unsigned damage)
{
  uint8_t content[SOFT_CONTENT + 64];
  struct bytes wire;
  size_t n = make_request(l, content);
  if (n > SOFT_CONTENT)
    n = SOFT_CONTENT;
  frame(&wire, content, n);
  size_t place = damage ? (next_byte(l) | next_byte(l) << 8) % wire.n : 0;
  for (size_t i = 0; i < wire.n && !l->abandoned; i++) {
    bool here = damage && i == place;
    uint8_t byte = here && damage == 1 ? wire.at[i] ^ (uint8_t)(1 << next_byte(l) % 8) : wire.at[i];
    for (int copies = here && damage == 2 ? 0 : here && damage == 3 ? 2 : 1; copies; copies--)
      send_byte(l, byte);
  }
}

/* A sound request, which must be carried out whatever went before. */
static void send_sound(struct link *l, uint8_t op, const uint8_t *payload, size_t size)
{
  uint8_t content[SOFT_CONTENT] = {(uint8_t)(l->board.last_seq + 1), op, (uint8_t)l->board.epoch,
                                   (uint8_t)(l->board.epoch >> 8)};
  struct bytes wire;
  uint32_t done = l->board.counters.done;
  if (size)
    memcpy(content + 4, payload, size);
  frame(&wire, content, 4 + size);
  for (size_t i = 0; i < wire.n; i++)
    send_byte(l, wire.at[i]);
  if (l->board.counters.done != done + 1)
    fail("a sound request was not carried out", &wire, &wire);
}

static void do_random_action(struct link *l)
{
  unsigned what = next_byte(l);
  switch (what % 8) {
  case 4: /* anything */
    for (unsigned n = 1 + next_byte(l) % 32; n && !l->abandoned; n--)
      send_byte(l, (uint8_t)next_byte(l));
    return;
  case 5:
    lose_byte(l);
    return;
  case 6: /* while the board is busy with what follows; fewer than it needs clocks for */
    l->busy.n = 0;
    for (unsigned n = next_byte(l) % 4; n; n--)
      l->busy.at[l->busy.n++] = (uint8_t)next_byte(l);
    return;
  default:
    send_request(l, what % 8 == 7 ? 1 + (what >> 3) % 3 : 0);
  }
}

/* Requests that were refused or bad must have changed nothing: neither the switches nor the counters. */
static void check_all(struct link *l)
{
  static const uint8_t run[] = {0, 1, 24, 0x10, 0, 0x50, 8, 0, 1, 0x10, 0, 0};
  uint8_t of_switch[sizeof run];
  l->cycles = 0;
  for (uint8_t sw = 0; sw < 2; sw++) {
    memcpy(of_switch, run, sizeof run);
    of_switch[0] = sw;
    send_sound(l, 4, of_switch, sizeof run);
  }
  send_sound(l, 6, NULL, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static struct link l;
  memset(&l, 0, sizeof l);
  l.data = data;
  l.left = size;
  l.board.params = k_params;
  l.board.switches = 2;
  soft_core_begin(&l.board);
  hd_link_begin();
  while (l.left && !l.abandoned)
    do_random_action(&l);
  l.busy.n = 0;
  if (!l.abandoned)
    send_byte(&l, FLAG); /* ends what was begun */
  if (!l.abandoned)
    check_all(&l);
  hd_link_end();
  soft_core_end(&l.board);
  return 0;
}
