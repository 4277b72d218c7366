/* Writes switching activity of a switch's signals as SAIF 2.0 (IEEE 1801, annex on SAIF).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "waves.h"

#include "../host/file.h"
#include "../host/memory.h"
#include "fst.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Possible scopes of the RTL's own signals. The first one under which the file has signals
 * applies. */
static const char *const roots[] = {"rtl.internal.hd_switch.", "rtl.internal."};

static bool is_below(const struct hd_fst_variable *v, const char *root)
{
  return !strncmp(v->path, root, strlen(root));
}

/* The first of `roots` under which the file has signals. NULL: none. */
static const char *find_root(const struct hd_fst_variable *variables, size_t n)
{
  for (size_t r = 0; r < sizeof roots / sizeof *roots; r++)
    for (size_t i = 0; i < n; i++)
      if (is_below(&variables[i], roots[r]))
        return roots[r];
  return NULL;
}

/* ── counting ──────────────────────────────────────────────────────────────── */

/* Counts of one bit: time at 0, 1, x and z, and changes between 0 and 1. */
struct bit {
  uint64_t times[4], changes;
};

/* A signal of the file, by its handle. */
struct net {
  uint32_t bits;
  char *value; /* [bits + 1], owned; NULL: not a signal of the RTL, or a real */
  uint64_t since;
  struct bit *counts; /* [bits], owned, the highest bit first */
};

struct activity {
  struct net *nets; /* [n_nets], by handle */
  size_t n_nets;
};

static unsigned level_of(char bit)
{
  return bit == '0' ? 0 : bit == '1' ? 1 : bit == 'z' ? 3 : 2;
}

static void pass_time(struct net *net, uint64_t time)
{
  for (uint32_t i = 0; i < net->bits; i++)
    net->counts[i].times[level_of(net->value[i])] += time - net->since;
  net->since = time;
}

static void take_change(void *context, uint64_t time, uint32_t handle, const char *value)
{
  const struct activity *a = context;
  struct net *net = handle < a->n_nets ? &a->nets[handle] : NULL;
  if (!net || !net->value || !value)
    return;
  pass_time(net, time);
  for (uint32_t i = 0; i < net->bits; i++)
    net->counts[i].changes +=
        level_of(net->value[i]) < 2 && level_of(value[i]) < 2 && net->value[i] != value[i];
  memcpy(net->value, value, net->bits);
}

static void add_net(struct activity *a, const struct hd_fst_variable *v, uint64_t first)
{
  if (v->handle >= a->n_nets) {
    a->nets = hd_xrealloc(a->nets, (v->handle + 1) * sizeof *a->nets);
    memset(a->nets + a->n_nets, 0, (v->handle + 1 - a->n_nets) * sizeof *a->nets);
    a->n_nets = v->handle + 1;
  }
  struct net *net = &a->nets[v->handle];
  if (net->value || !v->bits)
    return;
  *net = (struct net){.bits = v->bits, .value = hd_xmalloc(v->bits + 1), .since = first};
  net->counts = hd_xcalloc(v->bits, sizeof *net->counts);
  memset(net->value, 'x', v->bits);
}

static void activity_fini(struct activity *a)
{
  for (size_t i = 0; i < a->n_nets; i++) {
    free(a->nets[i].value);
    free(a->nets[i].counts);
  }
  free(a->nets);
}

/* ── writing ───────────────────────────────────────────────────────────────── */

/* Writes a name as one word, with a backslash before each bracket, $ and dot. */
static void add_name(struct hd_text *text, const char *name, size_t length)
{
  for (size_t i = 0; i < length; i++)
    hd_text_add(text, "%s%c", strchr("[]$.", name[i]) ? "\\" : "", name[i]);
}

static void add_bit(struct hd_text *text, const char *name, const struct net *net, uint32_t bit)
{
  const struct bit *c = &net->counts[net->bits - 1 - bit];
  hd_text_add(text, " (");
  add_name(text, name, strlen(name));
  if (net->bits > 1)
    hd_text_add(text, "\\[%" PRIu32 "\\]", bit);
  hd_text_add(text,
              " (T0 %" PRIu64 ") (T1 %" PRIu64 ") (TX %" PRIu64 ") (TZ %" PRIu64 ") (TC %" PRIu64
              "))\n",
              c->times[0], c->times[1], c->times[2], c->times[3], c->changes);
}

/* Length of the path's scope, with its last dot. */
static size_t scope_of(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot ? (size_t)(dot - path) + 1 : 0;
}

/* Closes the instances of the previous scope and opens those of this one. */
static void change_scope(struct hd_text *text, const char *before, size_t n_before,
                         const char *path, size_t n)
{
  size_t same = 0;
  for (size_t i = 0; i < n_before && i < n && before[i] == path[i]; i++)
    if (path[i] == '.')
      same = i + 1;
  for (size_t i = same; i < n_before; i++)
    if (before[i] == '.')
      hd_text_add(text, ")\n");
  for (size_t i = same; i < n;) {
    const size_t length = strcspn(path + i, ".");
    hd_text_add(text, "(INSTANCE ");
    add_name(text, path + i, length);
    hd_text_add(text, "\n");
    i += length + 1;
  }
}

static void write_text(struct hd_text *text, const struct activity *a,
                       const struct hd_fst_variable *variables, size_t n, const char *root,
                       uint64_t duration)
{
  const char *before = "";
  size_t n_before = 0;
  hd_text_add(
      text,
      "(SAIFILE\n(SAIFVERSION \"2.0\")\n(DIRECTION \"backward\")\n(PROGRAM_NAME \"heddle\")\n"
      "(DIVIDER .)\n(TIMESCALE 1 ps)\n(DURATION %" PRIu64 ")\n(INSTANCE hd_switch\n",
      duration);
  for (size_t i = 0; i < n; i++) {
    const struct net *net = &a->nets[variables[i].handle];
    if (!is_below(&variables[i], root) || !net->value)
      continue;
    const char *path = variables[i].path + strlen(root);
    const size_t scope = scope_of(path);
    change_scope(text, before, n_before, path, scope);
    before = path, n_before = scope;
    hd_text_add(text, "(NET\n");
    for (uint32_t bit = 0; bit < net->bits; bit++)
      add_bit(text, path + scope, net, bit);
    hd_text_add(text, ")\n");
  }
  change_scope(text, before, n_before, "", 0);
  hd_text_add(text, "))\n");
}

/* Counts all changes below the root, to the end of the file. */
static int count(struct activity *a, struct hd_fst_reader *reader, const char *root, uint64_t first,
                 uint64_t last, struct hd_error *err)
{
  size_t n;
  const struct hd_fst_variable *variables = hd_fst_variables(reader, &n);
  for (size_t i = 0; i < n; i++)
    if (is_below(&variables[i], root))
      add_net(a, &variables[i], first);
  const int status = hd_fst_read(reader, take_change, a, NULL, err);
  for (size_t i = 0; i < a->n_nets; i++)
    if (a->nets[i].value)
      pass_time(&a->nets[i], last);
  return status;
}

int hd_waves_activity(const char *waves, const char *path, struct hd_error *err)
{
  struct hd_fst_reader *reader;
  struct activity a = {0};
  struct hd_text text = {0};
  uint64_t first, last;
  size_t n;
  int status = hd_fst_reader_create(&reader, waves, err);
  if (status)
    return status;
  const struct hd_fst_variable *variables = hd_fst_variables(reader, &n);
  const char *root = find_root(variables, n);
  hd_fst_times(reader, &first, &last);
  if (!root)
    status = hd_fail(err, HD_E_UNSUPPORTED,
                     "%s has no signals of RTL; a DUT that is RTL has: say --dut verilator", waves);
  if (!status)
    status = count(&a, reader, root, first, last, err);
  if (!status) {
    write_text(&text, &a, variables, n, root, last - first);
    status = hd_file_write(path, text.chars, text.length, err);
  }
  hd_text_fini(&text);
  activity_fini(&a);
  hd_fst_reader_destroy(reader);
  return status;
}
