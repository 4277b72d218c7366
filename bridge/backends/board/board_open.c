/* Opens the boards of a run: real ones behind devices, or virtual ones that it builds and starts.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_open.h"

#include "board_virtual.h"
#include "../../host/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_BOARDS = 256,
  GATES_PATIENCE_MS =
      20000, /* a bitstream's virtual board is some 100 times slower than a real one */
};
#define VIRTUAL "virtual"

const struct hd_backend_option hd_board_options[] = {
    {"baud=N", "baud rate of the line; 115200"},
    {"wait=SECONDS", "how long the device may be gone, 0 … 86400; 10"},
    {"patience=MS", "how long an answer may take, 1 … 60000"},
    {"events", "compare events, never signatures"},
    {"any-build", "a board may have been built from other sources"},
    {"rtl=DIR", "RTL from which a virtual board is built, or a real one should have been"},
    {"cache=DIR", "where built virtual boards are kept"},
    {0},
};

struct board_options {
  char devices[PATH_MAX], rtl_dir[PATH_MAX], cache_dir[PATH_MAX];
  unsigned baud;               /* 0: not given */
  int patience_ms, absence_ms; /* 0: the link's usual value */
  bool any_build;
};

static bool parse_number(const char *text, unsigned least, unsigned most, unsigned *value)
{
  char *end;
  unsigned long v = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || v < least || v > most)
    return false;
  *value = (unsigned)v;
  return true;
}

static int refuse(const char *word, struct hd_error *err)
{
  struct hd_text text = {0};
  for (const struct hd_backend_option *o = hd_board_options; o->name; o++)
    hd_text_add(&text, "%s%s (%s)", text.length ? ", " : "", o->name, o->help);
  hd_fail(err, HD_E_INPUT, "--dut board has no option '%.100s'; it has: %s", word,
          hd_text_chars(&text));
  hd_text_fini(&text);
  return HD_E_INPUT;
}

static int read_options(struct hd_board_set *set, struct board_options *parsed, const char *options,
                        struct hd_error *err)
{
  char text[3 * PATH_MAX], *save = NULL;
  *parsed = (struct board_options){0};
  if (strlen(options) >= sizeof text)
    return hd_fail(err, HD_E_INPUT, "--dut board: options are too long");
  strcpy(text, options);
  char *word = strtok_r(text, ",", &save);
  if (!word || strlen(word) >= sizeof parsed->devices)
    return hd_fail(err, HD_E_INPUT,
                   "--dut board needs a device: board:/dev/ttyUSB1, board:tcp:HOST:PORT, "
                   "board:pipe:COMMAND, or board:virtual");
  strcpy(parsed->devices, word);
  while ((word = strtok_r(NULL, ",", &save))) {
    unsigned value;
    if (!strcmp(word, "events"))
      set->events = true;
    else if (!strcmp(word, "any-build"))
      parsed->any_build = true;
    else if (!strncmp(word, "rtl=", 4) && word[4] && strlen(word + 4) < sizeof parsed->rtl_dir)
      strcpy(parsed->rtl_dir, word + 4);
    else if (!strncmp(word, "cache=", 6) && word[6] && strlen(word + 6) < sizeof parsed->cache_dir)
      strcpy(parsed->cache_dir, word + 6);
    else if (!strncmp(word, "baud=", 5) && parse_number(word + 5, 1, 4000000, &parsed->baud))
      continue;
    else if (!strncmp(word, "wait=", 5) && parse_number(word + 5, 0, 86400, &value))
      parsed->absence_ms = (int)value * 1000 + 1;
    else if (!strncmp(word, "patience=", 9) && parse_number(word + 9, 1, 60000, &value))
      parsed->patience_ms = (int)value;
    else
      return refuse(word, err);
  }
  return parsed->baud ? hd_board_line_check(parsed->baud, err) : 0;
}

/* Enlarges the set to n boards. The new ones are closed. */
static int make_room(struct hd_board_set *set, size_t n, struct hd_error *err)
{
  if (n > MOST_BOARDS)
    return hd_fail(err, HD_E_INPUT, "%zu boards; there can be %d", n, MOST_BOARDS);
  struct hd_board_open *more = realloc(set->boards, n * sizeof *more);
  if (!more)
    return hd_fail(err, HD_E_NOMEM, "out of memory for %zu boards", n);
  set->boards = more;
  for (; set->n < n; set->n++)
    set->boards[set->n] = (struct hd_board_open){.link = {.line.fd = -1}};
  return 0;
}

static unsigned baud_of(const struct board_options *parsed)
{
  return parsed->baud ? parsed->baud : HD_BOARD_BAUD;
}

static int open_one(struct hd_board_open *open, const char *device,
                    const struct board_options *parsed, uint64_t build, struct hd_error *err)
{
  open->link.patience_ms = parsed->patience_ms;
  open->link.absence_ms = parsed->absence_ms;
  int status = hd_board_link_open(&open->link, device, baud_of(parsed), err);
  if (!status)
    status = hd_board_hello(&open->link, &open->about, err);
  if (!status && !parsed->any_build && open->about.build != build)
    status = hd_fail(err, HD_E_INPUT,
                     "the board at %s was built from other sources (%016llx) than these "
                     "(%016llx); build and flash it anew, or say any-build",
                     device, (unsigned long long)open->about.build, (unsigned long long)build);
  return status;
}

static int open_devices(struct hd_board_set *set, const struct board_options *parsed,
                        uint64_t build, uint32_t count, struct hd_error *err)
{
  char devices[PATH_MAX], *save = NULL;
  uint32_t held = 0;
  int status = 0;
  strcpy(devices, parsed->devices);
  for (char *device = strtok_r(devices, "+", &save); device && !status;
       device = strtok_r(NULL, "+", &save)) {
    status = make_room(set, set->n + 1, err);
    if (!status)
      status = open_one(&set->boards[set->n - 1], device, parsed, build, err);
    if (!status)
      held += set->boards[set->n - 1].about.switches;
  }
  if (!status && held < count)
    status = hd_fail(err, HD_E_INPUT,
                     "the fabric has %u switches, the board%s at %.200s hold%s %u; take a smaller "
                     "fabric, more boards, or boards built for more",
                     count, set->n == 1 ? "" : "s", parsed->devices, set->n == 1 ? "s" : "", held);
  return status;
}

/* Starts as many virtual boards as `count` switches need. Each board says how many switches it
 * holds. */
static int open_virtual(struct hd_board_set *set, const struct board_options *parsed,
                        uint64_t build, uint32_t count, const char *path, struct hd_error *err)
{
  int status = 0;
  for (uint32_t held = 0; held < count && !status;) {
    char device[256];
    status = make_room(set, set->n + 1, err);
    struct hd_board_open *open = status ? NULL : &set->boards[set->n - 1];
    if (!status)
      status =
          hd_board_process_start(&open->process, path, baud_of(parsed), device, sizeof device, err);
    if (!status)
      status = open_one(open, device, parsed, build, err);
    if (!status)
      held += open->about.switches;
  }
  return status;
}

/* Returns the text after the word "virtual": ":FILE" or "". NULL: the boards are real devices. */
static const char *virtual_of(const struct board_options *parsed)
{
  size_t n = strlen(VIRTUAL);
  bool is =
      !strncmp(parsed->devices, VIRTUAL, n) && (!parsed->devices[n] || parsed->devices[n] == ':');
  return is ? parsed->devices + n : NULL;
}

/* Builds the program of virtual boards for `count` switches. For a bitstream, sets wish->baud to
 * the rate for which its line was built. */
static int build_virtual(struct board_options *parsed, const struct hd_switch_params *params,
                         uint32_t count, const struct hd_backend_options *given, char *path,
                         size_t size, struct hd_error *err)
{
  struct hd_backend_options options = *given;
  const char *file = virtual_of(parsed);
  options.rtl_dir = *parsed->rtl_dir ? parsed->rtl_dir : NULL;
  if (*parsed->cache_dir)
    options.cache_dir = parsed->cache_dir;
  if (*file)
    return hd_board_bitstream_build(file + 1, &options, &parsed->baud, path, size, err);
  uint32_t boards = (count + HD_BOARD_SWITCHES - 1) / HD_BOARD_SWITCHES;
  return hd_board_virtual_build(params, (count + boards - 1) / boards, &options, path, size, err);
}

int hd_board_prepare(const struct hd_switch_params *params, uint32_t count, const char *options,
                     const struct hd_backend_options *build, struct hd_error *err)
{
  struct hd_board_set set = {0};
  struct board_options parsed;
  char path[PATH_MAX];
  int status = read_options(&set, &parsed, options, err);
  const char *file = status ? NULL : virtual_of(&parsed);
  if (file && (*file || count))
    status = build_virtual(&parsed, params, count, build, path, sizeof path, err);
  return status;
}

int hd_board_set_open(struct hd_board_set *set, const struct hd_switch_params *params,
                      uint32_t count, const char *options, struct hd_error *err)
{
  static const struct hd_backend_options silent = {0};
  struct board_options parsed;
  char path[PATH_MAX];
  uint64_t build = 0;
  *set = (struct hd_board_set){0};
  int status = read_options(set, &parsed, options, err);
  if (status)
    return status;
  const struct hd_backend_options ours = {.rtl_dir = *parsed.rtl_dir ? parsed.rtl_dir : NULL};
  if (!parsed.any_build)
    status = hd_board_build_hash(&ours, &build, err);
  const char *file = virtual_of(&parsed);
  if (!status && !file)
    return open_devices(set, &parsed, build, count, err);
  if (!status && *file && !parsed.patience_ms)
    parsed.patience_ms = GATES_PATIENCE_MS;
  if (!status)
    status = build_virtual(&parsed, params, count, &silent, path, sizeof path, err);
  return status ? status : open_virtual(set, &parsed, build, count, path, err);
}

void hd_board_set_close(struct hd_board_set *set)
{
  for (uint32_t i = 0; i < set->n; i++) {
    hd_board_link_close(&set->boards[i].link);
    hd_board_process_stop(&set->boards[i].process);
  }
  free(set->boards);
  *set = (struct hd_board_set){0};
}
