/* Switches on a board behind the DUT contract (specification chapter 9).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A window is played in pieces that fit the board's memory. Where it is known what must leave, the board
 * answers with signatures; only where one differs, or where nothing is known, with events. All that was
 * played since reset is kept, so that a board that was reset, or a cycle in the middle of a window, can
 * be reached again; and with it the signatures, so that a board that does not repeat itself is seen.
 */
#include "board_play.h"

#include "backend.h"
#include "board_open.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct hd_dut {
  struct hd_board_open open;
  struct hd_board_play play;
  pthread_mutex_t line; /* one request at a time */
  bool events;          /* option: never signatures */
  bool dead;            /* a request found no answer */
};

static void destroy(struct hd_dut *dut)
{
  if (!dut)
    return;
  hd_board_play_fini(&dut->play);
  hd_board_close(&dut->open);
  pthread_mutex_destroy(&dut->line);
  free(dut);
}

/* The board's switches are those of the scenario. */
static int check_shape(struct hd_dut *dut, const struct hd_switch_params *params,
                       struct hd_error *err)
{
  struct hd_switch *model = calloc(1, hd_switch_size(params));
  if (!model)
    return hd_fail(err, HD_E_NOMEM, "out of memory to check the board");
  hd_switch_init(model, params);
  int status = 0;
  static const struct {
    uint32_t addr;
    const char *name;
  } registers[] = {{0, "ID"},    {1, "VERSION"}, {2, "SHAPE"},   {3, "TIMING"},
                   {4, "WIDTH"}, {5, "NODES"},   {6, "BARRIER"}, {7, "SWITCHES"}};
  for (size_t i = 0; i < sizeof registers / sizeof *registers && !status; i++) {
    uint16_t has = 0, needed = hd_switch_config_read(model, registers[i].addr);
    status = hd_board_play_read(&dut->play, 0, registers[i].addr, &has, err);
    /* a barrier routing table may have more entries than the fabric has switches */
    if (!status && has != needed && !(registers[i].addr == HD_CFG_SWITCHES && has > needed))
      status = hd_fail(err, HD_E_INPUT,
                       "the board at %s holds another switch than the scenario: register %s reads "
                       "0x%04x, needed is 0x%04x (specification 3.3, 8.6)",
                       dut->open.link.device, registers[i].name, has, needed);
  }
  free(model);
  return status;
}

static int create(struct hd_dut **out, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  *out = NULL;
  struct hd_dut *dut = calloc(1, sizeof *dut);
  if (!dut)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the board");
  dut->open.link.line.fd = -1;
  pthread_mutex_init(&dut->line, NULL);
  int status = hd_board_open(&dut->open, params, count, options ? options : "", err);
  if (!status)
    status = hd_board_play_init(&dut->play, &dut->open.link, &dut->open.about, params, count, err);
  if (!status)
    status = hd_board_play_begin(&dut->play, err);
  if (!status)
    status = check_shape(dut, params, err);
  if (status) {
    destroy(dut);
    return status;
  }
  dut->events = dut->open.events;
  *out = dut;
  return 0;
}

static int reset(struct hd_dut *dut, struct hd_error *err)
{
  return hd_board_play_reset(&dut->play, err);
}

static int config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  return hd_board_play_write(&dut->play, sw, addr, data, err);
}

static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  return hd_board_play_read(&dut->play, sw, addr, data, err);
}

static int run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n_jobs, struct hd_error *err)
{
  int status = 0;
  pthread_mutex_lock(&dut->line);
  for (size_t i = 0; i < n_jobs && !status; i++) {
    struct hd_dut_job *job = &jobs[i];
    job->n_flits_out = job->n_credits_out = job->n_toggles = job->lost = 0;
    job->evaluated_cycles = job->cycles;
    status = hd_board_play_window(&dut->play, job, dut->events ? NULL : job->expected, err);
  }
  dut->dead |= status == HD_E_IO;
  pthread_mutex_unlock(&dut->line);
  return status;
}

static int snapshot_save(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                         struct hd_error *err)
{
  return hd_board_play_save(&dut->play, sw, buffer, err);
}

static int snapshot_restore(struct hd_dut *dut, uint32_t sw, const struct hd_dut_buffer *buffer,
                            struct hd_error *err)
{
  return hd_board_play_restore(&dut->play, sw, buffer, err);
}

/* This side's, and the board's own (§9.3) while it answers. */
static uint32_t counters(struct hd_dut *dut, struct hd_dut_counter list[HD_DUT_COUNTERS])
{
  const struct hd_board_link *link = &dut->open.link;
  struct hd_board_counters c = {0};
  struct hd_error err = {0};
  const struct hd_dut_counter here[] = {
      {"bytes_out", link->bytes_out},    {"bytes_in", link->bytes_in},
      {"requests_resent", link->resent}, {"line_reopened", link->reopened},
      {"answers_bad", link->reader.bad}, {"board_recovered", dut->play.recovered}};
  memcpy(list, here, sizeof here);
  uint32_t n = sizeof here / sizeof *here;
  if (dut->dead || hd_board_counters(&dut->open.link, &c, &err))
    return n;
  const struct hd_dut_counter there[] = {
      {"board_frames_good", c.good},     {"board_frames_bad", c.bad},  {"board_requests", c.done},
      {"board_answers_resent", c.again}, {"board_bytes_lost", c.lost}, {"board_cycles", c.cycles}};
  memcpy(list + n, there, sizeof there);
  return n + sizeof there / sizeof *there;
}

const struct hd_dut_ops *hd_dut_board_backend(void)
{
  static const struct hd_dut_ops ops = {
      .abi = HD_DUT_ABI,
      .name = "board",
      .about = "switches in an FPGA behind a serial line (specification chapter 9)",
      .capabilities = HD_DUT_QUIESCENT | HD_DUT_SNAPSHOT,
      .create = create,
      .destroy = destroy,
      .reset = reset,
      .config_write = config_write,
      .config_read = config_read,
      .run = run,
      .snapshot_save = snapshot_save,
      .snapshot_restore = snapshot_restore,
      .counters = counters,
  };
  return &ops;
}
