#!/usr/bin/env python3
# How fast switches could be clocked on an iCE40 HX8K, how large they are, and their longest paths.
# SPDX-License-Identifier: Apache-2.0
"""usage: tb/timing/timing.py [-o DIRECTORY] [-s SEED,...] [-r RTL] [--record] [NAME ...]    the sets of tb/timing/sets.txt

Each set is synthesised once, with a register at every pin (pins.v), and placed and routed with each of
nextpnr's seeds. A seed moves the clock by a few percent, so the report is of the median. Writes
DIRECTORY/timing.csv, and for each set NAME.path: the longest path of the median, by names of nets.
Cells are ICESTORM_LC, with those of the registers at the pins, which are `at pins`. What is placed already is not placed
again. A median outside the spread that is recorded (record.py) is a failure; --record records today's.
"""
import csv
import getopt
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import record

HERE = os.path.dirname(__file__)
COLUMNS = ["name", "parameters", "cells", "at_pins", "lut4", "flip_flops", "carries", "rams", "mhz_median",
           "mhz_least", "mhz_most", "seeds", "levels", "rtl"]
CLOCK_MHZ = 60  # what nextpnr aims at


def run(log, *command):
    """Runs a command with its output in a log; ends this one if it fails."""
    with open(log, "w", encoding="utf-8") as out:
        if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False).returncode:
            with open(log, encoding="utf-8", errors="replace") as text:
                why = next((line.strip() for line in text if re.search("(ERROR|Error):", line)), "")
            sys.exit(f"not ok {os.path.basename(sys.argv[0])}: {command[0]} failed, see {log}" + (f"\n  {why}" if why else ""))


def sets(names):
    """[(name, parameters)] of sets.txt that are named; without names all. Ends the program if there is no such set."""
    with open(os.path.join(HERE, "sets.txt"), encoding="utf-8") as f:
        lines = [line.split("|") for line in f if line.strip() and not line.startswith("#")]
    found = {name.strip(): parameters.split() for name, parameters in lines}
    for name in names:
        if name not in found:
            sys.exit(f"not ok {os.path.basename(sys.argv[0])}: there is no set {name}; tb/timing/sets.txt has {' '.join(found)}")
    return [(name, found[name]) for name in found if not names or name in names]


def sources(rtl):
    """The files of a switch, in the directory `rtl`."""
    with open("rtl/heddle.f", encoding="utf-8") as f:
        return [line.strip().replace("rtl/", rtl + "/", 1) for line in f if line.startswith("rtl/")]


def synthesise(rtl, base, parameters):
    """Cells of the netlist by type, and how many registers are at the pins."""
    chosen = " ".join("-set " + p.replace("=", " ") for p in parameters)
    run(base + ".yosys.log", "yosys", "-q", "-p", f"read_verilog {' '.join(sources(rtl))} {HERE}/pins.v; "
        f"chparam {chosen} pins; synth_ice40 -abc2 -top pins -json {base}.json")
    with open(base + ".json", encoding="utf-8") as f:
        cells = json.load(f)["modules"]["pins"]["cells"]
    count = {}
    for cell in cells.values():
        count[cell["type"]] = count.get(cell["type"], 0) + 1
    at_pins = sum(c["type"].startswith("SB_DFF") and not name.startswith("u_switch.") for name, c in cells.items())
    return count, at_pins


def place(base, seed, report):
    run(f"{base}.{seed}.nextpnr.log", "nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", base + ".json",
        "--pcf-allow-unconstrained", "--freq", str(CLOCK_MHZ), "--timing-allow-fail", "--seed", seed, "--report", report)


def route(base, seed):
    """(MHz, cells, path of (delay so far in ns, net)) with one seed."""
    report, placed = f"{base}.{seed}.report.json", f"{base}.{seed}.placed"
    with open(base + ".json", "rb") as f:
        netlist = hashlib.sha256(f.read()).hexdigest()
    if not os.path.exists(placed) or open(placed, encoding="utf-8").read() != netlist:
        place(base, seed, report)
        with open(placed, "w", encoding="utf-8") as f:
            f.write(netlist)
    with open(report, encoding="utf-8") as f:
        told = json.load(f)
    path, ns = [], 0.0
    for critical in told["critical_paths"]:
        if critical["from"].startswith("posedge") and critical["to"] == critical["from"]:
            for step in critical["path"]:
                ns += step["delay"]
                if step["type"] == "routing":
                    path.append((ns, step["net"].removeprefix("u_switch.")))
    mhz = next(iter(told["fmax"].values()))["achieved"]
    return mhz, told["utilization"]["ICESTORM_LC"]["used"], path


def main(args):
    options, names = getopt.getopt(args, "o:s:r:", ["record"])
    options = dict(options)
    out, seeds = options.get("-o", "build/timing"), options.get("-s", "1,2,3,4,5,6,7").split(",")
    for tool, package in (("yosys", "yosys"), ("nextpnr-ice40", "nextpnr-ice40")):
        if not shutil.which(tool):
            print(f"SKIP timing: {tool} is missing (package {package})")
            return 0
    os.makedirs(out, exist_ok=True)
    rows, failed, rtl = [], 0, options.get("-r", "rtl")
    for name, parameters in sets(names):
        base = os.path.join(out, name)
        count, at_pins = synthesise(rtl, base, parameters)
        routed = sorted(route(base, seed) for seed in seeds)
        mhz, cells, path = routed[len(routed) // 2]
        with open(base + ".path", "w", encoding="utf-8") as f:
            f.writelines(f"{ns:6.2f} ns  {net}\n" for ns, net in path)
        values = [name, " ".join(parameters), cells, at_pins, count.get("SB_LUT4", 0),
                  sum(n for t, n in count.items() if t.startswith("SB_DFF")), count.get("SB_CARRY", 0),
                  sum(n for t, n in count.items() if t.startswith("SB_RAM")), f"{mhz:.1f}", f"{routed[0][0]:.1f}",
                  f"{routed[-1][0]:.1f}", len(seeds), len(path), record.rtl_hash(rtl)]
        row = dict(zip(COLUMNS, map(str, values)))
        rows.append(row)
        wrong = [] if "--record" in options else record.differences(row)
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} timing {' '.join([name] + parameters)}: {cells} cells, {at_pins} of them at "
              f"pins, {mhz:.1f} MHz ({routed[0][0]:.1f} to {routed[-1][0]:.1f}), {len(path)} nets in the longest path, "
              f"{base}.path{''.join('; recorded otherwise: ' + w for w in wrong)}", flush=True)
    with open(os.path.join(out, "timing.csv"), "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)
    if "--record" in options:
        record.add(rows, [name for name, _ in sets([])])
        return record.main(["write"])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
