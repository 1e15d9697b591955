// Activity kept in memory: one core run serves a whole sweep, and benchmarks replay what was recorded.
#pragma once

#include <utility>
#include <vector>

#include "testbench/driver/activity_source.h"
#include "testbench/driver/retired.h"

namespace pmusim::testbench {

/// The blocks of a run, as they were delivered.
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
  void take_interrupt(unsigned handler_instructions) override;

 private:
  const ActivityLog* log_;
  std::size_t next_ = 0;
  RetiredInstructions retired_;
};

}  // namespace pmusim::testbench
