/* DUT contract for switches in processes of a simulator (remote.h): the operations of dut.h.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A simulator's own file adds its options, its command line and the table of operations.
 */
#ifndef HD_REMOTE_DUT_H
#define HD_REMOTE_DUT_H

#include "../../dut_extension.h"
#include "../rtl/dut_options.h"

/** Options of these backends. Zeroed: the defaults. */
struct hd_remote_dut_options {
  bool every_cycle, two_state;
  double patience; /* seconds without a clock until a simulator counts as hung; 0: 60 */
  char plusargs[HD_OPTION_PLUSARGS][HD_OPTION_PLUSARG_BYTES];
  unsigned n_plusargs;
};

/** Reads options separated by commas. `takes` are the allowed ones, `backend` is its name in
 *  messages. HD_E_INPUT. */
int hd_remote_dut_options(struct hd_remote_dut_options *options, const char *backend,
                          unsigned takes, const char *text, struct hd_error *err);

/** Gets the directory of this shared object. */
int hd_remote_dut_directory(char *path, size_t size, struct hd_error *err);

/** Starts a program that simulates `count` switches by remote.h, and resets them. */
struct hd_remote_program;
int hd_remote_dut_create(struct hd_dut **dut, const struct hd_remote_program *program,
                         const struct hd_switch_params *params, uint32_t count,
                         const struct hd_remote_dut_options *options, struct hd_error *err);

/* Operations of dut.h and dut_extension.h. */
void hd_remote_dut_destroy(struct hd_dut *dut);
int hd_remote_dut_reset(struct hd_dut *dut, struct hd_error *err);
int hd_remote_dut_config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                               struct hd_error *err);
int hd_remote_dut_config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                              struct hd_error *err);
int hd_remote_dut_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n_jobs,
                      struct hd_error *err);
int hd_remote_dut_snapshot_save(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                                struct hd_error *err);
int hd_remote_dut_snapshot_restore(struct hd_dut *dut, uint32_t sw,
                                   const struct hd_dut_buffer *buffer, struct hd_error *err);
int hd_remote_dut_trace_open(struct hd_dut *dut, uint32_t sw, const char *path,
                             struct hd_error *err);
int hd_remote_dut_trace_close(struct hd_dut *dut, struct hd_error *err);
int hd_remote_dut_config_unknown(struct hd_dut *dut, uint32_t sw, uint16_t *bits,
                                 struct hd_error *err);
int hd_remote_dut_make_two_state(struct hd_dut *dut, uint32_t sw, struct hd_error *err);

/** Initialisers of hd_dut_ops that all these backends share. */
#define HD_REMOTE_OPS(called, can, creates)                                             \
  .abi = HD_DUT_ABI, .name = called, .about = HD_ABOUT,                                 \
  .capabilities = HD_DUT_QUIESCENT | HD_DUT_SNAPSHOT | (can), .create = creates,        \
  .destroy = hd_remote_dut_destroy, .reset = hd_remote_dut_reset,                       \
  .config_write = hd_remote_dut_config_write, .config_read = hd_remote_dut_config_read, \
  .run = hd_remote_dut_run, .snapshot_save = hd_remote_dut_snapshot_save,               \
  .snapshot_restore = hd_remote_dut_snapshot_restore

/** Initialisers of hd_dut_extension that all these backends share. */
#define HD_REMOTE_WAVES \
  .trace_open = hd_remote_dut_trace_open, .trace_close = hd_remote_dut_trace_close

#endif
