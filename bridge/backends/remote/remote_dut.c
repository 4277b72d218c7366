/* DUT contract for switches in processes of a simulator (remote.h).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled into the shared object that heddle loads. The compiler's command line defines the
 * parameters as HD_PORTS, HD_VCS, …, and HD_ABOUT, the simulator's version. A simulator's own file
 * defines its options, its command line and the table of operations.
 */
#include "remote_dut.h"

#include "../../../cmodel/grow.h"
#include "../../job_cursor.h"
#include "../rtl/built_params.h"
#include "remote_host.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hd_dut {
  struct hd_remote remote;
  uint32_t count;
  bool every_cycle;
  int64_t traced; /* switch whose waves the process of slot `count` writes; −1: none */
  char waves[PATH_MAX];
};

/* Sends a command to all switches and waits for all answers. */
static int command_all(struct hd_dut *dut, enum hd_remote_command command, struct hd_error *err)
{
  int status = 0;
  for (uint32_t sw = 0; sw < dut->count; sw++)
    hd_remote_post(&dut->remote, sw, command);
  for (uint32_t sw = 0; !status && sw < dut->count; sw++)
    status = hd_remote_wait(&dut->remote, sw, err);
  return status;
}

int hd_remote_dut_reset(struct hd_dut *dut, struct hd_error *err)
{
  int status = hd_remote_dut_trace_close(dut, err);
  return status ? status : command_all(dut, HD_REMOTE_RESET, err);
}

void hd_remote_dut_destroy(struct hd_dut *dut)
{
  if (!dut)
    return;
  hd_remote_dut_trace_close(dut, NULL);
  hd_remote_keep_printed(&dut->remote);
  hd_remote_stop(&dut->remote);
  free(dut);
}

/* ── create ─────────────────────────────────────────────────────────────────── */

static int check_parameters(const struct hd_switch_params *p, struct hd_error *err)
{
  if (!hd_built_for(p))
    return hd_fail(err, HD_E_INPUT,
                   "this shared object was built for other switch parameters; open it by "
                   "the backend's name, which builds what is needed");
  return 0;
}

int hd_remote_dut_options(struct hd_remote_dut_options *o, const char *backend, unsigned takes,
                          const char *text, struct hd_error *err)
{
  int status = hd_options_check(backend, takes, text, err);
  for (const char *p = text; *p && !status;) {
    size_t n = strcspn(p, ",");
    unsigned kind = hd_option_kind(p, n);
    o->every_cycle |= kind == HD_OPTION_EVERY_CYCLE;
    o->two_state |= kind == HD_OPTION_TWO_STATE;
    if (kind == HD_OPTION_PATIENCE)
      o->patience = hd_option_patience(p, n);
    if (kind == HD_OPTION_PLUSARG)
      snprintf(o->plusargs[o->n_plusargs++], sizeof *o->plusargs, "%.*s", (int)n, p);
    p += n + (p[n] == ',');
  }
  return status;
}

int hd_remote_dut_directory(char *path, size_t size, struct hd_error *err)
{
  Dl_info info;
  if (!dladdr(HD_ABOUT, &info) || !info.dli_fname || strlen(info.dli_fname) >= size)
    return hd_fail(err, HD_E_INTERNAL, "cannot find the path of this backend's shared object");
  strcpy(path, info.dli_fname);
  char *slash = strrchr(path, '/');
  if (slash)
    *slash = '\0';
  else
    strcpy(path, ".");
  return 0;
}

static int start_switches(struct hd_dut *dut, const struct hd_remote_program *program,
                          const struct hd_switch_params *params,
                          const struct hd_remote_dut_options *options, struct hd_error *err)
{
  int status =
      hd_remote_start(&dut->remote, program, params, dut->count + 1, options->two_state, err);
  if (status)
    return status;
  if (options->patience > 0)
    dut->remote.patience = options->patience;
  for (uint32_t sw = 0; !status && sw < dut->count; sw++)
    status = hd_remote_fork(&dut->remote, sw, err);
  return status ? status : command_all(dut, HD_REMOTE_RESET, err);
}

int hd_remote_dut_create(struct hd_dut **out, const struct hd_remote_program *program,
                         const struct hd_switch_params *params, uint32_t count,
                         const struct hd_remote_dut_options *options, struct hd_error *err)
{
  *out = NULL;
  int status = check_parameters(params, err);
  if (status)
    return status;
  struct hd_dut *dut = calloc(1, sizeof *dut);
  if (!dut)
    return hd_fail(err, HD_E_NOMEM, "out of memory for %u switches", count);
  dut->count = count;
  dut->traced = -1;
  dut->every_cycle = options->every_cycle;
  status = start_switches(dut, program, params, options, err);
  if (status)
    hd_remote_dut_destroy(dut);
  else
    *out = dut;
  return status;
}

/* ── configuration ──────────────────────────────────────────────────────────── */

/* Returns a switch's slot. While its waves are written, the process of slot `count` simulates
 * it. */
static uint32_t slot_of(const struct hd_dut *dut, uint32_t sw)
{
  return dut->traced == sw ? dut->count : sw;
}

int hd_remote_dut_config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                               struct hd_error *err)
{
  struct hd_remote_slot *slot = hd_remote_slot(dut->remote.head, slot_of(dut, sw));
  slot->addr = addr;
  slot->data = data;
  return hd_remote_ask(&dut->remote, slot_of(dut, sw), HD_REMOTE_WRITE, err);
}

int hd_remote_dut_config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                              struct hd_error *err)
{
  struct hd_remote_slot *slot = hd_remote_slot(dut->remote.head, slot_of(dut, sw));
  slot->addr = addr;
  int status = hd_remote_ask(&dut->remote, slot_of(dut, sw), HD_REMOTE_READ, err);
  if (!status)
    *data = slot->data;
  return status;
}

int hd_remote_dut_config_unknown(struct hd_dut *dut, uint32_t sw, uint16_t *bits,
                                 struct hd_error *err)
{
  (void)err;
  *bits = hd_remote_slot(dut->remote.head, slot_of(dut, sw))->unknown_bits;
  return 0;
}

int hd_remote_dut_make_two_state(struct hd_dut *dut, uint32_t sw, struct hd_error *err)
{
  return hd_remote_ask(&dut->remote, slot_of(dut, sw), HD_REMOTE_TWO_STATE, err);
}

/* ── windows ────────────────────────────────────────────────────────────────── */

/* How much of a job has been sent, in pieces of HD_REMOTE_CHUNK cycles. */
struct progress {
  uint32_t done; /* cycles */
  struct hd_cursor in;
};

/* Copies the events of cycles [from, to) from a list. Makes the caller return false if they are out
 * of order or do not fit. */
#define TAKE(list, n, at, into, room, from, to)             \
  do {                                                      \
    uint32_t least = (from);                                \
    for (; (at) < (n) && (list)[at].cycle < (to); (at)++) { \
      if ((list)[at].cycle < least || taken == (room))      \
        return false;                                       \
      least = (list)[at].cycle;                             \
      (into)[taken] = (list)[at];                           \
      (into)[taken++].cycle -= (from);                      \
    }                                                       \
  } while (0)

/* Copies the next piece of a job to its slot. False: its events are out of order, or more than
 * ports can carry. */
static bool put_piece(struct hd_dut *dut, const struct hd_dut_job *job, struct progress *at)
{
  const uint32_t number = slot_of(dut, job->sw), from = at->done;
  uint32_t to = job->cycles - from > HD_REMOTE_CHUNK ? from + HD_REMOTE_CHUNK : job->cycles;
  struct hd_remote_slot *slot = hd_remote_slot(dut->remote.head, number);
  const struct hd_dut_job in = hd_remote_job(dut->remote.head, number);
  struct hd_flit_event *flits = (struct hd_flit_event *)(uintptr_t)in.flits_in;
  struct hd_credit_event *credits = (struct hd_credit_event *)(uintptr_t)in.credits_in;
  struct hd_config_event *configs = (struct hd_config_event *)(uintptr_t)in.configs_in;
  slot->job = (struct hd_dut_job){.sw = job->sw,
                                  .cycles = to - from,
                                  .start = job->start + from,
                                  .every_cycle = dut->every_cycle || job->every_cycle,
                                  .idle_pins = job->idle_pins};
  slot->unknown.seen = 0;
  uint32_t taken = 0;
  TAKE(job->flits_in, job->n_flits_in, at->in.flit, flits, in.cap_flits_out, from, to);
  slot->job.n_flits_in = taken;
  taken = 0;
  TAKE(job->credits_in, job->n_credits_in, at->in.credit, credits, in.cap_credits_out, from, to);
  slot->job.n_credits_in = taken;
  taken = 0;
  TAKE(job->configs_in, job->n_configs_in, at->in.config, configs, HD_REMOTE_CHUNK, from, to);
  slot->job.n_configs_in = taken;
  at->done = to;
  return true;
}

/* Adds the outputs of a piece, which began in cycle `from`, to the job. */
static void take_piece(struct hd_dut *dut, struct hd_dut_job *job, uint32_t from)
{
  const uint32_t number = slot_of(dut, job->sw);
  const struct hd_remote_slot *slot = hd_remote_slot(dut->remote.head, number);
  const struct hd_dut_job out = hd_remote_job(dut->remote.head, number);
  if (!from)
    job->quiescent = out.quiescent;
  for (uint32_t i = 0; i < out.n_flits_out; i++)
    if (job->n_flits_out < job->cap_flits_out) {
      job->flits_out[job->n_flits_out] = out.flits_out[i];
      job->flits_out[job->n_flits_out++].cycle += from;
    } else {
      job->lost++;
    }
  for (uint32_t i = 0; i < out.n_credits_out; i++)
    if (job->n_credits_out < job->cap_credits_out) {
      job->credits_out[job->n_credits_out] = out.credits_out[i];
      job->credits_out[job->n_credits_out++].cycle += from;
    } else {
      job->lost++;
    }
  for (uint32_t i = 0; i < out.n_toggles; i++)
    if (job->n_toggles < job->cap_toggles)
      job->toggles[job->n_toggles++] = out.toggles[i] + from;
    else
      job->lost++;
  job->evaluated_cycles += out.evaluated_cycles;
  if (out.assertion.failed && !job->assertion.failed) {
    job->assertion = out.assertion;
    job->assertion.cycle += from;
  }
  if (job->unknown && !job->unknown->seen && slot->unknown.seen) {
    *job->unknown = slot->unknown;
    job->unknown->cycle += from;
  }
}

static int run_piece(struct hd_dut *dut, struct hd_dut_job *job, struct progress *at,
                     uint32_t *from, struct hd_error *err)
{
  *from = at->done;
  if (put_piece(dut, job, at)) {
    hd_remote_post(&dut->remote, slot_of(dut, job->sw), HD_REMOTE_RUN);
    return 0;
  }
  return hd_fail(err, HD_E_INPUT,
                 "switch %u: input events out of order, or more than ports can carry", job->sw);
}

/* Number of switches that work at the same time. */
enum { ROUND = 64 };

static int run_round(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  struct progress at[ROUND] = {{0}};
  uint32_t from[ROUND];
  bool posted[ROUND], some = true;
  int status = 0;
  for (size_t i = 0; i < n; i++) {
    jobs[i].n_flits_out = jobs[i].n_credits_out = jobs[i].n_toggles = 0;
    jobs[i].lost = jobs[i].evaluated_cycles = 0;
    if (jobs[i].unknown)
      jobs[i].unknown->seen = 0;
  }
  while (some && !status) {
    some = false;
    for (size_t i = 0; i < n; i++) {
      posted[i] = !status && (at[i].done < jobs[i].cycles || (!jobs[i].cycles && !at[i].done));
      if (posted[i] && (status = run_piece(dut, &jobs[i], &at[i], &from[i], err)))
        posted[i] = false;
      some |= posted[i] && jobs[i].cycles;
    }
    for (size_t i = 0; i < n; i++) {
      struct hd_error own = {""};
      int one = posted[i] ? hd_remote_wait(&dut->remote, slot_of(dut, jobs[i].sw), &own) : 0;
      if (posted[i] && !one)
        take_piece(dut, &jobs[i], from[i]);
      if (one && !status)
        status = hd_fail(err, one, "%s", own.text);
    }
  }
  for (size_t i = 0; !status && i < n; i++)
    if (!hd_cursor_done(&at[i].in, &jobs[i]))
      status = hd_fail(err, HD_E_INPUT, "switch %u: input events behind the window", jobs[i].sw);
  return status;
}

int hd_remote_dut_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n_jobs,
                      struct hd_error *err)
{
  int status = 0;
  for (size_t i = 0; !status && i < n_jobs; i += ROUND)
    status = run_round(dut, jobs + i, n_jobs - i < ROUND ? n_jobs - i : ROUND, err);
  hd_remote_keep_printed(&dut->remote);
  return status;
}

/* ── snapshots and waves ────────────────────────────────────────────────────── */

int hd_remote_dut_snapshot_save(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                                struct hd_error *err)
{
  const size_t bytes = dut->remote.head->state_bytes;
  int status = hd_remote_ask(&dut->remote, slot_of(dut, sw), HD_REMOTE_SAVE, err);
  if (status)
    return status;
  if (!HD_ROOM(buffer->bytes, buffer->capacity, buffer->length, bytes))
    return hd_fail(err, HD_E_NOMEM, "out of memory for a snapshot of switch %u", sw);
  memcpy(buffer->bytes + buffer->length, hd_remote_state(dut->remote.head, slot_of(dut, sw)),
         bytes);
  buffer->length += bytes;
  return 0;
}

int hd_remote_dut_snapshot_restore(struct hd_dut *dut, uint32_t sw,
                                   const struct hd_dut_buffer *buffer, struct hd_error *err)
{
  if (buffer->length != dut->remote.head->state_bytes)
    return hd_fail(err, HD_E_INPUT, "switch %u: this is no snapshot of this backend", sw);
  memcpy(hd_remote_state(dut->remote.head, slot_of(dut, sw)), buffer->bytes, buffer->length);
  return hd_remote_ask(&dut->remote, slot_of(dut, sw), HD_REMOTE_RESTORE, err);
}

/* Copies a switch's state from one process to another. */
static int move_state(struct hd_dut *dut, uint32_t from, uint32_t to, struct hd_error *err)
{
  int status = hd_remote_ask(&dut->remote, from, HD_REMOTE_SAVE, err);
  if (status)
    return status;
  memcpy(hd_remote_state(dut->remote.head, to), hd_remote_state(dut->remote.head, from),
         dut->remote.head->state_bytes);
  return hd_remote_ask(&dut->remote, to, HD_REMOTE_RESTORE, err);
}

int hd_remote_dut_trace_open(struct hd_dut *dut, uint32_t sw, const char *path,
                             struct hd_error *err)
{
  struct hd_remote_slot *slot = hd_remote_slot(dut->remote.head, dut->count);
  if (dut->traced >= 0)
    return hd_fail(err, HD_E_INPUT, "waves are being written already");
  FILE *file = fopen(path, "wb"); /* makes the file, which realpath needs */
  if (!file)
    return hd_fail(err, HD_E_IO, "cannot write waves to %s", path);
  fclose(file);
  /* Absolute path: the simulator may run in another directory. */
  if (!realpath(path, dut->waves) || strlen(dut->waves) + 5 > sizeof slot->path)
    return hd_fail(err, HD_E_INPUT, "the path of the waves is too long: %.200s", path);
  int status = hd_remote_fork(&dut->remote, dut->count, err);
  if (!status)
    status = move_state(dut, sw, dut->count, err);
  if (status)
    return status;
  snprintf(slot->path, sizeof slot->path, "%s.fst", dut->waves); /* vvp needs a dot in the name */
  status = hd_remote_ask(&dut->remote, dut->count, HD_REMOTE_TRACE, err);
  if (!status)
    dut->traced = sw;
  return status;
}

int hd_remote_dut_trace_close(struct hd_dut *dut, struct hd_error *err)
{
  if (dut->traced < 0)
    return 0;
  int status = move_state(dut, dut->count, (uint32_t)dut->traced, err);
  dut->traced = -1;
  if (!status)
    status = hd_remote_end(&dut->remote, dut->count, err);
  const char *written = hd_remote_slot(dut->remote.head, dut->count)->path;
  if (!status && rename(written, dut->waves))
    status = hd_fail(err, HD_E_IO, "cannot write waves to %s", dut->waves);
  return status;
}
