// Control registers as bits: a click inverts a bit, and values can be typed; the fields are shown in words.
import { fill, make, warning } from "lab/dom.js";

const reserved = /^(reserved|unused|ignored|ig)$/i;
const widestReserved = 10;  // longer ones are shown as text

/// Positions of a field's bits, counted from the lowest, highest first. The PowerPC manuals count from the highest.
function placesOf(field, width, fromHighest) {
  const places = [];
  for (const part of field.bits.split(",")) {
    const [a, b = a] = part.split(":").map(Number);
    for (let i = Math.max(a, b); i >= Math.min(a, b); --i) places.push(fromHighest ? width - 1 - i : i);
  }
  return places.sort((x, y) => y - x);
}

function fieldBits(register, field, width, fromHighest, change) {
  const value = BigInt(register.value), places = placesOf(field, width, fromHighest);
  const hidden = reserved.test(field.name) && places.length > widestReserved;
  const bits = places.map((place) => {
    const set = (value >> BigInt(place) & 1n) === 1n;
    return make("button", {
      type: "button", class: "bit", "aria-pressed": String(set), "data-bit": place,
      "aria-label": `${register.name} ${field.name} bit ${fromHighest ? width - 1 - place : place}`,
      title: `${field.name}, bit ${fromHighest ? width - 1 - place : place}: ${field.meaning}`,
      onclick: () => change(register.name, value ^ 1n << BigInt(place)),
    }, set ? "1" : "0");
  });
  return make("div", { class: "field", title: field.meaning },
    make("span", {}, `${field.name} ${field.bits}`),
    hidden ? make("span", {}, "…") : make("div", { class: "bits" }, ...bits));
}

function widthOf(register, fromHighest) { return fromHighest ? 32 : register.width; }

function panelOf(register, target, selection, change) {
  const fromHighest = target.startsWith("ppc"), width = widthOf(register, fromHighest);
  const idle = BigInt(register.value) === 0n;
  const input = make("input", {
    type: "text", class: "code", value: register.value, "aria-label": `${register.name} value`,
    onchange: (event) => {
      try { change(register.name, BigInt(event.target.value.trim())); } catch { event.target.value = register.value; }
    },
  });
  const meanings = register.fields.filter((field) => !reserved.test(field.name) && (!idle || register.fields.length < 4))
    .map((field) => make("li", {}, make("b", {}, field.name), ` ${field.meaning}`));
  return make("div", { class: idle ? "register idle" : "register" },
    make("header", {}, make("b", {}, register.name), input, make("span", { class: "soft" }, selection ?? "")),
    make("div", { class: "fields" },
      ...register.fields.map((field) => fieldBits(register, field, width, fromHighest, change))),
    register.error ? warning(register.error) : undefined,
    idle ? undefined : make("ul", { class: "meanings" }, ...meanings));
}

/// `decoded` is the model's answer; `change(name, value)` is called with a BigInt.
export function showRegisters(state, decoded, change) {
  const used = new Set(document.activeElement?.classList?.contains("bit")
    ? [document.activeElement.getAttribute("aria-label")] : []);
  const selections = decoded.selections ?? [];
  const panels = decoded.registers.map((register) => {
    const number = /\d+$/.exec(register.name)?.[0];
    const selection = selections.find((one) => number !== undefined && one.counter.endsWith(number) &&
      /sel|pmc/i.test(register.name) && one.counter !== register.name);
    return panelOf(register, state.target, selection ? `→ ${selection.counter}` : "", change);
  });
  const notes = selections.flatMap((one) => one.notes.map((note) => warning(`${one.counter}: ${note}`)));
  fill("registers", ...notes, ...(decoded.error ? [warning(decoded.error)] : []), ...panels);
  for (const label of used) document.querySelector(`[aria-label="${CSS.escape(label)}"]`)?.focus();
}
