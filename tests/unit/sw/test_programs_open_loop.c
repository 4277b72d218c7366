/* The open-loop programs: loads and destinations are what was asked for.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/fake_network.h"
#include "../lib/seed.h"
#include "../lib/test.h"

#include <math.h>

static struct hd_parameter number_parameter(char *key, double value)
{
  return (struct hd_parameter){.key = key, .number = value};
}

/* Counts of all packets that software sends. The network drops them. */
struct tally {
  uint64_t now, packets, flits, from[64][64], last_cycle;
};

static int count_packet(void *context, const struct hd_world_packet *sent)
{
  struct tally *tally = context;
  assert_null(sent->payload);
  tally->packets++;
  tally->flits += sent->flits;
  tally->from[sent->source][sent->destination]++;
  tally->last_cycle = tally->now;
  return 0;
}

static void tally_run(struct tally *tally, const char *program, uint32_t nodes,
                      const struct hd_parameter *parameters, uint32_t n)
{
  memset(tally, 0, sizeof *tally);
  struct hd_world_params p = {.nodes = nodes,
                              .data_bits = 16,
                              .packet_bytes = 64,
                              .seed = seed,
                              .program = hd_program_find(program),
                              .parameters = parameters,
                              .n_parameters = n,
                              .send = count_packet,
                              .context = tally};
  struct hd_world *world;
  must(hd_world_create(&world, &p, &why));
  while (!hd_world_finished(world)) {
    uint64_t next = hd_world_next_cycle(world);
    assert_true(next != UINT64_MAX);
    tally->now = next;
    must(hd_world_step(world, next, &why));
  }
  hd_world_destroy(world);
}

TEST(synthetic_programs_inject_their_load_within_2_percent)
{
  static const struct {
    const char *program;
    uint32_t senders; /* of 64 */
  } programs[] = {{"uniform", 64},        {"hotspot", 64}, {"transpose", 56},
                  {"bit-complement", 64}, {"tornado", 64}, {"neighbour", 64}};
  static const struct {
    double load, flits;
  } loads[] = {{0.01, 1}, {0.1, 4}, {0.3, 1}, {0.9, 16}};
  const double cycles = 100000;
  static struct tally tally;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    for (size_t j = 0; j < sizeof loads / sizeof *loads; j++) {
      struct hd_parameter parameters[] = {number_parameter("load", loads[j].load),
                                          number_parameter("flits", loads[j].flits),
                                          number_parameter("cycles", cycles)};
      tally_run(&tally, programs[i].program, 64, parameters, 3);
      double got = (double)tally.flits / (cycles * programs[i].senders);
      if (fabs(got / loads[j].load - 1) > 0.02)
        fail_msg("%s: load %g, %g was injected", programs[i].program, loads[j].load, got);
      assert_true(tally.last_cycle < (uint64_t)cycles);
      assert_true(tally.packets * (uint64_t)loads[j].flits == tally.flits);
    }
}

TEST(full_load_of_single_flits_uses_every_cycle)
{
  static struct tally tally;
  struct hd_parameter parameters[] = {number_parameter("load", 1), number_parameter("flits", 1),
                                      number_parameter("cycles", 1000)};
  tally_run(&tally, "uniform", 16, parameters, 3);
  assert_int_equal(tally.packets, 16000);
  parameters[0].number = 0;
  tally_run(&tally, "uniform", 16, parameters, 3);
  assert_int_equal(tally.packets, 0);
}

/* ── the patterns of program traffic ──────────────────────────────────────── */

static struct hd_parameter text_parameter(char *key, char *text)
{
  return (struct hd_parameter){.key = key, .text = text};
}

/* Bit i of a destination, by the formula of the page: from the source's bits. */
static int bit_by_formula(const char *pattern, int s, int i, int b)
{
  const int from = !strcmp(pattern, "bit-reverse")    ? b - 1 - i
                   : !strcmp(pattern, "bit-shuffle")  ? (i + b - 1) % b
                   : !strcmp(pattern, "bit-rotation") ? (i + 1) % b
                                                      : i;
  return (s >> from & 1) ^ !strcmp(pattern, "bit-complement");
}

TEST(bit_patterns_send_by_their_formulas)
{
  static struct tally tally;
  static char *const names[] = {"bit-complement", "bit-reverse", "bit-shuffle", "bit-rotation"};
  int compared = 0;
  for (size_t p = 0; p < sizeof names / sizeof *names; p++)
    for (int b = 1; b <= 6; b++) {
      struct hd_parameter parameters[] = {text_parameter("pattern", names[p]),
                                          number_parameter("load", 1),
                                          number_parameter("cycles", 100)};
      tally_run(&tally, "traffic", 1u << b, parameters, 3);
      for (int s = 0; s < 1 << b; s++) {
        int d = 0;
        for (int i = 0; i < b; i++)
          d |= bit_by_formula(names[p], s, i, b) << i;
        for (int to = 0; to < 1 << b; to++, compared++)
          assert_int_equal(tally.from[s][to] > 0, to == d && to != s);
      }
    }
  assert_int_equal(compared, 4 * (4 + 16 + 64 + 256 + 1024 + 4096));
}

TEST(grid_patterns_take_any_number_of_dimensions)
{
  static struct tally tally;
  struct hd_parameter parameters[] = {text_parameter("pattern", "tornado"),
                                      text_parameter("dims", "5x3x4"),
                                      number_parameter("load", 0.5)};
  tally_run(&tally, "traffic", 60, parameters, 3);
  for (int s = 0; s < 60; s++)
    for (int d = 0; d < 60; d++) /* 2 on of 5, 1 of 3, 1 of 4 */
      assert_int_equal(tally.from[s][d] > 0,
                       d == (s % 5 + 2) % 5 + 5 * ((s / 5 % 3 + 1) % 3) + 15 * ((s / 15 + 1) % 4));
  parameters[0].text = "neighbour";
  tally_run(&tally, "traffic", 60, parameters, 3);
  for (int s = 0; s < 60; s++)
    for (int d = 0; d < 60; d++)
      assert_int_equal(tally.from[s][d] > 0,
                       d == (s % 5 + 1) % 5 + 5 * ((s / 5 % 3 + 1) % 3) + 15 * ((s / 15 + 1) % 4));
}

/* A share of packets is near a probability: five deviations of the binomial distribution. */
static void assert_share(double got, double of, double probability)
{
  if (fabs(got - of * probability) > 5 * sqrt(of * probability * (1 - probability)) + 1)
    fail_msg("%g of %g; %g were expected", got, of, of * probability);
}

TEST(drawn_patterns_have_their_probabilities)
{
  static struct tally tally;
  struct hd_parameter diagonal[] = {text_parameter("pattern", "diagonal"),
                                    number_parameter("load", 1), number_parameter("flits", 1),
                                    number_parameter("cycles", 20000)};
  tally_run(&tally, "traffic", 7, diagonal, 4);
  for (int s = 0; s < 7; s++)
    for (int d = 0; d < 7; d++)
      assert_share((double)tally.from[s][d], 20000,
                   d == (s + 1) % 7   ? 2.0 / 3
                   : d == (s + 2) % 7 ? 1.0 / 3
                                      : 0);
  struct hd_parameter groups[] = {text_parameter("pattern", "adversarial"),
                                  number_parameter("load", 1),
                                  number_parameter("flits", 1),
                                  number_parameter("cycles", 20000),
                                  number_parameter("group", 4),
                                  number_parameter("shift", 2)};
  tally_run(&tally, "traffic", 12, groups, 6);
  for (int s = 0; s < 12; s++)
    for (int d = 0; d < 12; d++)
      assert_share((double)tally.from[s][d], 20000, d / 4 == (s / 4 + 2) % 3 ? 0.25 : 0);
  struct hd_parameter spots[] = {text_parameter("pattern", "hotspot"), number_parameter("load", 1),
                                 number_parameter("flits", 1), number_parameter("cycles", 20000),
                                 text_parameter("spots", "3:0.2+7:0.1")};
  tally_run(&tally, "traffic", 8, spots, 5);
  for (int s = 0; s < 8; s++) {
    const double rest = 0.7 + (s == 3 ? 0.2 : s == 7 ? 0.1 : 0);
    for (int d = 0; d < 8; d++)
      assert_share((double)tally.from[s][d], 20000,
                   d == s ? 0
                          : rest / 7 + (d == 3   ? 0.2
                                        : d == 7 ? 0.1
                                                 : 0));
  }
}

TEST(rates_are_read_from_tables_of_other_tools)
{
  static struct tally tally;
  char path[64];
  /* A file of Noxim. Node 0 sends 0.05 packets of 4 flits a cycle to node 1; node 2 sends 0.2, only
   * in the cycles after 2 and before 6 of each 10. */
  write_temporary(
      path, "% src dst pir por t_on t_off t_period\n0 1 0.05\n0 3 0.02 0.02\n2 1 0.2 0.2 2 6 10\n");
  struct hd_parameter noxim[] = {text_parameter("pattern", "noxim"), text_parameter("file", path),
                                 number_parameter("flits", 4), number_parameter("cycles", 50000)};
  tally_run(&tally, "traffic", 4, noxim, 4);
  for (int s = 0; s < 4; s++)
    for (int d = 0; d < 4; d++)
      assert_share((double)tally.from[s][d], 50000,
                   s == 0 && d == 1   ? 0.05
                   : s == 0 && d == 3 ? 0.02
                   : s == 2 && d == 1 ? 0.2 * 0.3
                                      : 0);
  unlink(path);
  write_temporary(path, "# bytes\n9 30 10 0\n0,0,0,0\n40 0 0 0\n0 0 0 0\n");
  struct hd_parameter weights[] = {text_parameter("pattern", "weights"),
                                   text_parameter("file", path), number_parameter("flits", 1),
                                   number_parameter("cycles", 50000),
                                   number_parameter("load", 0.1)};
  tally_run(&tally, "traffic", 4, weights, 5);
  for (int s = 0; s < 4; s++)
    for (int d = 0; d < 4; d++)
      assert_share((double)tally.from[s][d], 50000,
                   s == 0 && d == 1   ? 0.15
                   : s == 0 && d == 2 ? 0.05
                   : s == 2 && d == 0 ? 0.2
                                      : 0);
  unlink(path);
}

TEST(errors_in_traffic_tables_are_named_by_line)
{
  static const struct {
    const char *pattern, *text, *expected_message;
  } cases[] = {
      {"noxim", "% c\n0 1\n", ":2: legal: source, destination, pir"},
      {"noxim", "0 4 0.1\n", ":1: the fabric has no such node"},
      {"noxim", "1 1 0.1\n", ":1: a node that sends to itself"},
      {"noxim", "0 1 x\n", ":1: not a number, 0 or more"},
      {"noxim", "0 1 2\n", ":1: pir is above 1"},
      {"noxim", "0 1 0.1 0.2\n", ":1: por is not pir"},
      {"noxim", "0 1 0.1 0.1 5 4 9\n", ":1: legal: t_on < t_off < t_period"},
      {"noxim", "% nothing\n", " has no rate above 0"},
      {"matrix", "0,1\n", ":1: something is missing after destination; a line is source,dest"},
      {"permutation-file", "# nothing\n", ":1: no line of source,destination"},
      {"weights", "1 2 3 4\n1 2 3\n", ":2: a row has a number for each node of the fabric"},
      {"weights", "1 2 3 4\n", ":1: a matrix has a row for each node"},
      {"weights", "1 2 3 4\n1 2 3 4\n1 2 3 4\n1 2 3 4\n1 2 3 4\n", ":5: more rows than nodes"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[64], pattern[24], expected[160];
    write_temporary(path, cases[i].text);
    strcpy(pattern, cases[i].pattern);
    snprintf(expected, sizeof expected, "%s%s", path, cases[i].expected_message);
    struct hd_parameter parameters[] = {text_parameter("pattern", pattern),
                                        text_parameter("file", path)};
    CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 3};
    struct hd_world_params p = fake_params(&net, 4, hd_program_find("traffic"));
    p.parameters = parameters;
    p.n_parameters = 2;
    must(hd_world_create(&net.world, &p, &why));
    must_fail(hd_world_step(net.world, 0, &why), HD_E_INPUT, expected);
    unlink(path);
  }
}

TEST(permutations_and_rates_are_read_from_files)
{
  static struct tally tally;
  char path[64];
  write_temporary(path, "source,destination\n0,2\n# 1 is silent\n2,1\n3,0\n");
  struct hd_parameter permutation[] = {
      text_parameter("pattern", "permutation-file"), text_parameter("file", path),
      number_parameter("load", 1), number_parameter("flits", 1), number_parameter("cycles", 50)};
  tally_run(&tally, "traffic", 4, permutation, 5);
  static const int to[] = {2, -1, 1, 0};
  for (int s = 0; s < 4; s++)
    for (int d = 0; d < 4; d++)
      assert_int_equal(tally.from[s][d], d == to[s] ? 50 : 0);
  unlink(path);
  write_temporary(path, "source,destination,rate\n0,1,0.3\n0,2,0.1\n2,0, 0.4\n1,3,0\n");
  struct hd_parameter matrix[] = {text_parameter("pattern", "matrix"), text_parameter("file", path),
                                  number_parameter("flits", 1), number_parameter("cycles", 50000),
                                  number_parameter("load", 0.1)};
  for (uint32_t given = 4; given <= 5;
       given++) { /* without a load the rates as they are: 0.2 on average */
    const double factor = given == 5 ? 0.5 : 1;
    tally_run(&tally, "traffic", 4, matrix, given);
    for (int s = 0; s < 4; s++)
      for (int d = 0; d < 4; d++)
        assert_share((double)tally.from[s][d], 50000,
                     factor * (s == 0 && d == 1   ? 0.3
                               : s == 0 && d == 2 ? 0.1
                               : s == 2 && d == 0 ? 0.4
                                                  : 0));
  }
  unlink(path);
}

/* The run's message where parameters are refused; "" where they are not. */
static const char *message_of_refusal(const char *program, uint32_t nodes,
                                      const struct hd_parameter *parameters, uint32_t n)
{
  static struct hd_error err;
  struct hd_world_culprit culprit;
  struct hd_world_params p = {.nodes = nodes,
                              .data_bits = 16,
                              .packet_bytes = 64,
                              .program = hd_program_find(program),
                              .parameters = parameters,
                              .n_parameters = n};
  err.text[0] = '\0';
  return hd_world_check(&p, &culprit, &err) ? err.text : "";
}

TEST(patterns_refuse_numbers_of_nodes_that_do_not_fit)
{
  int legal = 0;
  for (uint32_t n = 2; n <= 64; n++) {
    const bool power = !(n & (n - 1)),
               square = n == 4 || n == 9 || n == 16 || n == 25 || n == 36 || n == 49 || n == 64;
    const struct {
      char *pattern;
      bool fits;
    } patterns[] = {{"bit-complement", power}, {"bit-reverse", power},
                    {"bit-shuffle", power},    {"bit-rotation", power},
                    {"transpose", square},     {"tornado", square && n > 4},
                    {"neighbour", square},     {"diagonal", n > 2},
                    {"uniform", true},         {"adversarial", n % 3 == 0 && n > 3}};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
      struct hd_parameter parameters[] = {text_parameter("pattern", patterns[i].pattern),
                                          number_parameter("group", 3)};
      const char *said = message_of_refusal("traffic", n, parameters, 2);
      if (patterns[i].fits != !*said)
        fail_msg("%s of %u nodes: '%s'", patterns[i].pattern, n, said);
      legal += patterns[i].fits;
    }
  }
  assert_int_equal(legal, 4 * 6 + 7 + 6 + 7 + 62 + 63 + 20);
}

TEST(wrong_parameters_of_traffic_are_refused_with_the_reason)
{
  char path[64], matrix[128], twice[128], itself[128];
  write_temporary(path, "0,1,0.5\n0,1,0.1\n");
  snprintf(twice, sizeof twice, "%s:2: source and destination are there twice", path);
  snprintf(matrix, sizeof matrix, "%s", path);
  const struct {
    struct hd_parameter parameters[3];
    const char *expected_message;
  } cases[] = {
      {{text_parameter("pattern", "round")}, "there is no pattern 'round'"},
      {{text_parameter("injection", "drops")}, "'drops'; legal: bernoulli, bursts, batch"},
      {{number_parameter("burst_cycles", 10)}, "has no effect without injection: bursts"},
      {{text_parameter("pause_cycles", "1 | 2"), text_parameter("injection", "batch")},
       "has no effect without injection: bursts"},
      {{number_parameter("batch", 10), text_parameter("injection", "bursts")},
       "has no effect without injection: batch"},
      {{number_parameter("load", 0.3), text_parameter("injection", "batch")},
       "has no effect without injection: bernoulli or bursts"},
      {{text_parameter("share", "1 | 2"), text_parameter("injection", "batch")},
       "has no effect without injection: bernoulli or bursts"},
      {{number_parameter("cycles", 50), text_parameter("injection", "batch")},
       "has no effect without injection: bernoulli or bursts, or hold_cycles"},
      {{number_parameter("hold_every", 10)}, "has no effect without hold_cycles"},
      {{text_parameter("share", "1 | 2"), text_parameter("flits", "1 | 2 | 3")},
       "has 3 parts, and share has 2"},
      {{text_parameter("share", "0 | 0")}, "no class has a share above 0"},
      {{text_parameter("flits", "1:1+2")}, "legal: at most 16 of value:weight"},
      {{text_parameter("flits", "1:1+0:1")}, "legal: at most 16 of value:weight"},
      {{text_parameter("flits", "1 | x")}, "'x' for class 1"},
      {{text_parameter("flits", "1 | 1.5")}, "1.5 for class 1"},
      {{text_parameter("pattern", "hotspot"), text_parameter("spots", "1:0.7+2:0.4")},
       "make 1.1 together"},
      {{text_parameter("pattern", "hotspot"), text_parameter("spots", "1:0.7"),
        number_parameter("node", 1)},
       "beside fraction or node"},
      {{text_parameter("injection", "bursts"), number_parameter("load", 0.9),
        number_parameter("flits", 1)},
       "1.8 packets"},
      {{text_parameter("pattern", "matrix")}, "this pattern needs a file"},
      {{text_parameter("pattern", "matrix"), text_parameter("file", matrix)}, twice},
      {{text_parameter("pattern", "adversarial")}, "needed: the nodes of a group"},
      {{text_parameter("pattern", "tornado"), text_parameter("dims", "3x5")},
       "their product is not 16"},
      {{number_parameter("network", 1)}, "legal: a whole number, 0 … 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t n = 0;
    while (n < 3 && cases[i].parameters[n].key)
      n++;
    const char *said = message_of_refusal("traffic", 16, cases[i].parameters, n);
    if (!strstr(said, cases[i].expected_message))
      fail_msg("case %zu: '%s' does not say '%s'", i, said, cases[i].expected_message);
  }
  unlink(path);
  write_temporary(path, "1,2,0.5\n0,0,0.1\n");
  snprintf(itself, sizeof itself, "%s:2: node 0 sends to itself", path);
  struct hd_parameter parameters[] = {text_parameter("pattern", "matrix"),
                                      text_parameter("file", path)};
  assert_non_null(strstr(message_of_refusal("traffic", 4, parameters, 2), itself));
  unlink(path);
  write_temporary(path, "1,2,90\n");
  assert_non_null(
      strstr(message_of_refusal("traffic", 4, parameters, 2), "node 1 would send 90 flits"));
  unlink(path);
}

static bool is_listed(const char *const *keys, const char *key)
{
  while (*keys && strcmp(*keys, key))
    keys++;
  return *keys;
}

/* A pattern of the list has all that its page says, and its parameters where any pattern may be chosen. */
TEST(every_pattern_has_a_description_and_known_parameters)
{
  int parameters = 0;
  for (const struct hd_pattern *const *p = hd_patterns; *p; p++) {
    assert_ptr_equal(hd_pattern_find((*p)->name), *p);
    assert_true((*p)->about && (*p)->formula && (*p)->counts && (*p)->prepare);
    for (const char *const *key = (*p)->parameters; key && *key; key++, parameters++) {
      assert_true(is_listed(hd_program_find("traffic")->parameters, *key));
      assert_true(is_listed(hd_program_find("request-reply")->parameters, *key));
    }
  }
  assert_true(parameters >= 10);
  assert_null(hd_pattern_find("round"));
}

/* ── classes, sizes, injection ────────────────────────────────────────────── */

/* Packets by size, and the flits of each cycle. */
struct sizes {
  uint64_t now, of[16], to[64], packets;
  uint32_t cycles[20000];
};

static int count_sizes(void *context, const struct hd_world_packet *sent)
{
  struct sizes *sizes = context;
  sizes->of[sent->flits]++;
  sizes->to[sent->destination]++;
  sizes->packets++;
  if (sent->source == 0)
    sizes->cycles[sizes->now]++;
  return 0;
}

static void sizes_run(struct sizes *sizes, const struct hd_parameter *parameters, uint32_t n)
{
  memset(sizes, 0, sizeof *sizes);
  struct hd_world_params p = {.nodes = 16,
                              .data_bits = 16,
                              .packet_bytes = 64,
                              .seed = seed,
                              .program = hd_program_find("traffic"),
                              .parameters = parameters,
                              .n_parameters = n,
                              .send = count_sizes,
                              .context = sizes};
  struct hd_world *world;
  must(hd_world_create(&world, &p, &why));
  while (!hd_world_finished(world)) {
    sizes->now = hd_world_next_cycle(world);
    must(hd_world_step(world, sizes->now, &why));
  }
  hd_world_destroy(world);
}

TEST(packet_sizes_follow_their_weights_and_keep_the_load)
{
  static struct sizes sizes;
  struct hd_parameter parameters[] = {text_parameter("flits", "1:3+5:1"),
                                      number_parameter("load", 0.4),
                                      number_parameter("cycles", 20000)};
  sizes_run(&sizes, parameters, 3);
  assert_share((double)sizes.of[1], (double)sizes.packets, 0.75);
  assert_int_equal(sizes.of[1] + sizes.of[5], sizes.packets);
  assert_true(fabs((double)(sizes.of[1] + 5 * sizes.of[5]) / (16 * 20000 * 0.4) - 1) < 0.02);
}

TEST(classes_have_their_pattern_size_and_share)
{
  static struct sizes sizes;
  struct hd_parameter parameters[] = {text_parameter("pattern", "hotspot | bit-complement"),
                                      text_parameter("flits", "2 | 8"),
                                      text_parameter("share", "3 | 1"),
                                      number_parameter("load", 0.4),
                                      number_parameter("cycles", 20000),
                                      number_parameter("fraction", 1)};
  sizes_run(&sizes, parameters, 6);
  assert_true(fabs((double)(2 * sizes.of[2]) / (16 * 20000 * 0.3) - 1) < 0.03);
  assert_true(fabs((double)(8 * sizes.of[8]) / (16 * 20000 * 0.1) - 1) < 0.05);
  /* Node 0 gets all packets of 15 nodes' first class, and those of node 15's second one. */
  assert_share((double)sizes.to[0], (double)sizes.of[2] + (double)sizes.of[8] / 16,
               (15.0 / 16 * (double)sizes.of[2] + (double)sizes.of[8] / 16) /
                   ((double)sizes.of[2] + (double)sizes.of[8] / 16));
}

/* With bursts of which each cycle has a packet, the lengths of runs of cycles are those asked for. */
TEST(bursts_and_pauses_have_their_mean_lengths)
{
  static struct sizes sizes;
  struct hd_parameter parameters[] = {
      text_parameter("injection", "bursts"), number_parameter("load", 0.2),
      number_parameter("flits", 1),          number_parameter("burst_cycles", 10),
      number_parameter("pause_cycles", 40),  number_parameter("cycles", 20000)};
  sizes_run(&sizes, parameters, 6);
  uint32_t busy = 0, bursts = 0;
  for (size_t i = 0; i < 20000; i++) {
    assert_true(sizes.cycles[i] <= 1);
    busy += sizes.cycles[i];
    bursts += sizes.cycles[i] && (!i || !sizes.cycles[i - 1]);
  }
  printf("%u bursts of %.2f cycles, load %.3f\n", bursts, (double)busy / bursts, busy / 20000.0);
  assert_true(bursts > 300);
  assert_true(fabs((double)busy / bursts - 10) < 5 * 10 / sqrt(bursts));
  assert_true(fabs((20000.0 - busy) / bursts - 40) < 5 * 40 / sqrt(bursts));
  assert_true(fabs((double)sizes.packets / (16 * 20000 * 0.2) - 1) < 0.05);
}

TEST(all_packets_of_a_batch_are_ready_at_the_start)
{
  static struct sizes sizes;
  struct hd_parameter parameters[] = {text_parameter("injection", "batch"),
                                      number_parameter("batch", 30),
                                      text_parameter("flits", "1 | 3")};
  sizes_run(&sizes, parameters, 3);
  assert_int_equal(sizes.cycles[0], 60);
  assert_int_equal(sizes.of[1], 16 * 30);
  assert_int_equal(sizes.of[3], 16 * 30);
}

/* Returns the cycle in which all requests have ended. */
static uint64_t request_reply(double outstanding)
{
  struct hd_parameter parameters[] = {text_parameter("pattern", "bit-complement"),
                                      number_parameter("outstanding", outstanding),
                                      number_parameter("requests", 40)};
  CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 50};
  struct hd_world_params p = fake_params(&net, 8, hd_program_find("request-reply"));
  uint64_t ended = 0;
  p.parameters = parameters;
  p.n_parameters = 3;
  p.startup_cycles = 0;
  must(hd_world_create(&net.world, &p, &why));
  must(fake_run(&net, 100000, &ended, &why));
  struct hd_world_counters counters;
  hd_world_counters(net.world, &counters);
  /* Requests and replies, 7 nodes that tell node 0, 7 that are told. */
  assert_int_equal(counters.messages_sent, 8 * 40 * 2 + 14);
  assert_int_equal(counters.messages_received, counters.messages_sent);
  struct hd_world_statistic trips = hd_world_statistic(net.world, 0);
  assert_string_equal(trips.name, "round trip");
  assert_int_equal(trips.n, 8 * 40);
  return ended;
}

TEST(more_outstanding_requests_finish_sooner)
{
  const uint64_t one = request_reply(1), four = request_reply(4);
  assert_true(one >= 40 * 100); /* each waits for the one before it */
  assert_true(four < one / 3 && four > one / 5);
}

TEST(patterns_name_the_documented_destinations)
{
  static struct tally tally;
  struct hd_parameter parameters[] = {number_parameter("load", 0.5),
                                      number_parameter("columns", 8)};
  struct hd_parameter wide[] = {number_parameter("load", 0.5), number_parameter("columns", 16)};
  int compared = 0;
  tally_run(&tally, "transpose", 64, parameters, 2);
  for (int s = 0; s < 64; s++)
    for (int d = 0; d < 64; d++, compared++)
      assert_int_equal(tally.from[s][d] > 0, s != d && d == s % 8 * 8 + s / 8);
  tally_run(&tally, "bit-complement", 64, parameters, 1);
  for (int s = 0; s < 64; s++)
    for (int d = 0; d < 64; d++, compared++)
      assert_int_equal(tally.from[s][d] > 0, d == (~s & 63));
  tally_run(&tally, "tornado", 64, parameters, 2);
  for (int s = 0; s < 64; s++)
    for (int d = 0; d < 64; d++, compared++)
      assert_int_equal(tally.from[s][d] > 0, d == (s % 8 + 3) % 8 + (s / 8 + 3) % 8 * 8);
  tally_run(&tally, "neighbour", 64, wide, 2); /* 16 columns, 4 rows */
  for (int s = 0; s < 64; s++)
    for (int d = 0; d < 64; d++, compared++)
      assert_int_equal(tally.from[s][d] > 0, d == (s % 16 + 1) % 16 + (s / 16 + 1) % 4 * 16);
  assert_int_equal(compared, 4 * 64 * 64);
}

/* With four nodes each of the 24 permutations can be told from what was sent. */
TEST(drawn_permutations_are_valid_and_all_occur)
{
  static struct tally tally;
  int counts[256] = {0}, different = 0;
  for (int number_of = 0; number_of < 480; number_of++) {
    struct hd_parameter parameters[] = {number_parameter("load", 1), number_parameter("flits", 1),
                                        number_parameter("cycles", 3),
                                        number_parameter("permutation", number_of)};
    tally_run(&tally, "permutation", 4, parameters, 4);
    int to[4], seen = 0;
    for (int s = 0; s < 4; s++) {
      to[s] = s; /* silent */
      for (int d = 0; d < 4; d++)
        if (tally.from[s][d]) {
          assert_int_equal(tally.from[s][d], 3);
          assert_int_equal(to[s], s);
          assert_int_not_equal(d, s);
          to[s] = d;
        }
      seen |= 1 << to[s];
    }
    assert_int_equal(seen, 15);
    different += !counts[to[0] << 6 | to[1] << 4 | to[2] << 2 | to[3]]++;
  }
  assert_int_equal(different, 24);
  double chi2 = 0;
  for (int i = 0; i < 256; i++)
    chi2 += counts[i] ? (counts[i] - 20.0) * (counts[i] - 20.0) / 20 : 0;
  printf("480 permutations of 4 nodes: chi-square %.1f of 23 degrees of freedom\n", chi2);
  assert_true(chi2 < 49.7); /* 99.9 % */
}

TEST(uniform_traffic_is_uniform_and_excludes_the_sender)
{
  static struct tally tally;
  struct hd_parameter parameters[] = {number_parameter("load", 1), number_parameter("flits", 1),
                                      number_parameter("cycles", 60000)};
  tally_run(&tally, "uniform", 16, parameters, 3);
  double chi2 = 0;
  for (int s = 0; s < 16; s++)
    for (int d = 0; d < 16; d++) {
      if (s == d) {
        assert_int_equal(tally.from[s][d], 0);
        continue;
      }
      double difference = (double)tally.from[s][d] - 4000;
      chi2 += difference * difference / 4000;
    }
  printf("chi-square %.1f of 224 degrees of freedom\n", chi2);
  assert_true(chi2 > 224 - 6 * 21.2 && chi2 < 224 + 6 * 21.2);
}

TEST(hotspot_sends_its_fraction_to_the_hot_node)
{
  static struct tally tally;
  struct hd_parameter parameters[] = {
      number_parameter("load", 1), number_parameter("flits", 1), number_parameter("cycles", 100000),
      number_parameter("fraction", 0.25), number_parameter("node", 5)};
  tally_run(&tally, "hotspot", 16, parameters, 5);
  double hot = 0;
  for (int s = 0; s < 16; s++)
    hot += (double)tally.from[s][5];
  double expected = 15 * 100000 * (0.25 + 0.75 / 15);
  assert_true(fabs(hot / expected - 1) < 0.01);
  assert_int_equal(tally.from[5][5], 0);
}
