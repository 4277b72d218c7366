/* Reads, writes, removes and hashes files; finds files named relative to another one.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "file.h"

#include "../../cmodel/port_event.h"
#include "memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Adds the process' limit of a resource to the text, if there is one. `what` is a format with a
 * %llu for it. */
static void add_limit(struct hd_cause *cause, int resource, const char *what)
{
  struct rlimit limit;
  size_t n = strlen(cause->text);
  if (!getrlimit(resource, &limit) && limit.rlim_cur != RLIM_INFINITY)
    snprintf(cause->text + n, sizeof cause->text - n, what, (unsigned long long)limit.rlim_cur);
}

struct hd_cause hd_cause(int error)
{
  struct hd_cause cause = {""};
  snprintf(cause.text, sizeof cause.text, "%.80s", strerror(error));
  if (error == EFBIG)
    add_limit(&cause, RLIMIT_FSIZE,
              ": a file may have %llu bytes here; raise that limit (ulimit -f)");
  if (error == EMFILE)
    add_limit(&cause, RLIMIT_NOFILE,
              ": a process may have %llu open files here; raise that limit (ulimit -n)");
  return cause;
}

static int read_all(int fd, const char *path, size_t size, char *text, size_t *length,
                    struct hd_error *err)
{
  for (*length = 0; *length < size;) {
    ssize_t n = read(fd, text + *length, size - *length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return hd_fail(err, HD_E_IO, "%s: cannot be read: %s", path, hd_cause(errno).text);
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
    return hd_fail(err, HD_E_IO, "%s: cannot be opened: %s", path, hd_cause(errno).text);
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
  const bool is_limit = error == EFBIG || error == EMFILE;
  return hd_fail(err, HD_E_IO, "cannot write %s: %s%s", path, hd_cause(error).text,
                 is_limit ? "" : "; free some space or choose another directory");
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
  unlink(path); /* so that nobody takes a part for the whole file */
  return write_failed(path, e, err);
}

int hd_text_write(const char *directory, const char *name, struct hd_text *text,
                  struct hd_error *err)
{
  struct hd_text path = {0};
  hd_text_add(&path, "%s%s%s", directory ? directory : "", directory ? "/" : "", name);
  const int status = hd_file_write(path.chars, hd_text_chars(text), text->length, err);
  hd_text_fini(&path);
  hd_text_fini(text);
  return status;
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

/* Tests whether the directory has a regular file, or a link to one or to nothing, of that name.
 * Writing a file refuses anything else of that name. */
static bool has_file(const char *directory, const char *name)
{
  struct stat own, target;
  char path[PATH_MAX];
  return (size_t)snprintf(path, sizeof path, "%s/%s", directory, name) < sizeof path &&
         !lstat(path, &own) &&
         (S_ISLNK(own.st_mode) ? stat(path, &target) || S_ISREG(target.st_mode)
                               : S_ISREG(own.st_mode));
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

int hd_directory_belongs(const char *path, const char *mark, struct hd_error *err)
{
  DIR *directory = opendir(path);
  bool is_empty = true, has_mark = false;
  if (!directory) /* making the directory will report the error */
    return HD_OK;
  for (const struct dirent *entry; (entry = readdir(directory));) {
    const bool is_itself = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
    is_empty &= is_itself;
    has_mark |= !strcmp(entry->d_name, mark);
  }
  closedir(directory);
  return is_empty || has_mark
             ? HD_OK
             : hd_fail(err, HD_E_INPUT,
                       "%s: has files, but no `%s`, so it is none of Heddle's for this; choose an "
                       "empty directory, or a new one",
                       path, mark);
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
    return hd_fail(err, HD_E_IO, "cannot remove %s: %s", path, hd_cause(errno).text);
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
    return hd_fail(err, HD_E_IO, "no directory under %s (TMPDIR): %s", parent,
                   hd_cause(errno).text);
  return HD_OK;
}
