#!/usr/bin/env python3
# Checks that the texts which tests replace in a copy of the RTL are still there.
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/lint/planted.py

A test that plants a bug replaces a text of a Verilog or VHDL file. When that file changes, the test compares nothing
until somebody runs it. This check reads the tests in the current directory, takes the replacements that it understands
and tries each on the file as it is:
  lists     `fault NAME RIG FILE` with `-` lines, also within shell scripts (tests/faults, tests/foreign, tests/check)
  scripts   sed commands beside the name of a file (shell, Markdown, tb/formal.txt), and the functions in FUNCTIONS
  tables    those in TABLES: `NUMBER or ROW | MODULE | WHAT | SED`
  C         plant_rtl(DIRECTORY, "FILE", "TEXT", ...), open_planted("FILE", "TEXT", ...) and tables {"FILE", "TEXT", "NEW"}
Prints `FILE:LINE plants a text that RTL has not: TEXT` for each that is gone, and ends with 1. A statement is left out
where the line before it says `# planted: no` and why.
tests/lint/selftest.sh proves that it can fail.
"""
import os
import re
import subprocess
import sys

# Functions of scripts: {(script, function): (file, text, how)}. File and text are positions among the arguments,
# or a name; `sed` means the left side of s///, `text` the text itself.
FUNCTIONS = {
    ("tests/cli/test_stress.sh", "plant"): (2, 3, "sed"),
    ("tests/systemc/run.sh", "broken"): (3, 4, "sed"),
    ("tests/cli/test_early.sh", "rtl"): (2, 3, "text"),
    ("tests/soak/alike.sh", "planted"): ("hd_barrier_decide.v", 2, "script"),
    ("tests/cli/test_against.sh", "bug"): ("one_stage.v", 2, "script"),
    ("tests/cli/test_check_any.sh", "plant"): ("one_stage.v", 2, "script"),
}
TABLES = ("tests/cli/speed/bugs.txt", "tests/mutation/bugs.txt")
HDL = (".v", ".sv", ".vhd")


def tracked(*patterns):
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--", *patterns], check=True, capture_output=True, text=True)
    return [p for p in out.stdout.split("\n") if os.path.isfile(p)]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def places():
    """{name of a file: its paths}. Examples have a hd_switch.v, too; a text may be in any of them."""
    found = {}
    for path in tracked(*("*" + e for e in HDL)):
        found.setdefault(os.path.basename(path), []).append(path)
    return found


def words(text):
    """The words of the shell statement that `text` begins with; None where its quotes do not end."""
    out, word, i = [], None, 0
    while i < len(text):
        c = text[i]
        if text[i:i + 2] == "\\\n":
            i += 2
            continue
        if c in " \t\n;&|()<>" or (c == "#" and word is None):
            if word is not None:
                out.append(word)
            word = None
            if c in "\n#":
                return out
        elif c == "'":
            end = text.find("'", i + 1)
            if end < 0:
                return None
            word, i = (word or "") + text[i + 1:end], end
        elif c == '"':
            i, word = i + 1, word or ""
            while i < len(text) and text[i] != '"':
                i += text[i] == "\\" and text[i + 1:i + 2] in ('"', "\\", "$", "`", "\n")
                word, i = word + text[i:i + 1], i + 1
            if i >= len(text):
                return None
        else:
            i += c == "\\"
            word = (word or "") + text[i:i + 1]
        i += 1
    return out + ([word] if word is not None else [])


def commands(script):
    """The s and d commands of a sed script, each a script of its own; none where it is no such script."""
    found, rest = [], script.strip()
    while rest:
        one = re.match(r"(?:(?:\d+|/(?:\\.|[^/\\])*/)(?:,(?:\d+|\$|/(?:\\.|[^/\\])*/))?)?(?:d(?=\s*(?:;|$))"
                       r"|s([/|@#])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gI0-9]*(?=\s*(?:;|$|\n)))", rest, re.S)
        if not one:
            return []
        found.append(one.group(0))
        rest = rest[one.end():].lstrip(" \t\n;")
    return found


def changes(script, path):
    done = subprocess.run(["sed", script, path], capture_output=True, check=False)
    with open(path, "rb") as f:
        return done.returncode == 0 and done.stdout != f.read()


def holds(text, path):
    """As the fault suite does it: any blanks match any blanks, and the text stands there once."""
    return len(re.findall(r"\s+".join(re.escape(w) for w in text.split()), read(path))) == 1


def of_lists(path, lines):
    """(line, file, text, how) of each fault."""
    file, number, old = None, 0, []
    for n, line in enumerate(lines + ["fault end end end"], 1):
        begins = re.match(r"fault (\S+) +(\S+) +(\S+)$", line)
        if begins:
            if file and old:
                yield number, file, "\n".join(old), "list"
            file, number, old = begins.group(3), n, []
        elif file and re.match(r" +- ", line):
            old.append(line.split("- ", 1)[1])
        elif file and not line.startswith(" "):
            if old:
                yield number, file, "\n".join(old), "list"
            file = None


def of_scripts(path, lines, names):
    taken_to = 0
    for n, line in enumerate(lines, 1):
        if n <= taken_to or line.lstrip().startswith("#") or (n > 1 and "# planted: no" in lines[n - 2]):
            continue
        statement = None
        for length in range(1, 12):
            text = "\n".join(lines[n - 1:n - 1 + length])
            if not text.endswith("\\"):
                statement = words(text)
            if statement is not None:
                break
        if not statement:
            continue
        known = FUNCTIONS.get((path, statement[0]))
        files = [w for w in map(os.path.basename, statement) if w in names]
        if known and len(statement) > known[1]:
            file = known[0].format(*statement) if isinstance(known[0], str) else statement[known[0]]
            found = [(n, file, statement[known[1]], known[2])]
        elif files and not line.lstrip().startswith(("check ", "equal ", "says ")):
            found = [(n, files[-1], w, "script") for w in statement if commands(w)]
        else:
            found = []
        for one in found:
            taken_to = n + length - 1
            yield one


STRING = r'"(?:\\.|[^"\\])*"'


def of_c(path, lines):
    text = "\n".join(lines)
    for one in re.finditer(r'(?:\bplant_rtl\([^,;]*,|\bopen_planted\(|\{)\s*"(\w+\.(?:v|vhd))",\s*((?:' + STRING + r"\s*)+),", text):
        literal = "".join(w[1:-1] for w in re.findall(STRING, one.group(2)))
        plain = re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m.group(1), m.group(1)), literal)
        yield text.count("\n", 0, one.start()) + 1, one.group(1), plain, "text"


def of_tables(path, lines):
    for n, line in enumerate(lines, 1):
        cells = line.split("|", 3)
        if len(cells) == 4 and not line.startswith("#"):
            yield n, cells[1].strip() + ".v", cells[3].strip().replace("BUG", "1"), "script"


def of_formal(path, lines):
    """tb/formal.txt: `NAME | MODULE | PARAMETERS | FILE SED`."""
    for n, line in enumerate(lines, 1):
        cells = line.split("|", 3)
        if len(cells) == 4 and not line.startswith("#"):
            file, _, script = cells[3].strip().partition(" ")
            yield n, file, script, "whole"


def gone(file, text, how, names):
    """Texts of a replacement that no file of that name has."""
    if file not in names:
        return [text] if how in ("list", "whole") else []
    paths = names[file]
    if how == "list":
        return [] if any(holds(text, p) for p in paths) else [text]
    if how == "text":
        return [] if any(read(p).count(text) == 1 for p in paths) else [text]
    if how == "sed":
        how, text = "script", f"s/{text}/\x01/"
    parts = [text] if how == "whole" else commands(text) or [text]
    return [one for one in parts if not any(changes(one, p) for p in paths)]


def main():
    names, failed, count = places(), 0, 0
    for path in tracked("tests", "tb", "docs/*.md"):
        if path.startswith(("tests/records/", "tests/lint/")) or "/corpus/" in path:
            continue
        lines = read(path).split("\n")
        found = []
        if path.endswith((".txt", ".sh")):
            found += of_lists(path, lines)
        if path in TABLES:
            found += of_tables(path, lines)
        elif path == "tb/formal.txt":
            found += of_formal(path, lines)
        elif path.endswith((".sh", ".md")):
            found += of_scripts(path, lines, names)
        elif path.endswith((".c", ".h")):
            found += of_c(path, lines)
        for number, file, text, how in found:
            count += 1
            for one in gone(file, text, how, names):
                failed += 1
                where = " or ".join(names.get(file, [file]))
                print(f"{path}:{number} plants a text that {where} has not: {one}")
    if failed:
        print("where a test changes a line that it has added itself, write `# planted: no` and why in the line before")
    print(f"{'not ok' if failed or not count else 'ok'} planted ({count} texts, {failed} gone)")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
