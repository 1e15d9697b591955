// The registers and rules of the Itanium 2 performance monitor. Sources: Linux ia64 perfmon (reset values and write
// masks), libpfm-3 (layouts, rules), SDM volume 2, chapter 7.
#include <algorithm>
#include <array>

#include "models/ia64/monitor.h"
#include "models/itanium2/events.h"
#include "models/itanium2/itanium2.h"

namespace pmusim::pmu {
namespace itanium2 {
namespace {

using namespace ia64;

constexpr std::uint64_t counter_writable = 0x0fff'ff7f, matcher_writable = 0xffff'ffff'3fff'fffb;
constexpr std::array pmcs{
    PmcRange{0, 1, 1, 0xf1},
    PmcRange{1, 3, 0, 0},
    PmcRange{4, 1, 0x80'0000, counter_writable},
    PmcRange{5, 3, 0, counter_writable},
    PmcRange{8, 1, 0xffff'ffff'3fff'ffff, matcher_writable},
    PmcRange{9, 1, 0xffff'ffff'3fff'fffc, matcher_writable},
    PmcRange{10, 1, 0, 0xffff},
    PmcRange{11, 1, 0, 0x030f'01cf},
    PmcRange{12, 1, 0, 0xffff},
    PmcRange{13, 1, 0x2078'fefe'fefe, 0x0001'e000'1818'1818},
    PmcRange{14, 1, 0x0db6'0db6'0db6'0db6, 0x2492},
    PmcRange{15, 1, 0xffff'fff0, 0xf},
};
constexpr std::array pmds{
    PmdRange{0, 1, PmdRole::fetch_address}, PmdRange{1, 1, PmdRole::fetch_latency},
    PmdRange{2, 1, PmdRole::data_address},  PmdRange{3, 1, PmdRole::data_latency},
    PmdRange{4, 4, PmdRole::counter},       PmdRange{8, 8, PmdRole::ring_entry},
    PmdRange{16, 1, PmdRole::ring_index},   PmdRange{17, 1, PmdRole::data_instruction},
};

/// PMD16: bits 2:0 next entry, bit 3 full, flags of entry j from bit 4 + 4j on.
constexpr RingLayout ring{
    .entries = 8, .next = 7, .full = 8, .flags_with_index = true, .flags = 3, .flags_shift = [](unsigned entry) {
      return 4 + 4 * entry;
    }};

/// PMC8, PMC9. Mask and match have 27 bits: instruction bits 40:27 and 12:0.
namespace matcher {
constexpr std::uint64_t ig_ad = 1, inv = 2;
constexpr unsigned mask_shift = 3, match_shift = 33, types_shift = 60;
constexpr std::uint64_t field_mask = 0x7ff'ffff;
constexpr unsigned low_bits = 13, high_shift = 27;
}  // namespace matcher

/// Moves the 27 bits of a matcher field to their positions in a syllable: bits 12:0 and bits 40:27.
constexpr std::uint64_t syllable_bits(std::uint64_t field27) {
  constexpr std::uint64_t low = (std::uint64_t{1} << matcher::low_bits) - 1;
  return (field27 & low) | (field27 >> matcher::low_bits) << matcher::high_shift;
}

OpcodeMatcher opcode_matcher(std::uint64_t pmc) {
  OpcodeMatcher result;
  constexpr std::uint64_t compared = syllable_bits(matcher::field_mask);
  const std::uint64_t ignored = syllable_bits(pmc >> matcher::mask_shift & matcher::field_mask);
  result.match = syllable_bits(pmc >> matcher::match_shift & matcher::field_mask);
  result.ignored = ignored | ~compared;  // instruction bits 26:13 cannot be matched
  result.types = field(pmc, matcher::types_shift, 0xf);
  return result;
}

void decode_matchers(const PmcFile& pmc, TagRegisters& tags) {
  tags.channel0_ignored = (pmc[8] & matcher::ig_ad) != 0;
  tags.inverted = (pmc[8] & matcher::inv) != 0;
  tags.matchers = {opcode_matcher(pmc[8]), opcode_matcher(pmc[9])};
}

// Under pmu.shared_umask, L2 events use the unit mask of PMC4, except for events without unit masks and those of sets 1
// and 2.
void settle(std::span<const Event> events, const Behaviour& behaviour, std::span<Selected> counters) {
  if (!behaviour.shares_umask) return;
  for (Selected& counter : counters) {
    const bool shares = std::any_of(events.begin(), events.end(), [&](const Event& event) {
      return event.code == counter.code && event.group == Group::l2 && event.set != 1 && event.set != 2 &&
             event.umasks != 1;
    });
    if (!shares) continue;
    counter.umask = counters[0].umask;
    counter.event = find_event(events, counter.code, counter.umask);
  }
}

// The event in PMC5 selects the L1D set, that in PMC4 the L2 set. Only one of L2_OZQ_CANCELS0 to 2 can count at a time:
// that of the lowest counter.
bool breaks_rules(std::span<const Selected> counters, unsigned i) {
  constexpr unsigned l1d_chooser = 1, l2_chooser = 0;
  const Event& event = *counters[i].event;
  if (event.group == Group::none) return false;
  if ((event.counters >> i & 1) == 0) return true;
  const Event* const chooser = counters[event.group == Group::l1d ? l1d_chooser : l2_chooser].event;
  if (chooser == nullptr || chooser->group != event.group || chooser->set != event.set) return true;
  return ia64::yields(counters, i, [](unsigned code) { return code == 0xa0 || code == 0xa8 || code == 0xac; });
}

}  // namespace

const ia64::Family& family() {
  static const ia64::Family instance{
      .counters = 4,
      .threads = 1,
      .pmcs = pmcs,
      .pmds = pmds,
      .numbers = {.fetch_ear = 10,
                  .data_ear = 11,
                  .branch_ring = 12,
                  .data_ranges = 13,
                  .code_ranges = 14,
                  .opcode_routing = 15},
      .ring = ring,
      .page_bits = 12,
      .granule_bits = 5,
      .has_enable = true,
      .has_ia32 = true,
      .has_thread_fields = false,
      .events = multiplexer(),
      .decode_matchers = decode_matchers,
      .settle = settle,
      .breaks_rules = breaks_rules,
  };
  return instance;
}

}  // namespace itanium2

models::Parameters itanium2_pmu_parameters() { return ia64::pmu_parameters(itanium2::family().threads); }

std::unique_ptr<Monitor> make_itanium2_monitor(const models::Parameters& parameters) {
  return std::make_unique<ia64::Ia64Monitor>(itanium2::family(), parameters);
}

ia64::BranchRingRegisters itanium2_branch_ring(std::span<const std::uint64_t, 8> entries, std::uint64_t index) {
  return ia64::ring_of(itanium2::ring, entries, index);
}

}  // namespace pmusim::pmu
