// Decodes the payloads of chunks to items.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pmt_format.h"
#include "pmt_state.h"
#include "pmusim/trace/byte_cursor.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace::pmt {

class ChunkDecoder : ByteCursor {
 public:
  ChunkDecoder(Isa isa, CodeDictionary& codes);
  /// Begins a chunk. `payload` must stay valid until the end of the chunk.
  void begin(std::string_view payload, std::uint32_t instructions, std::uint64_t first_pc);
  /// Reads the next item; false at the end of the chunk. Throws Malformed.
  [[gnu::always_inline]] bool next(Item& item);

 private:
  void check(const std::string& wrong) const {
    if (!wrong.empty()) fail(wrong);
  }
  bool read_head();
  void read_directive();
  void read_annotations();
  [[nodiscard]] std::uint64_t read_rare(std::uint64_t pc, Instruction& instruction);
  void check_jump(std::uint64_t pc) const;
  [[noreturn]] void fail_without_bytes(std::uint64_t pc) const;
  StaticState& read_code(std::uint64_t pc);
  void read_mask(StaticState& state);
  void find_outcomes(StaticState& state);
  void read_list(StaticState& state);
  void read_addresses(StaticState& state);
  void read_changes(StaticState& state, Instruction& instruction);
  void check_branch(StaticState& state, const Instruction& instruction) const;
  void refuse_outcome(const Instruction& instruction);
  void finish(StaticState& state, Instruction& instruction);
  [[gnu::always_inline]] void decode(Instruction& instruction);

  Isa isa_;
  std::uint64_t address_mask_;
  Flows flows_;
  CodeDictionary& codes_;
  ChunkState state_;
  std::uint32_t instructions_left_ = 0;
  std::uint32_t run_left_ = 0;
  std::uint64_t directives_left_ = 0;
  bool head_read_ = false;  // control_ and rare_ belong to the next instruction
  std::uint8_t control_ = 0, rare_ = 0;

  std::uint64_t before_ = 0;    // address after the previous instruction
  std::uint64_t expected_ = 0;  // the same, or that of the first instruction of a chunk
  std::string unfinished_;      // error in the last instruction if another one follows
  bool explained_ = true;       // a directive, or the start of the trace, allows the next pc to differ
  bool left_taken_ = false;
  Directive directive_;
  Annotations annotations_;
};

// What every instruction needs is inline, in one function with the reader's own part.

/// Advances the predicted addresses and fills the instruction from its state.
inline void ChunkDecoder::finish(StaticState& state, Instruction& instruction) {
  Access* const accesses = state_.accesses(state);
  if (state.accesses > 0) {
    state.last_address = (state.last_address + state.stride) & address_mask_;
    accesses[0].address = state.last_address;
    const std::uint64_t* const distances = state_.distances(state);
    for (unsigned i = 1; i < state.accesses; ++i) {
      accesses[i].address = (accesses[i - 1].address + distances[i]) & address_mask_;
    }
  }
  instruction.code = state.code;
  instruction.accesses = {accesses, state.accesses};
  instruction.mask = state.mask;
}

/// An instruction whose properties are all as predicted takes the short way through here.
inline void ChunkDecoder::decode(Instruction& instruction) {
  const std::uint8_t control = control_;
  std::uint64_t pc = expected_;
  instruction.annotations = nullptr;
  if (!unfinished_.empty()) [[unlikely]]
    fail(unfinished_);
  if ((control & Control::rare) != 0) [[unlikely]]
    pc = read_rare(pc, instruction);
  if (pc != before_) [[unlikely]]
    check_jump(pc);
  StaticState* state = state_.locate(pc, left_taken_);
  if ((control & code_new) != 0) {
    state = &read_code(pc);
  } else if (state == nullptr) [[unlikely]] {
    fail_without_bytes(pc);
  }
  if ((control & ~(taken | Control::rare)) != 0) {
    read_changes(*state, instruction);
  } else {
    finish(*state, instruction);
  }
  left_taken_ = instruction.taken = (control & taken) != 0;
  instruction.target = left_taken_ ? state->last_target : 0;
  if (left_taken_ && !state->branch_checked) check_branch(*state, instruction);
  if (!state->can_go[left_taken_]) [[unlikely]]
    refuse_outcome(instruction);
  expected_ = before_ = left_taken_ ? state->last_target : state->next_pc;
  explained_ = false;
}

inline bool ChunkDecoder::next(Item& item) {
  for (;;) {
    if (directives_left_ > 0) [[unlikely]] {
      --directives_left_;
      read_directive();
      item.directive = &directive_;
      return true;
    }
    if (run_left_ > 0) {
      --run_left_;
      control_ = 0;
      break;
    }
    if (head_read_ || read_head()) break;
    if (directives_left_ == 0) return false;
  }
  head_read_ = false;
  --instructions_left_;
  item.directive = nullptr;
  decode(item.instruction);
  return true;
}

}  // namespace pmusim::trace::pmt
