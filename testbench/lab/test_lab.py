#!/usr/bin/env python3
"""Tests the laboratory's page in a headless Chromium.

Random requests for each target are counted by `pmusim run` and by the page, and have to agree; every lesson has to take
its right answer and to refuse its wrong one. What a lesson asks as a number is counted by `pmusim`, too.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RECORDED = ROOT / "isa-traces" / "recorded"
MOST_CYCLES_OF_STEPS = 1  # of so many requests a target the steps are added up, too


def call(pmusim, *words):
    done = subprocess.run([pmusim, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.stdout if done.returncode == 0 else None


def events_of(pmusim, target):
    return [json.loads(line) for line in call(pmusim, "events", "-t", target, "--format", "json").splitlines()]


def session(program, target):
    words = ["-t", target, "--roi", program["region"]]
    for trace in program["traces"]:
        words += ["--trace", RECORDED / f"{trace}.pmt"]
    return words


def random_event(draw, target, table):
    event = draw.choice(table)
    parts = [event["event"]]
    masks = [mask["name"] for mask in event.get("unit_masks", [])]
    if masks and draw.random() < 0.8:
        parts.append(draw.choice(masks))
    if target == "athlon":
        parts += draw.sample(["u", "k", f"c={draw.randint(1, 3)}", "i", "e"], draw.randint(0, 3))
    elif target.startswith("ppc") and draw.random() < 0.3:
        parts += ["u" if draw.random() < 0.5 else "k"]
    elif target in ("itanium2", "montecito") and draw.random() < 0.5:
        parts += [draw.choice(["u", "k", "t=0", "t=1", "t=2"])]
    return ":".join(parts)


def requests(pmusim, target, programs, count, draw):
    """Random groups of events that `pmusim run` takes, with its counts."""
    table = events_of(pmusim, target)
    found = []
    for _ in range(40 * count):
        if len(found) == count:
            break
        program = draw.choice(programs)
        events = [random_event(draw, target, table) for _ in range(draw.randint(1, 2))]
        words = [word for event in events for word in ("-e", event)]
        output = call(pmusim, "run", *session(program, target), *words, "--format", "json")
        if output is None:
            continue
        counts = [{"thread": one.get("thread", 0), "counter": one["counter"], "value": one["value"]}
                  for one in json.loads(output)["counts"]]
        found.append({"target": target, "program": program["id"], "events": events, "counts": counts,
                      "steps": len(found) < MOST_CYCLES_OF_STEPS})
    return found


def answer(pmusim, lesson, measure, programs):
    """The number that a lesson asks for, as pmusim counts it; None for what only the page can tell."""
    if "until" in measure:
        return None
    state = {**lesson["state"], **measure["of"]}
    program = next(one for one in programs if one["id"] == state["program"])
    words = session(program, state["target"]) + [word for event in state["events"] for word in ("-e", event)]
    if measure.get("samples"):
        words += ["--period", state["sampling"]["period"], "--no-randomize", "--format", "json"]
        lines = [json.loads(line) for line in call(pmusim, "record", *words).splitlines()]
        return sum(1 for line in lines if "cycle" in line)
    counts = json.loads(call(pmusim, "run", *words, "--format", "json"))["counts"]
    value = next(one["value"] for one in counts
                 if one["counter"] == measure["count"] and one.get("thread", 0) == measure.get("thread", 0))
    return value // answer(pmusim, lesson, measure["divide"], programs) if "divide" in measure else value


def dumped(browser, page, profile):
    words = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
             "--virtual-time-budget=3000000", "--dump-dom", page.as_uri()]
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=1800).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pmusim", default=ROOT / "build/release/bin/pmusim")
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--requests", type=int, default=20, help="random requests a target (20)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    programs = json.loads((HERE / "programs.json").read_text())
    lessons = json.loads((HERE / "lessons" / "lessons.json").read_text())
    draw = random.Random(options.seed)
    cases = {"requests": [], "lessons": {}}
    for target in sorted({target for program in programs for target in program["targets"]}):
        fitting = [one for one in programs if target in one["targets"] and "long" not in one["title"]]
        cases["requests"] += requests(options.pmusim, target, fitting, options.requests, draw)
    for lesson in lessons:
        if "number" in lesson["question"]:
            cases["lessons"][lesson["id"]] = answer(options.pmusim, lesson, lesson["question"]["number"], programs)
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "cases.json"
        file.write_text(json.dumps(cases))
        subprocess.run([ROOT / "scripts" / "build-lab", "--with", file], check=True, stdout=subprocess.DEVNULL)
        text = dumped(options.browser, ROOT / "build/lab/pmusim-lab-test.html", scratch)
    match = re.search(r"VERDICT (\{.*?\}) END", text, re.S)
    if not match:
        sys.exit("test-lab: the page left no verdict")
    verdict = json.loads(match.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    print(f"{verdict['requests']} requests and {verdict['lessons']} lessons")
    for failure in verdict["failures"]:
        print(f"  {failure}")
    sys.exit(1 if verdict["failures"] else 0)


if __name__ == "__main__":
    main()
