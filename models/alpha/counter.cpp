#include "models/alpha/counter.h"

#include <algorithm>

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

/// Sums the increments of a scan and finds the first carry.
class Sum {
 public:
  Sum(const Counter& c, const Funnel* funnel)
      : left_(c.period - c.value % c.period), weight_(c.event->weight), funnel_(funnel) {}
  /// Adds `each` in each of the cycles; `each` is the amount that the step leaves of the inputs.
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
  /// Adds `each` in each of `times` cycles that are `distance` apart.
  void add_each(std::uint32_t each, Cycle first, Cycle distance, std::uint64_t times, Step step) {
    if (funnel_ != nullptr) {
      for (std::uint64_t i = 0; i < times; ++i) add(each, first + i * distance, 1, step);
      return;
    }
    const std::uint64_t more = std::uint64_t{each} * times;
    if (carry_ == activity::never && more != 0 && added_ + more >= left_) {
      carry_ = first + ((left_ - added_ + each - 1) / each - 1) * distance;
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

/// Adds the occurrences of the only signal of a sum, which most events are: cycle by cycle, which costs less than runs.
/// Returns the input in the last cycle.
std::uint32_t add_cycles(const Event& event, bool limited, const Block& block, Cycle from, Cycle to, Sum& sum) {
  const Input& input = event.inputs[0];
  const auto column = occurrences(block, input.signal, from, to);
  std::uint32_t n = 0;
  Cycle cycle = from;
  for (auto o = column.begin(); o != column.end();) {
    const std::uint32_t at = o->at;
    for (n = 0; o != column.end() && o->at == at; ++o) n += input.amount(block, *o);
    cycle = block.begin + at;
    sum.add(event.adds(n, limited), cycle, 1);
  }
  return cycle + 1 == to ? n : 0;
}

/// The step in which an event's rule changes a cycle's inputs, apart from the weight.
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
  const auto finished = [&] {
    result.added = sum.added();
    result.carry = sum.carry();
    return result;
  };
  if (funnel == nullptr && event->rule == Rule::sum && event->input_count == 1 && terms[0].count != nullptr) {
    result.n = add_cycles(*event, behaviour.limited, block, from, to, sum);
    return finished();
  }
  if (funnel != nullptr) funnel->inputs(block, {terms.data(), event->input_count}, context, from, to, event->weight);
  RunCursor cursor(block, {terms.data(), event->input_count}, context, from, to);
  for (Run r; cursor.next(r);) {
    result.n = r.n;
    if (funnel != nullptr) funnel->line(r);
    if (event->rule == Rule::long_run) {
      // Counted in the cycle in which the run becomes longer than the limit.
      const std::uint64_t limit = behaviour.long_stall;
      if (r.n != 0 && result.run <= limit && result.run + r.length() > limit) {
        sum.add(event->weight, r.begin + (limit - result.run), 1, step);
      }
      result.run = r.n != 0 ? result.run + r.length() : 0;
    } else if (event->rule == Rule::sampled) {
      if (r.n == 0) continue;
      // Counted once in each cycle of the pin clock.
      const Cycle clock = behaviour.pin_clock;
      if (result.run != r.begin / clock + 1) sum.add(event->weight, r.begin, 1, step);
      const std::uint64_t further = (r.end - 1) / clock - r.begin / clock;
      sum.add_each(event->weight, (r.begin / clock + 1) * clock, clock, further, step);
      result.run = (r.end - 1) / clock + 1;
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
  return finished();
}

bool Counter::recurs(const Behaviour& behaviour, const Counter& earlier, Cycle period) const {
  if (event != earlier.event || value != earlier.value || modulus != earlier.modulus ||
      this->period != earlier.period || backlog != earlier.backlog)
    return false;
  if (event == nullptr || run == earlier.run) return true;
  if (event->rule == Rule::long_run) return std::min(run, earlier.run) > behaviour.long_stall;
  // `run` is a number of pin clock cycles, which advances with the cycles.
  return event->rule == Rule::sampled && period % behaviour.pin_clock == 0 &&
         run - earlier.run == period / behaviour.pin_clock;
}

Cycle Counter::quiet(const Behaviour& behaviour) const {
  static constexpr Cycle far = Cycle{1} << 40;
  const std::uint32_t most = event == nullptr ? 0 : event->most(behaviour.limited);
  return most == 0 ? far : (period - value % period + most - 1) / most - 1;
}

}  // namespace pmusim::pmu::alpha
