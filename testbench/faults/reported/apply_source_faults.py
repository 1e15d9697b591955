#!/usr/bin/env python3
"""Writes copies of sources with the faults of a table (source_faults.txt) in them, each behind a switch.

    apply_source_faults.py TABLE SOURCES FOLDER    writes FOLDER/FILE for each file that the table names
    apply_source_faults.py --files TABLE           prints the files

Exit code 2 if the lines of a fault are not in its file exactly once.
"""
import pathlib
import re
import sys

switch = "testbench/faults/reported/switch.h"


def fail(text):
    sys.exit(print(text, file=sys.stderr) or 2)


def faults_of(table):
    """[(name, file, old lines, new lines)]"""
    faults = []
    for number, line in enumerate(table.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        head = re.fullmatch(r"\[([\w-]+)\] (\S+)", line)
        if head:
            faults.append((head[1], head[2], [], []))
        elif line[:2] in ("- ", "+ ") and faults:
            faults[-1][2 if line[0] == "-" else 3].append(line[2:])
        else:
            fail(f"{table}:{number}: '{line}' is neither '[NAME] FILE' nor a line with - or +")
    return faults


def apply(lines, name, old, new):
    """The lines of a source with one fault; None if its old lines are not there exactly once."""
    stripped = [line.strip() for line in lines]
    wanted = [line.strip() for line in old]
    places = [i for i in range(len(lines)) if stripped[i:i + len(wanted)] == wanted]
    if len(places) != 1 or not wanted:
        return None
    at = places[0]
    made = [re.sub(r"\bFAULT\b", f'(::pmusim::fault_is_on("{name}"))', line) for line in new]
    return lines[:at] + made + lines[at + len(wanted):]


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--files":
        print("\n".join(dict.fromkeys(file for _, file, _, _ in faults_of(pathlib.Path(arguments[1])))))
        return
    if len(arguments) != 3:
        fail(__doc__.strip())
    table, sources, folder = map(pathlib.Path, arguments)
    copies = {}
    for name, file, old, new in faults_of(table):
        lines = copies.get(file) or (sources / file).read_text().splitlines()
        changed = apply(lines, name, old, new)
        if changed is None:
            fail(f"{table}: fault '{name}': '{old[0].strip() if old else ''}' is not in {file} exactly once")
        copies[file] = changed
    for file, lines in copies.items():
        copy = folder / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = "\n".join([f'#include "{switch}"', f'#line 1 "{sources / file}"'] + lines) + "\n"
        if not copy.exists() or copy.read_text() != text:
            copy.write_text(text)


main(sys.argv[1:])
