/* Compares a fabric at speed on a board with the model, window by window (§9.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "speed_internal.h"

#include "../export/export.h"
#include "../host/clock.h"
#include "../host/memory.h"
#include "../host/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  BYTE_BITS = 10, /* bits of a byte on the line */
  VIRTUAL_BYTE_CLOCKS = BYTE_BITS * HD_SPEED_CLOCKS_PER_BIT,
  FRAME_BYTES = 34, /* bytes of request and answer, without signatures */
  MARGIN = 2,       /* signatures use the line for at most half of the time */
  FIRST_PROGRESS_SECONDS = 2,
  PROGRESS_SECONDS = 10
};

struct speed {
  const struct hd_speed_options *options;
  struct hd_speed_result *result;
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_speed_model *model;
  struct speed_board board;
  uint32_t *board_signatures, *model_signatures; /* [signatures]: of the board, of the model */
  struct speed_file file;                        /* to record signatures, or to compare with */
};

/* Returns the clock cycles that the signatures of a window take on the line. */
static uint64_t line_clocks(const struct speed *s)
{
  const struct hd_speed_options *o = s->options;
  const uint32_t n = s->result->signatures, frames = (n + HD_SPEED_MOST - 1) / HD_SPEED_MOST;
  const uint64_t bytes = 4 * (uint64_t)n + (uint64_t)FRAME_BYTES * frames;
  if (!o->device)
    return bytes * VIRTUAL_BYTE_CLOCKS;
  return bytes * BYTE_BITS * s->result->clock_khz * 1000 / o->baud;
}

static uint32_t choose_k(const struct speed *s)
{
  uint32_t k = 0;
  if (s->options->k != HD_SPEED_K_AUTO)
    return (uint32_t)s->options->k;
  while (k < HD_SPEED_K_MOST && UINT64_C(1) << k < MARGIN * line_clocks(s))
    k++;
  return k;
}

static int plan(struct speed *s, struct hd_error *err)
{
  struct hd_speed_result *r = s->result;
  const uint64_t cycles = s->options->cycles ? s->options->cycles : s->scenario.run.cycles;
  r->clock_khz = s->board.about.clock_khz;
  r->build = s->board.about.build;
  if (!s->options->against)
    r->k = choose_k(s);
  r->windows = (cycles + (UINT64_C(1) << r->k) - 1) >> r->k;
  if (r->windows > UINT32_MAX)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu64 " windows of 2^%" PRIu32 " cycles; a board counts to 2^32, so choose "
                   "fewer cycles or longer windows",
                   r->windows, r->k);
  if (s->board.about.switches != r->switches || s->board.about.ports != r->ports ||
      s->board.about.lanes != r->lanes)
    return hd_fail(err, HD_E_INPUT,
                   "the board's fabric has %u switches of %u ports and %u lanes, the scenario's "
                   "%u, %u and %u; build the scenario's",
                   s->board.about.switches, s->board.about.ports, s->board.about.lanes, r->switches,
                   r->ports, r->lanes);
  return HD_OK;
}

/* Gets the expected signatures of the next window. Reads the board's signatures before the model
 * runs, because the board's memory is small. */
static int next_expected(struct speed *s, struct hd_error *err)
{
  const struct hd_speed_options *o = s->options;
  const uint32_t n = s->result->signatures;
  if (o->against)
    return hd_speed_file_read(&s->file, s->model_signatures, n, err);
  int status = hd_speed_board_drain(&s->board, o, err);
  if (!status)
    status = hd_speed_model_run(s->model, 1U << s->result->k, err);
  if (status)
    return status;
  memcpy(s->model_signatures, hd_speed_model_signatures(s->model), n * sizeof *s->model_signatures);
  return o->record ? hd_speed_file_write(&s->file, s->model_signatures, n, err) : HD_OK;
}

static int compare_window(struct speed *s, bool *overrun, struct hd_error *err)
{
  struct hd_speed_result *r = s->result;
  int status = next_expected(s, err);
  if (!status)
    status = hd_speed_board_read(&s->board, s->options, r->signatures, s->board_signatures, overrun,
                                 err);
  if (status || *overrun)
    return status;
  r->window = r->compared++;
  r->differs = memcmp(s->board_signatures, s->model_signatures,
                      r->signatures * sizeof *s->board_signatures) != 0;
  return HD_OK;
}

/* Finds the first differing cycle. With signatures from a file, the model runs up to the
 * differing window first. */
static int narrow(struct speed *s, struct hd_error *err)
{
  struct hd_speed_result *r = s->result;
  int status = HD_OK;
  for (uint64_t w = 0; s->options->against && w <= r->window && !status; w++)
    status = hd_speed_model_run(s->model, 1U << r->k, err);
  return status ? status
                : hd_speed_narrow(s->options, &s->board, s->model, r->window << r->k, r, err);
}

/* Reports progress after two seconds, then every ten seconds. */
static void report_progress(const struct speed *s, double seconds, double *next)
{
  const struct hd_backend_options *o = &s->options->build;
  const struct hd_speed_result *r = s->result;
  char line[120];
  if (!o->say || seconds < *next)
    return;
  snprintf(line, sizeof line, "%" PRIu64 " of %" PRIu64 " windows of 2^%" PRIu32 " cycles, %.0f s",
           r->compared, r->windows, r->k, seconds);
  o->say(o->context, line);
  *next += PROGRESS_SECONDS;
}

/* Adds to the error of a run that did not reach its end how many windows were compared. */
static void add_compared(const struct hd_speed_result *r, struct hd_error *err)
{
  const struct hd_error why = *err;
  if (r->compared && !r->differs)
    hd_fail(err, HD_E_IO,
            "%s; until then %" PRIu64 " of %" PRIu64 " windows of 2^%" PRIu32
            " cycles were compared, without a difference",
            why.text, r->compared, r->windows, r->k);
}

static int run_windows(struct speed *s, struct hd_error *err)
{
  struct hd_speed_result *r = s->result;
  const double began = hd_seconds_now();
  double next = FIRST_PROGRESS_SECONDS;
  int status =
      s->options->against ? hd_speed_file_open(&s->file, s->options->against, r, err) : HD_OK;
  if (!status)
    status = plan(s, err);
  if (!status && s->options->record)
    status = hd_speed_file_create(&s->file, s->options->record, r, err);
  if (!status)
    status = hd_speed_board_start(&s->board, 0, r->k, (uint32_t)r->windows, err);
  while (!status && !r->differs && !r->overrun && r->compared < r->windows) {
    status = compare_window(s, &r->overrun, err);
    report_progress(s, hd_seconds_now() - began, &next);
  }
  if (status)
    add_compared(r, err);
  r->seconds = hd_seconds_now() - began;
  r->bytes_out = s->board.link.bytes_out;
  r->bytes_in = s->board.link.bytes_in;
  if (!status && r->differs)
    status = narrow(s, err);
  r->resent = s->board.link.resent;
  hd_speed_model_packets(s->model, &r->sent, &r->received, &r->barriers);
  return status;
}

static int prepare(struct speed *s, struct hd_export_about *about, struct hd_error *err)
{
  const struct hd_speed_options *o = s->options;
  const struct hd_export_options export = {.scenario = o->scenario,
                                           .directory = o->directory,
                                           .settings = o->settings,
                                           .n_settings = o->n_settings,
                                           .name = "fabric",
                                           .signatures = true,
                                           .rtl_dir = o->rtl_dir,
                                           .clock_mhz = HD_EXPORT_CLOCK_MHZ,
                                           .replay_cycles = HD_EXPORT_REPLAY};
  struct hd_text told = {0};
  int status = hd_export_speed(&export, about, &told, err);
  hd_text_fini(&told);
  if (!status)
    status = hd_speed_scenario_read(&s->scenario, o->scenario, o->settings, o->n_settings, err);
  if (!status)
    status = hd_scenario_build(&s->scenario, &s->topology, &s->tables, err);
  if (!status)
    status = hd_speed_model_create(&s->model, &s->scenario, &s->topology, &s->tables, err);
  if (status)
    return status;
  struct hd_speed_result *r = s->result;
  r->nodes = s->topology.n_nodes;
  r->switches = s->topology.n_switches;
  r->ports = s->scenario.sw.ports;
  r->lanes = s->scenario.sw.data_bits / 16;
  r->signatures = hd_speed_signatures(&s->scenario, r->switches);
  s->board_signatures = hd_xcalloc(r->signatures, sizeof *s->board_signatures);
  s->model_signatures = hd_xcalloc(r->signatures, sizeof *s->model_signatures);
  return HD_OK;
}

int hd_speed(const struct hd_speed_options *options, struct hd_speed_result *result,
             struct hd_error *err)
{
  struct speed s = {.options = options, .result = result, .board.link.line.fd = -1};
  struct hd_export_about about;
  *result = (struct hd_speed_result){0};
  int status = prepare(&s, &about, err);
  if (!status)
    status = hd_speed_board_open(&s.board, options, about.name, about.build, err);
  if (!status)
    status = run_windows(&s, err);
  const int closed = hd_speed_file_close(&s.file, status ? NULL : err);
  status = status ? status : closed;
  hd_speed_board_close(&s.board);
  hd_speed_model_destroy(s.model);
  free(s.board_signatures);
  free(s.model_signatures);
  hd_tables_fini(&s.tables);
  hd_topology_fini(&s.topology);
  hd_scenario_fini(&s.scenario);
  return status;
}
