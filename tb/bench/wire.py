#!/usr/bin/env python3
# Bytes on a board's line: windows by signatures, windows by events, and clock-stepped.
# SPDX-License-Identifier: Apache-2.0
"""usage: tb/bench/wire.py HEDDLE CSV

Runs uniform traffic on a 2x2 mesh of four switches on one virtual board, and counts what goes over the
line for each cycle of a switch, both ways together. What configures the switches is not counted: a run of one
cycle is taken off. Prints a table, writes it to CSV. Ends with 1 when a run does not agree with the model, or
its digest is another one than that of the other ways.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

SCENARIO = """name: wire
fabric: {{topology: mesh, dims: [2, 2]}}
switch: {{barrier: any, groups: 2}}
software: {{program: uniform, parameters: {{load: {load}, flits: 4, cycles: 1000000}}}}
run: {{cycles: {cycles}, window_cycles: 4096}}
"""
LOADS = (0.00001, 0.001, 0.01, 0.1)  # the first: hardly a packet in all of it
SIGNED, EVENTS, STEPPED = "signatures", "events", "clock-stepped"
# what, device, options, cycles
WAYS = ((SIGNED, "board:virtual", [], 40960), (EVENTS, "board:virtual,events", [], 40960),
        (STEPPED, "board:virtual,events", ["--mode", "closed"], 1024))


def run(heddle, work, load, cycles, device, options):
    """The report of one run."""
    path, out = os.path.join(work, "wire.yaml"), os.path.join(work, "run")
    with open(path, "w", encoding="utf-8") as f:
        f.write(SCENARIO.format(load=load, cycles=cycles))
    subprocess.run(["rm", "-rf", out], check=True)
    done = subprocess.run([heddle, "run", "-q", "--dut", device, *options, "--out", out, path],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode not in (0, 4, 11):  # 4: traffic had no end in these cycles; 11: there was none
        sys.exit(f"{device} {options} at load {load} ends with {done.returncode}:\n{done.stdout}")
    with open(os.path.join(out, "report.json"), encoding="utf-8") as f:
        report = json.load(f)
    if report["cycles_compared"] != cycles:
        sys.exit(f"{device}: {report['cycles_compared']} of {cycles} cycles compared")
    return report


def line(report):
    """Bytes in both directions."""
    counted = report["dut_counters"]
    return counted["bytes_out"] + counted["bytes_in"]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    heddle, path = sys.argv[1:]
    rows = []
    with tempfile.TemporaryDirectory() as work:
        for load in LOADS:
            digests = {}
            for what, device, options, cycles in WAYS:
                report = run(heddle, work, load, cycles, device, options)
                digests.setdefault(cycles, set()).add(report["digest"])
                begin = run(heddle, work, load, 1, device, options)
                switch_cycles = report["switch_cycles"] - begin["switch_cycles"]
                if what == STEPPED:
                    digests[cycles].add(run(heddle, work, load, cycles, "model", [])["digest"])
                rows.append((load, what, switch_cycles, line(report) - line(begin)))
            if any(len(d) != 1 for d in digests.values()):
                sys.exit(f"load {load}: digests differ: {digests}")
    print("\nbytes on a board's line, both ways, for 1,000 cycles of a switch (2x2 mesh, packets of 4 flits)")
    print(f"{'load':>8} {SIGNED:>14} {EVENTS:>14} {STEPPED:>14}   {STEPPED} / {SIGNED}   cycles for a byte")
    with open(path, "w", encoding="utf-8", newline="") as f:
        w = csv.writer(f)
        w.writerow(["load", "way", "switch_cycles", "bytes"])
        w.writerows(rows)
    for load in LOADS:
        of = {what: n / cycles for at, what, cycles, n in rows if at == load}
        print(f"{load:8g} " + " ".join(f"{1000 * of[what]:14.1f}" for what, *_ in WAYS) +
              f"   {of[STEPPED] / of[SIGNED]:26.0f}   {1 / of[SIGNED]:17.1f}")


if __name__ == "__main__":
    main()
