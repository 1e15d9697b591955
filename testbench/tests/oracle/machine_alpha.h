// Hand-made activity of an Alpha core.
#pragma once

#include <initializer_list>

#include "machine.h"

namespace pmusim::oracle::script {

namespace alp = activity::alpha;

/// An instruction and its Alpha part.
struct AlphaInsn {
  InstructionRecord record;
  alp::Instruction alpha;
};
inline AlphaInsn alpha_insn(std::initializer_list<alp::Kind> kinds) {
  AlphaInsn made;
  for (const alp::Kind kind : kinds) made.alpha.kinds |= alp::bit(kind);
  return made;
}

/// A script in which the issue of instructions never stalls.
class AlphaMachine : public Script {
 public:
  using Script::happen;
  using Script::Script;
  std::uint32_t add(const AlphaInsn& made) {
    block.instructions.push_back(made.record);
    block.alpha_instructions.push_back(made.alpha);
    return static_cast<std::uint32_t>(block.instructions.size() - 1);
  }
  void put(Signal s, Cycle at, const AlphaInsn& made, unsigned detail = 0) {
    happen(s, at, static_cast<std::uint16_t>(detail), 1, add(made));
  }
  void stall(Cycle from, Cycle cycles, alp::IssueStall cause) {
    state(State::issue_stall, from, static_cast<std::uint64_t>(cause));
    state(State::issue_stall, from + cycles, 0);
  }
};

inline Request row_of(const std::string& name) {
  Request request;
  request.event = name;
  return request;
}

}  // namespace pmusim::oracle::script
