// The registers and rules of the Montecito performance monitor. Sources: Linux ia64 perfmon (reset values and write
// masks), libpfm-3 (layouts, rules), SDM volume 2, chapter 7.
#include <array>

#include "models/ia64/monitor.h"
#include "models/montecito/events.h"
#include "models/montecito/montecito.h"

namespace pmusim::pmu {
namespace montecito {
namespace {

using namespace ia64;

constexpr std::array pmcs{
    PmcRange{0, 1, 0, 0xfff1},
    PmcRange{1, 3, 0, 0},
    PmcRange{4, 12, 0x0200'0000, 0x7c7f'ff7f},
    PmcRange{32, 1, 0x030f'01ff'ffff'ffff, 0x030f'01ff'ffff'ffff},
    PmcRange{33, 1, 0, 0x01ff'ffff'ffff},
    PmcRange{34, 1, 0x000f'01ff'ffff'ffff, 0x000f'01ff'ffff'ffff},
    PmcRange{35, 1, 0, 0x01ff'ffff'ffff},
    PmcRange{36, 1, 0xffff'fff0, 0xf},
    PmcRange{37, 1, 0, 0x3fff},
    PmcRange{38, 1, 0xdb6, 0x2492},
    PmcRange{39, 1, 0, 0xffcf},
    PmcRange{40, 1, 0x0200'0000, 0x000f'01cf},
    PmcRange{41, 1, 0x2078'fefe'fefe, 0x0001'e000'1818'1818},
    PmcRange{42, 1, 0, 0x0007'ff4f},
};
constexpr std::array pmds{
    PmdRange{4, 12, PmdRole::counter},       PmdRange{32, 1, PmdRole::data_address},
    PmdRange{33, 1, PmdRole::data_latency},  PmdRange{34, 1, PmdRole::fetch_address},
    PmdRange{35, 1, PmdRole::fetch_latency}, PmdRange{36, 1, PmdRole::data_instruction},
    PmdRange{38, 1, PmdRole::ring_index},    PmdRange{39, 1, PmdRole::ring_flags},
    PmdRange{48, 16, PmdRole::ring_entry},
};

/// PMD38: bits 3:0 next entry, bit 5 full. PMD39: four bits per entry, in the order PMD48, PMD56, PMD49, PMD57, ...
constexpr RingLayout ring{.entries = 16,
                          .next = 0xf,
                          .full = 1u << 5,
                          .flags_with_index = false,
                          .flags = 0xf,
                          .flags_shift = [](unsigned entry) { return entry < 8 ? 8 * entry : 8 * (entry - 8) + 4; }};

/// PMC32 to PMC35: two registers per matcher.
namespace matcher {
constexpr unsigned types_shift = 48;  ///< b, f, i, m
constexpr std::uint64_t inv = std::uint64_t{1} << 56, ig_ad = std::uint64_t{1} << 57;
}  // namespace matcher

OpcodeMatcher opcode_matcher(std::uint64_t mask, std::uint64_t match) {
  OpcodeMatcher result;
  result.match = match & OpcodeMatcher::syllable;
  result.ignored = mask & OpcodeMatcher::syllable;
  result.types = field(mask, matcher::types_shift, 0xf);
  return result;
}

void decode_matchers(const PmcFile& pmc, TagRegisters& tags) {
  tags.channel0_ignored = (pmc[32] & matcher::ig_ad) != 0;
  tags.inverted = (pmc[32] & matcher::inv) != 0;
  tags.matchers = {opcode_matcher(pmc[32], pmc[33]), opcode_matcher(pmc[34], pmc[35])};
}

/// Counters that select an L2D set: PMC4 for PMC4, PMC5 and PMC8; PMC6 for PMC6, PMC7 and PMC9. The other counters can
/// use either set.
constexpr unsigned first_chooser = 0, second_chooser = 2, l1d_chooser = 1;
constexpr std::array<unsigned, 6> chooser_of{first_chooser,  first_chooser, second_chooser,
                                             second_chooser, first_chooser, second_chooser};

constexpr unsigned shared_code = 0xbc;      ///< ER_REJECT_ALL_L1_REQ, L2D_OZQ_FULL
constexpr std::uint8_t queue_full_set = 5;  ///< set of the latter

/// True if set `set` of the L2D group is selected for counter `i`.
bool chosen(std::span<const Selected> counters, unsigned i, std::uint8_t set) {
  const auto chooses = [&](unsigned chooser) {
    const Event* const event = counters[chooser].event;
    return event != nullptr && event->group == Group::l2 && event->set == set;
  };
  return i < chooser_of.size() ? chooses(chooser_of[i]) : chooses(first_chooser) || chooses(second_chooser);
}

// Code 0xbc is an L2D event if set 5 is selected for the counter; in PMC4 and PMC6 the code itself selects the set.
// Otherwise it is an event of the external requests.
void settle(std::span<const Event> events, const Behaviour& behaviour, std::span<Selected> counters) {
  const auto settle_one = [&](unsigned i, bool queue_full) {
    if (counters[i].code != shared_code || counters[i].event == nullptr) return;
    for (const Event& event : events) {
      if (event.code == shared_code && (event.group == Group::l2) == queue_full) counters[i].event = &event;
    }
  };
  for (const unsigned i : {first_chooser, second_chooser}) settle_one(i, behaviour.shared_code_by_set);
  for (unsigned i = 0; i < counters.size(); ++i)
    settle_one(i, behaviour.shared_code_by_set && chosen(counters, i, queue_full_set));
}

// The event in PMC5 selects the L1D set. Only one of L2D_OZQ_CANCELS0 and 1 can count at a time: that of the lowest
// counter.
bool breaks_rules(std::span<const Selected> counters, unsigned i) {
  const Event& event = *counters[i].event;
  if ((event.counters >> i & 1) == 0) return true;
  if (event.group == Group::l1d) {
    const Event* const chooser = counters[l1d_chooser].event;
    return chooser == nullptr || chooser->group != Group::l1d || chooser->set != event.set;
  }
  if (event.group != Group::l2) return false;
  if (!chosen(counters, i, event.set)) return true;
  return ia64::yields(counters, i, [](unsigned code) { return code == 0xe0 || code == 0xe2; });
}

}  // namespace

const ia64::Family& family() {
  static const ia64::Family instance{
      .counters = 12,
      .threads = 2,
      .pmcs = pmcs,
      .pmds = pmds,
      .numbers = {.fetch_ear = 37,
                  .data_ear = 40,
                  .branch_ring = 39,
                  .data_ranges = 41,
                  .code_ranges = 38,
                  .opcode_routing = 36,
                  .ip_ear = 42},
      .ring = ring,
      .page_bits = 16,
      .granule_bits = 4,
      .has_enable = false,
      .has_ia32 = false,
      .has_thread_fields = true,
      .events = multiplexer(),
      .decode_matchers = decode_matchers,
      .settle = settle,
      .breaks_rules = breaks_rules,
  };
  return instance;
}

}  // namespace montecito

models::Parameters montecito_pmu_parameters() { return ia64::pmu_parameters(montecito::family().threads); }

std::unique_ptr<Monitor> make_montecito_monitor(const models::Parameters& parameters) {
  return std::make_unique<ia64::Ia64Monitor>(montecito::family(), parameters);
}

ia64::BranchRingRegisters montecito_branch_ring(std::span<const std::uint64_t, 16> entries, std::uint64_t pmd38,
                                                std::uint64_t pmd39) {
  return ia64::ring_of(montecito::ring, entries, pmd38, pmd39);
}

std::vector<std::string> montecito_broken_rules(const Monitor& monitor) {
  return dynamic_cast<const ia64::Ia64Monitor&>(monitor).broken_rules();
}

}  // namespace pmusim::pmu
