// Shared parts of the logs in the cores' tests: the activity of a core, collected from its blocks, and text traces
// built line by line.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "models/common/parameters.h"
#include "models/core/core.h"
#include "pmusim/trace/reader.h"

namespace pmusim::testbench {

/// An occurrence with the records that it refers to. A family adds its part of the records.
struct LoggedOccurrence {
  activity::Cycle cycle = 0;
  std::uint16_t amount = 0, detail = 0;
  bool named = false;                       ///< refers to an instruction or a request
  activity::InstructionRecord instruction;  ///< valid if the signal refers to an instruction
  activity::RequestRecord request;          ///< valid if it refers to a request
};

/// All activity of a run, joined from its blocks.
template <class Occurrence = LoggedOccurrence>
class BlockLog {
 public:
  using Cycle = activity::Cycle;
  [[nodiscard]] const std::vector<Occurrence>& of(activity::Signal signal) const& {
    return columns_[static_cast<std::size_t>(signal)];
  }
  [[nodiscard]] std::vector<Occurrence> of(activity::Signal signal) && {
    return std::move(columns_[static_cast<std::size_t>(signal)]);
  }
  /// The occurrences whose detail has all bits of `with` and none of `without`.
  [[nodiscard]] std::vector<Occurrence> of(activity::Signal signal, std::uint16_t with,
                                           std::uint16_t without = 0) const {
    std::vector<Occurrence> found;
    for (const Occurrence& h : of(signal)) {
      if ((h.detail & with) == with && (h.detail & without) == 0) found.push_back(h);
    }
    return found;
  }
  /// The sum of the amounts of these occurrences.
  [[nodiscard]] std::uint64_t count(activity::Signal signal, std::uint16_t with = 0, std::uint16_t without = 0) const {
    std::uint64_t sum = 0;
    for (const Occurrence& h : of(signal, with, without)) sum += h.amount;
    return sum;
  }
  /// Their cycles.
  [[nodiscard]] std::vector<Cycle> cycles(activity::Signal signal, std::uint16_t with = 0,
                                          std::uint16_t without = 0) const {
    std::vector<Cycle> found;
    for (const Occurrence& h : of(signal, with, without)) found.push_back(h.cycle);
    return found;
  }
  /// The cycle of the first occurrence of the instruction with this ordinal; never if there is none.
  [[nodiscard]] Cycle when(activity::Signal signal, std::uint64_t ordinal) const {
    for (const Occurrence& h : of(signal)) {
      if (h.named && h.instruction.id == ordinal) return h.cycle;
    }
    return activity::never;
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
    return cycles_that(state, [mask](std::uint64_t value) { return (value & mask) != 0; });
  }
  /// Number of cycles in which (state & mask) == value.
  [[nodiscard]] Cycle cycles_in(activity::State state, std::uint64_t value,
                                std::uint64_t mask = ~std::uint64_t{0}) const {
    return cycles_that(state, [=](std::uint64_t held) { return (held & mask) == value; });
  }
  [[nodiscard]] Cycle end() const { return end_; }
  [[nodiscard]] std::uint64_t retired() const { return retired_; }
  [[nodiscard]] const std::vector<activity::RegisterAccess>& accesses() const { return accesses_; }
  void finish(std::uint64_t retired) { retired_ = retired; }
  void append(const activity::Block& block) {
    append_block(block, [](Occurrence&, activity::Signal, const activity::Occurrence&) {});
  }

 protected:
  /// `add` adds the family's part of the records to an entry of the log.
  template <class Add>
  void append_block(const activity::Block& block, Add add) {
    EXPECT_EQ(block.begin, end_) << "blocks must follow each other without a gap";
    end_ = block.end;
    for (std::size_t s = 0; s < activity::signal_count; ++s) {
      const auto signal = static_cast<activity::Signal>(s);
      std::uint32_t last = 0;
      for (const activity::Occurrence& o : block.columns[s]) {
        EXPECT_GE(o.at, last) << "column " << s << " must be sorted";
        EXPECT_LT(o.at, block.end - block.begin);
        EXPECT_GE(o.amount, 1u);
        last = o.at;
        Occurrence& h = columns_[s].emplace_back();
        h.cycle = block.begin + o.at;
        h.amount = o.amount;
        h.detail = o.detail;
        h.named = o.ref != activity::no_ref;
        if (h.named && activity::refers_to_request(signal)) {
          h.request = block.requests.at(o.ref);
        } else if (h.named) {
          h.instruction = block.instructions.at(o.ref);
        }
        add(h, signal, o);
      }
    }
    for (activity::RegisterAccess access : block.accesses) {
      access.at += static_cast<std::uint32_t>(block.begin);
      accesses_.push_back(access);
    }
    for (std::size_t s = 0; s < activity::state_count; ++s) {
      auto& list = states_[s];
      const auto note = [&](Cycle at, std::uint64_t value) {
        if (at == block.end && at != block.begin) return;  // it belongs to the beginning of the next block
        if (list.empty() || list.back().second != value) list.emplace_back(at, value);
      };
      note(block.begin, block.states[s].initial);
      for (const activity::Change& c : block.states[s].changes) note(block.begin + c.at, c.value);
    }
  }

 private:
  template <class Is>
  [[nodiscard]] Cycle cycles_that(activity::State state, Is is) const {
    const auto& list = changes(state);
    Cycle sum = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Cycle to = i + 1 < list.size() ? list[i + 1].first : end_;
      if (is(list[i].second)) sum += to - list[i].first;
    }
    return sum;
  }

  std::array<std::vector<Occurrence>, activity::signal_count> columns_;
  std::array<std::vector<std::pair<Cycle, std::uint64_t>>, activity::state_count> states_;
  std::vector<activity::RegisterAccess> accesses_;
  Cycle end_ = 0;
  std::uint64_t retired_ = 0;
};

/// A run in pieces, whose activity is joined.
template <class Log>
class Steps {
 public:
  explicit Steps(core::Core& core) : core_(core) {}
  /// Runs for some cycles; returns whether there is more.
  bool run(activity::Cycle cycles) {
    block_.restart(core_.now());
    const bool more = core_.run(core_.now() + cycles, block_);
    log.append(block_);
    log.finish(core_.retired());
    return more;
  }
  /// Runs to the end in blocks of `cycles`.
  void finish(activity::Cycle cycles) {
    while (run(cycles)) {
    }
  }
  Log log;

 private:
  core::Core& core_;
  activity::Block block_;
};
/// Runs a core to the end in blocks of `cycles`.
template <class Log>
Log log_of(core::Core& core, activity::Cycle cycles) {
  Steps<Log> steps(core);
  steps.finish(cycles);
  return std::move(steps.log);
}

/// What the error says that an action throws; empty without one.
template <class Error, class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// Parameters with other values.
using Changes = std::vector<std::pair<std::string, std::int64_t>>;
inline models::Parameters changed(models::Parameters parameters, const Changes& changes) {
  for (const auto& [name, value] : changes) parameters.set(name, value);
  return parameters;
}

inline std::unique_ptr<trace::Reader> reader_of(const std::string& text, trace::Isa isa) {
  trace::ReadOptions options;
  options.isa = isa;
  return trace::open_text(text, "test", options);
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
  [[nodiscard]] const std::string& text() const { return text_; }
  operator std::string() const { return text_; }  // NOLINT: it is its text

 protected:
  std::uint64_t pc_;
  std::string text_;
};

}  // namespace pmusim::testbench
