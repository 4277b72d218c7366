/* Runs simulator and server in one process, on two stacks.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A simulator calls a function back at a given time, but the server must wait for a clock in the
 * middle of a loop. So the server has a stack of its own, and sim_settle switches to the
 * simulator's stack until the callback.
 */
#include "sim.h"

#include <stdlib.h>
#include <ucontext.h>

static ucontext_t simulator, server;
static void (*server_main)(void);
static bool is_over; /* the simulator has ended */

static void call_after(uint64_t delay, PLI_INT32 (*routine)(p_cb_data))
{
  s_vpi_time when = {
      .type = vpiSimTime, .high = (PLI_UINT32)(delay >> 32), .low = (PLI_UINT32)delay};
  s_cb_data callback = {.reason = cbReadWriteSynch, .cb_rtn = routine, .time = &when};
  vpi_register_cb(&callback);
}

static PLI_INT32 resume(p_cb_data data)
{
  (void)data;
  swapcontext(&simulator, &server);
  return 0;
}

void sim_settle(uint64_t delay)
{
  if (is_over)
    return;
  call_after(delay, resume);
  swapcontext(&server, &simulator);
}

void sim_settle_delays(const struct sim *sim)
{
  sim_settle(sim->half_cycle / 50);
}

void sim_outlive(void)
{
  is_over = true;
  swapcontext(&simulator, &server);
}

bool sim_is_over(void)
{
  return is_over;
}

void sim_finish(void)
{
  vpi_control(vpiFinish, 0);
  swapcontext(&server, &simulator);
}

static PLI_INT32 enter_server(p_cb_data data)
{
  enum { STACK_BYTES = 1 << 20 };
  (void)data;
  void *stack = malloc(STACK_BYTES);
  if (!stack || getcontext(&server))
    return 0;
  server.uc_stack.ss_sp = stack;
  server.uc_stack.ss_size = STACK_BYTES;
  makecontext(&server, server_main, 0);
  swapcontext(&simulator, &server);
  return 0;
}

void sim_begin(void (*serve)(void), uint64_t delay)
{
  server_main = serve;
  call_after(delay, enter_server);
}
