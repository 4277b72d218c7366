/* Finds files of the RTL that the switch does not use, so that no run can exercise them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * hd_switch.v belongs to the switch, and so does each file whose module is named in a file of the switch.
 */
#include "check_internal.h"

#include "../host/file.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

struct rtl_file {
  char module[64]; /* name of the file without .v, which is that of its module */
  char *text;      /* owned */
  bool used, read;
};

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

static bool names(const char *text, const char *word)
{
  size_t n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += n)
    if ((at == text || !is_word(at[-1])) && !is_word(at[n]))
      return true;
  return false;
}

/* Marks the files that used files name, until no further file is found. */
static void spread(struct rtl_file *files, size_t n)
{
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < n; i++) {
      if (!files[i].used || files[i].read)
        continue;
      files[i].read = more = true;
      for (size_t k = 0; k < n; k++)
        files[k].used |= names(files[i].text, files[k].module);
    }
  }
}

void hd_check_unused_files(const struct hd_check *c, const struct check_lines *lines)
{
  char pattern[4200];
  glob_t found = {0};
  snprintf(pattern, sizeof pattern, "%s/*.v", c->rtl_dir);
  size_t n = glob(pattern, 0, NULL, &found) ? 0 : found.gl_pathc;
  struct rtl_file *files = calloc(n + 1, sizeof *files);
  for (size_t i = 0; files && i < n; i++) {
    const char *base = strrchr(found.gl_pathv[i], '/') + 1;
    size_t length;
    snprintf(files[i].module, sizeof files[i].module, "%.*s", (int)(strlen(base) - 2), base);
    if (hd_file_read(found.gl_pathv[i], &files[i].text, &length, NULL))
      files[i].text = NULL;
    files[i].used = files[i].text && !strcmp(files[i].module, "hd_switch");
    files[i].read = !files[i].text;
  }
  if (files)
    spread(files, n);
  for (size_t i = 0; files && i < n; i++) {
    if (!files[i].used)
      hd_check_line(lines, "%s.v: no module of the switch names it", files[i].module);
    free(files[i].text);
  }
  free(files);
  globfree(&found);
}
