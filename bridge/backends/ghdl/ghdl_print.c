/* Output of a design in GHDL. Failed assertions are found in it, because GHDL's VPI does not report
 * them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Standard output and error of a switch's process are a file of fixed size in memory. After each
 * clock the text is moved to the standard output that the simulator was started with.
 */
#include "ghdl.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PRINT_BYTES = 1 << 20 }; /* output of a clock, at most; the rest is lost */

static int log_fd = -1;

bool ghdl_print_open(void)
{
  int fd = memfd_create("heddle-print", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  fflush(stdout);
  if (log_fd < 0)
    log_fd = dup(STDOUT_FILENO);
  bool ok = fd >= 0 && log_fd >= 0 && !ftruncate(fd, PRINT_BYTES) &&
            !fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) && dup2(fd, STDOUT_FILENO) >= 0 &&
            dup2(fd, STDERR_FILENO) >= 0;
  if (fd >= 0)
    close(fd);
  return ok;
}

/* Reads a failed assertion: the line "rtl/x.vhd:12:5:@30us:(assertion error): queue is full" gives
 * "rtl/x.vhd:12: queue is full". */
static bool read_assertion(enum ghdl_severity least, const char *line, size_t length, char *where,
                           size_t size)
{
  static const struct {
    enum ghdl_severity severity;
    const char *text;
  } marks[] = {{GHDL_ERROR, ":(assertion error): "},
               {GHDL_ERROR, ":(report error): "},
               {GHDL_FAILURE, ":(assertion failure): "},
               {GHDL_FAILURE, ":(report failure): "}};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    const char *message = memmem(line, length, marks[i].text, strlen(marks[i].text));
    if (!message || marks[i].severity < least)
      continue;
    int place = (int)(message - line);
    for (int at = 0, colons = 0; at < place; at++)
      if (line[at] == ':' && ++colons == 2)
        place = at;
    message += strlen(marks[i].text);
    snprintf(where, size, "%.*s: %.*s", place, line, (int)(line + length - message), message);
    return true;
  }
  return false;
}

/* Reads a run-time error: the line "ghdl:error: bound check failure at rtl/x.vhd:12" gives
 * "bound check failure at rtl/x.vhd:12". */
static bool read_error(const char *line, size_t length, char *where, size_t size)
{
  static const char mark[] = ":error: ";
  const char *message = memmem(line, length, mark, sizeof mark - 1);
  /* The mark must follow the first word. A report of the design may have it further on, as in
   * "lane.vhd:12:3:@1ns:(report note): crc:error: 0". */
  if (!message || message != memchr(line, ':', length))
    return false;
  message += sizeof mark - 1;
  snprintf(where, size, "%.*s", (int)(line + length - message), message);
  return true;
}

static bool find_failure(enum ghdl_severity least, const char *text, char *where, size_t size)
{
  for (const char *line = text; *line;) {
    const size_t n = strcspn(line, "\n");
    if (read_assertion(least, line, n, where, size) || read_error(line, n, where, size))
      return true;
    line += n + (line[n] == '\n');
  }
  return false;
}

static void write_log(const char *text, size_t length)
{
  while (length) {
    ssize_t n = write(log_fd, text, length);
    if (n <= 0)
      return;
    text += n;
    length -= (size_t)n;
  }
}

bool ghdl_print_read(enum ghdl_severity least, char *where, size_t size)
{
  fflush(stdout);
  const off_t printed = lseek(STDOUT_FILENO, 0, SEEK_CUR);
  if (printed <= 0)
    return false;
  char *text = calloc(1, (size_t)printed + 1);
  bool failed = false;
  if (text && pread(STDOUT_FILENO, text, (size_t)printed, 0) == printed) {
    failed = find_failure(least, text, where, size);
    write_log(text, (size_t)printed);
  }
  free(text);
  lseek(STDOUT_FILENO, 0, SEEK_SET);
  return failed;
}
