/* The programs do what they say: schedules, contents, errors, the guide.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/fake_network.h"
#include "../lib/seed.h"
#include "../lib/test.h"

#include <math.h>

/* ── helpers ──────────────────────────────────────────────────────────────── */

static struct hd_parameter number_parameter(char *key, double value)
{
  return (struct hd_parameter){.key = key, .number = value};
}

static int create(struct fake_network *net, const char *program, uint32_t nodes,
                  const struct hd_parameter *parameters, uint32_t n, struct hd_error *err)
{
  struct hd_world_params p = fake_params(net, nodes, hd_program_find(program));
  assert_non_null(p.program);
  p.parameters = parameters;
  p.n_parameters = n;
  p.seed = seed;
  hd_random_seed(&net->random, seed, UINT32_MAX);
  return hd_world_create(&net->world, &p, err);
}

/* ── shuffle ──────────────────────────────────────────────────────────────── */

struct order {
  uint64_t now;
  uint32_t n[16], to[16][64];
  uint64_t sent_at[16][64];
};

static int note_packet(void *context, const struct hd_world_packet *sent)
{
  struct order *order = context;
  assert_non_null(sent->payload);
  assert_true(sent->flits > 1);
  assert_true(order->n[sent->source] < 64);
  order->to[sent->source][order->n[sent->source]] = sent->destination;
  order->sent_at[sent->source][order->n[sent->source]++] = order->now;
  return 0;
}

/* Runs program shuffle on 16 nodes and notes what each one sends when. */
static void run_shuffle(struct order *order, const struct hd_parameter *parameters, uint32_t n)
{
  struct hd_world_params p = {.nodes = 16,
                              .data_bits = 16,
                              .packet_bytes = 256,
                              .startup_cycles = 152,
                              .program = hd_program_find("shuffle"),
                              .parameters = parameters,
                              .n_parameters = n,
                              .send = note_packet,
                              .context = order};
  struct hd_world *world;
  assert_int_equal(hd_world_create(&world, &p, NULL), 0);
  for (order->now = 0; order->now < 5000; order->now++)
    assert_int_equal(hd_world_step(world, order->now, NULL), 0);
  hd_world_destroy(world);
}

TEST(shuffle_follows_the_table_and_wraps_inside_it)
{
  static struct order order;
  struct hd_parameter parameters[] = {number_parameter("sources", 6),
                                      number_parameter("destinations", 10)};
  run_shuffle(&order, parameters, 2);
  int compared = 0;
  for (uint32_t source = 0; source < 16; source++) {
    assert_int_equal(order.n[source], source < 6 ? 10 : 0);
    for (uint32_t slot = 0; slot < order.n[source]; slot++, compared++) {
      assert_int_equal(order.to[source][slot], 6 + (source + slot) % 10);
      assert_int_equal(order.sent_at[source][slot], 152 * (slot + 1)); /* all sources in step */
    }
  }
  assert_int_equal(compared, 60);
}

TEST(shuffle_begins_each_message_with_its_slot)
{
  static struct order order;
  /* 6 to 10 by D-mod-k takes a table of 12 entries, 2 of them idle */
  struct hd_parameter parameters[] = {
      number_parameter("sources", 6), number_parameter("destinations", 10),
      {"schedule", "padded", 0},      {"routing", "d-mod-k", 0},
      {"start", "by-slot", 0},        number_parameter("slot_cycles", 200),
      number_parameter("rounds", 2)};
  run_shuffle(&order, parameters, 7);
  for (uint32_t source = 0; source < 6; source++) {
    uint32_t n = 0;
    for (uint32_t slot = 0; slot < 24; slot++) {
      if ((source + slot) % 12 >= 10)
        continue;
      assert_true(n < order.n[source]);
      assert_int_equal(order.to[source][n], 6 + (source + slot) % 12);
      assert_int_equal(order.sent_at[source][n++], 200 * slot + 152);
    }
    assert_int_equal(n, 20);
    assert_int_equal(order.n[source], 20);
  }
}

/* Returns the statistic's values. There must be n of them. */
static const struct hd_world_value *recorded_values(const struct hd_world *world, const char *name,
                                                    size_t n)
{
  for (uint32_t i = 0; i < hd_world_statistics(world); i++) {
    struct hd_world_statistic s = hd_world_statistic(world, i);
    if (strcmp(s.name, name))
      continue;
    assert_int_equal(s.n, n);
    return s.values;
  }
  fail_msg("no statistic %s", name);
  return NULL;
}

TEST(shuffle_takes_sizes_from_a_file)
{
  static char path[64];
  write_temporary(path, "# 2 sources, 3 destinations\n100,301,0\n0,1,100\n");
  struct hd_parameter parameters[] = {number_parameter("sources", 2),
                                      number_parameter("destinations", 3),
                                      number_parameter("bytes", 100),
                                      number_parameter("rounds", 2),
                                      {"file", path, 0},
                                      number_parameter("pairs", 2),
                                      {"schedule", "merged", 0}};
  for (int fixed = 0; fixed < 2; fixed++) {
    CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 20, .max_delay = fixed ? 0 : 500};
    uint64_t ended;
    struct hd_world_counters counters;
    must(create(&net, "shuffle", 8, parameters, 7, &why));
    must(fake_run(&net, UINT64_MAX, &ended, &why));
    hd_world_counters(net.world, &counters);
    assert_int_equal(counters.messages_received, 2 * (1 + 4 + 1 + 1));
    const struct hd_world_value *latency = recorded_values(net.world, "latency 0 to 3", 8);
    for (int i = 0; fixed && i < 8; i++)
      assert_int_equal(latency[i].value, 20);
    for (int i = 0; i < 8; i++) {
      char name[32];
      snprintf(name, sizeof name, "message %d of 0 to 3", i);
      assert_int_equal(recorded_values(net.world, name, 1)->value, latency[i].value);
    }
    recorded_values(net.world, "latency 1 to 4", 2);
    const struct hd_world_value *jitter = recorded_values(net.world, "jitter of pairs", 4);
    uint64_t most = 0;
    for (int i = 0; i < 4; i++)
      most = jitter[i].value > most ? jitter[i].value : most;
    assert_int_equal(most == 0, fixed);
  }
  unlink(path);
}

TEST(shuffle_delivers_everything)
{
  static const struct {
    uint32_t nodes;
    double sources, destinations, first, first_destination, bytes, rounds;
    uint64_t messages;
  } cases[] = {
      {16, 6, 10, 0, 6, 256, 3, 180},   {16, 16, 16, 0, 0, 100, 2, 512},
      {16, 1, 1, 15, 0, 0, 5000, 5000}, {64, 20, 7, 3, 13, 5000, 1, 140},
      {2, 2, 1, 0, 1, 1, 1, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_parameter parameters[] = {
        number_parameter("sources", cases[i].sources),
        number_parameter("destinations", cases[i].destinations),
        number_parameter("first", cases[i].first),
        number_parameter("first_destination", cases[i].first_destination),
        number_parameter("bytes", cases[i].bytes),
        number_parameter("rounds", cases[i].rounds)};
    CLEANUP(fake_fini) struct fake_network net = {.max_delay = 500};
    struct hd_error err = {""};
    uint64_t ended;
    assert_int_equal(create(&net, "shuffle", cases[i].nodes, parameters, 6, &err), 0);
    if (fake_run(&net, UINT64_MAX, &ended, &err))
      fail_msg("case %zu: %s", i, err.text);
    struct hd_world_counters counters;
    hd_world_counters(net.world, &counters);
    assert_int_equal(counters.messages_sent, cases[i].messages);
    assert_int_equal(counters.messages_received, cases[i].messages);
  }
}

TEST(shuffle_finds_a_wrong_byte)
{
  CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 5};
  uint64_t ended;
  must(create(&net, "shuffle", 16, NULL, 0, &why));
  must(hd_world_step(net.world, 0, &why));
  assert_true(net.n == 240);
  net.heap[7].payload[4 + 20] ^= 0x0100;
  assert_int_equal(fake_run(&net, 1000, &ended, &why), HD_E_SOFTWARE);
  /* Packet 7 of node 0 is number 3 of its message to node 7; 64 bytes a packet. */
  if (!strstr(why.text, "node 7 at cycle 6: byte 233 of message 0 from node 0"))
    fail_msg("%s", why.text);
}

/* ── replay and pingpong ──────────────────────────────────────────────────── */

TEST(replay_sends_each_message_at_its_cycle)
{
  char path[64];
  write_temporary(path,
                  "cycle,source,destination,bytes\n# a comment\n\n100,0,3,10\r\n 20 , 0 , 2 , 0\n"
                  "20,1,2,1000\n100,3,0,6\n7,2,2,9\n100,0,3,11");
  struct hd_parameter parameters[] = {{.key = "file", .text = path}};
  struct fake_network net = {.fixed_delay = 3};
  uint64_t ended = 0;
  must(create(&net, "replay", 4, parameters, 1, &why));
  static const struct {
    uint64_t cycle, sent;
  } expected[] = {{19, 0}, {20, 17}, {99, 17}, {100, 20}}; /* 1,000 bytes are 16 packets */
  uint64_t cycle = 0;
  for (size_t i = 0; i < 4; i++) {
    for (; cycle <= expected[i].cycle; cycle++) {
      net.now = cycle;
      must(hd_world_step(net.world, cycle, &why));
    }
    assert_int_equal(net.n_sent, expected[i].sent);
  }
  fake_fini(&net);
  net = (struct fake_network){.max_delay = 50};
  must(create(&net, "replay", 4, parameters, 1, &why));
  must(fake_run(&net, 100000, &ended, &why));
  struct hd_world_counters counters;
  hd_world_counters(net.world, &counters);
  assert_int_equal(counters.messages_received, 6);
  fake_fini(&net);
  unlink(path);
}

/* Messages of a pair that overtake those of another network. */
TEST(replay_sends_in_the_virtual_network_of_the_trace)
{
  enum { ROWS = 90, NETWORKS = 3 };
  char path[64], text[ROWS * 24 + 64];
  size_t n = (size_t)sprintf(text, "cycle,source,destination,bytes,network\n0,1,0,8\n");
  for (int i = 0; i < ROWS; i++)
    n += (size_t)sprintf(text + n, "%d,0,1,8,%d\n", i, i % 5 % NETWORKS);
  write_temporary(path, text);
  struct hd_parameter parameters[] = {{.key = "file", .text = path}};
  CLEANUP(fake_fini) struct fake_network net = {.max_delay = 50};
  struct hd_world_params p = fake_params(&net, 4, hd_program_find("replay"));
  struct hd_world_counters counters;
  uint64_t ended = 0;
  p.networks = NETWORKS;
  p.parameters = parameters;
  p.n_parameters = 1;
  must(hd_world_create(&net.world, &p, &why));
  must(fake_run(&net, 100000, &ended, &why));
  hd_world_counters(net.world, &counters);
  assert_int_equal(counters.messages_received, ROWS + 1);
  assert_int_equal(net.sent_in[0], 36 + 1);
  assert_int_equal(net.sent_in[1], 36);
  assert_int_equal(net.sent_in[2], 18);
  unlink(path);
}

TEST(replay_names_file_line_and_field_of_an_error)
{
  static const struct {
    const char *trace, *expected_message;
  } cases[] = {
      {"", ":0: no message in the trace"},
      {"# nothing\n\n", ":2: no message in the trace"},
      {"1,2,3,4\n1,2\n", ":2: destination is missing"},
      {"1,2,3,4\n1,2,\n", ":2: destination is missing"},
      {"1,2,3,4,5\n", ":1: network is 5; it must be at most 0"},
      {"1,2,3,4,0,6\n", ":1: more than 5 fields"},
      {"1,2,3,4,\n", ":1: network is missing"},
      {"cycle,source,destination\n", ":1: cycle is 'cycle'"},
      {"1,2,4,4\n", ":1: destination is 4; it must be at most 3"},
      {"1,-2,3,4\n", ":1: source is '-2'; it must be a whole number"},
      {"1,2x,3,4\n", ":1: source is '2x'; it must be a whole number"},
      {"99999999999999999999999,2,3,4\n",
       ":1: cycle is 99999999999999999999999; it must be at most"},
      {"1,2,3,1048577\n", ":1: bytes is 1048577; it must be at most 1048576"},
      {"1,2,3,4\ncycle,source,destination,bytes\n", ":2: cycle is 'cycle'"},
      {"1;2;3;4\n", ":1: cycle is '1;2;3;4'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[64], expected[200];
    write_temporary(path, cases[i].trace);
    snprintf(expected, sizeof expected, "%s%s", path, cases[i].expected_message);
    struct hd_parameter parameters[] = {{.key = "file", .text = path}};
    CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 3};
    must(create(&net, "replay", 4, parameters, 1, &why));
    must_fail(hd_world_step(net.world, 0, &why), HD_E_INPUT, expected);
    unlink(path);
  }
}

TEST(pingpong_takes_exactly_start_up_and_travel_time)
{
  struct hd_parameter parameters[] = {number_parameter("rounds", 10), number_parameter("bytes", 40),
                                      number_parameter("round_trip_cycles", 0)};
  struct hd_world_params p;
  uint64_t ended = 0;
  /* A send costs 20 and travels 7, software sees it in the cycle after; the receive's start-up
   * of the answering node ended long before, except for the one that it pays before its
   * first; the first node's receive is posted while the message travels. */
  const uint64_t startup = 20, travel = 7, trip = 2 * (startup + travel + 1);
  for (int allowed = 0; allowed < 2; allowed++) {
    CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = travel};
    parameters[2].number = (double)trip - (allowed ? 0 : 1);
    p = fake_params(&net, 4, hd_program_find("pingpong"));
    p.startup_cycles = startup;
    p.parameters = parameters;
    p.n_parameters = 3;
    must(hd_world_create(&net.world, &p, &why));
    int status = fake_run(&net, 100000, &ended, &why);
    assert_int_equal(status, allowed ? 0 : HD_E_SOFTWARE);
    if (!allowed)
      assert_non_null(strstr(why.text, "took 56 cycles; allowed: 55"));
    else
      assert_int_equal(ended, 10 * trip);
  }
}

TEST(broadcast_reaches_all_nodes_from_every_root)
{
  uint64_t runs = 0;
  for (uint32_t nodes = 1; nodes <= 33; nodes += nodes < 9 ? 1 : 8)
    for (uint32_t root = 0; root < nodes; root++, runs++) {
      struct hd_parameter parameters[] = {number_parameter("root", root),
                                          number_parameter("bytes", 100),
                                          number_parameter("rounds", 3)};
      CLEANUP(fake_fini) struct fake_network net = {.max_delay = 50};
      struct hd_error err = {""};
      uint64_t ended;
      assert_int_equal(create(&net, "broadcast", nodes, parameters, 3, &err), 0);
      if (fake_run(&net, UINT64_MAX, &ended, &err))
        fail_msg("%u nodes, root %u: %s", nodes, root, err.text);
      struct hd_world_counters counters;
      hd_world_counters(net.world, &counters);
      assert_int_equal(counters.messages_received, 3 * (nodes - 1));
    }
  assert_true(runs > 100);
}

/* ── parameters ───────────────────────────────────────────────────────────── */

TEST(bad_parameters_are_named)
{
  char text[] = "fast";
  static const struct {
    const char *program;
    uint32_t nodes;
    struct hd_parameter parameter;
    const char *expected_message;
  } cases[] = {
      {"uniform", 16, {"load", NULL, 1.5}, "parameter load: 1.5; legal: a number, 0 … 1"},
      {"uniform", 16, {"load", NULL, NAN}, "load: nan; legal"},
      {"uniform", 16, {"flits", NULL, 0}, "flits: 0; legal: a whole number, 1 … 65535"},
      {"uniform", 16, {"flits", NULL, 2.5}, "flits: 2.5; legal: a whole number"},
      {"uniform", 1, {"load", NULL, 0.1}, "at least 2 nodes"},
      {"hotspot", 16, {"node", NULL, 16}, "node: 16; legal: a whole number, 0 … 15"},
      {"transpose", 15, {"load", NULL, 0.1}, "columns: none; 15 nodes are no square"},
      {"transpose", 16, {"columns", NULL, 8}, "columns: 8; a transposition"},
      {"tornado", 16, {"columns", NULL, 5}, "columns: 5; 16 nodes do not fill rows of so many"},
      {"tornado", 4, {"columns", NULL, 2}, "every node sends to itself"},
      {"permutation", 16, {"permutation", NULL, 0.5}, "permutation: 0.5; legal: a whole number"},
      {"bit-complement", 12, {"load", NULL, 0.1}, "power of two"},
      {"shuffle", 16, {"sources", NULL, 17}, "sources: 17; legal"},
      {"shuffle", 16, {"first", NULL, 11}, "first: 11; legal: a whole number, 0 … 10"},
      {"shuffle", 16, {"bytes", NULL, 1 << 21}, "bytes: 2097152; legal"},
      {"shuffle",
       16,
       {"schedule", "best", 0},
       "schedule: best; legal: unscheduled, paper, virtual, padded"},
      {"shuffle", 16, {"start", "by-slot", 0}, "slot_cycles: none"},
      {"shuffle", 16, {"synchronise", "clock", 0}, "synchronise: clock; legal: time, barrier"},
      {"shuffle", 16, {"file", "no/such.csv", 0}, "file: cannot open matrix of sizes no/such.csv"},
      {"chip-traffic",
       16,
       {"load_256", NULL, 257},
       "load_256: 257; legal: a whole number, 0 … 256"},
      {"chip-traffic", 16, {"beats", NULL, 5}, "beats: 5; legal: a whole number, 1 … 4"},
      {"chip-traffic", 16, {"gap_bits", NULL, 17}, "gap_bits: 17; legal: a whole number, 0 … 16"},
      {"pingpong", 16, {"second", NULL, 0}, "second: 0; it must differ from first"},
      {"replay", 16, {"file", NULL, 5}, "file: the number 5; it must be text"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 3};
    must(create(&net, cases[i].program, cases[i].nodes, &cases[i].parameter, 1, &why));
    must_fail(hd_world_step(net.world, 0, &why), HD_E_INPUT, cases[i].expected_message);
  }
  struct hd_parameter wrong = {"laod", NULL, 0.1}, no_number = {"load", text, 0};
  struct fake_network net = {.fixed_delay = 3};
  must_say(create(&net, "uniform", 16, &wrong, 1, &why), HD_E_INPUT,
           "program uniform has no parameter 'laod'; its parameters: load, flits, "
           "cycles, hold_cycles, hold_every, injection, burst_cycles, pause_cycles, "
           "batch, share, network, priority");
  must(create(&net, "uniform", 16, &no_number, 1, &why));
  must_say(hd_world_step(net.world, 0, &why), HD_E_INPUT,
           "node 0 at cycle 0: parameter load: 'fast'; it must be a number");
  fake_fini(&net);
}

TEST(every_program_is_found_and_lists_its_parameters)
{
  int n = 0;
  for (const struct hd_program *const *p = hd_programs; *p; p++, n++) {
    assert_ptr_equal(hd_program_find((*p)->name), *p);
    for (const char *const *key = (*p)->parameters; key && *key; key++) {
      assert_non_null(strstr(*key, ": "));
      char name[64];
      snprintf(name, sizeof name, "%.*s", (int)strcspn(*key, ":"), *key);
      assert_true(strstr((*p)->about, name) || strstr((*p)->about, "; parameters below"));
    }
  }
  assert_true(n >= 10);
  assert_null(hd_program_find("no such program"));
}
