/* Locks a directory, so that one process at a time works in it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "directory_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int hd_directory_lock(const char *directory, int *lock, struct hd_error *err)
{
  *lock = -1;
  if (mkdir(directory, 0777) && errno != EEXIST)
    return hd_fail(err, HD_E_IO, "%s: cannot be made: %s", directory, strerror(errno));
  int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return hd_fail(err, HD_E_IO, "%s: cannot be opened: %s", directory, strerror(errno));
  if (flock(fd, LOCK_EX | LOCK_NB)) {
    close(fd);
    return hd_fail(err, HD_E_IO, "%s: another heddle is at work in it; wait for its end",
                   directory);
  }
  *lock = fd;
  return HD_OK;
}
