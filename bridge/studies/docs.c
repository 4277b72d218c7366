/* The made parts of a page of the documentation.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What stands between a line `<!-- made: SECTION -->` and the next line `<!-- end -->` is replaced by
 * that section of the report; the rest of the page is the author's. Figures that the page shows as
 * reproduction/FIGURE.svg are put there, with the licence's line that every file of the tree has and without
 * groups that have nothing in them.
 */
#include "report.h"

#include "../host/file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char begin[] = "<!-- made: ", end[] = "<!-- end -->";
static const char picture[] = "](reproduction/",
                  licence[] = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n";

/* An SVG without groups that have nothing in them, of which gnuplot writes many. */
static void add_lean(const char *svg, struct hd_text *text)
{
  static const char closed[] = "</g>\n";
  for (const char *next; *svg; svg = next) {
    const char *line = strchr(svg, '\n'), *tag = strchr(svg, '>');
    next = line ? line + 1 : svg + strlen(svg);
    if (!strncmp(svg, "<g ", 3) && line && tag == line - 1 &&
        !strncmp(next, closed, strlen(closed)))
      next += strlen(closed);
    else
      hd_text_add(text, "%.*s", (int)(next - svg), svg);
  }
}

/* Copies a figure to beside the page; the licence goes behind the line that says what file it is. */
static int put_picture(const char *out, const char *page, const char *name, struct hd_error *err)
{
  char from[PATH_MAX], to[PATH_MAX];
  const char *slash = strrchr(page, '/');
  char *svg = NULL;
  size_t length;
  snprintf(from, sizeof from, "%s/%s", out, name);
  snprintf(to, sizeof to, "%.*sreproduction/%s", slash ? (int)(slash + 1 - page) : 0, page, name);
  int status = hd_file_read(from, &svg, &length, err);
  if (status)
    return status;
  struct hd_text text = {0};
  const char *line = strchr(svg, '\n');
  int first = line ? (int)(line + 1 - svg) : 0;
  hd_text_add(&text, "%.*s%s", first, svg, licence);
  add_lean(svg + first, &text);
  status = text.failed ? hd_fail(err, HD_E_NOMEM, "no memory for %s", to)
                       : hd_file_write(to, hd_text_chars(&text), text.length, err);
  hd_text_fini(&text);
  free(svg);
  return status;
}

static int put_pictures(const char *out, const char *page, const char *text, struct hd_error *err)
{
  int status = 0;
  for (const char *at = text; !status && (at = strstr(at, picture)) != NULL;) {
    char name[64];
    at += strlen(picture);
    if (sscanf(at, "%59[a-z0-9]", name) != 1)
      return hd_fail(err, HD_E_INPUT, "%s: a picture under reproduction/ without a name", page);
    status = put_picture(out, page, strcat(name, ".svg"), err);
  }
  return status;
}

int study_report_docs(const struct study_report *report, const char *out, const char *page,
                      struct hd_error *err)
{
  char *old, section[32];
  size_t length;
  struct hd_text text = {0};
  int status = hd_file_read(page, &old, &length, err);
  if (status)
    return status;
  const char *rest = old;
  for (const char *made; !status && (made = strstr(rest, begin)) != NULL;) {
    const char *line = strchr(made, '\n'), *until = strstr(made, end);
    if (!line || !until || sscanf(made + strlen(begin), "%31s", section) != 1) {
      status = hd_fail(err, HD_E_INPUT, "%s: a line '%s' without its '%s'", page, begin, end);
      break;
    }
    hd_text_add(&text, "%.*s\n\n", (int)(line - rest), rest);
    if (!study_section(report, section, &text))
      status =
          hd_fail(err, HD_E_INPUT, "%s: '%s%s': there is no such section", page, begin, section);
    rest = until;
  }
  hd_text_add(&text, "%s", rest);
  if (!status)
    status = text.failed ? hd_fail(err, HD_E_NOMEM, "no memory for %s", page)
                         : hd_file_write(page, hd_text_chars(&text), text.length, err);
  if (!status)
    status = put_pictures(out, page, old, err);
  hd_text_fini(&text);
  free(old);
  return status;
}
