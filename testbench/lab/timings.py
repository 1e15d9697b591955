"""Speed of the laboratory's page: milliseconds until it is loaded, and from a change to the new count."""

import statistics

# Inverts a bit and waits, without yielding the processor, for the count that follows.
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
# Frames while the timeline zooms over all of a long program, and while it moves: milliseconds of script per frame, for
# its event and its drawing, and milliseconds between frames.
FRAMES = """(async () => {
  const canvas = document.getElementById("timeline"), plain = window.requestAnimationFrame.bind(window);
  const script = [], frames = [];
  let spent = 0;
  window.requestAnimationFrame = (draw) => plain((time) => {
    const from = performance.now();
    draw(time);
    spent += performance.now() - from;
  });
  let last = await new Promise(plain);
  for (let i = 0; i < 120; ++i) {
    spent = 0;
    const from = performance.now(), keys = i < 60 ? ["+", "-"] : ["ArrowRight", "ArrowLeft"];
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: keys[i % 20 < 10 ? 0 : 1] }));
    spent += performance.now() - from;
    const now = await new Promise(plain);
    await null;
    script.push(spent);
    frames.push(now - last);
    last = now;
  }
  window.requestAnimationFrame = plain;
  const most = (times) => times.sort((a, b) => a - b)[107];
  return [most(script), most(frames)];
})()"""
CLOCKED = """(async () => {
  const canvas = document.getElementById("timeline"), box = canvas.getBoundingClientRect();
  const text = () => document.getElementById("cursor").textContent;
  for (let i = 0; i < 200 && !/ n = /.test(text()); ++i) {
    await new Promise((done) => setTimeout(done, 100));
    canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.right - 3, clientY: box.bottom - 30 }));
  }
  if (!/ n = /.test(text())) throw new Error("the counters are not clocked to the end");
})()"""


def measure(browser, page, rounds=5):
    """{load, recount, script, frame} in milliseconds: medians of the rounds for load and recount; 90 % quantiles for
    `script`, the script of a frame of the timeline, and `frame`, the time between frames."""
    loads, recounts = [], []
    for _ in range(rounds):
        browser.call("Page.navigate", url="about:blank")
        browser.open(page)
        loads.append(browser.evaluate("performance.now()"))
        recounts += [browser.evaluate(RECOUNT) for _ in range(rounds)]
    browser.call("Page.navigate", url="about:blank")
    events = ("RETIRED_INSTRUCTIONS", "DATA_CACHE_ACCESSES", "DATA_CACHE_MISSES", "RETIRED_BRANCH_INSTRUCTIONS")
    browser.open(page + "#t=athlon&p=athlon-lz77&" + "&".join(f"e={event}" for event in events) + "&v=0-100000")
    browser.evaluate(CLOCKED)
    script, frame = browser.evaluate(FRAMES)
    return {"load": statistics.median(loads), "recount": statistics.median(recounts), "script": script, "frame": frame}
