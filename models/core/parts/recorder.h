// Writes activity blocks by the rules of models/activity/activity.h for all cores: a record is named once per block, a
// state changes only where its value does, and the activity does not depend on block boundaries.
#pragma once

#include <array>
#include <cstdint>

#include "models/activity/activity.h"
#include "models/activity/subscription.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::core {

using activity::Block;
using activity::Cycle;
using activity::InstructionRecord;
using activity::RequestRecord;
using activity::Signal;
using activity::State;

/// A record that its owner keeps while the instruction or request is alive, with its place in the block being filled.
/// Assigning a new one makes it a new record.
template <class Record>
struct Named {
  Record record;
  std::uint64_t block = 0;  ///< serial number of the block that last named it; 0: none
  std::uint32_t index = 0;  ///< its place there
};
using NamedInstruction = Named<InstructionRecord>;
using NamedRequest = Named<RequestRecord>;

/// Use: open(); then begin_cycle() and the other calls for each cycle in which something happens; then close().
class Recorder {
 public:
  /// Longest block: offsets are 32 bits wide.
  static constexpr Cycle longest_block = 0xffff'ffff;

  /// Starts to fill `block`, which must have been restarted at `now`. Its initial states are set here.
  void open(Block& block, Cycle now);
  /// The following calls are for cycle `now`, which must not be before the cycle of the last call.
  void begin_cycle(Cycle now) {
    if (has_next_ && now >= next_cycle_) apply_next();
    offset_ = static_cast<std::uint32_t>(now - block_->begin);
  }
  /// Ends the block: it holds the cycles up to, not including, `end`.
  void close(Cycle end);

  /// An occurrence that names nothing.
  void occur(Signal signal, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    append(signal, activity::no_ref, detail, amount);
  }
  /// An occurrence that names an instruction or a request; the block receives the record with its present values.
  template <class Record>
  void occur(Signal signal, Named<Record>& named, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    append(signal, mention(named), detail, amount);
  }
  /// Writes the record to the block without an occurrence. Returns its place, for occur_of() or for another record that
  /// refers to it.
  template <class Record>
  std::uint32_t mention(Named<Record>& named) {
    std::vector<Record>& table = table_of(named);
    if (named.block != serial_) {
      named.block = serial_;
      named.index = static_cast<std::uint32_t>(table.size());
      table.push_back(named.record);
    } else {
      table[named.index] = named.record;
    }
    return named.index;
  }
  /// Whether the block names the record.
  template <class Record>
  [[nodiscard]] bool is_named(const Named<Record>& named) const {
    return named.block == serial_;
  }
  /// Names a new record. The block's copy has default values or those of `begins_as`; the caller then sets the other
  /// fields in the block, because a record is slow to copy right after its fields were written one by one.
  template <class... Record>
  InstructionRecord& name_new(NamedInstruction& instruction, const Record&... begins_as) {
    instruction.block = serial_;
    instruction.index = static_cast<std::uint32_t>(block_->instructions.size());
    return block_->instructions.emplace_back(begins_as...);
  }
  /// The same for a record that has not changed since it was last named.
  std::uint32_t place_of(NamedInstruction& instruction) {
    return instruction.block == serial_ ? instruction.index : mention(instruction);
  }
  /// Changes the record and names it. If the block names it already, that copy must have the values from before the
  /// change; only the change is then applied.
  template <class Change>
  std::uint32_t revise(NamedInstruction& instruction, Change change) {
    change(instruction.record);
    if (instruction.block != serial_) return mention(instruction);
    change(block_->instructions[instruction.index]);
    return instruction.index;
  }
  /// An occurrence of a record at a place returned by one of these functions in this block.
  void occur_of(std::uint32_t place, Signal signal, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    append(signal, place, detail, amount);
  }
  /// The instruction accesses a PMU register: writes the access and its Signal::register_access.
  void access(NamedInstruction& instruction, const trace::RegisterUse& use);

  /// The state has this value from the cycle of begin_cycle() on. The last call of a cycle holds.
  void set(State state, std::uint64_t value) {
    if (current_[static_cast<std::size_t>(state)] != value) change(state, value, offset_);
  }
  /// The state has this value from the following cycle on, regardless of later set() calls in this cycle.
  void set_next(State state, std::uint64_t value);
  /// The present value, without a value announced by set_next().
  [[nodiscard]] std::uint64_t get(State state) const { return current_[static_cast<std::size_t>(state)]; }

 protected:
  [[nodiscard]] Block& block() { return *block_; }
  /// Writes a family's half of a record to its place in a block: a new one goes to the end.
  template <class Half>
  static void put(std::vector<Half>& table, std::uint32_t index, const Half& half) {
    if (index == table.size()) {
      table.push_back(half);
    } else {
      table[index] = half;
    }
  }

 private:
  std::vector<InstructionRecord>& table_of(const NamedInstruction&) { return block_->instructions; }
  std::vector<RequestRecord>& table_of(const NamedRequest&) { return block_->requests; }
  void append(Signal signal, std::uint32_t ref, std::uint16_t detail, std::uint16_t amount) {
    block_->columns[static_cast<std::size_t>(signal)].push_back({offset_, ref, amount, detail});
  }
  void change(State state, std::uint64_t value, std::uint32_t offset);
  void apply_next();

  Block* block_ = nullptr;
  std::uint64_t serial_ = 0;
  std::uint32_t offset_ = 0;
  std::array<std::uint64_t, activity::state_count> current_{};
  // announced by set_next()
  bool has_next_ = false;
  Cycle next_cycle_ = 0;
  std::array<bool, activity::state_count> next_set_{};
  std::array<std::uint64_t, activity::state_count> next_value_{};
};

// A recorder that leaves out activity without a subscriber.

class SelectiveRecorder : public Recorder {
 public:
  /// Replaces the set of subscriptions.
  void subscribe(const activity::Subscription& subscription) { subscription_ = subscription; }
  [[nodiscard]] bool subscribes_to(Signal signal) const { return subscription_.has(signal); }
  [[nodiscard]] bool subscribes_to(State state) const { return subscription_.has(state); }
  /// For a state that is set anew in every cycle and that the core itself does not read.
  void show(State state, std::uint64_t value) {
    if (subscribes_to(state)) set(state, value);
  }
  /// True if a subscriber reads the records that its occurrences name.
  [[nodiscard]] bool names(Signal signal) const { return subscription_.has_named(signal); }

  void occur(Signal signal, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (subscribes_to(signal)) Recorder::occur(signal, detail, amount);
  }
  template <class Record>
  void occur(Signal signal, Named<Record>& named, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (subscribes_to(signal)) occur_subscribed(signal, named, detail, amount);
  }
  void occur_of(std::uint32_t place, Signal signal, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (subscribes_to(signal)) Recorder::occur_of(place, signal, detail, amount);
  }
  /// Changes the record, and mentions it if occurrences of one of these signals have to name it. Returns its place, for
  /// occur_of().
  template <class Change, class... Signals>
  std::uint32_t revise_for(NamedInstruction& instruction, Change change, Signals... signals) {
    if (is_named(instruction) || (names(signals) || ...)) return revise(instruction, change);
    change(instruction.record);
    return activity::no_ref;
  }

 protected:
  [[nodiscard]] const activity::Subscription& subscription() const { return subscription_; }

 private:
  template <class Record>
  [[gnu::noinline]] void occur_subscribed(Signal signal, Named<Record>& named, std::uint16_t detail,
                                          std::uint16_t amount) {
    if (names(signal)) {
      Recorder::occur(signal, named, detail, amount);
    } else {
      Recorder::occur(signal, detail, amount);
    }
  }
  activity::Subscription subscription_ = activity::Subscription::everything();
};

}  // namespace pmusim::core
