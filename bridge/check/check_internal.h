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

/* Judges of RTL (check_judge.c). */
enum check_judge_kind {
  CHECK_BY_MODEL,    /* Heddle's switch: compared with the model and with Heddle's RTL */
  CHECK_BY_RULES,    /* any router: judged by the rules at ports (§6.7) and by delivery */
  CHECK_BY_ORIGINAL, /* any router: compared with its original in each cycle, judged by rules, too */
  CHECK_JUDGES
};
enum {
  CHECK_MODEL = 1 << CHECK_BY_MODEL,
  CHECK_RULES = 1 << CHECK_BY_RULES | 1 << CHECK_BY_ORIGINAL
};

/* X(KIND, name, run, judges, compares, about): a kind of task. `run`: the function of check_runs.c that carries it out; the
 * stages of the judges' plans say when. `judges`: bits of the judges that have it. `compares`: it simulates the RTL and
 * judges it, so that it counts as a run. */
#define CHECK_KIND_LIST(X)                                                                         \
  X(LINT, lint, run_lint, CHECK_MODEL, false,                                                      \
    "the RTL in Verilator, Icarus and Yosys, with several parameter sets")                         \
  X(RANDOM, random, run_random, CHECK_MODEL, true,                                                 \
    "random scenarios, exact; some by order and by packets in closed loop")                        \
  X(EVERY_CYCLE, every_cycle, run_random, CHECK_MODEL, true,                                       \
    "random scenarios, each cycle of each switch evaluated")                                       \
  X(STOCK, stock, run_stock, CHECK_MODEL, true, "the scenarios that come with Heddle")             \
  X(FOUR_STATE, four_state, run_written, CHECK_MODEL, true,                                        \
    "four-state simulation: reset leaves nothing unknown")                                         \
  X(LARGE, large, run_written, CHECK_MODEL, true, "a fabric of more than 1,024 nodes")             \
  X(LONG, long, run_written, CHECK_MODEL, true, "a million cycles")                                \
  X(AIMED, aimed, run_written, CHECK_MODEL | CHECK_RULES, true,                                    \
    "the scenario of --scenario, with several seeds")                                              \
  X(STREAM, stream, hd_check_run_stream, CHECK_MODEL, true,                                        \
    "random streams into single switches: ends of parameters, errors, registers")                  \
  X(STRESS, stress, hd_check_run_stress, CHECK_MODEL | 1 << CHECK_BY_ORIGINAL, true,               \
    "the original beside this switch: each output in each cycle, saturated")                       \
  X(FORMAL, formal, run_formal, CHECK_MODEL, false, "proofs of the modules' properties, in Yosys") \
  X(EQUAL, equal, run_equal, CHECK_MODEL, false,                                                   \
    "proofs that changed modules are the original's, in Yosys")                                    \
  X(MIX, mix, run_written, CHECK_RULES, true,                                                      \
    "mixes of traffic, loads and lengths in several fabrics")                                      \
  X(MIX_EVERY_CYCLE, mix_every_cycle, run_written, CHECK_RULES, true,                              \
    "mixes with each cycle of each switch evaluated, whatever quiescent_o says")                   \
  X(MIX_HELD, mix_held, run_written, CHECK_RULES, true,                                            \
    "mixes in which nodes hold their credits back until all slots on the way are used")            \
  X(MIX_RESET, mix_reset, run_written, CHECK_RULES, true,                                          \
    "mixes after a reset in the middle of traffic")                                                \
  X(MIX_LONG, mix_long, run_written, CHECK_RULES, true, "mixes of 50,000 cycles")                  \
  X(UNKNOWN, unknown, run_written, CHECK_RULES, true,                                              \
    "mixes in a four-state simulation: no X at a pin")                                             \
  X(SPEED, speed, run_written, CHECK_RULES, true,                                                  \
    "latency without load, and the load that is accepted")                                         \
  X(MIX_RANDOM, mix_random, run_written, CHECK_RULES, true,                                        \
    "random scenarios: fabrics, routings, traffic")

enum check_kind {
#define CHECK_KIND_ENUM(KIND, ...) CHECK_##KIND,
  CHECK_KIND_LIST(CHECK_KIND_ENUM)
#undef CHECK_KIND_ENUM
      CHECK_KINDS
};
struct check_kind_info {
  const char *name, *about;
  uint8_t judges;
  bool compares;
};
extern const struct check_kind_info hd_check_kinds[CHECK_KINDS];
/** Does the judge of this check have tasks of this kind? */
bool hd_check_kind_is_used(const struct hd_check *check, enum check_kind kind);
/** Directory of the original that runs of this kind are compared with instead of the model (hd_run_options.against);
 *  NULL: none. */
const char *hd_check_against(const struct hd_check *check, enum check_kind kind);
/** Are runs of this kind compared with the judge's reference? Only measurements of speed beside an original are not. */
bool hd_check_is_beside(const struct hd_check *check, enum check_kind kind);
/** Is it a scenario that only the rules at ports, or an original, judge? */
static inline bool hd_check_is_ruled(enum check_kind kind)
{
  return kind >= CHECK_MIX;
}
/** Is it a random scenario of a check of Heddle's switch? */
static inline bool hd_check_is_random(enum check_kind kind)
{
  return kind == CHECK_RANDOM || kind == CHECK_EVERY_CYCLE;
}
/** Is it a single switch with a stream of inputs, without a scenario? */
static inline bool hd_check_is_stream(enum check_kind kind)
{
  return kind == CHECK_STREAM || kind == CHECK_STRESS;
}

enum {
  CHECK_SOAK_SETS = 18,   /* parameter sets of random scenarios */
  CHECK_CHANNELS = 24,    /* most ports × channels of such a set */
  CHECK_LARGE_EVERY = 64, /* every 64th random scenario is a large one */
  CHECK_STREAM_SETS = 80, /* most sets of streams */
  CHECK_FILE_SETS = 24,   /* most sets of scenarios of files */
  CHECK_END_SETS = 96,    /* most switches that hold an instance of a changed module */
  CHECK_EARLY_SETS = 4,   /* most sets with named values that are suspect before other proofs */
  CHECK_NO_SET =
      CHECK_SOAK_SETS + SOAK_LARGE_SETS + CHECK_STREAM_SETS + CHECK_FILE_SETS + CHECK_END_SETS,
  CHECK_STREAM_ROUNDS = 3, /* times that each stream case comes, with other streams each time */
  CHECK_STREAMS = 2048,    /* most streams of the plan */
  CHECK_LINT_SETS = 4,
  CHECK_PROOFS = 128,    /* most proofs of properties */
  CHECK_DRAWN = 4096,    /* random scenarios that are sorted by set; later ones come as drawn */
  CHECK_BLOCK = 6,       /* scenarios of one parameter set in the first turn */
  CHECK_AHEAD = 512,     /* runs among which the check looks for one that can begin */
  CHECK_GROUPS = 64,     /* most groups of failures */
  CHECK_STEP_SHIFT = 41, /* hd_check_step_order */
  CHECK_STAGES = 16,     /* most stages of a plan */
  CHECK_AIM_KEYS = 24,   /* most keys of --switch */
  CHECK_SETTINGS = HD_CHECK_SETTINGS,
  CHECK_AIM_SEEDS = 6, /* runs of the scenario of --scenario, each with another seed */
  CHECK_WARNINGS = 12, /* most warnings that are kept */
  CHECK_REFUSALS = 32, /* most refusals that are named */
};

/** Tools that elaborate RTL: hd_check_linters. */
enum check_linter { CHECK_VERILATOR, CHECK_ICARUS, CHECK_YOSYS, CHECK_LINTERS };

/** One run of the sequence. If it has a parameter set, the set's switch must be built first. */
struct check_run {
  enum check_kind kind;
  uint32_t index; /* number of the scenario, stream or proof; LINT: tool and set; STOCK: file */
  uint32_t set;   /* in `sets` of the check; CHECK_NO_SET: none */
  uint8_t stage;  /* the stage of the plan that the run belongs to */
  bool given;     /* handed out */
  bool ended;     /* the run ended with a result about the RTL */
};

/** A scenario that comes with Heddle. */
struct check_scenario {
  char *path; /* owned */
  struct hd_switch_params sw;
  uint32_t n_switches;
};

/** A proof of properties: a line of tb/formal.txt. */
struct check_proof {
  char name[32], module[40], parameters[128];
};
enum check_proved {
  CHECK_PROVED,
  CHECK_REFUTED,  /* refuted by a run that begins with reset */
  CHECK_UNPROVED, /* neither proved nor refuted, or stopped by the time limit */
  CHECK_UNFIT,    /* the RTL has no such module, parameters or properties */
};

enum check_build { CHECK_UNBUILT, CHECK_BUILDING, CHECK_BUILT, CHECK_REFUSED };

/** The RTL refuses a parameter set, or a kind of run. The verdict names it with the reason. */
struct check_refusal {
  char what[120];
  char *why;        /* owned */
  bool by_original; /* the original refuses it, and not the router */
  bool by_icarus;   /* Icarus refuses it: it is a kind of run, and no parameters */
};

/* Phases of a plan. A phase takes turn after turn until all stages that are due in it have handed out their items. */
enum check_phase { CHECK_AIM, CHECK_BREADTH, CHECK_DEPTH, CHECK_REST, CHECK_PHASES };
enum { CHECK_NO_END = UINT32_MAX };

/** A stage of a plan: items of one kind, and how many of them come in a turn. */
struct check_stage {
  const char *name, *item; /* name for --require; one item of it, for sentences */
  enum check_kind kind;
  uint32_t (*count)(const struct hd_check *c);
  struct check_run (*run)(struct hd_check *c, enum check_kind kind, uint32_t place);
  uint8_t share[CHECK_PHASES]; /* items in a turn of each phase */
  enum check_phase due;        /* the phase that does not end before all items are handed out */
};

/** Lines of a verdict: `add` puts each into a text, or into an array of check.json. */
struct check_lines {
  void (*add)(void *context, const char *line);
  void *context;
};
/** Adds a line: the text up to its first line break, of at most 399 bytes. */
void hd_check_line(const struct check_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** A judge: the runs of a check, and the claims that its verdict may make. */
struct check_judge {
  int (*prepare)(struct hd_check *c, struct hd_error *err); /* lists the runs */
  const struct check_stage *stages;                         /* ends with one without a name */
  const char *passed;                                       /* verdict in check.json */
  const char *(*failed)(const struct hd_check *c);
  const char *question;      /* heading of the page */
  const char *not_looked_at; /* what no run of this judge exercises */
  /* Add the verdict in a sentence, where nothing has failed and where something has. */
  void (*pass)(const struct hd_check *c, struct hd_text *text);
  void (*fail)(const struct hd_check *c, struct hd_text *text);
  /* Lists things that were not exercised, besides kinds of run. */
  void (*missing)(const struct hd_check *c, const struct check_lines *lines);
  /* Lists further results; NULL: there are none. */
  void (*notes)(const struct hd_check *c, const struct check_lines *lines);
  json_t *(*json)(const struct hd_check *c); /* object "router" of check.json; NULL: none */
};
/** A stage, with its items in a turn of each phase last. */
#define STAGE(name, item, KIND, count, run, due, ...)                \
  {                                                                  \
    name, item, CHECK_##KIND, count, run, {__VA_ARGS__}, CHECK_##due \
  }
extern const struct check_stage hd_check_model_stages[], hd_check_rules_stages[];
/** The number of stages that the judge of this check has. */
uint32_t hd_check_stages(const struct hd_check *check);

/* Steps on the example of a group, each a task. The first search for a small example is short, so that a check that is
 * about to end has a small example, too. */
enum check_step {
  CHECK_STEP_SMALL_SOON,
  CHECK_STEP_EXPLAIN,
  CHECK_STEP_SMALL,
  CHECK_STEP_EXPLAIN_SMALL,
  CHECK_STEP_DONE,
};

/* Findings of the steps on an example: X(key of an outcome). */
#define CHECK_FOUND_LIST(X)                                                      \
  X(file)        /* file of the scenario or stream */                            \
  X(sentence)    /* failure of the small example, in a sentence */               \
  X(headline)    /* the broken rule, where, and the packet's way: lines */       \
  X(reason)      /* something that the RTL did and no switch may do */           \
  X(small)       /* sizes before and after shrinking */                          \
  X(inside)      /* name of the first wrong state, without indices */            \
  X(first_wrong) /* first wrong state, in a sentence */                          \
  X(inside_lead) /* cycles from the first wrong state to the difference */       \
  X(cause)       /* signal that was wrong first, in a sentence */                \
  X(cause_lead)  /* cycles from the cause to the difference */                   \
  X(causes)      /* all signals that were wrong first, and their lines of RTL */ \
  X(suspects)    /* names of these signals: MODULE.NAME, separated by blanks */  \
  X(warning)     /* warning of Verilator about one of them */                    \
  X(no_cause)    /* why no cause is known */                                     \
  X(waves)       /* directory with the waves */                                  \
  X(run)         /* directory with the page */

/** Failures with one signature. */
struct check_group {
  char *signature, *sentence; /* owned; sentence: failure of the example as it was found */
  uint64_t n;                 /* failures */
  uint64_t run;               /* number of the example in the sequence */
  enum check_kind kind;       /* of the example */
  enum check_step step;       /* the next step, or the one under way */
  bool busy, unfinished;      /* busy: `step` is under way; unfinished: it may get smaller */
  struct {
#define CHECK_FOUND(key) char *key;
    CHECK_FOUND_LIST(CHECK_FOUND)
#undef CHECK_FOUND
  } found;         /* owned; NULL: not known */
  uint32_t leader; /* the group that shows the kind of difference; maybe this one */
};

/** The scenario of --scenario and the switch of --switch: runs with them come first. */
struct check_aim {
  bool some, has_scenario;                    /* some: one of the options is given */
  struct hd_setting settings[CHECK_AIM_KEYS]; /* [n], keys of --switch; in `paths` and `text` */
  size_t n;
  char text[512], paths[CHECK_AIM_KEYS][64];
  uint64_t seed; /* seed of the scenario */
  struct hd_switch_params sw;
  uint32_t set; /* number of `sw` in `sets` of the check */
};

/** Proofs that changed modules are equal to the original's (check_equal.c). */
struct check_equal {
  struct hd_equal *modules;  /* owned; NULL: the RTL is the original itself */
  bool trusted;              /* `make formal-record` has proved the original */
  struct hd_equal_sets sets; /* of all modules */
  uint32_t n_of_file;        /* the first of them are those of tb/instances.txt */
  bool left_out;             /* changes name more values than there is room for */
  struct check_equal_proof {
    const struct hd_equal_set *set;
    /* Switches that hold such an instance: numbers in `sets` of the check, or CHECK_NO_SET. */
    uint32_t holder[HD_EQUAL_HOLDERS];
    bool ended, tried_flat; /* tried_flat: the attempt with submodules inside has begun */
    struct hd_equal_outcome outcome;
  } * proofs;          /* [n], owned */
  uint32_t n, ended;   /* ended: proofs with an outcome */
  uint32_t proving;    /* tasks under way */
  uint32_t still_open; /* proofs that stayed open with submodules inside, too */
  double cpu_seconds;
};

/** A warning of a tool. */
struct check_warning {
  uint64_t number; /* of the first run that had it */
  char *line;      /* owned */
};

/** Speed of a router with one parameter set. */
struct check_speed {
  bool known;
  double latency_cycles; /* mean latency at little load; 0: not measured */
  double accepted;       /* flits per node and cycle at full load; 0: not measured */
};

/* A fabric for any router. Its switches need at least these ports, channels and table entries. With columns it is a mesh
 * that is routed by dimension order, which routers without tables can be in. */
struct check_fabric {
  uint8_t ports, vcs, nodes, columns;
  bool by_source;
  const char *keys;
};
/* A described network is the only fabric, once with short links and once with long ones. */
enum { CHECK_NETWORKS = 2 };

struct hd_check {
  const struct hd_check_params *params;
  const struct check_judge *judge;
  struct hd_text definition, identity;
  char rtl_dir[4096], original_dir[4096]; /* absolute */
  bool is_original;                       /* the RTL is the original's, byte for byte */
  const char *directory;                  /* of the results; borrowed */
  struct soak_opened *opened;             /* backends that this process has open */
  bool has_tool[CHECK_LINTERS];           /* hd_check_linters that are installed */
  bool in_vhdl; /* a router that only GHDL reads, which is four-state in every run */
  /* [n_sets]. Random scenarios draw from the first n_random_sets, large ones from the sets after those, scenarios with
   * computed routes from the first n_drawn_sets. */
  struct hd_switch_params sets[CHECK_NO_SET];
  uint32_t n_random_sets, n_sets, n_drawn_sets;
  uint32_t stream_set[CHECK_STREAM_SETS]; /* number in `sets` of each set of hd_stream_case */
  enum check_build built[CHECK_NO_SET];
  bool suspected[CHECK_NO_SET]; /* an open proof makes the set suspect (check_suspect.c) */
  uint32_t end_set[CHECK_END_SETS], n_end_sets; /* numbers in `sets` of the holders of all proofs */
  uint32_t building, at_work;                   /* builds under way; all tasks under way */
  struct check_scenario *stock;                 /* [n_stock], owned; small ones first */
  size_t n_stock;
  struct check_equal equal;
  struct check_proof proofs[CHECK_PROOFS]; /* [n_proofs] */
  uint32_t n_proofs;
  uint32_t drawn[CHECK_DRAWN]; /* numbers of random scenarios, in the order in which they run */
  struct check_run *runs;      /* [n_runs], owned: the sequence as far as it was needed */
  uint64_t n_waiting;          /* the first runs, each of which waits until its set is suspect */
  uint64_t n_runs, capacity;
  uint64_t first;      /* all runs before this one are handed out */
  uint64_t n_compared; /* runs of kinds that compare */
  uint64_t limit;      /* number of runs after which the sequence ends; 0: not known yet */
  struct {
    uint32_t size, next; /* items of the stage; those that are in `runs` */
    uint32_t ended;
  } stages[CHECK_STAGES];
  uint32_t required; /* stages of --require, a bit each */
  struct check_aim aim;
  uint32_t phase, turn;            /* of the plan, at the end of `runs` */
  uint32_t streams[CHECK_STREAMS]; /* [n_listed]: numbers of hd_check_stream, as they come */
  uint32_t n_main_streams;         /* of `streams`: the first ones, which have the main styles */
  uint32_t n_listed, n_streams;    /* n_streams: streams that hd_check_stream knows */
  /* First numbers of three kinds of streams: short ones into each set, those into the aim's set, those into `end_set`. */
  uint32_t first_short, first_aimed, first_end;
  /* Numbers in `sets`: of the stock scenarios' switches, and of those of the check's own scenarios. */
  uint32_t file_set[CHECK_FILE_SETS], own_set[CHECK_KINDS];
  struct check_refusal refusals[CHECK_REFUSALS]; /* [n_refusals] */
  uint32_t n_refusals;
  bool refuses[CHECK_KINDS];   /* the RTL cannot carry out runs of this kind */
  struct hd_port_counts ports; /* how often runs tested each rule at ports */
  struct check_speed speed[CHECK_NO_SET];
  struct check_fabric networks[CHECK_NETWORKS];
  char *network_keys[CHECK_NETWORKS]; /* owned; NULL: the DUT is a router */
  struct {
    bool latency, accepted;
  } held;        /* figures that were compared with the budget */
  bool has_only; /* the check carries out only the run `only` */
  struct check_run only;
  struct hd_tape *tape; /* the stream of params->stream_file, owned; NULL: none */
  char text[64];        /* text of the task that was handed out last */

  /* Results for each kind of run. */
  struct {
    uint64_t ended, failed;
    double seconds;
  } kinds[CHECK_KINDS];
  double started;                     /* hd_seconds_now() */
  double first_failed_seconds;        /* from `started`; valid where `failed` is not 0 */
  double build_seconds, step_seconds; /* sums over workers; n_built switches took build_seconds */
  uint32_t n_built;
  uint64_t failed, events, switch_cycles;
  uint64_t missed; /* of `failed`: those that missed a budget */
  uint64_t alike;  /* of `failed`: those in which the original breaks the same rule */
  struct check_warning warned[CHECK_WARNINGS + 1]; /* [n_warnings], by number */
  uint32_t n_warnings;
  /* Runs that failed and say nothing about the RTL; number, status and message (owned) of the first of them. */
  uint64_t inconclusive, inconclusive_run;
  int inconclusive_status;
  char *inconclusive_text;
  uint64_t ruled_messages, ruled_rounds; /* messages and rounds that keep rules T1 to T9 (§8.13) */
  uint64_t proved, unproved, unfit;      /* proofs of properties */
  uint64_t stress_cycles;                /* compared with the original */
  uint64_t without_original;             /* runs for which the original does not build */
  uint64_t without_lanes;                /* runs for which Yosys makes no netlist */
  char *lanes_refusal;                   /* why, for the first of these; owned */
  /* The first difference of the original from the model that this RTL does not have, owned; NULL: none. */
  char *original_wrong;
  struct soak_coverage *coverage; /* values of the random scenarios that agreed */
  struct hd_coverage_set points;  /* points of the specification that agreeing runs covered */
  struct check_group groups[CHECK_GROUPS];
  uint32_t n_groups;
  uint64_t ungrouped; /* failures for which there was no group left */
  char *unbuilt;      /* why the RTL does not build, owned; NULL: it builds */
};

/** Names of the linters, which are also the names of their packages. */
extern const char *const hd_check_linters[CHECK_LINTERS];

/** Adds a failed run to the group of its signature. */
void hd_check_group_add(struct hd_check *check, const struct check_run *run, uint64_t number,
                        const struct hd_task_outcome *outcome);
/** Hands out the next step of a group; false: no group has one. */
bool hd_check_group_task(struct hd_check *check, struct hd_task *task);
/** Takes the outcome of a step on the run of that number. */
void hd_check_group_step(struct hd_check *check, uint64_t number, enum check_step step,
                         const struct hd_task_outcome *outcome);
/** Is there an example that is not explained yet? */
bool hd_check_groups_unfinished(const struct hd_check *check);
/** Returns the order of a step's task without the run's number: larger than those of runs, proofs and builds. */
static inline uint64_t hd_check_step_order(enum check_step step)
{
  return (uint64_t)(step + 1) << CHECK_STEP_SHIFT;
}
/** The number of kinds of difference. */
uint32_t hd_check_groups_kinds(const struct hd_check *check);
void hd_check_groups_free(struct hd_check *check);

/** Lists the scenarios that come with Heddle. HD_E_INPUT. */
int hd_check_find_scenarios(struct hd_check *check, struct hd_error *err);
/** Returns the text of the check's own scenario of a kind: FOUR_STATE, LARGE or LONG. */
const char *hd_check_scenario(enum check_kind kind);
/** Gives the switch that such a scenario needs; false: it cannot be carried out. */
bool hd_check_scenario_switch(enum check_kind kind, struct hd_switch_params *sw);

/** Reads params->scenario and params->switch_keys. HD_E_INPUT, HD_E_IO. */
int hd_check_read_aim(struct hd_check *check, struct hd_error *err);
/** Writes run `index` of the scenario of --scenario: with the keys of --switch, another seed, and absolute names of its
 *  files. HD_E_INPUT, HD_E_IO. */
int hd_check_write_aimed(const struct hd_check *check, uint32_t index, const char *path,
                         struct hd_error *err);

/** Writes the scenario of a file to `path`, with `settings` in it and absolute names of its files. HD_E_INPUT, HD_E_IO. */
int hd_check_write_whole(const char *from, const struct hd_setting *settings, size_t n,
                         const char *path, struct hd_error *err);

/** Puts the warnings about the RTL in a tool's log. */
void hd_check_put_warnings(struct hd_task_outcome *outcome, const char *log);
/** Takes the warnings of the run of that number. */
void hd_check_merge_warnings(struct hd_check *check, uint64_t number,
                             const struct hd_task_outcome *outcome);
void hd_check_warnings_free(struct hd_check *check);

/** Reads the list of proofs of properties; if there is no such file, the list is empty. HD_E_INPUT, HD_E_IO. */
int hd_check_find_proofs(struct hd_check *check, struct hd_error *err);
/** Tries a proof. Where it is refuted, the log stays and `err` gets a sentence. */
enum check_proved hd_check_prove(const struct hd_check *check, const struct check_proof *proof,
                                 const char *log_path, struct hd_error *err);

/** Compares the text with the original's, and lists proofs for modules that differ. HD_E_INPUT: params->proof_of names
 *  no changed module; HD_E_TOOL: Yosys is missing for these proofs; HD_E_IO. */
int hd_check_find_equal(struct hd_check *check, struct hd_error *err);
void hd_check_equal_free(struct check_equal *equal);
/** Adds parameter sets with values that changed modules name (check_named.c). */
void hd_check_name_sets(struct check_equal *equal);
/** Finds the value of parameter `name` in a text such as "N=1 M=2". False: the name is not there. */
bool hd_check_value_of(const char *parameters, const char *name, uint32_t *value);
/** Reads all parameters of a switch. False: a parameter is missing, or there is no such switch. */
bool hd_check_read_switch(const char *parameters, struct hd_switch_params *sw);
/** Carries out a proof. `flatten`: with submodules inside. */
void hd_check_prove_equal(const struct hd_check *check, uint32_t index, bool flatten,
                          struct hd_task_outcome *outcome);
/** Takes the outcome of a proof. */
void hd_check_merge_proof(struct hd_check *check, uint32_t index, bool flatten,
                          const struct hd_task_outcome *outcome);
/** Gives the next open proof that is to be tried with submodules inside; false: there is none now. */
bool hd_check_equal_next(struct hd_check *check, uint32_t *index);
/** Lists the switches that hold instances of the proofs in `end_set`. `place` gives a set's number in `sets`. */
void hd_check_list_ends(struct hd_check *check,
                        uint32_t (*place)(struct hd_check *check,
                                          const struct hd_switch_params *sw));
/** Marks sets as suspect: their switches hold an instance that is not proved equal, while its module is proved with
 *  other parameters. */
void hd_check_suspect(struct hd_check *check);
/** Has a proof left a register or wire of a module open? */
bool hd_check_equal_is_open(const struct hd_check *check, const char *module, const char *wire);
/** The number of proofs that ended with this status. */
uint32_t hd_check_equal_count(const struct hd_check *check, enum hd_equal_status status);
/** Does the RTL differ from the original's text in comments only? */
bool hd_check_equal_text_only(const struct hd_check *check);
/** Is the RTL shown to be the switch? Its text is the original's, or each changed module is proved equal with all its
 *  sets; the original is trusted; and nothing has failed. */
bool hd_check_settled(const struct hd_check *check);
/** Have all proofs that --proof-of asks for succeeded? They say nothing of other modules and parameter sets. */
bool hd_check_asked_is_proved(const struct hd_check *check);
/** Adds the sentences on changed modules. */
void hd_check_equal_text(const struct hd_check *check, struct hd_text *text);
/** Lists the proofs that did not end, and the limits of those that did. */
void hd_check_equal_missing(const struct hd_check *check, const struct check_lines *lines);

/** Lists parameter sets, streams and scenarios. HD_E_INPUT: there is no such stream or proof. HD_E_TOOL: Yosys is
 *  missing. */
int hd_check_sequence(struct hd_check *check, struct hd_error *err);
/** The run of stream `index` of hd_check_stream. */
struct check_run hd_check_stream_run(const struct hd_check *check, uint32_t index);
/** Random scenario number `place`, in the order of `drawn`. Each tenth run is of kind EVERY_CYCLE. */
struct check_run hd_check_random_run(struct hd_check *check, enum check_kind kind, uint32_t place);

/** The number of ended runs of kinds that compare. */
uint64_t hd_check_compared(const struct hd_check *check);
/** The number of switches that the runs need, as far as the sequence is known. */
uint32_t hd_check_switches(const struct hd_check *check);

/** How much of a stage has been carried out. */
struct check_reached {
  const char *name, *item; /* as in check_stage */
  uint32_t ended, size;    /* size UINT32_MAX: the stage has no end */
  bool complete, required;
};
struct check_reached hd_check_reached(const struct hd_check *check, uint32_t stage);
/** Adds a line "plan: 12 of 42 parameter sets, 0 of 28 proofs; about 3 minutes more would reach every parameter set". */
void hd_check_reached_text(const struct hd_check *check, struct hd_text *text);
/** Reads params->require. HD_E_INPUT. */
int hd_check_read_require(struct hd_check *check, struct hd_error *err);
/** Is a required stage not complete? */
bool hd_check_falls_short(const struct hd_check *check);
/** Adds how far such stages came. */
void hd_check_add_short(const struct hd_check *check, struct hd_text *text);

/** Has the plan gone beyond breadth, so that all short streams are in the sequence? */
bool hd_check_is_deep(const struct hd_check *check);
/** Sets the stages up, and lists the runs that wait until their set is suspect. */
void hd_check_plan(struct hd_check *check);
/** The number of such runs that may begin or have begun. */
uint32_t hd_check_ends(const struct hd_check *check);
/** Makes the sequence of runs at least `to` long, or as long as it gets. */
void hd_check_extend(struct hd_check *check, uint64_t to);
/** Draws the random scenario of that number. */
void hd_check_draw(const struct hd_check *check, uint32_t index, struct soak_case *drawn);
/** Gives the stream of that number, and returns the number of its set in `sets`. */
uint32_t hd_check_stream(const struct hd_check *check, uint32_t index,
                         struct hd_stream_case *stream);

/* Preparation for each judge: lists switches and runs. HD_E_INPUT, HD_E_IO, HD_E_TOOL. */
int hd_check_prepare_any(struct hd_check *check, struct hd_error *err);

/** Tests whether the router routes packets without the routing tables of the scenario. */
bool hd_check_routes_itself(const struct hd_check *check);
int hd_check_prepare_original(struct hd_check *check, struct hd_error *err);
int hd_check_prepare_model(struct hd_check *check, struct hd_error *err);
/** Writes the scenario of a run (hd_check_is_ruled) to `directory`/`name`.yaml; `path` gets that name. HD_E_INPUT,
 *  HD_E_IO. */
int hd_check_write_ruled(const struct hd_check *check, const struct check_run *run,
                         const char *directory, const char *name, char path[SOAK_PATH],
                         struct hd_error *err);
struct hd_stress_router;
/** Finds a switch of a fabric of the check whose packets run `run` beside the original can use. The caller frees the
 *  result by hd_check_stress_router_fini, after failures too. HD_E_INPUT, HD_E_IO, HD_E_NOTHING. */
int hd_check_stress_router(const struct hd_check *check, const struct check_run *run,
                           struct hd_stress_router *router, struct hd_error *err);
void hd_check_stress_router_fini(struct hd_stress_router *router);
/** Describes a switch: "5 ports, 2 VCs x 4 flits of 16 bits, 16 nodes". */
void hd_check_set_text(const struct hd_switch_params *sw, char *text, size_t size);
struct hd_run_report;
/** Puts how often rules were tested, and the router's speed. Fails the task where a budget is missed. */
void hd_check_put_router(const struct hd_check *check, const struct check_run *run,
                         const char *path, const struct hd_run_report *report,
                         struct hd_task_outcome *outcome);
/** Takes these results. */
void hd_check_merge_router(struct hd_check *check, const struct check_run *run,
                           const struct hd_task_outcome *outcome);
/** Is this message of a tool about the original? */
bool hd_check_is_of_original(const char *message);
/** Notes that a set does not build, or that Icarus refuses the RTL. run NULL: the task was a build. */
void hd_check_note_refusal(struct hd_check *check, const struct check_run *run, uint32_t set,
                           const struct hd_task_outcome *outcome);
/** Says which scenario or budget of the user had no run. NULL: all of them had. */
const char *hd_check_unmet(const struct hd_check *check);
/** Does the RTL refuse all of the first `n` sets? */
bool hd_check_are_refused(const struct hd_check *check, uint32_t n);
/** The judge that the parameters ask for. */
const struct check_judge *hd_check_judge_of(const struct hd_check_params *params);

/** Carries out a run. */
void hd_check_run_task(struct hd_check *check, const struct check_run *run,
                       struct hd_task_outcome *outcome);
/** Builds the switch of a set. */
void hd_check_build(struct hd_check *check, uint32_t set, struct hd_task_outcome *outcome);
/** Carries out a step on a run that is a group's example. */
void hd_check_run_step(struct hd_check *check, const struct check_run *run, enum check_step step,
                       struct hd_task_outcome *outcome);

/** Reads the stream of params->stream_file, if there is one. HD_E_INPUT, HD_E_IO. */
int hd_check_read_tape(struct hd_check *check, struct hd_error *err);
/** Carries out a stream, or a step on one. */
void hd_check_run_stream(struct hd_check *check, const struct check_run *run,
                         struct hd_task_outcome *outcome);
void hd_check_run_stream_step(struct hd_check *check, const struct check_run *run,
                              enum check_step step, struct hd_task_outcome *outcome);

/** Returns the seconds that are left of the check's time; less than 0: it is over. */
double hd_check_left(const struct hd_check *check);
/** Returns the seconds that a search for a smaller example may take, at most params->shrink_seconds. The first, short
 *  search gets at most 3 s; later searches share the time that is left. */
double hd_check_shrink_seconds(const struct hd_check *check, enum check_step step);

/** Adds the command that repeats a stream or a run beside the original. file: that of the stream, or NULL. */
void hd_check_stream_command(const struct hd_check *check, const struct check_run *run,
                             const char *file, struct hd_text *text);

struct hd_tape;
/** Is the tape so small that Icarus plays it before Verilator has built its switch? */
bool hd_check_is_quick(const struct hd_check *check, const struct hd_tape *tape);
/** Opens the checked RTL with waves of all signals, in Icarus where `quick`, else in Verilator. Errors as of
 *  hd_backend_open. */
int hd_check_open(const struct hd_check *check, bool quick, const struct hd_switch_params *params,
                  struct hd_backend *backend, struct hd_error *err);

/** Explains a stream, or a scenario of `kind`. Waves and pages go to the directory `out`, findings to the outcome. */
void hd_check_explain_tape(const struct hd_check *check, const struct check_run *run,
                           struct hd_tape *tape, const char *title, const char *file,
                           const char *out, struct hd_task_outcome *outcome);
void hd_check_explain_run(const struct hd_check *check, enum check_kind kind, const char *yaml,
                          const char *out, struct hd_task_outcome *outcome);

/** Tests whether the model can carry out a drawn scenario, in files called `name`. HD_E_INTERNAL: it cannot; other codes:
 *  the test itself failed. No code says anything about the RTL. */
int hd_check_drawn(const struct soak_case *drawn, const char *directory, const char *name,
                   struct hd_error *err);
/** The signature of a run whose scenario the model cannot carry out. */
extern const char hd_check_no_scenario[];
/** The signature of a run in which the original failed. */
extern const char hd_check_original_failed[];

/** Elaborates the checked RTL in a tool. strict: Verilator fails at a warning, too. *code gets the tool's exit code. Errors
 *  as of hd_tool_run. */
int hd_check_lint(const struct hd_check *check, enum check_linter tool,
                  const struct hd_switch_params *params, bool strict, const char *log, int *code,
                  struct hd_error *err);
/** Runs a scenario as `heddle run` does, with the check's RTL on `dut`, and keeps only its results. setting: NULL, or one
 *  that replaces a value of the scenario. Errors as of hd_run. */
int hd_check_run_scenario(const struct hd_check *check, const char *path, enum check_kind kind,
                          const struct hd_setting *setting, struct hd_run_report *report,
                          struct hd_error *err);

/** Gives the absolute path of a file in the directory of results. False: the task has failed, as there is none. */
bool hd_check_result_path(const struct hd_check *check, struct hd_task_outcome *outcome,
                          char path[4200], const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Settings for the soak's functions: the RTL, its backends and the directory. */
struct soak_common hd_check_common(struct hd_check *check, enum check_kind kind);

void hd_check_put_count(struct hd_task_outcome *outcome, const char *key, uint64_t n);
void hd_check_put_text(struct hd_task_outcome *outcome, const char *key, const char *text);
/** Puts the points of the specification that a run exercised. */
void hd_check_put_points(struct hd_task_outcome *outcome, const struct hd_coverage_set *points);
/** Puts an explanation: reason, headline, and the first wrong state as a sentence and by its name without indices. */
void hd_check_put_inside(struct hd_task_outcome *outcome, const struct hd_explanation *explanation);

/** Puts the number of cycles from the first wrong signal or state to the difference. */
void hd_check_put_lead(struct hd_task_outcome *outcome, const char *key, uint64_t wrong,
                       uint64_t shown);

/** Returns the backend and its options for a kind of run, such as "verilator:every-cycle". */
const char *hd_check_dut(const struct hd_check *c, enum check_kind kind);

#endif
