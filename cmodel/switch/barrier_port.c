/* Barrier flits at the ports: queues, preemptions, padding, output slots (specification chapter 7).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Outputs send before allocation, but allocation must not see the changes that they make. It does not: an output that
 * sends grants nothing in that cycle (§7.7), and only an output that sends changes preemptions.
 */
#include "adaptive_state.h"
#include "barrier_state.h"

#include <string.h>

/* ── storage and reset ──────────────────────────────────────────────────────── */

static size_t state_size(const struct hd_switch_params *p)
{
  return sizeof(struct barrier_state) + p->groups * sizeof(struct barrier_entry);
}

size_t hd_barrier_size(const struct hd_switch_params *p)
{
  return p->barrier ? state_size(p) + p->switches * sizeof(uint16_t) : 0;
}

void hd_barrier_init(struct hd_switch *sw)
{
  barrier_of(sw)->ways_offset = sw->barrier_offset + (uint32_t)state_size(&sw->params);
}

/* §8.6: keeps the barrier routing table, which follows this state in memory. */
void hd_barrier_reset(struct hd_switch *sw)
{
  struct barrier_state *b = barrier_of(sw);
  uint32_t ways_offset = b->ways_offset;
  memset(b, 0, state_size(&sw->params));
  b->ways_offset = ways_offset;
  b->all_flits = (uint8_t)hd_barrier_flits(&sw->params);
  b->beside = hd_barrier_beside(&sw->params);
  b->port_bits = (uint16_t)((1u << sw->ports) - 1);
  b->taken_cycle = b->held_cycle = b->step_cycle = UINT64_MAX;
  b->idle_limit = 16;
  b->live = b->port_bits;
  for (unsigned port = 0; port < sw->ports; port++)
    b->output[port].credit = HD_BARRIER_QUEUE;
  hd_barrier_owe_nobody(sw);
}

/* ── output ports, §7.6 ─────────────────────────────────────────────────────── */

static inline unsigned owned_channels(const struct hd_switch *sw, unsigned port)
{
  return switch_mask(sw->port[port].owned);
}

/* Returns the channels of `mask` that have `need` credits. */
static unsigned with_credit(const struct hd_switch *sw, unsigned port, unsigned mask, unsigned need)
{
  return mask & switch_mask((sw->port[port].credits + switch_bias(need)) & LANES);
}

/* Returns the channels on which a message may start or which it may preempt. Initial reduces of one link must not
 * overtake each other, so they use one channel only where messages share several channels with data. */
static unsigned channels_for_message(const struct hd_switch *sw, bool initial)
{
  bool several = sw->barrier == HD_BARRIER_MOVING || sw->barrier == HD_BARRIER_QUEUED;
  return initial && several ? 1u : sw->vc_bits;
}

int hd_barrier_may_start(const struct hd_switch *sw, unsigned port, bool initial)
{
  const struct barrier_state *b = barrier_of(sw);
  const struct barrier_output *out = &b->output[port];
  bool preempting = b->preempting_ports >> port & 1;
  unsigned channels = 0, own = channels_for_message(sw, initial);
  if (!out->credit || (preempting && out->burst == BURST_MESSAGES))
    return -1;
  switch ((enum hd_barrier)sw->barrier) {
  case HD_BARRIER_ANY:
    channels = preempting ? 1u << out->preempt_vc : sw->vc_bits & ~owned_channels(sw, port);
    break;
  case HD_BARRIER_FIXED:
    channels = preempting ? 1u : 1u & ~owned_channels(sw, port);
    break;
  case HD_BARRIER_MOVING:
    channels = own & (preempting ? 1u << out->preempt_vc : ~owned_channels(sw, port));
    channels = with_credit(sw, port, channels, b->all_flits + preempting); /* one credit for the end
                                                                            * */
    break;
  case HD_BARRIER_QUEUED:
    channels = with_credit(sw, port, own & ~owned_channels(sw, port), b->all_flits);
    break;
  case HD_BARRIER_RESERVED:
    channels = with_credit(sw, port, 1u << (sw->vcs - 1u), b->all_flits);
    break;
  case HD_BARRIER_NONE:
    break;
  }
  return channels ? __builtin_ctz(channels) : -1;
}

/* Returns the channel that this message may preempt if it may not start; -1: none. */
static int may_preempt(const struct hd_switch *sw, unsigned port, bool initial)
{
  const struct barrier_state *b = barrier_of(sw);
  const struct barrier_output *out = &b->output[port];
  unsigned channels;
  if (!out->credit || (b->preempting_ports >> port & 1))
    return -1;
  switch ((enum hd_barrier)sw->barrier) {
  case HD_BARRIER_ANY:
    return owned_channels(sw, port) == sw->vc_bits ? out->preempt_next : -1;
  case HD_BARRIER_FIXED:
    return owned_channels(sw, port) & 1 ? 0 : -1;
  case HD_BARRIER_MOVING: /* credits for request, message and end */
    channels = owned_channels(sw, port) & channels_for_message(sw, initial);
    channels = with_credit(sw, port, channels, b->all_flits + 2u);
    return channels ? (int)switch_first_from(channels, out->preempt_next) : -1;
  default:
    return -1;
  }
}

static void send_flit(struct hd_switch *sw, struct barrier_cycle *now, unsigned port, unsigned vc,
                      unsigned kind, uint64_t data)
{
  now->sending |= 1u << port;
  now->kind[port] = (uint8_t)kind;
  now->vc[port] = (uint8_t)vc;
  now->data[port] = data;
  if (!barrier_of(sw)->beside) {
    switch_take_credit(sw, port, vc);
    if (sw->adaptive)
      adaptive_of(sw)->taken[port] = (uint8_t)(1u << vc);
  }
}

static void empty_slot(struct hd_switch *sw, struct barrier_state *b, unsigned port)
{
  b->full_ports &= (uint16_t) ~(1u << port);
  sw->active--;
}

static void send_end(struct hd_switch *sw, struct barrier_cycle *now, unsigned port)
{
  struct barrier_state *b = barrier_of(sw);
  send_flit(sw, now, port, b->output[port].preempt_vc, HD_KIND_PADDING, 1);
  b->preempting_ports &= (uint16_t) ~(1u << port);
  b->output[port].idle = 0;
  sw->active--;
}

/* Counts rule 2: a message starts on channel `vc`. */
static void cover_start(const struct hd_switch *sw, unsigned port, unsigned vc, bool preempting)
{
  const struct barrier_output *out = &barrier_of(sw)->output[port];
  switch_cover_port(sw, preempting ? HD_POINT_RULE_2_TAKEN_NODE : HD_POINT_RULE_2_NODE, port);
  if (!out->credit)
    switch_cover(sw, HD_POINT_PLACE_LAST);
  if (preempting && out->burst > 1)
    switch_cover(sw, HD_POINT_BURST_2 + out->burst - 2u);
  if (!preempting && out->rest)
    switch_cover(sw, HD_POINT_STARTS_IN_REST);
  if (!preempting && vc && sw->barrier != HD_BARRIER_RESERVED)
    switch_cover(sw, HD_POINT_START_HIGHER);
}

/* Counts rule 3: channel `vc` is preempted. */
static void cover_preemption(const struct hd_switch *sw, unsigned port, unsigned vc)
{
  const struct barrier_state *b = barrier_of(sw);
  switch_cover_port(sw, HD_POINT_RULE_3_NODE, port);
  if (vc + 1 == sw->vcs && vc)
    switch_cover(sw, HD_POINT_PREEMPT_NEXT_WRAPS);
  if (sw->barrier == HD_BARRIER_MOVING && vc != b->output[port].preempt_next)
    switch_cover(sw, HD_POINT_PREEMPT_SKIPS);
  for (unsigned i = 0; i < switch_places(sw); i++) {
    const struct channel *ch = &sw->channels[i];
    if (ch->state != VC_OPEN || ch->oport != port || ch->ovc != vc)
      continue;
    switch_cover(sw, ch->count ? HD_POINT_PREEMPTED_FULL : HD_POINT_PREEMPTED_EMPTY);
    if (b->input[switch_port_of(sw, i)].preempted >> switch_vc_of(sw, i) & 1)
      switch_cover(sw, HD_POINT_PREEMPTED_BELOW);
  }
}

/* Counts why no rule applies to the message in a slot. */
static void cover_wait(const struct hd_switch *sw, unsigned port, bool initial)
{
  const struct barrier_output *out = &barrier_of(sw)->output[port];
  unsigned all = sw->vc_bits, free = all & ~owned_channels(sw, port);
  if (!out->credit)
    switch_cover(sw, HD_POINT_WAITS_PLACE);
  else if (out->rest && may_preempt(sw, port, initial) >= 0)
    switch_cover(sw, HD_POINT_WAITS_REST);
  else if (initial && hd_barrier_may_start(sw, port, false) >= 0)
    switch_cover(sw, HD_POINT_INITIAL_WAITS);
  else if (free || sw->barrier == HD_BARRIER_RESERVED)
    switch_cover(sw, HD_POINT_WAITS_CREDIT);
  else
    switch_cover(sw, HD_POINT_WAITS_OWNED);
}

/* Acts for an output whose slot holds a message: rules 1, 2, 3 and 5. */
static void send_full(struct hd_switch *sw, struct barrier_cycle *now, unsigned port)
{
  struct barrier_state *b = barrier_of(sw);
  struct barrier_output *out = &b->output[port];
  bool preempting = b->preempting_ports >> port & 1;
  bool initial = hd_barrier_is_initial(out->slot);
  int vc;
  if (out->second) {
    switch_cover_port(sw, HD_POINT_RULE_1_NODE, port);
    send_flit(sw, now, port, out->use_vc, HD_KIND_BARRIER_LAST, out->slot >> 16);
    out->second = 0;
    empty_slot(sw, b, port);
  } else if ((vc = hd_barrier_may_start(sw, port, initial)) >= 0) {
    out->credit--;
    out->burst = (uint8_t)(out->burst + preempting);
    if (sw->coverage)
      cover_start(sw, port, (unsigned)vc, preempting);
    if (b->all_flits == 2) {
      send_flit(sw, now, port, (unsigned)vc, HD_KIND_BARRIER, out->slot & 0xffff);
      out->second = 1;
      out->use_vc = (uint8_t)vc;
    } else {
      send_flit(sw, now, port, (unsigned)vc, HD_KIND_BARRIER_LAST, out->slot);
      empty_slot(sw, b, port);
    }
  } else if (!out->rest && (vc = may_preempt(sw, port, initial)) >= 0) {
    if (sw->coverage)
      cover_preemption(sw, port, (unsigned)vc);
    send_flit(sw, now, port, (unsigned)vc, HD_KIND_PADDING, 0);
    b->preempting_ports |= (uint16_t)(1u << port);
    sw->active++;
    out->preempt_vc = (uint8_t)vc;
    out->preempt_next = (uint8_t)(((unsigned)vc + 1) % sw->vcs);
    out->burst = 0;
  } else if (preempting && (out->burst == BURST_MESSAGES || sw->barrier == HD_BARRIER_MOVING)) {
    switch_cover_port(
        sw, out->burst == BURST_MESSAGES ? HD_POINT_RULE_5_NODE : HD_POINT_RULE_5_STUCK_NODE, port);
    send_end(sw, now, port);
    out->rest = REST_CYCLES;
    b->resting_ports |= (uint16_t)(1u << port);
    sw->active++;
  } else if (sw->coverage) {
    cover_wait(sw, port, initial);
  }
}

/* Acts for a preempted output without a message: rule 4. */
static void wait_for_end(struct hd_switch *sw, struct barrier_cycle *now, unsigned port)
{
  struct barrier_state *b = barrier_of(sw);
  struct barrier_output *out = &b->output[port];
  if (out->idle >= b->idle_limit) {
    switch_cover_port(sw, HD_POINT_RULE_4_NODE, port);
    send_end(sw, now, port);
  } else
    out->idle++;
}

static void take_ended(struct hd_switch *sw, unsigned port)
{
  struct barrier_state *b = barrier_of(sw);
  if (--b->output[port].rest)
    return;
  b->resting_ports &= (uint16_t) ~(1u << port);
  sw->active--;
}

/* ── a cycle ────────────────────────────────────────────────────────────────── */

/* §7.5: a preempted channel whose open packet has no flit here shows a null flit at its front. */
static void pad_preempted(struct hd_switch *sw, struct barrier_cycle *now)
{
  struct barrier_state *b = barrier_of(sw);
  now->padded = now->padded_ports = 0;
  for (unsigned ports = b->preempted_ports; ports; ports &= ports - 1) {
    unsigned port = (unsigned)__builtin_ctz(ports);
    unsigned padding = 0;
    for (unsigned left = b->input[port].preempted; left; left &= left - 1) {
      unsigned vc = (unsigned)__builtin_ctz(left);
      const struct channel *ch = switch_channel(sw, port, vc);
      if (ch->count || ch->state != VC_OPEN) {
        switch_cover(sw, ch->count              ? HD_POINT_PADDING_NOT_EMPTY
                         : ch->state == VC_IDLE ? HD_POINT_PADDING_IDLE
                                                : HD_POINT_PADDING_SINK);
        continue;
      }
      padding |= 1u << vc;
      switch_set_add(&sw->fronts, switch_place(sw, port, vc));
      now->padded++;
    }
    if (!padding)
      continue;
    now->padding[port] = (uint8_t)padding;
    now->padded_ports |= 1u << port;
  }
}

/* §7.7 */
static void restrict_outputs(const struct hd_switch *sw, struct barrier_cycle *now, unsigned full,
                             unsigned preempting)
{
  const struct barrier_state *b = barrier_of(sw);
  bool heads_wait = sw->barrier == HD_BARRIER_MOVING || sw->barrier == HD_BARRIER_QUEUED;
  unsigned without_heads = 0;
  for (unsigned left = heads_wait ? full : 0; left; left &= left - 1) {
    /* A message that has just taken the last credit is being sent, so `allowed` is 0 already. */
    unsigned port = (unsigned)__builtin_ctz(left);
    without_heads |= (unsigned)(b->output[port].credit != 0) << port;
  }
  now->masked = now->sending | preempting | without_heads;
  for (unsigned left = now->masked; left; left &= left - 1) {
    unsigned port = (unsigned)__builtin_ctz(left), allowed = sw->vc_bits;
    if (now->sending >> port & 1)
      allowed = 0;
    else if (preempting >> port & 1)
      allowed &= ~(1u << b->output[port].preempt_vc);
    now->open_can[port] = (uint8_t)allowed;
    now->head_can[port] = (uint8_t)allowed;
    if (without_heads >> port & 1)
      now->head_can[port] &=
          (uint8_t)~channels_for_message(sw, hd_barrier_is_initial(b->output[port].slot));
  }
}

enum hd_spec_point hd_barrier_blocked(const struct barrier_cycle *now, unsigned output, bool open)
{
  if (now->sending >> output & 1)
    return HD_POINT_OUTPUT_SENDS;
  /* The channel is preempted and so has an owner: no head could have it anyway. */
  return open ? HD_POINT_OPEN_PREEMPTED : HD_POINT_HEAD_WAITS;
}

/* Returns true if the ports hold no message and only keep a preemption, or a pause after one. */
static bool holds_no_message(const struct hd_switch *sw)
{
  const struct barrier_state *b = barrier_of(sw);
  unsigned kept = 0;
  for (unsigned port = 0; port < sw->ports; port++) {
    for (unsigned left = b->input[port].preempted; left; left &= left - 1)
      kept++;
    kept += (b->preempting_ports >> port & 1u) + (b->resting_ports >> port & 1u);
  }
  return kept == sw->active;
}

void hd_barrier_begin(struct hd_switch *sw, uint64_t cycle, struct barrier_cycle *now)
{
  struct barrier_state *b = barrier_of(sw);
  struct barrier_step step = {-1, 0, -1};
  unsigned full = b->full_ports, preempting = b->preempting_ports, resting = b->resting_ports;
  now->sending = 0;
  now->credit_ports = 0;
  b->pushed_ports = 0;
  bool keeps = b->preempted_ports | preempting | resting;
  if (sw->coverage && keeps && holds_no_message(sw))
    switch_cover(sw, HD_POINT_RESTS_ALONE);
  if (b->held_cycle == cycle)
    hd_barrier_hold(sw);
  else
    hd_barrier_step(sw, cycle, &step);
  for (unsigned left = full | preempting; left; left &= left - 1) {
    unsigned port = (unsigned)__builtin_ctz(left);
    if (full >> port & 1) {
      if (b->output[port].idle)
        switch_cover(sw, HD_POINT_IDLE_ENDS);
      b->output[port].idle = 0;
      send_full(sw, now, port);
    } else {
      wait_for_end(sw, now, port);
    }
  }
  for (unsigned left = resting; left; left &= left - 1)
    take_ended(sw, (unsigned)__builtin_ctz(left));
  if (step.put_port >= 0) {
    b->output[step.put_port].slot = step.message;
    b->full_ports |= (uint16_t)(1u << step.put_port);
    sw->active++;
  }
  if (step.taken_port >= 0) {
    now->credit_ports = 1u << step.taken_port;
    switch_quiet_not_before(sw, cycle + 3);
  }
  pad_preempted(sw, now);
  restrict_outputs(sw, now, full, preempting);
}

void hd_barrier_picked(struct hd_switch *sw, const struct barrier_cycle *now)
{
  for (unsigned left = now->padded_ports; left; left &= left - 1) {
    unsigned port = (unsigned)__builtin_ctz(left);
    for (unsigned vcs = now->padding[port]; vcs; vcs &= vcs - 1)
      switch_set_remove_if(&sw->fronts, switch_place(sw, port, (unsigned)__builtin_ctz(vcs)), true);
  }
}

/* ── input ports, §7.4, §7.5 ────────────────────────────────────────────────── */

static void set_preempted(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                          bool end)
{
  struct barrier_state *b = barrier_of(sw);
  struct barrier_input *in = &b->input[port];
  bool preempted = in->preempted >> vc & 1;
  bool other = sw->barrier == HD_BARRIER_FIXED && vc;
  if (preempted != end || other) {
    switch_error(sw, cycle, HD_ERR_PROTOCOL,
                 other ? HD_POINT_PADDING_CHANNEL
                 : end ? HD_POINT_END_OF_NONE
                       : HD_POINT_REQUEST_TWICE);
    return;
  }
  switch_cover(sw, end ? HD_POINT_END : HD_POINT_REQUEST);
  in->preempted ^= (uint8_t)(1u << vc);
  if (end)
    sw->active--;
  else
    sw->active++;
  b->preempted_ports =
      (uint16_t)((b->preempted_ports & ~(1u << port)) | (unsigned)(in->preempted != 0) << port);
}

static void keep_low_half(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                          uint64_t data)
{
  struct barrier_state *b = barrier_of(sw);
  if (b->all_flits != 2) {
    switch_error(sw, cycle, HD_ERR_PROTOCOL, HD_POINT_FIRST_FLIT_ALONE);
    return;
  }
  b->input[port].low[vc] = (uint16_t)data;
  switch_cover(sw, HD_POINT_FIRST_FLIT);
}

/* Queues a message. False: two messages were queued at the start of the cycle. */
static bool queue_message(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                          uint64_t data)
{
  struct barrier_state *b = barrier_of(sw);
  struct barrier_input *in = &b->input[port];
  unsigned taken = b->taken_cycle == cycle && b->taken_port == port;
  if (in->queued + taken >= HD_BARRIER_QUEUE)
    return false;
  uint64_t message = sw->params.values ? data : (uint32_t)data;
  if (b->all_flits == 2)
    message = message << 16 | in->low[vc];
  switch_cover(sw, taken ? HD_POINT_QUEUE_TAKEN : HD_POINT_QUEUE_FIRST + in->queued);
  in->queue[in->queued++] = message;
  b->queued_ports |= (uint16_t)(1u << port);
  sw->active++;
  return true;
}

void hd_barrier_arrive(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                       unsigned kind, uint64_t data)
{
  if (kind == HD_KIND_PADDING)
    set_preempted(sw, cycle, port, vc, data & 1);
  else if (kind == HD_KIND_BARRIER)
    keep_low_half(sw, cycle, port, vc, data);
  else if (!queue_message(sw, cycle, port, vc, data))
    switch_error(sw, cycle, HD_ERR_OVERFLOW,
                 barrier_of(sw)->input[port].queued < HD_BARRIER_QUEUE
                     ? HD_POINT_QUEUE_OVERFLOW_TAKEN
                     : HD_POINT_QUEUE_OVERFLOW);
}

bool hd_barrier_front(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                      const struct slot *front)
{
  struct barrier_state *b = barrier_of(sw);
  if (front->kind == HD_KIND_BARRIER_LAST) {
    /* Channels come in ascending order. One message a cycle enters the queue. If a lower channel waits, the queue
     * is full, and this one waits, too. */
    bool lower = b->pushed_ports >> port & 1;
    if (lower || !queue_message(sw, cycle, port, vc, front->data)) {
      switch_cover(sw, lower ? HD_POINT_LAST_LOWER : HD_POINT_LAST_FULL);
      return false;
    }
    b->pushed_ports |= (uint16_t)(1u << port);
  } else if (front->kind == HD_KIND_BARRIER) {
    keep_low_half(sw, cycle, port, vc, front->data);
  } else if (sw->barrier == HD_BARRIER_MOVING) {
    set_preempted(sw, cycle, port, vc, front->data & 1);
  } else {
    switch_error(sw, cycle, HD_ERR_PROTOCOL, HD_POINT_FRONT_PADDING);
  }
  return true;
}

bool hd_switch_holds_messages(const struct hd_switch *sw)
{
  const struct barrier_state *b = sw->barrier ? barrier_of(sw) : NULL;
  if (!b)
    return false;
  if (b->queued_ports || b->full_ports || b->pending || b->unit.act)
    return true;
  for (unsigned i = 0; !b->beside && i < switch_places(sw); i++) {
    const struct channel *ch = &sw->channels[i];
    for (unsigned j = 0; j < ch->count; j++) {
      unsigned kind = switch_slot(sw, ch, j)->kind;
      if (kind == HD_KIND_BARRIER || kind == HD_KIND_BARRIER_LAST)
        return true;
    }
  }
  return false;
}

void hd_barrier_credit(struct hd_switch *sw, uint64_t cycle, unsigned port)
{
  struct barrier_output *out = &barrier_of(sw)->output[port];
  if (out->credit >= HD_BARRIER_QUEUE) {
    switch_error(sw, cycle, HD_ERR_CREDIT, HD_POINT_PLACE_SURPLUS);
    return;
  }
  switch_cover(sw, out->credit ? HD_POINT_PLACE_ALL : HD_POINT_PLACE_BACK);
  out->credit++;
}
