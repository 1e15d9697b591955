// The clock of every core: it steps through the cycles in which something happens and skips the others.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/core/core.h"
#include "models/core/parts/recorder.h"

namespace pmusim::core {

/// Runs a pipeline. `Pipeline` derives from this class, makes it a friend, and has:
///
/// - `machine_`, whose `recorder` writes its blocks;
/// - `start()`: sets the states of the first cycle; it may set `ended_` for a trace with nothing in it;
/// - `step()`: the work of cycle `now_`;
/// - `next()`: called after `step()`: the next cycle in which something happens, later than `now_`; `never` if nothing
///   is waited for;
/// - `finished()`: called after `step()`: from cycle `now_ + 1` on nothing is in flight, and the trace has ended;
/// - `never_completes()`: the text of the error if the pipeline is not finished and waits for nothing.
///
/// Its header declares the explicit instantiation of this class, and the file that defines `step()` has it: the
/// compiler may then put the step into the loop.
///
/// A step in a cycle in which nothing happens must change nothing, so that activity does not depend on block
/// boundaries.
template <class Pipeline>
class SteppedCore : public Core {
 public:
  [[nodiscard]] Cycle now() const final { return now_; }
  [[nodiscard]] Cycle quiet_until() const final { return std::max(now_, next_step_); }
  void subscribe(const activity::Subscription& subscription) final {
    pipeline().machine_.recorder.subscribe(subscription);
  }
  bool run(Cycle limit, Block& block) final { return run_until(limit, activity::never, block); }
  bool run_instructions(std::uint64_t count, Block& block) final {
    return run_until(activity::never, pipeline().retired() + count, block);
  }

 protected:
  /// Requests a step in the next cycle after a call from outside.
  void wake() { next_step_ = now_; }

  Cycle now_ = 0;
  Cycle next_step_ = 0;
  bool ended_ = false;

 private:
  [[nodiscard]] Pipeline& pipeline() { return static_cast<Pipeline&>(*this); }
  bool run_until(Cycle limit, std::uint64_t instructions, Block& block);

  bool started_ = false;
};

template <class Pipeline>
bool SteppedCore<Pipeline>::run_until(Cycle limit, std::uint64_t instructions, Block& block) {
  Pipeline& pipeline = this->pipeline();
  limit = std::min(limit, now_ + Recorder::longest_block);
  pipeline.machine_.recorder.open(block, now_);
  if (!started_) {
    started_ = true;
    pipeline.machine_.recorder.begin_cycle(now_);
    pipeline.start();
  }
  const auto enough = [&] { return instructions != activity::never && pipeline.retired() >= instructions; };
  while (!ended_ && next_step_ < limit && !enough()) {
    now_ = next_step_;
    pipeline.step();
    next_step_ = pipeline.next();
    ended_ = pipeline.finished();
    if (!ended_ && next_step_ == activity::never) throw CoreError(pipeline.never_completes());
    ++now_;
  }
  // The limit, the end of the trace, or the last requested retirement; none of them splits a cycle.
  if (!ended_ && !enough()) now_ = limit;
  pipeline.machine_.recorder.close(now_);
  return !ended_;
}

}  // namespace pmusim::core
