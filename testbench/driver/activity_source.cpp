#include "testbench/driver/activity_source.h"

#include <algorithm>

namespace pmusim::testbench {
namespace {

constexpr Cycle warm_up_cycles = 8192;
/// No core retires more instructions in a cycle.
constexpr std::uint64_t most_retired = 8;

}  // namespace

CoreSource::CoreSource(std::unique_ptr<core::Core> core, const Region& region)
    : core_(std::move(core)), region_(region) {
  warm_up();
}

void CoreSource::warm_up() {
  while (!ended_ && core_->retired() < region_.begin) ended_ = !run_towards(region_.begin, warm_up_cycles, warmed_);
  skipped_ = core_->retired();
}

bool CoreSource::next(Cycle cycles, Block& block) {
  if (!warm_) {
    block.states = warmed_.states;
    warm_ = true;
  }
  if (ended_ || core_->retired() >= region_.end) return false;
  ended_ = !run_towards(region_.end, cycles, block);
  return block.begin != block.end;
}

// Runs cycles as long as they cannot retire too much, then to the last instruction, one cycle a time.
bool CoreSource::run_towards(std::uint64_t instruction, Cycle cycles, Block& block) {
  const std::uint64_t missing = instruction - core_->retired();
  block.restart(core_->now());
  return core_->run(core_->now() + std::clamp<Cycle>(missing / most_retired, 1, cycles), block);
}

}  // namespace pmusim::testbench
