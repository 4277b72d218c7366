/* Shared by the files of this room: tasks and outcomes as JSON, the file, the workers.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CAMPAIGN_INTERNAL_H
#define HD_CAMPAIGN_INTERNAL_H

#include "campaign.h"

#include <stddef.h>

/* ── tasks and outcomes as JSON (outcome.c) ────────────────────────────────── */

/** A task that owns its texts. */
struct hd_task_copy {
  struct hd_task task;
  char *kind, *text;
};
void hd_task_copy(struct hd_task_copy *copy, const struct hd_task *task);
void hd_task_copy_fini(struct hd_task_copy *copy);

/** Return the argument as JSON text, which the caller frees. */
char *hd_outcome_json(const struct hd_task_outcome *outcome);
char *hd_task_json(const struct hd_task *task);
/** Read an outcome or a task from JSON text. If they return false, the text is not valid, and
 *  there is nothing to free. */
bool hd_outcome_of_json(struct hd_task_outcome *outcome, const char *text, size_t length);
bool hd_task_of_json(struct hd_task_copy *copy, const char *text, size_t length);

/* ── the file (campaign_db.c) ──────────────────────────────────────────────── */

struct hd_campaign_db;

/** Opens DIRECTORY/campaign.db, or makes it, and locks the directory. Errors: HD_E_INPUT: the
 *  file belongs to another campaign; HD_E_IO: also if another process has the lock. */
int hd_campaign_db_open(struct hd_campaign_db **db, const struct hd_campaign *campaign,
                        struct hd_error *err);
/** Tests whether the task has an outcome from before that counts, which one of HD_E_IO,
 *  HD_E_NOMEM, HD_E_TOOL or HD_TASK_HUNG does not. If *known, the caller frees *outcome. */
int hd_campaign_db_find(struct hd_campaign_db *db, const struct hd_task *task, bool *known,
                        struct hd_task_outcome *outcome, struct hd_error *err);
/** Adds an outcome and commits it. */
int hd_campaign_db_add(struct hd_campaign_db *db, const struct hd_task *task,
                       const struct hd_task_outcome *outcome, struct hd_error *err);
int hd_campaign_db_complete(struct hd_campaign_db *db, bool complete, struct hd_error *err);
/** NULL is allowed. */
void hd_campaign_db_close(struct hd_campaign_db *db);

/* ── workers (workers.c) ───────────────────────────────────────────────────── */

struct hd_workers;

struct hd_workers *hd_workers_create(const struct hd_campaign *campaign);
void hd_workers_destroy(struct hd_workers *workers); /* gives up running tasks; NULL is allowed */
uint32_t hd_workers_number(const struct hd_workers *workers); /* workers that answer */
uint32_t hd_workers_lost(const struct hd_workers *workers);
uint64_t hd_workers_running(const struct hd_workers *workers); /* tasks that are running */
/** Tests whether another task can be started. */
bool hd_workers_free(const struct hd_workers *workers);
/** Returns the best number of tasks for one worker when `left` tasks remain (0: not known). */
uint32_t hd_workers_share(const struct hd_workers *workers, uint64_t left);
/** Gives n tasks to a free worker. n is at most hd_workers_share. */
int hd_workers_start(struct hd_workers *workers, const struct hd_task *tasks, uint32_t n,
                     struct hd_error *err);

enum hd_worker_event {
  HD_WORKER_NOTHING, /* no event within the time */
  HD_WORKER_ENDED,   /* *copy ended with *outcome; the caller frees both */
  HD_WORKER_AGAIN,   /* the worker of *copy is dead: start this task again, alone */
};
enum hd_worker_event hd_workers_wait(struct hd_workers *workers, int milliseconds,
                                     struct hd_task_copy *copy, struct hd_task_outcome *outcome);

#endif
