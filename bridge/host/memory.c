/* Allocates memory; ends the program if there is none.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "memory.h"

#include "user_code.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Noreturn void hd_memory_end(void)
{
  enum { PREFIX = sizeof "heddle: " - 1 };
  static const char sentence[] = "heddle: out of memory: close other programs, or try a smaller "
                                 "fabric, fewer cycles or fewer jobs\n";
  struct hd_user_code *code = hd_user_code_of_process();
  ssize_t n;
  while ((n = write(STDERR_FILENO, sentence, sizeof sentence - 1)) < 0 && errno == EINTR)
    ;
  if (code) { /* tells the process that watches this one that users' code is not to blame */
    memcpy(code->failure, sentence + PREFIX, sizeof sentence - 1 - PREFIX);
    code->failure[sizeof sentence - 2 - PREFIX] = '\0'; /* without the end of the line */
    code->was_said = n > 0;
    code->code = HD_MEMORY_EXIT;
    code->is_over = true;
  }
  _exit(HD_MEMORY_EXIT);
}

static void *check_memory(void *memory)
{
  if (!memory)
    hd_memory_end();
  return memory;
}

void *hd_xmalloc(size_t bytes)
{
  return check_memory(malloc(bytes ? bytes : 1));
}

void *hd_xcalloc(size_t n, size_t item_bytes)
{
  return check_memory(calloc(n ? n : 1, item_bytes ? item_bytes : 1));
}

void *hd_xrealloc(void *old, size_t bytes)
{
  return check_memory(realloc(old, bytes ? bytes : 1));
}

char *hd_xstrdup(const char *text)
{
  return check_memory(strdup(text));
}

char *hd_xstrndup(const char *text, size_t most)
{
  return check_memory(strndup(text, most));
}

char *hd_xasprintf(const char *format, ...)
{
  char *text;
  va_list args;
  va_start(args, format);
  const int length = vasprintf(&text, format, args);
  va_end(args);
  return check_memory(length < 0 ? NULL : text);
}
