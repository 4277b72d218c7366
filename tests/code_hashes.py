#!/usr/bin/env python3
# Hashes files as a compiler sees them: a comment of C, C++ or Verilog that is worded anew changes no hash.
# SPDX-License-Identifier: Apache-2.0
"""usage: git ls-files -z ... | tests/code_hashes.py

Reads names of files, each ended by a zero byte; prints a line "HASH NAME" for each. In C, C++, Verilog and SystemVerilog a
comment counts as a blank, and lines without code do not count. A comment that a tool reads (`// verilator lint_off`)
is code. A file in which this program could take code for a comment counts as it stands: one with a raw string, an
open string or comment, a backslash outside of strings and within a line, or a comment that a backslash continues.
All other files, scripts among them, count as they stand.
"""
import hashlib
import os
import re
import sys

READ_BY_TOOLS = re.compile(
    rb"(?i)(//|/\*)[/*!\s]*(ambit|cadence|clang-|coverage|cppcheck|fall|full_case|iwyu|lcov|leda|lint|nolint|parallel_case"
    rb"|pragma|spyglass|synopsys|synthesis|translate_|verilator|xilinx|yosys)")
COMMENT = rb"(?P<unsure>/\*(?!.*?\*/)|//[^\n]*\\\n)|(?P<comment>//[^\n]*|/\*.*?\*/)"
STRING = rb'|"(?:[^"\\\n]|\\.)*"'
CHARACTER = rb"|(?<!\w)'(?:[^'\\\n]|\\.)+'"
ELSE_UNSURE = rb'|(?P<stray>"|\\(?!\n)%s)'
VERILOG = re.compile(COMMENT + STRING + ELSE_UNSURE % rb"", re.DOTALL)
C = re.compile(COMMENT + STRING + CHARACTER + ELSE_UNSURE % rb"""|'|(?<!\w)(?:u8|[uUL])?R(?=")""", re.DOTALL)
TOKENS = {".c": C, ".h": C, ".cpp": C, ".v": VERILOG, ".sv": VERILOG}


def code(text, tokens):
    """The text without comments and lines without code; the text itself where that is not sure."""
    parts, end = [], 0
    for token in tokens.finditer(text):
        if token["unsure"] or token["stray"]:
            return text
        if token["comment"] and not READ_BY_TOOLS.match(token["comment"]):
            parts += [text[end:token.start()], b" "]
            end = token.end()
    lines = []
    for line in b"".join(parts + [text[end:]]).split(b"\n"):
        line = line.rstrip()
        # A blank line ends a macro whose last line ends with a backslash.
        if line or (lines and lines[-1].endswith(b"\\")):
            lines.append(line)
    return b"\n".join(lines)


def main():
    for name in sys.stdin.buffer.read().split(b"\0"):
        if os.path.isfile(name):
            with open(name, "rb") as f:
                text = f.read()
            tokens = TOKENS.get(os.path.splitext(name.decode(errors="replace"))[1])
            sum_ = hashlib.sha256(code(text, tokens) if tokens else text).hexdigest()
            print(sum_, name.decode(errors="backslashreplace"))


main()
