/* Runs a DUT of one switch in its own process: translates the commands of remote.h into calls of the contract in dut.h.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "systemc_serve.h"

#include "../remote/remote_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct served {
  struct hd_remote_server remote;
  const struct hd_dut_ops *ops;
  struct hd_dut *dut;
  struct hd_dut_buffer state; /* capacity is the size of a snapshot */
};

static int save(struct served *s, struct hd_error *err)
{
  s->state.length = 0;
  return s->ops->snapshot_save(s->dut, 0, &s->state, err);
}

static int run(struct served *s, struct hd_error *err)
{
  struct hd_dut_job job = hd_remote_job(s->remote.head, s->remote.number);
  const uint32_t number = job.sw;
  job.sw = 0;
  int status = s->ops->run(s->dut, &job, 1, err);
  job.sw = number;
  s->remote.slot->job = job;
  return status;
}

static int execute_command(struct served *s, enum hd_remote_command command, struct hd_error *err)
{
  struct hd_remote_slot *slot = s->remote.slot;
  unsigned char *state = hd_remote_state(s->remote.head, s->remote.number);
  int status;
  switch (command) {
  case HD_REMOTE_RESET:
    return s->ops->reset(s->dut, err);
  case HD_REMOTE_WRITE:
    return s->ops->config_write(s->dut, 0, slot->addr, slot->data, err);
  case HD_REMOTE_READ:
    return s->ops->config_read(s->dut, 0, slot->addr, &slot->data, err);
  case HD_REMOTE_RUN:
    return run(s, err);
  case HD_REMOTE_SAVE:
    status = save(s, err);
    if (!status)
      memcpy(state, s->state.bytes, s->state.length);
    return status;
  case HD_REMOTE_RESTORE:
    memcpy(s->state.bytes, state, s->state.length);
    return s->ops->snapshot_restore(s->dut, 0, &s->state, err);
  case HD_REMOTE_TRACE:
    return s->ops->extension->trace_open(s->dut, 0, slot->path, err);
  default:
    return HD_E_INTERNAL;
  }
}

int hd_systemc_serve(const struct hd_dut_ops *ops, const char *options)
{
  struct served s = {.ops = ops};
  struct hd_error err = {.text = ""};
  const char *why = hd_remote_server_attach(&s.remote);
  if (why) {
    fprintf(stderr, "%s\n", why);
    return 1;
  }
  int status = ops->create(&s.dut, &s.remote.head->params, 1, options, &err);
  if (!status)
    status = save(&s, &err);
  snprintf(s.remote.head->mailbox.text, sizeof s.remote.head->mailbox.text, "%s", err.text);
  hd_remote_server_fork(&s.remote, status, s.state.length);
  for (;;) {
    enum hd_remote_command command = hd_remote_server_next(&s.remote);
    if (command == HD_REMOTE_END)
      break;
    err.text[0] = '\0';
    status = execute_command(&s, command, &err);
    snprintf(s.remote.slot->mailbox.text, sizeof s.remote.slot->mailbox.text, "%s", err.text);
    atomic_fetch_add(&s.remote.slot->clocks, 1);
    hd_remote_server_answer(&s.remote, status);
  }
  ops->destroy(s.dut);
  free(s.state.bytes);
  return 0;
}
