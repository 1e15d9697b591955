// Counters and units that are off, and settings that their events do not use.
#include "testbench/targets/ia64/equivalence.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>

namespace pmusim::testbench::faults::ia64 {

namespace {

/// Codes of the events that count captures of the units.
constexpr std::uint64_t branch_event = 0x11, fetch_ear_event = 0x43, data_ear_event = 0xc8;

bool never_runs(const Layout& layout, BitField instruction_sets, std::uint64_t value) {
  return layout.has_instruction_sets && instruction_sets.of(value) == no_instruction_set;
}

}  // namespace

void drop_line_states(const Layout& layout, Programmed& registers) {
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    if (!event_of(layout, value).filters().lines()) {
      value &= ~layout.line_states;
      continue;
    }
    // A lookup that misses found an invalid line, one that hits did not.
    const std::uint64_t invalid = layout.line_states & ~(layout.line_states - 1);
    const std::uint64_t code = counter::code.of(value), lookup = counter::lookup.of(value);
    if (code == l3_reads || code == l3_writes) {
      if (lookup == counter::lookup_hits) value &= ~invalid;
      if (lookup == counter::lookup_misses) value &= ~(layout.line_states & ~invalid);
      if (lookup == counter::lookup_any) {
        if ((value & invalid) == 0) value &= ~counter::lookup.with(counter::lookup_misses);
        if ((value & layout.line_states) == invalid) value &= ~counter::lookup.with(counter::lookup_hits);
      }
    }
    if ((value & layout.line_states) == 0) stop(layout, registers, reg);
  }
}

void drop_stopped(const Layout& layout, Programmed& registers) {
  const bool on = layout.enable.mask == 0 || is_set(registers, layout.enable);
  for (const std::string_view reg : layout.counters) {
    const std::uint64_t value = registers.at(reg);
    if (!on || !counts(value) || never_runs(layout, counter::instruction_sets, value) ||
        !event_of(layout, value).exists()) {
      stop(layout, registers, reg);
    }
  }
  std::uint64_t &fetch = registers.at(layout.fetch_ear), &data = registers.at(layout.data_ear);
  const std::uint64_t fetch_mode = fetch_ear::mode.of(fetch);
  if (!on || fetch_ear::levels.of(fetch) == 0 || never_runs(layout, fetch_ear::instruction_sets, fetch) ||
      fetch_mode == fetch_ear::off_mode || (fetch_mode == fetch_ear::tlb_mode && fetch_ear::tlb_umask.of(fetch) == 0)) {
    fetch = 0;
  }
  const std::uint64_t data_mode = data_ear::mode.of(data);
  const bool captures_nothing =
      (data_mode == data_ear::cache_mode && data_ear::umask.of(data) > data_ear::highest_cache_umask) ||
      (data_mode == data_ear::tlb_mode && data_ear::tlb_umask.of(data) == 0);
  if (!on || data_ear::levels.of(data) == 0 || never_runs(layout, data_ear::instruction_sets, data) ||
      captures_nothing) {
    data = 0;
  }
  if (layout.trace_mode.mask != 0) {
    std::uint64_t& trace = registers.at(layout.trace_mode.reg);
    const bool traces = value_of(registers, layout.trace_mode) == layout.traces;
    const bool at_no_level = branches::levels.of(trace) == 0;
    if (traces && at_no_level)
      registers.at(layout.branches) = 0;  // the mode takes the buffer from the branches all the same
    if (!traces || at_no_level) trace = 0;
  }
  drop_enable(layout, registers);
}

// Events with both causes include those with either; a miss of both translation buffers is also a miss of the first.
void join_unit_masks(const Layout& layout, Programmed& registers) {
  constexpr std::uint64_t overcount = 0x4f, itlb_misses = 0x47, first = 1, both = 3;
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    if (!counts(value) || !event_of(layout, value).exists()) continue;
    const std::uint64_t code = counter::code.of(value);
    if (code == overcount || (code == itlb_misses && (counter::umask.of(value) & first) != 0))
      value |= counter::umask.with(both);
  }
}

void drop_unreachable(const Layout& layout, Programmed& registers) {
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    const std::uint64_t threshold = counter::threshold.of(value);
    if (!counts(value) || threshold == 0) continue;
    const Event& event = event_of(layout, value);
    if (threshold >= event.most()) {
      stop(layout, registers, reg);
    } else if (event.all_or_none()) {
      counter::threshold.set(value, 1);
    }
  }
  drop_enable(layout, registers);
}

namespace {

void drop_fetch_details(std::uint64_t& fetch) {
  if (fetch_ear::cache.of(fetch) == 0) {
    fetch_ear::beside_tlb_umask.clear(fetch);
    return;
  }
  // Only the leading ones of the mask are compared; without a leading one, only one other bit is.
  const auto umask = static_cast<std::uint8_t>(fetch_ear::cache_umask.of(fetch));
  const int ones = std::countl_one(umask);
  fetch_ear::cache_umask.set(fetch, ones == 0 ? umask & fetch_ear::second_cache_bit : fetch_ear::leading_ones(ones));
}

void drop_data_details(std::uint64_t& data) {
  const std::uint64_t mode = data_ear::mode.of(data);
  if (mode >= data_ear::alat_mode) {
    data_ear::mode.set(data, data_ear::alat_mode);
    data_ear::umask.clear(data);
  }
  if (mode == data_ear::tlb_mode) data_ear::beside_tlb_umask.clear(data);
}

/// Branches by direction and prediction: a branch that is not taken has the right target, and at most one of target and
/// path is wrong.
void drop_branch_details(const Layout& layout, Programmed& registers) {
  std::uint64_t& value = registers.at(layout.branches);
  const std::uint64_t target = branches::target_mask.of(value), path = branches::path_mask.of(value);
  const bool taken = (branches::taken_mask.of(value) & branches::taken) != 0,
             not_taken = (branches::taken_mask.of(value) & branches::not_taken) != 0;
  const std::uint64_t of_right_target = (target & branches::right) != 0 ? path : 0;
  const bool wrong_target = taken && (path & branches::right) != 0 && (target & branches::wrong) != 0;
  const bool traces = layout.trace_mode.mask != 0 && registers.at(layout.trace_mode.reg) != 0;
  const bool records = wrong_target || ((taken || not_taken) && of_right_target != 0);
  if (branches::levels.of(value) == 0 || traces || !records) {
    value = 0;
    return;
  }
  const std::uint64_t of_taken = taken ? of_right_target : 0, of_not_taken = not_taken ? of_right_target : 0;
  if (!taken || (of_taken == 0 && !wrong_target)) branches::details.clear(value);
  // In place of the register's format: the paths of taken branches, those of the others, and whether a wrong target is
  // recorded.
  branches::taken_mask.set(value, of_taken);
  branches::target_mask.set(value, of_not_taken);
  branches::path_mask.set(value, wrong_target ? 1 : 0);
}

void drop_details(const Layout& layout, Programmed& registers) {
  drop_fetch_details(registers.at(layout.fetch_ear));
  std::uint64_t& data = registers.at(layout.data_ear);
  const bool by_cache = data_ear::mode.of(data) == data_ear::cache_mode;
  drop_data_details(data);
  // An EAR in TLB or ALAT mode requires the branch register to be 0, whatever its fields contain.
  if (by_cache) drop_branch_details(layout, registers);
}

}  // namespace

/// The levels at which a unit's captures are counted. It begins to wait for a cache miss at its levels; when the data
/// or the line arrives, and the capture is counted, the processor may be at another one.
std::uint64_t levels_of_captures(std::uint64_t levels, bool by_cache) {
  return by_cache && levels != 0 ? all_levels : levels;
}

// Captures of a unit occur at its levels and in its instruction sets.
void drop_unit_details(const Layout& layout, Programmed& registers) {
  drop_details(layout, registers);
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    const std::uint64_t code = counter::code.of(value);
    std::uint64_t at = all_levels, no_set = 0;
    if (code == fetch_ear_event) {
      const std::uint64_t unit = registers.at(layout.fetch_ear);
      at = levels_of_captures(fetch_ear::levels.of(unit), fetch_ear::cache.of(unit) != 0);
      no_set = fetch_ear::instruction_sets.of(registers.at(layout.fetch_ear));
    } else if (code == data_ear_event) {
      const std::uint64_t unit = registers.at(layout.data_ear);
      at = levels_of_captures(data_ear::levels.of(unit), data_ear::mode.of(unit) == data_ear::cache_mode);
      no_set = data_ear::instruction_sets.of(registers.at(layout.data_ear));
    } else if (code == branch_event) {
      at = branches::levels.of(registers.at(layout.branches));
    }
    if (layout.has_instruction_sets) value |= counter::instruction_sets.with(no_set);
    // Units capture the activity of their own thread.
    if (code == fetch_ear_event || code == data_ear_event || code == branch_event) value &= ~layout.both_threads;
    counter::levels.set(value, counter::levels.of(value) & at);
    if (!counts(value) || never_runs(layout, counter::instruction_sets, value)) stop(layout, registers, reg);
  }
  drop_enable(layout, registers);
}

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
