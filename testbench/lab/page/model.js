// The WebAssembly module with the encoder and the PMU models. Requests and answers are JSON; tables are read from its
// memory.

async function unpacked(id) {
  const text = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export const embedded = (id) => JSON.parse(document.getElementById(id).textContent);
export const programs = embedded("programs");
export const never = 0xffffffff;

/// Number of 32-bit words per row; see testbench/lab/bindings/timeline.h and steps.h.
const instructionWords = 10, requestWords = 9, stepWords = 5, levelWords = 2, markWords = 5, causeWords = 4;

class Model {
  #module;
  #described = new Map();
  #listings = new Map();
  #taken = new Map();  ///< number of rows read from each table of the current steps
  #files = new Map();
  #opened = 0;
  program = null;
  timeline = null;

  constructor(module) { this.#module = module; }

  /// Returns the answer to a request; throws an Error with the model's message.
  call(request) {
    const answer = this.ask(request);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }
  /// The same, but returns `error` in the answer.
  ask(request) {
    const module = this.#module, text = JSON.stringify(request), size = module.lengthBytesUTF8(text) + 1;
    const at = module._malloc(size);
    module.stringToUTF8(text, at, size);
    const answer = JSON.parse(module.UTF8ToString(module._lab_call(at)));
    module._free(at);
    return answer;
  }
  describe(target) {
    if (!this.#described.has(target)) this.#described.set(target, this.call({ op: "describe", target }));
    return this.#described.get(target);
  }
  /// Copies the bytes to the module's memory while `use` runs.
  #with(bytes, use) {
    const module = this.#module, at = module._malloc(bytes.length);
    module.HEAPU8.set(bytes, at);
    try {
      return use(at, bytes.length);
    } finally {
      module._free(at);
    }
  }
  /// Loads a program's activity for replay.
  async load(id) {
    if (this.program?.id === id) return;
    if (this.#files.has(id)) return this.#begin(id, () => this.#take(this.#files.get(id)));
    const image = await unpacked(`activity-${id}`), module = this.#module;
    this.#begin(id, () => {
      const error = this.#with(image, (at, size) => module._lab_load(at, size));
      if (error !== 0) throw new Error(module.UTF8ToString(error));
    });
  }
  /// Opens an activity file (.pma) and adds it as a program. Throws an Error with the model's message.
  openFile(name, bytes) {
    const file = { name, bytes }, taken = this.#take(file), id = `file-${++this.#opened}`;
    const program = {
      id, title: name, targets: programs.find((one) => one.targets.includes(taken.target))?.targets ?? [taken.target],
      traces: taken.traces.length ? taken.traces : [name], region: "", source: "", threads: taken.threads,
    };
    this.#files.set(id, file);
    programs.push(program);
    this.#begin(id, () => {});
    return { id, target: taken.target };
  }
  #take({ name, bytes }) {
    const module = this.#module;
    const taken = this.#with(bytes, (at, size) => this.#with(new TextEncoder().encode(`${name}\0`), (text) =>
      JSON.parse(module.UTF8ToString(module._lab_open(at, size, text)))));
    if (taken.error !== undefined) throw new Error(taken.error);
    return taken;
  }
  /// Begins with the activity that `bring` loads.
  #begin(id, bring) {
    this.program = null;
    bring();
    this.program = programs.find((program) => program.id === id);
    const begun = this.call({ op: "begin", threads: this.program.threads });
    this.timeline = {
      cycles: begun.cycles,
      instructions: this.#copy(begun.instructions, instructionWords),
      requests: this.#copy(begun.requests, requestWords),
    };
  }
  async listing(id) {
    if (this.#files.has(id)) return { source: "", code: [] };
    if (!this.#listings.has(id))
      this.#listings.set(id, JSON.parse(new TextDecoder().decode(await unpacked(`listing-${id}`))));
    return this.#listings.get(id);
  }
  /// Starts clocking a request. Returns the number of counters of a thread, the initial values (of all threads), and
  /// the names of a thread's levels.
  startSteps(request) {
    this.#taken = new Map();
    return this.call({ ...request, op: "start_steps" });
  }
  /// Advances the steps by `cycles`, repeatedly until the time is up. Returns more, reached, and the new rows of each
  /// thread's counters and levels and of the marks; causes once the end is reached.
  goOn(cycles, milliseconds = 0) {
    const until = performance.now() + milliseconds;
    let got;
    do got = this.call({ op: "go_on", cycles }); while (got.more && performance.now() < until);
    return {
      more: got.more,
      reached: got.reached,
      counters: got.counters.map((table, i) => this.#fresh(`counter ${i}`, table, stepWords)),
      levels: got.levels.map((table, i) => this.#fresh(`level ${i}`, table, levelWords)),
      marks: this.#fresh("marks", got.marks, markWords),
      causes: got.more ? null : this.#copy(got.causes, causeWords),
    };
  }
  #fresh(name, { at, count }, words) {
    const before = this.#taken.get(name) ?? 0;
    this.#taken.set(name, count);
    return this.#copy({ at: at + 4 * words * before, count: count - before }, words);
  }
  #copy(table, words) {
    const from = table.at >>> 2;
    return { words, count: table.count, data: this.#module.HEAPU32.slice(from, from + table.count * words) };
  }
}

export async function openModel() {
  const module = await globalThis.createLaboratory({ wasmBinary: await unpacked("wasm") });
  return new Model(module);
}

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
    await model.load(state.program);
    let registers = state.registers, encoding = null;
    if (!registers) {
      encoding = encode(model, state);
      if (encoding.error !== undefined) return { error: encoding.error };
      registers = encoding.registers;
    }
    return { registers, encoding, result: model.call(requestOf(state, registers)) };
  } catch (error) {
    return { error: error.message };
  }
}
