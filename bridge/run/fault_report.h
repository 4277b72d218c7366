/* Effects of faults on a run, for its report, and whether they caused its end (§5.11).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FAULT_REPORT_H
#define HD_FAULT_REPORT_H

#include "../manager/manager.h"
#include "../report/outcome.h"

/** Fills in faults, unreachable members and losses up to and in cycle `limit`. The report's counters
 *  are known. */
void hd_fault_report(const struct hd_manager *manager, const struct hd_fabric *fabric,
                     uint64_t limit, struct hd_run_report *report);

/** Returns the run's status, HD_E_FAULT if faults are its cause; the report's message then begins
 * with their effect. `idle`: no packet is in the fabric. */
int hd_fault_attribute_failure(struct hd_run_report *report, bool idle, int status);

#endif
