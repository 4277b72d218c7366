/* Fuzzes the parser of schedules for endpoint software: any bytes give rows in range, of which each sender has its
 * message, or an error that names a line.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../sw/programs/schedule_file.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum { NODES = 16 };
  char *text = exact_copy(data, size);
  /* A block of exactly this size, so that the sanitizer sees a write past its end. */
  uint8_t *ports = malloc(size ? size : 1);
  require(ports != NULL);
  size_t most = hd_csv_lines_max(text, size), n = 0;
  struct hd_schedule_row *rows = malloc(most * sizeof *rows);
  require(rows != NULL);
  struct hd_csv_error error;
  memset(&error, 0xff, sizeof error);
  if (hd_schedule_rows(text, size, NODES, 1, rows, &n, ports, &error)) {
    require(error.line <= most);
    require(memchr(error.text, 0, sizeof error.text) != NULL && strlen(error.text) > 10);
  } else {
    require(n >= 1 && n <= most);
    for (size_t i = 0; i < n; i++) {
      const struct hd_schedule_row *row = &rows[i];
      require(row->source < NODES && row->destination < NODES && row->line <= most);
      require(row->n_ports && row->first_port + row->n_ports <= size);
      if (row->before == UINT32_MAX) {
        require(row->source == row->origin);
        continue;
      }
      require(row->before < n && rows[row->before].message == row->message);
      require(rows[row->before].destination == row->source && rows[row->before].step < row->step);
    }
  }
  free(rows);
  free(ports);
  free(text);
  return 0;
}
