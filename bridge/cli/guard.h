/* A command that runs users' code, in a process that another one watches.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CLI_GUARD_H
#define HD_CLI_GUARD_H

#include <stdbool.h>

/** Runs the command in a process of its own and returns its exit code. If users' code ends that
 * process, or does not return after SIGINT, SIGTERM or SIGHUP, prints the function and its place,
 * and closes the run's database. Under a debugger there is one process. */
int hd_cli_forbid_exit(int (*command)(int argc, char **argv), int argc, char **argv);

/** Signals so soon after the first one are the same request: `timeout` signals a process, and its group. */
enum { HD_CLI_SAME_SIGNAL_MS = 500 };

/** Does another process watch this one? Safe in a handler of signals. */
bool hd_cli_is_guarded(void);

/** Tests whether the supervising process was told to stop. */
bool hd_cli_is_told_to_stop(void);

/** Notes that the command has ended with this exit code, and returns the code. Users' code is not
 *  blamed for the end of the process from now on. */
int hd_cli_end(int code);

/** Restores the standard streams where users' code has closed or replaced them, so that later output is seen. */
void hd_cli_restore_streams(void);

/** The command's last message, and whether standard error took it: limits of users' code do not bind the process that
 *  watches. */
void hd_cli_note_failure(const char *text, bool was_said);

/** Call it before this process becomes another program by exec. Users' code is then not blamed for
 * that program's end, and processes that the code started go on. */
void hd_cli_become_tool(void);

#endif
