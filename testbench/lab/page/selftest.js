// The page's test of itself: scripts/test-lab embeds what `pmusim run` counted, and the answers of lessons. The verdict
// is left in the document, where a headless browser's dump has it.
import { check, measured } from "lab/lessons.js";
import { count, embedded, encode, requestOf } from "lab/model.js";
import { fromLink, toLink } from "lab/state.js";
import { totals } from "lab/timeline.js";

const failures = [];
const fail = (text) => { if (failures.length < 50) failures.push(text); };

/// The steps of a counter, clocked cycle by cycle, add up to what the run counted in blocks.
function checkSteps(model, state, counted) {
  const counters = model.startSteps(requestOf(state, counted.registers));
  const got = model.goOn(Number.MAX_SAFE_INTEGER);
  counted.result.threads.forEach((thread, t) => thread.counts.slice(0, counters).forEach((one, i) => {
    if (one.event === "" || one.wraps || one.unit) return;
    const sum = totals(got.counters[t * counters + i], got.reached);
    if (Math.floor(sum.added / (one.steps_per_event ?? 1)) !== one.value) fail(`${toLink(state)}: the steps of ${one.counter} add up to ${sum.added}, the run counts ${one.value}`);
  }));
}

async function checkRequest(model, one) {
  const state = { target: one.target, program: one.program, events: one.events };
  const counted = await count(model, state);
  if (counted.error !== undefined) return fail(`${one.target} ${one.events}: ${counted.error}`);
  for (const { thread, counter, value } of one.counts) {
    const got = counted.result.threads[thread].counts.find((each) => each.counter === counter)?.value;
    if (got !== value) fail(`${one.target} ${one.program} ${one.events} ${counter}: ${got} here, ${value} by pmusim run`);
  }
  if (one.steps) checkSteps(model, state, counted);
  const again = fromLink(toLink(state));
  if (JSON.stringify(again.events) !== JSON.stringify(state.events) || again.program !== state.program)
    fail(`${toLink(state)}: the link gives another state`);
  // What was encoded decodes to events that give the same registers.
  const decoded = model.call({ op: "decode", target: one.target, registers: counted.registers });
  const back = encode(model, { ...state, events: decoded.selections.map((each) => each.canonical) });
  if (back.error === undefined && JSON.stringify(back.registers) !== JSON.stringify(counted.encoding.registers))
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

export async function selfTest(model, lessons) {
  const cases = embedded("cases");
  try {
    for (const one of cases.requests) await checkRequest(model, one);
    for (const lesson of lessons) await checkLesson(model, lesson, cases.lessons[lesson.id]);
  } catch (error) {
    fail(`the test broke off: ${error.stack}`);
  }
  const verdict = { requests: cases.requests.length, lessons: lessons.length, failures };
  document.body.replaceChildren(Object.assign(document.createElement("pre"), { id: "verdict", textContent: `VERDICT ${JSON.stringify(verdict)} END` }));
}
