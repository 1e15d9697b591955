// The page: one state, and everything derived from it. All changes go through change().
import { byId, fill, grouped, make, warning } from "lab/dom.js";
import { showEvents, showForm, showQualifiers, showSampling } from "lab/events.js";
import { showLesson } from "lab/lessons.js";
import { embedded, encode, isAlpha, isIa64, openModel, programs, requestOf } from "lab/model.js";
import { showRegisters } from "lab/registers.js";
import { fromLink, toLink } from "lab/state.js";
import { Timeline } from "lab/timeline.js";
import { showCounts, showUnits, showWhy } from "lab/why.js";

const stepCycles = 1024, stepTime = 12;  ///< clocked between two frames: cycles per call, milliseconds in all

let model, timeline, targets, state;
let current = null;  ///< derived from the state: registers, decoded, result
let focus = "0/";    ///< the count that is explained: thread/counter
let texts = new Map();
let listed = new Map();  ///< rows of the listing, by address
let stepping = 0;
let shown = null;    ///< the program whose timeline and listing are shown

const lessons = embedded("lessons");

function show(message) { fill("message", message ?? ""); }

/// The registers of the state: edited ones, or those of the events.
function programmed() {
  if (state.registers) return { registers: state.registers, warnings: [], events: [] };
  if (state.events.length === 0) {
    const known = model.describe(state.target).registers;
    return { registers: known.filter((one) => !isAlpha(state.target) || one.space !== "ipr").map((one) => ({ ...one, value: "0x0" })), warnings: [], events: [] };
  }
  const encoding = encode(model, state);
  if (encoding.error !== undefined) throw new Error(encoding.error);
  return encoding;
}

/// Updates everything derived from the state. On an error the last good picture stays, with the message above it.
function refresh() {
  const described = model.describe(state.target);
  let encoding;
  try {
    encoding = programmed();
    const result = model.call(requestOf(state, encoding.registers));
    const decoded = model.call({ op: "decode", target: state.target, registers: encoding.registers });
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
  startSteps();
}

function showAnswers() {
  showCounts(current.result, focus, state.sampling, (key) => { focus = key; showAnswers(); explain(); });
  showUnits(current.result, texts, new Set(current.registers.map((one) => one.name)));
}

// The steps are clocked in slices between frames, so that the counts need not wait for them.
function startSteps() {
  const mine = ++stepping;
  const { counters, initial, levels } = model.startSteps(requestOf(state, current.registers));
  const threads = current.result.threads.length;
  const levelNames = Array.from({ length: threads }, (_, t) => levels.map((name) => (threads > 1 ? `${name} t${t}` : name))).flat();
  const lanes = current.result.threads.flatMap((thread, t) => thread.counts.map((count, i) => ({
    table: t * counters + i, initial: initial[t * counters + i], index: i, thread: t, key: `${t}/${count.counter}`, event: count.event,
    name: current.result.threads.length > 1 ? `${count.counter} t${t}` : count.counter, count: count.value,
  }))).filter((lane) => lane.index < counters && (lane.event !== "" || lane.count !== 0));
  const take = timeline.beginSteps(lanes, levelNames.map((name) => ({ name })));
  const slice = () => {
    if (mine !== stepping) return;
    const got = model.goOn(stepCycles, stepTime);
    take({ ...got, counters: lanes.map((lane) => got.counters[lane.table]) });
    if (got.more) setTimeout(slice, 0);
  };
  setTimeout(() => {
    if (mine === stepping) explain();
    slice();
  }, 0);
}

/// Shows the funnel of the selected count. The funnels of all counts are computed in one run, on first use.
function explain() {
  try {
    current.explained ??= model.call({ ...requestOf(state, current.registers), op: "explain" }).counters;
  } catch (error) {
    return fill("why", warning(error.message));
  }
  const [thread, counter] = focus.split("/");
  const one = current.explained.find((each) => each.thread === Number(thread) && each.counter === counter);
  showWhy(one, texts, () => model.call({ ...requestOf(state, current.registers), op: "neighbours", counter, thread: Number(thread) }).neighbours);
}

function changeRegister(name, value) {
  const registers = current.registers.map((one) => ({
    name: one.name, value: one.name === name ? `0x${BigInt.asUintN(64, value).toString(16)}` : one.value,
  }));
  change({ registers, qualifiers: undefined });
}
function changeEvents(events) { change({ events: events.filter((event) => event !== ""), registers: undefined }); }

/// Changes the state, and updates the page and the link.
async function change(more) {
  state = { ...state, ...more };
  for (const key of Object.keys(state)) if (state[key] === undefined) delete state[key];
  await load();
  refresh();
  remember();
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
  if (shown !== state.program) {
    ++stepping;
    current = null;
  }
  await model.load(state.program);
  if (shown === state.program) return;
  shown = state.program;
  const listing = await model.listing(state.program);
  texts = new Map(listing.code);
  timeline.setActivity(model.timeline, texts);
  byId("facts").textContent = `${grouped(model.timeline.cycles)} cycles` + (model.program.region === "" ? " of the file" :
    `, ${isIa64(state.target) ? "bundles" : "instructions"} ${model.program.region} of ${model.program.traces.join(" and ")}`);
  listed = new Map(listing.code.map(([address, text]) =>
    [address, make("tr", {}, make("td", { class: "code" }, address), make("td", { class: "code" }, text))]));
  fill("listing-body", make("table", {}, make("tbody", {}, ...listed.values())),
    make("h3", {}, model.program.source || "An activity file has no listing"), make("pre", {}, listing.source));
}

let lit = [];  ///< rows of the listing
function light(text, addresses) {
  byId("cursor").textContent = text;
  for (const row of lit) row.classList.remove("lit");
  lit = [...addresses].map((address) => listed.get(address)).filter((row) => row !== undefined);
  for (const row of lit) row.classList.add("lit");
}

async function open(next) {
  state = next;
  const lesson = lessons.find((one) => one.id === state.lesson);
  if (lesson && !location.hash.includes("t=")) state = { ...structuredClone(lesson.state), lesson: lesson.id };
  const { view } = state;  // loading a program replaces the view
  await load();
  if (view) timeline.show(...view);
  refresh();
  showLesson(lessons, state.lesson, { model, state: () => ({ ...state, registers: current?.registers.map(({ name, value }) => ({ name, value })) }), go });
}

/// Opens an activity file of the user as an additional program.
async function openFile(file) {
  if (!file) return;
  let opened;
  try {
    opened = model.openFile(file.name, new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    return show(error.message);
  }
  const { id, target } = opened, same = target === state.target;
  const events = same ? state.events : [model.describe(target).events[0].name];
  await go({ target, program: id, events, ...(same && state.registers ? { registers: state.registers } : {}) });
}

/// Shows another state, for example a lesson's.
async function go(next) {
  await open(next);
  remember();
}

export async function start() {
  try {
    model = await openModel();
  } catch (error) {
    return show(`The laboratory cannot start: ${error.message}. It needs a browser of 2023 or later.`);
  }
  targets = model.call({ op: "targets" });
  timeline = new Timeline(byId("timeline"), light, (view) => { state.view = view; byId("span").textContent = `cycles ${grouped(Math.round(view[0]))} to ${grouped(Math.round(view[1]))}`; remember(); });
  byId("lesson").append(...lessons.map((lesson, i) => make("option", { value: lesson.id }, `${i + 1}. ${lesson.title}`)));
  byId("target").onchange = (event) => {
    const target = event.target.value;
    const first = model.describe(target).events[0].name;
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
  byId("zoom-in").onclick = () => timeline.zoom(0.5);
  byId("zoom-out").onclick = () => timeline.zoom(2);
  byId("zoom-fit").onclick = () => timeline.show(0, timeline.cycles);
  byId("link").onclick = () => navigator.clipboard?.writeText(location.href.replace(/#.*/, "") + toLink(state));
  addEventListener("hashchange", () => { if (location.hash !== toLink(state)) open(fromLink(location.hash)); });
  await open(fromLink(location.hash));
  if (byId("cases")) await (await import("lab/selftest.js")).selfTest(model, lessons);
}
