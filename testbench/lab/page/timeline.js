// The timeline: a canvas with instructions as rows with their stages, below them requests to caches, and at the bottom
// a lane for each counter. This file handles input and the text at the cursor; paint.js draws.
import { Picture, Places, label, placeOf, textOf } from "lab/paint.js";
import { work } from "lab/series.js";
import { SvgContext } from "lab/svg.js";
import { Causes, Instructions, Levels, Marks, Requests, Steps, instructionKey } from "lab/tables.js";

const leastSpan = 12, firstSpan = 20, playEvery = 400;  ///< cycles, cycles, milliseconds
const shownBits = 12;
const [bitWrong, bitThread] = [8, 4];
const numbers = new Intl.NumberFormat("en");
const meanings = {
  cycle: "The cycles, from the first of the recorded part on.",
  rows: "A row for each instruction: its stages as bars, and its text.",
  requests: "Requests to the caches, from their start to the arrival of the data.",
  lane: "A counter: yellow bars are n, the value of the event's line in a cycle; the blue strip is the condition after threshold, invert, privilege and gates; the line is the counter's value.",
  level: "A level of the PMU: frozen, overflow bits, registers that hardware writes, pins.",
};
const nothingLit = { instructions: new Set(), requests: new Set() };

export class Timeline {
  #canvas; #context; #colours = {}; #asked = false; #told; #moved; #places = null; #picture = null;
  #instructions = null; #requests = null; #code = new Map();
  #causes = null; #lanes = []; #kept = []; #levels = []; #marks = new Marks(); #reached = 0; #lit = nothingLit; #playing = 0;
  cycles = 1; view = [0, 1]; cursor = null;

  /// `told(lines, addresses)` receives the lines for the cursor, each a text and, for a counter, its lowest bits as
  /// [digit, changed]; `moved(view)` is called when the view changes.
  constructor(canvas, told, moved) {
    this.#canvas = canvas; this.#context = canvas.getContext("2d", { alpha: false }); this.#told = told; this.#moved = moved;
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.#drag(event));
    canvas.addEventListener("pointermove", (event) => this.#point(event));
    canvas.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.draw()).observe(canvas);
    for (const query of ["(prefers-color-scheme: dark)", "print"])
      matchMedia(query).addEventListener("change", () => { this.#colours = {}; this.draw(); });
    for (const moment of ["beforeprint", "afterprint"])  // the page is printed with the layout of this moment
      addEventListener(moment, () => {
        document.documentElement.classList.toggle("paper", moment === "beforeprint");
        this.#colours = {};
        this.#paint();
      });
  }

  setActivity(timeline, code) {
    this.#instructions = new Instructions(timeline.instructions);
    this.#requests = new Requests(timeline.requests);
    this.#code = code;
    this.cycles = timeline.cycles;
    // The view starts after the first instructions of the program, or shows all of a short one.
    const begin = this.#instructions.begins[Math.min(200, this.#instructions.count - 1)] ?? 0;
    this.view = [begin, Math.min(timeline.cycles, begin + firstSpan)];
    this.cursor = null;
    this.stop();
    this.forget();
    this.#lit = nothingLit;
    this.show(...this.view);
  }
  /// `lanes`: { name, index, thread, initial } of each counter that is shown; `levels`: { name } of frozen, pins and
  /// the like. Returns a function that takes the result of model.goOn() with the tables of these lanes and levels; the
  /// first call replaces the shown steps.
  beginSteps(lanes, levels) {
    const clocked = {
      lanes: lanes.map((lane) => ({ ...lane, steps: new Steps(lane.initial) })),
      levels: levels.map((one) => ({ ...one, levels: new Levels() })), marks: new Marks(),
    };
    return ({ counters, levels: changes, marks, reached, causes }) => {
      clocked.lanes.forEach((lane, i) => lane.steps.append(counters[i]));
      clocked.levels.forEach((one, i) => one.levels.append(changes[i]));
      clocked.marks.append(marks);
      this.#lanes = this.#besideKept(clocked.lanes);
      this.#levels = clocked.levels.filter((one) => one.levels.count > 0);  // a level that never changes has no lane
      this.#marks = clocked.marks;
      this.#reached = reached;
      this.#causes = causes ? new Causes(causes) : null;
      this.draw();
    };
  }
  /// Keeps the lanes as they are now, above those of later settings.
  keep() {
    this.#kept = this.#lanes.filter((lane) => !lane.kept).map((lane) => ({ ...lane, name: `before: ${lane.name}`, kept: true }));
    this.#lanes = this.#besideKept(this.#lanes.filter((lane) => !lane.kept));
    this.draw();
  }
  forget() {
    this.#kept = [];
    this.#lanes = this.#lanes.filter((lane) => !lane.kept);
    this.draw();
  }
  #besideKept(lanes) {
    const alone = this.#kept.filter((kept) => !lanes.some((lane) => lane.key === kept.key));
    return [...alone, ...lanes.flatMap((lane) => [...this.#kept.filter((kept) => kept.key === lane.key), lane])];
  }
  get playing() { return this.#playing !== 0; }
  /// Moves the cursor; without a cursor it begins at the left.
  step(by) { this.point(this.cursor === null ? Math.ceil(this.view[0]) : this.cursor + by); }
  play(ended) {
    this.#playing = setInterval(() => {
      this.step(1);
      if (this.cursor !== this.cycles - 1) return;
      this.stop();
      ended();
    }, playEvery);
  }
  stop() {
    clearInterval(this.#playing);
    this.#playing = 0;
  }
  /// The picture as SVG.
  svg(title) {
    const { width, height } = this.#places, context = new SvgContext();
    context.font = this.#context.font;
    context.fillStyle = this.#colour("ground");
    context.fillRect(0, 0, width, height);
    this.#pictureIn(context).paint();
    return context.text(width, height, title);
  }
  /// What the visible cycles have, by counter and in all, as numbers; lessons ask for some of it.
  seen() {
    const [from, to] = this.view, within = (cycle) => cycle >= from && cycle < to, seen = { levels: 0 };
    const most = (name, value) => { seen[name] = Math.max(seen[name] ?? 0, value); };
    for (const { steps, index, thread } of this.#lanes) {
      let pieces = 0, moves = 0, high = 0;
      for (let i = Math.max(0, steps.at(from)); i < steps.count && steps.cycle(i) < to; ++i) {
        if (steps.flags(i) & 1 && (i === 0 || pieces === 0 || !(steps.flags(i - 1) & 1))) ++pieces;
        if (within(steps.cycle(i)) && steps.added(i) !== 0) ++moves;
        high = Math.max(high, steps.n(i));
      }
      most("strip", pieces);
      most("steps", moves);
      most("n", high);
      if (index === this.#lanes[0].index) most(`thread ${thread}`, moves);
    }
    for (const { levels } of this.#levels)
      for (let i = 0; i < levels.count; ++i) if (within(levels.cycle(i))) ++seen.levels;
    const [requested, , taken] = this.#marks.kinds, [first, end] = this.#requests.window(from, to);
    seen.interrupts = requested.filter(within).length;
    seen.handlers = taken.filter(within).length;
    seen.requests = 0;
    for (let i = first; i < end; ++i) if (this.#requests.touches(i, from, to)) ++seen.requests;
    seen.retired = this.#instructions.retired.filter(within).length;
    seen.rows = this.#picture?.rows?.length ?? 0;
    seen.rowHeight = this.#picture?.rowHeight ?? 0;
    seen.clocked = this.#reached;
    return seen;
  }
  show(from, to) {
    const span = Math.min(this.cycles, Math.max(leastSpan, to - from));
    const begin = Math.max(0, Math.min(this.cycles - span, from));
    this.view = [begin, begin + span];
    this.draw();
    this.#moved(this.view);
  }
  zoom(factor, about = (this.view[0] + this.view[1]) / 2) {
    this.show(about - (about - this.view[0]) * factor, about + (this.view[1] - about) * factor);
  }
  draw() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => { this.#asked = false; this.#paint(); });
  }

  #colour(name) {
    return this.#colours[name] ??= getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  }
  #cycleAt(x) { return this.view[0] + (x - label) / this.#scale; }
  get #scale() { return (this.#places.width - label) / (this.view[1] - this.view[0]); }

  #paint() {
    const ratio = devicePixelRatio || 1, context = this.#context, canvas = this.#canvas;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    for (const [side, pixels] of [["width", Math.round(width * ratio)], ["height", Math.round(height * ratio)]])
      if (canvas[side] !== pixels) canvas[side] = pixels;  // this clears the canvas, and takes time
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = '11px system-ui, "DejaVu Sans", sans-serif';
    context.textBaseline = "middle";
    context.fillStyle = this.#colour("ground");
    context.fillRect(0, 0, width, height);
    this.#places = null;
    if (!this.#instructions || width <= label) return;
    work.items = 0;
    this.#places = new Places(width, height, this.view, this.#lanes.length, this.#levels.length);
    this.#picture = this.#pictureIn(context);
    this.#picture.paint();
    canvas.itemsVisited = work.items;  // for the page's self-test
  }
  #pictureIn(context) {
    return new Picture(context, this.#places, (name) => this.#colour(name), {
      instructions: this.#instructions, requests: this.#requests, code: this.#code, lanes: this.#lanes, levels: this.#levels,
      marks: this.#marks, reached: this.#reached, cursor: this.cursor, lit: this.#lit,
    });
  }

  #wheel(event) {
    event.preventDefault();
    if (!this.#places) return;
    const span = this.view[1] - this.view[0];
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = (event.deltaX || event.deltaY) / (this.#places.width - label) * span;
      return this.show(this.view[0] + by, this.view[1] + by);
    }
    this.zoom(Math.exp(Math.sign(event.deltaY) * 0.25), this.#cycleAt(event.offsetX));
  }
  #drag(event) {
    if (!this.#places) return;
    this.#point(event);
    this.#canvas.setPointerCapture(event.pointerId);
    const x = event.clientX, [from, to] = this.view, scale = this.#scale;
    const move = (next) => this.show(from - (next.clientX - x) / scale, to - (next.clientX - x) / scale);
    const end = () => this.#canvas.removeEventListener("pointermove", move);
    this.#canvas.addEventListener("pointermove", move);
    this.#canvas.addEventListener("pointerup", end, { once: true });
    this.#canvas.addEventListener("pointercancel", end, { once: true });
  }
  #key(event) {
    const span = this.view[1] - this.view[0];
    const keys = {
      ArrowLeft: () => (event.shiftKey ? this.point(this.cursor - 1) : this.show(this.view[0] - span / 8, this.view[1] - span / 8)),
      ArrowRight: () => (event.shiftKey ? this.point(this.cursor + 1) : this.show(this.view[0] + span / 8, this.view[1] + span / 8)),
      "+": () => this.zoom(0.6), "=": () => this.zoom(0.6), "-": () => this.zoom(1 / 0.6),
      Home: () => this.show(0, span), End: () => this.show(this.cycles - span, this.cycles), 0: () => this.show(0, this.cycles),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
  #point(event) {
    if (!this.#places || this.playing) return;
    if (event.offsetX < label) return this.#told([[meanings[this.#partAt(event.offsetY)]]], new Set());
    this.point(Math.floor(this.#cycleAt(event.offsetX)), event.offsetY);
  }
  #partAt(y) {
    const { top, requests, counters, levels } = this.#places;
    return y < top ? "cycle" : y < requests ? "rows" : y < counters ? "requests" : y < levels ? "lane" : "level";
  }

  /// Reports the content of a cycle, and of a height of the canvas if the pointer is there.
  point(cycle, y) {
    if (!this.#places) return;
    this.cursor = Math.max(0, Math.min(this.cycles - 1, cycle ?? Math.floor(this.view[0])));
    if (this.cursor < this.view[0] || this.cursor >= this.view[1]) {
      const half = (this.view[1] - this.view[0]) / 2;
      this.show(this.cursor - half, this.cursor + half);
    }
    const { top, rows } = this.#places, picture = this.#picture;
    this.#lit = { instructions: new Set(), requests: new Set() };
    const lines = [`Cycle ${numbers.format(this.cursor)}`], bits = new Map();
    for (const lane of this.#lanes) {
      lines.push(this.#tellLane(lane));
      bits.set(lines.at(-1), this.#bitsOf(lane));
    }
    for (const { name, levels } of this.#levels) {
      const value = levels.valueAt(this.cursor);
      if (value !== 0) lines.push(levels.greatest === 1 ? name.replaceAll("_", " ") : `${name}: ${value.toString(2)} (a bit for each counter)`);
    }
    lines.push(...this.#marks.at(this.cursor));
    const addresses = new Set();
    if (picture.hasRows && y >= top && y < top + rows) {
      const i = picture.rows[Math.floor((y - top) / picture.rowHeight)];
      if (i !== undefined) this.#tellInstruction(i, lines, addresses);
    } else {
      this.#lightCauses(addresses, y);
      for (const [i, at, height] of picture.requestBoxes)
        if (y >= at && y <= at + height && this.#requests.touches(i, this.cursor, this.cursor + 1)) this.#tellRequest(i, lines);
    }
    this.#told(lines.map((line) => [line, bits.get(line)]), addresses);
    this.draw();
  }
  /// The lowest bits of a counter after the cycle, the highest first: [digit, whether the cycle has changed it].
  #bitsOf({ steps }) {
    const i = steps.at(this.cursor);
    if (i < 0 || this.cursor >= this.#reached) return [];
    const now = BigInt(steps.value(i)), before = steps.cycle(i) === this.cursor ? now - BigInt(steps.added(i)) : now;
    return Array.from({ length: shownBits }, (_, k) => {
      const place = BigInt(shownBits - 1 - k), digit = now >> place & 1n;
      return [String(digit), digit !== (before >> place & 1n)];
    });
  }
  #tellLane({ name, steps }) {
    const i = steps.at(this.cursor);
    if (i < 0 || this.cursor >= this.#reached) return `${name}: …`;
    const fresh = steps.cycle(i) === this.cursor, added = fresh ? steps.added(i) : 0;
    const flags = steps.flags(i);
    return `${name}: n = ${steps.n(i)}${flags & 1 ? ", condition holds" : ""}${flags & 2 ? ", edge flop set" : ""}` +
      `${added > 0 ? `, adds ${added}` : added < 0 ? ", overflows or is written" : ""}, value ${numbers.format(steps.value(i))}`;
  }
  #tellInstruction(i, lines, addresses) {
    const all = this.#instructions, stages = all.stages(i).map(([name, cycle]) => `${name} ${numbers.format(cycle)}`);
    this.#lit.instructions.add(i);
    addresses.add(placeOf(all, i, this.#code));
    lines.splice(1, lines.length - 1, `${placeOf(all, i, this.#code)}: ${textOf(all, i, this.#code)}`,
      `${stages.join(", ")}${all.flags(i) & bitWrong ? ", wrong path" : ""}${all.flags(i) & bitThread ? ", thread 1" : ""}`);
    lines.push(this.#tellCounted(this.#causes?.ofInstruction(all.key(i)) ?? []));
  }
  /// The amounts charged to an instruction or request, by counter.
  #tellCounted(causes) {
    if (!this.#causes) return "";
    const by = new Map();
    for (const { counter, thread, amount, cycle } of causes) {
      const lane = this.#lanes.find((one) => one.index === counter && one.thread === thread && !one.kept);
      if (!lane) continue;
      const told = by.get(lane.name) ?? { amount: 0, cycles: new Set() };
      told.amount += amount;
      told.cycles.add(numbers.format(cycle));
      by.set(lane.name, told);
    }
    const parts = [...by].map(([name, { amount, cycles }]) => `${name}: ${amount || "its request"} in cycle ${[...cycles].slice(0, 4).join(", ")}`);
    return parts.length ? `counted for it: ${parts.join("; ")}` : "nothing is counted for it";
  }
  #tellRequest(i, lines) {
    this.#lit.requests.add(i);
    lines.push(`request for ${this.#requests.address(i)}${this.#requests.flags(i) & 2 ? ` by ${this.#requests.ip(i)}` : ""}: ` +
      `cycles ${numbers.format(this.#requests.begins[i])} to ${numbers.format(this.#requests.ends[i])}; ` +
      this.#tellCounted(this.#causes?.ofRequest(this.#requests.id(i)) ?? []));
  }
  /// Highlights the instructions and requests to which the models charge increments in the cycle, for the lane at the
  /// pointer or for all lanes.
  #lightCauses(addresses, y) {
    const places = this.#places, lane = y >= places.counters ? this.#lanes[Math.floor((y - places.counters) / places.laneHeight)] : undefined;
    for (const cause of this.#causes?.ofCycle(this.cursor) ?? []) {
      if (lane && (lane.kept || cause.counter !== lane.index || cause.thread !== lane.thread)) continue;
      const i = cause.request ? this.#requests.find(cause.id) : this.#instructions.find(instructionKey(cause.id, cause.slot, cause.thread));
      if (i === undefined) continue;
      if (cause.request) { this.#lit.requests.add(i); continue; }
      this.#lit.instructions.add(i);
      addresses.add(placeOf(this.#instructions, i, this.#code));
    }
  }
}
