// Shared parts of all units of an Alpha core: settings, recorder, clock and agenda, memory map.
#pragma once

#include <cstdint>

#include "models/core/alpha/settings.h"
#include "models/core/parts/agenda.h"
#include "models/core/parts/recorder.h"
#include "models/core/parts/tlb.h"

namespace pmusim::core::alpha {

// Records of Alpha instructions with their Alpha-specific part, and the recorder that writes both parts at the same
// index of a block.

namespace act = activity::alpha;

/// One dynamic instruction: its record and the Alpha-specific part of the record.
struct Instruction : NamedInstruction {
  act::Instruction more;
};

/// A recorder that writes both parts of an instruction record at the same index of the block.
class AlphaRecorder : public SelectiveRecorder {
 public:
  void subscribe(const activity::Subscription& subscription) {
    SelectiveRecorder::subscribe(subscription);
    reads_each_ = SelectiveRecorder::names(Signal::issue) || SelectiveRecorder::names(Signal::branch_resolved) ||
                  SelectiveRecorder::names(Signal::retire);
    names_signals_ = subscription.named.any();
  }
  /// True if some occurrence of an instruction of these kinds names its record.
  [[nodiscard]] bool names_some(std::uint32_t kinds) const {
    return names_signals_ || (kinds & subscription().alpha_kinds) != 0;
  }
  /// True if an occurrence of this signal names the record of an instruction of these kinds.
  [[nodiscard]] bool names(Signal signal, std::uint32_t kinds) const {
    return SelectiveRecorder::names(signal) || (kinds & subscription().alpha_kinds) != 0;
  }
  using SelectiveRecorder::names;
  using SelectiveRecorder::occur;
  void occur(Signal signal, Instruction& instruction, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (!subscribes_to(signal)) return;
    if (!names(signal, instruction.more.kinds)) {
      occur(signal, detail, amount);
      return;
    }
    Recorder::occur(signal, static_cast<NamedInstruction&>(instruction), detail, amount);
    put(block().alpha_instructions, instruction.index, instruction.more);
  }
  /// The first occurrence of a new instruction. `describe` fills in both parts of a record: first of the instruction,
  /// then of the block.
  template <class Describe>
  void occur_first(Signal signal, Instruction& instruction, Describe describe) {
    describe(instruction.record, instruction.more);
    if (!names(signal, instruction.more.kinds)) {
      instruction.block = 0;
      occur(signal);
      return;
    }
    InstructionRecord& record = name_new(instruction);
    describe(record, block().alpha_instructions.emplace_back());
    occur_of(instruction.index, signal);
  }
  /// An occurrence of an instruction whose record has changed since the last occurrence only by `change`, which is
  /// applied to both parts.
  template <class Change>
  void occur_changed(Signal signal, Instruction& instruction, std::uint16_t detail, Change change) {
    change(instruction.record, instruction.more);
    if (!is_named(instruction)) {
      occur(signal, instruction, detail);
      return;
    }
    change(block().instructions[instruction.index], block().alpha_instructions[instruction.index]);
    occur_of(instruction.index, signal, detail);
  }
  /// An occurrence of an instruction whose record has not changed since the last occurrence.
  void occur_unchanged(Signal signal, Instruction& instruction) {
    if (is_named(instruction)) {
      occur_of(instruction.index, signal);
    } else {
      occur(signal, instruction);
    }
  }
  /// Whether the record of an instruction of these kinds is read that only issues, resolves as a branch, and retires.
  [[nodiscard]] bool reads(std::uint32_t kinds) const {
    return reads_each_ || (kinds & subscription().alpha_kinds) != 0;
  }
  void access(Instruction& instruction, const trace::RegisterUse& use) {
    Recorder::access(instruction, use);
    put(block().alpha_instructions, instruction.index, instruction.more);
  }

 private:
  bool reads_each_ = true;
  bool names_signals_ = true;
};

struct Machine {
  Machine(Chip chip, const models::Parameters& parameters) : settings(chip, parameters) {}
  const Settings settings;
  AlphaRecorder recorder;
  Agenda agenda;
  MemoryMap map{page_bytes};
  std::uint64_t requests = 0;
  std::uint64_t own_instructions = 0;  ///< instructions that are not in the trace: PALcode flows, wrong path, handler

  /// An id for an instruction that is not in the trace.
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
