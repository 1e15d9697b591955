// The steps of libpfm's pfm_dispatch_events that both IA-64 processors take in the same way. A processor's own dispatch
// derives from Dispatch, adds its own steps and says in which order all of them come, so that of several faults the
// same one is reported as libpfm reports.
#pragma once

#include <initializer_list>
#include <span>

#include "registers.h"
#include "run.h"

namespace pmusim::encoder::ia64 {

/// Where a processor has the registers of its units: PMC numbers, and the PMDs to read after a run.
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

  // Steps.
  [[nodiscard]] Failed checks();
  [[nodiscard]] Failed instruction_ear();
  [[nodiscard]] Failed data_ear();
  [[nodiscard]] Failed buffer();

  /// The control register of each event, in the counters where they were placed.
  [[nodiscard]] Failed add_counters(const Result<std::vector<unsigned>>& placed, ControlOf control);
  /// The control register of code ranges that are in `ranges`.
  [[nodiscard]] Failed add_code_ranges(const RangeRegisters& ranges, bool fine);
  /// `even` and `odd`: a matcher of these channels is used.
  [[nodiscard]] Failed add_data_ranges(bool even, bool odd);
  /// A control register, and the PMDs to read after the run.
  [[nodiscard]] Failed add(unsigned number, std::uint64_t value, std::span<const unsigned> read_back = {});
  void read_back(std::span<const unsigned> pmds);

  /// The bits of an EAR's control register that choose the instruction set.
  [[nodiscard]] virtual std::uint64_t instruction_ear_set(std::uint32_t instruction_set) const = 0;
  [[nodiscard]] virtual std::uint64_t data_ear_set(std::uint32_t instruction_set) const = 0;

  RunOutput out_;
  bool fine_ = false;  ///< code ranges are in fine mode

 private:
  const RunInput& run_;
  const UnitRegisters& units_;
};

/// The steps in their order, up to the first that fails.
template <class Steps>
[[nodiscard]] Failed run_steps(Steps& steps, std::span<Failed (Steps::*const)()> order) {
  for (const auto step : order)
    if (auto failed = (steps.*step)()) return failed;
  return std::nullopt;
}

}  // namespace pmusim::encoder::ia64
