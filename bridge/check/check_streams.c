/* Plays a stream of a check; makes a stream that failed small, and explains it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"
#include "check_stress.h"

#include "../host/clock.h"
#include "../host/file.h"
#include "streams/tape.h"

#include <inttypes.h>
#include <string.h>

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

static int play_stream(const struct hd_check *c, const struct hd_stream_case *stream,
                       const struct hd_dut_ops *ops, struct hd_stream_result *result,
                       struct hd_error *err)
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
  int status = play_stream(c, &stream, ops, &result, &err);
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

/* ── steps on a stream that failed ─────────────────────────────────────────── */

/* Paths of a stream's file and of its directory of waves, and its title. */
struct stream_files {
  char path[4200], out[4300], title[128];
};

static void name_files(const struct hd_check *c, const struct check_run *run,
                       struct stream_files *files)
{
  char name[64];
  const char *kind = hd_check_kinds[run->kind].name; /* stream, or stress */
  snprintf(name, sizeof name, "small-%s-%" PRIu64 "-%" PRIu32, kind, c->params->seed, run->index);
  if (c->tape)
    snprintf(name, sizeof name, "stream");
  snprintf(files->path, sizeof files->path, "%s/%s.txt", c->directory, name);
  snprintf(files->out, sizeof files->out, "%s/%s-waves", c->directory, name);
  snprintf(files->title, sizeof files->title, "%s %" PRIu32 ", seed %" PRIu64, kind, run->index,
           c->params->seed);
  if (c->tape)
    snprintf(files->title, sizeof files->title, "stream of a file");
}

/* Records the drawn stream as a tape. */
static int record_drawn(struct hd_check *c, const struct check_run *run,
                        const struct hd_dut_ops *ops, struct hd_tape **tape, struct hd_error *err)
{
  struct hd_stream_case stream;
  if (run->kind == CHECK_STRESS)
    return hd_check_stress_record(c, run, tape, err);
  hd_check_stream(c, run->index, &stream);
  return hd_tape_record(tape, &stream, ops, err);
}

static void add_params(const struct hd_switch_params *p, struct hd_text *text)
{
  hd_text_add(text, "%" PRIu32 " ports of %" PRIu32 " channels of %" PRIu32 " flits", p->ports,
              p->vcs, p->depth_flits);
}

static void put_small(const struct hd_check *c, const struct check_run *run,
                      const struct hd_tape *tape, const struct hd_tape_size *drawn,
                      const char *path, const struct hd_dut_ops *ops,
                      struct hd_task_outcome *outcome)
{
  const struct hd_tape_size small = hd_tape_size(tape);
  struct hd_stream_result result;
  struct hd_text sizes = {0};
  hd_text_add(&sizes,
              "%" PRIu64 " inputs, writes and reads to %" PRIu64 ", %" PRIu64 " cycles to %" PRIu64,
              drawn->inputs, small.inputs, drawn->cycles, small.cycles);
  if (memcmp(hd_tape_params(tape), &c->sets[run->set], sizeof *c->sets)) {
    hd_text_add(&sizes, ", ");
    add_params(&c->sets[run->set], &sizes);
    hd_text_add(&sizes, " to ");
    add_params(hd_tape_params(tape), &sizes);
  }
  hd_check_put_text(outcome, "file", path);
  hd_check_put_text(outcome, "small", hd_text_chars(&sizes));
  if (hd_tape_play(tape, ops, &result, NULL) == HD_E_DIVERGENCE)
    hd_check_put_text(outcome, "sentence", result.text);
  hd_text_fini(&sizes);
}

/* Returns the tape for a switch of these parameters. NULL: it does not show the same difference there. */
static struct hd_tape *refit_tape(const struct hd_check *c, const struct hd_tape *tape,
                                  const struct hd_tape_dut *dut,
                                  const struct hd_switch_params *params, bool quick, double until)
{
  struct hd_backend backend = {0};
  struct hd_tape *smaller = hd_tape_refit(tape, params);
  bool differs = false;
  if (!hd_check_open(c, quick, params, &backend, NULL)) {
    const struct hd_tape_dut other = {backend.ops, backend.options};
    differs = hd_tape_fails_as(smaller, tape, &other, dut, until);
    hd_backend_close(&backend);
  }
  if (differs)
    return smaller;
  hd_tape_destroy(smaller);
  return NULL;
}

/* Applies the changes [from, to) to the tape's parameters. False: nothing changes, or there is no such switch. */
static bool apply_changes(const struct hd_tape *tape, uint32_t from, uint32_t to,
                          struct hd_switch_params *params)
{
  *params = *hd_tape_params(tape);
  for (uint32_t i = from; i < to && hd_tape_smaller_params(tape, i, params); i++)
    continue;
  return memcmp(params, hd_tape_params(tape), sizeof *params) &&
         !hd_switch_params_check(params, NULL);
}

/* Makes parameters of the switch smaller: tries all changes at once, then half of them, … then each alone. Small tapes
 * are played in Icarus, which builds a switch within a second. */
static void smaller_switch(const struct hd_check *c, struct hd_tape **tape,
                           const struct hd_tape_dut *dut, double until)
{
  const bool quick = hd_check_is_quick(c, *tape);
  const struct hd_switch_params before = *hd_tape_params(*tape);
  struct hd_switch_params params, unused = before;
  struct hd_tape *first = *tape, *last = NULL;
  uint32_t n = 0;
  while (hd_tape_smaller_params(*tape, n, &unused))
    n++;
  for (uint32_t chunk = n; chunk; chunk /= 2)
    for (uint32_t from = 0; from < n && hd_seconds_now() < until; from += chunk) {
      if (!apply_changes(*tape, from, from + chunk, &params))
        continue;
      struct hd_tape *smaller = refit_tape(c, first, dut, &params, quick, until);
      if (!smaller)
        continue;
      hd_tape_destroy(last);
      *tape = last = smaller;
    }
  /* A difference in Icarus may be one between x and a value only, so Verilator must show it, too. */
  if (last && quick) {
    params = *hd_tape_params(last);
    hd_tape_destroy(last);
    last = refit_tape(c, first, dut, &params, false, 0);
  }
  *tape = last ? last : first;
  if (last)
    hd_tape_destroy(first);
}

/* Writes the tape as it is: without a model, nothing says whether neighbours keep the rules in a part of it. */
static int write_whole(const struct hd_tape *tape, const struct stream_files *files,
                       struct hd_task_outcome *outcome, struct hd_error *err)
{
  const int status = hd_tape_write(tape, files->path, err);
  if (!status)
    hd_check_put_text(outcome, "file", files->path);
  return status;
}

/* Makes the drawn stream small for some seconds, and writes it. A later search goes on from the written stream, and tries
 * smaller switches. Where the stream shows no difference when it is played alone, nothing is put. */
static int make_small(struct hd_check *c, const struct check_run *run, enum check_step step,
                      const struct hd_dut_ops *ops, const struct stream_files *files,
                      struct hd_task_outcome *outcome, struct hd_error *err)
{
  const struct soak_common common = hd_check_common(c, run->kind);
  const bool later = step == CHECK_STEP_SMALL;
  struct hd_tape *tape = NULL;
  int status = record_drawn(c, run, ops, &tape, err);
  if (status)
    return status;
  if (c->params->foreign) {
    status = write_whole(tape, files, outcome, err);
    hd_tape_destroy(tape);
    return status;
  }
  const struct hd_tape_size drawn = hd_tape_size(tape);
  if (later) {
    hd_tape_destroy(tape);
    status = hd_tape_read(&tape, files->path, err);
  }
  const double until = hd_seconds_now() + hd_check_shrink_seconds(c, step);
  const struct hd_tape_size first = status ? drawn : hd_tape_size(tape);
  if (!status)
    status = hd_tape_shrink(tape, ops, until - hd_seconds_now(), err);
  if (!status && later) {
    const struct hd_backend *backend = hd_soak_backend_of(&common, ops);
    const struct hd_tape_dut dut = {ops, backend ? backend->options : NULL};
    smaller_switch(c, &tape, &dut, until);
    status = hd_soak_backend(&common, hd_tape_params(tape), &ops, err);
    if (!status && hd_seconds_now() < until)
      status = hd_tape_shrink(tape, ops, until - hd_seconds_now(), err);
  }
  if (!status)
    status = hd_tape_write(tape, files->path, err);
  if (!status) {
    const struct hd_tape_size last = hd_tape_size(tape);
    put_small(c, run, tape, &drawn, files->path, ops, outcome);
    hd_check_put_count(outcome, "unfinished",
                       !later || last.inputs != first.inputs || last.cycles != first.cycles ||
                           memcmp(hd_tape_params(tape), &c->sets[run->set], sizeof *c->sets));
  }
  hd_tape_destroy(tape);
  return status == HD_E_NOTHING ? HD_OK : status;
}

static int explain_stream(const struct hd_check *c, const struct check_run *run,
                          const struct stream_files *files, struct hd_task_outcome *outcome,
                          struct hd_error *err)
{
  struct hd_tape *tape = NULL;
  if (c->tape) {
    hd_check_put_text(outcome, "file", c->params->stream_file);
    hd_check_explain_tape(c, run, c->tape, files->title, c->params->stream_file, files->out,
                          outcome);
    return HD_OK;
  }
  int status = hd_tape_read(&tape, files->path, err);
  if (!status)
    hd_check_explain_tape(c, run, tape, files->title, files->path, files->out, outcome);
  hd_tape_destroy(tape);
  return status;
}

void hd_check_run_stream_step(struct hd_check *c, const struct check_run *run, enum check_step step,
                              struct hd_task_outcome *outcome)
{
  const struct soak_common common = hd_check_common(c, run->kind);
  struct hd_error err = {""};
  struct stream_files files;
  const struct hd_dut_ops *ops;
  name_files(c, run, &files);
  if (step == CHECK_STEP_EXPLAIN || step == CHECK_STEP_EXPLAIN_SMALL) {
    outcome->status = explain_stream(c, run, &files, outcome, &err);
    return;
  }
  outcome->status = hd_soak_backend(&common, &c->sets[run->set], &ops, &err);
  if (!outcome->status)
    outcome->status = make_small(c, run, step, ops, &files, outcome, &err);
  hd_soak_backends_close(&common);
}
