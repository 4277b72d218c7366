/* Fibers: C functions that run on stacks of their own and switch by explicit calls.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A switch saves only the callee-saved registers (jump_fcontext of boost context), so it takes a
 * few nanoseconds. Below each stack is a guard page: if a program needs more than its stack, the
 * processor stops it before it writes into the next stack. With very many stacks (up to 65,536)
 * there are no guard pages, and the caller of hd_fiber_resume checks the stack afterwards.
 *
 * A fiber that is not resumed any more needs no unwinding: its stack is unmapped with the pool.
 */
#ifndef HD_FIBER_H
#define HD_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
#define HD_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HD_FIBER_ASAN 1
#endif
#endif
#ifdef HD_FIBER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

struct hd_fiber {
  void *inside;  /* the fiber's context while it does not run */
  void *outside; /* its resumer's context while it runs */
  void (*entry)(void *argument);
  void *argument;
  void *stack; /* lowest address */
  size_t stack_bytes;
#ifdef HD_FIBER_ASAN
  void *fake_inside, *fake_outside;
  const void *outside_stack;
  size_t outside_bytes;
#endif
};

/** The stacks of `count` fibers, in one mapping of memory. */
struct hd_fiber_pool {
  unsigned char *base;
  size_t bytes;
  uint32_t count;
  /** there are no guard pages; the caller of hd_fiber_resume must call hd_fiber_is_intact */
  bool unguarded;
};

/** A pool of fewer stacks has a guard page for each. By default, Linux allows a process 65,530
 *  mappings. */
enum { HD_FIBERS_GUARDED = 16384 };

/** Returns true if the fiber has written neither below its stack nor to the lowest bytes of it. */
bool hd_fiber_is_intact(const struct hd_fiber *fiber);

/** Maps the stacks. Returns 0, or -1 with errno. */
int hd_fiber_pool_init(struct hd_fiber_pool *pool, uint32_t count);
/** Unmaps all stacks without unwinding them. */
void hd_fiber_pool_fini(struct hd_fiber_pool *pool);

/** Prepares `fiber` so that its first resume runs entry(argument) on stack `index`. After `entry`
 *  has returned, the fiber must not be resumed. */
void hd_fiber_init(struct hd_fiber *fiber, const struct hd_fiber_pool *pool, uint32_t index,
                   void (*entry)(void *argument), void *argument);

/* Declarations of boost context. Its header is C++; its functions have C linkage. */
struct hd_fiber_transfer {
  void *context; /* context of the code that jumped */
  void *data;
};
extern struct hd_fiber_transfer jump_fcontext(void *to, void *data);

/* Both are inline, because a jump makes the processor mispredict every return from the functions
 * around it. */

/** Runs the fiber until it yields or its entry returns. Must be called from outside of the
 *  fiber. */
static inline void hd_fiber_resume(struct hd_fiber *fiber)
{
#ifdef HD_FIBER_ASAN
  __sanitizer_start_switch_fiber(&fiber->fake_outside, fiber->stack, fiber->stack_bytes);
#endif
  struct hd_fiber_transfer from = jump_fcontext(fiber->inside, fiber);
#ifdef HD_FIBER_ASAN
  __sanitizer_finish_switch_fiber(fiber->fake_outside, NULL, NULL);
#endif
  fiber->inside = from.context;
}

/** Returns to the caller of hd_fiber_resume, until the fiber is resumed again. Must be called
 *  inside of the fiber. */
static inline void hd_fiber_yield(struct hd_fiber *fiber)
{
#ifdef HD_FIBER_ASAN
  __sanitizer_start_switch_fiber(&fiber->fake_inside, fiber->outside_stack, fiber->outside_bytes);
#endif
  struct hd_fiber_transfer from = jump_fcontext(fiber->outside, fiber);
  fiber->outside = from.context;
#ifdef HD_FIBER_ASAN
  __sanitizer_finish_switch_fiber(fiber->fake_inside, &fiber->outside_stack, &fiber->outside_bytes);
#endif
}

#endif
