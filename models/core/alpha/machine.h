// What all units of an Alpha core share: settings, clock, the recorder with the Alpha part of instruction records.
#pragma once

#include <cstdint>

#include "models/core/alpha/settings.h"
#include "models/core/parts/agenda.h"
#include "models/core/parts/memory_map.h"
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

struct Machine {
  Machine(Chip chip, const models::Parameters& parameters) : settings(chip, parameters) {}
  const Settings settings;
  Log recorder;
  Agenda agenda;
  MemoryMap map{page_bytes};
  std::uint64_t requests = 0;
  std::uint64_t own_instructions = 0;  ///< instructions that are not the trace's: PALcode flows, wrong path, handler

  /// An id for an instruction that is not the trace's.
  std::uint64_t own_id() { return (std::uint64_t{1} << 63) | ++own_instructions; }
  NamedRequest new_request(std::uint64_t address, std::uint32_t size) {
    NamedRequest request;
    request.record.id = ++requests;
    request.record.address = address;
    request.record.size = size;
    request.record.start = agenda.now();
    return request;
  }
  /// A request of an instruction.
  NamedRequest new_request(const Instruction& owner, std::uint64_t address, std::uint32_t size, bool store) {
    NamedRequest request = new_request(address, size);
    request.record.has_instruction = true;
    request.record.instruction = owner.record.id;
    request.record.ip = owner.record.ip;
    request.record.wrong_path = owner.record.wrong_path;
    request.record.store = store;
    return request;
  }
};

}  // namespace pmusim::core::alpha
