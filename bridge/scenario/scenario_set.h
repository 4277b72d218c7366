/* Sets keys in the text of a scenario.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SCENARIO_SET_H
#define HD_SCENARIO_SET_H

#include "../../cmodel/error.h"

#include <stddef.h>

/** A key by its path, such as "software.parameters.load", and its value as YAML: "0.1", "[8,
 *  8]"; NULL: the key is removed. */
struct hd_setting {
  const char *path, *value; /* borrowed */
};

/** Writes `text` anew with the settings in it. Values are replaced; missing keys and sections
 *  are added; removed ones go with everything in them. Comments are lost. Does not check text
 *  and keys, as hd_scenario_parse checks the result. `name` is the file's name in messages.
 *  *result ends with NUL; the caller frees it. HD_E_INPUT: the text is no YAML mapping, or a
 *  value is no YAML. */
int hd_scenario_set(const char *text, size_t length, const char *name,
                    const struct hd_setting *settings, size_t n, char **result,
                    struct hd_error *err);

struct hd_scenario;

/** Reads a scenario from a text, or from the file `path` if the text is NULL, with the settings
 *  in it. If there are settings, lines in errors are those of the new text, and the errors say
 *  so. Errors as of hd_scenario_read. */
int hd_scenario_read_set(struct hd_scenario *scenario, const char *text, const char *path,
                         const struct hd_setting *settings, size_t n, struct hd_error *err);

/** Cuts "key=value" at its first '=', in place. HD_E_INPUT: there is no '=', or the text before
 *  it is not names joined by dots. */
int hd_setting_parse(char *argument, struct hd_setting *setting, struct hd_error *err);

#endif
