/* VPI module that makes vvp answer for switches: values, clock, assertions, waves.
 * SPDX-License-Identifier: Apache-2.0
 *
 * After clock_once the clock is 1, and the outputs are those of the next cycle. Cycle c is at times
 * 2c (clock high) and 2c + 1 (clock low) of the waves. For RTL with delays, half a cycle is far
 * longer than a time unit of the RTL, and the first variable of the waves, HD_ICARUS_HALF, is its
 * length in ticks.
 */
#include "icarus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one switch of this process. */
static struct {
  struct sim sim;
  struct icarus_state state;
  bool held_known; /* set X and Z to 0 in every cycle */
} self;
static struct hd_remote_server remote;

static void get(vpiHandle handle, uint32_t bits, vecval *value)
{
  s_vpi_value got = {.format = vpiVectorVal};
  vpi_get_value(handle, &got);
  memcpy(value, got.value.vector, (bits + 31) / 32 * sizeof *value);
}

static void put(vpiHandle handle, uint32_t bits, const vecval *value)
{
  s_vpi_value given = {.format = vpiVectorVal, .value.vector = (vecval *)(uintptr_t)value};
  (void)bits;
  vpi_put_value(handle, &given, NULL, vpiNoDelay); /* only reads the value */
}

/* ── clock ──────────────────────────────────────────────────────────────────── */

static void set_clock(struct sim *sim, PLI_INT32 level, uint64_t delay)
{
  s_vpi_time when = {
      .type = vpiSimTime, .high = (PLI_UINT32)(delay >> 32), .low = (PLI_UINT32)delay};
  s_vpi_value value = {.format = vpiIntVal, .value.integer = level};
  vpi_put_value(sim->pins.handles[PIN_CLK], &value, &when, delay ? vpiTransportDelay : vpiNoDelay);
}

/* Sets X and Z in registers and nets to 0, several times: after each round the design settles, and
 * registers or nets that depend on them may become X again. */
static void hold_known(void)
{
  enum { ROUNDS = 3 };
  for (unsigned i = 0; i < ROUNDS; i++) {
    sim_settle(0);
    icarus_state_make_known(&self.state, 0);
    sim_settle(0);
    icarus_state_hold_nets(&self.state);
  }
  sim_settle(0);
}

static void clock_once(struct sim *sim)
{
  if (self.held_known)
    hold_known();
  sim->assertion.failed = false;
  const uint64_t late = sim->half_cycle / 2;
  set_clock(sim, 0, sim->half_cycle - late);
  set_clock(sim, 1, 2 * sim->half_cycle - late);
  sim_settle(2 * sim->half_cycle); /* `late` after the edge, when delays are over */
  sim->clocked = true;
  atomic_fetch_add_explicit(&sim->slot->clocks, 1, memory_order_relaxed);
}

/* Gives a clock in far less time than half a cycle, so that the waves' cycles do not shift. */
static void clock_at_once(struct sim *sim)
{
  set_clock(sim, 0, 0);
  sim_settle_delays(sim);
  set_clock(sim, 1, 0);
  sim_settle_delays(sim);
}

/* ── assertions ─────────────────────────────────────────────────────────────── */

static const char *const k_failing[] = {"$error", "$fatal", "$stop"};
enum { N_FAILING = sizeof k_failing / sizeof *k_failing };

/* Finds vvp's own system task `name`, not the one of this name that is registered here. */
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

/* Returns the text of an argument as the conversion `letter` prints it. %m takes no argument and
 * gives the scope. */
static const char *argument_text(vpiHandle call, vpiHandle argument, char letter)
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

/* Writes the message of a call, as ": fifty". Writes nothing if the call has no message. */
static void read_message(vpiHandle call, bool fatal, char *text, size_t size)
{
  vpiHandle list = vpi_iterate(vpiArgument, call), argument = list ? vpi_scan(list) : NULL;
  if (argument && fatal) /* the first argument of $fatal is a number, not the message */
    argument = vpi_scan(list);
  if (!argument || vpi_get(vpiType, argument) != vpiConstant ||
      vpi_get(vpiConstType, argument) != vpiStringConst)
    return;
  char format[160];
  size_t used = (size_t)snprintf(text, size, ": ");
  snprintf(format, sizeof format, "%s", argument_text(call, argument, 's'));
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
    used += (size_t)snprintf(text + used, size - used, "%s", argument_text(call, argument, *at));
  }
}

/* Called instead of $error, $fatal and $stop. Keeps the first failure of a cycle. Prints all of
 * them with vvp's own $error, because its $fatal and $stop would end the simulator before it has
 * answered. */
static PLI_INT32 fail_assertion(PLI_BYTE8 *user_data)
{
  (void)user_data;
  struct hd_dut_assertion *a = &self.sim.assertion;
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

/* ── registers ──────────────────────────────────────────────────────────────── */

static void power_up(struct sim *sim)
{
  if (sim->known_pins)
    icarus_state_make_known(&self.state, 1);
}

static void icarus_check_reset(struct hd_dut_unknown *unknown)
{
  icarus_state_check_names(&self.state, unknown);
}

static void icarus_name_unknown(const char *scope, struct hd_dut_unknown *unknown)
{
  icarus_state_name_unknown(&self.state, scope, unknown);
}

/* Saves the state while the pins are idle, because it will be restored while they are idle.
 * Variables of combinational logic are saved, too; a restored one keeps its value until one of its
 * inputs changes, so the value must fit the pins. */
static void save_idle(struct sim *sim, unsigned char *bytes)
{
  sim_pins_idle(sim);
  sim_settle_delays(sim);
  icarus_state_save(&self.state, bytes);
}

static void restore_idle(struct sim *sim, const unsigned char *bytes)
{
  sim_pins_idle(sim);
  sim_settle_delays(sim);
  icarus_state_restore(&self.state, bytes);
  sim_settle_delays(sim);
}

/* Reads a register, which takes a cycle, and restores the state from before the read. */
static int read_register(struct sim *sim)
{
  unsigned char *before = malloc(self.state.bytes + 1);
  if (!before)
    return HD_E_NOMEM;
  save_idle(sim, before);
  sim_read_register(sim);
  restore_idle(sim, before);
  free(before);
  return 0;
}

/* The part of a snapshot that follows the registers. */
struct snapshot_rest {
  uint64_t next_cycle;
  uint8_t quiescent, configured, zero[6];
  struct hd_post_reset_events early;
};

static int save(struct sim *sim)
{
  const struct snapshot_rest rest = {
      sim->next_cycle, sim->quiescent, sim->configured, {0}, sim->early};
  unsigned char *bytes = hd_remote_state(sim->head, sim->number);
  save_idle(sim, bytes);
  memcpy(bytes + self.state.bytes, &rest, sizeof rest);
  return 0;
}

static int restore(struct sim *sim)
{
  struct snapshot_rest rest;
  const unsigned char *bytes = hd_remote_state(sim->head, sim->number);
  sim->known_pins = sim->head->two_state;
  self.held_known = false;
  if (!sim->clocked) { /* makes clk 1, as it is after every clock */
    sim_pins_reset(sim, true);
    clock_at_once(sim);
    sim_pins_reset(sim, false);
    sim->clocked = true;
  }
  icarus_state_release_nets(&self.state);
  restore_idle(sim, bytes);
  memcpy(&rest, bytes + self.state.bytes, sizeof rest);
  sim->next_cycle = rest.next_cycle;
  sim->quiescent = rest.quiescent;
  sim->configured = rest.configured;
  sim->early = rest.early;
  sim->after_reset.seen = 0;
  return 0;
}

static int icarus_two_state(struct sim *sim)
{
  sim->known_pins = self.held_known = true;
  sim->after_reset.seen = 0;
  sim_pins_idle(sim);
  hold_known();
  return 0;
}

/* ── waves ──────────────────────────────────────────────────────────────────── */

/* Begins waves with cycle `cycle`, at its time. vvp's time cannot go back, so a new process writes
 * them. */
static int begin_waves(struct sim *sim, uint64_t cycle)
{
  s_vpi_time now = {.type = vpiSimTime};
  vpi_get_time(NULL, &now);
  uint64_t time = (uint64_t)now.high << 32 | now.low;
  vpiHandle path = vpi_handle_by_name(HD_ICARUS_TOP ".waves_path", NULL);
  vpiHandle open = vpi_handle_by_name(HD_ICARUS_TOP ".waves_open", NULL);
  s_vpi_value value = {.format = vpiStringVal, .value.str = sim->slot->path};
  if (sim->configured) { /* the idle cycle before the window must not be in the waves */
    sim_pins_idle(sim);
    clock_at_once(sim);
    sim_pins_keep_early(sim);
    sim->configured = false;
  }
  cycle *= sim->half_cycle;
  if (!path || !open || time > 2 * cycle + sim->half_cycle / 2) {
    snprintf(sim->slot->mailbox.text, sizeof sim->slot->mailbox.text,
             "waves from cycle %llu on: vvp is at time %llu",
             (unsigned long long)(cycle / sim->half_cycle), (unsigned long long)time);
    return HD_E_INTERNAL;
  }
  cycle = 2 * cycle + sim->half_cycle / 2;
  if (time < cycle)
    sim_settle(cycle - time);
  vpi_put_value(path, &value, NULL, vpiNoDelay);
  value = (s_vpi_value){.format = vpiIntVal, .value.integer = 1};
  vpi_put_value(open, &value, NULL, vpiNoDelay);
  sim_settle(0);
  sim->trace_due = false;
  sim->tracing = true;
  return 0;
}

static void end(struct sim *sim)
{
  if (sim->tracing)
    sim_settle(0);
  sim_finish();
}

/* ── first process ──────────────────────────────────────────────────────────── */

/* Returns the longest time unit below `scope` as a power of ten of a second, -15 … 2. */
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

/* Returns half a cycle in ticks. It is 1, unless the wrapper has the variable HD_ICARUS_HALF with a
 * number of time units; then also sets this variable to the ticks, for the waves. */
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

static const struct sim_ops k_ops = {
    .top = HD_ICARUS_TOP,
    .get = get,
    .put = put,
    .clock = clock_once,
    .power_up = power_up,
    .check_reset = icarus_check_reset,
    .name_unknown = icarus_name_unknown,
    .read = read_register,
    .save = save,
    .restore = restore,
    .two_state = icarus_two_state,
    .begin_waves = begin_waves,
    .end = end,
};

static void serve(void)
{
  struct sim *sim = &self.sim;
  struct hd_remote_mailbox *mailbox = &remote.head->mailbox;
  *sim = (struct sim){.ops = &k_ops, .remote = &remote, .head = remote.head};
  int status = sim_pins_find(sim, mailbox->text, sizeof mailbox->text);
  if (!status)
    status = icarus_state_find(&self.state, &sim->head->params);
  sim->half_cycle = half_cycle();
  sim_fork(sim, status, self.state.bytes + sizeof(struct snapshot_rest));
  sim_serve(sim);
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
  sim_begin(serve, 0);
}

void (*vlog_startup_routines[])(void) = {start, NULL};
