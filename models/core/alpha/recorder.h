// Records of Alpha instructions with their second halves, and the recorder that notes both halves at the same place of
// a block.
#pragma once

#include <cstdint>

#include "models/core/parts/selective_recorder.h"

namespace pmusim::core::alpha {

namespace act = activity::alpha;

/// One dynamic instruction: its record and the Alpha half of it.
struct Instruction : NamedInstruction {
  act::Instruction more;
};

/// A recorder that notes both halves of an instruction record at the same place of the block.
class Log : public SelectiveRecorder {
 public:
  void open(Block& block, Cycle now) {
    target_ = &block;
    Recorder::open(block, now);
  }
  using SelectiveRecorder::occur;
  void occur(Signal signal, Instruction& instruction, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (!subscribes_to(signal)) return;
    if (!names(signal, instruction)) {
      occur(signal, detail, amount);
      return;
    }
    Recorder::occur(signal, static_cast<NamedInstruction&>(instruction), detail, amount);
    note(instruction);
  }
  /// The first occurrence of a new instruction. `describe` fills in both halves of a record: the instruction's, then
  /// the block's.
  template <class Describe>
  void occur_first(Signal signal, Instruction& instruction, Describe describe) {
    describe(instruction.record, instruction.more);
    if (!names(signal, instruction)) {
      instruction.block = 0;
      occur(signal);
      return;
    }
    InstructionRecord& record = name_new(instruction);
    describe(record, target_->alpha_instructions.emplace_back());
    occur_of(instruction.index, signal);
  }
  /// An occurrence of an instruction of which nothing has changed since the last one but what `change` does to both
  /// halves of a record.
  template <class Change>
  void occur_changed(Signal signal, Instruction& instruction, std::uint16_t detail, Change change) {
    change(instruction.record, instruction.more);
    if (!is_named(instruction)) {
      occur(signal, instruction, detail);
      return;
    }
    change(target_->instructions[instruction.index], target_->alpha_instructions[instruction.index]);
    occur_of(instruction.index, signal, detail);
  }
  /// An occurrence of an instruction of which nothing has changed since the last one.
  void occur_unchanged(Signal signal, Instruction& instruction) {
    if (is_named(instruction)) {
      occur_of(instruction.index, signal);
    } else {
      occur(signal, instruction);
    }
  }
  void access(Instruction& instruction, const trace::RegisterUse& use) {
    Recorder::access(instruction, use);
    note(instruction);
  }

 private:
  [[nodiscard]] bool names(Signal signal, const Instruction& instruction) const {
    return SelectiveRecorder::names(signal) || (instruction.more.kinds & subscription().alpha_kinds) != 0;
  }
  void note(const Instruction& instruction) {
    auto& table = target_->alpha_instructions;
    if (instruction.index == table.size()) {
      table.push_back(instruction.more);
    } else {
      table[instruction.index] = instruction.more;
    }
  }
  Block* target_ = nullptr;
};

}  // namespace pmusim::core::alpha
