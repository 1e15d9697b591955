// The possible successors of an instruction according to its encoding. A trace with an impossible outcome is invalid.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>

#include "code_dictionary.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

enum class Goes : std::uint8_t {
  anywhere,   ///< the next address or another one
  on,         ///< the next address only: not a branch
  elsewhere,  ///< another address only: an unconditional branch
};
/// The flow of each slot of a bundle. For other instruction sets the first entry is the flow of the instruction.
using Flow = std::array<Goes, 3>;

[[nodiscard]] Flow flow_of(Isa isa, const Code& code);

/// True if an instruction with this flow can have this outcome. Taken branches must have passed
/// complaint_about_branch().
[[nodiscard]] inline bool can_go(Isa isa, const Flow& flow, const Instruction& instruction) {
  if (isa != Isa::ia64) return flow[0] != (instruction.taken ? Goes::on : Goes::elsewhere);
  unsigned last = 3;
  for (unsigned slot = 0; slot < 3; ++slot) {
    if (instruction.mask[slot] == 'x') last = slot;
  }
  const unsigned leaves = instruction.taken ? last : 3;
  if (leaves < 3 && flow[leaves] == Goes::on) return false;
  for (unsigned slot = 0; slot < 3; ++slot) {
    if (flow[slot] == Goes::elsewhere && instruction.mask[slot] != '-' && slot != leaves) return false;
  }
  return true;
}
/// The error message for an outcome for which can_go() is false. The last line of a trace may have an unconditional
/// branch that is not taken; therefore the message is issued at the next line and refers to the line before.
[[nodiscard]] std::string complaint_about_outcome(Isa isa, const Instruction& instruction);

/// The flows of a trace's static instructions, found by address.
class Flows {
 public:
  explicit Flows(Isa isa) : isa_(isa) {}
  /// The flow of an instruction, valid until the next call.
  const Flow& of(const Code& code);

 private:
  struct Known {
    Code code;
    Flow flow;
  };
  Isa isa_;
  PcMap places_;
  std::deque<Known> known_;
};

}  // namespace pmusim::trace
