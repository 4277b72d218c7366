/* DUT contract (bridge/dut.h) for Icarus Verilog: vvp simulates each switch in a process of its
 * own.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled into the shared object that heddle loads. The design and the VPI module are in the same
 * directory. HD_ABOUT is the simulator's version, HD_SOURCES lists the source files that options
 * named at the build.
 */
#include "../remote/remote_dut.h"
#include "../remote/remote_host.h"

#include <stdio.h>
#include <string.h>

/* Tests whether the shared object was built from this source file. */
static bool is_source(const char *option, size_t length)
{
  for (const char *p = HD_SOURCES; *p;) {
    size_t n = strcspn(p, ",");
    if (n == length && !memcmp(p, option, n))
      return true;
    p += n + (p[n] == ',');
  }
  return false;
}

static int parse_options(struct hd_remote_dut_options *o, const char *options, struct hd_error *err)
{
  int status = hd_remote_dut_options(o, "Icarus", HD_OPTIONS_ICARUS, options, err);
  for (const char *p = options; *p && !status;) {
    size_t n = strcspn(p, ",");
    if (hd_option_kind(p, n) == HD_OPTION_SOURCE && !is_source(p, n))
      status = hd_fail(err, HD_E_INPUT, "this Icarus backend was not built from %.*s",
                       n > 200 ? 200 : (int)n, p);
    p += n + (p[n] == ',');
  }
  return status;
}

static int create(struct hd_dut **dut, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  char directory[4096], modules[4096 + 16], design[4096 + 32];
  struct hd_remote_dut_options given = {.every_cycle = false};
  *dut = NULL;
  int status = parse_options(&given, options ? options : "", err);
  if (!status)
    status = hd_remote_dut_directory(directory, sizeof directory, err);
  if (status)
    return status;
  snprintf(modules, sizeof modules, "-M%s", directory);
  snprintf(design, sizeof design, "%s/hd_switch.vvp", directory);
  const char *argv[8 + HD_OPTION_PLUSARGS] = {"vvp", "-n", modules, "-mheddle", design, "-fst"};
  for (unsigned i = 0; i < given.n_plusargs; i++)
    argv[6 + i] = given.plusargs[i];
  const struct hd_remote_program program = {.argv = argv, .tool = "vvp", .package = "iverilog"};
  return hd_remote_dut_create(dut, &program, params, count, &given, err);
}

static const struct hd_dut_extension k_extension = {
    HD_REMOTE_WAVES,
    .config_unknown = hd_remote_dut_config_unknown,
    .make_two_state = hd_remote_dut_make_two_state,
};

static const struct hd_dut_ops k_ops = {
    HD_REMOTE_OPS("icarus", HD_DUT_WAVES | HD_DUT_FOUR_STATE, create),
    .extension = &k_extension,
};

__attribute__((visibility("default"))) const struct hd_dut_ops *hd_dut_backend(void)
{
  return &k_ops;
}
