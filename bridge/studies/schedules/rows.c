/* The cells of the paper's tables, from a file.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include "../../host/file.h"
#include "../../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NETWORK, NODES, COLLECTIVE, ROOT, PORTS, STEPS, TIME, RATE, FIELDS, FIELD = 96 };
static const char header[] =
    "network,nodes,collective,root,ports,paper_steps,paper_time,paper_rate";

/* Splits a line into fields, which may be quoted. Returns the number of fields; FIELDS + 1 if
 * there are too many or one is too long. */
static unsigned split(const char *at, const char *end, char fields[FIELDS][FIELD])
{
  unsigned n = 0;
  while (n < FIELDS) {
    bool quoted = at < end && *at == '"';
    const char *begin = quoted ? at + 1 : at;
    const char *stop = memchr(begin, quoted ? '"' : ',', (size_t)(end - begin));
    stop = stop ? stop : end;
    if (stop - begin >= FIELD)
      return FIELDS + 1;
    memcpy(fields[n], begin, (size_t)(stop - begin));
    fields[n++][stop - begin] = '\0';
    at = stop + (quoted && stop < end);
    if (at == end)
      return n;
    if (*at++ != ',')
      return FIELDS + 1;
  }
  return FIELDS + 1;
}

static bool number(const char *text, uint32_t *value)
{
  char rest;
  return sscanf(text, "%9" SCNu32 "%c", value, &rest) == 1;
}

/* Reads a duration such as "4m6s", "6d8h" or "<1s". */
static bool duration(const char *text, double *seconds)
{
  static const struct {
    char unit;
    double seconds;
  } units[] = {{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
  *seconds = 0;
  for (text += *text == '<'; *text; text++) {
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    unsigned i = 0;
    while (i < 4 && units[i].unit != *end)
      i++;
    if (end == text || i == 4)
      return false;
    *seconds += (double)n * units[i].seconds;
    text = end;
  }
  return *seconds > 0;
}

const char *schedules_graph_file(const char *network)
{
  static const char graph[] = "graph:file=";
  return strncmp(network, graph, strlen(graph)) ? NULL : network + strlen(graph);
}

static int hash_graph(struct schedules_row *row, struct hd_error *err)
{
  const char *file = schedules_graph_file(row->network);
  char *text;
  size_t length;
  if (!file)
    return HD_OK;
  int status = hd_file_read(file, &text, &length, err);
  if (status)
    return status;
  row->graph = hd_hash_bytes(text, length, 1) | 1;
  free(text);
  return HD_OK;
}

/* Makes a row. Steps "16/15" and "20*" mean that 16 and 20 steps were reached. */
static bool make(struct schedules_row *row, char fields[FIELDS][FIELD])
{
  char rest;
  *row = (struct schedules_row){.kind = hd_exchange_find(fields[COLLECTIVE]),
                                .rooted = fields[ROOT][0] != '\0',
                                .all_port = !strcmp(fields[PORTS], "all")};
  snprintf(row->network, sizeof row->network, "%.95s", fields[NETWORK]);
  if (strlen(fields[STEPS]) >= sizeof row->paper_steps ||
      strlen(fields[TIME]) >= sizeof row->paper_time)
    return false;
  snprintf(row->paper_steps, sizeof row->paper_steps, "%.15s", fields[STEPS]);
  snprintf(row->paper_time, sizeof row->paper_time, "%.15s", fields[TIME]);
  int n = sscanf(fields[STEPS], "%9" SCNu32 "%c", &row->evolution, &rest);
  return row->kind != HD_EXCHANGES && number(fields[NODES], &row->nodes) && row->nodes > 1 &&
         (!row->rooted || number(fields[ROOT], &row->root)) && row->root < row->nodes &&
         (row->all_port || !strcmp(fields[PORTS], "one")) &&
         (n == 1 || (n == 2 && (rest == '/' || rest == '*'))) && row->evolution &&
         duration(row->paper_time, &row->paper_seconds) && number(fields[RATE], &row->paper_rate) &&
         row->paper_rate <= 100;
}

static bool is_there(const struct schedules_results *r, const struct schedules_row *row)
{
  for (size_t i = 0; i < r->n; i++)
    if (r->rows[i].kind == row->kind && r->rows[i].root == row->root &&
        r->rows[i].all_port == row->all_port && !strcmp(r->rows[i].network, row->network))
      return true;
  return false;
}

static int add(struct schedules_results *r, const char *at, const char *end, const char *path,
               uint32_t line, struct hd_error *err)
{
  char fields[FIELDS][FIELD];
  struct schedules_row row;
  if (split(at, end, fields) != FIELDS || !make(&row, fields))
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": not %s, as \"omega:k=2,n=4\",16,aas,,one,16/15,4m6s,100", path,
                   line, header);
  if (r->quick && row.nodes > 8)
    return HD_OK;
  if (is_there(r, &row))
    return hd_fail(err, HD_E_INPUT, "%s:%" PRIu32 ": this row is there already", path, line);
  HD_XROOM(r->rows, r->capacity, r->n, 1);
  r->rows[r->n++] = row;
  return hash_graph(&r->rows[r->n - 1], err);
}

int schedules_read(struct schedules_results *r, const char *path, bool quick, struct hd_error *err)
{
  char *text;
  size_t length;
  uint32_t line = 0;
  r->quick = quick;
  r->seeds = quick ? SCHEDULES_QUICK_SEEDS : SCHEDULES_SEEDS;
  int status = hd_file_read(path, &text, &length, err);
  if (status)
    return status;
  for (const char *at = text, *end; !status && at < text + length; at = end + 1) {
    end = memchr(at, '\n', (size_t)(text + length - at));
    end = end ? end : text + length;
    line++;
    bool is_header = (size_t)(end - at) == strlen(header) && !memcmp(at, header, strlen(header));
    if (at < end && *at != '#' && !is_header)
      status = add(r, at, end, path, line, err);
  }
  free(text);
  if (!status && !r->n)
    status = hd_fail(err, HD_E_INPUT, "%s: no row", path);
  return status;
}

void schedules_fini(struct schedules_results *r)
{
  free(r->rows);
  *r = (struct schedules_results){0};
}

void schedules_row_name(const struct schedules_row *row, char *text, size_t size)
{
  char root[24] = "";
  if (row->rooted)
    snprintf(root, sizeof root, ", root n%" PRIu32, row->root);
  snprintf(text, size, "%s %s%s%s", row->network, hd_exchange_name(row->kind), root,
           row->all_port ? ", all ports" : "");
}
