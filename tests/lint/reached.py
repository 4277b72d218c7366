#!/usr/bin/env python3
# Names the unit tests that a change reaches: those of the changed rooms, then of the rooms above them.
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/lint/reached.py FILE ...

Prints tests/unit/ROOM/test_WHAT.c, a line each, nearest first. A test belongs to the rooms whose headers it
includes. A room stands above another if the table in tree.py lets it include that one.
"""
import glob
import os
import re
import sys

from tree import DOORS, ROOMS


def node(path):
    """The room or door that a file belongs to."""
    return path if path in DOORS else os.path.dirname(path)


def uses(name):
    """Rooms and doors that a room or door may include."""
    used = set(DOORS[name] if name in DOORS else ROOMS[name][1])
    return used | {node(u) for u in used}


def included(path):
    """Files of the tree that a file includes."""
    with open(path, encoding="utf-8") as f:
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', f.read(), re.M):
            target = os.path.normpath(os.path.join(os.path.dirname(path), name))
            if os.path.isfile(target):
                yield target


def tested(path):
    """Rooms and doors whose headers a test includes itself."""
    return {node(t) for t in included(path)}


def distances(paths):
    """Room or door -> 0 for the changed ones, 1 for those directly above them, and so on."""
    level = {node(p) for p in paths} & {*ROOMS, *DOORS}
    found = {}
    while level:
        found.update({n: len(set(found.values())) for n in level})
        level = {n for n in [*ROOMS, *DOORS] if n not in found and uses(n) & level}
    return found


def main(paths):
    far = distances(paths)
    order = {}
    for test in sorted(glob.glob("tests/unit/*/test_*.c")):
        order[test] = min((far[n] for n in tested(test) if n in far), default=None)
        if test in paths or any(t in paths for t in included(test)):
            order[test] = 0
    for test in sorted((t for t in order if order[t] is not None), key=lambda t: order[t]):
        print(test)


if __name__ == "__main__":
    main(sys.argv[1:])
