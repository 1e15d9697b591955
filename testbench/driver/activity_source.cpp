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
  while (!ended_ && core_->retired() < region_.begin) run_towards(region_.begin, warm_up_cycles);
  skipped_ = core_->retired();
}

const Block* CoreSource::next(Cycle cycles) {
  if (ended_ || core_->retired() >= region_.end) return nullptr;
  run_towards(region_.end, cycles);
  return block_.begin == block_.end ? nullptr : &block_;
}

// As many cycles as cannot retire too much, one at least, so that the last one is met exactly.
void CoreSource::run_towards(std::uint64_t instruction, Cycle cycles) {
  const std::uint64_t missing = instruction - core_->retired();
  block_.restart(core_->now());
  ended_ = !core_->run(core_->now() + std::clamp<Cycle>(missing / most_retired, 1, cycles), block_);
}

}  // namespace pmusim::testbench
