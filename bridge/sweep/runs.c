/* Reads the runs of a sweep back, as scenarios.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sweep.h"

#include "../host/file.h"
#include "../host/text.h"

#include <jansson.h>
#include <stdlib.h>

struct walk {
  hd_sweep_run_fn *run;
  void *context;
  const char *path;
  uint64_t number, cycles;
};

static int run_scenario(void *context, const struct hd_task *task, const struct hd_task_outcome *o,
                        struct hd_error *err)
{
  struct walk *w = context;
  w->number++;
  return o->failed ? HD_OK : w->run(w->context, w->path, task->text, w->number, w->cycles, err);
}

int hd_sweep_each_run(const char *directory, hd_sweep_run_fn *run, void *context,
                      struct hd_error *err)
{
  struct hd_text path = {0};
  struct walk walk = {.run = run, .context = context};
  char *text = NULL;
  size_t length;
  json_t *json = NULL;
  hd_text_add(&path, "%s/sweep.json", directory);
  int status = hd_file_read(hd_text_chars(&path), &text, &length, err);
  if (status)
    status =
        hd_fail(err, HD_E_INPUT,
                "%s: is no directory of a sweep: it has no sweep.json; legal: a scenario's file, "
                "or the directory that heddle sweep has written",
                directory);
  else
    json = json_loadb(text, length, 0, NULL);
  walk.path = json_string_value(json_object_get(json, "scenario"));
  const json_int_t cycles = json_integer_value(json_object_get(json, "cycles"));
  walk.cycles = cycles > 0 ? (uint64_t)cycles : 0;
  if (!status && !walk.path)
    status = hd_fail(err, HD_E_INPUT,
                     "%s: does not say which scenario was swept; make the sweep again", path.chars);
  if (!status)
    status = hd_campaign_each(directory, run_scenario, &walk, err);
  json_decref(json);
  free(text);
  hd_text_fini(&path);
  return status;
}
