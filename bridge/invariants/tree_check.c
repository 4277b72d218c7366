/* The invariants of the barrier's tree protocol, event by event (specification §8.13).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The check sorts a window's barrier flits and configuration writes by time. Then each message
 * updates the state of its group: members that arrived or were released, and the messages that
 * switches sent to each other. A message that a switch sends is either its own, or it was in
 * transit: it came in with another switch as destination.
 */
#include "tree_check.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 32, NOBODY = UINT32_MAX };

/* A message in transit in a switch. */
struct passing {
  uint64_t message;
  uint32_t sw;
};

/* The operator and the combined value that a group's members gave in a round so far (§8.14). */
struct values {
  uint32_t round, value; /* round 0: none */
  uint8_t operator_;
  bool differ;
};

/* A switch's messages for a group since the group was opened. */
struct node {
  bool open, root;
  uint16_t local; /* ports with members */
  /* reductions that it sent; distributions that it got; distributions that its parent sent to it */
  uint32_t reductions_sent, distributions_received, distributions_sent;
  /* Numbers of switches, or NOBODY. `below`: a BSR node through which its branch goes. */
  uint32_t parent, below;
  bool met; /* branches have met here, so the switch is a BSR node */
  /* A message in transit has met a branch here, but the check does not know which message. */
  bool unknown;
};

/* A group. Arrays by port are [n_switches × ports]. */
struct group {
  struct node *nodes;                     /* [n_switches]; NULL: the group was never opened */
  uint32_t *arrived, *answered, *refused; /* refused: arrivals that a fail message must answer */
  uint32_t members, rounds;               /* rounds: those at which all members have arrived */
  uint32_t arrived_next;                  /* members that have arrived at the next round */
  uint32_t answered_now;                  /* answers of the current round */
  struct values values[2];                /* of two successive rounds, which can overlap */
  bool failed;                            /* a member was told that a round failed */
  /* A fault happened since the group was opened, so messages may be lost. */
  bool faulty;
  /* The fault of `faulty` happened before all members had left the first round. */
  bool cut;
  struct passing *passing;
  size_t n_passing, cap_passing;
};

enum phase { OUT, IN, WRITE }; /* in their order within a cycle */

/* An event at the ports of a switch. */
struct seen {
  uint64_t cycle;
  uint64_t word;
  uint32_t sw, place; /* place: index in its list, which is in order of time */
  uint32_t address;   /* only of WRITE */
  uint8_t phase, port;
};

struct hd_tree_check {
  const struct hd_topology *t;
  bool two_flits;   /* a message has two flits (§7.1, parameter M) */
  bool valued;      /* messages carry values (§8.14) */
  uint16_t *low[2]; /* [n_switches × ports × vcs], OUT and IN: first of two flits */
  uint32_t vcs;
  uint16_t *center, *local; /* [n_switches]: the values written last */
  struct seen *seen;
  size_t n_seen, cap_seen;
  struct group groups[GROUPS];
  struct hd_tree_check_counts counts;
};

/* ── creation and destruction ─────────────────────────────────────────────── */

struct hd_tree_check *hd_tree_check_create(const struct hd_topology *topology,
                                           const struct hd_switch_params *params)
{
  if (!params->barrier)
    return NULL;
  struct hd_tree_check *c = hd_xcalloc(1, sizeof *c);
  size_t n = topology->n_switches, channels = n * topology->ports * params->vcs;
  c->t = topology;
  c->two_flits = params->data_bits == 16;
  c->valued = params->values;
  c->vcs = params->vcs;
  c->low[OUT] = hd_xcalloc(channels, sizeof *c->low[OUT]);
  c->low[IN] = hd_xcalloc(channels, sizeof *c->low[IN]);
  c->center = hd_xcalloc(n, sizeof *c->center);
  c->local = hd_xcalloc(n, sizeof *c->local);
  return c;
}

void hd_tree_check_destroy(struct hd_tree_check *c)
{
  if (!c)
    return;
  for (uint32_t i = 0; i < GROUPS; i++) {
    free(c->groups[i].nodes);
    free(c->groups[i].arrived);
    free(c->groups[i].passing);
  }
  free(c->low[OUT]);
  free(c->low[IN]);
  free(c->center);
  free(c->local);
  free(c->seen);
  free(c);
}

struct hd_tree_check_counts hd_tree_check_counts(const struct hd_tree_check *c)
{
  return c ? c->counts : (struct hd_tree_check_counts){0};
}

static void group_init(const struct hd_tree_check *c, struct group *g)
{
  size_t n = c->t->n_switches, ports = n * c->t->ports;
  if (g->nodes)
    return;
  g->nodes = hd_xcalloc(n, sizeof *g->nodes);
  g->arrived = hd_xcalloc(3 * ports, sizeof *g->arrived);
  g->answered = g->arrived + ports;
  g->refused = g->arrived + 2 * ports;
  for (size_t i = 0; i < n; i++)
    g->nodes[i].parent = g->nodes[i].below = NOBODY;
}

/* ── fields of a message, §8.1 ────────────────────────────────────────────── */

static enum hd_barrier_type type_of(uint64_t m)
{
  return (enum hd_barrier_type)(m & 3);
}
static unsigned tag_of(uint64_t m)
{
  return (unsigned)m >> 2 & 3;
}
static unsigned group_of(uint64_t m)
{
  return (unsigned)m >> 4 & 31;
}
static uint32_t destination_of(uint64_t m)
{
  return (uint32_t)m >> 9 & 0x7ff;
}
static uint32_t bsr_of(uint64_t m)
{
  return (uint32_t)m >> 20 & 0x7ff;
}
static bool is_local(uint64_t m)
{
  return m >> 31 & 1;
}

/* Fails with the rule that the event `at` breaks. */
static int fail_rule(const struct seen *at, unsigned rule, struct hd_error *err, const char *what,
                     uint32_t a, uint32_t b)
{
  static const char *const types[] = {"reduce", "distribute", "initial reduce", "fail"};
  char text[200];
  snprintf(text, sizeof text, what, a, b);
  return hd_fail(err, HD_E_INVARIANT,
                 "rule T%u (specification 8.13), cycle %" PRIu64 ", switch %" PRIu32
                 " %s %u, group %u, %s%s %08" PRIx64 ": %s",
                 rule, at->cycle, at->sw, at->phase == OUT ? "output" : "input", at->port,
                 group_of(at->word), is_local(at->word) ? "local " : "", types[type_of(at->word)],
                 at->word, text);
}

/* ── members, T1 to T3 ────────────────────────────────────────────────────── */

static size_t port_of(const struct hd_tree_check *c, uint32_t sw, uint32_t port)
{
  return (size_t)sw * c->t->ports + port;
}

/* Returns the number of rounds at which all members of a switch have arrived. */
static uint32_t locals_arrived(const struct hd_tree_check *c, const struct group *g, uint32_t sw)
{
  uint32_t least = UINT32_MAX;
  for (unsigned left = g->nodes[sw].local; left; left &= left - 1) {
    uint32_t n = g->arrived[port_of(c, sw, (uint32_t)__builtin_ctz(left))];
    least = n < least ? n : least;
  }
  return least;
}

/* Finds a member that has not arrived at round `round`, for the error message. */
static uint32_t missing_member(const struct hd_tree_check *c, const struct group *g, uint32_t round)
{
  for (uint32_t sw = 0; sw < c->t->n_switches; sw++)
    for (unsigned left = g->nodes[sw].local; left; left &= left - 1) {
      uint32_t port = (uint32_t)__builtin_ctz(left);
      if (g->arrived[port_of(c, sw, port)] < round)
        return c->t->peers[port_of(c, sw, port)].index;
    }
  return NOBODY;
}

/* Combines a member's value with the other values of its round. */
static void combine_value(struct group *g, uint32_t round, uint64_t message)
{
  struct values *v = &g->values[round & 1];
  const uint32_t value = hd_barrier_value_of(message);
  const uint8_t operator_ = (uint8_t)hd_barrier_operator_of(message);
  if (v->round != round) {
    *v = (struct values){.round = round, .value = value, .operator_ = operator_};
    return;
  }
  v->differ |= v->operator_ != operator_;
  if (operator_ == HD_BARRIER_SUM)
    v->value += value;
  else if (operator_ == HD_BARRIER_MINIMUM ? value < v->value : value > v->value)
    v->value = value;
}

static void member_arrives(const struct hd_tree_check *c, struct group *g, const struct seen *at)
{
  const struct node *node = &g->nodes[at->sw];
  size_t port = port_of(c, at->sw, at->port);
  bool member = node->open && node->local >> at->port & 1;
  if (type_of(at->word) != HD_REDUCE)
    return;
  const bool early = c->valued && !g->arrived[port] && hd_barrier_operator_of(at->word);
  if (!member || g->arrived[port] > g->answered[port] || early) {
    g->refused[port]++;
    return;
  }
  g->arrived[port]++;
  if (c->valued)
    combine_value(g, g->arrived[port], at->word);
  if (g->arrived[port] == g->rounds + 1 && ++g->arrived_next == g->members) {
    g->rounds++;
    g->arrived_next = 0;
    for (uint32_t sw = 0; sw < c->t->n_switches; sw++)
      for (unsigned left = g->nodes[sw].local; left; left &= left - 1)
        g->arrived_next += g->arrived[port_of(c, sw, (uint32_t)__builtin_ctz(left))] > g->rounds;
  }
}

/* Checks a release of round `round` that leaves a switch: rules T1, T3 and T7. */
static int check_release(const struct hd_tree_check *c, const struct group *g,
                         const struct seen *at, uint32_t round, struct hd_error *err)
{
  const struct node *node = &g->nodes[at->sw];
  if (round > g->rounds)
    return fail_rule(at, 1, err, "round %u is released before node %u has arrived at it", round,
                     missing_member(c, g, round));
  if (!g->cut && !node->root && round > node->distributions_received)
    return fail_rule(at, 3, err, "round %u is released, but the switch was told of %u only", round,
                     node->distributions_received);
  if (g->cut && round > 1)
    return fail_rule(at, 7, err,
                     "round %u is released by a tree that a fault met before all had left round %u",
                     round, 1);
  return HD_OK;
}

/* Checks rule T9: operator and value of a release are those of the round's members. */
static int check_value(const struct group *g, const struct seen *at, uint32_t round,
                       struct hd_error *err)
{
  const struct values *v = &g->values[round & 1];
  const uint32_t operator_ = v->differ ? HD_BARRIER_NO_VALUE : v->operator_;
  const uint32_t value = operator_ ? v->value : 0;
  if (g->failed || v->round != round)
    return HD_OK;
  if (hd_barrier_operator_of(at->word) != operator_)
    return fail_rule(at, 9, err, "its operator is %u, and the members of this round named %u",
                     hd_barrier_operator_of(at->word), operator_);
  if (hd_barrier_value_of(at->word) != value)
    return fail_rule(at, 9, err,
                     "its value is 0x%08x, and that of all members of this round 0x%08x",
                     hd_barrier_value_of(at->word), value);
  return HD_OK;
}

static int member_is_answered(struct hd_tree_check *c, struct group *g, const struct seen *at,
                              struct hd_error *err)
{
  size_t port = port_of(c, at->sw, at->port);
  bool owed = g->arrived[port] > g->answered[port];
  if (type_of(at->word) == HD_FAIL) {
    if (!owed && !g->refused[port])
      return fail_rule(at, 2, err, "nobody has arrived there since the last of %u answers",
                       g->answered[port], 0);
    if (g->refused[port]) {
      g->refused[port]--;
    } else {
      g->answered[port]++;
      g->failed = true;
    }
    return HD_OK;
  }
  if (!owed)
    return fail_rule(at, 2, err, "nobody has arrived there since the last of %u answers",
                     g->answered[port], 0);
  int status = check_release(c, g, at, ++g->answered[port], err);
  if (!status && c->valued)
    status = check_value(g, at, g->answered[port], err);
  if (++g->answered_now == g->members) {
    g->answered_now = 0;
    c->counts.rounds++;
  }
  return status;
}

/* ── messages of the switch itself, T3 to T6 ──────────────────────────────── */

static int own_reduce(const struct hd_tree_check *c, struct group *g, const struct seen *at,
                      struct hd_error *err)
{
  struct node *node = &g->nodes[at->sw];
  bool first = type_of(at->word) == HD_INITIAL_REDUCE;
  if (node->root || (first ? !node->local || node->reductions_sent : node->parent == NOBODY))
    return fail_rule(at, 4, err, "the switch has sent %u reductions, and has none to send",
                     node->reductions_sent, 0);
  if (!first && destination_of(at->word) != node->parent)
    return fail_rule(at, 5, err, "it goes to switch %u, and the parent is switch %u",
                     destination_of(at->word), node->parent);
  uint32_t round = ++node->reductions_sent;
  if (locals_arrived(c, g, at->sw) < round)
    return fail_rule(at, 4, err, "round %u is reported, but own members have arrived at %u only",
                     round, locals_arrived(c, g, at->sw));
  for (uint32_t sw = 0; !first && sw < c->t->n_switches; sw++)
    if (g->nodes[sw].parent == at->sw && g->nodes[sw].reductions_sent < round)
      return fail_rule(at, 4, err, "round %u is reported before child switch %u has", round, sw);
  return HD_OK;
}

static int own_distribute(const struct hd_tree_check *c, struct group *g, const struct seen *at,
                          struct hd_error *err)
{
  uint32_t to = destination_of(at->word);
  if (to >= c->t->n_switches)
    return fail_rule(at, 5, err, "there is no switch %u (%u switches)", to, c->t->n_switches);
  struct node *child = &g->nodes[to];
  if (child->root || to == at->sw || (child->parent != NOBODY && child->parent != at->sw))
    return fail_rule(at, 5, err, "switch %u has parent %u, or is the center", to, child->parent);
  child->parent = at->sw;
  if (!child->reductions_sent) /* branches meet at this switch, and initial reductions pass it */
    child->reductions_sent = 1;
  if (child->distributions_sent == child->reductions_sent)
    return fail_rule(at, 4, err, "switch %u has reported %u rounds, and was told of each", to,
                     child->reductions_sent);
  return check_release(c, g, at, ++child->distributions_sent, err);
}

/* ── messages in transit, T5, T6 ──────────────────────────────────────────── */

/* Records that branches meet at `at->sw`; switch `bsr` is below it. */
static int record_junction(struct group *g, const struct seen *at, uint32_t bsr,
                           struct hd_error *err)
{
  uint32_t above = at->sw;
  while (above != bsr && above != NOBODY)
    above = g->nodes[above].below;
  if (above == bsr)
    return fail_rule(at, 6, err,
                     "the branch of switch %u goes through switch %u, which is below it", bsr,
                     at->sw);
  if (g->nodes[bsr].below == NOBODY)
    g->nodes[bsr].below = at->sw;
  return HD_OK;
}

/* Tests whether message `in` may have become `out` in a switch that it passes. Its bsr field
 * does not change. */
static bool becomes(uint64_t in, uint64_t out)
{
  const uint64_t tag = UINT64_C(3) << 2;
  if (in == out)
    return true;
  if (type_of(in) != HD_INITIAL_REDUCE)
    return false;
  if (type_of(out) == HD_FAIL) /* the switch's table is full */
    return (in | HD_FAIL) == out;
  return tag_of(out) == 2 && tag_of(in) < 2 && (in & ~tag) == (out & ~tag);
}

/* Tests whether branches may meet at the switch. They do if an initial reduction comes in with
 * tag 0 and leaves with tag 1 and another bsr. If several such messages are in transit, the
 * check cannot know which one it was until the others have left. */
static bool may_meet(const struct passing *p, uint32_t sw)
{
  return p->sw == sw && type_of(p->message) == HD_INITIAL_REDUCE && tag_of(p->message) == 0;
}

static size_t count_may_meet(const struct group *g, uint32_t sw)
{
  size_t n = 0;
  for (size_t i = 0; i < g->n_passing; i++)
    n += may_meet(&g->passing[i], sw);
  return n;
}

static void settle_junction(struct group *g, uint32_t sw)
{
  struct node *node = &g->nodes[sw];
  size_t left = 0;
  if (!node->unknown || count_may_meet(g, sw) > 1)
    return;
  for (size_t i = 0; i < g->n_passing; i++)
    if (!may_meet(&g->passing[i], sw))
      g->passing[left++] = g->passing[i];
  g->n_passing = left;
  node->unknown = false;
}

static int branches_meet(struct group *g, const struct seen *at, struct hd_error *err)
{
  struct node *node = &g->nodes[at->sw];
  if (node->met || node->local || !count_may_meet(g, at->sw))
    return fail_rule(at, 5, err, "switch %u is a BSR node already, or nothing has come in to meet",
                     at->sw, 0);
  node->met = node->unknown = true;
  settle_junction(g, at->sw);
  return HD_OK;
}

/* Finds a message in transit that may have become `at`, and removes it from the list. *in is the
 * message as it came in. */
static bool remove_passing(struct group *g, const struct seen *at, uint64_t *in)
{
  size_t found = g->n_passing;
  for (size_t i = 0; i < g->n_passing; i++) {
    const struct passing *p = &g->passing[i];
    if (p->sw != at->sw || !becomes(p->message, at->word))
      continue;
    if (found == g->n_passing || p->message == at->word)
      found = i;
    if (p->message == at->word)
      break;
  }
  if (found == g->n_passing)
    return false;
  *in = g->passing[found].message;
  memmove(&g->passing[found], &g->passing[found + 1],
          (--g->n_passing - found) * sizeof *g->passing);
  settle_junction(g, at->sw);
  return true;
}

static int message_leaves(struct hd_tree_check *c, struct group *g, const struct seen *at,
                          struct hd_error *err)
{
  uint64_t in;
  if (remove_passing(g, at, &in)) {
    bool joins = type_of(at->word) == HD_INITIAL_REDUCE && tag_of(at->word) == 2 && tag_of(in) < 2;
    return joins && !g->cut ? record_junction(g, at, bsr_of(in), err) : HD_OK;
  }
  if (g->cut) /* after a fault the branches may not be a tree; T7 keeps members from using it */
    return HD_OK;
  if (type_of(at->word) == HD_INITIAL_REDUCE && tag_of(at->word) == 1 && bsr_of(at->word) == at->sw)
    return branches_meet(g, at, err);
  if (bsr_of(at->word) != at->sw || type_of(at->word) == HD_FAIL ||
      (type_of(at->word) == HD_INITIAL_REDUCE && tag_of(at->word)))
    return fail_rule(at, 5, err, "no such message has come in (bsr %u, switch %u)",
                     bsr_of(at->word), at->sw);
  if (type_of(at->word) == HD_DISTRIBUTE)
    return own_distribute(c, g, at, err);
  return own_reduce(c, g, at, err);
}

static void message_enters(struct group *g, const struct seen *at)
{
  struct node *node = &g->nodes[at->sw];
  if (destination_of(at->word) != at->sw) {
    HD_XROOM(g->passing, g->cap_passing, g->n_passing, 1);
    g->passing[g->n_passing++] = (struct passing){at->word, at->sw};
  } else if (type_of(at->word) == HD_DISTRIBUTE && bsr_of(at->word) == node->parent)
    node->distributions_received++;
}

static int message(struct hd_tree_check *c, const struct seen *at, struct hd_error *err)
{
  struct group *g = &c->groups[group_of(at->word)];
  bool local = is_local(at->word);
  c->counts.messages++;
  if (!g->nodes) /* arrivals before the group is open are refused */
    return local && at->phase == OUT && type_of(at->word) == HD_DISTRIBUTE
               ? fail_rule(at, 2, err, "there is no such group", 0, 0)
               : HD_OK;
  if (local && at->phase == IN) {
    member_arrives(c, g, at);
    return HD_OK;
  }
  if (local)
    return member_is_answered(c, g, at, err);
  if (bsr_of(at->word) >= c->t->n_switches)
    return fail_rule(at, 5, err, "there is no switch %u (%u switches)", bsr_of(at->word),
                     c->t->n_switches);
  if (at->phase == OUT)
    return message_leaves(c, g, at, err);
  message_enters(g, at);
  return HD_OK;
}

/* ── configuration, §8.6 ──────────────────────────────────────────────────── */

static void open_at(struct hd_tree_check *c, struct group *g, uint32_t sw)
{
  struct node *node = &g->nodes[sw];
  if (node->open)
    return;
  node->open = true;
  node->root = c->center[sw] == sw;
  node->local = c->local[sw];
  g->members += (uint32_t)__builtin_popcount(node->local);
}

static void close_at(struct hd_tree_check *c, struct group *g, uint32_t sw)
{
  struct node *node = &g->nodes[sw];
  size_t left = 0;
  g->members -= (uint32_t)__builtin_popcount(node->local);
  *node = (struct node){.parent = NOBODY, .below = NOBODY};
  memset(&g->arrived[port_of(c, sw, 0)], 0, c->t->ports * sizeof *g->arrived);
  memset(&g->answered[port_of(c, sw, 0)], 0, c->t->ports * sizeof *g->answered);
  for (size_t i = 0; i < g->n_passing; i++)
    if (g->passing[i].sw != sw)
      g->passing[left++] = g->passing[i];
  g->n_passing = left;
  g->rounds = g->arrived_next = g->answered_now = 0;
  memset(g->values, 0, sizeof g->values);
  g->failed = g->faulty = g->cut = false;
}

static bool first_round_is_over(const struct hd_tree_check *c, const struct group *g)
{
  for (uint32_t sw = 0; sw < c->t->n_switches; sw++)
    for (unsigned left = g->nodes[sw].local; left; left &= left - 1)
      if (!g->answered[port_of(c, sw, (uint32_t)__builtin_ctz(left))])
        return false;
  return true;
}

static bool has_begun(const struct hd_tree_check *c, const struct group *g)
{
  for (uint32_t sw = 0; sw < c->t->n_switches; sw++)
    for (unsigned left = g->nodes[sw].local; left; left &= left - 1)
      if (g->arrived[port_of(c, sw, (uint32_t)__builtin_ctz(left))])
        return true;
  return false;
}

/* Marks open groups after a write of LIVE, which means that a link has failed (§5.10). */
static void mark_fault(struct hd_tree_check *c)
{
  for (uint32_t i = 0; i < GROUPS; i++) {
    struct group *g = &c->groups[i];
    if (!g->nodes)
      continue;
    g->faulty = true;
    g->cut |= has_begun(c, g) && !first_round_is_over(c, g);
  }
}

static void configuration(struct hd_tree_check *c, const struct seen *at)
{
  struct group *g = &c->groups[at->word & 31];
  switch (at->address) {
  case HD_CFG_CENTER:
    c->center[at->sw] = (uint16_t)at->word & 0x7ff;
    break;
  case HD_CFG_LOCAL:
    c->local[at->sw] = (uint16_t)at->word;
    break;
  case HD_CFG_LIVE:
    mark_fault(c);
    break;
  case HD_CFG_OPEN:
    group_init(c, g);
    open_at(c, g, at->sw);
    break;
  case HD_CFG_CLOSE:
    if (g->nodes)
      close_at(c, g, at->sw);
    break;
  default:
    break;
  }
}

/* ── windows ──────────────────────────────────────────────────────────────── */

static void add_event(struct hd_tree_check *c, const struct seen *seen)
{
  HD_XROOM(c->seen, c->cap_seen, c->n_seen, 1);
  c->seen[c->n_seen++] = *seen;
}

static void add_flits(struct hd_tree_check *c, uint64_t start, uint32_t sw, enum phase phase,
                      const struct hd_flit_event *flits, uint32_t n, uint32_t end)
{
  for (uint32_t i = 0; i < n && flits[i].cycle < end; i++) {
    const struct hd_flit_event *e = &flits[i];
    bool low = e->kind == HD_KIND_BARRIER, last = e->kind == HD_KIND_BARRIER_LAST;
    if ((!low && !last) || e->vc >= c->vcs || e->port >= c->t->ports)
      continue;
    uint16_t *half = &c->low[phase][port_of(c, sw, e->port) * c->vcs + e->vc];
    if (low)
      *half = (uint16_t)e->data;
    const uint64_t word = c->two_flits ? (e->data & 0xffff) << 16 | *half
                          : c->valued  ? e->data
                                       : (uint32_t)e->data;
    if (last)
      add_event(c, &(struct seen){.cycle = start + e->cycle,
                                  .sw = sw,
                                  .word = word,
                                  .place = i,
                                  .phase = (uint8_t)phase,
                                  .port = e->port});
  }
}

static void add_writes(struct hd_tree_check *c, uint64_t start, uint32_t sw,
                       const struct hd_switch_record *r, uint32_t end)
{
  for (uint32_t i = 0; i < r->n_configs_in && r->configs_in[i].cycle < end; i++)
    add_event(c, &(struct seen){.cycle = start + r->configs_in[i].cycle,
                                .sw = sw,
                                .word = r->configs_in[i].data,
                                .place = i,
                                .address = r->configs_in[i].addr,
                                .phase = WRITE});
}

static int in_order(const void *left, const void *right)
{
  const struct seen *a = left, *b = right;
  if (a->cycle != b->cycle)
    return a->cycle < b->cycle ? -1 : 1;
  if (a->phase != b->phase)
    return a->phase < b->phase ? -1 : 1;
  if (a->sw != b->sw)
    return a->sw < b->sw ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

int hd_tree_check_window(struct hd_tree_check *c, const struct hd_record *record, uint32_t cycles,
                         struct hd_error *err)
{
  int status = HD_OK;
  if (!c)
    return HD_OK;
  c->n_seen = 0;
  for (uint32_t sw = 0; sw < record->n_switches; sw++) {
    const struct hd_switch_record *r = &record->switches[sw];
    add_flits(c, record->start, sw, OUT, r->flits_out, r->n_flits_out, cycles + 1);
    add_flits(c, record->start, sw, IN, r->flits_in, r->n_flits_in, cycles);
    add_writes(c, record->start, sw, r, cycles);
  }
  if (c->n_seen)
    qsort(c->seen, c->n_seen, sizeof *c->seen, in_order);
  for (size_t i = 0; i < c->n_seen && !status; i++)
    if (c->seen[i].phase == WRITE)
      configuration(c, &c->seen[i]);
    else
      status = message(c, &c->seen[i], err);
  return status;
}

/* ── end of a run, T8 ─────────────────────────────────────────────────────── */

static int end_of_group(const struct hd_tree_check *c, uint32_t number, struct hd_error *err)
{
  const struct group *g = &c->groups[number];
  if (!g->nodes || !g->members || g->failed || g->faulty)
    return HD_OK;
  if (g->n_passing)
    return hd_fail(err, HD_E_INVARIANT,
                   "rule T8 (specification 8.13): message %08" PRIx64 " of group %" PRIu32
                   " came into switch %" PRIu32 " and did not leave it",
                   g->passing[0].message, number, g->passing[0].sw);
  for (uint32_t sw = 0; sw < c->t->n_switches; sw++)
    for (unsigned left = g->nodes[sw].local; left; left &= left - 1) {
      size_t port = port_of(c, sw, (uint32_t)__builtin_ctz(left));
      if (g->answered[port] < g->rounds)
        return hd_fail(err, HD_E_INVARIANT,
                       "rule T8 (specification 8.13): group %" PRIu32 ": all members have arrived "
                       "at %" PRIu32 " rounds, node %" PRIu32 " was released from %" PRIu32,
                       number, g->rounds, c->t->peers[port].index, g->answered[port]);
    }
  return HD_OK;
}

int hd_tree_check_end(const struct hd_tree_check *c, struct hd_error *err)
{
  int status = HD_OK;
  for (uint32_t i = 0; c && i < GROUPS && !status; i++)
    status = end_of_group(c, i, err);
  return status;
}
