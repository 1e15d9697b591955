"""How fast the laboratory's page is: milliseconds until it is there, and from a change to the new count."""

import statistics

# Turns a bit over and waits, without giving up the processor, for the count that follows.
RECOUNT = """(async () => {
  const shown = () => document.querySelector('[data-counter]').textContent, before = shown();
  const from = performance.now();
  document.querySelector('[aria-label="PerfEvtSel0 CNT_MASK bit 24"]').click();
  for (let i = 0; i < 1000 && shown() === before; ++i) await null;
  if (shown() === before) throw new Error("the count does not follow the bit");
  const took = performance.now() - from;
  await new Promise((done) => setTimeout(done, 50));
  return took;
})()"""
# Frames while the timeline zooms over all of a long program.
FRAMES = """(async () => {
  const canvas = document.getElementById("timeline"), times = [];
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  let last = await frame();
  for (let i = 0; i < 60; ++i) {
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: i % 20 < 10 ? "+" : "-" }));
    const from = performance.now();
    await frame();
    await null;
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[54];
})()"""


def measure(browser, page, rounds=5):
    """{load, recount, frame} in milliseconds: the medians of rounds; `frame` nine of ten stay below."""
    loads, recounts = [], []
    for _ in range(rounds):
        browser.call("Page.navigate", url="about:blank")
        browser.open(page)
        loads.append(browser.evaluate("performance.now()"))
        recounts += [browser.evaluate(RECOUNT) for _ in range(rounds)]
    browser.open(page + "#t=athlon&p=athlon-lz77&e=RETIRED_INSTRUCTIONS&v=0-100000")
    return {"load": statistics.median(loads), "recount": statistics.median(recounts), "frame": browser.evaluate(FRAMES)}
