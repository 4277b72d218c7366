/* Reports the effects of faults on a run, and whether they caused its failure (§5.11).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FAULT_REPORT_H
#define HD_FAULT_REPORT_H

#include "../manager/manager.h"
#include "../report/outcome.h"

/** Fills in faults, unreachable members and losses up to and including cycle `limit`. The
 *  report's counters must be filled in. */
void hd_fault_report(const struct hd_manager *manager, const struct hd_fabric *fabric,
                     uint64_t limit, struct hd_run_report *report);

/** Returns HD_E_FAULT if faults caused the failure `status`, and begins the report's message
 * with their effect. Otherwise returns `status`. `idle`: no packet is in the fabric. */
int hd_fault_attribute_failure(struct hd_run_report *report, bool idle, int status);

#endif
