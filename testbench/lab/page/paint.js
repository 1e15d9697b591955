// Draws the timeline. The content of a column of pixels is summed up first (series.js), so that the cost of a frame
// depends on the width of the canvas only.
import { never } from "lab/model.js";
import { eachColumn, nextFrom } from "lab/series.js";

export const label = 78;
const ruler = 18, levelLane = 14, gap = 5;
const leastRow = 8, goodRow = 11, mostRow = 15;  ///< pixels; text is legible from leastRow on
const slightlyMore = 1.25;             ///< more rows than fit, so that not all that retires is in view
const leastLane = 34, mostLane = 64;
const requestLines = 6;
const mostLooked = 400;                ///< instructions near the view that are tried for rows
const stageColours = ["fetch", "wait", "execute", "done"];
const faint = " faint";  ///< suffix of a colour: on a wrong path
const bitWrong = 8;
const tidy = (amount) => String(Number(amount.toPrecision(2)));
const numbers = new Intl.NumberFormat("en");

const nice = (span) => {
  const power = 10 ** Math.floor(Math.log10(span));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= span);
};

/// Short names of levels that fit on the canvas.
const shortNames = {
  DISCOUNT_stopped: "stopped", PMCTRIGGER_released: "triggered", SIA_written: "SIA written", interrupt_requests: "requests",
  instruction_followed: "follows", sample_written: "sample", data_ear_written: "data EAR", instruction_ear_written: "instr. EAR",
  branch_buffer_written: "branch buf.",
};
const levelLabel = (name) => {
  const [plain, thread] = name.split(" t");
  return (shortNames[plain] ?? plain) + (thread === undefined ? "" : ` t${thread}`);
};

/// The place of an instruction in the listing: its address, on IA-64 with its slot; and its text.
export const placeOf = (instructions, i, code) => {
  const ip = instructions.ip(i), place = `${ip}.${instructions.flags(i) & 3}`;
  return code.has(place) ? place : ip;
};
export const textOf = (instructions, i, code) => code.get(placeOf(instructions, i, code)) ?? instructions.ip(i);

/// The layout of the picture for a canvas of this size: lanes of counters first, and the rows take the rest.
export class Places {
  constructor(width, height, view, lanes, levels) {
    this.width = width;
    this.height = height;
    this.view = view;
    this.scale = (width - label) / (view[1] - view[0]);
    this.laneHeight = Math.max(leastLane, Math.min(mostLane, height * 0.4 / Math.max(1, lanes)));
    this.requestLine = height < 420 ? 4 : 7;
    this.requestLane = requestLines * this.requestLine + 4;
    this.levels = height - levels * levelLane - (levels ? gap : 0);
    this.counters = this.levels - lanes * this.laneHeight - gap;
    this.requests = this.counters - this.requestLane - gap;
    this.top = ruler + 2;
    this.rows = this.requests - gap - ruler - 2;
  }
  x(cycle) { return label + (cycle - this.view[0]) * this.scale; }
  cycleAt(x) { return this.view[0] + (x - label) / this.scale; }
  lane(i) { return this.counters + i * this.laneHeight; }
  level(i) { return this.levels + i * levelLane; }
}

/// Rectangles grouped by colour, so that each colour is set once; later colours cover earlier ones.
class Rectangles {
  #by = new Map([...stageColours, "request", "level", "hold", "killed"].flatMap((name) => [[name, []], [name + faint, []]]));
  add(colour, x, y, width, height) { this.#by.get(colour).push(x, y, width, height); }
  fill(context, colours) {
    for (const [colour, list] of this.#by) {
      if (list.length === 0) continue;
      context.fillStyle = colours(colour.replace(faint, ""));
      context.globalAlpha = colour.endsWith(faint) ? 0.45 : 1;
      for (let i = 0; i < list.length; i += 4) context.fillRect(list[i], list[i + 1], list[i + 2], list[i + 3]);
    }
    context.globalAlpha = 1;
  }
}

/// Draws one frame. `colours(name)` returns a colour; `shown` has instructions, requests, code, lanes, levels, marks,
/// samples, reached (the cycle up to which the counters are known), cursor, and the highlighted items.
export class Picture {
  #context; #places; #colours; #shown; #boxes = new Rectangles();
  rowHeight = 0;
  rows = null;        ///< indices of the instructions that have rows; null if there are too many
  hidden = 0;         ///< number of instructions of the view below the last row
  requestBoxes = [];  ///< [index, top, height] of requests that are drawn individually

  constructor(context, places, colours, shown) {
    this.#context = context; this.#places = places; this.#colours = colours; this.#shown = shown;
  }
  get hasRows() { return this.rows !== null; }
  paint() {
    const context = this.#context, { width, height } = this.#places;
    this.#ruler();
    context.save();
    context.beginPath();
    context.rect(label, 0, width - label, height);
    context.clip();
    this.#instructions();
    this.#requests();
    this.#shown.lanes.forEach((lane, i) => this.#lane(lane, this.#places.lane(i)));
    this.#shown.levels.forEach((one, i) => this.#level(one.levels, this.#places.level(i)));
    this.#boxes.fill(context, this.#colours);
    this.#lit();
    this.#texts();
    this.#values();
    this.#marks();
    this.#cursor();
    context.restore();
    this.#labels();
  }

  #ruler() {
    const context = this.#context, { width, height, view } = this.#places, step = nice((view[1] - view[0]) * 80 / (width - label));
    context.strokeStyle = this.#colours("line");
    context.fillStyle = this.#colours("soft");
    context.textAlign = "left";
    context.beginPath();
    for (let cycle = Math.ceil(view[0] / step) * step; cycle < view[1]; cycle += step) {
      const x = Math.round(this.#places.x(cycle)) + 0.5;
      context.moveTo(x, 0);
      context.lineTo(x, height);
      context.fillText(numbers.format(cycle), x + 3, ruler / 2);
    }
    context.stroke();
  }
  #labels() {
    const context = this.#context, places = this.#places, { lanes, levels } = this.#shown;
    const name = (text, y) => context.fillText(text, 2, y, label - 4);
    context.fillStyle = this.#colours("ground");
    context.fillRect(0, 0, label, places.height);
    context.fillStyle = this.#colours("soft");
    context.textAlign = "left";
    context.fillText("cycle", 4, ruler / 2);
    name("instructions", places.top + 8);
    if (this.hidden) name(`${this.hidden} more`, places.top + places.rows - 8);
    if (!this.hasRows) {
      name("in a cycle:", places.top + 21);
      if (this.mostKilled) name(`killed ≤ ${tidy(this.mostKilled)}`, places.top + 34);
      name(`retired ≤ ${tidy(this.mostDone)}`, places.top + places.rows - 8);
    }
    name("requests", places.requests + 10);
    if (this.mostUnderWay) name(`≤ ${tidy(this.mostUnderWay)} at once`, places.requests + 22);
    lanes.forEach((lane, i) => name(`n ≤ ${lane.most ?? 0}`, places.lane(i) + 21));
    levels.forEach((one, i) => name(levelLabel(one.name), places.level(i) + 6));
    context.fillStyle = this.#colours("ink");
    lanes.forEach((lane, i) => name(lane.name, places.lane(i) + 9));
  }

  /// A bar from cycle to cycle, at least one pixel wide.
  #bar(from, to, y, height, colour) {
    const { view, scale } = this.#places;
    if (to <= view[0] || from >= view[1] || to <= from) return;
    this.#boxes.add(colour, this.#places.x(from), y, Math.max(1, (to - from) * scale), height);
  }

  /// Draws rows if they show all that retires or is killed in the view; else the number retired, and from the top the
  /// number killed.
  #instructions() {
    const { top, rows } = this.#places;
    this.#chooseRows();
    if (!this.hasRows) return this.#density();
    this.rows.forEach((i, k) => this.#instruction(i, top + k * this.rowHeight));
  }
  #chooseRows() {
    const { rows, view: [begin, end] } = this.#places, all = this.#shown.instructions, fit = Math.floor(rows / leastRow);
    const within = (cycles) => {
      const first = nextFrom(cycles, begin, 0, cycles.length);
      return nextFrom(cycles, end, first, cycles.length) - first;
    };
    const done = within(all.retired) + within(all.killed), [from, to] = all.window(begin, end);
    if (done > fit * slightlyMore || fit < 1) return;
    const found = [];
    for (let i = from; i < Math.min(to, from + mostLooked); ++i) if (all.touches(i, begin, end)) found.push(i);
    const height = rows / Math.max(1, found.length);
    this.rowHeight = height >= goodRow ? Math.min(mostRow, height) : Math.max(leastRow, Math.min(goodRow, rows / Math.max(1, done)));
    this.rows = found.slice(0, Math.floor(rows / this.rowHeight + 1e-6));
    this.hidden = found.length - this.rows.length;
  }
  #instruction(i, y) {
    const all = this.#shown.instructions, height = Math.max(1, this.rowHeight - 1), end = this.#endOf(i);
    let colour = null, begin = 0;
    for (let k = 0; k < stageColours.length; ++k) {
      const cycle = all.stage(i, k);
      if (cycle === never) continue;
      if (colour !== null) this.#bar(begin, Math.max(cycle, begin), y, height, colour);
      // For a core that does not report issue, the bar after dispatch is the execution.
      colour = k === 1 && all.stage(i, 2) === never && all.stage(i, 3) === never ? "execute" : stageColours[k];
      begin = cycle;
    }
    if (colour === null) this.#bar(all.begins[i], end, y, height, "done");
    else this.#bar(begin, Math.max(end, begin), y, height, colour);
    if (this.#isKilled(all, i))
      this.#bar(Math.max(all.begins[i], end - 1), end + 1, y, height, "killed");
  }
  #isKilled(all, i) { return (all.flags(i) & bitWrong) !== 0 || all.stage(i, 5) !== never; }
  #endOf(i) {
    const all = this.#shown.instructions, retire = all.stage(i, 4), kill = all.stage(i, 5);
    return retire !== never ? retire + 1 : kill !== never ? kill : all.ends[i] + 1;
  }
  /// The text of each row: after its bar, before it, or on it, wherever it fits.
  #texts() {
    if (!this.hasRows) return;
    const context = this.#context, { instructions, code } = this.#shown, { top, width } = this.#places;
    const plain = context.font;
    context.font = plain.replace("11px", `${Math.min(11, Math.floor(this.rowHeight))}px`);
    this.rows.forEach((i, k) => {
      const y = top + k * this.rowHeight + (this.rowHeight - 1) / 2, text = textOf(instructions, i, code);
      const end = this.#places.x(this.#endOf(i) + (this.#isKilled(instructions, i) ? 1 : 0)) + 5, begin = this.#places.x(instructions.begins[i]) - 5;
      const long = context.measureText(text).width, after = end + long < width, before = !after && begin - long > label;
      context.textAlign = before ? "right" : "left";
      context.fillStyle = this.#colours(after || before ? "soft" : "ink");
      context.fillText(text, after ? end : before ? begin : Math.max(label, begin + 5) + 4, y);
    });
    context.textAlign = "left";
    context.font = plain;
  }
  /// Cycles at the edges of the columns of pixels, or of cycles if these are wider. The edges are fixed in the program
  /// while the view moves.
  #edges() {
    const { view, scale } = this.#places, step = Math.max(1, 1 / scale), edges = [];
    for (let k = Math.floor(view[0] / step); ; ++k) {
      edges.push(k * step);
      if (k * step >= view[1]) return edges;
    }
  }
  #density() {
    const { top, rows, scale } = this.#places, edges = this.#edges(), { retired, killed } = this.#shown.instructions;
    const countsOf = (cycles) => {
      let at = nextFrom(cycles, edges[0], 0, cycles.length);
      return edges.slice(1).map((edge) => {
        const next = nextFrom(cycles, edge, at, cycles.length), count = next - at;
        at = next;
        return count;
      });
    };
    const kills = countsOf(killed), killedRows = kills.some((count) => count > 0) ? Math.floor(rows / 4) : 0, unit = Math.min(1, scale);
    this.mostKilled = this.#stack(edges, [["killed", kills]], top, -killedRows) * unit;
    this.mostDone = this.#stack(edges, [["execute", countsOf(retired)]], top + rows, rows - killedRows - 6) * unit;
  }
  /// Draws stacked columns of several colours, from `bottom` upwards (downwards if the height is negative); returns the
  /// total of the highest column.
  #stack(edges, parts, bottom, height) {
    let most = 0;
    for (let i = 0; i + 1 < edges.length; ++i) most = Math.max(most, parts.reduce((sum, [, amounts]) => sum + amounts[i], 0));
    if (most === 0) return 0;
    for (let i = 0; i + 1 < edges.length; ++i) {
      const x = Math.round(this.#places.x(edges[i])), width = Math.round(this.#places.x(edges[i + 1])) - x;
      let y = bottom;
      for (const [colour, amounts] of parts) {
        const high = amounts[i] / most * height;
        if (high !== 0) this.#boxes.add(colour, x, Math.min(y, y - high), width, Math.abs(high));
        y -= high;
      }
    }
    return most;
  }

  /// Draws requests individually if there are fewer than columns, else the number in flight.
  #requests() {
    const places = this.#places, all = this.#shown.requests, { view, requests: y, width } = places, [from, to] = all.window(view[0], view[1]);
    if (to - from <= width - label) {
      for (let i = from; i < to; ++i) {
        if (!all.touches(i, view[0], view[1])) continue;
        const top = y + all.lines[i] * places.requestLine;
        const side = all.fetches(i) ? "fetch" : "request";
        this.#bar(all.begins[i], all.ends[i] + 1, top, places.requestLine - 1, (all.flags(i) & bitWrong) !== 0 ? side + faint : side);
        this.requestBoxes.push([i, top, places.requestLine - 1]);
      }
      return;
    }
    const edges = this.#edges(), parts = all.sides.map((side, i) => {
      const before = side.before(edges);
      return [i === 0 ? "request" : "fetch", before.slice(1).map((sum, k) => (sum - before[k]) / (edges[k + 1] - edges[k]))];
    });
    this.mostUnderWay = this.#stack(edges, parts, y + places.requestLane, places.requestLane);
  }
  /// Highlights the items related to the pointer: a frame around each, or over the area if it is not drawn
  /// individually.
  #lit() {
    const context = this.#context, places = this.#places, { lit, instructions, requests } = this.#shown;
    context.strokeStyle = this.#colours("ink");
    const frame = (from, to, y, height) =>
      context.strokeRect(places.x(from) - 1, y - 0.5, Math.max(1, (to - from) * places.scale + 2), height + 1);
    for (const i of lit.instructions) {
      if (!this.hasRows) frame(instructions.begins[i], this.#endOf(i), places.top, places.rows);
      else if (this.rows.includes(i))
        frame(instructions.begins[i], this.#endOf(i), places.top + this.rows.indexOf(i) * this.rowHeight, this.rowHeight - 1);
    }
    for (const i of lit.requests) {
      if (this.mostUnderWay) frame(requests.begins[i], requests.ends[i] + 1, places.requests, places.requestLane);
      else frame(requests.begins[i], requests.ends[i] + 1, places.requests + requests.lines[i] * places.requestLine, places.requestLine - 1);
    }
  }

  /// Draws n as bars, the condition as a strip, a dot where the edge flop rises; the value is drawn above all
  /// (#values). For several steps in a column: the highest bar, and a strip whose height is the share of cycles in
  /// which the condition holds.
  #lane(lane, y) {
    const { steps } = lane, { view, width, scale } = this.#places, height = this.#places.laneHeight - gap;
    this.#context.strokeStyle = this.#colours("line");
    this.#context.strokeRect(label, y + 0.5, width - label, height);
    lane.line = null;
    if (steps.count === 0) return;
    const end = Math.min(view[1], this.#shown.reached), first = Math.max(0, steps.at(view[0])), last = steps.at(end);
    if (end <= view[0]) return;
    const most = Math.max(1, steps.most(first, last + 1)), [least, greatest] = steps.range(first, last + 1);
    const strip = 4, body = height - strip - 2, bottom = y + height - 1 - strip, range = Math.max(1, greatest - least);
    const level = (value) => bottom - (value - least) / range * body;
    lane.most = most;
    lane.line = [];
    eachColumn(steps.cycles.values, steps.count, [view[0], end], scale, (i, next, from, to) => {
      const x = this.#places.x(from), wide = Math.max(1, (to - from) * scale), one = next === i + 1;
      const n = one ? steps.n(i) : steps.most(i, next);
      if (n > 0) this.#boxes.add("wait", x, bottom - n / most * body, Math.max(1, wide - (scale > 4 ? 1 : 0)), n / most * body);
      const part = steps.holds(i, next, from, to) / (to - from);
      if (part > 0) this.#boxes.add("hold", x, bottom + 1, wide, Math.max(1, strip * part));
      if (scale > 3 && (steps.flags(i) & 2) !== 0 && (i === 0 || (steps.flags(i - 1) & 2) === 0)) this.#boxes.add("killed", x, bottom + 1, 2, strip);
      if (one) return lane.line.push(x, level(steps.value(i)), x + wide, level(steps.value(i)));
      const [low, high] = steps.range(i, next), ends = [steps.value(i), steps.value(next - 1)];
      lane.line.push(x, level(ends[0]));
      if (low < Math.min(...ends)) lane.line.push(x, level(low));
      if (high > Math.max(...ends)) lane.line.push(x, level(high));
      lane.line.push(x + wide, level(ends[1]));
    });
  }
  #values() {
    const context = this.#context;
    context.strokeStyle = this.#colours("count");
    context.lineWidth = 1.4;
    context.beginPath();
    for (const { line } of this.#shown.lanes) {
      if (!line) continue;
      for (let i = 0; i < line.length; i += 2) {
        if (i === 0) context.moveTo(line[0], line[1]);
        // A point within a horizontal stretch is skipped.
        else if (line[i + 1] !== line[i - 1] || line[i + 3] !== line[i + 1]) context.lineTo(line[i], line[i + 1]);
      }
    }
    context.stroke();
    context.lineWidth = 1;
  }
  /// Draws a level other than 0 as a bar, with its bits if there are several and they fit.
  #level(levels, y) {
    const context = this.#context, { view, scale, width } = this.#places, height = levelLane - 3;
    context.strokeStyle = this.#colours("line");
    context.beginPath();
    context.moveTo(label, y + height + 0.5);
    context.lineTo(width, y + height + 0.5);
    context.stroke();
    const digits = levels.greatest.toString(2).length;
    eachColumn(levels.cycles.values, levels.count, [view[0], Math.min(view[1], this.#shown.reached)], scale, (i, next, from, to) => {
      if (next === i + 1 && levels.value(i) === 0) return;  // of two neighbouring levels one is not 0
      const wide = Math.max(1, (to - from) * scale);
      this.#boxes.add("level", this.#places.x(from), y, wide, height);
      if (digits > 1 && next === i + 1 && wide >= digits * 6 + 4)
        this.#bits.push([levels.value(i).toString(2).padStart(digits, "0"), this.#places.x(from) + wide / 2, y + height / 2 + 0.5]);
    });
  }
  #bits = [];
  #marks() {
    const context = this.#context, { view, scale, counters: top, height } = this.#places, [requested, , taken] = this.#shown.marks.kinds;
    context.fillStyle = context.strokeStyle = this.#colours("bad");
    const each = (cycles, draw) => {
      context.beginPath();
      eachColumn(cycles, cycles.length, view, scale, (i) => { if (cycles[i] >= view[0]) draw(this.#places.x(cycles[i] + 1)); });
    };
    each(requested, (x) => { context.moveTo(x, top); context.lineTo(x, height); });
    context.stroke();
    each(taken, (x) => { context.moveTo(x, top - 6); context.lineTo(x - 4, top + 2); context.lineTo(x + 4, top + 2); });
    context.fill();
    context.fillStyle = this.#colours("on-ink");
    context.textAlign = "center";
    for (const [text, x, y] of this.#bits) context.fillText(text, x, y);
  }
  #cursor() {
    const { cursor } = this.#shown;
    if (cursor === null) return;
    this.#context.fillStyle = this.#colours("hold");
    this.#context.globalAlpha = 0.25;
    this.#context.fillRect(this.#places.x(cursor), 0, Math.max(1, this.#places.scale), this.#places.height);
    this.#context.globalAlpha = 1;
  }
}
