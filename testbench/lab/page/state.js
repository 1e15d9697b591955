// Converts the state of the page to a link and back: target, program, events or registers, sampling, view, lesson.
import { programs } from "lab/model.js";

/// The state without a link: the first target's first program with one event.
export const initial = () => ({ target: "athlon", program: "athlon-quicksort", events: ["RETIRED_INSTRUCTIONS"] });

export function toLink(state) {
  const parts = new URLSearchParams();
  parts.set("t", state.target);
  parts.set("p", state.program);
  if (state.registers) for (const { name, value } of state.registers) parts.append("w", `${name}=${value}`);
  else for (const event of state.events) parts.append("e", event);
  for (const [name, values] of Object.entries(state.qualifiers ?? {}))
    for (const value of [values].flat()) parts.append("q", `${name}=${value}`);
  if (state.sampling) {
    const { counter, period, seed } = state.sampling;
    parts.set("s", [counter, period, ...(seed === undefined ? [] : [seed])].join(","));
  }
  if (state.view) parts.set("v", state.view.map(Math.round).join("-"));
  if (state.lesson) parts.set("l", state.lesson);
  return `#${parts}`;
}

const assignment = (text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];

export function fromLink(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  if (!parts.has("t") && !parts.has("p")) return parts.has("l") ? { ...initial(), lesson: parts.get("l") } : initial();
  const state = { target: parts.get("t") ?? "athlon", events: parts.getAll("e") };
  const fits = (program) => program.targets.includes(state.target);
  const program = programs.find((one) => one.id === parts.get("p") && fits(one)) ?? programs.find(fits);
  if (!program) return initial();
  state.program = program.id;
  if (parts.has("w")) {
    state.registers = parts.getAll("w").map((text) => {
      const [name, value] = assignment(text);
      return { name, value };
    });
  }
  for (const [name, value] of parts.getAll("q").map(assignment)) {
    state.qualifiers ??= {};
    if (value === "true") state.qualifiers[name] = true;
    else (state.qualifiers[name] ??= []).push(value);
  }
  if (parts.has("s")) {
    const [counter, period, seed] = parts.get("s").split(",");
    state.sampling = { counter, period: Number(period), ...(seed === undefined ? {} : { seed: Number(seed) }) };
  }
  const view = /^(\d+)-(\d+)$/.exec(parts.get("v") ?? "");
  if (view) state.view = [Number(view[1]), Number(view[2])];
  if (parts.has("l")) state.lesson = parts.get("l");
  return state;
}
