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

/** Options of gnuplot after `set terminal`: an SVG with black lines and letters on white, which
 *  is readable on a dark page, too. */
#define HD_GNUPLOT_SVG "svg background 'white'"

/** Environment variable with the path of the Verilator that runs instead of verilator_bin.
 *  Without it, verilator_bin is searched in PATH. */
#define HD_TOOL_VERILATOR "HEDDLE_VERILATOR"

struct hd_tool {
  const char *const *argv; /* argv[0] is searched in PATH; NULL-terminated */
  const char *package;     /* Debian package that contains argv[0] */
  const char *directory;   /* working directory; NULL: the caller's */
  /* stdout and stderr are appended to this file; NULL: they are dropped. Absolute if `directory`
   * is given. */
  const char *log_path;
  /** Called 20 times a second. If it returns true, the tool and the processes that it has
   *  started are ended. May be NULL, unless Ctrl-C at the terminal would end the caller and
   *  leave the tool running. */
  bool (*stop)(void *context);
  void *context;
  bool answers; /* its answer is stdout only; stderr is dropped */
};

/** Runs a tool to its end. *exit_code is its exit code. HD_E_TOOL: it is missing, cannot be
 *  started, or dies by a signal. HD_E_INTERRUPTED: `stop` or Ctrl-C at the terminal has stopped
 *  it. */
int hd_tool_run(const struct hd_tool *tool, int *exit_code, struct hd_error *err);

/** Runs a tool as hd_tool_run does. An exit code other than 0 is an error (HD_E_TOOL) that shows
 * the first error in the log, which must be given. `on`: the RTL that the tool reads, for the message. */
int hd_tool_must(const struct hd_tool *tool, const char *on, struct hd_error *err);

/** Returns the lines of a tool's log from its first error on, or its last lines if no line reports
 *  an error; at most 600 bytes. */
void hd_tool_log_end(const char *log_path, char *text, size_t size);

/** Tests whether a tool's log says that a file could not be written because of lack of space,
 *  and copies that line. Then the machine is to blame, not the tool's input. */
bool hd_tool_lacks_space(const char *log_path, char *line, size_t size);

/** Returns a line to add to an error of Verilator. It names the newer version that may accept
 * the RTL, if the log shows the need for it, or if Verilator crashed (`log_path` NULL).
 * Otherwise returns "". Static. */
const char *hd_tool_verilator_hint(const char *log_path);

/** Writes the first line that a tool prints on stdout or stderr (its version) to `line`. */
int hd_tool_first_line(const char *const *argv, const char *package, char *line, size_t size,
                       struct hd_error *err);

/** As hd_tool_first_line, but reads stdout only: warnings on stderr do not belong to the answer. */
int hd_tool_answer(const char *const *argv, const char *package, char *line, size_t size,
                   struct hd_error *err);

/** Tests whether there is an executable file of this name (argv[0] of a tool) in PATH, or where
 *  HD_TOOL_VERILATOR says. */
bool hd_tool_installed(const char *name);

#endif
