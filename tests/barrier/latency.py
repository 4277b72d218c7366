#!/usr/bin/env python3
# How long barriers take on each of the five switches under saturating traffic, and what they cost.
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/barrier/latency.py [--heddle FILE] [--out DIR] [--barriers N] [--dut NAME] [...]

One group of all nodes of a mesh meets again and again while every node offers more data than the
network takes. Each run is decoupled lockstep of the DUT with the model. A short run of the model
alone says beforehand how many cycles N barriers take. Beside each run with barriers is one without,
and one of the plain switch: the difference in accepted data is what barriers cost.

Writes into DIR: latency.csv (a line for each switch), barriers.csv (how many barriers took how
long), latency.json (all of it), latency.svg (the share of barriers that took longer; needs gnuplot).
Ends with 1 when a barrier passed the bound of specification 8.11, when a switch that must have a
bound has none, or when there were fewer than N barriers. Ctrl-C ends the run under way; what is done
is written.
"""
import argparse
import collections
import csv
import json
import os
import shutil
import subprocess
import sys

KINDS = ("any", "fixed", "moving", "queued", "reserved")
BOUNDED = ("any", "fixed", "reserved")
WARMUP = 2000
PILOT = 50000  # cycles at most; the share that a mean from it may be too low by is MARGIN
MARGIN = 0.1

SCENARIO = """\
name: {name}
fabric: {{topology: mesh, dims: [{side}, {side}]}}
switch: {{vcs: 2, depth_flits: {depth}, barrier: {kind}}}
software:
  program: {program}
  parameters: {parameters}
seed: {seed}
run: {{cycles: {cycles}, warmup_cycles: {warmup}, threads: {threads}, dut: "{dut}"}}
trace: {{packets: false}}
"""


class Failed(Exception):
    pass


# Barriers go on without end, so run.cycles ends such a run: exit code 4. The scenario has no budget that it could miss.
ENDINGS = {"barrier": (4, ("budget missed",)), "uniform": (0, ("passed", "carried out"))}


def finished(path, text, directory, program):
    """The report of a run of this very scenario that ended as it must, or None."""
    try:
        with open(path, encoding="utf-8") as f:
            same = f.read() == text
        with open(os.path.join(directory, "report.json"), encoding="utf-8") as f:
            report = json.load(f)
    except FileNotFoundError:
        return None
    return report if same and report["status"] in ENDINGS[program][1] else None


def run(a, name, kind, program, parameters, cycles, dut):
    """Runs one scenario; returns its report.json."""
    directory = os.path.join(a.out, name)
    path = os.path.join(a.out, name + ".yaml")
    text = SCENARIO.format(
        name=name, side=a.side, depth=a.depth, kind=kind, program=program, seed=a.seed,
        parameters="{" + ", ".join(f"{k}: {v}" for k, v in parameters.items()) + "}",
        cycles=cycles, warmup=min(WARMUP, cycles // 4), threads=a.threads, dut=dut)
    report = finished(path, text, directory, program) if a.resume else None
    if report:
        return report
    shutil.rmtree(directory, ignore_errors=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    command = [a.heddle, "run", "--out", directory, path]
    print(f"{name}: {cycles} cycles on {dut}", file=sys.stderr, flush=True)
    code = subprocess.call(command, stdout=subprocess.DEVNULL)
    if code != ENDINGS[program][0]:
        raise Failed(f"{' '.join(command)}: exit code {code}")
    with open(os.path.join(directory, "report.json"), encoding="utf-8") as f:
        return json.load(f)


def barriers_of(report):
    return report["barriers"][0]


def durations(a, name):
    with open(os.path.join(a.out, name, "barriers.csv"), encoding="utf-8") as f:
        return collections.Counter(int(row["cycles"]) for row in csv.DictReader(f))


def measure(a, kind):
    """One switch: with barriers, and without."""
    data = {"load": a.load, "flits": a.flits}
    barriers = dict(data, rounds=10**9, center="middle")
    pilot = barriers_of(run(a, kind + "-pilot", kind, "barrier", barriers,
                            min(PILOT, 100 * a.barriers), "none"))
    cycles = int((1 + MARGIN) * a.barriers * pilot["later"]["mean"]) + 3000
    report = run(a, kind, kind, "barrier", barriers, cycles, a.dut)
    quiet_cycles = min(cycles, a.quiet_cycles)
    quiet = run(a, kind + "-without", kind, "uniform", dict(data, cycles=quiet_cycles),
                quiet_cycles, a.dut)
    group, flits = barriers_of(report), report["flits"]
    return {
        "switch": kind, "barriers": group["later"]["n"], "first": group["first"],
        **{k: group["later"][k] for k in ("minimum", "mean", "median", "p99", "p999", "maximum")},
        "distance_hops": group["distance_hops"], "hop_cycles": group["hop_cycles"],
        "theorem_2": group["theorem_2_cycles"], "formula": group["formula_cycles"],
        "busy": group["busy"], "blocked": group["blocked"],
        "bound": group["bound_cycles"], "above_bound": group["above_bound"],
        "cycles": report["cycles"], "cycles_compared": report["cycles_compared"],
        "accepted": report["throughput"], "accepted_without": quiet["throughput"],
        "lost_a_barrier": (quiet["throughput"] - report["throughput"]) * report["nodes"] *
                          report["cycles"] / group["later"]["n"],
        **{k + "_flits": flits[k] for k in ("data", "barrier", "padding", "null")},
        "links": flit_slots(a, report),
        "seconds": report["seconds"], "histogram": durations(a, kind),
    }


def flit_slots(a, report):
    """Flits that the links out of all switches could have carried."""
    links = 4 * a.side * (a.side - 1) + a.side * a.side
    return links * report["cycles"]


def faults(a, rows):
    for r in rows:
        if r["barriers"] < a.barriers:
            yield f"{r['switch']}: {r['barriers']} barriers of {a.barriers}"
        if r["switch"] in BOUNDED and not r["bound"]:
            yield f"{r['switch']}: no bound is known"
        if r["above_bound"]:
            yield (f"{r['switch']}: {r['above_bound']} barriers passed the bound of {r['bound']} cycles, "
                   f"the longest took {r['maximum']}")
        if a.dut != "none" and r["cycles_compared"] != r["cycles"]:
            yield f"{r['switch']}: only {r['cycles_compared']} of {r['cycles']} cycles compared"


def show(a, rows, plain):
    print(f"{a.side}x{a.side} mesh, {a.side ** 2} members, 2 VCs x {a.depth} flits, packets of {a.flits} "
          f"flits, {a.load} flits/node/cycle offered; cycles")
    print(f"{'switch':9} {'barriers':>8} {'first':>6} {'min':>5} {'mean':>7} {'p50':>5} {'p99':>5} "
          f"{'p99.9':>5} {'max':>5} {'Thm 2':>6} {'bound':>6}  accepted with, without, plain  "
          f"lost a barrier  null and control")
    for r in rows:
        extra = 100 * (r["null_flits"] + r["padding_flits"]) / r["links"]
        print(f"{r['switch']:9} {r['barriers']:8} {r['first']:6} {r['minimum']:5} {r['mean']:7.1f} "
              f"{r['median']:5} {r['p99']:5} {r['p999']:5} {r['maximum']:5} {r['theorem_2']:6.0f} "
              f"{r['bound'] or '-':>6}  {r['accepted']:.4f} {r['accepted_without']:13.4f} {f'{plain:.4f}' if plain else '-':>7}  "
              f"{r['lost_a_barrier']:8.1f} flits  "
              f"{extra:7.2f} % of the links")


def write(a, rows, plain):
    columns = [k for k in rows[0] if k != "histogram"]
    with open(os.path.join(a.out, "latency.csv"), "w", encoding="utf-8", newline="") as f:
        w = csv.writer(f)
        w.writerow(columns + ["accepted_plain"])
        w.writerows([r[k] for k in columns] + [plain] for r in rows)
    with open(os.path.join(a.out, "barriers.csv"), "w", encoding="utf-8", newline="") as f:
        w = csv.writer(f)
        w.writerow(["switch", "cycles", "barriers"])
        w.writerows([r["switch"], c, n] for r in rows for c, n in sorted(r["histogram"].items()))
    with open(os.path.join(a.out, "latency.json"), "w", encoding="utf-8") as f:
        json.dump({"side": a.side, "load": a.load, "flits": a.flits, "depth_flits": a.depth,
                   "dut": a.dut, "seed": a.seed, "accepted_plain": plain, "switches": rows}, f, indent=1)


def plot(a, rows):
    """The share of barriers that took longer, on a logarithmic scale, so that tails are seen."""
    if not shutil.which("gnuplot"):
        print("SKIP latency.svg: no gnuplot (package gnuplot-nox)")
        return
    lines = []
    script = [f"set terminal svg size 900,560 background 'white'; set output '{a.out}/latency.svg'",
              "set logscale xy; set xtics (100, 110, 120, 130, 140, 150, 200, 300, 500, 700, 1000);"
              "set xlabel 'cycles'; set ylabel 'share of barriers that took longer'",
              "set grid; set key top right",
              f"set yrange [{0.5 / max(r['barriers'] for r in rows)}:1.5]"]
    for i, r in enumerate(rows):
        left, n = r["barriers"], r["barriers"]
        script.append(f"$d{i} << end")
        for cycles, count in sorted(r["histogram"].items()):
            script.append(f"{cycles} {left / n}")
            left -= count
            script.append(f"{cycles} {max(left, 0.5) / n}")
        script.append("end")
        lines.append(f"$d{i} using 1:2 with lines linewidth 2 title '{r['switch']}'")
    marks = {}
    for r in rows:
        if r["bound"]:
            marks.setdefault(r["bound"], []).append(r["switch"])
    for i, (cycles, names) in enumerate(marks.items()):
        script.append(f"set arrow from {cycles}, graph 0 to {cycles}, graph 1 nohead dashtype 2")
        script.append(f"set label 'bound: {', '.join(names)}' at {cycles}, graph 0.02 rotate offset 0.7,0")
    script.append("plot " + ", ".join(lines))
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True)
    path = os.path.join(a.out, "latency.svg")
    with open(path, encoding="utf-8") as f:
        head, rest = f.read().split("\n", 1)
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"{head}\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n{rest}")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[2], epilog="Example: "
                                "tests/barrier/latency.py --barriers 300 --dut none --out /tmp/latency")
    p.add_argument("--heddle", default="build/opt/heddle")
    p.add_argument("--out", default="build/barrier-latency", help="directory, made")
    p.add_argument("--barriers", type=int, default=10000, help="of each switch, after the first")
    p.add_argument("--switches", default=",".join(KINDS), help="which of the five")
    p.add_argument("--side", type=int, default=6, help="of the mesh")
    p.add_argument("--depth", type=int, default=8, help="flits of a virtual channel's buffer")
    p.add_argument("--load", type=float, default=0.6, help="flits a node and cycle")
    p.add_argument("--flits", type=int, default=8, help="of a packet")
    p.add_argument("--quiet-cycles", type=int, default=100000, help="of runs without barriers, at most")
    p.add_argument("--dut", default="verilator", help="backend; none: the model alone")
    p.add_argument("--resume", action="store_true",
                   help="take what an interrupted command left in DIR; the RTL must be the same")
    p.add_argument("--without-plain", action="store_true", help="leave the plain switch out")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    kinds = a.switches.split(",")
    if not set(kinds) <= set(KINDS):
        p.error(f"--switches {a.switches}: legal: {','.join(KINDS)}")
    os.makedirs(a.out, exist_ok=True)
    rows, said = [], []
    plain = None
    try:
        if not a.without_plain:
            plain = run(a, "plain", "none", "uniform",
                        {"load": a.load, "flits": a.flits, "cycles": a.quiet_cycles}, a.quiet_cycles,
                        a.dut)["throughput"]
        for kind in kinds:
            rows.append(measure(a, kind))
    except KeyboardInterrupt:
        said.append("interrupted")
    except Failed as e:
        said.append(str(e))
    if rows:
        show(a, rows, plain)
        write(a, rows, plain)
        plot(a, rows)
        said += faults(a, rows)
    for s in said:
        print(f"not ok {s}")
    if rows and not said:
        print(f"ok {sum(r['barriers'] for r in rows)} barriers of {len(rows)} switches; those with a bound "
              f"kept it; see {a.out}/latency.svg")
    return 1 if said or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
