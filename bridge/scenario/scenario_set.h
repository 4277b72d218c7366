/* A scenario's text with some of its keys set to other values.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SCENARIO_SET_H
#define HD_SCENARIO_SET_H

#include "../../cmodel/error.h"

#include <stddef.h>

/** A key by its path, as "software.parameters.load", and its value as YAML: "0.1", "[8, 8]"; NULL: it is taken out. */
struct hd_setting {
  const char *path, *value; /* borrowed */
};

/** Writes `text` anew with the settings in it: values replaced, keys and sections added where they are
 *  missing, or taken out with all that is in them. Comments are lost. Neither the text nor the keys are checked: hd_scenario_parse does so with
 *  the result. `name` is the file's in messages. *result is NUL-terminated and the caller's to free.
 *  HD_E_INPUT: no YAML mapping, or a value is no YAML; */
int hd_scenario_set(const char *text, size_t length, const char *name,
                    const struct hd_setting *settings, size_t n, char **result,
                    struct hd_error *err);

struct hd_scenario;

/** hd_scenario_parse of a text, or of the file `path` where it is NULL, with the settings in it. Where there are
 *  settings, lines in errors are those of the new text, and the errors say so. Errors as of hd_scenario_read. */
int hd_scenario_read_set(struct hd_scenario *scenario, const char *text, const char *path,
                         const struct hd_setting *settings, size_t n, struct hd_error *err);

/** Cuts "key=value" at its first '=', in place. HD_E_INPUT: there is none, or what is before it
 *  is not names joined by dots. */
int hd_setting_parse(char *argument, struct hd_setting *setting, struct hd_error *err);

#endif
