/* Checks the invariants of the barrier's tree protocol (specification §8.13).
 * SPDX-License-Identifier: Apache-2.0
 *
 * RTL and model both follow §8.3. A mistake in that section would be in both, and they would agree.
 * So the check does not use §8.3. It sees the events at the ports of every switch (§6.1) and
 * configuration writes, and checks rules T1 to T9. All its state comes from these events. In a run
 * it gets the windows in which RTL and model showed the same events, so it checks both.
 */
#ifndef HD_TREE_CHECK_H
#define HD_TREE_CHECK_H

#include "../../cmodel/fabric/fabric.h"

struct hd_tree_check;

/** Creates the check for a new fabric without groups. Returns NULL if the switches do not
 *  support barrier messages; all functions accept NULL. Borrows the topology. */
struct hd_tree_check *hd_tree_check_create(const struct hd_topology *topology,
                                           const struct hd_switch_params *params);
void hd_tree_check_destroy(struct hd_tree_check *check);

/** Checks the first `cycles` cycles of a window. Windows come in order of time; between them no
 *  message may be in transit. Errors: HD_E_INVARIANT with the first broken rule. After an error
 *  the check must not be used further. */
int hd_tree_check_window(struct hd_tree_check *check, const struct hd_record *record,
                         uint32_t cycles, struct hd_error *err);

/** Checks rule T8 when no message is in transit any more. Errors: HD_E_INVARIANT. */
int hd_tree_check_end(const struct hd_tree_check *check, struct hd_error *err);

/** Counts of what was checked: barrier messages at ports, and rounds that all members of their
 *  group have left. */
struct hd_tree_check_counts {
  uint64_t messages, rounds;
};
struct hd_tree_check_counts hd_tree_check_counts(const struct hd_tree_check *check);

#endif
