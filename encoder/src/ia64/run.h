// A run on an IA-64 PMU with the input and output of libpfm's dispatch: the events and the settings of the whole run,
// and the resulting registers. The steps that are the same on both processors.
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
[[nodiscard]] EarMode mode_of(EventKind kind);

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

/// Adds a control register. Fails if it is not available.
[[nodiscard]] Failed add_control(const RunInput& in, unsigned number, std::uint64_t value, RunOutput& out);

/// Refuses a model output block without an input block.
[[nodiscard]] Failed check_blocks(const RunInput& in);
/// Refuses events that ignore a filter of the run, unless they are marked as unchecked.
[[nodiscard]] Failed check_filters(const RunInput& in);
/// Refuses, in runs with an address range, events that do not count at the levels of the run.
[[nodiscard]] Failed check_range_levels(const RunInput& in);

/// The configuration of an EAR: the user's, else that of the first event of the EAR; empty if there is neither.
[[nodiscard]] std::optional<EarInput> ear_setup(const RunInput& in, bool data);

/// Events with code 0x08 (retired instructions): their number, and a bit for each of their tag channels.
struct RetiredEvents {
  std::size_t count = 0;
  std::uint32_t channels = 0;
};
[[nodiscard]] RetiredEvents retired_events(const RunInput& in);

/// Configuration of the branch or execution trace buffer; messages call it `name`. The data EAR in TLB or ALAT mode
/// reports correct addresses only while the control register of the buffer is 0.
struct BufferSetup {
  std::uint64_t value = 0;
  bool records = false;  ///< the buffer records branches, so its data registers will be read
};
[[nodiscard]] Result<std::optional<BufferSetup>> buffer_setup(const RunInput& in, std::string_view name);

/// Adds the data ranges of the run to `out`, which already has the code ranges. Returns the value of PMC13 (Montecito:
/// PMC41) if the run has code or data ranges. `fine`: the code ranges are in fine mode; `even`, `odd`: an opcode
/// matcher of these channels is used.
[[nodiscard]] Result<std::optional<std::uint64_t>> data_ranges(const RunInput& in, RunOutput& out, bool fine, bool even,
                                                               bool odd);

[[nodiscard]] Error bad_ear_mode(std::string_view ear, std::uint32_t mode, std::string_view legal);
[[nodiscard]] Error no_place_for_registers();

/// The value of PMC13 (Montecito: PMC41), from the pairs used by code ranges, data ranges and opcode matchers.
[[nodiscard]] std::uint64_t range_control(const std::array<bool, kPairs>& code, const std::array<bool, kPairs>& data,
                                          const std::array<bool, kPairs>& opcode);

}  // namespace pmusim::encoder::ia64
