// The page's self-test. scripts/test-lab embeds the counts of `pmusim run` and the answers of lessons. The verdict is
// left in the document, from which a headless browser dumps it.
import { check, measured } from "lab/lessons.js";
import { quiet } from "lab/main.js";
import { count, embedded, encode, requestOf } from "lab/model.js";
import { fromLink, toLink } from "lab/state.js";
import { Levels, Steps } from "lab/tables.js";

const failures = [];
const fail = (text) => { if (failures.length < 50) failures.push(text); };

/// The sum of what the steps of a counter add.
function sumOf(table, initial) {
  const steps = new Steps(initial);
  steps.append(table);
  let sum = 0;
  for (let i = 0; i < steps.count; ++i) sum += Math.max(0, steps.added(i));
  return sum;
}

/// The amount added in a later cycle, because the counter cannot add all in one cycle; the register already contains
/// it.
function carriedOf(one) {
  const at = one.steps.findIndex((step) => step.name === "carried");
  return at < 0 ? 0 : one.steps[at - 1].left - one.steps[at].left;
}

/// The funnel of every counter must end with its count, and so must its steps, clocked cycle by cycle, if `clocked`.
async function checkFunnels(model, state, counted, clocked) {
  const { counters } = await model.call({ ...requestOf(state, counted.registers), op: "explain" });
  const { counters: count, initial } = await model.startSteps(requestOf(state, counted.registers));
  const got = clocked ? await model.goOn(Number.MAX_SAFE_INTEGER) : null;
  for (const one of counters) {
    const index = counted.result.threads[one.thread].counts.findIndex((each) => each.counter === one.counter);
    const { value, wraps, unit, steps_per_event: parts = 1 } = counted.result.threads[one.thread].counts[index];
    if (wraps || unit) continue;
    const ends = Math.floor((one.added + carriedOf(one)) / parts);
    if (ends !== value) fail(`${toLink(state)}: the funnel of ${one.counter} ends with ${ends}, the run counts ${value}`);
    const named = one.instructions.reduce((sum, each) => sum + each.amount, 0) + one.unnamed;
    if (one.instruction_count === one.instructions.length && named !== one.added)
      fail(`${toLink(state)}: instructions and others have ${named} of the ${one.added} of ${one.counter}`);
    const at = one.thread * count + index, sum = got && sumOf(got.counters[at], initial[at]);
    if (got && sum !== one.added) fail(`${toLink(state)}: the steps of ${one.counter} add up to ${sum}, its funnel to ${one.added}`);
  }
}

async function checkRequest(model, one) {
  const state = { target: one.target, program: one.program, events: one.events };
  const counted = await count(model, state);
  if (counted.error !== undefined) return fail(`${one.target} ${one.events}: ${counted.error}`);
  for (const { thread, counter, value } of one.counts) {
    const got = counted.result.threads[thread].counts.find((each) => each.counter === counter)?.value;
    if (got !== value) fail(`${one.target} ${one.program} ${one.events} ${counter}: ${got} here, ${value} by pmusim run`);
  }
  await checkFunnels(model, state, counted, one.steps);
  const again = fromLink(toLink(state));
  if (JSON.stringify(again.events) !== JSON.stringify(state.events) || again.program !== state.program)
    fail(`${toLink(state)}: the link gives another state`);
  // Encoded registers must decode to events with the same registers; a code that selects nothing decodes to no event.
  const decoded = await model.call({ op: "decode", target: one.target, registers: counted.registers });
  const back = await encode(model, { ...state, events: decoded.selections.map((each) => each.canonical) });
  const comparable = decoded.selections.length !== 0 && back.error === undefined;
  if (comparable && JSON.stringify(back.registers) !== JSON.stringify(counted.encoding.registers))
    fail(`${toLink(state)}: the events of its registers give other registers`);
}

async function checkLesson(model, lesson, right) {
  right ??= lesson.question.number && await measured(model, lesson, lesson.question.number);
  const full = (more) => ({ ...structuredClone(lesson.state), ...structuredClone(more) });
  const answers = lesson.question.number
    ? [[{ number: String(right) }, true], [{ number: String(right + 1 + (lesson.question.within ?? 0)) }, false], [{ number: "" }, false]]
    : [[{ state: full(lesson.solution) }, true], [{ state: full(lesson.wrong ?? {}) }, false]];
  for (const [answer, good] of answers) {
    const verdict = await check(model, lesson, answer);
    if (verdict.good !== good) fail(`lesson ${lesson.id}: ${JSON.stringify(answer)} is ${good ? "right" : "wrong"}, and the page says: ${verdict.text}`);
  }
}

/// An activity file dropped on the page must count what `pmusim run --activity` counts. Defective files are refused.
async function checkFiles(model, files) {
  const drop = async (name, text) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
    await settled();
  };
  for (const { name, content, target, event, counter, value } of files.good) {
    await drop(name, content);
    if (document.getElementById("target").value !== target || !document.getElementById("program").selectedOptions[0]?.textContent.includes(name))
      fail(`${name} does not become the page's program`);
    const counted = await count(model, { target, program: document.getElementById("program").value, events: [event] });
    const got = counted.result?.threads[0].counts.find((each) => each.counter === counter)?.value;
    if (got !== value) fail(`${name}: ${event} is ${got} here, ${value} by pmusim run (${counted.error})`);
  }
  for (const { name, content, says } of files.bad) {
    await drop(name, content);
    const message = document.getElementById("message").textContent;
    if (!message.includes(says)) fail(`${name} is not refused as '${says}': ${message}`);
  }
}

/// Checks the levels of the timeline: the number of writes of a register by hardware equals its event's count, and pins
/// and overflow bits change.
async function checkLevels(model, cases) {
  for (const { target, program, events, level, rises } of cases) {
    const state = { target, program, events }, counted = await count(model, state);
    if (counted.error !== undefined) { fail(`${toLink(state)}: ${counted.error}`); continue; }
    const names = (await model.startSteps(requestOf(state, counted.registers))).levels;
    const levels = new Levels();
    levels.append((await model.goOn(Number.MAX_SAFE_INTEGER)).levels[names.indexOf(level)]);
    let high = 0;  // cycles
    for (let i = 0; i < levels.count; ++i)
      if (levels.value(i) !== 0) high += (i + 1 < levels.count ? levels.cycle(i + 1) : model.timeline.cycles) - levels.cycle(i);
    if (high !== rises) fail(`${toLink(state)}: ${level} is on in ${high} cycles, not in ${rises}`);
  }
}

/// Waits until the page has done all that it began.
async function settled() {
  await quiet();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
}
const shownCount = (key) => document.querySelector(`[data-counter="${key}"]`)?.textContent;

/// Uses the page as a user does: bits, texts, search, keyboard, pointer, lessons, links.
async function checkPage() {
  const expect = (condition, text) => { if (!condition) fail(`page: ${text}`); };
  const plain = shownCount("0/PerfCtr0");
  document.querySelector('[aria-label="PerfEvtSel0 CNT_MASK bit 24"]').click();
  await settled();
  expect(document.querySelector('[aria-label="Event 1"]').value.includes("c=1"), "a bit of CNT_MASK does not reach the event");
  expect(shownCount("0/PerfCtr0") !== plain, "a bit of CNT_MASK does not change the count");
  expect(location.hash.includes("PerfEvtSel0"), "the link has no registers");
  const event = document.querySelector('[aria-label="Event 1"]');
  event.value = "DATA_CACHE_MISSES:u";
  event.dispatchEvent(new Event("change"));
  await settled();
  const bit = (label) => document.querySelector(`[aria-label="${label}"]`).getAttribute("aria-pressed");
  expect(bit("PerfEvtSel0 EVENT bit 6") === "true" && bit("PerfEvtSel0 OS bit 17") === "false", "the bits do not follow the event");
  document.querySelector('[aria-label="Event 1"]').value = "NO_SUCH_EVENT";
  document.querySelector('[aria-label="Event 1"]').dispatchEvent(new Event("change"));
  await settled();
  expect(document.getElementById("message").textContent.includes("NO_SUCH_EVENT"), "an unknown event is not refused");
  document.querySelector('[aria-label="Remove event 1"]').click();
  await settled();
  const search = document.getElementById("search");
  search.value = "retired instr";
  search.dispatchEvent(new Event("input"));
  const found = [...document.querySelectorAll(".found button")].find((one) => one.textContent.startsWith("RETIRED_INSTRUCTIONS"));
  expect(found, "the search does not find RETIRED_INSTRUCTIONS");
  found?.click();
  await settled();
  expect(shownCount("0/PerfCtr0") === plain, "an event that was found does not count");
  const canvas = document.getElementById("timeline"), box = canvas.getBoundingClientRect();
  const span = document.getElementById("span").textContent;
  for (const key of ["+", "ArrowRight"]) canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
  expect(document.getElementById("span").textContent !== span, "the keyboard does not move the timeline");
  await settled();
  const move = (x, y) => canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + x, clientY: box.top + y }));
  move(box.width / 2, box.height - 20);
  expect(/^Cycle [\d,]+\nPerfCtr0: n = /.test(document.getElementById("cursor").textContent), "a lane does not tell its cycle");
  let counted = false;
  for (let y = 22; y < box.height / 2 && !counted; y += 6) {
    move(box.width / 2, y);
    counted = document.getElementById("cursor").textContent.includes("counted for it: PerfCtr0: 1");
  }
  expect(counted, "no instruction tells what was counted for it");
  document.querySelector("#why details").open = true;
  await settled();
  expect(document.querySelectorAll("#why details tr").length > 5, "no neighbouring encodings");
  location.hash = "#t=ppc750gx&p=ppc-listwalk&e=PROCESSOR_CYCLES&v=4000-4100";
  await settled();
  expect(document.getElementById("span").textContent === "cycles 4,000 to 4,100", "a link's view is lost");
  expect(shownCount("0/PMC1") !== undefined && document.getElementById("target").value === "ppc750gx", "a link's state is lost");
  const lesson = document.getElementById("lesson");
  lesson.value = "threshold";
  lesson.dispatchEvent(new Event("change"));
  await settled();
  const press = async (name) => {
    [...document.querySelectorAll("#lesson-panel button")].find((one) => one.textContent === name).click();
    await settled();
  };
  await press("Check");
  expect(document.querySelector("#lesson-panel .bad"), "a lesson takes its start for its answer");
  for (const place of [24, 25]) {
    document.querySelector(`[aria-label="PerfEvtSel0 CNT_MASK bit ${place}"]`).click();
    await settled();
  }
  await press("Check");
  expect(document.querySelector("#lesson-panel .good"), "a lesson does not take its answer");
  [...document.querySelectorAll("#lesson-panel button")].find((one) => one.textContent === "Next").focus();
  await press("Next");
  expect(document.activeElement.textContent === "Next", "the focus is lost on the way to the next lesson");
  const row = document.querySelector("tr[tabindex]:not(.chosen)");
  row.focus();
  row.dispatchEvent(new KeyboardEvent("keydown", { key: " " }));
  await settled();
  expect(document.activeElement.matches("tr.chosen"), "a count that is chosen with the keyboard loses the focus");
  const names = [...document.querySelectorAll("button, input, select, canvas")].filter((one) =>
    !(one.getAttribute("aria-label") || one.textContent.trim() || one.closest("label")));
  expect(names.length === 0, `${names.length} controls have no name: ${names.map((one) => one.outerHTML).slice(0, 2)}`);
}

/// Checks the cost of a frame while the timeline zooms and moves over a long program: the number of canvas calls and of
/// values read. It must depend on the canvas's width, and not on the number of visible items.
async function checkWork() {
  location.hash = "#t=athlon&p=athlon-lz77&e=RETIRED_INSTRUCTIONS&e=DATA_CACHE_ACCESSES&e=RETIRED_BRANCH_INSTRUCTIONS&v=0-100000";
  const counters = () => document.querySelectorAll("[data-counter]").length;
  for (let i = 0; i < 50 && counters() !== 3; ++i) await settled();
  const canvas = document.getElementById("timeline"), lanes = counters();
  if (lanes !== 3) return fail(`${location.hash}: ${lanes} counters; ${document.getElementById("message").textContent}`);
  const steps = () => document.getElementById("cursor").textContent;
  for (let i = 0; i < 100 && !steps().includes("PerfCtr2: n = "); ++i) {  // until all cycles are clocked
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "End" }));
    await settled();
    const box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.right - 3, clientY: box.bottom - 30 }));
  }
  const plain = CanvasRenderingContext2D.prototype, names = ["fillRect", "strokeRect", "rect", "lineTo", "moveTo", "fillText", "stroke", "fill"];
  const were = names.map((name) => plain[name]);
  let calls = 0;
  names.forEach((name, i) => { plain[name] = function (...values) { ++calls; return were[i].apply(this, values); }; });
  const frame = async (key) => {
    calls = 0;
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    const [from, to] = document.getElementById("span").textContent.match(/[\d,]+/g).map((text) => Number(text.replaceAll(",", "")));
    return { cycles: to - from, calls, items: canvas.itemsVisited };
  };
  const frames = [];
  for (const key of ["0", ..."+++++---+++++++++++++", "ArrowRight", "ArrowLeft"]) frames.push(await frame(key));
  names.forEach((name, i) => { plain[name] = were[i]; });
  // A column has at most two stops per lane, each with a bar, a strip, an edge and four points of a line; others need
  // less.
  const columns = canvas.clientWidth, most = columns * (2 * 7 * lanes + 2 * 8);
  for (const one of frames) if (one.calls > most) fail(`${one.cycles} cycles take ${one.calls} calls of the canvas; at most ${most}`);
  // For each column: a search with doubling steps, and sums of groups, about 40 values. One by one there would be
  // hundreds.
  const looked = columns * 48 * (lanes + 2);
  for (const one of frames) if (one.items > looked) fail(`a frame of ${one.cycles} cycles looks at ${one.items} values; at most ${looked}`);
  if (!(frames[0].cycles > 100000 && frames[0].items > 0 && frames.some((one) => one.cycles < 5000)))
    fail("the long program is not long, or does not zoom");
}

export async function selfTest(model, lessons) {
  const cases = embedded("cases");
  try {
    await checkPage();
    await checkWork();
    for (const one of cases.requests) await checkRequest(model, one);
    await checkLevels(model, cases.levels);
    await checkFiles(model, cases.files);
    for (const lesson of lessons) await checkLesson(model, lesson, cases.lessons[lesson.id]);
  } catch (error) {
    fail(`the test broke off: ${error.stack}`);
  }
  const verdict = { requests: cases.requests.length, lessons: lessons.length, failures };
  document.body.replaceChildren(Object.assign(document.createElement("pre"), { id: "verdict", textContent: JSON.stringify(verdict) }));
}
