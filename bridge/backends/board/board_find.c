/* Finds the board behind a device, and the baud rate of its line.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_find.h"

#include "manifest.h"

#include "../../host/install_root.h"
#include "../../host/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME(path) path
static const char k_builds[] = HD_BOARD_BUILDS(SAME);

static void add_baud(unsigned *bauds, size_t *n, unsigned baud)
{
  for (size_t i = 0; i < *n; i++)
    if (bauds[i] == baud)
      return;
  bauds[(*n)++] = baud;
}

/* Returns the baud rate in the seventh column of a line of fpga/builds.txt. 0: there is none. */
static unsigned baud_of(const char *line)
{
  enum { COLUMN = 6 };
  if (*line == '#')
    return 0;
  for (int i = 0; i < COLUMN && line; i++) {
    line = strchr(line, '|');
    line += line != NULL;
  }
  unsigned long baud = line ? strtoul(line, NULL, 10) : 0;
  return baud <= 4000000 ? (unsigned)baud : 0;
}

size_t hd_board_bauds(unsigned bauds[HD_BOARD_BAUDS])
{
  char root[PATH_MAX], path[PATH_MAX + 32], line[1024];
  size_t n = 0;
  if (!hd_install_root(root, sizeof root, NULL)) {
    snprintf(path, sizeof path, "%s/%s", root, k_builds);
    FILE *file = fopen(path, "r");
    while (file && n < HD_BOARD_BAUDS - 1 && fgets(line, sizeof line, file))
      if (baud_of(line))
        add_baud(bauds, &n, baud_of(line));
    if (file)
      fclose(file);
  }
  add_baud(bauds, &n, HD_BOARD_BAUD);
  return n;
}

int hd_board_find(const char *device, const unsigned *bauds, size_t n, int patience_ms,
                  unsigned *baud, struct hd_board_about *about, struct hd_error *err)
{
  enum { PATIENCE_MS = 150, TRIES = 2 };
  struct hd_text tried = {0};
  int status = hd_fail(err, HD_E_INPUT, "no baud rate to look for a board at %s", device);
  for (size_t i = 0; i < n; i++) {
    struct hd_board_link link = {.patience_ms = patience_ms ? patience_ms : PATIENCE_MS,
                                 .tries = TRIES,
                                 .absence_ms = 1,
                                 .line.fd = -1};
    status = hd_board_link_open(&link, device, bauds[i], err);
    bool open = !status;
    if (open)
      status = hd_board_hello(&link, about, err);
    hd_board_link_close(&link);
    *baud = bauds[i];
    if (status != HD_E_IO || !open)
      break;
    hd_text_add(&tried, "%s%u", !i ? "" : i + 1 < n ? ", " : " or ", bauds[i]);
    if (i + 1 == n && n > 1)
      status = hd_fail(err, HD_E_IO, "no answer from a board at %s baud", hd_text_chars(&tried));
  }
  hd_text_fini(&tried);
  return status;
}
