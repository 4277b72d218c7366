/* Reads traces of messages from CSV.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "trace.h"

#include <stdlib.h>

enum { FIELDS = 5, BYTES_MAX = 1 << 20 };
/* Largest cycle: run databases and spreadsheets store it as a double. */
#define CYCLE_MAX (UINT64_C(1) << 53)

int hd_trace_parse(const char *text, size_t length, uint32_t nodes, uint32_t networks,
                   struct hd_trace_row *rows, size_t *n_rows, struct hd_csv_error *error)
{
  static const char *const names[FIELDS] = {"cycle", "source", "destination", "bytes", "network"};
  const uint64_t most[FIELDS] = {CYCLE_MAX, nodes - 1, nodes - 1, BYTES_MAX, networks - 1};
  struct hd_csv csv = {.header = "cycle,source,destination,bytes,network",
                       .names = names,
                       .numbers = FIELDS,
                       .optional = 1,
                       .error = error};
  int more;
  *n_rows = 0;
  hd_csv_open(&csv, text, length);
  while ((more = hd_csv_next(&csv)) > 0) {
    uint64_t value[FIELDS] = {0};
    if (hd_csv_numbers(&csv, most, value))
      return -1;
    rows[(*n_rows)++] = (struct hd_trace_row){.cycle = value[0],
                                              .source = (uint32_t)value[1],
                                              .destination = (uint32_t)value[2],
                                              .bytes = (uint32_t)value[3],
                                              .network = (uint32_t)value[4],
                                              .line = csv.line};
  }
  if (more < 0)
    return -1;
  if (!*n_rows)
    return hd_csv_fail(&csv, "no message in the trace; a line is %s", csv.header);
  return 0;
}

static int compare_rows(const void *left, const void *right)
{
  const struct hd_trace_row *a = left, *b = right;
  if (a->source != b->source)
    return a->source < b->source ? -1 : 1;
  if (a->cycle != b->cycle)
    return a->cycle < b->cycle ? -1 : 1;
  return (a->line > b->line) - (a->line < b->line);
}

void hd_trace_sort(struct hd_trace_row *rows, size_t n_rows)
{
  qsort(rows, n_rows, sizeof *rows, compare_rows);
}
