/* heddle board: boards on serial lines.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_ladder.h"

#include "../../bridge/board_link.h"
#include "../../bridge/board_virtual.h"

#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char doc[] =
    "Boards: FPGAs with switches behind a serial line (docs/spec/9-board-link.md).\v"
    "  list              the serial devices, and which of them is a board\n"
    "  check DEVICE      bring-up, rung by rung; stops at the first that breaks and says what that "
    "usually means\n"
    "  virtual SCENARIO  a virtual board for the scenario's switches: prints its device, runs "
    "until "
    "Ctrl-C\n"
    "  hash              what a board says that was built from these sources\n"
    "A scenario runs on a board by `heddle run SCENARIO --dut board:DEVICE`, on a virtual one of "
    "its own "
    "by `--dut board:virtual`.\n"
    "\n"
    "Examples:\n"
    "  heddle board list\n"
    "  heddle board check /dev/ttyUSB1\n"
    "  heddle board virtual tests/scenarios/board-2x2.yaml";

struct choice {
  const char *action, *argument;
  unsigned baud;
  uint64_t seed;
  uint32_t soak;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case 'b':
    choice->baud = (unsigned)hd_cli_number(state, "--baud", arg, 1, 4000000);
    return 0;
  case 's':
    choice->seed = hd_cli_number(state, "--seed", arg, 0, UINT64_MAX);
    return 0;
  case 'n':
    choice->soak = (uint32_t)hd_cli_number(state, "--soak", arg, 0, 1000000);
    return 0;
  case ARGP_KEY_ARG:
    if (!choice->action)
      choice->action = arg;
    else if (!choice->argument)
      choice->argument = arg;
    else
      argp_error(state, "what is %s?", arg);
    return 0;
  case ARGP_KEY_END:
    if (!choice->action || (strcmp(choice->action, "list") && strcmp(choice->action, "check") &&
                            strcmp(choice->action, "virtual") && strcmp(choice->action, "hash")))
      argp_error(state, "list, check DEVICE, virtual SCENARIO or hash?");
    if ((!strcmp(choice->action, "check") || !strcmp(choice->action, "virtual")) &&
        !choice->argument)
      argp_error(state, "%s needs %s", choice->action,
                 strcmp(choice->action, "check") ? "a scenario" : "a device, as /dev/ttyUSB1");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ── list ───────────────────────────────────────────────────────────────────── */

static void list_one(const char *device, unsigned baud)
{
  struct hd_board_link link = {.patience_ms = 150, .tries = 2, .absence_ms = 1, .line.fd = -1};
  struct hd_board_about about;
  struct hd_error err = {.text = ""};
  int status = hd_board_link_open(&link, device, baud, &err);
  if (!status)
    status = hd_board_hello(&link, &about, &err);
  if (status)
    printf("%-24s  %s\n", device, err.text);
  else
    printf("%-24s  board: %u switches, clock %.3f MHz, build %016llx\n", device, about.switches,
           about.clock_khz / 1000.0, (unsigned long long)about.build);
  hd_board_link_close(&link);
}

static int list(const struct choice *choice)
{
  static const char *const patterns[] = {"/dev/ttyUSB*", "/dev/ttyACM*", "/dev/cu.usb*"};
  glob_t found = {0};
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
    glob(patterns[i], i ? GLOB_APPEND : 0, NULL, &found);
  if (!found.gl_pathc)
    printf("no serial devices (looked for /dev/ttyUSB*, /dev/ttyACM*); is the board plugged in?\n");
  for (size_t i = 0; i < found.gl_pathc; i++)
    list_one(found.gl_pathv[i], choice->baud);
  globfree(&found);
  return HD_EXIT_OK;
}

/* ── virtual ────────────────────────────────────────────────────────────────── */

static void say(void *context, const char *line)
{
  (void)context;
  fprintf(stderr, "%s\n", line);
}

static int run_virtual(const struct choice *choice, struct hd_error *err)
{
  struct hd_scenario scenario = {0};
  struct hd_topology topology = {0};
  struct hd_tables tables = {0};
  const struct hd_backend_options options = {.say = say};
  char path[PATH_MAX], device[256];
  pid_t pid = 0;
  int status = hd_scenario_read(&scenario, choice->argument, err);
  if (!status)
    status = hd_scenario_build(&scenario, &topology, &tables, err);
  if (!status)
    status =
        hd_board_virtual_build(&scenario.sw, topology.n_switches, &options, path, sizeof path, err);
  if (!status) {
    sigset_t ends;
    int which;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    status = hd_board_virtual_start(path, &pid, device, sizeof device, err);
    if (!status) {
      printf("%s\n", device);
      fflush(stdout);
      sigwait(&ends, &which);
      hd_board_virtual_stop(pid);
    }
  }
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
  hd_scenario_fini(&scenario);
  return status;
}

static int print_hash(struct hd_error *err)
{
  const struct hd_backend_options options = {0};
  uint64_t hash;
  int status = hd_board_build_hash(&options, &hash, err);
  if (!status)
    printf("%016llx\n", (unsigned long long)hash);
  return status;
}

int hd_cmd_board(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"baud", 'b', "N", 0, "of the line (115200)", 0},
      {"seed", 's', "N", 0, "check: of what is sent (1)", 0},
      {"soak", 'n', "N", 0, "check: scenarios of the last rung (10)", 0},
      {0}};
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "list\ncheck DEVICE\nvirtual SCENARIO\nhash",
                                   .doc = doc};
  struct choice choice = {.baud = HD_BOARD_BAUD, .seed = 1, .soak = 10};
  struct hd_error err = {.text = ""};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  int status = 0;
  if (!strcmp(choice.action, "list"))
    return hd_cli_close_output(list(&choice));
  if (!strcmp(choice.action, "check")) {
    const struct hd_ladder ladder = {choice.argument, choice.baud, choice.seed, choice.soak};
    status = hd_ladder_climb(&ladder, &err);
    return hd_cli_close_output(hd_cli_exit(status));
  }
  status = !strcmp(choice.action, "hash") ? print_hash(&err) : run_virtual(&choice, &err);
  return status ? hd_cli_fail(status, &err) : hd_cli_close_output(HD_EXIT_OK);
}
