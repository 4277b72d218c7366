#!/usr/bin/env python3
"""Bugs that are planted in units of exported fabrics and of the board's link: does the unit's own bench find each?
SPDX-License-Identifier: Apache-2.0

usage: bugs.py [-o DIR] [ROW ...]

tests/mutation/bugs.txt lists the bugs. Each is planted alone in a copy of its module, and the bench of its row
(tests/mutation/units.py) runs with this copy on Icarus Verilog. The bug is found unless the bench says that all is right.
A bench that takes ten times as long as without a bug has found it. Exit code 1: a bug was not found, or changes nothing.
"""
import argparse
import os
import re
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import units  # noqa: E402

LIST = os.path.join(units.ROOT, "tests/mutation/bugs.txt")


def bugs(rows):
    """(row, its parameters, module, what it does, change) of each bug."""
    for line in open(LIST):
        cells = [c.strip() for c in line.split("|", 3)]
        if len(cells) == 4 and not line.startswith("#"):
            row, *parameters = cells[0].split()
            if not rows or row in rows:
                yield row, parameters, *cells[1:]


def run(out, row, parameters, module, text, seconds):
    """What the bench says with this text for a module, and how long it took; after so many seconds it is ended."""
    _, bench, own, _ = units.ROWS[row]
    sets = {**dict(p.split("=") for p in own.split()), **dict(p.split("=") for p in parameters)}
    file, sim, top = os.path.join(out, module + ".v"), os.path.join(out, "sim"), os.path.splitext(os.path.basename(bench))[0]
    with open(file, "w") as f:
        f.write(text)
    rest = [f for f in units.every() if f != units.find(module)]
    built = units.tool("iverilog", "-g2012", "-Itb", "-s", top, *(f"-P{top}.{k}={v}" for k, v in sets.items()), "-o", sim,
                       bench, file, *rest, cwd=units.ROOT)
    if built.returncode:
        return "not built: " + built.stdout.strip(), 0
    begin = time.monotonic()
    with subprocess.Popen(["stdbuf", "-oL", "vvp", "-n", sim], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as vvp:
        limit = threading.Timer(seconds, vvp.kill)
        limit.start()
        line = vvp.stdout.readline()  # the bench prints an error at once
        limit.cancel()
        vvp.kill()
    return line.strip() or "no end", time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", default=os.path.join(units.ROOT, "build/bugs"))
    parser.add_argument("rows", nargs="*", metavar="ROW")
    o = parser.parse_args()
    out = os.path.abspath(o.o)
    os.makedirs(out, exist_ok=True)
    sound, found, missed = {}, {}, 0
    for row, parameters, module, what, change in bugs(o.rows):
        right = open(units.find(module)).read()
        wrong = subprocess.run(["sed", change, units.find(module)], check=True, capture_output=True, text=True).stdout
        bench = (row, *parameters)
        if bench not in sound:
            said, sound[bench] = run(out, row, parameters, module, right, 3600)
            if not said.startswith("ok "):
                sys.exit(f"not ok {' '.join(bench)}: the bench fails without a bug: {said}")
        said, _ = run(out, row, parameters, module, wrong, 10 + 10 * sound[bench])
        if wrong == right or said.startswith(("ok ", "not built")):
            missed += 1
            print(f"not ok a bug in {module}: {what}: {'it changes nothing' if wrong == right else said}", flush=True)
        else:
            found[module] = found.get(module, 0) + 1
            print(f"ok a bug in {module} is found: {what}", flush=True)
    print(", ".join(f"{re.sub('^hd_(export_)?', '', m)} {n}" for m, n in found.items()))
    print(f"{sum(found.values())} bugs are found, {missed} are not")
    sys.exit(1 if missed or not found else 0)


if __name__ == "__main__":
    main()
