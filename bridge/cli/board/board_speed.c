/* heddle board speed: compares a fabric that runs at the board's clock with the model.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_speed.h"

#include "../cli.h"

#include "../../host/memory.h"
#include "../../host/text.h"
#include "../../render/render.h"
#include "../../run/directory.h"

#include <inttypes.h>
#include <stdlib.h>

enum { WAVES_BEFORE = 40, WAVES_AFTER = 10 };

/* ── differences in words ────────────────────────────────────────────────────── */

static void add_word(const struct hd_speed_result *r, uint32_t signature, uint32_t word,
                     struct hd_text *t)
{
  const uint32_t lane = signature % r->lanes, credits = word >> 23 & 0xff;
  const char *between = "";
  if (signature == r->ports * r->lanes) {
    hd_text_add(t, "quiescent_o %" PRIu32 ", counts 0x%" PRIx32, word & 1, word >> 1);
    return;
  }
  if (lane) {
    hd_text_add(t, "data 0x%04" PRIx32, word & 0xffff);
    return;
  }
  if (word >> 22 & 1) {
    hd_text_add(t, "flit vc %" PRIu32 " kind %" PRIu32 " data 0x%04" PRIx32, word >> 19 & 7,
                word >> 16 & 7, word & 0xffff);
    between = ", ";
  }
  if (credits)
    hd_text_add(t, "%scredit set 0x%" PRIx32, between, credits);
  else if (!*between)
    hd_text_add(t, "nothing");
}

static void add_place(const struct hd_speed_result *r, const struct hd_speed_difference *d,
                      struct hd_text *t)
{
  hd_text_add(t, "switch %" PRIu32, d->sw);
  if (d->signature < r->ports * r->lanes)
    hd_text_add(t, " port %" PRIu32, d->signature / r->lanes);
  if (d->signature % r->lanes)
    hd_text_add(t, " lane %" PRIu32, d->signature % r->lanes);
}

/* ── text ──────────────────────────────────────────────────────────────────── */

static void add_waves(const struct hd_speed_options *o, const struct hd_speed_result *r,
                      struct hd_text *t)
{
  const uint64_t from = r->cycle > WAVES_BEFORE ? r->cycle - WAVES_BEFORE : 0;
  hd_text_add(t,
              "  waves               cd %s && iverilog -g2005 -f fabric.f fabric_tb.v -s fabric_tb "
              "-o sim && vvp -N sim +from=%" PRIu64 " +to=%" PRIu64 "\n",
              o->directory, from, r->cycle + WAVES_AFTER);
  hd_text_add(t, "  the switch alone    heddle run %s --set software.parameters.cycles=0",
              o->scenario);
  for (size_t i = 0; i < o->n_settings; i++)
    hd_text_add(t, " --set %s=%s", o->settings[i].path, o->settings[i].value);
  /* The difference may be within the warm-up, in which a run must not end. */
  hd_text_add(t, " --set run.warmup_cycles=0 --cycles %" PRIu64 " --dut verilator%s%s\n",
              r->cycle + WAVES_AFTER, o->rtl_dir ? " --rtl " : "", o->rtl_dir ? o->rtl_dir : "");
}

static void add_difference(const struct hd_speed_options *o, const struct hd_speed_result *r,
                           struct hd_text *t)
{
  const uint64_t first = r->window << r->k, last = ((r->window + 1) << r->k) - 1;
  if (r->unsteady && o->against) {
    hd_text_add(t,
                "window %" PRIu64 " (cycles %" PRIu64 " to %" PRIu64
                ") is not that of %s, but it is the model's: that file is of another scenario, or "
                "of a run that was not right\n",
                r->window, first, last, o->against);
    return;
  }
  if (r->unsteady) {
    hd_text_add(t,
                "the board does not repeat itself: window %" PRIu64 " (cycles %" PRIu64
                " to %" PRIu64
                ") differed, and agreed when it was played again in parts; look at its clock, its "
                "power and its timing margin\n",
                r->window, first, last);
    return;
  }
  hd_text_add(t,
              "DIVERGENCE in window %" PRIu64 " (cycles %" PRIu64 " to %" PRIu64
              "), first in cycle %" PRIu64 ", found in %" PRIu64 " more starts\n",
              r->window, first, last, r->cycle, r->runs);
  for (uint32_t i = 0; i < r->n_differences && i < HD_SPEED_DIFFERENCES; i++) {
    const struct hd_speed_difference *d = &r->differences[i];
    hd_text_add(t, "  ");
    add_place(r, d, t);
    hd_text_add(t, ": ");
    add_word(r, d->signature, d->board, t);
    hd_text_add(t, "; the model: ");
    add_word(r, d->signature, d->model, t);
    hd_text_add(t, "\n");
  }
  if (r->n_differences > HD_SPEED_DIFFERENCES)
    hd_text_add(t, "  and %" PRIu32 " more signatures\n", r->n_differences - HD_SPEED_DIFFERENCES);
  add_waves(o, r, t);
}

/* Returns why nothing was compared; NULL: something was. With --against, no model counts
 * packets. */
static const char *why_nothing_compared(const struct hd_speed_options *o,
                                        const struct hd_speed_result *r)
{
  return !r->compared              ? "nothing was compared"
         : !o->against && !r->sent ? "nothing was compared: no packet was sent in these cycles"
                                   : NULL;
}

static void add_text(const struct hd_speed_options *o, const struct hd_speed_result *r,
                     struct hd_text *t)
{
  const double cycles = (double)(r->compared << r->k);
  if (r->differs)
    add_difference(o, r, t);
  else
    hd_text_add(t, "%s: %s\n", o->scenario,
                why_nothing_compared(o, r) ? why_nothing_compared(o, r)
                : o->against ? "all signatures that were compared are those of the file"
                             : "all signatures that were compared are the model's");
  hd_text_add(t, "  fabric              %" PRIu32 " nodes, %" PRIu32 " switches", r->nodes,
              r->switches);
  if (r->sent)
    hd_text_add(t, "; %" PRIu64 " packets sent, %" PRIu64 " received in the model's run", r->sent,
                r->received);
  if (r->barriers)
    hd_text_add(t, ", %" PRIu64 " barriers", r->barriers);
  hd_text_add(t, "\n  board               %s, %.3f MHz, build %016" PRIx64 "\n",
              o->device ? o->device : "virtual", r->clock_khz / 1000.0, r->build);
  hd_text_add(t,
              "  compared            %" PRIu64 " of %" PRIu64 " windows of 2^%" PRIu32
              " cycles: %.0f cycles, %" PRIu32 " signatures each\n",
              r->compared, r->windows, r->k, cycles, r->signatures);
  if (r->overrun)
    hd_text_add(t, "  overrun             the line is too slow for these windows: the rest was "
                   "not taken; say a larger --window\n");
  if (r->compared)
    hd_text_add(t,
                "  line                %" PRIu64 " bytes to the board, %" PRIu64
                " back: %.0f a million cycles; %" PRIu64 " requests sent again\n"
                "  time                %.2f s, %.4g cycles/s\n",
                r->bytes_out, r->bytes_in, (double)(r->bytes_out + r->bytes_in) / cycles * 1e6,
                r->resent, r->seconds, cycles / r->seconds);
  hd_text_add(t, "  RTL                 %s\n", o->directory);
}

/* ── JSON ──────────────────────────────────────────────────────────────────── */

#define RESULT_COLUMNS(X)                                         \
  X("scenario", TEXT, NULL, o->scenario, true)                    \
  X("board", TEXT, NULL, o->device ? o->device : "virtual", true) \
  X("build", HEX, NULL, r->build, true)                           \
  X("clock_khz", COUNT, NULL, r->clock_khz, true)                 \
  X("nodes", COUNT, NULL, r->nodes, true)                         \
  X("switches", COUNT, NULL, r->switches, true)                   \
  X("signatures", COUNT, NULL, r->signatures, true)               \
  X("log2_window_cycles", COUNT, NULL, r->k, true)                \
  X("windows", COUNT, NULL, r->windows, true)                     \
  X("windows_compared", COUNT, NULL, r->compared, true)           \
  X("packets_sent", COUNT, NULL, r->sent, true)                   \
  X("packets_received", COUNT, NULL, r->received, true)           \
  X("barriers", COUNT, NULL, r->barriers, true)                   \
  X("bytes_out", COUNT, NULL, r->bytes_out, true)                 \
  X("bytes_in", COUNT, NULL, r->bytes_in, true)                   \
  X("seconds", REAL, NULL, r->seconds, true)                      \
  X("overrun", FLAG, NULL, r->overrun, true)                      \
  X("differs", FLAG, NULL, r->differs, true)                      \
  X("repeats", FLAG, NULL, !r->unsteady, r->differs)              \
  X("window", COUNT, NULL, r->window, r->differs)                 \
  X("cycle", COUNT, NULL, r->cycle, r->differs && !r->unsteady)   \
  X("starts_to_narrow", COUNT, NULL, r->runs, r->differs)

#define DIFFERENCE_COLUMNS(X)                                                         \
  X("switch", COUNT, NULL, d->sw, true)                                               \
  X("port", COUNT, NULL, d->signature / r->lanes, d->signature < r->ports * r->lanes) \
  X("lane", COUNT, NULL, d->signature % r->lanes, d->signature < r->ports * r->lanes) \
  X("board", HEX, NULL, d->board, true)                                               \
  X("model", HEX, NULL, d->model, true)

static void print_json(const struct hd_speed_options *o, const struct hd_speed_result *r)
{
  static const struct hd_column columns[] = {RESULT_COLUMNS(HD_PLAIN_COLUMN)},
                                differences[] = {DIFFERENCE_COLUMNS(HD_PLAIN_COLUMN)};
  json_t *json = hd_json_row(HD_COLUMNS(columns), HD_PLAIN_ROW(RESULT_COLUMNS)),
         *list = json_array();
  for (uint32_t i = 0; i < r->n_differences && i < HD_SPEED_DIFFERENCES; i++) {
    const struct hd_speed_difference *d = &r->differences[i];
    json_array_append_new(list,
                          hd_json_row(HD_COLUMNS(differences), HD_PLAIN_ROW(DIFFERENCE_COLUMNS)));
  }
  json_object_set_new(json, "differences", list);
  json_dumpf(json, stdout, JSON_INDENT(2));
  printf("\n");
  json_decref(json);
}

static int code_of(const struct hd_speed_options *o, const struct hd_speed_result *r)
{
  return r->differs                   ? HD_EXIT_DIVERGENCE
         : why_nothing_compared(o, r) ? HD_EXIT_NOTHING
         : r->overrun                 ? HD_EXIT_IO
                                      : HD_EXIT_OK;
}

int hd_board_speed(struct hd_speed_options *o, const char *out, bool json)
{
  struct hd_speed_result r;
  struct hd_text text = {0};
  struct hd_error err = {.text = ""};
  char *directory = NULL, *fabric = NULL;
  int status = hd_run_directory(out, "speed", &directory, &err);
  if (!status) {
    fabric = hd_xasprintf("%s/fabric", directory);
    o->directory = fabric;
    status = hd_speed(o, &r, &err);
  }
  if (!status && json)
    print_json(o, &r);
  if (!status && !json) {
    add_text(o, &r, &text);
    hd_cli_print(0, &text);
  }
  free(fabric);
  free(directory);
  return status ? hd_cli_fail(status, &err) : hd_cli_close_output(code_of(o, &r));
}
