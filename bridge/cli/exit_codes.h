/* Lists the exit codes of heddle, from which the help follows. A lint check compares pages with this list.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_EXIT_CODES_H
#define HD_EXIT_CODES_H

/* Lines X(NAME, code, text). Each row of docs/user-guide.md begins with the text. */
#define HD_EXIT_LIST(X)                                                                           \
  X(OK, 0,                                                                                        \
    "all that was compared agrees, and budgets are kept; with --dut none nothing is compared")    \
  X(DIFFERENT, 1,                                                                                 \
    "heddle diff: the runs differ; heddle bisect: the good commit fails, or the bad one passes; " \
    "heddle schedule: messages contend; heddle bench --at-least: a ratio is too low")             \
  X(INPUT, 2, "bad input or usage")                                                               \
  X(DIVERGENCE, 3, "divergence: RTL and model differ")                                            \
  X(BUDGET, 4,                                                                                    \
    "a budget was missed, or run.cycles were too few for the software; heddle schedule: fewer "   \
    "steps may be enough")                                                                        \
  X(DEADLOCK, 5, "deadlock or livelock")                                                          \
  X(IO, 6, "a file or a board could not be read or written")                                      \
  X(TOOL, 7, "an external tool is missing or failed; or a backend crashed or ended the process")  \
  X(SOFTWARE, 8, "endpoint software gave up, crashed or ended the process")                       \
  X(FAULT, 9, "a fault of the scenario cut software off, or lost what it waits for")              \
  X(INTERNAL, 10, "internal error")                                                               \
  X(NOTHING, 11, "nothing was compared")                                                          \
  X(INVARIANT, 12, "a rule of the specification is broken")                                       \
  X(SKIP, 125,                                                                                    \
    "heddle bisect, heddle check --bisect: no verdict, for example because RTL does not build")   \
  X(INTERRUPTED, 130, "interrupted")

enum {
#define HD_EXIT_ENUM(name, code, text) HD_EXIT_##name = (code),
  HD_EXIT_LIST(HD_EXIT_ENUM)
#undef HD_EXIT_ENUM
};

#endif
