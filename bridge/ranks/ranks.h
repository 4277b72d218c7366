/* The processes of mpirun: who we are among them, and messages from one to another.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The part that calls MPI is loaded at run time (ranks_mpi.h). The caller decides what the messages mean:
 * bridge/campaign hands out runs with them.
 */
#ifndef HD_RANKS_H
#define HD_RANKS_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>

struct hd_ranks;

/** Has mpirun started this process with others? */
bool hd_ranks_are_several(void);

/** Are we one of several processes of mpirun? Then *ranks says with whom to talk; otherwise it is NULL.
 *  HD_E_TOOL: we are, but this Heddle cannot talk MPI; `plugin` is the shared object that can. */
int hd_ranks_open(struct hd_ranks **ranks, const char *plugin, struct hd_error *err);
/** 0: hands out; others serve. */
int hd_ranks_self(const struct hd_ranks *ranks);
int hd_ranks_number(const struct hd_ranks *ranks);

/** Sends bytes of malloc, which are the callee's to free, and does not wait until they are there. Not 0: they
 *  cannot be sent. From any thread. */
int hd_ranks_send(struct hd_ranks *ranks, int to, void *bytes, size_t length);
/** Returns 1: a message, *bytes is the caller's to free; 0: there is no message; < 0: it cannot be
 * received. */
int hd_ranks_receive(struct hd_ranks *ranks, int *from, char **bytes, size_t *length);

/** Starts a thread that sends empty messages until hd_ranks_close, so that others know that this
 *  rank is alive: rank 0 to all, the others to rank 0. HD_E_TOOL: the thread cannot be started. */
int hd_ranks_stay_alive(struct hd_ranks *ranks, struct hd_error *err);
/** The number of seconds without a message after which a rank counts as dead. */
double hd_ranks_silence_seconds(void);
/** Somebody is: hd_ranks_close ends the others, too. */
void hd_ranks_lose(struct hd_ranks *ranks);

/** Has rank 0 closed? Others have nothing to wait for any more. */
bool hd_ranks_over(const struct hd_ranks *ranks);

/** Ends MPI, which ranks do together: rank 0 tells the others that it does, for which these wait as long as they hear
 *  of it, and one that has failed itself (`code` is not 0) without end, as rank 0 says nothing to it any more. Where ranks were lost, the job is ended with `code`, and this does not return. Where MPI has not ended after
 *  the seconds of silence, this process ends with it; what it has printed is flushed before. NULL is fine. */
void hd_ranks_close(struct hd_ranks *ranks, int code);

#endif
