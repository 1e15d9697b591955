// A run on an IA-64 PMU as libpfm's dispatch sees it: events and what belongs to the whole run, and the registers that
// come of it. The steps that both processors take in the same way.
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

/// The mode that an EAR event asks for.
[[nodiscard]] EarMode mode_of(Kind kind);

struct CounterInput {
  const Row* row = nullptr;
  std::uint32_t levels = 0;  ///< privilege level mask
  std::uint32_t threshold = 0;
  std::uint32_t instruction_set = 0;
  bool unchecked = false;         ///< may ignore a filter of the run
  bool interrupt = true;          ///< on overflow
  bool privileged = false;        ///< run by PSR.pp instead of PSR.up; all counters of a system-wide run are
  bool all_threads = false;       ///< Montecito: both threads' occurrences
  std::uint32_t line_states = 0;  ///< Montecito: bit per line_state_masks() of what is counted
};

/// Here and below `levels` 0 takes the default of the run.
struct EarInput {
  bool used = false;
  bool used_is_one = true;  ///< the C API's flag is exactly 1
  std::uint32_t mode = 0;   ///< EarMode, or what the user wrote instead
  std::uint32_t instruction_set = 0;
  std::uint32_t levels = 0;
  std::uint64_t umask = 0;
  bool privileged = false;  ///< as of a counter
  bool by_event = false;    ///< an event names the setup
};

/// BTB or ETB.
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
  std::uint64_t unavailable = 0;  ///< bit per PMC
  bool has_model = false;         ///< the C API's model blocks are there
  bool has_model_output = false;
  bool matches_opcodes = false;  ///< a matcher is used
  EarInput instruction_ear;
  EarInput data_ear;
  BufferInput buffer;
  RangeRequest code;
  RangeRequest data;
  Quirks quirks;
};

struct ControlValue {
  unsigned number = 0;  ///< of the PMC
  std::uint64_t value = 0;
  friend bool operator==(const ControlValue&, const ControlValue&) = default;
};

struct RunOutput {
  std::vector<ControlValue> controls;  ///< in libpfm's order: those of the events come first
  std::vector<unsigned> data;          ///< PMDs, that of event i at i
  std::optional<RangeRegisters> code_ranges;
  std::optional<RangeRegisters> data_ranges;
};

/// The sentence of a failed step; empty when it went well.
using Failed = std::optional<Error>;

/// Adds a control register, unless it is not available.
[[nodiscard]] Failed add_control(const RunInput& in, unsigned number, std::uint64_t value, RunOutput& out);

/// Model output without input, and ranges without a place for their registers.
[[nodiscard]] Failed check_blocks(const RunInput& in);
/// Every event honours every filter of the run, or is marked as unchecked.
[[nodiscard]] Failed check_filters(const RunInput& in);
/// With a range, every event counts at the levels of the run.
[[nodiscard]] Failed check_range_levels(const RunInput& in);

/// The set-up of an EAR: the user's, else the one that the first event of its kind names; empty when neither is there.
[[nodiscard]] std::optional<EarInput> ear_setup(const RunInput& in, bool data);

/// Events with code 0x08 (retired instructions): how many, and a bit for each channel they are tagged with.
struct RetiredEvents {
  std::size_t count = 0;
  std::uint32_t channels = 0;
};
[[nodiscard]] RetiredEvents retired_events(const RunInput& in);

/// The branch or execution trace buffer, which `name` calls it. A D-EAR in TLB or ALAT mode reports right addresses
/// only while the buffer's control register is 0.
struct BufferSetup {
  std::uint64_t value = 0;
  bool records = false;  ///< the buffer is meant to be read
};
[[nodiscard]] Result<std::optional<BufferSetup>> buffer_setup(const RunInput& in, std::string_view name);

/// Adds the data ranges of the run to `out`, which has the code ranges. Gives the value of PMC13 (Montecito: PMC41)
/// when the run has ranges of either kind; `fine` is the mode of the code ranges, `even` and `odd` are opcode matchers
/// used.
[[nodiscard]] Result<std::optional<std::uint64_t>> data_ranges(const RunInput& in, RunOutput& out, bool fine, bool even,
                                                               bool odd);

[[nodiscard]] Error bad_ear_mode(std::string_view ear, std::uint32_t mode, std::string_view legal);
[[nodiscard]] Error no_place_for_registers();

/// PMC13 (Montecito: PMC41) after the pairs that code and data ranges use and whether a matcher belongs to each pair.
[[nodiscard]] std::uint64_t range_control(const std::array<bool, kPairs>& code, const std::array<bool, kPairs>& data,
                                          const std::array<bool, kPairs>& opcode);

}  // namespace pmusim::encoder::ia64
