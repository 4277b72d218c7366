/* Axes of sweeps (bridge/sweep).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/sweep/sweep.h"
#include "../lib/test.h"

#include <math.h>

static void assert_values(const char *text, const char *const *values, uint32_t n)
{
  CLEANUP(hd_axis_fini) struct hd_axis axis;
  const struct hd_setting setting = {"a.b", text};
  must(hd_axis_parse(&axis, &setting, &why));
  assert_int_equal(axis.n, n);
  for (uint32_t i = 0; i < n; i++)
    assert_string_equal(axis.values[i], values[i]);
}
#define VALUES(text, ...)                                 \
  assert_values(text, (const char *const[]){__VA_ARGS__}, \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

TEST(lists_and_ranges_become_the_values_of_an_axis)
{
  VALUES("a", "a");
  VALUES("up-down,shortest", "up-down", "shortest");
  VALUES("[4, 4],[8, 8]", "[4, 4]", "[8, 8]");
  VALUES("{load: 0.1, flits: 2},{load: 0.2}", "{load: 0.1, flits: 2}", "{load: 0.2}");
  VALUES("'a,b',\"c,d\"", "'a,b'", "\"c,d\"");
  /* Values are written without digits that come from binary fractions, and both ends are included. */
  VALUES("0.1:0.7:0.1", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7");
  VALUES("1:6:2", "1", "3", "5");
  VALUES("5:5:1", "5");
  VALUES("4:64:*2", "4", "8", "16", "32", "64");
  VALUES("0.01:1:*10", "0.01", "0.1", "1");
  /* Options of a backend after a colon are not taken for a range. */
  VALUES("netlist:ice40,model", "netlist:ice40", "model");
}

TEST(malformed_axes_are_refused_by_key)
{
  static const char *const wrong[] = {"",       "a,",       ",a",        "a,,b",           "a,a",
                                      "2:1:1",  "0:1:0",    "0:1:-1",    "0:8:*2",         "1:8:*1",
                                      "1:8:*0", "0:1:1e-9", "1:1e300:1", "nan:1:1,nan:1:1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CLEANUP(hd_axis_fini) struct hd_axis axis;
    const struct hd_setting setting = {"a.b", wrong[i]};
    must_fail(hd_axis_parse(&axis, &setting, &why), HD_E_INPUT, "a.b");
  }
}
