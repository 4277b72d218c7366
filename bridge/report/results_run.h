/* Lists the results of a run itself, one in a line; results.c has the functions that the lines call.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RESULTS_RUN_H
#define HD_RESULTS_RUN_H

#define NO_STATE .none = "none is known (`no_first_wrong`), or there was no divergence"

#define NO_PHASE .none = "no packet was created after the warm-up, or the run ended before"

#define NOT_RULED \
  .none = "no barrier hardware, a rule is broken, or the comparison was by order or by packets"

#define NOT_WATCHED .none = "a rule is broken, `run.rules` is false, or there is no DUT"

#define NOT_COUNTED_AT_PORTS \
  .none = "`run.rules` is false, there is no DUT, or no flit left a switch"

#define NOT_COUNTED .none = "the run was without --coverage"

#define NO_ENERGY .none = "the scenario has no section `energy`, or no flit was received"

#define RUN_RESULTS(X)                                                                             \
  X("name", TEXT, NULL, r->name, true, JSON | CSV | BEFORE, .help = "the scenario's name")         \
  X("seed", NUMBER, NULL, r->seed, true, JSON | CSV | PROPERTY | BEFORE,                           \
    .help = "seed of all random numbers")                                                          \
  X("dut", TEXT, NULL, r->dut, true, JSON | CSV | PROPERTY | BEFORE,                               \
    .help = "the device under test")                                                               \
  X("mode", WORD, NULL, hd_mode_name(r->mode), true, JSON | CSV | BEFORE,                          \
    .help = "decoupled or closed")                                                                 \
  X("window_cycles", COUNT, "cycles", r->window_cycles, true, JSON | CSV | BEFORE,                 \
    .help = "cycles that the model runs ahead when decoupled")                                     \
  X("threads", COUNT, "threads", r->threads, true, JSON | CSV | BEFORE,                            \
    .help = "threads that evaluate the DUT")                                                       \
  X("nodes", COUNT, "nodes", r->n_nodes, true, JSON | CSV | BEFORE, .help = "nodes of the fabric") \
  X("switches", COUNT, "switches", r->n_switches, true, JSON | CSV | BEFORE,                       \
    .help = "switches of the fabric")                                                              \
  X("status", WORD, NULL, hd_run_verdict(r), true, JSON | CSV | RUN | BEFORE,                      \
    .help = "how the run ended")                                                                   \
  X("cycles", COUNT, "cycles", r->result.cycles, true, JSON | CSV | RUN,                           \
    .help = "cycles carried out, those to drain included (§6.2)")                                  \
  X("cycles_compared", COUNT, "cycles", r->result.cycles_compared, true, JSON | CSV | RUN,         \
    .help = "cycles in which DUT and model agreed")                                                \
  X("switch_cycles", COUNT, "switch-cycles", r->result.switch_cycles, true, JSON | CSV | RUN,      \
    .help = "switches × cycles in which DUT and model agreed")                                     \
  X("evaluated_cycles", COUNT, "switch-cycles", r->result.evaluated_cycles, true,                  \
    JSON | CSV | RUN, .help = "in how many of these the DUT was really evaluated")                 \
  X("events_compared", COUNT, "events", r->result.events_compared, true, JSON | CSV | RUN,         \
    .help = "port events compared")                                                                \
  X("digest", HEX, NULL, r->result.digest, true, JSON | CSV | RUN | PROPERTY,                      \
    .help = "digest of all that left the switches (§6.4)")                                         \
  X("packets_sent", COUNT, "packets", r->counters.packets_sent, true, JSON | CSV | RUN,            \
    .help = "packets handed over to the network interfaces")                                       \
  X("packets_received", COUNT, "packets", r->counters.packets_received, true, JSON | CSV | RUN,    \
    .help = "packets received by nodes")                                                           \
  X("undelivered", COUNT, "packets", r->undelivered, true, JSON | CSV | RUN,                       \
    .help = "packets under way at the end")                                                        \
  LATENCY_RESULTS(X, "latency", r->latency, true, RUN, "")                                         \
  X("blocked_flit_cycles", COUNT, "flit-cycles", r->counters.blocked_flit_cycles,                  \
    r->blocked_known, JSON | CSV | RUN,                                                            \
    .help = "cycles in which the flit at the front of an input channel waited, summed (§6.3)",     \
    .none = "the DUT has a timing of its own")                                                     \
  X("blocked_most", TEXT, NULL, r->blocked_most, r->blocked_most[0], JSON,                         \
    .help = "how many of them were on one link, and on which; the link that had most",             \
    .none = "no flit was blocked, or the DUT has a timing of its own")                             \
  X("throughput", REAL, "flits/node/cycle", hd_run_throughput(r), hd_run_has_phase(r), JSON | CSV, \
    .help = "flits received in the measuring phase, a node and cycle", NO_PHASE)                   \
  X("seconds", REAL, "s", r->seconds, true, JSON | CSV | RUN,                                      \
    .help = "wall time of the co-simulation")                                                      \
  X("later_barriers", COUNT, "barriers", later_barriers(r), true, CSV, .csv = "barriers",          \
    .help = "barriers of all groups but the first of each, which builds its tree")                 \
  X("barrier_maximum", COUNT, "cycles", longest_barrier(r), later_barriers(r), CSV,                \
    .help = "the longest of them", .none = "there is none")                                        \
  X("barrier_theorem_2", COUNT, "cycles", (uint64_t)only_group(r)->theorem_2_cycles,               \
    only_group(r)->bsr_nodes, CSV, .help = "what Theorem 2 says of a barrier of the only group",   \
    .none = "there are several groups or none, or the tree is not known")                          \
  X("barrier_bound", COUNT, "cycles", only_group(r)->bound_cycles, only_group(r)->bound_cycles,    \
    CSV, .help = "bound of a barrier of the only group (§8.11)",                                   \
    .none = "there are several groups or none, or no bound holds")                                 \
  X("flits.data", COUNT, "flits", r->flits.data, true, JSON,                                       \
    .help = "flits of packets that left switches")                                                 \
  X("flits.barrier", COUNT, "flits", r->flits.barrier, true, JSON | CSV,                           \
    .help = "flits of barrier messages that left switches", .csv = "barrier_flits")                \
  X("flits.padding", COUNT, "flits", r->flits.padding, true, JSON | CSV,                           \
    .help = "padding requests and ends that left switches", .csv = "padding_flits")                \
  X("flits.null", COUNT, "flits", r->flits.null, true, JSON | CSV,                                 \
    .help = "null flits that left switches", .csv = "null_flits")                                  \
  LATENCY_RESULTS(X, "model_latency", r->model_latency, r->has_model_latency, 0,                   \
                  "; of the same packets in the model, where the DUT has a timing of its own")     \
  X("message", TEXT, NULL, r->message.chars, true, JSON | RUN | BEFORE,                            \
    .help = "why the run did not pass", .none = "it passed")                                       \
  X("scenario", TEXT, NULL, r->scenario_path, true, JSON | PROPERTY | BEFORE,                      \
    .help = "the scenario's file")                                                                 \
  X("fabric", TEXT, NULL, r->fabric, true, JSON | BEFORE,                                          \
    .help = "a line that says what the fabric is")                                                 \
  X("dut_about", TEXT, NULL, r->dut_about, true, JSON | BEFORE, .help = "the backend's own line",  \
    .none = "the model ran alone")                                                                 \
  X("drain_cycles", COUNT, "cycles", r->result.drain_cycles, true, JSON,                           \
    .help = "of `cycles`, the last ones: software was stopped or had ended, what was under way "   \
            "arrived, "                                                                            \
            "and nothing came after it (§6.2)")                                                    \
  X("cycles_limit", COUNT, "cycles", r->cycles_limit, true, JSON | BEFORE, .help = "`run.cycles`") \
  X("warmup_cycles", COUNT, "cycles", r->warmup_cycles, true, JSON,                                \
    .help = "`run.warmup_cycles`: the measuring phase begins here")                                \
  X("compared", FLAG, NULL, r->compared, true, JSON, .help = "there was a DUT")                    \
  X("quiescent", WORD, NULL, quiescence(r), true, JSON,                                            \
    .help = "what `quiescent_o` is trusted on: proved for this RTL and kind of switch (§2.10), "  \
            "or sampled in this run",                                                              \
    .none = "nothing was left out on its word")                                                    \
  X("not_intact", COUNT, "packets", r->not_intact, true, JSON,                                     \
    .help = "packets received, but never sent or not as sent")                                     \
  X("packets_lost", COUNT, "packets", r->packets_lost, true, JSON,                                 \
    .help = "packets lost to faults")                                                              \
  X("barriers_lost", COUNT, "barrier messages", r->barriers_lost, true, JSON,                      \
    .help = "barrier messages lost to faults")                                                     \
  X("switches_dropping", COUNT, "switches", r->n_droppers, true, JSON,                             \
    .help = "switches that dropped barrier messages for want of a way or a place (§8.7)")          \
  X("messages_sent", COUNT, "messages", r->messages_sent, true, JSON | RUN,                        \
    .help = "messages that software sent")                                                         \
  X("messages_received", COUNT, "messages", r->messages_received, true, JSON | RUN,                \
    .help = "messages that arrived at their nodes, whether a receive took them or not")            \
  X("messages_not_taken", COUNT, "messages", r->messages_not_taken, true, JSON,                    \
    .help = "messages received that no receive took before the program of their node returned")    \
  X("receives_open", COUNT, "receives", r->receives_open, true, JSON,                              \
    .help = "receives posted that no wait or test ended before their program returned")            \
  X("software_finished", FLAG, NULL, r->software_finished, true, JSON,                             \
    .help = "software came to its end")                                                            \
  X("measured_until", COUNT, "cycles", hd_run_measured_until(r), true, JSON,                       \
    .help =                                                                                        \
        "first cycle after the measuring phase: the last packet was created before; the run's "    \
        "end, where software waits for packets or all were created in one cycle")                  \
  X("notes", TEXT, NULL, r->notes.chars, true, JSON | BEFORE, .help = "lines worth knowing",       \
    .none = "there are none")                                                                      \
  X("wait", TEXT, NULL, r->wait.chars, true, JSON, .help = "in a deadlock: who waits for whom",    \
    .none = "there is no deadlock")                                                                \
  X("packets_foreign", COUNT, "packets", r->counters.packets_foreign, true, RUN,                   \
    .help = "packets received, but never sent or not as sent")                                     \
  X("flits_received", COUNT, "flits", r->counters.flits_received, true, RUN,                       \
    .help = "flits received by nodes")                                                             \
  X("evaluated", REAL, "%",                                                                        \
    100.0 * (double)r->result.evaluated_cycles / (double)r->result.switch_cycles,                  \
    evaluated_known(r), 0, .help = "share of `evaluated_cycles` in `switch_cycles`",               \
    .none = "a window was evaluated that did not count, or nothing was compared")                  \
  X("active_cycles", COUNT, "cycles", r->result.cycles - r->result.drain_cycles, true, 0,          \
    .help = "`cycles` without those to drain")                                                     \
  X("measured_last", COUNT, "cycles", hd_run_measured_until(r) - 1, hd_run_has_phase(r), 0,        \
    .help = "last cycle of the measuring phase", NO_PHASE)                                         \
  X("speed", REAL, "switch-cycles/s", (double)r->result.cycles * r->n_switches / r->seconds,       \
    r->seconds > 0, 0, .help = "switch-cycles carried out a second",                               \
    .none = "no time was measured")                                                                \
  X("sampled_cycles", COUNT, "switch-cycles", r->result.sampled_cycles,                            \
    r->quiescence == HD_QUIESCENCE_SAMPLED, JSON,                                                  \
    .help = "switch-cycles in which `quiescent_o` was not believed, but checked",                  \
    .none = "it was proved, or nothing was left out on its word")                                  \
  X("first_wrong.cycle", COUNT, NULL, inside(r)->cycle, inside(r)->known, JSON,                    \
    .help = "after a divergence: first cycle in which a state inside its switch differed",         \
    NO_STATE)                                                                                      \
  X("first_wrong.or_before", FLAG, NULL, inside(r)->or_before, inside(r)->known, JSON,             \
    .help = "it is the first cycle that could be looked at", NO_STATE)                             \
  X("first_wrong.state", TEXT, NULL, first_wrong_state(r)->name, inside(r)->known, JSON,           \
    .help = "name of that state (§6.5, §8.10)", NO_STATE)                                          \
  X("first_wrong.rtl", TEXT, NULL, first_wrong_state(r)->rtl, inside(r)->known, JSON,              \
    .help = "its value in the RTL; x: unknown", NO_STATE)                                          \
  X("first_wrong.model", TEXT, NULL, first_wrong_state(r)->model, inside(r)->known, JSON,          \
    .help = "its value in the model", NO_STATE)                                                    \
  X("first_wrong.cycles_before", COUNT, "cycles", r->result.divergence.cycle - inside(r)->cycle,   \
    inside(r)->known, JSON, .help = "from there to the divergence", NO_STATE)                      \
  X("no_first_wrong", TEXT, NULL, inside(r)->why, inside(r)->why[0], JSON,                         \
    .help = "after a divergence: why there is no `first_wrong`",                                   \
    .none = "there is one, or no divergence")                                                      \
  X("heddle", TEXT, NULL, hd_version(), true, JSON | BEFORE,                                       \
    .help = "version of Heddle, and what `git describe` said where it was built")                  \
  X("rtl_hash", HEX, NULL, r->rtl_hash, r->rtl_files.length, JSON | PROPERTY | BEFORE,             \
    .help = "hash over all files of RTL that the build read (table `rtl`)",                        \
    .none = "no RTL was built")                                                                    \
  X("rtl_version", TEXT, NULL, r->rtl_version, r->rtl_version[0], JSON | BEFORE,                   \
    .help = "what `git describe --always --dirty` says in the directory of `--rtl`",               \
    .none = "no `--rtl`, no Git, or no repository that tracks it")                                 \
  X("offered", REAL, "flits/node/cycle", offered(r), (hd_run_has_load(r) && hd_run_has_phase(r)),  \
    JSON | CSV, .help = "flits of packets created in the measuring phase, a node and cycle",       \
    .none =                                                                                        \
        "software waits for packets, all were created in one cycle, or none after the warm-up")    \
  X("measured_sent", COUNT, "packets", r->measured_sent, true, JSON,                               \
    .help = "packets created in the measuring phase")                                              \
  X("saturated", FLAG, NULL, r->verdict.state == HD_LOAD_SATURATED, load_known(r), JSON | CSV,     \
    .help = "more was offered in the measuring phase than the fabric bears: mean latency is "      \
            "clearly over "                                                                        \
            "3 times that without load, or queues grew all the time by over 5 % of what came",     \
    .none = "it is undecided (`load_why`), the run failed, or software waits for packets")         \
  X("rtl_coverage.lines", COUNT, "lines", r->rtl_coverage.lines, r->has_rtl_coverage, JSON,        \
    .help = "lines of the RTL that can be executed", NOT_COUNTED)                                  \
  X("rtl_coverage.lines_executed", COUNT, "lines", r->rtl_coverage.lines_hit, r->has_rtl_coverage, \
    JSON, .help = "lines of the RTL that were", NOT_COUNTED)                                       \
  X("rtl_coverage.branches", COUNT, "branches", r->rtl_coverage.branches, r->has_rtl_coverage,     \
    JSON, .help = "sides of branches of the RTL", NOT_COUNTED)                                     \
  X("rtl_coverage.branches_taken", COUNT, "branches", r->rtl_coverage.branches_hit,                \
    r->has_rtl_coverage, JSON, .help = "sides of branches that were taken", NOT_COUNTED)           \
  X("rtl_coverage.bits", COUNT, "bits", r->rtl_coverage.bits, r->has_rtl_coverage, JSON,           \
    .help = "bits of signals of the RTL", NOT_COUNTED)                                             \
  X("rtl_coverage.bits_changed", COUNT, "bits", r->rtl_coverage.bits_hit, r->has_rtl_coverage,     \
    JSON, .help = "bits of signals that changed", NOT_COUNTED)                                     \
  X("groups_renewed", COUNT, "groups", r->n_renewals, true, JSON,                                  \
    .help = "barrier groups created anew, because a fault met their first round (§5.10)")          \
  X("ruled_messages", COUNT, "barrier messages", r->ruled_messages, r->rules_hold, JSON,           \
    .help = "barrier messages at ports for which rules T1 to T9 (§8.13) hold", NOT_RULED)          \
  X("ruled_rounds", COUNT, "rounds", r->ruled_rounds, r->rules_hold, JSON,                         \
    .help = "rounds of barriers for which rules T1 to T9 (§8.13) hold", NOT_RULED)                 \
  X("packets_made", COUNT, "packets", r->counters.packets_made, true, JSON | CSV,                  \
    .help = "packets that XOR coders made and nodes received; no others count them (§11.12)")      \
  X("load_state", WORD, NULL, hd_load_state_name(r->verdict.state), true, JSON | CSV,              \
    .help = "whether the fabric bore the load while it was measured: steady; warm-up: so, after "  \
            "more cycles of warm-up; drifts: latency rises or falls; too short; saturated",        \
    .none = "the run failed, or software waits for packets")                                       \
  X("latency_no_load", REAL, "cycles", r->verdict.no_load, r->verdict.no_load > 0, JSON | CSV,     \
    .help = "mean latency that the measured packets would have without load (§4.5); where the "   \
            "DUT has a timing of its own, times what its fastest packet takes over the model's",   \
    .none = "no way of a packet is known, or there is no `load_state`")                            \
  X("latency_ci95", REAL, "cycles", r->verdict.half_width, r->verdict.half_width > 0, JSON | CSV,  \
    .help = "half width of the 95 % confidence interval of the mean latency, by batch means",      \
    .none = "`load_state` is not steady, packets were still under way at the end, or it is wider " \
            "than a fifth of the mean")                                                            \
  X("warm_up_needed", COUNT, "cycles", r->warmup_cycles + r->verdict.warm_up, r->verdict.warm_up,  \
    JSON | CSV, .help = "cycles after which latency is in equilibrium, by MSER-5",                 \
    .none = "`load_state` is not warm-up")                                                         \
  X("load_why", TEXT, NULL, r->verdict.why, r->verdict.state && r->verdict.why[0], JSON | CSV,     \
    .help = "by which measure", .none = "there is no `load_state`")                                \
  X("not_looked_at", TEXT, NULL, r->not_looked_at, r->not_looked_at[0], JSON | PROPERTY,           \
    .help = "what the run says nothing about, because it compares by order or packets (§6.2)",     \
    .none = "all that crosses the ports was compared, or nothing was")                             \
  X("port_flits", COUNT, "flits", r->result.ports.of[HD_PORT_LINK], ports_hold(r), JSON,           \
    .help = "flits that left switches for which rules P1, P4 and P5 (§6.7) hold", NOT_WATCHED)     \
  X("port_credits", COUNT, "credits", r->result.ports.of[HD_PORT_SURPLUS], ports_hold(r), JSON,    \
    .help = "credits of switches for which rules P2 and P3 (§6.7) hold", NOT_WATCHED)              \
  X("port_heads", COUNT, "packets", r->result.ports.of[HD_PORT_ROUTE], ports_hold(r), JSON,        \
    .help = "heads that left switches for which rules P6, P7 and P12 (§6.7) hold", NOT_WATCHED)    \
  X("port_bodies", COUNT, "flits", r->result.ports.of[HD_PORT_DAMAGED], ports_hold(r), JSON,       \
    .help = "flits inside packets for which rules P8 to P11 (§6.7) hold", NOT_WATCHED)             \
  X("port_packets", COUNT, "packets", r->result.ports.of[HD_PORT_MISSING], ports_hold(r), JSON,    \
    .help = "packets that left switches whole: rule P13 (§6.7)", NOT_WATCHED)                      \
  X("port_waits", COUNT, "looks", r->result.ports.of[HD_PORT_HELD], ports_hold(r), JSON,           \
    .help = "looks at packets that wait in switches, for which rules P14 and P15 (§6.7) hold",     \
    NOT_WATCHED)                                                                                   \
  X("port_filled", COUNT, "looks", r->result.ports.filled, ports_hold(r), JSON,                    \
    .help = "of these looks, those at packets under way for which all slots of the receiver were " \
            "used: a switch that has lost a credit does not come so far",                          \
    NOT_WATCHED)                                                                                   \
  X("port_circles", COUNT, "looks", r->result.ports.of[HD_PORT_CIRCLE], ports_hold(r), JSON,       \
    .help = "looks at channels that wait, none of them for each other: rule P16 (§6.7)",           \
    NOT_WATCHED)                                                                                   \
  X("port_most_passed", COUNT, "packets", r->result.ports.most_passed, ports_watched(r), JSON,     \
    .help = "the most heads of one input port that left by the channels that a packet waited for " \
            "(P15, §6.7)",                                                                         \
    NOT_COUNTED_AT_PORTS)                                                                          \
  X("outputs_wanted", COUNT, "looks", r->result.ports.wanted, ports_watched(r), JSON,              \
    .help =                                                                                        \
        "looks at outputs by which a flit left, or for which one waited that could leave (§6.7)",  \
    NOT_COUNTED_AT_PORTS)                                                                          \
  X("outputs_idle", COUNT, "looks", r->result.ports.idle, ports_watched(r), JSON,                  \
    .help =                                                                                        \
        "of these, looks in which nothing left by the output: link time that somebody waited for " \
        "and nobody used",                                                                         \
    NOT_COUNTED_AT_PORTS)                                                                          \
  X("port_known", COUNT, "events", r->result.ports.of[HD_PORT_UNKNOWN],                            \
    ports_hold(r) && r->result.ports.of[HD_PORT_UNKNOWN], JSON,                                    \
    .help = "flits and credits at outputs of a four-state DUT, none of which was X or Z: rule "    \
            "P17 (§6.7)",                                                                          \
    .none = "the DUT knows 0 and 1 alone, a rule is broken, or `run.rules` is false")              \
  X("broken_rule", TEXT, NULL, hd_port_rule_number(r->result.divergence.broken.rule),              \
    r->result.divergence.broken.rule, JSON, .help = "the rule at ports (§6.7) that is broken",     \
    .none = "none is")                                                                             \
  X("broken_since", COUNT, NULL, r->result.divergence.broken.since,                                \
    r->result.divergence.broken.rule, JSON,                                                        \
    .help = "the first cycle that matters for the broken rule", .none = "no rule is broken")       \
  X("rule_waves", TEXT, NULL, r->rule_waves.chars, r->rule_waves.length, JSON,                     \
    .help = "the command that shows waves of the broken rule's switch from before that cycle on",  \
    .none = "no rule is broken", .row = "waves of the rule")                                       \
  X("reference", WORD, NULL, hd_run_reference(r), r->compared, JSON | PROPERTY,                    \
    .help = "with what the DUT was compared: the model, or an original (`--against`)",             \
    .none = "the model ran alone")                                                                 \
  X("against", TEXT, NULL, r->against, r->against, JSON | PROPERTY,                                \
    .help = "directory of the original", .none = "the reference was the model")                    \
  X("against_version", TEXT, NULL, r->against_version, r->against_version[0], JSON,                \
    .help = "what `git describe --always --dirty` says in the directory of `--against`",           \
    .none = "no `--against`, no Git, or no repository that tracks it")                             \
  X("first_signal", TEXT, NULL, cause(r), cause(r)[0], JSON,                                       \
    .help = "after a divergence from an original: the signal that differed first, in its module, " \
            "with both values",                                                                    \
    .none = "none is known (`no_first_wrong`), or there was no such divergence")                   \
  PERCENTILE_RESULTS(X, "latency", r->latency, "latency")                                          \
  X("network_latency.mean", REAL, "cycles", hd_latency_mean(&r->network_latency),                  \
    r->network_latency.n, JSON | CSV,                                                              \
    .help = "mean latency in the network: without the wait in the interface's queue (§4.4)",       \
    .none = "no packet was measured")                                                              \
  PERCENTILE_RESULTS(X, "network_latency", r->network_latency, "latency in the network")           \
  X("network_latency.p99", COUNT, "cycles", r->network_latency.p99, r->network_latency.n,          \
    JSON | CSV, .help = "99th percentile of the latency in the network",                           \
    .none = "no packet was measured")                                                              \
  X("hops", REAL, "switches", (double)r->hops / (double)r->hops_packets,                           \
    r->hops_packets && !r->is_network, JSON | CSV,                                                 \
    .help = "switches on the way of a measured packet, on average",                                \
    .none = "no packet was measured, or the DUT's packets have no numbers")                        \
  X("link_use", REAL, NULL, r->link_use, r->has_link_use, JSON | CSV,                              \
    .help = "share of the measuring phase's cycles in which a link between switches had a flit, "  \
            "on average",                                                                          \
    .none = "there is no such link, or nothing was measured")                                      \
  X("link_use_most", REAL, NULL, r->link_use_most, r->has_link_use, JSON | CSV,                    \
    .help = "the same of the link that had most",                                                  \
    .none = "there is no such link, or nothing was measured")                                      \
  X("energy", REAL, "pJ", picojoules(r, HD_ENERGY_EVENTS), r->has_energy, JSON | CSV,              \
    .help = "energy of all events of the run, by `energy.…` of the scenario", NO_ENERGY)           \
  X("energy_a_flit", REAL, "pJ/flit",                                                              \
    picojoules(r, HD_ENERGY_EVENTS) / (double)r->counters.flits_received,                          \
    r->has_energy && r->counters.flits_received, JSON | CSV,                                       \
    .help = "the same for each flit that nodes received", NO_ENERGY)

#endif
