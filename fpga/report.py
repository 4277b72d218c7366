#!/usr/bin/env python3
# What FPGA builds take and how fast they are: one result of each, and a table of all.
# SPDX-License-Identifier: Apache-2.0
"""usage: fpga/report.py result DIR NAME BOARD FAMILY DEVICE MHZ BAUD BUILD PARAMETERS
       fpga/report.py table DIR NAME ...

`result` reads what Yosys (NAME.stat) and nextpnr (NAME.report.json, NAME.nextpnr.log) wrote and
writes NAME.result.json. What a family's cells are called is in FAMILIES. `table` prints
all of them and writes results.csv, .json and .md. Ends with 1 when a result is missing, or timing is
not met.

Timing: the switch's clock is half the oscillator's. nextpnr-ice40 holds both to the oscillator's; it
is asked for that of the ECP5, too, but what counts there is what the switch needs. Between the
clocks a signal has a whole cycle of the oscillator (fpga/link/hd_player.v), which nextpnr does not
check, so it is checked here. What nextpnr does not tell is how long the switch's clock takes from its
register to the switch: signals to the switch have so much more, signals from it so much less.
"""
import csv
import json
import re
import sys


# For each family: how Yosys' names of LUT, flip-flop, carry and block RAM cells begin, nextpnr's names of a logic cell
# and of the board's clock net, and how many cycles of the oscillator make a cycle of the switch's clock.
FAMILIES = {
    "ice40": (("SB_LUT4",), ("SB_DFF",), ("SB_CARRY",), ("SB_RAM",), "ICESTORM_LC", "clk", 1),
    "ecp5": (("LUT4",), ("TRELLIS_FF",), ("CCU2C",), ("DP16KD",), "TRELLIS_COMB", "clk", 2),
    "gowin": (("LUT",), ("DFF",), ("ALU",), ("DP", "SDP", "SP", "pROM"), "LUT4", "board.clk", 1),
}


def cells(path):
    """Cells by type from Yosys' `stat`."""
    found = {}
    for line in open(path):
        # newer versions of Yosys have the number first
        match = re.match(r"\s+(?:([A-Z]\w+)\s+(\d+)|(\d+)\s+([A-Z]\w+))\s*$", line)
        if match:
            found[match[1] or match[4]] = int(match[2] or match[3])
    return found


def clock_of(net):
    """The design's name of a clock net that nextpnr has put on a global one or behind a buffer."""
    return net.removeprefix("$glbnet$").split("$")[0]


def result(out, name, board, family, device, mhz, baud, build, parameters):
    stem = f"{out}/{name}"
    luts, flip_flops, carries, rams, logic_cell, board_clock, switch_cycles = FAMILIES[family]
    found = cells(stem + ".stat")

    def count(beginnings):
        return sum(n for cell, n in found.items() if cell.startswith(beginnings))

    report = json.load(open(stem + ".report.json"))
    used = report["utilization"][logic_cell]
    log = open(stem + ".nextpnr.log").read()
    # the last of each: after routing
    crossing = {(clock_of(a), clock_of(b)): float(ns) for a, b, ns in
                re.findall(r"Max delay posedge (\S+)\s+-> posedge (\S+)\s*: ([\d.]+) ns", log)}
    period_ns = 1000 / float(mhz)
    frequencies = {clock_of(net): clock["achieved"] for net, clock in report["fmax"].items()}
    # The other clocks are the switches'.
    board_mhz = frequencies.pop(board_clock)
    # A fabric at speed has the board's clock alone.
    switch_mhz = min(frequencies.values(), default=board_mhz)
    if not frequencies:
        switch_cycles = 1
    slowest_ns = max(list(crossing.values()) + [0])
    margin_ns = min(period_ns - 1000 / board_mhz, switch_cycles * period_ns - 1000 / switch_mhz,
                    period_ns - slowest_ns)
    row = {
        "name": name,
        "board": board,
        "device": device,
        "baud": int(baud),
        "parameters": parameters.strip(),
        "build": build,
        "lut4": count(luts),
        "flip_flops": count(flip_flops),
        "carries": count(carries),
        "block_rams": count(rams),
        "logic_cells": used["used"],
        "logic_cells_there": used["available"],
        "switch_mhz": round(switch_mhz, 2),
        "board_mhz": round(board_mhz, 2),
        "between_clocks_ns": slowest_ns,
        "oscillator_mhz": float(mhz),
        "margin_ns": round(margin_ns, 2),
        "margin_percent": round(100 * margin_ns / period_ns, 1),
    }
    with open(stem + ".result.json", "w") as file:
        json.dump(row, file, indent=2)
        file.write("\n")
    if margin_ns < 0:
        print(f"not ok fpga {name}: timing is missed by {-margin_ns:.2f} ns of {period_ns:.2f} ns")
        return 1
    return 0


COLUMNS = [
    ("name", "build"), ("parameters", "switch"), ("lut4", "LUT4"), ("flip_flops", "FF"),
    ("carries", "carry"), ("block_rams", "RAM"), ("cells", "logic cells"),
    ("board_mhz", "board MHz"), ("switch_mhz", "switch MHz"), ("oscillator_mhz", "at MHz"),
    ("margin", "margin"), ("baud", "baud"),
]


def table(out, names):
    rows, bad = [], 0
    for name in names:
        try:
            rows.append(json.load(open(f"{out}/{name}.result.json")))
        except OSError:
            print(f"not ok fpga {name}: there is no result")
            bad = 1
    if not rows:
        return 1
    with open(f"{out}/results.json", "w") as file:
        json.dump(rows, file, indent=2)
        file.write("\n")
    with open(f"{out}/results.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    lines = [[title for _, title in COLUMNS]]
    for row in rows:
        row = dict(row, margin=f"{row['margin_ns']} ns ({row['margin_percent']} %)",
                   cells=f"{row['logic_cells']} of {row['logic_cells_there']}")
        lines.append([str(row[key]) for key, _ in COLUMNS])
    with open(f"{out}/results.md", "w") as file:
        for i, line in enumerate(lines):
            file.write("| " + " | ".join(line) + " |\n" + ("|---" * len(line) + "|\n" if i == 0 else ""))
    shown = [line[:1] + line[2:] for line in lines]
    widths = [max(len(line[i]) for line in shown) for i in range(len(shown[0]))]
    for line in shown:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())
    for row in rows:
        print(f"ok fpga {row['name']}: {row['logic_cells']} of {row['logic_cells_there']} logic cells, "
              f"timing met at {row['oscillator_mhz']:g} MHz with {row['margin_ns']} ns "
              f"({row['margin_percent']} %) to spare")
    return bad


if __name__ == "__main__":
    if len(sys.argv) == 11 and sys.argv[1] == "result":
        sys.exit(result(*sys.argv[2:]))
    if len(sys.argv) >= 4 and sys.argv[1] == "table":
        sys.exit(table(sys.argv[2], sys.argv[3:]))
    sys.exit(__doc__)
