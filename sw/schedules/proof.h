/* Checks a solver's proof that a formula is unsatisfiable.
 * SPDX-License-Identifier: Apache-2.0
 *
 * It shares no code with the files that write the formula.
 */
#ifndef HD_PROOF_H
#define HD_PROOF_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_proof_result {
  bool proved;     /* false: `stop` ended the check */
  uint64_t lemmas; /* that were checked */
};

/** Reads a formula in DIMACS text and a proof in binary DRAT, and checks each lemma by unit
 *  propagation (RUP), until the empty clause follows. `stop` is called now and then, and may be
 *  NULL. Returns HD_E_INPUT if the formula or the proof cannot be read, or if the formula has more
 *  variables than characters; HD_E_TOOL if a lemma does not follow, or the proof ends without the
 *  empty clause. */
int hd_proof_check(const char *formula, size_t length, const uint8_t *proof, size_t size,
                   bool (*stop)(void *context), void *context, struct hd_proof_result *result,
                   struct hd_error *err);

#endif
