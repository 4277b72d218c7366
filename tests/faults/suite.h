/* The fault suite: what its parts share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FAULTS_SUITE_H
#define HD_FAULTS_SUITE_H

#include "outcome.h"

struct suite {
  const char *directory; /* build/faults */
  const char *lists[2];  /* of faults; NULL: none */
  char cache[512];       /* of shared objects */
  uint64_t seed;         /* of the stimuli */
  unsigned jobs, mutants;
  unsigned proof_seconds; /* of processor time, of a proof at most */
  bool blind;             /* no stimulus for mutants: the proofs must tell them apart */
  const char *only;       /* NULL: all; otherwise what a name must contain */
};

bool suite_wants(const struct suite *suite, const char *name);

/** Calls `one` for each index below n in child processes, suite->jobs at a time, so that a DUT
 *  that crashes takes nothing along; outcomes are shared memory. Leaves what is not wanted out. */
void suite_each(const struct suite *suite, size_t n, void (*one)(void *context, size_t index),
                void *context, struct outcome *outcomes);

/** Zeroed memory that children share. */
void *suite_shared(size_t bytes);
void suite_unshare(void *memory, size_t bytes);

/** Tries every rig on the RTL as it is. The number of rigs that failed, or a status. */
int run_sound(const struct suite *suite, unsigned *passed, struct hd_error *err);

/** Tries the faults of suite->lists. */
int run_faults(const struct suite *suite, struct score *score, struct hd_error *err);

/** Tries suite->mutants mutants made by Yosys, and a third as many more of the barrier hardware. */
int run_mutants(const struct suite *suite, struct score *score, struct hd_error *err);

#endif
