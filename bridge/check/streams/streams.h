/* Random streams into one switch: they test whether a DUT still is the switch of docs/spec.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A case is a parameter set and a style of its neighbours. The model makes the stream and the expected answer; the DUT
 * gets the same stream. Sets that show most bugs come first; together they have both ends and all powers of two of every
 * parameter. Cases of one set follow one another, so that a backend is opened once for each set.
 */
#ifndef HD_STREAMS_H
#define HD_STREAMS_H

#include "../../dut.h"
#include "../../../cmodel/switch/coverage.h"

/** X(NAME, about): the behaviour of the switch's neighbours. */
#define HD_STREAM_STYLE_LIST(X)                                                               \
  X(LEGAL, "legal streams, registers, snapshots")                                             \
  X(ILLEGAL, "every error of §2.8 and §8.7, configuration writes meanwhile")                  \
  X(EDGES, "one port alone breaks rules; writes beyond the ends of tables")                   \
  X(ERRORS, "one port alone breaks rules; sound tables")                                      \
  X(CLEARS, "errors are cleared while they come")                                             \
  X(NARROW, "barrier messages of two groups; senders stop within packets")                    \
  X(WIDE, "barrier messages of groups and switches with numbers of all widths")               \
  X(SILENCE, "preempted channels, and then silence until a counter of 16 bits is at its end") \
  X(CROWD, "as many barrier groups as there are")                                             \
  X(COUNTDOWN, "thousands of reports for one barrier group")                                  \
  X(TREES, "barrier trees that are built and used round after round")                         \
  X(CODER, "packets for a few places of the XOR coder, written meanwhile, or for all")        \
  X(SINKS, "heads within packets, none of which is routed")

enum hd_stream_style {
#define HD_STREAM_STYLE_ENUM(NAME, about) HD_STREAM_##NAME,
  HD_STREAM_STYLE_LIST(HD_STREAM_STYLE_ENUM)
#undef HD_STREAM_STYLE_ENUM
      HD_STREAM_STYLES
};
/** The line of HD_STREAM_STYLE_LIST; static storage. */
const char *hd_stream_style_about(enum hd_stream_style style);

struct hd_stream_case {
  struct hd_switch_params params;
  uint32_t set; /* number of the parameter set */
  enum hd_stream_style style;
  uint32_t parts, cycles; /* parts, with a reset between them, and cycles of each part */
  uint64_t seed;
  bool brief; /* few parts, registers and table writes: hd_stream_opening */
};

/** The numbers of parameter sets, and of cases. */
uint32_t hd_stream_sets(void);
uint32_t hd_stream_cases(void);
/** Gives case `index`. Beyond the last case they begin again, with other streams. Another `seed` gives other streams,
 *  too. */
void hd_stream_case(uint32_t index, uint64_t seed, struct hd_stream_case *c);

/** The number of short cases, which test each set soon: those of set 0, then of set 1, and so on. */
uint32_t hd_stream_openings(void);
/** Gives short case `index`. */
void hd_stream_opening(uint32_t index, uint64_t seed, struct hd_stream_case *c);

/** Can the style be played with these parameters? Some styles need barrier hardware, or an XOR coder. */
bool hd_stream_fits(const struct hd_switch_params *params, enum hd_stream_style style);
/** Gives a case of any parameters; its set and seed are 0, for the caller to fill in. */
void hd_stream_case_of(const struct hd_switch_params *params, enum hd_stream_style style,
                       struct hd_stream_case *c);

/** X(NAME, name): kinds of difference between the switch and its model in a stream. */
#define HD_STREAM_DIFFERENCE_LIST(X) \
  X(AGREED, "none")                  \
  X(FLIT, "flit")                    \
  X(CREDIT, "credit")                \
  X(QUIESCENT, "quiescent_o")        \
  X(REGISTER, "register")            \
  X(ASSERTION, "assertion")

enum hd_stream_difference {
#define HD_STREAM_DIFFERENCE_ENUM(NAME, name) HD_STREAM_##NAME,
  HD_STREAM_DIFFERENCE_LIST(HD_STREAM_DIFFERENCE_ENUM)
#undef HD_STREAM_DIFFERENCE_ENUM
};

/** The flit, credit or word of one side where the sides differ; cycles count as those of the result. */
struct hd_stream_shown {
  bool some; /* there is a flit or credit */
  struct hd_flit_event flit;
  struct hd_credit_event credit;
  bool quiescent;
  uint16_t word; /* the word that was read */
};

struct hd_stream_result {
  enum hd_stream_difference difference;
  uint32_t part, cycle; /* parts count from 0, cycles from the reset before the part */
  uint8_t port, vc;     /* 0xff: of no port or channel */
  uint32_t address;     /* HD_STREAM_REGISTER: address of the register */
  struct hd_stream_shown expected, got;
  char assertion[120];         /* HD_STREAM_ASSERTION: where it is */
  char text[400];              /* the difference in a sentence; "": both agreed */
  uint64_t compared;           /* events and reads that were compared */
  uint64_t cycles;             /* cycles that the DUT played */
  struct hd_coverage coverage; /* points of the specification that the model covered; cases only */
};

/** Plays a case on a DUT of `ops`, whose backend was opened for c->params; `options` are for its create. 0: DUT and model
 *  agreed. HD_E_DIVERGENCE: the result has the first difference. HD_E_NOTHING: nothing was compared. Other codes are those
 *  of the DUT. */
int hd_stream_play(const struct hd_stream_case *c, const struct hd_dut_ops *ops,
                   const char *options, struct hd_stream_result *result, struct hd_error *err);

/** "flit", …; static storage. */
const char *hd_stream_difference_name(enum hd_stream_difference difference);

#endif
