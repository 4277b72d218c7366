/* A picture of waves as GTKWave shows them, made without a display.
 * SPDX-License-Identifier: Apache-2.0
 *
 * GTKWave runs a script that grabs its window to a file. All that it reads and writes beside the waves
 * is in a directory of its own: nobody's settings change the picture, and a file that is there already
 * makes it ask nobody.
 */
#include "wave_picture.h"

#include "../../bridge/host/file.h"
#include "../../bridge/host/tool_run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char script[] = "gtkwave::/File/Grab_To_File picture.png\ngtkwave::/File/Quit\n";

/* Runs GTKWave in `directory`, which has its script. */
static int run(const char *save, const char *directory, struct hd_error *err)
{
  char log[PATH_MAX], end[640];
  const char *const argv[] = {"xvfb-run",   "-a", "-s", "-screen 0 1920x1080x24", "gtkwave", "-S",
                              "script.tcl", save, NULL};
  const struct hd_tool tool = {
      .argv = argv, .package = "xvfb", .directory = directory, .log_path = log};
  int exit_code = 0;

  snprintf(log, sizeof log, "%s/log", directory);
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

/* Everything in `directory`, which is there. */
static int make(const char *save, const char *directory, const char *png, struct hd_error *err)
{
  char path[PATH_MAX], *bytes = NULL;
  size_t length = 0;

  snprintf(path, sizeof path, "%s/script.tcl", directory);
  int status = hd_file_write(path, script, sizeof script - 1, err);
  if (!status)
    status = run(save, directory, err);
  snprintf(path, sizeof path, "%s/picture.png", directory);
  if (!status && hd_file_read(path, &bytes, &length, NULL))
    status = hd_fail(err, HD_E_TOOL, "no picture: GTKWave made none of %.400s", save);
  if (!status)
    status = hd_file_write(png, bytes, length, err);
  free(bytes);
  return status;
}

int hd_wave_picture(const char *save, const char *png, struct hd_error *err)
{
  char directory[256];
  char *absolute = realpath(save, NULL);
  int status = absolute ? hd_directory_temporary("heddle-wave", directory, sizeof directory, err)
                        : hd_fail(err, HD_E_IO, "%.400s: %s", save, strerror(errno));
  if (!status) {
    status = make(absolute, directory, png, err);
    hd_tree_remove(directory, NULL);
  }
  free(absolute);
  return status;
}
