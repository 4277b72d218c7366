#!/usr/bin/env python3
"""Mutants of units that `heddle mutate` does not draw: does the unit's own bench find them?
SPDX-License-Identifier: Apache-2.0

usage: units.py [-n MUTANTS] [-s SEED] [-o DIR] [-j JOBS] [-m NUMBER] [ROW ...]

Yosys draws MUTANTS (200) of each row of the list below and writes one netlist with all of them. The bench of the row runs on
Icarus Verilog once without a mutant, and once with each. A mutant is found unless the bench says that all is right. The
others are proved equivalent if from one state, with one input, neither the next state nor an output can differ; this
is what SAT says of it. A row may have a view, too: pins as those around the unit see them. A mutant that is left is
equivalent if no state and input shows a difference in this view, and if none follows from two states that show none.
A bench that takes ten times as long as without a mutant has found it. Writes DIR/units.csv (build/mutants) and
DIR/units-left.csv, which has the mutants that are left. -m plays one mutant of one row and shows what the bench says.
"""
import argparse
import concurrent.futures
import csv
import glob
import os
import re
import shutil
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXPORT = "tests/cli/export/"
TRAFFIC = "DATA_W=16 NODE_W=4 NODES=11 NODE=6 BEATS=4 LOAD=100 PACKETS=100"
NODES = "NODE_COUNT=3 NODE_W=2 LOAD=100 BARRIER=1 GAP=3"
SPEED = "SWITCHES=2 PORTS=3 DATA_W=16 WORDS=256 CLOCK_KHZ=12345 BUILD=64'h0123456789abcdef"
BOARD = "SWITCHES_ON_BOARD=2 VCS=2 VC_W=1 DATA_W=16 IN_WORDS=1024 OUT_WORDS=256 CLOCK_KHZ=12345 BUILD=64'h0123456789abcdef"
# name: unit, bench, parameters of both, parameters that the bench sets in the unit
ROWS = {
    "packetiser": ("hd_export_packetiser", EXPORT + "packetiser_tb.v", "VCS=3 DEPTH=7 MODE=3 CUT_FLITS=4", "DATA_W=32 NODE_W=5 NODES=20 NODE=13"),
    "packetiser-1": ("hd_export_packetiser", EXPORT + "packetiser_tb.v", "VCS=1 DEPTH=1 MODE=1", "DATA_W=32 NODE_W=5 NODES=20 NODE=13"),
    "depacketiser": ("hd_export_depacketiser", EXPORT + "depacketiser_tb.v", "VCS=3 DEPTH=6 PACKETS=100", "DATA_W=32 NODE_W=5 SOURCE_AT=7"),
    "depacketiser-1": ("hd_export_depacketiser", EXPORT + "depacketiser_tb.v", "VCS=1 DEPTH=4 PACKETS=100", "DATA_W=32 NODE_W=5 SOURCE_AT=7"),
    "loader": ("hd_export_loader", EXPORT + "loader_tb.v", "PORTS=14 ROWS=64 EVEN=1", ""),
    "source": ("hd_export_source", EXPORT + "traffic_tb.v", "NODE_W=8 NODES=200 NODE=150 PAUSES=1 PACKETS=300", TRAFFIC),
    "source-64": ("hd_export_source", EXPORT + "traffic_tb.v", "DATA_W=64", TRAFFIC),
    "sink": ("hd_export_sink", EXPORT + "traffic_tb.v", "PAUSES=1", TRAFFIC),
    "sink-64": ("hd_export_sink", EXPORT + "traffic_tb.v", "DATA_W=64", TRAFFIC),
    "drain": ("hd_export_drain", EXPORT + "drain_tb.v", "VCS=3", ""),
    "barrier": ("hd_export_barrier", EXPORT + "barrier_tb.v", "VCS=2 DATA_W=16 NODE=5 GAP=4 LONGEST=100", ""),
    "barrier-32": ("hd_export_barrier", EXPORT + "barrier_tb.v", "VCS=1 DATA_W=32 NODE=5 GAP=5 LONGEST=100", ""),
    "open": ("hd_export_open", EXPORT + "open_tb.v", "SWITCHES=4 PORTS=3 CENTER=1 COUNT=2", "LOCAL=12'b101000110011"),
    "signature": ("hd_signature", EXPORT + "signature_tb.v", "PORTS=3 VCS=3 DATA_W=32", "VC_W=2"),
    "windows": ("hd_windows", EXPORT + "windows_tb.v", "SIGNATURES=4 WORDS=32", ""),
    "requests": ("hd_requests", "tb/tb_board.sv", "PORTS=3 RUNS=16 LINE=0", BOARD),
    "player": ("hd_player", "tb/tb_board.sv", "PORTS=3 RUNS=16 LINE=0", BOARD),
    "counters": ("hd_counters", "tb/tb_counters.sv", "", ""),
    "uart-rx": ("hd_uart_rx", "tb/tb_board_line.sv", "CLOCKS_PER_BIT=16 FRAMES=40", ""),
    "uart-tx": ("hd_uart_tx", "tb/tb_board_line.sv", "CLOCKS_PER_BIT=7", ""),
    "frame-rx": ("hd_frame_rx", "tb/tb_board_line.sv", "", ""),
    "frame-tx": ("hd_frame_tx", "tb/tb_board_line.sv", "", ""),
    "nodes": ("hd_export_nodes", EXPORT + "nodes_tb.v", "", NODES),
    "speed-requests": ("hd_speed_requests", EXPORT + "speed_tb.v", "", SPEED),
    "speed": ("hd_speed", EXPORT + "speed_tb.v", "", SPEED + " SIGNATURES=8"),
    "board-core": ("hd_board_core", "tb/tb_board.sv", "LINE=0 RUNS=16", BOARD + " PORTS=3"),
}
# rows with memories that stay memories, since as flip-flops they are too many; no proof of their mutants is tried
MEMORIES = ("speed", "board-core")
# rows whose mutants are in the unit itself, since other rows have the modules below it
ALONE = ("board-core",)
# views: {pin: how those around the unit see it, or what they put there}
WRITES = "{{20{write_o[3]}}, {20{write_o[2]}}, {20{write_o[1]}}, {20{write_o[0]}}}"
FLIT = {"kind_o": "kind_o & {3{valid_o}}", "data_o": "data_o & {32{valid_o}}"}
BEAT = {"m_tdata_o": "m_tdata_o & {32{m_tvalid_o}}", "m_tlast_o": "m_tlast_o & m_tvalid_o", "m_tid_o": "m_tid_o & {5{m_tvalid_o}}"}
VIEWS = {
    "packetiser": {**FLIT, "vc_o": "vc_o & {2{valid_o}}"},
    "packetiser-1": {**FLIT, "vc_o": "vc_o & valid_o"},
    "depacketiser": {**BEAT, "vc_i": "(vc_i == 2'd3) ? 2'd0 : vc_i"},
    "depacketiser-1": {**BEAT, "vc_i": "1'b0"},
    "source": {"tdata_o": "tdata_o & {16{tvalid_o}}", "tlast_o": "tlast_o & tvalid_o", "tdest_o": "tdest_o & {8{tvalid_o}}"},
    "source-64": {"tdata_o": "tdata_o & {64{tvalid_o}}", "tlast_o": "tlast_o & tvalid_o", "tdest_o": "tdest_o & {4{tvalid_o}}"},
    "loader": {"addr_o": "addr_o & {20{write_o}}"},
    "drain": {"vc_i": "(vc_i == 2'd3) ? 2'd0 : vc_i"},
    "barrier": {"kind_o": "kind_o & {3{valid_o}}", "data_o": "data_o & {16{valid_o}}"},
    "barrier-32": {"kind_o": "kind_o & {3{valid_o}}", "data_o": "data_o & {32{valid_o}}", "vc_i": "1'b0"},
    "open": {"addr_o": "addr_o & " + WRITES, "data_o": "data_o & " + WRITES.replace("20", "16")},
}


def tool(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)


class Row:
    def __init__(self, name, out):
        self.name, self.out, self.seconds = name, os.path.join(out, name), None
        self.unit, self.bench, parameters, given = ROWS[name]
        self.parameters = dict(p.split("=") for p in parameters.split())
        self.of_unit = dict(p.split("=") for p in given.split())
        shutil.rmtree(self.out, ignore_errors=True)
        os.makedirs(self.out)

    def yosys(self, script):
        run = tool("yosys", "-q", "-p", script, cwd=self.out)
        return run.returncode, run.stdout

    def draw(self, n, seed):
        """One netlist with all mutants; +mutant=K chooses one of them, from 1 on."""
        names = "|".join(re.findall(r"parameter\s+(?:\[[^]]*\]\s*)?(\w+)", open(find(self.unit)).read()))
        sets = {k: v for k, v in {**self.of_unit, **self.parameters}.items() if re.fullmatch(names, k)}
        files = [find(self.unit)] + [f for f in every() if f != find(self.unit)]
        memories = "" if self.name in MEMORIES else "memory_map;"
        prepare = (f"read_verilog {' '.join(files)}; chparam {' '.join(f'-set {k} {v}' for k, v in sets.items())} {self.unit};"
                   f" hierarchy -check -top {self.unit}; proc; opt_expr; opt_clean; opt_mem; memory_share; memory_collect; {memories} opt_clean;"
                   f" rename -top {self.unit}; write_rtlil unit.il")
        folder = os.path.dirname(find(self.unit))  # only modules of this folder: every.sh judges those of rtl/
        own = " ".join(f"*{os.path.basename(f)[:-2]}*" for f in files if os.path.dirname(f) == folder)
        own = self.unit if self.name in ALONE else own
        code, said = self.yosys(f"{prepare}; mutate -list {2 * n} -seed {seed} -ctrl mutant 32 1 -o list.ys -none {own}")
        if code:
            sys.exit(f"{self.name}: {said}")
        # leaves out flip-flops at the other clock edge: without gate delays they are equivalent
        self.list = [line.strip() for line in open(os.path.join(self.out, "list.ys")) if not re.search("-mode (none|inv .* -port CLK)", line)][:n]
        self.list = [re.sub(r"-ctrl mutant 32 \d+", f"-ctrl mutant 32 {i + 1}", m) for i, m in enumerate(self.list)]
        with open(os.path.join(self.out, "list.ys"), "w") as f:
            f.write("\n".join(self.list) + "\n")
        code, said = self.yosys("read_rtlil unit.il; script list.ys; opt_clean; write_verilog -noattr unit.v")
        if code:
            sys.exit(f"{self.name}: {said}")
        path = os.path.join(self.out, "unit.v")
        text = open(path).read()
        at = text.index(f"module {self.unit}(")
        top, ports = re.subn(r", mutant\);", ");", text[at:], count=1)
        top, inputs = re.subn(r"input \[31:0\] mutant;\n\s*wire \[31:0\] mutant;",
                              'reg [31:0] mutant;\n  initial if (!$value$plusargs("mutant=%d", mutant)) mutant = 0;', top, count=1)
        assert ports == 1 and inputs == 1, f"{self.name}: {ports} {inputs}"
        text = text[:at] + top
        for name in re.findall(r"^module (\w+)\(", text, re.M):  # the bench may use these modules, too, without a mutant
            text = text if name == self.unit else re.sub(rf"\b{name}\b", f"{name}_of_unit", text)
        open(path, "w").write(text)
        top = os.path.splitext(os.path.basename(self.bench))[0]
        rest = [f for f in every() if f != find(self.unit)]
        run = tool("iverilog", "-g2012", "-Itb", "-s", top, *(f"-P{top}.{k}={v}" for k, v in self.parameters.items()), "-o",
                   os.path.join(self.out, "sim"), self.bench, path, *rest, cwd=ROOT)
        if run.returncode:
            sys.exit(f"{self.name}: {run.stdout}")

    def play(self, number):
        begin = time.monotonic()
        with subprocess.Popen(["stdbuf", "-oL", "vvp", "-n", os.path.join(self.out, "sim"), f"+mutant={number}"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as sim:
            limit = threading.Timer(10 + 10 * self.seconds if number else 3600, sim.kill)
            limit.start()
            line = sim.stdout.readline()  # the bench prints an error at once
            limit.cancel()
            sim.kill()
        if not number:
            self.seconds = time.monotonic() - begin
        return "survived" if line.startswith("ok ") else "found", line or "no end"

    def proved(self, number):
        return self.name not in MEMORIES and (self.proved_equal(number) or (self.name in VIEWS and self.proved_alike(number)))

    def view(self):
        """view.v has the unit as those around it see it. Returns the pins that are not seen as they are."""
        pins = VIEWS[self.name]
        text = open(os.path.join(self.out, "unit.v")).read()
        ports = re.findall(r"^  (input|output) (\[\d+:\d+\] )?(\w+);", text[text.index(f"module {self.unit}("):].split("endmodule")[0], re.M)
        declared = ", ".join(f"{way} wire {width}{name if way == 'input' else 'see_' + name}" for way, width, name in ports)
        wires = "".join(f"wire {width}{name};\n" for way, width, name in ports if way == "output")
        inside = ", ".join(f".{name}({pins.get(name, name) if way == 'input' else name})" for way, _, name in ports)
        seen = "".join(f"assign see_{name} = {pins.get(name, name)};\n" for way, _, name in ports if way == "output")
        with open(os.path.join(self.out, "view.v"), "w") as f:
            f.write(f"module view({declared});\n{wires}{seen}{self.unit} u({inside});\nendmodule\n")
        return [name for way, _, name in ports if way == "output" and name in pins]

    def proved_alike(self, number):
        hidden = " ".join(f"w:u.{name} %d w:{name} %d" for name in self.view())
        side = ("read_rtlil unit.il; " + self.list[number - 1] + "; read_verilog view.v; hierarchy -top view; flatten; cd view;"
                " connect -set u.mutant 32'd{}; cd; async2sync; dffunmap; rename -enumerate w:*; {}; rename view {}; design -stash {}")
        miter = "design -copy-from gold gold; design -copy-from gate gate; miter -equiv -flatten gold gate miter; opt_merge; opt_clean; sat -verify"

        def holds(exposed, prove):
            code, said = self.yosys("; ".join([side.format(0, exposed, "gold", "gold"), side.format(number, exposed, "gate", "gate"),
                                               f"{miter} {prove} -prove trigger 0 -timeout 30 miter"]))
            if code and not re.search("proof did (fail|time out)", said):
                print(f"{self.name}: mutant {number} counts as left, since no proof of it could be tried: {said.strip()}", file=sys.stderr)
            return code == 0

        return (holds("expose -dff -evert-dff view; delete -output w:*.d", "") and
                holds(f"expose -dff w:* {hidden}", "-tempinduct -tempinduct-inductonly -maxsteps 1"))

    def proved_equal(self, number):
        """Registers become pins, so that the states are inputs and the next states outputs."""
        # both sides contain the mutant, which only the second one selects, so that nets and pins have equal names
        side = ("read_rtlil unit.il; " + self.list[number - 1] + "; flatten; cd {}; delete -input w:mutant; connect -set mutant 32'd{}; cd; async2sync;"
                " dffunmap; rename -enumerate w:*; expose -dff -evert-dff {}; rename {} {}; design -stash {}")
        code, said = self.yosys("; ".join([
            side.format(self.unit, 0, self.unit, self.unit, "gold", "gold"),
            side.format(self.unit, number, self.unit, self.unit, "gate", "gate"),
            "design -copy-from gold gold; design -copy-from gate gate; miter -equiv -flatten gold gate miter; opt_merge; opt_clean",
            "sat -verify -prove trigger 0 -timeout 30 miter"]))
        if code and not re.search("proof did (fail|time out)", said):
            print(f"{self.name}: mutant {number} counts as left, since no proof of it could be tried: {said.strip()}", file=sys.stderr)
        return code == 0


def every():
    return [os.path.join(ROOT, f) for d in ("bridge/export/rtl", "fpga/link", "rtl") for f in sorted(glob.glob(f"{d}/*.v", root_dir=ROOT))
            if "replay" not in f]  # it reads a file


def find(module):
    return next(f for f in every() if f.endswith(f"/{module}.v"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("-s", type=int, default=1)
    parser.add_argument("-o", default=os.path.join(ROOT, "build/mutants"))
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("-m", type=int)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    o = parser.parse_args()
    table, left = [], []
    for name in o.rows or ROWS:
        row = Row(name, os.path.join(os.path.abspath(o.o), "units"))
        row.draw(o.n, o.s)
        if o.m is not None:
            print(*([row.list[o.m - 1]] if o.m else []), *row.play(o.m), sep="\n")
            continue
        if row.play(0)[0] != "survived":
            sys.exit(f"{name}: the bench fails without a mutant:\n{row.play(0)[1]}")
        with concurrent.futures.ThreadPoolExecutor(o.j) as pool:
            ends = [e[0] for e in pool.map(row.play, range(1, len(row.list) + 1))]
            survived = [i + 1 for i, e in enumerate(ends) if e != "found"]
            equivalent = [i for i, p in zip(survived, pool.map(row.proved, survived)) if p]
        n, found = len(ends), ends.count("found")
        left += [(name, i, row.list[i - 1]) for i in survived if i not in equivalent]
        table.append((f"`{name}`", n, found, len(equivalent), n - found - len(equivalent), f"{100 * found / max(1, n - len(equivalent)):.1f}"))
        print(f"{name}: {n} mutants, {found} found, {len(equivalent)} equivalent, {n - found - len(equivalent)} left", flush=True)
        for file, head, rows in (("units", "unit,mutants,found,proved equivalent,left,score", table), ("units-left", "unit,mutant,change", left)):
            with open(os.path.join(o.o, file + ".csv"), "w", newline="") as f:
                csv.writer(f, lineterminator="\n").writerows([head.split(","), *rows])


if __name__ == "__main__":
    main()
