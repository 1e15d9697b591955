// The answers that a stretch received from structures that replay does not save: caches, TLBs, predictor, dictionary,
// addresses. The units record them while replay.h learns a stretch, and only then.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::core::athlon {

struct StaticCode;

inline constexpr unsigned xmm_bytes = 16;

/// True if an operand crosses a boundary between words of this size. An XMM register is accessed in two halves, so that
/// its operand crosses one only if it does not begin at one.
[[nodiscard]] constexpr bool crosses(std::uint64_t address, unsigned size, unsigned word) {
  return address % word + (size == xmm_bytes ? word : size) > word;
}

/// True if two operands have bytes in one aligned word of four bytes.
[[nodiscard]] constexpr bool same_words(std::uint64_t a, unsigned size_a, std::uint64_t b, unsigned size_b) {
  constexpr unsigned word = 4;
  return a / word <= (b + size_b - 1) / word && b / word <= (a + size_a - 1) / word;
}

/// The address of the first or second half of an operand that crosses a boundary of eight bytes.
[[nodiscard]] constexpr std::uint64_t half_of(std::uint64_t address, bool second_half) {
  constexpr unsigned octet = 8;
  return second_half ? address + octet - address % octet : address;
}

/// True if two loads read different lines of one bank of the data cache, which serves one of them a clock: eight banks
/// of eight bytes (AMD 25112, 5.9).
[[nodiscard]] constexpr bool meet_in_bank(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t bank = 7 << 3, line = 0x1ff << 6;  // address bits 5:3 and 14:6
  return ((a ^ b) & bank) == 0 && ((a ^ b) & line) != 0;
}

/// The speculative part of the predictor, restored when fetch is redirected. The contents of the return stack are not
/// restored: a wrong path can overwrite them, as in hardware.
struct PredictorState {
  std::uint32_t history = 0;  ///< outcomes of conditional branches, the latest in bit 0
  std::uint16_t stack_top = 0;
  std::uint16_t stack_live = 0;
};

struct Prediction {
  std::uint64_t next = 0;     ///< next fetch address
  std::uint32_t counter = 0;  ///< index of the direction counter
  bool taken = false;
  bool late = false;               ///< a direct target that is known only after decode
  std::uint16_t stack_detail = 0;  ///< detail of Signal::return_stack; 0: stack not used
  bool operator==(const Prediction&) const = default;
};

/// One operation of the predictor.
struct BranchStep {
  enum Kind : std::uint8_t { predict, train, restore };
  Kind kind = predict;
  const StaticCode* code = nullptr;
  Prediction answer;     ///< the result of predict; for train, its argument
  PredictorState state;  ///< of restore
};

/// A question and its answer. Accesses have numbers: first those in flight at the start of the stretch, then those of
/// the instructions that it fetches.
struct Question {
  enum Kind : std::uint8_t { data, data_page, order, words, banks };
  Kind kind = data;
  bool store = false, second_half = false;
  bool crosses_word = false, crosses_octet = false;
  /// order: the load depends on the last of the stores; words, banks: they meet
  bool depends = false, forwards = false;
  std::uint16_t size = 0;
  std::uint32_t tag = 0;
  /// order: stores, in Tape::stores; words: number and size of the other access; banks: its number, and its half
  std::uint32_t first = 0, count = 0;
};
struct OrderedStore {
  std::uint32_t tag = 0;
  std::uint16_t size = 0;
  bool high_byte = false;
};

struct Tape {
  struct Line {
    const trace::Code* code = nullptr;
    std::uint64_t next = 0;
    bool taken = false;
    std::uint16_t accesses = 0;
  };
  struct LineAccess {
    std::uint16_t size = 0;
    bool store = false;
    bool update = false;  ///< a store to an operand that the instruction has loaded
  };

  bool on = false;
  bool boundary = false;   ///< a backward branch has retired
  bool disturbed = false;  ///< an event that no replay may contain has occurred
  bool subscription_changed = false;

  std::vector<Line> lines;
  std::vector<LineAccess> accesses;
  std::vector<Question> questions;
  std::vector<OrderedStore> stores;
  std::vector<BranchStep> branches;
  std::vector<std::uint64_t> code_lines, code_pages;
  std::vector<std::pair<std::uint64_t, const StaticCode*>> found;  ///< code lookups of a wrong path, by address
  std::vector<std::pair<std::uint64_t, std::uint32_t>> requests;   ///< id, access
  std::uint32_t next_tag = 0;

  void disturb() { disturbed = true; }
  void begin(std::uint32_t accesses_in_flight);
  /// Records the fetch of an instruction. Returns the number of its first access.
  std::uint32_t line(const trace::Instruction& in);
  /// True if access `i` is a store to an operand that the instruction has loaded.
  [[nodiscard]] static bool updates(const trace::Instruction& in, std::size_t i) {
    for (std::size_t before = 0; in.accesses[i].store && before < i; ++before) {
      if (!in.accesses[before].store && in.accesses[before].address == in.accesses[i].address) return true;
    }
    return false;
  }
  void data(std::uint32_t tag, std::uint16_t size, bool store, bool second_half, bool word, bool octet);
  void data_page(std::uint32_t tag);
  /// Records whether two stores go to the same word.
  void words(std::uint32_t tag, std::uint16_t size, std::uint32_t other, std::uint16_t other_size, bool meet);
  /// Records whether two loads, or halves of them, meet in a bank.
  void banks(std::uint32_t tag, bool second_half, std::uint32_t other, bool other_half, bool meet);
  /// Records that a load has searched the older stores; add_order() follows for each of them.
  void begin_order(std::uint32_t tag, std::uint16_t size, bool depends, bool forwards);
  void add_order(std::uint32_t tag, std::uint16_t size, bool high_byte);
  void request(std::uint64_t id, std::uint32_t tag);
  void code_line(std::uint64_t pc);
  void code_page(std::uint64_t page);
  void find(std::uint64_t pc, const StaticCode* code);
  void predict(const StaticCode& code, const Prediction& answer);
  void train(const StaticCode& code, std::uint32_t counter, bool taken, std::uint64_t target);
  void restore(const PredictorState& state);
  /// Moves an element to the end of the list. If everything hits, only the order of the last uses matters.
  static void use(std::vector<std::uint64_t>& list, std::uint64_t what) {
    std::erase(list, what);
    list.push_back(what);
  }
};

}  // namespace pmusim::core::athlon
