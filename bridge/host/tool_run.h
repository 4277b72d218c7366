/* Runs external tools: no shell, output to a log, stoppable.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TOOL_RUN_H
#define HD_TOOL_RUN_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>

/** An argument of make. Verilator's makefile refuses a CURDIR with white space although it does not
 *  use it, so CURDIR is overridden. */
#define HD_MAKE_ANYWHERE "CURDIR=."

/** Options of gnuplot after `set terminal`: an SVG with black lines and letters on white, so that
 *  it can be read on a dark page, too. */
#define HD_GNUPLOT_SVG "svg background 'white'"

/** A variable of the environment with the path of the Verilator that runs in place of verilator_bin. Without it,
 *  verilator_bin is looked up in PATH. */
#define HD_TOOL_VERILATOR "HEDDLE_VERILATOR"

struct hd_tool {
  const char *const *argv; /* argv[0] is looked up in PATH; NULL-terminated */
  const char *package;     /* Debian package that has argv[0] */
  const char *directory;   /* working directory; NULL: the caller's */
  const char *log_path;    /* stdout and stderr are appended; NULL: dropped. Absolute when
                              `directory` is given */
  /** Asked 20 times a second; true ends the tool and all that it has started. May be NULL, unless a
   *  signal of the terminal would end the caller, which would then leave the tool behind. */
  bool (*stop)(void *context);
  void *context;
  bool answers; /* stdout alone is its answer: stderr is dropped */
};

/** Runs a tool to its end. *exit_code is its exit code. HD_E_TOOL when it is missing or cannot
 *  be started or dies by a signal, HD_E_INTERRUPTED when it was stopped, by `stop` or by the
 *  terminal's Ctrl-C. */
int hd_tool_run(const struct hd_tool *tool, int *exit_code, struct hd_error *err);

/** Runs the tool as hd_tool_run does. An exit code other than 0 is an error (HD_E_TOOL), which
 * shows the end of the log; a log must be given. `on`: the RTL that the tool reads. */
int hd_tool_must(const struct hd_tool *tool, const char *on, struct hd_error *err);

/** The last lines of a tool's log that say something, at most 600 bytes. */
void hd_tool_log_end(const char *log_path, char *text, size_t size);

/** Tests whether a tool's log says that a file could not be written because of lack of space. Then
 *  `line` has what it says: the machine failed, not the tool's input. */
bool hd_tool_lacks_space(const char *log_path, char *line, size_t size);

/** Returns a line to add to an error of Verilator: it names the newer version that may accept the
 * RTL, if the log says that, or if Verilator crashed (`log_path` NULL). Otherwise returns "".
 * Static. */
const char *hd_tool_verilator_hint(const char *log_path);

/** First line that a tool prints on stdout or stderr (its version) into `line`. */
int hd_tool_first_line(const char *const *argv, const char *package, char *line, size_t size,
                       struct hd_error *err);

/** Reads the answer from stdout alone: warnings on stderr do not belong to it. */
int hd_tool_answer(const char *const *argv, const char *package, char *line, size_t size,
                   struct hd_error *err);

/** Is there an executable file of this name (argv[0] of a tool) in PATH, or where HD_TOOL_VERILATOR says? */
bool hd_tool_installed(const char *name);

#endif
