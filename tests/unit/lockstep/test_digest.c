/* The digest of a window is the sum of its events' values (§6.4), for any number of events.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/lockstep/lockstep_internal.h"
#include "../lib/dice.h"
#include "../lib/test.h"

enum { MOST = 40 };

/* Events have random bytes, cycles of any size, and `zero` is 0. */
static void draw_events(uint64_t *random, struct hd_flit_event *flits,
                        struct hd_credit_event *credits)
{
  for (unsigned i = 0; i < MOST; i++) {
    const uint64_t a = next_random(random), b = next_random(random), c = next_random(random);
    flits[i] = (struct hd_flit_event){.data = next_random(random),
                                      .cycle = (uint32_t)(a >> a % 32),
                                      .port = (uint8_t)(b >> 8),
                                      .vc = (uint8_t)(b >> 16),
                                      .kind = (uint8_t)(b >> 24)};
    credits[i] = (struct hd_credit_event){.cycle = (uint32_t)(c >> c % 32),
                                          .port = (uint8_t)(b >> 32),
                                          .vcs = (uint8_t)(b >> 40),
                                          .barrier = (uint8_t)(b >> 48),
                                          .count = (uint8_t)(b >> 56)};
  }
}

TEST(a_digest_is_the_sum_of_its_events)
{
  struct hd_flit_event flits[MOST];
  struct hd_credit_event credits[MOST];
  const uint64_t starts[] = {0, 256, UINT32_MAX, UINT64_C(1) << 39};
  uint64_t compared = 0, random = first_seed();
  for (unsigned round = 0; round < 20; round++) {
    const uint64_t start = starts[round % 4];
    uint64_t of_flits = 0;
    draw_events(&random, flits, credits);
    for (uint32_t n = 0; n <= MOST; n++) {
      uint64_t both = of_flits;
      for (uint32_t m = 0; m <= MOST; m++) {
        if (hd_events_digest(flits, n, credits, m, start) != both)
          fail_msg("seed %" PRIu64 ", round %u: %u flits, %u credits", first_seed(), round, n, m);
        compared += n + m;
        both += m < MOST ? hd_credit_digest(&credits[m], start) : 0;
      }
      of_flits += n < MOST ? hd_flit_digest(&flits[n], start) : 0;
    }
  }
  print_message("seed %" PRIu64 ", %" PRIu64 " events\n", first_seed(), compared);
  assert_true(compared > 0);
}
