#!/usr/bin/env python3
"""Checks the sources of the laboratory without building it: programs, lessons, and the page.

  check_sources.py PMUSIM
"""

import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def check_programs(programs):
    expect(len({one["id"] for one in programs}) == len(programs), "programs.json: an id twice")
    for one in programs:
        for trace in one["traces"]:
            expect((ROOT / "isa-traces/recorded" / f"{trace}.pmt").exists(), f"{one['id']}: no trace {trace}")
        expect((ROOT / "isa-traces/programs" / one["source"]).exists(), f"{one['id']}: no source {one['source']}")
        expect(re.fullmatch(r"\d+:\d+", one["region"]), f"{one['id']}: region '{one['region']}' is not BEGIN:END")


def measures(question):
    """Every measure of a question, nested ones too."""
    found = [question["number"]] if "number" in question else []
    for condition in question.get("conditions", []):
        found += [condition["left"]] + ([condition["right"]] if isinstance(condition["right"], dict) else [])
    return found + [one["divide"] for one in found if "divide" in one]


def states(lesson):
    """The lesson's state, and its variants in the question and in the answers."""
    changes = [one["of"] for one in measures(lesson["question"]) if isinstance(one["of"], dict)]
    changes += [lesson[key] for key in ("solution", "wrong") if key in lesson]
    return [{**lesson["state"], **change} for change in [{}, *changes]]


def check_encodes(pmusim, name, state):
    words = [pmusim, "encode", "-t", state["target"]]
    for event in state["events"]:
        words += ["-e", event]
    for key, values in state.get("qualifiers", {}).items():
        for value in values:
            words += [f"--{key}", value]
    if not state["events"]:
        return
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    expect(done.returncode == 0, f"lesson {name}: {done.stderr.strip()}")


def check_lessons(pmusim, lessons, programs):
    fits = {one["id"]: one["targets"] for one in programs}
    expect(len({one["id"] for one in lessons}) == len(lessons) >= 12, "lessons.json: twelve lessons with an id each")
    for lesson in lessons:
        name, question = lesson["id"], lesson["question"]
        expect(("number" in question) != ("conditions" in question), f"lesson {name}: a number or conditions")
        expect("number" in question or {"solution", "wrong"} <= lesson.keys(), f"lesson {name}: solution and wrong")
        expect(lesson["title"] and lesson["text"] and lesson["hint"] and question["text"], f"lesson {name}: texts")
        for state in states(lesson):
            expect(state["target"] in fits.get(state["program"], []), f"lesson {name}: no program {state['program']}")
            check_encodes(pmusim, name, state)


def check_worksheet(pmusim, programs):
    """The counts among the answers are those of the programs of its lessons."""
    rows = re.findall(r"^\| `([A-Z0-9_]+[^`]*)` \| ([\d,]+) \|", (ROOT / "docs/worksheet.md").read_text(), re.MULTILINE)
    expect(len(rows) == 10, f"worksheet.md: {len(rows)} counts, expected 10")
    for event, count in rows:
        name = "ev5-quicksort" if event.startswith("PF5") else "athlon-quicksort"
        program = next(one for one in programs if one["id"] == name)
        done = subprocess.run([pmusim, "run", "-t", program["targets"][0], "--trace", program["traces"][0], "--roi", program["region"],
                               "-e", event, "--format", "json"], capture_output=True, text=True, check=True)
        value = json.loads(done.stdout)["counts"][0]["value"]
        expect(f"{value:,}" == count, f"worksheet.md: {event}: {count}, the model counts {value:,}")


def check_page():
    modules = {f"lab/{path.name}" for path in (HERE / "page").glob("*.js")}
    for path in [*(HERE / "page").iterdir()]:
        text = path.read_text()
        expect(not re.search(r"""(src|href|url)\s*[=(]\s*["']?(https?:)?//""", text), f"{path.name}: leaves the file")
        for module in re.findall(r"""(?:from|import\()\s*["']([^"']+)["']""", text):
            expect(module in modules, f"{path.name}: imports {module}, which is not there")
    index = (HERE / "page/index.html").read_text()
    identities = re.findall(r'id="([^"]+)"', index)
    expect(len(set(identities)) == len(identities), "index.html: an id twice")
    scripts = "".join(path.read_text() for path in (HERE / "page").glob("*.js"))
    for identity in re.findall(r'(?:byId|fill)\("([^"]+)"', scripts):
        expect(identity in {*identities, "cases"}, f"index.html: no element '{identity}'")


def main():
    programs = json.loads((HERE / "programs.json").read_text())
    check_programs(programs)
    check_lessons(sys.argv[1], json.loads((HERE / "lessons/lessons.json").read_text()), programs)
    check_worksheet(sys.argv[1], programs)
    check_page()
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
