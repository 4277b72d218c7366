/* Mutants of a switch: faults in its netlist, and which of them some input shows.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The netlist has the gates of the RTL, so most gates have a line. A mutant is a gate with another
 * table, or a flip-flop that takes another value. Each lane of a word is a mutant, and all get the
 * same inputs.
 */
#ifndef HD_MUTANTS_H
#define HD_MUTANTS_H

#include "../backends/backend.h"

struct hd_text;

/** Kinds of mutant: X(NAME, text). */
#define HD_MUTANT_LIST(X)                \
  X(STUCK_0, "output stuck at 0")        \
  X(STUCK_1, "output stuck at 1")        \
  X(INVERTED, "output inverted")         \
  X(INPUT_0, "an input stuck at 0")      \
  X(INPUT_1, "an input stuck at 1")      \
  X(INPUT_INVERTED, "an input inverted") \
  X(EXCHANGED, "two inputs exchanged")   \
  X(DUAL, "and for or, or for and")      \
  X(HELD, "a flip-flop keeps what it had")

enum hd_mutant_kind {
#define HD_MUTANT_ENUM(NAME, text) HD_MUTANT_##NAME,
  HD_MUTANT_LIST(HD_MUTANT_ENUM)
#undef HD_MUTANT_ENUM
      HD_MUTANT_KINDS
};
const char *hd_mutant_kind_name(enum hd_mutant_kind kind);

/** A cell of the netlist. Texts are owned by the list. */
struct hd_mutant_cell {
  const char *file; /* file of the RTL, such as "hd_switch.v"; NULL: the line is not known */
  uint32_t line;
  const char *gate; /* "and", "multiplexer", "flip-flop" … */
  const char *net;  /* the net it drives, by its name in the RTL; NULL: it has no name there */
};

struct hd_mutant {
  uint32_t cell; /* look-up tables, then flip-flops */
  uint8_t kind;  /* enum hd_mutant_kind */
  uint8_t rows; /* wrong rows of its table; a flip-flop's row d + 2·q is the value that it takes */
  uint8_t inputs[2]; /* inputs of the fault: the first one for INPUT_…, both for EXCHANGED */
  bool equivalent;   /* proved: after a reset no input shows a difference from the switch */
};

struct hd_mutants {
  struct hd_mutant_cell *cells;
  struct hd_mutant *list; /* sorted by cell */
  uint32_t n_cells, n_tables, n;
  uint32_t n_lines_known, n_lines_lent; /* cells with a line of their own; with a neighbour's */
  uint32_t n_equivalent;
  uint64_t collapsed; /* number of faults that are the same as another mutant */
};

/** Wires on which a mutant was found. */
enum hd_mutant_wire {
  HD_WIRE_VALID,
  HD_WIRE_KIND,
  HD_WIRE_VC,
  HD_WIRE_DATA,
  HD_WIRE_CREDIT,
  HD_WIRE_BARRIER,
  HD_WIRE_COUNT,
  HD_WIRE_QUIESCENT,
  HD_WIRE_REGISTER,
  HD_WIRES
};
const char *hd_mutant_wire_name(enum hd_mutant_wire wire);

struct hd_mutant_found {
  bool found;
  uint8_t wire;
  uint16_t port; /* 0xffff: the wire belongs to no port */
  /** Cycle of the run in which the difference is visible. Resets do not set it back to 0. */
  uint64_t cycle;
};

/* ── tapes: inputs of a switch, and outputs that it must show ──────────────── */

struct hd_mutant_tape;

/** Creates an empty tape for switches of `params`. */
struct hd_mutant_tape *hd_mutant_tape_create(const struct hd_switch_params *params);
void hd_mutant_tape_destroy(struct hd_mutant_tape *tape); /* NULL is fine */

/** Makes the tape stricter from here on than a backend is. Inputs that mean nothing get random
 *  values instead of 0: those of a flit that is not valid (§1.1), of a count (§10.8), of the
 *  configuration port without an access. Bits that are undefined at power-up are inverted if `seed`
 *  is odd. rdata_o must be 0 after a reset (§2.9). */
void hd_mutant_tape_noise(struct hd_mutant_tape *tape, uint64_t seed);

/** Declares that the switch is a user's router: its outputs are not compared from a reset to the
 * first cycle of the next window, except registers that are read; nor is quiescent_o before a
 * window. */
void hd_mutant_tape_foreign(struct hd_mutant_tape *tape);

/** Append operations on a DUT (bridge/dut.h) to the tape. Of a job, the tape gets the inputs, and
 *  expects the events in its outputs. HD_E_INPUT: events are out of order. */
void hd_mutant_tape_reset(struct hd_mutant_tape *tape);
void hd_mutant_tape_write(struct hd_mutant_tape *tape, uint32_t addr, uint16_t data);
void hd_mutant_tape_read(struct hd_mutant_tape *tape, uint32_t addr, uint16_t value);
int hd_mutant_tape_job(struct hd_mutant_tape *tape, const struct hd_dut_job *job,
                       struct hd_error *err);

/** Return the number of cycles of all windows; of all steps; and of the steps before the first
 *  window. */
uint64_t hd_mutant_tape_cycles(const struct hd_mutant_tape *tape);
uint64_t hd_mutant_tape_steps(const struct hd_mutant_tape *tape);
uint64_t hd_mutant_tape_lead(const struct hd_mutant_tape *tape);
/** Borrowed. */
const struct hd_switch_params *hd_mutant_tape_params(const struct hd_mutant_tape *tape);

/* ── all mutants of a switch ───────────────────────────────────────────────── */

struct hd_mutant_pool;

/** Makes a netlist and code of a switch of `params` whose mutants can be played. Options and errors
 *  are those of hd_backend_open. */
int hd_mutant_pool_open(struct hd_mutant_pool **pool, const struct hd_switch_params *params,
                        const struct hd_backend_options *options, struct hd_error *err);
void hd_mutant_pool_close(struct hd_mutant_pool *pool); /* NULL is fine */

/** Borrowed. */
const struct hd_mutants *hd_mutant_pool_mutants(const struct hd_mutant_pool *pool);
/** Appends what a cell computes, as an expression of nets that the RTL names, and the next such
 *  nets that depend on it (mutant_logic.h). One thread at a time may call this. */
void hd_mutant_pool_explain(const struct hd_mutant_pool *pool, uint32_t cell,
                            struct hd_text *computes, struct hd_text *goes_to);
/** Returns the number of mutants that are played at once. */
uint32_t hd_mutant_pool_lanes(const struct hd_mutant_pool *pool);

/** A bench on which mutants are played. Each thread needs its own. */
struct hd_mutant_pool_bench;
struct hd_mutant_pool_bench *hd_mutant_pool_bench_create(const struct hd_mutant_pool *pool);
void hd_mutant_pool_bench_destroy(struct hd_mutant_pool_bench *bench); /* NULL is fine */

/** Plays the first `steps` steps of a tape from power-up on n mutants, at most one for each lane.
 *  mutants[i] is a mutant's number; UINT32_MAX: the switch without a mutant. Sets found[i] for
 *  each. Ends when all are found. *done is the number of steps that were played. `stop` is called
 *  now and then, and may be NULL. HD_E_INTERRUPTED. */
int hd_mutant_pool_play(struct hd_mutant_pool_bench *bench, const struct hd_mutant_tape *tape,
                        uint64_t steps, const uint32_t *mutants, uint32_t n,
                        struct hd_mutant_found *found, uint64_t *done, bool (*stop)(void *context),
                        void *context, struct hd_error *err);

/** Returns a backend whose switches are all the same mutant (UINT32_MAX: none). Pass *options to
 *  its create. Destroy these switches before the bench plays a tape or gets another mutant. */
const struct hd_dut_ops *hd_mutant_pool_fabric(struct hd_mutant_pool_bench *bench, uint32_t mutant,
                                               const char **options);

/* ── equivalent mutants ────────────────────────────────────────────────────── */

/** Kinds of proof that after a reset no input shows a difference between a mutant and the switch:
 *  X(NAME, text). */
#define HD_PROOF_LIST(X)                        \
  X(NONE, "")                                   \
  X(STRUCTURE, "by structure")                  \
  X(STEP, "by induction: nothing ever differs") \
  X(UNSEEN, "by induction: nobody sees what differs")

enum hd_proof {
#define HD_PROOF_ENUM(NAME, text) HD_PROOF_##NAME,
  HD_PROOF_LIST(HD_PROOF_ENUM)
#undef HD_PROOF_ENUM
      HD_PROOFS
};
const char *hd_proof_text(enum hd_proof proof);

/** Creates a prover, which proves mutants equivalent by induction (prover.c). Borrows the pool. */
struct hd_prover;
struct hd_prover *hd_mutant_pool_prover(const struct hd_mutant_pool *pool);
void hd_prover_destroy(struct hd_prover *prover); /* NULL is fine */

/** Plays a tape on the switch without a mutant, and gives the prover samples of its registers:
 *  values that never occur together may exclude each other. Of long tapes, or of many tapes, only a
 *  part is used. */
void hd_mutant_pool_watch(struct hd_mutant_pool_bench *bench, const struct hd_mutant_tape *tape,
                          struct hd_prover *prover);

/** Guesses invariants from the samples, and proves them. Call it before the first mutant, and again
 *  after the last one, for guesses that proofs of mutants would need. `stop` is called now and
 *  then, and may be NULL. HD_E_INTERRUPTED. */
int hd_prover_learn_invariants(struct hd_prover *prover, bool (*stop)(void *context), void *context,
                               struct hd_error *err);
/** Returns the number of proved invariants. */
size_t hd_prover_invariants(const struct hd_prover *prover);

/** Tries to prove a mutant equivalent. Threads may call this at the same time. HD_PROOF_NONE: the
 *  mutant may be equivalent or not. *again: there is a proof if certain guesses are true, which
 *  hd_prover_learn_invariants will try to prove; if it proves any, try the mutant again. */
enum hd_proof hd_prover_prove_equivalent(struct hd_prover *prover, uint32_t mutant, bool *again,
                                         bool (*stop)(void *context), void *context);

#endif
