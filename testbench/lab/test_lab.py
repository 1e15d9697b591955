#!/usr/bin/env python3
"""Tests the laboratory's page in a headless Chromium.

Random requests for each target are counted by `pmusim run` and by the page and must agree; every lesson must accept its
right answer and refuse its wrong one. Numbers that a lesson asks for are counted by `pmusim`, too.
"""

import argparse
import base64
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from chromium import Chromium, status_without
from page_checks import printed
from test_server import Lab

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RECORDED = ROOT / "isa-traces" / "recorded"
VERDICT = "document.getElementById('verdict').textContent"
MOST_CYCLES_OF_STEPS = 1  # for this many requests per target the steps are added up, too


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
    """Random groups of events that `pmusim run` accepts, with its counts."""
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
    """The number that a lesson asks for, as counted by pmusim; None if only the page can compute it."""
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


def activity_files(pmusim, scratch):
    """Files that the page must accept, with a count of `pmusim run --activity`, and files that it must refuse, with the reason."""
    good, bad = [], []
    encoded = lambda file: base64.b64encode(file.read_bytes()).decode()
    for target, trace, event in [("athlon", "i386-units", "DATA_CACHE_ACCESSES"), ("itanium2", "ia64-pipelined", "LOADS_RETIRED")]:
        file = scratch / f"{target}.pma"
        recorded = RECORDED / f"{trace}.pmt"
        call(pmusim, "activity", "record", "-t", target, "--trace", recorded, "--level", 0, "-o", file)
        counts = json.loads(call(pmusim, "run", "--activity", file, "-e", event, "--format", "json"))["counts"]
        good.append({"name": file.name, "content": encoded(file), "target": target, "event": event,
                     "counter": counts[0]["counter"], "value": counts[0]["value"]})
    damaged = scratch / "damaged.pma"
    content = bytearray((scratch / "athlon.pma").read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    packed = scratch / "packed.pma"
    call(pmusim, "activity", "record", "-t", "athlon", "--trace", RECORDED / "i386-units.pmt", "-o", packed)
    for file, says in [(damaged, "checksum"), (packed, "--level 0")]:
        bad.append({"name": file.name, "content": encoded(file), "says": says})
    return {"good": good, "bad": bad}


def levels(pmusim, programs):
    """Cycles in which a register is written by an IA-64 capture unit: as many as the unit's event counts."""
    found = []
    for name, events, level in [("itanium2-listwalk", ["DATA_EAR_EVENTS", "DATA_EAR_CACHE_LAT4"], "data_ear_written")]:
        program = next(one for one in programs if one["id"] == name)
        words = [word for event in events for word in ("-e", event)]
        counts = json.loads(call(pmusim, "run", *session(program, "itanium2"), *words, "--format", "json"))["counts"]
        found.append({"target": "itanium2", "program": name, "events": events, "level": level, "rises": counts[0]["value"]})
    return found


def served(browser, pmusim, cases):
    """The page of `pmusim lab`, to which the cases are added. It reads compressed activity, too."""
    cases["files"]["bad"] = [one for one in cases["files"]["bad"] if one["says"] != "--level 0"]
    with Lab(pmusim) as lab:
        browser.open(lab.address)
        browser.evaluate(f"""(() => {{
          const cases = document.createElement("script");
          Object.assign(cases, {{ id: "cases", type: "application/json", textContent: {json.dumps(json.dumps(cases))} }});
          document.head.append(cases);
          return import("lab/main.js").then((main) => main.selfTest());
        }})()""")
        return json.loads(browser.evaluate(VERDICT))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pmusim", default=ROOT / "build/release/bin/pmusim")
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--served", action="store_true", help="tests the page of pmusim lab, not the single file")
    parser.add_argument("--requests", type=int, default=20, help="random requests a target (20)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if missing := status_without(options.browser):
        sys.exit(missing)
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
    cases["levels"] = levels(options.pmusim, programs)
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        cases["files"] = activity_files(options.pmusim, scratch)
        file = scratch / "cases.json"
        file.write_text(json.dumps(cases))
        if not options.served:
            subprocess.run([ROOT / "scripts" / "build-lab", "--with", file], check=True, stdout=subprocess.DEVNULL)
    with Chromium(options.browser) as browser:
        if options.served:
            verdict = served(browser, options.pmusim, cases)
        else:
            browser.open((ROOT / "build/lab/pmusim-lab-test.html").as_uri())
            verdict = json.loads(browser.evaluate(VERDICT))
            verdict["failures"] += printed(browser, (ROOT / "build/lab/pmusim-lab.html").as_uri())
    print(f"{verdict['requests']} requests and {verdict['lessons']} lessons")
    for failure in verdict["failures"]:
        print(f"  {failure}")
    sys.exit(1 if verdict["failures"] else 0)


if __name__ == "__main__":
    main()
