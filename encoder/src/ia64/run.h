// A run on an IA-64 PMU with the input and output of libpfm's dispatch: the events and the settings of the whole run,
// and the resulting registers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "quirks.h"
#include "ranges.h"
#include "table.h"

namespace pmusim::encoder::ia64 {

/// Modes of an EAR.
enum class EarMode : std::uint32_t { cache = 0, tlb = 1, alat = 2 };

/// The mode of an EAR event.
[[nodiscard]] constexpr EarMode mode_of(EventKind kind) {
  if (kind == EventKind::data_alat) return EarMode::alat;
  return kind == EventKind::instruction_tlb || kind == EventKind::data_tlb ? EarMode::tlb : EarMode::cache;
}

struct CounterInput {
  const Row* row = nullptr;
  std::uint32_t levels = 0;  ///< privilege level mask
  std::uint32_t threshold = 0;
  std::uint32_t instruction_set = 0;
  bool unchecked = false;    ///< the event may ignore a filter of the run
  bool interrupt = true;     ///< interrupt on overflow
  bool privileged = false;   ///< controlled by PSR.pp instead of PSR.up; true for all counters of a system-wide run
  bool all_threads = false;  ///< Montecito: count the occurrences of both threads
  std::uint32_t line_states = 0;  ///< Montecito: the counted states, one bit for each entry of line_state_masks()
};

/// Configuration of an EAR. Here and below `levels` 0 stands for the default of the run.
struct EarInput {
  bool used = false;
  bool used_is_one = true;  ///< the C API's flag is exactly 1
  std::uint32_t mode = 0;   ///< EarMode, or an invalid value from the user
  std::uint32_t instruction_set = 0;
  std::uint32_t levels = 0;
  std::uint64_t umask = 0;
  bool privileged = false;  ///< as for a counter
  bool by_event = false;    ///< an event specifies the configuration
};

/// Configuration of the branch trace buffer (BTB) or execution trace buffer (ETB).
struct BufferInput {
  bool used = false;
  std::uint32_t ds = 0;
  std::uint32_t tm = 0;
  std::uint32_t ptm = 0;
  std::uint32_t ppm = 0;
  std::uint32_t brt = 0;
  std::uint32_t levels = 0;
  bool privileged = false;
};

struct RunInput {
  std::vector<CounterInput> events;
  std::uint32_t default_levels = 0;
  bool system_wide = false;
  std::uint64_t unavailable = 0;  ///< PMCs that must not be used, one bit for each
  bool has_model = false;         ///< the C API's input block of the model is given
  bool has_model_output = false;
  bool matches_opcodes = false;  ///< an opcode matcher is used
  EarInput instruction_ear;
  EarInput data_ear;
  BufferInput buffer;
  RangeRequest code;
  RangeRequest data;
  Quirks quirks;
};

struct ControlValue {
  unsigned number = 0;  ///< PMC number
  std::uint64_t value = 0;
  friend bool operator==(const ControlValue&, const ControlValue&) = default;
};

struct RunOutput {
  std::vector<ControlValue> controls;  ///< in libpfm's order: the controls of the events come first
  std::vector<unsigned> data;          ///< PMDs; entry i belongs to event i
  std::optional<RangeRegisters> code_ranges;
  std::optional<RangeRegisters> data_ranges;
};

/// The error of a failed step; empty on success.
using Failed = std::optional<Error>;

}  // namespace pmusim::encoder::ia64
