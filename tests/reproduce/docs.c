/* The made parts of a page of the documentation.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What stands between a line `<!-- made: SECTION -->` and the next line `<!-- end -->` is replaced by
 * that section of the report; the rest of the page is the author's.
 */
#include "reproduce.h"

#include "../../bridge/dut_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char begin[] = "<!-- made: ", end[] = "<!-- end -->";

int rep_write_docs(const struct rep_results *r, const struct rep_statement *statements, uint32_t n,
                   const char *page, struct hd_error *err)
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
    rep_markdown_section(r, statements, n, section, &text);
    rest = until;
  }
  hd_text_add(&text, "%s", rest);
  if (!status)
    status = text.failed ? hd_fail(err, HD_E_NOMEM, "no memory for %s", page)
                         : hd_file_write(page, hd_text_chars(&text), text.length, err);
  hd_text_fini(&text);
  free(old);
  return status;
}
