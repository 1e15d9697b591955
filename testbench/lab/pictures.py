#!/usr/bin/env python3
"""Takes the pictures of docs/laboratory.md: the page of `pmusim lab` in a headless Chromium, in some of its states.

  pictures.py [NAME...]          all, or some of them -> docs/pictures/NAME.png; look at them before they are kept
"""

import pathlib
import sys

from chromium import Chromium
from test_server import Lab

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# Name: the state's link, dark or not, and the pointer's position: x and y as fractions of the timeline.
PICTURES = {
    "laboratory": ("#l=overflow&t=ppc750gx&p=ppc-quicksort&e=INSTRUCTIONS_COMPLETED&s=PMC1,100&v=740-760", False, (0.9, 0.86)),
    "laboratory-edges": ("#t=athlon&p=athlon-quicksort&e=RETIRED_INSTRUCTIONS:c=1:i:e&e=RETIRED_INSTRUCTIONS:c=1:i&v=10065-10095",
                         False, None),
    "laboratory-long": ("#t=athlon&p=athlon-lz77&e=RETIRED_INSTRUCTIONS&e=DATA_CACHE_MISSES&e=DISPATCH_STALLS&v=0-103997",
                        False, None),
    "laboratory-path": ("#l=path&t=itanium2&p=itanium2-recursion&e=BRANCH_EVENT&q=btb%3Dtm%3Dtaken&v=905-925", True, (0.588, 0.9)),
    "laboratory-threads": ("#l=threads&t=montecito&p=montecito-two&e=CPU_OP_CYCLES_ALL&e=THREAD_SWITCH_EVENTS_ALL&v=440-460",
                           False, None),
}
CLOCKED = "new Promise((done) => setTimeout(done, 4000))"  # waits until the counters of a long program are clocked
POINT = """(() => {{
  const canvas = document.getElementById("timeline"), box = canvas.getBoundingClientRect();
  const at = {{ clientX: box.left + box.width * {x}, clientY: box.top + box.height * {y} }};
  canvas.dispatchEvent(new PointerEvent("pointermove", at));
  return new Promise((done) => setTimeout(done, 200));
}})()"""


def main():
    names = sys.argv[1:] or list(PICTURES)
    with Lab(ROOT / "build/release/bin/pmusim") as lab, Chromium(size=(1440, 900)) as browser:
        for name in names:
            if name not in PICTURES:
                sys.exit(f"pictures.py: no picture '{name}'; there are: {', '.join(PICTURES)}")
            link, dark, pointer = PICTURES[name]
            browser.call("Page.navigate", url="about:blank")
            browser.media(dark=dark)
            browser.open(lab.address + link)
            browser.evaluate(CLOCKED)
            if wrong := browser.evaluate("document.getElementById('message').textContent"):
                sys.exit(f"pictures.py: {name}: {wrong}")
            if pointer:
                browser.evaluate(POINT.format(x=pointer[0], y=pointer[1]))
            browser.screenshot(ROOT / "docs/pictures" / f"{name}.png")


if __name__ == "__main__":
    main()
