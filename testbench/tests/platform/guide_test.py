#!/usr/bin/env python3
"""Every listing of the pages on platforms must be part of a file that is compiled, or the output of a command.

  guide_test.py CHECKOUT BIN

A listing has a line before it: `<!-- FILE label -->` for the part of FILE between `[label]` and `[/label]`, or
`<!-- output: PROGRAM WORDS -->` for the output of that program in BIN.
"""
import os
import re
import subprocess
import sys
import textwrap

checkout, programs = sys.argv[1:3]
pages = {"docs/platform.md": 10}  # pages with their minimum number of listings


def part(name, label):
    with open(os.path.join(checkout, name), encoding="utf-8") as file:
        lines = file.read().split("\n")
    begin = next(i for i, line in enumerate(lines) if line.strip() in (f"// [{label}]", f"# [{label}]"))
    end = next(i for i, line in enumerate(lines) if line.strip() in (f"// [/{label}]", f"# [/{label}]"))
    return textwrap.dedent("\n".join(lines[begin + 1:end]))


def output(words):
    done = subprocess.run([os.path.join(programs, words[0]), *words[1:]], capture_output=True, text=True, check=True,
                          env={**os.environ, "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"})
    return done.stdout.rstrip("\n")


wrong = []
for page, least in pages.items():
    with open(os.path.join(checkout, page), encoding="utf-8") as file:
        text = file.read()
    listings = list(re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    for listing in listings:
        before = text[:listing.start()].rstrip("\n").split("\n")[-1]
        where = f"{page}:{text.count(chr(10), 0, listing.start()) + 1}"
        mark = re.fullmatch(r"<!-- (.*) -->", before)
        if mark is None:
            wrong.append(f"{where}: a listing without a mark")
            continue
        kind, *words = mark.group(1).split()
        expected = output(words) if kind == "output:" else part(kind, words[0])
        if listing.group(2).rstrip("\n") != expected:
            wrong.append(f"{where}: not what {mark.group(1)} has, which is:\n{expected}")
    if len(listings) < least:
        wrong.append(f"{page}: {len(listings)} listings; there were more")
sys.exit("\n".join(wrong) if wrong else 0)
