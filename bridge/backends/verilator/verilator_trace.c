/* Which signals of the RTL get into Verilator's waves.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A signal that can be traced cannot be optimised away, and with all of them a switch
 * costs 35 to 40 % more even while no waves are written. Registers stay in any case; so
 * waves hold the switch's ports, its registers (names in _q), memories, and the names of
 * specification §6.5, and one build serves speed, snapshots and waves: measured cost 1 to
 * 3 %. A module's lines count by how they begin, as the RTL is laid out.
 */
#include "verilator_trace.h"

#include "../../../cmodel/switch/states.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* First word of a line; skips blanks. */
static size_t first_word(const char **line, const char *end)
{
  const char *p = *line;
  while (p < end && isspace((unsigned char)*p))
    p++;
  *line = p;
  while (p < end && is_word(*p))
    p++;
  return (size_t)(p - *line);
}

static bool is_one_of(const char *word, size_t length, const char *const *list)
{
  for (; *list; list++)
    if (strlen(*list) == length && !memcmp(*list, word, length))
      return true;
  return false;
}

/* Is it the last part of a name of observed state? */
static bool is_state(const char *word, size_t length)
{
  for (size_t i = 0; i < HD_STATES; i++)
    if (strlen(hd_state_list[i].name) == length && !memcmp(hd_state_list[i].name, word, length))
      return true;
  return false;
}

/* The name that a declaration ends with: its last word before '=', ';', ',' or a memory's range. */
static const char *declared_name(const char *line, const char *end, size_t *length, bool *memory)
{
  const char *p = line, *name = line;
  *length = 0;
  *memory = false;
  while (p < end && *p != '=' && *p != ';' && *p != ',' &&
         !(*p == '/' && p + 1 < end && p[1] == '/')) {
    if (*p == '[') { /* a width, or, behind the name, a memory's rows */
      const char *close = memchr(p, ']', (size_t)(end - p));
      *memory = *length > 0;
      p = close ? close + 1 : end;
    } else if (is_word(*p)) {
      const char *from = p;
      while (p < end && is_word(*p))
        p++;
      if (from != line) { /* the first word is the keyword */
        name = from;
        *length = (size_t)(p - from);
      }
    } else {
      p++;
    }
  }
  return name;
}

bool hd_trace_line_is_off(const char *line, size_t length, bool top)
{
  static const char *const ports[] = {"input", "output", "inout", NULL};
  static const char *const others[] = {"wire",      "integer",    "genvar",
                                       "parameter", "localparam", NULL};
  static const char *const variable[] = {"reg", NULL};
  const char *end = line + length;
  size_t n = first_word(&line, end), name_length = 0;
  bool memory = false;
  if (memchr(line, '\\', (size_t)(end - line))) /* a name that a tool made of a path */
    return true;
  if (is_one_of(line, n, ports))
    return !top;
  if (!is_one_of(line, n, others) && !is_one_of(line, n, variable))
    return false;
  const char *name = declared_name(line, end, &name_length, &memory);
  if (top && is_state(name, name_length))
    return false;
  if (is_one_of(line, n, others))
    return true;
  return !memory && !(name_length > 2 && !memcmp(name + name_length - 2, "_q", 2));
}
