/* A group of switches, one in each lane of the words: clock, configuration, reset, snapshots.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled at run time with the lane code of one parameter set. No function here locks group.lock.
 */
#ifndef HD_LANES_GROUP_H
#define HD_LANES_GROUP_H

#include "../../dut_extension.h"
#include "../../job_cursor.h"
#include "../../post_reset_events.h"
#include "../rtl/built_params.h"
#include "lanes_pins.h"
#include "lanes_word.h"

#include <pthread.h>

enum {
  STEPS = 4096 / HD_LANES,     /* steps of a block (lanes_window.c) */
  COUNTING = HD_ADAPTIVE == 2, /* §10.8 */
};
#define PINS hd_lane_pins(HD_PORTS, HD_VCS, HD_DATA_W, HD_BARRIER != 0, COUNTING)

/* Numbers of rows, which have 64 pins of a lane each (lanes_window.c): of all inputs, of the inputs
 * without the configuration port, and of the expected outputs. */
#define INPUT_ROWS ((PINS.inputs + 63) / 64)
#define FLIT_ROWS ((PINS.both + 63) / 64)
#define EXPECTED_TOGGLE \
  PINS.both /* index of the bit "quiescent_o changes", which no other expected pin has */
#define EXPECTED_ROWS ((PINS.both + 64) / 64)

/* A write to the configuration port outside of windows. Writes are collected until the switch is
 * next used, so that writes to several lanes take one step. */
struct write {
  uint32_t addr;
  uint16_t data;
};

struct lane {
  struct write *writes;
  size_t n_writes, cap_writes;
};

/* Consecutive cycles of a lane: `cycle` is played in step `step` of the block, and so on. */
struct run {
  uint32_t step, cycle;
};

/* State of a lane that plays a window. */
struct play {
  struct hd_dut_job *job;
  struct hd_cursor in;
  uint32_t flit, credit, toggle; /* index of the next expected event of each kind */
  uint32_t cycle;                /* first cycle that is not in a block yet */
  uint32_t steps, n_runs;        /* number of steps and runs in the block */
  struct run runs[STEPS];
};

struct group;

/* The lane code's step and show with faults in some cells. */
struct group_wrong {
  void (*step)(struct group *g, const hd_word *inputs, const hd_word *writes);
  void (*show)(const struct group *g, hd_word *state, const hd_word *inputs);
  void *context;
};

struct group {
  pthread_mutex_t lock;              /* used by the caller alone */
  const struct group_wrong *wrong;   /* NULL: no cell has a fault; borrowed */
  hd_word *now, *next, *temporaries; /* [state], [state], [temporaries] */
  hd_word *parked;                   /* [state] of lanes whose windows are over */
  uint64_t *saved;                   /* [state / 64 × HD_LANES] the state as rows, for snapshots */
  bool is_saved;                     /* `saved` is the state in `now` */
  hd_word *inputs, *expected;        /* [rows × 64], of a step, by pin */
  uint64_t *input_rows;              /* [STEPS × rows × HD_LANES], and one more row */
  uint64_t *expected_rows;           /* [STEPS × rows × HD_LANES], and one more row */
  hd_word used;                      /* lanes that have a switch */
  hd_word configured;                /* lanes that need an idle cycle before the next window */
  hd_word reset; /* lanes without a window since reset: quiescent by §2.9, whatever they show */
  hd_word early; /* lanes that have events in `earlies` */
  struct hd_post_reset_events earlies[HD_LANES];
  hd_word filled; /* lanes whose last reset had inputs at every pin */
  struct hd_lane_memory *memories;
  struct lane lanes[HD_LANES];
  struct play plays[HD_LANES];
};

/** Creates a group of `lanes` switches with registers as at power-up, after one cycle of reset.
 *  Undefined bits get pseudo-random values from *seed, which changes. `wrong`: see struct group.
 *  NULL: out of memory. */
struct group *group_create(uint32_t lanes, uint64_t *seed, const struct group_wrong *wrong);
void group_destroy(struct group *g);

/** Resets every switch (§2.9): every other one with inputs at every pin, the others with none. A
 *  switch that has played a window since its last reset changes to the other kind. */
void group_reset(struct group *g);

/** Clears g->inputs, so that they are the pins of an idle cycle, and returns them. */
hd_word *group_no_inputs(struct group *g);

/** Computes the next state in g->next. Memories are written in the lanes of `writes`. */
void group_step(struct group *g, const hd_word *inputs, const hd_word *writes);

/** Makes g->next the present state. */
static inline void group_turn(struct group *g)
{
  hd_word *const before = g->now;
  g->now = g->next;
  g->next = before;
  g->is_saved = false;
}

/** Clocks these lanes once. The other lanes keep their state. */
void group_clock(struct group *g, const hd_word *inputs, const hd_word *lanes);

/** Adds the flit, or the credit, that a lane shows at a port in `cycle` to the outputs of a
 *  window. */
void group_take_flit(const struct group *g, struct hd_dut_job *job, uint32_t cycle, unsigned port,
                     unsigned lane);
void group_take_credit(const struct group *g, struct hd_dut_job *job, uint32_t cycle, unsigned port,
                       unsigned lane);

/** Keeps the flits and credits that these lanes show outside of windows, where there must be none.
 *  They are reported with the next window. */
void group_keep_early(struct group *g, const hd_word *lanes);

/** Collects a configuration write. HD_E_NOMEM. */
int group_write(struct group *g, unsigned lane, uint32_t addr, uint16_t data, struct hd_error *err);
/** Does the collected writes. Returns their number. */
size_t group_flush(struct group *g);

/** Plays the windows of `jobs`, each in a lane of its own (hd_dut_ops.run). Call group_flush
 *  before. HD_E_INPUT. */
int group_run(struct group *g, bool every_cycle, struct hd_dut_job *jobs, size_t n,
              struct hd_error *err);

/** Appends a switch's state to a buffer, or reads it from one, for hd_dut_ops. Call group_flush
 *  before. HD_E_NOMEM; HD_E_INPUT: the buffer is no snapshot of this backend. */
int group_save(struct group *g, unsigned lane, struct hd_dut_buffer *buffer, struct hd_error *err);
int group_restore(struct group *g, unsigned lane, const struct hd_dut_buffer *buffer, uint32_t sw,
                  struct hd_error *err);

/* ── lanes of words ────────────────────────────────────────────────────────── */

static inline bool has_lane(const hd_word *word, unsigned lane)
{
  return hd_word_part(word, lane / 64) >> lane % 64 & 1;
}

static inline void put_lane(hd_word *word, unsigned lane, uint64_t bit)
{
  const uint64_t part = hd_word_part(word, lane / 64), mask = UINT64_C(1) << lane % 64;
  hd_word_put(word, lane / 64, bit & 1 ? part | mask : part & ~mask);
}

static inline void add_lane(hd_word *word, unsigned lane)
{
  put_lane(word, lane, 1);
}

/* Adds a lane to words[i] for each bit i that is set in `bits`. */
static inline void add_bits(hd_word *words, unsigned lane, uint64_t bits)
{
  const uint64_t mask = UINT64_C(1) << lane % 64;
  for (; bits; bits &= bits - 1) {
    hd_word *const word = &words[__builtin_ctzll(bits)];
    hd_word_put(word, lane / 64, hd_word_part(word, lane / 64) | mask);
  }
}

/* Returns the number that `n` outputs from `pin` on show in a lane. */
static inline uint64_t shown(const struct group *g, uint32_t pin, uint32_t n, unsigned lane)
{
  uint64_t value = 0;
  for (uint32_t i = 0; i < n; i++)
    value |= (uint64_t)has_lane(&g->now[hd_lane_code.outputs[pin + i]], lane) << i;
  return value;
}

static inline hd_word output(const struct group *g, uint32_t pin)
{
  return g->now[hd_lane_code.outputs[pin]];
}

/* Return the lanes that show a flit at a port's output, and those that show a credit or count at
 * its input. */
static inline hd_word shows_flit(const struct group *g, unsigned port)
{
  return output(g, port * PINS.flit + HD_LANE_VALID);
}

static inline hd_word shows_credit(const struct group *g, unsigned port)
{
  hd_word some = {0};
  for (unsigned v = 0; v < HD_VCS; v++)
    some |= output(g, PINS.credit + port * HD_VCS + v);
  if (HD_BARRIER)
    some |= output(g, PINS.barrier + port);
  for (unsigned i = 0; COUNTING && i < HD_COUNT_BITS; i++)
    some |= output(g, PINS.count + port * HD_COUNT_BITS + i);
  return some;
}

#endif
