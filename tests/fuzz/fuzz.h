/* Declarations and checks that all fuzzers share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FUZZ_H
#define HD_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Ends the fuzzer with a failure unless the condition holds. */
static inline void require(bool condition)
{
  if (!condition)
    abort();
}

/** Copies the input into a block of exactly this size, so that the sanitizer sees a read past its end. The caller
 *  frees it. */
static inline void *exact_copy(const void *data, size_t size)
{
  void *copy = malloc(size ? size : 1);
  require(copy != NULL);
  if (size)
    memcpy(copy, data, size);
  return copy;
}

#endif
