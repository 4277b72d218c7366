/* The GTKWave save file of a divergence, and a command file with its open rows for Surfer.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files are named as if they were in /heddle/. GTKWave looks for files at the same place relative
 * to the save file. So the folder can be moved and sent to others.
 */
#include "../explain/explain.h"
#include "../host/file.h"
#include "../host/memory.h"
#include "waves_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* GTKWave's flags of a row. */
enum {
  ROW_HEX = 0x22, /* all rows right-justified */
  ROW_DECIMAL = 0x24,
  ROW_BINARY = 0x28,
  ROW_SIGNED = 0x424,
  ROW_FILTERED = 0x2022, /* translated by a file from hexadecimal values to words */
  ROW_COMMENT = 0x200,
  ROW_GROUP_OPEN = 0x800200,
  ROW_GROUP_CLOSED = 0xc00200,
  ROW_GROUP_END = 0x1000200,
  ROW_GROUP_END_CLOSED = 0x1401200,
};

/* GTKWave's colours of rows. */
enum { COLOR_NORMAL = 0, COLOR_RED = 1, COLOR_ORANGE = 2, COLOR_GREEN = 4, COLOR_VIOLET = 7 };
enum { COLOR_RTL = COLOR_ORANGE, COLOR_MODEL = COLOR_GREEN, COLOR_INPUT = COLOR_VIOLET };

/* The window shows 40 cycles, or more if marker A would be out of sight. The main marker is at
 * three fifths of the waves. */
enum {
  WINDOW_WIDTH = 1840,
  WINDOW_HEIGHT = 1000,
  NAMES_WIDTH = 430,
  FRAME_WIDTH = 90,
  TREE_WIDTH = 30,
  LINE_CHARACTERS = 36, /* of comments; longer lines would widen the column of names */
  ZOOM_PIXELS = 200,    /* GTKWave's zoom is -log2 of the time that this many pixels show */
  VISIBLE_CYCLES = 40,
  CYCLES_LEFT = 24,
  CYCLES_BESIDE_A = 4,
};

struct save {
  FILE *f;
  const struct hd_waves *w;
  const struct hd_divergence *d;
  bool has_port;  /* the divergence is at a port */
  unsigned cause; /* port whose state differed first; HD_NO_PORT: none */
  FILE *surfer;
  unsigned closed; /* number of closed groups around the current row */
};

/* Name of the reference and of its scope: "model" or "original". */
static const char *reference(const struct save *s)
{
  return s->w->alone ? "rtl" : hd_reference_name(s->w->reference);
}

/* ── filters: flits and states as words ────────────────────────────────────── */

/* A filter is a file of translations. It lists only flits that are in the waves, so GTKWave
 * needs no other program. */

static int compare_lines(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Background colours of virtual channels, dark enough for white words; channel 0 has none. */
static const char *const vc_fills[HD_MAX_VCS] = {"",
                                                 "?MidnightBlue?",
                                                 "?DarkGreen?",
                                                 "?purple4?",
                                                 "?DarkSlateGray?",
                                                 "?SaddleBrown?",
                                                 "?DeepPink4?",
                                                 "?gray30?"};

/* A line "value words" of the flit filter; red if marked. A NULL flit is a marked place without
 * a flit. */
static char *filter_line(const struct hd_waves *w, const struct hd_flit_event *flit, bool mark)
{
  char bits[HD_FST_MAX_BITS], hex[HD_FST_MAX_BITS / 4 + 1], name[HD_FLIT_NAME_SIZE] = "none";
  const uint32_t n = hd_waves_flit_bits(w), digits = (n + 3) / 4;
  const char *fill = "?red3?";

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
  return hd_xasprintf("%s %s%s\n", hex, fill, name);
}

/* Writes every flit of the waves once. */
static void write_flit_filter(const struct hd_waves *w, FILE *f)
{
  const size_t n = 2 * w->n_flits + 1;
  char **lines = hd_xcalloc(n, sizeof *lines);

  for (size_t i = 0; i < n; i++)
    lines[i] = filter_line(w, i == n - 1 ? NULL : &w->flits[i / 2], i == n - 1 || i % 2 == 1);
  qsort(lines, n, sizeof *lines, compare_lines);
  fputs("# Flits as words, for GTKWave (docs/waves.md).\n", f);
  for (uint32_t i = 0; i < (hd_waves_flit_bits(w) + 3) / 4; i++)
    fputc('z', f);
  fputs(" -\n", f);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || strcmp(lines[i], lines[i - 1]) != 0)
      fputs(lines[i], f);
  for (size_t i = 0; i < n; i++)
    free(lines[i]);
  free(lines);
}

static void write_state_filter(const struct hd_waves *w, FILE *f)
{
  (void)w;
  fputs("# State of an input virtual channel (specification §2.4).\n", f);
  for (unsigned i = 0; i < HD_VC_STATES; i++)
    fprintf(f, "%u %s\n", i, hd_vc_state_name(i));
}

/* Closes a file after writing. */
static int finish(FILE *f, const char *path, struct hd_error *err)
{
  const bool wrong = ferror(f) != 0;
  if (fclose(f) != 0 || wrong)
    return hd_fail(err, HD_E_IO, "%s: cannot be written", path);
  return HD_OK;
}

/* Makes the file `name` in `dir` by `write`. */
static int write_filter(const struct hd_waves *w, const char *dir, const char *name,
                        void (*write)(const struct hd_waves *, FILE *), struct hd_error *err)
{
  char path[4096];
  FILE *f = NULL;
  int status = HD_OK;

  snprintf(path, sizeof path, "%s/%s", dir, name);
  status = hd_file_create(path, &f, err);
  if (status != HD_OK)
    return status;
  write(w, f);
  return finish(f, path, err);
}

static int write_filters(const struct hd_waves *waves, const char *dir, struct hd_error *err)
{
  const int status = write_filter(waves, dir, "flits.txt", write_flit_filter, err);
  return status != HD_OK ? status : write_filter(waves, dir, "states.txt", write_state_filter, err);
}

/* ── the same rows for Surfer ──────────────────────────────────────────────── */

/* Writes for Surfer. Its commands are separated by lines or semicolons. Arguments here are
 * single words of letters, digits and underscores, which all versions of Surfer read alike.
 * Commands cannot close groups, so rows of closed groups are left out. */

static void put_divider(struct save *s, const char *text)
{
  if (s->closed != 0)
    return;
  fputs("divider_add ", s->surfer);
  for (const char *c = text; *c != '\0'; c++)
    fputc(isalnum((unsigned char)*c) ? *c : '_', s->surfer);
  fputc('\n', s->surfer);
}

/* Shows the parts of a flit vector, since Surfer has no filter that turns the vector into words. */
static void put_variable(struct save *s, const char *path)
{
  static const char flit[] = "_flit";
  static const char *const parts[] = {"_valid", "_kind", "_vc", "_data"};
  const size_t length = strlen(path), stem = length - (sizeof flit - 1);

  if (s->closed != 0)
    return;
  if (length < sizeof flit || strcmp(path + stem, flit) != 0) {
    fprintf(s->surfer, "variable_add %s\n", path);
    return;
  }
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    fprintf(s->surfer, "variable_add %.*s%s\n", (int)stem, path, parts[i]);
}

static void put_surfer_head(struct save *s)
{
  char line[HD_STATE_NAME + 64];

  fputs("# The divergence in Surfer: surfer --command-file waves.sucl waves.fst\n", s->surfer);
  if (s->w->first_state_cycle == UINT64_MAX)
    return;
  snprintf(line, sizeof line, "state differs first in cycle %" PRIu64 " %s",
           s->w->first_state_cycle, s->w->first_state);
  put_divider(s, line);
}

static void put_surfer_end(struct save *s)
{
  fprintf(s->surfer, "zoom_fit\ncursor_set %" PRIu64 "\n", s->d->cycle * HD_WAVES_CYCLE_PS);
}

/* ── rows ──────────────────────────────────────────────────────────────────── */

static void put_row(struct save *s, unsigned flags, int color, const char *filter,
                    const char *label, const char *path, uint32_t bits)
{
  fprintf(s->f, "@%x\n", flags);
  if (filter != NULL)
    fprintf(s->f, "^%d /heddle/%s.txt\n", strcmp(filter, "flits") == 0 ? 1 : 2, filter);
  fprintf(s->f, "[color] %d\n+{%s} %s", color, label, path);
  if (bits > 1)
    fprintf(s->f, "[%" PRIu32 ":0]", bits - 1);
  fputc('\n', s->f);
  put_variable(s, path);
}

/* Writes lines of at most LINE_CHARACTERS, broken at spaces if possible. */
static void put_comment(struct save *s, const char *text)
{
  while (*text != '\0') {
    size_t length = strlen(text);
    if (length > LINE_CHARACTERS) {
      length = LINE_CHARACTERS;
      while (length > 0 && text[length] != ' ')
        length--;
      if (length == 0) { /* no space: breaks between characters of UTF-8 */
        length = LINE_CHARACTERS;
        while ((text[length] & 0xc0) == 0x80)
          length--;
      }
    }
    fprintf(s->f, "@%x\n-%.*s\n", ROW_COMMENT, (int)length, text);
    text += length;
    text += strspn(text, " ");
  }
}

static void group_begin(struct save *s, bool open, const char *name)
{
  fprintf(s->f, "@%x\n-%s\n", open ? ROW_GROUP_OPEN : ROW_GROUP_CLOSED, name);
  s->closed += !open;
  put_divider(s, name);
}

static void group_end(struct save *s, bool open, const char *name)
{
  fprintf(s->f, "@%x\n-%s\n", open ? ROW_GROUP_END : ROW_GROUP_END_CLOSED, name);
  s->closed -= !open;
}

/* Writes a signal of both sides, RTL above model. `rtl` and `model` say which of them exist. */
static void put_pair(struct save *s, unsigned flags, const char *filter, const char *name,
                     const char *label, uint32_t bits, bool rtl, bool model)
{
  char path[96], text[96];
  if (rtl) {
    snprintf(path, sizeof path, "rtl.%s", name);
    snprintf(text, sizeof text, "rtl %s", label);
    put_row(s, flags, COLOR_RTL, filter, text, path, bits);
  }
  if (model && !s->w->alone) {
    snprintf(path, sizeof path, "%s.%s", reference(s), name);
    snprintf(text, sizeof text, "%s %s", reference(s), label);
    put_row(s, flags, COLOR_MODEL, filter, text, path, bits);
  }
}

static void put_state(struct save *s, const struct hd_waves_state *state)
{
  const char *leaf = strrchr(state->path, '.');
  const bool is_state = leaf != NULL && strcmp(leaf, ".state") == 0;
  const bool is_errors = strcmp(state->path, "errors") == 0;
  char label[sizeof state->path];

  /* GTKWave would take dots for a hierarchy and show only the last part */
  for (size_t i = 0; i < sizeof label; i++)
    label[i] = state->path[i] == '.' ? ' ' : state->path[i];
  put_pair(s,
           is_state    ? ROW_FILTERED
           : is_errors ? ROW_BINARY
                       : ROW_DECIMAL,
           is_state ? "states" : NULL, state->path, label, state->bits, state->rtl.handle != 0,
           true);
}

/* When a state first differs between RTL and model. */
enum when { WHEN_BEFORE, WHEN_AFTER, WHEN_NEVER }; /* WHEN_BEFORE includes the divergence's cycle */

static enum when state_when(const struct save *s, const struct hd_waves_state *state)
{
  return state->first_differed == UINT64_MAX    ? WHEN_NEVER
         : state->first_differed <= s->d->cycle ? WHEN_BEFORE
                                                : WHEN_AFTER;
}

/* Counts the states of a port that first differ at `when`; writes them if `write`. */
static size_t put_states(struct save *s, unsigned port, enum when when, bool write)
{
  size_t n = 0;
  for (size_t i = 0; i < s->w->n_states; i++) {
    const struct hd_waves_state *state = &s->w->states[i];
    if (state->port != port || state_when(s, state) != when)
      continue;
    n++;
    if (write)
      put_state(s, state);
  }
  return n;
}

/* Adds the states of a port as a group. */
static void put_state_group(struct save *s, unsigned port, enum when when, bool open,
                            const char *what)
{
  char name[64];
  if (put_states(s, port, when, false) == 0)
    return;
  snprintf(name, sizeof name, "port %u: state%s", port, what);
  group_begin(s, open, name);
  put_states(s, port, when, true);
  group_end(s, open, name);
}

static void put_port_signal(struct save *s, unsigned port, unsigned flags, const char *filter,
                            const char *signal, uint32_t bits, bool rtl, bool model)
{
  char name[32], label[32];
  snprintf(name, sizeof name, "port%u.%s", port, signal);
  snprintf(label, sizeof label, "port%u %s", port, signal);
  put_pair(s, flags, filter, name, label, bits, rtl, model);
}

/* Adds an input once, because model and DUT get the same. */
static void put_input(struct save *s, unsigned port, unsigned flags, const char *filter,
                      const char *signal, uint32_t bits)
{
  char path[48], label[32];
  snprintf(path, sizeof path, "%s.port%u.%s", reference(s), port, signal);
  snprintf(label, sizeof label, "port%u %s", port, signal);
  put_row(s, flags, COLOR_INPUT, filter, label, path, bits);
}

static void put_differs(struct save *s, const char *scope)
{
  char path[64], label[48];
  if (!s->w->has_dut || s->w->alone)
    return;
  snprintf(path, sizeof path, "compare.%sdiffers", scope);
  snprintf(label, sizeof label, "%.*s%sdiffers", (int)strcspn(scope, "."), scope,
           *scope != '\0' ? " " : "");
  put_row(s, ROW_BINARY, COLOR_RED, NULL, label, path, 1);
  if (!s->w->has_internal)
    return;
  snprintf(path, sizeof path, "compare.%sstate_differs", scope);
  snprintf(label, sizeof label, "%.*s%sstate differs", (int)strcspn(scope, "."), scope,
           *scope != '\0' ? " " : "");
  put_row(s, ROW_BINARY, COLOR_RED, NULL, label, path, 1);
}

/* True if a state of the port differs in the first cycle in which any state differs. */
static bool is_first_wrong(const struct save *s, unsigned port)
{
  const struct hd_waves *w = s->w;
  for (size_t i = 0; w->first_state_cycle != UINT64_MAX && i < w->n_states; i++)
    if (w->states[i].port == port && w->states[i].first_differed == w->first_state_cycle)
      return true;
  return false;
}

static void put_port(struct save *s, unsigned port)
{
  const struct hd_waves *w = s->w;
  const bool here = s->has_port && port == s->d->port;
  const bool cause = port == s->cause || is_first_wrong(s, port);
  const bool open = here || cause || s->d->difference == HD_DIFF_NONE;
  const bool rtl = w->has_dut;
  const uint32_t flit_bits = hd_waves_flit_bits(w);
  char name[96], scope[16];

  snprintf(name, sizeof name, "port %u%s", port,
           here                                           ? ": the first difference"
           : cause                                        ? ": the first state to differ"
           : w->port_differed[port]                       ? " (differs)"
           : put_states(s, port, WHEN_BEFORE, false) != 0 ? " (state differs)"
                                                          : "");
  snprintf(scope, sizeof scope, "port%u.", port);
  group_begin(s, open, name);
  put_differs(s, scope);
  put_port_signal(s, port, ROW_FILTERED, "flits", "out_flit", flit_bits, rtl, true);
  put_port_signal(s, port, ROW_BINARY, NULL, "in_credit", w->params.vcs, rtl, true);
  if (w->params.barrier)
    put_port_signal(s, port, ROW_BINARY, NULL, "in_barrier_credit", 1, rtl, true);
  if (hd_switch_counts(&w->params))
    put_port_signal(s, port, ROW_BINARY, NULL, "in_count", HD_COUNT_BITS, rtl, true);
  put_input(s, port, ROW_FILTERED, "flits", "in_flit", flit_bits);
  put_input(s, port, ROW_BINARY, NULL, "out_credit", w->params.vcs);
  if (w->params.barrier)
    put_input(s, port, ROW_BINARY, NULL, "out_barrier_credit", 1);
  if (hd_switch_counts(&w->params))
    put_input(s, port, ROW_BINARY, NULL, "out_count", HD_COUNT_BITS);

  put_states(s, port, WHEN_BEFORE, true);
  put_state_group(s, port, WHEN_AFTER, false, " that differs later");
  /* without the DUT's state nothing can agree */
  put_state_group(s, port, WHEN_NEVER, here && !w->has_internal,
                  w->has_internal ? " that agrees" : "");
  snprintf(name, sizeof name, "port %u: wires", port);
  group_begin(s, false, name);
  for (int out = 0; out < 2; out++) {
    const char *const wires[] = {"valid", "kind", "vc", "data"};
    const uint32_t bits[] = {1, 3, w->vc_bits, w->params.data_bits};
    for (int i = 0; i < 4; i++) {
      snprintf(scope, sizeof scope, "%s_%s", out ? "out" : "in", wires[i]);
      put_port_signal(s, port,
                      i == 3   ? ROW_HEX
                      : i == 2 ? ROW_DECIMAL
                               : ROW_BINARY,
                      NULL, scope, bits[i], rtl, true);
    }
  }
  group_end(s, false, name);
  group_end(s, open, "");
}

static void put_switch(struct save *s)
{
  const struct hd_waves *w = s->w;

  if (w->clock[0] != '\0')
    put_row(s, ROW_BINARY, COLOR_NORMAL, NULL, "clk", w->clock, 1);
  put_row(s, ROW_DECIMAL, COLOR_NORMAL, NULL, "cycle", "compare.cycle", 48);
  put_row(s, ROW_SIGNED, COLOR_NORMAL, NULL, "offset", "compare.offset", 16);
  put_differs(s, "");
  put_pair(s, ROW_BINARY, NULL, "quiescent", "quiescent", 1, w->has_dut, true);
  put_states(s, HD_NO_PORT, WHEN_BEFORE, true);
  put_states(s, HD_NO_PORT, WHEN_AFTER, true);
  put_states(s, HD_NO_PORT, WHEN_NEVER, true);
}

/* ── head ──────────────────────────────────────────────────────────────────── */

/* `n` cycles before `cycle`, but not before the waves begin. */
static uint64_t earlier(const struct hd_waves *w, uint64_t cycle, uint64_t n)
{
  const uint64_t first = w->cycles[0].cycle;
  return cycle >= first + n ? cycle - n : first;
}

static void put_head(struct save *s, const char *title)
{
  const struct hd_waves *w = s->w;
  const uint64_t at = s->d->cycle;
  const uint64_t a = w->first_state_cycle != UINT64_MAX ? w->first_state_cycle : at;
  const uint64_t left = earlier(w, at, CYCLES_LEFT) < earlier(w, a, CYCLES_BESIDE_A)
                            ? earlier(w, at, CYCLES_LEFT)
                            : earlier(w, a, CYCLES_BESIDE_A);
  const uint64_t from_at = at - left + VISIBLE_CYCLES - CYCLES_LEFT,
                 from_a = a - left + CYCLES_BESIDE_A;
  const uint64_t needed = from_at > from_a ? from_at : from_a;
  /* a little more than needed, since the width of GTKWave's frames is not exactly known */
  const double visible = needed > VISIBLE_CYCLES ? (double)needed * 1.05 : VISIBLE_CYCLES;
  const double pixels = WINDOW_WIDTH - NAMES_WIDTH - FRAME_WIDTH;
  const double zoom = -log2(visible * HD_WAVES_CYCLE_PS * ZOOM_PIXELS / pixels);

  fprintf(s->f, "[*] %s\n", title);
  fprintf(s->f, "[dumpfile] \"/heddle/waves.fst\"\n[savefile] \"/heddle/waves.gtkw\"\n");
  fprintf(s->f, "[timestart] %" PRIu64 "\n", left * HD_WAVES_CYCLE_PS);
  fprintf(s->f, "[size] %d %d\n[pos] -1 -1\n", WINDOW_WIDTH, WINDOW_HEIGHT);
  fprintf(s->f, "*%f %" PRIu64, zoom, at * HD_WAVES_CYCLE_PS);
  if (w->first_state_cycle != UINT64_MAX)
    fprintf(s->f, " %" PRIu64, w->first_state_cycle * HD_WAVES_CYCLE_PS);
  fprintf(s->f, "\n");
  if (w->first_state_cycle != UINT64_MAX)
    fprintf(s->f, "[markername] A%s\n", w->first_state);
  fprintf(s->f, "[sst_width] %d\n[signals_width] %d\n[sst_expanded] 0\n", TREE_WIDTH, NAMES_WIDTH);
}

/* "label: flit" or "label: none". */
static void put_flit_comment(struct save *s, const char *label, bool has,
                             const struct hd_flit_event *flit)
{
  char name[HD_FLIT_NAME_SIZE] = "none", line[HD_FLIT_NAME_SIZE + 16];
  if (has)
    hd_flit_name(name, flit, &s->w->params);
  snprintf(line, sizeof line, "%s: %s", label, name);
  put_comment(s, line);
}

/* Writes the divergence in words. */
static void put_divergence(struct save *s)
{
  const struct hd_divergence *d = s->d;
  char line[320];
  const int n = snprintf(line, sizeof line, "cycle %" PRIu64 ", switch %" PRIu32, d->cycle, d->sw);
  char *const end = line + n;
  const size_t size = sizeof line - (size_t)n;

  switch (d->difference) {
  case HD_DIFF_FLIT:
    snprintf(end, size, ", port %u, vc %u: flits differ", d->port, d->vc);
    break;
  case HD_DIFF_CREDIT:
    snprintf(end, size, ", port %u: %scredits differ, %s %#x, rtl %#x", d->port,
             d->vc == HD_BARRIER_CREDIT ? "barrier "
             : d->vc == HD_COUNT_WIRES  ? "counts or "
                                        : "",
             reference(s), d->has_expected ? hd_credit_set(&d->expected_credit) : 0,
             d->has_got ? hd_credit_set(&d->got_credit) : 0);
    break;
  case HD_DIFF_QUIESCENT:
    snprintf(end, size, ": quiescent differs, %s %d, rtl %d", reference(s), d->expected_quiescent,
             d->got_quiescent);
    break;
  case HD_DIFF_ERRORS:
    snprintf(end, size, ": error registers differ, %s %#x, rtl %#x", reference(s),
             d->expected_errors, d->got_errors);
    break;
  case HD_DIFF_REGISTER:
    snprintf(end, size, ": register %s (0x%05" PRIx32 ") differs, %s %#x, rtl %#x",
             hd_register_name(d->address), d->address, reference(s), d->expected_errors,
             d->got_errors);
    break;
  case HD_DIFF_NONE:
    snprintf(line, sizeof line, "from cycle %" PRIu64 ", switch %" PRIu32, s->w->cycles[0].cycle,
             d->sw);
    break;
  case HD_DIFF_UNKNOWN:
  case HD_DIFF_NOT_RESET:
    snprintf(end, size, ": %c in %s", d->unknown.seen, d->unknown.name);
    break;
  case HD_DIFF_ASSERTION:
    snprintf(end, size, ": an assertion of the RTL failed");
    break;
  case HD_DIFF_RULE:
    snprintf(end, size, ": %s", d->broken.what);
    break;
  case HD_DIFF_PACKET:
  case HD_DIFF_BARRIER:
  case HD_DIFF_LOST:
    break;
  }
  put_comment(s, line);
  if (d->difference == HD_DIFF_FLIT) {
    put_flit_comment(s, reference(s), d->has_expected, &d->expected);
    put_flit_comment(s, "rtl", d->has_got, &d->got);
  }
}

static void put_rows(struct save *s, const char *title)
{
  const struct hd_waves *w = s->w;
  char line[160];

  put_comment(s, title);
  put_divergence(s);
  if (w->first_state_cycle != UINT64_MAX) {
    snprintf(line, sizeof line, "A: state differs first in cycle %" PRIu64 ": %s",
             w->first_state_cycle, w->first_state);
    put_comment(s, line);
  }
  if (!w->has_dut)
    put_comment(s, w->reference == HD_REFERENCE_ORIGINAL
                       ? "the DUT cannot be replayed: these are the original's waves"
                       : "the DUT cannot be replayed: these are the model's waves");
  else if (!w->has_internal)
    put_comment(s, w->reference == HD_REFERENCE_ORIGINAL
                       ? "the DUT shows its ports alone"
                       : "the DUT shows its ports alone: state is the model's");
  put_switch(s);
  if (s->has_port)
    put_port(s, s->d->port);
  if (s->cause != HD_NO_PORT && !(s->has_port && s->cause == s->d->port))
    put_port(s, s->cause);
  /* then ports whose state differs in that cycle, then ports with any difference, then all
   * others */
  for (int order = 2; order >= 0; order--)
    for (unsigned p = 0; p < w->params.ports; p++)
      if (!(s->has_port && p == s->d->port) && p != s->cause &&
          (is_first_wrong(s, p)  ? 2
           : w->port_differed[p] ? 1
                                 : 0) == order)
        put_port(s, p);
}

int hd_gtkw_write(const struct hd_waves *waves, const struct hd_divergence *divergence,
                  const char *title, const char *dir, struct hd_error *err)
{
  struct save s = {.w = waves, .d = divergence, .cause = HD_NO_PORT};
  char path[4096], surfer_path[4096], line[256];
  int status = write_filters(waves, dir, err);

  if (status != HD_OK)
    return status;
  s.has_port =
      (divergence->difference == HD_DIFF_FLIT || divergence->difference == HD_DIFF_CREDIT ||
       divergence->difference == HD_DIFF_UNKNOWN || divergence->difference == HD_DIFF_NOT_RESET ||
       divergence->difference == HD_DIFF_RULE) &&
      divergence->port < waves->params.ports;
  for (size_t i = 0; waves->first_state_cycle != UINT64_MAX && i < waves->n_states; i++)
    if (strcmp(waves->states[i].path, waves->first_state) == 0)
      s.cause = waves->states[i].port;
  snprintf(path, sizeof path, "%s/waves.gtkw", dir);
  snprintf(surfer_path, sizeof surfer_path, "%s/waves.sucl", dir);
  status = hd_file_create(path, &s.f, err);
  if (status != HD_OK)
    return status;
  status = hd_file_create(surfer_path, &s.surfer, err);
  if (status != HD_OK) {
    fclose(s.f);
    return status;
  }
  /* the title must stay on one line */
  snprintf(line, sizeof line, "%s", title);
  for (char *c = line; *c != '\0'; c++)
    if (*c > 0 && *c < ' ')
      *c = ' ';
  put_head(&s, line);
  put_surfer_head(&s);
  put_rows(&s, line);
  put_surfer_end(&s);
  status = finish(s.surfer, surfer_path, err);
  const int saved = finish(s.f, path, status == HD_OK ? err : NULL);
  return status != HD_OK ? status : saved;
}
