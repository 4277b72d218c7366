/* Many runs of a study as one campaign.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "study.h"

#include "../host/file.h"
#include "../host/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct plan {
  const struct study *study;
  const struct hd_study_tasks *tasks;
  uint64_t *orders; /* [n] */
  size_t next;
  struct hd_text text;
  bool terminal;
};

/* Returns the number of a task with such a text. */
static uint64_t order_of(const char *kind, const struct hd_text *text)
{
  uint64_t hash = hd_hash_bytes(kind, strlen(kind), 1);
  return hd_hash_bytes(hd_text_chars(text), text->length, hash) >> 1; /* signed in SQLite */
}

static void key_of(uint64_t order, char key[17])
{
  snprintf(key, 17, "%016" PRIx64, order);
}

void hd_study_key(const struct hd_study_tasks *tasks, size_t index, char key[17])
{
  struct hd_text text = {0};
  tasks->describe(tasks->context, index, &text);
  key_of(order_of(tasks->kind, &text), key);
  hd_text_fini(&text);
}

static void describe(struct plan *p, size_t index)
{
  hd_text_fini(&p->text);
  p->tasks->describe(p->tasks->context, index, &p->text);
}

static bool wanted(const struct plan *p, size_t index)
{
  return !p->tasks->wanted || p->tasks->wanted(p->tasks->context, index);
}

static double work(const struct plan *p, size_t index)
{
  return p->tasks->work ? p->tasks->work(p->tasks->context, index) : 1;
}

static bool next(void *context, struct hd_task *task)
{
  struct plan *p = context;
  while (p->next < p->tasks->n && !wanted(p, p->next))
    p->next++;
  if (p->next == p->tasks->n)
    return false;
  describe(p, p->next);
  *task = (struct hd_task){p->orders[p->next], p->tasks->kind, hd_text_chars(&p->text),
                           work(p, p->next)};
  p->next++;
  return true;
}

static size_t index_of(const struct plan *p, const struct hd_task *task)
{
  size_t index = 0;
  while (p->orders[index] != task->order)
    index++;
  return index;
}

static void run_task(void *context, const struct hd_task *task, struct hd_task_outcome *outcome)
{
  const struct plan *p = context;
  p->tasks->run_task(p->tasks->context, index_of(p, task), outcome);
}

/* Writes the scenario's file, so that a scenario that failed can be repeated. */
static int scenario_ended(const struct plan *p, size_t index, const struct hd_task *task,
                          const struct hd_task_outcome *outcome, struct hd_error *err)
{
  struct hd_text text = {0};
  char name[32];
  key_of(task->order, name);
  strcat(name, ".yaml");
  p->tasks->describe(p->tasks->context, index, &text);
  int status = hd_text_write(p->study->directory, name, &text, err);
  if (!status && outcome->failed)
    status = hd_fail(err, HD_E_TOOL, "%s/%s: %.800s", p->study->directory, name,
                     outcome->message ? outcome->message : hd_status_text(outcome->status));
  return status;
}

static int ended(void *context, const struct hd_task *task, struct hd_task_outcome *outcome,
                 struct hd_error *err)
{
  const struct plan *p = context;
  size_t index = index_of(p, task);
  int status = p->tasks->scenarios ? scenario_ended(p, index, task, outcome, err) : HD_OK;
  return status ? status : p->tasks->ended(p->tasks->context, index, outcome, err);
}

static void study_size(void *context, uint64_t *tasks, double *total)
{
  const struct plan *p = context;
  for (size_t i = 0; i < p->tasks->n; i++)
    if (wanted(p, i)) {
      ++*tasks;
      *total += work(p, i);
    }
}

static void show(void *context, const struct hd_campaign_progress *progress)
{
  const struct plan *p = context;
  struct hd_text line = {0};
  hd_campaign_progress_add(progress, &line);
  fprintf(stderr, "%s%s: %s%s", p->terminal ? "\r\033[K" : "", p->tasks->kind, hd_text_chars(&line),
          p->terminal ? "" : "\n");
  hd_text_fini(&line);
}

static bool stop(void *context)
{
  return *((const struct plan *)context)->study->stop;
}

int hd_study_run(const struct study *study, const struct hd_study_tasks *tasks,
                 struct hd_error *err)
{
  struct plan p = {.study = study,
                   .tasks = tasks,
                   .orders = hd_xcalloc(tasks->n + 1, sizeof *p.orders),
                   .terminal = isatty(2)};
  struct hd_text identity = {0}, directory = {0};
  struct hd_campaign_result result = {0};
  int status = hd_campaign_identity(&identity, study->rtl_dir, err);
  struct hd_campaign campaign = {
      .name = study->name,
      .command = study->command,
      .definition = study->definition,
      .identity = hd_text_chars(&identity),
      .plan =
          {.context = &p, .next = next, .run_task = run_task, .ended = ended, .size = study_size},
      .workers = study->jobs,
      .context = &p,
      .progress = show,
      .progress_seconds = p.terminal ? 0.5 : 10,
      .stop = stop,
  };
  hd_text_add(&directory, "%s/campaign-%016" PRIx64, study->directory, hd_campaign_hash(&campaign));
  campaign.directory = hd_text_chars(&directory);
  uint64_t n = 0;
  for (size_t i = 0; !status && i < tasks->n; i++) {
    describe(&p, i);
    p.orders[i] = order_of(tasks->kind, &p.text);
    n += wanted(&p, i);
  }
  if (!status)
    status = hd_campaign_run(&campaign, &result, err);
  fprintf(stderr, "%s%s: %" PRIu64 " of %" PRIu64 " runs (%" PRIu64 " from before), %.0f s\n",
          p.terminal ? "\r\033[K" : "", tasks->kind, result.ended, n, result.known, result.seconds);
  hd_text_fini(&identity);
  hd_text_fini(&directory);
  hd_text_fini(&p.text);
  free(p.orders);
  return status;
}

void hd_study_put(struct hd_task_outcome *outcome, const char *key, const char *unit, double value)
{
  hd_task_outcome_add(outcome, key, unit, &(struct hd_value){.type = HD_VALUE_REAL, .real = value});
}

double hd_study_value(const struct hd_task_outcome *outcome, const char *key)
{
  const struct hd_value *value = hd_task_outcome_find(outcome, key);
  return value && value->type == HD_VALUE_REAL ? value->real : 0;
}

int hd_study_make_directories(const char *path, struct hd_error *err)
{
  char part[STUDY_PATH];
  for (size_t i = 1; i <= strlen(path) && i < sizeof part; i++) {
    if (path[i] != '/' && path[i])
      continue;
    memcpy(part, path, i);
    part[i] = '\0';
    if (mkdir(part, 0777) && errno != EEXIST)
      return hd_fail(err, HD_E_IO, "%s: %s", part, strerror(errno));
  }
  return 0;
}
