/* Tapes: inputs of a switch and outputs that it must show, as pins; and the bench that plays them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * mutant_tape.c makes tapes; mutant_bench.c, compiled at run time, plays them.
 */
#ifndef HD_MUTANT_TAPE_H
#define HD_MUTANT_TAPE_H

#include "mutants.h"
#include "../backends/lanes/lanes_pins.h"

enum {
  HD_STEP_COMPARE = 1,   /* compare all outputs except data read from registers */
  HD_STEP_QUIESCENT = 2, /* quiescent_o alone */
  HD_STEP_READ = 4,      /* a read of a register: it is compared, and no edge comes */
  HD_STEP_TAKEN = 8,     /* rdata_o after an edge with a read */
  HD_STEP_KEPT = 16,     /* rdata_o still holds the value of the last read */
};

/** A cycle. Pins that are 1 before its edge, then outputs that must be 1 after it, by lanes_pins.h. */
struct hd_lane_step {
  uint64_t cycle; /* cycle of the run in which the outputs are visible */
  size_t pins;    /* index of the first pin */
  uint16_t n_inputs, n_outputs;
  uint8_t flags;
};

/** A read that comes again in a window: there with an edge. */
struct hd_lane_read {
  uint32_t addr;
  uint16_t value;
  uint64_t edges; /* until it was read: the value is that of the state after them */
};

struct hd_mutant_tape {
  struct hd_switch_params params;
  struct hd_lane_pins layout;
  struct hd_lane_step *steps;
  uint16_t *pins;
  size_t n_steps, cap_steps, n_pins, cap_pins;
  uint64_t cycles, lead; /* lead: steps before the first window */
  uint64_t before;       /* cycles before the last reset, which windows do not count */
  bool foreign;          /* a user's router: its outputs right after a reset are not specified */
  bool noisy, inverted;  /* wires that mean nothing; power-up (hd_mutant_tape_noise) */
  uint64_t noise;        /* the seed */
  bool configured;       /* a cycle without input is due before the next window (bridge/dut.h) */
  bool kept;             /* rdata_o is known */
  uint64_t edges;        /* steps with an edge */
  struct hd_lane_read *reads; /* [n_reads]: to come again, from next_read on */
  size_t n_reads, cap_reads, next_read;
};

/** A mutant as the bench knows it: look-up tables, then registers. Cell UINT32_MAX: none. */
struct hd_lane_mutant {
  uint32_t cell;
  uint8_t rows;
};

struct hd_mutant_bench;
struct hd_lane_bench_ops {
  uint32_t lanes;
  const uint32_t *luts;                    /* how many the code has */
  struct hd_mutant_bench *(*create)(void); /* NULL: no memory */
  void (*destroy)(struct hd_mutant_bench *bench);
  /** Plays mutants on the tape. False: stopped. */
  bool (*play)(struct hd_mutant_bench *bench, const struct hd_mutant_tape *tape, uint64_t steps,
               const struct hd_lane_mutant *mutants, uint32_t n, struct hd_mutant_found *found,
               uint64_t *done, bool (*stop)(void *context), void *context);
  /** Plays all of the tape on the switch without a mutant, and shows its registers, a bit each, after each
   *  `every` steps. */
  void (*watch)(struct hd_mutant_bench *bench, const struct hd_mutant_tape *tape, uint64_t every,
                void (*see)(void *context, const uint64_t *registers), void *context);
  /** Switches that are all the same mutant, the one that was planted last. The options of its create are a bench. */
  const struct hd_dut_ops *dut;
  void (*plant)(struct hd_mutant_bench *bench, const struct hd_lane_mutant *mutant);
};
/** The one symbol of the bench's shared object. */
typedef const struct hd_lane_bench_ops *hd_lane_bench_fn(void);
const struct hd_lane_bench_ops *hd_lane_bench(void);

#endif
