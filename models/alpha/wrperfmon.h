// CALL_PAL WRPERFMON: the register accesses by which PALcode implements its functions on each chip. Alpha Architecture
// Handbook version 4, appendix E; Digital's EV5 PALcode; Tru64 UNIX sys/pfcntr.h.
//
// It acts on one processor. Between calls it keeps the values that PALcode keeps in memory: the periods that function 4
// of the 21164 stores, and the last value of a register that cannot be read.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "models/alpha/alpha.h"

namespace pmusim::pmu {

/// PALcode's part of the performance counters of one processor.
class Wrperfmon {
 public:
  /// Access to the registers: read() and write() of a monitor, or a bus with a monitor attached.
  struct Registers {
    /// Returns the value of a register.
    std::function<std::uint64_t(RegisterId)> read;
    /// Sets a register.
    std::function<void(RegisterId, std::uint64_t)> write;
  };
  /// Results: 1 for success; 0 for an unknown function or argument, in which case nothing changes. Functions that read
  /// return the register.
  static constexpr std::uint64_t success = 1;  ///< R0: done
  static constexpr std::uint64_t failure = 0;  ///< R0: unknown function or argument

  /// Accesses the registers through `registers`.
  Wrperfmon(AlphaChip chip, Registers registers) : chip_(chip), registers_(std::move(registers)) {}
  /// Accesses the registers of a monitor, which must outlive this object.
  Wrperfmon(AlphaChip chip, Monitor& monitor);

  /// Executes a call with the function code in R16 and the argument in R17. Returns R0.
  std::uint64_t operator()(std::uint64_t function, std::uint64_t argument);

 private:
  std::uint64_t on_ev4(std::uint64_t function, std::uint64_t argument);
  std::uint64_t on_ev5(std::uint64_t function, std::uint64_t argument);
  std::uint64_t on_ev6(std::uint64_t function, std::uint64_t argument);
  void enable_ev5(std::uint64_t counters, bool clear);
  void select_ev5(std::uint64_t argument);
  void options_ev5(std::uint64_t argument);
  void enable_ev6(std::uint64_t counters, bool on);
  void write_ev6(std::uint64_t argument);
  [[nodiscard]] std::uint64_t read(std::uint32_t ipr) const { return registers_.read({Space::ipr, ipr}); }
  void write(std::uint32_t ipr, std::uint64_t value) const { registers_.write({Space::ipr, ipr}, value); }

  AlphaChip chip_;
  Registers registers_;
  std::uint64_t periods_[3] = {};  ///< 21164: CTL values for the next enable
  std::uint64_t second_ = 0;       ///< 21164: BC_CTL or CBU_CONFIG
};

/// A counter of an Alpha as software sees it. Fields: sys/pfcntr.h (ICCSR), Digital's EV5 PALcode (PMCTR), 21264/EV67
/// manual chapter 5 (PCTR_CTL).
using AlphaCounter = FirmwareCounter;

/// The counters of the 21064, which software cannot read.
inline constexpr std::array<AlphaCounter, 2> ev4_counters{{{"CTR0", 0, "", 0, 16}, {"CTR1", 1, "", 0, 12}}};
/// The counters of the 21164 and 21164PC, in PMCTR.
inline constexpr std::array<AlphaCounter, 3> ev5_counters{
    {{"CTR0", 0, "PMCTR", 48, 16}, {"CTR1", 1, "PMCTR", 32, 16}, {"CTR2", 2, "PMCTR", 16, 14}}};
/// The counters of the 21264 and 21264A, in PCTR_CTL.
inline constexpr std::array<AlphaCounter, 2> ev6_counters{
    {{"PCTR0", 0, "PCTR_CTL", 28, 20}, {"PCTR1", 1, "PCTR_CTL", 6, 20}}};
/// The counters of a chip, in the order of their numbers.
[[nodiscard]] constexpr std::span<const AlphaCounter> alpha_counters(AlphaChip chip) {
  switch (chip) {
    case AlphaChip::ev4:
      return ev4_counters;
    case AlphaChip::ev5:
    case AlphaChip::pca56:
      return ev5_counters;
    default:
      return ev6_counters;
  }
}

/// The least number of events from a write of a counter to its overflow (21264/EV67 manual 6.10.2).
[[nodiscard]] std::uint64_t least_period(AlphaChip chip, const AlphaCounter& counter);
/// Start value of a counter that has counted `since` events after its overflow, for the next overflow to be `period`
/// events after that one. If `since` exceeds a period, the samples in between are lost, and the next sample keeps its
/// position.
[[nodiscard]] std::uint64_t start_value(const AlphaCounter& counter, std::uint64_t since, std::uint64_t period);
/// The argument of function 6 of WRPERFMON that writes one counter and leaves the others unchanged; `image` is the
/// value that function 5 reads.
[[nodiscard]] std::uint64_t write_argument(AlphaChip chip, const AlphaCounter& counter, std::uint64_t image,
                                           std::uint64_t value);

}  // namespace pmusim::pmu
