/* DUT contract (bridge/dut.h) for SystemC: each switch is a process with a kernel of its own.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process can have one SystemC kernel, and the kernel cannot be reset or built twice. So each
 * switch has its own process. This file is compiled into the shared object that heddle loads. The
 * program (systemc.cpp) is in the same directory. HD_ABOUT is the version of Verilator and SystemC.
 * HD_WAVES is 1 if the program can write waves.
 */
#include "../remote/remote_dut.h"
#include "../remote/remote_host.h"

#include <stdio.h>
#include <string.h>

/* Writes the options that the program needs, as text. */
static void write_options(const struct hd_remote_dut_options *o, char *told, size_t size)
{
  size_t used = (size_t)snprintf(told, size, "%s", o->every_cycle ? "every-cycle" : "");
  for (unsigned i = 0; i < o->n_plusargs; i++)
    used += (size_t)snprintf(told + used, size - used, "%s%s", used ? "," : "", o->plusargs[i]);
}

static int create(struct hd_dut **dut, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  char directory[4096], program[4096 + 32];
  char told[HD_OPTION_PLUSARGS * HD_OPTION_PLUSARG_BYTES + 16];
  struct hd_remote_dut_options given = {.every_cycle = false};
  *dut = NULL;
  int status =
      hd_remote_dut_options(&given, "SystemC", HD_OPTIONS_SYSTEMC, options ? options : "", err);
  if (!status)
    status = hd_remote_dut_directory(directory, sizeof directory, err);
  if (status)
    return status;
  write_options(&given, told, sizeof told);
  snprintf(program, sizeof program, "%s/hd_switch_systemc", directory);
  const char *const argv[] = {program, told, NULL};
  const struct hd_remote_program run = {
      .argv = argv, .tool = "the SystemC simulation", .package = "libsystemc-dev"};
  return hd_remote_dut_create(dut, &run, params, count, &given, err);
}

static const struct hd_dut_extension k_extension = {HD_REMOTE_WAVES};

static const struct hd_dut_ops k_ops = {
    HD_REMOTE_OPS("systemc", HD_WAVES ? HD_DUT_WAVES : 0, create),
    .extension = &k_extension,
};

__attribute__((visibility("default"))) const struct hd_dut_ops *hd_dut_backend(void)
{
  return &k_ops;
}
