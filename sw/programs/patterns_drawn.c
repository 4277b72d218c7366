/* Traffic patterns in which a random number or a file gives the destination.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "csv.h"
#include "patterns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANY_COUNT "2 or more"

/* ── uniform, hot spots, diagonal ─────────────────────────────────────────── */

static int pick_other(struct hd_ep *ep, const void *context)
{
  (void)context;
  return hd_program_other_node(ep);
}

static void uniform(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  (void)ep;
  (void)part;
  to->pick = pick_other;
}

const struct hd_pattern hd_pattern_uniform = {
    .name = "uniform",
    .about = "a random other node for each packet",
    .formula = "d ≠ s, each with probability 1/(n−1)",
    .counts = ANY_COUNT,
    .prepare = uniform,
};

static int pick_hotspot(struct hd_ep *ep, const void *context)
{
  uint64_t node;
  const bool hot = hd_weighted_find(context, hd_ep_random_unit(ep), &node);
  return hot && (int)node != hd_ep_rank(ep) ? (int)node : hd_program_other_node(ep);
}

static void hotspot(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  struct hd_weighted *spots = hd_ep_alloc(ep, sizeof *spots);
  const uint64_t last = (uint64_t)hd_ep_size(ep) - 1;
  to->pick = pick_hotspot;
  to->context = spots;
  spots->n = 1;
  spots->until[0] = hd_class_number(ep, "fraction", part, 0.1, 0, 1);
  spots->values[0] = hd_class_integer(ep, "node", part, 0, 0, last);
  if (!hd_class_values(ep, "spots"))
    return;
  if (hd_class_values(ep, "fraction") || hd_class_values(ep, "node"))
    hd_ep_reject(ep, "spots",
                 "given beside fraction or node; give one hot node by these, or several by spots");
  hd_class_weighted(ep, "spots", part, 0, last, spots);
  if (spots->until[spots->n - 1] > 1 + 1e-9)
    hd_ep_reject(ep, "spots", "the fractions make %g together; legal: at most 1",
                 spots->until[spots->n - 1]);
}

static const char *const hotspot_parameters[] = {HD_HOTSPOT_PARAMETERS, NULL};

const struct hd_pattern hd_pattern_hotspot = {
    .name = "hotspot",
    .about = "uniform traffic, of which a part goes to hot nodes",
    .formula = "node h_j with probability f_j, else as uniform; a hot node's own share is uniform",
    .counts = ANY_COUNT,
    .parameters = hotspot_parameters,
    .prepare = hotspot,
};

static int pick_diagonal(struct hd_ep *ep, const void *context)
{
  (void)context;
  const int on = hd_ep_random_unit(ep) < 2.0 / 3 ? 1 : 2;
  return (hd_ep_rank(ep) + on) % hd_ep_size(ep);
}

/* In McKeown, "The iSLIP scheduling algorithm", 1999, and other papers, input i of a crossbar sends
 * to outputs i and i + 1. Here it is i + 1 and i + 2, so that no node sends to itself. */
static void diagonal(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  (void)part;
  if (hd_ep_size(ep) < 3)
    hd_ep_reject(ep, NULL, "%d nodes; diagonal needs at least 3", hd_ep_size(ep));
  to->pick = pick_diagonal;
}

const struct hd_pattern hd_pattern_diagonal = {
    .name = "diagonal",
    .about = "two thirds to the next rank, one third to the one after it: the diagonal traffic of "
             "papers on crossbars, shifted by one so that no node sends to itself",
    .formula = "d = s+1 mod n with probability 2/3, s+2 mod n with 1/3",
    .counts = "3 or more",
    .prepare = diagonal,
};

/* ── adversarial traffic among groups ────────────────────────────────────── */

struct groups {
  uint32_t first, nodes; /* first node of the destination's group, and its number of nodes */
};

static int pick_in_group(struct hd_ep *ep, const void *context)
{
  const struct groups *g = context;
  return (int)(g->first + (uint32_t)(((hd_ep_random(ep) >> 32) * g->nodes) >> 32));
}

/* The worst case of Kim, Dally, Scott, Abts, "Technology-driven, highly-scalable dragonfly
 * topology", ISCA 2008, and of Kim, Dally, Abts, "Flattened butterfly", ISCA 2007. */
static void adversarial(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  const uint64_t size = (uint64_t)hd_ep_size(ep);
  const uint64_t nodes = hd_class_integer(ep, "group", part, 0, 0, size);
  if (!nodes || size % nodes || size / nodes < 2)
    hd_ep_reject(ep, "group",
                 "%" PRIu64 "; needed: the nodes of a group, of which %" PRIu64
                 " nodes make 2 or more: p·a of a dragonfly, the nodes of a switch of a flattened "
                 "butterfly",
                 nodes, size);
  const uint64_t groups = size / nodes,
                 shift = hd_class_integer(ep, "shift", part, 1, 1, groups - 1);
  struct groups *g = hd_ep_alloc(ep, sizeof *g);
  g->nodes = (uint32_t)nodes;
  g->first = (uint32_t)(((uint64_t)hd_ep_rank(ep) / nodes + shift) % groups * nodes);
  to->pick = pick_in_group;
  to->context = g;
}

static const char *const adversarial_parameters[] = {HD_ADVERSARIAL_PARAMETERS, NULL};

const struct hd_pattern hd_pattern_adversarial = {
    .name = "adversarial",
    .about = "all nodes of a group to random nodes of the group `shift` further: the worst case "
             "for minimal "
             "routing of a dragonfly (a group of p·a nodes, all by one global link) and of a "
             "flattened butterfly (the nodes of a switch, all by one link)",
    .formula = "⌊d/g⌋ = ⌊s/g⌋ + shift mod n/g, each of the g nodes alike",
    .counts = "2 or more groups of g nodes",
    .parameters = adversarial_parameters,
    .prepare = adversarial,
};

/* ── permutations ─────────────────────────────────────────────────────────── */

/* SplitMix64. It does not use the node's generator, so all nodes draw the same numbers. */
static uint64_t draw_shared_number(uint64_t *state)
{
  return hd_program_mix64(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/* Draws a permutation; all are equally likely (Durstenfeld, "Algorithm 235: Random permutation",
 * 1964). On average, one node is its own destination and sends nothing. */
static void permutation(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  uint64_t number = hd_class_integer(ep, "permutation", part, 1, 0, HD_INTEGER_MAX);
  const int size = hd_ep_size(ep);
  char key[48];
  snprintf(key, sizeof key, "permutation %" PRIu64, number);
  int *of = hd_ep_shared(ep, key, ((size_t)size + 1) * sizeof *of);
  for (int i = 0; i < size && !of[size]; i++) /* the first node draws it for all */
    of[i] = i;
  for (int i = size - 1; i > 0 && !of[size]; i--) {
    int other = (int)(((draw_shared_number(&number) >> 32) * ((uint64_t)i + 1)) >> 32),
        moved = of[i];
    of[i] = of[other];
    of[other] = moved;
  }
  of[size] = 1;
  to->fixed = of[hd_ep_rank(ep)];
}

static const char *const permutation_parameters[] = {HD_PERMUTATION_PARAMETER, NULL};

const struct hd_pattern hd_pattern_permutation = {
    .name = "permutation",
    .about = "the node that a random permutation names; a node that names itself sends nothing",
    .formula = "d = π(s), all n! alike",
    .counts = ANY_COUNT,
    .parameters = permutation_parameters,
    .prepare = permutation,
};

/* ── files ────────────────────────────────────────────────────────────────── */

static const char *file_of_pattern(struct hd_ep *ep, const char *form)
{
  const char *path = hd_ep_text(ep, "file", NULL);
  if (!path)
    hd_ep_reject(ep, "file", "none; this pattern needs a file of lines %s", form);
  return path;
}

static void permutation_file(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  static const char *const names[] = {"source", "destination"};
  (void)part;
  const int size = hd_ep_size(ep);
  int *of = hd_ep_shared(ep, "permutation file", ((size_t)size + 1) * sizeof *of);
  /* the first node reads it for all; of[source]: 0: no line, else 1 + the destination */
  if (!of[size]) {
    const char *path = file_of_pattern(ep, "source,destination");
    struct hd_csv_error error;
    struct hd_csv csv = {
        .header = "source,destination", .names = names, .numbers = 2, .error = &error};
    const uint64_t most[] = {(uint64_t)size - 1, (uint64_t)size - 1};
    uint64_t value[2];
    size_t length;
    bool *taken = hd_ep_alloc(ep, (size_t)size * sizeof *taken), any = false;
    int more;
    const char *text = hd_program_read_file(ep, "file", "permutation", path, &length);
    hd_csv_open(&csv, text, length);
    while ((more = hd_csv_next(&csv)) > 0 && !(more = hd_csv_numbers(&csv, most, value))) {
      if (of[value[0]] || taken[value[1]]) {
        more = hd_csv_fail(&csv, "%s %" PRIu64 " is there twice; a permutation has each once",
                           of[value[0]] ? "source" : "destination",
                           of[value[0]] ? value[0] : value[1]);
        break;
      }
      of[value[0]] = 1 + (int)value[1];
      taken[value[1]] = true;
      any = true;
    }
    if (!more && !any)
      more = hd_csv_fail(&csv, "no line of %s", csv.header);
    if (more < 0)
      hd_ep_reject(ep, "file", "%s:%" PRIu32 ": %s", path, error.line, error.text);
    of[size] = 1;
  }
  const int line = of[hd_ep_rank(ep)];
  to->fixed = line ? line - 1 : hd_ep_rank(ep);
}

static const char *const file_parameter[] = {HD_PATTERN_FILE_PARAMETER, NULL};

const struct hd_pattern hd_pattern_permutation_file = {
    .name = "permutation-file",
    .about = "the node that a file names for each source (CSV of source,destination); a source "
             "without a line sends nothing",
    .formula = "d = π(s), no destination twice",
    .counts = ANY_COUNT,
    .parameters = file_parameter,
    .prepare = permutation_file,
};

enum { MATRIX_NODES = 8192 }; /* 512 MiB of rates */

/* The rates of all nodes, which are read once. */
struct matrix {
  bool read;
  double mean;   /* mean load of a node, flits a cycle */
  double *until; /* [nodes][nodes] sum of a source's rates up to each destination */
};

/* Reads the rate, which follows the second comma. */
static int read_rate(struct hd_csv *csv, double *rate)
{
  char text[64], *end;
  hd_csv_copy_printable(csv, text, sizeof text);
  *rate = strtod(text, &end);
  end += strspn(end, " ");
  if (end == text || *end || !(*rate >= 0 && isfinite(*rate)) ||
      memchr(csv->at, ',', (size_t)(csv->end - csv->at)))
    return hd_csv_fail(
        csv, "rate is '%s'; it must be a number, 0 or more, and the last of the line", text);
  return 0;
}

static void read_matrix(struct hd_ep *ep, struct matrix *matrix)
{
  static const char *const names[] = {"source", "destination"};
  const size_t size = (size_t)hd_ep_size(ep);
  if (size > MATRIX_NODES)
    hd_ep_reject(ep, NULL, "%zu nodes; matrix takes at most %d", size, MATRIX_NODES);
  const char *path = file_of_pattern(ep, "source,destination,rate");
  struct hd_csv_error error;
  struct hd_csv csv = {.header = "source,destination,rate",
                       .names = names,
                       .numbers = 2,
                       .rest = true,
                       .error = &error};
  const uint64_t most[] = {size - 1, size - 1};
  uint64_t value[2];
  double rate, sum = 0;
  size_t length;
  int more;
  matrix->until = hd_ep_alloc(ep, size * size * sizeof *matrix->until);
  const char *text = hd_program_read_file(ep, "file", "matrix", path, &length);
  hd_csv_open(&csv, text, length);
  while ((more = hd_csv_next(&csv)) > 0 && !(more = hd_csv_numbers(&csv, most, value)) &&
         !(more = read_rate(&csv, &rate))) {
    double *pair = &matrix->until[value[0] * size + value[1]];
    if (value[0] == value[1] && rate > 0)
      more = hd_csv_fail(&csv, "node %" PRIu64 " sends to itself", value[0]);
    else if (*pair > 0)
      more = hd_csv_fail(&csv, "source and destination are there twice");
    if (more < 0)
      break;
    *pair = rate;
    sum += rate;
  }
  if (more < 0)
    hd_ep_reject(ep, "file", "%s:%" PRIu32 ": %s", path, error.line, error.text);
  if (!(sum > 0))
    hd_ep_reject(ep, "file", "%s has no rate above 0; a line is %s", path, csv.header);
  matrix->mean = sum / (double)size;
  for (size_t source = 0; source < size; source++)
    for (size_t i = 1; i < size; i++)
      matrix->until[source * size + i] += matrix->until[source * size + i - 1];
  matrix->read = true;
}

static int pick_by_rate(struct hd_ep *ep, const void *context)
{
  const double *until = context;
  const int last = hd_ep_size(ep) - 1;
  const double place = hd_ep_random_unit(ep) * until[last];
  int low = 0, high = last; /* finds the first sum that is beyond `place` */
  while (low < high) {
    const int middle = (low + high) / 2;
    if (until[middle] > place)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static void matrix(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  (void)part;
  struct matrix *m = hd_ep_shared(ep, "matrix", sizeof *m);
  if (!m->read)
    read_matrix(ep, m);
  const size_t size = (size_t)hd_ep_size(ep), rank = (size_t)hd_ep_rank(ep);
  to->pick = pick_by_rate;
  to->context = m->until + rank * size;
  to->load = m->mean;
  to->weight = m->until[rank * size + size - 1] / m->mean;
}

const struct hd_pattern hd_pattern_matrix = {
    .name = "matrix",
    .about =
        "rates by source and destination from a file (CSV of source,destination,rate in flits a "
        "cycle); with `load`, all rates are scaled so that it is the mean of the nodes",
    .formula = "s to d: λ_sd flits a cycle",
    .counts = "2 to 8192",
    .parameters = file_parameter,
    .prepare = matrix,
};
