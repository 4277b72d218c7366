/* heddle board: works with boards on serial lines.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_flash.h"
#include "board_ladder.h"
#include "board_speed.h"

#include "../../backends/board/board_find.h"
#include "../../backends/board/board_process.h"
#include "../../backends/board/board_virtual.h"
#include "../../backends/backends.h"
#include "../../host/suggest.h"

#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char doc[] =
    "Finds, flashes, checks and runs boards: FPGAs with switches behind a serial line "
    "(docs/spec/9-board-link.md).\v"
    "  list                 lists serial devices; says which are boards, and at\n"
    "                       which baud rate\n"
    "  flash FILE [WHERE]   writes a bitstream of `make fpga` to a board, by the\n"
    "                       programmer that is made for it\n"
    "  check DEVICE         brings a board up, rung by rung; stops at the first\n"
    "                       rung that fails, and names the usual reason\n"
    "  check virtual:FILE   does so on a virtual board of what the bitstream holds\n"
    "  virtual WHAT         runs a virtual board for the switches of a scenario,\n"
    "                       or of a bitstream (.asc, .bin), until Ctrl-C; prints\n"
    "                       its device\n"
    "  speed SCENARIO [DEVICE]\n"
    "                       runs the scenario's fabric at full clock, with traffic\n"
    "                       on chip; compares signatures of its switches with the\n"
    "                       model's, and narrows a difference down to its cycle.\n"
    "                       Without DEVICE it runs on a virtual board\n"
    "  hash                 prints what a board built from these sources says\n"
    "\n"
    "A scenario runs on a board by `heddle run SCENARIO --dut board:DEVICE`, on several by "
    "`board:DEVICE+DEVICE`, on virtual ones of its own by `--dut board:virtual` or `--dut "
    "bitstream:FILE`.\n"
    "\n"
    "Examples:\n"
    "  heddle board flash build/fpga/hx8k-line.bin\n"
    "  heddle board list\n"
    "  heddle board check /dev/ttyUSB1 --baud 3000000\n"
    "  heddle board check virtual:build/fpga/hx8k-line.bin --quick\n"
    "  heddle board virtual tests/scenarios/board-2x2.yaml\n"
    "  heddle board speed tests/fpga/speed-2x2.yaml --cycles 200000\n"
    "  heddle board speed tests/fpga/speed-2x2.yaml /dev/ttyUSB0 --cycles 100000000";

struct choice {
  const char *action, *argument, *where;
  unsigned baud;
  int patience_ms;
  uint64_t seed;
  uint32_t soak;
  bool quick, dry_run, json;
  struct hd_speed_options speed;
  const char *out;
  struct hd_setting settings[HD_CLI_SETTINGS];
};
enum { KEY_CYCLES = 256, KEY_WINDOW, KEY_SET };

static const struct action {
  const char *name, *argument; /* NULL: the action takes no argument */
  bool where;                  /* may take a second argument */
} actions[] = {{"list", NULL, false},
               {"flash", "a bitstream, as build/fpga/hx8k-line.bin", true},
               {"check", "a device, as /dev/ttyUSB1", false},
               {"virtual", "a scenario or a bitstream", false},
               {"speed", "a scenario, as tests/fpga/speed-2x2.yaml", true},
               {"hash", NULL, false}};

static void check_words(const struct choice *choice, struct argp_state *state)
{
  const struct action *action = NULL;
  struct hd_suggestion suggestion = {.given = choice->action};
  if (choice->action)
    suggestion.length = strlen(choice->action);
  for (size_t i = 0; choice->action && i < sizeof actions / sizeof *actions; i++) {
    hd_suggest(&suggestion, actions[i].name);
    if (!strcmp(choice->action, actions[i].name))
      action = &actions[i];
  }
  if (!action)
    argp_error(state,
               "give an action%s: list, flash FILE, check DEVICE, virtual WHAT, speed SCENARIO or "
               "hash",
               suggestion.text);
  else if (action->argument && !choice->argument)
    argp_error(state, "%s needs %s", action->name, action->argument);
  else if (!action->argument && choice->argument)
    argp_error(state, "unexpected argument '%s'", choice->argument);
  else if (choice->speed.record && choice->speed.against)
    argp_error(state, "--record and --against exclude each other; give one");
  else if (!action->where && choice->where)
    argp_error(state, "unexpected argument '%s'", choice->where);
}

static const struct hd_cli_store stores[] = {
    HD_CLI_LETTER('q', HD_CLI_FLAG(struct choice, quick)),
    HD_CLI_LETTER('d', HD_CLI_FLAG(struct choice, dry_run)),
    HD_CLI_NUMBER(KEY_CYCLES, struct choice, speed.cycles, "--cycles", 1, UINT64_C(1) << 47),
    HD_CLI_NUMBER(KEY_WINDOW, struct choice, speed.k, "--window", 0, HD_SPEED_K_MOST),
    HD_CLI_NUMBER('s', struct choice, seed, "--seed", 0, UINT64_MAX),
    HD_CLI_NUMBER('n', struct choice, soak, "--soak", 0, 1000000),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  enum { LONGEST_PATIENCE_MS = 60000 };
  struct choice *choice = state->input;
  const char **word;
  switch (key) {
  case 'b':
    choice->baud = (unsigned)hd_cli_number(state, "--baud", arg, 1, 4000000);
    return 0;
  case 'p':
    choice->patience_ms = (int)hd_cli_number(state, "--patience", arg, 1, LONGEST_PATIENCE_MS);
    return 0;
  case KEY_SET:
    hd_cli_setting(state, arg, choice->settings, &choice->speed.n_settings);
    return 0;
  case ARGP_KEY_ARG:
    word = !choice->action     ? &choice->action
           : !choice->argument ? &choice->argument
                               : &choice->where;
    if (*word)
      argp_error(state, "unexpected argument '%s'", arg);
    *word = arg;
    return 0;
  case ARGP_KEY_END:
    check_words(choice, state);
    return 0;
  default:
    return hd_cli_store(stores, choice, key, arg, state);
  }
}

/* ── list ───────────────────────────────────────────────────────────────────── */

static void list_one(const char *device, const unsigned *bauds, size_t n, int patience_ms)
{
  struct hd_board_about about;
  struct hd_error err = {.text = ""};
  unsigned baud;
  if (hd_board_find(device, bauds, n, patience_ms, &baud, &about, &err))
    printf("%-24s  %s\n", device, err.text);
  else
    printf("%-24s  board at %u baud: %s, clock %.3f MHz, build %016llx\n", device, baud,
           hd_count(about.switches, "switch").text, about.clock_khz / 1000.0,
           (unsigned long long)about.build);
  fflush(stdout);
}

static int list(const struct choice *choice)
{
  static const char *const patterns[] = {"/dev/ttyUSB*", "/dev/ttyACM*", "/dev/cu.usb*"};
  unsigned bauds[HD_BOARD_BAUDS] = {choice->baud};
  size_t n = choice->baud ? 1 : hd_board_bauds(bauds);
  glob_t found = {0};
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
    glob(patterns[i], i ? GLOB_APPEND : 0, NULL, &found);
  if (!found.gl_pathc)
    printf("no serial devices (looked for /dev/ttyUSB*, /dev/ttyACM*); is the board plugged in?\n");
  for (size_t i = 0; i < found.gl_pathc; i++)
    list_one(found.gl_pathv[i], bauds, n, choice->patience_ms);
  globfree(&found);
  return HD_EXIT_OK;
}

/* ── virtual ────────────────────────────────────────────────────────────────── */

static void say(void *context, const char *line)
{
  (void)context;
  fprintf(stderr, "%s\n", line);
}

static bool stop(void *context)
{
  (void)context;
  return hd_cli_stopped();
}

static void building(void *context, const char *what, double seconds)
{
  hd_cli_show_building(what, seconds, false, context);
}

/* State of a build of virtual boards. The build shows its seconds, and Ctrl-C ends it. */
struct board_build {
  struct hd_backend_options asked, options; /* options: passed to the builder */
  struct hd_building building;
  double told;
};

static const struct hd_backend_options *building_begin(struct board_build *b)
{
  hd_cli_catch_signals();
  *b = (struct board_build){
      .asked = {.say = say, .stop = stop, .building = building, .context = &b->told}};
  b->options = hd_building_options(&b->building, &b->asked);
  return &b->options;
}

static void building_end(const struct board_build *b)
{
  if (b->told > 0 && isatty(STDERR_FILENO))
    fputs("\r\033[K", stderr);
}

static bool is_bitstream(const char *path)
{
  const char *ending = strrchr(path, '.');
  return ending && (!strcmp(ending, ".asc") || !strcmp(ending, ".bin"));
}

/* Builds the program that acts as a board with all switches of the scenario. */
static int build_for_scenario(const char *scenario_path, const struct hd_backend_options *options,
                              char *path, size_t size, struct hd_error *err)
{
  struct hd_scenario scenario = {0};
  struct hd_topology topology = {0};
  struct hd_tables tables = {0};
  int status = hd_scenario_read(&scenario, scenario_path, err);
  if (!status)
    status = hd_scenario_build(&scenario, &topology, &tables, err);
  if (!status)
    status = hd_board_virtual_build(&scenario.sw, topology.n_switches, options, path, size, err);
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
  hd_scenario_fini(&scenario);
  return status;
}

/* Waits for Ctrl-C. It is an error if the board ends before that. */
static int wait_beside(const struct hd_board_process *process, const char *device,
                       const sigset_t *ends, struct hd_error *err)
{
  siginfo_t info = {.si_pid = 0};
  int which = 0;
  while (!sigwait(ends, &which) && which == SIGCHLD)
    if (!waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid)
      return hd_fail(err, HD_E_TOOL, "the virtual board at %s ended by itself (%s %d)", device,
                     info.si_code == CLD_EXITED ? "exit code" : "signal", info.si_status);
  return 0;
}

static int run_virtual(const struct choice *choice, struct hd_error *err)
{
  struct board_build build;
  const struct hd_backend_options *options = building_begin(&build);
  struct hd_board_process process = {0};
  char path[PATH_MAX], device[256];
  unsigned baud = choice->baud;
  int status = baud ? hd_board_line_check(baud, err) : 0;
  if (!status && is_bitstream(choice->argument))
    status = hd_board_bitstream_build(choice->argument, options, &baud, path, sizeof path, err);
  else if (!status)
    status = build_for_scenario(choice->argument, options, path, sizeof path, err);
  building_end(&build);
  if (status)
    return status;
  baud = baud ? baud : HD_BOARD_BAUD;
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends, NULL);
  status = hd_board_process_start(&process, path, baud, device, sizeof device, err);
  if (status)
    return status;
  printf("%s\n", device);
  fflush(stdout);
  fprintf(stderr, "a virtual board, %u baud: heddle board check %s --baud %u\n", baud, device,
          baud);
  status = wait_beside(&process, device, &ends, err);
  hd_board_process_stop(&process);
  return status;
}

/* ── check ──────────────────────────────────────────────────────────────────── */

static int check(const struct choice *choice, struct hd_error *err)
{
  enum { VIRTUAL_PATIENCE_MS = 20000 }; /* a simulated bitstream is slow */
  static const char virtual[] = "virtual:";
  struct hd_board_process process = {0};
  char path[PATH_MAX], device[256];
  unsigned baud = choice->baud;
  struct hd_ladder ladder = {choice->argument,    choice->baud ? choice->baud : HD_BOARD_BAUD,
                             choice->patience_ms, choice->seed,
                             choice->soak,        choice->quick};
  int status = 0;
  if (!strncmp(choice->argument, virtual, strlen(virtual))) {
    struct board_build build;
    status = hd_board_bitstream_build(choice->argument + strlen(virtual), building_begin(&build),
                                      &baud, path, sizeof path, err);
    building_end(&build);
    if (!status)
      status = hd_board_process_start(&process, path, baud, device, sizeof device, err);
    ladder.baud = baud;
    ladder.device = device;
    if (!ladder.patience_ms)
      ladder.patience_ms = VIRTUAL_PATIENCE_MS;
    if (status)
      return hd_cli_fail(status, err);
  }
  int code = hd_ladder_climb(&ladder);
  hd_board_process_stop(&process);
  return hd_cli_close_output(code);
}

static int speed(struct choice *choice)
{
  struct board_build build;
  struct hd_speed_options *o = &choice->speed;
  o->scenario = choice->argument;
  o->device = choice->where;
  o->settings = choice->settings;
  o->baud = choice->baud ? choice->baud : HD_BOARD_BAUD;
  o->patience_ms = choice->patience_ms;
  o->build = *building_begin(&build);
  const int code = hd_board_speed(o, choice->out, choice->json);
  building_end(&build);
  return code;
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
      {"baud", 'b', "N", 0,
       "set the baud rate of the line, which the table of `make fpga` gives for each build (check, "
       "virtual: 115200, or the bitstream's; list: 115200 and all rates in fpga/builds.txt)",
       0},
      {"patience", 'p', "MS", 0,
       "wait MS longer for an answer than its bytes take (check: 300; list: 150)", 0},
      {"seed", 's', "N", 0, "check: set the seed of what is sent (1)", 0},
      {"soak", 'n', "N", 0, "check: run N scenarios in the last rung (10)", 0},
      {"quick", 'q', NULL, 0,
       "check: take an eighth of all lengths, for a virtual board of a bitstream", 0},
      {"cycles", KEY_CYCLES, "N", 0, "speed: run N cycles (the scenario's run.cycles)", 0},
      {"window", KEY_WINDOW, "K", 0,
       "speed: use windows of 2^K cycles (the shortest that the line can carry)", 0},
      {"set", KEY_SET, "KEY=VALUE", 0, "speed: set a key of the scenario; may be repeated", 0},
      {"rtl", HD_CLI_TEXT(struct choice, speed.rtl_dir), "DIR", 0,
       "speed: use the switch in DIR instead of Heddle's own rtl/", 0},
      {"out", HD_CLI_TEXT(struct choice, out), "DIR", 0,
       "speed: write the exported RTL into DIR (runs/speed-N)", 0},
      {"record", HD_CLI_TEXT(struct choice, speed.record), "FILE", 0,
       "speed: write the model's signatures to FILE", 0},
      {"against", HD_CLI_TEXT(struct choice, speed.against), "FILE", 0,
       "speed: compare with a FILE of --record, and run the model only where signatures differ", 0},
      {"any-build", HD_CLI_FLAG(struct choice, speed.any_build), NULL, 0,
       "speed: accept a board that was built from other sources", 0},
      {"json", HD_CLI_FLAG(struct choice, json), NULL, 0, "speed: print the result as JSON", 0},
      {"dry-run", 'd', NULL, 0, "flash: print the command, and do nothing", 0},
      {0}};
  static const struct argp argp = {
      .options = options,
      .parser = parse,
      .args_doc = "list\nflash FILE [WHERE]\ncheck DEVICE\nvirtual WHAT\nspeed "
                  "SCENARIO [DEVICE]\nhash",
      .doc = doc};
  struct choice choice = {.seed = 1, .soak = 10, .speed.k = HD_SPEED_K_AUTO};
  struct hd_error err = {.text = ""};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  int status = 0;
  if (!strcmp(choice.action, "list"))
    return hd_cli_close_output(list(&choice));
  if (!strcmp(choice.action, "speed"))
    return speed(&choice);
  if (!strcmp(choice.action, "check"))
    return check(&choice, &err);
  if (!strcmp(choice.action, "flash"))
    status = hd_board_flash(choice.argument, choice.where, choice.dry_run, &err);
  else
    status = !strcmp(choice.action, "hash") ? print_hash(&err) : run_virtual(&choice, &err);
  return status ? hd_cli_fail(status, &err) : hd_cli_close_output(HD_EXIT_OK);
}
