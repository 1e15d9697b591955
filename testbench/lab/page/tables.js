// The tables from the model's memory, with fast access by cycle, by instruction and for drawing.
import { never } from "lab/model.js";
import { Grown, Overlap, Summary, lowerBound } from "lab/series.js";

const stageNames = ["fetch", "dispatch", "issue", "finish", "retire", "kill"];
const address = (low, high) => ((BigInt(high) << 32n) | BigInt(low)).toString(16);

/// Instructions or requests with the cycles that they span, with fast access to those of a window.
class Spans {
  #indices = null;
  constructor(table, spanOf) {
    this.count = table.count;
    this.words = table.words;
    this.data = table.data;
    this.begins = new Uint32Array(table.count);
    this.ends = new Uint32Array(table.count);
    this.lastEnds = new Uint32Array(table.count);
    let last = 0;
    for (let i = 0; i < table.count; ++i) {
      [this.begins[i], this.ends[i]] = spanOf(i * table.words, table.data);
      last = Math.max(last, this.ends[i]);
      this.lastEnds[i] = last;
    }
  }
  /// Indices [from, to) that contain all entries that overlap the cycles [begin, end).
  window(begin, end) {
    return [lowerBound(this.lastEnds, begin, 0, this.count), lowerBound(this.begins, end, 0, this.count)];
  }
  touches(i, begin, end) { return this.ends[i] >= begin && this.begins[i] < end; }
  /// Index of the entry with this key; undefined if there is none.
  find(key) {
    if (this.#indices === null) {
      this.#indices = new Map();
      for (let i = 0; i < this.count; ++i) this.#indices.set(this.key(i), i);
    }
    return this.#indices.get(key);
  }
}

/// The values that `pick` selects from the rows, in ascending order; rows without a value (never) are left out.
function sorted(table, pick) {
  const values = new Uint32Array(table.count);
  let count = 0;
  for (let i = 0; i < table.count; ++i) {
    const value = pick(i);
    if (value !== never) values[count++] = value;
  }
  return values.subarray(0, count).sort();
}

export class Instructions extends Spans {
  constructor(table) {
    super(table, (at, data) => {
      let begin = never, end = 0;
      for (let k = at + 2; k < at + 8; ++k) {
        if (data[k] === never) continue;
        begin = Math.min(begin, data[k]);
        end = Math.max(end, data[k]);
      }
      return [begin, end];
    });
    /// Cycles in which instructions retire, and in which they are killed.
    this.retired = sorted(this, (i) => this.stage(i, 4));
    this.killed = sorted(this, (i) => (this.stage(i, 4) === never ? this.stage(i, 5) : never));
  }
  ip(i) { return address(this.data[i * this.words], this.data[i * this.words + 1]); }
  stage(i, k) { return this.data[i * this.words + 2 + k]; }
  flags(i) { return this.data[i * this.words + 8]; }
  id(i) { return this.data[i * this.words + 9]; }
  key(i) { return instructionKey(this.id(i), this.flags(i) & 3, this.flags(i) >> 2 & 1); }
  /// Cycles of the known stages, in order: [name, cycle].
  stages(i) {
    return stageNames.map((name, k) => [name, this.stage(i, k)]).filter(([, cycle]) => cycle !== never);
  }
}

const bitFetch = 16;
const requestLines = 6;

export class Requests extends Spans {
  constructor(table) {
    super(table, (at, data) => [data[at + 4], data[at + 5]]);
    this.lines = new Uint8Array(this.count);
    this.#place();
    const side = (fetch) => {
      const mine = Array.from({ length: this.count }, (_, i) => i).filter((i) => ((this.flags(i) & bitFetch) !== 0) === fetch);
      return new Overlap(mine.map((i) => this.begins[i]), mine.map((i) => this.ends[i] + 1));
    };
    this.sides = [side(false), side(true)];  ///< of data, of fetches
  }
  /// Places each request in the first free line.
  #place() {
    const free = [];
    for (let i = 0; i < this.count; ++i) {
      let line = free.findIndex((end) => end <= this.begins[i]);
      if (line < 0) line = free.length;
      free[line] = this.ends[i] + 1;
      this.lines[i] = line % requestLines;
    }
  }
  address(i) { return address(this.data[i * this.words], this.data[i * this.words + 1]); }
  ip(i) { return address(this.data[i * this.words + 2], this.data[i * this.words + 3]); }
  flags(i) { return this.data[i * this.words + 6]; }
  fetches(i) { return (this.flags(i) & bitFetch) !== 0; }
  id(i) { return this.data[i * this.words + 8]; }
  key(i) { return this.id(i); }
}

/// A value that changes at certain cycles.
class Changes {
  cycles = new Grown(Uint32Array);
  get count() { return this.cycles.count; }
  cycle(i) { return this.cycles.values[i]; }
  /// Index of the change that is in effect in a cycle; -1 before the first.
  at(cycle) { return lowerBound(this.cycles.values, Math.floor(cycle) + 1, 0, this.count) - 1; }
}

/// The states of one counter, step by step; see steps.h, Step. Rows are appended while the model is clocked.
export class Steps extends Changes {
  #n = new Grown(Uint32Array); #flags = new Grown(Uint8Array); #values = new Grown(Float64Array);
  #held = new Grown(Float64Array);  ///< number of cycles before the step in which the condition holds
  #ns = new Summary(this.#n, Uint32Array); #levels = new Summary(this.#values, Float64Array);

  constructor(initial) { super(); this.initial = initial; }
  append({ data, words, count }) {
    for (let at = 0; at < count * words; at += words) {
      const last = this.count - 1;
      this.#held.push(last < 0 ? 0 : this.#held.values[last] + (this.#flags.values[last] & 1) * (data[at] - this.cycle(last)));
      this.cycles.push(data[at]);
      this.#n.push(data[at + 1]);
      this.#flags.push(data[at + 2]);
      this.#values.push(data[at + 3] + data[at + 4] * 2 ** 32);
    }
    this.#ns.grow();
    this.#levels.grow();
  }
  n(i) { return this.#n.values[i]; }
  flags(i) { return this.#flags.values[i]; }
  value(i) { return this.#values.values[i]; }
  /// The amount that a cycle adds: the value after it minus the one before it. Null if software wrote in between.
  added(i) { return this.value(i) - (i === 0 ? this.initial : this.value(i - 1)); }
  /// For the steps [from, to): the largest n, and the least and greatest value.
  most(from, to) { return this.#ns.of(from, to)[1]; }
  range(from, to) { return this.#levels.of(from, to); }
  /// Number of cycles in [begin, end) in which the condition holds; they are covered by the steps [from, to).
  holds(from, to, begin, end) {
    if (from + 1 === to) return (this.flags(from) & 1) * (end - begin);
    const first = (this.flags(from) & 1) * (this.cycle(from + 1) - begin), last = (this.flags(to - 1) & 1) * (end - this.cycle(to - 1));
    return first + this.#held.values[to - 1] - this.#held.values[from + 1] + last;
  }
}

/// A level (frozen, a pin, overflow bits) with its changes; 0 before the first.
export class Levels extends Changes {
  #values = new Grown(Uint32Array);
  greatest = 0;
  append({ data, words, count }) {
    for (let at = 0; at < count * words; at += words) {
      this.cycles.push(data[at]);
      this.#values.push(data[at + 1]);
      this.greatest = Math.max(this.greatest, data[at + 1]);
    }
  }
  value(i) { return this.#values.values[i]; }
  valueAt(cycle) { const i = this.at(cycle); return i < 0 ? 0 : this.value(i); }
}

export const markKinds = ["interrupt requested", "request withdrawn", "interrupt taken", "the program's own access"];

/// Other events of cycles, by kind; see steps.h, Mark.
export class Marks {
  kinds = markKinds.map(() => new Uint32Array(0));
  append({ data, words, count }) {
    const fresh = markKinds.map(() => []);
    for (let at = 0; at < count * words; at += words) fresh[data[at + 1]].push(data[at]);
    fresh.forEach((cycles, kind) => {
      if (cycles.length > 0) this.kinds[kind] = Uint32Array.from([...this.kinds[kind], ...cycles]).sort();
    });
  }
  /// Kinds of the marks in a cycle.
  at(cycle) {
    return markKinds.filter((_, kind) => {
      const cycles = this.kinds[kind], i = lowerBound(cycles, cycle, 0, cycles.length);
      return i < cycles.length && cycles[i] === cycle;
    });
  }
}

/// The occurrences to which the models charge increments: by cycle, and by instruction or request. See steps.h, Cause.
export class Causes {
  #table; #chains = new Map();

  constructor(table) { this.#table = table; }
  #row(i) {
    const { data, words } = this.#table, at = i * words, what = data[at + 1];
    return {
      cycle: data[at], counter: what & 255, thread: what >> 8 & 1, request: (what & 512) !== 0, slot: what >> 10 & 3,
      id: data[at + 2], amount: data[at + 3],
    };
  }
  /// The rows with a key. The rows of all keys are linked on first use, without an object for each.
  #find(name, keyOf, key) {
    if (!this.#chains.has(name)) {
      const { data, words, count } = this.#table, first = new Map(), next = new Int32Array(count);
      for (let i = count - 1; i >= 0; --i) {
        const mine = keyOf(data, i * words);
        if (mine === undefined) continue;
        next[i] = first.get(mine) ?? -1;
        first.set(mine, i);
      }
      this.#chains.set(name, { first, next });
    }
    const { first, next } = this.#chains.get(name), rows = [];
    for (let i = first.get(key) ?? -1; i >= 0; i = next[i]) rows.push(this.#row(i));
    return rows;
  }
  ofCycle(cycle) { return this.#find("cycle", (data, at) => data[at], cycle); }
  ofInstruction(key) {
    return this.#find("instruction", (data, at) => ((data[at + 1] & 512) !== 0 ? undefined :
      instructionKey(data[at + 2], data[at + 1] >> 10 & 3, data[at + 1] >> 8 & 1)), key);
  }
  ofRequest(id) {
    return this.#find("request", (data, at) => ((data[at + 1] & 512) !== 0 ? data[at + 2] : undefined), id);
  }
}

/// Instructions are identified by their number, and on IA-64 also by the slot and the thread.
export const instructionKey = (id, slot, thread) => id * 8 + slot * 2 + thread;
