// Random programs of short pieces of code at fixed places: each piece works on data, branches, and ends with a jump, a
// call or a return; returns do not always match.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace pmusim::testbench::list_models {

class PieceWriter {
 public:
  virtual ~PieceWriter() = default;
  /// The text of a trace that executes this many pieces.
  std::string write(unsigned pieces, const std::string& nop) {
    std::uint64_t at = pieces_.at(0);
    for (unsigned n = 0; n < pieces; ++n) {
      outside();
      at = returns_.contains(at) ? jump(at, returns_[at]) : piece(at);
    }
    line(at, nop);
    return text_;
  }

 protected:
  static constexpr std::uint64_t page_bytes = 4096, code_base = 0x10000, data_base = 0x80000;
  explicit PieceWriter(unsigned seed) : random_(seed) {}
  virtual void outside() = 0;                         ///< directives before a piece
  virtual std::uint64_t piece(std::uint64_t pc) = 0;  ///< returns where the program goes on
  virtual std::uint64_t jump(std::uint64_t pc, std::uint64_t target) = 0;

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  std::uint64_t any_piece() { return pieces_[below(pieces_.size())]; }
  [[nodiscard]] std::size_t number_of(std::uint64_t pc) const {
    return static_cast<std::size_t>(std::find(pieces_.begin(), pieces_.end(), pc) - pieces_.begin());
  }
  void say(const std::string& directive) { text_ += "! " + directive + "\n"; }
  void line(std::uint64_t pc, const std::string& bytes, const std::string& rest = "") {
    text_ += fmt::format("{:x} {} {}\n", pc, bytes, rest);
  }
  std::uint64_t go(std::uint64_t pc, const std::string& bytes, std::uint64_t target, const std::string& accesses = "") {
    line(pc, bytes, fmt::format("{}T {:x}", accesses, target));
    return target;
  }
  /// A call comes back to `back`, where a jump to `then` stands.
  void called(std::uint64_t back, std::uint64_t then) {
    returns_.try_emplace(back, then);
    calls_.push_back(back);
  }
  /// Where a return goes: to its call, mostly.
  std::uint64_t returned() {
    const std::uint64_t target = calls_.empty() || one_in(8) ? any_piece() : calls_.back();
    if (!calls_.empty()) calls_.pop_back();
    return target;
  }
  [[nodiscard]] std::size_t depth() const { return calls_.size(); }

  std::vector<std::uint64_t> pieces_, jumps_;  ///< where they stand, and where some of them go

 private:
  std::mt19937 random_;
  std::vector<std::uint64_t> calls_;
  std::map<std::uint64_t, std::uint64_t> returns_;
  std::string text_;
};

}  // namespace pmusim::testbench::list_models
