/* Lockstep of model and DUT over a whole fabric: decoupled, or in closed loop.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Decoupled: the model and the endpoint software run ahead for a window and record what
 * enters and must leave each switch. Then each DUT switch replays its window by itself and is
 * compared. Up to the first difference in any switch all inputs were right. So this difference
 * is the first divergence. Closed loop: the window is one cycle, and DUT outputs feed DUT
 * inputs.
 *
 * An original can replace the model: RTL that runs in closed loop, cycle by cycle, and records what
 * enters and leaves each of its switches. The DUT then replays that record, as in a decoupled run.
 *
 * Several locksteps can run side by side on one DUT, which holds the switches of all. One call then
 * gives it their windows. Each has its own result, as if it were alone.
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
  /** Runs software in `cycle`. Software sends packets by hd_fabric_send. */
  int (*cycle_begin)(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err);
  /** Called after `cycle`, to read the packets received in it. */
  int (*cycle_end)(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err);
  /** Called at the end of a cycle of the model. Used only if cycle_end gets another fabric,
   *  because the DUT has its own timing. */
  int (*model_cycle_end)(void *context, const struct hd_fabric *model, uint64_t cycle,
                         struct hd_error *err);
  /** Next cycle in which software acts by itself; the current one or an earlier one: now.
   *  UINT64_MAX: none. */
  uint64_t (*next_cycle)(void *context);
  /** True if software has ended. The run ends when the fabric is idle, too. */
  bool (*finished)(void *context);
  /** True if everything that matters has been seen. The run then ends before this cycle, even
   *  with packets under way. Called only in exact comparison. */
  bool (*over)(void *context, uint64_t cycle);
  /** Called for each window in which DUT and reference agreed, in order of time. Only the first
   *  `cycles` of it count, the cycles before a divergence. The outputs are the DUT's, or the
   *  model's without a DUT. If the DUT has its own timing, only its flits are there, without
   *  numbers of packets. If `cycles` is less than the window's, the run ends as a divergence,
   *  whatever the function returns. */
  int (*window_agreed)(void *context, const struct hd_record *record, uint32_t cycles,
                       struct hd_error *err);
  /** Called once a window; in closed loop, in every 256th cycle. True stops the run
   *  (HD_E_INTERRUPTED). */
  bool (*stop)(void *context, uint64_t cycle);
};

struct hd_lockstep_params {
  const struct hd_fabric_params *fabric; /* external_switches is ignored */
  const struct hd_topology *topology;
  const struct hd_tables *tables;
  const struct hd_dut_ops *dut; /* NULL: the model runs alone and nothing is compared */
  const char *dut_options;
  /* the reference in a decoupled, exact run; NULL: the model */
  const struct hd_dut_ops *original;
  const char *original_options;
  enum hd_mode mode;
  enum hd_compare compare;
  uint32_t window_cycles; /* 1 … 4096 */
  uint32_t threads;       /* 1 … HD_USER_THREADS */
  /* the DUT evaluates every cycle in an eighth of all windows, at least in one, because no proof
   * says that quiescent_o is right */
  bool sample_quiescence;
  uint64_t seed; /* selects these windows */
  /* the model counts the points of the specification that it passes; this costs a fifth of its
   * speed */
  bool coverage;
  uint64_t watchdog_cycles; /* limit without a flit's movement, before HD_E_DEADLOCK; 0: none */
  bool rules;               /* check the rules at ports (§6.7) */
  /* order that switches keep. HD_ORDER_USUAL: channels in exact comparison with the model;
   * otherwise flows, or none if packets may choose among ports */
  enum hd_port_order order;
  enum hd_port_routes routes;       /* routes that rule P7 allows */
  bool is_network;                  /* the one switch is a whole network (§6.8) */
  const struct hd_topology *inside; /* topology inside the network, borrowed; NULL: not known */
  uint32_t held_cycles;             /* limit of rule P14; 0: the watch's default (port_watch.h) */
  /* before the run's reset, each switch gets packets for a random number of cycles, at most this
   * many (§2.9); 0: no packets */
  uint32_t used_cycles;
  /* cycles that hd_lockstep_replay_from can go back; 0: as many as are kept anyway */
  uint32_t history_cycles;
  struct hd_user_code *user_code; /* notes the calls of the DUT under way; may be NULL */
  /** A mutex. The thread that makes and runs the lockstep holds it, except while it only waits
   *  for calls of the DUT. A supervisor that locks it may read everything. If the supervisor
   *  changes anything, it must never unlock it. May be NULL. */
  pthread_mutex_t *turn;
  /* the run ends before this cycle, even with packets under way; 0: no limit */
  uint64_t until;
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

/** Names of a difference: "flit" for reports and the run database; "output flits differ" as a
 *  sentence. Static storage. */
const char *hd_difference_name(enum hd_difference difference);
const char *hd_difference_sentence(enum hd_difference difference);

/** A packet that was sent and that the DUT has not delivered. */
struct hd_lost {
  uint32_t source, destination, flits, sent; /* sent: flits that have left the source */
  /* packets to this destination that entered the switch and did not leave it; 0: not known */
  uint32_t inside;
  uint64_t last; /* cycle in which the last of these packets entered */
};

/** The first divergence: lowest cycle, then earliest start (broken.since), then lowest switch.
 *  `cycle` counts from the run's start. The `cycle` of the events below counts from the start of
 *  their window. A flit event of kind 0xff stands for no event. */
struct hd_divergence {
  bool inside; /* HD_DIFF_RULE: `sw` is a switch inside of the network (§6.8) */
  enum hd_difference difference;
  enum hd_reference reference; /* the side whose answer was expected */
  uint64_t cycle;              /* cycle in which the difference is visible */
  uint32_t sw;
  /* 0xff: the difference has no port, or no channel. With HD_DIFF_CREDIT, vc can be
   * HD_BARRIER_CREDIT or HD_COUNT_WIRES */
  uint8_t port, vc;
  bool has_expected, has_got;
  /* with HD_DIFF_FLIT. HD_DIFF_BARRIER: the message is in `data`. HD_DIFF_PACKET, HD_DIFF_LOST:
   * the packet's header is in `data`. HD_DIFF_RULE: `got` is the flit that broke the rule */
  struct hd_flit_event expected, got;
  struct hd_credit_event expected_credit, got_credit; /* with HD_DIFF_CREDIT */
  bool expected_quiescent, got_quiescent;
  /* with HD_DIFF_ERRORS and HD_DIFF_REGISTER: values of the register at `address` */
  uint16_t expected_errors, got_errors;
  uint32_t address;
  uint32_t packet; /* number in the fabric; or HD_PACKET_NONE, HD_PACKET_MADE */
  /* with HD_DIFF_UNKNOWN, HD_DIFF_NOT_RESET: which bit; its `cycle` is not used */
  struct hd_dut_unknown unknown;
  /* with HD_DIFF_LOST; sw and port say where the packet was last seen */
  struct hd_lost lost;
  char assertion[120]; /* with HD_DIFF_ASSERTION: file:line and message */
  /* with HD_DIFF_RULE, in addition to an exact difference of the same cycle, or with
   * HD_E_DEADLOCK (P16); rule HD_PORT_NONE: none */
  struct hd_port_break broken;
  /* the switch agrees with its model if each X and Z is 0, so only four-state runs show the
   * difference (§6.6) */
  bool four_state_only;
};

struct hd_lockstep_result {
  uint64_t cycles;           /* simulated cycles */
  uint64_t drain_cycles;     /* cycles after software had ended (§6.2) */
  uint64_t rest_cycles;      /* the last of the drain cycles, after all packets had arrived */
  uint64_t cycles_compared;  /* cycles in which reference and DUT agreed in every switch */
  uint64_t switch_cycles;    /* cycles_compared × switches */
  uint64_t evaluated_cycles; /* switch-cycles that the DUT evaluated */
  uint64_t sampled_cycles;   /* switch-cycles of the windows that sample_quiescence chose */
  uint64_t events_compared;  /* flits, credits and changes of quiescent_o */
  uint64_t traffic_compared; /* flits and credits that were compared */
  /* §6.4: digest of the DUT's outputs, or of the model's without a DUT */
  uint64_t digest;
  struct hd_port_counts ports; /* counts of the rules at ports; 0 without params.rules */
  struct hd_divergence divergence;
  /* an error of the original that ended the run; it says nothing about the DUT; "": none */
  char original_fault[200];
  uint64_t original_cycles; /* cycles of the original before its fault */
  /* way of the packet that broke a rule (hd_port_watch_way); "": not known */
  char way[800];
  /* HD_E_DEADLOCK: channels that wait for each other (rule P16), one a line; "": not known */
  char circle[2000];
};

struct hd_lockstep;
/** Creates a lockstep: resets and configures the DUT, if there is one. Copies params.fabric.
 *  Borrows all else that params points to until hd_lockstep_destroy. HD_E_INPUT: the parameters
 *  do not fit together; HD_E_NOMEM; an error of the backend. After an error *lockstep is NULL. */
int hd_lockstep_create(struct hd_lockstep **lockstep, const struct hd_lockstep_params *params,
                       struct hd_error *err);
/** Creates `n` locksteps that share one DUT: all of them, or none after an error. Destroying the
 *  last one destroys the DUT. Backend, options, switch parameters, window and threads must be
 *  equal. The runs must be decoupled and the DUT must have HD_DUT_BATCH. */
int hd_lockstep_create_together(struct hd_lockstep *locksteps[],
                                const struct hd_lockstep_params params[], uint32_t n,
                                struct hd_error *err);
void hd_lockstep_destroy(struct hd_lockstep *lockstep); /* NULL is allowed */

/** Runs until one of these happens: `cycles` are done; software has finished and the fabric is
 *  idle; the first divergence (HD_E_DIVERGENCE); the watchdog ends it (HD_E_DEADLOCK); a stop
 *  (HD_E_INTERRUPTED); an error. In comparison by order or packets, software stops after
 *  `cycles`. The run then goes on until all packets have arrived or nothing moves any more. The
 *  result is always filled in. */
int hd_lockstep_run(struct hd_lockstep *lockstep, uint64_t cycles,
                    struct hd_lockstep_result *result, struct hd_error *err);

/** One of several locksteps that run side by side. */
struct hd_lockstep_turn {
  struct hd_lockstep *lockstep;
  uint64_t cycles;
  struct hd_lockstep_result *result;
  int status; /* status of hd_lockstep_run, with `err` */
  struct hd_error err;
};
/** Does hd_lockstep_run for all locksteps that were created together, or for one. In each round,
 *  every lockstep that has not ended runs a window, all in one call of the DUT. If one ends, the
 *  others go on. If the DUT fails, all end. */
void hd_lockstep_run_together(struct hd_lockstep_turn turns[], uint32_t n);

/** Ends a run whose DUT does not return from a call. The caller holds `turn`. Fills in the
 *  result so far. hd_lockstep_dut_counters and hd_lockstep_write_coverage do not call the DUT any
 *  more. The caller must not replay or destroy the lockstep. */
void hd_lockstep_abandon(struct hd_lockstep *lockstep);

/** Asks a running call of the DUT to return, if the DUT supports that. The caller holds `turn`. */
void hd_lockstep_interrupt(struct hd_lockstep *lockstep);

/** Copies the DUT's oldest message for users (hd_dut_extension.news) and removes it. The caller
 *  holds `turn`. False: there is none. */
bool hd_lockstep_news(struct hd_lockstep *lockstep, char *line, size_t size);

/** Name of the divergence: "flit", "unknown", "four-state credit", …; static storage. */
const char *hd_divergence_name(const struct hd_divergence *divergence);

/** The fabric that software uses. */
struct hd_fabric *hd_lockstep_fabric(struct hd_lockstep *lockstep);

/** Tests whether nothing is under way in the fabric that software uses. With an original this
 *  includes its switches, as far as their ports show it. */
bool hd_lockstep_is_idle(const struct hd_lockstep *lockstep);

/** The points of the specification that the model passed. If the run failed, the model may be
 *  ahead of what was compared. NULL without params.coverage. */
const struct hd_coverage *hd_lockstep_coverage(const struct hd_lockstep *lockstep);

/** hd_fabric_blocked of the model. The model may be ahead here, too. NULL also if the DUT has
 *  its own timing. */
const uint64_t *hd_lockstep_blocked(const struct hd_lockstep *lockstep);

/** Fills in the DUT's own counters. Returns their number, 0 without a DUT or if the DUT was
 *  abandoned. */
uint32_t hd_lockstep_dut_counters(struct hd_lockstep *lockstep,
                                  struct hd_dut_counter counters[HD_DUT_COUNTERS]);

/** Makes the DUT write its counts of executed RTL (hd_dut_extension.coverage_write).
 *  HD_E_UNSUPPORTED without HD_DUT_COVERAGE, or if the DUT was abandoned. */
int hd_lockstep_write_coverage(struct hd_lockstep *lockstep, const char *path,
                               struct hd_error *err);

/** Wave files (FST) that a replay writes, if the backends can; NULL: no file. */
struct hd_replay_waves {
  const char *dut, *original;
};

/** One cycle of a replay. All pointers are borrowed until `look` returns. */
struct hd_replay_cycle {
  uint64_t cycle; /* all events below are in this cycle; their own `cycle` is 0 */
  /* state at the cycle's start; NULL: there is no model. The reference is then an original, whose
   * events are in model_flits and the like, or `alone` is set */
  const struct hd_switch_view *model;
  /* with HD_DIFF_CREDIT: the model's packet at the front of the divergent channel, or
   * HD_PACKET_NONE */
  uint32_t front;
  bool has_dut; /* false: the DUT cannot be replayed, so its events are not known */
  /* the DUT is a whole network and has no model: model_flits and the like hold its own events,
   * too */
  bool alone;
  bool model_quiescent, dut_quiescent;
  const struct hd_flit_event *flits_in, *model_flits, *dut_flits; /* events visible in this cycle */
  const struct hd_credit_event *credits_in, *model_credits, *dut_credits;
  const struct hd_config_event *config; /* configuration write of this cycle; NULL: none */
  uint32_t n_flits_in, n_model_flits, n_dut_flits, n_credits_in, n_model_credits, n_dut_credits;
};

/** Replays the switch of a divergence from a snapshot. The replay begins `before` cycles before
 *  the divergence, or at the oldest kept cycle. It ends `after` cycles after it, or at the
 *  window's end. It writes waves to the files of `waves` (NULL: none). It calls `look` (may be
 *  NULL) for each cycle, with the model's state at the cycle's start and both sides' port events;
 *  an error that `look` returns ends the replay. Without `waves` it goes on after the window's end
 *  until all flits granted in the window are visible; in these cycles only flits are valid. The
 *  inputs are those of the DUT. In closed loop the model gets its own inputs of the same cycle.
 *  Without snapshots of the DUT only the reference is shown (has_dut is false). HD_E_UNSUPPORTED:
 *  nothing was run or nothing diverged, or a whole network or an original has no snapshots.
 *  HD_E_INPUT: no cycle is kept any more; comparison by order may find a difference long after
 *  its cycle. */
int hd_lockstep_replay(struct hd_lockstep *lockstep, uint32_t before, uint32_t after,
                       const struct hd_replay_waves *waves,
                       int (*look)(void *context, const struct hd_replay_cycle *cycle),
                       void *context, struct hd_error *err);

/** Tests whether the run checks rules at the switches inside of a network (§6.8). */
bool hd_lockstep_watches_inside(const struct hd_lockstep *lockstep);

/** The last cycle that a replay can show. Works after any run. */
uint64_t hd_lockstep_last(const struct hd_lockstep *lockstep);

/** Replays any switch, after any run: the cycles from `from` to `to` that were simulated and are
 *  kept. Otherwise as hd_lockstep_replay. HD_E_INPUT: there is no such switch, or none of these
 *  cycles was simulated and is kept. */
int hd_lockstep_replay_from(struct hd_lockstep *lockstep, uint32_t sw, uint64_t from, uint64_t to,
                            const struct hd_replay_waves *waves,
                            int (*look)(void *context, const struct hd_replay_cycle *cycle),
                            void *context, struct hd_error *err);

#endif
