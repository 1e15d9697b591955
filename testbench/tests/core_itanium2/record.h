// Runs a trace on the Itanium 2 core and keeps all its activity, joined from its blocks.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "code.h"
#include "models/core/itanium2/itanium2.h"

namespace pmusim::testbench::ia64 {

using activity::Cycle;
using activity::Signal;
using activity::State;
namespace act = activity::ia64;

struct LoggedOccurrence {
  Cycle cycle = 0;
  std::uint16_t amount = 0, detail = 0;
  bool named = false;  ///< refers to a record
  activity::InstructionRecord instruction;
  act::Syllable syllable;  ///< of the instruction, or of the instruction that made the request
  activity::RequestRecord request;
  act::Request half;
};

/// True if a signal refers to an instruction; otherwise it refers to a request.
bool names_instruction(Signal signal);

class Record {
 public:
  [[nodiscard]] const std::vector<LoggedOccurrence>& of(Signal signal) const {
    return columns_[static_cast<std::size_t>(signal)];
  }
  /// The occurrences whose detail has all bits of `with` and none of `without`.
  [[nodiscard]] std::vector<LoggedOccurrence> of(Signal signal, std::uint16_t with, std::uint16_t without = 0) const;
  /// The sum of the amounts of these occurrences.
  [[nodiscard]] std::uint64_t count(Signal signal, std::uint16_t with = 0, std::uint16_t without = 0) const;
  /// The sum of the amounts of occurrences with exactly this detail.
  [[nodiscard]] std::uint64_t exactly(Signal signal, std::uint16_t detail) const;
  [[nodiscard]] std::vector<Cycle> cycles(Signal signal) const;
  [[nodiscard]] std::uint64_t at(State state, Cycle cycle) const;
  /// The values of a state, each with the cycle from which it holds.
  [[nodiscard]] const std::vector<std::pair<Cycle, std::uint64_t>>& changes(State state) const {
    return states_[static_cast<std::size_t>(state)];
  }
  /// The number of cycles in which (state & mask) == value.
  [[nodiscard]] Cycle cycles_in(State state, std::uint64_t value, std::uint64_t mask = ~std::uint64_t{0}) const;
  [[nodiscard]] Cycle end() const { return end_; }
  [[nodiscard]] std::uint64_t retired() const { return retired_; }
  [[nodiscard]] const std::vector<activity::RegisterAccess>& accesses() const { return accesses_; }
  void append(const activity::Block& block);
  void finish(std::uint64_t retired) { retired_ = retired; }
  /// A sum over all activity that is fixed at its signal: equal for equal activity, wherever blocks are cut.
  [[nodiscard]] std::uint64_t digest() const;

 private:
  std::array<std::vector<LoggedOccurrence>, activity::signal_count> columns_;
  std::array<std::vector<std::pair<Cycle, std::uint64_t>>, activity::state_count> states_;
  std::vector<activity::RegisterAccess> accesses_;
  Cycle end_ = 0;
  std::uint64_t retired_ = 0;
};

/// Parameters for traces computed by hand: no prefetch; then the given changes.
models::Parameters plain(const std::vector<std::pair<std::string, std::int64_t>>& changes = {});
std::unique_ptr<core::Core> core_of(const std::string& text, const models::Parameters& parameters = plain());
/// Runs the core to the end in blocks of `cycles`.
Record run(core::Core& core, Cycle cycles = 100000);
Record run(const Script& script, const models::Parameters& parameters = plain(), Cycle cycles = 100000);

/// The State::back_end value of a stage without a cause, and its mask.
constexpr std::uint64_t stage_mask = 0xf;
constexpr std::uint64_t stage(act::BackEnd s) { return static_cast<std::uint64_t>(s); }

}  // namespace pmusim::testbench::ia64
