// Which signals a waveform shows, and their names.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/targets.h"

namespace pmusim::testbench {

/// Signals that are switched on and off together.
enum class WaveGroup : std::uint8_t {
  core,      ///< pc, privilege and the processor states that gate counters
  counters,  ///< n, condition, edge and value of each counter
  fields,    ///< fields of the registers
  pmu,       ///< interrupt, pins, frozen, overflows, writes by hardware
  clock,     ///< core clock and cycle number: two changes a cycle
  states,    ///< all states of the activity
  signals,   ///< occurrences of each signal of the activity, by cycle
  count_
};
inline constexpr std::array<std::string_view, static_cast<std::size_t>(WaveGroup::count_)> wave_group_names{
    "core", "counters", "fields", "pmu", "clock", "states", "signals"};

struct WaveField {
  std::string name;
  unsigned width = 1;
};
struct WaveRegister {
  std::string name;
  unsigned width = 64;
  std::vector<WaveField> fields;  ///< empty: shown as one number
};

struct WaveformPlan {
  static constexpr std::uint64_t all_cycles = ~std::uint64_t{0};
  const models::Target* target = nullptr;  ///< set by the session
  std::uint32_t groups = bit(WaveGroup::core) | bit(WaveGroup::counters) | bit(WaveGroup::fields) | bit(WaveGroup::pmu);
  std::uint64_t cycles = all_cycles;    ///< shown, from the first one on; the others are counted without a waveform
  std::vector<std::string> events;      ///< by number of the counter; empty: it has none
  std::vector<WaveRegister> registers;  ///< of each PMU
  /// Values of all fields of a register with this `value`, in the order of WaveRegister::fields.
  std::function<std::vector<std::uint64_t>(std::string_view name, std::uint64_t value)> fields_of;

  [[nodiscard]] static constexpr std::uint32_t bit(WaveGroup group) { return 1u << static_cast<unsigned>(group); }
  [[nodiscard]] bool has(WaveGroup group) const { return (groups & bit(group)) != 0; }
};

}  // namespace pmusim::testbench
