/* Fuzzes --set: any setting of any text gives a text with the setting in it, or an error.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first line of the input is KEY=VALUE, the rest is the scenario.
 */
#include "../../bridge/scenario/scenario_set.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const uint8_t *line = memchr(data, '\n', size);
  struct hd_error err = {""};
  struct hd_setting setting;
  char *once, *twice;
  if (!line)
    return 0;
  size_t length = (size_t)(line - data), rest = size - length - 1;
  char *argument = strndup((const char *)data, length), *text = malloc(rest ? rest : 1);
  require(argument && text);
  memcpy(text, line + 1, rest);
  if (!hd_setting_parse(argument, &setting, &err) &&
      !hd_scenario_set(text, rest, "f.yaml", &setting, 1, &once, &err)) {
    /* Set again, it changes nothing. */
    require(!hd_scenario_set(once, strlen(once), "f.yaml", &setting, 1, &twice, &err));
    require(!strcmp(once, twice));
    free(once);
    free(twice);
  } else
    require(err.text[0] != '\0');
  free(argument);
  free(text);
  return 0;
}
