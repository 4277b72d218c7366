/* Many runs of a study as one campaign (bridge/campaign/), with progress on stderr.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A task is a text: all that its outcome depends on besides Heddle, the RTL and the study's definition. Its
 * number is a hash of the text. So a study with other tasks, or some of them alone, knows what was carried out
 * before. Another RTL, another Heddle and another definition have a directory of their own.
 */
#ifndef HD_STUDY_H
#define HD_STUDY_H

#include "../../bridge/campaign/campaign.h"
#include "../../bridge/host/text.h"

/** Who carries tasks out, and where what came of them is kept. */
struct study {
  const char *name, *command; /* of the campaign, in its file */
  const char *definition;     /* what all outcomes depend on besides the tasks' texts */
  const char *rtl_dir;        /* NULL: the installed one */
  const char *directory;      /* the campaign has one of its own below it */
  uint32_t jobs;              /* at a time */
  volatile int *stop;         /* not 0: no more tasks are begun */
};

/** Tasks of one kind. No two have the same text. */
struct study_tasks {
  const char *kind; /* what progress calls them */
  size_t n;
  void *context;
  bool (*wanted)(void *context, size_t index); /* NULL: all are */
  /** Adds the task's text. */
  void (*describe)(void *context, size_t index, struct hd_text *text);
  /** What it costs, roughly, in any unit: for the time left. NULL: all the same. */
  double (*work)(void *context, size_t index);
  /** In a process of its own, so that a DUT that crashes takes nothing along. */
  void (*run_task)(void *context, size_t index, struct hd_task_outcome *outcome);
  int (*ended)(void *context, size_t index, const struct hd_task_outcome *outcome,
               struct hd_error *err);
};

/** The number of a task with such a text. */
uint64_t study_order(const char *kind, const struct hd_text *text);

/** Carries tasks out, but for those that ended in an earlier call; says on stderr how far it is. 0,
 *  HD_E_INTERRUPTED, what `ended` returned, HD_E_IO. */
int study_run(const struct study *study, const struct study_tasks *tasks, struct hd_error *err);

/** Makes a directory, and those that it is in. HD_E_IO. */
int study_make_directories(const char *path, struct hd_error *err);

#endif
