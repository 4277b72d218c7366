/* Waves of a divergence: RTL and model side by side in one FST, with a GTKWave save file.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/waves.md says what is in the files. Port signals are made from port events
 * (specification §6.1), so every backend has them; what is inside the DUT comes from its
 * own waves, where it has any.
 */
#ifndef HD_WAVES_H
#define HD_WAVES_H

#include "../lockstep/lockstep.h"

/** Time in the files: cycle c lasts from c·1000 ps to (c+1)·1000 ps, so GTKWave's
 *  nanoseconds are cycles. */
enum { HD_WAVES_CYCLE_PS = 1000 };

/** Replays the divergent switch (hd_lockstep_replay) and writes into `dir`, which exists:
 *  waves.fst, waves.gtkw, waves.sucl and the filters flits.txt and states.txt. `title` is one line for the
 *  head of the picture. `watcher` may be NULL. HD_E_IO, HD_E_NOMEM; HD_E_UNSUPPORTED where not even the model could be
 *  replayed. */
int hd_waves_write(struct hd_lockstep *lockstep, const struct hd_divergence *divergence,
                   const struct hd_switch_params *params, const char *title, const char *dir,
                   uint32_t before, uint32_t after, struct hd_error *err);

/** The same for cycles `from` to `to` of any switch, whether anything differs or not
 *  (hd_lockstep_replay_from). The marker is at the cycle `mark`, one of these. */
int hd_waves_write_window(struct hd_lockstep *lockstep, uint32_t sw, uint64_t from, uint64_t to,
                          const struct hd_switch_params *params, const char *title, const char *dir,
                          struct hd_error *err);

#endif
