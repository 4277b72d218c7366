/* heddle record COMMAND: records what an MPI program sends and receives, as a trace.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../host/install_root.h"
#include "../recorder/recorder.h"

#include <inttypes.h>
#include <limits.h>
#include <unistd.h>

static const char doc[] =
    "Runs an unmodified Open MPI program. Records its sends, receives, collectives and computing "
    "times as a trace. The program replay then runs the trace on a fabric (docs/traces.md).\v"
    "The program must be linked with Open MPI's shared library and call MPI_Finalize at its end. "
    "Computing time is the processor time between two MPI calls. Heddle does not record one-sided "
    "communication, files, and calls from Fortran. Of the nonblocking collectives it records "
    "Ibarrier, Ibcast and Iallreduce, as if they were blocking, and no others.\n"
    "\n"
    "Examples:\n"
    "  heddle record mpirun -n 4 ./program\n"
    "  heddle record --output hpcc.trace mpirun -n 16 hpcc";

struct choice {
  const char *output;
  char **command;
};

static const struct hd_cli_store stores[] = {HD_CLI_LETTER('o', HD_CLI_TEXT(struct choice, output)),
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case ARGP_KEY_ARG: /* options from here on belong to the recorded program */
    choice->command = &state->argv[state->next - 1];
    state->next = state->argc;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state,
               "no command is given; give one, such as: heddle record mpirun -n 4 ./program");
    return 0;
  default:
    return hd_cli_store(stores, choice, key, arg, state);
  }
}

int hd_cmd_record(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"output", 'o', "FILE", 0, "write the trace to FILE (program.trace)", 0}, {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "COMMAND [ARGUMENT...]", .doc = doc};
  struct choice choice = {.output = "program.trace"};
  struct hd_recorded recorded;
  struct hd_text text = {0};
  struct hd_error err = {0};
  char plugin[PATH_MAX];
  argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);
  int status = hd_install_plugin("hd_record.so", plugin, sizeof plugin, &err);
  if (!status && access(plugin, R_OK))
    status = hd_fail(&err, HD_E_TOOL,
                     "%s is missing; install libopenmpi-dev and build Heddle again", plugin);
  if (!status)
    status = hd_record_program(choice.command, plugin, choice.output, &recorded, &err);
  if (status)
    return hd_cli_fail(status, &err);
  hd_text_add(
      &text,
      "%s: %s, %s\n  a scenario runs it by program replay with parameter file: heddle programs "
      "replay\n",
      choice.output, hd_count(recorded.ranks, "rank").text,
      hd_count(recorded.operations, "operation").text);
  status = hd_cli_print(HD_OK, &text);
  return status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
}
