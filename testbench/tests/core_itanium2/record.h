// Runs a trace on the Itanium 2 core and keeps all that it reported, put together from its blocks.
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
  bool named = false;  ///< it names a record
  activity::InstructionRecord instruction;
  act::Syllable syllable;  ///< of the instruction, or of the request's owner
  activity::RequestRecord request;
  act::Request half;
};

/// Whether a signal's reference is an instruction; else it is a request.
bool names_instruction(Signal signal);

class Record {
 public:
  [[nodiscard]] const std::vector<LoggedOccurrence>& of(Signal signal) const {
    return columns_[static_cast<std::size_t>(signal)];
  }
  /// Those whose detail has all bits of `with` and none of `without`.
  [[nodiscard]] std::vector<LoggedOccurrence> of(Signal signal, std::uint16_t with, std::uint16_t without = 0) const;
  /// Sum of their amounts.
  [[nodiscard]] std::uint64_t count(Signal signal, std::uint16_t with = 0, std::uint16_t without = 0) const;
  /// Sum of the amounts with exactly this detail.
  [[nodiscard]] std::uint64_t exactly(Signal signal, std::uint16_t detail) const;
  [[nodiscard]] std::vector<Cycle> cycles(Signal signal) const;
  [[nodiscard]] std::uint64_t at(State state, Cycle cycle) const;
  /// Values of a state with the cycle from which each holds.
  [[nodiscard]] const std::vector<std::pair<Cycle, std::uint64_t>>& changes(State state) const {
    return states_[static_cast<std::size_t>(state)];
  }
  /// Number of cycles in which (state & mask) == value.
  [[nodiscard]] Cycle cycles_in(State state, std::uint64_t value, std::uint64_t mask = ~std::uint64_t{0}) const;
  [[nodiscard]] Cycle end() const { return end_; }
  [[nodiscard]] std::uint64_t retired() const { return retired_; }
  [[nodiscard]] const std::vector<activity::RegisterAccess>& accesses() const { return accesses_; }
  void append(const activity::Block& block);
  void finish(std::uint64_t retired) { retired_ = retired; }
  /// Sum over all that was reported, as far as it is fixed at its signal: equal for equal activity however it was cut.
  [[nodiscard]] std::uint64_t digest() const;

 private:
  std::array<std::vector<LoggedOccurrence>, activity::signal_count> columns_;
  std::array<std::vector<std::pair<Cycle, std::uint64_t>>, activity::state_count> states_;
  std::vector<activity::RegisterAccess> accesses_;
  Cycle end_ = 0;
  std::uint64_t retired_ = 0;
};

/// Parameters for traces worked out by hand: no prefetch; then NAME=VALUE.
models::Parameters plain(const std::vector<std::pair<std::string, std::int64_t>>& changes = {});
std::unique_ptr<core::Core> core_of(const std::string& text, const models::Parameters& parameters = plain());
/// Runs to the end in blocks of `cycles`.
Record run(core::Core& core, Cycle cycles = 100000);
Record run(const Script& script, const models::Parameters& parameters = plain(), Cycle cycles = 100000);

/// The back end's value for a stage and a cause.
constexpr std::uint64_t stage_mask = 0xf;
constexpr std::uint64_t stage(act::BackEnd s) { return static_cast<std::uint64_t>(s); }

}  // namespace pmusim::testbench::ia64
