#!/usr/bin/env python3
"""Tests that every relative link of every page names a file, and with a # one of its headings; that no line of a page
below docs/, and no row of a table of any page, is longer than 200 characters; and that docs/ has at most 30 pages that are
written by hand.

    links.py FOLDER       the checkout
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
longest_line = 200
most_pages = 30
generated = ["judged-encoders.md"]  # written by a command, as are those of docs/generated
measured = ["benchmarks.md"]  # its tables are records of measurements, most of them written by scripts/benchmark


def prose_of(page):
    """The page without listings and code."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^    .*$", "", text, flags=re.MULTILINE))


def anchors_of(page):
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL),
                          re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in plain}


def written_by_hand():
    docs = root / "docs"
    return [page for folder in (docs, docs / "targets") for page in sorted(folder.glob("*.md"))
            if page.name not in generated]


def pages_of_the_tree():
    return [page for page in sorted(root.rglob("*.md")) if not page.relative_to(root).parts[0].startswith(("build", "."))]


def complaints_about_lines():
    """Lines that are too long. Listings (indented by four) show what a command prints and are left alone."""
    for page in written_by_hand():
        if page.name in measured:
            continue
        for number, line in enumerate(page.read_text().splitlines(), 1):
            if len(line) > longest_line and not line.startswith("    "):
                yield f"{page.relative_to(root)}:{number}: {len(line)} characters, expected at most {longest_line}"
    for page in pages_of_the_tree():
        for number, line in enumerate(page.read_text().splitlines(), 1):
            if len(line) > longest_line and line.startswith("|"):
                yield f"{page.relative_to(root)}:{number}: a row of {len(line)} characters, expected at most {longest_line}"


def complaints_about_pages():
    pages = [page for page in written_by_hand() if page.parent.name == "docs"]
    if len(pages) > most_pages:
        yield f"docs: {len(pages)} pages written by hand, expected at most {most_pages}"


bad = pages = 0
for page in pages_of_the_tree():
    name = page.relative_to(root)
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
complaints = [*complaints_about_lines(), *complaints_about_pages()]
for complaint in complaints:
    print(complaint)
sys.exit(1 if bad or complaints or pages < 50 else 0)
