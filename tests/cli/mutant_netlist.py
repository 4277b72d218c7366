#!/usr/bin/env python3
# Mutants of a netlist as Verilog, written without Heddle's lane code: for test_mutate.sh.
# SPDX-License-Identifier: Apache-2.0
"""usage: mutant_netlist.py NETLIST.json OUT.json MUTANTS.v < "CELL ROWS" lines

Replaces each cell that is named by an instance of a module that is wrong if the plusarg +mutant=N has its number
(from 1 on, in the order of the lines), and writes these modules. Cells are look-up tables, then flip-flops, in the
order of the netlist; ROWS as in mutants.csv.
"""
import json
import sys

netlist, out, modules = sys.argv[1:]
design = json.load(open(netlist))
top = design["modules"]["hd_switch"]
cells = top["cells"]
names = [n for n, c in cells.items() if c["type"] == "$lut"]
names += [n for n, c in cells.items() if c["type"] == "$_DFF_P_"]
for cell in cells.values():  # what is arbitrary is 0 in lane code
    for port, bits in cell["connections"].items():
        cell["connections"][port] = ["0" if b in ("x", "z") else b for b in bits]
fresh = 1 + max(b for c in cells.values() for bits in c["connections"].values() for b in bits if isinstance(b, int))
text = ""
for number, line in enumerate(sys.stdin, 1):
    cell, rows = map(int, line.split())
    old = cells[names[cell]]
    at = old["connections"]
    if old["type"] == "$lut":
        table = int(old["parameters"]["LUT"], 2)
        inputs, y = at["A"] + ["0"] * (3 - len(at["A"])), at["Y"]
        del cells[names[cell]]
    else:
        table, inputs, y = 0b1010, at["D"] + at["Q"] + ["0"], [fresh]
        old["connections"] = dict(at, D=y)
        fresh += 1
    cells[f"mutant{number}"] = {
        "hide_name": 0, "type": f"mutant{number}", "parameters": {}, "attributes": {},
        "port_directions": {"a": "input", "b": "input", "c": "input", "y": "output"},
        "connections": {"a": inputs[:1], "b": inputs[1:2], "c": inputs[2:], "y": y}}
    text += (f"module mutant{number} (input a, input b, input c, output y);\n"
             "  reg [31:0] which;\n"
             "  initial if (!$value$plusargs(\"mutant=%d\", which)) which = 0;\n"
             f"  wire [7:0] t = which == {number} ? 8'd{table ^ rows} : 8'd{table};\n"
             "  wire [3:0] h = a ? {t[7], t[5], t[3], t[1]} : {t[6], t[4], t[2], t[0]};\n"
             "  wire [1:0] q = b ? {h[3], h[1]} : {h[2], h[0]};\n"
             "  assign y = c ? q[1] : q[0];\n"
             "endmodule\n")
json.dump(design, open(out, "w"))
open(modules, "w").write(text)
