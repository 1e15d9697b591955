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

// The settings of MMCR0 that apply to the whole run, collected from all its events.

/// One event of the run with its counter.
struct Placed {
  const Request* request;
  unsigned counter;
  std::uint32_t select;
  Uses uses;
};

/// Collects the value of one register-wide setting from all events.
class Agreement {
 public:
  explicit Agreement(std::string_view field) : field_(field) {}

  /// Requests a value. Fails if another value was requested before.
  std::optional<Error> ask(std::uint64_t value, std::string_view who) {
    if (value_ && *value_ != value)
      return Error{ErrorCode::register_conflict,
                   fmt::format("{} and {} ask for different MMCR0[{}], which holds for all counters; count them in "
                               "separate runs",
                               who_, in_quotes(who), field_)};
    if (!value_) who_ = in_quotes(who);
    value_ = value;
    return std::nullopt;
  }
  [[nodiscard]] std::uint64_t value() const { return value_.value_or(0); }

 private:
  std::string_view field_;
  std::string who_;
  std::optional<std::uint64_t> value_;
};

constexpr std::string_view kModelBlock = "the model-specific input";

/// The value of a field that attribute `name` sets and on which the events with `uses` depend.
Result<std::uint64_t> shared_value(std::span<const Placed> events, const GroupSettings& group, const Field& bits,
                                   std::string_view name, Uses uses) {
  Agreement agreement(bits.name);
  const auto from_group = group.get(bits.name);
  if (from_group) agreement.ask(*from_group, kModelBlock);
  for (const Placed& event : events) {
    auto wanted = event.request->settings.get(name);
    if (!wanted && event.uses == uses && !from_group) wanted = 0;
    if (!wanted) continue;
    if (auto conflict = agreement.ask(*wanted, event.request->text)) return *std::move(conflict);
  }
  return bits.put(agreement.value());
}

Result<std::uint64_t> level_bits(std::span<const Placed> events) {
  Agreement supervisor(field::dp.name);
  Agreement user(field::du.name);
  for (const Placed& event : events) {
    const auto levels = levels_of(*event.request);
    if (!levels) return levels.error();
    if (auto conflict = supervisor.ask(!levels->kernel, event.request->text)) return *std::move(conflict);
    if (auto conflict = user.ask(!levels->user, event.request->text)) return *std::move(conflict);
  }
  return field::dp.put(supervisor.value()) | field::du.put(user.value());
}

/// DMS and DMR: `marked` stops counting while MSR[PM] is 0, `unmarked` while it is 1.
Result<std::uint64_t> marked_bits(std::span<const Placed> events, const GroupSettings& group) {
  Agreement in_marked(field::dms.name);
  Agreement in_unmarked(field::dmr.name);
  const auto group_dms = group.get(field::dms.name);
  const auto group_dmr = group.get(field::dmr.name);
  const bool from_group = group_dms || group_dmr;
  if (from_group) {
    in_marked.ask(group_dms.value_or(0), kModelBlock);
    in_unmarked.ask(group_dmr.value_or(0), kModelBlock);
  }
  for (const Placed& event : events) {
    const auto marked = event.request->settings.get("marked");
    const auto unmarked = event.request->settings.get("unmarked");
    if (marked.value_or(0) && unmarked.value_or(0))
      return Error{ErrorCode::attribute_conflict,
                   fmt::format("{}: marked and unmarked together let nothing pass; name one of them, or none for both",
                               in_quotes(event.request->text))};
    if (from_group && !marked && !unmarked) continue;
    if (auto conflict = in_marked.ask(unmarked.value_or(0), event.request->text)) return *std::move(conflict);
    if (auto conflict = in_unmarked.ask(marked.value_or(0), event.request->text)) return *std::move(conflict);
  }
  return field::dms.put(in_marked.value()) | field::dmr.put(in_unmarked.value());
}

/// The interrupt controls: PMC1 has its own, PMC2 to PMC4 share one.
Result<std::uint64_t> interrupt_bits(std::span<const Placed> events, const GroupSettings& group, bool sampling) {
  Agreement first(field::pmc1intcontrol.name);
  Agreement others(field::pmcintcontrol.name);
  for (const Placed& event : events) {
    auto wanted = event.request->settings.get("intr");
    if (!wanted && sampling) wanted = 1;
    Agreement& control = event.counter == 0 ? first : others;
    if (!wanted) continue;
    if (auto conflict = control.ask(*wanted, event.request->text)) return *std::move(conflict);
  }
  const std::uint64_t time_base = group.get(field::intonbittrans.name).value_or(0);
  const bool any = first.value() || others.value() || time_base;
  return field::pmc1intcontrol.put(first.value()) | field::pmcintcontrol.put(others.value()) |
         field::intonbittrans.put(time_base) | field::enint.put(group.get(field::enint.name).value_or(any));
}

/// The value of MMCR0 without its selectors. Two events with different values of a setting are an error that names the
/// field. `group` holds settings by the names of MMCR0's fields (from the C API's model block). They apply to events
/// that do not have the setting.
Result<std::uint64_t> control_bits(std::span<const Placed> events, const GroupSettings& group, bool sampling) {
  std::uint64_t bits = field::discount.put(group.get(field::discount.name).value_or(0)) |
                       field::pmctrigger.put(group.get(field::pmctrigger.name).value_or(0));
  for (const auto& part : {level_bits(events), marked_bits(events, group),
                           shared_value(events, group, field::threshold, "t", Uses::threshold),
                           shared_value(events, group, field::rtcselect, "tb", Uses::time_base),
                           interrupt_bits(events, group, sampling)}) {
    if (!part) return part.error();
    bits |= *part;
  }
  return bits;
}

class Ppc750Backend final : public PlacingBackend {
 public:
  explicit Ppc750Backend(const TargetInfo& info, std::span<const CounterTable> tables)
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

  [[nodiscard]] std::optional<Result<Request>> raw_event(std::string_view head) const override {
    const std::size_t equals = head.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    for (unsigned counter = 0; counter < kCounters; ++counter) {
      if (!same_word(head.substr(0, equals), counter_name(counter))) continue;
      const auto select = number(head.substr(equals + 1));
      const std::uint64_t limit = kSelectors[counter].bits.limit();
      if (!select || *select > limit)
        return Error{ErrorCode::bad_value, fmt::format("{}: the selector of {} is a number from 0 to {}",
                                                       in_quotes(head), counter_name(counter), limit)};
      Request request;
      request.raw_code = static_cast<std::uint32_t>(*select);
      request.raw_counters = 1u << counter;
      return request;
    }
    return Error{ErrorCode::syntax,
                 fmt::format("{}: the raw form is PMCn=SELECT with one of PMC1 to PMC4", in_quotes(head))};
  }

  [[nodiscard]] Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> counters,
                                         const GroupSettings& group, bool sampling) const override {
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

  [[nodiscard]] Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const override {
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

  [[nodiscard]] Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const override {
    return start_value(counter, period, 0x80000000, 1, "becomes negative");
  }

 private:
  /// The two control registers.
  struct Control {
    std::uint64_t mmcr0 = 0;
    std::uint64_t mmcr1 = 0;
    [[nodiscard]] std::uint32_t select(unsigned counter) const {
      const Selector& selector = kSelectors[counter];
      return static_cast<std::uint32_t>(selector.bits.get(selector.spr == kMmcr0 ? mmcr0 : mmcr1));
    }
  };

  [[nodiscard]] const Row* row(unsigned counter, std::uint32_t select) const {
    for (const Row& candidate : tables_[counter].rows)
      if (candidate.select == select) return &candidate;
    return nullptr;
  }

  [[nodiscard]] Uses uses(unsigned counter, std::uint32_t select) const {
    const Row* found = row(counter, select);
    return found ? found->uses : Uses::none;
  }

  /// Notes about settings that an event string cannot express, and about settings that contradict each other.
  [[nodiscard]] std::vector<std::string> notes(const Control& control) const {
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

  [[nodiscard]] Selection describe(unsigned counter, const Control& control) const {
    Selection selection;
    selection.counter_index = counter;
    selection.counter = counter_name(counter);
    const std::uint32_t select = control.select(counter);
    const Row* found = row(counter, select);
    selection.known = found != nullptr;
    selection.canonical = found ? fmt::format("{}::{}", info().name, found->name)
                                : fmt::format("{}::{}={}", info().name, selection.counter, select);
    selection.canonical +=
        fmt::format(":k={}:u={}", 1 - field::dp.get(control.mmcr0), 1 - field::du.get(control.mmcr0));
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

  std::span<const CounterTable> tables_;
};

}  // namespace

std::unique_ptr<const Backend> make_backend(const TargetInfo& info, std::span<const CounterTable> tables) {
  return std::make_unique<Ppc750Backend>(info, tables);
}

}  // namespace pmusim::encoder::ppc750gx
