/* Lockstep of model and DUT over a whole fabric: decoupled, or in closed loop.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Decoupled: the model and the endpoint software run ahead for a window and record what
 * enters and must leave each switch. Then each DUT switch replays its window by itself and is
 * compared. Up to the first difference in any switch all inputs were right. So this difference
 * is the first divergence. Closed loop: the window is one cycle, and DUT outputs feed DUT
 * inputs.
 *
 * Instead of the model there can be an original: RTL that runs in closed loop, one cycle after the other, and
 * records what enters and leaves each of its switches. The rest is a decoupled run, and needs no model.
 *
 * Several locksteps can run side by side on one DUT that holds the switches of all: their windows
 * come to it in one call. Each has its own result, as if it were alone.
 */
#ifndef HD_LOCKSTEP_H
#define HD_LOCKSTEP_H

#include "../../cmodel/fabric/fabric.h"
#include "../../sw/user_code.h"
#include "../dut_extension.h"
#include "../watch/port_watch.h"
#include "lockstep_mode.h"

#include <pthread.h>
#include <stdatomic.h>

/** Callbacks that drive the fabric. Each may be NULL. */
struct hd_lockstep_hooks {
  void *context;
  /** Runs software in `cycle`; it hands packets over by hd_fabric_send. */
  int (*cycle_begin)(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err);
  /** Called after `cycle`, to read what was received in it. */
  int (*cycle_end)(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err);
  /** End of a cycle of the model. Called only where the fabric of cycle_end is not the model, because the DUT has
   *  another timing. */
  int (*model_cycle_end)(void *context, const struct hd_fabric *model, uint64_t cycle,
                         struct hd_error *err);
  /** Next cycle > now in which software acts by itself, UINT64_MAX for none. */
  uint64_t (*next_cycle)(void *context);
  /** Software has ended; the run ends when the fabric is idle, too. */
  bool (*finished)(void *context);
  /** Tests whether everything that is wanted has been seen. Then the run ends before this cycle,
   *  even with packets under way. Not asked in runs that drain. */
  bool (*over)(void *context, uint64_t cycle);
  /** Reports a window in which DUT and model agreed, in order of time; `cycles` of it count (the
   *  cycles before a divergence). Its outputs are the DUT's; with a timing of its own their packets
   *  have no numbers. If `cycles` is less than the window's, the run ends as a divergence, whatever
   *  is returned. */
  int (*window_agreed)(void *context, const struct hd_record *record, uint32_t cycles,
                       struct hd_error *err);
  /** Asked once a window: true stops the run (HD_E_INTERRUPTED). */
  bool (*stop)(void *context, uint64_t cycle);
};

struct hd_lockstep_params {
  const struct hd_fabric_params *fabric; /* external_switches is ignored */
  const struct hd_topology *topology;
  const struct hd_tables *tables;
  const struct hd_dut_ops *dut; /* NULL: model alone, nothing compared */
  const char *dut_options;
  const struct hd_dut_ops
      *original; /* the reference, in a decoupled run that compares exactly; NULL: the model is */
  const char *original_options;
  enum hd_mode mode;
  enum hd_compare compare;
  uint32_t window_cycles;
  uint32_t threads;
  bool
      sample_quiescence; /* evaluate every cycle of an eighth of all windows, at least one: quiescent_o is not proved */
  uint64_t seed; /* chooses these windows */
  bool coverage; /* the model counts what it comes by of the specification; costs it a fifth */
  uint64_t watchdog_cycles;
  bool rules; /* the rules at ports (§6.7) are watched */
  enum hd_port_order
      order; /* the order that switches keep; HD_ORDER_USUAL: channels in exact comparison, otherwise flows, or none where packets may choose among ports */
  enum hd_port_routes routes;       /* ways that rule P7 allows */
  bool is_network;                  /* the one switch is a whole network (§6.8), and */
  const struct hd_topology *inside; /* topology inside the switch, borrowed; NULL: not known */
  uint32_t held_cycles;             /* limit of rule P14; 0: HD_HELD_CYCLES */
  uint32_t
      used_cycles; /* switches are full of packets when the run's reset comes; 0: they are new */
  uint32_t
      history_cycles; /* how far back hd_lockstep_replay_from can go; 0: as far as is kept in any case */
  struct hd_user_code *user_code; /* notes the threads' calls of the DUT; may be NULL */
  /** The thread that makes and runs the lockstep holds it, except while it does nothing but wait for calls of
   *  the DUT. A supervisor that takes it then may read everything. If it changes anything, it must not release
   *  it again. May be NULL. */
  pthread_mutex_t *turn;
  uint64_t
      until; /* the run ends before this cycle, even if packets are under way; 0: no such cycle */
  struct hd_lockstep_hooks hooks;
};

/* Differences between reference and DUT: X(NAME, name, sentence). */
#define HD_DIFFERENCE_LIST(X)                                                      \
  X(NONE, "none", "nothing differs")                                               \
  X(FLIT, "flit", "output flits differ")                                           \
  X(CREDIT, "credit", "returned credits differ")                                   \
  X(QUIESCENT, "quiescent", "quiescent_o differs")                                 \
  X(ERRORS, "errors", "error registers differ")                                    \
  X(PACKET, "packet", "received packets differ")                                   \
  X(BARRIER, "barrier message", "barrier messages of a node differ")               \
  X(UNKNOWN, "unknown", "an output is unknown")         /* X or Z, §6.6 */        \
  X(NOT_RESET, "not reset", "a register was not reset") /* a named state, §6.6 */ \
  X(LOST, "lost", "a packet was never received")        /* §6.2 */                \
  X(ASSERTION, "assertion", "an assertion of the RTL failed")                      \
  X(REGISTER, "register", "a register reads differently") /* §3.3, §8.6 */       \
  X(RULE, "rule", "a rule at ports is broken")            /* §6.7; names are those of the rules */

enum hd_difference {
#define HD_DIFFERENCE_ENUM(NAME, name, sentence) HD_DIFF_##NAME,
  HD_DIFFERENCE_LIST(HD_DIFFERENCE_ENUM)
#undef HD_DIFFERENCE_ENUM
};
#define HD_DIFFERENCE_ONE(...) +1
enum { HD_DIFFERENCES = HD_DIFFERENCE_LIST(HD_DIFFERENCE_ONE) };
#undef HD_DIFFERENCE_ONE

/** Names of a difference: "flit", in reports and the run database, and "output flits differ".
 *  Static storage. */
const char *hd_difference_name(enum hd_difference difference);
const char *hd_difference_sentence(enum hd_difference difference);

/** A packet that the model has delivered and the DUT has not. */
struct hd_lost {
  uint32_t source, destination, flits, sent; /* sent: flits that have left the source */
  uint32_t inside; /* packets to this destination that entered the switch and did not leave it; 0:
                      not known */
  uint64_t last;   /* cycle in which the last of them entered */
};

/** The first divergence: the lowest cycle, then the lowest switch. Events' cycles are
 *  absolute in `cycle`; a kind of 0xff in a flit event means that there is none. */
struct hd_divergence {
  bool inside; /* HD_DIFF_RULE: `sw` is a switch inside of the network (§6.8) */
  enum hd_difference difference;
  enum hd_reference reference; /* the side whose answer was expected */
  uint64_t cycle;              /* cycle in which the difference is visible */
  uint32_t sw;
  uint8_t port, vc; /* 0xff: of no port, of no channel */
  bool has_expected, has_got;
  struct hd_flit_event expected,
      got; /* HD_DIFF_FLIT, and HD_DIFF_BARRIER, whose message is in `data` */
  struct hd_credit_event expected_credit, got_credit; /* HD_DIFF_CREDIT */
  bool expected_quiescent, got_quiescent;
  uint16_t expected_errors, got_errors; /* HD_DIFF_REGISTER, too: of the register at `address` */
  uint32_t address;
  uint32_t packet;               /* packet number by the model, HD_PACKET_NONE, HD_PACKET_MADE */
  struct hd_dut_unknown unknown; /* HD_DIFF_UNKNOWN, HD_DIFF_NOT_RESET: what, where; cycle unused */
  struct hd_lost lost;           /* HD_DIFF_LOST; sw and port are where it was last seen */
  char assertion[120];           /* HD_DIFF_ASSERTION: file:line, and its message */
  struct hd_port_break
      broken; /* HD_DIFF_RULE, or beside an exact difference in its cycle; rule: HD_PORT_NONE */
  bool
      four_state_only; /* with 0 for every X and Z the switch agrees with its model: only four-state
                           runs show the difference (§6.6) */
};

struct hd_lockstep_result {
  uint64_t cycles;           /* cycles simulated */
  uint64_t drain_cycles;     /* cycles after software had ended (§6.2) */
  uint64_t rest_cycles;      /* the last of these, after all packets had arrived */
  uint64_t cycles_compared;  /* cycles in which model and DUT agreed in every switch */
  uint64_t switch_cycles;    /* cycles_compared × switches */
  uint64_t evaluated_cycles; /* switch-cycles that the DUT evaluated */
  uint64_t sampled_cycles;   /* switch-cycles of the windows that sample_quiescence chose */
  uint64_t events_compared;
  uint64_t traffic_compared;   /* flits and credits among them */
  uint64_t digest;             /* §6.4, over the DUT's outputs (model's, without DUT) */
  struct hd_port_counts ports; /* rules at ports; 0 without params.rules */
  struct hd_divergence divergence;
  char original_fault[200]; /* ended the run and tells nothing of the DUT; "": none */
  uint64_t original_cycles; /* cycles of the original before its fault */
  char way[800];            /* of the packet that broke a rule (hd_port_watch_way); "": not known */
  char circle
      [2000]; /* HD_E_DEADLOCK: channels that wait for each other (rule P16), as lines; "": none are known */
};

struct hd_lockstep;
int hd_lockstep_create(struct hd_lockstep **lockstep, const struct hd_lockstep_params *params,
                       struct hd_error *err);
/** Creates `n` locksteps that share one DUT. The last of them to be destroyed destroys the DUT. They have backend,
 *  options, switch parameters, window and threads in common, and are decoupled. The DUT has HD_DUT_BATCH. All or
 *  none are made. */
int hd_lockstep_create_together(struct hd_lockstep *locksteps[],
                                const struct hd_lockstep_params params[], uint32_t n,
                                struct hd_error *err);
void hd_lockstep_destroy(struct hd_lockstep *lockstep);

/** Runs until `cycles` are done, software has finished and the fabric is idle, the first
 *  divergence (HD_E_DIVERGENCE), the watchdog (HD_E_DEADLOCK), a stop (HD_E_INTERRUPTED) or
 *  an error. If it compares by order or packets, software is stopped after `cycles`, and the run goes on
 *  until all packets under way have arrived, or nothing moves any more. The result is always
 *  filled in. */
int hd_lockstep_run(struct hd_lockstep *lockstep, uint64_t cycles,
                    struct hd_lockstep_result *result, struct hd_error *err);

/** One of several locksteps that run side by side. */
struct hd_lockstep_turn {
  struct hd_lockstep *lockstep;
  uint64_t cycles;
  struct hd_lockstep_result *result;
  int status; /* result of hd_lockstep_run, with `err` */
  struct hd_error err;
};
/** hd_lockstep_run of all locksteps that were created together, or of one: in each round all that have not ended
 *  run a window, in one call of the DUT. One that ends does not end the others; a DUT that fails ends all. */
void hd_lockstep_run_together(struct hd_lockstep_turn turns[], uint32_t n);

/** Gives up a run whose DUT does not return from a call. The caller holds `turn`. Fills in the
 *  result so far, and never calls the DUT again. */
void hd_lockstep_abandon(struct hd_lockstep *lockstep);

/** Asks a call of the DUT that is under way to return, if the DUT can be asked. The caller holds
 *  `turn`. */
void hd_lockstep_interrupt(struct hd_lockstep *lockstep);

/** Takes the oldest line that the DUT has for users (hd_dut_extension.news). The caller holds
 *  `turn`. False: there is none. */
bool hd_lockstep_news(struct hd_lockstep *lockstep, char *line, size_t size);

/** Name of the divergence: "flit", "unknown", "four-state credit", …; static storage. */
const char *hd_divergence_name(const struct hd_divergence *divergence);

/** The fabric that software talks to. */
struct hd_fabric *hd_lockstep_fabric(struct hd_lockstep *lockstep);

/** Tests whether nothing is under way in that fabric and, as far as can be seen from outside, in
 *  the switches of an original. */
bool hd_lockstep_is_idle(const struct hd_lockstep *lockstep);

/** The points of the specification that the model passed. The model is ahead of what was compared
 *  if the run did not pass. NULL without params.coverage. */
const struct hd_coverage *hd_lockstep_coverage(const struct hd_lockstep *lockstep);

/** hd_fabric_blocked of the model, which may be ahead, too. NULL also if the DUT has its own
 *  timing. */
const uint64_t *hd_lockstep_blocked(const struct hd_lockstep *lockstep);

/** Fills in the DUT's own counters; returns how many, 0 without DUT. */
uint32_t hd_lockstep_dut_counters(struct hd_lockstep *lockstep,
                                  struct hd_dut_counter counters[HD_DUT_COUNTERS]);

/** Makes the DUT write what it counted of its RTL (hd_dut_extension.coverage_write).
 *  HD_E_UNSUPPORTED without HD_DUT_COVERAGE, or if the DUT was given up. */
int hd_lockstep_write_coverage(struct hd_lockstep *lockstep, const char *path,
                               struct hd_error *err);

/** Files of waves (FST) that a replay writes, as far as the backends have any; NULL: none. */
struct hd_replay_waves {
  const char *dut, *original;
};

/** After a divergence: replays its switch from a snapshot. The replay begins `before` cycles before the
 *  divergence, or as far back as windows are kept. It ends `after` cycles after it, or at the window's end. Waves are
 *  written to the files of `waves` (NULL: no files). In each cycle `look` is called with the model's state at the cycle's
 *  start and the port events of both sides. Without `waves` the replay goes on after the window's end, until
 *  all flits are visible that were granted in the window; after the end only flits are valid.
 *  The inputs are those of the DUT; where that has a timing of its own, the model gets others in the same cycle.
 *  HD_E_UNSUPPORTED without snapshots. HD_E_INPUT: none of these cycles is kept any more, as where by order a difference
 *  is found long after its cycle. */
struct hd_replay_cycle {
  uint64_t cycle; /* all events below are in this cycle; their own `cycle` is 0 */
  const struct hd_switch_view
      *model;     /* state at the cycle's start; NULL: the reference is an original, whose
                                         events stand as the model's */
  uint32_t front; /* HD_DIFF_CREDIT: packet at the front of the divergent channel in the model, or
                     HD_PACKET_NONE */
  bool has_dut;   /* false: the DUT cannot be replayed, its events are not known */
  bool
      alone; /* the DUT is a whole network, beside which nothing runs: its events stand as the model's, too */
  bool model_quiescent, dut_quiescent;
  const struct hd_flit_event *flits_in, *model_flits, *dut_flits; /* visible in this cycle */
  const struct hd_credit_event *credits_in, *model_credits, *dut_credits;
  const struct hd_config_event *config; /* configuration of this cycle; NULL: none */
  uint32_t n_flits_in, n_model_flits, n_dut_flits, n_credits_in, n_model_credits, n_dut_credits;
};
int hd_lockstep_replay(struct hd_lockstep *lockstep, uint32_t before, uint32_t after,
                       const struct hd_replay_waves *waves,
                       int (*look)(void *context, const struct hd_replay_cycle *cycle),
                       void *context, struct hd_error *err);

/** Tests whether the rules are watched at switches inside the network. */
bool hd_lockstep_watches_inside(const struct hd_lockstep *lockstep);

/** The last cycle that a replay can show, after any run. */
uint64_t hd_lockstep_last(const struct hd_lockstep *lockstep);

/** Replays any switch, after any run: cycles `from` to `to`, as far as they were simulated and are kept.
 *  HD_E_INPUT if none of them is. */
int hd_lockstep_replay_from(struct hd_lockstep *lockstep, uint32_t sw, uint64_t from, uint64_t to,
                            const struct hd_replay_waves *waves,
                            int (*look)(void *context, const struct hd_replay_cycle *cycle),
                            void *context, struct hd_error *err);

#endif
