/* The rules at ports (specification §6.7): each is found in the cycle, switch, port and channel that break it, and
 * right switches break none.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The DUT is the model, in which outputs or inputs of one switch are changed. So the test knows the place before the
 * watch reports it. HD_SEED=7 build/opt/unit/test_port_watch replays a seed.
 */
#include "../lib/dice.h"
#include "../lib/lockstep_mesh.h"
#include "../lib/test.h"

enum {
  NODES = 16,
  CYCLES = 1200,
  DEPTH = 4,
  CORNER = 0,
  MIDDLE = 5,
  WRONG_NODE = 14,
  WRONG_PORT = 0
};

/* Faults planted in switch `where` from cycle `from` on, once or until it breaks a rule. */
enum plant {
  NOTHING,
  CREDITS_TWICE, /* the switch gets every credit twice */
  CREDIT_TOO_MUCH,
  CREDIT_KEPT,
  HEAD_AS_BODY,
  TAIL_AS_BODY,
  RESERVED_KIND,
  CHANNEL_TOO_HIGH,
  FLIT_TO_NOBODY,
  HEAD_CHANGED,
  HEAD_MADE_UP,
  HEAD_TWICE,
  OTHER_TABLE, /* its entries for a node lead elsewhere, from the start on */
};

static struct hd_dut_ops ops;
static enum plant plant;
static uint64_t from;
static bool planted;
static struct hd_port_break expected_break; /* where the rule is broken, but for `what` */
static const struct hd_topology *topology;
static uint32_t broken_switch;
/* State of the outputs of that switch: flits without a credit, channels on which a packet is under way. */
static unsigned unanswered[HD_MAX_PORTS][HD_MAX_VCS], open_channels[HD_MAX_PORTS];

static void note_break(enum hd_port_rule rule, uint64_t cycle, unsigned port, unsigned vc)
{
  planted = true;
  expected_break = (struct hd_port_break){
      .rule = rule, .cycle = cycle, .sw = broken_switch, .port = (uint8_t)port, .vc = (uint8_t)vc};
}

/* ── the DUT ───────────────────────────────────────────────────────────────── */

static int write_table(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                       struct hd_error *err)
{
  if (plant == OTHER_TABLE && sw == broken_switch && addr >> 16 == 1 &&
      (addr & 0xfff) == WRONG_NODE)
    data = hd_table_entry(WRONG_PORT, 3);
  return hd_dut_model_backend()->config_write(dut, sw, addr, data, err);
}

static bool is_head(const struct hd_flit_event *e)
{
  return (e->kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD;
}

static void take_credits(const struct hd_credit_event *credits, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    for (unsigned vc = 0; vc < 2; vc++)
      unanswered[credits[i].port][vc] -=
          (credits[i].vcs >> vc & 1) && unanswered[credits[i].port][vc];
}

/* Follows the outputs of the switch before any of them is changed. */
static void follow_outputs(const struct hd_dut_job *job)
{
  for (uint32_t i = 0; i < job->n_flits_out; i++) {
    const struct hd_flit_event *e = &job->flits_out[i];
    open_channels[e->port] &= ~(1u << e->vc);
    open_channels[e->port] |= e->kind & HD_KIND_TAIL ? 0 : 1u << e->vc;
    if (++unanswered[e->port][e->vc] > DEPTH && plant == CREDITS_TWICE && !planted)
      note_break(HD_PORT_CREDIT, job->start + 1, e->port, e->vc);
  }
}

/* A switch in a corner of the mesh has two ports without a link. */
static uint8_t port_to_nobody(void)
{
  for (uint32_t port = 0; port < topology->ports; port++)
    if (topology->peers[(size_t)broken_switch * topology->ports + port].kind == HD_PEER_NONE)
      return (uint8_t)port;
  return 0xff;
}

/* In the order of ports (§6.1). */
static void add_flit(struct hd_dut_job *job, struct hd_flit_event flit)
{
  uint32_t at = job->n_flits_out++;
  for (flit.cycle = 1; at > 0 && job->flits_out[at - 1].port > flit.port; at--)
    job->flits_out[at] = job->flits_out[at - 1];
  job->flits_out[at] = flit;
}

static void change_flit(struct hd_flit_event *e, uint64_t cycle)
{
  const bool up = plant == HEAD_MADE_UP;
  switch (plant) {
  case HEAD_AS_BODY:
    if (e->kind != HD_KIND_HEAD)
      return;
    e->kind = HD_KIND_BODY;
    break;
  case RESERVED_KIND:
    e->kind = 5;
    break;
  case TAIL_AS_BODY:
    if (e->kind != HD_KIND_TAIL)
      return;
    e->kind = HD_KIND_BODY;
    note_break(HD_PORT_DAMAGED, cycle, e->port, e->vc);
    return;
  case HEAD_CHANGED:
  case HEAD_MADE_UP:
    if (!is_head(e))
      return;
    e->data ^= up ? 0x7ff8 : 0x8000;
    note_break(up ? HD_PORT_ORIGIN : HD_PORT_DAMAGED, cycle, e->port, e->vc);
    return;
  default:
    return;
  }
  note_break(HD_PORT_FRAMING, cycle, e->port, e->vc);
}

static void plant_break(struct hd_dut_job *job)
{
  const uint64_t cycle = job->start + 1;
  for (uint32_t i = 0; i < job->n_flits_out && !planted; i++)
    change_flit(&job->flits_out[i], cycle);
  if (planted)
    return;
  if (plant == OTHER_TABLE)
    for (uint32_t i = 0; i < job->n_flits_out && !planted; i++) {
      const struct hd_flit_event *e = &job->flits_out[i];
      if (is_head(e) && (e->data >> 2 & 15) == WRONG_NODE)
        note_break(HD_PORT_ROUTE, cycle, e->port, e->vc);
    }
  if (plant == FLIT_TO_NOBODY) {
    add_flit(job, (struct hd_flit_event){.port = port_to_nobody(), .kind = HD_KIND_SINGLE});
    note_break(HD_PORT_LINK, cycle, port_to_nobody(), 0);
  }
  if (plant == CREDIT_KEPT && job->n_credits_out) {
    const struct hd_credit_event kept = job->credits_out[0];
    memmove(job->credits_out, job->credits_out + 1, --job->n_credits_out * sizeof kept);
    note_break(HD_PORT_OWED, 0, kept.port, (unsigned)__builtin_ctz(kept.vcs));
  }
  /* Nothing has come in by now. */
  if (plant == CREDIT_TOO_MUCH) {
    job->credits_out[job->n_credits_out++] =
        (struct hd_credit_event){.cycle = 1, .port = 2, .vcs = 2};
    note_break(HD_PORT_SURPLUS, cycle, 2, 1);
  }
  if (plant == HEAD_TWICE && job->n_flits_out == 1 && job->flits_out[0].kind == HD_KIND_SINGLE) {
    struct hd_flit_event again = job->flits_out[0];
    if (again.port == topology->ports - 1)
      return;
    again.port++;
    if (open_channels[again.port] || unanswered[again.port][again.vc] >= DEPTH)
      return;
    add_flit(job, again);
    note_break(HD_PORT_DOUBLED, cycle, again.port, again.vc);
  }
  if (plant == CHANNEL_TOO_HIGH && job->n_flits_out) {
    job->flits_out[0].vc = 3;
    note_break(HD_PORT_FRAMING, cycle, job->flits_out[0].port, 3);
  }
}

static int run_planted(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  static struct hd_credit_event twice[2 * HD_MAX_PORTS];
  for (size_t j = 0; j < n; j++) {
    struct hd_dut_job *job = &jobs[j];
    const struct hd_credit_event *credits = job->credits_in;
    const uint32_t n_credits = job->n_credits_in;
    uint32_t m = 0;
    bool here = job->sw == broken_switch && job->start >= from;
    /* The model takes a credit event of a port a cycle, so the second comes with the next credits. */
    if (plant == CREDITS_TWICE && here) {
      for (uint32_t i = 0; i < n_credits; i++)
        twice[m++] = credits[i];
      for (uint32_t port = 0; port < topology->ports; port++) {
        bool has = false;
        for (uint32_t i = 0; i < n_credits; i++)
          has |= credits[i].port == port;
        uint8_t vcs = 0;
        for (unsigned vc = 0; vc < 2; vc++)
          vcs |= (uint8_t)((unanswered[port][vc] > 1) << vc);
        if (!has && vcs)
          twice[m++] = (struct hd_credit_event){.port = (uint8_t)port, .vcs = vcs};
      }
      job->credits_in = twice;
      job->n_credits_in = m;
    }
    int status = hd_dut_model_backend()->run(dut, job, 1, err);
    job->credits_in = credits;
    job->n_credits_in = n_credits;
    if (status)
      return status;
    if (job->sw != broken_switch)
      continue;
    take_credits(credits, n_credits);
    follow_outputs(job);
    if (here && !planted)
      plant_break(job);
  }
  return HD_OK;
}

/* ── runs ──────────────────────────────────────────────────────────────────── */

struct traffic {
  uint64_t random, cycle;
};

static int begin_cycle(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  struct traffic *t = context;
  t->cycle = cycle;
  for (uint32_t node = 0; cycle > 5 && cycle < CYCLES && node < NODES; node++) {
    uint64_t random = next_random(&t->random);
    /* A switch that has a credit too many shows this only if many flits want one port. */
    if (random % 100 >= (plant == CREDITS_TWICE ? 40 : 6))
      continue;
    struct hd_packet p = {.source = node,
                          .destination =
                              plant == CREDITS_TWICE ? 7 : (uint32_t)(random >> 32) % NODES,
                          .flits = 1 + (uint32_t)(random >> 40) % 5};
    uint32_t number;
    int status = hd_fabric_send(fabric, &p, &number, err);
    if (status)
      return status;
  }
  return 0;
}

static bool finished(void *context)
{
  return ((const struct traffic *)context)->cycle >= CYCLES;
}

static int run(uint64_t seed, enum plant what, uint64_t first, struct hd_lockstep_result *result)
{
  struct mesh mesh;
  struct traffic traffic = {.random = seed};
  plant = what;
  from = first;
  planted = false;
  expected_break.rule = HD_PORT_NONE;
  broken_switch = what == FLIT_TO_NOBODY ? CORNER : MIDDLE;
  memset(unanswered, 0, sizeof unanswered);
  memset(open_channels, 0, sizeof open_channels);
  ops = *hd_dut_model_backend();
  ops.run = run_planted;
  ops.config_write = write_table;
  mesh_open(&mesh);
  topology = &mesh.topology;
  if (what == CHANNEL_TOO_HIGH) /* three channels have a fourth number */
    mesh.params.sw.vcs = 3;
  struct hd_lockstep_params p = {
      .dut = &ops,
      .mode = HD_MODE_CLOSED,
      .compare = HD_COMPARE_PACKETS,
      .window_cycles = 1,
      .threads = 1,
      .watchdog_cycles = 500,
      .rules = true,
      .hooks = {.context = &traffic, .cycle_begin = begin_cycle, .finished = finished}};
  int status = mesh_run(&mesh, p, 100000, result, &why);
  mesh_close(&mesh);
  return status;
}

static void expect_found(enum plant what, uint64_t first)
{
  struct dice dice = dice_begin("expect_found", "test_port_watch");
  struct hd_lockstep_result result;
  const struct hd_divergence *d = &result.divergence;
  int status = run(dice.state + what, what, first, &result);
  assert_true(planted);
  assert_int_equal(status, HD_E_DIVERGENCE);
  if (d->difference != HD_DIFF_RULE || d->broken.rule != expected_break.rule)
    fail_msg("plant %d, cycle %llu: found %s, cycle %llu, switch %u, port %u: %s", what,
             (unsigned long long)expected_break.cycle, hd_divergence_name(d),
             (unsigned long long)d->cycle, d->sw, d->port, d->broken.what);
  assert_int_equal(d->sw, broken_switch);
  assert_int_equal(d->port, expected_break.port);
  assert_int_equal(d->vc, expected_break.vc);
  if (expected_break.rule != HD_PORT_OWED)
    assert_int_equal(d->cycle, expected_break.cycle);
  assert_true(strlen(d->broken.what) > 20);
  assert_string_equal(hd_divergence_name(d), hd_port_rule_name(expected_break.rule));
  printf("%s: cycle %llu, switch %u: %s\n", hd_port_rule_number(expected_break.rule),
         (unsigned long long)d->cycle, d->sw, d->broken.what);
}

TEST(a_flit_without_a_credit_is_found)
{
  expect_found(CREDITS_TWICE, 50);
}

TEST(a_credit_for_a_free_slot_is_found)
{
  expect_found(CREDIT_TOO_MUCH, 3);
}

TEST(a_credit_that_is_never_returned_is_found)
{
  expect_found(CREDIT_KEPT, 100);
}

TEST(flits_that_do_not_form_a_packet_are_found)
{
  for (int what = HEAD_AS_BODY; what <= CHANNEL_TOO_HIGH; what++)
    expect_found((enum plant)what, 40);
}

TEST(a_flit_sent_by_a_port_without_a_link_is_found)
{
  expect_found(FLIT_TO_NOBODY, 60);
}

TEST(a_head_that_never_arrived_is_found)
{
  expect_found(HEAD_MADE_UP, 40);
  expect_found(HEAD_CHANGED, 40);
  expect_found(HEAD_TWICE, 40);
}

TEST(a_head_on_a_wrong_output_port_is_found)
{
  expect_found(OTHER_TABLE, 0);
}

/* Flits inside packets have one counter for all their rules. */
static bool counts_often(int rule)
{
  return rule != HD_PORT_OWED && rule != HD_PORT_DOUBLED && rule != HD_PORT_MIXED &&
         rule != HD_PORT_SWAPPED && rule != HD_PORT_STARVED && rule != HD_PORT_CIRCLE &&
         rule != HD_PORT_HELD && rule != HD_PORT_UNKNOWN;
}

/* Counts how often each rule was checked. */
TEST(correct_switches_break_no_rule)
{
  struct dice dice = dice_begin("correct_switches_break_no_rule", "test_port_watch");
  for (unsigned i = 0; i < 8; i++) {
    struct hd_lockstep_result result;
    assert_int_equal(run(dice.state + i, NOTHING, 0, &result), HD_OK);
    for (int rule = HD_PORT_NONE + 1; rule < HD_PORT_RULES; rule++)
      if (counts_often(rule) && result.ports.of[rule] <= 500)
        fail_msg("rule %s was held against %llu", hd_port_rule_number((enum hd_port_rule)rule),
                 (unsigned long long)result.ports.of[rule]);
  }
}
