/* Functions that the subcommands of heddle share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CLI_H
#define HD_CLI_H

#include "exit_codes.h"

#include "../run/run.h"

#include <argp.h>
#include <stddef.h>

/** Returns the exit code of a status. */
int hd_cli_exit(int status);

/** Prints `heddle: …` on stderr and returns the exit code of the status. */
int hd_cli_fail(int status, const struct hd_error *err);

/** Prints a text that may be from somebody else: `\x1b` and the like replace bytes that a
 *  terminal would execute. */
void hd_cli_print_escaped(FILE *stream, const char *text);

/** Returns the number that an option gives. Anything but a number in [least, most] is an argp
 *  error. */
uint64_t hd_cli_number(struct argp_state *state, const char *option, const char *text,
                       uint64_t least, uint64_t most);

/** Keys of options that only set a member of the parser's input, one of its first 2 MiB: a flag,
 *  or a text. The key says which member, and hd_cli_store sets it. argp has keys of 23 bits. */
#define HD_CLI_FLAG(type, member) HD_CLI_MEMBER(1, type, member)
#define HD_CLI_TEXT(type, member) HD_CLI_MEMBER(2, type, member)
enum { HD_CLI_MEMBER_BITS = 21 };
#define HD_CLI_MEMBER(kind, type, member) \
  ((int)((kind) << HD_CLI_MEMBER_BITS | offsetof(type, member)))

/** Another option that only sets a member: one with a letter, or a number. */
struct hd_cli_store {
  int key;            /* 0 ends a table */
  int member;         /* HD_CLI_FLAG or HD_CLI_TEXT; the offset of a number */
  size_t size;        /* of a number; 0: it is none */
  const char *option; /* name of a number's option, for messages */
  uint64_t least, most;
};
#define HD_CLI_LETTER(letter, member) \
  {                                   \
    letter, member, 0, NULL, 0, 0     \
  }
#define HD_CLI_NUMBER(key, type, member, option, least, most)                           \
  {                                                                                     \
    key, HD_CLI_MEMBER(0, type, member), sizeof((type *)0)->member, option, least, most \
  }

/** Sets the member that the key or the table says (NULL: no table). ARGP_ERR_UNKNOWN: none
 *  does. */
error_t hd_cli_store(const struct hd_cli_store *stores, void *input, int key, char *arg,
                     struct argp_state *state);

enum { HD_CLI_SETTINGS = 64 };

/** Adds a --set KEY=VALUE to settings[HD_CLI_SETTINGS], which has *n entries. Cuts `text` in
 *  place. Too many settings, or a wrong one, is an argp error. */
void hd_cli_setting(struct argp_state *state, char *text, struct hd_setting *settings, size_t *n);

/** Stores the only argument of a command. Call it at ARGP_KEY_ARG, and with arg NULL at
 * ARGP_KEY_NO_ARGS. `noun` names the argument, `what` tells how to write it. No argument, or a
 * second one, is an argp error. */
void hd_cli_single_argument(struct argp_state *state, const char *noun, const char *what,
                            const char **one, const char *arg);

/** Prints a text if `status` is 0, and frees it. Returns the status. */
int hd_cli_print(int status, struct hd_text *text);

/** Shows how long a build has taken: on a terminal each time, elsewhere once in ten seconds, or
 *  each time if `often`. *told: when it was shown last; 0 at first. */
void hd_cli_show_building(const char *what, double seconds, bool often, double *told);

/** Makes SIGINT, SIGTERM and SIGHUP ask the command to stop; a second one ends the process. */
void hd_cli_catch_signals(void);
bool hd_cli_stopped(void);

/** Flushes stdout. Returns `code`, or HD_EXIT_IO with a message if stdout could not be written. */
int hd_cli_close_output(int code);

/* ── run and replay ────────────────────────────────────────────────────────── */

/** Options that run and replay have in common. */
struct hd_cli_run {
  struct hd_run_options options;
  bool quiet, plot, show_progress;
  uint32_t seeds; /* number of runs, each with the next seed; 0: one run, shown in detail */
  struct hd_setting settings[HD_CLI_SETTINGS];
};

/** Child parser of commands that build with Verilator. Stores --verilator PATH in the
 *  environment. */
extern const struct argp hd_cli_verilator_argp;

/** Child parser, whose input is a struct hd_cli_run. */
extern const struct argp hd_cli_run_argp;

/** Carries out a run. Writes progress and messages to stderr, explanation and table to stdout,
 *  and handles signals. If options.say is set, it gets the messages, but its context is not the
 *  caller's. Returns the exit code; the caller frees the report. */
int hd_cli_run(struct hd_cli_run *run, struct hd_run_report *report);

/** Carries out run->seeds runs, each with the next seed. Prints a line for each, and the details
 *  of the first that failed. */
int hd_cli_run_seeds(struct hd_cli_run *run);

/** Fills in options that are not set with those of a recorded run; they borrow from info.
 *  HD_E_INPUT: its DUT is a shared object that the options do not name; a database must not be
 *  able to run foreign code. */
int hd_cli_restore(struct hd_run_options *options, const struct hd_rundb_info *info,
                   struct hd_error *err);

/* ── subcommands: argv[0] is "heddle NAME" ─────────────────────────────────── */

int hd_cmd_run(int argc, char **argv);
int hd_cmd_check(int argc, char **argv);
int hd_cmd_bisect(int argc, char **argv);
int hd_cmd_sweep(int argc, char **argv);
int hd_cmd_replay(int argc, char **argv);
int hd_cmd_wave(int argc, char **argv);
int hd_cmd_report(int argc, char **argv);
int hd_cmd_diff(int argc, char **argv);
int hd_cmd_coverage(int argc, char **argv);
int hd_cmd_mutate(int argc, char **argv);
int hd_cmd_record(int argc, char **argv);
int hd_cmd_topo(int argc, char **argv);
int hd_cmd_schedule(int argc, char **argv);
int hd_cmd_scenario(int argc, char **argv);
int hd_cmd_results(int argc, char **argv);
int hd_cmd_programs(int argc, char **argv);
int hd_cmd_collectives(int argc, char **argv);
int hd_cmd_study(int argc, char **argv);
int hd_cmd_backends(int argc, char **argv);
int hd_cmd_bench(int argc, char **argv);
int hd_cmd_wrap(int argc, char **argv);
int hd_cmd_export(int argc, char **argv);
int hd_cmd_board(int argc, char **argv);

#endif
