// CALL_PAL WRPERFMON: the register accesses by which PALcode implements its functions on each chip. Alpha Architecture
// Handbook version 4, appendix E; Digital's EV5 PALcode; Tru64 UNIX sys/pfcntr.h.
//
// It acts on one processor. Between calls it keeps the values that PALcode keeps in memory: the periods that function 4
// of the 21164 stores, and the last value of a register that cannot be read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// Chips whose PALcode differs.
enum class AlphaChip : std::uint8_t { ev4, ev5, pca56, ev6, ev67 };
/// The chip that a monitor models; empty if it does not model an Alpha.
[[nodiscard]] std::optional<AlphaChip> alpha_chip(const Monitor& monitor);

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

}  // namespace pmusim::pmu
