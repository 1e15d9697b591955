// Lessons: a text beside a prepared state, and a question whose answer is checked by running the model.
import { fill, make } from "lab/dom.js";
import { count, requestOf } from "lab/model.js";
import { Steps } from "lab/tables.js";

/// A state in which parts replace those of the lesson's state.
const stateOf = (base, more) => ({ ...structuredClone(base), ...structuredClone(more ?? {}) });

/// The value of a measure in a result: { count: "PMC1" }, { samples: true }, ...
function take(measure, result) {
  const thread = result.threads[measure.thread ?? 0];
  if (measure.count !== undefined) return thread.counts.find((one) => one.counter === measure.count)?.value ?? 0;
  if (measure.places) return new Set(thread.samples.map((sample) => sample.ip)).size;
  if (measure.samples) return thread.sample_count;
  if (measure.branches) return (thread.captured.branches ?? []).length;
  if (measure.latency) return thread.captured.accesses.find((access) => access.valid)?.latency ?? 0;
  if (measure.instructions) return result.instructions;
  if (measure.cycles) return result.cycles;
  throw new Error("a lesson measures nothing");
}

/// The counter's value in a cycle, as on the timeline.
async function valueAt(model, state, counted, measure) {
  const { initial } = await model.startSteps(requestOf(state, counted.registers));
  const index = counted.result.threads[0].counts.findIndex((one) => one.counter === measure.count);
  const steps = new Steps(initial[index]);
  steps.append((await model.goOn(measure.until + 4096)).counters[index]);
  return steps.value(steps.at(measure.until));
}

/// The value of a measure: in the given state, or in its own variant of the lesson's state.
export async function measured(model, lesson, measure, given) {
  const base = measure.of === "answer" ? given : stateOf(lesson.state, measure.of);
  const counted = await count(model, base);
  if (counted.error !== undefined) throw new Error(counted.error);
  const value = (measure.until === undefined ? take(measure, counted.result) : await valueAt(model, base, counted, measure)) * (measure.times ?? 1);
  return measure.divide ? Math.floor(value / (await measured(model, lesson, measure.divide, given))) : value;
}

const relations = {
  "=": (a, b) => a === b, "<": (a, b) => a < b, ">": (a, b) => a > b, "≥": (a, b) => a >= b, "≤": (a, b) => a <= b,
};

/// Checks an answer and returns { good, text }: a number that was typed, or the state that was set up.
export async function check(model, lesson, answer) {
  const { question } = lesson;
  try {
    if (question.number) {
      const right = await measured(model, lesson, question.number);
      const typed = Number(String(answer.number).replace(/[\s,_]/g, ""));
      const near = question.within ? Math.abs(typed - right) <= question.within : typed === right;
      if (String(answer.number).trim() === "" || Number.isNaN(typed)) return { good: false, text: "Type a number." };
      return near ? { good: true, text: `Right: the model counts ${right}.` } : { good: false, text: `The model says otherwise. ${lesson.hint}` };
    }
    if (answer.state.target !== lesson.state.target) return { good: false, text: `This lesson is about ${lesson.state.target}.` };
    for (const { left, relation, right } of question.conditions) {
      const a = await measured(model, lesson, left, answer.state);
      const b = typeof right === "number" ? right : await measured(model, lesson, right, answer.state);
      if (!relations[relation](a, b))
        return { good: false, text: `Not yet: yours gives ${a}; wanted is ${relation === "=" ? b : `${relation} ${b}`}. ${lesson.hint}` };
    }
    return { good: true, text: "Right: the model agrees." };
  } catch (error) {
    return { good: false, text: error.message };
  }
}

export function showLesson(lessons, id, page) {
  const panel = document.getElementById("lesson-panel"), at = lessons.findIndex((one) => one.id === id);
  panel.hidden = at < 0;
  if (at < 0) return;
  const lesson = lessons[at], verdict = make("span", { role: "status", "aria-live": "polite" });
  const input = make("input", { type: "text", inputmode: "numeric", "aria-label": "Your answer", onkeydown: (event) => { if (event.key === "Enter") answer(); } });
  const answer = async () => {
    const given = page.state();
    const { good, text } = await page.alone(() => check(page.model, lesson, { number: input.value, state: given }));
    verdict.className = good ? "good" : "bad";
    verdict.textContent = text;
  };
  const move = (by) => {
    const next = lessons[at + by];
    if (next) page.go({ ...structuredClone(next.state), lesson: next.id });
  };
  fill("lesson-panel", make("h2", {}, `${at + 1}. ${lesson.title}`),
    make("div", { class: "text", tabindex: "0", role: "region", "aria-label": "Text of the lesson" },
      ...lesson.text.map((paragraph) => make("p", {}, paragraph))),
    make("div", { class: "question" },
      make("p", {}, make("b", {}, "Question. "), lesson.question.text),
      make("div", { class: "answer" }, lesson.question.number ? input : undefined,
        make("button", { type: "button", onclick: answer }, "Check"),
        make("button", { type: "button", onclick: () => page.go({ ...structuredClone(lesson.state), lesson: lesson.id }) }, "Start again"),
        make("button", { type: "button", disabled: at === 0, onclick: () => move(-1) }, "Previous"),
        make("button", { type: "button", disabled: at === lessons.length - 1, onclick: () => move(1) }, "Next"), verdict)));
}
