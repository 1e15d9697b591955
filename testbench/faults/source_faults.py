#!/usr/bin/env python3
"""Writes copies of sources with faults in their lines, each behind a switch (source_switch.h).

    source_faults.py TABLE SOURCES FOLDER    writes FOLDER/FILE for each file that the table names, and the list of faults

A table has the name and the file of each fault, the lines that it changes (-), and those that take their place (+), in
which FAULT is true while the fault is on. scripts/mutate-cores makes its faults itself and uses the same switch.
Exit code 2 if the lines of a fault are not in its file exactly once.
"""
import pathlib
import re
import sys
import typing


class Fault(typing.NamedTuple):
    name: str
    file: str
    old: list
    new: list


class Edit(typing.NamedTuple):
    """Takes the place of text[begin:end]; FAULT in it is the switch of the fault with this number."""
    begin: int
    end: int
    text: str
    number: int


def fail(text):
    sys.exit(print(text, file=sys.stderr) or 2)


def faults_of(table):
    faults = []
    for number, line in enumerate(table.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        head = re.fullmatch(r"\[([\w-]+)\] (\S+)", line)
        if head:
            faults.append(Fault(head[1], head[2], [], []))
        elif line[:2] in ("- ", "+ ") and faults:
            (faults[-1].old if line[0] == "-" else faults[-1].new).append(line[2:])
        else:
            fail(f"{table}:{number}: '{line}' is neither '[NAME] FILE' nor a line with - or +")
    return faults


def edit_of(fault, number, text):
    """None if the old lines are not in the text exactly once."""
    pattern = r"\n".join(r"[ \t]*" + re.escape(line.strip()) + r"[ \t]*" for line in fault.old)
    places = list(re.finditer(rf"^{pattern}$", text, re.MULTILINE))
    return Edit(*places[0].span(), "\n".join(fault.new), number) if fault.old and len(places) == 1 else None


def copy_of(source, text, edits):
    """The text of a source with edits that do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[:edit.begin] + re.sub(r"\bFAULT\b", f"(::pmusim::fault_is_on({edit.number}))", edit.text) + text[edit.end:]
    return f'#include "testbench/faults/source_switch.h"\n#line 1 "{source}"\n{text}' if edits else text


def put(path, text):
    """Writes a file unless it is the same."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def main(arguments):
    if len(arguments) != 3:
        fail(__doc__.strip())
    table, sources, folder = map(pathlib.Path, arguments)
    faults = faults_of(table)
    edits = {}
    for number, fault in enumerate(faults):
        edit = edit_of(fault, number, (sources / fault.file).read_text())
        if edit is None:
            fail(f"{table}: fault '{fault.name}': '{(fault.old or [''])[0].strip()}' is not in {fault.file} exactly once")
        edits.setdefault(fault.file, []).append(edit)
    for file, of_file in edits.items():
        put(folder / file, copy_of(sources / file, (sources / file).read_text(), of_file))
    put(folder / "source_faults.inc", "".join(f'"{fault.name}",\n' for fault in faults))


if __name__ == "__main__":
    main(sys.argv[1:])
