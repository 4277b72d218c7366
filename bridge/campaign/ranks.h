/* What a shared object that can talk MPI offers: bytes from rank to rank.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Heddle itself is not linked with MPI, so that it runs where there is none. All other functions belong
 * to one thread.
 */
#ifndef HD_RANKS_H
#define HD_RANKS_H

#include <stddef.h>

struct hd_ranks_ops {
  /** Joins the job. 0: *self of *number, or not 0. */
  int (*open)(int *self, int *number);
  /** Sends bytes to a rank and does not wait until they are there. Not 0: they cannot be sent. */
  int (*send)(int to, const void *bytes, size_t length);
  /** 1: a message, *bytes is the caller's to free. 0: there is none. < 0: it cannot be received. */
  int (*receive)(int *from, char **bytes, size_t *length);
  /** Leaves the job. `abort`: others are gone; ends the whole job with `code`. */
  void (*close)(int abort, int code);
};

/** The symbol of the shared object: const struct hd_ranks_ops hd_ranks_ops. */
#define HD_RANKS_SYMBOL "hd_ranks_ops"

#endif
