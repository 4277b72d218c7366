#!/usr/bin/env python3
# Reads switching activity from SAIF files.
# SPDX-License-Identifier: Apache-2.0
"""Switching activity of a switch's nets, as `heddle wave RUN --activity FILE.saif` writes it."""
import re
import sys

CYCLE = 1000  # time units of a cycle in these files (picoseconds)
TOKEN = re.compile(r'"[^"]*"|[()]|(?:\\.|[^\s()"\\])+')


def nested(tokens):
    """A list of words and lists, up to the bracket that closes it."""
    items = []
    for token in tokens:
        if token == ")":
            return items
        items.append(nested(tokens) if token == "(" else token)
    return items


def read(path):
    """(duration, {net: (share of the time at 1, changes)}); nets by paths with dots."""
    with open(path, encoding="utf-8") as f:
        whole = nested(iter(TOKEN.findall(f.read())))
    if len(whole) != 1 or whole[0][:1] != ["SAIFILE"]:
        sys.exit(f"not ok asic: {path} is no SAIF file")
    fields = {item[0]: item[1:] for item in whole[0] if isinstance(item, list) and item}
    duration = float(fields.get("DURATION", ["0"])[0])
    if duration <= 0 or "INSTANCE" not in fields:
        sys.exit(f"not ok asic: {path} has no DURATION or no INSTANCE")
    found = {}
    add(found, fields["INSTANCE"], "", duration)
    return duration, found


def add(found, instance, prefix, duration):
    """Adds the nets of an instance and of those inside; the outermost one's name is left out."""
    for item in instance[1:]:
        if item[0] == "INSTANCE":
            add(found, item[1:], prefix + unescaped(item[1]) + ".", duration)
        elif item[0] == "NET":
            for name, *counts in item[1:]:
                of = {c[0]: float(c[1]) for c in counts}
                found[prefix + unescaped(name)] = (of.get("T1", 0) / duration, of.get("TC", 0))


def unescaped(name):
    return re.sub(r"\\(.)", r"\1", name)
