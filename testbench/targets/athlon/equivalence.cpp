// Athlon: settings of a PerfEvtSel without an effect. Source: AMD Athlon Processor x86 Code Optimization Guide, 22007
// Rev. E, appendix D, pp. 161-168.
#include "testbench/faults/equivalence.h"

#include <array>

namespace pmusim::testbench::faults {
namespace {

constexpr std::uint64_t event_bits = 0xff, unit_mask_bits = 0xff00, usr = 1 << 16, os = 1 << 17, edge = 1 << 18;
constexpr std::uint64_t enable = 1 << 22, invert = 1 << 23;
constexpr unsigned unit_mask_shift = 8, threshold_shift = 24;
constexpr std::uint64_t threshold_bits = std::uint64_t{0xff} << threshold_shift;
/// Represents all codes without an event.
constexpr std::uint64_t no_event = 0xff;
/// What a selector selects; null if its code has no event.
const Selected* find_event(std::uint64_t value) {
  const auto& events = selected_events("athlon");
  const auto found = events.find(static_cast<std::uint32_t>(value & event_bits));
  return found == events.end() ? nullptr : &found->second;
}
bool is_every_cycle(std::uint64_t value) {
  const Selected* const event = find_event(value);
  return event != nullptr && event->facts->occurs.every_cycle();
}
/// The limit of occurrences in a cycle; 0 without an event.
unsigned most(std::uint64_t value) {
  const Selected* const event = find_event(value);
  return event == nullptr ? 0 : event->facts->occurs.most();
}

template <class Change>
void each_selector(Programmed& registers, Change change) {
  registers.each([&](std::string_view name, std::uint64_t& value) {
    if (name.starts_with("PerfEvtSel")) change(value);
  });
}

std::uint64_t reserved(std::string_view reg) { return reg.starts_with("PerfEvtSel") ? 0xffffffff00200000 : 0; }

void drop_reserved(Programmed& registers) {
  registers.each([](std::string_view name, std::uint64_t& value) { value &= ~reserved(name); });
}

void drop_disabled(Programmed& registers) {
  each_selector(registers, [](std::uint64_t& value) {
    if ((value & enable) == 0 || (value & (usr | os)) == 0) value = 0;
  });
}

void drop_unit_mask(Programmed& registers) {
  each_selector(registers, [](std::uint64_t& value) {
    const Selected* const event = find_event(value);
    const std::uint64_t counting = event == nullptr || !event->has_masks ? 0 : event->masks;
    value &= ~unit_mask_bits | counting << unit_mask_shift;
    const bool nothing = event == nullptr || (event->has_masks && (value & unit_mask_bits) == 0);
    if (value != 0 && nothing) value = (value & ~unit_mask_bits) | no_event;
  });
}

void drop_invert(Programmed& registers) {
  each_selector(registers, [](std::uint64_t& value) {
    if ((value & threshold_bits) == 0) value &= ~invert;
  });
}

// The edges are those of n >= 1 with either mask. If n is at most 1, masks 0 and 1 count the same.
void join_thresholds(Programmed& registers) {
  each_selector(registers, [](std::uint64_t& value) {
    if (value != 0 && (value & threshold_bits) == 0 && ((value & edge) != 0 || most(value) <= 1)) {
      value |= std::uint64_t{1} << threshold_shift;
    }
  });
}

void join_unreachable(Programmed& registers) {
  each_selector(registers, [](std::uint64_t& value) {
    const bool every_clock = is_every_cycle(value);
    if (value == 0 || (!every_clock && value >> threshold_shift <= most(value))) return;
    const bool reached = every_clock && value >> threshold_shift <= 1;
    const std::uint64_t always =
        (value & ~(threshold_bits | event_bits | unit_mask_bits)) | no_event | threshold_bits | invert;
    value = ((value & invert) != 0) != reached ? always : 0;
  });
}

constexpr std::array rules{
    Rule{"reserved bit", "22007E p. 162, figure 11: bits 63:32 and 21", drop_reserved, "pmu.reserved_bits=zero"},
    Rule{"counter off", "22007E p. 163: EN = 0, or USR = OS = 0, and no other field has an effect", drop_disabled,
         "pmu.enable_scope=own"},
    Rule{"unit mask bit without an event", "22007E pp. 162-167: events and their unit masks", drop_unit_mask,
         "pmu.undefined_event=nothing"},
    Rule{"INV beside CNT_MASK 0", "22007E p. 163: without a mask there is no comparison to invert", drop_invert,
         "pmu.inv_without_mask=ignored"},
    Rule{"CNT_MASK 0 as 1", "22007E pp. 163-164: n >= 1 either way, of edges and of cycles counted", join_thresholds,
         "pmu.edge_amount=one"},
    Rule{"CNT_MASK out of reach",
         "22007E pp. 163-164: a cycle in which something is the case is 1: never more, or with INV always less",
         join_unreachable, "pmu.dispatch_stalls=union"},
};

}  // namespace

}  // namespace pmusim::testbench::faults

namespace pmusim::testbench::targets::athlon {

extern const faults::EquivalenceFacts equivalence{faults::rules, faults::reserved};

}  // namespace pmusim::testbench::targets::athlon
