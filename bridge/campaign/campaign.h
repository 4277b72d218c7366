/* A campaign: many runs, carried out by worker processes and MPI ranks, with results in one file.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A campaign is a set of tasks. A plan names them one by one, and may read outcomes before it names
 * more. Each task runs in a process of its own, so that a task that crashes or hangs has an outcome
 * and does not end the campaign. If the plan says that it is faster, several tasks run in one
 * process. Outcomes go to a SQLite file (docs/sweep.md has its schema). If the file exists, the
 * campaign continues.
 *
 * A plan may decide by outcomes, but not by their order. Then tasks and outcomes are the same for
 * any number of workers, and after any number of interruptions.
 *
 * This is a library: it prints nothing.
 */
#ifndef HD_CAMPAIGN_H
#define HD_CAMPAIGN_H

#include "../../cmodel/error.h"
#include "../host/value.h"
#include "../ranks/ranks.h"

/** One piece of work. Its texts are borrowed. Those that a plan gives stay valid until the
 *  plan's next call of `next`. */
struct hd_task {
  uint64_t order;   /* position among the outcomes; different for each task */
  const char *kind; /* one word that names the kind of work */
  const char *text; /* all that the outcome depends on, besides the campaign's identity */
  double work;      /* > 0: rough cost in any unit, to estimate the time left */
};

/** A value of a task's outcome. */
struct hd_task_value {
  char *key, *unit;      /* owned; unit: NULL if there is none */
  struct hd_value value; /* COUNT, REAL, FLAG or TEXT; its text is owned */
};
struct hd_task_outcome {
  int status;      /* HD_OK or HD_E_ */
  bool failed;     /* the campaign counts it as a failure */
  char *message;   /* owned; NULL: none */
  char *signature; /* owned; equal for failures that look alike; NULL: none */
  struct hd_task_value *values;
  size_t n_values, capacity;
  double seconds; /* how long the task took */
};

/** Adds a named value; texts are copied. */
void hd_task_outcome_add(struct hd_task_outcome *outcome, const char *key, const char *unit,
                         const struct hd_value *value);
/** Stores why a task failed, and the signature that failures like this one share (NULL: none).
 *  Texts are copied. */
void hd_task_outcome_fail(struct hd_task_outcome *outcome, int status, const char *message,
                          const char *signature);
/** Finds the value of a key; NULL: there is none. */
const struct hd_value *hd_task_outcome_find(const struct hd_task_outcome *outcome, const char *key);
/** The number of a key; 0: there is no such count. */
uint64_t hd_task_outcome_count(const struct hd_task_outcome *outcome, const char *key);
/** The text of a key, borrowed; NULL: there is no such text. */
const char *hd_task_outcome_text(const struct hd_task_outcome *outcome, const char *key);
void hd_task_outcome_fini(struct hd_task_outcome *outcome);

/** The tasks of a campaign, and the functions that carry them out. */
struct hd_plan {
  void *context;
  /** Gives the next task that can be handed out. Returns false if no task is left, or if the
   *  next one depends on an outcome that is missing. */
  bool (*next)(void *context, struct hd_task *task);
  /** Carries out the task in a process of its own, which ends afterwards. It may crash. */
  void (*run_task)(void *context, const struct hd_task *task, struct hd_task_outcome *outcome);
  /** Gives a task's outcome to the plan, which may take values out of it. Returns 0, or a status
   *  that ends the campaign. */
  int (*ended)(void *context, const struct hd_task *task, struct hd_task_outcome *outcome,
               struct hd_error *err);
  /** Gives the number of all tasks, as far as it is known, and their work. NULL: not known. */
  void (*size)(void *context, uint64_t *tasks, double *work);
  /** Tests whether the plan has all that it needs. Then running tasks are given up, and the
   *  campaign is complete. NULL: only when all tasks have ended. */
  bool (*enough)(void *context);
  /** Adds to progress lines what was done and what is running, in place of the number of tasks.
   *  NULL: lines have the number. */
  void (*describe)(void *context, struct hd_text *text);
  /** Carries out several tasks, each as run_task does. If the process dies, each task is
   *  repeated in a process of its own. Ranks get one task at a time. NULL: one after the other
   *  is as fast. */
  void (*run_tasks)(void *context, const struct hd_task tasks[], uint32_t n,
                    struct hd_task_outcome outcomes[]);
  /** Returns how many tasks may be carried out together, 1 to HD_TASKS_BATCH: the task that
   *  `next` gave last, and the following ones. Required with run_tasks. */
  uint32_t (*batch_size)(void *context);
  /** Tests whether there is work for which the campaign may use its grace period. NULL: there
   *  never is. */
  bool (*unfinished)(void *context);
};
enum { HD_TASKS_BATCH = 64 };

struct hd_campaign_progress {
  uint64_t tasks;                  /* 0: unknown */
  uint64_t ended, known, failed;   /* known: those of `ended` whose outcomes are from before */
  uint32_t running, workers, lost; /* lost: workers that do not answer any more */
  double seconds, per_second, seconds_left; /* seconds_left < 0: unknown */
  /* Text of the plan in place of the number of tasks; NULL: none. */
  const char *plan_text;
};

/** Adds a progress line, such as "12 of 66 runs (3 from before), 1 failed, 2 workers, 3.1
 *  runs/s, 0:04, about 0:13 left". */
void hd_campaign_progress_add(const struct hd_campaign_progress *progress, struct hd_text *text);

struct hd_campaign {
  const char *directory;      /* gets campaign.db; made if it is missing */
  const char *name, *command; /* for readers of the file */
  const char *definition;     /* input of the plan; a campaign continues only with an equal one */
  /* All that tasks depend on besides their texts: the versions of Heddle, RTL and build tools. */
  const char *identity;
  bool afresh; /* delete the file's content first, if no other process uses it */
  struct hd_plan plan;
  uint32_t workers;        /* processes at a time on this machine; 0: one for each core */
  struct hd_ranks *ranks;  /* NULL: no MPI */
  double seconds;          /* time budget; 0: none. Tasks that run at its end are given up */
  double grace_seconds;    /* further time while `unfinished` returns true */
  double patience_seconds; /* a task that takes longer is killed; 0: no limit */
  uint64_t most_failures;  /* the campaign ends after so many failures; 0: no limit */

  void *context;
  void (*progress)(void *context, const struct hd_campaign_progress *progress); /* may be NULL */
  double progress_seconds;     /* least time between two calls of `progress` */
  bool (*stop)(void *context); /* may be NULL */
};

/** Adds what tasks on the RTL in `rtl_dir` (NULL: the installed one) depend on, as the
 *  campaign's `identity`: this program, and hd_backend_identity. Errors: HD_E_INPUT, HD_E_IO. */
int hd_campaign_identity(struct hd_text *identity, const char *rtl_dir, struct hd_error *err);

/** Returns a hash of definition and identity. Campaigns with different hashes get different
 *  directories. */
uint64_t hd_campaign_hash(const struct hd_campaign *campaign);

/** Returns the number of processes at a time on this machine. */
uint32_t hd_campaign_workers(const struct hd_campaign *campaign);

/** The reason why a campaign ended. */
enum hd_campaign_end {
  HD_CAMPAIGN_COMPLETE,
  HD_CAMPAIGN_TIME,     /* the budget is used up */
  HD_CAMPAIGN_FAILURES, /* the limit of failures was reached */
};

struct hd_campaign_result {
  enum hd_campaign_end end;
  uint64_t ended, known, failed;
  uint32_t lost; /* workers that did not answer any more */
  uint32_t workers;
  double seconds;
  double busy_seconds; /* sum of the times of all tasks that ended in this call */
};

/** Returns the share of their time, 0 to 1, that workers spent in tasks. 0: no task ended in
 *  this call. */
double hd_campaign_efficiency(const struct hd_campaign_result *result);

/** Carries a campaign out, or continues it. Outcomes from before are known, except those of
 *  HD_E_IO, HD_E_NOMEM, HD_E_TOOL and HD_TASK_HUNG, whose tasks are repeated. Errors:
 *  HD_E_INTERRUPTED: `stop` returned true, and the file has the tasks that have ended;
 *  HD_E_INPUT: the file belongs to another campaign, RTL or version; HD_E_IO: the file cannot be
 *  written, or another process uses it; any status of the plan's functions. */
int hd_campaign_run(const struct hd_campaign *campaign, struct hd_campaign_result *result,
                    struct hd_error *err);

/** Calls `row` for each task that has ended, in order. Its arguments are borrowed for the call.
 *  Returns 0, the status of `row`, HD_E_IO or HD_E_INPUT. */
int hd_campaign_each(const char *directory,
                     int (*row)(void *context, const struct hd_task *task,
                                const struct hd_task_outcome *outcome, struct hd_error *err),
                     void *context, struct hd_error *err);

/** Facts about a campaign, from its file. */
struct hd_campaign_about {
  char *name, *command, *definition, *identity, *heddle, *started; /* owned */
  bool complete; /* all tasks ended, up to the campaign's limits */
};

/** Reads the facts. Errors: HD_E_IO, HD_E_INPUT (no campaign). Call hd_campaign_about_fini in
 *  any case. */
int hd_campaign_about_read(struct hd_campaign_about *about, const char *directory,
                           struct hd_error *err);
void hd_campaign_about_fini(struct hd_campaign_about *about);

/** Carries out one task in a process of its own, without a campaign, for callers that choose the
 *  next task by each outcome. Uses `context` and `run_task` of the plan. Errors:
 *  HD_E_INTERRUPTED: `stop`, which may be NULL, returned true; HD_E_IO: the process cannot be
 *  started. */
int hd_task_run(const struct hd_plan *plan, const struct hd_task *task, double patience_seconds,
                bool (*stop)(void *context), void *context, struct hd_task_outcome *outcome,
                struct hd_error *err);
/** Signature of a task that took too long. */
#define HD_TASK_HUNG "no end"

/* ── MPI ───────────────────────────────────────────────────────────────────── */

/** Called in ranks other than 0. Carries out the tasks that rank 0 sends, until rank 0 ends the
 *  campaign or is gone. */
int hd_ranks_serve(struct hd_ranks *ranks, const struct hd_campaign *campaign,
                   struct hd_error *err);

#endif
