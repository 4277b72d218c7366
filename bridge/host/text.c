/* A growing text buffer.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "text.h"

#include "memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void text_reserve(struct hd_text *text, size_t more)
{
  HD_XROOM(text->chars, text->capacity, text->length, more + 1);
}

void hd_text_add(struct hd_text *text, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0) /* longer than INT_MAX */
    hd_memory_end();
  text_reserve(text, (size_t)n);
  vsnprintf(text->chars + text->length, (size_t)n + 1, format, again);
  text->length += (size_t)n;
  va_end(again);
}

/* Returns the length of the character at s if it is well-formed UTF-8 that XML 1.0 allows; 0: it
 * is not. */
static size_t text_xml_char(const unsigned char *s)
{
  unsigned c = s[0];
  if (c < 0x80)
    return c >= 0x20 || c == '\t' || c == '\n' || c == '\r' ? 1 : 0;
  size_t n = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
  unsigned long code = n == 2 ? c & 0x1f : n == 3 ? c & 0x0f : c & 0x07;
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (s[i] & 0x3fu);
  }
  if ((n == 3 && code < 0x800) || (n == 4 && (code < 0x10000 || code > 0x10ffff)))
    return 0;
  if ((code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff)
    return 0;
  return n;
}

void hd_text_add_xml(struct hd_text *text, const char *string)
{
  const unsigned char *s = (const unsigned char *)string;
  while (*s) {
    size_t n = text_xml_char(s);
    if (!n) {
      hd_text_add(text, "?");
      s++;
      continue;
    }
    switch (*s) {
    case '&':
      hd_text_add(text, "&amp;");
      break;
    case '<':
      hd_text_add(text, "&lt;");
      break;
    case '>':
      hd_text_add(text, "&gt;");
      break;
    case '"':
      hd_text_add(text, "&quot;");
      break;
    default:
      hd_text_add(text, "%.*s", (int)n, (const char *)s);
    }
    s += n;
  }
}

void hd_text_add_xml_in(struct hd_text *text, const char *before, const char *string,
                        const char *after)
{
  hd_text_add(text, "%s", before);
  hd_text_add_xml(text, string);
  hd_text_add(text, "%s", after);
}

void hd_text_add_word(struct hd_text *text, const char *string)
{
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-,:=@%";
  if (*string && strspn(string, plain) == strlen(string)) {
    hd_text_add(text, "%s", string);
    return;
  }
  hd_text_add(text, "'");
  for (; *string; string++)
    hd_text_add(text, *string == '\'' ? "'\\''" : "%c", *string);
  hd_text_add(text, "'");
}

void hd_text_add_option(struct hd_text *text, const char *before, const char *string)
{
  if (!string)
    return;
  hd_text_add(text, "%s", before);
  hd_text_add_word(text, string);
}

const char *hd_text_chars(const struct hd_text *text)
{
  return text->chars ? text->chars : "";
}

void hd_text_fini(struct hd_text *text)
{
  free(text->chars);
  *text = (struct hd_text){0};
}

void hd_text_add_csv(struct hd_text *text, const char *string)
{
  hd_text_add(text, "\"");
  for (const char *c = string; *c; c++)
    hd_text_add(text, *c == '"' ? "\"\"" : "%c", *c);
  hd_text_add(text, "\"");
}
