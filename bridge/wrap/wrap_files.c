/* Reads the files of a router that a description names.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_files.h"

#include "../backends/rtl/dut_sources.h"
#include "../host/file.h"
#include "../host/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MOST_FILES = 200, MOST_DEPTH = 6 };

struct reader {
  struct hd_wrap_files *files;
  const struct hd_wrap *wrap;
  struct hd_error *err;
  uint32_t line; /* line of the description */
};

void hd_wrap_files_fini(struct hd_wrap_files *files)
{
  for (size_t i = 0; i < files->n; i++) {
    free(files->items[i].from);
    free(files->items[i].name);
    free(files->items[i].bytes);
    free(files->items[i].defines);
  }
  for (size_t i = 0; i < files->n_directories; i++)
    free(files->directories[i]);
  free(files->items);
  free(files->directories);
  *files = (struct hd_wrap_files){0};
}

static int refuse(const struct reader *r, const char *what, const char *name)
{
  return hd_fail(r->err, HD_E_INPUT, "%s:%" PRIu32 ": %s: %s", r->wrap->path, r->line, name, what);
}

static bool ends_with(const char *name, const char *const endings[])
{
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && endings[i]; i++)
    if (!strcmp(dot, endings[i]))
      return true;
  return false;
}

static const char *const k_vhdl[] = {".vhd", ".vhdl", NULL};

static bool is_source(const struct reader *r, const char *name)
{
  return r->wrap->vhdl ? ends_with(name, k_vhdl) : hd_sources_have_modules(name);
}

/* Tests whether a file is in the router's language. */
static bool is_code(const struct reader *r, const char *name)
{
  return r->wrap->vhdl ? ends_with(name, k_vhdl) : hd_sources_are_verilog(name);
}

/* Returns the number of a source's directory. Adds the directory if it is new. */
static size_t directory_of(struct hd_wrap_files *files, const char *path)
{
  const char *slash = strrchr(path, '/');
  char *directory = hd_xstrndup(path, slash ? (size_t)(slash - path) : 0);
  for (size_t i = 0; i < files->n_directories; i++)
    if (!strcmp(files->directories[i], directory)) {
      free(directory);
      return i;
    }
  HD_XROOM(files->directories, files->directories_capacity, files->n_directories, 1);
  files->directories[files->n_directories] = directory;
  return files->n_directories++;
}

/* Adds a file; takes ownership of `name`. */
static int add_file(struct reader *r, const char *path, char *name, bool compiled)
{
  struct hd_wrap_files *files = r->files;
  struct hd_wrap_file file = {.from = hd_xstrdup(path), .name = name, .compiled = compiled};
  int status = HD_OK;
  for (size_t i = 0; i < files->n; i++)
    if (!files->items[i].defines && !strcmp(files->items[i].name, name)) {
      free(file.from);
      free(name);
      files->items[i].compiled |= compiled;
      return HD_OK;
    }
  if (files->n == MOST_FILES)
    status = refuse(r, "more than 200 files; name those that the router needs", path);
  else if (strpbrk(name, "\"\\\n") || strlen(name) > 250)
    status = refuse(r, "the name is too long, or has quotes", path);
  else if (hd_file_read(path, &file.bytes, &file.length, r->err))
    status = refuse(r, "cannot be read", path);
  HD_XROOM(files->items, files->capacity, files->n, 1);
  files->items[files->n++] = file;
  return status;
}

static int add_source(struct reader *r, const char *path, bool compiled)
{
  const char *slash = strrchr(path, '/');
  return add_file(
      r, path,
      hd_xasprintf(HD_WRAP_FILES "/%zu/%s", directory_of(r->files, path), slash ? slash + 1 : path),
      compiled);
}

static int is_visible(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

/* Adds all files of a directory in the router's language: as sources or, with `name`, as files to
 * include, below the directory `name`. */
static int add_directory(struct reader *r, const char *path, const char *name, unsigned depth)
{
  struct dirent **found = NULL;
  int status = HD_OK, n = scandir(path, &found, is_visible, alphasort);
  if (n < 0)
    return refuse(r, strerror(errno), path);
  for (int i = 0; i < n; i++) {
    struct stat st;
    char *below = hd_xasprintf("%s/%s", path, found[i]->d_name);
    char *copy = name ? hd_xasprintf("%s/%s", name, found[i]->d_name) : NULL;
    if (!status && !lstat(below, &st) && S_ISDIR(st.st_mode) && depth < MOST_DEPTH)
      status = add_directory(r, below, copy, depth + 1);
    else if (!status && is_code(r, found[i]->d_name) && name)
      status = add_file(r, below, hd_xstrdup(copy), false);
    else if (!status && is_code(r, found[i]->d_name))
      status = add_source(r, below, is_source(r, found[i]->d_name));
    free(copy);
    free(below);
    free(found[i]);
  }
  free(found);
  return status;
}

static int add_include(struct reader *r, const char *path)
{
  static const char prefix[] = "include/";
  size_t next = 0;
  for (size_t i = 0; i < r->files->n; i++)
    if (!strncmp(r->files->items[i].name, prefix, sizeof prefix - 1)) {
      const size_t number = strtoul(r->files->items[i].name + sizeof prefix - 1, NULL, 10);
      next = number >= next ? number + 1 : next;
    }
  char *name = hd_xasprintf("include/%zu", next);
  int status = add_directory(r, path, name, 0);
  free(name);
  return status;
}

static int add_path(struct reader *r, const char *path)
{
  struct stat st;
  if (stat(path, &st))
    return refuse(r, strerror(errno), path);
  if (S_ISDIR(st.st_mode))
    return add_directory(r, path, NULL, 0);
  if (!is_code(r, path))
    return refuse(r,
                  r->wrap->vhdl
                      ? "is no VHDL, which the others are; legal: files that end with "
                        ".vhd or .vhdl, directories, and `-f LIST`"
                      : "is no Verilog; legal: files that end with .v or .sv, what "
                        "they include (.vh, .svh, .h, .inc, …), directories, and `-f LIST`",
                  path);
  return add_source(r, path, is_source(r, path));
}

/* ── lists of files ────────────────────────────────────────────────────────── */

static int add_list(struct reader *r, const char *path, unsigned depth);

/* Adds macros from "+define+A=1+B", one a line. */
static void add_defines(struct reader *r, const char *text)
{
  struct hd_text lines = {0};
  for (const char *at = text; *at; at += *at == '+') {
    const int n = (int)strcspn(at, "+"), name = (int)strcspn(at, "=+");
    hd_text_add(&lines, "`define %.*s %.*s\n", name, at, n > name ? n - name - 1 : 0,
                at + name + 1);
    at += n;
  }
  HD_XROOM(r->files->items, r->files->capacity, r->files->n, 1);
  r->files->items[r->files->n++] =
      (struct hd_wrap_file){.from = hd_xstrdup(""),
                            .name = hd_xstrdup(""),
                            .defines = lines.chars ? lines.chars : hd_xstrdup("")};
}

/* Handles one word of a list of files. *lists: the next word is a list; *includes: the next word
 * is a directory of includes. */
static int add_word(struct reader *r, const char *list, const char *word, bool *lists,
                    bool *includes, unsigned depth)
{
  const char *incdir = !strncmp(word, "+incdir+", 8)        ? word + 8
                       : !strncmp(word, "-I", 2) && word[2] ? word + 2
                                                            : NULL;
  if (!strcmp(word, "-f") || !strcmp(word, "-F")) {
    *lists = true;
    return HD_OK;
  }
  if (!strcmp(word, "-I") || !strcmp(word, "-incdir")) {
    *includes = true;
    return HD_OK;
  }
  if (!strncmp(word, "+define+", 8)) {
    add_defines(r, word + 8);
    return HD_OK;
  }
  if (*word == '+' || *word == '-') {
    if (!incdir)
      return refuse(r, "no option that a list of files may have; legal: -f, -I, +incdir+, +define+",
                    word);
  }
  char *path = hd_file_beside(list, incdir ? incdir : word);
  int status = *lists                ? add_list(r, path, depth + 1)
               : incdir || *includes ? add_include(r, path)
                                     : add_path(r, path);
  *lists = *includes = false;
  free(path);
  return status;
}

/* Reads a list of files. Its paths are relative to the list. */
static int add_list(struct reader *r, const char *path, unsigned depth)
{
  char *text = NULL, *save = NULL;
  size_t length = 0;
  bool lists = false, includes = false;
  if (depth > MOST_DEPTH)
    return refuse(r, "lists of files are nested too deep", path);
  if (hd_file_read(path, &text, &length, r->err))
    return refuse(r, "the list of files cannot be read", path);
  int status = HD_OK;
  for (char *line = strtok_r(text, "\n", &save); line && !status;
       line = strtok_r(NULL, "\n", &save)) {
    char *words = NULL, *comment = strstr(line, "//");
    if (comment)
      *comment = '\0';
    line[strcspn(line, "#")] = '\0';
    for (char *word = strtok_r(line, " \t\r", &words); word && !status;
         word = strtok_r(NULL, " \t\r", &words))
      status = add_word(r, path, word, &lists, &includes, depth);
  }
  free(text);
  return status;
}

/* ── all of them ───────────────────────────────────────────────────────────── */

/* True if a line begins with the word package. */
static bool has_package(const struct hd_wrap_file *file)
{
  for (const char *at = file->bytes; at && (at = strstr(at, "package")); at++) {
    const char *line = at;
    while (line > file->bytes && (line[-1] == ' ' || line[-1] == '\t'))
      line--;
    if ((line == file->bytes || line[-1] == '\n') && isspace((unsigned char)at[7]))
      return true;
  }
  return false;
}

/* Puts packages before the files that import them. Other files keep their order. */
static void sort_packages(struct hd_wrap_files *files)
{
  size_t n = 0;
  for (size_t i = 0; i < files->n; i++) {
    struct hd_wrap_file file = files->items[i];
    if (!file.defines && !(file.compiled && has_package(&file)))
      continue;
    memmove(&files->items[n + 1], &files->items[n], (i - n) * sizeof file);
    files->items[n++] = file;
  }
}

static bool has_entity(const struct hd_wrap_files *files, const char *top)
{
  for (size_t i = 0; i < files->n; i++)
    for (const char *at = files->items[i].bytes; at && (at = strcasestr(at, "entity")); at++) {
      const char *name = at + 6 + strspn(at + 6, " \t\r\n");
      if (!strncasecmp(name, top, strlen(top)) && isspace((unsigned char)name[strlen(top)]))
        return true;
    }
  return false;
}

static bool has_module(const struct hd_wrap_files *files, const char *top)
{
  for (size_t i = 0; i < files->n; i++)
    for (const char *at = files->items[i].bytes; at && (at = strstr(at, "module")); at++) {
      const char *name = at + 6 + strspn(at + 6, " \t\r\n");
      if (!strncmp(name, "automatic", 9))
        name += 9 + strspn(name + 9, " \t\r\n");
      if (!strncmp(name, top, strlen(top)) && !isalnum((unsigned char)name[strlen(top)]) &&
          name[strlen(top)] != '_')
        return true;
    }
  return false;
}

int hd_wrap_files_read(struct hd_wrap_files *files, const struct hd_wrap *w, struct hd_error *err)
{
  struct reader r = {.files = files, .wrap = w, .err = err};
  int status = HD_OK;
  for (uint32_t i = 0; !status && i < w->files.n; i++) {
    const char *text = w->files.items[i].value;
    const bool list = !strncmp(text, "-f ", 3);
    char *path = hd_file_beside(w->path, list ? text + 3 + strspn(text + 3, " ") : text);
    r.line = w->files.items[i].line;
    status = list ? add_list(&r, path, 0) : add_path(&r, path);
    free(path);
  }
  for (uint32_t i = 0; !status && i < w->include.n; i++) {
    char *path = hd_file_beside(w->path, w->include.items[i].value);
    r.line = w->include.items[i].line;
    status = add_include(&r, path);
    free(path);
  }
  sort_packages(files);
  if (!status && !(w->vhdl ? has_entity : has_module)(files, w->top)) {
    r.line = hd_outline_find(&w->outline, "top")->line;
    status = refuse(
        &r, w->vhdl ? "none of the files has this entity" : "none of the files has this module",
        w->top);
  }
  return status;
}
