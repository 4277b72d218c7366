/* Lists the modules of changed RTL to prove equal to the original's; reads parameter sets for that.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "equal_internal.h"

#include "../../host/file.h"
#include "../../host/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *hd_equal_status_name(enum hd_equal_status status)
{
#define NAME(NAME, name, about) name,
  static const char *const names[] = {HD_EQUAL_STATUS_LIST(NAME)};
#undef NAME
  return names[status];
}

/* ── the list of modules ───────────────────────────────────────────────────── */

/* Finds the first number with a digit x or z; NULL: there is none. */
static const char *unknown_digit(const char *text)
{
  for (const char *at = strchr(text, '\''); at; at = strchr(at + 1, '\'')) {
    const char *digit = at + 1;
    digit += *digit == 's' || *digit == 'S';
    if (!*digit || !strchr("bBoOhHdD", *digit))
      continue;
    for (digit++; isxdigit((unsigned char)*digit) || (*digit && strchr("_xXzZ?", *digit)); digit++)
      if (strchr("xXzZ", *digit))
        return at;
  }
  return NULL;
}

/* Looks in a module for text that simulators and Yosys may read in different ways. */
static void look_for_forbidden(struct hd_equal *e, const struct equal_module *m)
{
  static const char *const words[] = {"`ifdef",        "`ifndef",      "`elsif",
                                      "`define",       "full_case",    "parallel_case",
                                      "translate_off", "translate_on", "pragma"};
  const char *text = hd_text_chars(&m->text);
  for (size_t i = 0; i < sizeof words / sizeof *words && !*e->forbidden; i++)
    if (strstr(text, words[i]))
      snprintf(e->forbidden, sizeof e->forbidden,
               "%s has %s, which tools read in different ways: nothing is proved", m->name,
               words[i]);
  const char *unknown = unknown_digit(text);
  if (unknown && !*e->forbidden)
    snprintf(e->forbidden, sizeof e->forbidden,
             "%s has the number %.12s, and proofs know 0 and 1 alone: nothing is proved", m->name,
             unknown);
}

static uint32_t count_below(const struct hd_equal *e, const struct equal_module *m)
{
  bool used[EQUAL_MODULES] = {false};
  uint32_t n = 0;
  hd_equal_reach(&e->changed, m, used);
  for (uint32_t i = 0; i < e->changed.n; i++)
    n += used[i];
  return n;
}

/* Adds a module to the list once, before modules that have more submodules. */
static void insert_module(struct hd_equal *e, const struct equal_module *m)
{
  uint32_t at = 0, size = count_below(e, m);
  for (uint32_t i = 0; i < e->n; i++)
    if (e->list[i] == m)
      return;
  while (at < e->n && count_below(e, e->list[at]) <= size)
    at++;
  memmove(e->list + at + 1, e->list + at, (e->n - at) * sizeof *e->list);
  e->list[at] = m;
  e->n++;
}

/* Lists the modules that instantiate `m`, because a module with other ports or parameters cannot be compared alone. */
static void list_around(struct hd_equal *e, const struct equal_module *m, const bool *used)
{
  for (uint32_t i = 0; i < e->changed.n; i++) {
    const struct equal_module *user = &e->changed.modules[i];
    if (used[i] && user != m &&
        hd_equal_has_word(hd_text_chars(&user->text) + user->header, m->name))
      insert_module(e, user);
  }
}

static void list_modules(struct hd_equal *e, const struct equal_module *top)
{
  bool used[EQUAL_MODULES] = {false};
  hd_equal_reach(&e->changed, top, used);
  for (uint32_t i = 0; i < e->changed.n; i++) {
    const struct equal_module *m = &e->changed.modules[i],
                              *original = hd_equal_find(&e->original, m->name);
    /* A new module needs no entry: the modules that use it have changed, too. */
    if (!used[i] || (original && !strcmp(hd_text_chars(&m->text), hd_text_chars(&original->text))))
      continue;
    look_for_forbidden(e, m);
    if (!original)
      continue;
    if (m == top || hd_equal_same_header(m, original))
      insert_module(e, m);
    else
      list_around(e, m, used);
  }
}

int hd_equal_open(struct hd_equal **out, const char *original, const char *changed, const char *top,
                  struct hd_error *err)
{
  *out = NULL;
  struct hd_equal *e = hd_xcalloc(1, sizeof *e);
  int status = HD_OK;
  if (!realpath(original, e->original_directory))
    status = hd_fail(err, HD_E_INPUT, "%s: there is no such directory", original);
  else if (!realpath(changed, e->changed_directory))
    status = hd_fail(err, HD_E_INPUT, "%s: there is no such directory", changed);
  if (!status)
    status = hd_equal_side_read(&e->original, e->original_directory, err);
  if (!status)
    status = hd_equal_side_read(&e->changed, e->changed_directory, err);
  const struct equal_module *m = status ? NULL : hd_equal_find(&e->changed, top);
  if (!status && !m)
    status = hd_fail(err, HD_E_INPUT, "%s: there is no module %s", changed, top);
  if (status) {
    hd_equal_close(e);
    return status;
  }
  list_modules(e, m);
  *out = e;
  return HD_OK;
}

void hd_equal_close(struct hd_equal *e)
{
  if (!e)
    return;
  hd_equal_side_fini(&e->original);
  hd_equal_side_fini(&e->changed);
  free(e);
}

const char *hd_equal_module(const struct hd_equal *e, uint32_t index)
{
  return index < e->n ? e->list[index]->name : NULL;
}

uint32_t hd_equal_modules(const struct hd_equal *e)
{
  return e->n;
}

static bool is_word_character(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '\'';
}

/* Length of the word or number at `at`; 0: neither is there. A constant as 3'd5 is one word. */
static size_t token(const char *at)
{
  size_t n = 0;
  while (is_word_character(at[n]))
    n++;
  return n;
}

static bool is_number(const char *at, size_t n)
{
  return n && n < 6 && strspn(at, "0123456789") >= n;
}

/* Between them stands nothing but what compares and computes. */
static size_t operators(const char *at)
{
  return strspn(at, " =<>!%+-*/&|()");
}

/* Names how a word and a number are compared, by one character: that of the operator, 'l' for <= and 'g' for >=. `turned`:
 * the number comes first, as in `3 > VCS`. */
static char comparison(const char *between, size_t n, bool turned)
{
  static const char there[] = "<>lg", back[] = "><gl";
  char sign = ' ';
  for (size_t i = 0; i < n; i++)
    if (between[i] == '=' && (sign == '<' || sign == '>'))
      sign = sign == '<' ? 'l' : 'g';
    else if (between[i] != ' ' && between[i] != '(' && between[i] != ')' && between[i] != '=')
      sign = between[i];
    else if (between[i] == '=' && sign == ' ')
      sign = '=';
  const char *at = turned ? strchr(there, sign) : NULL;
  return at ? back[at - there] : sign;
}

/* A number beside a word of a module, as in `VCS == 6`. */
struct pair {
  const char *name; /* [length] */
  size_t length;
  uint32_t number;
  char sign; /* of comparison() */
};

/* Calls `take` for each number and word that stand beside each other; further numbers may stand between them, as in
 * `DEPTH % 8 == 5`. */
static void each_pair(const char *text, void (*take)(void *context, const struct pair *pair),
                      void *context)
{
  const char *name = NULL; /* the last word, as long as only numbers and operators follow */
  const char *between = text;
  size_t length = 0, n;
  uint32_t before = 0; /* the number that the last word comes after; 0: none */
  for (const char *at = text; *at; at += n) {
    n = token(at);
    if (is_number(at, n)) {
      before = (uint32_t)strtoul(at, NULL, 10);
      if (name)
        take(context, &(struct pair){name, length, before,
                                     comparison(between, (size_t)(at - between), false)});
      between = at + n;
    } else if (n) {
      if (before)
        take(context,
             &(struct pair){at, n, before, comparison(between, (size_t)(at - between), true)});
      name = at;
      length = n;
      before = 0;
      between = at + n;
    } else {
      n = operators(at);
      if (!n) {
        name = NULL;
        before = 0;
        n = 1;
      }
    }
  }
}

struct pair_count {
  const struct pair *of;
  uint32_t n;
};

static void count_pair(void *context, const struct pair *pair)
{
  struct pair_count *c = context;
  c->n += pair->number == c->of->number && pair->sign == c->of->sign &&
          pair->length == c->of->length && !strncmp(pair->name, c->of->name, pair->length);
}

static uint32_t count_pairs(const char *text, const struct pair *of)
{
  struct pair_count c = {of, 0};
  each_pair(text, count_pair, &c);
  return c.n;
}

enum { DEFINITIONS = 4 /* most localparams from a word to a parameter */ };

struct pair_list {
  const char *text, *other;     /* a module and the one that it is compared with */
  struct hd_equal_number *list; /* [n], room for `most` */
  uint32_t n, most;
  bool beside; /* list numbers beside those that are compared by their size */
};

static void add_number(struct pair_list *l, const char *name, size_t length, uint32_t number)
{
  struct hd_equal_number one = {.number = number, .beside = l->beside};
  if (length >= sizeof one.name)
    return;
  snprintf(one.name, sizeof one.name, "%.*s", (int)length, name);
  for (uint32_t i = 0; i < l->n; i++)
    if (l->list[i].number == number && !strcmp(l->list[i].name, one.name))
      return;
  if (l->n < l->most)
    l->list[l->n++] = one;
}

/* Finds what a localparam is defined as, up to the ',' or ';' that ends it. NULL: the word is none. */
static const char *definition(const char *text, const char *name, size_t length, size_t *n)
{
  bool local = false; /* in a statement that begins with localparam */
  size_t word;
  for (const char *at = text; *at; at += word ? word : 1) {
    word = token(at);
    local = word ? local || (word == 10 && !strncmp(at, "localparam", 10)) : local && *at != ';';
    if (!local || word != length || strncmp(at, name, length))
      continue;
    const char *value = at + word + strspn(at + word, " ");
    if (*value != '=' || value[1] == '=')
      continue;
    int depth = 0;
    for (*n = 0, value++; value[*n] && value[*n] != ';'; (*n)++) {
      depth += strchr("([{", value[*n]) ? 1 : strchr(")]}", value[*n]) ? -1 : 0;
      if (value[*n] == ',' && !depth)
        break;
    }
    return value;
  }
  return NULL;
}

/* Adds a number with its word and, where the word is a localparam, with each word that it is computed from. */
static void add_word(struct pair_list *l, const char *name, size_t length, uint32_t number,
                     int left)
{
  size_t n = 0, word;
  const char *value = left ? definition(l->text, name, length, &n) : NULL;
  add_number(l, name, length, number);
  for (size_t i = 0; value && i < n; i += word ? word : 1) {
    word = token(value + i);
    if (word && !isdigit((unsigned char)value[i]))
      add_word(l, value + i, word, number, left - 1);
  }
}

static void add_pair(void *context, const struct pair *pair)
{
  struct pair_list *l = context;
  const bool by_size = strchr("<>lg", pair->sign) != NULL;
  if (pair->number < (by_size ? 1 : 2) || (l->beside && !by_size) ||
      count_pairs(l->text, pair) <= count_pairs(l->other, pair))
    return;
  for (uint32_t number = pair->number - l->beside; number <= pair->number + l->beside; number++)
    add_word(l, pair->name, pair->length, number, DEFINITIONS);
}

uint32_t hd_equal_numbers(const struct hd_equal *e, uint32_t index,
                          struct hd_equal_number numbers[], uint32_t most)
{
  bool used[EQUAL_MODULES] = {false};
  struct pair_list l = {.list = numbers, .most = most};
  hd_equal_reach(&e->changed, e->list[index], used);
  for (int pass = 0; pass < 4; pass++) /* changed, original; then numbers beside those of both */
    for (uint32_t i = 0; i < e->changed.n; i++) {
      const struct equal_module *m = &e->changed.modules[i],
                                *original = hd_equal_find(&e->original, m->name);
      if (!used[i] || (m != e->list[index] && original && hd_equal_same_header(m, original)))
        continue;
      const char *texts[2] = {hd_text_chars(&m->text),
                              original ? hd_text_chars(&original->text) : ""};
      l.text = texts[pass & 1];
      l.other = texts[!(pass & 1)];
      l.beside = pass > 1;
      each_pair(l.text, add_pair, &l);
    }
  return l.n;
}

const char *hd_equal_forbidden(const struct hd_equal *e)
{
  return *e->forbidden ? e->forbidden : NULL;
}

static bool is_used(const struct equal_side *side, const char *file, const bool *used)
{
  for (uint32_t i = 0; i < side->n; i++)
    if (used[i] && side->modules[i].file == file)
      return true;
  return false;
}

int hd_equal_unused_files(const char *directory, const char *top,
                          void (*name)(void *context, const char *file), void *context,
                          struct hd_error *err)
{
  bool used[EQUAL_MODULES] = {false};
  struct equal_side *side = hd_xcalloc(1, sizeof *side);
  int status = hd_equal_side_read(side, directory, err);
  const struct equal_module *m = status ? NULL : hd_equal_find(side, top);
  if (m)
    hd_equal_reach(side, m, used);
  for (uint32_t i = 0; m && i < side->n; i++)
    if ((!i || side->modules[i].file != side->modules[i - 1].file) &&
        !is_used(side, side->modules[i].file, used))
      name(context, side->modules[i].file);
  hd_equal_side_fini(side);
  free(side);
  return status;
}

/* ── parameter sets ────────────────────────────────────────────────────────── */

/* Is the text "N=1 M=2" and nothing else? It becomes a part of a script. */
static bool are_parameters(const char *text)
{
  while (*text) {
    size_t name = 0, value = 0;
    while (isalnum((unsigned char)text[name]) || text[name] == '_')
      name++;
    if (!name || text[name] != '=')
      return false;
    text += name + 1;
    while (isdigit((unsigned char)text[value]))
      value++;
    if (value && !strncmp(text + value, "'b", 2)) /* 4'b0101 */
      value += 2 + strspn(text + value + 2, "01");
    if (!value || (text[value] && text[value] != ' '))
      return false;
    text += value + (text[value] == ' ');
  }
  return true;
}

/* Reads the parameters up to the next '|', without blanks around them, and moves *line behind it. */
static bool read_parameters(const char **line, char parameters[HD_EQUAL_PARAMETERS])
{
  const char *begin = *line + strspn(*line, " \t");
  size_t n = strcspn(begin, "|");
  *line = begin + n + (begin[n] == '|');
  while (n && isspace((unsigned char)begin[n - 1]))
    n--;
  if (n >= HD_EQUAL_PARAMETERS)
    return false;
  snprintf(parameters, HD_EQUAL_PARAMETERS, "%.*s", (int)n, begin);
  return are_parameters(parameters);
}

/* Reads a line "module | N=1 M=2 | PORTS=3 … | PORTS=16 …". False: it is no such line. */
static bool read_set(const char *line, struct hd_equal_set *set)
{
  int n = 0;
  *set = (struct hd_equal_set){.module = ""};
  if (sscanf(line, "%63[A-Za-z0-9_$]%n", set->module, &n) < 1)
    return false;
  line += n + (int)strspn(line + n, " \t\r");
  if (*line && *line++ != '|')
    return false;
  bool fine = read_parameters(&line, set->parameters);
  for (uint32_t k = 0; fine && *line && k < HD_EQUAL_HOLDERS; k++)
    fine = read_parameters(&line, set->holders[k]);
  return fine && !*line;
}

int hd_equal_sets_read(struct hd_equal_sets *sets, const char *path, struct hd_error *err)
{
  char *text = NULL, *rest = NULL;
  size_t length, capacity = 0;
  *sets = (struct hd_equal_sets){0};
  int status = hd_file_read(path, &text, &length, err);
  for (char *line = status ? NULL : strtok_r(text, "\n", &rest); line && !status;
       line = strtok_r(NULL, "\n", &rest)) {
    if (*line == '#')
      continue;
    if (sets->n == capacity) {
      capacity = capacity ? 2 * capacity : 128;
      sets->list = hd_xrealloc(sets->list, capacity * sizeof *sets->list);
    }
    if (read_set(line, &sets->list[sets->n]))
      sets->n++;
    else
      status = hd_fail(err, HD_E_INPUT,
                       "%s: \"%.100s\": write module | NAME=NUMBER … | NAME=NUMBER …", path, line);
  }
  free(text);
  if (status)
    hd_equal_sets_fini(sets);
  return status;
}

void hd_equal_sets_add(struct hd_equal_sets *sets, const struct hd_equal_set *set)
{
  sets->list = hd_xrealloc(sets->list, (sets->n + 1) * sizeof *sets->list);
  sets->list[sets->n++] = *set;
}

void hd_equal_sets_fini(struct hd_equal_sets *sets)
{
  free(sets->list);
  *sets = (struct hd_equal_sets){0};
}
