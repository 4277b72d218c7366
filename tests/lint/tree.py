#!/usr/bin/env python3
# Checks on the source tree: walls, licences, file lengths, left-overs, links.
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/lint/tree.py [walls|rooms|licences|lengths|leftovers|strays|links|layouts ...] (default: all)

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
SOURCES = CODE + (".css", ".js", ".v", ".sv", ".vh", ".py", ".sh", ".awk", ".tcl", ".ys", ".mk", ".f", ".core")
# Above this a file says in its first 30 lines why its subject is one: "Length: reason".
LINES_WITHOUT_REASON = 800
# Text that cannot carry a comment, or is somebody else's.
NO_LICENCE = ("LICENSE", "tests/records/*", "*.json", "*.png", "*.fst", "*.xsd", "docs/reference/*.csv", "docs/reproduction/*/*.csv", "docs/spec/tests/*.csv", "docs/spec/modules/*.csv", "tests/*/corpus/*", "tests/*/*/corpus/*")

# The top level; what a test or tool leaves there by mistake is none of it.
TOP = [".ci", "bridge", "cmodel", "docs", "fpga", "mk", "rtl", "sw", "tb", "tests", ".clang-format", ".editorconfig",
       ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "heddle.core"]

C11 = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time
uchar wchar wctype""".split()
POSIX = """argp dirent dlfcn fcntl ftw getopt glob libgen malloc netdb netinet/in netinet/tcp poll pthread pty regex sched semaphore spawn
strings sys/file sys/ioctl sys/mman sys/pidfd sys/prctl sys/resource sys/select sys/socket sys/stat sys/statvfs sys/syscall sys/time sys/types sys/un
sys/wait sys/utsname termios ucontext unistd link""".split()
CPP = """algorithm array atomic cassert cerrno ctime cinttypes climits cstdarg cstddef cstdint cstdio
cstdlib cstring deque exception functional limits map memory mutex new optional ostream stdexcept string
string_view thread tuple type_traits utility vector""".split()

# The house. A room is a folder: (its headers that others may include, what it may include, POSIX beside
# C11). What it may include: rooms, by their headers for others, and single headers by their path. The
# table has no circle. A new folder needs a line here, and a row in CONTRIBUTING.md.
ERROR, EVENT, PARAMS = "cmodel/error.h", "cmodel/port_event.h", "cmodel/switch/params.h"
GROW = "cmodel/grow.h"
REGISTERS, STATES = "cmodel/switch/registers.h", "cmodel/switch/states.h"
COVERAGE = "cmodel/switch/coverage.h"
USER_CODE = "sw/user_code.h"
DUT, MODE = "bridge/dut.h", "bridge/lockstep/lockstep_mode.h"
EXTENSION = "bridge/dut_extension.h"
ORDER = "bridge/watch/port_order.h"
EXIT_CODES = "bridge/cli/exit_codes.h"
BACKEND, BACKENDS = "bridge/backends/backend.h", "bridge/backends/backends.h"
B = "bridge/backends/"
# Doors: files that are rooms of their own, and what these may include.
DOORS = {
    ERROR: [],
    "cmodel/error.c": [ERROR],
    EVENT: [],
    GROW: [],
    PARAMS: [ERROR],
    REGISTERS: [PARAMS],
    STATES: [PARAMS, REGISTERS],
    COVERAGE: [PARAMS],
    DUT: [EVENT, PARAMS, REGISTERS],
    B + "board/board_stimulus.h": [DUT],
    EXTENSION: [DUT],
    MODE: [],
    ORDER: [],
    BACKEND: [DUT, EXTENSION],
    BACKENDS: [BACKEND],
    # Verilator's host is compiled with SystemC's pins, too; SystemC is built by Verilator's room.
    B + "systemc/systemc_signals.h": [B + "rtl"],
    B + "systemc/systemc_switch.h": [B + "systemc/systemc_signals.h"],
    B + "systemc/manifest.h": [B + "remote"],
    "bridge/one_cycle.h": [DUT],
    "bridge/job_cursor.h": [DUT],
    "bridge/post_reset_events.h": [DUT],
    "bridge/version.h": [],
    # Callers of the heddle command read its exit codes.
    EXIT_CODES: [],
    # Software includes endpoint.h, which has the others in it.
    "sw/endpoint.h": ["sw/endpoint_barrier.h", "sw/endpoint_multicast.h", "sw/endpoint_network.h", "sw/endpoint_packet.h"],
    "sw/endpoint_barrier.h": [],
    "sw/endpoint_multicast.h": [],
    "sw/endpoint_network.h": [],
    "sw/endpoint_packet.h": [],
    USER_CODE: [],
}
# Headers that every backend may include: the contract, the backend's description, and the host machine.
OF_BACKENDS = [ERROR, EVENT, GROW, PARAMS, REGISTERS, STATES, DUT, EXTENSION, "bridge/job_cursor.h", "bridge/post_reset_events.h", BACKEND, BACKENDS, "bridge/host"]
ROOMS = {
    "cmodel/switch": (["switch.h", "params.h", "registers.h", "states.h", "coverage.h"],
                      [ERROR, EVENT, PARAMS, REGISTERS, STATES, COVERAGE], False),
    "cmodel/topology": (["topology.h"], [ERROR, EVENT, GROW, PARAMS], False),
    "cmodel/routing": (["routing.h", "routing_barrier.h", "routing_cast.h"],
                       [ERROR, EVENT, GROW, PARAMS, REGISTERS, "cmodel/topology"], False),
    # The fabric puts flits into its switches in place: it knows how they are laid out.
    "cmodel/fabric": (["fabric.h"],
                      [ERROR, EVENT, GROW, PARAMS, REGISTERS, "cmodel/switch", "cmodel/switch/switch_state.h",
                       "cmodel/switch/switch_base_path.h", "cmodel/topology", "cmodel/routing"], False),
    "sw/runtime": (["world.h"], [ERROR, GROW, "sw/endpoint.h", USER_CODE], True),
    # Schedules and the check of schedules: none sees another, so that each checks the other.
    "sw/mton": (["mton.h"], [ERROR, "bridge/host/memory.h"], False),
    "sw/coding": (["coding.h"], [ERROR], False),
    # Collectives are endpoint software, too, and see what it sees.
    "sw/collectives": (["collectives.h"], [ERROR, "sw/endpoint.h", "sw/coding"], False),
    "sw/contention": (["contention.h", "schedule_check.h"], [ERROR, "bridge/host/memory.h", "cmodel/topology", "cmodel/routing"], False),
    "sw/schedules": (["schedules.h", "proof.h"],
                      [ERROR, GROW, "cmodel/topology", "cmodel/routing", "bridge/host", "bridge/sat", "sw/runtime/random.h"], True),
    "sw/programs": (["programs.h"], [ERROR, "sw/endpoint.h", "sw/mton", "sw/collectives", "sw/coding"], False),
    "sw/analysis": (["*.h"], [], True),
    "bridge/sat": (["sat.h"], [EVENT, GROW], False),
    "bridge/host": (["*.h"], [ERROR, EVENT, GROW, "bridge/version.h", USER_CODE], True),
    "bridge/render": (["render.h"], [ERROR, "bridge/host"], False),
    B + "rtl": (["*.h"], OF_BACKENDS, True),
    B + "remote": (["*.h"], OF_BACKENDS + [B + "rtl"], True),
    B + "model": ([], OF_BACKENDS + ["cmodel/switch"], True),
    B + "verilator": (["verilator_build.h", "stress.h"],
                      OF_BACKENDS + [B + "rtl", B + "systemc/systemc_switch.h", B + "systemc/manifest.h"], True),
    B + "systemc": ([], OF_BACKENDS + [B + "rtl", B + "remote", B + "verilator"], True),
    B + "vpi": (["*.h"], OF_BACKENDS + [B + "rtl", B + "remote"], True),
    B + "icarus": ([], OF_BACKENDS + [B + "rtl", B + "remote", B + "vpi"], True),
    B + "ghdl": ([], OF_BACKENDS + [B + "rtl", B + "remote", B + "vpi"], True),
    B + "netlist": ([], OF_BACKENDS + [B + "rtl", B + "verilator"], True),
    B + "lanes": (["lanes_build.h", "lanes_dut.h", "lanes_group.h", "lanes_mutated.h", "lanes_netlist.h", "lanes_pins.h", "manifest.h", "lanes_stress.h"], OF_BACKENDS + [B + "rtl"], True),
    B + "board": (["board_check.h", "board_find.h", "board_link.h", "board_process.h", "board_speed.h", "board_virtual.h", "manifest.h"],
                  OF_BACKENDS + [B + "rtl"], True),
    # The registry. It knows the backends by their descriptors alone.
    "bridge/backends": (["backend.h", "backends.h"], OF_BACKENDS + [B + "rtl"], True),
    "bridge/ranks": (["ranks.h"], [ERROR, "bridge/host"], True),
    "bridge/watch": (["port_watch.h", "monitor.h", "monitor_pins.h"], [ERROR, ORDER, EVENT, PARAMS, REGISTERS, "cmodel/topology"], False),
    "bridge/lockstep": (["lockstep.h", "lockstep_mode.h"], [ERROR, GROW, DUT, EXTENSION, MODE, ORDER, "cmodel/fabric", "bridge/watch", USER_CODE], True),
    "bridge/graphs": (["graphs.h"], [ERROR, GROW, PARAMS, "cmodel/topology", "bridge/host"], True),
    "bridge/recorder": (["recorder.h"], [ERROR, "bridge/host"], True),
    "bridge/scenario": (["scenario.h", "scenario_inside.h", "scenario_keys.h", "scenario_outline.h", "scenario_set.h"],
                        [ERROR, GROW, MODE, ORDER, USER_CODE, "cmodel/fabric", "sw/runtime", "sw/programs", "bridge/graphs", "bridge/host"], True),
    "bridge/wrap": (["wrap.h"], [ERROR, GROW, ORDER, B + "rtl", "bridge/host", "bridge/scenario"], True),
    "bridge/coverage": (["coverage_set.h", "rtl_coverage.h"], [ERROR, GROW, PARAMS, COVERAGE, "bridge/host", "bridge/render"], False),
    "bridge/record": (["rundb.h", "diff.h"],
                      [ERROR, GROW, COVERAGE, "bridge/version.h", "bridge/coverage", "bridge/host", "bridge/scenario", "bridge/lockstep"], True),
    "bridge/explain": (["explain.h", "rtl_source.h"],
                       [ERROR, EVENT, PARAMS, "bridge/host", "bridge/render", "bridge/lockstep", "bridge/record"], True),
    "bridge/waves": (["waves.h", "wave_diff.h", "wave_picture.h", "report_waves.h", "suspects.h"],
                     [ERROR, GROW, "bridge/host", "bridge/render", "bridge/lockstep", "bridge/explain"], True),
    "bridge/invariants": (["tree_check.h"], [ERROR, "bridge/host", "cmodel/fabric"], False),
    "bridge/manager": (["manager.h"], [ERROR, "bridge/host", "sw/endpoint.h", "cmodel/fabric", "cmodel/routing"], False),
    "bridge/report": (["*.h"],
                      [ERROR, GROW, COVERAGE, "bridge/coverage", BACKEND, BACKENDS, "bridge/version.h", "sw/runtime", "bridge/host", "bridge/render",
                       "bridge/graphs", "bridge/scenario", "bridge/lockstep", "bridge/explain", "bridge/manager"], True),
    "bridge/page": (["page.h", "run_page.h", "stream_page.h", "campaign_page.h", "coverage_page.h", "topo_svg.h"],
                    [ERROR, GROW, BACKEND, "cmodel/topology", "bridge/coverage", "bridge/host", "bridge/render", "bridge/scenario", "bridge/record", "bridge/report",
                     "bridge/campaign"], True),
    "bridge/run": (["run.h"],
                   [ERROR, GROW, BACKEND, "cmodel/fabric", "sw/runtime", "sw/schedules", "sw/analysis", "bridge/host",
                    "bridge/coverage", "bridge/scenario", "bridge/lockstep", "bridge/invariants", "bridge/manager", "bridge/record", "bridge/explain",
                    "bridge/waves", "bridge/report", "bridge/page"], True),
    "bridge/export": (["export.h", "speed_model.h"],
                      [ERROR, GROW, DUT, B + "rtl", B + "board/board_stimulus.h", "sw/programs", "cmodel/fabric", "bridge/graphs", "bridge/host", "bridge/scenario", "bridge/wrap", "bridge/run/software.h"], True),
    "bridge/speed": (["speed.h"],
                     [ERROR, BACKEND, B + "board", "cmodel/fabric", "bridge/host", "bridge/scenario", "bridge/export"], True),
    "bridge/campaign": (["campaign.h"], [ERROR, GROW, BACKEND, "bridge/version.h", "bridge/host", "bridge/render", "bridge/ranks"], True),
    "bridge/sweep": (["sweep.h"],
                     [ERROR, GROW, PARAMS, BACKEND, "bridge/version.h", "bridge/host", "bridge/render", "bridge/scenario", "bridge/campaign", "bridge/coverage",
                      "bridge/report", "bridge/run"], True),
    # SystemC code of users: header files that are compiled with a backend's pins.
    "bridge/systemc": ([], ["bridge/scenario", B + "rtl", B + "systemc/systemc_signals.h"], True),
    "bridge/check": (["check.h"],
                     [ERROR, GROW, B + "rtl", "bridge/host", "bridge/render", "bridge/campaign", "bridge/scenario", "bridge/coverage", "bridge/explain",
                      "bridge/waves", "bridge/page", "bridge/run", "bridge/check/equal", "bridge/check/soak", "bridge/check/streams"], True),
    # A run without database and report is made of the pieces of bridge/run.
    "bridge/check/soak": (["soak.h"],
                          [ERROR, GROW, BACKEND, "bridge/host", "bridge/render", "bridge/campaign", "bridge/coverage", "bridge/invariants", "bridge/lockstep",
                           "bridge/record", "bridge/report", "bridge/run", "bridge/run/fault_report.h", "bridge/run/software.h",
                           "bridge/scenario", "bridge/watch", "sw/coding", "sw/collectives", "sw/runtime/random.h"], True),
    "bridge/check/streams": (["streams.h", "tape.h", "stress_case.h"],
                             [ERROR, EVENT, GROW, COVERAGE, DUT, BACKEND, "bridge/job_cursor.h", "cmodel/switch", B + "verilator",
                              B + "lanes", "bridge/host", "bridge/campaign", "bridge/explain", "bridge/waves"], True),
    "bridge/check/equal": (["equal.h"], [ERROR, GROW, "bridge/host", B + "rtl"], True),
    "bridge/bisect": (["bisect.h", "check_bisect.h"], [ERROR, EXIT_CODES, "bridge/host", "bridge/record", "bridge/check/equal"], True),
    "bridge/bench": (["bench.h"], [ERROR, BACKEND, "bridge/host", "bridge/lockstep", "sw/programs", "sw/runtime"], True),
    "bridge/mutation": (["mutation.h"],
                        [ERROR, EVENT, GROW, BACKEND, BACKENDS, "bridge/job_cursor.h", B + "rtl", B + "lanes", "bridge/sat", "bridge/host", "bridge/render", "bridge/lockstep", "bridge/scenario", "bridge/run/software.h",
                         "bridge/sweep", "bridge/check/streams", "sw/runtime/random.h"], True),
    "bridge/studies": (["*.h"], [ERROR, GROW, "bridge/host", "bridge/render", "bridge/campaign", "bridge/run"], True),
    "bridge/studies/barrier": ([], [ERROR, "bridge/host", "bridge/render", "bridge/run", "bridge/scenario", "bridge/studies", "cmodel/routing", "sw/analysis"], True),
    "bridge/studies/mton": ([], [ERROR, GROW, "bridge/host", "bridge/run", "bridge/studies", "sw/contention", "sw/mton"], True),
    "bridge/studies/fattree": ([], [ERROR, "bridge/host", "bridge/report", "bridge/run", "bridge/studies", "cmodel/topology"], True),
    "bridge/studies/schedules": ([], [ERROR, GROW, "bridge/host", "bridge/run", "bridge/scenario", "bridge/studies", "sw/contention",
                                      "sw/schedules"], True),
    "bridge/studies/coding": ([], [ERROR, GROW, "bridge/host", "bridge/run", "bridge/scenario", "bridge/studies", "sw/coding"], True),
    # The command. Its own rooms are commands with several files.
    "bridge/cli": (["cli.h"], [ERROR, GROW, BACKEND, BACKENDS, "bridge/version.h", B + "rtl", "bridge/graphs", "bridge/host", "bridge/render", "bridge/ranks",
                        "bridge/lockstep", "bridge/scenario", "bridge/coverage", "bridge/record", "bridge/waves", "bridge/report",
                        "bridge/page", "bridge/recorder", "bridge/run", "bridge/run/directory.h", "bridge/campaign", "bridge/sweep", "bridge/check", "bridge/wrap", "bridge/export",
                        "bridge/bisect", "bridge/bench", "bridge/mutation", "bridge/studies", "sw/collectives", "sw/programs", "sw/runtime"], True),
    "bridge/cli/board": ([], [ERROR, BACKENDS, B + "board", "bridge/host", "bridge/render", "bridge/run/directory.h", "bridge/speed", "bridge/cli"], True),
    "bridge/cli/schedule": ([], [ERROR, GROW, "bridge/host", "bridge/render", "bridge/scenario", "bridge/cli", "sw/contention", "sw/mton", "sw/schedules"], True),
}
# Tests and benches look behind every door.
EVERYTHING = ["tests/*", "tb/diagrams/*", "tb/bench/*"]
# Folders whose files may include rooms and doors two floors down.
SEE_TWO_FLOORS = ["bridge/cli", "bridge/cli/board", "bridge/bisect", "bridge/wrap", "bridge/export", "bridge/speed", "bridge/check", "bridge/check/streams", "bridge/mutation", "bridge/studies/barrier", "bridge/studies/mton", "bridge/studies/fattree", "bridge/studies/schedules", "bridge/check/equal", "bridge/systemc"]
# Headers from outside of libc, and the only files that may know them.
FOREIGN = {
    "sqlite3.h": ["bridge/record/*", "bridge/campaign/campaign_db.c", "tests/unit/campaign/*"],
    "yaml.h": ["bridge/scenario/*"],
    "ccadical.h": ["bridge/sat/sat.c"],
    "mpi.h": ["bridge/ranks/ranks_mpi.c", "bridge/recorder/recorder_*.c", "tests/cli/exchange_mpi.c"],
    "igraph.h": ["bridge/graphs/graph_igraph.c"],
    "cgraph.h": ["bridge/graphs/graph_cgraph.c"],
    "immintrin.h": ["bridge/backends/lanes/lanes_transpose.h"],
    "jansson.h": ["bridge/render/render.h", "bridge/backends/lanes/lanes_netlist.c", "bridge/backends/lanes/lanes_instances.c",
                  "bridge/graphs/graph_json.c", "bridge/sweep/runs.c", "tests/check/measure.c"],
    "verilated*": ["bridge/backends/verilator/*", "bridge/backends/systemc/*", "fpga/virtual/*", "tb/bench/*.cpp",
                   "tests/fuzz/link/*.cpp"],
    "V*.h": ["bridge/backends/verilator/*", "bridge/backends/systemc/*", "fpga/virtual/*", "tb/bench/*.cpp",
                   "tests/fuzz/link/*.cpp"],
    "systemc": ["bridge/backends/systemc/*", "bridge/systemc/*"],
    "tlm*": ["bridge/systemc/*"],
    "vpi_user.h": ["bridge/backends/vpi/sim.h"],
    "fstapi.h": ["bridge/waves/fst.c", "bridge/backends/ghdl/ghdl_waves.c", "tests/*"],
    "sanitizer/*": ["sw/runtime/fiber*"],
    "zlib.h": ["bridge/backends/board/board_frame.c"],
    "png.h": ["bridge/waves/picture_crop.c"],
    "pty.h": ["fpga/virtual/*", "tests/unit/*"],
    "cmocka.h": ["tests/*"],
    "malloc.h": ["tests/unit/*"],
}


def names():
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"],
                         check=True, stdout=subprocess.PIPE).stdout.decode()
    return sorted(f for f in out.split("\0") if f and os.path.lexists(f))


def files():
    return [f for f in names() if os.path.isfile(f)]


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


def is_public(path):
    """Is this header for other rooms?"""
    room = os.path.dirname(path)
    return path in DOORS or (room in ROOMS and matches(os.path.basename(path), ROOMS[room][0]))


def may_include(path, target):
    if matches(path, EVERYTHING) or os.path.dirname(path) == os.path.dirname(target):
        return True
    uses = DOORS[path] if path in DOORS else ROOMS[os.path.dirname(path)][1]
    return target in uses or (is_public(target) and os.path.dirname(target) in uses)


def house():
    """What is wrong with the table itself: circles, and rooms that see two floors down."""
    uses = dict(DOORS)
    for room, (_, used, _) in ROOMS.items():
        uses[room] = [os.path.dirname(u) if u.endswith(".h") and u not in DOORS else u for u in used]
        uses[room] += [d for d in DOORS if os.path.dirname(d) == room]
    done = set()

    def circle(node, path):
        if node in path:
            yield f"tests/lint/tree.py: a circle: {' -> '.join(path[path.index(node):] + [node])}"
        elif node not in done:
            for u in uses.get(node, []):
                yield from circle(u, path + [node])
            done.add(node)

    for node, used in uses.items():
        yield from circle(node, [])
        for u in used:
            if u not in uses:
                yield f"tests/lint/tree.py: {node} may include {u}, which is neither room nor door"
            room = u if u in ROOMS else os.path.dirname(u)
            if room.count("/") > 1 and not (node + "/").startswith(os.path.dirname(room) + "/") \
                    and node not in SEE_TWO_FLOORS:
                yield f"tests/lint/tree.py: {node} may include {u}, which is two floors down"


def walls(paths):
    seen = 0
    yield from house()
    for path in paths:
        if path.endswith((".v", ".vh")) and path.startswith("rtl/"):
            seen += 1
            for i, line in enumerate(text(path), 1):
                m = re.match(r'\s*`include\s+"([^"]+)"', line)
                if m and not os.path.isfile(os.path.join("rtl", m.group(1))):
                    yield f"{path}:{i}: rtl includes {m.group(1)}, which is not in rtl/"
            continue
        if not path.endswith(CODE) or not matches(path, ["cmodel/*", "bridge/*", "sw/*"] + EVERYTHING):
            continue
        seen += 1
        room = os.path.dirname(path)
        if path not in DOORS and room not in ROOMS and not matches(path, EVERYTHING):
            yield f"{path}:1: belongs to no room; the rooms are in tests/lint/tree.py"
            continue
        posix = ROOMS[room][2] if room in ROOMS and path not in DOORS else matches(path, EVERYTHING)
        for i, line in enumerate(text(path), 1):
            m = re.match(r'\s*#\s*include\s*(.*)', line)
            if not m:
                continue
            angle = re.match(r'<([^>]+)>', m.group(1))
            quoted = re.match(r'"([^"]+)"', m.group(1))
            if angle:
                if not angle_allowed(path, angle.group(1), posix):
                    yield f"{path}:{i}: may not include <{angle.group(1)}>"
            elif quoted:
                name = quoted.group(1)
                target = os.path.normpath(os.path.join(room, name))
                if os.path.isfile(target):
                    if not may_include(path, target):
                        own = "" if is_public(target) else f", which {os.path.dirname(target)} keeps to itself"
                        yield f"{path}:{i}: may not include {target}{own}"
                elif not angle_allowed(path, name, False):
                    yield f"{path}:{i}: may not include \"{name}\", which is not in the tree"
            elif not path.startswith("bridge/backends/remote/"):
                yield f"{path}:{i}: include of a macro hides what is included"
    if not seen:
        yield "no source file found"


def rooms(paths):
    """CONTRIBUTING.md has a row for each room, and for no other."""
    page = "CONTRIBUTING.md"
    if page not in paths:
        yield f"{page}: is not there"
        return
    rows = re.findall(r"^\| `((?:cmodel|bridge|sw)/[a-z/]+)/` \|", "\n".join(text(page)), re.M)
    for room in ROOMS:
        if room not in rows:
            yield f"{page}: no row for {room}/"
    for row in rows:
        if row not in ROOMS:
            yield f"{page}: {row}/ is no room; the rooms are in tests/lint/tree.py"


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


def strays(_):
    for path in names():
        if path.split("/")[0] not in TOP:
            yield f"{path}: is not on the list of what is at the top level (tests/lint/tree.py)"
        if os.path.islink(path):
            yield f"{path}: a symbolic link; it says nothing on another machine"
        elif not os.path.getsize(path) and not matches(path, NO_LICENCE):
            yield f"{path}: an empty file"


def headings(path):
    """(line, name) of each heading of a Markdown file, with GitHub's name of it."""
    names = set()
    fenced = False
    for i, line in enumerate(text(path), 1):
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
            yield i, name


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
                elif anchor and where.endswith(".md") and unquote(anchor) not in dict(headings(where)).values():
                    yield f"{path}:{i}: link to {target}: no such heading"


# Layouts and names that several modules know. They are said again in each, not included: a folder of *.v alone, in
# any order, is a switch, for --rtl and for tools that have no include path. tests/lint/lists.py holds the values.
SHARED = re.compile(r"\b((?:RECORD|MESSAGE|REG|KIND|BARRIER)_\w+|REDUCE|DISTRIBUTE|INITIAL|FAIL)"
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


CHECKS = {f.__name__: f for f in (walls, rooms, licences, lengths, leftovers, strays, links, layouts)}


def main(chosen):
    unknown = [n for n in chosen if n not in CHECKS]
    if unknown:
        sys.exit(f"unknown check {unknown[0]}; there are: {' '.join(CHECKS)}")
    paths = files()
    if not paths:
        sys.exit("not ok no files: is this a git checkout?")
    failed = 0
    for name in chosen or CHECKS:
        found = list(CHECKS[name](paths))
        for violation in found:
            print(violation)
        failed += bool(found)
        print(f"{'not ok' if found else 'ok'} {name} ({len(paths)} files, {len(found)} violations)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
