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
      type: "button", class: "bit", "aria-pressed": String(set), "data-bit": place, tabindex: "-1",
      "aria-label": `${register.name} ${field.name} bit ${fromHighest ? width - 1 - place : place}`,
      title: `${field.name}, bit ${fromHighest ? width - 1 - place : place}: ${field.meaning}`,
      onclick: () => change(register.name, value ^ 1n << BigInt(place)),
    }, set ? "1" : "0");
  });
  return make("div", { class: "field", title: field.meaning },
    make("span", {}, `${field.name} ${field.bits}`),
    hidden ? make("span", {}, "…") : make("div", { class: "bits" }, ...bits));
}

/// Arrow keys among the bits of a register, and up to its value; down comes back.
function moveAmongBits(event) {
  const panel = event.currentTarget.closest(".register"), bits = [...panel.querySelectorAll(".bit")], at = bits.indexOf(event.target);
  const to = { ArrowLeft: bits[at - 1], ArrowRight: bits[at + 1], Home: bits[0], End: bits.at(-1), ArrowUp: panel.querySelector("input") }[event.key];
  if (at < 0 || !to) return;
  event.preventDefault();
  if (to.matches(".bit")) for (const bit of bits) bit.tabIndex = bit === to ? 0 : -1;
  to.focus();
}

function widthOf(register, fromHighest) { return fromHighest ? 32 : register.width; }

function panelOf(register, target, selection, change) {
  const fromHighest = target.startsWith("ppc"), width = widthOf(register, fromHighest);
  const idle = BigInt(register.value) === 0n;
  const input = make("input", {
    type: "text", class: "code", value: register.value, "aria-label": `${register.name} value`, tabindex: "-1",
    onkeydown: (event) => { if (event.key === "ArrowDown") event.target.closest(".register").querySelector(".bit[tabindex='0']")?.focus(); },
    onchange: (event) => {
      try { change(register.name, BigInt(event.target.value.trim())); } catch { event.target.value = register.value; }
    },
  });
  const fields = make("div", { class: "fields", role: "group", onkeydown: moveAmongBits,
    "aria-label": `Bits of ${register.name}: left and right move, up goes to the value` },
  ...register.fields.map((field) => fieldBits(register, field, width, fromHighest, change)));
  (fields.querySelector(".bit") ?? input).tabIndex = 0;  // one stop of the Tab key a register
  const meanings = register.fields.filter((field) => !reserved.test(field.name) && (!idle || register.fields.length < 4))
    .map((field) => make("li", {}, make("b", {}, field.name), ` ${field.meaning}`));
  return make("div", { class: idle ? "register idle" : "register" },
    make("div", { class: "head" }, make("b", {}, register.name), input, make("span", { class: "soft" }, selection ?? "")),
    fields,
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
  for (const label of used) {
    const bit = document.querySelector(`[aria-label="${CSS.escape(label)}"]`);
    for (const other of bit?.closest(".register").querySelectorAll(".bit") ?? []) other.tabIndex = other === bit ? 0 : -1;
    bit?.focus();
  }
}
