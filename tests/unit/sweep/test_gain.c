/* Tests the rule by which a sweep changes to bit lanes (bridge/sweep).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/sweep/sweep_internal.h"
#include "../lib/test.h"

static void assert_near(double a, double b)
{
  assert_true(a - b < 1e-9 && b - a < 1e-9);
}

TEST(the_gain_of_lanes_includes_the_time_of_their_build)
{
  /* 100 runs of a second on one worker; in lanes 20 s to build and half a second each. */
  assert_near(hd_sweep_gain(100, 1, 1, 0.5, 20), 100 - (20 + 50));
  assert_near(hd_sweep_gain(100, 1, 1, 0.5, 0), 50);
  assert_true(hd_sweep_gain(30, 1, 1, 0.5, 20) < 0);
  assert_true(hd_sweep_gain(0, 1, 1, 0.5, 20) < 0);
}

TEST(the_gain_of_lanes_includes_runs_during_the_build)
{
  /* While one worker builds, the other carries out 20 of the runs. */
  assert_near(hd_sweep_gain(100, 2, 1, 0.5, 20), 50 - (20 + 80 * 0.5 / 2));
  /* The other worker carries out all runs during the build, so lanes have nothing to do. */
  assert_near(hd_sweep_gain(20, 2, 1, 0.5, 20), 10 - 20);
  assert_true(hd_sweep_gain(100, 64, 1, 0.1, 20) < 0);
}

TEST(slower_lanes_give_no_gain)
{
  assert_true(hd_sweep_gain(1000, 2, 1, 1.1, 0) < 0);
  assert_near(hd_sweep_gain(1000, 2, 1, 1, 0), 0);
}
