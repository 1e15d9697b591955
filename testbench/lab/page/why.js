// The right side: counts, why a count is what it is, and what the special units took in.
import { fill, grouped, make, warning } from "lab/dom.js";
import { totals } from "lab/timeline.js";

/// A counter that is sampled is moved back by the handler: its events are the samples' periods.
function cellOf(count, thread, sampling) {
  if (sampling?.counter !== count.counter) return grouped(count.value) + (count.unit ? " ½" : "");
  return `${grouped(thread.sample_count)} samples`;
}

export function showCounts(result, focus, sampling, choose) {
  const threads = result.threads.length > 1;
  const rows = result.threads.flatMap((thread, t) => thread.counts
    .filter((count) => count.event !== "" || count.value !== 0)
    .map((count) => {
      const key = `${t}/${count.counter}`;
      return make("tr", {
        class: key === focus ? "chosen" : "", tabindex: "0", onclick: () => choose(key),
        onkeydown: (event) => { if (event.key === "Enter") choose(key); },
      },
        threads ? make("td", {}, String(t)) : undefined,
        make("td", {}, count.counter),
        make("td", { class: "number big", "data-counter": key }, cellOf(count, thread, sampling)),
        make("td", { class: "name code" }, count.event.replace(/^[^:]*::/, ""), ...(count.notes ?? []).map(warning),
          count.wraps ? warning(`it has wrapped ${count.wraps} times`) : undefined));
    }));
  fill("counts", make("table", {},
    make("thead", {}, make("tr", {}, threads ? make("th", {}, "thread") : undefined, make("th", {}, "counter"),
      make("th", { class: "number" }, "count"), make("th", {}, "event"))),
    make("tbody", {}, ...rows)),
    ...(result.broken_rules ?? []).map(warning),
    ...result.threads.flatMap((thread) => thread.not_modelled.map(warning)),
    rows.length ? undefined : make("p", { class: "soft" }, "No counter is enabled."));
}

/// From the underlying line to the counter: what the model's own probe showed, cycle by cycle.
export function showWhy(lane, count, cycles, reached) {
  if (!lane) return fill("why", make("p", { class: "soft" }, "Choose a count."));
  const sum = totals(lane.table, reached), done = reached >= cycles;
  const line = (text, value, part, lost) => make("li", {
    class: lost ? "lost" : "", style: `--part:${Math.min(100, 100 * part).toFixed(1)}%`,
  }, make("span", {}, text), make("b", {}, grouped(value)));
  const shown = [
    line("cycles replayed", reached, 1),
    line("cycles in which the selected line carries something", sum.busy, sum.busy / cycles),
    line("cycles in which the condition holds (after threshold, invert, privilege and gates)", sum.holds, sum.holds / cycles),
    line("times at which it begins to hold (rising edges)", sum.rises, sum.rises / cycles),
    line("cycles that add to the counter", sum.adding, sum.adding / cycles),
  ];
  fill("why",
    make("p", {}, make("b", {}, lane.name), ` ${lane.event}`),
    make("ul", { class: "funnel" }, ...shown),
    make("p", {}, `The line carries ${grouped(sum.occurrences)} occurrences in all, ${sum.most} at most in a cycle; ` +
      `the counter goes up by ${grouped(sum.added)}${count === undefined ? "" : ` and the run counts ${grouped(count)}`}` +
      `${done ? "." : " so far …"}`));
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
      make("td", { class: "code" }, short(ip)), make("td", { class: "code name" }, texts.get(ip.replace("0x", "")) ?? "")))))];
}

export function showUnits(result, texts, hidden) {
  const parts = result.threads.flatMap((thread, t) => {
    const lines = [...sampleTable(thread, texts), ...capturedRows(thread.captured)];
    if (thread.interrupts && thread.sample_count === 0)
      lines.unshift(make("p", {}, `${grouped(thread.interrupts)} interrupts taken`));
    const rest = thread.registers.filter((register) => !hidden.has(register.name) && BigInt(register.value) !== 0n);
    lines.push(make("details", {}, make("summary", {}, "All registers at the end"), make("table", {}, make("tbody", {},
      ...rest.map((register) => make("tr", {}, make("td", {}, register.name), make("td", { class: "code" }, register.value)))))));
    if (result.threads.length > 1) lines.unshift(make("h3", {}, `Thread ${t}`));
    return lines;
  });
  fill("units", ...parts);
}
