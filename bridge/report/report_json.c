/* Writes report.json from the tables of results.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"
#include "results.h"

struct json_writer {
  const struct hd_result_table *table;
  json_t *into; /* the report, or the table's list or object within it */
  bool failed;
};

static void json_row(void *context, const struct hd_value *values)
{
  struct json_writer *w = context;
  const struct hd_result_table *t = w->table;
  if (t->by_name) {
    w->failed |= json_object_set_new(w->into, values[0].text, hd_json_value(&values[1])) != 0;
    return;
  }
  if (json_is_array(w->into))
    w->failed |= json_array_append_new(w->into, hd_json_row(t->columns, t->n, values)) != 0;
  else
    w->failed |= !hd_json_put(t->columns, t->n, values, w->into);
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
