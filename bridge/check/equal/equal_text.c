/* Reads Verilog without comments and blank space, and splits it into modules.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Properties (`ifdef FORMAL) are no part of the switch and are left out. Comments that tell a tool to read the text in
 * another way stay in it.
 */
#include "equal_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ── plain text ────────────────────────────────────────────────────────────── */

enum { CONDITIONS = 32, INCLUDES = 8 };

struct scan {
  const struct hd_dut_sources *sources;
  struct hd_text *out;
  struct condition {
    bool formal;  /* `ifdef FORMAL…: the directives themselves are left out, too */
    bool skipped; /* the present branch is left out */
    bool outside; /* the whole condition is inside a branch that is left out */
  } conditions[CONDITIONS];
  unsigned depth, included;
  bool blank; /* blank space came before the next character */
};

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool skipping(const struct scan *s)
{
  const struct condition *c = s->depth ? &s->conditions[s->depth - 1] : NULL;
  return c && (c->skipped || c->outside);
}

/* Adds text. A blank stays where two tokens would become one without it. */
static void add_text(struct scan *s, const char *from, size_t n)
{
  if (skipping(s) || !n)
    return;
  char last = s->out->length ? s->out->chars[s->out->length - 1] : '\n';
  bool words = is_word(last) && is_word(*from);
  bool signs = ispunct((unsigned char)last) && ispunct((unsigned char)*from) &&
               !strchr("()[]{};,", last) && !strchr("()[]{};,", *from);
  hd_text_add(s->out, "%s%.*s", s->blank && (words || signs) ? " " : "", (int)n, from);
  s->blank = false;
}

static void scan_text(struct scan *s, const char *at);

static void scan_include(struct scan *s, const char *name, size_t n)
{
  for (size_t i = 0; i < s->sources->n; i++) {
    const struct hd_dut_source *source = &s->sources->list[i];
    const char *base = strrchr(source->name, '/');
    base = base ? base + 1 : source->name;
    if (strlen(base) != n || memcmp(base, name, n) || s->included == INCLUDES)
      continue;
    s->included++;
    scan_text(s, source->bytes);
    s->included--;
    return;
  }
}

static bool is_directive(const char *at, const char *name)
{
  size_t n = strlen(name);
  return !strncmp(at + 1, name, n) && !is_word(at[1 + n]);
}

/* Handles `ifdef, `ifndef, `else and `endif; false: it is another directive. */
static bool scan_condition(struct scan *s, const char *at, size_t n)
{
  bool ifdef = is_directive(at, "ifdef"), ifndef = is_directive(at, "ifndef");
  bool otherwise = is_directive(at, "else"), end = is_directive(at, "endif");
  if (ifdef || ifndef) {
    const char *name = at + (ifdef ? 6 : 7);
    name += strspn(name, " \t");
    bool formal = !strncmp(name, "FORMAL", 6), outside = skipping(s);
    if (!formal)
      add_text(s, at, n);
    if (s->depth < CONDITIONS)
      s->conditions[s->depth++] =
          (struct condition){.formal = formal, .skipped = formal && ifdef, .outside = outside};
    return true;
  }
  if (!s->depth || !(otherwise || end))
    return false;
  struct condition *c = &s->conditions[s->depth - 1];
  if (c->formal && otherwise)
    c->skipped = !c->skipped;
  if (!c->formal)
    add_text(s, at, n);
  s->depth -= end;
  return true;
}

/* Handles a directive, and returns its end: that of its line, or of its name. */
static const char *scan_directive(struct scan *s, const char *at)
{
  static const char *const lines[] = {"define", "include", "ifdef",           "ifndef",
                                      "elsif",  "undef",   "default_nettype", "timescale"};
  size_t n = 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_");
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (is_directive(at, lines[i]))
      n = strcspn(at, "\n");
  const char *comment = memmem(at, n, "//", 2);
  size_t shown = comment ? (size_t)(comment - at) : n;
  while (shown && isspace((unsigned char)at[shown - 1]))
    shown--;
  if (scan_condition(s, at, shown)) {
    s->blank = true;
    return at + n;
  }
  add_text(s, at, shown);
  if (n > 1 && !skipping(s))
    hd_text_add(s->out, "\n");
  if (is_directive(at, "include") && !skipping(s)) {
    const char *name = memchr(at, '"', n), *end = name ? memchr(name + 1, '"', n) : NULL;
    if (end)
      scan_include(s, name + 1, (size_t)(end - name - 1));
  }
  return at + n;
}

/* Leaves out a comment, unless it is one for tools, and returns its end. */
static const char *scan_comment(struct scan *s, const char *at)
{
  static const char *const for_tools[] = {"translate_", "full_case", "parallel_case", "pragma"};
  const char *end = at[1] == '/' ? at + strcspn(at, "\n") : strstr(at + 2, "*/");
  end = !end ? at + strlen(at) : at[1] == '/' ? end : end + 2;
  for (size_t i = 0; i < sizeof for_tools / sizeof *for_tools; i++)
    if (memmem(at, (size_t)(end - at), for_tools[i], strlen(for_tools[i]))) {
      add_text(s, at, (size_t)(end - at));
      if (!skipping(s))
        hd_text_add(s->out, "\n");
      break;
    }
  s->blank = true;
  return end;
}

static const char *scan_string(struct scan *s, const char *at)
{
  const char *end = at + 1;
  while (*end && *end != '"')
    end += *end == '\\' && end[1] ? 2 : 1;
  end += *end == '"';
  add_text(s, at, (size_t)(end - at));
  return end;
}

static void scan_text(struct scan *s, const char *at)
{
  while (*at) {
    if (isspace((unsigned char)*at)) {
      s->blank = true;
      at++;
    } else if (*at == '/' && (at[1] == '/' || at[1] == '*'))
      at = scan_comment(s, at);
    else if (*at == '`')
      at = scan_directive(s, at);
    else if (*at == '"')
      at = scan_string(s, at);
    else if (*at == '\\') { /* an escaped name ends with blank space */
      size_t n = strcspn(at, " \t\r\n");
      add_text(s, at, n);
      if (!skipping(s))
        hd_text_add(s->out, " ");
      at += n;
    } else {
      size_t n = 1;
      while (is_word(*at) && is_word(at[n]))
        n++;
      add_text(s, at, n);
      at += n;
    }
  }
}

/* ── modules ───────────────────────────────────────────────────────────────── */

/* Finds a word; NULL: the text does not contain it. */
static const char *find_word(const char *text, const char *word)
{
  size_t n = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || !is_word(at[-1])) && !is_word(at[n]))
      return at;
  return NULL;
}

bool hd_equal_has_word(const char *text, const char *word)
{
  return find_word(text, word) != NULL;
}

static int add_module(struct equal_side *side, const char *file, const char *from,
                      const char *module, const char *end, struct hd_error *err)
{
  if (side->n == EQUAL_MODULES)
    return hd_fail(err, HD_E_INPUT, "%.200s: more than %d modules", side->directory, EQUAL_MODULES);
  struct equal_module *m = &side->modules[side->n++];
  const char *name = module + strlen("module");
  name += strspn(name, " ");
  size_t n = 0;
  while (is_word(name[n]))
    n++;
  *m = (struct equal_module){.file = file};
  snprintf(m->name, sizeof m->name, "%.*s", (int)n, name);
  hd_text_add(&m->text, "%.*s%.*s", (int)(end - module), module, (int)(module - from), from);
  m->header = strcspn(module, ";");
  return HD_OK;
}

/* Adds the modules of a file. Text before a module, such as directives, is a part of it. */
static int split_modules(struct equal_side *side, const char *file, const char *text,
                         struct hd_error *err)
{
  int status = HD_OK;
  const char *from = text, *module = find_word(text, "module");
  while (module && !status) {
    const char *end = find_word(module, "endmodule");
    if (!end)
      end = module + strlen(module);
    status = add_module(side, file, from, module, end, err);
    from = *end ? end + strlen("endmodule") : end;
    module = find_word(from, "module");
  }
  return status;
}

int hd_equal_side_read(struct equal_side *side, const char *directory, struct hd_error *err)
{
  side->directory = directory;
  int status = hd_sources_add_rtl(&side->sources, directory, err);
  for (size_t i = 0; !status && i < side->sources.n; i++) {
    const struct hd_dut_source *source = &side->sources.list[i];
    const char *dot = strrchr(source->name, '.');
    if (!dot || (strcmp(dot, ".v") && strcmp(dot, ".sv")))
      continue;
    struct hd_text text = {0};
    struct scan s = {.sources = &side->sources, .out = &text};
    scan_text(&s, source->bytes);
    status = split_modules(side, source->name + strlen("rtl/"), hd_text_chars(&text), err);
    hd_text_fini(&text);
  }
  return status;
}

void hd_equal_side_fini(struct equal_side *side)
{
  for (uint32_t i = 0; i < side->n; i++)
    hd_text_fini(&side->modules[i].text);
  hd_sources_fini(&side->sources);
}

const struct equal_module *hd_equal_find(const struct equal_side *side, const char *name)
{
  for (uint32_t i = 0; i < side->n; i++)
    if (!strcmp(side->modules[i].name, name))
      return &side->modules[i];
  return NULL;
}

void hd_equal_reach(const struct equal_side *side, const struct equal_module *from, bool *used)
{
  used[from - side->modules] = true;
  for (uint32_t i = 0; i < side->n; i++)
    if (!used[i] &&
        hd_equal_has_word(hd_text_chars(&from->text) + from->header, side->modules[i].name))
      hd_equal_reach(side, &side->modules[i], used);
}

bool hd_equal_same_header(const struct equal_module *a, const struct equal_module *b)
{
  return a->header == b->header && !memcmp(a->text.chars, b->text.chars, a->header);
}
