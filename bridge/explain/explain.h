/* Explains a divergence: both flits in words, the packet's way, the last grants, the state.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/reading-a-divergence.md walks through the text.
 */
#ifndef HD_EXPLAIN_H
#define HD_EXPLAIN_H

#include "../lockstep/lockstep.h"
#include "../record/rundb.h"
#include "../render/render.h"

enum {
  HD_EXPLAIN_CYCLES = 8,        /* cycles whose grants are shown */
  HD_EXPLAIN_OLDER = 4,         /* older grants of the divergent output that are shown */
  HD_EXPLAIN_BACK = 64,         /* cycles that are searched for older grants */
  HD_EXPLAIN_GRANTS = 64,       /* most grants; the last ones are kept */
  HD_EXPLAIN_WRITES = 16,       /* most configuration writes; the last ones are kept */
  HD_EXPLAIN_WRITES_BACK = 512, /* cycles that are searched for writes */
  HD_EXPLAIN_PATH = 256,        /* most switches of a packet's way */
  HD_EXPLAIN_STATES = 48,       /* most states, taken around the first one that differed */
};

/** An output flit of the divergent switch. */
struct hd_explain_grant {
  uint64_t cycle; /* cycle in which it is visible */
  struct hd_flit_event flit;
  bool by_model, by_dut;
};

/** A configuration write (§3) to the divergent switch. */
struct hd_explain_write {
  uint64_t cycle; /* it takes effect in the next cycle */
  uint32_t address;
  uint16_t data;
};

/** A state of §6.5, §8.10 of the divergent switch in RTL and model; numbers, or "x": unknown. */
struct hd_explain_state {
  char name[HD_STATE_NAME];
  char rtl[12], model[12];
  bool differs;
};

/** The first cycle in which a state inside the divergent switch differed, and the states around it. */
struct hd_explain_inside {
  uint32_t observed; /* states that could be compared */
  bool known;        /* states[first] differed, in `cycle` */
  /* the search could not look further back; it may have differed before `cycle` */
  bool or_before;
  uint64_t cycle;
  /* states of its port and channel at that cycle's start, and others that differed then */
  struct hd_explain_state states[HD_EXPLAIN_STATES];
  uint32_t n_states, first;
  char why[192]; /* the reason if not known; "": there was no search */
};

/** The way of a packet through one switch, as far as it has come, for a divergence in a stream. */
struct hd_explain_way {
  bool known;
  struct hd_flit_event head; /* as it came in by this port and channel */
  uint64_t came;             /* cycle in which it came in */
  uint32_t flit;             /* number in the packet of the flit that diverged; the head is 0 */
  bool is_granted;           /* the head was granted an output in cycle `granted` */
  bool has_output;           /* the output is known */
  uint64_t granted;
  uint8_t port, vc;
};

/** Everything that is known of a divergence. All zero is empty. Owns `hops`. */
struct hd_explanation {
  struct hd_divergence divergence;
  struct hd_switch_params sw;
  struct hd_peer peer; /* the switch or node at the other end of the divergent port */
  bool has_packet;
  struct hd_packet packet; /* without data: payload is NULL */
  uint64_t created;
  uint16_t path[HD_EXPLAIN_PATH]; /* the way that the tables plan */
  uint32_t n_path;
  bool goes_by; /* the packet goes by node `by` */
  uint32_t by;
  struct hd_rundb_hop *hops; /* known hops of this packet */
  uint32_t n_hops;
  bool all_hops; /* hops were traced, so `hops` is complete */
  bool has_replay;
  bool has_dut; /* the DUT was replayed too, so by_dut of the grants is known */
  struct hd_explain_grant grants[HD_EXPLAIN_GRANTS];
  uint32_t n_grants;
  /* the writes in the cycles that were searched */
  struct hd_explain_write writes[HD_EXPLAIN_WRITES];
  uint32_t n_writes;
  struct hd_switch_view state; /* the model's state at the start of state_cycle */
  uint64_t state_cycle;
  struct hd_explain_inside inside;
  /* with an original: a sentence that names the first signal that differed; "": not known, and
   * inside.why has the reason */
  char cause[400];
  bool own_timing; /* the DUT has its own timing, so the model's packets say nothing about it */
  /* way of the packet of a broken rule, from the DUT's own events; "": not known */
  char broken_way[800];
  /* the stimulus is a stream into one switch; packets then have a way instead of a number */
  bool of_stream;
  struct hd_explain_way way;
  char *replay_command;     /* owned */
  char replay_missing[160]; /* reason why grants and state are not known */
};

/** Tests whether the flit says something about the DUT. A flit of the model alone says nothing
 *  if the DUT has its own timing. */
bool hd_explain_tells(const struct hd_explanation *explanation,
                      const struct hd_explain_grant *grant);

enum { HD_FLIT_NAME_SIZE = 64 };

/** Writes a flit (specification §1.2, §1.3) as words into buf, HD_FLIT_NAME_SIZE bytes:
 *      H13 vc1 0x0034       head to node 13 (mode 0)
 *      H13<4 vc1 0x0435     to node 13, from node 4 (mode 1)
 *      Hp2 vc1 0x000a       source-routed, by output port 2 of this switch (mode 2)
 *      H13@4 vc1 0x0437     to node 13, by node 4 (mode 3)
 *      S…                   a single, like a head
 *      B 2a7f vc0           body;  T … tail; with their data in hexadecimal
 *      R5 vc0 0x0001        reserved kind 5, in a switch without barrier messages
 *  In a switch with barrier messages (§7.2, §8.1):
 *      null vc0, request vc1, end vc1
 *      M initial1 g3 vc0 0x0036   first of two: type, tag, group
 *      M.bsr4 vc0 0x0040          last of two: who reports; M.local0 to or from a node
 *      M reduce0 g3 to7 bsr4 vc0  a whole message
 *  The text is ASCII. It begins with what distinguishes flits most, since GTKWave cuts text that
 *  does not fit into a cycle. */
void hd_flit_name(char *buf, const struct hd_flit_event *flit,
                  const struct hd_switch_params *params);

/** Writes a flit (specification §1.2, §1.3) in words, such as "head to node 13 (mode 0,
 *  destination), vc 1, data 0x0035". */
void hd_explain_flit(struct hd_text *text, const struct hd_flit_event *flit,
                     const struct hd_switch_params *params);

/** Names a channel: "vc 3"; "barrier credit" for HD_BARRIER_CREDIT (§8.9); "count" for
 *  HD_COUNT_WIRES (§10.8); "vc -" for 0xff. */
struct hd_channel_name {
  char text[16];
};
struct hd_channel_name hd_explain_channel(unsigned vc);

/** Fills in grants and state by replaying the divergent switch. `explanation->divergence` must
 *  be set. If a part cannot be replayed, replay_missing names it. */
void hd_explain_replay(struct hd_explanation *explanation, struct hd_lockstep *lockstep);

/** Fills in the explanation from a replay by the caller: call begin, then hd_explain_look for
 *  each cycle, then end. The cycles begin at most HD_EXPLAIN_WRITES_BACK cycles before the
 *  divergence. */
void hd_explain_begin(struct hd_explanation *explanation);
int hd_explain_look(void *explanation, const struct hd_replay_cycle *cycle);
void hd_explain_end(struct hd_explanation *explanation, int status, const struct hd_error *err);

/** Appends the whole explanation as text for people. */
void hd_explain_divergence(const struct hd_explanation *explanation, struct hd_text *text);

/** Appends the first lines of the explanation: the difference with its place, both sides and the
 *  reason; or the broken rule with its place, what was seen and the packet's way. */
void hd_explain_headline(const struct hd_explanation *explanation, struct hd_text *text);

/** Appends, as a sentence without its full stop, what the DUT did that no switch may do: "output
 *  3 sent a flit of channel 1 with 0 credits". Appends nothing if the DUT did nothing forbidden. */
void hd_explain_reason(const struct hd_explanation *explanation, struct hd_text *text);

/** Writes the first wrong state inside, and the states around it. This is a part of the
 *  explanation. */
void hd_explain_inside(const struct hd_explanation *explanation, struct hd_text *text);

/** Writes a divergence in one line, for reports and for commands with many runs. */
void hd_explain_message(const struct hd_divergence *divergence, struct hd_text *text);

/** The explanation for report.json; the caller owns it. NULL: out of memory. */
json_t *hd_explain_json(const struct hd_explanation *explanation);

/** Adds ", port 2, vc 1", or nothing for a divergence without a port. */
void hd_explain_place(const struct hd_divergence *divergence, struct hd_text *text);

void hd_explanation_fini(struct hd_explanation *explanation);

#endif
