/* Records how users' code ends the process, and describes it in words.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_HOST_USER_CODE_H
#define HD_HOST_USER_CODE_H

#include "../../cmodel/error.h"
#include "../../sw/user_code.h"
#include "text.h"

/** Creates a record in memory that this process shares with its later children. */
struct hd_user_code *hd_user_code_create(void);
void hd_user_code_destroy(struct hd_user_code *code); /* NULL is fine */

/** Records the standard streams of this process, which is going to watch a child. */
void hd_user_code_keep_streams(struct hd_user_code *code);
/** Called in the child. If users' code has closed or replaced a standard stream, its output goes
 *  to a file of the watching process from now on, if there is one; standard input is then empty. */
void hd_user_code_restore_streams(const struct hd_user_code *code);

/** From now on, records in `code` how a fault or exit() in users' code ends this process. Called
 *  by the thread that runs software. One record for the process: the last call counts. A forked
 *  child records nothing. */
void hd_user_code_catch(struct hd_user_code *code);

/** Returns the record that hd_user_code_catch was given; NULL: no process watches this one. */
struct hd_user_code *hd_user_code_of_process(void);

/** Tests whether any call of users' code is under way. */
bool hd_user_code_is_running(const struct hd_user_code *code);

/** Returns who is to blame for the end of the process: HD_E_SOFTWARE, HD_E_TOOL (the backend) or
 *  HD_E_INTERNAL (Heddle itself). Adds the name and the place: "endpoint software ./sw.so of
 *  node 0, called in cycle 100". */
int hd_user_code_blame(const struct hd_user_code *code, struct hd_text *text);

/** Adds how the process ended by code->end: ": signal 11 (Segmentation fault) in run() of
 *  ./sw.so". */
void hd_user_code_add_end(const struct hd_user_code *code, struct hd_text *text);
/** Adds how a process ended by a status of waitpid(), if it could not record that itself. */
void hd_user_code_add_wait_status(const struct hd_user_code *code, int wait_status,
                                  struct hd_text *text);

/** Adds the call of a thread that is under way: "run of switch 5, window of 256 cycles from
 *  cycle 512". */
void hd_user_call_add(const struct hd_user_call *call, struct hd_text *text);

#endif
