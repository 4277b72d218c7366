/* A DUT that is the model with one planted fault, for the tests of the command line.
 * SPDX-License-Identifier: Apache-2.0
 *
 * --dut fault.so:KIND,SWITCH,CYCLE plants a fault in switch SWITCH. KIND says what the switch does from CYCLE on:
 *   data     flips bit 0 of the data of its flits
 *   vc       swaps virtual channels 0 and 1 of its flits
 *   lost     loses its flits
 *   credit   gives no credits
 *   barrier  gives no barrier credits
 *   number   shows packet counts (§10.8) whose bit 0 is flipped
 *   quiet    inverts its quiescent_o
 *   gift     gives one credit of port 0, channel 0 too many, in CYCLE only
 *   unplug   like data; after a snapshot was restored, the DUT fails as a device that is gone
 * or what the backend does wrong from the window on that contains CYCLE:
 *   exit, _exit, _Exit, quick_exit, abort   ends the process by this function
 *   segv, kill                              ends the process by this signal
 *   hang                                    does not return
 *   escape                                  returns an error whose text has escape sequences of a terminal
 *   wrong                                   says that it wrote more flits than fit into the buffer
 * or, whatever CYCLE is:
 *   none     create returns no DUT
 *   reset    reset aborts
 * Faults of the switch depend on cycles only. So they are the same in windows of any length.
 */
#include "../../bridge/backends/backend.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hd_dut {
  struct hd_dut *model;
  char kind[16];
  unsigned sw;
  unsigned long cycle;
  bool gone;
};

static const struct hd_dut_ops *model(void)
{
  return hd_dut_model_backend();
}

static int create(struct hd_dut **dut, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  struct hd_dut *d = calloc(1, sizeof *d);
  if (!d)
    return hd_fail(err, HD_E_NOMEM, "fault: out of memory");
  int n = sscanf(options, "%15[a-zA-Z_],%u,%lu", d->kind, &d->sw, &d->cycle);
  static const char *const kinds[] = {
      "data",  "vc",     "lost",  "credit",     "gift",  "barrier", "unplug",
      "exit",  "_exit",  "_Exit", "quick_exit", "hang",  "wrong",   "escape",
      "quiet", "number", "none",  "segv",       "abort", "kill",    "reset"};
  bool known = false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    known |= !strcmp(d->kind, kinds[i]);
  if (n != 3 || !known) {
    free(d);
    return hd_fail(err, HD_E_INPUT, "fault: options are KIND,SWITCH,CYCLE, not '%s'", options);
  }
  int status = model()->create(&d->model, params, count, "", err);
  if (!status && !strcmp(d->kind, "none"))
    model()->destroy(d->model);
  if (status || !strcmp(d->kind, "none"))
    free(d);
  else
    *dut = d;
  return status;
}

static void destroy(struct hd_dut *dut)
{
  model()->destroy(dut->model);
  free(dut);
}

static int reset(struct hd_dut *dut, struct hd_error *err)
{
  if (!strcmp(dut->kind, "reset"))
    abort();
  return model()->reset(dut->model, err);
}

static int config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  return model()->config_write(dut->model, sw, addr, data, err);
}

static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  return model()->config_read(dut->model, sw, addr, data, err);
}

static void spoil_flits(const struct hd_dut *dut, struct hd_dut_job *job)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < job->n_flits_out; i++) {
    struct hd_flit_event flit = job->flits_out[i];
    bool good = job->start + flit.cycle < dut->cycle;
    if (!good && dut->kind[0] == 'l')
      continue;
    if (!good && (dut->kind[0] == 'd' || dut->kind[0] == 'u'))
      flit.data ^= 1;
    else if (!good)
      flit.vc ^= 1;
    job->flits_out[kept++] = flit;
  }
  job->n_flits_out = kept;
}

static void spoil_credits(const struct hd_dut *dut, struct hd_dut_job *job)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < job->n_credits_out; i++)
    if (job->start + job->credits_out[i].cycle < dut->cycle)
      job->credits_out[kept++] = job->credits_out[i];
  job->n_credits_out = kept;
}

/* An event that has only a barrier credit is removed. */
static void spoil_barrier_credits(const struct hd_dut *dut, struct hd_dut_job *job)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < job->n_credits_out; i++) {
    struct hd_credit_event credit = job->credits_out[i];
    if (job->start + credit.cycle >= dut->cycle)
      credit.barrier = 0;
    if (hd_credit_set(&credit))
      job->credits_out[kept++] = credit;
  }
  job->n_credits_out = kept;
}

static void spoil_counts(const struct hd_dut *dut, struct hd_dut_job *job)
{
  for (uint32_t i = 0; i < job->n_credits_out; i++) {
    struct hd_credit_event *credit = &job->credits_out[i];
    if (credit->count && job->start + credit->cycle >= dut->cycle)
      credit->count ^= 1;
  }
}

static void give_credit(const struct hd_dut *dut, struct hd_dut_job *job)
{
  if (dut->cycle <= job->start || dut->cycle > job->start + job->cycles)
    return;
  struct hd_credit_event gift = {.cycle = (uint32_t)(dut->cycle - job->start), .vcs = 1};
  uint32_t at = 0;
  while (at < job->n_credits_out && job->credits_out[at].cycle < gift.cycle)
    at++;
  bool same = at < job->n_credits_out && job->credits_out[at].cycle == gift.cycle &&
              job->credits_out[at].port == gift.port;
  if (same) {
    job->credits_out[at].vcs |= gift.vcs;
    return;
  }
  memmove(job->credits_out + at + 1, job->credits_out + at,
          (job->n_credits_out++ - at) * sizeof gift);
  job->credits_out[at] = gift;
}

/* Inverts quiescent_o: adds a change of level where the inversion begins, or removes one. */
static void invert_quiescence(const struct hd_dut *dut, struct hd_dut_job *job)
{
  job->quiescent ^= job->start >= dut->cycle;
  if (dut->cycle <= job->start || dut->cycle > job->start + job->cycles)
    return;
  uint32_t begin = (uint32_t)(dut->cycle - job->start), at = 0;
  while (at < job->n_toggles && job->toggles[at] < begin)
    at++;
  uint32_t *rest = job->toggles + at;
  if (at < job->n_toggles && *rest == begin) {
    memmove(rest, rest + 1, (--job->n_toggles - at) * sizeof *rest);
    return;
  }
  memmove(rest + 1, rest, (job->n_toggles++ - at) * sizeof *rest);
  *rest = begin;
}

/* Does what a backend must not do. */
static int do_misdeed(const struct hd_dut *dut, struct hd_dut_job *job, struct hd_error *err)
{
  if (job->start + job->cycles < dut->cycle)
    return HD_OK;
  if (!strcmp(dut->kind, "exit"))
    exit(0);
  if (!strcmp(dut->kind, "_exit"))
    _exit(0);
  if (!strcmp(dut->kind, "_Exit"))
    _Exit(0);
  if (!strcmp(dut->kind, "quick_exit"))
    quick_exit(0);
  if (!strcmp(dut->kind, "abort"))
    abort();
  if (!strcmp(dut->kind, "segv"))
    *(volatile int *)NULL = 0;
  if (!strcmp(dut->kind, "kill"))
    raise(SIGKILL);
  if (!strcmp(dut->kind, "escape"))
    return hd_fail(err, HD_E_TOOL,
                   "fault: \033[31mred\033[0m, a bell \a, \xc2\x9b"
                   "2J and \xff");
  if (!strcmp(dut->kind, "wrong"))
    job->n_flits_out = job->cap_flits_out + 1;
  while (!strcmp(dut->kind, "hang")) {
    fputs("fault: hangs\n", stderr);
    pause();
  }
  return HD_OK;
}

static int run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n_jobs, struct hd_error *err)
{
  if (dut->gone)
    return hd_fail(err, HD_E_IO, "fault: the device is gone");
  int status = model()->run(dut->model, jobs, n_jobs, err);
  for (size_t i = 0; !status && i < n_jobs; i++) {
    if (jobs[i].sw != dut->sw)
      continue;
    status = do_misdeed(dut, &jobs[i], err);
    if (dut->kind[0] == 'g')
      give_credit(dut, &jobs[i]);
    else if (dut->kind[0] == 'b')
      spoil_barrier_credits(dut, &jobs[i]);
    else if (dut->kind[0] == 'n')
      spoil_counts(dut, &jobs[i]);
    else if (dut->kind[0] == 'q')
      invert_quiescence(dut, &jobs[i]);
    else if (dut->kind[0] == 'c')
      spoil_credits(dut, &jobs[i]);
    else if (strchr("dvlu", dut->kind[0]))
      spoil_flits(dut, &jobs[i]);
  }
  return status;
}

static int snapshot_save(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                         struct hd_error *err)
{
  return model()->snapshot_save(dut->model, sw, buffer, err);
}

static int snapshot_restore(struct hd_dut *dut, uint32_t sw, const struct hd_dut_buffer *buffer,
                            struct hd_error *err)
{
  dut->gone = dut->kind[0] == 'u';
  return model()->snapshot_restore(dut->model, sw, buffer, err);
}

const struct hd_dut_ops *hd_dut_backend(void)
{
  static const struct hd_dut_ops ops = {
      .abi = HD_DUT_ABI,
      .name = "fault",
      .about = "the model with a planted fault",
      .capabilities = HD_DUT_QUIESCENT | HD_DUT_SNAPSHOT,
      .create = create,
      .destroy = destroy,
      .reset = reset,
      .config_write = config_write,
      .config_read = config_read,
      .run = run,
      .snapshot_save = snapshot_save,
      .snapshot_restore = snapshot_restore,
  };
  return &ops;
}
