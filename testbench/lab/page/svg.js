// A drawing context that writes SVG: the part of CanvasRenderingContext2D that paint.js uses.
const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const tidy = (value) => Number(value.toFixed(2));

export class SvgContext {
  #parts = []; #path = []; #clips = 0; #open = 0;
  fillStyle = "#000"; strokeStyle = "#000"; lineWidth = 1; globalAlpha = 1; font = "11px sans-serif"; textAlign = "left";
  #measure = document.createElement("canvas").getContext("2d");

  #paint(kind) {
    const alpha = this.globalAlpha === 1 ? "" : ` opacity="${this.globalAlpha}"`;
    return kind === "fill" ? `fill="${this.fillStyle}"${alpha}` : `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${alpha}`;
  }
  #rectangle(x, y, width, height, kind) {
    this.#parts.push(`<rect x="${tidy(Math.min(x, x + width))}" y="${tidy(Math.min(y, y + height))}" width="${tidy(Math.abs(width))}" height="${tidy(Math.abs(height))}" ${this.#paint(kind)}/>`);
  }
  fillRect(x, y, width, height) { this.#rectangle(x, y, width, height, "fill"); }
  strokeRect(x, y, width, height) { this.#rectangle(x, y, width, height, "stroke"); }
  beginPath() { this.#path = []; }
  moveTo(x, y) { this.#path.push(`M${tidy(x)} ${tidy(y)}`); }
  lineTo(x, y) { this.#path.push(`L${tidy(x)} ${tidy(y)}`); }
  rect(x, y, width, height) { this.#path.push(`M${tidy(x)} ${tidy(y)}h${tidy(width)}v${tidy(height)}h${tidy(-width)}z`); }
  stroke() { if (this.#path.length) this.#parts.push(`<path d="${this.#path.join("")}" ${this.#paint("stroke")}/>`); }
  fill() { if (this.#path.length) this.#parts.push(`<path d="${this.#path.join("")}" ${this.#paint("fill")}/>`); }
  clip() {
    const name = `clip${++this.#clips}`;
    this.#parts.push(`<clipPath id="${name}"><path d="${this.#path.join("")}"/></clipPath><g clip-path="url(#${name})">`);
    ++this.#open;
  }
  save() {}
  restore() { if (this.#open > 0) { this.#parts.push("</g>"); --this.#open; } }
  measureText(text) { this.#measure.font = this.font; return this.#measure.measureText(text); }
  fillText(text, x, y, most) {
    const [, size, family] = /(\S+px) (.*)/.exec(this.font), wide = most && this.measureText(text).width > most;
    const anchor = { left: "start", center: "middle", right: "end" }[this.textAlign];
    this.#parts.push(`<text x="${tidy(x)}" y="${tidy(y)}" font-size="${size}" font-family="${escaped(family)}" text-anchor="${anchor}" ` +
      `dominant-baseline="central"${wide ? ` textLength="${tidy(most)}" lengthAdjust="spacingAndGlyphs"` : ""} ${this.#paint("fill")}>${escaped(text)}</text>`);
  }
  text(width, height, title) {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
      `<title>${escaped(title)}</title>\n${this.#parts.join("\n")}\n</svg>\n`;
  }
}
