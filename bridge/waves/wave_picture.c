/* Makes a picture of waves as GTKWave shows them, without a display.
 * SPDX-License-Identifier: Apache-2.0
 *
 * GTKWave runs a script that saves a picture of its window to a file. It reads and writes only in a
 * temporary directory, which has links to the waves. So no user's settings change the picture, and
 * GTKWave never asks whether to overwrite a file. The window is high enough for its rows, and wide
 * enough that a cycle's number fits into the cycle. The picture is cut to names and waves.
 */
#include "picture_crop.h"
#include "wave_picture.h"
#include "waves.h"

#include "../host/file.h"
#include "../host/memory.h"
#include "../host/text.h"
#include "../host/tool_run.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sizes in pixels with GTKWave's fonts, rounded up. The other parts are title, buttons, axis,
 * scroll bars. */
enum {
  ROW_PIXELS = 21,
  DIGIT_PIXELS = 9,
  BESIDE_NUMBER_PIXELS = 12,
  REST_HEIGHT = 220,
  MOST_WIDTH = 12000,
  MOST_HEIGHT = 12000,
  ZOOM_PIXELS = 200, /* GTKWave's zoom is -log2 of the time that this many pixels show */
};
enum { ROW_CLOSED_GROUP = 0xc00200, ROW_END_OF_CLOSED = 0x1401200, ROW_END = 0x1000200 };

static const char script[] = "gtkwave::/File/Grab_To_File picture.png\ngtkwave::/File/Quit\n";

/* The window that a save file needs. */
struct window {
  unsigned width, height;
  unsigned rows; /* rows that are visible if the window is high enough */
  double zoom;
  unsigned long long marker;
};

/* Counts visible rows: rows of closed groups are not visible. */
static unsigned count_rows(const char *save)
{
  unsigned rows = 0, closed = 0, flags = 0;
  for (const char *line = save; line; line = strchr(line, '\n'), line += line != NULL) {
    if (sscanf(line, "@%x", &flags) == 1)
      continue;
    if ((*line != '-' && *line != '+') || flags == ROW_END)
      continue;
    if (flags == ROW_END_OF_CLOSED) {
      closed -= closed != 0;
      continue;
    }
    rows += !closed;
    closed += flags == ROW_CLOSED_GROUP;
  }
  return rows;
}

/* Reads the window's size from a save file. False: Heddle did not write this file. */
static bool read_window(const char *save, struct window *w)
{
  const char *size = strstr(save, "\n[size] "), *zoom = strstr(save, "\n*");
  *w = (struct window){.rows = count_rows(save)};
  return size && sscanf(size, "\n[size] %u %u", &w->width, &w->height) == 2 && zoom &&
         sscanf(zoom, "\n*%lf %llu", &w->zoom, &w->marker) == 2;
}

/* Makes the window wide enough that a cycle's number fits into the cycle, and high enough for
 * its rows. */
static void fit(struct window *w)
{
  /* width of a cycle in pixels */
  const double cycle = ZOOM_PIXELS * (double)HD_WAVES_CYCLE_PS * exp2(w->zoom);
  const int digits = snprintf(NULL, 0, "%llu", w->marker / HD_WAVES_CYCLE_PS);
  const double wider = (digits * DIGIT_PIXELS + BESIDE_NUMBER_PIXELS) / cycle;
  const unsigned height = w->rows * ROW_PIXELS + REST_HEIGHT;
  if (wider > 1) {
    const double width = w->width * wider;
    w->zoom += log2(wider);
    w->width = width < MOST_WIDTH ? (unsigned)width : MOST_WIDTH;
  }
  w->height = height < MOST_HEIGHT ? height : MOST_HEIGHT;
}

/* Writes the save file for this window to `directory`. */
static int write_save(const char *save, const struct window *w, const char *directory,
                      struct hd_error *err)
{
  struct hd_text text = {0};
  for (const char *line = save; *line;) {
    const size_t length = strcspn(line, "\n");
    double zoom;
    int after = 0;
    if (!strncmp(line, "[size] ", 7))
      hd_text_add(&text, "[size] %u %u\n", w->width, w->height);
    else if (sscanf(line, "*%lf%n", &zoom, &after) == 1)
      hd_text_add(&text, "*%f%.*s\n", w->zoom, (int)length - after, line + after);
    else
      hd_text_add(&text, "%.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
  return hd_text_write(directory, "waves.gtkw", &text, err);
}

/* Links the files that the save file names, since GTKWave looks for them next to it. */
static int link_files(const char *from, const char *directory, struct hd_error *err)
{
  static const char *const names[] = {"waves.fst", "flits.txt", "states.txt"};
  char target[PATH_MAX], path[PATH_MAX];
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(target, sizeof target, "%s/%s", from, names[i]);
    snprintf(path, sizeof path, "%s/%s", directory, names[i]);
    if (symlink(target, path))
      return hd_fail(err, HD_E_IO, "%.400s: %s", path, strerror(errno));
  }
  return HD_OK;
}

/* Runs GTKWave in `directory`, which has its script and its save file. */
static int run(const struct window *w, const char *directory, struct hd_error *err)
{
  char log[PATH_MAX], end[640], screen[64];
  const char *const argv[] = {"xvfb-run", "-a",         "-s",         screen, "gtkwave",
                              "-S",       "script.tcl", "waves.gtkw", NULL};
  const struct hd_tool tool = {
      .argv = argv, .package = "xvfb", .directory = directory, .log_path = log};
  int exit_code = 0;

  snprintf(log, sizeof log, "%s/log", directory);
  snprintf(screen, sizeof screen, "-screen 0 %ux%ux24", w->width + 200, w->height + 200);
  setenv("HOME", directory, 1);
  setenv("GDK_BACKEND", "x11", 1);
  int status = hd_tool_run(&tool, &exit_code, err);
  if (!status && exit_code) {
    hd_tool_log_end(log, end, sizeof end);
    status = hd_fail(err, HD_E_TOOL,
                     "no picture: xvfb-run gtkwave failed with exit code %d; it needs the packages "
                     "gtkwave, xvfb and xauth:\n%s",
                     exit_code, end);
  }
  return status;
}

/* Makes the picture in the existing `directory`. The save file and the waves are in `from`. */
static int make(const char *save, const char *from, const char *directory, const char *png,
                struct hd_error *err)
{
  static const char settings[] = "hide_sst 1\n";
  char path[PATH_MAX], *text = NULL, *window = NULL, *cut = NULL;
  size_t length = 0;
  struct window w;

  int status = hd_file_read(save, &text, &length, err);
  if (!status && !read_window(text, &w))
    status = hd_fail(err, HD_E_INPUT, "%.400s: is no save file of Heddle's", save);
  if (!status) {
    fit(&w);
    status = write_save(text, &w, directory, err);
  }
  if (!status)
    status = link_files(from, directory, err);
  snprintf(path, sizeof path, "%s/script.tcl", directory);
  if (!status)
    status = hd_file_write(path, script, sizeof script - 1, err);
  snprintf(path, sizeof path, "%s/.gtkwaverc", directory);
  if (!status)
    status = hd_file_write(path, settings, sizeof settings - 1, err);
  if (!status)
    status = run(&w, directory, err);
  snprintf(path, sizeof path, "%s/picture.png", directory);
  if (!status && hd_file_read(path, &window, &length, NULL))
    status = hd_fail(err, HD_E_TOOL, "no picture: GTKWave made none of %.400s", save);
  if (!status)
    status = hd_picture_crop(window, length, &cut, &length, err);
  if (!status)
    status = hd_file_write(png, cut, length, err);
  free(text);
  free(window);
  free(cut);
  return status;
}

int hd_wave_picture(const char *save, const char *png, struct hd_error *err)
{
  char directory[256];
  char *absolute = realpath(save, NULL), *from = absolute ? hd_xstrdup(absolute) : NULL;
  int status = from ? hd_directory_temporary("heddle-wave", directory, sizeof directory, err)
                    : hd_fail(err, HD_E_IO, "%.400s: %s", save, strerror(errno));
  if (!status) {
    *strrchr(from, '/') = '\0';
    status = make(absolute, from, directory, png, err);
    hd_tree_remove(directory, NULL);
  }
  free(absolute);
  free(from);
  return status;
}
