/* The cycle of a plain switch (specification §2.4, §2.5). For cmodel/switch/ and cmodel/fabric/ alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A plain switch has only what chapter 2 describes, allocates in one cycle and has at most 64 channels. Most switches
 * of most fabrics are plain, so this cycle decides how fast the model is. So a set of channels is one word here, which
 * stays in a register, and the outputs go to two functions that are inlined.
 */
#ifndef HD_SWITCH_PLAIN_H
#define HD_SWITCH_PLAIN_H

#include "switch_queue_head.h"
#include "switch_grants.h"

#include <string.h>

/** Functions that take the outputs of a cycle: a flit that output `output` sends; the slots that input `port` gives
 *  back. Outputs come in ascending order, then the inputs. */
typedef void plain_send(void *to, unsigned output, struct granted flit);
typedef void plain_give(void *to, unsigned port, unsigned vcs);

/** Tells the processor to fetch the memory that the next cycle of a switch needs, while another switch has its cycle:
 *  all of it for up to five ports with two channels. The switches of a fabric do not fit into a first-level cache. */
INLINED void plain_prefetch(const struct hd_switch *sw)
{
  const char *const state = (const char *)sw, *const channels = (const char *)sw->channels;
  __builtin_prefetch(state);
  __builtin_prefetch(state + 64);
  __builtin_prefetch(state + 128);
  __builtin_prefetch(state + 192);
  __builtin_prefetch(state + 256);
  __builtin_prefetch(channels);
  __builtin_prefetch(channels + 64);
  __builtin_prefetch(channels + 128);
  __builtin_prefetch(channels + 192);
}

/* Runs a cycle with one front: there is nothing to choose. Returns 1 if it is blocked. */
INLINED unsigned plain_single(struct hd_switch *sw, uint64_t cycle, unsigned place, void *to,
                              plain_send *send, plain_give *give)
{
  const struct channel *ch = &sw->channels[place];
  const struct request asked = asks(sw, ch, false);
  sw->popped.word[0] = 0;
  sw->pop_cycle = cycle;
  if (__builtin_expect(!asked.lanes, 0)) {
    hd_switch_discard(sw, cycle, place);
  } else {
    const uint64_t lanes = asked.lanes & can_have(sw, asked.port, ch->state, NULL);
    if (!lanes)
      return 1;
    const struct granted flit = grant(sw, cycle, place, asked.port, lanes, false, false);
    pop(sw, cycle, place, false);
    switch_quiet_not_before(sw, cycle + 2 + sw->flit_delay);
    send(to, asked.port, flit);
  }
  give(to, switch_port_of(sw, place), 1u << switch_vc_of(sw, place));
  return 0;
}

/* Runs a cycle with several fronts. Returns how many of them are blocked. */
INLINED unsigned plain_several(struct hd_switch *sw, uint64_t cycle, uint64_t fronts, void *to,
                               plain_send *send, plain_give *give, bool covered)
{
  uint64_t lanes[64], eligible = 0, popped = 0, drained = 0;
  uint8_t wanted[64];            /* outputs, by switch_place */
  uint8_t picked[HD_MAX_PORTS];  /* switch_places, by input port */
  uint16_t inputs[HD_MAX_PORTS]; /* sets of inputs, by output port */
  const unsigned vc_bits = sw->vc_bits;
  const uint64_t routing = sw->due[(cycle + 1) % DUE_SLOTS].word[0],
                 routing_two = sw->due[(cycle + 2) % DUE_SLOTS].word[0];
  unsigned waiting = 0, outputs = 0, sent = 0, discards = 0,
           before = covered ? granted_before(sw, cycle) : 0;
  sw->popped.word[0] = 0;
  sw->pop_cycle = cycle;
  for (uint64_t left = fronts; left; left &= left - 1) {
    const unsigned place = (unsigned)__builtin_ctzll(left);
    const struct channel *ch = &sw->channels[place];
    const struct request asked = asks(sw, ch, false);
    if (__builtin_expect(!asked.lanes, 0)) {
      hd_switch_discard(sw, cycle, place);
      discards++;
      continue;
    }
    const uint64_t can = asked.lanes & can_have(sw, asked.port, ch->state, NULL);
    if (covered)
      cover_front(sw, &asked, place, can, NULL);
    lanes[place] = can;
    wanted[place] = asked.port;
    eligible |= (uint64_t)(can != 0) << place;
    waiting++;
  }
  memset(inputs, 0, sizeof inputs);
  while (eligible) { /* first step of §2.5 */
    const unsigned port = switch_port_of(sw, (unsigned)__builtin_ctzll(eligible));
    const unsigned first = switch_place(sw, port, 0);
    const unsigned channels = (unsigned)(eligible >> first) & vc_bits;
    const unsigned place = first | switch_first_after(channels, sw->port[port].in_last);
    eligible &= ~((uint64_t)vc_bits << first);
    if (covered)
      cover_input(sw, port, switch_vc_of(sw, place), channels);
    picked[port] = (uint8_t)place;
    inputs[wanted[place]] |= (uint16_t)(1u << port);
    outputs |= 1u << wanted[place];
  }
  if (covered)
    before = cover_picks(sw, outputs, discards, before);
  for (; outputs; outputs &= outputs - 1) { /* second step */
    const unsigned output = (unsigned)__builtin_ctz(outputs);
    const unsigned input = switch_first_after(inputs[output], sw->port[output].out_last),
                   place = picked[input];
    if (covered)
      cover_output(sw, output, input, inputs[output]);
    const struct granted flit = grant(sw, cycle, place, output, lanes[place], covered, false);
    if (covered)
      cover_granted(sw, output, flit.vc, before);
    const unsigned coming = (routing >> place & 1) + (routing_two >> place & 1);
    drained |= (uint64_t)leave_buffer(sw, &sw->channels[place], coming, covered) << place;
    popped |= UINT64_C(1) << place;
    sent++;
    send(to, output, flit);
  }
  sw->active -= sent;
  sw->fronts.word[0] &= ~drained;
  popped |= sw->popped.word[0];
  sw->popped.word[0] = popped;
  if (sent)
    switch_quiet_not_before(sw, cycle + 2 + sw->flit_delay);
  while (popped) {
    const unsigned port = switch_port_of(sw, (unsigned)__builtin_ctzll(popped));
    const unsigned first = switch_place(sw, port, 0);
    give(to, port, (unsigned)(popped >> first) & vc_bits);
    popped &= ~((uint64_t)vc_bits << first);
  }
  return waiting - sent;
}

/** Runs the cycle of a plain switch. Returns blocked flit-cycles (§6.3). `covered`: sw->coverage is not NULL. */
INLINED unsigned plain_cycle(struct hd_switch *sw, uint64_t cycle, void *to, plain_send *send,
                             plain_give *give, bool covered)
{
  struct channel_set *due = &sw->due[cycle % DUE_SLOTS];
  const uint64_t fronts = sw->fronts.word[0] | due->word[0];
  sw->fronts.word[0] = fronts;
  due->word[0] = 0;
  if (fronts & (fronts - 1) || (covered && fronts))
    return plain_several(sw, cycle, fronts, to, send, give, covered);
  return fronts ? plain_single(sw, cycle, (unsigned)__builtin_ctzll(fronts), to, send, give) : 0;
}

#endif
