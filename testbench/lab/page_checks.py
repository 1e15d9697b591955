"""Checks of the laboratory's page in a browser: what is in view at five sizes, lessons, keyboard, steps, accessibility."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
AXE = pathlib.Path("/usr/local/share/axe-core/axe.min.js")  # by scripts/install-dependencies --test

SIZES = {"1280": (1280, 720), "1366": (1366, 768), "1440": (1440, 900), "1920": (1920, 1080), "phone": (390, 844)}
IN_VIEW = ["#timeline", "#cursor", ".legend", "#lesson-panel"]  # with the counter's lane, strip and value inside the timeline
LEAST_CANVAS = 240  # pixels: a lane, requests and some rows

# Rectangles of the elements; and whether something else covers their middle.
BOXES = """(() => {
  const boxes = {};
  for (const name of %s) {
    const box = document.querySelector(name).getBoundingClientRect();
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    boxes[name] = [box.left, box.top, box.right, box.bottom, Boolean(at?.closest(name))];
  }
  return { boxes, width: innerWidth, height: innerHeight, wide: document.documentElement.scrollWidth };
})()"""
# Names of what a finger cannot hit: less than 24 pixels wide or high. A box is hit by its label, too.
SMALL = """[...document.querySelectorAll("button, input, select, summary")].filter((one) => {
  const box = (one.closest("label") ?? one).getBoundingClientRect();
  return box.width > 0 && (box.width < 23.9 || box.height < 23.9);
}).map((one) => one.getAttribute("aria-label") || one.textContent || one.parentElement.textContent)"""


def resize(browser, size, phone=False):
    browser.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=phone)
    browser.call("Emulation.setTouchEmulationEnabled", enabled=phone)


def wait(browser, condition):
    """Waits up to 10 s until an expression is true; returns its value."""
    return browser.evaluate(f"""new Promise((done) => {{
      const look = (n) => {{ const value = {condition}; return value || n === 0 ? done(value) : setTimeout(look, 20, n - 1); }};
      look(500);
    }})""")


def clocked(browser):
    """Waits until the counters are known in the visible cycles; returns what is seen there."""
    return browser.evaluate("""import('lab/main.js').then(async (main) => {
      const timeline = main.shownTimeline();
      for (let i = 0; i < 500 && !(timeline.seen().clocked >= timeline.view[1]); ++i) await new Promise((done) => setTimeout(done, 20));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
      return timeline.seen();
    })""")


def visit(browser, address):
    browser.call("Page.navigate", url="about:blank")
    browser.open(address)
    message = browser.evaluate("document.getElementById('message').textContent")
    return [f"{address[-40:]}: {message}"] if message else []


def check_sizes(browser, address, pictures, sizes):
    problems = []
    for name, size in sizes.items():
        resize(browser, size, name == "phone")
        problems += visit(browser, address + "#l=threshold")
        seen = clocked(browser)
        browser.evaluate("document.getElementById('step').click()")
        found = browser.evaluate(BOXES % json.dumps(IN_VIEW))
        for element, (left, top, right, bottom, on_top) in found["boxes"].items():
            if left < 0 or top < 0 or right > found["width"] + 0.5 or bottom > found["height"] + 0.5 or not on_top:
                problems.append(f"{name}: {element} at {left:.0f},{top:.0f} to {right:.0f},{bottom:.0f} is not in view")
        _, top, _, bottom, _ = found["boxes"]["#timeline"]
        if bottom - top < LEAST_CANVAS:
            problems.append(f"{name}: the timeline is {bottom - top:.0f} pixels high, expected {LEAST_CANVAS}")
        if found["wide"] > found["width"]:
            problems.append(f"{name}: the page is {found['wide']} pixels wide, the window {found['width']}")
        if seen["rows"] < 8 or seen["rowHeight"] < 8:
            problems.append(f"{name}: {seen['rows']} rows of {seen['rowHeight']} pixels, expected 8 of 8 or more")
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
            browser.screenshot(pictures / f"{name}.png")
    resize(browser, SIZES["1366"])
    return problems


def check_lessons(browser, address, each):
    """Each lesson, or each third one, opens where what it speaks of is in view."""
    problems = visit(browser, address)
    for lesson in json.loads((HERE / "lessons/lessons.json").read_text())[::each]:
        browser.evaluate(f"location.hash = '#l={lesson['id']}'; new Promise(setTimeout).then(() => import('lab/main.js')).then((main) => main.quiet())")
        message = browser.evaluate("document.getElementById('message').textContent")
        if message:
            problems.append(f"lesson {lesson['id']}: {message}")
        seen = clocked(browser)
        for what, least in lesson["shows"].items():
            if seen.get(what, 0) < least:
                problems.append(f"lesson {lesson['id']}: {seen.get(what, 0)} of '{what}' in view, expected {least}")
    return problems


def key(browser, name, shift=False):
    keys = {"Tab": 9, "ArrowLeft": 37, "ArrowRight": 39, "ArrowUp": 38, "ArrowDown": 40}
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=keys[name], modifiers=8 if shift else 0)


def focus(browser):
    return browser.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.textContent.trim()")


def check_keyboard(browser, address):
    """A skip link leads to the timeline, which steps; a register is one stop of the Tab key, and its bits have words."""
    problems = visit(browser, address + "#t=athlon&p=athlon-quicksort&e=RETIRED_INSTRUCTIONS:c=1")
    expect = lambda condition, text: condition or problems.append(f"keyboard: {text}")
    clocked(browser)
    stops = browser.evaluate("[...document.querySelectorAll('.register')].map((one) => [...one.querySelectorAll('*')].filter((part) => part.tabIndex >= 0).length)")
    expect(set(stops) == {1}, f"the registers have {stops} stops of the Tab key, expected one each")
    key(browser, "Tab")
    expect(focus(browser) == "Skip to the timeline", f"the first stop is '{focus(browser)}'")
    browser.evaluate("document.activeElement.click()")
    expect(browser.evaluate("document.activeElement.id") == "timeline", "the skip link does not lead to the timeline")
    expect("p=athlon-quicksort" in browser.evaluate("location.hash"), "the skip link changes the page's state")
    cycle = "document.getElementById('cursor').textContent.split('\\n')[0]"
    key(browser, "ArrowRight", shift=True)
    first = browser.evaluate(cycle)
    key(browser, "ArrowRight", shift=True)
    expect(first.startswith("Cycle ") and browser.evaluate(cycle) != first, f"the cursor does not step: {first}")
    browser.evaluate("document.querySelector('.register .bit').focus()")
    begin = focus(browser)
    key(browser, "ArrowRight")
    bit = focus(browser)
    expect(bit != begin and "bit" in bit, f"the arrow key does not lead to the next bit: {begin}, {bit}")
    expect(len(browser.evaluate("document.getElementById('help').textContent")) > 10, "a bit with the focus has no words in the page")
    browser.evaluate("document.getElementById('open').focus()")
    expect("activity" in browser.evaluate("document.getElementById('help').textContent"), "a button of the head has no words in the page")
    browser.evaluate(f"document.querySelector('[aria-label=\"{bit}\"]').focus()")
    key(browser, "ArrowUp")
    expect(focus(browser) == "PerfEvtSel0 value", f"the upper arrow key leads to '{focus(browser)}'")
    key(browser, "ArrowDown")
    expect(focus(browser) == bit, f"the lower arrow key leads to '{focus(browser)}'")
    key(browser, "Tab")
    expect("PerfEvtSel1" in focus(browser), f"after the bits of a register Tab leads to '{focus(browser)}'")
    return problems


def check_steps(browser, address):
    """Playing moves the cursor and changes the bits; settings are compared side by side; the picture is saved as SVG."""
    problems = visit(browser, address + "#t=athlon&p=athlon-quicksort&e=RETIRED_INSTRUCTIONS&v=2000-2020")
    expect = lambda condition, text: condition or problems.append(f"steps: {text}")
    clocked(browser)
    boxes = "[...document.querySelectorAll('#attributes label')].map((one) => [one.textContent.trim(), one.querySelector('input').checked])"
    checked = dict(browser.evaluate(boxes))
    expect(checked.get("k") and checked.get("u"), f"k and u count and are not checked: {checked}")
    press = lambda identity: browser.evaluate(f"document.getElementById('{identity}').click()")
    text = lambda: browser.evaluate("document.getElementById('cursor').textContent")
    number = lambda told: int(told.split("\n")[0].replace("Cycle ", "").replace(",", ""))
    press("step")
    first = number(text())
    press("step")
    expect(number(text()) == first + 1, "a step is not a cycle")
    press("back")
    expect(number(text()) == first, "back is not one cycle")
    press("play")
    expect(wait(browser, f"document.querySelector('#cursor .digits b') && !document.getElementById('cursor').textContent.startsWith('Cycle {first:,}\\n')"),
           "playing changes no bit")
    press("play")
    # The bits are those of the value: both are shown.
    value, digits = browser.evaluate("[/value ([\\d,]+)/.exec(document.getElementById('cursor').textContent)[1], document.querySelector('#cursor .digits').textContent]")
    expect(int(value.replace(",", "")) % 4096 == int(digits.replace(" ", ""), 2), f"value {value} has the bits {digits}")
    before = browser.evaluate("document.querySelector('[data-counter]').textContent")
    press("keep")
    browser.evaluate("document.querySelector('[aria-label=\"PerfEvtSel0 CNT_MASK bit 24\"]').click()")
    wait(browser, f"document.querySelector('[data-counter]').textContent !== '{before}'")
    row = browser.evaluate("[...document.querySelector('[data-counter]').parentElement.cells].map((cell) => cell.textContent)")
    expect(before in row and row[2] != before, f"the counts of before and after are not side by side: {row}")
    clocked(browser)
    press("step")
    expect("before: PerfCtr0" in text() and "\nPerfCtr0: " in text(), "the lanes of before and after are not side by side")
    svg = browser.evaluate("import('lab/main.js').then((main) => main.shownTimeline().svg('a title'))")
    wrong = browser.evaluate(f"""(() => {{
      const root = new DOMParser().parseFromString({json.dumps(svg)}, "image/svg+xml").documentElement;
      return root.querySelector("parsererror") ? "no XML" : root.querySelectorAll("rect").length < 20 ? "few rectangles" :
        [...root.querySelectorAll("text")].some((one) => one.textContent === "PerfCtr0") ? "" : "no name of a counter";
    }})()""")
    expect(wrong == "", f"the SVG picture has {wrong}")
    problems += visit(browser, address + "#l=ear")  # no load of its program takes so long
    expect(wait(browser, "document.getElementById('why').textContent.includes('does not happen here')"), "a counter without steps does not say why")
    return problems


def check_accessibility(browser, address):
    """What axe-core finds in the rules of WCAG 2.2, level AA, and of dark colours their contrast; and on the phone."""
    if not AXE.exists():
        return [f"{AXE} is missing: scripts/install-dependencies --test installs it"] if os.environ.get("PMUSIM_REQUIRE_TOOLS") else []
    problems = []
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], "rules": {"target-size": {"enabled": True}}}
    for name, dark in (("1366", False), ("1366", True), ("phone", False)):
        checked = {**rules, "runOnly": {"type": "rule", "values": ["color-contrast"]}} if dark else rules
        browser.media(dark=dark)
        resize(browser, SIZES[name], name == "phone")
        problems += visit(browser, address + "#l=path")
        clocked(browser)
        browser.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        browser.call("Runtime.evaluate", expression=AXE.read_text())
        found = browser.evaluate(f"axe.run(document, {json.dumps(checked)}).then((all) => all.violations.map((one) => [one.id, one.help, one.nodes.map((node) => node.html)]))")
        if name == "phone":
            problems += [f"phone: less than 24 pixels: {one}" for one in browser.evaluate(SMALL)[:8]]
        problems += [f"axe-core, {name}{' in dark colours' if dark else ''}: {rule}: {text}: {nodes[0][:160]} and {len(nodes) - 1} more" for rule, text, nodes in found]
    browser.media()
    resize(browser, SIZES["1366"])
    return problems


def printed(browser, page):
    """Errors of the printed page: its text must be complete, without controls that only a screen can use. Its registers fill
    so much of a page that the steps of the count would be on two."""
    wrong = []
    link = "#t=athlon&p=athlon-quicksort&e=RETIRED_INSTRUCTIONS:c=1:i:e&e=RETIRED_INSTRUCTIONS"
    for dark in (False, True):
        browser.media("", dark)
        wrong += visit(browser, page + link)
        clocked(browser)
        count = browser.evaluate("document.querySelector('[data-counter]').textContent")
        with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
            file.write(browser.pdf())
            file.flush()
            text = subprocess.run(["pdftotext", "-layout", file.name, "-"], stdout=subprocess.PIPE, text=True).stdout
        for part in ["pmusim laboratory", "RETIRED_INSTRUCTIONS", "Control registers", "PerfEvtSel0", "Timeline", "Counts",
                     "Why this count", count]:
            if part not in text:
                wrong.append(f"on paper: '{part}' is missing")
        if not any("Why this count" in one and "added to the counter" in one for one in text.split("\f")):
            wrong.append("on paper: the steps of a count are on two pages")
        wrong += [f"on paper: '{part}' is of no use there" for part in ["Copy link", "Open .pma"] if part in text]
        browser.media("screen", dark)
        corner = """(() => {
          dispatchEvent(new Event("beforeprint"));
          const canvas = document.getElementById("timeline"), pixel = canvas.getContext("2d").getImageData(2, canvas.height - 2, 1, 1);
          dispatchEvent(new Event("afterprint"));
          return [...pixel.data];
        })()"""
        if browser.evaluate(corner) != [255, 255, 255, 255]:
            wrong.append(f"on paper, {'dark' if dark else 'light'} scheme: the timeline is not drawn on white")
        browser.media("print", dark)
        colours = browser.evaluate("['--ground', '--ink'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim())")
        if colours != ["#ffffff", "#1c2430"]:
            wrong.append(f"on paper, {'dark' if dark else 'light'} scheme: ground and ink are {colours}")
        browser.media()
    return wrong


def check(browser, address, pictures, some=False):
    """`some`: the smallest window, the phone and each third lesson."""
    sizes = {name: SIZES[name] for name in ("1280", "phone")} if some else SIZES
    problems = check_sizes(browser, address, pictures, sizes) + check_lessons(browser, address, 3 if some else 1)
    for part in (check_keyboard, check_steps, check_accessibility):
        problems += part(browser, address)
    return problems + (printed(browser, address) if shutil.which("pdftotext") else [])
