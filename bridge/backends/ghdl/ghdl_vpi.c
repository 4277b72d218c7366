/* VPI module that makes GHDL answer for switches: values, clock, ports.
 * SPDX-License-Identifier: Apache-2.0
 *
 * After clock_once the clock is 1, and the outputs are those of the next cycle. Half a cycle is
 * HALF_CYCLE_PS, far longer than the delays (`after`) that designs have.
 */
#include "ghdl.h"

#include "ghdl_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HALF_CYCLE_PS = 1000000 };

static struct sim self; /* the one switch of this process */
static struct hd_remote_server remote;
static vpiHandle top;

/* ── values ─────────────────────────────────────────────────────────────────── */

/* Gets a value. U, W and - become X, because such a bit may be 0 or 1. */
static void get(vpiHandle handle, uint32_t bits, vecval *value)
{
  s_vpi_value got = {.format = vpiBinStrVal};
  vpi_get_value(handle, &got);
  memset(value, 0, (bits + 31) / 32 * sizeof *value);
  for (uint32_t i = 0; i < bits; i++) {
    const char c = got.value.str[bits - 1 - i];
    const uint32_t bit = UINT32_C(1) << (i % 32);
    vecval *v = &value[i / 32];
    if (c != '0' && c != 'L' && c != 'Z')
      v->aval = (PLI_INT32)((uint32_t)v->aval | bit);
    if (c != '0' && c != 'L' && c != '1' && c != 'H')
      v->bval = (PLI_INT32)((uint32_t)v->bval | bit);
  }
}

static void put(vpiHandle handle, uint32_t bits, const vecval *value)
{
  char text[32 * PIN_WORDS + 1];
  for (uint32_t i = 0; i < bits; i++) {
    const uint32_t a = (uint32_t)value[i / 32].aval >> (i % 32) & 1;
    const uint32_t b = (uint32_t)value[i / 32].bval >> (i % 32) & 1;
    text[bits - 1 - i] = "01ZX"[2 * b + a];
  }
  text[bits] = '\0';
  s_vpi_value given = {.format = vpiBinStrVal, .value.str = text};
  vpi_put_value(handle, &given, NULL, vpiNoDelay);
}

/* ── clock ──────────────────────────────────────────────────────────────────── */

static void set_clock(const struct sim *sim, PLI_INT32 level)
{
  const vecval value = {.aval = level};
  put(sim->pins.handles[PIN_CLK], 1, &value);
}

static void clock_once(struct sim *sim)
{
  const uint64_t half = sim->half_cycle, late = half / 2;
  sim->assertion.failed = sim_is_over(); /* no clock after the simulation's end */
  sim_settle(half - late);
  ghdl_waves_add(true);
  set_clock(sim, 0);
  sim_settle(half);
  ghdl_waves_add(false);
  set_clock(sim, 1);
  sim_settle(late); /* delayed assignments have taken effect by then */
  sim->assertion.failed |=
      ghdl_print_read(GHDL_ERROR, sim->assertion.where, sizeof sim->assertion.where);
  sim->clocked = true;
  atomic_fetch_add_explicit(&sim->slot->clocks, 1, memory_order_relaxed);
}

/* Called when GHDL ends. If a run-time error of the design ended it, such as an index out of range,
 * this counts as a failed assertion, and the process stays to answer commands, but without a
 * clock. */
static PLI_INT32 end_of_simulation(p_cb_data data)
{
  (void)data;
  self.assertion.failed =
      ghdl_print_read(GHDL_ERROR, self.assertion.where, sizeof self.assertion.where);
  if (self.slot && self.assertion.failed)
    sim_outlive();
  return 0;
}

/* ── commands ───────────────────────────────────────────────────────────────── */

static int read_register(struct sim *sim)
{
  return ghdl_try(sim, sim_read_register);
}

static int begin_waves(struct sim *sim, uint64_t cycle)
{
  if (sim->configured) { /* the idle cycle before the window must not be in the waves */
    sim_pins_idle(sim);
    sim->ops->clock(sim);
    sim_pins_keep_early(sim);
    sim->configured = false;
  }
  sim->trace_due = false;
  sim->tracing = true;
  return ghdl_waves_begin(sim->slot->path, top, cycle);
}

/* Tells heddle that this process has ended, but stops it instead: it may be the parent of other
 * switches' processes, which would end with it. */
static void end(struct sim *sim)
{
  ghdl_waves_end();
  ghdl_print_read(GHDL_ERROR, sim->assertion.where, sizeof sim->assertion.where);
  atomic_store(&sim->slot->gone, 1);
  sem_post(&sim->slot->mailbox.answer);
  for (;;)
    pause();
}

/* ── first process ──────────────────────────────────────────────────────────── */

/* Prints the ports of the design and ends. Called when a build has started GHDL, not a run. */
static void list_ports(void)
{
  vpiHandle list = vpi_iterate(vpiNet, top), item;
  while (list && (item = vpi_scan(list))) {
    const int direction = vpi_get(vpiDirection, item), bits = vpi_get(vpiSize, item);
    if (direction >= vpiInput && direction <= vpiInout)
      printf(HD_GHDL_PORT " %s %d %d\n", vpi_get_str(vpiName, item), direction, bits);
  }
  exit(0);
}

static const struct sim_ops k_ops = {
    .top = "hd_switch",
    .get = get,
    .put = put,
    .clock = clock_once,
    .read = read_register,
    .save = ghdl_save,
    .restore = ghdl_restore,
    .begin_waves = begin_waves,
    .end = end,
};

static uint64_t ticks_of_half_cycle(void)
{
  uint64_t ticks = HALF_CYCLE_PS;
  int unit = vpi_get(vpiTimePrecision, NULL); /* a power of ten of a second */
  for (; unit < -12; unit++)
    ticks *= 10;
  for (; unit > -12 && ticks >= 100; unit--)
    ticks /= 10;
  return ticks;
}

static void serve(void)
{
  struct sim *sim = &self;
  struct hd_remote_mailbox *mailbox = &remote.head->mailbox;
  char where[sizeof sim->assertion.where];
  *sim = (struct sim){.ops = &k_ops, .remote = &remote, .head = remote.head};
  sim->half_cycle = ticks_of_half_cycle();
  int status = sim_pins_find(sim, mailbox->text, sizeof mailbox->text);
  /* A failure before the first clock means that the design refuses these parameters. Errors are
   * ignored, because they may come from U. */
  if (!status && ghdl_print_read(GHDL_FAILURE, where, sizeof where)) {
    status = HD_E_INPUT;
    snprintf(mailbox->text, sizeof mailbox->text, "the VHDL refuses these parameters: %s", where);
  }
  if (!status)
    status = ghdl_keep_begin(sim->head->slots);
  sim_fork(sim, status, GHDL_STATE_BYTES);
  if (ghdl_print_open())
    sim_serve(sim);
  _exit(1);
}

static PLI_INT32 start_of_simulation(p_cb_data data)
{
  (void)data;
  vpiHandle list = vpi_iterate(vpiModule, NULL);
  top = list ? vpi_scan(list) : NULL;
  if (!top)
    exit(1);
  if (!remote.head)
    list_ports();
  /* Removes GHDL's messages about the module from the log. */
  if (ftruncate(STDOUT_FILENO, 0) || !ghdl_print_open())
    exit(1);
  sim_begin(serve, 1);
  return 0;
}

static void start(void)
{
  if (hd_remote_server_attach(&remote))
    remote.head = NULL;
  s_cb_data begun = {.reason = cbStartOfSimulation, .cb_rtn = start_of_simulation};
  s_cb_data ended = {.reason = cbEndOfSimulation, .cb_rtn = end_of_simulation};
  vpi_register_cb(&begun);
  vpi_register_cb(&ended);
}

void (*vlog_startup_routines[])(void) = {start, NULL};
