// The page: one state, and everything derived from it. All changes go through change().
import { byId, fill, grouped, make, warning } from "lab/dom.js";
import { showEvents, showForm, showQualifiers, showSampling } from "lab/events.js";
import { showLesson } from "lab/lessons.js";
import { beginning, embedded, encode, isAlpha, isIa64, openModel, programs, requestOf } from "lab/model.js";
import { showRegisters } from "lab/registers.js";
import { fromLink, toLink } from "lab/state.js";
import { Timeline } from "lab/timeline.js";
import { showCounts, showUnits, showWhy } from "lab/why.js";

const leastCycles = 1024, stepTime = 12;  ///< clocked between two frames: cycles at first, milliseconds in all
const helpTime = 6000;  ///< milliseconds

let model, timeline, targets, state;
let current = null;  ///< derived from the state: registers, decoded, result
let focus = "0/";    ///< the count that is explained: thread/counter
let kept = null;     ///< counts of earlier settings, shown beside those of now
let texts = new Map();
let listed = new Map();  ///< rows of the listing, by address
let stepping = 0, refreshing = 0;
let shown = null;    ///< the program and target whose timeline and listing are shown
let last = Promise.resolve();
/// The model has one program and one set of steps: what uses it is done one after the other.
const inTurn = (work) => (last = last.then(work, work));
/// Waits until nothing is in turn, and no timer has added anything.
export async function quiet() {
  for (let seen; seen !== last;) {
    seen = last;
    await seen.catch(() => undefined);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const lessons = embedded("lessons");

function show(message) { fill("message", message ?? ""); }

/// The registers of the state: edited ones, or those of the events.
async function programmed() {
  if (state.registers) return { registers: state.registers, warnings: [], events: [] };
  if (state.events.length === 0) {
    const known = (await model.describe(state.target)).registers;
    return { registers: known.filter((one) => !isAlpha(state.target) || one.space !== "ipr").map((one) => ({ ...one, value: "0x0" })), warnings: [], events: [] };
  }
  const encoding = await encode(model, state);
  if (encoding.error !== undefined) throw new Error(encoding.error);
  return encoding;
}

/// Updates everything derived from the state. On an error the last good picture stays, with the message above it.
async function refresh() {
  const described = await model.describe(state.target);
  try {
    const encoding = await programmed();
    const result = await model.call(requestOf(state, encoding.registers));
    const decoded = await model.call({ op: "decode", target: state.target, registers: encoding.registers });
    current = { ...encoding, decoded, result };
    show();
  } catch (error) {
    show(error.message);
  }
  if (state.registers && current) state.events = current.decoded.selections.map((one) => one.canonical);
  const counters = current ? current.result.threads[0].counts.map((count) => count.counter) : [];
  const placed = state.registers ? current.decoded.selections : current?.events ?? [];
  showEvents(state, described, placed.map((one) => one.counter), { change: changeEvents, form: () => showForm(state, described, { change: changeEvents }) });
  showQualifiers(state, (qualifiers) => change({ qualifiers, registers: undefined }));
  showSampling(state, counters, (sampling) => change({ sampling }));
  if (!current) return;
  showRegisters(state, current.decoded, changeRegister);
  byId("registers").prepend(...(current.warnings ?? []).map(warning));
  const shown = current.result.threads.flatMap((thread, t) => thread.counts.filter((count) => count.event).map((count) => `${t}/${count.counter}`));
  if (!shown.includes(focus)) focus = shown[0] ?? "0/";
  showAnswers();
  await startSteps();
}

function showAnswers() {
  showCounts(current.result, focus, state.sampling, kept, (key) => { focus = key; showAnswers(); inTurn(explain); });
  showUnits(current.result, texts, new Set(current.registers.map((one) => one.name)));
}

// The steps are clocked in slices between frames, so that the counts need not wait for them.
async function startSteps() {
  const mine = ++stepping;
  const { counters, initial, levels } = await model.startSteps(requestOf(state, current.registers));
  const threads = current.result.threads.length;
  const levelNames = Array.from({ length: threads }, (_, t) => levels.map((name) => (threads > 1 ? `${name} t${t}` : name))).flat();
  const lanes = current.result.threads.flatMap((thread, t) => thread.counts.map((count, i) => ({
    table: t * counters + i, initial: initial[t * counters + i], index: i, thread: t, key: `${t}/${count.counter}`, event: count.event,
    name: current.result.threads.length > 1 ? `${count.counter} t${t}` : count.counter, count: count.value,
  }))).filter((lane) => lane.index < counters && (lane.event !== "" || lane.count !== 0));
  const take = timeline.beginSteps(lanes, levelNames.map((name) => ({ name })));
  let cycles = leastCycles;
  const slice = async () => {
    if (mine !== stepping) return;
    const from = performance.now(), got = await model.goOn(cycles);
    if (mine !== stepping) return;
    if (performance.now() - from < stepTime) cycles *= 2;
    take({ ...got, counters: lanes.map((lane) => got.counters[lane.table]) });
    if (got.more) setTimeout(() => inTurn(slice), 0);
  };
  setTimeout(() => inTurn(async () => {
    if (mine === stepping) await explain();
    await slice();
  }), 0);
}

/// Shows the funnel of the selected count. The funnels of all counts are computed in one run, on first use.
async function explain() {
  const of = current;
  try {
    of.explained ??= (await model.call({ ...requestOf(state, of.registers), op: "explain" })).counters;
  } catch (error) {
    return fill("why", warning(error.message));
  }
  const [thread, counter] = focus.split("/");
  const one = of.explained.find((each) => each.thread === Number(thread) && each.counter === counter);
  showWhy(one, texts, () => inTurn(async () =>
    (await model.call({ ...requestOf(state, of.registers), op: "neighbours", counter, thread: Number(thread) })).neighbours));
}

function changeRegister(name, value) {
  const registers = current.registers.map((one) => ({
    name: one.name, value: one.name === name ? `0x${BigInt.asUintN(64, value).toString(16)}` : one.value,
  }));
  change({ registers, qualifiers: undefined });
}
function changeEvents(events) { change({ events: events.filter((event) => event !== ""), registers: undefined }); }

/// Changes the state, and updates the page and the link.
function change(more) {
  state = { ...state, ...more };
  for (const key of Object.keys(state)) if (state[key] === undefined) delete state[key];
  return update();
}

/// Shows the state; of several changes that wait, the last.
function update(after) {
  const mine = ++refreshing;
  return inTurn(async () => {
    if (mine !== refreshing) return;
    try {
      await load();
      after?.();
      await refresh();
      remember();
    } catch (error) {
      show(error.message);
    }
  });
}

let remembering;
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(() => history.replaceState(null, "", toLink(state)), 120);
}

/// Loads the program's activity and fills the lists.
async function load() {
  fill("target", ...targets.map((target) => make("option", { selected: target.name === state.target, title: target.description }, target.name)));
  const fitting = programs.filter((program) => program.targets.includes(state.target));
  if (!fitting.some((program) => program.id === state.program)) state.program = fitting[0].id;
  fill("program", ...fitting.map((program) => make("option", { value: program.id, selected: program.id === state.program }, program.title)));
  byId("lesson").value = state.lesson ?? "";
  const key = `${state.program} ${state.target}`;
  if (shown !== key) {
    ++stepping;
    current = null;
    keep(false);
  }
  await model.load(state.program, state.target);
  if (shown === key) return;
  shown = key;
  const listing = await model.listing(state.program, state.target);
  texts = new Map(listing.code);
  play(false);
  timeline.setActivity(model.timeline, texts);
  byId("facts").textContent = `${grouped(model.timeline.cycles)} cycles` + (model.program.region === "" ? " of the file" :
    `, ${isIa64(state.target) ? "bundles" : "instructions"} ${model.program.region} of ${model.program.traces.join(" and ")}`);
  listed = new Map(listing.code.map(([address, text]) =>
    [address, make("tr", {}, make("td", { class: "code" }, address), make("td", { class: "code" }, text))]));
  fill("listing-body", make("table", {}, make("tbody", {}, ...listed.values())),
    make("h3", {}, model.program.source || "An activity file has no listing"), make("pre", {}, listing.source));
}

let lit = [];  ///< rows of the listing
const bitsOf = (bits) => make("span", { class: "digits", "aria-hidden": "true" }, ...bits.flatMap(([digit, changed], i) =>
  [i % 4 === 0 ? " " : "", changed ? make("b", {}, digit) : digit]));
function light(lines, addresses) {
  byId("cursor").replaceChildren(...lines.flatMap(([text, bits], i) => [
    i === 0 ? text : `\n${text}`, ...(bits?.length ? [bitsOf(bits)] : [])]));
  for (const row of lit) row.classList.remove("lit");
  lit = [...addresses].map((address) => listed.get(address)).filter((row) => row !== undefined);
  for (const row of lit) row.classList.add("lit");
}

async function open(next) {
  state = next;
  const lesson = lessons.find((one) => one.id === state.lesson);
  if (lesson && !location.hash.includes("t=")) state = { ...structuredClone(lesson.state), lesson: lesson.id };
  const { view } = state;  // loading a program replaces the view
  await update(() => { if (view) timeline.show(...view); });
  showLesson(lessons, state.lesson, { model, state: () => ({ ...state, registers: current?.registers.map(({ name, value }) => ({ name, value })) }), go, alone });
}

/// Does something with the model that changes what it has loaded, and brings back what the page shows.
function alone(work) {
  ++stepping;
  return inTurn(async () => {
    try {
      return await work();
    } finally {
      await model.load(state.program, state.target);
      if (current) await startSteps();
    }
  });
}

/// Keeps counts and lanes of the settings, or forgets those that were kept.
function keep(on) {
  kept = on && current ? new Map(current.result.threads.flatMap((thread, t) => thread.counts.map((one) => [`${t}/${one.counter}`, one]))) : null;
  if (kept) timeline.keep(); else timeline.forget();
  byId("keep").setAttribute("aria-pressed", String(kept !== null));
}

function play(on) {
  if (on) timeline.play(() => play(false)); else timeline.stop();
  byId("play").textContent = on ? "Pause" : "Play";
}

function save(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/// The words of what has the focus or the pointer, or is touched, where everybody can read them. After a touch they go
/// away: on a small window they are over the page.
function tellHelp() {
  let going;
  const tell = (event) => {
    const words = event.target.closest?.("[title]")?.title;
    if (!words) return;
    byId("help").textContent = words;
    clearTimeout(going);
    if (event.pointerType === "touch") going = setTimeout(() => fill("help"), helpTime);
  };
  for (const kind of ["pointerover", "pointerdown", "focusin"]) addEventListener(kind, tell);
}

/// The height of what is above the main part, for its height.
function measureTop() {
  const measure = () => document.documentElement.style.setProperty("--above", `${Math.ceil(document.querySelector("main").offsetTop)}px`);
  const observer = new ResizeObserver(measure);
  for (const one of [document.querySelector("header"), byId("lesson-panel"), byId("message")]) observer.observe(one);
}

function connectTools() {
  byId("zoom-in").onclick = () => timeline.zoom(0.5);
  byId("zoom-out").onclick = () => timeline.zoom(2);
  byId("zoom-fit").onclick = () => timeline.show(0, timeline.cycles);
  byId("step").onclick = () => { play(false); timeline.step(1); };
  byId("back").onclick = () => { play(false); timeline.step(-1); };
  byId("play").onclick = () => play(!timeline.playing);
  byId("keep").onclick = () => { keep(kept === null); if (current) showAnswers(); };
  byId("svg").onclick = () => save(`pmusim-${state.target}.svg`, timeline.svg(document.title), "image/svg+xml");
  byId("link").onclick = () => navigator.clipboard?.writeText(location.href.replace(/#.*/, "") + toLink(state));
  for (const link of document.querySelectorAll(".skip"))
    link.onclick = (event) => {  // the part of the address after # is the page's state
      event.preventDefault();
      document.querySelector(link.getAttribute("href"))?.focus();
    };
}

/// Opens an activity file of the user as an additional program.
async function openFile(file) {
  if (!file) return;
  let opened;
  try {
    opened = await inTurn(async () => model.openFile(file.name, new Uint8Array(await file.arrayBuffer())));
  } catch (error) {
    return show(error.message);
  }
  const { id, target } = opened, same = target === state.target;
  const events = same ? state.events : [await firstEvent(target)];
  await go({ target, program: id, events, ...(same && state.registers ? { registers: state.registers } : {}) });
}

const firstEvent = async (target) => beginning.events[target] ?? (await inTurn(() => model.describe(target))).events[0].name;

/// Shows another state, for example a lesson's.
const go = (next) => open(next);

/// The state of an address; without one, that of the user's program.
async function stateOf(hash) {
  const { target } = beginning;
  if (hash || target === "") return fromLink(hash);
  const program = programs.find((one) => one.targets.includes(target));
  return { target, program: program.id, events: [await firstEvent(target)] };
}

// For tests.
export const shownTimeline = () => timeline;
export const selfTest = async () => (await import("lab/selftest.js")).selfTest(model, lessons);

export async function start() {
  try {
    model = await openModel();
  } catch (error) {
    return show(`The laboratory cannot start: ${error.message}. It needs a browser of 2023 or later.`);
  }
  targets = await model.call({ op: "targets" });
  timeline = new Timeline(byId("timeline"), light, (view) => { state.view = view; byId("span").textContent = `cycles ${grouped(Math.round(view[0]))} to ${grouped(Math.round(view[1]))}`; remember(); });
  byId("lesson").append(...lessons.map((lesson, i) => make("option", { value: lesson.id }, `${i + 1}. ${lesson.title}`)));
  byId("target").onchange = async (event) => {
    const target = event.target.value, first = await firstEvent(target);
    current = null;
    change({ view: undefined, target, events: [first], registers: undefined, sampling: undefined, qualifiers: undefined });
  };
  byId("program").onchange = (event) => change({ program: event.target.value, view: undefined });
  byId("lesson").onchange = (event) => {
    const lesson = lessons.find((one) => one.id === event.target.value);
    go(lesson ? { ...structuredClone(lesson.state), lesson: lesson.id } : { ...state, lesson: undefined });
  };
  byId("open").onclick = () => byId("file").click();
  byId("file").onchange = (event) => openFile(event.target.files[0]);
  addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("drop"); });
  addEventListener("dragleave", () => document.body.classList.remove("drop"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("drop");
    openFile(event.dataTransfer.files[0]);
  });
  connectTools();
  tellHelp();
  measureTop();
  addEventListener("hashchange", () => { if (location.hash !== toLink(state)) open(fromLink(location.hash)); });
  await open(await stateOf(location.hash));
  if (byId("cases")) await selfTest();
}
