/* Bad scenarios and what must be said about them, for test_scenario.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_SCENARIO_CASES_H
#define HD_TEST_SCENARIO_CASES_H

#define HEAD "name: a\nfabric: {topology: mesh, dims: [4, 4]}\n"
#define SOFT "software: {program: uniform}\n"

/* Scenario text, and the message for it. A * in a message stands for the rest of a list, which may grow. */
static const char *const cases[][2] = {
    {"", "s.yaml:1: a scenario is a mapping of keys; it needs name, fabric and software"},
    {"- a\n", "s.yaml:1: a scenario is a mapping of keys; it needs name, fabric and software"},
    {"just text\n",
     "s.yaml:1: a scenario is a mapping of keys; it needs name, fabric and software"},
    {"fabric: {topology: mesh, dims: [4]}\n" SOFT,
     "s.yaml:1: key name is missing; legal: text of 1 … 64 bytes"},
    {"name: a\n" SOFT, "s.yaml:1: key fabric is missing; it holds topology, dims, k, n, m, r, "
                       "pods, nodes, edge_nodes, p, a, h, *"},
    {HEAD, "s.yaml:1: key software is missing; it holds program, startup_cycles, packet_bytes, "
           "parameters*"},
    {"name: a\nfabric:\n  dims: [4, 4]\n" SOFT, "s.yaml:2: key fabric.topology is missing; legal: "
                                                "mesh, tree, extended-tree, graph, irregular*"},
    {HEAD "software:\n  packet_bytes: 8\n",
     "s.yaml:3: key software.program is missing; legal: text of 1 … 1024 bytes"},
    {HEAD SOFT "sed: 4\n", "s.yaml:4: unknown key sed; did you mean seed?; legal: name, fabric, "
                           "switch, barrier, routing, "
                           "software, seed, run, faults, trace, budgets*"},
    {HEAD SOFT "switch:\n  vcs: 2\n  vsc: 3\n",
     "s.yaml:6: unknown key switch.vsc; did you mean switch.vcs?; legal in switch: ports, vcs, "
     "data_bits, "
     "depth_flits, nodes, "
     "route_cycles, arb_cycles, buffer_cycles, cut_flits, barrier, groups, switches*"},
    {HEAD SOFT "fabric.k: 4\n", "s.yaml:4: unknown key \"fabric.k\""},
    {HEAD SOFT "switch: {vcs: 9}\n", "s.yaml:4: switch.vcs: 9; legal: a whole number, 1 … 8"},
    {HEAD SOFT "switch: {vcs: 2x}\n", "s.yaml:4: switch.vcs: 2x; legal: a whole number, 1 … 8"},
    {HEAD SOFT "switch: {vcs: -1}\n", "s.yaml:4: switch.vcs: -1; legal: a whole number, 1 … 8"},
    {HEAD SOFT "switch: {depth_flits: 010}\n",
     "s.yaml:4: switch.depth_flits: 010; legal: a whole number, 1 … 64"},
    {HEAD SOFT "switch: {depth_flits: 99999999999999999999}\n",
     "s.yaml:4: switch.depth_flits: 99999999999999999999; legal: a whole number, 1 … 64"},
    {HEAD SOFT "switch: {vcs: }\n", "s.yaml:4: switch.vcs: nothing; legal: a whole number, 1 … 8"},
    {HEAD SOFT "switch: {vcs: [2]}\n",
     "s.yaml:4: switch.vcs: a list; legal: a whole number, 1 … 8"},
    {HEAD SOFT "switch: {data_bits: 24}\n", "s.yaml:4: switch.data_bits: 24; legal: 16, 32, 64"},
    {HEAD SOFT "switch: 4\n",
     "s.yaml:4: switch: 4; legal: ports, vcs, data_bits, depth_flits, nodes, "
     "route_cycles, arb_cycles, buffer_cycles, cut_flits, barrier, groups, switches*"},
    {HEAD SOFT "switch: {depth_flits: 4,\n  cut_flits: 5}\n",
     "s.yaml:5: switch.cut_flits: 5 is more than depth_flits; legal: 0 … 4"},
    {HEAD SOFT "switch: {barrier: some}\n",
     "s.yaml:4: switch.barrier: some; legal: none, any, fixed, moving, queued, reserved"},
    {HEAD SOFT "switch: {barrier: any,\n  groups: 33}\n",
     "s.yaml:5: switch.groups: 33; legal: a whole number, 1 … 32"},
    {HEAD SOFT "switch: {groups: 3}\n", "s.yaml:4: switch.groups: needs the key switch.barrier"},
    {HEAD SOFT "switch: {switches: 9}\n",
     "s.yaml:4: switch.switches: needs the key switch.barrier"},
    {HEAD SOFT "switch: {code_places: 0, code_cycles: 3}\n",
     "s.yaml:4: switch.code_cycles: needs the key switch.code_places"},
    {HEAD SOFT "barrier: {idle_cycles: 9}\n", "s.yaml:4: barrier: needs the key switch.barrier"},
    {HEAD SOFT "switch: {barrier: any}\nbarrier: {idle_cycles: 0}\n",
     "s.yaml:5: barrier.idle_cycles: 0; legal: a whole number, 1 … 65535"},
    {HEAD SOFT "switch: {vcs: 1,\n  barrier: reserved}\n",
     "s.yaml:5: switch.barrier: reserved needs 2 virtual channels or more (switch.vcs)"},
    {HEAD SOFT "switch: {barrier: moving, depth_flits: 2}\n",
     "s.yaml:4: switch.barrier: moving needs 4 flits of buffer or more (switch.depth_flits)"},
    {HEAD SOFT "switch: {barrier: queued, depth_flits: 1}\n",
     "s.yaml:4: switch.barrier: queued needs 2 flits of buffer or more (switch.depth_flits)"},
    {"name: a\nfabric:\n  topology: mash\n  dims: [4]\n" SOFT,
     "s.yaml:3: fabric.topology: mash; did you mean mesh?; legal: mesh, tree, extended-tree, "
     "graph, irregular*"},
    {"name: a\nfabric:\n  topology: mesh\n" SOFT,
     "s.yaml:3: fabric.topology: mesh needs the key fabric.dims"},
    {"name: a\nfabric:\n  topology: tree\n  k: 2\n" SOFT,
     "s.yaml:3: fabric.topology: tree needs the key fabric.n"},
    {"name: a\nfabric:\n  topology: graph\n" SOFT,
     "s.yaml:3: fabric.topology: graph needs the key fabric.file"},
    {"name: a\nfabric:\n  topology: mesh\n  dims: [4]\n  k: 2\n" SOFT,
     "s.yaml:5: fabric.k: topology mesh has no such key; it has dims"},
    {"name: a\nfabric:\n  topology: irregular\n" SOFT,
     "s.yaml:3: fabric.topology: irregular needs the key fabric.switches"},
    {"name: a\nfabric:\n  topology: irregular\n  switches: 9\n  file: a.csv\n" SOFT,
     "s.yaml:5: fabric.file: topology irregular has no such key; it has switches, degree and "
     "graph_seed"},
    {"name: a\nfabric:\n  topology: tree\n  degree: 3\n  k: 2\n  n: 2\n" SOFT,
     "s.yaml:4: fabric.degree: topology tree has no such key; it has k and n"},
    {"name: a\nfabric:\n  topology: irregular\n  switches: 2049\n" SOFT,
     "s.yaml:4: fabric.switches: 2049; legal: a whole number, 2 … 2048"},
    {"name: a\nfabric:\n  topology: mesh\n  dims: [4, 0]\n" SOFT,
     "s.yaml:4: fabric.dims[1]: 0; legal: a whole number, 1 … 65536"},
    {"name: a\nfabric:\n  topology: mesh\n  dims: 4\n" SOFT,
     "s.yaml:4: fabric.dims: 4; legal: a list of 1 … 7 numbers, as [8, 8]"},
    {"name: a\nfabric:\n  topology: mesh\n  dims: [2, 2, 2, 2, 2, 2, 2, 2]\n" SOFT,
     "s.yaml:4: fabric.dims: a list; legal: a list of 1 … 7 numbers, as [8, 8]"},
    {HEAD SOFT "routing:\n  algorithm: s-mod-k\n",
     "s.yaml:5: routing.algorithm: s-mod-k*d-mod-k* are for trees; legal for this topology: "
     "dimension-order*, up-down, shortest*"},
    {"name: a\nfabric: {topology: tree, k: 2, n: 2}\n" SOFT
     "routing:\n  algorithm: dimension-order\n",
     "s.yaml:5: routing.algorithm: dimension-order* for meshes; legal for this topology: "
     "s-mod-k, d-mod-k*, up-down, shortest*"},
    {HEAD SOFT "routing:\n  always_top: true\n",
     "s.yaml:5: routing.always_top: true is for the algorithms s-mod-k and d-mod-k alone; legal: "
     "false"},
    {HEAD SOFT "routing:\n  congestion: count\n",
     "s.yaml:5: routing.congestion: is for algorithms by which packets choose: adaptive*"},
    {HEAD SOFT "routing:\n  credit_cap: 2\n",
     "s.yaml:5: routing.credit_cap: is for algorithms by which packets choose: adaptive*"},
    {HEAD SOFT "routing: {algorithm: valiant, bias: 2}\n",
     "s.yaml:4: routing.bias: is for the algorithm ugal"},
    {HEAD SOFT "routing: {algorithm: adaptive, congestion: count, credit_cap: 2}\n",
     "s.yaml:4: routing.credit_cap: 2; by routing.congestion: count ports are not compared by "
     "credits; "
     "legal: 0"},
    {HEAD SOFT "routing:\n  algorithm: adaptive\n  congestion: none\n",
     "s.yaml:6: routing.congestion: none; legal: credits, count"},
    {HEAD SOFT "routing:\n  deadlock_check: maybe\n",
     "s.yaml:5: routing.deadlock_check: maybe; legal: true, false"},
    {HEAD "software:\n  program: uniform\n  parameters:\n    load: 0.1\n    burst: 3\n",
     "s.yaml:7: software.parameters.burst: program uniform has no such parameter; legal: load, "
     "flits, cycles, *"},
    {HEAD "software:\n  program: uniform\n  parameters: {load: 1e999}\n",
     "s.yaml:5: software.parameters.load: 1e999 is too large a number"},
    {HEAD "software:\n  program: uniform\n  parameters: {load: [1]}\n",
     "s.yaml:5: software.parameters.load: a list; legal: text of 0 … 4096 bytes"},
    {HEAD SOFT "run: {compare: order}\n",
     "s.yaml:4: run.compare: order is for mode: closed; legal in mode decoupled: exact"},
    {HEAD SOFT "run:\n  cycles: 10\n  warmup_cycles: 10\n",
     "s.yaml:6: run.warmup_cycles: 10 is not less than cycles; legal: 0 … 9"},
    {HEAD SOFT "run: {window_cycles: 0}\n",
     "s.yaml:4: run.window_cycles: 0; legal: a whole number, 1 … 4096"},
    {HEAD SOFT "seed: 1\nseed: 2\n", "s.yaml:5: seed: given twice, first in line 4"},
    {HEAD SOFT "run: &x {cycles: 1}\ntrace: *x\n",
     "s.yaml:4: an anchor (&) or tag (!); write the value without it"},
    {HEAD SOFT "faults: 3\n", "s.yaml:4: faults: 3; legal: a list of 1 … 200 mappings"},
    {HEAD SOFT "faults: []\n", "s.yaml:4: faults: a list; legal: a list of 1 … 200 mappings"},
    {HEAD SOFT "faults:\n  - s3:1\n",
     "s.yaml:5: faults[0]: s3:1; legal: cycle, after_barrier, link, switch"},
    {HEAD SOFT "faults:\n  - {cycle: 1, link: \"s3:1\"}\n  - {cycle: 1, node: 3}\n",
     "s.yaml:6: unknown key faults[1].node; legal in faults[1]: cycle, after_barrier, link, "
     "switch"},
    {HEAD SOFT "faults:\n  - {cycle: soon, switch: 3}\n",
     "s.yaml:5: faults[0].cycle: soon; legal: a whole number, 0 … 1000000000000"},
    {HEAD SOFT "faults:\n  - {link: \"s3:1\"}\n",
     "s.yaml:5: faults[0]: needs one of the keys cycle, after_barrier"},
    {HEAD SOFT "faults:\n  - {cycle: 1, after_barrier: 1, switch: 2}\n",
     "s.yaml:5: faults[0]: needs one of the keys cycle, after_barrier"},
    {HEAD SOFT "faults:\n  - {cycle: 1, link: \"s3:1\", switch: 3}\n",
     "s.yaml:5: faults[0]: needs one of the keys link, switch"},
    {HEAD SOFT "faults:\n  - cycle: 1\n    link: s3\n",
     "s.yaml:6: faults[0].link: s3; legal: switch and port, as s3:1"},
    {HEAD SOFT "faults:\n  - {cycle: 1, link: \"s3:01\"}\n",
     "s.yaml:5: faults[0].link: s3:01; legal: switch and port, as s3:1"},
    {HEAD SOFT "faults:\n  - {after_barrier: 1, link: \"s3:1\"}\n",
     "s.yaml:5: faults[0].after_barrier: needs the key switch.barrier"},
    {HEAD SOFT "run: {mode: closed, compare: order}\nfaults:\n  - {cycle: 1, switch: 1}\n",
     "s.yaml:5: faults: model and DUT may have different flits on a link when it fails; legal with "
     "run.compare: exact alone"},
    {HEAD SOFT "trace: *x\n", "s.yaml:4: an alias (*); write the value out"},
    {HEAD SOFT "seed: !!int 4\n", "s.yaml:4: a tag (!); write the value without it"},
    {HEAD SOFT "---\nname: b\n", "s.yaml:4: a second document; a file has one"},
    {HEAD SOFT "? [a]\n: 1\n", "s.yaml:4: a key must be plain text"},
    {"name: \"a\\0b\"\n", "s.yaml:1: a character of code 0; write text without it"},
    {"name: \"a\\nb\"\n", "s.yaml:1: name: a?b; legal: text of 1 … 64 bytes"},
    {"a: [[[[[[[[1]]]]]]]]\n", "s.yaml:1: nested too deep"},
    {"name: a\n  fabric: {}\n", "s.yaml:2: not YAML: mapping values are not allowed in this "
                                "context"},
    {"name: a\nfabric: {topology: mesh\n",
     "s.yaml:3: not YAML: did not find expected ',' or '}', while parsing a flow mapping"},
    {"name: a\n\tseed: 1\n",
     "s.yaml:2: not YAML: found a tab character that violates indentation, while scanning a plain "
     "scalar"},
    {"name: \xff\xfe\n", "s.yaml: not YAML: invalid leading UTF-8 octet at byte 6"},
};

#endif
