/* Describes every key of a scenario: type, range, default, meaning.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values, checks, defaults, messages, `heddle scenario` and the tables of docs/scenario.md all
 * come from one table. A new key is a member of struct hd_scenario and a line in that table.
 */
#ifndef HD_SCENARIO_KEYS_H
#define HD_SCENARIO_KEYS_H

#include "../host/value.h"
#include "scenario.h"
#include "scenario_outline.h"

enum hd_key_type {
  HD_KEY_SECTION,    /* a mapping of keys of this list */
  HD_KEY_NUMBER,     /* low … high */
  HD_KEY_POWER,      /* a power of two, low … high; low is a power of two */
  HD_KEY_FLAG,       /* true, false */
  HD_KEY_CHOICE,     /* one of the names that `choice` gives */
  HD_KEY_TEXT,       /* low … high bytes */
  HD_KEY_LIST,       /* low … high items of the key "path[]" */
  HD_KEY_ROWS,       /* low … high mappings of keys "path[].…" */
  HD_KEY_PARAMETERS, /* a mapping of any keys to numbers or texts */
};

struct hd_key {
  const char *path;
  enum hd_key_type type;
  bool required;
  uint16_t offset, size; /* of its member in struct hd_scenario; size 0: it has none */
  uint16_t count;        /* for a list: offset of the uint32_t that counts its items */
  uint16_t has;          /* offset of the bool that says whether it was given; 0: none */
  uint64_t low, high;
  uint64_t fallback; /* default of a number, a flag, or a choice by its index */
  /** Names of the values 0, 1, …; NULL beyond the last. */
  const char *(*choice)(unsigned);
  const char *text; /* fallback of a text */
  /* Part of a sentence that tells what holds without the key, if there is no default */
  const char *otherwise;
  const char *unit;    /* NULL: none */
  const char *section; /* section of the specification; NULL: none */
  const char *help;    /* meaning of the key, part of a sentence */
};

/** Returns all keys, each section before its keys, and their number in *n. */
const struct hd_key *hd_scenario_keys(size_t *n);

/** Returns the key's name in struct hd_topology_shape; NULL: it is no key of the shape. */
const char *hd_shape_key(const struct hd_key *key);

/** Refuses unknown keys, wrong types, values out of range and missing keys. */
int hd_scenario_check_keys(const struct hd_outline *outline, const char *name,
                           struct hd_error *err);

/** Sets the members of a zeroed scenario to the values of a checked text, or to defaults. */
void hd_scenario_fill(struct hd_scenario *scenario, const struct hd_outline *outline);

/* These return values of keys that have a member (size is not 0). */

/** Returns the value of a number, a power of two, a flag or a choice. */
uint64_t hd_key_number(const struct hd_key *key, const struct hd_scenario *scenario);
/** Returns the value of a text; NULL: none was given. Borrows from the scenario. */
const char *hd_key_text(const struct hd_key *key, const struct hd_scenario *scenario);
/** Sets *items to the items of a list, borrowed from the scenario. Returns their number. */
uint32_t hd_key_items(const struct hd_key *key, const struct hd_scenario *scenario,
                      const uint32_t **items);

/** Calls `take` with every parameter of a scenario that is built, and its value: all keys that
 *  have one, items of lists and faults by number ("fabric.dims.0"), and each parameter of the
 *  switch. */
typedef void hd_parameter_fn(void *context, const char *key, const struct hd_value *value);
void hd_scenario_parameters(const struct hd_scenario *scenario, hd_parameter_fn *take,
                            void *context);

/** Writes the legal values of a key, such as "a whole number, 1 … 16" or "mesh, tree". Returns
 *  buf. */
const char *hd_key_legal(const struct hd_key *key, char *buf, size_t size);

/** Writes what holds without the key, such as "4" or "needed by mesh"; returns buf. */
const char *hd_key_default(const struct hd_key *key, char *buf, size_t size);

#endif
