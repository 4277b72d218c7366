/* Recording of a cycle's port events, inlined into the fabric's cycle; for cmodel/fabric*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The *_in functions are called before the switch sees the input, so that a rise and fall of quiescent_o is noted in
 * order. Rare work, growing lists and changes of quiescent_o, is in fabric_record.c.
 */
#ifndef HD_FABRIC_RECORD_H
#define HD_FABRIC_RECORD_H

#include "fabric_state.h"

/** Makes room for the outputs of a cycle, or for an input. False: out of memory; the fabric notes that. */
bool hd_fabric_grow_out(struct hd_fabric *f, struct hd_switch_record *r);
bool hd_fabric_grow_in(struct hd_fabric *f, struct hd_switch_record *r);
/** Notes that quiescent_o has risen, or will fall because of an input in this cycle. */
void hd_fabric_note_wake(struct hd_fabric *f, uint32_t sw);

/** Makes room for one cycle's outputs at the end of the lists. False: out of memory. */
static inline bool hd_fabric_note_room(struct hd_fabric *f, struct hd_switch_record *r)
{
  const uint32_t ports = f->topology->ports;
  const bool room =
      r->n_flits_out + ports <= r->cap_flits_out && r->n_credits_out + ports <= r->cap_credits_out;
  return __builtin_expect(room, 1) || hd_fabric_grow_out(f, r);
}

/* Records that an input in this cycle ends quiescence in the next. */
static inline void hd_fabric_note_input(struct hd_fabric *f, uint32_t sw)
{
  if (__builtin_expect(!f->switches, 0))
    return;
  const struct hd_switch *s = hd_fabric_block(f, sw);
  if (f->quiescent[sw] | (!s->active & (s->quiet_from <= f->cycle)))
    hd_fabric_note_wake(f, sw);
}

static inline void hd_fabric_note_flit_in(struct hd_fabric *f, uint32_t sw,
                                          const struct transit_flit *flit)
{
  struct hd_switch_record *r = &f->record->switches[sw];
  hd_fabric_note_input(f, sw);
  const uint32_t n = r->n_flits_in;
  if (__builtin_expect(n >= r->cap_flits_in, 0) && !hd_fabric_grow_in(f, r))
    return;
  r->n_flits_in = n + 1;
  r->tags_in[n] = flit->tag;
  r->flits_in[n] = flit->event;
  r->flits_in[n].cycle = (uint32_t)(f->cycle - f->record->start);
}

static inline void hd_fabric_note_credit_in(struct hd_fabric *f, uint32_t sw,
                                            const struct transit_credit *credit)
{
  struct hd_switch_record *r = &f->record->switches[sw];
  hd_fabric_note_input(f, sw);
  const uint32_t n = r->n_credits_in;
  if (__builtin_expect(n >= r->cap_credits_in, 0) && !hd_fabric_grow_in(f, r))
    return;
  r->n_credits_in = n + 1;
  r->credits_in[n] =
      hd_credit_of_set((uint32_t)(f->cycle - f->record->start), credit->far.port, credit->vcs);
}

#endif
