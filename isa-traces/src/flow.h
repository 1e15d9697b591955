// Where an instruction can go, which its encoding tells: an outcome that it cannot have is no line of a trace.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>

#include "code_dictionary.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

enum class Goes : std::uint8_t {
  anywhere,   ///< to the next address or to another
  on,         ///< to the next address: no branch
  elsewhere,  ///< to another address: a branch without a condition
};
/// Of each slot of a bundle; of other instruction sets the first.
using Flow = std::array<Goes, 3>;

[[nodiscard]] Flow flow_of(Isa isa, const Code& code);

/// True if an instruction with this flow can have this outcome. A taken one has passed complaint_about_branch().
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
/// What is wrong with an outcome for which can_go() is false. An instruction that is not taken may be the last one: a
/// trace may end without saying where it goes, so this is about the line before.
[[nodiscard]] std::string complaint_about_outcome(Isa isa, const Instruction& instruction);

/// The flows of a trace's static instructions, found by address.
class Flows {
 public:
  explicit Flows(Isa isa) : isa_(isa) {}
  /// Valid until the next call.
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
