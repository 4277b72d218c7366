/* Windows, history, workers, comparisons. Private to bridge/lockstep/.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LOCKSTEP_INTERNAL_H
#define HD_LOCKSTEP_INTERNAL_H

#include "lockstep.h"

#include <pthread.h>
#include <stdatomic.h>

/** A read of the configuration port, and the value it returns. */
struct hd_register_read {
  uint32_t sw, address;
  uint16_t value;
};
enum { HD_READS_OF_WINDOW = 64 };

/** A window on its way from the reference to the DUT. */
struct window {
  struct hd_record record;
  unsigned char *blocks;          /* if `epoch`: the model's switches at its start, or … */
  struct hd_dut_buffer *original; /* [n_switches] … the original's switches at its start */
  /* registers of the reference, read at the window's end */
  struct hd_register_read reads[HD_READS_OF_WINDOW];
  uint32_t n_reads;
  bool epoch; /* a new epoch of the history starts here */
  bool last;  /* the run ends with this window */
};

/** A switch's inputs since an epoch began. Cycles of events count from the epoch's start. */
struct switch_history {
  struct hd_flit_event *flits;
  uint32_t *tags; /* packet number of each flit; HD_PACKET_NONE after the DUT in closed loop */
  struct hd_credit_event *credits;
  struct hd_config_event *configs;
  uint32_t n_flits, n_credits, n_configs;
  size_t cap_flits, cap_credits, cap_configs;
  struct hd_dut_buffer dut; /* the DUT switch's state at the start */
};

/** The state from which any switch can be replayed: a snapshot and the inputs since. */
struct epoch {
  bool valid;
  uint64_t start, end;
  unsigned char *blocks;          /* the model's switches at the start, or … */
  struct hd_dut_buffer *original; /* [n_switches] … the original's switches at the start */
  struct switch_history *switches;
  /* Inputs of the model's switches. Their order differs in closed loop, and their cycles differ
   * if the DUT has its own timing. Otherwise this points to `switches`. */
  struct switch_history *models;
};

/** One thread that runs jobs, hd_lockstep.at_once of them in a call. */
struct worker {
  /* asked: copies of the jobs before the call, which show if a backend changed its inputs */
  struct hd_dut_job *jobs, *asked;
  struct hd_dut_expected *expected;
  struct hd_dut_unknown *unknown;
  struct hd_flit_event *flits; /* [at_once × (window_cycles + 1) × ports] */
  struct hd_credit_event *credits;
  uint32_t *toggles;          /* [at_once × (window_cycles + 1)] */
  struct hd_divergence first; /* the window's first difference */
  uint64_t events, traffic, evaluated, sampled;
  int status;
  struct hd_error err;
};

/** Threads that take tasks 0 … n−1 from a common counter. */
struct pool {
  pthread_t *threads;
  uint32_t n_threads; /* without the caller's thread */
  pthread_mutex_t lock;
  pthread_cond_t start, done;
  uint64_t generation;
  uint32_t running;
  bool quit;
  _Atomic uint32_t next;
  uint32_t n_tasks;
  void (*task)(void *context, uint32_t task, uint32_t worker);
  void *context;
};
int hd_pool_start(struct pool *pool, uint32_t threads, struct hd_error *err);
/** Lets the threads start. In hd_pool_finish the caller helps and waits for all. */
void hd_pool_begin(struct pool *pool, uint32_t n_tasks,
                   void (*task)(void *context, uint32_t task, uint32_t worker), void *context);
void hd_pool_finish(struct pool *pool);
void hd_pool_stop(struct pool *pool);

/** The DUT, and state that the locksteps on it share. */
struct shared {
  struct hd_dut *dut;
  uint32_t users;      /* locksteps that are not yet destroyed */
  uint32_t n_switches; /* switches of all runs together */
  struct pool pool;
  struct hd_dut_job *jobs, *asked; /* [n_switches]; NULL: only one lockstep */
  struct hd_lockstep **tested;     /* [n_tested]: runs whose windows are tested now */
  uint32_t n_tested;
};

/** State of a decoupled run between two windows. */
struct round {
  struct window *ahead, *tested; /* ahead: NULL if the model has ended */
  int model_status, next_status; /* statuses of the tested window, and of the one ahead */
  struct hd_error model_err;     /* error of the window ahead */
  bool last, test;
  /* the tested window was concluded before the model ran ahead; the result is in the next
   * members */
  bool concluded;
  int tested_status;
  struct hd_error tested_err;
  bool epoch; /* an epoch begins with the model's next window */
};

/** Places at which a comparison looks for events that only one side showed: nodes, or all
 *  places. */
enum rest_place { HD_REST_NODES, HD_REST_ANYWHERE };

/** A comparison of the DUT's outputs with the expected ones (specification §6.2). Its state is
 *  in hd_lockstep. Functions may be NULL. */
struct comparator {
  /** Tests whether a run needs this comparison. NULL: every run whose list has it. */
  bool (*is_needed)(const struct hd_lockstep *ls);
  int (*create)(struct hd_lockstep *ls, struct hd_error *err);
  void (*destroy)(struct hd_lockstep *ls);
  /** Judges a switch's window, in any thread. `shown` are the outputs of the DUT's switch. Keeps
   *  the earliest difference in *first. HD_E_NOMEM. */
  int (*window)(struct hd_lockstep *ls, const struct hd_dut_job *job,
                const struct hd_dut_expected *shown, struct hd_divergence *first);
  /** Closed loop: judges a cycle that has ended on both sides. HD_E_NOMEM. */
  int (*cycle)(struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *first);
  /** Keeps in *first the earliest event that only one side showed, in cycle `since` or later.
   *  `sides`: bit 0 the model, bit 1 the DUT. */
  void (*rest)(const struct hd_lockstep *ls, unsigned sides, uint64_t since,
               struct hd_divergence *first);
  enum rest_place rest_place;
};
enum { HD_COMPARATORS = 8, HD_BOTH_SIDES = 3, HD_MODEL_SIDE = 1, HD_DUT_SIDE = 2 };
extern const struct comparator hd_compare_unknown; /* X and Z (§6.6): lockstep_four_state.c */
extern const struct comparator
    hd_compare_exactly;                          /* every event in its cycle: lockstep_compare.c */
extern const struct comparator hd_compare_rules; /* rules at ports (§6.7): lockstep_rules.c */
extern const struct comparator
    hd_compare_inside; /* rules at ports inside a network (§6.8): lockstep_inside.c */
extern const struct comparator hd_compare_order; /* flits by port and channel: lockstep_order.c */
extern const struct comparator hd_compare_messages; /* barrier messages by node: lockstep_order.c */
extern const struct comparator
    hd_compare_coder_packets; /* packets of coders by node (§11.13): coder_packets.c */
extern const struct comparator hd_compare_arrivals; /* packets nobody sent: packet_tracker.c */
extern const struct comparator hd_compare_losses; /* packets that never arrive: packet_tracker.c */

struct hd_lockstep {
  struct hd_lockstep_params params;
  struct hd_fabric_params fabric_params;
  uint32_t n_switches;
  uint32_t longest_link_cycles; /* longest of all links, in cycles */
  /* software stops at this cycle; in exact comparison the run ends here at the latest */
  uint64_t limit;
  struct hd_lockstep_result *result;

  /* reference and DUT */
  struct hd_fabric *reference; /* the model, or links and interfaces around the original */
  struct original *original;   /* NULL: the model is the reference */
  /* this lockstep is only another one's original, as seen by the contract */
  bool is_original;
  struct hd_dut *dut;    /* shared->dut */
  struct shared *shared; /* NULL: no DUT */
  uint32_t first_switch; /* the DUT's number of this lockstep's first switch */
  bool abandoned;        /* the DUT did not return from a call */

  /* windows */
  struct window windows[2];
  struct round round;
  struct window *under_test;
  struct hd_record *stimulus; /* the record that holds the DUT's inputs */
  struct worker *workers;     /* [threads] */
  uint32_t batch;             /* switches in a task of the pool */
  uint32_t at_once;           /* switches of a batch in one call of the DUT */

  /* closed loop */
  struct hd_fabric *loop; /* links and interfaces around the DUT */
  struct hd_record loop_record;
  pthread_mutex_t loop_lock;
  /* with order and packets: in this cycle software had ended, and all had arrived; UINT64_MAX: not
   * yet */
  uint64_t ended;

  /* history */
  struct epoch epochs[2]; /* previous, current */
  size_t block_size;
  uint64_t next_epoch_from; /* start of the newest epoch that the model began */
  uint64_t epoch_inputs;    /* inputs in epochs[1], over all switches */

  /* comparison; `order` … `tracker` are NULL if the run does not need them */
  const struct comparator *comparators[HD_COMPARATORS];
  uint32_t n_comparators;
  uint64_t *digests; /* sum of events' digests, by switch */
  /* [n_switches]: address + 1 of the last write since registers were read; 0: none */
  uint32_t *written;
  uint32_t read_cycles;   /* registers are read after this many cycles, again and again */
  struct order *order;    /* comparison of flits by port and channel */
  struct inside *inside;  /* rules at links inside of a network */
  struct order *messages; /* barrier messages by node, if the DUT has its own timing */
  /* packets from coders by node, if the DUT has its own timing */
  struct coder_packets *coder_packets;
  struct hd_port_watch *watch;    /* rules at ports */
  struct packet_tracker *tracker; /* where packets are, if the DUT has its own timing */
};

/** False if an original replaces the model, or if the DUT is a whole network (§6.8), which has
 *  no model. */
static inline bool hd_lockstep_has_model(const struct hd_lockstep *ls)
{
  return !ls->params.original && !ls->params.is_network;
}

/** The original, which replaces the model (lockstep_original.c). */
struct original {
  /* its DUT, worker and parameters in the form that the contract needs; it is not compared */
  struct hd_lockstep side;
  /* [n_switches × ports]: each switch's inputs of the current cycle */
  struct hd_flit_event *flits;
  struct hd_credit_event *credits; /* [n_switches × ports] */
  struct hd_config_event *configs; /* [n_switches] */
  struct tags *tags;
  bool is_quiescent; /* all its switches showed quiescent_o in the last cycle */
};

/* lockstep.c */
/** Makes the DUT that these locksteps share, and configures it. Each lockstep must call
 *  hd_lockstep_release_dut; the last call destroys the DUT. */
int hd_lockstep_share_dut(struct hd_lockstep *locksteps[], uint32_t n, uint32_t threads,
                          struct hd_error *err);
void hd_lockstep_release_dut(struct hd_lockstep *ls);
/** Allocates room for answers. `all`: for all switches in one call. */
int hd_lockstep_workers_start(struct hd_lockstep *ls, bool all, struct hd_error *err);
void hd_lockstep_workers_stop(struct hd_lockstep *ls);
/** Tests whether software has ended and nothing is under way in its fabric. */
bool hd_lockstep_finished(const struct hd_lockstep *ls);
/** Tests whether everything that matters has been seen (hook `over`). */
bool hd_lockstep_over(const struct hd_lockstep *ls, const struct hd_fabric *fabric);
/** Calls hook `stop`, and applies the watchdog. HD_E_INTERRUPTED, HD_E_DEADLOCK. */
int hd_lockstep_watch(const struct hd_lockstep *ls, struct hd_error *err);
enum { HD_SETTLE_CYCLES = 1000 };
/** Returns run.held_cycles, or HD_HELD_CYCLES if it is 0. */
uint64_t hd_lockstep_held_cycles(const struct hd_lockstep *ls);
/** After this many cycles without an event of a flit, switches keep what is inside of them for
 *  ever. */
uint64_t hd_lockstep_settle_cycles(const struct hd_lockstep *ls);
/** After this many cycles without a flit's movement, no flit will move any more, for a watchdog
 *  of `watchdog_cycles`. */
uint64_t hd_lockstep_stall_limit_cycles(const struct hd_lockstep *ls, uint64_t watchdog_cycles);

/* lockstep_original.c: for a lockstep with an original */
int hd_original_create(struct hd_lockstep *ls, struct hd_error *err);
void hd_original_destroy(struct hd_lockstep *ls);
/** Simulates one cycle, as hd_fabric_step does for the model. `record` is attached to the
 *  reference. HD_E_TOOL: its backend failed, or an assertion of its RTL. HD_E_INVARIANT: a node
 *  received a packet that nobody sent. */
int hd_original_step(struct hd_lockstep *ls, struct hd_record *record, struct hd_error *err);
/** Tests whether the original's switches will send nothing more. They say so (quiescent_o), or
 *  nothing has moved for long enough. */
bool hd_original_is_at_rest(const struct hd_lockstep *ls);
/** Saves snapshots of all its switches. The buffers stay empty if its backend has no snapshots. */
int hd_original_save(struct hd_lockstep *ls, struct hd_dut_buffer *buffers, struct hd_error *err);

/* packet_tags.c: finds the packets of flits at the original's ports. For each cycle call it for
 * inputs, then credits, then outputs. */
/** NULL: out of memory. The topology is borrowed. */
struct tags *hd_tags_create(const struct hd_topology *topology, const struct hd_switch_params *sw);
void hd_tags_destroy(struct tags *tags);
/** *tag: the flit's packet if the interface knows it; if not, it is filled in if possible.
 *  False: out of memory; likewise in hd_tags_out. */
bool hd_tags_in(struct tags *tags, uint32_t sw, const struct hd_flit_event *flit, uint32_t *tag);
void hd_tags_credit(struct tags *tags, uint32_t sw, const struct hd_credit_event *credit);
bool hd_tags_out(struct tags *tags, uint32_t sw, const struct hd_flit_event *flit, uint32_t *tag);

/* lockstep_contract.c: checks the DUT's answers against dut.h; HD_E_TOOL names the broken rule. */
/** Checks the status that a backend returned from operation `what`. A status that only a
 *  comparison may return is a breach (HD_E_TOOL). */
int hd_contract_status(const struct hd_lockstep *ls, const char *what, int status,
                       struct hd_error *err);
/** Calls hd_dut_ops.create, for ls->shared->dut. */
int hd_contract_create(struct hd_lockstep *ls, struct hd_error *err);
/** Write a register of one of this lockstep's switches. The caller checks the status. */
int hd_contract_config_write(struct hd_lockstep *ls, uint32_t sw, uint32_t addr, uint16_t data,
                             struct hd_error *err);
/** Reads registers of this lockstep's switches, and which of their bits are X or Z. */
int hd_contract_config_read(struct hd_lockstep *ls, struct hd_dut_read *reads, uint32_t n,
                            struct hd_error *err);
/** Operations of hd_dut_ops on one of this lockstep's switches. Their status is not checked. */
int hd_contract_restore(struct hd_lockstep *ls, uint32_t sw, const struct hd_dut_buffer *buffer,
                        struct hd_error *err);
int hd_contract_make_two_state(struct hd_lockstep *ls, uint32_t sw, struct hd_error *err);
int hd_contract_trace_open(struct hd_lockstep *ls, uint32_t sw, const char *path,
                           struct hd_error *err);
/** Calls hd_dut_ops.run, and checks the answers; asked[n] is room for copies of the jobs. After
 *  HD_OK the answers are inside their arrays and in range. `agrees` is set if they are as
 *  expected, either by the backend or by this function. */
int hd_contract_run(struct hd_lockstep *ls, uint32_t thread, struct hd_dut_job *jobs,
                    struct hd_dut_job *asked, uint32_t n, struct hd_error *err);
/** Runs, in one call, the switches of all locksteps that are tested. Jobs, errors and statuses
 *  are in the locksteps' first workers. */
void hd_contract_run_together(struct shared *shared, uint32_t thread);
/** Calls hd_dut_ops.snapshot_save. */
int hd_contract_save(struct hd_lockstep *ls, uint32_t sw, struct hd_dut_buffer *buffer,
                     struct hd_error *err);
/** Calls hd_dut_extension.counters. *n is 0 if there are none, if the DUT was abandoned, or after
 *  an error. HD_E_TOOL: there are too many, or a name is missing. */
int hd_contract_counters(struct hd_lockstep *ls, struct hd_dut_counter counters[HD_DUT_COUNTERS],
                         uint32_t *n, struct hd_error *err);
/** Call them around other calls of the DUT. Between them the caller's `turn` is unlocked, so
 *  that others can take it. */
void hd_contract_enter(struct hd_lockstep *ls, const char *what);
void hd_contract_leave(struct hd_lockstep *ls);
/** Unlock and lock `turn`. The thread that holds it calls them around hd_contract_run, and around
 *  waits for other threads. */
void hd_contract_unlock(struct hd_lockstep *ls);
void hd_contract_lock(struct hd_lockstep *ls);

/* lockstep_window.c */
/** Makes `w` the next window of the DUT, with the inputs of `stimulus`. */
void hd_lockstep_prepare_test(struct hd_lockstep *ls, struct window *w, struct hd_record *stimulus);
/** Lets the threads run the prepared windows. */
void hd_lockstep_begin_test(struct shared *shared);
/** Helps the threads, and waits for them. */
void hd_lockstep_finish_test(struct shared *shared);
/** Merges the threads' findings: HD_OK, HD_E_DIVERGENCE or an error. */
int hd_lockstep_conclude(struct hd_lockstep *ls, struct hd_error *err);

/* lockstep_used.c */
/** Sends packets through every switch of this lockstep for up to params.used_cycles, before the
 *  run's reset. So some packets are inside when the reset comes (§2.9). The tables must be
 *  written before. */
int hd_lockstep_use(struct hd_lockstep *ls, struct hd_error *err);

/* lockstep_closed.c */
int hd_lockstep_run_closed(struct hd_lockstep *ls, struct hd_error *err);

/* comparators.c */
/** Makes the comparisons of the run. Call hd_comparators_stop to free them, also after an error. */
int hd_comparators_start(struct hd_lockstep *ls, struct hd_error *err);
void hd_comparators_stop(struct hd_lockstep *ls);
int hd_comparators_window(struct hd_lockstep *ls, const struct hd_dut_job *job,
                          const struct hd_dut_expected *shown, struct hd_divergence *first);
int hd_comparators_cycle(struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *first);
/** True if only one of `sides` showed an event at such a place, in cycle `since` or later. first
 *  may be NULL. */
bool hd_comparators_rest(const struct hd_lockstep *ls, enum rest_place place, unsigned sides,
                         uint64_t since, struct hd_divergence *first);

/* lockstep_rules.c, where rules at ports are watched */
/** If *first is a difference, and a rule that is not reported yet was broken by then, puts that
 *  rule into *first. (The watch waits for later flits to decide which rule it is.) In exact
 *  comparison, a rule of the same cycle and switch is added to the difference. */
void hd_rules_add_pending(const struct hd_lockstep *ls, struct hd_divergence *first);
/** Looks for channels that wait for each other in a circle (rule P16), once in 256 cycles, after a
 *  window. HD_E_DEADLOCK. */
int hd_rules_check_circle(struct hd_lockstep *ls, const struct hd_record *record,
                          struct hd_error *err);
/** Called at the end of a run. Puts a broken rule that was not reported yet into the result
 *  (HD_E_DIVERGENCE). When nothing is under way, this includes rules about packets that did not
 *  come out. HD_OK: no rule is broken. */
int hd_rules_end(struct hd_lockstep *ls, struct hd_error *err);
struct hd_divergence hd_rules_divergence(const struct hd_port_break *broken);
/* lockstep_inside.c: rules that are broken but not reported yet, packets left at the end, the
 * way of a packet. */
bool hd_inside_pending(const struct hd_lockstep *ls, struct hd_divergence *d);
bool hd_inside_end(const struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *d);
size_t hd_inside_way(const struct hd_lockstep *ls, const struct hd_port_break *broken, char *way,
                     size_t size);

/* lockstep_compare.c */
/** True if *a is before *b: lower cycle, then earlier start, then lower switch. No difference is
 *  last. */
bool hd_divergence_before(const struct hd_divergence *a, const struct hd_divergence *b);
/** Puts *d into *first if it is earlier. */
void hd_divergence_keep(struct hd_divergence *first, const struct hd_divergence *d);
/** Compares a job's outputs with the record; keeps the earlier difference in *first. */
void hd_compare_job(const struct hd_dut_job *job, const struct hd_switch_record *expected,
                    bool quiescence, struct hd_divergence *first);

/* lockstep_digest.c */
/** The sum of the events' digests (§6.4). `start` is the window's first cycle. */
uint64_t hd_events_digest(const struct hd_flit_event *flits, uint32_t n_flits,
                          const struct hd_credit_event *credits, uint32_t n_credits,
                          uint64_t start);

/* lockstep_four_state.c: X and Z (§6.6) */
/** Looks for an X or Z in a register that was just read. Sets *d if there is one. */
void hd_unknown_register(const struct hd_dut_read *read, uint64_t cycle, struct hd_divergence *d);
/** Sets four_state_only of the result's divergence. Replays its switch with each X and Z as 0. */
void hd_four_state_judge(struct hd_lockstep *ls);

/* lockstep_registers.c: values that the configuration port reads (§3.3, §8.6) */
/** After the reference's window: reads the registers of switches that were written to since the
 *  last reading, if the window's end is a multiple of read_cycles. */
int hd_registers_read_reference(struct hd_lockstep *ls, struct window *w, struct hd_error *err);
/** After the DUT's window: reads the same registers there. *d is the first difference. */
int hd_registers_compare(struct hd_lockstep *ls, const struct window *w, struct hd_divergence *d,
                         struct hd_error *err);
/** At the end of a run: compares the error register of every switch, and all other registers or a
 *  random choice of them. HD_E_DIVERGENCE. */
int hd_registers_end(struct hd_lockstep *ls, struct hd_error *err);

/* lockstep_replay.c */
/** Replays the divergent switch from the oldest snapshot, as hd_lockstep_replay does, with the
 *  DUT's state made two-state. */
int hd_replay_two_state(struct hd_lockstep *ls, const struct hd_divergence *d,
                        int (*look)(void *context, const struct hd_replay_cycle *cycle),
                        void *context, struct hd_error *err);

/** True if the DUT must have the timing of Heddle's switch and arbitrate as §2 says. */
static inline bool hd_lockstep_keeps_timing(const struct hd_lockstep *ls)
{
  return ls->params.compare == HD_COMPARE_EXACT && !ls->original;
}

/** Cycles at the start of a replay that cannot be shown: outputs granted before a snapshot are
 *  not in it. */
static inline uint64_t hd_replay_blind(const struct hd_lockstep *ls)
{
  return 2 + hd_switch_grant_stages(&ls->fabric_params.sw);
}

/* lockstep_history.c */
int hd_history_init(struct hd_lockstep *ls);
void hd_history_fini(struct hd_lockstep *ls);
/** Decides whether a new epoch begins with the model's next window. */
void hd_history_decide(struct hd_lockstep *ls);
/** Before the window runs: if a new epoch begins, copies the state of the reference's switches. */
int hd_history_begin(struct hd_lockstep *ls, struct window *w, struct hd_error *err);
/** Makes the window's epoch the current one. Call it before the DUT runs the window. */
void hd_history_turn(struct hd_lockstep *ls, struct window *w);
/** Adds the inputs of a window to the current epoch: those of the DUT's switches, and in closed
 *  loop those of the model's. */
int hd_history_add(struct hd_lockstep *ls, const struct hd_record *record,
                   const struct hd_record *model, struct hd_error *err);

#endif
