/* Many runs as one: handed out to worker processes and to MPI ranks, kept in one file.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A campaign is a set of tasks. A plan names them, one after the other, and may look at outcomes before
 * it names more. Each task is carried out in a process of its own, so that one that crashes or hangs is
 * an outcome and no end; or several in one process, where the plan says that this is faster. Outcomes go to a SQLite file (docs/sweep.md has its schema); a campaign whose
 * file is there already goes on where it was left.
 *
 * A plan that decides by outcomes alone, and not by the order in which they come, has the same tasks and
 * outcomes whatever the number of workers, and however often it was interrupted.
 *
 * A library: it prints nothing.
 */
#ifndef HD_CAMPAIGN_H
#define HD_CAMPAIGN_H

#include "../../cmodel/error.h"
#include "../host/value.h"
#include "../ranks/ranks.h"

/** One piece of work. Texts are borrowed; those that a plan gives stay valid until it is asked for
 *  the next task. */
struct hd_task {
  uint64_t order;   /* position among the outcomes; different for each task */
  const char *kind; /* one word: which kind of work the text describes */
  const char *text; /* all that the outcome depends on, besides the campaign's identity */
  double work;      /* > 0: rough cost in any unit, to estimate the time left */
};

/** A value of a task's outcome. */
struct hd_task_value {
  char *key, *unit;      /* owned; unit NULL: none */
  struct hd_value value; /* COUNT, REAL, FLAG or TEXT; its text is owned */
};
struct hd_task_outcome {
  int status;      /* HD_OK or HD_E_ */
  bool failed;     /* the campaign counts it as a failure */
  char *message;   /* owned; NULL: none */
  char *signature; /* owned; alike for failures that look alike; NULL: none */
  struct hd_task_value *values;
  size_t n_values, capacity;
  double seconds; /* how long the task took */
};

/** Adds a named value; texts are copied. */
void hd_task_outcome_add(struct hd_task_outcome *outcome, const char *key, const char *unit,
                         const struct hd_value *value);
/** Notes why a task failed, and what failures like this one have in common (NULL: nothing). */
void hd_task_outcome_fail(struct hd_task_outcome *outcome, int status, const char *message,
                          const char *signature);
/** The value of a key; NULL: there is no such key. */
const struct hd_value *hd_task_outcome_find(const struct hd_task_outcome *outcome, const char *key);
void hd_task_outcome_fini(struct hd_task_outcome *outcome);

/** The tasks of a campaign, and the functions that carry them out. */
struct hd_plan {
  void *context;
  /** Gives the next task that can be handed out. False: no task is left, or none before another
   *  outcome. */
  bool (*next)(void *context, struct hd_task *task);
  /** Carries out the task in a process of its own, which ends afterwards and may crash. */
  void (*run_task)(void *context, const struct hd_task *task, struct hd_task_outcome *outcome);
  /** Gives the plan a task's outcome, of which it may take values over. 0, or a status that ends
   *  the campaign. */
  int (*ended)(void *context, const struct hd_task *task, struct hd_task_outcome *outcome,
               struct hd_error *err);
  /** The number of all tasks as far as it is known, and their work. NULL: it is not known. */
  void (*size)(void *context, uint64_t *tasks, double *work);
  /** Tests whether everything that should be found out is known. Then tasks under way are given up,
   *  and the campaign is complete. NULL: never before its end. */
  bool (*enough)(void *context);
  /** Adds to the progress what was done and is under way, instead of the number of tasks. NULL: the
   *  number. */
  void (*tell)(void *context, struct hd_text *text);
  /** Carries out several tasks, each as run_task does. NULL: one after the other is as fast. If the
   * process dies, each task is repeated in a process of its own. Ranks get one task at a time. */
  void (*run_tasks)(void *context, const struct hd_task tasks[], uint32_t n,
                    struct hd_task_outcome outcomes[]);
  /** The most tasks that may be carried out together, 1 to HD_TASKS_TOGETHER: the task that `next`
   *  named last, and those after it. Must not be NULL when run_tasks is given. */
  uint32_t (*together)(void *context);
  /** Tests whether there is work for which the campaign may use its grace period. NULL: there is
   * never any. */
  bool (*unfinished)(void *context);
};
enum { HD_TASKS_TOGETHER = 64 };

struct hd_campaign_progress {
  uint64_t tasks;                           /* 0: unknown */
  uint64_t ended, known, failed;            /* known: of `ended`, those from before */
  uint32_t running, workers, lost;          /* lost: workers that did not answer any more */
  double seconds, per_second, seconds_left; /* seconds_left < 0: unknown */
  const char
      *told; /* line that the plan prints in place of the number of tasks; NULL: it prints none */
};

/** Adds "12 of 66 runs (3 from before), 1 failed, 2 workers, 3.1 runs/s, 0:04, about 0:13 left". */
void hd_campaign_progress_add(const struct hd_campaign_progress *progress, struct hd_text *text);

struct hd_campaign {
  const char *directory;      /* made where it is not there; campaign.db goes there */
  const char *name, *command; /* shown to readers of the file */
  const char *definition; /* input of the plan: a campaign is continued only with an equal one */
  const char
      *identity; /* what all tasks depend on besides their texts: the versions of Heddle and RTL */
  bool afresh;   /* delete the file's content, if no other process uses it */
  struct hd_plan plan;
  uint32_t workers;        /* processes at a time on this machine; 0: one a core */
  struct hd_ranks *ranks;  /* NULL: no MPI */
  double seconds;          /* budget; 0: none. What runs at its end is given up */
  double grace_seconds;    /* extra time while `unfinished` says that the plan has more */
  double patience_seconds; /* a task that takes longer hangs; 0: any time */
  uint64_t most_failures;  /* ends after this number of failures; 0: no limit */

  void *context;
  void (*progress)(void *context, const struct hd_campaign_progress *progress); /* may be NULL */
  double progress_seconds;     /* between two calls of it, at least */
  bool (*stop)(void *context); /* may be NULL */
};

/** Adds what tasks on the RTL in `rtl_dir` (NULL: the installed one) depend on, for `identity`:
 *  this program, hd_backend_identity. HD_E_INPUT, HD_E_IO. */
int hd_campaign_identity(struct hd_text *identity, const char *rtl_dir, struct hd_error *err);

/** A hash of definition and identity: campaigns that differ in them have no directory in common. */
uint64_t hd_campaign_hash(const struct hd_campaign *campaign);

/** Processes at a time on this machine. */
uint32_t hd_campaign_workers(const struct hd_campaign *campaign);

/** Why a campaign ended. */
enum hd_campaign_end {
  HD_CAMPAIGN_COMPLETE,
  HD_CAMPAIGN_TIME,     /* the budget is used up */
  HD_CAMPAIGN_FAILURES, /* the limit of failures was reached */
};

struct hd_campaign_result {
  enum hd_campaign_end end;
  uint64_t ended, known, failed;
  uint32_t lost; /* workers */
  uint32_t workers;
  double seconds;
  double busy_seconds; /* all workers together, in the tasks that have ended */
};

/** The share of their time, from 0 to 1, that workers spent in tasks. 0: no task ended in this
 *  call. */
double hd_campaign_efficiency(const struct hd_campaign_result *result);

/** Carries a campaign out, or goes on with it: tasks that ended before are known, but for those that ended
 *  by HD_E_IO, HD_E_NOMEM or HD_E_TOOL, or had no end. 0; HD_E_INTERRUPTED (`stop` said so: what ended is in
 *  the file); HD_E_INPUT: the file is of another campaign, of other RTL, or of another version;
 *  HD_E_IO: it cannot be written, or somebody else is at it; what the plan returned. */
int hd_campaign_run(const struct hd_campaign *campaign, struct hd_campaign_result *result,
                    struct hd_error *err);

/** Calls `row` for each task that has ended, in order; all is borrowed for the call. 0, what `row`
 *  returned, HD_E_IO, HD_E_INPUT. */
int hd_campaign_each(const char *directory,
                     int (*row)(void *context, const struct hd_task *task,
                                const struct hd_task_outcome *outcome, struct hd_error *err),
                     void *context, struct hd_error *err);

/** Facts about a campaign as a whole, from its file. */
struct hd_campaign_about {
  char *name, *command, *definition, *identity, *heddle, *started; /* owned */
  bool complete; /* all tasks ended, up to the campaign's limits */
};

/** HD_E_IO, HD_E_INPUT (no campaign). Freed by hd_campaign_about_fini, after failures too. */
int hd_campaign_about_read(struct hd_campaign_about *about, const char *directory,
                           struct hd_error *err);
void hd_campaign_about_fini(struct hd_campaign_about *about);

/** Seconds of a clock that only goes forward. */
double hd_campaign_now(void);

/** Carries out one task in a process of its own, without a campaign. It is for callers that choose
 * the next task by each outcome. Uses `context` and `run_task` of the plan. HD_E_INTERRUPTED:
 * `stop`, which may be NULL, returned true. HD_E_IO: the process cannot be started. */
int hd_task_run(const struct hd_plan *plan, const struct hd_task *task, double patience_seconds,
                bool (*stop)(void *context), void *context, struct hd_task_outcome *outcome,
                struct hd_error *err);
/** The signature of a task that took longer than it may. */
#define HD_TASK_HUNG "no end"

/* ── MPI ───────────────────────────────────────────────────────────────────── */

/** Ranks other than 0 call this. It carries out the tasks that rank 0 hands out, until rank 0 says
 * that there are no more, or is gone. */
int hd_ranks_serve(struct hd_ranks *ranks, const struct hd_campaign *campaign,
                   struct hd_error *err);

#endif
