/* Options behind the colon of --dut verilator, netlist, icarus and systemc.
 * SPDX-License-Identifier: Apache-2.0
 *
 * heddle reads them before it builds anything, so that a wrong one is refused at once; what was built
 * reads them again. C and C++; all functions are static.
 */
#ifndef HD_SHIM_DUT_OPTIONS_H
#define HD_SHIM_DUT_OPTIONS_H

#include "../../../cmodel/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Options, and who has which. */
enum {
  HD_OPTION_EVERY_CYCLE = 1, /* every-cycle */
  HD_OPTION_TWO_STATE = 2,   /* two-state */
  HD_OPTION_PATIENCE = 4,    /* patience=SECONDS */
  HD_OPTION_PLUSARG = 8,     /* +NAME=VALUE, +NAME */
  HD_OPTION_SOURCE = 16,     /* FILE.v, FILE.sv */

  HD_OPTIONS_VERILATOR = HD_OPTION_EVERY_CYCLE | HD_OPTION_PLUSARG,
  HD_OPTIONS_SYSTEMC = HD_OPTIONS_VERILATOR | HD_OPTION_PATIENCE,
  HD_OPTIONS_ICARUS = HD_OPTIONS_SYSTEMC | HD_OPTION_TWO_STATE | HD_OPTION_SOURCE,

  HD_OPTION_PLUSARGS = 32,       /* at most */
  HD_OPTION_PLUSARG_BYTES = 256, /* of one, with its end */
};

/** The value of patience=SECONDS, an option of `n` bytes; 0: it has none. */
static inline double hd_option_patience(const char *option, size_t n)
{
  char *end = NULL;
  double value = n > 9 ? strtod(option + 9, &end) : 0;
  return value > 0 && end == option + n ? value : 0;
}

/** Which one an option of `n` bytes is; 0: none. */
static inline unsigned hd_option_kind(const char *option, size_t n)
{
  if (n == 11 && !memcmp(option, "every-cycle", n))
    return HD_OPTION_EVERY_CYCLE;
  if (n == 9 && !memcmp(option, "two-state", n))
    return HD_OPTION_TWO_STATE;
  if (n > 9 && !memcmp(option, "patience=", 9))
    return hd_option_patience(option, n) > 0 ? HD_OPTION_PATIENCE : 0;
  if (n && *option == '+')
    return n < HD_OPTION_PLUSARG_BYTES ? HD_OPTION_PLUSARG : 0;
  if ((n > 2 && !memcmp(option + n - 2, ".v", 2)) || (n > 3 && !memcmp(option + n - 3, ".sv", 3)))
    return HD_OPTION_SOURCE;
  return 0;
}

/** Refuses an option of `n` bytes of a backend that `takes` these, and says which there are. */
static inline int hd_option_refuse(const char *backend, unsigned takes, const char *option,
                                   size_t n, struct hd_error *err)
{
  if (err)
    snprintf(err->text, sizeof err->text,
             "the %s backend has no option '%.*s'; it has: every-cycle (evaluate quiescent "
             "switches, too)%s%s%s and +NAME=VALUE (for the RTL's $value$plusargs; at most %d)",
             backend, n > 200 ? 200 : (int)n, option,
             takes & HD_OPTION_TWO_STATE ? ", two-state (registers start with 0 or 1, not X)" : "",
             takes & HD_OPTION_PATIENCE
                 ? ", patience=SECONDS (before a simulator counts as hung; 60)"
                 : "",
             takes & HD_OPTION_SOURCE ? ", FILE.v (sources)" : "", HD_OPTION_PLUSARGS);
  return HD_E_INPUT;
}

/** HD_E_INPUT when one of the options, with commas between, is none that the backend `takes`. */
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

#endif
