/* Turns for a slot: no source waits for ever (specification §8.4, §8.5).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inputs 0, 1, 2 and 4, in all combinations, have messages for output 3 without end, and the table
 * has a release for the member there, again and again. Barrier credits come back to output 3 at
 * every pace, so that the slot is empty in step with some of the sources.
 */
#include "../lib/barrier_rig.h"
#include "../lib/test.h"

enum { PORTS = 5, OUTPUT = 3, SELF = 1, GROUP = 3, CYCLES = 1500, TABLE = PORTS };

/* Returns the longest wait in cycles. Sources that wait for the slot get it in turn, and so do messages of the
 * member's input. With some sources idle that is within 4 (PORTS + 1) steps of two cycles. */
static uint64_t longest_wait(unsigned inputs)
{
  unsigned waiting = (unsigned)__builtin_popcount(inputs) + 1, sources = waiting + 1;
  uint64_t few = 2 * 4 * (PORTS + 1), all = UINT64_C(2) * waiting * sources;
  return waiting < PORTS && all > few ? few : all;
}

struct supply {
  unsigned inputs; /* that have messages */
  unsigned pace;   /* cycles from one barrier credit to the next */
  bool any_way;    /* or the first one */
};

static uint32_t message_of(const struct supply *s, unsigned port)
{
  if (port == OUTPUT)
    return hd_barrier_local(HD_REDUCE, GROUP);
  return hd_barrier_message(s->any_way ? HD_REDUCE : HD_INITIAL_REDUCE, s->any_way ? 0 : 2, 9, 2,
                            port);
}

static void open_output(struct rig *r, unsigned data_bits)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_ANY);
  p.ports = PORTS;
  p.data_bits = data_bits;
  rig_open(r, &p);
  configure(r, HD_CFG_SELF, SELF);
  configure(r, HD_CFG_BARRIER_WAY(2), 1u << OUTPUT);
  configure(r, HD_CFG_CENTER, SELF);
  configure(r, HD_CFG_LOCAL, 1u << OUTPUT);
  configure(r, HD_CFG_OPEN, GROUP);
}

/* A sender that keeps its queue full. */
static void send_message_flits(struct rig *r, unsigned port, uint32_t message, unsigned *room,
                               bool *half)
{
  bool two = hd_barrier_flits(&r->params) == 2;
  if (*half) {
    set_flit(r, port, 0, HD_KIND_BARRIER_LAST, message >> 16);
    *half = false;
  } else if (*room) {
    (*room)--;
    set_flit(r, port, 0, two ? HD_KIND_BARRIER : HD_KIND_BARRIER_LAST,
             two ? message & 0xffff : message);
    *half = two;
  }
}

/* Returns the longest that a source was not served. */
static uint64_t longest(const struct supply *s, unsigned data_bits)
{
  CLEANUP(rig_close) struct rig r;
  open_output(&r, data_bits);
  unsigned room[PORTS], wanted = s->inputs | 1u << TABLE;
  bool half[PORTS] = {false};
  uint64_t last[PORTS + 1], worst = 0, start = r.cycle, from = r.cycle, message;
  for (unsigned port = 0; port < PORTS; port++)
    room[port] = HD_BARRIER_QUEUE;
  for (unsigned source = 0; source <= PORTS; source++)
    last[source] = start + 8;
  uint32_t credits = r.n_credits;
  while (r.cycle < start + CYCLES) {
    for (unsigned port = 0; port < PORTS; port++)
      if ((s->inputs | 1u << OUTPUT) >> port & 1)
        send_message_flits(&r, port, message_of(s, port), &room[port], &half[port]);
    if (r.cycle % s->pace == 0 && view_of(&r).barrier[OUTPUT].barrier_credit < HD_BARRIER_QUEUE)
      r.pins[OUTPUT].credits = 1u << HD_BARRIER_CREDIT;
    tick(&r);
    unsigned served = 0;
    for (; credits < r.n_credits; credits++) {
      room[r.credits[credits].port]++;
      served |= 1u << r.credits[credits].port;
    }
    if (next_message(&r, &from, OUTPUT, &message) &&
        message == hd_barrier_local(HD_DISTRIBUTE, GROUP))
      served |= 1u << TABLE;
    for (unsigned source = 0; source <= PORTS; source++) {
      if (served >> source & 1)
        last[source] = r.cycle;
      if ((wanted >> source & 1) && r.cycle > last[source] && r.cycle - last[source] > worst)
        worst = r.cycle - last[source];
    }
  }
  assert_int_equal(errors_of(&r), 0);
  return worst;
}

TEST(no_source_starves)
{
  uint64_t worst = 0;
  unsigned runs = 0;
  for (unsigned all = 0; all < 32 * 6 * 2 * 2; all++) {
    struct supply s = {.inputs = all & 31, .pace = 1 + all / 32 % 6, .any_way = all / 192 % 2};
    unsigned data_bits = all / 384 ? 32 : 16;
    if (!s.inputs || (s.inputs >> OUTPUT & 1)) /* nobody else waits; the member's own input */
      continue;
    uint64_t found = longest(&s, data_bits);
    if (found > longest_wait(s.inputs))
      fail_msg("inputs 0x%x, a credit in %u cycles, %s way, %u bits: a source waits %llu cycles",
               s.inputs, s.pace, s.any_way ? "any" : "first", data_bits, (unsigned long long)found);
    worst = found > worst ? found : worst;
    runs++;
  }
  printf("%u runs; nobody waits more than %llu cycles\n", runs, (unsigned long long)worst);
  assert_int_equal(runs, 15 * 6 * 2 * 2);
}
