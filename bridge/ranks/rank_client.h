/* One DUT whose switches are spread over the processes of mpirun.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rank 0 has the model, the software and all results. The others hold switches of a backend that each of them
 * opens, and replay their windows. Behind the DUT contract (dut.h) nobody sees that there is more than one
 * process: events, digests, snapshots, waves and errors are those of one. What a register that no reset
 * touches starts with may be another one.
 */
#ifndef HD_RANKS_DUT_H
#define HD_RANKS_DUT_H

#include "../backends/backend.h"
#include "ranks.h"

/** In rank 0: makes of an open backend one whose DUT is spread over all ranks. `name`, `params` and `options` are
 *  those by which it was opened; the other ranks open it, too. One at a time, after hd_ranks_stay_alive. `backend` is to be closed as
 *  ever. HD_E_INPUT: it waits for devices, which belong to one process; HD_E_TOOL: a rank cannot do that, or is
 *  gone; what hd_backend_open returned there. */
int hd_ranks_spread(struct hd_ranks *ranks, struct hd_backend *backend, const char *name,
                    const struct hd_switch_params *params, const struct hd_backend_options *options,
                    struct hd_error *err);

/** In the other ranks: does what rank 0 asks for until it says that this is all. HD_E_TOOL: rank 0 is gone. */
int hd_ranks_hold_switches(struct hd_ranks *ranks, struct hd_error *err);
/** In rank 0: that is all. Before hd_ranks_close. */
void hd_ranks_dismiss(struct hd_ranks *ranks);

/** What a rank did for the last DUT. */
struct hd_ranks_share {
  uint32_t switches;   /* that it held */
  double busy_seconds; /* in which it replayed windows */
};
/** In rank 0: of each rank, and the seconds from the first window to the end of the last; 0: there was none. */
const struct hd_ranks_share *hd_ranks_shares(struct hd_ranks *ranks, double *seconds);

#endif
