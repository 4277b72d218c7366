/* Fuzzes the parser of message traces: any bytes give rows in range or an error that names a line.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../sw/programs/trace.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum { NODES = 16, NETWORKS = 4 };
  char *text = exact_copy(data, size);
  size_t most = hd_csv_lines_max(text, size), n = 0;
  struct hd_trace_row *rows = malloc(most * sizeof *rows);
  require(rows != NULL);
  struct hd_csv_error error;
  memset(&error, 0xff, sizeof error);
  if (hd_trace_parse(text, size, NODES, NETWORKS, rows, &n, &error)) {
    require(error.line <= most);
    require(memchr(error.text, 0, sizeof error.text) != NULL && strlen(error.text) > 10);
  } else {
    require(n >= 1 && n <= most);
    hd_trace_sort(rows, n);
    for (size_t i = 0; i < n; i++) {
      require(rows[i].source < NODES && rows[i].destination < NODES);
      require(rows[i].network < NETWORKS);
      require(rows[i].bytes <= 1 << 20 && rows[i].line >= 1 && rows[i].line <= most);
      require(!i || rows[i - 1].source < rows[i].source ||
              (rows[i - 1].source == rows[i].source && rows[i - 1].cycle <= rows[i].cycle));
    }
  }
  free(rows);
  free(text);
  return 0;
}
