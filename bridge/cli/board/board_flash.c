/* heddle board flash: writes a bitstream to a board, with the programmer for that board.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_flash.h"

#include "../../backends/board/manifest.h"
#include "../../host/file.h"
#include "../../host/install_root.h"
#include "../../host/tool_run.h"
#include "../../host/text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SAME(path) path

/* A line of fpga/flash.txt. */
enum { NAME, MARK, COMMAND, WHERE, PACKAGE, FIELDS };
enum { HEAD_BYTES = 512, MOST_WORDS = 8 };
struct programmer {
  char *fields[FIELDS]; /* point into `text` */
  char *text;           /* owned: the file, cut into fields */
};

static bool contains_text(const char *bytes, size_t n, const char *mark)
{
  size_t length = strlen(mark);
  for (size_t i = 0; i + length <= n; i++)
    if (!memcmp(bytes + i, mark, length))
      return true;
  return false;
}

/* Cuts a line into fields at its bars. Returns false if there are too few. */
static bool split_line(char *line, char **fields)
{
  size_t n = 0;
  char *save = NULL;
  for (char *field = strtok_r(line, "|", &save); field && n < FIELDS;
       field = strtok_r(NULL, "|", &save)) {
    field += strspn(field, " ");
    for (size_t end = strlen(field); end && field[end - 1] == ' ';)
      field[--end] = '\0';
    fields[n++] = field;
  }
  return n == FIELDS;
}

/* Finds the board whose mark is in the head of the bitstream. Adds the names of all boards to
 * `known`. */
static bool choose_board(struct programmer *p, const char *head, size_t n, struct hd_text *known)
{
  char *save = NULL;
  for (char *line = strtok_r(p->text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    if (*line == '#' || !split_line(line, p->fields))
      continue;
    if (n && contains_text(head, n, p->fields[MARK]))
      return true;
    hd_text_add(known, "%s%s", known->length ? ", " : "", p->fields[NAME]);
  }
  return false;
}

static int read_list(struct programmer *p, struct hd_error *err)
{
  char root[PATH_MAX], path[PATH_MAX + 64];
  size_t length;
  int status = hd_install_root(root, sizeof root, err);
  snprintf(path, sizeof path, "%s/%s", status ? "" : root, HD_BOARD_PROGRAMMERS(SAME));
  return status ? status : hd_file_read(path, &p->text, &length, err);
}

static int find_programmer(const char *path, struct programmer *p, struct hd_error *err)
{
  struct hd_text known = {0};
  char *bytes = NULL;
  size_t n = 0, length = strlen(path);
  int status = hd_file_read(path, &bytes, &n, err);
  if (!status)
    status = read_list(p, err);
  const bool text = length > 4 && !strcmp(path + length - 4, ".asc");
  if (!status && !choose_board(p, bytes, text ? 0 : n < HEAD_BYTES ? n : HEAD_BYTES, &known))
    status = hd_fail(err, HD_E_INPUT,
                     "%.200s is no bitstream that can be flashed; `make fpga` builds them, as "
                     "build/fpga/NAME.bin, for: %s",
                     path, hd_text_chars(&known));
  hd_text_fini(&known);
  free(bytes);
  return status;
}

static int flash(const struct programmer *p, const char *path, const char *where, bool dry_run,
                 struct hd_error *err)
{
  const char *argv[MOST_WORDS + 4] = {NULL};
  char log[] = "/tmp/heddle-flash-XXXXXX", *save = NULL;
  size_t n = 0;
  int exit_code = 0;
  for (char *word = strtok_r(p->fields[COMMAND], " ", &save); word && n < MOST_WORDS;
       word = strtok_r(NULL, " ", &save))
    argv[n++] = word;
  if (where) {
    argv[n++] = p->fields[WHERE];
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
  const struct hd_tool tool = {.argv = argv, .package = p->fields[PACKAGE], .log_path = log};
  int status = hd_tool_run(&tool, &exit_code, err);
  if (!status && exit_code)
    status = hd_fail(err, HD_E_TOOL,
                     "%s failed with exit code %d; is the board plugged in, and may you write to "
                     "its USB device? log: %s",
                     argv[0], exit_code, log);
  if (!status || !exit_code)
    unlink(log);
  if (!status)
    printf("%s is flashed; try: heddle board list\n", p->fields[NAME]);
  return status;
}

int hd_board_flash(const char *path, const char *where, bool dry_run, struct hd_error *err)
{
  struct programmer p = {.text = NULL};
  int status = find_programmer(path, &p, err);
  if (!status)
    status = flash(&p, path, where, dry_run, err);
  free(p.text);
  return status;
}
