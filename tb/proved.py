#!/usr/bin/env python3
# Whether rtl/ is the RTL that `make formal` proved, and the record of it.
# SPDX-License-Identifier: Apache-2.0
"""usage: tb/proved.py [--record DIRECTORY]

Compares the hash of rtl/ with the one that is compiled into heddle, which takes the word of quiescent_o
for that RTL alone. With --record all proofs are run first, with logs in DIRECTORY; when they have passed,
the hash is written. Works in the current directory, a source tree.
"""
import glob
import re
import shutil
import subprocess
import sys

HEADER = "bridge/backends/rtl/proved_rtl.h"
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
        f.write(re.sub(r"0x[0-9a-f]{16}", "0x" + before, text))
    return None


def main(args):
    if len(args) not in (0, 2) or args and args[0] != "--record":
        return __doc__
    wrong = record(args[1]) if args else None
    with open(HEADER, encoding="utf-8") as f:
        recorded = re.search(r"0x([0-9a-f]{16})", f.read())
    if not wrong and (not recorded or recorded.group(1) != hash_rtl()):
        wrong = (f"{HEADER}: rtl/ has the hash {hash_rtl()}, the RTL that was proved has another; "
                 "make formal-record proves it anew and writes this\n"
                 "not ok proved: rtl/ is not the RTL that was proved")
    print(wrong or "ok proved: rtl/ is the RTL that was proved")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
