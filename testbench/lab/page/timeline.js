// The timeline: a canvas on which only what is visible is drawn. Above instructions as rows with their stages, below
// them requests to caches, and at the bottom a lane for each counter.
import { never } from "lab/model.js";
import { Causes, Instructions, Levels, Requests, Steps, instructionKey, markKinds } from "lab/tables.js";

const ruler = 18, requestLane = 46, levelLane = 14, gap = 5, label = 78, leastRow = 1.6, mostRow = 15, leastSpan = 12;
const stageColours = ["fetch", "wait", "execute", "done"];
const [bitWrong, bitThread, bitLate] = [8, 4, 16];

const nice = (span) => {
  const power = 10 ** Math.floor(Math.log10(span));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= span);
};

/// Names of levels as there is room for them.
const shortNames = {
  DISCOUNT_stopped: "stopped", PMCTRIGGER_released: "triggered", SIA_written: "SIA written", interrupt_requests: "requests",
  instruction_followed: "follows", sample_written: "sample", data_ear_written: "data EAR", instruction_ear_written: "instr. EAR",
  branch_buffer_written: "branch buf.",
};
const levelLabel = (name) => {
  const [plain, thread] = name.split(" t");
  return (shortNames[plain] ?? plain) + (thread === undefined ? "" : ` t${thread}`);
};

export class Timeline {
  #canvas; #context; #colours = {}; #asked = false; #told; #moved;
  #instructions = null; #requests = null; #code = new Map();
  #causes = null; #lanes = []; #levels = []; #marks = []; #reached = 0; #samples = [];
  cycles = 1; view = [0, 1]; cursor = null; hover = null;

  /// `told(text, addresses)` says what is at the cursor; `moved(view)` that the view changed.
  constructor(canvas, told, moved) {
    this.#canvas = canvas; this.#context = canvas.getContext("2d"); this.#told = told; this.#moved = moved;
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.#drag(event));
    canvas.addEventListener("pointermove", (event) => this.#point(event));
    canvas.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.draw()).observe(canvas);
    for (const query of ["(prefers-color-scheme: dark)", "print"])
      matchMedia(query).addEventListener("change", () => { this.#colours = {}; this.draw(); });
    for (const moment of ["beforeprint", "afterprint"])  // the page is printed as it stands then
      addEventListener(moment, () => { this.#colours = {}; this.#paint(); });
  }

  setActivity(timeline, code) {
    this.#instructions = new Instructions(timeline.instructions);
    this.#requests = new Requests(timeline.requests);
    this.#code = code;
    this.cycles = timeline.cycles;
    // Where the program has come into its stride, and the whole of a short one.
    const begin = this.#instructions.begins[Math.min(200, this.#instructions.count - 1)] ?? 0;
    this.view = [begin, Math.min(timeline.cycles, begin + 60)];
    this.cursor = null;
    this.show(...this.view);
  }
  /// `lanes`: { name, event, table } of each counter that is shown; `levels`: { name, table } of frozen, pins and the like.
  setSteps(lanes, marks, reached, causes, levels) {
    // What never happens has no lane.
    this.#levels = levels.filter((one) => one.table.count > 0).map((one) => ({ ...one, levels: new Levels(one.table) }));
    this.#causes = causes ? new Causes(causes) : null;
    this.#lanes = lanes.map((lane) => ({ ...lane, steps: new Steps(lane.table) }));
    this.#marks = [];
    for (let i = 0; i < marks.count; ++i)
      this.#marks.push({ cycle: marks.data[i * marks.words], kind: marks.data[i * marks.words + 1] });
    this.#reached = reached;
    this.draw();
  }
  setSamples(cycles) { this.#samples = cycles; this.draw(); }
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
  get #width() { return this.#canvas.clientWidth; }
  get #height() { return this.#canvas.clientHeight; }
  get #scale() { return (this.#width - label) / (this.view[1] - this.view[0]); }
  #x(cycle) { return label + (cycle - this.view[0]) * this.#scale; }
  #cycleAt(x) { return this.view[0] + (x - label) / this.#scale; }
  get #laneHeight() { return Math.max(26, Math.min(64, (this.#height * 0.42) / Math.max(1, this.#lanes.length))); }
  get #parts() {
    const levels = this.#height - this.#levels.length * levelLane - (this.#levels.length ? gap : 0);
    const counters = levels - this.#lanes.length * this.#laneHeight - gap;
    const requests = counters - requestLane - gap;
    return { top: ruler + 2, rows: requests - gap - ruler - 2, requests, counters, levels };
  }

  #paint() {
    const ratio = devicePixelRatio || 1, context = this.#context;
    this.#canvas.width = Math.round(this.#width * ratio);
    this.#canvas.height = Math.round(this.#height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = '11px system-ui, "DejaVu Sans", sans-serif';
    context.textBaseline = "middle";
    context.fillStyle = this.#colour("ground");
    context.fillRect(0, 0, this.#width, this.#height);
    if (!this.#instructions || this.#width <= label) return;
    this.#paintRuler();
    context.save();
    context.beginPath();
    context.rect(label, 0, this.#width - label, this.#height);
    context.clip();
    this.#paintInstructions();
    this.#paintRequests();
    this.#lanes.forEach((lane, i) => this.#paintLane(lane, this.#parts.counters + i * this.#laneHeight));
    this.#levels.forEach((one, i) => this.#paintLevel(one.levels, this.#parts.levels + i * levelLane));
    this.#paintMarks();
    this.#paintCursor();
    context.restore();
    this.#paintLabels();
  }

  #paintRuler() {
    const context = this.#context, step = nice((this.view[1] - this.view[0]) * 80 / (this.#width - label));
    context.strokeStyle = this.#colour("line");
    context.fillStyle = this.#colour("soft");
    context.textAlign = "left";
    context.beginPath();
    for (let cycle = Math.ceil(this.view[0] / step) * step; cycle < this.view[1]; cycle += step) {
      const x = Math.round(this.#x(cycle)) + 0.5;
      context.moveTo(x, 0);
      context.lineTo(x, this.#height);
      context.fillText(cycle.toLocaleString("en"), x + 3, ruler / 2);
    }
    context.stroke();
  }
  #paintLabels() {
    const context = this.#context, parts = this.#parts;
    context.fillStyle = this.#colour("ground");
    context.fillRect(0, 0, label, this.#height);
    context.fillStyle = this.#colour("soft");
    context.textAlign = "left";
    context.fillText("cycle", 4, ruler / 2);
    context.fillText("instructions", 2, parts.top + 8, label - 4);
    context.fillText("requests", 2, parts.requests + 10, label - 4);
    this.#lanes.forEach((lane, i) => {
      const y = parts.counters + i * this.#laneHeight;
      context.fillStyle = this.#colour("ink");
      context.fillText(lane.name, 2, y + 9, label - 4);
      context.fillStyle = this.#colour("soft");
      context.fillText(`n ≤ ${lane.most ?? 0}`, 2, y + 21, label - 4);
    });
    this.#levels.forEach((one, i) => context.fillText(levelLabel(one.name), 2, parts.levels + i * levelLane + 6, label - 4));
  }

  /// Rows if they are high enough to be seen, else how many retire, and how many leave without.
  #paintInstructions() {
    const { top, rows } = this.#parts, [from, to] = this.#instructions.window(this.view[0], this.view[1]);
    const visible = to - from;
    this.rowHeight = Math.min(mostRow, rows / Math.max(1, visible));
    this.rowFirst = from;
    if (this.rowHeight < leastRow) return this.#paintDensity(from, to);
    for (let i = from; i < to; ++i) this.#paintInstruction(i, top + (i - from) * this.rowHeight);
  }
  #paintInstruction(i, y) {
    const context = this.#context, all = this.#instructions, height = Math.max(1, this.rowHeight - 1);
    const wrong = (all.flags(i) & bitWrong) !== 0;
    const [fetch, dispatch, issue, finish, retire, kill] = [0, 1, 2, 3, 4, 5].map((k) => all.stage(i, k));
    const end = retire !== never ? retire + 1 : kill !== never ? kill : all.ends[i] + 1;
    const cuts = [fetch, dispatch, issue, finish];
    let last = null;
    for (let k = 0; k < cuts.length; ++k) {
      if (cuts[k] === never) continue;
      const next = cuts.slice(k + 1).find((cycle) => cycle !== never) ?? end;
      last = [k, cuts[k], Math.max(next, cuts[k])];
      const executes = k === 1 && issue === never && finish === never;  // a core that tells no issue
      this.#bar(last[1], last[2], y, height, this.#colour(stageColours[executes ? 2 : k]));
    }
    if (last === null) this.#bar(all.begins[i], end, y, height, this.#colour("done"));
    if (wrong || kill !== never) this.#bar(Math.max(all.begins[i], end - 1), end + 1, y, height, this.#colour("killed"));
    if (this.hover?.lit?.has(i)) {
      context.strokeStyle = this.#colour("ink");
      context.strokeRect(this.#x(all.begins[i]) - 1, y - 0.5, (end - all.begins[i]) * this.#scale + 2, height + 1);
    }
    if (this.rowHeight >= 10) {
      context.fillStyle = this.#colour("soft");
      context.textAlign = "left";
      const text = this.#code.get(all.ip(i)) ?? all.ip(i);
      context.fillText(text, this.#x(end) + 6, y + height / 2);
    }
  }
  #bar(from, to, y, height, colour) {
    if (to <= this.view[0] || from >= this.view[1] || to <= from) return;
    this.#context.fillStyle = colour;
    this.#context.fillRect(this.#x(from), y, Math.max(1, (to - from) * this.#scale), height);
  }
  #paintDensity(from, to) {
    const { top, rows } = this.#parts, width = Math.max(1, this.#scale);
    const columns = Math.ceil((this.#width - label) / width);
    const done = new Uint32Array(columns + 1), killed = new Uint32Array(columns + 1);
    for (let i = from; i < to; ++i) {
      const retire = this.#instructions.stage(i, 4), kill = this.#instructions.stage(i, 5);
      const x = Math.floor((this.#x(retire !== never ? retire : kill) - label) / width + 1e-6);
      if (x >= 0 && x <= columns) ++(retire !== never ? done : killed)[x];
    }
    let most = 1;
    for (let x = 0; x <= columns; ++x) most = Math.max(most, done[x] + killed[x]);
    const unit = (rows - 4) / most;
    for (let x = 0; x <= columns; ++x) {
      this.#context.fillStyle = this.#colour("execute");
      this.#context.fillRect(label + x * width, top + rows - done[x] * unit, width, done[x] * unit);
      this.#context.fillStyle = this.#colour("killed");
      this.#context.fillRect(label + x * width, top + rows - (done[x] + killed[x]) * unit, width, killed[x] * unit);
    }
  }

  /// Each in the first line that is free.
  #paintRequests() {
    const y = this.#parts.requests, [from, to] = this.#requests.window(this.view[0], this.view[1]);
    const free = [], height = 6, lines = Math.floor(requestLane / (height + 1));
    this.requestPlaces = [];
    for (let i = from; i < to; ++i) {
      if (!this.#requests.touches(i, this.view[0], this.view[1])) continue;
      let line = free.findIndex((end) => end <= this.#requests.begins[i]);
      if (line < 0) line = free.length;
      free[line] = this.#requests.ends[i] + 1;
      line %= lines;
      const top = y + line * (height + 1);
      this.#context.globalAlpha = (this.#requests.flags(i) & bitWrong) !== 0 ? 0.45 : 1;
      this.#bar(this.#requests.begins[i], this.#requests.ends[i] + 1, top, height,
        this.#colour((this.#requests.flags(i) & bitLate) !== 0 ? "fetch" : "request"));
      this.#context.globalAlpha = 1;
      if (this.requestPlaces.length < 2000) this.requestPlaces.push([i, top, height]);
      if (this.hover?.requests?.has(i)) {
        this.#context.strokeStyle = this.#colour("ink");
        this.#context.strokeRect(this.#x(this.#requests.begins[i]), top - 0.5,
          (this.#requests.ends[i] + 1 - this.#requests.begins[i]) * this.#scale, height + 1);
      }
    }
  }

  /// n as bars, the condition as a strip, the edge flop as dots, the value as a line.
  #paintLane(lane, y) {
    const context = this.#context, { steps } = lane, height = this.#laneHeight - gap;
    context.strokeStyle = this.#colour("line");
    context.strokeRect(label, y + 0.5, this.#width - label, height);
    if (steps.count === 0) return;
    const first = Math.max(0, steps.at(this.view[0])), last = steps.at(this.view[1]);
    let most = 1, least = Infinity, greatest = -Infinity;
    for (let i = first; i <= last; ++i) {
      most = Math.max(most, steps.n(i));
      least = Math.min(least, steps.value(i));
      greatest = Math.max(greatest, steps.value(i));
    }
    lane.most = most;
    const strip = 4, body = height - strip - 2, bottom = y + height - 1 - strip;
    const range = Math.max(1, greatest - least), end = Math.min(this.view[1], this.#reached);
    context.lineWidth = 1.4;
    context.beginPath();
    let column = -1, highest = 0;
    for (let i = first; i <= last; ++i) {
      const from = Math.max(this.view[0], steps.cycle(i)), to = Math.min(end, i + 1 < steps.count ? steps.cycle(i + 1) : end);
      if (to <= from) continue;
      const x = this.#x(from), width = (to - from) * this.#scale, pixel = Math.floor(x);
      const bar = steps.n(i) / most * body;
      if (pixel !== column) { column = pixel; highest = 0; }
      if (bar > highest) {  // of several steps in a pixel column only what stands out
        context.fillStyle = this.#colour("wait");
        context.fillRect(x, bottom - bar, Math.max(1, width - (this.#scale > 4 ? 1 : 0)), bar);
        highest = bar;
      }
      if ((steps.flags(i) & 1) !== 0) {
        context.fillStyle = this.#colour("hold");
        context.fillRect(x, bottom + 1, Math.max(1, width), strip);
      }
      if ((steps.flags(i) & 2) !== 0 && this.#scale > 3) {
        context.fillStyle = this.#colour("killed");
        context.fillRect(x, bottom + 1, 2, strip);
      }
      const level = bottom - (steps.value(i) - least) / range * body;
      context.lineTo(x, level);
      context.lineTo(x + width, level);
    }
    context.strokeStyle = this.#colour("count");
    context.stroke();
    context.lineWidth = 1;
  }
  /// A level other than 0 as a bar, with its bits where there are several and room for them.
  #paintLevel(levels, y) {
    const context = this.#context, end = Math.min(this.view[1], this.#reached), height = levelLane - 3;
    context.strokeStyle = this.#colour("line");
    context.beginPath();
    context.moveTo(label, y + height + 0.5);
    context.lineTo(this.#width, y + height + 0.5);
    context.stroke();
    const digits = levels.greatest.toString(2).length;
    context.textAlign = "center";
    let drawn = -1;
    for (let i = Math.max(0, levels.at(this.view[0])); i < levels.count && levels.cycle(i) < end; ++i) {
      const from = Math.max(this.view[0], levels.cycle(i)), to = Math.min(end, i + 1 < levels.count ? levels.cycle(i + 1) : end);
      if (levels.value(i) === 0 || to <= from) continue;
      const x = this.#x(from), width = Math.max(1, (to - from) * this.#scale);
      if (Math.floor(x + width) === drawn) continue;
      drawn = Math.floor(x + width);
      context.fillStyle = this.#colour("level");
      context.fillRect(x, y, width, height);
      if (digits === 1 || width < digits * 6 + 4) continue;
      context.fillStyle = this.#colour("on-ink");
      context.fillText(levels.value(i).toString(2).padStart(digits, "0"), x + width / 2, y + height / 2 + 0.5);
    }
  }
  #paintMarks() {
    const context = this.#context, top = this.#parts.counters;
    context.fillStyle = context.strokeStyle = this.#colour("bad");
    for (const mark of this.#marks) {
      if (mark.cycle < this.view[0] || mark.cycle > this.view[1]) continue;
      const x = this.#x(mark.cycle + 1);
      context.beginPath();
      if (mark.kind === 0) {
        context.moveTo(x, top);
        context.lineTo(x, this.#height);
        context.stroke();
      } else {
        context.moveTo(x, top - 6);
        context.lineTo(x - 4, top + 2);
        context.lineTo(x + 4, top + 2);
        context.fill();
      }
    }
  }
  #paintCursor() {
    if (this.cursor === null) return;
    this.#context.fillStyle = this.#colour("hold");
    this.#context.globalAlpha = 0.25;
    this.#context.fillRect(this.#x(this.cursor), 0, Math.max(1, this.#scale), this.#height);
    this.#context.globalAlpha = 1;
  }

  #wheel(event) {
    event.preventDefault();
    const span = this.view[1] - this.view[0];
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = (event.deltaX || event.deltaY) / (this.#width - label) * span;
      return this.show(this.view[0] + by, this.view[1] + by);
    }
    this.zoom(Math.exp(Math.sign(event.deltaY) * 0.25), this.#cycleAt(event.offsetX));
  }
  #drag(event) {
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
    if (event.offsetX >= label) this.point(Math.floor(this.#cycleAt(event.offsetX)), event.offsetY);
  }

  /// Says what is at a cycle, and at a height of the canvas if one is pointed at.
  point(cycle, y) {
    if (!this.#instructions || this.#width <= label) return;
    this.cursor = Math.max(0, Math.min(this.cycles - 1, cycle ?? Math.floor(this.view[0])));
    if (this.cursor < this.view[0] || this.cursor >= this.view[1]) {
      const half = (this.view[1] - this.view[0]) / 2;
      this.show(this.cursor - half, this.cursor + half);
    }
    const { top, rows } = this.#parts;
    this.hover = { lit: new Set(), requests: new Set() };
    const lines = [`Cycle ${this.cursor.toLocaleString("en")}`];
    for (const lane of this.#lanes) lines.push(this.#tellLane(lane));
    for (const { name, levels } of this.#levels) {
      const value = levels.valueAt(this.cursor);
      if (value !== 0) lines.push(levels.greatest === 1 ? name.replaceAll("_", " ") : `${name}: ${value.toString(2)} (a bit for each counter)`);
    }
    for (const mark of this.#marks)
      if (mark.cycle === this.cursor) lines.push(markKinds[mark.kind]);
    const addresses = new Set();
    const inRows = y !== undefined && y >= top && y < top + rows && this.rowHeight >= leastRow;
    if (inRows) {
      const i = this.rowFirst + Math.floor((y - top) / this.rowHeight);
      if (i < this.#instructions.count) this.#tellInstruction(i, lines, addresses);
    } else {
      this.#lightCauses(addresses, y);
      for (const [i, at, height] of this.requestPlaces ?? [])
        if (y >= at && y <= at + height && this.#requests.touches(i, this.cursor, this.cursor + 1)) this.#tellRequest(i, lines);
    }
    this.#told(lines.join("\n"), addresses);
    this.draw();
  }
  #tellLane({ name, steps }) {
    const i = steps.at(this.cursor);
    if (i < 0 || this.cursor >= this.#reached) return `${name}: …`;
    const fresh = steps.cycle(i) === this.cursor, added = fresh ? steps.added(i) : 0;
    const flags = steps.flags(i);
    return `${name}: n = ${steps.n(i)}${flags & 1 ? ", condition holds" : ""}${flags & 2 ? ", edge flop set" : ""}` +
      `${added > 0 ? `, adds ${added}` : added < 0 ? ", overflows or is written" : ""}, value ${steps.value(i).toLocaleString("en")}`;
  }
  #tellInstruction(i, lines, addresses) {
    const all = this.#instructions, stages = all.stages(i).map(([name, cycle]) => `${name} ${cycle.toLocaleString("en")}`);
    this.hover.lit.add(i);
    addresses.add(all.ip(i));
    lines.splice(1, lines.length - 1, `${all.ip(i)}: ${this.#code.get(all.ip(i)) ?? ""}`,
      `${stages.join(", ")}${all.flags(i) & bitWrong ? ", wrong path" : ""}${all.flags(i) & bitThread ? ", thread 1" : ""}`);
    lines.push(this.#tellCounted(this.#causes?.ofInstruction(all.key(i)) ?? []));
  }
  /// What was counted for somebody: amounts by counter.
  #tellCounted(causes) {
    if (!this.#causes) return "";
    const by = new Map();
    for (const { counter, thread, amount, cycle } of causes) {
      const lane = this.#lanes.find((one) => one.index === counter && one.thread === thread);
      if (!lane) continue;
      const told = by.get(lane.name) ?? { amount: 0, cycles: new Set() };
      told.amount += amount;
      told.cycles.add(cycle.toLocaleString("en"));
      by.set(lane.name, told);
    }
    const parts = [...by].map(([name, { amount, cycles }]) => `${name}: ${amount || "its request"} in cycle ${[...cycles].slice(0, 4).join(", ")}`);
    return parts.length ? `counted for it: ${parts.join("; ")}` : "nothing is counted for it";
  }
  #tellRequest(i, lines) {
    this.hover.requests.add(i);
    lines.push(`request for ${this.#requests.address(i)}${this.#requests.flags(i) & 2 ? ` by ${this.#requests.ip(i)}` : ""}: ` +
      `cycles ${this.#requests.begins[i].toLocaleString("en")} to ${this.#requests.ends[i].toLocaleString("en")}; ` +
      this.#tellCounted(this.#causes?.ofRequest(this.#requests.id(i)) ?? []));
  }
  /// Lights up the instructions and requests that the models named for what is counted in the cycle, of the lane that
  /// is pointed at or of all.
  #lightCauses(addresses, y) {
    const lane = this.#lanes[Math.floor((y - this.#parts.counters) / this.#laneHeight)];
    const causes = (this.#causes?.ofCycle(this.cursor) ?? []).filter((cause) =>
      !lane || y < this.#parts.counters || (cause.counter === lane.index && cause.thread === lane.thread));
    if (causes.length === 0) return;
    const keys = new Set(), requests = new Set();
    for (const cause of causes) {
      if (cause.request) requests.add(cause.id); else keys.add(instructionKey(cause.id, cause.slot, cause.thread));
    }
    const [from, to] = this.#instructions.window(this.view[0], this.view[1]);
    for (let i = from; i < to; ++i) {
      if (!keys.has(this.#instructions.key(i))) continue;
      this.hover.lit.add(i);
      addresses.add(this.#instructions.ip(i));
    }
    const [first, last] = this.#requests.window(this.view[0], this.view[1]);
    for (let i = first; i < last; ++i) if (requests.has(this.#requests.id(i))) this.hover.requests.add(i);
  }
}
