// Directives. A pipeline asks when() one acts, lets it act, and does what the effect says.
#pragma once

#include <cstdint>

#include "models/core/alpha/memory_side.h"
#include "models/core/alpha/pal.h"
#include "models/core/alpha/translation.h"
#include "models/core/parts/directives.h"

namespace pmusim::core::alpha {

/// What must hold before a directive acts.
enum class When : std::uint8_t {
  at_once,  ///< when fetch comes to it
  at_rest,  ///< all older instructions have retired, no load is on its way
  quiet     ///< and nothing is under way in the memory side, write buffer included
};

/// What is left to the pipeline.
struct Effect {
  act::Trap flow = act::Trap::none;  ///< PALcode is entered for this, by no instruction
  Cycle pause = 0;                   ///< cycles without fetch
  bool clock_stops = false;          ///< in that pause
  bool drops_fetched = false;        ///< the pipeline's fetched instructions are fetched again
};

class Stimulus {
 public:
  Stimulus(Machine& machine, MemorySide& memory, Translation& translation, Modes& modes)
      : machine_(machine), memory_(memory), translation_(translation), modes_(modes) {}

  /// Throws CoreError for a directive that Alphas do not take. `ordinal`: of the instruction after it.
  [[nodiscard]] static When when(const trace::Directive& directive, std::uint64_t ordinal);
  Effect act(const trace::Directive& directive, std::uint64_t ordinal);
  /// Start of a cycle: pins and states that a directive set for some cycles change back.
  void begin_cycle();
  /// `pcb fen=`: false, floating-point instructions trap.
  [[nodiscard]] bool fp_enabled() const { return fp_enabled_; }
  /// A parity error waits in this line of the Icache; asking takes it.
  bool take_parity_error(std::uint64_t address);

 private:
  void pin(Operands& operands);
  void pcb(Operands& operands);
  void command(Operands& operands);

  Machine& machine_;
  MemorySide& memory_;
  Translation& translation_;
  Modes& modes_;
  bool fp_enabled_ = true;
  std::uint64_t pins_ = 0;
  struct PinEnd {
    Cycle at;
    unsigned pin;
    bool level;
  };
  std::vector<PinEnd> pin_ends_;
  Cycle idle_until_ = 0;
  std::vector<std::uint64_t> parity_;  ///< lines
};

}  // namespace pmusim::core::alpha
