#!/usr/bin/env python3
# The figures of `make timing` that are written down: tb/timing/record.csv, and the table of them in fpga/README.md.
# SPDX-License-Identifier: Apache-2.0
"""usage: tb/timing/record.py [check|write]    compares the table with the record, or writes it

`make timing-record` writes the record. A row says of which RTL it is (`rtl`: of its bytes), and with how many seeds.
"""
import csv
import glob
import hashlib
import os
import sys

RECORD = os.path.join(os.path.dirname(__file__), "record.csv")
PAGE = "fpga/README.md"
BEGIN, END = "<!-- timing: make timing-record writes this table -->\n", "<!-- timing: end -->\n"


def rtl_hash(rtl="rtl"):
    h = hashlib.sha256()
    for path in sorted(glob.glob(os.path.join(rtl, "*.v")) + glob.glob(os.path.join(rtl, "*.vh"))):
        with open(path, "rb") as f:
            h.update(f.read())
    return h.hexdigest()[:12]


def read():
    """The record's rows by the names of their sets."""
    if not os.path.exists(RECORD):
        return {}
    with open(RECORD, encoding="utf-8", newline="") as f:
        return {row["name"]: row for row in csv.DictReader(line for line in f if not line.startswith("#"))}


def add(rows, order):
    """Puts rows into the record, in the order of the sets."""
    known = read() | {row["name"]: row for row in rows}
    with open(RECORD, "w", encoding="utf-8", newline="") as f:
        f.write("# Switches alone on an iCE40 HX8K, as make timing-record measured them.\n# SPDX-License-Identifier: Apache-2.0\n")
        out = csv.DictWriter(f, list(rows[0]), lineterminator="\n")
        out.writeheader()
        out.writerows(known[name] for name in order if name in known)


def differences(row):
    """What a row of today says that the record does not: its median is outside what seeds moved it by then."""
    known = read().get(row["name"])
    if known is None:
        return []
    found = []
    if not float(known["mhz_least"]) <= float(row["mhz_median"]) <= float(known["mhz_most"]):
        found.append(f"{row['mhz_median']} MHz is not within {known['mhz_least']} to {known['mhz_most']}")
    if known["rtl"] == row["rtl"] and known["cells"] != row["cells"]:
        found.append(f"{row['cells']} cells, not {known['cells']}, of the same RTL")
    return found


def table():
    yield "| set | parameters | logic cells | of these at pins | MHz: median (least to most) | seeds |\n"
    yield "|---|---|---|---|---|---|\n"
    for row in read().values():
        parameters = ", ".join(f"`{p}`" for p in row["parameters"].split()) or "the defaults"
        yield (f"| `{row['name']}` | {parameters} | {row['cells']} | {row['at_pins']} | {row['mhz_median']} "
               f"({row['mhz_least']} to {row['mhz_most']}) | {row['seeds']} |\n")


def main(args):
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        print(f"not ok timing: {PAGE} has no place for the table: {BEGIN.strip()} … {END.strip()}")
        return 1
    before, rest = page.split(BEGIN)
    wanted = before + BEGIN + "".join(table()) + END + rest.split(END)[1]
    if args == ["write"]:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(wanted)
    elif page != wanted:
        print(f"{PAGE}: the table of timing is not that of {RECORD}; tb/timing/record.py write mends it")
        print("not ok timing figures")
        return 1
    print(f"ok timing figures ({len(read())} sets)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
