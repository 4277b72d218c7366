#!/usr/bin/env python3
# Holds what other languages say of a switch against the lists of cmodel/switch/.
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/lint/lists.py

Parameters, registers, error bits, observed states and kinds of barrier messages are listed once, by
X-macros in C. The RTL, the board's core, FuseSoC's file and the specification name them again,
because they must. Exit codes are listed in bridge/cli, and stand in pages again. Kinds of flits, and types and fields of messages, are the specification's alone. Prints what differs as `file: what`, then one line `ok lists (n names, ...)`; ends
with 1 when something differs. tests/lint/selftest.sh proves that it can.
"""
import glob
import re
import sys

ROOM = "cmodel/switch/"
found, named = [], 0


def text(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def wrong(path, what):
    found.append(f"{path}: {what}")


def rows(header, macro):
    """The rows of an X-macro: lists of arguments, quotes taken off."""
    m = re.search(r"#define " + macro + r"\(X\)((?:.*\\\n)+.*)", text(ROOM + header))
    if not m:
        wrong(ROOM + header, f"no {macro}")
        return []
    body = re.sub(r'" +"', "", m.group(1).replace("\\\n", " "))
    calls = re.findall(r"\bX\(((?:\"[^\"]*\"|[^()\"]|\([^()]*\))*)\)", body)
    return [[a.strip().strip('"') for a in re.findall(r"(?:\"[^\"]*\"|[^,\"])+", c)] for c in calls]


def value(word, constants):
    return eval(word, {}, constants)  # "HD_BARRIER_KINDS - 1": our own header's arithmetic


def same(path, what, has, needed):
    """Two lists of names, in order."""
    global named
    named += len(needed)
    if list(has) != list(needed):
        missing = [n for n in needed if n not in has]
        extra = [n for n in has if n not in needed]
        wrong(path, f"{what}: {'without ' + ', '.join(missing) if missing else ''}"
                    f"{' and ' if missing and extra else ''}{'with ' + ', '.join(extra) if extra else ''}"
                    f"{'' if missing or extra else 'another order: ' + ', '.join(has)}")


def parameters(kinds):
    params = rows("params.h", "HD_SWITCH_PARAM_LIST")
    constants = {k: int(v) for k, v in re.findall(r"\b(HD_MAX_\w+) = (\d+)", text(ROOM + "params.h"))}
    constants["HD_BARRIER_KINDS"] = len(kinds)
    constants["HD_ROUTE_KINDS"] = len(rows("params.h", "HD_ROUTE_BY_LIST"))
    legal = {}
    for name, verilog, low, high, _, kind, *_ in params:
        low, high = value(low, constants), value(high, constants)
        powers = [str(low << i) for i in range(16) if low << i <= high] if kind == "POWER" else []
        legal[verilog] = ", ".join(powers) or f"{low}-{'DEPTH' if verilog == 'CUT_FLITS' else high}"
    path = "rtl/hd_switch.v"
    rtl = re.findall(r"^ +parameter +(\w+) += [^/\n]*// ([-\w]+(?:, \d+)*)", text(path), re.M)
    rtl = [(n, r) for n, r in rtl if r != "derived"]
    same(path, "parameters", [n for n, _ in rtl], list(legal))
    for name, ranges in rtl:
        if legal.get(name, ranges) != ranges:
            wrong(path, f"{name} is {ranges}, and {legal[name]} in {ROOM}params.h")
    for path in ("fpga/link/hd_board.v", "fpga/link/hd_board_core.v"):
        board = re.findall(r"^ +parameter +(?:\[\S+\] +)?(\w+)", text(path), re.M)
        same(path, "parameters", [n for n in board if n in legal], list(legal))
    path = "heddle.core"
    same(path, "parameters", re.findall(r"^  (\w+): \{datatype", text(path), re.M), list(legal))
    documented = {}
    for path in ("docs/spec/2-switch.md", "docs/spec/10-adaptive-routing.md", "docs/spec/7-preemption.md",
                 "docs/spec/11-xor-encoder.md", "docs/spec/12-computed-routing.md", "docs/spec/13-multicast.md"):
        table = re.search(r"^## \d+\.1 Parameters?\n(.*?)^## ", text(path), re.M | re.S)
        for name, ranges in re.findall(r"^\| `(\w+)` \| ([^|]*) \|", table.group(1), re.M):
            documented.setdefault(name, ranges.replace("–", "-").replace("`", ""))
    same("docs/spec", "parameters of §2.1, §10.1, §7.1, §11.1, §12.1 and §13.1", list(documented), list(legal))
    for name, ranges in documented.items():
        if legal.get(name, ranges) != ranges:
            wrong("docs/spec", f"{name} is {ranges}, and {legal[name]} in {ROOM}params.h")


def registers():
    regs = rows("registers.h", "HD_REGISTER_LIST")
    numbers = [f"{r[0]} {r[1]}" for r in regs]
    path, has = "rtl", set()
    for module in ("rtl/hd_config.v", "rtl/hd_switch.v", "rtl/hd_barrier_unit.v"):
        has.update(f"{n} {int(v)}" for n, v in re.findall(r"\bREG_(\w+) = 5'd(\d+)", text(module)))
    same(path, "registers", sorted(has), sorted(numbers))
    documented = []
    for path in ("docs/spec/3-configuration.md", "docs/spec/8-barrier.md", "docs/spec/10-adaptive-routing.md",
                 "docs/spec/11-xor-encoder.md", "docs/spec/12-computed-routing.md", "docs/spec/13-multicast.md"):
        for part in re.findall(r"\n\| index \| name \| contents \|\n(.*?)\n\n", text(path), re.S):
            documented += [(int(i), n, c) for i, n, c in re.findall(r"^\| (\d+) \| `(\w+)` \| (.*) \|$", part, re.M)]
    same("docs/spec", "registers of §3.3, §8.6, §10.2, §10.9, §11.1, §12.6 and §13.3", [f"{n} {i}" for i, n, _ in sorted(documented)], numbers)
    ends = {"READ": "read", "WRITE": "write", "BOTH": "read, write"}
    for index, name, contents in documented:
        access = next((r[2] for r in regs if r[0] == name), None)
        said = re.search(r"(read, write|read|write)$", contents)
        if said and access in ends and said.group(1) != ends[access]:
            wrong("docs/spec", f"register {name} is {said.group(1)}, and {access} in {ROOM}registers.h")


def errors():
    bits = [f"{r[2]} {r[1]}" for r in rows("registers.h", "HD_ERROR_BIT_LIST")]
    documented = []
    for path, section in (("docs/spec/2-switch.md", "2.8"), ("docs/spec/8-barrier.md", "8.7"),
                          ("docs/spec/11-xor-encoder.md", "11.9")):
        part = re.search(r"^## " + section + r" .*?^## ", text(path), re.M | re.S).group(0)
        documented += re.findall(r"^\| (\d+) \| \*(\w+)\* \|", part, re.M)
    same("docs/spec", "error bits of §2.8, §8.7 and §11.9", [f"{b} {n}" for b, n in documented], bits)


def states():
    places = {"SWITCH": "", "IN_VC": "in[p].vc[v].", "IN": "in[p].", "OUT_VC": "out[o].vc[w].", "OUT": "out[o].",
              "UNIT": "unit.", "CODER": "coder."}
    listed = {places[r[0]] + r[1]: r[2] for r in rows("states.h", "HD_STATE_LIST")}
    documented = {}
    for path in ("docs/spec/6-observation.md", "docs/spec/8-barrier.md", "docs/spec/10-adaptive-routing.md",
                 "docs/spec/11-xor-encoder.md"):
        part = re.search(r"^## \d+\.\d+ (?:Names of observed state|Observed state)\n(.*?)^## ", text(path), re.M | re.S).group(1)
        for names, bits in re.findall(r"^\| (`.*?`) \| ([\d, ]+) \|", part, re.M):
            whole, bits = [], bits.split(", ")
            for name in re.findall(r"`([^`]+)`", names):
                whole.append(whole[-1].rsplit(".", 1)[0] + name if name.startswith(".") else name)
            documented.update(zip(whole, bits * len(whole) if len(bits) == 1 else bits))
    same("docs/spec", "states of §6.5, §8.10, §10.6 and §11.14", sorted(documented), sorted(listed))
    for name, bits in documented.items():
        if name != "errors" and listed.get(name, bits) != bits:
            wrong("docs/spec", f"{name} has {bits} bits, and {listed[name]} in {ROOM}states.h")
    path = "rtl/hd_switch.v"
    declared = set(re.findall(r"\w+", " ".join(re.findall(r"^ *(?:wire|reg)\b([^=;]*)", text(path), re.M))))
    leaves = sorted({n.rsplit(".", 1)[-1] for n in listed})
    same(path, "observed states", [n for n in leaves if n in declared], leaves)
    # the scopes in[p], out[o], unit and coder, up to the next one
    parts = re.split(r"\bbegin : (in|out|unit|coder)\n", text(path))
    scopes = {}
    for scope, body in zip(parts[1::2], parts[2::2]):
        scopes.setdefault(scope, body)
    for name, bits in listed.items():
        leaf = name.rsplit(".", 1)[-1]
        wires = re.findall(r"^ *wire (?:\[(\d+):0\] )?([\w, ]+)[;=]", scopes.get(re.match(r"\w+", name).group(0), ""), re.M)
        for high, names in wires:
            if leaf in re.findall(r"\w+", names) and int(high or 0) + 1 != int(bits):
                wrong(path, f"{name} has {int(high or 0) + 1} bits, and {bits} in {ROOM}states.h")


def barriers(kinds):
    path = "docs/spec/7-preemption.md"
    row = re.search(r"^\| `BARRIER` \|.*", text(path), re.M).group(0)
    same(path, "kinds of BARRIER", re.findall(r"(\d \*\w+\*)", row), [f"{i} *{k}*" for i, k in enumerate(kinds)])
    path = "tests/barrier/latency.py"
    same(path, "KINDS", re.findall(r'"(\w+)"', re.search(r"^KINDS = .*", text(path), re.M).group(0)), kinds[1:])


def constants(kinds):
    """What the RTL's modules call kinds of BARRIER, kinds of flits, types and fields of messages."""
    legal = {f"BARRIER_{k.upper()}": i for i, k in enumerate(kinds)}
    part = re.search(r"^## 7\.2 .*?^## ", text("docs/spec/7-preemption.md"), re.M | re.S).group(0)
    for bits, about in re.findall(r"^\| ([01]{3}) \| (?:barrier, )?(\w+)", part, re.M):
        legal[f"KIND_{about.upper()}"] = int(bits, 2)
    part = re.search(r"^## 8\.1 .*?^## ", text("docs/spec/8-barrier.md"), re.M | re.S).group(0)
    for bits, name in re.findall(r"^\| ([\d–]+) \| (\w+) \|", part, re.M):
        legal[f"MESSAGE_{'TO' if name == 'destination' else name.upper()}"] = int(bits.split("–")[-1])
    for number, name in re.findall(r"(\d) \*(\w+)[^*]*\*", re.search(r"^\| 1–0 \| type .*", part, re.M).group(0)):
        legal[name.upper()] = int(number)
    seen = set()
    for path in sorted(glob.glob("rtl/*.v")):
        for line in re.findall(r"^ *localparam\b.*", text(path), re.M):
            for name, has in re.findall(r"\b(\w+) = (?:\d+'d)?(\d+)\b", line):
                if name in legal:
                    seen.add(name)
                    if int(has) != legal[name]:
                        wrong(path, f"{name} is {has}, and {legal[name]} in the specification")
                elif re.match("(BARRIER|KIND|MESSAGE)_", name):
                    wrong(path, f"{name}: the specification has no such name")
    # a switch without barrier messages is BARRIER 0 and needs no name
    same("rtl", "constants", sorted(seen), sorted(n for n in legal if n != "BARRIER_NONE"))


def exit_codes():
    """The guide's texts begin with those of the list; other pages name no other code."""
    legal = {r[1]: r[2] for r in rows("../../bridge/cli/exit_codes.h", "HD_EXIT_LIST")}
    path = "docs/user-guide.md"
    table = text(path).split("| exit code | |", 1)[-1].split("\n\n", 1)[0]
    documented = re.findall(r"^\| (\d+) \| (.*) \|$", table, re.M)
    same(path, "exit codes", [c for c, _ in documented], list(legal))
    for code, about in documented:
        plain = about.replace("`", "")
        if not plain.startswith(legal.get(code, "")):
            wrong(path, f"exit code {code} is \"{plain}\", and \"{legal.get(code)}\" in bridge/cli/exit_codes.h")
    for path in ("docs/bisect.md", "docs/check.md"):
        part = re.search(r"^## Exit codes\n(.*?)(?:^## |\Z)", text(path), re.M | re.S).group(1)
        for code in re.findall(r"^\| (\d+) \|", part, re.M):
            if code not in legal:
                wrong(path, f"exit code {code}: bridge/cli/exit_codes.h has none such")


def main():
    kinds = [r[1] for r in rows("params.h", "HD_BARRIER_LIST")]
    parameters(kinds)
    registers()
    errors()
    states()
    barriers(kinds)
    constants(kinds)
    exit_codes()
    for line in found:
        print(line)
    bad = bool(found) or not named
    print(f"{'not ok' if bad else 'ok'} lists ({named} names, {len(found)} differences)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
