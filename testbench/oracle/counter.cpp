// Walks the activity cycle by cycle: how often the event occurs, then what each counter makes of it.
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "testbench/oracle/event.h"
#include "testbench/oracle/gate.h"
#include "testbench/oracle/occurrences.h"
#include "testbench/oracle/state_cursor.h"

namespace pmusim::oracle {
namespace {

using activity::Block;
using activity::Cycle;
using activity::State;

/// What a family of processors brings along.
struct Family {
  State privilege_state;
  Privilege (*privilege)(std::uint64_t);
  const std::vector<Event>& (*events)();
  Choices (*choices)(const ParameterLookup&);
  bool (*charged_to_next)(const Event&, const Choices&);  ///< to the privilege of the following cycle
  bool stops_in_halt;
  void (*check)(const Request&);
};

Privilege athlon_privilege(std::uint64_t cpl) { return cpl > 0 ? user_level : 0; }
Privilege ppc750gx_privilege(std::uint64_t msr) {
  return ((msr & activity::msr::pr) != 0 ? user_level : 0) | ((msr & activity::msr::pm) != 0 ? marked_process : 0);
}
void check_athlon(const Request& r) {
  if (r.marked) throw std::invalid_argument(r.event + ": the Athlon has no marked processes");
  if (r.threshold > 255) throw std::invalid_argument(r.event + ": a counter mask is 0 to 255");
  const std::uint32_t kind = r.breakpoint & 3u, length = r.breakpoint >> breakpoint_length_shift;
  if (kind == 2 || (length & (length - 1)) != 0 || length > 8 || (kind != breakpoint_execute && length == 0)) {
    throw std::invalid_argument(r.event + ": a breakpoint is execute, write or read_write, of 1, 2, 4 or 8 bytes");
  }
}
void check_ppc750gx(const Request& r) {
  if (r.invert || r.edge) throw std::invalid_argument(r.event + ": the 750GX neither inverts nor detects edges");
  if (r.threshold > 63) throw std::invalid_argument(r.event + ": a threshold is 0 to 63 cycles");
}

const Family athlon = {State::cpl,
                       athlon_privilege,
                       athlon_events,
                       athlon_choices,
                       [](const Event& e, const Choices& c) { return e.at_retirement && c.retire_charged_to_new; },
                       true,
                       check_athlon};
const Family ppc750gx = {State::msr,
                         ppc750gx_privilege,
                         ppc750gx_events,
                         ppc750gx_choices,
                         [](const Event&, const Choices& c) { return c.msr_of_next_cycle; },
                         false,
                         check_ppc750gx};

const Family& family_of(std::string_view target) {
  if (target == "athlon") return athlon;
  if (target == "ppc750gx" || target == "ppc750gl") return ppc750gx;
  throw std::invalid_argument("no target " + std::string(target) + "; there are athlon, ppc750gx, ppc750gl");
}

const Event& find_event(const Family& family, std::string_view name) {
  for (const Event& event : family.events()) {
    if (event.name == name) return event;
  }
  throw std::invalid_argument("no event " + std::string(name));
}

class CycleCounter final : public Counter {
 public:
  CycleCounter(const Family& family, Event event, const std::vector<Request>& requests,
               const ParameterLookup& parameters)
      : family_(family),
        event_(std::move(event)),
        choices_(family.choices(parameters)),
        occurrences_(event_, choices_),
        ahead_(family.charged_to_next(event_, choices_)),
        privilege_(family.privilege_state),
        clock_(State::clock),
        stops_in_halt_(family.stops_in_halt && !choices_.counts_in_halt) {
    // A 750GX counter adds what occurs; its threshold belongs to one event's rule, not to the counter.
    const bool compares = &family == &athlon;
    for (const Request& request : requests) {
      if (request.event != event_.name) throw std::invalid_argument("requests of one counter name the same event");
      family.check(request);
      Request rule = request;
      if (!compares) rule.threshold = 0;
      const Gate gate(rule, choices_, occurrences_.line_for(request));
      const auto same =
          std::find_if(outputs_.begin(), outputs_.end(), [&](const Output& o) { return o.gate.same_rule(gate); });
      output_of_.push_back(static_cast<std::size_t>(same - outputs_.begin()));
      if (same == outputs_.end()) outputs_.push_back({gate});
    }
    raw_.resize(occurrences_.lines().size());
    watches_.resize(requests.size());
  }

  void consume(const Block& block) override { consume(block, block.begin, block.end); }

  void consume(const Block& block, Cycle from, Cycle to) override {
    if (from < block.begin || to > block.end || from > to || (reached_ && from != *reached_)) {
      throw std::invalid_argument("cycles must follow each other and lie in the block");
    }
    reached_ = to;
    if (from == to) return;
    occurrences_.enter(block, from);
    clock_.enter(block, from);
    privilege_.enter(block, from);
    if (held_) {
      judge(held_->lines, held_->at, 1, privilege_now());
      held_.reset();
    }
    // The privilege that follows the block's last cycle is known from the next block.
    const bool hold_last = ahead_ && to == block.end;
    const Cycle end = hold_last ? to - 1 : to;
    for (Cycle at = from; at < end;) at = one_cycle_and_the_quiet_ones_behind(at, end);
    if (hold_last) {
      visit(end);
      if (clock_runs()) held_ = Held{occurrences_.lines(), end};
    }
  }

  [[nodiscard]] Tally tally(std::size_t request) const override {
    const Output& output = outputs_.at(output_of_.at(request));
    Tally tally{output.count, raw_[output.gate.line()]};
    if (held_) {  // nothing followed, so the privilege stays what it is
      const Line& line = held_->lines[output.gate.line()];
      tally.expected += Gate(output.gate).step(line.n, privilege_now());
      tally.occurrences += line.raw;
    }
    return tally;
  }

  void watch(std::size_t request, std::uint64_t first, std::uint64_t period) override {
    Watch& watch = watches_.at(request);
    watch = {true, first, period, {}};
    const std::size_t output = output_of_.at(request);
    if (!outputs_[output].watched) watched_.push_back(output);
    outputs_[output].watched = true;
  }
  [[nodiscard]] const std::vector<Cycle>& crossings(std::size_t request) const override {
    return watches_.at(request).cycles;
  }

 private:
  struct Output {
    Gate gate;
    std::uint64_t count = 0;
    bool watched = false;
  };
  struct Watch {
    bool on = false;
    std::uint64_t next = 0;
    std::uint64_t period = 0;
    std::vector<Cycle> cycles;
  };
  /// A cycle that is counted and waits for the privilege of its successor.
  struct Held {
    std::vector<Line> lines;
    Cycle at;
  };

  void visit(Cycle at) {
    occurrences_.count(at);
    clock_.move_to(at);
    privilege_.move_to(ahead_ ? at + 1 : at);
  }
  [[nodiscard]] bool clock_runs() const { return !stops_in_halt_ || clock_.value() != 0; }
  [[nodiscard]] Privilege privilege_now() const { return family_.privilege(privilege_.value()); }

  // Cycles without an entry and without a change look all the same: they are judged once and repeated.
  Cycle one_cycle_and_the_quiet_ones_behind(Cycle at, Cycle end) {
    visit(at);
    if (clock_runs()) judge(occurrences_.lines(), at, 1, privilege_now());
    const Cycle privilege_change =
        ahead_ && privilege_.next() != activity::never ? privilege_.next() - 1 : privilege_.next();
    const Cycle quiet_until = std::min({occurrences_.quiet_until(), clock_.next(), privilege_change, end});
    if (quiet_until <= at + 1) return at + 1;
    occurrences_.count_quiet();
    if (clock_runs()) judge(occurrences_.lines(), at + 1, quiet_until - at - 1, privilege_now());
    return quiet_until;
  }

  /// `cycles` equal cycles from `at` on. A gate remembers no more than the last cycle, so from the second of
  /// equal cycles on it does the same again.
  void judge(const std::vector<Line>& lines, Cycle at, std::uint64_t cycles, Privilege privilege) {
    for (std::size_t i = 0; i < lines.size(); ++i) raw_[i] += lines[i].raw * cycles;
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      judge_watched(watched_[i], lines[outputs_[watched_[i]].gate.line()].n, at, cycles, privilege);
    }
    for (Output& output : outputs_) {
      if (output.watched) continue;
      const std::uint64_t n = lines[output.gate.line()].n;
      output.count += output.gate.step(n, privilege);
      if (cycles > 1) output.count += output.gate.step(n, privilege) * (cycles - 1);
    }
  }

  void judge_watched(std::size_t index, std::uint64_t n, Cycle at, std::uint64_t cycles, Privilege privilege) {
    Output& output = outputs_[index];
    for (const Cycle end = at + cycles; at < end; ++at) {
      const std::uint64_t added = output.gate.step(n, privilege);
      if (added == 0) continue;
      output.count += added;
      for (std::size_t r = 0; r < watches_.size(); ++r) {
        Watch& watch = watches_[r];
        if (!watch.on || output_of_[r] != index) continue;
        while (watch.next <= output.count) {
          watch.cycles.push_back(at);
          watch.next = watch.period == 0 ? activity::never : watch.next + watch.period;
        }
      }
    }
  }

  const Family& family_;
  Event event_;
  Choices choices_;
  Occurrences occurrences_;
  bool ahead_;  ///< a cycle is charged to the privilege of the next one
  StateCursor privilege_;
  StateCursor clock_;
  bool stops_in_halt_;
  std::vector<Output> outputs_;  ///< one for all requests with the same rule
  std::vector<std::size_t> output_of_;
  std::vector<std::size_t> watched_;
  std::vector<std::uint64_t> raw_;  ///< per line
  std::vector<Watch> watches_;      ///< per request
  std::optional<Held> held_;
  std::optional<Cycle> reached_;
};

}  // namespace

const std::vector<EventName>& events(std::string_view target) {
  const auto names_of = [](const Family& family) {
    std::vector<EventName> names;
    for (const Event& event : family.events()) {
      names.push_back({event.name, event.umasks});
      if (!event.umasks.empty()) names.back().umasks.insert(names.back().umasks.begin(), "ALL");
    }
    return names;
  };
  static const std::vector<EventName> athlon_names = names_of(athlon);
  static const std::vector<EventName> ppc750gx_names = names_of(ppc750gx);
  return &family_of(target) == &athlon ? athlon_names : ppc750gx_names;
}

std::unique_ptr<Counter> make_counter(std::string_view target, const std::vector<Request>& requests,
                                      const ParameterLookup& parameters) {
  return make_broken_counter(target, requests, parameters, {});
}

std::unique_ptr<Counter> make_broken_counter(std::string_view target, const std::vector<Request>& requests,
                                             const ParameterLookup& parameters, const Breakage& breakage) {
  if (requests.empty()) throw std::invalid_argument("a counter needs at least one request");
  const Family& family = family_of(target);
  const Event& event = find_event(family, requests.front().event);
  if (event.name != breakage.event) return std::make_unique<CycleCounter>(family, event, requests, parameters);
  return std::make_unique<CycleCounter>(family, broken(event, breakage), requests, parameters);
}

std::vector<Breakage> breakages(std::string_view target) {
  std::vector<Breakage> list;
  for (const Event& event : family_of(target).events()) {
    const std::string name(event.name);
    for (std::size_t i = 0; i < event.happenings.size(); ++i) {
      list.push_back({name, i, Breakage::Kind::never});
      const Happening& rule = event.happenings[i];
      if (rule.classes != each && !rule.usually_each) list.push_back({name, i, Breakage::Kind::every_occurrence});
      if (rule.passes != nullptr) list.push_back({name, i, Breakage::Kind::unfiltered});
    }
    if (!event.umasks.empty()) list.push_back({name, 0, Breakage::Kind::shifted});
    if (event.level != nullptr) list.push_back({name, 0, Breakage::Kind::inverted});
    if (event.time_base) list.push_back({name, 0, Breakage::Kind::never});
  }
  return list;
}

}  // namespace pmusim::oracle
