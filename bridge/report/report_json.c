/* report.json, from the tables of results.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"
#include "results.h"

#include <stdio.h>
#include <string.h>

/* A path may be any bytes; JSON is UTF-8. */
static json_t *string(const char *text)
{
  json_t *json = json_string(text);
  return json ? json : json_string("(not UTF-8)");
}

static json_t *json_value(const struct hd_value *v)
{
  char digits[24];
  switch (hd_value_is(v) ? v->type : HD_VALUE_NONE) {
  case HD_VALUE_NONE:
    return json_null();
  case HD_VALUE_COUNT:
    return json_integer((json_int_t)v->number);
  case HD_VALUE_REAL:
    return json_real(v->real);
  case HD_VALUE_FLAG:
    return json_boolean(v->flag);
  case HD_VALUE_WORD:
  case HD_VALUE_TEXT:
    return string(v->text);
  case HD_VALUE_NUMBER: /* JSON readers keep 53 bits */
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)v->number);
    return json_string(digits);
  case HD_VALUE_HEX:
    snprintf(digits, sizeof digits, "0x%016llx", (unsigned long long)v->number);
    return json_string(digits);
  }
  return NULL;
}

/* A member of a group is in an object of its own, which is null where one of them has no value. */
static int put(json_t *into, const char *key, const struct hd_value *v)
{
  const char *dot = strchr(key, '.');
  if (!dot)
    return json_object_set_new(into, key, json_value(v));
  char name[48];
  snprintf(name, sizeof name, "%.*s", (int)(dot - key), key);
  json_t *group = json_object_get(into, name);
  if (json_is_null(group))
    return 0;
  if (!hd_value_is(v))
    return json_object_set_new(into, name, json_null());
  if (!group) {
    group = json_object();
    if (json_object_set_new(into, name, group))
      return -1;
  }
  return put(group, dot + 1, v);
}

struct json_writer {
  const struct hd_result_table *table;
  json_t *into; /* the report, or the table's list or object in it */
  bool failed;
};

static void json_row(void *context, const struct hd_value *values)
{
  struct json_writer *w = context;
  const struct hd_result_table *t = w->table;
  if (t->by_name) {
    w->failed |= json_object_set_new(w->into, values[0].text, json_value(&values[1])) != 0;
    return;
  }
  json_t *row = json_is_array(w->into) ? json_object() : w->into;
  for (size_t i = 0; i < t->n; i++)
    if (t->columns[i].where & HD_IN_JSON)
      w->failed |= put(row, t->columns[i].key, &values[i]) != 0;
  if (row != w->into)
    w->failed |= json_array_append_new(w->into, row) != 0;
}

json_t *hd_report_json(const struct hd_run_report *r)
{
  json_t *json = json_object();
  bool failed = !json;
  for (const struct hd_result_table *t = hd_result_tables;
       !failed && t < hd_result_tables + HD_RESULT_TABLES; t++) {
    if (!t->key)
      continue;
    struct json_writer w = {.table = t, .into = json};
    if (*t->key) {
      w.into = t->by_name ? json_object() : json_array();
      w.failed = json_object_set_new(json, t->key, w.into) != 0;
    }
    if (!w.failed)
      t->each(r, json_row, &w);
    failed = w.failed;
  }
  json_t *divergence = r->explained ? hd_explain_json(&r->explanation) : json_null();
  if (failed || json_object_set_new(json, "divergence", divergence)) {
    json_decref(json);
    return NULL;
  }
  return json;
}
