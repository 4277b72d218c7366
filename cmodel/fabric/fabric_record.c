/* Recording of port events, switch by switch (specification §6.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../grow.h"
#include "fabric_record.h"

#include <stdlib.h>
#include <string.h>

int hd_record_init(struct hd_record *record, uint32_t n_switches)
{
  *record = (struct hd_record){.n_switches = n_switches};
  record->switches = calloc(n_switches, sizeof *record->switches);
  return record->switches ? HD_OK : HD_E_NOMEM;
}

void hd_record_fini(struct hd_record *record)
{
  for (uint32_t i = 0; record->switches && i < record->n_switches; i++) {
    struct hd_switch_record *r = &record->switches[i];
    free(r->flits_in);
    free(r->flits_out);
    free(r->credits_in);
    free(r->credits_out);
    free(r->configs_in);
    free(r->toggles);
    free(r->tags_out);
    free(r->tags_in);
  }
  free(record->switches);
  *record = (struct hd_record){0};
}

bool hd_fabric_grow_out(struct hd_fabric *f, struct hd_switch_record *r)
{
  uint32_t ports = f->topology->ports;
  size_t tags = r->cap_flits_out;
  if (HD_ROOM(r->tags_out, tags, r->n_flits_out, ports) &&
      HD_ROOM(r->flits_out, r->cap_flits_out, r->n_flits_out, ports) &&
      HD_ROOM(r->credits_out, r->cap_credits_out, r->n_credits_out, ports))
    return true;
  f->record_failed = true;
  return false;
}

bool hd_fabric_grow_in(struct hd_fabric *f, struct hd_switch_record *r)
{
  size_t tags = r->cap_flits_in;
  if (HD_ROOM(r->tags_in, tags, r->n_flits_in, 1) &&
      HD_ROOM(r->flits_in, r->cap_flits_in, r->n_flits_in, 1) &&
      HD_ROOM(r->credits_in, r->cap_credits_in, r->n_credits_in, 1))
    return true;
  f->record_failed = true;
  return false;
}

static void note_toggle(struct hd_fabric *f, uint32_t sw, uint64_t cycle)
{
  struct hd_switch_record *r = &f->record->switches[sw];
  if (!HD_ROOM(r->toggles, r->cap_toggles, r->n_toggles, 1)) {
    f->record_failed = true;
    return;
  }
  r->toggles[r->n_toggles++] = (uint32_t)(cycle - f->record->start);
  f->quiescent[sw] = !f->quiescent[sw];
}

/* §2.10: records that quiescent_o rose, if it did so up to `cycle`. */
static void note_quiescent(struct hd_fabric *f, uint32_t sw, uint64_t cycle)
{
  if (!f->switches || f->quiescent[sw])
    return;
  const struct hd_switch *s = hd_fabric_block(f, sw);
  if (!s->active && s->quiet_from <= cycle)
    note_toggle(f, sw, s->quiet_from);
}

void hd_fabric_note_wake(struct hd_fabric *f, uint32_t sw)
{
  note_quiescent(f, sw, f->cycle);
  if (f->quiescent[sw])
    note_toggle(f, sw, f->cycle + 1);
}

void hd_fabric_note_config_in(struct hd_fabric *f, uint32_t sw, uint32_t addr, uint16_t data)
{
  struct hd_switch_record *r = &f->record->switches[sw];
  hd_fabric_note_input(f, sw);
  if (!HD_ROOM(r->configs_in, r->cap_configs_in, r->n_configs_in, 1)) {
    f->record_failed = true;
    return;
  }
  r->configs_in[r->n_configs_in++] =
      (struct hd_config_event){(uint32_t)(f->cycle - f->record->start), addr, data, 0};
}

void hd_fabric_record_begin(struct hd_fabric *f, struct hd_record *record)
{
  f->record = record;
  record->start = f->cycle;
  record->cycles = 0;
  for (uint32_t sw = 0; sw < record->n_switches; sw++) {
    struct hd_switch_record *r = &record->switches[sw];
    r->n_flits_in = r->n_flits_out = r->n_credits_in = r->n_credits_out = 0;
    r->n_configs_in = r->n_toggles = 0;
    r->quiescent_at_start = f->quiescent[sw];
    uint32_t n = f->n_carry[sw];
    size_t tags = r->cap_flits_out;
    if (!n)
      continue;
    if (!HD_ROOM(r->tags_out, tags, 0, n) || !HD_ROOM(r->flits_out, r->cap_flits_out, 0, n)) {
      f->record_failed = true;
      continue;
    }
    memcpy(r->flits_out, f->carry + (size_t)sw * f->carry_room, n * sizeof *r->flits_out);
    memcpy(r->tags_out, f->carry_tags + (size_t)sw * f->carry_room, n * sizeof *r->tags_out);
    r->n_flits_out = n;
    f->n_carry[sw] = 0;
  }
}

int hd_fabric_record_end(struct hd_fabric *f, struct hd_error *err)
{
  struct hd_record *record = f->record;
  uint32_t cycles = (uint32_t)(f->cycle - record->start);
  record->cycles = cycles;
  for (uint32_t sw = 0; sw < record->n_switches; sw++) {
    struct hd_switch_record *r = &record->switches[sw];
    note_quiescent(f, sw, f->cycle);
    uint32_t n = r->n_flits_out;
    while (n && r->flits_out[n - 1].cycle > cycles)
      n--;
    uint32_t later = r->n_flits_out - n;
    struct hd_flit_event *carry = f->carry + (size_t)sw * f->carry_room;
    for (uint32_t i = 0; i < later; i++) {
      carry[i] = r->flits_out[n + i];
      carry[i].cycle -= cycles;
    }
    if (later)
      memcpy(f->carry_tags + (size_t)sw * f->carry_room, r->tags_out + n,
             later * sizeof *f->carry_tags);
    f->n_carry[sw] = later;
    r->n_flits_out = n;
  }
  f->record = NULL;
  if (f->record_failed)
    return hd_fail(err, HD_E_NOMEM, "no memory to record a window of %u cycles: use a shorter one",
                   cycles);
  return HD_OK;
}
