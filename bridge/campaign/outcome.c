/* Outcomes of tasks: named values; outcomes and tasks as JSON, for messages between processes.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../host/memory.h"
#include "../render/render.h"
#include "campaign_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 4096 };

/* Copies a value as one of the types that outcomes have. */
static struct hd_value copy_value(const struct hd_value *from)
{
  struct hd_value value = *from;
  switch (from->type) {
  case HD_VALUE_COUNT:
  case HD_VALUE_FLAG:
    return value;
  case HD_VALUE_REAL:
    if (!isfinite(value.real))
      value.type = HD_VALUE_NONE;
    return value;
  default:
    break;
  }
  if (!hd_value_is(from))
    return (struct hd_value){.type = HD_VALUE_NONE};
  struct hd_text text = {0};
  hd_value_add(from, &text);
  return (struct hd_value){.type = HD_VALUE_TEXT, .text = text.chars ? text.chars : hd_xstrdup("")};
}

void hd_task_outcome_add(struct hd_task_outcome *o, const char *key, const char *unit,
                         const struct hd_value *value)
{
  HD_XROOM(o->values, o->capacity, o->n_values, 1);
  o->values[o->n_values++] = (struct hd_task_value){
      .key = hd_xstrdup(key), .unit = unit ? hd_xstrdup(unit) : NULL, .value = copy_value(value)};
}

static void replace_text(char **text, const char *by)
{
  char *copy = by ? hd_xstrdup(by) : NULL;
  free(*text);
  *text = copy;
}

void hd_task_outcome_fail(struct hd_task_outcome *o, int status, const char *message,
                          const char *signature)
{
  o->status = status;
  o->failed = true;
  replace_text(&o->message, message);
  replace_text(&o->signature, signature);
}

uint64_t hd_task_outcome_count(const struct hd_task_outcome *o, const char *key)
{
  const struct hd_value *value = hd_task_outcome_find(o, key);
  return value && value->type == HD_VALUE_COUNT ? value->number : 0;
}

const char *hd_task_outcome_text(const struct hd_task_outcome *o, const char *key)
{
  const struct hd_value *value = hd_task_outcome_find(o, key);
  return value && value->type == HD_VALUE_TEXT ? value->text : NULL;
}

const struct hd_value *hd_task_outcome_find(const struct hd_task_outcome *o, const char *key)
{
  for (size_t i = 0; i < o->n_values; i++)
    if (!strcmp(o->values[i].key, key))
      return &o->values[i].value;
  return NULL;
}

void hd_task_outcome_fini(struct hd_task_outcome *o)
{
  for (size_t i = 0; i < o->n_values; i++) {
    free(o->values[i].key);
    free(o->values[i].unit);
    if (o->values[i].value.type == HD_VALUE_TEXT)
      free((char *)(uintptr_t)o->values[i].value.text);
  }
  free(o->values);
  free(o->message);
  free(o->signature);
  *o = (struct hd_task_outcome){0};
}

/* ── JSON ──────────────────────────────────────────────────────────────────── */

static char *json_to_text(json_t *object)
{
  char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
  json_decref(object);
  if (!text)
    hd_memory_end();
  return text;
}

char *hd_outcome_json(const struct hd_task_outcome *o)
{
  json_t *values = json_array();
  for (size_t i = 0; i < o->n_values; i++)
    json_array_append_new(values,
                          json_pack("[s o o]", o->values[i].key, hd_json_string(o->values[i].unit),
                                    hd_json_value(&o->values[i].value)));
  return json_to_text(json_pack("{s:i s:b s:o s:o s:f s:o}", "status", o->status, "failed",
                                o->failed, "message", hd_json_string(o->message), "signature",
                                hd_json_string(o->signature), "seconds", o->seconds, "values",
                                values));
}

char *hd_task_json(const struct hd_task *task)
{
  return json_to_text(json_pack("{s:I s:s s:o s:f}", "order", (json_int_t)task->order, "kind",
                                task->kind, "text", hd_json_string(task->text), "work",
                                task->work));
}

static bool value_of_json(struct hd_task_outcome *o, json_t *row)
{
  const char *key = json_string_value(json_array_get(row, 0));
  json_t *unit = json_array_get(row, 1), *json = json_array_get(row, 2);
  struct hd_value value = {.type = HD_VALUE_NONE};
  if (!key || !json || !(json_is_null(unit) || json_is_string(unit)))
    return false;
  if (json_is_integer(json)) {
    if (json_integer_value(json) < 0)
      return false;
    value = (struct hd_value){.type = HD_VALUE_COUNT, .number = (uint64_t)json_integer_value(json)};
  } else if (json_is_real(json))
    value = (struct hd_value){.type = HD_VALUE_REAL, .real = json_real_value(json)};
  else if (json_is_boolean(json))
    value = (struct hd_value){.type = HD_VALUE_FLAG, .flag = json_is_true(json)};
  else if (json_is_string(json))
    value = (struct hd_value){.type = HD_VALUE_TEXT, .text = json_string_value(json)};
  else if (!json_is_null(json))
    return false;
  hd_task_outcome_add(o, key, json_string_value(unit), &value);
  return true;
}

static bool outcome_of_json(struct hd_task_outcome *o, json_t *json)
{
  json_t *status = json_object_get(json, "status"), *failed = json_object_get(json, "failed"),
         *seconds = json_object_get(json, "seconds"), *values = json_object_get(json, "values");
  if (!json_is_integer(status) || !json_is_boolean(failed) || !json_is_number(seconds) ||
      !json_is_array(values) || json_array_size(values) > MOST_VALUES)
    return false;
  int code = (int)json_integer_value(status);
  for (size_t i = 0; i < json_array_size(values); i++)
    if (!value_of_json(o, json_array_get(values, i)))
      return false;
  o->status = code;
  o->failed = o->failed || json_is_true(failed);
  o->seconds = json_number_value(seconds);
  replace_text(&o->message, json_string_value(json_object_get(json, "message")));
  replace_text(&o->signature, json_string_value(json_object_get(json, "signature")));
  return true;
}

bool hd_outcome_of_json(struct hd_task_outcome *o, const char *text, size_t length)
{
  json_error_t where;
  *o = (struct hd_task_outcome){0};
  json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
  bool ok = json && outcome_of_json(o, json);
  json_decref(json);
  if (!ok)
    hd_task_outcome_fini(o);
  return ok;
}

bool hd_task_of_json(struct hd_task_copy *copy, const char *text, size_t length)
{
  json_error_t where;
  *copy = (struct hd_task_copy){0};
  json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
  json_t *order = json_object_get(json, "order"), *work = json_object_get(json, "work");
  const char *kind = json_string_value(json_object_get(json, "kind"));
  const char *body = json_string_value(json_object_get(json, "text"));
  const bool ok = json_is_integer(order) && json_integer_value(order) >= 0 &&
                  json_is_number(work) && kind && body;
  if (ok)
    hd_task_copy(copy, &(struct hd_task){.order = (uint64_t)json_integer_value(order),
                                         .kind = kind,
                                         .text = body,
                                         .work = json_number_value(work)});
  json_decref(json);
  return ok;
}

void hd_task_copy(struct hd_task_copy *copy, const struct hd_task *task)
{
  copy->kind = hd_xstrdup(task->kind);
  copy->text = hd_xstrdup(task->text);
  copy->task = (struct hd_task){task->order, copy->kind, copy->text, task->work};
}

void hd_task_copy_fini(struct hd_task_copy *copy)
{
  free(copy->kind);
  free(copy->text);
  *copy = (struct hd_task_copy){0};
}
