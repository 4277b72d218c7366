/* heddle wave RUN: opens GTKWave at a divergence or at any other cycle, or makes a picture.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"
#include "guard.h"

#include "../host/tool_run.h"
#include "../record/rundb.h"
#include "../waves/wave_picture.h"
#include "../waves/waves.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_FROM = 1000, KEY_TO, KEY_SWITCH };
enum { DEFAULT_CYCLES = 200, BEFORE = 180, AFTER = 19 /* cycles before and after a divergence */ };

static const char doc[] =
    "Opens waves of a run in GTKWave, RTL and model side by side: at its divergence, or at any "
    "cycles of any switch. Also opens the waves of a stream that heddle check writes.\v"
    "The run itself writes the waves of a divergence, if trace.waves is true. For other cycles and "
    "switches this command repeats the run up to there and writes RUN/waves-switch-N-FROM-TO. If a "
    "run has no divergence, the default is the first 200 cycles of switch 0. --png needs no "
    "display: it makes a picture of what GTKWave shows. --all-signals builds the RTL again for "
    "waves with all of its signals. Other waves leave out signals that Verilator optimises away.\n"
    "\n"
    "Examples:\n"
    "  heddle wave runs/mesh-8x8-uniform-1\n"
    "  heddle wave runs/mesh-8x8-uniform-1 --switch 27 --from 500 --to 700\n"
    "  heddle wave runs/mesh-8x8-uniform-1 --to 2000 --activity mesh.saif\n"
    "  heddle wave --all-signals runs/mesh-8x8-uniform-1\n"
    "  heddle wave --png bug.png runs/mesh-8x8-uniform-1\n"
    "  heddle wave --print-command runs/mesh-8x8-uniform-1";

struct choice {
  const char *run, *dut, *program, *png, *activity;
  bool print, window, has_to, all;
  struct hd_run_window place;
};

static const struct hd_cli_store stores[] = {HD_CLI_LETTER('p', HD_CLI_FLAG(struct choice, print)),
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case KEY_FROM:
    choice->place.from = hd_cli_number(state, "--from", arg, 0, INT64_MAX);
    choice->window = true;
    return 0;
  case KEY_TO:
    choice->place.to = hd_cli_number(state, "--to", arg, 0, INT64_MAX);
    choice->window = choice->has_to = true;
    return 0;
  case KEY_SWITCH:
    choice->place.sw = (uint32_t)hd_cli_number(state, "--switch", arg, 0, UINT32_MAX);
    choice->window = true;
    return 0;
  case ARGP_KEY_ARG:
  case ARGP_KEY_NO_ARGS:
    hd_cli_single_argument(state, "run", "its directory, such as runs/NAME-1", &choice->run, arg);
    return 0;
  default:
    return hd_cli_store(stores, choice, key, arg, state);
  }
}

/* Adds the run's directory and a slash; nothing for the current directory. */
static void add_directory(struct hd_text *text, const struct hd_rundb_info *info)
{
  const char *slash = strrchr(info->path, '/');
  hd_text_add(text, "%.*s", slash ? (int)(slash - info->path) + 1 : 0, info->path);
}

static void say(void *context, const char *line)
{
  (void)context;
  fprintf(stderr, "%s\n", line);
}

static int check_window(struct choice *choice, const struct hd_rundb_info *info,
                        struct hd_error *err)
{
  struct hd_run_window *w = &choice->place;
  if (!choice->has_to)
    w->to = w->from + DEFAULT_CYCLES - 1;
  if (w->sw >= info->n_switches)
    return hd_fail(err, HD_E_INPUT, "--switch %u: %s has switches 0 to %u", w->sw, choice->run,
                   info->n_switches - 1);
  if (w->to < w->from)
    return hd_fail(err, HD_E_INPUT, "--to %llu is before --from %llu", (unsigned long long)w->to,
                   (unsigned long long)w->from);
  if (w->to - w->from >= HD_RUN_WINDOW_CYCLES)
    return hd_fail(err, HD_E_INPUT, "--from %llu --to %llu: at most %d cycles at a time",
                   (unsigned long long)w->from, (unsigned long long)w->to, HD_RUN_WINDOW_CYCLES);
  return HD_OK;
}

/* Makes the waves of the DUT have all signals. Those of Icarus and GHDL always have them. */
static int add_all_signals(struct hd_run_options *options, struct hd_text *dut,
                           struct hd_error *err)
{
  const char *name = options->dut;
  size_t n = strcspn(name, ":");
  if ((n == 6 && !strncmp(name, "icarus", n)) || (n == 4 && !strncmp(name, "ghdl", n)))
    return HD_OK;
  if (n != 9 || strncmp(name, "verilator", n) != 0)
    return hd_fail(err, HD_E_INPUT,
                   "--all-signals: the run's DUT is %.200s; only RTL in Verilator, Icarus or GHDL "
                   "has signals to show: say --dut verilator, too",
                   name);
  hd_text_add(dut, "%s%sall-signals", name, name[n] && name[n + 1] ? "," : name[n] ? "" : ":");
  options->dut = dut->chars;
  return HD_OK;
}

/* Sets the window to the cycles around a divergence, for a user who has named none. */
static void window_of_divergence(struct choice *choice, const struct hd_rundb_info *info)
{
  const struct hd_divergence *d = &info->divergence;
  choice->place = (struct hd_run_window){.sw = d->sw,
                                         .from = d->cycle > BEFORE ? d->cycle - BEFORE : 0,
                                         .to = d->cycle + AFTER,
                                         .mark = d->cycle};
  choice->has_to = true;
}

/* Makes waves of the window: carries the run out again up to the window's end. */
static int make_waves(struct choice *choice, const struct hd_rundb_info *info,
                      struct hd_text *directory, struct hd_error *err)
{
  struct hd_run_options options = {
      .say = say, .window = &choice->place, .dut = choice->dut, .program = choice->program};
  struct hd_run_report report;
  struct hd_run_window *w = &choice->place;
  struct hd_text dut = {0};
  w->mark = w->from;
  if (!choice->window && info->has_divergence)
    window_of_divergence(choice, info);
  int status = check_window(choice, info, err);
  const struct hd_divergence *d = &info->divergence;
  if (info->has_divergence && d->sw == w->sw && d->cycle >= w->from && d->cycle <= w->to)
    w->mark = d->cycle;
  if (!status)
    status = hd_rundb_files_same(info, err);
  if (!status)
    status = hd_cli_restore(&options, info, err);
  if (!status && choice->all)
    status = add_all_signals(&options, &dut, err);
  hd_text_add(directory, "waves-switch-%u-%llu-%llu%s", w->sw, (unsigned long long)w->from,
              (unsigned long long)w->to, choice->all ? "-all" : "");
  if (status) {
    hd_text_fini(&dut);
    return status;
  }
  w->dir = directory->chars;
  if (!strcmp(options.dut, "none"))
    options.dut = "model"; /* only a DUT has waves; so the model is the DUT, too */
  status = hd_run(&options, &report, err);
  if (!status)
    fprintf(stderr, "switch %u, cycles %llu to %llu: %s/waves.fst\n", w->sw,
            (unsigned long long)w->from, (unsigned long long)report.window_last, w->dir);
  hd_run_report_fini(&report);
  hd_text_fini(&dut);
  hd_text_add(directory, "/");
  return status;
}

/* Adds the paths of both files in the directory. HD_E_IO: one is missing. */
static int find_waves(const struct hd_text *directory, struct hd_text *waves, struct hd_text *save,
                      struct hd_error *err)
{
  hd_text_add(waves, "%swaves.fst", hd_text_chars(directory));
  hd_text_add(save, "%swaves.gtkw", hd_text_chars(directory));
  const char *const paths[] = {waves->chars, save->chars};
  for (int i = 0; i < 2; i++)
    if (access(paths[i], R_OK))
      return hd_fail(err, HD_E_IO,
                     "%s: %s; the scenario has trace.waves: false, or the backend cannot replay; "
                     "--from, --to and --switch make waves of any cycles",
                     paths[i], strerror(errno));
  return hd_waves_check(waves->chars, err);
}

/* Prints the command that opens both files. */
static void print_command(const char *waves, const char *save)
{
  struct hd_text line = {0};
  hd_text_add_option(&line, "gtkwave ", waves);
  hd_text_add_option(&line, " ", save);
  puts(line.chars);
  hd_text_fini(&line);
}

static bool has_display(void)
{
  const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  return (x && *x) || (wayland && *wayland);
}

/* Tests whether GTKWave finds a display. Without one, it would print its usage and end with 0. */
static int check_display(const char *waves, struct hd_error *err)
{
  static const char *const version[] = {"gtkwave", "--version", NULL};
  static const char none[] = "Could not initialize GTK";
  char line[128] = "";
  int status = HD_OK;
  if (has_display())
    status = hd_tool_first_line(version, "gtkwave", line, sizeof line, err);
  if (status || (has_display() && strncmp(line, none, sizeof none - 1) != 0))
    return status;
  return hd_fail(
      err, HD_E_TOOL,
      "there is no display to show %.400s on (DISPLAY %s); open it where there is one, with the "
      "command that --print-command prints, or make a picture of it: heddle wave --png FILE ...",
      waves, has_display() ? "names one that does not answer" : "is not set");
}

/* Starts GTKWave in place of this process. Returns only if that fails. */
static int start_gtkwave(const char *waves, const char *save, struct hd_error *err)
{
  int status = check_display(waves, err);
  if (status)
    return status;
  fflush(stdout);
  hd_cli_become_tool(); /* windows that the user opens from GTKWave */
  execlp("gtkwave", "gtkwave", waves, save, (char *)NULL);
  return hd_fail(err, HD_E_TOOL, "cannot start gtkwave: %s; install the package gtkwave",
                 strerror(errno));
}

static int show_waves(const struct choice *choice, const char *waves, const char *save,
                      struct hd_error *err)
{
  if (choice->print) {
    print_command(waves, save);
    return HD_OK;
  }
  if (choice->activity)
    return hd_waves_activity(waves, choice->activity, err);
  return choice->png ? hd_wave_picture(save, choice->png, err) : start_gtkwave(waves, save, err);
}

/* Tests for waves without a run, as heddle check writes them for a stream. */
static bool has_waves_alone(const struct choice *choice)
{
  struct hd_text run = {0}, waves = {0};
  hd_text_add(&run, "%s/run.db", choice->run);
  hd_text_add(&waves, "%s/waves.fst", choice->run);
  bool alone =
      access(run.chars, F_OK) != 0 && !access(waves.chars, R_OK) && !choice->window && !choice->all;
  hd_text_fini(&run);
  hd_text_fini(&waves);
  return alone;
}

/* Finds the directory with the waves, and makes the waves if necessary. */
static int waves_of_run(struct choice *choice, struct hd_text *directory, struct hd_error *err)
{
  struct hd_rundb_info info;
  int status = hd_rundb_read(&info, choice->run, err);
  if (!status) {
    add_directory(directory, &info);
    if (choice->window || choice->all || !info.has_divergence)
      status = make_waves(choice, &info, directory, err);
  }
  hd_rundb_info_fini(&info);
  return status;
}

int hd_cmd_wave(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"print-command", 'p', NULL, 0, "print the command instead of starting it", 0},
      {"png", HD_CLI_TEXT(struct choice, png), "FILE", 0,
       "make a picture of what GTKWave shows, without a display", 0},
      {"activity", HD_CLI_TEXT(struct choice, activity), "FILE.saif", 0,
       "write the switching activity of the RTL's signals, for power (make asic)", 0},
      {"from", KEY_FROM, "CYCLE", 0, "show cycles from CYCLE on (0)", 0},
      {"to", KEY_TO, "CYCLE", 0, "show cycles up to CYCLE (199 after the first)", 0},
      {"switch", KEY_SWITCH, "N", 0, "show switch N (0)", 0},
      {"all-signals", HD_CLI_FLAG(struct choice, all), NULL, 0,
       "show internal signals of the RTL, too; Verilator builds it again", 0},
      {"dut", HD_CLI_TEXT(struct choice, dut), "NAME[:OPTIONS]", 0,
       "choose the device under test (the run's; a shared object must be named again)", 0},
      {"program", HD_CLI_TEXT(struct choice, program), "FILE.so", 0,
       "load the run's endpoint software from FILE.so, if it is a shared object", 0},
      {0}};
  static const struct argp_child children[] = {{&hd_cli_verilator_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "RUN", .doc = doc, .children = children};
  struct choice choice = {0};
  struct hd_text directory = {0}, waves = {0}, save = {0};
  struct hd_error err = {0};
  int status = HD_OK;
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  if (has_waves_alone(&choice))
    hd_text_add(&directory, "%s/", choice.run);
  else
    status = waves_of_run(&choice, &directory, &err);
  if (!status)
    status = find_waves(&directory, &waves, &save, &err);
  if (!status)
    status = show_waves(&choice, waves.chars, save.chars, &err);
  hd_text_fini(&directory);
  hd_text_fini(&waves);
  hd_text_fini(&save);
  return status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
}
