#!/usr/bin/env python3
# Plants bugs in the routers of docs/examples, one at a time, and measures what heddle check says of each.
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/foreign/check_faults.py HEDDLE [--router NAME]... [--draw N] [--seed N] [--minutes M] [--csv FILE]

Draws N bugs of the list of each router (faults.py has the lists) and asks heddle check --failures 1 for each. Where it
finds one, the run that failed is repeated beside the router without the bug (--against): the first cycle and the switch
in which both differ are those of the first wrong event. Ends with 1 when a bug is missed.
"""
import argparse
import csv
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time

import faults

COLUMNS = ["router", "bug", "kind", "found", "seconds", "runs", "rule", "cycle", "switch", "first cycle", "first switch"]
LINE = "{:14} {:24} {:10} {:7} {:>7} {:>5} {:16} {:>6} {:>6} {:>11} {:>12}"


def divergence(out):
    path = os.path.join(out, "run.db")
    if not os.path.exists(path):
        return None
    with sqlite3.connect(path) as db:
        return db.execute("SELECT difference, cycle, switch FROM divergences").fetchone()


def run(heddle, scenario, rtl, out, *more):
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run([heddle, "run", scenario, "-q", "--no-html", "--rtl", rtl, "--out", out, *more],
                          capture_output=True, text=True, check=False)
    return done.returncode, divergence(out)


def check(heddle, rtl, minutes, out):
    """Exit code, seconds until it ended, runs, the first difference; None: there is none."""
    shutil.rmtree(out, ignore_errors=True)
    begun = time.monotonic()
    code = subprocess.run([heddle, "check", rtl, "-q", "--no-html", "--failures", "1", "--shrink-seconds", "0", "--minutes",
                           str(minutes), "--out", out], capture_output=True, text=True, check=False).returncode
    with open(os.path.join(out, "check.json"), encoding="utf-8") as f:
        found = json.load(f)
    runs = sum(kind["runs"] for kind in found["kinds"])
    differences = found["differences"]
    return code, time.monotonic() - begun, runs, differences[0] if differences else None


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
        return row + [""] * 5
    _, named = run(heddle, difference["scenario"], faults.rtl_of(name, rtl), os.path.join(work, "run"))
    _, first = run(heddle, difference["scenario"], faults.rtl_of(name, rtl), os.path.join(work, "beside"), "--against",
                   faults.rtl_of(name, example))
    return row + list(named or ("deadlock", "", "")) + list((first or ("", "", ""))[1:])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("heddle")
    parser.add_argument("--router", action="append")
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
    for name in options.router or faults.ROUTERS:
        planted = faults.read_faults(os.path.join(faults.ROOT, "tests", "foreign", name + ".txt"))
        for fault in random.Random(options.seed).sample(planted, min(options.draw, len(planted))):
            rows.append(try_fault(options.heddle, name, fault, options.minutes, os.path.join(options.work, name)))
            print(LINE.format(*map(str, rows[-1])), flush=True)
    if options.csv:
        with open(options.csv, "w", encoding="utf-8", newline="") as f:
            csv.writer(f).writerows([COLUMNS] + rows)
    found = [r for r in rows if r[3] == "yes"]
    right = [r for r in found if r[7] != "" and (r[8] == r[10] or r[7] == r[9])]  # or another one in the same cycle
    quick = [r for r in found if r[7] != "" and r[9] != "" and r[7] - r[9] <= faults.QUICK_CYCLES]
    print(f"{len(rows)} planted, {len(found)} found; a switch that is wrong first is named for {len(right)}; within "
          f"{faults.QUICK_CYCLES} cycles of the first wrong event: {len(quick)}")
    sys.exit(0 if rows and len(found) == len(rows) else 1)


if __name__ == "__main__":
    main()
