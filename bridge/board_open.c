/* Which board a run uses: one behind a device, or a virtual one of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_open.h"

#include "board_virtual.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct wish {
  char device[256], rtl_dir[256];
  unsigned baud;
  bool any_build;
};

static bool number(const char *text, unsigned least, unsigned most, unsigned *value)
{
  char *end;
  unsigned long v = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || v < least || v > most)
    return false;
  *value = (unsigned)v;
  return true;
}

static int read_options(struct hd_board_open *open, struct wish *wish, const char *options,
                        struct hd_error *err)
{
  char text[512], *save = NULL;
  *wish = (struct wish){.baud = HD_BOARD_BAUD};
  if (strlen(options) >= sizeof text)
    return hd_fail(err, HD_E_INPUT, "--dut board: options are too long");
  strcpy(text, options);
  char *word = strtok_r(text, ",", &save);
  if (!word || strlen(word) >= sizeof wish->device)
    return hd_fail(err, HD_E_INPUT,
                   "--dut board needs a device: board:/dev/ttyUSB1, or board:virtual");
  strcpy(wish->device, word);
  while ((word = strtok_r(NULL, ",", &save))) {
    unsigned seconds;
    if (!strcmp(word, "events"))
      open->events = true;
    else if (!strcmp(word, "any-build"))
      wish->any_build = true;
    else if (!strncmp(word, "rtl=", 4) && word[4] && strlen(word + 4) < sizeof wish->rtl_dir)
      strcpy(wish->rtl_dir, word + 4);
    else if (!strncmp(word, "baud=", 5) && number(word + 5, 1, 4000000, &wish->baud))
      continue;
    else if (!strncmp(word, "wait=", 5) && number(word + 5, 0, 86400, &seconds))
      open->link.absence_ms = (int)seconds * 1000 + 1;
    else if (!strncmp(word, "patience=", 9) && number(word + 9, 1, 60000, &seconds))
      open->link.patience_ms = (int)seconds;
    else
      return hd_fail(err, HD_E_INPUT,
                     "--dut board has no option '%s'; it has: baud=N, wait=SECONDS (how long the "
                     "device may be gone, 0 … 86400), patience=MS (for an answer, 1 … 60000), "
                     "events, any-build, "
                     "rtl=DIR (what a virtual board is made of, or a real one should be)",
                     word);
  }
  return 0;
}

static int check_build(const struct hd_board_open *open, const struct hd_backend_options *options,
                       struct hd_error *err)
{
  uint64_t mine;
  int status = hd_board_build_hash(options, &mine, err);
  if (!status && mine != open->about.build)
    status =
        hd_fail(err, HD_E_INPUT,
                "the board at %s was built from other sources (%016llx) than these "
                "(%016llx); build and flash it anew, or say any-build",
                open->link.device, (unsigned long long)open->about.build, (unsigned long long)mine);
  return status;
}

int hd_board_open(struct hd_board_open *open, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  struct wish wish;
  int status = read_options(open, &wish, options, err);
  if (status)
    return status;
  const struct hd_backend_options build = {.rtl_dir = *wish.rtl_dir ? wish.rtl_dir : NULL};
  if (!strcmp(wish.device, "virtual")) {
    char path[PATH_MAX];
    status = hd_board_virtual_build(params, count, &build, path, sizeof path, err);
    if (!status)
      status = hd_board_virtual_start(path, &open->virtual, wish.device, sizeof wish.device, err);
  }
  if (!status)
    status = hd_board_link_open(&open->link, wish.device, wish.baud, err);
  if (!status)
    status = hd_board_hello(&open->link, &open->about, err);
  if (!status && !wish.any_build)
    status = check_build(open, &build, err);
  return status;
}

void hd_board_close(struct hd_board_open *open)
{
  hd_board_link_close(&open->link);
  hd_board_virtual_stop(open->virtual);
  open->virtual = 0;
}
