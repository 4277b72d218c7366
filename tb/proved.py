#!/usr/bin/env python3
# Whether rtl/ is the RTL that `make formal` proved, and the record of it.
# SPDX-License-Identifier: Apache-2.0
"""usage: tb/proved.py [--record DIRECTORY]

Compares the hash of rtl/ with the one that is compiled into heddle, and the kinds of switches (specification 2.10) with
those of tb/formal.txt. Heddle takes the word of quiescent_o for that RTL and these kinds alone. The argument why small
switches stand for large ones lists where the RTL asks for a number: tb/formal_numbers.txt has these places, and rtl/
must have no others. With --record all proofs are run first, with logs in DIRECTORY; when they have passed, hash and kinds
are written. Works in the current directory, a source tree.
"""
import glob
import re
import shutil
import subprocess
import sys

HEADER = "bridge/backends/rtl/proved_rtl.h"
PROOFS = "tb/formal.txt"
NUMBERS = "tb/formal_numbers.txt"
# Parameters that are numbers, not kinds, and what they are compared with.
ASKS = re.compile(r"\b(PORTS|VCS|DEPTH|NODES|FIELDS|TREES|DATA_W|GROUPS|SWITCHES|CODE_PLACES|CODE_CYCLES|CUT_FLITS|N|SETS|WIDTH)\b"
                  r"\)? *(==|!=|<=|>=|<|>) *(\(1 <<|[0-9A-Z][0-9A-Z_a-z']*)")
MASK = (1 << 64) - 1


def mix64(z):
    """hd_mix64, cmodel/port_event.h"""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def hash_bytes(data, seed):
    """hd_hash_bytes, bridge/host/file.c"""
    h = mix64(seed ^ len(data))
    for i in range(0, len(data), 8):
        word = int.from_bytes(data[i:i + 8], "little")
        h = mix64(h + word & MASK) * 0x9E3779B97F4A7C15 & MASK
    return mix64(h)


def hash_rtl():
    """hd_sources_proved, bridge/backends/rtl/dut_sources.c"""
    h = 0
    for path in sorted(p for e in ("v", "vh", "sv", "svh") for p in glob.glob("rtl/*." + e)):
        with open(path, "rb") as f:
            h = hash_bytes(f.read(), hash_bytes(path.encode(), h))
    return f"{h:016x}"


def kinds():
    """The parameters of each proof that all registers of a switch hold, as struct kind has them (proved_kinds.c)"""
    defaults = {"BARRIER": 0, "DATA_W": 16, "ADAPTIVE": 0, "ROUTE_CYCLES": 1, "ARB_CYCLES": 1, "BUFFER_CYCLES": 0,
                "SOURCE_TABLE": 0, "CUT_FLITS": 0, "CODE_PLACES": 0, "CODE_CYCLES": 0, "ROUTE": 0, "VALUES": 0, "TREES": 0}
    found = []
    with open(PROOFS, encoding="utf-8") as f:
        for line in f:
            name, module, parameters = (line.split("|") + ["", ""])[:3]
            if line.startswith("#") or module.split()[:2] != ["hd_switch", "hold"]:
                continue
            p = dict(defaults, **{k: int(v) for k, v in (x.split("=") for x in parameters.split()) if k in defaults})
            flits = 0 if not p["BARRIER"] else 2 if p["DATA_W"] == 16 else 1
            found.append((name.strip(), p["BARRIER"], flits, p["ADAPTIVE"], p["ROUTE_CYCLES"], p["ARB_CYCLES"],
                          p["BUFFER_CYCLES"], p["SOURCE_TABLE"], int(p["CUT_FLITS"] > 0), int(p["CODE_PLACES"] > 0),
                          int(p["CODE_CYCLES"] > 0), p["ROUTE"], p["VALUES"], int(p["TREES"] > 0)))
    return found


def kinds_text():
    lines = ["#define HD_PROVED_KINDS(X)"] + [f"  X({', '.join(map(str, k[1:]))}) /* {k[0]} */" for k in kinds()]
    width = max(map(len, lines)) + 1
    return "\\\n".join(x.ljust(width) for x in lines).rstrip() + "\n"


def without_properties(path):
    depth, skipped = 0, 0  # `ifdefs, and the one of them that is FORMAL's
    with open(path, encoding="utf-8") as f:
        for line in f:
            if re.match(r" *`if", line):
                depth += 1
                skipped = skipped or depth * line.strip().startswith("`ifdef FORMAL")
            elif re.match(r" *`endif", line):
                skipped = 0 if skipped == depth else skipped
                depth -= 1
            elif not skipped:
                yield line.split("//")[0]


def numbers_asked():
    """Where the RTL compares a number with another, outside of checks of parameters and of properties"""
    found = set()
    for path in sorted(glob.glob("rtl/*.v")):
        for line in without_properties(path):
            if "illegal" not in line and not re.search(r"\bfor \(|f_|_must_be_", line):
                found.update(f"{path}: {' '.join(m.group(0).split())}" for m in ASKS.finditer(line))
    return found


def wrong_numbers():
    with open(NUMBERS, encoding="utf-8") as f:
        listed = {line.split(" | ")[0].strip() for line in f if not line.startswith("#")}
    asked = numbers_asked()
    return "".join(f"{NUMBERS}: {x} {'is not in the RTL' if x in listed else 'is in the RTL and not here: does the argument of specification 2.10 still hold?'}\n"
                   for x in sorted(listed ^ asked))


def record(directory):
    before = hash_rtl()
    if not shutil.which("yosys"):
        return "not ok proved: yosys is missing (package yosys), nothing is recorded"
    if subprocess.run(["tb/formal.sh", "-o", directory], check=False).returncode:
        return "not ok proved: a proof has failed, nothing is recorded"
    if hash_rtl() != before:
        return "not ok proved: rtl/ was edited meanwhile, nothing is recorded"
    with open(HEADER, encoding="utf-8") as f:
        text = f.read()
    with open(HEADER, "w", encoding="utf-8") as f:
        text = re.sub(r"0x[0-9a-f]{16}", "0x" + before, text)
        f.write(re.sub(r"#define HD_PROVED_KINDS.*?\n(?=\n)", lambda _: kinds_text(), text, flags=re.S))
    return None


def main(args):
    if len(args) not in (0, 2) or args and args[0] != "--record":
        return __doc__
    wrong = record(args[1]) if args else None
    with open(HEADER, encoding="utf-8") as f:
        text = f.read()
    recorded = re.search(r"0x([0-9a-f]{16})", text)
    wrong = wrong or wrong_numbers() + "not ok proved: the RTL asks for other numbers" * bool(wrong_numbers())
    if not wrong and kinds_text() not in text:
        wrong = (f"{HEADER}: has other kinds of switches than {PROOFS}; make formal-record proves these and writes them\n"
                 "not ok proved: other kinds were proved")
    if not wrong and (not recorded or recorded.group(1) != hash_rtl()):
        wrong = (f"{HEADER}: rtl/ has the hash {hash_rtl()}, the RTL that was proved has another; "
                 "make formal-record proves it anew and writes this\n"
                 "not ok proved: rtl/ is not the RTL that was proved")
    print(wrong or "ok proved: rtl/ is the RTL that was proved")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
