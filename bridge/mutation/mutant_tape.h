/* Tapes: inputs of a switch and the outputs that it must show, as values of pins; and the bench
 * that plays them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * mutant_tape.c makes tapes; mutant_bench.c, compiled at run time, plays them.
 */
#ifndef HD_MUTANT_TAPE_H
#define HD_MUTANT_TAPE_H

#include "mutants.h"
#include "../backends/lanes/lanes_pins.h"

enum {
  HD_STEP_COMPARE = 1,   /* compare all outputs except rdata_o */
  HD_STEP_QUIESCENT = 2, /* compare quiescent_o alone */
  HD_STEP_READ = 4,      /* read a register without a clock edge, and compare rdata_o */
  HD_STEP_TAKEN = 8,     /* compare rdata_o after an edge with a read */
  HD_STEP_KEPT = 16,     /* compare rdata_o with the value of the last read */
};

/** A cycle: the input pins that are 1 before its edge, then the output pins that must be 1 after it
 *  (lanes_pins.h). */
struct hd_lane_step {
  uint64_t cycle; /* cycle of the run in which the outputs are visible */
  size_t pins;    /* index of the first pin */
  uint16_t n_inputs, n_outputs;
  uint8_t flags;
};

/** A read that is repeated in a window, with a clock edge. */
struct hd_lane_read {
  uint32_t addr;
  uint16_t value;
  uint64_t edges; /* clock edges before the read; the value is that of the state after them */
};

struct hd_mutant_tape {
  struct hd_switch_params params;
  struct hd_lane_pins layout;
  struct hd_lane_step *steps;
  uint16_t *pins;
  size_t n_steps, cap_steps, n_pins, cap_pins;
  uint64_t cycles, lead; /* cycles of all windows; steps before the first window */
  uint64_t before;       /* cycles before the last reset, which the windows' cycles do not count */
  bool foreign;          /* a user's router: its outputs right after a reset are not specified */
  bool noisy, inverted;  /* hd_mutant_tape_noise: random unused inputs; inverted power-up */
  uint64_t noise;        /* seed of the random inputs */
  bool configured;       /* the next window needs an idle cycle before it (bridge/dut.h) */
  bool kept;             /* the value of rdata_o is known */
  uint64_t edges;        /* number of steps with a clock edge */
  struct hd_lane_read *reads; /* [n_reads]; those from next_read on were not repeated yet */
  size_t n_reads, cap_reads, next_read;
};

/** A mutant on a bench. `cell` counts look-up tables, then registers. Cell UINT32_MAX: no
 *  mutant. */
struct hd_lane_mutant {
  uint32_t cell;
  uint8_t rows;
};

struct hd_mutant_bench;
struct hd_lane_bench_ops {
  uint32_t lanes;
  const uint32_t *luts;                    /* number of look-up tables in the code */
  struct hd_mutant_bench *(*create)(void); /* NULL: out of memory */
  void (*destroy)(struct hd_mutant_bench *bench);
  /** Plays the tape on mutants. False: `stop` returned true. */
  bool (*play)(struct hd_mutant_bench *bench, const struct hd_mutant_tape *tape, uint64_t steps,
               const struct hd_lane_mutant *mutants, uint32_t n, struct hd_mutant_found *found,
               uint64_t *done, bool (*stop)(void *context), void *context);
  /** Plays the whole tape on the switch without a mutant, and calls `see` after each `every` steps
   *  with the values of its registers, a bit each. */
  void (*watch)(struct hd_mutant_bench *bench, const struct hd_mutant_tape *tape, uint64_t every,
                void (*see)(void *context, const uint64_t *registers), void *context);
  /** Operations on switches that are all the mutant that was planted last. Pass the bench as
   *  options of create. */
  const struct hd_dut_ops *dut;
  void (*plant)(struct hd_mutant_bench *bench, const struct hd_lane_mutant *mutant);
};
/** The symbol of the bench's shared object. */
typedef const struct hd_lane_bench_ops *hd_lane_bench_fn(void);
const struct hd_lane_bench_ops *hd_lane_bench(void);

#endif
