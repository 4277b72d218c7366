/* The XOR coder in a switch's block of memory (specification §11); for cmodel/switch/ alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The block has this part if CODE_PLACES ≥ 1. Places are records. Flits on their way to output
 * 0, and complete packets, are kept with the cycle in which they arrive or take effect. Ready
 * pairs and spent places are in lists, so that a cycle looks only at places in which something
 * happens.
 */
#ifndef HD_SWITCH_CODER_STATE_H
#define HD_SWITCH_CODER_STATE_H

#include "switch_state.h"

enum { CODER_FLITS = 16 };       /* most flits of a packet that is kept */
enum { CODER_ON_WAY = 8 };       /* more than the cycles from a grant to output 0 */
enum { CODER_EFFECTS = 64 };     /* HD_MAX_CODE_CYCLES + 1 */
enum { CODER_NOWHERE = 0xffff }; /* not in the list */

enum code { CODE_NONE, CODE_NATIVE, CODE_CODED, CODE_UNUSED };
enum place_state { PLACE_EMPTY, PLACE_FILLING, PLACE_NATIVE, PLACE_CODED };
_Static_assert((int)PLACE_NATIVE - CODE_NATIVE == (int)PLACE_CODED - CODE_CODED, "by one addition");

/** A place, §11.3. */
struct place {
  uint64_t changed;        /* cycle in which the state last changed */
  uint8_t state, before;   /* enum place_state; before: the state at the start of that cycle */
  uint8_t open, last;      /* bits as they were written */
  uint8_t low, high, work; /* §11.3 */
  uint8_t flits, length;   /* of the packet in it */
  uint16_t ready_at;       /* index in `ready` of the pair of this place and the next */
  uint16_t spent_at;       /* index in `spent` of this place */
  uint64_t memory[CODER_FLITS];
};

/** A packet that the coder makes or has made (§11.5). */
struct made {
  uint16_t pair, place; /* place: number in its code field */
  uint8_t code;
  uint8_t flits[2], length[2]; /* of the packets in both places */
};

/** A flit between its grant and output 0. */
struct coder_flit {
  uint64_t visible; /* cycle in which output 0 shows it */
  uint64_t data;
  uint16_t pair, place; /* of its packet, if the coder made it */
  uint8_t made;         /* code of that packet; CODE_NONE: the coder did not make it */
  uint8_t kind, vc;
};

/** The packet that the coder watches on a channel. */
struct watched {
  bool on, made;
  uint8_t code, length, seen; /* seen: its flits so far, 17 for more than 16 */
  uint16_t pair, place;
};

/** A complete packet that has yet to take effect. */
struct effect {
  uint64_t cycle; /* it takes effect at the end of this cycle */
  uint16_t pair, place;
  uint8_t code;
  bool made;
};

struct coder_state {
  uint8_t is_picked, is_sending;
  uint8_t flit;    /* next flit of `sending` */
  uint8_t vc;      /* channel of `sending`, once its flit 0 is granted */
  uint8_t granted; /* a flit was granted in this cycle; cleared by hd_coder_step */
  uint8_t busy;    /* the coder is counted in the switch's `active` */
  uint8_t first_on_way, n_on_way, first_effect, n_effects;
  uint8_t code_shift, place_shift, length_shift; /* positions in the code field, §11.2 */
  uint16_t next, n_ready, n_spent, n_waiting;    /* n_waiting: number of places that are not empty
                                                  * */
  uint64_t header_mask;                          /* the lowest HEADER_W bits */
  struct made picked, sending;
  struct watched watched[HD_MAX_VCS];
  struct coder_flit on_way[CODER_ON_WAY];
  struct effect effects[CODER_EFFECTS];
  uint16_t ready[HD_MAX_CODE_PLACES]; /* pairs, by their first place */
  uint16_t spent[HD_MAX_CODE_PLACES];
  struct place places[]; /* [code_places] */
};

static inline struct coder_state *coder_of(const struct hd_switch *sw)
{
  return (struct coder_state *)(void *)(uintptr_t)((const char *)sw + sw->coder_offset);
}

/** Returns the bytes of this part for these parameters; 0 without a coder. */
size_t hd_coder_size(const struct hd_switch_params *params);
/** Sets the state that a reset keeps. The block must hold zeros, and its offset must be set. */
void hd_coder_init(struct hd_switch *sw);
void hd_coder_reset(struct hd_switch *sw);

/* Order of the calls in a cycle: hd_coder_channels; hd_coder_grant for a flit of the coder's own, or hd_coder_granted
 * for another flit that output 0 grants; hd_coder_step; then hd_coder_write, if a place is written. */

/** Returns the channels of output 0 on which the coder's flit could go now (§11.6); 0: it does not ask, or waits.
 *  open_can and head_can: the channels that §7.7 leaves to open packets and to heads. */
unsigned hd_coder_channels(struct hd_switch *sw, unsigned open_can, unsigned head_can);
/** Sends the coder's flit, which was granted; `channels` is the result of hd_coder_channels. The caller updates credits
 *  and the pointers of §2.5, except vc_next and the owner. */
void hd_coder_grant(struct hd_switch *sw, uint64_t cycle, unsigned channels,
                    struct hd_flit_event *event);
/** Watches a flit of another packet that is granted output 0. Null flits are not passed. */
void hd_coder_granted(struct hd_switch *sw, uint64_t cycle, const struct hd_flit_event *event);
/** Does the rest of the coder's cycle (§11.8). Called after the grants. */
void hd_coder_step(struct hd_switch *sw, uint64_t cycle);
/** Carries out a write to select 6 (§11.3). Called after hd_coder_step. */
void hd_coder_write(struct hd_switch *sw, uint64_t cycle, unsigned place, unsigned data);

#endif
