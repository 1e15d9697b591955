#include "testbench/targets/alpha/judging_interrupts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "models/activity/signals.h"
#include "models/alpha/alpha.h"
#include "testbench/driver/programming.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/targets/alpha/chips.h"
#include "testbench/targets/alpha/judging_profiles.h"

namespace pmusim::testbench {

namespace {

using activity::Occurrence;
using activity::Signal;
using activity::State;

constexpr std::uint64_t interrupt_level = 6;
constexpr std::size_t listed_problems = 3;

/// The instructions that leave in program order, oldest first: retired ones, and no-operations of a 21264.
std::vector<Occurrence> in_order(const Block& block) {
  std::vector<Occurrence> left = block.column(Signal::retire);
  const std::size_t retired = left.size();
  for (const Occurrence& o : block.column(Signal::kill)) {
    if ((o.detail & activity::detail::kill_in_order) != 0) left.push_back(o);
  }
  if (left.size() == retired) return left;
  std::sort(left.begin(), left.end(), [&](const Occurrence& a, const Occurrence& b) {
    return a.at != b.at ? a.at < b.at : block.instructions.at(a.ref).id < block.instructions.at(b.ref).id;
  });
  return left;
}

}  // namespace

void InterruptTimeline::boundary(const Block& block, const std::vector<Cycle>& grains, Cycle at) {
  if (!requested_ || at < *requested_ + skid_) return;
  if (block.state_at(State::pal_mode, at) != 0 || block.state_at(State::ipl, at) >= interrupt_level) return;
  taken_.push_back({*requested_, at + 1, successor_});
  requested_.reset();
  // The counter holds the events since it last wrapped; whole periods of it are lost.
  const auto passed = static_cast<std::uint64_t>(std::upper_bound(grains.begin(), grains.end(), at) - grains.begin());
  const std::uint64_t since = passed - 1 - asked_, held = since % period_.counter;
  next_ = asked_ + since - held + (held / period_.preset + 1) * period_.preset;
}

void InterruptTimeline::consume(const Block& block, const std::vector<Cycle>& grains) {
  const std::vector<Occurrence> left = in_order(block);
  auto next_left = left.begin();
  /// Passes what leaves before a cycle; whether anything does.
  const auto leave_before = [&](Cycle cycle) {
    const auto end =
        std::partition_point(next_left, left.end(), [&](const auto& o) { return block.begin + o.at < cycle; });
    if (end == next_left) return false;
    successor_ = block.instructions.at(std::prev(end)->ref).next_ip;
    next_left = end;
    return retired_any_ = true;
  };
  for (Cycle at = block.begin; at < block.end; ++at) {
    if (!requested_) {
      const Cycle overflow = next_ < grains.size() ? grains[next_] : activity::never;
      at = std::clamp(overflow, at, block.end);
      leave_before(at);
      if (at == block.end) break;
    }
    for (; next_ < grains.size() && grains[next_] <= at; next_ += period_.counter) {
      if (requested_) {
        ++merged_;
      } else {
        requested_ = grains[next_];
        asked_ = next_;
      }
    }
    bool boundary_here = block.state_at(State::clock, at) == 0;
    boundary_here |= leave_before(at + 1);
    if (retired_any_) boundary_here |= in_order_ || block.state_at(State::idle_thread, at) != 0;
    if (boundary_here) boundary(block, grains, at);
  }
  leave_before(block.end);
}

namespace {

std::string shown(const InterruptTimeline::Taken& taken) {
  return fmt::format("requested in cycle {}, taken before cycle {} at {:#x}", taken.requested, taken.cycle, taken.pc);
}

InterruptTimeline::Period period_of(const models::Target& target, const Group& group, const Answer& answer) {
  const Sampled& sampled = *group.sampled;
  if (sampled.by == Sampled::By::hardware) return {};
  const FirmwareCounter& counter = *find_counter(*find_firmware(target.name), answer.counters.at(0));
  return {sampled.period / sampled.grain(), (counter.mask() + 1) / sampled.grain()};
}

/// One monitor whose only check is sampled.
class InterruptWatch {
 public:
  /// Throws std::invalid_argument for a counter that does not support the period.
  InterruptWatch(const Task& task, const models::Target& target, const Group& group, const Answer& answer)
      : timeline_(static_cast<Cycle>(task.parameters.get("pmu.interrupt_skid")),
                  target.name != "alpha-ev6" && target.name != "alpha-ev67", period_of(target, group, answer)) {
    const std::string& counter = answer.counters.at(0);
    number_ = find_counter(*find_firmware(target.name), counter)->number;
    Programming programming(target, task.parameters);
    if (group.sampled->by == Sampled::By::presets) {
      sampler_ = find_firmware(target.name)
                     ->sampler({{counter, group.sampled->period}},
                               [this](const Sample& sample) {
                                 got_.push_back({sample.requested, sample.cycle, sample.ip});
                               },
                               {});
      sampler_->preset(programming);
    }
    write_answer(programming, answer);
    programming_ = programming.writes();
  }
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  /// The setup that programs the monitor; the watch must outlive the run.
  [[nodiscard]] MonitorSetup setup() {
    if (sampler_) return {programming_, std::ref(*sampler_)};
    return {programming_, [this](RegisterBus& bus, const pmu::EntryState& entry) {
              if (pmu::alpha_interrupted_counter(bus.monitor()) != number_) return;
              got_.push_back({entry.requested, entry.cycle, entry.pc});
            }};
  }
  /// Called after the oracle has counted the block; `grains` as for InterruptTimeline.
  void consume(const Block& block, const std::vector<Cycle>& grains) { timeline_.consume(block, grains); }
  /// Called after the last block.
  [[nodiscard]] InterruptTrials::Outcome finish() const {
    const auto& expected = timeline_.taken();
    std::vector<std::string> problems;
    for (std::size_t i = 0; i < std::max(expected.size(), got_.size()) && problems.size() < listed_problems; ++i) {
      if (i < expected.size() && i < got_.size() && expected[i] == got_[i]) continue;
      problems.push_back(fmt::format("interrupt {} is {}; expected {}", i + 1,
                                     i < got_.size() ? shown(got_[i]) : "missing",
                                     i < expected.size() ? shown(expected[i]) : "none"));
    }
    return {got_.size(), got_.size(), expected.size(), std::move(problems), timeline_.untaken()};
  }

 private:
  InterruptTimeline timeline_;
  std::vector<RegisterWrite> programming_;
  std::vector<InterruptTimeline::Taken> got_;
  std::unique_ptr<FirmwareSampler> sampler_;  ///< null: the hardware has the period, and the handler writes nothing
  unsigned number_ = 0;                       ///< of the counter
};

/// A parameter of the 21264A; 0 for other chips, which do not profile.
std::int64_t parameter(const models::Parameters& parameters, std::string_view name) {
  return parameters.has(name) ? parameters.get(name) : 0;
}

/// The watches of a plan, by group number.
class AlphaWatches final : public InterruptTrials {
 public:
  AlphaWatches(const Task& task, const models::Target& target)
      : task_(task),
        target_(target),
        lives_(static_cast<Cycle>(parameter(task.parameters, "pmu.overcount_cycles")),
               parameter(task.parameters, "pmu.retiring_traps") != 0,
               parameter(task.parameters, "pmu.squashed_aborts") != 0) {}
  [[nodiscard]] MonitorSetup add(std::size_t group_number, std::size_t check, const Group& group,
                                 const Answer& answer) override {
    if (group.sampled->by == Sampled::By::profile_me) {
      auto& watch = profiles_[group_number];
      watch = std::make_unique<ProfileWatch>(task_, target_, group, answer, lives_);
      return watch->setup();
    }
    Interrupts& interrupts = interrupts_[group_number];
    interrupts.check = check;
    interrupts.watch = std::make_unique<InterruptWatch>(task_, target_, group, answer);
    return interrupts.watch->setup();
  }
  void consume(const Block& block, const Overflows& overflows) override {
    for (auto& [group, interrupts] : interrupts_) interrupts.watch->consume(block, overflows(interrupts.check));
    if (profiles_.empty()) return;
    Cycle needed = activity::never;
    for (auto& [group, watch] : profiles_) needed = std::min(needed, watch->judge_samples(block.begin));
    lives_.forget(needed);
    lives_.consume(block);
  }
  [[nodiscard]] Outcome finish(std::size_t group_number, const MonitorResult& result) override {
    const auto profile = profiles_.find(group_number);
    return profile != profiles_.end() ? profile->second->finish(result) : interrupts_.at(group_number).watch->finish();
  }

 private:
  struct Interrupts {
    std::size_t check = 0;
    std::unique_ptr<InterruptWatch> watch;
  };
  const Task& task_;
  const models::Target& target_;
  Lives lives_;
  std::map<std::size_t, Interrupts> interrupts_;
  std::map<std::size_t, std::unique_ptr<ProfileWatch>> profiles_;
};

}  // namespace

std::unique_ptr<InterruptTrials> alphas::make_interrupt_trials(const Task& task, const models::Target& target) {
  return std::make_unique<AlphaWatches>(task, target);
}

}  // namespace pmusim::testbench
