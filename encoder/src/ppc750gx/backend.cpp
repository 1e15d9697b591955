#include "backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "encoder/src/engine.h"
#include "encoder/src/text.h"

namespace pmusim::encoder::ppc750gx {
namespace {

constexpr std::array<Attribute, 7> kAttributes{{
    {"k", 0, 1, true, true, "count in supervisor state (MMCR0[DP])"},
    {"u", 0, 1, true, true, "count in user state (MMCR0[DU])"},
    {"t", 0, 63, false, true, "latency above which L1_LOAD_MISSES counts a load, in cycles (MMCR0[THRESHOLD])"},
    {"tb", 0, 3, false, true, "time base bit of TBL_BIT_TRANSITIONS: 63, 55, 51, 47 (MMCR0[RTCSELECT])"},
    {"marked", 0, 1, true, true, "count only while MSR[PM] is 1 (MMCR0[DMR])"},
    {"unmarked", 0, 1, true, true, "count only while MSR[PM] is 0 (MMCR0[DMS])"},
    {"intr", 0, 1, true, false, "interrupt when the counter becomes negative"},
}};

constexpr std::array<ForeignAttribute, 9> kForeign{{
    {"c", "it has no counter mask; its threshold is t=0..63, a latency in cycles for L1_LOAD_MISSES"},
    {"i", "no comparison can be inverted"},
    {"e", "it detects no edges; tb=0..3 picks the time base bit whose edges TBL_BIT_TRANSITIONS counts"},
    {"pc", "it has no pins"},
    {"plm", "it has two privilege levels, named u and k"},
    {"h", "it has two privilege levels, named u and k"},
    {"pal", "it has two privilege levels, named u and k"},
    {"freq", "the period is the counter's start value"},
    {"ism", "it has one instruction set"},
}};

std::vector<std::string_view> counter_names() {
  std::vector<std::string_view> names;
  names.reserve(kCounterSprs.size());
  for (const auto spr : kCounterSprs) names.push_back(register_of(spr).name);
  return names;
}

}  // namespace

Ppc750Backend::Ppc750Backend(const TargetInfo& info, std::span<const CounterTable> tables)
    : PlacingBackend({.info = info,
                      .attributes = kAttributes,
                      .foreign_attributes = {kForeign.begin(), kForeign.end()},
                      .registers = ppc750gx::registers(),
                      .counter_names = counter_names(),
                      .raw_forms = "PMCn=SELECT"}),
      tables_(tables) {
  for (const CounterTable& table : tables_) {
    for (const Row& row : table.rows) {
      const auto known =
          std::find_if(events_.begin(), events_.end(), [&](const Event& e) { return e.name == row.name; });
      if (known != events_.end()) {
        known->codes.push_back({table.counter, row.select});
        continue;
      }
      Event event;
      event.name = row.name;
      event.description = row.description;
      event.source = table.source;
      event.max_per_cycle = row.max_per_cycle;
      event.confirmed = row.confirmed;
      event.codes.push_back({table.counter, row.select});
      events_.push_back(std::move(event));
    }
    for (const ReservedRange& range : table.reserved)
      for (unsigned select = range.first; select <= range.last; ++select) {
        Event event;
        event.name = fmt::format("PM_RSVD_{}_{}", table.counter + 1, select);
        event.description = range.reason;
        event.source = table.source;
        event.max_per_cycle = 0;
        event.codes.push_back({table.counter, select});
        reserved_events_.push_back(std::move(event));
      }
  }
}

std::optional<Result<Request>> Ppc750Backend::raw_event(std::string_view head) const {
  const std::size_t equals = head.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  for (unsigned counter = 0; counter < kCounters; ++counter) {
    if (!same_word(head.substr(0, equals), counter_name(counter))) continue;
    const auto select = number(head.substr(equals + 1));
    const std::uint64_t limit = kSelectors[counter].bits.limit();
    if (!select || *select > limit)
      return Error{ErrorCode::bad_value, fmt::format("{}: the selector of {} is a number from 0 to {}", quoted(head),
                                                     counter_name(counter), limit)};
    Request request;
    request.raw_code = static_cast<std::uint32_t>(*select);
    request.raw_counters = 1u << counter;
    return request;
  }
  return Error{ErrorCode::syntax,
               fmt::format("{}: the raw form is PMCn=SELECT with one of PMC1 to PMC4", quoted(head))};
}

std::uint32_t Ppc750Backend::Control::select(unsigned counter) const {
  const Selector& selector = kSelectors[counter];
  return static_cast<std::uint32_t>(selector.bits.get(selector.spr == kMmcr0 ? mmcr0 : mmcr1));
}

const Row* Ppc750Backend::row(unsigned counter, std::uint32_t select) const {
  for (const Row& candidate : tables_[counter].rows)
    if (candidate.select == select) return &candidate;
  return nullptr;
}

Uses Ppc750Backend::uses(unsigned counter, std::uint32_t select) const {
  const Row* found = row(counter, select);
  return found ? found->uses : Uses::none;
}

Result<Encoding> Ppc750Backend::program(std::span<const Request> requests, std::span<const unsigned> counters,
                                        const GroupSettings& group, bool sampling) const {
  std::vector<Placed> placed;
  Control control;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    const unsigned counter = counters[i];
    const std::uint32_t select = request.event ? request.event->code_on(counter).value_or(0) : request.raw_code;
    placed.push_back({&request, counter, select, uses(counter, select)});
    const Selector& selector = kSelectors[counter];
    (selector.spr == kMmcr0 ? control.mmcr0 : control.mmcr1) |= selector.bits.put(select);
  }
  const auto bits = control_bits(placed, group, sampling);
  if (!bits) return bits.error();
  control.mmcr0 |= *bits;

  Encoding encoding;
  encoding.off.push_back(register_of(kMmcr0).holding(field::dis.put(1)));
  encoding.registers.push_back(register_of(kMmcr1).holding(control.mmcr1));
  encoding.registers.push_back(register_of(kMmcr0).holding(control.mmcr0));
  for (const Placed& event : placed) {
    const Selection selection = describe(event.counter, control);
    encoding.events.push_back({selection.canonical, selection.counter, event.counter});
  }
  encoding.warnings = notes(control);
  return encoding;
}

/// Notes about settings that an event string cannot express, and about settings that contradict each other.
std::vector<std::string> Ppc750Backend::notes(const Control& control) const {
  const auto set = [&](const Field& bits) { return bits.get(control.mmcr0) != 0; };
  bool threshold_used = false;
  bool time_base_used = set(field::intonbittrans);
  for (unsigned counter = 0; counter < kCounters; ++counter) {
    threshold_used |= uses(counter, control.select(counter)) == Uses::threshold;
    time_base_used |= uses(counter, control.select(counter)) == Uses::time_base;
  }
  const bool can_signal = set(field::intonbittrans) || set(field::pmc1intcontrol) || set(field::pmcintcontrol);
  std::vector<std::string> all;
  const auto note = [&](bool holds, std::string_view text) {
    if (holds) all.emplace_back(text);
  };
  note(set(field::dp) && set(field::du), "never counts: DP and DU are both 1");
  note(set(field::dms) && set(field::dmr), "never counts: DMS and DMR are both 1");
  note(set(field::discount), "DISCOUNT: signalling an interrupt stops the counting");
  note(set(field::intonbittrans), "INTONBITTRANS: the time base signals interrupts");
  note(set(field::pmctrigger), "PMCTRIGGER: PMC2 to PMC4 wait for PMC1 or an interrupt signal");
  note(set(field::pmctrigger) && control.select(0) == 0, "PMCTRIGGER waits for PMC1, which counts nothing");
  note(set(field::enint) && !can_signal, "ENINT without any of INTONBITTRANS, PMC1INTCONTROL, PMCINTCONTROL");
  note(!set(field::enint) && can_signal, "an interrupt condition without ENINT signals nothing");
  note(set(field::threshold) && !threshold_used, "THRESHOLD is set, but L1_LOAD_MISSES is not selected");
  note(set(field::rtcselect) && !time_base_used, "RTCSELECT is set, but TBL_BIT_TRANSITIONS is not selected");
  return all;
}

Selection Ppc750Backend::describe(unsigned counter, const Control& control) const {
  Selection selection;
  selection.counter_index = counter;
  selection.counter = counter_name(counter);
  const std::uint32_t select = control.select(counter);
  const Row* found = row(counter, select);
  selection.known = found != nullptr;
  selection.canonical = found ? fmt::format("{}::{}", info().name, found->name)
                              : fmt::format("{}::{}={}", info().name, selection.counter, select);
  selection.canonical += fmt::format(":k={}:u={}", 1 - field::dp.get(control.mmcr0), 1 - field::du.get(control.mmcr0));
  if (uses(counter, select) == Uses::threshold)
    selection.canonical += fmt::format(":t={}", field::threshold.get(control.mmcr0));
  if (uses(counter, select) == Uses::time_base)
    selection.canonical += fmt::format(":tb={}", field::rtcselect.get(control.mmcr0));
  const bool stopped_marked = field::dms.get(control.mmcr0) != 0;
  const bool stopped_unmarked = field::dmr.get(control.mmcr0) != 0;
  if (stopped_unmarked && !stopped_marked) selection.canonical += ":marked=1";
  if (stopped_marked && !stopped_unmarked) selection.canonical += ":unmarked=1";
  const Field& interrupt = counter == 0 ? field::pmc1intcontrol : field::pmcintcontrol;
  if (field::enint.get(control.mmcr0) && interrupt.get(control.mmcr0)) selection.canonical += ":intr=1";
  if (!found) selection.notes.push_back(fmt::format("selector {} is reserved: the counter stands still", select));
  return selection;
}

Result<std::vector<Selection>> Ppc750Backend::selections(std::span<const RegisterValue> values) const {
  Control control;
  for (const RegisterValue& value : values) {
    const auto reg = match_register(*this, value);
    if (!reg) return reg.error();
    if ((*reg)->number == kMmcr0) control.mmcr0 = value.value;
    if ((*reg)->number == kMmcr1) control.mmcr1 = value.value;
  }
  std::vector<Selection> found;
  if (field::dis.get(control.mmcr0)) return found;
  const std::vector<std::string> shared = notes(control);
  for (unsigned counter = 0; counter < kCounters; ++counter) {
    if (control.select(counter) == 0) continue;
    found.push_back(describe(counter, control));
    found.back().notes.insert(found.back().notes.end(), shared.begin(), shared.end());
  }
  return found;
}

Result<std::uint64_t> Ppc750Backend::preset(unsigned counter, std::uint64_t period) const {
  return start_value(counter, period, 0x80000000, 1, "becomes negative");
}

}  // namespace pmusim::encoder::ppc750gx
