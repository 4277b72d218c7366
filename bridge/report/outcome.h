/* The results of a run: bridge/run/ fills them in, reports write them.
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

/** Values that software recorded under a name (hd_ep_statistic), as far as the run was compared. */
struct hd_run_statistic {
  char *name;
  struct hd_world_value *values; /* [n], in order of time */
  size_t n;
  uint64_t minimum, median, p99, p999, maximum; /* percentiles by nearest rank */
  double mean;
};

/** Times of a barrier group in the network. A barrier lasts from the cycle in which the last
 *  member's message is given to the network interface, to the cycle in which the last member's
 *  software can see its release. */
struct hd_run_barrier {
  uint32_t group, members, center;     /* its number; number of nodes; a switch */
  uint32_t bsr_nodes;                  /* 0: the tree is not known, nor are the next four members */
  uint32_t distance_hops;              /* D of Theorem 2: hops to the farthest BSR node */
  uint32_t hop_cycles, preempt_cycles; /* T_b, T_p (§8.5) */
  double theorem_2_cycles;             /* 2 T_b D */
  uint64_t bound_cycles;               /* the bound of §8.11; 0: none */
  const char *no_bound;                /* reason why there is no bound */
  uint64_t above_bound;                /* number of later barriers that took longer */
  bool has_first;
  uint64_t first_cycles; /* duration of the first barrier, which builds the tree */
  struct hd_run_statistic later;
  /* p and p_f of the paper, sampled when the last members of later barriers arrive: the share of
   * channels of links between switches that serve a packet, and the share of these that have no
   * credit. */
  bool has_busy;
  double busy, blocked;
  double formula_cycles; /* formula (1) or (2) of the paper with p and p_f, without T_s; < 0: does
                            not apply */
};

/** Flits that left switches, by kind. */
struct hd_run_flits {
  uint64_t data, barrier, padding, null;
  uint64_t heads; /* number of heads among `data` */
};

/** Number of events that take energy, and the energy of one, in femtojoules. */
struct hd_run_energy {
  uint64_t events[HD_ENERGY_EVENTS], femtojoules[HD_ENERGY_EVENTS];
};

/** A parameter of the scenario (hd_scenario_parameters). */
struct hd_run_parameter {
  char *key, *text; /* owned; text NULL: the value is no text */
  struct hd_value value;
};

/** Packets of a class (hd_ep_use_class) in the measuring phase. */
struct hd_run_class {
  uint64_t sent_flits, received_flits;
  struct hd_latency latency, network_latency;
};

/** Latencies of measured packets that cross a given number of links inside a network that is the
 *  DUT. */
struct hd_run_distance {
  uint64_t packets, sum, minimum, maximum; /* cycles */
};

/** The results of a run. Zeroed by hd_run, freed by hd_run_report_fini. */
struct hd_run_report {
  int status;             /* status that hd_run returned */
  struct hd_text message; /* reason, if status is not 0 */
  struct hd_text notes;   /* lines worth knowing, each ended by \n */
  char *directory;        /* NULL: the run created none */
  char *name, *scenario_path, *dut, *dut_about, *fabric;
  struct hd_run_parameter *parameters; /* [n_parameters] */
  size_t n_parameters;
  struct hd_text rtl_files; /* RTL that was built, as in hd_backend_options; empty: none */
  uint64_t rtl_hash;        /* hash of rtl_files */
  char rtl_version[128];    /* version by Git of the directory of --rtl; "": none */
  /* Directory of the original that the DUT was compared with; NULL: it was compared with the
   * model */
  char *against;
  char against_version[128]; /* version by Git of the directory of --against; "": none */
  uint64_t seed;
  enum hd_mode mode;
  uint32_t window_cycles, threads, n_switches, n_nodes;
  bool is_network; /* the only switch is a whole network */
  uint64_t cycles_limit, warmup_cycles;
  uint64_t measured_end;        /* measured packets are created before this cycle; 0: at any time */
  uint64_t measured_sent;       /* measured packets that were created */
  uint64_t measured_sent_flits; /* flits of these packets */
  bool has_result;              /* lockstep ran, so the results below are valid */
  bool compared;                /* there was a DUT */
  bool of_rtl;                  /* the DUT was built from RTL */
  bool nothing;                 /* no flit, credit, packet … of the DUT could be compared */
  enum hd_quiescence quiescence;
  char not_looked_at[240]; /* events that a comparison by order or packets leaves out; "": none */
  bool blocked_known;      /* blocked flit-cycles are known: the comparison is exact, or the model
                              runs alone */
  char blocked_most[120];  /* text that names the link with most blocked flit-cycles; "": none, or
                              not known */
  bool open_loop;          /* all packets were synthetic: no software waits for one */
  bool software_waits;     /* software waits for packets, messages or barriers: it must finish */
  bool software_finished;
  struct hd_lockstep_result result;
  struct hd_fabric_counters counters;
  uint64_t messages_sent, messages_received, undelivered, not_intact;
  /* Operations that were open when the program of their node returned */
  uint64_t messages_not_taken, receives_open;
  struct hd_latency latency; /* packets created at warmup_cycles or later */
  /* Latency of the same packets without the wait in the interface's queue (§4.4) */
  struct hd_latency network_latency;
  /* Sum of the switches on the ways of measured packets, and number of packets whose way is known */
  uint64_t hops, hops_packets;
  /* Use of links between switches in the measuring phase, in flits per cycle: mean of all links,
   * and busiest link. */
  bool has_link_use;
  double link_use, link_use_most;
  struct hd_run_class classes[HD_EP_CLASSES]; /* [n_classes], if packets of several classes were
                                                 sent */
  uint32_t n_classes;                         /* otherwise 0 */
  struct hd_run_distance *distances;          /* [n_distances], by number of links */
  uint32_t n_distances;
  struct hd_load load; /* latency over time if all packets are synthetic, and its verdict */
  struct hd_load_verdict verdict;
  bool has_model_latency; /* true if the DUT has its own timing */
  /* Latency of the same packets in the model, which gets them in the same cycles */
  struct hd_latency model_latency;
  uint64_t measured_flits; /* flits received in the measuring phase */
  uint64_t offered_flits;  /* flits of measured_flits that were received before offered_until */
  uint64_t offered_from;   /* the cycle in which the first packet was created */
  uint64_t offered_until;  /* the cycle after the last packet was created; 0: there was none */
  struct hd_run_statistic *statistics; /* [n_statistics], those that have a value */
  uint32_t n_statistics;
  struct hd_dut_counter dut_counters[HD_DUT_COUNTERS]; /* [n_dut_counters], of the backend */
  uint32_t n_dut_counters;
  struct hd_run_barrier *barriers; /* [n_barriers], in the order of their opening */
  uint32_t n_barriers;
  struct hd_run_flits flits;
  bool has_energy; /* the scenario has the energy of some events */
  struct hd_run_energy energy;
  struct hd_fault_state *faults;      /* [n_faults], as the scenario lists them */
  struct hd_unreachable *unreachable; /* [n_unreachable], in order of time, then group, then node */
  uint32_t n_faults, n_unreachable;
  uint64_t packets_lost, barriers_lost; /* packets and barrier messages lost to faults */
  uint32_t n_droppers; /* switches that dropped barrier messages (§8.7) in a run with faults */
  uint32_t n_renewals; /* groups created anew after a fault (§5.10) */
  uint32_t n_no_room;  /* number of these groups for which a status table had no room */
  bool rules_hold;     /* rules T1 to T9 (§8.13) were checked and hold */
  uint64_t ruled_messages, ruled_rounds; /* barrier messages at ports, rounds that were checked */
  bool has_latency_budget, has_blocked_budget, has_barrier_budget;
  uint64_t latency_budget, blocked_budget, barrier_budget;
  struct hd_coverage_set
      coverage;          /* coverage of the model, which is ahead where the run did not pass */
  bool has_rtl_coverage; /* executed lines of the RTL were counted */
  struct hd_rtl_sums rtl_coverage;
  double seconds;      /* wall time of lockstep */
  double open_seconds; /* wall time to open the backend, including its build */
  bool has_waves, has_page, has_reports, has_packets_csv; /* files that were written */
  uint64_t window_last; /* last cycle of the waves that options.window asked for */
  bool explained;
  struct hd_explanation explanation; /* explanation of a divergence */
  struct hd_text wait;               /* in a deadlock: the channels that wait for each other */
  /* Command that writes waves of a broken rule's switch from the rule's first cycle on */
  struct hd_text rule_waves;
};

void hd_run_report_fini(struct hd_run_report *report);

/** Tests whether a cycle is in the measuring phase. */
static inline bool hd_run_measures(const struct hd_run_report *report, uint64_t cycle)
{
  return cycle >= report->warmup_cycles && (!report->measured_end || cycle < report->measured_end);
}

/** Tests whether all packets were synthetic and were created over more than one cycle. Otherwise
 *  nobody offered a load: software waited for packets, or all of them were there at once. */
bool hd_run_has_load(const struct hd_run_report *report);

/** Returns the flits that a node received per cycle of the measuring phase, on average. */
double hd_run_throughput(const struct hd_run_report *report);

/** Returns the first cycle after the measured ones: measured_end, or the end of the run without
 *  its last rest_cycles, or, if there was load over time, offered_until; the earliest of these. */
uint64_t hd_run_measured_until(const struct hd_run_report *report);

/** Tests whether the run has measured cycles; a run that ended with its warm-up has none. */
bool hd_run_has_phase(const struct hd_run_report *r);

/** Returns the word for a status: "passed", "divergence", … */
const char *hd_run_status_name(int status);

/** Returns the word for a run's status in database and reports. If the model ran alone, nothing
 *  was compared, so the run was "carried out", not "passed". */
const char *hd_run_verdict(const struct hd_run_report *report);

/** Returns the name of the reference that the DUT was compared with: "model" or "original". */
const char *hd_run_reference(const struct hd_run_report *report);

/** Adds a text that is equal for similar failures: the kind of port and of difference, or the
 *  status. */
void hd_run_signature(const struct hd_run_report *report, struct hd_text *text);

#endif
