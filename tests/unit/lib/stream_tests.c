/* Fixtures for tests of backends: DUTs for random streams, and the comparison of their answers.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream_tests.h"

struct hd_dut *make_dut(const struct hd_dut_ops *ops, const struct stream *s, uint32_t count,
                        const char *options)
{
  struct hd_dut *dut = NULL;
  must(ops->create(&dut, &s->params, count, options, &why));
  for (uint32_t sw = 0; sw < count; sw++)
    must(hd_stream_configure(s, ops, dut, sw, &why));
  return dut;
}

void make_stream(struct stream *s, const struct hd_switch_params *params, uint32_t cycles,
                 uint32_t illegal, uint64_t seed)
{
  struct stream_style style = {.load = 300, .illegal = illegal};
  must(hd_stream_make(s, params, cycles, &style, seed, &why));
}

uint32_t run_and_compare(const struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
                         uint32_t sw, uint32_t from, uint32_t to, uint32_t window, uint64_t seed)
{
  CLEANUP(hd_answer_fini) struct answer answer;
  char text[600];
  hd_answer_init(&answer, s);
  must(hd_stream_run(s, ops, dut, sw, from, to, window, &answer, &why));
  uint32_t n = hd_stream_compare(s, &answer, from, to, text, sizeof text);
  if (*text)
    fail_msg("%s, window %u, seed %" PRIu64 ": %s\nagain: HD_SEED=%" PRIu64 " build/opt/unit/%s",
             ops->name, window, seed, text, seed, program_invocation_short_name);
  return n;
}

uint32_t snapshot_and_compare(const struct stream *s, const struct hd_dut_ops *ops, uint32_t half,
                              uint64_t seed)
{
  struct hd_dut_buffer buffer = {0};
  struct hd_dut *dut = make_dut(ops, s, 2, "");
  uint32_t compared = run_and_compare(s, ops, dut, 0, 0, half, 64, seed);
  assert_int_equal(ops->snapshot_save(dut, 0, &buffer, NULL), 0);
  compared += run_and_compare(s, ops, dut, 0, half, s->cycles, 100, seed);
  for (uint32_t sw = 0; sw < 2; sw++) {
    assert_int_equal(ops->snapshot_restore(dut, sw, &buffer, NULL), 0);
    compared += run_and_compare(s, ops, dut, sw, half, s->cycles, 256, seed);
  }
  buffer.length--;
  assert_int_equal(ops->snapshot_restore(dut, 0, &buffer, NULL), HD_E_INPUT);
  free(buffer.bytes);
  ops->destroy(dut);
  return compared;
}
