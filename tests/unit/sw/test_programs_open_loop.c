/* The open-loop programs: loads and destinations are what was asked for.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdint.h>

#include "../lib/fake_network.h"
#include "../lib/test.h"

#include <math.h>

static uint64_t seed;

static struct hd_parameter number(char *key, double value)
{
  return (struct hd_parameter){.key = key, .number = value};
}

/* Every packet that was handed over, by a network that drops them. */
struct tally {
  uint64_t now, packets, flits, from[64][64], last_cycle;
};

static int count(void *context, const struct hd_world_packet *sent)
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
                              .send = count,
                              .context = tally};
  struct hd_world *world;
  struct hd_error err = {""};
  assert_int_equal(hd_world_create(&world, &p, &err), 0);
  while (!hd_world_finished(world)) {
    uint64_t next = hd_world_next_cycle(world);
    assert_true(next != UINT64_MAX);
    tally->now = next;
    if (hd_world_step(world, next, &err))
      fail_msg("%s", err.text);
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
      struct hd_parameter parameters[] = {
          number("load", loads[j].load), number("flits", loads[j].flits), number("cycles", cycles)};
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
  struct hd_parameter parameters[] = {number("load", 1), number("flits", 1),
                                      number("cycles", 1000)};
  tally_run(&tally, "uniform", 16, parameters, 3);
  assert_int_equal(tally.packets, 16000);
  parameters[0].number = 0;
  tally_run(&tally, "uniform", 16, parameters, 3);
  assert_int_equal(tally.packets, 0);
}

TEST(patterns_name_the_documented_destinations)
{
  static struct tally tally;
  struct hd_parameter parameters[] = {number("load", 0.5), number("columns", 8)};
  struct hd_parameter wide[] = {number("load", 0.5), number("columns", 16)};
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
TEST(permutations_are_permutations_and_all_are_drawn)
{
  static struct tally tally;
  int counts[256] = {0}, different = 0;
  for (int number_of = 0; number_of < 480; number_of++) {
    struct hd_parameter parameters[] = {number("load", 1), number("flits", 1), number("cycles", 3),
                                        number("permutation", number_of)};
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

TEST(uniform_is_uniform_and_excludes_the_node_itself)
{
  static struct tally tally;
  struct hd_parameter parameters[] = {number("load", 1), number("flits", 1),
                                      number("cycles", 60000)};
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
  struct hd_parameter parameters[] = {number("load", 1), number("flits", 1),
                                      number("cycles", 100000), number("fraction", 0.25),
                                      number("node", 5)};
  tally_run(&tally, "hotspot", 16, parameters, 5);
  double hot = 0;
  for (int s = 0; s < 16; s++)
    hot += (double)tally.from[s][5];
  double expected = 15 * 100000 * (0.25 + 0.75 / 15);
  assert_true(fabs(hot / expected - 1) < 0.01);
  assert_int_equal(tally.from[5][5], 0);
}

int main(int argc, char **argv)
{
  (void)argc;
  seed = fake_seed(argv[0], 1);
  return tests_run(NULL, NULL);
}
