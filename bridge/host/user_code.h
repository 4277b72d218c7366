/* Users' code that ends the process: caught, and put into words.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_HOST_USER_CODE_H
#define HD_HOST_USER_CODE_H

#include "../../cmodel/error.h"
#include "../../sw/user_code.h"
#include "text.h"

/** A note in memory that processes share which are forked from now on. */
struct hd_user_code *hd_user_code_create(void);
void hd_user_code_destroy(struct hd_user_code *code); /* NULL is fine */

/** Notes the standard streams of this process, which is going to watch a child. */
void hd_user_code_keep_streams(struct hd_user_code *code);
/** Called in the child. Output to a standard stream that users' code has closed or replaced goes to
 *  a file from now on, if there is one. Standard input is then empty. */
void hd_user_code_restore_streams(const struct hd_user_code *code);

/** Notes in `code` from now on how this process is ended by a fault or by exit() in users' code. Called by the
 *  thread that runs software. Process-wide: the last call counts; a child of fork notes nothing. */
void hd_user_code_catch(struct hd_user_code *code);

/** Returns the note of hd_user_code_catch; NULL: no process watches this one. */
struct hd_user_code *hd_user_code_of_process(void);

/** Is any call of users' code under way? */
bool hd_user_code_is_running(const struct hd_user_code *code);

/** Returns who is to blame for the end of the process: HD_E_SOFTWARE, HD_E_TOOL (the backend) or HD_E_INTERNAL (Heddle
 *  itself). Adds who it is and where: "endpoint software ./sw.so of node 0, called in cycle 100". */
int hd_user_code_blame(const struct hd_user_code *code, struct hd_text *text);

/** Adds how code->end says that it ended: ": signal 11 (Segmentation fault) in run() of ./sw.so". */
void hd_user_code_how(const struct hd_user_code *code, struct hd_text *text);
/** Adds how a status of waitpid says that it ended, for a process that could not note it. */
void hd_user_code_how_ended(const struct hd_user_code *code, int wait_status, struct hd_text *text);

/** Adds which call of a thread is under way: "run of switch 5, window of 256 cycles from cycle 512". */
void hd_user_call_add(const struct hd_user_call *call, struct hd_text *text);

#endif
