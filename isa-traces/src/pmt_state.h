// Prediction state of the static instructions in a chunk, shared by the encoder and the decoder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "code_dictionary.h"
#include "flow.h"
#include "pmt_format.h"

namespace pmusim::trace::pmt {

/// One static instruction in the current chunk.
struct StaticState {
  const Code* code = nullptr;
  std::uint64_t pc = 0;
  std::uint64_t next_pc = 0;  // address after the instruction
  std::uint64_t last_target = 0;
  std::uint64_t last_address = 0;  // of its first access
  std::uint64_t stride = 0;
  std::uint32_t after = PcMap::none;   // hint: entry executed next at the last fall-through
  std::uint32_t target = PcMap::none;  // hint: entry executed next when last taken
  std::uint32_t first_access = 0;      // index in the table of accesses
  std::uint16_t accesses = 0;
  std::uint16_t room = 0;
  std::array<char, 3> mask{'x', 'x', 'x'};
  Flow flow{};
  bool repeats = false;          // i386 string instruction with rep
  bool branch_checked = false;   // its present target and mask have passed complaint_about_branch()
  std::array<bool, 2> can_go{};  // with its present mask: the outcomes not taken, taken
};

/// All static instructions of a chunk and their last accesses. clear() empties the state at the start of a chunk and
/// keeps the memory.
class ChunkState {
 public:
  void clear() {
    map_.clear();
    states_.clear();
    accesses_.clear();
    distances_.clear();
    last_ = PcMap::none;
  }

  /// Returns the entry at `pc`, or null. `left_taken`: whether the previous instruction was a taken branch; selects the
  /// hint that is tried first.
  [[gnu::always_inline]] StaticState* locate(std::uint64_t pc, bool left_taken) {
    if (last_ != PcMap::none) {
      std::uint32_t& hint = left_taken ? states_[last_].target : states_[last_].after;
      if (hint == PcMap::none || states_[hint].pc != pc) hint = map_.find(pc);
      last_ = hint;
    } else {
      last_ = map_.find(pc);
    }
    return last_ == PcMap::none ? nullptr : &states_[last_];
  }

  /// Enters a new or changed instruction at the address of the last locate() and resets its predictors.
  StaticState& renew(const Code& code, std::uint64_t next_pc) {
    if (last_ == PcMap::none) {
      last_ = static_cast<std::uint32_t>(states_.size());
      states_.emplace_back();
      map_.set(code.pc, last_);
    }
    StaticState& state = states_[last_];
    state = StaticState{};
    state.code = &code;
    state.pc = code.pc;
    state.next_pc = next_pc;
    return state;
  }

  /// Sets the length of the access list. Existing distances are kept, new ones are 0.
  void resize(StaticState& state, std::uint16_t count) {
    if (count > state.room) {
      const auto old = state.first_access;
      const auto room =
          static_cast<std::uint16_t>(state.room == 0 ? count : std::max<unsigned>(count, 2u * state.room));
      state.first_access = static_cast<std::uint32_t>(accesses_.size());
      accesses_.resize(accesses_.size() + room);
      distances_.resize(accesses_.size());
      std::copy_n(distances_.begin() + old, state.room, distances_.begin() + state.first_access);
      state.room = room;
    }
    state.accesses = count;
  }

  [[nodiscard]] Access* accesses(const StaticState& state) { return accesses_.data() + state.first_access; }
  /// Element i is the distance from access i - 1 to access i.
  [[nodiscard]] std::uint64_t* distances(const StaticState& state) { return distances_.data() + state.first_access; }

 private:
  PcMap map_;
  std::vector<StaticState> states_;
  std::vector<Access> accesses_;
  std::vector<std::uint64_t> distances_;
  std::uint32_t last_ = PcMap::none;  // result of the last locate()
};

}  // namespace pmusim::trace::pmt
