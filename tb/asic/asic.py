#!/usr/bin/env python3
# Area, clock and power of switches in an ASIC's cell library, by Yosys and OpenSTA.
# SPDX-License-Identifier: Apache-2.0
"""usage: tb/asic/asic.py [-o DIRECTORY] [-a FILE.saif] [-r RTL] [-c MHZ] LIBERTY [NAME ...|PARAMETER=VALUE ...]

NAME is a set of tb/timing/sets.txt (all of them); a switch of your own is PORTS=4 VCS=1, and is called own.

Each set is synthesised to cells of the library and timed, unplaced: wires take no time, and the clock reaches all flip-flops at
once. Pins come from flip-flops and go to flip-flops, without any delay between. Writes DIRECTORY/asic.csv, and for each set
NAME.v, the netlist, and NAME.sta, OpenSTA's report with the longest path; with -a also NAME-power.v, the netlist for power, and
NAME-power.sta.
-a: the power of a run, by the SAIF that `heddle wave RUN --activity FILE.saif` wrote of a switch with the set's parameters;
without it OpenSTA assumes an activity, and no power is reported.
-c: the clock for power; otherwise the fastest one.
"""
import csv
import getopt
import json
import os
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "timing"))
import saif
import timing

COLUMNS = ["name", "parameters", "cells", "flip_flops", "area_um2", "gate_equivalents", "mhz", "levels", "power_mhz",
           "power_mw", "pj_a_cycle", "activity_known"]
AIM_PS = 1000  # the clock period that synthesis aims at
LOAD_FF = 5  # at each output


def smallest(liberty, pattern):
    """(area, name) of the smallest cell whose name has the pattern in it; None: there is none."""
    found, name = [], None
    with open(liberty, encoding="utf-8", errors="replace") as f:
        for line in f:
            cell = re.match(r'\s*cell\s*\(\s*"?([\w.]+)', line)
            area = re.match(r"\s*area\s*:\s*([\d.eE+-]+)", line)
            if cell:
                name = cell.group(1)
            elif area and name and re.search(pattern, name, re.IGNORECASE):
                found.append((float(area.group(1)), name))
                name = None
    return min(found, default=None)


def synthesise(rtl, base, parameters, liberty, driver):
    """The area of the netlist, which is written as BASE.v and BASE.json."""
    chosen = " ".join("-set " + p.replace("=", " ") for p in parameters)
    chosen = f"chparam {chosen} hd_switch; " if parameters else ""
    with open(base + ".constr", "w", encoding="utf-8") as f:
        f.write(f"set_driving_cell {driver}\nset_load {LOAD_FF} [all_outputs]\n")
    timing.run(base + ".yosys.log", "yosys", "-p", f"read_liberty -lib {liberty}; read_verilog {' '.join(timing.sources(rtl))}; "
               f"{chosen}synth -flatten -top hd_switch; dfflibmap -liberty {liberty}; "
               f"abc -D {AIM_PS} -constr {base}.constr -liberty {liberty}; setundef -zero; "
               f"opt_clean -purge; rename -enumerate; stat -liberty {liberty}; check -assert -mapped; write_json {base}.json; "
               f"write_verilog -noattr -noexpr -simple-lhs {base}.v")
    with open(base + ".yosys.log", encoding="utf-8") as f:
        return float(re.findall(r"Chip area for (?:top )?module '[^']*': ([\d.]+)", f.read())[-1])


def netlist(base):
    with open(base + ".json", encoding="utf-8") as f:
        return json.load(f)["modules"]["hd_switch"]


def outputs(cell):
    return [p for p, way in cell["port_directions"].items() if way == "output"]


def flip_flops(module):
    """The cells with a clock."""
    clock = module["ports"]["clk"]["bits"][0]
    return {name: c for name, c in module["cells"].items() if [clock] in c["connections"].values()}


# ── activity ────────────────────────────────────────────────────────────────


def nets_known(module, known):
    """{bit: (share of the time at 1, changes)} of nets that the SAIF knows."""
    found = {}
    for net, told in module["netnames"].items():
        for i, bit in enumerate(told["bits"], told.get("offset", 0)):
            for name in (net, f"{net}[{i}]"):
                if name in known:
                    found[bit] = known[name]
    return found


def inputs_of_switch(module):
    """[(port, bit)] of each input but the clock."""
    return [(name if len(port["bits"]) == 1 else f"{name}[{i}]", bit) for name, port in module["ports"].items()
            if port["direction"] == "input" and name != "clk" for i, bit in enumerate(port["bits"])]


def data_pin(cell, clock):
    """The input of a flip-flop that is not its clock; None: it has others, too."""
    pins = [p for p, way in cell["port_directions"].items() if way == "input" and cell["connections"].get(p, []) != [clock]]
    return pins[0] if len(pins) == 1 else None


def output_known(cell, of_bit):
    """(share of the time at 1, changes) of a flip-flop; None: the SAIF has none of its outputs."""
    for pin in outputs(cell):
        bits = cell["connections"].get(pin, [])
        if bits and bits[0] in of_bit:
            high, changes = of_bit[bits[0]]
            return (1 - high if pin.upper().endswith("N") else high), changes
    return None


def activities(module, known, cycles):
    """OpenSTA's commands for each input and each flip-flop whose activity the SAIF knows, and the share of both that it knows.

    Debian's OpenSTA overwrites what it is told of pins inside, and gives the outputs of a flip-flop the activity of its data. So
    the data pin of each flip-flop that is known becomes an input of the module, `known_data[i]`, which has that activity."""
    of_bit, told, all_of_them = nets_known(module, known), [], 0
    for port, bit in inputs_of_switch(module):
        all_of_them += 1
        if bit in of_bit:
            told.append((port, of_bit[bit]))
    clock, bits = module["ports"]["clk"]["bits"][0], []
    free = 1 + max(b for net in module["netnames"].values() for b in net["bits"] if isinstance(b, int))
    for cell in flip_flops(module).values():
        all_of_them += 1
        pin, of = data_pin(cell, clock), output_known(cell, of_bit)
        if pin and of:
            cell["connections"][pin] = [free + len(bits)]
            told.append((f"known_data[{len(bits)}]", of))
            bits.append(free + len(bits))
    if bits:
        module["ports"]["known_data"] = {"direction": "input", "bits": bits + [free + len(bits)]}  # a vector, however few
        module["netnames"]["known_data"] = {"hide_name": 0, "bits": module["ports"]["known_data"]["bits"], "attributes": {}}
    # The command that OpenSTA's set_power_activity itself runs for a port.
    return [f"sta::set_power_input_port_activity [get_ports {{{port}}}] {changes / cycles:.6f} {high:.6f}"
            for port, (high, changes) in told], len(told) / all_of_them


# ── timing and power ────────────────────────────────────────────────────────


def sta(base, liberty, period_ns, commands):
    """OpenSTA's report: the longest path, and the power with these activities."""
    with open(base + ".tcl", "w", encoding="utf-8") as f:
        f.write(f"""read_liberty {liberty}
read_verilog {base}.v
link_design hd_switch
create_clock -name clk -period {period_ns:.4f} [get_ports clk]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
set_load {LOAD_FF / 1000} [all_outputs]
report_checks -path_delay max -digits 4 -fields {{net fanout}}
{chr(10).join(commands)}
report_power
""")
    timing.run(base + ".sta", "sta", "-no_splash", "-exit", base + ".tcl")
    with open(base + ".sta", encoding="utf-8") as f:
        report = f.read()
    if "Error" in report:
        sys.exit(f"not ok asic: OpenSTA, see {base}.sta")
    return report


def measure(base, liberty, options):
    """{mhz, levels, power_…} of a netlist."""
    report = sta(base, liberty, 1, [])
    slack = float(re.search(r"(-?[\d.]+)\s+slack", report).group(1))
    module, found = netlist(base), {"mhz": 1000 / (1 - slack), "levels": len(re.findall(r"[v^] \S+/\S+ \(", report)) - 1}
    if "-a" not in options:
        return found
    mhz = float(options.get("-c", found["mhz"]))
    duration, known = saif.read(options["-a"])
    commands, share = activities(module, known, duration / saif.CYCLE)
    if not commands:
        sys.exit(f"not ok asic: {options['-a']} has no net of this switch; it is of one with the set's parameters?")
    base += "-power"
    with open(base + ".json", "w", encoding="utf-8") as f:
        json.dump({"modules": {"hd_switch": module}}, f)
    timing.run(base + ".yosys.log", "yosys", "-p", f"read_json {base}.json; write_verilog -noattr -noexpr -simple-lhs {base}.v")
    watts = float(re.search(r"^Total(?:\s+\S+){3}\s+(\S+)", sta(base, liberty, 1000 / mhz, commands), re.MULTILINE).group(1))
    return found | {"power_mhz": mhz, "power_mw": watts * 1e3, "pj_a_cycle": watts * 1e6 / mhz, "activity_known": share}


# ── the command ─────────────────────────────────────────────────────────────


def shown(column, value):
    digits = {"area_um2": 1, "gate_equivalents": 0, "mhz": 1, "power_mhz": 1, "power_mw": 3, "pj_a_cycle": 3, "activity_known": 3}
    return f"{value:.{digits[column]}f}" if column in digits and value is not None else str(value)


def line(row):
    """The row as a sentence."""
    text = (f"ok asic {' '.join([row['name'], row['parameters']]).strip()}: {row['area_um2']} um2"
            f"{', ' + row['gate_equivalents'] + ' gate equivalents' if row.get('gate_equivalents') else ''}, {row['cells']} cells, "
            f"{row['flip_flops']} of them flip-flops; {row['mhz']} MHz, {row['levels']} cells in the longest path")
    return text + (f"; {row['power_mw']} mW at {row['power_mhz']} MHz, {row['pj_a_cycle']} pJ a cycle, activity of "
                   f"{100 * float(row['activity_known']):.1f} % of inputs and flip-flops known" if row.get("power_mw") else "")


def main(args):
    options, names = getopt.getopt(args, "o:a:r:c:")
    options = dict(options)
    if not names:
        sys.exit("not ok asic: which cell library? make asic LIBERTY=FILE.lib")
    liberty, names = os.path.abspath(names[0]), names[1:]
    out = options.get("-o", "build/asic")
    for tool, package in (("yosys", "yosys"), ("sta", "opensta")):
        if not shutil.which(tool):
            print(f"SKIP asic: {tool} is missing (package {package})")
            return 0
    if not os.path.isfile(liberty):
        sys.exit(f"not ok asic: {liberty}: there is no such file; LIBERTY is a cell library in Liberty format, unpacked")
    driver, nand2 = smallest(liberty, "buf(?!.*tri)|inv"), smallest(liberty, r"nand2(?!\d|b)")
    if not driver:
        sys.exit(f"not ok asic: {liberty} has no cell whose name says buf or inv, to drive inputs")
    os.makedirs(out, exist_ok=True)
    rows = []
    for name, parameters in [("own", names)] if any("=" in n for n in names) else timing.sets(names):
        base = os.path.join(out, name)
        area = synthesise(options.get("-r", "rtl"), base, parameters, liberty, driver[1])
        module = netlist(base)
        row = {"name": name, "parameters": " ".join(parameters), "cells": len(module["cells"]),
               "flip_flops": len(flip_flops(module)), "area_um2": area} | measure(base, liberty, options)
        if nand2:
            row["gate_equivalents"] = area / nand2[0]
        rows.append({c: shown(c, row[c]) for c in COLUMNS if c in row})
        print(line(rows[-1]), flush=True)
    with open(os.path.join(out, "asic.csv"), "w", encoding="utf-8", newline="") as f:
        table = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
