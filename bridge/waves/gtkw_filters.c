/* GTKWave's filters that show flits and states as words.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A filter is a file of translations. Only flits that are in the waves are listed, so that
 * nothing but GTKWave is needed to look at them.
 */
#include "../explain/flitname.h"
#include "waves_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_lines(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Fills of virtual channels, dark enough for white words; channel 0 has none. */
static const char *const vc_fills[HD_MAX_VCS] = {"",
                                                 "?MidnightBlue?",
                                                 "?DarkGreen?",
                                                 "?purple4?",
                                                 "?DarkSlateGray?",
                                                 "?SaddleBrown?",
                                                 "?DeepPink4?",
                                                 "?gray30?"};

/* A line "value words" of the flit filter; red, when marked. A flit that is NULL is marked. */
static char *filter_line(const struct hd_waves *w, const struct hd_flit_event *flit, bool mark)
{
  char bits[HD_FST_MAX_BITS], hex[HD_FST_MAX_BITS / 4 + 1], name[HD_FLIT_NAME_SIZE] = "none";
  const uint32_t n = hd_waves_flit_bits(w), digits = (n + 3) / 4;
  const char *fill = "?red3?";
  char *line = NULL;

  hd_waves_flit_text(w, flit, mark, bits);
  memset(hex, 0, sizeof hex);
  for (uint32_t i = 0; i < n; i++) {
    char *digit = &hex[(i + digits * 4 - n) / 4];
    *digit = (char)(*digit << 1 | (bits[i] == '1'));
  }
  for (uint32_t i = 0; i < digits; i++)
    hex[i] = "0123456789abcdef"[(int)hex[i]];
  if (flit != NULL)
    hd_flit_name(name, flit, &w->params);
  if (!mark)
    fill = vc_fills[flit->vc % HD_MAX_VCS];
  return asprintf(&line, "%s %s%s\n", hex, fill, name) < 0 ? NULL : line;
}

/* Every flit that is in the waves, once. */
static int write_flit_filter(const struct hd_waves *w, FILE *f)
{
  const size_t n = 2 * w->n_flits + 1;
  char **lines = calloc(n, sizeof *lines);
  int status = lines != NULL ? HD_OK : HD_E_NOMEM;

  for (size_t i = 0; status == HD_OK && i < n; i++) {
    lines[i] = filter_line(w, i == n - 1 ? NULL : &w->flits[i / 2], i == n - 1 || i % 2 == 1);
    status = lines[i] != NULL ? HD_OK : HD_E_NOMEM;
  }
  if (status == HD_OK) {
    qsort(lines, n, sizeof *lines, compare_lines);
    fputs("# Flits as words, for GTKWave (docs/waves.md).\n", f);
    for (uint32_t i = 0; i < (hd_waves_flit_bits(w) + 3) / 4; i++)
      fputc('z', f);
    fputs(" -\n", f);
    for (size_t i = 0; i < n; i++)
      if (i == 0 || strcmp(lines[i], lines[i - 1]) != 0)
        fputs(lines[i], f);
  }
  for (size_t i = 0; lines != NULL && i < n; i++)
    free(lines[i]);
  free(lines);
  return status;
}

static int write_state_filter(const struct hd_waves *w, FILE *f)
{
  (void)w;
  fputs("# State of an input virtual channel (specification §2.4).\n", f);
  for (unsigned i = 0; i < HD_VC_STATES; i++)
    fprintf(f, "%u %s\n", i, hd_vc_state_name(i));
  return HD_OK;
}

/* Makes the file `name` in `dir` by `write`. */
static int write_filter(const struct hd_waves *w, const char *dir, const char *name,
                        int (*write)(const struct hd_waves *, FILE *), struct hd_error *err)
{
  char path[4096];
  FILE *f = NULL;
  int status = HD_OK;

  snprintf(path, sizeof path, "%s/%s", dir, name);
  f = fopen(path, "w");
  if (f == NULL)
    return hd_fail(err, HD_E_IO, "%s: %s", path, strerror(errno));
  status = write(w, f);
  if (status != HD_OK) {
    fclose(f);
    return hd_fail(err, status, "%s: out of memory", path);
  }
  const bool wrong = ferror(f) != 0;
  if (fclose(f) != 0 || wrong)
    return hd_fail(err, HD_E_IO, "%s: cannot be written", path);
  return HD_OK;
}

int hd_gtkw_write_filters(const struct hd_waves *waves, const char *dir, struct hd_error *err)
{
  const int status = write_filter(waves, dir, "flits.txt", write_flit_filter, err);
  return status != HD_OK ? status : write_filter(waves, dir, "states.txt", write_state_filter, err);
}
