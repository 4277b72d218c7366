/* The recorded cycles and the signals. Private to bridge/waves/.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WAVES_INTERNAL_H
#define HD_WAVES_INTERNAL_H

#include "fst.h"
#include "waves.h"

enum { HD_NO_PORT = 0xff };

/** A part of one of the event arrays. */
struct hd_waves_part {
  uint32_t first, n;
};

struct hd_waves_cycle {
  uint64_t cycle;
  struct hd_switch_view model;
  bool model_quiescent, dut_quiescent;
  struct hd_waves_part flits_in, model_flits, dut_flits;
  struct hd_waves_part credits_in, model_credits, dut_credits;
};

/** A state signal of specification §6.5. */
struct hd_waves_state {
  char path[HD_STATE_NAME]; /* "in[0].vc[1].occupancy" */
  const struct hd_state *state;
  uint32_t bits;
  uint8_t port; /* HD_NO_PORT: a state of the whole switch */
  uint8_t vc;
  struct hd_fst_signal model, rtl;
  uint32_t dut_handle;   /* handle in the DUT's waves; 0: not there */
  size_t next_of_handle; /* index + 1 of the next state with the same handle */
  uint32_t dut_value;
  bool dut_seen;           /* the DUT's waves have shown a value */
  bool dut_known;          /* dut_value is two-state */
  uint64_t first_differed; /* cycle; UINT64_MAX: never in the window */
  /* the watcher's last report had the next values, which agreed */
  bool told;
  uint32_t told_model, told_dut;
  bool told_dut_known;
};

struct hd_waves_flit_signals {
  struct hd_fst_signal valid, kind, vc, data, flit;
};

struct hd_waves_side {
  struct hd_waves_flit_signals in[HD_MAX_ENDPOINTS], out[HD_MAX_ENDPOINTS];
  struct hd_fst_signal in_credit[HD_MAX_ENDPOINTS], out_credit[HD_MAX_ENDPOINTS];
  struct hd_fst_signal in_barrier_credit[HD_MAX_ENDPOINTS], out_barrier_credit[HD_MAX_ENDPOINTS];
  struct hd_fst_signal in_count[HD_MAX_ENDPOINTS], out_count[HD_MAX_ENDPOINTS];
  struct hd_fst_signal quiescent;
};

struct hd_waves {
  struct hd_switch_params params;
  /* HD_REFERENCE_ORIGINAL: there are no states of §6.5, but original_waves may be there */
  enum hd_reference reference;
  const char *original_waves; /* FST, as the DUT's; NULL: none */
  uint32_t vc_bits;
  struct hd_waves_cycle *cycles;
  size_t n_cycles, cap_cycles;
  struct hd_flit_event *flits;
  size_t n_flits, cap_flits;
  struct hd_credit_event *credits;
  size_t n_credits, cap_credits;

  struct hd_waves_state *states;
  size_t n_states;
  struct hd_waves_side model, rtl;
  struct hd_fst_signal cycle, offset, differs, state_differs;
  struct hd_fst_signal port_differs[HD_MAX_ENDPOINTS], port_state_differs[HD_MAX_ENDPOINTS];

  uint64_t divergence_cycle;        /* offsets count from this cycle */
  struct hd_waves_watcher *watcher; /* NULL: none */

  /* set while merging */
  bool has_dut, has_internal;
  bool alone; /* hd_replay_cycle.alone: only the DUT's side exists */
  bool port_differed[HD_MAX_ENDPOINTS];
  uint64_t first_state_cycle; /* UINT64_MAX: no state differed */
  char clock[128];            /* path of the DUT's clock in the merged file, "": none */
  char first_state[HD_STATE_NAME];
  struct hd_explain_inside inside; /* `why` is not filled in here */
};

int hd_waves_create(struct hd_waves **waves, const struct hd_switch_params *params,
                    struct hd_error *err);
void hd_waves_destroy(struct hd_waves *waves);

/** Keeps a copy of a cycle. Cycles must be consecutive. Fits as `look` of hd_lockstep_replay,
 *  with the waves as its context. HD_E_INTERNAL. */
int hd_waves_look(void *waves, const struct hd_replay_cycle *cycle);

/** Writes the files. `dut_waves`: the DUT's FST (two time units a cycle); NULL: none. If the DUT
 *  was not replayed (hd_replay_cycle.has_dut), only the model is shown. */
int hd_waves_save(struct hd_waves *waves, const struct hd_divergence *divergence, const char *title,
                  const char *dir, const char *dut_waves, struct hd_error *err);

/** Bits of a flit vector (docs/waves.md): mark, valid, kind, vc, data. */
uint32_t hd_waves_flit_bits(const struct hd_waves *waves);

/** Writes the characters of a flit vector; flit may be NULL. Returns false if the vector is
 *  idle: no flit, no mark, all 'z'. */
bool hd_waves_flit_text(const struct hd_waves *waves, const struct hd_flit_event *flit, bool mark,
                        char text[HD_FST_MAX_BITS]);

/** Writes waves.fst. With path NULL it only finds where states differ. */
int hd_waves_merge(struct hd_waves *waves, const char *path, const char *dut_waves,
                   struct hd_error *err);

/** Reports a cycle to the watcher. The DUT's states of the cycle must be known. */
void hd_waves_tell(struct hd_waves *waves, const struct hd_waves_cycle *cycle);

/** hd_waves_state_of returns a state's value in `view`; the other function tests whether the
 *  DUT's value differs. */
uint32_t hd_waves_state_of(const struct hd_waves_state *state, const struct hd_switch_view *view);
bool hd_waves_state_differs(const struct hd_waves_state *state, const struct hd_switch_view *view);

/** Writes waves.gtkw, its filters flits.txt and states.txt, and waves.sucl, after hd_waves_merge. */
int hd_gtkw_write(const struct hd_waves *waves, const struct hd_divergence *divergence,
                  const char *title, const char *dir, struct hd_error *err);

/** hd_waves_flit returns port `port`'s flit in a part; NULL: none. The other function returns
 *  its credits: bit HD_BARRIER_CREDIT is a barrier credit, bits from HD_COUNT_WIRES on are a
 *  count's wires. */
const struct hd_flit_event *hd_waves_flit(const struct hd_waves *waves, struct hd_waves_part part,
                                          unsigned port);
uint32_t hd_waves_credits(const struct hd_waves *waves, struct hd_waves_part part, unsigned port);

/** True if two flits (NULL: none) look different at a port. */
bool hd_waves_flits_differ(const struct hd_flit_event *a, const struct hd_flit_event *b);

#endif
