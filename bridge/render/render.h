/* Describes rows of values, and renders them: each column is described once, each format has one renderer.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a table are a macro LIST(X) with a line for each column. HD_COLUMN makes the
 * columns' descriptions from it, HD_CELL the values of a row, so that no column can lack its
 * value. HD_PLAIN_COLUMN and HD_PLAIN_CELL do the same for files whose columns are described in
 * a page only.
 */
#ifndef HD_RENDER_H
#define HD_RENDER_H

#include "../../cmodel/error.h"
#include "../host/value.h"

#include <jansson.h>

/** Renderers that show a column. A room may define more bits from HD_IN_OTHERS on. */
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
  /* Why there is no value, such as "no packet was measured"; NULL: there always is one */
  const char *none;
  const char *csv;    /* name of the column in CSV; NULL: the key, with _ for its dots */
  const char *row;    /* label of the value's line in a table for people; NULL: no line */
  const char *format; /* printf format of a REAL in CSV; NULL: six digits */
};

/** Called with the values of a row, one for each column; they are borrowed for the call. */
typedef void hd_row_fn(void *context, const struct hd_value *values);

/* ── lists of columns ──────────────────────────────────────────────────────── */

/** Lines X(key, type, unit, value, known, where, .help = …, …): `value` has type HD_VALUE_… and
 *  is read only if `known`. The rest are members of struct hd_column. */
#define HD_COLUMN(key_, type_, unit_, value_, known_, where_, ...) \
  {.key = (key_), .unit = (unit_), .type = HD_VALUE_##type_, .where = (where_), __VA_ARGS__},
#define HD_CELL(key_, type_, unit_, value_, known_, where_, ...) \
  (known_) ? (struct hd_value)HD_CELL_##type_(value_) : (struct hd_value){0},

/** Lines X(key, type, format, value, known) for columns of JSON and CSV. */
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

/** Expands to a static array of columns and its length. */
#define HD_COLUMNS(columns_) (columns_), sizeof(columns_) / sizeof *(columns_)
/** Makes a row from LIST. */
#define HD_PLAIN_ROW(LIST)  \
  (const struct hd_value[]) \
  {                         \
    LIST(HD_PLAIN_CELL)     \
  }

/* ── renderers ─────────────────────────────────────────────────────────────── */

/** Adds the line of names: each column's .csv, or its key. */
void hd_csv_names(const struct hd_column *columns, size_t n, struct hd_text *text);
/** Adds a row: TEXT in quotes (RFC 4180), and nothing for a missing value. */
void hd_csv_row(const struct hd_column *columns, size_t n, const struct hd_value *values,
                struct hd_text *text);
/** Adds one column's name. */
void hd_csv_name(const struct hd_column *column, struct hd_text *text);

/** Return a value or a text as JSON. In a text that is no UTF-8, '?' replaces each byte above
 *  127. A NULL text gives null. The caller owns the result; NULL: no memory. */
json_t *hd_json_value(const struct hd_value *value);
json_t *hd_json_string(const char *text);
json_t *hd_json_chars(const char *chars, size_t length);
/** Adds a row's members to an object. False: no memory. */
bool hd_json_put(const struct hd_column *columns, size_t n, const struct hd_value *values,
                 json_t *into);
/** Returns a row as an object; NULL: no memory. */
json_t *hd_json_row(const struct hd_column *columns, size_t n, const struct hd_value *values);
/** Adds an object and a newline, and frees the object. `flags`: JSON_REAL_PRECISION(…), or 0 for
 *  all digits. HD_E_INTERNAL: json is NULL, because a text in it was no UTF-8. */
int hd_json_add(json_t *json, size_t flags, struct hd_text *text, struct hd_error *err);
/** Writes the JSON as file `directory`/`name`, and frees it. HD_E_IO, HD_E_INTERNAL. */
int hd_json_write(const char *directory, const char *name, json_t *json, size_t flags,
                  struct hd_error *err);

/* ── JUnit XML ─────────────────────────────────────────────────────────────── */

struct hd_junit_case {
  const char *name;
  double seconds;
  const char *skipped; /* reason why it was skipped; NULL: it was not */
  const char *kind;    /* kind of failure or error; NULL: the test passed */
  const char *message, *detail;
  bool error; /* an error left the result open: it neither passed nor failed */
};

/** A suite. All texts are borrowed; hd_junit_add escapes them. */
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
