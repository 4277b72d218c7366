/* Files: reading, writing, removing, hashing; paths relative to another file.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "file.h"

#include "../../cmodel/port_event.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
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
    *text = hd_xmalloc(size + 1);
    status = read_all(fd, path, size, *text, length, err);
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
  char *joined = hd_xmalloc(n + size);
  memcpy(joined, path, n);
  memcpy(joined + n, file, size);
  return joined;
}

int hd_file_read(const char *path, char **bytes, size_t *length, struct hd_error *err)
{
  return hd_file_regular(path, (size_t)1 << 30, bytes, length, err);
}

static int not_regular(const char *path, struct hd_error *err)
{
  return hd_fail(err, HD_E_IO, "%s: is no regular file; remove it or choose another directory",
                 path);
}

static int write_failed(const char *path, int error, struct hd_error *err)
{
  return hd_fail(err, HD_E_IO, "cannot write %s: %s; free some space or choose another directory",
                 path, strerror(error));
}

int hd_file_replaceable(const char *path, struct hd_error *err)
{
  struct stat info;
  return !stat(path, &info) && !S_ISREG(info.st_mode) ? not_regular(path, err) : 0;
}

int hd_file_create(const char *path, FILE **file, struct hd_error *err)
{
  struct stat info;
  *file = NULL;
  /* Not blocking, so that a pipe without a reader is refused (ENXIO), not waited for. */
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  if (fd < 0)
    return errno == ENXIO || errno == EISDIR ? not_regular(path, err)
                                             : write_failed(path, errno, err);
  int status = fstat(fd, &info) || !S_ISREG(info.st_mode) ? not_regular(path, err) : 0;
  if (!status && !(*file = fdopen(fd, "w")))
    status = write_failed(path, errno, err);
  if (status)
    close(fd);
  return status;
}

int hd_file_write(const char *path, const void *bytes, size_t length, struct hd_error *err)
{
  FILE *file;
  int status = hd_file_create(path, &file, err);
  if (status)
    return status;
  bool ok = fwrite(bytes, 1, length, file) == length;
  int e = errno;
  if (fclose(file) && ok) {
    ok = false;
    e = errno;
  }
  if (ok)
    return 0;
  unlink(path); /* half a file is none */
  return write_failed(path, e, err);
}

int hd_directory_room(const char *path, struct hd_error *err)
{
  enum { ROOM = 64 * 1024 };
  char file[PATH_MAX], *bytes = hd_xcalloc(1, ROOM);
  int status = (size_t)snprintf(file, sizeof file, "%s/room", path) >= sizeof file
                   ? hd_fail(err, HD_E_IO, "path too long: %.200s", path)
                   : hd_file_write(file, bytes, ROOM, err);
  if (!status)
    unlink(file);
  free(bytes);
  return status;
}

/* Looks for regular files only: anything else of that name is refused when the file is written. */
static bool has_file(const char *directory, const char *name)
{
  struct stat st;
  char path[PATH_MAX];
  return (size_t)snprintf(path, sizeof path, "%s/%s", directory, name) < sizeof path &&
         !lstat(path, &st) && S_ISREG(st.st_mode);
}

int hd_directory_spares(const char *path, const char *mark, const char *const names[],
                        struct hd_error *err)
{
  if (mark && has_file(path, mark))
    return HD_OK;
  for (size_t i = 0; names[i]; i++)
    if (has_file(path, names[i]))
      return hd_fail(err, HD_E_INPUT,
                     "%s/%s would be replaced, and is not known to be Heddle's; choose another "
                     "directory by --out",
                     path, names[i]);
  return HD_OK;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
  (void)st, (void)type, (void)ftw;
  return remove(path) && errno != ENOENT ? -1 : 0;
}

int hd_tree_remove(const char *path, struct hd_error *err)
{
  struct stat st;
  if (lstat(path, &st) && errno == ENOENT)
    return 0;
  if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS))
    return hd_fail(err, HD_E_IO, "cannot remove %s: %s", path, strerror(errno));
  return 0;
}

uint64_t hd_hash_bytes(const void *bytes, size_t length, uint64_t seed)
{
  const unsigned char *p = bytes;
  uint64_t h = hd_mix64(seed ^ (uint64_t)length);
  for (size_t left = length; left;) {
    uint64_t word = 0;
    size_t n = left < sizeof word ? left : sizeof word;
    memcpy(&word, p, n);
    h = hd_mix64(h + word) * UINT64_C(0x9e3779b97f4a7c15);
    p += n;
    left -= n;
  }
  return hd_mix64(h);
}

int hd_directory_temporary(const char *name, char *path, size_t size, struct hd_error *err)
{
  const char *given = getenv("TMPDIR"), *parent = given && *given ? given : "/tmp";
  if ((size_t)snprintf(path, size, "%s/%s-XXXXXX", parent, name) >= size)
    return hd_fail(err, HD_E_INPUT, "TMPDIR is too long: %.200s…", parent);
  if (!mkdtemp(path))
    return hd_fail(err, HD_E_IO, "no directory under %s (TMPDIR): %s", parent, strerror(errno));
  return HD_OK;
}
