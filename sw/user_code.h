/* Users' code that is being run: read by another thread or process when it does not come back.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Endpoint software and backends run inside of Heddle and may crash, loop or end the process. Whoever calls
 * them notes here which call is under way. The struct lies in memory that a process shares with the one that
 * watches it, so the note outlives a crash. Every field has one writer at a time.
 */
#ifndef HD_USER_CODE_H
#define HD_USER_CODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  HD_USER_THREADS = 64,
  HD_USER_RUNS = 64,
  HD_USER_PATH = 4096,
  HD_USER_NAME = 512,
  HD_USER_OUTPUT = 4096
};

/** A call of users' code by one thread. */
struct hd_user_call {
  _Alignas(64) _Atomic uint64_t number; /* odd: under way */
  const char *_Atomic what;             /* "run", "create", …; a literal of the executable */
  _Atomic uint64_t start;               /* the window, if it has one; of software: the cycle */
  _Atomic uint32_t place, cycles; /* switch, or node of software; 0 cycles: it has no window */
};

/** A standard stream as it was before users' code ran. */
struct hd_user_stream {
  bool is_open;
  uint64_t device, file;
};

/** The ways in which users' code ends the process. */
enum hd_user_end {
  HD_USER_RUNS_ON,
  HD_USER_SIGNAL, /* number: of the signal */
  HD_USER_EXIT,   /* number: the exit code */
  HD_USER_THREAD, /* the thread that runs software was ended */
};

struct hd_user_code {
  struct hd_user_call software;
  struct hd_user_call backend[HD_USER_THREADS];
  char program[HD_USER_NAME], dut[HD_USER_NAME]; /* "": there is none */
  bool program_is_heddles; /* built in, no shared object: it never ends the process */
  /** The software is given up: the thread that runs it must not go on when it comes back. */
  _Atomic bool software_is_given_up;
  /** The place of the nodes' stacks, by which a fault just below one is explained. */
  _Atomic uintptr_t stacks;
  _Atomic size_t stack_stride, stack_guard;
  _Atomic uint32_t n_stacks;

  /** A supervisor in the same process writes results when users' code ends it. */
  _Atomic bool is_supervised, is_being_given_up;
  _Atomic int end; /* enum hd_user_end; the rest is written before: */
  int number;
  bool on_main_thread;                      /* the thread that runs software */
  bool stack_is_full;                       /* the running node's stack is full */
  char function[128], object[HD_USER_NAME]; /* where the fault was; "": not known */
  char misuse[160]; /* the rule of the endpoint API that was broken; "": none */

  /** Fields for the process that watches. */
  _Atomic bool
      is_stopped;       /* told to stop; no signal says so, for users' code may change handlers */
  _Atomic bool is_over; /* the command came to its end, with the exit code: */
  int code;
  bool no_page;         /* the user does not want pages of runs */
  bool keeps_processes; /* processes that it leaves behind are the user's wish */
  /* Standard streams that users' code closes or replaces are replaced by files of the process that watches, which
   * prints what is in them. */
  struct hd_user_stream streams[3];
  char failure[1024]; /* the last message of the command; was_said: standard error took it */
  bool was_said;
  int watcher, spare_output,
      spare_error; /* its process, and descriptors of these files; < 0: none */
  _Atomic uint32_t n_directories;
  char directories[HD_USER_RUNS]
                  [HD_USER_PATH]; /* directories of runs whose database is open; "": closed */
};

static inline bool hd_user_call_is_under_way(const struct hd_user_call *call)
{
  return atomic_load_explicit(&call->number, memory_order_acquire) & 1;
}

static inline void hd_user_call_enter(struct hd_user_call *call, const char *what, uint32_t place,
                                      uint64_t start, uint32_t cycles)
{
  uint64_t number = atomic_load_explicit(&call->number, memory_order_relaxed);
  atomic_store_explicit(&call->what, what, memory_order_relaxed);
  atomic_store_explicit(&call->place, place, memory_order_relaxed);
  atomic_store_explicit(&call->start, start, memory_order_relaxed);
  atomic_store_explicit(&call->cycles, cycles, memory_order_relaxed);
  atomic_store_explicit(&call->number, number + 1, memory_order_release);
}

/** Sequentially consistent: who gives software up first says so and then looks at the number; who comes back
 *  writes the number and then looks whether it was given up. */
static inline void hd_user_call_leave(struct hd_user_call *call)
{
  atomic_store(&call->number, atomic_load_explicit(&call->number, memory_order_relaxed) + 1);
}

#endif
