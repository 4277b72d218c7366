/* Reads schedules of collectives from CSV.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedule_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 4, STEPS_MAX = 1000000, MESSAGES_MAX = 1 << 24, PORT_MAX = UINT8_MAX };

/* Reads a number of at most `most` at csv->at. Returns false if there is none. */
static bool read_number(struct hd_csv *csv, uint32_t most, uint32_t *value)
{
  const char *start = csv->at;
  uint64_t v = 0;
  for (; csv->at < csv->end && *csv->at >= '0' && *csv->at <= '9' && v <= most; csv->at++)
    v = v * 10 + (uint64_t)(*csv->at - '0');
  *value = (uint32_t)v;
  return csv->at > start && v <= most;
}

static bool read_character(struct hd_csv *csv, char c)
{
  bool there = csv->at < csv->end && *csv->at == c;
  csv->at += there;
  return there;
}

/* Reads the links, as "n3 s0:1 s4:0": the node, then the output port of each switch. */
static int read_links(struct hd_csv *csv, struct hd_schedule_row *row, uint8_t *ports)
{
  const char *start = csv->at;
  uint32_t node, sw, port;
  bool good = read_character(csv, 'n') && read_number(csv, UINT16_MAX, &node);
  if (good && node != row->source)
    return hd_csv_fail(csv, "its way begins at n%" PRIu32 ", not at its source, n%" PRIu32, node,
                       row->source);
  while (good && csv->at < csv->end) {
    good = read_character(csv, ' ') && read_character(csv, 's') &&
           read_number(csv, UINT16_MAX, &sw) && read_character(csv, ':') &&
           read_number(csv, PORT_MAX, &port);
    if (good)
      ports[row->first_port + row->n_ports++] = (uint8_t)port;
  }
  if (good && row->n_ports)
    return 0;
  char text[32];
  csv->at = start;
  hd_csv_copy_printable(csv, text, sizeof text);
  return hd_csv_fail(csv, "links are '%s'; a way is as n%" PRIu32 " s0:1 s4:0", text, row->source);
}

static int compare_rows(const void *left, const void *right)
{
  const struct hd_schedule_row *a = left, *b = right;
  if (a->message != b->message)
    return a->message < b->message ? -1 : 1;
  if (a->step != b->step)
    return a->step < b->step ? -1 : 1;
  return (a->line > b->line) - (a->line < b->line);
}

static int fail_row(struct hd_csv *csv, const struct hd_schedule_row *row, uint32_t node,
                    const char *what)
{
  csv->line = row->line;
  return hd_csv_fail(csv, "step %" PRIu32 ": n%" PRIu32 " %s message %" PRIu32, row->step + 1, node,
                     what, row->message);
}

/* For each row, finds the origin of its message, and the row by which its source got the message.
 * The rows of a message follow each other. */
static int find_senders(struct hd_csv *csv, struct hd_schedule_row *rows, size_t n,
                        uint32_t interfaces)
{
  uint32_t by[HD_SCHEDULE_NODES_MAX]; /* row by which a node has a message */
  uint32_t of[HD_SCHEDULE_NODES_MAX]; /* 1 + that message; 0: none */
  memset(of, 0, sizeof of);
  for (size_t i = 0, first = 0; i < n; i++) {
    struct hd_schedule_row *row = &rows[i];
    if (row->message != rows[first].message)
      first = i;
    row->origin = rows[first].source;
    row->before = UINT32_MAX;
    const uint32_t from = row->source / interfaces, to = row->destination / interfaces;
    const uint32_t origin = row->origin / interfaces;
    if (to == origin || of[to] == row->message + 1)
      return fail_row(csv, row, row->destination, "already has");
    if (from != origin) {
      if (of[from] != row->message + 1 || rows[by[from]].step >= row->step)
        return fail_row(csv, row, row->source, "does not have");
      row->before = by[from];
    }
    of[to] = row->message + 1;
    by[to] = (uint32_t)i;
  }
  return 0;
}

int hd_schedule_rows(const char *text, size_t length, uint32_t nodes, uint32_t interfaces,
                     struct hd_schedule_row *rows, size_t *n_rows, uint8_t *ports,
                     struct hd_csv_error *error)
{
  static const char *const names[] = {"step", "message", "source", "destination", "links"};
  const uint64_t most[FIELDS] = {STEPS_MAX, MESSAGES_MAX, nodes - 1, nodes - 1};
  struct hd_csv csv = {.header = "step,message,source,destination,links",
                       .names = names,
                       .numbers = FIELDS,
                       .rest = true,
                       .error = error};
  size_t n_ports = 0;
  int more;
  *n_rows = 0;
  hd_csv_open(&csv, text, length);
  while ((more = hd_csv_next(&csv)) > 0) {
    uint64_t value[FIELDS] = {0};
    struct hd_schedule_row *row = &rows[*n_rows];
    if (hd_csv_numbers(&csv, most, value))
      return -1;
    if (!value[0])
      return hd_csv_fail(&csv, "step is 0; steps begin with 1");
    *row = (struct hd_schedule_row){.step = (uint32_t)value[0] - 1,
                                    .message = (uint32_t)value[1],
                                    .source = (uint32_t)value[2],
                                    .destination = (uint32_t)value[3],
                                    .first_port = n_ports,
                                    .line = csv.line};
    if (read_links(&csv, row, ports))
      return -1;
    n_ports += row->n_ports;
    ++*n_rows;
  }
  if (more < 0)
    return -1;
  if (!*n_rows)
    return hd_csv_fail(&csv, "no transfer in the schedule; a line is %s", csv.header);
  qsort(rows, *n_rows, sizeof *rows, compare_rows);
  return find_senders(&csv, rows, *n_rows, interfaces);
}
