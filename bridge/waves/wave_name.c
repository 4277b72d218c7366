/* Gives variables of wave files the same names, whatever tool wrote them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wave_name.h"

#include <stddef.h>
#include <string.h>

/* Length of the name without trailing blanks. */
static size_t trimmed(const char *name, size_t length)
{
  while (length > 0 && name[length - 1] == ' ')
    length--;
  return length;
}

void hd_wave_name_tidy(char *name)
{
  const size_t length = trimmed(name, strlen(name));
  name[length] = '\0';
  char *range = strrchr(name, '[');
  if (range == NULL || range == name || name[length - 1] != ']')
    return;
  if (strspn(range + 1, "-0123456789:") != strlen(range) - 2)
    return;
  const size_t stem = trimmed(name, (size_t)(range - name));
  if (strchr(range, ':') != NULL)
    name[stem] = '\0';
  else
    memmove(name + stem, range, strlen(range) + 1);
}
