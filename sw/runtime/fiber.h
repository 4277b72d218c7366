/* Fibers: C functions on stacks of their own, switched by hand.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Switching saves the callee-saved registers and nothing else (boost context's
 * jump), so it costs a few nanoseconds. Each stack ends in a guard page: a program that
 * runs over its stack is stopped by the processor instead of writing into its neighbour's. Of many stacks (65,536 are
 * possible) none has one, and whoever resumes looks whether the stack was kept.
 *
 * A fiber that is never resumed again needs no unwinding: its stack goes with the pool.
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
  void *inside;  /* context of the fiber while it is not running */
  void *outside; /* context of whoever resumed it while it runs */
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

/** Stacks for `count` fibers in one mapping. */
struct hd_fiber_pool {
  unsigned char *base;
  size_t bytes;
  uint32_t count;
  bool unguarded; /* too many for a guard page each: whoever resumes asks hd_fiber_is_intact */
};

/** Below so many stacks each has a guard page: a process may have 65,530 mappings by Linux's default. */
enum { HD_FIBERS_GUARDED = 16384 };

/** The bytes below the stack, and its lowest ones, are as they were before the fiber ran. */
bool hd_fiber_is_intact(const struct hd_fiber *fiber);

/** 0 or -1 (errno says why). */
int hd_fiber_pool_init(struct hd_fiber_pool *pool, uint32_t count);
/** Unmaps all stacks; nothing on them is unwound. */
void hd_fiber_pool_fini(struct hd_fiber_pool *pool);

/** Makes `fiber` ready to run entry(argument) on stack `index` at its first resume. `entry`
 *  may return; then the fiber must not be resumed again. */
void hd_fiber_init(struct hd_fiber *fiber, const struct hd_fiber_pool *pool, uint32_t index,
                   void (*entry)(void *argument), void *argument);

/* Declarations of boost context. Its header is C++; its functions have C linkage. */
struct hd_fiber_transfer {
  void *context; /* the context that the jump left */
  void *data;
};
extern struct hd_fiber_transfer jump_fcontext(void *to, void *data);

/* Both are inline because a jump makes the processor mispredict every return from the
 * functions around it. */

/** Runs the fiber until it yields or its entry returns. From outside of it. */
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

/** Goes back to hd_fiber_resume's caller; returns at the next resume. From inside. */
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
