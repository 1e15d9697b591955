// The encoder and the PMU models, which run in a WebAssembly module (wasm.js) or behind a server (server.js). Requests
// and answers are JSON; tables come beside them.
import { Server } from "lab/server.js";
import { Module } from "lab/wasm.js";

export const embedded = (id) => JSON.parse(document.getElementById(id).textContent);
export const programs = embedded("programs");
export const never = 0xffffffff;
export const served = document.getElementById("server") !== null;
/// How the page begins: `target`, of the first program that it runs, or ""; `events`, the first event by target.
export const beginning = served ? embedded("server") : { target: "", events: {} };

/// Number of 32-bit words per row; see testbench/lab/bindings/laboratory.h and steps.h.
const instructionWords = 10, requestWords = 9, stepWords = 5, levelWords = 2, markWords = 5, causeWords = 4;

class Model {
  #engine;
  #described = new Map();
  #listings = new Map();
  #files = new Map();
  #opened = 0;
  #loaded = "";
  program = null;
  timeline = null;

  constructor(engine) { this.#engine = engine; }

  /// Returns the answer to a request; throws an Error with the model's message.
  async call(request) { return (await this.#call(request)).answer; }
  async #call(request) {
    const got = await this.#engine.call(request);
    if (got.answer.error !== undefined) throw new Error(got.answer.error);
    return got;
  }
  /// The same, but returns `error` in the answer.
  async ask(request) { return (await this.#engine.call(request)).answer; }
  async describe(target) {
    if (!this.#described.has(target)) this.#described.set(target, await this.call({ op: "describe", target }));
    return this.#described.get(target);
  }
  /// Loads a program's activity on a target for replay.
  async load(id, target) {
    const key = `${id} ${target}`;
    if (this.#loaded === key) return;
    await this.#begin(id, key, async () => {
      if (!this.#files.has(id)) return this.#engine.load(id, target);
      await this.#take(this.#files.get(id));
    });
  }
  /// Opens an activity file (.pma) and adds it as a program. Throws an Error with the model's message.
  async openFile(name, bytes) {
    const file = { name, bytes }, taken = await this.#take(file), id = `file-${++this.#opened}`;
    const program = {
      id, title: name, targets: programs.find((one) => one.targets.includes(taken.target))?.targets ?? [taken.target],
      traces: taken.traces.length ? taken.traces : [name], region: "", source: "", threads: taken.threads,
    };
    this.#files.set(id, file);
    programs.push(program);
    await this.#begin(id, `${id} ${taken.target}`, () => {});
    return { id, target: taken.target };
  }
  async #take({ name, bytes }) {
    const taken = await this.#engine.open(name, bytes);
    if (taken.error !== undefined) throw new Error(taken.error);
    return taken;
  }
  /// Begins with the activity that `bring` loads.
  async #begin(id, key, bring) {
    this.program = null;
    this.#loaded = "";
    await bring();
    this.program = programs.find((program) => program.id === id);
    const { answer, rows } = await this.#call({ op: "begin", threads: this.program.threads });
    this.timeline = {
      cycles: answer.cycles,
      instructions: table(answer.instructions, rows, instructionWords),
      requests: table(answer.requests, rows, requestWords),
    };
    this.#loaded = key;
  }
  async listing(id, target) {
    if (this.#files.has(id)) return { source: "", code: [] };
    const key = `${id} ${target}`;
    if (!this.#listings.has(key)) this.#listings.set(key, await this.#engine.listing(id, target));
    return this.#listings.get(key);
  }
  /// Starts clocking a request. Returns the number of counters of a thread, the initial values (of all threads), and
  /// the names of a thread's levels.
  startSteps(request) { return this.call({ ...request, op: "start_steps" }); }
  /// Advances the steps by `cycles`. Returns more, reached, and the new rows of each
  /// thread's counters and levels and of the marks; causes once the end is reached.
  async goOn(cycles) {
    const { answer, rows } = await this.#call({ op: "go_on", cycles });
    return {
      more: answer.more,
      reached: answer.reached,
      counters: answer.counters.map((one) => table(one, rows, stepWords)),
      levels: answer.levels.map((one) => table(one, rows, levelWords)),
      marks: table(answer.marks, rows, markWords),
      causes: answer.more ? null : table(answer.causes, rows, causeWords),
    };
  }
}

const table = ({ at, count }, rows, words) => ({ words, count, data: rows(at, count * words) });

export async function openModel() { return new Model(served ? new Server() : await Module.start()); }

/// The request that programs the registers of a state.
export function requestOf(state, registers) {
  const request = { op: "run", target: state.target, registers: registers.map(({ name, value }) => ({ name, value })) };
  if (state.sampling) {
    request.sampling = { counters: [{ name: state.sampling.counter, period: state.sampling.period }] };
    if (state.sampling.seed !== undefined) request.sampling.seed = state.sampling.seed;
  }
  return request;
}

export const isAlpha = (target) => target.startsWith("alpha");
export const isIa64 = (target) => target === "itanium2" || target === "montecito";

/// The registers of a state's events from the encoder; { registers, events, warnings } or { error }. An Alpha's
/// counters are narrow, and their interrupts extend them: see `pmusim run`.
export function encode(model, state) {
  return model.ask({
    op: "encode", target: state.target, events: state.events, qualifiers: state.qualifiers ?? {},
    sampling: isAlpha(state.target) || Boolean(state.sampling),
  });
}

/// Runs a state and counts; { registers, encoding, result } or { error }.
export async function count(model, state) {
  try {
    await model.load(state.program, state.target);
    let registers = state.registers, encoding = null;
    if (!registers) {
      encoding = await encode(model, state);
      if (encoding.error !== undefined) return { error: encoding.error };
      registers = encoding.registers;
    }
    return { registers, encoding, result: await model.call(requestOf(state, registers)) };
  } catch (error) {
    return { error: error.message };
  }
}
