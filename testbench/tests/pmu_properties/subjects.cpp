// The PMUs for which the properties are checked, and the conversion of random bits into programmings that count.
#include <algorithm>
#include <array>

#include "models/alpha/alpha.h"
#include "models/itanium2/itanium2.h"
#include "models/montecito/montecito.h"
#include "models/targets.h"
#include "testbench/tests/pmu_properties/scenario.h"
#include "testbench/tests/pmu_shell/toy_monitor.h"

namespace pmusim::testing {
namespace {

/// Takes a number below `limit` from the high bits of `random`, so that small values shrink to 0.
std::uint64_t draw(std::uint64_t& random, std::uint64_t limit) {
  const std::uint64_t drawn = random % limit;
  random /= limit;
  return drawn;
}

std::unique_ptr<pmu::Monitor> make_toy(std::uint64_t seed) { return std::make_unique<ToyMonitor>(seed % 6); }

/// Sets counters to a few units before their overflow.
std::uint64_t shape_toy(const pmu::RegisterInfo& info, std::uint64_t random) {
  if (info.kind == pmu::RegisterKind::counter) return 0x10000 - (random % 64 + 1);
  return (random & 0x0f) | (random >> 8) % 4 << ToyMonitor::threshold_shift;
}

/// Default behaviours for seed 0, and random ones otherwise.
models::Parameters behaviours(const models::Parameters& defaults, std::uint64_t seed) {
  models::Parameters parameters = defaults;
  for (const models::ParameterInfo& info : defaults.infos()) {
    if (seed == 0 || !info.name.starts_with("pmu.")) continue;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t random = seed >> 33;
    if (info.choices.empty()) {
      const auto width = static_cast<std::uint64_t>(std::min<std::int64_t>(info.maximum - info.minimum, 9));
      parameters.set(info.name, info.minimum + static_cast<std::int64_t>(random % (width + 1)));
    } else {
      parameters.set(info.name, info.choices[random % info.choices.size()].value);
    }
  }
  return parameters;
}

std::unique_ptr<pmu::Monitor> make_target(std::string_view name, std::uint64_t seed) {
  const models::Target& target = *models::find_target(name);
  return target.make_monitor(behaviours(target.parameters(), seed));
}

std::unique_ptr<pmu::Monitor> make_athlon(std::uint64_t seed) { return make_target("athlon", seed); }
std::unique_ptr<pmu::Monitor> make_itanium2(std::uint64_t seed) {
  return pmu::make_itanium2_monitor(behaviours(pmu::itanium2_pmu_parameters(), seed));
}
std::unique_ptr<pmu::Monitor> make_montecito(std::uint64_t seed) {
  return pmu::make_montecito_monitor(behaviours(pmu::montecito_pmu_parameters(), seed));
}
template <models::Parameters (*parameters)(), std::unique_ptr<pmu::Monitor> (*make)(const models::Parameters&)>
std::unique_ptr<pmu::Monitor> make_alpha(std::uint64_t seed) {
  return make(behaviours(parameters(), seed));
}
std::unique_ptr<pmu::Monitor> make_ppc750gx(std::uint64_t seed) { return make_target("ppc750gx", seed); }

/// An address that occurs in the random records.
std::uint64_t draw_address(std::uint64_t& random) {
  return draw(random, 2) != 0 ? 0x1000 + 4 * draw(random, 32) : 0x20000 + 8 * draw(random, 32);
}

// Event codes of 22007E table 11, in its groups.
std::uint64_t athlon_event(std::uint64_t& random) {
  static constexpr std::array<std::uint8_t, 53> codes{
      0x20, 0x21, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x64, 0x65, 0x73, 0x74, 0x75, 0x76, 0x79, 0x7a,
      0x80, 0x81, 0x84, 0x85, 0x86, 0x87, 0x88, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xcd, 0xce, 0xcf,
      0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xc0, 0x76};
  return codes[draw(random, codes.size())];
}

std::uint64_t shape_athlon(const pmu::RegisterInfo& info, std::uint64_t random) {
  if (info.name.starts_with("PerfEvtSel")) {
    std::uint64_t value = athlon_event(random);
    value |= draw(random, 256) << 8;                              // unit mask
    value |= (draw(random, 4) == 0 ? draw(random, 4) : 3) << 16;  // USR, OS
    value |= (draw(random, 4) == 0 ? 1ull : 0) << 18;             // E
    value |= draw(random, 2) << 19;                               // PC
    value |= draw(random, 2) << 20;                               // INT
    value |= (draw(random, 8) != 0 ? 1ull : 0) << 22;             // EN
    value |= draw(random, 2) << 23;                               // INV
    return value | (draw(random, 2) != 0 ? draw(random, 4) : 0) << 24;
  }
  if (info.name.starts_with("PerfCtr")) return (std::uint64_t{1} << 48) - 1 - draw(random, 40);
  if (info.name == "LVTPC") return draw(random, 8) == 0 ? 0x10400 : (draw(random, 2) != 0 ? 0x400 : 0x40);
  if (info.name == "DR7") return random & 0xffff23ff;
  if (info.name.starts_with("DR")) return draw_address(random);
  return random & ((std::uint64_t{1} << 20) - 1);
}

std::uint64_t shape_ppc750gx(const pmu::RegisterInfo& info, std::uint64_t random) {
  if (info.name == "MMCR0") {
    std::uint64_t value = draw(random, 8) == 0 ? draw(random, 32) << 27 : 0;  // DIS DP DU DMS DMR
    value |= (draw(random, 4) != 0 ? 1ull : 0) << 26;                         // ENINT
    value |= draw(random, 2) << 25;                                           // DISCOUNT
    value |= (draw(random, 4) == 0 ? draw(random, 4) : 0) << 23;              // RTCSELECT
    value |= draw(random, 2) << 22;                                           // INTONBITTRANS
    value |= draw(random, 64) << 16;                                          // THRESHOLD
    value |= draw(random, 8) << 13;                                           // PMC1-, PMCINTCONTROL, PMCTRIGGER
    value |= draw(random, 24) << 6;
    return value | draw(random, 24);
  }
  if (info.name == "MMCR1") return draw(random, 32) << 27 | draw(random, 32) << 22;
  if (info.name.starts_with("PMC")) return 0x80000000u - 1 - draw(random, 40);
  if (info.name == "IABR") return draw_address(random) | draw(random, 4);
  if (info.name.starts_with("TBL")) return draw(random, 2) != 0 ? 0x1fff0 + draw(random, 16) : draw(random, 16);
  return random & 0xffffffff;
}

/// Any event code; those with captures and frequent signals are more probable.
std::uint64_t itanium2_event(std::uint64_t& random) {
  static constexpr std::array<std::uint8_t, 12> often{0x08, 0x11, 0x12, 0x13, 0x43, 0xc8,
                                                      0x50, 0x5b, 0x00, 0xc3, 0xcd, 0x08};
  if (draw(random, 2) != 0) return often[draw(random, often.size())];
  return draw(random, 0xe0);
}

/// PMC4-7 of the Itanium 2.
std::uint64_t itanium2_counter_control(std::uint64_t random) {
  std::uint64_t value = draw(random, 4) == 0 ? draw(random, 16) : 0xf;  // plm
  value |= (draw(random, 3) != 0 ? 1ull : 0) << 5;                      // oi
  value |= draw(random, 2) << 6;                                        // pm
  value |= itanium2_event(random) << 8;
  value |= (draw(random, 2) != 0 ? draw(random, 16) : 0) << 16;       // umask
  value |= (draw(random, 4) == 0 ? draw(random, 4) : 0) << 20;        // threshold
  value |= (draw(random, 8) != 0 ? 1ull : 0) << 23;                   // enable
  return value | (draw(random, 4) == 0 ? draw(random, 4) : 0) << 24;  // ism
}

/// Values of registers that are the same on Itanium 2 and Montecito.
std::uint64_t fetch_ear_control(std::uint64_t random) {
  return 0xf | draw(random, 2) << 4 | (draw(random, 2) != 0 ? 0x2000 | draw(random, 512) << 5 : draw(random, 8) << 5);
}
std::uint64_t data_ear_control(std::uint64_t random) {
  return 0xf | draw(random, 2) << 6 | draw(random, 4) << 7 | draw(random, 16) << 16;
}
std::uint64_t ring_control(std::uint64_t random) {
  return 0xf | draw(random, 4) << 6 | (draw(random, 2) != 0 ? 0x3f00 : draw(random, 64) << 8) | draw(random, 4) << 14;
}
std::uint64_t data_ranges(std::uint64_t random) {
  return draw(random, 1u << 4) << 45 | draw(random, 4) << 3 | draw(random, 4) << 11 | draw(random, 4) << 19;
}
std::uint64_t code_ranges(std::uint64_t random) { return draw(random, 2) != 0 ? 0x492 : draw(random, 0x4000); }
/// IBR, DBR, PMV.
std::uint64_t shape_breakpoint(const pmu::RegisterInfo& info, std::uint64_t random) {
  if (info.id.space == pmu::Space::cr)
    return draw(random, 2) == 0 ? 0x100ee : 0xee;  // masked, so that captures remain for the comparison
  if (info.id.number % 2 == 0) return draw_address(random);
  return (0x00ff'ffff'ffff'ffff & ~(draw(random, 2) != 0 ? 0x3full : 0xffull)) | draw(random, 256) << 56;
}
std::uint64_t near_wrap(std::uint64_t random) { return (std::uint64_t{1} << 47) - 1 - draw(random, 40); }

std::uint64_t shape_itanium2(const pmu::RegisterInfo& info, std::uint64_t random) {
  const std::uint32_t n = info.id.number;
  switch (info.id.space) {
    case pmu::Space::pmc:
      if (n == 0) return draw(random, 8) == 0 ? draw(random, 256) : 0;
      if (n >= 4 && n <= 7) return itanium2_counter_control(random);
      if (n == 8 || n == 9)  // matchers that compare few bits, with and without range
        return draw(random, 16) << 60 | draw(random, 2) << 33 | (draw(random, 4) == 0 ? 0x3ffffff0u : 0x3ffffff8u) |
               draw(random, 4) | 4;
      if (n == 10) return fetch_ear_control(random);
      if (n == 11) return data_ear_control(random);
      if (n == 12) return ring_control(random);
      if (n == 13) return data_ranges(random);
      if (n == 14) return code_ranges(random);
      return draw(random, 16);
    case pmu::Space::pmd:
      return n >= 4 && n <= 7 ? near_wrap(random) : random & 0xfffff;
    default:
      return shape_breakpoint(info, random);
  }
}

/// PMC4-15 of Montecito.
std::uint64_t montecito_counter_control(std::uint64_t random) {
  static constexpr std::array<std::uint8_t, 12> often{0x08, 0x11, 0x12, 0x13, 0x43, 0xc8,
                                                      0x18, 0xcb, 0x87, 0xdd, 0x8e, 0x08};
  std::uint64_t value = draw(random, 4) == 0 ? draw(random, 16) : 0xf;  // plm
  value |= (draw(random, 3) == 0 ? 1ull : 0) << 5;                      // oi
  value |= draw(random, 2) << 6;                                        // pm
  value |= (draw(random, 3) == 0 ? often[draw(random, often.size())] : draw(random, 0xf4)) << 8;
  value |= (draw(random, 2) != 0 ? draw(random, 16) : 0) << 16;  // umask
  value |= (draw(random, 4) == 0 ? draw(random, 4) : 0) << 20;   // threshold
  value |= draw(random, 2) << 26;                                // all
  return value | (draw(random, 2) != 0 ? 0xf : draw(random, 16)) << 27;
}

std::uint64_t shape_montecito(const pmu::RegisterInfo& info, std::uint64_t random) {
  const std::uint32_t n = info.id.number;
  switch (info.id.space) {
    case pmu::Space::pmc:
      if (n == 0) return draw(random, 8) == 0 ? draw(random, 1u << 16) : 0;
      if (n < 16) return montecito_counter_control(random);
      if (n == 32 || n == 34)  // matchers that compare few bits, with and without range
        return 0x1ff'ffff'ff00 | draw(random, 2) << 3 | draw(random, 16) << 48 | draw(random, 4) << 56;
      if (n == 37) return fetch_ear_control(random);
      if (n == 38) return code_ranges(random);
      if (n == 39) return ring_control(random);
      if (n == 40) return data_ear_control(random);
      if (n == 41) return data_ranges(random);
      if (n == 42) return 0xf | (draw(random, 2) != 0 ? 0x400 : 0) | draw(random, 40) << 11;
      return draw(random, 16);
    case pmu::Space::pmd:
      return n < 16 ? near_wrap(random) : random & 0xfffff;
    default:
      return shape_breakpoint(info, random);
  }
}

// The dividers cannot be preset: uses short periods, and inputs with large amounts.
std::uint64_t shape_ev4(const pmu::RegisterInfo& info, std::uint64_t random) {
  if (info.name == "ICCSR") return 9 | draw(random, 16) << 8 | draw(random, 8) << 32;
  if (info.name == "PME_OPTION") return draw(random, 4) == 0 ? draw(random, 4) : 1;
  if (info.name == "HIER") return draw(random, 4) == 0 ? draw(random, 1u << 16) : 0x8100;
  return draw(random, 4) == 0 ? 0 : 0xffff;
}

std::uint64_t shape_ev5(const pmu::RegisterInfo& info, std::uint64_t random) {
  if (info.name == "PMCTR") {
    std::uint64_t value = draw(random, 2) << 31 | draw(random, 16) << 4 | draw(random, 16);  // SEL
    value |= (draw(random, 4) == 0 ? draw(random, 64) : 0x3e) << 10;                         // CTL
    if (draw(random, 4) == 0) value |= draw(random, 2) << 30 | draw(random, 4) << 8;         // kill bits
    return value | (0xffffu - draw(random, 40)) << 48 | (0xffffu - draw(random, 8)) << 32 |
           (0x3fffu - draw(random, 8)) << 16;
  }
  if (info.name == "ICSR") return draw(random, 4) != 0 ? 0x100 : 0;
  if (info.name == "HWINT_CLR") return draw(random, 8) << 27;
  return random;
}

/// PCTR_CTL with both counters near their overflow, ProfileMe in every second value.
std::uint64_t shape_ev6(const pmu::RegisterInfo& info, std::uint64_t random) {
  if (info.name == "PCTR_CTL") {
    const std::uint64_t profile = draw(random, 2);
    const std::uint64_t pctr1 = profile != 0 ? 0 : 0xfffff - draw(random, 12);
    return draw(random, 16) | profile << 4 | pctr1 << 6 | (0xfffff - draw(random, profile != 0 ? 1 : 40)) << 28;
  }
  if (info.name == "I_CTL") return (draw(random, 4) != 0 ? 1 : 0) | (draw(random, 4) == 0 ? draw(random, 4) : 3) << 18;
  if (info.name == "IER_CM") return (draw(random, 4) == 0 ? draw(random, 4) : 3) << 29;
  if (info.name == "HW_INT_CLR") return draw(random, 4) << 29;
  return random;
}

/// The counters cannot be preset: cycles are run until they are near their overflow.
std::unique_ptr<pmu::Monitor> make_ev4(std::uint64_t seed) {
  auto monitor = make_alpha<pmu::alpha_ev4_pmu_parameters, pmu::make_alpha_ev4_monitor>(seed);
  const auto iccsr = find_register(*monitor, "ICCSR");
  monitor->write(iccsr->id, 0xaull << 8 | 7ull << 32, {});  // cycles; external pin 1
  Block block;
  block.end = 4096 - seed % 16;
  block.states[static_cast<std::size_t>(activity::State::clock)].initial = 1;
  for (std::uint32_t at = 0; at < 256 - seed / 16 % 4; ++at) {
    block.columns[static_cast<std::size_t>(activity::Signal::pin_assert)].push_back({at, activity::no_ref, 1, 1});
  }
  monitor->consume(block, 0, block.end);
  return monitor;
}
constexpr auto make_ev5 = make_alpha<pmu::alpha_ev5_pmu_parameters, pmu::make_alpha_ev5_monitor>;
constexpr auto make_pca56 = make_alpha<pmu::alpha_pca56_pmu_parameters, pmu::make_alpha_pca56_monitor>;
constexpr auto make_ev6 = make_alpha<pmu::alpha_ev6_pmu_parameters, pmu::make_alpha_ev6_monitor>;
constexpr auto make_ev67 = make_alpha<pmu::alpha_ev67_pmu_parameters, pmu::make_alpha_ev67_monitor>;

}  // namespace

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all{{"toy", make_toy, shape_toy},
                                        {"athlon", make_athlon, shape_athlon},
                                        {"ppc750gx", make_ppc750gx, shape_ppc750gx},
                                        {"itanium2", make_itanium2, shape_itanium2},
                                        {"montecito", make_montecito, shape_montecito},
                                        {"ev4", make_ev4, shape_ev4},
                                        {"ev5", make_ev5, shape_ev5},
                                        {"pca56", make_pca56, shape_ev5},
                                        {"ev6", make_ev6, shape_ev6},
                                        {"ev67", make_ev67, shape_ev6}};
  return all;
}

}  // namespace pmusim::testing
