/* Compares registers through the configuration port, because no output shows them (specification §3.3, §8.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * At the end of a run the registers of all switches are read, or a random choice of them. During a
 * run, registers of a switch that was written to are read after the window of the write. Closed
 * loop reads in the same cycles as decoupled runs, so both modes report the same cycle. In a
 * decoupled run the model is then a window ahead. So its values are noted when it reaches that
 * cycle.
 */
#include "lockstep_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  READS_AT_END = 4096,
  READS_AT_ONCE = 256,
};

/* Registers that change during a run. They are read first. */
static const uint32_t changing[] = {HD_CFG_ERRORS, HD_CFG_LIVE, HD_CFG_SELF, HD_CFG_IDLE};
enum {
  N_CHANGING = sizeof changing / sizeof *changing,
  N_OTHER = 3, /* random addresses, most of them without a register that can be read (§3.1) */
  N_OF_SWITCH = HD_REGISTERS + N_OTHER,
};

/* The i-th register that is read: first those that change, then the others. */
static uint32_t register_at(unsigned i)
{
  if (i < N_CHANGING)
    return changing[i];
  i -= N_CHANGING;
  for (unsigned r = 0;; r++) {
    bool changes = false;
    for (unsigned k = 0; k < N_CHANGING; k++)
      changes |= hd_register_list[r].address == changing[k];
    if (!changes && !i--)
      return hd_register_list[r].address;
  }
}

static uint32_t address_of(uint64_t draw, unsigned i)
{
  if (i < HD_REGISTERS)
    return register_at(i);
  /* An address that differs from a register's in one bit, or any address. */
  uint64_t random = hd_mix64(draw * N_OF_SWITCH + i);
  uint32_t near = register_at((unsigned)(random % HD_REGISTERS)) ^ UINT32_C(1)
                                                                       << (random >> 8) % 20;
  return i == HD_REGISTERS ? (uint32_t)(random >> 32) & 0xfffff : near;
}

/* After each read a board must play the whole run again. So only error registers are read, once,
 * at the end. */
static bool reads_are_dear(const struct hd_lockstep *ls)
{
  return ls->params.dut->capabilities & HD_DUT_DEAR_READS;
}

/* Compares a register of the DUT with the reference's. Puts a difference into *d. */
static void judge(const struct hd_register_read *r, const struct hd_dut_read *read, uint64_t cycle,
                  struct hd_divergence *d)
{
  hd_unknown_register(read, cycle, d);
  if (d->difference != HD_DIFF_NONE || read->data == r->value)
    return;
  *d = (struct hd_divergence){.difference =
                                  r->address == HD_CFG_ERRORS ? HD_DIFF_ERRORS : HD_DIFF_REGISTER,
                              .cycle = cycle,
                              .sw = r->sw,
                              .port = 0xff,
                              .vc = 0xff,
                              .packet = HD_PACKET_NONE,
                              .address = r->address,
                              .expected_errors = r->value,
                              .got_errors = read->data};
}

/* Reads up to READS_AT_ONCE registers of the DUT: in one call if it can, otherwise one by one up
 * to the first difference. */
static int read_some(struct hd_lockstep *ls, const struct hd_register_read *r, uint32_t n,
                     uint64_t cycle, struct hd_divergence *d, struct hd_error *err)
{
  const uint32_t at_once = ls->params.dut->capabilities & HD_DUT_READS ? n : 1;
  struct hd_dut_read reads[READS_AT_ONCE];
  int status = HD_OK;
  for (uint32_t from = 0; from < n && !status && d->difference == HD_DIFF_NONE; from += at_once) {
    for (uint32_t i = from; i < from + at_once; i++)
      reads[i] = (struct hd_dut_read){.sw = r[i].sw, .addr = r[i].address};
    status = hd_contract_config_read(ls, reads + from, at_once, err);
    for (uint32_t i = from; i < from + at_once && !status && d->difference == HD_DIFF_NONE; i++)
      judge(&r[i], &reads[i], cycle, d);
  }
  return status;
}

/* Reads up to READS_AT_ONCE registers of the original into `r`. */
static int ask_original(struct hd_lockstep *ls, struct hd_register_read *r, uint32_t n,
                        struct hd_error *err)
{
  struct hd_dut_read reads[READS_AT_ONCE];
  for (uint32_t i = 0; i < n; i++)
    reads[i] = (struct hd_dut_read){.sw = r[i].sw, .addr = r[i].address};
  int status = n ? hd_contract_config_read(&ls->original->side, reads, n, err) : HD_OK;
  for (uint32_t i = 0; i < n && !status; i++)
    r[i].value = reads[i].data;
  return status;
}

static int expect(struct hd_lockstep *ls, struct hd_register_read *r, uint32_t n,
                  struct hd_error *err)
{
  if (ls->original)
    return ask_original(ls, r, n, err);
  for (uint32_t i = 0; i < n; i++)
    r[i].value = hd_switch_config_read(hd_fabric_switch(ls->reference, r[i].sw), r[i].address);
  return HD_OK;
}

int hd_registers_read_reference(struct hd_lockstep *ls, struct window *w, struct hd_error *err)
{
  uint32_t most = reads_are_dear(ls) ? 0 : HD_READS_OF_WINDOW;
  uint64_t end = w->record.start + w->record.cycles, block = end / ls->read_cycles;
  w->n_reads = 0;
  if (!most || ls->params.compare != HD_COMPARE_EXACT)
    return HD_OK;
  for (uint32_t sw = 0; sw < ls->n_switches; sw++) {
    const struct hd_switch_record *r = &w->record.switches[sw];
    if (r->n_configs_in)
      ls->written[sw] = (r->configs_in[r->n_configs_in - 1].addr & 0xfffff) + 1;
  }
  if (end % ls->read_cycles)
    return HD_OK;
  /* First reads the register that each switch's last write went to, then others that may have
   * changed. */
  for (unsigned k = 0; k <= N_CHANGING && (!k || w->n_reads); k++)
    for (uint32_t i = 0; i < ls->n_switches && w->n_reads < most; i++) {
      uint32_t sw = (uint32_t)((i + block) % ls->n_switches);
      if (ls->written[sw])
        w->reads[w->n_reads++] = (struct hd_register_read){
            .sw = sw, .address = k ? register_at(k - 1) : ls->written[sw] - 1};
    }
  memset(ls->written, 0, ls->n_switches * sizeof *ls->written);
  return expect(ls, w->reads, w->n_reads, err);
}

int hd_registers_compare(struct hd_lockstep *ls, const struct window *w, struct hd_divergence *d,
                         struct hd_error *err)
{
  _Static_assert((int)HD_READS_OF_WINDOW <= (int)READS_AT_ONCE, "they are read in one go");
  return read_some(ls, w->reads, w->n_reads, w->record.start + w->record.cycles, d, err);
}

/* The i-th read at the end of a run. First the error registers of all switches (§2.8), then as
 * many registers as the limit allows. */
static struct hd_register_read at_end(const struct hd_lockstep *ls, uint64_t i, uint64_t cycle)
{
  const uint64_t all = (uint64_t)ls->n_switches * N_OF_SWITCH;
  if (i < ls->n_switches)
    return (struct hd_register_read){.sw = (uint32_t)i, .address = HD_CFG_ERRORS};
  i -= ls->n_switches;
  uint64_t at = all <= READS_AT_END ? i : hd_mix64(cycle + i) % all;
  return (struct hd_register_read){.sw = (uint32_t)(at / N_OF_SWITCH),
                                   .address = address_of(cycle + at, (unsigned)(at % N_OF_SWITCH))};
}

int hd_registers_end(struct hd_lockstep *ls, struct hd_error *err)
{
  const uint64_t others = (uint64_t)ls->n_switches * N_OF_SWITCH;
  const uint64_t most = reads_are_dear(ls) ? 0 : READS_AT_END;
  const uint64_t all = ls->n_switches + (others < most ? others : most);
  const uint64_t cycle = hd_fabric_cycle(ls->reference);
  struct hd_register_read reads[READS_AT_ONCE];
  struct hd_divergence *d = &ls->result->divergence;
  int status = HD_OK;
  for (uint64_t from = 0; from < all && !status && d->difference == HD_DIFF_NONE;) {
    uint32_t n = 0;
    for (; n < READS_AT_ONCE && from < all; n++)
      reads[n] = at_end(ls, from++, cycle);
    status = expect(ls, reads, n, err);
    if (!status)
      status = read_some(ls, reads, n, cycle, d, err);
  }
  if (status || d->difference == HD_DIFF_NONE)
    return status;
  return hd_fail(err, HD_E_DIVERGENCE,
                 "switch %" PRIu32 ": register %s (0x%05" PRIx32 ") differs at the end of the run",
                 d->sw, hd_register_name(d->address), d->address);
}
