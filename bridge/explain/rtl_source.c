/* Finds modules, instances and assignments in the text of Verilog.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Comments and quoted texts are replaced by blanks first, so lines keep their numbers.
 */
#include "rtl_source.h"

#include "../host/file.h"
#include "../host/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file {
  char *name, *raw, *clean; /* owned */
};

struct hd_rtl_source {
  struct file *files; /* [n] */
  size_t n;
};

/* ── reading ───────────────────────────────────────────────────────────────── */

static void blank_out(char *text)
{
  for (char *p = text; *p;) {
    char *end = p + 1;
    if (p[0] == '/' && p[1] == '/')
      end = p + strcspn(p, "\n");
    else if (p[0] == '/' && p[1] == '*')
      end = strstr(p + 2, "*/") ? strstr(p + 2, "*/") + 2 : p + strlen(p);
    else if (p[0] == '"')
      end += strcspn(end, "\"\n") + (end[strcspn(end, "\"\n")] == '"');
    else {
      p++;
      continue;
    }
    for (; p < end; p++)
      if (*p != '\n')
        *p = ' ';
  }
}

static bool is_verilog(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot && dot != name && (!strcmp(dot, ".v") || !strcmp(dot, ".sv"));
}

static int read_one(struct hd_rtl_source *s, const char *directory, const char *name,
                    struct hd_error *err)
{
  char path[4096];
  size_t length;
  s->files = hd_xrealloc(s->files, (s->n + 1) * sizeof *s->files);
  struct file *f = &s->files[s->n++];
  *f = (struct file){.name = hd_xstrdup(name)};
  if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path)
    return hd_fail(err, HD_E_INPUT, "path too long: %.200s", directory);
  int status = hd_file_read(path, &f->raw, &length, err);
  if (status)
    return status;
  f->clean = hd_xstrdup(f->raw);
  blank_out(f->clean);
  return HD_OK;
}

static int by_name(const void *a, const void *b)
{
  return strcmp(((const struct file *)a)->name, ((const struct file *)b)->name);
}

static int read_directory(struct hd_rtl_source *s, DIR *dir, const char *directory,
                          struct hd_error *err)
{
  int status = HD_OK;
  for (const struct dirent *e; !status && (e = readdir(dir));)
    if (is_verilog(e->d_name))
      status = read_one(s, directory, e->d_name, err);
  closedir(dir);
  return status;
}

int hd_rtl_source_read(struct hd_rtl_source **source, const char *directory, struct hd_error *err)
{
  char path[4096];
  DIR *dir = opendir(directory);
  struct hd_rtl_source *s = hd_xcalloc(1, sizeof *s);
  snprintf(path, sizeof path, "%s", directory);
  int status = dir ? HD_OK : hd_fail(err, HD_E_IO, "%s: cannot be read", directory);
  *source = NULL;
  for (unsigned n = 0; !status && dir; n++) {
    status = read_directory(s, dir, path, err);
    snprintf(path, sizeof path, "%s/files/%u", directory, n);
    dir = opendir(path);
  }
  if (dir)
    closedir(dir);
  if (!status && !s->n)
    status = hd_fail(err, HD_E_INPUT, "%s: has no Verilog", directory);
  if (status) {
    hd_rtl_source_free(s);
    return status;
  }
  qsort(s->files, s->n, sizeof *s->files, by_name);
  *source = s;
  return HD_OK;
}

void hd_rtl_source_free(struct hd_rtl_source *s)
{
  for (size_t i = 0; s && i < s->n; i++) {
    free(s->files[i].name);
    free(s->files[i].raw);
    free(s->files[i].clean);
  }
  if (s)
    free(s->files);
  free(s);
}

/* ── words ─────────────────────────────────────────────────────────────────── */

static bool in_word(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Finds the next whole word equal to `word` in [from, end); NULL: none. */
static const char *find_word(const char *from, const char *end, const char *word)
{
  const size_t n = strlen(word);
  for (const char *p = from; p && p + n <= end; p++) {
    p = memmem(p, (size_t)(end - p), word, n);
    if (!p)
      return NULL;
    if ((p == from || !in_word(p[-1])) && (p + n == end || !in_word(p[n])))
      return p;
  }
  return NULL;
}

static const char *skip_blanks(const char *p, const char *end)
{
  while (p < end && isspace((unsigned char)*p))
    p++;
  return p;
}

/* Returns the position after the bracket that closes the one at `p`. */
static const char *skip_brackets(const char *p, const char *end)
{
  int depth = 0;
  for (; p < end; p++) {
    depth += (*p == '(' || *p == '[' || *p == '{') - (*p == ')' || *p == ']' || *p == '}');
    if (!depth)
      return p + 1;
  }
  return end;
}

/* The last non-blank character before `p`; NULL: none. */
static const char *before(const char *p, const char *begin)
{
  while (p > begin)
    if (!isspace((unsigned char)*--p))
      return p;
  return NULL;
}

/* True if the word that ends at `last` is in the list, which ends with NULL. */
static bool ends_with_word(const char *last, const char *begin, const char *const *list)
{
  const char *from = last;
  while (from > begin && in_word(from[-1]))
    from--;
  for (; *list; list++)
    if (strlen(*list) == (size_t)(last + 1 - from) && !memcmp(from, *list, strlen(*list)))
      return true;
  return false;
}

/* ── modules ───────────────────────────────────────────────────────────────── */

/* The text of a module, or of a generated block in it. */
struct module {
  size_t file;
  const char *begin, *end;
};

static bool find_module(const struct hd_rtl_source *s, const char *name, struct module *module)
{
  for (size_t i = 0; i < s->n; i++) {
    const char *text = s->files[i].clean, *end = text + strlen(text);
    for (const char *p = text; (p = find_word(p, end, "module")); p++) {
      const char *word = skip_blanks(p + 6, end);
      if (find_word(word, end, name) != word)
        continue;
      const char *last = find_word(p, end, "endmodule");
      *module = (struct module){i, p, last ? last : end};
      return true;
    }
  }
  return false;
}

/* Finds the module of the instance called `name` in scope `m`. */
static bool instance_of(const struct hd_rtl_source *s, const struct module *m, const char *name,
                        char type[HD_RTL_WORD], struct module *found)
{
  for (const char *p = m->begin; (p = find_word(p, m->end, name)); p++) {
    const char *next = skip_blanks(p + strlen(name), m->end), *last = before(p, m->begin);
    if (next == m->end || *next != '(' || !last)
      continue;
    if (*last == ')') { /* #(…) */
      int depth = 0;
      for (; last > m->begin; last--) {
        depth += (*last == ')') - (*last == '(');
        if (!depth)
          break;
      }
      last = before(last, m->begin);
      if (!last || *last != '#')
        continue;
      last = before(last, m->begin);
    }
    if (!last || !in_word(*last))
      continue;
    const char *from = last;
    while (from > m->begin && in_word(from[-1]))
      from--;
    snprintf(type, HD_RTL_WORD, "%.*s", (int)(last + 1 - from), from);
    if (find_module(s, type, found))
      return true;
  }
  return false;
}

/* ── assignments ───────────────────────────────────────────────────────────── */

struct assignment {
  const char *at, *end; /* from the name to the ';' */
  bool is_register;
};

/* True if a statement may begin after `last`. */
static bool begins_statement(const char *last, const char *begin)
{
  static const char *const words[] = {"begin", "else", "assign", "wire", "reg", "initial", NULL};
  return last && (*last == ';' || *last == ')' || *last == ':' || *last == ']' ||
                  ends_with_word(last, begin, words));
}

static bool next_assignment(const struct module *m, const char *name, const char *from,
                            struct assignment *a)
{
  for (const char *p = from; (p = find_word(p, m->end, name)); p++) {
    const char *next = skip_blanks(p + strlen(name), m->end), *start = p;
    while (next < m->end && *next == '[')
      next = skip_blanks(skip_brackets(next, m->end), m->end);
    if (next < m->end && (*next == ',' || *next == '}')) { /* {a, b} = … */
      while (start > m->begin && *start != '{' && *start != ';')
        start--;
      if (*start != '{')
        continue;
      next = skip_blanks(skip_brackets(start, m->end), m->end);
    }
    if (next + 1 >= m->end || !begins_statement(before(start, m->begin), m->begin))
      continue;
    const bool nonblocking = next[0] == '<' && next[1] == '=';
    if (!nonblocking && (next[0] != '=' || next[1] == '='))
      continue;
    const char *end = memchr(next, ';', (size_t)(m->end - next));
    *a = (struct assignment){p, end ? end : m->end, nonblocking};
    return true;
  }
  return false;
}

/* Returns the position after the statement at `p`: after its ';' or its end. */
static const char *statement_end(const char *p, const char *end)
{
  p = skip_blanks(p, end);
  if (find_word(p, end, "begin") != p) {
    const char *last = memchr(p, ';', (size_t)(end - p));
    return last ? last + 1 : end;
  }
  int depth = 0;
  while (p < end) {
    if (!in_word(*p)) {
      p++;
      continue;
    }
    const char *word = p;
    while (p < end && in_word(*p))
      p++;
    const size_t n = (size_t)(p - word);
    depth += (n == 5 && !memcmp(word, "begin", 5)) - (n == 3 && !memcmp(word, "end", 3));
    if (!depth)
      return p;
  }
  return end;
}

/* True if `at` is in a branch that runs while rst is 1. */
static bool in_reset(const struct module *m, const char *at)
{
  for (const char *p = m->begin; (p = find_word(p, at, "if")); p++) {
    const char *open = skip_blanks(p + 2, m->end);
    if (*open != '(')
      continue;
    const char *close = skip_brackets(open, m->end), *word = skip_blanks(open + 1, close);
    if (find_word(word, close, "rst") != word || skip_blanks(word + 3, close) + 1 != close)
      continue;
    if (at < statement_end(close, m->end))
      return true;
  }
  return false;
}

static unsigned line_of(const struct file *f, const char *at)
{
  unsigned line = 1;
  for (const char *p = f->clean; p < at; p++)
    line += *p == '\n';
  return line;
}

/* True if the right side of the assignment names a signal. Constants are in capitals; "8'hff" is
 * a number. */
static bool reads_signal(const struct assignment *a)
{
  const char *p = memchr(a->at, '=', (size_t)(a->end - a->at));
  for (; p && p < a->end; p++)
    if (islower((unsigned char)*p) && !in_word(p[-1]) && p[-1] != '\'')
      return true;
  return false;
}

/* Returns the last `always` before `at`, which begins the block of an assignment in a block; the
 * scope's start if there is none. */
static const char *always_of(const struct module *m, const char *at)
{
  const char *found = m->begin;
  for (const char *p = m->begin; (p = find_word(p, at, "always")); p++)
    found = p;
  return found;
}

/* Notes how the signal is assigned. Generated branches may each have a register of the same
 * name; it counts as reset if every block resets it. */
static void look_at_assignments(const struct hd_rtl_source *s, const struct module *m,
                                struct hd_rtl_signal *signal)
{
  struct assignment a;
  const char *always = NULL;
  bool settled = false, block_resets = true, all_reset = true;
  signal->is_constant = true;
  for (const char *p = m->begin; next_assignment(m, signal->name, p, &a); p = a.at + 1) {
    const bool reset = in_reset(m, a.at);
    const char *block = always_of(m, a.at);
    all_reset &= block == always || block_resets;
    block_resets = reset || (block == always && block_resets);
    always = block;
    if (!signal->driven || (!settled && !reset))
      signal->line = line_of(&s->files[m->file], a.at);
    signal->driven = true;
    signal->is_register |= a.is_register;
    signal->is_constant &= !reads_signal(&a);
    settled |= !reset;
  }
  signal->is_reset = signal->driven && all_reset && block_resets;
}

/* Copies the path's first part without its index, such as "out" of "out[1]". Returns the rest of
 * the path. */
static const char *next_part(const char *path, char part[HD_RTL_WORD])
{
  const size_t n = strcspn(path, ".");
  snprintf(part, HD_RTL_WORD, "%.*s", (int)n, path);
  part[strcspn(part, "[(")] = '\0';
  return path[n] ? path + n + 1 : NULL;
}

/* Finds the next block `begin : name` in a scope, after `from`. */
static bool next_block(const struct module *m, const char *name, const char *from,
                       struct module *block)
{
  for (const char *p = from; (p = find_word(p, m->end, "begin")); p++) {
    const char *colon = skip_blanks(p + 5, m->end);
    if (colon == m->end || *colon != ':')
      continue;
    const char *word = skip_blanks(colon + 1, m->end);
    if (find_word(word, m->end, name) != word)
      continue;
    *block = (struct module){m->file, p, statement_end(p, m->end)};
    return true;
  }
  return false;
}

/* True if `declared` is one of the names in `integer a, b;`. */
static bool is_integer(const struct module *m, const char *declared)
{
  const char *from = declared;
  while (from > m->begin && from[-1] != ';')
    from--;
  return find_word(from, declared, "integer");
}

/* Finds the signal of path `rest` in a scope. */
static bool resolve(const struct hd_rtl_source *s, const struct module *m, const char *path,
                    const char *rest, struct hd_rtl_signal *signal)
{
  char part[HD_RTL_WORD], type[HD_RTL_WORD];
  struct module inner;
  const char *next = next_part(rest, part);
  if (!next) {
    const char *declared = find_word(m->begin, m->end, part), *text = s->files[m->file].clean;
    if (!declared)
      return false;
    memcpy(signal->name, part, sizeof part);
    signal->file_index = m->file;
    snprintf(signal->file, sizeof signal->file, "%s", s->files[m->file].name);
    signal->begin = (size_t)(m->begin - text);
    signal->end = (size_t)(m->end - text);
    signal->line = line_of(&s->files[m->file], declared);
    signal->is_integer = is_integer(m, declared);
    look_at_assignments(s, m, signal);
    return true;
  }
  for (const char *p = m->begin + 1; next_block(m, part, p, &inner); p = inner.begin + 1)
    if (resolve(s, &inner, path, next, signal))
      return true;
  if (!instance_of(s, m, part, type, &inner))
    return false;
  memcpy(signal->module, type, sizeof type);
  snprintf(signal->instance, sizeof signal->instance, "%.*s", (int)(next - path - 1), path);
  return resolve(s, &inner, path, next, signal);
}

bool hd_rtl_find(const struct hd_rtl_source *s, const char *path, struct hd_rtl_signal *signal)
{
  struct module m;
  char part[HD_RTL_WORD];
  for (const char *rest; (rest = next_part(path, part)); path = rest) {
    *signal = (struct hd_rtl_signal){.line = 0};
    if (!find_module(s, part, &m))
      continue; /* scopes outside of the design: a test bench, or other files */
    memcpy(signal->module, part, sizeof part);
    snprintf(signal->instance, sizeof signal->instance, "%.*s", (int)(rest - path - 1), path);
    if (resolve(s, &m, path, rest, signal))
      return true;
  }
  return false;
}

/* The text of the module in which the signal is assigned. */
static struct module scope_of(const struct hd_rtl_source *s, const struct hd_rtl_signal *signal)
{
  const char *text = s->files[signal->file_index].clean;
  return (struct module){signal->file_index, text + signal->begin, text + signal->end};
}

/* The start of the block that contains the assignment. A continuous assignment is its own block. */
static const char *block_begin(const struct module *m, const char *at)
{
  const char *begin = m->begin, *last = before(at, m->begin);
  static const char *const continuous[] = {"assign", "wire", NULL};
  if (last && (*last == ']' || ends_with_word(last, m->begin, continuous)))
    return at;
  for (const char *p = m->begin; (p = find_word(p, at, "always")); p++)
    begin = p;
  return begin == m->begin ? at : begin;
}

bool hd_rtl_reads(const struct hd_rtl_source *s, const struct hd_rtl_signal *signal,
                  const char *name)
{
  const struct module m = scope_of(s, signal);
  struct assignment a;
  if (!strcmp(name, signal->name))
    return false;
  for (const char *p = m.begin; next_assignment(&m, signal->name, p, &a); p = a.at + 1)
    if (find_word(block_begin(&m, a.at), a.end, name))
      return true;
  return false;
}

/* ── comparison with the original's text ───────────────────────────────────── */

/* Skips the blanks at the start of a line; returns the length without those at the end. */
static size_t trimmed(const char **line)
{
  size_t n = strcspn(*line, "\n");
  for (; n && isspace((unsigned char)**line); n--)
    ++*line;
  while (n && isspace((unsigned char)(*line)[n - 1]))
    n--;
  return n;
}

static const struct file *file_of(const struct hd_rtl_source *s, const char *name)
{
  for (size_t i = 0; i < s->n; i++)
    if (!strcmp(s->files[i].name, name))
      return &s->files[i];
  return NULL;
}

static bool has_line(const struct file *f, const char *line, size_t n)
{
  for (const char *p = f->clean; *p;) {
    const char *other = p;
    if (trimmed(&other) == n && !memcmp(other, line, n))
      return true;
    p += strcspn(p, "\n");
    p += *p == '\n';
  }
  return false;
}

/* Finds a line of [from, end) that is not in `other`; NULL: none. */
static const char *new_line(const char *from, const char *end, const struct file *f,
                            const struct file *other)
{
  while (from > f->clean && from[-1] != '\n')
    from--;
  for (const char *p = from; p < end;) {
    const char *line = p;
    const size_t n = trimmed(&line);
    if (n && !has_line(other, line, n))
      return line;
    p += strcspn(p, "\n");
    p += *p == '\n';
  }
  return NULL;
}

/* Finds the definition of `word` in a module: the text of the localparam or function of that
 * name. */
static bool find_meaning(const struct module *m, const char *word, struct module *meaning)
{
  for (const char *p = m->begin; (p = find_word(p, m->end, word)); p++) {
    const char *from = p;
    while (from > m->begin && from[-1] != ';')
      from--;
    const bool function = find_word(from, p, "function");
    const char *next = skip_blanks(p + strlen(word), m->end);
    if (!function && (!find_word(from, p, "localparam") || next == m->end || *next != '='))
      continue;
    const char *end =
        function ? find_word(p, m->end, "endfunction") : memchr(p, ';', (size_t)(m->end - p));
    *meaning = (struct module){m->file, p, end ? end : m->end};
    return true;
  }
  return false;
}

/* Finds a new line in the definitions of words that the text uses. */
static const char *new_meaning(const struct module *m, const char *from, const char *end,
                               const struct file *f, const struct file *other)
{
  char word[HD_RTL_WORD];
  struct module meaning;
  for (const char *p = from; p < end;) {
    if (!in_word(*p)) {
      p++;
      continue;
    }
    const char *begin = p;
    while (p < end && in_word(*p))
      p++;
    snprintf(word, sizeof word, "%.*s", (int)(p - begin), begin);
    const char *line = !isdigit((unsigned char)*begin) && find_meaning(m, word, &meaning)
                           ? new_line(meaning.begin, meaning.end, f, other)
                           : NULL;
    if (line)
      return line;
  }
  return NULL;
}

bool hd_rtl_changed(const struct hd_rtl_source *s, const struct hd_rtl_source *original,
                    const char *path, struct hd_rtl_signal *signal)
{
  struct hd_rtl_signal before_it;
  struct module whole;
  struct assignment a;
  const struct file *f = &s->files[signal->file_index], *other = file_of(original, signal->file);
  if (!other || !hd_rtl_find(original, path, &before_it) || !find_module(s, signal->module, &whole))
    return false;
  const struct module m = scope_of(s, signal), o = scope_of(original, &before_it);
  for (unsigned meant = 0; meant < 2; meant++)
    for (const char *p = m.begin; next_assignment(&m, signal->name, p, &a); p = a.at + 1) {
      const char *line = meant ? new_meaning(&whole, block_begin(&m, a.at), a.end, f, other)
                               : new_line(a.at, a.end, f, other);
      if (!line)
        continue;
      signal->line = line_of(f, line);
      return true;
    }
  /* An assignment of the original is missing. */
  for (const char *p = o.begin; next_assignment(&o, signal->name, p, &a); p = a.at + 1)
    if (new_line(a.at, a.end, &original->files[o.file], f))
      return true;
  return false;
}

unsigned hd_rtl_reset_line(const struct hd_rtl_source *s, const struct hd_rtl_signal *signal)
{
  const struct module m = scope_of(s, signal);
  struct assignment a;
  for (const char *p = m.begin; next_assignment(&m, signal->name, p, &a); p = a.at + 1)
    if (in_reset(&m, a.at))
      return line_of(&s->files[m.file], a.at);
  return 0;
}

void hd_rtl_line(const struct hd_rtl_source *s, const struct hd_rtl_signal *signal, char *text,
                 size_t size)
{
  const char *p = s->files[signal->file_index].raw;
  for (unsigned line = 1; line < signal->line && *p; line++) {
    p += strcspn(p, "\n");
    p += *p == '\n';
  }
  const size_t n = trimmed(&p);
  snprintf(text, size, "%.*s", (int)n, p);
}
