/* Random event streams around one switch, and their replay through the DUT contract.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A stream is made with the model in windows of one cycle, its senders and receivers
 * answering what the switch puts out; its output events are what every backend, at every
 * window length, must give for the same inputs.
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
  uint16_t *reads; /* error register after each `style.reads` cycles */
  bool quiescent;  /* in cycle 0 */
};

/* How the stream's neighbours behave. */
struct stream_style {
  uint32_t load;    /* per mille: a new packet of an idle sender's channel in a cycle */
  uint32_t illegal; /* per mille: something that §2.8 names, in a cycle at a port */
  uint32_t only;    /* 0, or port + 1 of the one port that does so */
  uint32_t clears;  /* per mille: all error bits are cleared in a cycle */
  uint32_t reads;   /* cycles from one read of the error register to the next; 0: the last alone */
  uint32_t pauses;  /* per mille: for 64 cycles senders stop, in the midst of packets, too */
  uint32_t
      floods; /* per mille: of times that are long, and of those with flits on one channel alone */
  uint32_t keeps; /* per mille: receivers that hold back the credits of one channel for long */
  uint32_t
      ends; /* cycle from which on neighbours send nothing new; sooner, once all ports have preempted; up to 2,000
                    cycles later, once a certain one has. 0: they never stop */
  uint32_t target; /* with `ends`: the port to be preempted; another one in each silence */
  bool waits;      /* with `ends`: neighbours send again after IDLE, each time with another IDLE */
  bool narrow;     /* barrier messages of two groups and three switches alone */
  uint32_t fails;  /* narrow, per mille: a message of type *fail* instead of another */
  uint32_t lane;   /* hd_stream_drive's own: 0, or channel + 1 of which flits are sent for now */
  bool singles;    /* for now, all packets have one flit */
  bool crowd;      /* groups are opened and seldom closed */
  bool countdown;  /* barrier messages are reports for group 0 of this switch alone */
  bool
      sinks; /* nothing is routed: only heads and single flits arrive, many of them within packets */
  uint32_t strays; /* barrier credits that no message has earned */
  bool trees;      /* narrow: barrier messages are those of trees (barrier_trees.h) */
  uint32_t names;  /* narrow: 0, or where groups and switches get numbers of all widths from */
  uint32_t
      places; /* 0, or all packets leave by port 0 for so many places of the coder, which are written often */
  uint32_t first_place; /* and which is the first; after the last one comes place 0 */
  /* `places` are all of them, seldom written, and packets come without a pause: pairs wait for each other. */
  bool every_place;
};

/** Chooses other places of the coder in each part: two; three, of which one often has no partner; or all. */
static inline void stream_name_places(struct stream_style *style,
                                      const struct hd_switch_params *params, uint32_t part)
{
  const uint32_t round = part / params->code_places % 3;
  style->first_place = part % params->code_places;
  style->every_place = round == 2;
  style->places = style->every_place ? params->code_places : 2 + round;
}

/** The stream's cycles with switch 0 of `dut`, which is reset and configured, in the loop: its
 * neighbours answer what it puts out, and that is what the stream's outputs are. */
int hd_stream_drive(struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
                    const struct stream_style *style, uint64_t *rnd, struct hd_error *err);

int hd_stream_configure(const struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
                        uint32_t sw, struct hd_error *err);

/** Makes a stream; returns 0 or a status of the model backend. */
int hd_stream_make(struct stream *s, const struct hd_switch_params *params, uint32_t cycles,
                   const struct stream_style *style, uint64_t seed, struct hd_error *err);

void hd_stream_fini(struct stream *s);

/** Room for a stream, and tables for it. */
void hd_stream_begin(struct stream *s, const struct hd_switch_params *params, uint32_t cycles,
                     const struct stream_style *style, uint64_t *rnd);

#endif
