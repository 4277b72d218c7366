/* Fibers, built on the functions of boost context that have C linkage.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fiber.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *make_fcontext(void *stack_top, size_t size, void (*entry)(struct hd_fiber_transfer));

#ifdef HD_FIBER_ASAN
#include <sanitizer/asan_interface.h>
/* The red zones of the address sanitizer make frames several times larger. */
enum { STACK_BYTES = 256 * 1024 };
#else
enum { STACK_BYTES = 64 * 1024 };
#endif

enum {
  /** stacks begin at different places of a page; otherwise all their tops would share one cache
   *  set */
  COLOURS = 32,
  COLOUR_BYTES = 128,
};

static size_t page_bytes(void)
{
  long n = sysconf(_SC_PAGESIZE);
  return n > 0 ? (size_t)n : 4096;
}

int hd_fiber_pool_init(struct hd_fiber_pool *pool, uint32_t count)
{
  size_t guard = page_bytes(), stride = guard + STACK_BYTES;
  pool->count = count;
  pool->bytes = stride * count;
  void *base = mmap(NULL, pool->bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (base == MAP_FAILED) {
    pool->base = NULL;
    return -1;
  }
  pool->base = base;
  pool->unguarded = count >= HD_FIBERS_GUARDED;
  for (uint32_t i = 0; i < count && !pool->unguarded; i++)
    if (mprotect(pool->base + stride * i, guard, PROT_NONE)) {
      hd_fiber_pool_fini(pool);
      return -1;
    }
  return 0;
}

/* A page that was never written reads as 0 and takes no memory. The check covers 512 bytes below
 * the stack. A larger frame could jump over them, but programs that run on such large fabrics have
 * small frames. */
bool hd_fiber_is_intact(const struct hd_fiber *fiber)
{
  const uint64_t *lowest = fiber->stack;
  uint64_t written = 0;
  for (ptrdiff_t i = -64; i < 8; i++)
    written |= lowest[i];
  return !written;
}

void hd_fiber_pool_fini(struct hd_fiber_pool *pool)
{
  if (!pool->base)
    return;
#ifdef HD_FIBER_ASAN
  /* Frames that were never left have poisoned their memory, and the addresses will be used
   * again. */
  size_t guard = page_bytes();
  for (uint32_t i = 0; i < pool->count; i++)
    __asan_unpoison_memory_region(pool->base + (guard + STACK_BYTES) * i + guard, STACK_BYTES);
#endif
  munmap(pool->base, pool->bytes);
  pool->base = NULL;
}

static void trampoline(struct hd_fiber_transfer from)
{
  struct hd_fiber *fiber = from.data;
  fiber->outside = from.context;
#ifdef HD_FIBER_ASAN
  __sanitizer_finish_switch_fiber(NULL, &fiber->outside_stack, &fiber->outside_bytes);
#endif
  fiber->entry(fiber->argument);
#ifdef HD_FIBER_ASAN
  __sanitizer_start_switch_fiber(NULL, fiber->outside_stack, fiber->outside_bytes);
#endif
  jump_fcontext(fiber->outside, fiber);
  abort(); /* the caller resumed a fiber whose entry had returned */
}

void hd_fiber_init(struct hd_fiber *fiber, const struct hd_fiber_pool *pool, uint32_t index,
                   void (*entry)(void *argument), void *argument)
{
  assert(index < pool->count);
  size_t guard = page_bytes();
  *fiber = (struct hd_fiber){.entry = entry, .argument = argument, .stack_bytes = STACK_BYTES};
  fiber->stack = pool->base + (guard + STACK_BYTES) * index + guard;
  size_t used = STACK_BYTES - (size_t)(index % COLOURS) * COLOUR_BYTES;
  fiber->inside = make_fcontext((unsigned char *)fiber->stack + used, used, trampoline);
}
