// Shared parts of the logs in the cores' tests: the activity of a core, collected from its blocks, and text traces
// built line by line.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::testbench {

/// `LoggedOccurrence` has cycle, amount, detail and the other members that the core's tests read.
template <class LoggedOccurrence>
class BlockLog {
 public:
  using Cycle = activity::Cycle;
  [[nodiscard]] const std::vector<LoggedOccurrence>& of(activity::Signal signal) const {
    return columns_[static_cast<std::size_t>(signal)];
  }
  [[nodiscard]] std::vector<Cycle> cycles(activity::Signal signal) const {
    std::vector<Cycle> found;
    for (const LoggedOccurrence& h : of(signal)) found.push_back(h.cycle);
    return found;
  }
  /// Changes of a state; the first one is at cycle 0.
  [[nodiscard]] const std::vector<std::pair<Cycle, std::uint64_t>>& changes(activity::State state) const {
    return states_[static_cast<std::size_t>(state)];
  }
  [[nodiscard]] std::uint64_t at(activity::State state, Cycle cycle) const {
    std::uint64_t value = 0;
    for (const auto& [from, next] : changes(state)) {
      if (from <= cycle) value = next;
    }
    return value;
  }
  /// Number of cycles in which the state has at least one bit of the mask.
  [[nodiscard]] Cycle cycles_with(activity::State state, std::uint64_t mask = ~std::uint64_t{0}) const {
    const auto& list = changes(state);
    Cycle sum = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Cycle to = i + 1 < list.size() ? list[i + 1].first : end_;
      if ((list[i].second & mask) != 0) sum += to - list[i].first;
    }
    return sum;
  }
  [[nodiscard]] Cycle end() const { return end_; }
  [[nodiscard]] std::uint64_t retired() const { return retired_; }
  void finish(std::uint64_t retired) { retired_ = retired; }

 protected:
  /// `make` turns an occurrence of a signal of the block into the entry that the log keeps.
  template <class Make>
  void append_block(const activity::Block& block, Make make) {
    EXPECT_EQ(block.begin, end_) << "blocks must follow each other without a gap";
    end_ = block.end;
    for (std::size_t s = 0; s < activity::signal_count; ++s) {
      std::uint32_t last = 0;
      for (const activity::Occurrence& o : block.columns[s]) {
        EXPECT_GE(o.at, last) << "column " << s << " must be sorted";
        EXPECT_LT(o.at, block.end - block.begin);
        EXPECT_GE(o.amount, 1u);
        last = o.at;
        columns_[s].push_back(make(static_cast<activity::Signal>(s), o));
      }
    }
    for (std::size_t s = 0; s < activity::state_count; ++s) {
      auto& list = states_[s];
      const auto note = [&](Cycle at, std::uint64_t value) {
        if (list.empty() || list.back().second != value) list.emplace_back(at, value);
      };
      note(block.begin, block.states[s].initial);
      for (const activity::Change& c : block.states[s].changes) note(block.begin + c.at, c.value);
    }
  }
  [[nodiscard]] bool same_states(const BlockLog& other) const {
    return end_ == other.end_ && retired_ == other.retired_ && states_ == other.states_;
  }
  /// `same` compares two occurrences of a signal.
  template <class Same>
  [[nodiscard]] bool same_occurrences(const BlockLog& other, Same same) const {
    for (std::size_t s = 0; s < activity::signal_count; ++s) {
      if (columns_[s].size() != other.columns_[s].size()) return false;
      for (std::size_t i = 0; i < columns_[s].size(); ++i) {
        if (!same(static_cast<activity::Signal>(s), columns_[s][i], other.columns_[s][i])) return false;
      }
    }
    return true;
  }

 private:
  std::array<std::vector<LoggedOccurrence>, activity::signal_count> columns_;
  std::array<std::vector<std::pair<Cycle, std::uint64_t>>, activity::state_count> states_;
  Cycle end_ = 0;
  std::uint64_t retired_ = 0;
};

/// Runs a core to the end in blocks of `cycles`.
template <class Log, class Core>
Log log_of(Core& core, activity::Cycle cycles) {
  Log log;
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core.now());
    more = core.run(core.now() + cycles, block);
    log.append(block);
  }
  log.finish(core.retired());
  return log;
}

/// Builds a text trace line by line; `Script` adds the instructions.
template <class Script>
class ScriptText {
 public:
  explicit ScriptText(std::uint64_t pc) : pc_(pc) {}
  /// A directive line, without the leading "! ".
  Script& say(const std::string& directive) {
    text_ += "! " + directive + "\n";
    return static_cast<Script&>(*this);
  }
  /// Continues at another address (after a directive that explains the jump).
  Script& at(std::uint64_t pc) {
    pc_ = pc;
    return static_cast<Script&>(*this);
  }
  [[nodiscard]] std::uint64_t pc() const { return pc_; }
  operator std::string() const { return text_; }  // NOLINT: it is its text

 protected:
  std::uint64_t pc_;
  std::string text_;
};

}  // namespace pmusim::testbench
