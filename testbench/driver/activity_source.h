// Where a session's activity comes from: a core on a trace, or a log of an earlier run.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "models/core/core.h"
#include "models/targets.h"

namespace pmusim::testbench {

using activity::Block;
using activity::Cycle;

class ActivitySource {
 public:
  virtual ~ActivitySource() = default;
  /// The first cycle that next() has not delivered.
  [[nodiscard]] virtual Cycle now() const = 0;
  /// Returns the activity from now() on: at most `cycles` cycles (at least 1), or more if nothing happens in them.
  /// Returns null at the end. The block is valid until the next call.
  virtual const Block* next(Cycle cycles) = 0;
  /// Instructions delivered so far.
  [[nodiscard]] virtual std::uint64_t instructions() const = 0;
  /// Perturbing mode: the processor takes the interrupt now. Throws std::logic_error if the source cannot take
  /// interrupts.
  virtual void take_interrupt(unsigned handler_instructions);
};

/// The target's core on one trace, or on one for each hardware thread, as many as the target can run.
[[nodiscard]] std::unique_ptr<core::Core> core_of(const models::Target& target, const models::Parameters& parameters,
                                                  std::vector<std::unique_ptr<trace::Reader>> traces);

/// Instructions of the trace, counted from 0 as they retire: [begin, end) is the region of interest.
struct Region {
  std::uint64_t begin = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
};

/// A core, from after the cycle in which instruction `begin` - 1 retired to the one in which `end` - 1 did, which is
/// the last. What comes before warms caches, TLBs and predictors and is not delivered. A cycle is never split, so
/// what retires beside `begin` - 1 is left out and what retires beside `end` - 1 belongs to it: first() and
/// first() + instructions() say which instructions were delivered. Regions that meet leave nothing out and share
/// nothing.
class CoreSource : public ActivitySource {
 public:
  /// Unless `interruptible`, the core runs one block ahead, so that each block knows what follows it
  /// (Block::follow()); only then can it take interrupts.
  CoreSource(std::unique_ptr<core::Core> core, const Region& region, bool interruptible);
  [[nodiscard]] Cycle now() const override { return now_; }
  /// Throws std::invalid_argument at the end if the trace ends before the region begins.
  const Block* next(Cycle cycles) override;
  [[nodiscard]] std::uint64_t instructions() const override { return instructions_of(0) + instructions_of(1); }
  void take_interrupt(unsigned handler_instructions) override;
  /// Those delivered of a hardware thread's trace.
  [[nodiscard]] std::uint64_t instructions_of(unsigned thread) const {
    return delivered_->retired.at(thread) - skipped_.at(thread);
  }
  /// Number of the first instruction delivered; if the trace is shorter than `begin`, its length.
  [[nodiscard]] std::uint64_t first() const { return skipped_[0] + skipped_[1]; }

 private:
  using ByThread = std::array<std::uint64_t, 2>;
  /// A block and how many instructions of each thread's trace had retired after it.
  struct Stretch {
    Block block;
    ByThread retired{};
    [[nodiscard]] bool empty() const { return block.begin == block.end; }
  };
  void run_towards(std::uint64_t instruction, Cycle cycles, Block& block);
  void check_region() const;
  void make(Cycle cycles, Stretch& stretch);
  [[nodiscard]] ByThread retired() const { return {core_->retired_of(0), core_->retired_of(1)}; }

  std::unique_ptr<core::Core> core_;
  Region region_;
  bool interruptible_;
  std::unique_ptr<Stretch> delivered_ = std::make_unique<Stretch>();  // two that change places
  std::unique_ptr<Stretch> ahead_ = std::make_unique<Stretch>();
  bool has_ahead_ = false;
  ByThread skipped_{};
  Cycle now_ = 0;
  bool ended_ = false;
};

/// How many instructions of the traces have retired, counted from activity.
class RetiredInstructions {
 public:
  void consume(const activity::Block& block);
  /// Instructions of all traces. IA-64: bundles of which a syllable has retired; the last bundle of a program may have
  /// none.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  /// IA-64: the last syllable of a hardware thread that retired.
  struct Last {
    std::uint64_t bundle = ~std::uint64_t{0};
    unsigned slot = 0;
  };
  std::array<Last, 2> last_{};
  std::uint64_t count_ = 0;
};

/// The blocks of a run, as they were delivered, kept in memory: one core run serves a whole sweep, and benchmarks
/// replay what was recorded.
class ActivityLog {
 public:
  ActivityLog() = default;
  explicit ActivityLog(std::vector<Block> blocks) : blocks_(std::move(blocks)) {}
  void append(Block block) { blocks_.push_back(std::move(block)); }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  /// The blocks; the log has none afterwards.
  [[nodiscard]] std::vector<Block> take() && { return std::move(blocks_); }
  [[nodiscard]] Cycle cycles() const { return blocks_.empty() ? 0 : blocks_.back().end - blocks_.front().begin; }

 private:
  std::vector<Block> blocks_;
};

/// Plays a log in the blocks in which it was recorded. next() ignores the requested length.
class LogSource : public ActivitySource {
 public:
  explicit LogSource(const ActivityLog& log) : log_(&log) {}
  [[nodiscard]] Cycle now() const override;
  const Block* next(Cycle cycles) override;
  [[nodiscard]] std::uint64_t instructions() const override { return retired_.count(); }

 private:
  const ActivityLog* log_;
  std::size_t next_ = 0;
  RetiredInstructions retired_;
};

}  // namespace pmusim::testbench
