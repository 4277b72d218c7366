/* Writes values and rows as JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "render.h"

#include "../host/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *hd_json_chars(const char *chars, size_t length)
{
  json_t *string = json_stringn(chars, length);
  if (string)
    return string;
  struct hd_text shown = {0};
  for (size_t i = 0; i < length; i++)
    hd_text_add(&shown, "%c", (unsigned char)chars[i] < 0x80 ? chars[i] : '?');
  string = json_string(hd_text_chars(&shown));
  hd_text_fini(&shown);
  return string;
}

json_t *hd_json_string(const char *text)
{
  return text ? hd_json_chars(text, strlen(text)) : json_null();
}

json_t *hd_json_value(const struct hd_value *v)
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
    return hd_json_string(v->text);
  case HD_VALUE_NUMBER: /* a text, since many readers of JSON keep 53 bits */
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)v->number);
    return json_string(digits);
  case HD_VALUE_HEX:
    snprintf(digits, sizeof digits, "0x%016llx", (unsigned long long)v->number);
    return json_string(digits);
  }
  return NULL;
}

/* Writes a member of a group into the group's object. The object becomes null if one member has no
 * value. */
static int put_member(json_t *into, const char *key, const struct hd_value *v)
{
  const char *dot = strchr(key, '.');
  if (!dot)
    return json_object_set_new(into, key, hd_json_value(v));
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
  return put_member(group, dot + 1, v);
}

bool hd_json_put(const struct hd_column *columns, size_t n, const struct hd_value *values,
                 json_t *into)
{
  bool failed = !into;
  for (size_t i = 0; i < n && !failed; i++)
    if (columns[i].where & HD_IN_JSON)
      failed = put_member(into, columns[i].key, &values[i]) != 0;
  return !failed;
}

json_t *hd_json_row(const struct hd_column *columns, size_t n, const struct hd_value *values)
{
  json_t *row = json_object();
  if (hd_json_put(columns, n, values, row))
    return row;
  json_decref(row);
  return NULL;
}

int hd_json_add(json_t *json, size_t flags, struct hd_text *text, struct hd_error *err)
{
  char *chars = json ? json_dumps(json, JSON_INDENT(2) | flags) : NULL;
  json_decref(json);
  if (!chars)
    return hd_fail(err, HD_E_INTERNAL, "the results cannot be written as JSON");
  hd_text_add(text, "%s\n", chars);
  free(chars);
  return HD_OK;
}

int hd_json_write(const char *directory, const char *name, json_t *json, size_t flags,
                  struct hd_error *err)
{
  struct hd_text text = {0};
  int status = hd_json_add(json, flags, &text, err);
  return status ? status : hd_text_write(directory, name, &text, err);
}
