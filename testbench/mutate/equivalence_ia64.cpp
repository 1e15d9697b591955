#include "testbench/mutate/equivalence_ia64.h"

#include <algorithm>
#include <bit>

namespace pmusim::testbench::mutate::ia64 {
namespace {

constexpr std::uint64_t levels = 15;
std::uint64_t code_of(std::uint64_t counter) { return counter >> 8 & 0xff; }
std::uint64_t umask_of(std::uint64_t counter) { return counter >> 16 & 15; }
std::uint64_t threshold_of(std::uint64_t counter) { return counter >> 20 & 7; }

std::uint64_t value_of(Programmed& registers, const Bits& bits) {
  return (registers.at(bits.reg) & bits.mask) >> std::countr_zero(bits.mask);
}
bool is_set(Programmed& registers, const Bits& bits) { return (registers.at(bits.reg) & bits.mask) != 0; }
void set(Programmed& registers, const Bits& bits, std::uint64_t value) {
  std::uint64_t& reg = registers.at(bits.reg);
  reg = (reg & ~bits.mask) | value << std::countr_zero(bits.mask);
}

/// A breakpoint register of pair `k`, if the answers have it: the address, or the mask with its levels.
std::uint64_t* breakpoint(Programmed& registers, std::string_view kind, unsigned k, bool is_mask) {
  const std::string reg = std::string(kind) + static_cast<char>('0' + 2 * k + (is_mask ? 1 : 0));
  return registers.has(reg) ? &registers.at(reg) : nullptr;
}
constexpr std::uint64_t mask_bits = (std::uint64_t{1} << 56) - 1;

// --- events -----------------------------------------------------------------------------------------------------

struct Event {
  unsigned most = 0;  ///< 0: there is none
  bool by_code = false, by_opcode = false, by_data = false, by_line_state = false;
  [[nodiscard]] bool exists() const { return most != 0; }
};

/// By code and unit mask.
const Event& event_of(const Layout& layout, std::uint64_t counter) {
  static std::map<std::string_view, std::array<Event, 0x1000>> known;
  const auto [place, is_new] = known.try_emplace(layout.target);
  if (is_new) {
    for (const encoder::EventInfo& info : *encoder::events(layout.target)) {
      Event& event = place->second[(info.code | info.fixed_mask << 8) & 0xfff];
      const auto honours = [&](const char* filter) {
        return std::find(info.filters.begin(), info.filters.end(), filter) != info.filters.end();
      };
      event.most = std::max(event.most, info.max_per_cycle);
      event.by_code = event.by_code || honours("code range");
      event.by_opcode = event.by_opcode || honours("opcode");
      event.by_data = event.by_data || honours("data range");
      event.by_line_state = !info.unit_masks.empty();
    }
  }
  return place->second[code_of(counter) | umask_of(counter) << 8];
}

bool counts(std::uint64_t counter) { return (counter & levels) != 0; }

/// A counter that counts nothing keeps what is not its own.
void stop(const Layout& layout, Programmed& registers, std::string_view counter) {
  registers.at(counter) &= counter == layout.enable.reg ? layout.enable.mask : 0;
}

// --- who looks at what ------------------------------------------------------------------------------------------

constexpr std::uint64_t retired = 0x08;
/// Fetches of one kind have the second channel, and what counts either kind both (libpfm's code for ranges).
const std::set<std::uint64_t> prefetches{0x44, 0x45, 0x5f}, all_fetches{0x41, 0x46, 0x65, 0x66};
/// By unit mask bits 1:0: 1 hits, 2 misses; by bits 3:2: 3 by all.
constexpr std::uint64_t l3_reads = 0xdd, l3_writes = 0xde;
/// What the units take in.
constexpr std::uint64_t branch_event = 0x11, fetch_ear_event = 0x43, data_ear_event = 0xc8;
/// DATA_DEBUG_REGISTER_*: compare with the data breakpoints themselves.
const std::set<std::uint64_t> breakpoint_events{0x52, 0xc6};

/// Levels at which somebody looks at a channel's address and opcode, and at data channels.
struct Watched {
  std::array<std::uint64_t, channels> code{}, opcode{};
  std::uint64_t data = 0, data_opcode = 0;
  bool breakpoints = false;
};

void watch(Watched& watched, unsigned channel, std::uint64_t at, bool opcode) {
  watched.code[channel] |= at;
  if (opcode) watched.opcode[channel] |= at;
}

Watched watched(const Layout& layout, Programmed& registers) {
  Watched result;
  for (const std::string_view reg : layout.counters) {
    const std::uint64_t value = registers.at(reg), at = value & levels, code = code_of(value);
    if (!counts(value)) continue;
    const Event& event = event_of(layout, value);
    result.breakpoints = result.breakpoints || breakpoint_events.contains(code);
    if (code == retired) {
      watch(result, umask_of(value) & 3, at, true);
    } else if (event.by_data) {
      result.data |= at;
      if (event.by_opcode) result.data_opcode |= at;
    } else if (event.by_code || event.by_opcode) {
      if (!prefetches.contains(code)) watch(result, 0, at, event.by_opcode);
      if (prefetches.contains(code) || all_fetches.contains(code)) watch(result, 1, at, event.by_opcode);
    }
  }
  watch(result, 0, registers.at(layout.fetch_ear) & levels, false);
  watch(result, 0, registers.at(layout.branches) & levels, true);
  result.data |= registers.at(layout.data_ear) & levels;
  result.data_opcode |= registers.at(layout.data_ear) & levels;
  return result;
}

// --- filters ----------------------------------------------------------------------------------------------------

constexpr std::array<unsigned, channels> range_bit{1, 4, 7, 10};
constexpr std::uint64_t fine = 1 << 13;
constexpr std::array<unsigned, channels> rule_low{3, 11, 19, 27};
constexpr unsigned first_enable = 45;
/// Data rules: with the tag, with the address, with neither.
bool has_tag(std::uint64_t rule) { return rule < 2; }
bool has_address(std::uint64_t rule) { return rule % 2 == 0; }

bool accepts_all(Programmed& registers, const Matcher& matcher) {
  return (~registers.at(matcher.types.reg) & matcher.types.mask) == 0 &&
         (~registers.at(matcher.ignored.reg) & matcher.ignored.mask) == 0;
}
bool has_opcode(const Layout& layout, Programmed& registers, unsigned channel) {
  return (registers.at(layout.opcode_channels) >> channel & 1) == 0 &&
         !accepts_all(registers, layout.matchers[channel % 2]);
}
bool is_free(const Layout& layout, Programmed& registers, unsigned channel) {
  const bool ignores = channel == 0 && is_set(registers, layout.ignores_range);
  return !has_opcode(layout, registers, channel) &&
         (ignores || (registers.at(layout.code_ranges) >> range_bit[channel] & 1) != 0);
}

std::uint64_t rule_of(std::uint64_t config, unsigned k) { return config >> rule_low[k] & 3; }
bool is_enabled(std::uint64_t config, unsigned k) { return (config >> (first_enable + k) & 1) != 0; }
bool any_enabled(std::uint64_t config) { return (config >> first_enable & 15) != 0; }

/// What memory events look at through the data channels.
void add_tags_of_data(Watched& watched, std::uint64_t config) {
  if (!any_enabled(config)) return;
  for (unsigned k = 0; k < channels; ++k) {
    if (k != 0 && (!is_enabled(config, k) || !has_tag(rule_of(config, k)))) continue;
    watched.code[k] |= watched.data;
    watched.opcode[k] |= watched.data_opcode;
  }
}

}  // namespace

std::uint64_t ignored_of_breakpoint(std::string_view reg) {
  const bool is_mask = (reg.back() - '0') % 2 != 0;
  constexpr std::uint64_t within_bundle = 15, ignored_and_execute = std::uint64_t{15} << 60;
  if (reg.starts_with("IBR")) return is_mask ? ignored_and_execute | within_bundle : within_bundle;
  if (reg.starts_with("DBR")) return is_mask ? std::uint64_t{3} << 60 : 0;
  return 0;
}

namespace {

/// Nothing is on: the bit that turns it on shows nothing.
void drop_enable(const Layout& layout, Programmed& registers) {
  if (layout.enable.mask == 0) return;
  const auto counts_nothing = [&](std::string_view reg) { return !counts(registers.at(reg)); };
  const bool idle = std::all_of(layout.counters.begin(), layout.counters.end(), counts_nothing) &&
                    registers.at(layout.fetch_ear) == 0 && registers.at(layout.data_ear) == 0 &&
                    (registers.at(layout.branches) & levels) == 0;
  if (idle) set(registers, layout.enable, 0);
}

}  // namespace

// --- rules ------------------------------------------------------------------------------------------------------

void drop_line_states(const Layout& layout, Programmed& registers) {
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    if (!event_of(layout, value).by_line_state) {
      value &= ~layout.line_states;
      continue;
    }
    // A lookup that misses has found an invalid line, and one that hits has not.
    const std::uint64_t invalid = layout.line_states & ~(layout.line_states - 1);
    const bool of_lookup = code_of(value) == l3_reads || code_of(value) == l3_writes;
    if (of_lookup && (umask_of(value) & 3) == 1) value &= ~invalid;
    if (of_lookup && (umask_of(value) & 3) == 2) value &= ~(layout.line_states & ~invalid);
    if (of_lookup && (umask_of(value) & 3) == 3) {
      if ((value & invalid) == 0) value &= ~(std::uint64_t{2} << 16);
      if ((value & layout.line_states) == invalid) value &= ~(std::uint64_t{1} << 16);
    }
    if ((value & layout.line_states) == 0) stop(layout, registers, reg);
  }
}

void drop_stopped(const Layout& layout, Programmed& registers) {
  const bool on = layout.enable.mask == 0 || is_set(registers, layout.enable);
  constexpr std::uint64_t never = 3;  // instruction set mask
  for (const std::string_view reg : layout.counters) {
    const std::uint64_t value = registers.at(reg);
    const bool no_set = layout.has_instruction_sets && (value >> 24 & 3) == never;
    if (!on || !counts(value) || no_set || !event_of(layout, value).exists()) {
      stop(layout, registers, reg);
    }
  }
  std::uint64_t &fetch = registers.at(layout.fetch_ear), &data = registers.at(layout.data_ear);
  const std::uint64_t fetch_mode = fetch >> 12 & 3;  // 0: TLB misses, by the three lowest bits of the unit mask
  const bool fetch_never = layout.has_instruction_sets && fetch >> 14 == never;
  if (!on || (fetch & levels) == 0 || fetch_never || fetch_mode == 1 || (fetch_mode == 0 && (fetch >> 5 & 7) == 0)) {
    fetch = 0;
  }
  const std::uint64_t data_mode = data >> 7 & 3, umask = umask_of(data);
  const bool captures_nothing = (data_mode == 0 && umask > 10) || (data_mode == 1 && (umask & 14) == 0);
  const bool data_never = layout.has_instruction_sets && (data >> 24 & 3) == never;
  if (!on || (data & levels) == 0 || data_never || captures_nothing) data = 0;
  if (layout.trace_mode.mask != 0) {
    std::uint64_t& trace = registers.at(layout.trace_mode.reg);
    if ((trace & levels) == 0 || value_of(registers, layout.trace_mode) != layout.traces) trace = 0;
  }
  drop_enable(layout, registers);
}

// What stops for both reasons stops for either; what misses both translation buffers misses the first.
void join_unit_masks(const Layout& layout, Programmed& registers) {
  constexpr std::uint64_t overcount = 0x4f, itlb_misses = 0x47, first = 1 << 16, both = 3 << 16;
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    if (!counts(value) || !event_of(layout, value).exists()) continue;
    if (code_of(value) == overcount || (code_of(value) == itlb_misses && (value & first) != 0)) value |= both;
  }
}

// PREDICATE_SQUASHED_RETIRED leaves out what is in a slot for branches: a branch that is not taken.
void drop_slot_types(const Layout& layout, Programmed& registers) {
  constexpr std::uint64_t squashed = 0x51;
  Programmed others = registers;
  for (const std::string_view reg : layout.counters) {
    if (code_of(others.at(reg)) == squashed) others.at(reg) = 0;
  }
  Watched seen = watched(layout, others);
  add_tags_of_data(seen, registers.at(layout.data_ranges));
  for (unsigned m = 0; m < layout.matchers.size(); ++m) {
    const Bits& types = layout.matchers[m].types;
    if ((seen.opcode[m] | seen.opcode[m + 2]) == 0) registers.at(types.reg) |= types.mask & -types.mask;
  }
  if (!has_opcode(layout, registers, 0) || value_of(registers, layout.matchers[0].types) != 1) return;
  for (const std::string_view reg : layout.counters) {
    if (code_of(registers.at(reg)) == squashed) stop(layout, registers, reg);
  }
  drop_enable(layout, registers);
}

void drop_unreachable(const Layout& layout, Programmed& registers) {
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    const std::uint64_t threshold = threshold_of(value);
    if (!counts(value) || threshold == 0) continue;
    if (threshold >= event_of(layout, value).most) {
      stop(layout, registers, reg);
    } else if (layout.all_at_once != 0 && code_of(value) == layout.all_at_once) {
      value = (value & ~(std::uint64_t{7} << 20)) | 1 << 20;
    }
  }
  drop_enable(layout, registers);
}

namespace {

void drop_details(const Layout& layout, Programmed& registers) {
  std::uint64_t &fetch = registers.at(layout.fetch_ear), &data = registers.at(layout.data_ear);
  constexpr std::uint64_t fetch_umask = 0xff << 5, fetch_cache = 1 << 13;
  if ((fetch & fetch_cache) != 0) {
    // As many ones from the top as the threshold has; after the first 0 nothing is looked at, but after none of them.
    const auto umask = static_cast<std::uint8_t>(fetch >> 5);
    const int ones = std::countl_one(umask);
    const std::uint64_t looked_at = ones == 0 ? umask & 0x40u : 0xffu << (8 - ones) & 0xffu;
    fetch = (fetch & ~fetch_umask) | looked_at << 5;
  } else {
    fetch &= ~(std::uint64_t{0xf} << 8);
  }
  constexpr std::uint64_t mode_bits = 3 << 7, umask_bits = 15 << 16, alat = 2 << 7;
  const std::uint64_t mode = data & mode_bits;
  if (mode >= alat) data = (data & ~(mode_bits | umask_bits)) | alat;
  if (mode != 0 && mode < alat) data &= ~(std::uint64_t{1} << 16);

  // Branches by direction and prediction: what is not taken has the right target, and one thing is wrong at a time.
  std::uint64_t& branches = registers.at(layout.branches);
  const auto field = [&](unsigned low) { return branches >> low & 3; };
  const std::uint64_t direction = field(8), target = field(10), path = field(12);
  const bool taken = (direction & 2) != 0, not_taken = (direction & 1) != 0;
  constexpr std::uint64_t filters = 0x3f << 8, details = 1 << 7;
  const std::uint64_t of_right_target = (target & 2) != 0 ? path : 0;
  const bool wrong_target = taken && (path & 2) != 0 && (target & 1) != 0;
  const bool traces = layout.trace_mode.mask != 0 && registers.at(layout.trace_mode.reg) != 0;
  // An EAR for TLB or ALAT wants the register 0, whatever its fields say.
  if (mode != 0) return;
  const bool records = wrong_target || ((taken || not_taken) && of_right_target != 0);
  if ((branches & levels) == 0 || traces || !records) {
    branches = 0;
    return;
  }
  const std::uint64_t of_taken = taken ? of_right_target : 0, of_not_taken = not_taken ? of_right_target : 0;
  if (!taken || (of_taken == 0 && !wrong_target)) branches &= ~details;
  branches = (branches & ~filters) | of_taken << 8 | of_not_taken << 10 | (wrong_target ? 1u << 12 : 0);
}

}  // namespace

// What a unit takes in happens at its levels and in its instruction sets.
void drop_unit_details(const Layout& layout, Programmed& registers) {
  drop_details(layout, registers);
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    const std::uint64_t code = code_of(value);
    std::uint64_t at = levels, no_set = 0;
    if (code == fetch_ear_event) at = registers.at(layout.fetch_ear), no_set = at >> 14 & 3;
    if (code == data_ear_event) at = registers.at(layout.data_ear), no_set = at >> 24 & 3;
    if (code == branch_event) at = registers.at(layout.branches);
    if (layout.has_instruction_sets) value |= no_set << 24;
    // Units take in what their own thread does.
    if (code == fetch_ear_event || code == data_ear_event || code == branch_event) value &= ~layout.both_threads;
    value &= ~(levels & ~at);
    const bool never = layout.has_instruction_sets && (value >> 24 & 3) == 3;
    if (!counts(value) || never) stop(layout, registers, reg);
  }
  drop_enable(layout, registers);
}

// Behind a code range nothing happens at the levels at which it does not hold.
void drop_levels(const Layout& layout, Programmed& registers) {
  const std::uint64_t ranges = registers.at(layout.code_ranges);
  const auto held = [&](unsigned channel) {
    const bool everywhere =
        channel == 0 && (is_set(registers, layout.ignores_range) || is_set(registers, layout.inverts));
    if (everywhere || (ranges >> range_bit[channel] & 1) != 0) return levels;
    const auto* const mask = breakpoint(registers, "IBR", (ranges & fine) != 0 ? channel % 2 : channel, true);
    return mask == nullptr ? levels : *mask >> 56 & levels;
  };
  // Memory events pass an enabled data channel, which may want a tag of its own, and want that of channel 0.
  const std::uint64_t at_first = held(0), config = registers.at(layout.data_ranges);
  std::uint64_t at_memory = any_enabled(config) ? 0 : levels;
  for (unsigned k = 0; k < channels; ++k) {
    if (is_enabled(config, k)) at_memory |= at_first & (has_tag(rule_of(config, k)) ? held(k) : levels);
  }
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    const Event& event = event_of(layout, value);
    const std::uint64_t code = code_of(value);
    std::uint64_t at = levels;
    if (code == retired) {
      at = held(umask_of(value) & 3);
    } else if (event.by_data) {
      at = at_memory;
    } else if (event.by_code && all_fetches.contains(code)) {
      at = at_first | held(1);
    } else if (event.by_code) {
      at = prefetches.contains(code) ? held(1) : at_first;
    }
    value &= ~(levels & ~at);
    if (!counts(value)) stop(layout, registers, reg);
  }
  const auto restrict = [&](std::string_view unit, std::uint64_t at) {
    std::uint64_t& value = registers.at(unit);
    value &= ~(levels & ~at);
    if ((value & levels) == 0) value = 0;
  };
  restrict(layout.fetch_ear, at_first);
  restrict(layout.data_ear, at_memory);
  // An EAR for TLB or ALAT wants the branch register 0.
  if ((registers.at(layout.data_ear) >> 7 & 3) == 0) restrict(layout.branches, at_first);
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
    const std::uint64_t value = registers.at(reg), event = umask_of(value) << 8 | code_of(value);
    const bool of_fetches = std::find(layout.fetches.begin(), layout.fetches.end(), event) != layout.fetches.end();
    if (counts(value) && of_fetches) stop(layout, registers, reg);
    // Of reads from L3 by all, those for data are left.
    constexpr std::uint64_t by_all = 12, by_fetch = 4 << 16;
    if (code_of(value) == l3_reads && (umask_of(value) & by_all) == by_all) registers.at(reg) &= ~by_fetch;
    // ... and so of L3's cancels.
    if (layout.cancels.by_all != 0 && event == layout.cancels.by_all)
      registers.at(reg) ^= (layout.cancels.by_all ^ layout.cancels.by_data) << 8;
  }
  drop_enable(layout, registers);
}

// Data channels before code: they look at tags themselves.
void drop_data_filters(const Layout& layout, Programmed& registers) {
  std::uint64_t& config = registers.at(layout.data_ranges);
  const Watched seen = watched(layout, registers);
  // Either no memory event needs any tag, or those that nothing constrains need that of channel 0.
  const bool no_tag = seen.data == 0 || !any_enabled(config);
  bool passes = no_tag;
  for (unsigned k = 0; k < channels; ++k) {
    std::uint64_t rule = rule_of(config, k);
    // Memory events need the tag of channel 0 in any case.
    if (has_tag(rule) && (k == 0 || is_free(layout, registers, k))) rule += 2;
    config = (config & ~(std::uint64_t{3} << rule_low[k])) | rule << rule_low[k];
    passes = passes || (is_enabled(config, k) && rule == 3);
  }
  for (unsigned k = 0; k < channels; ++k) {
    const bool compares = !passes && is_enabled(config, k) && has_address(rule_of(config, k));
    if (!is_enabled(config, k)) config &= ~(std::uint64_t{3} << rule_low[k]);
    const auto* const faults = breakpoint(registers, "DBR", k, true);
    if (seen.breakpoints && faults != nullptr && *faults >> 62 != 0) continue;
    for (const bool is_mask : {false, true}) {
      constexpr std::uint64_t of_faults = std::uint64_t{0xff} << 56;
      if (auto* const reg = breakpoint(registers, "DBR", k, is_mask))
        *reg &= !compares ? 0 : is_mask ? ~of_faults : ~0ull;
    }
  }
  const bool ranged =
      (registers.at(layout.code_ranges) >> range_bit[0] & 1) == 0 && !is_set(registers, layout.ignores_range);
  const bool opcode = seen.data_opcode != 0 && has_opcode(layout, registers, 0);
  const bool needs_tag = !no_tag && (ranged || opcode);
  if (passes) config = needs_tag ? std::uint64_t{1} << first_enable | std::uint64_t{3} << rule_low[0] : 0;
}

void drop_code_filters(const Layout& layout, Programmed& registers) {
  Watched seen = watched(layout, registers);
  add_tags_of_data(seen, registers.at(layout.data_ranges));
  std::uint64_t &ranges = registers.at(layout.code_ranges), &route = registers.at(layout.opcode_channels);
  const auto range_on = [&](unsigned k) { return (ranges >> range_bit[k] & 1) == 0; };
  if (seen.code[0] == 0 || is_set(registers, layout.ignores_range)) ranges |= 1u << range_bit[0];
  for (unsigned k = 0; k < channels; ++k) {
    if (seen.code[k] == 0) ranges |= 1u << range_bit[k];
    if (seen.opcode[k] == 0 || !has_opcode(layout, registers, k)) route |= 1u << k;
  }
  if (!range_on(0)) {
    set(registers, layout.ignores_range, 1);
    set(registers, layout.inverts, 0);
  }
  for (unsigned m = 0; m < layout.matchers.size(); ++m) {
    if ((route >> m & 5) != 5) continue;
    const Matcher& matcher = layout.matchers[m];
    for (const Bits& bits : {matcher.types, matcher.ignored, matcher.match}) set(registers, bits, 0);
  }
  bool any = false;
  for (unsigned k = 0; k < channels; ++k) any = any || range_on(k);
  if (!any) ranges &= ~fine;
  const bool is_fine = (ranges & fine) != 0;
  for (unsigned k = 0; k < channels; ++k) {
    // In fine mode a range has the pairs k and k + 2, and channels k and k + 2; levels are those of the lower pair.
    const unsigned first = k % 2, second = first + 2;
    const bool used = is_fine ? range_on(first) || range_on(second) : range_on(k);
    std::uint64_t at = range_on(k) ? seen.code[k] : 0;
    if (is_fine) at = (range_on(first) ? seen.code[first] : 0) | (range_on(second) ? seen.code[second] : 0);
    if (auto* const address = breakpoint(registers, "IBR", k, false)) {
      if (!used) *address = 0;
      if (is_fine) *address &= ~(layout.fine_granule - 1);
      if (is_fine && k >= 2) *address &= layout.fine_page - 1;
    }
    if (auto* const mask = breakpoint(registers, "IBR", k, true)) {
      *mask &= at << 56 | mask_bits;
      if (!used || (is_fine && k >= 2)) *mask = 0;
      if (is_fine) *mask &= ~mask_bits;
    }
  }
}

namespace {

/// Addresses with the same bits under a mask.
struct Cube {
  std::uint64_t* address;
  std::uint64_t* mask;
  [[nodiscard]] std::uint64_t compared() const { return *mask | ~mask_bits; }
  [[nodiscard]] bool covers(std::uint64_t at, std::uint64_t compared_there) const {
    return (compared() & ~compared_there) == 0 && ((*address ^ at) & compared()) == 0;
  }
};

/// Takes out half of a data range that another one covers. False if there is none.
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

/// Data ranges are joined: what one has in itself and in another one shows once. From the highest address bit down.
void drop_overlap(std::vector<Cube>& cubes) {
  for (unsigned bit = 56; bit-- > 0;) {
    for (Cube& cube : cubes) drop_half(cubes, cube, std::uint64_t{1} << bit);
  }
}

}  // namespace

void drop_uncompared(const Layout& layout, Programmed& registers) {
  for (const Matcher& matcher : layout.matchers) {
    set(registers, matcher.match, value_of(registers, matcher.match) & ~value_of(registers, matcher.ignored));
  }
  const auto mask_address = [&](std::string_view kind, unsigned k) {
    auto* const address = breakpoint(registers, kind, k, false);
    const auto* const mask = breakpoint(registers, kind, k, true);
    if (address != nullptr && mask != nullptr) *address &= *mask | ~mask_bits;
  };
  for (unsigned k = 0; k < channels; ++k) {
    if ((registers.at(layout.code_ranges) & fine) == 0) mask_address("IBR", k);
    mask_address("DBR", k);
  }
  const std::uint64_t config = registers.at(layout.data_ranges);
  std::vector<Cube> cubes;
  for (unsigned k = 0; k < channels; ++k) {
    constexpr std::uint64_t address_only = 2;
    auto* const address = breakpoint(registers, "DBR", k, false);
    auto* const mask = breakpoint(registers, "DBR", k, true);
    if (!is_enabled(config, k) || rule_of(config, k) != address_only || address == nullptr || mask == nullptr) continue;
    cubes.push_back({address, mask});
  }
  if (cubes.size() > 1) drop_overlap(cubes);
}

// Event 0x08 of a channel that nothing constrains. Where IA-32 code is executed, those of channels 0 and 1 alone count
// its instructions, too.
void join_free_channels(const Layout& layout, Programmed& registers) {
  constexpr std::uint64_t is_free_mark = 8;  // no channel, so that none which is constrained is taken for it
  const std::uint64_t same = layout.has_instruction_sets ? 1 : 3;
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    if (!counts(value) || code_of(value) != retired || umask_of(value) >= channels) continue;
    if (is_free(layout, registers, static_cast<unsigned>(umask_of(value))))
      value = (value & ~(same << 16)) | is_free_mark << 16;
  }
}

// Channels k and k + 2 have one matcher, and in fine mode one range. An IA-32 instruction has neither an address nor a
// syllable that is compared.
void join_alike_channels(const Layout& layout, Programmed& registers) {
  const std::uint64_t ranges = registers.at(layout.code_ranges);
  const auto range_on = [&](unsigned k) {
    return (ranges >> range_bit[k] & 1) == 0 && !(k == 0 && is_set(registers, layout.ignores_range));
  };
  for (const std::string_view reg : layout.counters) {
    std::uint64_t& value = registers.at(reg);
    const auto upper = static_cast<unsigned>(umask_of(value)), lower = upper - 2;
    if (!counts(value) || code_of(value) != retired || upper < 2 || upper >= channels) continue;
    const bool compares = has_opcode(layout, registers, upper);
    if (compares != has_opcode(layout, registers, lower) || range_on(upper) != range_on(lower)) continue;
    const bool inverted = lower == 0 && is_set(registers, layout.inverts);
    const bool one_range = (ranges & fine) != 0 && !inverted;
    if (range_on(upper) ? one_range : compares) value -= std::uint64_t{2} << 16;
  }
}

}  // namespace pmusim::testbench::mutate::ia64
