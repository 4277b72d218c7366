/* A value of one of a few types, as reports and databases write it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VALUE_H
#define HD_VALUE_H

#include "text.h"

#include <stdbool.h>
#include <stdint.h>

enum hd_value_type {
  HD_VALUE_NONE,   /* there is no value */
  HD_VALUE_COUNT,  /* < 2^63 */
  HD_VALUE_NUMBER, /* 64 bits; text in JSON and databases, since many readers hold fewer bits */
  HD_VALUE_HEX,    /* 64 bits; text in JSON and databases, 0x and 16 digits */
  HD_VALUE_REAL,
  HD_VALUE_FLAG,
  HD_VALUE_WORD, /* one of a few texts, which need no quotes in any format */
  HD_VALUE_TEXT, /* text; NULL: there is no value */
};

struct hd_value {
  enum hd_value_type type;
  union {
    uint64_t number; /* COUNT, NUMBER, HEX */
    double real;
    bool flag;
    const char *text; /* WORD, TEXT; borrowed */
  };
};

/** Tests whether there is a value. */
bool hd_value_is(const struct hd_value *value);

/** Adds the value as text: a real with six digits; nothing if there is no value. */
void hd_value_add(const struct hd_value *value, struct hd_text *text);

#endif
