/* Compares two wave files signal by signal.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The changes of the first file's signals are kept in memory. Those of the second file are read one
 * by one. A value of the second file holds until its next change, so it is compared with the first
 * file's changes in that time. Of several changes at one time, the last one counts.
 */
#include "wave_diff_internal.h"

#include "../host/file.h"
#include "../host/memory.h"
#include "fst.h"
#include "vcd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── files of both kinds ───────────────────────────────────────────────────── */

struct source {
  struct hd_fst_reader *fst; /* fst or vcd, the other is NULL */
  struct hd_vcd *vcd;
  char *bytes; /* contents of the VCD file */
  const struct hd_fst_variable *variables;
  size_t n;
  int exponent;
  uint64_t first, last;
  uint64_t factor; /* times are multiplied by this factor */
  uint32_t max_handle;
};

/* Tests for FST: the file begins with a header block, or with a block that holds the whole file
 * compressed. */
static int is_fst(const char *path, bool *fst, struct hd_error *err)
{
  enum { HEADER = 0, WRAPPED = 254 };
  struct hd_error ignored;
  FILE *f = NULL;
  char *bytes = NULL;
  size_t length = 0;
  int status = hd_file_regular(path, 0, &bytes, &length, &ignored);
  free(bytes);
  if (status == HD_E_IO)
    return hd_fail(err, status, "%s", ignored.text);
  f = fopen(path, "rb");
  const int first = f != NULL ? fgetc(f) : EOF;
  if (f != NULL)
    fclose(f);
  if (first == EOF)
    return hd_fail(err, HD_E_INPUT, "%.400s: the file is empty", path);
  *fst = first == HEADER || first == WRAPPED;
  return HD_OK;
}

static int open_fst(struct source *s, const char *path, struct hd_error *err)
{
  const int status = hd_fst_reader_create(&s->fst, path, err);
  if (status != HD_OK) /* the file exists, so it is no FST file */
    return status == HD_E_IO ? HD_E_INPUT : status;
  s->variables = hd_fst_variables(s->fst, &s->n);
  s->exponent = hd_fst_exponent(s->fst);
  hd_fst_times(s->fst, &s->first, &s->last);
  return HD_OK;
}

static int open_vcd(struct source *s, const char *path, struct hd_error *err)
{
  size_t length = 0;
  int status = hd_file_read(path, &s->bytes, &length, err);
  if (status == HD_OK)
    status = hd_vcd_create(&s->vcd, s->bytes, length, path, err);
  if (status != HD_OK)
    return status;
  s->variables = hd_vcd_variables(s->vcd, &s->n);
  s->exponent = hd_vcd_exponent(s->vcd);
  hd_vcd_times(s->vcd, &s->first, &s->last);
  return HD_OK;
}

static int source_open(struct source *s, const char *path, struct hd_error *err)
{
  bool fst = false;
  int status = is_fst(path, &fst, err);
  if (status == HD_OK)
    status = fst ? open_fst(s, path, err) : open_vcd(s, path, err);
  for (size_t i = 0; status == HD_OK && i < s->n; i++)
    s->max_handle = s->variables[i].handle > s->max_handle ? s->variables[i].handle : s->max_handle;
  return status;
}

static int source_read(struct source *s, hd_fst_change_fn *change, void *context,
                       struct hd_error *err)
{
  if (s->fst != NULL)
    return hd_fst_read(s->fst, change, context, NULL, err);
  hd_vcd_read(s->vcd, change, context);
  return HD_OK;
}

static void source_close(struct source *s)
{
  hd_fst_reader_destroy(s->fst);
  hd_vcd_destroy(s->vcd);
  free(s->bytes);
}

/* ── pairs of signals ──────────────────────────────────────────────────────── */

/* Two variables that are compared. */
struct pair {
  const struct hd_fst_variable *a, *b;
  size_t next;   /* index + 1 of the next pair whose b has the same handle; 0: none */
  size_t cursor; /* index of a's first change after the time compared so far */
  bool differs;
};

/* Values of a signal of A, each with its start time; 'x' before the first. */
struct history {
  bool wanted;
  uint32_t bits;
  size_t n, capacity;
  uint64_t *times;
  char *values; /* `bits` characters for each value */
};

/* The current value of a signal of B. */
struct now {
  size_t pairs; /* index + 1 of its first pair */
  uint32_t bits;
  uint64_t since;
  char *value;
};

struct comparison {
  struct hd_wave_diff *diff;
  struct source a, b;
  struct pair *pairs;
  size_t n_pairs, capacity;
  struct history *histories;              /* [a.max_handle + 1] */
  struct now *nows;                       /* [b.max_handle + 1] */
  const struct hd_fst_variable **by_path; /* B's variables, sorted */
  bool *matched;                          /* [b.n] */
  volatile struct hd_wave_diff_progress *progress;
};

static int compare_paths(const void *a, const void *b)
{
  const struct hd_fst_variable *x = *(const struct hd_fst_variable *const *)a,
                               *y = *(const struct hd_fst_variable *const *)b;
  const int order = strcmp(x->path, y->path);
  return order != 0 ? order : x < y ? -1 : x > y;
}

/* Returns the part of a path after a scope and its dot; NULL: the path is not in the scope. */
static const char *below(const char *path, const char *scope)
{
  const size_t length = strlen(scope);
  if (length == 0)
    return path;
  return strncmp(path, scope, length) == 0 && (path[length] == '.' || path[length] == '\0')
             ? path + length
             : NULL;
}

/* The first of B's variables called `scope` + `rest`. */
static const struct hd_fst_variable *find(const struct comparison *c, const char *scope,
                                          const char *rest)
{
  const size_t length = strlen(scope);
  size_t low = 0, high = c->b.n;
  if (length == 0 && *rest == '.')
    rest++;
  const char *dot = length > 0 && *rest != '.' && *rest != '\0' ? "." : "";
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const char *path = c->by_path[middle]->path;
    int order = strncmp(path, scope, length);
    if (order == 0)
      order = strncmp(path + length, dot, strlen(dot));
    if (order == 0)
      order = strcmp(path + length + strlen(dot), rest);
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == c->b.n)
    return NULL;
  const char *path = c->by_path[low]->path;
  return strncmp(path, scope, length) == 0 && strncmp(path + length, dot, strlen(dot)) == 0 &&
                 strcmp(path + length + strlen(dot), rest) == 0
             ? c->by_path[low]
             : NULL;
}

static void add_pair(struct comparison *c, const struct hd_fst_variable *a,
                     const struct hd_fst_variable *b)
{
  c->matched[b - c->b.variables] = true;
  if (a->bits == 0 || a->bits != b->bits) {
    c->diff->not_comparable++;
    return;
  }
  if (c->n_pairs == c->capacity) {
    c->capacity = c->capacity != 0 ? 2 * c->capacity : 256;
    c->pairs = hd_xrealloc(c->pairs, c->capacity * sizeof *c->pairs);
  }
  struct now *now = &c->nows[b->handle];
  c->pairs[c->n_pairs++] = (struct pair){.a = a, .b = b, .next = now->pairs};
  now->pairs = c->n_pairs;
  now->bits = b->bits;
  c->histories[a->handle].wanted = true;
  c->histories[a->handle].bits = a->bits;
  if (now->value == NULL)
    now->value = hd_xmalloc(b->bits);
  memset(now->value, 'x', b->bits);
}

/* Finds all pairs that the maps define. */
static void pair_up(struct comparison *c, const struct hd_wave_map *maps, size_t n_maps)
{
  static const struct hd_wave_map same = {"", ""};
  if (n_maps == 0)
    maps = &same, n_maps = 1;
  for (size_t m = 0; m < n_maps; m++)
    for (size_t i = 0; i < c->a.n; i++) {
      const char *rest = below(c->a.variables[i].path, maps[m].a);
      const struct hd_fst_variable *b = rest != NULL ? find(c, maps[m].b, rest) : NULL;
      if (b != NULL)
        add_pair(c, &c->a.variables[i], b);
      else if (rest != NULL)
        c->diff->only_a++;
    }
  for (size_t i = 0; i < c->b.n; i++) {
    bool mapped = false;
    for (size_t m = 0; m < n_maps; m++)
      mapped = mapped || below(c->b.variables[i].path, maps[m].b) != NULL;
    c->diff->only_b += mapped && !c->matched[i];
  }
}

static void prepare(struct comparison *c)
{
  c->histories = hd_xcalloc((size_t)c->a.max_handle + 1, sizeof *c->histories);
  c->nows = hd_xcalloc((size_t)c->b.max_handle + 1, sizeof *c->nows);
  c->by_path = hd_xcalloc(c->b.n + 1, sizeof *c->by_path);
  c->matched = hd_xcalloc(c->b.n + 1, sizeof *c->matched);
  for (size_t i = 0; i < c->b.n; i++)
    c->by_path[i] = &c->b.variables[i];
  qsort(c->by_path, c->b.n, sizeof *c->by_path, compare_paths);
}

/* ── times ─────────────────────────────────────────────────────────────────── */

/* Sets the factors that convert the times of both files to the finer of their two units. */
static int scale(struct comparison *c, struct hd_error *err)
{
  struct source *coarse = c->a.exponent > c->b.exponent ? &c->a : &c->b;
  const int finer = c->a.exponent < c->b.exponent ? c->a.exponent : c->b.exponent;
  c->a.factor = c->b.factor = 1;
  for (int e = coarse->exponent; e > finer; e--) {
    if (coarse->last > UINT64_MAX / 10 / coarse->factor)
      return hd_fail(err, HD_E_INPUT, "times of 10^%d s and of 10^%d s are too far apart",
                     coarse->exponent, finer);
    coarse->factor *= 10;
  }
  struct hd_wave_diff *d = c->diff;
  const uint64_t first_a = c->a.first * c->a.factor, first_b = c->b.first * c->b.factor;
  d->exponent = finer;
  d->first_a = first_a;
  d->first_b = first_b;
  d->last_a = c->a.last * c->a.factor;
  d->last_b = c->b.last * c->b.factor;
  d->first = first_a > first_b ? first_a : first_b;
  d->last = d->last_a < d->last_b ? d->last_a : d->last_b;
  if (d->first > d->last)
    return hd_fail(err, HD_E_INPUT,
                   "the files have no time in common: one ends before the other begins");
  return HD_OK;
}

/* ── progress ──────────────────────────────────────────────────────────────── */

static void reads(struct comparison *c, unsigned file)
{
  c->progress->file = file;
  c->progress->time = 0;
}

static void comes_to(struct comparison *c, uint64_t time)
{
  if (time > c->progress->time)
    c->progress->time = time;
}

/* ── values ────────────────────────────────────────────────────────────────── */

static void take_a(void *context, uint64_t time, uint32_t handle, const char *value)
{
  struct comparison *c = context;
  comes_to(c, time);
  if (value == NULL || handle > c->a.max_handle || !c->histories[handle].wanted)
    return;
  struct history *h = &c->histories[handle];
  time *= c->a.factor;
  if (h->n > 0 && h->times[h->n - 1] == time) {
    memcpy(h->values + (h->n - 1) * h->bits, value, h->bits);
    return;
  }
  if (h->n > 0 && memcmp(h->values + (h->n - 1) * h->bits, value, h->bits) == 0)
    return;
  if (h->n == h->capacity) {
    h->capacity = h->capacity != 0 ? 2 * h->capacity : 8;
    h->times = hd_xrealloc(h->times, h->capacity * sizeof *h->times);
    h->values = hd_xrealloc(h->values, h->capacity * h->bits);
  }
  h->times[h->n] = time;
  memcpy(h->values + h->n * h->bits, value, h->bits);
  h->n++;
}

static char *copy_value(const char *value, uint32_t bits, bool known)
{
  char *text = hd_xmalloc((size_t)bits + 1);
  if (known)
    memcpy(text, value, bits);
  else
    memset(text, 'x', bits);
  text[bits] = '\0';
  return text;
}

static void differs(struct comparison *c, struct pair *p, uint64_t time, const char *a,
                    const char *b)
{
  struct hd_wave_diff *d = c->diff;
  p->differs = true;
  if ((d->n & (d->n - 1)) == 0) /* doubles the room */
    d->differences =
        hd_xrealloc(d->differences, (d->n != 0 ? 2 * d->n : 1) * sizeof *d->differences);
  struct hd_wave_difference *w = &d->differences[d->n++];
  *w = (struct hd_wave_difference){.a = hd_xstrdup(p->a->path),
                                   .b = hd_xstrdup(p->b->path),
                                   .time = time,
                                   .value_a = copy_value(a, p->a->bits, a != NULL),
                                   .value_b = copy_value(b, p->a->bits, true)};
}

static bool equal_values(const char *a, const char *b, uint32_t bits)
{
  if (a != NULL)
    return memcmp(a, b, bits) == 0;
  for (uint32_t i = 0; i < bits; i++)
    if (b[i] != 'x')
      return false;
  return true;
}

/* Compares B's `value`, which held from `from` to just before `to`, with A's history. */
static void hold_against(struct comparison *c, struct pair *p, uint64_t from, uint64_t to,
                         const char *value)
{
  const struct history *h = &c->histories[p->a->handle];
  const uint32_t bits = p->a->bits;
  /* cursor: the first change after `from` */
  while (p->cursor < h->n && h->times[p->cursor] <= from)
    p->cursor++;
  for (uint64_t time = from; !p->differs && time < to; p->cursor++) {
    const char *a = p->cursor > 0 ? h->values + (p->cursor - 1) * bits : NULL;
    if (!equal_values(a, value, bits))
      differs(c, p, time, a, value);
    if (p->cursor == h->n || h->times[p->cursor] >= to)
      break;
    time = h->times[p->cursor];
  }
}

/* Ends the current value of a signal of B. */
static void finish(struct comparison *c, struct now *now, uint64_t to)
{
  const uint64_t from = now->since > c->diff->first ? now->since : c->diff->first;
  to = to <= c->diff->last ? to : c->diff->last + 1;
  if (from >= to)
    return;
  for (size_t i = now->pairs; i != 0; i = c->pairs[i - 1].next)
    if (!c->pairs[i - 1].differs)
      hold_against(c, &c->pairs[i - 1], from, to, now->value);
}

static void take_b(void *context, uint64_t time, uint32_t handle, const char *value)
{
  struct comparison *c = context;
  comes_to(c, time);
  if (value == NULL || handle > c->b.max_handle || c->nows[handle].pairs == 0)
    return;
  struct now *now = &c->nows[handle];
  time *= c->b.factor;
  if (time > now->since)
    finish(c, now, time);
  now->since = time;
  memcpy(now->value, value, now->bits);
}

/* ── the whole ─────────────────────────────────────────────────────────────── */

static int compare_differences(const void *a, const void *b)
{
  const struct hd_wave_difference *x = a, *y = b;
  return x->time != y->time ? (x->time < y->time ? -1 : 1) : strcmp(x->a, y->a);
}

static int compare(struct comparison *c, const struct hd_wave_map *maps, size_t n_maps,
                   struct hd_error *err)
{
  int status = scale(c, err);
  if (status != HD_OK)
    return status;
  prepare(c);
  pair_up(c, maps, n_maps);
  c->diff->compared = c->n_pairs;
  if (c->n_pairs == 0)
    return hd_fail(
        err, HD_E_INPUT,
        "the files have no signal in common that can be compared: A has %zu, such as %.200s, and B "
        "%zu, such as %.200s; --map A_SCOPE=B_SCOPE says which belong together",
        c->a.n, c->a.n ? c->a.variables[0].path : "none", c->b.n,
        c->b.n ? c->b.variables[0].path : "none");
  reads(c, 0);
  status = source_read(&c->a, take_a, c, err);
  reads(c, 1);
  if (status == HD_OK)
    status = source_read(&c->b, take_b, c, err);
  for (size_t i = 0; status == HD_OK && i <= c->b.max_handle; i++)
    finish(c, &c->nows[i], UINT64_MAX);
  if (status == HD_OK && c->diff->n > 0)
    qsort(c->diff->differences, c->diff->n, sizeof *c->diff->differences, compare_differences);
  return status == HD_E_IO ? HD_E_INPUT : status; /* an incomplete file */
}

int hd_wave_diff_files(struct hd_wave_diff *diff, const char *const paths[2],
                       const struct hd_wave_map *maps, size_t n_maps,
                       volatile struct hd_wave_diff_progress *progress, struct hd_error *err)
{
  struct comparison c = {.diff = diff, .progress = progress};
  *diff = (struct hd_wave_diff){.n = 0};
  int status = source_open(&c.a, paths[0], err);
  if (status == HD_OK) {
    reads(&c, 1);
    status = source_open(&c.b, paths[1], err);
  }
  if (status == HD_OK)
    status = compare(&c, maps, n_maps, err);
  for (size_t i = 0; c.histories != NULL && i <= c.a.max_handle; i++) {
    free(c.histories[i].times);
    free(c.histories[i].values);
  }
  for (size_t i = 0; c.nows != NULL && i <= c.b.max_handle; i++)
    free(c.nows[i].value);
  free(c.histories);
  free(c.nows);
  free(c.by_path);
  free(c.matched);
  free(c.pairs);
  source_close(&c.a);
  source_close(&c.b);
  return status;
}

bool hd_wave_diff_is_whole(const struct hd_wave_diff *d)
{
  return d->first_a == d->first_b && d->last_a == d->last_b && d->only_a == 0 && d->only_b == 0 &&
         d->not_comparable == 0;
}

void hd_wave_diff_fini(struct hd_wave_diff *diff)
{
  for (size_t i = 0; i < diff->n; i++) {
    free(diff->differences[i].a);
    free(diff->differences[i].b);
    free(diff->differences[i].value_a);
    free(diff->differences[i].value_b);
  }
  free(diff->differences);
  *diff = (struct hd_wave_diff){.n = 0};
}
