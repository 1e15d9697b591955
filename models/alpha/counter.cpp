#include "models/alpha/counter.h"

#include <algorithm>

#include "models/common/fault.h"
#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::alpha {
namespace {

struct EventContext : TermContext {
  explicit EventContext(const Event& e) : event(&e) {}
  const Event* event;
};

const Input& input(const TermContext& context, std::size_t i) {
  return static_cast<const EventContext&>(context).event->inputs[i];
}

template <std::size_t i>
std::uint32_t count_input(const Block& block, const Occurrence& o, const TermContext& context) {
  return input(context, i).amount(block, o);
}
template <std::size_t i>
std::uint32_t level_input(std::uint64_t value, const TermContext& context) {
  return input(context, i).level(value);
}

template <std::size_t i>
Term term(const Event& event) {
  const Input& in = event.inputs[i];
  if (in.signal != activity::Signal::count_) return {.signal = in.signal, .count = count_input<i>};
  if (in.state != activity::State::count_) return {.state = in.state, .level = level_input<i>};
  return {};
}

/// Adds up and finds the first carry.
class Sum {
 public:
  Sum(const Counter& c, const Funnel* funnel)
      : left_(c.period - c.value % c.period), weight_(c.event->weight), funnel_(funnel) {}
  /// In each of the cycles `each`, which is what the step leaves of the inputs.
  void add(std::uint32_t each, Cycle begin, Cycle cycles, Step step = Step::added) {
    if (funnel_ != nullptr) {
      if (step != Step::added) funnel_->left(step, {begin, begin + cycles, each / weight_});
      funnel_->left(Step::added, {begin, begin + cycles, each});
    }
    const std::uint64_t more = std::uint64_t{each} * cycles;
    if (carry_ == activity::never && more != 0 && added_ + more >= left_) {
      carry_ = begin + (left_ - added_ + each - 1) / each - 1;
    }
    added_ += more;
  }
  [[nodiscard]] std::uint64_t added() const { return added_; }
  [[nodiscard]] Cycle carry() const { return carry_; }

 private:
  std::uint64_t left_;
  std::uint32_t weight_;
  const Funnel* funnel_;
  std::uint64_t added_ = 0;
  Cycle carry_ = activity::never;
};

/// What the rule of an event does to a cycle's inputs, beside weighing them.
Step step_of(const Event& event, bool limited) {
  switch (event.rule) {
    case Rule::sum:
      return event.high == 0 || !limited ? Step::added : Step::limited;
    case Rule::within:
      return event.low == 0 ? Step::inverted : Step::threshold;
    case Rule::complement:
      return Step::inverted;
    case Rule::carried:
      return Step::carried;
    case Rule::sampled:
      return Step::sampled;
    case Rule::long_run:
      return Step::long_run;
    case Rule::nothing:
      break;
  }
  return Step::added;
}

}  // namespace

Scan Counter::scan(const Behaviour& behaviour, const Block& block, Cycle from, Cycle to, const Funnel* funnel) const {
  Scan result;
  result.run = run;
  result.backlog = backlog;
  if (event == nullptr || event->rule == Rule::nothing) return result;
  Sum sum(*this, funnel);
  const Step step = step_of(*event, behaviour.limited);
  const std::array<Term, 2> terms{term<0>(*event), term<1>(*event)};
  const EventContext context(*event);
  if (funnel != nullptr) funnel->inputs(block, {terms.data(), event->input_count}, context, from, to, event->weight);
  RunCursor cursor(block, {terms.data(), event->input_count}, context, from, to);
  for (Run r; cursor.next(r);) {
    result.n = r.n;
    if (funnel != nullptr) funnel->line(r);
    if (event->rule == Rule::long_run) {
      // Counted in the cycle in which the run gets longer than the limit.
      const std::uint64_t limit = behaviour.long_stall;
      if (r.n != 0 && result.run <= limit && result.run + r.length() > limit) {
        sum.add(event->weight, r.begin + (limit - result.run), 1, step);
      }
      result.run = r.n != 0 ? result.run + r.length() : 0;
    } else if (event->rule == Rule::sampled) {
      for (Cycle at = r.begin; r.n != 0 && at < r.end; ++at) {
        const std::uint64_t behind = at / behaviour.pin_clock + 1;
        if (result.run != behind) sum.add(event->weight, at, 1, step);
        result.run = behind;
      }
    } else if (event->rule == Rule::carried) {
      Cycle at = r.begin;
      for (; at < r.end && (result.backlog != 0 || r.n > event->high); ++at) {
        result.backlog += r.n;
        const std::uint32_t now = std::min<std::uint32_t>(result.backlog, event->high);
        result.backlog -= now;
        sum.add(now * event->weight, at, 1, step);
      }
      sum.add(r.n * event->weight, at, r.end - at, step);
    } else {
      sum.add(event->adds(r.n, behaviour.limited), r.begin, r.length(), step);
    }
  }
  const bool retires = event->inputs[0].signal == activity::Signal::retire && event->inputs[0].kinds == 0;
  if (models::injected(models::Fault::counted_again_on_replay) && retires) {
    for (const Occurrence& o : occurrences(block, activity::Signal::replay_trap, from, to))
      sum.add(1, block.begin + o.at, 1);
  }
  result.added = sum.added();
  result.carry = sum.carry();
  return result;
}

Cycle Counter::quiet(const Behaviour& behaviour) const {
  static constexpr Cycle far = Cycle{1} << 40;
  const std::uint32_t most = event == nullptr ? 0 : event->most(behaviour.limited);
  return most == 0 ? far : (period - value % period + most - 1) / most - 1;
}

}  // namespace pmusim::pmu::alpha
