/* Parses VCD wave files; any input is safe.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file consists of words between white space. The first pass declares the variables and checks
 * all changes. Later passes read only the changes and cannot fail.
 */
#include "vcd.h"

#include "../host/memory.h"
#include "wave_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BITS = 1 << 16, MAX_PATH = 4096, MAX_CODE = 16 };

/* An identifier code. Variables with the same code are one signal. */
struct code {
  char text[MAX_CODE + 1];
  uint32_t handle, bits;
};

struct hd_vcd {
  const char *text, *end, *changes; /* `changes`: after $enddefinitions */
  const char *name;
  struct hd_fst_variable *variables;
  size_t n, capacity;
  struct code *codes; /* sorted by text after all were declared */
  size_t n_codes;
  int exponent;
  uint64_t times_unit; /* a time in the file counts this many units: 1, 10 or 100 */
  uint64_t first, last;
  uint32_t max_bits;
  char path[MAX_PATH]; /* path of the open scopes, ending in a dot */
};

struct word {
  const char *text;
  size_t length;
};

static bool is_space(char c)
{
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Returns the next word from *at on and moves *at past it; length 0: none. */
static struct word next_word(const char **at, const char *end)
{
  while (*at < end && is_space(**at))
    (*at)++;
  struct word w = {*at, 0};
  while (*at < end && !is_space(**at))
    (*at)++;
  w.length = (size_t)(*at - w.text);
  return w;
}

static bool is(struct word w, const char *text)
{
  return w.length == strlen(text) && memcmp(w.text, text, w.length) == 0;
}

/* Fails with HD_E_INPUT and the line of `at`. */
static int fail_at(const struct hd_vcd *v, const char *at, const char *what, struct hd_error *err)
{
  size_t line = 1;
  for (const char *c = v->text; c < at; c++)
    line += *c == '\n';
  const bool last = memchr(at, '\n', (size_t)(v->end - at)) == NULL;
  return hd_fail(err, HD_E_INPUT, "%.200s:%zu: %s%s", v->name, line, what,
                 last ? "; the file ends in this line, as if it was not written to its end" : "");
}

/* Reads a whole number of digits; false: it is none, or above `most`. */
static bool number(struct word w, uint64_t most, uint64_t *value)
{
  *value = 0;
  for (size_t i = 0; i < w.length; i++) {
    const char c = w.text[i];
    if (c < '0' || c > '9' || *value > most / 10 || *value * 10 > most - (uint64_t)(c - '0'))
      return false;
    *value = *value * 10 + (uint64_t)(c - '0');
  }
  return w.length > 0;
}

/* ── declarations ──────────────────────────────────────────────────────────── */

/* Moves *at past $end. */
static int skip_to_end(const struct hd_vcd *v, const char **at, struct hd_error *err)
{
  const char *from = *at;
  for (;;) {
    const struct word w = next_word(at, v->end);
    if (w.length == 0)
      return fail_at(v, from, "no $end follows", err);
    if (is(w, "$end"))
      return HD_OK;
  }
}

static int timescale(struct hd_vcd *v, const char **at, struct hd_error *err)
{
  static const char *const units[] = {"s", "ms", "us", "ns", "ps", "fs"};
  char text[16] = "";
  const char *from = *at;
  for (size_t length = 0;;) { /* "1ns" or "1 ns" */
    const struct word w = next_word(at, v->end);
    if (is(w, "$end"))
      break;
    if (w.length == 0 || length + w.length >= sizeof text)
      return fail_at(v, from, "$timescale must be 1, 10 or 100 s, ms, us, ns, ps or fs", err);
    memcpy(text + length, w.text, w.length);
    length += w.length;
  }
  const size_t digits = strspn(text, "0123456789");
  uint64_t unit = 0;
  number((struct word){text, digits}, 100, &unit);
  for (int i = 0; i < 6 && (unit == 1 || unit == 10 || unit == 100); i++)
    if (strcmp(text + digits, units[i]) == 0) {
      v->exponent = -3 * i;
      v->times_unit = unit;
      return HD_OK;
    }
  return fail_at(v, from, "$timescale must be 1, 10 or 100 s, ms, us, ns, ps or fs", err);
}

static int scope(struct hd_vcd *v, const char **at, struct hd_error *err)
{
  next_word(at, v->end); /* the scope's kind is ignored */
  const struct word w = next_word(at, v->end);
  const size_t length = strlen(v->path);
  if (w.length == 0 || is(w, "$end"))
    return fail_at(v, *at, "$scope has no name", err);
  if (length + w.length + 2 > sizeof v->path)
    return fail_at(v, *at, "scopes are too deep", err);
  /* a dot would look like another scope, and NUL would end the name */
  for (size_t i = 0; i < w.length; i++)
    v->path[length + i] = w.text[i] == '.' || w.text[i] == '\0' ? '_' : w.text[i];
  memcpy(v->path + length + w.length, ".", 2);
  return skip_to_end(v, at, err);
}

static int upscope(struct hd_vcd *v, const char **at, struct hd_error *err)
{
  size_t length = strlen(v->path);
  if (length == 0)
    return fail_at(v, *at, "$upscope without a scope", err);
  do
    v->path[--length] = '\0';
  while (length > 0 && v->path[length - 1] != '.');
  return skip_to_end(v, at, err);
}

/* Reads the words up to $end: the name and perhaps its range, joined by single blanks. */
static int variable_name(const struct hd_vcd *v, const char **at, char *name, size_t size,
                         struct hd_error *err)
{
  size_t length = 0;
  for (;;) {
    const struct word w = next_word(at, v->end);
    if (is(w, "$end"))
      break;
    if (w.length == 0)
      return fail_at(v, *at, "no $end follows", err);
    if (length + w.length + 2 > size)
      return fail_at(v, *at, "the variable's name is too long", err);
    if (length > 0)
      name[length++] = ' ';
    memcpy(name + length, w.text, w.length);
    length += w.length;
  }
  name[length] = '\0';
  if (strlen(name) != length || length == 0)
    return fail_at(v, *at, "$var must be: type width code name", err);
  hd_wave_name_tidy(name);
  return HD_OK;
}

static void grow(struct hd_vcd *v)
{
  if (v->n < v->capacity)
    return;
  v->capacity = v->capacity != 0 ? 2 * v->capacity : 64;
  v->variables = hd_xrealloc(v->variables, v->capacity * sizeof *v->variables);
  v->codes = hd_xrealloc(v->codes, v->capacity * sizeof *v->codes);
}

static int variable(struct hd_vcd *v, const char **at, struct hd_error *err)
{
  const struct word type = next_word(at, v->end), width = next_word(at, v->end),
                    code = next_word(at, v->end);
  const bool is_real = is(type, "real") || is(type, "realtime") || is(type, "string");
  char name[1024];
  uint64_t bits = 0;

  if (code.length == 0 || code.length > MAX_CODE || is(code, "$end") ||
      memchr(code.text, '\0', code.length) != NULL)
    return fail_at(v, *at, "$var must be: type width code name", err);
  if (!number(width, MAX_BITS, &bits) || (bits == 0 && !is_real))
    return fail_at(v, *at, "a width is 1 to 65536", err);
  const int status = variable_name(v, at, name, sizeof name, err);
  if (status != HD_OK)
    return status;
  grow(v);
  v->variables[v->n] = (struct hd_fst_variable){.path = hd_xasprintf("%s%s", v->path, name),
                                                .bits = is_real ? 0 : (uint32_t)bits};
  struct code *c = &v->codes[v->n];
  *c = (struct code){.handle = (uint32_t)v->n, .bits = v->variables[v->n].bits};
  memcpy(c->text, code.text, code.length);
  v->n++;
  return HD_OK;
}

static int compare_codes(const void *a, const void *b)
{
  const struct code *x = a, *y = b;
  const int order = strcmp(x->text, y->text);
  return order != 0 ? order : x->handle < y->handle ? -1 : x->handle > y->handle;
}

/* Gives each code a handle from 1 on. Fails if a code's variables have several widths. */
static int number_codes(struct hd_vcd *v, struct hd_error *err)
{
  if (v->n == 0)
    return fail_at(v, v->changes, "no variable is declared", err);
  qsort(v->codes, v->n, sizeof *v->codes, compare_codes);
  for (size_t i = 0; i < v->n; i++) {
    const struct code c = v->codes[i];
    const bool known = v->n_codes > 0 && strcmp(v->codes[v->n_codes - 1].text, c.text) == 0;
    if (known && v->codes[v->n_codes - 1].bits != c.bits)
      return fail_at(v, v->changes, "variables of one code have different widths", err);
    if (!known)
      v->codes[v->n_codes++] = c;
    v->variables[c.handle].handle = (uint32_t)v->n_codes;
    v->codes[v->n_codes - 1].handle = (uint32_t)v->n_codes;
    v->max_bits = c.bits > v->max_bits ? c.bits : v->max_bits;
  }
  return HD_OK;
}

static int declarations(struct hd_vcd *v, struct hd_error *err)
{
  const char *at = v->text;
  for (;;) {
    const struct word w = next_word(&at, v->end);
    int status = HD_OK;
    if (w.length == 0)
      return fail_at(v, v->text, "no VCD file: $enddefinitions is missing", err);
    if (w.text[0] != '$')
      return fail_at(v, w.text, "no VCD file: a declaration begins with $", err);
    if (is(w, "$timescale"))
      status = timescale(v, &at, err);
    else if (is(w, "$scope"))
      status = scope(v, &at, err);
    else if (is(w, "$upscope"))
      status = upscope(v, &at, err);
    else if (is(w, "$var"))
      status = variable(v, &at, err);
    /* $date, $version, $comment and other sections are skipped */
    else
      status = skip_to_end(v, &at, err);
    if (status != HD_OK)
      return status;
    if (is(w, "$enddefinitions")) {
      v->changes = at;
      return number_codes(v, err);
    }
  }
}

/* ── changes ───────────────────────────────────────────────────────────────── */

enum kind { AT_END, IS_TIME, IS_BITS, IS_TEXT, IS_NOTHING, IS_WRONG };

struct change {
  enum kind kind;
  uint64_t time;
  struct word value; /* its bits */
  const struct code *code;
  const char *what; /* IS_WRONG: what is wrong */
};

static const struct code *find_code(const struct hd_vcd *v, struct word w)
{
  struct code wanted = {.handle = 0};
  size_t low = 0, high = v->n_codes;
  if (w.length == 0 || w.length > MAX_CODE)
    return NULL;
  memcpy(wanted.text, w.text, w.length);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(v->codes[middle].text, wanted.text);
    if (order == 0)
      return &v->codes[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static struct change bad(const char *what)
{
  return (struct change){.kind = IS_WRONG, .what = what};
}

static struct change bits_change(const struct hd_vcd *v, struct word bits, struct word code)
{
  const struct change c = {.kind = IS_BITS, .value = bits, .code = find_code(v, code)};
  if (c.code == NULL)
    return bad("a change of a code that was not declared");
  if (c.code->bits == 0 || bits.length == 0 || bits.length > c.code->bits)
    return bad("a value is wider than its variable, or has no bits");
  for (size_t i = 0; i < bits.length; i++)
    if (strchr("01xzXZuUwWlLhH-", bits.text[i]) == NULL || bits.text[i] == '\0')
      return bad("bits of a value are 0, 1, x and z");
  return c;
}

/* Reads the next change. `time` is the time of the change before. */
static struct change next_change(const struct hd_vcd *v, const char **at, uint64_t time)
{
  struct word w = next_word(at, v->end);
  if (w.length == 0)
    return (struct change){.kind = AT_END};
  switch (w.text[0]) {
  case '#': {
    struct change c = {.kind = IS_TIME};
    if (!number((struct word){w.text + 1, w.length - 1}, UINT64_MAX / 100, &c.time))
      return bad("a time is # and a whole number");
    c.time *= v->times_unit;
    return c.time < time ? bad("time goes back") : c;
  }
  case 'b':
  case 'B':
    w.text++, w.length--;
    return bits_change(v, w, next_word(at, v->end));
  case 'r':
  case 'R':
  case 's':
  case 'S': {
    const struct change c = {.kind = IS_TEXT, .code = find_code(v, next_word(at, v->end))};
    return c.code == NULL || c.code->bits != 0 ? bad("a real or a string of a code that is none")
                                               : c;
  }
  case '$':
    if (is(w, "$comment")) {
      while (w.length > 0 && !is(w, "$end"))
        w = next_word(at, v->end);
      return w.length > 0 ? (struct change){.kind = IS_NOTHING} : bad("no $end follows");
    }
    return is(w, "$end") || is(w, "$dumpvars") || is(w, "$dumpall") || is(w, "$dumpon") ||
                   is(w, "$dumpoff")
               ? (struct change){.kind = IS_NOTHING}
               : bad("a command that is none of $comment, $dumpvars, $dumpall, $dumpon, $dumpoff");
  default:
    return bits_change(v, (struct word){w.text, 1}, (struct word){w.text + 1, w.length - 1});
  }
}

static int check_changes(struct hd_vcd *v, struct hd_error *err)
{
  const char *at = v->changes;
  uint64_t time = 0;
  bool seen = false;
  for (;;) {
    const char *from = at;
    const struct change c = next_change(v, &at, time);
    if (c.kind == AT_END) {
      v->last = time;
      return HD_OK;
    }
    if (c.kind == IS_WRONG) {
      while (from < v->end && is_space(*from))
        from++;
      return fail_at(v, from, c.what, err);
    }
    if (c.kind == IS_TIME) {
      time = c.time;
      v->first = seen ? v->first : time;
      seen = true;
    }
  }
}

int hd_vcd_create(struct hd_vcd **vcd, const char *text, size_t length, const char *name,
                  struct hd_error *err)
{
  struct hd_vcd *v = hd_xcalloc(1, sizeof *v);
  *vcd = NULL;
  *v = (struct hd_vcd){.text = text,
                       .end = text + length,
                       .changes = text,
                       .name = name,
                       .exponent = -9,
                       .times_unit = 1};
  int status = declarations(v, err);
  if (status == HD_OK)
    status = check_changes(v, err);
  if (status != HD_OK) {
    hd_vcd_destroy(v);
    return status;
  }
  *vcd = v;
  return HD_OK;
}

void hd_vcd_destroy(struct hd_vcd *vcd)
{
  if (vcd == NULL)
    return;
  for (size_t i = 0; i < vcd->n; i++)
    free(vcd->variables[i].path);
  free(vcd->variables);
  free(vcd->codes);
  free(vcd);
}

const struct hd_fst_variable *hd_vcd_variables(const struct hd_vcd *vcd, size_t *n)
{
  *n = vcd->n;
  return vcd->variables;
}

int hd_vcd_exponent(const struct hd_vcd *vcd)
{
  return vcd->exponent;
}

void hd_vcd_times(const struct hd_vcd *vcd, uint64_t *first, uint64_t *last)
{
  *first = vcd->first;
  *last = vcd->last;
}

static char lower(char c)
{
  return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

void hd_vcd_read(const struct hd_vcd *vcd, hd_fst_change_fn *change, void *context)
{
  char *value = hd_xmalloc((size_t)vcd->max_bits + 1);
  const char *at = vcd->changes;
  uint64_t time = vcd->first;
  for (;;) {
    const struct change c = next_change(vcd, &at, 0);
    if (c.kind == AT_END)
      break;
    if (c.kind == IS_TIME)
      time = c.time;
    if (c.kind == IS_TEXT)
      change(context, time, c.code->handle, NULL);
    if (c.kind != IS_BITS)
      continue;
    /* a short value is extended with its first bit if that is no digit, otherwise with 0 */
    const size_t fill = c.code->bits - c.value.length;
    const char first = lower(c.value.text[0]);
    memset(value, first == '1' ? '0' : first, fill);
    for (size_t i = 0; i < c.value.length; i++)
      value[fill + i] = lower(c.value.text[i]);
    value[c.code->bits] = '\0';
    change(context, time, c.code->handle, value);
  }
  free(value);
}
