/* Waves of a divergence: RTL and model side by side in one FST, with a GTKWave save file.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/waves.md says what is in the files. Port signals are made from port events
 * (specification §6.1), so every backend has them; what is inside the DUT comes from its
 * own waves, where it has any.
 */
#ifndef HD_WAVES_H
#define HD_WAVES_H

#include "../explain/explain.h"
#include "../lockstep/lockstep.h"

/** Time in the files: cycle c lasts from c·1000 ps to (c+1)·1000 ps, so GTKWave's
 *  nanoseconds are cycles. */
enum { HD_WAVES_CYCLE_PS = 1000 };

/** Room for the name of a signal. */
enum { HD_WAVES_NAME = 40 };

/** Values of a port or state of the switch in a cycle, as words; borrowed for the call. */
struct hd_waves_value {
  const char *signal; /* "port 2 out", or a state's name: "in[1].vc[0].occupancy" */
  uint64_t cycle;
  const char *model, *dut; /* "": nothing is at the port; dut NULL: not known */
  bool differs;
};

/** Reports what is in the waves, cycle by cycle from `first` to `last`: flits and credits, states
 *  in the first cycle and where they change, and everything that differs. An error of `value` ends
 *  it, and is kept in `status`. */
struct hd_waves_watcher {
  void *context;
  int (*value)(void *context, const struct hd_waves_value *value);
  uint64_t first, last;
  uint64_t begins; /* the first cycle of the waves that were written */
  int status;
  /* The first state that differed in any cycle; "": none did, or the DUT shows none. */
  char first_state[HD_WAVES_NAME];
  uint64_t first_state_cycle;
};

/** A replay of the divergent switch. It calls `look` for cycles that follow on one another, as
 *  hd_lockstep_replay does, and has the DUT's waves of them written to `dut_path`, where it has any. */
struct hd_waves_replay {
  void *context;
  int (*run)(void *context, const char *dut_path,
             int (*look)(void *look_context, const struct hd_replay_cycle *cycle),
             void *look_context, struct hd_error *err);
};

/** Replays the divergent switch (hd_lockstep_replay) and writes into `dir`, which exists:
 *  waves.fst, waves.gtkw, waves.sucl and the filters flits.txt and states.txt. `title` is one line for the
 *  head of the picture. `watcher` may be NULL. HD_E_IO; HD_E_UNSUPPORTED where not even the model could be
 *  replayed. */
int hd_waves_write(struct hd_lockstep *lockstep, const struct hd_divergence *divergence,
                   const struct hd_switch_params *params, const char *title, const char *dir,
                   uint32_t before, uint32_t after, struct hd_waves_watcher *watcher,
                   struct hd_error *err);

/** Like hd_waves_write, with a replay by the caller. */
int hd_waves_write_replay(const struct hd_waves_replay *replay,
                          const struct hd_divergence *divergence,
                          const struct hd_switch_params *params, const char *title, const char *dir,
                          struct hd_waves_watcher *watcher, struct hd_error *err);

/** hd_waves_write for cycles `from` to `to` of any switch, whether anything differs or not
 *  (hd_lockstep_replay_from). The marker is at the cycle `mark`, one of these. */
int hd_waves_write_window(struct hd_lockstep *lockstep, uint32_t sw, uint64_t from, uint64_t to,
                          uint64_t mark, const struct hd_switch_params *params, const char *title,
                          const char *dir, struct hd_error *err);

/** Finds the first state inside the divergent switch that differs, by a replay from the snapshot, at
 *  most so many cycles before the divergence. A temporary file is made in `dir`. `inside->why` says
 *  why none is known. */
enum { HD_WAVES_BACK_CYCLES = 4096 };
void hd_waves_find_inside(struct hd_lockstep *lockstep, const struct hd_switch_params *params,
                          const char *dir, struct hd_explain_inside *inside);
/** Like hd_waves_find_inside, in all cycles of a replay by the caller. */
void hd_waves_find_inside_replay(const struct hd_waves_replay *replay,
                                 const struct hd_switch_params *params, const char *dir,
                                 struct hd_explain_inside *inside);

/** Writes the switching activity of the RTL's own signals in waves.fst as SAIF, in picoseconds: times at 0, 1, x and z, and
 *  changes between 0 and 1, of each bit. HD_E_UNSUPPORTED: the file has none; HD_E_IO. */
int hd_waves_activity(const char *waves, const char *path, struct hd_error *err);

/** Is this a whole FST file, as far as its blocks say? GTKWave crashes or reads for ever where it is not. HD_E_IO: it cannot be
 *  read, or its writer did not finish it. */
int hd_waves_check(const char *path, struct hd_error *err);

#endif
