/* The barrier unit: status table, decisions, ways, steps (specification chapter 8).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A step is decided as a whole before it changes anything. A step that has to wait changes only which source a slot is
 * kept for.
 */
#include "barrier_state.h"

#include <assert.h>
#include <string.h>

enum { PASS_TAG = 0, NEW_BSR_TAG = 1, DONE_TAG = 2 }; /* BNT, §8.1 */

/* Fields of a message. */
static inline unsigned type_of(uint64_t message)
{
  return (unsigned)message & 3;
}
static inline unsigned tag_of(uint64_t message)
{
  return (unsigned)(message >> 2) & 3;
}
static inline unsigned group_of(uint64_t message)
{
  return (unsigned)(message >> 4) & 31;
}
static inline unsigned destination_of(uint64_t message)
{
  return (unsigned)(message >> 9) & 0x7ff;
}
static inline unsigned bsr_of(uint64_t message)
{
  return (unsigned)(message >> 20) & 0x7ff;
}
static inline bool is_local(uint64_t message)
{
  return message >> 31 & 1;
}

/* ── status table, §8.2 ─────────────────────────────────────────────────────── */

struct barrier_entry *hd_barrier_find(const struct hd_switch *sw, unsigned group)
{
  struct barrier_state *b = barrier_of(sw);
  for (unsigned i = 0; i < sw->params.groups; i++)
    if (b->entries[i].valid && b->entries[i].group == group)
      return &b->entries[i];
  return NULL;
}

/* Counts that an entry is made at `place`. */
static void cover_place(const struct hd_switch *sw, unsigned place)
{
  const struct barrier_state *b = barrier_of(sw);
  bool above = false, free = false;
  for (unsigned i = place + 1; i < sw->params.groups; i++) {
    above |= b->entries[i].valid;
    free |= !b->entries[i].valid;
  }
  switch_cover(sw, HD_POINT_ENTRY_MADE);
  if (above)
    switch_cover(sw, HD_POINT_ENTRY_GAP);
  if (!free)
    switch_cover(sw, HD_POINT_ENTRY_LAST);
}

/* Makes an entry. NULL: the table is full. */
static struct barrier_entry *make_entry(struct hd_switch *sw, unsigned group)
{
  struct barrier_state *b = barrier_of(sw);
  for (unsigned i = 0; i < sw->params.groups; i++)
    if (!b->entries[i].valid) {
      cover_place(sw, i);
      b->entries[i] = (struct barrier_entry){.valid = 1, .group = (uint8_t)group};
      return &b->entries[i];
    }
  return NULL;
}

/* Must be called when pending sends of an entry may have come or gone. */
static void note_pending(struct hd_switch *sw, const struct barrier_entry *e)
{
  struct barrier_state *b = barrier_of(sw);
  uint32_t bit = UINT32_C(1) << (e - b->entries);
  bool before = b->pending & bit, after = e->valid && (e->up || e->to_local || e->to_child);
  if (after && !before)
    sw->active++;
  if (before && !after)
    sw->active--;
  b->pending = after ? b->pending | bit : b->pending & ~bit;
}

/* ── values, §8.14 ──────────────────────────────────────────────────────────── */

struct valued {
  unsigned operator_;
  uint32_t value; /* 0 if there is no operator */
};

static struct valued value_of(const struct hd_switch *sw, uint64_t message)
{
  const unsigned operator_ = sw->params.values ? hd_barrier_operator_of(message) : 0;
  return (struct valued){operator_, operator_ ? hd_barrier_value_of(message) : 0};
}

static uint32_t combine_values(enum hd_barrier_operator operator_, uint32_t a, uint32_t b)
{
  switch (operator_) {
  case HD_BARRIER_SUM:
    return a + b;
  case HD_BARRIER_MINIMUM:
    return a < b ? a : b;
  case HD_BARRIER_MAXIMUM:
    return a > b ? a : b;
  default:
    return 0;
  }
}

/* Combines the value of a member or child that arrives. Called before it is marked as arrived. */
static void join_value(struct hd_switch *sw, uint64_t cycle, struct barrier_entry *e,
                       uint64_t message)
{
  const struct valued from = value_of(sw, message);
  if (!(e->local_in | e->child_in)) {
    e->operator_ = (uint8_t)from.operator_;
    e->value = from.value;
    if (from.operator_)
      switch_cover(sw, HD_POINT_VALUE_FIRST);
  } else if (e->operator_ == from.operator_) {
    if (from.operator_)
      switch_cover(sw, HD_POINT_VALUE_SUM + from.operator_ - HD_BARRIER_SUM);
    e->value = combine_values(from.operator_, e->value, from.value);
  } else {
    switch_error(sw, cycle, HD_ERR_PROTOCOL, HD_POINT_VALUE_DIFFERS);
    e->operator_ = HD_BARRIER_NO_VALUE;
    e->value = 0;
  }
}

static void release_members(struct barrier_entry *e, struct valued result)
{
  e->result_operator = (uint8_t)result.operator_;
  e->result = result.value;
  e->built = 1;
  e->to_local = e->local;
  e->to_child = e->child;
  e->local_in = e->child_in = 0;
}

static void check_group(const struct hd_switch *sw, struct barrier_entry *e)
{
  if (e->local & ~e->local_in) {
    switch_cover(sw, HD_POINT_CHECK_LOCAL);
    return;
  }
  if (e->built ? e->child & ~e->child_in : e->root && e->count) {
    switch_cover(sw, e->built ? HD_POINT_CHECK_CHILD : HD_POINT_CHECK_COUNT);
    return;
  }
  switch_cover(sw, (e->root ? HD_POINT_CHECK_ROOT_FIRST : HD_POINT_CHECK_UP_FIRST) + e->built);
  if (e->root)
    release_members(e, (struct valued){e->operator_, e->value});
  else
    e->up = 1;
}

void hd_barrier_open(struct hd_switch *sw, uint64_t cycle, unsigned group)
{
  struct barrier_state *b = barrier_of(sw);
  if (hd_barrier_find(sw, group)) {
    switch_error(sw, cycle, HD_ERR_GROUP, HD_POINT_OPEN_TWICE);
    return;
  }
  struct barrier_entry *e = make_entry(sw, group);
  if (!e) {
    switch_error(sw, cycle, HD_ERR_TABLE, HD_POINT_OPEN_TABLE);
    return;
  }
  e->bsr = 1;
  e->root = b->center == b->self;
  e->center = b->center;
  e->count = b->count;
  e->local = b->local;
  switch_cover(sw, e->root ? HD_POINT_OPEN_ROOT : HD_POINT_OPEN_MEMBER);
}

void hd_barrier_close(struct hd_switch *sw, unsigned group)
{
  struct barrier_entry *e = hd_barrier_find(sw, group);
  switch_cover(sw, e ? HD_POINT_CLOSE : HD_POINT_CLOSE_NONE);
  if (!e)
    return;
  if (e->up || e->to_local || e->to_child)
    switch_cover(sw, HD_POINT_CLOSE_PENDING);
  e->valid = 0;
  note_pending(sw, e);
}

/* ── which source a slot is kept for, §8.4 ──────────────────────────────────── */

void hd_barrier_owe_nobody(struct hd_switch *sw)
{
  struct barrier_state *b = barrier_of(sw);
  memset(b->owed, NOBODY, sizeof b->owed);
}

/* Returns the slots that the source of this step may fill. */
static unsigned open_slots(const struct hd_switch *sw)
{
  const struct barrier_state *b = barrier_of(sw);
  unsigned open = 0;
  for (unsigned port = 0; port < HD_MAX_PORTS; port++) /* nothing waits for those that are not */
    open |= (unsigned)(b->owed[port] == NOBODY || b->owed[port] == b->unit.source) << port;
  return open & ~(unsigned)b->full_ports;
}

/* Returns true if the source of this step may fill the slot. Otherwise keeps the slot for the source, if it is kept for
 * no other. */
static bool slot_open(struct hd_switch *sw, unsigned port)
{
  struct barrier_state *b = barrier_of(sw);
  if (open_slots(sw) >> port & 1)
    return true;
  if (b->owed[port] == NOBODY) {
    b->owed[port] = b->unit.source;
    switch_cover(sw, HD_POINT_OWED);
  } else if (b->owed[port] != b->unit.source && !(b->full_ports >> port & 1)) {
    switch_cover(sw, HD_POINT_OWED_OTHER);
  }
  return false;
}

/* Releases the slots kept for the source of this step: it has sent, or has nothing to send. */
static void source_done(struct hd_switch *sw)
{
  struct barrier_state *b = barrier_of(sw);
  for (unsigned port = 0; port < HD_MAX_PORTS; port++)
    if (b->owed[port] == b->unit.source)
      b->owed[port] = NOBODY;
}

/* ── ways, §8.4 ─────────────────────────────────────────────────────────────── */

enum { NO_WAY = -1, WAITS = -2 };

static int first_way(struct hd_switch *sw)
{
  const struct barrier_state *b = barrier_of(sw);
  unsigned ways = b->unit.ways & b->live & b->port_bits;
  if (!ways)
    return NO_WAY;
  int port = __builtin_ctz(ways);
  bool open = slot_open(sw, (unsigned)port);
  switch_cover(sw, open ? HD_POINT_FIRST_WAY : HD_POINT_FIRST_WAY_WAITS);
  return open ? port : WAITS;
}

static int choose_way(struct hd_switch *sw)
{
  const struct barrier_state *b = barrier_of(sw);
  unsigned ways = b->unit.ways & b->live & b->port_bits, free = ways & open_slots(sw);
  if (!ways)
    return NO_WAY;
  if (!free) {
    slot_open(sw, switch_first_from(ways, b->unit.spread));
    switch_cover(sw, HD_POINT_ANY_WAY_WAITS);
    return WAITS;
  }
  unsigned at_once = 0;
  for (unsigned left = free; left; left &= left - 1) {
    unsigned port = (unsigned)__builtin_ctz(left);
    at_once |= (unsigned)(hd_barrier_may_start(sw, port, false) >= 0) << port;
  }
  unsigned good = at_once ? at_once : free, port = switch_first_from(good, b->unit.spread);
  switch_cover(sw, at_once ? HD_POINT_ANY_WAY : HD_POINT_ANY_WAY_SLOW);
  if (at_once && port != switch_first_from(free, b->unit.spread))
    switch_cover(sw, HD_POINT_ANY_WAY_PASSES);
  if (good & (good - 1))
    switch_cover(sw, HD_POINT_ANY_WAY_TIE);
  if ((good & (good - 1)) && port < b->unit.spread)
    switch_cover(sw, HD_POINT_SPREAD_WRAPS);
  return (int)port;
}

static void put_message(struct barrier_step *step, int port, uint64_t message)
{
  step->put_port = port;
  step->message = message;
}

/* Sends the message on. False: it waits. If there is no way, the message is dropped. */
static bool send_on(struct hd_switch *sw, uint64_t cycle, struct barrier_step *step, bool first,
                    uint64_t message)
{
  struct barrier_unit *unit = &barrier_of(sw)->unit;
  if (unit->ways & ~(unsigned)barrier_of(sw)->live)
    switch_cover(sw, HD_POINT_LIVE_MASKS);
  int port = first ? first_way(sw) : choose_way(sw);
  if (port == WAITS)
    return false;
  if (port == NO_WAY) {
    switch_error(sw, cycle, HD_ERR_UNREACHABLE,
                 unit->source == sw->ports ? HD_POINT_NO_PORT_SEND : HD_POINT_NO_PORT);
    return true;
  }
  put_message(step, port, message);
  if (!first)
    unit->spread = (uint8_t)((unsigned)(port + 1) % sw->ports);
  return true;
}

/* ── effects of a message, §8.3; false: it waits ─────────────────────────────── */

static bool drop_message(struct hd_switch *sw, uint64_t cycle, unsigned error,
                         enum hd_spec_point point)
{
  switch_error(sw, cycle, error, point);
  return true;
}

static bool act_local(struct hd_switch *sw, uint64_t cycle, struct barrier_step *step,
                      unsigned port, uint64_t message)
{
  struct barrier_entry *e = hd_barrier_find(sw, group_of(message));
  unsigned bit = 1u << port;
  if (type_of(message) != HD_REDUCE)
    return drop_message(sw, cycle, HD_ERR_PROTOCOL, HD_POINT_LOCAL_TYPE);
  bool member = e && (e->local & bit);
  bool early = member && !e->built && value_of(sw, message).operator_; /* §8.14 */
  if (!member || e->failed || (e->local_in & bit) || early) {
    if (!slot_open(sw, port)) {
      switch_cover(sw, HD_POINT_LOCAL_WAITS);
      return false;
    }
    put_message(step, (int)port, hd_barrier_local(HD_FAIL, group_of(message)));
    if (!member)
      switch_error(sw, cycle, HD_ERR_GROUP, e ? HD_POINT_LOCAL_NO_MEMBER : HD_POINT_LOCAL_NO_GROUP);
    else if (e->failed)
      switch_cover(sw, HD_POINT_LOCAL_FAILED);
    else if (e->local_in & bit)
      switch_error(sw, cycle, HD_ERR_DUPLICATE, HD_POINT_LOCAL_TWICE);
    else
      switch_error(sw, cycle, HD_ERR_PROTOCOL, HD_POINT_VALUE_EARLY);
    return true;
  }
  switch_cover(sw, HD_POINT_LOCAL_IN);
  join_value(sw, cycle, e, message);
  e->local_in |= (uint16_t)bit;
  check_group(sw, e);
  note_pending(sw, e);
  return true;
}

/* Sets the child that is reached by `port`. */
static void set_child(struct barrier_entry *e, unsigned port, unsigned address)
{
  e->child |= (uint16_t)(1u << port);
  e->child_address[port] = (uint16_t)address;
}

/* Passes on an initial reduce with tag 0 or 1: updates the entry and returns the message to send. Bits that are not
 * used go on unchanged. */
static uint64_t pass_initial(struct hd_switch *sw, uint64_t cycle, unsigned port, uint64_t message)
{
  struct barrier_entry *e = hd_barrier_find(sw, group_of(message));
  unsigned self = barrier_of(sw)->self;
  bool made = !e, first = tag_of(message) == PASS_TAG;
  if (made && !(e = make_entry(sw, group_of(message)))) {
    switch_error(sw, cycle, HD_ERR_TABLE, HD_POINT_PASS_TABLE);
    return (message & ~UINT64_C(3)) | HD_FAIL;
  }
  const uint64_t beyond = message & ~(uint64_t)UINT32_MAX;
  bool branches = e->child != 0;
  if (made)
    switch_cover(sw, first ? HD_POINT_PASS_0_NEW : HD_POINT_PASS_1_NEW);
  else if (e->bsr)
    switch_cover(sw, first ? HD_POINT_PASS_0_BSR : HD_POINT_PASS_1_BSR);
  else
    switch_cover(sw, first ? HD_POINT_PASS_0_MEETS : HD_POINT_PASS_1_KEEPS);
  set_child(e, port, bsr_of(message));
  if (e->bsr)
    return beyond | hd_barrier_message(HD_INITIAL_REDUCE, DONE_TAG, group_of(message),
                                       destination_of(message), bsr_of(message));
  if (tag_of(message) != PASS_TAG || !branches)
    return message;
  e->bsr = 1;
  return beyond | hd_barrier_message(HD_INITIAL_REDUCE, NEW_BSR_TAG, group_of(message),
                                     destination_of(message), self);
}

static bool act_in_transit(struct hd_switch *sw, uint64_t cycle, struct barrier_step *step,
                           unsigned port, uint64_t message)
{
  static const enum hd_spec_point goes_on[] = {
      [HD_REDUCE] = HD_POINT_PASS_REDUCE,
      [HD_DISTRIBUTE] = HD_POINT_PASS_DISTRIBUTE,
      [HD_FAIL] = HD_POINT_PASS_FAIL,
  };
  if (type_of(message) != HD_INITIAL_REDUCE) {
    bool gone = send_on(sw, cycle, step, false, message);
    if (step->put_port >= 0)
      switch_cover(sw, goes_on[type_of(message)]);
    return gone;
  }
  unsigned tag = tag_of(message);
  if (tag > DONE_TAG)
    return drop_message(sw, cycle, HD_ERR_PROTOCOL, HD_POINT_PASS_3);
  const struct barrier_entry *e = hd_barrier_find(sw, group_of(message));
  if (e && e->built && tag != DONE_TAG)
    return drop_message(sw, cycle, HD_ERR_GROUP, HD_POINT_PASS_BUILT);
  if (e && tag == PASS_TAG && (e->child >> port & 1))
    return drop_message(sw, cycle, HD_ERR_DUPLICATE, HD_POINT_PASS_0_TWICE);
  if (!send_on(sw, cycle, step, true, message))
    return false;
  if (step->put_port >= 0 && tag == DONE_TAG)
    switch_cover(sw, HD_POINT_PASS_2);
  if (step->put_port >= 0 && tag != DONE_TAG)
    step->message = pass_initial(sw, cycle, port, message);
  return true;
}

static bool act_initial(struct hd_switch *sw, uint64_t cycle, unsigned port, uint64_t message,
                        struct barrier_entry *e)
{
  unsigned tag = tag_of(message);
  if (!e->root || e->built)
    return drop_message(sw, cycle, HD_ERR_GROUP,
                        e->root ? HD_POINT_INITIAL_BUILT : HD_POINT_INITIAL_NO_ROOT);
  if (!e->count)
    return drop_message(sw, cycle, HD_ERR_DUPLICATE, HD_POINT_INITIAL_COUNT);
  if (tag > DONE_TAG)
    return drop_message(sw, cycle, HD_ERR_PROTOCOL, HD_POINT_INITIAL_3);
  if (tag == PASS_TAG && (e->child >> port & 1))
    return drop_message(sw, cycle, HD_ERR_DUPLICATE, HD_POINT_INITIAL_TWICE);
  switch_cover(sw, HD_POINT_INITIAL_0 + tag);
  if (tag != DONE_TAG)
    set_child(e, port, bsr_of(message));
  e->count--;
  check_group(sw, e);
  return true;
}

static bool act_reduce(struct hd_switch *sw, uint64_t cycle, uint64_t message,
                       struct barrier_entry *e)
{
  unsigned from = bsr_of(message), left = e->built ? e->child : 0;
  while (left && e->child_address[__builtin_ctz(left)] != from)
    left &= left - 1;
  if (!left)
    return drop_message(sw, cycle, HD_ERR_GROUP,
                        e->built ? HD_POINT_REDUCE_NO_CHILD : HD_POINT_REDUCE_EARLY);
  unsigned bit = left & (0u - left);
  if (e->child_in & bit)
    return drop_message(sw, cycle, HD_ERR_DUPLICATE, HD_POINT_REDUCE_TWICE);
  switch_cover(sw, HD_POINT_REDUCE_IN);
  join_value(sw, cycle, e, message);
  e->child_in |= (uint16_t)bit;
  check_group(sw, e);
  return true;
}

/* A distribute answers a report. So it is correct only after the report, and only from the parent. */
static bool act_distribute(struct hd_switch *sw, uint64_t cycle, uint64_t message,
                           struct barrier_entry *e)
{
  if (e->root)
    return drop_message(sw, cycle, HD_ERR_GROUP, HD_POINT_DISTRIBUTE_ROOT);
  if (e->up)
    return drop_message(sw, cycle, HD_ERR_DUPLICATE, HD_POINT_DISTRIBUTE_UP);
  if (e->local & ~e->local_in)
    return drop_message(sw, cycle, HD_ERR_DUPLICATE, HD_POINT_DISTRIBUTE_LOCAL);
  if (e->built && (e->child & ~e->child_in))
    return drop_message(sw, cycle, HD_ERR_DUPLICATE, HD_POINT_DISTRIBUTE_CHILD);
  if (e->built && e->parent != bsr_of(message))
    return drop_message(sw, cycle, HD_ERR_DUPLICATE, HD_POINT_DISTRIBUTE_PARENT);
  switch_cover(sw, e->built ? HD_POINT_DISTRIBUTE_LATER : HD_POINT_DISTRIBUTE_FIRST);
  e->parent = (uint16_t)bsr_of(message);
  release_members(e, value_of(sw, message));
  return true;
}

static bool act_at_source(struct hd_switch *sw, uint64_t cycle, unsigned port, uint64_t message)
{
  struct barrier_entry *e = hd_barrier_find(sw, group_of(message));
  bool left = true;
  if (!e || !e->bsr)
    return drop_message(sw, cycle, HD_ERR_GROUP, e ? HD_POINT_HERE_NO_BSR : HD_POINT_HERE_NO_GROUP);
  switch ((enum hd_barrier_type)type_of(message)) {
  case HD_INITIAL_REDUCE:
    left = act_initial(sw, cycle, port, message, e);
    break;
  case HD_REDUCE:
    left = act_reduce(sw, cycle, message, e);
    break;
  case HD_DISTRIBUTE:
    left = act_distribute(sw, cycle, message, e);
    break;
  case HD_FAIL:
    switch_cover(sw, e->local_in ? HD_POINT_FAIL_SOME : HD_POINT_FAIL_NONE);
    e->failed = 1;
    e->to_local |= e->local_in;
    e->local_in = 0;
    break;
  }
  note_pending(sw, e);
  return left;
}

/* Carries out a message. True: the message leaves its queue. */
static bool act_message(struct hd_switch *sw, uint64_t cycle, struct barrier_step *step,
                        unsigned port)
{
  struct barrier_state *b = barrier_of(sw);
  uint64_t message = b->input[port].queue[0];
  if (is_local(message))
    return act_local(sw, cycle, step, port, message);
  if (destination_of(message) != b->self)
    return act_in_transit(sw, cycle, step, port, message);
  return act_at_source(sw, cycle, port, message);
}

/* ── pending sends ──────────────────────────────────────────────────────────── */

/* Finds the first pending send of an entry that has one. */
static void first_send(const struct barrier_entry *e, unsigned *send, unsigned *port)
{
  *send = e->up ? SEND_UP : e->to_child ? SEND_CHILD : SEND_LOCAL;
  *port = 0;
  if (*send == SEND_UP)
    return;
  unsigned to = *send == SEND_LOCAL ? e->to_local : e->to_child;
  assert(to);
  *port = (unsigned)__builtin_ctz(to);
}

static unsigned send_destination(const struct barrier_entry *e, unsigned send, unsigned port)
{
  if (send == SEND_CHILD)
    return e->child_address[port];
  return e->built ? e->parent : e->center;
}

static uint64_t report_message(const struct barrier_entry *e, unsigned to, unsigned self)
{
  if (!e->built)
    return hd_barrier_message(HD_INITIAL_REDUCE, PASS_TAG, e->group, to, self);
  return hd_barrier_valued(hd_barrier_message(HD_REDUCE, 0, e->group, to, self), e->operator_,
                           e->value);
}

static uint64_t with_result(const struct barrier_entry *e, uint32_t distribute)
{
  return hd_barrier_valued(distribute, e->result_operator, e->result);
}

static void act_table(struct hd_switch *sw, uint64_t cycle, struct barrier_step *step)
{
  struct barrier_state *b = barrier_of(sw);
  const struct barrier_unit *unit = &b->unit;
  struct barrier_entry *e = &b->entries[unit->entry];
  unsigned send, port;
  first_send(e, &send, &port);
  unsigned to = send_destination(e, send, port);
  enum hd_spec_point point = HD_POINT_SEND_CHILD;
  switch ((enum barrier_send)send) {
  case SEND_UP:
    if (!send_on(sw, cycle, step, !e->built, report_message(e, to, b->self)))
      goto waits;
    e->up = 0;
    point = e->built ? HD_POINT_SEND_REDUCE : HD_POINT_SEND_INITIAL;
    break;
  case SEND_LOCAL:
    if (!slot_open(sw, port))
      goto waits;
    point = e->failed ? HD_POINT_SEND_LOCAL_FAIL : HD_POINT_SEND_LOCAL;
    put_message(step, (int)port,
                e->failed ? hd_barrier_local(HD_FAIL, e->group)
                          : with_result(e, hd_barrier_local(HD_DISTRIBUTE, e->group)));
    e->to_local &= (uint16_t) ~(1u << port);
    break;
  case SEND_CHILD:
    if (!send_on(sw, cycle, step, false,
                 with_result(e, hd_barrier_message(HD_DISTRIBUTE, 0, e->group, to, b->self))))
      goto waits;
    e->to_child &= (uint16_t) ~(1u << port);
    break;
  }
  if (step->put_port >= 0)
    switch_cover(sw, point);
  source_done(sw);
  note_pending(sw, e);
  return;
waits:
  switch_cover(sw, HD_POINT_SEND_WAITS);
}

/* ── steps, §8.5 ────────────────────────────────────────────────────────────── */

/* Returns an entry of the barrier routing table. */
static uint16_t ways_to(const struct hd_switch *sw, unsigned destination)
{
  return destination < sw->params.switches ? barrier_ways(sw, barrier_of(sw))[destination] : 0;
}

/* Counts that the unit picks `source` among `sources`. */
static void cover_look(const struct hd_switch *sw, unsigned sources, unsigned source)
{
  const struct barrier_state *b = barrier_of(sw);
  if (sources & (sources - 1)) {
    switch_cover(sw, HD_POINT_LOOK_TIE_2 + switch_others(sources) - 1);
    if (source < b->unit.turn)
      switch_cover(sw, HD_POINT_LOOK_WRAPS);
  }
  if (source < sw->ports) {
    uint64_t message = b->input[source].queue[0];
    if (!is_local(message) && destination_of(message) >= sw->params.switches)
      switch_cover(sw, HD_POINT_NO_SWITCH);
    return;
  }
  const struct barrier_entry *e = &b->entries[__builtin_ctz(b->pending)];
  unsigned sends = e->to_local | (unsigned)e->to_child << 16;
  switch_cover(sw, HD_POINT_LOOK_TABLE);
  if (b->pending & (b->pending - 1))
    switch_cover(sw, HD_POINT_LOOK_ENTRIES);
  if (e->up ? sends : sends & (sends - 1))
    switch_cover(sw, HD_POINT_LOOK_SENDS);
}

static void observe_step(struct hd_switch *sw, struct barrier_state *b, unsigned sources)
{
  struct barrier_unit *unit = &b->unit;
  unit->source = (uint8_t)switch_first_from(sources, unit->turn);
  if (sw->coverage)
    cover_look(sw, sources, unit->source);
  if (unit->source < sw->ports) {
    unit->ways = ways_to(sw, destination_of(b->input[unit->source].queue[0]));
  } else {
    unsigned send, port;
    unit->entry = (uint8_t)__builtin_ctz(b->pending);
    const struct barrier_entry *e = &b->entries[unit->entry];
    first_send(e, &send, &port);
    unit->ways = ways_to(sw, send_destination(e, send, port));
  }
  unit->act = 1;
  sw->active++;
}

void hd_barrier_hold(struct hd_switch *sw)
{
  struct barrier_unit *unit = &barrier_of(sw)->unit;
  if (unit->act)
    switch_cover(sw, HD_POINT_WRITE_ACT);
  else if (barrier_of(sw)->queued_ports || barrier_of(sw)->pending)
    switch_cover(sw, HD_POINT_WRITE_LOOK);
  sw->active -= unit->act;
  unit->act = 0;
}

void hd_barrier_step(struct hd_switch *sw, uint64_t cycle, struct barrier_step *step)
{
  struct barrier_state *b = barrier_of(sw);
  struct barrier_unit *unit = &b->unit;
  *step = (struct barrier_step){.put_port = -1, .taken_port = -1};
  unsigned sources = b->queued_ports | (unsigned)(b->pending != 0) << sw->ports;
  if (!unit->act && !sources)
    return;
  b->step_cycle = cycle;
  if (!unit->act) {
    observe_step(sw, b, sources);
    return;
  }
  if (unit->source == sw->ports) {
    act_table(sw, cycle, step);
  } else if (act_message(sw, cycle, step, unit->source)) {
    struct barrier_input *in = &b->input[unit->source];
    source_done(sw);
    in->queue[0] = in->queue[1];
    if (!--in->queued)
      b->queued_ports &= (uint16_t) ~(1u << unit->source);
    sw->active--;
    b->taken_port = unit->source;
    b->taken_cycle = cycle;
    step->taken_port = unit->source;
  }
  unit->turn = (uint8_t)(unit->source == sw->ports ? 0 : unit->source + 1);
  unit->act = 0;
  sw->active--;
}
