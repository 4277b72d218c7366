#!/usr/bin/env python3
# Plants bugs in the routers of docs/examples, one at a time, and measures what the rules at ports name.
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/foreign/faults.py HEDDLE [--router NAME]... [--only TEXT]... [--each-kind] [--csv FILE] [--work DIRECTORY]

All bugs of a router are in one build, and a plusarg selects one. Beside the router with the bug runs the unchanged
router, with the same inputs (a shadow). The first cycle in which their outputs differ is the first wrong event of a switch. A bug is found when a run ends as a divergence or a deadlock. The
switch that is named is right when its own outputs have differed by then. A bug in one place of a network is in the router
whose outputs differ first; others differ later because of its flits. The delay is the number of cycles from the
first wrong event in any switch to the cycle that is named: that of the rule or, for a wait, that of its begin. In VHDL
each bug has its own build. Runs of the routers without a bug must pass.
--each-kind tries one bug of each kind of a router. Ends with 1 when a bug is missed, the wrong
switch is named, or a router without a bug fails.
"""
import argparse
import collections
import csv
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SCENARIO = os.path.join(ROOT, "tests", "scenarios", "foreign-switch.yaml")
# Loads: packets longer than a buffer on short links; on long links, where packets have gaps; packets of one flit; all
# packets to one node; nodes that return no credits until all slots are used.
LOADS = {"high": ["software.parameters.load=0.6", "software.parameters.flits=7"],
         "gaps": ["software.parameters.load=0.2", "software.parameters.flits=7", "fabric.link_cycles=3"],
         "short": ["software.parameters.load=0.4", "software.parameters.flits=1"],
         "hot": ["software.program=hotspot", "software.parameters.fraction=1", "software.parameters.node=5"],
         "held": ["software.parameters.load=0.8", "software.parameters.flits=5", "software.parameters.hold_cycles=200",
                  "software.parameters.hold_every=300"]}
QUICK_CYCLES = 100  # a bug should be named within this many cycles
CALIBRATION = 200   # cycle of the shadow in which a run is stopped to compare both counts of cycles

# Outputs that are compared: some in every cycle, those of a port only while its valid is 1. `inside` names the signals of a
# network's routers (valid, ready, flits), the ports of one router, and the bits of a flit.
Inside = collections.namedtuple("Inside", "valid ready flit ports width")
Router = collections.namedtuple("Router", "top clock reset keys always valid payload ports inside", defaults=[None])
ROUTERS = {
    "xy_router": Router("xy_router", "clk_i", "!rst_ni", ["switch.vcs=1"], ["ready_o"], "valid_o", ["flit_o"], "5"),
    "on_off": Router("onoff_router", "clk_i", "rst_i", ["switch.vcs=2"], ["rx_on_o"], "tx_valid_o",
                     ["tx_vc_o", "tx_flit_o"], "PORTS"),
    "axis_crossbar": Router("axis_crossbar", "clk", "rst", ["switch.vcs=1"], ["s_axis_tready"], "m_axis_tvalid",
                            ["m_axis_tdata", "m_axis_tlast"], "PORTS"),
    # A whole network. Its nine endpoints need a higher load than 16 nodes to overload one endpoint.
    "mesh_3x3": Router("mesh", "clk", "!rst_n", ["software.parameters.load=0.25"], ["in_ready"], "out_valid",
                       ["out_data", "out_last"], "Nodes", Inside("valid", "ready", "flit", 5, "(1+2*CoordW+DataW)")),
    # In VHDL. GHDL is slow, so runs are short.
    "vhdl_router": Router(None, None, None, ["run.cycles=2000"], None, None, None, None),
}

Fault = collections.namedtuple("Fault", "name kind file what old new place")
Named = collections.namedtuple("Named", "rule cycle switch since")
Outcome = collections.namedtuple("Outcome", "load named first right")


# ── lists of bugs: as in tests/faults/faults.txt, with the kind of bug instead of a rig ──────────────────────────

def read_faults(path):
    faults = []
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            text = line.strip()
            if text.startswith("fault "):
                name, kind, file = text.split()[1:]
                faults.append(Fault(name, kind, file, [], [], [], f"{path}:{number}"))
            elif text and not text.startswith("#"):
                mark, rest = (text.split(" ", 1) + [""])[:2]
                {"what": faults[-1].what, "-": faults[-1].old, "+": faults[-1].new}[mark].append(rest)
    return faults


def plant(fault, text):
    """Returns the text with the bug. Any blanks match any blanks, as in the fault suite of Heddle's own switch."""
    pattern = r"\s+".join(re.escape(word) for word in " ".join(fault.old).split())
    found = re.findall(pattern, text)
    if len(found) != 1:
        sys.exit(f"{fault.place}: {fault.file} has the text of {fault.name} {len(found)} times, not once")
    return re.sub(pattern, lambda _: "\n".join(fault.new), text)


# ── a copy of the router for each bug, and the correct router beside them ────────────────────────────────────

def read_sources(directory):
    """Returns {file: text}, packages first."""
    sources = {}
    for file in sorted(os.listdir(directory)):
        if file.endswith((".v", ".sv")):
            with open(os.path.join(directory, file), encoding="utf-8") as f:
                sources[file] = f.read()
    return dict(sorted(sources.items(), key=lambda item: "\npackage " not in item[1]))


def renamed(sources, suffix):
    """Returns all sources as one text, in which names of modules and packages end with the suffix."""
    text = "\n".join(sources.values())
    names = re.findall(r"^(?:module|package) (\w+)", text, re.M)
    return re.sub(r"\b(" + "|".join(names) + r")\b", lambda m: m.group(1) + suffix, text)


def planted(fault, sources):
    if fault.file not in sources:
        sys.exit(f"{fault.place}: there is no {fault.file}")
    return {f: plant(fault, text) if f == fault.file else text for f, text in sources.items()}


def split_header(text, top):
    """Returns three things about module `top`: its text from the name to the semicolon, {name: direction} of its ports, and the names of its parameters."""
    at = text.index("module " + top)
    head = text[at:text.index(");", at) + 2]
    code = re.sub(r"//[^\n]*", "", head)
    ports = re.findall(r"\b(input|output)\b[^,)]*?(\w+)\s*(?=,|\))", code[code.rindex(") ("):])
    return head, {name: direction for direction, name in ports}, re.findall(r"\bparameter\b[^,=]*?(\w+)\s*=", code)


def instance(router, suffix, ports, parameters):
    """Returns an instance of the router with that suffix, whose outputs are wires with that suffix."""
    outputs = [name for name, direction in ports.items() if direction == "output"]
    pins = ", ".join(f".{name}({name}{suffix if name in outputs else ''})" for name in ports)
    values = ", ".join(f".{name}({name})" for name in parameters)
    wires = "".join(f"  wire [$bits({o})-1:0] {o}{suffix};\n" for o in outputs)
    return f"{wires}  {router.top}{suffix} #({values}) u{suffix} ({pins});\n"


def shadow_inside(router, parts, n):
    """Wires inside of the network, which its description names, and a comparison for each of its routers and its endpoint's
    pins; `parts` compares the payload of pin p."""
    text = ""
    valid, ready, flit, ports, width = router.inside
    pins = " || ".join(f"{o}[r] != {o}_right[r]" for o in router.always + [router.valid])
    for wire in valid, ready, flit:
        choice = " : ".join(f"fault == {k} ? u_{k}.{wire}" for k in range(1, n + 1))
        text += f"  wire [Nodes*{ports}*{width if wire == flit else 1}-1:0] {wire} = {choice} : u_right.{wire};\n"
    return text + f"""  localparam Routers = Nodes, Width = {width};
  bit [Routers-1:0] apart, was_apart;
  always_comb
    for (int r = 0; r < Routers; r++) begin
      apart[r] = {valid}[r*{ports}+:{ports}] != u_right.{valid}[r*{ports}+:{ports}] ||
                 {ready}[r*{ports}+:{ports}] != u_right.{ready}[r*{ports}+:{ports}] || {pins};
      for (int p = r; p <= r; p++) if ({router.valid}[p] && ({parts})) apart[r] = 1;
      for (int p = r * {ports}; p < (r + 1) * {ports}; p++)
        if ({valid}[p] && {flit}[p*Width+:Width] != u_right.{flit}[p*Width+:Width]) apart[r] = 1;
    end
"""


SEE_INSIDE = """      for (int r = 0; r < Routers; r++)
        if (armed && apart[r] && !was_apart[r]) $display("differs %0d %0d", r, cycle);
      was_apart <= armed ? was_apart | apart : 0;
"""


def shadow(router, text, n):
    """Returns the router's module: the router with bug +fault=N drives the outputs; the correct router gets the same inputs and is compared."""
    head, ports, parameters = split_header(text, router.top)
    suffixes = ["_right"] + [f"_{k}" for k in range(1, n + 1)]
    body = "".join(instance(router, suffix, ports, parameters) for suffix in suffixes)
    for o in (name for name, direction in ports.items() if direction == "output"):
        choice = " : ".join(f"fault == {k} ? {o}_{k}" for k in range(1, n + 1))
        body += f"  assign {o} = {choice} : {o}_right;\n  wire [$bits({o})-1:0] flat_{o} = {o};\n"
    see = '      if (armed && differs && !differed) $display("differs %0d %0d", number, cycle);\n'
    always = " || ".join(f"{o} != {o}_right" for o in router.always + [router.valid])
    part = "[p*($bits({0})/{1})+:$bits({0})/{1}]"
    parts = " || ".join(f"flat_{o}{part.format(o, router.ports)} != {o}_right{part.format(o, router.ports)}"
                        for o in router.payload)
    if router.inside:
        body, see = body + shadow_inside(router, parts, n), SEE_INSIDE
    return f"""{head}
  int number, fault, cycle, last;
  bit differs, differed, armed;
  initial begin
    armed = 0;  // registers begin with garbage
    number = $c32("({{ static unsigned made; made++; }})");
    if (!$value$plusargs("fault=%d", fault)) fault = 0;
    if (!$value$plusargs("calibrate=%d", last)) last = -1;
  end
{body}
  always_comb begin
    differs = {always};
    for (int p = 0; p < {router.ports}; p++) if ({router.valid}[p] && ({parts})) differs = 1;
  end
  always @(posedge {router.clock})
    if ({router.reset}) begin
      cycle <= 0;
      differed <= 0;
      armed <= 1;
    end else begin
      cycle <= cycle + 1;
{see}      differed <= differed | (armed & differs);
      assert (cycle != last);
    end
endmodule
"""


def rtl_of(name, directory):
    """Returns the argument of --rtl: the description if there is one, otherwise the directory."""
    description = os.path.join(directory, name + ".yaml")
    return description if os.path.exists(description) else directory


def renamed_entities(text, suffix):
    """Returns the text with the suffix at the names of the router's entities; signals may have the same names."""
    return re.sub(r"\b(entity |of |work\.)(lane|output|router)\b", lambda m: m.group(0) + suffix, text)


def unchecked(text):
    """Returns the text without assertions and ranges: the correct router gets the credits for flits of the wrong one, and must not stop for that."""
    return re.sub(r"\bassert\b[^;]*;", "", text).replace("natural range 0 to DEPTH;", "integer;")


def vhdl_shadow(text, last):
    """Returns the entity router: the router with the bug drives the outputs, the correct one gets the same inputs. A switch has the
    number of the node for which its table has port 0."""
    head = text[:text.index("architecture")]
    code = re.sub(r"--[^\n]*", "", head[head.index("port ("):])
    ports = [(n.strip(), way, of.strip()) for names, way, of in re.findall(r"([\w, ]+?)\s*: (in|out)\s+([^;]+?)\s*(?=;|\);\s*end)", code)
             for n in names.split(",")]
    generics = re.findall(r"\w+", head[head.index("generic (") + 9:head.index("positive;")].replace("positive", "")) + [
        "VC_W", "NODE_W", "FLIT_W"]
    values = ", ".join(f"{g} => {g}" for g in generics)
    outputs = [(n, of) for n, way, of in ports if way == "out"]
    maps = {kind: ", ".join(f"{n} => {n}{'_right' if kind == 'right' and way == 'out' else ''}" for n, way, _ in ports)
            for kind in ("right", "wrong")}
    return f"""{head}
architecture shadow of router is
{"".join(f"  signal {n}_right : {of};" + chr(10) for n, of in outputs)}begin
  wrong : entity work.router_wrong generic map ({values}) port map ({maps["wrong"]});
  right : entity work.router_right generic map ({values}) port map ({maps["right"]});
  process (clk)
    variable cycle, own : natural := 0;
    variable differs, differed : boolean := true;
  begin
    if rising_edge(clk) then
      if table_write_i = '1' and table_port_i = 0 and table_entry_i(12) = '1' and unsigned(table_entry_i(3 downto 0)) = 0 then
        own := to_integer(table_node_i);
      end if;
      if rst = '1' then
        cycle := 0;
        differed := false;
      else
        differs := freed_o /= freed_o_right or valid_o /= valid_o_right;
        for p in 0 to N - 1 loop
          differs := differs or (valid_o(p) = '1' and (vc_o(p) /= vc_o_right(p) or flit_o(p) /= flit_o_right(p)));
        end loop;
        if differs and not differed then
          report "differs " & integer'image(own) & " " & integer'image(cycle);
          differed := true;
        end if;
        assert cycle /= {last} report "cycle {last}" severity error;
        cycle := cycle + 1;
      end if;
    end if;
  end process;
end architecture;
"""


def write_vhdl_copy(name, fault, to, last=1 << 30):
    """A copy of the example with the bug (None: without) and the right router beside it, stopped in cycle `last` of the
    shadow."""
    example = os.path.join(ROOT, "docs", "examples", name)
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(example, to)
    for file in ("lane.vhd", "output.vhd", "router.vhd"):
        with open(os.path.join(example, file), encoding="utf-8") as f:
            text = f.read()
        wrong = plant(fault, text) if fault and file == fault.file else text
        with open(os.path.join(to, file), "w", encoding="utf-8") as f:
            f.write(vhdl_shadow(text, last) if file == "router.vhd" else "")
        for suffix, of in (("_right", unchecked(text)), ("_wrong", wrong)):
            with open(os.path.join(to, file.replace(".", suffix + ".")), "w", encoding="utf-8") as f:
                f.write(renamed_entities(of, suffix))
        if file != "router.vhd":
            os.remove(os.path.join(to, file))
    return to


def write_copy(name, faults, to):
    """Makes a copy of the example, whose top file has the correct router and one router for each fault."""
    router, example = ROUTERS[name], os.path.join(ROOT, "docs", "examples", name)
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(example, to)
    sources = {f: text for f, text in read_sources(example).items() if not f.startswith("hd_")}
    top = next(f for f in (router.top + ".sv", router.top + ".v") if f in sources)
    texts = [renamed(sources, "_right")]
    texts += [renamed(planted(fault, sources), f"_{k}") for k, fault in enumerate(faults, 1)]
    with open(os.path.join(to, top), "w", encoding="utf-8") as f:
        f.write("\n".join(texts + [shadow(router, sources[top], len(faults))]))
    return rtl_of(name, to)


# ── runs ─────────────────────────────────────────────────────────────────────────────────────────────────────

def dut_of(name):
    return "verilator" if ROUTERS[name].top else "ghdl"


def heddle_run(heddle, name, rtl, load, out, dut, *more):
    shutil.rmtree(out, ignore_errors=True)
    command = [heddle, "run", SCENARIO, "-q", "--no-html", "--rtl", rtl, "--out", out, "--dut", dut, *more]
    for key in LOADS[load] + ROUTERS[name].keys + ["trace.waves=false"]:
        command += ["--set", key]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def read_named(out):
    """Returns difference, cycle, switch and first cycle that the run in `out` names; None: it names none."""
    path = os.path.join(out, "run.db")
    if not os.path.exists(path):
        return None
    with sqlite3.connect(path) as db:
        row = db.execute("SELECT difference, cycle, switch FROM divergences").fetchone()
    with open(os.path.join(out, "report.json"), encoding="utf-8") as report:
        since = json.load(report).get("broken_since")
    return Named(*row, row[1] if since is None else since) if row else None


def first_differences(out):
    """Returns {switch: cycle of the shadow} for the switches that have differed."""
    found = {}
    path = os.path.join(out, "rtl.log")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for switch, cycle in re.findall(r"\bdiffers (\d+) (\d+)$", f.read(), re.M):
                found.setdefault(int(switch), int(cycle))
    return found


def look_at_right(heddle, name, out):
    """Runs the unchanged example, and prints what has failed."""
    failed = []
    rtl = rtl_of(name, os.path.join(ROOT, "docs", "examples", name))
    for load in LOADS:
        code, message = heddle_run(heddle, name, rtl, load, out, dut_of(name))
        if code:
            failed.append(f"{name} without a bug, load {load}: exit code {code} {message}")
    return failed


def is_right(named, differ, latest):
    """Its own outputs have differed by cycle `latest`, or its own assertion fails before any output is wrong."""
    if named.rule == "assertion" and not differ:
        return True
    return named.switch in differ and differ[named.switch] <= latest


def calibrate(heddle, name, rtl, load, out, dut):
    """Cycles that the shadow counts before cycle 0. Wires inside of a network mean nothing in the cycle that stops."""
    code, message = heddle_run(heddle, name, rtl, load, out, dut, "--set", "run.rules=false")
    named = read_named(out) if code == 3 else None
    if not named or named.rule != "assertion" or first_differences(out):
        sys.exit(f"{name}, load {load}: the right router beside itself ends with exit code {code}, {named}\n{message}")
    return CALIBRATION - named.cycle


def try_fault(heddle, name, rtl, dut, offsets, out, everywhere):
    """What the first load that finds the bug says of it; None: none has. everywhere: all routers of a network have it."""
    for load in LOADS:
        code, message = heddle_run(heddle, name, rtl, load, out, dut)
        if code not in (0, 3, 5):
            sys.exit(f"{name}, {dut}, load {load}: exit code {code}\n{message}")
        if code == 0:
            continue
        named = read_named(out) or Named("deadlock", None, None, None)
        differ = {s: c - offsets[load] for s, c in first_differences(out).items()}
        first = min(differ.values(), default=None)
        right = is_right(named, differ, first if ROUTERS[name].inside and not everywhere else named.cycle)
        return Outcome(load, named, named.cycle if right and first is None else first, right)
    return None


def try_all(heddle, name, faults, work):
    """Tries each fault. In VHDL each has its own build; otherwise a plusarg selects it."""
    out, rtl = os.path.join(work, "run"), os.path.join(work, "rtl")
    if ROUTERS[name].top:
        rtl = write_copy(name, faults, rtl)
        dut, stop = "verilator", f"verilator:+calibrate={CALIBRATION}"
    else:
        dut = stop = "ghdl"
        write_vhdl_copy(name, None, rtl, CALIBRATION)
    offsets = {load: calibrate(heddle, name, rtl, load, out, stop) for load in LOADS}
    for number, fault in enumerate(faults, 1):
        if ROUTERS[name].top:
            dut = f"verilator:+fault={number}"
        else:
            write_vhdl_copy(name, fault, rtl)
        everywhere = fault.file != f"{ROUTERS[name].top}.sv"
        yield fault, try_fault(heddle, name, rtl, dut, offsets, out, everywhere)


# ── the table ────────────────────────────────────────────────────────────────────────────────────────────────

def delay(outcome):
    known = outcome.named.since is not None and outcome.first is not None
    return max(0, outcome.named.since - outcome.first) if known else ""


def row_of(name, fault, outcome):
    if not outcome:
        return [name, fault.name, fault.kind, "MISSED"] + [""] * 6
    named = outcome.named
    return [name, fault.name, fault.kind, outcome.load, named.rule, named.switch, named.cycle, named.since,
            "right" if outcome.right else "WRONG", delay(outcome)]


COLUMNS = ["router", "bug", "kind", "found by load", "rule", "switch", "cycle", "since", "switch is", "delay"]
LINE = "{:14} {:28} {:10} {:8} {:20} {:>6} {:>7} {:>7} {:9} {:>6}"


def print_kinds(rows, *columns):
    """By kind, how many rows there are, and how many of each list of rows."""
    for kind in sorted({row[2] for row in rows}):
        print(f"{kind:10}" + "".join(f" {len([r for r in of if r[2] == kind]):6}" for of in (rows, *columns)))


def summarise(rows, failed):
    found = [r for r in rows if r[3] != "MISSED"]
    right = [r for r in found if r[8] == "right"]
    quick = [r for r in found if r[9] != "" and r[9] <= QUICK_CYCLES]
    print("\nkind      planted  found  right  quick")
    print_kinds(rows, found, right, quick)
    print(f"{len(rows)} planted, {len(found)} found; the right switch is named for {len(right)}; within {QUICK_CYCLES} cycles "
          f"of the first wrong event: {len(quick)}; routers without a bug that fail: {len(failed)}")
    print(f"{len(right)} passed, {len(rows) - len(right) + len(failed)} failed, 0 skipped")
    return len(right) == len(rows) and rows and not failed


def choose(name, options):
    faults = read_faults(os.path.join(ROOT, "tests", "foreign", name + ".txt"))
    chosen = [f for f in faults if not options.only or any(text in f.name for text in options.only)]
    if options.each_kind:
        chosen = [f for i, f in enumerate(chosen) if f.kind not in {g.kind for g in chosen[:i]}]
    return chosen


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("heddle")
    parser.add_argument("--router", action="append")
    parser.add_argument("--only", action="append")
    parser.add_argument("--each-kind", action="store_true")
    parser.add_argument("--csv")
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "foreign"))
    options = parser.parse_args()
    if not shutil.which("verilator_bin"):
        print("SKIP bugs in foreign routers: verilator_bin is missing, install the package verilator")
        return
    rows, failed = [], []
    print(LINE.format(*COLUMNS))
    for name in options.router or ROUTERS:
        if not ROUTERS[name].top and not shutil.which("ghdl"):
            print(f"SKIP bugs in {name}: ghdl is missing, install the package ghdl")
            continue
        out, faults = os.path.join(options.work, name, "run"), choose(name, options)
        failed += look_at_right(options.heddle, name, out)
        for fault, outcome in try_all(options.heddle, name, faults, os.path.join(options.work, name)):
            rows.append(row_of(name, fault, outcome))
            print(LINE.format(*map(str, rows[-1])), flush=True)
    print("".join(f"not ok {text}\n" for text in failed), end="")
    if options.csv:
        with open(options.csv, "w", encoding="utf-8", newline="") as f:
            csv.writer(f).writerows([COLUMNS] + rows)
    sys.exit(0 if summarise(rows, failed) else 1)


if __name__ == "__main__":
    main()
