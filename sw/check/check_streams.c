/* Streams of a check: one is played, and one that failed is made small and shown.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"

#include "../../bridge/host/file.h"
#include "streams/tape.h"

#include <inttypes.h>
#include <sys/stat.h>

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

/* Records it, makes it small, and writes it. *tape NULL: it shows nothing when it is played by itself. */
static int make_small(const struct hd_check *c, const struct check_run *run,
                      const struct hd_dut_ops *ops, const char *path, struct hd_tape **tape,
                      struct hd_task_outcome *outcome, struct hd_error *err)
{
  struct hd_stream_case stream;
  struct hd_text told = {0};
  hd_check_stream(c, run->index, &stream);
  int status = hd_tape_record(tape, &stream, ops, err);
  if (status)
    return status;
  const struct hd_tape_size drawn = hd_tape_size(*tape);
  status = hd_tape_shrink(*tape, ops, c->params->shrink_seconds, err);
  if (status == HD_E_NOTHING) {
    hd_tape_destroy(*tape);
    *tape = NULL;
    return HD_OK;
  }
  if (!status)
    status = hd_tape_write(*tape, path, err);
  const struct hd_tape_size small = hd_tape_size(*tape);
  hd_text_add(&told,
              "%" PRIu64 " inputs, writes and reads to %" PRIu64 ", %" PRIu64 " cycles to %" PRIu64,
              drawn.inputs, small.inputs, drawn.cycles, small.cycles);
  if (!status) {
    hd_check_put_text(outcome, "file", path);
    hd_check_put_text(outcome, "small", hd_text_chars(&told));
  }
  hd_text_fini(&told);
  return status;
}

/* A switch that has waves is built, and shows the tape. What goes wrong then leaves waves and state out. */
static void show(const struct hd_check *c, const struct hd_tape *tape, const char *title,
                 const char *out, struct hd_task_outcome *outcome)
{
  const struct hd_backend_options options = {.rtl_dir = c->params->rtl_dir,
                                             .cache_dir = c->params->cache_dir};
  struct hd_backend backend = {0};
  struct hd_error err = {""};
  struct hd_explanation *explanation = calloc(1, sizeof *explanation);
  if (!explanation)
    return;
  hd_tree_remove(out, &err);
  if (!mkdir(out, 0777) &&
      !hd_backend_open(&backend, "verilator", hd_tape_params(tape), &options, &err)) {
    if (!hd_tape_show(tape, backend.ops, title, out, explanation, &err))
      hd_check_put_text(outcome, "waves", out);
    hd_check_put_inside(outcome, explanation);
    hd_backend_close(&backend);
  }
  hd_explanation_fini(explanation);
  free(explanation);
}

void hd_check_shrink_stream(struct hd_check *c, const struct check_run *run,
                            struct hd_task_outcome *outcome)
{
  const struct soak_common common = hd_check_common(c, run->kind);
  struct hd_tape *tape = NULL;
  struct hd_error err = {""};
  char name[64], path[4200], out[4300], title[128];
  const struct hd_dut_ops *ops;
  snprintf(name, sizeof name, "small-stream-%" PRIu64 "-%" PRIu32, c->params->seed, run->index);
  if (c->tape)
    snprintf(name, sizeof name, "stream");
  snprintf(path, sizeof path, "%s/%s.txt", c->directory, name);
  snprintf(out, sizeof out, "%s/%s-waves", c->directory, name);
  snprintf(title, sizeof title, "stream %" PRIu32 ", seed %" PRIu64, run->index, c->params->seed);
  if (c->tape)
    snprintf(title, sizeof title, "stream of a file");
  int status = HD_OK;
  if (!c->tape)
    status = hd_soak_backend(&common, &c->sets[run->set], &ops, &err);
  if (!status && !c->tape)
    status = make_small(c, run, ops, path, &tape, outcome, &err);
  if (!status && c->tape)
    hd_check_put_text(outcome, "file", c->params->stream_file);
  hd_soak_backends_close(&common);
  if (status == HD_E_IO || status == HD_E_NOMEM) {
    hd_task_outcome_fail(outcome, status, err.text, "cannot be shrunk");
    outcome->failed = false;
  }
  if (!status && (c->tape || tape))
    show(c, c->tape ? c->tape : tape, title, out, outcome);
  hd_tape_destroy(tape);
}
