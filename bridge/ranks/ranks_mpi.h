/* Functions of the shared object that calls MPI: they send bytes between ranks.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Heddle itself is not linked with MPI, so that it runs without MPI, too. Only one thread at a time
 * may call these functions.
 */
#ifndef HD_RANKS_MPI_H
#define HD_RANKS_MPI_H

#include <stddef.h>

struct hd_ranks_ops {
  /** Joins the job. Returns 0: this is rank *self of *number. Not 0: it failed. */
  int (*open)(int *self, int *number);
  /** Sends bytes, allocated by malloc, to a rank. Does not wait, and frees them after they have
   *  arrived. Not 0: they could not be sent, and were freed. */
  int (*send)(int to, void *bytes, size_t length);
  /** Receives a message. Returns 1, and the caller frees *bytes; 0: there is no message; < 0: it
   *  cannot be received. */
  int (*receive)(int *from, char **bytes, size_t *length);
  /** Leaves the job. `abort`: ends the whole job with `code`, because ranks are lost. */
  void (*close)(int abort, int code);
};

/** Symbol of the shared object: const struct hd_ranks_ops hd_ranks_ops. */
#define HD_RANKS_SYMBOL "hd_ranks_ops"

#endif
