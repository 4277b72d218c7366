/* Runs a command with users' code in a child process, and watches it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CLI_GUARD_H
#define HD_CLI_GUARD_H

#include <stdbool.h>

/** Runs the command in a child process and returns its exit code. If users' code ends that
 * process, or does not return after SIGINT, SIGTERM or SIGHUP, prints which call did so, and
 * closes the run's database. Under a debugger, runs the command in this process. */
int hd_cli_forbid_exit(int (*command)(int argc, char **argv), int argc, char **argv);

/** Signals within this time after the first one are the same request: `timeout` sends a signal
 *  to the process and to its group. */
enum { HD_CLI_SAME_SIGNAL_MS = 500 };

/** Tests whether another process watches this one. Signal handlers may call it. */
bool hd_cli_is_guarded(void);

/** Tests whether a signal has asked the watching process to stop. */
bool hd_cli_is_told_to_stop(void);

/** Records that the command has ended with this exit code, and returns the code. From now on,
 *  users' code is not blamed for the end of the process. */
int hd_cli_end(int code);

/** Restores standard streams that users' code has closed or replaced, so that later output is
 *  seen. */
void hd_cli_restore_streams(void);

/** Records the command's last message, and whether it was written to standard error. If it was
 *  not, the watching process writes it, as limits that users' code has set do not apply to that. */
void hd_cli_note_failure(const char *text, bool was_said);

/** Called before this process becomes another program by exec. Users' code is then not blamed
 * for that program's end, and processes that it started keep running. */
void hd_cli_become_tool(void);

#endif
