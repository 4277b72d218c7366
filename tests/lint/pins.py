#!/usr/bin/env python3
# Every section of the specification names the tests that hold it, and they exist.
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/lint/pins.py

The last section of each chapter docs/spec/N-*.md is "Tests that pin it down", and docs/spec/tests/N-*.csv its table, with a
row for each other section of the chapter. The head of a column says where the names in it must be found:
unit tests (a test of cmocka), benches (tb/benches.txt), proofs (tb/formal.txt), planted bugs
(tests/faults/faults*.txt), others (a diagram in tb/diagrams, a group of tests/groups.txt, a file).
Sections that begin with "Where in" need no row; the modules that docs/spec/modules/N-*.csv lists must be in rtl/ or fpga/link/. A chapter
that says that neither RTL nor model has it yet is left alone. Prints each violation as
`file:line: what`; ends with 1 when there is one. tests/lint/selftest.sh proves that each can fail.
"""
import csv
import glob
import os
import re
import sys

TITLE = "Tests that pin it down"
UNBUILT = "neither RTL nor model has this chapter yet"


def lines(path):
    with open(path, encoding="utf-8") as f:
        return f.read().splitlines()


def first_words(path):
    return {l.split()[0] for l in lines(path) if l.strip() and not l.startswith("#")}


def unit_tests():
    found = set()
    shared = "\n".join(l for path in glob.glob("tests/unit/**/*_tests.h", recursive=True) for l in lines(path))
    for path in glob.glob("tests/unit/**/test_*.c", recursive=True):
        text = "\n".join(lines(path)) + shared
        for name in re.findall(r"\b(?:cmocka_unit_test\w*|IN_\w+|TEST(?:_WITH)?)\(\s*(\w+)", text):
            if re.search(rf"static void {name}\(void \*\*state\)|^TEST(_WITH)?\({name}\b", text, re.M):
                found.add(name)
    return found


def benches():
    return {n for n in first_words("tb/benches.txt") if os.path.isfile(f"tb/{n}.sv")}


def planted():
    return {l.split()[1] for path in glob.glob("tests/faults/faults*.txt") for l in lines(path)
            if l.startswith("fault ")}


class Others:
    def __init__(self):
        self.groups = {l.split("|")[0].strip("& ") for l in lines("tests/groups.txt")}

    def __contains__(self, name):
        return (os.path.isfile(f"tb/diagrams/{name}.txt") or name in self.groups
                or ("/" in name and os.path.isfile(name)))


def columns():
    return {"unit tests": unit_tests(), "benches": benches(), "proofs": first_words("tb/formal.txt"),
            "planted bugs": planted(), "others": Others()}


def cells(line):
    return [c.strip() for c in line.strip().strip("|").split("|")]


def table(path, known):
    """Violations of the table; the last item is the set of its sections, and how many names there are."""
    rows, names = set(), 0
    if not os.path.isfile(path):
        yield f"{path}: is not there"
        yield (rows, names)
        return
    with open(path, encoding="utf-8", newline="") as f:
        head, *cells_of = csv.reader(f)
    for column in head[1:]:
        if column not in known:
            yield f"{path}:1: unknown column '{column}'; there are: {', '.join(known)}"
    for i, row in enumerate(cells_of, 2):
        rows.add(row[0].lstrip("§"))
        named = 0
        for column, cell in zip(head[1:], row[1:]):
            for name in re.findall(r"`([^`]+)`", cell):
                named += 1
                if name not in known.get(column, ()):
                    yield f"{path}:{i}: {row[0]}: no such test among the {column}: {name}"
        if not named:
            yield f"{path}:{i}: {row[0]} is held by no test"
        names += named
    yield (rows, names)


def modules(path):
    """Violations of a chapter's list of modules."""
    with open(path, encoding="utf-8", newline="") as f:
        for i, row in enumerate(csv.reader(f), 1):
            for name in re.findall(r"`(\w+)`", row[0]):
                if not any(os.path.isfile(f"{d}/{name}.v") for d in ("rtl", "fpga/link")):
                    yield f"{path}:{i}: module {name} is not in rtl/ or fpga/link/"


def chapter(path, known):
    text = lines(path)
    if any(UNBUILT in l for l in text):
        return
    headings = [(i, *m.groups()) for i, l in enumerate(text)
                for m in [re.match(r"## (\d+\.\d+) (.*)", l)] if m]
    if not headings or headings[-1][2] != TITLE:
        yield f"{path}:{len(text)}: the last section must be '{TITLE}'"
        return
    rows, names = set(), 0
    tests = f"docs/spec/tests/{os.path.basename(path)[:-3]}.csv"
    if f"(tests/{os.path.basename(tests)})" not in "\n".join(text[headings[-1][0]:]):
        yield f"{path}:{headings[-1][0] + 1}: has no link to {tests}"
    for found in table(tests, known):
        if isinstance(found, tuple):
            rows, names = found
        else:
            yield found
    for i, number, title in headings[:-1]:
        if not title.startswith("Where in"):
            if number not in rows:
                yield f"{path}:{i + 1}: §{number} has no row in '{TITLE}'"
            continue
        yield from modules(f"docs/spec/modules/{os.path.basename(path)[:-3]}.csv")
    for number in sorted(rows - {h[1] for h in headings}):
        yield f"{tests}: there is no §{number}"
    yield names


def tiers():
    """Violations of CONTRIBUTING.md's table of tiers: each group of tests/groups.txt stands in the row of its tier."""
    said = {row[0]: " ".join(row[1:4]) for row in map(cells, lines("CONTRIBUTING.md")) if len(row) == 5}
    for line in lines("tests/groups.txt"):
        group = [c.strip("& ") for c in line.split("|")]
        if line.startswith("#") or len(group) < 2:
            continue
        tier = "recorded" if group[1] == "part" else group[1]
        if group[0] not in re.findall(r"[a-z0-9-]+", said.get(tier, "")):
            yield f"CONTRIBUTING.md: the table of tiers lacks {group[0]} in the row '{tier}'"


def main():
    known = columns()
    empty = [c for c, names in known.items() if c != "others" and not names]
    for column in empty:
        print(f"no {column} were found at all")
    bad, names, chapters = len(empty), 0, sorted(glob.glob("docs/spec/[0-9]*.md"))
    for path in chapters:
        for found in chapter(path, known):
            if isinstance(found, int):
                names += found
            else:
                print(found)
                bad += 1
    for found in tiers():
        print(found)
        bad += 1
    bad += not names
    print(f"{'not ok' if bad else 'ok'} pins ({len(chapters)} chapters, {names} names of tests, {bad} violations)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
