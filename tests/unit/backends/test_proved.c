/* A run trusts quiescent_o only of switches of the RTL and the kinds that are proved (specification §2.10).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/backends/rtl/dut_sources.h"
#include "../../../bridge/host/install_root.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"

#include <limits.h>

static const struct hd_switch_params small = {SIMPLE_SWITCH(5, 2, 16, 4, 16), .groups = 8,
                                              .switches = 16};

static bool is_proved(struct hd_switch_params params)
{
  char root[PATH_MAX], rtl[PATH_MAX + 8];
  bool answer = false;
  must(hd_install_root(root, sizeof root, &why));
  snprintf(rtl, sizeof rtl, "%s/rtl", root);
  must(hd_sources_proved(rtl, &params, &answer, &why));
  return answer;
}

/* Numbers of ports, channels, places and entries select no RTL. */
TEST(proofs_hold_for_all_numbers_of_ports_channels_and_entries)
{
  struct hd_switch_params p = small;
  assert_true(is_proved(p));
  p.ports = 16;
  p.vcs = 8;
  p.depth_flits = 64;
  p.nodes = 2048;
  p.data_bits = 64;
  assert_true(is_proved(p));
  p.cut_flits = 64;
  p.source_table = 1;
  assert_true(is_proved(p));
}

TEST(quiescent_o_is_trusted_only_for_barrier_kinds_with_a_proof)
{
  for (uint32_t kind = 0; kind < HD_BARRIER_KINDS; kind++) {
    struct hd_switch_params p = small;
    p.barrier = kind;
    assert_true(is_proved(p));
    p.buffer_cycles =
        1; /* without messages it is proved with two cycles of routing and allocation */
    assert_int_equal(is_proved(p), kind != HD_BARRIER_NONE);
    p.route_cycles = p.arb_cycles = 2;
    assert_int_equal(is_proved(p), kind == HD_BARRIER_NONE);
  }
  struct hd_switch_params p = small;
  p.adaptive = 2;
  p.cut_flits = 3;
  assert_true(is_proved(p));
  p.buffer_cycles = 1;
  assert_false(is_proved(p));
}
