// Levels at which ranges hold, and filters that no event uses.
#include <algorithm>

#include "testbench/targets/ia64/equivalence.h"

namespace pmusim::testbench::faults::ia64 {

using data_ranges::has_address;
using data_ranges::has_tag;

std::uint64_t ignored_of_breakpoint(std::string_view reg) {
  const bool is_mask = (reg.back() - '0') % 2 != 0;
  const std::uint64_t bundle = breakpoint::within_bundle.mask();
  if (reg.starts_with("IBR")) return is_mask ? breakpoint::ignored_of_ibr.mask() | bundle : bundle;
  if (reg.starts_with("DBR")) return is_mask ? breakpoint::ignored_of_dbr.mask() : 0;
  return 0;
}

// PREDICATE_SQUASHED_RETIRED does not count slots for branches, where a false predicate is a branch not taken.
void drop_slot_types(const Layout& layout, Programmed& registers) {
  constexpr std::uint64_t squashed = 0x51, branch_slots = 1;
  Programmed others = registers;
  for (const std::string_view reg : layout.counters) {
    if (counter::code.of(others.at(reg)) == squashed) others.at(reg) = 0;
  }
  Watched seen = watched(layout, others);
  add_tags_of_data(seen, registers.at(layout.data_ranges));
  for (unsigned m = 0; m < layout.matchers.size(); ++m) {
    const Bits& types = layout.matchers[m].types;
    if ((seen.opcode[m] | seen.opcode[m + 2]) == 0) set(registers, types, value_of(registers, types) | branch_slots);
  }
  if (!has_opcode(layout, registers, 0) || value_of(registers, layout.matchers[0].types) != branch_slots) return;
  for (const std::string_view reg : layout.counters) {
    if (counter::code.of(registers.at(reg)) == squashed) stop(layout, registers, reg);
  }
  drop_enable(layout, registers);
}

// Under a code range nothing counts at levels at which the range does not hold.
void drop_levels(const Layout& layout, Programmed& registers) {
  const bool is_fine = code_ranges::fine.of(registers.at(layout.code_ranges)) != 0;
  const auto held = [&](unsigned channel) {
    const bool everywhere =
        channel == 0 && (is_set(registers, layout.ignores_range) || is_set(registers, layout.inverts));
    if (everywhere || !range_on(layout, registers, channel)) return all_levels;
    const auto* const mask = breakpoint_of(registers, "IBR", is_fine ? channel % 2 : channel, true);
    return mask == nullptr ? all_levels : breakpoint::levels.of(*mask);
  };
  // Memory events must pass an enabled data channel, which may require its own tag, and need the tag of channel 0.
  const std::uint64_t at_first = held(0), config = registers.at(layout.data_ranges);
  std::uint64_t at_memory = any_enabled(config) ? 0 : all_levels;
  for (unsigned k = 0; k < channels; ++k) {
    if (is_enabled(config, k)) at_memory |= at_first & (has_tag(rule_of(config, k)) ? held(k) : all_levels);
  }
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    const Filters by = event_of(layout, value).filters();
    const std::uint64_t code = counter::code.of(value);
    std::uint64_t at = all_levels;
    if (code == retired) {
      at = held(static_cast<unsigned>(counter::channel.of(value)));
    } else if (by.data()) {
      at = at_memory;
    } else if (by.both_ranges()) {
      at = at_first | held(1);
    } else if (by.code()) {
      at = by.second_range() ? held(1) : at_first;
    }
    counter::levels.set(value, counter::levels.of(value) & at);
    if (!counts(value)) stop(layout, registers, reg);
  }
  const auto restrict = [&](std::string_view unit, BitField levels, std::uint64_t at) {
    std::uint64_t& value = registers.at(unit);
    levels.set(value, levels.of(value) & at);
    if (levels.of(value) == 0) value = 0;
  };
  restrict(layout.fetch_ear, fetch_ear::levels, at_first);
  restrict(layout.data_ear, data_ear::levels, at_memory);
  // An EAR in TLB or ALAT mode requires the branch register to be 0.
  if (data_ear::mode.of(registers.at(layout.data_ear)) == data_ear::cache_mode)
    restrict(layout.branches, branches::levels, at_first);
  drop_enable(layout, registers);
}

// A fetch has neither a syllable nor a data address.
void drop_filtered_fetches(const Layout& layout, Programmed& registers) {
  const std::uint64_t config = registers.at(layout.data_ranges);
  if (!any_enabled(config)) return;
  bool passes = false;
  for (unsigned k = 0; k < channels; ++k) {
    const std::uint64_t rule = rule_of(config, k);
    const bool no_syllable = has_tag(rule) && has_opcode(layout, registers, k);
    passes = passes || (is_enabled(config, k) && !has_address(rule) && !no_syllable);
  }
  if (passes && !has_opcode(layout, registers, 0)) return;
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    const std::uint64_t before = value, event = counter::event_of(value);
    if (counts(before) && event_of(layout, before).filters().of_fetches()) stop(layout, registers, reg);
    // Of the reads from L3 by any requester those for data remain.
    if (counter::code.of(before) == l3_reads && counter::lookup_by.of(before) == counter::by_all)
      value &= ~counter::lookup_by.with(counter::by_fetch);
    // The same for L3's cancels.
    if (layout.cancels.by_all != 0 && event == layout.cancels.by_all)
      value ^= counter::with_event(layout.cancels.by_all ^ layout.cancels.by_data);
  }
  drop_enable(layout, registers);
}

// Data channels come before code, because they use tags.
void drop_data_filters(const Layout& layout, Programmed& registers) {
  std::uint64_t& config = registers.at(layout.data_ranges);
  const Watched seen = watched(layout, registers);
  // Either no memory event needs a tag, or those without constraints need that of channel 0.
  const bool no_tag = seen.data == 0 || !any_enabled(config);
  bool passes = no_tag;
  for (unsigned k = 0; k < channels; ++k) {
    std::uint64_t rule = rule_of(config, k);
    // Memory events need the tag of channel 0 in any case.
    if (has_tag(rule) && (k == 0 || is_free(layout, registers, k))) rule = data_ranges::without_tag(rule);
    data_ranges::rule[k].set(config, rule);
    passes = passes || (is_enabled(config, k) && rule == data_ranges::nothing);
  }
  for (unsigned k = 0; k < channels; ++k) {
    const bool compares = !passes && is_enabled(config, k) && has_address(rule_of(config, k));
    if (!is_enabled(config, k)) data_ranges::rule[k].clear(config);
    const auto* const faults = breakpoint_of(registers, "DBR", k, true);
    if (seen.breakpoints && faults != nullptr && breakpoint::faults.of(*faults) != 0) continue;
    for (const bool is_mask : {false, true}) {
      if (auto* const reg = breakpoint_of(registers, "DBR", k, is_mask))
        *reg &= !compares ? 0 : is_mask ? ~breakpoint::beside_mask.mask() : ~std::uint64_t{0};
    }
  }
  const bool ranged = range_on(layout, registers, 0) && !is_set(registers, layout.ignores_range);
  const bool opcode = seen.data_opcode != 0 && has_opcode(layout, registers, 0);
  const bool needs_tag = !no_tag && (ranged || opcode);
  if (passes) config = needs_tag ? data_ranges::enable[0].with(1) | data_ranges::rule[0].with(data_ranges::nothing) : 0;
}

void drop_code_filters(const Layout& layout, Programmed& registers) {
  Watched seen = watched(layout, registers);
  add_tags_of_data(seen, registers.at(layout.data_ranges));
  std::uint64_t &ranges = registers.at(layout.code_ranges), &route = registers.at(layout.opcode_channels);
  const auto ranged = [&](unsigned k) { return code_ranges::off[k].of(ranges) == 0; };
  if (seen.code[0] == 0 || is_set(registers, layout.ignores_range)) code_ranges::off[0].set(ranges, 1);
  for (unsigned k = 0; k < channels; ++k) {
    if (seen.code[k] == 0) code_ranges::off[k].set(ranges, 1);
    if (seen.opcode[k] == 0 || !has_opcode(layout, registers, k)) opcode_channels::off[k].set(route, 1);
  }
  if (!ranged(0)) {
    set(registers, layout.ignores_range, 1);
    set(registers, layout.inverts, 0);
  }
  for (unsigned m = 0; m < layout.matchers.size(); ++m) {
    if (!opcode_channels::neither(route, m)) continue;
    const Matcher& matcher = layout.matchers[m];
    for (const Bits& bits : {matcher.types, matcher.ignored, matcher.match}) set(registers, bits, 0);
  }
  bool any = false;
  for (unsigned k = 0; k < channels; ++k) any = any || ranged(k);
  if (!any) code_ranges::fine.clear(ranges);
  const bool is_fine = code_ranges::fine.of(ranges) != 0;
  for (unsigned k = 0; k < channels; ++k) {
    // In fine mode a range uses the pairs k and k + 2, and the channels k and k + 2; the levels are those of the lower
    // pair.
    const unsigned first = k % 2, second = first + 2;
    const bool used = is_fine ? ranged(first) || ranged(second) : ranged(k);
    std::uint64_t at = ranged(k) ? seen.code[k] : 0;
    if (is_fine) at = (ranged(first) ? seen.code[first] : 0) | (ranged(second) ? seen.code[second] : 0);
    if (auto* const address = breakpoint_of(registers, "IBR", k, false)) {
      if (!used) *address = 0;
      if (is_fine) *address &= ~(layout.fine_granule - 1);
      if (is_fine && k >= 2) *address &= layout.fine_page - 1;
    }
    if (auto* const mask = breakpoint_of(registers, "IBR", k, true)) {
      *mask &= breakpoint::levels.with(at) | breakpoint::mask.mask();
      if (!used || (is_fine && k >= 2)) *mask = 0;
      if (is_fine) breakpoint::mask.clear(*mask);
    }
  }
}

namespace {

/// The set of addresses with the same bits under a mask.
struct Cube {
  std::uint64_t* address;
  std::uint64_t* mask;
  [[nodiscard]] std::uint64_t compared() const { return *mask | ~breakpoint::mask.mask(); }
  [[nodiscard]] bool covers(std::uint64_t at, std::uint64_t compared_there) const {
    return (compared() & ~compared_there) == 0 && ((*address ^ at) & compared()) == 0;
  }
};

/// Removes half of a data range if another range covers it. False if none does.
bool drop_half(std::vector<Cube>& cubes, Cube& cube, std::uint64_t bit) {
  if ((*cube.mask & bit) != 0) return false;
  for (const std::uint64_t half : {std::uint64_t{0}, bit}) {
    const std::uint64_t at = (*cube.address & ~bit) | half;
    const bool twice = std::any_of(cubes.begin(), cubes.end(), [&](const Cube& other) {
      return &other != &cube && other.covers(at, cube.compared() | bit);
    });
    if (!twice) continue;
    *cube.address = at ^ bit;
    *cube.mask |= bit;
    return true;
  }
  return false;
}

/// Removes overlaps: data ranges are joined, so an address in two ranges counts once. From the highest address bit
/// down.
void drop_overlap(std::vector<Cube>& cubes) {
  for (unsigned bit = breakpoint::mask.width; bit-- > 0;) {
    for (Cube& cube : cubes) drop_half(cubes, cube, std::uint64_t{1} << bit);
  }
}

}  // namespace

void drop_uncompared(const Layout& layout, Programmed& registers) {
  for (const Matcher& matcher : layout.matchers) {
    set(registers, matcher.match, value_of(registers, matcher.match) & ~value_of(registers, matcher.ignored));
  }
  const auto mask_address = [&](std::string_view kind, unsigned k) {
    auto* const address = breakpoint_of(registers, kind, k, false);
    const auto* const mask = breakpoint_of(registers, kind, k, true);
    if (address != nullptr && mask != nullptr) *address &= *mask | ~breakpoint::mask.mask();
  };
  for (unsigned k = 0; k < channels; ++k) {
    if (code_ranges::fine.of(registers.at(layout.code_ranges)) == 0) mask_address("IBR", k);
    mask_address("DBR", k);
  }
  const std::uint64_t config = registers.at(layout.data_ranges);
  std::vector<Cube> cubes;
  for (unsigned k = 0; k < channels; ++k) {
    auto* const address = breakpoint_of(registers, "DBR", k, false);
    auto* const mask = breakpoint_of(registers, "DBR", k, true);
    if (!is_enabled(config, k) || rule_of(config, k) != data_ranges::address_alone || address == nullptr ||
        mask == nullptr)
      continue;
    cubes.push_back({address, mask});
  }
  if (cubes.size() > 1) drop_overlap(cubes);
}

// Event 0x08 of an unconstrained channel. Where IA-32 code is executed, only channels 0 and 1 count its instructions,
// too.
void join_free_channels(const Layout& layout, Programmed& registers) {
  constexpr std::uint64_t is_free_mark = 8;  // no channel, so that it differs from all constrained ones
  const std::uint64_t same = layout.has_instruction_sets ? 1 : 3;
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    const auto channel = static_cast<unsigned>(counter::umask.of(value));
    if (!counts(value) || counter::code.of(value) != retired || channel >= channels) continue;
    if (is_free(layout, registers, channel))
      value = (value & ~counter::umask.with(same)) | counter::umask.with(is_free_mark);
  }
}

// Channels k and k + 2 share a matcher, and in fine mode a range. An IA-32 instruction has no address and no syllable
// that is compared.
void join_alike_channels(const Layout& layout, Programmed& registers) {
  const bool is_fine = code_ranges::fine.of(registers.at(layout.code_ranges)) != 0;
  const auto ranged = [&](unsigned k) {
    return range_on(layout, registers, k) && !(k == 0 && is_set(registers, layout.ignores_range));
  };
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    const auto upper = static_cast<unsigned>(counter::umask.of(value)), lower = upper - 2;
    if (!counts(value) || counter::code.of(value) != retired || upper < 2 || upper >= channels) continue;
    const bool compares = has_opcode(layout, registers, upper);
    if (compares != has_opcode(layout, registers, lower) || ranged(upper) != ranged(lower)) continue;
    const bool inverted = lower == 0 && is_set(registers, layout.inverts);
    const bool one_range = is_fine && !inverted;
    if (ranged(upper) ? one_range : compares) counter::umask.set(value, lower);
  }
}

}  // namespace pmusim::testbench::faults::ia64
