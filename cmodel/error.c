/* Error codes shared by the libraries.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "error.h"

#include <stdarg.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int hd_fail(struct hd_error *err, int status, const char *format, ...)
{
  if (err) {
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
  }
  return status;
}

const char *hd_status_text(int status)
{
  switch (status) {
  case HD_OK:
    return "ok";
#define HD_ERROR_CASE(name, code, text) \
  case HD_E_##name:                     \
    return text;
    HD_ERROR_LIST(HD_ERROR_CASE)
#undef HD_ERROR_CASE
  default:
    return "unknown status";
  }
}

struct hd_count hd_count(uint64_t n, const char *noun)
{
  struct hd_count count;
  size_t length = strlen(noun);
  const char *end = n == 1 ? "" : length && strchr("hsx", noun[length - 1]) ? "es" : "s";
  snprintf(count.text, sizeof count.text, "%" PRIu64 " %s%s", n, noun, end);
  return count;
}
