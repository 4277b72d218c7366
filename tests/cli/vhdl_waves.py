#!/usr/bin/env python3
# Prints in how many cycles a VCD of heddle wave shows a VHDL switch's pins with the values of the ports.
# SPDX-License-Identifier: Apache-2.0
"""usage: vhdl_waves.py FILE.vcd     prints "N of M": cycles in which clk is 1 and then 0, and out_valid_o and
in_valid_i are those of the ports, of all cycles that begin in the file."""
import sys

scopes, names, values, cycles = [], {}, {}, {}


def look(time):
    pins = {n.split(".")[-1]: v for n, v in values.items() if n.startswith("rtl.internal.hd_switch.") and n.count(".") == 3}
    ports = [n for n in values if n.startswith("rtl.port") and n.endswith(".out_valid")]
    cycle, low = divmod(time, 1000)
    good = pins["clk"] == "01"[not low]
    for way in ("in", "out"):
        wires = "".join(values[f"rtl.port{p}.{way}_valid"] for p in reversed(range(len(ports))))
        good &= low > 0 or pins[f"{way}_valid_{way[0]}"].rjust(len(ports), "0") == wires
    cycles.setdefault(cycle, []).append(good)


time = None
for line in open(sys.argv[1]):
    word = line.split()
    if line.startswith("$scope"):
        scopes.append(word[2])
    elif line.startswith("$upscope"):
        scopes.pop()
    elif line.startswith("$var"):
        names.setdefault(word[3], []).append(".".join(scopes + [word[4]]))
    elif line.startswith("#"):
        if time is not None:
            look(time)
        time = int(line[1:])
    elif time is not None and word and line[0] in "01xzuwlhb-":
        value, key = (word[0][1:], word[1]) if line[0] == "b" else (line[0], line[1:].strip())
        for name in names[key]:
            values[name] = value
whole = [c for c in cycles.values() if len(c) == 2]
print(f"{sum(map(all, whole))} of {len(whole)}")
