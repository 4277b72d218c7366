/* The two modes of a run, the three levels of comparison (specification chapter 6), and the references that a DUT is compared with: one list each.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LOCKSTEP_MODE_H
#define HD_LOCKSTEP_MODE_H

#include <stddef.h>

/** X(member, name in scenarios, run databases and on the command line). */
#define HD_MODES(X)         \
  X(DECOUPLED, "decoupled") \
  X(CLOSED, "closed")
#define HD_COMPARES(X) \
  X(EXACT, "exact")    \
  X(ORDER, "order")    \
  X(PACKETS, "packets")
#define HD_REFERENCES(X) \
  X(MODEL, "model")      \
  X(ORIGINAL, "original") /* RTL that runs in closed loop */

#define HD_MODE_MEMBER(member, name) HD_MODE_##member,
#define HD_COMPARE_MEMBER(member, name) HD_COMPARE_##member,
#define HD_REFERENCE_MEMBER(member, name) HD_REFERENCE_##member,
#define HD_LIST_NAME(member, name) name,
enum hd_mode { HD_MODES(HD_MODE_MEMBER) };
enum hd_compare { HD_COMPARES(HD_COMPARE_MEMBER) };
enum hd_reference { HD_REFERENCES(HD_REFERENCE_MEMBER) };

/** NULL if `mode` is not in the list. */
static inline const char *hd_mode_name(unsigned mode)
{
  static const char *const names[] = {HD_MODES(HD_LIST_NAME)};
  return mode < sizeof names / sizeof *names ? names[mode] : NULL;
}

/** NULL if `compare` is not in the list. */
static inline const char *hd_compare_name(unsigned compare)
{
  static const char *const names[] = {HD_COMPARES(HD_LIST_NAME)};
  return compare < sizeof names / sizeof *names ? names[compare] : NULL;
}

/** The name in reports, such as "model". */
static inline const char *hd_reference_name(enum hd_reference reference)
{
  static const char *const names[] = {HD_REFERENCES(HD_LIST_NAME)};
  return names[reference];
}
#undef HD_MODE_MEMBER
#undef HD_COMPARE_MEMBER
#undef HD_REFERENCE_MEMBER
#undef HD_LIST_NAME

#endif
