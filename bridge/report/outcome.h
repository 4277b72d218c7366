/* The results of a run: filled in by bridge/run/, written down by the reports.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_OUTCOME_H
#define HD_OUTCOME_H

#include "../backends/backend.h"
#include "../coverage/coverage_set.h"
#include "../coverage/rtl_coverage.h"
#include "../explain/explain.h"
#include "../host/text.h"
#include "../lockstep/lockstep.h"
#include "../manager/manager.h"
#include "../scenario/scenario.h"
#include "../../sw/runtime/world.h"
#include "latency.h"
#include "load.h"

/** Values that software recorded under a name (hd_ep_statistic), as far as they count. */
struct hd_run_statistic {
  char *name;
  struct hd_world_value *values; /* [n], in order of time */
  size_t n;
  uint64_t minimum, median, p99, p999, maximum; /* nearest rank; 99.9th */
  double mean;
};

/** A barrier group as the network saw it: from the cycle in which its last member's message was
 *  handed to the network interface to the one in which the last member's software could see its
 *  release. */
struct hd_run_barrier {
  uint32_t group, members, center; /* number; nodes; a switch */
  uint32_t bsr_nodes;              /* 0: the tree is not known, and none of the next three lines */
  uint32_t distance_hops;          /* D of Theorem 2: along the tree, of the farthest BSR node */
  uint32_t hop_cycles, preempt_cycles; /* T_b, T_p (§8.5) */
  double theorem_2_cycles;             /* 2 T_b D */
  uint64_t bound_cycles;               /* the bound of §8.11; 0: none */
  const char *no_bound;                /* reason why there is no bound */
  uint64_t above_bound;                /* later barriers that took longer */
  bool has_first;
  uint64_t first_cycles; /* in which the tree was built */
  struct hd_run_statistic later;
  /* p and p_f of the paper, at the last arrivals of later barriers: the share of the links'
   * channels between switches that serve a packet, and the share of these that have no credit. */
  bool has_busy;
  double busy, blocked;
  double formula_cycles; /* (1) or (2) of the paper by these, without T_s; < 0: does not apply */
};

/** Flits that left switches, by kind. */
struct hd_run_flits {
  uint64_t data, barrier, padding, null;
  uint64_t heads; /* how many values of `data` are heads */
};

/** Events that take energy, and what one takes, in femtojoules. */
struct hd_run_energy {
  uint64_t events[HD_ENERGY_EVENTS], femtojoules[HD_ENERGY_EVENTS];
};

/** A parameter of the scenario (hd_scenario_parameters). */
struct hd_run_parameter {
  char *key, *text; /* owned; text NULL: */
  struct hd_value value;
};

/** Packets of a class (hd_ep_use_class) in the measuring phase. */
struct hd_run_class {
  uint64_t sent_flits, received_flits;
  struct hd_latency latency, network_latency;
};

/** Latencies of measured packets that cross this number of links inside a network that is the DUT.
 */
struct hd_run_distance {
  uint64_t packets, sum, minimum, maximum; /* cycles */
};

/** The results of a run. Zeroed by hd_run, freed by hd_run_report_fini. */
struct hd_run_report {
  int status;             /* as hd_run returned it */
  struct hd_text message; /* why, when status is not 0 */
  struct hd_text notes;   /* lines worth knowing, each ended by \n */
  char *directory;        /* NULL: the run did not come so far */
  char *name, *scenario_path, *dut, *dut_about, *fabric;
  struct hd_run_parameter *parameters; /* [n_parameters] */
  size_t n_parameters;
  struct hd_text rtl_files; /* RTL that was built, as in hd_backend_options; empty: none */
  uint64_t rtl_hash;        /* over these lines */
  char rtl_version[128];    /* version by Git of the directory of --rtl; "": none */
  char *
      against; /* directory of the original, with which the DUT was compared; NULL: with the model */
  char against_version[128]; /* version by Git of the directory of --against; "": none */
  uint64_t seed;
  enum hd_mode mode;
  uint32_t window_cycles, threads, n_switches, n_nodes;
  bool is_network; /* the one switch is a whole network */
  uint64_t cycles_limit, warmup_cycles;
  uint64_t measured_end;        /* measured packets are created before this cycle; 0: at any time */
  uint64_t measured_sent;       /* measured packets that were created, */
  uint64_t measured_sent_flits; /* and their flits */
  bool has_result;              /* lockstep ran; the fields below mean something */
  bool compared;                /* there was a DUT */
  bool of_rtl;                  /* and it was built from Verilog */
  bool nothing; /* but no flit, credit, packet … of it could be held against the model */
  enum hd_quiescence quiescence;
  char not_looked_at[240]; /* events that a comparison by order or packets leaves out; "": none */
  bool blocked_known;      /* blocked flit-cycles are the model's; it is exact */
  char blocked_most[120];  /* the input where most flits were blocked; "": none, or not known */
  bool open_loop;          /* all packets were synthetic: no software waits for one */
  bool software_waits;     /* software waits for packets, messages or barriers: it must finish */
  bool software_finished;
  struct hd_lockstep_result result;
  struct hd_fabric_counters counters;
  uint64_t messages_sent, messages_received, undelivered, not_intact;
  struct hd_latency latency; /* packets created at warmup_cycles or later */
  struct hd_latency
      network_latency; /* latency of the same packets, without the wait in the interface's queue (§4.4) */
  uint64_t hops,
      hops_packets; /* switches on the ways of measured packets, summed; packets whose way is known */
  /* Use of links between switches in the measuring phase, in flits a cycle: the mean of all links,
   * and the busiest link. */
  bool has_link_use;
  double link_use, link_use_most;
  struct hd_run_class classes[HD_EP_CLASSES]; /* [n_classes], where packets of several were sent */
  uint32_t n_classes;                         /* otherwise 0 */
  struct hd_run_distance *distances;          /* [n_distances], by links; 0: none are known */
  uint32_t n_distances;
  struct hd_load load; /* latency over time, where all packets are synthetic; its verdict: */
  struct hd_load_verdict verdict;
  bool has_model_latency; /* the DUT's timing is its own: */
  struct hd_latency
      model_latency; /* latency of the same packets in the model, handed over in the same cycles */
  uint64_t measured_flits; /* flits received from warmup_cycles on, before measured_end, */
  uint64_t offered_flits;  /* those of measured_flits that were created before offered_until */
  uint64_t offered_until;  /* the cycle after the last packet was created */
  struct hd_run_statistic *statistics; /* [n_statistics], those that have a value */
  uint32_t n_statistics;
  struct hd_dut_counter dut_counters[HD_DUT_COUNTERS]; /* [n_dut_counters], of the backend */
  uint32_t n_dut_counters;
  struct hd_run_barrier *barriers; /* [n_barriers], in the order of their opening */
  uint32_t n_barriers;
  struct hd_run_flits flits;
  bool has_energy; /* the scenario says what events take */
  struct hd_run_energy energy;
  struct hd_fault_state *faults;      /* [n_faults], as the scenario lists them */
  struct hd_unreachable *unreachable; /* [n_unreachable], in order of time, then group, then node */
  uint32_t n_faults, n_unreachable;
  uint64_t packets_lost, barriers_lost; /* to faults */
  uint32_t n_droppers; /* switches that dropped barrier messages (§8.7) in a run with faults */
  uint32_t n_renewals; /* groups created anew after a fault (§5.10) */
  uint32_t n_no_room;  /* how many of them found no room in a status table */
  bool rules_hold;     /* T1 to T9 (§8.13) were checked, and none is broken; then on how much: */
  uint64_t ruled_messages, ruled_rounds; /* barrier messages at ports; rounds of all groups */
  bool has_latency_budget, has_blocked_budget, has_barrier_budget;
  uint64_t latency_budget, blocked_budget, barrier_budget;
  struct hd_coverage_set
      coverage;          /* coverage of the model, which is ahead where the run did not pass */
  bool has_rtl_coverage; /* lines of the RTL were counted: */
  struct hd_rtl_sums rtl_coverage;
  double seconds;      /* wall time of lockstep */
  double open_seconds; /* wall time to open the backend, its build among it */
  bool has_waves, has_page, has_reports, has_packets_csv; /* files that were written */
  uint64_t window_last; /* last cycle of the waves that options.window asked for */
  bool explained;
  struct hd_explanation explanation; /* explanation of a divergence */
  struct hd_text wait;               /* in a deadlock: which channel waits for which */
  struct hd_text
      rule_waves; /* the command that shows a broken rule's switch from before it began to be broken */
};

void hd_run_report_fini(struct hd_run_report *report);

/** Tests whether a cycle is in the measuring phase. */
static inline bool hd_run_measures(const struct hd_run_report *report, uint64_t cycle)
{
  return cycle >= report->warmup_cycles && (!report->measured_end || cycle < report->measured_end);
}

/** Flits that a node received in a cycle of the measuring phase, on average. */
double hd_run_throughput(const struct hd_run_report *report);

/** The first cycle that is not measured: the drain is no load; where software waits for packets, all of the
 *  run is. */
uint64_t hd_run_measured_until(const struct hd_run_report *report);

/** A status as a word: "passed", "divergence", … */
const char *hd_run_status_name(int status);

/** The word for a run's status in database and reports. Where the model ran alone nothing was compared, and the run was "carried out", not passed. */
const char *hd_run_verdict(const struct hd_run_report *report);

/** The reference that the DUT was compared with: "model" or "original". */
const char *hd_run_reference(const struct hd_run_report *report);

/** Alike for failures that look alike: what kind of port differed and in what, or the status. */
void hd_run_signature(const struct hd_run_report *report, struct hd_text *text);

#endif
