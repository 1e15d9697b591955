// Searching the tables that come from the model's memory.
import { never } from "lab/model.js";

/// The first index in [0, count) for which `test` holds; count if none does. `test` is false, then true.
export function firstIndex(count, test) {
  let low = 0, high = count;
  while (low < high) {
    const middle = low + high >>> 1;
    if (test(middle)) high = middle; else low = middle + 1;
  }
  return low;
}

const stageNames = ["fetch", "dispatch", "issue", "finish", "retire", "kill"];
const address = (low, high) => ((BigInt(high) << 32n) | BigInt(low)).toString(16);

/// Instructions or requests with the cycles that they span, so that those of a window are found fast.
class Spans {
  constructor(table, begin, end) {
    this.count = table.count;
    this.words = table.words;
    this.data = table.data;
    this.begins = new Uint32Array(table.count);
    this.ends = new Uint32Array(table.count);
    this.lastEnds = new Uint32Array(table.count);
    let last = 0;
    for (let i = 0; i < table.count; ++i) {
      this.begins[i] = begin(i * table.words, table.data);
      this.ends[i] = end(i * table.words, table.data);
      last = Math.max(last, this.ends[i]);
      this.lastEnds[i] = last;
    }
  }
  /// Indices [from, to) among which are all that touch the cycles [begin, end).
  window(begin, end) {
    return [firstIndex(this.count, (i) => this.lastEnds[i] >= begin), firstIndex(this.count, (i) => this.begins[i] >= end)];
  }
  touches(i, begin, end) { return this.ends[i] >= begin && this.begins[i] < end; }
}

export class Instructions extends Spans {
  constructor(table) {
    const stages = (at, data) => [...data.subarray(at + 2, at + 8)].filter((cycle) => cycle !== never);
    super(table, (at, data) => Math.min(...stages(at, data)), (at, data) => Math.max(...stages(at, data)));
  }
  ip(i) { return address(this.data[i * this.words], this.data[i * this.words + 1]); }
  stage(i, k) { return this.data[i * this.words + 2 + k]; }
  flags(i) { return this.data[i * this.words + 8]; }
  id(i) { return this.data[i * this.words + 9]; }
  key(i) { return instructionKey(this.id(i), this.flags(i) & 3, this.flags(i) >> 2 & 1); }
  /// Cycles of the stages that are known, in order: [name, cycle].
  stages(i) {
    return stageNames.map((name, k) => [name, this.stage(i, k)]).filter(([, cycle]) => cycle !== never);
  }
}

export class Requests extends Spans {
  constructor(table) { super(table, (at, data) => data[at + 4], (at, data) => data[at + 5]); }
  address(i) { return address(this.data[i * this.words], this.data[i * this.words + 1]); }
  ip(i) { return address(this.data[i * this.words + 2], this.data[i * this.words + 3]); }
  flags(i) { return this.data[i * this.words + 6]; }
  id(i) { return this.data[i * this.words + 8]; }
}

/// What one counter shows, from step to step.
export class Steps {
  constructor(table) { this.count = table.count; this.data = table.data; this.words = table.words; this.initial = table.initial; }
  cycle(i) { return this.data[i * this.words]; }
  n(i) { return this.data[i * this.words + 1]; }
  flags(i) { return this.data[i * this.words + 2]; }
  value(i) { return this.data[i * this.words + 3] + this.data[i * this.words + 4] * 2 ** 32; }
  /// Index of the step that holds in a cycle; -1 before the first.
  at(cycle) { return firstIndex(this.count, (i) => this.cycle(i) > cycle) - 1; }
  /// What a cycle adds: the value behind it less the one before it. Null where software wrote in between.
  added(i) { return this.value(i) - (i === 0 ? this.initial : this.value(i - 1)); }
}

/// A level (frozen, a pin, overflow bits) from change to change; 0 before the first.
export class Levels {
  constructor(table) {
    this.count = table.count; this.data = table.data; this.words = table.words; this.greatest = 0;
    for (let i = 0; i < this.count; ++i) this.greatest = Math.max(this.greatest, this.value(i));
  }
  cycle(i) { return this.data[i * this.words]; }
  value(i) { return this.data[i * this.words + 1]; }
  at(cycle) { return firstIndex(this.count, (i) => this.cycle(i) > cycle) - 1; }
  valueAt(cycle) { const i = this.at(cycle); return i < 0 ? 0 : this.value(i); }
}

/// Whom the models named for what counters count: by cycle, and by instruction or request. See steps.h, Cause.
export class Causes {
  #byCycle = new Map(); #byInstruction = new Map(); #byRequest = new Map();

  constructor(table) {
    const { data, words } = table;
    for (let i = 0; i < table.count; ++i) {
      const [cycle, what, id, amount] = data.subarray(i * words, (i + 1) * words);
      const cause = { cycle, counter: what & 255, thread: what >> 8 & 1, request: (what & 512) !== 0, slot: what >> 10 & 3, id, amount };
      Causes.#add(this.#byCycle, cycle, cause);
      if (cause.request) Causes.#add(this.#byRequest, id, cause);
      else Causes.#add(this.#byInstruction, instructionKey(id, cause.slot, cause.thread), cause);
    }
  }
  static #add(map, key, cause) {
    const list = map.get(key);
    if (list) list.push(cause); else map.set(key, [cause]);
  }
  ofCycle(cycle) { return this.#byCycle.get(cycle) ?? []; }
  ofInstruction(key) { return this.#byInstruction.get(key) ?? []; }
  ofRequest(id) { return this.#byRequest.get(id) ?? []; }
}

/// Instructions are told apart by their number, and on IA-64 by the slot and the thread.
export const instructionKey = (id, slot, thread) => id * 8 + slot * 2 + thread;

export const markKinds = ["interrupt requested", "request withdrawn", "interrupt taken", "the program's own access"];
