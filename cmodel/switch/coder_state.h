/* The XOR coder in a switch's block of memory (specification §11); for cmodel/switch/ alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * There only where CODE_PLACES ≥ 1. Places are records, and what has been set off but has not happened yet is
 * kept with the cycle in which it does: flits on their way to output 0, packets that are complete. Pairs that
 * are ready and places that are spent are listed as soon as they become so, so that a cycle looks only at
 * places in which something happens.
 */
#ifndef HD_SWITCH_CODER_STATE_H
#define HD_SWITCH_CODER_STATE_H

#include "switch_state.h"

enum { CODER_FLITS = 16 };       /* of a packet that is kept */
enum { CODER_ON_WAY = 8 };       /* more than a grant takes to be visible */
enum { CODER_EFFECTS = 64 };     /* HD_MAX_CODE_CYCLES + 1 */
enum { CODER_NOWHERE = 0xffff }; /* in no list */

enum code { CODE_NONE, CODE_NATIVE, CODE_CODED, CODE_UNUSED };
enum place_state { PLACE_EMPTY, PLACE_FILLING, PLACE_NATIVE, PLACE_CODED };
_Static_assert((int)PLACE_NATIVE - CODE_NATIVE == (int)PLACE_CODED - CODE_CODED, "by one addition");

/** A place, §11.3. */
struct place {
  uint64_t changed;        /* cycle in which the state last changed */
  uint8_t state, before;   /* enum place_state; before: at the start of that cycle */
  uint8_t open, last;      /* as written */
  uint8_t low, high, work; /* §11.3 */
  uint8_t flits, length;   /* of the packet */
  uint16_t ready_at;       /* where in `ready` the pair of this place and the next one is */
  uint16_t spent_at;       /* where in `spent` it is */
  uint64_t memory[CODER_FLITS];
};

/** A packet that the coder makes, or made (§11.5). */
struct made {
  uint16_t pair, place; /* place: that of the code field */
  uint8_t code;
  uint8_t flits[2], length[2]; /* of both places */
};

/** A flit between its grant and output 0. */
struct coder_flit {
  uint64_t visible; /* cycle */
  uint64_t data;
  uint16_t pair, place; /* of a packet that the coder made */
  uint8_t made;         /* its code; CODE_NONE: the coder did not make it */
  uint8_t kind, vc;
};

/** A packet that is being watched on a channel. */
struct watched {
  bool on, made;
  uint8_t code, length, seen; /* seen: flits, 17 for more than 16 */
  uint16_t pair, place;
};

/** A packet that is complete. */
struct effect {
  uint64_t cycle; /* at whose end it takes effect */
  uint16_t pair, place;
  uint8_t code;
  bool made;
};

struct coder_state {
  uint8_t is_picked, is_sending;
  uint8_t flit;    /* of `sending`, the one to be sent */
  uint8_t vc;      /* its channel, after flit 0 */
  uint8_t granted; /* in this cycle, until hd_coder_step */
  uint8_t busy;    /* as counted in the switch's `active` */
  uint8_t first_on_way, n_on_way, first_effect, n_effects;
  uint8_t code_shift, place_shift, length_shift; /* of the code field, §11.2 */
  uint16_t next, n_ready, n_spent, n_waiting;    /* n_waiting: places that are not empty */
  uint64_t header_mask;                          /* the lowest HEADER_W bits */
  struct made picked, sending;
  struct watched watched[HD_MAX_VCS];
  struct coder_flit on_way[CODER_ON_WAY];
  struct effect effects[CODER_EFFECTS];
  uint16_t ready[HD_MAX_CODE_PLACES]; /* by their first place */
  uint16_t spent[HD_MAX_CODE_PLACES];
  struct place places[]; /* [code_places] */
};

static inline struct coder_state *coder_of(const struct hd_switch *sw)
{
  return (struct coder_state *)(void *)(uintptr_t)((const char *)sw + sw->coder_offset);
}

/** Bytes for these parameters; 0 without a coder. */
size_t hd_coder_size(const struct hd_switch_params *params);
/** Sets the state that a reset keeps. The block holds zeros, and its offset is known. */
void hd_coder_init(struct hd_switch *sw);
void hd_coder_reset(struct hd_switch *sw);

/* In a cycle: hd_coder_channels, hd_coder_grant, hd_coder_granted for what else output 0 grants,
 * hd_coder_step, then perhaps coder_write. */

/** §11.6: channels of output 0 on which the coder's flit could go now; 0: it does not ask, or waits. open_can and
 *  head_can: those that §7.7 leaves to open packets and to heads. */
unsigned hd_coder_channels(struct hd_switch *sw, unsigned open_can, unsigned head_can);
/** The coder's flit is granted; `channels` of coder_channels. Credits and pointers of §2.5 are the caller's, but
 *  for vc_next and the owner. */
void hd_coder_grant(struct hd_switch *sw, uint64_t cycle, unsigned channels,
                    struct hd_flit_event *event);
/** A flit of a packet that the coder did not make is granted output 0; null flits are not seen. */
void hd_coder_granted(struct hd_switch *sw, uint64_t cycle, const struct hd_flit_event *event);
/** All else of a cycle (§11.8), after the grants. */
void hd_coder_step(struct hd_switch *sw, uint64_t cycle);
/** A write to select 6 (§11.3); after coder_step. */
void hd_coder_write(struct hd_switch *sw, uint64_t cycle, unsigned place, unsigned data);

#endif
