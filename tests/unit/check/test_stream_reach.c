/* Streams get to where faults hide: rare headers, the end of every wait, whole rounds of barriers.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../sw/check/streams/barrier_stream.h"
#include "../lib/stream_tests.h"
#include "../lib/switch_set.h"

enum { SEED = 1 };

/* 5 ports, 2 channels of 32 bits: a message is a flit. */
static const struct hd_switch_params k_params =
    SWITCH_SET(5, 2, 32, 4, 16, 1, 1, 0, 0, 0, 0, HD_BARRIER_FIXED, 4, 6);

static void make(struct stream *s, uint32_t cycles, const struct stream_style *style, uint64_t seed)
{
  struct hd_error err = {.text = ""};
  if (stream_make(s, &k_params, cycles, style, seed, &err))
    fail_msg("%s", err.text);
}

/* Mode 1 goes by the destination where its entry is valid (§2.7): that is legal without source tables, too. */
static void heads_of_legal_streams_have_all_modes(void **state)
{
  (void)state;
  uint32_t modes[4] = {0};
  struct stream s;
  make(&s, 4096, &(struct stream_style){.load = 500}, SEED);
  for (uint32_t i = 0; i < s.n_flits_in; i++)
    if (s.flits_in[i].kind == HD_KIND_HEAD || s.flits_in[i].kind == HD_KIND_SINGLE)
      modes[s.flits_in[i].data & 3]++;
  print_message("heads of modes 0 to 3: %u, %u, %u, %u\n", modes[0], modes[1], modes[2], modes[3]);
  assert_true(modes[0] > 30 && modes[1] > 30 && modes[2] > 30);
  assert_int_equal(modes[3], 0);
  stream_fini(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heads_of_legal_streams_have_all_modes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
