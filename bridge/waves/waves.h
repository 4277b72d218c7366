/* Waves of a divergence: RTL and model side by side in one FST, with a GTKWave save file.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/waves.md says what is in the files. Port signals are made from port events (specification
 * §6.1), so every backend has them. Signals inside the DUT come from its own waves, if it writes
 * any.
 */
#ifndef HD_WAVES_H
#define HD_WAVES_H

#include "../explain/explain.h"
#include "../lockstep/lockstep.h"

/** Cycle c lasts from c·1000 ps to (c+1)·1000 ps, so GTKWave's nanoseconds are cycles. */
enum { HD_WAVES_CYCLE_PS = 1000 };

/** Room for the name of a signal. */
enum { HD_WAVES_NAME = 40 };

/** Values of a port or state of the switch in a cycle, as words. Borrowed during the call. */
struct hd_waves_value {
  const char *signal; /* "port 2 out", or the name of a state: "in[1].vc[0].occupancy" */
  uint64_t cycle;
  const char *model, *dut; /* "": nothing at the port; dut NULL: not known */
  bool differs;
};

/** Gets the contents of the waves, cycle by cycle from `first` to `last`: flits and credits,
 *  states in the first cycle and when they change, and every difference. If `value` returns an
 *  error, the reports end and `status` keeps the error. */
struct hd_waves_watcher {
  void *context;
  int (*value)(void *context, const struct hd_waves_value *value);
  uint64_t first, last;
  uint64_t begins; /* the first cycle of the waves that were written */
  int status;
  /* The first state that differed in any cycle; "": none did, or the DUT shows no states. */
  char first_state[HD_WAVES_NAME];
  uint64_t first_state_cycle;
};

/** A replay of the divergent switch. It calls `look` for consecutive cycles, as
 *  hd_lockstep_replay does. If the DUT has waves, it writes them to `dut_path`. */
struct hd_waves_replay {
  void *context;
  int (*run)(void *context, const char *dut_path,
             int (*look)(void *look_context, const struct hd_replay_cycle *cycle),
             void *look_context, struct hd_error *err);
};

/** Replays the divergent switch (hd_lockstep_replay) and writes into the existing `dir`:
 *  waves.fst, waves.gtkw, waves.sucl and the filters flits.txt and states.txt. `title` is the
 *  first line of the picture. `watcher` may be NULL. HD_E_IO; HD_E_UNSUPPORTED: not even the
 *  model can be replayed. */
int hd_waves_write(struct hd_lockstep *lockstep, const struct hd_divergence *divergence,
                   const struct hd_switch_params *params, const char *title, const char *dir,
                   uint32_t before, uint32_t after, struct hd_waves_watcher *watcher,
                   struct hd_error *err);

/** Like hd_waves_write, but the caller replays. */
int hd_waves_write_replay(const struct hd_waves_replay *replay,
                          const struct hd_divergence *divergence,
                          const struct hd_switch_params *params, const char *title, const char *dir,
                          struct hd_waves_watcher *watcher, struct hd_error *err);

/** Like hd_waves_write, for cycles `from` to `to` of any switch, even if nothing differs
 *  (hd_lockstep_replay_from). The marker is at cycle `mark`, which must be among them. */
int hd_waves_write_window(struct hd_lockstep *lockstep, uint32_t sw, uint64_t from, uint64_t to,
                          uint64_t mark, const struct hd_switch_params *params, const char *title,
                          const char *dir, struct hd_error *err);

enum { HD_WAVES_BACK_CYCLES = 4096 };
/** Finds the first state inside the divergent switch that differs. Replays from the snapshot, at
 *  most HD_WAVES_BACK_CYCLES cycles before the divergence. Makes temporary files in `dir`. If
 *  no state is found, `inside->why` says why. */
void hd_waves_find_inside(struct hd_lockstep *lockstep, const struct hd_switch_params *params,
                          const char *dir, struct hd_explain_inside *inside);
/** Like hd_waves_find_inside, for all cycles of a replay by the caller. */
void hd_waves_find_inside_replay(const struct hd_waves_replay *replay,
                                 const struct hd_switch_params *params, const char *dir,
                                 struct hd_explain_inside *inside);

/** Writes the switching activity of the RTL's own signals in waves.fst as SAIF: for each bit the
 *  time at 0, 1, x and z in picoseconds, and the changes between 0 and 1. HD_E_UNSUPPORTED: the
 *  file has no such signals; HD_E_IO. */
int hd_waves_activity(const char *waves, const char *path, struct hd_error *err);

/** Tests by its blocks whether an FST file is complete. GTKWave crashes or reads for ever if it
 *  is not. HD_E_IO: it cannot be read, or its writer did not finish it. */
int hd_waves_check(const char *path, struct hd_error *err);

#endif
