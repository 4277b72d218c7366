/* Every key of a scenario: type, range, default.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The one list that checks, defaults, messages and the test of docs/scenario.md come from.
 */
#ifndef HD_SCENARIO_KEYS_H
#define HD_SCENARIO_KEYS_H

#include "scenario.h"
#include "scenario_outline.h"

enum hd_key_type {
  HD_KEY_SECTION,    /* a mapping of keys of this list */
  HD_KEY_NUMBER,     /* low … high */
  HD_KEY_FLAG,       /* true, false */
  HD_KEY_CHOICE,     /* one of choices */
  HD_KEY_TEXT,       /* low … high bytes */
  HD_KEY_LIST,       /* low … high items of the key "path[]" */
  HD_KEY_ROWS,       /* the same, where an item is a mapping of keys "path[].…" */
  HD_KEY_PARAMETERS, /* a mapping of any keys to numbers or texts */
};

struct hd_key {
  const char *path;
  enum hd_key_type type;
  bool required;
  uint16_t offset, size; /* of its member of struct hd_scenario; size 0: none */
  uint64_t low, high;
  uint64_t fallback;          /* of numbers and flags, and of choices by value */
  const char *const *choices; /* NULL-terminated; their values are 0, 1, … or the number named */
  const char *text;           /* fallback of a text */
};

/** All keys, sections before what is in them; *n of them. */
const struct hd_key *hd_scenario_keys(size_t *n);

/** The key's name in struct hd_topology_shape, where some topologies have it and others not; else NULL. */
const char *hd_shape_key(const struct hd_key *key);

/** Refuses unknown keys, wrong types, values out of range and missing keys. */
int hd_scenario_check_keys(const struct hd_outline *outline, const char *name,
                           struct hd_error *err);

/** Gives the members whose keys are not in the text their defaults. */
int hd_scenario_defaults(struct hd_scenario *scenario, const struct hd_outline *outline,
                         struct hd_error *err);

/** Writes what is legal for a key, as "1 … 16" or "mesh, tree"; returns buf. */
const char *hd_key_legal(const struct hd_key *key, char *buf, size_t size);

#endif
