/* The VPI module that makes vvp answer for switches (remote.h): commands, the clock.
 * SPDX-License-Identifier: Apache-2.0
 *
 * vvp calls back when time has come; the server wants to say "a clock, please" in the middle of
 * a loop. So it runs on a stack of its own, and icarus_clock goes back to vvp until the clock has
 * risen and everything has settled. Then clk is 1 and the outputs are those of the coming cycle.
 * Cycle c is at times 2c (clock high) and 2c + 1 (clock low) of the waves. RTL with delays gets half cycles that are
 * far longer than one of its units of time; waves then have HD_ICARUS_HALF, in ticks, before all else.
 */
#include "icarus.h"
#include "../remote/remote_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static struct icarus self; /* the one switch of this process */
static ucontext_t simulator, server;
static struct hd_remote_server remote;

/* ── the clock ──────────────────────────────────────────────────────────────── */

static PLI_INT32 resume(p_cb_data data)
{
  (void)data;
  swapcontext(&simulator, &server);
  return 0;
}

/* Comes back when everything has settled at the time `delay` from now. */
static void settle(uint64_t delay)
{
  s_vpi_time when = {
      .type = vpiSimTime, .high = (PLI_UINT32)(delay >> 32), .low = (PLI_UINT32)delay};
  s_cb_data callback = {.reason = cbReadWriteSynch, .cb_rtn = resume, .time = &when};
  vpi_register_cb(&callback);
  swapcontext(&server, &simulator);
}

static void set_clock(struct icarus *ic, PLI_INT32 level, uint64_t delay)
{
  s_vpi_time when = {
      .type = vpiSimTime, .high = (PLI_UINT32)(delay >> 32), .low = (PLI_UINT32)delay};
  s_vpi_value value = {.format = vpiIntVal, .value.integer = level};
  vpi_put_value(ic->pins.handles[PIN_CLK], &value, &when, delay ? vpiTransportDelay : vpiNoDelay);
}

/* Holds nets with X again and again, as values that follow from them become known, until none is left or it does not
 * help. */
static void hold_known(struct icarus *ic)
{
  enum { ROUNDS = 3 };
  for (unsigned i = 0; i < ROUNDS; i++) {
    settle(0);
    icarus_state_make_known(&ic->state, 0);
    settle(0);
    icarus_state_hold_nets(&ic->state);
  }
  settle(0);
}

/* Waits until delayed assignments of the RTL have taken effect; far less than half a cycle. */
static void settle_delays(const struct icarus *ic)
{
  settle(ic->half_cycle / 50);
}

void icarus_clock(struct icarus *ic)
{
  if (ic->held_known)
    hold_known(ic);
  ic->assertion.failed = false;
  const uint64_t late = ic->half_cycle / 2;
  set_clock(ic, 0, ic->half_cycle - late);
  set_clock(ic, 1, 2 * ic->half_cycle - late);
  settle(2 * ic->half_cycle); /* `late` after the edge: delays are over by then */
  ic->clocked = true;
  atomic_fetch_add_explicit(&ic->slot->clocks, 1, memory_order_relaxed);
}

/* ── assertions ─────────────────────────────────────────────────────────────── */

static const char *const k_failing[] = {"$error", "$fatal", "$stop"};
enum { N_FAILING = sizeof k_failing / sizeof *k_failing };

/* vvp's own task of that name, which prints the message; ours was registered before it. */
static bool find_printer(const char *name, s_vpi_systf_data *found)
{
  vpiHandle list = vpi_iterate(vpiUserSystf, NULL), item;
  bool is_found = false;
  while (list && (item = vpi_scan(list))) {
    s_vpi_systf_data data;
    vpi_get_systf_info(item, &data);
    if (data.tfname && !strcmp(data.tfname, name) && data.user_data != (PLI_BYTE8 *)&self) {
      *found = data;
      is_found = true;
    }
  }
  return is_found;
}

/* An argument as the conversion that ends in `letter` prints it; of %m, which takes none, the scope. */
static const char *printed(vpiHandle call, vpiHandle argument, char letter)
{
  s_vpi_value value = {.format = letter == 'h' || letter == 'x'   ? vpiHexStrVal
                                 : letter == 'b'                  ? vpiBinStrVal
                                 : letter == 'o'                  ? vpiOctStrVal
                                 : letter == 's' || letter == 'c' ? vpiStringVal
                                                                  : vpiDecStrVal};
  if (letter == 'm')
    return vpi_get_str(vpiFullName, vpi_handle(vpiScope, call));
  if (!argument)
    return "?";
  vpi_get_value(argument, &value);
  return value.value.str ? value.value.str : "?";
}

/* The message of a call, ": fifty"; "" where it has none. */
static void read_message(vpiHandle call, bool fatal, char *text, size_t size)
{
  vpiHandle list = vpi_iterate(vpiArgument, call), argument = list ? vpi_scan(list) : NULL;
  if (argument && fatal) /* its first says what finish shall print */
    argument = vpi_scan(list);
  if (!argument || vpi_get(vpiType, argument) != vpiConstant ||
      vpi_get(vpiConstType, argument) != vpiStringConst)
    return;
  char format[160];
  size_t used = (size_t)snprintf(text, size, ": ");
  snprintf(format, sizeof format, "%s", printed(call, argument, 's'));
  for (const char *at = format; *at && used < size; at++) {
    if (*at != '%' || at[1] == '%') {
      at += *at == '%';
      used += (size_t)snprintf(text + used, size - used, "%c", *at);
      continue;
    }
    at += 1 + strspn(at + 1, "0123456789.");
    if (!*at)
      return;
    argument = *at != 'm' && list ? vpi_scan(list) : NULL;
    if (*at != 'm' && !argument)
      list = NULL;
    used += (size_t)snprintf(text + used, size - used, "%s", printed(call, argument, *at));
  }
}

/* Notes the first failure of a cycle. vvp's own $fatal and $stop would end the simulator before it
 * has answered, so all are printed as $error is. */
static PLI_INT32 fail_assertion(PLI_BYTE8 *user_data)
{
  (void)user_data;
  struct hd_dut_assertion *a = &self.assertion;
  vpiHandle call = vpi_handle(vpiSysTfCall, NULL);
  if (!a->failed) {
    size_t n = (size_t)snprintf(a->where, sizeof a->where, "%s:%d", vpi_get_str(vpiFile, call),
                                (int)vpi_get(vpiLineNo, call));
    if (n < sizeof a->where)
      read_message(call, !strcmp(vpi_get_str(vpiName, call), "$fatal"), a->where + n,
                   sizeof a->where - n);
  }
  a->failed = true;
  s_vpi_systf_data printer;
  if (find_printer("$error", &printer))
    printer.calltf(printer.user_data);
  return 0;
}

static void watch_assertions(void)
{
  for (unsigned i = 0; i < N_FAILING; i++) {
    s_vpi_systf_data data = {.type = vpiSysTask,
                             .tfname = k_failing[i],
                             .calltf = fail_assertion,
                             .user_data = (PLI_BYTE8 *)&self};
    vpi_register_systf(&data);
  }
}

/* ── commands ───────────────────────────────────────────────────────────────── */

static void reset(struct icarus *ic)
{
  if (!ic->clocked && ic->known_pins)
    icarus_state_make_known(&ic->state, 1);
  icarus_pins_reset(ic, true);
  icarus_clock(ic);
  icarus_pins_reset(ic, false);
  settle_delays(ic);
  /* Outputs that an earlier reset left are told first: one single edge with rst must be enough. */
  icarus_state_check_names(&ic->state, &ic->after_reset);
  icarus_pins_read(ic, 0, false, &ic->after_reset);
  icarus_pins_keep_early(ic);
  ic->configured = false;
  ic->next_cycle = 0;
}

static int config_write(struct icarus *ic)
{
  struct hd_remote_slot *s = ic->slot;
  if (ic->next_cycle && !ic->quiescent) { /* 0 for ever is legal, and says nothing behind a reset */
    snprintf(s->door.text, sizeof s->door.text,
             "switch %u is busy: give it configuration writes as events of a window", ic->number);
    return HD_E_INPUT;
  }
  icarus_pins_idle(ic);
  icarus_pin_put(ic, PIN_CFG_ADDR, s->addr & 0xfffff);
  icarus_pin_put(ic, PIN_CFG_WDATA, s->data);
  icarus_pin_put(ic, PIN_CFG_WRITE, 1);
  icarus_clock(ic);
  icarus_pins_idle(ic);
  icarus_pins_keep_early(ic);
  ic->configured = true;
  return 0;
}

/* The state under idle pins, which is what it is put back under: variables that only follow their
 * inputs are saved, too, and stay what they are put to until an input changes. */
static void save_idle(struct icarus *ic, unsigned char *bytes)
{
  icarus_pins_idle(ic);
  settle_delays(ic);
  icarus_state_save(&ic->state, bytes);
}

/* A read takes a cycle; the switch goes back to where it was. */
static int config_read(struct icarus *ic)
{
  struct hd_remote_slot *s = ic->slot;
  const bool quiescent = ic->quiescent;
  struct hd_dut_unknown ignored = {.seen = 'x'};
  unsigned char *before = malloc(ic->state.bytes + 1);
  if (!before)
    return HD_E_NOMEM;
  save_idle(ic, before);
  icarus_pin_put(ic, PIN_CFG_ADDR, s->addr & 0xfffff);
  icarus_pin_put(ic, PIN_CFG_READ, 1);
  icarus_clock(ic);
  icarus_pins_read(ic, 0, false, &ignored);
  const vecval got = ic->pins.now[PIN_CFG_RDATA][0];
  s->unknown_bits = (uint16_t)got.bval;
  s->data = (uint16_t)(got.aval & ~got.bval);
  icarus_pins_idle(ic);
  settle_delays(ic);
  icarus_state_restore(&ic->state, before);
  settle_delays(ic);
  ic->quiescent = quiescent;
  free(before);
  return 0;
}

/* Behind the registers in a snapshot. */
struct rest {
  uint64_t next_cycle;
  uint8_t quiescent, configured, zero[6];
  struct hd_post_reset_events early;
};

static int save(struct icarus *ic)
{
  const struct rest rest = {ic->next_cycle, ic->quiescent, ic->configured, {0}, ic->early};
  unsigned char *bytes = hd_remote_state(ic->head, ic->number);
  save_idle(ic, bytes);
  memcpy(bytes + ic->state.bytes, &rest, sizeof rest);
  return 0;
}

/* A clock for which time stands still: waves do not count it. */
static void clock_at_once(struct icarus *ic)
{
  set_clock(ic, 0, 0);
  settle_delays(ic);
  set_clock(ic, 1, 0);
  settle_delays(ic);
}

static int restore(struct icarus *ic)
{
  struct rest rest;
  const unsigned char *bytes = hd_remote_state(ic->head, ic->number);
  ic->known_pins = ic->head->two_state;
  ic->held_known = false;
  if (!ic->clocked) { /* so that clk is 1, as behind every clock */
    icarus_pins_reset(ic, true);
    clock_at_once(ic);
    icarus_pins_reset(ic, false);
    ic->clocked = true;
  }
  icarus_pins_idle(ic);
  icarus_state_release_nets(&ic->state);
  settle_delays(ic);
  icarus_state_restore(&ic->state, bytes);
  settle_delays(ic);
  memcpy(&rest, bytes + ic->state.bytes, sizeof rest);
  ic->next_cycle = rest.next_cycle;
  ic->quiescent = rest.quiescent;
  ic->configured = rest.configured;
  ic->early = rest.early;
  ic->after_reset.seen = 0;
  return 0;
}

static int two_state(struct icarus *ic)
{
  ic->known_pins = ic->held_known = true;
  ic->after_reset.seen = 0;
  icarus_pins_idle(ic);
  hold_known(ic);
  return 0;
}

/* Waves begin with a window: only there is it known which cycle this is. Time cannot go back, which
 * is why waves are written by a fresh process. */
static int begin_waves(struct icarus *ic, uint64_t cycle)
{
  s_vpi_time now = {.type = vpiSimTime};
  vpi_get_time(NULL, &now);
  uint64_t time = (uint64_t)now.high << 32 | now.low;
  vpiHandle path = vpi_handle_by_name(HD_ICARUS_TOP ".waves_path", NULL);
  vpiHandle open = vpi_handle_by_name(HD_ICARUS_TOP ".waves_open", NULL);
  s_vpi_value value = {.format = vpiStringVal, .value.str = ic->slot->path};
  if (ic->configured) { /* the cycle that is due before the window is none of the window's */
    icarus_pins_idle(ic);
    clock_at_once(ic);
    icarus_pins_keep_early(ic);
    ic->configured = false;
  }
  cycle *= ic->half_cycle;
  if (!path || !open || time > 2 * cycle + ic->half_cycle / 2) {
    snprintf(ic->slot->door.text, sizeof ic->slot->door.text,
             "waves from cycle %llu on: vvp is at time %llu",
             (unsigned long long)(cycle / ic->half_cycle), (unsigned long long)time);
    return HD_E_INTERNAL;
  }
  cycle = 2 * cycle + ic->half_cycle / 2;
  if (time < cycle)
    settle(cycle - time);
  vpi_put_value(path, &value, NULL, vpiNoDelay);
  value = (s_vpi_value){.format = vpiIntVal, .value.integer = 1};
  vpi_put_value(open, &value, NULL, vpiNoDelay);
  settle(0);
  ic->trace_due = false;
  ic->tracing = true;
  return 0;
}

static int run(struct icarus *ic)
{
  struct hd_remote_slot *s = ic->slot;
  struct hd_dut_job job = hd_remote_job(ic->head, ic->number);
  int status = ic->trace_due ? begin_waves(ic, job.start) : 0;
  if (!status)
    status = icarus_run_window(ic, &job, s->door.text, sizeof s->door.text);
  s->job = job;
  return status;
}

static int obey(struct icarus *ic)
{
  switch (ic->slot->door.command) {
  case HD_REMOTE_RESET:
    reset(ic);
    return 0;
  case HD_REMOTE_WRITE:
    return config_write(ic);
  case HD_REMOTE_READ:
    return config_read(ic);
  case HD_REMOTE_RUN:
    return run(ic);
  case HD_REMOTE_SAVE:
    return save(ic);
  case HD_REMOTE_RESTORE:
    return restore(ic);
  case HD_REMOTE_TWO_STATE:
    return two_state(ic);
  case HD_REMOTE_TRACE:
    ic->trace_due = true;
    return 0;
  default:
    return HD_E_INTERNAL;
  }
}

/* A switch's process: until HD_REMOTE_END, which lets vvp end as it does by itself. */
static void serve_switch(struct icarus *ic)
{
  while (hd_remote_server_next(&remote) != HD_REMOTE_END) {
    ic->assertion.failed = false;
    int status = obey(ic);
    /* A window tells of its own. */
    if (!status && ic->assertion.failed && ic->slot->door.command != HD_REMOTE_RUN) {
      snprintf(ic->slot->door.text, sizeof ic->slot->door.text,
               "the RTL called $stop, or an assertion of it failed, at %s, outside of any window",
               ic->assertion.where);
      status = HD_E_TOOL;
    }
    hd_remote_server_answer(&remote, status);
  }
  if (ic->tracing)
    settle(0);
  vpi_control(vpiFinish, 0);
  swapcontext(&server, &simulator);
}

/* ── the first process ──────────────────────────────────────────────────────── */

/* The longest unit of time below `scope`, as a power of ten of a second; -15 … 2. */
static int longest_unit(vpiHandle scope)
{
  int longest = scope ? vpi_get(vpiTimeUnit, scope) : -15;
  vpiHandle modules = vpi_iterate(vpiModule, scope);
  for (vpiHandle module; modules && (module = vpi_scan(modules));) {
    const int unit = longest_unit(module);
    longest = unit > longest ? unit : longest;
  }
  return longest;
}

/* In ticks: as many units as the wrapper says, if it says so. */
static uint64_t half_cycle(void)
{
  vpiHandle half = vpi_handle_by_name(HD_ICARUS_TOP "." HD_ICARUS_HALF, NULL);
  s_vpi_value value = {.format = vpiIntVal};
  if (!half)
    return 1;
  vpi_get_value(half, &value);
  uint64_t ticks = (uint64_t)value.value.integer;
  for (int unit = longest_unit(NULL) - vpi_get(vpiTimePrecision, NULL); unit > 0; unit--)
    ticks *= 10;
  struct t_vpi_vecval bits[2] = {{.aval = (PLI_INT32)ticks}, {.aval = (PLI_INT32)(ticks >> 32)}};
  value = (s_vpi_value){.format = vpiVectorVal, .value.vector = bits};
  vpi_put_value(half, &value, NULL, vpiNoDelay);
  return ticks;
}

static void serve(void)
{
  struct icarus *ic = &self;
  struct hd_remote_door *door = &remote.head->door;
  ic->head = remote.head;
  int status = icarus_pins_find(&ic->pins, &ic->head->params, door->text, sizeof door->text);
  if (!status)
    status = icarus_state_find(&ic->state, &ic->head->params);
  ic->known_pins = ic->head->two_state;
  ic->half_cycle = half_cycle();
  hd_remote_server_fork(&remote, status, ic->state.bytes + sizeof(struct rest));
  ic->head = remote.head;
  ic->slot = remote.slot;
  ic->number = remote.number;
  serve_switch(ic);
}

static PLI_INT32 begin(p_cb_data data)
{
  enum { STACK_BYTES = 1 << 20 };
  (void)data;
  void *stack = malloc(STACK_BYTES);
  if (!stack || getcontext(&server))
    return 0;
  server.uc_stack.ss_sp = stack;
  server.uc_stack.ss_size = STACK_BYTES;
  makecontext(&server, serve, 0);
  swapcontext(&simulator, &server);
  return 0;
}

static void start(void)
{
  watch_assertions();
  const char *why = hd_remote_server_attach(&remote);
  if (why) {
    vpi_printf("%s\n", why);
    vpi_control(vpiFinish, 1);
    return;
  }
  s_vpi_time now = {.type = vpiSimTime};
  s_cb_data callback = {.reason = cbReadWriteSynch, .cb_rtn = begin, .time = &now};
  vpi_register_cb(&callback);
}

void (*vlog_startup_routines[])(void) = {start, NULL};
