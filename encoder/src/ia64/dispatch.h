// The steps of libpfm's pfm_dispatch_events that are the same on both IA-64 processors. The dispatch of each processor
// derives from Dispatch, adds further steps and specifies the order of all steps. The order ensures that of several
// errors the same one is reported as by libpfm.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "registers.h"
#include "run.h"

namespace pmusim::encoder::ia64 {

/// The registers of a processor's units: PMC numbers, and the PMDs to read after a run.
struct UnitRegisters {
  unsigned counters = 0;  ///< their number
  unsigned instruction_ear = 0;
  std::span<const unsigned> instruction_ear_data;
  unsigned data_ear = 0;
  std::span<const unsigned> data_ear_data;
  unsigned code_ranges = 0;
  unsigned data_ranges = 0;
  FinePage fine_page;
  std::array<std::string_view, 2> matchers;  ///< in names of events: the matcher of the even and of the odd channels
  unsigned buffer = 0;
  std::span<const unsigned> buffer_data;
  std::string_view buffer_name;
};

class Dispatch {
 protected:
  Dispatch(const RunInput& in, const UnitRegisters& units);
  ~Dispatch() = default;

  /// Executes the steps of a processor in order, up to the first that fails.
  template <class Steps>
  [[nodiscard]] Result<RunOutput> run_steps(std::span<Failed (Steps::*const)()> order) {
    for (const auto step : order)
      if (auto failed = (static_cast<Steps&>(*this).*step)()) return *std::move(failed);
    return out_;
  }

  // The common steps.
  [[nodiscard]] Failed checks();
  /// Adds the control register of each event.
  [[nodiscard]] Failed counters();
  [[nodiscard]] Failed instruction_ear();
  [[nodiscard]] Failed data_ear();
  /// Adds the code ranges and their control register.
  [[nodiscard]] Failed code();
  [[nodiscard]] Failed buffer();
  /// Fine mode: refuses a second range that is not the first once more, unless each range has its retired-instruction
  /// event. All other events follow channel 0, which has the first range alone. The last step: where libpfm refuses,
  /// too, the error is libpfm's.
  [[nodiscard]] Failed second_range();

  /// Adds the data ranges and their control register, PMC13 (Montecito: PMC41), which code ranges need, too. `even` and
  /// `odd`: an opcode matcher of these channels is used.
  [[nodiscard]] Failed add_data_ranges(bool even, bool odd);
  /// Adds a control register, and the PMDs to read after the run. Fails if the register is not available.
  [[nodiscard]] Failed add(unsigned number, std::uint64_t value, std::span<const unsigned> read_back = {});

  [[nodiscard]] bool retired_only() const { return retired_ == run_.events.size(); }
  /// Checks runs with retired-instruction events only: each used channel needs its own event.
  [[nodiscard]] Failed check_channels(const RangeRegisters& ranges) const;

  /// The PMC number of each event.
  [[nodiscard]] virtual Result<std::vector<unsigned>> place() const = 0;
  /// The bits of the control register of a counter that this processor has alone.
  [[nodiscard]] virtual std::uint64_t own_control(const CounterInput& event) const = 0;
  /// The debug registers for the code ranges of the run, in fine mode or not.
  [[nodiscard]] virtual Result<RangeRegisters> code_ranges(const std::vector<Interval>& intervals) = 0;
  /// The bits of the control register of an EAR that select the instruction set.
  [[nodiscard]] virtual std::uint64_t instruction_ear_set(std::uint32_t instruction_set) const = 0;
  [[nodiscard]] virtual std::uint64_t data_ear_set(std::uint32_t instruction_set) const = 0;

  RunOutput out_;
  bool fine_ = false;                   ///< code ranges are in fine mode
  std::size_t retired_ = 0;             ///< number of events with code 0x08 (retired instructions)
  std::uint32_t retired_channels_ = 0;  ///< a bit for each of their tag channels

 private:
  /// The configuration of an EAR: the user's, else that of the first event of the EAR; empty if there is neither.
  [[nodiscard]] std::optional<EarInput> ear_setup(bool data) const;

  const RunInput& run_;
  const UnitRegisters& units_;
};

}  // namespace pmusim::encoder::ia64
