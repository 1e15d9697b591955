// Itanium 2: what the configuration registers cannot show. Sources: Linux' description of the PMU (which bits software
// can write), libpfm 3.10's header and manual page (layouts), the Itanium architecture manual, volume 2, chapter 7
// ("SDM2"); docs/targets/itanium2.md has the choices where they are silent.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "testbench/mutate/equivalence.h"

namespace pmusim::testbench::mutate {
namespace {

constexpr std::array<std::string_view, 4> counters{"PMC4", "PMC5", "PMC6", "PMC7"};
constexpr std::array<std::string_view, 2> matchers{"PMC8", "PMC9"};
constexpr std::string_view fetch_ear = "PMC10", data_ear = "PMC11", ring = "PMC12", data_ranges = "PMC13",
                           code_ranges = "PMC14", routing = "PMC15";
constexpr unsigned channels = 4;

/// Bits that software can write.
std::uint64_t writable(std::string_view reg) {
  struct Mask {
    std::string_view reg;
    std::uint64_t bits;
  };
  constexpr std::array masks{Mask{"PMC0", 0xf1},
                             Mask{"PMC4", 0x0fffff7f},
                             Mask{"PMC5", 0x0fffff7f},
                             Mask{"PMC6", 0x0fffff7f},
                             Mask{"PMC7", 0x0fffff7f},
                             Mask{"PMC8", 0xffffffff3ffffffb},
                             Mask{"PMC9", 0xffffffff3ffffffb},
                             Mask{"PMC10", 0xffff},
                             Mask{"PMC11", 0x030f01cf},
                             Mask{"PMC12", 0xffff},
                             Mask{"PMC13", 0x0001e00018181818},
                             Mask{"PMC14", 0x2492},
                             Mask{"PMC15", 0xf}};
  const auto found = std::find_if(masks.begin(), masks.end(), [&](const Mask& mask) { return mask.reg == reg; });
  return found == masks.end() ? ~std::uint64_t{0} : found->bits;
}

bool is_mask(std::string_view breakpoint) { return (breakpoint.back() - '0') % 2 != 0; }

/// Bits without a function among those that can be written.
std::uint64_t ignored(std::string_view reg) {
  constexpr std::uint64_t pin = 1 << 4, not_used = 3 << 26, enable = 1 << 23, x_and_ignored = std::uint64_t{15} << 60;
  if (reg == "PMC4") return pin | not_used;
  if (reg == "PMC5" || reg == "PMC6" || reg == "PMC7") return pin | not_used | enable;
  if (reg == "PMC9") return 3;
  if (reg == ring) return 3 << 4;
  if (reg.starts_with("IBR")) return is_mask(reg) ? x_and_ignored | 15 : 15;
  if (reg.starts_with("DBR")) return is_mask(reg) ? std::uint64_t{3} << 60 : 0;
  return 0;
}

void drop_reserved(Programmed& registers) {
  registers.each([](std::string_view name, std::uint64_t& value) { value &= ~itanium2_reserved(name); });
}

// --- what runs
// --------------------------------------------------------------------------------------------------------

constexpr std::uint64_t levels = 15;
constexpr std::uint64_t counter_enable = 1 << 23;
std::uint64_t code_of(std::uint64_t counter) { return counter >> 8 & 0xff; }
std::uint64_t umask_of(std::uint64_t counter) { return counter >> 16 & 15; }

void drop_stopped(Programmed& registers) {
  const bool on = (registers.at("PMC4") & counter_enable) != 0;
  for (const std::string_view reg : counters) {
    std::uint64_t& value = registers.at(reg);
    const bool never = (value & levels) == 0 || (value >> 24 & 3) == 3;
    if (!on || never) value &= reg == "PMC4" ? counter_enable : 0;
  }
  std::uint64_t& fetch = registers.at(fetch_ear);
  const std::uint64_t kind = fetch >> 12 & 3;  // 0: TLB misses, by the three lowest bits of the unit mask
  if (!on || (fetch & levels) == 0 || fetch >> 14 == 3 || kind == 1 || (kind == 0 && (fetch >> 5 & 7) == 0)) fetch = 0;
  std::uint64_t& data = registers.at(data_ear);
  const std::uint64_t mode = data >> 7 & 3, umask = data >> 16 & 15;
  const bool captures_nothing = (mode == 0 && umask > 10) || (mode == 1 && (umask & 14) == 0);
  if (!on || (data & levels) == 0 || data >> 24 == 3 || captures_nothing) data = 0;
  std::uint64_t& branches = registers.at(ring);
  const auto none = [&](unsigned shift) { return (branches >> shift & 3) == 0; };
  if (!on || (branches & levels) == 0 || none(8) || none(10) || none(12)) branches = 0;
}

// --- events
// -----------------------------------------------------------------------------------------------------------

struct Event {
  bool exists = false;
  unsigned most = 0;
  bool by_code = false, by_opcode = false, by_data = false;
};

/// By code and unit mask; of events whose unit masks combine, any mask has the code's entry.
Event event_of(std::uint64_t counter) {
  static const std::map<std::uint64_t, Event> all = [] {
    std::map<std::uint64_t, Event> found;
    for (const encoder::EventInfo& info : *encoder::events("itanium2")) {
      Event& event = found[info.code | std::uint64_t{info.fixed_mask} << 8];
      const auto honours = [&](const char* filter) {
        return std::find(info.filters.begin(), info.filters.end(), filter) != info.filters.end();
      };
      event.exists = true;
      event.most = std::max(event.most, info.max_per_cycle);
      event.by_code = event.by_code || honours("code range");
      event.by_opcode = event.by_opcode || honours("opcode");
      event.by_data = event.by_data || honours("data range");
    }
    return found;
  }();
  const auto found = all.find(code_of(counter) | umask_of(counter) << 8);
  return found == all.end() ? Event{} : found->second;
}

bool counts(std::uint64_t counter) { return (counter & levels) != 0; }

void drop_unreachable(Programmed& registers) {
  for (const std::string_view reg : counters) {
    std::uint64_t& value = registers.at(reg);
    const Event event = event_of(value);
    const std::uint64_t threshold = value >> 20 & 7;
    if (counts(value) && event.exists && threshold != 0 && threshold >= event.most) {
      value &= reg == "PMC4" ? counter_enable : 0;
    }
  }
}

// --- filters
// ----------------------------------------------------------------------------------------------------------

constexpr std::uint64_t retired = 0x08;
/// Prefetches have channel 1, and fetches of either kind both (libpfm's code for ranges).
const std::set<std::uint64_t> prefetches{0x44, 0x45, 0x5f, 0x41, 0x46, 0x65, 0x66};

/// Channels whose tags somebody looks at.
struct Watched {
  std::array<bool, channels> tag{};
  bool data = false;
};
Watched watched(Programmed& registers) {
  Watched result;
  for (const std::string_view reg : counters) {
    const std::uint64_t value = registers.at(reg);
    if (!counts(value)) continue;
    const Event event = event_of(value);
    if (code_of(value) == retired) {
      result.tag[umask_of(value) & 3] = true;
    } else if (!event.exists || event.by_code || event.by_opcode) {
      result.tag[0] = true;
      result.tag[1] = result.tag[1] || prefetches.contains(code_of(value));
    }
    result.data = result.data || !event.exists || event.by_data;
  }
  if (registers.at(fetch_ear) != 0 || registers.at(ring) != 0) result.tag[0] = true;
  if (registers.at(data_ear) != 0) result.data = result.tag[0] = true;
  return result;
}

constexpr std::array<unsigned, channels> range_bit{1, 4, 7, 10};
constexpr std::array<unsigned, channels> range_mode{3, 11, 19, 27};
constexpr unsigned first_range_enable = 45;
constexpr std::uint64_t ignore_ranges = 1, invert = 2, fine = 1 << 13;

/// Any slot, and no bit compared.
constexpr std::uint64_t any_opcode = std::uint64_t{0xf} << 60 | 0x3ffffff8;
bool has_opcode(Programmed& registers, unsigned channel) {
  const bool accepts_all = (registers.at(matchers[channel % 2]) & any_opcode) == any_opcode;
  return (registers.at(routing) >> channel & 1) == 0 && !accepts_all;
}
bool is_free(Programmed& registers, unsigned channel) {
  const bool ignores = channel == 0 && (registers.at("PMC8") & ignore_ranges) != 0;
  return !has_opcode(registers, channel) && (ignores || (registers.at(code_ranges) >> range_bit[channel] & 1) != 0);
}

// Data channels first: they look at tags themselves.
void drop_data_filters(Programmed& registers) {
  std::uint64_t& config = registers.at(data_ranges);
  const bool watched_data = watched(registers).data;
  bool everything = (config >> first_range_enable & 15) == 0 || !watched_data;
  for (unsigned k = 0; k < channels; ++k) {
    const bool enabled = (config >> (first_range_enable + k) & 1) != 0;
    std::uint64_t mode = config >> range_mode[k] & 3;
    if (mode < 2 && is_free(registers, k)) mode += 2;
    config = (config & ~(std::uint64_t{3} << range_mode[k])) | mode << range_mode[k];
    everything = everything || (enabled && mode == 3);
  }
  for (unsigned k = 0; k < channels; ++k) {
    const bool enabled = (config >> (first_range_enable + k) & 1) != 0;
    if (everything || !enabled) config &= ~(std::uint64_t{3} << range_mode[k]);
    const bool compares = !everything && enabled && ((config >> range_mode[k] & 3) % 2 == 0);
    for (unsigned half = 0; half < 2; ++half) {
      const std::string pair = "DBR" + std::to_string(2 * k + half);
      if (!registers.has(pair)) continue;
      constexpr std::uint64_t of_faults = std::uint64_t{0xff} << 56;
      registers.at(pair) &= !compares ? 0 : half == 1 ? ~of_faults : ~std::uint64_t{0};
    }
  }
  if (everything) config = 0;
}

void drop_code_filters(Programmed& registers) {
  Watched seen = watched(registers);
  const std::uint64_t config = registers.at(data_ranges);
  for (unsigned k = 0; k < channels; ++k) {
    const bool enabled = (config >> (first_range_enable + k) & 1) != 0;
    seen.tag[k] = seen.tag[k] || (enabled && (config >> range_mode[k] & 3) < 2);
  }
  std::uint64_t &ranges = registers.at(code_ranges), &route = registers.at(routing), &first = registers.at("PMC8");
  if (!seen.tag[0] || (first & ignore_ranges) != 0) ranges |= 1u << range_bit[0];
  if ((ranges >> range_bit[0] & 1) != 0) first = (first | ignore_ranges) & ~invert;
  for (unsigned k = 0; k < channels; ++k) {
    if (!seen.tag[k]) ranges |= 1u << range_bit[k];
    if (!seen.tag[k] || !has_opcode(registers, k)) route |= 1u << k;
  }
  // A matcher serves channels k and k + 2.
  constexpr std::uint64_t ranges_fields = ignore_ranges | invert;
  for (unsigned m = 0; m < matchers.size(); ++m) {
    if ((route >> m & 5) == 5) registers.at(matchers[m]) &= m == 0 ? ranges_fields : 0;
  }
  const bool is_fine = (ranges & fine) != 0;
  bool any = false;
  for (unsigned k = 0; k < channels; ++k) {
    const auto compares = [&](unsigned channel) { return (ranges >> range_bit[channel] & 1) == 0; };
    // In fine mode a range has the pairs k and k + 2, and channels k and k + 2.
    const bool used = is_fine ? compares(k % 2) || compares(k % 2 + 2) : compares(k);
    any = any || used;
    for (unsigned half = 0; half < 2; ++half) {
      const std::string reg = "IBR" + std::to_string(2 * k + half);
      if (!registers.has(reg)) continue;
      std::uint64_t& value = registers.at(reg);
      constexpr std::uint64_t mask_bits = (std::uint64_t{1} << 56) - 1, within_pair = 31;
      if (!used) value = 0;
      if (is_fine && half == 0) value &= ~within_pair;
      if (is_fine && half == 1) value &= k < 2 ? ~mask_bits : 0;
    }
  }
  if (!any) ranges &= ~fine;
}

// Event 0x08 of a channel that nothing constrains; those of channels 0 and 1 count IA-32 instructions, too.
void join_free_channels(Programmed& registers) {
  for (const std::string_view reg : counters) {
    std::uint64_t& value = registers.at(reg);
    if (!counts(value) || code_of(value) != retired) continue;
    const unsigned channel = umask_of(value) & 3;
    if (umask_of(value) < channels && is_free(registers, channel)) value &= ~(std::uint64_t{channel & 1} << 16);
  }
}

constexpr std::array rules{
    Rule{"bit that is not stored or has no function",
         "Linux perfmon_mckinley.h: writable bits; libpfm_itanium2.h: ignored fields; SDM2 7.1: 62:60 and 61:60",
         drop_reserved},
    Rule{"counter or unit off", "SDM2 7.2.1 and libpfm_itanium2.h: no level, ism 3, enable of PMC4, nothing to capture",
         drop_stopped},
    Rule{"threshold out of reach", "manual page libpfm_itanium2(3): largest increment of each event", drop_unreachable},
    Rule{"data filter that nothing looks at", "libpfm's table of PMC13: enabled pairs, and 3 constrains nothing",
         drop_data_filters},
    Rule{"code filter that nothing looks at",
         "libpfm_itanium2.h: PMC14, PMC15 and ig_ad switch pairs and matchers off; fine mode compares pairs of bundles",
         drop_code_filters},
    Rule{"channel without constraint", "libpfm's event table: unit masks of event 0x08 differ in their channel",
         join_free_channels},
};

}  // namespace

std::uint64_t itanium2_reserved(std::string_view reg) { return ~writable(reg) | ignored(reg); }

std::span<const Rule> itanium2_rules() { return rules; }

}  // namespace pmusim::testbench::mutate
