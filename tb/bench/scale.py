#!/usr/bin/env python3
# Time and memory of a barrier of 1,200 members on 1,200 switches: model alone, and RTL in lockstep.
# SPDX-License-Identifier: Apache-2.0
"""usage: tb/bench/scale.py HEDDLE SCENARIO CSV

Runs the scenario on the model alone, then on its own DUT with one thread and with two. Prints, and
writes to CSV, wall and processor time, switch-cycles a second of wall time, the largest resident
memory, and how long barriers took. Building the DUT is not counted. Ends with 1 when a run does not pass, or compares nothing.
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

SUBJECTS = (("model alone", ["--dut", "none"]), ("decoupled lockstep", ["--threads", "1"]),
            ("decoupled lockstep, 2 threads", ["--threads", "2"]))


def run(command):
    """Exit code, seconds, seconds of processors and peak memory in MB of one command."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    return (os.waitstatus_to_exitcode(status), seconds, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    heddle, scenario, path = sys.argv[1:]
    rows = []
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "run")
        # Compilers would count as memory of the run that calls them.
        run([heddle, "run", "-q", "--cycles", "1", "--out", out, scenario])
        for name, options in SUBJECTS:
            shutil.rmtree(out, ignore_errors=True)
            code, seconds, cpu, megabytes = run([heddle, "run", "-q", *options, "--out", out, scenario])
            if code:
                sys.exit(f"{name}: heddle run {' '.join(options)} {scenario} ends with {code}")
            with open(os.path.join(out, "report.json"), encoding="utf-8") as f:
                report = json.load(f)
            if report["compared"] and report["cycles_compared"] != report["cycles"]:
                sys.exit(f"{name}: {report['cycles_compared']} of {report['cycles']} cycles compared")
            rows.append((name, seconds, cpu, megabytes, report))
    print(f"\nbarrier of {rows[0][4]['barriers'][0]['members']} members, {rows[0][4]['switches']} "
          f"switches, {rows[0][4]['cycles']} cycles")
    print(f"{'':32} {'seconds':>8} {'CPU':>8} {'million switch-cycles/s':>24} {'peak MB':>8}  evaluated")
    with open(path, "w", encoding="utf-8", newline="") as f:
        w = csv.writer(f)
        w.writerow(["what", "seconds", "cpu_seconds", "switch_cycles_per_second", "peak_megabytes", "first",
                    "later_mean", "later_maximum"])
        for name, seconds, cpu, megabytes, r in rows:
            rate = r["cycles"] * r["switches"] / r["seconds"]
            group = r["barriers"][0]
            share = f"{100 * r['evaluated_cycles'] / r['switch_cycles']:8.1f} %" if r["compared"] else "-"
            print(f"{name:32} {seconds:8.1f} {cpu:8.1f} {rate / 1e6:24.2f} {megabytes:8.0f}  {share:>9}")
            w.writerow([name, f"{seconds:.3f}", f"{cpu:.3f}", f"{rate:.0f}", f"{megabytes:.1f}", group["first"],
                        group["later"]["mean"], group["later"]["maximum"]])
    group = rows[-1][4]["barriers"][0]
    print(f"first barrier {group['first']} cycles, {group['later']['n']} later at most "
          f"{group['later']['maximum']}; bound {group['bound_cycles']}")


if __name__ == "__main__":
    main()
