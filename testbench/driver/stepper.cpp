#include "testbench/driver/stepper.h"

#include <algorithm>

namespace pmusim::testbench {
namespace {

std::unique_ptr<core::Core> core_of(const models::Target& target, const models::Parameters& parameters,
                                    std::vector<std::unique_ptr<trace::Reader>> traces) {
  if (traces.size() == 1) return target.make_core(std::move(traces[0]), parameters);
  return target.make_threaded_core(std::move(traces), parameters);
}

Region after_warmup(const SessionOptions& options) {
  Region region = options.region;
  region.begin = std::max(region.begin, options.warmup);
  return region;
}

}  // namespace

Stepper::Stepper(const models::Target& target, const models::Parameters& parameters,
                 std::vector<std::unique_ptr<trace::Reader>> traces, const SessionOptions& options)
    : source_(core_of(target, parameters, std::move(traces)), after_warmup(options), false),
      follower_(target.make_monitor(parameters), options.counter_reads_allowed),
      block_cycles_(options.block_cycles) {
  follower_.start_at(source_.now());
}

std::optional<pmu::EntryState> Stepper::advance(Cycle cycles) {
  const Cycle begin = now(), to = cycles < activity::never - begin ? begin + cycles : activity::never;
  while (!ended_ && now() < to) {
    if (block_ == nullptr || block_->end <= now()) block_ = source_.next(block_cycles_);
    if (block_ == nullptr) {
      ended_ = true;
    } else if (follower_.advance(*block_, std::min(block_->end, to)).taking) {
      return follower_.take(*block_);
    }
  }
  return std::nullopt;
}

}  // namespace pmusim::testbench
