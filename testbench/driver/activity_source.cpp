#include "testbench/driver/activity_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace pmusim::testbench {

namespace {

constexpr Cycle warm_up_cycles = 8192;
/// Positions in a block have 32 bits. A sum that grows by two in each cycle of a block exceeds 32 bits at most once.
constexpr Cycle longest_block = 0x7fff'ffff;
/// An idle stretch of this many cycles becomes a block of its own, whatever length was requested.
constexpr Cycle long_silence = 1 << 20;
/// No core retires more instructions in a cycle.
constexpr std::uint64_t most_retired = 8;

void check_cycle(Cycle cycle) {
  if (cycle > core::last_cycle && cycle != activity::never)
    throw core::CoreError(
        fmt::format("the trace goes on after cycle {}, the last that is simulated", core::last_cycle));
}

}  // namespace

void ActivitySource::take_interrupt(unsigned) {
  throw std::logic_error("recorded activity cannot be perturbed; run the trace instead");
}

std::unique_ptr<core::Core> core_of(const models::Target& target, const models::Parameters& parameters,
                                    std::vector<std::unique_ptr<trace::Reader>> traces) {
  if (traces.size() == 1) return target.make_core(std::move(traces[0]), parameters);
  return target.make_threaded_core(std::move(traces), parameters);
}

CoreSource::CoreSource(std::unique_ptr<core::Core> core, const Region& region, bool interruptible)
    : core_(std::move(core)), region_(region), interruptible_(interruptible) {
  while (!ended_ && core_->retired() < region_.begin) run_towards(region_.begin, warm_up_cycles, delivered_->block);
  delivered_->retired = skipped_ = retired();
  now_ = core_->now();
}

const Block* CoreSource::next(Cycle cycles) {
  if (interruptible_) {
    make(cycles, *delivered_);
  } else {
    if (!std::exchange(has_ahead_, true)) make(cycles, *ahead_);
    std::swap(delivered_, ahead_);
    make(cycles, *ahead_);
    if (!ahead_->empty()) delivered_->block.follow(ahead_->block);
  }
  if (delivered_->empty()) {
    check_region();
    return nullptr;
  }
  now_ = delivered_->block.end;
  return &delivered_->block;
}

// Without an instruction there is nothing to count, unless the first ones retired together with one before the region.
void CoreSource::check_region() const {
  if (region_.begin == 0 || instructions() > 0 || first() > region_.begin) return;
  throw std::invalid_argument(fmt::format(
      "nothing to count: the region begins at instruction {}, and the trace has {}, the first of which is 0",
      region_.begin, first()));
}

void CoreSource::take_interrupt(unsigned handler_instructions) {
  if (!interruptible_) throw std::logic_error("the core has run ahead and can take no interrupt");
  core_->take_interrupt(handler_instructions);
}

// The next block, or an empty one after the end.
void CoreSource::make(Cycle cycles, Stretch& stretch) {
  stretch.block.restart(core_->now());
  if (!ended_ && core_->retired() < region_.end) run_towards(region_.end, cycles, stretch.block);
  stretch.retired = retired();
}

// The largest number of cycles in which the limit cannot be passed, but at least one, so that the last cycle is reached
// exactly. An idle stretch is taken whole unless an interrupt can occur in it.
void CoreSource::run_towards(std::uint64_t instruction, Cycle cycles, Block& block) {
  const std::uint64_t missing = instruction - core_->retired();
  const Cycle now = core_->now(), quiet = interruptible_ ? now : std::max(core_->quiet_until(), now);
  check_cycle(quiet);
  block.restart(now);
  cycles = std::clamp<Cycle>(missing / most_retired, 1, cycles);
  if (quiet - now >= long_silence) cycles = std::max(cycles, std::min(quiet - now, longest_block));
  ended_ = !core_->run(now + cycles, block);
  check_cycle(block.end);
}

void RetiredInstructions::consume(const activity::Block& block) {
  for (const activity::Occurrence& occurrence : block.column(activity::Signal::retire)) {
    if (block.syllables.empty()) {
      count_ += occurrence.amount;
      continue;
    }
    const activity::InstructionRecord& syllable = block.instructions[occurrence.ref];
    Last& last = last_[syllable.thread];
    if (syllable.ip != last.bundle || syllable.slot <= last.slot) ++count_;
    last = {syllable.ip, syllable.slot};
  }
}

Cycle LogSource::now() const {
  const auto& blocks = log_->blocks();
  if (next_ < blocks.size()) return blocks[next_].begin;
  return blocks.empty() ? 0 : blocks.back().end;
}

const Block* LogSource::next(Cycle) {
  if (next_ == log_->blocks().size()) return nullptr;
  const Block& block = log_->blocks()[next_++];
  retired_.consume(block);
  return &block;
}

}  // namespace pmusim::testbench
