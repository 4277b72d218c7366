/* The functions of the shared object that calls MPI: bytes from rank to rank.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Heddle itself is not linked with MPI, so that it runs where there is none. One thread at a time calls these
 * functions.
 */
#ifndef HD_RANKS_MPI_H
#define HD_RANKS_MPI_H

#include <stddef.h>

struct hd_ranks_ops {
  /** Joins the job. 0: this is rank *self of *number; otherwise joining failed. */
  int (*open)(int *self, int *number);
  /** Sends bytes from malloc to a rank, does not wait, and frees them when they have arrived. Not 0: they could not be sent,
   *  and are freed. */
  int (*send)(int to, void *bytes, size_t length);
  /** Returns 1: a message, *bytes is the caller's to free; 0: there is no message; < 0: it cannot
   * be received. */
  int (*receive)(int *from, char **bytes, size_t *length);
  /** Leaves the job. `abort`: others are gone; ends the whole job with `code`. */
  void (*close)(int abort, int code);
};

/** The symbol of the shared object: const struct hd_ranks_ops hd_ranks_ops. */
#define HD_RANKS_SYMBOL "hd_ranks_ops"

#endif
