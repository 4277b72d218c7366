/* Lists of Heddle's files from which a switch with its mutants is built.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_MUTATION_MANIFEST_H
#define HD_MUTATION_MANIFEST_H

#include "../backends/lanes/manifest.h"

/** C, compiled with the lane code of a switch. */
#define HD_MUTANT_BENCH_HOST(X)       \
  X("bridge/mutation/mutant_bench.c") \
  HD_LANES_HOST(X)

/** All files. */
#define HD_MUTANT_BENCH_MANIFEST(X)          \
  HD_MUTANT_BENCH_HOST(X)                    \
  HD_LANES_INCLUDED(X)                       \
  X("bridge/backends/backend.h")             \
  X("bridge/backends/lanes/lanes_mutated.h") \
  X("bridge/mutation/mutant_tape.h")         \
  X("bridge/mutation/mutants.h")

#endif
