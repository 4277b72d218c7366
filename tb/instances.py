#!/usr/bin/env python3
# Parameter sets with which changed modules are proved equal to the original's (heddle check): tb/instances.txt.
# SPDX-License-Identifier: Apache-2.0
"""usage: tb/instances.py [--record]

Without --record: does tb/instances.txt hold every module below hd_switch, each with both ends of each of its
parameters? The ends are in the comments of the parameters: "// 2-16".

--record elaborates hd_switch with the parameter sets of bridge/check/streams/stream_cases.c, and with small ones that
have one parameter at an end, by Yosys, which says with which parameters each module is instantiated. Of a module's
instances it takes few that have between them every end of every parameter, its second value, one that is no power of
two, every kind of barrier and choice, and pairs of these. With each instance it writes one or two switches that hold it:
the cheapest to build, and the one that differs from that most. heddle check runs them where the proof stays open.
"""
import itertools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = Path("tb/instances.txt")
SETS = 20  # of a module, but for its ends
COST = 96  # of a switch that is built beside the cheapest one: ports times channels
SMALL = dict(PORTS=3, VCS=2, DATA_W=16, DEPTH=4, NODES=8, ROUTE_CYCLES=1, ARB_CYCLES=1, BUFFER_CYCLES=0, CUT_FLITS=0,
             SOURCE_TABLE=0, ADAPTIVE=0, BARRIER=0, GROUPS=4, SWITCHES=8, VALUES=0, CODE_PLACES=0, CODE_CYCLES=0, ROUTE=0, FIELDS=1,
             TREES=0)
BARRIERS = ["NONE", "ANY", "FIXED", "MOVING", "QUEUED", "RESERVED"]
ROUTES = ["TABLE", "MESH", "TORUS", "HYPERCUBE", "DIGITS"]
ONE_END = [{}, dict(PORTS=2), dict(PORTS=16), dict(VCS=1), dict(VCS=8), dict(DATA_W=64), dict(DEPTH=1),
           dict(DEPTH=64), dict(NODES=2), dict(NODES=2048), dict(ROUTE_CYCLES=2), dict(ARB_CYCLES=2),
           dict(BUFFER_CYCLES=1), dict(CUT_FLITS=4), dict(DEPTH=64, CUT_FLITS=64), dict(SOURCE_TABLE=1),
           dict(ADAPTIVE=1), dict(ADAPTIVE=2), dict(ADAPTIVE=2, VCS=8, DEPTH=64), dict(ADAPTIVE=1, VCS=1, PORTS=2), dict(ADAPTIVE=3, SOURCE_TABLE=1),
           dict(ADAPTIVE=3, SOURCE_TABLE=1, PORTS=2, VCS=8, DEPTH=64), dict(ADAPTIVE=3, SOURCE_TABLE=1, PORTS=16, VCS=1, DEPTH=1),
           dict(ADAPTIVE=1, PORTS=16, VCS=1), dict(ADAPTIVE=1, PORTS=2, VCS=8), dict(ADAPTIVE=2, PORTS=16, VCS=1, DEPTH=1),
           *(dict(BARRIER=b) for b in range(1, 6)), dict(BARRIER=1, GROUPS=1, SWITCHES=2),
           dict(BARRIER=1, GROUPS=32, SWITCHES=2048), dict(BARRIER=1, PORTS=16, VCS=1), dict(BARRIER=3, VCS=8),
           dict(BARRIER=1, DATA_W=64, VALUES=1), dict(BARRIER=3, DATA_W=64, VALUES=1), dict(BARRIER=5, DATA_W=64, VALUES=1),
           dict(BARRIER=2, DATA_W=64, BUFFER_CYCLES=1), dict(BARRIER=5, VCS=8, DATA_W=32),
           dict(ROUTE=4, ROUTE_CYCLES=0, PORTS=2), dict(ROUTE=4, ROUTE_CYCLES=0, PORTS=16, VCS=1),
           dict(CODE_PLACES=1), dict(CODE_PLACES=256, CODE_CYCLES=63, DATA_W=32),
           dict(CODE_PLACES=4, VCS=8, BUFFER_CYCLES=1, DATA_W=64), dict(CODE_PLACES=4, VCS=1, CODE_CYCLES=1), dict(TREES=1), dict(TREES=32), dict(TREES=4, BARRIER=3, BUFFER_CYCLES=1)]
# Parameters that follow from others, or may be anything within what the others need.
FREE = {"VC_W", "NEXT_W", "HEADER_W", "PLACE_W", "ERROR_W", "WIDTH", "N", "SETS", "SELECT"}


def modules():
    """{name: ({parameter: (default, low, high or None)}, text)} of rtl/"""
    found = {}
    for path in sorted(Path("rtl").glob("*.v")):
        text = path.read_text()
        name = re.search(r"^module (\w+)", text, re.M).group(1)
        parameters = {}
        for line in re.split(r"^(?:\) \(|module \w+ \()$", text, maxsplit=1, flags=re.M)[0].splitlines():
            got = re.match(r"\s*parameter\s+(?:\[.*?\]\s*)?(\w+)\s*=\s*([^,/]+?),?\s*(?://\s*(.*))?$", line)
            if got:
                ends = re.match(r"(\d+)-(\d+|\w+)\b", got.group(3) or "")
                low, high = ends.groups() if ends and got.group(1) not in FREE else (None, None)
                parameters[got.group(1)] = (got.group(2), low, high)
        found[name] = (parameters, text)
    return found


def below(all_modules, top="hd_switch"):
    reached, left = set(), [top]
    while left:
        name = left.pop()
        if name not in reached:
            reached.add(name)
            left += [m for m in all_modules if re.search(rf"^\s*{m} (?:#|\w+ \()", all_modules[name][1], re.M)]
    return sorted(reached)


def switches():
    names = list(SMALL)
    rows = re.findall(r"^    \{(\d[^}]*)\},$", Path("bridge/check/streams/stream_cases.c").read_text(), re.M)
    for row in rows:
        values = [v.strip() for v in row.split(",")]
        named = {**{f"HD_BARRIER_{b}": i for i, b in enumerate(BARRIERS)}, **{f"HD_ROUTE_BY_{r}": i for i, r in enumerate(ROUTES)}}
        yield dict(zip(names, [named[v] if v in named else int(v) for v in values]))
    for change in ONE_END:
        yield {**SMALL, **change}


def elaborate():
    """{module: {((parameter, value), …): [switch, …]}}, values as Verilog"""
    found = {}
    with tempfile.TemporaryDirectory() as work:
        for i, switch in enumerate(switches()):
            given = ", ".join(f".{k}({v})" for k, v in switch.items())
            Path(work, "top.v").write_text(f"module top;\nhd_switch #({given}) s ();\nendmodule\n")
            subprocess.run(["yosys", "-q", "-l", f"{work}/log", "-p",
                            f"read_verilog -defer -Irtl rtl/*.v {work}/top.v; hierarchy -top top"], check=True)
            for module, chosen in instances(Path(work, "log").read_text()):
                holders = found.setdefault(module, {}).setdefault(chosen, [])
                if switch not in holders:
                    holders.append(switch)
    return found


def instances(log):
    """Yields (module, ((parameter, value), …))."""
    module, chosen = None, []
    for line in log.splitlines():
        begun = re.search(r"derive mode using pre-parsed AST for module `\\(\w+)'", line)
        one = re.match(r"Parameter \\(\w+) = (\S+)", line)
        if begun:
            module, chosen = begun.group(1), []
        elif one and module:
            chosen.append((one.group(1), one.group(2).replace("'", "'b")))
        elif line.startswith("Generating RTLIL") and module:
            yield module, tuple(chosen)
            module = None


def build_cost(switch):
    return switch["PORTS"] * switch["VCS"] * (2 + switch["GROUPS"] // 8 if switch["BARRIER"] else 1)


def examples(holders):
    """Of switches that hold an instance: the cheapest, and another at a bearable cost.

    The other has what gives arbiters more to do and the first lacks: channels and a second cycle of arbitration. Of
    these it is the one that differs most.
    """
    first = min(holders, key=build_cost)
    others = [h for h in holders if h != first and build_cost(h) <= COST]
    def worth(h):
        return sum(h[k] > 1 >= first[k] for k in ("VCS", "ARB_CYCLES")), sum(h[k] != first[k] for k in h), -build_cost(h)
    return [first] + ([max(others, key=worth)] if others else [])


def number(value):
    return int(value.split("'b")[1], 2) if "'b" in value else int(value.split("'d")[-1])


def settled(chosen, parameters):
    """All of a module's parameters as numbers; those that follow from others are left out."""
    given = dict(chosen)
    values = {}
    for name, (default, _, _) in parameters.items():
        text = given.get(name, default)
        if re.fullmatch(r"\d+|\d+'b[01]+|\d+'d\d+", text):
            values[name] = number(text)
    return values


def choose(found, parameters):
    pool = sorted(found)
    values = {p: settled(p, parameters) for p in pool}
    ends = {}
    for name in parameters:
        seen = sorted({v[name] for v in values.values() if name in v})
        if len(seen) > 1:
            odd = [v for v in seen[1:-1] if v & (v - 1)]
            # A parameter that follows from others has no end of its own; the largest value of each number of bits
            # stands for one.
            octaves = {v.bit_length(): v for v in seen}.values() if name in ("N", "PORTS") else []
            ends[name] = set(seen if name in ("BARRIER", "ADAPTIVE", "ROUTE") else [*seen[:2], *odd[:1], *octaves, seen[-1]])

    def goals(p, n):
        at = [(k, v) for k, v in values[p].items() if v in ends.get(k, ())]
        return set(itertools.combinations(sorted(at), n))

    def cost(p):
        size = 1
        for name, value in values[p].items():
            if name in ("PORTS", "VCS", "N", "SETS", "GROUPS", "CODE_PLACES"):
                size *= max(value, 1)
        return size

    taken = []
    for n in (1, 2):
        left = set().union(*(goals(p, n) for p in pool)) - set().union(*(goals(p, n) for p in taken))
        while left and (n == 1 or len(taken) < SETS):
            best = max((p for p in pool if p not in taken),
                       key=lambda p: len(goals(p, n) & left) / cost(p) ** 0.5, default=None)
            if best is None or not goals(best, n) & left:
                break
            taken.append(best)
            left -= goals(best, n)
    if not taken:
        taken = pool[:1]
    return sorted(taken, key=lambda p: (cost(p), p))


def record(found):
    all_modules = modules()
    lines = ["# Proofs that a changed module is the original's (docs/check.md): module | parameters of an instance of it |",
             "# a switch that holds it | another one.",
             "# SPDX-License-Identifier: Apache-2.0",
             "# Written by tb/instances.py --record; small ones of a module come first."]
    head = len(lines)
    for name in below(all_modules):
        for chosen in choose(found.get(name, {}), all_modules[name][0]):
            columns = [dict(chosen), *examples(found[name][chosen])]
            lines.append(" | ".join([name, *(" ".join(f"{k}={v}" for k, v in c.items()) for c in columns)]))
    TABLE.write_text("\n".join(lines) + "\n")
    return len(lines) - head


def check():
    all_modules, listed, wrong = modules(), {}, []
    for line in TABLE.read_text().splitlines():
        if not line.startswith("#"):
            name, instance, *holders = line.split("|")
            listed.setdefault(name.strip(), []).append(tuple(tuple(p.split("=")) for p in instance.split()))
            if not holders or any({p.split("=")[0] for p in h.split()} != set(SMALL) for h in holders):
                wrong.append(f"{TABLE}: {line}: no switch with all of its parameters")
    for name in below(all_modules):
        parameters = all_modules[name][0]
        rows = listed.pop(name, [])
        if not rows:
            wrong.append(f"{TABLE}: no line of {name}")
        for row in rows:
            for parameter, _ in row:
                if parameter not in parameters:
                    wrong.append(f"{TABLE}: {name} has no parameter {parameter}")
        values = [settled(row, parameters) for row in rows]
        for parameter, (_, low, high) in parameters.items():
            for end in (low, high):
                if end and end.isdigit() and rows and not any(v.get(parameter) == int(end) for v in values):
                    wrong.append(f"{TABLE}: no line of {name} has {parameter}={end}, an end of it")
    wrong += [f"{TABLE}: {name} is no module below hd_switch" for name in listed]
    for line in wrong:
        print(line)
    print(f"{'not ok' if wrong else 'ok'} instances: both ends of each parameter of {len(below(all_modules))} modules")
    return bool(wrong)


def main():
    if sys.argv[1:] not in ([], ["--record"]):
        sys.exit(__doc__)
    if sys.argv[1:]:
        print(f"{record(elaborate())} sets in {TABLE}")
    sys.exit(check())


if __name__ == "__main__":
    main()
