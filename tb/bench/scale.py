#!/usr/bin/env python3
# Time and memory of whole runs of large fabrics: model alone, and RTL in lockstep.
# SPDX-License-Identifier: Apache-2.0
"""usage: tb/bench/scale.py HEDDLE CSV SCENARIO...

Runs each scenario on the model alone, then on its own DUT with one thread and with two. Prints, and
writes to CSV, wall and processor time, switch-cycles a second of the cycles' wall time, the largest resident
memory, and how long barriers took, if there are any. Building the DUT is not counted. Ends with 1 when a run
does not pass, or compares nothing.
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


def measure(heddle, scenario):
    """(subject, seconds, processor seconds, MB, report) of each subject."""
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
            if name != SUBJECTS[0][0] and report["cycles_compared"] != report["cycles"]:
                sys.exit(f"{scenario}, {name}: {report['cycles_compared']} of {report['cycles']} cycles compared")
            rows.append((name, seconds, cpu, megabytes, report))
    return rows


def show(rows):
    report = rows[-1][4]
    print(f"\n{report['name']}: {report['fabric']}; {report['cycles']} cycles")
    print(f"{'':32} {'seconds':>8} {'CPU':>8} {'million switch-cycles/s':>24} {'peak MB':>8}  evaluated")
    for name, seconds, cpu, megabytes, r in rows:
        rate = r["cycles"] * r["switches"] / r["seconds"]
        share = f"{100 * r['evaluated_cycles'] / r['switch_cycles']:8.1f} %" if r["compared"] else "-"
        print(f"{name:32} {seconds:8.1f} {cpu:8.1f} {rate / 1e6:24.2f} {megabytes:8.0f}  {share:>9}")
    for group in report["barriers"]:
        print(f"first barrier of {group['members']} members {group['first']} cycles, {group['later']['n']} later at "
              f"most {group['later']['maximum']}; bound {group['bound_cycles']}")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    heddle, path, *scenarios = sys.argv[1:]
    with open(path, "w", encoding="utf-8", newline="") as f:
        w = csv.writer(f)
        w.writerow(["scenario", "what", "seconds", "cpu_seconds", "switch_cycles_per_second", "peak_megabytes",
                    "first", "later_mean", "later_maximum"])
        for scenario in scenarios:
            rows = measure(heddle, scenario)
            show(rows)
            for name, seconds, cpu, megabytes, r in rows:
                group = next(iter(r["barriers"]), {"first": "", "later": {"mean": "", "maximum": ""}})
                w.writerow([os.path.basename(scenario).removesuffix(".yaml"), name, f"{seconds:.3f}", f"{cpu:.3f}",
                            f"{r['cycles'] * r['switches'] / r['seconds']:.0f}", f"{megabytes:.1f}", group["first"],
                            group["later"]["mean"], group["later"]["maximum"]])


if __name__ == "__main__":
    main()
