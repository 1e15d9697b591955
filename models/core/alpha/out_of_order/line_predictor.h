// The line and way predictor of the 21264, which gives the next fetch block and its position in the Icache, and the
// return stack.
#pragma once

#include <cstdint>
#include <vector>

namespace pmusim::core::alpha::out_of_order {

/// Each fetch block of the Icache has an entry with its successor. Another successor replaces the entry only if its
/// two-bit counter is at most 1.
class LinePredictor {
 public:
  static constexpr std::uint64_t block_bytes = 16;

  /// `blocks`: fetch blocks of the Icache, a power of two.
  explicit LinePredictor(std::size_t blocks) : entries_(blocks) {}

  /// The predicted fetch address after the block that holds `pc`; without a prediction, the next sequential block.
  [[nodiscard]] std::uint64_t next(std::uint64_t pc) const {
    const Entry& e = entry(pc);
    return e.next != 0 ? e.next : (pc & ~(block_bytes - 1)) + block_bytes;
  }
  void train(std::uint64_t pc, std::uint64_t next) {
    Entry& e = entries_[index(pc)];
    if (e.next == next || (e.next == 0 && next == (pc & ~(block_bytes - 1)) + block_bytes)) {
      if (e.confidence < 3) ++e.confidence;
    } else if (e.confidence > 1) {
      --e.confidence;
    } else {
      e = {next, 1};
    }
  }

 private:
  struct Entry {
    std::uint64_t next = 0;  ///< 0: sequential
    std::uint8_t confidence = 0;
  };
  [[nodiscard]] std::size_t index(std::uint64_t pc) const { return pc / block_bytes & (entries_.size() - 1); }
  [[nodiscard]] const Entry& entry(std::uint64_t pc) const { return entries_[index(pc)]; }
  std::vector<Entry> entries_;
};

/// The stack of return addresses. Only the top is restored after a wrong path; entries that it has overwritten are
/// lost.
class ReturnStack {
 public:
  explicit ReturnStack(std::size_t entries) : entries_(entries) {}
  void push(std::uint64_t address) {
    top_ = (top_ + 1) % entries_.size();
    entries_[top_] = address;
  }
  std::uint64_t pop() {
    const std::uint64_t address = entries_[top_];
    top_ = (top_ + entries_.size() - 1) % entries_.size();
    return address;
  }
  [[nodiscard]] std::uint16_t top() const { return static_cast<std::uint16_t>(top_); }
  void restore(std::uint16_t top) { top_ = top; }

 private:
  std::vector<std::uint64_t> entries_;
  std::size_t top_ = 0;
};

}  // namespace pmusim::core::alpha::out_of_order
