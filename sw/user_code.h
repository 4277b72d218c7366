/* Notes about users' code that is running, for another thread or process.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Endpoint software and backends run inside of Heddle's process. They may crash, loop, or end the
 * process. Before Heddle calls them, it notes the call here. The struct is in memory that the
 * process shares with the process that watches it, so the note outlives a crash. Each field has
 * only one writer at a time.
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
  /** number of entries and returns; odd while users' code runs */
  _Alignas(64) _Atomic uint64_t number;
  const char *_Atomic what; /* "run", "create", …: a string literal of the executable */
  /** of a backend: first cycle of the window; of software: the cycle */
  _Atomic uint64_t start;
  /** place: the switch, or the node whose software runs; cycles: length of the window, 0 if there
   *  is none */
  _Atomic uint32_t place, cycles;
};

/** A standard stream, as it was before users' code ran: the file that its descriptor named. */
struct hd_user_stream {
  bool is_open;
  uint64_t device, file;
};

/** How users' code has ended the process. */
enum hd_user_end {
  HD_USER_RUNS_ON,
  HD_USER_SIGNAL, /* by a signal; `number` is the signal */
  HD_USER_EXIT,   /* by exit(); `number` is the exit code */
  HD_USER_THREAD, /* it ended the thread that runs software */
};

struct hd_user_code {
  struct hd_user_call software;
  struct hd_user_call backend[HD_USER_THREADS];
  /** names of the program and of the backend; "": none */
  char program[HD_USER_NAME], dut[HD_USER_NAME];
  bool program_is_heddles; /* the program is built into Heddle, so it does not end the process */
  /** The supervisor has given the software up. If the thread that runs it returns, it must wait. */
  _Atomic bool software_is_given_up;
  /** Address of the nodes' stacks. It explains a fault just below one of them: that stack was
   *  full. */
  _Atomic uintptr_t stacks;
  _Atomic size_t stack_stride, stack_guard;
  _Atomic uint32_t n_stacks;

  /** A thread of this process supervises the run, and writes its results if users' code ends the
   *  process. */
  _Atomic bool is_supervised, is_being_given_up;
  _Atomic int end; /* enum hd_user_end; written after the following fields: */
  int number;
  bool on_main_thread;                      /* it happened in the thread that runs software */
  bool stack_is_full;                       /* the stack of the running node was full */
  char function[128], object[HD_USER_NAME]; /* where the fault was; "": unknown */
  char misuse[160]; /* the rule of the endpoint API that software broke; "": none */

  /** Fields for the process that watches this one. */
  /** the watching process asks this one to stop; not by a signal, because users' code may change
   *  the handlers */
  _Atomic bool is_stopped;
  _Atomic bool is_over; /* the command has ended, with this exit code: */
  int code;
  bool no_page;         /* the user wants no HTML page of a run */
  bool keeps_processes; /* the user wants processes that outlive the command to go on */
  /* If users' code closes or replaces standard output or error, a file of the watching process
   * takes its place. That process prints the file at the end. */
  struct hd_user_stream streams[3];
  char failure[1024]; /* the last message of the command */
  bool was_said;
  /** the watching process, and its descriptors of these files; < 0: none */
  int watcher, spare_output, spare_error;
  _Atomic uint32_t n_directories;
  /** directories of runs whose database is open; "": closed again */
  char directories[HD_USER_RUNS][HD_USER_PATH];
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

/** Ends the note. The stores are sequentially consistent. The supervisor sets software_is_given_up
 *  and then reads `number`; this thread writes `number` and then reads software_is_given_up. So at
 *  least one of them sees the other's store. */
static inline void hd_user_call_leave(struct hd_user_call *call)
{
  atomic_store(&call->number, atomic_load_explicit(&call->number, memory_order_relaxed) + 1);
}

#endif
