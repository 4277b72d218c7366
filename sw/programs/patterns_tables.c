/* Traffic patterns from tables of other tools: Noxim's rates, and communication matrices.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "patterns.h"

#include "csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 8192, NUMBER = 64 };

/* The rate at which one node sends to another. */
struct rate {
  uint32_t destination;
  double until; /* sum of the source's rates up to this one */
  /** packets go only in the cycles between `on` and `off` of each period; period 0: always */
  uint64_t on, off, period;
};

struct table {
  bool read;
  double mean;   /* of a node */
  size_t *first; /* [nodes + 1] index of each source's first rate */
  struct rate *rates;
};

/* Reads a file line by line. */
struct lines {
  struct hd_ep *ep;
  const char *path, *at, *end, *line, *line_end;
  uint32_t number;
};

static bool next_line(struct lines *l, char comment)
{
  while (l->at < l->end) {
    const char *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
    l->line = l->at;
    l->line_end = newline ? newline : l->end;
    l->at = newline ? newline + 1 : l->end;
    l->number++;
    while (l->line < l->line_end && strchr(" \t\r", *l->line))
      l->line++;
    if (l->line < l->line_end && *l->line != comment)
      return true;
  }
  return false;
}

static void reject_line(const struct lines *l, const char *text)
{
  hd_ep_reject(l->ep, "file", "%s:%" PRIu32 ": %s", l->path, l->number, text);
}

/* Reads the next number of the line. Returns false if there is none. */
static bool next_number(struct lines *l, double *value)
{
  char text[NUMBER], *end;
  size_t n = 0;
  while (l->line < l->line_end && strchr(" \t\r,", *l->line))
    l->line++;
  while (l->line < l->line_end && !strchr(" \t\r,", *l->line) && n + 1 < NUMBER)
    text[n++] = *l->line++;
  text[n] = '\0';
  if (!n)
    return false;
  *value = strtod(text, &end);
  if (*end || !(*value >= 0 && *value < 1e15))
    reject_line(l, "not a number, 0 or more");
  return true;
}

static struct lines open_lines(struct hd_ep *ep, const char *what)
{
  const char *path = hd_ep_text(ep, "file", NULL);
  size_t length;
  if (!path)
    hd_ep_reject(ep, "file", "none; this pattern needs a file: %s", what);
  const char *text = hd_program_read_file(ep, "file", "table", path, &length);
  return (struct lines){.ep = ep, .path = path, .at = text, .end = text + length};
}

/* Adds up the rates of each source, and computes the mean of all nodes. */
static void sum_rates(struct hd_ep *ep, struct table *t, const char *path)
{
  const size_t size = (size_t)hd_ep_size(ep);
  double sum = 0;
  for (size_t s = 0; s < size; s++) {
    double own = 0;
    for (size_t i = t->first[s]; i < t->first[s + 1]; i++)
      t->rates[i].until = own += t->rates[i].until;
    sum += own;
  }
  if (!(sum > 0))
    hd_ep_reject(ep, "file", "%s has no rate above 0", path);
  t->mean = sum / (double)size;
  t->read = true;
}

static int pick(struct hd_ep *ep, const void *context)
{
  const struct table *t = context;
  const size_t rank = (size_t)hd_ep_rank(ep);
  size_t low = t->first[rank], high = t->first[rank + 1] - 1;
  const double place = hd_ep_random_unit(ep) * t->rates[high].until;
  while (low < high) { /* finds the first rate whose sum is beyond `place` */
    const size_t middle = (low + high) / 2;
    if (t->rates[middle].until > place)
      high = middle;
    else
      low = middle + 1;
  }
  const struct rate *r = &t->rates[low];
  const uint64_t cycle = r->period ? hd_ep_time(ep) % r->period : 0;
  return r->period && !(cycle > r->on && cycle < r->off) ? -1 : (int)r->destination;
}

static void set_destinations(struct hd_ep *ep, const struct table *t, struct hd_destinations *to)
{
  const size_t rank = (size_t)hd_ep_rank(ep);
  const bool silent = t->first[rank] == t->first[rank + 1];
  to->pick = pick;
  to->context = t;
  to->weight = silent ? 0 : t->rates[t->first[rank + 1] - 1].until / t->mean;
}

/* ── Noxim ────────────────────────────────────────────────────────────────── */

struct noxim_line {
  uint32_t source;
  struct rate rate;
};

static uint32_t node_of(const struct lines *l, double value)
{
  if (value != floor(value) || value >= hd_ep_size(l->ep))
    reject_line(l, "the fabric has no such node");
  return (uint32_t)value;
}

static struct noxim_line read_noxim_line(struct lines *l)
{
  double v[8];
  size_t n = 0;
  while (n < 8 && next_number(l, &v[n]))
    n++;
  if (n < 3 || n > 7 || n == 5 || n == 6)
    reject_line(l, "legal: source, destination, pir; and por; and t_on, t_off, t_period");
  struct noxim_line line = {node_of(l, v[0]), {.destination = node_of(l, v[1]), .until = v[2]}};
  if (line.source == line.rate.destination)
    reject_line(l, "a node that sends to itself");
  if (v[2] > 1)
    reject_line(l, "pir is above 1");
  if (n > 3 && v[3] != v[2])
    reject_line(l, "por is not pir; rates that depend on the packet before are not read");
  if (n == 7) {
    if (!(v[4] < v[5] && v[5] < v[6]))
      reject_line(l, "legal: t_on < t_off < t_period");
    line.rate.on = (uint64_t)v[4];
    line.rate.off = (uint64_t)v[5];
    line.rate.period = (uint64_t)v[6];
  }
  return line;
}

static void read_noxim(struct hd_ep *ep, struct table *t)
{
  struct lines l = open_lines(ep, "lines of source, destination, pir");
  const size_t size = (size_t)hd_ep_size(ep);
  size_t n = 0, lines = 1;
  for (const char *c = l.at; c < l.end; c++)
    lines += *c == '\n';
  struct noxim_line *all = hd_ep_alloc(ep, lines * sizeof *all);
  while (next_line(&l, '%'))
    all[n++] = read_noxim_line(&l);
  t->first = hd_ep_alloc(ep, (size + 2) * sizeof *t->first);
  t->rates = hd_ep_alloc(ep, (n + 1) * sizeof *t->rates);
  for (size_t i = 0; i < n; i++)
    t->first[all[i].source + 2]++;
  for (size_t s = 2; s <= size + 1; s++)
    t->first[s] += t->first[s - 1];
  for (size_t i = 0; i < n; i++)
    t->rates[t->first[all[i].source + 1]++] = all[i].rate;
  sum_rates(ep, t, l.path);
}

static void noxim(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  struct table *t = hd_ep_shared(ep, "noxim", sizeof *t);
  (void)part;
  if (!t->read)
    read_noxim(ep, t);
  set_destinations(ep, t, to);
  to->load = t->mean;
  to->load_is_packets = true;
  for (size_t i = 0; i < t->first[hd_ep_size(ep)]; i++)
    to->pauses |= t->rates[i].period != 0;
}

static const char *const file_parameter[] = {HD_PATTERN_FILE_PARAMETER, NULL};

const struct hd_pattern hd_pattern_noxim = {
    .name = "noxim",
    .about =
        "rates of a traffic table of Noxim (lines of source, destination, pir, por, t_on, t_off, "
        "t_period), packets a cycle; with `load`, all rates are scaled so that it is the mean of "
        "the nodes",
    .formula = "s to d: pir packets a cycle, between t_on and t_off of each period",
    .counts = "2 or more",
    .parameters = file_parameter,
    .prepare = noxim,
};

/* ── a communication matrix ───────────────────────────────────────────────── */

static void read_weights(struct hd_ep *ep, struct table *t)
{
  struct lines l = open_lines(ep, "a row of numbers for each source");
  const size_t size = (size_t)hd_ep_size(ep);
  size_t row = 0, n = 0, capacity = 0;
  if (size > COLUMNS)
    hd_ep_reject(ep, NULL, "%zu nodes; weights takes at most %d", size, COLUMNS);
  t->first = hd_ep_alloc(ep, (size + 1) * sizeof *t->first);
  for (; next_line(&l, '#'); row++) {
    double value;
    size_t column = 0;
    if (row == size)
      reject_line(&l, "more rows than nodes");
    if (n + size > capacity) {
      capacity = 2 * capacity + size;
      struct rate *larger = hd_ep_alloc(ep, capacity * sizeof *larger);
      if (n)
        memcpy(larger, t->rates, n * sizeof *larger);
      t->rates = larger;
    }
    for (; next_number(&l, &value); column++)
      if (column < size && column != row && value > 0)
        t->rates[n++] = (struct rate){.destination = (uint32_t)column, .until = value};
    if (column != size)
      reject_line(&l, "a row has a number for each node of the fabric");
    t->first[row + 1] = n;
  }
  if (row != size)
    reject_line(&l, "a matrix has a row for each node of the fabric");
  sum_rates(ep, t, l.path);
}

static void weights(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  struct table *t = hd_ep_shared(ep, "weights", sizeof *t);
  (void)part;
  if (!t->read)
    read_weights(ep, t);
  set_destinations(ep, t, to);
}

const struct hd_pattern hd_pattern_weights = {
    .name = "weights",
    .about = "a communication matrix: a row of numbers for each source, such as bytes; `load` is "
             "the mean of the nodes; numbers of a node for itself do not count",
    .formula = "s to d with probability w_sd / Σ_d w_sd, load ∝ Σ_d w_sd",
    .counts = "2 to 8192",
    .parameters = file_parameter,
    .prepare = weights,
};
