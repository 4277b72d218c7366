/* Proofs that a mutant that nothing found cannot be found.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FAULTS_PROVE_H
#define HD_FAULTS_PROVE_H

#include "suite.h"

/** Sets the verdict of survivors to VERDICT_EQUIVALENT where Yosys proves by induction that no
 *  input makes their port events differ from the RTL's; leaves it VERDICT_SURVIVED otherwise, with
 *  the logs of the failed proofs as text; sets it to VERDICT_FAILED where there is no verdict.
 *  Outcome i is mutant i + 1; `directory` has plain.il, mutants.il, of which `netlist` is a hash, and
 *  gets the proofs. A status when there is no verdict, the
 *  RTL cannot be proved equal to itself, or a mutant that was found can. */
int prove_survivors(const struct suite *suite, const char *directory, uint64_t netlist,
                    const struct rig *rig, struct outcome *outcomes, size_t n,
                    struct hd_error *err);

#endif
