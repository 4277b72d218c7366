/* heddle board flash: a bitstream onto a board, by the programmer made for it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_flash.h"

#include "../host/file.h"
#include "../host/tool_run.h"
#include "../host/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Programs that flash boards. A bitstream tells its board by words at its beginning, which fpga/build.sh or the
 * packer puts there. */
static const struct programmer {
  const char *mark, *board;
  const char *command[5]; /* before the bitstream */
  const char *where;      /* option that says which of several boards */
  const char *package;
} programmers[] = {
    {"board=hx8k", "iCE40-HX8K", {"iceprog"}, "-d", "fpga-icestorm"},
    {"LFE5U-85F",
     "ULX3S",
     {"openFPGALoader", "-b", "ulx3s", "-f"},
     "--ftdi-serial",
     "openfpgaloader"},
};
enum { N_PROGRAMMERS = sizeof programmers / sizeof *programmers, HEAD_BYTES = 512 };

static bool holds(const char *bytes, size_t n, const char *mark)
{
  size_t length = strlen(mark);
  for (size_t i = 0; i + length <= n; i++)
    if (!memcmp(bytes + i, mark, length))
      return true;
  return false;
}

static int find(const char *path, const struct programmer **found, struct hd_error *err)
{
  char *bytes;
  size_t n, length = strlen(path);
  int status = hd_file_read(path, &bytes, &n, err);
  if (status)
    return status;
  bool text = length > 4 && !strcmp(path + length - 4, ".asc");
  for (size_t i = 0; i < N_PROGRAMMERS && !text && !*found; i++)
    if (holds(bytes, n < HEAD_BYTES ? n : HEAD_BYTES, programmers[i].mark))
      *found = &programmers[i];
  free(bytes);
  if (*found)
    return 0;
  struct hd_text known = {0};
  for (size_t i = 0; i < N_PROGRAMMERS; i++)
    hd_text_add(&known, "%s%s", i ? ", " : "", programmers[i].board);
  status = hd_fail(err, HD_E_INPUT,
                   "%.200s is no bitstream that can be flashed; `make fpga` builds them, as "
                   "build/fpga/NAME.bin, for: %s",
                   path, hd_text_chars(&known));
  hd_text_fini(&known);
  return status;
}

int hd_board_flash(const char *path, const char *where, bool dry_run, struct hd_error *err)
{
  const struct programmer *p = NULL;
  const char *argv[9] = {NULL};
  char log[] = "/tmp/heddle-flash-XXXXXX";
  size_t n = 0;
  int exit_code = 0, status = find(path, &p, err);
  if (status)
    return status;
  while (p->command[n]) {
    argv[n] = p->command[n];
    n++;
  }
  if (where) {
    argv[n++] = p->where;
    argv[n++] = where;
  }
  argv[n++] = path;
  for (size_t i = 0; i < n; i++)
    printf("%s%s", i ? " " : "", argv[i]);
  printf("\n");
  fflush(stdout);
  if (dry_run)
    return 0;
  int fd = mkstemp(log);
  if (fd < 0)
    return hd_fail(err, HD_E_IO, "no log under /tmp: %s", strerror(errno));
  close(fd);
  const struct hd_tool tool = {.argv = argv, .package = p->package, .log_path = log};
  status = hd_tool_run(&tool, &exit_code, err);
  if (!status && exit_code)
    status = hd_fail(err, HD_E_TOOL,
                     "%s failed with exit code %d; is the board plugged in, and may you write to "
                     "its USB device? log: %s",
                     argv[0], exit_code, log);
  if (!status || !exit_code)
    unlink(log);
  if (!status)
    printf("%s is flashed; try: heddle board list\n", p->board);
  return status;
}
