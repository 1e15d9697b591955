// Records of IA-64 instructions and requests with their second halves, kept by their owners while something may
// still be said of them, and the recorder that notes both halves at the same place of a block.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/core/parts/recorder.h"
#include "models/core/parts/renew.h"

namespace pmusim::core::ia64 {

namespace act = activity::ia64;

/// One dynamic instruction. Lives until nobody holds it.
struct Instruction : NamedInstruction {
  act::Syllable syllable;
  unsigned holds = 0;
  bool changed = true;  ///< since a block took it over last; whoever changes it says so
};

/// One request to the memory side. Lives until nobody holds it; holds its instruction.
struct Access : NamedRequest {
  act::Request more;
  Instruction* owner = nullptr;
  act::Served served = act::Served::unknown;  ///< what more.served becomes when the data is there
  bool non_temporal = false;                  ///< its instruction says so
  bool dropped = false;                       ///< called off before its data came: it will not come
  unsigned holds = 0;
};

/// Objects that are used again; their addresses never change.
template <class T>
class Pool {
 public:
  /// A fresh one, held once.
  T& take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<T>());
      free_.push_back(all_.back().get());
    }
    T& object = *free_.back();
    free_.pop_back();
    renew(object).holds = 1;
    return object;
  }
  /// One that begins as `model`, which is held once.
  T& take(const T& model) {
    if (free_.empty()) return *all_.emplace_back(std::make_unique<T>(model));
    T& object = *free_.back();
    free_.pop_back();
    object = model;
    return object;
  }
  void give(T& object) { free_.push_back(&object); }

 private:
  std::vector<std::unique_ptr<T>> all_;
  std::vector<T*> free_;
};

class Log : public Recorder {
 public:
  void open(Block& block, Cycle now) {
    target_ = &block;
    Recorder::open(block, now);
  }
  using Recorder::occur;
  void occur(Signal signal, Instruction& instruction, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    occur_of(refer(instruction), signal, detail, amount);
  }
  void occur(Signal signal, Access& access, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (access.owner != nullptr) access.more.owner = refer(*access.owner);
    Recorder::occur(signal, static_cast<NamedRequest&>(access), detail, amount);
    put(target_->ia64_requests, access.index, access.more);
  }
  void access(Instruction& instruction, const trace::RegisterUse& use) {
    Recorder::access(instruction, use);
    note(instruction);
    instruction.changed = false;
  }

  Instruction& new_instruction(const Instruction& model) { return instructions_.take(model); }
  /// A request of an instruction, or of nobody.
  Access& new_access(Instruction* owner, act::Requester requester, std::uint64_t address, std::uint32_t size) {
    Access& access = accesses_.take();
    access.record.id = ++requests_;
    access.record.address = address;
    access.record.size = size;
    access.more.requester = requester;
    access.owner = owner;
    access.record.thread = static_cast<std::uint8_t>(get(State::thread));
    if (owner == nullptr) return access;
    ++owner->holds;
    access.record.has_instruction = true;
    access.record.instruction = owner->record.id;
    access.record.ip = owner->record.ip;
    access.record.wrong_path = owner->record.wrong_path;
    access.record.thread = owner->record.thread;
    return access;
  }
  void drop(Instruction& instruction) {
    if (--instruction.holds == 0) instructions_.give(instruction);
  }
  void drop(Access& access) {
    if (--access.holds != 0) return;
    if (access.owner != nullptr) drop(*access.owner);
    accesses_.give(access);
  }

 private:
  template <class Half>
  static void put(std::vector<Half>& table, std::uint32_t index, const Half& half) {
    if (index == table.size()) {
      table.push_back(half);
    } else {
      table[index] = half;
    }
  }
  /// Place of the instruction in the block, which has it as it is now.
  std::uint32_t refer(Instruction& instruction) {
    if (!is_named(instruction)) {
      target_->syllables.push_back(instruction.syllable);
      mention(instruction);
    } else if (instruction.changed) {
      mention(instruction);
      target_->syllables[instruction.index] = instruction.syllable;
    }
    instruction.changed = false;
    return instruction.index;
  }
  void note(const Instruction& instruction) { put(target_->syllables, instruction.index, instruction.syllable); }

  Block* target_ = nullptr;
  Pool<Instruction> instructions_;
  Pool<Access> accesses_;
  std::uint64_t requests_ = 0;
};

}  // namespace pmusim::core::ia64
