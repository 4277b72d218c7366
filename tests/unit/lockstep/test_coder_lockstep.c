/* Lockstep of a mesh whose switches have XOR coders: packets that coders make are right, belong to no node and are
 * not foreign, and are compared also if the DUT has another timing (specification §11.12, §11.13).
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=7 build/opt/unit/test_coder_lockstep replays a seed. HD_DUT=model, netlist, … runs another backend than
 * Verilator.
 */
#include "../lib/dice.h"
#include "../lib/lockstep_mesh.h"
#include "../lib/seed.h"
#include "../lib/test.h"

enum { NODES = 16, PLACES = 4, MOST_FLITS = 16, ROUNDS = 3, ROUND_CYCLES = 4000 };
enum { NATIVE = 1, CODED = 2, PLACE_SHIFT = 28, LENGTH_SHIFT = 24, HEADER_BITS = 6 };

struct sent {
  uint32_t flits;
  uint64_t words[MOST_FLITS];
};

/* In each round every node gets a chain of native packets, from several nodes or only from node 0. With several
 * senders, timing decides which packet comes first. */
struct software {
  struct dice dice;
  uint32_t senders, made, wrong;
  uint64_t cycle;
  struct sent sent[NODES][PLACES];
};

static int send_chain(struct software *s, struct hd_fabric *fabric, uint32_t node,
                      struct hd_error *err)
{
  int status = 0;
  for (uint32_t place = 0; place < PLACES && !status; place++) {
    struct sent *sent = &s->sent[node][place];
    uint32_t number;
    sent->flits = 1 + roll(&s->dice, MOST_FLITS);
    for (uint32_t f = 0; f < sent->flits; f++)
      sent->words[f] = (uint64_t)roll(&s->dice, 1u << 16) << 16 | roll(&s->dice, 1u << 16);
    sent->words[0] = (uint64_t)NATIVE << 30 | (uint64_t)place << PLACE_SHIFT |
                     (uint64_t)(sent->flits - 1) << LENGTH_SHIFT | (sent->words[0] & 0xffffc0) |
                     (uint64_t)node << 2;
    struct hd_packet p = {.source = (node + place) % s->senders,
                          .destination = node,
                          .flits = sent->flits,
                          .payload = sent->words + 1,
                          .header = sent->words[0],
                          .raw_header = true};
    status = hd_fabric_send(fabric, &p, &number, err);
  }
  return status;
}

static int begin_cycle(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  struct software *s = context;
  int status = 0;
  s->cycle = cycle;
  for (uint32_t node = 0; node < NODES && !status && !cycle; node++)
    for (uint32_t place = 0; place < PLACES && !status; place++)
      status = hd_fabric_config(fabric, node, HD_CFG_PLACE(place), HD_PLACE_OPEN, NULL, err);
  if (cycle % ROUND_CYCLES != 20 || cycle / ROUND_CYCLES >= ROUNDS)
    return status;
  for (uint32_t node = 0; node < NODES && !status; node++)
    status = send_chain(s, fabric, node, err);
  return status;
}

/* §11.7: two native packets give their exclusive or. */
static bool is_exclusive_or(const struct software *s, const struct hd_delivery *d)
{
  uint32_t pair = d->words[0] >> PLACE_SHIFT & (PLACES - 1);
  const struct sent *a = &s->sent[d->node][pair], *b = a + 1;
  if (d->words[0] >> 30 != CODED || pair + 1 == PLACES ||
      d->flits != (a->flits > b->flits ? a->flits : b->flits))
    return false;
  for (uint32_t f = 0; f < d->flits; f++) {
    uint64_t want = (f < a->flits ? a->words[f] : 0) ^ (f < b->flits ? b->words[f] : 0);
    if (f == 0)
      want = (want & 0x0fffffff & ~((UINT64_C(1) << HEADER_BITS) - 1)) | d->node << 2 |
             (uint64_t)CODED << 30 | (uint64_t)pair << PLACE_SHIFT;
    if (d->words[f] != want)
      return false;
  }
  return true;
}

static int end(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err)
{
  struct software *s = context;
  uint32_t n;
  const struct hd_delivery *d = hd_fabric_deliveries(fabric, &n);
  (void)cycle;
  (void)err;
  for (uint32_t i = 0; i < n; i++) {
    assert_true(d[i].intact || s->wrong);
    assert_int_equal(d[i].made, d[i].number == HD_PACKET_NONE);
    s->made += d[i].made;
    if (d[i].made && !is_exclusive_or(s, &d[i]))
      s->wrong++;
  }
  return 0;
}

static bool finished(void *context)
{
  const struct software *s = context;
  return s->cycle > (ROUNDS - 1) * ROUND_CYCLES + 20;
}

static uint64_t next_cycle(void *context)
{
  return ((const struct software *)context)->cycle + 1;
}

/* Switch 5 of the DUT changes packets of its coder, or makes fewer because a place stays closed. `n_changed` counts
 * the changes. */
enum change { NOTHING, DATA, CLOSED };
static enum change change;
static unsigned n_changed;
static struct hd_dut_ops slow_ops;

static int changed_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  struct hd_dut_job *closing = NULL; /* the only write of this event opens the place */
  for (size_t j = 0; change == CLOSED && j < n; j++)
    if (jobs[j].sw == 5 && jobs[j].n_configs_in && jobs[j].configs_in->addr == HD_CFG_PLACE(2))
      closing = &jobs[j];
  if (closing) {
    closing->n_configs_in = 0;
    n_changed++;
  }
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  if (closing)
    closing->n_configs_in = 1;
  for (size_t j = 0; change == DATA && j < n; j++)
    for (uint32_t i = 0; jobs[j].sw == 5 && i < jobs[j].n_flits_out; i++) {
      struct hd_flit_event *flit = &jobs[j].flits_out[i];
      if (flit->port || !(flit->kind & HD_KIND_HEAD) || flit->data >> 30 != CODED)
        continue;
      flit->data ^= 1u << 8;
      n_changed++;
    }
  return status;
}

static struct hd_lockstep_result run(const struct hd_dut_ops *ops, enum hd_mode mode,
                                     enum hd_compare compare, struct software *software,
                                     int expected)
{
  CLEANUP(mesh_close) struct mesh mesh;
  struct hd_lockstep_result result;
  struct hd_lockstep *ls;
  struct hd_fabric_counters counters;
  struct hd_backend backend = {0};
  const struct hd_backend_options options = {.quick = true};
  const char *dut = getenv("HD_DUT");
  mesh_open(&mesh);
  mesh.params.sw.data_bits = 32;
  mesh.params.sw.code_places = PLACES;
  mesh.params.sw.code_cycles = 3;
  if (compare == HD_COMPARE_ORDER) { /* timing also decides which channel is free */
    mesh.params.sw.vcs = 1;
    hd_tables_fini(&mesh.tables);
    must(hd_routing_build(&mesh.tables, &mesh.topology, HD_ROUTE_DIMENSION_ORDER, false, 1, 0,
                          &why));
  }
  if (!ops && hd_backend_open(&backend, dut ? dut : "verilator", &mesh.params.sw, &options, &why))
    fail_msg("%s", why.text);
  *software = (struct software){.dice = {.state = seed},
                                .senders = compare == HD_COMPARE_ORDER ? 1 : NODES};
  struct hd_lockstep_params p = {.fabric = &mesh.params,
                                 .topology = &mesh.topology,
                                 .tables = &mesh.tables,
                                 .dut = ops ? ops : backend.ops,
                                 .mode = mode,
                                 .compare = compare,
                                 .window_cycles = mode == HD_MODE_CLOSED ? 1 : 64,
                                 .threads = 1,
                                 .watchdog_cycles = 500,
                                 .hooks = {.context = software,
                                           .cycle_begin = begin_cycle,
                                           .cycle_end = end,
                                           .next_cycle = next_cycle,
                                           .finished = finished}};
  must(hd_lockstep_create(&ls, &p, &why));
  int status = hd_lockstep_run(ls, 10 * ROUND_CYCLES, &result, &why);
  if (status != expected)
    fail_msg("mode %d, compare %d: %s: %s", mode, compare, hd_status_text(status), why.text);
  hd_fabric_counters(hd_lockstep_fabric(ls), &counters);
  if (!expected) {
    assert_int_equal(counters.packets_sent, ROUNDS * NODES * PLACES);
    assert_int_equal(counters.packets_received, counters.packets_sent);
    assert_int_equal(counters.packets_foreign, 0);
    assert_int_equal(counters.packets_made, ROUNDS * NODES * (PLACES - 1));
    assert_int_equal(software->made, counters.packets_made);
    assert_int_equal(software->wrong, 0);
  }
  hd_lockstep_destroy(ls);
  if (backend.handle)
    hd_backend_close(&backend);
  return result;
}

TEST(packets_that_coders_make_agree_and_are_not_foreign)
{
  struct software software;
  for (int closed = 0; closed < 2; closed++) {
    struct hd_lockstep_result r =
        run(NULL, closed ? HD_MODE_CLOSED : HD_MODE_DECOUPLED, HD_COMPARE_EXACT, &software, HD_OK);
    assert_true(r.events_compared > 5000);
    print_message("%u packets made, %llu events compared\n", software.made,
                  (unsigned long long)r.events_compared);
  }
}

static void open_slow(enum change what)
{
  slow_ops = *hd_dut_model_backend();
  slow_ops.create = slow_create;
  slow_ops.run = changed_run;
  change = what;
  n_changed = 0;
}

TEST(coders_of_another_timing_agree)
{
  struct software software;
  open_slow(NOTHING);
  run(&slow_ops, HD_MODE_CLOSED, HD_COMPARE_ORDER, &software, HD_OK);
  run(&slow_ops, HD_MODE_CLOSED, HD_COMPARE_PACKETS, &software, HD_OK);
}

TEST(a_wrong_packet_of_a_coder_is_found_by_order_and_by_packets)
{
  struct software software;
  for (int what = DATA; what <= CLOSED; what++)
    for (int compare = HD_COMPARE_ORDER; compare <= HD_COMPARE_PACKETS; compare++) {
      open_slow((enum change)what);
      struct hd_lockstep_result r =
          run(&slow_ops, HD_MODE_CLOSED, (enum hd_compare)compare, &software, HD_E_DIVERGENCE);
      assert_true(n_changed > 0);
      assert_int_equal(r.divergence.difference, HD_DIFF_PACKET);
      assert_int_equal(r.divergence.sw, 5);
      assert_int_equal(r.divergence.port, 0);
      assert_int_equal(r.divergence.packet, HD_PACKET_MADE);
    }
}
