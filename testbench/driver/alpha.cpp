#include "testbench/driver/alpha.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace pmusim::testbench {
namespace {

using pmu::AlphaChip;

constexpr std::array<std::pair<std::string_view, AlphaChip>, 5> chips{{{"alpha-ev4", AlphaChip::ev4},
                                                                       {"alpha-ev5", AlphaChip::ev5},
                                                                       {"alpha-pca56", AlphaChip::pca56},
                                                                       {"alpha-ev6", AlphaChip::ev6},
                                                                       {"alpha-ev67", AlphaChip::ev67}}};
constexpr std::array<std::pair<std::string_view, std::uint64_t>, 8> functions{{{"WRPERFMON_DISABLE", 0},
                                                                               {"WRPERFMON_ENABLE", 1},
                                                                               {"WRPERFMON_SELECT", 2},
                                                                               {"WRPERFMON_OPTIONS", 3},
                                                                               {"WRPERFMON_FREQUENCY", 4},
                                                                               {"WRPERFMON_WRITE", 6},
                                                                               {"WRPERFMON_ENABLE_CLEAR", 7},
                                                                               {"WRPERFMON_ENABLE_WRITE", 7}}};

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::optional<AlphaChip> alpha_chip(std::string_view target) {
  for (const auto& [name, chip] : chips) {
    if (name == target) return chip;
  }
  return std::nullopt;
}

const AlphaCounter* find_alpha_counter(AlphaChip chip, std::string_view name) {
  for (const AlphaCounter& counter : alpha_counters(chip)) {
    if (same_word(counter.name, name)) return &counter;
  }
  return nullptr;
}

std::optional<std::uint64_t> wrperfmon_function(std::string_view name) {
  for (const auto& [call, function] : functions) {
    if (same_word(call, name)) return function;
  }
  return std::nullopt;
}

pmu::Wrperfmon wrperfmon_on(AlphaChip chip, RegisterBus& bus) {
  return {chip,
          {[&bus](pmu::RegisterId id) { return bus.read(id); },
           [&bus](pmu::RegisterId id, std::uint64_t value) { bus.write(id, value); }}};
}

}  // namespace pmusim::testbench
