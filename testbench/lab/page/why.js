// The right side: counts, explanations of a count, and the contents of capture units.
import { fill, grouped, make, warning } from "lab/dom.js";

/// The handler moves a sampled counter back, so the count is shown as the number of samples.
function cellOf(count, thread, sampling) {
  if (sampling?.counter !== count.counter) return grouped(count.value) + (count.unit ? " ½" : "");
  return `${grouped(thread.sample_count)} samples`;
}

/// `kept`: counts of earlier settings by key, shown beside those of now; or null.
export function showCounts(result, focus, sampling, kept, choose) {
  const threads = result.threads.length > 1;
  const rows = result.threads.flatMap((thread, t) => thread.counts
    .filter((count) => count.event !== "" || count.value !== 0)
    .map((count) => {
      const key = `${t}/${count.counter}`;
      return make("tr", {
        class: key === focus ? "chosen" : "", tabindex: "0", onclick: () => choose(key),
        onkeydown: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          choose(key);
        },
      },
        threads ? make("td", {}, String(t)) : undefined,
        make("td", {}, count.counter),
        kept ? make("td", { class: "number before" }, kept.has(key) ? grouped(kept.get(key).value) : "") : undefined,
        make("td", { class: "number big", "data-counter": key }, cellOf(count, thread, sampling)),
        make("td", { class: "name code" }, count.event.replace(/^[^:]*::/, ""), ...(count.notes ?? []).map(warning),
          count.wraps ? warning(`it has wrapped ${count.wraps === 1 ? "once" : `${grouped(count.wraps)} times`}`) : undefined));
    }));
  fill("counts", make("table", {},
    make("thead", {}, make("tr", {}, threads ? make("th", {}, "thread") : undefined, make("th", {}, "counter"),
      kept ? make("th", { class: "number" }, "before") : undefined,
      make("th", { class: "number" }, kept ? "after" : "count"), make("th", {}, "event"))),
    make("tbody", {}, ...rows)),
    ...(result.broken_rules ?? []).map(warning),
    ...result.threads.flatMap((thread) => thread.not_modelled.map(warning)),
    rows.length ? undefined : make("p", { class: "soft" }, "No counter is enabled."));
}

const tableOf = (rows) => make("table", {}, make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells))));
const numberCell = (value) => make("td", { class: "number" }, grouped(value));
const codeCell = (text) => make("td", { class: "code name" }, text);
const addressCell = (text) => make("td", { class: "code address" }, text);

/// The text of the instruction at an address; on IA-64 of its slot.
const textAt = (texts, ip, slot) => texts.get(`${ip.replace("0x", "")}.${slot}`) ?? texts.get(ip.replace("0x", "")) ?? "";

function contributors(one, texts) {
  if (one.instructions.length === 0) return [];
  const rows = one.instructions.map(({ ip, slot, amount }) => [numberCell(amount), addressCell(ip === "" ? "no instruction" : `${short(ip)}${slot ? `.${slot}` : ""}`),
    codeCell(textAt(texts, ip, slot))]);
  const more = one.instruction_count - one.instructions.length;
  return [make("p", {}, make("b", {}, "By instruction"), more > 0 ? ` (${grouped(more)} more)` : ""), tableOf(rows),
    one.unnamed ? make("p", { class: "soft" }, `${grouped(one.unnamed)} of it belongs to no instruction: states, clocks.`) : undefined];
}

function neighbourTable(ask) {
  const body = make("div", {});
  const fillIn = async () => {
    if (body.childElementCount) return;
    try {
      body.append(tableOf((await ask()).map((one) => [numberCell(one.counted), codeCell(`${one.field} ${one.from} → ${one.to}`),
        make("td", {}, one.meaning)])));
    } catch (error) {
      body.append(warning(error.message));
    }
  };
  return make("details", { ontoggle: fillIn }, make("summary", {}, "One field changed"), body);
}

const silent = "Nothing came on this counter's event line in this part of the program, so there is no step to show. Either the event " +
  "does not happen here (try another program, or another event), or the hardware uses the counter itself, as ProfileMe does.";

/// Shows the steps from the signals to the counter, as the model reported them to its probe.
export function showWhy(one, texts, askNeighbours) {
  if (!one) return fill("why", make("p", { class: "soft" }, "Choose a count."));
  const most = Math.max(1, ...one.steps.map((step) => step.left));
  let before = null;
  const lines = one.steps.map(({ meaning, left }) => {
    const lost = before === null || before === left ? "" : left < before ? `−${grouped(before - left)}` : "";
    before = left;
    return make("li", { style: `--part:${(100 * left / most).toFixed(1)}%` },
      make("span", {}, meaning, lost ? make("span", { class: "soft" }, ` ${lost}`) : undefined), make("b", {}, grouped(left)));
  });
  fill("why", make("p", {}, make("b", {}, one.counter), " ", make("span", { class: "code" }, one.event.replace(/^[^:]*::/, ""))),
    one.steps.length === 0 ? make("p", { class: "soft" }, silent) : make("ul", { class: "funnel" }, ...lines),
    BigInt(one.base) === 0n ? undefined : make("p", { class: "soft" }, `Software gave the counter the value ${one.base} last.`),
    ...contributors(one, texts),
    one.addresses.length ? make("p", {}, make("b", {}, "By address of the request")) : undefined,
    one.addresses.length ? tableOf(one.addresses.slice(0, 6).map(({ address, amount }) => [numberCell(amount), addressCell(short(address))])) : undefined,
    neighbourTable(askNeighbours));
}

const short = (text) => text.replace(/^0x0*(?=.)/, "0x");

function capturedRows(captured) {
  const lines = captured.accesses.map((access) => make("p", {}, make("b", {}, access.data ? "Data EAR " : "Instruction EAR "),
    access.valid
      ? `${access.mode}: ${short(access.address)}${access.ip ? ` by ${short(access.ip)}.${access.slot}` : ""}` +
        `${access.mode === "cache" ? `, ${access.latency} cycles` : ""}${access.served_by ? `, served by ${access.served_by}` : ""}`
      : "nothing taken in"));
  if (captured.branches) {
    lines.push(make("p", {}, make("b", {}, "Branch buffer"), " oldest first"), make("div", { class: "ring" },
      ...captured.branches.map((branch) => make("div", { title: branch.outcome },
        `${short(branch.ip)}.${branch.slot} ${branch.taken ? "→" : "not taken"} ${branch.target ? short(branch.target) : ""}` +
        `${branch.outcome === "correct" ? "" : " ✗"}`))));
  }
  if (captured.path) {
    lines.push(make("p", {}, make("b", {}, "Path"), ` ${captured.path.map(({ first, last }) => `${short(first)}–${short(last)}`).join(", ")}`));
  }
  if (captured.retired) {
    lines.push(make("p", {}, make("b", {}, "IP-EAR"), " retired groups"), make("div", { class: "ring" },
      ...captured.retired.map((group) => make("div", {}, `${short(group.ip)} +${group.cycles}${group.flushed ? " flush" : ""}`))));
  }
  return lines;
}

function sampleTable(thread, texts) {
  if (thread.sample_count === 0) return [];
  const by = new Map();
  for (const sample of thread.samples) by.set(sample.ip, (by.get(sample.ip) ?? 0) + 1);
  const top = [...by].sort((a, b) => b[1] - a[1]).slice(0, 12);
  const skid = thread.samples.reduce((sum, sample) => sum + sample.cycle - sample.requested, 0) / thread.samples.length;
  const latched = thread.samples.at(-1).latched;
  return [make("p", {}, make("b", {}, `${grouped(thread.sample_count)} samples`), ` at ${by.size} addresses; ` +
    `${skid.toFixed(1)} cycles from request to handler` +
    `${latched ? `; last: ${Object.entries(latched).map(([name, value]) => `${name} ${short(value)}`).join(", ")}` : ""}`),
    make("table", {}, make("tbody", {}, ...top.map(([ip, n]) => make("tr", {}, make("td", { class: "number" }, String(n)),
      addressCell(short(ip)), make("td", { class: "code name" }, textAt(texts, ip, 0))))))];
}

export function showUnits(result, texts, hidden) {
  const parts = result.threads.flatMap((thread, t) => {
    const lines = [...sampleTable(thread, texts), ...capturedRows(thread.captured)];
    if (thread.interrupts && thread.sample_count === 0)
      lines.unshift(make("p", {}, `${grouped(thread.interrupts)} interrupt${thread.interrupts === 1 ? "" : "s"} taken`));
    const rest = thread.registers.filter((register) => !hidden.has(register.name) && BigInt(register.value) !== 0n);
    lines.push(make("details", {}, make("summary", {}, "All registers at the end"), make("table", {}, make("tbody", {},
      ...rest.map((register) => make("tr", {}, make("td", {}, register.name), make("td", { class: "code" }, register.value)))))));
    if (result.threads.length > 1) lines.unshift(make("h3", {}, `Thread ${t}`));
    return lines;
  });
  fill("units", ...parts);
}
