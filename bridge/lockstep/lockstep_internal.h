/* Inside the lockstep: windows, history, workers. For bridge/lockstep/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LOCKSTEP_INTERNAL_H
#define HD_LOCKSTEP_INTERNAL_H

#include "lockstep.h"

#include <pthread.h>
#include <stdatomic.h>

/** A read of the configuration port, and what it gives. */
struct hd_register_read {
  uint32_t sw, address;
  uint16_t value;
};
enum { HD_READS_OF_WINDOW = 64 };

/** A window on its way from the reference to the DUT. */
struct window {
  struct hd_record record;
  unsigned char *blocks;          /* model switches at its start, when `epoch`; or … */
  struct hd_dut_buffer *original; /* [n_switches] … the original's at its start */
  struct hd_register_read reads[HD_READS_OF_WINDOW]; /* read by the model at the window's end */
  uint32_t n_reads;
  bool epoch; /* a new epoch of the history starts here */
  bool last;  /* the run ends with it */
};

/** Inputs of one switch since an epoch began; event cycles count from there. */
struct switch_history {
  struct hd_flit_event *flits;
  uint32_t *tags; /* packet of each flit; those of `models` are known */
  struct hd_credit_event *credits;
  struct hd_config_event *configs;
  uint32_t n_flits, n_credits, n_configs;
  size_t cap_flits, cap_credits, cap_configs;
  struct hd_dut_buffer dut; /* the DUT switch's state at the start */
};

/** Everything that is needed to replay any switch from a snapshot on. */
struct epoch {
  bool valid;
  uint64_t start, end;
  unsigned char *blocks;          /* model switches at the start, or … */
  struct hd_dut_buffer *original; /* [n_switches] … those of the original */
  struct switch_history *switches;
  /* Inputs of the model's switches. In closed loop their order differs, and with a DUT of its own timing their cycles do;
   * otherwise this is `switches`. */
  struct switch_history *models;
};

/** State of one thread that runs jobs, hd_lockstep.at_once of them in a call. */
struct worker {
  struct hd_dut_job *jobs, *asked; /* asked: the jobs as the DUT was given them */
  struct hd_dut_expected *expected;
  struct hd_dut_unknown *unknown;
  struct hd_flit_event *flits; /* [at_once × (window_cycles + 1) × ports] */
  struct hd_credit_event *credits;
  uint32_t *toggles;          /* [at_once × (window_cycles + 1)] */
  struct hd_divergence first; /* first difference of the window */
  uint64_t events, traffic, evaluated, sampled;
  int status;
  struct hd_error err;
};

/** Threads that take tasks 0 … n−1 from a common counter. */
struct pool {
  pthread_t *threads;
  uint32_t n_threads; /* besides the caller */
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
/** Lets the threads begin; hd_pool_finish makes the caller help and waits for all. */
void hd_pool_begin(struct pool *pool, uint32_t n_tasks,
                   void (*task)(void *context, uint32_t task, uint32_t worker), void *context);
void hd_pool_finish(struct pool *pool);
void hd_pool_stop(struct pool *pool);

/** The DUT, and the state that the locksteps that share it have in common. */
struct shared {
  struct hd_dut *dut;
  uint32_t users;      /* locksteps that are not destroyed */
  uint32_t n_switches; /* switches of all runs together */
  struct pool pool;
  struct hd_dut_job *jobs, *asked; /* [n_switches]; NULL: there is one lockstep */
  struct hd_lockstep **tested;     /* [n_tested]: the runs whose windows are tested now */
  uint32_t n_tested;
};

/** A decoupled run between two windows. */
struct round {
  struct window *ahead, *tested; /* ahead: NULL when the model has ended */
  int model_status, next_status; /* results of the window that is tested, and of the one ahead */
  struct hd_error model_err;     /* error of the window ahead */
  bool last, test;
  bool concluded; /* the tested window was concluded before the model ran ahead, with: */
  int tested_status;
  struct hd_error tested_err;
  bool epoch; /* an epoch begins with the next window that the model runs */
};

/** The places at which a comparison finds events that only one side showed: at nodes, or anywhere. */
enum rest_place { HD_REST_NODES, HD_REST_ANYWHERE };

/** A comparison of what the DUT shows with what it should (specification §6.2). Its state is in hd_lockstep. Functions may
 *  be NULL. */
struct comparator {
  /** Tests whether a run needs this comparison. NULL: every run whose list has it does. */
  bool (*is_needed)(const struct hd_lockstep *ls);
  int (*create)(struct hd_lockstep *ls, struct hd_error *err);
  void (*destroy)(struct hd_lockstep *ls);
  /** Judges a switch's window, in any thread; `shown` is what the DUT's switch showed. Keeps the earliest difference in
   *  *first. HD_E_NOMEM. */
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
extern const struct comparator hd_compare_arrivals; /* are packets whole? packet_tracker.c */
extern const struct comparator hd_compare_losses; /* packets that never arrive: packet_tracker.c */

struct hd_lockstep {
  struct hd_lockstep_params params;
  struct hd_fabric_params fabric_params;
  uint32_t n_switches;
  uint32_t longest_link_cycles; /* LINK, of all links */
  uint64_t limit;               /* cycle at which the run ends at the latest */
  struct hd_lockstep_result *result;

  /* reference and DUT */
  struct hd_fabric *reference; /* the model, or links and interfaces around the original */
  struct original *original;   /* NULL: the model is the reference */
  bool is_original;            /* the contract's side of another lockstep's original */
  struct hd_dut *dut;          /* shared->dut */
  struct shared *shared;       /* NULL: no DUT */
  uint32_t first_switch;       /* number in the DUT of this lockstep's first switch */
  bool abandoned;              /* the DUT did not come back */

  /* windows */
  struct window windows[2];
  struct round round;
  struct window *under_test;
  struct hd_record *stimulus; /* the record whose inputs the DUT gets */
  struct worker *workers;     /* [threads] */
  uint32_t batch;             /* switches a task of the pool */
  uint32_t at_once;           /* how many of these one call of the DUT takes */

  /* closed loop */
  struct hd_fabric *loop; /* links and interfaces around the DUT */
  struct hd_record loop_record;
  pthread_mutex_t loop_lock;
  uint64_t ended; /* by order and packets: since this cycle all has arrived; UINT64_MAX: not yet */

  /* history */
  struct epoch epochs[2]; /* previous, current */
  size_t block_size;
  uint64_t next_epoch_from; /* start of the newest epoch that the model has begun */
  uint64_t epoch_inputs;    /* in epochs[1], of all switches */

  /* comparison; order … tracker are NULL where the run needs no such comparison */
  const struct comparator *comparators[HD_COMPARATORS];
  uint32_t n_comparators;
  uint64_t *digests; /* sum of event worths, by switch */
  uint32_t *written; /* [n_switches] last address written since registers were read, + 1; 0: none */
  uint32_t read_cycles;   /* registers are read where a multiple of these ends */
  struct order *order;    /* flits by port and channel */
  struct inside *inside;  /* rules at links inside of a network */
  struct order *messages; /* barrier messages by node, where the DUT's timing is its own */
  struct coder_packets *coder_packets; /* packets from coders by node, where it is its own */
  struct hd_port_watch *watch;         /* rules at ports */
  struct packet_tracker *tracker;      /* where packets are, where the DUT's timing is its own */
};

/** False when an original takes the model's place, or when the DUT is a whole network (§6.8), for
 *  which there is no model. */
static inline bool hd_lockstep_has_model(const struct hd_lockstep *ls)
{
  return !ls->params.original && !ls->params.is_network;
}

/** The original in place of the model (lockstep_original.c). */
struct original {
  struct hd_lockstep
      side; /* its DUT, worker and parameters, as the contract takes them; nothing is compared with it */
  struct hd_flit_event
      *flits; /* [n_switches × ports] inputs of the cycle under way, of each switch */
  struct hd_credit_event *credits; /* [n_credits] */
  struct hd_config_event *configs; /* [n_switches] */
  struct tags *tags;
  bool is_quiescent; /* all its switches said so in the last cycle */
};

/* lockstep.c */
/** Makes the DUT that these locksteps share, configured; hd_lockstep_release_dut of each destroys it. */
int hd_lockstep_share_dut(struct hd_lockstep *locksteps[], uint32_t n, uint32_t threads,
                          struct hd_error *err);
void hd_lockstep_release_dut(struct hd_lockstep *ls);
/** Makes room for answers; `all`: of all switches in one call. */
int hd_lockstep_workers_start(struct hd_lockstep *ls, bool all, struct hd_error *err);
void hd_lockstep_workers_stop(struct hd_lockstep *ls);
bool hd_lockstep_finished(const struct hd_lockstep *ls);
/** Tests whether everything that is wanted has been seen (hook `over`). */
bool hd_lockstep_over(const struct hd_lockstep *ls, const struct hd_fabric *fabric);
int hd_lockstep_watch(const struct hd_lockstep *ls, struct hd_error *err);
enum { HD_SETTLE_CYCLES = 1000 };
/** run.held_cycles, or its default. */
uint64_t hd_lockstep_held_cycles(const struct hd_lockstep *ls);
/** Cycles without a sign of a flit after which switches keep what is inside of them for ever. */
uint64_t hd_lockstep_settle_cycles(const struct hd_lockstep *ls);
/** Cycles without a sign of a flit that moves after which none will, of a watchdog of so many. */
uint64_t hd_lockstep_stall_limit_cycles(const struct hd_lockstep *ls, uint64_t watchdog_cycles);

/* lockstep_original.c: for a lockstep with an original */
int hd_original_create(struct hd_lockstep *ls, struct hd_error *err);
void hd_original_destroy(struct hd_lockstep *ls);
/** Simulates one cycle, as hd_fabric_step does of the model; `record` is attached to the reference. HD_E_INVARIANT: a node
 *  received what nobody sent. */
int hd_original_step(struct hd_lockstep *ls, struct hd_record *record, struct hd_error *err);
/** Tests whether nothing is on the original's links or in its interfaces, and nothing in its
 *  switches will come out any more. */
bool hd_original_is_at_rest(const struct hd_lockstep *ls);
/** Snapshots of all its switches; no more than empty buffers where its backend takes none. */
int hd_original_save(struct hd_lockstep *ls, struct hd_dut_buffer *buffers, struct hd_error *err);

/* packet_tags.c: the packets of flits at the original's ports, cycle by cycle: inputs, then credits, then outputs */
/** NULL: out of memory. The topology is borrowed. */
struct tags *hd_tags_create(const struct hd_topology *topology, const struct hd_switch_params *sw);
void hd_tags_destroy(struct tags *tags);
/** *tag: its packet, as far as the interface says; filled in as far as it is known. False: out of memory; so is
 *  hd_tags_out's. */
bool hd_tags_in(struct tags *tags, uint32_t sw, const struct hd_flit_event *flit, uint32_t *tag);
void hd_tags_credit(struct tags *tags, uint32_t sw, const struct hd_credit_event *credit);
bool hd_tags_out(struct tags *tags, uint32_t sw, const struct hd_flit_event *flit, uint32_t *tag);

/* lockstep_contract.c: what the DUT answers, held against dut.h; HD_E_TOOL names the broken rule. */
/** hd_dut_ops.create, for ls->dut. */
/** Checks the status that a backend returned from operation `what`. A status that only a comparison can have is a breach
 *  (HD_E_TOOL). */
int hd_contract_status(const struct hd_lockstep *ls, const char *what, int status,
                       struct hd_error *err);
int hd_contract_create(struct hd_lockstep *ls, struct hd_error *err);
/** Operations on one switch of this lockstep's. */
int hd_contract_config_write(struct hd_lockstep *ls, uint32_t sw, uint32_t addr, uint16_t data,
                             struct hd_error *err);
/** Reads registers of switches of this lockstep's, and which bits of them are X or Z. */
int hd_contract_config_read(struct hd_lockstep *ls, struct hd_dut_read *reads, uint32_t n,
                            struct hd_error *err);
int hd_contract_restore(struct hd_lockstep *ls, uint32_t sw, const struct hd_dut_buffer *buffer,
                        struct hd_error *err);
int hd_contract_make_two_state(struct hd_lockstep *ls, uint32_t sw, struct hd_error *err);
int hd_contract_trace_open(struct hd_lockstep *ls, uint32_t sw, const char *path,
                           struct hd_error *err);
/** hd_dut_ops.run; asked[n] is room. What comes back is in its arrays and in range; `agrees` is set
 *  where it is what is expected, whoever found that out. */
int hd_contract_run(struct hd_lockstep *ls, uint32_t thread, struct hd_dut_job *jobs,
                    struct hd_dut_job *asked, uint32_t n, struct hd_error *err);
/** Runs, in one call, all switches of all locksteps that are tested. Jobs, errors and statuses are those of their first
 *  workers. */
void hd_contract_run_together(struct shared *shared, uint32_t thread);
/** hd_dut_ops.snapshot_save. */
int hd_contract_save(struct hd_lockstep *ls, uint32_t sw, struct hd_dut_buffer *buffer,
                     struct hd_error *err);
/** hd_dut_extension.counters; *n is 0 where there are none, or too many. */
int hd_contract_counters(struct hd_lockstep *ls, struct hd_dut_counter counters[HD_DUT_COUNTERS],
                         uint32_t *n, struct hd_error *err);
/** Around other calls of the DUT: the caller's turn is anybody's while it is out there. */
void hd_contract_enter(struct hd_lockstep *ls, const char *what);
void hd_contract_leave(struct hd_lockstep *ls);
/** Unlock and lock around hd_contract_run by the caller's thread, and where it waits for other threads. */
void hd_contract_unlock(struct hd_lockstep *ls);
void hd_contract_lock(struct hd_lockstep *ls);

/* lockstep_window.c */
/** Makes `w` the window that the DUT runs next, with the inputs of `stimulus`. */
void hd_lockstep_prepare_test(struct hd_lockstep *ls, struct window *w, struct hd_record *stimulus);
/** Lets the threads run the windows that were prepared. */
void hd_lockstep_begin_test(struct shared *shared);
/** Helps the threads, and waits for them. */
void hd_lockstep_finish_test(struct shared *shared);
/** Merges what the threads found: HD_OK, HD_E_DIVERGENCE or an error. */
int hd_lockstep_conclude(struct hd_lockstep *ls, struct hd_error *err);

/* lockstep_used.c */
/** Before the reset with which a run begins: has every switch of this lockstep forward packets for up to
 *  params.used_cycles, so that some are inside when it comes (§2.9). Tables are written. */
int hd_lockstep_use(struct hd_lockstep *ls, struct hd_error *err);

/* lockstep_closed.c */
int hd_lockstep_run_closed(struct hd_lockstep *ls, struct hd_error *err);

/* comparators.c */
/** Makes the comparisons of the run; their state ends with hd_comparators_stop, also after an error. */
int hd_comparators_start(struct hd_lockstep *ls, struct hd_error *err);
void hd_comparators_stop(struct hd_lockstep *ls);
int hd_comparators_window(struct hd_lockstep *ls, const struct hd_dut_job *job,
                          const struct hd_dut_expected *shown, struct hd_divergence *first);
int hd_comparators_cycle(struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *first);
/** True: only one of `sides` showed something, in cycle `since` or later, at such places. first may be NULL. */
bool hd_comparators_rest(const struct hd_lockstep *ls, enum rest_place place, unsigned sides,
                         uint64_t since, struct hd_divergence *first);

/* lockstep_rules.c, where rules at ports are watched */
/** Puts into *first a broken rule that could only be named by the flit that leaves next, if nothing differs before it. In
 *  exact comparisons it is noted beside a difference of the same cycle. */
void hd_rules_add_pending(const struct hd_lockstep *ls, struct hd_divergence *first);
/** Looks for a circle of channels that wait for each other (rule P16), in each 256th cycle. HD_E_DEADLOCK. */
int hd_rules_check_circle(struct hd_lockstep *ls, const struct hd_record *record,
                          struct hd_error *err);
/** Called at the end of a run. Puts a broken rule that was not reported yet into the result
 *  (HD_E_DIVERGENCE). When nothing is under way, this includes rules about packets that did not
 *  come out. HD_OK: no rule is broken. */
int hd_rules_end(struct hd_lockstep *ls, struct hd_error *err);
struct hd_divergence hd_rules_divergence(const struct hd_port_break *broken);
/* lockstep_inside.c: what is broken but not told yet, what is left at the end, and the way of a packet. */
bool hd_inside_pending(const struct hd_lockstep *ls, struct hd_divergence *d);
bool hd_inside_end(const struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *d);
size_t hd_inside_way(const struct hd_lockstep *ls, const struct hd_port_break *broken, char *way,
                     size_t size);

/* lockstep_compare.c */
/** True when *a is earlier than *b: lower cycle, then what began earlier, then lower switch; none is latest. */
bool hd_divergence_before(const struct hd_divergence *a, const struct hd_divergence *b);
/** Puts *d into *first if it is earlier. */
void hd_divergence_keep(struct hd_divergence *first, const struct hd_divergence *d);
/** Compares a job's outputs with the record; keeps the earlier difference in *first. */
void hd_compare_job(const struct hd_dut_job *job, const struct hd_switch_record *expected,
                    bool quiescence, struct hd_divergence *first);

/* lockstep_digest.c */
/** The sum of what events are worth in the digest (§6.4); `start` is the window's first cycle. */
uint64_t hd_events_digest(const struct hd_flit_event *flits, uint32_t n_flits,
                          const struct hd_credit_event *credits, uint32_t n_credits,
                          uint64_t start);

/* lockstep_four_state.c: X and Z (§6.6) */
/** Looks for an unknown bit in a register that was read just now; sets *d when there is one. */
void hd_unknown_register(const struct hd_dut_read *read, uint64_t cycle, struct hd_divergence *d);
/** Sets four_state_only of the result's divergence, by replaying its switch with known state. */
void hd_four_state_judge(struct hd_lockstep *ls);

/* lockstep_registers.c: what the configuration port reads (§3.3, §8.6) */
/** After the reference's window: notes what it reads of switches that were written to in it. */
int hd_registers_read_reference(struct hd_lockstep *ls, struct window *w, struct hd_error *err);
/** After the DUT's: reads the same there; *d is the first difference. */
int hd_registers_compare(struct hd_lockstep *ls, const struct window *w, struct hd_divergence *d,
                         struct hd_error *err);
/** Called at the end of a run: compares all registers of all switches, or a draw of them.
 *  HD_E_DIVERGENCE. */
int hd_registers_end(struct hd_lockstep *ls, struct hd_error *err);

/* lockstep_replay.c */
/** Replays the divergent switch from the oldest snapshot as hd_lockstep_replay does; the DUT's
 *  state is made two-state before. */
int hd_replay_two_state(struct hd_lockstep *ls, const struct hd_divergence *d,
                        int (*look)(void *context, const struct hd_replay_cycle *cycle),
                        void *context, struct hd_error *err);

/** Are the timing, and what §2 says of arbitration, those of Heddle's switch? */
static inline bool hd_lockstep_keeps_timing(const struct hd_lockstep *ls)
{
  return ls->params.compare == HD_COMPARE_EXACT && !ls->original;
}

/** Outputs granted before a snapshot are not in it: so many cycles of a replay are left out. */
static inline uint64_t hd_replay_blind(const struct hd_lockstep *ls)
{
  return 2 + hd_switch_grant_stages(&ls->fabric_params.sw);
}

/* lockstep_history.c */
int hd_history_init(struct hd_lockstep *ls);
void hd_history_fini(struct hd_lockstep *ls);
/** Has a new epoch begin with the next window of the model, where it is time. */
void hd_history_decide(struct hd_lockstep *ls);
/** Reference's side of a new epoch, before the window runs. */
int hd_history_begin(struct hd_lockstep *ls, struct window *w, struct hd_error *err);
/** Makes the window's epoch the current one; before the DUT runs it. */
void hd_history_turn(struct hd_lockstep *ls, struct window *w);
/** Adds a window's inputs, of the DUT's switches and of the model's. */
int hd_history_add(struct hd_lockstep *ls, const struct hd_record *record,
                   const struct hd_record *model, struct hd_error *err);

#endif
