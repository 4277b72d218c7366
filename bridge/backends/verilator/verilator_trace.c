/* Selects the signals of the RTL that are in Verilator's waves.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A signal that can be traced cannot be optimised away. With all signals, a switch takes 35 to 40 %
 * more time even while no waves are written. Registers are never optimised away. So waves have the
 * switch's ports, its registers (names that end in _q), memories, and the names of specification
 * §6.5. The measured cost is 1 to 3 %, so one build serves runs, snapshots and waves. The selection
 * looks at the first word of a line, which fits the layout of Heddle's RTL.
 */
#include "verilator_trace.h"

#include "../../../cmodel/switch/states.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* Moves *line to its first word, and returns the word's length. */
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

/* Tests whether a word is the last part of the name of an observed state. */
static bool is_state(const char *word, size_t length)
{
  for (size_t i = 0; i < HD_STATES; i++)
    if (strlen(hd_state_list[i].name) == length && !memcmp(hd_state_list[i].name, word, length))
      return true;
  return false;
}

/* Finds the name in a declaration: its last word before '=', ';', ',' or the range of a memory. */
static const char *declared_name(const char *line, const char *end, size_t *length, bool *memory)
{
  const char *p = line, *name = line;
  *length = 0;
  *memory = false;
  while (p < end && *p != '=' && *p != ';' && *p != ',' &&
         !(*p == '/' && p + 1 < end && p[1] == '/')) {
    if (*p == '[') { /* a width, or, after the name, the rows of a memory */
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
  if (memchr(line, '\\',
             (size_t)(end - line))) /* an escaped name, which a tool has made from a path */
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
