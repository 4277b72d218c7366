/* Cache of built backends: a directory for each key, which is complete or does not exist.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dut_cache.h"

#include "../../host/file.h"
#include "../../host/text.h"
#include "../../host/tool_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SUM_BYTES = 512 }; /* length of a line of "checksum", at most */

static int put_path(char *path, struct hd_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int put_path(char *path, struct hd_error *err, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  int n = vsnprintf(path, PATH_MAX, format, args);
  va_end(args);
  return n > 0 && n < PATH_MAX ? 0 : hd_fail(err, HD_E_IO, "path too long: %.200s...", path);
}

static int make_directories(const char *path, struct hd_error *err)
{
  char part[PATH_MAX];
  int status = put_path(part, err, "%s", path);
  for (char *p = part + 1; !status; p++) {
    char c = *p;
    if (c && c != '/')
      continue;
    *p = '\0';
    if (mkdir(part, 0777) && errno != EEXIST)
      status = hd_fail(err, HD_E_IO, "cannot make directory %s: %s", part, strerror(errno));
    *p = c;
    if (!c)
      break;
  }
  return status;
}

/* Computes a file's line of "checksum": hash, length and name. */
static int file_sum(const char *directory, const char *name, char *sum, size_t size,
                    struct hd_error *err)
{
  char path[PATH_MAX], *bytes = NULL;
  size_t length = 0;
  int status = put_path(path, err, "%s/%s", directory, name);
  if (!status)
    status = hd_file_read(path, &bytes, &length, err);
  if (!status)
    snprintf(sum, size, "%016llx %zu %s\n", (unsigned long long)hd_hash_bytes(bytes, length, 1),
             length, name);
  free(bytes);
  return status;
}

static bool file_is(const char *directory, const char *name, const char *text)
{
  char path[PATH_MAX], *bytes = NULL;
  size_t length = 0;
  bool same = !put_path(path, NULL, "%s/%s", directory, name) &&
              !hd_file_read(path, &bytes, &length, NULL) && length == strlen(text) &&
              !memcmp(bytes, text, length);
  free(bytes);
  return same;
}

/* Tests that every file that "checksum" names is unchanged, and that its first line is the
 * product's. */
static bool files_are_whole(const struct hd_cache_entry *entry)
{
  char path[PATH_MAX], sum[SUM_BYTES], *sums = NULL, *save = NULL;
  size_t length = 0, n = 0;
  bool whole = !put_path(path, NULL, "%s/checksum", entry->directory) &&
               !hd_file_read(path, &sums, &length, NULL) && length && sums[length - 1] == '\n';
  for (char *line = whole ? strtok_r(sums, "\n", &save) : NULL; line && whole; n++) {
    const char *name = strchr(line, ' ') ? strchr(strchr(line, ' ') + 1, ' ') : NULL;
    whole = name && (n || !strcmp(name + 1, entry->product)) && !strchr(name, '/') &&
            !file_sum(entry->directory, name + 1, sum, sizeof sum, NULL) &&
            !strncmp(sum, line, strlen(line)) && sum[strlen(line)] == '\n';
    line = strtok_r(NULL, "\n", &save);
  }
  free(sums);
  return whole && n;
}

static bool entry_is_whole(const struct hd_cache_entry *entry)
{
  return file_is(entry->directory, "key.txt", entry->key) && files_are_whole(entry);
}

static int take_lock(struct hd_cache_entry *entry, const char *path, bool (*stop)(void *),
                     void *context, struct hd_error *err)
{
  entry->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (entry->lock < 0)
    return hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno));
  while (flock(entry->lock, LOCK_EX | LOCK_NB)) {
    int status = 0;
    if (errno != EWOULDBLOCK && errno != EINTR)
      status = hd_fail(err, HD_E_IO, "cannot lock %s: %s", path, strerror(errno));
    else if (stop && stop(context))
      status = hd_fail(err, HD_E_INTERRUPTED, "interrupted while another process builds");
    if (status) {
      close(entry->lock);
      entry->lock = -1;
      return status;
    }
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  }
  return 0;
}

/* Removes what killed builds have left: temporary directories whose lock is free. */
static void remove_left_over(const char *cache_dir)
{
  static const char suffix[] = ".tmp";
  char path[PATH_MAX];
  DIR *all = opendir(cache_dir);
  for (struct dirent *one; all && (one = readdir(all));) {
    const size_t n = strlen(one->d_name), end = sizeof suffix - 1;
    if (n <= end || strcmp(one->d_name + n - end, suffix) != 0 ||
        put_path(path, NULL, "%s/%.*s.lock", cache_dir, (int)(n - end), one->d_name))
      continue;
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock >= 0 && !flock(lock, LOCK_EX | LOCK_NB) &&
        !put_path(path, NULL, "%s/%s", cache_dir, one->d_name))
      hd_tree_remove(path, NULL);
    if (lock >= 0)
      close(lock);
  }
  if (all)
    closedir(all);
}

static void drop_lock(struct hd_cache_entry *entry)
{
  if (entry->lock >= 0)
    close(entry->lock);
  entry->lock = -1;
}

int hd_cache_open(struct hd_cache_entry *entry, const char *cache_dir, const char *key,
                  const char *product, bool (*stop)(void *context), void *context,
                  struct hd_error *err)
{
  char whole[PATH_MAX], lock[PATH_MAX];
  memset(entry, 0, sizeof *entry);
  entry->lock = -1;
  entry->key = key;
  snprintf(entry->product, sizeof entry->product, "%s", product);
  int status = make_directories(cache_dir, err);
  if (status)
    return status;
  /* Absolute path, because tools run in other directories. */
  if (!realpath(cache_dir, whole))
    return hd_fail(err, HD_E_IO, "%s: %s", cache_dir, strerror(errno));
  unsigned long long high = hd_hash_bytes(key, strlen(key), 2);
  unsigned long long low = hd_hash_bytes(key, strlen(key), 3);
  if ((status = put_path(entry->directory, err, "%s/%016llx%016llx", whole, high, low)) ||
      (status = put_path(entry->temporary, err, "%s/%016llx%016llx.tmp", whole, high, low)) ||
      (status = put_path(entry->log, err, "%s/%016llx%016llx.log", whole, high, low)) ||
      (status = put_path(lock, err, "%s/%016llx%016llx.lock", whole, high, low)))
    return status;

  if ((entry->hit = entry_is_whole(entry)))
    return 0;
  if ((status = take_lock(entry, lock, stop, context, err)))
    return status;
  if ((entry->hit = entry_is_whole(entry))) { /* another process has built it */
    drop_lock(entry);
    return 0;
  }
  remove_left_over(whole);
  entry->repaired = access(entry->directory, F_OK) == 0;
  if ((status = hd_tree_remove(entry->directory, err)) ||
      (status = hd_tree_remove(entry->temporary, err)) ||
      (status = make_directories(entry->temporary, err)) ||
      (status = hd_tree_remove(entry->log, err)))
    drop_lock(entry);
  return status;
}

/* Adds the line of a file that is not the product. Directories have no line. */
static int add_sum(const struct hd_cache_entry *entry, const char *name, struct hd_text *sums,
                   struct hd_error *err)
{
  char path[PATH_MAX], sum[SUM_BYTES];
  struct stat st;
  int status = put_path(path, err, "%s/%s", entry->temporary, name);
  if (status || !strcmp(name, entry->product) || stat(path, &st) || !S_ISREG(st.st_mode))
    return status;
  status = file_sum(entry->temporary, name, sum, sizeof sum, err);
  if (!status)
    hd_text_add(sums, "%s", sum);
  return status;
}

/* Writes "checksum": the product's line, then those of all other files. */
static int write_sums(const struct hd_cache_entry *entry, struct hd_error *err)
{
  char path[PATH_MAX], sum[SUM_BYTES];
  struct dirent **found = NULL;
  struct hd_text sums = {0};
  int n = scandir(entry->temporary, &found, NULL, alphasort);
  int status = file_sum(entry->temporary, entry->product, sum, sizeof sum, err);
  if (!status && n < 0)
    status = hd_fail(err, HD_E_IO, "cannot read %s: %s", entry->temporary, strerror(errno));
  if (!status)
    hd_text_add(&sums, "%s", sum);
  for (int i = 0; i < n; i++) {
    if (!status)
      status = add_sum(entry, found[i]->d_name, &sums, err);
    free(found[i]);
  }
  free(found);
  if (!status && !(status = put_path(path, err, "%s/checksum", entry->temporary)))
    status = hd_file_write(path, hd_text_chars(&sums), sums.length, err);
  hd_text_fini(&sums);
  return status;
}

int hd_cache_publish(struct hd_cache_entry *entry, struct hd_error *err)
{
  char path[PATH_MAX];
  int status = write_sums(entry, err);
  if (!status && !(status = put_path(path, err, "%s/key.txt", entry->temporary)))
    status = hd_file_write(path, entry->key, strlen(entry->key), err);
  if (!status && access(entry->log, F_OK) == 0 &&
      !(status = put_path(path, err, "%s/build.log", entry->temporary)) && rename(entry->log, path))
    status = hd_fail(err, HD_E_IO, "cannot rename %s: %s", entry->log, strerror(errno));
  if (!status && rename(entry->temporary, entry->directory))
    status = hd_fail(err, HD_E_IO, "cannot rename %s: %s", entry->temporary, strerror(errno));
  if (status)
    hd_cache_abandon(entry, status, err);
  drop_lock(entry);
  return status;
}

/* Changes a build's error to HD_E_IO if its log or its directory shows that the disk is full. Call
 * it before the temporary directory is removed, because that frees space. */
static int explain_disk_error(const struct hd_cache_entry *entry, int status, struct hd_error *err)
{
  char line[400];
  struct hd_error why = {""};
  if (status != HD_E_TOOL && status != HD_E_INPUT)
    return status;
  if (hd_tool_lacks_space(entry->log, line, sizeof line))
    return hd_fail(
        err, HD_E_IO,
        "cannot build in %.300s: %.300s; free some space there and in $TMPDIR, or choose "
        "another directory (--cache); log: %.200s",
        entry->temporary, line, entry->log);
  if (hd_directory_room(entry->temporary, &why) == HD_E_IO)
    return hd_fail(err, HD_E_IO, "cannot build: %.700s (--cache)", why.text);
  return status;
}

int hd_cache_abandon(struct hd_cache_entry *entry, int status, struct hd_error *err)
{
  status = explain_disk_error(entry, status, err);
  hd_tree_remove(entry->temporary, NULL);
  drop_lock(entry);
  return status;
}
