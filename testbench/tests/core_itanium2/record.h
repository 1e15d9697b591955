// Runs a trace on the Itanium 2 core and keeps all its activity, joined from its blocks.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "code.h"
#include "models/core/itanium2/itanium2.h"
#include "testbench/tests/block_log.h"

namespace pmusim::testbench::ia64 {

using activity::Cycle;
using activity::Signal;
using activity::State;
namespace act = activity::ia64;

struct Ia64Occurrence : LoggedOccurrence {
  act::Syllable syllable;  ///< of the instruction, or of the instruction that made the request
  act::Request half;
};

/// An occurrence of a request has the instruction that made it, too.
class Record : public BlockLog<Ia64Occurrence> {
 public:
  /// The sum of the amounts of occurrences with exactly this detail.
  [[nodiscard]] std::uint64_t exactly(Signal signal, std::uint16_t detail) const;
  void append(const activity::Block& block);
};

/// Parameters for traces computed by hand: no prefetch; then the given changes.
models::Parameters plain(const Changes& changes = {});
std::unique_ptr<core::Core> core_of(const std::string& text, const models::Parameters& parameters = plain());
/// Runs the core to the end in blocks of `cycles`.
Record run(core::Core& core, Cycle cycles = 100000);
Record run(const Script& script, const models::Parameters& parameters = plain(), Cycle cycles = 100000);

/// The State::back_end value of a stage without a cause, and its mask.
constexpr std::uint64_t stage_mask = 0xf;
constexpr std::uint64_t stage(act::BackEnd s) { return static_cast<std::uint64_t>(s); }

}  // namespace pmusim::testbench::ia64
