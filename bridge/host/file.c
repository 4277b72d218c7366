/* Reading regular files; paths relative to another file.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_all(int fd, const char *path, size_t size, char *text, size_t *length,
                    struct hd_error *err)
{
  for (*length = 0; *length < size;) {
    ssize_t n = read(fd, text + *length, size - *length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return hd_fail(err, HD_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (n == 0)
      break;
    *length += (size_t)n;
  }
  return 0;
}

int hd_file_regular(const char *path, size_t most, char **text, size_t *length,
                    struct hd_error *err)
{
  struct stat info;
  *text = NULL;
  *length = 0;
  /* Not blocking, so that a pipe without a writer is refused, not waited for. */
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), status = 0;
  if (fd < 0)
    return hd_fail(err, HD_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
  if (fstat(fd, &info) || !S_ISREG(info.st_mode))
    status = hd_fail(err, HD_E_IO, "%s: is no regular file", path);
  else if ((size_t)info.st_size > most)
    status = hd_fail(err, HD_E_INPUT, "%s: has %lld bytes; at most %zu are legal", path,
                     (long long)info.st_size, most);
  if (status == 0) {
    size_t size = (size_t)info.st_size;
    *text = malloc(size + 1);
    status = *text ? read_all(fd, path, size, *text, length, err)
                   : hd_fail(err, HD_E_NOMEM, "%s: out of memory", path);
  }
  close(fd);
  if (status) {
    free(*text);
    *text = NULL;
  } else {
    (*text)[*length] = '\0';
  }
  return status;
}

char *hd_file_beside(const char *path, const char *file)
{
  const char *slash = strrchr(path, '/');
  size_t n = *file == '/' || !slash ? 0 : (size_t)(slash - path) + 1, size = strlen(file) + 1;
  char *joined = malloc(n + size);
  if (joined) {
    memcpy(joined, path, n);
    memcpy(joined + n, file, size);
  }
  return joined;
}
