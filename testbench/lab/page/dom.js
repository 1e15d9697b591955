// Helpers that create elements.

/// Creates an element from attributes (names of handlers start with "on"; undefined and false are left out) and
/// children.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

export const byId = (id) => document.getElementById(id);
const nameOf = (element) => element.getAttribute("aria-label") || element.textContent;
/// Replaces the children. If one of them had the focus, the new child with the same name gets it.
export function fill(id, ...children) {
  const place = byId(id), active = document.activeElement, name = place.contains(active) ? nameOf(active) : "";
  place.replaceChildren(...children.filter((child) => child !== undefined && child !== null));
  if (name && !place.contains(document.activeElement))
    [...place.querySelectorAll("button, input, select, [tabindex]")].find((one) => nameOf(one) === name)?.focus();
}
export const grouped = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
export const warning = (text) => make("p", { class: "warning" }, `⚠ ${text}`);
