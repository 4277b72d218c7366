/* DUT contract (bridge/dut.h) for VHDL switches: GHDL simulates each one in a process of its own.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled into the shared object that heddle loads. The VHDL, GHDL's library and the VPI module
 * are in the same directory. HD_ABOUT is the simulator's version. HD_GENERICS are GHDL's options
 * that set the switch's generics.
 */
#include "../remote/remote_dut.h"
#include "../remote/remote_host.h"
#include "ghdl_options.h"

static int create(struct hd_dut **dut, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  static const char *const argv[] = {"ghdl",      "-r", HD_GHDL_OPTIONS, "hd_switch", HD_GHDL_RUN,
                                     HD_GENERICS, NULL};
  char directory[4096];
  struct hd_remote_dut_options given = {.every_cycle = false};
  *dut = NULL;
  int status = hd_remote_dut_options(&given, "GHDL", HD_OPTIONS_GHDL, options ? options : "", err);
  if (!status)
    status = hd_remote_dut_directory(directory, sizeof directory, err);
  if (status)
    return status;
  const struct hd_remote_program program = {
      .argv = argv, .directory = directory, .tool = "ghdl", .package = "ghdl"};
  return hd_remote_dut_create(dut, &program, params, count, &given, err);
}

/* There is no make_two_state, because GHDL's VPI cannot force a signal. */
static const struct hd_dut_extension k_extension = {
    HD_REMOTE_WAVES,
    .config_unknown = hd_remote_dut_config_unknown,
};

static const struct hd_dut_ops k_ops = {
    HD_REMOTE_OPS("ghdl", HD_DUT_WAVES | HD_DUT_FOUR_STATE, create),
    .extension = &k_extension,
};

__attribute__((visibility("default"))) const struct hd_dut_ops *hd_dut_backend(void)
{
  return &k_ops;
}
