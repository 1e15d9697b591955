// Records of IA-64 instructions and requests, each in two halves. The owner keeps a record as long as it may still
// change, and the recorder writes both halves at the same index of a block.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/core/parts/recorder.h"
#include "models/core/parts/renew.h"

namespace pmusim::core::ia64 {

namespace act = activity::ia64;

/// One dynamic instruction. Lives as long as it is held.
struct Instruction : NamedInstruction {
  act::Syllable syllable;
  const Instruction* model = nullptr;  ///< what it began as
  Instruction* next_free = nullptr;    ///< of the pool
  unsigned holds = 0;
  // Bits of `changed`: what has changed since the record was last copied to a block. The code that makes the change
  // sets the bit.
  static constexpr std::uint8_t window = 1;    ///< where it stands in the dispersal window
  static constexpr std::uint8_t outcome = 2;   ///< predicate, branch outcome
  static constexpr std::uint8_t anything = 4;  ///< anything
  std::uint8_t changed = window;
};

/// One request to the memory side. Lives as long as it is held; holds its instruction.
struct Access : NamedRequest {
  act::Request more;
  Instruction* owner = nullptr;
  act::Served served = act::Served::unknown;  ///< value of more.served once the data has arrived
  bool non_temporal = false;                  ///< its instruction says so
  Access* next_free = nullptr;                ///< of the pool
  bool dropped = false;                       ///< cancelled before its data arrived
  bool changed = true;                        ///< since it was last copied to a block
  unsigned holds = 0;
};

/// Objects that are used again; their addresses never change.
template <class T>
class Pool {
 public:
  /// A fresh one, held once.
  T& take() {
    T& object = next();
    renew(object).holds = 1;
    return object;
  }
  /// One that begins as `model`, which is held once.
  T& take(const T& model) { return next() = model; }
  void give(T& object) {
    object.next_free = free_;
    free_ = &object;
  }

 private:
  T& next() {
    if (free_ == nullptr) return *all_.emplace_back(std::make_unique<T>());
    T& object = *free_;
    free_ = object.next_free;
    return object;
  }
  std::vector<std::unique_ptr<T>> all_;
  T* free_ = nullptr;
};

class Ia64Recorder : public SelectiveRecorder {
 public:
  void subscribe(const activity::Subscription& subscription) {
    SelectiveRecorder::subscribe(subscription);
    reads_each_ = subscription.each_retired || subscription.has(Signal::dispatch) ||
                  subscription.has(Signal::syllable_held) || subscription.has(Signal::kill);
    reads_loads_ = subscription.has(Signal::data_reference) || subscription.has(Signal::dcache_lookup) ||
                   subscription.has(Signal::access_retire);
  }
  /// True if a subscriber reads instructions of one of these kinds individually, at retirement or before.
  [[nodiscard]] bool reads(std::uint32_t kinds) const { return reads_each_ || (kinds & subscription().retired) != 0; }
  /// True if a subscriber reads loads that hit L1D.
  [[nodiscard]] bool reads_loads() const { return reads_loads_; }
  /// A request without a subscriber: those after it are numbered as if it had a record.
  void pass_request() { ++requests_; }
  /// An instruction of these kinds retires; `nops` is 1 for a nop with a true predicate. Instructions that no
  /// subscriber reads individually are counted, and recorded by tell_retired().
  void retire(Instruction& instruction, std::uint32_t kinds, unsigned nops) {
    if (subscription().each_retired || (kinds & subscription().retired) != 0) return occur(Signal::retire, instruction);
    if (!tells_nops()) nops = 0;
    retire_unnamed(1 - nops, nops);
  }
  /// True if nops with a true predicate are counted apart.
  [[nodiscard]] bool tells_nops() const { return subscription().executed_nops; }
  /// The same for instructions without records, and for nops with a true predicate, if they are counted apart.
  void retire_unnamed(unsigned others, unsigned nops) {
    retired_unnamed_ += others;
    retired_nops_ += nops;
  }
  /// Ends the retirement of a cycle: records the number of retired instructions that no subscriber reads individually.
  void tell_retired() {
    if ((retired_unnamed_ | retired_nops_) == 0) return;
    if (subscribes_to(Signal::retire)) {
      if (retired_unnamed_ != 0) occur(Signal::retire, 0, static_cast<std::uint16_t>(retired_unnamed_));
      if (retired_nops_ != 0) occur(Signal::retire, nops_, 0, static_cast<std::uint16_t>(retired_nops_));
    }
    retired_unnamed_ = retired_nops_ = 0;
  }

  using SelectiveRecorder::occur;
  void occur(Signal signal, Instruction& instruction, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (!subscribes_to(signal)) return;
    if (names(signal)) {
      Recorder::occur_of(refer(instruction), signal, detail, amount);
    } else {
      Recorder::occur(signal, detail, amount);
    }
  }
  void occur(Signal signal, Access& access, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (!subscribes_to(signal)) return;
    if (names(signal)) {
      record(signal, access, detail, amount);
    } else {
      Recorder::occur(signal, detail, amount);
    }
  }
  /// The data of the request is there.
  void serve(Signal signal, Access& access, Cycle at) {
    access.changed = true;
    occur(signal, access);
    access.more.served = access.served;
    access.record.end = at;
    if (!subscribes_to(signal) || !names(signal)) return;
    block().ia64_requests[access.index].served = access.served;
    block().requests[access.index].end = at;
  }
  /// A request without a requester that has no further occurrence. `describe` fills in both halves of its record.
  template <class Describe>
  void occur_once(Signal signal, std::uint16_t detail, Describe describe) {
    if (!names(signal)) {
      pass_request();
      occur(signal, detail);
      return;
    }
    const auto place = static_cast<std::uint32_t>(block().requests.size());
    RequestRecord& record = block().requests.emplace_back();
    record.id = ++requests_;
    record.thread = static_cast<std::uint8_t>(get(State::thread));
    describe(record, block().ia64_requests.emplace_back());
    Recorder::occur_of(place, signal, detail);
  }
  void access(Instruction& instruction, const trace::RegisterUse& use) {
    Recorder::access(instruction, use);
    put(block().syllables, instruction.index, instruction.syllable);
    instruction.changed = 0;
  }

  Instruction& new_instruction(const Instruction& model) { return instructions_.take(model); }
  /// A request, of an instruction or without a requester.
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
  [[gnu::noinline]] void record(Signal signal, Access& access, std::uint16_t detail, std::uint16_t amount) {
    const std::uint32_t owner = access.owner != nullptr ? refer(*access.owner) : activity::no_ref;
    if (access.changed || !is_named(access)) {
      mention(access);
      // The place of the owner is written after the copy: copying a field right after it was written is slow.
      put(block().ia64_requests, access.index, access.more);
      block().ia64_requests[access.index].owner = owner;
      access.changed = false;
    }
    Recorder::occur_of(access.index, signal, detail, amount);
  }
  /// Index of the instruction in the block, whose copy of the record is current after the call.
  std::uint32_t refer(Instruction& instruction) {
    if (!is_named(instruction)) {
      name(instruction);
    } else if (instruction.changed != 0) {
      update(instruction);
    }
    instruction.changed = 0;
    return instruction.index;
  }
  void name(Instruction& instruction) {
    if (instruction.block != 0 || instruction.changed != Instruction::window) {
      block().syllables.push_back(instruction.syllable);
      mention(instruction);
      return;
    }
    // A new instruction: only the fields written by fetch and dispersal differ from its model.
    const InstructionRecord& from = instruction.record;
    const Instruction& model = *instruction.model;
    InstructionRecord& record = name_new(instruction, model.record);
    record.id = from.id;
    record.ip = from.ip;
    record.tagged = from.tagged;
    record.thread = from.thread;
    if (from.wrong_path) record.wrong_path = true;
    if (from.predicted_taken) record.predicted_taken = true;
    act::Syllable& syllable = block().syllables.emplace_back(model.syllable);
    syllable.window = instruction.syllable.window;
    syllable.second_bundle = instruction.syllable.second_bundle;
  }
  /// Copies the changed fields to the record in the block.
  void update(const Instruction& instruction) {
    act::Syllable& syllable = block().syllables[instruction.index];
    InstructionRecord& record = block().instructions[instruction.index];
    if ((instruction.changed & Instruction::anything) != 0) {
      record = instruction.record;
      syllable = instruction.syllable;
      return;
    }
    if ((instruction.changed & Instruction::window) != 0) {
      syllable.window = instruction.syllable.window;
      syllable.second_bundle = instruction.syllable.second_bundle;
    }
    if ((instruction.changed & Instruction::outcome) != 0) {
      syllable.predicate = instruction.syllable.predicate;
      record.taken = instruction.record.taken;
      record.next_ip = instruction.record.next_ip;
    }
  }
  Instruction nops_ = [] {
    Instruction sum;
    sum.syllable.kinds = act::bit(act::Kind::nop);
    sum.changed = Instruction::anything;
    return sum;
  }();
  bool reads_each_ = true, reads_loads_ = true;
  unsigned retired_unnamed_ = 0, retired_nops_ = 0;  ///< in this cycle
  Pool<Instruction> instructions_;
  Pool<Access> accesses_;
  std::uint64_t requests_ = 0;
};

}  // namespace pmusim::core::ia64
