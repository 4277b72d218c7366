/* What the configuration port reads (specification §3.3, §8.6): DUT and model, which no output shows.
 * SPDX-License-Identifier: Apache-2.0
 *
 * At the end of a run all switches are asked. During a run those that were written to are asked after the
 * window of the write; in closed loop where that window would end, so that both modes find one place. The model is ahead by then, so what it read was noted when it got there.
 */
#include "lockstep_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A board is brought back by playing the whole run again after each read, so of a DUT on a cable error
 * registers alone are read, once, at the end. */
enum { READS_AT_END = 4096 };

/* These change while a run goes on; they are read first. */
static const uint32_t changing[] = {HD_CFG_ERRORS, HD_CFG_LIVE, HD_CFG_SELF, HD_CFG_IDLE};
enum {
  N_CHANGING = sizeof changing / sizeof *changing,
  N_OTHER = 3, /* addresses that are drawn; nothing has one, or only writing does (§3.1) */
  N_OF_SWITCH = HD_REGISTERS + N_OTHER,
};

/* The i-th register that is read: those that change, then the others. */
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
  /* One bit away from a register, or anywhere. */
  uint64_t random = hd_mix64(draw * N_OF_SWITCH + i);
  uint32_t near = register_at((unsigned)(random % HD_REGISTERS)) ^ UINT32_C(1)
                                                                       << (random >> 8) % 20;
  return i == HD_REGISTERS ? (uint32_t)(random >> 32) & 0xfffff : near;
}

static bool reads_are_dear(const struct hd_lockstep *ls)
{
  return ls->params.dut->capabilities & HD_DUT_BATCH;
}

/* Reads one of the DUT's; a difference becomes *d. */
static int read_one(struct hd_lockstep *ls, const struct hd_register_read *r, uint64_t cycle,
                    struct hd_divergence *d, struct hd_error *err)
{
  uint16_t got = 0;
  int status = hd_contract_config_read(ls, r->sw, r->address, &got, err);
  if (!status && (ls->params.dut->capabilities & HD_DUT_FOUR_STATE))
    status = hd_unknown_register(ls, r->sw, r->address, cycle, d, err);
  if (status || d->difference != HD_DIFF_NONE || got == r->value)
    return status;
  *d = (struct hd_divergence){.difference =
                                  r->address == HD_CFG_ERRORS ? HD_DIFF_ERRORS : HD_DIFF_REGISTER,
                              .cycle = cycle,
                              .sw = r->sw,
                              .port = 0xff,
                              .vc = 0xff,
                              .packet = HD_PACKET_NONE,
                              .address = r->address,
                              .expected_errors = r->value,
                              .got_errors = got};
  return HD_OK;
}

static struct hd_register_read expect(const struct hd_lockstep *ls, uint32_t sw, uint32_t address)
{
  return (struct hd_register_read){sw, address,
                                   hd_switch_config_read(hd_fabric_switch(ls->model, sw), address)};
}

void hd_registers_note(struct hd_lockstep *ls, struct window *w)
{
  uint32_t most = reads_are_dear(ls) ? 0 : HD_READS_OF_WINDOW;
  uint64_t end = w->record.start + w->record.cycles, block = end / ls->read_cycles;
  w->n_reads = 0;
  if (!most || ls->params.compare != HD_COMPARE_EXACT)
    return;
  for (uint32_t sw = 0; sw < ls->n_switches; sw++) {
    const struct hd_switch_record *r = &w->record.switches[sw];
    if (r->n_configs_in)
      ls->written[sw] = (r->configs_in[r->n_configs_in - 1].addr & 0xfffff) + 1;
  }
  if (end % ls->read_cycles)
    return;
  /* Where the last write of each switch went, then what else may have changed. */
  for (unsigned k = 0; k <= N_CHANGING && (!k || w->n_reads); k++)
    for (uint32_t i = 0; i < ls->n_switches && w->n_reads < most; i++) {
      uint32_t sw = (uint32_t)((i + block) % ls->n_switches);
      if (ls->written[sw])
        w->reads[w->n_reads++] = expect(ls, sw, k ? register_at(k - 1) : ls->written[sw] - 1);
    }
  memset(ls->written, 0, ls->n_switches * sizeof *ls->written);
}

int hd_registers_compare(struct hd_lockstep *ls, const struct window *w, struct hd_divergence *d,
                         struct hd_error *err)
{
  int status = HD_OK;
  for (uint32_t i = 0; i < w->n_reads && !status && d->difference == HD_DIFF_NONE; i++)
    status = read_one(ls, &w->reads[i], w->record.start + w->record.cycles, d, err);
  return status;
}

int hd_registers_end(struct hd_lockstep *ls, struct hd_error *err)
{
  uint32_t most = reads_are_dear(ls) ? 0 : READS_AT_END;
  uint64_t all = (uint64_t)ls->n_switches * N_OF_SWITCH, cycle = hd_fabric_cycle(ls->model);
  struct hd_divergence *d = &ls->result->divergence;
  int status = HD_OK;
  /* What faults and traffic leave behind is asked of all (§2.8). */
  for (uint32_t sw = 0; sw < ls->n_switches && !status && d->difference == HD_DIFF_NONE; sw++) {
    struct hd_register_read r = expect(ls, sw, HD_CFG_ERRORS);
    status = read_one(ls, &r, cycle, d, err);
  }
  for (uint64_t i = 0; i < all && i < most && !status && d->difference == HD_DIFF_NONE; i++) {
    uint64_t at = all <= most ? i : hd_mix64(cycle + i) % all;
    struct hd_register_read r = expect(ls, (uint32_t)(at / N_OF_SWITCH),
                                       address_of(cycle + at, (unsigned)(at % N_OF_SWITCH)));
    status = read_one(ls, &r, cycle, d, err);
  }
  if (status || d->difference == HD_DIFF_NONE)
    return status;
  return hd_fail(err, HD_E_DIVERGENCE,
                 "switch %" PRIu32 ": register %s (0x%05" PRIx32 ") differs at the end of the run",
                 d->sw, hd_register_name(d->address), d->address);
}
