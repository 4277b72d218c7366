#!/usr/bin/env python3
# Plants bugs in the routers of docs/examples, one at a time, and measures the verdicts of heddle check.
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/foreign/check_faults.py HEDDLE [--router NAME]... [--only TEXT]... [--draw N] [--seed N] [--minutes M]
       [--csv FILE]

Draws N bugs from the list of each router (faults.py has the lists), and runs heddle check --failures 1 for each. If it
finds one, the failed run is repeated, and once more with the unchanged router beside the one with the bug (a shadow, as in
faults.py). The named switch is right if its own outputs have differed by then. The delay is the time from the first
difference in any switch to the cycle that is named: that of the rule or, for a wait, that of its begin.
Ends with 1 when a bug is missed or a switch is wrong.
"""
import argparse
import csv
import json
import os
import random
import shutil
import subprocess
import sys
import time

import faults

COLUMNS = ["router", "bug", "kind", "found", "seconds", "runs", "rule", "cycle", "since", "switch", "first cycle",
           "first switch", "switch is"]
LINE = "{:14} {:24} {:10} {:7} {:>7} {:>5} {:16} {:>6} {:>6} {:>6} {:>11} {:>12} {:>9}"
LAST_CYCLES = (1500, 700, 300)  # cycles of the shadow in which a run is stopped to compare both counts of cycles


def run(heddle, scenario, rtl, out, dut=""):
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run([heddle, "run", scenario, "-q", "--no-html", "--rtl", rtl, "--out", out, "--set", "trace.waves=false"] +
                   (["--dut", dut] if dut else []), capture_output=True, text=True, check=False)
    return faults.read_named(out)


def check(heddle, rtl, minutes, out):
    """Returns exit code, seconds until the check ended, number of runs, and the first difference (None: there is none)."""
    shutil.rmtree(out, ignore_errors=True)
    begun = time.monotonic()
    code = subprocess.run([heddle, "check", "--foreign", rtl, "-q", "--no-html", "--failures", "1", "--shrink-seconds", "0", "--minutes",
                           str(minutes), "--out", out], capture_output=True, text=True, check=False).returncode
    with open(os.path.join(out, "check.json"), encoding="utf-8") as f:
        found = json.load(f)
    runs = sum(kind["runs"] for kind in found["kinds"])
    differences = found["differences"]
    return code, time.monotonic() - begun, runs, differences[0] if differences else None


def differences_of(heddle, name, fault, scenario, work):
    """Returns {switch: first cycle in which its outputs differ from those of a correct router with the same inputs}."""
    rtl, out = os.path.join(work, "shadow"), os.path.join(work, "beside")
    in_vhdl = faults.dut_of(name) == "ghdl"  # in VHDL each fault has its own build; otherwise a plusarg selects it
    dut = "ghdl:every-cycle" if in_vhdl else "verilator"  # otherwise the shadow would not count cycles in which the router rests
    if not in_vhdl:
        rtl = faults.write_copy(name, [fault], rtl)
    for last in LAST_CYCLES:
        if in_vhdl:
            faults.write_vhdl_copy(name, None, rtl, last)
        stopped = run(heddle, scenario, rtl, out, dut if in_vhdl else f"{dut}:+calibrate={last}")
        if stopped and stopped.rule == "assertion":
            if in_vhdl:
                faults.write_vhdl_copy(name, fault, rtl)
            run(heddle, scenario, rtl, out, dut if in_vhdl else f"{dut}:+fault=1")
            return {s: cycle - (last - stopped.cycle) for s, cycle in faults.first_differences(out).items()}
    return {}


def try_fault(heddle, name, fault, minutes, work):
    example, rtl = os.path.join(faults.ROOT, "docs", "examples", name), os.path.join(work, "rtl")
    shutil.rmtree(rtl, ignore_errors=True)
    shutil.copytree(example, rtl)
    path = os.path.join(rtl, fault.file)
    with open(path, encoding="utf-8") as f:
        text = faults.plant(fault, f.read())
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    code, seconds, runs, difference = check(heddle, faults.rtl_of(name, rtl), minutes, os.path.join(work, "check"))
    row = [name, fault.name, fault.kind, "yes" if code == 3 else f"NO ({code})", round(seconds), runs]
    if not difference or not difference.get("scenario"):
        return row + [""] * 7
    named = run(heddle, difference["scenario"], faults.rtl_of(name, rtl), os.path.join(work, "run"))
    if not named:  # it ended without naming a place
        return row + ["deadlock"] + [""] * 6
    differ = differences_of(heddle, name, fault, difference["scenario"], work)
    if not differ:
        return row + [named.rule, named.cycle, named.since, named.switch, "", "", "not known"]
    first = min(differ, key=differ.get)
    return row + [named.rule, named.cycle, named.since, named.switch, differ[first], first,
                  "right" if faults.is_right(named, differ, named.cycle) else "WRONG"]


def draw(name, options):
    planted = faults.read_faults(os.path.join(faults.ROOT, "tests", "foreign", name + ".txt"))
    if options.only:
        return [f for f in planted if any(text in f.name for text in options.only)]
    return random.Random(options.seed).sample(planted, min(options.draw, len(planted)))


def summarise(rows):
    found = [r for r in rows if r[3] == "yes"]
    known = [r for r in found if r[12] in ("right", "WRONG")]
    right = [r for r in known if r[12] == "right"]
    quick = [r for r in known if r[8] - r[10] <= faults.QUICK_CYCLES]
    first = [r for r in known if r[9] == r[11] or r[8] <= r[10]]
    print("\nkind      planted  found  right  first  quick")
    faults.print_kinds(rows, found, right, first, quick)
    print(f"{len(rows)} planted, {len(found)} found; of {len(known)} in which a right router stood beside, the switch is right "
          f"in {len(right)}, and the first in {len(first)}; within {faults.QUICK_CYCLES} cycles of the first difference: "
          f"{len(quick)}")
    return rows and len(found) == len(rows) and len(right) == len(known)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("heddle")
    parser.add_argument("--router", action="append")
    parser.add_argument("--only", action="append")
    parser.add_argument("--draw", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--csv")
    parser.add_argument("--work", default=os.path.join(faults.ROOT, "build", "foreign-check"))
    options = parser.parse_args()
    if not shutil.which("verilator_bin"):
        print("SKIP heddle check of bugs in foreign routers: verilator_bin is missing, install the package verilator")
        return
    rows = []
    print(LINE.format(*COLUMNS))
    for name in options.router or (n for n in faults.ROUTERS if shutil.which({"verilator": "verilator_bin"}.get(faults.dut_of(n), "ghdl"))):
        for fault in draw(name, options):
            rows.append(try_fault(options.heddle, name, fault, options.minutes, os.path.join(options.work, name)))
            print(LINE.format(*map(str, rows[-1])), flush=True)
    if options.csv:
        with open(options.csv, "w", encoding="utf-8", newline="") as f:
            csv.writer(f).writerows([COLUMNS] + rows)
    sys.exit(0 if summarise(rows) else 1)


if __name__ == "__main__":
    main()
