#!/usr/bin/env python3
# Checks on the source tree: walls, licences, file lengths, left-overs, links.
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/lint/tree.py [walls|licences|lengths|leftovers|links|layouts ...] (default: all)

Looks at what git tracks and what it would track, in the current directory. Prints each
violation as `file:line: what`, then one line `ok NAME (n files)` or `not ok NAME ...` for each
check; ends with 1 when one failed. tests/lint/selftest.sh proves that each can fail.
"""
import os
import re
import subprocess
import sys
from fnmatch import fnmatch
from urllib.parse import unquote

CODE = (".c", ".h", ".cpp", ".hpp")
SOURCES = CODE + (".v", ".sv", ".vh", ".py", ".sh", ".awk", ".tcl", ".ys", ".mk", ".f", ".core")
# Above this a file says in its first 30 lines why its subject is one: "Length: reason".
LINES_WITHOUT_REASON = 800
# Text that cannot carry a comment, or is somebody else's.
NO_LICENCE = ("LICENSE", "*.json", "*.png", "*.fst", "*.xsd", "tests/*/corpus/*", "tests/*/*/corpus/*")

C11 = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time
uchar wchar wctype""".split()
POSIX = """argp dirent dlfcn fcntl ftw getopt glob libgen malloc poll pthread pty regex sched semaphore spawn
strings sys/file sys/ioctl sys/mman sys/pidfd sys/prctl sys/resource sys/select sys/socket sys/stat sys/statvfs sys/time sys/types sys/un
sys/wait sys/utsname termios ucontext unistd link""".split()
CPP = """algorithm array atomic cassert cerrno ctime cinttypes climits cstdarg cstddef cstdint cstdio
cstdlib cstring deque exception functional limits map memory mutex new optional ostream stdexcept string
string_view thread tuple type_traits utility vector""".split()

# The contract and what is behind it know the switch's ports; the model's API is for the backend "model".
CONTRACT = ["cmodel/error.h", "cmodel/port_event.h", "cmodel/switch/params.h", "cmodel/switch/registers.h",
            "cmodel/switch/states.h"]
# Who (first match counts) may include what of the project, and whether POSIX beside C11.
WALLS = [
    # files            project headers                                     POSIX
    ("cmodel/*",       ["cmodel/*.h"],                                     False),
    ("sw/programs/*",  ["sw/programs/*.h", "sw/endpoint.h"],               False),
    ("sw/runtime/world*", ["sw/*.h", "cmodel/error.h"],                    True),
    ("sw/studies/*",   ["sw/studies/*.h", "sw/*.h", "bridge/*.h", "cmodel/*.h"], True),
    ("sw/cli/*",       ["sw/cli/*.h", "sw/*.h", "bridge/*.h", "cmodel/*.h"], True),
    ("sw/*",           ["sw/*.h"],                                         True),
    ("bridge/dut.h",   CONTRACT,                                           False),
    ("bridge/backends/model/*", ["bridge/*.h", "cmodel/switch/*.h"],       True),
    ("bridge/backends/*", ["bridge/dut.h", "bridge/backends/*.h", "bridge/host/*.h"] + CONTRACT, True),
    ("bridge/manager/*", ["bridge/manager/*.h", "cmodel/*.h", "sw/endpoint.h"], False),
    ("bridge/*",       ["bridge/*.h", "cmodel/*.h", "sw/runtime/world.h", "sw/programs/programs.h", "sw/endpoint.h", "sw/analysis/*.h"], True),
    ("tb/diagrams/*",  ["tb/diagrams/*.h", "bridge/*.h", "cmodel/*.h"], True),
    ("tb/bench/*",     ["tb/bench/*.h", "bridge/*.h"],                     True),
    ("tests/*",        ["tests/*.h", "bridge/*.h", "cmodel/*.h", "sw/*.h"], True),
]
# Headers from outside of libc, and the only files that may know them.
FOREIGN = {
    "sqlite3.h": ["bridge/record/*"],
    "yaml.h": ["bridge/scenario/*"],
    "jansson.h": ["bridge/explain/*", "bridge/report/*", "sw/cli/report*",
                  "sw/studies/barrier/report_json.c"],
    "verilated*": ["bridge/backends/verilator/*", "bridge/backends/systemc/*", "fpga/virtual/*", "tb/bench/*.cpp",
                   "tests/fuzz/link/*.cpp"],
    "V*.h": ["bridge/backends/verilator/*", "bridge/backends/systemc/*", "fpga/virtual/*", "tb/bench/*.cpp",
                   "tests/fuzz/link/*.cpp"],
    "systemc": ["bridge/backends/systemc/*", "bridge/systemc/*"],
    "tlm*": ["bridge/systemc/*"],
    "vpi_user.h": ["bridge/backends/icarus/*"],
    "fstapi.h": ["bridge/waves/fst.c", "tests/*"],
    "sanitizer/*": ["sw/runtime/fiber*"],
    "zlib.h": ["bridge/backends/board/board_frame.c"],
    "pty.h": ["fpga/virtual/*", "tests/unit/*"],
    "cmocka.h": ["tests/*"],
    "malloc.h": ["tests/unit/*"],
}


def files():
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"],
                         check=True, stdout=subprocess.PIPE).stdout.decode()
    return sorted(f for f in out.split("\0") if f and os.path.isfile(f))


def text(path):
    """The file's lines, or None for what is not text."""
    with open(path, "rb") as f:
        data = f.read()
    if b"\0" in data:
        return None
    return data.decode("utf-8", "replace").splitlines()


def matches(name, patterns):
    return any(fnmatch(name, p) for p in patterns)


def angle_allowed(path, header, posix):
    for pattern, users in FOREIGN.items():
        if fnmatch(header, pattern):
            return matches(path, users)
    name = header[:-2] if header.endswith(".h") else None
    if name is None:
        return header in CPP and path.startswith(("bridge/backends/", "bridge/systemc/", "fpga/virtual/", "tb/bench/",
                                                      "tests/fuzz/link/"))
    return name in C11 or (posix and name in POSIX)


def walls(paths):
    seen = 0
    for path in paths:
        if path.endswith((".v", ".vh")) and path.startswith("rtl/"):
            seen += 1
            for i, line in enumerate(text(path), 1):
                m = re.match(r'\s*`include\s+"([^"]+)"', line)
                if m and not os.path.isfile(os.path.join("rtl", m.group(1))):
                    yield f"{path}:{i}: rtl includes {m.group(1)}, which is not in rtl/"
            continue
        if not path.endswith(CODE):
            continue
        rule = next((r for r in WALLS if fnmatch(path, r[0])), None)
        if rule is None:
            continue
        seen += 1
        for i, line in enumerate(text(path), 1):
            m = re.match(r'\s*#\s*include\s*(.*)', line)
            if not m:
                continue
            angle = re.match(r'<([^>]+)>', m.group(1))
            quoted = re.match(r'"([^"]+)"', m.group(1))
            if angle:
                if not angle_allowed(path, angle.group(1), rule[2]):
                    yield f"{path}:{i}: may not include <{angle.group(1)}>"
            elif quoted:
                name = quoted.group(1)
                target = os.path.normpath(os.path.join(os.path.dirname(path), name))
                if os.path.isfile(target):
                    if not matches(target, rule[1]):
                        yield f"{path}:{i}: may not include {target}"
                elif not angle_allowed(path, name, False):
                    yield f"{path}:{i}: may not include \"{name}\", which is not in the tree"
            elif not path.startswith("bridge/backends/remote/"):
                yield f"{path}:{i}: include of a macro hides what is included"
    if not seen:
        yield "no source file found"


def licences(paths):
    for path in paths:
        lines = text(path)
        if lines is None or not lines or matches(path, NO_LICENCE):
            continue
        if not any("SPDX-License-Identifier: Apache-2.0" in l for l in lines[:3]):
            yield f"{path}:1: no SPDX-License-Identifier: Apache-2.0 in the first three lines"


def lengths(paths):
    for path in paths:
        if path.endswith(SOURCES) or os.path.basename(path) == "Makefile":
            lines = text(path)
            said = any(re.search(r"\bLength: \w", l) for l in lines[:30])
            if len(lines) > LINES_WITHOUT_REASON and not said:
                yield (f"{path}:{len(lines)}: {len(lines)} lines; above {LINES_WITHOUT_REASON} a file says at its top "
                       "why it is one subject, as \"Length: reason\"")


def leftovers(paths):
    # Written so that this file does not find itself.
    words = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX"]) + r")\b")
    for path in paths:
        if path == "LICENSE" or matches(path, ["tests/*/corpus/*"]):
            continue
        for i, line in enumerate(text(path) or [], 1):
            if words.search(line):
                yield f"{path}:{i}: left-over: {line.strip()[:80]}"
            elif re.match(r"(<{7}|>{7}) ", line):
                yield f"{path}:{i}: merge conflict"


def anchors(path):
    """GitHub's names of a Markdown file's headings."""
    names = set()
    fenced = False
    for line in text(path):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        m = None if fenced else re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if m:
            heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", m.group(1)).lower()
            slug = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
            n, name = 0, slug
            while name in names:
                n += 1
                name = f"{slug}-{n}"
            names.add(name)
    return names


def links(paths):
    for path in paths:
        if not path.endswith(".md"):
            continue
        fenced = False
        for i, line in enumerate(text(path), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if fenced:
                continue
            line = re.sub(r"`[^`]*`", "", line)
            for target in re.findall(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)", line):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                where = os.path.normpath(os.path.join(os.path.dirname(path), unquote(name))) if name else path
                if not os.path.exists(where):
                    yield f"{path}:{i}: link to {target}, which is not there"
                elif anchor and where.endswith(".md") and unquote(anchor) not in anchors(where):
                    yield f"{path}:{i}: link to {target}: no such heading"


# Layouts that several modules know: Verilog-2005 has no constants that modules share.
SHARED = re.compile(r"\b((?:RECORD|MESSAGE|REG|KIND)_\w+|REDUCE|DISTRIBUTE|INITIAL|FAIL)"
                    r"\s*=(?!=)\s*([^,;/)]+)")


def layouts(paths):
    first = {}
    for path in paths:
        if not path.startswith("rtl/"):
            continue
        for i, line in enumerate(text(path), 1):
            if not re.match(r"\s*(localparam|parameter)\b", line):
                continue
            for name, value in SHARED.findall(line):
                value = value.strip()
                where, known = first.setdefault(name, (f"{path}:{i}", value))
                if value != known:
                    yield f"{path}:{i}: {name} is {value}, and {known} in {where}"


CHECKS = {f.__name__: f for f in (walls, licences, lengths, leftovers, links, layouts)}


def main(names):
    unknown = [n for n in names if n not in CHECKS]
    if unknown:
        sys.exit(f"unknown check {unknown[0]}; there are: {' '.join(CHECKS)}")
    paths = files()
    if not paths:
        sys.exit("not ok no files: is this a git checkout?")
    failed = 0
    for name in names or CHECKS:
        found = list(CHECKS[name](paths))
        for violation in found:
            print(violation)
        failed += bool(found)
        print(f"{'not ok' if found else 'ok'} {name} ({len(paths)} files, {len(found)} violations)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
