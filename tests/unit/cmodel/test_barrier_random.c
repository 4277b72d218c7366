/* A switch with a barrier part under arbitrary flits, credits and configuration.
 * SPDX-License-Identifier: Apache-2.0
 *
 * With any input: counters stay in their ranges, hd_switch_active counts the activity, quiescent_o follows §2.10 and
 * §8.8, cycles without activity can be skipped, and a copy continues like its original. Run with sanitizers (make
 * SAN=1 unit), too.
 */
#include "../lib/barrier_rig.h"
#include "../lib/dice.h"
#include "../lib/test.h"

#include "../../../cmodel/switch/barrier_state.h"

enum { RUNS = 400, CYCLES = 1500, LATE = 6 };

struct random_rig {
  struct hd_switch_params params;
  struct hd_switch *sw, *twin; /* twin: every cycle is evaluated */
  size_t size;
  uint64_t random;
  /* By cycle modulo: what was or will be visible. */
  uint32_t visible[16];
  bool idle_before; /* §2.10, §8.8 of the cycle before, but for visible[] */
  uint32_t kinds[8], errors, skipped, quiet;
};

static uint32_t pick_number(struct random_rig *r, const uint32_t *list, uint32_t n)
{
  return list[below(&r->random, n)];
}
#define PICK(r, ...)                              \
  pick_number(r, (const uint32_t[]){__VA_ARGS__}, \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void random_params(struct random_rig *r, unsigned barrier)
{
  struct hd_switch_params *p = &r->params;
  do {
    *p = (struct hd_switch_params){.ports = 2 + below(&r->random, 5),
                                   .vcs = 1 + below(&r->random, 4),
                                   .data_bits = PICK(r, 16, 32, 64),
                                   .depth_flits = 1 + below(&r->random, 6),
                                   .nodes = 2 + below(&r->random, 6),
                                   .route_cycles = 1 + below(&r->random, 2),
                                   .arb_cycles = 1 + below(&r->random, 2),
                                   .buffer_cycles = below(&r->random, 2),
                                   .source_table = below(&r->random, 2),
                                   .barrier = barrier,
                                   .groups = 1 + below(&r->random, 4),
                                   .switches = 2 + below(&r->random, 7)};
    p->cut_flits = below(&r->random, p->depth_flits + 1);
  } while (hd_switch_params_check(p, NULL));
}

static uint32_t random_message(struct random_rig *r)
{
  if (below(&r->random, 3) == 0)
    return hd_barrier_local(below(&r->random, 8) ? HD_REDUCE : below(&r->random, 4),
                            below(&r->random, 5)) |
           (below(&r->random, 4) ? 0 : below(&r->random, 1u << 22) << 9);
  return hd_barrier_message(below(&r->random, 4), below(&r->random, 8) ? below(&r->random, 3) : 3,
                            below(&r->random, 5), below(&r->random, r->params.switches + 1),
                            below(&r->random, r->params.switches));
}

static uint64_t random_data(struct random_rig *r, unsigned kind, uint16_t *high)
{
  uint32_t node_bits = hd_log2_ceil(r->params.nodes);
  uint64_t data = ((uint64_t)below(&r->random, 1u << 31) << 31 | below(&r->random, 1u << 31));
  if (kind < 4 && below(&r->random, 16)) /* mostly to some node */
    data = (data << (2 + node_bits)) | below(&r->random, r->params.nodes) << 2;
  if (kind == HD_KIND_BARRIER || (kind == HD_KIND_BARRIER_LAST && r->params.data_bits != 16)) {
    uint32_t message = random_message(r);
    *high = (uint16_t)(message >> 16);
    data = r->params.data_bits == 16 ? message & 0xffff : message;
  } else if (kind == HD_KIND_BARRIER_LAST && below(&r->random, 8)) {
    data = *high;
  } else if (kind == HD_KIND_NULL) {
    data = 0;
  }
  return r->params.data_bits == 64 ? data : data & ((UINT64_C(1) << r->params.data_bits) - 1);
}

static bool random_write(struct random_rig *r, uint32_t *addr, uint16_t *value)
{
  const struct hd_switch_params *p = &r->params;
  if (below(&r->random, 12))
    return false;
  *value = (uint16_t)below(&r->random, 1u << 16);
  switch (below(&r->random, 12)) {
  case 0:
    *addr = HD_CFG_SELF;
    *value = (uint16_t)below(&r->random, p->switches);
    break;
  case 1:
    *addr = HD_CFG_IDLE;
    *value = (uint16_t)below(&r->random, 8);
    break;
  case 2:
    *addr = HD_CFG_CENTER;
    *value = (uint16_t)below(&r->random, p->switches);
    break;
  case 3:
    *addr = HD_CFG_COUNT;
    *value = (uint16_t)below(&r->random, 4);
    break;
  case 4:
    *addr = PICK(r, HD_CFG_LOCAL, HD_CFG_LIVE);
    break;
  case 5:
  case 6:
    *addr = HD_CFG_OPEN;
    *value = (uint16_t)below(&r->random, 5);
    break;
  case 7:
    *addr = HD_CFG_CLOSE;
    *value = (uint16_t)below(&r->random, 5);
    break;
  case 8:
    *addr = HD_CFG_ERRORS;
    break;
  case 9:
    *addr = HD_CFG_DESTINATION(below(&r->random, p->ports), below(&r->random, p->nodes));
    *value |= 1u << 12;
    break;
  case 10:
    *addr = below(&r->random, 1u << 20);
    break;
  default:
    *addr = HD_CFG_BARRIER_WAY(below(&r->random, p->switches));
    *value &= (uint16_t)below(&r->random, 1u << 16);
    break;
  }
  return true;
}

/* §8.8 and what §2.10 says of the state, and what hd_switch_active must count. */
static uint32_t count_state(const struct random_rig *r)
{
  const struct barrier_state *b = barrier_of(r->sw);
  const struct hd_switch_params *p = &r->params;
  struct hd_switch_view view;
  uint32_t n = 0;
  hd_switch_look(r->sw, &view);
  for (unsigned port = 0; port < p->ports; port++) {
    for (unsigned vc = 0; vc < p->vcs; vc++) {
      assert_true(view.in[port][vc].occupancy <= p->depth_flits);
      assert_true(view.out[port][vc].credit <= p->depth_flits);
      assert_true(view.in[port][vc].state <= 2);
      assert_true(view.in[port][vc].oport < p->ports && view.in[port][vc].ovc < p->vcs);
      n += (uint32_t)view.in[port][vc].occupancy + view.in[port][vc].preempted;
    }
    assert_true(view.barrier[port].queued <= HD_BARRIER_QUEUE);
    assert_true(view.barrier[port].barrier_credit <= HD_BARRIER_QUEUE);
    assert_true(view.barrier[port].slot || !view.barrier[port].second);
    assert_true(view.barrier[port].preempt_vc < p->vcs && view.barrier[port].preempt_next < p->vcs);
    assert_true(view.barrier[port].burst <= BURST_MESSAGES);
    assert_true(view.barrier[port].rest <= REST_CYCLES);
    if (view.barrier[port].preempting) /* a preempted channel stays that of its packet */
      assert_true(view.out[port][view.barrier[port].preempt_vc].owned);
    n += (uint32_t)view.barrier[port].queued + view.barrier[port].slot +
         view.barrier[port].preempting + (view.barrier[port].rest != 0);
  }
  assert_true(view.unit_turn <= p->ports && view.unit_spread < p->ports);
  assert_int_equal(view.errors >> 12, 0);
  for (uint32_t i = 0; i < p->groups; i++) {
    const struct barrier_entry *e = &b->entries[i];
    n += e->valid && (e->up || e->to_local || e->to_child);
    for (uint32_t k = 0; k < i && e->valid; k++)
      assert_false(b->entries[k].valid && b->entries[k].group == e->group);
  }
  assert_int_equal(hd_switch_active(r->sw), n + view.unit_act);
  return n + view.unit_act;
}

static void check_outputs(struct random_rig *r, const struct hd_switch_output *out)
{
  uint32_t last = UINT32_MAX;
  for (uint32_t i = 0; i < out->n_flits; i++) {
    const struct hd_flit_event *e = &out->flits[i];
    assert_true(last == UINT32_MAX || e->port > last);
    assert_true(e->vc < r->params.vcs && e->zero == 0);
    last = e->port;
    r->kinds[e->kind & 7]++;
    assert_true(e->kind < 8);
  }
  last = UINT32_MAX;
  for (uint32_t i = 0; i < out->n_credits; i++) {
    const struct hd_credit_event *e = &out->credits[i];
    assert_true(last == UINT32_MAX || e->port > last);
    assert_true(e->vcs || e->barrier);
    last = e->port;
  }
}

static void run_cycle(struct random_rig *r, uint64_t cycle, uint16_t *high, bool busy)
{
  const struct hd_switch_params *p = &r->params;
  struct hd_flit_event flits[2][HD_MAX_PORTS];
  struct hd_credit_event credits[2][HD_MAX_PORTS];
  uint32_t tags[2][HD_MAX_PORTS], addr = 0, all = (1u << p->vcs) - 1, state = count_state(r);
  struct hd_switch_output a = {flits[0], tags[0], credits[0], 0, 0, 0};
  struct hd_switch_output b = {flits[1], tags[1], credits[1], 0, 0, 0};
  uint16_t value = 0;
  bool write = busy && random_write(r, &addr, &value), input = write;
  bool quiet = r->idle_before;
  assert_int_equal(hd_switch_quiescent(r->sw, cycle), quiet);
  r->quiet += quiet;
  if (write) {
    hd_switch_config_ahead(r->sw, cycle);
    hd_switch_config_ahead(r->twin, cycle);
  }
  if (hd_switch_active(r->sw))
    hd_switch_advance(r->sw, cycle, 0, &a);
  else
    r->skipped++;
  hd_switch_advance(r->twin, cycle, 0, &b);
  assert_int_equal(a.n_flits, b.n_flits);
  assert_int_equal(a.n_credits, b.n_credits);
  assert_int_equal(a.blocked, b.blocked);
  assert_memory_equal(flits[0], flits[1], a.n_flits * sizeof flits[0][0]);
  assert_memory_equal(credits[0], credits[1], a.n_credits * sizeof credits[0][0]);
  check_outputs(r, &a);
  for (unsigned port = 0; port < p->ports && busy; port++) {
    if (below(&r->random, 3) == 0) {
      unsigned vc =
          below(&r->random, 24) ? below(&r->random, p->vcs) : below(&r->random, HD_MAX_VCS);
      unsigned kind = PICK(r, 0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7);
      uint64_t data = random_data(r, kind, &high[port]);
      hd_switch_put_flit(r->sw, cycle, port, vc, kind, data, 1);
      hd_switch_put_flit(r->twin, cycle, port, vc, kind, data, 1);
      input = true;
    }
    if (below(&r->random, 3) == 0) {
      unsigned set =
          (below(&r->random, 2) ? 1u << below(&r->random, p->vcs) : below(&r->random, all + 1)) |
          (unsigned)(below(&r->random, 3) == 0) << HD_BARRIER_CREDIT;
      hd_switch_put_credit(r->sw, cycle, port, set);
      hd_switch_put_credit(r->twin, cycle, port, set);
      input |= (set & all) || set >> HD_BARRIER_CREDIT;
    }
  }
  if (write) {
    hd_switch_config_write(r->sw, cycle, addr, value);
    hd_switch_config_write(r->twin, cycle, addr, value);
  }
  /* A flit is in the grant pipeline or the crossbar, or visible, in the 2 + D cycles after its
   * grant; a credit in the one after it. */
  uint32_t later = a.n_flits ? 2 + hd_switch_grant_stages(p) : a.n_credits ? 1 : 0;
  bool visible = r->visible[0];
  for (unsigned i = 0; i < 15; i++)
    r->visible[i] = r->visible[i + 1] | (i < later);
  r->idle_before = !input && !state && !visible;
  r->errors |= hd_switch_config_read(r->sw, HD_CFG_ERRORS);
}

TEST(arbitrary_flits_and_writes_do_not_break_a_switch_with_barriers)
{
  uint64_t seed = first_seed();
  uint32_t kinds[6][8] = {{0}}, errors = 0, skipped = 0, quiet = 0;
  printf("seeds from %llu; replay: HD_SEED=%llu build/opt/unit/test_barrier_random\n",
         (unsigned long long)seed, (unsigned long long)seed);
  for (unsigned run = 0; run < RUNS; run++) {
    struct random_rig r = {.random = seed + run, .idle_before = true};
    uint16_t high[HD_MAX_PORTS] = {0};
    unsigned barrier = 1 + run % 5;
    random_params(&r, barrier);
    r.size = hd_switch_size(&r.params);
    void *copy = aligned_alloc(64, r.size);
    r.sw = hd_switch_init(aligned_alloc(64, r.size), &r.params);
    r.twin = hd_switch_init(aligned_alloc(64, r.size), &r.params);
    for (uint64_t cycle = 1; cycle <= CYCLES; cycle++) {
      run_cycle(&r, cycle, high, cycle / 64 % 4 != 3);
      if (cycle == CYCLES / 2) { /* a snapshot continues like its original */
        memcpy(copy, r.sw, r.size);
        memset(r.sw, 0xa5, r.size);
        free(r.sw);
        r.sw = copy;
      }
    }
    for (unsigned kind = 0; kind < 8; kind++)
      kinds[barrier][kind] += r.kinds[kind];
    errors |= r.errors;
    skipped += r.skipped;
    quiet += r.quiet;
    free(r.sw);
    free(r.twin);
  }
  printf("%u runs, errors %03x, %u cycles left out, %u quiescent\n", RUNS, errors, skipped, quiet);
  for (unsigned barrier = 1; barrier <= 5; barrier++) {
    const uint32_t *k = kinds[barrier];
    printf("BARRIER %u: %u data flits, %u messages, %u padding control, %u null\n", barrier,
           k[0] + k[1] + k[2] + k[3], k[5], k[6], k[7]);
    assert_true(k[0] && k[2] && k[4] && k[5]);
    assert_int_equal(k[6] != 0, barrier <= HD_BARRIER_MOVING);
    assert_true(k[7]);
  }
  assert_int_equal(errors, 0xfff & ~HD_ERR_RESERVED);
  assert_true(skipped && quiet);
}
