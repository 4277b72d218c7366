/* Checks that a page of HTML is well-formed XML, and counts texts in it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "well_formed.h"

#include <ctype.h>

#include "test.h"

char *page_read(const char *path)
{
  static char text[1 << 20];
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  size_t n = fread(text, 1, sizeof text - 1, f);
  assert_true(n < sizeof text - 1);
  text[n] = '\0';
  fclose(f);
  return text;
}

size_t page_expect_well_formed(const char *page)
{
  char open[64][16];
  size_t depth = 0, elements = 0;
  const char *at = page;
  assert_memory_equal(at, "<!DOCTYPE html>", 15);
  for (at += 15; *at; at++) {
    if (!strncmp(at, "<![CDATA[", 9)) {
      at = strstr(at, "]]>");
      assert_non_null(at);
      at += 2;
    } else if (*at == '&') {
      static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
      bool known = false;
      for (int i = 0; i < 5; i++)
        known |= !strncmp(at, entities[i], strlen(entities[i]));
      if (!known)
        fail_msg("a bare &: %.40s", at);
    } else if (*at == '<' && at[1] == '/') {
      assert_true(depth > 0);
      size_t n = strlen(open[--depth]);
      if (strncmp(at + 2, open[depth], n) != 0 || at[2 + n] != '>')
        fail_msg("<%s> is closed by %.20s", open[depth], at);
    } else if (*at == '<') {
      size_t n = 0;
      const char *name = at + 1;
      while (isalnum((unsigned char)name[n]))
        n++;
      if (!n || n >= sizeof open[0])
        fail_msg("no element: %.40s", at);
      bool quoted = false;
      for (at = name + n; *at && (quoted || *at != '>'); at++)
        if (*at == '"')
          quoted = !quoted;
        else if (*at == '<')
          fail_msg("a bare < in <%.60s", name);
      elements++;
      if (at[-1] != '/') {
        assert_true(depth < 64);
        snprintf(open[depth++], sizeof open[0], "%.*s", (int)n, name);
      }
    }
  }
  assert_int_equal(depth, 0);
  return elements;
}

size_t page_count(const char *page, const char *what)
{
  size_t n = 0;
  for (const char *at = page; (at = strstr(at, what)) != NULL; at++)
    n++;
  return n;
}
