/* Error codes shared by the libraries, from one X-macro.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A function that can fail returns 0 or one of these (negative), and fills a
 * caller's struct hd_error with a sentence: what is wrong, where, what would be
 * right. Libraries never print and never exit.
 */
#ifndef HD_ERROR_H
#define HD_ERROR_H

#include <stdint.h>

#define HD_ERROR_LIST(X)                              \
  X(NOMEM, 1, "out of memory")                        \
  X(INPUT, 2, "bad input")                            \
  X(DIVERGENCE, 3, "RTL and model differ")            \
  X(BUDGET, 4, "budget missed")                       \
  X(DEADLOCK, 5, "deadlock or livelock")              \
  X(IO, 6, "input/output error")                      \
  X(TOOL, 7, "an external tool failed or is missing") \
  X(INTERRUPTED, 8, "interrupted")                    \
  X(UNSUPPORTED, 9, "not supported by this backend")  \
  X(INTERNAL, 10, "internal error")                   \
  X(SOFTWARE, 11, "endpoint software gave up")        \
  X(FAULT, 12, "cut off by a fault")                  \
  X(NOTHING, 13, "nothing was compared")              \
  X(INVARIANT, 14, "a rule of the specification is broken")

enum hd_status {
  HD_OK = 0,
#define HD_ERROR_ENUM(name, code, text) HD_E_##name = -(code),
  HD_ERROR_LIST(HD_ERROR_ENUM)
#undef HD_ERROR_ENUM
};

/** The message of a failure: the mistake, its place, and what would be right. NUL-terminated; the caller's storage. */
struct hd_error {
  char text[1024];
};

/** Formats the message into err (may be NULL) and returns status. Use: return hd_fail(err, HD_E_INPUT, ...). */
int hd_fail(struct hd_error *err, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Returns the X-macro's text of a status; static storage. */
const char *hd_status_text(int status);

/** A number with its noun, for a sentence: "1 flit", "4 flits", "2 switches". */
struct hd_count {
  char text[48];
};
struct hd_count hd_count(uint64_t n, const char *noun);

#endif
