/* The programs of all studies share this: options, many runs as one campaign, files.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A task is a text with all that its outcome depends on, besides Heddle, the RTL and the study's
 * definition. Its number is a hash of the text. So a study with further tasks, or with fewer, finds
 * the outcomes of earlier calls. Another RTL, another Heddle or another definition gets another
 * directory.
 */
#ifndef HD_STUDY_H
#define HD_STUDY_H

#include "../campaign/campaign.h"
#include "../host/text.h"

enum { STUDY_PATH = 512 };

/* ── the program ───────────────────────────────────────────────────────────── */

/** A study: the file with its tasks' outcomes, and how the tasks are carried out. */
struct study {
  const char *name, *command; /* of the campaign, for its file */
  const char *definition;     /* inputs of all outcomes, besides the tasks' texts */
  const char *rtl_dir;        /* NULL: the installed RTL */
  const char *directory;      /* the campaign has a directory of its own inside it */
  uint32_t jobs;              /* tasks at a time */
  volatile int *stop;         /* not 0: no further task begins */
};

struct argp_child;
struct argp_state;
struct hd_study_judge;
struct hd_study_report;

/** Arguments of every study. */
struct hd_study_arguments {
  const char *out, *docs;  /* docs: NULL if not given */
  struct study study;      /* for hd_study_run; its directory is OUT/runs, which exists */
  bool quick, interrupted; /* interrupted: some runs have not ended */
  bool part;               /* `run` sets it if an option of the study leaves something out */
};

struct hd_study_program {
  struct study study;     /* `run` fills in the rest, from the user's options */
  const char *name, *doc; /* doc: text as argp expects it */
  const char *quick;      /* help text: what --quick runs */
  const char *out;        /* directory for all files, unless the user gives one */
  const char *room;       /* name of the folder bridge/studies/ROOM */
  const struct hd_study_judge *const *judge; /* tables of all judges, then NULL */
  const struct argp_child *children;         /* options of the study; NULL: none */
  void *context;                             /* input of the children, argument of `run` */
  const void *results;                       /* for judges and the report, after `run` */
  /** Plans the tasks and carries them out. */
  int (*run)(void *context, struct hd_study_arguments *arguments, struct hd_error *err);
  const struct hd_study_report *report;
};

/** The main function of a study: reads options, carries the study out until it ends or a signal
 *  comes, judges, and writes the files. Errors go to stderr. Returns 0, HD_E_INTERRUPTED, or the
 *  first error. */
int hd_study_main(const struct hd_study_program *program, int argc, char **argv);

/** Returns an option's value, a whole number from 1 to `most`. Another value ends the program. */
uint32_t hd_study_number(struct argp_state *state, const char *value, unsigned long most);

/* ── runs ──────────────────────────────────────────────────────────────────── */

/** Tasks of one kind. No two tasks have the same text. */
struct hd_study_tasks {
  const char *kind; /* name of the tasks in progress lines */
  size_t n;
  void *context;
  bool (*wanted)(void *context, size_t index); /* NULL: all tasks are wanted */
  /** Adds the task's text. */
  void (*describe)(void *context, size_t index, struct hd_text *text);
  /** Rough cost of a task, in any unit, from which the remaining time is estimated. NULL: all
   *  tasks cost the same. */
  double (*work)(void *context, size_t index);
  /** Carries a task out in a process of its own, so that a DUT that crashes ends only this task. */
  void (*run_task)(void *context, size_t index, struct hd_task_outcome *outcome);
  int (*ended)(void *context, size_t index, const struct hd_task_outcome *outcome,
               struct hd_error *err);
  /** The texts are scenarios. After a task, its scenario is written to DIRECTORY/KEY.yaml. If
   *  the task failed, the campaign ends and `ended` is not called. */
  bool scenarios;
};

/** Writes the task's KEY. */
void hd_study_key(const struct hd_study_tasks *tasks, size_t index, char key[17]);

/** Carries out the tasks that did not end in an earlier call, and shows the progress on stderr.
 *  Returns 0, HD_E_INTERRUPTED, the status of `ended`, HD_E_TOOL (a scenario failed), or
 *  HD_E_IO. */
int hd_study_run(const struct study *study, const struct hd_study_tasks *tasks,
                 struct hd_error *err);

/** Add or read a number of an outcome. A number that is missing reads as 0. */
void hd_study_put(struct hd_task_outcome *outcome, const char *key, const char *unit, double value);
double hd_study_value(const struct hd_task_outcome *outcome, const char *key);

struct hd_run_report;

/** Carries a scenario out in a call of run_task, and frees its text. Files that it names are
 *  beside `path`. Returns false if the run ended with another status than HD_OK. Then the
 *  outcome has that status, and is a failure unless `is_result`, which may be NULL, returns true
 *  for it. Call hd_run_report_fini in either case. */
bool hd_study_scenario(const char *path, struct hd_text *scenario, const char *rtl_dir,
                       bool (*is_result)(int status), struct hd_run_report *report,
                       struct hd_task_outcome *outcome);

/* ── files ─────────────────────────────────────────────────────────────────── */

/** Makes a directory and its parent directories. Errors: HD_E_IO. */
int hd_study_make_directories(const char *path, struct hd_error *err);

#endif
