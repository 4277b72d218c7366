/* Keeps warnings of Verilator, Icarus and Yosys about the RTL: they often name the cause of a difference.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"

#include "../host/file.h"
#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

/* Takes lines with a file and line of the RTL: they are the same for every parameter set, as they name no instance. */
void hd_check_put_warnings(struct hd_task_outcome *outcome, const char *log)
{
  char *text = NULL, *rest = NULL;
  size_t length;
  struct hd_text lines = {0};
  if (hd_file_read(log, &text, &length, NULL))
    return;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    if (strcasestr(line, "warning") && strcasestr(line, ".v:") && lines.length < 4000)
      hd_text_add(&lines, "%.300s\n", line);
  if (lines.length)
    hd_check_put_text(outcome, "warnings", lines.chars);
  hd_text_fini(&lines);
  free(text);
}

/* Keeps each warning once, in the order of the first runs that had it, whatever the order in which runs end. */
static void insert_warning(struct hd_check *c, uint64_t number, const char *line)
{
  uint32_t at = c->n_warnings;
  for (uint32_t i = 0; i < c->n_warnings; i++)
    if (!strcmp(c->warned[i].line, line)) {
      if (c->warned[i].number <= number)
        return;
      at = i;
    }
  struct check_warning warning = {.number = number};
  if (at < c->n_warnings) { /* known from a later run: it moves ahead */
    warning.line = c->warned[at].line;
    memmove(c->warned + at, c->warned + at + 1, (--c->n_warnings - at) * sizeof *c->warned);
  } else
    warning.line = hd_xstrdup(line);
  uint32_t place = 0;
  while (place < c->n_warnings && c->warned[place].number <= number)
    place++;
  if (c->n_warnings == CHECK_WARNINGS) {
    free(c->warned[--c->n_warnings].line);
    place = place > c->n_warnings ? c->n_warnings : place;
  }
  memmove(c->warned + place + 1, c->warned + place, (c->n_warnings - place) * sizeof *c->warned);
  c->warned[place] = warning;
  c->n_warnings++;
}

void hd_check_merge_warnings(struct hd_check *c, uint64_t number,
                             const struct hd_task_outcome *outcome)
{
  const char *warnings = hd_task_outcome_text(outcome, "warnings");
  char *rest = NULL, *text = hd_xstrdup(warnings ? warnings : "");
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    insert_warning(c, number, line);
  free(text);
}

void hd_check_warnings_free(struct hd_check *c)
{
  while (c->n_warnings)
    free(c->warned[--c->n_warnings].line);
}
