/* Random event streams around one switch, for every backend behind the DUT contract.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A stream is made with the model in windows of one cycle, so that its senders and receivers can react to the outputs of
 * the switch. Every backend must give the same output events for the same inputs, with windows of any length.
 */
#ifndef HD_SWITCH_STREAM_H
#define HD_SWITCH_STREAM_H

#include "../../backends/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stream {
  struct hd_switch_params params;
  uint32_t cycles;
  struct hd_config_event *tables; /* written before cycle 0; cycle is unused */
  struct hd_flit_event *flits_in, *flits_out;
  struct hd_credit_event *credits_in, *credits_out;
  struct hd_config_event *configs_in;
  uint32_t *toggles;
  uint32_t n_tables, n_flits_in, n_flits_out, n_credits_in, n_credits_out, n_configs_in, n_toggles,
      n_reads;
  uint16_t errors; /* error register at the end */
  uint16_t *reads; /* [n_reads]: error register after each `style.reads` cycles */
  bool quiescent;  /* in cycle 0 */
};

/* Behaviour of a stream's neighbours. Numbers are per mille where nothing else is said. */
struct stream_style {
  uint32_t load;    /* a channel of an idle sender begins a packet in a cycle */
  uint32_t illegal; /* a port breaks a rule of §2.8 in a cycle */
  uint32_t only;    /* 0, or port + 1 of the only port that breaks rules */
  uint32_t clears;  /* all error bits are cleared in a cycle */
  uint32_t reads;   /* cycles between two reads of the error register; 0: it is read at the end */
  uint32_t pauses;  /* senders stop for 64 cycles, also within packets */
  uint32_t floods;  /* a turn is longer; a turn has flits on one channel alone */
  uint32_t keeps;   /* a receiver holds back the credits of one channel for long */
  /* Cycle from which on neighbours send nothing new; sooner, once all ports have preempted; up to 2,000 cycles later, once
   * the target port has. 0: they never stop. */
  uint32_t ends;
  uint32_t target; /* with `ends`: the port that is to preempt; another one in each silence */
  bool waits;      /* with `ends`: neighbours send again after IDLE, each time with another IDLE */
  bool narrow;     /* barrier messages are only of two groups and three switches */
  uint32_t fails;  /* narrow: a message has type *fail* instead of another */
  uint32_t lane;   /* set by hd_stream_drive: 0, or channel + 1 on which alone flits are sent now */
  bool singles;    /* set by hd_stream_drive: all packets have one flit now */
  bool crowd;      /* groups are opened and seldom closed */
  bool countdown;  /* all barrier messages are reports for group 0 of this switch */
  bool sinks;      /* no head is routed; only heads and single flits arrive, many within packets */
  uint32_t strays; /* per mille: a port gets a barrier credit without a message */
  bool trees;      /* narrow: barrier messages are those of trees (barrier_trees.h) */
  uint32_t names;  /* narrow: 0, or the word from which groups and switches get their numbers */
  /* 0, or all packets leave by port 0 for so many places of the coder, which are written often. */
  uint32_t places;
  uint32_t first_place; /* first of these places; after the last place comes place 0 */
  /* `places` are all places, seldom written, and packets come without a pause, so that pairs wait for each other. */
  bool every_place;
};

/** Chooses places of the coder for a part: two; three, of which one often has no partner; or all. */
static inline void stream_name_places(struct stream_style *style,
                                      const struct hd_switch_params *params, uint32_t part)
{
  const uint32_t round = part / params->code_places % 3;
  style->first_place = part % params->code_places;
  style->every_place = round == 2;
  style->places = style->every_place ? params->code_places : 2 + round;
}

/** Draws the cycles of a stream with switch 0 of `dut` in the loop, which is reset and configured: neighbours react to its
 *  outputs, and these become the outputs of the stream. Errors are those of the DUT. */
int hd_stream_drive(struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
                    const struct stream_style *style, uint64_t *rnd, struct hd_error *err);

/** Writes the stream's tables into a switch. */
int hd_stream_configure(const struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
                        uint32_t sw, struct hd_error *err);

/** Makes a stream with the model; returns 0 or a status of the model backend. */
int hd_stream_make(struct stream *s, const struct hd_switch_params *params, uint32_t cycles,
                   const struct stream_style *style, uint64_t seed, struct hd_error *err);

void hd_stream_fini(struct stream *s);

/** Reserves room for a stream, and draws its tables. hd_stream_fini frees it. */
void hd_stream_begin(struct stream *s, const struct hd_switch_params *params, uint32_t cycles,
                     const struct stream_style *style, uint64_t *rnd);

#endif
