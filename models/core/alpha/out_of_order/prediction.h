// The conditional branch predictor of the 21264: a local and a global predictor, and a predictor that chooses between
// them. 21264/EV67 Hardware Reference Manual, 2.1.1.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace pmusim::core::alpha::out_of_order {

/// The prediction of one branch, kept until it trains the tables.
struct Direction {
  bool taken;
  bool local;             ///< prediction of the local predictor
  bool global;            ///< prediction of the global predictor
  std::uint16_t history;  ///< global history used for the prediction
};

class Tournament {
 public:
  static constexpr unsigned local_entries = 1024;  ///< histories, by address bits 11..2, and counters
  static constexpr unsigned local_bits = 10;
  static constexpr unsigned global_bits = 12;

  [[nodiscard]] Direction predict(std::uint64_t pc) const {
    Direction d;
    d.history = history_;
    d.local = local_counters_[histories_[local_of(pc)]] >= 4;
    d.global = global_counters_[history_] >= 2;
    d.taken = choice_[history_] >= 2 ? d.global : d.local;
    return d;
  }
  /// Shifts the predicted direction into the global history.
  void follow(bool taken) { history_ = shifted(history_, taken, global_bits); }
  [[nodiscard]] std::uint16_t history() const { return history_; }
  /// Restores the history before a branch that is fetched again or was mispredicted.
  void restore(std::uint16_t history) { history_ = history; }
  /// Trains the tables with the outcome of a branch that retires. The choice is trained only if the two predictors
  /// differ.
  void train(std::uint64_t pc, const Direction& d, bool taken) {
    std::uint16_t& local = histories_[local_of(pc)];
    step(local_counters_[local], taken, 7);
    local = shifted(local, taken, local_bits);
    step(global_counters_[d.history], taken, 3);
    if (d.local != d.global) step(choice_[d.history], d.global == taken, 3);
  }

 private:
  static std::size_t local_of(std::uint64_t pc) { return pc >> 2 & (local_entries - 1); }
  static std::uint16_t shifted(std::uint16_t history, bool taken, unsigned bits) {
    return (history << 1 | (taken ? 1 : 0)) & ((1u << bits) - 1);
  }
  static void step(std::uint8_t& counter, bool up, std::uint8_t most) {
    if (up && counter < most) ++counter;
    if (!up && counter > 0) --counter;
  }

  std::array<std::uint16_t, local_entries> histories_{};
  std::array<std::uint8_t, (1u << local_bits)> local_counters_{};    ///< three bits
  std::array<std::uint8_t, (1u << global_bits)> global_counters_{};  ///< two bits
  std::array<std::uint8_t, (1u << global_bits)> choice_{};           ///< two bits; high: the global predictor
  std::uint16_t history_ = 0;
};

// The line and way predictor of the 21264, which gives the next fetch block and its position in the Icache, and the
// return stack.

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
