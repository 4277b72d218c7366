/* Translates expressions of a description from Verilog to VHDL.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_vhdl.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a constant such as 4'd0 at `at`: its bits, and its value as an integer of VHDL. Returns
 * its length; 0: no constant. */
static size_t read_constant(const char *at, uint32_t *bits, char *value, size_t size)
{
  const size_t n = strspn(at, "0123456789");
  if (!n || n > 3 || at[n] != '\'' || !at[n + 1] || !strchr("bdh", at[n + 1]))
    return 0;
  const size_t digits = strspn(at + n + 2, "0123456789abcdefABCDEF_");
  const unsigned base = at[n + 1] == 'b' ? 2 : at[n + 1] == 'd' ? 10 : 16;
  *bits = (uint32_t)strtoul(at, NULL, 10);
  snprintf(value, size, "%u#%.*s#", base, (int)digits, at + n + 2);
  return digits ? n + 2 + digits : 0;
}

/* Translates NAME[a:b] and NAME[a], from the bracket on. */
static size_t add_brackets(const char *at, struct hd_text *t)
{
  const size_t n = strcspn(at, "]");
  const char *colon = memchr(at, ':', n);
  if (colon)
    hd_text_add(t, "(%.*s downto %.*s)", (int)(colon - at - 1), at + 1, (int)(at + n - colon - 1),
                colon + 1);
  else
    hd_text_add(t, "(%.*s)", (int)n - 1, at + 1);
  return n + (at[n] == ']');
}

bool hd_wrap_vhdl_expression(const char *text, bool vector, struct hd_text *t)
{
  char value[64];
  uint32_t bits = 0;
  if (!strcmp(text, "1'b0") || !strcmp(text, "1'b1")) {
    hd_text_add(t, vector ? "'%c'" : "%c", text[3]);
    return true;
  }
  for (const char *at = text; *at;) {
    size_t n = read_constant(at, &bits, value, sizeof value);
    if (n)
      hd_text_add(t, vector ? "field(%s, %" PRIu32 ")" : "%s", value, bits);
    else if (*at == '[')
      n = add_brackets(at, t);
    else if (!strncmp(at, "$clog2", n = 6))
      hd_text_add(t, "clog2");
    else if (isalnum((unsigned char)*at) || strchr("_+-*/() ", *at))
      hd_text_add(t, "%.*s", (int)(n = 1), at);
    else
      return false;
    at += n;
  }
  return true;
}

bool hd_wrap_is_vhdl_expression(const char *text)
{
  struct hd_text ignored = {0};
  const bool is = hd_wrap_vhdl_expression(text, true, &ignored);
  hd_text_fini(&ignored);
  return is;
}
