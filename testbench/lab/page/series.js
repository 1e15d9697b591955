// Searches and sums over data sorted by cycle, so that the cost of a picture depends on its width only.

/// Number of values read by searches and sums. The page's self-test compares it with the width of the canvas.
export const work = { items: 0 };

/// The first index in [low, high) whose value is at least `value`; high if there is none. `values` is ascending.
export function lowerBound(values, value, low, high) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    ++work.items;
    if (values[middle] >= value) high = middle; else low = middle + 1;
  }
  return low;
}
/// The same, for an index near `from`.
export function nextFrom(values, value, from, high) {
  let step = 1, low = from;
  while (low < high && values[low] < value) {
    ++work.items;
    from = low + 1;
    low += step;
    step *= 2;
  }
  return lowerBound(values, value, from, Math.min(low, high));
}

/// A growing array.
export class Grown {
  count = 0;
  constructor(type) { this.values = new type(256); }
  push(value) {
    if (this.count === this.values.length) {
      const more = new this.values.constructor(2 * this.count);
      more.set(this.values);
      this.values = more;
    }
    this.values[this.count++] = value;
  }
}

/// Greatest and least value of any stretch of a growing array, from precomputed groups.
export class Summary {
  static #group = 8;
  #values; #least; #greatest;
  constructor(values, type) { this.#values = values; this.#least = [new Grown(type)]; this.#greatest = [new Grown(type)]; }

  /// Called after the values have grown.
  grow() {
    const group = Summary.#group;
    let [low, high] = [this.#values, this.#values];
    for (let level = 0; low.count >= group; ++level) {
      if (level === this.#least.length) {
        this.#least.push(new Grown(low.values.constructor));
        this.#greatest.push(new Grown(low.values.constructor));
      }
      const least = this.#least[level], greatest = this.#greatest[level];
      while ((least.count + 1) * group <= low.count) {
        const at = least.count * group;
        let [few, many] = [low.values[at], high.values[at]];
        for (let i = at + 1; i < at + group; ++i) {
          if (low.values[i] < few) few = low.values[i];
          if (high.values[i] > many) many = high.values[i];
        }
        least.push(few);
        greatest.push(many);
      }
      [low, high] = [least, greatest];
    }
  }
  /// [least, greatest] of [from, to), which is not empty.
  of(from, to) {
    const group = Summary.#group;
    let few = Infinity, many = -Infinity;
    let [low, high] = [this.#values.values, this.#values.values];
    const take = (i) => {
      ++work.items;
      if (low[i] < few) few = low[i];
      if (high[i] > many) many = high[i];
    };
    for (let level = 0; from < to; ++level) {
      while (from < to && from % group !== 0) take(from++);
      while (from < to && to % group !== 0) take(--to);
      from /= group;
      to /= group;
      if (from < to) [low, high] = [this.#least[level].values, this.#greatest[level].values];
    }
    return [few, many];
  }
}

/// The number of intervals of time that overlap a stretch, from precomputed sums.
export class Overlap {
  #begins; #ends; #beginSums; #endSums;
  constructor(begins, ends) {
    this.#begins = Float64Array.from(begins).sort();
    this.#ends = Float64Array.from(ends).sort();
    const sums = (values) => {
      const all = new Float64Array(values.length + 1);
      for (let i = 0; i < values.length; ++i) all[i + 1] = all[i] + values[i];
      return all;
    };
    this.#beginSums = sums(this.#begins);
    this.#endSums = sums(this.#ends);
  }
  get count() { return this.#begins.length; }
  /// The total number of cycles of all intervals before each of the ascending `cycles`.
  before(cycles) {
    let begun = 0, ended = 0;
    return cycles.map((cycle) => {
      begun = nextFrom(this.#begins, cycle, begun, this.#begins.length);
      ended = nextFrom(this.#ends, cycle, ended, this.#ends.length);
      return begun * cycle - this.#beginSums[begun] - (ended * cycle - this.#endSums[ended]);
    });
  }
}

/// Visits the visible changes with at most two stops for each column of pixels: calls visit(i, j, begin, end) for the
/// cycles [begin, end) in which the changes [i, j) hold. Several changes hold only within a column. `cycles`: the cycle
/// of each change, `count` of them; `scale`: columns per cycle; `view`: the visible cycles.
export function eachColumn(cycles, count, view, scale, visit) {
  const [from, to] = view;
  if (to <= from) return;
  let i = Math.max(0, lowerBound(cycles, from + 1e-9, 0, count) - 1), begin = from;
  while (i < count && Math.max(begin, cycles[i]) < to) {
    ++work.items;
    begin = Math.max(begin, cycles[i]);
    const edge = from + (Math.floor((begin - from) * scale + 1e-6) + 1) / scale;
    let next = i + 1, end = next < count ? Math.min(to, cycles[next]) : to;
    if (end < edge && next < count) {
      next = nextFrom(cycles, edge, next, count);
      end = Math.min(to, edge);
    }
    if (end > begin) visit(i, next, begin, end);  // one cycle may have several changes
    i = next < count && end === cycles[next] ? next : next - 1;
    begin = end;
  }
}
