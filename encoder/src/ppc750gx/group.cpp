#include <fmt/format.h>

#include "backend.h"
#include "encoder/src/text.h"
#include "registers.h"

namespace pmusim::encoder::ppc750gx {
namespace {

/// Collects the value of one register-wide setting from all events.
class Agreement {
 public:
  explicit Agreement(std::string_view field) : field_(field) {}

  /// Requests a value. False if another value was requested before.
  bool ask(std::uint64_t value, std::string_view who) {
    if (asked_ && value_ != value) {
      conflict_ =
          Error{ErrorCode::register_conflict,
                fmt::format("{} and {} ask for different MMCR0[{}], which holds for all counters; count them in "
                            "separate runs",
                            who_, quoted(who), field_)};
      return false;
    }
    if (!asked_) who_ = quoted(who);
    asked_ = true;
    value_ = value;
    return true;
  }

  [[nodiscard]] bool asked() const { return asked_; }
  [[nodiscard]] std::uint64_t value() const { return value_; }
  [[nodiscard]] const Error& conflict() const { return conflict_; }

 private:
  std::string_view field_;
  std::string who_;
  std::uint64_t value_ = 0;
  bool asked_ = false;
  Error conflict_{ErrorCode::register_conflict, {}};
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
    if (wanted && !agreement.ask(*wanted, event.request->text)) return agreement.conflict();
  }
  return bits.put(agreement.value());
}

Result<std::uint64_t> level_bits(std::span<const Placed> events) {
  Agreement supervisor(field::dp.name);
  Agreement user(field::du.name);
  for (const Placed& event : events) {
    const auto levels = levels_of(*event.request);
    if (!levels) return levels.error();
    if (!supervisor.ask(!levels->kernel, event.request->text)) return supervisor.conflict();
    if (!user.ask(!levels->user, event.request->text)) return user.conflict();
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
                               quoted(event.request->text))};
    if (from_group && !marked && !unmarked) continue;
    if (!in_marked.ask(unmarked.value_or(0), event.request->text)) return in_marked.conflict();
    if (!in_unmarked.ask(marked.value_or(0), event.request->text)) return in_unmarked.conflict();
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
    if (wanted && !control.ask(*wanted, event.request->text)) return control.conflict();
  }
  const std::uint64_t time_base = group.get(field::intonbittrans.name).value_or(0);
  const bool any = first.value() || others.value() || time_base;
  return field::pmc1intcontrol.put(first.value()) | field::pmcintcontrol.put(others.value()) |
         field::intonbittrans.put(time_base) | field::enint.put(group.get(field::enint.name).value_or(any));
}

}  // namespace

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

}  // namespace pmusim::encoder::ppc750gx
