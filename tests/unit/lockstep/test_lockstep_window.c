/* Any cycles of any switch can be replayed after a run. The replay shows the same events as the run.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=7 build/opt/unit/test_lockstep_window replays a seed.
 */
#include "../lib/dice.h"
#include "../lib/lockstep_mesh.h"
#include "../lib/seed.h"
#include "../lib/test.h"

enum { NODES = 16, PORTS = 5, CYCLES = 3000 };

/* Flits that left each port in each cycle, as the run compared them. */
struct shown {
  bool shows_flit[CYCLES + 1][PORTS];
  struct hd_flit_event flit[CYCLES + 1][PORTS];
};

struct run {
  uint64_t random;
  uint32_t sw;
  struct shown *shown;
  /* of a replay */
  uint64_t next, compared;
};

static uint64_t draw_below(struct run *r, uint64_t below)
{
  return next_random(&r->random) % below;
}

static int begin_cycle(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  struct run *r = context;
  (void)cycle;
  for (uint32_t node = 0; node < NODES; node++)
    if (draw_below(r, 1000) < 60) {
      struct hd_packet p = {.source = node,
                            .destination = (uint32_t)draw_below(r, NODES),
                            .flits = 1 + (uint32_t)draw_below(r, 6)};
      uint32_t number;
      int status = hd_fabric_send(fabric, &p, &number, err);
      if (status)
        return status;
    }
  return 0;
}

static int note_agreement(void *context, const struct hd_record *record, uint32_t cycles,
                          struct hd_error *err)
{
  struct run *r = context;
  const struct hd_switch_record *s = &record->switches[r->sw];
  (void)err;
  for (uint32_t i = 0; i < s->n_flits_out && s->flits_out[i].cycle <= cycles; i++) {
    uint64_t cycle = record->start + s->flits_out[i].cycle;
    r->shown->shows_flit[cycle][s->flits_out[i].port] = true;
    r->shown->flit[cycle][s->flits_out[i].port] = s->flits_out[i];
  }
  return 0;
}

static int check_cycle(void *context, const struct hd_replay_cycle *c)
{
  struct run *r = context;
  unsigned n = 0;
  assert_int_equal(c->cycle, r->next);
  r->next++;
  for (unsigned port = 0; port < PORTS; port++)
    n += r->shown->shows_flit[c->cycle][port];
  assert_int_equal(c->n_model_flits, n);
  assert_int_equal(c->n_dut_flits, n);
  for (unsigned i = 0; i < n; i++) {
    const struct hd_flit_event *flits[] = {&c->model_flits[i], &c->dut_flits[i]};
    for (unsigned side = 0; side < 2; side++) {
      const struct hd_flit_event *want = &r->shown->flit[c->cycle][flits[side]->port];
      assert_true(r->shown->shows_flit[c->cycle][flits[side]->port]);
      assert_true(flits[side]->vc == want->vc && flits[side]->kind == want->kind &&
                  flits[side]->data == want->data);
      r->compared++;
    }
  }
  return 0;
}

/* Runs `limit` cycles and keeps the last `past` of them. Replays some of these. Returns the number of flits
 * compared. */
static uint64_t run_lockstep(enum hd_mode mode, uint32_t window, uint32_t past, uint64_t limit,
                             uint64_t *random)
{
  struct mesh mesh;
  struct hd_lockstep *ls;
  struct hd_lockstep_result result;
  struct run r = {.random = *random, .shown = calloc(1, sizeof *r.shown)};
  r.sw = (uint32_t)draw_below(&r, 16);
  mesh_open(&mesh);
  mesh.params.sw.route_cycles = 1 + (uint32_t)draw_below(&r, 2);
  mesh.params.sw.arb_cycles = 1 + (uint32_t)draw_below(&r, 2);
  mesh.params.sw.buffer_cycles = (uint32_t)draw_below(&r, 2);
  struct hd_lockstep_params params = {
      .fabric = &mesh.params,
      .topology = &mesh.topology,
      .tables = &mesh.tables,
      .dut = hd_dut_model_backend(),
      .mode = mode,
      .window_cycles = window,
      .threads = 2,
      .history_cycles = past,
      .hooks = {.context = &r, .cycle_begin = begin_cycle, .window_agreed = note_agreement}};
  assert_non_null(r.shown);
  if (hd_lockstep_create(&ls, &params, &why) || hd_lockstep_run(ls, limit, &result, &why))
    fail_msg("%s", why.text);
  assert_int_equal(hd_lockstep_last(ls), limit);
  uint64_t from = limit > past ? limit - past : 0;
  r.next = from;
  must(hd_lockstep_replay_from(ls, r.sw, from, limit + 77, NULL, check_cycle, &r, &why));
  assert_int_equal(r.next, limit + 1); /* from the first cycle asked for to the run's last */
  r.next = from + past / 3;
  must(hd_lockstep_replay_from(ls, r.sw, r.next, from + past / 2, NULL, check_cycle, &r, &why));
  assert_int_equal(r.next, from + past / 2 + 1);
  must_say(hd_lockstep_replay_from(ls, 16, from, limit, NULL, check_cycle, &r, &why), HD_E_INPUT,
           "switch 16; switches are 0 to 15");
  assert_int_equal(
      hd_lockstep_replay_from(ls, 0, limit + 1, limit + 9, NULL, check_cycle, &r, &why),
      HD_E_INPUT);
  hd_lockstep_destroy(ls);
  mesh_close(&mesh);
  free(r.shown);
  *random = r.random;
  return r.compared;
}

TEST(replayed_cycles_show_the_same_events_as_the_run)
{
  static const uint32_t windows[] = {1, 7, 256, 600};
  uint64_t random = seed, compared = 0;
  for (unsigned i = 0; i < 40; i++) {
    struct run r = {.random = random};
    uint64_t limit = 20 + draw_below(&r, CYCLES - 20);
    uint32_t past = (uint32_t)draw_below(&r, i % 2 ? 100 : limit);
    random = r.random;
    compared += run_lockstep(i % 4 ? HD_MODE_DECOUPLED : HD_MODE_CLOSED, windows[draw_below(&r, 4)],
                             past, limit, &random);
  }
  printf("%llu flits compared\n", (unsigned long long)compared);
  assert_true(compared > 1000);
}
