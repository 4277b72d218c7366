/* Answers commands in a switch's process (remote.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sim.h"

#include <stdio.h>

static void reset(struct sim *sim)
{
  if (!sim->clocked && sim->ops->power_up)
    sim->ops->power_up(sim);
  sim_pins_reset(sim, true);
  sim->ops->clock(sim);
  sim_pins_reset(sim, false);
  sim_settle_delays(sim);
  /* A state that this one clock edge with rst has left unknown is reported first. */
  if (sim->ops->check_reset)
    sim->ops->check_reset(&sim->after_reset);
  sim_pins_read(sim, 0, false, &sim->after_reset);
  sim_pins_keep_early(sim);
  sim->configured = false;
  sim->next_cycle = 0;
}

static int config_write(struct sim *sim)
{
  struct hd_remote_slot *s = sim->slot;
  /* A quiescent_o that is always 0 is legal, so it does not count before the first window. */
  if (sim->next_cycle && !sim->quiescent) {
    snprintf(s->mailbox.text, sizeof s->mailbox.text,
             "switch %u is busy: give it configuration writes as events of a window", sim->number);
    return HD_E_INPUT;
  }
  sim_pins_idle(sim);
  sim_pin_put(sim, PIN_CFG_ADDR, s->addr & 0xfffff);
  sim_pin_put(sim, PIN_CFG_WDATA, s->data);
  sim_pin_put(sim, PIN_CFG_WRITE, 1);
  sim->ops->clock(sim);
  sim_pins_idle(sim);
  sim_pins_keep_early(sim);
  sim->configured = true;
  return 0;
}

void sim_read_register(struct sim *sim)
{
  struct hd_remote_slot *s = sim->slot;
  struct hd_dut_unknown ignored = {.seen = 'x'};
  const bool quiescent = sim->quiescent;
  sim_pins_idle(sim);
  sim_pin_put(sim, PIN_CFG_ADDR, s->addr & 0xfffff);
  sim_pin_put(sim, PIN_CFG_READ, 1);
  sim->ops->clock(sim);
  sim_pins_read(sim, 0, false, &ignored);
  const vecval got = sim->pins.now[PIN_CFG_RDATA][0];
  s->unknown_bits = (uint16_t)got.bval;
  s->data = (uint16_t)(got.aval & ~got.bval);
  sim->quiescent = quiescent;
}

static int run(struct sim *sim)
{
  struct hd_remote_slot *s = sim->slot;
  struct hd_dut_job job = hd_remote_job(sim->head, sim->number);
  int status = 0;
  if (sim->trace_due)
    status = sim->ops->begin_waves(sim, job.start);
  if (!status)
    status = sim_run_window(sim, &job, s->mailbox.text, sizeof s->mailbox.text);
  s->job = job;
  return status;
}

static int execute_command(struct sim *sim)
{
  const struct sim_ops *ops = sim->ops;
  switch (sim->slot->mailbox.command) {
  case HD_REMOTE_RESET:
    reset(sim);
    return 0;
  case HD_REMOTE_WRITE:
    return config_write(sim);
  case HD_REMOTE_READ:
    return ops->read(sim);
  case HD_REMOTE_RUN:
    return run(sim);
  case HD_REMOTE_SAVE:
    return ops->save(sim);
  case HD_REMOTE_RESTORE:
    return ops->restore(sim);
  case HD_REMOTE_TWO_STATE:
    return ops->two_state(sim);
  case HD_REMOTE_TRACE:
    sim->trace_due = true;
    return 0;
  default:
    return HD_E_INTERNAL;
  }
}

void sim_serve(struct sim *sim)
{
  while (hd_remote_server_next(sim->remote) != HD_REMOTE_END) {
    sim->assertion.failed = false;
    int status = execute_command(sim);
    /* A window reports its assertion in its job. */
    if (!status && sim->assertion.failed && sim->slot->mailbox.command != HD_REMOTE_RUN) {
      snprintf(sim->slot->mailbox.text, sizeof sim->slot->mailbox.text,
               "the RTL called $stop, or an assertion of it failed, at %s, outside of any window",
               sim->assertion.where);
      status = HD_E_TOOL;
    }
    hd_remote_server_answer(sim->remote, status);
  }
  sim->ops->end(sim);
}

void sim_fork(struct sim *sim, int status, size_t state_bytes)
{
  sim->known_pins = sim->head->two_state;
  hd_remote_server_fork(sim->remote, status, state_bytes);
  sim->head = sim->remote->head;
  sim->slot = sim->remote->slot;
  sim->number = sim->remote->number;
}
