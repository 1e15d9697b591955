// Reads the activity cycle by cycle: determines how often the event occurs, then what each counter adds.
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "testbench/oracle/event.h"
#include "testbench/oracle/family.h"
#include "testbench/oracle/gate.h"
#include "testbench/oracle/occurrences.h"
#include "testbench/oracle/oracle.h"
#include "testbench/oracle/state_cursor.h"

namespace pmusim::oracle {

namespace {

using activity::Block;
using activity::Cycle;
using activity::State;

/// Whether a request names the event itself, not one of its flat rows.
bool names_event(const Family& family, const Event& event, const Request& request) {
  if (request.event != event.name) return false;
  if (family.flat_names && request.umasks.empty() && !event.umasks.empty()) {
    throw std::invalid_argument(request.event + " is no row: a unit mask follows");
  }
  return true;
}

/// Rewrites a request for a flat row as a request for the row's event.
Request in_words_of(const Event& event, Request own) {
  own.umasks = {own.event.substr(event.name.size() + 1)};
  own.event = event.name;
  return own;
}

/// Maximum number of recorded times at which a watched count was reached: 128 MiB.
constexpr std::size_t most_crossings = std::size_t{1} << 24;

class CycleCounter final : public LastingCounter {
 public:
  CycleCounter(const Family& family, Event event, std::span<const Request* const> requests,
               const ParameterLookup& parameters)
      : family_(family),
        event_(std::move(event)),
        choices_(family.choices(parameters)),
        occurrences_(event_, choices_, parameters, family.name),
        privilege_(family.privilege_state),
        gates_(family.gate_state),
        thread_(family.third_state),
        clock_(State::clock),
        stops_in_halt_(family.stops_in_halt && !choices_.counts_in_halt && !event_.in_low_power),
        parts_(event_.halves ? 2 : 1) {
    output_of_.reserve(requests.size());
    for (const Request* const next : requests) {
      const Request& asked = *next;
      if (asked.event != event_.name && event_of(family, asked.event).name != event_.name) {
        throw std::invalid_argument("requests of one counter name the same event");
      }
      family.check(asked);
      std::optional<Request> of_row, every_thread;
      if (!names_event(family, event_, asked)) of_row = in_words_of(event_, asked);
      const Request& request = of_row ? *of_row : asked;
      Privileges allowed = 0;
      if (event_.any_thread) {
        every_thread = request;
        every_thread->ia64.all_threads = true;
      }
      const Request& of_any_thread = every_thread ? *every_thread : request;
      for (Privilege p = 0; p < family.privileges; ++p) {
        // For a floating event, each occurrence decides whether it is counted, and in some cases at which level;
        // otherwise the mode of a thread decides, which need not be the active one.
        const bool admitted = event_.floats() || family.admits(of_any_thread, p, choices_);
        allowed |= admitted ? Privileges{1} << p : 0;
      }
      const Gate gate(request, choices_, occurrences_.line_for(request), allowed, family.bound(request));
      const auto same =
          std::find_if(outputs_.begin(), outputs_.end(), [&](const Output& o) { return o.gate.same_rule(gate); });
      output_of_.push_back(static_cast<std::size_t>(same - outputs_.begin()));
      if (same == outputs_.end()) outputs_.push_back({gate});
    }
    raw_.resize(occurrences_.lines().size());
    idle_.resize(raw_.size());
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      (outputs_[i].gate.idles() ? idle_[outputs_[i].gate.line()] : alert_).push_back(i);
    watches_.resize(requests.size());
  }

  [[nodiscard]] bool restart() override {
    if (!occurrences_.restart()) return false;
    for (Output& output : outputs_) {
      output.gate.restart();
      output.count = 0;
      output.watched = false;
    }
    watched_.clear();
    std::fill(raw_.begin(), raw_.end(), 0);
    std::fill(watches_.begin(), watches_.end(), Watch{});
    reached_.reset();
    return true;
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
    gates_.enter(block, from);
    thread_.enter(block, from);
    for (Cycle at = from; at < to;) at = one_cycle_and_the_quiet_ones_behind(at, to);
  }

  [[nodiscard]] Tally tally(std::size_t request) const override {
    const Output& output = outputs_.at(output_of_.at(request));
    Tally tally{output.count, raw_[output.gate.line()], false};
    // A carry-over from the last cycle would be counted in the next cycles.
    const std::uint32_t left = event_.carries ? occurrences_.lines()[output.gate.line()].left : 0;
    if (left != 0) tally.expected += Gate(output.gate).step(left, privilege_now());
    tally.half = parts_ == 2 && tally.expected % 2 != 0;
    tally.expected /= parts_;
    return tally;
  }

  void watch(std::size_t request, std::uint64_t first, std::uint64_t period) override {
    Watch& watch = watches_.at(request);
    watch = {true, first * parts_, period * parts_, {}};
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

  void visit(Cycle at) {
    clock_.move_to(at);
    occurrences_.count(at, clock_runs());
    privilege_.move_to(at);
    gates_.move_to(at);
    thread_.move_to(at);
  }
  [[nodiscard]] bool clock_runs() const { return !stops_in_halt_ || clock_.value() != 0; }
  [[nodiscard]] Privilege privilege_now() const {
    return family_.privilege(privilege_.value(), gates_.value(), thread_.value());
  }

  // Cycles without an entry and without a change are equal: one is evaluated and repeated.
  Cycle one_cycle_and_the_quiet_ones_behind(Cycle at, Cycle end) {
    visit(at);
    if (clock_runs()) judge(occurrences_.lines(), at, 1, privilege_now());
    const Cycle privilege_change = std::min(privilege_.next(), gates_.next());
    const Cycle quiet_until =
        std::min({occurrences_.quiet_until(), clock_.next(), privilege_change, thread_.next(), end});
    if (ticks_alone_suffice()) {
      const Cycle steady_until =
          std::min({occurrences_.steady_until(), clock_.next(), privilege_change, thread_.next(), end});
      if (steady_until > quiet_until) {
        judge_ticks(occurrences_.count_ticks(at, steady_until), privilege_now());
        return steady_until;
      }
    }
    if (quiet_until <= at + 1) return at + 1;
    if (!occurrences_.counts_quiet() && alert_.empty()) return quiet_until;
    occurrences_.count_quiet();
    if (clock_runs()) judge(occurrences_.lines(), at + 1, quiet_until - at - 1, privilege_now());
    return quiet_until;
  }

  /// Ticks are visited one by one only if a gate depends on the previous cycle, or if the cycle of each tick is
  /// requested.
  [[nodiscard]] bool ticks_alone_suffice() const {
    return (event_.time_base || event_.bus_clock) && alert_.empty() && watched_.empty();
  }

  /// By line: cycles with a tick; the lines have the content of such a cycle.
  void judge_ticks(const std::vector<std::uint64_t>& cycles, Privilege privilege) {
    if (!clock_runs()) return;
    const std::vector<Line>& lines = occurrences_.lines();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      raw_[i] += lines[i].raw * cycles[i];
      for (const std::size_t output : idle_[i])
        outputs_[output].count += outputs_[output].gate.step(lines[i].n, privilege) * cycles[i];
    }
  }

  /// `cycles` equal cycles from `at` on. A gate depends on the last cycle at most, so from the second equal cycle on it
  /// adds the same amount.
  void judge(const std::vector<Line>& lines, Cycle at, std::uint64_t cycles, Privilege privilege) {
    const auto count = [&](Output& output, std::uint64_t n) {
      if (output.watched) return;
      output.count += output.gate.step(n, privilege);
      if (cycles > 1) output.count += output.gate.step(n, privilege) * (cycles - 1);
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
      raw_[i] += lines[i].raw * cycles;
      if (lines[i].n == 0) continue;
      for (const std::size_t output : idle_[i]) count(outputs_[output], lines[i].n);
    }
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      judge_watched(watched_[i], lines[outputs_[watched_[i]].gate.line()].n, at, cycles, privilege);
    }
    for (const std::size_t output : alert_) count(outputs_[output], lines[outputs_[output].gate.line()].n);
  }

  void judge_watched(std::size_t index, std::uint64_t n, Cycle at, std::uint64_t cycles, Privilege privilege) {
    Gate& gate = outputs_[index].gate;
    add_watched(index, gate.step(n, privilege), at, 1);
    if (cycles > 1) add_watched(index, gate.step(n, privilege), at + 1, cycles - 1);
  }

  /// Adds the same amount in each of `cycles` cycles; the cycles in which the count is reached follow by division.
  void add_watched(std::size_t index, std::uint64_t added, Cycle at, std::uint64_t cycles) {
    if (added == 0) return;
    const std::uint64_t before = outputs_[index].count, after = before + added * cycles;
    for (std::size_t r = 0; r < watches_.size(); ++r) {
      Watch& watch = watches_[r];
      if (!watch.on || output_of_[r] != index) continue;
      const std::uint64_t reached = watch.next > after  ? 0
                                    : watch.period == 0 ? 1
                                                        : (after - watch.next) / watch.period + 1;
      if (reached > most_crossings - watch.cycles.size()) throw too_many(watch, at);
      while (watch.next <= after) {
        watch.cycles.push_back(at + (watch.next <= before ? 0 : (watch.next - before - 1) / added));
        watch.next = watch.period == 0 ? activity::never : watch.next + watch.period;
      }
    }
    outputs_[index].count = after;
  }

  [[nodiscard]] std::invalid_argument too_many(const Watch& watch, Cycle at) const {
    return std::invalid_argument(std::string(event_.name) + ": more than " + std::to_string(most_crossings) +
                                 " overflows, one every " + std::to_string(watch.period / parts_) +
                                 " events, by the time that begins with cycle " + std::to_string(at) +
                                 "; each is compared. Right: a shorter idle time, or --only without what interrupts");
  }

  const Family& family_;
  Event event_;
  Choices choices_;
  Occurrences occurrences_;
  StateCursor privilege_;
  StateCursor gates_;   ///< the other state that determines the privilege
  StateCursor thread_;  ///< or the third state of the family
  StateCursor clock_;
  bool stops_in_halt_;
  std::uint64_t parts_;                         ///< of one occurrence: 1, or 2 if the counter counts halves
  std::vector<Output> outputs_;                 ///< shared by all requests with the same rule
  std::vector<std::vector<std::size_t>> idle_;  ///< by line: the outputs of a cycle without occurrences
  std::vector<std::size_t> alert_;              ///< the others
  std::vector<std::size_t> output_of_;
  std::vector<std::size_t> watched_;
  std::vector<std::uint64_t> raw_;  ///< per line
  std::vector<Watch> watches_;      ///< per request
  std::optional<Cycle> reached_;
};

std::unique_ptr<LastingCounter> counter_of(std::string_view target, std::span<const Request* const> requests,
                                           const ParameterLookup& parameters, const Breakage& breakage) {
  if (requests.empty()) throw std::invalid_argument("a counter needs at least one request");
  const Family& family = family_of(target);
  const Event& event = event_of(family, requests.front()->event);
  if (event.name != breakage.event) return std::make_unique<CycleCounter>(family, event, requests, parameters);
  return std::make_unique<CycleCounter>(family, broken(event, breakage), requests, parameters);
}

}  // namespace

std::unique_ptr<LastingCounter> make_lasting_counter(std::string_view target, std::span<const Request* const> requests,
                                                     const ParameterLookup& parameters) {
  return counter_of(target, requests, parameters, {});
}

std::unique_ptr<Counter> make_counter(std::string_view target, const std::vector<Request>& requests,
                                      const ParameterLookup& parameters) {
  return make_broken_counter(target, requests, parameters, {});
}

std::unique_ptr<Counter> make_broken_counter(std::string_view target, const std::vector<Request>& requests,
                                             const ParameterLookup& parameters, const Breakage& breakage) {
  std::vector<const Request*> pointers;
  pointers.reserve(requests.size());
  for (const Request& request : requests) pointers.push_back(&request);
  return counter_of(target, pointers, parameters, breakage);
}

Gate::Gate(const Request& request, const Choices& choices, std::size_t line, Privileges allowed, std::uint32_t bound)
    : line_(line), allowed_(allowed) {
  counts_ = !(choices.pin_control_stops && request.pin_control);
  // With a mask of zero the counter adds the occurrences themselves, and invert has no effect.
  const bool compares = bound > 0 || (request.invert && choices.invert_alone);
  bound_ = bound > 0 ? bound : 1;
  invert_ = compares && request.invert;
  adds_n_ = !compares;
  edge_ = request.edge;
  edge_adds_n_ = choices.edge_adds_events;
  filters_n_ = choices.privilege_first;
  edge_of_condition_ = choices.edge_before_gate;
}

bool Gate::same_rule(const Gate& other) const {
  return line_ == other.line_ && allowed_ == other.allowed_ && bound_ == other.bound_ && invert_ == other.invert_ &&
         adds_n_ == other.adds_n_ && edge_ == other.edge_ && counts_ == other.counts_;
}

}  // namespace pmusim::oracle
