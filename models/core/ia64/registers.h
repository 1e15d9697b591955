// When registers are ready: renaming by register stack and rotation, and what an instruction still waits for.
#pragma once

#include <array>

#include "models/core/ia64/machine.h"
#include "models/core/ia64/operation.h"

namespace pmusim::core::ia64 {

/// What an instruction waits for, and until when; a ready one has until = 0.
struct Wait {
  Cycle until = 0;
  unsigned cause = 0;  ///< act::cause::Execute
};

class Registers {
 public:
  explicit Registers(const Settings& settings) : settings_(settings) {}

  /// From now on registers are named under this frame, whose r32 is at `bottom` of the physical stack.
  void rename(const isa::Frame& frame, std::uint64_t bottom) {
    frame_ = frame;
    bottom_ = bottom;
  }
  /// The latest of the registers that the instruction needs (only its predicate if that is false).
  [[nodiscard]] Wait wait(const Operation& op, bool predicate) const;
  /// It executes in cycle `at`; results of a load are there in cycle `data`.
  void write(const Operation& op, Cycle at, Cycle data, bool cancelled);
  /// Physical register of the target, for the ALAT: general ones from 0, floating-point ones from 128.
  [[nodiscard]] std::uint32_t place(isa::Register r) const;
  void bank_switched(Cycle at) { banked_from_ = at; }

 private:
  static constexpr std::uint32_t general = 0, floating = 128, predicates = 256, branches = 320, application = 328,
                                 count = 457;

  struct Entry {
    Cycle written = 0;
    Cycle ready = 0;
    Producer producer = Producer::none;
    bool cancelled = false;  ///< a load that had to pass the memory pipe again
  };
  [[nodiscard]] Cycle ready(const Entry& e, const Operation& consumer, bool as_address) const;
  [[nodiscard]] unsigned cause(std::uint32_t place, const Entry& e) const;
  void consider(Wait& wait, std::uint32_t place, const Operation& op, bool as_address) const;
  [[nodiscard]] Cycle latency(const Operation& op, isa::Register r) const;

  const Settings& settings_;
  isa::Frame frame_;
  std::uint64_t bottom_ = 0;
  Cycle banked_from_ = 0;  ///< from when on r16-r31 are there after a bank switch
  std::array<Entry, count> entries_{};
};

}  // namespace pmusim::core::ia64
