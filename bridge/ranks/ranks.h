/* Processes of mpirun: the number of this one, and messages between them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The part that calls MPI is loaded at run time (ranks_mpi.h). The caller decides what the messages
 * mean: bridge/campaign distributes runs by them.
 */
#ifndef HD_RANKS_H
#define HD_RANKS_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>

struct hd_ranks;

/** Tests whether mpirun has started this process together with others. */
bool hd_ranks_are_several(void);

/** Joins the processes of mpirun. *ranks is NULL if this process is alone. `plugin` is the shared
 *  object that calls MPI. HD_E_TOOL: there are several processes, but MPI cannot be used. */
int hd_ranks_open(struct hd_ranks **ranks, const char *plugin, struct hd_error *err);
/** Returns the number of this process. Process 0 distributes the work, the others do it. */
int hd_ranks_self(const struct hd_ranks *ranks);
/** Returns the number of processes. */
int hd_ranks_number(const struct hd_ranks *ranks);

/** Sends bytes, allocated by malloc, which it frees. Does not wait until they have arrived. Not 0:
 *  they cannot be sent. Any thread may call this. */
int hd_ranks_send(struct hd_ranks *ranks, int to, void *bytes, size_t length);
/** Receives a message. Returns 1, and the caller frees *bytes; 0: there is no message; < 0: it
 *  cannot be received. */
int hd_ranks_receive(struct hd_ranks *ranks, int *from, char **bytes, size_t *length);

/** Starts a thread that sends empty messages until hd_ranks_close, so that other ranks know that
 *  this one is alive. Rank 0 sends to all, the others send to rank 0. HD_E_TOOL: the thread cannot
 *  be started. */
int hd_ranks_stay_alive(struct hd_ranks *ranks, struct hd_error *err);
/** Returns the number of seconds without a message after which a rank counts as dead. */
double hd_ranks_silence_seconds(void);
/** Declares that a rank is dead. hd_ranks_close then ends all others. */
void hd_ranks_lose(struct hd_ranks *ranks);

/** Tests whether rank 0 has called hd_ranks_close, so that others need not wait for messages any
 *  more. */
bool hd_ranks_over(const struct hd_ranks *ranks);

/** Ends MPI. All ranks must do so together: rank 0 tells the others, which wait for this message as
 *  long as they hear of rank 0. A rank that has failed (`code` is not 0) waits without a limit,
 *  because rank 0 sends it nothing any more. If a rank was lost, this ends the whole job with
 *  `code` and does not return. If MPI has not ended after hd_ranks_silence_seconds, this process
 *  ends with `code`. Flushes all output before. NULL is fine. */
void hd_ranks_close(struct hd_ranks *ranks, int code);

#endif
