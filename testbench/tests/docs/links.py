#!/usr/bin/env python3
"""Tests that every relative link of every page names a file, and with a # one of its headings.

    links.py FOLDER       the checkout
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()


def prose_of(page):
    """The page without listings and code."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^    .*$", "", text, flags=re.MULTILINE))


def anchors_of(page):
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL),
                          re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in plain}


bad = pages = 0
for page in sorted(root.rglob("*.md")):
    name = page.relative_to(root)
    if name.parts[0].startswith(("build", ".")):
        continue
    pages += 1
    for link in re.findall(r"\]\(([^)\s]+)\)", prose_of(page)):
        file, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = (page.parent / file).resolve() if file else page
        if not target.exists():
            print(f"{name}: {link}: no such file")
        elif anchor and anchor not in anchors_of(target):
            print(f"{name}: {link}: no such heading")
        else:
            continue
        bad += 1
print(f"{pages} pages, {bad} links that lead nowhere")
sys.exit(1 if bad or pages < 50 else 0)
