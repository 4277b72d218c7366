/* Checks, and what a statement's checks come to.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include "../../../cmodel/grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void rep_check(struct rep_statement *s, bool known, double value, enum rep_sense sense,
               double bound, const char *format, ...)
{
  va_list arguments;
  if (!HD_ROOM(s->checks, s->cap_checks, s->n_checks, 1))
    return;
  struct rep_check *check = &s->checks[s->n_checks++];
  *check = (struct rep_check){.known = known, .value = value, .bound = bound, .sense = sense};
  check->holds = known && (sense == REP_AT_MOST ? value <= bound : value >= bound);
  va_start(arguments, format);
  vsnprintf(check->what, sizeof check->what, format, arguments);
  va_end(arguments);
}

const char *rep_verdict(const struct rep_statement *s)
{
  uint32_t held = 0;
  for (uint32_t i = 0; i < s->n_checks; i++) {
    if (!s->checks[i].known)
      return "not measured";
    held += s->checks[i].holds;
  }
  if (!s->n_checks)
    return "not measured";
  return held == s->n_checks ? "agrees" : held ? "partly" : "disagrees";
}
