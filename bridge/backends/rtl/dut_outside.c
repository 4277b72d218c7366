/* Files outside of the RTL directory that the RTL includes, as a part of the cache key.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dut_outside.h"

#include "../../host/file.h"
#include "../../host/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIES = 4 };

void hd_outside_fini(struct hd_outside *outside)
{
  free(outside->lines);
  *outside = (struct hd_outside){0};
}

/* Writes a line of the key for each name in `names`, which has one in each line. The caller frees
 * the result. */
static char *key_lines(const struct hd_outside *outside, const char *names)
{
  struct hd_text text = {0};
  hd_text_add(&text, "%s", ""); /* so that the result is not NULL if there are no names */
  for (const char *p = names; *p;) {
    int n = (int)strcspn(p, "\n");
    char path[2 * PATH_MAX], *bytes = NULL;
    size_t length = 0;
    if (*p == '/')
      snprintf(path, sizeof path, "%.*s", n, p);
    else
      snprintf(path, sizeof path, "%s/%.*s", outside->rtl_dir, n - (int)strlen(HD_OUTSIDE "/"),
               p + strlen(HD_OUTSIDE "/"));
    if (hd_file_read(path, &bytes, &length, NULL))
      hd_text_add(&text, "outside none %.*s\n", n, p);
    else
      hd_text_add(&text, "outside %016llx %zu %.*s\n",
                  (unsigned long long)hd_hash_bytes(bytes, length, 0), length, n, p);
    free(bytes);
    p += n + (p[n] == '\n');
  }
  return text.chars;
}

int hd_outside_add(struct hd_outside *outside, struct hd_dut_sources *sources,
                   const char *cache_dir, const char *rtl_dir, struct hd_error *err)
{
  char *names = NULL;
  size_t length = 0;
  if (outside->lines) {
    sources->key_length -= strlen(outside->lines);
    sources->key[sources->key_length] = '\0';
    free(outside->lines);
  }
  outside->lines = NULL;
  outside->rtl_dir = rtl_dir;
  if ((size_t)snprintf(outside->list, sizeof outside->list, "%s/%016llx%016llx.outside", cache_dir,
                       (unsigned long long)hd_hash_bytes(sources->key, sources->key_length, 2),
                       (unsigned long long)hd_hash_bytes(sources->key, sources->key_length, 3)) >=
      sizeof outside->list)
    return hd_fail(err, HD_E_IO, "path too long: %.200s", cache_dir);
  if (!access(outside->list, F_OK)) {
    int status = hd_file_read(outside->list, &names, &length, err);
    if (status)
      return status;
  }
  outside->lines = key_lines(outside, names ? names : "");
  free(names);
  return hd_key_add_lines(sources, outside->lines, err);
}

void hd_external_sources_list(const struct hd_outside *outside,
                              const struct hd_dut_sources *sources, struct hd_text *files)
{
  static const char mark[] = "outside ", copies[] = "rtl/";
  if (!files)
    return;
  for (size_t i = 0; i < sources->n; i++) {
    const struct hd_dut_source *s = &sources->list[i];
    bool copy = !strncmp(s->name, copies, sizeof copies - 1);
    if (copy || !strncmp(s->name, "files/", 6))
      hd_text_add(files, "%016llx %zu %s\n",
                  (unsigned long long)hd_hash_bytes(s->bytes, s->length, 0), s->length,
                  s->name + (copy ? sizeof copies - 1 : 0));
  }
  for (const char *p = outside->lines ? outside->lines : ""; *p;) {
    const int n = (int)strcspn(p, "\n");
    if (strncmp(p, "outside none ", 13) != 0)
      hd_text_add(files, "%.*s\n", n - (int)sizeof mark + 1, p + sizeof mark - 1);
    p += n + (p[n] == '\n');
  }
}

int hd_outside_link(const struct hd_outside *outside, const char *directory, struct hd_error *err)
{
  char rtl[PATH_MAX], link[PATH_MAX + 16];
  snprintf(link, sizeof link, "%s/" HD_OUTSIDE, directory);
  if (!realpath(outside->rtl_dir, rtl))
    return hd_fail(err, HD_E_IO, "%s: %s", outside->rtl_dir, strerror(errno));
  if (symlink(rtl, link))
    return hd_fail(err, HD_E_IO, "cannot link %s: %s", link, strerror(errno));
  return 0;
}

void hd_outside_unlink(const char *directory)
{
  char path[PATH_MAX + 16];
  snprintf(path, sizeof path, "%s/" HD_OUTSIDE, directory);
  unlink(path);
}

/* Reads the next name of a tool's list into `name`. False: the list has ended. */
static bool next_name(const char **list, enum hd_outside_format format, char *name)
{
  size_t n = 0;
  const char *p = *list;
  if (format == HD_OUTSIDE_YOSYS) { /* "product: name na\ me" */
    p += strspn(p, " \n");
    for (; *p && *p != ' ' && *p != '\n'; p++) {
      p += *p == '\\' && p[1];
      if (n + 1 < PATH_MAX)
        name[n++] = *p;
    }
  } else {
    const char *end = p + strcspn(p, "\n");
    const char *from = p, *to = end;
    if (format == HD_OUTSIDE_VERILATOR) { /* S size inode times "name" */
      from = *p == 'S' ? memchr(p, '"', (size_t)(end - p)) : NULL;
      from = from ? from + 1 : end;
      to = from < end ? memrchr(from, '"', (size_t)(end - from)) : NULL;
      to = to ? to : end;
    }
    for (; from < to && n + 1 < PATH_MAX; from++)
      name[n++] = *from;
    p = *end ? end + 1 : end;
  }
  name[n] = '\0';
  bool more = p != *list;
  *list = p;
  return more;
}

/* Tests whether a name leads up and out of the copies. Such a file is found only by chance, next to
 * the cache. */
static bool leads_out(const char *name)
{
  return !strncmp(name, "../", 3) || strstr(name, "/../");
}

/* Tests whether a file is a program. If Verilator was started by a path, it lists itself; its
 * version is in the key. */
static bool is_program(const char *name)
{
  char magic[4] = "";
  FILE *file = fopen(name, "rb");
  size_t n = file ? fread(magic, 1, sizeof magic, file) : 0;
  if (file)
    fclose(file);
  return n == sizeof magic && !memcmp(magic, "\177ELF", sizeof magic);
}

/* Writes the names of all files in a tool's list that are neither copies nor programs, each once,
 * one in a line. */
static int filter(const char *list, enum hd_outside_format format, struct hd_text *names,
                  struct hd_error *err)
{
  char name[PATH_MAX + 2];
  while (next_name(&list, format, name + 1)) {
    size_t n = strlen(name + 1);
    bool is_link = !strncmp(name + 1, HD_OUTSIDE "/", strlen(HD_OUTSIDE "/"));
    if (name[1] != '/' && !is_link) {
      if (leads_out(name + 1))
        return hd_fail(
            err, HD_E_INPUT,
            "the RTL includes %.300s, and the cache has a file at this path, too: choose "
            "another place for the cache (--cache)",
            name + 1);
      continue;
    }
    if (is_program(name + 1))
      continue;
    name[0] = name[n + 1] = '\n';
    name[n + 2] = '\0';
    const char *had = hd_text_chars(names);
    if (!strncmp(had, name + 1, n + 1) || strstr(had, name))
      continue;
    hd_text_add(names, "%s", name + 1);
  }
  return 0;
}

/* Writes the names to the cache for the next build, by one rename. */
static int write_list(const struct hd_outside *outside, const struct hd_text *names,
                      struct hd_error *err)
{
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s.%ld", outside->list, (long)getpid());
  int status = hd_file_write(path, hd_text_chars(names), names->length, err);
  if (!status && rename(path, outside->list))
    status = hd_fail(err, HD_E_IO, "cannot rename %s: %s", path, strerror(errno));
  if (status)
    unlink(path);
  return status;
}

int hd_outside_check(struct hd_outside *outside, const char *directory, const char *name,
                     enum hd_outside_format format, bool *again, struct hd_error *err)
{
  char path[2 * PATH_MAX], *list = NULL, *now = NULL;
  size_t length = 0;
  struct hd_text names = {0};
  *again = false;
  hd_outside_unlink(directory);
  snprintf(path, sizeof path, "%s/%s", directory, name);
  int status = hd_file_read(path, &list, &length, err);
  if (!status)
    status = filter(list, format, &names, err);
  if (!status)
    now = key_lines(outside, hd_text_chars(&names));
  if (!status && strcmp(now, outside->lines) != 0) {
    status = write_list(outside, &names, err);
    *again = !status;
    if (!status && ++outside->begun == TRIES)
      status = hd_fail(err, HD_E_INPUT,
                       "files that the RTL in %.200s includes change while it is "
                       "built; wait for that, then try again",
                       outside->rtl_dir);
  }
  hd_text_fini(&names);
  free(now);
  free(list);
  return status;
}
