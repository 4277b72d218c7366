/* Writes the list of backends as text and JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report_backends.h"

#include "../backends/backends.h"
#include "../render/render.h"

#include <string.h>

/* Returns the next backend of the list, from *k on, that `name` selects; NULL: there is
 * none. */
static const struct hd_backend_kind *next(const struct hd_backend_kind *const **k, const char *name)
{
  while (**k && name && strcmp((**k)->name, name))
    ++*k;
  return **k ? *(*k)++ : NULL;
}

void hd_backends_text(const char *name, struct hd_text *text)
{
  const struct hd_backend_kind *const *k = hd_backend_kinds;
  for (const struct hd_backend_kind *kind; (kind = next(&k, name));) {
    struct hd_backend_option option;
    size_t start = text->length;
    hd_text_add(text, "%s%s%s", kind->name, kind->argument ? ":" : "",
                kind->argument ? kind->argument : "");
    int used = (int)(text->length - start);
    hd_text_add(text, "%*s %s%s\n", used < 17 ? 17 - used : 0, "", kind->help,
                kind->builds_rtl ? "; takes --rtl" : "");
    for (size_t i = 0; hd_backend_option(kind, i, &option); i++)
      hd_text_add(text, "    %-17s %s\n", option.name, option.help);
  }
}

static json_t *json_options(const struct hd_backend_kind *kind)
{
  json_t *array = json_array();
  struct hd_backend_option option;
  for (size_t i = 0; hd_backend_option(kind, i, &option); i++)
    json_array_append_new(array, json_pack("{s:s,s:s}", "name", option.name, "help", option.help));
  return array;
}

int hd_backends_json(const char *name, struct hd_text *text, struct hd_error *err)
{
  const struct hd_backend_kind *const *k = hd_backend_kinds;
  json_t *array = json_array();
  for (const struct hd_backend_kind *kind; (kind = next(&k, name));)
    json_array_append_new(array, json_pack("{s:s,s:s?,s:s,s:b,s:o}", "name", kind->name, "argument",
                                           kind->argument, "help", kind->help, "builds_rtl",
                                           kind->builds_rtl, "options", json_options(kind)));
  json_t *json = json_pack("{s:o}", "backends", array);
  return hd_json_add(json, 0, text, err);
}

void hd_backends_examples(const char *name, struct hd_text *text)
{
  const struct hd_backend_kind *const *k = hd_backend_kinds;
  for (const struct hd_backend_kind *kind; (kind = next(&k, name));)
    for (const char *p = kind->examples; *p;) {
      size_t n = strcspn(p, " ");
      hd_text_add(text, "%.*s\n", (int)n, p);
      p += n + (p[n] == ' ');
    }
}
