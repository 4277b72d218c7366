/* Many faults in one copy of the RTL: what each changes becomes a choice between it and what was there.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The smallest statement around a fault, sound and with it, becomes the branches of an if; the right side of an
 * assignment and what is connected to an instance's input become operands of ?:. An assignment's own width counts
 * for both, so each other right side is a wire of that width. All else, such as a parameter, a bound of a
 * generate loop or a declaration, is elaborated once and cannot be chosen.
 *
 * The RTL is read as it is laid out in rtl/: Verilog-2005 without macros but for FORMAL.
 */
#include "together.h"

#include "../../bridge/host/file.h"
#include "../../bridge/host/memory.h"
#include "../../bridge/host/text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHOICE "hd_switch.chosen_fault"

static const size_t NOWHERE = SIZE_MAX;

/* ── Verilog ────────────────────────────────────────────────────────────────── */

/* Behind what only proofs read, which begins at `at`. */
static size_t skip_formal(const char *t, size_t at)
{
  unsigned depth = 0;
  for (; t[at]; at++) {
    depth += !strncmp(t + at, "`ifdef", 6) || !strncmp(t + at, "`ifndef", 7);
    if (!strncmp(t + at, "`endif", 6) && --depth == 0)
      return at + 6;
  }
  return at;
}

/* Place of the next text, from `at` on, that is neither blank nor comment nor for proofs alone. */
static size_t skip(const char *t, size_t at)
{
  for (;;) {
    at += strspn(t + at, " \t\n");
    if (!strncmp(t + at, "`ifdef FORMAL", 13)) {
      at = skip_formal(t, at);
    } else if (t[at] == '/' && (t[at + 1] == '/' || t[at + 1] == '*')) {
      const char *end = t[at + 1] == '/' ? strchr(t + at, '\n') : strstr(t + at, "*/");
      at = end ? (size_t)(end - t) + (*end == '*' ? 2 : 0) : strlen(t);
    } else {
      return at;
    }
  }
}

static size_t word_length(const char *t)
{
  size_t n = 0;
  while (isalnum((unsigned char)t[n]) || t[n] == '_' || t[n] == '$')
    n++;
  return n;
}

static bool is_word(const char *t, size_t at, const char *word)
{
  size_t n = word_length(t + at);
  return n == strlen(word) && !strncmp(t + at, word, n);
}

static bool is_one_of(const char *t, size_t at, const char *const *words)
{
  while (*words && !is_word(t, at, *words))
    words++;
  return *words != NULL;
}

/* Returns the place after the bracket that closes the one at `at`, or NOWHERE. */
static size_t closed(const char *t, size_t at)
{
  unsigned depth = 0;
  for (at = skip(t, at); t[at]; at = skip(t, at + 1)) {
    depth += strchr("([{", t[at]) != NULL;
    if (strchr(")]}", t[at]) && --depth == 0)
      return at + 1;
    if (!depth)
      return NOWHERE;
  }
  return NOWHERE;
}

/* Returns the position of the character from `at` on, outside of brackets. */
static size_t find(const char *t, size_t at, char what)
{
  for (at = skip(t, at); at != NOWHERE && t[at]; at = skip(t, at)) {
    if (t[at] == what)
      return at;
    at = strchr("([{", t[at]) ? closed(t, at) : at + 1;
    if (at == NOWHERE)
      break;
  }
  return NOWHERE;
}

/* Statements around from…to, the smallest first. */
enum { MOST_AROUND = 32 };
struct around {
  size_t from, to, n;
  struct {
    size_t first, last;
  } found[MOST_AROUND];
};

/* The end of the statement at `at`; NOWHERE: it has none. Notes it and those in it in `around`, or NULL. */
static size_t statement(const char *t, size_t at, struct around *around)
{
  static const char *const headed[] = {"if", "for", "while", "repeat", NULL}, *const cases[] = {
                                                                                  "case", "casez",
                                                                                  "casex", NULL};
  const size_t first = at = skip(t, at);
  if (is_word(t, at, "begin")) {
    at = skip(t, at + strlen("begin"));
    if (t[at] == ':') {
      at = skip(t, at + 1);
      at += word_length(t + at);
    }
    for (at = skip(t, at); at != NOWHERE && !is_word(t, at, "end"); at = skip(t, at))
      if ((at = statement(t, at, around)) == NOWHERE)
        return at;
    at += strlen("end");
  } else if (is_one_of(t, at, headed)) {
    const bool may_else = is_word(t, at, "if");
    at = closed(t, skip(t, at + word_length(t + at)));
    at = at == NOWHERE ? at : statement(t, at, around);
    if (at != NOWHERE && may_else && is_word(t, skip(t, at), "else"))
      at = statement(t, skip(t, at) + strlen("else"), around);
  } else if (is_one_of(t, at, cases)) {
    at = closed(t, skip(t, at + word_length(t + at)));
    while (at != NOWHERE && !is_word(t, at = skip(t, at), "endcase")) {
      const size_t label = find(t, at, ':');
      at = label == NOWHERE ? label : statement(t, label + 1, around);
    }
    at = at == NOWHERE ? at : at + strlen("endcase");
  } else if (t[at] == '@') {
    at = skip(t, at + 1);
    at = t[at] == '(' ? closed(t, at) : at + 1;
    at = at == NOWHERE ? at : statement(t, at, around);
  } else {
    at = find(t, at, ';');
    at = at == NOWHERE ? at : at + 1;
  }
  if (around && at != NOWHERE && first <= around->from && around->to <= at &&
      around->n < MOST_AROUND) {
    around->found[around->n].first = first;
    around->found[around->n++].last = at;
  }
  return at;
}

/* ── where a fault is ───────────────────────────────────────────────────────── */

enum place_kind { PLACE_NONE, PLACE_STATEMENT, PLACE_VALUE, PLACE_INPUT };

/* A place that a fault changes: its text, and the new text. */
struct place {
  enum place_kind kind;
  size_t first, last;   /* of the text that there is twice, then */
  size_t item, left[2]; /* of an assignment: where it begins, and what is assigned or declared */
  bool declares;        /* wire … = …; otherwise assign … = … */
  bool bare;            /* the item is all that a generate-if or -for has */
  unsigned number;
  char *changed; /* that text with the fault; owned */
};

/* In an item of the module from `first` up to and with its semicolon: a right side, or an instance's input. */
static void place_in_item(const char *t, size_t first, size_t last, bool bare, size_t from,
                          size_t to, struct place *p)
{
  static const char *const others[] = {"localparam", "parameter", "reg",   "integer",  "genvar",
                                       "input",      "output",    "inout", "defparam", NULL};
  size_t at = first;
  if (is_one_of(t, at, others))
    return;
  const bool declares = is_word(t, at, "wire");
  if (declares || is_word(t, at, "assign")) {
    const size_t left = skip(t, at + word_length(t + at)), equals = find(t, left, '=');
    if (equals == NOWHERE || equals >= last || find(t, left, ',') < last)
      return;
    *p = (struct place){.kind = PLACE_VALUE,
                        .first = equals + 1,
                        .last = last - 1,
                        .item = first,
                        .left = {left, equals},
                        .declares = declares,
                        .bare = bare};
    return;
  }
  at = skip(t, at + word_length(t + at));
  if (t[at] == '#')
    at = skip(t, closed(t, skip(t, at + 1)));
  at = skip(t, at + word_length(t + at));
  if (t[at] == '[')
    at = skip(t, closed(t, at));
  if (t[at] != '(')
    return;
  for (at = skip(t, at + 1); t[at] == '.'; at = skip(t, at)) {
    const size_t name = at + 1, open = skip(t, name + word_length(t + name));
    const size_t close = t[open] == '(' ? closed(t, open) : NOWHERE;
    if (close == NOWHERE)
      return;
    const bool output = open > 2 && !strncmp(t + open - 2, "_o", 2);
    at = skip(t, close);
    at += t[at] == ',';
    if (from >= name - 1 && to <= at &&
        !output) /* ".name(" and "),", too: same_place compares them */
      *p = (struct place){.kind = PLACE_INPUT, .first = open + 1, .last = close - 1};
  }
}

/* Finds what in a module is around from…to: p->kind, or PLACE_NONE. The smallest statement for which `fits`. */
static void find_place(const char *t, size_t from, size_t to,
                       bool (*fits)(void *context, size_t first, size_t last), void *context,
                       struct place *p)
{
  static const char *const structure[] = {"generate", "endgenerate", "end", "else", NULL};
  const char *module = strstr(t, "\nmodule ");
  *p = (struct place){.kind = PLACE_NONE};
  size_t at = module ? find(t, (size_t)(module - t), ';') : NOWHERE;
  bool bare = false;
  for (at = at == NOWHERE ? at : at + 1; at != NOWHERE;) {
    const size_t first = at = skip(t, at);
    if (first >= to || !t[at] || t[at] == '`' || is_word(t, at, "endmodule"))
      return;
    const bool was_bare = bare;
    bare = is_word(t, at, "else");
    if (is_one_of(t, at, structure)) {
      at += word_length(t + at);
    } else if (is_word(t, at, "begin")) {
      at = skip(t, at + strlen("begin"));
      if (t[at] == ':') {
        at = skip(t, at + 1);
        at += word_length(t + at);
      }
    } else if (is_word(t, at, "if") || is_word(t, at, "for")) {
      at = closed(t, skip(t, at + word_length(t + at)));
      bare = true;
    } else if (is_word(t, at, "always") || is_word(t, at, "initial") ||
               is_word(t, at, "function")) {
      const bool function = is_word(t, at, "function");
      struct around around = {.from = from, .to = to};
      at += word_length(t + at);
      if (function)
        at = find(t, at, ';') + 1;
      for (at = skip(t, at); at != NOWHERE && !is_word(t, at, "endfunction"); at = skip(t, at)) {
        at = statement(t, at, &around);
        if (!function || at == NOWHERE)
          break;
      }
      if (function && at != NOWHERE)
        at += strlen("endfunction");
      /* The outermost of an always is what follows the word, with its "@(…)". */
      for (size_t i = 0; at != NOWHERE && i < around.n; i++)
        if (t[around.found[i].first] != '@' &&
            fits(context, around.found[i].first, around.found[i].last)) {
          *p = (struct place){.kind = PLACE_STATEMENT,
                              .first = around.found[i].first,
                              .last = around.found[i].last};
          return;
        }
    } else {
      at = find(t, at, ';');
      if (at == NOWHERE)
        return;
      at++;
      if (first <= from && to <= at) {
        place_in_item(t, first, at, was_bare, from, to, p);
        return;
      }
    }
  }
}

/* ── one file ───────────────────────────────────────────────────────────────── */

struct faulty {
  char *text; /* with the fault */
  size_t from, added, removed;
};

/* Returns true if the piece is a statement with the fault, too. */
static bool is_statement(void *context, size_t first, size_t last)
{
  static const char *const declarations[] = {"integer", "reg", NULL};
  const struct faulty *f = context;
  return !is_one_of(f->text, first, declarations) &&
         statement(f->text, first, NULL) == last + f->added - f->removed;
}

static bool never(void *context, size_t first, size_t last)
{
  (void)context, (void)first, (void)last;
  return false;
}

/* Returns true if the file with the fault has the same piece there, and is unchanged all around it. */
static bool same_place(const char *text, const struct faulty *f, const struct place *p)
{
  struct place now;
  const size_t last = p->last + f->added - f->removed;
  if (memcmp(text, f->text, p->first) != 0 || strcmp(text + p->last, f->text + last) != 0)
    return false;
  if (p->kind == PLACE_STATEMENT)
    return true; /* is_statement */
  find_place(f->text, f->from, f->from + f->added, never, NULL, &now);
  return now.kind == p->kind && now.first == p->first && now.last == last;
}

/* Finds the place in the file's text where the fault can be chosen, and the text that is there then. */
static void place_fault(const struct fault *fault, const char *text, struct place *p)
{
  size_t from = 0, to = 0, length = strlen(text);
  *p = (struct place){.kind = PLACE_NONE};
  if (fault_find(fault, text, &from, &to, NULL))
    return; /* planted by itself, it says so */
  struct faulty f = {.from = from, .added = strlen(fault->new_text), .removed = to - from};
  f.text = hd_xmalloc(length + f.added + 1);
  memcpy(f.text, text, from);
  memcpy(f.text + from, fault->new_text, f.added);
  memcpy(f.text + from + f.added, text + to, length - to + 1);
  find_place(text, from, to, is_statement, &f, p);
  if (p->kind && !same_place(text, &f, p))
    p->kind = PLACE_NONE;
  if (p->kind)
    p->changed = hd_xstrndup(f.text + p->first, p->last + f.added - f.removed - p->first);
  free(f.text);
}

/* A statement inside of another that is there twice becomes that other one. */
static void widen(const char *text, struct place *places, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      struct place *p = &places[i];
      const struct place *around = &places[k];
      if (p->kind != PLACE_STATEMENT || around->kind != PLACE_STATEMENT ||
          around->first > p->first || around->last < p->last ||
          around->last - around->first == p->last - p->first)
        continue;
      struct hd_text wide = {0};
      hd_text_add(&wide, "%.*s%s%.*s", (int)(p->first - around->first), text + around->first,
                  p->changed, (int)(around->last - p->last), text + p->last);
      free(p->changed);
      p->changed = wide.chars;
      p->first = around->first;
      p->last = around->last;
      k = 0; /* the wider piece may lie within another one */
    }
}

static int by_place(const void *a, const void *b)
{
  const struct place *p = a, *q = b;
  return p->first != q->first ? (p->first < q->first ? -1 : 1)
                              : (p->number > q->number) - (p->number < q->number);
}

/* `places` are those with one text; copies the text up to its end. *at is how far `out` has the text. */
static void write_choice(const char *text, const struct place *places, size_t n, size_t *at,
                         struct hd_text *out)
{
  const struct place *p = places;
  if (p->kind == PLACE_VALUE) {
    size_t end = p->left[1];
    while (isspace((unsigned char)text[end - 1]))
      end--;
    if (p->declares) /* without the name */
      while (end > p->left[0] && word_length(text + end - 1))
        end--;
    hd_text_add(out, "%.*s%s", (int)(p->item - *at), text + *at, p->bare ? "begin\n" : "");
    for (size_t i = 0; i < n; i++)
      hd_text_add(out,
                  p->declares ? "wire %.*s fault_%u = %s;\n"
                              : "wire [$bits(%.*s)-1:0] fault_%u = %s;\n",
                  (int)(end - p->left[0]), text + p->left[0], places[i].number, places[i].changed);
    *at = p->item;
  }
  hd_text_add(out, "%.*s", (int)(p->first - *at), text + *at);
  if (p->kind == PLACE_STATEMENT)
    hd_text_add(out, "begin\n");
  for (size_t i = 0; i < n; i++) {
    hd_text_add(out,
                p->kind == PLACE_STATEMENT ? "if (" CHOICE " == %u) begin\n"
                                           : " (" CHOICE " == %u) ? ",
                places[i].number);
    if (p->kind == PLACE_STATEMENT)
      hd_text_add(out, "%s\nend else ", places[i].changed);
    else if (p->kind == PLACE_VALUE)
      hd_text_add(out, "fault_%u :", places[i].number);
    else
      hd_text_add(out, "(%s) :", places[i].changed);
  }
  const char *const format = p->kind == PLACE_STATEMENT ? "begin\n%.*s\nend end\n" : " (%.*s)";
  hd_text_add(out, format, (int)(p->last - p->first), text + p->first);
  *at = p->last;
  if (p->bare) {
    hd_text_add(out, ";\nend\n");
    *at = p->last + 1;
  }
}

static void write_file(const char *name, const char *text, struct place *places, size_t n,
                       struct hd_text *out)
{
  static const char declaration[] =
      "\n  reg [31:0] chosen_fault;\n"
      "  initial if (!$value$plusargs(\"fault=%d\", chosen_fault)) chosen_fault = 0;\n";
  size_t at = 0;
  qsort(places, n, sizeof *places, by_place);
  if (!strcmp(name, "hd_switch.v")) {
    const char *module = strstr(text, "\nmodule ");
    const size_t end = module ? find(text, (size_t)(module - text), ';') : NOWHERE;
    if (end != NOWHERE) {
      hd_text_add(out, "%.*s%s", (int)end + 1, text, declaration);
      at = end + 1;
    }
  }
  for (size_t i = 0, same; i < n; i += same) {
    for (same = 1; i + same < n && places[i + same].first == places[i].first; same++)
      ;
    write_choice(text, &places[i], same, &at, out);
  }
  hd_text_add(out, "%s", text + at);
}

/* ── all files ──────────────────────────────────────────────────────────────── */

static void plant_in_file(const char *name, const char *text, const struct fault *const *faults,
                          size_t n, unsigned *numbers, struct hd_text *out)
{
  struct place *places = hd_xcalloc(n + 1, sizeof *places);
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    if (strcmp(faults[i]->file, name) != 0)
      continue;
    struct place *p = &places[used];
    place_fault(faults[i], text, p);
    if (!p->kind)
      continue;
    p->number = numbers[i] = (unsigned)i + 1;
    used++;
  }
  widen(text, places, used);
  write_file(name, text, places, used, out);
  for (size_t i = 0; i < used; i++)
    free(places[i].changed);
  free(places);
}

struct planting {
  const struct fault *const *faults;
  size_t n;
  unsigned *numbers;
};

static int plant_chosen(void *context, const char *name, const char *text, struct hd_text *out,
                        struct hd_error *err)
{
  const struct planting *p = context;
  (void)err;
  plant_in_file(name, text, p->faults, p->n, p->numbers, out);
  return HD_OK;
}

int faults_plant_together(const struct fault *const *faults, size_t n, const char *rtl,
                          const char *to, unsigned *numbers, struct hd_error *err)
{
  struct planting p = {faults, n, numbers};
  memset(numbers, 0, n * sizeof *numbers);
  return fault_copy_rtl(rtl, to, plant_chosen, &p, err);
}
