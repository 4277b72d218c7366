/* Streams of a check: one is played, and one that failed is made small and shown.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"
#include "check_stress.h"

#include "../host/file.h"
#include "streams/tape.h"

#include <inttypes.h>

int hd_check_read_tape(struct hd_check *c, struct hd_error *err)
{
  const char *path = c->params->stream_file;
  char *bytes = NULL;
  size_t length;
  if (!path)
    return HD_OK;
  int status = hd_file_read(path, &bytes, &length, err);
  if (!status) {
    hd_text_add(&c->definition, " stream %016" PRIx64, hd_hash_bytes(bytes, length, 1));
    status = hd_tape_read(&c->tape, path, err);
  }
  free(bytes);
  return status;
}

static int play(const struct hd_check *c, const struct hd_stream_case *stream,
                const struct hd_dut_ops *ops, struct hd_stream_result *result, struct hd_error *err)
{
  return c->tape ? hd_tape_play(c->tape, ops, result, err)
                 : hd_stream_play(stream, ops, "", result, err);
}

static const struct hd_switch_params *params_of(const struct hd_check *c,
                                                const struct hd_stream_case *stream)
{
  return c->tape ? hd_tape_params(c->tape) : &stream->params;
}

void hd_check_run_stream(struct hd_check *c, const struct check_run *run,
                         struct hd_task_outcome *outcome)
{
  const struct soak_common common = hd_check_common(c, run->kind);
  struct hd_stream_case stream = {.parts = 0};
  struct hd_stream_result result = {0};
  struct hd_coverage_set points = {.runs = 0};
  struct hd_error err = {""};
  char signature[64];
  if (!c->tape)
    hd_check_stream(c, run->index, &stream);
  const struct hd_dut_ops *ops;
  int opened = hd_soak_backend(&common, params_of(c, &stream), &ops, &err);
  if (opened) {
    hd_task_outcome_fail(outcome, opened, err.text, "does not build");
    return;
  }
  int status = play(c, &stream, ops, &result, &err);
  hd_check_put_count(outcome, "events", result.compared);
  hd_check_put_count(outcome, "switch_cycles", result.cycles);
  if (!c->tape)
    hd_coverage_add_stream(&points, &result.coverage, &stream.params);
  hd_check_put_points(outcome, &points);
  snprintf(signature, sizeof signature, "a stream into one switch: %s",
           hd_stream_difference_name(result.difference));
  if (status)
    hd_task_outcome_fail(outcome, status, status == HD_E_DIVERGENCE ? result.text : err.text,
                         status == HD_E_DIVERGENCE ? signature : hd_status_text(status));
  if (status && c->tape)
    hd_check_put_text(outcome, "file", c->params->stream_file);
  hd_soak_backends_close(&common);
}

/* ── one that failed ───────────────────────────────────────────────────────── */

/* Where what belongs to a stream is, and its name for people. */
struct place {
  char path[4200], out[4300], title[128];
};

static void place_of(const struct hd_check *c, const struct check_run *run, struct place *place)
{
  char name[64];
  const char *kind = hd_check_kind_name(run->kind); /* stream, or stress */
  snprintf(name, sizeof name, "small-%s-%" PRIu64 "-%" PRIu32, kind, c->params->seed, run->index);
  if (c->tape)
    snprintf(name, sizeof name, "stream");
  snprintf(place->path, sizeof place->path, "%s/%s.txt", c->directory, name);
  snprintf(place->out, sizeof place->out, "%s/%s-waves", c->directory, name);
  snprintf(place->title, sizeof place->title, "%s %" PRIu32 ", seed %" PRIu64, kind, run->index,
           c->params->seed);
  if (c->tape)
    snprintf(place->title, sizeof place->title, "stream of a file");
}

/* The stream that was drawn, as a tape. */
static int record(struct hd_check *c, const struct check_run *run, const struct hd_dut_ops *ops,
                  struct hd_tape **tape, struct hd_error *err)
{
  struct hd_stream_case stream;
  if (run->kind == CHECK_STRESS)
    return hd_check_stress_record(c, run, tape, err);
  hd_check_stream(c, run->index, &stream);
  return hd_tape_record(tape, &stream, ops, err);
}

static void put_small(const struct hd_tape *tape, const struct hd_tape_size *drawn,
                      const char *path, const struct hd_dut_ops *ops,
                      struct hd_task_outcome *outcome)
{
  const struct hd_tape_size small = hd_tape_size(tape);
  struct hd_stream_result result;
  struct hd_text told = {0};
  hd_text_add(&told,
              "%" PRIu64 " inputs, writes and reads to %" PRIu64 ", %" PRIu64 " cycles to %" PRIu64,
              drawn->inputs, small.inputs, drawn->cycles, small.cycles);
  hd_check_put_text(outcome, "file", path);
  hd_check_put_text(outcome, "small", hd_text_chars(&told));
  if (hd_tape_play(tape, ops, &result, NULL) == HD_E_DIVERGENCE)
    hd_check_put_text(outcome, "sentence", result.text);
  hd_text_fini(&told);
}

/* Makes the stream that was drawn small for some seconds, and writes it. Later it goes on with what was written.
 * Nothing is said where it shows nothing when it is played by itself. */
static int make_small(struct hd_check *c, const struct check_run *run, enum check_step step,
                      const struct hd_dut_ops *ops, const struct place *place,
                      struct hd_task_outcome *outcome, struct hd_error *err)
{
  const double seconds = hd_check_shrink_seconds(c, step);
  struct hd_tape *tape = NULL;
  int status = record(c, run, ops, &tape, err);
  if (status)
    return status;
  const struct hd_tape_size drawn = hd_tape_size(tape);
  if (step == CHECK_STEP_SMALL) {
    hd_tape_destroy(tape);
    status = hd_tape_read(&tape, place->path, err);
  }
  const double began = hd_campaign_now();
  if (!status)
    status = hd_tape_shrink(tape, ops, seconds, err);
  if (!status)
    status = hd_tape_write(tape, place->path, err);
  if (!status) {
    put_small(tape, &drawn, place->path, ops, outcome);
    hd_check_put_count(outcome, "unfinished",
                       step == CHECK_STEP_SMALL || hd_campaign_now() > began + seconds);
  }
  hd_tape_destroy(tape);
  return status == HD_E_NOTHING ? HD_OK : status;
}

static int explain(const struct hd_check *c, const struct place *place,
                   struct hd_task_outcome *outcome, struct hd_error *err)
{
  struct hd_tape *tape = NULL;
  if (c->tape) {
    hd_check_put_text(outcome, "file", c->params->stream_file);
    hd_check_explain_tape(c, c->tape, place->title, c->params->stream_file, place->out, outcome);
    return HD_OK;
  }
  int status = hd_tape_read(&tape, place->path, err);
  if (!status)
    hd_check_explain_tape(c, tape, place->title, place->path, place->out, outcome);
  hd_tape_destroy(tape);
  return status;
}

void hd_check_run_stream_step(struct hd_check *c, const struct check_run *run, enum check_step step,
                              struct hd_task_outcome *outcome)
{
  const struct soak_common common = hd_check_common(c, run->kind);
  struct hd_error err = {""};
  struct place place;
  const struct hd_dut_ops *ops;
  place_of(c, run, &place);
  if (step == CHECK_STEP_EXPLAIN || step == CHECK_STEP_EXPLAIN_SMALL) {
    outcome->status = explain(c, &place, outcome, &err);
    return;
  }
  outcome->status = hd_soak_backend(&common, &c->sets[run->set], &ops, &err);
  if (!outcome->status)
    outcome->status = make_small(c, run, step, ops, &place, outcome, &err);
  hd_soak_backends_close(&common);
}
