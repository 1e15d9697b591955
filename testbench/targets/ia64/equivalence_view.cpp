#include "testbench/targets/ia64/equivalence_view.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

namespace pmusim::testbench::faults::ia64 {
namespace {

/// Notes that a channel is used at levels `at`, and its opcode if `opcode`.
void watch(Watched& watched, unsigned channel, std::uint64_t at, bool opcode) {
  watched.code[channel] |= at;
  if (opcode) watched.opcode[channel] |= at;
}

bool accepts_all(Programmed& registers, const Matcher& matcher) {
  return (~registers.at(matcher.types.reg) & matcher.types.mask) == 0 &&
         (~registers.at(matcher.ignored.reg) & matcher.ignored.mask) == 0;
}

/// DATA_DEBUG_REGISTER_*: these events compare with the data breakpoints themselves.
const std::set<std::uint64_t> breakpoint_events{0x52, 0xc6};

}  // namespace

std::uint64_t value_of(Programmed& registers, const Bits& bits) {
  return (registers.at(bits.reg) & bits.mask) >> std::countr_zero(bits.mask);
}
bool is_set(Programmed& registers, const Bits& bits) { return (registers.at(bits.reg) & bits.mask) != 0; }
void set(Programmed& registers, const Bits& bits, std::uint64_t value) {
  std::uint64_t& reg = registers.at(bits.reg);
  reg = (reg & ~bits.mask) | value << std::countr_zero(bits.mask);
}

std::uint64_t* breakpoint_of(Programmed& registers, std::string_view kind, unsigned k, bool is_mask) {
  const std::string reg = std::string(kind) + static_cast<char>('0' + 2 * k + (is_mask ? 1 : 0));
  return registers.has(reg) ? &registers.at(reg) : nullptr;
}

const Event& event_of(const Layout& layout, std::uint64_t counter) {
  static std::map<std::string_view, std::array<Event, counter::events>> known;  // by unit mask and code
  const auto [place, is_new] = known.try_emplace(layout.target);
  if (is_new) {
    for (const encoder::EventInfo& info : *encoder::events(layout.target)) {
      place->second[counter::event_code.with(info.code) | counter::event_umask.with(info.fixed_mask)].facts =
          &event_facts(layout.target, info.name);
    }
  }
  return place->second[counter::event_of(counter)];
}

void stop(const Layout& layout, Programmed& registers, std::string_view counter) {
  registers.at(counter) &= counter == layout.enable.reg ? layout.enable.mask : 0;
}

void drop_enable(const Layout& layout, Programmed& registers) {
  if (layout.enable.mask == 0) return;
  const auto counts_nothing = [&](std::string_view reg) { return !counts(registers.at(reg)); };
  const bool idle = std::all_of(layout.counters.begin(), layout.counters.end(), counts_nothing) &&
                    registers.at(layout.fetch_ear) == 0 && registers.at(layout.data_ear) == 0 &&
                    branches::levels.of(registers.at(layout.branches)) == 0;
  if (idle) set(registers, layout.enable, 0);
}

Watched watched(const Layout& layout, Programmed& registers) {
  Watched result;
  for (const std::string_view reg : layout.counters) {
    const std::uint64_t value = registers.at(reg), at = counter::levels.of(value), code = counter::code.of(value);
    if (!counts(value)) continue;
    const Event& event = event_of(layout, value);
    result.breakpoints = result.breakpoints || breakpoint_events.contains(code);
    if (code == retired) {
      watch(result, static_cast<unsigned>(counter::channel.of(value)), at, true);
    } else if (event.filters().data()) {
      result.data |= at;
      if (event.filters().opcode()) result.data_opcode |= at;
    } else if (const Filters filters = event.filters(); filters.code() || filters.opcode()) {
      if (!filters.second_range()) watch(result, 0, at, filters.opcode());
      if (filters.second_range() || filters.both_ranges()) watch(result, 1, at, filters.opcode());
    }
  }
  watch(result, 0, fetch_ear::levels.of(registers.at(layout.fetch_ear)), false);
  watch(result, 0, branches::levels.of(registers.at(layout.branches)), true);
  result.data |= data_ear::levels.of(registers.at(layout.data_ear));
  result.data_opcode |= data_ear::levels.of(registers.at(layout.data_ear));
  return result;
}

void add_tags_of_data(Watched& watched, std::uint64_t config) {
  if (!any_enabled(config)) return;
  for (unsigned k = 0; k < channels; ++k) {
    if (k != 0 && (!is_enabled(config, k) || !data_ranges::has_tag(rule_of(config, k)))) continue;
    watched.code[k] |= watched.data;
    watched.opcode[k] |= watched.data_opcode;
  }
}

bool range_on(const Layout& layout, Programmed& registers, unsigned channel) {
  return code_ranges::off[channel].of(registers.at(layout.code_ranges)) == 0;
}

bool has_opcode(const Layout& layout, Programmed& registers, unsigned channel) {
  return opcode_channels::off[channel].of(registers.at(layout.opcode_channels)) == 0 &&
         !accepts_all(registers, layout.matchers[channel % 2]);
}

bool is_free(const Layout& layout, Programmed& registers, unsigned channel) {
  const bool ignores = channel == 0 && is_set(registers, layout.ignores_range);
  return !has_opcode(layout, registers, channel) && (ignores || !range_on(layout, registers, channel));
}

}  // namespace pmusim::testbench::faults::ia64
