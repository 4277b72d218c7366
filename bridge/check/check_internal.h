/* Types and functions that the files of this room share: kinds of task, the sequence of runs, groups of failures.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CHECK_INTERNAL_H
#define HD_CHECK_INTERNAL_H

#include "check.h"

#include "../explain/explain.h"
#include "../render/render.h"
#include "../scenario/scenario_set.h"
#include "equal/equal.h"
#include "soak/soak.h"
#include "streams/streams.h"

/* A judge of RTL (check_judge.c). */
enum check_judge_kind {
  CHECK_BY_MODEL, /* Heddle's own switch: the model, and Heddle's RTL */
  CHECK_BY_RULES, /* any router: judged by the rules at ports (§6.7), and by delivery */
  CHECK_BY_ORIGINAL, /* any router: compared with its original in each cycle, and judged by the rules */
  CHECK_JUDGES
};
enum {
  CHECK_MODEL = 1 << CHECK_BY_MODEL,
  CHECK_RULES = 1 << CHECK_BY_RULES | 1 << CHECK_BY_ORIGINAL
};

/* X(KIND, name, judges, compares, about). A kind of task: a line here, and its function check_<name> in check_runs.c;
 * the stages of the judges' plans say when it is carried out. `compares`: the RTL runs and is judged, so that it counts as
 * a run. */
#define CHECK_KIND_LIST(X)                                                                        \
  X(LINT, lint, CHECK_MODEL, false,                                                               \
    "the RTL in Verilator, Icarus and Yosys, with several parameter sets")                        \
  X(RANDOM, random, CHECK_MODEL, true,                                                            \
    "random scenarios, exact; some by order and by packets in closed loop")                       \
  X(EVERY_CYCLE, every_cycle, CHECK_MODEL, true,                                                  \
    "random scenarios, each cycle of each switch evaluated")                                      \
  X(STOCK, stock, CHECK_MODEL, true, "the scenarios that come with Heddle")                       \
  X(FOUR_STATE, four_state, CHECK_MODEL, true,                                                    \
    "four-state simulation: reset leaves nothing unknown")                                        \
  X(LARGE, large, CHECK_MODEL, true, "a fabric of more than 1,024 nodes")                         \
  X(LONG, long, CHECK_MODEL, true, "a million cycles")                                            \
  X(AIMED, aimed, CHECK_MODEL | CHECK_RULES, true,                                                \
    "the scenario of --scenario, with several seeds")                                             \
  X(STREAM, stream, CHECK_MODEL, true,                                                            \
    "random streams into single switches: ends of parameters, errors, registers")                 \
  X(STRESS, stress, CHECK_MODEL | 1 << CHECK_BY_ORIGINAL, true,                                   \
    "the original beside this switch: each output in each cycle, saturated")                      \
  X(FORMAL, formal, CHECK_MODEL, false, "proofs of the modules' properties, in Yosys")            \
  X(EQUAL, equal, CHECK_MODEL, false, "proofs that changed modules are the original's, in Yosys") \
  X(MIX, mix, CHECK_RULES, true, "mixes of traffic, loads and lengths in several fabrics")        \
  X(MIX_EVERY_CYCLE, mix_every_cycle, CHECK_RULES, true,                                          \
    "mixes with each cycle of each switch evaluated, whatever quiescent_o says")                  \
  X(MIX_HELD, mix_held, CHECK_RULES, true,                                                        \
    "mixes in which nodes hold their credits back until all slots on the way are used")           \
  X(MIX_RESET, mix_reset, CHECK_RULES, true, "mixes after a reset in the middle of traffic")      \
  X(MIX_LONG, mix_long, CHECK_RULES, true, "mixes of 50,000 cycles")                              \
  X(UNKNOWN, unknown, CHECK_RULES, true, "mixes in a four-state simulation: no X at a pin")       \
  X(SPEED, speed, CHECK_RULES, true, "latency without load, and the load that is accepted")       \
  X(MIX_RANDOM, mix_random, CHECK_RULES, true, "random scenarios: fabrics, routings, traffic")

enum check_kind {
#define CHECK_KIND_ENUM(KIND, name, judges, compares, about) CHECK_##KIND,
  CHECK_KIND_LIST(CHECK_KIND_ENUM)
#undef CHECK_KIND_ENUM
      CHECK_KINDS
};
const char *hd_check_kind_name(enum check_kind kind);
const char *hd_check_kind_about(enum check_kind kind);
bool hd_check_kind_compares(enum check_kind kind);
/** Does the judge of this check have such tasks? */
bool hd_check_kind_is_used(const struct hd_check *check, enum check_kind kind);
/** The original that a scenario of this kind is compared with instead of the model (hd_run_options.against); NULL: none. */
const char *hd_check_against(const struct hd_check *check, enum check_kind kind);
/** Is it compared with what the judge compares with? All but those of speed, which are not beside the original. */
bool hd_check_is_beside(const struct hd_check *check, enum check_kind kind);
/** Is it a scenario that is judged by the rules at ports? */
static inline bool hd_check_is_ruled(enum check_kind kind)
{
  return kind >= CHECK_MIX;
}
/** Is it one switch and what enters it, without a scenario? */
static inline bool hd_check_is_stream(enum check_kind kind)
{
  return kind == CHECK_STREAM || kind == CHECK_STRESS;
}

enum {
  CHECK_SOAK_SETS = 18,
  CHECK_CHANNELS = 24,
  CHECK_LARGE_EVERY = 64,
  CHECK_STREAM_SETS = 80, /* at most */
  CHECK_FILE_SETS = 24,   /* most sets of scenarios of files */
  CHECK_END_SETS =
      96, /* of switches that hold a changed module at an end of its parameters, at most */
  CHECK_NO_SET =
      CHECK_SOAK_SETS + SOAK_LARGE_SETS + CHECK_STREAM_SETS + CHECK_FILE_SETS + CHECK_END_SETS,
  CHECK_STREAM_ROUNDS = 3, /* each stream case, with other streams each time */
  CHECK_STREAMS = 2048,    /* at most */
  CHECK_LINT_SETS = 4,
  CHECK_LINTERS = 3,
  CHECK_PROOFS = 128, /* at most */
  CHECK_DRAWN =
      4096, /* random scenarios that are put into an order; later ones keep the order of drawing */
  CHECK_BLOCK = 6,   /* scenarios of one parameter set in the first turn */
  CHECK_AHEAD = 512, /* runs that are looked at for one that can begin */
  CHECK_GROUPS = 64,
  CHECK_STEP_SHIFT = 41, /* hd_check_step_order */
  CHECK_STAGES = 16,     /* most stages of check_plan.c */
  CHECK_AIM_KEYS = 24,   /* most keys of --switch */
  CHECK_SETTINGS = HD_CHECK_SETTINGS,
  CHECK_AIM_SEEDS = 6,
  CHECK_WARNINGS = 12, /* most warnings that are kept */
  CHECK_REFUSALS = 32, /* most refusals that are named */
};

/** One run: its kind, and for a random run its parameter set, which has to be built first. */
struct check_run {
  enum check_kind kind;
  uint32_t index; /* scenario; LINT: tool and set; STOCK: file; STREAM: case */
  uint32_t set;   /* CHECK_NO_SET: none */
  uint8_t stage;  /* stage of the plan that this run is one item of */
  bool given;     /* handed out */
  bool ended;     /* the run ended with a result about the RTL */
};

/** A scenario that comes with Heddle. */
struct check_scenario {
  char *path; /* owned */
  struct hd_switch_params sw;
  uint32_t n_switches;
};

/** A line of tb/formal.txt. */
struct check_proof {
  char name[32], module[40], parameters[128];
};
enum check_proved {
  CHECK_PROVED,
  CHECK_REFUTED,  /* refuted by a run that begins with reset */
  CHECK_UNPROVED, /* neither proved nor refuted, or stopped by the limit of time */
  CHECK_UNFIT,    /* no such module, parameters or properties */
};

enum check_build { CHECK_UNBUILT, CHECK_BUILDING, CHECK_BUILT, CHECK_REFUSED };

/** The RTL refuses a parameter set, or a kind of run. The verdict names it with the reason. */
struct check_refusal {
  char what[120];
  char *why;        /* owned */
  bool by_original; /* not by the router */
};

/* Phases of a plan, one after the other; each is turn after turn until the stages that are due in it have no item left. */
enum check_phase { CHECK_AIM, CHECK_BREADTH, CHECK_DEPTH, CHECK_REST, CHECK_PHASES };
enum { CHECK_NO_END = UINT32_MAX };

struct check_stage {
  const char *name, *item; /* as --require has it; one of it, for a sentence */
  uint32_t (*count)(const struct hd_check *c);
  struct check_run (*run)(struct hd_check *c, uint32_t place);
  uint8_t share[CHECK_PHASES]; /* items in a turn of each phase */
  enum check_phase due;
};

/** A way to judge RTL: the runs, and the claims that the verdict may make. */
struct check_judge {
  int (*prepare)(struct hd_check *c, struct hd_error *err); /* lists the runs */
  const struct check_stage *stages;                         /* the last has no name */
  const char *passed;                                       /* words of check.json */
  const char *(*failed)(const struct hd_check *c);
  const char *question;      /* the page's */
  const char *not_looked_at; /* by no run of this plan */
  /* The verdict in a sentence, where nothing has failed and where something has. */
  void (*pass)(const struct hd_check *c, struct hd_text *text);
  void (*fail)(const struct hd_check *c, struct hd_text *text);
  /* Names what was not exercised besides kinds of run; what else is to be said (may be NULL); for check.json (may be
   * NULL). */
  void (*missing)(const struct hd_check *c, void (*name)(void *context, const char *what),
                  void *context);
  void (*notes)(const struct hd_check *c, void (*name)(void *context, const char *what),
                void *context);
  json_t *(*json)(const struct hd_check *c);
};
extern const struct check_stage hd_check_model_stages[], hd_check_rules_stages[];
/** How many the judge of this check has. */
uint32_t hd_check_stages(const struct hd_check *check);

/* Steps for the example of a group, one task after the other. It is made small first as far as that takes seconds, so
 * that a check that is about to end has a small case, too. */
enum check_step {
  CHECK_STEP_SMALL_SOON,
  CHECK_STEP_EXPLAIN,
  CHECK_STEP_SMALL,
  CHECK_STEP_EXPLAIN_SMALL,
  CHECK_STEP_DONE,
};

/* Findings of the steps on an example: X(key of an outcome). */
#define CHECK_FOUND_LIST(X)                                                  \
  X(file)        /* scenario or stream */                                    \
  X(sentence)    /* sentence of the small example */                         \
  X(headline)    /* the broken rule, where, and the packet's way: lines */   \
  X(reason)      /* what the RTL did that no switch may do */                \
  X(small)       /* what shrinking did */                                    \
  X(inside)      /* first wrong state, without indices; */                   \
  X(first_wrong) /* the sentence of it */                                    \
  X(inside_lead) /* cycles from it to the difference */                      \
  X(cause)       /* what was wrong first beside the original, a sentence; */ \
  X(cause_lead)  /* cycles from it to the difference */                      \
  X(causes)      /* what else was, a line each, and the lines of the RTL */  \
  X(suspects)    /* their names: MODULE.NAME, blanks between */              \
  X(warning)     /* of Verilator, at one of the lines */                     \
  X(no_cause)    /* why none is known */                                     \
  X(waves)       /* directory */                                             \
  X(run)         /* directory with the page */

/** Failures with one signature. */
struct check_group {
  char *signature, *sentence; /* owned; the sentence is the example's */
  uint64_t n;
  uint64_t run; /* the example's place in the sequence */
  enum check_kind kind;
  enum check_step step;  /* next, or under way: */
  bool busy, unfinished; /* unfinished: it may get smaller */
  struct {
#define CHECK_FOUND(key) char *key;
    CHECK_FOUND_LIST(CHECK_FOUND)
#undef CHECK_FOUND
  } found;         /* owned; NULL: not known */
  uint32_t leader; /* the group that it is one kind with; its own number: itself */
};

/** The scenario of --scenario and the switch of --switch: they come first. */
struct check_aim {
  bool some, has_scenario;
  struct hd_setting settings[CHECK_AIM_KEYS]; /* [n], of the switch; in `text` */
  size_t n;
  char text[512], paths[CHECK_AIM_KEYS][64];
  uint64_t seed; /* seed of the scenario */
  struct hd_switch_params sw;
  uint32_t set; /* its place in `sets` */
};

/** Proofs that changed modules are the original's: check_equal.c. */
struct check_equal {
  struct hd_equal *modules;  /* owned; NULL: the RTL is the original itself */
  bool trusted;              /* the original is the RTL that `make formal` has proved */
  struct hd_equal_sets sets; /* of all modules */
  struct check_equal_proof {
    const struct hd_equal_set *set;
    uint32_t holder
        [HD_EQUAL_HOLDERS]; /* where in `sets` of the check its holders are, or CHECK_NO_SET */
    bool ended, tried_flat; /* tried_flat: with submodules inside, or under way */
    struct hd_equal_outcome outcome;
  } * proofs; /* [n], owned */
  uint32_t n, ended, proving, still_open;
  double cpu_seconds;
};

/** A tool's line; the number of the first run that had it. */
struct check_warning {
  uint64_t number;
  char *line; /* owned */
};

/** Speed of a switch in a fabric (§6.7 needs no model for it). */
struct check_speed {
  bool known;
  double latency_cycles,
      accepted; /* mean without load; flits a node and cycle, all that is offered */
};

/* A fabric for any router. It needs at least these ports, channels and nodes of its switches. With columns it is a mesh
 * that is routed by dimension order, so routers that route by themselves can be in it. */
struct check_fabric {
  uint8_t ports, vcs, nodes, columns;
  bool by_source;
  const char *keys;
};
enum {
  CHECK_NETWORKS = 2
}; /* a network as DUT is the only fabric, with short links and long ones */

struct hd_check {
  const struct hd_check_params *params;
  const struct check_judge *judge;
  struct hd_text definition, identity;
  char rtl_dir[4096], original_dir[4096]; /* absolute */
  bool is_original;                       /* the RTL is the original's, byte for byte */
  const char *directory;
  struct soak_opened *opened;
  bool has_tool[CHECK_LINTERS];
  bool in_vhdl; /* a router that only GHDL reads, which is four-state in every run */
  /* [n_sets]. Random scenarios draw from the first n_random_sets, the large ones from the next ones. */
  struct hd_switch_params sets[CHECK_NO_SET];
  uint32_t n_random_sets, n_sets;
  uint32_t
      n_drawn_sets; /* scenarios with computed routes draw from the first n_drawn_sets of `sets` */
  uint32_t stream_set[CHECK_STREAM_SETS]; /* where in `sets` that of hd_stream_case is */
  enum check_build built[CHECK_NO_SET];
  bool suspected[CHECK_NO_SET]; /* an open proof suspects the set (check_suspect.c) */
  uint32_t end_set[CHECK_END_SETS], n_end_sets; /* where in `sets` the holders of all proofs are */
  uint32_t building, at_work;                   /* tasks that are under way: builds, and all */
  struct check_scenario *stock;                 /* [n_stock], owned; small ones first */
  size_t n_stock;
  struct check_equal equal;
  struct check_proof proofs[CHECK_PROOFS]; /* [n_proofs] */
  uint32_t n_proofs;
  uint32_t drawn[CHECK_DRAWN]; /* indices, in the order in which they come */
  struct check_run *runs;      /* [n_runs], as far as the sequence was needed */
  uint64_t n_waiting;          /* of `runs`, the first ones: each waits for suspicion on its set */
  uint64_t n_runs, capacity, first; /* first: before it all were handed out */
  uint64_t n_compared,
      limit; /* of `runs`, those that compare; where the sequence ends, 0: nowhere yet */
  struct {
    uint32_t size, next; /* items; those that are in `runs` */
    uint32_t ended;
  } stages[CHECK_STAGES];
  uint32_t required; /* a bit a stage */
  struct check_aim aim;
  uint32_t phase, turn; /* of the plan, at the end of `runs` */
  uint32_t
      streams[CHECK_STREAMS]; /* [n_listed] of hd_check_stream, in the order in which they come */
  uint32_t n_telling, n_first_streams; /* of them */
  uint32_t n_listed, n_streams;        /* n_streams: that hd_check_stream knows */
  /* First numbers of three kinds of streams: short ones into each set, those into the aim's set, those into `end_set`. */
  uint32_t first_opening, first_aimed, first_end;
  uint32_t file_set[CHECK_FILE_SETS],
      own_set[CHECK_KINDS];                      /* of stock scenarios, of the check's own */
  struct check_refusal refusals[CHECK_REFUSALS]; /* [n_refusals] */
  uint32_t n_refusals;
  bool refuses[CHECK_KINDS]; /* such runs */
  struct hd_port_counts
      ports; /* how often rules at ports were held against something, in runs that passed */
  struct check_speed speed[CHECK_NO_SET];
  struct check_fabric networks[CHECK_NETWORKS];
  char *network_keys[CHECK_NETWORKS]; /* owned; NULL: the DUT is a router */
  struct {
    bool latency, accepted;
  } held;        /* against a budget */
  bool has_only; /* this run and no other */
  struct check_run only;
  struct hd_tape *tape; /* owned; NULL: no stream of a file */
  char text[64];

  /* results by kind of run */
  struct {
    uint64_t ended, failed;
    double seconds;
  } kinds[CHECK_KINDS];
  double started,
      first_failed_seconds; /* the latter is counted from `started`; known where `failed` is not 0 */
  double build_seconds,
      step_seconds; /* sums over workers; build_seconds is for `n_built` switches */
  uint32_t n_built;
  uint64_t failed, events, switch_cycles;
  uint64_t missed, alike; /* of `failed`: by a budget; where the original breaks the rule, too */
  struct check_warning warned[CHECK_WARNINGS + 1]; /* [n_warnings], by number */
  uint32_t n_warnings;
  /* Runs that ended without telling anything of the RTL; the first one's number, status and message (owned). */
  uint64_t untold, untold_run;
  int untold_status;
  char *untold_text;
  uint64_t ruled_messages, ruled_rounds; /* messages and rounds that keep rules T1 to T9 (§8.13) */
  uint64_t proved, unproved, unfit;      /* proofs */
  uint64_t stress_cycles,
      without_original, /* compared with the original; runs whose switch it does not build */
      without_lanes;    /* runs whose switches Yosys makes no netlist of */
  char *lanes_refusal;  /* of the first; owned */
  char *
      original_wrong; /* owned: where the original differs from the model, and this switch does not; NULL: nowhere */
  struct soak_coverage *coverage; /* coverage of random scenarios that agreed */
  struct hd_coverage_set points;  /* points of the specification that runs covered which agreed */
  struct check_group groups[CHECK_GROUPS];
  uint32_t n_groups;
  uint64_t ungrouped;
  char *unbuilt; /* owned: why the RTL does not build; NULL: it does */
};

/** Names of the linters, and of their packages. */
extern const char *const hd_check_linters[CHECK_LINTERS];

/** A failed run; its example made small; how many kinds of difference there are. */
void hd_check_group_add(struct hd_check *check, const struct check_run *run, uint64_t number,
                        const struct hd_task_outcome *outcome);
/** The next step of a group, in its order; false: none waits for one. */
bool hd_check_group_task(struct hd_check *check, struct hd_task *task);
/** Takes the outcome of a step for the run of that number. */
void hd_check_group_step(struct hd_check *check, uint64_t number, enum check_step step,
                         const struct hd_task_outcome *outcome);
/** Is some example not explained yet? */
bool hd_check_groups_unfinished(const struct hd_check *check);
/** Tasks of steps have larger numbers than runs and builds. */
static inline uint64_t hd_check_step_order(enum check_step step)
{
  return (uint64_t)(step + 1) << CHECK_STEP_SHIFT;
}
uint32_t hd_check_groups_kinds(const struct hd_check *check);
void hd_check_groups_free(struct hd_check *check);

/** Finds those that come with Heddle. */
int hd_check_find_scenarios(struct hd_check *check, struct hd_error *err);
/** Returns the text of the check's own scenario of a kind. hd_check_scenario_switch gives the switch
 * that it needs, or false: the scenario cannot be carried out. */
const char *hd_check_scenario(enum check_kind kind);
bool hd_check_scenario_switch(enum check_kind kind, struct hd_switch_params *sw);

/** Reads params->scenario and params->switch_keys. HD_E_INPUT, HD_E_IO. */
int hd_check_read_aim(struct hd_check *check, struct hd_error *err);
/** Writes the scenario of run `index` of the aim, with its switch, its seed, and its files by their whole names. */
int hd_check_write_aimed(const struct hd_check *check, uint32_t index, const char *path,
                         struct hd_error *err);

/** Writes the scenario of a file with settings in it, and its files by their whole names. HD_E_INPUT, HD_E_IO. */
int hd_check_write_whole(const char *from, const struct hd_setting *settings, size_t n,
                         const char *path, struct hd_error *err);

/** Lines of a tool's log that warn of the RTL; what came of them; end. */
void hd_check_put_warnings(struct hd_task_outcome *outcome, const char *log);
void hd_check_take_warnings(struct hd_check *check, uint64_t number,
                            const struct hd_task_outcome *outcome);
void hd_check_warnings_free(struct hd_check *check);

/** Names files of the RTL that no switch is made of. */
void hd_check_unused_files(const struct hd_check *check,
                           void (*name)(void *context, const char *what), void *context);

/** Finds the list of proofs. Without one there are none. */
int hd_check_find_proofs(struct hd_check *check, struct hd_error *err);
/** Tries a proof; `log_path` is kept, and `err` filled in, where it is refuted. */
enum check_proved hd_check_prove(const struct hd_check *check, const struct check_proof *proof,
                                 const char *log_path, struct hd_error *err);

/** Compares the text with the original's, and lists proofs for modules that differ. HD_E_INPUT: params->proof_of names
 *  none. HD_E_TOOL: Yosys is missing for it. */
int hd_check_find_equal(struct hd_check *check, struct hd_error *err);
void hd_check_equal_free(struct check_equal *equal);
/** Carries a proof out; what came of it. */
void hd_check_prove_equal(const struct hd_check *check, uint32_t index, bool flatten,
                          struct hd_task_outcome *outcome);
void hd_check_take_equal(struct hd_check *check, uint32_t index, bool flatten,
                         const struct hd_task_outcome *outcome);
/** The next proof that is to be tried once more with submodules inside. */
bool hd_check_equal_next(struct hd_check *check, uint32_t *index);
/** Lists the switches that hold the instances of the proofs. `place` gives a set's place in `sets`. */
void hd_check_list_ends(struct hd_check *check,
                        uint32_t (*place)(struct hd_check *check,
                                          const struct hd_switch_params *sw));
/** Suspects the switches that hold an instance which is not proved, if its module is proved with other parameters. */
void hd_check_suspect(struct hd_check *check);
/** Has a proof left a register or wire of a module open? */
bool hd_check_equal_is_open(const struct hd_check *check, const char *module, const char *wire);
/** Proofs that ended so. */
uint32_t hd_check_equal_count(const struct hd_check *check, enum hd_equal_status status);
/** Does the RTL differ from the original's text in comments only? */
bool hd_check_equal_text_only(const struct hd_check *check);
/** The text is the original's or every changed module is proved equal with all its sets, the original is trusted, and
 *  nothing has failed. */
bool hd_check_settled(const struct hd_check *check);
/** Have all proofs ended well that --proof-of asks for? They say nothing of other modules and parameter sets. */
bool hd_check_asked_is_proved(const struct hd_check *check);
/** Adds the sentences on changed modules; names what was not proved. */
void hd_check_equal_text(const struct hd_check *check, struct hd_text *text);
void hd_check_equal_missing(const struct hd_check *check,
                            void (*name)(void *context, const char *what), void *context);

/** Lists parameter sets, streams and scenarios. HD_E_INPUT: there is no such stream or
 *  proof. HD_E_TOOL: Yosys is missing. */
int hd_check_sequence(struct hd_check *check, struct hd_error *err);
struct check_run hd_check_stream_run(const struct hd_check *check, uint32_t index);
struct check_run hd_check_random_run(struct hd_check *check, uint32_t place);

/** Runs that ended and compared RTL and model. */
uint64_t hd_check_compared(const struct hd_check *check);
/** Switches that the runs need, as far as the sequence is known. */
uint32_t hd_check_switches(const struct hd_check *check);

/** A stage of the plan, and how far it is. */
struct check_reached {
  const char *name, *item; /* as --require has it; one of its items */
  uint32_t ended, size;    /* size UINT32_MAX: there is no end */
  bool complete, required;
};
struct check_reached hd_check_reached(const struct hd_check *check, uint32_t stage);
/** "plan: 12 of 42 parameter sets, 0 of 28 proofs; about 3 minutes more would reach every parameter set", a line. */
void hd_check_reached_text(const struct hd_check *check, struct hd_text *text);
/** Reads params->require. HD_E_INPUT. */
int hd_check_read_require(struct hd_check *check, struct hd_error *err);
/** Is something not complete that is required? Says what. */
bool hd_check_falls_short(const struct hd_check *check);
void hd_check_add_short(const struct hd_check *check, struct hd_text *text);

/** Has every parameter set been reached? */
bool hd_check_is_deep(const struct hd_check *check);
/** Sets the stages up, and lists the runs that wait for suspicion. */
void hd_check_plan(struct hd_check *check);
/** Runs that a suspicion has let begin. */
uint32_t hd_check_ends(const struct hd_check *check);
/** Makes the sequence of runs at least so long, or as long as it gets. False: out of memory. */
void hd_check_extend(struct hd_check *check, uint64_t to);
/** The random scenario of that number. */
void hd_check_draw(const struct hd_check *check, uint32_t index, struct soak_case *drawn);
/** The stream of that number; its set's place in `sets`. */
uint32_t hd_check_stream(const struct hd_check *check, uint32_t index,
                         struct hd_stream_case *stream);

/* Any router (check_any.c): switches, mixes of traffic, and drawn scenarios. */
/** Lists its switches, and takes the keys of --switch. HD_E_INPUT. */
int hd_check_prepare_any(struct hd_check *check, struct hd_error *err);
/** Prepares a check beside an original. */
int hd_check_prepare_original(struct hd_check *check, struct hd_error *err);
int hd_check_prepare_model(struct hd_check *check, struct hd_error *err);
/** Writes the scenario of a run that hd_check_is_ruled to `directory`/`name`.yaml, which is `path`. HD_E_INPUT, HD_E_IO. */
int hd_check_write_ruled(const struct hd_check *check, const struct check_run *run,
                         const char *directory, const char *name, char path[SOAK_PATH],
                         struct hd_error *err);
struct hd_stress_router;
/** The place of a router of any kind in a fabric of the check, for run `run` beside the original. To be freed by
 *  hd_check_stress_router_fini, after failures too. HD_E_INPUT, HD_E_IO. */
int hd_check_stress_router(const struct hd_check *check, const struct check_run *run,
                           struct hd_stress_router *router, struct hd_error *err);
void hd_check_stress_router_fini(struct hd_stress_router *router);
/** "5 ports, 2 VCs x 4 flits of 16 bits": the switch of a set. */
void hd_check_set_text(const struct hd_switch_params *sw, char *text, size_t size);
struct hd_run_report;
/** Puts how often rules were held against something, and speed, for hd_check_take_router. A budget that is missed fails. */
void hd_check_put_router(const struct hd_check *check, const struct check_run *run,
                         const char *path, const struct hd_run_report *report,
                         struct hd_task_outcome *outcome);
void hd_check_take_router(struct hd_check *check, const struct check_run *run,
                          const struct hd_task_outcome *outcome);
/** Is this message of a tool about the original? */
bool hd_check_is_of_original(const char *message);
/** Takes that a set does not build, or that Icarus does not take the RTL. run NULL: it was a build. */
void hd_check_take_refusal(struct hd_check *check, const struct check_run *run, uint32_t set,
                           const struct hd_task_outcome *outcome);
/** Names the scenario or budget that the user asked for and that had no run. NULL: all were done. */
const char *hd_check_unmet(const struct hd_check *check);
/** Does the RTL refuse all of the first `n` sets? Random runs draw from the first n_random_sets. */
bool hd_check_are_refused(const struct hd_check *check, uint32_t n);
/** The judge that the parameters ask for. */
const struct check_judge *hd_check_judge_of(const struct hd_check_params *params);

/** Carries a run out. */
void hd_check_run_task(struct hd_check *check, const struct check_run *run,
                       struct hd_task_outcome *outcome);
/** Builds the switch of a set. */
void hd_check_build(struct hd_check *check, uint32_t set, struct hd_task_outcome *outcome);
/** Carries out a step for a run that is a group's example. */
void hd_check_run_step(struct hd_check *check, const struct check_run *run, enum check_step step,
                       struct hd_task_outcome *outcome);

/** Reads the stream of params->stream_file, if there is one. */
int hd_check_read_tape(struct hd_check *check, struct hd_error *err);
void hd_check_run_stream(struct hd_check *check, const struct check_run *run,
                         struct hd_task_outcome *outcome);
void hd_check_run_stream_step(struct hd_check *check, const struct check_run *run,
                              enum check_step step, struct hd_task_outcome *outcome);

/** Seconds until no run may begin any more. */
double hd_check_left(const struct hd_check *check);
/** Returns the seconds that a search for a smaller example may take: at most those that the user
 * gave. The first, short search gets 3 s at most; the later one shares the time that is left. */
double hd_check_shrink_seconds(const struct hd_check *check, enum check_step step);

/** Adds the command that plays a stream, or what is beside the original, again; file: that of the stream, or NULL. */
void hd_check_stream_command(const struct hd_check *check, const struct check_run *run,
                             const char *file, struct hd_text *text);

struct hd_tape;
/** Is the tape so small that Icarus has played it before Verilator has built its switch? */
bool hd_check_is_quick(const struct hd_check *check, const struct hd_tape *tape);
/** Opens the RTL that is checked to be explained, in Icarus or in Verilator. As hd_backend_open. */
int hd_check_open(const struct hd_check *check, bool quick, const struct hd_switch_params *params,
                  struct hd_backend *backend, struct hd_error *err);

/** Explains a stream, or a scenario of `kind`: waves and more go to `out`, what is found to the outcome. `run` may be NULL
 *  where `file` names a stream of its own. */
void hd_check_explain_tape(const struct hd_check *check, const struct check_run *run,
                           struct hd_tape *tape, const char *title, const char *file,
                           const char *out, struct hd_task_outcome *outcome);
void hd_check_explain_run(const struct hd_check *check, enum check_kind kind, const char *yaml,
                          const char *out, struct hd_task_outcome *outcome);

/** Tests whether the model can carry out a drawn scenario. HD_E_INTERNAL: it cannot; other codes: the test failed. Neither
 *  says anything of the RTL. Files are called `name`. */
int hd_check_drawn(const struct soak_case *drawn, const char *directory, const char *name,
                   struct hd_error *err);
/** The signature of a run for which it cannot. */
extern const char hd_check_no_scenario[];
/** The signature of a run that the original ended. */
extern const char hd_check_original_failed[];

/** The RTL and its backends, as the soak takes them. */
struct soak_common hd_check_common(struct hd_check *check, enum check_kind kind);

void hd_check_put_count(struct hd_task_outcome *outcome, const char *key, uint64_t n);
void hd_check_put_text(struct hd_task_outcome *outcome, const char *key, const char *text);
/** Adds the points of the specification that a run exercised, for check_ended. */
void hd_check_put_points(struct hd_task_outcome *outcome, const struct hd_coverage_set *points);
/** The first wrong state inside: its name without indices, and a sentence; or why none is known. */
void hd_check_put_inside(struct hd_task_outcome *outcome, const struct hd_explanation *explanation);

/** Puts the number of cycles from what was wrong first to what shows it. */
void hd_check_put_lead(struct hd_task_outcome *outcome, const char *key, uint64_t wrong,
                       uint64_t shown);

/** Returns the backend with its options for a kind of run, such as "verilator:every-cycle". */
const char *hd_check_dut(const struct hd_check *c, enum check_kind kind);

#endif
