/* Reads a YAML text into a flat list of keys with lines, from the events of libyaml.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parts of YAML that a scenario never needs are refused: anchors, aliases, tags, second documents, deep nesting.
 */
#ifndef HD_SCENARIO_OUTLINE_H
#define HD_SCENARIO_OUTLINE_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_outline_kind { HD_OUTLINE_SCALAR, HD_OUTLINE_MAPPING, HD_OUTLINE_SEQUENCE };

struct hd_outline_entry {
  char *path;      /* "fabric.dims"; an item: "fabric.dims[0]" */
  char *value;     /* text of a scalar */
  uint32_t line;   /* line of the key, or of an item; counts from 1 */
  uint32_t parent; /* index of the entry around it, UINT32_MAX at the top */
  uint32_t children;
  enum hd_outline_kind kind;
  bool plain; /* without quotes */
};

/** Entries in the order of the text: parents before their children. */
struct hd_outline {
  struct hd_outline_entry *entries;
  uint32_t n;
  size_t capacity;
};

/** Largest scenario: bytes, depth, number of keys. */
enum { HD_SCENARIO_BYTES = 256 * 1024, HD_SCENARIO_DEPTH = 6, HD_SCENARIO_KEYS = 1024 };

/** Reads `text`; `name` is the file's name in messages. HD_E_INPUT. The caller frees the
 *  outline, after failures too. */
int hd_outline_read(struct hd_outline *outline, const char *text, size_t length, const char *name,
                    struct hd_error *err);
void hd_outline_fini(struct hd_outline *outline);

/** Returns the entry of a path; NULL: it is not in the text. */
const struct hd_outline_entry *hd_outline_find(const struct hd_outline *outline, const char *path);

/** A value for a message: short, without control characters. */
struct hd_quote {
  char text[48];
};
struct hd_quote hd_quote(const char *value);

#endif
