#include "testbench/driver/activity_log.h"

#include <stdexcept>

namespace pmusim::testbench {

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

void LogSource::take_interrupt(unsigned) {
  throw std::logic_error("recorded activity cannot be perturbed; run the trace instead");
}

}  // namespace pmusim::testbench
