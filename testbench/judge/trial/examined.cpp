#include "testbench/judge/trial/examined.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

namespace pmusim::testbench::questions {

namespace {

using oracle::ia64::InstructionSet;

/// False for an attribute of IA-64 that cannot show in the context of the stimulus.
bool may_show(const std::string& attribute, const Question& question, const Stimulus& stimulus) {
  const PrivilegeContext& context = stimulus.context;
  if (attribute == "pm") return (context.psr & (activity::ia64::psr::pp | activity::ia64::psr::up)) != 0;
  if (attribute == "ism") {  // only IA-32 code distinguishes the instruction sets
    const bool counts_ia32 = question.group.checks.front().request.ia64.instruction_set == InstructionSet::ia32;
    return ((context.psr & activity::ia64::psr::is) != 0) != counts_ia32;
  }
  if (attribute == "all") return context.thread != 0;
  return true;
}

/// Visible in counts alone, without an overflow and without the registers that a handler reads.
bool shown_by_counts(const Need& need) {
  return need.effect == Need::Effect::nothing || need.effect == Need::Effect::happens ||
         need.effect == Need::Effect::counts || need.effect == Need::Effect::count;
}

bool meets(const Need& need, const Counts& counts) {
  const auto own = [&]() -> const oracle::Tally& { return counts.total(need.own); };
  const auto differ = [&] { return own().expected != counts.total(need.other).expected; };
  switch (need.effect) {
    case Need::Effect::nothing:
      return true;
    case Need::Effect::happens:
      return own().occurrences != 0;
    case Need::Effect::counts:
      return own().expected != 0;
    case Need::Effect::overflow:
      return own().expected >= need.least;
    case Need::Effect::handled:
    case Need::Effect::second_event:
      return own().expected > 1;
    case Need::Effect::count:
      return differ();
    case Need::Effect::captured:
      return own().expected > 1 && differ();
  }
  return false;
}

/// How a start value that overflows at event `period` differs from the one that is due; `above` is given less due.
std::string_view how_wrong(std::uint64_t given, std::uint64_t due, std::uint64_t above, std::uint64_t period) {
  if (given == 0) return "is zero";
  if (above == 1) return "is one too high";
  if (given + 1 == due) return "is one too low";
  if (given == period) return "is not negated";
  const std::uint64_t low = std::bit_floor(given) * 2 - 1;
  return (due & low) == given && given < due ? "lacks its high bits" : "is wrong";
}

}  // namespace

void Examined::note_needs() {
  unmet = {};
  for (const Need& need : needs) {
    if (need.met) continue;
    unmet.any = true;
    unmet.event |= need.attribute == "event";
    unmet.required |= need.required || need.effect == Need::Effect::counts || need.least > 1;
    unmet.only_counts &= need.effect == Need::Effect::counts && !need.required;
  }
}

bool Examined::open_for(const Stimulus& stimulus) const {
  if (!open()) return false;
  const bool many = stimulus.context.psr != 0 || stimulus.context.thread != 0;  // IA-64 has ten times the events
  const unsigned most_of_a_pass = unmet.only_counts ? 8 : many ? 16 : ~0u;
  if (unmet.only_counts && pass == stimulus.pass && in_pass >= most_of_a_pass) return false;
  if (!open_for(stimulus.file)) return false;
  // A handler reads the records of a single program.
  if (stimulus.paired && (question->handled() || (!paired && needs.front().met))) return false;
  if (stimulus.pass == 0) return true;
  if (stimulus.trace < absent.size() && absent[stimulus.trace]) return false;
  if (pass == stimulus.pass && in_pass >= most_of_a_pass) return false;
  return std::any_of(needs.begin(), needs.end(),
                     [&](const Need& need) { return !need.met && may_show(need.attribute, *question, stimulus); });
}

void Examined::show_nothing(const Stimulus& stimulus) {
  ++in_vain;
  in_pass = pass == stimulus.pass ? in_pass + 1 : 1;
  pass = stimulus.pass;
}

void Examined::note_absence(const Counts& counts, const Stimulus& stimulus) {
  const auto silent = [&](std::size_t number) {
    return counts.total(number).occurrences == 0 && counts.total(number).expected == 0;
  };
  const bool none = std::all_of(asked.begin(), asked.end(), silent) &&
                    std::all_of(needs.begin(), needs.end(),
                                [&](const Need& need) { return need.met || (silent(need.own) && silent(need.other)); });
  if (!none) return;
  if (absent.size() <= stimulus.trace) absent.resize(stimulus.trace + 1);
  absent[stimulus.trace] = true;
}

void Examined::note_trace(const Counts& counts, const std::filesystem::path& file) {
  const auto all = [&](auto has) { return std::all_of(asked.begin(), asked.end(), has); };
  const bool counting = all([&](std::size_t number) { return counts.total(number).expected != 0; });
  if (trace_counts || !(counting || all([&](std::size_t n) { return counts.total(n).occurrences != 0; }))) return;
  if (trace.empty() || counting) trace = file;
  trace_counts = counting;
}

bool Examined::hopeless(const Family& family, std::size_t stimulus_pass) const {
  const unsigned patience = family.freezes ? 200 : 400;  // IA-64 has ten times the events
  constexpr unsigned patience_for_more = 12;
  return (unmet.event && stimulus_pass > 0) || in_vain > (unmet.required ? patience : patience_for_more);
}

bool Examined::shows(const Counts& counts, bool overflows) {
  bool any = false;
  for (Need& need : needs) {
    if (need.met || (!overflows && !shown_by_counts(need))) continue;
    need.met = meets(need, counts);
    any = any || need.met;
  }
  note_needs();
  return any;
}

std::string wrong_presets(const Family& family, const Bench& bench, const Examined& candidate) {
  const std::uint64_t period = candidate.question->group.period;
  if (period == 0) return {};
  const auto& presets = candidate.answer->presets;
  const auto written = bench.starts_in(*candidate.answer);
  const auto other = std::find_if(written.begin(), written.end(), [](const auto& start) { return start.has_value(); });
  for (std::size_t i = 0; i < candidate.counters.size(); ++i) {
    const std::size_t counter = candidate.counters[i];
    const std::string& name = family.counters[counter];
    if (presets.empty() && !written[counter]) {
      if (other == written.end()) {
        const std::string load = bench.load_in(*candidate.answer);
        if (load.empty()) continue;  // pmusim chooses the start value
        return fmt::format("{} loads no counter: {} counts the event", load, name);
      }
      return fmt::format("the start value is written to another counter: {}, and {} counts the event",
                         family.counters[static_cast<std::size_t>(other - written.begin())], name);
    }
    const std::uint64_t due = bench.counted(counter, bench.start_for(counter, period, 0), 0);
    const std::uint64_t given = bench.counted(counter, presets.empty() ? *written[counter] : presets[i], 0);
    if (given != due)
      return fmt::format("the start value of {} {}: it is {:#x}, not {:#x}, which overflows at event {}", name,
                         how_wrong(given, due, bench.counted(counter, given, due), period), given, due, period);
    // A driver may clear its counters before it loads them.
    const std::uint64_t last = presets.empty() ? given : bench.counted(counter, written[counter].value_or(0), 0);
    if (last != 0 && last != given)
      return fmt::format("a register of the answer changes the start value of {}: to {:#x}, and `presets` has {:#x}",
                         name, last, given);
  }
  return {};
}

std::string wrong_counters(const Family& family, const Bench& bench, const Examined& candidate) {
  std::set<std::size_t> used;
  for (std::size_t i = 0; i < candidate.counters.size(); ++i) {
    const std::string& name = candidate.answer->counters[i];
    const std::size_t number = candidate.counters[i];
    if (number == family.counters.size()) return fmt::format("'{}' is no counter of this processor", name);
    const auto& reserved = candidate.question->group.unavailable_counters;
    if (std::find(reserved.begin(), reserved.end(), number) != reserved.end())
      return fmt::format("it uses {}, which is not available", name);
    if (const std::string& read = candidate.answer->read_counter(i); !bench.shows(read, number))
      return fmt::format("it reads another counter than the one that counts: {}, and {} counts the event", read, name);
    if (!used.insert(number).second) return fmt::format("it names {} for two events", name);
  }
  return {};
}

std::string shown(const Answer& answer) {
  std::string text;
  for (const encoder::RegisterValue& reg : answer.registers) {
    if (reg.value != 0) text += fmt::format("{}{}={:#x}", text.empty() ? "" : " ", reg.name, reg.value);
  }
  return text;
}

std::string identity_of(const Form& form, const std::vector<std::size_t>& values) {
  std::string text = fmt::format("{} on {}:", form.group.question(), form.trace);
  for (std::size_t d = 0; d < form.dimensions.size() && d < values.size(); ++d)
    text += fmt::format(" {} {}/{}", form.dimensions[d].name, values[d], form.dimensions[d].values.size());
  return text + '\n';
}

std::uint64_t short_period(const Check& check) {
  constexpr std::uint32_t shortest = 256;
  const auto& list = check.attributes;
  return std::find(list.begin(), list.end(), Attribute{"freq", shortest}) != list.end() ? shortest : 0;
}

}  // namespace pmusim::testbench::questions
