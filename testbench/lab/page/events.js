// Events: a text for each counter, a search through the target's table, masks and attributes as a form.
import { byId, fill, make } from "lab/dom.js";
import { isIa64 } from "lab/model.js";

const mostFound = 40;
let chosen = 0;  ///< event whose attributes the form shows

/// The parts of an event string: its name, and the other parts in order.
export function partsOf(text) {
  const short = text.includes("::") ? text.slice(text.indexOf("::") + 2) : text;
  const [name, ...rest] = short.split(":");
  return { name, rest };
}
export const textOf = ({ name, rest }) => [name, ...rest].join(":");
const same = (a, b) => a.toLowerCase() === b.toLowerCase();
const keyOf = (part) => part.split("=")[0];

function found(table, words) {
  const all = words.toLowerCase().split(/\s+/).filter(Boolean);
  return table.filter((event) => {
    const text = `${event.name} ${event.description}`.toLowerCase();
    return all.every((word) => text.includes(word));
  }).slice(0, mostFound);
}

function row(state, index, counter, actions) {
  return make("div", { class: "event" },
    make("span", { class: "counter" }, counter ?? "?"),
    make("input", {
      type: "text", class: "code", value: state.events[index], spellcheck: "false",
      "aria-label": `Event ${index + 1}`,
      onfocus: () => { if (chosen !== index) { chosen = index; actions.form(); } },
      onchange: (event) => actions.change(state.events.with(index, event.target.value.trim())),
    }),
    make("button", {
      type: "button", "aria-label": `Remove event ${index + 1}`,
      onclick: () => { chosen = 0; actions.change(state.events.toSpliced(index, 1)); },
    }, "×"));
}

function search(state, table, actions) {
  const list = make("ul", { class: "found" });
  const show = (words) => list.replaceChildren(...(words.trim() === "" ? [] : found(table, words)).map((event) =>
    make("li", {}, make("button", {
      type: "button", title: event.source,
      onclick: () => { chosen = state.events.length; actions.change([...state.events, defaultText(event)]); },
    }, make("span", { class: "code" }, event.name), make("span", { class: "soft" }, event.description)))));
  return make("div", { class: "add" },
    make("input", {
      type: "text", id: "search", placeholder: "Add an event: search names and meanings", "aria-label": "Search events",
      oninput: (event) => show(event.target.value),
    }), list);
}

/// The text of an added event; one that has masks but no default gets a mask.
function defaultText(event) {
  if (event.masks.length === 0 || event.masks.some((mask) => mask.default)) return event.name;
  return /^L3_/.test(event.name) && event.masks.length === 4 ? `${event.name}:${event.masks[0].name}` : event.name;
}

/// The kinds of an event. Without a name those of the default are counted, and checked.
function maskBoxes(parts, event, set) {
  const isMask = (part) => event.masks.some((mask) => same(part, mask.name));
  const named = parts.rest.filter(isMask), others = parts.rest.filter((part) => !isMask(part));
  return event.masks.map((mask) => make("label", { title: mask.description }, make("input", {
    type: "checkbox", checked: named.length ? named.some((part) => same(part, mask.name)) : mask.default,
    onchange: (change) => set([...(change.target.checked ? [...named, mask.name] : named.filter((part) => !same(part, mask.name))), ...others]),
  }), ` ${mask.name}`));
}

/// The modes of which naming one leaves the others out. Those that an event counts without naming any are checked.
function modeBoxes(parts, event, attributes, set) {
  const modes = attributes.filter((one) => event.modes.includes(one.name));
  const isMode = (part) => modes.some((one) => same(keyOf(part), one.name));
  const named = parts.rest.filter((part) => isMode(part) && part.split("=")[1] !== "0").map((part) => keyOf(part).toLowerCase());
  const counted = parts.rest.some(isMode) ? named : modes.map((one) => one.name);
  return modes.map((mode) => make("label", { title: mode.meaning }, make("input", {
    type: "checkbox", checked: counted.includes(mode.name),
    onchange: (change) => {
      const now = modes.map((one) => one.name).filter((name) => (name === mode.name ? change.target.checked : counted.includes(name)));
      set([...parts.rest.filter((part) => !isMode(part)), ...(now.length === modes.length ? [] : now)]);
    },
  }), ` ${mode.name}`));
}

function attributeInput(parts, attribute, set) {
  const at = parts.rest.findIndex((part) => same(keyOf(part), attribute.name));
  const text = at < 0 ? "" : parts.rest[at].split("=")[1] ?? "1";
  const others = parts.rest.filter((part) => !same(keyOf(part), attribute.name));
  const put = (value) => set(value === "" ? others : [...others, `${attribute.name}=${value}`]);
  const title = `${attribute.meaning}${attribute.wide ? "; for the whole run" : ""}`;
  if (attribute.flag) {
    return make("label", { title }, make("input", {
      type: "checkbox", checked: text !== "" && text !== "0",
      onchange: (event) => put(event.target.checked ? "1" : ""),
    }), ` ${attribute.name}`);
  }
  return make("label", { title }, `${attribute.name} `, attribute.words
    ? make("select", { onchange: (event) => put(event.target.value) },
      make("option", { value: "" }, "–"),
      ...attribute.words.split("|").map((word) => make("option", { value: word, selected: same(word, text) }, word)))
    : make("input", {
      type: "number", min: attribute.minimum, max: attribute.maximum, value: text,
      onchange: (event) => put(event.target.value),
    }));
}

/// Shows masks and attributes of the chosen event.
export function showForm(state, described, actions) {
  const text = state.events[chosen];
  if (text === undefined) return fill("attributes");
  const parts = partsOf(text);
  const event = described.events.find((one) => same(one.name, parts.name));
  if (!event) return fill("attributes");
  const set = (rest) => actions.change(state.events.with(chosen, textOf({ name: parts.name, rest })));
  const attributes = described.attributes.filter((one) => event.attributes.includes(one.name));
  fill("attributes", make("fieldset", {}, make("legend", {}, event.name),
    make("div", { class: "soft" }, `${event.description} `,
      make("em", {}, `${event.source}${event.confirmed ? "" : " (not confirmed)"}`)),
    event.masks.length ? make("div", { class: "form", "aria-label": "Unit masks", role: "group" },
      ...maskBoxes(parts, event, set)) : undefined,
    make("div", { class: "form", "aria-label": "Attributes", role: "group" },
      ...modeBoxes(parts, event, attributes, set),
      ...attributes.filter((one) => !event.modes.includes(one.name)).map((attribute) => attributeInput(parts, attribute, set)))));
}

export function showEvents(state, described, counters, actions) {
  const typing = document.activeElement?.getAttribute("aria-label");
  const rows = state.events.map((_, index) => row(state, index, counters[index], actions));
  fill("events", ...rows, search(state, described.events, actions));
  chosen = Math.min(chosen, Math.max(0, state.events.length - 1));
  showForm(state, described, actions);
  if (typing) byId("events").querySelector(`[aria-label="${CSS.escape(typing)}"]`)?.focus();
}

const filters = {
  irange: ["code range", "0x4000000000000500-0x4000000000000600"],
  drange: ["data range", "0x6000000000000000-0x6000000000001000"],
  opcode: ["opcode", "MATCH/MASK:mifb"],
  ear: ["EAR", "unit=data,mode=cache,umask=0"],
  btb: ["branch buffer", "tm=taken"],
  etb: ["trace buffer", "tm=taken"],
  ipear: ["IP-EAR", "delay=0"],
};

export function showQualifiers(state, change) {
  if (!isIa64(state.target)) return fill("qualifiers");
  const absent = state.target === "itanium2" ? ["etb", "ipear"] : ["btb"];
  const set = (name, value) => {
    const rest = { ...state.qualifiers };
    delete rest[name];
    change(value === "" || value === false ? rest : { ...rest, [name]: value === true ? true : value.split(/\s+/) });
  };
  const inputs = Object.entries(filters).filter(([name]) => !absent.includes(name)).map(([name, [title, hint]]) =>
    make("label", { style: "display:block" }, `${title} `, make("input", {
      type: "text", class: "code", placeholder: hint, value: (state.qualifiers?.[name] ?? []).join(" "),
      onchange: (event) => set(name, event.target.value.trim()),
    })));
  const flags = ["no_fine", "inverse"].map((name) => make("label", {}, make("input", {
    type: "checkbox", checked: state.qualifiers?.[name] === true, onchange: (event) => set(name, event.target.checked),
  }), ` ${name.replace("_", " ")}`));
  fill("qualifiers", make("details", { open: Object.keys(state.qualifiers ?? {}).length > 0 },
    make("summary", {}, "Filters of the whole run"), ...inputs, make("div", { class: "form" }, ...flags)));
}

export function showSampling(state, counters, change) {
  const { counter = counters[0], period = 1000, seed } = state.sampling ?? {};
  const on = Boolean(state.sampling);
  const put = (more) => change({ counter, period, ...(seed === undefined ? {} : { seed }), ...more });
  fill("sampling", make("fieldset", {}, make("legend", {}, "Sampling"), make("div", { class: "form" },
    make("label", {}, make("input", {
      type: "checkbox", checked: on, disabled: counters.length === 0,
      onchange: (event) => (event.target.checked ? put({}) : change(undefined)),
    }), " interrupt every"),
    make("label", {}, make("input", {
      type: "number", min: 1, value: period, "aria-label": "Period", onchange: (event) => put({ period: Number(event.target.value) }),
    }), " events of "),
    make("label", {}, make("select", { "aria-label": "Sampled counter", onchange: (event) => put({ counter: event.target.value }) },
      ...counters.map((name) => make("option", { selected: name === counter }, name)))),
    make("label", {}, make("input", {
      type: "checkbox", checked: seed !== undefined, disabled: !on,
      onchange: (event) => change({ counter, period, ...(event.target.checked ? { seed: 1 } : {}) }),
    }), " periods vary"))));
}
