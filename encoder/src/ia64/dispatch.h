// The steps of libpfm's pfm_dispatch_events that are the same on both IA-64 processors. The dispatch of each processor
// derives from Dispatch, adds further steps and specifies the order of all steps. The order ensures that of several
// errors the same one is reported as by libpfm.
#pragma once

#include <span>

#include "registers.h"
#include "run.h"

namespace pmusim::encoder::ia64 {

/// The registers of a processor's units: PMC numbers, and the PMDs to read after a run.
struct UnitRegisters {
  unsigned instruction_ear = 0;
  std::span<const unsigned> instruction_ear_data;
  unsigned data_ear = 0;
  std::span<const unsigned> data_ear_data;
  unsigned code_ranges = 0;
  unsigned data_ranges = 0;
  unsigned buffer = 0;
  std::span<const unsigned> buffer_data;
  std::string_view buffer_name;
};

class Dispatch {
 public:
  using ControlOf = std::uint64_t (*)(const RunInput& in, const CounterInput& event);

 protected:
  Dispatch(const RunInput& in, const UnitRegisters& units) : run_(in), units_(units) {}
  ~Dispatch() = default;

  // The common steps.
  [[nodiscard]] Failed checks();
  [[nodiscard]] Failed instruction_ear();
  [[nodiscard]] Failed data_ear();
  [[nodiscard]] Failed buffer();
  /// Fine mode: refuses a second range that is not the first once more, unless each range has its retired-instruction
  /// event. All other events follow channel 0, which has the first range alone. The last step: where libpfm refuses,
  /// too, the error is libpfm's.
  [[nodiscard]] Failed second_range();

  /// Adds the control register of each event; `placed` are the counters of the events.
  [[nodiscard]] Failed add_counters(const Result<std::vector<unsigned>>& placed, ControlOf control);
  /// Adds the control register of code ranges for the pairs in `ranges`.
  [[nodiscard]] Failed add_code_ranges(const RangeRegisters& ranges, bool fine);
  /// Adds the data ranges. `even` and `odd`: an opcode matcher of these channels is used.
  [[nodiscard]] Failed add_data_ranges(bool even, bool odd);
  /// Adds a control register, and the PMDs to read after the run.
  [[nodiscard]] Failed add(unsigned number, std::uint64_t value, std::span<const unsigned> read_back = {});
  void read_back(std::span<const unsigned> pmds);

  /// The bits of the control register of an EAR that select the instruction set.
  [[nodiscard]] virtual std::uint64_t instruction_ear_set(std::uint32_t instruction_set) const = 0;
  [[nodiscard]] virtual std::uint64_t data_ear_set(std::uint32_t instruction_set) const = 0;

  RunOutput out_;
  bool fine_ = false;  ///< code ranges are in fine mode

 private:
  const RunInput& run_;
  const UnitRegisters& units_;
};

/// Executes the steps in order, up to the first that fails.
template <class Steps>
[[nodiscard]] Failed run_steps(Steps& steps, std::span<Failed (Steps::*const)()> order) {
  for (const auto step : order)
    if (auto failed = (steps.*step)()) return failed;
  return std::nullopt;
}

}  // namespace pmusim::encoder::ia64
