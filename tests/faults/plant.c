/* The list of faults, and copies of the RTL with one of them in it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plant.h"

#include "../../bridge/host/file.h"
#include "../../bridge/host/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ── the list ───────────────────────────────────────────────────────────────── */

static void append(char **text, const char *more)
{
  size_t length = *text ? strlen(*text) : 0;
  char *grown = hd_xrealloc(*text, length + strlen(more) + 2);
  sprintf(grown + length, "%s%s", length ? "\n" : "", more);
  *text = grown;
}

static int begin_fault(struct fault_list *list, const char *text, const char *path, unsigned line)
{
  char name[64], rig[32], file[64];
  if (sscanf(text, "%63s %31s %63s", name, rig, file) != 3)
    return -1;
  list->faults = hd_xrealloc(list->faults, (list->n + 1) * sizeof *list->faults);
  list->faults[list->n++] = (struct fault){.name = hd_xstrdup(name),
                                           .rig = hd_xstrdup(rig),
                                           .file = hd_xstrdup(file),
                                           .list = path,
                                           .line = line};
  return 0;
}

static bool complete(const struct fault *f)
{
  return f->what && f->old_text && f->new_text;
}

int fault_list_read(struct fault_list *list, const char *path, struct hd_error *err)
{
  FILE *in = fopen(path, "r");
  char *text = NULL;
  size_t room = 0;
  unsigned line = 0;
  int status = 0;
  if (!in)
    return hd_fail(err, HD_E_IO, "cannot open %s: %s", path, strerror(errno));
  for (ssize_t n; !status && (n = getline(&text, &room, in)) >= 0;) {
    line++;
    while (n && isspace((unsigned char)text[n - 1]))
      text[--n] = '\0';
    char *at = text + strspn(text, " ");
    struct fault *f = list->n ? &list->faults[list->n - 1] : NULL;
    if (!*at || *text == '#')
      continue;
    if (!strncmp(text, "fault ", 6) && (!f || complete(f))) {
      if (begin_fault(list, text + 6, path, line))
        status = hd_fail(err, HD_E_INPUT, "%s:%u: not \"fault NAME RIG FILE\"", path, line);
    } else if (f && at > text && !strncmp(at, "what ", 5) && !f->what) {
      append(&f->what, at + 5);
    } else if (f && at > text && !strncmp(at, "- ", 2) && !f->new_text) {
      append(&f->old_text, at + 2);
    } else if (f && at > text && *at == '+' && (at[1] == ' ' || !at[1])) {
      append(&f->new_text, at[1] ? at + 2 : "");
    } else {
      status =
          hd_fail(err, HD_E_INPUT,
                  "%s:%u: expected, in this order, \"fault\", \"what\", \"-\" lines, \"+\" lines",
                  path, line);
    }
  }
  if (!status && (!list->n || !complete(&list->faults[list->n - 1])))
    status = hd_fail(err, HD_E_INPUT, "%s: the last fault is not complete", path);
  free(text);
  fclose(in);
  return status;
}

void fault_list_fini(struct fault_list *list)
{
  for (size_t i = 0; i < list->n; i++) {
    struct fault *f = &list->faults[i];
    free(f->name);
    free(f->rig);
    free(f->file);
    free(f->what);
    free(f->old_text);
    free(f->new_text);
  }
  free(list->faults);
}

/* ── planting ───────────────────────────────────────────────────────────────── */

/* If `text` begins with `pattern`, returns where that ends; otherwise NULL. Any blanks match any blanks, so that the
 * RTL may be laid out anew. */
static const char *match(const char *text, const char *pattern)
{
  while (*pattern) {
    if (isspace((unsigned char)*pattern)) {
      if (!isspace((unsigned char)*text))
        return NULL;
      pattern += strspn(pattern, " \t\n");
      text += strspn(text, " \t\n");
    } else if (*pattern++ != *text++) {
      return NULL;
    }
  }
  return text;
}

int fault_find(const struct fault *fault, const char *text, size_t *from, size_t *to,
               struct hd_error *err)
{
  unsigned times = 0;
  for (const char *at = text; *at; at++) {
    const char *end = match(at, fault->old_text);
    if (end && !times++) {
      *from = (size_t)(at - text);
      *to = (size_t)(end - text);
    }
  }
  if (times != 1)
    return hd_fail(err, HD_E_INPUT,
                   "fault %s no longer applies to rtl/%s, which holds its text %u times and not "
                   "once: adapt %s:%u",
                   fault->name, fault->file, times, fault->list, fault->line);
  return 0;
}

int fault_copy_rtl(const char *rtl, const char *to, fault_change *change, void *context,
                   struct hd_error *err)
{
  char path[1024];
  DIR *dir = opendir(rtl);
  if (!dir)
    return hd_fail(err, HD_E_IO, "cannot open %s: %s", rtl, strerror(errno));
  int status = hd_tree_remove(to, err);
  if (!status && mkdir(to, 0777))
    status = hd_fail(err, HD_E_IO, "cannot make directory %s: %s", to, strerror(errno));
  for (struct dirent *entry; !status && (entry = readdir(dir));) {
    const char *dot = strrchr(entry->d_name, '.');
    struct hd_text out = {0};
    char *text = NULL;
    size_t length = 0;
    if (!dot || strcmp(dot, ".v") != 0)
      continue;
    snprintf(path, sizeof path, "%s/%s", rtl, entry->d_name);
    status = hd_file_read(path, &text, &length, err);
    if (!status)
      status = change(context, entry->d_name, text, &out, err);
    snprintf(path, sizeof path, "%s/%s", to, entry->d_name);
    if (!status)
      status = hd_file_write(path, hd_text_chars(&out), out.length, err);
    hd_text_fini(&out);
    free(text);
  }
  closedir(dir);
  return status;
}

struct planting {
  const struct fault *fault;
  bool planted;
};

static int plant_one(void *context, const char *name, const char *text, struct hd_text *out,
                     struct hd_error *err)
{
  struct planting *p = context;
  size_t from = 0, to = 0;
  int status = HD_OK;
  if (!strcmp(name, p->fault->file)) {
    p->planted = true;
    status = fault_find(p->fault, text, &from, &to, err);
  }
  hd_text_add(out, "%.*s%s%s", (int)from, text, to ? p->fault->new_text : "", text + to);
  return status;
}

int fault_plant(const struct fault *fault, const char *rtl, const char *to, struct hd_error *err)
{
  struct planting p = {.fault = fault};
  int status = fault_copy_rtl(rtl, to, plant_one, &p, err);
  if (!status && !p.planted)
    status = hd_fail(err, HD_E_INPUT, "fault %s no longer applies: there is no rtl/%s; adapt %s:%u",
                     fault->name, fault->file, fault->list, fault->line);
  return status;
}
