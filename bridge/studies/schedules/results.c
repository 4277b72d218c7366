/* Finds rows by network and collective; their names.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct schedules_row *schedules_find(const struct schedules_results *r, const char *network,
                                           enum hd_exchange kind, uint32_t root)
{
  for (size_t i = 0; i < r->n; i++)
    if (r->rows[i].kind == kind && r->rows[i].root == root && !strcmp(r->rows[i].network, network))
      return &r->rows[i];
  return NULL;
}

bool schedules_is(const struct schedules_row *row, const char *network)
{
  return !strncmp(row->network, network, strlen(network));
}

void schedules_title(const struct schedules_row *row, char *text, size_t size)
{
  static const struct {
    const char *network, *title;
  } titles[] = {{"omega:", "Omega"},
                {"butterfly:", "Butterfly"},
                {"graph:file=docs/examples/butterfly-", "renumbered Butterfly"},
                {"clos:", "Clos"},
                {"binary-tree:", "B-Tree"},
                {"folded-butterfly:", "F-Tree"},
                {"full-binary-tree:", "FB-Tree"}};
  for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
    if (schedules_is(row, titles[i].network)) {
      snprintf(text, size, "%s %" PRIu32, titles[i].title, row->nodes);
      return;
    }
  snprintf(text, size, "%s", row->network);
}
