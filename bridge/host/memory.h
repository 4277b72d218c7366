/* Allocates memory; ends the program if there is none.
 * SPDX-License-Identifier: Apache-2.0
 *
 * For code that runs in the tool only. The model, the runtime of endpoint software, and code
 * behind the DUT contract also run in users' programs. They return HD_E_NOMEM instead.
 */
#ifndef HD_MEMORY_H
#define HD_MEMORY_H

#include "../../cmodel/grow.h"

/** These work like the functions of the C library. If there is no memory, they write one
 *  sentence to standard error and end the program with exit code 10. Any thread may call them. */
void *hd_xmalloc(size_t bytes);
void *hd_xcalloc(size_t n, size_t item_bytes);
void *hd_xrealloc(void *old, size_t bytes);
char *hd_xstrdup(const char *text);
char *hd_xstrndup(const char *text, size_t most);
char *hd_xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Writes that there is no memory, and ends the program with this exit code. */
enum { HD_MEMORY_EXIT = 10 };
_Noreturn void hd_memory_end(void);

/** Makes room in an array as HD_ROOM does, or ends the program. */
#define HD_XROOM(items, capacity, n, more) \
  (HD_ROOM(items, capacity, n, more) ? (void)0 : hd_memory_end())

#endif
