/* Parts that all studies' programs share: options, many runs as one campaign (bridge/campaign/) with progress on
 * stderr, files.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A task is a text: all that its outcome depends on besides Heddle, the RTL and the study's definition. Its
 * number is a hash of the text. So a study with other tasks, or some of them alone, knows what was carried out
 * before. Another RTL, another Heddle and another definition have a directory of their own.
 */
#ifndef HD_STUDY_H
#define HD_STUDY_H

#include "../campaign/campaign.h"
#include "../host/text.h"

enum { STUDY_PATH = 512 };

/* ── the program ───────────────────────────────────────────────────────────── */

/** A study: the file that keeps its tasks' outcomes, and how they are carried out. */
struct study {
  const char *name, *command; /* of the campaign, in its file */
  const char *definition;     /* inputs of all outcomes besides the tasks' texts */
  const char *rtl_dir;        /* NULL: the installed one */
  const char *directory;      /* the campaign has one of its own below it */
  uint32_t jobs;              /* at a time */
  volatile int *stop;         /* not 0: no more tasks are begun */
};

struct argp_child;
struct argp_state;
struct hd_study_judge;
struct hd_study_report;

/** Arguments of every study. */
struct hd_study_arguments {
  const char *out, *docs;  /* docs: NULL where nobody says */
  struct study study;      /* for hd_study_run; its directory OUT/runs exists */
  bool quick, interrupted; /* interrupted: not all runs have ended, what there is is written */
  bool part; /* `run` sets it where an option of the study's own leaves something out */
};

struct hd_study_program {
  struct study study;                        /* name, command, definition; the rest is the user's */
  const char *name, *doc;                    /* doc: as argp has it */
  const char *quick;                         /* what --quick leaves */
  const char *out;                           /* where everything goes if nobody says */
  const char *room;                          /* bridge/studies/ROOM/statements.txt */
  const struct hd_study_judge *const *judge; /* tables of all judges, then NULL */
  const struct argp_child *children;         /* options of its own; NULL: none */
  void *context;                             /* the children's input; of `run` */
  const void *results; /* for judges and the report, once `run` has been called */
  /** Plans the tasks and carries them out. */
  int (*run)(void *context, struct hd_study_arguments *arguments, struct hd_error *err);
  const struct hd_study_report *report;
};

/** The main function of a study: reads options, carries it out until it ends or a signal comes, judges, writes, says
 *  on stderr what was wrong. Returns 0, HD_E_INTERRUPTED, or the first error. */
int hd_study_main(const struct hd_study_program *program, int argc, char **argv);

/** An option's value, a whole number from 1 to `most`; otherwise the program ends. */
uint32_t hd_study_number(struct argp_state *state, const char *value, unsigned long most);

/* ── runs ──────────────────────────────────────────────────────────────────── */

/** Tasks of one kind. No two have the same text. */
struct hd_study_tasks {
  const char *kind; /* their name in progress lines */
  size_t n;
  void *context;
  bool (*wanted)(void *context, size_t index); /* NULL: all are */
  /** Adds the task's text. */
  void (*describe)(void *context, size_t index, struct hd_text *text);
  /** Rough cost of a task, in any unit, for the time left. NULL: all tasks cost the same. */
  double (*work)(void *context, size_t index);
  /** Carries a task out, in a process of its own, so that a DUT that crashes takes nothing along. */
  void (*run_task)(void *context, size_t index, struct hd_task_outcome *outcome);
  int (*ended)(void *context, size_t index, const struct hd_task_outcome *outcome,
               struct hd_error *err);
  /** The texts are scenarios: DIRECTORY/KEY.yaml has one after its task has ended, and a task that failed ends
   *  the campaign before `ended` is called. */
  bool scenarios;
};

/** The KEY of a task. */
void hd_study_key(const struct hd_study_tasks *tasks, size_t index, char key[17]);

/** Carries tasks out, but for those that ended in an earlier call; says on stderr how far it is. 0,
 *  HD_E_INTERRUPTED, what `ended` returned, HD_E_TOOL (a scenario failed), HD_E_IO. */
int hd_study_run(const struct study *study, const struct hd_study_tasks *tasks,
                 struct hd_error *err);

/** A number of an outcome; 0 where it has none of that key. */
void hd_study_put(struct hd_task_outcome *outcome, const char *key, const char *unit, double value);
double hd_study_value(const struct hd_task_outcome *outcome, const char *key);

struct hd_run_report;

/** Carries a scenario out, in run_task; files that it names are looked for beside `path`. Frees the text. False: it
 *  ended otherwise than it should; the outcome has the status, and is a failure unless `is_result` (NULL: no status)
 *  says that the status is a result, too. hd_run_report_fini frees the report in either case. */
bool hd_study_scenario(const char *path, struct hd_text *scenario, const char *rtl_dir,
                       bool (*is_result)(int status), struct hd_run_report *report,
                       struct hd_task_outcome *outcome);

/* ── files ─────────────────────────────────────────────────────────────────── */

/** Makes a directory, and those that it is in. HD_E_IO. */
int hd_study_make_directories(const char *path, struct hd_error *err);

#endif
