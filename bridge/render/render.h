/* Rows of values: each column is described once, and there is one renderer a format.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a table are a macro LIST(X), a line a column, from which HD_COLUMN makes their descriptions and
 * HD_CELL the values of a row: a column without its value cannot be written. HD_PLAIN_COLUMN and HD_PLAIN_CELL do
 * so for files whose columns a page describes.
 */
#ifndef HD_RENDER_H
#define HD_RENDER_H

#include "../../cmodel/error.h"
#include "../host/value.h"

#include <jansson.h>

/** The renderers that show a column. A room may define further bits from HD_IN_OTHERS on. */
enum {
  HD_IN_JSON =
      1, /* the key is a path of objects; an object is null if one of its members has no value */
  HD_IN_CSV = 2,
  HD_IN_PROPERTIES = 4, /* a property in JUnit XML */
  HD_IN_OTHERS = 8
};

struct hd_column {
  const char *key;  /* "latency.mean" */
  const char *unit; /* "cycles"; NULL: none */
  enum hd_value_type type;
  unsigned where;   /* HD_IN_… */
  const char *help; /* a sentence without its full stop */
  const char
      *none;       /* when there is no value, "no packet was measured"; NULL: there always is one */
  const char *csv; /* name of the column in CSV; NULL: the key, with _ for its dots */
  const char *row; /* text of the value's line in a table for people; NULL: it has no line */
  const char *format; /* printf format of a REAL in CSV; NULL: six digits */
};

/** Called with the values of a row, one a column; they are borrowed for the call. */
typedef void hd_row_fn(void *context, const struct hd_value *values);

/* ── lists of columns ──────────────────────────────────────────────────────── */

/** Lines X(key, type, unit, value, known, where, .help = …, …): `value` is of the HD_VALUE_… type and is looked
 *  at where `known`. The rest are members of struct hd_column. */
#define HD_COLUMN(key_, type_, unit_, value_, known_, where_, ...) \
  {.key = (key_), .unit = (unit_), .type = HD_VALUE_##type_, .where = (where_), __VA_ARGS__},
#define HD_CELL(key_, type_, unit_, value_, known_, where_, ...) \
  (known_) ? (struct hd_value)HD_CELL_##type_(value_) : (struct hd_value){0},

/** Lines X(key, type, format, value, known): in all formats. */
#define HD_PLAIN_COLUMN(key_, type_, format_, value_, known_) \
  {.key = (key_), .type = HD_VALUE_##type_, .where = HD_IN_JSON | HD_IN_CSV, .format = (format_)},
#define HD_PLAIN_CELL(key_, type_, format_, value_, known_) \
  (known_) ? (struct hd_value)HD_CELL_##type_(value_) : (struct hd_value){0},

#define HD_CELL_NUMERIC(type_, value_)           \
  {                                              \
    .type = HD_VALUE_##type_, .number = (value_) \
  }
#define HD_CELL_COUNT(value_) HD_CELL_NUMERIC(COUNT, value_)
#define HD_CELL_NUMBER(value_) HD_CELL_NUMERIC(NUMBER, value_)
#define HD_CELL_HEX(value_) HD_CELL_NUMERIC(HEX, value_)
#define HD_CELL_REAL(value_)                \
  {                                         \
    .type = HD_VALUE_REAL, .real = (value_) \
  }
#define HD_CELL_FLAG(value_)                \
  {                                         \
    .type = HD_VALUE_FLAG, .flag = (value_) \
  }
#define HD_CELL_WORD(value_)                \
  {                                         \
    .type = HD_VALUE_WORD, .text = (value_) \
  }
#define HD_CELL_TEXT(value_)                \
  {                                         \
    .type = HD_VALUE_TEXT, .text = (value_) \
  }

/** A static array of columns, and how many it has. */
#define HD_COLUMNS(columns_) (columns_), sizeof(columns_) / sizeof *(columns_)
/** A row of a plain list. */
#define HD_PLAIN_ROW(LIST)  \
  (const struct hd_value[]) \
  {                         \
    LIST(HD_PLAIN_CELL)     \
  }

/* ── renderers ─────────────────────────────────────────────────────────────── */

/** The line of names, the key's or .csv. */
void hd_csv_names(const struct hd_column *columns, size_t n, struct hd_text *text);
/** A row: TEXT in quotes (RFC 4180), nothing where there is no value. */
void hd_csv_row(const struct hd_column *columns, size_t n, const struct hd_value *values,
                struct hd_text *text);
/** One name, as CSV has it. */
void hd_csv_name(const struct hd_column *column, struct hd_text *text);

/** A value; text that is no UTF-8 has '?' for each byte above 127. NULL as a text is null. */
json_t *hd_json_value(const struct hd_value *value);
json_t *hd_json_string(const char *text);
json_t *hd_json_chars(const char *chars, size_t length);
/** Puts a row's members into an object. False: no memory. */
bool hd_json_put(const struct hd_column *columns, size_t n, const struct hd_value *values,
                 json_t *into);
/** A row as an object; NULL: no memory. */
json_t *hd_json_row(const struct hd_column *columns, size_t n, const struct hd_value *values);
/** Adds an object with its line end and frees it. `flags`: JSON_REAL_PRECISION(…), or 0 for all digits. HD_E_INTERNAL:
 *  it is NULL, as a text in it was no UTF-8. */
int hd_json_add(json_t *json, size_t flags, struct hd_text *text, struct hd_error *err);
/** Writes the JSON to `directory`/`name`. HD_E_IO, HD_E_INTERNAL. */
int hd_json_write(const char *directory, const char *name, json_t *json, size_t flags,
                  struct hd_error *err);

/* ── JUnit XML ─────────────────────────────────────────────────────────────── */

struct hd_junit_case {
  const char *name;
  double seconds;
  const char *skipped; /* why it was not looked at; NULL: it was */
  const char *kind;    /* kind of failure or error; NULL: the test passed */
  const char *message, *detail;
  bool error; /* an error left the result open: it neither passed nor failed */
};

/** One suite. All texts are borrowed and get escaped here. */
struct hd_junit {
  const char *name, *classname;
  double seconds;
  const struct hd_column *columns; /* [n_columns]; NULL: there are no properties */
  const struct hd_value *values;
  size_t n_columns;
  const struct hd_junit_case *cases; /* [n] */
  size_t n;
  const char *output; /* output for people; NULL: none */
};
void hd_junit_add(const struct hd_junit *suite, struct hd_text *text);

#endif
