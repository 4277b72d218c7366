/* Proofs that a mutant that nothing found cannot be found.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FAULTS_PROVE_H
#define HD_FAULTS_PROVE_H

#include "suite.h"

/** Sets the verdict of survivors to VERDICT_EQUIVALENT where Yosys proves by induction that no
 *  input makes their port events differ from the RTL's; leaves it VERDICT_SURVIVED otherwise, with
 *  the log of the failed proof as text. Outcome i is mutant i + 1. A status when the RTL cannot be
 *  proved equal to itself, or when Yosys cannot be run. */
int prove_survivors(const struct suite *suite, const struct rig *rig, struct outcome *outcomes,
                    size_t n, struct hd_error *err);

#endif
