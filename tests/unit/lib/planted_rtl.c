/* Writes a copy of the RTL with one change.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "planted_rtl.h"

#include "../../../bridge/host/file.h"

void plant_rtl(const char *directory, const char *file, const char *from, const char *to)
{
  char command[512], path[256], *bytes = NULL;
  size_t length = 0;
  snprintf(command, sizeof command, "rm -rf %s && cp -r rtl %s", directory, directory);
  assert_int_equal(system(command), 0);
  snprintf(path, sizeof path, "%s/%s", directory, file);
  assert_int_equal(hd_file_read(path, &bytes, &length, NULL), 0);
  const char *at = strstr(bytes, from);
  assert_non_null(at);
  assert_null(strstr(at + 1, from));
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fprintf(out, "%.*s%s%s", (int)(at - bytes), bytes, to, at + strlen(from));
  assert_int_equal(fclose(out), 0);
  free(bytes);
}
