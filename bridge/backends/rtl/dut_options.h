/* Options after the colon of --dut verilator, netlist, lanes, icarus, ghdl and systemc.
 * SPDX-License-Identifier: Apache-2.0
 *
 * heddle checks them before it builds a backend, so that a wrong one is refused at once. The built
 * backend reads them again. This header is C and C++, and all its functions are static.
 */
#ifndef HD_DUT_OPTIONS_H
#define HD_DUT_OPTIONS_H

#include "../../../cmodel/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** X(name, text as the help shows it, help) */
#define HD_DUT_OPTION_LIST(X)                                                        \
  X(EVERY_CYCLE, "every-cycle", "evaluate quiescent switches, too")                  \
  X(TWO_STATE, "two-state", "registers start with 0 or 1, not X")                    \
  X(PATIENCE, "patience=SECONDS", "time after which a simulator counts as hung; 60") \
  X(SOURCE, "FILE.v", "sources")                                                     \
  X(ALL_SIGNALS, "all-signals", "waves have every signal; costs speed")              \
  X(ZEROS, "zeros", "registers start with 0, not with garbage")                      \
  X(PLUSARG, "+NAME=VALUE", "for the RTL's $value$plusargs; at most 32")

#define HD_DUT_OPTION_AT(name, written, help) HD_OPTION_AT_##name,
enum { HD_DUT_OPTION_LIST(HD_DUT_OPTION_AT) HD_DUT_OPTIONS };
#undef HD_DUT_OPTION_AT

/** Options as bits, and the set of options of each backend. */
enum {
#define HD_DUT_OPTION_BIT(name, written, help) HD_OPTION_##name = 1 << HD_OPTION_AT_##name,
  HD_DUT_OPTION_LIST(HD_DUT_OPTION_BIT)
#undef HD_DUT_OPTION_BIT

      HD_OPTIONS_VERILATOR = HD_OPTION_EVERY_CYCLE | HD_OPTION_PLUSARG,
  HD_OPTIONS_VERILATED =
      HD_OPTIONS_VERILATOR | HD_OPTION_ALL_SIGNALS | HD_OPTION_ZEROS, /* RTL, not a netlist */
  HD_OPTIONS_LANES = HD_OPTION_EVERY_CYCLE,
  HD_OPTIONS_GHDL = HD_OPTION_EVERY_CYCLE | HD_OPTION_PATIENCE,
  HD_OPTIONS_SYSTEMC = HD_OPTIONS_VERILATOR | HD_OPTION_PATIENCE,
  HD_OPTIONS_ICARUS = HD_OPTIONS_SYSTEMC | HD_OPTION_TWO_STATE | HD_OPTION_SOURCE,

  HD_OPTION_PLUSARGS = 32,       /* number of plusargs, at most */
  HD_OPTION_PLUSARG_BYTES = 256, /* size of a plusarg with its NUL */
};

static inline const char *hd_option_name(unsigned at)
{
#define HD_DUT_OPTION_NAME(name, written, help) written,
  static const char *const names[] = {HD_DUT_OPTION_LIST(HD_DUT_OPTION_NAME)};
#undef HD_DUT_OPTION_NAME
  return names[at];
}

static inline const char *hd_option_help(unsigned at)
{
#define HD_DUT_OPTION_HELP(name, written, help) help,
  static const char *const helps[] = {HD_DUT_OPTION_LIST(HD_DUT_OPTION_HELP)};
#undef HD_DUT_OPTION_HELP
  return helps[at];
}

/** Returns the seconds of the option patience=SECONDS, which has `n` bytes; 0: they are no number
 *  above 0. */
static inline double hd_option_patience(const char *option, size_t n)
{
  char *end = NULL;
  double value = n > 9 ? strtod(option + 9, &end) : 0;
  return value > 0 && end == option + n ? value : 0;
}

/** Returns the kind of an option of `n` bytes; 0: unknown. */
static inline unsigned hd_option_kind(const char *option, size_t n)
{
  if (n == 11 && !memcmp(option, "every-cycle", n))
    return HD_OPTION_EVERY_CYCLE;
  if (n == 9 && !memcmp(option, "two-state", n))
    return HD_OPTION_TWO_STATE;
  if (n == 11 && !memcmp(option, "all-signals", n))
    return HD_OPTION_ALL_SIGNALS;
  if (n == 5 && !memcmp(option, "zeros", n))
    return HD_OPTION_ZEROS;
  if (n > 9 && !memcmp(option, "patience=", 9))
    return hd_option_patience(option, n) > 0 ? HD_OPTION_PATIENCE : 0;
  if (n && *option == '+')
    return n < HD_OPTION_PLUSARG_BYTES ? HD_OPTION_PLUSARG : 0;
  if ((n > 2 && !memcmp(option + n - 2, ".v", 2)) || (n > 3 && !memcmp(option + n - 3, ".sv", 3)))
    return HD_OPTION_SOURCE;
  return 0;
}

/** Writes the error that a backend has no option `option` of `n` bytes, with the options that it
 *  `takes`. */
static inline int hd_option_refuse(const char *backend, unsigned takes, const char *option,
                                   size_t n, struct hd_error *err)
{
  size_t used = 0;
  if (!err)
    return HD_E_INPUT;
  used =
      (size_t)snprintf(err->text, sizeof err->text, "the %s backend has no option '%.*s'; it has",
                       backend, n > 200 ? 200 : (int)n, option);
  for (unsigned at = 0, left = takes; left; left &= ~(1u << at++))
    if (left & 1u << at)
      used += (size_t)snprintf(err->text + used, sizeof err->text - used, "%s %s (%s)",
                               left == takes        ? ":"
                               : left == (1u << at) ? " and"
                                                    : ",",
                               hd_option_name(at), hd_option_help(at));
  return HD_E_INPUT;
}

/** Checks options separated by commas. HD_E_INPUT: one is not among those that the backend
 *  `takes`. */
static inline int hd_options_check(const char *backend, unsigned takes, const char *options,
                                   struct hd_error *err)
{
  unsigned plusargs = 0;
  for (const char *p = options; *p;) {
    const size_t n = strcspn(p, ",");
    const unsigned kind = hd_option_kind(p, n);
    plusargs += kind == HD_OPTION_PLUSARG;
    if (!(kind & takes) || plusargs > HD_OPTION_PLUSARGS)
      return hd_option_refuse(backend, takes, p, n, err);
    p += n + (p[n] == ',');
  }
  return 0;
}

/** Tests whether one of the options is of one of these kinds. */
static inline bool hd_options_have(const char *options, unsigned kinds)
{
  for (const char *p = options; p && *p;) {
    const size_t n = strcspn(p, ",");
    if (hd_option_kind(p, n) & kinds)
      return true;
    p += n + (p[n] == ',');
  }
  return false;
}

#endif
